"""Straight-line code: the values that a function of scalars computes, in order of evaluation."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from motorik.compiler.straight.tables import TableOperation, TableReader
from motorik.errors import CompileError
from motorik.immutable import mutable

if TYPE_CHECKING:
    import casadi

COMMUTATIVE = frozenset({"add", "mul", "fmin", "fmax", "eq", "ne", "and", "or", "hypot"})
GIVEN = frozenset({"const", "input", "scalar"})
#: Operations that are carried out at once on constants.
FOLDED: dict[str, Callable[[float, float], float]] = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "neg": lambda x, _: -x,
    "sq": lambda x, _: x * x,
    "twice": lambda x, _: x + x,
}
#: Operations that distinguish cases, so that derivatives may jump.
CASES = frozenset(
    (
        "lt",
        "le",
        "eq",
        "ne",
        "fmax",
        "fmin",
        "floor",
        "ceil",
        "if_else_zero",
        "sign",
        "fabs",
    )
)
TRANSPARENT = frozenset({"assign", "lift", "printme"})
#: Most operations of a mechanism are among these, of two operands.
FREQUENT = frozenset({"mul", "add", "sub"})


@mutable
class StraightCode:
    """Values in the order of their computation, each at most once.

    Value k is ``operation[k]`` of the values ``left[k]`` and ``right[k]`` (−1: none); it is a
    name, or a `TableOperation`. The
    operation "input" reads element ``right[k]`` of argument ``left[k]``, and "scalar" one
    number of it that is the same for all lanes; "const" is the number ``constants[k]``. An
    output ``(argument, element, k)`` is where value k goes.
    """

    operation: list[str]
    left: list[int]
    right: list[int]
    constants: dict[int, float]
    outputs: list[tuple[int, int, int]]

    def __len__(self) -> int:
        """Return the number of operations, not counting inputs and constants."""
        return sum(operation not in GIVEN for operation in self.operation)

    @property
    def has_cases(self) -> bool:
        """Whether cases are distinguished, so that derivatives may jump."""
        return any(
            own in CASES or isinstance(own, TableOperation) for own in self.operation
        )

    def find_needed(self) -> list[int]:
        """Return the values that some output depends on, in order."""
        operation, left, right = self.operation, self.left, self.right
        needed = bytearray(len(operation))
        for _, _, value in self.outputs:
            needed[value] = 1
        for value in range(len(operation) - 1, -1, -1):
            if needed[value] and operation[value] not in GIVEN:
                needed[left[value]] = 1
                if right[value] >= 0:
                    needed[right[value]] = 1
        return list(itertools.compress(range(len(needed)), needed))

    def only(self, outputs: list[tuple[int, int, int]]) -> StraightCode:
        """Return the same code with other outputs."""
        return StraightCode(self.operation, self.left, self.right, self.constants, outputs)

    def is_given(self, value: int) -> bool:
        """Return whether `value` is a constant or lies in memory."""
        return self.operation[value] in GIVEN

    def operands(self, value: int) -> tuple[int, ...]:
        """Return the values that `value` is computed from."""
        if self.is_given(value):
            return ()
        left, right = self.left[value], self.right[value]
        return (left,) if right < 0 else (left, right)


class CodeBuilder:
    """Appends values to a code; a term that is there already is not computed again."""

    def __init__(self) -> None:
        self.code = StraightCode([], [], [], {}, [])
        self._known: dict[tuple[str, Any, int], int] = {}

    def value(self, operation: str, left: int, right: int = -1) -> int:
        """Return the value of an operation on values."""
        constants = self.code.constants
        if left in constants and operation in FOLDED and (right < 0 or right in constants):
            number = FOLDED[operation](constants[left], constants.get(right, 0.0))
            return self.constant(number)
        if right < left and operation in COMMUTATIVE:
            left, right = right, left
        return self._find(operation, left, right)

    def read(self, argument: int, element: int, operation: str = "input") -> int:
        """Return the value of an input, or of a "scalar"."""
        return self._find(operation, argument, element)

    def constant(self, number: float) -> int:
        """Return the value of a number."""
        exact = "nan" if math.isnan(number) else (number, math.copysign(1.0, number))
        value = self._known.get(("const", exact, -1))
        if value is None:
            value = self._known["const", exact, -1] = self._append("const", -1, -1)
            self.code.constants[value] = number
        return value

    def append(self, code: StraightCode, read: Callable[[int, int], int]) -> dict[int, int]:
        """Append the values that outputs of another code depend on, and these outputs.

        `read` says which value takes the place of an input. Returned is what became of
        the values of the other code.
        """
        values: dict[int, int] = {}
        for value in code.find_needed():
            operation = code.operation[value]
            if operation == "const":
                values[value] = self.constant(code.constants[value])
            elif operation == "input":
                values[value] = read(code.left[value], code.right[value])
            else:
                operands = [values[operand] for operand in code.operands(value)]
                values[value] = self.value(operation, *operands)
        for argument, element, value in code.outputs:
            self.code.outputs.append((argument, element, values[value]))
        return values

    def _find(self, operation: str, left: int, right: int) -> int:
        key = (operation, left, right)
        value = self._known.get(key)
        if value is None:
            value = self._known[key] = self._append(operation, left, right)
        return value

    def _append(self, operation: str, left: int, right: int) -> int:
        code = self.code
        code.operation.append(operation)
        code.left.append(left)
        code.right.append(right)
        return len(code.operation) - 1


@functools.lru_cache(maxsize=4)
def read_function(function: casadi.Function) -> StraightCode:
    """Return the code of a CasADi function; its outputs are arguments after the inputs.

    Sparse inputs and outputs have the layout of dense ones, column by column; the
    structural zeros of an output are written as zeros. The code of the last functions is
    kept: operations are counted before a function is compiled.
    """
    function = _expanded(function)
    names = _operation_names()
    n_in = function.n_in()
    read_at = [_dense_positions(function.sparsity_in(k)) for k in range(n_in)]
    write_at = [_dense_positions(function.sparsity_out(k)) for k in range(function.n_out())]
    builder = CodeBuilder()
    outputs = builder.code.outputs
    registers: dict[int, int] = {}
    find_id, find_source = function.instruction_id, function.instruction_input
    find_target, make = function.instruction_output, builder.value
    tables: TableReader | None = None
    for k in range(function.n_instructions()):
        name, source, target = names[find_id(k)], find_source(k), find_target(k)
        if name in FREQUENT:
            registers[target[0]] = make(name, registers[source[0]], registers[source[1]])
        elif name == "output":
            argument, element = target
            position = write_at[argument][element]
            outputs.append((n_in + argument, position, registers[source[0]]))
        elif name == "input":
            argument, element = source
            registers[target[0]] = builder.read(argument, read_at[argument][element])
        elif name == "const":
            registers[target[0]] = builder.constant(function.instruction_constant(k))
        elif name in TRANSPARENT:
            registers[target[0]] = registers[source[0]]
        elif name == "call":
            if tables is None:
                tables = TableReader(function, builder)
                make = tables.value
            given = [registers[register] for register in source]
            for register, value in tables.call(k, given, target):
                registers[register] = value
        else:
            operands = [registers[register] for register in source]
            registers[target[0]] = make(name, *operands)
    for k, positions in enumerate(write_at):
        for position in sorted(set(range(function.numel_out(k))) - set(positions)):
            outputs.append((n_in + k, position, builder.constant(0.0)))
    return builder.code if tables is None else tables.pruned()


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
