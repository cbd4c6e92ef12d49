"""Guards of a run: dead centres, solvability, rows left out, gains, points without mass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from motorik.dynamics.articulated import AtOnce
from motorik.immutable import immutable
from motorik.loops.shared_code import closed_form_margins, compound_violation
from motorik.motion import traced
from motorik.motion.steps import radians
from motorik.numerics.tolerances import REDUNDANT_VIOLATION

if TYPE_CHECKING:
    import casadi

    from motorik.algebra.scalar import Scalar
    from motorik.loops.compound_joints import CompoundJoint
    from motorik.loops.equations_of_motion import ConstrainedState
    from motorik.loops.formulation import Formulation

DEAD_CENTRE, SOLVABILITY, OPENING = "dead centre", "solvability", "opening"
SINGULAR, ASTRAY = "singular position", "astray"  # of loops that only gains hold
UNHELD = "not held"  # a point without mass
OPEN_WITH_GAINS = 1e-3  # where rows are only stabilised
GONE = (
    1e-2  # gap of a row that only gains hold, against its scale, that no tolerance excuses
)


@immutable
class Guarded:
    """The subject of one margin: its kind, and the loops in words."""

    kind: str
    words: str


def guarded(instant: ConstrainedState) -> list[Guarded]:
    """Return the subjects of the margins, in their order."""
    f, mechanism = instant.formulation, instant.mechanism
    margins = instant.equations.equilibrium_margins
    points = [] if margins is None else [Guarded(UNHELD, words) for words in margins.words]
    if f.iterates:
        kept = [mechanism.coordinates[k].name for k in f.state_q]
        words = f"the loops' position, given by {', '.join(kept)},"
        return [Guarded(SOLVABILITY, words), *points]
    found = []
    for (form, step), changes in zip(f.branched_groups, _changing(instant), strict=True):
        if changes:
            names = ", ".join(form.hinges[h].name for h in step.hinges)
            found.append(Guarded(DEAD_CENTRE, f"the {step.title} of {names}"))
    found += [
        Guarded(OPENING, f.constraints.equations[k].part) for k in monitored_equations(f)
    ]
    if f.gains is not None:
        found += [Guarded(SINGULAR, _loop_of(f, row)) for row, _ in _pivots(instant)]
        found += [Guarded(ASTRAY, _loop_of(f, row)) for row in held_by_gains(f)]
    return found + points


def _loop_of(formulation: Formulation, row: int) -> str:
    """Return the loops that a row belongs to in words."""
    found = formulation.constraints.equations[row]
    for decision in formulation.decisions:
        if found.closure in decision.cluster.closures:
            return f"the loop of {', '.join(decision.cluster.names(formulation.mechanism))}"
    return f"the constraint of {found.part}"


def held_by_gains(formulation: Formulation) -> list[int]:
    """Return the rows of positions that only Baumgarte's gains keep closed."""
    f = formulation
    return (
        []
        if f.gains is None
        else [k for k in f.with_multiplier if k < f.constraints.n_holonomic]
    )


def _pivots(instant: ConstrainedState) -> list[tuple[int, Scalar]]:
    """Return rows and their pivots that change: 0 at singular positions, usually near 1.

    Projection passes there; stabilised rows may be left on another branch, loops closed.
    """
    if instant.formulation.gains is None:
        return []
    found: list[tuple[int, Scalar]] = []
    for unit in instant.equations.coupled:
        if unit.with_multiplier:
            n = len(unit.states)
            pivots = instant.projector(unit).soft_pivots
            found += [(unit.with_multiplier[k - n], d) for k, d in pivots]
    return [(row, d) for row, d in found if not isinstance(d, float)]


