"""Radau IIA of order 5: three implicit stages, A-stable and stiffly accurate.

Hairer, Wanner 1996, §IV.8. With the changes Z of the states within a step by h, at the nodes c,

    Z = h A F(x + Z)

is solved by Newton's method with the matrix 1 − h B ⊗ ∂f/∂x instead of 1 − h A ⊗ ∂f/∂x. B is
lower triangular with one number γ on its diagonal, so that all stages are solved one after another
with the factors of 1 − h γ ∂f/∂x. Its other entries make the largest factor by which an error is
left after an iteration as small as can be, over all decays and all undamped vibrations: 0.24.

Where the first states are coordinates q with q̇ = u, these are eliminated: for the other states y,

    (1 − c ∂ẏ/∂y − c² [∂ẏ/∂q, 0]) δy = a_y + c ∂ẏ/∂q a_q,   δq = a_q + c δu,   c = h γ

Of a tree in which stiffness lies along its freedoms, force laws have derivatives K = −∂τ/∂q and
D = −∂τ/∂u along each of them, and this is an articulated body with the armatures σ = c D + c² K,

    (M + σ) (δu − a_u) = −σ a_u − c K a_q

solved in linear time without a matrix (`ode.armature_response`). All else that rates depend on, as
gravity or gyroscopic moments, slows Newton's method a little where it is not stiff.

There is no generalised α beside it: on beams of 12 and 30 links, in the best of its steps of equal
size, it takes 0.5 to 1 times as many rates and solutions for a tip within 3e-3 of the length, and
no fewer from some 1e-4 on; that is without control of the error, and it damps what vibrates.
"""

from __future__ import annotations

from math import isfinite, sqrt

from motorik.compiler.kernels import Float, Floats, Int, kernel, lanes, tail, unroll
from motorik.numerics.lu import factorise, substitute
from motorik.numerics.tolerances import EPSILON
from motorik.simulation.driver import make_method
from motorik.simulation.methods.newton_steps import compute_jacobian, is_rounding
from motorik.simulation.stepping.norm import error_norm, weigh, weighted_norm
from motorik.simulation.stepping.step_kernels import (
    copy,
    evaluate,
    finish_step,
    go_back,
    is_last,
    keep_start,
    smallest_step,
)
from motorik.simulation.stepping.workspace import HEAD, Counts, Ode, Status, Vec, Work

# --- the method ----------------------------------------------------------------------------

ROOT = sqrt(6.0)
STAGES = 3
NODES = ((4.0 - ROOT) / 10.0, (4.0 + ROOT) / 10.0, 1.0)
A = (
    ((88 - 7 * ROOT) / 360, (296 - 169 * ROOT) / 1800, (-2 + 3 * ROOT) / 225),
    ((296 + 169 * ROOT) / 1800, (88 + 7 * ROOT) / 360, (-2 - 3 * ROOT) / 225),
    ((16 - ROOT) / 36, (16 + ROOT) / 36, 1 / 9),
)
GAMMA = 0.261302  # of B; below it …
BELOW = ((0.0, 0.0), (0.36711873, 0.0), (0.26617851, 0.39500363))
# the error against a formula of order 3 that also takes γ of the rate where the step begins
ERROR = ((-13 - 7 * ROOT) / 3, (-13 + 7 * ROOT) / 3, -1 / 3)


class RadauReal:
    """Numbers of the method in the head of `w`."""

    H_OLD = Work.method  # size of the last step
    ERROR_OLD = H_OLD + 1  # its error in tolerances
    C_FACTORISED = H_OLD + 2  # c of the factorised matrix; 0: there is none
    RATE = H_OLD + 3  # factor by which the last iteration has reduced the error
    WEIGHTS = H_OLD + 4  # nine weights of a prediction


class RadauInteger:
    """Integers of the method in `m`."""

    PREDICTS = Counts.method  # whether there is a last step to predict from
    FRESH = PREDICTS + 1  # 2: the Jacobian is of this very step, 1: older, 0: there is none


class RadauVec:
    """Vectors of the method."""

    START_RATE = Vec.K
    Z = START_RATE + 1  # changes of the state within the step, three vectors
    OLD = Z + 3  # those of the last step
    RATES = OLD + 3  # of the stages
    CHANGE = RATES + 3  # of Z by an iteration
    RIGHT = CHANGE + 3  # side of linear equations
    PIVOTS = RIGHT + 1
    STIFFNESS = PIVOTS + 1  # K, and then D
    ARMATURE = STIFFNESS + 2  # σ, and then forces
    COUNT = ARMATURE + 2  # behind them: the Jacobian and the factorised matrix


