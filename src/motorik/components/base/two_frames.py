"""Parts with two frames, frame_a and frame_b."""

from __future__ import annotations

from motorik.components.base.part import Part
from motorik.components.base.ports import FramePort


def two_frames(part: Part) -> tuple[FramePort, FramePort]:
    """Return frame_a and frame_b of a part that has both."""
    return part.__dict__["frame_a"], part.__dict__["frame_b"]
