"""Deviation: how far two trajectories of the same quantity are apart, relative to its scale."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import numpy as np

MAGNITUDE_SHARE = 1e-2
SMALLEST_SCALE = 1e-3
ANGLE = re.compile(r"(^|\.)(phi|angles?|theta)(?!_d)\w*(\[\d+\])?$")
QUATERNION = re.compile(r"(.*\bQ)\[([1-4])\]$")

Signals = Mapping[str, np.ndarray]


def family(signal: str) -> str:
    """Return what signals that are components of one vector have in common.

    >>> family("body.v_0[3]"), family("free.r_rel_a_2"), family("rev.phi")
    ('body.v_0', 'free.r_rel_a', 'rev.phi')
    """
    return re.sub(r"(\[[\d,]+\]|(?<=_[a-z])_[123])$", "", signal)


def scales(reference: Signals) -> dict[str, float]:
    """Return the scale against which the deviation of each signal is measured.

    It is the range of the reference over the run. A signal that (nearly) stands still is
    measured against a hundredth of the largest magnitude in its family (the vector it is a
    component of), and one of a family that is zero throughout against 1e-3 in its SI unit.
    """
    magnitude: dict[str, float] = {}
    for name, values in reference.items():
        key = family(name)
        magnitude[key] = max(magnitude.get(key, 0.0), float(np.abs(values).max()))
    return {
        name: max(
            float(np.ptp(v)), MAGNITUDE_SHARE * magnitude[family(name)], SMALLEST_SCALE
        )
        for name, v in reference.items()
    }


def differences(
    time: np.ndarray, reference: Signals, ours: Signals
) -> dict[str, np.ndarray]:
    """Return (ours − reference) / scale of each signal at each row.

    Where the reference has two rows of the same time, an event, any value between the two
    is right. Quaternions Q[1…4] are compared up to the sign that the four have in common, at
    each time: Q and −Q are the same orientation. Angles confined to ±π, as an arc tangent
    gives them, may jump by a full turn; a lasting difference of a full turn is not forgiven.
    """
    ours = _with_signs_of(reference, ours)
    found: dict[str, np.ndarray] = {}
    for name, scale in scales(reference).items():
        low, high = _bounds(time, reference[name])
        below, above = low - ours[name], ours[name] - high
        if ANGLE.search(name) and _is_confined(ours[name], reference[name]):
            below, above = np.unwrap(below), np.unwrap(above)
        outside = np.where(above > 0.0, above, -np.maximum(below, 0.0))
        known = np.isfinite(below) & np.isfinite(above)
        found[name] = np.where(known, outside / scale, np.inf)
    return found


def deviations(time: np.ndarray, reference: Signals, ours: Signals) -> dict[str, float]:
    """Return max |ours − reference| / scale of each signal; NaN counts as infinite."""
    found = differences(time, reference, ours)
    return {name: float(np.abs(values).max()) for name, values in found.items()}


def largest(found: Iterable[Mapping[str, float]]) -> dict[str, float]:
    """Return the largest deviation of each signal among several runs."""
    result: dict[str, float] = {}
    for one in found:
        result = {name: max(value, result.get(name, 0.0)) for name, value in one.items()}
    return result


def cut(signals: Signals, instead: Signals, kept: np.ndarray) -> dict[str, np.ndarray]:
    """Return signals where `kept`, and the others elsewhere."""
    return {name: np.where(kept, v, instead[name]) for name, v in signals.items()}


def _bounds(time: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the smallest and largest value that the rows of the same time have."""
    _, group = np.unique(time, return_inverse=True)
    low = np.full(group.max() + 1, np.inf)
    high = -low
    np.minimum.at(low, group, values)
    np.maximum.at(high, group, values)
    return low[group], high[group]


def _is_confined(*trajectories: np.ndarray) -> bool:
    return min(np.abs(values).max() for values in trajectories) <= np.pi * (1 + 1e-9)


def _with_signs_of(reference: Signals, ours: Signals) -> dict[str, np.ndarray]:
    """Return our signals with every quaternion on the reference's side."""
    adjusted = dict(ours)
    stems = {match[1] for name in reference if (match := QUATERNION.match(name))}
    for stem in stems:
        names = [f"{stem}[{i}]" for i in (1, 2, 3, 4)]
        if all(name in reference and name in ours for name in names):
            product = sum(reference[name] * ours[name] for name in names)
            sign = np.where(np.asarray(product) < 0, -1.0, 1.0)
            adjusted |= {name: sign * ours[name] for name in names}
    return adjusted
