"""Simulation of a compiled model: options checked, run in native code, returned as a result."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from motorik.errors import SimulationError, UnknownNameError, suggest
from motorik.results import Result, RunInfo, unwrapped
from motorik.simulation.integrate import (
    AUTO,
    LANES_FROM,
    Integration,
    Statistics,
    make_integration,
)
from motorik.simulation.outcome import Outcome
from motorik.simulation.progress import ProgressBar
from motorik.start.start import DeadCentreError, is_number, start_motion
from motorik.system.system import System

DEFAULT_ROWS = 500
MOST_ROWS = 100_000_000
STEPS = "steps"
JUMP = 0.3  # rad or m off the way that speeds tell: another branch, or a full turn
FILL = 200  # states in between where Newton's method does not reach the next row
GO_ON, STOP = "project", "stop"  # what to do at the dead centre of a closed form
NEAR_DEAD = 0.3  # margin (sin² of an angle) at which a failing run is at a dead centre


def simulate(
    system: System,
    stop: float,
    *,
    begin: float = 0.0,
    method: str = "auto",
    rtol: float = 1e-6,
    atol: float | Mapping[str, float] | Sequence[float] | None = None,
    output: int | float | str | Sequence[float] | np.ndarray | None = None,
    step: float | None = None,
    max_step: float = math.inf,
    max_steps: int = 100_000_000,
    time_limit: float | None = None,
    start: Mapping[str, float] | None = None,
    branch: Mapping[str, str] | None = None,
    dead_centre: str = GO_ON,
    progress: bool | None = None,
) -> Result:
    """Simulate from `begin` to `stop` [s] and return the result, complete or partial.

    See `Model.simulate` for the options.
    """
    check_times(begin, stop, step, max_step)
    check_limits(max_steps, time_limit)
    if dead_centre not in (GO_ON, STOP):
        raise SimulationError(
            "simulate",
            f"dead_centre = {dead_centre!r} is not known.",
            f'Give "{GO_ON}" to go on by projection or "{STOP}".',
        )
    grid = output_grid(output, begin, stop)
    options = {"rtol": rtol, "step": step, "max_step": max_step, "max_steps": max_steps}
    tolerances = absolute_tolerances(system, atol, rtol)
    run = _Run(system, method, options, tolerances, stop, time_limit, dead_centre)
    run.begin(start or {}, branch, begin)
    return run.through(grid, progress)


class _Run:
    """A run from its start to its end, which may go on in another form on the way."""

    def __init__(
        self,
        system: System,
        method: str,
        options: Mapping[str, Any],
        tolerances: np.ndarray,
        stop: float,
        time_limit: float | None,
        dead_centre: str,
    ) -> None:
        self.system, self.method, self.options = system, method, options
        self.tolerances, self.stop = tolerances, stop
        self.time_limit, self.dead_centre = time_limit, dead_centre
        self.times: list[np.ndarray] = []
        self.rows: list[np.ndarray] = []
        self.costs: list[Statistics] = []
        self.events: list[tuple[float, str]] = []
        self.message = ""

    def begin(
        self, start: Mapping[str, float], branch: Mapping[str, str] | None, t: float
    ) -> None:
        """Find the start."""
        live = self.system.parameter_values()
        try:
            found = start_motion(self.system, start, live, t, branch)
        except DeadCentreError as error:
            if self.dead_centre == STOP:
                raise
            self.system = self.system.projected()
            self.events.append((t, f"{error.part}: started by projection: {error.why}"))
            found = start_motion(self.system, start, live, t)
        self.x, self.p, self.t = found.x, found.p, t
        self.X0, self.t0 = found.X, t

    def through(self, grid: np.ndarray | None, progress: bool | None) -> Result:
        """Run to the end and return the result."""
        began = clock.perf_counter()
        bar = ProgressBar(self.system.mechanism.name, self.t, self.stop, progress)

        def watch(run: Integration) -> bool:
            bar.update(run.time)
            limit = self.time_limit
            return limit is not None and clock.perf_counter() - began > limit

        try:
            outcome = self._advance(grid, watch)
            while outcome.is_failure and self._changes_over(outcome):
                outcome = self._advance(grid, watch)
        finally:
            bar.close()
        wall = clock.perf_counter() - began
        return self._result(outcome, wall)

    def _advance(self, grid: np.ndarray | None, watch: Any) -> Outcome:
        """Integrate on from the present state; keep the rows that come of it."""
        system = self.system
        left = None
        if grid is not None:
            left = grid if not self.times else grid[grid > self.t]
            if not left.size:
                left = grid[-1:]
        integration = make_run(
            system,
            self.method,
            self.x,
            self.p,
            t0=self.t,
            atol=self.tolerances[system.integrated],
            record=grid is None,
            **self.options,
        )
        interrupted = False
        try:
            outcome = integration.advance(self.stop, grid=left, watch=watch)
        except KeyboardInterrupt:
            outcome, interrupted = Outcome.PAUSED, True
        self.t, self.x = integration.time, integration.state
        if outcome is Outcome.WARNED:
            if self.t > integration.before[0]:
                self.t, self.x = integration.before
        times, rows = _rows(integration, left, self.t)
        self.message = _message(outcome, self.t, interrupted, self.time_limit)
        if outcome.is_failure:
            self.message = outcome.explain(self.t, fastest(system, self.x))
        self.costs.append(integration.statistics)
        self._keep(times, rows)
        return outcome

    def _keep(self, times: np.ndarray, rows: np.ndarray) -> None:
        if self.times:
            written = np.concatenate(self.times)
            if written.size and len(times) and times[0] == written[-1]:
                times, rows = times[1:], rows[1:]
        self.rows.append(whole_rows(self.system, times, rows, self.p))
        self.times.append(times)

    def _changes_over(self, outcome: Outcome) -> bool:
        """Go over to projection if a closed form is at its dead centre."""
        warned = outcome is Outcome.WARNED
        found = dead_step(self.system, self.t, self.x, self.p, warned)
        if found is None:
            return False
        if self.dead_centre == STOP:
            self.message = (
                f"t = {self.t:.9g} s: {found} is at its dead centre\n  Its two positions meet "
                f'here; let the run go on by dead_centre="{GO_ON}".'
            )
            return False
        X = self._handed_over()
        self.events.append((self.t, f"{found} at its dead centre: went on by projection"))
        self.system = self.system.projected()
        self.p = self.p[: len(self.system.parameters)]
        self.x = X[self.system.integrated]
        return True

    def _handed_over(self) -> np.ndarray:
        """Return the whole motion where the run is.

        Where loops are closed by Newton's method, it is followed from the last row on: what
        the method remembers may already lie beyond the dead centre.
        """
        system = self.system
        if not system.iterates:
            return system.whole(np.array([self.t]), self.x, self.p)
        written = [(t, X) for t, X in zip(self.times, self.rows, strict=True) if len(t)]
        t, X = (written[-1][0][-1], written[-1][1][-1]) if written else (self.t0, self.X0)
        system.remember(X)
        n, h = len(system.formulation.state_q), self.t - t  # type: ignore[union-attr]
        a, b = X[system.integrated], self.x
        for s in np.linspace(0.0, 1.0, 10 * FILL):
            x = a + s * (b - a)
            way = s * (1.0 - s) * h * ((1.0 - s) * a[n : 2 * n] - s * b[n : 2 * n])
            ends = (1 + 2 * s) * (1 - s) ** 2 * a[:n] + s**2 * (3 - 2 * s) * b[:n]
            x[:n] = ends + way
            X = system.whole(np.array([self.t]), x, self.p)
        return X

    def _result(self, outcome: Outcome, wall: float) -> Result:
        if outcome is not Outcome.REACHED:
            written = np.concatenate(self.times)
            if not written.size or self.t > written[-1]:
                self._keep(np.array([self.t]), self.x.reshape(1, -1))
        last, earlier = self.costs[-1], self.costs[:-1]
        info = RunInfo(
            last.method,
            last.steps + sum(cost.steps for cost in earlier),
            last.rejected + sum(cost.rejected for cost in earlier),
            last.evaluations + sum(cost.evaluations for cost in earlier),
            last.jacobians + sum(cost.jacobians for cost in earlier),
            wall,
            outcome is Outcome.REACHED,
            self.message,
            (*(s for cost in earlier for s in cost.switches), *last.switches),
            self.options["rtol"],
            tuple(self.events),
        )
        times, rows = self.times[0], self.rows[0]
        if len(self.times) > 1:
            times, rows = np.concatenate(self.times), np.vstack(self.rows)
        return Result(self.system, times, rows, self.p, info)


def whole_rows(
    system: System, times: np.ndarray, rows: np.ndarray, p: np.ndarray
) -> np.ndarray:
    """Return the whole motion of rows of states; angles are continuous from row to row."""
    if system.formulation is None or not len(times):
        return rows
    X = system.whole.map(times.reshape(-1, 1), rows, p)
    if system.iterates:
        X = _refined(system, times, rows, p, X)
    X = X.reshape(len(times), system.n_whole)
    if len(times) > 1 and system.winding[0]:
        angles, speeds = system.winding
        X[:, angles] = unwrapped(times, X[:, angles], X[:, speeds])
    return X


def _refined(
    system: System, times: np.ndarray, rows: np.ndarray, p: np.ndarray, X: np.ndarray
) -> np.ndarray:
    """Return the motion with rows reached anew whose loops jump from the row before.

    Newton's method begins each row where the row before is. Where coordinates do not go on
    as their speeds say, the row is reached over states in between.
    """
    X = X.reshape(len(times), system.n_whole)
    first = next((i for i in range(1, len(times)) if _jumps(system, times, X, i)), None)
    for i in range(first, len(times)) if first is not None else ():
        system.remember(X[i - 1])
        X[i] = system.whole(times[[i]], rows[i], p)
        if _jumps(system, times, X, i):
            system.remember(X[i - 1])
            for x in _between(system, times, rows, p, i):
                X[i] = system.whole(times[[i]], x, p)
    return X


def _jumps(system: System, times: np.ndarray, X: np.ndarray, i: int) -> bool:
    """Tell whether coordinates found by Newton's method jump before a row."""
    assert system.formulation is not None
    n_q, mechanism = system.n_q, system.mechanism
    found = system.formulation.unknowns
    speeds = [n_q + link.u[0] for k in found for link in mechanism.links if k in link.q]
    moved = 0.5 * (X[i - 1, speeds] + X[i, speeds]) * (times[i] - times[i - 1])
    off = np.abs(X[i, found] - X[i - 1, found] - moved)
    return not bool((off < JUMP).all())


