"""Adams–Bashforth–Moulton with variable order 1 to 12: few evaluations for smooth motion.

Shampine, Gordon 1975: predict, evaluate, correct one order higher, evaluate. Two
evaluations a step at any order, where a Runge–Kutta method needs as many as it has stages.
"""

from __future__ import annotations

from math import fabs, isfinite, sqrt

from motorik.compiler.kernels import Float, Floats, Int, kernel, lanes, tail
from motorik.simulation.driver import make_method
from motorik.simulation.stepping.norm import error_norm, weigh
from motorik.simulation.stepping.step_kernels import (
    copy,
    evaluate,
    finish_step,
    fit_step,
    smallest_step,
)
from motorik.simulation.stepping.workspace import HEAD, Counts, Ode, Status, Vec, Work

# --- formulas ------------------------------------------------------------------------------
# Coefficients for steps of unequal size. Shampine, Gordon 1975, ch. 5: the past is kept as
# modified divided differences φ₁ … φₖ₊₂ of the rates, which change their scale with the step
# size. Indices count from 1 as there.


class AdamsInteger:
    """Integers of the method in `m`."""

    ORDER = Counts.method  # of the next step; 0 before the first
    ORDER_OLD = ORDER + 1  # of the last step
    EQUAL_STEPS = ORDER + 2  # steps with the present size, counting the next one
    RISING = ORDER + 3  # 1 while order and step size are still raised from the start


class AdamsTable:
    """Coefficients of the formulas: tables of `SIZE` numbers each, behind the vectors."""

    PSI = 0  # ψᵢ: distance from the new time back over i steps
    ALPHA = 1  # αᵢ = h / ψᵢ
    BETA = 2  # βᵢ: change of scale of φᵢ
    SIGMA = 3  # σᵢ: weight of the error of order i
    V = 4  # integrals for steps of equal size …
    U = 5  # … and those being worked on
    G = 6  # gᵢ: weight of φᵢ in the integral over the step
    COUNT = 7
    SIZE = 16


HIGHEST = 12
# error of the Adams–Moulton formula of order k for steps of equal size
ERROR = (
    0.0, 0.5, 0.0833, 0.0417, 0.0264, 0.0188, 0.0143, 0.0114, 0.00936, 0.00789, 0.00679,
    0.00592, 0.00524, 0.00468,
)  # fmt: skip


@kernel
def start_formulas(rows: Floats) -> None:
    """Set what is the same for all formulas."""
    tail(rows, AdamsTable.G * AdamsTable.SIZE)[1] = 1.0
    tail(rows, AdamsTable.G * AdamsTable.SIZE)[2] = 0.5
    tail(rows, AdamsTable.SIGMA * AdamsTable.SIZE)[1] = 1.0


@kernel(inline=False)
def make_formulas(rows: Floats, m: Counts, h: Float, h_old: Float) -> None:
    """Compute α, β, σ, ψ and g for the next step, as far as they change."""
    psi = tail(rows, AdamsTable.PSI * AdamsTable.SIZE)
    alpha = tail(rows, AdamsTable.ALPHA * AdamsTable.SIZE)
    beta = tail(rows, AdamsTable.BETA * AdamsTable.SIZE)
    sigma = tail(rows, AdamsTable.SIGMA * AdamsTable.SIZE)
    v = tail(rows, AdamsTable.V * AdamsTable.SIZE)
    u = tail(rows, AdamsTable.U * AdamsTable.SIZE)
    g = tail(rows, AdamsTable.G * AdamsTable.SIZE)
    k = m[AdamsInteger.ORDER]
    if h != h_old:
        m[AdamsInteger.EQUAL_STEPS] = 0
    if m[AdamsInteger.EQUAL_STEPS] <= m[AdamsInteger.ORDER_OLD]:
        m[AdamsInteger.EQUAL_STEPS] += 1
    equal = m[AdamsInteger.EQUAL_STEPS]
    if k < equal:
        return
    beta[equal] = 1.0
    alpha[equal] = 1.0 / equal
    sigma[equal + 1] = 1.0
    distance = h * equal
    for i in range(equal + 1, k + 1):
        psi_old = psi[i - 1]
        psi[i - 1] = distance
        beta[i] = beta[i - 1] * psi[i - 1] / psi_old
        distance = psi_old + h
        alpha[i] = h / distance
        sigma[i + 1] = i * alpha[i] * sigma[i]
    psi[k] = distance
    integrate_formulas(k, equal, m[AdamsInteger.ORDER_OLD], alpha, v, u, g)


