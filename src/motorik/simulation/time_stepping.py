"""Time stepping where events accumulate or no modes are consistent (Moreau–Jean)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from motorik.compiler.kernels import native_group
from motorik.immutable import immutable
from motorik.nonsmooth.application.time_stepping import (
    SteppingStatus,
    TriggerStatus,
    step_through,
    trigger_after_step,
)
from motorik.nonsmooth.memory import ContactMode
from motorik.simulation.make_run import find_run_events
from motorik.simulation.outcome import Outcome
from motorik.simulation.stepping.native_functions import address_of, start_of
from motorik.simulation.stepping.workspace import HEAD, Counts, Vec, Work

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.compiler.kernels import NativeKernel
    from motorik.nonsmooth.application.run_events import RunEvents
    from motorik.nonsmooth.application.trigger_tables import TriggerTables

# outcomes from which time stepping may continue
PASSES = (Outcome.CHATTERS, Outcome.NO_MODES, Outcome.STANDS_STILL)
LEAST = 1e-4  # of the duration: so far it leads at least, twice as far each time
FINEST = 1e-4  # of that: no steps are shorter
JUMP = 1e-3  # of the largest speed: forces change speeds by less in the shortest step
AT_ONCE = 256  # steps of a native call
HALF = 0.5  # of the room of the log: if more is used, it is taken away
BY_STEPS = "by time stepping (Moreau-Jean)"


@immutable
class SteppedInterval:
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
class SteppedMotion:
    """Result of time stepping: its end, its steps, and the modes in each of them.

    `numbers` are the parameters p from some times on, `trigger_tables` the clocks at its end,
    `triggered` the events of clocks and conditions, None without any; `ended_by` is the condition
    that ended the run, if one did.
    """

    t: float
    x: np.ndarray
    p: np.ndarray
    times: np.ndarray
    states: np.ndarray
    modes: np.ndarray
    interval: SteppedInterval
    numbers: list[tuple[float, np.ndarray]]
    trigger_tables: TriggerTables | None
    triggered: RunEvents | None
    ended_by: str

    def jumps(self, system: CompiledModel) -> bool:
        """Return whether speeds jump at its very beginning: no finite forces continue from there.

        The impulses of Painlevé's paradox do so however short the step is.
        """
        first = len(system.layout.state_q)
        last = first + len(system.layout.state_u)
        before, after = self.states[0, first:last], self.states[1, first:last]
        return bool(np.abs(after - before).max() > JUMP * np.abs(before).max())

    def at(self, time: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return state, modes and parameters at a time within, after a jump at that time."""
        k = int(np.searchsorted(self.times, time, side="right"))
        k = min(max(k, 1), self.times.size - 1)
        a, b = self.times[k - 1], self.times[k]
        part = (time - a) / (b - a) if b > a else 1.0
        p = next(p for begin, p in reversed(self.numbers) if begin <= time)
        return (1.0 - part) * self.states[k - 1] + part * self.states[k], self.modes[k], p


def interval_message(outcome: Outcome, interval: SteppedInterval) -> str:
    """Return the message on an interval in the events of a run."""
    why = "no modes fit" if outcome is Outcome.NO_MODES else "events accumulate"
    return f"{why}: passed {interval}"


def can_step(system: CompiledModel, outcome: Outcome) -> bool:
    """Return whether an interval may be stepped: with unilateral or friction constraints.

    Where no modes are consistent and a bound is a nonlinear function of forces, there may be no
    force at all: steps with the bounds of their beginning would not notice.
    """
    if outcome not in PASSES or system.nonsmooth is None:
        return False
    return outcome is not Outcome.NO_MODES or not system.nonsmooth.nonlinear


