"""Kernels: Newton's method of starts, step by step as `loops/iterations.py` takes it.

What must vanish is a function `rows(x, given, r, J)`, J the entries that are not zero.
`sizes` are the numbers of rows, of unknowns, of entries, of unknowns that move and of those of
them that are hidden; `at` tells of each unknown where it stands among those that move, −1 if it
stays, and −2 − k if it is the hidden one k. `per` and `unit` make rows and unknowns plain
numbers, `ease` tells how easily unknowns move.
"""

from __future__ import annotations

from math import fabs, isfinite

from motorik.compiler.kernels.kernel import (
    Float,
    Floats,
    Function,
    Int,
    Ints,
    kernel,
    lanes,
    tail,
)
from motorik.start.kernels import largest
from motorik.start.least import room, shortest

STEPS = 60
WEAK = 1e-9  # directions weaker than this part of the strongest are left alone
ROUNDING = 8.0 * 2.220446049250313e-16  # steps below this, in scales, change nothing
EPSILON = 2.220446049250313e-16
INFINITE = float("inf")


def work_size(rows: int, unknowns: int, entries: int) -> int:
    """Return the numbers of work space that `close_rows` and `solve_rows` need."""
    matrices = rows * unknowns
    least = max(room(rows, n, unknowns - n) for n in range(unknowns + 1))
    return 2 * (rows + entries) + 3 * unknowns + matrices + least


@kernel(inline=False)
def fill(
    sizes: Ints,
    rows: Ints,
    columns: Ints,
    at: Ints,
    per: Floats,
    weight: Floats,
    J: Floats,
    outer: Floats,
    inner: Floats,
) -> None:
    """Write the matrices of unknowns that move, row by row: those seen and those hidden."""
    m, n, hidden = sizes[0], sizes[3], sizes[4]
    for i in lanes(m * n):
        outer[i] = 0.0
    for i in lanes(m * hidden):
        inner[i] = 0.0
    for e in range(sizes[2]):
        i, place = rows[e], at[columns[e]]
        value = per[i] * J[e] * weight[columns[e]]
        if place >= 0:
            outer[i * n + place] = value
        elif place < -1:
            inner[i * hidden - 2 - place] = value


@kernel(inline=False)
def step_of(
    sizes: Ints,
    rows: Ints,
    columns: Ints,
    at: Ints,
    per: Floats,
    weight: Floats,
    ease: Floats,
    r: Floats,
    J: Floats,
    weak: Float,
    step: Floats,
    told: Floats,
    work: Floats,
) -> Int:
    """Write the shortest step of all unknowns, in scales; return 0 if it is not certain."""
    m, n, hidden = sizes[0], sizes[3], sizes[4]
    outer, inner = tail(work, 0), tail(work, m * n)
    x, y = tail(work, m * (n + hidden)), tail(work, m * (n + hidden) + n)
    rest = tail(work, m * (n + hidden) + n + hidden)
    fill(sizes, rows, columns, at, per, weight, J, outer, inner)
    if shortest(m, n, hidden, outer, inner, r, weak, x, y, told, rest) == 0:
        return 0
    for k in range(sizes[1]):
        place = at[k]
        step[k] = 0.0
        if place >= 0:
            step[k] = -ease[k] * x[place]
        elif place < -1:
            step[k] = -ease[k] * y[-2 - place]
    return 1


@kernel
def scaled_size(m: Int, r: Floats, per: Floats) -> Float:
    """Make rows plain numbers; return the largest, infinite if one is none."""
    for i in lanes(m):
        r[i] *= per[i]
    return largest(m, r)


@kernel(inline=False)
def rows_left(
    function: Function, x: Floats, given: Floats, sizes: Ints, per: Floats, work: Floats
) -> Float:
    """Return the largest of what must vanish at x, infinite if something is not a number."""
    m = sizes[0]
    r = tail(work, 0)
    function(x, given, r, tail(work, 2 * m))
    return scaled_size(m, r, per)


