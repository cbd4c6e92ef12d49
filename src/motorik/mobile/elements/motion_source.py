"""MotionSource: an element that makes motion instead of transmitting it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NoReturn

from motorik.algebra.scalar import Scalar
from motorik.errors import AssemblyError
from motorik.mobile.states.transmission import Element, State, Subtask

_is_held: ContextVar[bool] = ContextVar("is_held", default=False)


@contextmanager
def sources_held() -> Iterator[None]:
    """Let no source of motion advance, in whatever is traversed."""
    token = _is_held.set(True)
    try:
        yield
    finally:
        _is_held.reset(token)


class MotionSource(Element):
    """An element without inputs: each motion traversal that asks for positions is an `advance`.

    In a chain that is integrated, traversals are evaluations and no steps: there a source is
    placed as a function of time, `place`, if it is one.
    """

    @property
    def inputs(self) -> Sequence[State]:
        """None: a source makes the motion."""
        return ()

    def begin_at(self, t: float) -> None:
        """Take the present place as that at the time t [s], for `place`."""
        self._refuse_time()

    def place(self, t: Scalar) -> None:
        """Move the outputs to where they are at the time t [s]."""
        self._refuse_time()

    def _refuse_time(self) -> NoReturn:
        raise AssemblyError(
            type(self).__name__,
            "moves on in each traversal, so it cannot be within a chain that is integrated: "
            "an integrator evaluates the chain several times in each step.",
            "Move it beside the integrator: `driver.motion(); integrator.motion()`, or make it "
            "a function of time by `begin_at` and `place`.",
        )

    @abstractmethod
    def advance(self) -> None:
        """Move the outputs on."""

    def motion(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Move the outputs on; nothing where no position is asked for."""
        if subtasks & Subtask.POSITION and not _is_held.get():
            self.advance()

    def force(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Do nothing: there is no input that a force could be transmitted to."""
