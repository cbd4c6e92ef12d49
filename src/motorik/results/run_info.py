"""RunInfo: method, cost and end of a run."""

from __future__ import annotations

import warnings

from motorik.errors import IncompleteRunWarning, calls_within_motorik
from motorik.immutable import immutable


@immutable
class RunInfo:
    """Method, cost and end of a run.

    `wall_time` [s] is the time of computing, `compile_time` [s] that of preparing and compiling
    before and within the run. `assumed` says which assumptions on functions of time the run made.
    `stepped` describes the intervals that were passed by time stepping, where events accumulate
    or no modes fit, with the estimated error.
    """

    method: str
    steps: int
    rejected: int
    evaluations: int
    jacobians: int
    wall_time: float
    complete: bool
    message: str
    switches: tuple[tuple[float, str], ...] = ()
    tolerance: float = 0.0
    compile_time: float = 0.0
    assumed: str = ""
    stepped: tuple[str, ...] = ()


def warn_incomplete(name: str, message: str) -> None:
    """Warn the caller of motorik that a run ended before its end time, and why."""
    text = message.replace(".\n  ", "\n  ").replace("\n  ", ". ")
    warning = IncompleteRunWarning(f"{name} ended early: {text}")
    warnings.warn(warning, stacklevel=calls_within_motorik())
