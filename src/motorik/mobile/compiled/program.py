"""Programs: functions of scalars with loops in them, as one native function."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from motorik.algebra.scalar import Scalar
from motorik.compiler import compile_function
from motorik.compiler.programs import Program, column, program_with_loops
from motorik.mobile.compiled.loops import LoopRecorder
from motorik.mobile.solvers.tracing import recording

Trace = Callable[..., Mapping[str, Sequence[Scalar]]]


def compile_program(name: str, inputs: Mapping[str, int], trace: Trace) -> Program:
    """Return the machine code of `trace`, with native iterations in place of loop solvers.

    `trace` takes one list of symbols for each input, of the count given, and returns lists
    of scalars by name, the outputs. Implicit solvers within it close their loops by Newton's
    method in the program; all else becomes straight-line code.
    """
    import casadi

    given = {key: casadi.SX.sym(key, count) for key, count in inputs.items()}
    recorder = LoopRecorder()
    with recording(recorder):
        made = trace(*([x[i] for i in range(x.numel())] for x in given.values()))
    outputs = {key: column(values) for key, values in made.items()}
    if not recorder.loops:
        function = casadi.Function(
            name, list(given.values()), list(outputs.values()), list(given), list(outputs)
        )
        return Program(compile_function(function), [], np.zeros(1))
    return program_with_loops(name, given, outputs, recorder.loops)
