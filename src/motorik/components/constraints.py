"""Joints that are only constraints: they hold two frames without coordinates of their own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, ClassVar

from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import AXES
from motorik.components.contributions import Constraint, Contribution
from motorik.components.floating import (
    relative_position_variables,
    relative_rotation_variables,
)
from motorik.components.part import Part, Variable, frame, parameter
from motorik.components.values import as_axis, as_boolean
from motorik.elements.closure import (
    gap_along,
    perpendicular,
    skewness,
    tilt,
    turn_apart,
)
from motorik.errors import ParameterError


class VectorJoint(Part):
    """A joint that is defined by what vanishes: ``residual(p, X_a, X_b)`` and its units.

    A kind of such a joint says both, and its parameters, in a few lines; velocities,
    accelerations and the forces on both frames follow by differentiation::

        class PinInSlot(VectorJoint):
            \"\"\"The origin of frame_b stays on the x axis of frame_a.\"\"\"

            units = ("m", "m")

            def residual(self, p, X_a, X_b):
                r = X_a.R.T @ (X_b.p - X_a.p)
                return r.y, r.z

    The poses of the frames are seen from one common frame. Each unit is "m" or "rad".
    """

    frame_a = frame("one frame")
    frame_b = frame("the other frame")

    units: ClassVar[tuple[str, ...]] = ()

    def residual(self, p: Any, X_a: Pose, X_b: Pose) -> tuple[Scalar, ...]:
        """Return what vanishes where the joint lets the frames stand so."""
        raise NotImplementedError

    def row_units(self, p: Any) -> tuple[str, ...]:
        """Return the units of the residual, where they depend on the parameters."""
        return self.units

    def contributions(self, p: Any) -> Iterable[Contribution]:
        """Say: this residual vanishes."""
        units = self.row_units(p)
        if units:
            residual = partial(self.residual, p)
            yield Constraint(self, (self.frame_a, self.frame_b), residual, units)

    def variables(self, p: Any) -> Mapping[str, Variable]:
        """Return position and orientation of frame_b against frame_a."""
        return {
            **relative_position_variables(self),
            **relative_rotation_variables(self, (1, 2, 3)),
        }


class LockedDirections(VectorJoint):
    """A constraint joint whose frames coincide in those directions of frame_a that are locked."""

    x_locked = parameter("whether b is held along x of frame_a", "", True, as_boolean)
    y_locked = parameter("whether b is held along y of frame_a", "", True, as_boolean)
    z_locked = parameter("whether b is held along z of frame_a", "", True, as_boolean)

    turning_units: ClassVar[tuple[str, ...]] = ()

    def turning(self, p: Any, X_a: Pose, X_b: Pose) -> tuple[Scalar, ...]:
        """Return what vanishes where the joint lets b be turned so against a."""
        return ()

    def residual(self, p: Any, X_a: Pose, X_b: Pose) -> tuple[Scalar, ...]:
        """Return the gap in the locked directions and what holds the orientation."""
        locked = (p.x_locked, p.y_locked, p.z_locked)
        directions = (e for e, held in zip(AXES, locked, strict=True) if held)
        return (*gap_along(X_a, X_b, *directions), *self.turning(p, X_a, X_b))

    def row_units(self, p: Any) -> tuple[str, ...]:
        """Return metres for each locked direction, and the units of the turning rows."""
        return ("m",) * (p.x_locked + p.y_locked + p.z_locked) + self.turning_units


class SphericalConstraint(LockedDirections):
    """Frame b may turn freely against frame a; it cannot move in the locked directions."""


class PrismaticConstraint(LockedDirections):
    """Frame b stays parallel to frame a and cannot move in the locked directions.

    With one direction released it is a prismatic joint.
    """

    turning_units = ("rad", "rad", "rad")

    def turning(self, p: Any, X_a: Pose, X_b: Pose) -> tuple[Scalar, ...]:
        """Return the turn of b against a."""
        return turn_apart(X_a, X_b)


class RevoluteConstraint(LockedDirections):
    """Frame b may turn about n, the same in both frames, and not move in locked directions."""

    n = parameter("axis of rotation", "1", (0, 1, 0), as_axis)

    turning_units = ("rad", "rad")

    def turning(self, p: Any, X_a: Pose, X_b: Pose) -> tuple[Scalar, ...]:
        """Return the tilt of the axis."""
        return tilt(X_a, X_b, p.n)


class UniversalConstraint(LockedDirections):
    """Frame b may turn about n_a, fixed in frame a, and n_b, fixed in frame b.

    The axes stay at right angles; b does not move in the locked directions.
    """

    n_a = parameter("axis fixed in frame_a", "1", (1, 0, 0), as_axis)
    n_b = parameter("axis fixed in frame_b", "1", (0, 1, 0), as_axis)

    turning_units = ("rad",)

    def check(self, p: Any) -> None:
        """Refuse axes that are not at right angles."""
        if abs(float(p.n_a.dot(p.n_b))) > 1e-9:
            raise ParameterError(
                self.label,
                f"n_a = {p.n_a.xyz} and n_b = {p.n_b.xyz} are not at right angles.",
                "Give two axes at right angles, or use a Universal joint.",
            )

    def turning(self, p: Any, X_a: Pose, X_b: Pose) -> tuple[Scalar, ...]:
        """Return how far the axes are from right angles."""
        return (skewness(X_a, X_b, p.n_a, p.n_b),)


class RevolutePlanarLoopConstraint(VectorJoint):
    """A revolute joint that closes a planar loop by two rows: the gap across its axis n.

    It takes neither force along the axis nor torque; these are zero by definition where a
    `Revolute` in a planar loop leaves them undetermined.
    """

    n = parameter("axis of rotation", "1", (0, 0, 1), as_axis)

    units = ("m", "m")

    def residual(self, p: Any, X_a: Pose, X_b: Pose) -> tuple[Scalar, ...]:
        """Return the gap across the axis."""
        return gap_along(X_a, X_b, *perpendicular(p.n))
