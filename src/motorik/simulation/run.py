"""Integration of a run: native code advances it, Python changes its formulation where needed."""

from __future__ import annotations

import time as clock
from collections.abc import Callable
from dataclasses import field, replace
from functools import partial, reduce
from typing import TYPE_CHECKING

import numpy as np

from motorik.errors import SampledFunctionError
from motorik.immutable import immutable, mutable
from motorik.loops.options import CONTINUE, STOP
from motorik.nonsmooth.application.event_log import EventLog
from motorik.progress import ProgressBar
from motorik.results import RunInfo
from motorik.results.trajectory import Trajectory
from motorik.simulation.integration import Outcome, Statistics
from motorik.simulation.model_integration import (
    absolute_tolerances,
    error_scales,
    find_assumption,
    make_model_integration,
)

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.initialisation.initialise import InitialState
    from motorik.nonsmooth.application.pasts import Pasts
    from motorik.nonsmooth.application.run_events import (
        EventRecord,
        RunEvents,
        TriggerTables,
    )
    from motorik.nonsmooth.application.time_stepping import SteppedInterval
    from motorik.simulation.integration import Integration
    from motorik.simulation.options import RunOptions
    from motorik.system.guards import Guarded


# --- parameters of output samples ----------------------------------------------------------


@mutable
class SampleParameters:
    """The parameters p of output samples that were written in one formulation of a mechanism.

    `p` are those at the end, `angles` the unwrapped angles [rad] of each sample, `run_events`
    the events that changed parameters. Of the samples `written`, the last are kept, one for
    each of `angles`. Parameters are computed when they are read. `times` [s] and `states` are those
    of the samples, where nonlinear equations are solved at them.
    """

    system: CompiledModel
    p: np.ndarray
    angles: np.ndarray
    run_events: EventRecord | None
    written: int  # samples
    times: np.ndarray | None = None
    states: np.ndarray | None = None
    converted: list[Callable[[np.ndarray], np.ndarray]] = field(default_factory=list)

    def read(self) -> np.ndarray:
        """Return the parameters of each sample, in the formulation that they were converted to."""
        count, layout = len(self.angles), self.system.layout
        if layout.n_unwrapped:
            p = layout.with_references(self.p, self.angles)
        else:
            p = np.tile(self.p, (count, 1))
        if self.run_events is not None:
            for place, values in self.run_events.parameters_of_samples(
                self.written
            ).items():
                p[:, place] = values[self.written - count :]
        if self.times is not None and self.states is not None:
            from motorik.initialisation.network_guesses import samples_with_guesses
            from motorik.results.event_states import times_beside_events

            beside = times_beside_events(self.times)
            p = samples_with_guesses(self.system, beside, self.states, p)
        for convert in self.converted:
            p = convert(p)
        return p


def count_evaluable(
    system: CompiledModel,
    p: np.ndarray,
    run_events: RunEvents | None,
    times: np.ndarray,
    samples: np.ndarray,
    angles: np.ndarray,
) -> int:
    """Return the number of output samples without the last ones that have no rates.

    `p` are the parameters at the end.
    """
    count = times.size
    if run_events is not None and not run_events.has_events:
        run_events = None
    of_samples = SampleParameters(system, p, angles, run_events, count).read()
    while count and not is_evaluable(
        system, times[count - 1], samples[count - 1], of_samples[count - 1]
    ):
        count -= 1
    return count


def is_evaluable(system: CompiledModel, t: float, x: np.ndarray, p: np.ndarray) -> bool:
    """Return whether a state is one, and has rates."""
    if not np.isfinite(x).all():
        return False
    return bool(np.isfinite(system.derivative(np.array([t]), x, p)).all())


def constant_parameters(
    system: CompiledModel, p: np.ndarray, count: int
) -> SampleParameters:
    """Return parameters that are the same for some samples."""
    return SampleParameters(system, p.copy(), np.empty((count, 0)), None, count)


