"""Surroundings of massless points: the motion of the links that forces on them come from.

The balance of forces at massless points involves, besides their own freedoms, the poses X and the
velocities V of the links at the other ends of the laws that act on them. With these as arguments,

    y = (X, q, s, c, t, z),   u = (V, u),   u̇ = (A, u̇),

the equations of a point are as short as the point is small, however long the tree is that carries
these links: the tree gives X, V and A by its recursion, whose equal steps share their code, and the
small block of the points is solved beside it. Signals that laws read depend on all of q and u.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.matrix import Matrix
from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import AXES, Vector
from motorik.compiler.symbols import elements
from motorik.loops.constraint_equations import ConstraintEquations
from motorik.motion.loads import forces_on_massless
from motorik.motion.view import MotionView
from motorik.topology.mechanism import WORLD, Mechanism

if TYPE_CHECKING:
    import casadi

POSE, MOTION = 12, 6  # numbers of a pose, of a motor


class Surroundings:
    """The arguments y, u and p of the balance of forces at massless points."""

    def __init__(self, constraints: ConstraintEquations) -> None:
        import casadi

        self.constraints, self.mechanism = constraints, constraints.mechanism
        self.links = links_around(self.mechanism)
        count = len(self.links)
        self._X = casadi.SX.sym("X", POSE * count)
        self._V = casadi.SX.sym("V", MOTION * count)
        self.y = casadi.vertcat(self._X, constraints.y)
        self.u = casadi.vertcat(self._V, constraints.u)
        self.p = constraints.p

    def view(self, u: Sequence[Scalar] | None = None) -> MotionView:
        """Return the motion at the symbols, at other u, or at rest without any."""
        n = self._V.numel()
        given = [0.0] * self.u.numel() if u is None else list(u)
        motion = self.constraints.view(given[n:])
        poses = map(pose_of, _split(elements(self._X), POSE))
        velocities = map(motor_of, _split(given[:n], MOTION))
        for k, X, V in zip(self.links, poses, velocities, strict=True):
            motion.place_link(k, X, V)
        return motion

    def y_rate(self, u: Sequence[Scalar], needs_z: bool) -> casadi.SX:
        """Return ẏ at speeds u, with the rates of block states where they are needed."""
        import casadi

        constraints = self.constraints
        moved: list[Scalar] = []
        poses = map(pose_of, _split(elements(self._X), POSE))
        velocities = map(motor_of, _split(list(u)[: self._V.numel()], MOTION))
        for X, V in zip(poses, velocities, strict=True):
            turned = [V.resultant.cross(e) for e in AXES]  # the columns of Ṙ, seen from R
            columns = [X.R @ column for column in turned]
            moved += [getattr(column, x) for x in "xyz" for column in columns]
            moved += [*(X.R @ V.moment).xyz]
        n = constraints.z.numel()
        own = constraints.y_rate
        if needs_z and n:
            motion = self.view(u)
            rates = self.mechanism.signals.rates(
                motion, elements(constraints.z), constraints.t
            )
            own = casadi.vertcat(own[: own.numel() - n], *rates)
        return casadi.vertcat(casadi.SX(0, 1), *moved, own)

    @property
    def first_speed(self) -> int:
        """The place of the first speed in u."""
        return self._V.numel()

    @property
    def z(self) -> casadi.SX:
        """The states of blocks, which are part of y."""
        return self.constraints.z

    # --- arguments of a motion --------------------------------------------------------------

    def y_of(self, motion: MotionView, y: casadi.SX) -> casadi.SX:
        """Return y of a motion, given that of the constraints."""
        import casadi

        return casadi.vertcat(casadi.SX(0, 1), *self._poses_in(motion), y)

    def u_of(self, motion: MotionView, u: Sequence[Scalar]) -> casadi.SX:
        """Return the velocities of a motion and speeds u."""
        import casadi

        V = (motion.velocity_of_link(k).components for k in self.links)
        return casadi.vertcat(casadi.SX(0, 1), *(x for own in V for x in own), *u)

    def rates_of(self, motion: MotionView, ud: Sequence[Scalar]) -> casadi.SX:
        """Return the accelerations of a motion and rates of speeds u̇."""
        import casadi

        A = (motion.acceleration_of_link(k).components for k in self.links)
        return casadi.vertcat(casadi.SX(0, 1), *(x for own in A for x in own), *ud)

    def _poses_in(self, motion: MotionView) -> list[Scalar]:
        found: list[Scalar] = []
        for k in self.links:
            X = motion.pose_of_link(k)
            found += [*X.R.entries, *X.p.xyz]
        return found

    def y_numbers(
        self, p: np.ndarray, q: np.ndarray, t: float = 0.0, z: Sequence[float] = ()
    ) -> np.ndarray:
        """Return y at numeric coordinates; without z, at the start values of the blocks."""
        y = self.constraints.y_numbers(q, t, z)
        if not self.links:
            return y
        poses = np.asarray(self._pose_function(y, p), dtype=float).ravel()
        return np.concatenate([poses, y])

    @cached_property
    def _pose_function(self) -> casadi.Function:
        import casadi

        own = self.constraints
        motion = own.view([0.0] * own.u.numel())
        column = casadi.densify(casadi.SX(casadi.vertcat(*self._poses_in(motion))))
        return casadi.Function("X", [own.y, own.p], [column])


def links_around(mechanism: Mechanism) -> list[int]:
    """Return the links with mass that carry massless ones, or laws that act on these."""
    found: set[int] = set()
    for link in mechanism.links:
        if link.is_massless:
            found.add(link.parent)
    for force in forces_on_massless(mechanism):
        nodes = (mechanism.nodes[mechanism.inventory.node(port)] for port in force.frames)
        found.update(node.link for node in nodes)
    return sorted(k for k in found if k != WORLD and not mechanism.links[k].is_massless)


def pose_of(values: Sequence[Scalar]) -> Pose:
    """Return the pose of twelve numbers."""
    return Pose(Matrix(*values[:9]), Vector(*values[9:]))


def motor_of(values: Sequence[Scalar]) -> Motor:
    """Return the motor of six numbers."""
    return Motor(Vector(*values[:3]), Vector(*values[3:]))


def _split(values: Sequence[Scalar], size: int) -> list[Sequence[Scalar]]:
    return [values[k : k + size] for k in range(0, len(values), size)]
