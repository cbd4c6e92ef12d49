"""The first step of backward differentiation, by an implicit one-step method of order 4.

A multistep method has no past where it begins, or after an event. At order 1 it would fall
short in a way that tolerances do not see: within a flight lower than its tolerance an Euler
step misses half of the parabola, and so half of the time to the next impact. One step of an
L-stable method with five equal diagonal elements (Hairer, Wanner 1996, §IV.6, table 6.5) is
exact there, goes as far as the error allows however stiff the system is, shares Newton's
iteration with all later steps, and leaves a past of four points, so that they begin at order 3.
"""

from __future__ import annotations

from motorik.compiler.kernels import Float, Floats, Int, kernel, lanes, tail
from motorik.numerics.lu import substitute
from motorik.simulation.methods.bdf_newton import BdfInteger, BdfReal, BdfVec, solve_step
from motorik.simulation.stepping.norm import error_norm, weigh
from motorik.simulation.stepping.step_kernels import copy, fit_step, put_back, smallest_step
from motorik.simulation.stepping.workspace import HEAD, Counts, Ode, Status, Vec, Work

STAGES = 5
DIAGONAL = 0.25
NODES = (1 / 4, 3 / 4, 11 / 20, 1 / 2, 1.0)
# weights of the rates: in each stage of those before it (the last stage is the new state), in
# the error against an embedded formula of order 3, and in the states after one and two thirds
# of the step, of order 3
ERROR, WITHIN = 5, 6
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
SAFETY, GROW = 0.9, 10.0
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

    What stiff components add to the difference of both formulas is taken away by the matrix
    of Newton's iteration, (1 − c ∂f/∂x)⁻¹.
    """
    error = tail(w, HEAD + BdfVec.CHANGE * n)
    for i in lanes(n):
        error[i] = 0.0
    add_rates(n, w, h, ERROR, STAGES, error)
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
