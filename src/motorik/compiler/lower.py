"""Lowering: CasADi functions become native functions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from motorik.compiler.function import (
    Argument,
    NativeFunction,
    add_replacing,
)
from motorik.compiler.native import load
from motorik.compiler.straight.code import CASES, StraightCode, read_function
from motorik.compiler.straight.module_text import ModuleText
from motorik.compiler.straight.packing import count_items, find_packs
from motorik.compiler.straight.routine import Head, write_routine
from motorik.compiler.threads import Background
from motorik.errors import CompileError
from motorik.immutable import immutable

if TYPE_CHECKING:
    import casadi

    from motorik.compiler.kernels.language import Kernel


def compile_function(
    function: casadi.Function,
    *,
    width: int = 1,
    name: str | None = None,
    opt: int = 0,
    cache: bool = True,
    replaces: bool = False,
) -> NativeFunction:
    """Return the machine code of a CasADi function, for `width` lanes at once.

    With `replaces` a function of (t, x, p) to a new x can also overwrite the old one.

    The default `opt` leaves the code in the order of CasADi, which is a good one: LLVM's
    passes gain 0 to 4 % of speed and double the time of compilation.
    """
    name = function.name() if name is None else name
    made = compile_functions(
        {name: function}, width=width, opt=opt, cache=cache, replaces=replaces
    )
    return made[name]


def compile_functions(
    functions: Mapping[str, casadi.Function],
    *,
    width: int = 1,
    opt: int = 0,
    cache: bool = True,
    replaces: bool = False,
) -> dict[str, NativeFunction]:
    """Return the machine code of several CasADi functions, made as one library."""
    return _write(functions, width, replaces).load(opt, cache)


def compile_library(
    functions: Mapping[str, casadi.Function],
    texts: Iterable[str],
    drivers: Mapping[str, tuple[tuple[Argument, ...], tuple[Argument, ...]]],
    symbols: Mapping[str, int] = MappingProxyType({}),
    replacing: Sequence[str] = (),
    codes: Mapping[str, StraightCode] = MappingProxyType({}),
    widths: Mapping[str, int] = MappingProxyType({}),
    kernels: Sequence[tuple[Kernel[..., Any], ...]] = (),
    width: int = 1,
) -> dict[str, NativeFunction]:
    """Return CasADi functions, and drivers written as LLVM text that call them, as one library.

    In `texts`, ``{name}`` stands for the symbol of a function. `drivers` are the inputs and
    outputs of what the texts define by name, `symbols` addresses of what they call besides;
    drivers that are `replacing`, of (t, x, p) to a new x, can also overwrite the old one.
    `codes` are those of functions that were read before, `widths` the lanes of drivers, if not one,
    `width` those of all functions.
    `kernels` are called by their names; a library that calls nothing else is found again by later
    processes.
    """
    from motorik.compiler.kernels.native_kernel import addresses_of, name_kernels

    names = name_kernels(kernels)
    # compiled at the same time
    finding = Background(partial(addresses_of, names)) if names else None
    module, made, sizes = _lowered(functions, width, replaces=False, codes=codes)
    for line in ("declare noalias ptr @malloc(i64)", "declare void @free(ptr)"):
        module.declarations.setdefault(line)
    for text in texts:
        module.add(text.format(**made))
    for name, (_, outputs) in drivers.items():
        if name in replacing:
            add_replacing(module, name, outputs[0].size)
    library = load(
        module.texts,
        opt=0,
        symbols=lambda: {**symbols, **(finding.result() if finding else {})},
        tables=module.tables,
    )
    if not (symbols or module.tables):
        library.kernels = names
    total = sum(sizes.values())
    found = {
        name: NativeFunction(
            name,
            library,
            name,
            *arguments,
            width=widths.get(name, 1),
            n_instructions=total,
            replaces=name in replacing,
        )
        for name, arguments in drivers.items()
    }
    for name, function in functions.items():
        found[name] = NativeFunction(
            name,
            library,
            made[name],
            *_arguments(function),
            width=width,
            n_instructions=sizes[name],
            function=function,
        )
    return found


@immutable
class Request:
    """A function that `compile_together` is to compile, as `compile_function` would."""

    function: casadi.Function
    width: int = 1
    replaces: bool = False


def compile_together(
    requests: Iterable[Request], *, opt: int = 0, cache: bool = True
) -> list[NativeFunction]:
    """Return the machine code of several functions, each a library of its own.

    LLVM works in other threads: while it compiles one function, this thread takes the next
    request, so an iterator that traces each function on demand gains most.
    """
    waiting: list[Background[dict[str, NativeFunction]]] = []
    try:
        for request in requests:
            functions = {request.function.name(): request.function}
            written = _write(functions, request.width, request.replaces)
            waiting.append(Background(partial(written.load, opt, cache)))
    finally:
        made = [each.result() for each in waiting]
    return [function for each in made for function in each.values()]


@immutable
class _Written:
    """Functions written as LLVM modules, not yet compiled."""

    functions: Mapping[str, casadi.Function]
    width: int
    replaces: bool
    module: ModuleText
    symbols: dict[str, str]
    sizes: dict[str, int]

    def load(self, opt: int, cache: bool) -> dict[str, NativeFunction]:
        """Compile them; this may be done in any thread."""
        module = self.module
        library = load(module.texts, opt=opt, cache=cache, tables=module.tables)
        return {
            name: NativeFunction(
                name,
                library,
                self.symbols[name],
                *_arguments(function),
                width=self.width,
                n_instructions=self.sizes[name],
                function=function,
                replaces=self.replaces,
            )
            for name, function in self.functions.items()
        }


def _write(
    functions: Mapping[str, casadi.Function], width: int, replaces: bool
) -> _Written:
    """Return functions as LLVM modules."""
    if width < 1:
        raise CompileError(
            ", ".join(functions), f"cannot have {width} lanes", "Use a width of 1 or more."
        )
    module, symbols, sizes = _lowered(functions, width, replaces)
    return _Written(functions, width, replaces, module, symbols, sizes)


def _lowered(
    functions: Mapping[str, casadi.Function],
    width: int,
    replaces: bool,
    codes: Mapping[str, StraightCode] = MappingProxyType({}),
) -> tuple[ModuleText, dict[str, str], dict[str, int]]:
    """Return the module of functions, their symbols and their numbers of operations."""
    module = ModuleText()
    symbols: dict[str, str] = {}
    sizes: dict[str, int] = {}
    for k, (name, function) in enumerate(functions.items()):
        symbol = symbols[name] = f"f{k}.{re.sub('[^A-Za-z0-9_]', '_', name)}"
        inputs, outputs = _arguments(function)
        arguments = [f"%a{n}" for n in range(len(inputs) + len(outputs))]
        parameters = ", ".join(f"ptr noalias {argument}" for argument in arguments)
        code = codes[name] if name in codes else read_function(function)
        sizes[name] = len(code)
        write_routine(module, Head(f"@{symbol}", parameters, arguments), code, width, name)
        if replaces:
            add_replacing(module, symbol, outputs[0].size * width)
    return module, symbols, sizes


def count_instructions(function: casadi.Function) -> int:
    """Return the operations of a function in one lane, those computed together once."""
    code = read_function(function)
    return count_items(code, find_packs(code))


def _arguments(
    function: casadi.Function,
) -> tuple[tuple[Argument, ...], tuple[Argument, ...]]:
    """Return the shapes of the inputs and outputs of a function."""
    inputs = tuple(
        Argument(function.name_in(k), *function.size_in(k)) for k in range(function.n_in())
    )
    outputs = tuple(
        Argument(function.name_out(k), *function.size_out(k))
        for k in range(function.n_out())
    )
    return inputs, outputs


def has_cases(function: casadi.Function) -> bool:
    """Return whether a function distinguishes cases, so that its derivatives may jump."""
    import casadi

    cases = {getattr(casadi, f"OP_{name.upper()}") for name in CASES}
    return any(
        function.instruction_id(k) in cases for k in range(function.n_instructions())
    )
