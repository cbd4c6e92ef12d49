"""Forward dynamics by recursion over compound joints: inertia and force inward, rates outward.

This is Featherstone's articulated-body algorithm. A single link is eliminated by its own
freedoms, as in a tree; a coupled compound joint by its own small system
(`dynamics/compound.py`). Both pass an articulated inertia and a bias force to their base.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.dyad import Inertia
from motorik.algebra.motor import ZERO_MOTOR, Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar, add
from motorik.algebra.vector import ZERO
from motorik.dynamics.articulated import (
    NO_LOCKS,
    AtOnce,
    Caller,
    Eliminated,
    Locks,
    accelerate,
    eliminate_joint,
    free_speeds,
    how_eliminated,
    inward,
    less,
    weigh,
)
from motorik.dynamics.composite_body import Entries, Member
from motorik.dynamics.compound import Condensed, LinkMotion, Reduction, condense
from motorik.dynamics.line_mass import FREEDOM, LinePoint, Moving, line_motion, with_points
from motorik.dynamics.symmetric_order import SymmetricOrder, choose_symmetric_order
from motorik.immutable import immutable
from motorik.loops.compound_joints import (
    CompoundJoint,
    find_compound_joints,
    masses_of,
    members_of,
)
from motorik.motion import traced
from motorik.motion.steps import acceleration_step
from motorik.motion.tree_equations import TreeEquations
from motorik.motion.view import MotionView
from motorik.topology.mechanism import WORLD, CoupledMass, Mechanism

if TYPE_CHECKING:
    from motorik.loops.equations_of_motion import ConstrainedState


Given = tuple[Eliminated, ...]
"""The elimination results of the freedoms of a single joint."""


class Recursion:
    """The recursion at one instant, under generalised forces tau.

    With `audits`, `faults` are the relative residuals of the equations of each coupled compound
    joint, see `fault_of`. `locks` are those of speeds of single joints, `held` the forces of locked
    freedoms besides tau, by the numbers of all speeds.
    """

    def __init__(
        self,
        instant: ConstrainedState | CoupledTreeState,
        tau: Sequence[Scalar],
        audits: bool = False,
        locks: Locks = NO_LOCKS,
    ) -> None:
        self.instant, self.tau, self.tape = instant, tau, instant.tape
        self.audits, self.locks = audits, locks
        self.held: list[Scalar] = [0.0] * instant.mechanism.n_u
        self.faults: dict[CompoundJoint, Scalar] = {}
        self.links = instant.mechanism.links
        motion = instant.motion
        self.X: list[Pose] = []
        self.X_0: list[
            Pose
        ] = []  # poses in the world, for gravity that depends on position
        self.S: list[tuple[Motor, ...]] = []
        self.V: list[Motor] = []
        self.c: list[Motor] = []
        self.b: list[Motor] = []
        for link in self.links:
            X, S, V, c, b = motion.link_motion(link)
            self.X.append(X)
            self.S.append(S if free_speeds(link) else ())
            self.V.append(V)
            self.c.append(c)
            self.b.append(b)
        self.A_0 = self._weigh()
        loads = motion.link_loads
        for i, load in enumerate(loads or ()):
            if load is not ZERO_MOTOR:
                self.b[i] = self.tape.call(less, self.b[i], load)
        self.inertia = [link.inertia for link in self.links]

    def _weigh(self) -> Motor:
        """Return the acceleration that represents gravity, or add weights to the bias forces."""
        gravity = self.instant.mechanism.gravity
        if gravity.uniform is not None:
            return Motor(ZERO, -gravity.uniform)
        for link in self.links:
            i, p = link.index, link.parent
            before = Pose() if p == WORLD else self.X_0[p]
            given = (before, self.X[i], tuple(link.point_masses), self.b[i])
            X, self.b[i] = self.tape.call(weigh, gravity.acceleration, *given)
            self.X_0.append(X)
        return ZERO_MOTOR

    def rates(self) -> list[Scalar]:
        """Return the rates of the speeds that are states."""
        compounds = self.instant.equations.compounds
        single: dict[CompoundJoint, Given] = {}
        coupled: dict[CompoundJoint, Condensed] = {}
        for compound in reversed(compounds):
            if compound.is_single:
                single[compound] = self._pass_single(compound)
            else:
                coupled[compound] = self._pass_compound(compound)
        A = [self.A_0] * len(self.links)
        rates: list[Scalar] = [0.0] * self.instant.mechanism.n_u
        for compound in compounds:
            A_base = self.A_0 if compound.base == WORLD else A[compound.base]
            if compound.is_single:
                (i,) = compound.links
                given = (self.X[i], self.S[i], self.c[i], single[compound], A_base)
                A[i], *own = self.tape.call(accelerate, *given)
                for k, value, force in zip(compound.states, *own, strict=True):
                    rates[k], self.held[k] = value, force
            else:
                if self.audits:
                    given = (coupled[compound], A_base)
                    found, fault = self.tape.call(audited_rates_of_compound, *given)
                    self.faults[compound] = fault
                else:
                    found = self.tape.call(rates_of_compound, coupled[compound], A_base)
                for k, value in zip(compound.states, found, strict=True):
                    rates[k] = value
                self._accelerate(compound, rates, A, A_base)
        return [rates[k] for k in self.instant.state_u]

    def _pass_single(self, compound: CompoundJoint) -> Given:
        (i,) = compound.links
        link = self.links[i]
        p, tau = link.parent, tuple(self.tau[k] for k in compound.states)
        own = (self.S[i], self.inertia[i], self.b[i], tau)
        how = how_eliminated(link, self.locks)
        if p == WORLD:
            return self.tape.call(eliminate_joint, *own, *how)[2]
        through = (self.X[i], self.c[i], self.inertia[p], self.b[p], *how)
        self.inertia[p], self.b[p], given = self.tape.call(inward, *own, *through)
        return given

    def _pass_compound(self, compound: CompoundJoint) -> Condensed:
        instant, equations = self.instant, self.instant.equations
        motions = [
            LinkMotion(self.X[k], self.S[k], self.c[k], self.inertia[k], self.b[k])
            for k in compound.links
        ]
        reduction = instant.reduction(compound)
        tau = [self.tau[k] for k in compound.speeds]
        if compound.masses:
            points, moved = self._masses(compound)
            motions += moved
            reduction = self.tape.call(with_points, reduction, points)
            tau += [0.0] * (FREEDOM * len(points))
        made, inertia, force = self.tape.call(
            condense,
            equations.members[compound],
            motions,
            reduction,
            tau,
            self.A_0 if compound.base == WORLD else ZERO_MOTOR,
            instant.order(compound),
            instant.softness,
            self.audits,
        )
        if inertia is not None:
            given = (self.inertia[compound.base], self.b[compound.base], inertia, force)
            self.inertia[compound.base], self.b[compound.base] = self.tape.call(
                add_to, *given
            )
        return made

    def _masses(self, compound: CompoundJoint) -> tuple[list[LinePoint], list[LinkMotion]]:
        """Return the masses on lines of a compound joint as links on its base."""
        equations, gravity = self.instant.equations, self.instant.mechanism.gravity
        on_world = compound.base == WORLD
        moving = Moving(
            tuple(self.X[k] for k in compound.links),
            tuple(self.S[k] for k in compound.links),
            tuple(self.V[k] for k in compound.links),
            tuple(self.c[k] for k in compound.links),
            ZERO_MOTOR if on_world else self.V[compound.base],
        )
        points: list[LinePoint] = []
        motions: list[LinkMotion] = []
        for mass in equations.masses[compound]:
            given = (equations.members[compound], moving, mass)
            point, motion = self.tape.call(line_motion, *given)
            if gravity.uniform is None:
                X_0 = Pose() if on_world else self.X_0[compound.base]
                at_centre = (motion.X, ((mass.m, ZERO),), motion.b)
                _, b = self.tape.call(weigh, gravity.acceleration, X_0, *at_centre)
                motion = replace(motion, b=b)
            points.append(point)
            motions.append(motion)
        return points, motions

    def _accelerate(
        self, compound: CompoundJoint, rates: list[Scalar], A: list[Motor], A_base: Motor
    ) -> None:
        """Compute the accelerations of the links of a compound joint that carries others."""
        equations = self.instant.equations
        if not equations.carries(compound):
            return
        reduction = self.instant.reduction(compound)
        own = [rates[k] for k in compound.states]
        found = self.tape.call(all_rates, reduction, own)
        for speed, value in zip(compound.speeds, found, strict=True):
            rates[speed] = value
        for i in compound.links:
            p = self.links[i].parent
            before = A[p] if p in compound.links else A_base
            moved = tuple(rates[k] for k in self.links[i].u)
            given = (self.X[i], self.S[i], self.c[i], before, moved)
            A[i] = self.tape.call(acceleration_step, *given)


def rates_of_compound(condensed: Condensed, A: Motor) -> list[Scalar]:
    """Return the rates of the states of a compound joint, given the acceleration of its base."""
    return condensed.rates(A)


def audited_rates_of_compound(
    condensed: Condensed, A: Motor
) -> tuple[list[Scalar], Scalar]:
    """Return the same rates and the relative residual of the equations."""
    return condensed.audited_rates(A)


def all_rates(reduction: Reduction, states: Sequence[Scalar]) -> list[Scalar]:
    """Return the rates of all speeds of a compound joint from those of its states."""
    return [reduction.rate(k, states) for k in range(len(reduction.J))]


def add_to(
    inertia: Inertia, force: Motor, more: Inertia, more_force: Motor
) -> tuple[Inertia, Motor]:
    """Return the sums of inertias and of forces."""
    return inertia + more, force + more_force


# --- trees with masses on lines ------------------------------------------------------------


class CoupledTree(TreeEquations):
    """The equations of a tree with masses on lines between its links."""

    def __init__(self, mechanism: Mechanism) -> None:
        super().__init__(mechanism, traced.COUPLED)
        self.compounds = find_compound_joints(mechanism)
        coupled = [compound for compound in self.compounds if not compound.is_single]
        links, masses = mechanism.links, mechanism.coupled_masses
        self.members: dict[CompoundJoint, list[Member]] = {
            compound: members_of(compound, links) for compound in coupled
        }
        self.masses: dict[CompoundJoint, tuple[CoupledMass, ...]] = {
            compound: masses_of(compound, masses) for compound in coupled
        }
        self.orders: dict[CompoundJoint, Callable[[Entries], SymmetricOrder]] = {
            compound: DefiniteOrder(len(compound.states)) for compound in coupled
        }

    @property
    def algorithms(self) -> tuple[str, ...]:
        """The recursion over compound joints alone."""
        return (self.algorithm,)

    @cached_property
    def _bases(self) -> set[int]:
        return {compound.base for compound in self.compounds}

    def carries(self, compound: CompoundJoint) -> bool:
        """Return whether any link is mounted on a compound joint."""
        return not self._bases.isdisjoint(compound.links)

    def speed_rates(
        self,
        q: Sequence[Scalar],
        u: Sequence[Scalar],
        tau: Sequence[Scalar] | None = None,
        tape: Caller | None = None,
        t: Scalar = 0.0,
        z: Sequence[Scalar] = (),
    ) -> list[Scalar]:
        """Return u̇ under the mechanism's own forces and generalised forces tau."""
        instant = CoupledTreeState(self, q, u, tape or AtOnce(), t, z)
        total = instant.motion.generalised_forces
        if tau is not None:
            pairs = zip(total, tau, strict=True)
            total = [instant.tape.call(add, a, b) for a, b in pairs]
        return Recursion(instant, total).rates()


