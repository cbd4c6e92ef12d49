"""Options of sessions, for editors."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from motorik.simulation.options import SolverOptions


class SimulatorOptions(TypedDict, total=False):
    """Options of `model.simulator` that a session passes on."""

    method: str
    rtol: float
    step: float | None
    solver: SolverOptions


class PageOptions(TypedDict, total=False):
    """Options of all sessions, see `Session`."""

    stop_time: float | None
    speed: float
    fps: float
    host: str
    port: int
    open: bool | None
    page: Callable[[str], str] | None


class SessionOptions(SimulatorOptions, PageOptions, total=False):
    """Options of `model.live`, see `ModelSession`."""

    mode: str
    initial: Mapping[str, float] | None
    parameters: Mapping[str, float] | None
    strategy: str | Mapping[str, str] | None
    panels: bool
    time_limit: float
