"""Rotational drive lines: springs, inertias, gears, torques, drives and sensors."""

from typing import TYPE_CHECKING

from motorik.names import refuse_others as _refuse_others

if TYPE_CHECKING:  # names are imported when they are first used
    from motorik.components.lines.gears import (
        IdealGear,
        IdealGearR2T,
        IdealPlanetary,
        IdealRollingWheel,
    )
    from motorik.components.rotational.adaptors import (
        AngleToTorqueAdaptor,
        GeneralAngleToTorqueAdaptor,
        GeneralTorqueToAngleAdaptor,
        InitializeFlange,
        RelativeStates,
        TorqueToAngleAdaptor,
    )
    from motorik.components.rotational.friction import (
        BearingFriction,
        Brake,
        Clutch,
        OneWayClutch,
    )
    from motorik.components.rotational.lossy_gear import Gearbox, LossyGear
    from motorik.components.rotational.parts import (
        Coupling,
        Damper,
        Disc,
        ElastoBacklash,
        ElastoBacklash2,
        Fixed,
        Inertia,
        Spring,
        SpringDamper,
    )
    from motorik.components.rotational.sensors import (
        AccSensor,
        AngleSensor,
        MultiSensor,
        PowerSensor,
        RelAccSensor,
        RelAngleSensor,
        RelSpeedSensor,
        SpeedSensor,
        TorqueSensor,
    )
    from motorik.components.rotational.sources import (
        Accelerate,
        ConstantSpeed,
        ConstantTorque,
        EddyCurrentTorque,
        InverseSpeedDependentTorque,
        LinearSpeedDependentTorque,
        Move,
        Position,
        QuadraticSpeedDependentTorque,
        SignTorque,
        Speed,
        Torque,
        Torque2,
        TorqueStep,
    )

__all__ = [
    "AccSensor",
    "Accelerate",
    "AngleSensor",
    "AngleToTorqueAdaptor",
    "BearingFriction",
    "Brake",
    "Clutch",
    "ConstantSpeed",
    "ConstantTorque",
    "Coupling",
    "Damper",
    "Disc",
    "EddyCurrentTorque",
    "ElastoBacklash",
    "ElastoBacklash2",
    "Fixed",
    "Gearbox",
    "GeneralAngleToTorqueAdaptor",
    "GeneralTorqueToAngleAdaptor",
    "IdealGear",
    "IdealGearR2T",
    "IdealPlanetary",
    "IdealRollingWheel",
    "Inertia",
    "InitializeFlange",
    "InverseSpeedDependentTorque",
    "LinearSpeedDependentTorque",
    "LossyGear",
    "Move",
    "MultiSensor",
    "OneWayClutch",
    "Position",
    "PowerSensor",
    "QuadraticSpeedDependentTorque",
    "RelAccSensor",
    "RelAngleSensor",
    "RelSpeedSensor",
    "RelativeStates",
    "SignTorque",
    "Speed",
    "SpeedSensor",
    "Spring",
    "SpringDamper",
    "Torque",
    "Torque2",
    "TorqueSensor",
    "TorqueStep",
    "TorqueToAngleAdaptor",
]

_HOMES = {
    "motorik.components.rotational.adaptors": (
        "AngleToTorqueAdaptor",
        "GeneralAngleToTorqueAdaptor",
        "GeneralTorqueToAngleAdaptor",
        "InitializeFlange",
        "RelativeStates",
        "TorqueToAngleAdaptor",
    ),
    "motorik.components.lines.gears": (
        "IdealGear",
        "IdealGearR2T",
        "IdealPlanetary",
        "IdealRollingWheel",
    ),
    "motorik.components.rotational.friction": (
        "BearingFriction",
        "Brake",
        "Clutch",
        "OneWayClutch",
    ),
    "motorik.components.rotational.lossy_gear": (
        "Gearbox",
        "LossyGear",
    ),
    "motorik.components.rotational.parts": (
        "Coupling",
        "Damper",
        "Disc",
        "ElastoBacklash",
        "ElastoBacklash2",
        "Fixed",
        "Inertia",
        "Spring",
        "SpringDamper",
    ),
    "motorik.components.rotational.sensors": (
        "AccSensor",
        "AngleSensor",
        "MultiSensor",
        "PowerSensor",
        "RelAccSensor",
        "RelAngleSensor",
        "RelSpeedSensor",
        "SpeedSensor",
        "TorqueSensor",
    ),
    "motorik.components.rotational.sources": (
        "Accelerate",
        "ConstantSpeed",
        "ConstantTorque",
        "EddyCurrentTorque",
        "InverseSpeedDependentTorque",
        "LinearSpeedDependentTorque",
        "Move",
        "Position",
        "QuadraticSpeedDependentTorque",
        "SignTorque",
        "Speed",
        "Torque",
        "Torque2",
        "TorqueStep",
    ),
}
__getattr__ = _refuse_others(__name__, __all__, _HOMES)


def __dir__() -> list[str]:
    """Return the public names."""
    return list(__all__)
