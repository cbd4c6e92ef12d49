"""Workspace of event handling: which slot of `memory`, `counts`, `table` and `values` holds what.

`counts` holds a head (`EventCounts`) and the integers of each friction or contact constraint
(`Contact`); `memory` a head (`EventMemory`) and vectors of numbers; `table` and `values` describe
triggers (`TriggerTable`). Kernels write `ev.counts.contacts`.
"""

from __future__ import annotations

from motorik.compiler.kernels import Int, Integers, Reals, integer, kernel, real

# numbers of each constraint in `watched`: speed, force, low, high, on, gap, ẇ, rate of on
CONTACT_STATE = 8


SLOPES = 4  # matrices behind D in `coupling`, if limits read forces: how each of four does


# of friction in a plane: places of cosine, sine, pace, since and softness, if there is none
NO_DISK: tuple[int, ...] = (0,) * 5


NONLINEAR, ALGEBRAIC_LOOP = 1.0, 2.0  # in `coupling`, behind the matrices


MESH_PARTS = (
    64  # of a run, in each of which it is told how closely functions must be looked at
)
LCP_DATA = 9  # in `coupling`: speed, low, high, forward, backward, on, gap, restitution, b


CONTACT = 22  # place of the first contact in `counts`, see `contact_at`
PER_CONTACT = 18
TRIGGER = 4  # place of the first trigger in `table`, see `trigger_at`
PER_TRIGGER = 8
PER_ASSIGNMENT = (
    2  # behind them, of each number that is changed: `AssignedTo`, and its place
)
EVENT_FUNCTIONS = 6  # of each contact


class ContactMode:
    """Modes of a friction or contact constraint, as results show them."""

    FREE = 2  # no contact: a clutch without pressing force, a stop that is open
    STUCK = 0
    FORWARD = 1  # slides in the positive direction
    BACKWARD = -1  # slides in the negative direction
    IDLE = 3  # at rest by prescribed motion on both sides
    SATURATED = (
        4  # at rest by other contacts that stick, its force at a bound; shown as STUCK
    )


class ContactState(Reals):
    """Numbers of one contact in `contact_state`, at a state of the motion."""

    speed = real(0)  # w
    force = real(1)  # λ in the present mode
    low = real(2)  # force bounds at rest
    high = real(3)
    on = real(4)  # contact where it is positive
    gap = real(5)
    acceleration = real(6)  # ẇ
    on_rate = real(7)  # not a number where `on` depends on forces


class LcpData(Reals):
    """Numbers of one contact in `contact_lcp`, before D and the slopes of the bounds."""

    speed = real(0)  # w
    low = real(1)  # force bounds at rest …
    high = real(2)
    forward = real(3)  # … and forces of sliding
    backward = real(4)
    on = real(5)
    gap = real(6)
    restitution = real(7)
    b = real(8)  # acceleration without contact forces


class Breakpoint:
    """What a breakpoint of time is; kinds stand behind the times in `stops`."""

    DISCONTINUITY = 0.0  # laws change there
    VISIT = 1.0  # nothing changes, but steps are to end there


class EventCounts(Integers):
    """Head of `counts`."""

    contacts = integer(0)  # how many friction and contact constraints there are
    log_next = integer(1)  # next line of the log
    log_room = integer(2)  # lines that fit
    breakpoint_next = integer(3)  # next time at which laws change
    breakpoints = integer(4)
    modes_known = integer(5)  # whether the modes were chosen
    without_progress = integer(6)  # events without progress of time
    worst = integer(7)  # contact that is named if something fails
    output_taken = integer(8)  # output samples that were written and taken away
    instant_next = integer(9)  # next instant of which the states before and after are kept
    instant_room = integer(10)  # instants that fit
    p_first = integer(11)  # first number of p that is kept of an instant
    p_count = integer(12)
    events = integer(13)  # lines of the log that are events, not numbers that they change
    projects = integer(14)  # whether states between steps are projected before sampling
    coupled_bounds = integer(15)  # whether force bounds read forces
    recent_events = integer(16)  # events since t_mark
    sticking = integer(17)  # how many contacts stick …
    saturated = integer(18)  # … and how many others hold at their bounds
    cones = integer(
        19
    )  # how many pairs of friction constraints there are, each in a plane …
    onsets = integer(20)  # … and how many of them creep
    probes = integer(21)  # states beside those of events that were sampled, see `bands`


