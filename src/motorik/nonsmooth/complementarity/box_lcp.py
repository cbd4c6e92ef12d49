"""Kernels: the box LCP of contact and friction forces.

    a = D λ + b;   forward:  λ = low,           a ≥ 0
                   stick:    low ≤ λ ≤ high,    a = 0
                   backward: λ = high,          a ≤ 0

a are the accelerations along the constraints, λ the forces, and D = G M⁻¹ Gᵀ is the Delassus
matrix. The same problem for speeds and impulses is Moreau's impact law. Bounds may be infinite.

Constant bounds: the problem is a convex quadratic program. Projected Gauss–Seidel sweeps and block
principal pivoting (Júdice and Pires 1994) find the modes; where pivoting cycles, an active-set
descent terminates always. Bounds that depend on forces (∓μ λ_n) make the problem a general mixed
LCP with several solutions or none (Painlevé); it is solved by staggered iteration, pivoting and, at
last, enumeration.
"""

from __future__ import annotations

from math import fabs, isfinite, sqrt

from motorik.compiler.kernels import Float, Floats, Int, Ints, kernel, share, tail
from motorik.nonsmooth.memory import ContactMode
from motorik.numerics.cholesky import (
    cholesky_of_rank,
    project_null_space,
    solve_minimum_norm,
)
from motorik.numerics.least_squares import apply_inverse, pseudo_inverse
from motorik.numerics.tolerances import (
    DEPENDENT_CONSTRAINT,
    DEPENDENT_TIGHT,
    EQUATION_ZERO,
    LEAST_RESPONSE,
    PRESCRIBED_MOTION,
    SHARED_LOAD,
)
from motorik.numerics.vectors import dot4

# --- scaled problem, forces of given modes -------------------------------------------------


class ScaledLcp:
    """Vectors of the scaled problem, n numbers each; behind them the matrix A and factors."""

    B = 0  # rates without forces
    LOW = 1
    HIGH = 2
    X = 3  # forces
    RATE = 4  # a = A x + b
    SIZE = 5  # |b| + Σ |A x|
    SCALE = 6  # force by which x is multiplied
    ORDER = 7  # of the constraints that stick
    Y = 8
    KEEP = 9
    VECTORS = 10


class Pivoting:
    """Which constraints in an inconsistent mode change it."""

    NONE = 0
    ALL = 1
    FIRST = 2


NEIGHBOUR_ROUNDING = 1e-3  # of the sizes of coupled constraints: the least size of one


def scaled_size(n: int) -> int:
    """Return the doubles of a scaled problem of n constraints."""
    return 3 * n * n + (ScaledLcp.VECTORS + 1) * n


@kernel
def bound_size(m: Int, D: Floats, b: Floats, low: Floats, high: Floats, k: Int) -> Float:
    """Return the size of a force by its bounds, without their dependence on forces."""
    if isfinite(low[k]) and isfinite(high[k]):
        return max(fabs(low[k]), fabs(high[k]))
    own = D[k * (m + 1)]
    return fabs(b[k]) / own if own > 0.0 else 0.0


@kernel(inline=False)
def scaling_compliance(
    m: Int, D: Floats, b: Floats, low: Floats, high: Floats, slopes: Floats, k: Int
) -> Float:
    """Return the compliance by which a constraint with coupled bounds is scaled.

    It is D_kk where the force affects its own rate. Where it does not, as at a dead centre, D_kk
    is rounding and the scaled force would vanish beside those it is coupled with. A force that
    is zero, as of an open stop, takes the largest compliance of all.
    """
    own = float(D[k * (m + 1)])
    if not (isfinite(low[k]) and isfinite(high[k])):
        return own
    size = float(bound_size(m, D, b, low, high, k))
    for j in range(m):
        slope = max(fabs(slopes[k * m + j]), fabs(slopes[(m + k) * m + j]))
        if slope > 0.0:
            size += slope * bound_size(m, D, b, low, high, j)
    if size > 0.0:
        return max(own, LEAST_RESPONSE * fabs(b[k]) / size)
    for j in range(m):
        own = max(own, float(D[j * (m + 1)]))
    return own


@kernel(inline=False)
def evaluate_rates(n: Int, w: Floats) -> None:
    """Write a = A x + b and the size |b| + Σ |A x| of each constraint."""
    A, b, x = (
        tail(w, ScaledLcp.VECTORS * n),
        tail(w, ScaledLcp.B * n),
        tail(w, ScaledLcp.X * n),
    )
    a, size = tail(w, ScaledLcp.RATE * n), tail(w, ScaledLcp.SIZE * n)
    for k in range(n):
        a[k], size[k] = b[k], fabs(b[k])
    for j in range(n):
        force, column = x[j], tail(A, j * n)
        if force != 0.0:
            for k in range(n):
                term = column[k] * force
                a[k] += term
                size[k] += fabs(term)


@kernel(inline=False)
def spread_rounding(n: Int, w: Floats) -> Int:
    """Raise sizes to the rounding error from coupled constraints; return whether any was."""
    A, size, total = (
        tail(w, ScaledLcp.VECTORS * n),
        tail(w, ScaledLcp.SIZE * n),
        tail(w, ScaledLcp.Y * n),
    )
    for k in range(n):
        total[k] = 0.0
    for j in range(n):
        part, column = NEIGHBOUR_ROUNDING * size[j], tail(A, j * n)
        if part != 0.0:
            for k in range(n):
                total[k] += fabs(column[k]) * part
    raised = 0
    for k in range(n):
        if total[k] > size[k]:
            size[k] = total[k]
            raised = 1
    return raised


@kernel(inline=False)
def evaluate_rates_and_rounding(n: Int, w: Floats) -> None:
    """Write a and the sizes of all constraints, coupled rounding errors included.

    A force that vanishes by cancellation is known to the rounding of its terms only, and so are
    the constraints coupled with it, and those coupled with them.
    """
    evaluate_rates(n, w)
    for _ in range(n):
        if spread_rounding(n, w) == 0:
            break


