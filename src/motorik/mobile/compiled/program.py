"""Programs: functions of scalars with loops in them, as one native function."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.scalar import Scalar, is_number
from motorik.compiler import compile_function
from motorik.errors import CompileError
from motorik.immutable import immutable
from motorik.mobile.solvers.tracing import TracedLoop, recording
from motorik.mobile.states.frame import Frame
from motorik.mobile.states.variable import LinearVariable, StateVariable
from motorik.numerics.implicit_functions import Loop, Program, column, program_with_loops

if TYPE_CHECKING:
    import casadi


# --- recorded loops ------------------------------------------------------------------------


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


# --- programs ------------------------------------------------------------------------------


Trace = Callable[..., Mapping[str, Sequence[Scalar]]]


@immutable
class Recording:
    """The record of a run on symbols: outputs as expressions of inputs, and loops."""

    inputs: Mapping[str, casadi.SX]
    outputs: Mapping[str, casadi.SX]
    loops: list[Loop[StateVariable]]

    def compile(self, name: str, *outputs: str) -> Program:
        """Return the machine code of some outputs, with native iterations for the loops.

        The loops are followed from call to call, so that they stay on their branch.
        """
        import casadi

        given = dict(self.inputs)
        wanted = {key: self.outputs[key] for key in outputs or self.outputs}
        if self.loops:
            return program_with_loops(name, given, wanted, self.loops)
        function = casadi.Function(
            name, list(given.values()), list(wanted.values()), list(given), list(wanted)
        )
        return Program(compile_function(function), [], np.zeros(1))


def record_program(
    inputs: Mapping[str, int], trace: Trace, length: float = 1.0
) -> Recording:
    """Run `trace` on symbols.

    It takes one list of symbols for each input, of the count given, and returns lists of
    scalars by name, the outputs. Implicit solvers within it close their loops by Newton's
    method in the program; all else becomes straight-line code. `length` [m] is that of the
    mechanism.
    """
    import casadi

    given = {key: casadi.SX.sym(key, count) for key, count in inputs.items()}
    recorder = LoopRecorder(length)
    with recording(recorder):
        made = trace(*([x[i] for i in range(x.numel())] for x in given.values()))
    outputs = {key: column(values) for key, values in made.items()}
    return Recording(given, outputs, recorder.loops)


def compile_program(
    name: str, inputs: Mapping[str, int], trace: Trace, length: float = 1.0
) -> Program:
    """Return the machine code of `trace`; see `record_program`."""
    return record_program(inputs, trace, length).compile(name)


def length_of(states: Iterable[object]) -> float:
    """Return how far the frames among state objects are apart [m]; 1 where they are not."""
    places = [
        [float(x) for x in state.X.p.xyz]
        for state in states
        if isinstance(state, Frame) and all(is_number(x) for x in state.X.p.xyz)
    ]
    apart = float(np.ptp(np.array(places), axis=0).max()) if places else 0.0
    return apart if apart > 0.0 and isfinite(apart) else 1.0
