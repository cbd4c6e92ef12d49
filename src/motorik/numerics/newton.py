"""Native closing of loops: Newton's method with damping, as a kernel."""

from __future__ import annotations

from math import fabs, isfinite

from motorik.compiler.kernels import Float, Floats, Function, Int, kernel, lanes, tail
from motorik.numerics.lu import factorise, substitute
from motorik.numerics.tolerances import DEAD_CENTRE_RESIDUAL, QUADRATIC_STEP
from motorik.numerics.vectors import squares

LONGEST = 1.0  # of a step in each unknown, rad or m: longer ones reach other branches
ITERATIONS = 100
NEWTON_TRIALS = 4  # the whole step, its half, quarter and eighth
TRIALS = 12  # then steps ever shorter and nearer to the direction of steepest descent
NO_NUMBER = float("nan")


def work_size(n: int) -> int:
    """Return the numbers of work space that `close_loop` needs for n unknowns."""
    return 3 * n * n + 6 * n


@kernel(inline=False)
def newton_step(n: Int, g: Floats, J: Floats, a: Floats, pivots: Floats, s: Floats) -> Int:
    """Write the step s of J s = −g; return 0 if J is singular."""
    for i in lanes(n * n):
        a[i] = J[i]
    if factorise(n, a, pivots) == 0:
        return 0
    for i in lanes(n):
        s[i] = -g[i]
    substitute(n, a, pivots, s)
    return int(isfinite(squares(n, s)))


@kernel(inline=False)
def gradient_step(
    n: Int, g: Floats, J: Floats, a: Floats, pivots: Floats, s: Floats, weight: Float
) -> Int:
    """Write the step of (JᵀJ + μ) s = −Jᵀg, μ being `weight` times the size of JᵀJ."""
    size = squares(n * n, J)
    for i in range(n):
        for j in range(n):
            entry = 0.0
            for k in range(n):
                entry += J[i * n + k] * J[j * n + k]
            a[j * n + i] = entry
        a[i * n + i] += weight * size
        s[i] = 0.0
        for k in range(n):
            s[i] -= J[i * n + k] * g[k]
    if factorise(n, a, pivots) == 0:
        return 0
    substitute(n, a, pivots, s)
    return int(isfinite(squares(n, s)))


@kernel
def is_short(n: Int, s: Floats, x: Floats) -> Int:
    """Return whether a step cannot change anything but the rounding of the next one."""
    for i in range(n):
        if fabs(s[i]) > QUADRATIC_STEP * (1.0 + fabs(x[i])):
            return 0
    return 1


@kernel
def longest(n: Int, s: Floats) -> Float:
    """Return the part of a step that changes no unknown by more than `LONGEST`."""
    size = LONGEST
    for i in range(n):
        size = max(size, fabs(s[i]))
    return LONGEST / size


@kernel(inline=False)
def improve(
    n: Int, residual: Function, u: Floats, z: Floats, x: Floats, work: Floats
) -> Int:
    """Take one step that makes Σ gᵢ² smaller; return 2 at the solution, 0 if none does."""
    g = tail(work, 0)
    J = tail(work, n)
    a = tail(work, n + n * n)
    g_new = tail(work, n + 2 * n * n)
    J_new = tail(work, 2 * n + 2 * n * n)
    rest = tail(work, 2 * n + 3 * n * n)
    pivots, s, x_old = tail(rest, 0), tail(rest, n), tail(rest, 2 * n)
    before = squares(n, g)
    for i in lanes(n):
        x_old[i] = x[i]
    if before == 0.0:
        return 2
    is_regular = newton_step(n, g, J, a, pivots, s)
    if is_regular == 1 and is_short(n, s, x) == 1:
        for i in lanes(n):
            x[i] += s[i]
        return 2
    part = longest(n, s)
    weight = 1e-6
    for trial in range(TRIALS):
        is_usable = is_regular
        if trial >= NEWTON_TRIALS:
            is_usable = gradient_step(n, g, J, a, pivots, s, weight)
            part = longest(n, s)
            weight *= 10.0
        if is_usable == 1:
            for i in lanes(n):
                x[i] = x_old[i] + part * s[i]
            residual(u, z, g_new, J_new)
            after = squares(n, g_new)
            if isfinite(after) and after < before:
                for i in lanes(n):
                    g[i] = g_new[i]
                for i in lanes(n * n):
                    J[i] = J_new[i]
                return 1
        part *= 0.5
    for i in lanes(n):
        x[i] = x_old[i]
    return 2 if before < n * DEAD_CENTRE_RESIDUAL * DEAD_CENTRE_RESIDUAL else 0


@kernel(inline=False)
def close_loop(
    n: Int,
    residual: Function,
    u: Floats,
    z: Floats,
    x: Floats,
    guess: Floats,
    work: Floats,
) -> Int:
    """Find x with g(u, z) = 0, x being a part of z; return the iterations, 0 if none helps.

    `residual(u, z, g, J)` writes the residuals and their Jacobian by x, by columns. The
    iteration starts at `guess`, which becomes the solution; without one it stays, and x is
    no number.
    """
    for i in lanes(n):
        x[i] = guess[i]
    residual(u, z, tail(work, 0), tail(work, n))
    for iteration in range(ITERATIONS):
        progress = improve(n, residual, u, z, x, work)
        if progress == 2:
            for i in lanes(n):
                guess[i] = x[i]
            return iteration + 1
        if progress == 0:
            break
    for i in lanes(n):
        x[i] = NO_NUMBER
    return 0
