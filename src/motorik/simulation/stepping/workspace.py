"""The workspace that every method shares: which slot of `w` and `m` holds what.

`w`, the real workspace, holds a head of single numbers (`Work`), then vectors of one number
per state (`Vec`), then whatever a method keeps for itself. `m`, the integer workspace, holds
counters, flags and options (`Counts`). Python allocates both and reads them between calls;
native code keeps everything it must remember in them, so a run can be interrupted after any
step and resumed. Kernels write `w.t`, `m.steps` and `tail(w, HEAD + Vec.X * n)`.
"""

from __future__ import annotations

from dataclasses import field
from typing import TypeAlias

import numpy as np

from motorik.compiler.kernels import (
    Float,
    Floats,
    Function,
    Int,
    Integers,
    Kernel,
    Reals,
    integer,
    real,
)
from motorik.immutable import immutable
from motorik.nonsmooth.memory import EventCounts, EventMemory, TriggerTable

HEAD = 88  # count of single numbers; vector k of n states begins at w[HEAD + k n]


class Work(Reals):
    """Single numbers at the head of `w`: times [s], step sizes [s], tolerances, errors."""

    t = real(0)  # time reached
    t_old = real(1)  # time at which the last step began
    t_stop = real(2)  # time to stop at, exactly
    h = real(3)  # size of the next step; 0 before the start: to be found
    rtol = real(4)  # relative tolerance
    max_step = real(5)  # largest size of the next step
    min_step = real(6)
    log_error_old = real(7)  # logarithm of the last error in units of the tolerance
    t_call = real(8)  # time handed to a native function
    t_base = real(9)  # time from which steps of fixed size are counted
    t_start = real(10)  # time at which the integration began
    max_step_given = real(11)  # largest step that the user allows
    max_turn = real(12)  # angle [rad] that no unwrapped angle may turn in one step, about
    t_from = real(13)  # laws are evaluated at no earlier time …
    t_upto = real(14)  # … and at no later one: no step straddles a discontinuity
    t_valid = real(15)  # end of the valid part of the last step: t, or an event within it
    method = real(16)  # from here: numbers of the method
    t_output = real(66)  # the next time within steps at which the state is needed
    h_restart = real(67)  # step size after a restart of the method; 0: to be found
    # five numbers each: the largest range of the states of each kind, see `norm`, and the largest
    # rounding error
    range = real(68)
    rounding = real(73)
    state_error = real(78)  # the last error in units of the tolerance: of the states …
    relative_coordinate_error = real(79)  # … and of relative coordinates
    projection_size = real(80)  # how far the last projection moved the state, in tolerances
    rate_residual = real(81)  # of the equations solved for the last rate; 1 is too large
    settling = real(82)  # time [s] in which the fastest mode decays to its tolerance
    explicit_time = real(83)  # passed by explicit steps of a method for stiff systems
    h_tried = real(84)  # size of the step that is tried …
    t_tried = real(85)  # … its end …
    h_planned = real(86)  # … the size that was tried first …
    tries = real(87)  # … and how many sizes were


class Vec:
    """Vectors of one number per state, by their number behind the head of `w`."""

    X = 0  # state at t
    F = 1  # its rate
    X_OLD = 2  # state at t_old
    ATOL = 3  # absolute tolerance of each state
    STAGE = 4  # state handed to the right-hand side
    UNPROJECTED = 5  # the new state before its projection
    LOW = 6  # the least value of each state so far …
    HIGH = 7  # … and the largest
    WEIGHT = 8  # 1 / tolerance of each state, see `norm`
    LOCAL_ERROR = 9  # error estimate of the attempted step
    NOISE = 10  # rounding error of each state …
    RATE_NOISE = 11  # … and of its rate, as measured
    K = 12  # from here: vectors of the method, as the stages kᵢ