def _between(
    system: System, times: np.ndarray, rows: np.ndarray, p: np.ndarray, i: int
) -> np.ndarray:
    """Return states on the way to a row, by cubic interpolation."""
    h, a, b = times[i] - times[i - 1], rows[i - 1], rows[i]
    s = np.linspace(0.0, 1.0, FILL)[:, None]
    da = np.nan_to_num(system.derivative(times[[i - 1]], a, p))
    db = np.nan_to_num(system.derivative(times[[i]], b, p))
    ends = (1 + 2 * s) * (1 - s) ** 2 * a + s**2 * (3 - 2 * s) * b
    return ends + h * s * (1 - s) * ((1 - s) * da - s * db)


def dead_step(
    system: System, t: float, x: np.ndarray, p: np.ndarray, warned: bool
) -> str | None:
    """Return the closed form that comes to its dead centre, in words, or None."""
    if system.formulation is None or system.margins is None:
        return None
    values = system.margins(np.array([t]), x, p)
    count = len(values) // 2
    margins = np.where(np.isnan(values[:count]), -1.0, values[:count])
    if not (warned or system.iterates) and margins.min() >= NEAR_DEAD:
        return None
    falling = np.where(values[count:] < 0.0, margins, margins + 1.0)
    k = int(np.argmin(falling if warned else margins))
    return system.closed_form_names()[k]


