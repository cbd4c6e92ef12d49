"""One good step of an explicit Runge–Kutta pair: try, measure the error, choose h."""

from __future__ import annotations

from math import exp, isfinite, log

from motorik.compiler.kernels import Float, Int, kernel, lanes, tail
from motorik.simulation.methods.tableau import Control
from motorik.simulation.stepping.step_kernels import (
    go_back,
    is_last,
    keep_start,
    smallest_step,
)
from motorik.simulation.stepping.workspace import (
    HEAD,
    Attempt,
    Counts,
    Finish,
    Ode,
    Status,
    Trial,
    Vec,
    Work,
)

SMALLEST_LOG_ERROR = -9.210340371976182  # ln 1e-4: what the control remembers at least
CALM_AFTER = 6  # steps inside it that make the count start anew


@kernel
def count_border(m: Counts, is_there: Int) -> None:
    """Count a step that ends at the border of stability, or one inside it."""
    if is_there > 0:
        m.stiff_misses = 0
        m.stiff_count += 1
    else:
        m.stiff_misses += 1
        if m.stiff_misses >= CALM_AFTER:
            m.stiff_count = min(m.stiff_count, 0)


@kernel
def watch_stiffness(n: Int, w: Work, m: Counts, h: Float, last: Int, border: Float) -> None:
    """Count the steps that end at the border of stability: h|λ| > `border`.

    h|λ| ≈ h ‖f(x) − f(y)‖ / ‖x − y‖, x being the new state and y the argument of the last
    stage, whose rate is the vector `last`; both belong to one time. Hairer, Wanner 1996,
    §IV.2.
    """
    x, f = tail(w, HEAD + Vec.X * n), tail(w, HEAD + Vec.F * n)
    y, fy = tail(w, HEAD + Vec.STAGE * n), tail(w, HEAD + last * n)
    above = 0.0
    below = 0.0
    for i in lanes(n):
        above += (f[i] - fy[i]) * (f[i] - fy[i])
        below += (x[i] - y[i]) * (x[i] - y[i])
    count_border(m, int(h * h * above > border * border * below))


def make_attempt(
    try_step: Trial, finish: Finish, *, control: Control, last_stage: int, border: float
) -> Attempt:
    """Return the kernel that takes one good step.

    `try_step` goes from X_OLD with the rate K to X and returns the error in units of the
    tolerance; `finish` projects the new state and computes F there.
    `last_stage` is the number of the vector of the last stage, `border` where its stability
    ends, or 0 where stiffness is not watched.
    """
    safety, exponent, damping = control.safety, control.exponent, control.damping
    shrink, grow = control.shrink, control.grow

    @kernel
    def attempt(n: Int, w: Work, m: Counts, ode: Ode) -> Int:
        t = w.t
        keep_start(n, w)
        rest = w.t_stop - t
        planned = min(w.h, w.max_step)
        h = planned
        ends = is_last(w, h) > 0
        if ends:
            h = rest
        rejected = 0
        finite = True
        while True:
            error = try_step(n, w, m, ode, t, h)
            if error <= 1.0:
                break
            rejected += 1
            m.rejected += 1
            ends = False
            finite = isfinite(error)
            h *= max(shrink, safety * error**-exponent) if finite else 0.1
            if h < smallest_step(w):
                go_back(n, w)
                return Status.STEP_TOO_SMALL if finite else Status.NOT_FINITE
        t_new = w.t_stop if ends else t + h
        finish(n, w, m, ode, t_new)
        w.t_old = t
        w.t = t_new
        size = log(max(error, 1e-10))
        factor = safety * exp(damping * w.log_error_old - exponent * size)
        factor = min(grow, max(shrink, factor))
        w.log_error_old = max(size, SMALLEST_LOG_ERROR)
        if rejected > 0:
            factor = min(factor, 1.0)
        w.h = h * factor
        if ends:
            w.h = max(w.h, planned)
        if border > 0.0 and m.stiff_check > 0 and rejected == 0:
            watch_stiffness(n, w, m, h, last_stage, border)
        return Status.GOING

    return attempt
