"""Changes: the smallest steps from one state of a document to another, each with its inverse.

A change is plain JSON, so that pages apply the same ones to their copies::

    {"path": ["parts", 3, "arguments", "n"], "value": "z"}    a value, of a key old or new
    {"path": ["parts", 3], "remove": true}                    a key, or an element of a list
    {"path": ["parts", 3], "insert": {…}}                     before this element of a list
    {"path": ["diagram", "rod"], "insert": [1, 2], "at": 0}   a key, with its place among keys

Applied in reverse order, the inverses lead back to the same text, byte for byte.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from motorik.documents.reading import Data, Json
from motorik.errors import FileFormatError

Path = Sequence[str | int]


def copied(value: Json) -> Any:
    """Return a copy of a value of JSON that shares nothing with it."""
    if isinstance(value, dict):
        return {name: copied(one) for name, one in value.items()}
    if isinstance(value, list):
        return [copied(one) for one in value]
    return value


def apply_change(data: Data, change: Data) -> Data:
    """Change the data of a document, and return the inverse change."""
    path = change["path"]
    *way, last = path
    home: Any = data
    for step in way:
        home = home[step]
    if change.get("remove"):
        return _removed(home, path, last)
    if "insert" in change:
        return _inserted(home, path, last, copied(change["insert"]), change.get("at"))
    value = copied(change["value"])
    if isinstance(home, dict) and last not in home:
        home[last] = value
        return {"path": [*path], "remove": True}
    inverse = {"path": [*path], "value": home[last]}
    home[last] = value
    return inverse


def _removed(home: Json, path: Path, last: Json) -> Data:
    if isinstance(home, list):
        return {"path": [*path], "insert": home.pop(last)}
    at = [*home].index(last)
    return {"path": [*path], "insert": home.pop(last), "at": at}


def _inserted(home: Json, path: Path, last: Json, value: Json, at: int | None) -> Data:
    inverse = {"path": [*path], "remove": True}
    if isinstance(home, list):
        home.insert(last, value)
    elif at is None or at >= len(home):
        home[last] = value
    else:
        items = [*home.items()]
        items.insert(at, (last, value))
        home.clear()
        home.update(items)
    return inverse


class Editor:
    """Changes the data of a document and keeps every change with its inverse."""

    def __init__(self, data: Data) -> None:
        self.data = data
        self.changes: list[Data] = []
        self.inverses: list[Data] = []

    def put(self, path: Path, value: Json) -> None:
        """Give a key or element a value; nothing happens if it has it already."""
        home = self._at(path[:-1])
        last: Any = path[-1]
        if isinstance(home, dict) and last in home and _same(home[last], value):
            return
        self._apply({"path": [*path], "value": copied(value)})

    def remove(self, path: Path) -> None:
        """Remove a key or an element."""
        self._apply({"path": [*path], "remove": True})

    def insert(self, path: Path, value: Json, at: int | None = None) -> None:
        """Insert an element before that of the path, or a key at its place."""
        change = {"path": [*path], "insert": copied(value)}
        if at is not None:
            change["at"] = at
        self._apply(change)

    def append(self, path: Path, value: Json) -> None:
        """Append an element to a list."""
        self.insert([*path, len(self._at(path))], value)

    def ensure(self, path: Path, empty: Json) -> Any:
        """Return the value of a path, made empty if there is none."""
        home, last = self._at(path[:-1]), path[-1]
        if last not in home:
            self.put(path, empty)
        return home[last]

    def undo(self) -> None:
        """Take all changes back."""
        for inverse in reversed(self.inverses):
            apply_change(self.data, inverse)
        self.changes, self.inverses = [], []

    def _apply(self, change: Data) -> None:
        self.inverses.append(apply_change(self.data, change))
        self.changes.append(change)

    def _at(self, path: Path) -> Any:
        found: Any = self.data
        for step in path:
            found = found[step]
        return found


def _same(a: Json, b: Json) -> bool:
    """Return whether two values have one text: 1 and 1.0 and true are three."""
    return json.dumps(a) == json.dumps(b)


def check_json(value: Json, what: str) -> Any:
    """Return a copy of a value if a document can hold it, or raise an error."""
    try:
        return json.loads(json.dumps(value, allow_nan=False))
    except (TypeError, ValueError, RecursionError):
        raise FileFormatError(
            what, "is no value that a file can hold.", "Give numbers, text or lists."
        ) from None
