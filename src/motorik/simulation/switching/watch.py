"""Watching: margins that must not become negative, and where in a step one does."""

from __future__ import annotations

from math import fabs, inf, isfinite

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
)
from motorik.simulation.switching.detect import (
    first_bend,
    first_turning,
    is_resolved,
)
from motorik.simulation.switching.locate import crossing, make_locate
from motorik.simulation.switching.margins import (
    closing,
    see_held,
    see_margins,
)
from motorik.simulation.switching.scales import arm, widen
from motorik.simulation.switching.store import (
    ABOVE_LOW,
    DIVIDED,
    FINE,
    FINE_FROM,
    FINE_PART,
    FINE_PARTS,
    FIXED,
    FLOOR,
    GAP,
    HOLDING,
    LOOKED,
    MARGINS,
    OLD,
    OLD_MARGINS,
    OLD_VALUES,
    OLDER_MARGINS,
    ON,
    PROJECTS,
    ROWS,
    SPEED,
    START,
    STICKING,
    T_KEPT,
    T_KEPT_BEFORE,
    T_LOOK,
    TAKEN,
    TRIGGERS,
    box_at,
    margins_at,
    old_at,
    scales_at,
    unarmed_at,
)
from motorik.simulation.switching.triggers import (
    TOLERANCE,
    ask_conditions,
    keep_conditions,
    least_condition,
)
from motorik.system.switching_functions import WATCHED

PARTS = 4  # places within a step where margins are looked at, at least
FIRST = 0.76  # of their distance, of the first: places at equal distances might see one phase only
CLOSER = 0.38  # of the distance to the look before, where that does not tell what happened between
SLIVER = (
    0.5  # of a distance: what would be left of a step is looked at with the place before
)
FINEST = 1e-8  # of a step: no looks are closer
FEW = 64.0  # units in the last place of the time: no piece is divided nearer to its begin
MOST_SAMPLES = 20000  # in a step; with more it is taken again, and shorter
MOST_DIVISIONS = 12  # of a piece, and samples on the way to a lowest place
SURELY = 2.0  # times the error of the parabola before: what stays above this does not come to zero
ROUGHLY = 1e-3  # of the least value: no parabola is better
BESIDE = 1e-4  # of a piece: no two samples on the way to a lowest place are nearer
MOST_BEFORE = 8  # events before the one that was found
LONG, NEAR, DOUBT = 0.9, 1e-4, 1e4  # when a step that was cut is taken again, and shorter


@kernel(inline=False)
def least_margin(ev: Events) -> Float:
    """Return the least event function of all rows against its scale, `TOLERANCE` added."""
    m = ev.counts[ROWS]
    least = inf
    scales, unarmed = tail(ev.memory, scales_at(m)), tail(ev.memory, unarmed_at(m))
    seen = tail(ev.memory, margins_at(m))
    for k in range(m):
        for j in range(MARGINS):
            place = MARGINS * k + j
            margin = float(seen[place])
            if isfinite(margin):
                size = max(float(scales[place]), fabs(margin))
                if j == GAP:
                    least = min(least, closing(ev, k, margin, size))
                elif size > 0.0:
                    least = min(least, (margin + unarmed[place]) / size + TOLERANCE)
            elif margin != inf:
                least = -1.0  # not a number
    return least


@kernel
def look_at(w: Floats, ode: Ode, ev: Events, t: Float, x: Floats) -> None:
    """Compute what is watched."""
    w[T_CALL] = min(max(t, w[T_FROM]), w[T_UPTO])
    ev.watched(tail(w, T_CALL), x, ode.p, tail(ev.memory, START))
    ev.memory[T_LOOK] = w[T_CALL]
    if ev.counts[HOLDING] > 0:
        see_held(ev)
    see_margins(ev)


@kernel(inline=False)
def nearest(p: Floats, ev: Events) -> Float:
    """Return how far the nearest event is from what was looked at, below 0 if it is past."""
    least = inf
    if ev.counts[ROWS] > 0:
        least = least_margin(ev)
    if ev.table[TRIGGERS] > 0:
        least = min(least, least_condition(p, ev))
    return least


