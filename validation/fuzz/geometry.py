"""Poses and rotations, and the poses of joints by their coordinates, in plain NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.spatial.transform import Rotation

Z = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True)
class Place:
    """A pose: rotation R and origin p, seen from another frame."""

    R: np.ndarray
    p: np.ndarray

    def __matmul__(self, other: Place) -> Place:
        return Place(self.R @ other.R, self.p + self.R @ other.p)

    def back(self) -> Place:
        """Return the inverse pose."""
        return Place(self.R.T, -self.R.T @ self.p)


STILL = Place(np.eye(3), np.zeros(3))


def about(axis: np.ndarray, angle: float) -> np.ndarray:
    """Return the rotation by an angle [rad] about a unit axis."""
    return Rotation.from_rotvec(angle * np.asarray(axis)).as_matrix()


def by_angles(angles: Sequence[float] | np.ndarray) -> np.ndarray:
    """Return the rotation by angles [rad] about x, y, z, one after another."""
    return Rotation.from_euler("XYZ", angles).as_matrix()


def any_rotation(rng: np.random.Generator) -> np.ndarray:
    """Return a random rotation."""
    return Rotation.from_quat(rng.normal(size=4)).as_matrix()


def any_direction(rng: np.random.Generator) -> np.ndarray:
    """Return a random unit vector."""
    v = rng.normal(size=3)
    return v / np.linalg.norm(v)


def across(rng: np.random.Generator, n: np.ndarray) -> np.ndarray:
    """Return a random unit vector at right angles to n."""
    return unit(np.cross(n, any_direction(rng)))


def unit(v: np.ndarray) -> np.ndarray:
    """Return the unit vector along v."""
    return v / np.linalg.norm(v)


def in_plane(angle: float) -> np.ndarray:
    """Return the unit vector at an angle [rad] in the xy plane."""
    return np.array([np.cos(angle), np.sin(angle), 0.0])


def joint_pose(kind: str, axes: Sequence[np.ndarray], q: Sequence[float]) -> Place:
    """Return the pose of frame_b seen from frame_a of a joint at coordinates q.

    R turn, P slide, H screw (the lead as third entry of its one axis list), C cylinder,
    U cross, L plane, S ball and F free (both by x-y-z angles).
    """
    none = np.zeros(3)
    if kind == "R":
        return Place(about(axes[0], q[0]), none)
    if kind == "P":
        return Place(np.eye(3), q[0] * axes[0])
    if kind == "C":
        return Place(about(axes[0], q[1]), q[0] * axes[0])
    if kind == "H":
        lead = float(axes[1][0])
        return Place(about(axes[0], q[0]), lead * q[0] / (2 * np.pi) * axes[0])
    if kind == "U":
        return Place(about(axes[0], q[0]) @ about(axes[1], q[1]), none)
    if kind == "L":
        n, x = axes
        return Place(about(n, q[2]), q[0] * x + q[1] * np.cross(n, x))
    if kind == "S":
        return Place(by_angles(q), none)
    return Place(by_angles(q[3:]), np.asarray(q[:3]))
