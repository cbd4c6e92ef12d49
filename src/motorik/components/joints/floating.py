"""Joints with free orientation: spherical joints and free motion."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.matrix import Matrix
from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.quaternion import Quaternion
from motorik.algebra.rotation import rotation_by_sequence
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import ZERO, Vector
from motorik.components.base import kinds
from motorik.components.base.contributions import (
    ALWAYS,
    Contribution,
    ForceBounds,
    FrameForce,
    InitialCondition,
    JointBetween,
    NonsmoothConstraint,
)
from motorik.components.base.declarations import frame, parameter, start
from motorik.components.base.internal import InternalNumber, NonsmoothForce
from motorik.components.base.motion import Motion
from motorik.components.base.orientation import StartOrientation
from motorik.components.base.part import Part
from motorik.components.base.ports import Port
from motorik.components.base.resolving import Values
from motorik.components.base.start_accelerations import start_accelerations
from motorik.components.base.two_frames import two_frames
from motorik.components.base.values import Start
from motorik.components.base.variable import Variable
from motorik.components.base.visual_options import ArrowVisual, BallVisual
from motorik.components.joints.bearing import ball_load, check_radius_alone
from motorik.components.joints.friction import BallFriction, FrictionLaw
from motorik.components.joints.loaded import declare_forces
from motorik.components.losses import LossyPart, refuse_heat_without_friction
from motorik.elements.closure import rotation_tangents
from motorik.elements.free import FreePair
from motorik.elements.free_by_cardan_angles import FreePairByCardanAngles
from motorik.elements.joint import Joint
from motorik.elements.spherical import SphericalPair
from motorik.elements.spherical_by_angles import SphericalPairByAngles, angles_of

if TYPE_CHECKING:
    from typing_extensions import Self


# --- friction of ball joints --------------------------------------------------------------


NAMES = ("friction_x", "friction_y", "friction_z")


class BallJoint(LossyPart):
    """A joint that turns freely and may have friction about the axes x, y, z of frame_b.

    Each component of the relative angular velocity has its own friction torque, which sticks
    where that component is zero: all three hold the joint at rest.
    """

    def loads(self) -> tuple[str, ...]:
        """Return the friction torques, by name."""
        laws = self.__dict__["friction"] or ()
        return tuple(
            name for name, law in zip(NAMES, laws, strict=False) if law is not None
        )

    def internal(self) -> dict[str, InternalNumber]:
        """Return the friction torques with their modes, nothing without friction."""
        if self.__dict__["friction"] is None:
            return {}
        declare_forces(self, self.loads(), "N.m")
        return super().internal()

    def check(self, p: Values) -> None:
        """Refuse friction by the reaction of a ball without its radius."""
        for law in p.friction or ():
            check_radius_alone(self.label, law)

    loss_level = 2

    def load_contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the torque between the frames, when its components stick, and the heat."""
        if p.friction is None:
            if p.useHeatPort:
                refuse_heat_without_friction(self)
            return
        yield from self.heat_of_losses(p)
        a, b = two_frames(self)
        yield FrameForce(self, (a, b), p, _torques, stretch=None)
        for k, (name, law) in enumerate(zip(NAMES, p.friction, strict=True)):
            if law is None:
                continue

            def speed(motion: Motion, k: int = k) -> Scalar:
                return motion.relative(a, b)[1].resultant.xyz[k]

            def rate(motion: Motion, k: int = k) -> Scalar:
                return motion.relative_acceleration(a, b)[2].resultant.xyz[k]

            direction = getattr(p, name).direction

            def bounds(
                motion: Motion,
                law: FrictionLaw = law,
                speed: Callable[[Motion], Scalar] = speed,
                direction: Scalar = direction,
            ) -> ForceBounds:
                return _loaded(law, b, motion).bounds(self.label, speed(motion), direction)

            yield NonsmoothConstraint(self, name, speed, bounds, rate)

    def load_variables(self, p: Values) -> dict[str, Variable]:
        """Return modes and torques about the three axes, and the lost power."""
        if p.friction is None:
            return {}
        a, b = two_frames(self)

        def modes(motion: Motion) -> tuple[Scalar, ...]:
            return tuple(own.direction if own else 0.0 for own in _frictions(p))

        def sticks(motion: Motion) -> Scalar:
            held: Scalar = 1.0
            for name in self.loads():
                own: NonsmoothForce[Scalar] = getattr(p, name)
                held = held * (own.stick + own.saturated * own.saturated)
            return held

        return {
            "mode": Variable(modes, "1", "1 forward, 0 at rest, -1 backward, of each axis"),
            "locked": Variable(sticks, "1", "whether friction holds it about all its axes"),
            "t_friction": Variable(lambda motion: _torque(p), "N.m", "on frame_b, in it"),
            "lossPower": Variable(
                lambda motion: -_torque(p).dot(motion.relative(a, b)[1].resultant),
                "W",
                "power of friction turned into heat",
            ),
        }


