"""Places: where a shape is, fixed to a rigid group or between two points."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, SupportsFloat

import numpy as np

from motorik.algebra.matrix import Matrix
from motorik.algebra.pose import Pose
from motorik.algebra.quaternion import Quaternion
from motorik.algebra.vector import Vector
from motorik.immutable import immutable

WORLD = 0  # the rigid group that does not move

Triple = tuple[float, float, float]
Four = tuple[float, float, float, float]


@immutable
class ScenePoint:
    """A point r [m] of a rigid group."""

    group: int = WORLD
    r: Triple = (0.0, 0.0, 0.0)

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {"group": self.group, "r": list(self.r)}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> ScenePoint:
        """Return the point that JSON describes."""
        return ScenePoint(int(data["group"]), triple(data["r"]))


@immutable
class ScenePose:
    """A pose on a rigid group: origin r [m] and orientation q, a unit quaternion x, y, z, w."""

    group: int = WORLD
    r: Triple = (0.0, 0.0, 0.0)
    q: Four = (0.0, 0.0, 0.0, 1.0)

    @staticmethod
    def of(group: int, X: Pose) -> ScenePose:
        """Return the place of a pose on a rigid group."""
        x, y, z, w = Quaternion.from_rotation(X.R).numpy().tolist()
        return ScenePose(group, triple(X.p.numpy()), (x, y, z, w))

    @property
    def pose(self) -> Pose:
        """The pose on the rigid group."""
        return Pose(Quaternion(*self.q).rotation(), Vector(*self.r))

    @property
    def point(self) -> ScenePoint:
        """The origin."""
        return ScenePoint(self.group, self.r)

    def moved(self, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> ScenePose:
        """Return the place moved along its own axes [m]."""
        return ScenePose(self.group, triple(self.pose(Vector(x, y, z)).numpy()), self.q)

    def turned(self, R: Matrix) -> ScenePose:
        """Return the place turned by R, about its own origin."""
        return ScenePose.of(self.group, self.pose @ Pose(R))

    def along(self, n: Vector, across: Vector | None = None) -> ScenePose:
        """Return the place turned so that its x axis is along n, its y axis near `across`."""
        return self.turned(axes_along(n, across))

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {"group": self.group, "r": list(self.r), "q": list(self.q)}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> ScenePose:
        """Return the place that JSON describes."""
        x, y, z, w = map(float, data["q"])
        return ScenePose(int(data["group"]), triple(data["r"]), (x, y, z, w))


@immutable
class SceneSpan:
    """From one point to another, which may move apart: the shape is as long as they are.

    `share` is the part of the way that the shape takes, (0, 1) for all of it.
    """

    begin: ScenePoint
    end: ScenePoint
    share: tuple[float, float] = (0.0, 1.0)

    def shared(self, begin: float, end: float) -> SceneSpan:
        """Return a part of the way, from one share of it to another."""
        return SceneSpan(self.begin, self.end, (begin, end))

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        ends = {"from": self.begin.to_json(), "to": self.end.to_json()}
        return ends if self.share == (0.0, 1.0) else {**ends, "share": list(self.share)}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> SceneSpan:
        """Return the span that JSON describes."""
        low, high = map(float, data.get("share", (0.0, 1.0)))
        return SceneSpan(
            ScenePoint.from_json(data["from"]),
            ScenePoint.from_json(data["to"]),
            (low, high),
        )


def triple(values: Iterable[SupportsFloat]) -> Triple:
    """Return three numbers."""
    x, y, z = map(float, values)
    return (x, y, z)


def axes_along(n: Vector, across: Vector | None = None) -> Matrix:
    """Return the rotation whose x axis is along n, and whose y axis is near `across`."""
    e_x = n.normalized()
    candidates = [Vector(0.0, 1.0, 0.0), Vector(1.0, 0.0, 0.0)]
    for wanted in candidates if across is None else [across, *candidates]:
        e_z = e_x.cross(wanted)
        if float(e_z.norm()) > 1e-3 * float(wanted.norm()):
            e_z = e_z.normalized()
            return Matrix.from_columns(e_x, e_z.cross(e_x), e_z)
    raise AssertionError("one of two coordinate axes is not along n")


def turned(q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Return vectors turned by unit quaternions x, y, z, w; both broadcast."""
    u, w = q[..., :3], q[..., 3:]
    t = 2.0 * cross(u, v)
    return v + w * t + cross(u, t)


def cross(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return cross products; both broadcast. NumPy's own takes much longer for few."""
    x, y, z = a[..., 0], a[..., 1], a[..., 2]
    u, v, w = b[..., 0], b[..., 1], b[..., 2]
    return np.stack([y * w - z * v, z * u - x * w, x * v - y * u], axis=-1)


def times(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Return products p ∘ q of unit quaternions x, y, z, w; both broadcast."""
    u, a, v, b = p[..., :3], p[..., 3:], q[..., :3], q[..., 3:]
    vector = a * v + b * u + cross(u, v)
    real = a * b - (u * v).sum(axis=-1, keepdims=True)
    return np.concatenate([vector, real], axis=-1)


class Bases:
    """Poses of the lines in which shafts and rods of drive lines are drawn, as arrays."""

    def __init__(self, bases: Mapping[int, ScenePose]) -> None:
        self._numbers = np.array([*bases], dtype=int) - 1
        places = bases.values()
        self._r = np.array([base.r for base in places]).reshape(-1, 3)
        self._q = np.array([base.q for base in places]).reshape(-1, 4)
        self._moving = np.array([base.group > 0 for base in places], dtype=bool)
        self._below = np.array([base.group - 1 for base in places if base.group], int)

    def place(self, poses: np.ndarray) -> np.ndarray:
        """Return poses [..., groups − 1, 7] with rigid groups of flanges moved to their bases."""
        if not self._numbers.size:
            return poses
        found = np.array(poses, dtype=float)
        own = found[..., self._numbers, :]
        r, q = self._r, self._q
        if self._below.size:
            below, moving = found[..., self._below, :], self._moving
            r, q = (
                np.broadcast_to(x, own.shape[:-1] + x.shape[-1:]).copy() for x in (r, q)
            )
            r[..., moving, :] = below[..., :3] + turned(below[..., 3:], r[..., moving, :])
            q[..., moving, :] = times(below[..., 3:], q[..., moving, :])
        found[..., self._numbers, :3] = r + turned(q, own[..., :3])
        found[..., self._numbers, 3:] = times(q, own[..., 3:])
        return found
