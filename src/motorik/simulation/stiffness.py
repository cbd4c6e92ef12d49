"""Choice of method: explicit or implicit, by the dominant eigenvalue and by the cost.

Explicit steps at the border of stability have one of three reasons. Damping keeps them short:
backward differentiation goes further, and loses nothing. An oscillation with little damping keeps
them short: backward differentiation would damp it or be unstable; Radau IIA is A-stable and keeps
the energy that is in it to the tolerance, so it is taken for as long as it is cheaper. Or a fast
mode that is not excited does: nothing moves but with constant speed, and Radau IIA passes it by.
"""

from __future__ import annotations

from functools import cache
from math import fabs, isfinite, log, sqrt

import numpy as np
from numpy.typing import NDArray

from motorik.compiler.addresses import start_of
from motorik.compiler.kernels import (
    Float,
    Floats,
    Function,
    Int,
    kernel,
    lanes,
    native,
    tail,
)
from motorik.numerics.eigenvalues import largest_eigenvalue
from motorik.numerics.tolerances import EPSILON, KRYLOV_INVARIANT, SHAPE_FLOOR

Numbers = NDArray[np.float64]

UNDAMPED = 0.05  # −Re λ / |λ| below which there is no damping
OVERDAMPED = 0.8  # … and from which on nothing vibrates
A_STABLE = "radau"  # the method for what vibrates
PATIENCE = 100  # steps at the border of stability after which λ is estimated again
MOST_DOUBLINGS = 10  # of this patience
BETWEEN = 64  # steps of the implicit method before the costs of both are compared …
MOST_BETWEEN = 1024  # … again and again, each time after twice as many while it is cheaper
CHEAPER = 0.7  # part of its cost for which an explicit method is taken again …
TIMES = 4  # … at so many estimates in a row
RATE_COST = 50.0  # operations of a rate for each state, about
JACOBIAN_COST = 4.0  # rates that a Jacobian in native code costs, about
# explicit steps that are left: for fewer, another method is not tried on a vibration without
# damping; its code is little where it solves along the freedoms
MANY, MANY_ALONG_FREEDOMS = 5000, 1000
REST = 100.0  # tolerances: what has moved less rests
POWERS, ARNOLDI = 6, 14  # products with the matrix


class Krylov:
    """The memory of an estimate: its result, then the Hessenberg matrix, then vectors."""

    HESSENBERG = 2  # behind the real and the imaginary part of the eigenvalue
    VECTORS = HESSENBERG + (ARNOLDI + 1) * ARNOLDI
    FIRST = 0  # vectors: where the iteration begins; overwritten
    UNIT = 1  # of each state: the displacement that stands for 1
    RATE = 2  # at the state
    DISPLACED = 3  # state, and …
    DISPLACED_RATE = 4  # … its rate
    SHAPE = 5  # how large each state is in the dominant motion
    BASIS = 6  # of Arnoldi's method
    COUNT = BASIS + ARNOLDI + 1


def make_memory(n: int) -> Numbers:
    """Return the memory of an estimate for n states."""
    return np.zeros(Krylov.VECTORS + Krylov.COUNT * n)


@cache
def first_vector(n: int) -> Numbers:
    """Return the vector with which an estimate begins: no direction is left out."""
    return np.random.default_rng(0).standard_normal(n)


def estimate_eigenvalue(
    rhs: int, t: float, x: Numbers, p: Numbers, scale: Numbers, memory: Numbers
) -> tuple[complex, int]:
    """Return about the eigenvalue of largest size of ∂f/∂x, and the rates that it took.

    `rhs` is the address of the native function (t, x, p, ẋ), `scale` the size of each state.
    """
    n, start = x.size, Krylov.VECTORS
    memory[start : start + n] = first_vector(n)
    memory[start + n : start + 2 * n] = np.sqrt(EPSILON) * scale
    time = np.array([t])
    own = start_of(time), start_of(x), start_of(p), start_of(memory)
    count = native(dominant_eigenvalue).entry(n, rhs, *own)
    return complex(memory[0], memory[1]), count


@kernel
def length_of(n: Int, v: Floats) -> Float:
    """Return ‖v‖."""
    total = 0.0
    for i in lanes(n):
        total += v[i] * v[i]
    return sqrt(total)


@kernel(inline=False)
def times_jacobian(
    n: Int, rhs: Function, t: Floats, x: Floats, p: Floats, memory: Floats, v: Floats
) -> None:
    """Replace v by ∂f/∂x v in the units of the states, by a difference of rates."""
    own = tail(memory, Krylov.VECTORS)
    unit, rate = tail(own, Krylov.UNIT * n), tail(own, Krylov.RATE * n)
    near, other = tail(own, Krylov.DISPLACED * n), tail(own, Krylov.DISPLACED_RATE * n)
    for i in lanes(n):
        near[i] = x[i] + unit[i] * v[i]
    rhs(t, near, p, other)
    for i in lanes(n):
        v[i] = (other[i] - rate[i]) / unit[i]


