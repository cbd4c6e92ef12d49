"""The common memory of lanes: integers of their loop, and the numbers of all lanes side by side."""

from __future__ import annotations

from motorik.compiler.kernels import Floats, Int, Integers, integer, kernel
from motorik.compiler.straight.lanes import WIDE

MOST = WIDE  # lanes
NONE = -1


class Queue(Integers):
    """Integers of the loop: runs that wait, sizes of the workspaces, states of the lanes."""

    next = integer(0)  # the next run to be begun …
    end = integer(1)  # … and the one behind the last
    is_open = integer(2)  # whether more will be given
    budget = integer(3)  # rounds to go before the loop returns
    done = integer(4)  # runs that are over
    w_size = integer(5)
    m_size = integer(6)
    memory_size = integer(7)
    stretches = integer(8)
    p_size = integer(9)
    samples_size = integer(10)  # numbers of output samples of a run
    busy_rounds = integer(11)  # lanes that were busy, summed over rounds …
    rounds = integer(12)  # … of so many
    audits = integer(13)  # whether the rates at the ends of steps are audited
    # of each lane's events: numbers of their memory, counts, table, values, log and instants …
    event_memory_size = integer(14)
    event_counts_size = integer(15)
    table_size = integer(16)
    values_size = integer(17)
    log_size = integer(18)
    instants_size = integer(19)
    # … and of the journal that takes them: what is written of it, and its room
    lines_next = integer(20)
    lines_room = integer(21)
    instants_next = integer(22)
    instants_room = integer(23)
    chunks_next = integer(24)
    chunks_room = integer(25)
    waits = integer(26)  # lanes that wait for Python
    # whether these are found for all lanes by one call: relative coordinates, unwrapped angles
    finds_stretches = integer(27)
    finds_angles = integer(28)
    projects = integer(30)  # whether new states of all lanes are projected by one call
    ready_size = integer(29)  # numbers of the samples at hand of a lane
    run = integer(32)  # from here: the run of each lane, NONE if it rests
    accepted = integer(32 + MOST)  # from here: whether the last trial of each lane is good
    gathered = integer(32 + 2 * MOST)  # from here: whether each is gathered, see `gathered`
    checks = integer(32 + 3 * MOST)  # from here: whether each checks for stiffness
    waiting = integer(32 + 4 * MOST)  # from here: with which status each waits for Python
    SIZE = 32 + 5 * MOST


class Side:
    """Numbers of all lanes side by side: `MOST` of each in the head, then n × lanes of each."""

    TIME = 0  # head: time of each lane, handed to the equations …
    H = MOST  # … size of the step that is tried
    START = 2 * MOST  # … the time at which it begins …
    END = 3 * MOST  # … and ends
    ERROR_SIZE = 4 * MOST  # its error in tolerances
    # of gathered lanes: what their workspaces have otherwise
    IS_GATHERED = 5 * MOST
    BUSY = 6 * MOST  # whether a run is in it, gathered or not
    OUTPUT = 7 * MOST  # times: of the next sample, …
    STOP = 8 * MOST  # … to stop at
    LONGEST = 9 * MOST  # step sizes
    SHORTEST = 10 * MOST
    PLANNED = 11 * MOST
    LOG_OLD = 12 * MOST  # logarithm of the last error
    TRIES = 13 * MOST
    STEPS = 14 * MOST  # counts since it was gathered …
    REJECTED = 15 * MOST
    ROOM = 16 * MOST  # … and how many steps may follow before something is due
    STIFF = 17 * MOST  # steps at the border of stability …
    CALM = 18 * MOST  # … and inside it since
    RTOL = 19 * MOST
    BASE = 20 * MOST  # of steps of fixed size: time from which they are counted, …
    FIXED = 21 * MOST  # … their count and size
    FIXED_SIZE = 22 * MOST
    PLACE = 23 * MOST  # rounding of coordinates and of speeds, in parts of their scale
    SPEED = 24 * MOST
    OUTCOME = 25 * MOST  # of a trial, `TrialOutcome`
    SUM = 26 * MOST  # sums over states
    SECOND_SUM = 27 * MOST
    FROM = 38 * MOST  # laws are evaluated at no earlier time …
    UPTO = 39 * MOST  # … and at no later one
    RANGE = 28 * MOST  # from here, of each kind of states: the largest range …
    NOISES = 33 * MOST  # … and rounding
    HEAD = 40 * MOST
    # vectors
    POINT = 0
    X_OLD = 1
    ERROR = 2  # two of them
    LAST = 4  # states of the last stage
    ATOL = 5
    LOW = 6
    HIGH = 7
    NOISE = 8  # rounding of a speed in parts of its scale, and by a second of its rate's
    RATE_NOISE = 9
    WEIGHT = 10
    PROJECTED = 10  # new states, where they are projected: such lanes are not gathered
    K = 11  # from here: stages, those of the interpolation, its coefficients, the rate at the end


def side_size(n: int, vectors: int, count: int) -> int:
    """Return the count of numbers of the vectors of so many lanes, the last with one line more."""
    return Side.HEAD + vectors * count * n + count


@kernel
def put(count: Int, n: Int, lane: Int, x: Floats, vector: Floats) -> None:
    """Copy numbers into one of `count` lanes."""
    for i in range(n):
        vector[count * i + lane] = x[i]


@kernel
def take(count: Int, n: Int, lane: Int, vector: Floats, x: Floats) -> None:
    """Copy numbers out of one of `count` lanes."""
    for i in range(n):
        x[i] = vector[count * i + lane]