class Contact(Integers):
    """Integers of one friction or contact constraint in `counts`."""

    mode = integer(0)  # `ContactMode`
    has_gap = integer(1)  # whether it is unilateral
    at_force = integer(2)  # places in p: of its force, …
    at_stick = integer(3)  # … whether it sticks, …
    at_direction = integer(4)  # … and the direction of sliding
    pair = integer(
        5
    )  # the other constraint of its cone; −1 without one; of that one −2 − the first
    at_cosine = integer(6)  # places in p of the numbers of its cone
    at_sine = integer(7)
    at_pace = integer(8)
    at_since = integer(9)
    at_softness = integer(10)
    slip_phase = integer(11)  # `SlipPhase` of a pair
    at_ahead = integer(12)  # places in p of its sign cases; 0 without any
    at_back = integer(13)
    other_ahead = integer(14)  # whether an impact takes the other case
    other_back = integer(15)
    at_saturated = integer(16)  # place in p of the bound that it is at while it is held …
    bound = integer(17)  # … and that bound: FORWARD the low one, BACKWARD the high one


class SlipPhase:
    """Phases of sliding of a pair; 0 at rest."""

    STARTS = 1  # slips from rest
    SLIDES = 2
    ONSET = 3


class ForceBound:
    """Force limits of a contact, by their place among its numbers in `coupling`."""

    NONE = 0  # zero
    LOW = 1
    HIGH = 2
    FORWARD = 3
    BACKWARD = 4


class LogLine:
    """Numbers of a line of the log."""

    TIME = 0
    SOURCE = (
        1  # contact, or behind them trigger; −1 − place of a number of p that is changed
    )
    BEFORE = 2  # mode before …
    AFTER = 3  # … and after
    IMPULSE = 4  # or the new value of the number of p
    OUTPUT = 5  # output samples before it
    ENERGY_LOST = 6
    INSTANT = 7  # number of the instant
    SIZE = 8


class TriggerTable(Integers):
    """Head of `table`."""

    triggers = integer(0)  # how many there are
    assignments = integer(1)  # how many numbers they change
    stopped_by = integer(2)  # the trigger that ends the run, counted from 1
    law_conditions = integer(3)  # how many conditions of laws on the state there are


class TriggerEntry(Integers):
    """Integers of one trigger in `table`."""

    kind = integer(0)  # `TriggerKind`
    flag = integer(1)
    first = integer(2)  # its first assignment
    count = integer(3)  # of assignments
    stops = integer(4)  # whether it ends the run
    ticks = integer(5)  # of its clock so far
    pending = integer(6)  # whether its function is due
    is_event = integer(
        7
    )  # 0 of a condition that only selects a branch of a law, as of a lossy gear


class TriggerKind:
    """Kinds of triggers."""

    CONDITION = 0
    CLOCK = 1
    FUNCTION = 2


class AssignedTo:
    """What a trigger changes."""

    PARAMETER = 0  # a number of p
    STATE = 1
    IMPULSE = 2  # of a contact


class TriggerValue:
    """Vectors of one number per trigger in `values`."""

    VALUE = 0
    RATE = 1
    SCALE = 2
    CLOCKS = 3  # two numbers per trigger: period and offset
    ACTS = 5
    VALUE_OLD = 6
    RATE_OLD = 7
    ASSIGNED = 8  # behind all vectors: the numbers assigned


class EventFunctions(Reals):
    """Event functions of a contact: an event is where one becomes negative."""

    speed = real(0)
    above_low = real(1)  # force above its low bound
    below_high = real(2)  # force below its high bound
    on = real(3)  # whether there is contact at all
    gap = real(4)
    resting = real(5)


class Lcp:
    """Vectors of the box LCP, one number per contact."""

    B = 0  # acceleration without contact forces
    LOW = 1  # force bounds
    HIGH = 2
    FORCE = 3
    REBOUND_TIME = 4  # until a stop that rebounds ever lower is at rest
    IMPULSE = 5  # given by triggers
    SLOW = 6  # of a pair that creeps: the speed backward that counts as none
    TANGENT = 7  # force at which curved bounds have their tangents
    FLOOR = 8  # speed that rounding error leaves
    REBOUND = 9  # speed after an impact by restitution alone
    UNFORCED = 10  # acceleration before an impact
    LAG = 11  # of a pair that creeps: what may lag …
    PACE = 12  # … and its numbers in p
    SINCE = 13
    SOFTNESS = 14
    NOISE = 15  # how far B is known
    SPEED_TOL = 16  # change of speed and gap by the tolerances of all states, see `bands` …
    GAP_TOL = 17
    SPEED_ROUNDING = 18  # … and by rounding errors of states and time
    GAP_ROUNDING = 19
    LIFTED = 20  # 1 of a gap that opened at rest, until it is armed
    VECTORS = 21


