"""Entries: the slots of matrices, the base of their immutable classes."""

from __future__ import annotations

from motorik.algebra.scalar import Scalar

__all__ = ["NineEntries", "SixEntries"]


class NineEntries:
    """The entries of a matrix, without their guard."""

    __slots__ = ("xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz")
    xx: Scalar
    xy: Scalar
    xz: Scalar
    yx: Scalar
    yy: Scalar
    yz: Scalar
    zx: Scalar
    zy: Scalar
    zz: Scalar


class SixEntries:
    """The entries of a symmetric matrix, without their guard."""

    __slots__ = ("xx", "xy", "xz", "yy", "yz", "zz")
    xx: Scalar
    yy: Scalar
    zz: Scalar
    xy: Scalar
    xz: Scalar
    yz: Scalar
