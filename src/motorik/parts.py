"""Bodies, fixed frames and rigid connections.

The ground    `World Fixed`
Rigid         `FixedTranslation FixedRotation`
Bodies        `Body BodyShape BodyBox BodyCylinder BodyWithPoints PointMass`,
              `RollingWheel RollingWheelSet`
1-D in 3-D    `Rotor1D Mounting1D BevelGear1D`, `FlangeWithBearing FlangeWithBearingAdaptor`
Only drawn    `Marker`
"""

from typing import TYPE_CHECKING

from motorik.names import refuse_others as _refuse_others

if TYPE_CHECKING:  # names are imported when they are first used
    from motorik.components.joints.rolling import RollingWheel, RollingWheelSet
    from motorik.components.parts.bodies import Body, PointMass
    from motorik.components.parts.flange_with_bearing import (
        FlangeWithBearing,
        FlangeWithBearingAdaptor,
    )
    from motorik.components.parts.hardpoints import BodyWithPoints
    from motorik.components.parts.mounting import BevelGear1D, Mounting1D
    from motorik.components.parts.rigid import Fixed, FixedRotation, FixedTranslation
    from motorik.components.parts.rotor import Rotor1D
    from motorik.components.parts.solids import BodyBox, BodyCylinder, BodyShape
    from motorik.components.parts.world import World
    from motorik.components.visual import Marker

__all__ = [
    "BevelGear1D",
    "Body",
    "BodyBox",
    "BodyCylinder",
    "BodyShape",
    "BodyWithPoints",
    "Fixed",
    "FixedRotation",
    "FixedTranslation",
    "FlangeWithBearing",
    "FlangeWithBearingAdaptor",
    "Marker",
    "Mounting1D",
    "PointMass",
    "RollingWheel",
    "RollingWheelSet",
    "Rotor1D",
    "World",
]

_HOMES = {
    "motorik.components.joints.rolling": (
        "RollingWheel",
        "RollingWheelSet",
    ),
    "motorik.components.parts.bodies": (
        "Body",
        "PointMass",
    ),
    "motorik.components.parts.flange_with_bearing": (
        "FlangeWithBearing",
        "FlangeWithBearingAdaptor",
    ),
    "motorik.components.parts.hardpoints": ("BodyWithPoints",),
    "motorik.components.parts.mounting": (
        "BevelGear1D",
        "Mounting1D",
    ),
    "motorik.components.parts.rigid": (
        "Fixed",
        "FixedRotation",
        "FixedTranslation",
    ),
    "motorik.components.parts.rotor": ("Rotor1D",),
    "motorik.components.parts.solids": (
        "BodyBox",
        "BodyCylinder",
        "BodyShape",
    ),
    "motorik.components.parts.world": ("World",),
    "motorik.components.visual": ("Marker",),
}
__getattr__ = _refuse_others(__name__, __all__, _HOMES)


def __dir__() -> list[str]:
    """Return the public names."""
    return list(__all__)
