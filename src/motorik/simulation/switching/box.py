"""Kernels: the box problem of switching rows, which tells what sticks, slides, opens and closes.

    a = D λ + b;   forward:  λ = low,           a ≥ 0
                   stick:    low ≤ λ ≤ high,    a = 0
                   backward: λ = high,          a ≤ 0

a are the accelerations of the rows, λ the forces along them, and D = G M⁻¹ Gᵀ. The same problem
with speeds and impulses is Moreau's rule of impacts. Bounds may be infinite.
"""

from __future__ import annotations

from math import fabs, isfinite, sqrt

from motorik.compiler.kernels import Float, Floats, Int, Ints, kernel, tail
from motorik.simulation.switching.coupled import coupled_size, reads_none, scale_coupled
from motorik.simulation.switching.faces import TOLERANCE, dot
from motorik.simulation.switching.plain import LcpReport, solve_plain
from motorik.simulation.switching.scaled import Scaled, yielding
from motorik.simulation.switching.store import ContactMode

SOLVED, UNSOLVED, REFUSED = range(3)

COUNTS = 4  # before the modes of the work space

PRESCRIBED = 1e-13  # part of the largest D_kk, or b, of rows of one unit that is rounding


def box_size(m: int) -> tuple[int, int]:
    """Return how many doubles `work` and how many integers `counts` of `solve_box` need."""
    return m + coupled_size(m), COUNTS + 2 * m


@kernel(inline=False)
def clear_prescribed(m: Int, D: Floats, b: Floats, unit: Ints) -> None:
    """Make rows whose motion is prescribed exactly so: what is left of them is rounding.

    `unit[k]` is equal for rows of one unit. Where D_kk is rounding beside the largest of its
    unit, the row and the column become zero, and so does b, if it is rounding, too.
    """
    for k in range(m):
        largest, fastest = 0.0, 0.0
        for j in range(m):
            if unit[j] == unit[k]:
                largest = max(largest, D[j * (m + 1)])
                fastest = max(fastest, fabs(b[j]))
        if not D[k * (m + 1)] > PRESCRIBED * largest:
            for j in range(m):
                D[k * m + j] = 0.0
                D[j * m + k] = 0.0
            if fabs(b[k]) <= PRESCRIBED * fastest:
                b[k] = 0.0


@kernel
def give_mode(low: Float, high: Float, lam: Float, hint: Int) -> Int:
    """Return the mode of a row that has no acceleration: the hint, if the force allows it."""
    if hint == ContactMode.FORWARD and lam <= low:
        return ContactMode.FORWARD
    if hint == ContactMode.BACKWARD and lam >= high:
        return ContactMode.BACKWARD
    if low < high and (hint == ContactMode.STUCK or low < lam < high):
        return ContactMode.STUCK
    return ContactMode.FORWARD if lam <= low else ContactMode.BACKWARD


@kernel(inline=False)
def solve_fixed(
    k: Int, b: Floats, low: Floats, high: Floats, mode: Ints, lam: Floats, counts: Ints
) -> Int:
    """Solve a row that no force moves: the sign of b tells; without b, the least force is taken."""
    if b[k] == 0.0:
        lam[k] = min(max(0.0, low[k]), high[k])
        mode[k] = give_mode(low[k], high[k], lam[k], mode[k])
        return SOLVED
    mode[k] = ContactMode.FORWARD if b[k] > 0.0 else ContactMode.BACKWARD
    lam[k] = low[k] if b[k] > 0.0 else high[k]
    if isfinite(lam[k]):
        return SOLVED
    lam[k] = 0.0
    counts[LcpReport.WORST] = k
    return UNSOLVED


@kernel
def solve_one(
    D: Floats, b: Floats, low: Floats, high: Floats, mode: Ints, lam: Floats
) -> None:
    """Solve a problem of one row that forces move."""
    free = -b[0] / D[0]
    value = min(max(free, low[0]), high[0])
    edge = TOLERANCE * (fabs(value) + fabs(free))
    if fabs(free - value) > edge:
        mode[0] = ContactMode.FORWARD if free < value else ContactMode.BACKWARD
    else:
        if mode[0] == ContactMode.FORWARD and free <= low[0] + edge:
            value = low[0]
        elif mode[0] == ContactMode.BACKWARD and free >= high[0] - edge:
            value = high[0]
        mode[0] = give_mode(low[0], high[0], value, mode[0])
    lam[0] = value


@kernel(inline=False)
def scale_rows(
    m: Int,
    n: Int,
    D: Floats,
    b: Floats,
    low: Floats,
    high: Floats,
    linked: Int,
    slopes: Floats,
    mode: Ints,
    lam: Floats,
    rows: Floats,
    w: Floats,
    way: Ints,
) -> None:
    """Write the scaled problem of n rows, column by column; other forces are known."""
    A, right, scale = (
        tail(w, Scaled.VECTORS * n),
        tail(w, Scaled.B * n),
        tail(w, Scaled.SCALE * n),
    )
    below, above = tail(w, Scaled.LOW * n), tail(w, Scaled.HIGH * n)
    for i in range(n):
        k = int(rows[i])
        own = float(D[k * (m + 1)])
        if linked > 0:
            own = yielding(m, D, b, low, high, slopes, k)
        scale[i] = 1.0 / sqrt(own) if own > 0.0 else 1.0
        way[i] = mode[k]
    for i in range(n):
        k = int(rows[i])
        row, unit, total = tail(D, k * m), scale[i], b[k]
        if n < m:
            total += dot(m, row, lam)
        right[i] = unit * total
        below[i], above[i] = low[k] / unit, high[k] / unit
        for j in range(n):
            A[j * n + i] = unit * row[int(rows[j])] * scale[j]


