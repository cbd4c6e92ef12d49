"""Watching: margins that must not become negative, and where in a step one does."""

from __future__ import annotations

from math import fabs, inf, isfinite, sqrt

from motorik.compiler.kernels import Float, Floats, Int, Ints, Kernel, kernel, tail
from motorik.simulation.methods.arguments import Events, Ode, Sample
from motorik.simulation.methods.workspace import (
    EPSILON,
    HEAD,
    RTOL,
    STAGE,
    T_CALL,
    T_FROM,
    T_OLD,
    T_TO,
    T_UPTO,
    T,
    X,
)
from motorik.simulation.switching.store import (
    ABOVE_LOW,
    BACKWARD,
    BELOW_HIGH,
    FORWARD,
    FREE,
    GAP,
    HAS_GAP,
    IDLE,
    MARGINS,
    MODE,
    OLD,
    OLD_GAP,
    OLD_RATE,
    OLD_SPEED,
    ON,
    PAIR,
    PER_ROW,
    PROJECTS,
    RESTING,
    ROW,
    ROWS,
    SLOW,
    SPEED,
    START,
    STUCK,
    TRIGGERS,
    bases_at,
    box_at,
    old_at,
    scales_at,
)
from motorik.simulation.switching.triggers import (
    TOLERANCE,
    ask_conditions,
    dip,
    dip_of_conditions,
    keep_conditions,
    least_condition,
)
from motorik.system.switching_functions import WATCHED

STILL = 1e-11  # of the largest speed seen: this slow is at rest
PARTS = 4  # places within a step where margins are looked at
LONG, NEAR, DOUBT = 0.9, 1e-4, 1e4  # when a step that was cut is taken again, and shorter
MOST_TURNS = 100  # of locating an event


@kernel
def margin_of(mode: Int, has_gap: Int, values: Floats, number: Int) -> Float:
    """Return a margin of a row in its mode, infinity if it has no such margin now.

    `values` are its speed, force, limits, whether it is there, and its gap.
    """
    w = values[0]
    if mode == STUCK:
        if number == ABOVE_LOW:
            return values[1] - values[2]
        if number == BELOW_HIGH:
            return values[3] - values[1]
        if number == ON:
            return float(values[4])
    elif mode == FREE:
        if has_gap > 0:
            if number == GAP:
                return float(values[5])
        elif number == ON:
            return -float(values[4])
    elif mode == IDLE:
        if number == RESTING:
            return -fabs(w)
    else:
        if number == SPEED:
            return -w if mode == BACKWARD else float(w)
        if number == ON:
            return float(values[4])
    return inf


@kernel
def pair_margin(
    values: Floats, across: Floats, slow: Float, mode: Int, number: Int
) -> Float:
    """Return a margin of a pair of rows: of a disc while it sticks, of its speed while it slips.

    The speed may turn by an eighth of a turn from the direction, which then is turned, too;
    what begins to slip keeps it while it is slow.
    Without any friction there is none.
    """
    if not values[3] > 0.0 and mode != STUCK:
        return inf
    if mode == STUCK and number == ABOVE_LOW:
        return values[3] - sqrt(values[1] * values[1] + across[1] * across[1])
    if mode == FORWARD and number == SPEED:
        return values[0] + slow - fabs(across[0])
    return inf


@kernel
def margin_at(ev: Events, k: Int, number: Int) -> Float:
    """Return a margin of a row in its mode, infinity if it has no such margin now."""
    own = tail(ev.counts, ROW + PER_ROW * k)
    values = tail(ev.memory, START + WATCHED * k)
    if own[PAIR] == -1:
        return margin_of(own[MODE], own[HAS_GAP], values, number)
    if own[PAIR] < 0:
        return inf
    across = tail(ev.memory, START + WATCHED * own[PAIR])
    m = ev.counts[ROWS]
    slow = float(ev.memory[box_at(m) + SLOW * m + k])
    return pair_margin(values, across, slow, own[MODE], number)


@kernel
def closing(values: Floats, gap: Float, size: Float, fast: Float) -> Float:
    """Return a gap against its scale; one that is passed and does not hit is no less than 0.

    What hits closes faster than at rest, against the largest speed seen, `fast`.
    """
    if size == 0.0:
        return 0.0
    return gap / size if gap >= 0.0 or values[0] < -STILL * fast else 0.0


