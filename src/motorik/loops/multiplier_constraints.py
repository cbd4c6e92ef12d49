"""The choice of constraints that are enforced by Lagrange multipliers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from motorik.loops.formulation import Formulation, LinearStep
from motorik.loops.mobility import MobilityAnalysis
from motorik.loops.options import PROJECTED
from motorik.loops.pose_sampling import PoseSampler
from motorik.loops.rank_analysis import RowSelection
from motorik.loops.strategies import ClusterSolution
from motorik.topology.graph import ConnectedSets

POSES = 64  # reachable poses at which a choice of constraints is checked
AS_WELL = (
    0.1  # least singular value of rows enough for the motion, against that of all rows
)


def choose_with_multiplier(
    seen: MobilityAnalysis,
    solutions: Sequence[ClusterSolution],
    solved: Sequence[int],
    dependent: Sequence[int],
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the independent constraints among those not solved, and the redundant ones."""
    rows = seen.constraints.equations
    taken = set(solved)
    redundant = [k for s in solutions for k in s.decision.cluster.redundant]
    active = [k for s in solutions if not s.dependent_u for k in s.decision.cluster.active]
    relations = [k for k, row in enumerate(rows) if row.relation is not None]
    open_rows = [*active, *(k for k in relations if k not in taken)]
    if not open_rows:
        return (), tuple(redundant)
    chosen: set[int] = set()
    choice = RowSelection(seen.matrices)
    for group, speeds in _groups(seen, (*solved, *open_rows)):
        chosen |= set(choice.among(group, speeds, solved, dependent))
    with_multiplier = tuple(row for row in open_rows if row in chosen)
    redundant += [row for row in open_rows if row not in chosen]
    return with_multiplier, tuple(redundant)


def with_redundant(formulation: Formulation) -> Formulation:
    """Return the formulation with multipliers for all redundant constraints, too."""
    f = formulation
    is_void = [
        k >= f.constraints.n_holonomic or f.constraints.g[k].is_constant()
        for k in f.redundant
    ]
    more = tuple(k for k, void in zip(f.redundant, is_void, strict=True) if not void)
    if f.solved or not more:
        return f
    return replace(
        f,
        with_multiplier=tuple(sorted((*f.with_multiplier, *more))),
        redundant=tuple(k for k in f.redundant if k not in more),
        redundant_kept=more,
    )


def are_enough(f: Formulation, p: np.ndarray) -> bool:
    """Return whether the chosen constraints determine the motion as well as all of them.

    At all reachable poses their least singular value must be comparable.
    """
    walk = PoseSampler(f.constraints, f.samples[0], p, f.scales)
    rows = list(f.with_multiplier)
    for pose in (*f.samples, *walk.poses(POSES)):
        G = f.constraints.matrix(pose, p) * f.scales.speeds / f.scales.constraints[:, None]
        every = np.linalg.svd(G, compute_uv=False)
        own = np.linalg.svd(G[rows], compute_uv=False)
        if own[-1] < AS_WELL * every[len(rows) - 1]:
            return False
    return True


def _groups(
    seen: MobilityAnalysis, rows: Sequence[int]
) -> list[tuple[list[int], list[int]]]:
    """Return constraints that share speeds, with these speeds."""
    places, sets = seen.constraints.sparsity, ConnectedSets[int]()
    speeds = {row: places.columns[places.of_row(row)].tolist() for row in rows}
    for own in speeds.values():
        for u in own:
            sets.unite(own[0], u)
    found = {first: ([], sorted(own)) for first, own in sets.sets().items()}
    for row, own in speeds.items():
        if own:
            found[sets.find(own[0])][0].append(row)
    return list(found.values())


def released(formulation: Formulation) -> Formulation:
    """Return the formulation with all coordinates as states and multipliers for all loops."""
    rows = formulation.constraints.equations
    kept = [s for s in formulation.steps if isinstance(s, LinearStep)]
    related = {k for k, row in enumerate(rows) if row.relation is not None}
    decisions = [
        replace(d, strategy=PROJECTED, reason="continued by projection", decomposition=None)
        for d in formulation.decisions
    ]
    return replace(
        formulation,
        decisions=tuple(decisions),
        steps=tuple(kept),
        dependent_u=tuple(step.speed for step in kept),
        solved=tuple(row for row in formulation.solved if row in related),
        with_multiplier=(
            *(row for row in formulation.solved if row not in related),
            *formulation.with_multiplier,
        ),
        unknowns=(),
        gains=None,
    )


def with_all_constraints(seen: MobilityAnalysis, formulation: Formulation) -> Formulation:
    """Return the projected formulation with the constraints independent at more poses."""
    form = released(formulation)
    by_links = {cluster.links: cluster for cluster in seen.clusters}
    decisions = [replace(d, cluster=by_links[d.cluster.links]) for d in form.decisions]
    solutions = [ClusterSolution(decision) for decision in decisions]
    with_multiplier, redundant = choose_with_multiplier(
        seen, solutions, form.solved, form.dependent_u
    )
    return replace(
        form,
        samples=seen.samples,
        decisions=tuple(decisions),
        with_multiplier=with_multiplier,
        redundant=redundant,
        redundant_kept=(),
    )
