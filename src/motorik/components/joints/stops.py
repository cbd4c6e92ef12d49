"""Stops of joints: between which positions they move, and how they rebound."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar
from motorik.components.base.kind import GivenNumber, Kind
from motorik.components.base.units import warn_of_degrees
from motorik.components.base.values import Convert, any_number, number_of
from motorik.components.joints.friction import SLIDES, TURNS, by_freedom
from motorik.errors import ParameterError

Stops = tuple[Scalar | None, Scalar | None]

if TYPE_CHECKING:
    GivenStops = Sequence[GivenNumber | None] | None
    GivenStopsByName = (
        Mapping[str, Sequence[GivenNumber | None]]
        | Sequence[Sequence[GivenNumber | None] | None]
        | None
    )
else:
    GivenStops = GivenStopsByName = object


def as_stops(part: str, name: str, unit: str, value: object) -> Stops | None:
    """Convert to the lowest and the highest position; None on a side is no stop there."""
    if value is None:
        return None
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise ParameterError(
            part,
            f"{name} = {value!r} is not a lowest and a highest position.",
            f"Give {name}=(-1.0, 1.0) in {unit}; None stands for no stop on that side.",
            parameter=name,
            value=value,
        )
    low, high = (
        None
        if end is None or (isinstance(end, float) and end == none)
        else any_number(part, f"{name}[{k}]", unit, end)
        for k, (end, none) in enumerate(zip(value, (-inf, inf), strict=True), start=1)
    )
    warn_of_degrees(part, name, unit, (low, high))
    if low is not None and high is not None and number_of(low) >= number_of(high):
        raise ParameterError(
            part,
            f"{name} = {value!r}: the lower stop {number_of(low):g} is not below the upper "
            f"one {number_of(high):g}.",
            f"Give {name}=(lower, upper) in {unit}.",
            parameter=name,
            value=value,
        )
    return None if low is None and high is None else (low, high)


def as_stops_of(freedoms: Mapping[str, str]) -> Convert:
    """Return the conversion to the stops of each freedom of a joint, None if there are none."""
    units = {TURNS: "rad", SLIDES: "m"}

    def convert(part: str, name: str, unit: str, value: object) -> object:
        if value is None:
            return None
        if isinstance(value, (tuple, list)) and not any(
            entry is None or isinstance(entry, (tuple, list)) for entry in value
        ):
            first = next(iter(freedoms))
            raise ParameterError(
                part,
                f"{name} = {value!r} does not tell which of its freedoms they limit: "
                f"{', '.join(freedoms)}.",
                f"Name it: {name}={{{first!r}: (-1.0, 1.0)}}.",
                parameter=name,
                value=value,
            )
        given = by_freedom(part, name, freedoms, value, "(-1.0, 1.0)")
        found = tuple(
            as_stops(part, f"{name}[{freedom!r}]", units[kind], entry)
            for (freedom, kind), entry in zip(freedoms.items(), given, strict=True)
        )
        return found if any(found) else None

    return convert


class AngleStops(Kind[Stops | None, GivenStops], unit="rad", convert=as_stops):
    """The lowest and the highest angle [rad], or None."""

    form = "stops"
    is_optional = True


class DistanceStops(Kind[Stops | None, GivenStops], unit="m", convert=as_stops):
    """The lowest and the highest distance [m], or None."""

    form = "stops"
    is_optional = True


class CylinderStops(
    Kind[Sequence[Stops | None] | None, GivenStopsByName],
    convert=as_stops_of({"s": SLIDES, "phi": TURNS}),
):
    """Stops along and about an axis, by name, or None."""

    form = "stops"
    is_optional = True


class CrossStops(
    Kind[Sequence[Stops | None] | None, GivenStopsByName],
    convert=as_stops_of({"phi_a": TURNS, "phi_b": TURNS}),
):
    """Stops about two axes, by name, or None."""

    form = "stops"
    is_optional = True


class PlaneStops(
    Kind[Sequence[Stops | None] | None, GivenStopsByName],
    convert=as_stops_of({"s_x": SLIDES, "s_y": SLIDES, "phi": TURNS}),
):
    """Stops in a plane, by name, or None."""

    form = "stops"
    is_optional = True
