"""Backward differentiation with variable order 1 to 5, for stiff systems.

The numerical differentiation formulas of Shampine and Reichelt 1997: backward differences
∇ʲx at a step size that is kept for some steps, and Newton's iteration with a matrix that is
kept as long as it serves.
"""

from __future__ import annotations

from motorik.compiler.kernels import Float, Floats, Int, kernel, lanes, tail
from motorik.simulation.driver import make_method
from motorik.simulation.methods.bdf_newton import (
    ITERATIONS,
    BdfInteger,
    BdfReal,
    BdfVec,
    solve_step,
)
from motorik.simulation.methods.bdf_start import first_step
from motorik.simulation.stepping.norm import error_norm, weigh
from motorik.simulation.stepping.step_kernels import copy, fit_step, put_back, smallest_step
from motorik.simulation.stepping.workspace import HEAD, Counts, Ode, Status, Vec, Work

HIGHEST = 5
KAPPA = (0.0, -0.1850, -1 / 9, -0.0823, -0.0415, 0.0)
# γₖ = Σ 1/j,  αₖ = (1 − κₖ) γₖ,  error of order k: (κₖ γₖ + 1/(k+1)) ∇ᵏ⁺¹x
GAMMA = tuple(sum(1 / j for j in range(1, k + 1)) for k in range(HIGHEST + 1))
ALPHA = tuple((1 - kappa) * gamma for kappa, gamma in zip(KAPPA, GAMMA, strict=True))
ERROR = tuple(KAPPA[k] * GAMMA[k] + 1 / (k + 1) for k in range(HIGHEST + 1))
GROW = 10.0
SHORT = 0.01  # of the size planned: after a shorter last step it is better to begin anew
WORTHWHILE = 1.2  # a gain in step size for which the matrix may be made anew


@kernel(inline=False)
def rescale(n: Int, w: Work, order: Int, factor: Float) -> None:
    """Turn the differences into those of a step size `factor` times as large.

    The interpolating polynomial is evaluated at 0, −1, … −order new steps and differenced:
    x(t + s h) = Σⱼ ∇ʲx s(s+1)…(s+j−1) / j!
    """
    d = tail(w, HEAD + BdfVec.DIFFERENCES * n)
    points = tail(w, HEAD + BdfVec.POINTS * n)
    for k in range(order + 1):
        point = tail(points, k * n)
        copy(n, d, point)
        coefficient = 1.0
        for j in range(1, order + 1):
            coefficient *= (j - 1 - k * factor) / j
            for i in lanes(n):
                point[i] += coefficient * d[j * n + i]
    for level in range(1, order + 1):
        for k in range(order, level - 1, -1):
            point = tail(points, k * n)
            newer = tail(points, (k - 1) * n)
            for i in lanes(n):
                point[i] = newer[i] - point[i]
    copy((order + 1) * n, points, d)


@kernel(inline=False)
def predict(n: Int, w: Work, order: Int) -> None:
    """Compute the predicted state Σ ∇ʲx and ψ = Σ γⱼ ∇ʲx / αₖ."""
    d = tail(w, HEAD + BdfVec.DIFFERENCES * n)
    predicted = tail(w, HEAD + BdfVec.PREDICTED * n)
    psi = tail(w, HEAD + BdfVec.PSI * n)
    for i in lanes(n):
        predicted[i] = d[i]
        psi[i] = 0.0
    for j in range(1, order + 1):
        weight = GAMMA[j] / ALPHA[order]
        for i in lanes(n):
            predicted[i] += d[j * n + i]
            psi[i] += weight * d[j * n + i]


@kernel(inline=False)
def accept(n: Int, w: Work, order: Int) -> None:
    """Carry the differences on to the new state."""
    d = tail(w, HEAD + BdfVec.DIFFERENCES * n)
    change = tail(w, HEAD + BdfVec.CHANGE * n)
    for i in lanes(n):
        d[(order + 2) * n + i] = change[i] - d[(order + 1) * n + i]
        d[(order + 1) * n + i] = change[i]
    for j in range(order, -1, -1):
        for i in lanes(n):
            d[j * n + i] += d[(j + 1) * n + i]


@kernel(inline=False)
def growth(n: Int, w: Work, m: Counts, ode: Ode, order: Int) -> Float:
    """Return the factor by which the step may grow at an order, from its error."""
    x = tail(w, HEAD + Vec.X * n)
    difference = tail(w, HEAD + (BdfVec.DIFFERENCES + order + 1) * n)
    error = error_norm(n, w, m, ode, w.t, x, difference, ERROR[order])
    return max(error, 1e-12) ** (-1.0 / (order + 1))