@kernel
def list_sticking(n: Int, modes: Ints, order: Floats) -> Int:
    """List the sticking constraints; return their number."""
    count = 0
    for k in range(n):
        if modes[k] == ContactMode.STUCK:
            order[count] = k
            count += 1
    return count


@kernel
def correct_forces(n: Int, w: Floats, count: Int, rank: Int) -> None:
    """Change the forces of the listed constraints so that their rates vanish."""
    x, a, order = (
        tail(w, ScaledLcp.X * n),
        tail(w, ScaledLcp.RATE * n),
        tail(w, ScaledLcp.ORDER * n),
    )
    y, L = tail(w, ScaledLcp.Y * n), tail(w, (ScaledLcp.VECTORS + n) * n)
    for i in range(count):
        y[i] = -a[int(order[i])]
    solve_minimum_norm(count, rank, L, tail(L, (n + 1) * n), y)
    for i in range(count):
        x[int(order[i])] += y[i]


@kernel(inline=False)
def solve_modes(n: Int, w: Floats, modes: Ints) -> Int:
    """Write forces and rates of given modes; return the number of redundant constraints.

    Constraints that are inconsistent with the weaker rank tolerance are solved with the tighter.
    """
    A, L = tail(w, ScaledLcp.VECTORS * n), tail(w, (ScaledLcp.VECTORS + n) * n)
    low, high, x = (
        tail(w, ScaledLcp.LOW * n),
        tail(w, ScaledLcp.HIGH * n),
        tail(w, ScaledLcp.X * n),
    )
    a, size, order = (
        tail(w, ScaledLcp.RATE * n),
        tail(w, ScaledLcp.SIZE * n),
        tail(w, ScaledLcp.ORDER * n),
    )
    weak = DEPENDENT_CONSTRAINT
    while True:
        for k in range(n):
            x[k] = 0.0
            if modes[k] != ContactMode.STUCK:
                x[k] = low[k] if modes[k] == ContactMode.FORWARD else high[k]
        evaluate_rates(n, w)
        count = list_sticking(n, modes, order)
        rank = cholesky_of_rank(n, A, count, order, weak, L, tail(L, (n + 1) * n))
        correct_forces(n, w, count, rank)
        evaluate_rates(n, w)
        correct_forces(n, w, count, rank)
        evaluate_rates_and_rounding(n, w)
        if rank == count or weak == DEPENDENT_TIGHT:
            return count - rank
        violations = 0
        for i in range(count):
            k = int(order[i])
            violations += int(fabs(a[k]) > EQUATION_ZERO * size[k])
        if violations == 0:
            return count - rank
        weak = DEPENDENT_TIGHT


@kernel
def violation(value: Float, size: Float) -> Float:
    """Return a value relative to a size, zero if it is negative or within tolerance."""
    return value / size if value > EQUATION_ZERO * size else 0.0


@kernel
def pivot_of(
    low: Float, high: Float, x: Float, a: Float, size: Float, modes: Int, error: Floats
) -> Int:
    """Return the mode a constraint should change to, or its own; `error[0]` is its violation."""
    error[0] = 0.0
    if modes == ContactMode.FORWARD:
        error[0] = violation(-a, size)
        return ContactMode.STUCK if error[0] > 0.0 else modes
    if modes == ContactMode.BACKWARD:
        error[0] = violation(a, size)
        return ContactMode.STUCK if error[0] > 0.0 else modes
    below = violation(low - x, fabs(low) + size) if isfinite(low) else 0.0
    above = violation(x - high, fabs(high) + size) if isfinite(high) else 0.0
    left = violation(fabs(a), size)
    error[0] = max(below, above, left)
    if below > 0.0 or (not above > 0.0 and left > 0.0 and a > 0.0 and isfinite(low)):
        return ContactMode.FORWARD
    if above > 0.0 or (left > 0.0 and a < 0.0 and isfinite(high)):
        return ContactMode.BACKWARD
    return modes


@kernel(inline=False)
def count_violations(n: Int, w: Floats, modes: Ints, change: Int, counts: Ints) -> Int:
    """Return the number of inconsistent modes; `counts[0]` is the worst constraint.

    The modes of all of them, of the first or of none are changed. A constraint with equal bounds
    takes the side of its rate.
    """
    low, high, x = (
        tail(w, ScaledLcp.LOW * n),
        tail(w, ScaledLcp.HIGH * n),
        tail(w, ScaledLcp.X * n),
    )
    a, size, error = (
        tail(w, ScaledLcp.RATE * n),
        tail(w, ScaledLcp.SIZE * n),
        tail(w, ScaledLcp.Y * n),
    )
    violations = 0
    most = 0.0
    for k in range(n):
        if not isfinite(a[k]):
            counts[0] = k
            return n + 1
        if low[k] == high[k] and modes[k] != ContactMode.STUCK:
            modes[k] = ContactMode.FORWARD if a[k] >= 0.0 else ContactMode.BACKWARD
            continue
        following = pivot_of(low[k], high[k], x[k], a[k], size[k], modes[k], error)
        if error[0] > 0.0:
            if error[0] > most:
                most = error[0]
                counts[0] = k
            violations += 1
            if change == Pivoting.ALL or (change == Pivoting.FIRST and violations == 1):
                modes[k] = following
    return violations


@kernel(inline=False)
def gauss_seidel(n: Int, w: Floats, modes: Ints, sweeps: Int) -> None:
    """Improve forces by projected Gauss–Seidel sweeps, and write the modes.

    Each change decreases ½ xᵀ A x + bᵀ x.
    """
    A, b, x = (
        tail(w, ScaledLcp.VECTORS * n),
        tail(w, ScaledLcp.B * n),
        tail(w, ScaledLcp.X * n),
    )
    low, high = tail(w, ScaledLcp.LOW * n), tail(w, ScaledLcp.HIGH * n)
    for k in range(n):
        x[k] = min(max(x[k], low[k]), high[k])
    for _ in range(sweeps):
        for k in range(n):
            a = b[k] + dot4(n, tail(A, k * n), x)
            x[k] = min(max(x[k] - a, low[k]), high[k])
    for k in range(n):
        modes[k] = ContactMode.STUCK
        if x[k] <= low[k]:
            modes[k] = ContactMode.FORWARD
        elif x[k] >= high[k]:
            modes[k] = ContactMode.BACKWARD


