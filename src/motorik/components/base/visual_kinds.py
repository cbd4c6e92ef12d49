"""Kinds of options of drawing: their values, checks and types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from motorik.components.base.kind import GivenNumber, GivenVector, Kind
from motorik.components.base.values import (
    Parameter,
    as_boolean,
    as_number,
    as_text,
    as_vector,
)
from motorik.errors import ParameterError, suggest

if TYPE_CHECKING:
    from motorik.algebra.scalar import Scalar
    from motorik.algebra.vector import Vector

    GivenColor = str | GivenVector | None
else:
    GivenColor = Scalar = Vector = object

SHAPE_NAMES = (
    *("box", "sphere", "cylinder", "cone", "pipe", "pipecylinder", "beam"),
    *("gearwheel", "spring", "torus", "wheel", "ellipsoid", "arrow", "frame"),
)
"""The kinds of shapes that have a name."""

LONG_SHAPES = (
    *("box", "cylinder", "cone", "pipe", "pipecylinder", "beam", "gearwheel", "spring"),
    "arrow",
)
"""Kinds of shapes that can span two points."""

MESH_SUFFIXES = (".stl", ".obj", ".glb", ".dxf")
"""How the names of files with meshes end."""

COLOR_NAMES = {
    "black": "#000000",
    "white": "#ffffff",
    "grey": "#808080",
    "gray": "#808080",
    "silver": "#c0c0c0",
    "red": "#d62728",
    "green": "#2ca02c",
    "blue": "#1f77b4",
    "yellow": "#ffd92f",
    "orange": "#ff7f0e",
    "purple": "#9467bd",
    "brown": "#8c564b",
    "pink": "#e377c2",
    "cyan": "#17becf",
}

Shares = tuple[float, float, float]  # of red, green and blue, 0 to 1


def as_color(part: str, name: str, unit: str, value: object) -> object:
    """Convert to red, green, blue of 0 to 1.

    Whole numbers are of 0 to 255, as in Modelica, other numbers of 0 to 1; texts are names
    such as "red", or "#rrggbb". A live vector is of 0 to 1.
    """
    if isinstance(value, Parameter):
        return as_vector(part, name, "1", value)
    try:
        found = (
            _color_of_text(value) if isinstance(value, str) else _color_of_numbers(value)
        )
    except (TypeError, ValueError):
        found = None
    if found is None:
        raise ParameterError(
            part,
            f"{name} = {value!r} is not a colour.",
            'Give three whole numbers of 0 to 255, three shares of 0.0 to 1.0, "#rrggbb" or '
            f"one of {', '.join(COLOR_NAMES)}.",
            parameter=name,
            value=value,
        )
    return found


def _color_of_text(text: str) -> Shares | None:
    code = COLOR_NAMES.get(text.lower(), text)
    if len(code) != 7 or code[0] != "#":
        return None
    r, g, b = (int(code[k : k + 2], 16) / 255 for k in (1, 3, 5))
    return r, g, b


def _color_of_numbers(value: object) -> Shares | None:
    given = list(value)  # type: ignore[call-overload]
    r, g, b = map(float, given)
    if not all(0.0 <= one <= 255.0 for one in (r, g, b)):
        return None
    is_whole = all(float(one).is_integer() and not isinstance(one, float) for one in given)
    if is_whole or max(r, g, b) > 1.0:
        return r / 255, g / 255, b / 255
    return r, g, b


def as_shape(part: str, name: str, unit: str, value: object) -> object:
    """Convert to the name of a kind of shape, or of a file with a mesh."""
    text = as_text(part, name, unit, value)
    if text not in SHAPE_NAMES and not str(text).lower().endswith(MESH_SUFFIXES):
        raise ParameterError(
            part,
            f"{name} = {text!r} is neither a shape nor a file with a mesh.",
            f"{suggest(str(text), SHAPE_NAMES)} Meshes end in {', '.join(MESH_SUFFIXES)}.",
            parameter=name,
            value=value,
        )
    return text


def as_long_shape(part: str, name: str, unit: str, value: object) -> object:
    """Convert to the name of a kind of shape that can stand between two points."""
    text = as_text(part, name, unit, value)
    if text not in LONG_SHAPES:
        raise ParameterError(
            part,
            f"{name} = {text!r} is no shape that stands between two points.",
            suggest(str(text), LONG_SHAPES),
            parameter=name,
            value=value,
        )
    return text


class Switch(Kind[bool | None, bool | None], convert=as_boolean):
    """True or False, or None: as others decide."""

    form = "flag"
    is_optional = True


class Size(
    Kind[Scalar | None, GivenNumber | None], unit="m", convert=as_number(minimum=0.0)
):
    """A length of the shape [m], or None: it follows from the model."""

    form = "number"
    is_optional = True
    minimum = 0.0


class Share(
    Kind[Scalar | None, GivenNumber | None], convert=as_number(minimum=0.0, maximum=1.0)
):
    """A number of 0 to 1, or None: as usual."""

    form = "number"
    is_optional = True
    minimum, maximum = 0.0, 1.0


class Positive(Kind[Scalar | None, GivenNumber | None], convert=as_number(above=0.0)):
    """A number above zero, or None: as usual."""

    form = "number"
    is_optional = True
    above = 0.0


class AnyNumber(Kind[Scalar | None, GivenNumber | None], convert=as_number()):
    """A number, or None: as usual."""

    form = "number"
    is_optional = True


class Direction(Kind[Vector | None, GivenVector | None], convert=as_vector):
    """A vector, or None: as usual."""

    form = "vector"
    is_optional = True


class Color(Kind[Any, GivenColor], convert=as_color):
    """A colour, or None: by the kind of part.

    Three whole numbers of 0 to 255, three shares of 0.0 to 1.0, "#rrggbb", or a name: "red".
    """

    form = "color"
    is_optional = True


class ShapeName(Kind[str | None, str | None], convert=as_shape):
    """The name of a shape, or of a file with a mesh, or None: as usual."""

    form = "shape"
    is_optional = True
    choices = SHAPE_NAMES


class LongShape(Kind[str | None, str | None], convert=as_long_shape):
    """The name of a shape that can stand between two points, or None: as usual."""

    form = "choice"
    is_optional = True
    choices = LONG_SHAPES


class FileName(Kind[str | None, str | None], convert=as_text):
    """The name of a file, or None."""

    form = "file"
    is_optional = True


class AllOptions(Kind[Mapping[str, Any], Mapping[str, Any]]):
    """Several options at once: a `Visual`."""
