"""Logarithm and exponential of kernels, without branches or calls, so that lanes run side by side.

Step sizes follow from powers of errors. Both functions are right to 1e-13, and the same for one
run and for many in lanes; those of the C library take one number at a time.
"""

from __future__ import annotations

from math import floor

from motorik.compiler.kernels import Float, exponent, kernel, mantissa, power_of_two

LOG_2 = 0.6931471805599453
ROOT_HALF = 0.7071067811865476
# ln(x) = 2 artanh(s) = 2 s (1 + s²/3 + s⁴/5 + …), s = (x − 1)/(x + 1)
L1, L2, L3, L4 = 2.0 / 3.0, 2.0 / 5.0, 2.0 / 7.0, 2.0 / 9.0
L5, L6, L7, L8 = 2.0 / 11.0, 2.0 / 13.0, 2.0 / 15.0, 2.0 / 17.0
# eˣ = 1 + x + x²/2 + …
E2, E3, E4, E5, E6 = 1 / 2, 1 / 6, 1 / 24, 1 / 120, 1 / 720
E7, E8, E9, E10, E11 = 1 / 5040, 1 / 40320, 1 / 362880, 1 / 3628800, 1 / 39916800
LARGEST = 700.0  # of an exponent, either way


@kernel
def natural_log(x: Float) -> Float:
    """Return ln x of a finite x ≥ 1e-300."""
    m, e = mantissa(x), float(exponent(x))
    is_low = m < ROOT_HALF
    m = m + m if is_low else m
    e = e - 1.0 if is_low else e
    s = (m - 1.0) / (m + 1.0)
    z = s * s
    zz = z * z
    low = (L1 + L2 * z) + zz * (L3 + L4 * z)
    high = (L5 + L6 * z) + zz * (L7 + L8 * z)
    return e * LOG_2 + (2.0 * s + s * z * (low + zz * zz * high))


@kernel
def exponential(x: Float) -> Float:
    """Return eˣ, x being held within ±700."""
    held = min(max(x, -LARGEST), LARGEST)
    k = floor(held / LOG_2 + 0.5)
    r = held - k * LOG_2
    z = r * r
    zz = z * z
    low = (1.0 + r) + z * (E2 + E3 * r)
    middle = (E4 + E5 * r) + z * (E6 + E7 * r)
    high = (E8 + E9 * r) + z * (E10 + E11 * r)
    return (low + zz * (middle + zz * high)) * power_of_two(k)
