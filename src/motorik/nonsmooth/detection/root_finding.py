"""Root finding: the time within a step at which the first event function becomes negative."""

from __future__ import annotations

from math import fabs

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
from motorik.numerics.roots import interpolate_root, zero_of_cubic
from motorik.numerics.tolerances import EPSILON, EVENT_ZERO
from motorik.simulation.stepping.workspace import Counts, EventArguments, Ode, Work

MOST_GUESSES = 4  # by cubics, each from the one before
NEAR = 64.0  # ulps of time: a guess with no larger value than over these is checked
ITERATIONS = 100  # of bracketing

# n, w, m, ode, ev, t: the least event function at t, relative to its scale
Evaluate = Kernel[[Int, Work, Counts, Ode, EventArguments, Float], Float]
# …, begin, at_begin, end, at_end: the first time behind the change of sign
Locate = Kernel[[Int, Work, Counts, Ode, EventArguments, Float, Float, Float, Float], Float]


@kernel(inline=False)
def first_zero(ev: EventArguments, h: Float) -> Float:
    """Return where in [0, 1] the first of the violated gaps and speeds was zero.

    By the Hermite cubic through both ends of the time h; 1 if unknown.
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

    The last sample is the state at the end, the stored one that at the beginning. Zeros of
    Hermite cubics are tried first: they are exact for free fall, and nearly so in short steps. A
    guess is accepted if the neighbouring time has the other sign.
    """

    @kernel(inline=False)
    def find_root(
        n: Int,
        w: Work,
        m: Counts,
        ode: Ode,
        ev: EventArguments,
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
        ev: EventArguments,
        a: Float,
        at_a: Float,
        b: Float,
        at_b: Float,
        share: Float,
    ) -> Float:
        """Return the first time behind the change of sign between two times.

        Chandrupatla 1997: inverse quadratic interpolation where it is safe, else bisection.
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
            share = interpolate_root(a, at_a, b, at_b, c, at_c)
            least = 0.5 * finest / width
            share = min(max(share, least), 1.0 - least)
        return a if at_a < 0.0 else b

    return find_root
