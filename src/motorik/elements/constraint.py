"""Constraint: the conditions between frames, as one value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from motorik.algebra.dual import Dual, rate_of
from motorik.algebra.matrix import Matrix, skew
from motorik.algebra.motor import ZERO_MOTOR, Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar, mul, sqrt, total
from motorik.algebra.vector import Vector
from motorik.elements.closure import (
    angle_between,
    apart,
    gap,
    gap_along,
    skewness,
    tilt,
    tilt_tangents,
    turn_apart,
    turn_tangents,
)
from motorik.immutable import immutable

Rows = Callable[..., tuple[Scalar, ...]]
Gap = Callable[..., tuple[Scalar, Scalar]]


@immutable
class Constraint:
    """Conditions on the poses and velocities of frames and the positions of flanges.

    * ``residual(*poses, *positions)``: rows that vanish, of the poses of the frames (seen
      from the world if there is one frame, from one common frame if there are several) and
      the positions of flanges, in `units` ("m" or "rad"). Cheap, and accurate near closed poses:
      used in motion. Rates, reactions and bias follow by differentiation.
    * ``rate(poses, velocities)``: further rows in `rate_units` that vanish, linear in the
      velocity motors, each resolved in its own frame: the slip of a rolling wheel. With flanges
      their positions and their speeds follow, as two further sequences.
    * ``assembly_residual(*poses, *positions)``: as many rows, the same as the residual to
      first order where it is closed, that vanish at closed poses **only**: used for assembling.
      It is largest half a turn off. Without it the residual itself is used.
    * ``gap(*poses, *positions)``: the gap [m], [rad], measured independently of the
      rows. Without it the gap is that of the rows, by their units.
    """

    residual: Rows | None = None
    units: tuple[str, ...] = ()
    rate: Rows | None = None
    rate_units: tuple[str, ...] = ()
    assembly_residual: Rows | None = None
    gap: Gap | None = None

    @property
    def to_solve(self) -> Rows | None:
        """The rows that assembling solves: the assembly residual, or the residual."""
        return self.residual if self.assembly_residual is None else self.assembly_residual

    def measured(self, *given: Pose | Scalar) -> tuple[Scalar, Scalar]:
        """Return the gap [m], [rad] at these poses and positions."""
        if self.gap is not None:
            return self.gap(*given)
        rows = self.to_solve
        return (0.0, 0.0) if rows is None else sizes(rows(*given), self.units)

    def rates(
        self,
        poses: Sequence[Pose],
        velocities: Sequence[Motor],
        positions: Sequence[Scalar] = (),
    ) -> tuple[Scalar, ...]:
        """Return the rates of the residual, and then the rows of rates, for given velocities.

        Each velocity motor is resolved in its own frame; the flanges are at rest.
        """
        moved: tuple[Scalar, ...] = ()
        if self.residual is not None:
            moving = map(_moving, poses, velocities)
            moved = tuple(rate_of(row) for row in self.residual(*moving, *positions))
        if self.rate is None:
            return moved
        of_flanges = (positions, [0.0] * len(positions)) if positions else ()
        return (*moved, *self.rate(poses, velocities, *of_flanges))

    def reversed(self) -> Constraint:
        """Return the same constraint with the two frames exchanged."""
        rate = self.rate
        return replace(
            self,
            residual=_exchanged(self.residual),
            rate=None if rate is None else partial(_rate_exchanged, rate),
            assembly_residual=_exchanged(self.assembly_residual),
            gap=None if self.gap is None else partial(_call_exchanged, self.gap),
        )


def joined(*parts: Constraint) -> Constraint:
    """Return the constraint of all of these, their rows one after another."""
    residuals = [part.residual for part in parts if part.residual is not None]
    to_solve = [part.to_solve for part in parts if part.to_solve is not None]
    rates = [part.rate for part in parts if part.rate is not None]
    is_blind = any(part.assembly_residual is not None for part in parts)
    return Constraint(
        partial(_in_turn, residuals) if residuals else None,
        tuple(unit for part in parts for unit in part.units),
        partial(_in_turn, rates) if rates else None,
        tuple(unit for part in parts for unit in part.rate_units),
        partial(_in_turn, to_solve) if is_blind else None,
        partial(_together, parts),
    )


def sizes(rows: Sequence[Scalar], units: Sequence[str]) -> tuple[Scalar, Scalar]:
    """Return the lengths of the rows in metres and of those in radians."""
    metres, radians = (
        total(*(mul(row, row) for row, own in zip(rows, units, strict=True) if own == unit))
        for unit in ("m", "rad")
    )
    return sqrt(metres), sqrt(radians)


# --- what joints are made of ----------------------------------------------------------------

TOGETHER = Constraint(gap, ("m", "m", "m"))
"""The origins meet."""

PARALLEL = Constraint(
    turn_apart,
    ("rad", "rad", "rad"),
    assembly_residual=turn_tangents,
    gap=lambda X_a, X_b: (0.0, apart(X_a, X_b)[1]),
)
"""Frame b is not turned relative to frame a."""


def held_along(*directions: Vector) -> Constraint:
    """Return the constraint of no gap between the origins along directions fixed in a."""
    return Constraint(partial(_gap_along, directions), ("m",) * len(directions))


def in_line(axis: Vector) -> Constraint:
    """Return the constraint that the unit vector `axis` is the same in both frames."""
    return Constraint(
        partial(_tilt, axis),
        ("rad", "rad"),
        assembly_residual=lambda X_a, X_b: tilt_tangents(X_a, X_b, axis),
        gap=lambda X_a, X_b: (0.0, angle_between(X_a.R @ axis, X_b.R @ axis)),
    )


def at_angle(axis_a: Vector, axis_b: Vector) -> Constraint:
    """Return the constraint that an axis of a and one of b keep their angle in parallel frames."""
    return Constraint(
        partial(_skewness, axis_a, axis_b),
        ("rad",),
        gap=lambda X_a, X_b: sizes(
            (
                angle_between(X_a.R @ axis_a, X_b.R @ axis_b)
                - angle_between(axis_a, axis_b),
            ),
            ("rad",),
        ),
    )


def _gap_along(directions: tuple[Vector, ...], X_a: Pose, X_b: Pose) -> tuple[Scalar, ...]:
    return gap_along(X_a, X_b, *directions)


def _tilt(axis: Vector, X_a: Pose, X_b: Pose) -> tuple[Scalar, ...]:
    return tilt(X_a, X_b, axis)


def _skewness(axis_a: Vector, axis_b: Vector, X_a: Pose, X_b: Pose) -> tuple[Scalar, ...]:
    return (skewness(X_a, X_b, axis_a, axis_b),)


def _in_turn(functions: Sequence[Rows], *given: Pose | Scalar) -> tuple[Scalar, ...]:
    return tuple(row for function in functions for row in function(*given))


def _together(parts: Sequence[Constraint], *given: Pose | Scalar) -> tuple[Scalar, Scalar]:
    gaps = [part.measured(*given) for part in parts]
    metres = total(*(mul(m, m) for m, _ in gaps))
    radians = total(*(mul(rad, rad) for _, rad in gaps))
    return sqrt(metres), sqrt(radians)


def _moving(X: Pose, V: Motor) -> Pose:
    """Return a pose that moves with the velocity motor V, resolved in it, as duals."""
    if V is ZERO_MOTOR:
        return X
    R_rate = X.R @ skew(V.resultant)
    p_rate = X.R @ V.moment
    R = Matrix(*map(Dual, X.R.entries, R_rate.entries))
    return Pose(R, Vector(*map(Dual, X.p.xyz, p_rate.xyz)))


def _exchanged(rows: Rows | None) -> Rows | None:
    return None if rows is None else partial(_call_exchanged, rows)


def _call_exchanged(function: Callable[..., tuple], X_b: Pose, X_a: Pose) -> tuple:
    return function(X_a, X_b)


def _rate_exchanged(
    rate: Rows, poses: Sequence[Pose], velocities: Sequence[Motor]
) -> tuple[Scalar, ...]:
    return rate(poses[::-1], velocities[::-1])
