"""Drivers: functions of LLVM text that call traced functions and kernels one after another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from motorik.compiler.kernels.language import Kernel
from motorik.compiler.straight.routine import STACK_LIMIT


def write_constants(name: str, numbers: Sequence[int]) -> str:
    """Return an array of whole numbers as LLVM constants."""
    content = ", ".join(f"i64 {number}" for number in numbers)
    return f"@{name} = internal constant [{len(numbers)} x i64] [{content}], align 16"


def write_declaration(own: Kernel[..., Any]) -> str:
    """Return the declaration of a kernel without result."""
    kinds = ", ".join(kind.llvm for kind in own.kinds.values())
    return f"declare void @{own.__name__}({kinds})"


def add_array(name: str, size: int, lines: list[str], freed: list[str]) -> None:
    """Add the lines that make an array of doubles, and those that give it back."""
    if 8 * size <= STACK_LIMIT:
        lines.append(f"%{name} = alloca i8, i64 {8 * max(1, size)}, align 64")
    else:
        lines.append(f"%{name} = call ptr @malloc(i64 {8 * size})")
        freed.append(f"call void @free(ptr %{name})")


def write_driver(
    name: str, lines: Sequence[str], inputs: Sequence[str] = ("t", "x", "p")
) -> str:
    """Return the definition of a function of `inputs`, braces doubled for `str.format`."""
    body = "\n".join([*lines, "ret void"])
    given = ", ".join(f"ptr %{own}" for own in (*inputs, "out"))
    return f"define void @{name}({given}) nounwind {{{{\n{body}\n}}}}"
