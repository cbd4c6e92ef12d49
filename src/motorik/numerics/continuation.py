"""Native continuation: the solution of a loop followed along a path of its inputs."""

from __future__ import annotations

from math import fabs, isfinite

from motorik.compiler.kernels import Float, Floats, Function, Int, kernel, lanes, tail
from motorik.numerics.newton import close_loop, newton_step
from motorik.numerics.newton import work_size as newton_work_size
from motorik.numerics.tolerances import QUADRATIC_STEP, SHORTEST_PATH_STEP

LONGEST = 0.5  # first Newton step of a path step, in scales (rad): else the path is divided
CONTRACTION = 0.5  # of Newton steps: so started, they converge to the nearest solution
NEARBY = 0.05  # first Newton step, in scales, across which the determinant may change sign
SHORT_ON_THE_WAY = 1e-3  # the same at places that are only passed
ITERATIONS = 12
NO_NUMBER = float("nan")
PATH_STEPS = 400


def work_size(n: int) -> int:
    """Return the numbers of work space that `close_or_follow` needs for n unknowns."""
    return newton_work_size(n)


def state_size(n_u: int, n_z: int) -> int:
    """Return the numbers that a program remembers of its path, beside the solutions."""
    return 2 + 2 * n_u + 5 * n_z


@kernel
def largest(n: Int, s: Floats, scales: Floats) -> Float:
    """Return the largest |sᵢ| in scales."""
    size = 0.0
    for i in range(n):
        size = max(size, fabs(s[i]) / scales[i])
    return size


@kernel
def sign_of_determinant(n: Int, a: Floats, pivots: Floats) -> Float:
    """Return the sign of det A, A being factorised."""
    sign = 1.0
    for k in range(n):
        if int(pivots[k]) != k:
            sign = -sign
        if a[k * n + k] < 0.0:
            sign = -sign
    return sign


@kernel(inline=False)
def converge(
    n: Int,
    residual: Function,
    u: Floats,
    z: Floats,
    x: Floats,
    scales: Floats,
    sense: Floats,
    first: Floats,
    short: Float,
    work: Floats,
) -> Int:
    """Take Newton steps from x; return 0 where they do not contract to the nearest solution.

    The sign of the determinant, `sense`, tells the branches of a loop that meet at a dead
    centre from one another. `first` becomes the size of the first step, in scales; the last
    one is at most `short`.
    """
    g = tail(work, 0)
    J = tail(work, n)
    a = tail(work, n + n * n)
    rest = tail(work, 2 * n + 3 * n * n)
    pivots, s = tail(rest, 0), tail(rest, n)
    first[0] = 1.0
    last = 0.0
    for iteration in range(ITERATIONS):
        residual(u, z, g, J)
        if newton_step(n, g, J, a, pivots, s) == 0:
            return 0
        size = largest(n, s, scales)
        if iteration == 0:
            first[0] = size
            if size > LONGEST:
                return 0
        elif size > CONTRACTION * last and size > QUADRATIC_STEP:
            return 0
        for i in lanes(n):
            x[i] += s[i]
        last = size
        if size <= short:
            found = sign_of_determinant(n, a, pivots)
            if sense[0] != 0.0 and found != sense[0] and first[0] > NEARBY:
                return 0
            sense[0] = found
            return 1
    return 0


@kernel
def put_between(n: Int, part: Float, old: Floats, new: Floats, between: Floats) -> None:
    """Write the point at this part of the way from old to new."""
    for i in lanes(n):
        between[i] = old[i] + part * (new[i] - old[i])


@kernel(inline=False)
def close_or_follow(
    n: Int,
    residual: Function,
    n_u: Int,
    n_z: Int,
    start: Int,
    u: Floats,
    z: Floats,
    old: Floats,
    state: Floats,
    work: Floats,
) -> Int:
    """Find x = z[start : start + n] with g(u, z) = 0; return 0 if there is none, else 1.

    From the solution `old` of the inputs before, the inputs go to u, and the unknowns of
    earlier loops to z, on a straight line. It is divided until Newton's method contracts in
    each part, so that x stays on its branch (Deuflhard, Newton Methods for Nonlinear
    Problems, §5.1). The first time, and where `old` has been changed from outside, it is a
    guess from which x is found with damping.
    `residual(u, z, g, J)` writes the residuals and their Jacobian by x, by columns.
    """
    u_old = tail(state, 1)
    scales = tail(state, 1 + n_u + start)
    sense = tail(state, 1 + n_u + n_z + start)
    u_mid = tail(state, 1 + n_u + 2 * n_z)
    z_mid = tail(state, 1 + 2 * n_u + 2 * n_z)
    kept = tail(state, 1 + 2 * n_u + 3 * n_z)
    known = tail(state, 1 + 2 * n_u + 4 * n_z)
    first = tail(state, 1 + 2 * n_u + 5 * n_z)
    for i in range(n_z):
        if old[i] != known[i]:
            state[0] = 0.0
    x = tail(z_mid, start)
    for i in lanes(n):
        kept[i] = old[start + i]
        x[i] = old[start + i]
    done = 0.0
    part = 1.0
    if state[0] == 0.0:
        sense[0] = 0.0
    else:
        for _ in range(PATH_STEPS):
            goal = min(1.0, done + part)
            put_between(n_u, goal, u_old, u, u_mid)
            put_between(start, goal, old, z, z_mid)
            if goal == 1.0:
                put_between(n_u, 0.0, u, u, u_mid)
                put_between(start, 0.0, z, z, z_mid)
            is_near = converge(
                n,
                residual,
                u_mid,
                z_mid,
                x,
                scales,
                sense,
                first,
                QUADRATIC_STEP if goal == 1.0 else SHORT_ON_THE_WAY,
                work,
            )
            if is_near == 1:
                done = goal
                part = 2.0 * part
                for i in lanes(n):
                    kept[i] = x[i]
                if done == 1.0:
                    break
            else:
                part = (goal - done) * max(0.1, min(0.5, 0.8 * LONGEST / first[0]))
                for i in lanes(n):
                    x[i] = kept[i]
                if part < SHORTEST_PATH_STEP:
                    break
    if done < 1.0:
        put_between(n_u, 0.0, u, u, u_mid)
        put_between(start, 0.0, z, z, z_mid)
        for i in lanes(n):
            z[start + i] = kept[i]
        turns = close_loop(n, residual, u_mid, z_mid, x, kept, work)
        apart = 0.0
        for i in range(n):
            apart = max(apart, fabs(x[i] - z[start + i]) / scales[i])
        sense[0] = 0.0
        is_regular = 0
        if turns > 0:
            is_regular = converge(
                n, residual, u_mid, z_mid, x, scales, sense, first, QUADRATIC_STEP, work
            )
        if turns == 0 or (state[0] != 0.0 and (apart > NEARBY or is_regular == 0)):
            for i in lanes(n):
                z[start + i] = NO_NUMBER
            return 0
    for i in lanes(n):
        z[start + i] = x[i]
    return 1


@kernel(inline=False)
def remember(n_u: Int, n_z: Int, u: Floats, z: Floats, old: Floats, state: Floats) -> None:
    """Let the next path begin here."""
    for i in range(n_z):
        if not isfinite(z[i]):
            return
    known = tail(state, 1 + 2 * n_u + 4 * n_z)
    state[0] = 1.0
    for i in lanes(n_u):
        state[1 + i] = u[i]
    for i in lanes(n_z):
        old[i] = z[i]
        known[i] = z[i]
