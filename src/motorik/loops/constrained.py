"""Equations of motion with loops: dependent speeds eliminated, other rows held by multipliers.

With u_D = J u_S + w and u̇_D = J u̇_S + c the equations of the tree, M u̇ = τ − h + Gᵀλ, become

    Jᵀ M J u̇_S = Jᵀ (τ − h − M c) + Ḡᵀ λ,   Ḡ u̇_S + γ̄ = 0,   Ḡ = G_E J

where E are the enforced rows, if there are any (`Formulation`).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.motor import Motor
from motorik.algebra.scalar import Scalar, add, is_structural, mul, neg, sub
from motorik.dynamics.composite_body import inverse_dynamics, mass_matrix
from motorik.dynamics.massless import check_allowed
from motorik.dynamics.order import (
    BY_COFACTORS,
    Block,
    SingularMatrixError,
    SymmetricOrder,
    choose_blocks,
    choose_symmetric_order,
    triangular_blocks,
)
from motorik.dynamics.sparse import SquareFactors, SymmetricFactors
from motorik.errors import LoopError
from motorik.loops.formulation import Formulation
from motorik.loops.rows import split_symbols
from motorik.loops.wander import Walk
from motorik.motion.traced import coordinate_rates
from motorik.motion.view import MotionView

if TYPE_CHECKING:
    import casadi

CORRECTIONS = 3  # of positions after a step, with one factorisation
POSES = 64  # at which pivots are judged
NUMBERS = 1_000_000  # of all matrices at these poses: large mechanisms have fewer poses


class LoopEquations:
    """The equations of a formulation, with pivots chosen at its sample poses.

    `at` gives the instant of a state, where every quantity is traced when it is asked for.
    """

    def __init__(self, formulation: Formulation, p: np.ndarray) -> None:
        self.formulation = formulation
        self.mechanism = formulation.mechanism
        self.rows = formulation.rows
        self._p = p
        self._choose()

    def _choose(self) -> None:
        f, mechanism = self.formulation, self.mechanism
        self.solved_blocks: list[Block] = []
        self._order: SymmetricOrder | None = None
        self._units = f.scales.speeds
        pattern = np.zeros((len(self.rows.rows), mechanism.n_u), dtype=bool)
        for i, j in self.rows.pattern:
            pattern[i, j] = True
        poses = list(f.samples) if self._is_safe(pattern) else self._poses()
        matrices = [self.rows.matrix(q, self._p) for q in poses]
        names = [speed.name for speed in mechanism.speeds]
        inertias = self._inertias(poses)
        unit = f.scales.speeds
        M = inertias[0] * np.outer(unit, unit)
        check_allowed(M, f.scales.matrix(matrices[0]), names)
        if f.solved:
            where = np.ix_(f.solved, f.dependent_u)
            try:
                self.solved_blocks = choose_blocks(
                    pattern[where],
                    [G[where] for G in matrices],
                    self._units[list(f.dependent_u)],
                )
            except SingularMatrixError as error:
                raise self._refusal([f.solved[k] for k in error.left]) from None
        self._samples = [
            reduced
            for M, G in zip(inertias, matrices, strict=True)
            if (reduced := self._reduced_matrix(M, G)) is not None
        ]

    def _is_safe(self, pattern: np.ndarray) -> bool:
        """Tell whether any order does: rows in small blocks, solved by cofactors, and no other."""
        f = self.formulation
        if f.enforced:
            return False
        try:
            blocks = triangular_blocks(pattern[np.ix_(f.solved, f.dependent_u)])
        except SingularMatrixError:
            return False
        return all(len(rows) <= BY_COFACTORS for rows, _ in blocks)

    def _poses(self) -> list[np.ndarray]:
        """Return the start and poses that the mechanism reaches from there."""
        f = self.formulation
        walk = Walk(self.rows, f.samples[0], self._p, f.scales)
        size = max(len(f.state_u) + len(f.enforced), len(f.solved))
        count = max(4, min(POSES, NUMBERS // size**2))
        way = walk.poses(min(POSES, 4 * count))
        return [f.samples[0], *way[:: max(1, len(way) // count)]]

    def _inertias(self, poses: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Return the mass matrix of the tree at each pose."""
        import casadi

        n_q, n_u = self.mechanism.n_q, self.mechanism.n_u
        q = casadi.SX.sym("q", n_q)
        M = mass_matrix(self.mechanism.links, split_symbols(q))
        flat = casadi.vertcat(*(e for row in M for e in row))
        function = casadi.Function("M", [q, self.rows.p], [flat])
        return [np.asarray(function(q, self._p)).reshape(n_u, n_u) for q in poses]

    def _reduced_matrix(self, M: np.ndarray, G: np.ndarray) -> np.ndarray | None:
        """Return the matrix of the reduced equations; None where speeds do not follow."""
        f = self.formulation
        n_s, m = len(f.state_u), len(f.enforced)
        J = np.zeros((self.mechanism.n_u, n_s))
        J[list(f.state_u), range(n_s)] = 1.0
        if f.solved:
            A = G[np.ix_(f.solved, f.dependent_u)]
            if np.linalg.slogdet(A)[0] == 0.0:
                return None
            J[list(f.dependent_u)] = -np.linalg.solve(A, G[np.ix_(f.solved, f.state_u)])
        K = np.zeros((n_s + m, n_s + m))
        K[:n_s, :n_s], K[n_s:, :n_s] = J.T @ M @ J, G[list(f.enforced)] @ J
        K[:n_s, n_s:] = K[n_s:, :n_s].T
        return K

    def _refusal(self, rows: Sequence[int]) -> LoopError:
        """Return what is to be said of rows that hold nothing, or hold what others hold."""
        parts = list(dict.fromkeys(self.rows.rows[k].part for k in rows))
        return LoopError(
            parts[0] if parts else self.mechanism.name,
            f"the constraints of {', '.join(parts)} do not hold this motion: at all poses "
            "near the start their gradients vanish or depend on one another.",
            "Start away from this position, or state the constraint in another form.",
        )

    def order_for(self, entries: dict[tuple[int, int], Scalar]) -> SymmetricOrder:
        """Return the order of elimination of the reduced equations, chosen once."""
        if self._order is None:
            f = self.formulation
            n, m = len(f.state_u), len(f.enforced)
            pattern = np.zeros((n + m, n + m), dtype=bool)
            for i, j in entries:
                pattern[i, j] = pattern[j, i] = True
            try:
                units = self._units[list(f.state_u)]
                self._order = choose_symmetric_order(pattern, self._samples, n, units)
            except SingularMatrixError as error:
                rows = [f.enforced[k - n] for k in error.left if k >= n]
                raise self._refusal(rows or f.enforced) from None
        return self._order

    def at(
        self,
        t: Scalar,
        q: Sequence[Scalar],
        u: Sequence[Scalar],
        z: Sequence[Scalar],
        extra: Sequence[Scalar],
    ) -> Instant:
        """Return the instant of states q, u, z."""
        return Instant(self, t, q, u, z, extra)

    def from_all(
        self, t: Scalar, q: Sequence[Scalar], u: Sequence[Scalar], z: Sequence[Scalar]
    ) -> Instant:
        """Return the instant of all coordinates and speeds, which must fit together."""
        f = self.formulation
        states = [u[k] for k in f.state_u]
        return Instant(self, t, [q[k] for k in f.state_q], states, z, (), list(q))


