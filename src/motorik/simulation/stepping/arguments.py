"""What the kernels of a method are given: arguments that go together, and kinds of kernels.

Every kernel begins with n, w and m: the count of states and the workspace, see `workspace`.
"""

from __future__ import annotations

from dataclasses import field
from typing import TypeAlias

import numpy as np

from motorik.compiler.kernels import Float, Floats, Function, Int, Kernel
from motorik.immutable import immutable
from motorik.nonsmooth.memory import EventCounts, EventMemory, TriggerTable
from motorik.simulation.stepping.workspace import Counts, Work


@immutable
class Ode:
    """The equations ẋ = f(t, x, p) that are integrated, as native functions."""

    rhs: Function  # rhs(t, x, p, dx) writes f
    jac: Function | None  # jac(t, x, p, columns) writes ∂f/∂x
    project: Function | None  # project(t, x, p) puts x back on what it must satisfy
    p: Floats
    # stretch(t, x, p, y) writes relative coordinates and speeds; rows of numbers of each of
    # them, see `norm`
    stretch: Function | None = None
    stretches: Floats = field(default_factory=lambda: np.zeros(1))
    # audit(t, x, p, out) writes f, and last how far it misses the equations that it is solved
    # from: 1 is too far; or only the last, see `Counts.audit`
    audit: Function | None = None


@immutable
class Output:
    """What a run writes: states at the times of a grid, and a record of its steps."""

    grid: Floats
    rows: Floats
    record: Floats


@immutable
class EventArguments:
    """Events: functions of the equations, and the memory of native event handling.

    All functions take (t, x, p, out), see `nonsmooth.laws.event_functions`; memory, counts and
    log are laid out in `nonsmooth.memory`, `instants` in `nonsmooth.application.log`.
    `breakpoints` are sorted times, and then of each its kind, `Breakpoint`.
    """

    contact_state: Function
    contact_lcp: Function
    impulse_response: Function
    trigger_conditions: Function
    assignments: Function
    law_conditions: Function
    velocity_closure: Function | None  # change of x that closes the velocities of loops
    breakpoints: Floats
    memory: EventMemory
    counts: EventCounts
    table: TriggerTable
    values: Floats
    log: Floats
    instants: Floats


# kernels by what they do; all begin with n, w, m
Begin: TypeAlias = Kernel[[Int, Work, Counts, Ode, Int], Int]  # order: first rate and step
Rate: TypeAlias = Kernel[[Int, Work, Counts, Ode, Float, Floats, Floats], None]  # t, x, dx
EndRate: TypeAlias = Kernel[[Int, Work, Counts, Ode, Float, Floats], None]  # t, x
Measure: TypeAlias = Kernel[[Int, Work, Counts, Ode], None]  # rounding at T
Attempt: TypeAlias = Kernel[[Int, Work, Counts, Ode], Int]  # one good step
Move: TypeAlias = Kernel[[Int, Work, Counts, Ode, Float, Float], None]  # t, h
Trial: TypeAlias = Kernel[[Int, Work, Counts, Ode, Float, Float], Float]  # t, h: its error
Finish: TypeAlias = Kernel[[Int, Work, Counts, Ode, Float], None]  # t
Prepare: TypeAlias = Kernel[[Int, Work, Counts, Ode], None]
Interpolate: TypeAlias = Kernel[[Int, Work, Counts, Float, Floats], None]  # t, row
Sample: TypeAlias = Kernel[[Int, Work, Counts, Ode, Float, Floats], None]  # t, row
# p, unwrap, memory
Look: TypeAlias = Kernel[[Int, Work, Counts, Floats, Function, Floats], None]
# unwrap, memory
Follow: TypeAlias = Kernel[[Int, Work, Counts, Ode, Output, Function, Floats], None]
# guard, memory, unwrap: why it stopped
Advance: TypeAlias = Kernel[
    [
        Int,
        Work,
        Counts,
        Ode,
        Output,
        Function | None,
        Floats,
        Function | None,
        EventArguments,
    ],
    Int,
]
