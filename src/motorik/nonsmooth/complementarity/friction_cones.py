"""Kernels: second-order cone complementarity of friction forces, by a semismooth Newton method.

Constraints are scaled to A_kk = 1; x are the forces and a = A x + b the rates. Each force law is a
projection (Alart and Curnier 1991):

    bounds:  x = projection of x − a onto [low + L x, high + H x]
    disk:    (x, x') = projection of (x − a, x' − a') onto |(x, x')| ≤ ρ (high + H x),  ρ = 1

In the interior a contact sticks, a = 0; on the boundary it slides against its rate, or other
contacts hold it there. Contacts may be redundant, as the feet of a table: each is regularised by a
small compliance ε, a + ε (x − x₀). Starting from x₀ = 0, every solution is the x₀ of the next, a
proximal-point iteration that leaves of ε only how the load is shared: as by equal springs, a
continuous function of the state.
"""

from __future__ import annotations

from math import fabs, isfinite, sqrt

from motorik.compiler.kernels import Float, Floats, Int, Ints, kernel, share, tail
from motorik.nonsmooth.complementarity.box_lcp import (
    NEIGHBOUR_ROUNDING,
    LcpReport,
    scaling_compliance,
)
from motorik.nonsmooth.memory import ContactMode
from motorik.numerics.lu import factorise, substitute
from motorik.numerics.tolerances import (
    CONE_BORDER,
    EQUATION_EXACT,
    EQUATION_ZERO,
    FRICTION_COMPLIANCE,
)


class Cones:
    """Vectors of the problem with cones, n numbers each; behind them the matrices A, L and H."""

    X = 0  # forces
    BEFORE = 1  # x₀
    RATE = 2  # a = A x + b
    SIZE = 3
    TERMS = 4  # sum of the sizes of the terms of a
    Y = 5  # x − a
    LEFT = 6  # residual of the laws
    STEP = 7  # of Newton's method
    KEPT = 8
    LOW = 9  # bounds under the present forces
    HIGH = 10
    BELOW = 11  # bounds without forces
    ABOVE = 12
    B = 13
    SCALE = 14
    PIVOTS = 15
    FOUND = 16
    PART = 17  # of cones: ρ, and the vectors of `limit_load`
    RESTING = 18
    SOFTNESS = 19
    GIVEN = 20
    NOISE = 21  # how far b is known
    NEXT = 22  # the step that follows
    VECTORS = 23


NEWTON_ITERATIONS = 30  # for one ε
HALVINGS = 8  # of a step that does not decrease the residual
LEAST_DECREASE = 0.9  # largest ratio of residuals after a full step
GAUSS_SEIDEL_SWEEPS = 20  # over all constraints


def cones_size(n: int) -> int:
    """Return the doubles of work space of n constraints."""
    return Cones.VECTORS * n + 4 * n * n


