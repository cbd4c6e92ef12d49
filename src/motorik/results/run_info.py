"""How a run went."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class RunInfo:
    """How a run went: method, cost, and why it ended.

    `wall_time` [s] is that of computing; what was spent on preparing and compiling before and
    within the run is `compile_time` [s].
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
