"""Newton's method for square equations on one branch: damped, contracting, continued.

The linear equations are solved by LU factorisation. `solve_square` finds a solution near a guess
with damping; `contract` takes whole steps as long as they contract, so that no other solution is
as near; `close_or_follow` continues a solution along a path of the inputs.
"""

from __future__ import annotations

from math import fabs, isfinite

from motorik.compiler.kernels import Float, Floats, Function, Int, Ints, kernel, lanes, tail
from motorik.numerics.lu import factorise, substitute
from motorik.numerics.tolerances import (
    DEAD_CENTRE_RESIDUAL,
    POSE_STEP,
    QUADRATIC_STEP,
    RESIDUAL_FLOOR,
    SHORTEST_PATH_STEP,
)
from motorik.numerics.vectors import largest, squares

# --- damped Newton's method for square equations -------------------------------------------


LONGEST_STEP = 1.0  # of a step in each unknown, rad or m: longer ones reach other branches
MOST_STEPS = 100
NEWTON_TRIALS = 4  # the whole step, its half, quarter and eighth
TRIALS = 12  # then steps ever shorter and nearer to the direction of steepest descent
NO_NUMBER = float("nan")


def work_size(n: int) -> int:
    """Return the numbers of work space that `solve_square` needs for n unknowns."""
    return 3 * n * n + 6 * n


@kernel(inline=False)
def square_step(n: Int, g: Floats, J: Floats, a: Floats, pivots: Floats, s: Floats) -> Int:
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
def regularised_step(
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
def is_converged(n: Int, s: Floats, x: Floats) -> Int:
    """Return whether a step cannot change anything but the rounding of the next one."""
    for i in range(n):
        if fabs(s[i]) > QUADRATIC_STEP * (1.0 + fabs(x[i])):
            return 0
    return 1


@kernel
def shortening(n: Int, s: Floats) -> Float:
    """Return the part of a step that changes no unknown by more than `LONGEST_STEP`."""
    size = LONGEST_STEP
    for i in range(n):
        size = max(size, fabs(s[i]))
    return LONGEST_STEP / size


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
    is_regular = square_step(n, g, J, a, pivots, s)
    if is_regular == 1 and is_converged(n, s, x) == 1:
        for i in lanes(n):
            x[i] += s[i]
        return 2
    part = shortening(n, s)
    weight = 1e-6
    for trial in range(TRIALS):
        is_usable = is_regular
        if trial >= NEWTON_TRIALS:
            is_usable = regularised_step(n, g, J, a, pivots, s, weight)
            part = shortening(n, s)
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
def solve_square(
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
    for iteration in range(MOST_STEPS):
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


LONGEST = 0.5  # first Newton step of a path step, in scales (rad): else the path is divided
CONTRACTION = 0.5  # of Newton steps: so started, they converge to the nearest solution
NEARBY = 0.05  # first Newton step, in scales, across which the determinant may change sign
SHORT_ON_THE_WAY = 1e-3  # the same at places that are only passed
ITERATIONS = 12
PATH_STEPS = 400


def state_size(n_u: int, n_z: int) -> int:
    """Return the numbers that a program remembers of its path, beside the solutions."""
    return 2 + 2 * n_u + 5 * n_z


@kernel
def scaled_norm(n: Int, s: Floats, scales: Floats) -> Float:
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
def contract(
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
        if square_step(n, g, J, a, pivots, s) == 0:
            return 0
        size = scaled_norm(n, s, scales)
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
            is_near = contract(
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
        turns = solve_square(n, residual, u_mid, z_mid, x, kept, work)
        apart = 0.0
        for i in range(n):
            apart = max(apart, fabs(x[i] - z[start + i]) / scales[i])
        sense[0] = 0.0
        is_regular = 0
        if turns > 0:
            is_regular = contract(
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


# --- some unknowns by some equations -------------------------------------------------------


SELECTED_ITERATIONS = 30
INFINITE = float("inf")


@kernel(inline=False)
def selected_step(
    n: Int, equations: Ints, nonzeros: Int, places: Ints, r: Floats, J: Floats, work: Floats
) -> Int:
    """Write the Newton step of n equations, in scales, behind n² numbers of `work`; 0 if none."""
    a, s, pivots = tail(work, 0), tail(work, n * n), tail(work, n * n + n)
    for i in lanes(n * n):
        a[i] = 0.0
    for i in range(nonzeros):
        a[places[i]] = J[i]
    for i in range(n):
        s[i] = -r[equations[i]]
    if factorise(n, a, pivots) == 0:
        return 0
    substitute(n, a, pivots, s)
    return 1


@kernel(inline=False)
def contract_selected(
    rows: Function,
    t: Floats,
    z: Floats,
    live: Floats,
    q: Floats,
    r: Floats,
    J: Floats,
    n_rows: Int,
    n: Int,
    unknowns: Ints,
    scale: Floats,
    equations: Ints,
    nonzeros: Int,
    places: Ints,
    closed: Float,
    work: Floats,
) -> Float:
    """Move some unknowns among q by as many equations until all residuals vanish.

    Returns the largest that is left.

    Infinite if it is not certain that q is near this one solution: where a step would have
    to be shortened, or is not much shorter than the one before.
    """
    rows(q, t, z, live, r, J)
    size = largest(n_rows, r)
    if size < closed:
        return size
    s = tail(work, n * n)
    before = INFINITE
    for _ in range(SELECTED_ITERATIONS):
        if size < RESIDUAL_FLOOR:
            return size
        if selected_step(n, equations, nonzeros, places, r, J, work) == 0:
            return INFINITE
        length = largest(n, s)
        if length > LONGEST_STEP or (length > POSE_STEP and length > CONTRACTION * before):
            return INFINITE
        before = length
        for i in range(n):
            q[unknowns[i]] += s[i] * scale[i]
        rows(q, t, z, live, r, J)
        after = largest(n_rows, r)
        if length <= POSE_STEP or not after < size:
            return after
        size = after
    return INFINITE