@kernel(inline=False)
def evaluate_projection(
    n: Int, w: Floats, pair: Ints, eps: Float, mode: Ints, fixed: Int
) -> Float:
    """Write rates, sizes, bounds, y = x − a and the residual; return its square.

    With `fixed` the modes decide which constraints are at their bounds.
    """
    A, L, H = (
        tail(w, Cones.VECTORS * n),
        tail(w, (Cones.VECTORS + n) * n),
        tail(w, (Cones.VECTORS + 2 * n) * n),
    )
    x, before, rate, size = (
        tail(w, Cones.X * n),
        tail(w, Cones.BEFORE * n),
        tail(w, Cones.RATE * n),
        tail(w, Cones.SIZE * n),
    )
    y, left, sum_of = (
        tail(w, Cones.Y * n),
        tail(w, Cones.LEFT * n),
        tail(w, Cones.TERMS * n),
    )
    low, high, b = tail(w, Cones.LOW * n), tail(w, Cones.HIGH * n), tail(w, Cones.B * n)
    below, above, part_of = (
        tail(w, Cones.BELOW * n),
        tail(w, Cones.ABOVE * n),
        tail(w, Cones.PART * n),
    )
    for k in range(n):
        total, terms = float(b[k]), fabs(b[k])
        lower, upper = float(below[k]), float(above[k])
        row, reads, also = tail(A, k * n), tail(L, k * n), tail(H, k * n)
        for j in range(n):
            term = row[j] * x[j]
            total += term
            terms += fabs(term)
            lower += reads[j] * x[j]
            upper += also[j] * x[j]
        rate[k], sum_of[k] = total, terms
        low[k], high[k] = lower, part_of[k] * upper
        if lower > upper:
            low[k] = 0.5 * (lower + upper)
            high[k] = low[k]
        y[k] = x[k] - total - eps * (x[k] - before[k])
    for k in range(n):
        total = 0.0
        for j in range(n):
            total += fabs(A[k * n + j]) * sum_of[j]
        size[k] = max(float(sum_of[k]), NEIGHBOUR_ROUNDING * total) + fabs(x[k])
        size[k] += (
            w[Cones.NOISE * n + k] / EQUATION_ZERO
        )  # nearer is no solution than b is known
    square = 0.0
    for k in range(n):
        if pair[k] == -1:
            nearest = min(max(y[k], low[k]), high[k])
            if fixed > 0:
                nearest = y[k] if mode[k] == ContactMode.STUCK else float(low[k])
                nearest = float(high[k]) if mode[k] == ContactMode.BACKWARD else nearest
            left[k] = x[k] - nearest
        elif pair[k] >= 0:
            j = pair[k]
            far, radius = sqrt(y[k] * y[k] + y[j] * y[j]), max(float(high[k]), 0.0)
            slides = (
                mode[k] != ContactMode.STUCK and far > 0.0 if fixed > 0 else far > radius
            )
            part = radius / far if slides else 1.0
            left[k], left[j] = x[k] - part * y[k], x[j] - part * y[j]
    for k in range(n):
        square += left[k] * left[k]
    return square


@kernel(inline=False)
def disk_jacobian(n: Int, w: Floats, k: Int, j: Int, eps: Float, J: Floats) -> None:
    """Write the Jacobian of the law of a sliding disk, x = r y / |y|."""
    A, H = tail(w, Cones.VECTORS * n), tail(w, (Cones.VECTORS + 2 * n) * n)
    own, its, high = w[Cones.Y * n + k], w[Cones.Y * n + j], w[Cones.HIGH * n + k]
    far = sqrt(own * own + its * its)
    own, its = own / far, its / far
    part = max(high, 0.0) / far
    for i in range(n):
        # y across itself, and the radius along it
        one = (1.0 - eps if i == k else 0.0) - A[k * n + i]
        two = (1.0 - eps if i == j else 0.0) - A[j * n + i]
        across = part * (own * two - its * one)
        grows = w[Cones.PART * n + k] * H[k * n + i] if high >= 0.0 else 0.0
        J[i * n + k] = (1.0 if i == k else 0.0) + its * across - own * grows
        J[i * n + j] = (1.0 if i == j else 0.0) - own * across - its * grows


@kernel(inline=False)
def assemble_jacobian(
    n: Int, w: Floats, pair: Ints, eps: Float, mode: Ints, fixed: Int, J: Floats
) -> None:
    """Write the generalised Jacobian of the residual, by columns."""
    A, L, H = (
        tail(w, Cones.VECTORS * n),
        tail(w, (Cones.VECTORS + n) * n),
        tail(w, (Cones.VECTORS + 2 * n) * n),
    )
    y, low, high = tail(w, Cones.Y * n), tail(w, Cones.LOW * n), tail(w, Cones.HIGH * n)
    for k in range(n):
        at_low = pair[k] == -1 and (y[k] < low[k] or low[k] == high[k])
        at_high = pair[k] == -1 and y[k] > high[k] and not at_low
        if fixed > 0:
            at_low = pair[k] == -1 and mode[k] == ContactMode.FORWARD
            at_high = pair[k] == -1 and mode[k] == ContactMode.BACKWARD
        for j in range(n):
            if at_low:
                J[j * n + k] = -L[k * n + j]
            elif at_high:
                J[j * n + k] = -H[k * n + j]
            else:
                J[j * n + k] = A[k * n + j]
        J[k * (n + 1)] += 1.0 if at_low or at_high else eps
    for k in range(n):
        j = pair[k]
        if j >= 0:
            far, radius = y[k] * y[k] + y[j] * y[j], max(float(high[k]), 0.0)
            slides = (
                mode[k] != ContactMode.STUCK and far > 0.0
                if fixed > 0
                else far > radius * radius
            )
            if slides:
                disk_jacobian(n, w, k, j, eps, J)


