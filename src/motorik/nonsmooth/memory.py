"""Memory of native event handling: the slots of `memory`, `counts`, `table` and `values`.

A contact is a nonsmooth constraint: friction, a stop, a contact, or a sliding mode. `counts` holds
a head (`EventCounts`) and the integers of each contact (`Contact`); `memory` a head (`EventMemory`)
and vectors; `table` and `values` describe triggers (`TriggerTable`). Kernels write
`ev.counts.contacts`.
"""

from __future__ import annotations

from motorik.algebra.recall import ORDER, Past
from motorik.compiler.kernels import Int, Integers, Reals, integer, kernel, real

CONTACT_STATE = 8  # numbers of `ContactState`
LCP_DATA = 9  # numbers of `LcpData`
SLOPES = 4  # matrices behind D in `contact_lcp`: how low, high, forward, backward depend on forces
NONLINEAR, ALGEBRAIC_LOOP = 1.0, 2.0  # in `contact_lcp`, behind the matrices
MESH_PARTS = 64  # parts of a run, each with a spacing of the mesh of time functions
CONTACT = 23  # place of the first contact in `counts`, see `contact_at`
PER_CONTACT = 19
TRIGGER = 4  # place of the first trigger in `table`, see `trigger_at`
PER_TRIGGER = 9
PER_ASSIGNMENT = (
    2  # integers of each assignment, behind the triggers: `AssignedTo`, and its place
)
EVENT_FUNCTIONS = 6  # of each contact


class ContactMode:
    """Modes of a contact, as results show them."""

    FREE = 2  # no contact: a clutch without pressing force, a stop that is open
    STUCK = 0
    FORWARD = 1  # slides in the positive direction
    BACKWARD = -1  # slides in the negative direction
    IDLE = 3  # at rest by prescribed motion on both sides
    SATURATED = 4  # at rest at a force bound, held by other contacts; shown as STUCK


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
    """Kinds of breakpoints of time, stored behind the times."""

    DISCONTINUITY = 0.0  # laws change there
    VISIT = 1.0  # laws do not change, but steps end there


class EventCounts(Integers):
    """Head of `counts`."""

    contacts = integer(0)  # how many friction and contact constraints there are
    log_next = integer(1)  # next line of the log
    log_room = integer(2)  # lines that fit
    breakpoint_next = integer(3)  # next time at which laws change
    breakpoints = integer(4)
    modes_known = integer(5)  # whether modes were selected
    without_progress = integer(6)  # events without progress of time
    worst = integer(7)  # contact that is named if something fails
    output_taken = integer(8)  # output samples written and taken away
    instant_next = integer(9)  # next instant whose states before and after are stored
    instant_room = integer(10)  # instants that fit
    p_first = integer(11)  # first number of p that is kept of an instant
    p_count = integer(12)
    events = integer(13)  # lines of the log that are events, not numbers that they change
    projects = integer(14)  # whether states between steps are projected before sampling
    coupled_bounds = integer(15)  # whether force bounds depend on forces
    recent_events = integer(16)  # events since t_mark
    sticking = integer(17)  # how many contacts stick …
    saturated = integer(18)  # … and how many are saturated
    cones = integer(  # friction disks …
        19
    )  # how many pairs of friction constraints there are, each in a plane …
    onsets = integer(20)  # … and how many are at the onset of slip
    probes = integer(21)  # perturbed states sampled so far, see `tolerances`
    complete = integer(22)  # whether all of D is known, or only its diagonal


class Contact(Integers):
    """Integers of one contact in `counts`."""

    mode = integer(0)  # `ContactMode`
    has_gap = integer(1)  # whether it is unilateral
    at_force = integer(2)  # places in p: of its force, …
    at_stick = integer(3)  # … whether it sticks, …
    at_direction = integer(4)  # … and the direction of sliding
    pair = integer(  # the other contact of its disk; −1 without one; of that one −2 − the first
        5
    )  # the other constraint of its cone; −1 without one; of that one −2 − the first
    at_cosine = integer(6)  # places in p of the numbers of its disk
    at_sine = integer(7)
    at_pace = integer(8)
    at_since = integer(9)
    at_softness = integer(10)
    slip_phase = integer(11)  # `SlipPhase` of a disk
    at_ahead = integer(12)  # places in p of its sign cases; 0 without any
    at_back = integer(13)
    other_ahead = integer(14)  # whether an impact takes the other case
    other_back = integer(15)
    at_saturated = integer(16)  # place in p of the bound of a saturated contact …
    bound = integer(17)  # … and that bound: FORWARD the low one, BACKWARD the high one
    at_speed = integer(18)  # place in x of the speed of a constraint along a joint


