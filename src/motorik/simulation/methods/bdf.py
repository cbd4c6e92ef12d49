"""Backward differentiation with variable order 1 to 5, for stiff systems.

The numerical differentiation formulas of Shampine and Reichelt 1997: backward differences
∇ʲx at a step size that is kept for some steps, and Newton's iteration with a matrix that is
kept as long as it serves.
"""

from __future__ import annotations

from math import fabs, isfinite, sqrt

from motorik.compiler.kernels import Float, Floats, Int, kernel, lanes, tail
from motorik.numerics.lu import factorise, substitute
from motorik.numerics.tolerances import EPSILON
from motorik.simulation.driver import make_method
from motorik.simulation.methods.newton_steps import (
    compute_jacobian,
    is_rounding,
    rounding_of,
)
from motorik.simulation.stepping.norm import error_norm, weigh
from motorik.simulation.stepping.step_kernels import (
    copy,
    evaluate_end,
    fit_step,
    put_back,
    smallest_step,
)
from motorik.simulation.stepping.workspace import HEAD, Counts, Ode, Status, Vec, Work

# --- newton's iteration --------------------------------------------------------------------


class BdfReal:
    """Numbers of the method in the head of `w`."""

    H_D = Work.method  # step size of the differences
    C_FACTORISED = H_D + 1  # c of the factorised matrix; 0: there is none


class BdfInteger:
    """Integers of the method in `m`."""

    ORDER = Counts.method  # of the last step; 0 before the first
    ORDER_NEXT = ORDER + 1  # 0: to restart
    EQUAL_STEPS = ORDER + 2  # steps since order or size changed
    FRESH = ORDER + 3  # 2: the Jacobian is of this very step, 1: older, 0: there is none


class BdfVec:
    """Vectors of the method."""

    DIFFERENCES = Vec.K  # ∇⁰x … ∇⁷x, eight vectors
    PREDICTED = DIFFERENCES + 8
    PSI = DIFFERENCES + 9  # Σ γⱼ ∇ʲx / αₖ, what the past contributes to the rate
    CHANGE = DIFFERENCES + 10  # x − predicted
    RESIDUAL = DIFFERENCES + 11
    PIVOTS = DIFFERENCES + 12
    POINTS = DIFFERENCES + 13  # six vectors
    COUNT = DIFFERENCES + 19  # behind them: the Jacobian and the factorised matrix


ITERATIONS = 4
REUSE = 0.1  # a matrix made for c serves while c changes by less than this part


@kernel(inline=False)
def make_matrix(n: Int, w: Work, m: Counts, c: Float) -> Int:
    """Factorise 1 − c ∂f/∂x; return 0 if it is singular, else 1."""
    jacobian = tail(w, HEAD + BdfVec.COUNT * n)
    matrix = tail(jacobian, n * n)
    for i in lanes(n * n):
        matrix[i] = -c * jacobian[i]
    for i in range(n):
        matrix[i * n + i] += 1.0
    m.factorisations += 1
    w[BdfReal.C_FACTORISED] = c
    return factorise(n, matrix, tail(w, HEAD + BdfVec.PIVOTS * n))


@kernel(inline=False)
def iterate(n: Int, w: Work, m: Counts, ode: Ode, t: Float, c: Float, h: Float) -> Int:
    """Solve d = c f(t, predicted + d) − ψ for d.

    Returns the iterations; 0 if they do not converge, -1 if they leave the finite numbers.
    A matrix made for c′ over- or undershoots; 2 / (1 + c/c′) makes up for most of it.
    """
    predicted = tail(w, HEAD + BdfVec.PREDICTED * n)
    psi = tail(w, HEAD + BdfVec.PSI * n)
    change = tail(w, HEAD + BdfVec.CHANGE * n)
    residual = tail(w, HEAD + BdfVec.RESIDUAL * n)
    x, start = tail(w, HEAD + Vec.STAGE * n), tail(w, HEAD + Vec.X * n)
    f = tail(w, HEAD + Vec.F * n)
    relaxation = 2.0 / (1.0 + c / w[BdfReal.C_FACTORISED])
    rtol = max(w.rtol, 10.0 * EPSILON)
    enough = max(10.0 * EPSILON / rtol, min(0.03, sqrt(rtol)))
    left = 0.0
    size_old = 0.0
    weigh(n, w, m, ode, t, h, predicted, predicted)
    for i in lanes(n):
        change[i] = 0.0
        x[i] = predicted[i]
    for k in range(ITERATIONS):
        evaluate_end(n, w, m, ode, t, x)
        for i in lanes(n):
            residual[i] = relaxation * (c * f[i] - psi[i] - change[i])
        substitute(
            n,
            tail(w, HEAD + BdfVec.COUNT * n + n * n),
            tail(w, HEAD + BdfVec.PIVOTS * n),
            residual,
        )
        size = error_norm(n, w, m, ode, t, predicted, residual, 1.0)
        if not isfinite(size):
            return -1
        if is_rounding(n, w, m, residual, x) > 0:
            # states at rest stay there; rounding of moving states must not add up
            for i in range(n):
                far = fabs(x[i] - start[i])
                if m.by_range > 0 and far > rounding_of(w, m, x, i):
                    change[i] += residual[i]
                    x[i] += residual[i]
            return k + 1
        if k > 0:
            # the error left after this iteration, and after the last one allowed
            rate = size / size_old
            if rate >= 1.0:
                return 0
            left = rate / (1.0 - rate) * size
            if left * rate ** (ITERATIONS - 1 - k) > enough:
                return 0
        for i in lanes(n):
            x[i] += residual[i]
            change[i] += residual[i]
        if k > 0 and left < enough:
            return k + 1
        size_old = size
    return 0


