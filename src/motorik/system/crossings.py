"""Crossings: where laws change by a case, as conditions on the state.

A `where` that holds for a short way only, (s − 3.3)² < 0.01, may lie between all the places at
which a long step asks for rates. What laws compare is found in their traced code; steps do not
lead from one side of such a case to the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar
from motorik.errors import AssemblyError
from motorik.motion.steps import radians
from motorik.motion.traced import coordinate_rates
from motorik.system.forms import LoopForm
from motorik.system.functions import elements, make_function

if TYPE_CHECKING:
    import casadi

    from motorik.system.equations import Equations
    from motorik.system.law_cases import TracedLaw

MOST = 256  # conditions that steps look at


def crossings(equations: Equations) -> casadi.Function:
    """Return the function of `crossing_values`, of the unknowns of Newton's method as well."""
    import casadi

    both = casadi.SX.sym("x", 2 * equations.layout.n_x)
    values = crossing_values(equations, equations.cases[0], both)
    given = {"t": equations.cases[0], "x": both, "p": equations.p}
    if equations.iterates:
        given["unknown"] = equations.unknown
    return make_function("crossings", given, values)


def crossing_values(equations: Equations, t: casadi.SX, both: casadi.SX) -> list[Scalar]:
    """Return what laws compare, zero where they change, its rates, and whether it is a place.

    It is a function of (t, x and dx/dt, p): the rates of the state are known in a run. A place
    does not depend on speeds. Conditions at which the law may jump and that rates of speeds or
    of block states change, so that the motion may slide along them, are −1, or 2 if a place.
    """
    import casadi

    n, laws = equations.layout.n_x, equations.cases[1]
    x, rates = both[:n], both[n:]
    if passes_cases(equations):
        return []
    found = _conditions(equations, t, x, laws)
    if not found:
        return []
    values, jumps = [gap for gap, _, _ in found], [law.jumps[k] for _, law, k in found]
    column = casadi.vertcat(*values)
    given, moving = casadi.vertcat(t, x), casadi.vertcat(1.0, rates)
    if equations.iterates:
        given = casadi.vertcat(given, equations.unknown)
        moving = casadi.vertcat(moving, *_rates_of_unknowns(equations, t, x, rates))
    moved = casadi.jtimes(column, given, moving)
    _, u, z = equations.layout.split_state(elements(x))
    fast, inner = (_depending(column, own) for own in (u, z))
    places = [
        (-1.0 if f else 2.0) if jump and (f or z) else float(not f)
        for f, z, jump in zip(fast, inner, jumps, strict=True)
    ]
    return [*elements(column), *elements(moved), *places]


def _rates_of_unknowns(
    equations: Equations, t: casadi.SX, x: casadi.SX, rates: casadi.SX
) -> list[Scalar]:
    """Return the rates of the coordinates that Newton's method finds, by those of the states."""
    form, f = equations.form, equations.formulation
    assert isinstance(form, LoopForm) and f is not None
    q, u, z = equations.layout.split_state(elements(x))
    if len(q) == len(u):  # coordinates whose rates are speeds
        u = elements(rates)[: len(q)]
    instant = form.instant(t, [*q, *u, *z], equations.all_extra)
    found = coordinate_rates(equations.mechanism, instant.q, instant.u)
    return [radians(found[k]) for k in f.unknowns]


def _depending(column: casadi.SX, symbols: Sequence[Scalar]) -> list[bool]:
    """Return which of the values of a column depend on symbols."""
    import casadi

    if not symbols:
        return [False] * column.numel()
    return list(casadi.which_depends(column, casadi.vertcat(*symbols), 1, True))


def case_of(equations: Equations, number: int) -> tuple[TracedLaw, int]:
    """Return the law of a condition of `crossings`, and which of its gaps it is."""
    (x,) = equations.symbols("x")
    t, laws = equations.cases
    return _conditions(equations, t, x, laws)[number][1:]


def passes_cases(equations: Equations) -> bool:
    """Return whether there are cases that steps do not look at.

    Of very many conditions a look would cost more than it tells.
    """
    return sum(len(law.gaps) for law in equations.cases[1]) > MOST


def _conditions(
    equations: Equations, t: casadi.SX, x: casadi.SX, laws: Sequence[TracedLaw]
) -> list[tuple[casadi.SX, TracedLaw, int]]:
    """Return the conditions that depend on the state, their laws and numbers within."""
    import casadi

    if not laws:
        return []
    form = equations.form
    motion = form.motion(t, elements(x), equations.all_extra)
    gaps: list[casadi.SX] = []
    sources: list[tuple[TracedLaw, int]] = []
    for law in laws:
        with suppress(AssemblyError):  # what follows from accelerations and forces
            given = casadi.vertcat(*(radians(value) for value in law.given(motion)))
            own = casadi.vertcat(*law.gaps)
            gaps.append(casadi.substitute(own, casadi.vertcat(*law.inputs), given))
            sources += [(law, k) for k in range(len(law.gaps))]
    column = casadi.vertcat(casadi.SX(0, 1), *gaps)
    if not column.numel():
        return []
    moves = casadi.which_depends(column, casadi.vertcat(x, equations.unknown), 1, True)
    forces = None if form.switching is None else form.switching.symbols
    free = [True] * column.numel()
    if forces is not None and forces.numel():
        free = [not own for own in casadi.which_depends(column, forces, 1, True)]
    wanted = zip(elements(column), moves, free, sources, strict=True)
    return [(gap, *source) for gap, moving, own, source in wanted if moving and own]
