"""What is guarded in a run: dead centres of closed forms, solvability, rows that were left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar
from motorik.dynamics.articulated import AtOnce
from motorik.loops.alike import form_margins, unit_gaps
from motorik.loops.constrained import Instant
from motorik.loops.formulation import Formulation
from motorik.motion import traced
from motorik.motion.view import radians

if TYPE_CHECKING:
    import casadi

DEAD_CENTRE, SOLVABILITY, OPENING = "dead centre", "solvability", "opening"
OPEN = 1e-7  # gap of a row that was left out, against its scale, at which it counts as open
OPEN_WITH_GAINS = 1e-3  # where rows are only stabilised


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
    return found + [Guarded(OPENING, f.rows.rows[k].part) for k in watched_rows(f)]


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

    Of a closed form 0 at its dead centre; of a row that was left out 1 − (gap / OPEN)².
    """
    f = instant.formulation
    values, rates = _margins(instant)
    watched = watched_rows(f)
    limit = OPEN if f.gains is None else OPEN_WITH_GAINS
    for k, (gap, rate) in zip(watched, _gaps(instant, watched), strict=True):
        most = limit * float(f.scales.rows[k])
        values.append(1.0 - gap * gap / (most * most))
        rates.append(-2.0 * gap * rate / (most * most))
    return [*values, *rates]


def _margins(instant: Instant) -> tuple[list[Scalar], list[Scalar]]:
    """Return the margins to dead centres that change, and their rates."""
    import casadi

    f = instant.formulation
    if not isinstance(instant.tape, AtOnce):
        return _shared_margins(instant)
    found = [m for m in instant.margins if not isinstance(m, float)]
    if not found:
        return [], []
    speeds = traced.coordinate_rates(instant.mechanism, instant.q, instant.u)
    moved = casadi.vertcat(*(speeds[k] for k in f.state_q))
    by = casadi.vertcat(*instant.q_states)
    return found, casadi.vertsplit(casadi.jtimes(casadi.vertcat(*found), by, moved))


def _shared_margins(instant: Instant) -> tuple[list[Scalar], list[Scalar]]:
    """Return the same with code that equal closed forms share."""
    f, mechanism = instant.formulation, instant.mechanism
    sides = f.split_extra(instant.extra).sides
    values: list[Scalar] = []
    rates: list[Scalar] = []
    at = 0
    for form in f.forms:
        count = len(form.plan.steps)
        known = tuple(instant.q[k] for k in form.inputs)
        moved = tuple(instant.u[mechanism.link_of_coordinate(k).u[0]] for k in form.inputs)
        alike, _ = instant.equations.form_alike(form)
        given = (alike, known, moved, tuple(sides[at : at + count]))
        found = instant.tape.call(form_margins, *given)
        at += count
        for margin, rate in zip(*found, strict=True):
            if not isinstance(margin, float):
                values.append(margin)
                rates.append(rate)
    return values, rates


def _gaps(instant: Instant, rows: Sequence[int]) -> list[tuple[Scalar, Scalar]]:
    """Return gap and rate of rows, of the angles themselves.

    Sines and cosines of closed forms meet what does not fit, too.
    """
    import casadi

    f = instant.formulation
    found: dict[int, tuple[Scalar, Scalar]] = {}
    if not isinstance(instant.tape, AtOnce):
        place = instant.equations.place_of_row
        for unit in {place[k][0]: None for k in rows if k in place}:
            alike = instant.equations.alike[unit]
            u = tuple(instant.u[k] for k in unit.speeds)
            own = instant.tape.call(unit_gaps, alike, instant.coordinates_of(unit), u)
            for k in (k for k in rows if k in place and place[k][0] is unit):
                found[k] = own[0][place[k][1]], own[1][place[k][1]]
    if any(k not in found for k in rows):
        y = f.rows.y_of([radians(q) for q in instant.q], instant.t, instant.z)
        gaps = f.rows.position_function(y, f.rows.p)
        speeds = f.rows.velocity_function(y, casadi.vertcat(*instant.u), f.rows.p)
        found.update((k, (gaps[k], speeds[k])) for k in rows if k not in found)
    return [found[k] for k in rows]


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
