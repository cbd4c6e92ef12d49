"""Simulator: a simulation that is advanced step by step, for controllers, learning and viewers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from motorik.errors import (
    MotorikError,
    SimulationError,
    UnknownNameError,
    checked_call,
    checked_methods,
    suggest,
)
from motorik.initialisation.branch_parameters import branch_parameters_at
from motorik.initialisation.given import is_number
from motorik.initialisation.initialise import initialise
from motorik.initialisation.penetration import (
    beyond_in_words,
    check_penetration,
    find_beyond,
)
from motorik.nonsmooth.application.event_log import EventLog, mode_names
from motorik.nonsmooth.application.sliding_modes import (
    FOLLOWED,
    SlidingContinuation,
    active_sliding_mode,
    is_on_surface,
    with_active_mode,
)
from motorik.nonsmooth.application.time_stepping import LEAST, step_interval
from motorik.numerics.tolerances import SAME_POSITION
from motorik.results import Event, Events, RunInfo
from motorik.simulation.change_of_formulation import (
    CHATTERING,
    can_step,
    convert_parameters,
    find_critical_guard,
    find_solvable_form,
    interval_message,
    unsolved_message,
)
from motorik.simulation.failure_causes import Fault, find_cause
from motorik.simulation.initial_state import select_initial_modes
from motorik.simulation.integration import Outcome
from motorik.simulation.model_integration import (
    absolute_tolerances,
    error_scales,
    make_model_integration,
)
from motorik.simulation.options import (
    DEFAULT_SOLVER,
    SolverOptions,
    check_group,
    check_rtol,
    check_steps,
)
from motorik.simulation.saved_state import (
    PortableState,
    RecordedSteps,
    SavedState,
    StepHistory,
)
from motorik.simulation.slots import SimulatorInputs, SimulatorOutputs, named
from motorik.system.guards import ASTRAY, OPENING, UNHELD

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.compiler.bound_call import BoundCall
    from motorik.initialisation.initialise import InitialState
    from motorik.loops.options import LoopStrategy
    from motorik.model import Model
    from motorik.results import Result
    from motorik.simulation.change_of_formulation import At
    from motorik.simulation.integration import Integration, StepOptions
    from motorik.system.layout import Layout


@checked_methods
class Simulator:
    """A running simulation: `step(dt)` advances it; parameters and states can be set between.

    >>> # sim = model.simulator(); sim["motor.tau_constant"] = 2.0; sim.step(0.001)

    A control loop looks names up once: ``torques = sim.inputs("motor.tau_constant", …)`` and
    ``angles = sim.outputs("joint.phi", …)`` write and read arrays. `save` and `restore` keep
    and take back a state, `reset` begins again, `copy.copy` and pickling make another simulation
    that goes on from here. With `history` the ends of all steps are kept: `result` returns them.

    `method`, `rtol`, `step`, `initial`, `parameters` and `solver` are those of `simulate`;
    of `solver` the `time_limit` has no effect.
    """

    @checked_call
    def __init__(
        self,
        system: CompiledModel,
        *,
        method: str = "dopri5",
        rtol: float = 1e-6,
        step: float | None = None,
        initial: Mapping[str, float] | None = None,
        parameters: Mapping[str, float] | None = None,
        solver: SolverOptions = DEFAULT_SOLVER,
        history: bool = False,
    ) -> None:
        check_group("simulator", "solver", solver, SolverOptions)
        check_steps(step)
        check_rtol(rtol)
        live = system.parameter_values()
        for name, value in (parameters or {}).items():
            live[_live_place(system.layout, name)] = _number(name, value)
        self._first = system, dict(initial or {}), live
        self._rtol, self._solver = rtol, solver
        begin = self._initial_state(*self._first)
        self._options: StepOptions = {
            "step": step,
            "max_step": solver.max_step,
            "max_steps": solver.max_steps,
        }
        self._method = method
        self._past: list[Event] = []  # of the formulations and motions before
        self._stepped = 0  # intervals passed by time stepping
        self._stopped_by = (
            ""  # the condition that ended the last step while time was stepped
        )
        self._meant = begin.t  # the time to which steps have led …
        self._left = 0.0  # … and what it is rounded by: many steps add up to their sum
        self._history = StepHistory() if history else None
        self._begin(begin.t, begin.x, begin.p)
        self._note()
        self._start = self.save()

    def _initial_state(
        self, system: CompiledModel, initial: Mapping[str, float], live: np.ndarray
    ) -> InitialState:
        """Return a consistent state to begin with, in whose formulation it goes on.

        The absolute tolerances are those of a run from there.
        """
        begin = _first_state(system, initial, live)
        check_penetration(begin)
        tolerances = absolute_tolerances(begin, self._solver.atol, self._rtol, 1.0)
        self.system, self._tolerances = begin.system, tolerances
        return begin

    def _begin(
        self, t: float, x: np.ndarray, p: np.ndarray, clocks: np.ndarray | None = None
    ) -> None:
        """Integrate from a state of the present formulation, with the ticks of clocks so far."""
        self._p = p.copy()
        atol = self.layout.state_of(self._tolerances)
        scales = error_scales(self.system, self._solver.atol, self._tolerances, self._rtol)
        options: StepOptions = {**self._options, "t0": t, "atol": atol, "scales": scales}
        self._run: Integration = make_model_integration(
            self.system,
            self._method,
            x,
            self._p,
            rtol=self._rtol,
            **options,
        )
        own = self._run.run_events
        if clocks is not None and own is not None and own.trigger_tables is not None:
            own.trigger_tables.take_ticks(clocks)
        self._names = self.layout.live_names
        self.is_smooth = self._run.can_be_quick
        if self.is_smooth:
            self._run.keep_first()
        if self._history is not None:
            self._history.begin(self.system)
        self._choose_modes()

    # --- other simulations, other states ----------------------------------------------------

    def __copy__(self) -> Simulator:
        """Return a simulation that goes on from here on its own, in the same modes."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        del other._run  # another one is made
        other._continue_from(self.save())
        return other

    def copy(self) -> Simulator:
        """Return a simulation that goes on from here on its own, in the same modes."""
        return self.__copy__()

    def __deepcopy__(self, memo: dict[int, object]) -> Simulator:
        return self.__copy__()

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the model, the options and the present state: code is compiled where it goes."""
        system, initial, live = self._first
        if system.facts.has_delays:
            delays = ", ".join(own.part.path for own in system.mechanism.inventory.delays)
            raise MotorikError(
                delays,
                "keeps the past of its signal, so that the simulator cannot be pickled.",
                "Pickle the model, and simulate again there.",
            )
        options = {
            "method": self._method,
            "rtol": self._rtol,
            "step": self._options.get("step"),
            "solver": self._solver,
            "initial": initial,
        }
        now, start = (one.portable(self._first[0]) for one in (self.save(), self._start))
        return _unpickled, (system.model, system.options, options, live, start, now)

    def save(self) -> SavedState:
        """Return time, state, parameters and modes, for `restore`."""
        own = self._run.run_events
        clocks = None if own is None else own.trigger_tables
        return SavedState(
            self.system,
            self.time,
            self.state,
            self._p.copy(),
            tuple(self.events) if self._past or not self.is_smooth else (),
            None if clocks is None else clocks.ticks,
            (self._stepped, self._meant, self._left),
            self._tolerances,
            None if self._history is None else self._history.copy(),
            None if own is None else own.pasts,
        )

    def restore(self, saved: SavedState) -> Simulator:
        """Go on from a state that this simulator, or a copy of it, has saved; return itself."""
        if not isinstance(saved, SavedState):
            raise SimulationError(
                "restore",
                f"{saved!r} is no saved state.",
                "Give what `save` has returned.",
                parameter="saved",
                value=saved,
            )
        if saved.system.model is not self.system.model:
            raise SimulationError(
                "restore",
                f"the state was saved by a simulator of {saved.system.facts.name}, of another "
                "compiled model.",
                "Give what `save` of this simulator, or of a copy, has returned.",
                parameter="saved",
                value=saved,
            )
        self._continue_from(saved)
        return self

    def _continue_from(self, saved: SavedState) -> None:
        """Go on from a saved state in its formulation."""
        kept, self._history = saved.history, None
        self._stepped, self._meant, self._left = saved.counted
        self._past, self._stopped_by = list(saved.events), ""
        is_here = "_run" in self.__dict__ and saved.system is self.system
        is_alike = is_here and np.array_equal(saved.tolerances, self._tolerances)
        if is_alike and self.is_smooth and not self.layout.n_unwrapped:
            self._p[:] = saved.p
            self._run.begin_afresh(saved.x, saved.time)
        else:
            self.system, self._tolerances = saved.system, saved.tolerances
            self._begin(saved.time, saved.x, saved.p, saved.clocks)
        self._history = None if kept is None else kept.copy()

    def begin_at(self, start: SavedState) -> None:
        """Begin again in a state that another simulator has saved at its start."""
        history = StepHistory([RecordedSteps(start.system)])
        kept = None if self._history is None else history
        self._continue_from(replace(start, history=kept))

    def reset(
        self,
        initial: Mapping[str, float] | None = None,
        parameters: Mapping[str, float] | None = None,
    ) -> Simulator:
        """Begin again as at first, or with other start values and live parameters.

        Values that are not given are those with which the simulator was made. Return itself.
        """
        if not (initial or parameters):
            self._continue_from(self._start)
            return self
        system, values, live = self._first
        live = live.copy()
        for name, value in (parameters or {}).items():
            live[_live_place(system.layout, name)] = _number(name, value)
        now = self.save()
        try:
            begin = self._initial_state(system, {**values, **(initial or {})}, live)
        except MotorikError:
            self._continue_from(now)
            raise
        self._past, self._stepped, self._stopped_by = [], 0, ""
        self._meant, self._left = begin.t, 0.0
        self._history = None if self._history is None else StepHistory()
        self._begin(begin.t, begin.x, begin.p)
        self._note()
        return self

    def _note(self) -> None:
        """Keep the present state, if there is a history."""
        if self._history is not None:
            self._history.note(self.time, self._run.state_memory, self._p)

    def result(self) -> Result:
        """Return the motion at the ends of all steps so far; made with ``history=True``."""
        if self._history is None:
            raise SimulationError(
                "result",
                "this simulator keeps no history.",
                "Make it by model.simulator(history=True).",
            )
        return self._history.result(self)

    def info(self) -> RunInfo:
        """Return method and cost since the start, or since the formulation changed last."""
        cost, seconds = self._run.statistics, self._run.computing
        own = cost.method, cost.steps, cost.rejected, cost.evaluations, cost.jacobians
        return RunInfo(*own, seconds, complete=True, message="", tolerance=self._rtol)

    # --- inputs and outputs -----------------------------------------------------------------

    def inputs(self, *names: str) -> SimulatorInputs:
        """Return live parameters and `Discrete` signals, to be set together by `write`."""
        return SimulatorInputs(self, named("inputs", names))

    def outputs(self, *names: str) -> SimulatorOutputs:
        """Return variables, to be read together by `read`."""
        return SimulatorOutputs(self, named("outputs", names))

    @property
    def run(self) -> Integration:
        """The integration, another one whenever the formulation changes."""
        return self._run

    def write_parameters(self, places: slice | np.ndarray, values: np.ndarray) -> None:
        """Set finite numbers in p that no part refuses, in a run without events."""
        self._p[places] = values
        self._run.restart_quickly()

    def __repr__(self) -> str:
        return f"<Simulator of {self.system.mechanism.name} at t = {self.time:g} s>"

    @property
    def layout(self) -> Layout:
        """The layout of the arrays."""
        return self.system.layout

    @property
    def time(self) -> float:
        """The time reached [s]."""
        return self._run.time

    @property
    def motion(self) -> np.ndarray:
        """The motion reached: all coordinates, speeds and block states, a copy."""
        return self.system.full_state(np.array([self.time]), self._run.state, self._p)

    @property
    def state(self) -> np.ndarray:
        """The state reached, a copy, in the order of `state_names`."""
        return self._run.state

    @property
    def state_names(self) -> list[str]:
        """The names of the states."""
        return list(self.system.state_names)

    def step(self, dt: float, is_over: Callable[[], bool] | None = None) -> Simulator:
        """Advance by dt [s], or up to where a condition of `model.when` ends the run.

        `ended_by` then names the condition; the next step goes on from there. So it does
        where `is_over`, which is asked some twenty times a second, ends the step early.
        """
        if not ((type(dt) is float and 0.0 < dt < math.inf) or (is_number(dt) and dt > 0)):
            raise SimulationError(
                "step",
                f"dt = {dt!r} s is not a positive time.",
                "Give dt > 0.",
                parameter="dt",
                value=dt,
            )
        self._advance(self._end_of_step(dt), is_over)
        if self._history is not None:
            self._note()
        return self

    def _end_of_step(self, dt: float) -> float:
        """Return the time to which a step by dt leads, whose rounding the next one makes good."""
        began = self._run.time
        ahead = dt + self._left if began == self._meant else dt
        self._meant = meant = began + ahead
        taken = meant - began
        self._left = (began - (meant - taken)) + (ahead - taken)
        return meant

    def aim(self, dt: float) -> BoundCall:
        """Return the native call that advances a smooth run by dt [s]; `finish_step` follows it."""
        self._run.aim(self._end_of_step(dt))
        return self._run.bound

    def finish_step(self, status: int) -> None:
        """Go on after the call of `aim` has returned a status, to the time aimed at."""
        began, outcome = self._run.time, self._run.finish(status)
        if outcome is not Outcome.REACHED:
            self._after(outcome, self._meant, began, None)

    def _advance(self, until: float, is_over: Callable[[], bool] | None = None) -> None:
        if self.is_smooth and is_over is None:
            outcome = self._run.advance_quickly(until)
            if outcome is Outcome.REACHED:
                return
            began, watch = self._run.time, None
        else:
            began = self._run.time
            watch = None if is_over is None else lambda _: is_over()
            outcome = self._run.advance(until, watch=watch)
        self._after(outcome, until, began, watch)

    def _after(
        self,
        outcome: Outcome,
        until: float,
        began: float,
        watch: Callable[[Integration], object] | None,
    ) -> None:
        """Go on in another formulation, or by time stepping, where the run has come to an end."""
        self._stopped_by = ""
        while outcome.is_failure and (
            self._changes_formulation(outcome)
            or self._passes_by_time_stepping(outcome, until)
        ):
            if self._stopped_by:
                return
            outcome = self._run.advance(until, watch=watch)
        run = self._run
        if outcome.is_failure:
            places = [(run.time, run.state), run.before]
            outcome, fault = find_cause(
                self.system, outcome, run.run_events, places, self._p, until - began
            )
            if outcome is Outcome.UNSOLVED:
                fault = Fault(unsolved_message(self.system, places[0], self._p))
            why = f"t = {self.time:.9g} s: {outcome.why}; {fault.message}."
            raise SimulationError(
                self.system.mechanism.name, why, fault.remedy or outcome.remedy
            )

    def _changes_formulation(self, outcome: Outcome) -> bool:
        """Continue in another formulation, at a dead centre or an opening loop; return whether."""
        run, warned = self._run, outcome is Outcome.GUARD_TRIPPED
        reached = run.time, run.state
        if outcome is Outcome.UNSOLVED:
            return self._changes_elimination(reached)
        if outcome is Outcome.SLIDES or outcome in CHATTERING:
            k = self._sliding_condition(outcome)
            if k is not None:
                return self._continues_sliding(k)
        t, x = run.before if warned and run.time > run.before[0] else reached
        found = find_critical_guard(self.system, (t, x), reached, self._p, warned)
        if found is None or found.kind in (ASTRAY, UNHELD):
            return False
        X = self.system.full_state(np.array([t]), x, self._p)
        other, what = self.system.projected, "at its dead centre: continued by projection"
        if found.kind == OPENING:
            other = self.system.opened_at(self.layout.split(X)[0])
            what = "a constraint no longer follows from the others: it is kept"
            if not 0 < other.freedom < self.system.freedom:
                return False
        self._continue_in(other, t, X, Event(t, found.subject, what))
        return True

    def _changes_elimination(self, reached: At) -> bool:
        """Continue in a formulation that is solvable where the last step ended; return whether."""
        run = self._run
        t, x = run.before if run.time > run.before[0] else reached
        found = find_solvable_form(self.system, reached, self._p)
        if found is None:
            return False
        X = self.system.full_state(np.array([t]), x, self._p)
        self._continue_in(found.other, t, X, Event(t, found.parts, found.what))
        return True

    def _continue_in(
        self, other: CompiledModel, t: float, X: np.ndarray, event: Event
    ) -> None:
        """Continue from a motion in another formulation of the mechanism."""
        p, past = convert_parameters(self.system, other, self._p), self.events
        if self._history is not None:
            self._history.convert(partial(convert_parameters, self.system, other))
        self.system, x = other, other.layout.state_of(X)
        if other.project is not None:
            x = other.project(np.array([t]), x, p)
        self._past = [*past, event]
        self._begin(t, x, p)

    def _sliding_condition(self, outcome: Outcome) -> int | None:
        """Return the condition of a law on whose switching surface the motion slides, if any."""
        run = self._run
        if outcome is Outcome.SLIDES and run.run_events is not None:
            return run.run_events.worst_index
        return active_sliding_mode(self.system, run.time, run.state, self._p, 1.0)

    def _continues_sliding(self, k: int) -> bool:
        """Continue on the switching surface of a law, if its branches can be combined."""
        t, x = self.time, self._run.state
        is_near = is_on_surface(self.system, t, x, self._p, k, 1.0)
        found = SlidingContinuation(self.system, t, x, self._p, k)
        if found.other is None:
            raise SimulationError(found.part, *found.fault)
        p = with_active_mode(found.other, found.convert(self._p), is_near)
        X = self.system.full_state(np.array([t]), x, self._p)
        self._past = [*self.events, Event(t, found.part, FOLLOWED)]
        if self._history is not None:
            self._history.convert(found.convert)
        self.system, x = found.other, found.other.layout.state_of(X)
        if is_near and self.system.project is not None:
            x = self.system.project(np.array([t]), x, p)
        self._begin(t, x, p)
        return True

    def _passes_by_time_stepping(self, outcome: Outcome, until: float) -> bool:
        """Pass the interval in which events accumulate, or no modes fit, by time stepping."""
        run = self._run
        if not can_step(self.system, outcome) or not run.time < until:
            return False
        span = LEAST * (until - run.time) * 2.0**self._stepped
        at = run.time, run.state, self._p
        atol = self.layout.state_of(self._tolerances)
        own = run.run_events
        trigger_tables = None if own is None else own.trigger_tables
        found = step_interval(
            self.system, at, (self._rtol, atol), until, span, before=trigger_tables
        )
        if found is None or (outcome is Outcome.NO_MODES and found.jumps(self.system)):
            return False
        names = "" if own is None else own.busiest()
        self._past = [
            *self.events,
            Event(run.time, names, interval_message(outcome, found.interval)),
        ]
        if found.triggered is not None:
            log = EventLog()
            log.take(self.system, found.triggered, found.p)
            self._past += log.read()[0]
        self._stepped += 1
        clocks = found.trigger_tables
        self._begin(found.t, found.x, found.p, None if clocks is None else clocks.ticks)
        self._stopped_by = found.ended_by
        return True

    def take(self, X: np.ndarray, time: float | None = None) -> None:
        """Continue from another motion, all of X, at a time [s], by default the present one.

        Its loops must be closed; which side they are on is seen from its coordinates.
        """
        t = self.time if time is None else float(time)
        X = np.asarray(X, dtype=float)
        p, x = self.parameters_of(X, t), self.layout.state_of(X)
        p[self.layout.nonsmooth.modes] = 0.0
        with self._or_as_before():
            self._past = list(self.events)
            if self.system.project is not None:
                x = self.system.project(np.array([t]), x, p)
            self._begin(t, x, p)

    def write_live(self, live: np.ndarray) -> None:
        """Set all live parameters, without looking at what they do."""
        self._p[: live.size] = live

    def parameters_of(self, X: np.ndarray, t: float) -> np.ndarray:
        """Return the parameters p that belong to a motion: on the present sides, if they fit."""
        live, layout = self.layout.live_of(self._p).copy(), self.layout
        given = self.system, X, live, t
        sides = self._p[layout.branch.branches]
        if sides.size:
            p = np.concatenate([live, branch_parameters_at(*given, sides)])
            found = self.system.full_state(np.array([t]), layout.state_of(X), p)
            apart = np.abs(found - X)[: layout.n_q] / self.system.scales.coordinates
            if apart.max(initial=0.0) < SAME_POSITION:
                return p
        return np.concatenate([live, branch_parameters_at(*given)])

    @property
    def parameters(self) -> np.ndarray:
        """The parameters p of the system, live ones first, a copy."""
        return self._p.copy()

    def read(self, names: Sequence[str], motion: np.ndarray | None = None) -> np.ndarray:
        """Return the values of several variables, end to end: now, or at another motion X."""
        X = self.motion if motion is None else motion
        own, index = np.empty(len(names)), self.layout.index
        rest = [k for k, name in enumerate(names) if name not in index]
        for k, name in enumerate(names):
            if name in index:
                own[k] = X[index[name]]
        if rest:
            own[rest] = self.computed([names[k] for k in rest], X)
        return own

    def computed(self, names: Sequence[str], X: np.ndarray) -> np.ndarray:
        """Return variables that are no states, at the motion X."""
        t = np.array([self.time])
        p = self.system.with_forces(t, X[None], self._p)[0]
        q, u, z = self.layout.split(X)
        _, ud, _ = self.layout.split(self.system.full_state_rates(t, X, p))
        outputs = self.system.outputs(names)
        multipliers = np.zeros(self.system.equations.n_multipliers)
        if outputs.needs_multipliers:
            multipliers = self.system.multipliers(t, X[None], ud[None], p)[0]
        return outputs.function(t, q, u, ud, z, multipliers, p)

    def _choose_modes(self) -> None:
        """Find what sticks and slips at the present state."""
        if self.system.has_events:
            self._advance(self.time)

    @property
    def events(self) -> Events:
        """The events so far, as `result.events`."""
        log = EventLog()
        if self._run.run_events is not None and self._run.run_events.has_events:
            log.take(self.system, self._run.run_events, self._p)
        return Events([*self._past, *log.read()[0]])

    @property
    def ended_by(self) -> str:
        """The name of the condition of `model.when` that ended the last step, else empty."""
        own = self._run.run_events
        if self._stopped_by or own is None or own.trigger_tables is None:
            return self._stopped_by
        return own.trigger_tables.stopped_by

    @property
    def modes(self) -> dict[str, str]:
        """The name of the present mode of each part that sticks, slips or hits."""
        own = self._run.run_events
        return {} if own is None else mode_names(self.system, own)

    def __getitem__(self, name: str) -> float | np.ndarray:
        """Return the present value of a state, a live parameter or any other variable."""
        if name in self.layout.index:
            return float(self.motion[self.layout.index[name]])
        if name in self._names:
            return float(self._p[self._names[name]])
        values = self.computed([name], self.motion)
        shape = self.system.shape_of(name)
        return values.reshape(shape) if shape else float(values[0])

    def __setitem__(self, name: str, value: float) -> None:
        """Set a live parameter, a state or a `Discrete` signal; it continues from there."""
        value = _number(name, value)
        if name in self._names:
            self.set_parameters(self._names[name], value)
        elif name in self.layout.index:
            self._set_state(name, value)
        elif name in self.layout.kept_signals:
            self.set_parameters(self.layout.kept_signals[name], value)
        else:
            known = [*self._names, *self.layout.index, *self.layout.kept_signals]
            raise UnknownNameError(
                "simulator",
                f"{name!r} is neither a live parameter nor a state nor a Discrete signal.",
                f"A parameter becomes live by Parameter(value). {suggest(name, known)}",
                value=name,
            )

    def set_parameters(
        self, places: int | slice | np.ndarray, values: float | np.ndarray
    ) -> None:
        """Set numbers in p, if all parts take them; the modes at these values are found."""
        x, before = self._run.state, self._p.copy()
        with self._or_as_before():
            self._p[places] = values
            self.system.parameter_check(self.layout.live_of(self._p))
            if find_beyond(self.system, self.time, x, before) is None:
                self._check_gaps(x)
            self._run.restart()
            self._choose_modes()

    def _check_gaps(self, x: np.ndarray) -> None:
        """Refuse what would put something beyond a stop, or into what it touches."""
        found = find_beyond(self.system, self.time, x, self._p)
        if found is not None:
            constraint, gap = found
            words = (
                beyond_in_words(constraint, gap)
                or f"in what it touches: its gap is {gap:.6g}"
            )
            raise SimulationError(
                constraint.part.path,
                f"would be {words}.",
                "Set a value with which it is on this side of the stop, or outside.",
                parameter=constraint.force,
                value=gap,
            )

    @contextmanager
    def _or_as_before(self) -> Iterator[None]:
        """Let everything be as it was where a change turns out to be impossible."""
        system, run, past, p = self.system, self._run, self._past, self._p
        t, x, numbers = run.time, run.state, p.copy()
        try:
            yield
        except MotorikError:
            self.system, self._run, self._past, self._p = system, run, past, p
            self._p[:] = numbers
            run.restart(x, t)
            raise

    def _set_state(self, name: str, value: float) -> None:
        if name not in self.system.state_names:
            own = ", ".join(self.system.state_names)
            raise SimulationError(
                name,
                "follows from other coordinates by a closed loop.",
                f"Set one of {own}.",
                parameter=name,
            )
        x = self._run.state
        x[self.system.state_names.index(name)] = value
        with self._or_as_before():
            self._p[self.layout.nonsmooth.modes] = (
                0.0  # sticking friction would hold its speed at 0
            )
            if self.system.project is not None:
                x = self.system.project(np.array([self.time]), x, self._p)
            self._check_gaps(x)
            self._run.restart(x)
            self._choose_modes()


def _unpickled(
    model: Model,
    loops: LoopStrategy,
    options: dict[str, Any],
    live: np.ndarray,
    start: PortableState,
    now: PortableState,
) -> Simulator:
    """Return the simulator that was pickled, compiled anew."""
    system = model._present(loops)
    simulator = Simulator(system, history=now.has_history, **options)
    simulator._first = system, options["initial"], live
    simulator._start = start.saved(simulator)
    return simulator.restore(now.saved(simulator))


def _number(name: str, value: object) -> float:
    """Return a finite number, or refuse it."""
    if not is_number(value):
        raise SimulationError(
            name,
            f"cannot be set to {value!r}.",
            "Give a finite number.",
            parameter=name,
            value=value,
        )
    return float(value)  # type: ignore[arg-type]


def _first_state(
    system: CompiledModel, initial: Mapping[str, float], live: np.ndarray
) -> InitialState:
    """Return the state in which a simulation begins, with its modes and delayed signals."""
    find = partial(_initialised, system, initial)
    if not system.mechanism.inventory.delays:
        return find(live)
    from motorik.nonsmooth.application.pasts import initialise_with_pasts

    return initialise_with_pasts(system, live, find)


def _initialised(
    system: CompiledModel, initial: Mapping[str, float], live: np.ndarray
) -> InitialState:
    return initialise(system, initial, live, choose=select_initial_modes)


def _live_place(layout: Layout, name: str) -> int:
    """Return the place of a live parameter in p."""
    if name not in layout.live_names:
        raise UnknownNameError(
            "simulator",
            f"{name!r} is not a live parameter.",
            f"A parameter becomes live by Parameter(value). {suggest(name, layout.live_names)}",
            value=name,
        )
    return layout.live_names[name]