def read_parameters(pieces: list[SampleParameters]) -> np.ndarray:
    """Return the parameters of the samples of several pieces, one after the other."""
    return np.vstack([piece.read() for piece in pieces])


# --- the run -------------------------------------------------------------------------------


CLOSED = 0.99  # margin of a loop that gains hold: its gap is below a tenth of its limit


def integrate(
    initial: InitialState, options: RunOptions, begun: Begun | None = None
) -> Trajectory:
    """Return the trajectory of a run from its initial state, as far as it comes.

    A run that native code has `begun` is continued.
    """
    grid = options.grid() if begun is None else begun.grid
    found = Run(initial, options, begun).through(grid)
    return replace(found, again=partial(repeat_run, initial, options))


def repeat_run(
    initial: InitialState, options: RunOptions, grid: np.ndarray | None
) -> Trajectory:
    """Return the trajectory of a run with output samples at these times, None for each step."""
    quiet = replace(options, progress=False)
    found = Run(initial, quiet).through(grid)
    return replace(found, again=partial(repeat_run, initial, quiet))


@immutable
class Begun:
    """An integration that native code has begun, its output times, and the status it returned."""

    integration: Integration
    grid: np.ndarray
    status: int


class Run:
    """A run from its start to its end, which may continue in another formulation.

    `system`, `t`, `x`, `p` are where it is; `times`, `samples` are its output so far, in
    the coordinates of all formulations it went through, which are the same.
    """

    def __init__(
        self, initial: InitialState, options: RunOptions, begun: Begun | None = None
    ) -> None:
        self.options, self.initial, self.begun = options, initial, begun
        self.times: list[np.ndarray] = []
        self.samples: list[np.ndarray] = []
        self.parameters: list[SampleParameters] = []
        self.costs: list[Statistics] = []
        self.pasts: list[Pasts] = []  # of delayed signals, one of each integration
        self.log = EventLog()
        self.message = ""
        self.stepped: list[SteppedInterval] = []  # intervals passed by time stepping
        self.run_events: RunEvents | None = None  # of the last integration
        self.is_ended = False  # by a condition while the time was stepped
        self.ticked: TriggerTables | None = None  # clocks as time stepping has left them
        self.noted = 0  # the constraint or condition that native code has noted last
        self.computed = 0.0  # s of integrating so far, without compiling
        began = clock.perf_counter()
        self.tolerances = absolute_tolerances(
            initial, options.solver.atol, options.rtol, options.duration
        )
        self.system, self.x, self.p = initial.system, initial.x, initial.p
        self.t = options.start_time
        if self.system.has_events:
            from motorik.nonsmooth.application.run_events import reset_functions

            self.p = self.p.copy()
            reset_functions(self.system)
        self.integrated = self.system.layout.integrated
        self.reached = self.t, self.x  # where the last step ended, before it was taken back
        if initial.remark is not None:
            motion = self._motion()
            self.log.note(self.t, *initial.remark, [motion, motion], self.p)
        self.preparing = initial.seconds + clock.perf_counter() - began

    def through(self, grid: np.ndarray | None) -> Trajectory:
        """Integrate to the end and return the trajectory."""
        options = self.options
        began = clock.perf_counter()
        bars: list[ProgressBar] = []  # one, made when the run has lasted for a while

        def watch(run: Integration) -> bool:
            if not bars:
                name, span = (
                    self.system.facts.name,
                    (options.start_time, options.stop_time),
                )
                bars.append(ProgressBar(name, *span, options.progress, began))
            bars[0].update(run.time)
            limit = options.solver.time_limit
            return limit is not None and self.computed + run.computing > limit

        try:
            outcome = self._advance(grid, watch)
            while outcome.is_failure and self._continues(outcome, grid):
                if self.is_ended or self.t >= options.stop_time:
                    outcome = Outcome.ENDED if self.is_ended else Outcome.REACHED
                    self.message = ""
                    break
                outcome = self._advance(grid, watch)
        finally:
            for bar in bars:
                bar.close()
        return self._trajectory(outcome, clock.perf_counter() - began)

    def _advance(
        self, grid: np.ndarray | None, watch: Callable[[Integration], bool]
    ) -> Outcome:
        """Continue from the present state and store the output samples."""
        system, options = self.system, self.options
        left = None
        if grid is not None:
            left = grid if not self.times else grid[grid > self.t]
            left = left if left.size else grid[-1:]
        begun, self.begun = self.begun, None
        integration = self._integration(grid) if begun is None else begun.integration
        own = integration.run_events
        pasts = None if own is None else own.pasts
        if pasts is not None:
            self.pasts.append(pasts)
        if self.ticked is not None and own is not None and own.trigger_tables is not None:
            own.trigger_tables.take_ticks(self.ticked.ticks)
            self.ticked = None
        ended = ""
        try:
            if begun is None:
                outcome = integration.advance(options.stop_time, grid=left, watch=watch)
            else:
                outcome = integration.go_on(begun.status, options.stop_time, watch)
        except KeyboardInterrupt:
            outcome, ended = Outcome.PAUSED, "interrupted by the user"
        except SampledFunctionError as fault:
            outcome, ended = (
                Outcome.PAUSED,
                f"{fault.place}: {fault.reason}\n  {fault.remedy}",
            )
        if pasts is not None:
            pasts.open()
        self.computed += integration.computing
        self.run_events = integration.run_events
        if integration.run_events is not None:
            self.noted = integration.run_events.worst_index
        self.t, self.x = integration.time, integration.state
        self.reached = self.t, self.x
        steps_back = outcome in (Outcome.GUARD_TRIPPED, Outcome.UNSOLVED)
        if steps_back and self.t > integration.before[0]:
            self.t, self.x = integration.before
        times, samples, angles = _output_samples(integration, left, self.t)
        if outcome.is_failure and outcome is not Outcome.GUARD_TRIPPED:
            least = 0 if any(own.size for own in self.times) else 1
            own = system, self.p, integration.run_events
            count = max(count_evaluable(*own, times, samples, angles), least)
            times, samples, angles = (values[:count] for values in (times, samples, angles))
        self._keep(times, samples, angles, integration.run_events)
        self.costs.append(integration.statistics)
        self.message = self._message(outcome, ended, integration)
        return outcome

    def _integration(self, grid: np.ndarray | None) -> Integration:
        """Return an integration from the present state."""
        system, options = self.system, self.options
        return make_model_integration(
            system,
            options.method,
            self.x,
            self.p,
            t0=self.t,
            rtol=options.rtol,
            end=options.stop_time,
            atol=system.layout.state_of(self.tolerances),
            scales=error_scales(system, options.solver.atol, self.tolerances, options.rtol),
            step=options.step,
            max_step=options.solver.max_step,
            max_steps=options.solver.max_steps,
            record=grid is None,
        )

    def _message(self, outcome: Outcome, ended: str, integration: Integration) -> str:
        """Return the message on why the run is where it is, "" at its end."""
        if ended:
            return f"t = {self.t:.9g} s: {ended}"
        if outcome is Outcome.PAUSED:
            limit = self.options.solver.time_limit
            return f"t = {self.t:.9g} s: the time limit of {limit:g} s was reached"
        if not outcome.is_failure:
            return ""
        from motorik.simulation.change_of_formulation import unsolved_message
        from motorik.simulation.failure_causes import find_cause

        if outcome is Outcome.UNSOLVED:
            return outcome.explain(
                self.t, unsolved_message(self.system, self.reached, self.p)
            )
        places = [(self.t, self.x), integration.before, self._last]
        own = integration.run_events, places, self.p, self.options.duration
        outcome, fault = find_cause(self.system, outcome, *own)
        return outcome.explain(self.t, *fault)

    @property
    def _last(self) -> tuple[float, np.ndarray]:
        """Time and state of the last output sample, or of the present."""
        if not self.times[-1].size:
            return self.t, self.x
        return float(self.times[-1][-1]), self.system.layout.state_of(self.samples[-1][-1])

    def _keep(
        self,
        times: np.ndarray,
        samples: np.ndarray,
        angles: np.ndarray,
        run_events: RunEvents | None = None,
    ) -> None:
        """Store states of the present formulation as samples of the motion."""
        system, layout = self.system, self.system.layout
        if run_events is not None and not run_events.has_events:
            run_events = None
        if run_events is not None:
            self.log.take(system, run_events, self.p)
        count = times.size
        written = [own for own in self.times if own.size] if self.times else None
        if written and times.size and times[0] == written[-1][-1]:
            times, samples, angles = times[1:], samples[1:], angles[1:]
        p = self.p
        if layout.n_unwrapped or system.has_events or self.parameters:
            solved = (times, samples) if layout.guesses else (None, None)
            piece = SampleParameters(system, p.copy(), angles, run_events, count, *solved)
            self.parameters.append(piece)
            p = piece.read() if layout.has_dependent else p
        if layout.has_dependent and times.size:
            samples = system.full_state.map(times.reshape(-1, 1), samples, p)
        self.times.append(times)
        shape = times.size, layout.n_motion
        self.samples.append(samples.reshape(shape) if times.size else np.empty(shape))

    def _continues(self, outcome: Outcome, grid: np.ndarray | None) -> bool:
        """Continue in another formulation, or pass an interval by time stepping; return whether."""
        return self._changes_formulation(outcome) or self._passes_by_time_stepping(
            outcome, grid
        )

    def _passes_by_time_stepping(self, outcome: Outcome, grid: np.ndarray | None) -> bool:
        """Pass the interval in which events accumulate, or no modes fit, by time stepping."""
        from motorik.nonsmooth.application.time_stepping import (
            LEAST,
            step_interval,
            with_modes,
        )
        from motorik.simulation.change_of_formulation import can_step, interval_message

        system, options = self.system, self.options
        if not can_step(system, outcome):
            return False
        began, begin, X = clock.perf_counter(), self.t, self._motion()
        atol = system.layout.state_of(self.tolerances)
        span = LEAST * options.duration * 2.0 ** len(self.stepped)
        limit = options.solver.time_limit

        def is_over() -> bool:
            spent = self.computed + clock.perf_counter() - began
            return limit is not None and spent > limit

        own = (self.t, self.x, self.p), (options.rtol, atol), options.stop_time, span
        trigger_tables = (
            self.run_events.trigger_tables if self.run_events is not None else None
        )
        try:
            found = step_interval(system, *own, is_over, before=trigger_tables)
        except SampledFunctionError as fault:
            self.message = (
                f"t = {self.t:.9g} s: {fault.place}: {fault.reason}\n  {fault.remedy}"
            )
            return False
        finally:
            self.computed += clock.perf_counter() - began
        if found is None or (outcome is Outcome.NO_MODES and found.jumps(system)):
            return False
        names = self.run_events.busiest() if self.run_events is not None else ""
        self.t, self.x, self.p = found.t, found.x, found.p
        self.reached = self.t, self.x
        times = found.times[1:]
        if grid is not None:
            is_new = grid > begin
            if not any(own.size for own in self.times):
                is_new = grid >= begin
            times = grid[is_new & (grid <= found.t)]
        for time in times:
            x, modes, p = found.at(float(time))
            self.p = with_modes(system, p, modes)
            angles = self.p[system.layout.unwrapping]
            self._keep(np.array([time]), x.reshape(1, -1), angles.reshape(1, -1))
        self.p = found.p
        self.stepped.append(found.interval)
        what = interval_message(outcome, found.interval)
        self.log.note(begin, names, what, [X, self._motion()], self.p)
        if found.triggered is not None:
            self.log.take(system, found.triggered, self.p)
        self.ticked, self.is_ended = found.trigger_tables, bool(found.ended_by)
        return True

    def _changes_formulation(self, outcome: Outcome) -> bool:
        """Continue in another formulation, at a dead centre or an opening loop; return whether."""
        from motorik.simulation.change_of_formulation import CHATTERING, find_critical_guard
        from motorik.system.guards import ASTRAY, GONE, OPENING, SINGULAR, UNHELD

        if outcome is Outcome.UNSOLVED:
            return self._changes_elimination()
        if outcome is Outcome.SLIDES or outcome in CHATTERING:
            k = self._sliding_condition(outcome)
            if k is not None:
                return self._continues_sliding(k)
        where = (self.t, self.x), self.reached, self.p
        found = find_critical_guard(self.system, *where, outcome is Outcome.GUARD_TRIPPED)
        if found is None:
            return False
        if found.kind == OPENING:
            return self._adds_constraint(found)
        if found.kind == ASTRAY and self._opened_at_once(found):
            self.message = Outcome.TEARS.explain(self.t, f"{found.subject} opens at once")
            return False
        if found.kind == ASTRAY:
            self.message = (
                f"t = {self.t:.9g} s: {found.subject} opens by more than {GONE:g} of its length: "
                "Baumgarte's gains do not hold it\n  Give larger gains or a smaller `rtol`, or "
                'take strategy="projected", which needs no gains.'
            )
            return False
        if found.kind == UNHELD:
            self.message = (
                f"t = {self.t:.9g} s: {found.subject} has no mass, and comes where nothing holds "
                "it in some direction: springs get slack, or into one line without force\n  "
                "Give it a small mass, or a spring or damper across."
            )
            return False
        where = "its dead centre"
        if found.kind == SINGULAR:  # gains alone may leave the branch here
            where = "a singular position of its equations"
        elif self.options.loops.dead_centre == STOP:
            self.message = (
                f"t = {self.t:.9g} s: {found.subject} is at {where}\n  Its two positions "
                f'meet here; let the run continue by LoopOptions(dead_centre="{CONTINUE}").'
            )
            return False
        what = f"at {where}: continued by projection"
        self._continue_in(self.system.projected, found.subject, what)
        return True

    def _changes_elimination(self) -> bool:
        """Continue in a formulation that is solvable where the last step ended; return whether."""
        from motorik.simulation.change_of_formulation import find_solvable_form

        found = find_solvable_form(self.system, self.reached, self.p)
        if found is None:
            return False
        self._continue_in(*found)
        return True

    def _opened_at_once(self, found: Guarded) -> bool:
        """Return whether a loop that gains hold was closed before the step that opened it."""
        assert self.system.margins is not None
        margins = self.system.margins(np.array([self.t]), self.x, self.p)
        own = [k for k, guarded in enumerate(self.system.guarded) if guarded == found]
        return bool((np.asarray(margins)[own] > CLOSED).all())  # all equations of the loop

    def _sliding_condition(self, outcome: Outcome) -> int | None:
        """Return the condition of a law on whose switching surface the motion slides, if any."""
        from motorik.nonsmooth.application.sliding_modes import active_sliding_mode

        if outcome is Outcome.SLIDES:
            return self.noted
        own = self.system, self.t, self.x, self.p
        return active_sliding_mode(*own, self.options.duration)

    def _continues_sliding(self, k: int) -> bool:
        """Continue on the switching surface of a law, if its branches can be combined."""
        from motorik.nonsmooth.application.sliding_modes import (
            FOLLOWED,
            SlidingContinuation,
            is_on_surface,
            with_active_mode,
        )

        began = clock.perf_counter()
        is_near = is_on_surface(
            self.system, self.t, self.x, self.p, k, self.options.duration
        )
        found = SlidingContinuation(self.system, self.t, self.x, self.p, k)
        self.preparing += clock.perf_counter() - began
        if found.other is None:
            self.message = f"t = {self.t:.9g} s: {found.message}"
            return False
        self._continue_in(found.other, found.part, FOLLOWED, found.convert)
        self.p = with_active_mode(found.other, self.p, is_near)
        if is_near and found.other.project is not None:
            self.x = found.other.project(np.array([self.t]), self.x, self.p)
        return True

    def _adds_constraint(self, found: Guarded) -> bool:
        """Continue with a constraint that is no longer redundant; return whether it can move."""
        every = self.system.with_redundant
        if every is not None:
            self._continue_in(
                every, found.subject, "all its constraints are kept from here on"
            )
            return True
        q = self.system.layout.split(self._motion())[0]
        other = self.system.opened_at(q)
        if not 0 < other.freedom < self.system.freedom:
            self.message = (
                f"t = {self.t:.9g} s: a constraint of {found.subject} followed from the others "
                "at the start and does not here: the loops can move no further\n  Check "
                "lengths and axes of these parts: they fit together in the start pose only."
            )
            return False
        what = "a constraint no longer follows from the others: it is kept"
        self._continue_in(other, found.subject, what)
        return True

    def _motion(self) -> np.ndarray:
        return self.system.full_state(np.array([self.t]), self.x, self.p)

    def _continue_in(
        self,
        other: CompiledModel,
        parts: str,
        what: str,
        convert: Callable[[np.ndarray], np.ndarray] | None = None,
    ) -> None:
        """Continue from the present motion in another formulation of the mechanism, and log it."""
        from motorik.simulation.change_of_formulation import convert_parameters

        X = self._motion()
        self.x = other.layout.state_of(X)
        if convert is None:
            convert = partial(convert_parameters, self.system, other)
        if not self.parameters:  # which have been the same for all samples
            self.parameters = [
                constant_parameters(self.system, self.p, t.size) for t in self.times
            ]
        for piece in self.parameters:
            piece.converted.append(convert)
        self.log.hand_over(convert)
        self.p = convert(self.p)
        self.system = other
        if other.project is not None:  # gains leave gaps
            self.x = other.project(np.array([self.t]), self.x, self.p)
        self.log.note(self.t, parts, what, [X, self._motion()], self.p)

    def _trajectory(self, outcome: Outcome, wall: float) -> Trajectory:
        if outcome is not Outcome.REACHED:
            written = np.concatenate(self.times)
            own = self.system, self.t, self.x, self.p
            holds = not outcome.is_failure or is_evaluable(*own)
            if not written.size or (self.t > written[-1] and holds):
                angles = self.p[self.system.layout.unwrapping]
                self._keep(np.array([self.t]), self.x.reshape(1, -1), angles.reshape(1, -1))
        cost = self.costs[0]
        if len(self.costs) > 1:
            cost = reduce(Statistics.and_then, self.costs)
        info = RunInfo(
            cost.method,
            cost.steps,
            cost.rejected,
            cost.evaluations,
            cost.jacobians,
            wall - cost.compile_time,
            outcome in (Outcome.REACHED, Outcome.ENDED),
            self.message,
            cost.switches,
            self.options.rtol,
            self.preparing + cost.compile_time,
            find_assumption(self.system, self.options),
            tuple(map(str, self.stepped)),
        )
        times, samples, p = self.times[0], self.samples[0], self.p
        if len(self.times) > 1:
            times, samples = np.concatenate(self.times), np.vstack(self.samples)
        if self.parameters:
            p = partial(read_parameters, self.parameters)
        return Trajectory(
            self.system,
            times,
            samples,
            p,
            info,
            self.integrated,
            self.log.read,
            tuple(self.pasts),
            stepped=tuple((own.begin, own.end) for own in self.stepped),
        )


def _output_samples(
    integration: Integration, grid: np.ndarray | None, t: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the output samples as far as the time t: times, states, unwrapped angles."""
    if grid is None:
        record, angles = integration.record, integration.recorded_angles
        kept = record[:, 0] <= t
        return record[kept, 0], record[kept, 1:], angles[kept]
    n = integration.samples_written
    return grid[:n], integration.samples[:n], integration.angles[:n]
