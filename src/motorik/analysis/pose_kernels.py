"""Kernels: closed poses at rows of given values, continued on one branch, or searched for."""

from __future__ import annotations

from math import fabs, isfinite

from motorik.compiler.kernels import Float, Floats, Int, Ints, kernel, lanes, tail
from motorik.numerics.least_squares import solve_least_squares
from motorik.numerics.newton import (
    NonlinearEquations,
    Report,
    fill_jacobian,
    residual_size,
    scaled_size,
    take_newton_steps,
    take_one_step,
)
from motorik.numerics.tolerances import (
    DISTANCE_GAIN,
    DRIVEN_SHORTEST,
    PENETRATION,
    POSE_STEP,
    RANK,
)
from motorik.numerics.vectors import largest

LONGEST = 0.1  # largest step of the given values between closed poses, in scales
FARTHEST = 0.5  # largest change of an unknown in one step, in scales
BENT = 0.3  # largest correction of a tangent step, of its length: farther is another branch
INFINITE = float("inf")
APPROACHES = 30  # steps towards the pose that is to be near
SHORTEST_PART = 1e-3  # of such a step
STRAIGHT = 1e-6  # corrections that are none, in scales


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


# --- poses within limits --------------------------------------------------------------------


@kernel
def distance(n: Int, at: Ints, x: Floats, near: Floats, unit: Floats) -> Float:
    """Return the sum of squares of the ways of the unknowns that move, in scales."""
    total = 0.0
    for k in range(n):
        if at[k] >= 0:
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
    far = distance(count, e.at, e.x, near, e.unit)
    left = 0.0
    for _ in range(APPROACHES):
        n = e.sizes[3]
        e.function(e.x, e.given, r, J)
        left = scaled_size(m, r, e.per)
        fill_jacobian(e, J, outer, outer)
        for i in range(m):
            r[i] = 0.0
        for k in range(count):
            kept[k] = e.x[k]
            if e.at[k] >= 0:
                way = (near[k] - e.x[k]) / e.unit[k]
                for i in range(m):
                    r[i] += outer[i * n + e.at[k]] * way
        solve_least_squares(m, n, 0, outer, outer, r, RANK, found, found, report, work_left)
        for k in range(count):
            step[k] = 0.0
            if e.at[k] >= 0:
                step[k] = (near[k] - e.x[k]) / e.unit[k] - found[e.at[k]]
        if largest(count, step) < POSE_STEP:
            return left
        part, gained = 1.0, 0.0
        while part > SHORTEST_PART and gained <= 0.0:
            for k in lanes(count):
                e.x[k] = kept[k] + part * step[k] * e.unit[k]
            left = take_newton_steps(e, report, work_left)
            if left < closed:
                gained = far - distance(count, e.at, e.x, near, e.unit)
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
def solve_within(
    e: NonlinearEquations,
    near: Floats,
    lower: Floats,
    upper: Floats,
    closed: Float,
    report: Floats,
    work: Floats,
) -> Float:
    """Move x to a pose near `near` within limits; return the largest residual, or infinity.

    An unknown that passes a limit is put there and kept, the farthest first.
    """
    count = e.sizes[1]
    for k in range(count):
        e.at[k] = k
        e.x[k] = min(max(e.x[k], lower[k]), upper[k])
    e.sizes[3] = count
    left = INFINITE
    for _ in range(count + 1):
        left = take_newton_steps(e, report, work)
        if left < closed and report[Report.RANK] < e.sizes[3]:
            left = move_near(e, near, closed, report, work)
        worst, most = -1, PENETRATION
        for k in range(count):
            over = max(lower[k] - e.x[k], e.x[k] - upper[k]) / e.unit[k]
            if over > most:
                worst, most = k, over
        if worst < 0:
            return left
        e.x[worst] = min(max(e.x[worst], lower[worst]), upper[worst])
        e.at[worst] = -1
        moving = 0
        for k in range(count):
            if e.at[k] >= 0:
                e.at[k] = moving
                moving += 1
        e.sizes[3] = moving
        if moving == 0:
            return residual_size(e.function, e.x, e.given, e.sizes, e.per, work)
    return left


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
                left = solve_within(e, near, lower, upper, closed, report, rest)
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