@kernel(inline=False)
def least_margin(ev: Events, widen: Int) -> Float:
    """Return the least margin of all rows against its scale, `TOLERANCE` added.

    With `widen` the scales take in what is seen.
    """
    m = ev.counts[ROWS]
    least = inf
    scales, bases = tail(ev.memory, scales_at(m)), tail(ev.memory, bases_at(m))
    for k in range(m):
        values = tail(ev.memory, START + WATCHED * k)
        if widen > 0:
            fast = fabs(values[0])
            scales[MARGINS * k + SPEED] = max(scales[MARGINS * k + SPEED], fast)
        for j in range(MARGINS):
            margin = margin_at(ev, k, j)
            if isfinite(margin):
                place = MARGINS * k + j
                if widen > 0:
                    scales[place] = max(scales[place], fabs(margin))
                    if margin > 0.0:
                        bases[place] = 0.0
                size = max(float(scales[place]), fabs(margin))
                if j == GAP:
                    speed = float(scales[MARGINS * k + SPEED])
                    gap = margin - bases[place]
                    least = min(least, closing(values, gap, size, speed))
                elif size > 0.0:
                    least = min(least, (margin - bases[place]) / size + TOLERANCE)
            elif margin != inf:
                least = -1.0  # not a number
    return least


@kernel(inline=False)
def rebase(ev: Events) -> None:
    """Let margins that are negative by rounding count as zero from here on."""
    m = ev.counts[ROWS]
    bases = tail(ev.memory, bases_at(m))
    for k in range(m):
        for j in range(MARGINS):
            margin = margin_at(ev, k, j)
            bases[MARGINS * k + j] = min(0.0, margin) if isfinite(margin) else 0.0


@kernel
def look_at(w: Floats, ode: Ode, ev: Events, t: Float, x: Floats) -> None:
    """Compute what is watched."""
    w[T_CALL] = min(max(t, w[T_FROM]), w[T_UPTO])
    ev.watched(tail(w, T_CALL), x, ode.p, tail(ev.memory, START))


@kernel(inline=False)
def nearest(w: Floats, ode: Ode, ev: Events, t: Float, x: Floats, widen: Int) -> Float:
    """Return how far the nearest event is from a state, against its scale; below 0 it is past."""
    least = inf
    if ev.counts[ROWS] > 0:
        look_at(w, ode, ev, t, x)
        least = least_margin(ev, widen)
    if ev.table[TRIGGERS] > 0:
        ask_conditions(w, ode, ev, t, x)
        least = min(least, least_condition(ode.p, ev, widen))
    return least


@kernel(inline=False)
def keep(ev: Events) -> None:
    """Keep what was looked at last as what was before."""
    m = ev.counts[ROWS]
    old = tail(ev.memory, old_at(m))
    for k in range(m):
        values = tail(ev.memory, START + WATCHED * k)
        old[OLD * k + OLD_SPEED] = values[0]
        old[OLD * k + OLD_RATE] = values[6]
        old[OLD * k + OLD_GAP] = values[5]
    keep_conditions(ev)


@kernel(inline=False)
def dip_within(p: Floats, ev: Events, h: Float) -> Float:
    """Return where within h something may have changed and changed back, 1 if nothing may.

    Gaps and speeds know their rates; a cubic through both ends tells the lowest place.
    """
    m = ev.counts[ROWS]
    first = dip_of_conditions(p, ev, h)
    for k in range(m):
        values = tail(ev.memory, START + WATCHED * k)
        old = tail(ev.memory, old_at(m) + OLD * k)
        mode = ev.counts[ROW + PER_ROW * k + MODE]
        at = 1.0
        if ev.counts[ROW + PER_ROW * k + PAIR] < -1:
            continue
        if mode == FORWARD or mode == BACKWARD:
            way = float(mode)
            at = dip(
                h,
                way * old[OLD_SPEED],
                way * old[OLD_RATE],
                way * values[0],
                way * values[6],
            )
        elif mode == FREE and ev.counts[ROW + PER_ROW * k + HAS_GAP] > 0:
            base = ev.memory[bases_at(m) + MARGINS * k + GAP]
            at = dip(
                h,
                old[OLD_GAP] - base,
                float(old[OLD_SPEED]),
                values[5] - base,
                float(values[0]),
            )
        first = min(first, at)
    return first


@kernel
def largest(n: Int, x: Floats) -> Float:
    """Return the largest of all numbers."""
    far = 0.0
    for i in range(n):
        far = max(far, fabs(x[i]))
    return far


@kernel(inline=False)
def disagreement(ev: Events, span: Float, rounding: Float) -> Float:
    """Return by how much speeds change otherwise than their accelerations say, in scales."""
    m = ev.counts[ROWS]
    worst = 0.0
    for k in range(m):
        values = tail(ev.memory, START + WATCHED * k)
        old = tail(ev.memory, old_at(m) + OLD * k)
        scale = ev.memory[scales_at(m) + MARGINS * k + SPEED]
        if scale > rounding:  # else it has not moved yet
            rate = (values[0] - old[OLD_SPEED]) / span
            worst = max(worst, fabs(rate - 0.5 * (values[6] + old[OLD_RATE])) / scale)
    return worst


