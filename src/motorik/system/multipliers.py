"""Multipliers of constraint equations in numbers: of least norm where constraints are redundant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from motorik.immutable import immutable
from motorik.numerics.tolerances import RANK, WELL_CONDITIONED
from motorik.topology.graph import ConnectedSets

if TYPE_CHECKING:
    from motorik.compiler import NativeFunction
    from motorik.compiler.interpret import Interpreted
    from motorik.loops.formulate import Formulation
    from motorik.system.native_functions import NativeFunctions

MOST_REDUNDANT = (
    80  # equations that share speeds: up to so many, reactions of least norm are sought
)
#: Samples that are computed together: their matrices stay in the processor's cache.
BLOCK = 1000


@immutable
class Shared:
    """Constraint equations that share speeds or a closure: they are solved together.

    `entries` are the places of their entries among all of G, `at_equation` and `at_speed` the
    places of these among the equations and speeds here.
    """

    equations: np.ndarray
    speeds: np.ndarray
    entries: np.ndarray
    at_equation: np.ndarray
    at_speed: np.ndarray
    is_redundant: bool

    @property
    def is_sought(self) -> bool:
        """Whether those with the smallest forces at joints are sought."""
        return self.is_redundant and self.equations.size <= MOST_REDUNDANT


Motion = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
"""t, X, u̇ and p of some samples; p may be one row for all."""


def least_multipliers(
    natives: NativeFunctions, t: np.ndarray, X: np.ndarray, ud: np.ndarray, p: np.ndarray
) -> np.ndarray:
    """Return the multipliers of all constraint equations at samples of the motion.

    Gᵀ λ = M u̇ + h − τ, for equations that share speeds together. Where constraints are redundant
    many λ do; those are taken with which the forces at all joints, and the moments divided by
    the length of the mechanism, are smallest in the sum of their squares (with more than
    `MOST_REDUNDANT` equations, those with the smallest λ).
    """
    f = natives.equations.formulation
    if not f.constraints.equations:
        return np.zeros((len(t), 0))
    pattern = np.array(f.constraints.pattern, dtype=int).reshape(-1, 2)
    parts = _parts(f, pattern)
    names = ["imbalance", "constraint_entries"]
    if any(part.is_sought for part in parts):
        names.append("joint_forces")
    functions = {name: natives.for_samples(name, len(t)) for name in names}
    found = np.zeros((len(t), natives.equations.n_multipliers))
    for first in range(0, len(t), BLOCK):
        own = slice(first, first + BLOCK)
        motion = (t[own].reshape(-1, 1), X[own], ud[own], p[own] if p.ndim > 1 else p)
        _find(functions, natives, pattern, parts, motion, found[own])
    return found / f.scales.constraints


def _find(
    functions: Mapping[str, NativeFunction | Interpreted],
    natives: NativeFunctions,
    pattern: np.ndarray,
    parts: Sequence[Shared],
    motion: Motion,
    found: np.ndarray,
) -> None:
    """Enter the multipliers of a block of samples."""
    scales, (t, X, ud, p) = natives.equations.formulation.scales, motion
    needed = functions["imbalance"].map(t, X, ud, p) * scales.speeds
    entries = functions["constraint_entries"].map(t, X, p)
    entries = entries * scales.speeds[pattern[:, 1]] / scales.constraints[pattern[:, 0]]
    matrices: list[tuple[Shared, RowSpaces]] = []
    for part in parts:
        G = np.zeros((len(t), part.speeds.size, part.equations.size))
        G[:, part.at_speed, part.at_equation] = entries[:, part.entries]
        space = find_row_space(G)
        found[:, part.equations] = space.least(needed[:, part.speeds])
        if part.is_sought:
            matrices.append((part, space))
    if matrices:
        _least_forces(functions["joint_forces"], natives, motion, found, matrices)


def _parts(formulation: Formulation, pattern: np.ndarray) -> list[Shared]:
    """Return the equations that share speeds or a closure, in sets."""
    sets: ConnectedSets[tuple[str, int]] = ConnectedSets()
    for k, equation in enumerate(formulation.constraints.equations):
        sets.add(("equation", k))
        if (
            equation.closure is not None
        ):  # equations without speeds, of planar loops, belong to it
            sets.unite(("closure", equation.closure), ("equation", k))
    for k, speed in pattern.tolist():
        sets.unite(("equation", k), ("speed", speed))
    redundant = {k for d in formulation.decisions for k in d.cluster.redundant}
    places: dict[tuple[str, int], list[int]] = {}
    for n, (k, _) in enumerate(pattern.tolist()):
        places.setdefault(sets.find(("equation", k)), []).append(n)
    found = []
    for first, members in sets.sets().items():
        own = places.get(first, [])
        numbers = [k for kind, k in members if kind == "equation"]
        equations = np.array(sorted(numbers), dtype=int)
        speeds = np.array(sorted(k for kind, k in members if kind == "speed"), dtype=int)
        at_equation = np.searchsorted(equations, pattern[own, 0])
        at_speed = np.searchsorted(speeds, pattern[own, 1])
        is_redundant = not redundant.isdisjoint(equations.tolist())
        entries = np.array(own, dtype=int)
        found.append(
            Shared(equations, speeds, entries, at_equation, at_speed, is_redundant)
        )
    return found


def _least_forces(
    joint_forces: NativeFunction | Interpreted,
    natives: NativeFunctions,
    motion: Motion,
    found: np.ndarray,
    matrices: Sequence[tuple[Shared, RowSpaces]],
) -> None:
    """Change multipliers that are not unique so that forces at joints become smallest."""
    f, (t, X, ud, p) = natives.equations.formulation, motion
    q, u, z = (np.ascontiguousarray(a) for a in natives.layout.split(X))
    W, B = joint_forces.map(t, q, u, ud, z, found / f.scales.constraints, p)
    forces, columns = (np.array(a, dtype=int) for a in natives.equations.response_places)
    unit = np.tile([f.scales.length] * 3 + [1.0] * 3, W.shape[1] // 6)
    for part, space in matrices:
        own = np.flatnonzero(np.isin(columns, part.equations[space.movable]))
        affected, at_force = np.unique(forces[own], return_inverse=True)
        at_equation = np.searchsorted(part.equations, columns[own])
        entries = B[:, own]
        entries *= unit[forces[own]] / f.scales.constraints[columns[own]]
        right = W[:, affected]
        right *= unit[affected]
        response = SparseResponse(at_force, at_equation, entries, part.equations.size)
        found[:, part.equations] -= least_change(space, response, right)


# --- rows of G and what they leave free, for many samples at once ------------------------------


@immutable
class RowSpaces:
    """Matrices G, one for each sample, with orthonormal bases of their rows and what is beside.

    `loose` columns have no entries at any sample: their multipliers are free. Of the `held` ones,
    Gᵀ of the independent `rows` is Q R; the first columns of Q span them, and the others what they
    leave free. `is_regular` tells for which samples the rows are as independent as at the first.
    """

    G: np.ndarray
    rows: np.ndarray
    held: np.ndarray
    loose: np.ndarray
    Q: np.ndarray
    R: np.ndarray
    is_regular: np.ndarray

    def least(self, values: np.ndarray) -> np.ndarray:
        """Return the smallest λ with G λ = values, for values that some λ gives."""
        size = len(self.rows)
        found = np.zeros((len(values), self.G.shape[2]))
        R = np.where(self.is_regular[:, None, None], self.R, np.eye(size))
        solved = np.linalg.solve(np.swapaxes(R, 1, 2), values[:, self.rows, None])
        found[:, self.held] = (self.Q[:, :, :size] @ solved)[:, :, 0]
        for i in np.flatnonzero(~self.is_regular):
            found[i] = np.linalg.pinv(self.G[i], rcond=RANK) @ values[i]
        return found

    @property
    def n_free(self) -> int:
        """The directions that the rows leave free, where these are regular."""
        return self.Q.shape[2] - len(self.rows) + len(self.loose)

    @property
    def movable(self) -> np.ndarray:
        """The columns whose multipliers may change, where the rows are regular."""
        if self.is_regular.all() and not self._free.shape[2]:
            return self.loose
        return np.arange(self.G.shape[2])

    @property
    def _free(self) -> np.ndarray:
        """Orthonormal directions of the held columns that are free of the rows."""
        return self.Q[:, :, len(self.rows) :]

    def along_free(self, values: np.ndarray) -> np.ndarray:
        """Return the components of vectors along the free directions."""
        held = np.swapaxes(self._free, 1, 2) @ values[:, self.held, None]
        return np.concatenate([held[:, :, 0], values[:, self.loose]], axis=1)

    def vectors(self, along: np.ndarray) -> np.ndarray:
        """Return the vectors with these components along the free directions."""
        made = np.zeros((len(along), self.G.shape[2]))
        k = self._free.shape[2]
        made[:, self.held] = (self._free @ along[:, :k, None])[:, :, 0]
        made[:, self.loose] = along[:, k:]
        return made

    def squares(self, response: SparseResponse) -> np.ndarray:
        """Return the products of the responses to the free directions."""
        if not self._free.shape[2]:
            return response.squares(self.loose)
        made = response.squares(np.concatenate([self.held, self.loose]))
        free, k = self._free, len(self.held)
        beside = np.swapaxes(free, 1, 2) @ made[:, :k, k:]
        held = np.swapaxes(free, 1, 2) @ made[:, :k, :k] @ free
        upper = np.concatenate([held, beside], axis=2)
        lower = np.concatenate([np.swapaxes(beside, 1, 2), made[:, k:, k:]], axis=2)
        return np.concatenate([upper, lower], axis=1)

    def free_at(self, sample: int) -> np.ndarray:
        """Return a basis of the null space of G at one sample, by its singular values."""
        _, sizes, V = np.linalg.svd(self.G[sample])
        most = max(float(sizes.max(initial=0.0)), 1e-300)
        return V[int(np.sum(sizes > RANK * most)) :].T


def find_row_space(G: np.ndarray) -> RowSpaces:
    """Return the row spaces of matrices (samples, rows, columns) with rows that depend alike."""
    has_entries = G.any(axis=(0, 1))
    held, loose = np.flatnonzero(has_entries), np.flatnonzero(~has_entries)
    own = G[:, :, held]
    tried = [independent_rows(own[k]) for k in {0, len(G) // 2, len(G) - 1}]
    rows = max(tried, key=len)
    Q, R = np.linalg.qr(np.swapaxes(own[:, rows], 1, 2), mode="complete")
    R = R[:, : len(rows)]
    largest = np.maximum(
        own.max(axis=(1, 2), initial=1e-300), -own.min(axis=(1, 2), initial=0.0)
    )
    least = np.abs(np.diagonal(R, axis1=1, axis2=2)).min(axis=1, initial=np.inf)
    is_regular = least > WELL_CONDITIONED * largest
    others = np.setdiff1d(np.arange(G.shape[1]), rows)
    left = np.abs(own[:, others] @ Q[:, :, len(rows) :]).max(axis=(1, 2), initial=0.0)
    return RowSpaces(G, rows, held, loose, Q, R, is_regular & (left <= RANK * largest))


def independent_rows(G: np.ndarray) -> np.ndarray:
    """Return numbers of independent rows of a matrix, as many as its rank."""
    left, rows = G.copy(), []
    first = float(np.linalg.norm(left, axis=1).max(initial=0.0))
    for _ in range(min(G.shape)):
        sizes = np.linalg.norm(left, axis=1)
        k = int(sizes.argmax())
        if not sizes[k] > RANK * first:
            break
        rows.append(k)
        along = left[k] / sizes[k]
        for _ in range(2):  # the second pass removes the rounding of the first
            left -= np.outer(left @ along, along)
    return np.array(sorted(rows), dtype=int)


class SparseResponse:
    """Forces by multipliers, one sparse matrix of the same pattern for each sample."""

    def __init__(
        self, force: np.ndarray, equation: np.ndarray, entries: np.ndarray, size: int
    ) -> None:
        self.force, self.equation, self.entries, self.size = force, equation, entries, size

    def times(self, values: np.ndarray) -> np.ndarray:
        """Return the forces by multipliers of all samples."""
        made = np.zeros((len(values), int(self.force.max(initial=-1)) + 1))
        for k, (i, j) in enumerate(zip(self.force, self.equation, strict=True)):
            made[:, i] += self.entries[:, k] * values[:, j]
        return made

    def transposed(self, forces: np.ndarray) -> np.ndarray:
        """Return the products of the transposed matrices and forces."""
        made = np.zeros((len(forces), self.size))
        for k, (i, j) in enumerate(zip(self.force, self.equation, strict=True)):
            made[:, j] += self.entries[:, k] * forces[:, i]
        return made

    def squares(self, equations: np.ndarray) -> np.ndarray:
        """Return the products of the transposed matrices and the matrices, of some columns."""
        place = np.full(self.size, -1)
        place[equations] = np.arange(len(equations))
        places = place[self.equation]
        pairs: list[tuple[int, int, int, int]] = []
        for force in np.unique(self.force):
            own = np.flatnonzero((self.force == force) & (places >= 0)).tolist()
            for n, a in enumerate(own):
                for b in own[n:]:
                    low, high = sorted((int(places[a]), int(places[b])))
                    pairs.append((low, high, a, b))
        columns = np.ascontiguousarray(self.entries.T)
        made = np.zeros((len(equations), len(equations), len(self.entries)))
        for i, j, a, b in pairs:
            made[i, j] += columns[a] * columns[b]
        for i in range(len(equations)):
            made[i + 1 :, i] = made[i, i + 1 :]
        return np.ascontiguousarray(made.transpose(2, 0, 1))

    def at(self, sample: int) -> np.ndarray:
        """Return the matrix of one sample."""
        made = np.zeros((int(self.force.max(initial=-1)) + 1, self.size))
        made[self.force, self.equation] = self.entries[sample]
        return made


def least_change(
    space: RowSpaces, response: SparseResponse, forces: np.ndarray
) -> np.ndarray:
    """Return the change of the multipliers, free by G, that makes forces smallest if subtracted.

    By normal equations, whose rounding a second solution with what is left removes.
    """
    change, left = np.zeros((len(forces), response.size)), forces
    if not space.n_free:
        return change
    H = space.squares(response)
    diagonal = np.diagonal(H, axis1=1, axis2=2)
    H += np.eye(space.n_free) * (diagonal.max(axis=1) == 0.0)[:, None, None]
    ones = np.ones((len(forces), space.n_free, 1))
    is_found = space.is_regular
    for _ in range(2):
        right = space.along_free(response.transposed(left))[:, :, None]
        try:
            solved = np.linalg.solve(H, np.concatenate([right, H @ ones], axis=2))
        except np.linalg.LinAlgError:
            is_found = np.zeros(len(forces), dtype=bool)
            break
        change += space.vectors(solved[:, :, 0])
        left = forces - response.times(change)
        astray = np.abs(solved[:, :, 1:] - ones).max(axis=(1, 2))
        is_found = is_found & (astray <= WELL_CONDITIONED)
    # where the forces that are left are not orthogonal to what is free, one by one
    rest = np.abs(space.along_free(response.transposed(left))).max(axis=1)
    sizes = np.sqrt(np.abs(diagonal).max(axis=1)) * np.linalg.norm(forces, axis=1)
    is_found = is_found & (rest <= RANK * sizes)
    for i in np.flatnonzero(~is_found).tolist():
        freely = space.free_at(i)
        found = np.linalg.lstsq(response.at(i) @ freely, forces[i], rcond=RANK)[0]
        change[i] = freely @ found
    return change
