"""Programs: functions of scalars with loops in them, as one native function."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.scalar import Scalar, is_number
from motorik.compiler import compile_function
from motorik.mobile.compiled.loops import LoopRecorder
from motorik.mobile.solvers.tracing import recording
from motorik.mobile.states.frame import Frame
from motorik.mobile.states.variable import StateVariable
from motorik.numerics.implicit_functions import Loop, Program, column, program_with_loops

if TYPE_CHECKING:
    import casadi

Trace = Callable[..., Mapping[str, Sequence[Scalar]]]


@dataclass(frozen=True)
class Recording:
    """What a run on symbols has given: outputs as expressions of inputs, and loops."""

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
            return program_with_loops(name, given, wanted, self.loops, follows=True)
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
