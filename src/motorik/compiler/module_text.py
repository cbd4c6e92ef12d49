"""The text of an LLVM module: its functions, with the helpers and names they share."""

from __future__ import annotations

from motorik.compiler.arctangent import write_arctangent
from motorik.compiler.lanes import Lanes
from motorik.compiler.sincos import write_sincos

#: Taken one time in a hundred thousand.
RARELY = '!0 = !{!"branch_weights", i32 1, i32 100000}'


class ModuleText:
    """Collects declarations and definitions; `text` is the module."""

    def __init__(self) -> None:
        self.declarations: dict[str, None] = {}
        self.definitions: list[str] = []
        self._helpers: set[str] = set()

    def lanes(self, width: int) -> Lanes:
        """Return the words for `width` numbers side by side."""
        return Lanes(width, self.declarations)

    def add(self, definition: str) -> None:
        """Append a function or a table."""
        self.definitions.append(definition)

    def helper(self, kind: str, width: int) -> str:
        """Return the name of a trigonometric helper, which is added when first asked for.

        `kind` is one of those of `sincos`, or "atan2".
        """
        name = f"@{kind}.{width}"
        if name not in self._helpers:
            self._helpers.add(name)
            lanes = self.lanes(width)
            is_inverse = kind == "atan2"
            self.add(write_arctangent(lanes) if is_inverse else write_sincos(lanes, kind))
        return name

    @property
    def text(self) -> str:
        """The module as LLVM reads it."""
        return "\n".join([*self.declarations, *self.definitions, RARELY, ""])
