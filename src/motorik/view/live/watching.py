"""Watching: the values of parts that pages point at, computed for these alone.

Frames carry what looks need; the other values of a part, as pages without a session show them,
are asked for by a page that points at it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from motorik.errors import MotorikError
from motorik.view.live.clients import Data
from motorik.view.live.player import Player
from motorik.view.live.telling import message
from motorik.view.scene.blob import write_blob
from motorik.view.scene.scene import Channel

MOST = 8  # parts that are watched at once: those asked for last

Rows = Callable[[Sequence[Channel]], tuple[np.ndarray, np.ndarray] | None]
"""Returns times [s] and values over them of a recorded run; None where there is none."""


class Watching:
    """The parts of a session that pages watch, and their values now or over a recorded run."""

    def __init__(self, player: Player) -> None:
        self._player = player
        self.recorded: Rows = lambda channels: None
        self._watched: dict[int, None] = {}

    def begin(self, part: int) -> None:
        """Watch a part of the scene, by its number; a number of no part is passed over."""
        if 0 <= part < len(self._player.scene.parts):
            self._watched.pop(part, None)
            self._watched[part] = None
        for old in list(self._watched)[:-MOST]:
            del self._watched[old]

    def message(self) -> dict[str, Data]:
        """Return the values of all watched parts as a message, none where none is watched."""
        said = {str(part): self._table(part) for part in self._watched}
        return message("readings", parts=said) if said else {}

    def _table(self, part: int) -> dict[str, object]:
        channels = self._player.readings(part)
        time, values = self.recorded(channels) or self._now(part)
        return {
            "channels": [channel.to_json() for channel in channels],
            "time": write_blob(time, "f64"),
            "values": write_blob(values, "f32"),
        }

    def _now(self, part: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the present values of a part; not numbers where none can be found."""
        player = self._player
        try:
            values = player.read(part)
        except MotorikError:  # no acceleration follows from forces, as with a singular mass
            values = np.full(len(player.readings(part)), np.nan)
        return np.array([player.time]), values[None]
