"""Constraint forces (Lagrange multipliers) within the equations, and their uniqueness.

With known accelerations, Gᵀ λ = M u̇ + h − τ. The constraints that a formulation solves or
holds by multipliers are independent, so that G Gᵀ of these is definite and one order of
elimination serves for all poses:

    G Gᵀ λ = G (M u̇ + h − τ),

with one step of iterative refinement, as the condition number is squared. Redundant
constraints get no force; `are_unique` returns whether this matters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, overload

import numpy as np

from motorik.algebra.motor import ZERO_MOTOR
from motorik.algebra.scalar import Scalar, add, mul, sub
from motorik.compiler.symbols import elements
from motorik.dynamics.composite_body import inverse_dynamics
from motorik.dynamics.elimination import Pivot
from motorik.dynamics.sparse import SymmetricFactors
from motorik.dynamics.symmetric_order import SymmetricOrder, by_degree
from motorik.immutable import immutable
from motorik.loops.formulation import LoopFormulation
from motorik.motion.view import MotionView
from motorik.numerics.tolerances import NOT_UNIQUE, RANK

if TYPE_CHECKING:
    from motorik.loops.equations_of_motion import ConstrainedState


TURNS = 2  # a solution and one step of iterative refinement


class ConstraintForces(Sequence[Scalar]):
    """The multipliers of all constraints at given rates of speeds, traced when read."""

    def __init__(self, instant: ConstrainedState, ud: Sequence[Scalar]) -> None:
        self._instant, self._ud = instant, ud

    def __len__(self) -> int:
        return len(self._instant.constraints.equations)

    @overload
    def __getitem__(self, index: int) -> Scalar: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Scalar]: ...
    def __getitem__(self, index: int | slice) -> Scalar | Sequence[Scalar]:
        return self._found[index]

    @cached_property
    def needed(self) -> list[Scalar]:
        """M u̇ + h − τ for each speed, with tearing variables for the signals that τ reads."""
        return needed_forces(self._instant.moving(self._ud, is_cut=True), self._ud)

    @cached_property
    def _found(self) -> list[Scalar]:
        instant = self._instant
        f = instant.formulation
        instant.equations.reads_multipliers = True
        row_of = {k: n for n, k in enumerate((*f.solved, *f.independent))}
        by_constraint, by_speed = f.scales.constraints, f.scales.speeds
        G: list[dict[int, Scalar]] = [{} for _ in row_of]
        for (k, speed), value in instant.matrix.items():
            if k in row_of:
                scale = float(by_speed[speed] / by_constraint[k])
                G[row_of[k]][speed] = mul(scale, value)
        needed = [
            mul(float(scale), e) for scale, e in zip(by_speed, self.needed, strict=True)
        ]
        found = _least(G, needed, f.softness)
        result: list[Scalar] = [0.0] * len(self)
        for k, n in row_of.items():
            result[k] = mul(1.0 / float(by_constraint[k]), found[n])
        return result


def needed_forces(motion: MotionView, ud: Sequence[Scalar]) -> list[Scalar]:
    """Return M u̇ + h − τ of a motion in which signals read by forces are tearing variables."""
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
    """Return the least-squares λ of Gᵀ λ = needed; it goes to zero at singular positions."""
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


# --- uniqueness of reactions ---------------------------------------------------------------


SEED = 11


def are_unique(
    f: LoopFormulation,
    p: np.ndarray,
    quantities: Callable[[MotionView], Sequence[Scalar]],
) -> list[bool]:
    """Return whether each quantity of a motion is unique despite redundant constraints.

    Multipliers may change along the null space N of Gᵀ (Gᵀ N = 0, G without units) without effect
    on the motion: a quantity y(λ) is unique if ∂y/∂λ N = 0. This is checked at all assembled
    poses, at random speeds and accelerations consistent with the loops. Of all admissible
    multipliers those with the smallest forces at all joints are taken, since a planar loop has no
    force across its plane; y must not change if redundant constraints carry no load instead.
    """
    probe = _Probe(f, p, quantities)
    chance = np.random.default_rng(SEED)
    held = [*f.solved, *f.independent]
    found: list[np.ndarray] = []
    for pose in f.samples:
        G = f.constraints.matrix(pose, p) * f.scales.speeds / f.scales.constraints[:, None]
        probe.move(pose, G, chance)
        null = _null_space(G)
        needed = probe.at(np.zeros(len(f.constraints.equations))).needed
        least = np.linalg.pinv(G.T, rcond=RANK) @ needed
        seen = probe.at(least)
        least = least - null @ _solved(seen.by_joints @ null, seen.joints)
        free = np.delete(null, held, axis=0), np.delete(least, held)
        here, there = probe.at(least), probe.at(least - null @ _solved(*free))
        changes = np.abs(here.slopes @ null).max(axis=1, initial=0.0)
        most = np.abs(here.slopes).max(axis=1, initial=0.0)
        apart = np.abs(here.values - there.values)
        is_open = (changes > NOT_UNIQUE * most) | (apart > NOT_UNIQUE * np.abs(here.values))
        found.append(~is_open)
    return np.all(found, axis=0).tolist()


@immutable
class _ReactionGradients:
    """Quantities and joint forces at given multipliers, with their gradients.

    `needed` are the generalised forces that the multipliers must balance.
    """

    values: np.ndarray
    joints: np.ndarray
    slopes: np.ndarray
    by_joints: np.ndarray
    needed: np.ndarray


class _Probe:
    """Quantities of a mechanism as functions of its multipliers, in the units of G."""

    def __init__(
        self,
        f: LoopFormulation,
        p: np.ndarray,
        quantities: Callable[[MotionView], Sequence[Scalar]],
    ) -> None:
        import casadi

        self.f, self.p = f, p
        m, n = f.mechanism, len(f.constraints.equations)
        self.sizes = (m.n_q, m.n_u, m.n_u, 1, len(m.signals.states), n)
        given = [casadi.SX.sym("given", size) for size in self.sizes]
        q, u, ud, t, z, forces = given
        rates, held = elements(ud), elements(forces)
        moving = (m, elements(q), elements(u), rates, t, elements(z), held)
        motion = MotionView(*moving, is_cut=True)
        needed = needed_forces(motion, rates)
        values, joints, caused = (
            casadi.densify(casadi.SX(casadi.vertcat(*own)))
            for own in (quantities(motion), _joint_forces(f, motion), needed)
        )
        every = casadi.vertcat(values, joints, caused)
        known = [*given, f.constraints.p]
        others = [s for s in casadi.symvar(every) if not _among(s, known)]
        slopes = (casadi.densify(casadi.jacobian(own, forces)) for own in (values, joints))
        self.function = casadi.Function(
            "found",
            [*known, casadi.vertcat(casadi.SX(0, 1), *others)],
            [values, joints, *slopes, caused],
        )
        self.n_others = len(others)
        self.numbers: list[np.ndarray] = []
        self.more = np.zeros(0)

    def move(self, pose: np.ndarray, G: np.ndarray, chance: np.random.Generator) -> None:
        """Set a pose and a random motion."""
        self.numbers = [chance.normal(size=size) for size in self.sizes[:-1]]
        self.numbers[0], self.numbers[3] = pose, np.zeros(1)
        moving = _motion_by_chance(self.f, self.p, pose, G, chance)
        self.numbers[1], self.numbers[2] = moving
        self.more = chance.normal(size=self.n_others)

    def at(self, forces: np.ndarray) -> _ReactionGradients:
        """Return the quantities under given multipliers."""
        scales = self.f.scales
        given = (*self.numbers, forces / scales.constraints, self.p, self.more)
        y, W, Y, B, e = (np.asarray(own) for own in self.function(*given))
        slopes = Y / scales.constraints, B / scales.constraints
        return _ReactionGradients(y.ravel(), W.ravel(), *slopes, e.ravel() * scales.speeds)


def _solved(A: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.linalg.lstsq(A, b, rcond=RANK)[0]


def _joint_forces(f: LoopFormulation, motion: MotionView) -> list[Scalar]:
    """Return the forces at all joints in one unit: forces times a length, moments."""
    values: list[Scalar] = []
    for edge in f.mechanism.inventory.joints:
        force = motion.reaction_at(edge.frame_b)
        values += [f.scales.length * own for own in force.resultant.xyz]
        values += [*force.moment.xyz]
    return values


def _motion_by_chance(
    f: LoopFormulation,
    p: np.ndarray,
    pose: np.ndarray,
    G: np.ndarray,
    chance: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray]:
    """Return random speeds and accelerations consistent with the loops."""
    free = _null_space(G.T)
    u = free @ chance.normal(size=free.shape[1])
    y = f.constraints.y_numbers(pose)
    bias = np.asarray(f.constraints.bias_function(y, u * f.scales.speeds, p)).ravel()
    ud = free @ chance.normal(size=free.shape[1])
    ud -= np.linalg.pinv(G, rcond=RANK) @ (bias / f.scales.constraints)
    return u * f.scales.speeds, ud * f.scales.speeds


def _null_space(G: np.ndarray) -> np.ndarray:
    """Return orthonormal columns N with Gᵀ N = 0."""
    left, spread, _ = np.linalg.svd(G)
    rank = int(np.sum(spread > RANK * spread.max(initial=0.0)))
    return left[:, rank:]


def _among(symbol: Scalar, columns: Sequence[Scalar]) -> bool:
    own = symbol.element_hash()
    return any(own == s.element_hash() for c in columns for s in elements(c))
