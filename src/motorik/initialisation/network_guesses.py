"""The guesses for Newton's method in equations of parts, where those at hand are too far off."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel


def with_guesses(
    system: CompiledModel, t: float, x: np.ndarray, p: np.ndarray
) -> np.ndarray:
    """Return p with guesses from which machine code finds the solution at t and the state x.

    Newton's method in machine code takes a fixed number of steps. Where it does not settle, a
    search in Python, with as many steps as it needs, finds what it begins with from then on.
    """
    layout = system.layout
    places = np.array([*layout.guesses], dtype=int)
    if not places.size or not np.isfinite(x).all():
        return p
    own = system.unwrapped_angles
    assert own is not None
    settled = own(np.array([t]), x, p)[places - layout.unwrapping.start]
    if np.isfinite(settled).all():
        return p
    from motorik.motion.view import MotionView

    X = system.full_state(np.array([t]), x, p)
    q, u, z = (values.tolist() for values in layout.split(X))
    numeric = system.numeric_at(layout.live_of(p))
    found = MotionView(numeric, q, u, None, t, z).network_searched_far()
    p = p.copy()
    for k, name in layout.guesses.items():
        p[k] = found.get(name, p[k])
    return p


def samples_with_guesses(
    system: CompiledModel, times: np.ndarray, states: np.ndarray, p: np.ndarray
) -> np.ndarray:
    """Return p of output samples likewise: at a jump they may be on the other side of it.

    Where there is no solution the first search ends without one, and none follows.
    """
    own = system.unwrapped_angles
    assert own is not None
    places = np.array([*system.layout.guesses], dtype=int) - system.layout.unwrapping.start
    settled = own.map(times.reshape(-1, 1), states, p)[:, places]
    lost = np.flatnonzero(~np.isfinite(settled).all(axis=1))
    if lost.size:
        p = p.copy()
    for k in lost:
        p[k] = with_guesses(system, float(times[k]), states[k], p[k])
        if not np.isfinite(own(times[k : k + 1], states[k], p[k])[places]).all():
            break
    return p