ITERATIONS = 10
SLOW = 0.35  # rate of convergence from which on the Jacobian is computed again
SAFETY, SHRINK, GROW = 0.9, 0.2, 8.0  # of step sizes
INACCURATE = 2.0  # tolerances by which states between its nodes may be off
BETWEEN_NODES = max(
    s * abs(s - NODES[0]) * abs(s - NODES[1]) * (1.0 - s)
    for s in (k / 256 for k in range(257))
)
RESOLVED = 1e4  # smallest steps: within less no decay is shown
KEEP = 1.2  # a gain in step size that is not worth another factorisation


# --- linear equations ----------------------------------------------------------------------


@kernel(inline=False)
def make_matrix(n: Int, w: Work, m: Counts, c: Float) -> Int:
    """Factorise the matrix of all states, or of those that are no coordinates; 0 if singular."""
    jacobian = tail(w, HEAD + RadauVec.COUNT * n)
    matrix = tail(jacobian, n * n)
    q = m.coordinates
    size = n - q
    for j in range(size):
        column = tail(jacobian, (q + j) * n + q)
        for i in lanes(size):
            matrix[j * size + i] = -c * column[i]
        if j < q:
            of_coordinate = tail(jacobian, j * n + q)
            for i in lanes(size):
                matrix[j * size + i] -= c * c * of_coordinate[i]
        matrix[j * size + j] += 1.0
    m.factorisations += 1
    w[RadauReal.C_FACTORISED] = c
    return factorise(size, matrix, tail(w, HEAD + RadauVec.PIVOTS * n))


@kernel(inline=False)
def solve(n: Int, w: Work, m: Counts, ode: Ode, c: Float, a: Floats) -> None:
    """Replace a by the solution of (1 − c ∂f/∂x) δ = a."""
    q = m.coordinates
    own = tail(a, q)
    if ode.armature_response is not None and q > 0:
        K = tail(w, HEAD + RadauVec.STIFFNESS * n)
        D, sigma = tail(K, q), tail(w, HEAD + RadauVec.ARMATURE * n)
        tau, found = tail(sigma, q), tail(w, HEAD + Vec.LOCAL_ERROR * n)
        for i in lanes(q):
            sigma[i] = c * (D[i] + c * K[i])
            tau[i] = -sigma[i] * own[i] - c * K[i] * a[i]
        ode.armature_response(sigma, tail(w, HEAD + Vec.X_OLD * n), ode.p, found)
        for i in lanes(q):
            own[i] += found[i]
            a[i] += c * own[i]
        return
    size = n - q
    jacobian = tail(w, HEAD + RadauVec.COUNT * n)
    for j in range(q):
        column, part = tail(jacobian, j * n + q), c * a[j]
        for i in lanes(size):
            own[i] += part * column[i]
    substitute(size, tail(jacobian, n * n), tail(w, HEAD + RadauVec.PIVOTS * n), own)
    for i in lanes(q):
        a[i] += c * own[i]


@kernel(inline=False)
def take_matrix(n: Int, w: Work, m: Counts, ode: Ode, t: Float, h: Float) -> Int:
    """Make the linear equations ready for a step by h; return 0 if they are singular."""
    x = tail(w, HEAD + Vec.X_OLD * n)
    if m[RadauInteger.FRESH] == 0:
        m[RadauInteger.FRESH] = 2
        w[RadauReal.C_FACTORISED] = 0.0
        if ode.armature_response is not None and m.coordinates > 0:
            if ode.stiffness is not None:
                w.t_call = min(max(t, w.t_from), w.t_upto)
                at = tail(w, Work.t_call)
                ode.stiffness(at, x, ode.p, tail(w, HEAD + RadauVec.STIFFNESS * n))
        else:
            jacobian = tail(w, HEAD + RadauVec.COUNT * n)
            compute_jacobian(n, w, m, ode, t, x, jacobian)
    if ode.armature_response is not None and m.coordinates > 0:
        return 1
    if w[RadauReal.C_FACTORISED] == GAMMA * h:
        return 1
    return make_matrix(n, w, m, GAMMA * h)


# --- newton's iteration --------------------------------------------------------------------


@kernel
def basis(j: Int, s: Float) -> Float:
    """Return Lagrange's polynomial of node j, that vanishes at 0 and at the other nodes."""
    value = s / NODES[j]
    for k in range(STAGES):
        if k != j:
            value *= (s - NODES[k]) / (NODES[j] - NODES[k])
    return value


