"""Kernels: closed poses at rows of given values, continued on one branch, or searched for."""

from __future__ import annotations

from math import fabs, isfinite

from motorik.compiler.kernels import Float, Floats, Int, Ints, kernel, lanes, tail
from motorik.numerics.bounded_least_squares import (
    Bound,
    bounded_least_squares,
    bounded_size,
)
from motorik.numerics.least_squares import solve_least_squares
from motorik.numerics.newton import (
    NonlinearEquations,
    Report,
    fill_jacobian,
    residual_size,
    scaled_size,
    search_line,
    take_newton_steps,
    take_one_step,
    work_size,
)
from motorik.numerics.tolerances import (
    DISTANCE_GAIN,
    DRIVEN_SHORTEST,
    PENETRATION,
    POSE_STEP,
    RANK,
    RESIDUAL_FLOOR,
    STEP_ROUNDING,
)
from motorik.numerics.vectors import largest

LONGEST = 0.1  # largest step of the given values between closed poses, in scales
FARTHEST = 0.5  # largest change of an unknown in one step, in scales
BENT = 0.3  # largest correction of a tangent step, of its length: farther is another branch
INFINITE = float("inf")
APPROACHES = 200  # steps towards the pose that is to be near
SHORTEST_PART = 1e-3  # of such a step
STRAIGHT = 1e-6  # corrections that are none, in scales
WEIGHT = 1e4  # of equations against distances in one step within limits …
FINE = 1e-4  # … more where residuals are smaller than one, down to this
LONGEST_BOUNDED = 1.0  # largest change of an unknown in such a step, in scales
CLOSINGS = 60  # such steps of a search


@kernel
def largest_difference(n: Int, a: Floats, b: Floats, unit: Floats) -> Float:
    """Return the largest difference of two arrays in units; infinite where it is no number."""
    found = 0.0
    for i in range(n):
        apart = fabs(a[i] - b[i]) / unit[i]
        if not apart <= found:
            found = apart if isfinite(apart) else INFINITE
    return found


@kernel(inline=False)
def step_to(
    e: NonlinearEquations, before: Floats, tangent: Floats, closed: Float, report: Floats,
    work: Floats,
) -> Int:  # fmt: skip
    """Move x, closed before, to the pose at the present given values; return 0 if none is near.

    The first step is that along the tangent. Newton's method adds little to it where the way
    between is smooth: at a dead centre it adds much, however short the step.
    """
    n = e.sizes[1]
    for i in lanes(n):
        before[i] = e.x[i]
    if take_one_step(e, RANK, report, work) == 0:
        return 0
    for i in lanes(n):
        tangent[i] = e.x[i]
    left = take_newton_steps(e, report, work)
    moved = largest_difference(n, tangent, before, e.unit)
    bent = largest_difference(n, e.x, tangent, e.unit)
    return int(left < closed and moved <= FARTHEST and bent <= BENT * moved + STRAIGHT)


@kernel(inline=False)
def follow_rows(
    e: NonlinearEquations,
    count: Int,
    width: Int,
    rows: Floats,
    per_given: Floats,
    closed: Float,
    reached: Ints,
    stopped: Floats,
    found: Floats,
    report: Floats,
    work: Floats,
) -> Int:
    """Write the poses at rows of given values, each continued from the last one reached.

    A row has `width` values; `per_given` is 1 / scale of those whose way is divided into steps.
    Where the mechanism cannot follow, `reached` is 0 and `stopped` has the given values at
    which it ends. Returns how many rows are reached. x and the given values begin closed.
    """
    n = e.sizes[1]
    begin, kept = tail(work, 0), tail(work, width)
    before, tangent = tail(work, width + n), tail(work, width + 2 * n)
    rest = tail(work, width + 3 * n)
    good = 0
    for row in range(count):
        end = tail(rows, row * width)
        way = 0.0
        for i in range(width):
            begin[i] = e.given[i]
            way = max(way, fabs(end[i] - begin[i]) * per_given[i])
        for i in lanes(n):
            kept[i] = e.x[i]
        longest = 1.0
        if way > LONGEST:
            longest = LONGEST / way
        done, step, going = 0.0, longest, 1
        while going != 0 and done < 1.0:
            to = min(1.0, done + step)
            if 1.0 - to < DRIVEN_SHORTEST * step:
                to = 1.0
            for i in lanes(width):
                e.given[i] = begin[i] + to * (end[i] - begin[i])
            if to >= 1.0:
                for i in lanes(width):
                    e.given[i] = end[i]
            if step_to(e, before, tangent, closed, report, rest) != 0:
                done = to
                step = min(2.0 * step, longest)
            else:
                for i in lanes(n):
                    e.x[i] = before[i]
                step = (to - done) / 2.0
                going = int(step * max(way, 1.0) >= DRIVEN_SHORTEST)
        reached[row] = going
        good += going
        for i in lanes(n):
            found[row * n + i] = e.x[i]
        if going == 0:
            for i in lanes(width):
                stopped[row * width + i] = begin[i] + done * (end[i] - begin[i])
                e.given[i] = begin[i]
            for i in lanes(n):
                e.x[i] = kept[i]
    return good


