"""Equations of motion with loops: dependent speeds eliminated, other rows held by multipliers.

With u_D = J u_S + w and u̇_D = J u̇_S + d the equations of the tree, M u̇ = τ − h + Gᵀλ, become

    Jᵀ M J u̇_S = Jᵀ (τ − h − M d) + Ḡᵀ λ,   Ḡ u̇_S + γ̄ = 0,   Ḡ = G_E J

where E are the enforced rows, if there are any (`Formulation`). They are solved unit by unit,
inward and outward along the tree (`Unit`), so that a loop costs what it couples.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.dyad import Inertia
from motorik.algebra.scalar import Scalar, add, is_structural, mul, neg, sub
from motorik.dynamics.articulated import AtOnce, Caller
from motorik.dynamics.compound import (
    Member,
    Reduction,
    mass_entries,
    reduced_entries,
)
from motorik.dynamics.sparse import SquareFactors, SymmetricFactors
from motorik.loops.formulation import Formulation
from motorik.loops.pivots import Judged, Orders, judge
from motorik.loops.recursion import Recursion
from motorik.loops.rows import split_symbols
from motorik.loops.units import Unit, find_units, members_of
from motorik.motion.traced import coordinate_rates
from motorik.motion.view import MotionView
from motorik.topology.mechanism import WORLD

if TYPE_CHECKING:
    import casadi

CORRECTIONS = 3  # of positions after a step, with one factorisation


class LoopEquations:
    """The equations of a formulation, with pivots chosen at poses that it can reach.

    `at` gives the instant of a state, where every quantity is traced when it is asked for.
    """

    def __init__(self, formulation: Formulation, p: np.ndarray) -> None:
        self.formulation = f = formulation
        self.mechanism = f.mechanism
        self.rows = f.rows
        self.units = find_units(f.mechanism, f.rows, f.dependent_u, f.solved, f.enforced)
        self.judged: dict[Unit, Judged] = judge(f, self.units, p)

    @cached_property
    def compound(self) -> tuple[Unit, ...]:
        """The units that loops or relations couple."""
        return tuple(unit for unit in self.units if not unit.is_single)

    @cached_property
    def orders(self) -> dict[Unit, Orders]:
        """How the equations of each compound unit are eliminated."""
        return {unit: Orders(own, self.formulation) for unit, own in self.judged.items()}

    @cached_property
    def unit_of(self) -> dict[int, Unit]:
        """The unit of each link."""
        return {k: unit for unit in self.units for k in unit.links}

    @cached_property
    def members(self) -> dict[Unit, list[Member]]:
        """The links of each compound unit, numbered within it."""
        links = self.mechanism.links
        return {unit: members_of(unit, links) for unit in self.compound}

    @cached_property
    def _bases(self) -> set[int]:
        return {unit.base for unit in self.units}

    def carries(self, unit: Unit) -> bool:
        """Tell whether anything hangs on a unit."""
        return not self._bases.isdisjoint(unit.links)

    def at(
        self,
        t: Scalar,
        q: Sequence[Scalar],
        u: Sequence[Scalar],
        z: Sequence[Scalar],
        extra: Sequence[Scalar],
        tape: Caller | None = None,
    ) -> Instant:
        """Return the instant of states q, u, z."""
        return Instant(self, t, q, u, z, extra, tape=tape)

    def from_all(
        self,
        t: Scalar,
        q: Sequence[Scalar],
        u: Sequence[Scalar],
        z: Sequence[Scalar],
        tape: Caller | None = None,
    ) -> Instant:
        """Return the instant of all coordinates and speeds, which must fit together."""
        f = self.formulation
        states = [u[k] for k in f.state_u]
        return Instant(self, t, [q[k] for k in f.state_q], states, z, (), list(q), tape)


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
        tape: Caller | None = None,
    ) -> None:
        self.equations = equations
        self.formulation = equations.formulation
        self.mechanism = equations.mechanism
        self.rows = equations.rows
        self.t, self.z = t, z
        self.q_states, self.u_states, self.extra = q, u, extra
        self._all_q = all_q
        self.tape: Caller = tape or AtOnce()
        self._reductions: dict[Unit, Reduction] = {}

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
    def matrix_rows(self) -> dict[int, dict[int, Scalar]]:
        """The Jacobian by row, then by speed."""
        table: dict[int, dict[int, Scalar]] = {}
        for (row, speed), value in self.matrix.items():
            table.setdefault(row, {})[speed] = value
        return table

    @cached_property
    def _solvers(self) -> dict[Unit, SquareFactors]:
        found = {}
        for unit in self.equations.compound:
            if not unit.solved:
                continue
            at_speed = {speed: j for j, speed in enumerate(unit.dependent)}
            entries = {
                (i, at_speed[speed]): value
                for i, row in enumerate(unit.solved)
                for speed, value in self.matrix_rows[row].items()
                if speed in at_speed
            }
            found[unit] = SquareFactors(entries, self.equations.judged[unit].blocks)
        return found

    def solvability(self) -> Scalar:
        """Return det G_D: 0 where speeds do not follow."""
        value: Scalar = 1.0
        for solver in self._solvers.values():
            value = mul(value, solver.determinant)
        return value

    def _dependent(
        self, unit: Unit, speeds: dict[int, Scalar], known: Sequence[Scalar]
    ) -> list[Scalar]:
        """Return u_D of a unit with G_D u_D = −G_S u_S − known, rows in the order of `solved`."""
        right = [neg(value) for value in known]
        for i, row in enumerate(unit.solved):
            for speed, value in self.matrix_rows[row].items():
                if speed in speeds:
                    right[i] = sub(right[i], mul(value, speeds[speed]))
        return self._solvers[unit].solve(right)

    @cached_property
    def jacobians(self) -> dict[Unit, dict[int, dict[int, Scalar]]]:
        """J of each compound unit: by speed, then by number of the state within the unit."""
        found = {}
        for unit in self.equations.compound:
            J: dict[int, dict[int, Scalar]] = {
                speed: {s: 1.0} for s, speed in enumerate(unit.states)
            }
            J.update({speed: {} for speed in unit.dependent})
            found[unit] = J
            touched = {speed for row in unit.solved for speed in self.matrix_rows[row]}
            nothing = [0.0] * len(unit.solved)
            for s, speed in enumerate(unit.states):
                if speed not in touched:
                    continue
                column = self._dependent(unit, {speed: 1.0}, nothing)
                for d, value in zip(unit.dependent, column, strict=True):
                    if not is_structural(value, 0.0):
                        J[d][s] = value
        return found

    @cached_property
    def u(self) -> list[Scalar]:
        """All speeds."""
        f = self.formulation
        u: list[Scalar] = [0.0] * self.mechanism.n_u
        for speed, value in zip(f.state_u, self.u_states, strict=True):
            u[speed] = value
        if not f.solved:
            return u
        drift = self._row_values(self.rows.drift_function)
        for unit in self._solvers:
            known = [drift[row] for row in unit.solved]
            is_driven = not all(is_structural(value, 0.0) for value in known)
            if len(unit.states) == 1 and not is_driven:
                (only,) = unit.states
                J = self.jacobians[unit]
                found = [mul(J[d].get(0, 0.0), u[only]) for d in unit.dependent]
            else:
                found = self._dependent(unit, {k: u[k] for k in unit.states}, known)
            for speed, value in zip(unit.dependent, found, strict=True):
                u[speed] = value
        return u

    def _row_values(self, function: casadi.Function, *more: casadi.SX) -> list[Scalar]:
        values = split_symbols(function(self.y, *more, self.rows.p))
        return [_folded(value) for value in values]

    @cached_property
    def _bias(self) -> list[Scalar]:
        import casadi

        u = casadi.vertcat(*self.u) if self.u else casadi.SX(0, 1)
        values = split_symbols(self.rows.bias_function(self.y, u, self.rows.p))
        return [_folded(value) for value in values]

    @cached_property
    def drift(self) -> dict[int, Scalar]:
        """The rates of dependent speeds while those of the states are zero."""
        found: dict[int, Scalar] = {}
        for unit in self._solvers:
            known = [self._bias[row] for row in unit.solved]
            found.update(zip(unit.dependent, self._dependent(unit, {}, known), strict=True))
        return found

    @cached_property
    def view(self) -> MotionView:
        """The motion, without accelerations."""
        return MotionView(
            self.mechanism, self.q, self.u, None, self.t, self.z, tape=self.tape
        )

    def _reduced_row(self, unit: Unit, row: int) -> dict[int, Scalar]:
        """Return a row of Ḡ = G J, by the number of the state within the unit."""
        result: dict[int, Scalar] = {}
        J = self.jacobians[unit]
        for speed, value in self.matrix_rows.get(row, {}).items():
            for s, factor in J[speed].items():
                result[s] = add(result.get(s, 0.0), mul(value, factor))
        return result

    def reduction(self, unit: Unit) -> Reduction:
        """Return how the speeds of a unit follow, and its rows, numbered within the unit."""
        if unit not in self._reductions:
            place = {speed: n for n, speed in enumerate(unit.speeds)}
            J = self.jacobians[unit]
            self._reductions[unit] = Reduction(
                {place[speed]: J[speed] for speed in unit.speeds},
                {place[speed]: self.drift[speed] for speed in unit.dependent},
                [self._reduced_row(unit, row) for row in unit.enforced],
                [self._needed(row) for row in unit.enforced],
                len(unit.states),
            )
        return self._reductions[unit]

    def _needed(self, row: int) -> Scalar:
        """Return −γ̄ of an enforced row, stabilised if there are gains."""
        needed = self._bias[row]
        for speed, value in self.matrix_rows.get(row, {}).items():
            if speed in self.drift:
                needed = add(needed, mul(value, self.drift[speed]))
        return neg(add(needed, self._stabilised(row)))

    def projector(self, unit: Unit) -> SymmetricFactors:
        """Return the equations of a unit on its own: what hangs on it does not give way."""
        motions = [self.view.link_motion(self.mechanism.links[k]) for k in unit.links]
        X, S = [motion[0] for motion in motions], [motion[1] for motion in motions]
        inertia = [self._carried[k] for k in unit.links]
        M, _, _ = mass_entries(self.equations.members[unit], X, S, inertia)
        place = {speed: n for n, speed in enumerate(unit.speeds)}
        J = {place[speed]: line for speed, line in self.jacobians[unit].items()}
        rows = [self._reduced_row(unit, row) for row in unit.enforced]
        entries = reduced_entries(M, {}, J, rows, len(unit.states))
        order = self.equations.orders[unit](entries)
        softness = self.formulation.softness
        return SymmetricFactors.of(entries, order, len(unit.states), softness)

    @cached_property
    def _carried(self) -> list[Inertia]:
        """Of each link the inertia with all that hangs on it outside of its unit, rigidly."""
        links, unit_of = self.mechanism.links, self.equations.unit_of
        own = [link.inertia for link in links]
        whole = list(own)
        for link in reversed(links):
            p = link.parent
            if p == WORLD:
                continue
            felt = whole[link.index].seen_from(self.view.link_motion(link)[0])
            whole[p] = whole[p] + felt
            if unit_of[p] is not unit_of[link.index]:
                own[p] = own[p] + felt
        return own

    def accelerations(self, tau: Sequence[Scalar] | None = None) -> list[Scalar]:
        """Return the rates of the speeds that are states."""
        own = self.view.generalised_forces
        total = own if tau is None else [add(a, b) for a, b in zip(own, tau, strict=True)]
        return Recursion(self, total).rates()

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
        result: list[Scalar] = [0.0] * self.mechanism.n_u
        for speed, value in zip(self.formulation.state_u, states, strict=True):
            result[speed] = value
        for unit, J in self.jacobians.items():
            for speed in unit.dependent:
                value = self.drift[speed]
                for s, factor in J[speed].items():
                    value = add(value, mul(factor, result[unit.states[s]]))
                result[speed] = value
        return result

    def derivative(self) -> list[Scalar]:
        """Return the rates of the states: coordinates, speeds, and states of blocks."""
        f = self.formulation
        q_rates = coordinate_rates(self.mechanism, self.q, self.u, self.tape)
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
                tape=self.tape,
            )
            result += self.mechanism.signals.rates(view, self.z, self.t)
        return result


def corrected(
    equations: LoopEquations,
    t: Scalar,
    q: Sequence[Scalar],
    u: Sequence[Scalar],
    z: Sequence[Scalar],
    extra: Sequence[Scalar],
) -> tuple[list[Scalar], list[Scalar]]:
    """Return coordinates and speeds brought back onto the enforced rows.

    The change is the smallest in the metric of each unit's mass matrix; the factorisation at
    the given state serves for all corrections.
    """
    f, mechanism = equations.formulation, equations.mechanism
    begin = equations.at(t, q, u, z, extra)
    factors = {u: begin.projector(u) for u in equations.compound if u.enforced}
    now = begin
    holonomic = [row.holonomic for row in equations.rows.rows]

    def changes(values: Sequence[Scalar], only_positions: bool) -> list[Scalar]:
        found: list[Scalar] = [0.0] * mechanism.n_u
        for unit, own in factors.items():
            right: list[Scalar] = [0.0] * len(unit.states)
            right += [
                neg(values[row]) if holonomic[row] or not only_positions else 0.0
                for row in unit.enforced
            ]
            for speed, value in zip(unit.states, own.solve(right), strict=False):
                found[speed] = value
        return found

    for _ in range(CORRECTIONS if any(holonomic[row] for row in f.enforced) else 0):
        moved = coordinate_rates(mechanism, now.q, changes(now.gaps, True))
        q = [add(value, moved[k]) for k, value in zip(f.state_q, q, strict=True)]
        now = equations.at(t, q, u, z, extra)
    for _ in range(2):
        change = changes(now.rates, False)
        u = [add(value, change[k]) for k, value in zip(f.state_u, u, strict=True)]
        now = equations.at(t, q, u, z, extra)
    return list(q), list(u)


def _folded(value: casadi.SX) -> Scalar:
    """Return constants among symbols as plain numbers, so that zeros fold."""
    if value.is_constant():
        return float(value)
    return value
