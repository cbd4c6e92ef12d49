"""The equations of one backward-differentiation step, solved by simplified Newton."""

from __future__ import annotations

from math import fabs, isfinite, sqrt

from motorik.compiler.kernels import Float, Floats, Int, kernel, lanes, tail
from motorik.numerics.lu import factorise, substitute
from motorik.numerics.tolerances import CORRECTION_NOISE, EPSILON
from motorik.simulation.stepping.norm import error_norm, weigh
from motorik.simulation.stepping.step_kernels import copy, evaluate, evaluate_end
from motorik.simulation.stepping.workspace import HEAD, Counts, Ode, Vec, Work


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
REUSE = 0.2  # a matrix made for c serves while c changes by less than this part


@kernel(inline=False)
def compute_jacobian(n: Int, w: Work, m: Counts, ode: Ode, t: Float, x: Floats) -> None:
    """Compute ∂f/∂x by columns: natively if given, else by differences of f."""
    jacobian = tail(w, HEAD + BdfVec.COUNT * n)
    m.jacobians += 1
    if ode.jac is not None:
        w.t_call = min(max(t, w.t_from), w.t_upto)
        ode.jac(tail(w, Work.t_call), x, ode.p, jacobian)
        return
    f = tail(w, HEAD + Vec.F * n)
    stage = tail(w, HEAD + Vec.STAGE * n)
    evaluate(w, m, ode, t, x, f)
    copy(n, x, stage)
    for j in range(n):
        stage[j] = x[j] + sqrt(EPSILON * max(1e-5, fabs(x[j])))
        column = tail(jacobian, j * n)
        evaluate(w, m, ode, t, stage, column)
        inverse = 1.0 / (stage[j] - x[j])
        for i in lanes(n):
            column[i] = (column[i] - f[i]) * inverse
        stage[j] = x[j]


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


@kernel
def rounding_of(w: Work, m: Counts, x: Floats, i: Int) -> Float:
    """Return how much of a change of a state is rounding."""
    rounding = 0.5 * EPSILON * fabs(x[i])
    if m.by_range > 0:
        rounding = max(
            rounding, CORRECTION_NOISE * float(w[Work.rounding + m[Counts.kind + i]])
        )
    return rounding


@kernel(inline=False)
def is_rounding(n: Int, w: Work, m: Counts, change: Floats, x: Floats) -> Int:
    """Return whether a change of x is no more than rounding: it tells of no convergence."""
    for i in range(n):
        if not fabs(change[i]) <= rounding_of(w, m, x, i):
            return 0
    return 1


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
            # what is at rest stays there; of what moves, rounding must not add up
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
            compute_jacobian(n, w, m, ode, t, tail(w, HEAD + BdfVec.PREDICTED * n))
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
