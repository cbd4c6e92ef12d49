"""Absolute tolerances: given, or scaled by the mechanism's own lengths and times."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from motorik.errors import SimulationError, UnknownNameError, suggest
from motorik.simulation.options import Tolerance, as_numbers
from motorik.start.find import FoundStart
from motorik.system.system import System

SMALL = 1e-2  # a motion below this part of the mechanism's scale needs finer tolerances
REST = 1e-10  # and below this part it rests
TOLERANCES = 10.0  # in a mechanism that switches
ERROR = 0.1  # of a motion that is left with finer tolerances: it was an error


def absolute_tolerances(
    start: FoundStart, atol: Tolerance, rtol: float, duration: float
) -> np.ndarray:
    """Return one absolute tolerance for each number of X; `atol` may name some of them.

    Where none is given it is rtol times the scale of the state.
    """
    layout = start.system.layout
    if atol is None or isinstance(atol, Mapping):
        given = rtol * state_scales(start, duration)
    else:
        given = np.empty(layout.n_motion)
    if isinstance(atol, Mapping):
        for name, value in atol.items():
            if name not in layout.index:
                raise UnknownNameError(
                    "atol",
                    f"there is no state {name!r}.",
                    suggest(name, layout.index),
                    parameter="atol",
                    value=name,
                )
            given[layout.index[name]] = as_numbers(f"atol of {name}", value)
    elif atol is not None:
        array = as_numbers("atol", atol)
        if array.shape not in ((), (layout.n_motion,)):
            raise SimulationError(
                "simulate",
                f"atol has shape {array.shape}.",
                f"Give one number, {layout.n_motion} numbers, or a dict by state name.",
                parameter="atol",
                value=atol,
            )
        given[:] = array
    if not all(0 < value < math.inf for value in given.tolist()):
        raise SimulationError(
            "simulate",
            f"atol = {atol!r} is not positive and finite.",
            "Give e.g. 1e-8.",
            parameter="atol",
            value=atol,
        )
    return given


def finer_tolerances(
    system: System,
    tolerances: np.ndarray,
    ranges: np.ndarray,
    rtol: float,
    before: np.ndarray | None = None,
) -> np.ndarray | None:
    """Return tolerances for a motion that is much smaller than the mechanism, if it is.

    `ranges` are how far the states moved, `before` how far with coarser tolerances.
    Coordinates and speeds in metres, and those in radians, are each judged together; what
    hardly moves at all counts as at rest, and so does what moves less the finer the
    tolerances are: that is error, not motion. In a mechanism that switches, a few tolerances
    are error: what slides slowly turns by them.
    """
    sizes, moved = tolerances.tolist(), ranges.tolist()
    rest = max(REST, TOLERANCES * rtol) if system.mechanism.inventory.slips else REST
    finer = None
    for own in system.layout.states_by_unit:
        size, far = max(sizes[k] for k in own) / rtol, max(moved[k] for k in own)
        is_error = before is not None and far < ERROR * max(before[list(own)])
        if rest * size < far < SMALL * size and not is_error:
            finer = tolerances.copy() if finer is None else finer
            finer[list(own)] *= far / size
    return finer


def state_scales(start: FoundStart, duration: float) -> np.ndarray:
    """Return the usual size of each number of X, in the mechanism's own measure.

    Coordinates have the lengths of their loops, or of the mechanism; angles 1; speeds these
    times the slowest of the rates at which the motion begins; states of blocks at least 1.
    """
    known = start.known
    if "scales" in known:
        return known["scales"]
    system, layout = start.system, start.system.layout
    rate = _rate(start)
    q, u = system.scales.coordinates, system.scales.speeds
    blocks = layout.split(layout.starts[0])[2]
    speeds = u * (rate or 1.0 / duration)
    scales = np.concatenate([q, speeds, np.maximum(np.abs(blocks), 1.0)])
    if rate:
        known["scales"] = scales
    return scales


def _rate(start: FoundStart) -> float:
    """Return about how fast the motion goes at its start [1/s]; 0 if it rests."""
    system, layout = start.system, start.system.layout
    if not layout.n_x:
        return 0.0
    unit = system.scales.speeds[list(layout.state_u)]
    rates = system.derivative(np.array([start.t]), start.x, start.p)
    u, ud = layout.split_state(start.x)[1], layout.split_state(rates)[1]
    found = [_largest(u / unit), math.sqrt(_largest(ud / unit))]
    g = system.mechanism.gravity.uniform
    if g is not None and (system.mechanism.masses or system.mechanism.line_masses):
        subject, strengths = system.subject, g.xyz
        if any(not isinstance(e, float) for e in strengths):
            subject = subject.with_values(layout.live_of(start.p))
        strength = math.sqrt(sum(subject.number(e) ** 2 for e in strengths))
        found.append(math.sqrt(strength / system.scales.length))
    moving = [rate for rate in found if rate > 0.0 and math.isfinite(rate)]
    return min(moving, default=0.0)


def _largest(values: np.ndarray) -> float:
    """Return the largest size of numbers; those that are no numbers do not count."""
    return max((abs(value) for value in values.tolist() if value == value), default=0.0)
