"""Whether a quantity that follows from the forces of loops is unique.

Rows that follow from others share the load with them, and nothing tells how. With G in the units
of the mechanism, multipliers may change along the vectors N of Gᵀ N = 0 without any effect on the
motion: a quantity y(λ) is unique if ∂y/∂λ N = 0. This is looked at in all assembled poses that
are known, at speeds and accelerations by chance that keep loops closed, at the multipliers that
these need. Of those that differ by N, the ones with the smallest forces at all joints are taken:
a planar loop has no force across its plane. There y must also be what it is if the rows that are
left out take no load, as the equations have it (`row_forces`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from motorik.algebra.scalar import Scalar
from motorik.loops.formulation import Formulation
from motorik.loops.row_forces import needed_forces
from motorik.loops.rows import split_symbols
from motorik.motion.view import MotionView

SEED = 11
REDUNDANT = 1e-9  # singular values of G below this part of the largest count as zero
NOTICED = 1e-6  # part of all its slopes by which a quantity that is not unique changes


def are_unique(
    f: Formulation,
    p: np.ndarray,
    quantities: Callable[[MotionView], Sequence[Scalar]],
) -> list[bool]:
    """Return of each quantity of a motion whether redundant rows leave it unique."""
    probe = _Probe(f, p, quantities)
    chance = np.random.default_rng(SEED)
    held = [*f.solved, *f.independent]
    found: list[np.ndarray] = []
    for pose in f.samples:
        G = f.rows.matrix(pose, p) * f.scales.speeds / f.scales.rows[:, None]
        probe.move(pose, G, chance)
        null = _null_space(G)
        needed = probe.at(np.zeros(len(f.rows.rows))).needed
        least = np.linalg.pinv(G.T, rcond=REDUNDANT) @ needed
        seen = probe.at(least)
        least = least - null @ _solved(seen.by_joints @ null, seen.joints)
        free = np.delete(null, held, axis=0), np.delete(least, held)
        here, there = probe.at(least), probe.at(least - null @ _solved(*free))
        changes = np.abs(here.slopes @ null).max(axis=1, initial=0.0)
        most = np.abs(here.slopes).max(axis=1, initial=0.0)
        apart = np.abs(here.values - there.values)
        is_open = (changes > NOTICED * most) | (apart > NOTICED * np.abs(here.values))
        found.append(~is_open)
    return np.all(found, axis=0).tolist()


@dataclass(frozen=True)
class _ReactionSlopes:
    """Quantities and forces of joints under given multipliers, with their slopes by these.

    `needed` are the generalised forces that the multipliers have to give.
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
        f: Formulation,
        p: np.ndarray,
        quantities: Callable[[MotionView], Sequence[Scalar]],
    ) -> None:
        import casadi

        self.f, self.p = f, p
        m, n_rows = f.mechanism, len(f.rows.rows)
        self.sizes = (m.n_q, m.n_u, m.n_u, 1, len(m.signals.states), n_rows)
        given = [casadi.SX.sym("given", size) for size in self.sizes]
        q, u, ud, t, z, forces = given
        rates, held = split_symbols(ud), split_symbols(forces)
        moving = (m, split_symbols(q), split_symbols(u), rates, t, split_symbols(z), held)
        motion = MotionView(*moving, is_cut=True)
        needed = needed_forces(motion, rates)
        values, joints, caused = (
            casadi.densify(casadi.SX(casadi.vertcat(*own)))
            for own in (quantities(motion), _joint_forces(f, motion), needed)
        )
        every = casadi.vertcat(values, joints, caused)
        known = [*given, f.rows.p]
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
        """Take a pose, and a motion by chance."""
        self.numbers = [chance.normal(size=size) for size in self.sizes[:-1]]
        self.numbers[0], self.numbers[3] = pose, np.zeros(1)
        moving = _motion_by_chance(self.f, self.p, pose, G, chance)
        self.numbers[1], self.numbers[2] = moving
        self.more = chance.normal(size=self.n_others)

    def at(self, forces: np.ndarray) -> _ReactionSlopes:
        """Return what is seen under multipliers."""
        scales = self.f.scales
        given = (*self.numbers, forces / scales.rows, self.p, self.more)
        y, W, Y, B, e = (np.asarray(own) for own in self.function(*given))
        slopes = Y / scales.rows, B / scales.rows
        return _ReactionSlopes(y.ravel(), W.ravel(), *slopes, e.ravel() * scales.speeds)


def _solved(A: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.linalg.lstsq(A, b, rcond=REDUNDANT)[0]


def _joint_forces(f: Formulation, motion: MotionView) -> list[Scalar]:
    """Return the forces at all joints in one unit: times the length of the mechanism, moments."""
    values: list[Scalar] = []
    for edge in f.mechanism.inventory.joints:
        force = motion.reaction_at(edge.frame_b)
        values += [f.scales.length * own for own in force.resultant.xyz]
        values += [*force.moment.xyz]
    return values


def _motion_by_chance(
    f: Formulation,
    p: np.ndarray,
    pose: np.ndarray,
    G: np.ndarray,
    chance: np.random.Generator,
) -> tuple[np.ndarray, np.ndarray]:
    """Return speeds and their rates that keep the loops closed: in a planar loop planar ones."""
    free = _null_space(G.T)
    u = free @ chance.normal(size=free.shape[1])
    y = f.rows.y_numbers(pose)
    bias = np.asarray(f.rows.bias_function(y, u * f.scales.speeds, p)).ravel()
    ud = free @ chance.normal(size=free.shape[1])
    ud -= np.linalg.pinv(G, rcond=REDUNDANT) @ (bias / f.scales.rows)
    return u * f.scales.speeds, ud * f.scales.speeds


def _null_space(G: np.ndarray) -> np.ndarray:
    """Return orthonormal vectors N of Gᵀ N = 0, as columns."""
    left, spread, _ = np.linalg.svd(G)
    rank = int(np.sum(spread > REDUNDANT * spread.max(initial=0.0)))
    return left[:, rank:]


def _among(symbol: Scalar, columns: Sequence[Scalar]) -> bool:
    own = symbol.element_hash()
    return any(own == s.element_hash() for c in columns for s in split_symbols(c))
