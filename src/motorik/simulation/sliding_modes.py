"""Sliding modes in a run: detects them, and continues along the switching surface."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from motorik.errors import MotorikError
from motorik.nonsmooth.application.sliding_modes import (
    owner_of,
    sliding_system,
    surface_of,
    with_sliding_modes,
)
from motorik.nonsmooth.laws.state_events import branch_of
from motorik.nonsmooth.memory import LCP_DATA
from motorik.numerics.tolerances import BORDER_REACHED, EPSILON, SAME_NUMBER, SMALLEST_SPEED
from motorik.simulation.outcome import Outcome

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.nonsmooth.application.sliding_modes import SlidingSurface

CHATTERING = (  # outcomes of chattering runs
    Outcome.STEP_TOO_SMALL,
    Outcome.NO_CONVERGENCE,
    Outcome.STANDS_STILL,
    Outcome.CHATTERS,
)
FOLLOWED = (
    "both branches of its law point towards the switching surface: sliding mode (Filippov)"
)
ASIDE = 64.0  # units in the last place: how far beside a border rates are asked
SAME = 0.1  # of the jump of a rate: by no more it changes where it is asked twice as near
SOON = 1e-3  # of the duration: a border that is farther is not looked at


def rates_beside(
    system: CompiledModel, t: float, x: np.ndarray, p: np.ndarray, k: int, part: float
) -> tuple[float, float, float]:
    """Return the value of a condition, and its rates just below and just above zero.

    The state is moved to both sides of the surface along one of its speeds or block states;
    `part` is the distance, relative to one beyond rounding.
    """
    p = _parameters(system, p)
    values, all_slopes = _values_and_slopes(system, t, x, p)
    value, slopes = values[k], all_slopes[k]
    first = len(system.layout.state_q)
    moved = first + int(np.argmax(np.abs(slopes[first:])))
    rounding = EPSILON * float(np.abs(slopes) @ np.abs(x))
    aside = part * max(4.0 * abs(value), ASIDE * rounding, np.finfo(float).tiny)
    found = []
    for side in (-1.0, 1.0):
        state = x.copy()
        state[moved] += (side * aside - value) / slopes[moved]
        moving = _sliding_friction(system, t, state, p)
        rates = system.derivative(np.array([t]), state, moving)
        found.append(_conditions(system, t, state, rates, moving)[1][k])
    return float(value), float(found[0]), float(found[1])


def _sliding_friction(
    system: CompiledModel, t: float, x: np.ndarray, p: np.ndarray
) -> np.ndarray:
    """Return parameters with which friction slides where the moved state has a speed."""
    if system.nonsmooth is None:
        return p
    constraints, layout = system.nonsmooth.constraints, system.layout.nonsmooth
    speeds = system.contact_lcp(np.array([t]), x, p)[
        : LCP_DATA * len(constraints) : LCP_DATA
    ]
    p = p.copy()
    for k, constraint in enumerate(constraints):
        own, pair = layout.forces[k], layout.pairs[k]
        is_mode = p[own.stick] or p[own.direction] or p[own.saturated]
        if (
            constraint.gap is None
            and pair == -1
            and is_mode
            and abs(speeds[k]) > SMALLEST_SPEED
        ):
            p[own.stick] = p[own.saturated] = 0.0
            p[own.direction] = np.sign(speeds[k])
    return p


def _parameters(system: CompiledModel, p: np.ndarray) -> np.ndarray:
    """Return as many parameters as a model has: native code has at least one."""
    return p[: system.layout.n_live + system.layout.n_branch_parameters]


def _conditions(
    system: CompiledModel, t: float, x: np.ndarray, rates: np.ndarray, p: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the values of all conditions and their rates, by the rates of the states."""
    found = system.law_conditions(np.array([t]), np.concatenate([x, rates]), p)
    values, of_values, _ = np.split(found, 3)
    return values, of_values


