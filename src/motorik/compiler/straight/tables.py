"""Tables in straight-line code: operations that find a segment, and that load its numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from motorik.algebra.piecewise import Breaks, Rows, table_of
from motorik.algebra.recall import END, ORIGIN, Past, is_recall
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


#: Finds the piece of the past of a signal in which a time lies, −1 beyond its end: by bisection.
#: The head of the past is laid out as `Past`.
FIND_PIECE = f"""define internal fastcc double @find_piece(double %address, double %s)
noinline nounwind {{
%is_none = fcmp oeq double %address, 0.0
br i1 %is_none, label %none, label %some
none:
ret double 0.0
some:
%place = fptoui double %address to i64
%head = inttoptr i64 %place to ptr
%count_at = getelementptr inbounds double, ptr %head, i64 {Past.COUNT}
%stride_at = getelementptr inbounds double, ptr %head, i64 {Past.STRIDE}
%low_at = getelementptr inbounds double, ptr %head, i64 {Past.LOW}
%high_at = getelementptr inbounds double, ptr %head, i64 {Past.HIGH}
%rounding_at = getelementptr inbounds double, ptr %head, i64 {Past.TIME_ROUNDING}
%count_number = load double, ptr %count_at, align 8
%is_empty = fcmp ole double %count_number, 0.0
br i1 %is_empty, label %none, label %search
search:
%data_number = load double, ptr %head, align 8
%data_place = fptoui double %data_number to i64
%data = inttoptr i64 %data_place to ptr
%count = fptosi double %count_number to i64
%stride_number = load double, ptr %stride_at, align 8
%stride = fptosi double %stride_number to i64
%rounding = load double, ptr %rounding_at, align 8
%x = fadd double %s, %rounding
br label %test
test:
%base = phi i64 [0, %search], [%further, %halve]
%left = phi i64 [%count, %search], [%rest, %halve]
%more = icmp ugt i64 %left, 1
br i1 %more, label %halve, label %end
halve:
%half = lshr i64 %left, 1
%middle = add i64 %base, %half
%offset = mul i64 %middle, %stride
%begin_at = getelementptr inbounds double, ptr %data, i64 %offset
%begin = load double, ptr %begin_at, align 8
%is_after = fcmp ole double %begin, %x
%further = select i1 %is_after, i64 %middle, i64 %base
%behind = sub i64 %left, %half
%rest = select i1 %is_after, i64 %behind, i64 %half
br label %test
end:
%last_offset = mul i64 %base, %stride
%end_offset = add i64 %last_offset, {END}
%end_at = getelementptr inbounds double, ptr %data, i64 %end_offset
%end_time = load double, ptr %end_at, align 8
%slack = fmul double %rounding, 4.0
%latest = fadd double %end_time, %slack
%next = add i64 %base, 1
%is_last = icmp uge i64 %next, %count
%is_beyond = fcmp ogt double %s, %latest
%is_unknown = and i1 %is_last, %is_beyond
%number = sitofp i64 %base to double
%low = load double, ptr %low_at, align 8
%high = load double, ptr %high_at, align 8
%below = fcmp olt double %number, %low
%raised = select i1 %below, double %low, double %number
%above = fcmp ogt double %raised, %high
%clamped = select i1 %above, double %high, double %raised
%found = select i1 %is_unknown, double -1.0, double %clamped
ret double %found
}}"""

#: Loads a number of a piece: 0 is its origin, k its coefficient k − 1.
READ_PIECE = f"""define internal fastcc double @read_piece(double %address, double %piece, i64 %k)
noinline nounwind {{
%is_none = fcmp oeq double %address, 0.0
br i1 %is_none, label %none, label %some
none:
ret double 0.0
some:
%place = fptoui double %address to i64
%head = inttoptr i64 %place to ptr
%count_at = getelementptr inbounds double, ptr %head, i64 {Past.COUNT}
%count = load double, ptr %count_at, align 8
%is_empty = fcmp ole double %count, 0.0
br i1 %is_empty, label %empty, label %known
empty:
%start_at = getelementptr inbounds double, ptr %head, i64 {Past.START}
%start = load double, ptr %start_at, align 8
%is_value = icmp eq i64 %k, 1
%constant = select i1 %is_value, double %start, double 0.0
ret double %constant
known:
%is_unknown = fcmp olt double %piece, 0.0
br i1 %is_unknown, label %unknown, label %load
unknown:
ret double 0x7FF8000000000000
load:
%data_number = load double, ptr %head, align 8
%data_place = fptoui double %data_number to i64
%data = inttoptr i64 %data_place to ptr
%stride_at = getelementptr inbounds double, ptr %head, i64 {Past.STRIDE}
%stride_number = load double, ptr %stride_at, align 8
%stride = fptosi double %stride_number to i64
%offset_at = getelementptr inbounds double, ptr %head, i64 {Past.OFFSET}
%offset_number = load double, ptr %offset_at, align 8
%offset = fptosi double %offset_number to i64
%row = fptosi double %piece to i64
%first = mul i64 %row, %stride
%before = sub i64 %offset, 1
%coefficient = add i64 %before, %k
%is_origin = icmp eq i64 %k, 0
%column = select i1 %is_origin, i64 {ORIGIN}, i64 %coefficient
%at = add i64 %first, %column
%value_at = getelementptr inbounds double, ptr %data, i64 %at
%value = load double, ptr %value_at, align 8
ret double %value
}}"""


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


class RecallOperation(TableOperation):
    """An operation that reads the past of a signal, of an address and a second operand.

    With the column −1 it finds the piece of a time, else it loads a number of a piece.
    """

    @classmethod
    def of(cls, column: int) -> RecallOperation:
        """Return the operation of a column."""
        own = cls(f"recall {column}")
        own.column = column
        return own


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
        self._recalls: set[int] = set()  # numbers of the past

    def call(
        self, instruction: int, given: Sequence[int], targets: Sequence[int]
    ) -> Iterator[tuple[int, int]]:
        """Yield the registers that a call fills, and their values."""
        called, x = self._nodes[instruction].which_function(), given[0]
        if is_recall(called):
            yield from self._recalled(given, targets)
            return
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

    def _recalled(
        self, given: Sequence[int], targets: Sequence[int]
    ) -> Iterator[tuple[int, int]]:
        """Yield each number of a piece in place of the first whole number, 1 of the second."""
        make, (address, s) = self._builder.value, given
        piece = make(RecallOperation.of(-1), address, s)
        for k, register in enumerate(targets):
            if register < 0:
                continue
            value = self._builder.constant(1.0)
            if k % 2 == 0:
                value = make(RecallOperation.of(k // 2), address, piece)
                self._recalls.add(value)
            yield register, value

    def value(self, operation: str, left: int, right: int = -1) -> int:
        """Return the value of an operation on values, without those around tables."""
        if operation == "div" and left in self._recalls:
            return left
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
        if value in self._parts or value in self._recalls:
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
