"""Walking through a cluster: poses of its bodies from the coordinates known so far."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from motorik.algebra.pose import HERE, Pose
from motorik.loops.closed_form.chain import Way
from motorik.loops.closed_form.step import Hinge, Solution, Step


class Walk:
    """Coordinates and poses of a cluster, on numbers, arrays or symbols, as they are learnt.

    `given` are the poses that steps gave themselves, besides that of the root.
    """

    def __init__(
        self, root: int, hinges: Iterable[Hinge], coordinates: Mapping[int, Any]
    ) -> None:
        self.coordinates: dict[int, Any] = {}
        self.given: dict[int, Pose] = {}
        self._poses: dict[int, Pose] = {}
        self._ways: dict[int, list[Way]] = {root: []}
        for hinge in hinges:
            self._ways.setdefault(hinge.a, []).append(Way(hinge, True))
            self._ways.setdefault(hinge.b, []).append(Way(hinge, False))
        self.coordinates.update(coordinates)
        self.place({root: HERE})

    def copy(self) -> Walk:
        """Return a walk that can go on without changing this one."""
        other = Walk.__new__(Walk)
        other._ways = self._ways
        other.coordinates, other.given = dict(self.coordinates), dict(self.given)
        other._poses = dict(self._poses)
        return other

    def learn(self, solution: Solution) -> None:
        """Take over what a step found."""
        self.coordinates.update(solution.coordinates)
        self.place(solution.poses)
        self._spread(list(self._poses))

    def place(self, poses: Mapping[int, Pose]) -> None:
        """Take over poses of bodies."""
        self.given.update(poses)
        self._poses.update(poses)
        self._spread(list(poses))

    def pose(self, body: int) -> Pose:
        """Return the pose of a body in the root's frame."""
        return self._poses[body]

    def _spread(self, bodies: list[int]) -> None:
        """Find the poses that the known coordinates lead to from these bodies."""
        while bodies:
            body = bodies.pop()
            for way in self._ways[body]:
                q = self.coordinates.get(way.hinge.index)
                if q is not None and way.far_body not in self._poses:
                    self._poses[way.far_body] = self._poses[body] @ way.pose(q)
                    bodies.append(way.far_body)

    def solve(self, step: Step, side: Any) -> Solution:
        """Return what a step finds here."""
        return step.solve(self.pose, side, self.coordinates.__getitem__)
