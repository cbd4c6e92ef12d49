"""Batches: equal, independent parts of a program that run side by side in vector lanes.

Calls that share no slot but inputs form components, such as the equations of separate mechanisms.
Components of equal structure are computed several at a time: their inputs are gathered, one
routine computes them in vector lanes, and the results are scattered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from motorik.compiler.rolled.traced_steps import RoutineCall
from motorik.compiler.straight.code import CodeBuilder, StraightCode
from motorik.compiler.straight.lanes import BATCH
from motorik.immutable import immutable

FEWEST = BATCH  # components of one shape that are worth code of their own
LONGEST = 20_000  # operations of such a component, at most


@immutable
class Batch:
    """Components of equal structure: their code, and the slots each reads, holds and fills.

    `code` reads input k as (0, k), number k that differs as (1, k), and writes result k to
    (2, k). Input k lies in the array `read_from[k]`, result k goes to `written_to[k]`, at the
    elements that `inputs` and `outputs` list by component.
    """

    code: StraightCode
    read_from: tuple[int, ...]
    written_to: tuple[int, ...]
    inputs: list[tuple[int, ...]]
    numbers: list[tuple[float, ...]]
    outputs: list[tuple[int, ...]]


Homes = Mapping[int, tuple[int, int]]
"""Array and element of slots."""


def find_batches(
    calls: Sequence[RoutineCall], inputs: Homes, outputs: Homes
) -> tuple[list[Batch], list[RoutineCall]]:
    """Return the batches of a program, and the calls that are left.

    `inputs` and `outputs` are the homes of slots that are read and written.
    """
    alike: dict[object, list[list[int]]] = {}
    for component in _components(calls, inputs):
        alike.setdefault(_signature(calls, component, inputs, outputs), []).append(
            component
        )
    batches: list[Batch] = []
    gone: set[int] = set()
    for members in alike.values():
        size = sum(len(calls[k].shape.code) for k in members[0])
        if len(members) >= FEWEST and size <= LONGEST:
            batches.append(_batch(calls, members, inputs, outputs))
            gone.update(k for component in members for k in component)
    return batches, [call for k, call in enumerate(calls) if k not in gone]


def _components(calls: Sequence[RoutineCall], inputs: Homes) -> list[list[int]]:
    """Return the calls that depend on one another, in order."""
    above = list(range(len(calls)))

    def find(k: int) -> int:
        while above[k] != k:
            above[k] = above[above[k]]
            k = above[k]
        return k

    owner: dict[int, int] = {}
    for k, call in enumerate(calls):
        for slot in call.slots:
            if slot not in inputs:
                above[find(k)] = find(owner[slot])
        for slot in call.fresh:
            owner[slot] = k
    found: dict[int, list[int]] = {}
    for k in range(len(calls)):
        found.setdefault(find(k), []).append(k)
    return list(found.values())


def _signature(
    calls: Sequence[RoutineCall], component: Sequence[int], inputs: Homes, outputs: Homes
) -> object:
    """Return the signature of a component: routines, flow of slots, needed results."""
    number: dict[int, int] = {}
    parts: list[object] = []
    for k in component:
        call = calls[k]
        reads = tuple(number.setdefault(slot, len(number)) for slot in call.slots)
        fresh = tuple(number.setdefault(slot, len(number)) for slot in call.fresh)
        given = tuple(inputs[slot][0] if slot in inputs else None for slot in call.slots)
        needed = tuple(outputs[s][0] if s in outputs else None for s in call.fresh)
        parts.append((id(call.shape), reads, given, fresh, needed))
    return tuple(parts)


def _batch(
    calls: Sequence[RoutineCall],
    members: Sequence[Sequence[int]],
    inputs: Homes,
    outputs: Homes,
) -> Batch:
    """Return the components as one code; numbers that are the same in all are constants."""
    numbers = [
        tuple(number for k in component for number in calls[k].numbers)
        for component in members
    ]
    first = numbers[0]
    differs = [n for n in range(len(first)) if any(own[n] != first[n] for own in numbers)]
    column = {n: place for place, n in enumerate(differs)}
    builder = CodeBuilder()
    known: dict[int, int] = {}
    given: dict[int, int] = {}
    n_before = 0
    for k in members[0]:
        call = calls[k]

        def read(
            argument: int, element: int, call: RoutineCall = call, n: int = n_before
        ) -> int:
            if argument == 1:
                place = column.get(n + element)
                if place is None:
                    return builder.constant(first[n + element])
                return builder.read(1, place)
            slot = call.slots[element]
            if slot not in known:
                known[slot] = builder.read(0, given.setdefault(slot, len(given)))
            return known[slot]

        values = builder.append(call.shape.code, read)
        n_before += len(call.numbers)
        for _, result, value in call.shape.code.outputs:
            known[call.fresh[result]] = values[value]
    results = [s for k in members[0] for s in calls[k].fresh if s in outputs]
    builder.code.outputs = [(2, n, known[slot]) for n, slot in enumerate(results)]
    own_slots = [_slots(calls, component) for component in members]
    places = {slot: n for n, slot in enumerate(own_slots[0])}
    return Batch(
        builder.code,
        tuple(inputs[slot][0] for slot in given),
        tuple(outputs[slot][0] for slot in results),
        [tuple(inputs[slots[places[s]]][1] for s in given) for slots in own_slots],
        [tuple(own[n] for n in differs) for own in numbers],
        [tuple(outputs[slots[places[s]]][1] for s in results) for slots in own_slots],
    )


def _slots(calls: Sequence[RoutineCall], component: Sequence[int]) -> list[int]:
    """Return the slots of a component in the order in which they are met."""
    found: dict[int, None] = {}
    for k in component:
        for slot in (*calls[k].slots, *calls[k].fresh):
            found.setdefault(slot)
    return list(found)


def in_lanes(rows: Sequence[Sequence[float]] | Sequence[Sequence[int]]) -> list:
    """Return rows of components as rows of groups, element by element, lane by lane.

    The last group is filled up with its last component.
    """
    result = []
    for begin in range(0, len(rows), BATCH):
        group = list(rows[begin : begin + BATCH])
        group += [group[-1]] * (BATCH - len(group))
        result += [group[lane][n] for n in range(len(group[0])) for lane in range(BATCH)]
    return result
