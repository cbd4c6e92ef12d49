"""Tracing: how loops are solved while elements run, at once on numbers or recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

from motorik.algebra.scalar import Scalar
from motorik.immutable import immutable
from motorik.mobile.solvers.newton import NewtonMethod
from motorik.mobile.states.variable import StateVariable


@immutable
class TracedLoop:
    """A loop to be closed: find q of the unknowns for which all residuals vanish.

    `residual(q)` moves the dependent chain and returns the measures f(q); `jacobian()`
    returns ∂f/∂q at the q last given to `residual`, row by row (of an orientation the rate
    of its rotation vector, which is ∂f/∂q where the loop is closed). The positions that
    the unknowns have are the guess. `part` names the solver in errors.
    """

    part: str
    unknowns: Sequence[StateVariable]
    residual: Callable[[Sequence[Scalar]], list[Scalar]]
    jacobian: Callable[[], list[list[Scalar]]]

    @property
    def guess(self) -> list[Scalar]:
        """Where to begin: the present positions of the unknowns."""
        return [unknown.q for unknown in self.unknowns]


class SolverRecorder(Protocol):
    """The solver of the loops of elements.

    On numbers `NewtonMethod` iterates. A recorder that traces elements makes symbols for
    the unknowns, calls ``closure.residual(symbols)`` once, records the residuals as equations
    of these symbols and returns the symbols. Loops inside the loop are recorded meanwhile.
    """

    def solve(self, closure: TracedLoop) -> Sequence[Scalar]:
        """Return the positions of the unknowns, or symbols for them."""
        ...


_ON_NUMBERS = NewtonMethod()
_current: ContextVar[SolverRecorder | None] = ContextVar("recorder", default=None)


def current() -> SolverRecorder:
    """Return the present solver of loops: Newton's method on numbers, or a recorder."""
    return _current.get() or _ON_NUMBERS


@contextmanager
def recording(recorder: SolverRecorder) -> Iterator[None]:
    """Have loops solved by the recorder."""
    token = _current.set(recorder)
    try:
        yield
    finally:
        _current.reset(token)