def monitored_equations(formulation: Formulation) -> list[int]:
    """Return the rows that may open although the equations hold.

    Those left out of the equations, and where closed forms close a cluster that has such
    rows, all of it: a closed form meets what it was made for and ignores the rest.
    """
    f, rows = formulation, formulation.constraints
    found = {*f.redundant, *f.redundant_kept}
    for decision in f.decisions:
        cluster = decision.cluster
        if decision.decomposition is not None and any(
            not _is_void(f, k) for k in cluster.redundant
        ):
            found.update(cluster.constraints)
    return sorted(k for k in found if k < rows.n_holonomic and not _is_void(f, k))


def _is_void(formulation: Formulation, row: int) -> bool:
    rows = formulation.constraints
    if row >= rows.n_holonomic:
        return True
    g = rows.g[row]
    return bool(g.is_constant()) and abs(float(g)) < REDUNDANT_VIOLATION * float(
        formulation.scales.constraints[row]
    )


def margins_and_rates(instant: ConstrainedState) -> list[Scalar]:
    """Return the margins of a system without unknowns, and then their rates.

    Of a closed form 0 at its dead centre, of rows held by gains 0 at a singular position; of
    a row that was left out, or is held by gains, 1 − (gap / limit)²; of points without mass 0
    where nothing holds them.
    """
    import casadi

    f = instant.formulation
    dead, dead_rates = _margins(instant)
    singular: list[Scalar] = [casadi.fabs(d) for _, d in _pivots(instant)]
    limits = [
        (k, REDUNDANT_VIOLATION if f.gains is None else OPEN_WITH_GAINS)
        for k in monitored_equations(f)
    ]
    left_out, left_out_rates = _closed(instant, limits)
    held, held_rates = _closed(instant, [(k, GONE) for k in held_by_gains(f)])
    points, point_rates = _points(instant)
    values = [*dead, *left_out, *singular, *held, *points]
    singular_rates = _rates(instant, singular)
    rates = [*dead_rates, *left_out_rates, *singular_rates, *held_rates, *point_rates]
    return [*values, *rates]


def _points(instant: ConstrainedState) -> tuple[list[Scalar], list[Scalar]]:
    """Return the margins of points without mass, and their rates."""
    margins = instant.equations.equilibrium_margins
    if margins is None or not margins.words:
        return [], []
    import casadi

    ud: list[Scalar] = [0.0] * instant.mechanism.n_u
    if margins.need_accelerations:
        ud = instant.all_accelerations(instant.accelerations())
    return margins.with_rates(instant.y, casadi.vertcat(*instant.u), ud)


def _rates(instant: ConstrainedState, values: Sequence[Scalar]) -> list[Scalar]:
    """Return the rates of functions of the coordinates that are states."""
    import casadi

    if not values:
        return []
    speeds = traced.coordinate_rates(instant.mechanism, instant.q, instant.u)
    moved = casadi.vertcat(*(speeds[k] for k in instant.formulation.state_q))
    by = casadi.vertcat(*instant.q_states)
    return casadi.vertsplit(casadi.jtimes(casadi.vertcat(*values), by, moved))


def _margins(instant: ConstrainedState) -> tuple[list[Scalar], list[Scalar]]:
    """Return the margins to dead centres that change, and their rates.

    Each closed form tells its own, of the rates of what it starts from: states, coordinates
    that time drives, and what other closed forms give.
    """
    f, mechanism = instant.formulation, instant.mechanism
    branches = f.split_branch_parameters(instant.branch_parameters).branches
    values: list[Scalar] = []
    rates: list[Scalar] = []
    changing = _changing(instant)
    at = 0
    for form in f.forms:
        count = len(form.decomposition.groups)
        known = tuple(instant.q[k] for k in form.inputs)
        moved = tuple(instant.u[mechanism.link_of_coordinate(k).u[0]] for k in form.inputs)
        alike, _ = instant.equations.local_form(form)
        given = (alike, known, moved, tuple(branches[at : at + count]))
        found = instant.tape.call(closed_form_margins, *given)
        for margin, rate, changes in zip(*found, changing[at : at + count], strict=True):
            if changes:
                values.append(margin)
                rates.append(rate)
        at += count
    return values, rates


