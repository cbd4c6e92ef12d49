"""Reading documents: JSON of any origin to plain data of known shape, and what was lost.

Nothing is executed, imported or opened. Unreadable pieces are left out and reported; unknown keys
are kept, so that a newer version loses nothing by passing through this one.
"""

from __future__ import annotations

import json
import keyword
import math
import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from motorik.documents.diagnostics import Diagnostic, shown
from motorik.errors import FileFormatError

VERSION = 1
LARGEST = 64_000_000  # characters of a file
MOST_PARTS = 20_000  # of a document, with those of its sub-models
MOST_CONNECTIONS = 4 * MOST_PARTS
DEEPEST = 40  # lists and objects within one another, in one value
MOST_LOSSES = 50  # that are listed one by one

LEFT_OUT = "It was left out."
KEPT = "It is kept as text at its place, to be given anew."

NAME = re.compile(r"[^\W\d]\w{0,79}(\[\w+(,\w+)*\])?", re.UNICODE)
"""The name of a part: an identifier, in lists with a place: `legs[1]`, `wheels[left]`."""

Json = Any  # a value of JSON
Data = dict[str, Json]


class Losses:
    """The faults found while a file is read."""

    def __init__(self) -> None:
        self.found: list[Diagnostic] = []
        self.more = 0

    def note(
        self, part: str, field: str, text: str, value: object = None, then: str = LEFT_OUT
    ) -> None:
        """Note that something was left out, or what became of it."""
        if len(self.found) >= MOST_LOSSES:
            self.more += 1
            return
        seen = "" if value is None else shown(value)
        self.found.append(Diagnostic(text, then, part, "", field, seen, "warning"))

    def all(self) -> tuple[Diagnostic, ...]:
        """Return all of them; beyond a number only their count."""
        if not self.more:
            return tuple(self.found)
        text = f"{self.more} further places of the file could not be read."
        return (*self.found, Diagnostic(text, level="warning"))


def is_name(name: object) -> bool:
    """Return whether a text can be the name of a part."""
    return (
        isinstance(name, str)
        and NAME.fullmatch(name) is not None
        and not keyword.iskeyword(name)
        and not name.startswith("__")
    )


def is_identifier(name: object) -> bool:
    """Return whether a text can be the name of a parameter or sub-model."""
    return is_name(name) and "[" not in str(name)


def read_text(
    text: str | bytes, name: str = "document"
) -> tuple[Data, tuple[Diagnostic, ...]]:
    """Return the data of a document, and what was lost; raise an error if it is none.

    `name` says in errors where the text is from.
    """
    losses = Losses()
    found = _parsed(text, name, losses)
    if not isinstance(found, dict):
        raise FileFormatError(
            name,
            f"is a {type(found).__name__}, not an object with parts.",
            "Open a file that was saved by motorik.",
            value=shown(found),
        )
    return clean(found, losses), losses.all()


def _parsed(text: str | bytes, name: str, losses: Losses) -> object:
    if isinstance(text, bytes):
        text = text.decode("utf-8-sig", errors="replace")
    if len(text) > LARGEST:
        raise FileFormatError(
            name,
            f"has {len(text)} characters; files up to {LARGEST} are read.",
            "Split it into several documents.",
            value=len(text),
        )

    def strange(word: str) -> Data:
        if word != "NaN":
            return {"number": word.replace("Infinity", "inf")}
        losses.note("", "", "NaN is not a number.", then=KEPT)
        return {"unreadable": word}

    def number(digits: str) -> float | Data:
        value = float(digits)
        if math.isfinite(value):
            return value
        losses.note("", "", "a number is too large.", digits[:40], KEPT)
        return {"unreadable": digits[:40]}

    def whole(digits: str) -> float | int | Data:
        return int(digits) if len(digits) < 17 else number(digits)

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            counts = Counter(name for name, _ in pairs)
            double, _ = counts.most_common(1)[0]
            losses.note("", double[:80], "appears several times in one object.")
        return found

    decoder = json.JSONDecoder(
        object_pairs_hook=unique,
        parse_constant=strange,
        parse_float=number,
        parse_int=whole,
    )
    try:
        return decoder.decode(text)
    except json.JSONDecodeError as error:
        raise FileFormatError(
            name,
            f"is not JSON: {error.msg} in line {error.lineno}, column {error.colno}.",
            "Open a file that was saved by motorik; a broken copy may be recovered by hand there.",
            value=text[max(error.pos - 20, 0) : error.pos + 20],
        ) from None
    except RecursionError:
        raise FileFormatError(
            name, "has objects nested too deeply.", "Open a file saved by motorik."
        ) from None


# --- cleaning -----------------------------------------------------------------------------


