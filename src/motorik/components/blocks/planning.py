"""Motions from point to point: as fast as possible within limits of speed and acceleration.

All axes start and stop together. The share s of the way grows from 0 to 1 with constant
acceleration, constant speed and constant deceleration, each as large as the slowest axis allows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar, fabs, maximum, minimum, sqrt, where
from motorik.components.base import kinds
from motorik.components.base.declarations import boolean_output, parameter, signal_output
from motorik.components.base.part import Part
from motorik.components.base.ports import Port
from motorik.components.base.resolving import Values
from motorik.components.blocks.block import Block, Scalars
from motorik.errors import ParameterError
from motorik.immutable import immutable
from motorik.numerics.tolerances import EPSILON

if TYPE_CHECKING:
    from typing_extensions import Self

LEAST = 100 * EPSILON  # a way that counts as none


def spread(values: Sequence[Scalar], count: int) -> Sequence[Scalar]:
    """Return a value for each axis; a single one holds for all."""
    return values if len(values) == count else tuple(values) * count


def _count(part: Part, names: Sequence[str]) -> int:
    return max(len(part.__dict__[name]) for name in names)


def _check(part: Part, p: Values, names: Sequence[str]) -> None:
    """Refuse lists of different lengths, and limits that are not positive."""
    count = _count(part, names)
    for name in names:
        own = getattr(p, name)
        if len(own) not in (1, count):
            raise ParameterError(
                part.label,
                f"{name} has {len(own)} values for {count} axes.",
                f"Give {count} values, or one for all.",
                parameter=name,
                value=own,
            )
        if name.endswith("_max") and not all(value > 0.0 for value in own):
            raise ParameterError(
                part.label,
                f"{name} = {tuple(own)!r} is not positive.",
                "Give limits above zero.",
                parameter=name,
                value=own,
            )


@immutable
class Profile:
    """The share s of the way at a time after the start, with its rates.

    Acceleration ends at `t_a`, deceleration begins at `t_v` and ends at `t_e`; `speed` and
    `acceleration` are their largest values. Where no axis moves, all are 0.
    """

    speed: Scalar
    acceleration: Scalar
    t_a: Scalar
    t_v: Scalar
    t_e: Scalar

    def at(self, t: Scalar) -> tuple[Scalar, Scalar, Scalar]:
        """Return s, ṡ and s̈."""
        a, v = self.acceleration, self.speed
        left = self.t_e - t
        s = _phase(
            t, self, 0.5 * a * t * t, v * (t - 0.5 * self.t_a), 1.0 - 0.5 * a * left * left
        )
        ends = where(t < 0.0, 0.0, where(t >= self.t_e, 1.0, s))
        is_moving = self.moves(t)
        sd = where(is_moving, _phase(t, self, a * t, v, a * left), 0.0)
        sdd = where(is_moving, _phase(t, self, a, 0.0, -a), 0.0)
        return ends, sd, sdd

    def moves(self, t: Scalar) -> Scalar:
        """Return whether the motion is under way."""
        return where(t < 0.0, False, t < self.t_e)


def _phase(t: Scalar, own: Profile, first: Scalar, second: Scalar, third: Scalar) -> Scalar:
    return where(t < own.t_a, first, where(t < own.t_v, second, third))


def profile(
    ways: Sequence[Scalar], speeds: Sequence[Scalar], accelerations: Sequence[Scalar]
) -> Profile:
    """Return the fastest profile with which no axis exceeds its limits."""
    rest = _greatest(fabs(way) for way in ways)
    is_still = rest <= LEAST
    per_speed = _greatest(fabs(way) / v for way, v in zip(ways, speeds, strict=True))
    per_acceleration = _greatest(
        fabs(way) / a for way, a in zip(ways, accelerations, strict=True)
    )
    v = 1.0 / where(is_still, 1.0, per_speed)
    a = 1.0 / where(is_still, 1.0, per_acceleration)
    reached = minimum(v, sqrt(a))  # the way may end before the largest speed
    t_a = reached / a
    t_v = 1.0 / reached
    times = (where(is_still, 0.0, time) for time in (t_a, t_v, t_v + t_a))
    return Profile(reached, a, *times)


def _greatest(values: object) -> Scalar:
    found: Scalar = 0.0
    for value in values:  # type: ignore[attr-defined]
        found = (
            value if found.__class__ is float and found == 0.0 else maximum(found, value)
        )
    return found


LISTS = ("deltaq", "qd_max", "qdd_max")
LISTS2 = ("q_begin", "q_end", "qd_max", "qdd_max")


class KinematicPTP(Block):
    """The accelerations y that move axes by deltaq as fast as their limits allow.

    The speeds stay within ±qd_max, the accelerations within ±qdd_max; all axes move together
    from startTime on. Twice integrated, y[k] is the way of axis k. Steps end where it jumps.
    """

    y = signal_output("accelerations", size=lambda part: _count(part, LISTS))
    deltaq: kinds.Numbers = parameter("ways of the axes", default=(1.0,))
    qd_max: kinds.Numbers = parameter("largest speeds", default=(1.0,))
    qdd_max: kinds.Numbers = parameter("largest accelerations", default=(1.0,))
    startTime: kinds.Time = parameter("time at which the motion begins", default=0.0)

    def check(self, p: Self) -> None:
        """Refuse lists of different lengths, and limits that are not positive."""
        _check(self, p, LISTS)

    def outputs(self) -> tuple[Port, ...]:
        """Return the elements of y."""
        return self.y.elements

    @staticmethod
    def law(
        p: KinematicPTP, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar, ...]:
        """Return s̈ · deltaq."""
        count = max(len(getattr(p, name)) for name in LISTS)
        ways, speeds, limits = (spread(getattr(p, name), count) for name in LISTS)
        _, _, sdd = profile(ways, speeds, limits).at(t - p.startTime)
        return tuple(way * sdd for way in ways)


class KinematicPTP2(Block):
    """Positions q, speeds qd and accelerations qdd of axes from q_begin to q_end.

    As fast as qd_max and qdd_max allow, all axes together, from startTime on. `moving` tells
    of each axis whether it is under way, `endTime` is the end of the motion.
    """

    q = signal_output("positions", size=lambda part: _count(part, LISTS2))
    qd = signal_output("speeds", size=lambda part: _count(part, LISTS2))
    qdd = signal_output("accelerations", size=lambda part: _count(part, LISTS2))
    moving = boolean_output(
        "whether the axes are under way", size=lambda part: _count(part, LISTS2)
    )
    endTime = signal_output("time at which the motion ends", "s")
    q_begin: kinds.Numbers = parameter("positions at the start", default=(0.0,))
    q_end: kinds.Numbers = parameter("positions at the end", default=(1.0,))
    qd_max: kinds.Numbers = parameter("largest speeds", default=(1.0,))
    qdd_max: kinds.Numbers = parameter("largest accelerations", default=(1.0,))
    startTime: kinds.Time = parameter("time at which the motion begins", default=0.0)

    def check(self, p: Self) -> None:
        """Refuse lists of different lengths, and limits that are not positive."""
        _check(self, p, LISTS2)

    def outputs(self) -> tuple[Port, ...]:
        """Return q, qd, qdd, moving and endTime."""
        several = (self.q, self.qd, self.qdd, self.moving)
        return (*(one for port in several for one in port.elements), self.endTime)

    @staticmethod
    def law(
        p: KinematicPTP2, t: Scalar, inputs: Scalars, states: Scalars
    ) -> tuple[Scalar, ...]:
        """Return q, qd, qdd, moving and endTime."""
        count = max(len(getattr(p, name)) for name in LISTS2)
        begin, end, speeds, limits = (spread(getattr(p, name), count) for name in LISTS2)
        ways = [b - a for a, b in zip(begin, end, strict=True)]
        own = profile(ways, speeds, limits)
        since = t - p.startTime
        s, sd, sdd = own.at(since)
        is_moving = own.moves(since)
        return (
            *(a + way * s for a, way in zip(begin, ways, strict=True)),
            *(way * sd for way in ways),
            *(way * sdd for way in ways),
            *(where(fabs(way) <= LEAST, 0.0, where(is_moving, 1.0, 0.0)) for way in ways),
            p.startTime + own.t_e,
        )
