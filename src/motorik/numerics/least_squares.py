"""Kernels: linear least squares of any rank, by orthogonal decompositions.

The shortest of all least-squares solutions is x = A⁺ r. A = L Qᵀ by Gram–Schmidt with the
largest row first, L = W S likewise, so A⁺ = Q S⁻¹ Wᵀ = Z Wᵀ (Golub and Van Loan, Matrix
Computations, §5.5). If a singular value may be as small as the limit, one-sided Jacobi rotations
of L give all of them, and the small ones are truncated (§8.6). Matrices are stored row by row
where they are given and column by column where they are found.
"""

from __future__ import annotations

from math import fabs, sqrt

import numpy as np

from motorik.compiler.kernels import Float, Floats, Int, kernel, lanes, tail
from motorik.numerics.tolerances import (
    DEPENDENT_ROW,
    ORTHOGONAL,
    PROJECTED_ENTRY,
    RESPONSE_RANK,
)
from motorik.numerics.vectors import dot

SURE = 30.0  # times the limit: with larger diagonals of S no singular value is below it
CLOSE = 1e-4  # relative distance of a singular value to the limit at which rounding decides
SWEEPS = 40
INFINITE = float("inf")


@kernel(inline=False)
def orthogonalise_rows(
    m: Int, n: Int, a: Floats, q: Floats, l: Floats, left: Floats
) -> Int:
    """Write A = L Qᵀ with orthonormal columns of Q; return how many.

    Gram and Schmidt, the largest row first; A is used up. A row smaller than
    `DEPENDENT_ROW` of the largest one counts as dependent.
    """
    count = min(m, n)
    first = 0.0
    for i in range(m):
        left[i] = dot(n, tail(a, i * n), tail(a, i * n))
        first = max(first, left[i])
    for k in range(count):
        pivot = 0
        for i in range(1, m):
            if left[i] > left[pivot]:
                pivot = i
        if not left[pivot] > DEPENDENT_ROW * DEPENDENT_ROW * first:
            return k
        own, row, factors = tail(q, k * n), tail(a, pivot * n), tail(l, k * m)
        for i in lanes(n):
            own[i] = row[i]
        for j in range(k):
            other = tail(q, j * n)
            part = dot(n, own, other)
            for i in lanes(n):
                own[i] -= part * other[i]
        size = sqrt(dot(n, own, own))
        for i in lanes(n):
            own[i] /= size
        for i in range(m):
            factors[i] = 0.0
            if left[i] >= 0.0:
                row = tail(a, i * n)
                part = dot(n, row, own)
                factors[i] = part
                for j in lanes(n):
                    row[j] -= part * own[j]
                left[i] = -1.0 if i == pivot else dot(n, row, row)
    return count


@kernel(inline=False)
def orthonormal_basis(
    a: Int, n: Int, J: Floats, c: Floats, left: Floats, Q: Floats, picked: Floats
) -> Int:
    """Write an orthonormal basis of the rows of J, a row each; return the rank.

    Gram–Schmidt with reorthogonalisation. The longest row that is left comes first, rows being
    divided by the roots of the weights c; those `picked` have no component along later rows of
    the basis. `left` has room for as many rows as J.
    """
    for i in range(a * n):
        left[i] = J[i]
    first, rank = 0.0, 0
    for k in range(min(a, n)):
        longest, best = 0.0, 0
        for j in range(a):
            line = tail(left, j * n)
            size = dot(n, line, line) / c[j]
            if size > longest:
                longest, best = size, j
        first = max(first, longest)
        if not longest > RESPONSE_RANK * RESPONSE_RANK * first:
            break
        own = tail(Q, k * n)
        picked[k] = best
        for i in range(n):
            own[i] = left[best * n + i]
        for _ in range(2):  # once more, for what rounding leaves
            for j in range(k):
                other = tail(Q, j * n)
                part = dot(n, own, other)
                for i in range(n):
                    own[i] -= part * other[i]
            size = 1.0 / sqrt(dot(n, own, own))
            for i in range(n):
                own[i] *= size
        for j in range(a):
            line = tail(left, j * n)
            part = dot(n, line, own)
            for i in range(n):
                line[i] -= part * own[i]
        rank += 1
    return rank


