"""Clusters of hinges on which closed forms are tried, built at an assembled pose."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from scipy.optimize import least_squares

from motorik.algebra import IDENTITY_POSE, Angle, Matrix, Pose, Vector, Z, rotation_about
from motorik.loops.closed_form import (
    AssurDecomposition,
    Configuration,
    Hinge,
    KnownPoses,
    find_decomposition,
)


def random_rotation(rng: np.random.Generator) -> Matrix:
    axis = rng.normal(size=3)
    return rotation_about(
        Vector.of(axis / np.linalg.norm(axis)), float(rng.uniform(-3.0, 3.0))
    )


class Linkage:
    """Bodies at given poses, the root at the origin, and hinges added where they are.

    With a generator of random numbers the frames of bodies and hinges are any, the
    coordinates at the assembled pose too, and directions of hinges are turned over; without
    one everything is parallel to the root and coordinates are zero.
    """

    def __init__(self, bodies: int, rng: np.random.Generator | None = None) -> None:
        self.rng = rng
        self.poses: dict[int, Pose] = {0: IDENTITY_POSE}
        for body in range(1, bodies + 1):
            self.poses[body] = IDENTITY_POSE if rng is None else self._any_pose(rng)
        self.hinges: list[Hinge] = []
        self.values: dict[int, float] = {}

    @staticmethod
    def _any_pose(rng: np.random.Generator) -> Pose:
        return Pose(random_rotation(rng), Vector.of(rng.normal(size=3)))

    def add(
        self,
        kind: str,
        a: int,
        b: int,
        at: Any,
        axis: Any = Z,
        to: Any = None,
        state_priority: int = 0,
    ) -> int:
        """Add a hinge at a place of the root's frame; a rod leads from there `to` another."""
        index, rng = len(self.hinges), self.rng
        place, end = Vector.of(at), Vector.of(at if to is None else to)
        R = IDENTITY_POSE.R if rng is None else random_rotation(rng)
        local = R.T @ Vector.of(axis)
        q = 0.0 if rng is None else float(rng.uniform(-1.0, 1.0))
        offset = float(rng.uniform(-3.0, 3.0)) if rng is not None and kind == "R" else 0.0
        if rng is not None and rng.random() < 0.5:
            a, b, place, end = b, a, end, place
        moved = Pose(R, end)
        if kind in "RP":
            moved = Pose(R, place) @ Hinge(
                0, kind, a, b, IDENTITY_POSE, IDENTITY_POSE, local, offset
            ).pose(q)
            self.values[index] = q
        X_a = self.poses[a].inverse() @ Pose(R, place)
        X_b = self.poses[b].inverse() @ moved
        length = float((end - place).norm())
        name = f"{kind.lower()}{index}"
        self.hinges.append(
            Hinge(index, kind, a, b, X_a, X_b, local, offset, length, state_priority, name)
        )
        return index

    def chain(self, kinds: str, bodies: Sequence[int], places: Any, axes: Any) -> None:
        """Add hinges one after another from body to body."""
        pairs = pairwise(bodies)
        for kind, (a, b), place, axis in zip(kinds, pairs, places, axes, strict=True):
            self.add(kind, a, b, place, axis)

    def plan(self, freedom: int = 1, **options: Any) -> AssurDecomposition:
        """Return the plan, which must exist."""
        found = self.find(freedom, **options)
        assert isinstance(found, AssurDecomposition), found
        return found

    def find(self, freedom: int = 1, **options: Any) -> AssurDecomposition | str:
        """Return the plan or why there is none."""
        return find_decomposition(
            0, self.hinges, [self.poses], [self.values], freedom, **options
        )

    def start(self, plan: AssurDecomposition, change: float = 0.0) -> dict[int, float]:
        """Return the independent coordinates, changed by a little."""
        return {i: self.values[i] + change for i in plan.independent}


def largest_gap(plan: AssurDecomposition, assembled: Configuration) -> float:
    """Return the largest residual of all hinges' own equations [m, rad]."""
    walk = KnownPoses(plan.root, plan.hinges, assembled.coordinates)
    walk.place(assembled.poses)
    gaps = [0.0]
    for h in plan.hinges:
        A, B = walk.pose(h.a) @ h.X_a, walk.pose(h.b) @ h.X_b
        if h.kind in "RP":
            A = A @ h.pose(assembled.coordinates[h.index])
            gaps.append(float(np.abs(A.numpy() - B.numpy()).max()))
        elif h.kind == "S":
            gaps.append(float((A.p - B.p).norm()))
        else:
            gaps.append(abs(float((A.p - B.p).norm()) - h.length))
    return float(np.max(gaps))


