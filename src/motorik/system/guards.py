"""Guards of a run: dead centres, redundant constraints, gains, massless points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from motorik.immutable import immutable
from motorik.motion import traced
from motorik.numerics.tolerances import REDUNDANT_VIOLATION

if TYPE_CHECKING:
    from motorik.algebra.scalar import Scalar
    from motorik.loops.equations_of_motion import ConstrainedState
    from motorik.loops.formulation import LoopFormulation

DEAD_CENTRE, OPENING = "dead centre", "opening"
SINGULAR, ASTRAY = "singular position", "astray"  # of stabilised loops
UNHELD = "not held"  # a massless point
# violations relative to scales:
OPEN_WITH_GAINS = 1e-3  # a redundant constraint opens, where others are only stabilised
GONE = 1e-2  # a stabilised constraint is lost, whatever the tolerance


@immutable
class Guarded:
    """The subject of one margin: its kind, and the loops by name."""

    kind: str
    subject: str


def guarded(instant: ConstrainedState) -> list[Guarded]:
    """Return the subjects of the margins, in their order."""
    f = instant.formulation
    margins = instant.equations.equilibrium_margins
    points = (
        [] if margins is None else [Guarded(UNHELD, names) for names in margins.subjects]
    )
    found = []
    for (form, group), changes in zip(
        f.branched_groups, instant.changing_margins(), strict=True
    ):
        if changes:
            names = ", ".join(form.hinges[h].name for h in group.hinges)
            found.append(Guarded(DEAD_CENTRE, f"the {group.title} of {names}"))
    found += [
        Guarded(OPENING, f.constraints.equations[k].part) for k in monitored_equations(f)
    ]
    if f.gains is not None:
        found += [Guarded(SINGULAR, _loop_of(f, k)) for k, _ in _pivots(instant)]
        found += [Guarded(ASTRAY, _loop_of(f, k)) for k in held_by_gains(f)]
    return found + points


def _loop_of(formulation: LoopFormulation, constraint: int) -> str:
    """Return a name for the loops that a constraint equation belongs to."""
    found = formulation.constraints.equations[constraint]
    for decision in formulation.decisions:
        if found.closure in decision.cluster.closures:
            return f"the loop of {', '.join(decision.cluster.names(formulation.mechanism))}"
    return f"the constraint of {found.part}"


def held_by_gains(formulation: LoopFormulation) -> list[int]:
    """Return the position constraints that are stabilised by Baumgarte's gains."""
    f = formulation
    return (
        []
        if f.gains is None
        else [k for k in f.with_multiplier if k < f.constraints.n_holonomic]
    )


def _pivots(instant: ConstrainedState) -> list[tuple[int, Scalar]]:
    """Return constraints with the pivots that change: 0 at singular positions, usually near 1.

    Projection passes such positions; stabilisation may leave them on another branch.
    """
    if instant.formulation.gains is None:
        return []
    found: list[tuple[int, Scalar]] = []
    for compound in instant.equations.coupled:
        if compound.with_multiplier:
            n = len(compound.states)
            pivots = instant.projector(compound).soft_pivots
            found += [(compound.with_multiplier[k - n], d) for k, d in pivots]
    return [(k, d) for k, d in found if not isinstance(d, float)]


def monitored_equations(formulation: LoopFormulation) -> list[int]:
    """Return the position constraints that may be violated although the equations hold.

    These are the redundant ones, and all constraints of a cluster with redundant ones that is
    solved in closed form: it satisfies only the constraints from which it was derived.
    """
    f = formulation
    found = {*f.redundant, *f.redundant_kept}
    for decision in f.decisions:
        cluster = decision.cluster
        if decision.decomposition is not None and any(
            not _is_void(f, k) for k in cluster.redundant
        ):
            found.update(cluster.constraints)
    return sorted(k for k in found if not _is_void(f, k))


def _is_void(formulation: LoopFormulation, constraint: int) -> bool:
    """Return whether a constraint needs no monitoring: of speeds, or satisfied by constants."""
    constraints = formulation.constraints
    if constraint >= constraints.n_holonomic:
        return True
    g, scale = constraints.g[constraint], formulation.scales.constraints[constraint]
    return bool(g.is_constant()) and abs(float(g)) < REDUNDANT_VIOLATION * float(scale)


def margins_and_rates(instant: ConstrainedState) -> list[Scalar]:
    """Return all margins, and then their rates.

    A margin is 0 at the dead centre of a closed form, at a singular position of stabilised
    loops, and where nothing holds a massless point. That of a constraint that is redundant or
    stabilised is 1 − (violation / limit)².
    """
    import casadi

    f = instant.formulation
    dead, dead_rates = instant.margins_and_rates()
    singular: list[Scalar] = [casadi.fabs(d) for _, d in _pivots(instant)]
    limits = [
        (k, REDUNDANT_VIOLATION if f.gains is None else OPEN_WITH_GAINS)
        for k in monitored_equations(f)
    ]
    redundant, redundant_rates = _closed(instant, limits)
    held, held_rates = _closed(instant, [(k, GONE) for k in held_by_gains(f)])
    points, point_rates = _points(instant)
    values = [*dead, *redundant, *singular, *held, *points]
    singular_rates = _rates(instant, singular)
    rates = [*dead_rates, *redundant_rates, *singular_rates, *held_rates, *point_rates]
    return [*values, *rates]


def _points(instant: ConstrainedState) -> tuple[list[Scalar], list[Scalar]]:
    """Return the margins of massless points, and their rates."""
    margins = instant.equations.equilibrium_margins
    if margins is None or not margins.subjects:
        return [], []
    ud: list[Scalar] = [0.0] * instant.mechanism.n_u
    if margins.need_accelerations:
        ud = instant.all_accelerations(instant.accelerations())
    return margins.with_rates(*instant.points_motion(ud))


def _rates(instant: ConstrainedState, values: Sequence[Scalar]) -> list[Scalar]:
    """Return the rates of functions of the coordinates that are states."""
    import casadi

    if not values:
        return []
    speeds = traced.coordinate_rates(instant.mechanism, instant.q, instant.u)
    moved = casadi.vertcat(*(speeds[k] for k in instant.formulation.state_q))
    by = casadi.vertcat(*instant.q_states)
    return casadi.vertsplit(casadi.jtimes(casadi.vertcat(*values), by, moved))


def _closed(
    instant: ConstrainedState, limits: Sequence[tuple[int, float]]
) -> tuple[list[Scalar], list[Scalar]]:
    """Return 1 − (violation / limit)² of constraints, limits relative to scales, and the rates."""
    values: list[Scalar] = []
    rates: list[Scalar] = []
    found = instant.violations_of([k for k, _ in limits])
    for k, limit in limits:
        most = limit * float(instant.formulation.scales.constraints[k])
        violation, rate = found[k]
        values.append(1.0 - violation * violation / (most * most))
        rates.append(-2.0 * violation * rate / (most * most))
    return values, rates
