"""Equations of motion of a mechanism with loops.

With u_D = J u_S + w and u̇_D = J u̇_S + d the equations of the tree, M u̇ = τ − h + Gᵀλ, become

    Jᵀ M J u̇_S = Jᵀ (τ − h − M d) + Ḡᵀ λ,   Ḡ u̇_S + γ̄ = 0,   Ḡ = G_E J

where E are the constraints with multipliers, if there are any (`LoopFormulation`). They are
solved by a recursion over compound joints (`CompoundJoint`), inward and outward along the
tree, so that a loop couples only the links in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.dyad import NO_INERTIA, Inertia
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar, add, is_structural, mul, neg
from motorik.compiler.symbols import elements
from motorik.dynamics.articulated import AtOnce, Caller, Locks
from motorik.dynamics.composite_body import Entries, Member
from motorik.dynamics.compound import Reduction, reduced_entries
from motorik.dynamics.line_mass import compound_mass, line_point
from motorik.dynamics.sparse import SymmetricFactors, fault_of
from motorik.dynamics.symmetric_order import SymmetricOrder
from motorik.loops.branch_blocks import BranchParameters
from motorik.loops.compound_joints import (
    CompoundJoint,
    DependentSpeeds,
    find_compound_joints,
    masses_of,
    members_of,
)
from motorik.loops.constraint_forces import ConstraintForces, are_unique
from motorik.loops.elimination_orders import (
    EliminationOrders,
    SampledEquations,
    elimination_orders,
    sample_equations,
)
from motorik.loops.equilibrium_equations import EquilibriumEquations, EquilibriumMargins
from motorik.loops.formulation import ClosedForm, LoopFormulation
from motorik.loops.recursion import Recursion, all_rates
from motorik.loops.shared_code import (
    LocalClosedForm,
    LocalCompoundJoint,
    closed_form_margins,
    compound_motion,
    compound_residual,
    compound_violation,
    local_compound_joint,
    local_form,
    local_numbers,
    projected_compound,
    solve_closed_form,
)
from motorik.loops.surroundings import Surroundings
from motorik.motion import traced
from motorik.motion.steps import radians
from motorik.motion.traced import coordinate_rates
from motorik.motion.tree_equations import TreeEquations, TreeState
from motorik.motion.view import MotionView
from motorik.topology.mechanism import WORLD, CoupledMass

if TYPE_CHECKING:
    import casadi

    from motorik.loops.elimination_orders import EliminationOrders, QuickOrders

BALANCED = 2  # Newton iterations for massless bodies, with one factorisation
CLOSED_WITHIN = "loops closed within"  # the name of the algorithm
SMALL = 24  # speeds up to which equal compound joints are not looked for
CORRECTIONS = 3  # Newton iterations for positions, with one factorisation


class ConstrainedState(TreeState):
    """A mechanism with loops at one state; every quantity is traced on first use."""

    equations: LoopEquations

    def __init__(
        self,
        equations: LoopEquations,
        t: Scalar,
        q: Sequence[Scalar],
        u: Sequence[Scalar],
        z: Sequence[Scalar],
        branch_parameters: BranchParameters[Sequence[Scalar]] | None,
        all_q: list[Scalar] | None = None,
        tape: Caller | None = None,
    ) -> None:
        super().__init__(equations, t, q, u, z, tape)
        self.formulation = equations.formulation
        self.constraints = equations.constraints
        self.branch_parameters = branch_parameters
        self._all_q = all_q
        self._reductions: dict[CompoundJoint, Reduction] = {}
        self._faults: dict[
            CompoundJoint, Scalar
        ] = {}  # of the equations of motion, where audited

    @cached_property
    def _positions(self) -> tuple[list[Scalar], list[Scalar]]:
        if self._all_q is not None:
            return self._all_q, []
        assert self.branch_parameters is not None
        return self.formulation.coordinates(
            self.q_states, self.t, self.z, self.branch_parameters, self._solved_form
        )

    def _solved_form(
        self,
        form: ClosedForm,
        q: Sequence[Scalar],
        branches: Sequence[Scalar],
        references: Mapping[int, Scalar],
    ) -> tuple[dict[int, Scalar], list[Scalar]]:
        """Return the coordinates of a closed form; on a tape, equal forms share code."""
        if isinstance(self.tape, AtOnce):
            return self.formulation.solved_form(form, q, branches, references)
        local, outputs = self.equations.local_form(form)
        known = tuple(q[k] for k in form.inputs)
        near = tuple(references.get(k) for k in outputs)
        found, margins = self.tape.call(
            solve_closed_form, local, known, tuple(branches), near
        )
        return dict(zip(outputs, found, strict=True)), margins

    @property
    def q(self) -> list[Scalar]:
        """All coordinates; dependent revolute ones as angles with sine and cosine."""
        return self._positions[0]

    @property
    def state_u(self) -> Sequence[int]:
        """The numbers of the speeds that are states."""
        return self.formulation.state_u

    @property
    def softness(self) -> Scalar:
        """The relative pivot below which multipliers go to zero, at singular positions."""
        return self.formulation.softness

    @property
    def margins(self) -> list[Scalar]:
        """The margin of each Assur group to its dead centre (0)."""
        return self._positions[1]

    def changing_margins(self) -> list[bool]:
        """Return for each margin whether it changes; Assur groups without have no dead centre."""
        equations = self.equations
        if equations.changing is None:
            plain = self
            if not isinstance(self.tape, AtOnce):
                states = (self.q_states, self.u_states, self.z, self.branch_parameters)
                plain = equations.at(self.t, *states)
            equations.changing = [
                not isinstance(margin, float) and not margin.is_constant()
                for margin in plain.margins
            ]
        return equations.changing

    def margins_and_rates(self) -> tuple[list[Scalar], list[Scalar]]:
        """Return the margins to dead centres that change, and their rates.

        Each closed form is differentiated along the rates of its inputs: states, coordinates
        that time drives, and results of other closed forms.
        """
        f, mechanism = self.formulation, self.mechanism
        assert self.branch_parameters is not None
        branches = self.branch_parameters.branches
        values: list[Scalar] = []
        rates: list[Scalar] = []
        changing = self.changing_margins()
        at = 0
        for form in f.forms:
            count = len(form.decomposition.groups)
            known = tuple(self.q[k] for k in form.inputs)
            moved = tuple(self.u[mechanism.link_of_coordinate(k).u[0]] for k in form.inputs)
            local, _ = self.equations.local_form(form)
            given = (local, known, moved, tuple(branches[at : at + count]))
            found = self.tape.call(closed_form_margins, *given)
            for margin, rate, changes in zip(
                *found, changing[at : at + count], strict=True
            ):
                if changes:
                    values.append(margin)
                    rates.append(rate)
            at += count
        return values, rates

    def order(self, compound: CompoundJoint) -> EliminationOrders | QuickOrders:
        """Return the order of elimination of a compound joint."""
        orders = self.equations.orders[compound]
        return orders.quick if self.is_audited else orders

    @cached_property
    def y(self) -> casadi.SX:
        """The arguments y of the constraint equations."""
        return self.constraints.y_of(self.q, self.t, self.z)

    @cached_property
    def _around(self) -> MotionView:
        """The motion of all bodies with mass: those without stand still in it."""
        u = self._speeds_of_masses
        given = self.mechanism, self.q, u, None, self.t, self.z
        return MotionView(*given, tape=self.tape)

    @cached_property
    def points_y(self) -> casadi.SX:
        """The arguments y of the balance of forces at massless points, see `Surroundings`."""
        equilibrium = self.equations.equilibrium
        assert equilibrium is not None
        return equilibrium.around.y_of(self._around, self.y)

    def points_motion(self, ud: Sequence[Scalar]) -> tuple[casadi.SX, casadi.SX, casadi.SX]:
        """Return y, u and u̇ of the same, from rates of the speeds of all bodies with mass."""
        equilibrium, y = self.equations.equilibrium, self.points_y
        assert equilibrium is not None
        around = equilibrium.around
        given = self.mechanism, self.q, self.u, ud, self.t, self.z
        motion = MotionView(*given, tape=self.tape)
        return y, around.u_of(self._around, self.u), around.rates_of(motion, ud)

    @cached_property
    def matrix(self) -> dict[tuple[int, int], Scalar]:
        """G, by (constraint equation, speed)."""
        values = elements(self.constraints.matrix_function(self.y, self.constraints.p))
        return {
            place: _folded(value)
            for place, value in zip(self.constraints.pattern, values, strict=True)
        }

    @cached_property
    def matrix_rows(self) -> dict[int, dict[int, Scalar]]:
        """The rows of G: by constraint equation, then by speed."""
        table: dict[int, dict[int, Scalar]] = {}
        for (k, speed), value in self.matrix.items():
            table.setdefault(k, {})[speed] = value
        return table

    @cached_property
    def of_compounds(self) -> dict[CompoundJoint, DependentSpeeds]:
        """The dependent speeds of each coupled compound joint."""
        samples = self.equations.samples
        return {
            compound: DependentSpeeds(compound, self.matrix_rows, samples[compound].blocks)
            for compound in self.equations.coupled
        }

    @cached_property
    def u(self) -> list[Scalar]:
        """All speeds."""
        return self._with_equilibrium(list(self._speeds_of_masses))

    @cached_property
    def _speeds_of_masses(self) -> list[Scalar]:
        """All speeds, those of massless bodies zero."""
        f = self.formulation
        u: list[Scalar] = [0.0] * self.mechanism.n_u
        for speed, value in zip(f.state_u, self.u_states, strict=True):
            u[speed] = value
        if not f.solved:
            return u
        if not isinstance(self.tape, AtOnce):
            return self._shared_speeds(u)
        for compound, own in self.of_compounds.items():
            moved = [self._drift[k] for k in compound.solved]
            found = own.speeds([u[k] for k in compound.states], moved)
            for speed, value in found.items():
                u[speed] = value
        return u

    def _with_equilibrium(self, u: list[Scalar]) -> list[Scalar]:
        """Fill in the speeds of massless bodies."""
        equilibrium = self.equations.equilibrium
        if equilibrium is not None:
            moving = equilibrium.around.u_of(self._around, u)
            found = equilibrium.speeds(self.points_y, moving)
            for speed, value in zip(equilibrium.equilibrium.speeds, found, strict=True):
                u[speed] = value
        return u

    def _shared_speeds(self, u: list[Scalar]) -> list[Scalar]:
        """Fill in the dependent speeds; equal compound joints share code."""
        for compound in self.equations.coupled:
            local = self.equations.local[compound]
            states = tuple(u[k] for k in compound.states)
            if local is None:
                moved = [self._drift[k] for k in compound.solved]
                for speed, value in (
                    self.of_compounds[compound].speeds(states, moved).items()
                ):
                    u[speed] = value
                continue
            q = self.coordinates_of(compound)
            found, self._reductions[compound] = self.tape.call(
                compound_motion, local, q, states
            )
            for speed, value in zip(compound.speeds, found, strict=True):
                u[speed] = value
        return u

    def coordinates_of(self, compound: CompoundJoint) -> tuple[Scalar, ...]:
        """Return the coordinates of the links of a compound joint."""
        links = (self.mechanism.links[k] for k in compound.links)
        return tuple(self.q[k] for link in links for k in link.q)

    @cached_property
    def _drift(self) -> list[Scalar]:
        return self._constraint_values(self.constraints.drift_function)

    def _constraint_values(
        self, function: casadi.Function, *more: casadi.SX
    ) -> list[Scalar]:
        values = elements(function(self.y, *more, self.constraints.p))
        return [_folded(value) for value in values]

    @cached_property
    def _bias(self) -> list[Scalar]:
        import casadi

        u = casadi.vertcat(*self.u) if self.u else casadi.SX(0, 1)
        values = elements(self.constraints.bias_function(self.y, u, self.constraints.p))
        return [_folded(value) for value in values]

    @cached_property
    def motion(self) -> MotionView:
        """The motion, without accelerations."""
        return self.moving(None, is_cut=True)

    def moving(self, ud: Sequence[Scalar] | None, *, is_cut: bool = False) -> MotionView:
        """Return the motion with these rates of the speeds; known angles are unwrapped.

        With `is_cut`, signals that forces read before the rates are known are tearing variables.
        """
        own = self.branch_parameters
        near = None if own is None else self.formulation.references(own)
        forces = None if ud is None else ConstraintForces(self, ud)
        given = (self.mechanism, self.q, self.u, ud, self.t, self.z, forces)
        return MotionView(*given, references=near, tape=self.tape, is_cut=is_cut)

    def needed_forces(self, ud: Sequence[Scalar]) -> list[Scalar]:
        """Return M u̇ + h − τ for each speed: the forces that the constraints must exert."""
        return ConstraintForces(self, ud).needed

    def reduction(self, compound: CompoundJoint) -> Reduction:
        """Return J, d and the constraints of a compound joint, numbered locally."""
        _ = self.u  # on a tape, this fills in the reductions of equal compound joints
        if compound not in self._reductions:
            own, bias = self.of_compounds[compound], self._bias
            with_multiplier = [
                add(bias[k], self._stabilised(k)) for k in compound.with_multiplier
            ]
            drift = own.drift([bias[k] for k in compound.solved])
            self._reductions[compound] = own.reduction(drift, with_multiplier)
        return self._reductions[compound]

    def projector(self, compound: CompoundJoint) -> SymmetricFactors:
        """Return the factors of a compound joint, with links mounted on it held rigid."""
        return self.projection(compound)[0]

    def projection(
        self, compound: CompoundJoint
    ) -> tuple[SymmetricFactors, Entries, SymmetricOrder]:
        """Return these factors with the matrix entries and the order of elimination."""
        motions = [self.motion.link_motion(self.mechanism.links[k]) for k in compound.links]
        X, S = [motion[0] for motion in motions], [motion[1] for motion in motions]
        inertia = [self._carried[k] for k in compound.links]
        members, own = self.equations.members[compound], self.of_compounds[compound]
        masses = self.equations.masses[compound]
        M, J = compound_mass(members, X, S, inertia, own.local_jacobian(), masses)
        rows = [own.reduced_row(k) for k in compound.with_multiplier]
        entries = reduced_entries(M, {}, J, rows, len(compound.states))
        order = self.equations.orders[compound](entries)
        factors = SymmetricFactors.of(entries, order, len(compound.states), self.softness)
        return factors, entries, order

    @cached_property
    def _carried(self) -> list[Inertia]:
        """The inertia of each link with all bodies outside of its compound joint, held rigid."""
        links, compound_of = self.mechanism.links, self.equations.compound_of
        own = [link.inertia for link in links]
        if not any(map(self.equations.carries, self.equations.coupled)):
            return own
        for compound in self.equations.coupled:
            if compound.base != WORLD and compound.masses:
                added = (own[compound.base], self._rigid_masses(compound), Pose())
                own[compound.base] = self.tape.call(with_carried, *added)
        whole = list(own)
        for link in reversed(links):
            p = link.parent
            if p == WORLD:
                continue
            X = self.motion.link_motion(link)[0]
            given = (whole[p], whole[link.index], X)
            if compound_of[p] is not compound_of[link.index]:
                own[p] = self.tape.call(with_carried, own[p], *given[1:])
            whole[p] = self.tape.call(with_carried, *given)
        return own

    def _rigid_masses(self, compound: CompoundJoint) -> Inertia:
        """Return the inertia of the masses on lines, as if fixed to the base."""
        motions = [self.motion.link_motion(self.mechanism.links[k]) for k in compound.links]
        X, S = [motion[0] for motion in motions], [motion[1] for motion in motions]
        members, masses = self.equations.members[compound], self.equations.masses[compound]
        total = NO_INERTIA
        for mass in masses:
            point = self.tape.call(line_point, members, X, S, mass)
            carried = (Inertia.of_body(mass.m), point.pose)
            total = self.tape.call(with_carried, total, *carried)
        return total

    def projected(self) -> tuple[list[Scalar], list[Scalar], list[Scalar]]:
        """Return states projected onto the constraints, one compound joint after another.

        Last are the relative residuals of their equations, see `fault_of`.
        """
        f, equations = self.formulation, self.equations
        q, u = list(self.q), list(self.u)
        faults: list[Scalar] = []
        for compound in equations.coupled:
            if not compound.with_multiplier:
                continue
            links = [self.mechanism.links[k] for k in compound.links]
            found_q, found_u, fault = self.tape.call(
                projected_compound,
                equations.local[compound],
                equations.members[compound],
                [self._carried[k] for k in compound.links],
                equations.masses[compound],
                self.coordinates_of(compound),
                tuple(u[k] for k in compound.speeds),
                equations.orders[compound],
                self.softness,
                CORRECTIONS if equations.holds_positions(compound) else 0,
            )
            for k, value in zip(
                (k for link in links for k in link.q), found_q, strict=True
            ):
                q[k] = value
            for k, value in zip(compound.speeds, found_u, strict=True):
                u[k] = value
            faults.append(fault)
        return [q[k] for k in f.state_q], [u[k] for k in f.state_u], faults

    def accelerations(
        self, tau: Sequence[Scalar] | None = None, audits: bool = False
    ) -> list[Scalar]:
        """Return the rates u̇_S of the speeds that are states."""
        recursion = Recursion(self, self._forces(tau), audits)
        rates = recursion.rates()
        self._faults = recursion.faults
        return rates

    def with_locks(
        self, locks: Locks, tau: Sequence[Scalar] | None = None
    ) -> tuple[list[Scalar], list[Scalar]]:
        """Return the rates u̇_S with locked freedoms of single joints, and the forces of these."""
        recursion = Recursion(self, self._forces(tau), locks=locks)
        return recursion.rates(), recursion.held

    def _forces(self, tau: Sequence[Scalar] | None) -> list[Scalar]:
        own = self.motion.generalised_forces
        return own if tau is None else [add(a, b) for a, b in zip(own, tau, strict=True)]

    def faults(self, rates: Sequence[Scalar]) -> dict[str, Scalar]:
        """Return the relative residuals of audited rates, by the parts concerned.

        They are those of the equations of motion and the acceleration constraints of each coupled
        compound joint, and of the static equilibrium of massless bodies, all before elimination;
        1 is the limit.
        """
        ud = self._coupled_rates(rates)
        found: dict[str, Scalar] = {}
        for compound in self.equations.coupled:
            total = add(self._faults[compound], self._solved_fault(compound, ud))
            if not is_structural(total, 0.0):
                used = (*compound.solved, *compound.with_multiplier)
                parts = dict.fromkeys(self.constraints.equations[k].part for k in used)
                found[", ".join(parts)] = total
        equilibrium = self.equations.equilibrium
        if equilibrium is not None:
            parts = dict.fromkeys(equilibrium.equilibrium.parts)
            moving = equilibrium.around.u_of(self._around, self.u)
            found[", ".join(parts)] = equilibrium.fault(self.points_y, moving)
        return found

    def _solved_fault(self, compound: CompoundJoint, ud: Sequence[Scalar]) -> Scalar:
        if not compound.solved:
            return 0.0
        scales = self.formulation.scales
        of_constraint = (1.0 / scales.constraints[list(compound.solved)]).tolist()
        of_speed = (1.0 / scales.speeds[list(compound.speeds)]).tolist()
        rates = [ud[k] for k in compound.speeds]
        local = self.equations.local[compound]
        if isinstance(self.tape, AtOnce) or local is None:
            bias = [self._bias[k] for k in compound.solved]
            moved, factors = (
                dict(zip(compound.speeds, own, strict=True)) for own in (rates, of_speed)
            )
            return self.of_compounds[compound].fault(moved, bias, factors, of_constraint)
        q, u = self.coordinates_of(compound), tuple(self.u[k] for k in compound.speeds)
        given = (local, q, u, tuple(rates), tuple(of_speed), tuple(of_constraint))
        return self.tape.call(compound_residual, *given)

    def _stabilised(self, constraint: int) -> Scalar:
        """Return 2α a + β² g of a constraint equation (Baumgarte 1972)."""
        gains = self.formulation.gains
        if gains is None:
            return 0.0
        alpha, beta = gains
        value = mul(2.0 * alpha, self.rates[constraint])
        if self.constraints.equations[constraint].holonomic:
            value = add(value, mul(beta * beta, self.violations[constraint]))
        return value

    @cached_property
    def violations(self) -> list[Scalar]:
        """The violations g of the position constraints."""
        return [
            _folded(v)
            for v in elements(
                self.constraints.position_function(self.y, self.constraints.p)
            )
        ]

    @cached_property
    def rates(self) -> list[Scalar]:
        """The violations a of all velocity constraints."""
        import casadi

        u = casadi.vertcat(*self.u) if self.u else casadi.SX(0, 1)
        values = elements(self.constraints.velocity_function(self.y, u, self.constraints.p))
        return [_folded(value) for value in values]

    def violations_of(self, constraints: Sequence[int]) -> dict[int, tuple[Scalar, Scalar]]:
        """Return violation and rate of some position constraints, by their numbers.

        They are evaluated at the angles themselves: the sines and cosines of a closed form
        satisfy constraints that are not satisfied by its angles. Equal compound joints share
        code.
        """
        import casadi

        found: dict[int, tuple[Scalar, Scalar]] = {}
        if not isinstance(self.tape, AtOnce):
            found = self._shared_violations(constraints)
        left = [k for k in constraints if k not in found]
        if left:
            own = self.constraints
            y = own.y_of([radians(q) for q in self.q], self.t, self.z)
            violations = own.position_function(y, own.p)
            rates = own.velocity_function(y, casadi.vertcat(*self.u), own.p)
            found.update((k, (violations[k], rates[k])) for k in left)
        return found

    def _shared_violations(
        self, constraints: Sequence[int]
    ) -> dict[int, tuple[Scalar, Scalar]]:
        """Return violations and rates of constraints that are written in local numbers."""
        place = self.equations.place_of_constraint
        of_compound: dict[CompoundJoint, list[int]] = {}
        for k in constraints:
            if k in place:
                of_compound.setdefault(place[k][0], []).append(k)
        found: dict[int, tuple[Scalar, Scalar]] = {}
        for compound, own in of_compound.items():
            local, q = self.equations.local[compound], self.coordinates_of(compound)
            u = tuple(self.u[k] for k in compound.speeds)
            violations, rates = self.tape.call(compound_violation, local, q, u)
            at = {k: place[k][1] for k in own}
            found.update((k, (violations[n], rates[n])) for k, n in at.items())
        return found

    def all_accelerations(self, states: Sequence[Scalar]) -> list[Scalar]:
        """Return the rates of all speeds from those of the states."""
        result = self._coupled_rates(states)
        equilibrium = self.equations.equilibrium
        if equilibrium is not None:
            found = equilibrium.accelerations(*self.points_motion(result))
            for speed, value in zip(equilibrium.equilibrium.speeds, found, strict=True):
                result[speed] = value
        return result

    def _coupled_rates(self, states: Sequence[Scalar]) -> list[Scalar]:
        """Return the rates of all speeds except those of massless bodies."""
        result: list[Scalar] = [0.0] * self.mechanism.n_u
        for speed, value in zip(self.formulation.state_u, states, strict=True):
            result[speed] = value
        for compound in self.equations.coupled:
            if compound.dependent:
                own = [result[k] for k in compound.states]
                found = self.tape.call(all_rates, self.reduction(compound), own)
                for speed, value in zip(compound.speeds, found, strict=True):
                    result[speed] = value
        return result

    def state_rates(self, rates: list[Scalar]) -> list[Scalar]:
        """Return the rates of the states where those of the speeds are known."""
        q_rates = coordinate_rates(self.mechanism, self.q, self.u, self.tape)
        result = [q_rates[k] for k in self.formulation.state_q] + rates
        if self.z:
            motion = self.moving(self.all_accelerations(rates), is_cut=True)
            result += self.mechanism.signals.rates(motion, self.z, self.t)
        return result


def with_carried(inertia: Inertia, carried: Inertia, X: Pose) -> Inertia:
    """Return the sum of an inertia and that of bodies mounted at X."""
    return inertia + carried.seen_from(X)


def _folded(value: casadi.SX) -> Scalar:
    """Return a constant symbol as a number, so that zeros fold."""
    if value.is_constant():
        return float(value)
    return value


# --- equations of a formulation ------------------------------------------------------------


class LoopEquations(TreeEquations):
    """The equations of a formulation, with orders of elimination that hold at reachable poses.

    `at` returns the equations at a state.
    """

    def __init__(self, formulation: LoopFormulation, p: np.ndarray) -> None:
        self.formulation = f = formulation
        closed = f.constraints.equations
        super().__init__(f.mechanism, CLOSED_WITHIN if closed else traced.ARTICULATED)
        self.p = p
        self.constraints = f.constraints
        following = (*f.dependent_u, *f.mechanism.massless)
        given = (f.constraints.pattern, following, f.solved, f.with_multiplier)
        self.compounds = find_compound_joints(f.mechanism, *given)
        self.samples: dict[CompoundJoint, SampledEquations] = sample_equations(
            f, self.compounds, p
        )
        self.equilibrium: EquilibriumEquations | None = None
        if f.equilibrium is not None:
            around = Surroundings(f.constraints)
            given = (f.equilibrium, around, f.scales, f.samples, p)
            self.equilibrium = EquilibriumEquations(*given)
        self._forms: dict[int, tuple[LocalClosedForm, tuple[int, ...]]] = {}
        self.changing: list[bool] | None = (
            None  # margins that change in the motion, found on first use
        )
        self.reads_multipliers = False  # whether force laws read constraint forces

    @cached_property
    def equilibrium_margins(self) -> EquilibriumMargins | None:
        """The stability margins of massless points, None without any."""
        return None if self.equilibrium is None else EquilibriumMargins(self.equilibrium)

    @cached_property
    def coupled(self) -> tuple[CompoundJoint, ...]:
        """The compound joints of more than a single link: coupled by loops or relations."""
        return tuple(compound for compound in self.compounds if not compound.is_single)

    @cached_property
    def orders(self) -> dict[CompoundJoint, EliminationOrders]:
        """The order of elimination of each coupled compound joint."""
        return elimination_orders(self.formulation, self.samples, self.local)

    @cached_property
    def local(self) -> dict[CompoundJoint, LocalCompoundJoint | None]:
        """Each coupled compound joint in local numbers, None where it cannot be written so."""
        return {
            compound: local_compound_joint(self.formulation, compound, samples.blocks)
            for compound, samples in self.samples.items()
        }

    def local_form(self, form: ClosedForm) -> tuple[LocalClosedForm, tuple[int, ...]]:
        """Return a closed form in local numbers, and the coordinates that it gives."""
        if id(form) not in self._forms:
            self._forms[id(form)] = local_form(form)
        return self._forms[id(form)]

    def holds_positions(self, compound: CompoundJoint) -> bool:
        """Return whether a compound joint has position constraints with multipliers."""
        return any(
            self.constraints.equations[k].holonomic for k in compound.with_multiplier
        )

    @cached_property
    def projects_locally(self) -> bool:
        """Whether every compound joint with multipliers can be projected by itself."""
        held = [compound for compound in self.coupled if compound.with_multiplier]
        return all(
            self.local[compound] is not None and not compound.solved for compound in held
        )

    @property
    def algorithms(self) -> tuple[str, ...]:
        """The recursion over compound joints alone."""
        return (self.algorithm,)

    @property
    def can_reorder(self) -> bool:
        """Whether equations of loops could be eliminated in another order."""
        return any(
            compound.with_multiplier or any(b.pivots for b in own.blocks)
            for compound, own in self.samples.items()
        )

    @cached_property
    def n_shared(self) -> int:
        """The number of speeds of single links and of compound joints that have equals."""
        if self.mechanism.n_u < SMALL:
            return 0
        count = sum(
            len(compound.states) for compound in self.compounds if compound.is_single
        )
        members = Counter(map(id, self.orders.values()))
        for compound in self.coupled:
            if members[id(self.orders[compound])] > 1:
                count += len(compound.speeds)
        return count

    @cached_property
    def place_of_constraint(self) -> dict[int, tuple[CompoundJoint, int]]:
        """The compound joint of a constraint equation, and its local number there."""
        return {
            k: (compound, n)
            for compound, local in self.local.items()
            if local is not None
            for k, n in local_numbers(self.formulation, compound).items()
        }

    @cached_property
    def compound_of(self) -> dict[int, CompoundJoint]:
        """The compound joint of each link."""
        return {k: compound for compound in self.compounds for k in compound.links}

    @cached_property
    def members(self) -> dict[CompoundJoint, list[Member]]:
        """The links of each coupled compound joint, numbered locally, then its masses."""
        links = self.mechanism.links
        return {compound: members_of(compound, links) for compound in self.coupled}

    @cached_property
    def masses(self) -> dict[CompoundJoint, tuple[CoupledMass, ...]]:
        """The masses on lines of each coupled compound joint."""
        masses = self.mechanism.coupled_masses
        return {compound: masses_of(compound, masses) for compound in self.coupled}

    @cached_property
    def _bases(self) -> set[int]:
        return {compound.base for compound in self.compounds}

    def carries(self, compound: CompoundJoint) -> bool:
        """Return whether any link is mounted on a compound joint."""
        return not self._bases.isdisjoint(compound.links)

    def at(
        self,
        t: Scalar,
        q: Sequence[Scalar],
        u: Sequence[Scalar],
        z: Sequence[Scalar],
        branch_parameters: BranchParameters[Sequence[Scalar]] | None = None,
        tape: Caller | None = None,
    ) -> ConstrainedState:
        """Return the equations at states q, u, z."""
        return ConstrainedState(self, t, q, u, z, branch_parameters, tape=tape)

    def from_all(
        self,
        t: Scalar,
        q: Sequence[Scalar],
        u: Sequence[Scalar],
        z: Sequence[Scalar],
        branch_parameters: BranchParameters[Sequence[Scalar]] | None = None,
        tape: Caller | None = None,
    ) -> ConstrainedState:
        """Return the equations at all coordinates and speeds, which must be consistent."""
        f = self.formulation
        states = [u[k] for k in f.state_u]
        return ConstrainedState(
            self, t, [q[k] for k in f.state_q], states, z, branch_parameters, list(q), tape
        )

    def are_unique(
        self, quantities: Callable[[MotionView], Sequence[Scalar]]
    ) -> list[bool]:
        """Return whether each quantity of a motion is unique despite redundant constraints."""
        return are_unique(self.formulation, self.p, quantities)

    # --- projection onto the constraints ---------------------------------------------------

    def projected(
        self,
        t: Scalar,
        q: Sequence[Scalar],
        u: Sequence[Scalar],
        z: Sequence[Scalar],
        branch_parameters: BranchParameters[Sequence[Scalar]] | None,
        only_speeds: bool = False,
    ) -> tuple[list[Scalar], list[Scalar], list[Scalar], list[Scalar]]:
        """Return coordinates and speeds projected onto the constraints with multipliers.

        The change is the smallest in the metric of the mass matrix of each compound joint; the
        factors at the given state serve for all iterations. Third is the displacement of the
        positions along each speed of the tree, fourth the relative residuals of the equations.
        With `only_speeds` the coordinates are kept.
        """
        f, mechanism = self.formulation, self.mechanism
        begin = self.at(t, q, u, z, branch_parameters)
        factors = {
            own: begin.projection(own) for own in self.coupled if own.with_multiplier
        }
        faults: list[Scalar] = []
        now = begin
        holonomic = [equation.holonomic for equation in self.constraints.equations]

        def changes(
            values: Sequence[Scalar], only_positions: bool, audits: bool = False
        ) -> list[Scalar]:
            found: list[Scalar] = [0.0] * mechanism.n_u
            for compound, (own, entries, order) in factors.items():
                right: list[Scalar] = [0.0] * len(compound.states)
                right += [
                    neg(values[k]) if holonomic[k] or not only_positions else 0.0
                    for k in compound.with_multiplier
                ]
                x = own.solve_once(right)
                if audits:
                    faults.append(fault_of(entries, order, own, x, right))
                for speed, value in zip(compound.states, x, strict=False):
                    found[speed] = value
            return found

        shift: list[Scalar] = [0.0] * mechanism.n_u
        has_positions = not only_speeds and any(holonomic[k] for k in f.with_multiplier)
        for _ in range(CORRECTIONS if has_positions else 0):
            change = changes(now.violations, True)
            shift = [add(a, b) for a, b in zip(shift, change, strict=True)]
            moved = coordinate_rates(mechanism, now.q, change)
            q = [add(value, moved[k]) for k, value in zip(f.state_q, q, strict=True)]
            now = self.at(t, q, u, z, branch_parameters)
        for turn in range(2):
            change = changes(now.rates, False, turn == 0)
            u = [add(value, change[k]) for k, value in zip(f.state_u, u, strict=True)]
            now = self.at(t, q, u, z, branch_parameters)
        return list(q), list(u), shift, faults

    def in_equilibrium(
        self,
        t: Scalar,
        q: Sequence[Scalar],
        u: Sequence[Scalar],
        z: Sequence[Scalar],
        branch_parameters: BranchParameters[Sequence[Scalar]] | None,
        tape: Caller | None = None,
    ) -> list[Scalar]:
        """Return coordinates at which massless bodies are in static equilibrium.

        Only coordinates of massless bodies move; the stiffness at the given state serves for all
        iterations.
        """
        f, equilibrium = self.formulation, self.equilibrium
        assert equilibrium is not None
        if not equilibrium.corrected:
            return list(q)
        now = self.at(t, q, u, z, branch_parameters, tape)
        stiffness = equilibrium.stiffness(now.points_y)
        for _ in range(BALANCED):
            moved = equilibrium.moved(stiffness, now.points_y, now.q)
            q = [moved[k] for k in f.state_q]
            now = self.at(t, q, u, z, branch_parameters, tape)
        return list(q)
