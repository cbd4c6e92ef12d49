"""Joints that are only constraints between two frames, without coordinates of their own."""

from typing import TYPE_CHECKING

from motorik.names import refuse_others as _refuse_others

if TYPE_CHECKING:  # names are imported when they are first used
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

_HOMES = {
    "motorik.components.joints.constraints": (
        "LockedDirections",
        "PrismaticConstraint",
        "RevoluteConstraint",
        "RevolutePlanarLoopConstraint",
        "SphericalConstraint",
        "UniversalConstraint",
        "VectorJoint",
    ),
}
__getattr__ = _refuse_others(__name__, __all__, _HOMES)


def __dir__() -> list[str]:
    """Return the public names."""
    return list(__all__)
