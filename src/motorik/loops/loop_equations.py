"""LoopEquations: what is fixed of the equations of a mechanism with loops."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from motorik.algebra.scalar import Scalar
from motorik.dynamics.articulated import Caller
from motorik.dynamics.composite_body import Member
from motorik.loops.balance_equations import BalanceEquations
from motorik.loops.balance_margins import BalanceMargins
from motorik.loops.constrained import ConstrainedState
from motorik.loops.formulation import ClosedForm, Formulation
from motorik.loops.pivots import Judged, Orders, judge, shared_orders
from motorik.loops.shared import UnitAlike, unit_alike, unit_rows
from motorik.loops.shared_forms import FormAlike, form_alike
from motorik.loops.units import JointUnit, find_units, masses_of, members_of
from motorik.topology.mechanism import CoupledMass


class LoopEquations:
    """The equations of a formulation, with pivots chosen at poses that it can reach.

    `at` gives the instant of a state, where every quantity is traced on first use.
    """

    def __init__(self, formulation: Formulation, p: np.ndarray) -> None:
        self.formulation = f = formulation
        self.p = p
        self.mechanism = f.mechanism
        self.rows = f.rows
        following = (*f.dependent_u, *f.mechanism.balanced)
        rows = (f.rows.pattern, following, f.solved, f.enforced)
        self.units = find_units(f.mechanism, *rows)
        self.judged: dict[JointUnit, Judged] = judge(f, self.units, p)
        self.balance: BalanceEquations | None = None
        if f.balance is not None:
            given = (f.balance, f.rows, f.scales, f.samples, p)
            self.balance = BalanceEquations(*given)
        self._forms: dict[int, tuple[FormAlike, tuple[int, ...]]] = {}
        self.changing: list[bool] | None = None  # which margins do, found on first use
        self.reads_multipliers = False  # whether forces follow from those that close loops

    @cached_property
    def balance_margins(self) -> BalanceMargins | None:
        """How steadily points without mass are held, None without any."""
        return None if self.balance is None else BalanceMargins(self.balance)

    @cached_property
    def compound(self) -> tuple[JointUnit, ...]:
        """The units that loops or relations couple."""
        return tuple(unit for unit in self.units if not unit.is_single)

    @cached_property
    def orders(self) -> dict[JointUnit, Orders]:
        """How the equations of each compound unit are eliminated."""
        return shared_orders(self.formulation, self.judged, self.alike)

    @cached_property
    def alike(self) -> dict[JointUnit, UnitAlike | None]:
        """Each compound unit on its own, None where it is not."""
        return {
            unit: unit_alike(self.formulation, unit, judged.blocks)
            for unit, judged in self.judged.items()
        }

    def form_alike(self, form: ClosedForm) -> tuple[FormAlike, tuple[int, ...]]:
        """Return a closed form on its own, and the coordinates that it gives."""
        if id(form) not in self._forms:
            self._forms[id(form)] = form_alike(form)
        return self._forms[id(form)]

    def holds_positions(self, unit: JointUnit) -> bool:
        """Return whether rows of positions are enforced in a unit."""
        return any(self.rows.rows[row].holonomic for row in unit.enforced)

    @cached_property
    def corrects_alike(self) -> bool:
        """Whether each unit with enforced rows can be corrected by itself."""
        held = [unit for unit in self.compound if unit.enforced]
        return all(self.alike[unit] is not None and not unit.solved for unit in held)

    @cached_property
    def n_alike(self) -> int:
        """How many speeds are those of single links, or of units that have equals."""
        count = sum(len(unit.states) for unit in self.units if unit.is_single)
        members = Counter(map(id, self.orders.values()))
        for unit in self.compound:
            if members[id(self.orders[unit])] > 1:
                count += len(unit.speeds)
        return count

    @cached_property
    def place_of_row(self) -> dict[int, tuple[JointUnit, int]]:
        """The unit that knows a row by itself, and the number that it has there."""
        return {
            row: (unit, n)
            for unit, alike in self.alike.items()
            if alike is not None
            for row, n in unit_rows(self.formulation, unit).items()
        }

    @cached_property
    def unit_of(self) -> dict[int, JointUnit]:
        """The unit of each link."""
        return {k: unit for unit in self.units for k in unit.links}

    @cached_property
    def members(self) -> dict[JointUnit, list[Member]]:
        """The links of each compound unit, numbered within it, and after them its masses."""
        links = self.mechanism.links
        return {unit: members_of(unit, links) for unit in self.compound}

    @cached_property
    def masses(self) -> dict[JointUnit, tuple[CoupledMass, ...]]:
        """The masses on lines of each compound unit."""
        masses = self.mechanism.coupled_masses
        return {unit: masses_of(unit, masses) for unit in self.compound}

    @cached_property
    def _bases(self) -> set[int]:
        return {unit.base for unit in self.units}

    def carries(self, unit: JointUnit) -> bool:
        """Return whether anything hangs on a unit."""
        return not self._bases.isdisjoint(unit.links)

    def at(
        self,
        t: Scalar,
        q: Sequence[Scalar],
        u: Sequence[Scalar],
        z: Sequence[Scalar],
        extra: Sequence[Scalar],
        tape: Caller | None = None,
    ) -> ConstrainedState:
        """Return the instant of states q, u, z."""
        return ConstrainedState(self, t, q, u, z, extra, tape=tape)

    def from_all(
        self,
        t: Scalar,
        q: Sequence[Scalar],
        u: Sequence[Scalar],
        z: Sequence[Scalar],
        extra: Sequence[Scalar] = (),
        tape: Caller | None = None,
    ) -> ConstrainedState:
        """Return the instant of all coordinates and speeds, which must fit together."""
        f = self.formulation
        states = [u[k] for k in f.state_u]
        return ConstrainedState(
            self, t, [q[k] for k in f.state_q], states, z, extra, list(q), tape
        )