def _loaded(law: FrictionLaw, b: Port, motion: Motion) -> FrictionLaw:
    """Return a law under the load of the ball, from the reaction at its frame b."""
    if law.mu is None:
        return law
    return law.under(ball_load(law, motion.reaction_at(b)))


def _torque(p: Values) -> Vector:
    """Return the friction torque on frame_b, resolved in it."""
    return Vector(*(own.force if own else 0.0 for own in _frictions(p)))


def _frictions(p: Values) -> list[NonsmoothForce[Scalar] | None]:
    """Return the friction about each axis of frame_b, None about an axis without any."""
    return [getattr(p, name, None) for name in NAMES]


def _torques(
    p: Values, t: Scalar, motions: Sequence[tuple[Pose, Motor]]
) -> tuple[Motor, Motor]:
    (X_a, _), (X_b, _) = motions
    torque = _torque(p)
    return Motor(ZERO, X_a.R.T @ (X_b.R @ -torque)), Motor(ZERO, torque)


class Spherical(StartOrientation, BallJoint, BallVisual):
    """Frame b turns freely about the common origin of both frames.

    By default its states are the quaternion Q and the relative angular velocity w_rel,
    resolved in frame_b; ``useQuaternions=False`` takes angles about sequence_angleStates.
    Friction acts about each axis of frame_b on its own: where it slides, its torque need not
    be opposite to w_rel.
    """

    frame_a = frame("inboard frame")
    frame_b = frame("frame that turns")

    w_rel_a_fixed: kinds.Boolean = parameter(
        "whether w_rel_a_start is fixed", default=False
    )
    w_rel_a_start: kinds.PlainAngularVelocities = parameter(
        "start angular velocity in frame_a", default=(0, 0, 0)
    )
    z_rel_a_fixed: kinds.Boolean = parameter(
        "whether z_rel_a_start is fixed", default=False
    )
    z_rel_a_start: kinds.PlainAngularAccelerations = parameter(
        "start angular acceleration in frame_a", default=(0, 0, 0)
    )
    enforceStates: kinds.Boolean = parameter(
        "whether the joint's coordinates must be states", default=False
    )
    useQuaternions: kinds.Boolean = parameter(
        "whether the states are a quaternion (else angles)", default=True
    )
    friction: BallFriction = parameter(
        "law of friction about each axis x, y, z of frame_b, or by name", default=None
    )

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute a ball joint between the frames, and its friction."""
        R = rotation_by_sequence(p.sequence_start, p.angles_start.xyz)
        w_b = R.T @ p.w_rel_a_start
        joint: Joint = (
            SphericalPair()
            if p.useQuaternions
            else SphericalPairByAngles(p.sequence_angleStates)
        )
        names = ("Q", "w_rel") if p.useQuaternions else ("phi", "phi_d")
        q = joint.fit(Pose(R))
        u = speeds_for(joint, q, Motor(w_b))
        yield JointBetween(
            self.frame_a,
            self.frame_b,
            joint,
            numbered(names[0], len(q)),
            numbered(names[1], 3),
            tuple(Start(float(v), p.angles_fixed) for v in q),
            tuple(Start(float(v), p.w_rel_a_fixed) for v in u),
            state_priority=ALWAYS if p.enforceStates else 0,
        )
        yield from start_of_turning(self, p)
        yield from self.load_contributions(p)

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return orientation and angular velocity of frame_b relative to frame_a."""
        shown = relative_rotation_variables(self, p.sequence_angleStates)
        return shown | self.load_variables(p)


