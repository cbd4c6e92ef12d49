"""Adams–Bashforth–Moulton with variable order 1 to 12: few evaluations for smooth motion.

Shampine, Gordon 1975: predict, evaluate, correct one order higher, evaluate. Two
evaluations a step at any order, where a Runge–Kutta method needs as many as it has stages.
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
from motorik.simulation.methods.adams_formulas import (
    BETA,
    ERROR,
    HIGHEST,
    ORDER,
    ORDER_OLD,
    PSI,
    RISING,
    ROW,
    ROWS,
    SIGMA,
    EQUAL_STEPS,
    G,
    U,
    make_formulas,
    start_formulas,
)
from motorik.simulation.methods.common import (
    copy,
    evaluate,
    finish_step,
    fit_step,
    smallest_step,
)
from motorik.simulation.methods.driver import make_method
from motorik.simulation.methods.workspace import (
    ATOL,
    GOING,
    HEAD,
    NOT_FINITE,
    OWN,
    REJECTED,
    RTOL,
    STEP_TOO_SMALL,
    T_OLD,
    T_STOP,
    X_OLD,
    F,
    H,
    K,
    T,
    X,
)

# w, head
H_OLD = OWN  # size of the last step
ERROR_NOW = OWN + 1  # error estimates at the present order, one and two below
ERROR_BELOW = OWN + 2
ERROR_TWO_BELOW = OWN + 3

# w, vectors
WEIGHT = K  # 1 / tolerance of each state
PREDICTED = K + 1
PHI = K + 1  # φᵢ at PHI + i: fourteen vectors behind PREDICTED
VECTORS = PHI + 15


@kernel
def norm(n: Int, weight: Floats, a: Floats, b: Floats, c: Floats, sign: Float) -> Float:
    """Return ‖a + b − c‖ in units of the tolerance, or ‖b − c‖ with sign 0."""
    total = 0.0
    for i in lanes(n):
        ratio = (sign * a[i] + b[i] - c[i]) * weight[i]
        total += ratio * ratio
    return sqrt(total / n)


@kernel
def predict(n: Int, w: Floats, k: Int, equal: Int, h: Float) -> None:
    """Rescale the differences, extrapolate them, and integrate over the step."""
    rows = view(w, HEAD + VECTORS * n)
    beta = view(rows, BETA * ROW)
    g = view(rows, G * ROW)
    phi = view(w, HEAD + PHI * n)
    predicted = view(w, HEAD + PREDICTED * n)
    x_old = view(w, HEAD + X_OLD * n)
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


@kernel
def step_back(n: Int, w: Floats, k: Int, h: Float) -> None:
    """Undo `predict` after a step that was not good enough."""
    rows = view(w, HEAD + VECTORS * n)
    beta = view(rows, BETA * ROW)
    psi = view(rows, PSI * ROW)
    phi = view(w, HEAD + PHI * n)
    for i in range(1, k + 1):
        for l in lanes(n):
            phi[i * n + l] = (phi[i * n + l] - phi[(i + 1) * n + l]) / beta[i]
    for i in range(2, k + 1):
        psi[i - 1] = psi[i] - h


@kernel
def estimate(n: Int, w: Floats, k: Int, h: Float) -> Float:
    """Return the error of the step; estimate those at the orders k, k − 1 and k − 2."""
    rows = view(w, HEAD + VECTORS * n)
    sigma = view(rows, SIGMA * ROW)
    g = view(rows, G * ROW)
    phi = view(w, HEAD + PHI * n)
    phi1 = view(phi, n)
    weight = view(w, HEAD + WEIGHT * n)
    f = view(w, HEAD + F * n)
    w[ERROR_BELOW] = 0.0
    w[ERROR_TWO_BELOW] = 0.0
    if k > 2:
        size = norm(n, weight, view(phi, (k - 1) * n), f, phi1, 1.0)
        w[ERROR_TWO_BELOW] = h * sigma[k - 1] * ERROR[k - 2] * size
    if k > 1:
        size = norm(n, weight, view(phi, k * n), f, phi1, 1.0)
        w[ERROR_BELOW] = h * sigma[k] * ERROR[k - 1] * size
    size = h * norm(n, weight, phi1, f, phi1, 0.0)
    w[ERROR_NOW] = size * sigma[k + 1] * ERROR[k]
    return size * (g[k] - g[k + 1])


@kernel
def correct(n: Int, w: Floats, k: Int, h: Float) -> None:
    """Compute x from the prediction and the rate there, one order higher."""
    g = view(w, HEAD + VECTORS * n + G * ROW)
    x = view(w, HEAD + X * n)
    predicted = view(w, HEAD + PREDICTED * n)
    f = view(w, HEAD + F * n)
    phi1 = view(w, HEAD + (PHI + 1) * n)
    for l in lanes(n):
        x[l] = predicted[l] + h * g[k + 1] * (f[l] - phi1[l])


@kernel
def update_differences(n: Int, w: Floats, k: Int) -> None:
    """Bring the differences up to the rate at the end of the step."""
    phi = view(w, HEAD + PHI * n)
    f = view(w, HEAD + F * n)
    for l in lanes(n):
        phi[(k + 1) * n + l] = f[l] - phi[n + l]
        phi[(k + 2) * n + l] = phi[(k + 1) * n + l] - phi[(k + 2) * n + l]
    for i in range(1, k + 1):
        for l in lanes(n):
            phi[i * n + l] += phi[(k + 1) * n + l]


@kernel
def choose_next(n: Int, w: Floats, m: Ints, h: Float, lower: Int) -> None:
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
        phi = view(w, HEAD + PHI * n)
        above_phi = view(phi, (k + 2) * n)
        weight = view(w, HEAD + WEIGHT * n)
        above = h * ERROR[k + 1] * norm(n, weight, phi, above_phi, phi, 1.0)
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
    t = w[T]
    x = view(w, HEAD + X * n)
    x_old = view(w, HEAD + X_OLD * n)
    f = view(w, HEAD + F * n)
    phi = view(w, HEAD + PHI * n)
    rows = view(w, HEAD + VECTORS * n)
    weight = view(w, HEAD + WEIGHT * n)
    atol = view(w, HEAD + ATOL * n)
    rtol = w[RTOL]
    for i in lanes(n):
        x_old[i] = x[i]
        weight[i] = 1.0 / (atol[i] + rtol * fabs(x[i]))
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
        evaluate(w, m, rhs, p, t_new, view(w, HEAD + PREDICTED * n), f)
        error = estimate(n, w, k, h)
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
            copy(n, view(phi, n), f)
            return STEP_TOO_SMALL if isfinite(error) else NOT_FINITE
    m[ORDER_OLD] = k
    w[H_OLD] = h
    correct(n, w, k, h)
    finish_step(n, w, m, rhs, project, p, t_new)
    update_differences(n, w, k)
    w[T_OLD] = t
    w[T] = t_new
    choose_next(n, w, m, h, lower)
    return GOING


@kernel
def prepare(n: Int, w: Floats, m: Ints, rhs: Function, p: Floats) -> None:
    """Do nothing: the differences are what the interpolation needs."""


@kernel
def interpolate(n: Int, w: Floats, m: Ints, t: Float, row: Floats) -> None:
    """Write the state at a time within the last step: the integral of the differences."""
    rows = view(w, HEAD + VECTORS * n)
    psi = view(rows, PSI * ROW)
    phi = view(w, HEAD + PHI * n)
    u = view(rows, U * ROW)
    k = m[ORDER_OLD] + 1
    h = t - w[T]
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
    x = view(w, HEAD + X * n)
    for l in lanes(n):
        row[l] = x[l] + h * row[l]


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
