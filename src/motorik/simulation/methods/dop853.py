"""Dormand–Prince 8(5,3): twelve stages for order 8, two error estimates in one."""

from __future__ import annotations

from math import fabs, sqrt

from motorik.compiler.kernels.kernel import (
    Float,
    Floats,
    Function,
    Int,
    Ints,
    kernel,
    lanes,
    tail,
    unroll,
)
from motorik.simulation.methods.common import evaluate, finish_step
from motorik.simulation.methods.control import make_attempt
from motorik.simulation.methods.dop853_tables import (
    A_DENSE,
    C_DENSE,
    E3,
    E5,
    A,
    B,
    C,
    D,
)
from motorik.simulation.methods.driver import make_method
from motorik.simulation.methods.workspace import (
    ATOL,
    HEAD,
    RTOL,
    STAGE,
    T_OLD,
    X_OLD,
    F,
    K,
    T,
    X,
)

STAGES = 12
END = STAGES  # number of the rate at the end of the step, kept as F
DENSE = K + STAGES + 3  # from here: seven vectors of the interpolation


@kernel
def try_step(
    n: Int, w: Floats, m: Ints, rhs: Function, p: Floats, t: Float, h: Float
) -> Float:
    """Go from X_OLD to X by a step h; return the error in units of the tolerance."""
    x = tail(w, HEAD + X * n)
    x_old = tail(w, HEAD + X_OLD * n)
    stage = tail(w, HEAD + STAGE * n)
    k = tail(w, HEAD + K * n)
    for s in unroll(len(A)):
        for i in lanes(n):
            slope = A[s][0] * k[i]
            for j in unroll(1, s + 1):
                if A[s][j] != 0.0:
                    slope += A[s][j] * k[j * n + i]
            stage[i] = x_old[i] + h * slope
        evaluate(w, m, rhs, p, t + C[s] * h, stage, tail(k, (s + 1) * n))
    atol = tail(w, HEAD + ATOL * n)
    rtol = w[RTOL]
    fifth = 0.0
    third = 0.0
    for i in lanes(n):
        slope = B[0] * k[i]
        e3 = E3[0] * k[i]
        e5 = E5[0] * k[i]
        for j in unroll(1, STAGES):
            if B[j] != 0.0:
                slope += B[j] * k[j * n + i]
                e3 += E3[j] * k[j * n + i]
                e5 += E5[j] * k[j * n + i]
        x[i] = x_old[i] + h * slope
        scale = 1.0 / (atol[i] + rtol * max(fabs(x_old[i]), fabs(x[i])))
        fifth += (e5 * scale) * (e5 * scale)
        third += (e3 * scale) * (e3 * scale)
    # err = h e₅² / √(e₅² + e₃²/100): of order 8 in h, and wary of a small e₅ by chance
    both = fifth + 0.01 * third
    return h * fifth / sqrt(both * n) if both != 0.0 else 0.0


@kernel
def prepare(n: Int, w: Floats, m: Ints, rhs: Function, p: Floats) -> None:
    """Compute the coefficients of the interpolation of the last step: three stages more."""
    h = w[T] - w[T_OLD]
    x = tail(w, HEAD + X * n)
    x_old = tail(w, HEAD + X_OLD * n)
    stage = tail(w, HEAD + STAGE * n)
    k = tail(w, HEAD + K * n)
    f = tail(w, HEAD + F * n)
    d = tail(w, HEAD + DENSE * n)
    for s in unroll(len(C_DENSE)):
        for i in lanes(n):
            slope = A_DENSE[s][0] * k[i] + A_DENSE[s][END] * f[i]
            for j in unroll(1, len(A_DENSE[s])):
                if j != END and A_DENSE[s][j] != 0.0:
                    slope += A_DENSE[s][j] * k[(j if j < END else j - 1) * n + i]
            stage[i] = x_old[i] + h * slope
        evaluate(w, m, rhs, p, w[T_OLD] + C_DENSE[s] * h, stage, tail(k, (STAGES + s) * n))
    for i in lanes(n):
        change = x[i] - x_old[i]
        d[i] = change
        d[n + i] = h * k[i] - change
        d[2 * n + i] = 2.0 * change - h * (k[i] + f[i])
    for r in unroll(len(D)):
        for i in lanes(n):
            slope = D[r][0] * k[i] + D[r][END] * f[i]
            for j in unroll(1, len(D[r])):
                if j != END and D[r][j] != 0.0:
                    slope += D[r][j] * k[(j if j < END else j - 1) * n + i]
            d[(3 + r) * n + i] = h * slope


@kernel
def interpolate(n: Int, w: Floats, m: Ints, t: Float, row: Floats) -> None:
    """Write the state at a time within the last step: a polynomial of degree 7."""
    theta = (t - w[T_OLD]) / (w[T] - w[T_OLD])
    rest = 1.0 - theta
    x_old = tail(w, HEAD + X_OLD * n)
    d = tail(w, HEAD + DENSE * n)
    for i in lanes(n):
        high = d[3 * n + i] + theta * (
            d[4 * n + i] + rest * (d[5 * n + i] + theta * d[6 * n + i])
        )
        low = d[n + i] + theta * (d[2 * n + i] + rest * high)
        row[i] = x_old[i] + theta * (d[i] + rest * low)


DOP853 = make_method(
    "dop853",
    "Dormand–Prince 8(5,3)",
    order=8,
    vectors=DENSE + 7,
    attempt=make_attempt(
        try_step,
        finish_step,
        safety=0.75,
        exponent=0.119,
        damping=0.03,
        shrink=0.333,
        grow=6.0,
        last_stage=K + STAGES - 1,
        border=4.8,
    ),
    prepare=prepare,
    interpolate=interpolate,
)
