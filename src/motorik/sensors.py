"""Sensors of frames: motion of one, motion of one relative to another, and the load between them.

Motion        `AbsoluteSensor RelativeSensor`; one quantity each: `AbsolutePosition
              AbsoluteVelocity AbsoluteAngles AbsoluteAngularVelocity RelativePosition
              RelativeVelocity RelativeAngles RelativeAngularVelocity`; `DistanceSensor`
Other axes    `TransformAbsoluteVector TransformRelativeVector`
Flow          `CutForce CutTorque CutForceAndTorque PowerSensor`
"""

from typing import TYPE_CHECKING

from motorik.names import refuse_others as _refuse_others

if TYPE_CHECKING:  # names are imported when they are first used
    from motorik.components.sensors.absolute import (
        AbsoluteAngles,
        AbsoluteAngularVelocity,
        AbsolutePosition,
        AbsoluteSensor,
        AbsoluteVelocity,
    )
    from motorik.components.sensors.flow import (
        CutForce,
        CutForceAndTorque,
        CutTorque,
        PowerSensor,
    )
    from motorik.components.sensors.relative import (
        DistanceSensor,
        RelativeAngles,
        RelativeAngularVelocity,
        RelativePosition,
        RelativeSensor,
        RelativeVelocity,
    )
    from motorik.components.sensors.transform import (
        TransformAbsoluteVector,
        TransformRelativeVector,
    )

__all__ = [
    "AbsoluteAngles",
    "AbsoluteAngularVelocity",
    "AbsolutePosition",
    "AbsoluteSensor",
    "AbsoluteVelocity",
    "CutForce",
    "CutForceAndTorque",
    "CutTorque",
    "DistanceSensor",
    "PowerSensor",
    "RelativeAngles",
    "RelativeAngularVelocity",
    "RelativePosition",
    "RelativeSensor",
    "RelativeVelocity",
    "TransformAbsoluteVector",
    "TransformRelativeVector",
]

_HOMES = {
    "motorik.components.sensors.absolute": (
        "AbsoluteAngles",
        "AbsoluteAngularVelocity",
        "AbsolutePosition",
        "AbsoluteSensor",
        "AbsoluteVelocity",
    ),
    "motorik.components.sensors.flow": (
        "CutForce",
        "CutForceAndTorque",
        "CutTorque",
        "PowerSensor",
    ),
    "motorik.components.sensors.relative": (
        "DistanceSensor",
        "RelativeAngles",
        "RelativeAngularVelocity",
        "RelativePosition",
        "RelativeSensor",
        "RelativeVelocity",
    ),
    "motorik.components.sensors.transform": (
        "TransformAbsoluteVector",
        "TransformRelativeVector",
    ),
}
__getattr__ = _refuse_others(__name__, __all__, _HOMES)


def __dir__() -> list[str]:
    """Return the public names."""
    return list(__all__)
