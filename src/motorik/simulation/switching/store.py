"""What native code remembers of switching rows: which slot of `memory` and `counts` holds what.

`counts` holds a head and ten integers for each row; `memory` a head and vectors of numbers.
"""

from __future__ import annotations

from motorik.compiler.kernels import Int, kernel
from motorik.system.switching_functions import ASKED, SLOPES, WATCHED

# modes of a row, as results show them
FREE = 2  # nothing there: a clutch without pressing force, a stop that is open
STUCK = 0
FORWARD = 1
BACKWARD = -1
IDLE = 3  # at rest by what is prescribed on both sides

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
ROW = 17  # from here: integers of each row
# of a row: its mode, whether it has a gap, places in p; the row across it, −1 without one, or of
# that row −2 − the other; places of its direction, and whether it begins to slip from rest
MODE, HAS_GAP, AT_FORCE, AT_STICK, AT_WAY, PAIR, AT_COSINE, AT_SINE, AT_SLOW, BEGINS = (
    range(10)
)
PER_ROW = 10

# a line of the log: time, row, mode before, mode after, impulse, rows of output before it,
# kinetic energy lost, number of the instant
LINE = 8

# table: triggers and what they change
TRIGGERS = 0  # how many there are
ASSIGNED = 1  # how many numbers they change
STOPPED_BY = 2  # the trigger that ends the run, counted from 1
TRIGGER = 4  # from here: integers of each trigger
KIND, FLAG, FIRST, COUNT, STOPS, TICKS, PENDING = range(7)
PER_TRIGGER = 7
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
B, LOW, HIGH, FORCE, LATER, GIVEN, SLOW = range(7)
VECTORS = 7

# memory: speed, acceleration and gap of each row at the place looked at before
OLD_SPEED, OLD_RATE, OLD_GAP = range(3)
OLD = 3

# memory: the head
T_EVENT = 0  # time of the last event
T_MARK = 1  # time from which events are counted
START = 2
# then, for m rows: what is watched, then scales and bases of margins, …


@kernel
def count_size(m: Int) -> Int:
    """Return how many integers m rows need, without those of the solver."""
    return ROW + PER_ROW * m


@kernel
def scales_at(m: Int) -> Int:
    """Return where the largest margins seen stand."""
    return START + WATCHED * m


@kernel
def bases_at(m: Int) -> Int:
    """Return where the margins stand that count as zero."""
    return scales_at(m) + MARGINS * m


@kernel
def asked_at(m: Int) -> Int:
    """Return where limits, b and D stand."""
    return bases_at(m) + MARGINS * m


@kernel
def box_at(m: Int) -> Int:
    """Return where the vectors of the box problem stand, see `box_vector`."""
    return asked_at(m) + ASKED * m + (1 + SLOPES) * m * m


@kernel
def slopes_at(m: Int) -> Int:
    """Return where it stands how the bounds of the box problem depend on the forces."""
    return box_at(m) + (VECTORS + OLD) * m


@kernel
def work_at(m: Int) -> Int:
    """Return where the room of the solver begins."""
    return slopes_at(m) + 2 * m * m


@kernel
def old_at(m: Int) -> Int:
    """Return where speeds, accelerations and gaps of the place looked at before stand."""
    return box_at(m) + VECTORS * m
