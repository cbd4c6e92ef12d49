"""Time stepping where events accumulate or no modes fit: an interval without events."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np

from motorik.compiler.kernels import NativeKernel, native_group
from motorik.components.blocks.discrete import When
from motorik.simulation.make_run import happenings_of
from motorik.simulation.methods import workspace as slot
from motorik.simulation.native_functions import address_of, start_of
from motorik.simulation.outcome import Outcome
from motorik.simulation.switching import store
from motorik.simulation.switching.time_stepping import PASSED, WENT_ON, step_through
from motorik.system.system import System

# outcomes that stepping may lead on from
PASSES = (Outcome.CHATTERS, Outcome.NO_MODES, Outcome.STANDS_STILL)
LEAST = 1e-4  # of the duration: so far it leads at least, twice as far each time
FINEST = 1e-4  # of that: no steps are shorter
JUMP = 1e-3  # of the largest speed: forces change speeds by less in the shortest step
AT_ONCE = 256  # steps of a native call
BY_STEPS = "by time stepping (Moreau-Jean)"


@dataclass(frozen=True)
class Stepped:
    """An interval of a run that was passed by time stepping.

    From `begin` to `end` [s]; `error` is the estimated error of the state `name` at its end, in
    its `unit`: of all states the one that is worst against its tolerance.
    """

    begin: float
    end: float
    steps: int
    error: float
    name: str
    unit: str

    def __str__(self) -> str:
        return (
            f"from {self.begin:.9g} s to {self.end:.9g} s {BY_STEPS} in {self.steps} steps, "
            f"error about {self.error:.2g} {self.unit} of {self.name}"
        )


@dataclass
class SteppedRows:
    """What time stepping came to: where it ended, its steps, and the modes in each of them."""

    t: float
    x: np.ndarray
    p: np.ndarray
    times: np.ndarray
    states: np.ndarray
    modes: np.ndarray
    told: Stepped

    def jumps(self, system: System) -> bool:
        """Return whether speeds jump at its very beginning: no forces lead on from there.

        The impulses of Painlevé's paradox do so however short the step is.
        """
        first = len(system.layout.state_q)
        last = first + len(system.layout.state_u)
        before, after = self.states[0, first:last], self.states[1, first:last]
        return bool(np.abs(after - before).max() > JUMP * np.abs(before).max())

    def at(self, time: float) -> tuple[np.ndarray, np.ndarray]:
        """Return state and modes at a time within."""
        k = min(int(np.searchsorted(self.times, time)), self.times.size - 1)
        k = max(k, 1)
        a, b = self.times[k - 1], self.times[k]
        part = (time - a) / (b - a)
        return (1.0 - part) * self.states[k - 1] + part * self.states[k], self.modes[k]


def in_words(outcome: Outcome, told: Stepped) -> str:
    """Return what is told of an interval in the events of a run."""
    why = "no modes fit" if outcome is Outcome.NO_MODES else "events accumulate"
    return f"{why}: passed {told}"


def can_step(system: System) -> bool:
    """Return whether a system may be stepped: what `when` and clocks do would be passed over.

    Conditions that only tell how a law acts, such as which side of a lossy gear drives, are
    followed step by step.
    """
    triggers = system.mechanism.inventory.triggers
    follows = (t.condition is not None and not (t.assignments or t.stops) for t in triggers)
    is_own = (not isinstance(t.part, When) for t in triggers)
    return system.switching is not None and all(follows) and all(is_own)


def step_on(
    system: System,
    at: tuple[float, np.ndarray, np.ndarray],
    tolerances: tuple[float, np.ndarray],
    stop: float,
    span: float,
    watch: Callable[[], bool] | None = None,
    finest: float | None = None,
) -> SteppedRows | None:
    """Step on from (t, x, p) by at least `span` [s], until no mode changes any more.

    `tolerances` are rtol and atol, `stop` the end of the run. `finest` [s] is the shortest
    step, by default a small part of the span. None if no impulses fit, or if `watch` ends it.
    """
    t, x, p = at
    n, m = x.size, len(system.switching.slips) if system.switching is not None else 0
    own = happenings_of(system, t, stop, p, False)
    assert own is not None
    p = p.copy()
    own.start(n, p, 0.0)
    w = np.zeros(slot.HEAD + slot.K * n)
    w[slot.RTOL], w[slot.T_FROM], w[slot.T_UPTO] = tolerances[0], -np.inf, np.inf
    w[slot.HEAD + slot.ATOL * n : slot.HEAD + (slot.ATOL + 1) * n] = tolerances[1]
    finest = FINEST * span if finest is None else finest
    state = np.concatenate([[t, finest, 0.0, 0.0], x])
    record, errors = np.empty((AT_ONCE, 1 + n + m)), np.zeros(n)
    work = np.zeros(5 * n + 2 * m + 1)
    first = len(system.layout.state_q)
    last = first + len(system.layout.state_u)
    project = system.project
    owners = system.derivative, None, project.replace_address if project else None
    stretches = np.zeros(1)  # steps have no norm of stretches
    ode = [*map(address_of, owners), start_of(p), None, start_of(stretches), None]
    places = [n, first, last, start_of(w), *ode, *own.arguments(), start_of(state)]
    rows = [np.concatenate([[t], x, np.zeros(m)])[None]]
    buffers = [start_of(a) for a in (record, errors, work)]
    while True:
        numbers = stop, min(t + span, stop), finest, AT_ONCE
        status = _kernel().entry(*places, *numbers, *buffers)
        rows.append(record[: int(state[3])].copy())
        if status != WENT_ON:
            break
        state[3] = 0.0
        if watch is not None and watch():
            return None
    if status != PASSED:
        return None
    table = np.concatenate(rows)
    end = float(state[0])
    moved = system.layout.integrated
    size = errors / (tolerances[1] + tolerances[0] * np.abs(state[4:]))
    size[first:last] = 0.0
    worst = int(np.argmax(size))
    shown = system.layout.motion[moved[worst]]
    told = Stepped(t, end, len(table) - 1, float(errors[worst]), shown.name, shown.unit)
    parts = table[:, 0], table[:, 1 : 1 + n], table[:, 1 + n :]
    return SteppedRows(end, state[4:].copy(), p, *parts, told)


def with_modes(system: System, p: np.ndarray, modes: np.ndarray) -> np.ndarray:
    """Return parameters with modes of all constraints; friction in planes that slides has none."""
    found = p.copy()
    stick, way, _ = system.mode_places()
    in_plane = np.array([pair != -1 for pair, _ in system.pairs()], dtype=bool)
    found[stick] = modes == store.STUCK
    slides = np.abs(modes) == store.FORWARD
    found[way] = np.where(slides & ~in_plane, modes, 0.0)
    return found


@cache
def _kernel() -> NativeKernel:
    (made,) = native_group(step_through)
    return made