@kernel(inline=False)
def solve_step(n: Int, w: Work, m: Counts, ode: Ode, t: Float, c: Float, h: Float) -> Int:
    """Find the change of the predicted state; return what `iterate` returns.

    The Jacobian and its factors are renewed only when the iteration asks for it.
    """
    while True:
        if m[BdfInteger.FRESH] == 0:
            predicted = tail(w, HEAD + BdfVec.PREDICTED * n)
            compute_jacobian(n, w, m, ode, t, predicted, tail(w, HEAD + BdfVec.COUNT * n))
            m[BdfInteger.FRESH] = 2
            w[BdfReal.C_FACTORISED] = 0.0
        made_for = w[BdfReal.C_FACTORISED]
        if fabs(c - made_for) > REUSE * made_for and make_matrix(n, w, m, c) == 0:
            return 0
        iterations = iterate(n, w, m, ode, t, c, h)
        if iterations > 0 or (m[BdfInteger.FRESH] == 2 and w[BdfReal.C_FACTORISED] == c):
            return iterations
        if m[BdfInteger.FRESH] == 1:
            m[BdfInteger.FRESH] = 0
        w[BdfReal.C_FACTORISED] = 0.0


# --- first step ----------------------------------------------------------------------------
# A multistep method has no past where it begins, or after an event. At order 1 it would fall
# short in a way that tolerances do not see: within a flight lower than its tolerance an Euler
# step misses half of the parabola, and so half of the time to the next impact. One step of an
# L-stable method with five equal diagonal elements (Hairer, Wanner 1996, §IV.6, table 6.5) is
# exact there, goes as far as the error allows however stiff the system is, shares Newton's
# iteration with all later steps, and leaves a past of four points, so that they begin at
# order 3.


STAGES = 5
DIAGONAL = 0.25
NODES = (1 / 4, 3 / 4, 11 / 20, 1 / 2, 1.0)
# weights of the rates: in each stage of those before it (the last stage is the new state), in
# the error against an embedded formula of order 3, and in the states after one and two thirds
# of the step, of order 3
EMBEDDED, WITHIN = 5, 6
ROWS = (
    (0.0, 0.0, 0.0, 0.0, 0.0),
    (1 / 2, 0.0, 0.0, 0.0, 0.0),
    (17 / 50, -1 / 25, 0.0, 0.0, 0.0),
    (371 / 1360, -137 / 2720, 15 / 544, 0.0, 0.0),
    (25 / 24, -49 / 48, 125 / 16, -85 / 12, 0.0),
    (-3 / 16, -27 / 32, 25 / 32, 0.0, 1 / 4),
    (4103 / 5832, 73 / 1296, 50875 / 34992, -595 / 324, -385 / 8748),
    (1361 / 1458, -91 / 108, 50125 / 8748, -425 / 81, 203 / 2187),
)
WEIGHTS = tuple(weight for row in ROWS for weight in row)
SAFETY, GROW = 0.9, 10.0  # of step sizes
THIRDS = 3  # the past that the step leaves: its ends and two points between them

RATES = BdfVec.POINTS  # five vectors, which nothing else needs before the second step


@kernel(inline=False)
def add_rates(n: Int, w: Work, h: Float, row: Int, count: Int, total: Floats) -> None:
    """Add h times the first rates, weighted by a row of the table."""
    for j in range(count):
        rate = tail(w, HEAD + (RATES + j) * n)
        factor = h * WEIGHTS[row * STAGES + j]
        for i in lanes(n):
            total[i] += factor * rate[i]


@kernel(inline=False)
def solve_stages(n: Int, w: Work, m: Counts, ode: Ode, h: Float) -> Int:
    """Find the rates of all stages, and the new state as STAGE; return as `solve_step` does.

    Of stage i, y = x + h Σ aᵢⱼ kⱼ + c kᵢ, the guess takes for kᵢ the rate before.
    """
    c = DIAGONAL * h
    predicted, psi = tail(w, HEAD + BdfVec.PREDICTED * n), tail(w, HEAD + BdfVec.PSI * n)
    change = tail(w, HEAD + BdfVec.CHANGE * n)
    for stage in range(STAGES):
        rate = tail(w, HEAD + (RATES + stage) * n)
        before = tail(w, HEAD + (RATES + max(stage - 1, 0)) * n)
        copy(n, tail(w, HEAD + Vec.X * n), predicted)
        add_rates(n, w, h, stage, stage, predicted)
        for i in lanes(n):
            psi[i] = c * before[i] if stage > 0 else 0.0
            predicted[i] += psi[i]
        iterations = solve_step(n, w, m, ode, w.t + NODES[stage] * h, c, h)
        if iterations <= 0:
            return iterations
        for i in lanes(n):
            rate[i] = (change[i] + psi[i]) / c
    return 1