class FreeMotion(StartOrientation, ArrowVisual):
    """Frame b moves freely relative to frame a; six freedoms, no constraint.

    Its orientation is a quaternion Q, or with ``useQuaternions=False`` three angles about
    sequence_angleStates in one of two charts, between which the run switches. Where frame_b
    is already connected otherwise, it only measures, and its fixed start values are
    conditions on the other joints.
    """

    frame_a = frame("reference frame")
    frame_b = frame("frame that moves freely")

    r_rel_a: kinds.StartPosition = start("position of frame_b in frame_a")
    v_rel_a: kinds.StartVelocities = start("rate of r_rel_a")
    a_rel_a: kinds.StartAccelerations = start("rate of v_rel_a")
    w_rel_a_fixed: kinds.Boolean = parameter(
        "whether w_rel_a_start is fixed", default=False
    )
    w_rel_a_start: kinds.PlainAngularVelocities = parameter(
        "start angular velocity in frame_a", default=(0, 0, 0)
    )
    z_rel_a_fixed: kinds.Boolean = parameter(
        "whether z_rel_a_start is fixed", default=False
    )
    z_rel_a_start: kinds.PlainAngularAccelerations = parameter(
        "start angular acceleration in frame_a", default=(0, 0, 0)
    )
    enforceStates: kinds.Boolean = parameter(
        "whether the joint's coordinates are preferred as states", default=True
    )

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute a free joint, and initial conditions where start values are fixed."""
        R = rotation_by_sequence(p.sequence_start, p.angles_start.xyz)
        yield free_joint(
            self,
            R,
            np.array(self.r_rel_a.value),
            R.T @ p.w_rel_a_start,
            np.array(self.v_rel_a.value),
            fixed=(
                self.r_rel_a.fixed_components(),
                p.angles_fixed,
                p.w_rel_a_fixed,
                self.v_rel_a.fixed_components(),
            ),
            state_priority=1 if p.enforceStates else 0,
            joint=FreePair()
            if p.useQuaternions
            else FreePairByCardanAngles(p.sequence_angleStates),
        )
        yield from _component_conditions(self, "r_rel_a", lambda m: m[0].p.xyz)
        yield from _component_conditions(
            self, "v_rel_a", lambda m: (m[0].R @ m[1].moment).xyz, speed=True
        )
        if p.angles_fixed:
            yield initial_condition(
                self, "angles_start", np.zeros(3), lambda m: mismatch(R, m[0].R)
            )
        if p.w_rel_a_fixed:
            w = p.w_rel_a_start.numpy()
            yield initial_condition(
                self,
                "w_rel_a_start",
                w,
                lambda m: (m[0].R @ m[1].resultant).xyz,
                speed=True,
            )
        a, b = two_frames(self)
        yield from start_accelerations(
            self,
            "a_rel_a",
            self.a_rel_a,
            lambda motion: rate_of_velocity(*motion.relative_acceleration(a, b)),
        )
        yield from start_of_turning(self, p)

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return position, orientation and velocity of frame_b relative to frame_a."""
        return relative_position_variables(self) | relative_rotation_variables(
            self, p.sequence_angleStates, velocity="w_rel_b"
        )


# --- shared -------------------------------------------------------------------------------


def start_of_turning(part: Part, p: Values) -> Iterable[InitialCondition]:
    """Yield the condition for the relative angular acceleration, if it is fixed."""
    a, b = two_frames(part)

    def turning(motion: Motion) -> Vector:
        X, _, A = motion.relative_acceleration(a, b)
        return X.R @ A.resultant

    begin = Start(p.z_rel_a_start.xyz, p.z_rel_a_fixed)
    yield from start_accelerations(part, "z_rel_a_start", begin, turning)


def numbered(name: str, count: int) -> tuple[str, ...]:
    """Return name[1] … name[count]."""
    return tuple(f"{name}[{i + 1}]" for i in range(count))


def values(starts: Sequence[Start]) -> np.ndarray:
    """Return the numbers of start values."""
    return np.array([float(s.value) for s in starts])  # type: ignore[arg-type]


def speeds_for(joint: Joint, q: Sequence[Scalar], V_rel: Motor) -> np.ndarray:
    """Return the speeds u with Σ S_i u_i nearest to the relative velocity (numbers)."""
    if not any(V_rel.components):
        return np.zeros(len(joint.speeds))
    S = np.array([screw.numpy() for screw in joint.screws(*q)]).T
    return np.linalg.lstsq(S, V_rel.numpy(), rcond=None)[0]


def free_joint(
    part: Part,
    R: Matrix,
    r: np.ndarray,
    w_b: Vector,
    v_a: np.ndarray,
    fixed: tuple[tuple[bool, ...], bool, bool, tuple[bool, ...]],
    state_priority: int = 0,
    joint: FreePair | FreePairByCardanAngles = FreePair(),  # noqa: B008 - it cannot change
) -> JointBetween:
    """Return a breakable free joint starting at R, r with angular velocity w_b and velocity v_a."""
    at, turned, turning, moving = fixed
    _, _, _, *orientation = joint.fit(Pose(R, Vector.of(r)))
    names = numbered("Q", 4)
    if isinstance(joint, FreePairByCardanAngles):
        names = (*numbered("angle", 3), "chart")
    v_b = R.T @ Vector.of(v_a)
    return JointBetween(
        *two_frames(part),
        joint,
        (*numbered("r_rel_a", 3), *names),
        (*numbered("w_rel_b", 3), *numbered("v_rel_b", 3)),
        (
            *(Start(float(x), f) for x, f in zip(r, at, strict=True)),
            *(Start(float(x), turned) for x in orientation),
        ),
        (
            *(Start(float(x), turning) for x in w_b.xyz),
            *(Start(float(x), all(moving)) for x in v_b.xyz),
        ),
        breakable=True,
        state_priority=state_priority,
    )


