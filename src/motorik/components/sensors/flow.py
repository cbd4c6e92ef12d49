"""Sensors of what flows through a rigid connection: force, torque and power."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from motorik.algebra.motor import power
from motorik.algebra.pose import IDENTITY_POSE
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.components.base.contributions import Contribution, Rigid
from motorik.components.base.part import frame, parameter, signal_output
from motorik.components.base.values import as_boolean, as_choice
from motorik.components.sensors.base import FrameSensor, Reading

as_frame_choice = as_choice("world", "frame_a", "frame_resolve")


class Through(FrameSensor):
    """A rigid connection without mass that measures what flows from frame_a to frame_b."""

    frame_a = frame("side from which it flows")
    frame_b = frame("side to which it flows")

    resolveInFrame = parameter("axes of the outputs", "", "frame_a", as_frame_choice)
    positiveSign = parameter("as it acts at frame_a; the opposite", "", True, as_boolean)

    def contributions(self, p: Any) -> Iterable[Contribution]:
        """Contribute the rigid connection of the frames, and the outputs as readings."""
        yield Rigid(self.frame_a, self.frame_b, IDENTITY_POSE)
        yield from super().contributions(p)

    def reaction(self, p: Any, motion: Any, which: str) -> Vector:
        """Return force or torque at frame_a, resolved in the chosen frame."""
        R_c, _, _ = self.resolving(motion, p.resolveInFrame)
        load = getattr(motion.reaction_at(self.frame_a), which)
        sign = 1.0 if p.positiveSign else -1.0
        return sign * (R_c.T @ (motion.pose(self.frame_a).R @ load))


class CutForce(Through):
    """Measures the force [N] at frame_a."""

    force = signal_output("cut force", "N", 3)

    def readings(self, p: Any) -> Mapping[str, tuple[int, Reading]]:
        """Return the reading of the force."""
        return {"force": (2, lambda motion: self.reaction(p, motion, "resultant"))}


class CutTorque(Through):
    """Measures the torque [N·m] at frame_a."""

    torque = signal_output("cut torque", "N.m", 3)

    def readings(self, p: Any) -> Mapping[str, tuple[int, Reading]]:
        """Return the reading of the torque."""
        return {"torque": (2, lambda motion: self.reaction(p, motion, "moment"))}


class CutForceAndTorque(Through):
    """Measures force [N] and torque [N·m] at frame_a."""

    force = signal_output("cut force", "N", 3)
    torque = signal_output("cut torque", "N.m", 3)

    def readings(self, p: Any) -> Mapping[str, tuple[int, Reading]]:
        """Return the readings of force and torque."""
        return {
            "force": (2, lambda motion: self.reaction(p, motion, "resultant")),
            "torque": (2, lambda motion: self.reaction(p, motion, "moment")),
        }


class PowerSensor(Through):
    """Measures the power [W] that flows from frame_a to frame_b."""

    power = signal_output("power", "W")

    def readings(self, p: Any) -> Mapping[str, tuple[int, Reading]]:
        """Return the reading of the power."""
        return {"power": (2, self.flow)}

    def flow(self, motion: Any) -> Scalar:
        """Return force times velocity, with torque times angular velocity [W]."""
        return power(motion.reaction_at(self.frame_a), motion.velocity(self.frame_a))
