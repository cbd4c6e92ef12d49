"""Causes of a failed run in words: the fastest state, the law that is not finite."""

from __future__ import annotations

import numpy as np

from motorik.errors import MotorikError
from motorik.motion.find_fault import find_fault
from motorik.simulation.outcome import Outcome
from motorik.simulation.switching.happenings import Happenings
from motorik.system.switching_functions import ASKED
from motorik.system.system import System

LOOK_AHEAD = (0.0, 1e-9, 1e-6, 1e-3)  # of the run: where a law that fails is looked for


def fastest(system: System, x: np.ndarray) -> str:
    """Return the largest speed of a state in words, for the message of a failed run."""
    layout = system.layout
    speeds = [
        (abs(value), layout.motion[k])
        for k, value in zip(layout.integrated, x.tolist(), strict=True)
        if layout.n_q <= k < layout.n_q + layout.n_u
    ]
    if not speeds:
        return ""
    fast, state = max(speeds, key=lambda pair: pair[0])
    return f"the largest speed is {state.name} = {fast:.3g} {state.unit}"


def find_law(
    system: System, t: float, x: np.ndarray, p: np.ndarray, duration: float
) -> str:
    """Return in words the part whose law is not finite at the present state."""
    time = np.array([t])
    rates = np.nan_to_num(system.derivative(time, x, p))
    numeric = system.numeric_at(system.layout.live_of(p))
    try:
        for part in LOOK_AHEAD:  # what is not finite may lie a little further on
            h = part * duration
            X = system.full_state(time + h, x + h * rates, p)
            q, u, z = (values.tolist() for values in system.layout.split(X))
            found = find_fault(numeric, t + h, q, u, z)
            if found:
                return found
    except MotorikError as error:
        return str(error)
    return "" if np.isfinite(system.derivative(time, x, p)).all() else _fed_back(system)


def _fed_back(system: System) -> str:
    """Return the sensors of forces and accelerations that forces depend on, in words."""
    sensors = [sensor for sensor, _ in system.mechanism.signals.unknowns.values()]
    if not sensors:
        return ""
    names = ", ".join(dict.fromkeys(sensor.part.path for sensor in sensors))
    return (
        f"{names}: a force depends on what is measured there and causes it itself; here "
        "nothing determines it"
    )


LIMITS = ("low", "high", "forward", "backward", "on", "gap", "restitution")
BOUNDS = ("low", "high")  # which may be infinite


def find_row(
    system: System,
    outcome: Outcome,
    happenings: Happenings,
    where: tuple[float, np.ndarray, np.ndarray],
    duration: float = 0.0,
) -> str:
    """Return in words which switching rows end a run: a wrong law, or those that conflict.

    `where` are t, x and p; "" if it ends for another reason.
    """
    found = find_limits(system, happenings, where, duration)
    if found:
        return found
    if outcome is Outcome.CHATTERS:
        return f"seen at {happenings.busiest()}"
    return f"seen at {happenings.worst}" if outcome is Outcome.NO_MODES else ""


def find_limits(
    system: System,
    happenings: Happenings,
    where: tuple[float, np.ndarray, np.ndarray],
    duration: float,
) -> str:
    """Return in words which row has a limit that is not a number, there or a little ahead."""
    t, x, p = where
    count, time = len(happenings.rows), np.array([t])
    if not count:
        return ""
    rates = np.nan_to_num(system.derivative(time, x, p))
    for part in LOOK_AHEAD:
        h = part * duration
        given = system.coupling(time + h, x + h * rates, p)[: ASKED * count]
        rows = given.reshape(count, ASKED).tolist()
        for row, (_, *limits, _) in zip(happenings.rows, rows, strict=True):
            for name, value in zip(LIMITS, limits, strict=True):
                if np.isnan(value) or (np.isinf(value) and name not in BOUNDS):
                    return f"{row.name}: {name!r} of its limits is {value:g}"
    return ""