class OldSample:
    """What is kept of each contact at the sample before, in `memory`."""

    VALUES = 0  # watched values
    EVENT_FUNCTIONS = CONTACT_STATE
    OLDER_EVENT_FUNCTIONS = CONTACT_STATE + 6  # at the sample before that
    SIZE = CONTACT_STATE + 12


class EventMemory(Reals):
    """Head of `memory`; behind it, for m contacts: watched values, scales and bands."""

    t_event = real(0)  # time of the last event
    t_mark = real(1)  # time from which events are counted
    t_sample_old = real(2)  # time of the sample before …
    t_sample_older = real(3)  # … and of the one before that
    t_sample = real(4)  # time of the last sample
    duration = real(5)  # of the run
    fixed_step = real(6)  # size of steps of fixed size, 0 if they have none
    step_size = real(7)  # of the step that is sampled
    sampling = real(8)  # largest time between samples that were dense enough
    divided = real(9)  # 1 if samples of the step had to be denser than it asks for
    lookahead = real(
        10
    )  # limits, b and D are evaluated later by this [s], see `look_ahead`
    # samples no further apart than this mesh see all that functions of time do: of equal parts
    # of a run, the first of which begins at mesh_start and is mesh_part long; 0 without any
    mesh_start = real(11)
    mesh_part = real(12)
    mesh = real(13)  # `MESH_PARTS` numbers
    contact_state = real(13 + MESH_PARTS)  # from here: watched values of each contact


@kernel
def contact_at(k: Int) -> Int:
    """Return where the integers of contact k begin in `counts`."""
    return CONTACT + PER_CONTACT * k


@kernel
def trigger_at(k: Int) -> Int:
    """Return where the integers of trigger k begin in `table`."""
    return TRIGGER + PER_TRIGGER * k


@kernel
def contact_state_at(k: Int) -> Int:
    """Return where the watched values of contact k begin in `memory`."""
    return EventMemory.contact_state + CONTACT_STATE * k


@kernel
def solver_modes_at(m: Int) -> Int:
    """Return how many integers m rows need, without those of the solver."""
    return CONTACT + PER_CONTACT * m


@kernel
def scales_at(m: Int) -> Int:
    """Return where the largest margins seen stand."""
    return EventMemory.contact_state + CONTACT_STATE * m


@kernel
def unarmed_at(m: Int) -> Int:
    """Return by how far each event function may be negative before it counts; 0 if armed."""
    return scales_at(m) + EVENT_FUNCTIONS * m


@kernel
def event_functions_at(m: Int) -> Int:
    """Return where the margins of what was looked at last stand."""
    return unarmed_at(m) + EVENT_FUNCTIONS * m


@kernel
def lcp_data_at(m: Int) -> Int:
    """Return where limits, b and D stand."""
    return event_functions_at(m) + EVENT_FUNCTIONS * m


@kernel
def nonlinear_at(m: Int) -> Int:
    """Return where it stands whether limits are curved: then slopes are those of tangents."""
    return lcp_data_at(m) + LCP_DATA * m + (1 + SLOPES) * m * m


@kernel
def impulse_lcp_at(m: Int) -> Int:
    """Return where D and slopes stand as impulses find them, if accelerations are curved."""
    return nonlinear_at(m) + 1


@kernel
def lcp_at(m: Int) -> Int:
    """Return where the vectors of the box problem stand, see `box_vector`."""
    return impulse_lcp_at(m) + (1 + SLOPES) * m * m


@kernel
def bound_slopes_at(m: Int) -> Int:
    """Return where it stands how the bounds of the box problem depend on the forces."""
    return lcp_at(m) + (Lcp.VECTORS + OldSample.SIZE) * m


@kernel
def load_shares_at(m: Int) -> Int:
    """Return where it stands by which parts of other forces rows that are held would share."""
    return bound_slopes_at(m) + 2 * m * m


@kernel
def perturbed_at(m: Int) -> Int:
    """Return where what is watched stands at a state beside the present one, see `bands`."""
    return load_shares_at(m) + m * m


@kernel
def work_at(m: Int) -> Int:
    """Return where the room of the solver begins."""
    return perturbed_at(m) + CONTACT_STATE * m


@kernel
def old_sample_at(m: Int) -> Int:
    """Return where what was seen at the sample before stands."""
    return lcp_at(m) + Lcp.VECTORS * m
