"""The text of an LLVM module while kernels are being written into it."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any, ClassVar

from motorik.errors import CompileError
from motorik.immutable import immutable

ALLOWED = (
    "A kernel may hold assignments, arithmetic, comparisons, and/or/not, `a if b else c`, "
    "if, while, for over range, unroll or lanes, break, continue, return, a[i], "
    "tail(a, i), abs min max int float len floor isfinite sqrt fabs copysign pow exp log "
    "sin cos mantissa exponent power_of_two, numbers and tuples of its module, those of classes "
    "and other modules by dotted names, other kernels, its Function arguments."
)


class KernelError(CompileError):
    """A kernel uses something that the kernel language does not have."""


class ValueKind(Enum):
    """Types of values of the kernel language; the value is the type in LLVM."""

    FLOAT = ("double", "Float")
    INT = ("i64", "Int")
    BOOL = ("i1", "truth value")
    FLOATS = ("ptr", "Floats")
    INTS = ("ptr", "Ints")
    FUNCTION = ("ptr", "Function")
    TABLE = ("ptr", "constant tuple")
    NOTHING = ("void", "None")

    @property
    def llvm(self) -> str:
        """The LLVM type."""
        return self.value[0]

    @property
    def word(self) -> str:
        """The word for it in the kernel language."""
        return self.value[1]


@immutable
class IrValue:
    """The result of an expression: a register or a literal, or a number known already."""

    kind: ValueKind
    text: str
    constant: Any = None  # the Python value, where it is known while compiling
    record: type | None = None  # the class of an array that is a record

    @property
    def known(self) -> bool:
        """Whether the value is known while compiling."""
        return self.constant is not None


def literal(value: object) -> IrValue:
    """Return the value of a Python bool, int, float or tuple of numbers."""
    if isinstance(value, bool):
        return IrValue(ValueKind.BOOL, "true" if value else "false", value)
    if isinstance(value, int):
        return IrValue(ValueKind.INT, str(int(value)), int(value))
    if isinstance(value, float):
        return IrValue(ValueKind.FLOAT, double(value), value)
    return IrValue(ValueKind.TABLE, "", value)


def double(value: float) -> str:
    """Return a double as LLVM reads it without loss."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


class Module:
    """Functions, tables, declarations and metadata of one module."""

    def __init__(self) -> None:
        self.functions: list[str] = []
        self._tables: dict[tuple[ValueKind, tuple[float, ...]], str] = {}
        self._declarations: dict[str, str] = {}
        self._metadata: list[str] = [
            '!{!"kernel memory"}',
            '!{!"Float", !0, i64 0}',
            '!{!"Int", !0, i64 0}',
            "!{!1, !1, i64 0}",
            "!{!2, !2, i64 0}",
        ]

    # a store into Floats does not change Ints, and the other way round
    aliasing: ClassVar = {ValueKind.FLOAT: "!tbaa !3", ValueKind.INT: "!tbaa !4"}

    def declare(self, name: str, result: str, arguments: Sequence[str]) -> str:
        """Declare a function of LLVM or of the C library and return its name."""
        self._declarations[name] = f"declare {result} @{name}({', '.join(arguments)})"
        return f"@{name}"

    def table(self, kind: ValueKind, numbers: Sequence[float]) -> str:
        """Return the name of a constant array of these numbers."""
        key = (kind, tuple(numbers))
        return self._tables.setdefault(key, f"@table.{len(self._tables)}")

    def metadata(self, node: str) -> str:
        """Add a node, in which `!self` stands for the node itself, and return its name."""
        if not node.startswith("distinct") and node in self._metadata:
            return f"!{self._metadata.index(node)}"
        name = f"!{len(self._metadata)}"
        self._metadata.append(node.replace("!self", name))
        return name

    def text(self) -> str:
        """Return the module as LLVM reads it."""
        tables = []
        for (kind, numbers), name in self._tables.items():
            cells = ", ".join(f"{kind.llvm} {literal(number).text}" for number in numbers)
            array = f"[{len(numbers)} x {kind.llvm}]"
            tables.append(f"{name} = private unnamed_addr constant {array} [{cells}]")
        nodes = [f"!{i} = {node}" for i, node in enumerate(self._metadata)]
        parts = [*tables, *self._declarations.values(), *self.functions, *nodes]
        return "\n".join(parts) + "\n"


class FunctionBody:
    """The instructions of one function: blocks in order, locals gathered at the top."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.locals: list[str] = []
        self.alive = True  # whether control can reach the next instruction
        self._count = 0
        self._reached: set[str] = set()

    def name(self, stem: str) -> str:
        """Return a name that is new in this function."""
        self._count += 1
        return f"{stem}.{self._count}"

    def let(self, instruction: str) -> str:
        """Write an instruction that has a result and return its register."""
        self._count += 1
        register = f"%v{self._count}"
        self.lines.append(f"  {register} = {instruction}")
        return register

    def write(self, instruction: str) -> None:
        """Write an instruction without result."""
        self.lines.append(f"  {instruction}")

    def local(self, kind: ValueKind, stem: str) -> str:
        """Return the place of a new local variable."""
        place = "%" + self.name(stem)
        self.locals.append(f"  {place} = alloca {kind.llvm}")
        return place

    def store(self, value: IrValue, place: str, note: str = "") -> None:
        """Write a value to a place."""
        self.write(f"store {value.kind.llvm} {value.text}, ptr {place}{note}")

    def load(self, kind: ValueKind, place: str, note: str = "") -> IrValue:
        """Read a value from a place."""
        return IrValue(kind, self.let(f"load {kind.llvm}, ptr {place}{note}"))

    def jump(self, label: str, note: str = "") -> None:
        """Branch to a label; the code behind it is not reached."""
        if self.alive:
            self.write(f"br label %{label}{note}")
            self._reached.add(label)
        self.alive = False

    def fork(self, test: IrValue, yes: str, no: str) -> None:
        """Go to one of two labels."""
        self.write(f"br i1 {test.text}, label %{yes}, label %{no}")
        self._reached |= {yes, no}
        self.alive = False

    def leave(self, instruction: str) -> None:
        """Return from the function."""
        self.write(instruction)
        self.alive = False

    def mark(self, label: str) -> None:
        """Begin the block of a label; it is alive if some jump led there."""
        self.jump(label)
        if label in self._reached:
            self.lines.append(f"{label}:")
            self.alive = True

    def choose(
        self,
        test: IrValue,
        yes: Callable[[], IrValue],
        no: Callable[[], IrValue],
        agree: Callable[[IrValue, IrValue], tuple[IrValue, IrValue]],
    ) -> IrValue:
        """Return one of two values, of which only that one is computed.

        `agree` brings both to one kind; it may write instructions for the second only.
        """
        yes_label, no_label, end = (self.name(stem) for stem in ("yes", "no", "end"))
        yes_from, no_from = self.name("from"), self.name("from")
        self.fork(test, yes_label, no_label)
        self.mark(yes_label)
        a = yes()
        self.mark(yes_from)
        self.jump(end)
        self.mark(no_label)
        a, b = agree(a, no())
        self.mark(no_from)
        self.mark(end)
        ways = f"[ {a.text}, %{yes_from} ], [ {b.text}, %{no_from} ]"
        return IrValue(a.kind, self.let(f"phi {a.kind.llvm} {ways}"))
