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
from motorik.names import refuse_others as _refuse_others

__all__ = [
    "LockedDirections",
    "PrismaticConstraint",
    "RevoluteConstraint",
    "RevolutePlanarLoopConstraint",
    "SphericalConstraint",
    "UniversalConstraint",
    "VectorJoint",
]

__getattr__ = _refuse_others(__name__, __all__)
