"""Choosing: the bounds of all rows, and the modes that solve them."""

from __future__ import annotations

from math import fabs, inf, sqrt

from motorik.compiler.kernels import Float, Floats, Int, kernel, tail
from motorik.simulation.methods.arguments import Events, Ode
from motorik.simulation.methods.workspace import T_CALL, T_FROM, T
from motorik.simulation.switching.box import solve_box
from motorik.simulation.switching.store import (
    ABOVE_LOW,
    BACKWARD,
    BEGINS,
    BELOW_HIGH,
    FORCE,
    FORWARD,
    FREE,
    GAP,
    HAS_GAP,
    HIGH,
    IDLE,
    KNOWN,
    LINKED,
    LOW,
    MARGINS,
    MODE,
    PAIR,
    PER_ROW,
    ROW,
    ROWS,
    SLOW,
    SPEED,
    START,
    STUCK,
    WORST,
    B,
    asked_at,
    box_at,
    count_size,
    scales_at,
    slopes_at,
    work_at,
)
from motorik.simulation.switching.watch import STILL, TOLERANCE
from motorik.system.switching_functions import ASKED, SLOPES, WATCHED

SLIDES = 2  # what stands at `BEGINS` of a pair of rows that slides already
UNEQUAL = 1e-6  # relative difference of entries of D that is no rounding
STILL_TURNING = 1e-9  # of the largest speed seen, of what slides in a plane and may turn
CLOSED = 1e-11  # of the largest gap seen: this near is closed
NONE, AT_LOW, AT_HIGH, GOES_FORWARD, GOES_BACKWARD = range(5)  # places of limits asked


@kernel
def code_of(mode: Int) -> Int:
    """Return the hint of a mode for the solver: where the force is."""
    return mode if mode == FORWARD or mode == BACKWARD else 0


@kernel
def ask(w: Floats, ode: Ode, ev: Events, x: Floats) -> None:
    """Compute limits, b and D at a state.

    Rows are linked if limits read forces, or if D is not symmetric, as where forces that are
    controlled depend on accelerations.
    """
    m = ev.counts[ROWS]
    w[T_CALL] = max(w[T], w[T_FROM])
    ev.coupling(tail(w, T_CALL), x, ode.p, tail(ev.memory, asked_at(m)))
    slopes = tail(ev.memory, asked_at(m) + ASKED * m + m * m)
    linked = 0
    D = tail(ev.memory, asked_at(m) + ASKED * m)
    for i in range(m):
        for j in range(i):
            one, other = D[i * m + j], D[j * m + i]
            if fabs(one - other) > UNEQUAL * (fabs(one) + fabs(other)):
                linked = 1
    for k in range(SLOPES * m * m):
        if slopes[k] != 0.0:
            linked = 1
    ev.counts[LINKED] = linked


@kernel(inline=False)
def bound(ev: Events, k: Int, below: Int, above: Int) -> None:
    """Let two of the limits asked bound the force of a row; `NONE` is zero.

    Behind the modes stands which limit is the lower one.
    """
    m = ev.counts[ROWS]
    asked, box = tail(ev.memory, asked_at(m)), tail(ev.memory, box_at(m))
    row = tail(asked, ASKED * k)
    box[LOW * m + k] = row[below] if below > 0 else 0.0
    box[HIGH * m + k] = row[above] if above > 0 else 0.0
    ev.counts[count_size(m) + m + k] = below
    if ev.counts[LINKED] > 0:
        link(ev, k, below, above)


@kernel(inline=False)
def link(ev: Events, k: Int, below: Int, above: Int) -> None:
    """Let the bounds of a row read the forces that two of the limits asked read."""
    m = ev.counts[ROWS]
    D = tail(ev.memory, asked_at(m) + ASKED * m)
    slopes = tail(ev.memory, slopes_at(m))
    for j in range(m):
        slopes[k * m + j] = D[(below * m + k) * m + j] if below > 0 else 0.0
        slopes[(m + k) * m + j] = D[(above * m + k) * m + j] if above > 0 else 0.0


@kernel(inline=False)
def run_box(ev: Events) -> Int:
    """Solve the box problem of the present limits; return 0 if that is done."""
    m = ev.counts[ROWS]
    D = tail(ev.memory, asked_at(m) + ASKED * m)
    box = tail(ev.memory, box_at(m))
    modes = tail(ev.counts, count_size(m))
    status = solve_box(
        m,
        D,
        tail(box, B * m),
        tail(box, LOW * m),
        tail(box, HIGH * m),
        ev.counts[LINKED],
        tail(ev.memory, slopes_at(m)),
        modes,
        tail(box, FORCE * m),
        tail(ev.memory, work_at(m)),
        tail(modes, 2 * m),
    )
    if status != 0:
        ev.counts[WORST] = modes[2 * m]
    return status


