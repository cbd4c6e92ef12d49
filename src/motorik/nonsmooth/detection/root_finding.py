"""Locating: the time within a step at which the first margin becomes negative."""

from __future__ import annotations

from math import fabs, sqrt

from motorik.compiler.kernels import Float, Int, Kernel, kernel, tail
from motorik.nonsmooth.memory import (
    EVENT_FUNCTIONS,
    Contact,
    ContactMode,
    ContactState,
    EventFunctions,
    Lcp,
    OldSample,
    contact_at,
    contact_state_at,
    lcp_at,
    old_sample_at,
    scales_at,
    unarmed_at,
)
from motorik.numerics.tolerances import EPSILON, EVENT_ZERO
from motorik.simulation.stepping.arguments import Events, Ode
from motorik.simulation.stepping.workspace import Counts, Work

MOST_GUESSES = 4  # by cubics, each from the one before
NEAR = 64.0  # units of time: a guess whose value is no larger than over these is looked at beside
ITERATIONS = 100  # of locating an event
BISECTIONS = 52  # times an interval is halved where a cubic has come back from below zero
NEWTON_STEPS = 3  # turns of Newton's method for the zero of a cubic

# n, w, m, ode, ev, t: how far the nearest event is from the state at t
Evaluate = Kernel[[Int, Work, Counts, Ode, Events, Float], Float]
# …, begin, at_begin, end, at_end: the first time behind the change of sign
Locate = Kernel[[Int, Work, Counts, Ode, Events, Float, Float, Float, Float], Float]


@kernel
def zero_of_cubic(h: Float, a: Float, a_rate: Float, b: Float, b_rate: Float) -> Float:
    """Return where, between 0 and 1, the cubic from a to b < 0 becomes negative.

    1 if it does not. Where it falls at b, the last such place is sought, from the zero of the
    parabola through both values and the rate at b, the one nearer to b.
    """
    slope_a, slope_b = h * a_rate, h * b_rate
    u = 3.0 * (b - a) - 2.0 * slope_a - slope_b
    v = slope_a + slope_b - 2.0 * (b - a)
    if slope_b >= 0.0 and a > 0.0:
        low, high = 0.0, 1.0
        for _ in range(BISECTIONS):
            s = 0.5 * (low + high)
            if a + s * (slope_a + s * (u + s * v)) < 0.0:
                high = s
            else:
                low = s
        return high
    square = slope_b * slope_b - 4.0 * b * (a - b + slope_b)
    if square < 0.0 or slope_b >= 0.0:
        return 1.0
    s = 1.0 + 2.0 * b / (sqrt(square) - slope_b)
    for _ in range(NEWTON_STEPS):
        slope = slope_a + s * (2.0 * u + 3.0 * s * v)
        if slope >= 0.0:
            return 1.0
        s -= (a + s * (slope_a + s * (u + s * v))) / slope
    return s if s > 0.0 and s < 1.0 else 1.0


@kernel(inline=False)
def first_zero(ev: Events, h: Float) -> Float:
    """Return where, between 0 and 1, the first gap or speed of those that are violated was zero.

    It is known by values and rates at both ends of the time h; 1 if it is not known.
    """
    m = ev.counts.contacts
    first = 1.0
    scales, unarmed = tail(ev.memory, scales_at(m)), tail(ev.memory, unarmed_at(m))
    for k in range(m):
        own = Contact.at(ev.counts, contact_at(k))
        values = ContactState.at(ev.memory, contact_state_at(k))
        old = ContactState.at(
            ev.memory, old_sample_at(m) + OldSample.SIZE * k + OldSample.VALUES
        )
        mode = own.mode
        if mode == ContactMode.FREE and own.has_gap > 0:
            shift = max(
                unarmed[EVENT_FUNCTIONS * k + EventFunctions.gap]
                - ev.memory[lcp_at(m) + Lcp.GAP_TOL * m + k],
                0.0,
            )
            if values.gap + shift < 0.0:
                begin, end = old.gap + shift, values.gap + shift
                at = zero_of_cubic(h, begin, float(old.speed), end, float(values.speed))
                first = min(first, at)
        elif (
            mode == ContactMode.FORWARD or mode == ContactMode.BACKWARD
        ) and own.pair == -1:
            sign, place = float(mode), EVENT_FUNCTIONS * k + EventFunctions.speed
            shift = EVENT_ZERO * scales[place] + unarmed[place]
            if sign * values.speed + shift < 0.0:
                begin, end = sign * old.speed + shift, sign * values.speed + shift
                at = zero_of_cubic(
                    h, begin, sign * old.acceleration, end, sign * values.acceleration
                )
                first = min(first, at)
    return first


def make_root_finder(evaluate: Evaluate) -> Locate:
    """Return the kernel that finds the first time behind a change of sign between two times.

    What was looked at last is the state at the end, what was kept that at the beginning.
    Zeros of cubics through both ends are tried first: they are exact where something falls
    freely, and in short steps nearly so. If the time beside such a guess has the other sign,
    it is found.
    """

    @kernel(inline=False)
    def find_root(
        n: Int,
        w: Work,
        m: Counts,
        ode: Ode,
        ev: Events,
        begin: Float,
        at_begin: Float,
        end: Float,
        at_end: Float,
    ) -> Float:
        a, at_a, b, at_b = end, at_end, begin, at_begin
        finest = 2.0 * EPSILON * max(fabs(begin), fabs(end))
        near = NEAR * finest / (end - begin) * fabs(at_end) + EPSILON
        share = 0.5
        if at_b > EVENT_ZERO:
            share = min(max(at_a / (at_a - at_b), 1e-6), 1.0 - 1e-6)
        for _ in range(MOST_GUESSES):
            guess = first_zero(ev, a - begin)
            t = begin + guess * (a - begin)
            if guess >= 1.0 or a - t <= finest:
                break
            value = evaluate(n, w, m, ode, ev, t)
            if value < 0.0:
                a, at_a = t, value
            else:
                b, at_b = t, value
            if fabs(value) <= near:
                t += -finest if value < 0.0 else finest
                beside = evaluate(n, w, m, ode, ev, t)
                if int(beside < 0.0) != int(value < 0.0):
                    return t if beside < 0.0 else a
                if beside < 0.0:
                    a, at_a = t, beside
                else:
                    b, at_b = t, beside
            share = 0.5
            if value >= 0.0:
                share = min(max(at_a / (at_a - at_b), 1e-6), 1.0 - 1e-6)
                break
        return bracket(n, w, m, ode, ev, a, at_a, b, at_b, share)

    @kernel(inline=False)
    def bracket(
        n: Int,
        w: Work,
        m: Counts,
        ode: Ode,
        ev: Events,
        a: Float,
        at_a: Float,
        b: Float,
        at_b: Float,
        share: Float,
    ) -> Float:
        """Return the first time behind the change of sign between two times.

        Chandrupatla 1997: inverse quadratic interpolation where it is safe, else halving.
        """
        for _ in range(ITERATIONS):
            t = a + share * (b - a)
            value = evaluate(n, w, m, ode, ev, t)
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

    return find_root
