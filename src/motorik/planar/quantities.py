"""Kinds of parameters that planar parts alone have: places, drives and curves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.components.base.kind import GivenNumber, GivenVector, Kind
from motorik.components.base.ports import Port
from motorik.components.base.values import (
    Derived,
    LiveScalar,
    as_number,
    as_vector,
    number_of,
)
from motorik.errors import ParameterError
from motorik.planar.typed import Name

DriveLaw = Callable[[Scalar, Scalar, Scalar], Scalar]
CurveLaw = Callable[[Scalar, Scalar], Scalar]
Drives = float | LiveScalar | DriveLaw | None

GivenPlace = Sequence[GivenNumber]


def as_place(part: str, name: str, unit: str, value: object) -> Vector | Derived:
    """Convert a place (x, y) in the plane."""
    if isinstance(value, (tuple, list)) and len(value) == 2:
        value = (*value, 0.0)
    place = as_vector(part, name, unit, value)
    if isinstance(place, Vector) and number_of(place.z) != 0.0:
        raise ParameterError(
            part,
            f"{name} = {value!r} is not in the plane z = 0.",
            f"Give {name} as (x, y), or use a body in space.",
            parameter=name,
            value=value,
        )
    return place


def as_drive(part: str, name: str, unit: str, value: object) -> Drives:
    """Convert a drive: None, a number, or a function of time, coordinate and its rate."""
    if value is None or callable(value):
        return value
    return as_number()(part, name, unit, value)


def as_curve(part: str, name: str, unit: str, value: object) -> CurveLaw:
    """Convert a curve: a function of two scalars."""
    if not callable(value):
        raise ParameterError(
            part,
            f"{name} = {value!r} is not a function.",
            "Give a function of x and y that vanishes on the curve, e.g. "
            "curve=lambda x, y: y - x * x.",
            parameter=name,
            value=value,
        )
    return value


class PlanePoint(Kind[Vector, GivenVector], unit="m", convert=as_place):
    """A point of the plane, (x, y) [m]."""

    form = "vector"


class PlanePorts(
    Kind[
        Callable[[], Iterable[Port]],
        Mapping[Name, GivenPlace] | Mapping[str, GivenPlace] | None,
    ]
):
    """Ports by name, each at (x, y) or (x, y, angle) [m, m, rad]."""


class ForceLaw(
    Kind[Drives, GivenNumber | DriveLaw | None], unit="N or N.m", convert=as_drive
):
    """A force [N] or torque [N.m]: a number, a function of t, s and its rate, or None."""

    form = "law"
    is_optional = True


class CurveFunction(Kind[CurveLaw, CurveLaw], unit="m", convert=as_curve):
    """A function of x and y [m] that vanishes on a curve."""

    form = "function"
