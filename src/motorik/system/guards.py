"""What is guarded in a run: dead centres, solvability, rows left out, loops held by gains."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar
from motorik.loops.constrained import Instant
from motorik.loops.formulation import Formulation
from motorik.motion import traced
from motorik.motion.view import radians

if TYPE_CHECKING:
    import casadi

DEAD_CENTRE, SOLVABILITY, OPENING = "dead centre", "solvability", "opening"
SINGULAR, ASTRAY = "singular position", "astray"  # of loops that only gains hold
OPEN = 1e-7  # gap of a row that was left out, against its scale, at which it counts as open
OPEN_WITH_GAINS = 1e-3  # where rows are only stabilised
GONE = (
    1e-2  # gap of a row that only gains hold, against its scale, that no tolerance excuses
)


@dataclass(frozen=True)
class Guarded:
    """What one margin is about: its kind, and the loops in words."""

    kind: str
    words: str


def guarded(instant: Instant) -> list[Guarded]:
    """Return what the margins are about, in their order."""
    f, mechanism = instant.formulation, instant.mechanism
    if f.iterates:
        kept = [mechanism.coordinates[k].name for k in f.state_q]
        words = f"the loops' position, told by {', '.join(kept)},"
        return [Guarded(SOLVABILITY, words)]
    found = []
    for (form, step), margin in zip(f.sided, instant.margins, strict=True):
        if not isinstance(margin, float):
            names = ", ".join(form.hinges[h].name for h in step.hinges)
            found.append(Guarded(DEAD_CENTRE, f"the {step.title} of {names}"))
    found += [Guarded(OPENING, f.rows.rows[k].part) for k in watched_rows(f)]
    if f.gains is None:
        return found
    n = len(f.state_u)
    pivots = [f.enforced[k - n] for k, _ in _pivots(instant)]
    found += [Guarded(SINGULAR, _loop_of(f, row)) for row in pivots]
    return found + [Guarded(ASTRAY, _loop_of(f, row)) for row in held_by_gains(f)]


def _loop_of(formulation: Formulation, row: int) -> str:
    """Return the loops that a row belongs to in words."""
    found = formulation.rows.rows[row]
    for decision in formulation.decisions:
        if found.closure in decision.cluster.closures:
            return f"the loop of {', '.join(decision.cluster.names(formulation.mechanism))}"
    return f"the constraint of {found.part}"


def held_by_gains(formulation: Formulation) -> list[int]:
    """Return the rows of positions that nothing but Baumgarte's gains keeps closed."""
    f = formulation
    return [] if f.gains is None else [k for k in f.enforced if k < f.rows.n_holonomic]


def _pivots(instant: Instant) -> list[tuple[int, Scalar]]:
    """Return the pivots of multipliers that change: 0 at singular positions, usually near 1.

    Projection passes there; stabilised rows may be left on another branch, loops closed.
    """
    found = instant.factors.soft_pivots if instant.formulation.gains is not None else []
    return [(k, d) for k, d in found if not isinstance(d, float)]


def watched_rows(formulation: Formulation) -> list[int]:
    """Return the rows that may open although the equations hold.

    Those left out of the equations, and where closed forms close a cluster that has such
    rows, all of it: a closed form meets what it was made for and ignores the rest.
    """
    f, rows = formulation, formulation.rows
    found = set(f.left_out)
    for decision in f.decisions:
        cluster = decision.cluster
        if decision.plan is not None and any(not _is_void(f, k) for k in cluster.redundant):
            found.update(cluster.rows)
    return sorted(k for k in found if k < rows.n_holonomic and not _is_void(f, k))


def _is_void(formulation: Formulation, row: int) -> bool:
    rows = formulation.rows
    if row >= rows.n_holonomic:
        return True
    g = rows.g[row]
    return bool(g.is_constant()) and abs(float(g)) < OPEN * float(
        formulation.scales.rows[row]
    )


def margins_and_rates(instant: Instant) -> list[Scalar]:
    """Return the margins of a system without unknowns, and then their rates.

    Of a closed form 0 at its dead centre, of rows held by gains 0 at a singular position; of
    a row that was left out, or is held by gains, 1 − (gap / limit)².
    """
    import casadi

    f = instant.formulation
    dead = [m for m in instant.margins if not isinstance(m, float)]
    singular = [casadi.fabs(d) for _, d in _pivots(instant)]
    limits = [(k, OPEN if f.gains is None else OPEN_WITH_GAINS) for k in watched_rows(f)]
    left_out, left_out_rates = _closed(instant, limits)
    held, held_rates = _closed(instant, [(k, GONE) for k in held_by_gains(f)])
    values = [*dead, *left_out, *singular, *held]
    dead_rates, singular_rates = _rates(instant, dead), _rates(instant, singular)
    return [*values, *dead_rates, *left_out_rates, *singular_rates, *held_rates]


def _rates(instant: Instant, values: Sequence[Scalar]) -> list[Scalar]:
    """Return the rates of functions of the coordinates that are states."""
    import casadi

    if not values:
        return []
    speeds = traced.coordinate_rates(instant.mechanism, instant.q, instant.u)
    moved = casadi.vertcat(*(speeds[k] for k in instant.formulation.state_q))
    by = casadi.vertcat(*instant.q_states)
    return casadi.vertsplit(casadi.jtimes(casadi.vertcat(*values), by, moved))


def _closed(
    instant: Instant, limits: Sequence[tuple[int, float]]
) -> tuple[list[Scalar], list[Scalar]]:
    """Return 1 − (gap / limit)² of rows with limits against their scales, and the rates."""
    import casadi

    if not limits:
        return [], []
    f = instant.formulation
    # of the angles themselves: sines and cosines of closed forms meet what does not fit, too
    y = f.rows.y_of([radians(q) for q in instant.q], instant.t, instant.z)
    gaps = f.rows.position_function(y, f.rows.p)
    speeds = f.rows.velocity_function(y, casadi.vertcat(*instant.u), f.rows.p)
    values: list[Scalar] = []
    rates: list[Scalar] = []
    for k, limit in limits:
        most = limit * float(f.scales.rows[k])
        gap, rate = gaps[k], speeds[k]
        values.append(1.0 - gap * gap / (most * most))
        rates.append(-2.0 * gap * rate / (most * most))
    return values, rates


def solvability_and_rate(
    instant: Instant, scale: casadi.SX, unknown: Sequence[casadi.SX]
) -> list[Scalar]:
    """Return how well speeds follow from those of the states, 1 at the start, and its rate."""
    import casadi

    f = instant.formulation
    value = instant.solvability()
    margin = value * casadi.fabs(value) / (scale * casadi.fabs(scale))
    given = casadi.vertcat(*instant.q_states, *unknown)
    speeds = traced.coordinate_rates(instant.mechanism, instant.q, instant.u)
    scaled = [speeds[k] / float(f.scales.coordinates[k]) for k in f.unknowns]
    moved = casadi.vertcat(*(speeds[k] for k in f.state_q), *scaled)
    return [margin, casadi.jtimes(margin, given, moved)]
