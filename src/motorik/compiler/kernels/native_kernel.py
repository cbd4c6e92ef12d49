"""The decorator `kernel`, and kernels as machine code."""

from __future__ import annotations

import ctypes
import functools
import importlib
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from motorik.compiler.kernels.ir import KernelError, Module, ValueKind
from motorik.compiler.kernels.language import Kernel, P, R
from motorik.compiler.kernels.late import LateGroup, Slot, link_symbol, slot_name
from motorik.compiler.kernels.source_cache import read_note, source_keys, write_note
from motorik.compiler.native import (
    KernelNames,
    NativeLibrary,
    host_key,
    load,
    load_kept,
)
from motorik.compiler.threads import Background, for_each

if TYPE_CHECKING:
    from motorik.compiler.kernels.statements import Translation

_CTYPES: dict[ValueKind, Any] = {
    ValueKind.FLOAT: ctypes.c_double,
    ValueKind.INT: ctypes.c_int64,
    ValueKind.FLOATS: ctypes.c_void_p,
    ValueKind.INTS: ctypes.c_void_p,
    ValueKind.FUNCTION: ctypes.c_void_p,
    ValueKind.NOTHING: None,
}
_DTYPES = {ValueKind.FLOATS: np.float64, ValueKind.INTS: np.int64}


@overload
def kernel(function: Callable[P, R]) -> Kernel[P, R]: ...
@overload
def kernel(*, inline: bool) -> Callable[[Callable[P, R]], Kernel[P, R]]: ...
def kernel(function: Any = None, *, inline: bool = True) -> Any:
    """Make a function a kernel; with `inline=False` it stays a function of its own."""
    if function is None:
        return functools.partial(kernel, inline=inline)
    return Kernel(function, inline)


class NativeKernel:
    """Machine code of one kernel; `entry` takes numbers and addresses, the call arrays."""

    def __init__(self, source: Kernel[..., Any], library: NativeLibrary) -> None:
        self.kernel = source
        self.library = library
        self.address = library.address(source.__name__)
        self._kinds = tuple(source.kinds.values())
        types = (_CTYPES[kind] for kind in self._kinds)
        self.entry = ctypes.CFUNCTYPE(_CTYPES[source.result], *types)(self.address)

    def __call__(self, *arguments: object) -> Any:
        """Run on contiguous NumPy arrays, numbers, and addresses of native functions."""
        return self.entry(*map(self._pass, self._kinds, arguments))

    def __repr__(self) -> str:
        return f"Native{self.kernel!r} at {self.address:#x}"

    def _pass(self, kind: ValueKind, argument: Any) -> Any:
        if kind not in _DTYPES:
            return argument
        fits = argument.dtype == _DTYPES[kind] and argument.flags.c_contiguous
        if not fits:
            raise KernelError(
                self.kernel.__name__,
                f"an argument is an array of {argument.dtype}, or not contiguous",
                f"Pass a contiguous array of {_DTYPES[kind].__name__}.",
            )
        return argument.ctypes.data


@functools.cache
def native_group(
    *sources: Kernel[..., Any], wide: bool = False, **constants: float
) -> tuple[NativeKernel, ...]:
    """Return several kernels as machine code in one library; see `native`."""
    keys: list[str] = []
    library, known = None, None
    for key in source_keys(sources, wide, constants, host_key()):
        known = read_note(key)
        if known is not None:
            library = load_kept(known[0], _addresses(known[1]), _slots(known[1]))
        if library is not None:
            break
        keys.append(key)
    if library is None or known is None:
        translation = _translated(sources, wide, constants)
        # the kernels that it calls are compiled at the same time
        finding = Background(functools.partial(_addresses, translation.shared))
        # on short vectors, more optimisation than the first level costs time and gains none
        level = 2 if wide else 1
        text, slots = translation.module.text(), _slots(translation.shared)
        library = load(text, opt=level, symbols=finding.result, tables=slots)
        known = library.key, translation.shared
    for key in keys:  # under which it was not found
        write_note(key, *known)
    return tuple(NativeKernel(source, library) for source in sources)


def native(
    source: Kernel[..., Any], *, wide: bool = False, **constants: float
) -> NativeKernel:
    """Return a kernel as machine code; arguments named in `constants` are known to it.

    A known argument is still passed, but its value is the constant: `native(k, n=4)` is
    a version of `k` for four states. `wide` is for long `lanes` loops.
    """
    return native_group(source, wide=wide, **constants)[0]


def name_kernels(groups: Sequence[tuple[Kernel[..., Any], ...]]) -> KernelNames:
    """Return the names by which `addresses_of` finds kernels in any process."""
    return tuple(
        tuple(f"{own.function.__module__}:{own.__name__}" for own in group)
        for group in groups
    )


def addresses_of(groups: KernelNames) -> dict[str, int]:
    """Return where the machine code of named kernels starts."""

    def made(group: tuple[str, ...]) -> list[tuple[str, int]]:
        places = (name.split(":") for name in group)
        sources = tuple(getattr(importlib.import_module(m), own) for m, own in places)
        names = (own.__name__ for own in sources)
        return list(zip(names, _addresses_for_good(sources), strict=True))

    return dict(pair for pairs in for_each(made, groups) for pair in pairs)


#: Libraries that other machine code calls by address.
_KEPT_FOR_GOOD: dict[str, NativeLibrary] = {}


def _addresses_for_good(home: tuple[Kernel[..., Any], ...]) -> list[int]:
    """Return where the machine code of the kernels of a library starts; it stays loaded."""
    made = native_group(*home)
    library = made[0].library
    _KEPT_FOR_GOOD[library.key] = library
    return [own.address for own in made]


def translate(*sources: Kernel[..., Any], wide: bool = False, **constants: float) -> str:
    """Return kernels, and all kernels that they call, as textual LLVM IR."""
    return _translated(sources, wide, constants).module.text()


def _translated(
    sources: tuple[Kernel[..., Any], ...], wide: bool, constants: dict[str, float]
) -> Translation:
    from motorik.compiler.kernels.statements import Translation

    translation = Translation(Module(), wide, small=sources[0].home == sources)
    translation.export(sources, constants)
    return translation


def _addresses(shared: Mapping[str, Kernel[..., Any]]) -> dict[str, int]:
    """Return where the machine code of shared kernels starts."""
    found = {
        symbol: _addresses_for_good(own.home)[own.home.index(own)]
        for symbol, own in shared.items()
        if not own.late
    }
    return found | (link_symbol() if any(own.late for own in shared.values()) else {})


def _slots(shared: Mapping[str, Kernel[..., Any]]) -> dict[str, Slot]:
    """Return the slots of late kernels, in which calls find their machine code."""
    late = [own for own in shared.values() if own.late]
    return {slot_name(own): late_group(own.home).slots[own.home.index(own)] for own in late}


def late_group(home: tuple[Kernel[..., Any], ...]) -> LateGroup:
    """Return the group of late kernels that are one library."""
    with _NAMING:
        return _late_group(home)


_NAMING = threading.Lock()


@functools.cache
def _late_group(home: tuple[Kernel[..., Any], ...]) -> LateGroup:
    return LateGroup(len(home), functools.partial(_addresses_for_good, home))


def link_early(*sources: Kernel[..., Any]) -> None:
    """Begin to make the machine code of late kernels that will be called, in another thread.

    It is begun once. If it could not be made, the error is raised when it is asked for again; if
    native code has called it by then, the process has ended.
    """
    homes = dict.fromkeys(own.home for own in sources)
    groups = [group for group in map(late_group, homes) if group.begin()]
    if groups:
        Background(lambda: [group.link_or_keep_error() for group in groups])