@kernel(inline=False)
def cone_gauss_seidel(n: Int, w: Floats, pair: Ints, eps: Float, turns: Int) -> None:
    """Improve the forces by projected Gauss–Seidel sweeps."""
    A, L, H = (
        tail(w, Cones.VECTORS * n),
        tail(w, (Cones.VECTORS + n) * n),
        tail(w, (Cones.VECTORS + 2 * n) * n),
    )
    x, before, b = tail(w, Cones.X * n), tail(w, Cones.BEFORE * n), tail(w, Cones.B * n)
    below, above = tail(w, Cones.BELOW * n), tail(w, Cones.ABOVE * n)
    for _ in range(turns):
        for k in range(n):
            if pair[k] < -1:
                continue
            j = pair[k] if pair[k] >= 0 else k
            a, its = float(b[k]), float(b[j])
            lower, upper = float(below[k]), float(above[k])
            for i in range(n):
                a += A[k * n + i] * x[i]
                its += A[j * n + i] * x[i]
                lower += L[k * n + i] * x[i]
                upper += H[k * n + i] * x[i]
            stiff = max(float(A[k * n + k]), float(A[j * n + j])) + eps
            if j != k:
                stiff += fabs(A[k * n + j])
            if not stiff > 0.0:
                stiff = 1.0
            own = x[k] - (a + eps * (x[k] - before[k])) / stiff
            if j == k:
                if lower > upper:
                    lower = 0.5 * (lower + upper)
                    upper = lower
                x[k] = min(max(own, lower), upper)
            else:
                two = x[j] - (its + eps * (x[j] - before[j])) / stiff
                far, radius = (
                    sqrt(own * own + two * two),
                    w[Cones.PART * n + k] * max(upper, 0.0),
                )
                part = radius / far if far > radius else 1.0
                x[k], x[j] = part * own, part * two


@kernel
def is_converged(n: Int, w: Floats, limit: Float, counts: Ints) -> Int:
    """Return whether all force laws hold; `counts[0]` is the constraint of the largest residual."""
    left, size = tail(w, Cones.LEFT * n), tail(w, Cones.SIZE * n)
    worst = 0.0
    for k in range(n):
        if not isfinite(left[k]):
            counts[0] = k
            return 0
        if fabs(left[k]) > worst * size[k]:
            worst = fabs(left[k]) / size[k]
            counts[0] = k
    return int(worst <= limit)


@kernel(inline=False)
def newton_step(
    n: Int, w: Floats, pair: Ints, eps: Float, mode: Ints, fixed: Int, J: Floats
) -> Float:
    """Take one further Newton step; return the square of the residual.

    Sliding friction hardly resists a change of direction: a large step along the boundary of
    the disk leaves it by more than the residual before, and the next step returns to it.
    """
    x, following = tail(w, Cones.X * n), tail(w, Cones.NEXT * n)
    assemble_jacobian(n, w, pair, eps, mode, fixed, J)
    for k in range(n):
        following[k] = w[Cones.LEFT * n + k]
    if factorise(n, J, tail(w, Cones.PIVOTS * n)) > 0:
        substitute(n, J, tail(w, Cones.PIVOTS * n), following)
        for k in range(n):
            x[k] -= following[k]
    return evaluate_projection(n, w, pair, eps, mode, fixed)