def dead_centre(plan: AssurDecomposition, start: float) -> tuple[float, float] | None:
    """Return the turns of hinge 0 just before and just behind the next dead centre, if any.

    It is the one of the first step.
    """

    def margin(turn: Any) -> Any:
        walk = KnownPoses(plan.root, plan.hinges, {0: Angle(turn)})
        return walk.solve(plan.groups[0], 1.0).margin

    grid = start + np.linspace(0.0, 2.0 * np.pi, 181)
    with np.errstate(invalid="ignore"):
        ends = grid[~(margin(grid) > 0.0)]
    if not len(ends):
        return None
    low, high = start, float(ends[0])
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if margin(middle) > 0.0 else (low, middle)
    return low, high


def distance(one: dict[int, Any], other: dict[int, Any]) -> float:
    """Return how far two sets of coordinates are from each other."""

    def gap(p: Any, q: Any) -> float:
        if isinstance(p, Matrix):
            return float(np.abs(p.numpy() - q.numpy()).max())
        if isinstance(p, Angle) or isinstance(q, Angle):
            return abs(np.exp(1j * float(p)) - np.exp(1j * float(q)))
        return abs(p - q)

    return max((gap(one[i], other[i]) for i in one), default=0.0)


def brute_force(
    linkage: Linkage, known: dict[int, float], starts: int, seed: int = 0
) -> list:
    """Return all assemblies found by least squares from random starts, as lists of poses.

    Unknown are the coordinates of all other R and P hinges and, of bodies that only balls
    lead to, a rotation vector.
    """
    hinges, rng = linkage.hinges, np.random.default_rng(seed)
    unknown = [h for h in hinges if h.kind in "RP" and h.index not in known]
    tree = _spanning_tree(linkage)
    balls = [h for h in tree if h.kind == "S"]
    n = len(unknown)

    def poses_at(x: np.ndarray) -> tuple[dict[int, Pose], dict[int, Any]]:
        q: dict[int, Any] = {**known}
        q.update({h.index: float(x[i]) for i, h in enumerate(unknown)})
        for i, h in enumerate(balls):
            q[h.index] = _rotation(x[n + 3 * i : n + 3 * i + 3])
        poses = {0: IDENTITY_POSE}
        for h in tree:
            X_ab = h.X_a @ h.pose(q[h.index]) @ h.X_b.inverse()
            if h.a in poses:
                poses[h.b] = poses[h.a] @ X_ab
            else:
                poses[h.a] = poses[h.b] @ X_ab.inverse()
        return poses, q

    def residual(x: np.ndarray) -> np.ndarray:
        poses, q = poses_at(x)
        rows = []
        for h in hinges:
            A, B = poses[h.a] @ h.X_a, poses[h.b] @ h.X_b
            if h.kind in "RP" and h not in tree:
                rows.append(((A @ h.pose(q[h.index])).numpy() - B.numpy())[:3].ravel())
            elif h.kind == "S" and h not in tree:
                rows.append((A.p - B.p).numpy())
            elif h.kind == "D":
                rows.append([float((A.p - B.p).norm()) - h.length])
        return np.concatenate(rows)

    found: list[np.ndarray] = []
    for _ in range(starts):
        x0 = rng.uniform(-3.0, 3.0, n + 3 * len(balls))
        solution = least_squares(residual, x0, method="lm", max_nfev=400)
        if np.abs(solution.fun).max() < 1e-7:
            poses, _ = poses_at(solution.x)
            entries = np.array([poses[b].numpy() for b in sorted(poses)])
            if all(np.abs(entries - other).max() > 1e-4 for other in found):
                found.append(entries)
    return found


def _rotation(v: np.ndarray) -> Matrix:
    angle = float(np.linalg.norm(v)) or 1e-300
    return rotation_about(Vector.of(v / angle), angle)


def _spanning_tree(linkage: Linkage) -> list[Hinge]:
    """Return hinges in the order in which they reach all bodies, balls last."""
    reached, tree = {0}, []
    candidates = [h for kind in ("RP", "S") for h in linkage.hinges if h.kind in kind]
    while len(reached) < len(linkage.poses):
        h = next(h for h in candidates if (h.a in reached) != (h.b in reached))
        reached |= {h.a, h.b}
        tree.append(h)
    return tree
