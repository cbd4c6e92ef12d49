"""Crossings: where laws change by a case, as conditions on the state.

A `where` that holds for a short way only, (s − 3.3)² < 0.01, may lie between all the places at
which a long step asks for rates. What laws compare is found in their traced code; steps do not
lead from one side of such a case to the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from motorik.errors import AssemblyError
from motorik.motion.steps import radians
from motorik.system.functions import elements, make_function

if TYPE_CHECKING:
    import casadi

    from motorik.system.equations import Equations
    from motorik.system.law_cases import TracedLaw

MOST = 256  # conditions that steps look at


def crossings(equations: Equations) -> casadi.Function:
    """Return what laws compare, zero where they change, its rates, and whether it is a place.

    It is a function of (t, x and dx/dt, p): the rates of the state are known in a run. A place
    does not depend on speeds.
    """
    import casadi

    n, (t, laws) = equations.layout.n_x, equations.cases
    both = casadi.SX.sym("x", 2 * n)
    x, rates = both[:n], both[n:]
    values = [] if passes_cases(equations) else _conditions(equations, t, x, laws)
    if values:
        column, given = casadi.vertcat(*values), casadi.vertcat(t, x)
        moved = casadi.jtimes(column, given, casadi.vertcat(1.0, rates))
        speeds = casadi.vertcat(
            casadi.SX(0, 1), *equations.layout.split_state(elements(x))[1]
        )
        fast = [False] * len(values)
        if speeds.numel():
            fast = casadi.which_depends(column, speeds, 1, True)
        places = [float(not own) for own in fast]
        values = [*elements(column), *elements(moved), *places]
    return make_function("crossings", {"t": t, "x": both, "p": equations.p}, values)


def passes_cases(equations: Equations) -> bool:
    """Return whether there are cases that steps do not look at.

    Newton's method of *minimal* finds positions step by step; and of very many conditions a
    look would cost more than it tells.
    """
    count = sum(len(law.gaps) for law in equations.cases[1])
    return count > MOST or (equations.iterates and count > 0)


def _conditions(
    equations: Equations, t: casadi.SX, x: casadi.SX, laws: Sequence[TracedLaw]
) -> list[casadi.SX]:
    """Return the conditions that depend on the state."""
    import casadi

    if not laws:
        return []
    form = equations.form
    motion = form.motion(t, elements(x), equations.all_extra)
    gaps: list[casadi.SX] = []
    for law in laws:
        with suppress(AssemblyError):  # what follows from accelerations and forces
            given = casadi.vertcat(*(radians(value) for value in law.given(motion)))
            own = casadi.vertcat(*law.gaps)
            gaps.append(casadi.substitute(own, casadi.vertcat(*law.inputs), given))
    column = casadi.vertcat(casadi.SX(0, 1), *gaps)
    if not column.numel():
        return []
    moves = casadi.which_depends(column, x, 1, True)
    forces = None if form.switching is None else form.switching.symbols
    free = [True] * column.numel()
    if forces is not None and forces.numel():
        free = [not own for own in casadi.which_depends(column, forces, 1, True)]
    wanted = zip(elements(column), moves, free, strict=True)
    return [gap for gap, moving, own in wanted if moving and own]