class SlipPhase:
    """Phases of sliding in a plane; 0 at rest."""

    STARTS = 1  # slides from rest
    SLIDES = 2
    ONSET = 3


class ForceBound:
    """Force bounds of a contact, by their place in `LcpData`."""

    NONE = 0  # zero
    LOW = 1
    HIGH = 2
    FORWARD = 3
    BACKWARD = 4


class LogLine:
    """Numbers of a line of the event log."""

    TIME = 0
    SOURCE = 1  # contact, or behind them trigger; −1 − place of a parameter that changes
    BEFORE = 2  # mode before …
    AFTER = 3  # … and after
    IMPULSE = 4  # or the new value of the number of p
    OUTPUT = 5  # output samples before it
    ENERGY_LOST = 6
    INSTANT = 7  # number of the instant
    SIZE = 8


@kernel
def instant_size(n: Int, count: Int) -> Int:
    """Return the numbers of an instant: n states and `count` numbers of p, before and after."""
    return 1 + 2 * (n + count)


class TriggerTable(Integers):
    """Head of `table`."""

    triggers = integer(0)  # how many there are
    assignments = integer(1)  # how many numbers they change
    stopped_by = integer(2)  # the trigger that ends the run, counted from 1
    law_conditions = integer(3)  # how many conditions of force laws on the state there are


class TriggerEntry(Integers):
    """Integers of one trigger in `table`."""

    kind = integer(0)  # `TriggerKind`
    flag = integer(1)
    first = integer(2)  # its first assignment
    count = integer(3)  # of assignments
    stops = integer(4)  # whether it ends the run
    ticks = integer(5)  # of its clock so far
    pending = integer(6)  # whether its function is due
    is_event = integer(  # 0 of a condition that only selects a branch of a law
        7
    )  # 0 of a condition that only selects a branch of a law, as of a lossy gear
    acts_at_start = integer(8)  # whether a condition that holds at the start acts there


class TriggerKind:
    """Kinds of triggers."""

    CONDITION = 0
    CLOCK = 1
    FUNCTION = 2


class AssignedTo:
    """Targets of an assignment."""

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


class ReadySamples:
    """Places in `ready`: how many samples of the last step are at hand, and the samples.

    Of each the time, the `ContactState` of all contacts, values and rates of all conditions.
    """

    COUNT = 0
    FIRST = 1
    MOST = 8


@kernel
def ready_size(contacts: Int, triggers: Int) -> Int:
    """Return the numbers of a sample that is at hand."""
    return 1 + CONTACT_STATE * contacts + 2 * triggers


class EventFunctions(Reals):
    """Event functions of a contact: an event is where one becomes negative."""

    speed = real(0)
    above_low = real(1)  # force above its low bound
    below_high = real(2)  # force below its high bound
    on = real(3)  # whether there is contact at all
    gap = real(4)
    resting = real(5)


class Lcp:
    """Vectors of the complementarity problem, one number per contact."""

    B = 0  # acceleration without contact forces
    LOW = 1  # force bounds
    HIGH = 2
    FORCE = 3
    REBOUND_TIME = 4  # until a stop that rebounds ever lower is at rest
    IMPULSE = 5  # given by triggers
    SLOW = 6  # at the onset of slip: backward speed that counts as zero
    TANGENT = 7  # force at which nonlinear bounds are linearised
    FLOOR = 8  # rounding error of the speed
    REBOUND = 9  # speed after an impact by restitution alone
    UNFORCED = 10  # acceleration before an impact
    LAG = 11  # tolerated error of the speed at the onset of slip …
    PACE = 12  # … and its numbers in p
    SINCE = 13
    SOFTNESS = 14
    NOISE = 15  # uncertainty of B
    SPEED_TOL = (
        16  # change of speed and gap by the tolerances of the states, see `tolerances` …
    )
    GAP_TOL = 17
    SPEED_ROUNDING = 18  # … and by rounding errors of states and time
    GAP_ROUNDING = 19
    LIFTED = 20  # 1 of a gap that opened at rest, until it is armed
    FACTOR = 21  # of a constraint along a joint: its speed by that of the joint
    VECTORS = 22


class OldSample:
    """Data of each contact at the sample before, in `memory`."""

    VALUES = 0  # `ContactState`
    EVENT_FUNCTIONS = CONTACT_STATE
    OLDER_EVENT_FUNCTIONS = CONTACT_STATE + 6  # at the sample before that
    SIZE = CONTACT_STATE + 12


