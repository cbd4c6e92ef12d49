"""Gragg, Bulirsch and Stoer's extrapolation method of orders 4 to 16, four columns at once.

The right-hand side of a small mechanism waits for its own results more than it computes, so
that four states at once take little longer than one. The columns of an extrapolation do not
depend on each other and fill four lanes: a step of order 2k costs 2k evaluations in a row.
"""

from __future__ import annotations

from math import fabs, isfinite, sqrt

from motorik.compiler.kernel import (
    Float,
    Floats,
    Function,
    Int,
    Ints,
    kernel,
    lanes,
    view,
)
from motorik.simulation.methods.common import (
    copy,
    is_last,
    make_begin,
    project_state,
    smallest_step,
)
from motorik.simulation.methods.control import watch_stiffness
from motorik.simulation.methods.driver import make_method
from motorik.simulation.methods.gbs_dense import interpolate, prepare
from motorik.simulation.methods.gbs_lanes import (
    COLUMNS_NOW,
    COLUMNS_OLD,
    F_OLD,
    NODE_RATES,
    OWN_GBS,
    TABLEAU,
    VECTORS,
    evaluate_points,
    get_rate,
    run_plan,
    set_point,
)
from motorik.simulation.methods.gbs_plan import (
    COLUMNS,
    EVALUATIONS_OF,
    LANES,
    WEIGHT,
)
from motorik.simulation.methods.workspace import (
    ATOL,
    GOING,
    HEAD,
    MAX_STEP,
    NOT_FINITE,
    REJECTED,
    RTOL,
    STAGE,
    STEP_TOO_SMALL,
    STIFF_CHECK,
    T_OLD,
    T_STOP,
    X_OLD,
    F,
    H,
    T,
    X,
)

# w, head
ERROR = OWN_GBS  # with all columns and with one less, in units of the tolerance
ERROR_BELOW = OWN_GBS + 1

LOWEST = 2  # columns at least
FIRST_COLUMNS = 6
STEP_WORK = 3.0  # what a step costs besides its columns, in evaluations
SAFETY = 0.75
SHRINK = 0.1
GROW = 6.0

# from COLUMNS · k on: weights of the error with k columns, which is the difference to k − 1
DIFFERENCE = (0.0,) * COLUMNS + tuple(
    WEIGHT[i] - WEIGHT[i - COLUMNS] for i in range(COLUMNS, len(WEIGHT))
)
WORK = tuple(STEP_WORK + count for count in EVALUATIONS_OF[: COLUMNS + 1])


@kernel
def rate_of(
    n: Int, w: Floats, m: Ints, rhs: Function, p: Floats, t: Float, x: Floats, dx: Floats
) -> None:
    """Compute ẋ = f(t, x, p), the same in all lanes."""
    for lane in range(LANES):
        set_point(n, w, lane, t, x)
    evaluate_points(n, w, m, rhs)
    get_rate(n, w, 0, dx)


@kernel(inline=False)
def extrapolate(n: Int, w: Floats, k: Int) -> None:
    """Compute x = x_old + Σ wⱼ dⱼ from k columns, and the errors with k and k − 1."""
    x = view(w, HEAD + X * n)
    x_old = view(w, HEAD + X_OLD * n)
    tableau = view(w, HEAD + TABLEAU * n)
    last = view(tableau, (k - 1) * n)
    atol = view(w, HEAD + ATOL * n)
    rtol = w[RTOL]
    total = 0.0
    total_below = 0.0
    for i in range(n):
        change = last[i]
        error = 0.0
        error_below = 0.0
        for j in range(k - 1):
            # Σ wⱼ = 1: a weighted sum of small differences is rounded less
            d = tableau[j * n + i] - last[i]
            change += WEIGHT[COLUMNS * k + j] * d
            error += DIFFERENCE[COLUMNS * k + j] * d
            error_below += DIFFERENCE[COLUMNS * (k - 1) + j] * d
        x[i] = x_old[i] + change
        scale = 1.0 / (atol[i] + rtol * max(fabs(x_old[i]), fabs(x[i])))
        total += (error * scale) * (error * scale)
        total_below += (error_below * scale) * (error_below * scale)
    w[ERROR] = sqrt(total / n)
    w[ERROR_BELOW] = sqrt(total_below / n)


