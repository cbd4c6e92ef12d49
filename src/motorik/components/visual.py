"""Parts that are only drawn: they have a frame and no physics."""

from __future__ import annotations

from motorik.components.base import kinds
from motorik.components.base.part import DeclaredPart, frame, parameter


class Marker(DeclaredPart):
    """A shape drawn at frame_a, without mass or force."""

    frame_a = frame("frame at which it is drawn")
    shape: kinds.MarkerShape = parameter("shape that is drawn", default="frame")