def clean(data: Data, losses: Losses) -> Data:
    """Return data of known shape: what does not fit is left out and noted."""
    version = data.get("motorik")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        losses.note("", "motorik", "the version of the document is missing.", version)
    elif version > VERSION:
        text = f"the document has version {version}; this program knows {VERSION}."
        losses.found.append(
            Diagnostic(text, "Unknown parts of it are kept.", level="warning")
        )
        data = {**data}
    left = _Budget(losses)
    found: Data = {"motorik": version if isinstance(version, int) and version > 1 else 1}
    found |= _scope({k: v for k, v in data.items() if k != "motorik"}, "", left)
    return found


class _Budget:
    """The parts and connections that may still be read."""

    def __init__(self, losses: Losses) -> None:
        self.losses, self.parts, self.connections = losses, MOST_PARTS, MOST_CONNECTIONS


def _scope(data: Data, name: str, left: _Budget) -> Data:
    """Return the model itself or a sub-model, cleaned."""
    losses = left.losses
    readers: dict[str, Callable[[Any], Any]] = {
        "name": lambda value: _text(value, "name", losses),
        "description": lambda value: _text(value, "description", losses),
        "modules": lambda value: _modules(value, losses),
        "parameters": lambda value: _parameters(value, losses),
        "parts": lambda value: _parts(value, left),
        "connections": lambda value: _connections(value, left),
        "ports": lambda value: _ports(value, losses),
        "models": lambda value: _models(value, left),
        "diagram": lambda value: _diagram(value, losses),
        "notes": lambda value: _entries(value, "notes", losses),
        "panels": lambda value: _entries(value, "panels", losses),
        "run": lambda value: _object(value, "run", losses),
        "visual": lambda value: _object(value, "visual", losses),
    }
    found: Data = {}
    for key, value in data.items():
        if key in readers:
            if name and key == "models":
                losses.note(name, key, "sub-models stand in the document itself.")
                continue
            found[key] = readers[key](value)
        else:
            kept, deep = plain(value)
            if deep:
                losses.note(name, key[:80], "is nested too deeply.")
            else:
                found[key] = kept
    for key in ("parts", "connections"):
        found.setdefault(key, [])
    return found


def plain(value: Json, depth: int = DEEPEST) -> tuple[Any, bool]:
    """Return a value of JSON, and whether it is nested too deeply."""
    if isinstance(value, (dict, list)):
        if depth == 0:
            return None, True
        inner = value.values() if isinstance(value, dict) else value
        if any(plain(one, depth - 1)[1] for one in inner):
            return None, True
    return value, False


def _text(value: object, field: str, losses: Losses) -> str:
    if isinstance(value, str):
        return value
    losses.note("", field, "is not text.", value)
    return ""


def _object(value: object, field: str, losses: Losses) -> Data:
    if isinstance(value, dict) and not plain(value)[1]:
        return value
    losses.note("", field, "is not an object.", value)
    return {}


def _list(value: object, field: str, losses: Losses) -> list[Any]:
    if isinstance(value, list):
        return value
    losses.note("", field, "is not a list.", value)
    return []


def _modules(value: object, losses: Losses) -> list[str]:
    found = []
    for one in _list(value, "modules", losses):
        if isinstance(one, str) and all(map(str.isidentifier, one.split("."))):
            found.append(one)
        else:
            losses.note("", "modules", "is not the name of a module.", one)
    return found


def _parameters(value: object, losses: Losses) -> list[Data]:
    found: list[Data] = []
    names: set[str] = set()
    for one in _list(value, "parameters", losses):
        name = one.get("name") if isinstance(one, dict) else None
        if not isinstance(one, dict) or not is_identifier(name):
            losses.note("", "parameters", "is not a parameter with a name.", one)
        elif name in names:
            losses.note("", "parameters", f"there are two parameters {name!r}.")
        elif plain(one)[1]:
            losses.note("", "parameters", f"{name!r} is nested too deeply.")
        else:
            names.add(str(name))
            found.append({**one, "value": one.get("value", 0.0)})
    return found


def _parts(value: object, left: _Budget) -> list[Data]:
    losses, found = left.losses, []
    names: set[str] = set()
    given = _list(value, "parts", losses)
    for one in given:
        name = one.get("id") if isinstance(one, dict) else None
        if not isinstance(one, dict) or not is_name(name):
            losses.note("", "parts", "is not a part with a name.", one)
            continue
        name = str(name)
        if name in names:
            losses.note(name, "", "there are two parts of this name.")
            continue
        if left.parts == 0:
            continue
        if not isinstance(one.get("class"), str):
            losses.note(name, "class", "is not the name of a class.", one.get("class"))
            continue
        left.parts -= 1
        names.add(name)
        found.append(_part(one, name, losses))
    lost = len(given) - len(found)
    if left.parts == 0 and lost:
        text = f"only {MOST_PARTS} parts of a document are read; {lost} are missing."
        losses.found.append(
            Diagnostic(text, "Split the model into several.", level="error")
        )
    return found