@kernel(inline=False)
def orthogonalise_columns(m: Int, k: Int, l: Floats, w: Floats, s: Floats) -> Float:
    """Write L = W S with orthonormal columns of W; return the smallest of the diagonal of S."""
    least = INFINITE
    for j in range(k):
        own, given, factors = tail(w, j * m), tail(l, j * m), tail(s, j * k)
        for i in lanes(m):
            own[i] = given[i]
        for i in lanes(k):
            factors[i] = 0.0
        for _ in range(2):
            for c in range(j):
                other = tail(w, c * m)
                part = dot(m, own, other)
                factors[c] += part
                for i in lanes(m):
                    own[i] -= part * other[i]
        size = sqrt(dot(m, own, own))
        factors[j] = size
        least = min(least, size)
        if not size > 0.0:
            return 0.0
        for i in lanes(m):
            own[i] /= size
    return least


@kernel(inline=False)
def rotate_columns(m: Int, n: Int, k: Int, l: Floats, q: Floats) -> Int:
    """Turn the columns of L, and those of Q along, until they are perpendicular (Jacobi)."""
    for _ in range(SWEEPS):
        turned = 0
        for i in range(k - 1):
            one = tail(l, i * m)
            for j in range(i + 1, k):
                two = tail(l, j * m)
                a, b, c = dot(m, one, one), dot(m, two, two), dot(m, one, two)
                if fabs(c) > ORTHOGONAL * sqrt(a * b):
                    turned = 1
                    slope = (b - a) / (2.0 * c)
                    tangent = 1.0 / (fabs(slope) + sqrt(1.0 + slope * slope))
                    if slope < 0.0:
                        tangent = -tangent
                    cosine = 1.0 / sqrt(1.0 + tangent * tangent)
                    sine = cosine * tangent
                    for e in lanes(m):
                        x, y = one[e], two[e]
                        one[e] = cosine * x - sine * y
                        two[e] = sine * x + cosine * y
                    first, second = tail(q, i * n), tail(q, j * n)
                    for e in lanes(n):
                        x, y = first[e], second[e]
                        first[e] = cosine * x - sine * y
                        second[e] = sine * x + cosine * y
        if turned == 0:
            return 1
    return 0


@kernel(inline=False)
def truncate_singular_values(
    m: Int, n: Int, k: Int, weak: Float, l: Floats, w: Floats, z: Floats, report: Floats
) -> Int:
    """Write W and Z of the directions that are not weak; return how many.

    The nearer the weakest that counts is to those that do not, the more rounding matters: the
    condition is infinite where it decides.
    """
    if rotate_columns(m, n, k, l, z) == 0:
        report[0] = INFINITE
    largest = 0.0
    for j in range(k):
        largest = max(largest, sqrt(dot(m, tail(l, j * m), tail(l, j * m))))
    count = 0
    least, most = largest, 0.0  # of those that count, and of those that do not
    for j in range(k):
        column = tail(l, j * m)
        size = sqrt(dot(m, column, column))
        if fabs(size - weak * largest) < CLOSE * weak * largest:
            report[0] = INFINITE
        if size > weak * largest:
            least = min(least, size)
            own, to, given = tail(w, count * m), tail(z, count * n), tail(z, j * n)
            for i in lanes(m):
                own[i] = column[i] / size
            for i in lanes(n):
                to[i] = given[i] / size
            count += 1
        else:
            most = max(most, size)
    report[0] = max(report[0], largest / (least - most))
    return count


@kernel(inline=False)
def pseudo_inverse(
    m: Int,
    n: Int,
    a: Floats,
    weak: Float,
    w: Floats,
    z: Floats,
    report: Floats,
    work: Floats,
) -> Int:
    """Write W and Z of A⁺ = Z Wᵀ; return the rank.

    Directions weaker than the part `weak` of the strongest are none. A is used up. `report[0]`
    grows to the condition: the strongest direction against the weakest of those that count;
    it is infinite where rounding decides which do.
    `work` has room for m (c + 1) + c² numbers, c the smaller of m and n.
    """
    l, s = tail(work, m), tail(work, m + m * min(m, n))
    k = orthogonalise_rows(m, n, a, z, l, work)
    if k == 0:
        return 0
    least = orthogonalise_columns(m, k, l, w, s)
    strongest = sqrt(dot(m * k, l, l))
    if not least > SURE * weak * strongest:
        return truncate_singular_values(m, n, k, weak, l, w, z, report)
    report[0] = max(report[0], strongest / least)
    for j in range(k):
        own, factors = tail(z, j * n), tail(s, j * k)
        for i in range(j):
            other = tail(z, i * n)
            part = factors[i]
            for e in lanes(n):
                own[e] -= part * other[e]
        size = factors[j]
        for e in lanes(n):
            own[e] /= size
    return k


@kernel
def apply_inverse(
    m: Int, n: Int, k: Int, w: Floats, z: Floats, r: Floats, x: Floats
) -> None:
    """Write x = Z Wᵀ r."""
    for i in lanes(n):
        x[i] = 0.0
    for j in range(k):
        part = dot(m, tail(w, j * m), r)
        column = tail(z, j * n)
        for i in lanes(n):
            x[i] += part * column[i]


