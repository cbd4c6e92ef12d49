"""Simulation of a compiled model: options checked, run in native code, returned as a result."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from motorik.assembly.initial import solve_start
from motorik.errors import InitialValueError, SimulationError, UnknownNameError, suggest
from motorik.results import Result, RunInfo
from motorik.simulation.integrate import Integration, make_integration
from motorik.simulation.outcome import Outcome
from motorik.simulation.progress import ProgressBar
from motorik.simulation.system import System

DEFAULT_ROWS = 500
MOST_ROWS = 100_000_000
STEPS = "steps"


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
    progress: bool | None = None,
) -> Result:
    """Simulate from `begin` to `stop` [s] and return the result, complete or partial.

    See `Model.simulate` for the options.
    """
    check_times(begin, stop, step, max_step)
    check_limits(max_steps, time_limit)
    p = system.parameter_values()
    x0 = start_state(system, start or {}, p)
    grid = output_grid(output, begin, stop)
    integration = make_run(
        system,
        method,
        x0,
        p,
        t0=begin,
        rtol=rtol,
        atol=absolute_tolerances(system, atol, rtol),
        step=step,
        max_step=max_step,
        max_steps=max_steps,
        record=grid is None,
    )
    began = clock.perf_counter()
    bar = ProgressBar(system.mechanism.name, begin, stop, progress)

    def watch(run: Integration) -> bool:
        bar.update(run.time)
        return time_limit is not None and clock.perf_counter() - began > time_limit

    interrupted = False
    try:
        outcome = integration.advance(stop, grid=grid, watch=watch)
    except KeyboardInterrupt:
        outcome, interrupted = Outcome.PAUSED, True
    finally:
        bar.close()
    wall = clock.perf_counter() - began
    message = _message(outcome, integration.time, interrupted, time_limit)
    if outcome.is_failure:
        message = outcome.explain(integration.time, fastest(system, integration.state))
    times, rows = _rows(integration, grid)
    cost = integration.statistics
    info = RunInfo(
        cost.method,
        cost.steps,
        cost.rejected,
        cost.evaluations,
        cost.jacobians,
        wall,
        outcome is Outcome.REACHED,
        message,
        cost.switches,
        rtol,
    )
    return Result(system, times, rows, p, info)


def make_run(
    system: System, method: str, x0: np.ndarray, p: np.ndarray, **options: Any
) -> Integration:
    """Return an integration of the system by a method's name."""
    if not isinstance(method, str):
        raise SimulationError("method", f"{method!r} is not a name.", 'Give e.g. "auto".')
    return make_integration(
        method,
        lambda: system.derivative,
        x0,
        rhs_lanes=lambda: system.derivative_lanes,
        p=p if p.size else np.zeros(1),
        jacobian=None if system.is_rolled else lambda: system.jacobian,
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
    u = np.abs(x[system.n_q :])
    if not u.size:
        return ""
    state = system.mechanism.states[system.n_q + int(np.argmax(u))]
    return f"the largest speed is {state.name} = {u.max():.3g} {state.unit}"


def _rows(
    integration: Integration, grid: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray]:
    if grid is None:
        record = integration.record
        return record[:, 0], record[:, 1:]
    n = integration.rows_written
    times, rows = grid[:n], integration.rows[:n]
    if n < grid.size and (n == 0 or integration.time > times[-1]):
        times = np.append(times, integration.time)
        rows = np.vstack([rows, integration.state])
    return times, rows


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


def is_number(value: Any) -> bool:
    """Tell whether a value is one finite number."""
    is_real = isinstance(value, (int, float, np.integer, np.floating))
    return is_real and not isinstance(value, bool) and math.isfinite(value)


def as_numbers(name: str, value: Any) -> np.ndarray:
    """Return a value as an array of numbers, or raise `SimulationError`."""
    try:
        return np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise SimulationError(
            "simulate", f"{name} = {value!r} is not made of numbers.", "Give numbers."
        ) from None


def absolute_tolerances(system: System, atol: Any, rtol: float) -> np.ndarray:
    """Return one absolute tolerance per state; `atol` may name some of them."""
    if not (is_number(rtol) and 0 < rtol < 1):
        raise SimulationError(
            "simulate", f"rtol = {rtol!r} makes no sense.", "Give 0 < rtol < 1, e.g. 1e-6."
        )
    given = np.full(system.n_x, float(rtol))
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
        if array.shape not in ((), (system.n_x,)):
            raise SimulationError(
                "simulate",
                f"atol has shape {array.shape}.",
                f"Give one number, {system.n_x} numbers, or a dict by state name.",
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


# --- start ----------------------------------------------------------------------------------


def start_state(system: System, given: Mapping[str, float], p: np.ndarray) -> np.ndarray:
    """Return the state at the start: given values, those of the parts, and all demands met."""
    if not isinstance(given, Mapping):
        raise SimulationError(
            "simulate", f"start = {given!r} names no states.", 'Give e.g. {"rev.phi": 0.5}.'
        )
    system.check_parameters(p)
    mechanism = system.mechanism
    x, fixed = (values.copy() for values in system.start)
    for name, value in given.items():
        if name not in system.state_index:
            raise UnknownNameError(
                "start", f"there is no state {name!r}.", suggest(name, system.state_names)
            )
        if not is_number(value):
            raise InitialValueError(
                name, f"start value {value!r} is not a finite number.", "Give one number."
            )
        x[system.state_index[name]] = value
        fixed[system.state_index[name]] = True
    n_q = system.n_q
    if mechanism.demands:
        q, u = solve_start(
            mechanism, x[:n_q], x[n_q:], fixed[:n_q], fixed[n_q:], system.symbols, p
        )
        x = np.concatenate([q, u])
    if system.settle is not None:
        x = system.settle(np.zeros(1), x, p)
    if not system.is_checked:
        system.check_inertia(x[:n_q], p)
    return x
