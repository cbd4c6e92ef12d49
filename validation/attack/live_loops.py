"""Loops whose dimensions and masses are live: every set of numbers, judged by another route."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

import motorik as mk
from motorik.results import Result
from validation.attack.finding import Finding, judged, run
from validation.fuzz.drawing import Drawing
from validation.fuzz.kinds import draw
from validation.fuzz.units import Units, Value

KINDS = ("plane", "ring", "clusters", "platform", "rods")
LIVE = ("r", "m", "r_CM", "rodLength")
STOP = 1.0


def varied(drawing: Drawing, rng: np.random.Generator, amount: float) -> Drawing:
    """Return the same topology with other lengths and masses."""
    other = copy.copy(drawing)
    other.pieces = {}
    for name, piece in drawing.pieces.items():
        given = dict(piece.given)
        for key in LIVE:
            value = given.get(key)
            if isinstance(value, Value):
                number = np.asarray(value.number, dtype=float)
                factor = np.exp(amount * rng.uniform(-1, 1))
                given[key] = Value(number * factor, value.dimension, value.fixed)
        new = copy.copy(piece)
        new.given = given
        other.pieces[name] = new
    return other


def live_numbers(drawing: Drawing) -> dict[str, Any]:
    """Return lengths and masses by the names of their live parameters."""
    found: dict[str, Any] = {}
    for name, piece in drawing.pieces.items():
        for key in LIVE:
            value = piece.given.get(key)
            if isinstance(value, Value):
                number = np.asarray(value.number, dtype=float)
                plain = float(number) if number.ndim == 0 else tuple(map(float, number))
                found[f"{name}.{key}"] = plain
    return found


def live_model(drawing: Drawing) -> mk.Model:
    """Return the model of a drawing with live lengths and masses."""
    live = copy.copy(drawing)
    live.pieces = {name: copy.copy(piece) for name, piece in drawing.pieces.items()}
    for path, number in live_numbers(drawing).items():
        name, _, key = path.partition(".")
        given = {**live.pieces[name].given, key: mk.Parameter(number)}
        live.pieces[name].given = given
    return live.model(Units())


def poses(result: Result, drawing: Drawing) -> np.ndarray:
    """Return the positions of all bodies."""
    return np.stack([result[f"{body.frame}.r_0"] for body in drawing.bodies], axis=1)


def start_of(model: mk.Model, strategy: str, result: Result) -> Mapping[str, float]:
    """Return the states of a strategy at the start of a run by another one.

    Start values that are neither given nor guessed need not be the same in both.
    """
    if strategy != "absolute":
        return result.sample(0)
    found: dict[str, float] = {}
    for name in model.compile(strategy).state_names:
        body, _, variable = name.rpartition(".")
        if variable.startswith("v_a["):  # results have the velocity in the world's frame
            v_a = result[f"{body}.frame_a.R.T"][0] @ result[f"{body}.v_0"][0]
            found[name] = float(v_a[int(variable[4]) - 1])
        else:
            found[name] = float(result[name][0])
    return found


def live_loops(rng: np.random.Generator) -> Iterator[Finding]:
    """Live dimensions: the run keeps its energy and moves as a model of plain numbers does."""
    kind = str(rng.choice(KINDS))
    number = int(rng.integers(1 << 30))
    drawing, _ = draw(kind, 1, number, is_plain=True)
    model = live_model(drawing)
    for amount in (0.0, 0.05, 0.05, 0.2, 0.4):
        other = varied(drawing, rng, amount)
        detail = f"{kind} {number}, lengths varied by {amount:g}"
        try:
            result = run(model, STOP, parameters=live_numbers(other), rtol=1e-9, output=20)
        except mk.MotorikError:
            continue  # these lengths do not close
        except Exception as end:
            yield judged("complete", lambda end=end: raised(end), detail)
            continue

        def drift(result: Result = result, other: Drawing = other) -> float:
            found = energy_drift(result)
            if found <= 1.0:
                return found
            # large forces make much energy of small errors: these must fall with rtol
            live = live_numbers(other)
            finer = energy_drift(run(model, STOP, parameters=live, rtol=1e-11, output=20))
            return max(finer, 5.0 * finer / found)

        yield judged("energy", drift, detail)
        strategy = str(rng.choice(["projected", "absolute"]))

        def apart(
            other: Drawing = other, result: Result = result, strategy: str = strategy
        ) -> float:
            same = other.model(Units())
            start = start_of(same, strategy, result)
            settings: dict[str, Any] = {"rtol": 1e-9, "output": 20, "strategy": strategy}
            plain = run(same, STOP, initial=start, **settings)
            coarse = run(model, STOP, parameters=live_numbers(other), rtol=1e-7, output=20)
            expected = np.abs(poses(coarse, drawing) - poses(result, drawing)).max()
            found = np.abs(poses(plain, drawing) - poses(result, drawing)).max()
            size = max(1.0, float(np.abs(poses(result, drawing)).max()))
            return found / (1e-6 * size + 10.0 * expected)

        yield judged("same motion", apart, f"{detail}, {strategy} with plain numbers")


def energy_drift(result: Result) -> float:
    """Return the change of the energy as a multiple of what the tolerance explains."""
    energy = result.energy()
    swing = max(np.ptp(energy["kinetic"]), 1e-6 * np.abs(energy["total"]).max())
    return float(np.ptp(energy["total"]) / (1e-6 * swing))


def raised(error: Exception) -> float:
    """Raise an error again."""
    raise error