@kernel(inline=False)
def steepest_entries(
    function: Function,
    x: Floats,
    given: Floats,
    sizes: Ints,
    rows: Ints,
    columns: Ints,
    unit: Floats,
    found: Floats,
    work: Floats,
) -> None:
    """Write the largest entry of each row of the Jacobian at x, unknowns in `unit`.

    No number and infinity stay what they are.
    """
    m = sizes[0]
    J = tail(work, 2 * m)
    function(x, given, tail(work, 0), J)
    for i in lanes(m):
        found[i] = 0.0
    for e in range(sizes[2]):
        size = fabs(J[e] * unit[columns[e]])
        if size > found[rows[e]] or not isfinite(size):
            found[rows[e]] = size


@kernel(inline=False)
def shortened(
    function: Function,
    x: Floats,
    given: Floats,
    sizes: Ints,
    per: Floats,
    unit: Floats,
    step: Floats,
    part: Float,
    size: Float,
    trial: Floats,
    r: Floats,
    J: Floats,
) -> Float:
    """Write x moved by a part of the step, halved until less than `size` is left; return that.

    Where nothing helps, what is returned is not less.
    """
    after = size
    while part > 1e-4:
        for i in lanes(sizes[1]):
            trial[i] = x[i] + part * step[i] * unit[i]
        function(trial, given, r, J)
        after = scaled_size(sizes[0], r, per)
        if after < size:
            return after
        part /= 2.0
    return after


@kernel(inline=False)
def close_rows(
    function: Function,
    x: Floats,
    given: Floats,
    sizes: Ints,
    rows: Ints,
    columns: Ints,
    at: Ints,
    per: Floats,
    unit: Floats,
    weight: Floats,
    ease: Floats,
    told: Floats,
    work: Floats,
) -> Float:
    """Move x until all rows vanish, or no step makes them smaller; return what is left.

    Infinite if it is not certain where that leads. `weight` is unit times ease. `told` are
    then the condition of the last step, its rank, and a bound of what rounding does along the
    way, in scales.
    """
    m, count, entries = sizes[0], sizes[1], sizes[2]
    r, r_new = tail(work, 0), tail(work, m)
    J, J_new = tail(work, 2 * m), tail(work, 2 * m + entries)
    rest = tail(work, 2 * (m + entries))
    step, trial, rest = tail(rest, 0), tail(rest, count), tail(rest, 2 * count)
    function(x, given, r, J)
    size = scaled_size(m, r, per)
    told[2] = 0.0
    for _ in range(STEPS):
        if size < 1e-15 or not isfinite(size):
            return size
        told[0] = 1.0
        weak = min(1e-3, max(WEAK, 0.03 * size))
        if not isfinite(largest(entries, J)):
            return INFINITE
        certain = step_of(
            sizes, rows, columns, at, per, weight, ease, r, J, weak, step, told, rest
        )
        if certain == 0:
            return INFINITE
        longest = largest(count, step)
        if longest <= ROUNDING:
            return size
        part = min(1.0, 1.0 / longest)
        told[2] += EPSILON * told[0] * part * longest
        after = shortened(
            function, x, given, sizes, per, unit, step, part, size, trial, r_new, J_new
        )
        if not after < size:
            return size
        size = after
        for i in lanes(count):
            x[i] = trial[i]
        for i in lanes(m):
            r[i] = r_new[i]
        for i in lanes(entries):
            J[i] = J_new[i]
    return size


@kernel(inline=False)
def solve_rows(
    function: Function,
    x: Floats,
    given: Floats,
    sizes: Ints,
    rows: Ints,
    columns: Ints,
    at: Ints,
    per: Floats,
    unit: Floats,
    weight: Floats,
    ease: Floats,
    weak: Float,
    told: Floats,
    work: Floats,
) -> Int:
    """Take one step of x, which solves rows that are linear; return 0 if it is not certain."""
    m, count, entries = sizes[0], sizes[1], sizes[2]
    r, J = tail(work, 0), tail(work, 2 * m)
    rest = tail(work, 2 * (m + entries))
    step, rest = tail(rest, 0), tail(rest, 2 * count)
    function(x, given, r, J)
    scaled_size(m, r, per)
    told[0] = 1.0
    certain = step_of(
        sizes, rows, columns, at, per, weight, ease, r, J, weak, step, told, rest
    )
    if certain == 0 or not isfinite(largest(count, step)):
        return 0
    for i in lanes(count):
        x[i] += step[i] * unit[i]
    return 1
