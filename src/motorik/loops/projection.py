"""Projection of states onto the constraints with multipliers and onto static equilibrium."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar, add, neg
from motorik.dynamics.sparse import fault_of
from motorik.motion.traced import coordinate_rates

if TYPE_CHECKING:
    from motorik.loops.equations_of_motion import LoopEquations

BALANCED = 2  # Newton iterations for massless bodies, with one factorisation
CORRECTIONS = 3  # Newton iterations for positions, with one factorisation


def corrected(
    equations: LoopEquations,
    t: Scalar,
    q: Sequence[Scalar],
    u: Sequence[Scalar],
    z: Sequence[Scalar],
    branch_parameters: Sequence[Scalar],
    only_speeds: bool = False,
) -> tuple[list[Scalar], list[Scalar], list[Scalar], list[Scalar]]:
    """Return coordinates and speeds projected onto the constraints with multipliers.

    The change is the smallest in the metric of the mass matrix of each compound joint; the
    factors at the given state serve for all iterations. Third is the displacement of the
    positions along each speed of the tree, fourth the relative residuals of the equations.
    With `only_speeds` the coordinates are kept.
    """
    f, mechanism = equations.formulation, equations.mechanism
    begin = equations.at(t, q, u, z, branch_parameters)
    factors = {u: begin.projection(u) for u in equations.coupled if u.with_multiplier}
    faults: list[Scalar] = []
    now = begin
    holonomic = [row.holonomic for row in equations.constraints.equations]

    def changes(
        values: Sequence[Scalar], only_positions: bool, audits: bool = False
    ) -> list[Scalar]:
        found: list[Scalar] = [0.0] * mechanism.n_u
        for compound, (own, entries, order) in factors.items():
            right: list[Scalar] = [0.0] * len(compound.states)
            right += [
                neg(values[row]) if holonomic[row] or not only_positions else 0.0
                for row in compound.with_multiplier
            ]
            x = own.solve_once(right)
            if audits:
                faults.append(fault_of(entries, order, own, x, right))
            for speed, value in zip(compound.states, x, strict=False):
                found[speed] = value
        return found

    shift: list[Scalar] = [0.0] * mechanism.n_u
    has_positions = not only_speeds and any(holonomic[row] for row in f.with_multiplier)
    for _ in range(CORRECTIONS if has_positions else 0):
        change = changes(now.violations, True)
        shift = [add(a, b) for a, b in zip(shift, change, strict=True)]
        moved = coordinate_rates(mechanism, now.q, change)
        q = [add(value, moved[k]) for k, value in zip(f.state_q, q, strict=True)]
        now = equations.at(t, q, u, z, branch_parameters)
    for turn in range(2):
        change = changes(now.rates, False, turn == 0)
        u = [add(value, change[k]) for k, value in zip(f.state_u, u, strict=True)]
        now = equations.at(t, q, u, z, branch_parameters)
    return list(q), list(u), shift, faults


def settled(
    equations: LoopEquations,
    t: Scalar,
    q: Sequence[Scalar],
    u: Sequence[Scalar],
    z: Sequence[Scalar],
    branch_parameters: Sequence[Scalar],
) -> list[Scalar]:
    """Return coordinates at which massless bodies are in static equilibrium.

    Only coordinates of massless bodies move; the stiffness at the given state serves for all
    iterations.
    """
    f, equilibrium = equations.formulation, equations.equilibrium
    assert equilibrium is not None
    if not equilibrium.corrected:
        return list(q)
    now = equations.at(t, q, u, z, branch_parameters)
    stiffness = equilibrium.stiffness(now.y)
    for _ in range(BALANCED):
        moved = equilibrium.moved(stiffness, now.y, now.q)
        q = [moved[k] for k in f.state_q]
        now = equations.at(t, q, u, z, branch_parameters)
    return list(q)
