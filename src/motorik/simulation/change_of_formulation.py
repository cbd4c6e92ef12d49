"""Change of formulation in a run: when one ends, and the formulation that follows."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from motorik.numerics.tolerances import EPSILON
from motorik.simulation.integration import Outcome

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.nonsmooth.application.time_stepping import SteppedInterval
    from motorik.system.guards import Guarded

SOON = 1e4  # roundings of the time
NEAR_DEAD = 0.3  # margin (sin² of an angle) at which a failing run is at a dead centre

# outcomes of runs that may have a sliding mode
CHATTERING = (
    Outcome.STEP_TOO_SMALL,
    Outcome.NO_CONVERGENCE,
    Outcome.STANDS_STILL,
    Outcome.CHATTERS,
)
# outcomes from which time stepping may continue
PASSES = (Outcome.CHATTERS, Outcome.NO_MODES, Outcome.STANDS_STILL)
SHOWN = 4  # coordinates of a position in a message

At = tuple[float, np.ndarray]
"""A time [s] and the state then."""


def find_critical_guard(
    system: CompiledModel, at: At, reached: At, p: np.ndarray, warned: bool
) -> Guarded | None:
    """Return the guard that a run comes near: of a dead centre, or of a loop that opens.

    `reached` is where the last step ended; if the guard `warned`, `at` is where it began.
    """
    if system.margins is None:
        return None
    count = len(system.guarded)

    def margins_at(t: float, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        values = np.nan_to_num(system.margins(np.array([t]), x, p), nan=-1.0)  # type: ignore[misc]
        return values[:count], values[count:]

    margins, rates = margins_at(*at)
    if not warned:  # a margin that vanishes within some shortest steps is zero
        soon = SOON * EPSILON * abs(at[0])
        margins = np.minimum(margins, margins + soon * np.minimum(rates, 0.0))
    if not warned and margins.min() >= NEAR_DEAD:
        return None
    if warned:  # by the step that begins here: what falls, or has fallen at its end
        falling = np.where(rates < 0.0, margins, margins + 1.0)
        margins = np.minimum(falling, margins_at(*reached)[0])
    return system.guarded[int(np.argmin(margins))]


class OtherForm(NamedTuple):
    """Another formulation of a mechanism, the parts concerned, and the message on the change."""

    other: CompiledModel
    parts: str
    what: str


def find_solvable_form(system: CompiledModel, at: At, p: np.ndarray) -> OtherForm | None:
    """Return a formulation that is solvable at a state where an audit has failed.

    Orders of elimination are chosen again with this pose; where that does not help, or there
    is no choice, all loops are closed by projection. None if there is no other form.
    """
    t, x = at
    f = system.formulation
    if f.is_empty:
        return None
    X = system.full_state(np.array([t]), x, p)
    parts = system.missed_at(t, x, p)
    if not parts:
        equations = [f.constraints.equations[k] for k in (*f.solved, *f.with_multiplier)]
        parts = ", ".join(dict.fromkeys(equation.part for equation in equations))
    other = system.eliminated_at(system.layout.split(X)[0])
    if other is not None:
        return OtherForm(other, parts, "another order of elimination: pivots vanish here")
    other = system.projected
    if other.formulation.solved == f.solved and f.gains is None:
        return None
    return OtherForm(other, parts, "speeds do not follow here: continued by projection")


def unsolved_message(system: CompiledModel, at: At, p: np.ndarray) -> str:
    """Return the parts whose equations are not solved at a state, and where they are."""
    t, x = at
    layout = system.layout
    named = zip(layout.integrated, x.tolist(), strict=True)
    places = [
        f"{layout.motion[k].name} = {value:.6g} {layout.motion[k].unit}".rstrip()
        for k, value in named
        if k < layout.n_q
    ]
    shown = ", ".join(places[:SHOWN]) + (", …" if len(places) > SHOWN else "")
    return f"those of {system.missed_at(t, x, p) or system.mechanism.name}, at {shown}"


def can_step(system: CompiledModel, outcome: Outcome) -> bool:
    """Return whether an interval may be stepped: with unilateral or friction constraints.

    Where no modes are consistent and a bound is a nonlinear function of forces, there may be no
    force at all: steps with the bounds of their beginning would not notice.
    """
    if outcome not in PASSES or system.nonsmooth is None:
        return False
    if system.mechanism.inventory.delays:  # whose past would not be known there
        return False
    return outcome is not Outcome.NO_MODES or not system.nonsmooth.nonlinear


def interval_message(outcome: Outcome, interval: SteppedInterval) -> str:
    """Return the message on an interval in the events of a run."""
    why = "no modes fit" if outcome is Outcome.NO_MODES else "events accumulate"
    return f"{why}: passed {interval}"


def convert_parameters(
    before: CompiledModel, other: CompiledModel, p: np.ndarray
) -> np.ndarray:
    """Return parameters of one formulation of a mechanism, or of samples, for another.

    The other one has no closed forms; unwrapped angles are kept.
    """
    assert not other.formulation.branched_groups
    n, at = before.layout.n_live, before.layout.branch
    kept = p[..., :n], p[..., at.unwrapped_cuts], p[..., at.summed_cuts]
    return np.concatenate(kept, axis=-1)
