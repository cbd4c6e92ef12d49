"""Chains of hinges and bodies of unknown pose between bodies of known pose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from motorik.algebra.pose import IDENTITY_POSE, Pose
from motorik.algebra.scalar import Scalar, is_number
from motorik.algebra.vector import Vector
from motorik.immutable import immutable
from motorik.loops.closed_form.assur_group import AssurGroup, Coordinate, Hinge, ValueOf
from motorik.numerics.tolerances import SUBSTITUTED

if TYPE_CHECKING:
    from typing_extensions import Self


@immutable
class OrientedHinge:
    """A hinge traversed from its near body to its far body; forward is from a to b."""

    hinge: Hinge
    is_forward: bool

    @property
    def near_body(self) -> int:
        """The body on the near side."""
        return self.hinge.a if self.is_forward else self.hinge.b

    @property
    def far_body(self) -> int:
        """The body on the far side."""
        return self.hinge.b if self.is_forward else self.hinge.a

    @property
    def near(self) -> Pose:
        """The frame of the hinge in the near body."""
        return self.hinge.X_a if self.is_forward else self.hinge.X_b

    @property
    def far(self) -> Pose:
        """The frame of the hinge in the far body."""
        return self.hinge.X_b if self.is_forward else self.hinge.X_a

    @property
    def sign(self) -> float:
        """1.0 forward, −1.0 backward: the far frame moves by sign · q along or about the axis."""
        return 1.0 if self.is_forward else -1.0

    def carry(self, v: Vector) -> Vector:
        """Return a vector of the near body in the far body at zero rotation of the hinge."""
        return snapped(self.far.R @ (self.near.R.T @ v))

    def pose(self, q: Coordinate) -> Pose:
        """Return the pose of the far body in the near body at the coordinate q."""
        X_ab = self.hinge.pose(q)
        middle = X_ab if self.is_forward else X_ab.inverse()
        return self.near @ middle @ self.far.inverse()

    def reversed(self) -> OrientedHinge:
        """Return the hinge traversed in the other direction."""
        return replace(self, is_forward=not self.is_forward)

    def with_hinges(self, table: Mapping[int, Hinge]) -> OrientedHinge:
        """Return the same traversal of another hinge, looked up by the index of its own."""
        return replace(self, hinge=table[self.hinge.index])


@immutable
class Chain:
    """A sequence of oriented hinges; between two of them lies a rigid group of bodies.

    `runs[i]` is the path inside the group, through hinges of known coordinate, from the body
    that hinge i enters to the body that hinge i + 1 leaves; it is empty if both are the same.
    """

    oriented_hinges: tuple[OrientedHinge, ...]
    runs: tuple[tuple[OrientedHinge, ...], ...]

    @property
    def first_body(self) -> int:
        """The known body at its beginning."""
        return self.oriented_hinges[0].near_body

    @property
    def last_body(self) -> int:
        """The known body at its end."""
        return self.oriented_hinges[-1].far_body

    @property
    def hinges(self) -> tuple[int, ...]:
        """Its hinges that have a coordinate."""
        return tuple(
            oriented.hinge.index
            for oriented in self.oriented_hinges
            if oriented.hinge.has_coordinate
        )

    @property
    def inner(self) -> tuple[int, ...]:
        """The hinges inside its rigid groups."""
        return tuple(oriented.hinge.index for run in self.runs for oriented in run)

    @property
    def kinds(self) -> str:
        """The kinds of its hinges in order, such as "RRP"."""
        return "".join(oriented.hinge.kind for oriented in self.oriented_hinges)

    def across(self, group: int, coordinate: ValueOf) -> Pose:
        """Return the pose across a rigid group: of the body left, seen from the one entered."""
        X = IDENTITY_POSE
        for oriented in self.runs[group]:
            X = X @ oriented.pose(coordinate(oriented.hinge.index))
        return X

    def reversed(self) -> Chain:
        """Return the chain from its end to its beginning."""
        runs = tuple(_back(run) for run in self.runs[::-1])
        return Chain(_back(self.oriented_hinges), runs)

    def with_hinges(self, table: Mapping[int, Hinge]) -> Chain:
        """Return the same chain of other hinges, looked up by the indices of its own."""
        oriented_hinges = tuple(
            oriented.with_hinges(table) for oriented in self.oriented_hinges
        )
        runs = tuple(tuple(w.with_hinges(table) for w in run) for run in self.runs)
        return Chain(oriented_hinges, runs)


def _back(oriented_hinges: tuple[OrientedHinge, ...]) -> tuple[OrientedHinge, ...]:
    return tuple(oriented.reversed() for oriented in oriented_hinges[::-1])


def snapped(v: Vector) -> Vector:
    """Return the vector with entries within rounding of 0 and ±1 made exact."""

    def snap(e: Scalar) -> Scalar:
        if is_number(e):
            for value in (0.0, 1.0, -1.0):
                if abs(e - value) <= SUBSTITUTED:
                    return value
        return e

    return v.map(snap)


# --- groups on a chain ---------------------------------------------------------------------


@immutable
class ChainGroup(AssurGroup):
    """An Assur group of a chain of hinges between two known bodies."""

    chain: Chain

    @property
    def hinges(self) -> tuple[int, ...]:
        """All hinges of the chain."""
        return self.chain.hinges

    @property
    def bodies(self) -> tuple[int, ...]:
        """The known bodies at its ends."""
        return (self.chain.first_body, self.chain.last_body)

    @property
    def inner(self) -> tuple[int, ...]:
        """The hinges inside its rigid groups."""
        return self.chain.inner

    def with_hinges(self, table: Mapping[int, Hinge]) -> Self:
        """Return the same group on other hinges, looked up by the indices of its own."""
        return replace(self, chain=self.chain.with_hinges(table))
