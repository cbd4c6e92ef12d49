"""TreeForm: the equations of a tree as functions of time, state and parameters.

The state x holds the coordinates and speeds that are states and the states of signal blocks;
the motion X = (q, u, z) holds all of them (`Layout`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Literal

from motorik.algebra.scalar import Scalar, add
from motorik.compiler.symbols import elements
from motorik.motion import traced
from motorik.motion.view import MotionView

if TYPE_CHECKING:
    from motorik.dynamics.articulated import Caller
    from motorik.loops.recursion import CoupledTree
    from motorik.nonsmooth.laws.algebraic_loops import LoopResponse, TornEquations
    from motorik.nonsmooth.laws.forces import (
        LinearResponse,
        NonsmoothConstraints,
        TracedConstraints,
    )
    from motorik.system.layout import Layout
    from motorik.system.loop_form import LoopForm
    from motorik.topology.mechanism import Mechanism

# --- states with sticking constraints at rest ---------------------------------------------


Scalars = Sequence[Scalar]


def at_rest(
    form: TreeForm | LoopForm, t: Scalar, x: list[Scalar], extra: Scalars
) -> list[Scalar]:
    """Return a state with the speeds of all rows that stick put to zero.

    States of blocks are moved by shares of the branches of laws alone.
    """
    if form.nonsmooth is None:
        return x
    response = form.linear_response(t, x, extra)
    speeds = form.nonsmooth.speeds(form.motion(t, x, extra))
    impulses = response.stopping_impulses(speeds)
    change = response.change_by(impulses)
    first = len(form.layout.state_q)
    last = first + len(form.layout.state_u)
    rest = [add(v, change[k]) if first <= k < last else v for k, v in enumerate(x)]
    of_sliding_modes = form.nonsmooth.of_sliding_modes
    if any(of_sliding_modes):
        own = zip(impulses, of_sliding_modes, strict=True)
        change = response.change_by(
            [value if is_sliding_mode else 0.0 for value, is_sliding_mode in own]
        )
        rest = [add(v, change[k]) if k >= last else v for k, v in enumerate(rest)]
    return rest


class TreeForm:
    """The equations of a mechanism without loops: all coordinates are states."""

    has_loops: ClassVar[Literal[False]] = False
    formulation = None
    equilibrium = None
    responds = True  # kernels may solve for the forces of many constraints
    algorithm = traced.ARTICULATED
    is_audited = False  # no system of equations is solved in an order fixed beforehand

    def __init__(self, mechanism: Mechanism, layout: Layout) -> None:
        self.mechanism, self.layout = mechanism, layout
        self.nonsmooth: NonsmoothConstraints | None = None
        if mechanism.inventory.nonsmooth:
            from motorik.nonsmooth.laws.forces import NonsmoothConstraints

            self.nonsmooth = NonsmoothConstraints(mechanism)
        switches = self.nonsmooth is not None
        if mechanism.inventory.measurements:
            from motorik.motion.feedback import find_tearing_variables

            find_tearing_variables(mechanism)
        self.feeds_back = bool(mechanism.signals.unknowns)
        self.projects_states = traced.needs_projection(mechanism)
        self.needs_projection = self.projects_states or switches
        self.closes_at_events = False
        # speeds of links that may share their code
        self.n_shared = 0 if switches or self.feeds_back else mechanism.n_u
        self.coupled: CoupledTree | None = None
        if mechanism.coupled_masses:
            from motorik.loops.recursion import CoupledTree

            self.coupled = CoupledTree(mechanism)

    def derivative(
        self,
        t: Scalar,
        x: Scalars,
        extra: Scalars,
        algorithm: str = traced.ARTICULATED,
        tape: Caller | None = None,
    ) -> list[Scalar]:
        """Return dx/dt."""
        if self.nonsmooth is not None:
            return self.linear_response(t, x, extra, algorithm).solved()
        rates = self._closed_rates(x, None, algorithm, tape, t)
        return traced.state_rates(self.mechanism, t, x, rates, tape)

    def _rates(
        self,
        x: Scalars,
        tau: Scalars | None,
        algorithm: str,
        tape: Caller | None,
        t: Scalar,
    ) -> list[Scalar]:
        """Return the rates of the speeds, in terms of the readings that forces depend on."""
        q, u, z = self.layout.split(list(x))
        if self.coupled is not None:
            return self.coupled.speed_rates(q, u, tau, tape, t, z)
        return traced.speed_rates(self.mechanism, q, u, tau, tape, algorithm, t, z)

    def _closed_rates(
        self,
        x: Scalars,
        tau: Scalars | None,
        algorithm: str,
        tape: Caller | None,
        t: Scalar,
    ) -> list[Scalar]:
        """Return the rates of the speeds, with the readings that forces depend on solved."""
        rates = self._rates(x, tau, algorithm, tape, t)
        if not self.feeds_back:
            return rates
        from motorik.motion.feedback import closed

        return closed(self._open(t, x, rates), rates)

    def linear_response(
        self,
        t: Scalar,
        x: Scalars,
        extra: Scalars,
        algorithm: str = traced.ARTICULATED,
        tau: Scalars | None = None,
    ) -> LinearResponse | LoopResponse:
        """Return dx/dt, or with forces tau the rates of the speeds, by forces that switch."""
        from motorik.nonsmooth.laws.algebraic_loops import response_in

        assert self.nonsmooth is not None
        rates = self._rates(x, tau, algorithm, None, t)
        motion = self._open(t, x, rates)
        if tau is not None:
            return response_in(self.nonsmooth, motion, rates)

        def motion_of(values: list[Scalar]) -> MotionView:
            return self.motion(t, x, extra, self.layout.split(values)[1])

        return response_in(self.nonsmooth, motion, self._values(motion), motion_of)

    def _open(self, t: Scalar, x: Scalars, rates: Scalars) -> MotionView:
        """Return the motion with these rates; readings that forces depend on are unknowns."""
        q, u, z = self.layout.split(list(x))
        return MotionView(self.mechanism, q, u, rates, t, z, is_cut=self.feeds_back)

    def _values(self, motion: MotionView) -> list[Scalar]:
        """Return dx/dt of a motion."""
        mechanism, z = self.mechanism, list(motion.z)
        values = [
            *traced.coordinate_rates(mechanism, motion.q, motion.u),
            *motion.known_rates,
        ]
        return values + (mechanism.signals.rates(motion, z, motion.t) if z else [])

    def torn_equations(self, t: Scalar, x: Scalars, extra: Scalars) -> TornEquations:
        """Return what the equations compute, with readings that forces depend on as unknowns."""
        from motorik.nonsmooth.laws.algebraic_loops import TornEquations

        motion = self._open(t, x, self._rates(x, None, traced.ARTICULATED, None, t))
        return TornEquations.of(self.nonsmooth, motion, self._values(motion))

    def traced_response(
        self, t: Scalar, x: Scalars, extra: Scalars, of_motion: bool = False
    ) -> TracedConstraints:
        """Return the equations by the forces of constraints and by rates of the speeds."""
        import casadi

        assert self.nonsmooth is not None
        rates = self._rates(x, None, traced.ARTICULATED, None, t)
        v = elements(casadi.SX.sym("v", len(rates)))
        motion = self.motion(t, x, extra, v)
        values = self._values(self.motion(t, x, extra, rates))
        return self.nonsmooth.traced(v, values, motion)

    def closed_state(self, t: Scalar, x: Scalars, extra: Scalars) -> list[Scalar]:
        """Return the state with unit quaternions."""
        return traced.projected(self.mechanism, x)

    def linear_response_of_motion(
        self, t: Scalar, X: Scalars, extra: Scalars
    ) -> LinearResponse | LoopResponse:
        """Return dX/dt by forces that switch."""
        return self.linear_response(t, X, extra)

    def motion(
        self, t: Scalar, x: Scalars, extra: Scalars, ud: Scalars | None = None
    ) -> MotionView:
        """Return the motion, with the rates of the speeds if they are given."""
        q, u, z = self.layout.split(list(x))
        return MotionView(self.mechanism, q, u, ud, t, z)

    def all_speed_rates(self, t: Scalar, x: Scalars, extra: Scalars) -> list[Scalar]:
        """Return the rates of all speeds at a state."""
        return self.layout.split(self.derivative(t, x, extra))[1]

    def speed_rates_of(
        self, t: Scalar, x: Scalars, extra: Scalars, rates: Scalars
    ) -> list[Scalar]:
        """Return the rates of all speeds of a state with these rates."""
        return self.layout.split(list(rates))[1]

    def rates_of_motion(
        self, t: Scalar, X: Scalars, extra: Scalars, values: Scalars
    ) -> list[Scalar]:
        """Return dX/dt of a motion whose state has these rates."""
        return list(values)

    def full_state(
        self, t: Scalar, x: Scalars, extra: Scalars, tape: Caller | None = None
    ) -> list[Scalar]:
        """Return X of the state x."""
        return list(x)

    def full_state_rates(
        self, t: Scalar, X: Scalars, extra: Scalars, tape: Caller | None = None
    ) -> list[Scalar]:
        """Return dX/dt."""
        return self.derivative(t, X, extra, tape=tape)

    def speed_rates(
        self,
        t: Scalar,
        X: Scalars,
        tau: Scalars,
        extra: Scalars,
        algorithm: str = traced.ARTICULATED,
        tape: Caller | None = None,
    ) -> list[Scalar]:
        """Return the rates of all speeds under forces tau besides the model's own."""
        if self.nonsmooth is not None:
            return self.linear_response(t, X, extra, algorithm, tau).solved()
        return self._closed_rates(X, tau, algorithm, tape, t)

    def projected(
        self, t: Scalar, x: Scalars, extra: Scalars, tape: Caller | None = None
    ) -> list[Scalar]:
        """Return the state with unit quaternions, and what sticks at rest."""
        return at_rest(self, t, traced.projected(self.mechanism, x), extra)
