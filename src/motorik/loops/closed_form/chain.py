"""Chains: paths through hinges and bodies of unknown pose between known bodies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from motorik.algebra.pose import IDENTITY_POSE, Pose
from motorik.algebra.scalar import Scalar, is_number
from motorik.algebra.vector import Vector
from motorik.loops.closed_form.assur_group import AssurGroup, Coordinate, Hinge, ValueOf
from motorik.numerics.tolerances import SUBSTITUTED

if TYPE_CHECKING:
    from typing_extensions import Self


@dataclass(frozen=True)
class OrientedHinge:
    """A hinge passed from the near body to the far one; forward is from a to b."""

    hinge: Hinge
    is_forward: bool

    @property
    def near_body(self) -> int:
        """The body it is entered from."""
        return self.hinge.a if self.is_forward else self.hinge.b

    @property
    def far_body(self) -> int:
        """The body it leads to."""
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
        """1.0 forward, −1.0 backward: the far frame moves by sign · q along or about axis."""
        return 1.0 if self.is_forward else -1.0

    def carry(self, v: Vector) -> Vector:
        """Return a vector of the near body in the far body, for the turn by nothing."""
        return snapped(self.far.R @ (self.near.R.T @ v))

    def pose(self, q: Coordinate) -> Pose:
        """Return the pose of the far body in the near body at the coordinate q."""
        X_ab = self.hinge.pose(q)
        middle = X_ab if self.is_forward else X_ab.inverse()
        return self.near @ middle @ self.far.inverse()

    def reversed(self) -> OrientedHinge:
        """Return the way back."""
        return replace(self, is_forward=not self.is_forward)

    def with_hinges(self, table: Mapping[int, Hinge]) -> OrientedHinge:
        """Return the same way through another hinge, by the index of its own."""
        return replace(self, hinge=table[self.hinge.index])


@dataclass(frozen=True)
class Chain:
    """Ways one after another; between two of them lies a rigid group of bodies.

    `runs[i]` leads inside the group, through hinges of known coordinate, from the body that
    way i enters to the body that way i + 1 leaves; it is empty if they are the same.
    """

    ways: tuple[OrientedHinge, ...]
    runs: tuple[tuple[OrientedHinge, ...], ...]

    @property
    def first_body(self) -> int:
        """The known body where it begins."""
        return self.ways[0].near_body

    @property
    def last_body(self) -> int:
        """The known body where it ends."""
        return self.ways[-1].far_body

    @property
    def hinges(self) -> tuple[int, ...]:
        """The hinges it passes that have a coordinate."""
        return tuple(way.hinge.index for way in self.ways if way.hinge.has_coordinate)

    @property
    def inner(self) -> tuple[int, ...]:
        """The hinges inside its rigid groups."""
        return tuple(way.hinge.index for run in self.runs for way in run)

    @property
    def kinds(self) -> str:
        """The kinds of its hinges in order, such as "RRP"."""
        return "".join(way.hinge.kind for way in self.ways)

    def across(self, group: int, coordinate: ValueOf) -> Pose:
        """Return the pose of the body where a group is left in the one where it is entered."""
        X = IDENTITY_POSE
        for way in self.runs[group]:
            X = X @ way.pose(coordinate(way.hinge.index))
        return X

    def reversed(self) -> Chain:
        """Return the chain walked from its end to its beginning."""
        runs = tuple(_back(run) for run in self.runs[::-1])
        return Chain(_back(self.ways), runs)

    def with_hinges(self, table: Mapping[int, Hinge]) -> Chain:
        """Return the same chain through other hinges, by the indices of its own."""
        ways = tuple(way.with_hinges(table) for way in self.ways)
        runs = tuple(tuple(w.with_hinges(table) for w in run) for run in self.runs)
        return Chain(ways, runs)


def _back(ways: tuple[OrientedHinge, ...]) -> tuple[OrientedHinge, ...]:
    return tuple(way.reversed() for way in ways[::-1])


def snapped(v: Vector) -> Vector:
    """Return the vector with numbers within rounding of 0 and ±1 made exactly so."""

    def snap(e: Scalar) -> Scalar:
        if is_number(e):
            for value in (0.0, 1.0, -1.0):
                if abs(e - value) <= SUBSTITUTED:
                    return value
        return e

    return v.map(snap)


# --- groups on a chain ---------------------------------------------------------------------


@dataclass(frozen=True)
class ChainGroup(AssurGroup):
    """A closed form of a chain of hinges between two known bodies."""

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
        """Return the same step on other hinges, by the indices of its own."""
        return replace(self, chain=self.chain.with_hinges(table))
