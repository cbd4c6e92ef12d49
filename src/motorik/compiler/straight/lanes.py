"""Lanes: LLVM types and operations of vectors of doubles."""

from __future__ import annotations

import struct

LANES = 4  # numbers side by side where several states are computed at once
BATCH = 8  # parts of a program side by side: two vectors, of which one runs while one waits
WIDE = 2 * BATCH  # states at once of code that fills registers only with so many …
SHORT = 600  # … that of fewer operations; longer code would keep its values in memory


class Lanes:
    """The words for `width` numbers side by side.

    `vector` is their type in registers and `element` their type in memory, where they
    follow each other without gaps. Functions that the code calls are listed in `declarations`.
    """

    def __init__(self, width: int, declarations: dict[str, None]) -> None:
        self.width = width
        self.declarations = declarations
        self.vector = "double" if width == 1 else f"<{width} x double>"
        self.element = "double" if width == 1 else f"[{width} x double]"
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
        self.declarations.setdefault(line)
