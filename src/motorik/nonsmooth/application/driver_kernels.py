"""Kernels of event handling that the driver of integration calls, shared by all methods."""

from motorik.compiler.kernels import share
from motorik.nonsmooth.application.event_handling import make_event_handler
from motorik.nonsmooth.application.log import has_room, write_instant
from motorik.nonsmooth.application.slip_onset import bound_step
from motorik.nonsmooth.application.triggers import (
    keep_trigger_lines,
    least_gap,
    penetrates,
    resets_states,
)
from motorik.nonsmooth.detection.breakpoints import (
    has_breakpoint,
    has_events,
    is_tick,
    next_breakpoint,
    pass_visit,
)
from motorik.nonsmooth.detection.event_search import SHARED_KERNELS, make_event_search
from motorik.nonsmooth.detection.law_conditions import (
    detect_sliding_mode,
    time_to_condition,
    time_to_missed_condition,
)
from motorik.nonsmooth.detection.trigger_conditions import begins_here

handle_event = make_event_handler()
share(
    handle_event,
    write_instant,
    next_breakpoint,
    bound_step,
    is_tick,
    begins_here,
    *SHARED_KERNELS,
)
share(
    least_gap,
    penetrates,
    keep_trigger_lines,
    time_to_condition,
    time_to_missed_condition,
    detect_sliding_mode,
)

__all__ = [
    "begins_here",
    "bound_step",
    "detect_sliding_mode",
    "handle_event",
    "has_breakpoint",
    "has_events",
    "has_room",
    "is_tick",
    "keep_trigger_lines",
    "least_gap",
    "make_event_search",
    "next_breakpoint",
    "pass_visit",
    "penetrates",
    "resets_states",
    "time_to_condition",
    "time_to_missed_condition",
    "write_instant",
]