def step_interval(
    system: CompiledModel,
    at: tuple[float, np.ndarray, np.ndarray],
    tolerances: tuple[float, np.ndarray],
    stop: float,
    span: float,
    watch: Callable[[], bool] | None = None,
    finest: float | None = None,
    before: TriggerTables | None = None,
) -> SteppedMotion | None:
    """Step from (t, x, p) by at least `span` [s], until no mode changes any more.

    `tolerances` are rtol and atol, `stop` the end of the run. `finest` [s] is the shortest step,
    by default a small part of the span; `before` are the clocks so far. None if there are no
    consistent impulses, if conditions undo each other, or if `watch` ends it.
    """
    t, x, p = at
    n, m = x.size, len(system.nonsmooth.constraints) if system.nonsmooth is not None else 0
    own = find_run_events(system, t, stop, p, False)
    assert own is not None
    p = p.copy()
    own.start(n, p, 0.0)
    own.counts.modes_known = 1
    if own.trigger_tables is not None and before is not None:
        own.trigger_tables.take_ticks(before)
    w = np.zeros(HEAD + Vec.K * n).view(Work)
    w.rtol, w.t_from, w.t_upto = tolerances[0], -np.inf, np.inf
    w[HEAD + Vec.ATOL * n : HEAD + (Vec.ATOL + 1) * n] = tolerances[1]
    finest = FINEST * span if finest is None else finest
    state = np.concatenate([[t, finest, 0.0, 0.0], x])
    record, errors = np.empty((AT_ONCE, 1 + n + m)), np.zeros(n)
    work, impulses = np.zeros(5 * n + 2 * m + 1), np.zeros(m)
    counts = np.zeros(Counts.kind, dtype=np.int64)
    first = len(system.layout.state_q)
    last = first + len(system.layout.state_u)
    project = system.project
    owners = system.derivative, None, project.replace_address if project else None
    stretches = np.zeros(1)  # steps have no norm of stretches
    ode = [*map(address_of, owners), start_of(p), None, start_of(stretches), None]
    given = *ode, *own.arguments()
    places = [n, first, last, start_of(w), *given, start_of(state)]
    trigger_arguments = [
        n,
        start_of(w),
        start_of(counts),
        *given,
        start_of(state),
        start_of(impulses),
    ]
    rows = [np.concatenate([[t], x, np.zeros(m)])[None]]
    numbers = [(-np.inf, p.copy())]
    buffers = [start_of(a) for a in (record, errors, work)]
    step, trigger = _kernels()
    has_triggered = False
    is_due = own.trigger_tables is not None and own.trigger_tables.ticks_at(t)
    while True:
        status = SteppingStatus.TRIGGERS
        if not is_due:
            until = stop, min(t + span, stop), finest, AT_ONCE
            status = step.entry(*places, *until, *buffers)
            rows.append(record[: int(state[3])].copy())
            state[3] = 0.0
        is_due = False
        if status == SteppingStatus.TRIGGERS:
            triggered = trigger.entry(*trigger_arguments)
            if triggered not in (
                TriggerStatus.DONE,
                TriggerStatus.CALLS,
                TriggerStatus.ENDS,
            ):
                return None
            here, modes = state[4:].copy(), rows[-1][-1, 1 + n :]
            if triggered == TriggerStatus.CALLS:
                _call_functions(system, own, float(state[0]), here, p, modes)
            rows.append(np.concatenate([[state[0]], here, modes])[None])
            numbers.append((float(state[0]), p.copy()))
            if own.counts.log_next > HALF * len(own.log) or (
                own.counts.instant_next >= own.counts.instant_room
            ):
                own.make_room()
            has_triggered = True
            if triggered == TriggerStatus.ENDS or state[0] >= stop:
                break
        elif status != SteppingStatus.CONTINUES:
            break
        if watch is not None and watch():
            return None
    if status not in (SteppingStatus.PASSED, SteppingStatus.TRIGGERS):
        return None
    table = np.concatenate(rows)
    end = float(state[0])
    moved = system.layout.integrated
    size = errors / (tolerances[1] + tolerances[0] * np.abs(state[4:]))
    size[first:last] = 0.0
    worst = int(np.argmax(size))
    shown = system.layout.motion[moved[worst]]
    taken = len(table) - len(numbers)
    interval = SteppedInterval(t, end, taken, float(errors[worst]), shown.name, shown.unit)
    parts = table[:, 0], table[:, 1 : 1 + n], table[:, 1 + n :]
    events = own if has_triggered else None
    ended_by = own.trigger_tables.stopped_by if own.trigger_tables is not None else ""
    own_events = numbers, own.trigger_tables, events, ended_by
    return SteppedMotion(end, state[4:].copy(), p, *parts, interval, *own_events)


def _call_functions(
    system: CompiledModel,
    own: RunEvents,
    t: float,
    x: np.ndarray,
    p: np.ndarray,
    modes: np.ndarray,
) -> None:
    """Call the functions of the user that are due, and assign their values."""
    assert own.trigger_tables is not None
    inputs = system.sampled_inputs(np.array([t]), x, with_modes(system, p, modes))
    for function in own.trigger_tables.due():
        given = function.call(t, inputs[function.inputs].tolist())
        for place, value in zip(function.places, given, strict=True):
            own.note(t, 0, place, value)
            p[place] = value


def with_modes(system: CompiledModel, p: np.ndarray, modes: np.ndarray) -> np.ndarray:
    """Return parameters with modes of all constraints; sliding disks have none."""
    found = p.copy()
    stick, direction, _ = system.mode_places()
    in_plane = np.array([pair != -1 for pair, _ in system.pairs()], dtype=bool)
    found[stick] = modes == ContactMode.STUCK
    slides = np.abs(modes) == ContactMode.FORWARD
    found[direction] = np.where(slides & ~in_plane, modes, 0.0)
    return found


@cache
def _kernels() -> tuple[NativeKernel, ...]:
    return native_group(step_through, trigger_after_step)
