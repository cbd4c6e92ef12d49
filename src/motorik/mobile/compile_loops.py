"""LoopRecorder: takes down the equations of loops while a chain runs on symbols."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from motorik.algebra.scalar import Scalar, is_number
from motorik.elements.variable import StateVariable
from motorik.errors import CompileError


@dataclass
class Loop:
    """Equations that are solved together: the residuals vanish for the right unknowns."""

    variables: list[StateVariable] = field(default_factory=list)
    symbols: list[Any] = field(default_factory=list)
    guess: list[float] = field(default_factory=list)
    residuals: list[Scalar] = field(default_factory=list)

    @property
    def size(self) -> int:
        """The number of unknowns."""
        return len(self.symbols)

    def take_over(self, other: Loop) -> None:
        """Make the equations of another loop part of this one."""
        self.variables = other.variables + self.variables
        self.symbols = other.symbols + self.symbols
        self.guess = other.guess + self.guess
        self.residuals = other.residuals + self.residuals

    def __repr__(self) -> str:
        return f"Loop({', '.join(variable.name or '?' for variable in self.variables)})"


class LoopRecorder:
    """The recorder of a compilation: `loops` in the order in which they can be solved.

    Loops that are closed while another one is open depend on its unknowns; all of them
    become one loop.
    """

    def __init__(self) -> None:
        self.loops: list[Loop] = []
        self._open: list[tuple[Loop, int]] = []  # with the loops closed before it
        self._guesses: dict[int, float] = {}

    def open(self, unknowns: Sequence[StateVariable]) -> None:
        """Give the variables symbols as positions; the numbers they held are the guess."""
        import casadi

        loop = Loop()
        for variable in unknowns:
            name = variable.name or "unknown"
            loop.guess.append(self._guess(variable))
            loop.variables.append(variable)
            loop.symbols.append(casadi.SX.sym(name))
            variable.q = loop.symbols[-1]
        self._open.append((loop, len(self.loops)))

    def _guess(self, variable: StateVariable) -> float:
        """Return the number from which to start; at a second passage, that of the first."""
        guess = self._guesses.get(id(variable), variable.q)
        if not is_number(guess):
            raise CompileError(
                variable.name or "an unknown of a loop",
                "is both an input of the program and solved for in it",
                "Leave it out of the inputs: its number is the guess.",
            )
        self._guesses[id(variable)] = float(guess)
        return float(guess)

    def close(self, residuals: Sequence[Scalar]) -> None:
        """Let the unknowns opened last be such that the residuals vanish."""
        loop, before = self._open.pop()
        if len(residuals) != loop.size:
            raise CompileError(
                repr(loop),
                f"has {loop.size} unknowns and {len(residuals)} equations",
                "Give as many measurements as unknowns.",
            )
        loop.residuals = list(residuals)
        for inner in reversed(self.loops[before:]):
            loop.take_over(inner)
        self.loops[before:] = [loop]
