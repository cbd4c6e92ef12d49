"""Kernels of event handling that the driver of integration calls, shared by all methods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from motorik.compiler.kernels import link_early, share
from motorik.nonsmooth.application.event_handling import make_event_handler
from motorik.nonsmooth.application.impacts import find_impulses
from motorik.nonsmooth.application.log import has_room, write_instant
from motorik.nonsmooth.application.mode_selection import (
    align_disks,
    find_saturated,
    share_loads,
    start_slip,
)
from motorik.nonsmooth.application.slip_onset import bound_step
from motorik.nonsmooth.application.triggers import (
    keep_trigger_lines,
    least_gap,
    penetrates,
    resets_states,
)
from motorik.nonsmooth.application.velocity_jumps import stop_slow_disks
from motorik.nonsmooth.complementarity.box_lcp import minimise_norm, scale_coupled
from motorik.nonsmooth.complementarity.friction_cones import solve_cone_problem
from motorik.nonsmooth.detection.breakpoints import (
    has_breakpoint,
    has_events,
    is_tick,
    next_breakpoint,
    pass_visit,
)
from motorik.nonsmooth.detection.event_search import (
    SHARED_KERNELS,
    make_event_search,
    plan_samples,
)
from motorik.nonsmooth.detection.law_conditions import (
    detect_sliding_mode,
    time_to_condition,
    time_to_missed_condition,
)
from motorik.nonsmooth.detection.trigger_conditions import begins_here

if TYPE_CHECKING:
    from motorik.compiler.kernels import Kernel

handle_event = make_event_handler()
share(write_instant, next_breakpoint, bound_step, is_tick, begins_here)
share(handle_event, late=True)
share(*SHARED_KERNELS, late=True)
share(least_gap, penetrates, keep_trigger_lines, late=True)
share(time_to_condition, time_to_missed_condition, detect_sliding_mode, late=True)


def link_needed(
    constraints: int, disks: int, has_triggers: bool, has_conditions: bool
) -> None:
    """Begin to make the machine code that runs with these numbers of constraints will call."""
    needed: list[Kernel[..., Any]] = []
    if constraints or has_triggers:
        needed += [handle_event, SHARED_KERNELS[0]]
    if constraints > 1:
        needed += [find_saturated, minimise_norm]
    if disks:
        needed += [stop_slow_disks, align_disks, share_loads, start_slip]
        needed += [solve_cone_problem, scale_coupled, find_impulses]
    if has_conditions:
        needed.append(time_to_condition)
    link_early(*needed)


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
    "link_needed",
    "make_event_search",
    "next_breakpoint",
    "pass_visit",
    "penetrates",
    "plan_samples",
    "resets_states",
    "time_to_condition",
    "time_to_missed_condition",
    "write_instant",
]
