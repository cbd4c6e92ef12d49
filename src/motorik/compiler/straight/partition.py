"""Partitioning: long straight-line code becomes functions that pass values in a work array."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import field

from motorik.compiler.straight.code import GIVEN, StraightCode
from motorik.compiler.straight.operations import TRIGONOMETRIC
from motorik.immutable import mutable

#: Code of up to this many operations stays whole: cutting it would cost some of its speed.
WHOLE_LENGTH = 3000

#: Operations per block of longer code. LLVM allocates registers in more than linear time;
#: short blocks spend time on handing over (of 250 operations: 15 % of the run time).
BLOCK_LENGTH = 1000

#: Angles computed together in one vector when the code itself has one lane.
GROUP_WIDTH = 4


@mutable
class Placement:
    """Which value is computed where.

    `trigonometric` has for each angle the values that are its sine, cosine or tangent: they are
    computed together. `groups` are angles at or near the inputs, whose sine and cosine are
    computed first; `blocks` hold the other values in order. `slots` are the places in a
    work array, of `n_slots`, of values that are used beyond their block.
    """

    trigonometric: dict[int, list[int]] = field(default_factory=dict)
    groups: list[list[int]] = field(default_factory=list)
    blocks: list[list[int]] = field(default_factory=list)
    slots: dict[int, int] = field(default_factory=dict)
    n_slots: int = 0


def plan_code(code: StraightCode, width: int) -> Placement:
    """Return the plan of the code that its outputs need."""
    needed = code.find_needed()
    plan = Placement(trigonometric=find_trigonometric(code, needed))
    _group_angles(code, plan, width)
    order: list[int] = []
    placed = {
        v for group in plan.groups for angle in group for v in plan.trigonometric[angle]
    }
    for value in needed:
        operation = code.operation[value]
        if operation in GIVEN or value in placed:
            continue
        if operation in TRIGONOMETRIC:
            together = plan.trigonometric[code.left[value]]
            order += together
            placed.update(together)
        else:
            order.append(value)
    n_blocks = -(-len(order) // BLOCK_LENGTH) if len(order) > WHOLE_LENGTH else 1
    size = -(-len(order) // n_blocks)
    plan.blocks = [order[size * k : size * (k + 1)] for k in range(n_blocks)]
    if n_blocks > 1:
        _assign_slots(code, plan)
    return plan


def find_trigonometric(code: StraightCode, needed: list[int]) -> dict[int, list[int]]:
    """Return, for each angle, the values that are its sine, cosine or tangent."""
    trigonometric: dict[int, list[int]] = defaultdict(list)
    for value in needed:
        if code.operation[value] in TRIGONOMETRIC:
            trigonometric[code.left[value]].append(value)
    return trigonometric


def _group_angles(code: StraightCode, plan: Placement, width: int) -> None:
    """Let sines and cosines of angles near the inputs be computed at the start."""
    angles = [
        angle
        for angle, values in plan.trigonometric.items()
        if _is_early(code, angle)
        and all(code.operation[value] != "tan" for value in values)
    ]
    if len(angles) < 2:
        return
    size = GROUP_WIDTH if width == 1 else 1
    plan.groups = [angles[k : k + size] for k in range(0, len(angles), size)]


def _is_early(code: StraightCode, angle: int) -> bool:
    """Return whether an angle is an input, or one less or more a number."""
    if code.operation[angle] in ("add", "sub"):
        return all(code.operation[v] in ("const", "input") for v in code.operands(angle))
    return code.operation[angle] == "input"


def group_width(group: list[int]) -> int:
    """Return the width of the vector for the angles of a group: 1, 2 or 4."""
    return 1 << (len(group) - 1).bit_length()


def _assign_slots(code: StraightCode, plan: Placement) -> None:
    """Give a place to each value used beyond its block; places are used again when free."""
    for group in plan.groups:
        for angle in group:
            for value in plan.trigonometric[angle]:
                plan.slots[value] = plan.n_slots
                plan.n_slots += 1
    left, right = code.left, code.right
    last_use: dict[int, int] = {}
    for number, block in enumerate(plan.blocks):
        for value in block:
            last_use[left[value]] = last_use[right[value]] = number  # −1: no operand
    free: list[int] = []
    ending: dict[int, list[int]] = defaultdict(list)
    for number, block in enumerate(plan.blocks):
        for value in block:
            if last_use.get(value, number) > number:
                if not free:
                    free.append(plan.n_slots)
                    plan.n_slots += 1
                plan.slots[value] = free.pop()
                ending[last_use[value]].append(plan.slots[value])
        free += ending.pop(number, [])
