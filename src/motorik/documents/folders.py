"""Folders of the user: what is computed once, and what must not be lost."""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any


def cache_folder() -> Path | None:
    """Return the folder for results that can be computed again, None if there is no home."""
    return _folder("XDG_CACHE_HOME", ".cache", "Library/Caches", "cache")


def state_folder() -> Path | None:
    """Return the folder for autosaved documents and recent files, None if there is no home."""
    return _folder("XDG_STATE_HOME", ".local/state", "Library/Application Support", "state")


def _folder(variable: str, linux: str, mac: str, name: str) -> Path | None:
    """Return the place the system has for it; ``MOTORIK_HOME`` is a folder for all of them."""
    own = os.environ.get("MOTORIK_HOME")
    if own:
        return Path(own) / name
    if sys.platform == "win32":
        home = os.environ.get("LOCALAPPDATA")
        return Path(home) / "motorik" / name if home else None
    given = os.environ.get(variable)
    if given and Path(given).is_absolute():
        return Path(given) / "motorik"
    try:
        user = Path.home()
    except RuntimeError:
        return None
    return user / (mac if sys.platform == "darwin" else linux) / "motorik"


def kept(
    name: str, rooms: Sequence[str], make: Callable[[], dict[str, Any]]
) -> dict[str, Any]:
    """Return data that follow from the source of these packages; kept on disk until it changes."""
    folder = cache_folder()
    if folder is None:
        return make()
    file = folder / f"{name}-{_state_of(rooms)}.json"
    try:
        found = json.loads(file.read_text("utf-8"))
        if isinstance(found, dict):
            return found
    except (OSError, ValueError):
        pass
    found = make()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob(f"{name}-*.json"):
            old.unlink(missing_ok=True)
        write_whole(file, json.dumps(found))
    except OSError:
        pass
    return found


def _state_of(rooms: Sequence[str]) -> str:
    """Return a key that is another one when a file of the packages is another one."""
    motorik: Any = importlib.import_module("motorik")
    home = Path(motorik.__file__).parent
    digest = hashlib.sha256(motorik.__version__.encode())
    for room in rooms:
        for file in sorted((home / room).rglob("*.py")):
            state = file.stat()
            digest.update(f"{file.name} {state.st_size} {state.st_mtime_ns};".encode())
    return digest.hexdigest()[:16]


def write_whole(path: Path, text: str) -> None:
    """Write a file at once: a crash leaves the old one or the new one, never a half."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
        os.chmod(name, mode)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
