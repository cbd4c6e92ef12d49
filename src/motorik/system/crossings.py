"""Crossings: where functions of the user change by a case, as conditions on the state.

A `where` that holds for a short way only, (s − 3.3)² < 0.01, may lie between all the places at
which a long step asks for rates. What the functions of `blocks.Function` compare is found in
their traced code; runs end steps about where such a condition would become zero.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from math import pi
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar
from motorik.components.base.contributions import SignalLaw
from motorik.components.blocks.arithmetic import Function
from motorik.errors import AssemblyError
from motorik.system.functions import elements

if TYPE_CHECKING:
    import casadi

    from motorik.system.equations import Equations


def has_functions(equations: Equations) -> bool:
    """Return whether there are functions of the user whose conditions can be found."""
    return not equations.iterates and bool(_functions(equations))


def crossings(equations: Equations, t: Scalar, x: list[Scalar]) -> list[Scalar]:
    """Return what functions of the user compare, zero where they change, and its rates."""
    import casadi

    values = list(_conditions(equations, t, x))
    if not values:
        return []
    given = casadi.vertcat(t, *x)
    moved = casadi.vertcat(1.0, *equations.form.derivative(t, x, equations.all_extra))
    column = casadi.vertcat(*values)
    return [*elements(column), *elements(casadi.jtimes(column, given, moved))]


def _functions(equations: Equations) -> list[SignalLaw]:
    laws = equations.mechanism.inventory.signal_laws
    return [law for law in laws if isinstance(law.part, Function)]


def _conditions(equations: Equations, t: Scalar, x: list[Scalar]) -> Iterator[casadi.SX]:
    """Yield the conditions that depend on the state, each once."""
    import casadi

    form = equations.form
    motion = form.motion(t, x, equations.all_extra)
    state = casadi.vertcat(casadi.SX(0, 1), *x)
    forces = casadi.SX(0, 1) if form.switching is None else form.switching.symbols
    seen: set[str] = set()
    for law in _functions(equations):
        u = [casadi.SX.sym(f"u{k}") for k in range(len(law.inputs))]
        found = [gap for y in law.law(law.p, t, u, ()) for gap in gaps_of(casadi.SX(y))]
        if not found:
            continue
        with suppress(AssemblyError):  # what follows from accelerations and forces
            given = [casadi.SX(motion.signal(port)) for port in law.inputs]
            column = casadi.vertcat(*found)
            for gap in elements(casadi.substitute([column], u, given)[0]):
                moves = casadi.depends_on(gap, state)
                if moves and not casadi.depends_on(gap, forces) and str(gap) not in seen:
                    seen.add(str(gap))
                    yield gap


def gaps_of(y: casadi.SX) -> Iterator[casadi.SX]:
    """Yield what vanishes where an expression changes by a case."""
    import casadi

    compared = casadi.OP_LT, casadi.OP_LE, casadi.OP_EQ, casadi.OP_NE
    different = *compared, casadi.OP_FMAX, casadi.OP_FMIN
    seen: set[int] = set()
    stack = [y]
    while stack:
        node = stack.pop()
        if node.element_hash() in seen or node.is_constant() or node.is_symbolic():
            continue
        seen.add(node.element_hash())
        stack += [node.dep(k) for k in range(node.n_dep())]
        operation = node.op()
        if operation in different:
            yield node.dep(0) - node.dep(1)
        elif operation in (casadi.OP_SIGN, casadi.OP_FABS):
            yield node.dep(0)
        elif operation in (casadi.OP_FLOOR, casadi.OP_CEIL):
            yield casadi.sin(pi * node.dep(0))
