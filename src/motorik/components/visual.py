"""Parts that only show something: they have a frame and no physics."""

from __future__ import annotations

from motorik.components.base.part import Part, frame, parameter
from motorik.components.base.values import as_choice

SHAPES = (
    *("frame", "FixedFrame", "FixedArrow", "FixedShape", "Rectangle", "Torus"),
    *("VoluminousWheel", "PipeWithScalarField"),
)


class Marker(Part):
    """Something drawn at frame_a, without mass or force; `shape` says what."""

    frame_a = frame("where it is drawn")
    shape = parameter("what is drawn", "", "frame", as_choice(*SHAPES))
