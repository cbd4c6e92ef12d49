"""RunOptions: the options of a run, checked before anything is computed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import TypedDict

import numpy as np

from motorik.errors import SimulationError, checked_constructor
from motorik.immutable import immutable
from motorik.initialisation.given import is_number
from motorik.loops.options import LoopOptions
from motorik.numerics.tolerances import FINEST_RTOL

DEFAULT_INTERVALS = 500
MOST_SAMPLES = 100_000_000
STEPS = "steps"
Output = int | str | Sequence[float] | np.ndarray | None
Tolerance = float | Mapping[str, float] | Sequence[float] | np.ndarray | None


FLAT = {
    name: f"Give it to `simulate` itself: simulate(…, {name}=…)."
    for name in ("method", "rtol", "step")
}


@checked_constructor(FLAT)
@immutable
class SolverOptions:
    """Options of the integration that most runs leave at their defaults.

    * `atol`: absolute tolerance: one number, one for each state, or a dict by state name; by
      default `rtol` times the mechanism's own lengths and speeds;
    * `max_step` [s], `max_steps`: the longest step, the largest number of steps;
    * `time_limit` [s]: of computing, after which a run ends with what it has.
    """

    atol: Tolerance = None
    max_step: float = math.inf
    max_steps: int = 100_000_000
    time_limit: float | None = None

    def __post_init__(self) -> None:
        check_steps(None, self.max_step, self.max_steps)
        limit = self.time_limit
        if limit is not None and not (is_number(limit) and limit > 0):
            raise SimulationError(
                "SolverOptions",
                f"time_limit = {limit!r} s is not a positive time.",
                "Give seconds of computing, or None for no limit.",
                parameter="time_limit",
                value=limit,
            )


class SweepOptions(TypedDict, total=False):
    """Options that all runs of a sweep share; those of `simulate` but for its parameters."""

    start_time: float
    method: str
    rtol: float
    step: float | None
    output: int | str | Sequence[float] | np.ndarray | None
    interval: float | None
    initial: Mapping[str, float] | None
    strategy: str | Mapping[str, str] | None
    loops: LoopOptions | None
    solver: SolverOptions | None
    progress: bool | None


@immutable
class RunOptions:
    """The options of a run; their meaning is described in `Model.simulate`."""

    stop_time: float
    start_time: float = 0.0
    method: str = "auto"
    rtol: float = 1e-6
    step: float | None = None
    output: Output = None
    interval: float | None = None
    initial: Mapping[str, float] = field(default_factory=dict)
    solver: SolverOptions = field(default_factory=SolverOptions)
    loops: LoopOptions = field(default_factory=LoopOptions)
    progress: bool | None = None

    def __post_init__(self) -> None:
        _check_times(self.start_time, self.stop_time)
        check_steps(self.step)
        check_rtol(self.rtol)
        for name, kind in (("solver", SolverOptions), ("loops", LoopOptions)):
            check_group("simulate", name, getattr(self, name), kind)
        if not isinstance(self.method, str):
            raise SimulationError(
                "method",
                f"{self.method!r} is not a name.",
                'Give e.g. "auto".',
                parameter="method",
                value=self.method,
            )
        if self.step is not None and self.step > self.duration:
            raise SimulationError(
                "simulate",
                f"step = {self.step:g} s is longer than the run of {self.duration:g} s.",
                "Give a shorter step.",
                parameter="step",
                value=self.step,
            )
        if self.progress not in (None, True, False):
            raise SimulationError(
                "simulate",
                f"progress = {self.progress!r} is not True, False or None.",
                "Give True for a progress bar.",
                parameter="progress",
                value=self.progress,
            )
        if not isinstance(self.initial, Mapping):
            raise SimulationError(
                "simulate",
                f"initial = {self.initial!r} is not a dict by name.",
                'Give a dict by name, e.g. {"rev.phi": 0.5}.',
                parameter="initial",
                value=self.initial,
            )

    @property
    def duration(self) -> float:
        """The time from start to stop [s]."""
        return self.stop_time - self.start_time

    def grid(self) -> np.ndarray | None:
        """Return the output times [s]: of intervals, as given, or None for every step."""
        output = self.output
        if self.interval is not None:
            if output is not None:
                raise SimulationError(
                    "simulate",
                    "output and interval are both given.",
                    "Give one: `output` a count of intervals, times or "
                    '"steps", `interval` seconds.',
                    parameter="interval",
                    value=self.interval,
                )
            return self._at_intervals(self.interval)
        if output is None:
            return spread(self.start_time, self.stop_time, DEFAULT_INTERVALS)
        if isinstance(output, str):
            if output == STEPS:
                return None
            raise SimulationError(
                "simulate",
                f"output = {output!r} is not known.",
                'Give "steps", a count of intervals or times.',
                parameter="output",
                value=output,
            )
        if isinstance(output, (float, np.floating)):
            raise SimulationError(
                "simulate",
                f"output = {output!r} is not a count of intervals.",
                f"Give interval={output!r} for an interval in seconds, or a whole number.",
                parameter="output",
                value=output,
            )
        if isinstance(output, (int, np.integer)) and not isinstance(output, bool):
            if output < 1:
                raise SimulationError(
                    "simulate",
                    f"output = {output} intervals are too few.",
                    "Give 1 or more.",
                    parameter="output",
                    value=output,
                )
            _check_count(int(output))
            return spread(self.start_time, self.stop_time, int(output))
        return self._at_times()

    def _at_intervals(self, interval: float) -> np.ndarray:
        if not (is_number(interval) and 0 < interval <= self.duration):
            raise SimulationError(
                "simulate",
                f"interval = {interval!r} s is not an interval within {self.duration:g} s.",
                "Give a positive time, not longer than the run, or output=500 for a count.",
                parameter="interval",
                value=interval,
            )
        _check_count(self.duration / interval)
        count = math.floor(self.duration / interval * (1 + 1e-12))
        times = self.start_time + interval * np.arange(count + 1)
        is_last = self.stop_time - times[-1] < 1e-9 * interval
        return times if is_last else np.append(times, self.stop_time)

    def _at_times(self) -> np.ndarray:
        times = as_numbers("output", self.output)
        valid = times.ndim == 1 and times.size > 0 and np.isfinite(times).all()
        valid = valid and not (np.diff(times) < 0).any()
        if not valid or times[0] < self.start_time or times[-1] > self.stop_time:
            raise SimulationError(
                "simulate",
                "the output times are not sorted numbers between start and stop.",
                f"Give increasing times from {self.start_time:g} to {self.stop_time:g} s.",
                parameter="output",
                value=times,
            )
        return times


def _check_times(start: float, stop: float) -> None:
    for name, value in (("start_time", start), ("stop_time", stop)):
        if not is_number(value):
            raise SimulationError(
                "simulate",
                f"{name} = {value!r} is not a finite time.",
                "Give seconds.",
                parameter=name,
                value=value,
            )
    if not stop > start:
        raise SimulationError(
            "simulate",
            f"stop_time = {stop:g} s is not after start_time = {start:g} s.",
            "Give a later stop time.",
            parameter="stop_time",
            value=stop,
        )


def check_group(caller: str, name: str, given: object, kind: type) -> None:
    """Refuse a value that is not a group of options of its kind."""
    if not isinstance(given, kind):
        raise SimulationError(
            caller,
            f"{name} = {given!r} is not a {kind.__name__}.",
            f"Write {name}={kind.__name__}(…).",
            parameter=name,
            value=given,
        )


def check_steps(step: float | None, max_step: float = math.inf, max_steps: int = 1) -> None:
    """Refuse invalid step sizes and counts."""
    if step is not None and not (is_number(step) and step > 0):
        raise SimulationError(
            "simulate",
            f"step = {step!r} s is not a positive time.",
            "Give step > 0.",
            parameter="step",
            value=step,
        )
    is_endless = isinstance(max_step, float) and max_step == math.inf
    if not is_endless and not (is_number(max_step) and max_step > 0):
        raise SimulationError(
            "simulate",
            f"max_step = {max_step!r} s is not positive.",
            "Give max_step > 0.",
            parameter="max_step",
            value=max_step,
        )
    if not (is_number(max_steps) and max_steps >= 1 and max_steps == int(max_steps)):
        raise SimulationError(
            "simulate",
            f"max_steps = {max_steps!r} is not a count.",
            "Give 1 or more.",
            parameter="max_steps",
            value=max_steps,
        )


def check_rtol(rtol: float) -> None:
    """Refuse a relative tolerance outside of its limits."""
    if not (is_number(rtol) and 0 < rtol < 1):
        raise SimulationError(
            "simulate",
            f"rtol = {rtol!r} is not a number between 0 and 1.",
            "Give 0 < rtol < 1, e.g. 1e-6.",
            parameter="rtol",
            value=rtol,
        )
    if rtol < FINEST_RTOL:
        raise SimulationError(
            "simulate",
            f"rtol = {rtol:g} is below the rounding error of numbers.",
            f"Give rtol ≥ {FINEST_RTOL:g}.",
            parameter="rtol",
            value=rtol,
        )


def as_numbers(name: str, value: object) -> np.ndarray:
    """Return a value as an array of numbers, or raise `SimulationError`."""
    try:
        return np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise SimulationError(
            "simulate",
            f"{name} = {value!r} is not made of numbers.",
            "Give numbers.",
            parameter=name,
            value=value,
        ) from None


def _check_count(count: float) -> None:
    """Refuse more samples than a result can hold."""
    if count > MOST_SAMPLES:
        raise SimulationError(
            "simulate",
            f"the output would have {count:.3g} samples.",
            f"Ask for at most {MOST_SAMPLES:g}.",
            parameter="output",
            value=count,
        )


def spread(start: float, stop: float, count: int) -> np.ndarray:
    """Return the ends of `count` equal intervals from start to stop."""
    times = start + (stop - start) / count * np.arange(count + 1.0)
    times[-1] = stop
    return times


DEFAULT_SOLVER = SolverOptions()
