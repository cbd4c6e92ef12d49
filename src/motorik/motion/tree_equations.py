"""Equations of motion of a tree, in which all coordinates and speeds are states.

Those of mechanisms with loops (`loops.equations_of_motion`) have the same methods.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from motorik.algebra.matrix import Matrix
from motorik.algebra.scalar import Scalar, is_structural
from motorik.dynamics.articulated import AtOnce, Caller, Locks
from motorik.dynamics.reframe import can_reframe
from motorik.motion import traced
from motorik.motion.view import MotionView
from motorik.topology.mechanism import Mechanism

COMPARE_UP_TO = 12  # freedoms up to which factorisation is tried against articulated bodies

Scalars = Sequence[Scalar]


class TreeState:
    """A tree at one state."""

    def __init__(
        self,
        equations: TreeEquations,
        t: Scalar,
        q: Scalars,
        u: Scalars,
        z: Scalars,
        tape: Caller | None = None,
    ) -> None:
        self.equations, self.mechanism = equations, equations.mechanism
        self.t, self.z = t, z
        self.q_states, self.u_states = q, u
        self.tape: Caller = tape or AtOnce()
        self.is_audited = False  # audited rates may use cheaper orders of elimination

    @property
    def q(self) -> list[Scalar]:
        """All coordinates."""
        return list(self.q_states)

    @cached_property
    def u(self) -> list[Scalar]:
        """All speeds."""
        return list(self.u_states)

    def moving(self, ud: Scalars | None, *, is_cut: bool = False) -> MotionView:
        """Return the motion with these rates of the speeds.

        With `is_cut`, signals that forces read before the rates are known are tearing variables.
        """
        given = (self.mechanism, self.q, self.u, ud, self.t, self.z)
        return MotionView(*given, tape=self.tape, is_cut=is_cut)

    def accelerations(
        self, tau: Scalars | None = None, audits: bool = False
    ) -> list[Scalar]:
        """Return the rates of the speeds that are states, under forces tau besides the own."""
        given = (self.q, self.u, tau, self.tape, self.t, self.z)
        return self.equations.speed_rates(*given)

    @property
    def state_u(self) -> Sequence[int]:
        """The numbers of the speeds that are states."""
        return range(self.mechanism.n_u)

    def with_locks(
        self, locks: Locks, tau: Scalars | None = None
    ) -> tuple[list[Scalar], list[Scalar]]:
        """Return the rates of the speeds that are states, and the forces of all locked freedoms.

        `locks` are σ and a of speeds, by their numbers; tau are forces besides the own.
        """
        return traced.locked_speed_rates(self.moving(None, is_cut=True), locks, tau)

    def all_accelerations(self, states: Scalars) -> list[Scalar]:
        """Return the rates of all speeds from those of the states."""
        return list(states)

    def derivative(self, audits: bool = False, tau: Scalars | None = None) -> list[Scalar]:
        """Return the rates of the states: coordinates, speeds, and block states.

        Forces tau along the speeds act besides the own.
        """
        return self.state_rates(self.accelerations(tau, audits))

    def state_rates(self, rates: list[Scalar]) -> list[Scalar]:
        """Return the rates of the states where those of the speeds are known."""
        result = [
            *traced.coordinate_rates(self.mechanism, self.q, self.u, self.tape),
            *rates,
        ]
        if self.z:
            motion = self.moving(rates, is_cut=True)
            result += self.mechanism.signals.rates(motion, self.z, self.t)
        return result

    def faults(self, rates: Scalars) -> dict[str, Scalar]:
        """Return the relative residuals of audited rates, by the parts concerned."""
        return {}


class TreeEquations:
    """The equations of motion of a tree, by one of the algorithms of forward dynamics.

    Nothing is coupled by constraints, and nothing is eliminated in an order fixed beforehand.
    """

    equilibrium: Any = None  # of massless bodies
    equilibrium_margins: Any = None
    projects_locally = False  # whether states are projected along the tree
    can_reorder = False  # whether equations could be eliminated in another order
    reads_multipliers = False  # whether force laws read constraint forces

    def __init__(self, mechanism: Mechanism, algorithm: str = traced.ARTICULATED) -> None:
        self.mechanism, self.algorithm = mechanism, algorithm

    @cached_property
    def coupled(self) -> tuple[Any, ...]:
        """The compound joints of more than a single link."""
        return ()

    @cached_property
    def n_shared(self) -> int:
        """The number of speeds of links that may share their code."""
        return self.mechanism.n_u

    @property
    def algorithms(self) -> tuple[str, ...]:
        """The algorithms that may be the cheapest."""
        mechanism = self.mechanism
        found = [traced.ARTICULATED]
        if 1 < mechanism.n_u <= COMPARE_UP_TO:
            found.append(traced.FACTORISED)
        if any(not is_sparse(link.X_pj.R) for link in mechanism.links):
            found.append(traced.ALIGNED)
            if can_reframe(mechanism.links) and not mechanism.forces:
                found.append(traced.REFRAMED)
        return tuple(found)

    def by(self, algorithm: str) -> TreeEquations:
        """Return the same equations by one of the algorithms."""
        return (
            self
            if algorithm == self.algorithm
            else TreeEquations(self.mechanism, algorithm)
        )

    def at(
        self,
        t: Scalar,
        q: Scalars,
        u: Scalars,
        z: Scalars,
        branch_parameters: Any = None,
        tape: Caller | None = None,
    ) -> TreeState:
        """Return the equations at states q, u, z."""
        return TreeState(self, t, q, u, z, tape)

    def from_all(
        self,
        t: Scalar,
        q: Scalars,
        u: Scalars,
        z: Scalars,
        branch_parameters: Any = None,
        tape: Caller | None = None,
    ) -> TreeState:
        """Return the equations at all coordinates and speeds, which must be consistent."""
        return self.at(t, q, u, z, branch_parameters, tape)

    def speed_rates(
        self,
        q: Scalars,
        u: Scalars,
        tau: Scalars | None = None,
        tape: Caller | None = None,
        t: Scalar = 0.0,
        z: Scalars = (),
    ) -> list[Scalar]:
        """Return u̇ under the mechanism's own forces and generalised forces tau."""
        return traced.speed_rates(self.mechanism, q, u, tau, tape, self.algorithm, t, z)


def is_sparse(R: Matrix) -> bool:
    """Return whether a constant rotation has at least four zeros: a turn about one axis."""
    return sum(is_structural(e, 0.0) for e in R.entries) >= 4
