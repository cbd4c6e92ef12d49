"""Tracing: who takes down the equations of a loop while elements run on symbols.

In immediate mode a solver iterates on numbers. While a chain is compiled its variables hold
symbols, on which no iteration can run; a solver then hands over what must vanish, so that
the compiled program iterates in its place:

    recorder = tracing.recorder()
    if recorder is not None:
        recorder.open(unknowns)      # their `q`, so far the guess, becomes symbols
        ...                          # position of the chain and of the chords
        recorder.close(residuals)    # from here on the unknowns are the solution

A solver within the chain of another opens and closes between the outer one's calls; both
are then iterated together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

from motorik.algebra.scalar import Scalar
from motorik.elements.variable import StateVariable


class Recorder(Protocol):
    """Takes down equations that the compiled program will solve by iteration."""

    def open(self, unknowns: Sequence[StateVariable]) -> None:
        """Give the variables symbols as positions; the numbers they held are the guess."""

    def close(self, residuals: Sequence[Scalar]) -> None:
        """Let the unknowns opened last be such that the residuals vanish."""


_recorder: Recorder | None = None


def recorder() -> Recorder | None:
    """Return who takes down loop equations now; None in immediate mode."""
    return _recorder


@contextmanager
def recording(by: Recorder) -> Iterator[None]:
    """Let solvers hand their equations to a recorder meanwhile."""
    global _recorder
    before, _recorder = _recorder, by
    try:
        yield
    finally:
        _recorder = before
