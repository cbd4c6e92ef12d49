"""History: the frames of a run so far, for pages that come later; thinned, never too many."""

from __future__ import annotations

import struct

MOST_FRAMES = 3000
MOST_BYTES = 8_000_000


class History:
    """Frames of one run in the order of time, at most `most` of them.

    Where there are more, every second one of those before the last is forgotten: the whole
    run stays, in coarser steps. Time that goes back, or another kind of frame, begins anew.
    """

    def __init__(self, most: int = MOST_FRAMES) -> None:
        self._most = most
        self._frames: list[bytes] = []

    def add(self, frame: bytes) -> None:
        """Take a frame as pages get it; one of the same time replaces the one before."""
        frames = self._frames
        if frames and (len(frame) != len(frames[-1]) or _time(frame) < _time(frames[-1])):
            frames.clear()
        if frames and _time(frame) == _time(frames[-1]):
            frames.pop()
        frames.append(frame)
        if len(frames) > max(2, min(self._most, MOST_BYTES // len(frame))):
            del frames[1:-1:2]

    def clear(self) -> None:
        """Forget all of them."""
        self._frames.clear()

    @property
    def past(self) -> bytes:
        """All frames but the last, one after the other."""
        return b"".join(self._frames[:-1])


def _time(frame: bytes) -> float:
    return float(struct.unpack_from("<d", frame)[0])
