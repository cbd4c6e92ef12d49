"""Merging: calls that follow each other again and again become one call.

The most frequent pair of neighbours is joined first, then the next, until the code would
grow too long (Larsson & Moffat 2000, "Re-Pair"). What one call computes and the next reads
then stays in registers, common terms are shared, and runs of equal calls are unrolled.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from motorik.compiler.rolled.shapes import Call, Shape
from motorik.compiler.straight.code import CodeBuilder

#: Operations of a merged shape, at most.
LONGEST = 900

#: Times that a pair must occur to be worth a shape of its own.
RAREST = 4


def merge_calls(calls: list[Call]) -> list[Call]:
    """Return equivalent calls, fewer and longer."""
    return _Chain(calls).merge()


class _Chain:
    """The calls as a chain of links, with the places where each pair occurs."""

    def __init__(self, calls: list[Call]) -> None:
        self.calls: list[Call | None] = list(calls)
        self.after = [k + 1 for k in range(len(calls))]
        self.before = [k - 1 for k in range(len(calls))]
        self.pairs: dict[Any, dict[int, None]] = defaultdict(dict)
        self.pair_at: dict[int, Any] = {}
        self.size_of: dict[Shape, int] = {}
        for k in range(len(calls) - 1):
            self._enter(k)

    def merge(self) -> list[Call]:
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
        shape: Shape | None = None
        for k in sorted(places):
            if self.pair_at.get(k) != key:
                continue
            first, second = self.calls[k], self.calls[self.after[k]]
            assert first is not None and second is not None
            slots = join_slots(first, second)
            if shape is None:
                shape = join_shapes(first, second, slots)
            joined = Call(
                shape, slots, first.numbers + second.numbers, first.fresh + second.fresh
            )
            self._replace(k, joined)

    def _replace(self, k: int, joined: Call) -> None:
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

    def _size(self, shape: Shape) -> int:
        if shape not in self.size_of:
            self.size_of[shape] = len(shape.code)
        return self.size_of[shape]


def _links(first: Call, second: Call) -> tuple[tuple[str, int], ...]:
    """Return where the slots of the second call come from, as far as the first knows."""
    known = {slot: ("fresh", k) for k, slot in enumerate(first.fresh)}
    known.update((slot, ("slot", k)) for k, slot in enumerate(first.slots))
    return tuple(known.get(slot, ("other", 0)) for slot in second.slots)


def join_slots(first: Call, second: Call) -> tuple[int, ...]:
    """Return the slots that two calls read together."""
    known = {*first.slots, *first.fresh}
    return first.slots + tuple(slot for slot in second.slots if slot not in known)


def join_shapes(first: Call, second: Call, slots: tuple[int, ...]) -> Shape:
    """Return the shape that does the work of two calls, reading `slots`."""
    builder = CodeBuilder()
    position = {slot: k for k, slot in enumerate(slots)}
    computed: dict[int, int] = {}
    n_numbers = 0
    for call in (first, second):

        def read(argument: int, element: int, call: Call = call, n: int = n_numbers) -> int:
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
    return Shape(first.shape.name, builder.code, len(fresh))
