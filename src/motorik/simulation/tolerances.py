"""Absolute tolerances: given, or scaled by the mechanism's own lengths and times."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from motorik.errors import SimulationError, UnknownNameError, suggest
from motorik.immutable import immutable
from motorik.simulation.integration_options import ErrorScales
from motorik.simulation.options import as_numbers
from motorik.simulation.stepping.norm import GIVEN, KINDS

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.initialisation.initialise import InitialState
    from motorik.simulation.options import Tolerance
    from motorik.simulation.stepping.native_functions import Native
    from motorik.topology.mechanism import StateVariableSpec

SOME = 0.1  # of the speed at the start: what it may change by
UNITS = ("m", "rad", "m/s", "rad/s")  # of stretches


def absolute_tolerances(
    start: InitialState, atol: Tolerance, rtol: float, duration: float
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


def error_scales(
    system: CompiledModel, atol: Tolerance, tolerances: np.ndarray, rtol: float
) -> ErrorScales | None:
    """Return what error norms by ranges need; None where the user gives all tolerances.

    States that the user names keep the tolerance atol + rtol |x|, and stretches then have none
    that could be finer.
    """
    if not (atol is None or isinstance(atol, Mapping)):
        return None
    layout, given = system.layout, atol or {}
    own = system.stretch_scales
    kinds = own.states
    if given:
        named = [k for k, name in enumerate(layout.state_names) if name in given]
        kinds = kinds.copy()
        kinds[named] = GIVEN
        return ErrorScales(kinds) if kinds.any() else None
    if own.native is None:
        return ErrorScales(kinds)
    length, n_q = system.scales.length, layout.n_q
    speeds = tolerances[n_q : n_q + layout.n_u] / (rtol * system.scales.speeds)
    rate = _median(speeds.tolist()) if layout.n_u else 1.0
    sizes = rtol * np.array([length, 1.0, length * rate, rate])
    return ErrorScales(kinds, own.native, own.kinds, sizes[own.units])


def _median(values: list[float]) -> float:
    """Return the mean of the two middle values, or the middle one."""
    values.sort()
    middle = len(values) // 2
    return 0.5 * (values[middle] + values[~middle])


@immutable
class Stretches:
    """Kinds of the states of a system, and its native stretches, their kinds and units."""

    states: NDArray[np.int64]
    native: Native | None
    kinds: np.ndarray
    units: np.ndarray  # which of `UNITS` each has


def find_stretches(system: CompiledModel) -> Stretches:
    """Return the kinds of the states of a model, and its stretches."""
    layout, inventory = system.layout, system.mechanism.inventory
    moving = [_kind(s) for s in layout.states[: layout.n_x - len(layout.blocks)]]
    states = np.array([*moving, *[GIVEN] * len(layout.blocks)], dtype=np.int64)
    native, units = None, []
    if inventory.lines or inventory.joint_forces or inventory.forces:
        native = system.relative_coordinates
        units = list(system.equations.stretch_units)
    return Stretches(
        states,
        native if units else None,
        np.array([float(KINDS[unit]) for unit in units]),
        np.array([UNITS.index(unit) for unit in units], dtype=np.int64),
    )


def _kind(state: StateVariableSpec) -> int:
    """Return the kind of a coordinate or speed; components of quaternions are angles."""
    return KINDS.get("rad" if state.unit in ("", "1") else state.unit, GIVEN)


def state_scales(start: InitialState, duration: float) -> np.ndarray:
    """Return the usual size of each number of X, in the mechanism's own measure.

    Coordinates have the lengths of their loops, or of the mechanism; angles 1; speeds these
    times a rate, see `_rate`; states of blocks at least 1.
    """
    system, layout = start.system, start.system.layout
    rate = _rate(start, duration)
    q, u = system.scales.coordinates, system.scales.speeds
    blocks = layout.split(layout.starts[0])[2]
    speeds = u * rate
    scales = np.concatenate([q, speeds, np.maximum(np.abs(blocks), 1.0)])
    return scales


def _rate(start: InitialState, duration: float) -> float:
    """Return about how fast the motion changes [1/s]: by gravity, or as it begins.

    It bounds tolerances from above: those of small motions are finer, see `methods.norm`.
    """
    system, layout = start.system, start.system.layout
    g = system.mechanism.gravity.uniform
    if g is not None and (system.mechanism.masses or system.mechanism.line_masses):
        assembled, strengths = system.assembled, g.xyz
        if any(not isinstance(e, float) for e in strengths):
            assembled = assembled.with_values(layout.live_of(start.p))
        strength = math.sqrt(sum(assembled.number(e) ** 2 for e in strengths))
        if strength > 0.0:
            return math.sqrt(strength / system.scales.length)
    if not layout.n_x:
        return 1.0 / duration
    unit = system.scales.speeds[list(layout.state_u)]
    rates = system.derivative(np.array([start.t]), start.x, start.p)
    speeds, changes = layout.split_state(start.x)[1], layout.split_state(rates)[1]
    found = SOME * _largest(speeds / unit), math.sqrt(_largest(changes / unit))
    return max(*found, 1.0 / duration)


def _largest(values: np.ndarray) -> float:
    """Return the largest size of numbers; those that are not finite do not count."""
    finite = (abs(value) for value in values.tolist() if math.isfinite(value))
    return max(finite, default=0.0)
