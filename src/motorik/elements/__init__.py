"""Kinematic pairs: the pose, the screws and the constraint of every kind of joint."""

from typing import TYPE_CHECKING

from motorik.names import refuse_others as _refuse_others

if TYPE_CHECKING:  # names are imported when they are first used
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


_HOMES = {
    "motorik.elements.cylindrical": ("CylindricalPair",),
    "motorik.elements.free": ("FreePair",),
    "motorik.elements.free_by_angles": ("FreePairByAngles",),
    "motorik.elements.free_by_cardan_angles": ("FreePairByCardanAngles",),
    "motorik.elements.joint": (
        "Coordinate",
        "Joint",
        "Reversed",
        "combine",
    ),
    "motorik.elements.planar": ("PlanarPair",),
    "motorik.elements.prismatic": ("PrismaticPair",),
    "motorik.elements.revolute": ("RevolutePair",),
    "motorik.elements.screw": ("ScrewPair",),
    "motorik.elements.spherical": ("SphericalPair",),
    "motorik.elements.spherical_by_angles": ("SphericalPairByAngles",),
    "motorik.elements.translational": ("TranslationalPair",),
    "motorik.elements.universal": ("UniversalPair",),
}
__getattr__ = _refuse_others(__name__, __all__, _HOMES)
