"""The LLVM IR of straight-line code whose packed values are computed in vector lanes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from motorik.compiler.straight.block_text import BlockText
from motorik.compiler.straight.code import StraightCode
from motorik.compiler.straight.lanes import Lanes
from motorik.compiler.straight.operations import TRIGONOMETRIC, InstructionWriter
from motorik.compiler.straight.packing import WIDEST, Pack, Packs


class _SharedWriter(InstructionWriter):
    """A writer of vectors that appends to the text of another."""

    def __init__(self, lanes: Lanes, text: BlockText) -> None:
        super().__init__(lanes, text.part)
        self.lines = text.lines
        self.new = text.new


class PackedText:
    """Writes a whole code into `text`, pack by pack, each after its operands."""

    def __init__(self, text: BlockText, packs: Packs) -> None:
        self.text = text
        self.code: StraightCode = text.code
        self.packs = packs
        self._writers = {
            width: _SharedWriter(text.module.lanes(width), text) for width in (2, WIDEST)
        }
        self._vectors: dict[Pack, str] = {}
        self._spread: dict[tuple[int, int], str] = {}
        self._taken: dict[int, str] = {}
        self._turns: dict[Pack, dict[str, str]] = {}
        self._targets: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for argument, element, value in self.code.outputs:
            self._targets[value].append((argument, element))

    def write(self) -> None:
        """Write everything that the outputs need, and the outputs."""
        code, written = self.code, set[Pack]()
        for value in code.find_needed():
            waiting = [] if code.is_given(value) else [(self.packs.item(value), False)]
            while waiting:
                item, is_ready = waiting.pop()
                if item in written:
                    continue
                if is_ready:
                    written.add(item)
                    self._compute(item)
                    self._put_out(item)
                    continue
                waiting.append((item, True))
                for member in reversed(item):
                    for operand in reversed(self.packs.operands[member]):
                        if not code.is_given(operand):
                            waiting.append((self.packs.item(operand), False))
        self._put_out(tuple(v for v in self._targets if code.is_given(v)))

    def _compute(self, item: Pack) -> None:
        if len(item) == 1:
            for operand in self.packs.operands[item[0]]:
                self.text.give(operand, self._scalar(operand))
            self.text.compute(item[0])
            return
        operation, width = self.code.operation[item[0]], _width(item)
        if operation in TRIGONOMETRIC:
            angles = tuple(self.code.left[value] for value in item)
            if angles not in self._turns:
                lanes = self.text.module.lanes(width)
                x = self._vector(angles, width)
                self._turns[angles] = self.text.call_sincos(lanes, "sincos", x)
            self._vectors[item] = self._turns[angles][operation]
            return
        columns = zip(*(self.packs.operands[value] for value in item), strict=True)
        operands = [self._vector(column, width) for column in columns]
        self._vectors[item] = self._writers[width].value(operation, *operands)

    def _put_out(self, item: Pack) -> None:
        for value in item:
            for target in self._targets.get(value, ()):
                self.text.give(value, self._scalar(value))
                self.text.put_out(value, *target)

    def _scalar(self, value: int) -> str:
        """Return one value by itself."""
        if value not in self.packs.home:
            return self.text.name(value)
        if value not in self._taken:
            pack, lane = self.packs.home[value]
            vector = f"<{_width(pack)} x double> {self._vectors[pack]}"
            self._taken[value] = self.text.new(f"extractelement {vector}, i64 {lane}")
        return self._taken[value]

    def _vector(self, values: Pack, width: int) -> str:
        """Return values side by side: as they are, spread, shuffled or gathered."""
        constants = self.code.constants
        if all(value in constants for value in values):
            single = self.text.module.lanes(1)
            numbers = [single.number(constants[value]) for value in _filled(values, width)]
            return f"<{', '.join(f'double {number}' for number in numbers)}>"
        if values in self._vectors:
            return self._vectors[values]
        if len(set(values)) == 1:
            return self._spread_out(values[0], width)
        homes = [self.packs.home.get(value) for value in values]
        known = {home[0] for home in homes if home is not None}
        if len(known) == 1 and None not in homes:
            lanes = _filled([home[1] for home in homes if home is not None], width)
            (pack,) = known
            V = f"<{_width(pack)} x double>"
            mask = ", ".join(f"i32 {lane}" for lane in lanes)
            made = self.text.new(
                f"shufflevector {V} {self._vectors[pack]}, {V} poison, <{width} x i32> <{mask}>"
            )
        else:
            made = "poison"
            for lane, value in enumerate(_filled(values, width)):
                number = self._scalar(value)
                made = self.text.new(
                    f"insertelement <{width} x double> {made}, double {number}, i64 {lane}"
                )
        self._vectors[values] = made
        return made

    def _spread_out(self, value: int, width: int) -> str:
        """Return one value in all lanes."""
        if (value, width) not in self._spread:
            V, number = f"<{width} x double>", self._scalar(value)
            first = self.text.new(f"insertelement {V} poison, double {number}, i64 0")
            self._spread[value, width] = self.text.new(
                f"shufflevector {V} {first}, {V} poison, <{width} x i32> zeroinitializer"
            )
        return self._spread[value, width]


def _width(pack: Pack) -> int:
    """Return the width of the vector for a pack: 2 or 4."""
    return 2 if len(pack) == 2 else WIDEST


def _filled(values: Sequence[int], width: int) -> list[int]:
    """Return the values with the last one repeated in the lanes that are left."""
    return [*values, *[values[-1]] * (width - len(values))]
