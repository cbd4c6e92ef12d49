"""Rigid parts without mass: fixed points, translations and rotations."""

from __future__ import annotations

from collections.abc import Iterable
from math import tau
from typing import Any

from motorik.algebra.matrix import Matrix
from motorik.algebra.pose import Pose
from motorik.algebra.rotation import rotation_about, rotation_by_sequence, snapped
from motorik.algebra.vector import Vector
from motorik.components.base.contributions import Contribution, Ground, Rigid
from motorik.components.base.part import Part, frame, parameter
from motorik.components.base.values import (
    Derived,
    as_axis,
    as_choice,
    as_number,
    as_sequence,
    as_vector,
    number_of,
)
from motorik.errors import ParameterError

TWO_TURNS = 2.0 * tau * (1.0 + 1e-9)


def as_turn(part: str, name: str, unit: str, value: Any) -> Any:
    """Convert an angle [rad] by which something is turned for good: at most two turns."""
    angle = as_number()(part, name, unit, value)
    if not isinstance(angle, Derived) and abs(number_of(angle)) > TWO_TURNS:
        raise ParameterError(
            part,
            f"{name} = {number_of(angle):g} rad is more than two full turns.",
            f"Angles are in radians: of degrees give {name}=deg({number_of(angle):g}), else "
            "take full turns off.",
            parameter=name,
            value=value,
        )
    return angle


def as_turns(part: str, name: str, unit: str, value: Any) -> Any:
    """Convert three angles [rad], each of at most two turns."""
    angles = as_vector(part, name, unit, value)
    if isinstance(angles, Vector):
        for i, angle in enumerate(angles.xyz):
            as_turn(part, f"{name}[{i + 1}]", unit, angle)
    return angles


class Fixed(Part):
    """A frame that stands still in the world, at r [m] and parallel to the world frame."""

    frame_b = frame("the fixed frame")
    r = parameter("position in the world", "m", (0, 0, 0), as_vector)

    def contributions(self, p: Any) -> Iterable[Contribution]:
        """Contribute frame_b as a fixed frame."""
        yield Ground(self.frame_b, Pose(p=p.r))


class FixedTranslation(Part):
    """Frame b is at r from frame a, with parallel axes."""

    frame_a = frame("one end")
    frame_b = frame("the other end")
    r = parameter("from frame_a to frame_b, resolved in frame_a", "m", (0, 0, 0), as_vector)

    def contributions(self, p: Any) -> Iterable[Contribution]:
        """Contribute the rigid connection of the frames."""
        yield Rigid(self.frame_a, self.frame_b, Pose(p=p.r))


class FixedRotation(Part):
    """Frame b is at r from frame a and turned against it.

    * ``RotationAxis``: by `angle` [rad] about n;
    * ``TwoAxesVectors``: the x axis of frame b along n_x, its y axis in the plane of n_x, n_y;
    * ``PlanarRotationSequence``: by `angles` [rad] about the axes `sequence`, one after
      another.
    """

    frame_a = frame("one end")
    frame_b = frame("the other end")

    r = parameter("from frame_a to frame_b, resolved in frame_a", "m", (0, 0, 0), as_vector)
    rotationType = parameter(
        "how the rotation is given",
        "",
        "RotationAxis",
        as_choice("RotationAxis", "TwoAxesVectors", "PlanarRotationSequence"),
    )
    n = parameter("axis of rotation", "1", (1, 0, 0), as_axis)
    angle = parameter("angle about n", "rad", 0.0, as_turn)
    n_x = parameter("x axis of frame b, resolved in frame_a", "1", (1, 0, 0), as_axis)
    n_y = parameter("y axis of frame b, resolved in frame_a", "1", (0, 1, 0), as_axis)
    sequence = parameter("axes of the angles", "", (1, 2, 3), as_sequence)
    angles = parameter("angles about the axes of sequence", "rad", (0, 0, 0), as_turns)

    def check(self, p: Any) -> None:
        """Refuse two parallel axes."""
        if p.rotationType == "TwoAxesVectors" and float(p.n_x.cross(p.n_y).norm()) < 1e-10:
            raise ParameterError(
                self.label,
                f"n_x = {p.n_x.xyz} and n_y = {p.n_y.xyz} are parallel.",
                "Give two different directions.",
                parameter="n_y",
                value=p.n_y.xyz,
            )

    def contributions(self, p: Any) -> Iterable[Contribution]:
        """Contribute the rigid connection of the frames."""
        yield Rigid(self.frame_a, self.frame_b, Pose(snapped(rotation_of(p)), p.r))


def rotation_of(p: Any) -> Matrix:
    """Return R_ab of the parameters of a fixed rotation."""
    if p.rotationType == "RotationAxis":
        return rotation_about(p.n, p.angle)
    if p.rotationType == "TwoAxesVectors":
        e_x = p.n_x.normalized()
        e_z = e_x.cross(p.n_y).normalized()
        return Matrix.from_columns(e_x, e_z.cross(e_x), e_z)
    return rotation_by_sequence(p.sequence, p.angles.xyz)
