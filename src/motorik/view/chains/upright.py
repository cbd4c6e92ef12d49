"""What points up in the scene of a chain: what was given, else against gravity."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from motorik.algebra.given import unit_axis
from motorik.algebra.vector import X, Y, Z
from motorik.errors import MotorikError
from motorik.mobile.dynamics.arguments import Direction
from motorik.mobile.dynamics.dynamic_system import DynamicSystem
from motorik.view.chains.faults import refused
from motorik.view.scene.place import Triple, triple

AXES = (X, Y, Z)


def read_up(given: int | Direction | None) -> Triple | None:
    """Return the direction that was given, as an axis, its number 0, 1, 2 or a vector."""
    if given is None:
        return None
    try:
        axis = dict(enumerate(AXES))[given] if isinstance(given, int) else given
        return triple(unit_axis(axis).numpy())
    except (MotorikError, TypeError, ValueError, LookupError):
        why = f"up = {given!r} is not a direction."
        remedy = 'Give 0, 1 or 2, an axis such as Y or "y", or three numbers.'
        raise refused(why, remedy, "up", given) from None


def against_gravity(systems: Iterable[DynamicSystem]) -> Triple:
    """Return what points up for the first system that has gravity; z without any."""
    for system in systems:
        g = system.gravity.numpy()
        if g.any():
            return triple(-g / np.linalg.norm(g))
    return triple(Z.numpy())
