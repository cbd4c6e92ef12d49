"""The classical Runge–Kutta method of order 4, with fixed step size."""

from __future__ import annotations

from motorik.compiler.kernels.kernel import (
    Float,
    Floats,
    Function,
    Int,
    Ints,
    kernel,
    lanes,
    tail,
)
from motorik.simulation.methods.common import evaluate
from motorik.simulation.methods.fixed import make_fixed_method, move
from motorik.simulation.methods.workspace import HEAD, STAGE, X_OLD, K, X


@kernel
def take_step(
    n: Int, w: Floats, m: Ints, rhs: Function, p: Floats, t: Float, h: Float
) -> None:
    """Compute x = x_old + h/6 (k₁ + 2 k₂ + 2 k₃ + k₄), Kutta 1901."""
    x = tail(w, HEAD + X * n)
    x_old = tail(w, HEAD + X_OLD * n)
    stage = tail(w, HEAD + STAGE * n)
    k1 = tail(w, HEAD + K * n)
    k2 = tail(k1, n)
    k3 = tail(k2, n)
    k4 = tail(k3, n)
    move(n, x_old, 0.5 * h, k1, stage)
    evaluate(w, m, rhs, p, t + 0.5 * h, stage, k2)
    move(n, x_old, 0.5 * h, k2, stage)
    evaluate(w, m, rhs, p, t + 0.5 * h, stage, k3)
    move(n, x_old, h, k3, stage)
    evaluate(w, m, rhs, p, t + h, stage, k4)
    for i in lanes(n):
        x[i] = x_old[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i])


RK4 = make_fixed_method(
    "rk4", "Runge–Kutta of order 4, fixed step", order=4, take_step=take_step, vectors=K + 4
)
