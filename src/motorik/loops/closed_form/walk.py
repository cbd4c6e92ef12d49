"""Walking through a cluster: poses of its bodies from the coordinates known so far."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from motorik.algebra.pose import IDENTITY_POSE, Pose
from motorik.algebra.scalar import Scalar
from motorik.loops.closed_form.chain import Way
from motorik.loops.closed_form.step import ClosedFormStep, Coordinate, Hinge, StepSolution


class KnownPoses:
    """Coordinates and poses of a cluster, on numbers, arrays or symbols, as they become known.

    `given` are the poses that steps gave themselves, besides that of the root. Other poses
    are found on demand, by the shortest path over known hinges.
    """

    def __init__(
        self, root: int, hinges: Iterable[Hinge], coordinates: Mapping[int, Coordinate]
    ) -> None:
        self.coordinates: dict[int, Coordinate] = dict(coordinates)
        self.given: dict[int, Pose] = {root: IDENTITY_POSE}
        self._poses: dict[int, Pose] = {root: IDENTITY_POSE}
        self._ways: dict[int, list[Way]] = {root: []}
        for hinge in hinges:
            self._ways.setdefault(hinge.a, []).append(Way(hinge, True))
            self._ways.setdefault(hinge.b, []).append(Way(hinge, False))

    def copy(self) -> KnownPoses:
        """Return a walk that can go on without changing this one."""
        other = KnownPoses.__new__(KnownPoses)
        other._ways = self._ways
        other.coordinates, other.given = dict(self.coordinates), dict(self.given)
        other._poses = dict(self._poses)
        return other

    def learn(self, solution: StepSolution) -> None:
        """Take over what a step found."""
        self.coordinates.update(solution.coordinates)
        self.place(solution.poses)

    def place(self, poses: Mapping[int, Pose]) -> None:
        """Take over poses of bodies."""
        self.given.update(poses)
        self._poses.update(poses)

    def pose(self, body: int) -> Pose:
        """Return the pose of a body in the root's frame."""
        if body not in self._poses:
            for way in self._ways_to(body):
                X = self._poses[way.near_body] @ way.pose(self.coordinates[way.hinge.index])
                self._poses[way.far_body] = X
        return self._poses[body]

    def _ways_to(self, body: int) -> list[Way]:
        """Return the shortest way from bodies whose poses are known, over known hinges."""
        came: dict[int, Way] = {}
        queue = list(self._poses)
        seen = set(queue)
        for at in queue:
            if at == body:
                break
            for way in self._ways[at]:
                if way.hinge.index in self.coordinates and way.far_body not in seen:
                    seen.add(way.far_body)
                    came[way.far_body] = way
                    queue.append(way.far_body)
        ways: list[Way] = []
        while body not in self._poses:
            ways.append(came[body])
            body = came[body].near_body
        return ways[::-1]

    def solve(self, step: ClosedFormStep, side: Scalar) -> StepSolution:
        """Return what a step finds here."""
        return step.solve(self.pose, side, self.coordinates.__getitem__)
