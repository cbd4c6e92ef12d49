"""The object cache: object code kept on disk under the digest of its source.

It lies in the user's cache folder, or in `MOTORIK_CACHE_DIR`, and holds at most
`MOTORIK_CACHE_SIZE` megabytes, 256 unless set; with 0 nothing is kept. The least recently used
entries are evicted first. Eviction runs only after an eighth of this size has been written since
the last time, by any process: a small file, `unswept`, grows by a byte for every 4 KiB written, and
the process that removes it evicts. Entries are written atomically and may vanish at any moment, so
any number of processes share the folder.
"""

from __future__ import annotations

import hashlib
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from motorik.errors import ParameterError

MAGIC = b"motorik object 3\n"
SUFFIX = ".object"
UNFINISHED = ".part"
DIGEST_SIZE = hashlib.sha256().digest_size

#: Megabytes of object code that are kept unless `MOTORIK_CACHE_SIZE` says otherwise.
DEFAULT_SIZE = 256.0
MEGABYTE = 2**20

#: Share of the limit that may be written before entries are evicted again.
SWEEP_AFTER = 1 / 8

#: The file that grows with the bytes written since the last eviction, and how many count one.
COUNTER = "unswept"
COUNTED = 4096

#: Seconds after which a file that was never finished is given up.
ABANDONED = 3600.0


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

    Now and then this also bounds the size of the cache.
    """
    import tempfile

    limit = cache_limit()
    content = MAGIC + _digest(key, data) + data
    if len(content) > limit:
        return False
    try:
        path = _entry_path(key)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=UNFINISHED)
    except (OSError, RuntimeError):
        return False
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(temporary, path)
    except OSError:
        _discard(Path(temporary))
        return False
    if _count_written(len(content)) > SWEEP_AFTER * limit and _take_turn():
        trim_cache(int((1 - SWEEP_AFTER) * limit))
    return True


def cache_limit() -> int:
    """Return how many bytes of object code are kept: `MOTORIK_CACHE_SIZE` megabytes."""
    given = os.environ.get("MOTORIK_CACHE_SIZE", "")
    try:
        size = float(given) if given else DEFAULT_SIZE
    except ValueError:
        size = -1.0
    if not 0.0 <= size < float("inf"):
        raise ParameterError(
            "MOTORIK_CACHE_SIZE",
            f"is '{given}', which is not a size in megabytes",
            f"Give a number such as {DEFAULT_SIZE:g}; 0 keeps nothing.",
            parameter="MOTORIK_CACHE_SIZE",
            value=given,
        )
    return int(size * MEGABYTE)


def trim_cache(limit: int | None = None) -> int:
    """Delete the entries unused for longest until `limit` bytes remain; return the rest.

    Without a limit it is that of `cache_limit`. Unfinished files of interrupted processes
    are deleted as well.
    """
    limit = cache_limit() if limit is None else limit
    ages: list[tuple[float, int, Path]] = []
    for path in _files(SUFFIX):
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
    now = time.time()
    for path in _files(UNFINISHED):
        try:
            if now - path.stat().st_mtime > ABANDONED:
                _discard(path)
        except OSError:
            continue
    return kept


def clear_cache() -> None:
    """Delete every entry of the cache; code that is loaded already stays usable."""
    for path in (*_files(SUFFIX), *_files(COUNTER)):
        _discard(path)


def _count_written(size: int) -> int:
    """Note that `size` bytes were written; return how many since the last sweep, about."""
    try:
        with (cache_directory() / COUNTER).open("ab") as file:
            file.write(b"." * -(-size // COUNTED))
            return COUNTED * file.tell()
    except (OSError, RuntimeError):
        return 0


def _take_turn() -> bool:
    """Return whether it is this process that sweeps: the one that takes the counter away."""
    try:
        (cache_directory() / COUNTER).unlink()
    except (OSError, RuntimeError):
        return False
    return True


def _digest(key: str, data: bytes) -> bytes:
    return hashlib.sha256(key.encode() + data).digest()


def _entry_path(key: str) -> Path:
    return cache_directory() / (key + SUFFIX)


def _files(suffix: str) -> Iterator[Path]:
    try:
        yield from list(cache_directory().glob("*" + suffix))
    except (OSError, RuntimeError):
        return


def _is_ours(status: os.stat_result) -> bool:
    return not hasattr(os, "geteuid") or status.st_uid == os.geteuid()


def _discard(path: Path) -> None:
    try:
        path.unlink()
    except OSError:
        pass