def _changing(instant: ConstrainedState) -> list[bool]:
    """Return which margins of closed forms change: others have no dead centre."""
    equations = instant.equations
    if equations.changing is None:
        plain = instant
        if not isinstance(instant.tape, AtOnce):
            states = (
                instant.q_states,
                instant.u_states,
                instant.z,
                instant.branch_parameters,
            )
            plain = equations.at(instant.t, *states)
        equations.changing = [
            not isinstance(margin, float) and not margin.is_constant()
            for margin in plain.margins
        ]
    return equations.changing


def _closed(
    instant: ConstrainedState, limits: Sequence[tuple[int, float]]
) -> tuple[list[Scalar], list[Scalar]]:
    """Return 1 − (gap / limit)² of rows with limits against their scales, and the rates."""
    values: list[Scalar] = []
    rates: list[Scalar] = []
    found = _gaps(instant, [k for k, _ in limits])
    for k, limit in limits:
        most = limit * float(instant.formulation.scales.constraints[k])
        gap, rate = found[k]
        values.append(1.0 - gap * gap / (most * most))
        rates.append(-2.0 * gap * rate / (most * most))
    return values, rates


def _gaps(
    instant: ConstrainedState, rows: Sequence[int]
) -> dict[int, tuple[Scalar, Scalar]]:
    """Return gap and rate of rows, of the angles themselves.

    Sines and cosines of closed forms meet what does not fit, too.
    """
    import casadi

    f = instant.formulation
    found: dict[int, tuple[Scalar, Scalar]] = {}
    if not isinstance(instant.tape, AtOnce):
        found = _shared_gaps(instant, rows)
    left = [k for k in rows if k not in found]
    if left:
        y = f.constraints.y_of([radians(q) for q in instant.q], instant.t, instant.z)
        gaps = f.constraints.position_function(y, f.constraints.p)
        speeds = f.constraints.velocity_function(
            y, casadi.vertcat(*instant.u), f.constraints.p
        )
        found.update((k, (gaps[k], speeds[k])) for k in left)
    return found


def _shared_gaps(
    instant: ConstrainedState, rows: Sequence[int]
) -> dict[int, tuple[Scalar, Scalar]]:
    """Return the same of rows that units know, with code that equal units share."""
    place = instant.equations.place_of_constraint
    of_unit: dict[CompoundJoint, list[int]] = {}
    for k in rows:
        if k in place:
            of_unit.setdefault(place[k][0], []).append(k)
    found: dict[int, tuple[Scalar, Scalar]] = {}
    for unit, own in of_unit.items():
        alike = instant.equations.local[unit]
        u = tuple(instant.u[k] for k in unit.speeds)
        gaps, rates = instant.tape.call(
            compound_violation, alike, instant.coordinates_of(unit), u
        )
        found.update((k, (gaps[place[k][1]], rates[place[k][1]])) for k in own)
    return found


def solvability_and_rate(
    instant: ConstrainedState, scale: casadi.SX, unknown: Sequence[casadi.SX]
) -> list[Scalar]:
    """Return how well speeds follow from those of the states, 1 at the start, and its rate.

    Behind each stand those of points without mass.
    """
    import casadi

    f = instant.formulation
    value = instant.solvability()
    margin = value * casadi.fabs(value) / (scale * casadi.fabs(scale))
    given = casadi.vertcat(*instant.q_states, *unknown)
    speeds = traced.coordinate_rates(instant.mechanism, instant.q, instant.u)
    scaled = [speeds[k] / float(f.scales.coordinates[k]) for k in f.unknowns]
    moved = casadi.vertcat(*(speeds[k] for k in f.state_q), *scaled)
    points, point_rates = _points(instant)
    return [margin, *points, casadi.jtimes(margin, given, moved), *point_rates]
