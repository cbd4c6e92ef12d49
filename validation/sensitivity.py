"""Sensitivity: the smallest change of mass or gravity that a comparison would see."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from motorik.components.parts.world import World
from motorik.exchange.modelica import ReadModel
from validation.deviation import Signals, differences
from validation.runs import TIGHTEST, Runs

CHANGE = 1e-4  # relative change of the run from which is reckoned
MASSES = ("kg", "kg.m2", "kg/m3")
FIELDS = ("g", "mu")


def mass_parameters(reading: ReadModel) -> dict[str, Any]:
    """Return the masses, inertias and densities of a model by their full names."""
    found: dict[str, Any] = {}
    for part in reading.model.walk():
        has_tensor = "I" in part.specs and getattr(part, "I", None) is not None
        for name, spec in part.specs.items():
            if has_tensor and name.startswith("I_"):
                continue
            if spec.unit in MASSES and _is_given(value := getattr(part, name)):
                found[f"{part.path}.{name}"] = value
    return found


def heavier(reading: ReadModel, change: float = CHANGE) -> dict[str, Any]:
    """Return all masses and inertias of a model, larger by a relative change."""
    return {name: (1 + change) * value for name, value in mass_parameters(reading).items()}


def stronger_gravity(reading: ReadModel, change: float = CHANGE) -> dict[str, Any]:
    """Return the gravity field of a model, stronger by a relative change."""
    found: dict[str, Any] = {}
    for part in reading.model.walk():
        if isinstance(part, World):
            found |= {
                f"{part.path}.{name}": (1 + change) * getattr(part, name) for name in FIELDS
            }
            field = part.gravityAcceleration
            if field is not None:
                found[f"{part.path}.gravityAcceleration"] = _scaled(field, 1 + change)
    return found


def _scaled(field: Callable[[Any], Any], factor: float) -> Callable[[Any], Any]:
    return lambda r: factor * field(r)


def _is_given(value: Any) -> bool:
    """Tell whether a parameter has a value of its own that is not zero."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return value != 0.0
    return hasattr(value, "rotated")  # an inertia tensor


def smallest_change(
    runs: Runs,
    changed: dict[str, Any],
    exact: Signals,
    limits: Signals,
    unsure: dict[str, float],
) -> float:
    """Return the relative change that is seen, of either sign; infinite without influence.

    The signals are linear in a small change ε: δ + ε s leaves the limit where
    ε > (limit − δ)/s, at the time and for the signal where that comes first.
    """
    if not changed:
        return np.inf
    time = runs.reference.time
    result = runs.simulate(TIGHTEST, "dop853", parameters=changed)
    slopes = differences(time, exact, runs.rows(result))
    now = differences(time, runs.reference.signals, exact)
    seen = [np.inf, np.inf]
    for name, slope in slopes.items():
        if np.abs(slope).max() <= 10 * unsure[name]:
            continue
        for k, sign in enumerate((1.0, -1.0)):
            direction = sign * np.sign(slope)
            with np.errstate(divide="ignore", invalid="ignore"):
                room = (limits[name] - direction * now[name]) / (np.abs(slope) / CHANGE)
            seen[k] = min(seen[k], float(room[slope != 0.0].min()))
    return max(seen)
