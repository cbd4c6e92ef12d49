"""Roots, quotients and A cos φ + B sin φ + C = 0; NaN instead of an error where none exists."""

from __future__ import annotations

from math import nan

from motorik.algebra.scalar import Scalar, add, div, mul, neg, sqrt, sub


def square_root(x: Scalar) -> Scalar:
    """Return √x, NaN where a loop cannot close (x < 0).

    A float that is negative by rounding counts as zero.
    """
    if x.__class__ is float and x < 0.0:
        return 0.0 if x > -1e-15 else nan
    return sqrt(x)


def quotient(a: Scalar, x: Scalar) -> Scalar:
    """Return a/x, NaN where a float x is zero."""
    return nan if x.__class__ is float and x == 0.0 else div(a, x)


def solve_harmonic(
    A: Scalar, B: Scalar, C: Scalar, branch: Scalar
) -> tuple[Scalar, Scalar, Scalar]:
    """Return sine, cosine and margin of the solution of A cos φ + B sin φ + C = 0.

    cos φ = −(A C + σ B w) / r²,   sin φ = −(B C − σ A w) / r²
    with r² = A² + B²,   w² = r² − C²,   margin = w² / r².
    """
    rr = add(mul(A, A), mul(B, B))
    ww = sub(rr, mul(C, C))
    w = mul(branch, square_root(ww))
    per = quotient(1.0, rr)
    sine = mul(sub(mul(A, w), mul(B, C)), per)
    cosine = neg(mul(add(mul(B, w), mul(A, C)), per))
    return sine, cosine, mul(ww, per)
