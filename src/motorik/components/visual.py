"""Parts that are only drawn: they have a frame and no physics."""

from __future__ import annotations

from motorik.components.base.part import DeclaredPart, frame


class Marker(DeclaredPart):
    """The axes of frame_a, as large as other annotations, without mass or force."""

    frame_a = frame("frame at which it is drawn")
