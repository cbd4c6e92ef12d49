"""Relative sensors: position, velocity, acceleration and orientation of frame_b against a."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from motorik.algebra.rotation import angles_of_sequence
from motorik.algebra.scalar import Scalar, where
from motorik.algebra.vector import Vector
from motorik.components.base.part import frame, parameter, signal_output
from motorik.components.base.values import (
    DECIDES,
    as_boolean,
    as_choice,
    as_number,
    as_sequence,
    plain_only,
)
from motorik.components.forces.line import guarded_length
from motorik.components.sensors.base import FrameSensor, Reading

as_frame_choice = as_choice("world", "frame_a", "frame_b", "frame_resolve")


@plain_only(DECIDES)
def _optional(part: str, name: str, unit: str, value: Any) -> Any:
    return value if value is None else as_frame_choice(part, name, unit, value)


class TwoFrames(FrameSensor):
    """A sensor of frame_b against frame_a; vectors resolved as resolveInFrame says.

    Rates are those of the components in that frame c:
    ṙ_c = R_cᵀ Δv − ω_c × r_c; r̈_c = R_cᵀ Δa − 2 ω_c × ṙ_c − ω̇_c × r_c − ω_c × (ω_c × r_c).
    """

    frame_a = frame("frame against which is measured")
    frame_b = frame("frame that is measured")

    resolveInFrame = parameter("axes of the outputs", "", "frame_a", as_frame_choice)

    def position(self, p: Any, motion: Any) -> Vector:
        """Return r_c [m]."""
        R_c, _, _ = self.resolving(motion, p.resolveInFrame)
        return R_c.T @ (motion.pose(self.frame_b).p - motion.pose(self.frame_a).p)

    def velocity(self, p: Any, motion: Any) -> Vector:
        """Return ṙ_c [m/s]."""
        R_c, w_c, _ = self.resolving(motion, p.resolveInFrame)
        difference = motion.velocity_0(self.frame_b) - motion.velocity_0(self.frame_a)
        return R_c.T @ difference - w_c.cross(self.position(p, motion))

    def acceleration(self, p: Any, motion: Any) -> Vector:
        """Return r̈_c [m/s²]."""
        R_c, w_c, z_c = self.resolving(motion, p.resolveInFrame)
        r, v = self.position(p, motion), self.velocity(p, motion)
        difference = motion.acceleration_0(self.frame_b) - motion.acceleration_0(
            self.frame_a
        )
        turned = 2.0 * w_c.cross(v) + z_c.cross(r) + w_c.cross(w_c.cross(r))
        return R_c.T @ difference - turned

    def turning(self, p: Any, motion: Any) -> Vector:
        """Return the angular velocity of b against a, resolved in c [rad/s]."""
        R_c, _, _ = self.resolving(motion, p.resolveInFrame)
        w_a, w_b = (
            motion.pose(f).R @ motion.velocity(f).resultant
            for f in (self.frame_a, self.frame_b)
        )
        return R_c.T @ (w_b - w_a)

    def turning_rate(self, p: Any, motion: Any) -> Vector:
        """Return the rate of the components of `turning` [rad/s²]."""
        R_c, w_c, _ = self.resolving(motion, p.resolveInFrame)
        z_a, z_b = (
            motion.pose(f).R @ motion.acceleration(f).resultant
            for f in (self.frame_a, self.frame_b)
        )
        return R_c.T @ (z_b - z_a) - w_c.cross(self.turning(p, motion))

    def angles_about(self, p: Any, motion: Any) -> tuple[Scalar, ...]:
        """Return the angles from frame_a to frame_b [rad]."""
        R = motion.pose(self.frame_a).R.T @ motion.pose(self.frame_b).R
        return angles_of_sequence(R, p.sequence, p.guessAngle1)


class RelativeSensor(TwoFrames):
    """Measures what is asked for of the motion of frame_b against frame_a.

    v_rel, a_rel and z_rel are rates of components in the frame that resolveInFrame names;
    resolveInFrameAfterDifferentiation, if given, says in which frame they are then resolved.
    An output is there when it is asked for by get_… or used.
    """

    r_rel = signal_output("relative position", "m", 3, when="get_r_rel")
    v_rel = signal_output("relative velocity", "m/s", 3, when="get_v_rel")
    a_rel = signal_output("relative acceleration", "m/s2", 3, when="get_a_rel")
    angles = signal_output("angles about sequence", "rad", 3, when="get_angles")
    w_rel = signal_output("relative angular velocity", "rad/s", 3, when="get_w_rel")
    z_rel = signal_output("relative angular acceleration", "rad/s2", 3, when="get_z_rel")

    get_r_rel = parameter("whether r_rel is measured", "", False, as_boolean)
    get_v_rel = parameter("whether v_rel is measured", "", False, as_boolean)
    get_a_rel = parameter("whether a_rel is measured", "", False, as_boolean)
    get_angles = parameter("whether angles are measured", "", False, as_boolean)
    get_w_rel = parameter("whether w_rel is measured", "", False, as_boolean)
    get_z_rel = parameter("whether z_rel is measured", "", False, as_boolean)
    sequence = parameter("axes of the angles", "", (1, 2, 3), as_sequence)
    guessAngle1 = parameter("angle next to which angles[1] is", "rad", 0.0, as_number())
    resolveInFrameAfterDifferentiation = parameter(
        "axes of rates; as resolveInFrame", "", None, _optional
    )

    def readings(self, p: Any) -> Mapping[str, tuple[int, Reading]]:
        """Return all readings of the relative motion."""
        return {
            "r_rel": (0, lambda motion: self.position(p, motion)),
            "v_rel": (
                1,
                lambda motion: self.afterwards(p, motion, self.velocity(p, motion)),
            ),
            "a_rel": (
                2,
                lambda motion: self.afterwards(p, motion, self.acceleration(p, motion)),
            ),
            "angles": (0, lambda motion: self.angles_about(p, motion)),
            "w_rel": (1, lambda motion: self.turning(p, motion)),
            "z_rel": (
                2,
                lambda motion: self.afterwards(p, motion, self.turning_rate(p, motion)),
            ),
        }

    def afterwards(self, p: Any, motion: Any, v: Vector) -> Vector:
        """Return a vector of the frame of differentiation resolved in the one after it."""
        name = p.resolveInFrameAfterDifferentiation
        if name is None or name == p.resolveInFrame:
            return v
        R_before = self.resolving(motion, p.resolveInFrame)[0]
        return self.resolving(motion, name)[0].T @ (R_before @ v)


class RelativePosition(TwoFrames):
    """Measures the position of frame_b against frame_a."""

    r_rel = signal_output("relative position", "m", 3)

    def readings(self, p: Any) -> Mapping[str, tuple[int, Reading]]:
        """Return the reading of the position."""
        return {"r_rel": (0, lambda motion: self.position(p, motion))}


class RelativeVelocity(TwoFrames):
    """Measures the velocity of frame_b against frame_a."""

    v_rel = signal_output("relative velocity", "m/s", 3)

    def readings(self, p: Any) -> Mapping[str, tuple[int, Reading]]:
        """Return the reading of the velocity."""
        return {"v_rel": (1, lambda motion: self.velocity(p, motion))}


class RelativeAngularVelocity(TwoFrames):
    """Measures the angular velocity of frame_b against frame_a."""

    w_rel = signal_output("relative angular velocity", "rad/s", 3)

    def readings(self, p: Any) -> Mapping[str, tuple[int, Reading]]:
        """Return the reading of the angular velocity."""
        return {"w_rel": (1, lambda motion: self.turning(p, motion))}


class RelativeAngles(TwoFrames):
    """Measures the angles from frame_a to frame_b about the axes `sequence`."""

    angles = signal_output("angles about sequence", "rad", 3)

    sequence = parameter("axes of the angles", "", (1, 2, 3), as_sequence)
    guessAngle1 = parameter("angle next to which angles[1] is", "rad", 0.0, as_number())

    def readings(self, p: Any) -> Mapping[str, tuple[int, Reading]]:
        """Return the reading of the angles."""
        return {"angles": (0, lambda motion: self.angles_about(p, motion))}


class DistanceSensor(TwoFrames):
    """Measures the distance between the origins of two frames.

    Below s_small it goes to zero smoothly, L² (3 − L² / s_small²) / (2 s_small) of the true
    distance L, so that it has a rate everywhere.
    """

    distance = signal_output("distance", "m")

    s_small = parameter("below it, smoothed", "m", 1e-10, as_number(above=0.0))

    def readings(self, p: Any) -> Mapping[str, tuple[int, Reading]]:
        """Return the reading of the distance."""
        return {"distance": (0, lambda motion: self.long(p, motion))}

    def long(self, p: Any, motion: Any) -> Scalar:
        """Return |r_b − r_a| [m]."""
        r = motion.pose(self.frame_b).p - motion.pose(self.frame_a).p
        share = r.dot(r) / (p.s_small * p.s_small)
        near = 0.5 * p.s_small * share * (3.0 - share)
        return where(share > 1.0, guarded_length(r, p.s_small), near)
