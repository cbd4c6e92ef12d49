"""Dormand–Prince 5(4): seven stages, the last of which is the first of the next step."""

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
from motorik.simulation.methods.common import evaluate, put_back
from motorik.simulation.methods.control import make_attempt
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

# Dormand, Prince 1980: nodes and stages after the first, weights of order 5, and their
# difference from those of order 4
C = (1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0)
A = (
    (1 / 5,),
    (3 / 40, 9 / 40),
    (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
)
B = (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84)
E = (71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40)
# fourth-order interpolation, Hairer, Nørsett, Wanner 1993, §II.6
D = (
    -12715105075 / 11282082432,
    0.0,
    87487479700 / 32700410799,
    -10690763975 / 1880347072,
    701980252875 / 199316789632,
    -1453857185 / 822651844,
    69997945 / 29380423,
)
STAGES = 6
DENSE = K + STAGES  # from here: four vectors of the interpolation
NOTICEABLE = 1e-3  # a projection by less than this part of the tolerance keeps the rate


@kernel
def try_step(
    n: Int, w: Floats, m: Ints, rhs: Function, p: Floats, t: Float, h: Float
) -> Float:
    """Go from X_OLD to X by a step h; return the error in units of the tolerance."""
    x = tail(w, HEAD + X * n)
    x_old = tail(w, HEAD + X_OLD * n)
    stage = tail(w, HEAD + STAGE * n)
    k = tail(w, HEAD + K * n)
    f = tail(w, HEAD + F * n)
    for s in unroll(len(A)):
        for i in lanes(n):
            slope = A[s][0] * k[i]
            for j in unroll(1, s + 1):
                slope += A[s][j] * k[j * n + i]
            stage[i] = x_old[i] + h * slope
        evaluate(w, m, rhs, p, t + C[s] * h, stage, tail(k, (s + 1) * n))
    for i in lanes(n):
        slope = B[0] * k[i]
        for j in unroll(2, STAGES):
            slope += B[j] * k[j * n + i]
        x[i] = x_old[i] + h * slope
    evaluate(w, m, rhs, p, t + h, x, f)
    atol = tail(w, HEAD + ATOL * n)
    rtol = w[RTOL]
    total = 0.0
    for i in lanes(n):
        slope = E[0] * k[i] + E[STAGES] * f[i]
        for j in unroll(2, STAGES):
            slope += E[j] * k[j * n + i]
        ratio = h * slope / (atol[i] + rtol * max(fabs(x_old[i]), fabs(x[i])))
        total += ratio * ratio
    return sqrt(total / n)


@kernel
def finish(
    n: Int,
    w: Floats,
    m: Ints,
    rhs: Function,
    project: Function | None,
    p: Floats,
    t: Float,
) -> None:
    """Project the new state; its rate is known unless the projection moved it far."""
    if project is not None:
        x = tail(w, HEAD + X * n)
        if not put_back(n, w, m, project, p, t, x) < NOTICEABLE:
            evaluate(w, m, rhs, p, t, x, tail(w, HEAD + F * n))


@kernel
def prepare(n: Int, w: Floats, m: Ints, rhs: Function, p: Floats) -> None:
    """Compute the coefficients of the interpolation of the last step."""
    h = w[T] - w[T_OLD]
    x = tail(w, HEAD + X * n)
    x_old = tail(w, HEAD + X_OLD * n)
    k = tail(w, HEAD + K * n)
    f = tail(w, HEAD + F * n)
    d = tail(w, HEAD + DENSE * n)
    for i in lanes(n):
        slope = D[0] * k[i] + D[STAGES] * f[i]
        for j in unroll(2, STAGES):
            slope += D[j] * k[j * n + i]
        change = x[i] - x_old[i]
        bend = h * k[i] - change
        d[i] = change
        d[n + i] = bend
        d[2 * n + i] = change - h * f[i] - bend
        d[3 * n + i] = h * slope


@kernel
def interpolate(n: Int, w: Floats, m: Ints, t: Float, row: Floats) -> None:
    """Write the state at a time within the last step: the quartic through both ends."""
    theta = (t - w[T_OLD]) / (w[T] - w[T_OLD])
    rest = 1.0 - theta
    x_old = tail(w, HEAD + X_OLD * n)
    d = tail(w, HEAD + DENSE * n)
    for i in lanes(n):
        inner = d[n + i] + theta * (d[2 * n + i] + rest * d[3 * n + i])
        row[i] = x_old[i] + theta * (d[i] + rest * inner)


DOPRI5 = make_method(
    "dopri5",
    "Dormand–Prince 5(4)",
    order=5,
    vectors=DENSE + 4,
    attempt=make_attempt(
        try_step,
        finish,
        safety=0.85,
        exponent=0.17,
        damping=0.04,
        shrink=0.2,
        grow=10.0,
        last_stage=K + STAGES - 1,
        border=3.25,
    ),
    prepare=prepare,
    interpolate=interpolate,
)
