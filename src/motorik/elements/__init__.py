"""Kinematic pairs: the pose, the screws and the constraint of every kind of joint."""

from motorik.elements.cylindrical import CylindricalPair
from motorik.elements.free import FreePair
from motorik.elements.free_by_angles import FreePairByAngles
from motorik.elements.free_by_cardan_angles import FreePairByCardanAngles
from motorik.elements.joint import Coordinate, Joint, Reversed, combine
from motorik.elements.planar import PlanarPair
from motorik.elements.prismatic import PrismaticPair
from motorik.elements.revolute import RevolutePair
from motorik.elements.screw import ScrewPair
from motorik.elements.spherical import SphericalPair
from motorik.elements.spherical_by_angles import SphericalPairByAngles
from motorik.elements.translational import TranslationalPair
from motorik.elements.universal import UniversalPair

__all__ = [
    "Coordinate",
    "CylindricalPair",
    "FreePair",
    "FreePairByAngles",
    "FreePairByCardanAngles",
    "Joint",
    "PlanarPair",
    "PrismaticPair",
    "Reversed",
    "RevolutePair",
    "ScrewPair",
    "SphericalPair",
    "SphericalPairByAngles",
    "TranslationalPair",
    "UniversalPair",
    "combine",
]


def __dir__() -> list[str]:
    """Return the public names."""
    return list(__all__)