@kernel
def pair_speed(ev: Events, k: Int) -> Float:
    """Return the speed of a pair of rows."""
    m = ev.counts[ROWS]
    asked = tail(ev.memory, asked_at(m))
    along, across = asked[ASKED * k], asked[ASKED * ev.counts[ROW + PER_ROW * k + PAIR]]
    return sqrt(along * along + across * across)


@kernel(inline=False)
def classify(ev: Events, was_hit: Int, rounding: Float) -> None:
    """Set the bounds of all rows: those at rest may stick, the others slip or are free."""
    m = ev.counts[ROWS]
    asked, scales = tail(ev.memory, asked_at(m)), tail(ev.memory, scales_at(m))
    box = tail(ev.memory, box_at(m))
    modes = tail(ev.counts, count_size(m))
    for k in range(m):
        row = tail(asked, ASKED * k)
        own = tail(ev.counts, ROW + PER_ROW * k)
        speed, on = float(row[0]), float(row[5])
        still = STILL * scales[MARGINS * k + SPEED] + rounding
        first = k if own[PAIR] >= -1 else -2 - own[PAIR]
        if own[PAIR] != -1:
            speed = pair_speed(ev, first)
            still = STILL_TURNING * scales[MARGINS * first + SPEED] + rounding
            still += 2.0 * box[SLOW * m + first]
        own[BEGINS] = 0
        if own[MODE] == STUCK and was_hit == 0:
            still = inf
        bound(ev, k, NONE, NONE)
        apart = own[MODE] != STUCK and row[6] > CLOSED * scales[MARGINS * k + GAP]
        is_open = own[HAS_GAP] > 0 and (apart or speed > still)
        if on > 0.0 and not is_open:
            if fabs(speed) <= still or own[HAS_GAP] > 0:
                bound(ev, k, AT_LOW, AT_HIGH)
            elif own[PAIR] != -1:
                own[BEGINS] = SLIDES
                limit = AT_LOW if own[PAIR] >= 0 else NONE
                bound(ev, k, limit, limit)
            elif speed > 0.0:
                bound(ev, k, GOES_FORWARD, GOES_FORWARD)
            else:
                bound(ev, k, GOES_BACKWARD, GOES_BACKWARD)
        box[B * m + k] = row[8]
        modes[k] = code_of(own[MODE])


@kernel(inline=False)
def hint_fired(ev: Events) -> None:
    """Let rows that stick and have come to a limit begin as slipping beyond it."""
    m = ev.counts[ROWS]
    scales = tail(ev.memory, scales_at(m))
    for k in range(m):
        if ev.counts[ROW + PER_ROW * k + MODE] == STUCK and ev.counts[KNOWN] > 0:
            values = tail(ev.memory, START + WATCHED * k)
            size = TOLERANCE * scales[MARGINS * k + ABOVE_LOW]
            if values[1] - values[2] < -0.1 * size:
                ev.counts[count_size(m) + k] = FORWARD
            size = TOLERANCE * scales[MARGINS * k + BELOW_HIGH]
            if values[3] - values[1] < -0.1 * size:
                ev.counts[count_size(m) + k] = BACKWARD


@kernel
def differs(ev: Events, k: Int, one: Int, other: Int) -> Int:
    """Return whether two of the limits asked of a row are not the same."""
    m = ev.counts[ROWS]
    asked = tail(ev.memory, asked_at(m))
    if asked[ASKED * k + one] != asked[ASKED * k + other]:
        return 1
    if ev.counts[LINKED] > 0:
        D = tail(asked, ASKED * m)
        for j in range(m):
            if D[(one * m + k) * m + j] != D[(other * m + k) * m + j]:
                return 1
    return 0


@kernel
def mode_now(ev: Events, k: Int) -> Int:
    """Return the mode of a row that the solution tells."""
    m = ev.counts[ROWS]
    row = tail(ev.memory, asked_at(m) + ASKED * k)
    D = tail(ev.memory, asked_at(m) + ASKED * m)
    box = tail(ev.memory, box_at(m))
    code = ev.counts[count_size(m) + k]
    given = ev.counts[count_size(m) + m + k]
    if row[5] <= 0.0:
        return FREE
    pair = ev.counts[ROW + PER_ROW * k + PAIR]
    if (
        pair != -1
        and ev.counts[ROW + PER_ROW * (k if pair >= 0 else -2 - pair) + BEGINS] > 0
    ):
        return FORWARD
    if ev.counts[ROW + PER_ROW * k + HAS_GAP] > 0:
        is_held = code == 0 and box[HIGH * m + k] > 0.0
        return STUCK if is_held else FREE
    if given == GOES_FORWARD or given == GOES_BACKWARD:
        return FORWARD if given == GOES_FORWARD else BACKWARD
    if code == 0:
        return STUCK if D[k * m + k] > 0.0 else IDLE
    return code