# --- poses near one, and within limits ------------------------------------------------------


def solve_size(equations: int, unknowns: int, entries: int) -> int:
    """Return the numbers of work space that `solve_rows` needs."""
    m, n = equations, unknowns
    bounded = (m + n) * (n + 1) + 2 * n + bounded_size(m + n, n)
    step = 3 * (m + entries) + 6 * n + m * n
    return step + bounded + work_size(m, n, entries) + 2 * (m + entries + m * n + 4 * n)


@kernel
def distance(n: Int, x: Floats, near: Floats, unit: Floats) -> Float:
    """Return the sum of squares of the ways of the unknowns, in scales."""
    total = 0.0
    for k in range(n):
        way = (x[k] - near[k]) / unit[k]
        total += way * way
    return total


@kernel(inline=False)
def move_near(
    e: NonlinearEquations, near: Floats, closed: Float, report: Floats, work: Floats
) -> Float:
    """Move x along what the equations leave free towards `near`; return the largest residual.

    Each step is the part of the way to `near` that the equations allow, closed again by
    Newton's method and halved until the distance falls.
    """
    m, count, entries = e.sizes[0], e.sizes[1], e.sizes[2]
    r, J = tail(work, 0), tail(work, m)
    outer, found = tail(work, m + entries), tail(work, m + entries + m * count)
    rest = tail(work, m + entries + m * count + count)
    step, kept = tail(rest, 0), tail(rest, count)
    work_left = tail(rest, 2 * count)
    far = distance(count, e.x, near, e.unit)
    left = 0.0
    for _ in range(APPROACHES):
        e.function(e.x, e.given, r, J)
        left = scaled_size(m, r, e.per)
        fill_jacobian(e, J, outer, outer)
        for i in range(m):
            r[i] = 0.0
        for k in range(count):
            kept[k] = e.x[k]
            way = (near[k] - e.x[k]) / e.unit[k]
            for i in range(m):
                r[i] += outer[i * count + k] * way
        solve_least_squares(
            m, count, 0, outer, outer, r, RANK, found, found, report, work_left
        )
        for k in lanes(count):
            step[k] = (near[k] - e.x[k]) / e.unit[k] - found[k]
        if largest(count, step) < POSE_STEP:
            return left
        part, gained = 1.0, 0.0
        while part > SHORTEST_PART and gained <= 0.0:
            for k in lanes(count):
                e.x[k] = kept[k] + part * step[k] * e.unit[k]
            left = take_newton_steps(e, report, work_left)
            if left < closed:
                gained = far - distance(count, e.x, near, e.unit)
            part /= 2.0
        if gained <= 0.0:
            for k in lanes(count):
                e.x[k] = kept[k]
            return residual_size(e.function, e.x, e.given, e.sizes, e.per, work_left)
        far -= gained
        if gained <= DISTANCE_GAIN * far:
            return left
    return left


@kernel(inline=False)
def solve_free(
    e: NonlinearEquations, near: Floats, closed: Float, report: Floats, work: Floats
) -> Float:
    """Move x to a pose near `near` without regard to limits; return the largest residual."""
    left = take_newton_steps(e, report, work)
    if left < closed and report[Report.RANK] < e.sizes[3]:
        left = move_near(e, near, closed, report, work)
    return left


@kernel
def limits_passed(n: Int, x: Floats, lower: Floats, upper: Floats, unit: Floats) -> Int:
    """Return whether an unknown is beyond its limits by more than rounding."""
    for k in range(n):
        if max(lower[k] - x[k], x[k] - upper[k]) > PENETRATION * unit[k]:
            return 1
    return 0