def initial_condition(
    part: Part,
    name: str,
    wanted: np.ndarray,
    reading: Callable[[tuple[Pose, Motor]], Sequence[Scalar]],
    speed: bool = False,
) -> InitialCondition:
    """Return the condition that a reading of the relative motion has the wanted values."""
    a, b = two_frames(part)

    def residual(motion: Motion) -> tuple[Scalar, ...]:
        seen = reading(motion.relative(a, b))
        return tuple(x - float(w) for x, w in zip(seen, wanted, strict=True))

    return InitialCondition(part.path, name, speed, residual)


def _component_conditions(
    part: Part,
    name: str,
    reading: Callable[[tuple[Pose, Motor]], Sequence[Scalar]],
    speed: bool = False,
) -> Iterable[InitialCondition]:
    """Yield a condition for each fixed component of a vector."""
    begin: Start = getattr(part, name)
    fixed = begin.fixed_components()
    for i, (value, wanted) in enumerate(zip(begin.value, fixed, strict=True)):  # type: ignore[arg-type]
        if wanted:
            one = initial_condition(
                part,
                f"{name}[{i + 1}]",
                np.array([value]),
                lambda m, i=i: (reading(m)[i],),
                speed=speed,
            )
            yield replace(one, always=speed and not all(fixed))


def mismatch(R: Matrix, R_now: Matrix) -> tuple[Scalar, ...]:
    """Return 2 tan ½θ n [rad] of the rotation RᵀR_now: zero where the orientations agree only."""
    return rotation_tangents(R.T @ R_now)


def angle_rates(
    sequence: tuple[int, int, int], m: tuple[Pose, Motor]
) -> tuple[Scalar, Scalar, Scalar]:
    """Return the rates of the angles of a relative motion (pose, velocity in b)."""
    q = angles_of(sequence, m[0].R)
    return _along_axes(SphericalPairByAngles(sequence), q, m[1].resultant)


def angle_accelerations(
    sequence: tuple[int, int, int], X: Pose, V: Motor, A: Motor
) -> tuple[Scalar, Scalar, Scalar]:
    """Return the second derivatives of the angles: Σ e_i φ̈_i = ω̇ − Σ ė_i φ̇_i."""
    joint, q = SphericalPairByAngles(sequence), angles_of(sequence, X.R)
    bias = joint.bias(q, _along_axes(joint, q, V.resultant))
    return _along_axes(joint, q, (A - bias).resultant)


def _along_axes(
    joint: SphericalPairByAngles, q: Sequence[Scalar], w: Vector
) -> tuple[Scalar, Scalar, Scalar]:
    """Return the parts of w along the axes of a joint, by Cramer's rule for Σ e_i x_i = w."""
    a, b, c = (screw.resultant for screw in joint.screws(*q))
    det = a.dot(b.cross(c))
    return w.dot(b.cross(c)) / det, a.dot(w.cross(c)) / det, a.dot(b.cross(w)) / det


def rate_of_velocity(X: Pose, V: Motor, A: Motor) -> Vector:
    """Return the rate of the velocity of b relative to a, resolved in frame a [m/s²]."""
    return X.R @ (A.moment + V.resultant.cross(V.moment))


def relative_position_variables(part: Part) -> dict[str, Variable]:
    """Return r_rel_a, v_rel_a and a_rel_a of frame_b relative to frame_a."""
    a, b = two_frames(part)

    return {
        "r_rel_a": Variable(
            lambda motion: motion.relative(a, b)[0].p, "m", "position in frame_a"
        ),
        "v_rel_a": Variable(
            lambda motion: _rate_of_position(motion, a, b), "m/s", "rate of r_rel_a"
        ),
        "a_rel_a": Variable(
            lambda motion: rate_of_velocity(*motion.relative_acceleration(a, b)),
            "m/s2",
            "rate of v_rel_a",
        ),
    }


def _rate_of_position(motion: Motion, a: Port, b: Port) -> Vector:
    X, V = motion.relative(a, b)
    return X.R @ V.moment


def relative_rotation_variables(
    part: Part, sequence: tuple[int, int, int], velocity: str = "w_rel"
) -> dict[str, Variable]:
    """Return Q, the angles phi with their rates, and the angular velocity in frame_b."""
    a, b = two_frames(part)
    return {
        "Q": Variable(
            lambda motion: (
                motion.coordinates(part, "Q")
                or Quaternion.from_rotation(motion.relative(a, b)[0].R).xyzw
            ),
            "1",
            "orientation",
        ),
        "phi": Variable(
            lambda motion: (
                motion.coordinates(part, "phi")
                or angles_of(sequence, motion.relative(a, b)[0].R)
            ),
            "rad",
        ),
        "phi_d": Variable(
            lambda motion: angle_rates(sequence, motion.relative(a, b)), "rad/s"
        ),
        velocity: Variable(
            lambda motion: motion.relative(a, b)[1].resultant,
            "rad/s",
            "angular velocity in frame_b",
        ),
    }
