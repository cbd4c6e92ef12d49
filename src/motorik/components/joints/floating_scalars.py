"""FreeMotionScalarInit: a free joint whose start is given component by component."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.rotation import rotation_by_sequence
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.components.base.contributions import Contribution, InitialCondition
from motorik.components.base.part import Part, Variable, frame, parameter, start
from motorik.components.base.values import Start, as_boolean, as_choice, as_sequence
from motorik.components.joints.floating import (
    angle_accelerations,
    angle_rates,
    free_joint,
    initial_condition,
    rate_of_velocity,
    values,
)
from motorik.components.joints.simple import STATE_PRIORITIES
from motorik.elements.ball_angles import BallAngles, angles_of

NOT_FIXED = Start(0.0)


def _scalar_starts(*names: tuple[str, str]) -> dict[str, Any]:
    return {
        f"{name}_{i}": start(f"component {i} of {name}", unit)
        for name, unit in names
        for i in (1, 2, 3)
    }


def _state_priorities(*names: str) -> dict[str, Any]:
    as_state_priority = as_choice(*STATE_PRIORITIES)
    return {
        f"{name}_{i}_stateSelect": parameter(
            f"priority of {name}_{i} as state", "", "never", as_state_priority
        )
        for name in names
        for i in (1, 2, 3)
    }


class FreeMotionScalarInit(Part):
    """Frame b moves freely against frame a, each component of its start given on its own.

    r_rel_a [m], v_rel_a [m/s] and a_rel_a [m/s²] in frame_a; angle [rad] about
    sequence_start, angle_d and angle_dd; w_rel_b [rad/s] and its rate z_rel_b in frame_b;
    used as far as use_r, use_v, use_angle, … say.
    """

    frame_a = frame("reference frame")
    frame_b = frame("frame that moves freely")

    use_r = parameter("whether r_rel_a is used", "", False, as_boolean)
    use_v = parameter("whether v_rel_a is used", "", False, as_boolean)
    use_angle = parameter("whether angle is used", "", False, as_boolean)
    use_angle_d = parameter("whether angle_d is used", "", False, as_boolean)
    use_w = parameter("whether w_rel_b is used", "", False, as_boolean)
    use_a = parameter("whether a_rel_a is used", "", False, as_boolean)
    use_angle_dd = parameter("whether angle_dd is used", "", False, as_boolean)
    use_z = parameter("whether z_rel_b is used", "", False, as_boolean)
    sequence_start = parameter("axes of the angles", "", (1, 2, 3), as_sequence)

    vars().update(
        _scalar_starts(
            ("r_rel_a", "m"),
            ("v_rel_a", "m/s"),
            ("angle", "rad"),
            ("angle_d", "rad/s"),
            ("w_rel_b", "rad/s"),
            ("a_rel_a", "m/s2"),
            ("angle_dd", "rad/s2"),
            ("z_rel_b", "rad/s2"),
        )
    )
    vars().update(_state_priorities("r_rel_a", "v_rel_a", "angle", "angle_d", "w_rel_b"))

    def _starts(self, name: str, used: bool) -> tuple[Start, Start, Start]:
        a, b, c = (getattr(self, f"{name}_{i}") if used else NOT_FIXED for i in (1, 2, 3))
        return a, b, c

    def contributions(self, p: Any) -> Iterable[Contribution]:
        """Contribute a free joint, and initial conditions where start values are fixed."""
        r, v = self._starts("r_rel_a", p.use_r), self._starts("v_rel_a", p.use_v)
        angle = self._starts("angle", p.use_angle)
        angle_d = self._starts("angle_d", p.use_angle and p.use_angle_d)
        w = self._starts("w_rel_b", p.use_w)
        turn = BallAngles(p.sequence_start)
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
        read: dict[
            str, tuple[tuple[Start, ...], bool, Callable[[Any], Sequence[Scalar]]]
        ] = {
            "r_rel_a": (r, False, lambda m: m[0].p.xyz),
            "v_rel_a": (v, True, lambda m: (m[0].R @ m[1].moment).xyz),
            "angle": (angle, False, lambda m: angles_of(p.sequence_start, m[0].R)),
            "angle_d": (angle_d, True, lambda m: angle_rates(p.sequence_start, m)),
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
        yield from self._acceleration_demands(p)

    def _acceleration_demands(self, p: Any) -> Iterable[InitialCondition]:
        """Yield a demand for each fixed component of an acceleration that is used."""
        uses = {
            "a_rel_a": p.use_r and p.use_v and p.use_a,
            "angle_dd": p.use_angle and p.use_angle_d and p.use_angle_dd,
            "z_rel_b": p.use_w and p.use_z,
        }
        for name, (_, reading) in _accelerations(p.sequence_start).items():
            for i, begin in enumerate(self._starts(name, uses[name])):
                if begin.is_fixed:

                    def residual(
                        motion: Any,
                        i: int = i,
                        begin: Start = begin,
                        reading: Any = reading,
                    ) -> tuple[Scalar, ...]:
                        m = motion.relative_acceleration(self.frame_a, self.frame_b)
                        return (reading(*m)[i] - begin.value,)

                    yield InitialCondition(
                        self.path, f"{name}_{i + 1}", 2, residual, always=True
                    )

    def variables(self, p: Any) -> Mapping[str, Variable]:
        """Return position, angles, velocities, accelerations of frame_b against frame_a."""
        a, b = self.frame_a, self.frame_b
        shown: dict[str, Variable] = {}
        readings: dict[str, tuple[str, Callable[[Any], Sequence[Scalar]]]] = {
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


Motion = tuple[str, Callable[[Pose, Motor, Motor], Sequence[Scalar]]]


def _accelerations(sequence: tuple[int, int, int]) -> dict[str, Motion]:
    """Return units and readings of accelerations, from pose, velocity and its rates."""
    return {
        "a_rel_a": ("m/s2", lambda X, V, A: rate_of_velocity(X, V, A).xyz),
        "angle_dd": ("rad/s2", lambda X, V, A: angle_accelerations(sequence, X, V, A)),
        "z_rel_b": ("rad/s2", lambda X, V, A: A.resultant.xyz),
    }
