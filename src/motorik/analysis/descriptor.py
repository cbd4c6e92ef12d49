"""The descriptor form of linear equations: all coordinates, speeds and multipliers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from motorik.analysis.directional import DirectionalCode
from motorik.analysis.tangent import independent_rows
from motorik.errors import SimulationError
from motorik.numerics.tolerances import RANK

if TYPE_CHECKING:
    from motorik.analysis.linearization import InputEntries, Linearization, OutputEntries


def in_descriptor_form(
    minimal: Linearization, inputs: InputEntries, outputs: OutputEntries
) -> Linearization:
    """Return the same small motions as E δṡ = A δs + B δu, with s = (q, u, z, λ).

        δq̇ = δ(N u),   M δu̇ − Gᵀ δλ = −δ(h − τ − Gᵀ λ),   0 = δ(G u + a₀).

    λ belong to constraint equations that are independent at this pose. OutputEntries follow from q,
    u and z of a consistent motion.
    """
    point = minimal.point
    system, layout = point.system, point.system.layout
    if system.nonsmooth is not None:
        raise SimulationError(
            "linearize",
            "friction and contacts change their forces with the motion; the descriptor form "
            "has only what is smooth.",
            'Linearise with form="minimal".',
            parameter="form",
            value="descriptor",
        )
    code = DirectionalCode.of(system)
    n_q, n_u, n = layout.n_q, layout.n_u, layout.n_motion
    unit, (q, u, _) = np.eye(n), layout.split(point.X)
    rates = code.value("full_state_rates", point.time, point.X, point.p)
    moved = code.along("full_state_rates", (point.time, point.X, point.p), {1: unit}).T
    driven = code.along("full_state_rates", (point.time, point.X, point.p), {2: inputs.p}).T
    ud = layout.split(rates)[1]
    at = point.time, point.X, ud, point.p
    M = code.along("imbalance", at, {2: np.eye(n_u)}).T
    needed = code.along("imbalance", at, {1: unit}).T
    by_inputs = inputs.tau.T - code.along("imbalance", at, {3: inputs.p}).T
    G, rows = _constraint_matrix(minimal, code)
    m = len(rows)
    A, E = np.zeros((n + m, n + m)), np.zeros((n + m, n + m))
    B = np.zeros((n + m, len(inputs.names)))
    E[:n, :n] = np.eye(n)
    E[n_q : n_q + n_u, n_q : n_q + n_u] = M
    A[:n_q, : n_q + n_u] = code.along(
        "coordinate_rates",
        (q, u),
        {0: unit[: n_q + n_u, :n_q], 1: unit[: n_q + n_u, n_q : n_q + n_u]},
    ).T
    A[n_q : n_q + n_u, :n] = -needed
    B[n_q : n_q + n_u] = by_inputs
    A[n_q + n_u : n, :n], B[n_q + n_u : n] = moved[n_q + n_u :], driven[n_q + n_u :]
    if m:
        imbalance = code.value("imbalance", *at)
        lambdas = np.zeros(len(G))
        lambdas[rows] = np.linalg.lstsq(G[rows].T, imbalance, rcond=RANK)[0]
        A[n_q : n_q + n_u, :n] += _by_multipliers(minimal, code, lambdas, {1: unit}).T
        B[n_q : n_q + n_u] += _by_multipliers(minimal, code, lambdas, {2: inputs.p}).T
        A[n_q : n_q + n_u, n:] = G[rows].T
        first = len(G) and code.function("constraints").numel_out(0) - len(G)
        of_constraints = [first + k for k in rows]
        given = point.time, point.X, point.p
        A[n:, :n] = code.along("constraints", given, {1: unit}).T[of_constraints]
        B[n:] = code.along("constraints", given, {2: inputs.p}).T[of_constraints]
    still = np.zeros((n, point.p.size)), np.zeros((n, n_u))
    change = outputs.along(unit, layout.split(moved.T)[1], *still)
    C = np.zeros((len(outputs.names), n + m))
    C[:, :n] = change.T
    forces = system.formulation.constraints.equations if m else []
    return replace(
        minimal,
        A=A,
        B=B,
        C=C,
        E=E,
        states=(
            *layout.motion_names,
            *(f"{forces[k].part}.lambda[{forces[k].number + 1}]" for k in rows),
        ),
        state_units=(*(s.unit for s in layout.motion), *("" for _ in rows)),
        motion=np.eye(n, n + m),
    )


def _constraint_matrix(
    minimal: Linearization, code: DirectionalCode
) -> tuple[np.ndarray, list[int]]:
    """Return G of all constraint equations, and the numbers of independent ones."""
    point, system = minimal.point, minimal.point.system
    count = system.equations.n_multipliers
    G = np.zeros((count, system.n_u))
    if not count:
        return G, []
    entries = code.value("constraint_entries", point.time, point.X, point.p)
    for (i, j), value in zip(system.formulation.constraints.pattern, entries, strict=True):
        G[i, j] = value
    scales = system.scales
    scaled = G * scales.speeds / scales.constraints[:, None]
    U, sizes, _ = np.linalg.svd(scaled)
    rank = int(np.sum(sizes > RANK * max(float(sizes.max(initial=0.0)), 1e-300)))
    return G, independent_rows(U[:, :rank], [range(count)])


def _by_multipliers(
    minimal: Linearization,
    code: DirectionalCode,
    lambdas: np.ndarray,
    seeds: dict[int, np.ndarray],
) -> np.ndarray:
    """Return the changes of Gᵀ λ with λ held, one row for each seed."""
    point, system = minimal.point, minimal.point.system
    given = point.time, point.X, point.p
    changes = code.along("constraint_entries", given, seeds)
    found = np.zeros((len(changes), system.n_u))
    for k, (i, j) in enumerate(system.formulation.constraints.pattern):
        found[:, j] += changes[:, k] * lambdas[i]
    return found
