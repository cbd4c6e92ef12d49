"""The object cache: compiled code kept on disk under the digest of its source."""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

MAGIC = b"motorik object 1\n"
SUFFIX = ".object"
DIGEST_SIZE = hashlib.sha256().digest_size

#: Bytes of object code that `trim_cache` keeps unless told otherwise.
DEFAULT_LIMIT = 512 * 2**20


def cache_directory() -> Path:
    """Return where objects are kept: `MOTORIK_CACHE_DIR`, or the user's cache folder."""
    chosen = os.environ.get("MOTORIK_CACHE_DIR")
    if chosen:
        return Path(chosen)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "motorik"


def read_entry(key: str) -> bytes | None:
    """Return the object stored under `key`, or None if there is none to be trusted.

    An entry is trusted if this user wrote it and its digest is right; any other is
    deleted where possible and counts as absent.
    """
    try:
        path = _entry_path(key)
        with path.open("rb") as file:
            ours = _is_ours(os.fstat(file.fileno()))
            content = file.read() if ours else b""
    except (OSError, RuntimeError):
        return None
    header = len(MAGIC) + DIGEST_SIZE
    data = content[header:]
    if content[:header] != MAGIC + _digest(key, data):
        _discard(path)
        return None
    try:
        os.utime(path)  # the age in `trim_cache` is the time since the last use
    except OSError:
        pass
    return data


def write_entry(key: str, data: bytes) -> bool:
    """Store `data` under `key` in one atomic step; return False where that cannot be.

    The first entry that a process writes also bounds the size of the cache.
    """
    try:
        path = _entry_path(key)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".part")
    except (OSError, RuntimeError):
        return False
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(MAGIC + _digest(key, data) + data)
        os.replace(temporary, path)
    except OSError:
        _discard(Path(temporary))
        return False
    if not _trimmed:
        _trimmed.append(True)
        trim_cache()
    return True


def trim_cache(limit: int = DEFAULT_LIMIT) -> int:
    """Delete the entries unused for longest until `limit` bytes remain; return the rest."""
    ages: list[tuple[float, int, Path]] = []
    for path in _entries():
        try:
            status = path.stat()
        except OSError:
            continue
        ages.append((status.st_mtime, status.st_size, path))
    kept = 0
    for _, size, path in sorted(ages, reverse=True):
        if kept + size <= limit:
            kept += size
        else:
            _discard(path)
    return kept


def clear_cache() -> None:
    """Delete every entry of the cache; code that is loaded already stays usable."""
    for path in _entries():
        _discard(path)


_trimmed: list[bool] = []


def _digest(key: str, data: bytes) -> bytes:
    return hashlib.sha256(key.encode() + data).digest()


def _entry_path(key: str) -> Path:
    return cache_directory() / (key + SUFFIX)


def _entries() -> Iterator[Path]:
    try:
        yield from list(cache_directory().glob("*" + SUFFIX))
    except (OSError, RuntimeError):
        return


def _is_ours(status: os.stat_result) -> bool:
    return not hasattr(os, "geteuid") or status.st_uid == os.geteuid()


def _discard(path: Path) -> None:
    try:
        path.unlink()
    except OSError:
        pass
