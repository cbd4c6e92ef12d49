"""The initial state of a run: consistent, with the modes of friction, checked for jumps."""

from __future__ import annotations

import time as clock
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from motorik.components.base.internal import single_number
from motorik.errors import DeadCentreError, InitialValueError, MotorikError
from motorik.initialisation.initialise import initialise
from motorik.loops.options import STOP
from motorik.simulation.model_integration import make_model_integration

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.initialisation.initialise import InitialState
    from motorik.nonsmooth.application.run_events import RunEvents
    from motorik.simulation.options import RunOptions


# --- initial modes -------------------------------------------------------------------------


MOST_NAMED = 4  # of the constraints that share a load


def initial_modes(system: CompiledModel) -> dict[str, str]:
    """Return the name of the initial mode of each nonsmooth constraint, {} without any."""
    from motorik.nonsmooth.application.event_log import mode_names

    if system.nonsmooth is None:
        return {}
    try:
        start = initialise(
            system, {}, system.parameter_values(), choose=select_initial_modes
        )
    except MotorikError:  # its message is shown with the states
        return {
            constraint.part.path: "not known" for constraint in system.nonsmooth.constraints
        }
    own, _, seen = _modes_at_start(start)
    if seen:
        return {entry.name: f"not found; {seen}" for entry in own.entries}
    modes = mode_names(system, own)
    for name, sharing in own.sharing().items():
        others = [other for other in sharing if other in modes]
        if name not in modes or not others:
            continue
        more = ", …" if len(others) > MOST_NAMED else ""
        modes[name] += f", sharing its load with {', '.join(others[:MOST_NAMED])}{more}"
    return modes


def select_initial_modes(start: InitialState) -> np.ndarray:
    """Return the live numbers of a start with the initial modes of all constraints."""
    system = start.system
    own, p, seen = _modes_at_start(start)
    if seen:
        raise InitialValueError(
            ", ".join(entry.name for entry in own.entries),
            f"no modes suit the start: {seen}.",
            "Let what sticks or hits start elsewhere, or with another speed.",
        )
    at, nonsmooth = system.layout.position, system.layout.nonsmooth
    places = nonsmooth.modes.tolist()
    places += [k for disk in nonsmooth.disks if disk for k in disk.entries().values()]
    triggers = system.mechanism.inventory.triggers
    flags = (single_number(t.part.internal(), t.flag) for t in triggers if t.flag)
    places += map(at.__getitem__, flags)
    live = system.layout.live_of(start.p).copy()
    live[places] = p[places]
    return live


def _modes_at_start(start: InitialState) -> tuple[RunEvents, np.ndarray, str]:
    """Return the events of a start, its parameters then, and a message if it fails."""
    from motorik.simulation.failure_causes import find_event_fault

    p = start.p.copy()
    run = make_model_integration(
        start.system, "dopri5", start.x, p, rtol=1e-6, t0=start.t, atol=1e-9
    )
    own = run.run_events
    assert own is not None
    if own.trigger_tables is not None:
        own.trigger_tables.skip_functions()
    outcome = run.advance(start.t)
    if not outcome.is_failure:
        return own, p, ""
    outcome, seen = find_event_fault(start.system, outcome, own, (start.t, run.state, p))
    return own, p, seen.message if seen else outcome.why


# --- the initial state ---------------------------------------------------------------------


def initialise_run(
    compiled: CompiledModel, options: RunOptions, live: np.ndarray
) -> InitialState:
    """Return the state in which a run begins; `live` are the values of live parameters.

    Its model is another form of `compiled` where the formulation does not hold for these
    values, and at a dead centre, unless runs shall stop there.
    """
    began = clock.perf_counter()
    find = partial(_initialise_run, compiled, options)
    if compiled.facts.has_delays:
        from motorik.nonsmooth.application.pasts import initialise_with_pasts

        found = initialise_with_pasts(compiled, live, find)
    else:
        found = find(live)
    return replace(found, seconds=clock.perf_counter() - began)


def _initialise_run(
    compiled: CompiledModel, options: RunOptions, live: np.ndarray
) -> InitialState:
    time, branch = options.start_time, options.loops.branch
    given = options.initial, live, time
    try:
        found = initialise(compiled, *given, branch, select_initial_modes)
        if found.system.reformulated_because:
            from motorik.initialisation.reformulation import changed_values

            parts, _, why = found.system.reformulated_because.partition(": ")
            values = changed_values(compiled, live)
            found = replace(found, remark=(parts, f"{why}; decided again for {values}"))
    except DeadCentreError as error:
        if options.loops.dead_centre == STOP:
            raise
        found = initialise(compiled.projected, *given, None, select_initial_modes)
        remark = error.place, f"started by projection: {error.reason}"
        found = replace(found, remark=remark)
    if found.system.initialisation.jumps != ((), ()):
        from motorik.initialisation.jumps import check_jumps

        check_jumps(found, options.stop_time)
    if found.system.nonsmooth is not None:
        from motorik.initialisation.penetration import check_penetration

        check_penetration(found)
    found.system.prepare()  # another form may not be compiled yet
    return found