@kernel
def best_step(h: Float, error: Float, k: Int) -> Float:
    """Return the step size at which k columns meet the tolerance, their error being h²ᵏ⁻¹."""
    return h * SAFETY * max(error, 1e-30) ** (-1.0 / (2 * k - 1))


@kernel
def finish(
    n: Int,
    w: Floats,
    m: Ints,
    rhs: Function,
    project: Function | None,
    p: Floats,
    t: Float,
    k: Int,
) -> None:
    """Project the new state and compute its rate.

    Besides, the rate of the last column's own result, for watching stiffness.
    """
    x = view(w, HEAD + X * n)
    x_old = view(w, HEAD + X_OLD * n)
    y = view(w, HEAD + STAGE * n)
    d = view(w, HEAD + (TABLEAU + k - 1) * n)
    for i in lanes(n):
        y[i] = x_old[i] + d[i]
    if project is not None:
        project_state(w, project, p, t, x)
    set_point(n, w, 0, t, x)
    for lane in range(1, LANES):
        set_point(n, w, lane, t, y)
    evaluate_points(n, w, m, rhs)
    get_rate(n, w, 0, view(w, HEAD + F * n))
    get_rate(n, w, 1, view(w, HEAD + NODE_RATES * n))


@kernel
def choose_next(w: Floats, m: Ints, h: Float, k: Int, failed: Int) -> None:
    """Choose number of columns and size of the next step: the least work per time."""
    h_next = best_step(h, w[ERROR], k)
    h_below = best_step(h, w[ERROR_BELOW], k - 1) if k > LOWEST else 0.0
    saving = WORK[k - 1] * h_next / (WORK[k] * h_below) if k > LOWEST else 1e30
    if k > LOWEST and saving < 0.8:
        m[COLUMNS_NOW] = k - 1
        h_next = h_below
    elif k < COLUMNS and saving > 1.1 and failed == 0:
        m[COLUMNS_NOW] = k + 1
        h_next *= WORK[k + 1] / WORK[k]
    w[H] = min(h_next, h if failed > 0 else GROW * h)


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
    """Take one good step."""
    if w[H] < smallest_step(w):
        return STEP_TOO_SMALL
    t = w[T]
    x = view(w, HEAD + X * n)
    x_old = view(w, HEAD + X_OLD * n)
    f = view(w, HEAD + F * n)
    f_old = view(w, HEAD + F_OLD * n)
    for i in lanes(n):
        x_old[i] = x[i]
        f_old[i] = f[i]
    if m[COLUMNS_NOW] == 0:
        m[COLUMNS_NOW] = FIRST_COLUMNS
    rest = w[T_STOP] - t
    wished = w[H]
    h = min(wished, w[MAX_STEP])
    ends = is_last(w, h) > 0
    if ends:
        h = rest
    failed = 0
    finite = True
    while True:
        if h < smallest_step(w):
            copy(n, x_old, x)
            copy(n, f_old, f)
            return STEP_TOO_SMALL if finite else NOT_FINITE
        k = m[COLUMNS_NOW]
        run_plan(n, w, m, rhs, k, t, h)
        extrapolate(n, w, k)
        error = w[ERROR]
        if error <= 1.0:
            break
        failed += 1
        m[REJECTED] += 1
        ends = False
        finite = isfinite(error)
        if finite:
            choose_next(w, m, h, k, failed)
            h = max(min(w[H], SAFETY * h), SHRINK * h)
        else:
            h *= 0.1
    t_new = w[T_STOP] if ends else t + h
    finish(n, w, m, rhs, project, p, t_new, k)
    w[T_OLD] = t
    w[T] = t_new
    m[COLUMNS_OLD] = k
    choose_next(w, m, h, k, failed)
    if ends:
        w[H] = max(w[H], wished)
    if m[STIFF_CHECK] > 0 and failed == 0:
        watch_stiffness(n, w, m, h, NODE_RATES, 0.7 * k + 1.0)
    return GOING


GBS = make_method(
    "gbs",
    "Gragg–Bulirsch–Stoer extrapolation in four lanes, orders 4 to 16",
    order=2 * COLUMNS,
    first_order=2 * FIRST_COLUMNS,
    vectors=VECTORS,
    attempt=attempt,
    prepare=prepare,
    interpolate=interpolate,
    begin=make_begin(rate_of),
    lanes=LANES,
)
