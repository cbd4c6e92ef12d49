"""Trees in which masses on lines couple links: the recursion over units without any rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from motorik.algebra.scalar import Scalar, add
from motorik.dynamics.articulated import AtOnce, Caller
from motorik.dynamics.composite_body import Entries, Member
from motorik.dynamics.compound import Reduction
from motorik.dynamics.symmetric_order import SymmetricOrder, choose_symmetric_order
from motorik.loops.recursion import Recursion
from motorik.loops.units import JointUnit, find_units, masses_of, members_of
from motorik.motion.view import MotionView
from motorik.topology.mechanism import CoupledMass, Mechanism


class CoupledTree:
    """What is fixed of the equations of a tree with masses on lines between its links."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
        self.units = find_units(mechanism)
        compound = [unit for unit in self.units if not unit.is_single]
        links, masses = mechanism.links, mechanism.coupled_masses
        self.members: dict[JointUnit, list[Member]] = {
            unit: members_of(unit, links) for unit in compound
        }
        self.masses: dict[JointUnit, tuple[CoupledMass, ...]] = {
            unit: masses_of(unit, masses) for unit in compound
        }
        self.orders: dict[JointUnit, Callable[[Entries], SymmetricOrder]] = {
            unit: DefiniteOrder(len(unit.states)) for unit in compound
        }

    @cached_property
    def _bases(self) -> set[int]:
        return {unit.base for unit in self.units}

    def carries(self, unit: JointUnit) -> bool:
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
        instant = TreeInstant(self, q, u, tape or AtOnce(), t, z)
        total = instant.motion.generalised_forces
        if tau is not None:
            pairs = zip(total, tau, strict=True)
            total = [instant.tape.call(add, a, b) for a, b in pairs]
        return Recursion(instant, total).rates()


class TreeInstant:
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

    def order(self, unit: JointUnit) -> Callable[[Entries], SymmetricOrder]:
        """Return how the equations of a unit are eliminated."""
        return self.equations.orders[unit]

    def reduction(self, unit: JointUnit) -> Reduction:
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
