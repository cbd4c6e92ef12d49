"""FrameRelations: equations of parts that relate frames, as one constraint of the mechanism."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

import numpy as np

from motorik.algebra.dual import Dual
from motorik.algebra.matrix import Matrix, skew
from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar, plain
from motorik.algebra.vector import Vector, X, Y, Z
from motorik.elements.constraint import Constraint
from motorik.equations.system import Atom
from motorik.equations.template import as_scalar
from motorik.numerics.tolerances import SAME_FORCE
from motorik.topology.equation_templates import ORIENTATION, POSITION, VELOCITY

if TYPE_CHECKING:
    import casadi

    from motorik.topology.network_constraints import ConstrainedNode
    from motorik.topology.networks import Network

OF_POSE = 12  # numbers of a pose
TRIALS = 3  # random poses that are moved as one


class FrameRelation(Protocol):
    """The violation g of an equation."""

    @property
    def level(self) -> int:
        """0 for an equation of positions, 1 for one of speeds."""
        ...

    def value(
        self, read: Callable[[Atom], Scalar], quantity: Callable[[Atom], Scalar]
    ) -> Scalar:
        """Return g."""
        ...


def frame_value(X: Pose, V: Motor, i: int, order: int) -> Scalar:
    """Return a quantity of a frame at a pose and a velocity, or the rate of one of its pose."""
    if order == 0 and i < OF_POSE:
        return (*X.p.xyz, *X.R.entries)[i]
    if i in POSITION:
        return (X.R @ V.moment).xyz[i]
    if i in ORIENTATION:
        return (X.R @ skew(V.resultant)).entries[i - ORIENTATION[0]]
    return (*(X.R @ V.moment).xyz, *V.resultant.xyz)[i - VELOCITY[0]]


class FrameRelations:
    """The relations of the frames of a part, of flanges and of quantities that are given."""

    def __init__(
        self,
        network: Network,
        frames: Sequence[ConstrainedNode],
        flanges: Sequence[ConstrainedNode],
        given: Sequence[Atom],
        relations: Sequence[FrameRelation],
    ) -> None:
        self.network, self.given = network, list(given)
        self.frames, self.flanges = list(frames), list(flanges)
        self.at_poses = [own for own in relations if own.level == 0]
        self.at_velocities = [own for own in relations if own.level == 1]

    def constraint(self) -> Constraint:
        """Return them as one constraint."""
        rates = [f"{unit}/s" for unit in self._units(self.at_velocities, 1)]
        return Constraint(
            self.residual if self.at_poses else None,
            tuple(self._units(self.at_poses, 0)),
            self.rate if self.at_velocities else None,
            tuple(rates),
        )

    def _values(
        self,
        relations: Sequence[FrameRelation],
        poses: Sequence[Pose],
        velocities: Sequence[Motor],
        positions: Sequence[Scalar],
        speeds: Sequence[Scalar],
    ) -> list[Scalar]:
        frames = {node.port: k for k, node in enumerate(self.frames)}
        flanges = {node.position: k for k, node in enumerate(self.flanges)}
        quantities = dict(zip(self.given, positions[len(flanges) :], strict=True))

        def read(atom: Atom) -> Scalar:
            found = self.network.frame_of(atom[0])
            if found is None:
                k = flanges[atom[0]]
                return positions[k] if atom[1] == 0 else speeds[k]
            k = frames[found[0]]
            return frame_value(poses[k], velocities[k], found[1], atom[1])

        return [own.value(read, quantities.__getitem__) for own in relations]

    # --- symbols -------------------------------------------------------------------------------

    @cached_property
    def _symbols(self) -> tuple[casadi.SX, casadi.SX]:
        """The numbers of all poses and then positions, and those of velocities and speeds."""
        import casadi

        n, m = len(self.frames), len(self.flanges) + len(self.given)
        return casadi.SX.sym("x", OF_POSE * n + m), casadi.SX.sym("v", 6 * n + m)

    def _traced(self, relations: Sequence[FrameRelation]) -> casadi.SX:
        """Return the violations as functions of these symbols."""
        import casadi

        x, v = (casadi.vertsplit(own) for own in self._symbols)
        n = len(self.frames)
        poses = [_pose(x[OF_POSE * k : OF_POSE * (k + 1)]) for k in range(n)]
        velocities = [_motor(v[6 * k : 6 * (k + 1)]) for k in range(n)]
        rest = x[OF_POSE * n :], v[6 * n :]
        return casadi.SX(casadi.vertcat(*self._values(relations, poses, velocities, *rest)))

    def _turned(self) -> casadi.SX:
        """Return ∂x/∂(v, ω) of the frames: velocities of origins in the world, then turns."""
        import casadi

        x, n = self._symbols[0], len(self.frames)
        J = casadi.SX(x.numel(), 6 * n)
        for k in range(n):
            R = _pose(casadi.vertsplit(x[OF_POSE * k : OF_POSE * (k + 1)])).R
            for i, axis in enumerate((X, Y, Z)):
                J[OF_POSE * k + i, 3 * k + i] = 1.0
                for j, entry in enumerate((R @ skew(axis)).entries):
                    J[OF_POSE * k + 3 + j, 3 * (n + k) + i] = entry
        return casadi.sparsify(J)

    def _gradients(self, g: casadi.SX, level: int) -> list[tuple[str, casadi.SX]]:
        """Return the unit of each violation and its gradient: by displacements, else by turns."""
        import casadi

        n, v = len(self.frames), self._symbols[1]
        if level == 0:
            J = casadi.jacobian(g, self._symbols[0]) @ self._turned()
        else:
            places = [6 * k + i + j for i in (0, 3) for k in range(n) for j in range(3)]
            J = casadi.jacobian(g, v)[:, places]
        found: list[tuple[str, casadi.SX]] = []
        for k in range(g.numel()):
            shift, turn = (
                casadi.sparsify(J[k, first : first + 3 * n]) for first in (0, 3 * n)
            )
            found.append(("m", shift) if shift.nnz() else ("rad", turn))
        return found

    def _units(self, relations: Sequence[FrameRelation], level: int) -> list[str]:
        if not relations:
            return []
        return [unit for unit, _ in self._gradients(self._traced(relations), level)]

    @cached_property
    def _distances(self) -> casadi.SX:
        """The violations of positions, each divided by the size of its gradient."""
        import casadi

        g = self._traced(self.at_poses)
        sizes = [casadi.norm_2(slope.T) for _, slope in self._gradients(g, 0)]
        return casadi.vertcat(*(g[k] / size for k, size in enumerate(sizes)))

    # --- what a constraint is made of ----------------------------------------------------------

    def residual(self, *given: Pose | Scalar) -> tuple[Scalar, ...]:
        """Return the distances of poses of the frames and of positions."""
        import casadi

        n, numbers = len(self.frames), []
        for one in given[:n]:
            assert isinstance(one, Pose)
            numbers += [*one.p.xyz, *one.R.entries]
        numbers += given[n:]
        x = self._symbols[0]
        if not any(isinstance(one, Dual) for one in numbers):
            return _inserted(self._distances, x, [plain(one) for one in numbers])
        pairs = [one if isinstance(one, Dual) else Dual(plain(one)) for one in numbers]
        rates = casadi.SX(casadi.vertcat(*(one.rate for one in pairs)))
        moved = casadi.jtimes(self._distances, x, rates)
        both = casadi.vertcat(self._distances, moved)
        found = _inserted(both, x, [one.value for one in pairs])
        half = len(found) // 2
        return tuple(map(Dual, found[:half], found[half:]))

    def rate(
        self,
        poses: Sequence[Pose],
        velocities: Sequence[Motor],
        positions: Sequence[Scalar] = (),
        speeds: Sequence[Scalar] = (),
    ) -> tuple[Scalar, ...]:
        """Return the violations of velocities."""
        given = poses, velocities, positions, speeds
        return tuple(self._values(self.at_velocities, *given))

    def is_free(self) -> bool:
        """Return whether the relations hold for the frames moved as one, too.

        It is judged at random poses that meet them.
        """
        import casadi

        from motorik.numerics.newton import damped_newton

        if len(self.frames) < 2 or self.at_velocities or self.flanges or self.given:
            return False
        x, n = self._symbols[0], len(self.frames)
        g = self._distances
        symbols = [own for own in casadi.symvar(g) if not casadi.depends_on(own, x)]
        scalars = [as_scalar(own) for own in symbols]
        numbers = self.network.inventory.numbers(scalars) if scalars else []
        if symbols:
            column = casadi.vertcat(*symbols)
            g = casadi.substitute(g, column, casadi.SX(casadi.DM([*map(float, numbers)])))
        turns = [
            _pose(casadi.vertsplit(x[OF_POSE * k : OF_POSE * (k + 1)])).R for k in range(n)
        ]
        orthonormal = [
            turn.rows[i].dot(turn.rows[j]) - float(i == j)
            for turn in turns
            for i in range(3)
            for j in range(i + 1)
        ]
        closed = casadi.SX(casadi.vertcat(g, *map(plain, orthonormal)))
        slopes = casadi.densify(casadi.jacobian(closed, x))
        residual = casadi.Function("closed", [x], [closed, slopes])
        moved = casadi.densify(casadi.jacobian(g, x) @ self._turned())
        gradient = casadi.Function("moved", [x], [moved])

        def at(numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            found, slope = residual(numbers)
            return np.asarray(found, dtype=float).ravel(), np.asarray(slope, dtype=float)

        chance, ones = np.random.default_rng(5), np.ones(OF_POSE * n)
        for _ in range(TRIALS):
            poses = [
                (chance.normal(size=3), _random_rotation(chance).ravel()) for _ in range(n)
            ]
            begin = np.concatenate([own for pose in poses for own in pose])
            numbers, left = damped_newton(at, begin, ones.astype(bool), ones)
            if not left <= SAME_FORCE:
                return False
            slope = np.asarray(gradient(numbers), dtype=float)
            poses = [
                (own[:3], own[3:].reshape(3, 3)) for own in numbers.reshape(n, OF_POSE)
            ]
            as_one = np.zeros((6 * n, 6))
            for k, (r, R) in enumerate(poses):
                as_one[3 * k : 3 * k + 3, :3] = np.eye(3)
                as_one[3 * k : 3 * k + 3, 3:] = -_cross(r)
                as_one[3 * (n + k) : 3 * (n + k) + 3, 3:] = R.T
            moved = np.abs(slope @ as_one).max()
            if not moved <= SAME_FORCE * np.abs(slope).max():
                return False
        return True


def _pose(numbers: Sequence[Scalar]) -> Pose:
    return Pose(Matrix(*numbers[3:12]), Vector(*numbers[:3]))


def _motor(numbers: Sequence[Scalar]) -> Motor:
    """Return a velocity motor of the velocity of the origin and the angular velocity."""
    return Motor(Vector(*numbers[3:6]), Vector(*numbers[:3]))


def _inserted(
    formulas: casadi.SX, symbols: casadi.SX, values: Sequence[Scalar]
) -> tuple[Scalar, ...]:
    import casadi

    column = casadi.SX(casadi.vertcat(*values))
    found = casadi.substitute(formulas, symbols, column)
    return tuple(as_scalar(own) for own in casadi.vertsplit(casadi.densify(found)))


def _cross(r: np.ndarray) -> np.ndarray:
    return np.array([[0.0, -r[2], r[1]], [r[2], 0.0, -r[0]], [-r[1], r[0], 0.0]])


def _random_rotation(chance: np.random.Generator) -> np.ndarray:
    Q = np.linalg.qr(chance.normal(size=(3, 3)))[0]
    return Q * np.linalg.det(Q)
