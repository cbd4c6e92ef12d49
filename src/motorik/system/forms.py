"""The equations of a mechanism in one form, whether it has loops or not.

The state x holds the coordinates and speeds that are states and the states of signal blocks;
the motion X = (q, u, z) holds all of them (`Layout`).
"""

from __future__ import annotations

from collections.abc import Sequence

from motorik.algebra.scalar import Scalar
from motorik.dynamics.articulated import Caller
from motorik.loops.constrained import ConstrainedState
from motorik.loops.correction import corrected
from motorik.loops.coupled_tree import CoupledTree
from motorik.loops.formulation import Formulation
from motorik.loops.loop_equations import LoopEquations
from motorik.motion import traced
from motorik.motion.steps import radians
from motorik.system.layout import Layout
from motorik.topology.mechanism import Mechanism

Scalars = Sequence[Scalar]
SMALL = 24  # speeds up to which it is not asked which units are alike


class TreeForm:
    """The equations of a mechanism without loops: all coordinates are states."""

    formulation = None

    def __init__(self, mechanism: Mechanism, layout: Layout) -> None:
        self.mechanism, self.layout = mechanism, layout
        self.needs_projection = traced.needs_projection(mechanism)
        self.n_alike = mechanism.n_u  # speeds of links that may share their code
        masses = mechanism.coupled_masses
        self.coupled = CoupledTree(mechanism) if masses else None

    def derivative(
        self,
        t: Scalar,
        x: Scalars,
        extra: Scalars,
        algorithm: str = traced.ARTICULATED,
        tape: Caller | None = None,
    ) -> list[Scalar]:
        """Return dx/dt."""
        rates = self._rates(x, None, algorithm, tape, t)
        return traced.state_rates(self.mechanism, t, x, rates, tape)

    def _rates(
        self,
        x: Scalars,
        tau: Scalars | None,
        algorithm: str,
        tape: Caller | None,
        t: Scalar,
    ) -> list[Scalar]:
        q, u, z = self.layout.split(list(x))
        if self.coupled is not None:
            return self.coupled.speed_rates(q, u, tau, tape, t, z)
        return traced.speed_rates(self.mechanism, q, u, tau, tape, algorithm, t, z)

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
        """Return the rates of all speeds under forces tau beside the model's own."""
        return self._rates(X, tau, algorithm, tape, t)

    def projected(
        self, t: Scalar, x: Scalars, extra: Scalars, tape: Caller | None = None
    ) -> list[Scalar]:
        """Return the state with unit quaternions."""
        return traced.projected(self.mechanism, x)


class LoopForm:
    """The equations of a mechanism with loops, as its formulation sets them up."""

    def __init__(self, loops: LoopEquations, layout: Layout) -> None:
        self.loops, self.layout = loops, layout
        self.mechanism = loops.mechanism
        f = loops.formulation
        self.n_alike = loops.n_alike if self.mechanism.n_u >= SMALL else 0
        self.projects_loops = bool(f.enforced) and f.gains is None
        self.needs_projection = (
            traced.needs_projection(self.mechanism) or self.projects_loops
        )

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
        return self.instant(t, x, extra, tape).derivative()

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
        q, u, _ = self.layout.split(list(X))
        instant = self.from_motion(t, X, extra, tape)
        _, rates, blocks = self.layout.split_state(instant.derivative())
        ud = instant.all_accelerations(rates)
        return [*traced.coordinate_rates(self.mechanism, q, u, tape), *ud, *blocks]

    def speed_rates(
        self,
        t: Scalar,
        X: Scalars,
        tau: Scalars,
        extra: Scalars,
        algorithm: str = "",
        tape: Caller | None = None,
    ) -> list[Scalar]:
        """Return the rates of all speeds under forces tau beside the model's own."""
        instant = self.from_motion(t, X, extra, tape)
        return instant.all_accelerations(instant.accelerations(tau))

    def projected(
        self, t: Scalar, x: Scalars, extra: Scalars, tape: Caller | None = None
    ) -> list[Scalar]:
        """Return the state with loops closed and unit quaternions."""
        q, u, z = self.layout.split_state(list(x))
        if self.projects_loops and tape is not None:
            q, u = self.instant(t, x, extra, tape).corrected()
        elif self.projects_loops:
            q, u = corrected(self.loops, t, q, u, z, extra)
        states = dict(zip(self.formulation.state_q, q, strict=True))
        for link in self.mechanism.links:
            if link.joint.needs_projection:
                own = link.joint.projected([states[k] for k in link.q])
                states.update(zip(link.q, own, strict=True))
        return [*(states[k] for k in self.formulation.state_q), *u, *z]
