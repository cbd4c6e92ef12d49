"""Kernels: roots of one unknown, by bisection and by interpolation."""

from __future__ import annotations

from math import sqrt

from motorik.compiler.kernels import Float, Int, kernel

BISECTIONS = 50  # of an interval: 2⁻⁵⁰ of it is left, its rounding
NEWTON_STEPS = (
    3  # for the zero of a cubic, from that of a parabola: errors are below rounding
)


@kernel
def cubic(a: Float, da: Float, b: Float, db: Float, part: Float) -> Float:
    """Return Hermite's cubic with values a, b and slopes da, db at 0 and 1."""
    curvature, twist = 3.0 * (b - a) - 2.0 * da - db, 2.0 * (a - b) + da + db
    return a + part * (da + part * (curvature + part * twist))


@kernel
def cubic_slope(a: Float, da: Float, b: Float, db: Float, part: Float) -> Float:
    """Return the slope of that cubic."""
    curvature, twist = 3.0 * (b - a) - 2.0 * da - db, 2.0 * (a - b) + da + db
    return da + part * (2.0 * curvature + 3.0 * part * twist)


@kernel(inline=False)
def bisect_cubic(a: Float, da: Float, b: Float, db: Float, of_slope: Int) -> Float:
    """Return where, from 0 to 1, the cubic, or its slope, has no longer its sign at 0."""
    low, high = 0.0, 1.0
    first = da if of_slope > 0 else a
    for _ in range(BISECTIONS):
        part = 0.5 * (low + high)
        here = (
            cubic_slope(a, da, b, db, part) if of_slope > 0 else cubic(a, da, b, db, part)
        )
        if here * first > 0.0:
            low = part
        else:
            high = part
    return high


@kernel
def zero_of_cubic(h: Float, a: Float, a_rate: Float, b: Float, b_rate: Float) -> Float:
    """Return where, between 0 and 1, the cubic from a to b < 0 becomes negative.

    1 if it does not. Where it falls at b, the last such place is sought, from the zero of the
    parabola through both values and the rate at b, the one nearer to b.
    """
    slope_a, slope_b = h * a_rate, h * b_rate
    u = 3.0 * (b - a) - 2.0 * slope_a - slope_b
    v = slope_a + slope_b - 2.0 * (b - a)
    if slope_b >= 0.0 and a > 0.0:
        return bisect_cubic(a, slope_a, b, slope_b, 0)
    square = slope_b * slope_b - 4.0 * b * (a - b + slope_b)
    if square < 0.0 or slope_b >= 0.0:
        return 1.0
    s = 1.0 + 2.0 * b / (sqrt(square) - slope_b)
    for _ in range(NEWTON_STEPS):
        slope = slope_a + s * (2.0 * u + 3.0 * s * v)
        if slope >= 0.0:
            return 1.0
        s -= (a + s * (slope_a + s * (u + s * v))) / slope
    return s if s > 0.0 and s < 1.0 else 1.0


@kernel
def interpolate_root(
    a: Float, at_a: Float, b: Float, at_b: Float, c: Float, at_c: Float
) -> Float:
    """Return which part of the way from a to b leads to the root that they bracket.

    c is the place before. Chandrupatla 1997: inverse quadratic interpolation where that is
    safe, else bisection.
    """
    xi = (a - b) / (c - b)
    phi = (at_a - at_b) / (at_c - at_b)
    share = 0.5
    if phi * phi < xi and (1.0 - phi) * (1.0 - phi) < 1.0 - xi:
        share = at_a / (at_b - at_a) * at_c / (at_b - at_c)
        share += (c - a) / (b - a) * at_a / (at_c - at_a) * at_b / (at_c - at_b)
    return share
