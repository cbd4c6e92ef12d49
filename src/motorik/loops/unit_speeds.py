"""How the speeds of a unit follow from those that are states, by its constraint rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from motorik.algebra.scalar import Scalar, add, div, is_structural, mul, neg, sub
from motorik.dynamics.blocks import MatrixBlock
from motorik.dynamics.compound import Reduction
from motorik.dynamics.sparse import MISSED, SMALLEST, SquareFactors
from motorik.loops.units import JointUnit


class UnitSpeeds:
    """The rows of a unit at one pose: u_D = J u_S + w and u̇_D = J u̇_S + d.

    `rows` are those of G, by row and speed; `blocks` say how the solved ones are solved.
    """

    def __init__(
        self,
        unit: JointUnit,
        rows: Mapping[int, Mapping[int, Scalar]],
        blocks: Sequence[MatrixBlock],
    ) -> None:
        self.unit, self._rows, self._blocks = unit, rows, blocks

    @cached_property
    def solver(self) -> SquareFactors:
        """The solved rows by the dependent speeds."""
        at_speed = {speed: j for j, speed in enumerate(self.unit.dependent)}
        entries = {
            (i, at_speed[speed]): value
            for i, row in enumerate(self.unit.solved)
            for speed, value in self._rows[row].items()
            if speed in at_speed
        }
        return SquareFactors(entries, self._blocks)

    def _dependent(
        self, speeds: Mapping[int, Scalar], known: Sequence[Scalar]
    ) -> list[Scalar]:
        """Return u_D with G_D u_D = −G_S u_S − known, rows in the order of `solved`."""
        right = [neg(value) for value in known]
        for i, row in enumerate(self.unit.solved):
            for speed, value in self._rows[row].items():
                if speed in speeds:
                    right[i] = sub(right[i], mul(value, speeds[speed]))
        return self.solver.solve(right)

    @cached_property
    def jacobian(self) -> dict[int, dict[int, Scalar]]:
        """J: by speed, then by number of the state within the unit."""
        unit = self.unit
        J: dict[int, dict[int, Scalar]] = {
            speed: {s: 1.0} for s, speed in enumerate(unit.states)
        }
        J.update({speed: {} for speed in unit.dependent})
        touched = {speed for row in unit.solved for speed in self._rows[row]}
        nothing = [0.0] * len(unit.solved)
        for s, speed in enumerate(unit.states):
            if speed not in touched:
                continue
            column = self._dependent({speed: 1.0}, nothing)
            for d, value in zip(unit.dependent, column, strict=True):
                if not is_structural(value, 0.0):
                    J[d][s] = value
        return J

    def speeds(
        self, states: Sequence[Scalar], moved: Sequence[Scalar]
    ) -> dict[int, Scalar]:
        """Return the dependent speeds; `moved` are the rates a₀ that solved rows have at rest."""
        unit = self.unit
        if not unit.solved:
            return {}
        if len(unit.states) == 1 and all(is_structural(value, 0.0) for value in moved):
            J = self.jacobian
            return {d: mul(J[d].get(0, 0.0), states[0]) for d in unit.dependent}
        given = dict(zip(unit.states, states, strict=True))
        return dict(zip(unit.dependent, self._dependent(given, moved), strict=True))

    def drift(self, bias: Sequence[Scalar]) -> dict[int, Scalar]:
        """Return d, the rates of dependent speeds, for the bias γ of the solved rows."""
        if not self.unit.solved:
            return {}
        return dict(zip(self.unit.dependent, self._dependent({}, bias), strict=True))

    def fault(
        self,
        rates: Mapping[int, Scalar],
        bias: Sequence[Scalar],
        of_speed: Mapping[int, Scalar],
        of_row: Sequence[Scalar],
    ) -> Scalar:
        """Return how far dependent speeds miss the solved rows: 1 is too far.

        The rows as they are, not their factors, are multiplied with the rates of all speeds,
        and with what the speeds of states, all at once, make of the others. `bias` is γ of
        the solved rows; the factors `of_speed` and `of_row` make all numbers of one size.
        """
        if not self.unit.solved:
            return 0.0
        given = {k: div(1.0 + 0.1 * s, of_speed[k]) for s, k in enumerate(self.unit.states)}
        moved: dict[int, Scalar] = dict(given)
        for speed in self.unit.dependent:
            value: Scalar = 0.0
            for s, factor in self.jacobian[speed].items():
                value = add(value, mul(factor, given[self.unit.states[s]]))
            moved[speed] = value
        still = [0.0] * len(bias)
        return add(
            self._missed(rates, bias, of_speed, of_row),
            self._missed(moved, still, of_speed, of_row),
        )

    def _missed(
        self,
        speeds: Mapping[int, Scalar],
        bias: Sequence[Scalar],
        of_speed: Mapping[int, Scalar],
        of_row: Sequence[Scalar],
    ) -> Scalar:
        """Return the square of G u + γ of the solved rows, against u and γ."""
        missed: Scalar = 0.0
        size: Scalar = SMALLEST
        touched: set[int] = set()
        for row, known, factor in zip(self.unit.solved, bias, of_row, strict=True):
            total = known
            for speed, value in self._rows[row].items():
                total = add(total, mul(value, speeds[speed]))
                touched.add(speed)
            off, own = mul(factor, total), mul(factor, known)
            missed = add(missed, mul(off, off))
            size = add(size, mul(own, own))
        for speed in sorted(touched):
            own = mul(of_speed[speed], speeds[speed])
            size = add(size, mul(own, own))
        return div(missed, mul(MISSED * MISSED, size))

    def reduced_row(self, row: int) -> dict[int, Scalar]:
        """Return a row of Ḡ = G J, by the number of the state within the unit."""
        result: dict[int, Scalar] = {}
        for speed, value in self._rows.get(row, {}).items():
            for s, factor in self.jacobian[speed].items():
                result[s] = add(result.get(s, 0.0), mul(value, factor))
        return result

    def local_jacobian(self) -> dict[int, dict[int, Scalar]]:
        """Return J with speeds numbered within the unit."""
        return {n: self.jacobian[speed] for n, speed in enumerate(self.unit.speeds)}

    def reduction(
        self, drift: Mapping[int, Scalar], enforced: Sequence[Scalar]
    ) -> Reduction:
        """Return all of it, numbered within the unit.

        `enforced` is what the enforced rows have beside G u̇: the bias γ, and what stabilises.
        """
        unit = self.unit
        place = {speed: n for n, speed in enumerate(unit.speeds)}
        needed: list[Scalar] = []
        for row, bias in zip(unit.enforced, enforced, strict=True):
            total = bias
            for speed, value in self._rows.get(row, {}).items():
                if speed in drift:
                    total = add(total, mul(value, drift[speed]))
            needed.append(neg(total))
        return Reduction(
            self.local_jacobian(),
            {place[speed]: value for speed, value in drift.items()},
            [self.reduced_row(row) for row in unit.enforced],
            needed,
            len(unit.states),
        )
