"""ScrewPair: rotation about and translation along one axis, coupled by a lead."""

from __future__ import annotations

from collections.abc import Sequence
from math import tau

from motorik.algebra.motor import ZERO_MOTOR, Motor
from motorik.algebra.pose import Pose
from motorik.algebra.rotation import rotation_about, vee
from motorik.algebra.scalar import Scalar, arctan2, cos, is_structural, plain, sin
from motorik.algebra.vector import Vector, Z
from motorik.elements.closure import gap_along, half_tangents, perpendicular
from motorik.elements.constraint import Constraint, held_along, in_line
from motorik.elements.joint import Coordinate, Joint
from motorik.elements.revolute import RevolutePair
from motorik.immutable import immutable


@immutable
class ScrewPair(Joint):
    """Turns b about the unit vector `axis` by φ [rad], moving it by `lead` [m] per turn.

    X_ab = Rot(e, φ) Trans(h φ e),  S = (e, h e),  h = lead / 2π; a left-hand thread has a
    negative lead.
    """

    axis: Vector = Z
    lead: Scalar = 0.01

    coordinates = (Coordinate("phi", "rad"),)
    speeds = (Coordinate("w", "rad/s"),)

    def pose(self, phi: Scalar) -> Pose:
        """Return the turn about the axis and the displacement along it."""
        return Pose(rotation_about(self.axis, phi), (self._h * phi) * self.axis)

    def screws(self, phi: Scalar) -> tuple[Motor]:
        """Return the screw of pitch h."""
        return (Motor(self.axis, self._h * self.axis),)

    def fit(self, X_ab: Pose) -> tuple[Scalar]:
        """Return the angle of the rotation, in the turn given by the displacement along the axis.

        φ = s / h + δ, where δ in (−π, π] is how far the rotation is ahead of the displacement s.
        """
        (angle,) = RevolutePair(self.axis).fit(X_ab)
        if is_structural(self._h, 0.0):
            return (angle,)
        by_way = self.axis.dot(X_ab.p) / self._h
        ahead = angle - by_way
        return (by_way + arctan2(sin(ahead), cos(ahead)),)

    @property
    def constraint(self) -> Constraint:
        """The origin of b stays on the axis, on the thread, and the axis is one line."""
        across = held_along(*perpendicular(self.axis))
        return self.holding(across, self._on_thread, in_line(self.axis))

    @property
    def _on_thread(self) -> Constraint:
        """The constraint h sin(φ − s/h) = 0 [m], φ the angle of b relative to a; without lead, s.

        Good in every turn, as it needs no φ: the residual is that of the thread near by.
        Assembling solves 2 h tan ½(φ − s/h), infinite half a turn off.
        """
        if is_structural(self._h, 0.0):
            return held_along(self.axis)
        return Constraint(
            lambda X_a, X_b: (self._h * self._ahead(X_a, X_b)[0],),
            ("m",),
            assembly_residual=lambda X_a, X_b: (self._h * self._ahead_tangent(X_a, X_b),),
        )

    def _ahead(self, X_a: Pose, X_b: Pose) -> tuple[Scalar, Scalar, Scalar]:
        """Return c sin(φ − s/h), c cos(φ − s/h) and c = ½ (1 + cos tilt)."""
        e = self.axis
        (s,) = gap_along(X_a, X_b, e)
        R_ab = X_a.R.T @ X_b.R
        along = e.dot(R_ab @ e)
        sine, cosine = e.dot(vee(R_ab)), 0.5 * (R_ab.trace() - along)
        sine_by_way, cosine_by_way = sin(s / self._h), cos(s / self._h)
        return (
            sine * cosine_by_way - cosine * sine_by_way,
            cosine * cosine_by_way + sine * sine_by_way,
            0.5 * (1.0 + along),
        )

    def _ahead_tangent(self, X_a: Pose, X_b: Pose) -> Scalar:
        sine, cosine, length = self._ahead(X_a, X_b)
        return half_tangents(cosine, (sine,), length)[0]

    def bias(self, q: Sequence[Scalar], u: Sequence[Scalar]) -> Motor:
        """Return zero: the screw is fixed in b."""
        return ZERO_MOTOR

    def reversed(self) -> Joint:
        """Return the helix about the opposite axis, of the same hand."""
        return ScrewPair(-self.axis, self.lead)

    @property
    def _h(self) -> Scalar:
        """The pitch [m/rad]."""
        return plain(self.lead) / tau
