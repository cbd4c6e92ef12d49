"""Simulation of a compiled model: prepared, run in native code, returned as a result."""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from functools import partial, reduce

import numpy as np

from motorik.results import ModelResult, Result, RunInfo
from motorik.results.run_info import warn_incomplete
from motorik.simulation.event_log import EventLog
from motorik.simulation.faults import fastest, find_law, find_row
from motorik.simulation.integration import Integration
from motorik.simulation.make_run import make_run, prepare
from motorik.simulation.options import GO_ON, STOP, RunOptions
from motorik.simulation.outcome import Outcome
from motorik.simulation.progress import ProgressBar
from motorik.simulation.statistics import Statistics
from motorik.simulation.switching.firing import SampledFunctionError, reset_functions
from motorik.simulation.switching.happenings import Happenings
from motorik.simulation.tolerances import absolute_tolerances, finer_tolerances
from motorik.start.anew import changed_values
from motorik.start.find import FoundStart, find_start
from motorik.start.gaps import check_gaps
from motorik.start.jumps import check_jumps
from motorik.start.sides import DeadCentreError
from motorik.system.guards import ASTRAY, GONE, OPENING, SINGULAR, UNHELD, Guarded
from motorik.system.system import System

FINER = 3  # times that a run whose motion proves small is made again
NEAR_DEAD = 0.3  # margin (sin² of an angle) at which a failing run is at a dead centre


def simulate(
    system: System,
    options: RunOptions,
    live: np.ndarray | None = None,
    shown: Mapping[str, tuple[object, str]] | None = None,
) -> Result:
    """Simulate from `begin` to `stop` [s] and return the result, complete or partial.

    `live` are the values of the live parameters, by default the present ones; `shown` are
    value and unit of other parameters set for this run, which the result lists as well.
    Native code without memory runs in many threads; what iterates has memory and is locked.
    """
    values = system.parameter_values() if live is None else live
    grid = options.grid()
    with system.lock if system.iterates else nullcontext():
        run = Run(system, options, values, shown=shown)
        result = run.through(grid)
        for _ in range(FINER if options.atol is None else 0):
            finer = finer_tolerances(run.system, run.tolerances, run.ranges, options.rtol)
            if finer is None or not result.complete:
                break
            run = Run(system, options, values, finer, shown)
            result = run.through(grid)
    if not result.complete:
        warn_incomplete(system.mechanism.name, result.info.message)
    return result