def make_run(
    system: System, method: str, x0: np.ndarray, p: np.ndarray, **options: Any
) -> Integration:
    """Return an integration of the system by a method's name."""
    if not isinstance(method, str):
        raise SimulationError("method", f"{method!r} is not a name.", 'Give e.g. "auto".')
    guard = system.margins if system.formulation is not None else None
    if guard is not None:
        options |= {"guard": guard, "guarded": guard.outputs[0].size // 2}
    tight = method == AUTO and options["rtol"] <= LANES_FROM
    if not system.iterates and not (tight and system.has_kinks):
        options["rhs_lanes"] = lambda: system.derivative_lanes
    has_jacobian = not (system.is_rolled or system.iterates)
    return make_integration(
        method,
        lambda: system.derivative,
        x0,
        p=p if p.size else np.zeros(1),
        jacobian=(lambda: system.jacobian) if has_jacobian else None,
        project=system.settle.replace_address if system.settle is not None else None,
        **options,
    )


def _message(
    outcome: Outcome, time: float, interrupted: bool, time_limit: float | None
) -> str:
    if interrupted:
        return f"t = {time:.9g} s: interrupted by the user"
    if outcome is Outcome.PAUSED:
        return f"t = {time:.9g} s: the time limit of {time_limit:g} s was reached"
    return ""


def fastest(system: System, x: np.ndarray) -> str:
    """Return the largest speed of a state in words: where a failing run goes astray."""
    speeds = [
        (abs(value), system.whole_states[k])
        for k, value in zip(system.integrated, x, strict=True)
        if system.n_q <= k < system.n_q + system.n_u
    ]
    if not speeds:
        return ""
    fast, state = max(speeds, key=lambda pair: pair[0])
    return f"the largest speed is {state.name} = {fast:.3g} {state.unit}"


def _rows(
    integration: Integration, grid: np.ndarray | None, t: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows written, as far as the time t."""
    if grid is None:
        record = integration.record
        kept = record[:, 0] <= t
        return record[kept, 0], record[kept, 1:]
    n = integration.rows_written
    return grid[:n], integration.rows[:n]


# --- options --------------------------------------------------------------------------------


def check_times(begin: float, stop: float, step: float | None, max_step: float) -> None:
    """Refuse times and steps that make no sense."""
    for name, value in (("begin", begin), ("stop", stop)):
        if not is_number(value):
            raise SimulationError(
                "simulate", f"{name} = {value!r} is not a finite time.", "Give seconds."
            )
    if not stop > begin:
        raise SimulationError(
            "simulate",
            f"stop = {stop:g} s is not after begin = {begin:g} s.",
            "Give a later stop time.",
        )
    if step is not None and not (is_number(step) and step > 0):
        raise SimulationError(
            "simulate", f"step = {step!r} s is not a positive time.", "Give step > 0."
        )
    if max_step != math.inf and not (is_number(max_step) and max_step > 0):
        raise SimulationError(
            "simulate", f"max_step = {max_step!r} s is not positive.", "Give max_step > 0."
        )


def check_limits(max_steps: int, time_limit: float | None) -> None:
    """Refuse limits that make no sense."""
    if not (is_number(max_steps) and max_steps >= 1):
        raise SimulationError(
            "simulate", f"max_steps = {max_steps!r} is not a count.", "Give 1 or more."
        )
    if time_limit is not None and not (is_number(time_limit) and time_limit > 0):
        raise SimulationError(
            "simulate",
            f"time_limit = {time_limit!r} s is not a positive time.",
            "Give seconds of computing, or None for no limit.",
        )


def as_numbers(name: str, value: Any) -> np.ndarray:
    """Return a value as an array of numbers, or raise `SimulationError`."""
    try:
        return np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise SimulationError(
            "simulate", f"{name} = {value!r} is not made of numbers.", "Give numbers."
        ) from None


def absolute_tolerances(system: System, atol: Any, rtol: float) -> np.ndarray:
    """Return one absolute tolerance for each of all states; `atol` may name some of them."""
    if not (is_number(rtol) and 0 < rtol < 1):
        raise SimulationError(
            "simulate", f"rtol = {rtol!r} makes no sense.", "Give 0 < rtol < 1, e.g. 1e-6."
        )
    given = np.full(system.n_whole, float(rtol))
    if isinstance(atol, Mapping):
        for name, value in atol.items():
            if name not in system.state_index:
                raise UnknownNameError(
                    "atol",
                    f"there is no state {name!r}.",
                    suggest(name, system.state_names),
                )
            given[system.state_index[name]] = as_numbers(f"atol of {name}", value)
    elif atol is not None:
        array = as_numbers("atol", atol)
        if array.shape not in ((), (system.n_whole,)):
            raise SimulationError(
                "simulate",
                f"atol has shape {array.shape}.",
                f"Give one number, {system.n_whole} numbers, or a dict by state name.",
            )
        given[:] = array
    if not all(0 < value < math.inf for value in given.tolist()):
        raise SimulationError(
            "simulate", f"atol = {atol!r} is not positive and finite.", "Give e.g. 1e-8."
        )
    return given


def output_grid(output: Any, begin: float, stop: float) -> np.ndarray | None:
    """Return the output times: a count of intervals, an interval [s], times, or every step."""
    if output is None:
        return spread(begin, stop, DEFAULT_ROWS)
    if isinstance(output, str):
        if output == STEPS:
            return None
        raise SimulationError(
            "simulate",
            f"output = {output!r} is not known.",
            'Give "steps", a count or times.',
        )
    if isinstance(output, (int, np.integer)) and not isinstance(output, bool):
        if output < 1:
            raise SimulationError(
                "simulate", f"output = {output} intervals are too few.", "Give 1 or more."
            )
        check_rows(int(output))
        return spread(begin, stop, int(output))
    if isinstance(output, (float, np.floating)):
        if not (output > 0 and math.isfinite(output)):
            raise SimulationError(
                "simulate",
                f"output = {output!r} s is no interval.",
                "Give a positive time.",
            )
        check_rows((stop - begin) / output)
        count = math.floor((stop - begin) / output * (1 + 1e-12))
        times = begin + output * np.arange(count + 1)
        return times if stop - times[-1] < 1e-9 * output else np.append(times, stop)
    times = as_numbers("output", output)
    valid = times.ndim == 1 and times.size > 0 and np.isfinite(times).all()
    if not valid or (np.diff(times) < 0).any() or times[0] < begin or times[-1] > stop:
        raise SimulationError(
            "simulate",
            "the output times are not sorted numbers between begin and stop.",
            f"Give increasing times from {begin:g} to {stop:g} s.",
        )
    return times


def check_rows(count: float) -> None:
    """Refuse more rows than anybody can look at."""
    if count > MOST_ROWS:
        raise SimulationError(
            "simulate",
            f"the output would have {count:.3g} rows.",
            f"Ask for at most {MOST_ROWS:g}.",
        )


def spread(begin: float, stop: float, count: int) -> np.ndarray:
    """Return the ends of `count` equal intervals from begin to stop."""
    times = begin + (stop - begin) / count * np.arange(count + 1)
    times[-1] = stop
    return times
