"""Steps of fixed size: counted from a base time, so that rounding does not add up."""

from __future__ import annotations

from math import isfinite

from motorik.compiler.kernels.kernel import (
    Float,
    Floats,
    Function,
    Int,
    Ints,
    Kernel,
    kernel,
    lanes,
    tail,
)
from motorik.simulation.methods.common import copy, finish_step
from motorik.simulation.methods.driver import Method, make_method
from motorik.simulation.methods.workspace import (
    FIXED_COUNT,
    GOING,
    HEAD,
    NOT_FINITE,
    T_BASE,
    T_OLD,
    T_STOP,
    X_OLD,
    F,
    H,
    K,
    T,
    X,
)

NEARLY = 1e-9  # part of a step by which the last one may be longer


@kernel
def prepare(n: Int, w: Floats, m: Ints, rhs: Function, p: Floats) -> None:
    """Do nothing: both ends and their rates are all that the interpolation needs."""


@kernel
def interpolate(n: Int, w: Floats, m: Ints, t: Float, row: Floats) -> None:
    """Write the state at a time within the last step: Hermite's cubic, of order 3."""
    h = w[T] - w[T_OLD]
    theta = (t - w[T_OLD]) / h
    rest = 1.0 - theta
    x, x_old = tail(w, HEAD + X * n), tail(w, HEAD + X_OLD * n)
    f, f_old = tail(w, HEAD + F * n), tail(w, HEAD + K * n)
    for i in lanes(n):
        change = x[i] - x_old[i]
        left, right = h * f_old[i] - change, change - h * f[i]
        row[i] = x_old[i] + theta * (change + rest * (rest * left + theta * right))


def make_fixed_method(
    name: str, title: str, *, order: int, take_step: Kernel[..., None], vectors: int
) -> Method:
    """Return a method of fixed step size.

    `take_step(n, w, m, rhs, p, t, h)` goes from X_OLD with the rate K to X.
    """

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
        x, x_old = tail(w, HEAD + X * n), tail(w, HEAD + X_OLD * n)
        f, f_old = tail(w, HEAD + F * n), tail(w, HEAD + K * n)
        for i in lanes(n):
            x_old[i] = x[i]
            f_old[i] = f[i]
        m[FIXED_COUNT] += 1
        t = w[T]
        t_new = w[T_BASE] + m[FIXED_COUNT] * w[H]
        if t_new >= w[T_STOP] - NEARLY * w[H]:
            t_new = w[T_STOP]
            w[T_BASE] = t_new
            m[FIXED_COUNT] = 0
        take_step(n, w, m, rhs, p, t, t_new - t)
        finish_step(n, w, m, rhs, project, p, t_new)
        total = 0.0
        for i in lanes(n):
            total += f[i] * 0.0 + x[i] * 0.0
        if not isfinite(total):
            copy(n, x_old, x)
            copy(n, f_old, f)
            return NOT_FINITE
        w[T_OLD] = t
        w[T] = t_new
        return GOING

    return make_method(
        name,
        title,
        order=order,
        vectors=vectors,
        attempt=attempt,
        prepare=prepare,
        interpolate=interpolate,
        adaptive=False,
    )


@kernel
def move(n: Int, start: Floats, h: Float, rate: Floats, end: Floats) -> None:
    """Compute end = start + h · rate."""
    for i in lanes(n):
        end[i] = start[i] + h * rate[i]