@kernel
def integrate_formulas(
    k: Int, equal: Int, k_old: Int, alpha: Floats, v: Floats, u: Floats, g: Floats
) -> None:
    """Compute the integrals gᵢ by recursion over repeated ones."""
    if equal <= 1:
        for q in range(1, k + 1):
            v[q] = 1.0 / (q * (q + 1))
            u[q] = v[q]
    else:
        if k > k_old:  # the order was raised: one more integral is needed
            v[k] = 1.0 / (k * (k + 1))
            for j in range(1, equal - 1):
                v[k - j] -= alpha[j + 1] * v[k - j + 1]
        for q in range(1, k + 2 - equal):
            v[q] -= alpha[equal] * v[q + 1]
            u[q] = v[q]
        g[equal + 1] = u[1]
    for i in range(equal + 2, k + 2):
        for q in range(1, k + 3 - i):
            u[q] -= alpha[i - 1] * u[q + 1]
        g[i] = u[1]


# --- differences ---------------------------------------------------------------------------


class AdamsReal:
    """Numbers of the method in the head of `w`."""

    H_OLD = Work.method  # size of the last step
    ERROR_NOW = H_OLD + 1  # error estimates at the present order, one and two below
    ERROR_BELOW = H_OLD + 2
    ERROR_TWO_BELOW = H_OLD + 3


class AdamsVec:
    """Vectors of the method."""

    PREDICTED = Vec.K
    PHI = Vec.K  # φᵢ at PHI + i: fourteen vectors behind PREDICTED
    MISSED = PHI + 15  # by the integral of the differences, where the last step began
    COUNT = MISSED + 1


@kernel(inline=False)
def norm(
    n: Int, w: Work, m: Counts, ode: Ode, t: Float, which: Int, sign: Float, part: Float
) -> Float:
    """Return `part` ‖sign φ + f − φ₁‖ in units of the tolerance, φ being a difference.

    It is an error of the corrected state, at the time t.
    """
    phi, f = tail(w, HEAD + AdamsVec.PHI * n), tail(w, HEAD + Vec.F * n)
    phi1, phi_k = tail(phi, n), tail(phi, which * n)
    error = tail(w, HEAD + Vec.LOCAL_ERROR * n)
    for i in lanes(n):
        error[i] = sign * phi_k[i] + f[i] - phi1[i]
    return error_norm(n, w, m, ode, t, tail(w, HEAD + Vec.STAGE * n), error, part)


@kernel(inline=False)
def predict(n: Int, w: Work, k: Int, equal: Int, h: Float) -> None:
    """Rescale the differences, extrapolate them, and integrate over the step."""
    rows = tail(w, HEAD + AdamsVec.COUNT * n)
    beta = tail(rows, AdamsTable.BETA * AdamsTable.SIZE)
    g = tail(rows, AdamsTable.G * AdamsTable.SIZE)
    phi = tail(w, HEAD + AdamsVec.PHI * n)
    predicted = tail(w, HEAD + AdamsVec.PREDICTED * n)
    x_old = tail(w, HEAD + Vec.X_OLD * n)
    for i in range(equal + 1, k + 1):
        for l in lanes(n):
            phi[i * n + l] *= beta[i]
    for l in lanes(n):
        phi[(k + 2) * n + l] = phi[(k + 1) * n + l]
        phi[(k + 1) * n + l] = 0.0
        predicted[l] = 0.0
    for i in range(k, 0, -1):
        for l in lanes(n):
            predicted[l] += g[i] * phi[i * n + l]
            phi[i * n + l] += phi[(i + 1) * n + l]
    for l in lanes(n):
        predicted[l] = x_old[l] + h * predicted[l]


@kernel(inline=False)
def step_back(n: Int, w: Work, k: Int, h: Float) -> None:
    """Undo `predict` after a step that was not good enough."""
    rows = tail(w, HEAD + AdamsVec.COUNT * n)
    beta = tail(rows, AdamsTable.BETA * AdamsTable.SIZE)
    psi = tail(rows, AdamsTable.PSI * AdamsTable.SIZE)
    phi = tail(w, HEAD + AdamsVec.PHI * n)
    for i in range(1, k + 1):
        for l in lanes(n):
            phi[i * n + l] = (phi[i * n + l] - phi[(i + 1) * n + l]) / beta[i]
    for i in range(2, k + 1):
        psi[i - 1] = psi[i] - h


