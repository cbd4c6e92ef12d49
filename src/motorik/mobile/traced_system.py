"""A dynamic system run once on symbols: ẏ = f(t, y, p) as a CasADi function."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar
from motorik.elements.preserved import preserved
from motorik.errors import CompileError, MotorikError
from motorik.mobile.dynamic_system import DynamicSystem

if TYPE_CHECKING:
    import casadi


def trace_rates(system: DynamicSystem) -> casadi.Function:
    """Return the function of (t, y, p) to ẏ; p are the entries of the system's parameters."""
    return _trace("rates", system, system.derivative)


def trace_settled(system: DynamicSystem) -> casadi.Function:
    """Return the function of (t, y, p) to the same conditions in their best form."""

    def settled(t: Scalar, y: Sequence[Scalar]) -> Sequence[Scalar]:
        system.set_conditions(y)
        return system.settled() or y

    return _trace("settled", system, settled)


def _trace(
    name: str,
    system: DynamicSystem,
    compute: Callable[[Scalar, Sequence[Scalar]], Sequence[Scalar]],
) -> casadi.Function:
    import casadi

    t = casadi.SX.sym("t")
    y = casadi.SX.sym("y", system.order)
    p = casadi.SX.sym("p", sum(len(parameter.entries) for parameter in system.parameters))
    with _kept(system):
        start = 0
        for parameter in system.parameters:
            count = len(parameter.entries)
            parameter.assign([p[start + i] for i in range(count)])
            start += count
        try:
            values = compute(t, [y[i] for i in range(system.order)])
        except MotorikError:
            raise
        except Exception as error:
            raise CompileError(
                type(system).__name__,
                f"cannot be traced on symbols: {error}",
                "Write its equations without `if` on values: use `where` of motorik.algebra.",
            ) from error
    return casadi.Function(
        name, [t, y, p], [casadi.densify(casadi.vertcat(*values))], ["t", "y", "p"], ["out"]
    )


@contextmanager
def _kept(system: DynamicSystem) -> Iterator[None]:
    """Give everything that symbols are written to its numbers back afterwards."""
    conditions = list(system.conditions)
    entries = [tuple(parameter.entries) for parameter in system.parameters]
    with preserved(system.touched):
        try:
            yield
        finally:
            for parameter, values in zip(system.parameters, entries, strict=True):
                parameter.assign(values)
            with suppress(MotorikError):  # what is not set yet is found when it is used
                system.derivative(0.0, conditions)