@kernel(inline=False)
def predict(n: Int, w: Work, m: Counts, h: Float) -> None:
    """Extrapolate the polynomial of the last step to the stages of a step by h."""
    z, old = tail(w, HEAD + RadauVec.Z * n), tail(w, HEAD + RadauVec.OLD * n)
    if m[RadauInteger.PREDICTS] == 0:
        for i in lanes(STAGES * n):
            z[i] = 0.0
        return
    for s in range(STAGES):
        place = 1.0 + NODES[s] * h / w[RadauReal.H_OLD]
        first, second, last = basis(0, place), basis(1, place), basis(2, place) - 1.0
        own = tail(z, s * n)
        for i in lanes(n):
            own[i] = first * old[i] + second * old[n + i] + last * old[2 * n + i]


@kernel(inline=False)
def evaluate_stages(n: Int, w: Work, m: Counts, ode: Ode, t: Float, h: Float) -> None:
    """Compute the rates of all stages, and what they miss: h A F − Z."""
    x, stage = tail(w, HEAD + Vec.X_OLD * n), tail(w, HEAD + Vec.STAGE * n)
    z, rates = tail(w, HEAD + RadauVec.Z * n), tail(w, HEAD + RadauVec.RATES * n)
    change = tail(w, HEAD + RadauVec.CHANGE * n)
    for s in range(STAGES):
        for i in lanes(n):
            stage[i] = x[i] + z[s * n + i]
        evaluate(w, m, ode, t + NODES[s] * h, stage, tail(rates, s * n))
    for i in lanes(n):
        first, second, third = rates[i], rates[n + i], rates[2 * n + i]
        for k in unroll(STAGES):
            slope = A[k][0] * first + A[k][1] * second + A[k][2] * third
            change[k * n + i] = h * slope - z[k * n + i]


@kernel(inline=False)
def solve_changes(n: Int, w: Work, m: Counts, ode: Ode, h: Float) -> None:
    """Replace what the stages miss by the change of Z of one iteration.

    The part of a stage in later ones, h ∂f/∂x ΔZ, is (ΔZ − its right side) / γ.
    """
    change = tail(w, HEAD + RadauVec.CHANGE * n)
    right = tail(w, HEAD + RadauVec.RIGHT * n)
    for s in unroll(STAGES):
        own = tail(change, s * n)
        copy(n, own, right)
        solve(n, w, m, ode, GAMMA * h, own)
        for later in unroll(s + 1, STAGES):
            part = BELOW[later][s] / GAMMA
            for i in lanes(n):
                change[later * n + i] += part * (own[i] - right[i])


@kernel(inline=False)
def iterate(n: Int, w: Work, m: Counts, ode: Ode, t: Float, h: Float) -> Int:
    """Solve for Z; return the iterations, 0 without convergence, −1 beyond the finite numbers.

    With the Jacobian of an earlier step a small change proves nothing: where this was stiffer, it
    hides what the stages miss. Only the rate of convergence tells then.
    """
    predict(n, w, m, h)
    x, z = tail(w, HEAD + Vec.X_OLD * n), tail(w, HEAD + RadauVec.Z * n)
    change, new = tail(w, HEAD + RadauVec.CHANGE * n), tail(w, HEAD + Vec.X * n)
    last = tail(change, (STAGES - 1) * n)
    rtol = max(w.rtol, 10.0 * EPSILON)
    enough = max(10.0 * EPSILON / rtol, min(0.03, sqrt(rtol)))
    for i in lanes(n):
        new[i] = x[i] + z[(STAGES - 1) * n + i]
    weigh(n, w, m, ode, t + h, h, x, new)
    size_old, rate_old = 0.0, 0.0
    for k in range(ITERATIONS):
        evaluate_stages(n, w, m, ode, t, h)
        solve_changes(n, w, m, ode, h)
        size = error_norm(n, w, m, ode, t + h, new, last, 1.0)
        for s in range(STAGES - 1):
            size = max(size, weighted_norm(n, w, tail(change, s * n)))
        if not isfinite(size):
            return -1
        for i in lanes(STAGES * n):
            z[i] += change[i]
        if is_rounding(n, w, m, last, new) > 0:
            return k + 1 if m[RadauInteger.FRESH] == 2 else 0
        if k > 0:
            rate = size / size_old
            if k > 1:
                rate = sqrt(rate * rate_old)
            rate_old = size / size_old
            w[RadauReal.RATE] = rate
            if rate >= 1.0:
                if k > 1 or rate >= 2.0:
                    return 0
            else:
                left = rate / (1.0 - rate) * size
                if left < enough:
                    return k + 1
                if left * rate ** (ITERATIONS - 1 - k) > enough:
                    return 0
        elif size < 1e-3 * enough and m[RadauInteger.FRESH] == 2:
            return 1
        size_old = size
    return 0


