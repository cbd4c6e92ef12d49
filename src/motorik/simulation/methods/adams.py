"""Adams–Bashforth–Moulton with variable order 1 to 12: few evaluations for smooth motion.

Shampine, Gordon 1975: predict, evaluate, correct one order higher, evaluate. Two
evaluations a step at any order, where a Runge–Kutta method needs as many as it has stages.
"""

from __future__ import annotations

from math import isfinite, sqrt

from motorik.compiler.kernels import Float, Floats, Int, Ints, kernel, lanes, tail
from motorik.simulation.methods.adams_differences import (
    ERROR_BELOW,
    ERROR_NOW,
    ERROR_TWO_BELOW,
    H_OLD,
    PHI,
    PREDICTED,
    VECTORS,
    correct,
    estimate,
    interpolate,
    predict,
    prepare,
    step_back,
    update_differences,
)
from motorik.simulation.methods.adams_formulas import (
    EQUAL_STEPS,
    ERROR,
    HIGHEST,
    ORDER,
    ORDER_OLD,
    RISING,
    ROW,
    ROWS,
    make_formulas,
    start_formulas,
)
from motorik.simulation.methods.arguments import Ode
from motorik.simulation.methods.common import (
    copy,
    evaluate,
    finish_step,
    fit_step,
    smallest_step,
)
from motorik.simulation.methods.driver import make_method
from motorik.simulation.methods.norm import error_norm, weigh
from motorik.simulation.methods.workspace import (
    BY_RANGE,
    GOING,
    HEAD,
    LOCAL_ERROR,
    MIN_STEP,
    NOT_FINITE,
    REJECTED,
    STEP_TOO_SMALL,
    T_OLD,
    T_STOP,
    X_OLD,
    F,
    H,
    T,
    X,
)


@kernel(inline=False)
def choose_next(n: Int, w: Floats, m: Ints, ode: Ode, h: Float, lower: Int) -> None:
    """Choose order and size of the next step; `lower` says that it must not rise."""
    k = m[ORDER]
    now = w[ERROR_NOW]
    below = w[ERROR_BELOW]
    if lower > 0 or k == HIGHEST:
        m[RISING] = 0
    k_next = k
    if m[RISING] > 0:
        k_next = k + 1
    elif lower > 0:
        k_next = k - 1
    elif k < m[EQUAL_STEPS]:
        # steps were equal long enough to trust the difference of order k + 1
        copy(n, tail(w, HEAD + (PHI + k + 2) * n), tail(w, HEAD + LOCAL_ERROR * n))
        x, error = tail(w, HEAD + X * n), tail(w, HEAD + LOCAL_ERROR * n)
        if m[BY_RANGE] > 0:
            weigh(n, w, m, ode, w[T], h, tail(w, HEAD + X_OLD * n), x)
        above = error_norm(n, w, m, ode, w[T], x, error, h * ERROR[k + 1])
        if k > 1 and below <= min(now, above):
            k_next = k - 1
        elif k < HIGHEST and above < (now if k > 1 else 0.5 * now):
            k_next = k + 1
            now = above
    if k_next < k:
        now = below
    m[ORDER] = k_next
    if m[RISING] > 0 or 0.5 >= now * 2.0 ** (k_next + 1):
        w[H] = 2.0 * h
    elif 0.5 < now:
        w[H] = h * max(0.5, min(0.9, (0.5 / now) ** (1.0 / (k_next + 1))))
    else:
        w[H] = h


@kernel
def attempt(n: Int, w: Floats, m: Ints, ode: Ode) -> Int:
    """Take one good step."""
    t = w[T]
    x = tail(w, HEAD + X * n)
    x_old = tail(w, HEAD + X_OLD * n)
    f = tail(w, HEAD + F * n)
    phi = tail(w, HEAD + PHI * n)
    rows = tail(w, HEAD + VECTORS * n)
    copy(n, x, x_old)
    if m[ORDER] == 0:
        for i in lanes(n):
            phi[n + i] = f[i]
            phi[2 * n + i] = 0.0
        start_formulas(rows)
        w[H_OLD] = 0.0
        m[ORDER] = 1
        m[ORDER_OLD] = 0
        m[EQUAL_STEPS] = 0
        m[RISING] = 1
    h = fit_step(w)
    rest = w[T_STOP] - t
    failures = 0
    while True:
        k = m[ORDER]
        make_formulas(rows, m, h, w[H_OLD])
        predict(n, w, k, m[EQUAL_STEPS], h)
        t_new = w[T_STOP] if h >= rest else t + h
        evaluate(w, m, ode, t_new, tail(w, HEAD + PREDICTED * n), f)
        error = estimate(n, w, m, ode, t_new, k, h)
        below = w[ERROR_BELOW]
        lower = 0
        if k > 2:
            lower = int(max(below, w[ERROR_TWO_BELOW]) <= w[ERROR_NOW])
        elif k == 2:
            lower = int(below <= 0.5 * w[ERROR_NOW])
        if error <= 1.0:
            break
        step_back(n, w, k, h)
        failures += 1
        m[REJECTED] += 1
        m[RISING] = 0
        m[ORDER] = 1 if failures >= 3 else k - lower
        factor = 0.5
        if failures > 3 and 0.5 < 0.25 * w[ERROR_NOW]:
            factor = sqrt(0.5 / w[ERROR_NOW])
        h *= factor if isfinite(error) else 0.1
        w[H] = h
        if h < smallest_step(w):
            copy(n, tail(phi, n), f)
            return STEP_TOO_SMALL if isfinite(error) else NOT_FINITE
    m[ORDER_OLD] = k
    w[H_OLD] = h
    correct(n, w, k, h)
    finish_step(n, w, m, ode, t_new)
    update_differences(n, w, k)
    w[T_OLD] = t
    w[T] = t_new
    choose_next(n, w, m, ode, h, lower)
    if h >= rest:  # the step was short because time ended, not because of its error
        w[H] = max(w[H], w[MIN_STEP])
    return GOING


ADAMS = make_method(
    "adams",
    "Adams–Bashforth–Moulton, orders 1 to 12",
    order=HIGHEST,
    first_order=1,
    vectors=VECTORS,
    extra=lambda n: ROWS * ROW,
    attempt=attempt,
    prepare=prepare,
    interpolate=interpolate,
    has_memory=True,
)