@kernel
def parts_of_step(ev: Events) -> Int:
    """Return in how many parts a step is looked at.

    Gaps and speeds know their rates; forces of rows that stick do not, and need more looks.
    """
    for k in range(ev.counts[ROWS]):
        if ev.counts[ROW + PER_ROW * k + MODE] == STUCK:
            return PARTS
    return PARTS // 2


def make_watch(
    sample: Sample, interpolated: Sample
) -> Kernel[[Int, Floats, Ints, Ode, Events], Int]:
    """Return the kernel that looks for an event in the last step.

    It returns 1 and cuts the step (T_TO) just behind the first event, if there is one; 2 if
    the step was so much longer that it tells little of the states there. The states that it
    looks at are projected only where loops or quaternions need it.
    """

    @kernel(inline=False)
    def look(
        n: Int, w: Floats, m: Ints, ode: Ode, ev: Events, t: Float, widen: Int
    ) -> Float:
        state = tail(w, HEAD + STAGE * n)
        if ev.counts[PROJECTS] > 0:
            sample(n, w, m, ode, t, state)
        else:
            interpolated(n, w, m, ode, t, state)
        return nearest(w, ode, ev, t, state, widen)

    @kernel(inline=False)
    def locate(
        n: Int,
        w: Floats,
        m: Ints,
        ode: Ode,
        ev: Events,
        begin: Float,
        at_begin: Float,
        end: Float,
        at_end: Float,
    ) -> Float:
        """Return the first time behind the change of sign between two times.

        Chandrupatla 1997: inverse quadratic interpolation where it is safe, else halving.
        """
        a, at_a, b, at_b = end, at_end, begin, at_begin
        share = 0.5
        if at_b > 0.0:
            share = min(max(at_a / (at_a - at_b), 1e-6), 1.0 - 1e-6)
        for _ in range(MOST_TURNS):
            t = a + share * (b - a)
            value = look(n, w, m, ode, ev, t, 0)
            c, at_c = a, at_a
            if int(value < 0.0) != int(at_a < 0.0):
                c, at_c = b, at_b
                b, at_b = a, at_a
            a, at_a = t, value
            width = fabs(b - a)
            finest = 2.0 * EPSILON * max(fabs(a), fabs(b))
            if width <= finest:
                break
            xi = (a - b) / (c - b)
            phi = (at_a - at_b) / (at_c - at_b)
            share = 0.5
            if phi * phi < xi and (1.0 - phi) * (1.0 - phi) < 1.0 - xi:
                share = at_a / (at_b - at_a) * at_c / (at_b - at_c)
                share += (c - a) / (b - a) * at_a / (at_c - at_a) * at_b / (at_c - at_b)
            least = 0.5 * finest / width
            share = min(max(share, least), 1.0 - least)
        return a if at_a < 0.0 else b

    @kernel(inline=False)
    def watch(n: Int, w: Floats, m: Ints, ode: Ode, ev: Events) -> Int:
        parts = parts_of_step(ev)
        a, b = w[T_OLD], w[T_OLD]
        at_a, at_b = TOLERANCE, TOLERANCE
        for j in range(1, parts + 1):
            a, at_a = b, at_b
            b = w[T] if j == parts else w[T_OLD] + (w[T] - w[T_OLD]) * j / parts
            at_b = look(n, w, m, ode, ev, b, 1)
            if at_b < 0.0:
                break
            at = dip_within(ode.p, ev, b - a)
            if at < 1.0:
                t = a + at * (b - a)
                value = look(n, w, m, ode, ev, t, 1)
                if value < 0.0:
                    b, at_b = t, value
                    break
                at_b = look(n, w, m, ode, ev, b, 1)
            keep(ev)
        if at_b >= 0.0:
            return 0
        w[T_TO] = locate(n, w, m, ode, ev, a, at_a, b, at_b)
        h = w[T_TO] - w[T_OLD]
        if h < LONG * (w[T] - w[T_OLD]) and h > 0.0:
            look(n, w, m, ode, ev, w[T_TO] - NEAR * h, 0)
            keep(ev)
            look(n, w, m, ode, ev, w[T_TO], 0)
            rounding = 16.0 * EPSILON * largest(n, tail(w, HEAD + X * n))
            if disagreement(ev, NEAR * h, rounding) * h > DOUBT * w[RTOL]:
                return 2
        return 1

    return watch
