"""StateSpaceForm: the equations of a mechanism as functions of time, state and parameters.

The state x holds the coordinates and speeds that are states and the states of signal blocks;
the motion X = (q, u, z) holds all of them (`Layout`). A tree has no dependent coordinates and no
constraint equations: for it X = x, and nothing is projected but unit quaternions.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, cast

from motorik.algebra.scalar import Scalar, add, sub, where
from motorik.compiler.symbols import elements
from motorik.motion import traced
from motorik.motion.steps import radians

if TYPE_CHECKING:
    import numpy as np

    from motorik.dynamics.articulated import Caller
    from motorik.loops.branch_blocks import BranchParameters
    from motorik.loops.equations_of_motion import (
        ConstrainedState,
        EquilibriumEquations,
        LoopEquations,
    )
    from motorik.loops.formulate import Formulation
    from motorik.motion.tree_equations import TreeEquations, TreeState
    from motorik.motion.view import MotionView, References
    from motorik.nonsmooth.laws.algebraic_loops import LoopResponse, TornEquations
    from motorik.nonsmooth.laws.forces import (
        LinearResponse,
        NonsmoothConstraints,
        TracedConstraints,
    )
    from motorik.nonsmooth.laws.joint_constraints import JointConstraints
    from motorik.system.layout import Layout

    Branches = BranchParameters[Sequence[Scalar]]

Scalars = Sequence[Scalar]


class StateSpaceForm:
    """The equations of a mechanism in state-space form, as its formulation sets them up.

    `solution` are its equations of motion: those of a tree, or with constraint equations those
    of `LoopEquations`.
    """

    def __init__(self, formulation: Formulation, layout: Layout, p: np.ndarray) -> None:
        f = formulation
        self.formulation, self.layout, self.mechanism = f, layout, f.mechanism
        self.solution: TreeEquations = f.equations_of_motion(p)
        inventory = self.mechanism.inventory
        self.nonsmooth: NonsmoothConstraints | None = None
        if inventory.nonsmooth:
            from motorik.nonsmooth.laws.forces import NonsmoothConstraints

            self.nonsmooth = NonsmoothConstraints(self.mechanism)
        if inventory.measurements:
            from motorik.motion.feedback import find_tearing_variables

            find_tearing_variables(self.mechanism)
        self.feeds_back = bool(self.mechanism.signals.unknowns)
        self._readings_are_unique = self._limits_are_unique = False  # not looked at yet
        network = self.mechanism.signals.network
        self.projects_network = network is not None and bool(network.ordered.invariants)
        self.projects_loops = bool(f.with_multiplier) and f.gains is None
        self.projects_states = (
            traced.needs_projection(self.mechanism)
            or self.projects_loops
            or self.equilibrium is not None
            or self.projects_network
        )
        # gains leave speeds by which constraints that are one freedom would stop one by one
        is_stabilised = bool(f.with_multiplier) and f.gains is not None
        self.closes_at_events = self.nonsmooth is not None and is_stabilised

    @cached_property
    def n_shared(self) -> int:
        """The number of speeds of links that may share their code."""
        if self.feeds_back:
            return 0
        if self.nonsmooth is not None and self.joint_constraints is None:
            return 0
        return self.solution.n_shared

    @cached_property
    def joint_constraints(self) -> JointConstraints | None:
        """The nonsmooth constraints of a large tree, if each acts along one of its speeds."""
        from motorik.system.native_functions import ROLL_FROM

        if self.nonsmooth is None or self.solution.n_shared < ROLL_FROM:
            return None
        from motorik.nonsmooth.laws.joint_constraints import find_joint_constraints

        return find_joint_constraints(self)

    @property
    def along_joints(self) -> JointConstraints:
        """The nonsmooth constraints along speeds; there must be some, as in all rolled code."""
        assert self.joint_constraints is not None
        return self.joint_constraints

    @property
    def needs_projection(self) -> bool:
        """Whether states are projected after steps; locked freedoms rest without it."""
        sticks = self.nonsmooth is not None and self.joint_constraints is None
        return self.projects_states or sticks

    def by(self, algorithm: str) -> StateSpaceForm:
        """Return the same equations by another algorithm of forward dynamics."""
        other = copy(self)
        other.solution = self.solution.by(algorithm)
        return other

    @property
    def loops(self) -> LoopEquations:
        """The equations of motion with constraints; there must be some."""
        return cast("LoopEquations", self.solution)

    @property
    def equilibrium(self) -> EquilibriumEquations | None:
        """The static equilibrium of massless bodies, None without any."""
        return self.solution.equilibrium

    @property
    def responds(self) -> bool:
        """Whether kernels may solve for the forces of many constraints."""
        reads = self.solution.reads_multipliers
        return not (self.projects_loops or self.equilibrium is not None or reads)

    @property
    def is_audited(self) -> bool:
        """Whether systems of linear equations are solved in an order fixed beforehand."""
        return bool(self.solution.coupled) or self.equilibrium is not None

    def instant(
        self, t: Scalar, x: Scalars, branch_parameters: Branches, tape: Caller | None = None
    ) -> TreeState:
        """Return the mechanism at a state."""
        states = self.layout.split_state(list(x))
        return self.solution.at(t, *states, branch_parameters, tape)

    def constrained(
        self, t: Scalar, x: Scalars, branch_parameters: Branches, tape: Caller | None = None
    ) -> ConstrainedState:
        """Return a mechanism with loops at a state."""
        states = self.layout.split_state(list(x))
        return self.loops.at(t, *states, branch_parameters, tape)

    def from_motion(
        self,
        t: Scalar,
        X: Scalars,
        branch_parameters: Branches | None = None,
        tape: Caller | None = None,
    ) -> TreeState:
        """Return the mechanism in a motion in which everything fits together."""
        motion = self.layout.split(list(X))
        return self.solution.from_all(t, *motion, branch_parameters, tape)

    # --- rates of the state ----------------------------------------------------------------

    def derivative(
        self,
        t: Scalar,
        x: Scalars,
        branch_parameters: Branches,
        tape: Caller | None = None,
    ) -> list[Scalar]:
        """Return dx/dt."""
        instant = self.instant(t, x, branch_parameters, tape)
        if self.nonsmooth is not None:
            if tape is not None:
                return self.along_joints.derivative(instant)
            return self._response_at(instant).solved()
        instant.is_audited = True
        return self._values(instant)

    def _values(self, instant: TreeState) -> list[Scalar]:
        """Return dx/dt, with the readings that forces depend on solved."""
        values = instant.derivative()
        return self._closed(instant, self.layout.split_state(values)[1], values)

    def driven(
        self, t: Scalar, x: Scalars, tau: Scalars | None, branch_parameters: Branches
    ) -> tuple[list[Scalar], list[Scalar], list[Scalar]]:
        """Return dx/dt under forces tau besides the own, u̇ of all speeds, forces that switch."""
        instant = self.instant(t, x, branch_parameters)
        values = instant.derivative(tau=tau)
        n = len(values)
        if self.nonsmooth is not None:
            response = self._response_at(instant, values)
            found = response.solved()
            rates = self.layout.split_state(found)[1]
            return found, instant.all_accelerations(rates), response.forces
        rates = self.layout.split_state(values)[1]
        found = self._closed(instant, rates, [*values, *instant.all_accelerations(rates)])
        return found[:n], found[n:], []

    def audited(
        self,
        t: Scalar,
        x: Scalars,
        branch_parameters: Branches,
        tape: Caller | None = None,
        with_rates: bool = True,
    ) -> list[Scalar]:
        """Return dx/dt, and how far it misses the equations before elimination: 1 is too far.

        Forces that switch are those in p: the equations are the same for all.
        """
        instant, values, faults = self._audited_values(t, x, branch_parameters, tape)
        total: Scalar = 0.0
        for fault in faults.values():
            total = add(total, fault)
        if not with_rates:
            return [self._without_readings(total)]
        if self.nonsmooth is None:
            rates = self.layout.split_state(values)[1]
            return self._closed(instant, rates, [*values, total])
        found = values if tape is not None else self._response_at(instant, values).solved()
        return [*found, self._without_readings(total)]

    def faults(
        self, t: Scalar, x: Scalars, branch_parameters: Branches
    ) -> dict[str, Scalar]:
        """Return the same faults by the parts that the equations are about."""
        found = self._audited_values(t, x, branch_parameters, None)[2]
        return {parts: self._without_readings(fault) for parts, fault in found.items()}

    def _audited_values(
        self, t: Scalar, x: Scalars, branch_parameters: Branches, tape: Caller | None
    ) -> tuple[TreeState, list[Scalar], dict[str, Scalar]]:
        instant = self.instant(t, x, branch_parameters, tape)
        instant.is_audited = self.nonsmooth is None
        if self.nonsmooth is not None and tape is not None:
            values = self.along_joints.derivative(instant)
        else:
            values = instant.derivative(audits=True)
        return instant, values, instant.faults(self.layout.split_state(values)[1])

    def _without_readings(self, value: Scalar) -> Scalar:
        """Return a value with zero for readings that forces depend on."""
        import casadi

        unknowns = self.mechanism.signals.unknowns.values()
        y = casadi.SX(casadi.vertcat(*(s for _, symbols in unknowns for s in symbols)))
        return casadi.substitute(casadi.SX(value), y, casadi.SX.zeros(y.shape))

    def _closed(
        self, instant: TreeState, rates: Scalars, values: list[Scalar]
    ) -> list[Scalar]:
        if not self.feeds_back:
            return values
        from motorik.motion.feedback import closed

        motion = self._open(instant, rates)
        found = closed(motion, values)
        self._check_readings(motion, values)
        return found

    def _open(self, instant: TreeState, rates: Scalars) -> MotionView:
        """Return the motion with these rates; readings that forces depend on are unknowns."""
        ud = instant.all_accelerations(rates)
        return instant.moving(ud, is_cut=self.feeds_back)

    def _check_readings(self, motion: MotionView, values: Scalars) -> None:
        if not (self.feeds_back and self.solution.reads_multipliers):
            return
        if not self._readings_are_unique:
            from motorik.system.unique_reactions import check_readings

            check_readings(self.loops, motion, values)
            self._readings_are_unique = True

    def torn_equations(
        self, t: Scalar, x: Scalars, branch_parameters: Branches
    ) -> TornEquations:
        """Return the equations, with sensor values that forces depend on as unknowns."""
        from motorik.nonsmooth.laws.algebraic_loops import TornEquations

        instant = self.instant(t, x, branch_parameters)
        values = instant.derivative()
        motion = self._open(instant, self.layout.split_state(values)[1])
        return TornEquations.of(self.nonsmooth, motion, values)

    def linear_response(
        self, t: Scalar, x: Scalars, branch_parameters: Branches
    ) -> LinearResponse | LoopResponse:
        """Return dx/dt by forces that switch."""
        return self._response_at(self.instant(t, x, branch_parameters))

    def traced_response(
        self, t: Scalar, x: Scalars, branch_parameters: Branches, of_motion: bool = False
    ) -> TracedConstraints:
        """Return the equations by the forces of constraints and by rates of the speeds.

        x is the state, or a motion X in which everything fits together.
        """
        import casadi

        assert self.nonsmooth is not None
        given = t, x, branch_parameters
        instant = self.from_motion(*given) if of_motion else self.instant(*given)
        v = elements(casadi.SX.sym("v", len(self.layout.state_u)))
        motion = instant.moving(instant.all_accelerations(v))
        return self.nonsmooth.traced(v, instant.derivative(), motion)

    def linear_response_of_motion(
        self, t: Scalar, X: Scalars, branch_parameters: Branches
    ) -> LinearResponse | LoopResponse:
        """Return dx/dt in a motion in which everything fits together."""
        return self._response_at(self.from_motion(t, X, branch_parameters))

    def _response_at(
        self, instant: TreeState, values: list[Scalar] | None = None
    ) -> LinearResponse | LoopResponse:
        from motorik.nonsmooth.laws.algebraic_loops import response_in

        assert self.nonsmooth is not None
        values = instant.derivative() if values is None else values
        motion = self._open(instant, self.layout.split_state(values)[1])

        def motion_of(values: list[Scalar]) -> MotionView:
            _, rates, _ = self.layout.split_state(values)
            return instant.moving(instant.all_accelerations(rates))

        response = response_in(self.nonsmooth, motion, values, motion_of)
        self._check_readings(motion, values)
        if self.solution.reads_multipliers and not self._limits_are_unique:
            from motorik.system.unique_reactions import check_bounds

            check_bounds(self.loops, self.nonsmooth)
            self._limits_are_unique = True
        return response

    def motion(
        self, t: Scalar, x: Scalars, branch_parameters: Branches, ud: Scalars | None = None
    ) -> MotionView:
        """Return the motion, with the rates of the speeds if they are given."""
        return self.instant(t, x, branch_parameters).moving(ud)

    def all_speed_rates(
        self, t: Scalar, x: Scalars, branch_parameters: Branches
    ) -> list[Scalar]:
        """Return the rates of all speeds at a state."""
        rates = self.derivative(t, x, branch_parameters)
        return self.speed_rates_of(t, x, branch_parameters, rates)

    def speed_rates_of(
        self, t: Scalar, x: Scalars, branch_parameters: Branches, rates: Scalars
    ) -> list[Scalar]:
        """Return the rates of all speeds of a state with these rates."""
        _, independent, _ = self.layout.split_state(list(rates))
        return self.instant(t, x, branch_parameters).all_accelerations(independent)

    def full_state(
        self, t: Scalar, x: Scalars, branch_parameters: Branches, tape: Caller | None = None
    ) -> list[Scalar]:
        """Return X of the state x."""
        instant = self.instant(t, x, branch_parameters, tape)
        return [*map(radians, instant.q), *instant.u, *instant.z]

    def full_state_rates(
        self, t: Scalar, X: Scalars, branch_parameters: Branches, tape: Caller | None = None
    ) -> list[Scalar]:
        """Return dX/dt of a motion in which everything fits together."""
        instant = self.from_motion(t, X, branch_parameters, tape)
        if self.nonsmooth is None:
            values = self._values(instant)
        elif tape is not None:
            values = self.along_joints.derivative(instant)
        else:
            values = self._response_at(instant).solved()
        return self._rates_at(instant, X, values)

    def rates_of_motion(
        self, t: Scalar, X: Scalars, branch_parameters: Branches, values: Scalars
    ) -> list[Scalar]:
        """Return dX/dt of a motion whose state has these rates."""
        return self._rates_at(self.from_motion(t, X, branch_parameters), X, values)

    def _rates_at(self, instant: TreeState, X: Scalars, values: Scalars) -> list[Scalar]:
        q, u, _ = self.layout.split(list(X))
        _, rates, blocks = self.layout.split_state(list(values))
        ud = instant.all_accelerations(rates)
        known = traced.coordinate_rates(self.mechanism, q, u, instant.tape)
        return [*known, *ud, *blocks]

    def required_forces(
        self, t: Scalar, X: Scalars, ud: Scalars, references: References
    ) -> list[Scalar]:
        """Return the generalised forces that a motion needs besides the model's own."""
        if not self.feeds_back or self.formulation.is_empty:
            q, u, z = self.layout.split(list(X))
            return traced.required_forces(self.mechanism, q, u, ud, t, z, references)
        from motorik.motion.feedback import closed

        instant = self.loops.from_all(t, *self.layout.split(list(X)))
        return closed(instant.moving(ud, is_cut=True), instant.needed_forces(ud))

    def speed_rates(
        self,
        t: Scalar,
        X: Scalars,
        tau: Scalars,
        branch_parameters: Branches | None,
        tape: Caller | None = None,
    ) -> list[Scalar]:
        """Return the rates of all speeds under forces tau besides the model's own."""
        instant = self.from_motion(t, X, branch_parameters, tape)
        if self.nonsmooth is not None and tape is not None:
            return self.along_joints.solved(instant, tau).rates
        rates = instant.accelerations(tau)
        if self.nonsmooth is None:
            rates = self._closed(instant, rates, rates)
        else:
            from motorik.nonsmooth.laws.algebraic_loops import response_in

            motion = self._open(instant, rates)
            rates = response_in(self.nonsmooth, motion, rates).solved()
        return instant.all_accelerations(rates)

    # --- projection ------------------------------------------------------------------------

    def closed_state(
        self, t: Scalar, x: Scalars, branch_parameters: Branches
    ) -> list[Scalar]:
        """Return the state with unit quaternions."""
        states = self._normalised(self.layout.split_state(list(x))[0])
        closed = [*states, *x[len(states) :]]
        if not self.projects_network:
            return closed
        return self._projected_network(t, closed, branch_parameters)

    def _projected_network(
        self, t: Scalar, x: list[Scalar], branch_parameters: Branches
    ) -> list[Scalar]:
        """Return the state with the invariants of the equations of parts satisfied."""
        q, u, z = self.layout.split_state(x)
        network = self.mechanism.signals.network
        assert network is not None

        def motion_of(z: Scalars) -> MotionView:
            return self.motion(t, [*q, *u, *z], branch_parameters)

        return [*q, *u, *network.projected(z, motion_of)]

    def _normalised(self, q: Scalars) -> list[Scalar]:
        """Return the coordinates of the state with unit quaternions."""
        states = dict(zip(self.formulation.state_q, q, strict=True))
        for link in self.mechanism.links:
            if link.joint.needs_projection:
                own = link.joint.projected([states[k] for k in link.q])
                states.update(zip(link.q, own, strict=True))
        return [states[k] for k in self.formulation.state_q]

    def projected(
        self, t: Scalar, x: Scalars, branch_parameters: Branches, tape: Caller | None = None
    ) -> list[Scalar]:
        """Return the state with loops closed, unit quaternions, and what sticks at rest.

        The equations that close loops are audited: where elimination does not solve them, the
        state is not a number.
        """
        q, u, z = self.layout.split_state(list(x))
        q = self._normalised(q)  # else loops are closed with scaled rotations
        shift: list[Scalar] = []
        faults: list[Scalar] = []
        if self.projects_loops and tape is not None:
            now = self.constrained(t, [*q, *u, *z], branch_parameters, tape)
            q, u, faults = now.projected()
        elif self.projects_loops:
            q, u, shift, faults = self.loops.projected(t, q, u, z, branch_parameters)
        if self.equilibrium is not None:
            q = self.loops.in_equilibrium(t, q, u, z, branch_parameters, tape)
        if self.projects_loops or self.equilibrium is not None:
            q = self._normalised(q)
        closed = self._audited([*q, *u, *z], faults)
        if self.projects_network:
            closed = self._projected_network(t, closed, branch_parameters)
        if tape is not None or self.nonsmooth is None:
            return closed
        stuck = self._where_it_stuck(t, closed, shift, branch_parameters)
        return self._at_rest(t, stuck, branch_parameters)

    def _at_rest(
        self, t: Scalar, x: list[Scalar], branch_parameters: Branches
    ) -> list[Scalar]:
        """Return a state with the speeds of all sticking constraints put to zero.

        States of blocks are moved by shares of the branches of laws alone.
        """
        assert self.nonsmooth is not None
        response = self.linear_response(t, x, branch_parameters)
        speeds = self.nonsmooth.speeds(self.motion(t, x, branch_parameters))
        impulses = response.stopping_impulses(speeds)
        change = response.change_by(impulses)
        first = len(self.layout.state_q)
        last = first + len(self.layout.state_u)
        rest = [add(v, change[k]) if first <= k < last else v for k, v in enumerate(x)]
        of_sliding_modes = self.nonsmooth.of_sliding_modes
        if any(of_sliding_modes):
            own = zip(impulses, of_sliding_modes, strict=True)
            change = response.change_by(
                [value if is_sliding_mode else 0.0 for value, is_sliding_mode in own]
            )
            rest = [add(v, change[k]) if k >= last else v for k, v in enumerate(rest)]
        return rest

    def closing(self, t: Scalar, x: Scalars, branch_parameters: Branches) -> list[Scalar]:
        """Return the change of the state that closes the speeds of loops held by gains."""
        q, u, z = self.layout.split_state(list(x))
        _, closed, _, _ = self.loops.projected(
            t, q, u, z, branch_parameters, only_speeds=True
        )
        changes = [sub(a, b) for a, b in zip(closed, u, strict=True)]
        return [*([0.0] * len(q)), *changes, *([0.0] * len(z))]

    def _audited(self, x: list[Scalar], faults: Scalars) -> list[Scalar]:
        """Return a state, not a number where equations of units are not solved."""
        for fault in faults:
            x[0] = where(fault <= 1.0, x[0], float("nan"))
        return x

    def _where_it_stuck(
        self, t: Scalar, x: list[Scalar], shift: Scalars, branch_parameters: Branches
    ) -> list[Scalar]:
        """Return a state with sticking constraints where they were before a shift closed loops.

        They are moved back as impulses would move them, so that the loops stay closed.
        """
        if not shift:
            return x
        assert self.nonsmooth is not None
        q, u, z = self.layout.split_state(x)
        state_u, state_q = self.formulation.state_u, self.formulation.state_q
        along = [shift[k] for k in state_u]
        moved, still = (
            self.nonsmooth.speeds(self.motion(t, [*q, *speeds, *z], branch_parameters))
            for speeds in (along, [0.0] * len(u))
        )
        response = self.linear_response(t, x, branch_parameters)
        rows = [sub(a, b) for a, b in zip(moved, still, strict=True)]
        back = self.layout.split_state(
            response.change_by(response.stopping_impulses(rows))
        )[1]
        speeds: list[Scalar] = [0.0] * self.mechanism.n_u
        for k, value in zip(state_u, back, strict=True):
            speeds[k] = value
        here = self.instant(t, x, branch_parameters).q
        rates = traced.coordinate_rates(self.mechanism, here, speeds)
        return [*(add(v, rates[k]) for k, v in zip(state_q, q, strict=True)), *u, *z]
