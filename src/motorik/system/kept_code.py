"""KeptCode: where the machine code of a function of a system lies on disk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from motorik.compiler.function import Argument, NativeFunction
from motorik.compiler.native import load_kept
from motorik.immutable import immutable


@immutable
class KeptCode:
    """The library of a function, its name there, its arguments: all that a call needs."""

    library: str
    symbol: str
    inputs: tuple[Argument, ...]
    outputs: tuple[Argument, ...]
    width: int
    n_instructions: int
    replaces: bool

    @staticmethod
    def of(function: NativeFunction) -> KeptCode | None:
        """Return where a function is kept; None if its library alone is not enough to call it."""
        if not function.library.is_kept:
            return None
        return KeptCode(
            function.library.key,
            function.symbol,
            function.inputs,
            function.outputs,
            function.width,
            function.n_instructions,
            bool(function.replace_address),
        )

    def load(self, name: str) -> NativeFunction | None:
        """Return the function, None if its library is gone."""
        library = load_kept(self.library, {})
        if library is None:
            return None
        return NativeFunction(
            name,
            library,
            self.symbol,
            self.inputs,
            self.outputs,
            width=self.width,
            n_instructions=self.n_instructions,
            replaces=self.replaces,
        )

    def as_data(self) -> list[object]:
        """Return numbers, words and lists."""
        arguments = [
            [(own.name, own.rows, own.columns) for own in several]
            for several in (self.inputs, self.outputs)
        ]
        rest = self.width, self.n_instructions, self.replaces
        return [self.library, self.symbol, *arguments, *rest]

    @staticmethod
    def of_data(data: Sequence[Any]) -> KeptCode:
        """Return the functions that `as_data` has written."""
        library, symbol, inputs, outputs, width, n_instructions, replaces = data
        given, made = (
            tuple(Argument(*own) for own in several) for several in (inputs, outputs)
        )
        return KeptCode(library, symbol, given, made, width, n_instructions, replaces)
