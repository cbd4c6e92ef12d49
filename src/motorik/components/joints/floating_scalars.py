"""FreeMotionScalarInit: a free joint whose start is given component by component."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from math import pi
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.rotation import rotation_by_sequence
from motorik.algebra.scalar import Scalar, arctan2, cos, sin
from motorik.algebra.vector import Vector
from motorik.components.base import kinds
from motorik.components.base.contributions import Contribution, InitialCondition
from motorik.components.base.motion import Motion
from motorik.components.base.part import (
    DeclaredPart,
    Variable,
    frame,
    parameter,
    start,
)
from motorik.components.base.values import Start
from motorik.components.base.visual_options import ArrowVisual
from motorik.components.joints.floating import (
    angle_accelerations,
    angle_rates,
    free_joint,
    initial_condition,
    rate_of_velocity,
    values,
)
from motorik.elements.spherical_by_angles import SphericalPairByAngles, angles_of

if TYPE_CHECKING:
    from typing_extensions import Self


NOT_FIXED = Start(0.0)


class FreeMotionScalarInit(DeclaredPart, ArrowVisual):
    """Frame b moves freely relative to frame a, each component of its start given on its own.

    r_rel_a [m], v_rel_a [m/s] and a_rel_a [m/s²] in frame_a; angle [rad] about
    sequence_start, angle_d and angle_dd; w_rel_b [rad/s] and its rate z_rel_b in frame_b;
    used if use_r, use_v, use_angle, … are true.
    """

    frame_a = frame("reference frame")
    frame_b = frame("frame that moves freely")

    use_r: kinds.Boolean = parameter("whether r_rel_a is used", default=False)
    use_v: kinds.Boolean = parameter("whether v_rel_a is used", default=False)
    use_angle: kinds.Boolean = parameter("whether angle is used", default=False)
    use_angle_d: kinds.Boolean = parameter("whether angle_d is used", default=False)
    use_w: kinds.Boolean = parameter("whether w_rel_b is used", default=False)
    use_a: kinds.Boolean = parameter("whether a_rel_a is used", default=False)
    use_angle_dd: kinds.Boolean = parameter("whether angle_dd is used", default=False)
    use_z: kinds.Boolean = parameter("whether z_rel_b is used", default=False)
    sequence_start: kinds.AxisSequence = parameter("axes of the angles", default=(1, 2, 3))

    r_rel_a_1: kinds.StartDistance = start("component 1 of r_rel_a")
    r_rel_a_2: kinds.StartDistance = start("component 2 of r_rel_a")
    r_rel_a_3: kinds.StartDistance = start("component 3 of r_rel_a")
    v_rel_a_1: kinds.StartVelocity = start("component 1 of v_rel_a")
    v_rel_a_2: kinds.StartVelocity = start("component 2 of v_rel_a")
    v_rel_a_3: kinds.StartVelocity = start("component 3 of v_rel_a")
    angle_1: kinds.StartAngle = start("component 1 of angle")
    angle_2: kinds.StartAngle = start("component 2 of angle")
    angle_3: kinds.StartAngle = start("component 3 of angle")
    angle_d_1: kinds.StartAngularVelocity = start("component 1 of angle_d")
    angle_d_2: kinds.StartAngularVelocity = start("component 2 of angle_d")
    angle_d_3: kinds.StartAngularVelocity = start("component 3 of angle_d")
    w_rel_b_1: kinds.StartAngularVelocity = start("component 1 of w_rel_b")
    w_rel_b_2: kinds.StartAngularVelocity = start("component 2 of w_rel_b")
    w_rel_b_3: kinds.StartAngularVelocity = start("component 3 of w_rel_b")
    a_rel_a_1: kinds.StartAcceleration = start("component 1 of a_rel_a")
    a_rel_a_2: kinds.StartAcceleration = start("component 2 of a_rel_a")
    a_rel_a_3: kinds.StartAcceleration = start("component 3 of a_rel_a")
    angle_dd_1: kinds.StartAngularAcceleration = start("component 1 of angle_dd")
    angle_dd_2: kinds.StartAngularAcceleration = start("component 2 of angle_dd")
    angle_dd_3: kinds.StartAngularAcceleration = start("component 3 of angle_dd")
    z_rel_b_1: kinds.StartAngularAcceleration = start("component 1 of z_rel_b")
    z_rel_b_2: kinds.StartAngularAcceleration = start("component 2 of z_rel_b")
    z_rel_b_3: kinds.StartAngularAcceleration = start("component 3 of z_rel_b")

    r_rel_a_1_stateSelect: kinds.StateSelect = parameter(
        "priority of r_rel_a_1 as state", default="never"
    )
    r_rel_a_2_stateSelect: kinds.StateSelect = parameter(
        "priority of r_rel_a_2 as state", default="never"
    )
    r_rel_a_3_stateSelect: kinds.StateSelect = parameter(
        "priority of r_rel_a_3 as state", default="never"
    )
    v_rel_a_1_stateSelect: kinds.StateSelect = parameter(
        "priority of v_rel_a_1 as state", default="never"
    )
    v_rel_a_2_stateSelect: kinds.StateSelect = parameter(
        "priority of v_rel_a_2 as state", default="never"
    )
    v_rel_a_3_stateSelect: kinds.StateSelect = parameter(
        "priority of v_rel_a_3 as state", default="never"
    )
    angle_1_stateSelect: kinds.StateSelect = parameter(
        "priority of angle_1 as state", default="never"
    )
    angle_2_stateSelect: kinds.StateSelect = parameter(
        "priority of angle_2 as state", default="never"
    )
    angle_3_stateSelect: kinds.StateSelect = parameter(
        "priority of angle_3 as state", default="never"
    )
    angle_d_1_stateSelect: kinds.StateSelect = parameter(
        "priority of angle_d_1 as state", default="never"
    )
    angle_d_2_stateSelect: kinds.StateSelect = parameter(
        "priority of angle_d_2 as state", default="never"
    )
    angle_d_3_stateSelect: kinds.StateSelect = parameter(
        "priority of angle_d_3 as state", default="never"
    )
    w_rel_b_1_stateSelect: kinds.StateSelect = parameter(
        "priority of w_rel_b_1 as state", default="never"
    )
    w_rel_b_2_stateSelect: kinds.StateSelect = parameter(
        "priority of w_rel_b_2 as state", default="never"
    )
    w_rel_b_3_stateSelect: kinds.StateSelect = parameter(
        "priority of w_rel_b_3 as state", default="never"
    )

    def _starts(self, name: str, used: bool) -> tuple[Start, Start, Start]:
        a, b, c = (getattr(self, f"{name}_{i}") if used else NOT_FIXED for i in (1, 2, 3))
        return a, b, c

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute a free joint, and initial conditions where start values are fixed."""
        r, v = self._starts("r_rel_a", p.use_r), self._starts("v_rel_a", p.use_v)
        angle = self._starts("angle", p.use_angle)
        angle_d = self._starts("angle_d", p.use_angle and p.use_angle_d)
        w = self._starts("w_rel_b", p.use_w)
        turn = SphericalPairByAngles(p.sequence_start)
        angles, rates = values(angle), values(angle_d)
        R = rotation_by_sequence(p.sequence_start, tuple(map(float, angles)))
        w_b = (
            Vector.of(values(w))
            if p.use_w
            else turn.relative_velocity(list(angles), list(rates)).resultant
        )
        turns = w if p.use_w else angle_d
        yield free_joint(
            self,
            R,
            values(r),
            w_b,
            values(v),
            fixed=(
                tuple(x.is_fixed for x in r),
                all(x.is_fixed for x in angle),
                all(x.is_fixed for x in turns),
                tuple(x.is_fixed for x in v),
            ),
        )
        is_second = _is_second(p.sequence_start, float(angles[1]))
        read: dict[
            str,
            tuple[
                tuple[Start, ...], bool, Callable[[tuple[Pose, Motor]], Sequence[Scalar]]
            ],
        ] = {
            "r_rel_a": (r, False, lambda m: m[0].p.xyz),
            "v_rel_a": (v, True, lambda m: (m[0].R @ m[1].moment).xyz),
            "angle": (
                angle,
                False,
                lambda m: [
                    value.value + arctan2(sin(x - value.value), cos(x - value.value))
                    for x, value in zip(
                        _of_set(
                            p.sequence_start, angles_of(p.sequence_start, m[0].R), is_second
                        ),
                        angle,
                        strict=True,
                    )
                ],
            ),
            "angle_d": (
                angle_d,
                True,
                lambda m: _rates_of_set(angle_rates(p.sequence_start, m), is_second),
            ),
            "w_rel_b": (w, True, lambda m: m[1].resultant.xyz),
        }
        # states show r_rel_a one by one, the others only as a whole, and w_rel_b for angle_d
        partly = {
            name
            for name, (starts, _, _) in read.items()
            if name != "r_rel_a" and not all(x.is_fixed for x in starts)
        } | ({"angle_d"} if p.use_w else set())
        for name, (starts, speed, function) in read.items():
            for i, value in enumerate(starts):
                if value.is_fixed:
                    one = initial_condition(
                        self,
                        f"{name}_{i + 1}",
                        np.array([value.value]),
                        lambda m, f=function, i=i: (f(m)[i],),
                        speed=speed,
                    )
                    yield replace(one, always=name in partly)
        yield from self._acceleration_conditions(p, is_second)

    def _acceleration_conditions(
        self, p: Self, is_second: bool
    ) -> Iterable[InitialCondition]:
        """Yield a condition for each fixed component of an acceleration that is used."""
        uses = {
            "a_rel_a": p.use_r and p.use_v and p.use_a,
            "angle_dd": p.use_angle and p.use_angle_d and p.use_angle_dd,
            "z_rel_b": p.use_w and p.use_z,
        }
        for name, (_, reading) in _accelerations(p.sequence_start).items():
            for i, begin in enumerate(self._starts(name, uses[name])):
                if begin.is_fixed:

                    def residual(
                        motion: Motion,
                        i: int = i,
                        begin: Start = begin,
                        reading: Reading = reading,
                        name: str = name,
                    ) -> tuple[Scalar, ...]:
                        m = motion.relative_acceleration(self.frame_a, self.frame_b)
                        seen = reading(*m)
                        if name == "angle_dd":
                            seen = _rates_of_set(seen, is_second)
                        return (seen[i] - begin.value,)

                    yield InitialCondition(
                        self.path, f"{name}_{i + 1}", 2, residual, always=True
                    )

    def variables(self, p: Self) -> Mapping[str, Variable]:
        """Return position, angles, velocities, accelerations of frame_b relative to frame_a."""
        a, b = self.frame_a, self.frame_b
        shown: dict[str, Variable] = {}
        readings: dict[
            str, tuple[str, Callable[[tuple[Pose, Motor]], Sequence[Scalar]]]
        ] = {
            "r_rel_a": ("m", lambda m: m[0].p.xyz),
            "v_rel_a": ("m/s", lambda m: (m[0].R @ m[1].moment).xyz),
            "angle": ("rad", lambda m: angles_of(p.sequence_start, m[0].R)),
            "angle_d": ("rad/s", lambda m: angle_rates(p.sequence_start, m)),
            "w_rel_b": ("rad/s", lambda m: m[1].resultant.xyz),
        }
        for name, (unit, function) in readings.items():
            for i in range(3):
                shown[f"{name}_{i + 1}"] = Variable(
                    lambda motion, f=function, i=i: f(motion.relative(a, b))[i], unit
                )
        for name, (unit, reading) in _accelerations(p.sequence_start).items():
            for i in range(3):
                shown[f"{name}_{i + 1}"] = Variable(
                    lambda motion, f=reading, i=i: f(*motion.relative_acceleration(a, b))[
                        i
                    ],
                    unit,
                )
        return shown