@kernel(inline=False)
def newton(
    n: Int, w: Floats, pair: Ints, eps: Float, mode: Ints, fixed: Int, counts: Ints
) -> Int:
    """Solve for the forces with one ε by the semismooth Newton method; return whether it converged.

    `counts[1]` is 1 if constraints are redundant. Steps are halved until the residual decreases.
    """
    J = tail(w, (Cones.VECTORS + 3 * n) * n)
    x, kept, step, left = (
        tail(w, Cones.X * n),
        tail(w, Cones.KEPT * n),
        tail(w, Cones.STEP * n),
        tail(w, Cones.LEFT * n),
    )
    square = evaluate_projection(n, w, pair, eps, mode, fixed)
    for _ in range(NEWTON_ITERATIONS):
        if is_converged(n, w, EQUATION_EXACT, counts) > 0:
            return 1
        assemble_jacobian(n, w, pair, eps, mode, fixed, J)
        for k in range(n):
            step[k], kept[k] = left[k], x[k]
        if factorise(n, J, tail(w, Cones.PIVOTS * n)) == 0:
            return 0
        substitute(n, J, tail(w, Cones.PIVOTS * n), step)
        counts[1] = 0
        for k in range(n):
            if fabs(J[k * (n + 1)]) < 100.0 * eps:
                counts[1] = 1
        part, accepted, now = 1.0, 0, square
        for _ in range(HALVINGS):
            for k in range(n):
                x[k] = kept[k] - part * step[k]
            now = evaluate_projection(n, w, pair, eps, mode, fixed)
            if part == 1.0 and not now < LEAST_DECREASE * square:
                now = newton_step(n, w, pair, eps, mode, fixed, J)
            if now < (1.0 - (1.0 - LEAST_DECREASE) * part) * square:
                accepted = 1
                break
            part *= 0.5
        if accepted == 0:
            for k in range(n):
                x[k] = kept[k]
            evaluate_projection(n, w, pair, eps, mode, fixed)
            if is_converged(n, w, EQUATION_ZERO, counts) > 0:
                return 1
            cone_gauss_seidel(n, w, pair, eps, GAUSS_SEIDEL_SWEEPS)
            now = evaluate_projection(n, w, pair, eps, mode, fixed)
        square = now
    return is_converged(n, w, EQUATION_ZERO, counts)


# --- search for forces and modes ---------------------------------------------------------


STARTS = 4  # of Newton's method, each after more sweeps
PATH = 30  # values of ε of the continuation, tenfold smaller after success
PATIENCE, SOFT = 20, 1e-2  # iterations, and ε, where the continuation fails
COARSE = 0.05  # down to this ε sweeps help
CORRECTIONS = 8  # proximal-point steps


@kernel(inline=False)
def solve_with_compliance(n: Int, w: Floats, pair: Ints, mode: Ints, counts: Ints) -> Int:
    """Solve for the forces with the least ε; return whether it converged.

    If Newton's method fails from all starts, ε is continued from 1 downwards: soft springs always
    have a solution.
    """
    x, before = tail(w, Cones.X * n), tail(w, Cones.BEFORE * n)
    for k in range(n):
        x[k], before[k] = 0.0, 0.0
    found = tail(w, Cones.FOUND * n)
    for turn in range(STARTS):
        cone_gauss_seidel(
            n, w, pair, FRICTION_COMPLIANCE, (1 + turn * turn) * GAUSS_SEIDEL_SWEEPS
        )
        for k in range(n):
            found[k] = x[k]
        if newton(n, w, pair, FRICTION_COMPLIANCE, mode, 0, counts) > 0:
            return 1
        for k in range(n):
            x[k] = found[k]
    for k in range(n):
        x[k] = 0.0
    reached, factor = 10.0, 0.1
    for _ in range(PATH):
        for k in range(n):
            found[k] = x[k]
        eps = max(factor * reached, FRICTION_COMPLIANCE)
        cone_gauss_seidel(n, w, pair, eps, GAUSS_SEIDEL_SWEEPS if eps > COARSE else 0)
        if newton(n, w, pair, eps, mode, 0, counts) > 0:
            if eps == FRICTION_COMPLIANCE:
                return 1
            reached, factor = eps, max(0.1, factor * factor)
        else:
            for k in range(n):
                x[k] = found[k]
            factor = sqrt(factor)
    return 0


