"""Rotational drive lines: springs, inertias, gears, torques, drives and sensors."""

from motorik.components.lines.gears import (
    IdealGear,
    IdealGearR2T,
    IdealPlanetary,
    IdealRollingWheel,
)
from motorik.components.rotational.friction import (
    BearingFriction,
    Brake,
    Clutch,
    OneWayClutch,
)
from motorik.components.rotational.lossy_gear import Gearbox, LossyGear
from motorik.components.rotational.parts import (
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
    LinearSpeedDependentTorque,
    Position,
    QuadraticSpeedDependentTorque,
    Speed,
    Torque,
    Torque2,
    TorqueStep,
)
from motorik.names import refuse_others as _refuse_others

__all__ = [
    "AccSensor",
    "Accelerate",
    "AngleSensor",
    "BearingFriction",
    "Brake",
    "Clutch",
    "ConstantSpeed",
    "ConstantTorque",
    "Damper",
    "Disc",
    "ElastoBacklash",
    "ElastoBacklash2",
    "Fixed",
    "Gearbox",
    "IdealGear",
    "IdealGearR2T",
    "IdealPlanetary",
    "IdealRollingWheel",
    "Inertia",
    "LinearSpeedDependentTorque",
    "LossyGear",
    "MultiSensor",
    "OneWayClutch",
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

__getattr__ = _refuse_others(__name__, __all__)
