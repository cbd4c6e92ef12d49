"""The layout of a program: where in memory each slot lies, and which calls share code."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from motorik.compiler.rolled.batches import WORK_SPACE, Batch, Space, find_batches
from motorik.compiler.rolled.tape import Tape, TapeValue
from motorik.compiler.rolled.traced_steps import Routine, RoutineCall
from motorik.compiler.straight.code import CodeBuilder
from motorik.immutable import immutable

# --- repeated calls are merged into one ---------------------------------------------------


#: Operations of a merged shape, at most.
LONGEST = 900

#: Times that a pair must occur to be worth a shape of its own.
RAREST = 4


def merge_calls(calls: list[RoutineCall]) -> list[RoutineCall]:
    """Return equivalent calls, fewer and longer."""
    return _Chain(calls).merge()


class _Chain:
    """The calls as a chain of links, with the places where each pair occurs."""

    def __init__(self, calls: list[RoutineCall]) -> None:
        self.calls: list[RoutineCall | None] = list(calls)
        self.after = [k + 1 for k in range(len(calls))]
        self.before = [k - 1 for k in range(len(calls))]
        self.pairs: dict[Any, dict[int, None]] = defaultdict(dict)
        self.pair_at: dict[int, Any] = {}
        self.size_of: dict[Routine, int] = {}
        for k in range(len(calls) - 1):
            self._enter(k)

    def merge(self) -> list[RoutineCall]:
        """Join pairs as long as one is frequent enough."""
        while self.pairs:
            key, places = max(self.pairs.items(), key=lambda item: len(item[1]))
            if len(places) < RAREST:
                break
            del self.pairs[key]
            self._join_all(key, list(places))
        return [call for call in self.calls if call is not None]

    def _join_all(self, key: object, places: list[int]) -> None:
        """Join a pair wherever it occurs, from the left, without overlap."""
        shape: Routine | None = None
        for k in sorted(places):
            if self.pair_at.get(k) != key:
                continue
            first, second = self.calls[k], self.calls[self.after[k]]
            assert first is not None and second is not None
            slots = join_slots(first, second)
            if shape is None:
                shape = join_shapes(first, second, slots)
            joined = RoutineCall(
                shape, slots, first.numbers + second.numbers, first.fresh + second.fresh
            )
            self._replace(k, joined)

    def _replace(self, k: int, joined: RoutineCall) -> None:
        gone = self.after[k]
        for place in (self.before[k], k, gone):
            self._leave(place)
        self.calls[k], self.calls[gone] = joined, None
        self.after[k] = self.after[gone]
        if self.after[k] < len(self.calls):
            self.before[self.after[k]] = k
        for place in (self.before[k], k):
            self._enter(place)

    def _enter(self, k: int) -> None:
        """Note the pair that starts at place k."""
        if k < 0 or self.after[k] >= len(self.calls):
            return
        first, second = self.calls[k], self.calls[self.after[k]]
        assert first is not None and second is not None
        if self._size(first.shape) + self._size(second.shape) > LONGEST:
            return
        key = (first.shape, second.shape, _links(first, second))
        self.pair_at[k] = key
        self.pairs[key][k] = None

    def _leave(self, k: int) -> None:
        key = self.pair_at.pop(k, None)
        if key in self.pairs:
            self.pairs[key].pop(k, None)
            if not self.pairs[key]:
                del self.pairs[key]

    def _size(self, shape: Routine) -> int:
        if shape not in self.size_of:
            self.size_of[shape] = len(shape.code)
        return self.size_of[shape]


def _links(first: RoutineCall, second: RoutineCall) -> tuple[tuple[str, int], ...]:
    """Return where the slots of the second call come from, as far as the first knows."""
    known = {slot: ("fresh", k) for k, slot in enumerate(first.fresh)}
    known.update((slot, ("slot", k)) for k, slot in enumerate(first.slots))
    return tuple(known.get(slot, ("other", 0)) for slot in second.slots)


def join_slots(first: RoutineCall, second: RoutineCall) -> tuple[int, ...]:
    """Return the slots that two calls read together."""
    known = {*first.slots, *first.fresh}
    return first.slots + tuple(slot for slot in second.slots if slot not in known)


def join_shapes(first: RoutineCall, second: RoutineCall, slots: tuple[int, ...]) -> Routine:
    """Return the shape that does the work of two calls, reading `slots`."""
    builder = CodeBuilder()
    position = {slot: k for k, slot in enumerate(slots)}
    computed: dict[int, int] = {}
    n_numbers = 0
    for call in (first, second):

        def read(
            argument: int, element: int, call: RoutineCall = call, n: int = n_numbers
        ) -> int:
            if argument == 1:
                return builder.read(1, n + element)
            slot = call.slots[element]
            return computed[slot] if slot in computed else builder.read(0, position[slot])

        values = builder.append(call.shape.code, read)
        n_numbers += len(call.numbers)
        for _, result, value in call.shape.code.outputs:
            computed[call.fresh[result]] = values[value]
    fresh = {slot: k for k, slot in enumerate(first.fresh + second.fresh)}
    builder.code.outputs = [(2, k, computed[slot]) for slot, k in fresh.items()]
    return Routine(first.shape.name, builder.code, len(fresh))


#: Elements of one array that are at most this far apart are addressed together.
REACH = 8


@dataclass
class SlotBlock:
    """Consecutive slots in one space; a block of the work array is used again when free."""

    space: Space
    size: int
    start: int = -1


Copy = tuple[int, int, float | tuple[Space, int]]
"""An output that no call writes: output, element, and its number or the home of its slot."""


@immutable
class Variant:
    """A shape with the way it reaches its memory; calls of one variant share their code.

    Slot k of a call is ``reads[k]`` = (segment, offset); fresh result k goes to
    ``writes[k]`` = (segment, offset), or nowhere if None. ``spaces[s]`` is the memory area
    of segment s. ``columns`` are the numbers that differ between the calls of the shape.
    """

    shape: Routine
    spaces: tuple[Space, ...]
    reads: tuple[tuple[int, int], ...]
    writes: tuple[tuple[int, int] | None, ...]
    columns: tuple[int, ...]


@dataclass
class ProgramLayout:
    """The program as data: `records` hold, for each call, its variant and its addresses.

    The addresses are the starts of the segments; the last, if the variant has columns, is
    the row in `numbers`. `copies` = (output, element, slot's home or number) are outputs
    that no call writes.
    """

    variants: dict[Variant, int] = field(default_factory=dict)
    records: list[list[int]] = field(default_factory=list)
    numbers: list[float] = field(default_factory=list)
    copies: list[Copy] = field(default_factory=list)
    folded: dict[Routine, dict[int, float]] = field(default_factory=dict)
    work_size: int = 0
    batches: list[Batch] = field(default_factory=list)


def lay_out(tape: Tape, width: int = 1) -> ProgramLayout:
    """Return the layout of all calls that some output depends on, of `width` lanes each."""
    planner = _Planner(tape)
    inputs = {slot: (b.space, b.start + n) for slot, (b, n) in planner.homes.items()}
    outputs = {s: (Space("output", k), n) for s, (k, n) in planner.out_home.items()}
    found = find_batches(tape.needed_calls(), inputs, outputs, has_lanes=width > 1)
    for slot, (space, element) in found.homes.items():
        planner.homes[slot] = (SlotBlock(space, 1, element), 0)
    planner.layout.batches = found.batches
    planner.layout.work_size = found.work_size
    return planner.plan(merge_calls(found.calls))


class _Planner:
    """Walks through the calls once, with the memory that is free at each moment."""

    def __init__(self, tape: Tape) -> None:
        self.tape = tape
        self.layout = ProgramLayout()
        self.last_use: dict[int, int] = {}
        self.homes: dict[int, tuple[SlotBlock, int]] = {}
        self.out_home: dict[int, tuple[int, int]] = {}
        self.free: dict[int, list[int]] = defaultdict(list)
        for k, slots in enumerate(tape.inputs.values()):
            block = SlotBlock(Space("input", k), len(slots), 0)
            for offset, slot in enumerate(slots):
                self.homes[slot] = (block, offset)
        for k, scalars in enumerate(tape.outputs.values()):
            for element, scalar in enumerate(scalars):
                if isinstance(scalar, TapeValue) and scalar.number not in self.homes:
                    self.out_home.setdefault(scalar.number, (k, element))

    def plan(self, calls: list[RoutineCall]) -> ProgramLayout:
        """Give every call its record."""
        layout = self.layout
        self.last_use = {s: time for time, call in enumerate(calls) for s in call.slots}
        layout.folded = _find_folded(calls)
        ending: dict[int, list[SlotBlock]] = defaultdict(list)
        for time, call in enumerate(calls):
            self._place(call, time, ending)
            variant, addresses = self._address(call)
            number = layout.variants.setdefault(variant, len(layout.variants))
            if variant.columns:
                addresses.append(len(layout.numbers))
                layout.numbers += [call.numbers[column] for column in variant.columns]
            layout.records.append([number, *addresses])
            for block in ending.pop(time, []):
                self.free[block.size].append(block.start)
        for k, scalars in enumerate(self.tape.outputs.values()):
            for element, scalar in enumerate(scalars):
                if not isinstance(scalar, TapeValue):
                    layout.copies.append((k, element, scalar))
                elif self.out_home.get(scalar.number) != (k, element):
                    block, offset = self.homes[scalar.number]
                    layout.copies.append((k, element, (block.space, block.start + offset)))
        return layout

    def _place(
        self, call: RoutineCall, time: int, ending: dict[int, list[SlotBlock]]
    ) -> None:
        """Find memory for the results of a call: results that end together lie together."""
        together: dict[int, list[int]] = defaultdict(list)
        for slot in call.fresh:
            if slot in self.out_home:
                k, element = self.out_home[slot]
                self.homes[slot] = (SlotBlock(Space("output", k), 1, element), 0)
            elif slot in self.last_use:
                together[self.last_use[slot]].append(slot)
        for end, slots in together.items():
            block = SlotBlock(WORK_SPACE, len(slots))
            places = self.free[block.size]
            if places:
                block.start = places.pop()
            else:
                block.start = self.layout.work_size
                self.layout.work_size += block.size
            ending[end].append(block)
            for offset, slot in enumerate(slots):
                self.homes[slot] = (block, offset)

    def _address(self, call: RoutineCall) -> tuple[Variant, list[int]]:
        """Return the variant of a call and the starts of its segments."""
        segments = _Segments()
        reads = segments.cover([self.homes[slot] for slot in call.slots])
        written = [slot for slot in call.fresh if slot in self.homes]
        covered = segments.cover([self.homes[slot] for slot in written])
        places = dict(zip(written, covered, strict=True))
        folded = self.layout.folded[call.shape]
        columns = tuple(k for k in range(len(call.numbers)) if k not in folded)
        variant = Variant(
            call.shape,
            tuple(segments.spaces),
            tuple(reads),
            tuple(places.get(slot) for slot in call.fresh),
            columns,
        )
        return variant, segments.starts


class _Segments:
    """Covers the homes of slots by as few starting addresses as are natural."""

    def __init__(self) -> None:
        self.spaces: list[Space] = []
        self.starts: list[int] = []

    def cover(self, homes: list[tuple[SlotBlock, int]]) -> list[tuple[int, int]]:
        """Return (segment, offset) for each home; new segments are added.

        In the work array a segment is a block. In an input or output it is a cluster of
        elements, so that calls which read neighbours of different numbers share their code.
        """
        begins = _find_clusters(homes)
        segment_at: dict[tuple[Space, int], int] = {}
        covered = []
        for block, offset in homes:
            place = block.start + offset
            begin = begins.get((block.space, place), block.start)
            if (block.space, begin) not in segment_at:
                segment_at[block.space, begin] = len(self.spaces)
                self.spaces.append(block.space)
                self.starts.append(begin)
            covered.append((segment_at[block.space, begin], place - begin))
        return covered


def _find_clusters(homes: list[tuple[SlotBlock, int]]) -> dict[tuple[Space, int], int]:
    """Return, for each element outside of the work array, where its cluster begins."""
    elements: dict[Space, set[int]] = defaultdict(set)
    for block, offset in homes:
        if block.space != WORK_SPACE:
            elements[block.space].add(block.start + offset)
    begins: dict[tuple[Space, int], int] = {}
    for space, places in elements.items():
        begin = before = min(places)
        for place in sorted(places):
            if place - before > REACH:
                begin = place
            begins[space, place] = begin
            before = place
    return begins


def _find_folded(calls: list[RoutineCall]) -> dict[Routine, dict[int, float]]:
    """Return the numbers, by position, that are the same in all calls of a shape."""
    seen: dict[Routine, list[set[float]]] = {}
    for call in calls:
        sets = seen.setdefault(call.shape, [set() for _ in call.numbers])
        for values, number in zip(sets, call.numbers, strict=True):
            values.add(number)
    return {
        shape: {k: next(iter(values)) for k, values in enumerate(sets) if len(values) == 1}
        for shape, sets in seen.items()
    }
