"""LLVM modules as text: their functions, with the helpers and names they share."""

from __future__ import annotations

import sys

from motorik.algebra.piecewise import Breaks, Rows
from motorik.compiler.llvm import TABLE
from motorik.compiler.straight.arctangent import write_arctangent
from motorik.compiler.straight.lanes import Lanes
from motorik.compiler.straight.sincos import write_sincos
from motorik.compiler.straight.tables import FIND_PIECE, LOCATE, READ_PIECE

#: Taken one time in a hundred thousand.
RARELY = '!0 = !{!"branch_weights", i32 1, i32 100000}'


#: Operations of one module: long code is spread over several, which are compiled at once.
#: A module costs 3 to 7 ms, as much as 100 to 200 operations.
MODULE_LENGTH = 2000

#: Whether the linker lets a module reach others wherever in memory they lie.
REACHES = sys.platform != "win32"


class ModuleText:
    """Collects declarations and definitions; `text` is the module.

    Long code has further modules beside the first; `texts` are all of them. `tables` are those
    of the user that the first module has slots for.
    """

    def __init__(self) -> None:
        self.declarations: dict[str, None] = {}
        self.definitions: list[str] = []
        self.tables: dict[str, Breaks | Rows] = {}
        self._helpers: set[str] = set()
        self._all: list[ModuleText] = [self]
        self._length = 0

    def place(self, n_operations: int) -> ModuleText:
        """Return the module for one more function of so many operations."""
        last = self._all[-1]
        if REACHES and last._length and last._length + n_operations > MODULE_LENGTH:
            last = ModuleText()
            last._all = self._all
            self._all.append(last)
        last._length += n_operations
        return last

    def reach(self, home: ModuleText, symbol: str, types: str) -> str:
        """Let a fast function without result that is defined in `home` be called from here.

        Returned is the linkage to define it with.
        """
        if home is self:
            return "internal fastcc"
        self.declarations.setdefault(f"declare hidden fastcc void {symbol}({types})")
        return "hidden fastcc"

    def lanes(self, width: int) -> Lanes:
        """Return the words for `width` numbers side by side."""
        return Lanes(width, self.declarations)

    def add(self, definition: str) -> None:
        """Append a function or a table."""
        self.definitions.append(definition)

    def helper(self, kind: str, width: int) -> str:
        """Return the name of a trigonometric helper, which is added on first use.

        `kind` is one of those of `sincos`, or "atan2".
        """
        name = f"@{kind}.{width}"
        if name not in self._helpers:
            self._helpers.add(name)
            lanes = self.lanes(width)
            is_inverse = kind == "atan2"
            self.add(write_arctangent(lanes) if is_inverse else write_sincos(lanes, kind))
        return name

    def table(self, table: Breaks | Rows) -> str:
        """Return the variable with the address of a table's data, which is set after linking.

        So neither text nor machine code depends on the size of a table.
        """
        first, slot = self._all[0], f"@{TABLE}{table.name}"
        if table.name not in first.tables:
            first.tables[table.name] = table
            first.add(f"{slot} = dso_local global ptr null, align 8")
        if self is not first:
            self.declarations.setdefault(f"{slot} = external global ptr")
        return slot

    def locate(self) -> str:
        """Return the name of the helper that finds a segment, which is added on first use."""
        if "@locate" not in self._helpers:
            self._helpers.add("@locate")
            self.add(LOCATE)
        return "@locate"

    def recall(self, column: int) -> str:
        """Return the name of the helper that reads the past, which is added on first use."""
        name, text = (
            ("@find_piece", FIND_PIECE) if column < 0 else ("@read_piece", READ_PIECE)
        )
        if name not in self._helpers:
            self._helpers.add(name)
            self.add(text)
        return name

    def add_table(self, name: str, array: str, content: str) -> None:
        """Append a constant table of this module, which all others may read."""
        others = [module for module in self._all if module is not self]
        linkage = "dso_local" if others else "internal"
        self.add(f"@{name} = {linkage} constant {array} {content}, align 16")
        for module in others:
            module.declarations.setdefault(f"@{name} = external constant {array}")

    @property
    def texts(self) -> list[str]:
        """All modules as LLVM reads them."""
        return [module.text for module in self._all]

    @property
    def text(self) -> str:
        """The module as LLVM reads it."""
        return "\n".join([*self.declarations, *self.definitions, RARELY, ""])
