"""Files of the user: recent ones, the autosaved document, paths that the user names."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

from motorik.documents.folders import state_folder, write_whole
from motorik.documents.reading import LARGEST
from motorik.errors import FileFormatError

MOST = 12  # recent files
SUFFIX = ".json"


def checked_path(path: object, folder: Path) -> Path:
    """Return the path of a document that the user names; refuse what is no file of ours.

    Relative ones are below `folder`. Documents end in .json, so that no other file of the user
    is read or replaced.
    """
    if not isinstance(path, str) or not path.strip() or len(path) > 1000 or "\0" in path:
        raise FileFormatError(
            "file", "has no name.", "Give the path of a file.", value=path
        )
    found = Path(os.path.expanduser(path.strip()))
    found = found if found.is_absolute() else folder / found
    if found.suffix == "":
        found = found.with_suffix(SUFFIX)
    if found.suffix.lower() != SUFFIX:
        raise FileFormatError(
            str(found),
            f"does not end in {SUFFIX}.",
            f"Give e.g. crane{SUFFIX}.",
            value=path,
        )
    if found.exists() and not found.is_file():
        raise FileFormatError(str(found), "is no file.", "Give another path.", value=path)
    if found.exists() and found.stat().st_size > LARGEST:
        raise FileFormatError(str(found), "is too large for a document.", value=path)
    return found


class StudioFolder:
    """The recent files and the autosaved document of the user; without a home there are none."""

    def __init__(self) -> None:
        self.home = state_folder()

    def recent(self) -> list[dict[str, Any]]:
        """Return the recent files, the newest first."""
        found = self._read("recent.json")
        entries = found.get("files", []) if isinstance(found, dict) else []
        known = []
        for one in entries if isinstance(entries, list) else []:
            if isinstance(one, dict) and isinstance(one.get("path"), str):
                if Path(one["path"]).is_file():
                    known.append({**one, "name": Path(one["path"]).stem})
        return known[:MOST]

    def note(self, path: Path) -> None:
        """Note that a file was opened or saved."""
        entry = {"path": str(path.resolve()), "when": time.time()}
        others = [one for one in self.recent() if one["path"] != entry["path"]]
        self._write("recent.json", {"files": [entry, *others][:MOST]})

    def autosave(self, session: str, text: str, file: Path | None, name: str) -> None:
        """Keep what is not saved yet; it is found again after a crash."""
        content = {
            "text": text,
            "path": None if file is None else str(file),
            "name": name,
            "when": time.time(),
            "process": os.getpid(),
        }
        self._write(f"autosave-{session}.json", content)

    def forget(self, session: str) -> None:
        """Forget an autosaved document: it was saved, or is not wanted."""
        if self.home is not None:
            try:
                (self.home / f"autosave-{session}.json").unlink(missing_ok=True)
            except OSError:
                pass

    def recovered(self, own: str) -> tuple[str, dict[str, Any]] | None:
        """Return session and content of the newest document that a crash has left."""
        if self.home is None:
            return None
        found = []
        for file in self.home.glob("autosave-*.json"):
            session = file.stem.removeprefix("autosave-")
            content = self._read(file.name)
            if session == own or not isinstance(content, dict):
                continue
            if not isinstance(content.get("text"), str) or _lives(content.get("process")):
                continue
            found.append((float(content.get("when", 0.0)), session, content))
        if not found:
            return None
        _, session, content = max(found, key=lambda one: one[0])
        return session, content

    def _read(self, name: str) -> object:
        if self.home is None:
            return {}
        try:
            return json.loads((self.home / name).read_text("utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}

    def _write(self, name: str, content: dict[str, Any]) -> None:
        if self.home is None:
            return
        try:
            self.home.mkdir(parents=True, exist_ok=True)
            write_whole(self.home / name, json.dumps(content))
        except OSError:
            pass  # a full disk must not stop the work


def _lives(process: object) -> bool:
    """Return whether the process that has autosaved a document still runs."""
    if not isinstance(process, int) or process <= 0 or os.name == "nt":
        return False
    if process == os.getpid():
        return True
    try:
        os.kill(process, 0)
    except (OSError, OverflowError):
        return False
    return True
