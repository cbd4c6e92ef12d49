"""Coefficients of the Adams formulas for steps of unequal size.

Shampine, Gordon 1975, ch. 5: the past is kept as modified divided differences φ₁ … φₖ₊₂ of
the rates, which change their scale with the step size. Indices count from 1 as there.
"""

from __future__ import annotations

from motorik.compiler.kernels import Float, Floats, Int, kernel, tail
from motorik.simulation.stepping.workspace import Counts


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
