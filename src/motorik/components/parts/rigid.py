"""Rigid parts without mass: fixed points, translations and rotations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from motorik.algebra.matrix import Matrix
from motorik.algebra.pose import Pose
from motorik.algebra.rotation import rotation_about, rotation_by_sequence, snapped
from motorik.components.base import kinds
from motorik.components.base.contributions import Contribution, Ground, Rigid
from motorik.components.base.part import DeclaredPart, frame, parameter
from motorik.components.base.visual_options import ShapeVisual
from motorik.errors import ParameterError

if TYPE_CHECKING:
    from typing_extensions import Self


class Fixed(DeclaredPart, ShapeVisual):
    """A frame fixed in the world, at r [m] and parallel to the world frame."""

    frame_b = frame("the fixed frame")
    r: kinds.Position = parameter("position in the world", default=(0, 0, 0))

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute frame_b as a fixed frame."""
        yield Ground(self.frame_b, Pose(p=p.r))


class FixedTranslation(DeclaredPart, ShapeVisual):
    """Frame b is at r [m] from frame a, with parallel axes."""

    frame_a = frame("one end")
    frame_b = frame("the other end")
    r: kinds.Position = parameter(
        "from frame_a to frame_b, resolved in frame_a", default=(0, 0, 0)
    )

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute the rigid connection of the frames."""
        yield Rigid(self.frame_a, self.frame_b, Pose(p=p.r))


class FixedRotation(DeclaredPart, ShapeVisual):
    """Frame b is at r [m] from frame a and rotated relative to it.

    * ``RotationAxis``: by `angle` [rad] about n;
    * ``TwoAxesVectors``: the x axis of frame b along n_x, its y axis in the plane of n_x, n_y;
    * ``PlanarRotationSequence``: by `angles` [rad] about the axes `sequence`, one after
      another.
    """

    frame_a = frame("one end")
    frame_b = frame("the other end")

    r: kinds.Position = parameter(
        "from frame_a to frame_b, resolved in frame_a", default=(0, 0, 0)
    )
    rotationType: kinds.RotationType = parameter(
        "how the rotation is given", default="RotationAxis"
    )
    n: kinds.Axis = parameter("axis of rotation", default=(1, 0, 0))
    angle: kinds.Turn = parameter("angle about n", default=0.0)
    n_x: kinds.Axis = parameter("x axis of frame b, resolved in frame_a", default=(1, 0, 0))
    n_y: kinds.Axis = parameter("y axis of frame b, resolved in frame_a", default=(0, 1, 0))
    sequence: kinds.AxisSequence = parameter("axes of the angles", default=(1, 2, 3))
    angles: kinds.Turns = parameter("angles about the axes of sequence", default=(0, 0, 0))

    def check(self, p: Self) -> None:
        """Refuse two parallel axes."""
        if p.rotationType == "TwoAxesVectors" and float(p.n_x.cross(p.n_y).norm()) < 1e-10:
            raise ParameterError(
                self.label,
                f"n_x = {p.n_x.xyz} and n_y = {p.n_y.xyz} are parallel.",
                "Give two different directions.",
                parameter="n_y",
                value=p.n_y.xyz,
            )

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute the rigid connection of the frames."""
        yield Rigid(self.frame_a, self.frame_b, Pose(snapped(rotation_of(p)), p.r))


def rotation_of(p: FixedRotation) -> Matrix:
    """Return R_ab of the parameters of a fixed rotation."""
    if p.rotationType == "RotationAxis":
        return rotation_about(p.n, p.angle)
    if p.rotationType == "TwoAxesVectors":
        e_x = p.n_x.normalized()
        e_z = e_x.cross(p.n_y).normalized()
        return Matrix.from_columns(e_x, e_z.cross(e_x), e_z)
    return rotation_by_sequence(p.sequence, p.angles.xyz)
