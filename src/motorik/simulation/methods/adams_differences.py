"""One step of the Adams method in terms of its modified divided differences."""

from __future__ import annotations

from math import fabs

from motorik.compiler.kernels import Float, Floats, Int, kernel, lanes, tail
from motorik.simulation.methods.adams_formulas import ERROR, AdamsInteger, AdamsTable
from motorik.simulation.stepping.norm import error_norm, weigh
from motorik.simulation.stepping.workspace import HEAD, Counts, Ode, Vec, Work


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
    COUNT = PHI + 15


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


@kernel
def prepare(n: Int, w: Work, m: Counts, ode: Ode) -> None:
    """Do nothing: the differences are what the interpolation needs."""


@kernel
def interpolate(n: Int, w: Work, m: Counts, t: Float, row: Floats) -> None:
    """Write the state at a time within the last step: the integral of the differences."""
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