@kernel(inline=False)
def solve_step(n: Int, w: Work, m: Counts, ode: Ode, t: Float, h: Float) -> Int:
    """Find the stages of a step by h; return what `iterate` returns."""
    while True:
        if take_matrix(n, w, m, ode, t, h) == 0:
            return 0
        found = iterate(n, w, m, ode, t, h)
        if found > 0 or m[RadauInteger.FRESH] == 2:
            return found
        m[RadauInteger.FRESH] = 0


@kernel(inline=False)
def step_error(
    n: Int, w: Work, m: Counts, ode: Ode, t: Float, h: Float, again: Int
) -> Float:
    """Return the error of the step in units of the tolerance.

    The share of stiff components is removed by the matrix of Newton's iteration; where a step
    follows no other or was rejected, once more, so that these do not keep it short. That passes by
    what decays within the step, and is not done where a sample within it is to show that.
    """
    x_old, x = tail(w, HEAD + Vec.X_OLD * n), tail(w, HEAD + Vec.X * n)
    z, rate = tail(w, HEAD + RadauVec.Z * n), tail(w, HEAD + RadauVec.START_RATE * n)
    error, stage = tail(w, HEAD + RadauVec.RIGHT * n), tail(w, HEAD + Vec.STAGE * n)
    other = tail(w, HEAD + RadauVec.RATES * n)
    for i in lanes(n):
        x[i] = x_old[i] + z[(STAGES - 1) * n + i]
        error[i] = ERROR[0] * z[i] + ERROR[1] * z[n + i] + ERROR[2] * z[2 * n + i]
        error[i] = GAMMA * (error[i] + h * rate[i])
    solve(n, w, m, ode, GAMMA * h, error)
    weigh(n, w, m, ode, t + h, h, x_old, x)
    size = error_norm(n, w, m, ode, t + h, x, error, 1.0)
    if size > 1.0 and again > 0:
        for i in lanes(n):
            stage[i] = x_old[i] + error[i]
        evaluate(w, m, ode, t, stage, other)
        for i in lanes(n):
            error[i] = ERROR[0] * z[i] + ERROR[1] * z[n + i] + ERROR[2] * z[2 * n + i]
            error[i] = GAMMA * (error[i] + h * other[i])
        solve(n, w, m, ode, GAMMA * h, error)
        size = error_norm(n, w, m, ode, t + h, x, error, 1.0)
    return size


@kernel(inline=False)
def error_within(n: Int, w: Work, m: Counts, ode: Ode, t: Float, h: Float) -> Float:
    """Return the error of the collocation polynomial between its nodes, in tolerances.

    The error estimate of a step says little of it where the motion is stiff. The polynomial of the
    step before, of four nodes too, misses the new state by the same derivative, of order four.
    """
    z, old = tail(w, HEAD + RadauVec.Z * n), tail(w, HEAD + RadauVec.OLD * n)
    error = tail(w, HEAD + RadauVec.RIGHT * n)
    ratio = w[RadauReal.H_OLD] / h
    place = 1.0 + 1.0 / ratio
    first, second, last = basis(0, place), basis(1, place), basis(2, place) - 1.0
    far = (
        (1.0 + ratio) * (1.0 + ratio * (1.0 - NODES[0])) * (1.0 + ratio * (1.0 - NODES[1]))
    )
    for i in lanes(n):
        before = first * old[i] + second * old[n + i] + last * old[2 * n + i]
        error[i] = z[(STAGES - 1) * n + i] - before
    x = tail(w, HEAD + Vec.X * n)
    return error_norm(n, w, m, ode, t + h, x, error, BETWEEN_NODES / far)


# --- steps ---------------------------------------------------------------------------------