class Instant:
    """A mechanism with loops at one state; everything is traced when first asked for."""

    def __init__(
        self,
        equations: LoopEquations,
        t: Scalar,
        q: Sequence[Scalar],
        u: Sequence[Scalar],
        z: Sequence[Scalar],
        extra: Sequence[Scalar],
        all_q: list[Scalar] | None = None,
    ) -> None:
        self.equations = equations
        self.formulation = equations.formulation
        self.mechanism = equations.mechanism
        self.rows = equations.rows
        self.t, self.z = t, z
        self.q_states, self.u_states, self.extra = q, u, extra
        self._all_q = all_q

    @cached_property
    def _positions(self) -> tuple[list[Scalar], list[Scalar]]:
        if self._all_q is not None:
            return self._all_q, []
        return self.formulation.coordinates(self.q_states, self.t, self.z, self.extra)

    @property
    def q(self) -> list[Scalar]:
        """All coordinates; of dependent turns as angles with sine and cosine."""
        return self._positions[0]

    @property
    def margins(self) -> list[Scalar]:
        """How far each closed form is from its dead centre (0)."""
        return self._positions[1]

    @cached_property
    def y(self) -> casadi.SX:
        """The arguments of the constraint rows."""
        return self.rows.y_of(self.q, self.t, self.z)

    @cached_property
    def matrix(self) -> dict[tuple[int, int], Scalar]:
        """The Jacobian of all rows, by (row, speed)."""
        values = split_symbols(self.rows.matrix_function(self.y, self.rows.p))
        return {
            place: _folded(value)
            for place, value in zip(self.rows.pattern, values, strict=True)
        }

    @cached_property
    def _solver(self) -> SquareFactors:
        f = self.formulation
        at_row = {row: i for i, row in enumerate(f.solved)}
        at_speed = {speed: j for j, speed in enumerate(f.dependent_u)}
        entries = {
            (at_row[row], at_speed[speed]): value
            for (row, speed), value in self.matrix.items()
            if row in at_row and speed in at_speed
        }
        return SquareFactors(entries, self.equations.solved_blocks)

    def solvability(self) -> Scalar:
        """Return det G_D: 0 where speeds do not follow."""
        return self._solver.determinant

    def _dependent(
        self, speeds: dict[int, Scalar], known: Sequence[Scalar]
    ) -> list[Scalar]:
        """Return u_D with G_D u_D = −G_S u_S − known, rows in the order of `solved`."""
        f = self.formulation
        at_row = {row: i for i, row in enumerate(f.solved)}
        right = [neg(value) for value in known]
        for (row, speed), value in self.matrix.items():
            if row in at_row and speed in speeds:
                i = at_row[row]
                right[i] = sub(right[i], mul(value, speeds[speed]))
        return self._solver.solve(right)

    @cached_property
    def jacobian(self) -> dict[int, dict[int, Scalar]]:
        """J of all speeds by those that are states: by speed, then by number of the state."""
        f = self.formulation
        J: dict[int, dict[int, Scalar]] = {
            speed: {s: 1.0} for s, speed in enumerate(f.state_u)
        }
        for speed in f.dependent_u:
            J[speed] = {}
        if f.solved:
            nothing = [0.0] * len(f.solved)
            touched = {speed for (row, speed) in self.matrix if row in set(f.solved)}
            for s, speed in enumerate(f.state_u):
                if speed not in touched:
                    continue
                column = self._dependent({speed: 1.0}, nothing)
                for d, value in zip(f.dependent_u, column, strict=True):
                    if not is_structural(value, 0.0):
                        J[d][s] = value
        return J

    @cached_property
    def u(self) -> list[Scalar]:
        """All speeds."""
        f = self.formulation
        u: list[Scalar] = [0.0] * self.mechanism.n_u
        for speed, value in zip(f.state_u, self.u_states, strict=True):
            u[speed] = value
        if not f.solved:
            return u
        drift = self._row_values(self.rows.drift_function, f.solved)
        if len(f.state_u) == 1 and all(is_structural(value, 0.0) for value in drift):
            (only,) = self.u_states
            for speed in f.dependent_u:
                u[speed] = mul(self.jacobian[speed].get(0, 0.0), only)
            return u
        for speed, value in zip(f.dependent_u, drift_solution(self, drift), strict=True):
            u[speed] = value
        return u

    def _row_values(
        self, function: casadi.Function, rows: Sequence[int], *more: casadi.SX
    ) -> list[Scalar]:
        values = split_symbols(function(self.y, *more, self.rows.p))
        return [_folded(values[row]) for row in rows]

    @cached_property
    def _bias(self) -> list[Scalar]:
        import casadi

        u = casadi.vertcat(*self.u) if self.u else casadi.SX(0, 1)
        values = split_symbols(self.rows.bias_function(self.y, u, self.rows.p))
        return [_folded(value) for value in values]

    @cached_property
    def drift(self) -> list[Scalar]:
        """c: the rates of all speeds while those of the states are zero."""
        f = self.formulation
        c: list[Scalar] = [0.0] * self.mechanism.n_u
        if f.solved:
            known = [self._bias[row] for row in f.solved]
            for speed, value in zip(f.dependent_u, self._dependent({}, known), strict=True):
                c[speed] = value
        return c

    @cached_property
    def view(self) -> MotionView:
        """The motion, without accelerations."""
        return MotionView(self.mechanism, self.q, self.u, None, self.t, self.z)

    def unbalanced(self, tau: Sequence[Scalar] | None = None) -> list[Scalar]:
        """Return τ − h − M c of the tree, under its own forces and tau."""
        own = self.view.generalised_forces
        total = own if tau is None else [add(a, b) for a, b in zip(own, tau, strict=True)]
        applied: Sequence[Motor] | None = self.view.link_loads
        h = inverse_dynamics(
            self.mechanism.links,
            self.mechanism.gravity,
            self.q,
            self.u,
            self.drift,
            applied,
        )
        return [sub(a, b) for a, b in zip(total, h, strict=True)]

    @cached_property
    def _entries(self) -> dict[tuple[int, int], Scalar]:
        """The entries of the reduced equations, upper triangle."""
        f, J = self.formulation, self.jacobian
        M = mass_matrix(self.mechanism.links, self.q)
        n_s = len(f.state_u)
        entries: dict[tuple[int, int], Scalar] = {}
        speeds = [k for k in range(self.mechanism.n_u) if J[k]]
        for s in range(n_s):
            moved = [k for k in speeds if s in J[k]]
            momentum: dict[int, Scalar] = {}
            for i in speeds:
                value: Scalar = 0.0
                for k in moved:
                    value = add(value, mul(M[i][k], J[k][s]))
                if not is_structural(value, 0.0):
                    momentum[i] = value
            for i, value in momentum.items():
                for other, factor in J[i].items():
                    if other <= s:
                        key = (other, s)
                        entries[key] = add(entries.get(key, 0.0), mul(factor, value))
        for e, row in enumerate(f.enforced):
            for s, value in self._reduced_row(row).items():
                entries[s, n_s + e] = value
        return {key: v for key, v in entries.items() if not is_structural(v, 0.0)}

    @cached_property
    def _matrix_rows(self) -> dict[int, dict[int, Scalar]]:
        table: dict[int, dict[int, Scalar]] = {}
        for (row, speed), value in self.matrix.items():
            table.setdefault(row, {})[speed] = value
        return table

    def _reduced_row(self, row: int) -> dict[int, Scalar]:
        """Return a row of Ḡ = G J, by the number of the state."""
        result: dict[int, Scalar] = {}
        for speed, value in self._matrix_rows.get(row, {}).items():
            for s, factor in self.jacobian[speed].items():
                result[s] = add(result.get(s, 0.0), mul(value, factor))
        return result

    @cached_property
    def factors(self) -> SymmetricFactors:
        """The reduced equations, factorised."""
        order = self.equations.order_for(self._entries)
        return SymmetricFactors(
            self._entries, order, len(self.formulation.state_u), self.formulation.softness
        )

    def _reduced(self, forces: Sequence[Scalar]) -> list[Scalar]:
        """Return Jᵀ f."""
        result: list[Scalar] = [0.0] * len(self.formulation.state_u)
        for speed, value in enumerate(forces):
            for s, factor in self.jacobian[speed].items():
                result[s] = add(result[s], mul(factor, value))
        return result

    def accelerations(self, tau: Sequence[Scalar] | None = None) -> list[Scalar]:
        """Return the rates of the speeds that are states."""
        f = self.formulation
        right = self._reduced(self.unbalanced(tau))
        for row in f.enforced:
            needed = self._bias[row]
            for speed, value in self._matrix_rows.get(row, {}).items():
                needed = add(needed, mul(value, self.drift[speed]))
            right.append(neg(add(needed, self._stabilised(row))))
        return self.factors.solve(right)[: len(f.state_u)]

    def _stabilised(self, row: int) -> Scalar:
        """Return 2α ȧ + β² g of a row, by Baumgarte."""
        gains = self.formulation.gains
        if gains is None:
            return 0.0
        alpha, beta = gains
        value = mul(2.0 * alpha, self.rates[row])
        if self.rows.rows[row].holonomic:
            value = add(value, mul(beta * beta, self.gaps[row]))
        return value

    @cached_property
    def gaps(self) -> list[Scalar]:
        """G of the holonomic rows."""
        return [
            _folded(v)
            for v in split_symbols(self.rows.position_function(self.y, self.rows.p))
        ]

    @cached_property
    def rates(self) -> list[Scalar]:
        """A of all rows."""
        import casadi

        u = casadi.vertcat(*self.u) if self.u else casadi.SX(0, 1)
        values = split_symbols(self.rows.velocity_function(self.y, u, self.rows.p))
        return [_folded(value) for value in values]

    def all_accelerations(self, states: Sequence[Scalar]) -> list[Scalar]:
        """Return the rates of all speeds from those of the states."""
        result = list(self.drift)
        for speed, line in self.jacobian.items():
            for s, factor in line.items():
                result[speed] = add(result[speed], mul(factor, states[s]))
        return result

    def derivative(self) -> list[Scalar]:
        """Return the rates of the states: coordinates, speeds, and states of blocks."""
        f = self.formulation
        q_rates = coordinate_rates(self.mechanism, self.q, self.u)
        accelerations = self.accelerations()
        result = [q_rates[k] for k in f.state_q] + accelerations
        if self.z:
            view = MotionView(
                self.mechanism,
                self.q,
                self.u,
                self.all_accelerations(accelerations),
                self.t,
                self.z,
            )
            result += self.mechanism.signals.rates(view, self.z, self.t)
        return result


