"""Multipliers of constraint equations in numbers: of least norm where constraints are redundant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from motorik.immutable import immutable
from motorik.numerics.tolerances import RANK
from motorik.topology.graph import ConnectedSets

if TYPE_CHECKING:
    from motorik.loops.formulate import Formulation
    from motorik.system.native_functions import NativeFunctions

MOST_REDUNDANT = (
    80  # equations that share speeds: up to so many, reactions of least norm are sought
)


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
    times = t.reshape(-1, 1)
    needed = natives.for_samples("imbalance", len(t)).map(times, X, ud, p) * f.scales.speeds
    entries = natives.for_samples("constraint_entries", len(t)).map(times, X, p)
    pattern = np.array(f.constraints.pattern, dtype=int).reshape(-1, 2)
    entries = entries * f.scales.speeds[pattern[:, 1]] / f.scales.constraints[pattern[:, 0]]
    found = np.zeros((len(t), natives.equations.n_multipliers))
    matrices: list[tuple[Shared, np.ndarray]] = []
    for part in _parts(f, pattern):
        G = np.zeros((len(t), part.speeds.size, part.equations.size))
        G[:, part.at_speed, part.at_equation] = entries[:, part.entries]
        least = np.linalg.pinv(G, rcond=RANK) @ needed[:, part.speeds, None]
        found[:, part.equations] = least[:, :, 0]
        if part.is_redundant and part.equations.size <= MOST_REDUNDANT:
            matrices.append((part, G))
    if matrices:
        motion = (times, X, ud, p)
        _least_forces(natives, f, motion, found, matrices)
    return found / f.scales.constraints


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
    natives: NativeFunctions,
    formulation: Formulation,
    motion: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray],
    found: np.ndarray,
    matrices: Sequence[tuple[Shared, np.ndarray]],
) -> None:
    """Change multipliers that are not unique so that forces at joints become smallest."""
    f, (times, X, ud, p) = formulation, motion
    q, u, z = (np.ascontiguousarray(a) for a in natives.layout.split(X))
    function = natives.for_samples("joint_forces", len(times))
    W, B = function.map(times, q, u, ud, z, found / f.scales.constraints, p)
    forces, columns = (np.array(a, dtype=int) for a in natives.equations.response_places)
    unit = np.tile([f.scales.length] * 3 + [1.0] * 3, W.shape[1] // 6)
    B = B * unit[forces] / f.scales.constraints[columns]
    for part, G in matrices:
        own = np.flatnonzero(np.isin(columns, part.equations))
        affected, at_force = np.unique(forces[own], return_inverse=True)
        at_equation = np.searchsorted(part.equations, columns[own])
        response = np.zeros((affected.size, part.equations.size))
        for i in range(len(times)):
            _, sizes, V = np.linalg.svd(G[i])
            most = max(float(sizes.max(initial=0.0)), 1e-300)
            freely = V[int(np.sum(sizes > RANK * most)) :].T
            if freely.size:
                response[at_force, at_equation] = B[i, own]
                right = W[i, affected] * unit[affected]
                change = np.linalg.lstsq(response @ freely, right, rcond=RANK)[0]
                found[i, part.equations] -= freely @ change
