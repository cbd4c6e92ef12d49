"""Programs: a table of calls, run by a native loop over a few routines."""

from __future__ import annotations

import re
import struct
from collections.abc import Sequence
from typing import TYPE_CHECKING

from motorik.compiler.function import Argument, NativeFunction, add_replacing
from motorik.compiler.native import load
from motorik.compiler.rolled.batches import WORK_SPACE, Batch, Column, Space, in_lanes
from motorik.compiler.rolled.layout import Copy, ProgramLayout, Variant, lay_out
from motorik.compiler.straight.block_text import WORK
from motorik.compiler.straight.code import CodeBuilder, StraightCode
from motorik.compiler.straight.lanes import BATCH, Lanes
from motorik.compiler.straight.module_text import ModuleText
from motorik.compiler.straight.routine import (
    Head,
    add_function,
    write_routine,
    write_work_array,
)
from motorik.errors import CompileError

if TYPE_CHECKING:
    from motorik.compiler.rolled.tape import Tape

#: Neighbours that are copied at once, at least.
SHORTEST_RUN = 8

#: The work array of the program, as its variants call it; they may have one of their own.
SHARED = "%shared"


def compile_tape(
    tape: Tape,
    *,
    width: int = 1,
    name: str = "program",
    opt: int = 0,
    cache: bool = True,
    replaces: bool = False,
) -> NativeFunction:
    """Return the native function of a tape's inputs to its outputs.

    The code of each variant is compiled once; a record for each call holds its number and
    the addresses of its memory, and the program runs through the records.
    """
    if not tape.outputs:
        raise CompileError(name, "has no output", "Declare one by `tape.output(name, …)`.")
    layout = lay_out(tape, width)
    module = ModuleText()
    lanes = module.lanes(width)
    inputs = tuple(Argument(key, len(slots)) for key, slots in tape.inputs.items())
    outputs = tuple(Argument(key, len(scalars)) for key, scalars in tape.outputs.items())
    spaces = {
        WORK_SPACE: SHARED,
        **{Space("input", k): f"%in{k}" for k in range(len(inputs))},
        **{Space("output", k): f"%out{k}" for k in range(len(outputs))},
    }
    sizes = _write_variants(module, layout, spaces, width)
    _write_copies(module, layout, spaces, width, name)
    _write_tables(module, layout)
    for number, batch in enumerate(layout.batches):
        _write_batch(module, batch, number, spaces, width, name)
    symbol = f"f0.{re.sub('[^A-Za-z0-9_]', '_', name)}"
    make, give_back = write_work_array(lanes, max(layout.work_size, 1))
    pointers = list(spaces.values())[1:]
    passed = ", ".join(f"ptr {pointer}" for pointer in (WORK, *pointers))
    add_function(
        module,
        f"void @{symbol}({', '.join(f'ptr noalias {pointer}' for pointer in pointers)})",
        [
            *make,
            *(f"call fastcc void @batch{k}({passed})" for k in range(len(layout.batches))),
            *_run_through_records(layout, passed),
            *give_back,
        ],
    )
    if replaces:
        add_replacing(module, symbol, outputs[0].size * width)
    return NativeFunction(
        name,
        load(module.texts, opt=opt, cache=cache, tables=module.tables),
        symbol,
        inputs,
        outputs,
        width=width,
        replaces=replaces,
        n_instructions=sum(sizes[record[0]] for record in layout.records)
        + sum(len(batch.code) * len(batch.inputs) for batch in layout.batches),
    )


def _write_variants(
    module: ModuleText, layout: ProgramLayout, spaces: dict[Space, str], width: int
) -> list[int]:
    """Write the code of all variants; return how many instructions each has."""
    sizes: list[int] = []
    types = ", ".join(["ptr"] * (1 + len(spaces)))
    for number, variant in enumerate(layout.variants):
        code = _addressed(variant, layout)
        sizes.append(sum(not code.is_given(value) for value in code.find_needed()))
        home = module.place(sizes[-1])
        linkage = module.reach(home, f"@variant{number}", types)
        _write_variant(home, variant, code, number, linkage, spaces, width)
    return sizes


def _run_through_records(layout: ProgramLayout, passed: str) -> list[str]:
    """Return the loop that calls the variant of each record, and the copies after it."""
    copies = f"call fastcc void @copies({passed})"
    if not layout.records:
        return [copies]
    size = sum(map(len, layout.records))
    return [
        "br label %loop",
        "loop:",
        "%place = phi i64 [0, %0], [%next, %loop]",
        "%record = getelementptr i32, ptr @records, i64 %place",
        "%variant = load i32, ptr %record, align 4",
        "%number = zext i32 %variant to i64",
        "%entry = getelementptr {ptr, i64}, ptr @variants, i64 %number",
        "%code = load ptr, ptr %entry, align 8",
        "%length.at = getelementptr {ptr, i64}, ptr %entry, i64 0, i32 1",
        "%length = load i64, ptr %length.at, align 8",
        f"call fastcc void %code(ptr %record, {passed})",
        "%next = add i64 %place, %length",
        f"%more = icmp ult i64 %next, {size}",
        "br i1 %more, label %loop, label %done",
        "done:",
        copies,
    ]


