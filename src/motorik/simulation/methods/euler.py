"""Explicit Euler: the simplest method, of order 1, with fixed step size."""

from __future__ import annotations

from motorik.compiler.kernels.kernel import Float, Floats, Function, Int, Ints, kernel, tail
from motorik.simulation.methods.fixed import make_fixed_method, move
from motorik.simulation.methods.workspace import HEAD, X_OLD, K, X


@kernel
def take_step(
    n: Int, w: Floats, m: Ints, rhs: Function, p: Floats, t: Float, h: Float
) -> None:
    """Compute x = x_old + h f(t, x_old)."""
    x_old = tail(w, HEAD + X_OLD * n)
    move(n, x_old, h, tail(w, HEAD + K * n), tail(w, HEAD + X * n))


EULER = make_fixed_method(
    "euler", "explicit Euler, fixed step", order=1, take_step=take_step, vectors=K + 1
)