@kernel(inline=False)
def find_bounded_step(
    e: NonlinearEquations, weight: Float, r: Floats, J: Floats, near: Floats, lower: Floats,
    upper: Floats, step: Floats, held: Ints, work: Floats,
) -> None:  # fmt: skip
    """Write the step within limits that meets the linear equations and ends nearest to `near`.

    The search for it begins with those at limits that were `held` there before. Equations
    weigh so much more than the distance that they are met as well as limits allow.
    """
    m, n = e.sizes[0], e.sizes[1]
    G, h, low = tail(work, 0), tail(work, (m + n) * n), tail(work, (m + n) * (n + 1))
    high, rest = tail(low, n), tail(low, 2 * n)
    fill_jacobian(e, J, G, G)
    for i in lanes(m * n):
        G[i] *= weight
    for i in lanes(m):
        h[i] = -weight * r[i]
    for k in range(n):
        row = tail(G, (m + k) * n)
        for i in lanes(n):
            row[i] = 0.0
        row[k] = 1.0
        h[m + k] = (near[k] - e.x[k]) / e.unit[k]
        low[k] = max((lower[k] - e.x[k]) / e.unit[k], -LONGEST_BOUNDED)
        high[k] = min((upper[k] - e.x[k]) / e.unit[k], LONGEST_BOUNDED)
        step[k] = 0.0
        is_low, is_high = held[k] == Bound.LOW, held[k] == Bound.HIGH
        if not ((is_low and low[k] == 0.0) or (is_high and high[k] == 0.0)):
            held[k] = Bound.FREE
    bounded_least_squares(m + n, n, G, h, low, high, step, held, rest)


@kernel(inline=False)
def close_within(
    e: NonlinearEquations, lower: Floats, upper: Floats, held: Ints, work: Floats
) -> Float:
    """Move x within limits until all residuals vanish, or no step reduces them; return the largest.

    x begins within. Each step is the shortest within limits that meets the linear equations.
    """
    m, n, entries = e.sizes[0], e.sizes[1], e.sizes[2]
    r, r_new = tail(work, 0), tail(work, m)
    J, J_new = tail(work, 2 * m), tail(work, 2 * m + entries)
    step, trial = tail(work, 2 * (m + entries)), tail(work, 2 * (m + entries) + n)
    rest = tail(work, 2 * (m + entries) + 2 * n)
    e.function(e.x, e.given, r, J)
    size = scaled_size(m, r, e.per)
    for _ in range(CLOSINGS):
        if size < RESIDUAL_FLOOR or not isfinite(size):
            return size
        weight = WEIGHT / max(size, FINE)
        find_bounded_step(e, weight, r, J, e.x, lower, upper, step, held, rest)
        longest = largest(n, step)
        if longest <= STEP_ROUNDING or not isfinite(longest):
            return size
        after = search_line(e, step, 1.0, size, trial, r_new, J_new)
        if not after < size:
            return size
        size = after
        for k in range(n):
            e.x[k] = min(max(trial[k], lower[k]), upper[k])
        r, r_new = r_new, r
        J, J_new = J_new, J
    return size


@kernel(inline=False)
def close_beside_held(
    e: NonlinearEquations, lower: Floats, upper: Floats, closed: Float, held: Ints,
    report: Floats, work: Floats,
) -> Float:  # fmt: skip
    """Close a pose within limits again, first by unknowns that are not `held` at limits alone."""
    n, moving = e.sizes[1], 0
    kept, rest = tail(work, 0), tail(work, n)
    for k in range(n):
        kept[k] = e.x[k]
        e.at[k] = -1
        if held[k] == Bound.FREE:
            e.at[k] = moving
            moving += 1
    e.sizes[3] = moving
    left = INFINITE
    if moving > 0:
        left = take_newton_steps(e, report, rest)
    for k in range(n):
        e.at[k] = k
    e.sizes[3] = n
    if left < closed and limits_passed(n, e.x, lower, upper, e.unit) == 0:
        return left
    for k in lanes(n):
        e.x[k] = kept[k]
    return close_within(e, lower, upper, held, rest)


