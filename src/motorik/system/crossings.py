"""Crossings: where laws change by a case, as conditions on the state.

A `where` that holds for a short way only, (s − 3.3)² < 0.01, may lie between all the places at
which a long step asks for rates. What laws compare is found in their traced code; steps do not
lead from one side of such a case to the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from motorik.errors import AssemblyError
from motorik.motion.steps import radians
from motorik.system.functions import elements, make_function
from motorik.system.law_cases import laws_with_cases

if TYPE_CHECKING:
    import casadi

    from motorik.system.equations import Equations


def crossings(equations: Equations) -> casadi.Function:
    """Return what laws compare, zero where they change, and its rates.

    It is a function of (t, x and dx/dt, p): the rates of the state are known in a run.
    """
    import casadi

    n = equations.layout.n_x
    t, both = casadi.SX.sym("t"), casadi.SX.sym("x", 2 * n)
    x, rates = both[:n], both[n:]
    values = [] if equations.iterates else list(_conditions(equations, t, elements(x)))
    if values:
        column, given = casadi.vertcat(*values), casadi.vertcat(t, x)
        moved = casadi.jtimes(column, given, casadi.vertcat(1.0, rates))
        values = [*elements(column), *elements(moved)]
    return make_function("crossings", {"t": t, "x": both, "p": equations.p}, values)


def _conditions(
    equations: Equations, t: casadi.SX, x: list[casadi.SX]
) -> Iterator[casadi.SX]:
    """Yield the conditions that depend on the state, each once."""
    import casadi

    laws = list(laws_with_cases(equations, t))
    if not laws:
        return
    form = equations.form
    motion = form.motion(t, x, equations.all_extra)
    state = casadi.vertcat(casadi.SX(0, 1), *x)
    forces = casadi.SX(0, 1) if form.switching is None else form.switching.symbols
    seen: set[str] = set()
    for law in laws:
        with suppress(AssemblyError):  # what follows from accelerations and forces
            given = [casadi.SX(radians(value)) for value in law.given(motion)]
            column = casadi.vertcat(*law.gaps)
            for gap in elements(casadi.substitute([column], law.inputs, given)[0]):
                moves = casadi.depends_on(gap, state)
                if moves and not casadi.depends_on(gap, forces) and str(gap) not in seen:
                    seen.add(str(gap))
                    yield gap
