"""Kernels: Newton's method of starts, step by step as `loops/iterations.py` takes it.

What must vanish is a function `rows(x, given, r, J)`, J the entries that are not zero, see
`Equations`.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import fabs, isfinite

from motorik.compiler.kernels import Float, Floats, Function, Int, Ints, kernel, lanes, tail
from motorik.numerics.least_squares import room, shortest
from motorik.numerics.tolerances import EPSILON, RANK, STEP_ROUNDING
from motorik.numerics.vectors import largest

STEPS = 60
INFINITE = float("inf")


def work_size(rows: int, unknowns: int, entries: int) -> int:
    """Return the numbers of work space that `close_rows` and `solve_rows` need."""
    matrices = rows * unknowns
    least = max(room(rows, n, unknowns - n) for n in range(unknowns + 1))
    return 2 * (rows + entries) + 3 * unknowns + matrices + least


@dataclass(frozen=True)
class Equations:
    """Rows that must vanish, and the unknowns x that are moved for it."""

    function: Function  # function(x, given, r, J)
    x: Floats
    given: Floats
    sizes: (
        Ints  # numbers of rows, unknowns, entries, unknowns that move, and hidden of them
    )
    rows: Ints  # of each entry of J …
    columns: Ints  # … the row and the unknown
    at: Ints  # place among the unknowns that move; −1: it stays, −2 − k: the hidden one k
    per: Floats  # makes rows plain numbers
    unit: Floats  # makes unknowns plain numbers
    weight: Floats  # unit times ease
    ease: Floats  # how easily unknowns move


@kernel(inline=False)
def fill(e: Equations, J: Floats, outer: Floats, inner: Floats) -> None:
    """Write the matrices of unknowns that move, row by row: those seen and those hidden."""
    m, n, hidden = e.sizes[0], e.sizes[3], e.sizes[4]
    for i in lanes(m * n):
        outer[i] = 0.0
    for i in lanes(m * hidden):
        inner[i] = 0.0
    for k in range(e.sizes[2]):
        i, place = e.rows[k], e.at[e.columns[k]]
        value = e.per[i] * J[k] * e.weight[e.columns[k]]
        if place >= 0:
            outer[i * n + place] = value
        elif place < -1:
            inner[i * hidden - 2 - place] = value


@kernel(inline=False)
def step_of(
    e: Equations,
    r: Floats,
    J: Floats,
    weak: Float,
    step: Floats,
    told: Floats,
    work: Floats,
) -> Int:
    """Write the shortest step of all unknowns, in scales; return 0 if it is not certain."""
    m, n, hidden = e.sizes[0], e.sizes[3], e.sizes[4]
    outer, inner = tail(work, 0), tail(work, m * n)
    x, y = tail(work, m * (n + hidden)), tail(work, m * (n + hidden) + n)
    rest = tail(work, m * (n + hidden) + n + hidden)
    fill(e, J, outer, inner)
    if shortest(m, n, hidden, outer, inner, r, weak, x, y, told, rest) == 0:
        return 0
    for k in range(e.sizes[1]):
        place = e.at[k]
        step[k] = 0.0
        if place >= 0:
            step[k] = -e.ease[k] * x[place]
        elif place < -1:
            step[k] = -e.ease[k] * y[-2 - place]
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
    e: Equations,
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
        for i in lanes(e.sizes[1]):
            trial[i] = e.x[i] + part * step[i] * e.unit[i]
        e.function(trial, e.given, r, J)
        after = scaled_size(e.sizes[0], r, e.per)
        if after < size:
            return after
        part /= 2.0
    return after


@kernel(inline=False)
def close_rows(e: Equations, told: Floats, work: Floats) -> Float:
    """Move x until all rows vanish, or no step makes them smaller; return what is left.

    Infinite if it is not certain where that leads. `told` are then the condition of the last
    step, its rank, and a bound of what rounding does along the way, in scales.
    """
    m, count, entries = e.sizes[0], e.sizes[1], e.sizes[2]
    r, r_new = tail(work, 0), tail(work, m)
    J, J_new = tail(work, 2 * m), tail(work, 2 * m + entries)
    rest = tail(work, 2 * (m + entries))
    step, trial, rest = tail(rest, 0), tail(rest, count), tail(rest, 2 * count)
    e.function(e.x, e.given, r, J)
    size = scaled_size(m, r, e.per)
    told[2] = 0.0
    for _ in range(STEPS):
        if size < 1e-15 or not isfinite(size):
            return size
        told[0] = 1.0
        weak = min(1e-3, max(RANK, 0.03 * size))
        if not isfinite(largest(entries, J)):
            return INFINITE
        certain = step_of(e, r, J, weak, step, told, rest)
        if certain == 0:
            return INFINITE
        longest = largest(count, step)
        if longest <= STEP_ROUNDING:
            return size
        part = min(1.0, 1.0 / longest)
        told[2] += EPSILON * told[0] * part * longest
        after = shortened(e, step, part, size, trial, r_new, J_new)
        if not after < size:
            return size
        size = after
        for i in lanes(count):
            e.x[i] = trial[i]
        for i in lanes(m):
            r[i] = r_new[i]
        for i in lanes(entries):
            J[i] = J_new[i]
    return size


@kernel(inline=False)
def solve_rows(e: Equations, weak: Float, told: Floats, work: Floats) -> Int:
    """Take one step of x, which solves rows that are linear; return 0 if it is not certain."""
    m, count, entries = e.sizes[0], e.sizes[1], e.sizes[2]
    r, J = tail(work, 0), tail(work, 2 * m)
    rest = tail(work, 2 * (m + entries))
    step, rest = tail(rest, 0), tail(rest, 2 * count)
    e.function(e.x, e.given, r, J)
    scaled_size(m, r, e.per)
    told[0] = 1.0
    certain = step_of(e, r, J, weak, step, told, rest)
    if certain == 0 or not isfinite(largest(count, step)):
        return 0
    for i in lanes(count):
        e.x[i] += step[i] * e.unit[i]
    return 1
