"""Decisions about loops that do not hold for the live values of a run, made again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from motorik.errors import MotorikError
from motorik.initialisation.branches import BranchSearch

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.loops.formulation import Formulation


def find_invalid_decision(
    system: CompiledModel,
    q: np.ndarray,
    z: np.ndarray,
    live: np.ndarray,
    t: float,
    is_closed: Callable[[np.ndarray], bool],
) -> str:
    """Return which decision about loops fails for live values, and why; "" if none.

    Constraint equations must be as independent at the pose q as where they were decided, and
    closed forms must give q, and close the loops at other poses that they reach.
    """
    f = system.formulated.of_loops
    if np.array_equal(live, system.assembled.p):
        return ""
    G = f.scales.matrix(f.constraints.matrix(q, live, t, z))
    for decision in f.decisions:
        cluster = decision.cluster
        count = cluster.rank(G)
        if count != len(cluster.active):
            loop = ", ".join(cluster.names(system.mechanism))
            return f"{loop}: {count} constraints are independent, not {len(cluster.active)}"
    if not f.forms or _forms_hold(system, f, q, z, live, t, is_closed):
        return ""
    solved = [
        d.cluster.names(system.mechanism)
        for d in f.decisions
        if d.decomposition is not None
    ]
    loops = ", ".join(dict.fromkeys(name for names in solved for name in names))
    return f"{loops}: the closed forms do not close the loops"


def _forms_hold(
    system: CompiledModel,
    f: Formulation,
    q: np.ndarray,
    z: np.ndarray,
    live: np.ndarray,
    t: float,
    is_closed: Callable[[np.ndarray], bool],
) -> bool:
    """Return whether the closed forms close the loops, here and at other poses."""
    search = BranchSearch(system, q, z, live, t)
    try:
        signs = search.of_pose(q)
    except MotorikError:
        return False
    if not is_closed(search.coordinates(signs)):
        return False
    for sample in f.samples:
        found = BranchSearch(system, sample, z, live, t).coordinates(signs)
        if np.isfinite(found).all() and not is_closed(found):
            return False
    return True


def reformulated(system: CompiledModel, live: np.ndarray, why: str) -> CompiledModel:
    """Return the system of the same model decided at these live values."""
    other = system.recompiled(system.options, live)
    other.reformulated_because = why
    return other


def changed_values(system: CompiledModel, live: np.ndarray) -> str:
    """Return the live values that differ from those that decisions were taken at."""
    values = zip(system.parameters, live.tolist(), system.assembled.p.tolist(), strict=True)
    return ", ".join(
        f"{scalar.label} = {now:.6g} (was {then:.6g})"
        for scalar, now, then in values
        if now != then
    )