class Run:
    """A run from its start to its end, which may continue in another formulation.

    `system`, `t`, `x`, `p` are where it is; `times`, `rows` what it has written so far, in
    the coordinates of all forms it went through, which are the same.
    """

    def __init__(
        self,
        system: System,
        options: RunOptions,
        live: np.ndarray,
        tolerances: np.ndarray | None = None,
        shown: Mapping[str, tuple[object, str]] | None = None,
    ) -> None:
        self.options, self.shown = options, shown
        self.times: list[np.ndarray] = []
        self.rows: list[np.ndarray] = []
        self.parameters: list[np.ndarray] = []
        self.costs: list[Statistics] = []
        self.log = EventLog()
        self.message = ""
        began = clock.perf_counter()
        start, noted = self._start(system, live)
        if tolerances is None:
            tolerances = absolute_tolerances(
                start, options.atol, options.rtol, options.duration
            )
        check_jumps(start, options.stop)
        check_gaps(start)
        self.tolerances = tolerances
        layout = start.system.layout
        self.ranges = np.zeros(layout.n_motion)
        self.system, self.x, self.p, self.t = start.system, start.x, start.p, options.begin
        if self.system.can_switch:
            self.p = self.p.copy()
            reset_functions(self.system)
        self.integrated = layout.integrated
        self.reached = self.t, self.x  # where the last step ended, before it was taken back
        prepare(self.system)
        if noted:
            motion = self._motion()
            self.log.note(self.t, *noted, [motion, motion], self.p)
        self.preparing = clock.perf_counter() - began

    def _start(
        self, system: System, live: np.ndarray
    ) -> tuple[FoundStart, tuple[str, str] | None]:
        """Return the start, and what was decided differently there: the parts, and what."""
        options = self.options
        try:
            start = find_start(system, options.start, live, options.begin, options.branch)
            if not start.system.decided_anew:
                return start, None
            parts, _, why = start.system.decided_anew.partition(": ")
            values = changed_values(system, live)
            return start, (parts, f"{why}; decided again for {values}")
        except DeadCentreError as error:
            if options.dead_centre == STOP:
                raise
            start = find_start(system.projected, options.start, live, options.begin)
            return start, (error.place, f"started by projection: {error.reason}")

    def through(self, grid: np.ndarray | None) -> Result:
        """Run to the end and return the result."""
        options = self.options
        began = clock.perf_counter()
        name = self.system.mechanism.name
        bar = ProgressBar(name, self.t, options.stop, options.progress)

        def watch(run: Integration) -> bool:
            bar.update(run.time)
            limit = options.time_limit
            return limit is not None and clock.perf_counter() - began > limit

        try:
            outcome = self._advance(grid, watch)
            while outcome.is_failure and self._changes_over(outcome):
                outcome = self._advance(grid, watch)
        finally:
            bar.close()
        return self._result(outcome, clock.perf_counter() - began)

    def _advance(
        self, grid: np.ndarray | None, watch: Callable[[Integration], bool]
    ) -> Outcome:
        """Integrate on from the present state; keep the rows that come of it."""
        system, options = self.system, self.options
        left = None
        if grid is not None:
            left = grid if not self.times else grid[grid > self.t]
            left = left if left.size else grid[-1:]
        integration = make_run(
            system,
            options.method,
            self.x,
            self.p,
            t0=self.t,
            rtol=options.rtol,
            end=options.stop,
            atol=system.layout.state_of(self.tolerances),
            step=options.step,
            max_step=options.max_step,
            max_steps=options.max_steps,
            record=grid is None,
        )
        ended = ""
        try:
            outcome = integration.advance(options.stop, grid=left, watch=watch)
        except KeyboardInterrupt:
            outcome, ended = Outcome.PAUSED, "interrupted by the user"
        except SampledFunctionError as fault:
            outcome, ended = (
                Outcome.PAUSED,
                f"{fault.place}: {fault.reason}\n  {fault.remedy}",
            )
        self.t, self.x = integration.time, integration.state
        self.reached = self.t, self.x
        if outcome is Outcome.GUARD_TRIPPED and self.t > integration.before[0]:
            self.t, self.x = integration.before
        own, ranges = system.layout.places, integration.ranges
        self.ranges[own] = np.maximum(self.ranges[own], ranges) if self.costs else ranges
        self._keep(*_rows(integration, left, self.t), integration.happenings)
        self.costs.append(integration.statistics)
        self.message = self._message(outcome, ended, integration.happenings)
        return outcome

    def _message(self, outcome: Outcome, ended: str, happenings: Happenings | None) -> str:
        """Return in words why the run is where it is, nothing at its end."""
        if ended:
            return f"t = {self.t:.9g} s: {ended}"
        if outcome is Outcome.PAUSED:
            limit = self.options.time_limit
            return f"t = {self.t:.9g} s: the time limit of {limit:g} s was reached"
        if not outcome.is_failure:
            return ""
        seen = fastest(self.system, self.x)
        if outcome is Outcome.NOT_FINITE:
            fault = find_law(self.system, self.t, self.x, self.p, self.options.duration)
            seen = fault or seen
        if happenings is not None:
            where, duration = (self.t, self.x, self.p), self.options.duration
            seen = find_row(self.system, outcome, happenings, where, duration) or seen
        return outcome.explain(self.t, seen)

    def _keep(
        self,
        times: np.ndarray,
        rows: np.ndarray,
        turns: np.ndarray,
        happenings: Happenings | None = None,
    ) -> None:
        """Keep rows of the present form as rows of the motion."""
        changed: dict[int, np.ndarray] = {}
        if happenings is not None and happenings.can_happen:
            changed = happenings.numbers_of_rows(times.size)
            self.log.take(self.system, happenings, self.p)
        count = times.size
        written = [own for own in self.times if own.size]
        if written and times.size and times[0] == written[-1][-1]:
            times, rows, turns = times[1:], rows[1:], turns[1:]
        layout = self.system.layout
        p = self.p
        if layout.n_followed:
            p = layout.with_followed(self.p, turns)
        if self.system.can_switch:
            p = np.broadcast_to(p, (times.size, p.shape[-1])).copy()
        for place, values in changed.items():
            p[:, place] = values[count - times.size :]
        if self.system.formulation is not None and times.size:
            rows = self.system.full_state.map(times.reshape(-1, 1), rows, p)
            rows = rows.reshape(times.size, layout.n_motion)
        self.times.append(times)
        self.rows.append(rows)
        self.parameters.append(p)

    def _changes_over(self, outcome: Outcome) -> bool:
        """Go on in another form if a closed form is at its dead centre, or a loop opens."""
        found = self._alarm(outcome is Outcome.GUARD_TRIPPED)
        if found is None:
            return False
        if found.kind == OPENING:
            return self._closes_more(found)
        if found.kind == ASTRAY:
            self.message = (
                f"t = {self.t:.9g} s: {found.words} opens by more than {GONE:g} of its length: "
                "Baumgarte's gains do not hold it\n  Give larger gains or a smaller `rtol`, or "
                'take strategy="projected", which needs no gains.'
            )
            return False
        if found.kind == UNHELD:
            self.message = (
                f"t = {self.t:.9g} s: {found.words} has no mass, and comes where nothing holds "
                "it in some direction: springs get slack, or into one line without force\n  "
                "Give it a small mass, or a spring or damper across."
            )
            return False
        where = "its dead centre"
        if found.kind == SINGULAR:  # gains alone may leave the branch here
            where = "a singular position of its equations"
        elif self.options.dead_centre == STOP:
            self.message = (
                f"t = {self.t:.9g} s: {found.words} is at {where}\n  Its two positions "
                f'meet here; let the run continue by dead_centre="{GO_ON}".'
            )
            return False
        what = f"at {where}: continued by projection"
        self._go_on_as(self.system.projected, found.words, what)
        return True

    def _closes_more(self, found: Guarded) -> bool:
        """Go on with a constraint that no longer follows from the others, if that is possible."""
        q = self.system.layout.split(self._motion())[0]
        other = self.system.opened_at(q)
        if not 0 < other.freedom < self.system.freedom:
            self.message = (
                f"t = {self.t:.9g} s: a constraint of {found.words} followed from the others "
                "at the start and does not here: the loops can move no further\n  Check "
                "lengths and axes of these parts: they fit together in the start pose only."
            )
            return False
        what = "a constraint no longer follows from the others: it is kept"
        self._go_on_as(other, found.words, what)
        return True

    def _motion(self) -> np.ndarray:
        return self.system.full_state(np.array([self.t]), self.x, self.p)

    def _go_on_as(self, other: System, parts: str, what: str) -> None:
        """Go on from the present motion in another form of the same mechanism, and note it."""
        X = self._motion()
        self.x = other.layout.state_of(X)
        before = self.system
        self.parameters = [_handed_over(before, other, p) for p in self.parameters]
        self.log.hand_over(partial(_handed_over, before, other))
        self.p = _handed_over(before, other, self.p)
        self.system = other
        if other.project is not None:  # gains leave gaps
            self.x = other.project(np.array([self.t]), self.x, self.p)
        self.log.note(self.t, parts, what, [X, self._motion()], self.p)

    def _alarm(self, warned: bool) -> Guarded | None:
        """Return what comes near its end: a closed form at its dead centre, a loop that opens."""
        system = self.system
        if system.margins is None:
            return None
        count = len(system.guarded)

        def margins_at(t: float, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            values = np.nan_to_num(system.margins(np.array([t]), x, self.p), nan=-1.0)  # type: ignore[misc]
            return values[:count], values[count:]

        margins, rates = margins_at(self.t, self.x)
        if not (warned or system.iterates) and margins.min() >= NEAR_DEAD:
            return None
        if warned:  # by the step that begins here: what falls, or has fallen at its end
            falling = np.where(rates < 0.0, margins, margins + 1.0)
            margins = np.minimum(falling, margins_at(*self.reached)[0])
        return system.guarded[int(np.argmin(margins))]

    def _result(self, outcome: Outcome, wall: float) -> Result:
        if outcome is not Outcome.REACHED:
            written = np.concatenate(self.times)
            if not written.size or self.t > written[-1]:
                first = self.system.layout.followed_at
                turns = self.p[first : first + self.system.layout.n_followed]
                self._keep(np.array([self.t]), self.x.reshape(1, -1), turns.reshape(1, -1))
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
        )
        times, rows, p = self._all_rows()
        given = self.integrated, self.shown, self.log.read
        return ModelResult(self.system, times, rows, p, info, *given)

    def _all_rows(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return times, motions and parameters of all rows in the form that ended the run."""
        times, rows = self.times[0], self.rows[0]
        if len(self.times) > 1:
            times, rows = np.concatenate(self.times), np.vstack(self.rows)
        if not self.system.layout.n_followed and not self.system.can_switch:
            return times, rows, self.p
        return times, rows, np.vstack([own for own in self.parameters if own.ndim == 2])


def _handed_over(before: System, other: System, p: np.ndarray) -> np.ndarray:
    """Return parameters, or rows of them, of one form of a mechanism as those of another.

    The other form has neither closed forms nor unknowns; angles go on being counted.
    """
    f = before.formulation
    assert f is not None and other.formulation is not None and not other.formulation.sided
    n = before.layout.n_live
    ends = np.cumsum([n, len(f.sided), len(f.turning), len(f.counted), len(f.unknowns)])
    counted = p[..., ends[2] : ends[3]]
    summed = p[..., ends[4] : ends[4] + len(f.summed)]
    return np.concatenate([p[..., :n], counted, summed], axis=-1)


def _rows(
    integration: Integration, grid: np.ndarray | None, t: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the rows written as far as the time t: times, states, references."""
    if grid is None:
        record, turns = integration.record, integration.recorded_turns
        kept = record[:, 0] <= t
        return record[kept, 0], record[kept, 1:], turns[kept]
    n = integration.rows_written
    return grid[:n], integration.rows[:n], integration.turns[:n]