# --- projected descent, and minimum-norm forces --------------------------------------------


DESCENT_ITERATIONS = 20  # and as many again for each constraint
DESCENT_SWEEPS = 3  # in each iteration
INFINITE = float("inf")


@kernel(inline=False)
def move_to_bound(n: Int, w: Floats, modes: Ints, count: Int, limit: Float) -> Float:
    """Move the listed forces along y until the first reaches a bound, at most by `limit` y.

    The force that reaches its bound stays there. Returns the step, in units of y.
    """
    low, high, x = (
        tail(w, ScaledLcp.LOW * n),
        tail(w, ScaledLcp.HIGH * n),
        tail(w, ScaledLcp.X * n),
    )
    order, y = tail(w, ScaledLcp.ORDER * n), tail(w, ScaledLcp.Y * n)
    part = limit
    last = -1
    for i in range(count):
        k = int(order[i])
        room = INFINITE
        if y[i] < 0.0:
            room = (low[k] - x[k]) / y[i]
        elif y[i] > 0.0:
            room = (high[k] - x[k]) / y[i]
        if room < part:
            part = max(room, 0.0)
            last = i
    if part == INFINITE:
        return part
    for i in range(count):
        k = int(order[i])
        x[k] = min(max(x[k] + part * y[i], low[k]), high[k])
        if i == last:
            x[k] = low[k] if y[i] < 0.0 else high[k]
            modes[k] = ContactMode.FORWARD if y[i] < 0.0 else ContactMode.BACKWARD
    return part


@kernel(inline=False)
def minimise_on_face(n: Int, w: Floats, modes: Ints, counts: Ints) -> Int:
    """Minimise over the sticking forces; those that reach a bound stay there.

    Returns 0, or 1 if a force may grow without bound: `counts[0]` is that constraint.
    """
    A, L = tail(w, ScaledLcp.VECTORS * n), tail(w, (ScaledLcp.VECTORS + n) * n)
    gram = tail(L, (n + 1) * n)
    order, y = tail(w, ScaledLcp.ORDER * n), tail(w, ScaledLcp.Y * n)
    a, size = tail(w, ScaledLcp.RATE * n), tail(w, ScaledLcp.SIZE * n)
    for _ in range(n + 1):
        count = list_sticking(n, modes, order)
        rank = cholesky_of_rank(n, A, count, order, DEPENDENT_TIGHT, L, gram)
        evaluate_rates_and_rounding(n, w)
        for i in range(count):
            y[i] = -a[int(order[i])]
        solve_minimum_norm(count, rank, L, gram, y)
        if move_to_bound(n, w, modes, count, 1.0) < 1.0:
            continue
        evaluate_rates_and_rounding(n, w)
        violations = 0
        for i in range(count):
            k = int(order[i])
            y[i] = -a[k]
            violations += int(fabs(a[k]) > EQUATION_ZERO * size[k])
        if violations == 0 or rank == count:
            return 0
        project_null_space(count, rank, L, gram, y)
        if move_to_bound(n, w, modes, count, INFINITE) == INFINITE:
            most = 0
            for i in range(count):
                if fabs(y[i]) > fabs(y[most]):
                    most = i
            counts[0] = int(order[most])
            return 1
    return 0


@kernel(inline=False)
def active_set_descent(n: Int, w: Floats, modes: Ints, counts: Ints) -> Int:
    """Solve the box LCP by descent; return 0, or 1 if it has no solution.

    The forces minimise f = ½ xᵀ A x + bᵀ x within the bounds. Each iteration takes
    Gauss–Seidel sweeps, which decrease f unless the problem is solved, and then minimises over
    the forces between their bounds. f decreases strictly, so no active set recurs: the descent
    terminates for every positive semidefinite A.
    """
    for _ in range(DESCENT_ITERATIONS * (n + 1)):
        gauss_seidel(n, w, modes, DESCENT_SWEEPS)
        if minimise_on_face(n, w, modes, counts) != 0:
            return 1
        evaluate_rates_and_rounding(n, w)
        if count_violations(n, w, modes, Pivoting.NONE, counts) == 0:
            return 0
    return 1


@kernel(inline=False)
def release_bound(n: Int, w: Floats, modes: Ints, count: Int, rank: Int, least: Int) -> Int:
    """Let the constraint stick that reduces the norm of the forces most; return 0 without one.

    For a force at its bound with zero rate, g = x − A A⁺ x over the sticking ones is the
    gradient of ½ |x|². With `least` the first such constraint is taken, not the best.
    """
    A, L = tail(w, ScaledLcp.VECTORS * n), tail(w, (ScaledLcp.VECTORS + n) * n)
    low, high, x = (
        tail(w, ScaledLcp.LOW * n),
        tail(w, ScaledLcp.HIGH * n),
        tail(w, ScaledLcp.X * n),
    )
    a, size = tail(w, ScaledLcp.RATE * n), tail(w, ScaledLcp.SIZE * n)
    order, y = tail(w, ScaledLcp.ORDER * n), tail(w, ScaledLcp.Y * n)
    for i in range(count):
        y[i] = x[int(order[i])]
    solve_minimum_norm(count, rank, L, tail(L, (n + 1) * n), y)
    best = -1
    most = SHARED_LOAD
    for k in range(n):
        if (
            modes[k] != ContactMode.STUCK
            and low[k] < high[k]
            and fabs(a[k]) <= EQUATION_ZERO * size[k]
        ):
            g, sizes = x[k], fabs(x[k])
            for i in range(count):
                term = A[k * n + int(order[i])] * y[i]
                g -= term
                sizes += fabs(term)
            gain = -g if modes[k] == ContactMode.FORWARD else g
            if gain > most * sizes and not (least == 1 and best >= 0):
                best = k
                most = gain / sizes if least == 0 else most
    if best >= 0:
        modes[best] = ContactMode.STUCK
        return 1
    return 0