@kernel(inline=False)
def choose_next(
    n: Int, w: Work, m: Counts, ode: Ode, h: Float, order: Int, safety: Float
) -> None:
    """Choose order and size of the next step: the order that allows the longest one."""
    x = tail(w, HEAD + Vec.X * n)
    weigh(n, w, m, ode, w.t, h, x, x)
    best = growth(n, w, m, ode, order)
    order_next = order
    if order > 1:
        lower = growth(n, w, m, ode, order - 1)
        if lower > best:
            best = lower
            order_next = order - 1
    if order < HIGHEST:
        higher = growth(n, w, m, ode, order + 1)
        if higher > best:
            best = higher
            order_next = order + 1
    factor = min(GROW, safety * best)
    if order_next != order or factor < 1.0 or factor > WORTHWHILE:
        w.h = h * factor
        m[BdfInteger.ORDER_NEXT] = order_next
        m[BdfInteger.EQUAL_STEPS] = 0


@kernel
def attempt(n: Int, w: Work, m: Counts, ode: Ode) -> Int:
    """Take one good step."""
    t = w.t
    x = tail(w, HEAD + Vec.X * n)
    new = tail(w, HEAD + Vec.STAGE * n)
    change = tail(w, HEAD + BdfVec.CHANGE * n)
    predicted = tail(w, HEAD + BdfVec.PREDICTED * n)
    if m[BdfInteger.ORDER] == 0 or m[BdfInteger.ORDER_NEXT] == 0:
        return first_step(n, w, m, ode)
    planned = min(w.h, w.max_step)
    h = fit_step(w)
    order = m[BdfInteger.ORDER_NEXT]
    h = min(h, GROW * w[BdfReal.H_D])
    if h != w[BdfReal.H_D]:
        rescale(n, w, order, h / w[BdfReal.H_D])
        m[BdfInteger.EQUAL_STEPS] = 0
    rest = w.t_stop - t
    while True:
        w[BdfReal.H_D] = h
        t_new = w.t_stop if h >= rest else t + h
        predict(n, w, order)
        iterations = solve_step(n, w, m, ode, t_new, h / ALPHA[order], h)
        factor = 0.5
        safety = 0.9 * (2 * ITERATIONS + 1) / (2 * ITERATIONS + iterations)
        if iterations > 0:
            weigh(n, w, m, ode, t_new, h, x, new)
            error = error_norm(n, w, m, ode, t_new, new, change, ERROR[order])
            if error <= 1.0:
                break
            factor = max(0.2, safety * error ** (-1.0 / (order + 1)))
        m.rejected += 1
        m[BdfInteger.EQUAL_STEPS] = 0
        h *= factor
        w.h = h
        rescale(n, w, order, factor)
        if h < smallest_step(w):
            if iterations < 0:
                return Status.NOT_FINITE
            return Status.NO_CONVERGENCE if iterations == 0 else Status.STEP_TOO_SMALL
    if ode.project is not None:
        put_back(n, w, m, ode, t_new, new)
        for i in lanes(n):
            change[i] = new[i] - predicted[i]
    accept(n, w, order)
    copy(n, x, tail(w, HEAD + Vec.X_OLD * n))
    copy(n, new, x)
    w.t_old = t
    w.t = t_new
    m[BdfInteger.ORDER] = order
    m[BdfInteger.FRESH] = 1
    m[BdfInteger.EQUAL_STEPS] += 1
    if m[BdfInteger.EQUAL_STEPS] > order:
        choose_next(n, w, m, ode, h, order, safety)
    if h >= rest:  # the step was short because time ended, not because of its error
        w.h = max(w.h, w.min_step)
        if h < SHORT * planned:
            w.h = planned
            m[BdfInteger.ORDER_NEXT] = 0
    return Status.GOING


@kernel
def prepare(n: Int, w: Work, m: Counts, ode: Ode) -> None:
    """Do nothing: the differences are the interpolating polynomial."""


@kernel
def interpolate(n: Int, w: Work, m: Counts, t: Float, row: Floats) -> None:
    """Write the state at a time within the last step, see `rescale`."""
    d = tail(w, HEAD + BdfVec.DIFFERENCES * n)
    s = (t - w.t) / w[BdfReal.H_D]
    copy(n, d, row)
    coefficient = 1.0
    for j in range(1, m[BdfInteger.ORDER] + 1):
        coefficient *= (s + j - 1) / j
        for i in lanes(n):
            row[i] += coefficient * d[j * n + i]


METHOD = make_method(
    "bdf",
    "backward differentiation, orders 1 to 5",
    order=HIGHEST,
    first_order=3,
    vectors=BdfVec.COUNT,
    extra=lambda n: 2 * n * n,
    attempt=attempt,
    prepare=prepare,
    interpolate=interpolate,
    has_memory=True,
    uses_jacobian=True,
)
