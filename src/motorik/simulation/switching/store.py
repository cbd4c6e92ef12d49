"""What native code remembers of switching rows: which slot of `memory` and `counts` holds what.

`counts` holds a head and eighteen integers for each row; `memory` a head and vectors of numbers.
"""

from __future__ import annotations

from motorik.compiler.kernels import Int, kernel
from motorik.system.hidden_times import PARTS as FINE_PARTS
from motorik.system.switching_functions import ASKED, SLOPES, WATCHED

# modes of a row, as results show them
FREE = 2  # nothing there: a clutch without pressing force, a stop that is open
STUCK = 0
FORWARD = 1
BACKWARD = -1
IDLE = 3  # at rest by what is prescribed on both sides
HELD = (
    4  # at rest by other rows that stick, its force at a limit; results show that it sticks
)

# stops: their times, and then of each what it is
CHANGE, VISITED = 0.0, 1.0  # laws change there; nothing changes, but steps are to end there

# counts: the head
ROWS = 0  # how many rows there are
LOG_NEXT = 1  # next line of the log
LOG_COUNT = 2  # lines that fit
STOP_NEXT = 3  # next time at which laws change
STOP_COUNT = 4
KNOWN = 5  # whether the modes were chosen
IN_PLACE = 6  # events without progress of time
WORST = 7  # row that is named if something fails
WRITTEN = 8  # rows of output that were written and taken away
MOMENT_NEXT = 9  # next instant of which both sides are kept
MOMENT_COUNT = 10  # instants that fit
P_FIRST = 11  # first number of p that is kept of an instant
P_COUNT = 12
EVENTS = 13  # lines of the log that are events, not numbers that they change
PROJECTS = 14  # whether states between steps must be projected before they are looked at
LINKED = 15  # whether limits read forces
CROWDED = 16  # events since T_MARK
STICKING = 17  # how many rows stick …
HOLDING = 18  # … and how many others hold at their limits
DISCS = 19  # how many pairs of rows there are …
CREEPING = 20  # … and how many of them creep
PROBES = 21  # states beside those of events that were looked at, see `bands`
ROW = 22  # from here: integers of each row
# of a row: its mode, whether it has a gap, places in p; the row across it, −1 without one, or of
# that row −2 − the other; places of the numbers of its disc, whether it begins to slip from
# rest; places of its pieces, 0 without any, and whether a hit takes the other ones; the place of
# the limit that it is at while it is held, and that limit: FORWARD the low one, BACKWARD the high
MODE, HAS_GAP, AT_FORCE, AT_STICK, AT_WAY, PAIR = range(6)
AT_COSINE, AT_SINE, AT_PACE, AT_SINCE, AT_SOFTNESS, BEGINS = range(6, 12)
AT_AHEAD, AT_BACK, OTHER_AHEAD, OTHER_BACK, AT_HELD, LIMIT = range(12, 18)
PER_ROW = 18

# a line of the log: time, row, mode before, mode after, impulse, rows of output before it,
# kinetic energy lost, number of the instant
LINE = 8

# table: triggers and what they change
TRIGGERS = 0  # how many there are
ASSIGNED = 1  # how many numbers they change
STOPPED_BY = 2  # the trigger that ends the run, counted from 1
CROSSED = 3  # how many conditions of laws on the state there are
TRIGGER = 4  # from here: integers of each trigger
KIND, FLAG, FIRST, COUNT, STOPS, TICKS, PENDING = range(7)
IS_EVENT = (
    7  # 0 of a condition that only says how a law acts, as which side of a gear drives
)
PER_TRIGGER = 8
CONDITION, CLOCK, FUNCTION = range(3)  # kinds of triggers
PER_ASSIGNMENT = 2  # then of each number that is changed: where it stands, and its place
AT_P, AT_X, AT_ROW = range(3)
# values: vectors of numbers of each trigger, and then the numbers assigned
VALUE, RATE, SCALE, CLOCKS, ACTS, VALUE_OLD, RATE_OLD = 0, 1, 2, 3, 5, 6, 7
NUMBERS = 8

# margins of a row
SPEED, ABOVE_LOW, BELOW_HIGH, ON, GAP, RESTING = range(6)
MARGINS = 6

