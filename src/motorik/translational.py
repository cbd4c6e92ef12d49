"""Translational drive lines: springs, masses, forces, drives and sensors."""

from typing import TYPE_CHECKING

from motorik.names import refuse_others as _refuse_others

if TYPE_CHECKING:  # names are imported when they are first used
    from motorik.components.lines.gears import IdealGearR2T, IdealLever, IdealRollingWheel
    from motorik.components.translational.adaptors import (
        GeneralForceToPositionAdaptor,
        GeneralPositionToForceAdaptor,
        InitializeFlange,
        RelativeStates,
    )
    from motorik.components.translational.friction import (
        Brake,
        MassWithStopAndFriction,
        SupportFriction,
    )
    from motorik.components.translational.parts import (
        Damper,
        ElastoGap,
        Fixed,
        Mass,
        Rod,
        Spring,
        SpringDamper,
    )
    from motorik.components.translational.sensors import (
        AccSensor,
        ForceSensor,
        MultiSensor,
        PositionSensor,
        PowerSensor,
        RelAccSensor,
        RelPositionSensor,
        RelSpeedSensor,
        SpeedSensor,
    )
    from motorik.components.translational.sources import (
        Accelerate,
        ConstantForce,
        ConstantSpeed,
        EddyCurrentForce,
        Force,
        Force2,
        ForceStep,
        InverseSpeedDependentForce,
        LinearSpeedDependentForce,
        Move,
        Position,
        QuadraticSpeedDependentForce,
        SignForce,
        Speed,
    )
    from motorik.components.translational.vehicle import RollingResistance, Vehicle

__all__ = [
    "AccSensor",
    "Accelerate",
    "Brake",
    "ConstantForce",
    "ConstantSpeed",
    "Damper",
    "EddyCurrentForce",
    "ElastoGap",
    "Fixed",
    "Force",
    "Force2",
    "ForceSensor",
    "ForceStep",
    "GeneralForceToPositionAdaptor",
    "GeneralPositionToForceAdaptor",
    "IdealGearR2T",
    "IdealLever",
    "IdealRollingWheel",
    "InitializeFlange",
    "InverseSpeedDependentForce",
    "LinearSpeedDependentForce",
    "Mass",
    "MassWithStopAndFriction",
    "Move",
    "MultiSensor",
    "Position",
    "PositionSensor",
    "PowerSensor",
    "QuadraticSpeedDependentForce",
    "RelAccSensor",
    "RelPositionSensor",
    "RelSpeedSensor",
    "RelativeStates",
    "Rod",
    "RollingResistance",
    "SignForce",
    "Speed",
    "SpeedSensor",
    "Spring",
    "SpringDamper",
    "SupportFriction",
    "Vehicle",
]

_HOMES = {
    "motorik.components.translational.adaptors": (
        "GeneralForceToPositionAdaptor",
        "GeneralPositionToForceAdaptor",
        "InitializeFlange",
        "RelativeStates",
    ),
    "motorik.components.lines.gears": (
        "IdealGearR2T",
        "IdealLever",
        "IdealRollingWheel",
    ),
    "motorik.components.translational.friction": (
        "Brake",
        "MassWithStopAndFriction",
        "SupportFriction",
    ),
    "motorik.components.translational.parts": (
        "Damper",
        "ElastoGap",
        "Fixed",
        "Mass",
        "Rod",
        "Spring",
        "SpringDamper",
    ),
    "motorik.components.translational.sensors": (
        "AccSensor",
        "ForceSensor",
        "MultiSensor",
        "PositionSensor",
        "PowerSensor",
        "RelAccSensor",
        "RelPositionSensor",
        "RelSpeedSensor",
        "SpeedSensor",
    ),
    "motorik.components.translational.sources": (
        "Accelerate",
        "ConstantForce",
        "ConstantSpeed",
        "EddyCurrentForce",
        "Force",
        "Force2",
        "ForceStep",
        "InverseSpeedDependentForce",
        "LinearSpeedDependentForce",
        "Move",
        "Position",
        "QuadraticSpeedDependentForce",
        "SignForce",
        "Speed",
    ),
    "motorik.components.translational.vehicle": (
        "RollingResistance",
        "Vehicle",
    ),
}
__getattr__ = _refuse_others(__name__, __all__, _HOMES)


def __dir__() -> list[str]:
    """Return the public names."""
    return list(__all__)
