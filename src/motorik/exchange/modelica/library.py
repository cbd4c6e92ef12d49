"""Library: models as a file describes them, checked, and found by name."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Any

from motorik.errors import FileFormatError, UnknownNameError, suggest
from motorik.immutable import immutable

LARGEST_FILE = 64 * 2**20
DEEPEST_MODIFIER = 32
REDECLARE = "redeclare "  # before the type of a component that replaces one of a base
TEST_PREFIX = ("Test.", "ModelicaTest.")


@immutable
class ComponentClause:
    """A component of a model: `type` `name`[`size`](`modifiers`) = `value` if `condition`.

    `within` is the model whose text declares it, where relative type names are looked up. One that
    `redeclares` takes the place of the component of this name in a base.
    """

    name: str
    type: str
    within: str
    size: str = ""
    modifiers: Mapping[str, Any] = field(default_factory=dict)
    value: str | None = None
    condition: str | None = None
    is_parameter: bool = False
    redeclares: bool = False


@immutable
class Base:
    """A base model with the modifiers of the `extends` clause."""

    name: str
    within: str
    modifiers: Mapping[str, Any]


@immutable
class ModelText:
    """One model of a file."""

    name: str
    bases: tuple[Base, ...]
    declarations: tuple[ComponentClause, ...]
    connections: tuple[tuple[str, str], ...]
    other_equations: int


@immutable
class Library:
    """The models of one file by their full names."""

    source: str
    models: Mapping[str, ModelText]

    def find(self, name: str) -> ModelText:
        """Return a model by its full name, or by last parts that only one model has."""
        if name.startswith(TEST_PREFIX[0]):
            name = TEST_PREFIX[1] + name.removeprefix(TEST_PREFIX[0])
        if name in self.models:
            return self.models[name]
        matches = [full for full in self.models if full.endswith(f".{name}")]
        if len(matches) == 1:
            return self.models[matches[0]]
        if matches:
            raise UnknownNameError(
                self.source,
                f"has {len(matches)} models called {name!r}.",
                f"Give more of the name: {', '.join(matches[:4])}.",
                value=name,
            )
        short = {full.rsplit(".", 1)[-1] for full in self.models}
        raise UnknownNameError(
            self.source,
            f"has no model {name!r}.",
            suggest(name.rsplit(".", 1)[-1], short),
            value=name,
        )


def load_library(file: str | Path) -> Library:
    """Read a file of models; nothing in it is executed."""
    return library_of(read_json(file), str(file))


def read_json(file: str | Path) -> Any:
    """Read a JSON file of bounded size, or raise `FileFormatError` naming file and position."""
    path = Path(file)
    try:
        size = path.stat().st_size
        if size > LARGEST_FILE:
            raise FileFormatError(
                str(path),
                f"has {size} bytes; at most {LARGEST_FILE} are read.",
                "Split it.",
            )
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise FileFormatError(str(path), f"{error.strerror}.", "Check the path.") from error
    except UnicodeDecodeError as error:
        raise FileFormatError(
            str(path), f"is not UTF-8 text: {error.reason} at byte {error.start}.", ""
        ) from error
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise FileFormatError(
            str(path),
            f"is not valid JSON: {error.msg} at line {error.lineno}, column {error.colno}.",
            "Correct the file there, or download it again.",
        ) from error
    except RecursionError:
        raise FileFormatError(str(path), "is nested too deeply.", "") from None


def library_of(models: Mapping[str, Any], source: str = "models") -> Library:
    """Return the library of models given as plain data, checked to the last entry."""
    check = Checker(source)
    check.that(isinstance(models, Mapping), "", "an object of models")
    return Library(source, {name: _model(check, name, raw) for name, raw in models.items()})


@immutable
class Checker:
    """Checks the content of a file; errors name the place."""

    source: str

    def that(self, holds: bool, place: str, wanted: str) -> None:
        """Raise `FileFormatError` for `place` unless the condition holds."""
        if not holds:
            raise FileFormatError(
                self.source,
                f"{place or 'the whole'} is not {wanted}.",
                "A model has components, connections, extends and other_equations.",
            )

    def text(self, raw: Any, place: str) -> str:
        """Return a string."""
        self.that(isinstance(raw, str), place, "a string")
        return raw

    def several(self, raw: Any, place: str) -> list[Any]:
        """Return a list."""
        self.that(isinstance(raw, list), place, "a list")
        return raw

    def modifiers(self, raw: Any, place: str, depth: int = 0) -> Mapping[str, Any]:
        """Return modifiers: strings, or modifiers again."""
        self.that(isinstance(raw, Mapping), place, "an object")
        self.that(
            depth < DEEPEST_MODIFIER, place, f"nested less than {DEEPEST_MODIFIER} levels"
        )
        for key, value in raw.items():
            if not isinstance(value, str):
                self.modifiers(value, f"{place}.{key}", depth + 1)
        return raw


def _model(check: Checker, name: str, raw: Any) -> ModelText:
    place = f"[{name!r}]"
    check.that(isinstance(raw, Mapping), place, "an object")
    declarations = tuple(
        _declaration(check, name, item, f"{place}.components[{i}]")
        for i, item in enumerate(
            check.several(raw.get("components", []), f"{place}.components")
        )
    )
    seen: set[str] = set()
    for declaration in declarations:
        check.that(
            declaration.name not in seen,
            f"{place}: {declaration.name!r}",
            "declared only once",
        )
        seen.add(declaration.name)
    bases = tuple(
        _base(check, name, item, f"{place}.extends[{i}]")
        for i, item in enumerate(check.several(raw.get("extends", []), f"{place}.extends"))
    )
    connections = tuple(
        _connection(check, item, f"{place}.connections[{i}]")
        for i, item in enumerate(
            check.several(raw.get("connections", []), f"{place}.connections")
        )
    )
    others = raw.get("other_equations", 0)
    check.that(
        isinstance(others, int) and not isinstance(others, bool) and others >= 0,
        f"{place}.other_equations",
        "a count",
    )
    return ModelText(name, bases, declarations, connections, others)


def _declaration(check: Checker, within: str, raw: Any, place: str) -> ComponentClause:
    check.that(isinstance(raw, Mapping), place, "an object")
    name = check.text(raw.get("name"), f"{place}.name")
    plain = name.isidentifier() and not name.startswith("__")
    check.that(plain, f"{place}.name = {name!r}", "an identifier")
    written = check.text(raw.get("type"), f"{place}.type")
    redeclares = written.startswith(REDECLARE)
    type_name, _, size = written.removeprefix(REDECLARE).partition("[")
    check.that(not size or size.endswith("]"), f"{place}.type", "closed by ']'")
    for key in ("value", "condition"):
        check.that(
            isinstance(raw.get(key), (str, type(None))), f"{place}.{key}", "a string"
        )
    parameter = raw.get("parameter", False)
    check.that(isinstance(parameter, bool), f"{place}.parameter", "true or false")
    return ComponentClause(
        name,
        type_name.strip(),
        within,
        size[:-1].strip(),
        check.modifiers(raw.get("modifiers", {}), f"{place}.modifiers"),
        raw.get("value"),
        raw.get("condition"),
        parameter,
        redeclares,
    )


def _base(check: Checker, within: str, raw: Any, place: str) -> Base:
    check.that(isinstance(raw, Mapping), place, "an object")
    return Base(
        check.text(raw.get("base"), f"{place}.base"),
        within,
        check.modifiers(raw.get("modifiers", {}), f"{place}.modifiers"),
    )


def _connection(check: Checker, raw: Any, place: str) -> tuple[str, str]:
    check.that(isinstance(raw, (list, tuple)) and len(raw) == 2, place, "a pair of ports")
    return check.text(raw[0], f"{place}[0]"), check.text(raw[1], f"{place}[1]")
