"""Bodies, fixed frames and rigid connections.

The ground    `World Fixed`
Rigid         `FixedTranslation FixedRotation`
Bodies        `Body BodyShape BodyBox BodyCylinder PointMass`, `RollingWheel RollingWheelSet`
1-D in 3-D    `Rotor1D Mounting1D`
Only drawn    `Marker`
"""

from motorik.components.joints.rolling import RollingWheel, RollingWheelSet
from motorik.components.parts.bodies import Body, PointMass
from motorik.components.parts.mounting import Mounting1D
from motorik.components.parts.rigid import Fixed, FixedRotation, FixedTranslation
from motorik.components.parts.rotor import Rotor1D
from motorik.components.parts.solids import BodyBox, BodyCylinder, BodyShape
from motorik.components.parts.world import World
from motorik.components.visual import Marker
from motorik.names import refuse_others as _refuse_others

__all__ = [
    "Body",
    "BodyBox",
    "BodyCylinder",
    "BodyShape",
    "Fixed",
    "FixedRotation",
    "FixedTranslation",
    "Marker",
    "Mounting1D",
    "PointMass",
    "RollingWheel",
    "RollingWheelSet",
    "Rotor1D",
    "World",
]

__getattr__ = _refuse_others(__name__, __all__)