def _write_variant(
    module: ModuleText,
    variant: Variant,
    code: StraightCode,
    number: int,
    linkage: str,
    spaces: dict[Space, str],
    width: int,
) -> None:
    """Add the function of a variant: it reads its addresses from its record."""
    element = module.lanes(width).element
    lines: list[str] = []
    arguments: list[str] = []
    bases = [(element, spaces[space]) for space in variant.spaces]
    if variant.columns:
        bases.append(("double", "@numbers"))
    for k, (kind, base) in enumerate(bases):
        lines += [
            f"%at{k} = getelementptr i32, ptr %record, i64 {k + 1}",
            f"%short{k} = load i32, ptr %at{k}, align 4",
            f"%start{k} = zext i32 %short{k} to i64",
            f"%segment{k} = getelementptr {kind}, ptr {base}, i64 %start{k}",
        ]
        arguments.append(f"%segment{k}")
    parameters = ", ".join(["ptr %record", *(f"ptr {base}" for base in spaces.values())])
    head = Head(f"@variant{number}", parameters, arguments, linkage, tuple(lines))
    write_routine(module, head, code, width, variant.shape.name)


def _addressed(variant: Variant, layout: ProgramLayout) -> StraightCode:
    """Return the code of a shape, reading and writing the segments of a variant."""
    folded = layout.folded[variant.shape]
    builder = CodeBuilder()

    def read(argument: int, element: int) -> int:
        if argument == 0:
            return builder.read(*variant.reads[element])
        if element in folded:
            return builder.constant(folded[element])
        return builder.read(len(variant.spaces), variant.columns.index(element), "scalar")

    places = ((variant.writes[n], value) for _, n, value in variant.shape.code.outputs)
    outputs = [(*place, value) for place, value in places if place is not None]
    builder.append(variant.shape.code.only(outputs), read)
    return builder.code


def _write_copies(
    module: ModuleText,
    layout: ProgramLayout,
    spaces: dict[Space, str],
    width: int,
    name: str,
) -> None:
    """Add the function that fills the outputs which are numbers or inputs."""
    order = list(spaces)
    builder = CodeBuilder()
    element, lines = module.lanes(width).element, []
    for run in _runs(layout.copies):
        output, first, source = run[0]
        target = Space("output", output)
        if isinstance(source, tuple) and len(run) >= SHORTEST_RUN:
            ends = (("to", target, first), ("from", *source))
            for what, space, place in ends:
                lines.append(
                    f"%{what}{output}.{first} = getelementptr {element}, ptr {spaces[space]}, "
                    f"i64 {place}"
                )
            module.declarations.setdefault(
                "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)"
            )
            lines.append(
                f"call void @llvm.memcpy.p0.p0.i64(ptr align 8 %to{output}.{first}, "
                f"ptr align 8 %from{output}.{first}, i64 {8 * width * len(run)}, i1 false)"
            )
            continue
        for _, place, own in run:
            if isinstance(own, tuple):
                value = builder.read(order.index(own[0]), own[1])
            else:
                value = builder.constant(own)
            builder.code.outputs.append((order.index(target), place, value))
    parameters = ", ".join(f"ptr noalias {base}" for base in spaces.values())
    arguments = list(spaces.values())
    head = Head("@copies", parameters, arguments, "internal fastcc", tuple(lines))
    write_routine(module, head, builder.code, width, name)


def _runs(copies: Sequence[Copy]) -> list[list[Copy]]:
    """Return the copies in runs of neighbours from neighbours."""
    runs: list[list[Copy]] = []
    for copy in copies:
        output, element, source = copy
        if runs and isinstance(source, tuple):
            before, place, known = runs[-1][-1]
            is_next = before == output and place + 1 == element
            if is_next and known == (source[0], source[1] - 1):
                runs[-1].append(copy)
                continue
        runs.append([copy])
    return runs