class EventMemory(Reals):
    """Head of `memory`; behind it the vectors of m contacts, see the functions below."""

    t_event = real(0)  # time of the last event
    t_mark = real(1)  # time from which events are counted
    t_sample_old = real(2)  # time of the sample before …
    t_sample_older = real(3)  # … and of the one before that
    t_sample = real(4)  # time of the last sample
    duration = real(5)  # of the run
    fixed_step = real(6)  # size of steps of fixed size, 0 if they have none
    step_size = real(7)  # of the step that is sampled
    sampling = real(8)  # largest interval between samples that was dense enough
    divided = real(9)  # 1 if the step needed denser samples than planned
    lookahead = (
        real(  # bounds, b and D are evaluated later by this [s], see `extrapolate_lcp`
            10
        )
    )  # bounds, b and D are evaluated later by this [s], see `extrapolate_lcp`
    # largest sample spacings that resolve the functions of time, one for each part of the run,
    # which are mesh_part long and begin at mesh_start; mesh_part is 0 without any
    mesh_start = real(11)
    mesh_part = real(12)
    mesh = real(13)  # `MESH_PARTS` numbers
    contact_state = real(13 + MESH_PARTS)  # from here: `ContactState` of each contact


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
    """Return where the `ContactState` of contact k begins in `memory`."""
    return EventMemory.contact_state + CONTACT_STATE * k


@kernel
def solver_modes_at(m: Int) -> Int:
    """Return where the modes of the complementarity solver begin in `counts`."""
    return CONTACT + PER_CONTACT * m


@kernel
def scales_at(m: Int) -> Int:
    """Return where the scales of the event functions begin."""
    return EventMemory.contact_state + CONTACT_STATE * m


@kernel
def unarmed_at(m: Int) -> Int:
    """Return where the offsets of unarmed event functions begin; 0 of armed ones."""
    return scales_at(m) + EVENT_FUNCTIONS * m


@kernel
def event_functions_at(m: Int) -> Int:
    """Return where the event functions of the last sample begin."""
    return unarmed_at(m) + EVENT_FUNCTIONS * m


@kernel
def lcp_data_at(m: Int) -> Int:
    """Return where `LcpData` of all contacts begins; D and the slopes of bounds follow."""
    return event_functions_at(m) + EVENT_FUNCTIONS * m


@kernel
def nonlinear_at(m: Int) -> Int:
    """Return where the kind of nonlinearity stands: 0, `NONLINEAR` or `ALGEBRAIC_LOOP`."""
    return lcp_data_at(m) + LCP_DATA * m + (1 + SLOPES) * m * m


@kernel
def impulse_lcp_at(m: Int) -> Int:
    """Return where D and slopes for impulses begin, with algebraic loops frozen."""
    return nonlinear_at(m) + 1


@kernel
def lcp_at(m: Int) -> Int:
    """Return where the vectors `Lcp` begin."""
    return impulse_lcp_at(m) + (1 + SLOPES) * m * m


@kernel
def bound_slopes_at(m: Int) -> Int:
    """Return where the slopes of the two bounds in use begin."""
    return lcp_at(m) + (Lcp.VECTORS + OldSample.SIZE) * m


@kernel
def load_shares_at(m: Int) -> Int:
    """Return where the load shares of saturated contacts begin."""
    return bound_slopes_at(m) + 2 * m * m


@kernel
def perturbed_at(m: Int) -> Int:
    """Return where the `ContactState` at a perturbed state begins, see `tolerances`."""
    return load_shares_at(m) + m * m


@kernel
def work_at(m: Int) -> Int:
    """Return where the work space of the solvers begins."""
    return perturbed_at(m) + CONTACT_STATE * m


@kernel
def old_sample_at(m: Int) -> Int:
    """Return where the data of the sample before begin, see `OldSample`."""
    return lcp_at(m) + Lcp.VECTORS * m


# --- the past of delayed signals -----------------------------------------------------------


class PastHead:
    """Places in `pasts` of the numbers that all signals share."""

    SIGNALS = 0  # how many
    CAPACITY = 1  # pieces that fit
    PIECES = 2  # pieces so far
    JUMP = 3  # the piece that begins at the last jump within a step, 0 without any


PAST_ROOM = 512  # pieces that one step may become


def past_size(signals: int) -> int:
    """Return the size of `pasts`: common numbers, heads, and room to compute in."""
    return (signals + 1) * Past.SIZE + signals * (ORDER + 4)