@kernel(inline=False)
def is_redundant(n: Int, w: Floats, modes: Ints) -> Int:
    """Return 1 if the forces of constraints without a rate are not unique."""
    A, L = tail(w, ScaledLcp.VECTORS * n), tail(w, (ScaledLcp.VECTORS + n) * n)
    low, high, order = (
        tail(w, ScaledLcp.LOW * n),
        tail(w, ScaledLcp.HIGH * n),
        tail(w, ScaledLcp.ORDER * n),
    )
    a, size = tail(w, ScaledLcp.RATE * n), tail(w, ScaledLcp.SIZE * n)
    count = 0
    for k in range(n):
        still = low[k] < high[k] and fabs(a[k]) <= EQUATION_ZERO * size[k]
        if modes[k] == ContactMode.STUCK or still:
            order[count] = k
            count += 1
    rank = cholesky_of_rank(
        n, A, count, order, DEPENDENT_CONSTRAINT, L, tail(L, (n + 1) * n)
    )
    return 1 if rank < count else 0


@kernel(inline=False)
def minimise_norm(n: Int, w: Floats, modes: Ints, counts: Ints) -> Int:
    """Minimise Σ x² over all solutions; return 1 if the solution was not unique.

    The solution before is restored if rounding would spoil it.
    """
    if is_redundant(n, w, modes) == 0:
        return 0
    A, L = tail(w, ScaledLcp.VECTORS * n), tail(w, (ScaledLcp.VECTORS + n) * n)
    gram, order = tail(L, (n + 1) * n), tail(w, ScaledLcp.ORDER * n)
    x, y, keep = (
        tail(w, ScaledLcp.X * n),
        tail(w, ScaledLcp.Y * n),
        tail(w, ScaledLcp.KEEP * n),
    )
    kept = tail(modes, n)
    for k in range(n):
        keep[k], kept[k] = x[k], modes[k]
    for turn in range(DESCENT_ITERATIONS + 4 * n):
        count = list_sticking(n, modes, order)
        rank = cholesky_of_rank(n, A, count, order, DEPENDENT_CONSTRAINT, L, gram)
        if rank < count:
            for i in range(count):
                y[i] = x[int(order[i])]
            project_null_space(count, rank, L, gram, y)
            for i in range(count):
                y[i] = -y[i]
            if move_to_bound(n, w, modes, count, 1.0) < 1.0:
                continue
        if release_bound(n, w, modes, count, rank, int(turn > 2 * n)) == 0:
            break
    # remove the rounding error that larger intermediate forces have left
    count = list_sticking(n, modes, order)
    rank = cholesky_of_rank(n, A, count, order, DEPENDENT_CONSTRAINT, L, gram)
    for _ in range(2):
        evaluate_rates(n, w)
        correct_forces(n, w, count, rank)
    evaluate_rates_and_rounding(n, w)
    if count_violations(n, w, modes, Pivoting.NONE, counts) > 0:
        for k in range(n):
            x[k], modes[k] = keep[k], kept[k]
        evaluate_rates_and_rounding(n, w)
    return 1


# --- constant bounds -----------------------------------------------------------------------


class LcpReport:
    """Entries of `counts`."""

    WORST = 0  # constraint with the largest error
    REDUNDANT = 1  # whether forces are not unique
    METHOD = 2  # that found the solution, see `solve_box_lcp`


GAUSS_SEIDEL_SWEEPS = 8  # before block pivoting
PATIENCE = 4  # pivots without progress before the descent begins


@kernel
def admit_constant(n: Int, w: Floats, modes: Ints) -> None:
    """Change inadmissible modes: at an infinite bound, or sticking between equal bounds."""
    low, high = tail(w, ScaledLcp.LOW * n), tail(w, ScaledLcp.HIGH * n)
    for k in range(n):
        if modes[k] == ContactMode.STUCK and low[k] == high[k]:
            modes[k] = ContactMode.FORWARD
        if modes[k] == ContactMode.FORWARD and not isfinite(low[k]):
            modes[k] = ContactMode.STUCK
        if modes[k] == ContactMode.BACKWARD and not isfinite(high[k]):
            modes[k] = ContactMode.STUCK


@kernel
def count_degenerate(n: Int, w: Floats, modes: Ints) -> Int:
    """Return how many constraints at one of two bounds have no rate."""
    low, high = tail(w, ScaledLcp.LOW * n), tail(w, ScaledLcp.HIGH * n)
    a, size = tail(w, ScaledLcp.RATE * n), tail(w, ScaledLcp.SIZE * n)
    still = 0
    for k in range(n):
        if modes[k] != ContactMode.STUCK and low[k] < high[k]:
            still += int(fabs(a[k]) <= EQUATION_ZERO * size[k])
    return still


@kernel(inline=False)
def block_pivoting(n: Int, w: Floats, modes: Ints, counts: Ints) -> Int:
    """Change all inconsistent modes at once until none is left; return how many remain.

    Júdice and Pires 1994; it may cycle, so it stops where the number does not decrease.
    `counts[REDUNDANT]` is the number of redundant constraints.
    """
    counts[LcpReport.REDUNDANT] = solve_modes(n, w, modes)
    best = count_violations(n, w, modes, Pivoting.NONE, counts)
    if best > 0 and n > 2:
        gauss_seidel(n, w, modes, GAUSS_SEIDEL_SWEEPS)
        counts[LcpReport.REDUNDANT] = solve_modes(n, w, modes)
        best = count_violations(n, w, modes, Pivoting.NONE, counts)
    patience = PATIENCE
    while best > 0 and patience > 0:
        count_violations(n, w, modes, Pivoting.ALL, counts)
        counts[LcpReport.REDUNDANT] = solve_modes(n, w, modes)
        violations = count_violations(n, w, modes, Pivoting.NONE, counts)
        patience -= 1
        if violations < best:
            best, patience = violations, PATIENCE
        if violations == 0:
            return 0
    return best


