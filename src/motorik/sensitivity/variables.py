"""Derivatives of any variable from those of the states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from motorik.analysis.directional import DirectionalCode
from motorik.errors import SimulationError

if TYPE_CHECKING:
    from motorik.sensitivity.forward import Motions


def derivatives_of(motions: Motions, names: Sequence[str]) -> dict[str, np.ndarray]:
    """Return the derivatives of variables: samples, the variable's own axes, directions."""
    system, layout = motions.system, motions.system.layout
    count, K = motions.time.size, len(motions.directions)
    index = {name: k for k, name in enumerate(system.state_names)}
    found = {name: motions.S[:, index[name]] for name in names if name in index}
    places = {**layout.live_names, **layout.kept_signals}
    found |= {name: motions.D[:, places[name]] for name in names if name in places}
    found |= {"time": np.zeros((count, K))} if "time" in names else {}
    rest = [name for name in names if name not in found]
    if rest:
        flat = _computed(motions, rest)
        shapes = [system.shape_of(name) for name in rest]
        ends = np.cumsum([np.prod(shape, dtype=int) for shape in shapes])
        for name, shape, part in zip(
            rest, shapes, np.split(flat, ends[:-1], axis=1), strict=True
        ):
            found[name] = part.reshape(count, *shape, K)
    return {name: found[name] for name in names}


def _computed(motions: Motions, names: list[str]) -> np.ndarray:
    """Return the derivatives of variables that are no states: sample, number, direction."""
    system, layout = motions.system, motions.system.layout
    code, K = DirectionalCode.of(system), len(motions.directions)
    count = motions.time.size * K
    t = np.repeat(motions.time.reshape(-1, 1), K, axis=0)
    x, p = (np.repeat(own, K, axis=0) for own in (motions.x, motions.p))
    dx, dp = (own.swapaxes(1, 2).reshape(count, -1) for own in (motions.S, motions.D))
    X, dX = x, dx
    if layout.has_dependent:
        X = system.full_state.map(t, x, p)
        dX = code.along("full_state", (t, x, p), {1: dx, 2: dp})
    q, u, z = layout.split(X)
    dq, du, dz = layout.split(dX)
    function, rates = system.output_function(names), None
    none = np.zeros((count, 0))
    ud, dud = np.zeros((count, layout.n_u)), np.zeros((count, layout.n_u))
    multipliers = np.zeros((count, system.equations.n_multipliers))
    _refuse_reactions(motions, function, names)
    if function.jac_sparsity(0, 3).nnz():
        rates = system.full_state_rates.map(t, X, p)
        _, ud, _ = layout.split(rates)
        moved = code.along("full_state_rates", (t, X, p), {1: dX, 2: dp})
        _, dud, _ = layout.split(moved)
    given = t, q, u, ud, z, multipliers if multipliers.size else none, p
    changes = {1: dq, 2: du, 3: dud, 4: dz, 6: dp}
    flat = code.outputs_along(names, given, changes)
    return flat.reshape(motions.time.size, K, -1).swapaxes(1, 2)


def _refuse_reactions(motions: Motions, function: object, names: list[str]) -> None:
    """Refuse variables that need reactions of loops, or forces that switch."""
    system = motions.system
    needs = bool(function.jac_sparsity(0, 5).nnz())  # type: ignore[attr-defined]
    if system.nonsmooth is not None:
        pattern = function.jac_sparsity(0, 6)  # type: ignore[attr-defined]
        columns = set(pattern.get_triplet()[1])
        needs |= bool(columns & set(system.layout.nonsmooth.columns.force.tolist()))
    if needs:
        raise SimulationError(
            ", ".join(names),
            "depends on reactions of loops, friction or contacts, whose derivatives are not "
            "computed.",
            "Ask for positions, speeds and accelerations.",
            parameter="outputs",
            value=names,
        )
