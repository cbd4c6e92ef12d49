"""Routines: straight-line code as LLVM functions over pointers to doubles."""

from __future__ import annotations

from collections import defaultdict

from motorik.compiler.straight.block_text import WORK, BlockText
from motorik.compiler.straight.code import StraightCode
from motorik.compiler.straight.lanes import Lanes
from motorik.compiler.straight.module_text import ModuleText
from motorik.compiler.straight.packing import Packs, find_packs
from motorik.compiler.straight.partition import (
    Placement,
    find_trigonometric,
    group_width,
    plan_code,
)
from motorik.immutable import immutable

#: Bytes of work array that a function takes from the stack; a larger one from the heap.
STACK_LIMIT = 32 * 1024


@immutable
class Head:
    """How a routine begins: its symbol, parameters, linkage, and its first lines.

    After these lines ``arguments[k]`` is the address of argument k of the code.
    """

    symbol: str
    parameters: str
    arguments: list[str]
    linkage: str = ""
    lines: tuple[str, ...] = ()


def write_routine(
    module: ModuleText, head: Head, code: StraightCode, width: int, part: str
) -> None:
    """Add the function `head.symbol`, which computes `code` for `width` lanes at once.

    Element i of lane l of an argument lies at [i · width + l]. No output may overlap an
    input or another output. The function may run in several threads at once: its work
    array is its own.
    """
    packs = find_packs(code) if width == 1 else None
    if packs is not None:
        _write_packed(module, head, code, packs, part)
        return
    plan = plan_code(code, width)
    targets: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for argument, element, value in code.outputs:
        targets[value].append((argument, element))
    in_blocks = {value for block in plan.blocks for value in block}
    others = [value for value in targets if value not in in_blocks]

    def write_block(number: int, text: BlockText) -> None:
        for value in plan.blocks[number]:
            text.compute(value)
            for target in targets.get(value, ()):
                text.put_out(value, *target)
        if number == 0:
            for value in others:
                for target in targets[value]:
                    text.put_out(value, *target)

    def new_text(home: ModuleText) -> BlockText:
        return BlockText(home, code, plan, head.arguments, width, part)

    entry = new_text(module)
    make, give_back = write_work_array(module.lanes(width), plan.n_slots)
    entry.lines += [*head.lines, *make]
    _write_groups(entry)
    if len(plan.blocks) == 1:
        write_block(0, entry)
    else:
        for number in range(len(plan.blocks)):
            home = module.place(len(plan.blocks[number]))
            block = new_text(home)
            write_block(number, block)
            symbol = f"{head.symbol}.{number}"
            parameters = ", ".join(f"ptr noalias {name}" for name in block.pointers)
            linkage = module.reach(home, symbol, ", ".join(["ptr"] * len(block.pointers)))
            add_function(
                home, f"{linkage} void {symbol}({parameters}) noinline", block.lines
            )
            passed = ", ".join(f"ptr {name}" for name in block.pointers)
            entry.lines.append(f"call fastcc void {symbol}({passed})")
    add_function(
        module,
        f"{head.linkage} void {head.symbol}({head.parameters})",
        [*entry.lines, *give_back],
    )


def _write_packed(
    module: ModuleText, head: Head, code: StraightCode, packs: Packs, part: str
) -> None:
    """Add the function whose alike values are computed side by side."""
    from motorik.compiler.straight.packed_text import PackedText

    plan = Placement(trigonometric=find_trigonometric(code, code.find_needed()))
    text = BlockText(module, code, plan, head.arguments, 1, part)
    text.lines += head.lines
    PackedText(text, packs).write()
    add_function(
        module, f"{head.linkage} void {head.symbol}({head.parameters})", text.lines
    )


def write_work_array(lanes: Lanes, n_slots: int) -> tuple[list[str], list[str]]:
    """Return the lines that make the work array and those that give it back."""
    size = 8 * lanes.width * n_slots
    if size == 0:
        return [], []
    if size <= STACK_LIMIT:
        return [f"{WORK} = alloca [{n_slots} x {lanes.element}], align 64"], []
    lanes.declare("declare noalias ptr @malloc(i64)")
    lanes.declare("declare void @free(ptr)")
    return [f"{WORK} = call ptr @malloc(i64 {size})"], [f"call void @free(ptr {WORK})"]


def add_function(module: ModuleText, heading: str, lines: list[str]) -> None:
    """Add a function without result to the module."""
    module.add("\n".join([f"define {heading} nounwind {{", *lines, "ret void", "}"]))


def _write_groups(entry: BlockText) -> None:
    """Compute sine and cosine of the planned groups of angles, each group in one vector."""
    code = entry.code
    for group in entry.plan.groups:
        for angle in group:
            if not code.is_given(angle):
                entry.compute(angle)
        width = group_width(group)
        lanes = entry.module.lanes(width) if width > 1 else entry.lanes
        angles = entry.name(group[0])
        if width > 1:
            angles = "zeroinitializer"
            for lane, angle in enumerate(group):
                number = entry.name(angle)
                angles = entry.new(
                    f"insertelement {lanes.vector} {angles}, double {number}, i64 {lane}"
                )
        found = entry.call_sincos(lanes, "sincos", angles)
        for lane, angle in enumerate(group):
            for value in entry.plan.trigonometric[angle]:
                result = found[code.operation[value]]
                if width > 1:
                    vector = f"{lanes.vector} {result}"
                    entry.parts[value] = f"extractelement {vector}, i64 {lane}"
                else:
                    entry.give(value, result)
                if value in entry.plan.slots:
                    entry.keep(value)
