"""Evaluation of a decomposition: poses known so far, branches, assembly configurations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from math import inf, isnan, pi

from motorik.algebra.angle import Angle
from motorik.algebra.matrix import Matrix
from motorik.algebra.pose import IDENTITY_POSE, Pose
from motorik.algebra.scalar import Scalar
from motorik.immutable import immutable
from motorik.loops.closed_form.assur_group import (
    AssurDecomposition,
    AssurGroup,
    Coordinate,
    GroupSolution,
    Hinge,
)
from motorik.loops.closed_form.chain import OrientedHinge
from motorik.numerics.tolerances import BRANCH_MET, BRANCHES_APART

# --- poses known so far --------------------------------------------------------------------


class KnownPoses:
    """Known coordinates and poses of a cluster, on numbers, arrays or symbols.

    `given` are the pose of the root and those that groups give directly. Other poses are
    computed on demand, along the shortest path of known hinges.
    """

    def __init__(
        self, root: int, hinges: Iterable[Hinge], coordinates: Mapping[int, Coordinate]
    ) -> None:
        self.coordinates: dict[int, Coordinate] = dict(coordinates)
        self.given: dict[int, Pose] = {root: IDENTITY_POSE}
        self._poses: dict[int, Pose] = {root: IDENTITY_POSE}
        self._oriented_hinges: dict[int, list[OrientedHinge]] = {root: []}
        for hinge in hinges:
            self._oriented_hinges.setdefault(hinge.a, []).append(OrientedHinge(hinge, True))
            self._oriented_hinges.setdefault(hinge.b, []).append(
                OrientedHinge(hinge, False)
            )

    def copy(self) -> KnownPoses:
        """Return an independent copy."""
        other = KnownPoses.__new__(KnownPoses)
        other._oriented_hinges = self._oriented_hinges
        other.coordinates, other.given = dict(self.coordinates), dict(self.given)
        other._poses = dict(self._poses)
        return other

    def learn(self, solution: GroupSolution) -> None:
        """Add the solution of a group."""
        self.coordinates.update(solution.coordinates)
        self.place(solution.poses)

    def place(self, poses: Mapping[int, Pose]) -> None:
        """Add poses of bodies."""
        self.given.update(poses)
        self._poses.update(poses)

    def pose(self, body: int) -> Pose:
        """Return the pose of a body in the root's frame."""
        if body not in self._poses:
            for oriented in self._path_to(body):
                X = self._poses[oriented.near_body] @ oriented.pose(
                    self.coordinates[oriented.hinge.index]
                )
                self._poses[oriented.far_body] = X
        return self._poses[body]

    def _path_to(self, body: int) -> list[OrientedHinge]:
        """Return the shortest path of known hinges from bodies of known pose."""
        came: dict[int, OrientedHinge] = {}
        queue = list(self._poses)
        seen = set(queue)
        for at in queue:
            if at == body:
                break
            for oriented in self._oriented_hinges[at]:
                if (
                    oriented.hinge.index in self.coordinates
                    and oriented.far_body not in seen
                ):
                    seen.add(oriented.far_body)
                    came[oriented.far_body] = oriented
                    queue.append(oriented.far_body)
        oriented_hinges: list[OrientedHinge] = []
        while body not in self._poses:
            oriented_hinges.append(came[body])
            body = came[body].near_body
        return oriented_hinges[::-1]

    def solve(self, group: AssurGroup, branch: Scalar) -> GroupSolution:
        """Return the solution of a group at the known poses."""
        return group.solve(self.pose, branch, self.coordinates.__getitem__)


# --- branches ------------------------------------------------------------------------------


BRANCH_SIGNS = (1.0, -1.0)


@immutable
class Configuration:
    """An assembly configuration of a cluster: branches of the groups, coordinates, margins.

    `poses` are those of the bodies that no coordinates determine.
    """

    branches: tuple[float, ...]
    coordinates: dict[int, Coordinate]
    margins: tuple[float, ...]
    poses: dict[int, Pose]


