"""A dynamic system run once on symbols: f(t, y, p) as a native program."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

from motorik.algebra.scalar import Scalar
from motorik.compiler import NativeFunction, compile_function
from motorik.errors import CompileError, MotorikError
from motorik.mobile.compiled.program import Program, compile_program
from motorik.mobile.dynamics.dynamic_system import DynamicSystem
from motorik.mobile.states.preserved import preserved

Equations = Callable[[Scalar, Sequence[Scalar]], Sequence[Scalar]]


def compile_rates(system: DynamicSystem) -> Program:
    """Return ẏ of (t, y, p); p are the entries of the system's parameters, end to end."""
    return _compile("rates", system, system.derivative)


def compile_settled(system: DynamicSystem) -> NativeFunction:
    """Return y without drift, of (t, y, p); it can also overwrite the y it is given."""

    def projected(t: Scalar, y: Sequence[Scalar]) -> Sequence[Scalar]:
        system.set_conditions(y)
        return system.projected() or y

    function = _compile("projected", system, projected).function.function
    assert function is not None, "no loop is closed in projecting"
    return compile_function(function, replaces=True)


def _compile(name: str, system: DynamicSystem, equations: Equations) -> Program:
    def trace(
        t: Sequence[Scalar], y: Sequence[Scalar], p: Sequence[Scalar]
    ) -> dict[str, Sequence[Scalar]]:
        start = 0
        for parameter in system.parameters:
            end = start + len(parameter.entries)
            parameter.assign(p[start:end])
            start = end
        try:
            return {"out": equations(t[0], y)}
        except MotorikError:
            raise
        except Exception as error:
            raise CompileError(
                type(system).__name__,
                f"cannot be traced on symbols: {error}",
                "Write its equations without `if` on values: use `where` of motorik.algebra.",
            ) from error

    count = sum(len(parameter.entries) for parameter in system.parameters)
    with _kept(system):
        return compile_program(name, {"t": 1, "y": system.order, "p": count}, trace)


@contextmanager
def _kept(system: DynamicSystem) -> Iterator[None]:
    """Run on numbers once, and give everything its numbers back after the run on symbols.

    Solvers find by the first run where to begin, and which branch is the nearest.
    """
    conditions = list(system.conditions)
    entries = [tuple(parameter.entries) for parameter in system.parameters]
    with preserved(system.touched):
        _try(system, conditions)
        try:
            yield
        finally:
            for parameter, values in zip(system.parameters, entries, strict=True):
                parameter.assign(values)
            _try(system, conditions)


def _try(system: DynamicSystem, conditions: Sequence[Scalar]) -> None:
    with suppress(MotorikError):  # what is not set yet is found when it is used
        system.derivative(0.0, conditions)
