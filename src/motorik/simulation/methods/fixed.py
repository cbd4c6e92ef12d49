"""Steps of fixed size: counted from a base time, so that rounding does not add up."""

from __future__ import annotations

from math import fabs, isfinite

from motorik.compiler.kernels import Int, kernel, lanes, tail
from motorik.numerics.tolerances import EPSILON, LAST_STEP
from motorik.simulation.stepping.step_kernels import finish_step, go_back, keep_start
from motorik.simulation.stepping.workspace import (
    HEAD,
    Attempt,
    Counts,
    Move,
    Ode,
    Status,
    Vec,
    Work,
)


def make_fixed_attempt(advance_state: Move) -> Attempt:
    """Return the kernel that takes one step of fixed size.

    `advance_state` goes from X_OLD with the rate K to X. Steps that are too long for the method
    make states grow without bound: the run ends where the scale of the mechanism is lost in
    the rounding of a state.
    """

    @kernel
    def attempt(n: Int, w: Work, m: Counts, ode: Ode) -> Int:
        keep_start(n, w)
        m.fixed_count += 1
        t = w.t
        t_new = w.t_base + m.fixed_count * w.h
        if t_new >= w.t_stop - LAST_STEP * w.h:
            t_new = w.t_stop
            w.t_base = t_new
            m.fixed_count = 0
        advance_state(n, w, m, ode, t, t_new - t)
        finish_step(n, w, m, ode, t_new)
        x, f = tail(w, HEAD + Vec.X * n), tail(w, HEAD + Vec.F * n)
        total = 0.0
        for i in lanes(n):
            total += f[i] * 0.0 + x[i] * 0.0
        if not isfinite(total):
            go_back(n, w)
            return Status.NOT_FINITE
        if m.by_range > 0:
            atol = tail(w, HEAD + Vec.ATOL * n)
            for i in range(n):
                if m[Counts.kind + i] > 0 and EPSILON * fabs(x[i]) > atol[i] / w.rtol:
                    go_back(n, w)
                    return Status.EXPLODES
        w.t_old = t
        w.t = t_new
        return Status.GOING

    return attempt