@kernel(inline=False)
def attempt(n: Int, w: Work, m: Counts, ode: Ode) -> Int:
    """Take one good step."""
    t = w.t
    keep_start(n, w)
    if w.t_old == t:  # at the start, or after an event
        m[RadauInteger.PREDICTS] = 0
    if m[RadauInteger.PREDICTS] == 0 or ode.armature_response is not None:
        m[RadauInteger.FRESH] = 0
    z = tail(w, HEAD + RadauVec.Z * n)
    copy(STAGES * n, z, tail(w, HEAD + RadauVec.OLD * n))
    planned, rest = min(w.h, w.max_step), w.t_stop - t
    h = planned
    ends = is_last(w, h) > 0
    if ends:
        h = rest
    if m[RadauInteger.PREDICTS] == 0 and w.t_output < t + h and m.steps > 0:
        ends = False  # nothing tells how accurate the polynomial of a first step is
        h = max(h / GROW, min(h, RESOLVED * smallest_step(w)))
    rejected = 0
    error = 0.0
    while True:
        found = solve_step(n, w, m, ode, t, h)
        factor = 0.5
        safety = SAFETY * (2 * ITERATIONS + 1) / (2 * ITERATIONS + max(found, 1))
        if found > 0:
            again = int(rejected > 0 or m[RadauInteger.PREDICTS] == 0)
            if w.t_output < t + h and h > RESOLVED * smallest_step(w):
                again = 0
            error = step_error(n, w, m, ode, t, h, again)
            if error <= 1.0 and w.t_output < t + h and m[RadauInteger.PREDICTS] > 0:
                error = max(error, error_within(n, w, m, ode, t, h) / INACCURATE)
            if error <= 1.0:
                break
            factor = max(SHRINK, safety * error**-0.25) if isfinite(error) else 0.1
        m.rejected += 1
        rejected += 1
        ends = False
        h *= factor
        if h < smallest_step(w):
            go_back(n, w)
            if found < 0 or not isfinite(error):
                return Status.NOT_FINITE
            return Status.NO_CONVERGENCE if found == 0 else Status.STEP_TOO_SMALL
    t_new = w.t_stop if ends else t + h
    finish_step(n, w, m, ode, t_new)
    if ode.project is not None:
        x, x_old = tail(w, HEAD + Vec.X * n), tail(w, HEAD + Vec.X_OLD * n)
        for i in lanes(n):
            z[(STAGES - 1) * n + i] = x[i] - x_old[i]
    w.t_old = t
    w.t = t_new
    choose_next(w, m, ode, h, max(error, 1e-10), safety, rejected)
    if ends:
        w.h = max(w.h, planned)
    w[RadauReal.H_OLD] = h
    m[RadauInteger.PREDICTS] = 1
    m[RadauInteger.FRESH] = 1 if w[RadauReal.RATE] < SLOW else 0
    return Status.GOING


@kernel(inline=False)
def choose_next(
    w: Work, m: Counts, ode: Ode, h: Float, error: Float, safety: Float, rejected: Int
) -> None:
    """Choose the size of the next step; Gustafsson's, from the errors of two steps.

    It stays as it is where growing would not pay for another factorisation.
    """
    factor = safety * error**-0.25
    if m[RadauInteger.PREDICTS] > 0 and rejected == 0:
        trend = h / w[RadauReal.H_OLD] * (w[RadauReal.ERROR_OLD] / error) ** 0.25
        factor = min(factor, factor * trend)
    factor = min(GROW, max(SHRINK, factor))
    if rejected > 0:
        factor = min(factor, 1.0)
    w[RadauReal.ERROR_OLD] = max(error, 1e-2)
    if ode.armature_response is None and factor >= 1.0 and factor <= KEEP:
        factor = 1.0
    w.h = h * factor


@kernel
def prepare(n: Int, w: Work, m: Counts, ode: Ode) -> None:
    """Do nothing: the stages are the interpolating polynomial."""


@kernel
def interpolate(n: Int, w: Work, m: Counts, t: Float, row: Floats) -> None:
    """Write the state at a time within the last step, by the collocation polynomial."""
    place = (t - w.t_old) / (w.t - w.t_old)
    first, second, last = basis(0, place), basis(1, place), basis(2, place)
    x, z = tail(w, HEAD + Vec.X_OLD * n), tail(w, HEAD + RadauVec.Z * n)
    for i in lanes(n):
        row[i] = x[i] + first * z[i] + second * z[n + i] + last * z[2 * n + i]


METHOD = make_method(
    "radau",
    "Radau IIA, order 5",
    order=5,
    first_order=3,
    vectors=RadauVec.COUNT,
    extra=lambda n: 2 * n * n,
    attempt=attempt,
    prepare=prepare,
    interpolate=interpolate,
    uses_jacobian=True,
    solves_along_freedoms=True,
)
