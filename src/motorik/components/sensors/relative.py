"""Relative sensors: position, velocity, acceleration and orientation of frame_b relative to a."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from motorik.algebra.rotation import angles_of_sequence
from motorik.algebra.scalar import Scalar, where
from motorik.algebra.vector import Vector
from motorik.components.base import kinds
from motorik.components.base.motion import Motion
from motorik.components.base.part import Values, frame, parameter, signal_output
from motorik.components.base.visual_options import ArrowVisual
from motorik.components.forces.line import guarded_length
from motorik.components.sensors.base import FrameSensor, Reading

if TYPE_CHECKING:
    from typing_extensions import Self


class TwoFrames(FrameSensor, ArrowVisual):
    """A sensor of frame_b relative to frame_a; vectors resolved in the frame resolveInFrame.

    Rates are those of the components in that frame c:
    ṙ_c = R_cᵀ Δv − ω_c × r_c; r̈_c = R_cᵀ Δa − 2 ω_c × ṙ_c − ω̇_c × r_c − ω_c × (ω_c × r_c).
    """

    frame_a = frame("reference frame")
    frame_b = frame("frame that is measured")

    resolveInFrame: kinds.ResolveInFrameAB = parameter(
        "axes of the outputs", default="frame_a"
    )

    def position(self, p: Self, motion: Motion) -> Vector:
        """Return r_c [m]."""
        R_c, _, _ = self.resolving(motion, p.resolveInFrame)
        return R_c.T @ (motion.pose(self.frame_b).p - motion.pose(self.frame_a).p)

    def velocity(self, p: Self, motion: Motion) -> Vector:
        """Return ṙ_c [m/s]."""
        R_c, w_c, _ = self.resolving(motion, p.resolveInFrame)
        difference = motion.velocity_0(self.frame_b) - motion.velocity_0(self.frame_a)
        return R_c.T @ difference - w_c.cross(self.position(p, motion))

    def acceleration(self, p: Self, motion: Motion) -> Vector:
        """Return r̈_c [m/s²]."""
        R_c, w_c, z_c = self.resolving(motion, p.resolveInFrame)
        r, v = self.position(p, motion), self.velocity(p, motion)
        difference = motion.acceleration_0(self.frame_b) - motion.acceleration_0(
            self.frame_a
        )
        turned = 2.0 * w_c.cross(v) + z_c.cross(r) + w_c.cross(w_c.cross(r))
        return R_c.T @ difference - turned

    def turning(self, p: Self, motion: Motion) -> Vector:
        """Return the angular velocity of b relative to a, resolved in c [rad/s]."""
        R_c, _, _ = self.resolving(motion, p.resolveInFrame)
        w_a, w_b = (
            motion.pose(f).R @ motion.velocity(f).resultant
            for f in (self.frame_a, self.frame_b)
        )
        return R_c.T @ (w_b - w_a)

    def turning_rate(self, p: Self, motion: Motion) -> Vector:
        """Return the rate of the components of `turning` [rad/s²]."""
        R_c, w_c, _ = self.resolving(motion, p.resolveInFrame)
        z_a, z_b = (
            motion.pose(f).R @ motion.acceleration(f).resultant
            for f in (self.frame_a, self.frame_b)
        )
        return R_c.T @ (z_b - z_a) - w_c.cross(self.turning(p, motion))

    def angles_about(self, p: Values, motion: Motion) -> tuple[Scalar, ...]:
        """Return the angles from frame_a to frame_b [rad]."""
        R = motion.pose(self.frame_a).R.T @ motion.pose(self.frame_b).R
        return angles_of_sequence(R, p.sequence, p.guessAngle1)


class RelativeSensor(TwoFrames):
    """Measures selected quantities of the motion of frame_b relative to frame_a.

    v_rel, a_rel and z_rel are rates of components in the frame named by resolveInFrame;
    resolveInFrameAfterDifferentiation, if given, is the frame in which they are then resolved.
    An output exists if its get_… is true or it is connected.
    """

    r_rel = signal_output("relative position", "m", 3, when="get_r_rel")
    v_rel = signal_output("relative velocity", "m/s", 3, when="get_v_rel")
    a_rel = signal_output("relative acceleration", "m/s2", 3, when="get_a_rel")
    angles = signal_output("angles about sequence", "rad", 3, when="get_angles")
    w_rel = signal_output("relative angular velocity", "rad/s", 3, when="get_w_rel")
    z_rel = signal_output("relative angular acceleration", "rad/s2", 3, when="get_z_rel")

    get_r_rel: kinds.Boolean = parameter("whether r_rel is measured", default=False)
    get_v_rel: kinds.Boolean = parameter("whether v_rel is measured", default=False)
    get_a_rel: kinds.Boolean = parameter("whether a_rel is measured", default=False)
    get_angles: kinds.Boolean = parameter("whether angles are measured", default=False)
    get_w_rel: kinds.Boolean = parameter("whether w_rel is measured", default=False)
    get_z_rel: kinds.Boolean = parameter("whether z_rel is measured", default=False)
    sequence: kinds.AxisSequence = parameter("axes of the angles", default=(1, 2, 3))
    guessAngle1: kinds.Angle = parameter(
        "angle near which angles[1] is chosen", default=0.0
    )
    resolveInFrameAfterDifferentiation: kinds.OptionalResolveInFrameAB = parameter(
        "axes of rates; by default resolveInFrame", default=None
    )

    def readings(self, p: Self) -> Mapping[str, tuple[int, Reading]]:
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

    def afterwards(self, p: Self, motion: Motion, v: Vector) -> Vector:
        """Return a vector of the frame of differentiation resolved in the one after it."""
        name = p.resolveInFrameAfterDifferentiation
        if name is None or name == p.resolveInFrame:
            return v
        R_before = self.resolving(motion, p.resolveInFrame)[0]
        return self.resolving(motion, name)[0].T @ (R_before @ v)


class RelativePosition(TwoFrames):
    """Measures the position of frame_b relative to frame_a."""

    r_rel = signal_output("relative position", "m", 3)

    def readings(self, p: Self) -> Mapping[str, tuple[int, Reading]]:
        """Return the reading of the position."""
        return {"r_rel": (0, lambda motion: self.position(p, motion))}


class RelativeVelocity(TwoFrames):
    """Measures the velocity of frame_b relative to frame_a."""

    v_rel = signal_output("relative velocity", "m/s", 3)

    def readings(self, p: Self) -> Mapping[str, tuple[int, Reading]]:
        """Return the reading of the velocity."""
        return {"v_rel": (1, lambda motion: self.velocity(p, motion))}


class RelativeAngularVelocity(TwoFrames):
    """Measures the angular velocity of frame_b relative to frame_a."""

    w_rel = signal_output("relative angular velocity", "rad/s", 3)

    def readings(self, p: Self) -> Mapping[str, tuple[int, Reading]]:
        """Return the reading of the angular velocity."""
        return {"w_rel": (1, lambda motion: self.turning(p, motion))}


class RelativeAngles(TwoFrames):
    """Measures the angles from frame_a to frame_b about the axes `sequence`."""

    angles = signal_output("angles about sequence", "rad", 3)

    sequence: kinds.AxisSequence = parameter("axes of the angles", default=(1, 2, 3))
    guessAngle1: kinds.Angle = parameter(
        "angle near which angles[1] is chosen", default=0.0
    )

    def readings(self, p: Self) -> Mapping[str, tuple[int, Reading]]:
        """Return the reading of the angles."""
        return {"angles": (0, lambda motion: self.angles_about(p, motion))}


class DistanceSensor(TwoFrames):
    """Measures the distance between the origins of two frames.

    Below s_small it is L² (3 − L² / s_small²) / (2 s_small), L the true distance, so that it
    is differentiable everywhere.
    """

    distance = signal_output("distance", "m")

    s_small: kinds.Length = parameter(
        "distance below which the output is smoothed", default=1e-10
    )

    def readings(self, p: Self) -> Mapping[str, tuple[int, Reading]]:
        """Return the reading of the distance."""
        return {"distance": (0, lambda motion: self.long(p, motion))}

    def long(self, p: Self, motion: Motion) -> Scalar:
        """Return |r_b − r_a| [m]."""
        r = motion.pose(self.frame_b).p - motion.pose(self.frame_a).p
        share = r.dot(r) / (p.s_small * p.s_small)
        near = 0.5 * p.s_small * share * (3.0 - share)
        return where(share > 1.0, guarded_length(r, p.s_small), near)