@kernel(inline=False)
def see(w: Floats, ode: Ode, ev: Events, t: Float, x: Floats) -> None:
    """Compute what is watched, and all conditions, at a state."""
    if ev.counts[ROWS] > 0:
        look_at(w, ode, ev, t, x)
    if ev.table[TRIGGERS] > 0:
        ask_conditions(w, ode, ev, t, x)


@kernel(inline=False)
def keep(ev: Events, t: Float) -> None:
    """Keep what was sampled last, at the time t, as the sample before."""
    m = ev.counts[ROWS]
    ev.memory[T_KEPT_BEFORE] = ev.memory[T_KEPT]
    ev.memory[T_KEPT] = t
    for k in range(m):
        old = tail(ev.memory, old_at(m) + OLD * k)
        values = tail(ev.memory, START + WATCHED * k)
        seen = tail(ev.memory, margins_at(m) + MARGINS * k)
        for i in range(WATCHED):
            old[OLD_VALUES + i] = values[i]
        for j in range(ABOVE_LOW, ON + 1):
            old[OLDER_MARGINS + j] = old[OLD_MARGINS + j]
        for j in range(MARGINS):
            old[OLD_MARGINS + j] = seen[j]
    keep_conditions(ev)


@kernel
def begin_keeping(ev: Events, t: Float) -> None:
    """Keep what was looked at last as what a motion begins with."""
    keep(ev, t)
    ev.memory[T_KEPT_BEFORE] = t


@kernel(inline=False)
def disagreement(ev: Events, span: Float) -> Float:
    """Return by how much speeds change otherwise than their accelerations say, in scales."""
    m = ev.counts[ROWS]
    worst = 0.0
    for k in range(m):
        values = tail(ev.memory, START + WATCHED * k)
        old = tail(ev.memory, old_at(m) + OLD * k)
        scale = ev.memory[scales_at(m) + MARGINS * k + SPEED]
        if scale > ev.memory[box_at(m) + FLOOR * m + k]:  # else it has not moved yet
            rate = (values[0] - old[OLD_VALUES]) / span
            mean = 0.5 * (values[6] + old[OLD_VALUES + 6])
            worst = max(worst, fabs(rate - mean) / scale)
    return worst


@kernel(inline=False)
def parts_for_time(ev: Events, begin: Float, end: Float) -> Int:
    """Return in how many parts a step is looked at to see what functions of time do."""
    part = float(ev.memory[FINE_PART])
    first = (begin - ev.memory[FINE_FROM]) / part
    last = (end - ev.memory[FINE_FROM]) / part
    fine = inf
    for k in range(int(max(first, 0.0)), int(min(last, FINE_PARTS - 1.0)) + 1):
        fine = min(fine, float(ev.memory[FINE + k]))
    return int((end - begin) / fine) + 1


@kernel
def parts_of_step(ev: Events, begin: Float, end: Float) -> Int:
    """Return in how many parts a step is looked at.

    Gaps and speeds know their rates; forces of rows that stick do not, and need more looks. So
    do functions of time, of which step control knows nothing where what they act on rests.
    """
    parts = PARTS if ev.counts[STICKING] > 0 else PARTS // 2
    if ev.memory[FINE_PART] > 0.0:
        parts = max(parts, parts_for_time(ev, begin, end))
    return parts


@kernel
def next_width(ev: Events, most: Float) -> Float:
    """Return the time until the next look: at most twice that by which looks told all."""
    told = 2.0 * ev.memory[LOOKED]
    return told if 0.0 < told and told < most else most


# the same for all methods
WATCHING = (
    *(see, nearest, keep, first_turning, disagreement, crossing, first_bend),
    *(is_resolved, arm, widen),
)


