"""Sensors of the force, torque and power that pass through a rigid connection."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from motorik.algebra.motor import power
from motorik.algebra.pose import IDENTITY_POSE
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.components.base import kinds
from motorik.components.base.contributions import Contribution, Rigid
from motorik.components.base.motion import Motion
from motorik.components.base.part import frame, parameter, signal_output
from motorik.components.base.visual_options import ForceArrowVisual, TorqueArrowVisual
from motorik.components.sensors.base import FrameSensor, Reading

if TYPE_CHECKING:
    from typing_extensions import Self


class Through(FrameSensor):
    """A rigid connection without mass that measures the load between frame_a and frame_b."""

    passes = ("frame_a", "frame_b")
    frame_a = frame("first side")
    frame_b = frame("second side")

    resolveInFrame: kinds.ResolveInFrameA = parameter(
        "axes of the outputs", default="frame_a"
    )
    positiveSign: kinds.Boolean = parameter(
        "whether the output acts on the sensor at frame_a (else its negative)", default=True
    )

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute the rigid connection of the frames, and the outputs as readings."""
        yield Rigid(self.frame_a, self.frame_b, IDENTITY_POSE)
        yield from super().contributions(p)

    def reaction(self, p: Self, motion: Motion, which: str) -> Vector:
        """Return force or torque at frame_a, resolved in the chosen frame."""
        R_c, _, _ = self.resolving(motion, p.resolveInFrame)
        load = getattr(motion.reaction_at(self.frame_a), which)
        sign = 1.0 if p.positiveSign else -1.0
        return sign * (R_c.T @ (motion.pose(self.frame_a).R @ load))


class CutForce(Through, ForceArrowVisual):
    """Measures the force [N] on the sensor at frame_a."""

    force = signal_output("cut force", "N", 3)

    def readings(self, p: Self) -> Mapping[str, tuple[int, Reading]]:
        """Return the reading of the force."""
        return {"force": (2, lambda motion: self.reaction(p, motion, "resultant"))}


class CutTorque(Through, TorqueArrowVisual):
    """Measures the torque [N·m] on the sensor at frame_a."""

    torque = signal_output("cut torque", "N.m", 3)

    def readings(self, p: Self) -> Mapping[str, tuple[int, Reading]]:
        """Return the reading of the torque."""
        return {"torque": (2, lambda motion: self.reaction(p, motion, "moment"))}


class CutForceAndTorque(Through, ForceArrowVisual, TorqueArrowVisual):
    """Measures force [N] and torque [N·m] on the sensor at frame_a."""

    force = signal_output("cut force", "N", 3)
    torque = signal_output("cut torque", "N.m", 3)

    def readings(self, p: Self) -> Mapping[str, tuple[int, Reading]]:
        """Return the readings of force and torque."""
        return {
            "force": (2, lambda motion: self.reaction(p, motion, "resultant")),
            "torque": (2, lambda motion: self.reaction(p, motion, "moment")),
        }


class PowerSensor(Through):
    """Measures the power [W] that flows from frame_a to frame_b."""

    power = signal_output("power", "W")

    def readings(self, p: Self) -> Mapping[str, tuple[int, Reading]]:
        """Return the reading of the power."""
        return {"power": (2, self.flow)}

    def flow(self, motion: Motion) -> Scalar:
        """Return force times velocity, with torque times angular velocity [W]."""
        return power(motion.reaction_at(self.frame_a), motion.velocity(self.frame_a))
