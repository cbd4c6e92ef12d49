"""Joints between two frames.

Of one freedom     `Revolute Prismatic Screw`
Of several         `Cylindrical Universal Planar Spherical`, `FreeMotion FreeMotionScalarInit`
Rods without mass  `SphericalSpherical UniversalSpherical`
Rolling            `RollingWheelJoint RollingWheelSetJoint`
Gears              `GearConstraint`

Joints that are only constraints are in `motorik.constraints`, groups of joints that are solved
in closed form in `motorik.assemblies`.
"""

from motorik.components.joints.floating import FreeMotion, Spherical
from motorik.components.joints.floating_scalars import FreeMotionScalarInit
from motorik.components.joints.gear_constraint import GearConstraint
from motorik.components.joints.rods import SphericalSpherical, UniversalSpherical
from motorik.components.joints.rolling import RollingWheelJoint, RollingWheelSetJoint
from motorik.components.joints.simple import (
    Cylindrical,
    Planar,
    Prismatic,
    Revolute,
    Screw,
    Universal,
)

__all__ = [
    "Cylindrical",
    "FreeMotion",
    "FreeMotionScalarInit",
    "GearConstraint",
    "Planar",
    "Prismatic",
    "Revolute",
    "RollingWheelJoint",
    "RollingWheelSetJoint",
    "Screw",
    "Spherical",
    "SphericalSpherical",
    "Universal",
    "UniversalSpherical",
]