class CoupledTreeState:
    """A tree with coupled links at one state; all its speeds are states."""

    softness = 0.0

    def __init__(
        self,
        equations: CoupledTree,
        q: Sequence[Scalar],
        u: Sequence[Scalar],
        tape: Caller,
        t: Scalar,
        z: Sequence[Scalar],
    ) -> None:
        self.equations, self.mechanism, self.tape = equations, equations.mechanism, tape
        self.motion = MotionView(self.mechanism, q, u, None, t, z, tape=tape, is_cut=True)
        self.state_u = range(self.mechanism.n_u)

    def order(self, compound: CompoundJoint) -> Callable[[Entries], SymmetricOrder]:
        """Return the order of elimination of a compound joint."""
        return self.equations.orders[compound]

    def reduction(self, compound: CompoundJoint) -> Reduction:
        """Return the identity: each speed of a compound joint is a state."""
        n = len(compound.states)
        return Reduction({k: {k: 1.0} for k in range(n)}, {}, [], [], n)


@immutable
class DefiniteOrder:
    """The cheapest order for a definite matrix of n states, for which every order is sound."""

    n: int

    def __call__(self, entries: Entries) -> SymmetricOrder:
        """Return the order for these entries; rows of the base stay."""
        pattern = np.eye(self.n, dtype=bool)
        for i, j in entries:
            if j < self.n:
                pattern[i, j] = pattern[j, i] = True
        dominant = pattern + self.n * np.eye(self.n)
        return choose_symmetric_order(pattern, [dominant], self.n)