@kernel(inline=False)
def find_shape(
    n: Int, rhs: Function, t: Floats, x: Floats, p: Floats, memory: Floats
) -> Int:
    """Write how large the states are in the dominant motion; return 0 if there is none."""
    own = tail(memory, Krylov.VECTORS)
    v, shape = tail(own, Krylov.FIRST * n), tail(own, Krylov.SHAPE * n)
    for i in lanes(n):
        shape[i] = 0.0
    for k in range(POWERS):
        size = length_of(n, v)
        for i in lanes(n):
            v[i] /= size
            shape[i] += v[i] * v[i] if k > 0 else 0.0
        times_jacobian(n, rhs, t, x, p, memory, v)
        size = length_of(n, v)
        if not (size > 0.0 and isfinite(size)):
            return 0
    largest = 0.0
    for i in range(n):
        shape[i] = sqrt(shape[i] / (POWERS - 1.0))
        largest = max(largest, float(shape[i]))
    for i in lanes(n):
        shape[i] += SHAPE_FLOOR * largest
    return 1


@kernel(inline=False)
def extend_basis(
    n: Int, k: Int, rhs: Function, t: Floats, x: Floats, p: Floats, memory: Floats
) -> Float:
    """Extend the basis by vector k + 1 and the Hessenberg matrix by column k; return its last."""
    own, h = tail(memory, Krylov.VECTORS), tail(memory, Krylov.HESSENBERG)
    shape, basis = tail(own, Krylov.SHAPE * n), tail(own, Krylov.BASIS * n)
    v, last = tail(basis, (k + 1) * n), tail(basis, k * n)
    for i in lanes(n):
        v[i] = last[i] * shape[i]
    size = length_of(n, v)
    for i in lanes(n):
        v[i] /= size
    times_jacobian(n, rhs, t, x, p, memory, v)
    for i in lanes(n):
        v[i] *= size / shape[i]
    for row in range(k + 1):
        h[row * ARNOLDI + k] = 0.0
    for _ in range(2):  # the second pass removes the rounding of the first
        for row in range(k + 1):
            other, part = tail(basis, row * n), 0.0
            for i in lanes(n):
                part += other[i] * v[i]
            h[row * ARNOLDI + k] += part
            for i in lanes(n):
                v[i] -= part * other[i]
    size = length_of(n, v)
    h[(k + 1) * ARNOLDI + k] = size
    return size


@kernel
def dominant_eigenvalue(
    n: Int, rhs: Function, t: Floats, x: Floats, p: Floats, memory: Floats
) -> Int:
    """Write about the eigenvalue of largest size of ∂f/∂x; return its products with vectors.

    A few powers show how large coordinates and speeds are in its motion; in these units,
    Arnoldi's method finds it, and with it whether it oscillates or decays. 0 if there is none.
    """
    own, h = tail(memory, Krylov.VECTORS), tail(memory, Krylov.HESSENBERG)
    v, shape = tail(own, Krylov.FIRST * n), tail(own, Krylov.SHAPE * n)
    basis = tail(own, Krylov.BASIS * n)
    memory[0] = 0.0
    memory[1] = 0.0
    rhs(t, x, p, tail(own, Krylov.RATE * n))
    if find_shape(n, rhs, t, x, p, memory) == 0:
        return POWERS
    for i in lanes(n):
        v[i] /= shape[i]
    size, largest = length_of(n, v), 0.0
    for i in lanes(n):
        basis[i] = v[i] / size
    for i in range((ARNOLDI + 1) * ARNOLDI):
        h[i] = 0.0
    count = min(ARNOLDI, n)
    for k in range(count):
        size = extend_basis(n, k, rhs, t, x, p, memory)
        for row in range(k + 2):
            largest = max(largest, fabs(h[row * ARNOLDI + k]))
        if not isfinite(size):
            return POWERS + 1 + k
        if not size > KRYLOV_INVARIANT * largest:
            count = k + 1
            break
        after = tail(basis, (k + 1) * n)
        for i in lanes(n):
            after[i] /= size
    largest_eigenvalue(count, ARNOLDI, h, memory)
    return POWERS + count


def damping_of(value: complex) -> float:
    """Return −Re λ / |λ|, from −1 to 1; 0 for none."""
    return -value.real / abs(value) if value else 0.0


def settling_time(value: complex, rtol: float) -> float:
    """Return the time [s] in which a mode decays to its tolerance; 0 if it does not."""
    return log(1.0 / rtol) / -value.real if value.real < 0.0 < rtol < 1.0 else 0.0