@kernel(inline=False)
def search_starts(n: Int, w: Floats, pair: Ints, mode: Ints, counts: Ints) -> Int:
    """Find any solution by proximal-point steps, however shared; return whether one is found."""
    x, before = tail(w, Cones.X * n), tail(w, Cones.BEFORE * n)
    for turn in range(2 * PATIENCE):
        for k in range(n):
            before[k] = x[k]
        eps = SOFT if turn < PATIENCE else 0.1 * SOFT
        cone_gauss_seidel(n, w, pair, eps, GAUSS_SEIDEL_SWEEPS)
        newton(n, w, pair, eps, mode, 0, counts)
        evaluate_projection(n, w, pair, 0.0, mode, 0)
        if is_converged(n, w, 0.1 * CONE_BORDER, counts) > 0:
            return 1
    return 0


@kernel
def mode_at_boundary(n: Int, w: Floats, pair: Ints, k: Int, edge: Float, hint: Int) -> Int:
    """Return the mode of a constraint: the hint, where it is within `edge` sizes of a bound.

    A disk without a radius slides.
    """
    y, low, high = tail(w, Cones.Y * n), tail(w, Cones.LOW * n), tail(w, Cones.HIGH * n)
    near = edge * w[Cones.SIZE * n + k]
    if pair[k] >= 0:
        own, its = y[k], y[pair[k]]
        inside = high[k] - sqrt(own * own + its * its)
        if high[k] <= near or inside < -near:
            return ContactMode.FORWARD
        return (
            ContactMode.STUCK
            if inside > near or hint == ContactMode.STUCK
            else ContactMode.FORWARD
        )
    if low[k] == high[k] or y[k] < low[k] - near:
        return ContactMode.FORWARD
    if y[k] > high[k] + near:
        return ContactMode.BACKWARD
    if y[k] <= low[k] + near and hint == ContactMode.FORWARD:
        return ContactMode.FORWARD
    if y[k] >= high[k] - near and hint == ContactMode.BACKWARD:
        return ContactMode.BACKWARD
    return ContactMode.STUCK


@kernel(inline=False)
def read_modes(n: Int, w: Floats, pair: Ints, edge: Float, mode: Ints) -> None:
    """Write the modes of all constraints; near a bound the expected mode is kept."""
    for k in range(n):
        if pair[k] >= -1:
            mode[k] = mode_at_boundary(n, w, pair, k, edge, mode[k])
    for k in range(n):
        if pair[k] < -1:
            mode[k] = mode[-2 - pair[k]]


@kernel(inline=False)
def scale_cones(
    m: Int,
    D: Floats,
    b: Floats,
    low: Floats,
    high: Floats,
    slopes: Floats,
    noise: Floats,
    pair: Ints,
    w: Floats,
) -> None:
    """Write the scaled problem; both constraints of a disk have one scale."""
    scale = tail(w, Cones.SCALE * m)
    A, L, H = (
        tail(w, Cones.VECTORS * m),
        tail(w, (Cones.VECTORS + m) * m),
        tail(w, (Cones.VECTORS + 2 * m) * m),
    )
    for k in range(m):
        first = k if pair[k] >= -1 else -2 - pair[k]
        other = pair[first] if pair[first] >= 0 else first
        own = 0.5 * (D[first * (m + 1)] + D[other * (m + 1)])
        if first == other:
            own = scaling_compliance(m, D, b, low, high, slopes, k)
        scale[k] = 1.0 / sqrt(own) if own > 0.0 else 1.0
    for k in range(m):
        unit = scale[k]
        w[Cones.B * m + k], w[Cones.PART * m + k] = unit * b[k], 1.0
        w[Cones.NOISE * m + k] = unit * noise[k]
        w[Cones.BELOW * m + k], w[Cones.ABOVE * m + k] = low[k] / unit, high[k] / unit
        for j in range(m):
            A[k * m + j] = unit * D[k * m + j] * scale[j]
            L[k * m + j] = slopes[k * m + j] * scale[j] / unit
            H[k * m + j] = slopes[(m + k) * m + j] * scale[j] / unit


