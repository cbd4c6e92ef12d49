"""Values of documents: JSON to the arguments that parts take, and back."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from motorik.algebra.matrix import Symmetric
from motorik.algebra.vector import Vector
from motorik.components.base.declared_value import DeclaredValue
from motorik.components.base.live_numbers import (
    COMPARED,
    SYMBOLS,
    Live,
    LiveFormula,
    LiveNumber,
    LiveScalar,
)
from motorik.components.base.named_frames import NamedFrames
from motorik.components.base.parameter import Parameter
from motorik.components.base.resolving import LiveCall, has_live
from motorik.components.base.values import Start, guess, steady
from motorik.documents.classes import find_value_class, name_of_class
from motorik.documents.diagnostics import shown
from motorik.documents.formulas import Formula
from motorik.documents.reading import Json, is_identifier
from motorik.errors import FileFormatError, MotorikError

MARKS = (
    *("parameter", "formula", "guess", "steady", "start", "make", "function"),
    *("unreadable", "number"),
)
"""The keys that say what an object stands for."""
LONGEST_FORMULA = 1500  # characters of a formula taken from a function

Known = Mapping[str, Any]
"""The values that formulas may use, by name."""


# --- reading ------------------------------------------------------------------------------


def read_value(given: Json, known: Known, is_start: bool = False) -> Any:
    """Return the value that a part is given for one of a document.

    `known` are the parameters that formulas may use. For a start value a formula is computed
    with their present values, as start values are not live.
    """
    if isinstance(given, list):
        return tuple(read_value(one, known, is_start) for one in given)
    if not isinstance(given, dict):
        return given
    mark = next((one for one in MARKS if one in given), "")
    if not mark:
        return {name: read_value(one, known, is_start) for name, one in given.items()}
    return READERS[mark](given, known, is_start)


def are_places(kind: type | None, name: str, value: Json) -> bool:
    """Return whether an argument of a class of parts holds places of frames by their names.

    The names are the user's: there "start" is a frame and no start value.
    """
    return (
        kind is not None
        and issubclass(kind, NamedFrames)
        and kind.argument == name
        and isinstance(value, dict)
        and all(isinstance(at, (list, dict)) for at in value.values())
    )


def _parameter(given: dict[str, Any], known: Known, is_start: bool) -> Parameter:
    value = read_value(given["parameter"], known, True)
    texts = {name: given[name] for name in ("name", "unit", "description") if name in given}
    return Parameter(value, fixed=given.get("fixed", True) is not False, **texts)


def _formula(given: dict[str, Any], known: Known, is_start: bool) -> Any:
    formula = Formula(given["formula"])
    return formula.value(present(known, formula.names) if is_start else known)


def present(known: Known, names: set[str]) -> dict[str, Any]:
    """Return the present values of the named parameters."""
    found = {}
    for name in names & known.keys():
        value = known[name]
        found[name] = value.value if isinstance(value, (Parameter, LiveNumber)) else value
    return found


def _guess(given: dict[str, Any], known: Known, is_start: bool) -> Start:
    return guess(read_value(given["guess"], known, True))


def _steady(given: dict[str, Any], known: Known, is_start: bool) -> Start:
    return steady(read_value(given["steady"], known, True))


def _start(given: dict[str, Any], known: Known, is_start: bool) -> dict[str, Any]:
    value = read_value(given["start"], known, True)
    return {"start": value, "fixed": given.get("fixed", False)}


def _make(given: dict[str, Any], known: Known, is_start: bool) -> Any:
    name, arguments = given["make"], given.get("arguments", {})
    if not isinstance(name, str) or not isinstance(arguments, dict):
        raise FileFormatError(
            "", f"{shown(given)} is not a law.", "Give its class and its arguments."
        )
    values = {own: read_value(one, known) for own, one in arguments.items()}
    return find_value_class(name)(**values)


def _function(given: dict[str, Any], known: Known, is_start: bool) -> Callable[..., Any]:
    names = given.get("of", ["u"])
    if not isinstance(names, list) or not all(map(is_identifier, names)):
        raise FileFormatError(
            "", f"{shown(names)} are not names of arguments.", 'Give e.g. "of": ["u"].'
        )
    function = Formula(given["function"]).function(tuple(names), known)
    return with_arguments(function, names)


def with_arguments(function: Callable[..., Any], names: list[str]) -> Callable[..., Any]:
    """Return a function whose signature has these arguments, as parts look at it."""
    by_place = inspect.Parameter.POSITIONAL_OR_KEYWORD
    given = [inspect.Parameter(name, by_place) for name in names]
    function.__signature__ = inspect.Signature(given)  # type: ignore[attr-defined]
    return function


def _unreadable(given: dict[str, Any], known: Known, is_start: bool) -> Any:
    raise FileFormatError(
        "",
        f"{shown(given['unreadable'])} cannot be kept in a file.",
        "Give the value anew, e.g. a function as a formula.",
        value=given["unreadable"],
    )


def _number(given: dict[str, Any], known: Known, is_start: bool) -> float:
    words = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}
    word = given["number"]
    if not isinstance(word, str) or word not in words:
        raise FileFormatError(
            "", f"{shown(word)} is not inf, -inf or nan.", "Give a number."
        )
    return words[word]


READERS: dict[str, Callable[[dict[str, Any], Known, bool], Any]] = {
    "parameter": _parameter,
    "formula": _formula,
    "guess": _guess,
    "steady": _steady,
    "start": _start,
    "make": _make,
    "function": _function,
    "unreadable": _unreadable,
    "number": _number,
}


# --- writing ------------------------------------------------------------------------------

NameOf = Callable[[Parameter], str]
"""Returns the name of a live parameter in the formulas of its model."""
IsNamed = Callable[[Parameter], bool]
"""Returns whether a live parameter has a name in its model, or must be written in place."""


class Writer:
    """Writes values of parts as those of documents.

    `name` gives the name that a live parameter has in formulas; one that has none in the
    model, `is_named`, is written where it is used.
    """

    def __init__(self, name: NameOf, is_named: IsNamed) -> None:
        self.name, self.is_named = name, is_named

    def write(self, value: Json) -> Any:
        """Return a value as JSON."""
        if value is None or isinstance(value, (bool, str)):
            return value
        if isinstance(value, (int, np.integer)):
            return int(value)
        if isinstance(value, (float, np.floating)):
            return _finite(float(value))
        if isinstance(value, Start):
            return self._start(value)
        if isinstance(value, Parameter):
            return self._parameter(value)
        if isinstance(value, Vector):
            return self._vector(value)
        if isinstance(value, Live):
            return self._live(value)
        if isinstance(value, Symmetric):
            return [[self.write(one) for one in row.xyz] for row in value.full().rows]
        if isinstance(value, np.ndarray):
            return self.write(value.tolist())
        if isinstance(value, (tuple, list)):
            return [self.write(one) for one in value]
        if isinstance(value, Mapping):
            return {str(name): self.write(one) for name, one in value.items()}
        if isinstance(value, DeclaredValue):
            return self._declared(value)
        if callable(value):
            return self._function(value)
        return {"unreadable": shown(value)}

    def _start(self, begin: Start) -> Any:
        value = self.write(begin.value)
        if begin.steady:
            return {"steady": value}
        if begin.is_fixed:
            return value
        if not any(begin.fixed_components()):
            return {"guess": value}
        return {"start": value, "fixed": [*begin.fixed_components()]}

    def _parameter(self, own: Parameter) -> dict[str, Any]:
        if self.is_named(own):
            return {"formula": self.name(own)}
        found: dict[str, Any] = {"parameter": self.write(own.value)}
        if own.is_named:
            found["name"] = own.name
        if own.unit:
            found["unit"] = own.unit
        if own.description:
            found["description"] = own.description
        if not own.fixed:
            found["fixed"] = False
        return found

    def _vector(self, vector: Vector) -> Any:
        first = vector.xyz[0]
        if isinstance(first, LiveScalar) and is_whole(vector, first.parameter):
            return self._parameter(first.parameter)
        return [self.write(one) for one in vector.xyz]

    def _live(self, live: Live) -> dict[str, Any]:
        if isinstance(live, LiveScalar) and not live.parameter.is_vector:
            return self._parameter(live.parameter)
        return {"formula": self.formula(live)}

    def formula(self, value: object, depth: int = 60) -> str:
        """Return a scalar that may be live as the text of a formula."""
        if isinstance(value, LiveScalar):
            name = self.name(value.parameter)
            return f"{name}[{value.index}]" if value.parameter.is_vector else name
        if not isinstance(value, LiveFormula):
            number = float(value)  # type: ignore[arg-type]
            return repr(number) if number >= 0.0 else f"({number!r})"
        if depth == 0:
            raise ValueError("a formula nested too deeply")
        said = [self.formula(one, depth - 1) for one in value.operands]
        if value.name in SYMBOLS:
            return f"({f' {SYMBOLS[value.name]} '.join(said)})"
        if value.name == "neg":
            return f"(-{said[0]})"
        op = COMPARED.get(value.name.removeprefix("where_"), "")
        if op:
            return f"where({said[0]} {op} {said[1]}, {said[2]}, {said[3]})"
        return f"{value.name}({', '.join(said)})"

    def _declared(self, value: DeclaredValue) -> dict[str, Any]:
        name = name_of_class(type(value))
        if not name:
            return {"unreadable": shown(value)}
        arguments = {
            own: self.write(value.__dict__[own])
            for own, spec in value.specs.items()
            if isinstance(value.__dict__[own], Live) or value.__dict__[own] != spec.default
        }
        return {"make": name, "arguments": arguments}

    def _function(self, function: Json) -> dict[str, Any]:
        """Return a function of scalars as a formula, found by calling it with named ones."""
        unreadable = {"unreadable": shown(function)}
        inner = function.function if isinstance(function, LiveCall) else function
        try:
            given = [*inspect.signature(inner).parameters.values()]
        except (TypeError, ValueError):
            return unreadable
        if not 1 <= len(given) <= 6 or isinstance(function, LiveCall):
            return unreadable
        if any(one.kind is not one.POSITIONAL_OR_KEYWORD for one in given):
            return unreadable
        own = {one.name: Parameter(0.5, name=one.name) for one in given}
        own_names = {id(one): name for name, one in own.items()}
        writer = Writer(
            lambda one: own_names.get(id(one)) or self.name(one), lambda one: True
        )
        try:
            found = inner(*(one.operand() for one in own.values()))
            if isinstance(found, (tuple, list)) or has_live(found) is False:
                if not isinstance(found, (int, float)):
                    return unreadable
            text = writer.formula(found)
            if len(text) > LONGEST_FORMULA:
                return unreadable
            Formula(text)
        except MotorikError:  # it branches, or looks at something else than numbers
            return unreadable
        except Exception:  # a function of the user may raise anything
            return unreadable
        return {"function": text, "of": [*own]}


def is_whole(vector: Vector, own: Parameter) -> bool:
    """Return whether the components of a vector are those of a live one, in order."""
    pairs = zip(vector.xyz, own.elements, strict=False)
    return own.is_vector and all(one is element for one, element in pairs)


def _finite(value: float) -> Any:
    if math.isfinite(value):
        return value
    return {"number": "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"}