def drift_solution(instant: Instant, drift: Sequence[Scalar]) -> list[Scalar]:
    """Return the dependent speeds: G_D u_D = −G_S u_S − a₀."""
    f = instant.formulation
    speeds = dict(zip(f.state_u, instant.u_states, strict=True))
    return instant._dependent(speeds, drift)


def corrected(
    equations: LoopEquations,
    t: Scalar,
    q: Sequence[Scalar],
    u: Sequence[Scalar],
    z: Sequence[Scalar],
    extra: Sequence[Scalar],
) -> tuple[list[Scalar], list[Scalar]]:
    """Return coordinates and speeds brought back onto the enforced rows.

    The change is the smallest in the metric of the mass matrix; the factorisation at the
    given state serves for all corrections.
    """
    f = equations.formulation
    begin = equations.at(t, q, u, z, extra)
    factors, n = begin.factors, len(f.state_u)
    now = begin
    holonomic = [equations.rows.rows[row].holonomic for row in f.enforced]
    for _ in range(CORRECTIONS if any(holonomic) else 0):
        right: list[Scalar] = [0.0] * n
        right += [
            neg(now.gaps[row]) if is_holonomic else 0.0
            for row, is_holonomic in zip(f.enforced, holonomic, strict=True)
        ]
        change: list[Scalar] = [0.0] * equations.mechanism.n_u
        for speed, value in zip(f.state_u, factors.solve(right)[:n], strict=True):
            change[speed] = value
        moved = coordinate_rates(equations.mechanism, now.q, change)
        q = [add(value, moved[k]) for k, value in zip(f.state_q, q, strict=True)]
        now = equations.at(t, q, u, z, extra)
    for _ in range(2):
        right = [0.0] * n
        right += [neg(now.rates[row]) for row in f.enforced]
        u = [add(value, d) for value, d in zip(u, factors.solve(right)[:n], strict=True)]
        now = equations.at(t, q, u, z, extra)
    return list(q), list(u)


def _folded(value: casadi.SX) -> Scalar:
    """Return constants among symbols as plain numbers, so that zeros fold."""
    if value.is_constant():
        return float(value)
    return value
