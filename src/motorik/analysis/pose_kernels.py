"""Kernels: closed poses at rows of given values, continued from row to row on one branch."""

from __future__ import annotations

from math import fabs, isfinite

from motorik.compiler.kernels import Float, Floats, Int, Ints, kernel, lanes, tail
from motorik.numerics.newton import (
    NonlinearEquations,
    take_newton_steps,
    take_one_step,
)
from motorik.numerics.tolerances import DRIVEN_SHORTEST, RANK

LONGEST = 0.1  # largest step of the given values between closed poses, in scales
FARTHEST = 0.5  # largest change of an unknown in one step, in scales
BENT = 0.3  # largest correction of a tangent step, of its length: farther is another branch
INFINITE = float("inf")
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
