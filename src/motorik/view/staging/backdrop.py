"""Backdrop: the ground under a mechanism, and the axes of its frames on demand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from motorik.algebra.vector import Vector
from motorik.components.base.part import Part
from motorik.components.base.ports import Port, PortKind
from motorik.view.looks.world import FLAT_ON_NORMAL
from motorik.view.scene.place import Place, Triple, triple
from motorik.view.scene.shapes import Shape
from motorik.view.scene.signs import Axes, Grid, Text
from motorik.view.staging.measure import Extent

NOTHING = (
    "Nothing in this model has a place in space.",
    "diagram() draws how its parts are connected.",
)


def named_frames(model: Part, place: Callable[[Port], Place]) -> dict[Place, str]:
    """Return the names of frames by their places; of several at one place the shortest path."""
    found: dict[Place, str] = {}
    for part in model.walk():
        for port in part.ports():
            if port.kind is PortKind.FRAME:
                at, name = place(port), port.path
                if name.count(".") < found.get(at, 9 * ".").count("."):
                    found[at] = name
    return found


def frames(
    places: Mapping[Place, str], shapes: Sequence[Shape], size: float
) -> list[Shape]:
    """Return the axes of all frames that have none yet, of a size [m], shown on demand."""
    drawn = {shape.at for shape in shapes if isinstance(shape, Axes)}
    style = {"labels": True, "role": "frame", "layer": "frames"}
    return [
        Axes(at=place, size=size, name=name, **style)
        for place, name in places.items()
        if place not in drawn
    ]


def sentence(up: Triple) -> tuple[list[Shape], Extent]:
    """Return what is shown of a model in which nothing has a place: words that say so."""
    height = 1.0 / max(map(len, NOTHING))
    middle = np.array(up) / np.linalg.norm(up) * 1.5 * height
    lines: list[Shape] = [
        Text(
            at=Place(r=triple(middle * (1 - 2 * k))), text=line, height=height, role="text"
        )
        for k, line in enumerate(NOTHING)
    ]
    return lines, Extent((-0.25, -0.25, -0.25), (0.25, 0.25, 0.25), None)


def ground(options: Mapping[str, Any], up: Triple, extent: Extent) -> list[Shape]:
    """Return the ground under a model in space, by the options of its World.

    There is none if the World draws it, or does not want it.
    """
    if options.get("animateGround") is not None:
        return []
    low, high = np.array(extent.low), np.array(extent.high)
    middle, normal = (low + high) / 2, np.array(up)
    reach = float(np.abs(normal) @ (high - low)) / 2
    r = triple(middle - 1.02 * reach * normal)
    axis = options.get("groundAxis_u")
    along = Place(r=r).along(Vector(*up), None if axis is None else Vector(*axis))
    return [
        Grid(
            at=along.turned(FLAT_ON_NORMAL),
            size=float(options.get("groundLength_u", 2.0 * float((high - low).max()))),
            width=options.get("groundLength_v"),
            role="ground",
            color=options.get("groundColor"),
            layer="world",
        )
    ]
