"""Pruning: what no output depends on is taken out of a program, across all its calls."""

from __future__ import annotations

from motorik.compiler.rolled.shapes import Call, Shape
from motorik.compiler.straight.code import CodeBuilder


def prune_calls(calls: list[Call], outputs: set[int]) -> list[Call]:
    """Return the calls, in order, cut down to what the slots in `outputs` depend on.

    A slot that a call reads counts as used only if a used result of the call depends on
    it; so whole chains of results that merely feed each other disappear.
    """
    used = set(outputs)
    kept: list[Call] = []
    smaller: dict[tuple[Shape, tuple[int, ...]], _Pruned] = {}
    for call in reversed(calls):
        results = tuple(k for k, slot in enumerate(call.fresh) if slot in used)
        if not results:
            continue
        key = (call.shape, results)
        if key not in smaller:
            smaller[key] = _Pruned(call.shape, results)
        kept.append(smaller[key].call(call))
        used.update(kept[-1].slots)
    return kept[::-1]


class _Pruned:
    """A shape cut down to some of its results."""

    def __init__(self, shape: Shape, results: tuple[int, ...]) -> None:
        self.results = results
        value_of = {number: value for _, number, value in shape.code.outputs}
        code = shape.code.only([(2, k, value_of[n]) for k, n in enumerate(results)])
        reads: tuple[dict[int, int], dict[int, int]] = ({}, {})
        builder = CodeBuilder()
        self.slots, self.numbers = reads

        def read(argument: int, element: int) -> int:
            positions = reads[argument]
            return builder.read(argument, positions.setdefault(element, len(positions)))

        builder.append(code, read)
        self.shape = Shape(shape.name, builder.code, len(results))

    def call(self, call: Call) -> Call:
        """Return the smaller call that replaces `call`."""
        return Call(
            self.shape,
            tuple(call.slots[k] for k in self.slots),
            tuple(call.numbers[k] for k in self.numbers),
            tuple(call.fresh[k] for k in self.results),
        )
