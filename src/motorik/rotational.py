"""Rotational drive lines: springs, inertias, gears, torques, drives and sensors."""

from motorik.components.lines.gears import (
    IdealGear,
    IdealGearR2T,
    IdealPlanetary,
    IdealRollingWheel,
)
from motorik.components.rotational.lossy_gear import LossyGear
from motorik.components.rotational.parts import (
    Damper,
    Disc,
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
    LinearSpeedDependentTorque,
    Position,
    QuadraticSpeedDependentTorque,
    Speed,
    Torque,
    Torque2,
    TorqueStep,
)

__all__ = [
    "AccSensor",
    "Accelerate",
    "AngleSensor",
    "ConstantSpeed",
    "ConstantTorque",
    "Damper",
    "Disc",
    "Fixed",
    "IdealGear",
    "IdealGearR2T",
    "IdealPlanetary",
    "IdealRollingWheel",
    "Inertia",
    "LinearSpeedDependentTorque",
    "LossyGear",
    "MultiSensor",
    "Position",
    "PowerSensor",
    "QuadraticSpeedDependentTorque",
    "RelAccSensor",
    "RelAngleSensor",
    "RelSpeedSensor",
    "Speed",
    "SpeedSensor",
    "Spring",
    "SpringDamper",
    "Torque",
    "Torque2",
    "TorqueSensor",
    "TorqueStep",
]
