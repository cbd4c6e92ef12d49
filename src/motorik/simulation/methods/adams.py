"""Adams–Bashforth–Moulton with variable order 1 to 12: few evaluations for smooth motion.

Shampine, Gordon 1975: predict, evaluate, correct one order higher, evaluate. Two
evaluations a step at any order, where a Runge–Kutta method needs as many as it has stages.
"""

from __future__ import annotations

from math import isfinite, sqrt

from motorik.compiler.kernels import Float, Int, kernel, lanes, tail
from motorik.simulation.driver import make_method
from motorik.simulation.methods.adams_differences import (
    AdamsReal,
    AdamsVec,
    correct,
    estimate,
    interpolate,
    predict,
    prepare,
    step_back,
    update_differences,
)
from motorik.simulation.methods.adams_formulas import (
    ERROR,
    HIGHEST,
    AdamsInteger,
    AdamsTable,
    make_formulas,
    start_formulas,
)
from motorik.simulation.stepping.norm import error_norm, weigh
from motorik.simulation.stepping.step_kernels import (
    copy,
    evaluate,
    finish_step,
    fit_step,
    smallest_step,
)
from motorik.simulation.stepping.workspace import HEAD, Counts, Ode, Status, Vec, Work


@kernel(inline=False)
def choose_next(n: Int, w: Work, m: Counts, ode: Ode, h: Float, lower: Int) -> None:
    """Choose order and size of the next step; `lower` says that it must not rise."""
    k = m[AdamsInteger.ORDER]
    now = w[AdamsReal.ERROR_NOW]
    below = w[AdamsReal.ERROR_BELOW]
    if lower > 0 or k == HIGHEST:
        m[AdamsInteger.RISING] = 0
    k_next = k
    if m[AdamsInteger.RISING] > 0:
        k_next = k + 1
    elif lower > 0:
        k_next = k - 1
    elif k < m[AdamsInteger.EQUAL_STEPS]:
        # steps were equal long enough to trust the difference of order k + 1
        copy(
            n,
            tail(w, HEAD + (AdamsVec.PHI + k + 2) * n),
            tail(w, HEAD + Vec.LOCAL_ERROR * n),
        )
        x, error = tail(w, HEAD + Vec.X * n), tail(w, HEAD + Vec.LOCAL_ERROR * n)
        if m.by_range > 0:
            weigh(n, w, m, ode, w.t, h, tail(w, HEAD + Vec.X_OLD * n), x)
        above = error_norm(n, w, m, ode, w.t, x, error, h * ERROR[k + 1])
        if k > 1 and below <= min(now, above):
            k_next = k - 1
        elif k < HIGHEST and above < (now if k > 1 else 0.5 * now):
            k_next = k + 1
            now = above
    if k_next < k:
        now = below
    m[AdamsInteger.ORDER] = k_next
    if m[AdamsInteger.RISING] > 0 or 0.5 >= now * 2.0 ** (k_next + 1):
        w.h = 2.0 * h
    elif 0.5 < now:
        w.h = h * max(0.5, min(0.9, (0.5 / now) ** (1.0 / (k_next + 1))))
    else:
        w.h = h


@kernel
def attempt(n: Int, w: Work, m: Counts, ode: Ode) -> Int:
    """Take one good step."""
    t = w.t
    x = tail(w, HEAD + Vec.X * n)
    x_old = tail(w, HEAD + Vec.X_OLD * n)
    f = tail(w, HEAD + Vec.F * n)
    phi = tail(w, HEAD + AdamsVec.PHI * n)
    rows = tail(w, HEAD + AdamsVec.COUNT * n)
    copy(n, x, x_old)
    if m[AdamsInteger.ORDER] == 0:
        for i in lanes(n):
            phi[n + i] = f[i]
            phi[2 * n + i] = 0.0
        start_formulas(rows)
        w[AdamsReal.H_OLD] = 0.0
        m[AdamsInteger.ORDER] = 1
        m[AdamsInteger.ORDER_OLD] = 0
        m[AdamsInteger.EQUAL_STEPS] = 0
        m[AdamsInteger.RISING] = 1
    h = fit_step(w)
    rest = w.t_stop - t
    failures = 0
    while True:
        k = m[AdamsInteger.ORDER]
        make_formulas(rows, m, h, w[AdamsReal.H_OLD])
        predict(n, w, k, m[AdamsInteger.EQUAL_STEPS], h)
        t_new = w.t_stop if h >= rest else t + h
        evaluate(w, m, ode, t_new, tail(w, HEAD + AdamsVec.PREDICTED * n), f)
        error = estimate(n, w, m, ode, t_new, k, h)
        below = w[AdamsReal.ERROR_BELOW]
        lower = 0
        if k > 2:
            lower = int(max(below, w[AdamsReal.ERROR_TWO_BELOW]) <= w[AdamsReal.ERROR_NOW])
        elif k == 2:
            lower = int(below <= 0.5 * w[AdamsReal.ERROR_NOW])
        if error <= 1.0:
            break
        step_back(n, w, k, h)
        failures += 1
        m.rejected += 1
        m[AdamsInteger.RISING] = 0
        m[AdamsInteger.ORDER] = 1 if failures >= 3 else k - lower
        factor = 0.5
        if failures > 3 and 0.5 < 0.25 * w[AdamsReal.ERROR_NOW]:
            factor = sqrt(0.5 / w[AdamsReal.ERROR_NOW])
        h *= factor if isfinite(error) else 0.1
        w.h = h
        if h < smallest_step(w):
            copy(n, tail(phi, n), f)
            return Status.STEP_TOO_SMALL if isfinite(error) else Status.NOT_FINITE
    m[AdamsInteger.ORDER_OLD] = k
    w[AdamsReal.H_OLD] = h
    correct(n, w, k, h)
    finish_step(n, w, m, ode, t_new)
    update_differences(n, w, k)
    w.t_old = t
    w.t = t_new
    choose_next(n, w, m, ode, h, lower)
    if h >= rest:  # the step was short because time ended, not because of its error
        w.h = max(w.h, w.min_step)
    return Status.GOING


METHOD = make_method(
    "adams",
    "Adams–Bashforth–Moulton, orders 1 to 12",
    order=HIGHEST,
    first_order=1,
    vectors=AdamsVec.COUNT,
    extra=lambda n: AdamsTable.COUNT * AdamsTable.SIZE,
    attempt=attempt,
    prepare=prepare,
    interpolate=interpolate,
    has_memory=True,
)
