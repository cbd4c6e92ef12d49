"""The LLVM IR of one block of straight-line code."""

from __future__ import annotations

from motorik.algebra.piecewise import Breaks
from motorik.compiler.straight.code import StraightCode
from motorik.compiler.straight.lanes import Lanes
from motorik.compiler.straight.module_text import ModuleText
from motorik.compiler.straight.operations import TRIGONOMETRIC, InstructionWriter
from motorik.compiler.straight.partition import Placement
from motorik.compiler.straight.sincos import KINDS, sincos_type
from motorik.compiler.straight.tables import RecallOperation, TableOperation

WORK = "%work"

#: Outputs written before a new basic block begins: LLVM tries to merge the stores of a block,
#: at a cost that grows with the square of their number.
STORES_PER_BLOCK = 32


class BlockText(InstructionWriter):
    """Writes the values of one block in order; `pointers` collects the memory it uses.

    `parts` has the instructions for values that are parts of a vector at hand.
    """

    def __init__(
        self,
        module: ModuleText,
        code: StraightCode,
        plan: Placement,
        arguments: list[str],
        width: int,
        part: str,
    ) -> None:
        super().__init__(module.lanes(width), part)
        self.module = module
        self.code = code
        self.plan = plan
        self.arguments = arguments
        self.pointers: dict[str, None] = {}
        self.parts: dict[int, str] = {}
        self._names: dict[int, str] = {}
        self._n_outputs = 0

    def compute(self, value: int) -> None:
        """Write the instructions of one value, and keep it in the work array if planned."""
        code, plan = self.code, self.plan
        operation, left, right = code.operation[value], code.left[value], code.right[value]
        if operation in TRIGONOMETRIC:
            if value not in self._names:
                self._turn(left)
        elif operation in ("atan2", "atan"):
            y = self.name(left)
            x = self.lanes.number(1.0) if operation == "atan" else self.name(right)
            helper, V = self.module.helper("atan2", self.lanes.width), self.lanes.vector
            self._names[value] = self.new(f"call fastcc {V} {helper}({V} {y}, {V} {x})")
        elif operation in ("pow", "constpow") and code.operation[right] == "const":
            self._names[value] = self.power(self.name(left), code.constants[right])
        elif isinstance(operation, RecallOperation):
            self._names[value] = self._recall(operation, self.name(left), self.name(right))
        elif isinstance(operation, TableOperation):
            self._names[value] = self._look_up(operation, self.name(left))
        else:
            second = self.name(right) if right >= 0 else ""
            self._names[value] = self.value(operation, self.name(left), second)
        if value in plan.slots:
            self.keep(value)

    def _look_up(self, operation: TableOperation, x: str) -> str:
        """Find a segment of a table, or load a number of one, lane by lane."""
        slot, lanes = self.module.table(operation.table), self.lanes
        data = self.new(f"load ptr, ptr {slot}, align 8")
        if lanes.width == 1:
            return self._look_up_one(operation, data, x)
        result = "poison"
        for lane in range(lanes.width):
            own = self.new(f"extractelement {lanes.vector} {x}, i64 {lane}")
            found = self._look_up_one(operation, data, own)
            result = self.new(
                f"insertelement {lanes.vector} {result}, double {found}, i64 {lane}"
            )
        return result

    def _recall(self, operation: RecallOperation, address: str, x: str) -> str:
        """Find a piece of the past of a signal, or load a number of one, lane by lane."""
        lanes, helper = self.lanes, self.module.recall(operation.column)
        end = "" if operation.column < 0 else f", i64 {operation.column}"
        if lanes.width == 1:
            return self.new(
                f"call fastcc double {helper}(double {address}, double {x}{end})"
            )
        result = "poison"
        for lane in range(lanes.width):
            place = self.new(f"extractelement {lanes.vector} {address}, i64 {lane}")
            own = self.new(f"extractelement {lanes.vector} {x}, i64 {lane}")
            found = self.new(
                f"call fastcc double {helper}(double {place}, double {own}{end})"
            )
            result = self.new(
                f"insertelement {lanes.vector} {result}, double {found}, i64 {lane}"
            )
        return result

    def _look_up_one(self, operation: TableOperation, data: str, x: str) -> str:
        if isinstance(operation.table, Breaks):
            helper = self.module.locate()
            return self.new(f"call fastcc double {helper}(ptr {data}, double {x})")
        row = self.new(f"fptosi double {x} to i64")
        kind = f"[{operation.table.values.shape[1]} x double]"
        place = self.new(
            f"getelementptr inbounds {kind}, ptr {data}, i64 {row}, i64 {operation.column}"
        )
        return self.new(f"load double, ptr {place}, align 8")

    def keep(self, value: int) -> None:
        """Put a value into its place in the work array."""
        self.pointers[WORK] = None
        self.store(self.name(value), WORK, self.plan.slots[value])

    def put_out(self, value: int, argument: int, element: int) -> None:
        """Write the store of an output."""
        pointer = self.arguments[argument]
        self.pointers[pointer] = None
        self.store(self.name(value), pointer, element)
        self._n_outputs += 1
        if self._n_outputs % STORES_PER_BLOCK == 0:
            block = f"block{self._n_outputs // STORES_PER_BLOCK}"
            self.lines += [f"br label %{block}", f"{block}:"]

    def give(self, value: int, text: str) -> None:
        """Let a value be known by this text."""
        self._names[value] = text

    def name(self, value: int) -> str:
        """Return the text of a value; values in memory are loaded when first needed."""
        text = self._names.get(value)
        if text is None:
            code = self.code
            if code.operation[value] == "const":
                text = self.lanes.number(code.constants[value])
            elif value in self.parts:
                text = self.new(self.parts[value])
            elif code.is_given(value):
                pointer, element = self.arguments[code.left[value]], code.right[value]
                self.pointers[pointer] = None
                read = self.load if code.operation[value] == "input" else self.load_scalar
                text = read(pointer, element)
            else:
                self.pointers[WORK] = None
                text = self.load(WORK, self.plan.slots[value])
            self._names[value] = text
        return text

    def _turn(self, angle: int) -> None:
        """Compute all of sine, cosine and tangent of an angle that are needed."""
        values = {self.code.operation[v]: v for v in self.plan.trigonometric[angle]}
        kind = "sincos" if len(values) > 1 or "tan" in values else next(iter(values))
        found = self.call_sincos(self.lanes, kind, self.name(angle))
        if "tan" in values:
            found["tan"] = self.value("div", found["sin"], found["cos"])
        for operation, value in values.items():
            self._names[value] = found[operation]

    def call_sincos(self, lanes: Lanes, kind: str, x: str) -> dict[str, str]:
        """Call a helper of `sincos` on the vector x; return the names of its results."""
        result = sincos_type(lanes, kind)
        helper = self.module.helper(kind, lanes.width)
        both = self.new(f"call fastcc {result} {helper}({lanes.vector} {x})")
        return {
            function: self.new(f"extractvalue {result} {both}, {k}")
            for k, function in enumerate(KINDS[kind])
        }