@kernel(inline=False)
def step_error(n: Int, w: Work, m: Counts, ode: Ode, h: Float) -> Float:
    """Return the error of the step in units of the tolerance.

    The share of stiff components in the difference of both formulas is removed by the matrix
    of Newton's iteration, (1 − c ∂f/∂x)⁻¹.
    """
    error = tail(w, HEAD + BdfVec.CHANGE * n)
    for i in lanes(n):
        error[i] = 0.0
    add_rates(n, w, h, EMBEDDED, STAGES, error)
    substitute(
        n,
        tail(w, HEAD + BdfVec.COUNT * n + n * n),
        tail(w, HEAD + BdfVec.PIVOTS * n),
        error,
    )
    x, new = tail(w, HEAD + Vec.X * n), tail(w, HEAD + Vec.STAGE * n)
    weigh(n, w, m, ode, w.t + h, h, x, new)
    return error_norm(n, w, m, ode, w.t + h, new, error, 1.0)


@kernel(inline=False)
def leave_past(n: Int, w: Work, m: Counts, h: Float) -> None:
    """Write the differences of the new state, of those within the step, and of the old one."""
    d = tail(w, HEAD + BdfVec.DIFFERENCES * n)
    copy(n, tail(w, HEAD + Vec.STAGE * n), d)
    for k in range(1, THIRDS + 1):
        copy(n, tail(w, HEAD + Vec.X * n), tail(d, k * n))
    add_rates(n, w, h, WITHIN + 1, STAGES, tail(d, n))
    add_rates(n, w, h, WITHIN, STAGES, tail(d, 2 * n))
    for level in range(1, THIRDS + 1):
        for k in range(THIRDS, level - 1, -1):
            for i in lanes(n):
                d[k * n + i] = d[(k - 1) * n + i] - d[k * n + i]
    for i in lanes(2 * n):
        d[(THIRDS + 1) * n + i] = 0.0
    w[BdfReal.H_D] = h / THIRDS
    m[BdfInteger.ORDER] = THIRDS
    m[BdfInteger.ORDER_NEXT] = THIRDS
    m[BdfInteger.EQUAL_STEPS] = 0
    m[BdfInteger.FRESH] = 1


@kernel(inline=False)
def first_step(n: Int, w: Work, m: Counts, ode: Ode) -> Int:
    """Take one good step without a past."""
    t = w.t
    x, new = tail(w, HEAD + Vec.X * n), tail(w, HEAD + Vec.STAGE * n)
    h = fit_step(w)
    rest = w.t_stop - t
    m[BdfInteger.FRESH] = 0
    while True:
        found = solve_stages(n, w, m, ode, h)
        factor = 0.5
        if found > 0:
            error = step_error(n, w, m, ode, h)
            if error <= 1.0:
                break
            factor = max(0.2, SAFETY * error**-0.25)
        m.rejected += 1
        h *= factor
        if h < smallest_step(w):
            if found < 0:
                return Status.NOT_FINITE
            return Status.NO_CONVERGENCE if found == 0 else Status.STEP_TOO_SMALL
    t_new = w.t_stop if h >= rest else t + h
    if ode.project is not None:
        put_back(n, w, m, ode, t_new, new)
    leave_past(n, w, m, h)
    copy(n, x, tail(w, HEAD + Vec.X_OLD * n))
    copy(n, new, x)
    w.t_old = t
    w.t = t_new
    w.h = max(w[BdfReal.H_D], w.min_step)
    w.h_restart = h * min(GROW, SAFETY * max(error, 1e-12) ** -0.25)
    return Status.GOING


# --- the method ----------------------------------------------------------------------------


HIGHEST = 5
KAPPA = (0.0, -0.1850, -1 / 9, -0.0823, -0.0415, 0.0)
# γₖ = Σ 1/j,  αₖ = (1 − κₖ) γₖ,  error of order k: (κₖ γₖ + 1/(k+1)) ∇ᵏ⁺¹x
GAMMA = tuple(sum(1 / j for j in range(1, k + 1)) for k in range(HIGHEST + 1))
ALPHA = tuple((1 - kappa) * gamma for kappa, gamma in zip(KAPPA, GAMMA, strict=True))
ERROR = tuple(KAPPA[k] * GAMMA[k] + 1 / (k + 1) for k in range(HIGHEST + 1))
SHORT = 0.01  # of the size planned: after a shorter last step it is better to restart
WORTHWHILE = 1.2  # a gain in step size for which the matrix may be computed again


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
