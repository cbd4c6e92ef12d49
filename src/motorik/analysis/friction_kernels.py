"""Kernels: the least drives of a given motion in which friction at rest shares the load.

    A f + C λ = right,   low ≤ λ ≤ high,   |f| least

What drives cannot do, the part of the equations beyond the range of A, friction must; it weighs
more than the drives, and the bounds that λ comes to are found by bounded least squares. With these
known, drives and the other forces solve the equations exactly.
"""

from __future__ import annotations

from motorik.compiler.kernels import Floats, Int, Ints, kernel, lanes, tail
from motorik.numerics.bounded_least_squares import (
    Bound,
    bounded_least_squares,
    bounded_size,
    take_free,
)
from motorik.numerics.least_squares import (
    apply_inverse,
    largest_entry,
    least_squares_size,
    project_out,
    pseudo_inverse,
    solve_least_squares,
)
from motorik.numerics.tolerances import FRICTION_RANK

WEIGHT = 1e4  # of what drives cannot do, against the drives


def drives_size(m: int, n: int, size: int) -> int:
    """Return the numbers of work space that `least_drive_rows` needs."""
    least = min(m, n)
    inverse = (m + n) * least + m * (least + 1) + least * least
    problem = (m + n) * (size + 1) + bounded_size(m + n, size)
    exact = max(least_squares_size(m, n, free) for free in range(size + 1))
    room = 2 + m * n + m * size + m + 2 * size
    return room + inverse + max(problem + 2 * m + size + n, exact + n)


@kernel(inline=False)
def find_held(
    m: Int, n: Int, size: Int, A: Floats, C: Floats, right: Floats, low: Floats,
    high: Floats, force: Floats, at: Ints, work: Floats,
) -> None:  # fmt: skip
    """Write which forces are at bounds, with the others near their values."""
    least = min(m, n)
    report, own = tail(work, 0), tail(work, 2)
    w, z = tail(own, m * n), tail(own, m * n + m * least)
    rest = tail(own, m * n + (m + n) * least)
    for i in lanes(m * n):
        own[i] = A[i]
    rank = pseudo_inverse(m, n, own, FRICTION_RANK, w, z, report, rest)
    G, h = tail(rest, 0), tail(rest, (m + n) * size)
    column, drive = tail(h, m + n), tail(h, m + n + m)
    row, rest = tail(drive, n), tail(drive, n + size)
    for k in range(size):  # below: drives that the forces replace, above: what is left of C
        for i in range(m):
            column[i] = C[i * size + k]
            G[i * size + k] = column[i]
        apply_inverse(m, n, rank, w, z, column, drive)
        for i in range(n):
            G[(m + i) * size + k] = drive[i]
    apply_inverse(m, n, rank, w, z, right, tail(h, m))
    for i in lanes(m):
        h[i] = right[i]
    biggest = largest_entry(m * size, G, 0.0)
    project_out(m, size, rank, w, G, h, biggest, row)
    left = largest_entry(m * size, G, 0.0)
    if left > 0.0:
        drives = largest_entry(n * size, tail(G, m * size), 0.0)
        weight = WEIGHT * (drives if drives > 0.0 else left) / left
        for i in lanes(m * size):
            G[i] *= weight
        for i in lanes(m):
            h[i] *= weight
    else:  # drives can do all: what is left of the right is rounding
        for i in lanes(m):
            h[i] = 0.0
    for k in range(size):
        at[k] = Bound.FREE
    bounded_least_squares(m + n, size, G, h, low, high, force, at, rest)


@kernel(inline=False)
def solve_beside_held(
    m: Int, n: Int, size: Int, A: Floats, C: Floats, right: Floats, low: Floats,
    high: Floats, drive: Floats, force: Floats, at: Ints, work: Floats,
) -> Int:  # fmt: skip
    """Write drives and the forces that are free; fix the one farthest beyond; return whether."""
    report, own = tail(work, 0), tail(work, 2)
    left, found, rest = (
        tail(own, m * size),
        tail(own, m * size + m),
        tail(own, m * size + m + size),
    )
    free = take_free(m, size, C, right, force, at, own, left)
    weak = FRICTION_RANK
    outer, room = tail(rest, 0), tail(rest, m * n)
    for i in lanes(m * n):
        outer[i] = A[i]
    solve_least_squares(m, n, free, outer, own, left, weak, drive, found, report, room)
    place, worst, most = 0, -1, 0.0
    for k in range(size):
        if at[k] == Bound.FREE:
            force[k] = found[place]
            place += 1
            beyond = max(low[k] - force[k], force[k] - high[k])
            if beyond > most:
                worst, most = k, beyond
    if worst < 0:
        return 0
    at[worst] = Bound.LOW if force[worst] < low[worst] else Bound.HIGH
    force[worst] = low[worst] if force[worst] < low[worst] else high[worst]
    return 1


@kernel(inline=False)
def least_drive_rows(
    count: Int,
    m: Int,
    n: Int,
    size: Int,
    A: Floats,
    C: Floats,
    right: Floats,
    low: Floats,
    high: Floats,
    drives: Floats,
    forces: Floats,
    at: Ints,
    work: Floats,
) -> None:
    """Write the least drives and the forces of friction of all rows; `forces` begin in bounds."""
    for row in range(count):
        own, by, need = tail(A, row * m * n), tail(C, row * m * size), tail(right, row * m)
        least, most = tail(low, row * size), tail(high, row * size)
        drive, force = tail(drives, row * n), tail(forces, row * size)
        find_held(m, n, size, own, by, need, least, most, force, at, work)
        going = 1
        for _ in range(size + 1):
            if going != 0:
                going = solve_beside_held(
                    m, n, size, own, by, need, least, most, drive, force, at, work
                )