@kernel(inline=False)
def refine(n: Int, w: Floats, pair: Ints, mode: Ints, fixed: Int, counts: Ints) -> Int:
    """Remove the effect of ε, with modes fixed or not; return whether all force laws hold."""
    x, before = tail(w, Cones.X * n), tail(w, Cones.BEFORE * n)
    for _ in range(CORRECTIONS):
        for k in range(n):
            before[k] = x[k]
        if newton(n, w, pair, FRICTION_COMPLIANCE, mode, fixed, counts) == 0:
            return 0
        evaluate_projection(n, w, pair, 0.0, mode, 0)
        if is_converged(n, w, EQUATION_EXACT, counts) > 0:
            return 1
    return is_converged(n, w, EQUATION_ZERO, counts)


@kernel(inline=False)
def release_tension(n: Int, w: Floats, pair: Ints, mode: Ints) -> Int:
    """Let sticking forces beyond their bounds stay at them; return whether there are any."""
    x, low, high = tail(w, Cones.X * n), tail(w, Cones.LOW * n), tail(w, Cones.HIGH * n)
    changed = 0
    for k in range(n):
        near = CONE_BORDER * w[Cones.SIZE * n + k]
        if pair[k] == -1 and mode[k] == ContactMode.STUCK:
            if x[k] < low[k] - near:
                mode[k] = ContactMode.FORWARD
                changed = 1
            elif x[k] > high[k] + near:
                mode[k] = ContactMode.BACKWARD
                changed = 1
    return changed


@kernel(inline=False)
def solve_cone_problem(
    m: Int,
    D: Floats,
    b: Floats,
    low: Floats,
    high: Floats,
    slopes: Floats,
    noise: Floats,
    pair: Ints,
    mode: Ints,
    lam: Floats,
    work: Floats,
    counts: Ints,
) -> Int:
    """Write λ and the modes of m constraints; return 0, or 1 if no solution is found.

    As `solve_box_lcp` with coupled bounds; in addition, `pair[k]` ≥ 0 is the constraint with
    which k is in a disk of radius `high` of k, that constraint has −2 − k, and constraints
    without a disk −1. Constraints of disks have mode 0 if they stick, else 1. A constraint at
    its bound without a rate keeps the expected mode. `noise` is the uncertainty of b: redundant
    constraints agree no better. Only solutions that were checked are returned.
    """
    scale_cones(m, D, b, low, high, slopes, noise, pair, work)
    x, found = tail(work, Cones.X * m), tail(work, Cones.FOUND * m)
    hint = tail(work, Cones.GIVEN * m)
    for k in range(m):
        hint[k] = mode[k]
    counts[LcpReport.METHOD] = 0
    if solve_with_compliance(m, work, pair, mode, counts) == 0:
        counts[LcpReport.METHOD] = 1
        if search_starts(m, work, pair, mode, counts) == 0:
            return 1
    shared = counts[1]
    if counts[LcpReport.METHOD] == 0:
        read_modes(m, work, pair, CONE_BORDER, mode)
    for k in range(m):
        found[k] = x[k]
    done = 0
    for _ in range(m if counts[LcpReport.METHOD] == 0 else 0):
        done = refine(m, work, pair, mode, 1, counts)
        # a contact in compression with ε may be in tension without
        if done > 0 or release_tension(m, work, pair, mode) == 0:
            break
        for k in range(m):
            x[k] = found[k]
    if done > 0:  # a contact that sticks with ε may be at its bound without
        for k in range(m):
            if mode[k] == ContactMode.STUCK:
                mode[k] = int(hint[k])
        read_modes(m, work, pair, CONE_BORDER, mode)
    else:
        for k in range(m):
            x[k] = found[k]
        if refine(m, work, pair, mode, 0, counts) == 0:
            return 1
        for k in range(m):
            found[k] = mode[k]
        read_modes(m, work, pair, CONE_BORDER, mode)
        # loads may be shared differently in the run: expected slip takes place
        for k in range(m):
            if pair[k] != -1 and found[k] != 0.0:
                mode[k] = ContactMode.FORWARD
    counts[1] = shared
    for k in range(m):
        lam[k] = work[Cones.SCALE * m + k] * x[k]
    return 0


share(solve_cone_problem, late=True)
