"""Trajectory: the outcome of an integration, output samples and events."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from motorik.immutable import immutable

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.results.event_states import EventStates
    from motorik.results.events import Events
    from motorik.results.run_info import RunInfo


@immutable
class Trajectory:
    """The motion X = (q, u, z) at output times, in the coordinates of the last form.

    `parameters` are p, the same for all samples or a row for each, perhaps computed when they
    are read; `states` the places in X that were integrated at the start; `events` reads the
    table of events, and the motion before and after each; `kept` is memory that parameters hold
    the addresses of. `again(times)` repeats the run, with
    output samples at other times, or None for the end of each step; `stepped` are the intervals
    [s] that were passed by time stepping.
    """

    system: CompiledModel
    time: np.ndarray
    motion: np.ndarray
    parameters: np.ndarray | Callable[[], np.ndarray]
    info: RunInfo
    states: Sequence[int]
    events: Callable[[], tuple[Events, EventStates | None]]
    kept: tuple[object, ...] = ()
    again: Callable[[np.ndarray | None], Trajectory] | None = None
    stepped: tuple[tuple[float, float], ...] = ()
