"""Sensors of translational drive lines."""

from __future__ import annotations

from motorik.components.base.part import signal_output
from motorik.components.lines.flanges import TranslationalEnd, TranslationalPair
from motorik.components.lines.sensors import (
    ACCELERATION,
    FORCE,
    POSITION,
    SPEED,
    AbsoluteSensor,
    AllThrough,
    PowerThrough,
    RelativeSensor,
    ThroughSensor,
)


class PositionSensor(TranslationalEnd, AbsoluteSensor):
    """Measures the position s of a flange."""

    s = signal_output("position of the flange", "m")
    readings = (POSITION,)


class SpeedSensor(TranslationalEnd, AbsoluteSensor):
    """Measures the velocity v of a flange."""

    v = signal_output("velocity of the flange", "m/s")
    readings = (SPEED,)


class AccSensor(TranslationalEnd, AbsoluteSensor):
    """Measures the acceleration a of a flange."""

    a = signal_output("acceleration of the flange", "m/s2")
    readings = (ACCELERATION,)


class RelPositionSensor(TranslationalPair, RelativeSensor):
    """Measures the position of flange_b relative to flange_a."""

    s_rel = signal_output("position of flange_b minus that of flange_a", "m")
    readings = (POSITION,)


class RelSpeedSensor(TranslationalPair, RelativeSensor):
    """Measures the velocity of flange_b relative to flange_a."""

    v_rel = signal_output("velocity of flange_b minus that of flange_a", "m/s")
    readings = (SPEED,)


class RelAccSensor(TranslationalPair, RelativeSensor):
    """Measures the acceleration of flange_b relative to flange_a."""

    a_rel = signal_output("acceleration of flange_b minus that of flange_a", "m/s2")
    readings = (ACCELERATION,)


class ForceSensor(TranslationalPair, ThroughSensor):
    """Measures the force f that flange_a passes on to flange_b: f = flange_a.f."""

    f = signal_output("force from flange_a to flange_b", "N")
    readings = (FORCE,)


class PowerSensor(TranslationalPair, PowerThrough):
    """Measures the power that flows from flange_a to flange_b."""


class MultiSensor(TranslationalPair, AllThrough):
    """Measures velocity, force and power that pass from flange_a to flange_b."""

    v = signal_output("velocity of the flanges", "m/s")
    f = signal_output("force from flange_a to flange_b", "N")
