"""Sensors of translational drive lines."""

from __future__ import annotations

from motorik.components.base.part import signal_output, translational_flange
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


class PositionSensor(AbsoluteSensor):
    """Measures the position s of a flange."""

    flange = translational_flange("measured flange")
    s = signal_output("position of the flange", "m")
    output, reading = "s", position_at


class SpeedSensor(AbsoluteSensor):
    """Measures the velocity v of a flange."""

    flange = translational_flange("measured flange")
    v = signal_output("velocity of the flange", "m/s")
    output, reading, level = "v", speed_at, 1


class AccSensor(AbsoluteSensor):
    """Measures the acceleration a of a flange."""

    flange = translational_flange("measured flange")
    a = signal_output("acceleration of the flange", "m/s2")
    output, reading, level = "a", acceleration_at, 2


class RelPositionSensor(RelativeSensor):
    """Measures the position of flange_b against flange_a."""

    flange_a = translational_flange("left flange")
    flange_b = translational_flange("right flange")
    s_rel = signal_output("position of flange_b less that of flange_a", "m")
    output, reading = "s_rel", position_at


class RelSpeedSensor(RelativeSensor):
    """Measures the velocity of flange_b against flange_a."""

    flange_a = translational_flange("left flange")
    flange_b = translational_flange("right flange")
    v_rel = signal_output("velocity of flange_b less that of flange_a", "m/s")
    output, reading, level = "v_rel", speed_at, 1


class RelAccSensor(RelativeSensor):
    """Measures the acceleration of flange_b against flange_a."""

    flange_a = translational_flange("left flange")
    flange_b = translational_flange("right flange")
    a_rel = signal_output("acceleration of flange_b less that of flange_a", "m/s2")
    output, reading, level = "a_rel", acceleration_at, 2


class ForceSensor(ThroughSensor):
    """Measures the force f that flange_a passes on to flange_b: f = flange_a.f."""

    flange_a = translational_flange("left flange")
    flange_b = translational_flange("right flange")
    f = signal_output("force from flange_a to flange_b", "N")
    readings = (("f", force_at, 2),)


class PowerSensor(ThroughSensor):
    """Measures the power that flows from flange_a to flange_b."""

    flange_a = translational_flange("left flange")
    flange_b = translational_flange("right flange")
    power = signal_output("power from flange_a to flange_b", "W")
    readings = (("power", power_at, 2),)


class MultiSensor(ThroughSensor):
    """Measures velocity, force and power that pass from flange_a to flange_b."""

    flange_a = translational_flange("left flange")
    flange_b = translational_flange("right flange")
    power = signal_output("power from flange_a to flange_b", "W")
    v = signal_output("velocity of the flanges", "m/s")
    f = signal_output("force from flange_a to flange_b", "N")
    readings = (
        ("power", power_at, 2),
        ("v", speed_at, 1),
        ("f", force_at, 2),
    )
