"""Sensors of rotational drive lines."""

from __future__ import annotations

from motorik.components.base.part import signal_output
from motorik.components.lines import sensors
from motorik.components.lines.flanges import RotationalEnd, RotationalTwoFlanges


class AngleSensor(RotationalEnd, sensors.FlangeSensor):
    """Measures the angle phi of a flange."""

    phi = signal_output("angle of the flange", "rad")
    readings = (sensors.POSITION,)


class SpeedSensor(RotationalEnd, sensors.FlangeSensor):
    """Measures the angular velocity w of a flange."""

    w = signal_output("angular velocity of the flange", "rad/s")
    readings = (sensors.SPEED,)


class AccSensor(RotationalEnd, sensors.FlangeSensor):
    """Measures the acceleration a of a flange."""

    a = signal_output("acceleration of the flange", "rad/s2")
    readings = (sensors.ACCELERATION,)


class RelAngleSensor(RotationalTwoFlanges, sensors.RelativeFlangeSensor):
    """Measures the angle of flange_b relative to flange_a."""

    phi_rel = signal_output("angle of flange_b minus that of flange_a", "rad")
    readings = (sensors.POSITION,)


class RelSpeedSensor(RotationalTwoFlanges, sensors.RelativeFlangeSensor):
    """Measures the angular velocity of flange_b relative to flange_a."""

    w_rel = signal_output("angular velocity of flange_b minus that of flange_a", "rad/s")
    readings = (sensors.SPEED,)


class RelAccSensor(RotationalTwoFlanges, sensors.RelativeFlangeSensor):
    """Measures the acceleration of flange_b relative to flange_a."""

    a_rel = signal_output("acceleration of flange_b minus that of flange_a", "rad/s2")
    readings = (sensors.ACCELERATION,)


class TorqueSensor(RotationalTwoFlanges, sensors.ThroughSensor):
    """Measures the torque tau that flange_a passes on to flange_b: tau = flange_a.tau."""

    tau = signal_output("torque from flange_a to flange_b", "N.m")
    readings = (sensors.FORCE,)


class PowerSensor(RotationalTwoFlanges, sensors.PowerThrough):
    """Measures the power that flows from flange_a to flange_b."""


class MultiSensor(RotationalTwoFlanges, sensors.AllThrough):
    """Measures angular velocity, torque and power that pass from flange_a to flange_b."""

    w = signal_output("angular velocity of the flanges", "rad/s")
    tau = signal_output("torque from flange_a to flange_b", "N.m")
