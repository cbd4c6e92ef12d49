"""Batches: equal, independent parts of a program that run side by side in vector lanes.

Calls that share no slot but known ones form components, such as the equations of separate
mechanisms, or of the points of a net once the forces of its springs are known. Beside them there
are strands, calls that depend on one another and else on known slots only, such as the force law of
each spring. Parts of equal structure are computed several at a time: their inputs are gathered, one
routine computes them in vector lanes, and the results, known from then on, are scattered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from motorik.compiler.rolled.traced_steps import RoutineCall
from motorik.compiler.straight.code import CodeBuilder, StraightCode
from motorik.compiler.straight.lanes import BATCH
from motorik.immutable import immutable

FEWEST = BATCH  # parts of one shape that are worth code of their own
LONGEST = 20_000  # operations of such a part, at most


@immutable
class Space:
    """A memory area: ("work", 0), ("input", k) or ("output", k)."""

    kind: str
    number: int = 0


WORK_SPACE = Space("work")


@immutable
class Column:
    """Where an input or a result of all parts of a batch lies.

    It is `offset` elements after the place that number `base` of the places of each part says.
    """

    space: Space
    base: int
    offset: int


@immutable
class Batch:
    """Parts of equal structure: their code, and the slots each reads, holds and fills.

    `code` reads input k as (0, k), number k that differs as (1, k), and writes result k to (2, k).
    Input k lies at `reads[k]` of the places in `inputs`, result k goes to `writes[k]` of those in
    `outputs`; these and `numbers` have an entry for each part.
    """

    code: StraightCode
    reads: tuple[Column, ...]
    writes: tuple[Column, ...]
    inputs: list[tuple[int, ...]]
    numbers: list[tuple[float, ...]]
    outputs: list[tuple[int, ...]]


Homes = Mapping[int, tuple[Space, int]]
"""Memory area and element of slots."""


@dataclass
class Batches:
    """The batches of a program in order, and the calls that are left.

    `homes` are the places of the results that are read or written; `work_size` elements of the work
    array are theirs.
    """

    calls: list[RoutineCall]
    batches: list[Batch] = field(default_factory=list)
    homes: dict[int, tuple[Space, int]] = field(default_factory=dict)
    work_size: int = 0


def find_batches(
    calls: Sequence[RoutineCall], inputs: Homes, outputs: Homes, *, has_lanes: bool = False
) -> Batches:
    """Return the batches of a program, and the calls that are left.

    `inputs` and `outputs` are the homes of slots that are read and written. With `has_lanes` each
    element already is several numbers side by side.
    """
    found = Batches(list(calls))
    known = dict(inputs)
    while True:
        for parts in (_components(found.calls, known), _strands(found.calls, known)):
            alike: dict[object, list[list[int]]] = {}
            read = _read_outside(found.calls, parts)
            for part in parts:
                if part:
                    signature = _signature(found.calls, part, known, outputs, read)
                    alike.setdefault(signature, []).append(part)
            chosen = [own for own in alike.values() if _is_worthwhile(found.calls, own)]
            if chosen:
                break
        else:
            return found
        for members in chosen:
            _place_results(found, members, outputs, read)
            found.batches.append(
                _batch(found.calls, members, known, found.homes, has_lanes)
            )
        known.update(found.homes)
        gone = {k for members in chosen for part in members for k in part}
        found.calls = [call for k, call in enumerate(found.calls) if k not in gone]


def _is_worthwhile(calls: Sequence[RoutineCall], members: Sequence[Sequence[int]]) -> bool:
    """Return whether these parts are to be computed in lanes."""
    size = sum(len(calls[k].shape.code) for k in members[0])
    return len(members) >= FEWEST and size <= LONGEST


def _components(calls: Sequence[RoutineCall], known: Homes) -> list[list[int]]:
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
            if slot not in known:
                above[find(k)] = find(owner[slot])
        for slot in call.fresh:
            owner[slot] = k
    found: dict[int, list[int]] = {}
    for k in range(len(calls)):
        found.setdefault(find(k), []).append(k)
    return list(found.values())


def _strands(calls: Sequence[RoutineCall], known: Homes) -> list[list[int]]:
    """Return the calls that depend on known slots and on one another only, in order.

    A call that reads results of two strands belongs to none, nor does what depends on it.
    """
    found: list[list[int]] = []
    strand: dict[int, int] = {}  # of slots; −1 of those that depend on several
    for k, call in enumerate(calls):
        sources = {strand[slot] for slot in call.slots if slot not in known}
        if not sources:
            own = len(found)
            found.append([])
        else:
            own = sources.pop() if len(sources) == 1 else -1
        if own >= 0:
            found[own].append(k)
        for slot in call.fresh:
            strand[slot] = own
    return found


def _read_outside(calls: Sequence[RoutineCall], parts: Sequence[Sequence[int]]) -> set[int]:
    """Return the slots that parts fill and that calls outside of them read."""
    part_of = {k: n for n, part in enumerate(parts) for k in part}
    owner = {
        slot: part_of.get(k, -1) for k, call in enumerate(calls) for slot in call.fresh
    }
    return {
        slot
        for k, call in enumerate(calls)
        for slot in call.slots
        if slot in owner and owner[slot] != part_of.get(k, -1)
    }


def _signature(
    calls: Sequence[RoutineCall],
    part: Sequence[int],
    known: Homes,
    outputs: Homes,
    read: set[int],
) -> object:
    """Return the signature of a part: routines, flow of slots, needed results."""
    number: dict[int, int] = {}
    parts: list[object] = []
    for k in part:
        call = calls[k]
        reads = tuple(number.setdefault(slot, len(number)) for slot in call.slots)
        fresh = tuple(number.setdefault(slot, len(number)) for slot in call.fresh)
        given = tuple(known[slot][0] if slot in known else None for slot in call.slots)
        needed = tuple(
            outputs[s][0] if s in outputs else WORK_SPACE if s in read else None
            for s in call.fresh
        )
        parts.append((id(call.shape), reads, given, fresh, needed))
    return tuple(parts)


def _place_results(
    found: Batches, members: Sequence[Sequence[int]], outputs: Homes, read: set[int]
) -> None:
    """Find homes for the results of parts that are alike, in the work array one by one."""
    for part in members:
        for k in part:
            for slot in found.calls[k].fresh:
                if slot in outputs:
                    found.homes[slot] = outputs[slot]
                elif slot in read:
                    found.homes[slot] = WORK_SPACE, found.work_size
                    found.work_size += 1


def _batch(
    calls: Sequence[RoutineCall],
    members: Sequence[Sequence[int]],
    inputs: Homes,
    outputs: Homes,
    has_lanes: bool,
) -> Batch:
    """Return the parts as one code; numbers that are the same in all are constants."""
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
                return builder.read(1, place, "scalar" if has_lanes else "input")
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
    reads, read_at = _columns(
        [[inputs[slots[places[s]]] for slots in own_slots] for s in given]
    )
    writes, written_at = _columns(
        [[outputs[slots[places[s]]] for slots in own_slots] for s in results]
    )
    return Batch(
        builder.code,
        reads,
        writes,
        read_at or [()] * len(members),
        [tuple(own[n] for n in differs) for own in numbers],
        written_at or [()] * len(members),
    )


def _columns(
    homes: Sequence[Sequence[tuple[Space, int]]],
) -> tuple[tuple[Column, ...], list[tuple[int, ...]]]:
    """Return the columns of slots, each with its homes in all parts, and the places of the parts.

    Slots that lie equally far apart in all parts are found from one place.
    """
    found: list[Column] = []
    bases: dict[object, tuple[int, int]] = {}
    places: list[list[int]] = []
    for own in homes:
        space, begin = own[0]
        elements = [element for _, element in own]
        key = (space, *[element - begin for element in elements])
        if key not in bases:
            bases[key] = len(places), begin
            places.append(elements)
        base, first = bases[key]
        found.append(Column(space, base, begin - first))
    return tuple(found), list(zip(*places, strict=True))


def _slots(calls: Sequence[RoutineCall], part: Sequence[int]) -> list[int]:
    """Return the slots of a part in the order in which they are met."""
    found: dict[int, None] = {}
    for k in part:
        for slot in (*calls[k].slots, *calls[k].fresh):
            found.setdefault(slot)
    return list(found)


def in_lanes(
    rows: Sequence[Sequence[float]] | Sequence[Sequence[int]], side: int = BATCH
) -> list:
    """Return rows of parts as rows of groups of `side`, element by element, lane by lane.

    The last group is filled up with its last part.
    """
    result = []
    for begin in range(0, len(rows), side):
        group = list(rows[begin : begin + side])
        group += [group[-1]] * (side - len(group))
        result += [group[lane][n] for n in range(len(group[0])) for lane in range(side)]
    return result
