"""Joints that are only constraints between two frames, without coordinates of their own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import AXES
from motorik.components.base import kinds
from motorik.components.base.contributions import ConstraintBetween, Contribution
from motorik.components.base.part import DeclaredPart, Values, Variable, frame, parameter
from motorik.components.base.visual_options import BallVisual, BoxVisual, CylinderVisual
from motorik.components.joints.floating import (
    relative_position_variables,
    relative_rotation_variables,
)
from motorik.elements.closure import perpendicular
from motorik.elements.constraint import (
    PARALLEL,
    Constraint,
    at_angle,
    held_along,
    in_line,
    joined,
    sizes,
)
from motorik.errors import ParameterError

if TYPE_CHECKING:
    from typing_extensions import Self


class VectorJoint(DeclaredPart):
    """A joint that is defined by its residual: ``residual(p, X_a, X_b) = 0`` and its units.

    A class of such a joint defines both, and its parameters, in a few lines; velocities,
    accelerations and the forces on both frames follow by differentiation::

        class PinInSlot(VectorJoint):
            \"\"\"The origin of frame_b stays on the x axis of frame_a.\"\"\"

            units = ("m", "m")

            def residual(self, p, X_a, X_b):
                r = X_a.R.T @ (X_b.p - X_a.p)
                return r.y, r.z

    The poses of the frames are seen from one common frame. Each unit is "m" or "rad". Rows
    that vanish at other poses, too, as sines do after half a turn, need an
    ``assembly_residual`` for assembling; see `Constraint`.
    """

    frame_a = frame("one frame")
    frame_b = frame("the other frame")

    units: ClassVar[tuple[str, ...]] = ()

    def residual(self, p: Self, X_a: Pose, X_b: Pose) -> tuple[Scalar, ...]:
        """Return the rows that vanish at the poses that the joint allows."""
        raise NotImplementedError

    def assembly_residual(self, p: Self, X_a: Pose, X_b: Pose) -> tuple[Scalar, ...]:
        """Return rows equal to first order that vanish at closed poses only."""
        return self.residual(p, X_a, X_b)

    def gap(self, p: Self, X_a: Pose, X_b: Pose) -> tuple[Scalar, Scalar]:
        """Return the gap [m] and [rad]: by default the rows, by their units."""
        return sizes(self.assembly_residual(p, X_a, X_b), self.units)

    def constraint(self, p: Values) -> Constraint:
        """Return the constraint of the joint."""
        return Constraint(
            partial(self.residual, p),
            self.units,
            assembly_residual=partial(self.assembly_residual, p),
            gap=partial(self.gap, p),
        )

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute the constraint between the frames, if it is enabled."""
        held = self.constraint(p)
        if held.units:
            yield ConstraintBetween(self, (self.frame_a, self.frame_b), held)

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return position and orientation of frame_b relative to frame_a."""
        return {
            **relative_position_variables(self),
            **relative_rotation_variables(self, (1, 2, 3)),
        }


class LockedDirections(VectorJoint):
    """A constraint joint whose frames coincide in those directions of frame_a that are locked."""

    x_locked: kinds.Boolean = parameter(
        "whether b cannot move along x of frame_a", default=True
    )
    y_locked: kinds.Boolean = parameter(
        "whether b cannot move along y of frame_a", default=True
    )
    z_locked: kinds.Boolean = parameter(
        "whether b cannot move along z of frame_a", default=True
    )

    def turning(self, p: Values) -> Constraint:
        """Return the constraint of the orientation of b relative to a."""
        return Constraint()

    def constraint(self, p: Self) -> Constraint:
        """Return the constraint of the locked directions and of the orientation."""
        locked = (p.x_locked, p.y_locked, p.z_locked)
        directions = [e for e, held in zip(AXES, locked, strict=True) if held]
        return joined(held_along(*directions), self.turning(p))


class SphericalConstraint(LockedDirections, BallVisual):
    """Frame b may turn freely relative to frame a; it cannot move in the locked directions."""


class PrismaticConstraint(LockedDirections, BoxVisual):
    """Frame b stays parallel to frame a and cannot move in the locked directions.

    With one direction released it is a prismatic joint.
    """

    def turning(self, p: Self) -> Constraint:
        """Return the constraint that b does not turn."""
        return PARALLEL


class RevoluteConstraint(LockedDirections, CylinderVisual):
    """Frame b may turn about n, the same in both frames, and not move in locked directions."""

    n: kinds.Axis = parameter("axis of rotation", default=(0, 1, 0))

    def turning(self, p: Self) -> Constraint:
        """Return the constraint that the axis is the same in both frames."""
        return in_line(p.n)


class UniversalConstraint(LockedDirections, CylinderVisual):
    """Frame b may turn about n_a, fixed in frame a, and n_b, fixed in frame b.

    The axes stay at right angles; b does not move in the locked directions.
    """

    n_a: kinds.Axis = parameter("axis fixed in frame_a", default=(1, 0, 0))
    n_b: kinds.Axis = parameter("axis fixed in frame_b", default=(0, 1, 0))

    def check(self, p: Self) -> None:
        """Refuse axes that are not at right angles."""
        if abs(float(p.n_a.dot(p.n_b))) > 1e-9:
            raise ParameterError(
                self.label,
                f"n_a = {p.n_a.xyz} and n_b = {p.n_b.xyz} are not at right angles.",
                "Give two axes at right angles, or use a Universal joint.",
                parameter="n_b",
                value=p.n_b.xyz,
            )

    def turning(self, p: Self) -> Constraint:
        """Return the constraint that the axes stay at right angles."""
        return at_angle(p.n_a, p.n_b)


class RevolutePlanarLoopConstraint(VectorJoint, CylinderVisual):
    """A revolute joint that closes a planar loop by two rows: the gap across its axis n.

    It takes neither force along the axis nor torque; these are zero by definition where a
    `Revolute` in a planar loop leaves them undetermined.
    """

    n: kinds.Axis = parameter("axis of rotation", default=(0, 0, 1))

    def constraint(self, p: Self) -> Constraint:
        """Return the constraint that there is no gap across the axis."""
        return held_along(*perpendicular(p.n))
