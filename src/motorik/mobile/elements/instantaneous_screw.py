"""InstantaneousScrew: the axis about which a frame turns and along which it slides now."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf

from motorik.algebra.scalar import Scalar, div, sqrt, where
from motorik.algebra.vector import ZERO, Vector
from motorik.mobile.chords.span import FramePair
from motorik.mobile.elements.leaf import Leaf
from motorik.mobile.states.frame import Frame
from motorik.mobile.states.transmission import State, Subtask


class InstantaneousScrew(Leaf):
    """The screw of the motion of a frame seen from a base, or from the inertial frame.

        e = ω / |ω|,   r = ω × v / |ω|²,   h = ω · v / |ω|²

    ω is the angular velocity and v the velocity of the point of the frame that is now at the
    origin of the base. A velocity traversal finds, resolved in the base,

    * `axis`, the unit vector e, and `point` r, of the axis the nearest to the origin;
    * `rate` |ω| [rad/s] about it, `speed` h |ω| [m/s] along it, and `pitch` h [m/rad].

    A translation has rate 0 and pitch ∞, its axis is the direction of v through the origin;
    at rest the axis is zero.
    """

    def __init__(self, frame: Frame, base: Frame | None = None) -> None:
        self.frame, self.base = frame, base
        self._span = FramePair(base if base is not None else Frame("inertial"), frame)
        self.axis: Vector = ZERO
        self.point: Vector = ZERO
        self.rate: Scalar = 0.0
        self.speed: Scalar = 0.0
        self.pitch: Scalar = inf

    @property
    def inputs(self) -> Sequence[State]:
        """The frame, and the base if there is one."""
        return (self.frame,) if self.base is None else (self.frame, self.base)

    def motion(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Find the screw of the present velocity."""
        self._span.see(subtasks & (Subtask.POSITION | Subtask.VELOCITY))
        if Subtask.VELOCITY not in subtasks:
            return
        V = self._span.X(self._span.V)
        w, v = V.resultant, V.moment
        ww, vv = w.dot(w), v.dot(v)
        is_translation = ww <= 1e-24 * vv
        safe = where(is_translation, 1.0, ww)
        length = sqrt(where(vv <= 0.0, 1.0, vv))
        self.rate = where(is_translation, 0.0, sqrt(safe))
        self.axis = _either(is_translation, v / length, w / sqrt(safe))
        self.point = _either(is_translation, ZERO, w.cross(v) / safe)
        self.speed = where(is_translation, sqrt(vv), div(w.dot(v), sqrt(safe)))
        self.pitch = where(is_translation, inf, div(w.dot(v), safe))

    def force(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Do nothing: a screw exerts no force."""


def _either(condition: Scalar, yes: Vector, no: Vector) -> Vector:
    return Vector(*(where(condition, a, b) for a, b in zip(yes.xyz, no.xyz, strict=True)))
