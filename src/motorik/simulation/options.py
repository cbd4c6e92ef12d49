"""RunOptions: the options of a run, checked before anything is computed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from motorik.errors import SimulationError
from motorik.initialisation.checks import is_number
from motorik.numerics.tolerances import FINEST_RTOL

DEFAULT_ROWS = 500
MOST_ROWS = 100_000_000
STEPS = "steps"
GO_ON, STOP = "project", "stop"  # what to do at the dead centre of a closed form

Output = int | float | str | Sequence[float] | np.ndarray | None
Tolerance = float | Mapping[str, float] | Sequence[float] | np.ndarray | None


@dataclass(frozen=True)
class RunOptions:
    """The options of a run; their meaning is described in `Model.simulate`."""

    stop: float
    begin: float = 0.0
    method: str = "auto"
    rtol: float = 1e-6
    atol: Tolerance = None
    output: Output = None
    step: float | None = None
    max_step: float = math.inf
    max_steps: int = 100_000_000
    time_limit: float | None = None
    start: Mapping[str, float] = field(default_factory=dict)
    branch: Mapping[str, str] = field(default_factory=dict)
    dead_centre: str = GO_ON
    progress: bool | None = None

    def __post_init__(self) -> None:
        _check_times(self.begin, self.stop)
        check_steps(self.step, self.max_step, self.max_steps)
        check_rtol(self.rtol)
        if not isinstance(self.method, str):
            raise SimulationError(
                "method",
                f"{self.method!r} is not a name.",
                'Give e.g. "auto".',
                parameter="method",
                value=self.method,
            )
        limit = self.time_limit
        if limit is not None and not (is_number(limit) and limit > 0):
            raise SimulationError(
                "simulate",
                f"time_limit = {limit!r} s is not a positive time.",
                "Give seconds of computing, or None for no limit.",
                parameter="time_limit",
                value=limit,
            )
        known = isinstance(self.dead_centre, str) and self.dead_centre in (GO_ON, STOP)
        if not known:
            raise SimulationError(
                "simulate",
                f"dead_centre = {self.dead_centre!r} is not known.",
                f'Give "{GO_ON}" to continue by projection, or "{STOP}".',
                parameter="dead_centre",
                value=self.dead_centre,
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
        for name, value in (("start", self.start), ("branch", self.branch)):
            if not isinstance(value, Mapping):
                raise SimulationError(
                    "simulate",
                    f"{name} = {value!r} is not a dict by name.",
                    'Give a dict by name, e.g. {"rev.phi": 0.5}.',
                    parameter=name,
                    value=value,
                )

    @property
    def duration(self) -> float:
        """The time from begin to stop [s]."""
        return self.stop - self.begin

    def grid(self) -> np.ndarray | None:
        """Return the output times [s]: of intervals, as given, or None for every step."""
        output, begin, stop = self.output, self.begin, self.stop
        if output is None:
            return spread(begin, stop, DEFAULT_ROWS)
        if isinstance(output, str):
            if output == STEPS:
                return None
            raise SimulationError(
                "simulate",
                f"output = {output!r} is not known.",
                'Give "steps", a count or times.',
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
            _check_rows(int(output))
            return spread(begin, stop, int(output))
        if isinstance(output, (float, np.floating)):
            return self._at_intervals(float(output))
        return self._at_times()

    def _at_intervals(self, interval: float) -> np.ndarray:
        if not 0 < interval <= self.duration:
            raise SimulationError(
                "simulate",
                f"output = {interval!r} s is not an interval within {self.duration:g} s.",
                "Give a positive time, not longer than the run, or a whole number of rows.",
                parameter="output",
                value=interval,
            )
        _check_rows(self.duration / interval)
        count = math.floor(self.duration / interval * (1 + 1e-12))
        times = self.begin + interval * np.arange(count + 1)
        is_last = self.stop - times[-1] < 1e-9 * interval
        return times if is_last else np.append(times, self.stop)

    def _at_times(self) -> np.ndarray:
        times = as_numbers("output", self.output)
        valid = times.ndim == 1 and times.size > 0 and np.isfinite(times).all()
        valid = valid and not (np.diff(times) < 0).any()
        if not valid or times[0] < self.begin or times[-1] > self.stop:
            raise SimulationError(
                "simulate",
                "the output times are not sorted numbers between begin and stop.",
                f"Give increasing times from {self.begin:g} to {self.stop:g} s.",
                parameter="output",
                value=times,
            )
        return times


def _check_times(begin: float, stop: float) -> None:
    for name, value in (("begin", begin), ("stop", stop)):
        if not is_number(value):
            raise SimulationError(
                "simulate",
                f"{name} = {value!r} is not a finite time.",
                "Give seconds.",
                parameter=name,
                value=value,
            )
    if not stop > begin:
        raise SimulationError(
            "simulate",
            f"stop = {stop:g} s is not after begin = {begin:g} s.",
            "Give a later stop time.",
            parameter="stop",
            value=stop,
        )


def check_steps(step: float | None, max_step: float, max_steps: int) -> None:
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


def _check_rows(count: float) -> None:
    """Refuse more rows than anybody can look at."""
    if count > MOST_ROWS:
        raise SimulationError(
            "simulate",
            f"the output would have {count:.3g} rows.",
            f"Ask for at most {MOST_ROWS:g}.",
            parameter="output",
            value=count,
        )


def spread(begin: float, stop: float, count: int) -> np.ndarray:
    """Return the ends of `count` equal intervals from begin to stop."""
    times = begin + (stop - begin) / count * np.arange(count + 1.0)
    times[-1] = stop
    return times
