"""The past of delayed signals: each accepted step becomes pieces of polynomials, natively.

A step is sampled at Chebyshev points of its dense output; where the polynomial through them misses
the signal between them, the step is cut into shorter pieces. `pasts` holds numbers that all signals
share (`PastHead`), the head of each past (`Past`), and then room to compute in.
"""

from __future__ import annotations

from math import cos, fabs, pi

import numpy as np

from motorik.algebra.recall import BEGIN, END, FIRST, ORDER, ORIGIN, Past
from motorik.compiler.kernels import Float, Floats, Int, kernel, share, tail, unroll
from motorik.nonsmooth.memory import PAST_ROOM, PastHead
from motorik.numerics.tolerances import (
    EVENT_ROUNDING,
    PAST_INSET,
    ROUNDING,
    SHORTEST_PAST,
)
from motorik.simulation.stepping.workspace import (
    HEAD,
    Counts,
    EventArguments,
    Ode,
    Sample,
    Vec,
    Work,
)

PRECISION = (
    0.1  # of the relative tolerance, times the range of the signal: error of a piece
)
NODES = tuple((PAST_INSET - 1.0) * cos(pi * k / (ORDER - 1)) for k in range(ORDER))
TESTS = (
    -0.98,
    -0.5,
    0.08,
    0.7,
    0.98,
)  # places at which a piece is compared with the signal
#: From the values at the nodes to the coefficients on −1 … 1.
MATRIX = tuple(
    tuple(float(v) for v in row)
    for row in np.linalg.inv(np.vander(np.array(NODES), ORDER, increasing=True))
)


@kernel
def has_delays(ev: EventArguments) -> Int:
    """Return whether signals are delayed."""
    return int(ev.delayed is not None)


@kernel
def has_jumped(ev: EventArguments) -> Int:
    """Return whether a signal has jumped within the last step."""
    return int(ev.pasts[PastHead.JUMP] > 0.0)


@kernel
def is_past_full(ev: EventArguments) -> Int:
    """Return whether the next step may need more room than there is."""
    if ev.delayed is None:
        return 0
    return int(ev.pasts[PastHead.PIECES] + PAST_ROOM > ev.pasts[PastHead.CAPACITY])


@kernel(inline=False)
def fit_polynomials(ev: EventArguments, row: Floats, half: Float) -> None:
    """Write the polynomials through the signals at the nodes, and widen the range of these."""
    signals = int(ev.pasts[PastHead.SIGNALS])
    room = tail(ev.pasts, (signals + 1) * Past.SIZE)
    low, high = tail(room, signals * (ORDER + 2)), tail(room, signals * (ORDER + 3))
    for i in range(signals):
        for node in range(ORDER):
            value = float(room[node * signals + i])
            low[i], high[i] = min(low[i], value), max(high[i], value)
        scale = 1.0
        for k in unroll(ORDER):
            total = 0.0
            for j in unroll(ORDER):
                total += MATRIX[k][j] * room[j * signals + i]
            row[FIRST + i * ORDER + k] = total / scale
            scale *= half


share(fit_polynomials)


def make_storing(sample: Sample):
    """Return the kernel that appends the last step, up to t_valid, to the past of all signals."""

    @kernel(inline=False)
    def read_signals(
        n: Int, w: Work, m: Counts, ode: Ode, ev: EventArguments, t: Float, out: Floats
    ) -> None:
        state = tail(w, HEAD + Vec.STAGE * n)
        sample(n, w, m, ode, t, state)
        w.t_call = min(max(t, w.t_from), w.t_upto)
        if ev.delayed is not None:
            ev.delayed(tail(w, Work.t_call), state, ode.p, out)

    @kernel(inline=False)
    def fit(n: Int, w: Work, m: Counts, ode: Ode, ev: EventArguments, row: Floats) -> Int:
        """Write the polynomials of a piece; return whether they fit the signals."""
        signals = int(ev.pasts[PastHead.SIGNALS])
        room = tail(ev.pasts, (signals + 1) * Past.SIZE)
        low, high = tail(room, signals * (ORDER + 2)), tail(room, signals * (ORDER + 3))
        half, middle = 0.5 * (row[END] - row[BEGIN]), float(row[ORIGIN])
        for node in range(ORDER):
            t = middle + half * float(NODES[node])
            read_signals(n, w, m, ode, ev, t, tail(room, node * signals))
        fit_polynomials(ev, row, half)
        fits = 1
        values = tail(room, signals * ORDER)
        for test in range(len(TESTS)):
            apart = half * float(TESTS[test])
            read_signals(n, w, m, ode, ev, middle + apart, values)
            for i in range(signals):
                found = 0.0
                for back in range(ORDER):
                    found = found * apart + row[FIRST + (i + 1) * ORDER - 1 - back]
                size = max(fabs(low[i]), fabs(high[i]))
                allowed = PRECISION * w.rtol * (high[i] - low[i]) + ROUNDING * size
                if not fabs(found - values[i]) <= allowed:
                    fits = 0
        return fits

    @kernel(inline=False)
    def store_past(n: Int, w: Work, m: Counts, ode: Ode, ev: EventArguments) -> None:
        signals, count = int(ev.pasts[PastHead.SIGNALS]), int(ev.pasts[PastHead.PIECES])
        width = FIRST + signals * ORDER
        while count > 1 and ev.pieces[(count - 1) * width + BEGIN] >= w.t_old:
            count -= 1  # of a step that is repeated
        begin, end = float(w.t_old), float(w.t_valid)
        shortest = max(
            SHORTEST_PAST * (end - begin), EVENT_ROUNDING * max(fabs(begin), fabs(end))
        )
        span = end - begin
        begun = begin
        ev.pasts[PastHead.JUMP] = 0.0
        last = count + PAST_ROOM // 2
        while begin < end:
            row = tail(ev.pieces, count * width)
            row[BEGIN] = begin
            row[END] = end if begin + 1.01 * span >= end else begin + span
            row[ORIGIN] = 0.5 * (row[BEGIN] + row[END])
            fits = fit(n, w, m, ode, ev, row)
            if fits == 0 and span <= shortest and count > 1 and row[END] < end:
                begin = float(row[END])  # the pieces beside the jump meet in its middle
                begun = float(row[ORIGIN])
                ev.pieces[(count - 1) * width + END] = begun
                ev.pasts[PastHead.JUMP] = count
                span = min(2.0 * span, end - begin)
            elif fits > 0 or span <= shortest or count >= last:
                begin = float(row[END])
                row[BEGIN] = begun
                begun = begin
                count += 1
                span = min(2.0 * span, end - begin)
                if count >= last:
                    span = end - begin
            else:
                span = 0.5 * span
        ev.pasts[PastHead.PIECES] = count
        for i in range(signals):
            ev.pasts[(i + 1) * Past.SIZE + Past.COUNT] = count

    return store_past
