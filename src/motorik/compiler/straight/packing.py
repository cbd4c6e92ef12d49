"""Packing: values of equal structure, such as those of a mechanism's limbs, in vector lanes.

Two values have the same structure if the same operations produce them, whatever the constants and
the elements of the inputs (superword-level parallelism). Up to four are computed in the lanes of
one vector. Packs are found from the results backward: the operands of a pack, lane by lane, form a
pack again, so most operands are already packed when they are needed.
"""

from __future__ import annotations

from dataclasses import field

from motorik.compiler.straight.code import COMMUTATIVE, GIVEN, StraightCode
from motorik.immutable import mutable

#: Lanes of a pack.
WIDEST = 4

#: Operations that are worth a vector.
PACKED = frozenset(
    {"add", "sub", "mul", "div", "neg", "sq", "twice", "inv", "sqrt", "fabs", "sin", "cos"}
)

#: Code of fewer operations is not packed: its values depend on each other.
SHORTEST = 1000

#: Largest share of remaining operations for which packing pays.
WORTHWHILE = 0.65

#: Instructions of one function, at most: LLVM takes more than linear time.
LONGEST = 12000

Pack = tuple[int, ...]


@mutable
class Packs:
    """Which values are computed together: `home` has the pack of a value and its lane.

    `operands` are those of each value, with the operands of sums and products in the order
    of their structure, the same for all members of a pack.
    """

    home: dict[int, tuple[Pack, int]] = field(default_factory=dict)
    operands: dict[int, tuple[int, ...]] = field(default_factory=dict)

    def item(self, value: int) -> Pack:
        """Return the pack of a value, or the value alone."""
        return self.home[value][0] if value in self.home else (value,)


def find_packs(code: StraightCode) -> Packs | None:
    """Return the packs of a code; None if packing does not pay."""
    n_operations = len(code)
    most = min(WORTHWHILE * n_operations, LONGEST)  # items that are left where it pays
    if n_operations < SHORTEST:
        return None
    needed = code.find_needed()
    packs = Packs()
    kind, size = _structures(code, needed, packs.operands)
    groups: dict[int, list[int]] = {}
    for value in needed:
        if code.operation[value] in PACKED:
            groups.setdefault(kind[value], []).append(value)
    if sum(-(-len(group) // WIDEST) for group in groups.values()) > most:
        return None  # even with all packs full
    for group in sorted(groups.values(), key=lambda group: -size[group[0]]):
        alone = group
        while len(alone := [value for value in alone if value not in packs.home]) > 1:
            _place(code, packs, kind, tuple(alone[:WIDEST]))
    return packs if count_items(code, packs) <= most else None


def count_items(code: StraightCode, packs: Packs | None) -> int:
    """Return the number of operations, one for each pack."""
    if packs is None:
        return len(code)
    needed = (value for value in code.find_needed() if not code.is_given(value))
    return len({packs.item(value) for value in needed})


def _structures(
    code: StraightCode, needed: list[int], operands: dict[int, tuple[int, ...]]
) -> tuple[dict[int, int], dict[int, int]]:
    """Return the number of the structure of each value, and how large it is."""
    numbers: dict[tuple[object, ...], int] = {}
    kind: dict[int, int] = {}
    size: dict[int, int] = {}
    key: tuple[object, ...]
    for value in needed:
        operation, left, right = code.operation[value], code.left[value], code.right[value]
        if operation in GIVEN:
            own, key, size[value] = (), (operation,), 1
        elif right < 0:
            own, key, size[value] = (left,), (operation, kind[left]), 1 + size[left]
        else:
            if operation in COMMUTATIVE and kind[right] < kind[left]:
                left, right = right, left
            own, key = (left, right), (operation, kind[left], kind[right])
            size[value] = 1 + size[left] + size[right]
        operands[value] = own
        kind[value] = numbers.setdefault(key, len(numbers))
    return kind, size


def _place(code: StraightCode, packs: Packs, kind: dict[int, int], pack: Pack) -> None:
    """Make a pack, and packs of its operands as far as these are free.

    Two packs that wait may share a value: the one that comes first has it.
    """
    waiting = [pack]
    while waiting:
        pack = waiting.pop()
        if any(value in packs.home for value in pack):
            continue
        packs.home.update((value, (pack, lane)) for lane, value in enumerate(pack))
        for below in zip(*(packs.operands[value] for value in pack), strict=True):
            is_alike = len({kind[value] for value in below}) == 1
            if (
                is_alike
                and len(set(below)) == len(below)
                and code.operation[below[0]] in PACKED
            ):
                waiting.append(below)