@kernel(inline=False)
def estimate(n: Int, w: Work, m: Counts, ode: Ode, t: Float, k: Int, h: Float) -> Float:
    """Return the error of the step to t; estimate those at the orders k, k − 1 and k − 2."""
    rows = tail(w, HEAD + AdamsVec.COUNT * n)
    sigma = tail(rows, AdamsTable.SIGMA * AdamsTable.SIZE)
    g = tail(rows, AdamsTable.G * AdamsTable.SIZE)
    x_old = tail(w, HEAD + Vec.X_OLD * n)
    if m.by_range > 0:
        predicted, f = tail(w, HEAD + AdamsVec.PREDICTED * n), tail(w, HEAD + Vec.F * n)
        phi1, corrected = (
            tail(w, HEAD + (AdamsVec.PHI + 1) * n),
            tail(w, HEAD + Vec.STAGE * n),
        )
        for i in lanes(n):
            corrected[i] = predicted[i] + h * g[k + 1] * (f[i] - phi1[i])
        weigh(n, w, m, ode, t, h, x_old, corrected)
    else:
        weigh(n, w, m, ode, t, h, x_old, x_old)
    w[AdamsReal.ERROR_BELOW] = 0.0
    w[AdamsReal.ERROR_TWO_BELOW] = 0.0
    if k > 2:
        part = h * sigma[k - 1] * ERROR[k - 2]
        w[AdamsReal.ERROR_TWO_BELOW] = norm(n, w, m, ode, t, k - 1, 1.0, part)
    if k > 1:
        w[AdamsReal.ERROR_BELOW] = norm(
            n, w, m, ode, t, k, 1.0, h * sigma[k] * ERROR[k - 1]
        )
    size = h * (g[k] - g[k + 1])
    error = norm(n, w, m, ode, t, 1, 0.0, size)
    w[AdamsReal.ERROR_NOW] = error * fabs(h * sigma[k + 1] * ERROR[k] / size)
    return error


@kernel(inline=False)
def correct(n: Int, w: Work, k: Int, h: Float) -> None:
    """Compute x from the prediction and the rate there, one order higher."""
    g = tail(w, HEAD + AdamsVec.COUNT * n + AdamsTable.G * AdamsTable.SIZE)
    x = tail(w, HEAD + Vec.X * n)
    predicted = tail(w, HEAD + AdamsVec.PREDICTED * n)
    f = tail(w, HEAD + Vec.F * n)
    phi1 = tail(w, HEAD + (AdamsVec.PHI + 1) * n)
    for l in lanes(n):
        x[l] = predicted[l] + h * g[k + 1] * (f[l] - phi1[l])


@kernel(inline=False)
def update_differences(n: Int, w: Work, k: Int) -> None:
    """Bring the differences up to the rate at the end of the step."""
    phi = tail(w, HEAD + AdamsVec.PHI * n)
    f = tail(w, HEAD + Vec.F * n)
    for l in lanes(n):
        phi[(k + 1) * n + l] = f[l] - phi[n + l]
        phi[(k + 2) * n + l] = phi[(k + 1) * n + l] - phi[(k + 2) * n + l]
    for i in range(1, k + 1):
        for l in lanes(n):
            phi[i * n + l] += phi[(k + 1) * n + l]


@kernel(inline=False)
def integrate_back(n: Int, w: Work, m: Counts, t: Float, row: Floats) -> None:
    """Write the state at a time within the last step, by the integral of the differences."""
    rows = tail(w, HEAD + AdamsVec.COUNT * n)
    psi = tail(rows, AdamsTable.PSI * AdamsTable.SIZE)
    phi = tail(w, HEAD + AdamsVec.PHI * n)
    u = tail(rows, AdamsTable.U * AdamsTable.SIZE)
    k = m[AdamsInteger.ORDER_OLD] + 1
    h = t - w.t
    for q in range(1, k + 1):
        u[q] = 1.0 / q
    for l in lanes(n):
        row[l] = phi[n + l]
    term = 0.0
    for j in range(2, k + 1):
        gamma = (h + term) / psi[j - 1]
        eta = h / psi[j - 1]
        for q in range(1, k + 2 - j):
            u[q] = gamma * u[q] - eta * u[q + 1]
        for l in lanes(n):
            row[l] += u[1] * phi[j * n + l]
        term = psi[j - 1]
    x = tail(w, HEAD + Vec.X * n)
    for l in lanes(n):
        row[l] = x[l] + h * row[l]


@kernel
def prepare(n: Int, w: Work, m: Counts, ode: Ode) -> None:
    """Find by how much the integral of the differences misses the state where the step began."""
    missed = tail(w, HEAD + AdamsVec.MISSED * n)
    integrate_back(n, w, m, float(w.t_old), missed)
    x_old = tail(w, HEAD + Vec.X_OLD * n)
    for i in lanes(n):
        missed[i] -= x_old[i]


@kernel
def interpolate(n: Int, w: Work, m: Counts, t: Float, row: Floats) -> None:
    """Write the state at a time within the last step: the integral, led to both ends.

    Rates alone say little of what is left of a mode that has decayed.
    """
    integrate_back(n, w, m, t, row)
    missed = tail(w, HEAD + AdamsVec.MISSED * n)
    part = (w.t - t) / (w.t - w.t_old)
    for i in lanes(n):
        row[i] -= part * missed[i]


# --- the method ----------------------------------------------------------------------------


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
