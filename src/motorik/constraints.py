"""Joints that are only constraints between two frames, without coordinates of their own."""

from motorik.components.joints.constraints import (
    LockedDirections,
    PrismaticConstraint,
    RevoluteConstraint,
    RevolutePlanarLoopConstraint,
    SphericalConstraint,
    UniversalConstraint,
    VectorJoint,
)

__all__ = [
    "LockedDirections",
    "PrismaticConstraint",
    "RevoluteConstraint",
    "RevolutePlanarLoopConstraint",
    "SphericalConstraint",
    "UniversalConstraint",
    "VectorJoint",
]
