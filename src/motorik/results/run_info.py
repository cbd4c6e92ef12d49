"""RunInfo: method, cost and end of a run."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RunInfo:
    """Method, cost and end of a run.

    `wall_time` [s] is the time of computing, `compile_time` [s] that of preparing and compiling
    before and within the run.
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
