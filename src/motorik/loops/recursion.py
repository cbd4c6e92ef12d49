"""Forward dynamics over units: inertias and forces inward, rates outward.

The articulated-body algorithm over compound joints (`CompoundJoint`): a single link as in a
tree, a compound joint by its own small system (`dynamics/compound.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.dyad import Inertia
from motorik.algebra.motor import ZERO_MOTOR, Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar, add
from motorik.algebra.vector import ZERO
from motorik.dynamics.articulated import (
    AtOnce,
    Caller,
    accelerate,
    eliminate_joint,
    inward,
    less,
    weigh,
)
from motorik.dynamics.composite_body import Entries, Member
from motorik.dynamics.compound import Condensed, LinkMotion, Reduction, condense
from motorik.dynamics.line_mass import FREEDOM, LinePoint, Moving, line_motion, with_points
from motorik.dynamics.symmetric_order import SymmetricOrder, choose_symmetric_order
from motorik.loops.compound_joints import CompoundJoint, find_units, masses_of, members_of
from motorik.motion.steps import acceleration_step
from motorik.motion.view import MotionView
from motorik.topology.mechanism import WORLD, CoupledMass, Mechanism

if TYPE_CHECKING:
    from motorik.loops.equations_of_motion import ConstrainedState


Given = tuple[tuple[Motor, Scalar, Scalar], ...]
"""The elimination results of the freedoms of a single joint."""


class Recursion:
    """The recursion at one instant, under generalised forces tau.

    Where it `audits`, `faults` tells of each compound unit how far the rates that are found
    miss its equations, see `fault_of`.
    """

    def __init__(
        self,
        instant: ConstrainedState | CoupledTreeState,
        tau: Sequence[Scalar],
        audits: bool = False,
    ) -> None:
        self.instant, self.tau, self.tape = instant, tau, instant.tape
        self.audits = audits
        self.faults: dict[CompoundJoint, Scalar] = {}
        self.links = instant.mechanism.links
        motion = instant.motion
        self.X: list[Pose] = []
        self.X_0: list[Pose] = []  # in the world, where gravity depends on the place
        self.S: list[tuple[Motor, ...]] = []
        self.V: list[Motor] = []
        self.c: list[Motor] = []
        self.b: list[Motor] = []
        for link in self.links:
            X, S, V, c, b = motion.link_motion(link)
            self.X.append(X)
            self.S.append(() if link.is_balanced else S)  # it passes all force on
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
        """Return the acceleration that stands for gravity, or take weights into account."""
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
        units = self.instant.equations.units
        single: dict[CompoundJoint, Given] = {}
        compound: dict[CompoundJoint, Condensed] = {}
        for unit in reversed(units):
            if unit.is_single:
                single[unit] = self._pass_single(unit)
            else:
                compound[unit] = self._pass_compound(unit)
        A = [self.A_0] * len(self.links)
        rates: list[Scalar] = [0.0] * self.instant.mechanism.n_u
        for unit in units:
            A_base = self.A_0 if unit.base == WORLD else A[unit.base]
            if unit.is_single:
                (i,) = unit.links
                given = (self.X[i], self.S[i], self.c[i], single[unit], A_base)
                A[i], own = self.tape.call(accelerate, *given)
                for k, value in zip(unit.states, own, strict=True):
                    rates[k] = value
            else:
                if self.audits:
                    given = (compound[unit], A_base)
                    found, fault = self.tape.call(audited_rates_of_unit, *given)
                    self.faults[unit] = fault
                else:
                    found = self.tape.call(rates_of_unit, compound[unit], A_base)
                for k, value in zip(unit.states, found, strict=True):
                    rates[k] = value
                self._accelerate(unit, rates, A, A_base)
        return [rates[k] for k in self.instant.state_u]

    def _pass_single(self, unit: CompoundJoint) -> Given:
        (i,) = unit.links
        link = self.links[i]
        p, tau = link.parent, tuple(self.tau[k] for k in unit.states)
        own = (self.S[i], self.inertia[i], self.b[i], tau)
        if p == WORLD:
            return self.tape.call(eliminate_joint, *own, link.armature)[2]
        through = (self.X[i], self.c[i], self.inertia[p], self.b[p], link.armature)
        self.inertia[p], self.b[p], given = self.tape.call(inward, *own, *through)
        return given

    def _pass_compound(self, unit: CompoundJoint) -> Condensed:
        instant, equations = self.instant, self.instant.equations
        motions = [
            LinkMotion(self.X[k], self.S[k], self.c[k], self.inertia[k], self.b[k])
            for k in unit.links
        ]
        reduction = instant.reduction(unit)
        tau = [self.tau[k] for k in unit.speeds]
        if unit.masses:
            points, moved = self._masses(unit)
            motions += moved
            reduction = self.tape.call(with_points, reduction, points)
            tau += [0.0] * (FREEDOM * len(points))
        made, inertia, force = self.tape.call(
            condense,
            equations.members[unit],
            motions,
            reduction,
            tau,
            self.A_0 if unit.base == WORLD else ZERO_MOTOR,
            instant.order(unit),
            instant.softness,
            self.audits,
        )
        if inertia is not None:
            given = (self.inertia[unit.base], self.b[unit.base], inertia, force)
            self.inertia[unit.base], self.b[unit.base] = self.tape.call(add_to, *given)
        return made

    def _masses(self, unit: CompoundJoint) -> tuple[list[LinePoint], list[LinkMotion]]:
        """Return the masses on lines of a unit as links on its base."""
        equations, gravity = self.instant.equations, self.instant.mechanism.gravity
        on_world = unit.base == WORLD
        moving = Moving(
            tuple(self.X[k] for k in unit.links),
            tuple(self.S[k] for k in unit.links),
            tuple(self.V[k] for k in unit.links),
            tuple(self.c[k] for k in unit.links),
            ZERO_MOTOR if on_world else self.V[unit.base],
        )
        points: list[LinePoint] = []
        motions: list[LinkMotion] = []
        for mass in equations.masses[unit]:
            given = (equations.members[unit], moving, mass)
            point, motion = self.tape.call(line_motion, *given)
            if gravity.uniform is None:
                X_0 = Pose() if on_world else self.X_0[unit.base]
                at_centre = (motion.X, ((mass.m, ZERO),), motion.b)
                _, b = self.tape.call(weigh, gravity.acceleration, X_0, *at_centre)
                motion = replace(motion, b=b)
            points.append(point)
            motions.append(motion)
        return points, motions

    def _accelerate(
        self, unit: CompoundJoint, rates: list[Scalar], A: list[Motor], A_base: Motor
    ) -> None:
        """Find the accelerations of the links of a unit, if anything hangs on them."""
        equations = self.instant.equations
        if not equations.carries(unit):
            return
        reduction = self.instant.reduction(unit)
        own = [rates[k] for k in unit.states]
        found = self.tape.call(all_rates, reduction, own)
        for speed, value in zip(unit.speeds, found, strict=True):
            rates[speed] = value
        for i in unit.links:
            p = self.links[i].parent
            before = A[p] if p in unit.links else A_base
            moved = tuple(rates[k] for k in self.links[i].u)
            given = (self.X[i], self.S[i], self.c[i], before, moved)
            A[i] = self.tape.call(acceleration_step, *given)


def rates_of_unit(condensed: Condensed, A: Motor) -> list[Scalar]:
    """Return the rates of the states of a unit for the acceleration of its base."""
    return condensed.rates(A)


def audited_rates_of_unit(condensed: Condensed, A: Motor) -> tuple[list[Scalar], Scalar]:
    """Return the same rates, and how far they miss the equations of the unit."""
    return condensed.audited_rates(A)


def all_rates(reduction: Reduction, states: Sequence[Scalar]) -> list[Scalar]:
    """Return the rates of all speeds of a unit from those of its states."""
    return [reduction.rate(k, states) for k in range(len(reduction.J))]


def add_to(
    inertia: Inertia, force: Motor, more: Inertia, more_force: Motor
) -> tuple[Inertia, Motor]:
    """Return the sums."""
    return inertia + more, force + more_force


# --- trees with masses on lines ------------------------------------------------------------


class CoupledTree:
    """What is fixed of the equations of a tree with masses on lines between its links."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
        self.units = find_units(mechanism)
        compound = [unit for unit in self.units if not unit.is_single]
        links, masses = mechanism.links, mechanism.coupled_masses
        self.members: dict[CompoundJoint, list[Member]] = {
            unit: members_of(unit, links) for unit in compound
        }
        self.masses: dict[CompoundJoint, tuple[CoupledMass, ...]] = {
            unit: masses_of(unit, masses) for unit in compound
        }
        self.orders: dict[CompoundJoint, Callable[[Entries], SymmetricOrder]] = {
            unit: DefiniteOrder(len(unit.states)) for unit in compound
        }

    @cached_property
    def _bases(self) -> set[int]:
        return {unit.base for unit in self.units}

    def carries(self, unit: CompoundJoint) -> bool:
        """Tell whether anything hangs on a unit."""
        return not self._bases.isdisjoint(unit.links)

    def speed_rates(
        self,
        q: Sequence[Scalar],
        u: Sequence[Scalar],
        tau: Sequence[Scalar] | None = None,
        tape: Caller | None = None,
        t: Scalar = 0.0,
        z: Sequence[Scalar] = (),
    ) -> list[Scalar]:
        """Return du/dt under the mechanism's own forces and generalised forces tau."""
        instant = CoupledTreeState(self, q, u, tape or AtOnce(), t, z)
        total = instant.motion.generalised_forces
        if tau is not None:
            pairs = zip(total, tau, strict=True)
            total = [instant.tape.call(add, a, b) for a, b in pairs]
        return Recursion(instant, total).rates()


class CoupledTreeState:
    """A tree with coupled links at one state: all its speeds are states."""

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

    def order(self, unit: CompoundJoint) -> Callable[[Entries], SymmetricOrder]:
        """Return how the equations of a unit are eliminated."""
        return self.equations.orders[unit]

    def reduction(self, unit: CompoundJoint) -> Reduction:
        """Return that each speed of a unit is a state."""
        n = len(unit.states)
        return Reduction({k: {k: 1.0} for k in range(n)}, {}, [], [], n)


@dataclass(frozen=True)
class DefiniteOrder:
    """The cheapest order in which n states of a definite system go: all orders are sound."""

    n: int

    def __call__(self, entries: Entries) -> SymmetricOrder:
        """Return the order of a matrix with these entries; rows of a base are kept."""
        pattern = np.eye(self.n, dtype=bool)
        for i, j in entries:
            if j < self.n:
                pattern[i, j] = pattern[j, i] = True
        dominant = pattern + self.n * np.eye(self.n)
        return choose_symmetric_order(pattern, [dominant], self.n)
