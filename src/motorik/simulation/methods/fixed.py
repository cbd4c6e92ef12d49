"""Steps of fixed size: counted from a base time, so that rounding does not add up."""

from __future__ import annotations

from math import isfinite

from motorik.compiler.kernels.kernel import (
    Floats,
    Function,
    Int,
    Ints,
    Kernel,
    kernel,
    lanes,
    tail,
)
from motorik.simulation.methods.common import copy, finish_step
from motorik.simulation.methods.workspace import (
    FIXED_COUNT,
    GOING,
    HEAD,
    NOT_FINITE,
    T_BASE,
    T_OLD,
    T_STOP,
    X_OLD,
    F,
    H,
    K,
    T,
    X,
)

NEARLY = 1e-9  # part of a step by which the last one may be longer


def make_fixed_attempt(advance_state: Kernel[..., None]) -> Kernel[..., int]:
    """Return the kernel that takes one step of fixed size.

    `advance_state(n, w, m, rhs, p, t, h)` goes from X_OLD with the rate K to X.
    """

    @kernel
    def attempt(
        n: Int,
        w: Floats,
        m: Ints,
        rhs: Function,
        jac: Function | None,
        project: Function | None,
        p: Floats,
    ) -> Int:
        x, x_old = tail(w, HEAD + X * n), tail(w, HEAD + X_OLD * n)
        f, f_old = tail(w, HEAD + F * n), tail(w, HEAD + K * n)
        for i in lanes(n):
            x_old[i] = x[i]
            f_old[i] = f[i]
        m[FIXED_COUNT] += 1
        t = w[T]
        t_new = w[T_BASE] + m[FIXED_COUNT] * w[H]
        if t_new >= w[T_STOP] - NEARLY * w[H]:
            t_new = w[T_STOP]
            w[T_BASE] = t_new
            m[FIXED_COUNT] = 0
        advance_state(n, w, m, rhs, p, t, t_new - t)
        finish_step(n, w, m, rhs, project, p, t_new)
        total = 0.0
        for i in lanes(n):
            total += f[i] * 0.0 + x[i] * 0.0
        if not isfinite(total):
            copy(n, x_old, x)
            copy(n, f_old, f)
            return NOT_FINITE
        w[T_OLD] = t
        w[T] = t_new
        return GOING

    return attempt
