"""Clearance: the boxes of solid bodies, so that symbols of joints stick out of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from motorik.algebra.pose import Pose
from motorik.algebra.vector import Vector
from motorik.immutable import immutable
from motorik.view.scene.place import ScenePose, SceneSpan, axes_along
from motorik.view.scene.shapes import Shape

PoseNow = Callable[[ScenePose], Pose]
"""Returns the pose of a place in the world at the start."""

ROLES = ("body", "mass", "ground")  # of shapes that hide their inside


@immutable(eq=False)
class Solid:
    """The box around a shape, in its own axes: R and r are its pose in the world at the start."""

    R: np.ndarray
    r: np.ndarray
    low: np.ndarray
    high: np.ndarray

    def cut(self, point: np.ndarray, direction: np.ndarray) -> tuple[float, float]:
        """Return where a ray from a point enters and leaves it [m]; inf, −inf if it does not."""
        p, n = self.R.T @ (point - self.r), self.R.T @ direction
        begin, end = -np.inf, np.inf
        for x, step, low, high in zip(p, n, self.low, self.high, strict=True):
            if abs(step) < 1e-12:
                if not low <= x <= high:
                    return np.inf, -np.inf
                continue
            a, b = sorted(((low - x) / step, (high - x) / step))
            begin, end = max(begin, a), min(end, b)
        return (begin, end) if begin <= end else (np.inf, -np.inf)


@dataclass
class Solids:
    """The solids of a model by their rigid groups."""

    known: dict[int, list[Solid]] = field(default_factory=dict)

    def take(self, shapes: Iterable[Shape], pose: PoseNow) -> None:
        """Add the boxes of shapes that hide their inside."""
        for shape in shapes:
            if shape.role not in ROLES or shape.layer != "parts" or shape.opacity < 1.0:
                continue
            at, low, high = _box(shape, pose)
            X = pose(at)
            R, r = np.array(X.R.numpy()), X.p.numpy()
            self.known.setdefault(at.group, []).append(Solid(R, r, low, high))

    def of(self, groups: Iterable[int]) -> list[Solid]:
        """Return the solids on some rigid groups."""
        return [solid for group in set(groups) for solid in self.known.get(group, ())]


def _box(shape: Shape, pose: PoseNow) -> tuple[ScenePose, np.ndarray, np.ndarray]:
    """Return the place of a shape, and the corners of its box there."""
    low, high = (np.array(corner, dtype=float) for corner in shape.box)
    if not isinstance(shape.at, SceneSpan):
        return shape.at, low, high
    begin = ScenePose(shape.at.begin.group, shape.at.begin.r)
    end = ScenePose(shape.at.end.group, shape.at.end.r)
    X = pose(begin)
    along = X.inverse()(pose(end).p)
    length = float(along.norm())
    if length > 0.0:
        begin = begin.turned(axes_along(along))
    first, last = shape.at.share
    low[0], high[0] = first * length, last * length
    return begin, low, high


def way_out(solids: Sequence[Solid], point: np.ndarray, direction: np.ndarray) -> float:
    """Return how far it is from a point out of all solids around it, one way or the other [m]."""
    return min(way_along(solids, point, sign * direction) for sign in (1.0, -1.0))


def way_along(solids: Sequence[Solid], point: np.ndarray, direction: np.ndarray) -> float:
    """Return how far it is from a point along a direction out of all solids around it [m]."""
    cuts = [solid.cut(point, direction) for solid in solids]
    near = 1e-9 * max((abs(b) for _, b in cuts if np.isfinite(b)), default=0)
    reached = 0.0
    while True:
        beyond = max((b for a, b in cuts if a <= reached + near), default=0.0)
        if beyond <= reached + near:
            return reached
        reached = beyond


def find_ways(
    solids: Sequence[Solid], X: Pose, n: Vector | None = None
) -> tuple[float, float]:
    """Return how far it is out of solids [m] along an axis n of a pose, and across it.

    Without n both are the shortest of the ways along the axes of the pose.
    """
    R = X.R if n is None else X.R @ axes_along(n)
    along, *others = (way_out(solids, X.p.numpy(), e) for e in R.numpy().T)
    shortest = min(along, *others)
    return (shortest, shortest) if n is None else (along, min(others))
