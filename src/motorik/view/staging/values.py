"""Values: what channels have at the start of a run."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motorik.errors import MotorikError
from motorik.results.sides import sided
from motorik.start.find import FoundStart
from motorik.view.scene.scene import Channel


def values_at(found: FoundStart, channels: Sequence[Channel]) -> np.ndarray:
    """Return the values of channels at a start; not numbers where none can be found."""
    system, index = found.system, found.system.layout.index
    asked = [channel.name for channel in channels if channel.name not in index]
    try:
        rows = system.rows(sided(np.array([found.t])), found.X[None], found.p)
        computed = {name: float(own[0]) for name, own in rows.values(asked).items()}
    except MotorikError:  # no acceleration follows from forces, as with a singular mass
        computed = dict.fromkeys(asked, np.nan)
    return np.array(
        [
            found.X[index[channel.name]]
            if channel.name in index
            else computed[channel.name]
            for channel in channels
        ]
    )
