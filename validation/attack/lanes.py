"""Runs in lanes: those of random mechanisms with events are the runs made one by one."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

import motorik as mk
from motorik import forces
from motorik.ensembles import Ensemble
from motorik.prepared_run import PreparedRun
from motorik.results import Result
from validation.attack.drive_lines import draw_line
from validation.attack.finding import Finding, judged
from validation.attack.live_loops import live_model, live_numbers
from validation.attack.thrown_bodies import thrown
from validation.fuzz.drawing import Drawing
from validation.fuzz.kinds import draw
from validation.fuzz.units import Units

DRAWN = (
    *("tree", "plane", "ring", "clusters", "driven", "rods"),
    *("mixed", "assembly", "library", "platform", "wheels"),
)
KINDS = (*DRAWN, *DRAWN, "drive line", "thrown", "network")
COUNT = 9  # more than lanes, and no multiple of them
ROUNDING = 1e-8  # of the range of a variable
NUDGE = 1e-12  # relative change of a start whose effect is counted as that of rounding
Given = dict[str, np.ndarray]


def motor(rng: np.random.Generator) -> mk.Model:
    """Return a motor whose voltage steps, on a load that rubs, with a diode beside it."""
    model = mk.Model()
    model.volts = mk.electrical.StepVoltage(
        V=mk.Parameter(float(rng.uniform(5, 20))), startTime=float(rng.uniform(0.1, 0.5))
    )
    model.ground = mk.electrical.Ground()
    model.R = mk.electrical.Resistor(R=mk.Parameter(float(rng.uniform(0.5, 2))))
    model.L = mk.electrical.Inductor(L=float(10 ** rng.uniform(-2, 0)), i=0.0)
    model.emf = mk.electrical.RotationalEMF(k=float(rng.uniform(0.2, 1)))
    model.J = mk.rotational.Inertia(J=mk.Parameter(float(10 ** rng.uniform(-2, 0))))
    model.rub = mk.rotational.BearingFriction(tau_pos=((0.0, float(rng.uniform(0.1, 2))),))
    model.connect(model.volts.p, model.R.p)
    model.connect(model.R.n, model.L.p)
    model.connect(model.L.n, model.emf.p)
    model.connect(model.emf.n, model.volts.n, model.ground.p)
    model.connect(model.emf.flange, model.J.flange_a)
    model.connect(model.J.flange_b, model.rub.flange_a)
    return model


def rubbed(drawing: Drawing, rng: np.random.Generator) -> None:
    """Give some of the hinges and slides of a drawing friction, and some of them stops."""
    for joint in drawing.joints:
        piece = drawing.pieces.get(joint.name)
        if piece is None or piece.make not in (mk.Revolute, mk.Prismatic):
            continue
        key = "tau" if piece.make is mk.Revolute else "f"
        if rng.random() < 0.3:
            law = mk.joints.Coulomb(
                **{key: float(rng.uniform(0.05, 1.0))}, peak=float(rng.choice([1.0, 1.3]))
            )
            piece.given["friction"] = law
        if rng.random() < 0.3:
            room = rng.uniform(0.05, 0.6, 2)
            piece.given["stops"] = (joint.q[0] - room[0], joint.q[0] + room[1])
            piece.given["restitution"] = float(rng.choice([0.0, 0.4, 0.8]))


def happening(model: mk.Model, drawing: Drawing, rng: np.random.Generator) -> None:
    """Let a force step on a body, or a body fall on a plane, or a joint count its passes."""
    if drawing.planar or not drawing.bodies:
        return
    body = model.parts.get(drawing.bodies[-1].name.partition(".")[0])
    if not isinstance(body, mk.Body):
        return
    if rng.random() < 0.4:
        model.course = mk.blocks.Step(
            startTime=mk.Parameter(float(rng.uniform(0.1, 0.8))), height=1.0
        )
        model.gust = forces.WorldForce()
        model.still = [mk.blocks.Constant(k=0.0) for _ in range(2)]
        for signal, at in zip((model.course, *model.still), model.gust.force, strict=True):
            model.connect(signal.y, at)
        model.connect(model.gust.frame_b, body.frame_a)
    if rng.random() < 0.3:
        model.ground = mk.Fixed(r=(0.0, -float(rng.uniform(2.0, 3.0)), 0.0))
        model.touch = forces.PointPlaneContact(
            mu=float(rng.choice([0.0, 0.4])), e=float(rng.choice([0.0, 0.5]))
        )
        model.connect(model.ground.frame_b, model.touch.frame_a)
        model.connect(model.touch.frame_b, body.frame_a)
    names = [n for joint in drawing.joints for n in joint.names()]
    if names and rng.random() < 0.4:
        name = str(rng.choice(names))
        count: Any = mk.blocks.Discrete(start=0.0)
        model.count = count
        place = float(rng.uniform(-0.5, 0.5))
        model.when(
            lambda motion: motion[name] - place,
            set={count: lambda motion: motion["count.y"] + 1.0},
        )


def mechanism(kind: str, rng: np.random.Generator) -> tuple[mk.Model, float, list[str]]:
    """Return a model with events, the end of its runs, and its live numbers that may differ."""
    seed = int(rng.integers(1 << 30))
    if kind == "drive line":
        return draw_line(np.random.default_rng(seed)).model(), 1.5, []
    if kind == "thrown":
        return thrown(np.random.default_rng(seed), int(rng.integers(1, 5))), 1.0, []
    if kind == "network":
        return motor(np.random.default_rng(seed)), 1.0, ["volts.V", "R.R", "J.J"]
    drawing, _ = draw(kind, 1, seed, is_plain=True)
    drawing = copy.deepcopy(drawing)
    rubbed(drawing, rng)
    if drawing.planar or kind in ("assembly", "library"):
        model, live = drawing.model(Units()), []
    else:
        model = live_model(drawing)
        live = list(live_numbers(drawing))
    happening(model, drawing, rng)
    return model, 0.6, live


def variants(
    run: PreparedRun, live: list[str], rng: np.random.Generator
) -> tuple[Given, Given]:
    """Return random starts and live parameters, near those of the model."""
    first = run()
    count = min(len(first.state_names), int(rng.integers(0, 4)))
    names = [str(n) for n in rng.choice(first.state_names, count, replace=False)]
    base = first.sample(0)
    far = float(rng.choice([1e-3, 0.3]))
    starts = {
        name: base[name] + far * max(abs(base[name]), 0.1) * rng.uniform(-1, 1, COUNT)
        for name in names
        if name in base and ".Q[" not in name
    }
    few = min(1.0, 3.0 / max(len(live), 1))
    chosen = [n for n in run.parameter_names if n.partition("[")[0] in live]
    chosen = [n for n in chosen if rng.random() < few]
    numbers = run.live_values({}).tolist()  # followed by what is computed from them
    values = dict(zip(run.parameter_names, numbers, strict=False))
    wide = float(rng.choice([0.02, 0.3]))  # wide ones do not let all loops close
    parameters = {n: values[n] * np.exp(wide * rng.uniform(-1, 1, COUNT)) for n in chosen}
    if not starts and not parameters:
        starts = {first.state_names[-1]: np.full(COUNT, base[first.state_names[-1]])}
    return starts, parameters


def motion_apart(one: Result, other: Result) -> float:
    """Return how far two motions are apart, of the ranges of their variables."""
    scale = np.maximum(np.ptp(other.motion, axis=0), 1e-6)
    found = float((np.abs(one.motion - other.motion) / scale).max())
    return found if np.isfinite(found) else np.inf


def story(result: Result) -> list[tuple[str, str]]:
    """Return parts and words of the events of a run."""
    return [(event.part, event.what) for event in result.events]


def lanes(rng: np.random.Generator) -> Iterator[Finding]:
    """Check the runs of a map against single runs: motion, events, failures, in any threads."""
    kind = str(rng.choice(KINDS))
    model, stop, live = mechanism(kind, rng)
    method = str(rng.choice(["auto", "auto", "dop853", "gbs"]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            limits = mk.SolverOptions(max_steps=20_000)
            run = model.prepare(
                stop, output=11, method=method, progress=False, solver=limits
            ).compile()
            starts, parameters = variants(run, live, rng)
        except mk.MotorikError:
            return  # what stands in the way of a single run is judged by other attacks
        detail = f"{kind}, {method}, {len(starts)} starts, {len(parameters)} parameters"
        singles: dict[int, Result | str] = {}
        for k in range(COUNT):
            try:
                singles[k] = single(run, starts, parameters, k)
            except mk.MotorikError as error:
                singles[k] = str(error)

        def simulated() -> float:
            own = {"output": 11, "method": method, "solver": limits, "progress": False}
            start, given = variant(starts, parameters, 0)
            try:
                other = model.simulate(stop, initial=start, parameters=given, **own)
            except mk.MotorikError as error:
                other = str(error)
            return apart(run, singles[0], starts, parameters, 0, other)

        if not any("[" in name for name in parameters):  # simulate takes whole vectors
            yield judged("prepared run is simulate", simulated, detail)
        for threads in (1, 2):

            def compared(threads: int = threads) -> float:
                runs = run.map(starts, parameters, threads=threads, progress=False)
                return max(
                    apart(run, run_of_map(runs, k), starts, parameters, k, singles[k])
                    for k in range(COUNT)
                )

            yield judged("map is single runs", compared, f"{detail}, {threads} threads")


def variant(
    starts: Given, parameters: Given, k: int, nudge: float = 0.0
) -> tuple[dict[str, float], dict[str, float]]:
    """Return start values and parameters of one run, moved a little if asked for."""
    start = {n: float(v[k]) * (1.0 + nudge) for n, v in starts.items()}
    return start, {n: float(v[k]) * (1.0 + nudge) for n, v in parameters.items()}


def single(
    run: PreparedRun, starts: Given, parameters: Given, k: int, nudge: float = 0.0
) -> Result:
    """Return a run made alone."""
    start, given = variant(starts, parameters, k, nudge)
    return run(start=start or None, parameters=given or None)


def run_of_map(runs: Ensemble, k: int) -> Result | str:
    """Return a run of an ensemble, or why it failed at its start."""
    try:
        return runs.result(k)
    except mk.SimulationError:
        return runs.failures[k]


def apart(
    run: PreparedRun,
    own: Result | str,
    starts: Given,
    parameters: Given,
    k: int,
    other: Result | str,
) -> float:
    """Return how far a run is from the same one by another way, as a multiple of the tolerance.

    A run that is refused must be refused in the same words; one that ends early, as the other.
    """
    if isinstance(own, str) or isinstance(other, str):
        return 0.0 if own == other else np.inf
    if not own.complete or not other.complete:
        return 0.0 if own.complete == other.complete else np.inf
    found = motion_apart(own, other)
    if found <= ROUNDING and story(own) == story(other):
        return found / ROUNDING
    magnified = 0.0
    for nudge in (NUDGE, -NUDGE, 3.0 * NUDGE):
        try:
            moved = single(run, starts, parameters, k, nudge)
        except mk.MotorikError:
            return 0.0
        if not moved.complete or story(moved) != story(other):
            return 0.0  # rounding decides
        magnified = max(magnified, motion_apart(moved, other))
    if story(own) != story(other):
        return np.inf
    return found / (ROUNDING + 100.0 * magnified)