@kernel(inline=False)
def solve_constant_bounds(n: Int, w: Floats, modes: Ints, counts: Ints) -> Int:
    """Write forces and modes of a scaled problem, starting from given modes; return 0.

    1 without a solution. `counts[REDUNDANT]` is 1 if forces are not unique, `counts[METHOD]` is 1
    if the descent was needed.
    """
    admit_constant(n, w, modes)
    counts[LcpReport.METHOD] = 0
    violations = block_pivoting(n, w, modes, counts)
    if violations > 0:
        counts[LcpReport.METHOD] = 1
        if violations > n or active_set_descent(n, w, modes, counts) != 0:
            return 1
        counts[LcpReport.REDUNDANT] = 1
    if counts[LcpReport.REDUNDANT] > 0 or count_degenerate(n, w, modes) > 0:
        counts[LcpReport.REDUNDANT] = minimise_norm(n, w, modes, counts)
    return 0


# --- bounds that depend on forces ----------------------------------------------------------


STAGGERED_ITERATIONS = 20  # updates of the bounds
BLOCK_PIVOTS = 20  # changes of all inconsistent modes
SINGLE_PIVOTS = 10  # for each constraint, changes of the first one
MOST_ENUMERATED = 3000  # combinations of modes


def coupled_size(n: int) -> int:
    """Return the doubles of a coupled problem of n constraints, the scaled one included."""
    return scaled_size(n) + 7 * n * n + 6 * n + 1


@kernel
def has_constant_bounds(m: Int, slopes: Floats, k: Int) -> Int:
    """Return whether neither bound of a constraint depends on forces."""
    for j in range(m):
        if slopes[k * m + j] != 0.0 or slopes[(m + k) * m + j] != 0.0:
            return 0
    return 1


@kernel
def is_prescribed_force(n: Int, given: Floats, slopes: Floats, k: Int) -> Int:
    """Return whether both bounds of a force coincide."""
    if given[k] != given[n + k]:
        return 0
    for j in range(n):
        if slopes[k * n + j] != slopes[(n + k) * n + j]:
            return 0
    return 1


@kernel
def update_bounds(n: Int, w: Floats, slopes: Floats, given: Floats) -> None:
    """Write the bounds under the present forces, and all rates.

    `given` are the bounds at zero force: all low ones, then all high ones.
    """
    x, low, high = (
        tail(w, ScaledLcp.X * n),
        tail(w, ScaledLcp.LOW * n),
        tail(w, ScaledLcp.HIGH * n),
    )
    for k in range(n):
        low[k] = given[k] + dot4(n, tail(slopes, k * n), x)
        high[k] = given[n + k] + dot4(n, tail(slopes, (n + k) * n), x)
    evaluate_rates_and_rounding(n, w)


@kernel(inline=False)
def solve_coupled_modes(
    n: Int, w: Floats, modes: Ints, slopes: Floats, given: Floats
) -> Int:
    """Write forces and rates of given modes; return the number of redundant constraints.

    −1 if the rank is uncertain. The equations are unsymmetric: rates that vanish, forces equal
    to their bounds. A is stored by columns. Work space follows `given`.
    """
    A, x, a = (
        tail(w, ScaledLcp.VECTORS * n),
        tail(w, ScaledLcp.X * n),
        tail(w, ScaledLcp.RATE * n),
    )
    low, high = tail(w, ScaledLcp.LOW * n), tail(w, ScaledLcp.HIGH * n)
    r, change, residual = tail(given, 2 * n), tail(given, 3 * n), tail(given, 4 * n)
    M = tail(residual, 1)
    W, Z, rest = tail(M, n * n), tail(M, 2 * n * n), tail(M, 3 * n * n)
    for k in range(n):
        x[k] = 0.0
        own = tail(M, k * n)
        if modes[k] == ContactMode.STUCK:
            for j in range(n):
                own[j] = A[j * n + k]
        else:
            line = tail(slopes, (k if modes[k] == ContactMode.FORWARD else n + k) * n)
            for j in range(n):
                own[j] = -line[j]
            own[k] += 1.0
    residual[0] = 1.0
    rank = pseudo_inverse(n, n, M, DEPENDENT_CONSTRAINT, W, Z, residual, rest)
    if not isfinite(residual[0]):
        return -1
    for _ in range(3):
        update_bounds(n, w, slopes, given)
        for k in range(n):
            r[k] = -a[k]
            if modes[k] != ContactMode.STUCK:
                r[k] = (low[k] if modes[k] == ContactMode.FORWARD else high[k]) - x[k]
        apply_inverse(n, n, rank, W, Z, r, change)
        for k in range(n):
            x[k] += change[k]
    for k in range(n):
        if modes[k] != ContactMode.STUCK and has_constant_bounds(n, slopes, k) > 0:
            x[k] = given[k] if modes[k] == ContactMode.FORWARD else given[n + k]
    update_bounds(n, w, slopes, given)
    return n - rank


