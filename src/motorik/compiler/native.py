"""The native engine: from the text of LLVM modules to addresses that can be called."""

from __future__ import annotations

import ctypes
import functools
import hashlib
import itertools
import sys
import threading
import weakref
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from motorik.compiler.cache import read_entry, write_entry
from motorik.compiler.llvm import (
    TABLE,
    Host,
    compile_modules,
    find_host,
    llvm,
    make_target_machine,
)
from motorik.errors import CompileError

if TYPE_CHECKING:
    from motorik.algebra.piecewise import Breaks, Rows
    from motorik.compiler.kernels.late import Slot

    Table = Breaks | Rows | Slot

Symbols: TypeAlias = Mapping[str, int]
KernelNames: TypeAlias = tuple[tuple[str, ...], ...]
"""Groups of kernels, each a library, by their modules and names."""

__all__ = ["Host", "NativeLibrary", "find_host", "host_key", "load", "load_kept"]


class NativeLibrary:
    """Machine code in memory; its addresses are valid as long as this object exists."""

    __slots__ = (
        *("__weakref__", "_addresses", "_tables", "_tracker"),
        *("is_kept", "is_written", "kernels", "key"),
    )

    def __init__(
        self,
        key: str,
        addresses: dict[str, int],
        tracker: object,
        tables: Sequence[np.ndarray] = (),
        *,
        is_kept: bool = False,
    ) -> None:
        self.key = key
        self.is_kept = (
            is_kept  # whether the key alone finds it on disk: it needs nothing else
        )
        self.is_written = is_kept  # whether it is on disk, whatever else it needs
        self.kernels: KernelNames = ()  # that it calls, if it needs nothing besides
        self._tables = tables  # read by the code
        self._addresses = addresses
        self._tracker = tracker

    @property
    def names(self) -> tuple[str, ...]:
        """The functions that can be called."""
        return tuple(self._addresses)

    def address(self, name: str) -> int:
        """Return where the function `name` starts."""
        if name not in self._addresses:
            there = ", ".join(self._addresses)
            raise CompileError(
                name, "is not a function of this library", f"There are: {there}."
            )
        return self._addresses[name]

    def __repr__(self) -> str:
        return f"NativeLibrary({', '.join(self._addresses)})"


def load(
    ir_text: str | Sequence[str],
    *,
    opt: int = 2,
    cache: bool = True,
    symbols: Symbols | Callable[[], Symbols] = MappingProxyType({}),
    tables: Mapping[str, Table] = MappingProxyType({}),
) -> NativeLibrary:
    """Return the machine code of a module given as textual LLVM IR.

    Every function that the module defines with external linkage can be called. `opt` is
    LLVM's level of optimisation, 1 to 3; at 0 no pass rewrites the module, which is best
    for straight-line code without common terms. With `cache`, a module that was compiled before,
    in this process or an earlier one of this user, is loaded as it was left: neither
    optimisation nor code generation runs again.

    Several modules are compiled at once and become one library; they may call each other's
    functions, those of hidden visibility too. `symbols` are addresses of functions that they
    declare, beside those of the C library, and that outlive this one, or a function that finds
    them, which is called when the modules are compiled. `tables` are those that the modules read,
    by their names, which stand for their content. Threads may load at the same time: equal modules
    are compiled once.
    """
    texts = (ir_text,) if isinstance(ir_text, str) else tuple(ir_text)
    key = _key(texts, opt)
    find = symbols if callable(symbols) else lambda: symbols
    if not cache:
        return _link(key, *compile_modules(texts, opt), find(), tables)
    with _turn(key):
        library = _loaded.get(key)
        if library is None:
            entry = read_entry(key)
            if entry is None:
                names, codes = compile_modules(texts, opt)
            else:
                names, codes = _unpacked(entry)
            found = find()
            library = _link(key, names, codes, found, tables)
            is_kept = entry is not None or write_entry(key, _packed(names, codes))
            library.is_written = is_kept
            library.is_kept = is_kept and not (found or tables)
            _loaded[key] = library
        return library


def load_kept(
    key: str, symbols: Symbols, tables: Mapping[str, Table] = MappingProxyType({})
) -> NativeLibrary | None:
    """Return machine code that was compiled before, by its key; None if it is not kept."""
    with _turn(key):
        library = _loaded.get(key)
        entry = read_entry(key) if library is None else None
        if entry is not None:
            library = _loaded[key] = _link(key, *_unpacked(entry), symbols, tables)
            library.is_written = True
            library.is_kept = not (symbols or tables)
        return library


_loaded: weakref.WeakValueDictionary[str, NativeLibrary] = weakref.WeakValueDictionary()
_numbers = itertools.count()

#: The linker is one for all threads.
_LINKING = threading.RLock()

_turns: weakref.WeakValueDictionary[str, threading.Lock] = weakref.WeakValueDictionary()
_GIVING_TURNS = threading.Lock()


def _turn(key: str) -> threading.Lock:
    """Return the lock for those who want the same code."""
    with _GIVING_TURNS:
        return _turns.setdefault(key, threading.Lock())


def host_key() -> str:
    """Return the dependencies of machine code besides its source (versions, CPU), as text."""
    host = find_host()
    return "\0".join((host.llvm_version, host.triple, host.cpu, host.features))


def _key(ir_texts: Sequence[str], opt: int) -> str:
    digest = hashlib.sha256()
    for part in (host_key(), opt, *ir_texts):
        digest.update(str(part).encode())
        digest.update(b"\0")
    return digest.hexdigest()


def _packed(names: list[str], codes: list[bytes]) -> bytes:
    """Return the content of an entry: a line of names, a line of sizes, the objects."""
    sizes = ",".join(str(len(code)) for code in codes)
    return b"".join([f"{','.join(names)}\n{sizes}\n".encode(), *codes])


def _unpacked(entry: bytes) -> tuple[list[str], list[bytes]]:
    names, sizes, code = entry.split(b"\n", 2)
    ends = list(itertools.accumulate(map(int, sizes.split(b","))))
    codes = [code[a:b] for a, b in zip([0, *ends], ends, strict=False)]
    return names.decode().split(","), codes


@functools.cache
def _linker() -> Any:
    """Return the one linker of this process."""
    return llvm().create_lljit_compiler(
        make_target_machine(2), use_jit_link=sys.platform != "win32", suppress_errors=True
    )


def _link(
    key: str,
    names: list[str],
    codes: list[bytes],
    symbols: Mapping[str, int],
    tables: Mapping[str, Table] = MappingProxyType({}),
) -> NativeLibrary:
    library = llvm().JITLibraryBuilder().add_current_process()
    for name, address in symbols.items():
        library.import_symbol(name, address)
    for code in codes:
        library.add_object_img(code)
    for name in names:
        library.export_symbol(name)
    try:
        with _LINKING:
            tracker = library.link(_linker(), f"motorik{next(_numbers)}")
    except RuntimeError as error:
        raise CompileError(
            "LLVM module",
            f"cannot be linked: {error}",
            "Call only functions that the module or the C library defines.",
        ) from error
    data: list[np.ndarray] = []
    for name in names:
        if name.startswith(TABLE):
            data.append(tables[name.removeprefix(TABLE)].data)
            slot = ctypes.c_void_p.from_address(tracker[name])
            slot.value = data[-1].ctypes.data
    addresses = {name: tracker[name] for name in names if not name.startswith(TABLE)}
    return NativeLibrary(key, addresses, tracker, data)
