"""Absolute sensors: position, velocity, acceleration and orientation of one frame."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from motorik.algebra.rotation import angles_of_sequence
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.components.base.part import frame, parameter, signal_output
from motorik.components.base.values import as_boolean, as_choice, as_number, as_sequence
from motorik.components.sensors.base import FrameSensor, Reading

as_frame_choice = as_choice("world", "frame_a", "frame_resolve")


class OneFrame(FrameSensor):
    """A sensor at frame_a, with vectors resolved in the frame that resolveInFrame names."""

    frame_a = frame("frame that is measured")

    resolveInFrame = parameter("axes of the outputs", "", "frame_a", as_frame_choice)

    def resolved_vector(self, p: Any, motion: Any, v_0: Vector) -> Vector:
        """Return a vector of the world resolved in the chosen frame."""
        return self.resolving(motion, p.resolveInFrame)[0].T @ v_0

    def in_chosen(self, p: Any, read: Reading) -> Reading:
        """Return the reading of a vector of the world, resolved in the chosen frame."""
        return lambda motion: self.resolved_vector(p, motion, read(motion))

    def position_0(self, motion: Any) -> Vector:
        """Return the position in the world [m]."""
        return motion.pose(self.frame_a).p

    def velocity_0(self, motion: Any) -> Vector:
        """Return the velocity in the world [m/s]."""
        return motion.velocity_0(self.frame_a)

    def acceleration_0(self, motion: Any) -> Vector:
        """Return the acceleration in the world [m/s²]."""
        return motion.acceleration_0(self.frame_a)

    def turning_0(self, motion: Any) -> Vector:
        """Return the angular velocity in the world [rad/s]."""
        return motion.pose(self.frame_a).R @ motion.velocity(self.frame_a).resultant

    def turning_rate_0(self, motion: Any) -> Vector:
        """Return the angular acceleration in the world [rad/s²]."""
        return motion.pose(self.frame_a).R @ motion.acceleration(self.frame_a).resultant

    def angles_about(self, p: Any, motion: Any) -> tuple[Scalar, ...]:
        """Return the angles from the world to frame_a [rad]."""
        return angles_of_sequence(motion.pose(self.frame_a).R, p.sequence, p.guessAngle1)


class AbsoluteSensor(OneFrame):
    """Measures what is asked for of the motion of frame_a, seen from the world.

    The rates are those in the world, resolved in the chosen frame. The angles lead from the
    world to frame_a about the axes `sequence`; angles[1] is the one next to guessAngle1. An
    output is there when it is asked for by get_… or used.
    """

    r = signal_output("position", "m", 3, when="get_r")
    v = signal_output("velocity", "m/s", 3, when="get_v")
    a = signal_output("acceleration", "m/s2", 3, when="get_a")
    angles = signal_output("angles about sequence", "rad", 3, when="get_angles")
    w = signal_output("angular velocity", "rad/s", 3, when="get_w")
    z = signal_output("angular acceleration", "rad/s2", 3, when="get_z")

    get_r = parameter("whether r is measured", "", False, as_boolean)
    get_v = parameter("whether v is measured", "", False, as_boolean)
    get_a = parameter("whether a is measured", "", False, as_boolean)
    get_angles = parameter("whether angles are measured", "", False, as_boolean)
    get_w = parameter("whether w is measured", "", False, as_boolean)
    get_z = parameter("whether z is measured", "", False, as_boolean)
    sequence = parameter("axes of the angles", "", (1, 2, 3), as_sequence)
    guessAngle1 = parameter("angle next to which angles[1] is", "rad", 0.0, as_number())

    def readings(self, p: Any) -> Mapping[str, tuple[int, Reading]]:
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

    def readings(self, p: Any) -> Mapping[str, tuple[int, Reading]]:
        """Return the reading of the position."""
        return {"r": (0, self.in_chosen(p, self.position_0))}


class AbsoluteVelocity(OneFrame):
    """Measures the velocity of frame_a in the world."""

    v = signal_output("velocity", "m/s", 3)

    def readings(self, p: Any) -> Mapping[str, tuple[int, Reading]]:
        """Return the reading of the velocity."""
        return {"v": (1, self.in_chosen(p, self.velocity_0))}


class AbsoluteAngularVelocity(OneFrame):
    """Measures the angular velocity of frame_a against the world."""

    w = signal_output("angular velocity", "rad/s", 3)

    def readings(self, p: Any) -> Mapping[str, tuple[int, Reading]]:
        """Return the reading of the angular velocity."""
        return {"w": (1, self.in_chosen(p, self.turning_0))}


class AbsoluteAngles(OneFrame):
    """Measures the angles from the world to frame_a about the axes `sequence`."""

    angles = signal_output("angles about sequence", "rad", 3)

    sequence = parameter("axes of the angles", "", (1, 2, 3), as_sequence)
    guessAngle1 = parameter("angle next to which angles[1] is", "rad", 0.0, as_number())

    def readings(self, p: Any) -> Mapping[str, tuple[int, Reading]]:
        """Return the reading of the angles."""
        return {"angles": (0, lambda motion: self.angles_about(p, motion))}