@kernel(inline=False)
def try_modes(
    n: Int, w: Floats, modes: Ints, slopes: Floats, given: Floats, change: Int, counts: Ints
) -> Int:
    """Return the number of violations with given modes; change them as `count_violations`."""
    redundant = solve_coupled_modes(n, w, modes, slopes, given)
    if redundant < 0:
        return n + 1
    counts[LcpReport.REDUNDANT] = int(redundant > 0)
    x, low, high = (
        tail(w, ScaledLcp.X * n),
        tail(w, ScaledLcp.LOW * n),
        tail(w, ScaledLcp.HIGH * n),
    )
    size = tail(w, ScaledLcp.SIZE * n)
    violations = 0
    for k in range(n):
        edge = EQUATION_ZERO * size[k]
        bound = low[k] if modes[k] == ContactMode.FORWARD else high[k]
        missed = modes[k] != ContactMode.STUCK and not -edge <= x[k] - bound <= edge
        crossed = modes[k] == ContactMode.STUCK and low[k] - high[k] > edge
        if crossed or missed:
            counts[LcpReport.WORST] = k
            violations += 1
    return violations + count_violations(n, w, modes, change, counts)


@kernel
def mode_count(n: Int, given: Floats, slopes: Floats, k: Int) -> Int:
    """Return how many modes a constraint may have."""
    if is_prescribed_force(n, given, slopes, k) > 0:
        return 1
    return 1 + int(isfinite(given[k])) + int(isfinite(given[n + k]))


@kernel(inline=False)
def enumerate_modes(
    n: Int, w: Floats, modes: Ints, slopes: Floats, given: Floats, counts: Ints
) -> Int:
    """Try all combinations of modes, if there are few enough; return 0 if one is consistent."""
    trials = 1
    for k in range(n):
        trials = min(trials * mode_count(n, given, slopes, k), MOST_ENUMERATED + 1)
    if trials > MOST_ENUMERATED:
        return 1
    # the digits of each trial number are the modes
    for trial in range(trials):
        number = trial
        for k in range(n):
            choices = mode_count(n, given, slopes, k)
            digit = number % choices
            number = number // choices
            modes[k] = ContactMode.STUCK
            if choices == 1 or (digit == 1 and isfinite(given[k])):
                modes[k] = ContactMode.FORWARD
            elif digit > 0:
                modes[k] = ContactMode.BACKWARD
            if choices == 1 and not isfinite(given[k]):
                modes[k] = ContactMode.STUCK
        if try_modes(n, w, modes, slopes, given, Pivoting.NONE, counts) == 0:
            return 0
    return 1


@kernel
def admit_coupled(n: Int, modes: Ints, slopes: Floats, given: Floats) -> None:
    """Change inadmissible modes: sticking with a prescribed force, or at an infinite bound."""
    for k in range(n):
        if is_prescribed_force(n, given, slopes, k) > 0:
            modes[k] = ContactMode.FORWARD if modes[k] == ContactMode.STUCK else modes[k]
        elif modes[k] == ContactMode.FORWARD and not isfinite(given[k]):
            modes[k] = ContactMode.STUCK
        elif modes[k] == ContactMode.BACKWARD and not isfinite(given[n + k]):
            modes[k] = ContactMode.STUCK


@kernel(inline=False)
def staggered_iteration(
    n: Int, w: Floats, modes: Ints, slopes: Floats, given: Floats, counts: Ints
) -> Int:
    """Alternate problems with constant bounds and updates of the bounds.

    Return 0 if the modes are consistent.
    """
    x, keep = tail(w, ScaledLcp.X * n), tail(w, ScaledLcp.KEEP * n)
    low, high = tail(w, ScaledLcp.LOW * n), tail(w, ScaledLcp.HIGH * n)
    for k in range(n):
        x[k] = 0.0
    for _ in range(STAGGERED_ITERATIONS):
        update_bounds(n, w, slopes, given)
        for k in range(n):
            if low[k] > high[k]:
                low[k] = 0.5 * (low[k] + high[k])
                high[k] = low[k]
        if solve_constant_bounds(n, w, modes, counts) != 0:
            return 1
        for k in range(n):
            keep[k] = x[k]
        admit_coupled(n, modes, slopes, given)
        if try_modes(n, w, modes, slopes, given, Pivoting.NONE, counts) == 0:
            return 0
        for k in range(n):
            x[k] = keep[k]
    return 1


@kernel(inline=False)
def solve_coupled(
    n: Int, w: Floats, modes: Ints, slopes: Floats, given: Floats, counts: Ints
) -> Int:
    """Write forces and modes of a scaled problem, starting from given modes; return 0.

    In this order: the given modes; staggered iteration; block and then single pivoting;
    enumeration of at most `MOST_ENUMERATED` combinations. 1 if none succeeds. Only solutions that
    were checked are returned.
    """
    counts[LcpReport.METHOD] = 0
    admit_coupled(n, modes, slopes, given)
    if try_modes(n, w, modes, slopes, given, Pivoting.NONE, counts) == 0:
        return 0
    worst = counts[LcpReport.WORST]
    counts[LcpReport.METHOD] = 1
    if staggered_iteration(n, w, modes, slopes, given, counts) == 0:
        counts[LcpReport.METHOD] = 1
        return 0
    counts[LcpReport.METHOD] = 2
    admit_coupled(n, modes, slopes, given)
    for turn in range(BLOCK_PIVOTS + SINGLE_PIVOTS * n):
        change = Pivoting.ALL if turn < BLOCK_PIVOTS else Pivoting.FIRST
        if try_modes(n, w, modes, slopes, given, change, counts) == 0:
            return 0
    counts[LcpReport.METHOD] = 3
    if enumerate_modes(n, w, modes, slopes, given, counts) == 0:
        return 0
    counts[LcpReport.WORST] = worst
    return 1


@kernel(inline=False)
def detect_redundancy(
    n: Int, w: Floats, modes: Ints, slopes: Floats, given: Floats, counts: Ints
) -> None:
    """Note whether forces are not unique once degenerate constraints stick as well.

    Sticking constraints share their load by compliance: such a force would then differ from
    this solution, and may be beyond its bounds.
    """
    if counts[LcpReport.REDUNDANT] > 0 or count_degenerate(n, w, modes) == 0:
        return
    low, high, keep = (
        tail(w, ScaledLcp.LOW * n),
        tail(w, ScaledLcp.HIGH * n),
        tail(w, ScaledLcp.KEEP * n),
    )
    a, size = tail(w, ScaledLcp.RATE * n), tail(w, ScaledLcp.SIZE * n)
    for k in range(n):
        keep[k] = float(modes[k])
    for k in range(n):
        if low[k] < high[k] and fabs(a[k]) <= EQUATION_ZERO * size[k]:
            modes[k] = ContactMode.STUCK
    counts[LcpReport.REDUNDANT] = int(solve_coupled_modes(n, w, modes, slopes, given) != 0)
    for k in range(n):
        modes[k] = int(keep[k])
    solve_coupled_modes(n, w, modes, slopes, given)


