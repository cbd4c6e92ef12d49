"""Ideal sensors of drive lines: they do not influence the motion."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import ClassVar

from motorik.algebra.scalar import Scalar
from motorik.components.base.contributions import Contribution, Coupling, Measurement
from motorik.components.base.motion import Motion
from motorik.components.base.part import (
    DeclaredPart,
    Values,
    signal_output,
)
from motorik.components.base.ports import Port
from motorik.components.lines.flanges import AnyFlange, VariableNames

Reading = Callable[[Motion, Port], Scalar]


def position_at(motion: Motion, flange: Port) -> Scalar:
    """Return the position of a flange."""
    return motion.flange(flange)[0]


def speed_at(motion: Motion, flange: Port) -> Scalar:
    """Return the speed of a flange."""
    return motion.flange(flange)[1]


def acceleration_at(motion: Motion, flange: Port) -> Scalar:
    """Return the acceleration of a flange."""
    return motion.flange_acceleration(flange)


def force_at(motion: Motion, flange: Port) -> Scalar:
    """Return the force (torque) on the part at its flange."""
    return motion.flange_force(flange)


def power_at(motion: Motion, flange: Port) -> Scalar:
    """Return the power [W] that flows into the part at its flange."""
    return motion.flange_force(flange) * motion.flange(flange)[1]


class LineSensor(DeclaredPart):
    """An ideal sensor; its outputs have the names of the quantities in its kind of line."""

    line_names: ClassVar[VariableNames]
    readings: ClassVar[tuple[tuple[str, Reading, int], ...]]  # quantity, reading, level

    def measured(self, suffix: str = "") -> Iterable[tuple[Port, Reading, int]]:
        """Yield each output with its reading and the level of motion that this needs."""
        for quantity, read, level in self.readings:
            name = getattr(self.line_names, quantity, quantity)
            yield self.__dict__[f"{name}{suffix}"], read, level


class FlangeSensor(LineSensor):
    """Measures one quantity of a flange; it takes no force."""

    flange: ClassVar[AnyFlange]

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the output: the motion of the flange."""
        flange = self.flange
        for out, read, level in self.measured():
            yield Measurement(
                self, (out,), lambda motion, read=read: (read(motion, flange),), level
            )


class RelativeFlangeSensor(LineSensor):
    """Measures the motion of flange_b relative to flange_a; it takes no force."""

    flange_a: ClassVar[AnyFlange]
    flange_b: ClassVar[AnyFlange]

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the output: the motion of flange_b relative to flange_a."""
        a, b = self.flange_a, self.flange_b
        for out, read, level in self.measured("_rel"):
            yield Measurement(
                self,
                (out,),
                lambda motion, read=read: (read(motion, b) - read(motion, a),),
                level,
            )


class ThroughSensor(LineSensor):
    """Measures force or power from flange_a to flange_b, which move as one."""

    passes = ("flange_a", "flange_b")

    flange_a: ClassVar[AnyFlange]
    flange_b: ClassVar[AnyFlange]

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the rigid connection of the flanges, and the readings at flange_a."""
        yield Coupling(self, (self.flange_a, self.flange_b), (1.0, -1.0))
        flange = self.flange_a
        for out, read, level in self.measured():
            yield Measurement(
                self, (out,), lambda motion, read=read: (read(motion, flange),), level
            )


POSITION = ("x", position_at, 0)
SPEED = ("v", speed_at, 1)
ACCELERATION = ("a", acceleration_at, 2)
FORCE = ("f", force_at, 2)
POWER = ("power", power_at, 2)


class PowerThrough(ThroughSensor):
    """Measures the power that flows from flange_a to flange_b."""

    power = signal_output("power from flange_a to flange_b", "W")
    readings = (POWER,)


class AllThrough(PowerThrough):
    """Measures speed, force and power that pass from flange_a to flange_b."""

    readings = (POWER, SPEED, FORCE)