def solve_all(
    decomposition: AssurDecomposition,
    coordinates: Mapping[int, Coordinate],
    at_most: int = 64,
    first: Sequence[float] | None = None,
) -> list[Configuration]:
    """Return all assembly configurations of a cluster at given independent coordinates.

    Branches that cannot close are omitted. At most `at_most` are listed, beginning with the
    branches `first` and those that differ from them in the last groups.
    """
    walk = KnownPoses(decomposition.root, decomposition.hinges, coordinates)
    preferred = [1.0] * len(decomposition.groups) if first is None else first
    return list(islice(_branches(decomposition, walk, preferred, (), ()), at_most))


def _branches(
    decomposition: AssurDecomposition,
    walk: KnownPoses,
    preferred: Sequence[float],
    branches: tuple[float, ...],
    margins: tuple[float, ...],
) -> Iterator[Configuration]:
    if len(branches) == len(decomposition.groups):
        yield Configuration(branches, walk.coordinates, margins, walk.given)
        return
    group, branch_here = decomposition.groups[len(branches)], preferred[len(branches)]
    for branch in (branch_here, -branch_here)[: group.n_branches]:
        solution = walk.solve(group, branch)
        if closes(solution):
            onward = walk.copy()
            onward.learn(solution)
            margin = float(solution.margin)
            ends = (*branches, branch), (*margins, margin)
            yield from _branches(decomposition, onward, preferred, *ends)


def closes(solution: GroupSolution) -> bool:
    """Return whether a numerical solution is real (no NaN)."""
    numbers = [float(q) for q in solution.coordinates.values()]
    numbers += [float(X.p.x) for X in solution.poses.values()]
    return not any(map(isnan, numbers))


def match_branches(
    decomposition: AssurDecomposition,
    values: Mapping[int, float],
    poses: Mapping[int, Pose],
) -> list[float]:
    """Return the branch of each group at an assembled pose."""
    known = with_spherical(values, decomposition.hinges, poses)
    return [
        nearest_branch(group, known, poses.__getitem__)[0] for group in decomposition.groups
    ]


def with_spherical(
    values: Mapping[int, float], hinges: Iterable[Hinge], poses: Mapping[int, Pose]
) -> dict[int, Coordinate]:
    """Return the coordinates with the rotation matrices of spherical hinges added."""
    known: dict[int, Coordinate] = dict(values)
    for h in hinges:
        if h.kind == "S":
            R_a, R_b = poses[h.a].R @ h.X_a.R, poses[h.b].R @ h.X_b.R
            known[h.index] = R_a.T @ R_b
    return known


def nearest_branch(
    group: AssurGroup, values: Mapping[int, Coordinate], pose: Callable[[int], Pose]
) -> tuple[float, float, float]:
    """Return the branch nearest to an assembled pose, its deviation [rad, m] and its margin.

    The deviation is infinite if the group cannot close there.
    """
    found = []
    for branch in BRANCH_SIGNS[: group.n_branches]:
        solution = group.solve(pose, branch, values.__getitem__)
        gaps = [_deviation(q, values[h]) for h, q in solution.coordinates.items()]
        gaps += [pose_deviation(X, pose(body)) for body, X in solution.poses.items()]
        gap, margin = max(gaps) if closes(solution) else inf, float(solution.margin)
        if gap < BRANCH_MET and margin > BRANCHES_APART:
            return branch, gap, margin
        found.append((branch, gap, margin))
    return min(found, key=lambda entry: entry[1])


def _deviation(q: Angle | Scalar, value: Coordinate) -> float:
    assert not isinstance(value, Matrix), "no group solves for a spherical hinge"
    if isinstance(q, Angle):
        return abs((q.radians - value + pi) % (2.0 * pi) - pi)
    return abs(q - value)


def pose_deviation(X: Pose, Y: Pose) -> float:
    """Return the largest difference of the entries of two poses."""
    return float(abs(X.numpy() - Y.numpy()).max())
