"""Sub-models that differ in numbers only become one, whose parameters these numbers are.

A model that makes six legs from one class, each with dimensions of its own, is taken as six
sub-models. United they are one, as a user would write it: numbers that differ are parameters, those
that go together one parameter, and each use gives those that are not the first one's.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from motorik.algebra.vector import Vector
from motorik.components.base.declarations import ParameterSpec
from motorik.documents.classes import find_class
from motorik.documents.reading import Data, Json, is_identifier
from motorik.errors import MotorikError
from motorik.model import Model

Place = tuple[str, tuple[str | int, ...]]
"""A number or vector in a sub-model: the part, the way through its arguments."""


def unite_alike(data: Data) -> None:
    """Unite the sub-models of a document that differ in numbers of their parts only."""
    models: dict[str, Data] = data.get("models", {})
    while len(models) > 1:
        found = next((keys for keys in _alike(models) if len(keys) > 1), None)
        if found is None:
            return
        _unite(data, found)


def _alike(models: dict[str, Data]) -> Iterator[list[str]]:
    """Yield the sub-models in groups that differ in numbers only, which are given in all then."""
    for several in _groups({key: _form(key, one, True) for key, one in models.items()}):
        if len(several) > 1:
            filled = _filled([models[key] for key in several])
            own = dict(zip(several, filled, strict=True))
            for keys in _groups({key: _form(key, one) for key, one in own.items()}):
                if len(keys) > 1:
                    models |= {key: own[key] for key in keys}
                    yield keys


def _groups(forms: dict[str, str]) -> list[list[str]]:
    """Return the keys of equal values."""
    found: dict[str, list[str]] = {}
    for key, form in forms.items():
        found.setdefault(form, []).append(key)
    return [*found.values()]


def _form(key: str, scope: Data, loosely: bool = False) -> str:
    """Return a sub-model as text, without the numbers of its parts; `loosely` given or not."""
    parts = []
    for part in scope["parts"]:
        arguments = part.get("arguments", {})
        if loosely:
            arguments = {name: one for name, one in arguments.items() if not is_number(one)}
        parts.append({**part, "arguments": _masked(arguments)})
    stem = re.sub(r"\d+$", "", key)
    return stem + json.dumps({**scope, "parts": parts}, sort_keys=True)


def _filled(scopes: list[Data]) -> list[Data]:
    """Return sub-models with the same parts so that numbers given in one are given in all."""
    found = [{**scope, "parts": []} for scope in scopes]
    for parts in zip(*(scope["parts"] for scope in scopes), strict=True):
        names = {
            name: None
            for part in parts
            for name, one in part.get("arguments", {}).items()
            if is_number(one)
        }
        defaults = {name: _default(parts[0]["class"], name) for name in names}
        usual = {name: one for name, one in defaults.items() if one is not None}
        for scope, part in zip(found, parts, strict=True):
            arguments = {**usual, **part.get("arguments", {})}
            scope["parts"].append(
                {**part, **({"arguments": arguments} if arguments else {})}
            )
    return found


def _default(kind: str, name: str) -> Any:
    """Return the number or vector that a part of the catalogue has by itself, or None."""
    try:
        found = find_class(kind)
        spec = found.specs.get(name)
        value = spec.initial(kind, name) if isinstance(spec, ParameterSpec) else None
    except MotorikError:  # a class of a user, or a parameter that must be given
        return None
    value = [*value.xyz] if isinstance(value, Vector) else value
    return value if is_number(value) else None


def is_number(value: Json) -> bool:
    """Return whether a value is a number or a list of numbers."""
    if isinstance(value, list):
        return bool(value) and all(type(one) in (int, float) for one in value)
    return type(value) in (int, float)


def _masked(value: Json) -> Any:
    if is_number(value):
        return len(value) if isinstance(value, list) else "number"
    if isinstance(value, dict):
        return {name: _masked(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_masked(one) for one in value]
    return {"as": value}


def _places(scope: Data) -> Iterator[tuple[Place, Any]]:
    """Yield the numbers and vectors of the arguments of all parts."""

    def walk(value: Json, way: tuple[str | int, ...]) -> Iterator[Any]:
        if is_number(value):
            yield way, value
        elif isinstance(value, (dict, list)):
            pairs = value.items() if isinstance(value, dict) else enumerate(value)
            for name, one in pairs:
                yield from walk(one, (*way, name))

    for part in scope["parts"]:
        for way, value in walk(part.get("arguments", {}), ()):
            yield (part["id"], way), value


def _unite(data: Data, keys: list[str]) -> None:
    """Put the first of some sub-models in the place of all of them."""
    models = data["models"]
    first, numbers = models[keys[0]], [dict(_places(models[key])) for key in keys]
    columns: dict[str, list[Place]] = {}  # places whose numbers go together
    for place in numbers[0]:
        column = [own[place] for own in numbers]
        if any(one != column[0] for one in column):
            columns.setdefault(json.dumps(column), []).append(place)
    names = _names(first, [*columns.values()])
    for name, places in zip(names, columns.values(), strict=True):
        value = numbers[0][places[0]]
        first["parameters"].append({"name": name, "value": value, "live": False})
        for place in places:
            _replace(first, place, {"formula": name})
    given = {
        key: {
            name: own[places[0]]
            for name, places in zip(names, columns.values(), strict=True)
            if own[places[0]] != numbers[0][places[0]]
        }
        for key, own in zip(keys, numbers, strict=True)
    }
    for key in keys[1:]:
        del models[key]
    for scope in (data, *models.values()):
        for part in scope["parts"]:
            key = part["class"].removeprefix("#")
            if part["class"].startswith("#") and key in given:
                part["class"] = f"#{keys[0]}"
                arguments = {**given[key], **part.get("arguments", {})}
                if arguments:
                    part["arguments"] = arguments


def _replace(scope: Data, place: Place, value: Data) -> None:
    id_, way = place
    (part,) = [one for one in scope["parts"] if one["id"] == id_]
    at: Any = part["arguments"]
    for step in way[:-1]:
        at = at[step]
    at[way[-1]] = value


def _names(scope: Data, columns: list[list[Place]]) -> list[str]:
    """Return a name for each parameter: the argument's, with the part's where it is not alone."""
    taken = {one["name"] for one in scope["parameters"]}
    taken |= {one["id"].partition("[")[0] for one in scope["parts"]}
    taken |= {*scope.get("ports", {}), "self", *dir(Model)}
    own = [{str(way[0]) for _, way in places} for places in columns]
    found = []
    for k, places in enumerate(columns):
        part, way = places[0]
        others = set().union(*own[:k], *own[k + 1 :])
        stem = str(way[0])
        if len(own[k]) > 1 or stem in others or stem in taken:
            stem = re.sub(r"\W+", "_", f"{part}_{stem}").strip("_")
            stem = stem if is_identifier(stem) else "value"
        name, number = stem, 1
        while name in taken:
            number += 1
            name = f"{stem}_{number}"
        taken.add(name)
        found.append(name)
    return found
