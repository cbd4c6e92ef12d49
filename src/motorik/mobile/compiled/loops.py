"""LoopRecorder: records the equations of loops while a chain runs on symbols."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motorik.algebra.scalar import Scalar, is_number
from motorik.errors import CompileError
from motorik.mobile.solvers.tracing import TracedLoop
from motorik.mobile.states.variable import LinearVariable, StateVariable
from motorik.numerics.implicit_functions import Loop


class LoopRecorder:
    """The recorder of a compilation: `loops` in the order in which they can be solved.

    Loops met while another one is measured depend on its unknowns; all of them become one
    loop, whose equations are solved at once. `length` [m] is that of the mechanism.
    """

    def __init__(self, length: float = 1.0) -> None:
        self._length = length
        self.loops: list[Loop[StateVariable]] = []
        self._closed: list[Loop[StateVariable]] = []  # each as it was met
        self._guesses: dict[int, float] = {}

    def solve(self, closure: TracedLoop) -> list[Scalar]:
        """Return symbols for the positions of the unknowns, and record their equations.

        A loop that is met again with the same equations is not recorded again.
        """
        import casadi

        met = len(self.loops), len(self._closed)
        for known in self._closed[:]:
            if same_objects(known.variables, closure.unknowns):
                if is_same(closure.residual(known.symbols), known.residuals):
                    return known.symbols
                del self.loops[met[0] :], self._closed[met[1] :]
        loop = Loop(closure.part, list(closure.unknowns))
        loop.guess = [self._guess(variable) for variable in closure.unknowns]
        loop.scales = [self._scale(variable) for variable in closure.unknowns]
        loop.symbols = [casadi.SX.sym(u.name or "unknown") for u in closure.unknowns]
        loop.residuals = list(closure.residual(loop.symbols))
        self._closed.append(loop)
        self.loops[met[0] :] = [join([*self.loops[met[0] :], loop])]
        return loop.symbols

    def _scale(self, variable: StateVariable) -> float:
        return self._length if isinstance(variable, LinearVariable) else 1.0

    def _guess(self, variable: StateVariable) -> float:
        """Return the number from which to start; at a second passage, that of the first."""
        guess: Scalar = self._guesses.get(id(variable), variable.q)
        if not is_number(guess):
            raise CompileError(
                variable.name or "an unknown of a loop",
                "is both an input of the program and solved for in it",
                "Leave it out of the inputs: its number is the guess.",
            )
        self._guesses[id(variable)] = float(guess)
        return float(guess)


def join(loops: Sequence[Loop[StateVariable]]) -> Loop[StateVariable]:
    """Return one loop with the equations of several, named by the last."""
    return Loop(
        loops[-1].part,
        [variable for loop in loops for variable in loop.variables],
        [symbol for loop in loops for symbol in loop.symbols],
        [guess for loop in loops for guess in loop.guess],
        [residual for loop in loops for residual in loop.residuals],
        [scale for loop in loops for scale in loop.scales],
    )


def same_objects(some: Sequence[object], others: Sequence[object]) -> bool:
    """Tell whether two sequences hold the same objects."""
    return [id(one) for one in some] == [id(one) for one in others]


def is_same(some: Sequence[Scalar], others: Sequence[Scalar]) -> bool:
    """Tell whether expressions agree at all sample points."""
    import casadi

    difference = casadi.vertcat(*some) - casadi.vertcat(*others)
    symbols = casadi.symvar(difference)
    function = casadi.Function("difference", symbols, [difference])
    samples = np.random.default_rng(0).uniform(0.1, 0.9, (3, len(symbols)))
    return all(
        np.abs(np.array(function.call(sample.tolist()))).max() < 1e-12 for sample in samples
    )
