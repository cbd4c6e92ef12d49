"""The stamp of the installation: it tells one state of this package from another.

It goes by names, sizes and times of change of the source files, as Python itself does when it
decides whether a compiled module is up to date.
"""

from __future__ import annotations

import functools
import hashlib
import os

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

#: What is in this package without being a source of equations or of the code of runs.
BESIDE = frozenset("__pycache__ gallery mobile view exchange checks".split())


@functools.cache
def package_stamp() -> str:
    """Return the digest of names, sizes and times of change of all source files."""
    found: list[tuple[str, int, int]] = []
    waiting = [PACKAGE]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.name.endswith(".py"):
                    status = entry.stat()
                    found.append((entry.path, status.st_size, status.st_mtime_ns))
                elif entry.name not in BESIDE and entry.is_dir():
                    waiting.append(entry.path)
    return hashlib.sha256(repr(sorted(found)).encode()).hexdigest()


def is_stamped(module: str) -> bool:
    """Return whether a module is one of those that the stamp is taken over."""
    package, _, inner = module.partition(".")
    return package == "motorik" and inner.partition(".")[0] not in BESIDE