def _values_and_slopes(
    system: CompiledModel, t: float, x: np.ndarray, p: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the values of all conditions, and their derivatives by the states."""
    p = _parameters(system, p)
    values, still = _conditions(system, t, x, np.zeros(x.size), p)
    slopes = [_conditions(system, t, x, own, p)[1] - still for own in np.eye(x.size)]
    return values, np.array(slopes).T


def is_attracting(
    system: CompiledModel, duration: float, t: float, x: np.ndarray, p: np.ndarray, k: int
) -> bool:
    """Return whether both branches point towards a switching surface that is near.

    The time to the surface must be a small part of the duration of a run.
    """
    with np.errstate(all="ignore"):
        value, below, above = rates_beside(system, t, x, p, k, 1.0)
        _, near_below, near_above = rates_beside(system, t, x, p, k, 0.5)
    jump = below - above
    if not (below > 0.0 > above and near_below > 0.0 > near_above):
        return False
    if abs(value) > SOON * duration * min(below, -above):
        return False
    change = max(abs(near_below - below), abs(near_above - above))
    return change < SAME * jump


def active_sliding_mode(
    system: CompiledModel, t: float, x: np.ndarray, p: np.ndarray, duration: float
) -> int | None:
    """Return the condition on whose surface the motion is and slides, if any."""
    for k in system.sliding_conditions:
        if is_on_surface(system, t, x, p, k, duration) and is_attracting(
            system, duration, t, x, p, k
        ):
            return k
    return None


def is_on_surface(
    system: CompiledModel, t: float, x: np.ndarray, p: np.ndarray, k: int, duration: float
) -> bool:
    """Return whether the motion reaches the surface of a condition within a very short time."""
    value, below, above = rates_beside(system, t, x, p, k, 1.0)
    return abs(value) <= BORDER_REACHED * duration * min(abs(below), abs(above))


def _same_surface(
    system: CompiledModel, t: float, x: np.ndarray, p: np.ndarray, k: int
) -> list[tuple[int, float]]:
    """Return other conditions with the same surface, and their relative sign, 1 or −1."""
    values, slopes = _values_and_slopes(system, t, x, p)
    found: list[tuple[int, float]] = []
    for j in system.sliding_conditions:
        size = np.linalg.norm(slopes[j]) / np.linalg.norm(slopes[k])
        for side in (1.0, -1.0):
            change = slopes[j] - side * size * slopes[k]
            apart = abs(values[j] - side * size * values[k])
            rounding = float(np.abs(slopes[j]) @ np.abs(x))
            is_same = np.abs(change).max() <= SAME_NUMBER * np.abs(slopes[j]).max()
            if j != k and is_same and apart <= SAME_NUMBER * rounding:
                found.append((j, side))
    return found


class SlidingContinuation:
    """Continuation of a run along a switching surface: the model with the sliding mode.

    If the law cannot be written as a convex combination, `other` is None, and `why` is the
    reason.
    """

    def __init__(
        self, system: CompiledModel, t: float, x: np.ndarray, p: np.ndarray, k: int
    ) -> None:
        self.system, self.why, self.part = system, "", ""
        self.other: CompiledModel | None = None
        group = len({surface.group for surface in system.surfaces})
        found: list[SlidingSurface] = []
        for number, side in [(k, 1.0), *_same_surface(system, t, x, p, k)]:
            law, gap = branch_of(system.equations, number)
            own = law.source, system.mechanism.inventory, law.conditions[gap]
            found.append(surface_of(*own, group, side, not found))
            self.part = self.part or owner_of(law.source).path
        try:
            self.other = sliding_system(system, (*system.surfaces, *found))
            self.other.prepare()
        except MotorikError as error:
            self.other, self.why = None, str(error)

    @property
    def fault(self) -> tuple[str, str]:
        """The reason why the run cannot continue, and a remedy."""
        return (
            "both branches of its law point towards the switching surface between them "
            f"(a sliding mode), which cannot be followed: {self.why}",
            "Replace the jump by a steep smooth transition, e.g. tanh(v / v_0), or write it as "
            "friction that sticks and slips (`NonsmoothConstraint`).",
        )

    @property
    def message(self) -> str:
        """The fault with the name of the part."""
        why, remedy = self.fault
        return f"{self.part}: {why}\n  {remedy}"

    @property
    def convert(self) -> partial[np.ndarray]:
        """The conversion of parameters to the other model; its new mode is not active yet."""
        assert self.other is not None
        return partial(with_sliding_modes, self.system, self.other)