def make_watch(
    sample: Sample, interpolated: Sample
) -> Kernel[[Int, Floats, Ints, Ode, Events], Int]:
    """Return the kernel that looks for an event in the last step.

    It returns 1 and cuts the step (T_TO) just behind the first event, if there is one; 2 if
    the step has to be taken again, up to T_TO: it was so much longer that it tells little of the
    states there, or too many samples were needed. The states that it looks at are projected only
    where loops or quaternions need it.
    """

    @kernel(inline=False)
    def look(n: Int, w: Floats, m: Ints, ode: Ode, ev: Events, t: Float) -> None:
        """Look at the state at t."""
        state = tail(w, HEAD + STAGE * n)
        if ev.counts[PROJECTS] > 0:
            sample(n, w, m, ode, t, state)
        else:
            interpolated(n, w, m, ode, t, state)
        see(w, ode, ev, t, state)

    @kernel
    def measure(n: Int, w: Floats, m: Ints, ode: Ode, ev: Events, t: Float) -> Float:
        """Look at the state at t and return how far the nearest event is."""
        look(n, w, m, ode, ev, t)
        return nearest(ode.p, ev)

    locate = make_locate(measure)

    @kernel(inline=False)
    def find_first(
        n: Int, w: Floats, m: Ints, ode: Ode, ev: Events, a: Float, at_a: Float
    ) -> Float:
        """Return when the first event is, if another one than that found at T_TO is before it."""
        t = w[T_TO]
        for _ in range(MOST_BEFORE):
            before = t - 4.0 * EPSILON * max(fabs(a), fabs(t))
            if not before > a:
                break
            look(n, w, m, ode, ev, before)
            at = min(
                a + first_turning(ode.p, ev, before - a) * (before - a),
                first_bend(ev, before, a),
            )
            if at >= before:
                break
            value = measure(n, w, m, ode, ev, at)
            if value >= 0.0:
                break
            t = locate(n, w, m, ode, ev, a, at_a, at, value)
        return t

    @kernel(inline=False)
    def search_lowest(
        n: Int,
        w: Floats,
        m: Ints,
        ode: Ode,
        ev: Events,
        begin: Float,
        middle: Float,
        least: Float,
        end: Float,
    ) -> Float:
        """Return where event functions are nearest to zero between two times, or below it.

        `least` is their value at a time between. The lowest place of the parabola through three
        samples is the next one, until it stays above zero by more than parabolas were wrong.
        """
        a, b, c, error = begin, middle, end, inf
        at_a, at_b = measure(n, w, m, ode, ev, a), least
        at_c = measure(n, w, m, ode, ev, c)
        for _ in range(MOST_DIVISIONS):
            first, second = (at_b - at_a) / (b - a), (at_c - at_b) / (c - b)
            bend = (second - first) / (c - a)
            if not bend > 0.0:
                break
            t = 0.5 * (a + b) - 0.5 * first / bend
            low = at_a + (t - a) * (first + (t - b) * bend)
            span = BESIDE * (c - a)
            if fabs(t - b) < span:
                t = b + span if t > b else b - span
            if low > SURELY * error or not (t > a and t < c):
                break
            low = at_a + (t - a) * (first + (t - b) * bend)
            value = measure(n, w, m, ode, ev, t)
            if value < 0.0:
                return t
            error = fabs(value - low) + ROUGHLY * at_b
            if value < at_b:
                if t > b:
                    a, at_a = b, at_b
                else:
                    c, at_c = b, at_b
                b, at_b = t, value
            elif t > b:
                c, at_c = t, value
            else:
                a, at_a = t, value
        return b

    @kernel(inline=False)
    def next_sample(
        n: Int, w: Floats, m: Ints, ode: Ode, ev: Events, a: Float, width: Float
    ) -> Float:
        """Sample the next place, so near that it tells all that happened since a; return it."""
        b = a + width
        if w[T] - b < SLIVER * width:
            b = w[T]
        look(n, w, m, ode, ev, b)
        far, told, divided = b, max(ev.memory[LOOKED], b - a), 0.0
        least = max(FINEST * (w[T] - w[T_OLD]), 8.0 * EPSILON * fabs(w[T]))
        while is_resolved(ev, b, a) == 0:
            b = a + CLOSER * (b - a)
            told, divided = b - a, 1.0
            if told <= least:  # what does not get less is no motion, but noise
                b, told, divided = far, float(ev.memory[LOOKED]), 0.0
            look(n, w, m, ode, ev, b)
            if b == far:
                break
        ev.memory[LOOKED] = told
        ev.memory[DIVIDED] = max(ev.memory[DIVIDED], divided)
        return b

    @kernel(inline=False)
    def divide(
        n: Int, w: Floats, m: Ints, ode: Ode, ev: Events, a: Float, end: Float
    ) -> Float:
        """Shorten a piece to its first turning point that may be an event; return its new end.

        What was sampled last is the state at the end of the piece, before and after.
        """
        b = end
        for _ in range(MOST_DIVISIONS):
            t = a + first_turning(ode.p, ev, b - a) * (b - a)
            finest = FEW * EPSILON * fabs(t)
            if not (t < b and t - a > finest):
                break
            b = t
            if measure(n, w, m, ode, ev, b) < 0.0:
                break
        return b

    @kernel(inline=False)
    def watch(n: Int, w: Floats, m: Ints, ode: Ode, ev: Events) -> Int:
        ev.memory[TAKEN], ev.memory[DIVIDED] = w[T] - w[T_OLD], 0.0
        most = (w[T] - w[T_OLD]) / parts_of_step(ev, w[T_OLD], w[T])
        a, b, width = w[T_OLD], w[T_OLD], FIRST * most
        width = min(width, next_width(ev, most))
        at_a, at_b, samples = TOLERANCE, TOLERANCE, 0
        while b < w[T]:
            a, at_a = b, at_b
            samples += 1
            if samples > MOST_SAMPLES and ev.memory[FIXED] == 0.0:
                w[T_TO] = a  # up to there the step is resolved
                look(n, w, m, ode, ev, w[T_OLD])
                begin_keeping(ev, w[T_OLD])
                return 2
            b = next_sample(n, w, m, ode, ev, a, width)
            at_b = nearest(ode.p, ev)
            if at_b < 0.0:
                break
            width = next_width(ev, most)
            end = divide(n, w, m, ode, ev, a, b)
            if end < b:
                b, at_b = end, nearest(ode.p, ev)
                if at_b < 0.0:
                    break
            t = first_bend(ev, b, w[T_OLD])
            if t < b:
                value = measure(n, w, m, ode, ev, t)
                first, kept = float(ev.memory[T_KEPT_BEFORE]), float(ev.memory[T_KEPT])
                before, after = kept, b
                if t <= kept:
                    before, after = first, kept
                if value >= 0.0:
                    middle = t
                    if kept > w[T_OLD]:
                        at_kept = measure(n, w, m, ode, ev, kept)
                        if at_kept < value:  # the lowest place is around the sample itself
                            if t <= kept:
                                before, after = t, b
                            else:
                                before, after = first, t
                            middle, value = kept, at_kept
                    t = search_lowest(
                        n, w, m, ode, ev, max(before, w[T_OLD]), middle, value, after
                    )
                    value = measure(n, w, m, ode, ev, t)
                if value < 0.0:
                    b, at_b, a = t, value, before
                    at_a = measure(n, w, m, ode, ev, a)
                    begin_keeping(ev, a)
                    look(n, w, m, ode, ev, b)
                    break
                at_b = measure(n, w, m, ode, ev, b)
            widen(ev)
            keep(ev, b)
        if at_b >= 0.0:
            arm(ev)
            return 0
        w[T_TO] = locate(n, w, m, ode, ev, a, at_a, b, at_b)
        if ev.counts[ROWS] + ev.table[TRIGGERS] > 1:
            w[T_TO] = find_first(n, w, m, ode, ev, a, at_a)
        h = w[T_TO] - w[T_OLD]
        if h < LONG * (w[T] - w[T_OLD]) and h > 0.0:
            look(n, w, m, ode, ev, w[T_TO] - NEAR * h)
            keep(ev, w[T_TO] - NEAR * h)
            look(n, w, m, ode, ev, w[T_TO])
            apart = disagreement(ev, NEAR * h) * h
            if ev.memory[DIVIDED] > 0.0 or apart > DOUBT * w[RTOL]:
                look(n, w, m, ode, ev, w[T_OLD])
                begin_keeping(ev, w[T_OLD])
                return 2
        return 1

    return watch