@kernel(inline=False)
def scale_coupled(n: Int, slopes: Floats, w: Floats, modes: Ints, counts: Ints) -> Int:
    """Scale the slopes of the bounds, λ = scale · x, and solve; see `solve_coupled`."""
    low, high, scale = (
        tail(w, ScaledLcp.LOW * n),
        tail(w, ScaledLcp.HIGH * n),
        tail(w, ScaledLcp.SCALE * n),
    )
    own = tail(w, (ScaledLcp.VECTORS + 1 + 3 * n) * n)
    given = tail(own, 2 * n * n)
    for k in range(n):
        given[k], given[n + k] = low[k], high[k]
        for j in range(n):
            factor = scale[j] / scale[k]
            own[k * n + j] = slopes[k * n + j] * factor
            own[(n + k) * n + j] = slopes[(n + k) * n + j] * factor
    status = solve_coupled(n, w, modes, own, given, counts)
    if status == 0:
        detect_redundancy(n, w, modes, own, given, counts)
    return status


# --- the problem as given ------------------------------------------------------------------


SOLVED, UNSOLVED, REFUSED = range(3)

COUNTS = 4  # integers before the modes in the work space


def box_lcp_size(m: int) -> tuple[int, int]:
    """Return the doubles of `work` and the integers of `counts` of `solve_box_lcp`."""
    return m + coupled_size(m), COUNTS + 2 * m


@kernel(inline=False)
def clear_prescribed(m: Int, D: Floats, b: Floats, unit: Ints) -> None:
    """Set the entries of constraints with prescribed motion to zero where they are rounding.

    `unit[k]` is equal for constraints of one unit. Where D_kk is rounding beside the largest of
    its unit, the row and column of D become zero, and so does b if it is rounding.
    """
    for k in range(m):
        largest, fastest = 0.0, 0.0
        for j in range(m):
            if unit[j] == unit[k]:
                largest = max(largest, D[j * (m + 1)])
                fastest = max(fastest, fabs(b[j]))
        if not D[k * (m + 1)] > PRESCRIBED_MOTION * largest:
            for j in range(m):
                D[k * m + j] = 0.0
                D[j * m + k] = 0.0
            if fabs(b[k]) <= PRESCRIBED_MOTION * fastest:
                b[k] = 0.0


@kernel
def degenerate_mode(low: Float, high: Float, lam: Float, hint: Int) -> Int:
    """Return the mode of a constraint without a rate: the hint, if the force allows it."""
    if hint == ContactMode.FORWARD and lam <= low:
        return ContactMode.FORWARD
    if hint == ContactMode.BACKWARD and lam >= high:
        return ContactMode.BACKWARD
    if low < high and (hint == ContactMode.STUCK or low < lam < high):
        return ContactMode.STUCK
    return ContactMode.FORWARD if lam <= low else ContactMode.BACKWARD


@kernel(inline=False)
def solve_prescribed(
    k: Int, b: Floats, low: Floats, high: Floats, mode: Ints, lam: Floats, counts: Ints
) -> Int:
    """Solve a constraint that no force moves: by the sign of b; for b = 0 with the least force."""
    if b[k] == 0.0:
        lam[k] = min(max(0.0, low[k]), high[k])
        mode[k] = degenerate_mode(low[k], high[k], lam[k], mode[k])
        return SOLVED
    mode[k] = ContactMode.FORWARD if b[k] > 0.0 else ContactMode.BACKWARD
    lam[k] = low[k] if b[k] > 0.0 else high[k]
    if isfinite(lam[k]):
        return SOLVED
    lam[k] = 0.0
    counts[LcpReport.WORST] = k
    return UNSOLVED


@kernel
def solve_scalar(
    D: Floats, b: Floats, low: Floats, high: Floats, mode: Ints, lam: Floats
) -> None:
    """Solve a problem of one constraint."""
    free = -b[0] / D[0]
    value = min(max(free, low[0]), high[0])
    edge = EQUATION_ZERO * (fabs(value) + fabs(free))
    if fabs(free - value) > edge:
        mode[0] = ContactMode.FORWARD if free < value else ContactMode.BACKWARD
    else:
        if mode[0] == ContactMode.FORWARD and free <= low[0] + edge:
            value = low[0]
        elif mode[0] == ContactMode.BACKWARD and free >= high[0] - edge:
            value = high[0]
        mode[0] = degenerate_mode(low[0], high[0], value, mode[0])
    lam[0] = value


@kernel(inline=False)
def scale_lcp(
    m: Int,
    n: Int,
    D: Floats,
    b: Floats,
    low: Floats,
    high: Floats,
    coupled: Int,
    slopes: Floats,
    mode: Ints,
    lam: Floats,
    numbers: Floats,
    w: Floats,
    modes: Ints,
) -> None:
    """Write the scaled problem of n constraints, by columns; the other forces are known."""
    A, right, scale = (
        tail(w, ScaledLcp.VECTORS * n),
        tail(w, ScaledLcp.B * n),
        tail(w, ScaledLcp.SCALE * n),
    )
    below, above = tail(w, ScaledLcp.LOW * n), tail(w, ScaledLcp.HIGH * n)
    for i in range(n):
        k = int(numbers[i])
        own = float(D[k * (m + 1)])
        if coupled > 0:
            own = scaling_compliance(m, D, b, low, high, slopes, k)
        scale[i] = 1.0 / sqrt(own) if own > 0.0 else 1.0
        modes[i] = mode[k]
    for i in range(n):
        k = int(numbers[i])
        row, unit, total = tail(D, k * m), scale[i], b[k]
        if n < m:
            total += dot4(m, row, lam)
        right[i] = unit * total
        below[i], above[i] = low[k] / unit, high[k] / unit
        for j in range(n):
            A[j * n + i] = unit * row[int(numbers[j])] * scale[j]


