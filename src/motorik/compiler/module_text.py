"""The text of an LLVM module for vectors of one width, with what all its functions share."""

from __future__ import annotations

import struct

from motorik.compiler.sincos import write_sincos

#: What LLVM may do to arithmetic. NaN and infinity keep their meaning: a bad state shows.
FLAGS = "reassoc nsz arcp contract afn"

#: Taken one time in a hundred thousand.
RARELY = '!0 = !{!"branch_weights", i32 1, i32 100000}'


class Lanes:
    """The words of LLVM for `width` double numbers side by side."""

    def __init__(self, width: int, module: ModuleText) -> None:
        self.width = width
        self.module = module
        self.vector = "double" if width == 1 else f"<{width} x double>"
        self.integers = "i64" if width == 1 else f"<{width} x i64>"
        self.masks = "i1" if width == 1 else f"<{width} x i1>"
        self.suffix = "f64" if width == 1 else f"v{width}f64"

    def number(self, value: float) -> str:
        """Return the constant `value` in every lane."""
        (bits,) = struct.unpack("<Q", struct.pack("<d", value))
        text = f"0x{bits:016X}"
        return text if self.width == 1 else f"splat (double {text})"

    def integer(self, value: int) -> str:
        """Return the whole number `value` in every lane."""
        return str(value) if self.width == 1 else f"splat (i64 {value})"

    def declare(self, line: str) -> None:
        """Make an intrinsic or a function of the C library known to the module."""
        self.module.declarations.setdefault(line)


class ModuleText:
    """Collects declarations and definitions; `text` is the module."""

    def __init__(self) -> None:
        self.declarations: dict[str, None] = {}
        self.definitions: list[str] = []
        self._helpers: set[str] = set()

    def lanes(self, width: int) -> Lanes:
        """Return the words for vectors of this width."""
        return Lanes(width, self)

    def add(self, definition: str) -> None:
        """Append a function or a table."""
        self.definitions.append(definition)

    def helper(self, kind: str, width: int) -> str:
        """Return the name of a function of `sincos`, which is added when first asked for."""
        name = f"@{kind}.{width}"
        if name not in self._helpers:
            self._helpers.add(name)
            self.add(write_sincos(self.lanes(width), kind))
        return name

    @property
    def text(self) -> str:
        """The module as LLVM reads it."""
        return "\n".join([*self.declarations, *self.definitions, RARELY, ""])
