"""Compound joints: links coupled by loops, as one node of the articulated-body recursion.

The links of a compound joint are mounted on one link outside of it, its base. The coupled
equations are solved locally; the compound joint passes one articulated inertia and one force
to its base, as the joint of a single link does. With u = J u_S + w and u̇ = J u̇_S + d

    [ JᵀMJ   Ḡᵀ   (HJ)ᵀ ] [ u̇_S ]   [ Jᵀ(τ − h) ]
    [ Ḡ      0    0     ] [ −λ  ] = [ −γ̄        ]
    [ HJ     0    𝔐_c   ] [ A   ]   [ F − f      ]

where A is the acceleration of the base, F the force on the compound joint at its base, 𝔐_c the
composite inertia of all links, H u̇ the force on the base due to their relative motion, h and f
the terms of all forces and accelerations other than u̇_S and A.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from motorik.algebra.dyad import Inertia
from motorik.algebra.matrix import Matrix, Symmetric
from motorik.algebra.motor import ZERO_MOTOR, Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar, add, is_structural, mul, neg, sub
from motorik.algebra.vector import Vector
from motorik.dynamics.composite_body import OUTSIDE, Entries, Member, mass_entries
from motorik.dynamics.sparse import SymmetricFactors, fault_of
from motorik.dynamics.symmetric_order import SymmetricOrder
from motorik.elements.joint import combine
from motorik.immutable import immutable
from motorik.topology.mechanism import WORLD

Rows = Mapping[int, Mapping[int, Scalar]]
"""Rows of J or Ḡ: for each speed or constraint, factors by local number of the state."""

BASE = 6  # components of the motion of a base: rotation, then translation


@immutable
class LinkMotion:
    """A link in motion: pose X in its parent, screws S, acceleration c due to the speeds.

    `inertia` and force `b` include those of all links mounted on it outside of its compound joint.
    """

    X: Pose
    S: tuple[Motor, ...]
    c: Motor
    inertia: Inertia
    b: Motor


def needed_forces(
    members: Sequence[Member],
    motion: Sequence[LinkMotion],
    drift: Mapping[int, Scalar],
    A_base: Motor,
) -> tuple[list[Scalar], Motor]:
    """Return h of each speed and f of the base, for rates `drift` of the speeds.

    `A_base` is the known acceleration of the base.
    """
    A: list[Motor] = []
    f: list[Motor] = []
    for link, own in zip(members, motion, strict=True):
        before = A[link.parent] if link.parent >= 0 else A_base
        rates = [drift.get(k, 0.0) for k in link.u]
        A.append(own.X.back(before) + own.c + combine(own.S, rates))
        f.append(own.inertia(A[-1]) + own.b)
    h: dict[int, Scalar] = {}
    at_base = ZERO_MOTOR
    for link in reversed(members):
        own, force = motion[link.index], f[link.index]
        for k, screw in zip(link.u, own.S, strict=True):
            h[k] = add(screw @ force, mul(link.armature, drift.get(k, 0.0)))
        if link.parent == OUTSIDE:
            at_base = at_base + own.X(force)
        elif link.parent != WORLD:
            f[link.parent] = f[link.parent] + own.X(force)
    return [h[k] for k in sorted(h)], at_base


def reduced_entries(
    M: Entries,
    H: Mapping[int, Motor],
    J: Rows,
    with_multiplier: Sequence[Mapping[int, Scalar]],
    n: int,
) -> Entries:
    """Return the upper triangle of the equations: states, multipliers, base."""
    moved_by: dict[int, list[int]] = {}
    for speed in sorted(J):
        for s in J[speed]:
            moved_by.setdefault(s, []).append(speed)
    entries = _reduced_mass(M, J, moved_by, n)
    for e, line in enumerate(with_multiplier):
        for s, value in line.items():
            entries[s, n + e] = value
    first = n + len(with_multiplier)
    for s in range(n) if H else ():
        momentum = ZERO_MOTOR
        for k in moved_by.get(s, ()):
            momentum = momentum + J[k][s] * H[k]
        for c, value in enumerate(on_motion(momentum)):
            entries[s, first + c] = value
    return {key: v for key, v in entries.items() if not is_structural(v, 0.0)}


def _reduced_mass(
    M: Entries, J: Rows, moved_by: Mapping[int, Sequence[int]], n: int
) -> Entries:
    """Return JᵀMJ, upper triangle; `moved_by` are the speeds that depend on each state."""
    table: dict[int, dict[int, Scalar]] = {}
    for (i, k), value in M.items():
        table.setdefault(i, {})[k] = table.setdefault(k, {})[i] = value
    entries: Entries = {}
    for s in range(n):
        momentum: dict[int, Scalar] = {}
        for k in moved_by.get(s, ()):
            for i, value in table.get(k, {}).items():
                momentum[i] = add(momentum.get(i, 0.0), mul(value, J[k][s]))
        for i, value in sorted(momentum.items()):
            for other, factor in J.get(i, {}).items():
                if other <= s:
                    key = (other, s)
                    entries[key] = add(entries.get(key, 0.0), mul(factor, value))
    return entries


def on_motion(force: Motor) -> tuple[Scalar, ...]:
    """Return the work of a force motor on each component of a velocity motor."""
    return (*force.moment.xyz, *force.resultant.xyz)


def inertia_of(at: Callable[[int, int], Scalar]) -> Inertia:
    """Return the dyad with entries by the components of motion, rotation first."""
    J = Symmetric(at(0, 0), at(1, 1), at(2, 2), at(0, 1), at(0, 2), at(1, 2))
    M = Symmetric(at(3, 3), at(4, 4), at(5, 5), at(3, 4), at(3, 5), at(4, 5))
    return Inertia(M, Matrix(*(at(i, 3 + j) for i in range(3) for j in range(3))), J)


@immutable
class CompoundEquations:
    """The equations of a compound joint before elimination, and the order of elimination."""

    entries: Entries
    order: SymmetricOrder
    right: list[Scalar]


@immutable
class Condensed:
    """The equations of a compound joint with its states eliminated.

    `factors` are those of `reduced_entries`, `n` is the number of states, `first` the first row of
    the base; `right` is the eliminated right-hand side. Where the base is the world, `first` is
    None and `right` is the whole right-hand side. `equations` are kept for the audit.
    """

    factors: SymmetricFactors
    n: int
    first: int | None
    right: list[Scalar]
    equations: CompoundEquations | None = None

    def rates(self, A: Motor) -> list[Scalar]:
        """Return the rates of the states for the acceleration of the base."""
        return self._solution(A)[: self.n]

    def _solution(self, A: Motor) -> list[Scalar]:
        if self.first is None:
            return self.factors.solve(self.right)
        right = list(self.right)
        right[self.first :] = [*A.resultant.xyz, *A.moment.xyz]
        return self.factors.substituted(right)

    def audited_rates(self, A: Motor) -> tuple[list[Scalar], Scalar]:
        """Return the rates of the states and their relative residual, see `fault_of`."""
        assert self.equations is not None
        x, own = self._solution(A), self.equations
        if len(own.order.scale) == 1:
            return x[:1], 0.0  # one quotient
        is_refined = self.first is None and self.factors.entries is not None
        given = (own.entries, own.order, self.factors, x, own.right, is_refined)
        return x[: self.n], fault_of(*given)


@immutable
class Reduction:
    """The dependence of the speeds on the states, and the constraints with multipliers.

    J by speed and number of the state, `drift` the rates d of speeds while those of states are
    zero, `rows` of Ḡ and `needed` −γ̄ of the constraints with multipliers.
    """

    J: dict[int, dict[int, Scalar]]
    drift: dict[int, Scalar]
    rows: list[dict[int, Scalar]]
    needed: list[Scalar]
    n: int

    def rate(self, speed: int, states: Sequence[Scalar]) -> Scalar:
        """Return the rate of a speed from those of the states."""
        value = self.drift.get(speed, 0.0)
        for s, factor in self.J[speed].items():
            value = add(value, mul(factor, states[s]))
        return value


def condense(
    members: Sequence[Member],
    motion: Sequence[LinkMotion],
    reduction: Reduction,
    tau: Sequence[Scalar],
    A_base: Motor,
    order: Callable[[Entries], SymmetricOrder],
    softness: Scalar,
    audits: bool = False,
) -> tuple[Condensed, Inertia | None, Motor]:
    """Return a compound joint with its states eliminated, and its inertia and force at the base.

    `A_base` is the acceleration of the base if that is the world, else zero. With `audits`, the
    equations before elimination are kept.
    """
    X, S, inertia = ([getattr(m, key) for m in motion] for key in ("X", "S", "inertia"))
    M, H, composite = mass_entries(members, X, S, inertia)
    entries = reduced_entries(M, H, reduction.J, reduction.rows, reduction.n)
    chosen = order(entries)
    factors = SymmetricFactors.of(entries, chosen, reduction.n, softness)
    h, f = needed_forces(members, motion, reduction.drift, A_base)
    forces = [sub(t, own) for t, own in zip(tau, h, strict=True)]
    right = [*reduced_forces(forces, reduction.J, reduction.n), *reduction.needed]
    if composite is None:
        own = CompoundEquations(entries, chosen, right) if audits else None
        return Condensed(factors, reduction.n, None, right, own), None, ZERO_MOTOR
    first = len(right)
    right += [neg(value) for value in on_motion(f)]
    own = CompoundEquations(entries, chosen, right) if audits else None
    right = factors.eliminated(right)
    bias = [neg(value) for value in right[first:]]
    left = factors.left
    given = inertia_of(lambda i, j: left.get((first + i, first + j), 0.0))
    return (
        Condensed(factors, reduction.n, first, right, own),
        composite + given,
        Motor(Vector(*bias[3:]), Vector(*bias[:3])),
    )


def reduced_forces(forces: Sequence[Scalar], J: Rows, n: int) -> list[Scalar]:
    """Return Jᵀ f of forces on speeds."""
    result: list[Scalar] = [0.0] * n
    for speed, value in enumerate(forces):
        for s, factor in J[speed].items():
            result[s] = add(result[s], mul(factor, value))
    return result
