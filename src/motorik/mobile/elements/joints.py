"""Joints of more than one coordinate or of a thread, by MOBILE's names and arguments."""

from __future__ import annotations

from collections.abc import Iterable

from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector, Z
from motorik.elements.cylindrical import CylindricalPair
from motorik.elements.free_by_angles import FreePairByAngles
from motorik.elements.screw import ScrewPair
from motorik.elements.spherical_by_angles import SphericalPairByAngles
from motorik.elements.translational import TranslationalPair
from motorik.mobile.elements.joint_element import JointElement
from motorik.mobile.states.frame import Frame
from motorik.mobile.states.variable import (
    AngularVariable,
    LinearVariable,
    StateVariable,
)

Sequence3 = tuple[int, int, int]

BRYANT_ANGLES: Sequence3 = (1, 2, 3)
"""Turns about x, y and z of the frames reached so far (Cardan angles)."""
EULER_ANGLES: Sequence3 = (3, 1, 3)
"""Turns about z, x and z of the frames reached so far."""


class SphericalJoint(JointElement):
    """A ball joint moved by three angles [rad]; see `SphericalPair` for a quaternion."""

    def __init__(
        self,
        a: Frame,
        b: Frame,
        angles: Iterable[StateVariable],
        sequence: Sequence3 = BRYANT_ANGLES,
    ) -> None:
        super().__init__(a, b, SphericalPairByAngles(sequence), tuple(angles))


class ElementaryScrewJoint(JointElement):
    """A screw: an angle [rad] about the axis, and by `lead` [m] for each turn along it."""

    def __init__(
        self,
        a: Frame,
        b: Frame,
        variable: AngularVariable,
        axis: Vector | str = Z,
        *,
        lead: Scalar,
    ) -> None:
        super().__init__(a, b, ScrewPair(Vector.of(axis), lead), (variable,))
        self.variable = variable


class CylindricalJoint(JointElement):
    """An angle [rad] about the axis, and a displacement [m] along it."""

    def __init__(
        self,
        a: Frame,
        b: Frame,
        angle: AngularVariable,
        way: LinearVariable,
        axis: Vector | str = Z,
    ) -> None:
        super().__init__(a, b, CylindricalPair(Vector.of(axis)), (way, angle))


class TranslationalJoint(JointElement):
    """Displacements [m] along x, y and z, without rotation: MOBILE's Mo3DTranslationalJoint."""

    def __init__(self, a: Frame, b: Frame, displacements: Iterable[StateVariable]) -> None:
        super().__init__(a, b, TranslationalPair(), tuple(displacements))


class FloatingBodyJoint(JointElement):
    """A free body: displacements [m] along x, y and z of frame a, then three angles [rad]."""

    def __init__(
        self,
        a: Frame,
        b: Frame,
        displacements: Iterable[StateVariable],
        angles: Iterable[StateVariable],
        sequence: Sequence3 = BRYANT_ANGLES,
    ) -> None:
        super().__init__(a, b, FreePairByAngles(sequence), (*displacements, *angles))
