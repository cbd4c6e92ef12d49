"""Absolute sensors: position, velocity, acceleration and orientation of one frame."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from motorik.algebra.rotation import angles_of_sequence
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.components.base import kinds
from motorik.components.base.motion import Motion
from motorik.components.base.part import Values, frame, parameter, signal_output
from motorik.components.base.visual_options import ArrowVisual
from motorik.components.sensors.base import FrameSensor, Reading

if TYPE_CHECKING:
    from typing_extensions import Self


class OneFrame(FrameSensor, ArrowVisual):
    """A sensor at frame_a, with vectors resolved in the frame named by resolveInFrame."""

    frame_a = frame("frame that is measured")

    resolveInFrame: kinds.ResolveInFrameA = parameter(
        "axes of the outputs", default="frame_a"
    )

    def resolved_vector(self, p: Self, motion: Motion, v_0: Vector) -> Vector:
        """Return a vector of the world resolved in the chosen frame."""
        return self.resolving(motion, p.resolveInFrame)[0].T @ v_0

    def in_chosen(self, p: Self, read: Reading) -> Reading:
        """Return the reading of a vector of the world, resolved in the chosen frame."""
        return lambda motion: self.resolved_vector(p, motion, read(motion))

    def position_0(self, motion: Motion) -> Vector:
        """Return the position in the world [m]."""
        return motion.pose(self.frame_a).p

    def velocity_0(self, motion: Motion) -> Vector:
        """Return the velocity in the world [m/s]."""
        return motion.velocity_0(self.frame_a)

    def acceleration_0(self, motion: Motion) -> Vector:
        """Return the acceleration in the world [m/s²]."""
        return motion.acceleration_0(self.frame_a)

    def turning_0(self, motion: Motion) -> Vector:
        """Return the angular velocity in the world [rad/s]."""
        return motion.pose(self.frame_a).R @ motion.velocity(self.frame_a).resultant

    def turning_rate_0(self, motion: Motion) -> Vector:
        """Return the angular acceleration in the world [rad/s²]."""
        return motion.pose(self.frame_a).R @ motion.acceleration(self.frame_a).resultant

    def angles_about(self, p: Values, motion: Motion) -> tuple[Scalar, ...]:
        """Return the angles from the world to frame_a [rad]."""
        return angles_of_sequence(motion.pose(self.frame_a).R, p.sequence, p.guessAngle1)


class AbsoluteSensor(OneFrame):
    """Measures selected quantities of the motion of frame_a relative to the world.

    The rates are those in the world, resolved in the chosen frame. The angles lead from the
    world to frame_a about the axes `sequence`; angles[1] is the one nearest to guessAngle1. An
    output exists if its get_… is true or it is connected.
    """

    r = signal_output("position", "m", 3, when="get_r")
    v = signal_output("velocity", "m/s", 3, when="get_v")
    a = signal_output("acceleration", "m/s2", 3, when="get_a")
    angles = signal_output("angles about sequence", "rad", 3, when="get_angles")
    w = signal_output("angular velocity", "rad/s", 3, when="get_w")
    z = signal_output("angular acceleration", "rad/s2", 3, when="get_z")

    get_r: kinds.Boolean = parameter("whether r is measured", default=False)
    get_v: kinds.Boolean = parameter("whether v is measured", default=False)
    get_a: kinds.Boolean = parameter("whether a is measured", default=False)
    get_angles: kinds.Boolean = parameter("whether angles are measured", default=False)
    get_w: kinds.Boolean = parameter("whether w is measured", default=False)
    get_z: kinds.Boolean = parameter("whether z is measured", default=False)
    sequence: kinds.AxisSequence = parameter("axes of the angles", default=(1, 2, 3))
    guessAngle1: kinds.Angle = parameter(
        "angle near which angles[1] is chosen", default=0.0
    )

    def readings(self, p: Self) -> Mapping[str, tuple[int, Reading]]:
        """Return all readings of the motion of frame_a."""
        return {
            "r": (0, self.in_chosen(p, self.position_0)),
            "v": (1, self.in_chosen(p, self.velocity_0)),
            "a": (2, self.in_chosen(p, self.acceleration_0)),
            "angles": (0, lambda motion: self.angles_about(p, motion)),
            "w": (1, self.in_chosen(p, self.turning_0)),
            "z": (2, self.in_chosen(p, self.turning_rate_0)),
        }


class AbsolutePosition(OneFrame):
    """Measures the position of frame_a in the world."""

    r = signal_output("position", "m", 3)

    def readings(self, p: Self) -> Mapping[str, tuple[int, Reading]]:
        """Return the reading of the position."""
        return {"r": (0, self.in_chosen(p, self.position_0))}


class AbsoluteVelocity(OneFrame):
    """Measures the velocity of frame_a in the world."""

    v = signal_output("velocity", "m/s", 3)

    def readings(self, p: Self) -> Mapping[str, tuple[int, Reading]]:
        """Return the reading of the velocity."""
        return {"v": (1, self.in_chosen(p, self.velocity_0))}


class AbsoluteAngularVelocity(OneFrame):
    """Measures the angular velocity of frame_a relative to the world."""

    w = signal_output("angular velocity", "rad/s", 3)

    def readings(self, p: Self) -> Mapping[str, tuple[int, Reading]]:
        """Return the reading of the angular velocity."""
        return {"w": (1, self.in_chosen(p, self.turning_0))}


class AbsoluteAngles(OneFrame):
    """Measures the angles from the world to frame_a about the axes `sequence`."""

    angles = signal_output("angles about sequence", "rad", 3)

    sequence: kinds.AxisSequence = parameter("axes of the angles", default=(1, 2, 3))
    guessAngle1: kinds.Angle = parameter(
        "angle near which angles[1] is chosen", default=0.0
    )

    def readings(self, p: Self) -> Mapping[str, tuple[int, Reading]]:
        """Return the reading of the angles."""
        return {"angles": (0, lambda motion: self.angles_about(p, motion))}