class Counts(Integers):
    """Counters, flags and options in `m`."""

    started = integer(0)
    steps = integer(1)  # accepted
    rejected = integer(2)
    evaluations = integer(3)
    jacobians = integer(4)
    factorisations = integer(5)
    max_steps = integer(6)
    budget = integer(7)  # steps to take before returning to Python
    grid_next = integer(8)  # next sample of the output grid to be written
    grid_count = integer(9)
    record_next = integer(10)  # next line of the record of all steps
    record_count = integer(11)  # lines that fit; 0: steps are not recorded
    dense_ready = integer(12)  # 1: the last step can be interpolated, 2: accurately
    stiff_check = integer(13)  # whether to detect stiffness
    stiff_count = integer(14)  # steps at the border of stability …
    stiff_misses = integer(15)  # … and steps inside it since
    fixed_count = integer(16)  # steps of fixed size since t_base
    jump_pending = integer(17)  # whether the new state is to jump before the next step
    guarded = integer(18)  # how many values are guarded against becoming zero
    unwrapped = integer(19)  # how many angles are unwrapped
    unwrapped_at = integer(20)  # where their references lie among the parameters
    unwrapping = integer(21)  # `Unwrapping`: whether the angles are those at t
    samples = integer(22)  # times that they are sampled over the whole run, at least
    ambiguous = integer(23)  # samples at which an angle did not agree with its speed
    event_pending = integer(24)  # whether an event waits at t_valid
    discontinuities = integer(25)  # whether rates may be discontinuous within a step
    by_range = integer(26)  # whether tolerances follow from how far the states have moved
    relative_coordinates = integer(27)  # how many relative coordinates enter the norm
    noise_next = integer(28)  # step at which the rounding error is measured again
    may_jump = integer(29)  # `ProjectionJump`: whether the projection may move a state far
    projection = integer(30)  # of the last step, 0: good, 1: far beyond errors, 2: failed
    audit = integer(31)  # output of an audit, 1: rate and residual, 2: the residual alone
    explicit_steps = integer(32)  # of a method for stiff systems …
    explicit_evaluations = integer(33)  # … and their cost
    guesses = integer(34)  # how many of the values unwrapped, the first ones, are no angles
    coordinates = integer(
        35
    )  # how many states are q with q̇ = u behind them, the first ones
    angles_ready = integer(36)  # in how many parts of the last step angles are known ahead
    method = integer(37)  # from here: integers of the method
    kind = integer(60)  # behind all others: the kind of each state, see `norm`


class ProjectionJump:
    """When the projection may move a state far, `m.may_jump`."""

    NEVER = 0
    WITH_CHART = 1  # where a joint changes over to its other chart
    ALWAYS = 2


class Status:
    """Result of a step, and then of the whole call."""

    GOING = 0
    REACHED = 1
    PAUSED = 2
    RECORD_FULL = 3
    NOT_FINITE = 4
    STEP_TOO_SMALL = 5
    TOO_MANY_STEPS = 6
    STIFF = 7
    NO_CONVERGENCE = 8
    GUARD_TRIPPED = 9
    LOG_FULL = 10  # no room for more events
    NO_MODES = 11  # no consistent contact modes
    CHATTERS = 12  # events without end
    ENDED = 13  # an event ends the run
    TICKED = 14  # functions of the user are due
    BEYOND = 15  # a reset leads beyond a stop
    STANDS_STILL = 16  # steps do not advance the time
    TEARS = 17  # however short the step, the projection moves the state far
    UNSOLVED = 18  # the equations of loops are not solved at the end of the step
    EXPLODES = 20  # states have left the scale of the mechanism
    SLIDES = 21  # the motion may slide along the border of a case
    PASSED = 22  # an event is over, whose discontinuity returns in delayed signals
    PAST_FULL = 23  # no room for the past of delayed signals
    LOST = 24  # after a jump, Newton's method does not settle from the last solution


STIFF_AFTER = 15  # steps at the border of stability that make a system stiff


# --- arguments of kernels ------------------------------------------------------------------
# Every kernel begins with n, w and m: the count of states and the workspace.


@immutable
class Ode:
    """The equations ẋ = f(t, x, p) that are integrated, as native functions."""

    rhs: Function  # rhs(t, x, p, dx) writes f
    jac: Function | None  # jac(t, x, p, columns) writes ∂f/∂x
    project: Function | None  # project(t, x, p) projects x onto its constraints
    p: Floats
    # stretch(t, x, p, y) writes relative coordinates and speeds; `stretches` are several
    # numbers of each of them, see `norm`
    stretch: Function | None = None
    stretches: Floats = field(default_factory=lambda: np.zeros(1))
    # audit(t, x, p, out) writes f, and last how far it misses the equations that it is solved
    # from: 1 is too far; or only the last, see `Counts.audit`
    audit: Function | None = None
    # stiffness(t, x, p, out) writes K = −∂τ/∂q and then D = −∂τ/∂u along each freedom;
    # armature_response(a, x, p, out) writes (M + σ)⁻¹ τ, `a` being σ and then τ: of trees in
    # which force laws act along the freedoms alone
    stiffness: Function | None = None
    armature_response: Function | None = None


@immutable
class Output:
    """The output of a run: states at the times of a grid, and a record of its steps."""

    grid: Floats
    samples: Floats
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
    # change of x that stops what sticks, where constraints lock joints: then `contact_lcp` writes
    # only the diagonal of D
    stopping: Function | None
    # delayed(t, x, p, out) writes the signals whose past is kept; heads and pieces of the pasts are
    # laid out in `stepping.past`
    delayed: Function | None
    ready: Floats  # samples of the last step that are at hand, see `ReadySamples`
    pasts: Floats
    pieces: Floats
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
Interpolate: TypeAlias = Kernel[[Int, Work, Counts, Float, Floats], None]  # t, x
Sample: TypeAlias = Kernel[[Int, Work, Counts, Ode, Float, Floats], None]  # t, x
# p, unwrap, memory
Resample: TypeAlias = Kernel[[Int, Work, Counts, Floats, Function, Floats], Int]
# unwrap, memory
Unwrap: TypeAlias = Kernel[[Int, Work, Counts, Ode, Output, Function, Floats], None]
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
