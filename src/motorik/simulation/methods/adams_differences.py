"""One step of the Adams method in terms of its modified divided differences."""

from __future__ import annotations

from math import fabs

from motorik.compiler.kernels import Float, Floats, Int, Ints, kernel, lanes, tail
from motorik.simulation.methods.adams_formulas import (
    BETA,
    ERROR,
    ORDER_OLD,
    PSI,
    ROW,
    SIGMA,
    G,
    U,
)
from motorik.simulation.methods.arguments import Ode
from motorik.simulation.methods.norm import error_norm, weigh
from motorik.simulation.methods.workspace import (
    BY_RANGE,
    HEAD,
    LOCAL_ERROR,
    OWN,
    STAGE,
    X_OLD,
    F,
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
PREDICTED = K
PHI = K  # φᵢ at PHI + i: fourteen vectors behind PREDICTED
VECTORS = PHI + 15


@kernel(inline=False)
def norm(
    n: Int, w: Floats, m: Ints, ode: Ode, t: Float, which: Int, sign: Float, part: Float
) -> Float:
    """Return `part` ‖sign φ + f − φ₁‖ in units of the tolerance, φ being a difference.

    It is an error of the corrected state, at the time t.
    """
    phi, f = tail(w, HEAD + PHI * n), tail(w, HEAD + F * n)
    phi1, phi_k = tail(phi, n), tail(phi, which * n)
    error = tail(w, HEAD + LOCAL_ERROR * n)
    for i in lanes(n):
        error[i] = sign * phi_k[i] + f[i] - phi1[i]
    return error_norm(n, w, m, ode, t, tail(w, HEAD + STAGE * n), error, part)


@kernel(inline=False)
def predict(n: Int, w: Floats, k: Int, equal: Int, h: Float) -> None:
    """Rescale the differences, extrapolate them, and integrate over the step."""
    rows = tail(w, HEAD + VECTORS * n)
    beta = tail(rows, BETA * ROW)
    g = tail(rows, G * ROW)
    phi = tail(w, HEAD + PHI * n)
    predicted = tail(w, HEAD + PREDICTED * n)
    x_old = tail(w, HEAD + X_OLD * n)
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
def step_back(n: Int, w: Floats, k: Int, h: Float) -> None:
    """Undo `predict` after a step that was not good enough."""
    rows = tail(w, HEAD + VECTORS * n)
    beta = tail(rows, BETA * ROW)
    psi = tail(rows, PSI * ROW)
    phi = tail(w, HEAD + PHI * n)
    for i in range(1, k + 1):
        for l in lanes(n):
            phi[i * n + l] = (phi[i * n + l] - phi[(i + 1) * n + l]) / beta[i]
    for i in range(2, k + 1):
        psi[i - 1] = psi[i] - h


@kernel(inline=False)
def estimate(n: Int, w: Floats, m: Ints, ode: Ode, t: Float, k: Int, h: Float) -> Float:
    """Return the error of the step to t; estimate those at the orders k, k − 1 and k − 2."""
    rows = tail(w, HEAD + VECTORS * n)
    sigma = tail(rows, SIGMA * ROW)
    g = tail(rows, G * ROW)
    x_old = tail(w, HEAD + X_OLD * n)
    if m[BY_RANGE] > 0:
        predicted, f = tail(w, HEAD + PREDICTED * n), tail(w, HEAD + F * n)
        phi1, corrected = tail(w, HEAD + (PHI + 1) * n), tail(w, HEAD + STAGE * n)
        for i in lanes(n):
            corrected[i] = predicted[i] + h * g[k + 1] * (f[i] - phi1[i])
        weigh(n, w, m, ode, t, h, x_old, corrected)
    else:
        weigh(n, w, m, ode, t, h, x_old, x_old)
    w[ERROR_BELOW] = 0.0
    w[ERROR_TWO_BELOW] = 0.0
    if k > 2:
        part = h * sigma[k - 1] * ERROR[k - 2]
        w[ERROR_TWO_BELOW] = norm(n, w, m, ode, t, k - 1, 1.0, part)
    if k > 1:
        w[ERROR_BELOW] = norm(n, w, m, ode, t, k, 1.0, h * sigma[k] * ERROR[k - 1])
    size = h * (g[k] - g[k + 1])
    error = norm(n, w, m, ode, t, 1, 0.0, size)
    w[ERROR_NOW] = error * fabs(h * sigma[k + 1] * ERROR[k] / size)
    return error


@kernel(inline=False)
def correct(n: Int, w: Floats, k: Int, h: Float) -> None:
    """Compute x from the prediction and the rate there, one order higher."""
    g = tail(w, HEAD + VECTORS * n + G * ROW)
    x = tail(w, HEAD + X * n)
    predicted = tail(w, HEAD + PREDICTED * n)
    f = tail(w, HEAD + F * n)
    phi1 = tail(w, HEAD + (PHI + 1) * n)
    for l in lanes(n):
        x[l] = predicted[l] + h * g[k + 1] * (f[l] - phi1[l])


@kernel(inline=False)
def update_differences(n: Int, w: Floats, k: Int) -> None:
    """Bring the differences up to the rate at the end of the step."""
    phi = tail(w, HEAD + PHI * n)
    f = tail(w, HEAD + F * n)
    for l in lanes(n):
        phi[(k + 1) * n + l] = f[l] - phi[n + l]
        phi[(k + 2) * n + l] = phi[(k + 1) * n + l] - phi[(k + 2) * n + l]
    for i in range(1, k + 1):
        for l in lanes(n):
            phi[i * n + l] += phi[(k + 1) * n + l]


@kernel
def prepare(n: Int, w: Floats, m: Ints, ode: Ode) -> None:
    """Do nothing: the differences are what the interpolation needs."""


@kernel
def interpolate(n: Int, w: Floats, m: Ints, t: Float, row: Floats) -> None:
    """Write the state at a time within the last step: the integral of the differences."""
    rows = tail(w, HEAD + VECTORS * n)
    psi = tail(rows, PSI * ROW)
    phi = tail(w, HEAD + PHI * n)
    u = tail(rows, U * ROW)
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
    x = tail(w, HEAD + X * n)
    for l in lanes(n):
        row[l] = x[l] + h * row[l]
