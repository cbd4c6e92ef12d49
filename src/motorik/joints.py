"""Joints between two frames.

Of one freedom     `Revolute Prismatic Screw`
Of several         `Cylindrical Universal Planar Spherical`, `FreeMotion FreeMotionScalarInit`
Rods without mass  `SphericalSpherical UniversalSpherical`
Rolling            `RollingWheelJoint RollingWheelSetJoint`
Gears              `GearConstraint`
Friction           `Coulomb Stribeck`, laws of your own `FrictionLaw`

``Revolute(friction=Coulomb(tau=3.0), stops=(-1.0, 1.0))`` has friction and stops, and so has
every joint that turns or slides. Joints that are only constraints are in `motorik.constraints`,
groups of joints that are solved in closed form in `motorik.assemblies`.
"""

from typing import TYPE_CHECKING

from motorik.names import refuse_others as _refuse_others

if TYPE_CHECKING:  # names are imported when they are first used
    from motorik.components.joints.compound import Cylindrical, Planar, Universal
    from motorik.components.joints.floating import FreeMotion, Spherical
    from motorik.components.joints.floating_scalars import FreeMotionScalarInit
    from motorik.components.joints.friction import Coulomb, FrictionLaw, Stribeck
    from motorik.components.joints.gear_constraint import GearConstraint
    from motorik.components.joints.rods import SphericalSpherical, UniversalSpherical
    from motorik.components.joints.rolling import RollingWheelJoint, RollingWheelSetJoint
    from motorik.components.joints.simple import Prismatic, Revolute, Screw

__all__ = [
    "Coulomb",
    "Cylindrical",
    "FreeMotion",
    "FreeMotionScalarInit",
    "FrictionLaw",
    "GearConstraint",
    "Planar",
    "Prismatic",
    "Revolute",
    "RollingWheelJoint",
    "RollingWheelSetJoint",
    "Screw",
    "Spherical",
    "SphericalSpherical",
    "Stribeck",
    "Universal",
    "UniversalSpherical",
]

_HOMES = {
    "motorik.components.joints.compound": (
        "Cylindrical",
        "Planar",
        "Universal",
    ),
    "motorik.components.joints.floating": (
        "FreeMotion",
        "Spherical",
    ),
    "motorik.components.joints.floating_scalars": ("FreeMotionScalarInit",),
    "motorik.components.joints.friction": (
        "Coulomb",
        "FrictionLaw",
        "Stribeck",
    ),
    "motorik.components.joints.gear_constraint": ("GearConstraint",),
    "motorik.components.joints.rods": (
        "SphericalSpherical",
        "UniversalSpherical",
    ),
    "motorik.components.joints.rolling": (
        "RollingWheelJoint",
        "RollingWheelSetJoint",
    ),
    "motorik.components.joints.simple": (
        "Prismatic",
        "Revolute",
        "Screw",
    ),
}
__getattr__ = _refuse_others(__name__, __all__, _HOMES)


def __dir__() -> list[str]:
    """Return the public names."""
    return list(__all__)