@kernel(inline=False)
def unscale_lcp(
    n: Int,
    low: Floats,
    high: Floats,
    coupled: Int,
    slopes: Floats,
    mode: Ints,
    lam: Floats,
    numbers: Floats,
    w: Floats,
    modes: Ints,
    counts: Ints,
) -> None:
    """Write forces and modes; a degenerate constraint keeps its expected mode, if it can.

    A constraint at its bound because it shares a load does not stick.
    """
    x, a, size = (
        tail(w, ScaledLcp.X * n),
        tail(w, ScaledLcp.RATE * n),
        tail(w, ScaledLcp.SIZE * n),
    )
    below, above, scale = (
        tail(w, ScaledLcp.LOW * n),
        tail(w, ScaledLcp.HIGH * n),
        tail(w, ScaledLcp.SCALE * n),
    )
    for i in range(n):
        k = int(numbers[i])
        value, now = x[i], modes[i]
        full = counts[LcpReport.REDUNDANT] == 1 and now != ContactMode.STUCK
        if fabs(a[i]) <= EQUATION_ZERO * size[i] and not full:
            edge = EQUATION_ZERO * (size[i] + fabs(value))
            if value <= below[i] + edge and (
                mode[k] == ContactMode.FORWARD or value < below[i]
            ):
                value = below[i]
            elif value >= above[i] - edge and (
                mode[k] == ContactMode.BACKWARD or value > above[i]
            ):
                value = above[i]
            now = degenerate_mode(below[i], above[i], value, mode[k])
        mode[k] = now
        lam[k] = scale[i] * value
        if coupled == 0 or has_constant_bounds(n, slopes, k) > 0:
            lam[k] = min(max(lam[k], low[k]), high[k])
            if now != ContactMode.STUCK:
                lam[k] = low[k] if now == ContactMode.FORWARD else high[k]


@kernel
def check_lcp(
    m: Int,
    D: Floats,
    b: Floats,
    low: Floats,
    high: Floats,
    coupled: Int,
    slopes: Floats,
    counts: Ints,
) -> Int:
    """Return 0 for a valid problem, else 1 and the constraint with invalid numbers."""
    for k in range(m):
        finite = isfinite(b[k]) and isfinite(D[k * (m + 1)])
        fits = low[k] <= high[k]
        if coupled > 0:
            fits = fits or has_constant_bounds(m, slopes, k) == 0
            for j in range(m):
                finite = finite and isfinite(slopes[k * m + j] + slopes[(m + k) * m + j])
        if not (finite and fits):
            counts[LcpReport.WORST] = k
            return 1
    return 0


@kernel(inline=False)
def solve_box_lcp(
    m: Int,
    D: Floats,
    b: Floats,
    low: Floats,
    high: Floats,
    coupled: Int,
    slopes: Floats,
    mode: Ints,
    lam: Floats,
    work: Floats,
    counts: Ints,
) -> Int:
    """Write λ and the modes of m constraints; return `SOLVED`, `UNSOLVED` or `REFUSED`.

    D is symmetric positive semidefinite, stored by rows; with `coupled` bounds it may be any
    matrix. `mode` holds the expected modes, and then the result: 1 forward, 0 stick, −1
    backward. A degenerate constraint, at its bound without acceleration, keeps the expected mode.

    With `coupled` the bounds are low + L λ and high + H λ: `slopes` holds L and then H, by rows.
    Contact friction has L = −μ and H = μ in the column of the normal force; equal bounds
    prescribe a force, as of sliding friction. Of several solutions the first found is taken,
    that of the expected modes before all others. D_kk = 0: see `clear_prescribed`.

    `counts[0]` is the constraint with the largest violation if there is no solution
    (`UNSOLVED`), or with an invalid number or crossed bounds (`REFUSED`). `counts[1]` is 1 if
    forces are not unique: those with the least Σ D_kk λ_k² are taken. `counts[2]` is 0 if
    pivoting found the solution, else higher.
    """
    counts[LcpReport.WORST], counts[LcpReport.REDUNDANT], counts[LcpReport.METHOD] = 0, 0, 0
    if check_lcp(m, D, b, low, high, coupled, slopes, counts) > 0:
        return REFUSED
    if m == 1 and D[0] > 0.0 and coupled == 0:
        solve_scalar(D, b, low, high, mode, lam)
        return SOLVED
    numbers, w, modes = tail(work, 0), tail(work, m), tail(counts, COUNTS)
    n = 0
    for k in range(m):
        lam[k] = 0.0
        if coupled > 0 or D[k * (m + 1)] > 0.0:
            numbers[n] = k
            n += 1
        elif solve_prescribed(k, b, low, high, mode, lam, counts) != SOLVED:
            return UNSOLVED
    if n == 0:
        return SOLVED
    scale_lcp(m, n, D, b, low, high, coupled, slopes, mode, lam, numbers, w, modes)
    if coupled > 0:
        status = scale_coupled(m, slopes, w, modes, counts)
    else:
        status = solve_constant_bounds(n, w, modes, counts)
    if status != SOLVED:
        counts[LcpReport.WORST] = int(numbers[counts[LcpReport.WORST]])
        return UNSOLVED
    unscale_lcp(n, low, high, coupled, slopes, mode, lam, numbers, w, modes, counts)
    return SOLVED


share(solve_constant_bounds)
share(scale_coupled, late=True)
share(active_set_descent, late=True)
share(minimise_norm, late=True)
