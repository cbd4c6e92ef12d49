"""Causes of a failed run, with remedies: laws that are not finite, friction that jams."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from motorik.errors import MotorikError
from motorik.motion.nonfinite_laws import find_nonfinite_law
from motorik.nonsmooth.laws.algebraic_loops import nearest_solution
from motorik.nonsmooth.memory import LCP_DATA, LogLine, TriggerValue
from motorik.simulation.integration import Outcome

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.nonsmooth.application.run_events import RunEvents

AHEAD = (0.0, 1e-9, 1e-6, 1e-3)  # of the run: times at which laws are evaluated


def fastest(system: CompiledModel, x: np.ndarray) -> str:
    """Return the message on the largest speed of a state."""
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


class Fault(NamedTuple):
    """The message on a cause, and a remedy, if one is known."""

    message: str
    remedy: str = ""


def find_cause(
    system: CompiledModel,
    outcome: Outcome,
    run_events: RunEvents | None,
    places: Sequence[tuple[float, np.ndarray]],
    p: np.ndarray,
    duration: float,
) -> tuple[Outcome, Fault]:
    """Return why a run has failed, and the cause.

    `places` are times and states: where it ended, and others before. The first finite
    one is examined.
    """
    finite = (place for place in places if np.isfinite(place[1]).all())
    t, x = next(finite, places[0])
    ahead = [part * duration for part in AHEAD] + [max(places[0][0] - t, 0.0)]
    found: Fault | None = None
    if run_events is not None and run_events.pasts is not None:
        seen = run_events.pasts.fault(t, x, p)
        if seen is not None:
            return outcome, Fault(*seen)
    if outcome is Outcome.NOT_FINITE:
        found = find_law(system, t, x, p, ahead)
    if run_events is not None:
        own = run_events, (t, x, p), ahead
        outcome, named = find_event_fault(system, outcome, *own)
        found = named or found
    return outcome, found or Fault(fastest(system, x))


def find_law(
    system: CompiledModel, t: float, x: np.ndarray, p: np.ndarray, ahead: Sequence[float]
) -> Fault | None:
    """Return the part whose law is not finite at a state, or some times [s] ahead of it."""
    time = np.array([t])
    rates = np.nan_to_num(system.derivative(time, x, p))
    numeric = system.numeric_at(system.layout.live_of(p))
    try:
        for h in ahead:  # the law may fail a little later
            X = system.full_state(time + h, x + h * rates, p)
            q, u, z = (values.tolist() for values in system.layout.split(X))
            found = find_nonfinite_law(numeric, t + h, q, u, z)
            if found:
                return Fault(found)
    except MotorikError as error:
        return Fault(str(error))
    for h in ahead:
        if not np.isfinite(system.derivative(time + h, x + h * rates, p)).all():
            place = time + h, x + h * rates, p
            return _algebraic_loop(system, t, x, p) or _jammed(system, *place)
    return None


def _algebraic_loop(
    system: CompiledModel, t: float, x: np.ndarray, p: np.ndarray
) -> Fault | None:
    """Return the fault of an algebraic loop: sensors that forces depend on and act on."""
    sensors = [sensor for sensor, _ in system.mechanism.signals.unknowns.values()]
    if not sensors:
        return None
    names = ", ".join(dict.fromkeys(sensor.part.path for sensor in sensors))
    near = nearest_solution(system, t, x, p)
    return Fault(
        f"{names}: a force depends on what is measured there and causes it itself; here "
        f"nothing determines it, or no value fits{f' (nearest: {near})' if near else ''}",
        "Change a gain, or put a FirstOrder block between the sensor and what it acts on.",
    )


def _jammed(
    system: CompiledModel, time: np.ndarray, x: np.ndarray, p: np.ndarray
) -> Fault | None:
    """Return the constraints with nonlinear force bounds, if all else is finite."""
    if system.nonsmooth is None:
        return None
    count = system.nonsmooth.size
    requested = system.contact_lcp(time, x, p)[: LCP_DATA * count].reshape(count, LCP_DATA)
    if not np.isfinite(requested[:, -1]).all():
        return None
    nonlinear = sorted(system.nonsmooth.nonlinear)
    names = [system.nonsmooth.constraints[k].part.path for k in nonlinear]
    return jam_of(dict.fromkeys(names)) if names else None


def jam_of(names: Iterable[str]) -> Fault:
    """Return the fault of joints whose friction depends on their own reactions."""
    return Fault(
        f"{', '.join(names)}: no friction force fits the reaction that it causes itself; it jams",
        "Friction grows faster here than what it slows down. Give a smaller `mu`, or smaller "
        "arms at which it rubs.",
    )


LCP_NAMES = ("low", "high", "forward", "backward", "on", "gap", "restitution")
BOUNDS = ("low", "high")  # which may be infinite


def find_event_fault(
    system: CompiledModel,
    outcome: Outcome,
    run_events: RunEvents,
    where: tuple[float, np.ndarray, np.ndarray],
    ahead: Sequence[float] = (0.0,),
) -> tuple[Outcome, Fault | None]:
    """Return why events end a run, and which of them: a wrong law, or those that conflict.

    `where` are t, x and p, and `ahead` times [s] later at which laws are evaluated. The outcome
    and None if the run ends for another reason.
    """
    found = find_not_finite(system, run_events, where, ahead)
    if found:
        return Outcome.NOT_FINITE, Fault(found)
    if outcome is Outcome.CHATTERS:
        return outcome, Fault(f"seen at {run_events.busiest()}")
    if outcome is Outcome.BEYOND:
        fired = run_events.names()[int(run_events.lines[-1, LogLine.SOURCE])]
        return outcome, Fault(f"{fired} does so with {run_events.worst}")
    if outcome is not Outcome.NO_MODES:
        return outcome, None
    nonlinear = () if system.nonsmooth is None else system.nonsmooth.nonlinear
    worst = run_events.worst_index
    if worst in nonlinear:
        return outcome, jam_of([run_events.worst])
    return outcome, Fault(f"seen at {run_events.worst}")


def find_not_finite(
    system: CompiledModel,
    run_events: RunEvents,
    where: tuple[float, np.ndarray, np.ndarray],
    ahead: Sequence[float],
) -> str:
    """Return the message on a bound, condition or assigned value that is not finite, or ""."""
    t, x, p = where
    found = _wrong_assignment(run_events, t)
    if found or not run_events.has_events:
        return found
    time = np.array([t])
    rates = np.nan_to_num(system.derivative(time, x, p))
    for h in ahead:
        place = time + h, x + h * rates, p
        found = _wrong_bound(system, run_events, *place) or _wrong_condition(
            system, run_events, *place
        )
        if found:
            return found
    return ""


def _wrong_bound(
    system: CompiledModel,
    run_events: RunEvents,
    time: np.ndarray,
    x: np.ndarray,
    p: np.ndarray,
) -> str:
    """Return the message on a constraint with a force bound that is not a number."""
    count = len(run_events.entries)
    if not count:
        return ""
    table = system.contact_lcp(time, x, p)[: LCP_DATA * count].reshape(count, LCP_DATA)
    for entry, (_, *numbers, _) in zip(run_events.entries, table.tolist(), strict=True):
        for name, value in zip(LCP_NAMES, numbers, strict=True):
            if np.isnan(value) or (np.isinf(value) and name not in BOUNDS):
                return f"{entry.name}: {name!r} of its force bounds is {value:g}"
    return ""


def _wrong_condition(
    system: CompiledModel,
    run_events: RunEvents,
    time: np.ndarray,
    x: np.ndarray,
    p: np.ndarray,
) -> str:
    """Return the message on a condition that is not a number, or ""."""
    triggers = run_events.triggers
    if not triggers:
        return ""
    values = system.trigger_conditions(time, x, p)[: len(triggers)].tolist()
    for trigger, value in zip(triggers, values, strict=True):
        if not np.isfinite(value):
            return f"{trigger.part.path}: its condition is {value:g} at t = {time[0]:.9g} s"
    return ""


def _wrong_assignment(run_events: RunEvents, t: float) -> str:
    """Return the message on a trigger that has just set a number that is not finite, or ""."""
    trigger_tables = run_events.trigger_tables
    if trigger_tables is None:
        return ""
    count = len(trigger_tables.triggers)
    acts = trigger_tables.values[TriggerValue.ACTS * count :][:count].tolist()
    values = iter(trigger_tables.values[TriggerValue.ASSIGNED * count :].tolist())
    for trigger, is_acting in zip(trigger_tables.triggers, acts, strict=True):
        for assignment in trigger.assignments:
            value = next(values)
            if is_acting and not np.isfinite(value):
                target = assignment.target
                name = target if isinstance(target, str) else target.label
                return (
                    f"{trigger.part.path}: it has set {name} to {value:g} at t = {t:.9g} s"
                )
    return ""
