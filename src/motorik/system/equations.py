"""Equations of a mechanism in one form, whether it has loops or not.

The state x = (q_S, u_S, z) holds the coordinates and speeds that are states and the states of
signal blocks; the whole motion X = (q, u, z) holds all of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from motorik.algebra.angle import Angle
from motorik.algebra.scalar import Scalar
from motorik.loops.constrained import LoopEquations, corrected
from motorik.motion import traced
from motorik.topology.mechanism import Mechanism, State

Scalars = Sequence[Scalar]


class TreeEquations:
    """The equations of a mechanism without loops: all coordinates are states."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
        self.states: list[State] = [*mechanism.states, *mechanism.signals.states]
        self.settles = traced.needs_settling(mechanism)

    def derivative(
        self, t: Scalar, x: Scalars, extra: Scalars, algorithm: str = traced.ARTICULATED
    ) -> list[Scalar]:
        """Return dx/dt."""
        return traced.derivative(self.mechanism, t, x, algorithm=algorithm)

    def whole(self, t: Scalar, x: Scalars, extra: Scalars) -> list[Scalar]:
        """Return X of the state x."""
        return list(x)

    def whole_rates(self, t: Scalar, X: Scalars, extra: Scalars) -> list[Scalar]:
        """Return dX/dt."""
        return self.derivative(t, X, extra)

    def speed_rates(
        self, t: Scalar, X: Scalars, tau: Scalars, algorithm: str = traced.ARTICULATED
    ) -> list[Scalar]:
        """Return the rates of all speeds under forces tau beside the model's own."""
        q, u, z = split(self.mechanism, X)
        return traced.speed_rates(self.mechanism, q, u, tau, None, algorithm, t, z)

    def settled(self, t: Scalar, x: Scalars, extra: Scalars) -> list[Scalar]:
        """Return the state with unit quaternions."""
        return traced.settled(self.mechanism, x)


class LoopedEquations:
    """The equations of a mechanism with loops, as its formulation sets them up."""

    def __init__(self, loops: LoopEquations) -> None:
        self.loops = loops
        self.formulation = loops.formulation
        self.mechanism = loops.mechanism
        m, f = self.mechanism, self.formulation
        self.states: list[State] = [
            *(m.coordinates[k] for k in f.state_q),
            *(m.speeds[k] for k in f.state_u),
            *m.signals.states,
        ]
        self.projects = bool(f.enforced) and f.gains is None
        self.settles = traced.needs_settling(m) or self.projects

    def _split(self, x: Scalars) -> tuple[Scalars, Scalars, Scalars]:
        n_q, n_u = len(self.formulation.state_q), len(self.formulation.state_u)
        return x[:n_q], x[n_q : n_q + n_u], x[n_q + n_u :]

    def derivative(
        self, t: Scalar, x: Scalars, extra: Scalars, algorithm: str = ""
    ) -> list[Scalar]:
        """Return dx/dt."""
        return self.loops.at(t, *self._split(x), extra).derivative()

    def whole(self, t: Scalar, x: Scalars, extra: Scalars) -> list[Scalar]:
        """Return X of the state x."""
        instant = self.loops.at(t, *self._split(x), extra)
        return [*map(radians, instant.q), *instant.u, *instant.z]

    def whole_rates(self, t: Scalar, X: Scalars, extra: Scalars) -> list[Scalar]:
        """Return dX/dt of a motion in which everything fits together."""
        q, u, z = split(self.mechanism, X)
        instant = self.loops.from_all(t, q, u, z)
        rates = instant.derivative()
        n_q, n_u = len(self.formulation.state_q), len(self.formulation.state_u)
        ud = instant.all_accelerations(rates[n_q : n_q + n_u])
        return [
            *traced.coordinate_rates(self.mechanism, q, u),
            *ud,
            *rates[n_q + n_u :],
        ]

    def speed_rates(
        self, t: Scalar, X: Scalars, tau: Scalars, algorithm: str = ""
    ) -> list[Scalar]:
        """Return the rates of all speeds under forces tau beside the model's own."""
        q, u, z = split(self.mechanism, X)
        instant = self.loops.from_all(t, q, u, z)
        return instant.all_accelerations(instant.accelerations(tau))

    def settled(self, t: Scalar, x: Scalars, extra: Scalars) -> list[Scalar]:
        """Return the state with loops closed and unit quaternions."""
        q, u, z = self._split(x)
        if self.projects:
            q, u = corrected(self.loops, t, q, u, z, extra)
        states = dict(zip(self.formulation.state_q, q, strict=True))
        for link in self.mechanism.links:
            if link.joint.settles:
                own = link.joint.settled([states[k] for k in link.q])
                states.update(zip(link.q, own, strict=True))
        return [*(states[k] for k in self.formulation.state_q), *u, *z]


def split(mechanism: Mechanism, X: Scalars) -> tuple[Scalars, Scalars, Scalars]:
    """Return coordinates, speeds and block states of a whole motion."""
    n_q, n_u = mechanism.n_q, mechanism.n_u
    return X[:n_q], X[n_q : n_q + n_u], X[n_q + n_u :]


def radians(value: Any) -> Scalar:
    """Return the value of an angle, or a scalar itself."""
    return value.radians if isinstance(value, Angle) else value
