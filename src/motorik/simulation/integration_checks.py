"""Checks of the options of an integration."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from motorik.errors import SimulationError

if TYPE_CHECKING:
    from motorik.simulation.integration_options import Numbers
    from motorik.simulation.methods import Method

FLOAT64 = np.dtype(np.float64)


def check_steps(
    method: Method, step: float | None, min_step: float, max_step: float
) -> None:
    """Refuse a method without its step, and a step outside of the bounds."""
    part = _named(method)
    if not method.adaptive and not (step and step > 0.0):
        raise SimulationError(
            part,
            f"has no error control and step = {step}.",
            "Give `step` in seconds.",
            parameter="step",
            value=step,
        )
    if step is not None and not (min_step <= step <= max_step and step > 0.0):
        raise SimulationError(
            part,
            f"cannot begin with step = {step} s: steps are {min_step:g} to {max_step:g} s",
            "Give a positive `step` between `min_step` and `max_step`.",
            parameter="step",
            value=step,
        )


def check_tolerances(method: Method, rtol: float, atol: Numbers) -> None:
    """Refuse tolerances that no step can meet."""
    least = min(atol.tolist(), default=1.0)
    if not (rtol >= 0.0 and least >= 0.0 and rtol + least > 0.0):
        raise SimulationError(
            _named(method),
            f"cannot keep rtol = {rtol} with atol = {least}",
            "Give tolerances that are positive, such as rtol=1e-6, atol=1e-8.",
            parameter="rtol",
            value=rtol,
        )


def check_parameters(method: Method, p: Numbers, unwrapped: slice, unwraps: bool) -> None:
    """Refuse parameters of another kind, and angles without their references among them."""
    if p.dtype != FLOAT64 or not p.flags.c_contiguous:
        raise SimulationError(
            _named(method),
            f"got parameters as {p.dtype}",
            "Pass a contiguous float64 array.",
        )
    count = unwrapped.stop - unwrapped.start
    if (count > 0) != unwraps or not 0 <= unwrapped.start <= unwrapped.stop <= p.size:
        raise SimulationError(
            _named(method),
            f"cannot follow {count} angles whose references are the numbers "
            f"{unwrapped.start} to {unwrapped.stop - 1} of {p.size}",
            "Give `unwrap`, the count of its angles and their place among the parameters.",
        )


def check_rates(method: Method, rate: object) -> None:
    """Refuse a method of several lanes for equations that cannot be computed so."""
    if rate is None:
        raise SimulationError(
            _named(method),
            f"needs the rates of {method.lanes} states at once",
            f"Take another method such as 'dop853': {method.name} needs equations "
            "without an iteration inside.",
        )


def check_grid(grid: Numbers, time: float) -> Numbers:
    """Return the output times, or refuse those that are not sorted from `time` on."""
    falls = np.count_nonzero(grid[1:] < grid[:-1])
    if falls or (grid.size and grid[0] < time):
        raise SimulationError(
            "grid",
            f"begins at t = {grid[0]:.9g} s, or is not sorted",
            f"Give increasing times, none before {time:.9g} s.",
            parameter="output",
            value=grid,
        )
    return grid


def _named(method: Method) -> str:
    return f"method {method.name!r}"
