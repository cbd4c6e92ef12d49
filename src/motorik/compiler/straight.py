"""Straight-line code: what a function of scalars computes, one value after the other."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from motorik.errors import CompileError

if TYPE_CHECKING:
    import casadi

COMMUTATIVE = frozenset({"add", "mul", "fmin", "fmax", "eq", "ne", "and", "or", "hypot"})
TRANSPARENT = frozenset({"assign", "lift", "printme"})


@dataclass
class StraightCode:
    """Values in the order of their computation, each at most once.

    Value k is ``operation[k]`` of the values ``left[k]`` and ``right[k]`` (−1: none). The
    operation "input" reads element ``right[k]`` of argument ``left[k]``; "const" is the
    number ``constants[k]``. An output ``(argument, element, k)`` is where value k goes.
    """

    operation: list[str]
    left: list[int]
    right: list[int]
    constants: dict[int, float]
    outputs: list[tuple[int, int, int]]

    def __len__(self) -> int:
        """The number of operations, without the reading of inputs and constants."""
        return sum(not self.is_given(value) for value in range(len(self.operation)))

    def is_given(self, value: int) -> bool:
        """Tell whether `value` is a constant or an input."""
        return self.operation[value] in ("const", "input")

    def operands(self, value: int) -> tuple[int, ...]:
        """Return the values that `value` is computed from."""
        if self.is_given(value):
            return ()
        left, right = self.left[value], self.right[value]
        return (left,) if right < 0 else (left, right)


def read_function(function: casadi.Function) -> StraightCode:
    """Return the code of a CasADi function; its outputs are arguments after the inputs.

    Equal terms become one value. Sparse inputs and outputs have the layout of dense ones,
    column by column; the structural zeros of an output are written as zeros.
    """
    function = _expanded(function)
    names = _operation_names()
    n_in = function.n_in()
    read_at = [_dense_positions(function.sparsity_in(k)) for k in range(n_in)]
    write_at = [_dense_positions(function.sparsity_out(k)) for k in range(function.n_out())]
    code = StraightCode([], [], [], {}, [])
    known: dict[tuple[str, Any, int], int] = {}
    registers: dict[int, int] = {}
    for k in range(function.n_instructions()):
        name = names[function.instruction_id(k)]
        source = function.instruction_input(k)
        target = function.instruction_output(k)
        if name == "output":
            argument, element = target
            position = write_at[argument][element]
            code.outputs.append((n_in + argument, position, registers[source[0]]))
            continue
        if name in TRANSPARENT:
            registers[target[0]] = registers[source[0]]
            continue
        if name == "const":
            number = function.instruction_constant(k)
            key = (name, (number, math.copysign(1.0, number)), -1)
            if math.isnan(number):
                key = (name, "nan", -1)
        elif name == "input":
            argument, element = source
            key = (name, argument, read_at[argument][element])
        else:
            left = registers[source[0]]
            right = registers[source[1]] if len(source) > 1 else -1
            if right < left and name in COMMUTATIVE:
                left, right = right, left
            key = (name, left, right)
        value = known.get(key)
        if value is None:
            value = known[key] = len(code.operation)
            code.operation.append(name)
            if name == "const":
                code.constants[value] = number
            code.left.append(-1 if name == "const" else key[1])
            code.right.append(key[2])
        registers[target[0]] = value
    _write_structural_zeros(function, code, write_at)
    return code


def _expanded(function: casadi.Function) -> casadi.Function:
    """Return the same function as scalar code, or say why there is none."""
    if function.get_free():
        raise CompileError(
            function.name(),
            f"contains symbols that are not its inputs: {', '.join(function.get_free())}",
            "Make every symbol an input, or replace it by a number.",
        )
    if function.is_a("SXFunction"):
        return function
    try:
        return function.expand()
    except RuntimeError as error:
        raise CompileError(
            function.name(),
            "cannot be written as scalar operations",
            "Build it from CasADi SX symbols, without calls of external functions.",
        ) from error


@functools.cache
def _operation_names() -> dict[int, str]:
    import casadi

    return {
        getattr(casadi, name): name[3:].lower()
        for name in dir(casadi)
        if name.startswith("OP_")
    }


def _dense_positions(sparsity: casadi.Sparsity) -> range | list[int]:
    if sparsity.is_dense():
        return range(sparsity.nnz())
    return sparsity.find()


def _write_structural_zeros(
    function: casadi.Function, code: StraightCode, write_at: list[range | list[int]]
) -> None:
    zero = -1
    for k, positions in enumerate(write_at):
        for position in sorted(set(range(function.numel_out(k))) - set(positions)):
            if zero < 0:
                zero = len(code.operation)
                code.operation.append("const")
                code.left.append(-1)
                code.right.append(-1)
                code.constants[zero] = 0.0
            code.outputs.append((function.n_in() + k, position, zero))
