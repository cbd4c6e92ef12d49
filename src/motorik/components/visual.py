"""Parts that only show something: they have a frame and no physics."""

from __future__ import annotations

from motorik.components.base import kinds
from motorik.components.base.part import DeclaredPart, frame, parameter


class Marker(DeclaredPart):
    """Something drawn at frame_a, without mass or force; `shape` says what."""

    frame_a = frame("where it is drawn")
    shape: kinds.MarkerShape = parameter("what is drawn", default="frame")
