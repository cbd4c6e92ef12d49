"""Hinges of a cluster of loops, Assur groups of these hinges, and the decomposition into groups."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import field
from typing import TYPE_CHECKING, ClassVar, NoReturn

from motorik.algebra.angle import Angle
from motorik.algebra.matrix import IDENTITY, Matrix
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar, is_structural
from motorik.algebra.vector import ZERO, Vector, Z
from motorik.errors import AssemblyError
from motorik.immutable import immutable

if TYPE_CHECKING:
    from typing_extensions import Self

PoseOf = Callable[[int], Pose]
"""The pose of a known body, by its number, in the frame of the root."""

Coordinate = Scalar | Matrix
"""The coordinate of a hinge.

An `Angle` or radians of R, metres of P, the rotation matrix R_ab of S.
"""

ValueOf = Callable[[int], Coordinate]
"""The known coordinate of a hinge, by its index."""


@immutable
class Hinge:
    """An elementary joint between two bodies of a cluster of loops.

    Kinds: "R" revolute, "P" prismatic, "S" spherical, "D" a rod that keeps the origins of its two
    frames at `length` [m] from each other, "O" any other joint. Frame a is at X_a in body a, frame
    b at X_b in body b; R rotates b by q + offset about `axis`, P moves it by q along `axis`, a
    unit vector in frame a. Hinges with a higher `state_priority` are preferred as independent.
    """

    index: int
    kind: str
    a: int
    b: int
    X_a: Pose
    X_b: Pose
    axis: Vector = Z
    offset: Scalar = 0.0
    length: Scalar = 0.0
    state_priority: int = 0
    name: str = ""

    def pose(self, q: Coordinate) -> Pose:
        """Return X_ab of frame b in frame a at the coordinate q.

        q is an angle of R, a length [m] of P, the rotation matrix R_ab of S.
        """
        if self.kind == "R":
            return Pose(self.turned(q).rotation(self.axis), ZERO)
        if self.kind == "P":
            assert not isinstance(q, Matrix)
            return Pose(IDENTITY, q * self.axis)
        if self.kind == "S":
            assert isinstance(q, Matrix)
            return Pose(q, ZERO)
        raise AssemblyError(
            str(self), f"a hinge of kind {self.kind} has no coordinate.", "Use R, P or S."
        )

    def turned(self, q: Angle | Scalar) -> Angle:
        """Return the angle q + offset of a revolute hinge."""
        angle = Angle.of(q)
        return angle if is_structural(self.offset, 0.0) else angle + self.offset

    def coordinate(self, sine: Scalar, cosine: Scalar) -> Angle:
        """Return q of a revolute hinge from the sine and cosine of q + offset."""
        angle = Angle.from_sine_cosine(sine, cosine)
        return angle if is_structural(self.offset, 0.0) else (angle - self.offset).wrapped()

    @property
    def has_coordinate(self) -> bool:
        """Whether it is revolute or prismatic, with one coordinate."""
        return self.kind in ("R", "P")

    def __str__(self) -> str:
        return self.name or f"hinge {self.index}"


@immutable
class GroupSolution:
    """The solution of an Assur group: an `Angle` for each R hinge, a length [m] for each P hinge.

    `margin` is 0 at the dead centre, where both branches meet, about 1 far from it and negative
    where the group cannot close; 1.0 where there is no dead centre. `poses` are those of bodies
    that no coordinates determine.
    """

    coordinates: dict[int, Angle | Scalar]
    margin: Scalar = 1.0
    poses: dict[int, Pose] = field(default_factory=dict)


def nothing_known(hinge: int) -> NoReturn:
    """Raise: the group needs a coordinate that was not given."""
    raise AssemblyError(
        f"hinge {hinge}",
        "its coordinate is needed to close a loop.",
        "Pass the known coordinates to `solve` as third argument.",
    )


class AssurGroup(ABC):
    """A chain of mobility zero: poses of its end bodies determine the coordinates of its hinges.

    It has one or two branches, selected by `branch` = ±1.0 in `solve`.
    """

    label: ClassVar[str]
    names: ClassVar[tuple[str, ...]] = ()

    @property
    def title(self) -> str:
        """The name of its kind, such as "RRR dyad"."""
        return self.label

    @property
    def branch_names(self) -> tuple[str, ...]:
        """The names of branches 1.0 and −1.0; none if there is only one."""
        return self.names

    @property
    def n_branches(self) -> int:
        """The number of branches: 1 or 2."""
        return max(1, len(self.branch_names))

    @property
    @abstractmethod
    def hinges(self) -> tuple[int, ...]:
        """The hinges whose coordinates it gives."""

    @property
    @abstractmethod
    def bodies(self) -> tuple[int, ...]:
        """The bodies whose poses it needs."""

    @property
    def inner(self) -> tuple[int, ...]:
        """The hinges inside rigid groups of bodies, whose coordinates it needs."""
        return ()

    @property
    def placed(self) -> tuple[int, ...]:
        """The bodies whose poses it gives directly, since no coordinates determine them."""
        return ()

    @abstractmethod
    def solve(
        self, pose: PoseOf, branch: Scalar, coordinate: ValueOf = nothing_known
    ) -> GroupSolution:
        """Return the coordinates on one branch, from the poses of known bodies.

        `coordinate` is called only for the hinges in `inner`.
        """

    def in_units(self, length: float) -> Self:
        """Return the group, found in units of a length [m], with lengths in metres."""
        return self

    @abstractmethod
    def with_hinges(self, table: Mapping[int, Hinge]) -> Self:
        """Return the same group on other hinges, looked up by the indices of its own."""


@immutable
class AssurDecomposition:
    """A cluster as `independent` hinges and the Assur `groups` that give the other coordinates.

    Each group needs only the independent hinges and the groups before it.
    """

    independent: tuple[int, ...]
    groups: tuple[AssurGroup, ...]
    root: int = 0
    hinges: tuple[Hinge, ...] = ()

    def with_hinges(self, hinges: tuple[Hinge, ...] | list[Hinge]) -> AssurDecomposition:
        """Return the decomposition on hinges of the same indices, such as symbolic ones."""
        table = {hinge.index: hinge for hinge in hinges}
        groups = tuple(group.with_hinges(table) for group in self.groups)
        return AssurDecomposition(self.independent, groups, self.root, tuple(hinges))

    def on(self, table: Mapping[int, Hinge], root: int) -> AssurDecomposition:
        """Return the decomposition for an equal cluster; `table` maps these hinges to its own."""
        independent = tuple(table[h].index for h in self.independent)
        groups = tuple(group.with_hinges(table) for group in self.groups)
        return AssurDecomposition(independent, groups, root, tuple(table.values()))
