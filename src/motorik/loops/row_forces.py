"""Multipliers of constraint rows within the equations: the forces that hold loops closed.

All accelerations known, Gᵀ λ = M u̇ + h − τ. The rows that a formulation solves or enforces are
independent, so that G Gᵀ of these is definite, and one order of elimination serves for all poses:

    G Gᵀ λ = G (M u̇ + h − τ),

once more for what is left, as the condition is squared. The other rows follow from these; how
they share the load is not determined, and they are given none (`check_unique`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, overload

from motorik.algebra.motor import ZERO_MOTOR
from motorik.algebra.scalar import Scalar, add, mul, sub
from motorik.dynamics.composite_body import inverse_dynamics
from motorik.dynamics.elimination import Pivot
from motorik.dynamics.sparse import SymmetricFactors
from motorik.dynamics.symmetric_order import SymmetricOrder, by_degree
from motorik.motion.view import MotionView

if TYPE_CHECKING:
    from motorik.loops.constrained import ConstrainedState

TURNS = 2  # once, and once more for what is left


class RowForces(Sequence[Scalar]):
    """The multipliers of all rows at an instant with given rates of speeds, traced when read."""

    def __init__(self, instant: ConstrainedState, ud: Sequence[Scalar]) -> None:
        self._instant, self._ud = instant, ud

    def __len__(self) -> int:
        return len(self._instant.rows.rows)

    @overload
    def __getitem__(self, index: int) -> Scalar: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Scalar]: ...
    def __getitem__(self, index: int | slice) -> Scalar | Sequence[Scalar]:
        return self._found[index]

    @cached_property
    def needed(self) -> list[Scalar]:
        """M u̇ + h − τ for each speed, τ with readings that it depends on as unknowns."""
        return needed_forces(self._instant.moving(self._ud, is_cut=True), self._ud)

    @cached_property
    def _found(self) -> list[Scalar]:
        instant = self._instant
        f = instant.formulation
        instant.equations.reads_multipliers = True
        rows = {row: n for n, row in enumerate((*f.solved, *f.independent))}
        by_row, by_speed = f.scales.rows, f.scales.speeds
        G: list[dict[int, Scalar]] = [{} for _ in rows]
        for (row, speed), value in instant.matrix.items():
            if row in rows:
                scale = float(by_speed[speed] / by_row[row])
                G[rows[row]][speed] = mul(scale, value)
        needed = [
            mul(float(scale), e) for scale, e in zip(by_speed, self.needed, strict=True)
        ]
        found = _least(G, needed, f.softness)
        result: list[Scalar] = [0.0] * len(self)
        for row, n in rows.items():
            result[row] = mul(1.0 / float(by_row[row]), found[n])
        return result


def needed_forces(motion: MotionView, ud: Sequence[Scalar]) -> list[Scalar]:
    """Return M u̇ + h − τ of a motion in which readings that forces depend on are unknowns."""
    mechanism = motion.mechanism
    loads = motion.link_loads
    if mechanism.coupled_masses:
        moving = motion.mass_loads
        both = zip(loads or [ZERO_MOTOR] * len(moving), moving, strict=True)
        loads = [a + b for a, b in both]
    given = (mechanism.links, mechanism.gravity, motion.q, motion.u, ud, loads)
    caused = zip(inverse_dynamics(*given), motion.generalised_forces, strict=True)
    return [sub(needed, own) for needed, own in caused]


def _least(
    G: Sequence[dict[int, Scalar]], needed: Sequence[Scalar], softness: float
) -> list[Scalar]:
    """Return λ of Gᵀ λ = needed, in the least of squares, small at singular positions."""
    n = len(G)
    entries: dict[tuple[int, int], Scalar] = {}
    for i in range(n):
        for j in range(i, n):
            shared = [k for k in G[i] if k in G[j]]
            if shared:
                entries[i, j] = _sum(mul(G[i][k], G[j][k]) for k in shared)
    order = SymmetricOrder(tuple(Pivot((k,), 1.0) for k in by_degree(entries)))
    factors = SymmetricFactors.of(entries, order, 0, softness)
    found: list[Scalar] = [0.0] * n
    left = list(needed)
    for _ in range(TURNS):
        right = [_sum(mul(value, left[k]) for k, value in row.items()) for row in G]
        found = [add(a, b) for a, b in zip(found, factors.solve(right), strict=True)]
        left = list(needed)
        for row, force in zip(G, found, strict=True):
            for k, value in row.items():
                left[k] = sub(left[k], mul(value, force))
    return found


def _sum(terms: Iterable[Scalar]) -> Scalar:
    total: Scalar = 0.0
    for term in terms:
        total = add(total, term)
    return total
