"""Sensors of translational drive lines."""

from __future__ import annotations

from motorik.components.base.part import signal_output
from motorik.components.lines import sensors
from motorik.components.lines.flanges import TranslationalEnd, TranslationalTwoFlanges


class PositionSensor(TranslationalEnd, sensors.FlangeSensor):
    """Measures the position s of a flange."""

    s = signal_output("position of the flange", "m")
    readings = (sensors.POSITION,)


class SpeedSensor(TranslationalEnd, sensors.FlangeSensor):
    """Measures the velocity v of a flange."""

    v = signal_output("velocity of the flange", "m/s")
    readings = (sensors.SPEED,)


class AccSensor(TranslationalEnd, sensors.FlangeSensor):
    """Measures the acceleration a of a flange."""

    a = signal_output("acceleration of the flange", "m/s2")
    readings = (sensors.ACCELERATION,)


class RelPositionSensor(TranslationalTwoFlanges, sensors.RelativeFlangeSensor):
    """Measures the position of flange_b relative to flange_a."""

    s_rel = signal_output("position of flange_b minus that of flange_a", "m")
    readings = (sensors.POSITION,)


class RelSpeedSensor(TranslationalTwoFlanges, sensors.RelativeFlangeSensor):
    """Measures the velocity of flange_b relative to flange_a."""

    v_rel = signal_output("velocity of flange_b minus that of flange_a", "m/s")
    readings = (sensors.SPEED,)


class RelAccSensor(TranslationalTwoFlanges, sensors.RelativeFlangeSensor):
    """Measures the acceleration of flange_b relative to flange_a."""

    a_rel = signal_output("acceleration of flange_b minus that of flange_a", "m/s2")
    readings = (sensors.ACCELERATION,)


class ForceSensor(TranslationalTwoFlanges, sensors.ThroughSensor):
    """Measures the force f that flange_a passes on to flange_b: f = flange_a.f."""

    f = signal_output("force from flange_a to flange_b", "N")
    readings = (sensors.FORCE,)


class PowerSensor(TranslationalTwoFlanges, sensors.PowerThrough):
    """Measures the power that flows from flange_a to flange_b."""


class MultiSensor(TranslationalTwoFlanges, sensors.AllThrough):
    """Measures velocity, force and power that pass from flange_a to flange_b."""

    v = signal_output("velocity of the flanges", "m/s")
    f = signal_output("force from flange_a to flange_b", "N")
