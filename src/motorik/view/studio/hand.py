"""Hand: a mechanism that is moved by hand while it is built, its loops kept closed by numbers.

A point of a rigid group follows the pointer with the least motion of all joints; nothing is
compiled for it. The end is an edit: start values of joints.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motorik.algebra.vector import Vector
from motorik.documents.reading import Data
from motorik.errors import ParameterError
from motorik.loops.assembled_pose import AssembledPose
from motorik.system.rigid_groups import RigidGroups, pose_numbers
from motorik.topology.mechanism import WORLD
from motorik.view.live.messages import frame_message
from motorik.view.scene.scene import Scene

STEPS = 12  # of one movement
DAMPING = 1e-3  # of the motion of joints, against that of the point
LONGEST = 0.2  # rad, or sizes of the scene, that joints move in one step
NULL = 1e-9  # of the largest singular value: directions that constraints leave free
CLOSE = 1e-4  # of the size of the scene: the point is where it should be


class StudioHand:
    """Holds a point of a rigid group of a scene; `move` takes it nearer to a target [m]."""

    def __init__(
        self, pose: AssembledPose, scene: Scene, group: int, point: object
    ) -> None:
        self.pose, self.scene = pose, scene
        self.groups = RigidGroups.of(pose.mechanism)
        links = {number: link for link, number in self.groups.links.items()}
        if group not in links:
            raise ParameterError(
                "drag",
                "this part stands still, or has no joint that moves it.",
                "Drag a body that a joint moves.",
                parameter="group",
                value=group,
            )
        self.link = links[group]
        self.point = Vector(*(float(x) for x in np.asarray(point, dtype=float).ravel()[:3]))
        self.size = max(float(scene.size), 1e-9)
        self.begin = {**pose.named}

    def move(self, target: object) -> None:
        """Move the point towards a target, as far as joints and loops allow."""
        goal = np.asarray(target, dtype=float).ravel()[:3]
        if goal.size != 3 or not np.isfinite(goal).all():
            return
        for _ in range(STEPS):
            missed = (goal - self._held()) / self.size
            if np.linalg.norm(missed) < CLOSE:
                return
            before = self.pose
            self.pose = self._step(missed)
            if np.linalg.norm(goal - self._held()) >= self.size * np.linalg.norm(missed):
                self.pose = before  # it comes no nearer
                return

    def _held(self) -> np.ndarray:
        """Return where the point is in the world [m]."""
        return np.asarray((self._pose_of(self.link)(self.point)).numpy(), dtype=float)

    def _pose_of(self, link: int):
        return self.groups.poses[self.groups.links[link] - 1](self.pose.motion)

    def _step(self, missed: np.ndarray) -> AssembledPose:
        """Return the pose after one step of least motion, with loops closed again."""
        mechanism = self.pose.mechanism
        n = mechanism.n_u
        free = np.zeros(n, dtype=bool)
        J = np.zeros((3, n))
        place: dict[int, int] = {}
        for link in mechanism.links:
            if len(link.q) == len(link.u):
                free[list(link.u)] = True
                place.update(zip(link.u, link.q, strict=True))
        at, held = self.link, Vector(*self._held().tolist())
        while at != WORLD:
            link = mechanism.links[at]
            if len(link.q) == len(link.u) and at in self.groups.links:
                X = self._pose_of(at)
                local = X.inverse()(held)
                q = (self.pose.q[k] for k in link.q)
                for u, screw in zip(link.u, link.joint.screws(*q), strict=True):
                    velocity = X.R @ (screw.moment + screw.resultant.cross(local))
                    J[:, u] = np.asarray(velocity.numpy(), dtype=float) / self.size
            at = link.parent
        fixed = np.eye(n)[~free]
        G = np.vstack([self.pose.constraint_matrix(), fixed])
        N = _null_space(G, n)
        if not N.size:
            return self.pose
        A = np.vstack([J @ N, DAMPING * np.eye(N.shape[1])])
        b = np.concatenate([missed, np.zeros(N.shape[1])])
        du = N @ np.linalg.lstsq(A, b, rcond=None)[0]
        du *= min(1.0, LONGEST / max(float(np.abs(du).max()), 1e-300))
        q = self.pose.q.copy()
        for u, k in place.items():
            q[k] += du[u]
        loops = self.pose.loops
        if loops is not None:
            closed, violation = loops.solve(
                q, np.ones(q.size, dtype=bool), self.pose.instant
            )
            if not violation < loops.tolerance(closed):
                return self.pose
            q = closed
        return replace(self.pose, q=q)

    def frame(self) -> bytes:
        """Return the present poses of all rigid groups, as pages get them."""
        numbers = [pose_numbers(own(self.pose.motion)) for own in self.groups.poses]
        poses = np.array(numbers, dtype=float).reshape(-1, 7)
        return frame_message(
            0.0, self.scene.placed(poses), np.zeros(len(self.scene.channels))
        )

    def operations(self, data: Data) -> list[Data]:
        """Return the edits that make the present pose that of the start."""
        found: list[Data] = []
        parts = {one["id"]: one for one in data["parts"]}
        for name, value in self.pose.named.items():
            path, _, field = name.rpartition(".")
            field, bracket, _ = field.partition("[")
            if path not in parts or abs(value - self.begin[name]) <= 1e-12 or bracket:
                continue
            present = parts[path].get("arguments", {}).get(field)
            is_fixed = isinstance(present, (int, float)) and not isinstance(present, bool)
            given = round(value, 9)
            found.append(
                {
                    "op": "set",
                    "id": path,
                    "field": field,
                    "value": given if is_fixed else {"guess": given},
                }
            )
        return found


def _null_space(G: np.ndarray, n: int) -> np.ndarray:
    """Return the directions of speeds that all constraints allow, as columns."""
    if not G.size:
        return np.eye(n)
    _, values, V = np.linalg.svd(G)
    rank = int((values > NULL * max(values.max(initial=0.0), 1e-300)).sum())
    return V[rank:].T
