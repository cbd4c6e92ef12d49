"""Inline code: arithmetic between the calls of a program, inserted as calls of its own.

Expressions of the results of steps form one graph of symbols. It is read as straight-line code, in
which common terms are shared, and scheduled: before each call that needs some of its values, one
block computes all values that are known by then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from motorik.compiler.rolled.traced_steps import Routine, RoutineCall
from motorik.compiler.straight.code import CodeBuilder, StraightCode, read_function

if TYPE_CHECKING:
    import casadi

NOWHERE = -1


def insert_inline_code(
    calls: Sequence[RoutineCall],
    glue: Mapping[int, casadi.SX],
    slot_of: Callable[[casadi.SX], int],
    outputs: set[int],
    new_slots: Callable[[int], range],
) -> list[RoutineCall]:
    """Return the calls with those that compute `glue`, expressions by their slots.

    `slot_of` tells the slot of a symbol; `outputs` are the slots that are needed at the end.
    """
    import casadi

    if not glue:
        return list(calls)
    column = casadi.vertcat(*glue.values())
    symbols = casadi.symvar(column)
    given = [slot_of(symbol) for symbol in symbols]
    inputs = casadi.vertcat(casadi.SX(0, 1), *symbols)
    code = read_function(casadi.Function("glue", [inputs], [casadi.densify(column)]))
    made_by = {slot: k for k, call in enumerate(calls) for slot in call.fresh}
    slots = list(glue)
    of_slot = {slots[element]: value for _, element, value in code.outputs}
    cutter = _Scheduler(code, given, made_by, of_slot)
    for k, call in enumerate(calls):
        if cutter.is_needed(call.slots):
            cutter.cut(k)
    if cutter.is_needed(outputs):
        cutter.cut(len(calls))
    return cutter.inserted(calls, new_slots)


class _Scheduler:
    """Straight-line code that is computed in blocks, each on demand.

    `given` are the slots of its inputs, `of_slot` the values that go to slots.
    """

    def __init__(
        self,
        code: StraightCode,
        given: Sequence[int],
        made_by: Mapping[int, int],
        of_slot: Mapping[int, int],
    ) -> None:
        self.code, self.given, self.of_slot = code, given, of_slot
        self.block = [NOWHERE] * len(code.operation)
        self.at: list[int] = []  # the call before which each block stands
        self.wanted: dict[int, list[int]] = {}
        for slot, value in of_slot.items():
            self.wanted.setdefault(value, []).append(slot)
        after: list[int] = []  # the call after which a value can be computed
        for value in range(len(code.operation)):
            if code.operation[value] == "input":
                after.append(made_by.get(given[code.right[value]], -1))
            else:
                after.append(max((after[k] for k in code.operands(value)), default=-1))
        self.after = after
        values = range(len(after))
        waiting = [v for v in values if not code.is_given(v) or v in self.wanted]
        self._waiting = sorted(waiting, key=after.__getitem__)
        self._n_done = 0

    def is_needed(self, slots: Iterable[int]) -> bool:
        """Return whether values that are not computed yet are among slots."""
        found = (self.of_slot[slot] for slot in slots if slot in self.of_slot)
        return any(self.block[value] == NOWHERE for value in found)

    def cut(self, call: int) -> None:
        """Compute before a call all that can be computed there."""
        waiting = self._waiting
        while self._n_done < len(waiting) and self.after[waiting[self._n_done]] < call:
            self.block[waiting[self._n_done]] = len(self.at)
            self._n_done += 1
        self.at.append(call)

    def inserted(
        self, calls: Sequence[RoutineCall], new_slots: Callable[[int], range]
    ) -> list[RoutineCall]:
        """Return all calls in order."""
        code = self.code
        shared: set[int] = set()
        by_block: list[list[int]] = [[] for _ in self.at]
        for value, block in enumerate(self.block):
            if block == NOWHERE:
                continue
            by_block[block].append(value)
            for operand in code.operands(value):
                if not code.is_given(operand) and self.block[operand] != block:
                    shared.add(operand)
        fresh = dict(zip(sorted(shared), new_slots(len(shared)), strict=True))
        made: dict[int, RoutineCall] = {}
        for values, at in zip(by_block, self.at, strict=True):
            made[at] = self._call(values, fresh)
        result: list[RoutineCall] = []
        for k, call in enumerate(calls):
            if k in made:
                result.append(made[k])
            result.append(call)
        if len(calls) in made:
            result.append(made[len(calls)])
        return result

    def _call(self, values: Sequence[int], fresh: Mapping[int, int]) -> RoutineCall:
        """Return the call that computes values, `fresh` of which others read."""
        code, builder = self.code, CodeBuilder()
        slots: dict[int, int] = {}
        known: dict[int, int] = {}

        def read_slot(slot: int) -> int:
            return builder.read(0, slots.setdefault(slot, len(slots)))

        def find(value: int) -> int:
            if value not in known:
                operation = code.operation[value]
                if operation == "const":
                    known[value] = builder.constant(code.constants[value])
                elif operation == "input":
                    known[value] = read_slot(self.given[code.right[value]])
                else:
                    known[value] = read_slot(fresh[value])
            return known[value]

        results: list[tuple[int, int]] = []
        for value in values:
            if not code.is_given(value):
                operands = [find(k) for k in code.operands(value)]
                known[value] = builder.value(code.operation[value], *operands)
            targets = list(self.wanted.get(value, ()))
            if value in fresh:
                targets.append(fresh[value])
            results += [(target, find(value)) for target in targets]
        builder.code.outputs = [(2, n, value) for n, (_, value) in enumerate(results)]
        shape = Routine("glue", builder.code, len(results))
        return RoutineCall(shape, tuple(slots), (), tuple(slot for slot, _ in results))
