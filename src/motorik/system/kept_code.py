"""KeptCode: where the machine code of a function of a system lies on disk."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from motorik.compiler.function import Argument, NativeFunction
from motorik.compiler.native import KernelNames, load_kept
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
    kernels: KernelNames = ()

    @staticmethod
    def of(function: NativeFunction) -> KeptCode | None:
        """Return where a function is kept; None if it needs more than its library and kernels."""
        library = function.library
        if not (library.is_kept or (library.is_written and library.kernels)):
            return None
        return KeptCode(
            library.key,
            function.symbol,
            function.inputs,
            function.outputs,
            function.width,
            function.n_instructions,
            bool(function.replace_address),
            library.kernels,
        )

    def load(self, name: str) -> NativeFunction | None:
        """Return the function, None if its library is gone."""
        symbols: dict[str, int] = {}
        if self.kernels:
            from motorik.compiler.kernels.native_kernel import addresses_of

            symbols = addresses_of(self.kernels)
        library = load_kept(self.library, symbols)
        if library is None:
            return None
        library.kernels = self.kernels
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
        kernels = [list(group) for group in self.kernels]
        rest = self.width, self.n_instructions, self.replaces, kernels
        return [self.library, self.symbol, *arguments, *rest]

    @staticmethod
    def of_data(data: Sequence[Any]) -> KeptCode:
        """Return the functions that `as_data` has written."""
        library, symbol, inputs, outputs, width, n_instructions, replaces, kernels = data
        given, made = (
            tuple(Argument(*own) for own in several) for several in (inputs, outputs)
        )
        calls = tuple(map(tuple, kernels))
        rest = width, n_instructions, replaces, calls
        return KeptCode(library, symbol, given, made, *rest)