@kernel(inline=False)
def move_near_within(
    e: NonlinearEquations, near: Floats, lower: Floats, upper: Floats, closed: Float,
    held: Ints, report: Floats, work: Floats,
) -> Float:  # fmt: skip
    """Move a closed pose within limits towards `near` as `move_near` does; return the residual."""
    m, n, entries = e.sizes[0], e.sizes[1], e.sizes[2]
    r, J = tail(work, 0), tail(work, m)
    step, kept = tail(work, m + entries), tail(work, m + entries + n)
    rest = tail(work, m + entries + 2 * n)
    far, left = distance(n, e.x, near, e.unit), 0.0
    for _ in range(APPROACHES):
        e.function(e.x, e.given, r, J)
        left = scaled_size(m, r, e.per)
        for i in range(m):
            r[i] = 0.0
        find_bounded_step(e, WEIGHT, r, J, near, lower, upper, step, held, rest)
        if largest(n, step) < POSE_STEP:
            return left
        for k in lanes(n):
            kept[k] = e.x[k]
        part, gained = 1.0, 0.0
        while part > SHORTEST_PART and gained <= 0.0:
            for k in range(n):
                x = kept[k] + part * step[k] * e.unit[k]
                e.x[k] = min(max(x, lower[k]), upper[k])
            left = close_beside_held(e, lower, upper, closed, held, report, rest)
            if left < closed:
                gained = far - distance(n, e.x, near, e.unit)
            part /= 2.0
        if gained <= 0.0:
            for k in lanes(n):
                e.x[k] = kept[k]
            return residual_size(e.function, e.x, e.given, e.sizes, e.per, rest)
        far -= gained
        if gained <= DISTANCE_GAIN * far:
            return left
    return left


@kernel(inline=False)
def solve_within(
    e: NonlinearEquations,
    near: Floats,
    lower: Floats,
    upper: Floats,
    closed: Float,
    held: Ints,
    report: Floats,
    work: Floats,
) -> Float:
    """Move x to a pose near `near` within limits; return the largest residual, or infinity.

    Where the pose without limits is within them, it is the one. Elsewhere the search begins
    again, with limits in each of its steps: an unknown that comes to one may leave it again.
    """
    count = e.sizes[1]
    begin, rest = tail(work, 0), tail(work, count)
    for k in range(count):
        e.x[k] = min(max(e.x[k], lower[k]), upper[k])
        begin[k] = e.x[k]
    left = solve_free(e, near, closed, report, rest)
    if left < closed and limits_passed(count, e.x, lower, upper, e.unit) == 0:
        return left
    for k in lanes(count):
        e.x[k] = begin[k]
    within = close_within(e, lower, upper, held, rest)
    if within < closed:
        return move_near_within(e, near, lower, upper, closed, held, report, rest)
    return within


@kernel(inline=False)
def solve_rows(
    e: NonlinearEquations,
    count: Int,
    width: Int,
    rows: Floats,
    near: Floats,
    lower: Floats,
    upper: Floats,
    n_seeds: Int,
    seeds: Floats,
    closed: Float,
    held: Ints,
    reached: Ints,
    found: Floats,
    report: Floats,
    work: Floats,
) -> Int:
    """Write poses at rows of given values within limits; return how many are found.

    Each search begins at the last pose that was found, first at `near`, then at `near` again
    and at the seeds. Of a row that is not reached the pose with the smallest residual is written.
    """
    n = e.sizes[1]
    last = tail(work, 0)
    rest = tail(work, n)
    for i in lanes(n):
        last[i] = near[i]
    good = 0
    for row in range(count):
        own = tail(found, row * n)
        for i in lanes(width):
            e.given[i] = rows[row * width + i]
        reached[row] = 0
        least = INFINITE
        for attempt in range(n_seeds + 2):
            if reached[row] == 0:
                for i in range(n):
                    e.x[i] = last[i]
                    if attempt == 1:
                        e.x[i] = near[i]
                    if attempt > 1:
                        e.x[i] = seeds[(attempt - 2) * n + i]
                left = solve_within(e, near, lower, upper, closed, held, report, rest)
                if left < least or attempt == 0:
                    least = left
                    for i in lanes(n):
                        own[i] = e.x[i]
                if left < closed:
                    reached[row] = 1
        if reached[row] != 0:
            good += 1
            for i in lanes(n):
                last[i] = own[i]
    return good