@kernel(inline=False)
def project_out(
    m: Int, n: Int, k: Int, w: Floats, a: Floats, r: Floats, biggest: Float, row: Floats
) -> None:
    """Take off A and r what the columns of W reach; what is left by rounding is zero."""
    for j in range(k):
        own = tail(w, j * m)
        for c in lanes(n):
            row[c] = 0.0
        part = 0.0
        for i in range(m):
            factor, given = own[i], tail(a, i * n)
            part += factor * r[i]
            for c in lanes(n):
                row[c] += factor * given[c]
        for i in range(m):
            factor, given = own[i], tail(a, i * n)
            r[i] -= factor * part
            for c in lanes(n):
                given[c] -= factor * row[c]
    for i in range(m * n):
        if fabs(a[i]) < PROJECTED_ENTRY * biggest:
            a[i] = 0.0


@kernel
def largest_entry(n: Int, a: Floats, size: Float) -> Float:
    """Return the largest of a size and of those of n numbers."""
    for i in range(n):
        size = max(size, fabs(a[i]))
    return size


def least_squares_size(m: int, n: int, hidden: int) -> int:
    """Return the numbers of work space that `solve_least_squares` needs."""
    wide = max(n, hidden)
    least = min(m, wide)
    one = m * (least + 1) + least * least + (m + wide) * least
    return 2 * one + m * (n + hidden) + 3 * m + n


@kernel(inline=False)
def solve_least_squares(
    m: Int,
    n: Int,
    hidden: Int,
    outer: Floats,
    inner: Floats,
    r: Floats,
    weak: Float,
    x: Floats,
    y: Floats,
    report: Floats,
    work: Floats,
) -> None:
    """Write the shortest x, and y as x needs them, with outer x + inner y = r.

    How long y is does not matter. `report` are the condition, which grows and is infinite if
    rounding decides which directions count, and the rank.
    """
    wide = max(n, hidden)
    least = min(m, wide)
    w, z = tail(work, 0), tail(work, m * least)
    rest = tail(work, (m + wide) * least)
    if hidden == 0:
        k = pseudo_inverse(m, n, outer, weak, w, z, report, rest)
        apply_inverse(m, n, k, w, z, r, x)
        report[1] = k
        return
    biggest = largest_entry(m * hidden, inner, largest_entry(m * n, outer, 0.0))
    own = pseudo_inverse(m, hidden, inner, weak, w, z, report, rest)
    rest = tail(rest, m * (least + 1) + least * least)
    left, r_left, row = tail(rest, 0), tail(rest, m * n), tail(rest, m * n + m)
    for i in lanes(m * n):
        left[i] = outer[i]
    for i in lanes(m):
        r_left[i] = r[i]
    project_out(m, n, own, w, left, r_left, biggest, row)
    rest = tail(row, n)
    w_left, z_left = tail(rest, 0), tail(rest, m * least)
    rest = tail(rest, (m + wide) * least)
    k = pseudo_inverse(m, n, left, weak, w_left, z_left, report, rest)
    apply_inverse(m, n, k, w_left, z_left, r_left, x)
    for i in range(m):
        r_left[i] = r[i] - dot(n, tail(outer, i * n), x)
    apply_inverse(m, hidden, own, w, z, r_left, y)
    report[1] = k + own


def shortest(
    A: np.ndarray, r: np.ndarray, weak: float, hidden: np.ndarray | None = None
) -> np.ndarray:
    """Return the result of `solve_least_squares`, by LAPACK's singular value decomposition.

    That is the shortest x with A x = r as well as may be, weak directions left alone. The size
    of `hidden` unknowns does not count: they follow as the others need them.
    """
    if not A.size:
        return np.zeros(A.shape[1])
    if hidden is None or not hidden.any():
        return np.linalg.lstsq(A, r, rcond=weak)[0]
    inner, outer = A[:, hidden], A[:, ~hidden]
    onto = inner @ np.linalg.pinv(inner, rcond=weak)
    x = np.zeros(A.shape[1])
    if outer.size:
        left = outer - onto @ outer
        # directions that hidden unknowns span leave rounding, which is no direction
        left[np.abs(left) < PROJECTED_ENTRY * np.abs(A).max()] = 0.0
        x[~hidden] = np.linalg.lstsq(left, r - onto @ r, rcond=weak)[0]
    x[hidden] = np.linalg.lstsq(inner, r - outer @ x[~hidden], rcond=weak)[0]
    return x
