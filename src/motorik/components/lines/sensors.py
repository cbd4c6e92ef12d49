"""Ideal sensors of drive lines: they measure and leave the motion as it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from motorik.algebra.scalar import Scalar
from motorik.components.base.contributions import Contribution, Coupling, Measurement
from motorik.components.base.part import Part
from motorik.components.base.ports import Port

Reading = Callable[[Any, Port], Scalar]


def position_at(motion: Any, flange: Port) -> Scalar:
    """Return the position of a flange."""
    return motion.flange(flange)[0]


def speed_at(motion: Any, flange: Port) -> Scalar:
    """Return the speed of a flange."""
    return motion.flange(flange)[1]


def acceleration_at(motion: Any, flange: Port) -> Scalar:
    """Return the acceleration of a flange."""
    return motion.flange_acceleration(flange)


def force_at(motion: Any, flange: Port) -> Scalar:
    """Return the force (torque) on the part at its flange."""
    return motion.flange_force(flange)


def power_at(motion: Any, flange: Port) -> Scalar:
    """Return the power [W] that flows into the part at its flange."""
    return motion.flange_force(flange) * motion.flange(flange)[1]


class AbsoluteSensor(Part):
    """Measures one quantity of a flange; it takes no force."""

    flange: Port
    output: str = ""
    reading: Reading
    level: int = 0

    def contributions(self, p: Any) -> Iterable[Contribution]:
        """Contribute the output: the motion of the flange."""
        read, flange = type(self).reading, self.flange
        out = getattr(self, self.output)
        yield Measurement(self, (out,), lambda motion: (read(motion, flange),), self.level)


class RelativeSensor(Part):
    """Measures how flange_b moves against flange_a; it takes no force."""

    flange_a: Port
    flange_b: Port
    output: str = ""
    reading: Reading
    level: int = 0

    def contributions(self, p: Any) -> Iterable[Contribution]:
        """Contribute the output: the motion of flange_b relative to flange_a."""
        read, a, b = type(self).reading, self.flange_a, self.flange_b
        out = getattr(self, self.output)
        yield Measurement(
            self, (out,), lambda motion: (read(motion, b) - read(motion, a),), self.level
        )


class ThroughSensor(Part):
    """Measures what flows from flange_a to flange_b, which move as one."""

    flange_a: Port
    flange_b: Port
    readings: tuple[tuple[str, Reading, int], ...] = ()

    def contributions(self, p: Any) -> Iterable[Contribution]:
        """Contribute the rigid connection of the flanges, and the readings at flange_a."""
        yield Coupling(self, (self.flange_a, self.flange_b), (1.0, -1.0))
        flange = self.flange_a
        for name, read, level in self.readings:
            out = getattr(self, name)
            yield Measurement(
                self, (out,), lambda motion, read=read: (read(motion, flange),), level
            )
