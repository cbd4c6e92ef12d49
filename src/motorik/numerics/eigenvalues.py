"""The largest eigenvalue of a small Hessenberg matrix, as a kernel.

The QR algorithm with Francis's double shifts (Golub, Van Loan 2013, §7.5): of each eigenvalue that
splits off, only the largest so far is kept.
"""

from __future__ import annotations

from math import fabs, sqrt

from motorik.compiler.kernels import Float, Floats, Int, kernel, tail
from motorik.numerics.tolerances import EPSILON

SWEEPS = 30  # of one eigenvalue; more are never needed but for numbers that are not finite
EXCEPTIONAL = 10  # sweeps after which the shift is another one
AHEAD, ACROSS = 0.75, -0.4375  # exceptional shifts: their sum / 2 and − their product


@kernel
def keep_larger(re: Float, im: Float, found: Floats) -> None:
    """Keep an eigenvalue, its real and imaginary parts, if none larger was found."""
    if re * re + im * im > found[0] * found[0] + found[1] * found[1]:
        found[0] = re
        found[1] = im


@kernel
def split_row(stride: Int, h: Floats, last: Int, norm: Float) -> Int:
    """Return the first row of the block that ends with `last`: the entry left of it is 0."""
    row = last
    while row >= 1:
        size = fabs(h[(row - 1) * stride + row - 1]) + fabs(h[row * stride + row])
        if size == 0.0:
            size = norm
        if fabs(h[row * stride + row - 1]) <= EPSILON * size:
            h[row * stride + row - 1] = 0.0
            break
        row -= 1
    return row


@kernel(inline=False)
def sweep(
    stride: Int, h: Floats, first: Int, last: Int, x: Float, y: Float, w: Float
) -> None:
    """Chase the bulge of a double shift with sum x + y and product x y − w down the block."""
    start, p, q, r = first, 0.0, 0.0, 0.0
    for back in range(last - 1 - first):
        k = last - 2 - back
        z = h[k * stride + k]
        a, b = x - z, y - z
        p = (a * b - w) / h[(k + 1) * stride + k] + h[k * stride + k + 1]
        q = h[(k + 1) * stride + k + 1] - z - a - b
        r = float(h[(k + 2) * stride + k + 1])
        size = fabs(p) + fabs(q) + fabs(r)
        p, q, r = p / size, q / size, r / size
        start = k
        if k == first:
            break
        beside = fabs(h[k * stride + k - 1]) * (fabs(q) + fabs(r))
        near = fabs(h[(k - 1) * stride + k - 1]) + fabs(h[(k + 1) * stride + k + 1])
        if beside <= EPSILON * fabs(p) * (fabs(z) + near):
            break
    for i in range(start + 2, last + 1):
        h[i * stride + i - 2] = 0.0
        if i > start + 2:
            h[i * stride + i - 3] = 0.0
    for k in range(start, last):
        size = 1.0
        if k > start:
            p, q = float(h[k * stride + k - 1]), float(h[(k + 1) * stride + k - 1])
            r = float(h[(k + 2) * stride + k - 1]) if k < last - 1 else 0.0
            size = fabs(p) + fabs(q) + fabs(r)
            if size != 0.0:
                p, q, r = p / size, q / size, r / size
        s = sqrt(p * p + q * q + r * r)
        if p < 0.0:
            s = -s
        if s != 0.0:
            if k > start:
                h[k * stride + k - 1] = -s * size
            elif first != start:
                h[k * stride + k - 1] = -h[k * stride + k - 1]
            p += s
            reflect(stride, h, first, last, k, p / s, q / s, r / s, q / p, r / p)


@kernel(inline=False)
def reflect(
    stride: Int,
    h: Floats,
    first: Int,
    last: Int,
    k: Int,
    a: Float,
    b: Float,
    c: Float,
    q: Float,
    r: Float,
) -> None:
    """Reflect three rows and columns, two at the end of the block, from k on."""
    three = k < last - 1
    one, two = tail(h, k * stride), tail(h, (k + 1) * stride)
    for j in range(k, last + 1):
        p = one[j] + q * two[j]
        if three:
            p += r * two[stride + j]
            two[stride + j] -= p * c
        two[j] -= p * b
        one[j] -= p * a
    for i in range(first, min(last, k + 3) + 1):
        row = tail(h, i * stride + k)
        p = a * row[0] + b * row[1]
        if three:
            p += c * row[2]
            row[2] -= p * r
        row[1] -= p * q
        row[0] -= p


@kernel(inline=False)
def largest_eigenvalue(n: Int, stride: Int, h: Floats, found: Floats) -> None:
    """Write real and imaginary part of the eigenvalue of largest size of a Hessenberg matrix.

    Its rows are `stride` numbers apart; they are overwritten.
    """
    found[0] = 0.0
    found[1] = 0.0
    norm = 0.0
    for i in range(n):
        for j in range(max(i - 1, 0), n):
            norm += fabs(h[i * stride + j])
    last, shifted, sweeps = n - 1, 0.0, 0
    while last >= 0:
        first = split_row(stride, h, last, norm)
        x = float(h[last * stride + last])
        if first == last:
            keep_larger(x + shifted, 0.0, found)
            last -= 1
            sweeps = 0
            continue
        y = float(h[(last - 1) * stride + last - 1])
        w = h[last * stride + last - 1] * h[(last - 1) * stride + last]
        if first == last - 1:
            p = 0.5 * (y - x)
            q = p * p + w
            z = sqrt(fabs(q))
            if q >= 0.0:
                z = p + z if p >= 0.0 else p - z
                keep_larger(x + shifted + z, 0.0, found)
                keep_larger(x + shifted - (w / z if z != 0.0 else 0.0), 0.0, found)
            else:
                keep_larger(x + shifted + p, z, found)
            last -= 2
            sweeps = 0
            continue
        if sweeps >= SWEEPS:
            break
        if sweeps > 0 and sweeps % EXCEPTIONAL == 0:
            shifted += x
            for i in range(last + 1):
                h[i * stride + i] -= x
            size = fabs(h[last * stride + last - 1])
            size += fabs(h[(last - 1) * stride + last - 2])
            x, y, w = AHEAD * size, AHEAD * size, ACROSS * size * size
        sweeps += 1
        sweep(stride, h, first, last, x, y, w)
