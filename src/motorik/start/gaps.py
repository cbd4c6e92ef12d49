"""Stops at the start: a run must not begin beyond one."""

from __future__ import annotations

import numpy as np

from motorik.components.base.contributions import Slip
from motorik.errors import InitialValueError
from motorik.start.search import FoundStart
from motorik.system.switching_functions import WATCHED

ROUNDING = 1e-9  # of the largest coordinate: so far beyond a stop counts as on it
GAP = 5  # the place of the gap among what is watched of a row


def check_gaps(start: FoundStart) -> None:
    """Raise `InitialValueError` if something begins beyond a stop or within a contact."""
    switching = start.system.switching
    if switching is None or all(slip.gap is None for slip in switching.slips):
        return
    values = start.system.watched(np.array([start.t]), start.x, start.p)
    gaps = values.reshape(-1, WATCHED)[:, GAP]
    size = float(np.abs(start.X[: start.system.layout.n_q]).max(initial=0.0))
    for slip, gap in zip(switching.slips, gaps, strict=True):
        if slip.gap is not None and gap < -ROUNDING * max(size, -gap):
            raise InitialValueError(
                slip.part.path,
                f"begins {-gap:.6g} beyond its {slip.force.replace('_', ' ')}"
                f"{_place(start, slip)}.",
                "Give it a start value on this side of the stop, or move the stop.",
                parameter=slip.force,
                value=float(gap),
            )


def _place(start: FoundStart, slip: Slip) -> str:
    """Return where the joint of a stop is, in words."""
    mechanism = start.system.mechanism
    link = mechanism.link_of_part(slip.part)
    if link is None or len(link.q) != 1:
        return ""
    state = mechanism.coordinates[link.q[0]]
    return f": {state.name} = {start.X[link.q[0]]:.6g} {state.unit}"
