"""Sensors of rotational drive lines."""

from __future__ import annotations

from motorik.components.base.part import rotational_flange, signal_output
from motorik.components.lines.sensors import (
    AbsoluteSensor,
    RelativeSensor,
    ThroughSensor,
    acceleration_at,
    force_at,
    position_at,
    power_at,
    speed_at,
)


class AngleSensor(AbsoluteSensor):
    """Measures the angle phi of a flange."""

    flange = rotational_flange("measured flange")
    phi = signal_output("angle of the flange", "rad")
    output, reading = "phi", position_at


class SpeedSensor(AbsoluteSensor):
    """Measures the angular velocity w of a flange."""

    flange = rotational_flange("measured flange")
    w = signal_output("angular velocity of the flange", "rad/s")
    output, reading, level = "w", speed_at, 1


class AccSensor(AbsoluteSensor):
    """Measures the acceleration a of a flange."""

    flange = rotational_flange("measured flange")
    a = signal_output("acceleration of the flange", "rad/s2")
    output, reading, level = "a", acceleration_at, 2


class RelAngleSensor(RelativeSensor):
    """Measures the angle of flange_b against flange_a."""

    flange_a = rotational_flange("left flange")
    flange_b = rotational_flange("right flange")
    phi_rel = signal_output("angle of flange_b less that of flange_a", "rad")
    output, reading = "phi_rel", position_at


class RelSpeedSensor(RelativeSensor):
    """Measures the angular velocity of flange_b against flange_a."""

    flange_a = rotational_flange("left flange")
    flange_b = rotational_flange("right flange")
    w_rel = signal_output("angular velocity of flange_b less that of flange_a", "rad/s")
    output, reading, level = "w_rel", speed_at, 1


class RelAccSensor(RelativeSensor):
    """Measures the acceleration of flange_b against flange_a."""

    flange_a = rotational_flange("left flange")
    flange_b = rotational_flange("right flange")
    a_rel = signal_output("acceleration of flange_b less that of flange_a", "rad/s2")
    output, reading, level = "a_rel", acceleration_at, 2


class TorqueSensor(ThroughSensor):
    """Measures the torque tau that flange_a passes on to flange_b: tau = flange_a.tau."""

    flange_a = rotational_flange("left flange")
    flange_b = rotational_flange("right flange")
    tau = signal_output("torque from flange_a to flange_b", "N.m")
    readings = (("tau", force_at, 2),)


class PowerSensor(ThroughSensor):
    """Measures the power that flows from flange_a to flange_b."""

    flange_a = rotational_flange("left flange")
    flange_b = rotational_flange("right flange")
    power = signal_output("power from flange_a to flange_b", "W")
    readings = (("power", power_at, 2),)


class MultiSensor(ThroughSensor):
    """Measures angular velocity, torque and power that pass from flange_a to flange_b."""

    flange_a = rotational_flange("left flange")
    flange_b = rotational_flange("right flange")
    power = signal_output("power from flange_a to flange_b", "W")
    w = signal_output("angular velocity of the flanges", "rad/s")
    tau = signal_output("torque from flange_a to flange_b", "N.m")
    readings = (
        ("power", power_at, 2),
        ("w", speed_at, 1),
        ("tau", force_at, 2),
    )
