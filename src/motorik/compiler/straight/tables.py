"""Tables in straight-line code: operations that find a segment, and that load its numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from motorik.algebra.piecewise import Breaks, Rows, table_of
from motorik.errors import CompileError

if TYPE_CHECKING:
    import casadi

    from motorik.compiler.straight.code import CodeBuilder, StraightCode

#: Finds a value among breaks: the number of those up to it, by bisection without branches. The data
#: begin with the count of breaks, of which there is at least one.
LOCATE = """define internal fastcc double @locate(ptr %data, double %x) noinline nounwind {
%size = load double, ptr %data, align 8
%count = fptosi double %size to i64
%breaks = getelementptr inbounds double, ptr %data, i64 1
br label %test
test:
%base = phi i64 [0, %0], [%further, %halve]
%left = phi i64 [%count, %0], [%rest, %halve]
%more = icmp ugt i64 %left, 1
br i1 %more, label %halve, label %end
halve:
%half = lshr i64 %left, 1
%rest = sub i64 %left, %half
%middle = add i64 %base, %half
%before = sub i64 %middle, 1
%place = getelementptr inbounds double, ptr %breaks, i64 %before
%break = load double, ptr %place, align 8
%is_after = fcmp ole double %break, %x
%further = select i1 %is_after, i64 %middle, i64 %base
br label %test
end:
%last = getelementptr inbounds double, ptr %breaks, i64 %base
%least = load double, ptr %last, align 8
%is_last = fcmp ole double %least, %x
%one = zext i1 %is_last to i64
%found = add i64 %base, %one
%number = sitofp i64 %found to double
ret double %number
}"""


class TableOperation(str):
    """An operation of one operand that reads a table: its name, and the table.

    Of `Breaks` it is the segment of a value, of `Rows` the number in a column of a segment.
    """

    table: Breaks | Rows
    column: int

    @classmethod
    def locate(cls, breaks: Breaks) -> TableOperation:
        """Return the operation that finds a segment."""
        own = cls(f"locate {breaks.name}")
        own.table, own.column = breaks, -1
        return own

    @classmethod
    def entry(cls, rows: Rows, column: int) -> TableOperation:
        """Return the operation that loads a number of a segment."""
        own = cls(f"entry {column} {rows.name}")
        own.table, own.column = rows, column
        return own

    def record(self, x: casadi.SX) -> casadi.SX:
        """Return the operation on a symbol."""
        if isinstance(self.table, Breaks):
            return self.table.locate(x)
        return self.table.entries(x)[self.column]


class TableReader:
    """Reads calls of tables in a CasADi function as `TableOperation`s.

    They are recorded with roundings, factors and sums around them, see `algebra.piecewise`. These
    are omitted where they are complete.
    """

    def __init__(self, function: casadi.Function, builder: CodeBuilder) -> None:
        self._nodes = function.instructions_sx()
        self._function = function
        self._builder = builder
        self._segments: dict[int, int] = {}  # of values that are a segment and a half
        self._parts: dict[int, tuple[Rows, int]] = {}  # of whole numbers, and of products
        self._products: dict[int, tuple[Rows, int]] = {}

    def call(
        self, instruction: int, x: int, targets: Sequence[int]
    ) -> Iterator[tuple[int, int]]:
        """Yield the registers that a call fills, and their values."""
        called = self._nodes[instruction].which_function()
        table, make = table_of(called), self._builder.value
        if isinstance(table, Breaks):
            segment = make(TableOperation.locate(table), x)
            value = make("add", segment, self._builder.constant(0.5))
            self._segments[value] = segment
            yield targets[0], value
        elif isinstance(table, Rows):
            for k, register in enumerate(targets):
                if register >= 0:
                    part = make(TableOperation.entry(table.parts, k), x)
                    self._parts[part] = table, k
                    yield register, part
        else:
            raise CompileError(
                self._function.name(),
                f"calls the function '{called.name()}', which has no native code",
                "Build it from CasADi SX symbols, without calls of external functions.",
            )

    def value(self, operation: str, left: int, right: int = -1) -> int:
        """Return the value of an operation on values, without those around tables."""
        if operation == "floor":
            return self._floor(left)
        if operation == "add" and left in self._products and right in self._products:
            found = self._entry(left, right)
            if found is not None:
                return found
        value = self._builder.value(operation, left, right)
        if operation == "mul":
            for part, factor in ((left, right), (right, left)):
                number = self._builder.code.constants.get(factor)
                if part in self._parts and number is not None:
                    table, k = self._parts[part]
                    if number == table.factor(k):
                        self._products[value] = table, k
        return value

    def _floor(self, value: int) -> int:
        """Return a value rounded down, which whole numbers are."""
        code = self._builder.code
        if value in self._parts:
            return value
        if code.operation[value] == "add":
            both = code.left[value], code.right[value]
            for own, other in (both, both[::-1]):
                if own in self._segments and code.operation[other] == "copysign":
                    return self._segments[own]
        return self._builder.value("floor", value)

    def _entry(self, left: int, right: int) -> int | None:
        """Return the number that is the sum of two products, None if they are of two numbers."""
        code = self._builder.code
        (table, k), (other, n) = self._products[left], self._products[right]
        parts = [v for p in (left, right) for v in code.operands(p) if v in self._parts]
        segments = {code.left[part] for part in parts}
        if other is not table or {k, n} != {k - k % 2, k - k % 2 + 1} or len(segments) > 1:
            return None
        return self._builder.value(TableOperation.entry(table, k // 2), segments.pop())

    def pruned(self) -> StraightCode:
        """Return the code without values that are not needed."""
        from motorik.compiler.straight.code import CodeBuilder

        builder = CodeBuilder()
        builder.append(self._builder.code, builder.read)
        return builder.code