def _part(one: Data, name: str, losses: Losses) -> Data:
    found = dict(one)
    arguments = one.get("arguments", {})
    if not isinstance(arguments, dict):
        losses.note(name, "arguments", "is not an object.", arguments)
        arguments = {}
    kept = {}
    for key, value in arguments.items():
        if not key.isidentifier():
            losses.note(name, key[:80], "is not the name of a parameter.")
        elif plain(value)[1]:
            losses.note(name, key[:80], "is nested too deeply.")
        else:
            kept[key] = value
    if "arguments" in one:
        found["arguments"] = kept
    for key in [key for key in found if key not in ("id", "class", "arguments")]:
        if plain(found[key])[1]:
            losses.note(name, key[:80], "is nested too deeply.")
            del found[key]
    return found


def _connections(value: object, left: _Budget) -> list[list[str]]:
    losses, found = left.losses, []
    for one in _list(value, "connections", losses):
        is_pair = isinstance(one, list) and len(one) == 2
        if not is_pair or not all(isinstance(end, str) for end in one):
            losses.note("", "connections", "is not a pair of ports.", one)
        elif left.connections == 0:
            losses.more += 1
        else:
            left.connections -= 1
            found.append([*one])
    return found


def _ports(value: object, losses: Losses) -> Data:
    found = {}
    for name, one in _object(value, "ports", losses).items():
        if is_identifier(name) and isinstance(one, (str, dict)):
            found[name] = one
        else:
            losses.note("", "ports", f"{name[:80]!r} is not a port.", one)
    return found


def _models(value: object, left: _Budget) -> Data:
    found = {}
    for name, one in _object_of_models(value, left.losses).items():
        if is_identifier(name) and isinstance(one, dict):
            found[name] = _scope(one, name, left)
        else:
            left.losses.note("", "models", f"{name[:80]!r} is not a sub-model.", one)
    return found


def _object_of_models(value: object, losses: Losses) -> Data:
    """Return sub-models by name; how deep they are nested is judged one by one."""
    if isinstance(value, dict):
        return value
    losses.note("", "models", "is not an object.", value)
    return {}


def is_place(value: object) -> bool:
    """Return whether a value is a place in the diagram: two numbers."""
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(isinstance(x, (int, float)) and not isinstance(x, bool) for x in value)
        and all(abs(x) < 1e9 for x in value)
    )


def _diagram(value: object, losses: Losses) -> Data:
    found = {}
    for name, place in _object(value, "diagram", losses).items():
        if is_place(place):
            found[name] = place
        else:
            losses.note(name[:80], "diagram", "is not a place of two numbers.", place)
    return found


def _entries(value: object, field: str, losses: Losses) -> list[Data]:
    found: list[Data] = []
    names: set[str] = set()
    for one in _list(value, field, losses):
        name = one.get("id") if isinstance(one, dict) else None
        if not isinstance(one, dict) or not isinstance(name, str) or plain(one)[1]:
            losses.note("", field, "is not an entry with an id.", one)
        elif name in names:
            losses.note("", field, f"there are two entries {name[:80]!r}.")
        else:
            names.add(name)
            found.append(one)
    return found


# --- writing ------------------------------------------------------------------------------


def write_text(data: Mapping[str, Any]) -> str:
    """Return the text of a document: one line for each part, connection and place.

    Names and values are in the order of the data, so that a document that is read and written
    again has the same text.
    """
    return f"{_written(data, 0)}\n"


LINED = ("parts", "connections", "parameters", "notes", "panels", "models", "diagram")


def _written(data: Mapping[str, Any], depth: int) -> str:
    pad, inner = "  " * depth, "  " * (depth + 1)
    lines = []
    for key, value in data.items():
        if key == "models" and depth == 0 and value:
            own = [
                f"{inner}  {_line(name)}: {_written(one, depth + 2)}"
                for name, one in value.items()
            ]
            text = "{\n" + ",\n".join(own) + f"\n{inner}}}"
        elif key in LINED and isinstance(value, list) and value:
            text = "[\n" + ",\n".join(f"{inner}  {_line(one)}" for one in value)
            text += f"\n{inner}]"
        else:
            text = _line(value)
        lines.append(f"{inner}{_line(key)}: {text}")
    return "{\n" + ",\n".join(lines) + f"\n{pad}}}"


def _line(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