# vectors of the box problem
# FLOOR is the speed of each row that rounding leaves, FREELY its acceleration before a hit; of a
# pair that creeps, SLOW is the speed backward that counts as none, LAG what may lag, PACE, SINCE
# and SOFTNESS its numbers in p; NOISE is how far B is known. The scale table of each constraint,
# see `bands`: the change of its speed and of its gap by the tolerances of all states, and by
# rounding of states and of the time. LIFTED is 1 of a gap that opened at rest, until it is armed
B, LOW, HIGH, FORCE, LATER, GIVEN, SLOW, TANGENT, FLOOR, REBOUND, FREELY = range(11)
LAG, PACE, SINCE, SOFTNESS, NOISE = range(11, 16)
SPEED_TOL, GAP_TOL, SPEED_GRAIN, GAP_GRAIN, LIFTED = range(16, 21)
VECTORS = 21

# memory: of each constraint at the sample before: what is watched of it, its event functions, and
# its event functions at the sample before that
OLD_VALUES, OLD_MARGINS, OLDER_MARGINS = 0, WATCHED, WATCHED + MARGINS
OLD = WATCHED + 2 * MARGINS

# memory: the head
T_EVENT = 0  # time of the last event
T_MARK = 1  # time from which events are counted
T_KEPT = 2  # time of the place looked at before …
T_KEPT_BEFORE = 3  # … and of the one before that
T_LOOK = 4  # time of what was looked at last
SPAN = 5  # duration of the run
FIXED = 6  # size of steps of fixed size, 0 if they have none
TAKEN = 7  # size of the step that is looked at
LOOKED = 8  # the largest time between two looks that told all, since one did not
DIVIDED = 9  # 1 if samples of the step that is looked at had to be closer than it asks for
AHEAD = 10  # by how much later [s] limits, b and D are asked for, see `look_ahead`
# looks that are no further apart see all that functions of time do: of equal parts of a run, the
# first of which begins at FINE_FROM and is FINE_PART long; 0 if there are no such functions
FINE_FROM, FINE_PART, FINE = 11, 12, 13
START = FINE + FINE_PARTS
# then, for m rows: what is watched, then scales and bands of margins, the margins, …


@kernel
def count_size(m: Int) -> Int:
    """Return how many integers m rows need, without those of the solver."""
    return ROW + PER_ROW * m


@kernel
def scales_at(m: Int) -> Int:
    """Return where the largest margins seen stand."""
    return START + WATCHED * m


@kernel
def unarmed_at(m: Int) -> Int:
    """Return by how far each event function may be negative before it counts; 0 if armed."""
    return scales_at(m) + MARGINS * m


@kernel
def margins_at(m: Int) -> Int:
    """Return where the margins of what was looked at last stand."""
    return unarmed_at(m) + MARGINS * m


@kernel
def asked_at(m: Int) -> Int:
    """Return where limits, b and D stand."""
    return margins_at(m) + MARGINS * m


@kernel
def curved_at(m: Int) -> Int:
    """Return where it stands whether limits are curved: then slopes are those of tangents."""
    return asked_at(m) + ASKED * m + (1 + SLOPES) * m * m


@kernel
def held_at(m: Int) -> Int:
    """Return where D and slopes stand as impulses find them, if accelerations are curved."""
    return curved_at(m) + 1


@kernel
def box_at(m: Int) -> Int:
    """Return where the vectors of the box problem stand, see `box_vector`."""
    return held_at(m) + (1 + SLOPES) * m * m


@kernel
def slopes_at(m: Int) -> Int:
    """Return where it stands how the bounds of the box problem depend on the forces."""
    return box_at(m) + (VECTORS + OLD) * m


@kernel
def shares_at(m: Int) -> Int:
    """Return where it stands by which parts of other forces rows that are held would share."""
    return slopes_at(m) + 2 * m * m


@kernel
def probed_at(m: Int) -> Int:
    """Return where what is watched stands at a state beside the present one, see `bands`."""
    return shares_at(m) + m * m


@kernel
def work_at(m: Int) -> Int:
    """Return where the room of the solver begins."""
    return probed_at(m) + WATCHED * m


@kernel
def old_at(m: Int) -> Int:
    """Return where what was seen at the sample before stands."""
    return box_at(m) + VECTORS * m
