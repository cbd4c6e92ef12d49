"""Readings that no value fits: the values that come nearest, for the message of a failed run."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from motorik.system.functions import elements

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel

TURNS = 100  # of Gauss and Newton's method
HALVINGS = 30  # of one step
STILL = 1e-9  # part of all values by which a step moves them no more


def nearest_reading(system: CompiledModel, t: float, x: np.ndarray, p: np.ndarray) -> str:
    """Return in words what is read nearest to what causes it, "" if that is not found.

    "meter.a = 1.25 would be read as 1.969".
    """
    import casadi

    equations = system.equations
    time, states = equations.symbols("t", "x")
    found = equations.form.open_laws(time, elements(states), equations.all_extra)
    if not found.symbols:
        return ""
    y, r = (casadi.SX(casadi.vertcat(*own)) for own in (found.symbols, found.readings))
    given = [y, time, states, equations.p]
    function = casadi.Function("read", given, [y - r, casadi.jacobian(y - r, y)])

    def missing(at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        gap, slopes = function(at, t, x, p)
        return np.asarray(gap).ravel(), np.asarray(casadi.DM(slopes).full())

    here = _least(missing, -missing(np.zeros(len(found.symbols)))[0])
    gap = missing(here)[0]
    if not np.isfinite(gap).all():
        return ""
    worst = int(np.abs(gap).argmax())
    tried, read = here[worst], here[worst] - gap[worst]
    return f"{found.names[worst]} = {tried:.4g} would be read as {read:.4g}"


Missing = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]


def _least(missing: Missing, here: np.ndarray) -> np.ndarray:
    """Return where what is missing is least, by Gauss and Newton's method with shorter steps."""
    gap, slopes = missing(here)
    for _ in range(TURNS):
        if not (np.isfinite(gap).all() and np.isfinite(slopes).all()):
            break
        step = -np.linalg.lstsq(slopes, gap, rcond=1e-12)[0]
        for _ in range(HALVINGS):
            trial = missing(here + step)
            if np.linalg.norm(trial[0]) < np.linalg.norm(gap):
                break
            step = 0.5 * step
        else:
            break
        here, (gap, slopes) = here + step, trial
        if np.linalg.norm(step) <= STILL * np.linalg.norm(here):
            break
    return here
