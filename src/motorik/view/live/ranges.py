"""Sliders of a model: for its live parameters and start values, with ranges that suit them."""

from __future__ import annotations

import math

import numpy as np

from motorik.components.base.values import number_of
from motorik.errors import MotorikError
from motorik.system.layout import Layout
from motorik.system.system import System
from motorik.view.live.model_player import ModelPlayer
from motorik.view.live.panel import DEGREES
from motorik.view.live.panels import Panels

PARAMETERS, START = "Parameters", "Start values"
MOST = 24  # sliders of start values in the automatic panel
NARROW = 0.05  # the low end of a range that must not reach zero, against the value
WIDE = 3.0  # the end of a range against the present value


def add_sliders(panels: Panels, player: ModelPlayer) -> None:
    """Add a slider for each live parameter, and for the start values of a model."""
    system, live = player.base, player.live
    for name in system.layout.live_names:
        low, high = parameter_range(system, live, name)
        _add(panels, PARAMETERS, name, (low, high), player.unit_of(name))
    names = start_names(system)
    for name, value in zip(names, player.values(names), strict=True):
        range_ = state_range(system, name, value)
        _add(panels, START, name, range_, player.unit_of(name))


def _add(
    panels: Panels, title: str, name: str, range_: tuple[float, float], unit: str
) -> None:
    low, high = map(math.degrees, range_) if unit in DEGREES else range_
    panels.find(title).slider(name, low, high)


def parameter_range(system: System, live: np.ndarray, name: str) -> tuple[float, float]:
    """Return a range for a live parameter, in SI units: around its value, as far as it is valid.

    Whether zero and negative values are, its part is asked.
    """
    place = system.layout.live_names[name]
    value, unit = float(live[place]), system.layout.live[place].parameter.unit
    size = abs(value) or 1.0
    if unit == "rad":
        return min(-math.pi, value - math.pi), max(math.pi, value + math.pi)
    high = value + (WIDE - 1.0) * size
    if unit == "m" and value > 0.0:  # a length: what has none is another mechanism
        return NARROW * value, high
    for low in (value - (WIDE - 1.0) * size if value <= 0.0 else -high, 0.0):
        if value > 0.0 and low < 0.0 and not _is_signed(unit):
            continue
        if low < value and _is_valid(system, live, place, low):
            return low, high
    return NARROW * value, high


def _is_signed(unit: str) -> bool:
    """Return whether numbers of a unit usually have both signs: forces, speeds."""
    return unit in ("N", "N.m", "m/s", "rad/s", "m/s2", "rad/s2", "")


def _is_valid(system: System, live: np.ndarray, place: int, value: float) -> bool:
    tried = live.copy()
    tried[place] = value
    try:
        system.parameter_check(tried)
    except MotorikError:
        return False
    return True


def state_range(system: System, name: str, value: float) -> tuple[float, float]:
    """Return a range for a coordinate or a speed, in SI units: of its scale, about its value.

    A joint with stops on both sides has theirs.
    """
    place = system.layout.index[name]
    ends = _stops(system, name.rpartition(".")[0]) if place < system.n_q else None
    if ends is not None:
        return min(ends[0], value), max(ends[1], value)
    unit = system.layout.motion[place].unit
    length = system.scales.length
    size = {"rad": math.pi, "m": length, "rad/s": 10.0, "m/s": 10.0 * length}.get(unit, 1.0)
    size = max(size, WIDE * abs(value))
    return -size, size


def _stops(system: System, joint: str) -> tuple[float, float] | None:
    """Return between which positions a joint of one freedom moves, None without two stops."""
    slips = () if system.switching is None else system.switching.slips
    for slip in slips:
        stops = slip.part.__dict__.get("stops")
        if stops is not None and slip.part.path == joint and None not in stops:
            return number_of(stops[0]), number_of(stops[1])
    return None


def start_names(system: System) -> list[str]:
    """Return the coordinates and speeds whose start values a user would move.

    Those that the model fixes, without any the first ones that are states; and the speeds
    that are states.
    """
    layout: Layout = system.layout
    count = layout.n_q + layout.n_u
    states = [k for k in layout.integrated if k < count]
    fixed = [k for k in range(count) if layout.starts[1][k]]
    speeds = [k for k in states if k >= layout.n_q]
    chosen = sorted({*(fixed or states), *speeds})
    return [layout.motion_names[k] for k in chosen[:MOST]]
