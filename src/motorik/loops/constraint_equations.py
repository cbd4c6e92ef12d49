"""Constraint equations of closed loops, as functions of coordinates, speeds and time.

The sine and cosine of each revolute coordinate are arguments of their own, so that loops
solved in closed form need no arc tangent. Velocity and acceleration constraints follow from
the position constraints by differentiation along the motion.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from motorik.algebra.angle import Angle
from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar, add, mul, plain, sub
from motorik.compiler.symbols import elements
from motorik.elements.revolute import RevolutePair
from motorik.immutable import immutable
from motorik.loops.constraint_blocks import entries_of
from motorik.motion.steps import radians
from motorik.motion.traced import coordinate_rates
from motorik.motion.view import MotionView
from motorik.numerics.sparse_matrix import SparseMatrix, SparsityPattern
from motorik.topology.mechanism import WORLD, Closure, Mechanism, NodePose, Relation

if TYPE_CHECKING:
    import casadi

__all__ = [
    "ConstraintEquation",
    "ConstraintEquations",
    "relation_residual",
    "relation_target",
    "revolute_coordinates",
]


@immutable
class ConstraintEquation:
    """One scalar constraint equation: its part, its number within the closure, its unit."""

    part: str
    unit: str
    closure: int | None  # number of the closure, None for a relation
    relation: int | None
    number: int  # within the closure
    holonomic: bool


class ConstraintEquations:
    """The constraints g(y) = 0 and a(y, u) = 0 of a mechanism, and their derivatives.

    y holds the coordinates q, the sines and cosines of revolute coordinates, time t and the
    states z of signal blocks. a is linear in the speeds u: a = G u + a₀; its rate is G u̇ + γ.
    """

    def __init__(self, mechanism: Mechanism, parameters: casadi.SX) -> None:
        import casadi

        self.mechanism = mechanism
        self.p = parameters
        self.revolutes = revolute_coordinates(mechanism)
        n_z = len(mechanism.signals.states)
        self.q = casadi.SX.sym("q", mechanism.n_q)
        self.sine = casadi.SX.sym("s", len(self.revolutes))
        self.cosine = casadi.SX.sym("c", len(self.revolutes))
        self.t = casadi.SX.sym("t")
        self.z = casadi.SX.sym("z", n_z)
        self.u = casadi.SX.sym("u", mechanism.n_u)
        self.y = casadi.vertcat(self.q, self.sine, self.cosine, self.t, self.z)
        self.equations: list[ConstraintEquation] = []
        self._trace()

    def view(self, u: Sequence[Scalar]) -> MotionView:
        """Return the motion at the symbols, with sines and cosines of revolute coordinates."""
        q = self.with_sines(elements(self.q), elements(self.sine), elements(self.cosine))
        return MotionView(self.mechanism, q, u, None, self.t, elements(self.z))

    @cached_property
    def _held(self) -> list[tuple[list[Pose], list[Scalar]]]:
        """The poses of the ends of each closure, and the positions of its flanges."""
        motion, found = self.view(elements(self.u)), []
        for closure in self.mechanism.closures:
            ends = closure.ends
            poses = [self.mechanism.pose_from(closure.base, end, motion.q) for end in ends]
            found.append((poses, [motion.flange(port)[0] for port in closure.flanges]))
        return found

    def _trace(self) -> None:
        import casadi

        mechanism, motion = self.mechanism, self.view(elements(self.u))
        q, u = motion.q, motion.u
        positions: list[Scalar] = []
        rates: list[Scalar] = []
        at_rate: list[ConstraintEquation] = []
        for number, closure in enumerate(mechanism.closures):
            poses, x = self._held[number]
            held = closure.constraint
            if held.residual is not None:
                values = held.residual(*poses, *x)
                for k, (value, unit) in enumerate(zip(values, held.units, strict=True)):
                    positions.append(plain(radians(value)))
                    self.equations.append(
                        ConstraintEquation(closure.part, unit, number, None, k, True)
                    )
            if held.rate is not None:
                speeds = [motion.flange(port)[1] for port in closure.flanges]
                of_flanges = (x, speeds) if closure.flanges else ()
                velocities = self._velocities(motion, closure)
                values = held.rate(poses, velocities, *of_flanges)
                first = len(held.units)
                for k, (value, unit) in enumerate(
                    zip(values, held.rate_units, strict=True)
                ):
                    rates.append(plain(value))
                    at_rate.append(
                        ConstraintEquation(
                            closure.part, unit, number, None, first + k, False
                        )
                    )
        for number, relation in enumerate(mechanism.relations):
            positions.append(
                plain(radians(relation_residual(mechanism, relation, q, motion)))
            )
            unit = mechanism.speeds[relation.terms[0][0]].unit.removesuffix("/s")
            self.equations.append(
                ConstraintEquation(relation.part, unit, None, number, 0, True)
            )
        self.n_holonomic = len(positions)
        self.equations += at_rate
        q_rate = casadi.vertcat(*coordinate_rates(mechanism, q, u))
        by_turn = [u[speed] for _, speed in self.revolutes]
        turning = casadi.vertcat(*by_turn) if by_turn else casadi.SX(0, 1)
        self.g = casadi.vertcat(*positions) if positions else casadi.SX(0, 1)
        z_rate = casadi.SX.zeros(self.z.numel())
        if self.z.numel() and casadi.depends_on(self.g, self.z):
            z_rate = casadi.vertcat(
                *mechanism.signals.rates(motion, elements(self.z), self.t)
            )
        self.y_rate = casadi.vertcat(
            q_rate, self.cosine * turning, -self.sine * turning, casadi.SX(1), z_rate
        )
        moved = casadi.jtimes(self.g, self.y, self.y_rate)
        self._give_rates(moved, motion, 0)
        self.a = casadi.vertcat(moved, *rates)
        self.G = casadi.jacobian(self.a, self.u)
        self.gamma = casadi.jtimes(self.a, self.y, self.y_rate)
        self._give_rates(self.gamma, motion, 1)

    def _give_rates(self, column: casadi.SX, motion: MotionView, order: int) -> None:
        """Insert the speeds (order 0) or accelerations (1) that prescribed motions give."""
        first = self.n_holonomic - len(self.mechanism.relations)
        for k, relation in enumerate(self.mechanism.relations):
            given = relation_rates(relation, motion)
            if order < len(given):
                along: Scalar = 0.0
                for speed, factor in relation.terms if order == 0 else ():
                    along = add(along, mul(plain(factor), motion.u[speed]))
                column[first + k] = sub(along, given[order])

    def _velocities(self, motion: MotionView, closure: Closure) -> list[Motor]:
        found = []
        for end in closure.ends:
            V = motion.velocity_at(end)
            if closure.base != WORLD:
                X = self.mechanism.pose_from(closure.base, end, motion.q)
                V = V - X.back(motion.velocity_at(NodePose(closure.base, Pose())))
            found.append(V)
        return found

    def with_sines(
        self, q: Sequence[Scalar], sine: Sequence[Scalar], cosine: Sequence[Scalar]
    ) -> list[Scalar]:
        """Return q, revolute coordinates as angles with the given sines and cosines."""
        result = list(q)
        for (k, _), s_k, c_k in zip(self.revolutes, sine, cosine, strict=True):
            result[k] = Angle(q[k], s_k, c_k)
        return result

    def y_of(self, q: Sequence[Scalar], t: Scalar, z: Sequence[Scalar]) -> casadi.SX:
        """Return y for coordinates, which may be angles with known sines and cosines."""
        import casadi

        from motorik.algebra import scalar as s

        plain_q = [radians(value) for value in q]
        sines = [s.sin(q[k]) for k, _ in self.revolutes]
        cosines = [s.cos(q[k]) for k, _ in self.revolutes]
        return casadi.vertcat(*plain_q, *sines, *cosines, t, *z)

    @cached_property
    def position_function(self) -> casadi.Function:
        """The position constraints g(y, p)."""
        return self._function("g", [self.y, self.p], self.g)

    @cached_property
    def assembly_function(self) -> casadi.Function:
        """The assembly residual as a function of (y, p), in the order of g.

        It equals g to first order at closed poses and vanishes nowhere else.
        """
        import casadi

        found: list[Scalar] = []
        for closure, (poses, x) in zip(self.mechanism.closures, self._held, strict=True):
            to_solve = closure.constraint.to_solve
            if to_solve is not None:
                found += [plain(radians(value)) for value in to_solve(*poses, *x)]
        of_relations = self.g[len(found) :]
        value = casadi.vertcat(*found, of_relations) if found else of_relations
        return self._function("assembly", [self.y, self.p], value)

    @cached_property
    def violation_function(self) -> casadi.Function:
        """The constraint violation of each closure [m], [rad] as a function of (y, p).

        It is measured independently of g and is zero only where the closure is closed.
        """
        import casadi

        violations = casadi.SX(len(self.mechanism.closures), 2)
        for k, closure in enumerate(self.mechanism.closures):
            poses, x = self._held[k]
            for i, size in enumerate(closure.constraint.measured(*poses, *x)):
                violations[k, i] = plain(radians(size))
        return self._function("violation", [self.y, self.p], violations)

    @cached_property
    def velocity_function(self) -> casadi.Function:
        """The velocity constraints a(y, u, p)."""
        return self._function("a", [self.y, self.u, self.p], self.a)

    @cached_property
    def matrix_function(self) -> casadi.Function:
        """The nonzero entries of G(y, p), column by column; see `pattern`."""
        return self._function("G", [self.y, self.p], entries_of(self.G))

    @cached_property
    def drift_function(self) -> casadi.Function:
        """a₀(y, p): the part of a that depends on time alone."""
        import casadi

        still = casadi.substitute(self.a, self.u, casadi.SX.zeros(self.u.numel()))
        return self._function("a0", [self.y, self.p], casadi.simplify(still))

    @cached_property
    def bias_function(self) -> casadi.Function:
        """The bias γ(y, u, p) of the acceleration constraints."""
        return self._function("gamma", [self.y, self.u, self.p], self.gamma)

    @cached_property
    def pattern(self) -> list[tuple[int, int]]:
        """(row of G, speed) of each entry of `matrix_function`."""
        rows, columns = self.G.sparsity().get_triplet()
        return list(zip(rows, columns, strict=True))

    def _function(
        self, name: str, inputs: list[casadi.SX], value: casadi.SX
    ) -> casadi.Function:
        import casadi

        return casadi.Function(name, inputs, [casadi.densify(value)])

    @cached_property
    def sparsity(self) -> SparsityPattern:
        """The same pattern as arrays."""
        rows, columns = self.G.sparsity().get_triplet()
        return SparsityPattern(rows, columns, (len(self.equations), self.mechanism.n_u))

    @property
    def without_speeds(self) -> list[int]:
        """The equations in which no speed appears; planar loops have such equations."""
        found = {row for row, _ in self.pattern}
        return [k for k in range(len(self.equations)) if k not in found]

    # --- numbers ---------------------------------------------------------------------------

    def y_numbers(self, q: np.ndarray, t: float = 0.0, z: ArrayLike = ()) -> np.ndarray:
        """Return y at numeric coordinates; without z, at the start values of the blocks."""
        angles = np.array([q[k] for k, _ in self.revolutes])
        states = np.asarray(z, dtype=float)
        if not states.size:
            starts = (state.start.value for state in self.mechanism.signals.states)
            states = np.array([float(value) for value in starts])  # type: ignore[arg-type]
        return np.concatenate([q, np.sin(angles), np.cos(angles), [t], states])

    def violation(
        self, q: np.ndarray, p: np.ndarray, t: float = 0.0, z: ArrayLike = ()
    ) -> np.ndarray:
        """Return g at numbers."""
        return np.asarray(self.position_function(self.y_numbers(q, t, z), p)).ravel()

    def closure_violation(
        self, q: np.ndarray, p: np.ndarray, t: float = 0.0, z: ArrayLike = ()
    ) -> np.ndarray:
        """Return the violation [m, rad] of each closure at numbers, one matrix row for each."""
        return np.asarray(self.violation_function(self.y_numbers(q, t, z), p), dtype=float)

    def matrix(
        self, q: np.ndarray, p: np.ndarray, t: float = 0.0, z: ArrayLike = ()
    ) -> np.ndarray:
        """Return G at numbers as a dense matrix."""
        G = np.zeros((len(self.equations), self.mechanism.n_u))
        G[self.sparsity.rows, self.sparsity.columns] = self.sparse_matrix(q, p, t, z).values
        return G

    def sparse_matrix(
        self, q: np.ndarray, p: np.ndarray, t: float = 0.0, z: ArrayLike = ()
    ) -> SparseMatrix:
        """Return G at numbers as a sparse matrix."""
        values = np.asarray(self.matrix_function(self.y_numbers(q, t, z), p)).ravel()
        return SparseMatrix(self.sparsity, values)


def revolute_coordinates(mechanism: Mechanism) -> list[tuple[int, int]]:
    """Return (coordinate, speed) of every revolute joint of the tree."""
    return [
        (link.q[0], link.u[0])
        for link in mechanism.links
        if isinstance(link.joint, RevolutePair)
    ]


def relation_residual(
    mechanism: Mechanism, relation: Relation, q: Sequence[Scalar], motion: MotionView
) -> Scalar:
    """Return Σ cᵢ qᵢ − offset − prescribed motion."""
    total: Scalar = 0.0
    for speed, factor in relation.terms:
        value = radians(q[mechanism.coordinate_of_speed(speed)])
        total = add(total, mul(plain(factor), value))
    return sub(total, relation_target(relation, motion))


def relation_target(relation: Relation, motion: MotionView) -> Scalar:
    """Return the right-hand side of a relation: its offset and its prescribed motion."""
    target = plain(relation.offset)
    if relation.motion is not None:
        prescribed = relation.motion
        given = [motion.signal(port) for port in prescribed.signals]
        target = add(target, prescribed.law(prescribed.p, motion.t, *given))
    return target


def relation_rates(relation: Relation, motion: MotionView) -> tuple[Scalar, ...]:
    """Return speed and acceleration of a prescribed motion as far as they are given."""
    prescribed = relation.motion
    if prescribed is None or prescribed.rates is None:
        return ()
    given = [motion.signal(port) for port in prescribed.signals]
    return prescribed.rates(prescribed.p, motion.t, *given)
