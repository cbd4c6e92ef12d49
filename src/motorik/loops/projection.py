"""Projection: states brought back onto the enforced rows, and to where forces balance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar, add, neg
from motorik.dynamics.sparse import fault_of
from motorik.motion.traced import coordinate_rates

if TYPE_CHECKING:
    from motorik.loops.equations_of_motion import LoopEquations

BALANCED = 2  # corrections of what has no mass, with one factorisation
CORRECTIONS = 3  # of positions after a step, with one factorisation


def corrected(
    equations: LoopEquations,
    t: Scalar,
    q: Sequence[Scalar],
    u: Sequence[Scalar],
    z: Sequence[Scalar],
    extra: Sequence[Scalar],
    only_speeds: bool = False,
) -> tuple[list[Scalar], list[Scalar], list[Scalar], list[Scalar]]:
    """Return coordinates and speeds brought back onto the enforced rows.

    The change is the smallest in the metric of each unit's mass matrix; the factorisation at
    the given state serves for all corrections. By how much the positions were moved, along
    each speed of the tree, is returned as well, and the faults of the equations of units. With
    `only_speeds` the coordinates stay as they are.
    """
    f, mechanism = equations.formulation, equations.mechanism
    begin = equations.at(t, q, u, z, extra)
    factors = {u: begin.projection(u) for u in equations.compound if u.enforced}
    faults: list[Scalar] = []
    now = begin
    holonomic = [row.holonomic for row in equations.rows.rows]

    def changes(
        values: Sequence[Scalar], only_positions: bool, audits: bool = False
    ) -> list[Scalar]:
        found: list[Scalar] = [0.0] * mechanism.n_u
        for unit, (own, entries, order) in factors.items():
            right: list[Scalar] = [0.0] * len(unit.states)
            right += [
                neg(values[row]) if holonomic[row] or not only_positions else 0.0
                for row in unit.enforced
            ]
            x = own.solve_once(right)
            if audits:
                faults.append(fault_of(entries, order, own, x, right))
            for speed, value in zip(unit.states, x, strict=False):
                found[speed] = value
        return found

    shift: list[Scalar] = [0.0] * mechanism.n_u
    has_positions = not only_speeds and any(holonomic[row] for row in f.enforced)
    for _ in range(CORRECTIONS if has_positions else 0):
        change = changes(now.gaps, True)
        shift = [add(a, b) for a, b in zip(shift, change, strict=True)]
        moved = coordinate_rates(mechanism, now.q, change)
        q = [add(value, moved[k]) for k, value in zip(f.state_q, q, strict=True)]
        now = equations.at(t, q, u, z, extra)
    for turn in range(2):
        change = changes(now.rates, False, turn == 0)
        u = [add(value, change[k]) for k, value in zip(f.state_u, u, strict=True)]
        now = equations.at(t, q, u, z, extra)
    return list(q), list(u), shift, faults


def balanced(
    equations: LoopEquations,
    t: Scalar,
    q: Sequence[Scalar],
    u: Sequence[Scalar],
    z: Sequence[Scalar],
    extra: Sequence[Scalar],
) -> list[Scalar]:
    """Return coordinates at which the forces on what has no mass balance.

    Only coordinates without mass move; the stiffness at the given state serves for all
    corrections.
    """
    f, balance = equations.formulation, equations.balance
    assert balance is not None
    if not balance.corrected:
        return list(q)
    now = equations.at(t, q, u, z, extra)
    stiffness = balance.stiffness(now.y)
    for _ in range(BALANCED):
        moved = balance.moved(stiffness, now.y, now.q)
        q = [moved[k] for k in f.state_q]
        now = equations.at(t, q, u, z, extra)
    return list(q)
