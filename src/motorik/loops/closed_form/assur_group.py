"""Hinges of a cluster of loops, and the steps and plans that close it in closed form."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, NoReturn

from motorik.algebra.angle import Angle
from motorik.algebra.matrix import IDENTITY, Matrix
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar, is_structural
from motorik.algebra.vector import ZERO, Vector, Z
from motorik.errors import AssemblyError

if TYPE_CHECKING:
    from typing_extensions import Self

PoseOf = Callable[[int], Pose]
"""The pose of a known body, by its number, in the frame of the root."""

Coordinate = Scalar | Matrix
"""The coordinate of a hinge.

An `Angle` or radians of a turn, metres of a slide, the rotation matrix R_ab of a ball.
"""

ValueOf = Callable[[int], Coordinate]
"""The known coordinate of a hinge, by its index."""


@dataclass(frozen=True)
class Hinge:
    """An elementary joint between two bodies of a cluster of loops.

    Kinds: "R" turns, "P" slides, "S" is a ball, "D" holds the origins of its two frames at
    `length` [m] from each other, "O" is any other joint. Frame a is at X_a in body a, frame b
    at X_b in body b; R turns b by q + offset, P moves it by q along `axis`, a unit vector in
    frame a. Hinges with a higher `state_priority` are preferred as independent coordinates.
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

        That of a turn is an angle, of a slide a number [m], of a ball the rotation R_ab.
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
        """Return the angle q + offset of a turn."""
        angle = Angle.of(q)
        return angle if is_structural(self.offset, 0.0) else angle + self.offset

    def coordinate(self, sine: Scalar, cosine: Scalar) -> Angle:
        """Return the coordinate q of a turn by the angle with this sine and cosine."""
        angle = Angle.from_sine_cosine(sine, cosine)
        return angle if is_structural(self.offset, 0.0) else (angle - self.offset).wrapped()

    @property
    def has_coordinate(self) -> bool:
        """Whether it has one coordinate: it turns or slides."""
        return self.kind in ("R", "P")

    def __str__(self) -> str:
        return self.name or f"hinge {self.index}"


@dataclass(frozen=True)
class GroupSolution:
    """What a step found: a coordinate for each hinge, an `Angle` of R and a number [m] of P.

    `margin` is 0 at the dead centre, where both sides meet, about 1 far from it and
    negative where the loop cannot close; 1.0 where there is no dead centre. `poses` of
    bodies are given where no coordinates determine them.
    """

    coordinates: dict[int, Angle | Scalar]
    margin: Scalar = 1.0
    poses: dict[int, Pose] = field(default_factory=dict)


def nothing_known(hinge: int) -> NoReturn:
    """Refuse: the step needs a coordinate, and none was given."""
    raise AssemblyError(
        f"hinge {hinge}",
        "its coordinate is needed to close a loop.",
        "Pass the known coordinates to `solve` as third argument.",
    )


class AssurGroup(ABC):
    """A closed form: from poses known before to the coordinates of some hinges.

    It has one or two `branches`, distinguished by `branch` = ±1.0 in `solve`.
    """

    label: ClassVar[str]
    names: ClassVar[tuple[str, ...]] = ()

    @property
    def title(self) -> str:
        """What it is called, such as "RRR dyad"."""
        return self.label

    @property
    def branch_names(self) -> tuple[str, ...]:
        """The names of sides 1.0 and −1.0; none if there is only one."""
        return self.names

    @property
    def n_branches(self) -> int:
        """The number of solutions: 1 or 2."""
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
        """The hinges whose coordinates it needs: those inside rigid groups of bodies."""
        return ()

    @property
    def placed(self) -> tuple[int, ...]:
        """The bodies whose poses it gives itself, since no coordinates determine them."""
        return ()

    @abstractmethod
    def solve(
        self, pose: PoseOf, branch: Scalar, coordinate: ValueOf = nothing_known
    ) -> GroupSolution:
        """Return the coordinates on one side, from the poses of known bodies.

        `coordinate` is called only for the hinges in `inner`.
        """

    def in_units(self, length: float) -> Self:
        """Return the step found in units of a length [m] with its own lengths in metres."""
        return self

    @abstractmethod
    def with_hinges(self, table: Mapping[int, Hinge]) -> Self:
        """Return the same step on other hinges, by the indices of its own."""


@dataclass(frozen=True)
class AssurDecomposition:
    """How a cluster is closed: `independent` coordinates stay, the `groups` give the others.

    The steps are in order: each needs only the independent hinges and the steps before it.
    """

    independent: tuple[int, ...]
    groups: tuple[AssurGroup, ...]
    root: int = 0
    hinges: tuple[Hinge, ...] = ()

    def with_hinges(self, hinges: tuple[Hinge, ...] | list[Hinge]) -> AssurDecomposition:
        """Return the same plan on other hinges of the same indices, as on symbols."""
        table = {hinge.index: hinge for hinge in hinges}
        groups = tuple(group.with_hinges(table) for group in self.groups)
        return AssurDecomposition(self.independent, groups, self.root, tuple(hinges))

    def on(self, table: Mapping[int, Hinge], root: int) -> AssurDecomposition:
        """Return the same plan for an equal cluster, whose hinges are by those of this one."""
        independent = tuple(table[h].index for h in self.independent)
        groups = tuple(group.with_hinges(table) for group in self.groups)
        return AssurDecomposition(independent, groups, root, tuple(table.values()))
