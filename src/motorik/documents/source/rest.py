"""The difference between a document and the one its source is read as, kept as data.

`difference` compares the document with what its source is read as; `restored` applies it. It is
found by comparing, so nothing can be forgotten. Parts, notes and sub-models are named, not
counted: it still fits where the source was changed by hand.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeGuard

Data = dict[str, Any]
Value = Any
"""A value of a document, of JSON."""
KEYED = ("id", "name")
"""The keys by which entries of lists are named."""


def difference(read: Data, document: Data) -> Data:
    """Return the changes that turn the first document into the second; {} if there are none."""
    return _between(_named(read), _named(document))


def restored(read: Data, rest: Data) -> Data:
    """Return the document that a difference makes of what was read."""
    found = _applied(_named(read), rest)
    return _unnamed(found) if isinstance(found, dict) else read


# --- comparing ----------------------------------------------------------------------------


def is_same(a: Value, b: Value) -> bool:
    """Return whether two values mean the same: 1 is 1.0, but true is not 1."""
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(is_same(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(is_same, a, b))
    return bool(a == b)


def _between(a: Value, b: Value) -> Data:
    if isinstance(a, dict) and isinstance(b, dict):
        found: Data = {}
        gone = [key for key in a if key not in b]
        inner = {}
        for key in [*(k for k in a if k in b), *(k for k in b if k not in a)]:
            value = b[key]
            if key not in a:
                inner[key] = {"value": _unnamed(value)}
            elif not is_same(a[key], value) or _order(a[key]) != _order(value):
                inner[key] = _between(a[key], value)
        if gone:
            found["gone"] = gone
        if inner:
            found["in"] = inner
        if is_list(b) and [k for k in a if k in b] + [k for k in b if k not in a] != [*b]:
            found["order"] = [*b]
        return found
    turned = _turned(a, b) if are_connections(a) and are_connections(b) else None
    return {"value": _unnamed(b)} if turned is None else {"turned": turned}


def are_connections(value: Value) -> TypeGuard[list[list[str]]]:
    """Return whether a value is a list of pairs of ports."""
    return isinstance(value, list) and all(
        isinstance(one, list) and [type(x) for x in one] == [str, str] for one in value
    )


def _turned(a: list[list[str]], b: list[list[str]]) -> list[int] | None:
    """Return which of the first connections the second ones are, ~k where the other way round.

    None where they are not the same.
    """
    places: dict[tuple[str, ...], list[int]] = {}
    for k, pair in enumerate(a):
        places.setdefault(tuple(sorted(pair)), []).append(k)
    found = []
    for pair in b:
        own = places.get(tuple(sorted(pair)))
        if not own:
            return None
        k = own.pop(0)
        found.append(k if a[k] == pair else ~k)
    return found if len(a) == len(b) else None


def _order(value: Value) -> list[str] | None:
    """Return the names of a list of named entries, at any depth, in their order."""
    if not isinstance(value, dict):
        return None
    own = [*value] if is_list(value) else []
    deep = [_order(one) for one in value.values()]
    return [*own, *(f"{k}" for k in deep if k)]


class NamedEntries(dict[str, Any]):
    """A list of entries that have names of their own, by name."""

    def __init__(self, pairs: Mapping[str, Any], key: str) -> None:
        super().__init__(pairs)
        self.key = key


def is_list(value: Value) -> bool:
    """Return whether a value is a list of named entries."""
    return isinstance(value, NamedEntries)


def _named(value: Value) -> Any:
    """Return a value with lists of named entries by name, connections by both their ends."""
    if isinstance(value, dict):
        return {key: _named(one) for key, one in value.items()}
    if not isinstance(value, list) or not value:
        return value
    for key in KEYED:
        if all(isinstance(one, dict) and isinstance(one.get(key), str) for one in value):
            names = [one[key] for one in value]
            if len({*names}) == len(names):
                return NamedEntries({one[key]: _named(one) for one in value}, key)
    return [_named(one) for one in value]


def _unnamed(value: Value) -> Any:
    if isinstance(value, NamedEntries):
        return [_unnamed(one) for one in value.values()]
    if isinstance(value, dict):
        return {key: _unnamed(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_unnamed(one) for one in value]
    return value


# --- applying -----------------------------------------------------------------------------


def _applied(value: Value, rest: Value) -> Any:
    if not isinstance(rest, dict):
        return value
    if "value" in rest:
        return rest["value"]
    if "turned" in rest:
        return _turned_back(value, rest["turned"])
    if not isinstance(value, dict):
        return value
    kept = {k: v for k, v in value.items() if k not in rest.get("gone", ())}
    for key, inner in rest.get("in", {}).items():
        if key in kept:
            kept[key] = _applied(kept[key], inner)
        elif "value" in inner:
            kept[key] = inner["value"]
    order = [key for key in rest.get("order", ()) if key in kept]
    if order:
        kept = {key: kept[key] for key in [*order, *(k for k in kept if k not in order)]}
    return NamedEntries(kept, value.key) if isinstance(value, NamedEntries) else kept


def _turned_back(value: Value, order: Value) -> Any:
    """Return connections in another order, as far as they still are the same number."""
    if not (are_connections(value) and isinstance(order, list)):
        return value
    if not all(type(k) is int and -len(value) <= k < len(value) for k in order):
        return value
    if sorted(k if k >= 0 else ~k for k in order) != [*range(len(value))]:
        return value
    return [value[k] if k >= 0 else value[~k][::-1] for k in order]


# --- as comments --------------------------------------------------------------------------

HEAD = "# --- what the studio keeps beside the source ---"
LONGEST = 80


def write_rest(rest: Data) -> str:
    """Return a difference as comments for the end of a file, "" without any."""
    if not rest:
        return ""
    text = json.dumps(rest, separators=(", ", ": "))
    text = text.replace("  ", " \\u0020")  # a line must not end with a blank
    lines = [HEAD]
    while text:
        cut = LONGEST - 1 if text[LONGEST - 1 : LONGEST] == " " else LONGEST
        if len(text) > cut:  # rather behind a comma than within a word
            cut = (text.rfind(", ", LONGEST // 2, LONGEST) + 1) or cut
        lines.append(f"#: {text[:cut]}")
        text = text[cut:]
    return "\n".join(lines) + "\n"


def read_rest(text: str) -> tuple[str, Data | None]:
    """Return the source without the comments, and the difference, None where it is broken."""
    before, head, after = text.rpartition(HEAD)
    if not head:
        return text, {}
    lines = [line for line in after.split("\n") if line.startswith("#: ")]
    others = [line for line in after.split("\n") if not line.startswith("#: ")]
    try:
        rest = json.loads("".join(line[3:] for line in lines))
    except (ValueError, RecursionError):
        return before, None
    source = before + "\n".join(others)
    return source, rest if isinstance(rest, dict) else None
