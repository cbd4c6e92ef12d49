"""Source cache: the object code of kernels found by the digest of their Python source.

The object cache stores code under the digest of its LLVM IR, and translating kernels to IR takes
longer than everything else in a process whose code is cached. So a note is stored as well: under
the digest of the source, the key of the object code and the shared kernels that it calls. The
source is the text of the translator, of the modules that define the kernels, and of all modules of
the package that one of these imports, directly or not, also within functions; together with the
numbers and kernels in the closures of kernels that a function has made. Reading all of this takes
longer than loading the code, so the note is stored under the stamp of the package as well.
"""

from __future__ import annotations

import functools
import hashlib
import os
import platform
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from motorik.compiler.cache import read_entry, write_entry
from motorik.compiler.installed import is_stamped, package_stamp
from motorik.compiler.kernels.language import SHARED, Kernel

PACKAGE = Path(__file__).parents[2]
TRANSLATOR = Path(__file__).parent
IMPORT = re.compile(rb"from (motorik[\w.]*) import (\([^)]*\)|.*)")
Kernels = tuple[Kernel[..., Any], ...]


def source_keys(
    sources: Kernels, wide: bool, constants: Mapping[str, float], host: str
) -> Iterator[str]:
    """Yield the keys of kernels, none if not all of their source is in the package.

    The first follows from the stamp of the package and is found at once; the second from
    the digest of the source, and stays what it is while other modules change.
    """
    known = [_described(source) for source in sources]
    if None in known:
        return
    given = sorted(constants.items())

    def key(source: str) -> str:
        described = repr((source, platform.python_version(), host, known, wide, given))
        return hashlib.sha256(described.encode()).hexdigest()

    modules = frozenset(_home_modules(sources))
    if all(map(is_stamped, modules)):
        yield key(package_stamp())
    text = source_digest(modules)
    if text is not None:
        yield key(text)


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
    package = f"{PACKAGE}{os.sep}"
    if not code.co_filename.startswith(package):
        return None
    around: list[object] = []
    for cell in source.function.__closure__ or ():
        value = cell.cell_contents
        own = _described(value) if isinstance(value, Kernel) else _plain(value)
        if own is None:
            return None
        around.append(own)
    file = code.co_filename.removeprefix(package)
    name = source.function.__qualname__
    return file, name, code.co_firstlineno, source.inline, tuple(around)


def _plain(value: object) -> str | None:
    """Return numbers, words, and tuples of them as text, None if it is anything else."""
    if isinstance(value, tuple):
        parts = [_plain(part) for part in value]
        return None if None in parts else repr(parts)
    return repr(value) if isinstance(value, (int, float, str)) else None


def _home_modules(sources: Iterable[Kernel[..., Any]]) -> Iterator[str]:
    """Yield the modules that define kernels, and those of the kernels in their closures."""
    for source in sources:
        yield source.function.__module__
        for cell in source.function.__closure__ or ():
            if isinstance(cell.cell_contents, Kernel):
                yield from _home_modules((cell.cell_contents,))


@functools.cache
def source_digest(modules: frozenset[str]) -> str | None:
    """Return the digest of modules, the translator and all that they import in the package.

    It is None if one of them cannot be read.
    """
    texts: dict[str, bytes] = {}
    waiting = [*map(_file_of, modules), *TRANSLATOR.glob("*.py")]
    try:
        while waiting:
            file = str(waiting.pop())
            if file not in texts:
                with open(file, "rb") as opened:
                    texts[file] = opened.read()
                waiting += imported_files(texts[file])
    except OSError:
        return None
    digest = hashlib.sha256()
    for file in sorted(texts):
        digest.update(b"%d\0" % len(texts[file]) + texts[file])
    return digest.hexdigest()


def imported_files(text: bytes) -> Iterator[str]:
    """Yield the files of the package that a text imports, also within functions.

    Modules of the package are imported by `from`, which a test of its rooms holds.
    """
    for match in IMPORT.finditer(text):
        package, names = match[1].decode(), match[2].decode()
        file = _file_of(package)
        if file is not None:
            yield file
        if file is None or file.endswith("__init__.py"):
            found = (_file_of(f"{package}.{name}") for name in re.findall(r"\w+", names))
            yield from (own for own in found if own is not None)


@functools.cache
def _file_of(module: str) -> str | None:
    """Return the file of a module of the package, None if there is no such module."""
    path = os.path.join(PACKAGE, *module.split(".")[1:])
    candidates = (f"{path}.py", os.path.join(path, "__init__.py"))
    return next(filter(os.path.isfile, candidates), None)
