"""LoopForm: the equations of a mechanism with loops as functions of time, state and parameters.

The state x holds the coordinates and speeds that are states and the states of signal blocks;
the motion X = (q, u, z) holds all of them (`Layout`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Literal

from motorik.algebra.scalar import add, sub, where
from motorik.compiler.symbols import elements
from motorik.errors import AssemblyError
from motorik.motion import traced
from motorik.motion.feedback import algebraic_loop_in, closed, find_tearing_variables
from motorik.motion.steps import radians
from motorik.nonsmooth.laws.algebraic_loops import TornEquations, response_in
from motorik.nonsmooth.laws.forces import NonsmoothConstraints

if TYPE_CHECKING:
    from motorik.algebra.scalar import Scalar
    from motorik.dynamics.articulated import Caller
    from motorik.loops.equations_of_motion import ConstrainedState, LoopEquations
    from motorik.loops.formulation import Formulation
    from motorik.motion.view import MotionView
    from motorik.nonsmooth.laws.algebraic_loops import LoopResponse
    from motorik.nonsmooth.laws.forces import LinearResponse, TracedConstraints
    from motorik.system.layout import Layout
    from motorik.system.tree_form import Scalars

from motorik.system.tree_form import at_rest

# --- reactions that must be unique --------------------------------------------------------


def check_bounds(loops: LoopEquations, nonsmooth: NonsmoothConstraints) -> None:
    """Refuse friction that follows from a reaction which redundant rows leave open."""
    unique = loops.are_unique(
        lambda motion: [bounds.high for bounds in nonsmooth.bounds(motion)]
    )
    for constraint, is_unique in zip(nonsmooth.constraints, unique, strict=True):
        if not is_unique:
            _refuse(
                loops, constraint.part.path, "its friction follows from its own reaction"
            )


def check_readings(
    loops: LoopEquations, motion: MotionView, values: Sequence[Scalar]
) -> None:
    """Refuse forces that follow from readings which redundant rows leave open."""
    import casadi

    found = algebraic_loop_in(motion, casadi.SX(casadi.vertcat(*values)))
    wanted = [symbol.element_hash() for symbol in found.y]
    unknowns = motion.mechanism.signals.unknowns.values()

    def readings(motion: MotionView) -> list[Scalar]:
        read = {
            symbol.element_hash(): value
            for sensor, symbols in unknowns
            if any(sensor is own for own in found.sensors)
            for symbol, value in zip(symbols, sensor.reading(motion), strict=True)
        }
        return [read[own] for own in wanted]

    unique = loops.are_unique(readings)
    for sensor, is_unique in zip(found.sensors, unique, strict=True):
        if not is_unique:
            _refuse(
                loops, sensor.part.path, "a force depends on the reaction that it reads"
            )


def _refuse(loops: LoopEquations, part: str, what: str) -> None:
    decisions = loops.formulation.decisions
    redundant = [d.cluster for d in decisions if d.cluster.redundant]
    names = ", ".join(sorted(n for c in redundant for n in c.names(loops.mechanism)))
    raise AssemblyError(
        part,
        f"{what}, which is not unique: it stands in a loop with redundant constraints "
        f"({names}), and nothing tells how they share the load.",
        "Replace a joint of the loop by one with more freedom, e.g. a hinge by a cylindrical or "
        "spherical joint, until nothing is redundant, or use components that are unique, "
        "such as the forces in the plane of a planar loop.",
    )


SMALL = 24  # speeds up to which it is not asked which units are alike


class LoopForm:
    """The equations of a mechanism with loops, as its formulation sets them up."""

    has_loops: ClassVar[Literal[True]] = True

    algorithm = "loops closed within"

    def __init__(self, loops: LoopEquations, layout: Layout) -> None:
        self.loops, self.layout = loops, layout
        self.mechanism = loops.mechanism
        f = loops.formulation
        self.nonsmooth = NonsmoothConstraints.of(self.mechanism)
        switches = self.nonsmooth is not None
        find_tearing_variables(self.mechanism)
        self.feeds_back = bool(self.mechanism.signals.unknowns)
        self._readings_are_unique = self._limits_are_unique = False  # not looked at yet
        self.equilibrium = loops.equilibrium
        has_massless = self.equilibrium is not None
        shares = not (switches or has_massless or self.feeds_back)
        can_share = self.mechanism.n_u >= SMALL and shares
        self.n_shared = loops.n_shared if can_share else 0
        self.projects_loops = bool(f.with_multiplier) and f.gains is None
        self.projects_states = (
            traced.needs_projection(self.mechanism) or self.projects_loops or has_massless
        )
        self.needs_projection = self.projects_states or (switches and not f.iterates)
        # gains leave speeds by which constraints that are one freedom would stop one by one
        self.closes_at_events = switches and bool(f.with_multiplier) and f.gains is not None

    @property
    def responds(self) -> bool:
        """Whether kernels may solve for the forces of many constraints."""
        reads = self.loops.reads_multipliers
        return not (self.projects_loops or self.equilibrium is not None or reads)

    @property
    def formulation(self) -> Formulation:
        """How loops are solved."""
        return self.loops.formulation

    def instant(
        self, t: Scalar, x: Scalars, extra: Scalars, tape: Caller | None = None
    ) -> ConstrainedState:
        """Return the mechanism at a state."""
        return self.loops.at(t, *self.layout.split_state(list(x)), extra, tape)

    def from_motion(
        self, t: Scalar, X: Scalars, extra: Scalars = (), tape: Caller | None = None
    ) -> ConstrainedState:
        """Return the mechanism in a motion in which everything fits together."""
        return self.loops.from_all(t, *self.layout.split(list(X)), extra, tape)

    def derivative(
        self,
        t: Scalar,
        x: Scalars,
        extra: Scalars,
        algorithm: str = "",
        tape: Caller | None = None,
    ) -> list[Scalar]:
        """Return dx/dt."""
        if self.nonsmooth is not None:
            return self.linear_response(t, x, extra).solved()
        instant = self.instant(t, x, extra, tape)
        instant.is_audited = True
        return self._values(instant)

    def _values(self, instant: ConstrainedState) -> list[Scalar]:
        """Return dx/dt, with the readings that forces depend on solved."""
        values = instant.derivative()
        return self._closed(instant, self.layout.split_state(values)[1], values)

    @property
    def is_audited(self) -> bool:
        """Whether systems of linear equations are solved in an order fixed beforehand."""
        return bool(self.loops.coupled) or self.equilibrium is not None

    def audited(
        self,
        t: Scalar,
        x: Scalars,
        extra: Scalars,
        tape: Caller | None = None,
        with_rates: bool = True,
    ) -> list[Scalar]:
        """Return dx/dt, and how far it misses the equations before elimination: 1 is too far.

        Forces that switch are those in p: the equations are the same for all.
        """
        instant, values, faults = self._audited_values(t, x, extra, tape)
        total: Scalar = 0.0
        for fault in faults.values():
            total = add(total, fault)
        if not with_rates:
            return [self._without_readings(total)]
        if self.nonsmooth is None:
            rates = self.layout.split_state(values)[1]
            return self._closed(instant, rates, [*values, total])
        found = self._response_at(instant, values).solved()
        return [*found, self._without_readings(total)]

    def faults(self, t: Scalar, x: Scalars, extra: Scalars) -> dict[str, Scalar]:
        """Return the same faults by the parts that the equations are about."""
        found = self._audited_values(t, x, extra, None)[2]
        return {parts: self._without_readings(fault) for parts, fault in found.items()}

    def _audited_values(
        self, t: Scalar, x: Scalars, extra: Scalars, tape: Caller | None
    ) -> tuple[ConstrainedState, list[Scalar], dict[str, Scalar]]:
        instant = self.instant(t, x, extra, tape)
        instant.is_audited = self.nonsmooth is None
        values = instant.derivative(audits=True)
        return instant, values, instant.faults(self.layout.split_state(values)[1])

    def _without_readings(self, value: Scalar) -> Scalar:
        """Return a value with zero for readings that forces depend on."""
        import casadi

        unknowns = self.mechanism.signals.unknowns.values()
        y = casadi.SX(casadi.vertcat(*(s for _, symbols in unknowns for s in symbols)))
        return casadi.substitute(casadi.SX(value), y, casadi.SX.zeros(y.shape))

    def _closed(
        self, instant: ConstrainedState, rates: Scalars, values: list[Scalar]
    ) -> list[Scalar]:
        if not self.feeds_back:
            return values
        motion = self._open(instant, rates)
        found = closed(motion, values)
        self._check_readings(motion, values)
        return found

    def _open(self, instant: ConstrainedState, rates: Scalars) -> MotionView:
        """Return the motion with these rates; readings that forces depend on are unknowns."""
        ud = instant.all_accelerations(rates)
        return instant.moving(ud, is_cut=self.feeds_back)

    def _check_readings(self, motion: MotionView, values: Scalars) -> None:
        if not (self.feeds_back and self.loops.reads_multipliers):
            return
        if not self._readings_are_unique:
            check_readings(self.loops, motion, values)
            self._readings_are_unique = True

    def torn_equations(self, t: Scalar, x: Scalars, extra: Scalars) -> TornEquations:
        """Return what the equations compute, with readings that forces depend on as unknowns."""
        instant = self.instant(t, x, extra)
        values = instant.derivative()
        motion = self._open(instant, self.layout.split_state(values)[1])
        return TornEquations.of(self.nonsmooth, motion, values)

    def linear_response(
        self, t: Scalar, x: Scalars, extra: Scalars
    ) -> LinearResponse | LoopResponse:
        """Return dx/dt by forces that switch."""
        return self._response_at(self.instant(t, x, extra))

    def traced_response(
        self, t: Scalar, x: Scalars, extra: Scalars, of_motion: bool = False
    ) -> TracedConstraints:
        """Return the equations by the forces of constraints and by rates of the speeds.

        x is the state, or a motion X in which everything fits together.
        """
        import casadi

        assert self.nonsmooth is not None
        given = t, x, extra
        instant = self.from_motion(*given) if of_motion else self.instant(*given)
        v = elements(casadi.SX.sym("v", len(self.layout.state_u)))
        motion = instant.moving(instant.all_accelerations(v))
        return self.nonsmooth.traced(v, instant.derivative(), motion)

    def closed_state(self, t: Scalar, x: Scalars, extra: Scalars) -> list[Scalar]:
        """Return the state with unit quaternions."""
        states = self._normalised(self.layout.split_state(list(x))[0])
        return [*states, *x[len(states) :]]

    def _normalised(self, q: Scalars) -> list[Scalar]:
        """Return the coordinates of the state with unit quaternions."""
        states = dict(zip(self.formulation.state_q, q, strict=True))
        for link in self.mechanism.links:
            if link.joint.needs_projection:
                own = link.joint.projected([states[k] for k in link.q])
                states.update(zip(link.q, own, strict=True))
        return [states[k] for k in self.formulation.state_q]

    def linear_response_of_motion(
        self, t: Scalar, X: Scalars, extra: Scalars
    ) -> LinearResponse | LoopResponse:
        """Return dx/dt in a motion in which everything fits together."""
        return self._response_at(self.from_motion(t, X, extra))

    def _response_at(
        self, instant: ConstrainedState, values: list[Scalar] | None = None
    ) -> LinearResponse | LoopResponse:
        assert self.nonsmooth is not None
        values = instant.derivative() if values is None else values
        motion = self._open(instant, self.layout.split_state(values)[1])

        def motion_of(values: list[Scalar]) -> MotionView:
            _, rates, _ = self.layout.split_state(values)
            return instant.moving(instant.all_accelerations(rates))

        response = response_in(self.nonsmooth, motion, values, motion_of)
        self._check_readings(motion, values)
        if self.loops.reads_multipliers and not self._limits_are_unique:
            check_bounds(self.loops, self.nonsmooth)
            self._limits_are_unique = True
        return response

    def motion(
        self, t: Scalar, x: Scalars, extra: Scalars, ud: Scalars | None = None
    ) -> MotionView:
        """Return the motion, with the rates of the speeds if they are given."""
        return self.instant(t, x, extra).moving(ud)

    def all_speed_rates(self, t: Scalar, x: Scalars, extra: Scalars) -> list[Scalar]:
        """Return the rates of all speeds at a state."""
        return self.speed_rates_of(t, x, extra, self.derivative(t, x, extra))

    def speed_rates_of(
        self, t: Scalar, x: Scalars, extra: Scalars, rates: Scalars
    ) -> list[Scalar]:
        """Return the rates of all speeds of a state with these rates."""
        _, independent, _ = self.layout.split_state(list(rates))
        return self.instant(t, x, extra).all_accelerations(independent)

    def full_state(
        self, t: Scalar, x: Scalars, extra: Scalars, tape: Caller | None = None
    ) -> list[Scalar]:
        """Return X of the state x."""
        instant = self.instant(t, x, extra, tape)
        return [*map(radians, instant.q), *instant.u, *instant.z]

    def full_state_rates(
        self, t: Scalar, X: Scalars, extra: Scalars, tape: Caller | None = None
    ) -> list[Scalar]:
        """Return dX/dt of a motion in which everything fits together."""
        instant = self.from_motion(t, X, extra, tape)
        if self.nonsmooth is None:
            values = self._values(instant)
        else:
            values = self._response_at(instant).solved()
        return self._rates_at(instant, X, values)

    def rates_of_motion(
        self, t: Scalar, X: Scalars, extra: Scalars, values: Scalars
    ) -> list[Scalar]:
        """Return dX/dt of a motion whose state has these rates."""
        return self._rates_at(self.from_motion(t, X, extra), X, values)

    def _rates_at(
        self, instant: ConstrainedState, X: Scalars, values: Scalars
    ) -> list[Scalar]:
        q, u, _ = self.layout.split(list(X))
        _, rates, blocks = self.layout.split_state(list(values))
        ud = instant.all_accelerations(rates)
        known = traced.coordinate_rates(self.mechanism, q, u, instant.tape)
        return [*known, *ud, *blocks]

    def required_forces(self, t: Scalar, X: Scalars, ud: Scalars) -> list[Scalar]:
        """Return the generalised forces that a motion needs besides the model's own."""
        instant = self.from_motion(t, X)
        needed = instant.needed_forces(ud)
        return closed(instant.moving(ud, is_cut=True), needed)

    def speed_rates(
        self,
        t: Scalar,
        X: Scalars,
        tau: Scalars,
        extra: Scalars,
        algorithm: str = "",
        tape: Caller | None = None,
    ) -> list[Scalar]:
        """Return the rates of all speeds under forces tau besides the model's own."""
        instant = self.from_motion(t, X, extra, tape)
        rates = instant.accelerations(tau)
        if self.nonsmooth is None:
            rates = self._closed(instant, rates, rates)
        else:
            motion = self._open(instant, rates)
            rates = response_in(self.nonsmooth, motion, rates).solved()
        return instant.all_accelerations(rates)

    def projected(
        self, t: Scalar, x: Scalars, extra: Scalars, tape: Caller | None = None
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
            q, u, faults = self.instant(t, [*q, *u, *z], extra, tape).projected()
        elif self.projects_loops:
            q, u, shift, faults = self.loops.projected(t, q, u, z, extra)
        if self.equilibrium is not None:
            q = self.loops.in_equilibrium(t, q, u, z, extra)
        closed = self._audited([*self._normalised(q), *u, *z], faults)
        if tape is not None or self.nonsmooth is None or self.formulation.iterates:
            return closed  # what is found by iteration is at rest by its rates alone
        return at_rest(self, t, self._where_it_stuck(t, closed, shift, extra), extra)

    def closing(self, t: Scalar, x: Scalars, extra: Scalars) -> list[Scalar]:
        """Return the change of the state that closes the speeds of loops held by gains."""
        q, u, z = self.layout.split_state(list(x))
        _, closed, _, _ = self.loops.projected(t, q, u, z, extra, only_speeds=True)
        changes = [sub(a, b) for a, b in zip(closed, u, strict=True)]
        return [*([0.0] * len(q)), *changes, *([0.0] * len(z))]

    def _audited(self, x: list[Scalar], faults: Scalars) -> list[Scalar]:
        """Return a state, not a number where equations of units are not solved."""
        for fault in faults:
            x[0] = where(fault <= 1.0, x[0], float("nan"))
        return x

    def _where_it_stuck(
        self, t: Scalar, x: list[Scalar], shift: Scalars, extra: Scalars
    ) -> list[Scalar]:
        """Return a state whose rows that stick are where they were before a shift closed loops.

        They are moved back as impulses would move them, so that the loops stay closed.
        """
        if not shift:
            return x
        assert self.nonsmooth is not None
        q, u, z = self.layout.split_state(x)
        state_u, state_q = self.formulation.state_u, self.formulation.state_q
        along = [shift[k] for k in state_u]
        moved, still = (
            self.nonsmooth.speeds(self.motion(t, [*q, *speeds, *z], extra))
            for speeds in (along, [0.0] * len(u))
        )
        response = self.linear_response(t, x, extra)
        rows = [sub(a, b) for a, b in zip(moved, still, strict=True)]
        back = self.layout.split_state(
            response.change_by(response.stopping_impulses(rows))
        )[1]
        speeds: list[Scalar] = [0.0] * self.mechanism.n_u
        for k, value in zip(state_u, back, strict=True):
            speeds[k] = value
        here = self.instant(t, x, extra).q
        rates = traced.coordinate_rates(self.mechanism, here, speeds)
        return [*(add(v, rates[k]) for k, v in zip(state_q, q, strict=True)), *u, *z]