def _write_batch(
    module: ModuleText,
    batch: Batch,
    number: int,
    spaces: dict[Space, str],
    width: int,
    name: str,
) -> None:
    """Add the function that computes the parts of a batch, some at a time.

    Where each element is one number, `BATCH` parts are computed side by side; else one part is.
    """
    side = BATCH if width == 1 else 1
    parameters = "ptr noalias %given, ptr noalias %numbers, ptr noalias %made"
    arguments = ["%given", "%numbers", "%made"]
    head = Head(f"@lanes{number}", parameters, arguments, "internal fastcc")
    home = module.place(len(batch.code) * BATCH)
    write_routine(home, head, batch.code, side * width, name)
    home.add_table(f"given{number}", *_table(in_lanes(batch.inputs, side), "i"))
    home.add_table(f"made{number}", *_table(in_lanes(batch.outputs, side), "i"))
    home.add_table(f"numbers{number}", *_table(in_lanes(batch.numbers, side), "d"))
    groups = -(-len(batch.inputs) // side)
    lanes = home.lanes(width)
    lines = [
        f"%buffer.{what} = alloca [{max(1, len(columns)) * side} x {lanes.element}], align 64"
        for what, columns in (("in", batch.reads), ("out", batch.writes))
    ]
    lines += [
        "br label %loop",
        "loop:",
        "%group = phi i64 [0, %0], [%next, %loop]",
    ]
    tables = ("given", batch.inputs), ("made", batch.outputs), ("numbers", batch.numbers)
    for what, rows in tables:
        kind, count = "double" if what == "numbers" else "i32", len(rows[0])
        lines += [
            f"%{what}.first = mul i64 %group, {count * side}",
            f"%{what}.row = getelementptr {kind}, ptr @{what}{number}, i64 %{what}.first",
        ]
    lines += _copy_lanes("given", batch.reads, "%buffer.in", spaces, lanes, side)
    lines.append(
        f"call fastcc void @lanes{number}(ptr %buffer.in, ptr %numbers.row, ptr %buffer.out)"
    )
    lines += _copy_lanes("made", batch.writes, "%buffer.out", spaces, lanes, side)
    lines += [
        "%next = add i64 %group, 1",
        f"%more = icmp ult i64 %next, {groups}",
        "br i1 %more, label %loop, label %done",
        "done:",
    ]
    passed = ", ".join(f"ptr {base}" for base in spaces.values())
    types = ", ".join(["ptr"] * len(spaces))
    linkage = module.reach(home, f"@batch{number}", types)
    add_function(home, f"{linkage} void @batch{number}({passed})", lines)


def _copy_lanes(
    what: str,
    columns: tuple[Column, ...],
    buffer: str,
    spaces: dict[Space, str],
    lanes: Lanes,
    side: int,
) -> list[str]:
    """Return the lines that gather elements of arrays into a buffer, or put them back."""
    lines: list[str] = []
    begins: dict[tuple[int, int], str] = {}
    for n, column in enumerate(columns):
        for lane in range(side):
            begin = begins.get((column.base, lane))
            if begin is None:
                begin = begins[column.base, lane] = f"%{what}.from{column.base}.{lane}"
                entry = column.base * side + lane
                lines += [
                    f"{begin}.i = getelementptr i32, ptr %{what}.row, i64 {entry}",
                    f"{begin}.s = load i32, ptr {begin}.i, align 4",
                    f"{begin}.n = zext i32 {begin}.s to i64",
                    f"{begin} = getelementptr {lanes.element}, ptr {spaces[column.space]}, "
                    f"i64 {begin}.n",
                ]
            at = f"%{what}.{n * side + lane}"
            lines += [
                f"{at}.p = getelementptr {lanes.element}, ptr {begin}, i64 {column.offset}",
                f"{at}.b = getelementptr {lanes.element}, ptr {buffer}, i64 {n * side + lane}",
            ]
            ends = (f"{at}.p", f"{at}.b")
            source, target = ends if what == "given" else ends[::-1]
            lines += [
                f"{at}.v = load {lanes.vector}, ptr {source}, align 8",
                f"store {lanes.vector} {at}.v, ptr {target}, align 8",
            ]
    return lines


def _write_tables(module: ModuleText, layout: ProgramLayout) -> None:
    """Add the constant tables: records, numbers and variants."""
    flat = [number for record in layout.records for number in record]
    module.add_table("records", *_table(flat, "i"))
    module.add_table("numbers", *_table(layout.numbers, "d"))
    entries = ", ".join(
        f"{{ptr, i64}} {{ptr @variant{k}, "
        f"i64 {1 + len(variant.spaces) + bool(variant.columns)}}}"
        for variant, k in layout.variants.items()
    )
    size = len(layout.variants)
    module.add(f"@variants = internal constant [{size} x {{ptr, i64}}] [{entries}]")


def _table(values: list[int] | list[float], code: str) -> tuple[str, str]:
    """Return type and content of a constant array, as the bytes it consists of."""
    data = struct.pack(f"={len(values)}{code}", *values)
    text = "".join(f"\\{byte:02X}" for byte in data)
    return f"[{len(data)} x i8]", f'c"{text}"'