@kernel(inline=False)
def unscale_rows(
    n: Int,
    low: Floats,
    high: Floats,
    linked: Int,
    slopes: Floats,
    mode: Ints,
    lam: Floats,
    rows: Floats,
    w: Floats,
    way: Ints,
    counts: Ints,
) -> None:
    """Write forces and modes; a row without acceleration takes the mode it had, if it can.

    A row that shares a load as far as its bound allows does not stick.
    """
    x, a, size = tail(w, Scaled.X * n), tail(w, Scaled.RATE * n), tail(w, Scaled.SIZE * n)
    below, above, scale = (
        tail(w, Scaled.LOW * n),
        tail(w, Scaled.HIGH * n),
        tail(w, Scaled.SCALE * n),
    )
    for i in range(n):
        k = int(rows[i])
        value, now = x[i], way[i]
        full = counts[LcpReport.SHARED] == 1 and now != ContactMode.STUCK
        if fabs(a[i]) <= TOLERANCE * size[i] and not full:
            edge = TOLERANCE * (size[i] + fabs(value))
            if value <= below[i] + edge and (
                mode[k] == ContactMode.FORWARD or value < below[i]
            ):
                value = below[i]
            elif value >= above[i] - edge and (
                mode[k] == ContactMode.BACKWARD or value > above[i]
            ):
                value = above[i]
            now = give_mode(below[i], above[i], value, mode[k])
        mode[k] = now
        lam[k] = scale[i] * value
        if linked == 0 or reads_none(n, slopes, k) > 0:
            lam[k] = min(max(lam[k], low[k]), high[k])
            if now != ContactMode.STUCK:
                lam[k] = low[k] if now == ContactMode.FORWARD else high[k]


@kernel
def check_box(
    m: Int,
    D: Floats,
    b: Floats,
    low: Floats,
    high: Floats,
    linked: Int,
    slopes: Floats,
    counts: Ints,
) -> Int:
    """Return 0 if there is a problem, else 1 and the row that is none."""
    for k in range(m):
        finite = isfinite(b[k]) and isfinite(D[k * (m + 1)])
        fits = low[k] <= high[k]
        if linked > 0:
            fits = fits or reads_none(m, slopes, k) == 0
            for j in range(m):
                finite = finite and isfinite(slopes[k * m + j] + slopes[(m + k) * m + j])
        if not (finite and fits):
            counts[LcpReport.WORST] = k
            return 1
    return 0


@kernel(inline=False)
def solve_box(
    m: Int,
    D: Floats,
    b: Floats,
    low: Floats,
    high: Floats,
    linked: Int,
    slopes: Floats,
    mode: Ints,
    lam: Floats,
    work: Floats,
    counts: Ints,
) -> Int:
    """Write λ and the modes of m rows; return `SOLVED`, `UNSOLVED` or `REFUSED`.

    D is symmetric, positive semidefinite, and stored row by row; with `linked` it may be any.
    `mode` holds what is expected before, and the result after: 1 forward, 0 stick, −1 backward.
    Where a row is at its bound and has no acceleration, it takes the mode that was expected, if
    it can.

    With `linked` the bounds are low + L λ and high + H λ: `slopes` holds L and then H, row by
    row. Contact friction has L = −μ and H = μ in the column of the normal force; a row whose
    two bounds are the same has a given force, as of sliding friction. Such problems may have
    several solutions: the first that is found is taken, that of the expected modes before all
    others. A row with D_kk = 0 is moved by no force: see `clear_prescribed`.

    `counts[0]` is the row that is wrong most where there is no solution (`UNSOLVED`) or that
    is refused, because it has a number that is none, or crossed bounds. `counts[1]` is 1 if
    forces are not unique: those with the least Σ D_kk λ_k² are taken. `counts[2]` is 0 where
    pivoting found the solution, else higher.
    """
    counts[LcpReport.WORST], counts[LcpReport.SHARED], counts[LcpReport.METHOD] = 0, 0, 0
    if check_box(m, D, b, low, high, linked, slopes, counts) > 0:
        return REFUSED
    if m == 1 and D[0] > 0.0 and linked == 0:
        solve_one(D, b, low, high, mode, lam)
        return SOLVED
    rows, w, way = tail(work, 0), tail(work, m), tail(counts, COUNTS)
    n = 0
    for k in range(m):
        lam[k] = 0.0
        if linked > 0 or D[k * (m + 1)] > 0.0:
            rows[n] = k
            n += 1
        elif solve_fixed(k, b, low, high, mode, lam, counts) != SOLVED:
            return UNSOLVED
    if n == 0:
        return SOLVED
    scale_rows(m, n, D, b, low, high, linked, slopes, mode, lam, rows, w, way)
    if linked > 0:
        status = scale_coupled(m, slopes, w, way, counts)
    else:
        status = solve_plain(n, w, way, counts)
    if status != SOLVED:
        counts[LcpReport.WORST] = int(rows[counts[LcpReport.WORST]])
        return UNSOLVED
    unscale_rows(n, low, high, linked, slopes, mode, lam, rows, w, way, counts)
    return SOLVED
