"""InstantaneousScrew: the axis about which a frame turns and along which it slides now."""

from __future__ import annotations

from collections.abc import Sequence

from motorik.algebra.scalar import Scalar, add, div, maximum, sqrt, where
from motorik.algebra.vector import ZERO, Vector
from motorik.elements.frame import Frame
from motorik.elements.leaf import Leaf
from motorik.elements.span import Span
from motorik.elements.transmission import State, Subtask


class InstantaneousScrew(Leaf):
    """The screw of the motion of a frame seen from a base, or from the inertial frame.

        e = ω / |ω|,   r = ω × v / |ω|²,   pitch h = ω · v / |ω|²

    `axis` e and `point` r (the point of the axis nearest to the base's origin) are resolved
    in the base, `pitch` h [m/rad] is positive for a right-hand screw; `rate` is |ω| [rad/s].
    In a pure translation, where |ω| is below `least` times |v| or 1e-12, the axis is the
    direction of motion, `pitch` infinite in the limit and given as 0, and `speed` is |v|.
    """
