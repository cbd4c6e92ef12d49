"""Steps of fixed size: counted from a base time, so that rounding does not add up."""

from __future__ import annotations

from math import fabs, isfinite

from motorik.compiler.kernels import Floats, Int, Ints, kernel, lanes, tail
from motorik.simulation.methods.arguments import Attempt, Move, Ode
from motorik.simulation.methods.common import finish_step, go_back, keep_start
from motorik.simulation.methods.workspace import (
    ATOL,
    BY_RANGE,
    EPSILON,
    EXPLODES,
    FIXED_COUNT,
    GOING,
    HEAD,
    KIND,
    NOT_FINITE,
    RTOL,
    T_BASE,
    T_OLD,
    T_STOP,
    F,
    H,
    T,
    X,
)

NEARLY = 1e-9  # part of a step by which the last one may be longer


def make_fixed_attempt(advance_state: Move) -> Attempt:
    """Return the kernel that takes one step of fixed size.

    `advance_state` goes from X_OLD with the rate K to X. Steps that are too long for the method
    make states grow without bound: the run ends where the scale of the mechanism is lost in
    the rounding of a state.
    """

    @kernel
    def attempt(n: Int, w: Floats, m: Ints, ode: Ode) -> Int:
        keep_start(n, w)
        m[FIXED_COUNT] += 1
        t = w[T]
        t_new = w[T_BASE] + m[FIXED_COUNT] * w[H]
        if t_new >= w[T_STOP] - NEARLY * w[H]:
            t_new = w[T_STOP]
            w[T_BASE] = t_new
            m[FIXED_COUNT] = 0
        advance_state(n, w, m, ode, t, t_new - t)
        finish_step(n, w, m, ode, t_new)
        x, f = tail(w, HEAD + X * n), tail(w, HEAD + F * n)
        total = 0.0
        for i in lanes(n):
            total += f[i] * 0.0 + x[i] * 0.0
        if not isfinite(total):
            go_back(n, w)
            return NOT_FINITE
        if m[BY_RANGE] > 0:
            atol = tail(w, HEAD + ATOL * n)
            for i in range(n):
                if m[KIND + i] > 0 and EPSILON * fabs(x[i]) > atol[i] / w[RTOL]:
                    go_back(n, w)
                    return EXPLODES
        w[T_OLD] = t
        w[T] = t_new
        return GOING

    return attempt