def _is_second(sequence: Sequence[int], angle_2: float) -> bool:
    """Return whether a middle angle is one of the set that `angles_of` does not return."""
    beyond = sin(angle_2) if sequence[0] == sequence[2] else cos(angle_2)
    return float(beyond) < -1e-12


def _of_set(
    sequence: Sequence[int], angles: Sequence[Scalar], is_second: bool
) -> Sequence[Scalar]:
    """Return angles of the same rotation: as they are, or those of the second set."""
    if not is_second:
        return angles
    a, b, c = angles
    return a + pi, -b if sequence[0] == sequence[2] else pi - b, c + pi


def _rates_of_set(rates: Sequence[Scalar], is_second: bool) -> Sequence[Scalar]:
    """Return first or second derivatives of the angles of the same set."""
    a, b, c = rates
    return (a, -b, c) if is_second else rates


Reading = Callable[[Pose, Motor, Motor], Sequence[Scalar]]


def _accelerations(sequence: tuple[int, int, int]) -> dict[str, tuple[str, Reading]]:
    """Return units and readings of accelerations, from pose, velocity and its rates."""
    return {
        "a_rel_a": ("m/s2", lambda X, V, A: rate_of_velocity(X, V, A).xyz),
        "angle_dd": ("rad/s2", lambda X, V, A: angle_accelerations(sequence, X, V, A)),
        "z_rel_b": ("rad/s2", lambda X, V, A: A.resultant.xyz),
    }
