"""Source cache: the object code of kernels found by the digest of their Python source.

The object cache stores code under the digest of its LLVM IR, and translating kernels to IR takes
longer than everything else in a process whose code is cached. So a note is stored as well: under
the digest of the source, the key of the object code and the shared kernels that it calls. The
source is the text of the whole package, together with the numbers and kernels in the closures of
kernels that a function has made.
"""

from __future__ import annotations

import functools
import hashlib
import platform
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from motorik.compiler.cache import read_entry, write_entry
from motorik.compiler.kernels.language import SHARED, Kernel

PACKAGE = Path(__file__).parents[2]
Kernels = tuple[Kernel[..., Any], ...]


def source_key(
    sources: Kernels, wide: bool, constants: Mapping[str, float], host: str
) -> str | None:
    """Return the digest of the source of kernels, None if not all of it is in the package."""
    known = [_described(source) for source in sources]
    package = _package_digest()
    if package is None or None in known:
        return None
    given = sorted(constants.items())
    text = repr((package, platform.python_version(), host, known, wide, given))
    return hashlib.sha256(text.encode()).hexdigest()


def read_note(key: str) -> tuple[str, dict[str, Kernel[..., Any]]] | None:
    """Return the key of machine code, and the shared kernels that it calls by their symbols."""
    note = read_entry(key)
    if note is None:
        return None
    code, *symbols = note.decode().split()
    if not all(symbol in SHARED for symbol in symbols):
        return None
    return code, {symbol: SHARED[symbol] for symbol in symbols}


def write_note(key: str, code: str, shared: Mapping[str, Kernel[..., Any]]) -> None:
    """Note under which key the machine code of kernels is kept."""
    write_entry(key, " ".join((code, *shared)).encode())


@functools.cache
def _described(source: Kernel[..., Any]) -> tuple[object, ...] | None:
    """Return the identity of a kernel within the package, None if it is not in the package."""
    code = source.function.__code__
    if not Path(code.co_filename).is_relative_to(PACKAGE):
        return None
    around: list[object] = []
    for cell in source.function.__closure__ or ():
        value = cell.cell_contents
        own = _described(value) if isinstance(value, Kernel) else _plain(value)
        if own is None:
            return None
        around.append(own)
    file = Path(code.co_filename).relative_to(PACKAGE)
    name = source.function.__qualname__
    return str(file), name, code.co_firstlineno, source.inline, tuple(around)


def _plain(value: object) -> str | None:
    """Return numbers, words, and tuples of them as text, None if it is anything else."""
    if isinstance(value, tuple):
        parts = [_plain(part) for part in value]
        return None if None in parts else repr(parts)
    return repr(value) if isinstance(value, (int, float, str)) else None


@functools.cache
def _package_digest() -> str | None:
    """Return the digest of all files of the package, None if they cannot be read."""
    digest = hashlib.sha256()
    try:
        for path in sorted(PACKAGE.rglob("*.py")):
            digest.update(path.read_bytes() + b"\0")
    except OSError:
        return None
    return digest.hexdigest()
