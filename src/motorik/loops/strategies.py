"""The strategy by which each cluster of loops is solved."""

from __future__ import annotations

import numpy as np

from motorik.errors import LoopError
from motorik.immutable import immutable
from motorik.loops.clusters import Cluster
from motorik.loops.decomposition import DecomposedCluster
from motorik.loops.formulation import ClosedForm, LoopDecision
from motorik.loops.mobility import MobilityAnalysis
from motorik.loops.options import (
    AUTO,
    EXPLICIT,
    MINIMAL,
    PROJECTED,
    STRATEGIES,
    LoopStrategy,
)
from motorik.loops.rank_analysis import independent_rows
from motorik.loops.unwrapping import axes_of_turns, unwrapping_sums

PREFERRED = 1e-3  # weight of a coordinate as a dependent one if it shall be a state


@immutable
class ClusterSolution:
    """The solution of one cluster: decision, closed form, unknowns, dependent speeds."""

    decision: LoopDecision
    form: ClosedForm | None = None
    unknowns: tuple[int, ...] = ()
    dependent_u: tuple[int, ...] = ()

    @property
    def solved(self) -> tuple[int, ...]:
        """The constraints that give the dependent speeds."""
        return self.decision.cluster.active if self.dependent_u else ()


def solve_cluster(
    seen: MobilityAnalysis, found: DecomposedCluster, options: LoopStrategy
) -> ClusterSolution:
    """Return the solution of a cluster: by its Assur groups, or by the requested strategy."""
    cluster, mechanism = found.cluster, seen.mechanism
    names = cluster.names(mechanism)
    wanted, why = options.of_parts(names), found.reason
    if found.decomposition is not None:
        form = _closed_form(seen, found)
        if isinstance(form, ClosedForm):
            titles = ", ".join(group.title for group in form.decomposition.groups)
            decision = LoopDecision(
                cluster,
                EXPLICIT,
                f"closed forms: {titles}",
                found.hinges,
                form.decomposition,
            )
            speeds = tuple(mechanism.link_of_coordinate(k).u[0] for k in form.outputs)
            return ClusterSolution(decision, form, dependent_u=speeds)
        why = form
    traits = STRATEGIES[wanted]
    if traits.must_close:
        raise LoopError(
            names[-1],
            f"the loop of {', '.join(names)} has no closed form: {why}.",
            f'Let motorik choose (strategy="{AUTO}"), or use "{PROJECTED}".',
        )
    reason = f"no closed form: {why}" if wanted == AUTO else "as requested"
    strategy = PROJECTED if traits.closed_forms else wanted
    decision = LoopDecision(cluster, strategy, reason, found.hinges)
    if traits.eliminates:
        coordinates, speeds = _minimal(seen, cluster)
        return ClusterSolution(decision, None, coordinates, speeds)
    return ClusterSolution(decision)


def _closed_form(seen: MobilityAnalysis, found: DecomposedCluster) -> ClosedForm | str:
    """Return the decomposition on the links of the tree, or the reason why it does not fit."""
    mechanism, cluster = seen.mechanism, found.cluster
    assert found.decomposition is not None
    decomposition = found.decomposition.with_hinges(list(found.hinges))
    coordinate = {
        seen.joint_numbers[id(link.edge)]: link.q[0]
        for link in (mechanism.links[k] for k in cluster.links)
        if link.edge is not None and link.q
    }
    solved = [h for group in decomposition.groups for h in group.hinges if h in coordinate]
    fits = all(h in coordinate for h in decomposition.independent)
    if not fits or len(decomposition.independent) + len(solved) != len(cluster.speeds):
        return "its independent joints do not fit into one tree"
    if len(solved) != len(cluster.active):
        return "redundant constraints change with the pose"
    hinges = {hinge.index: hinge for hinge in found.hinges}
    axes = axes_of_turns(seen, cluster.root, found.hinges)
    angle_sums = unwrapping_sums(cluster.root, hinges, decomposition, coordinate, axes)
    return ClosedForm(cluster.root, hinges, decomposition, coordinate, angle_sums)


def _minimal(
    seen: MobilityAnalysis, cluster: Cluster
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the coordinates and speeds that are best chosen as dependent, by pivoting."""
    mechanism, rows = seen.mechanism, seen.constraints.equations
    single: list[tuple[int, int, int]] = []
    for k in cluster.links:
        link = mechanism.links[k]
        if len(link.u) == len(link.q):
            priority = link.edge.state_priority if link.edge is not None else 0
            single += [(u, q, priority) for u, q in zip(link.u, link.q, strict=True)]
    any_rate = any(not rows[k].holonomic for k in cluster.active)
    columns = [u for u, _, _ in single]
    weight = np.array([PREFERRED ** max(priority - 1, 0) for _, _, priority in single])
    related = {u for relation in mechanism.relations for u, _ in relation.terms}
    weight[[u in related for u in columns]] *= PREFERRED  # these follow from other parts
    G = seen.matrices[0].part(cluster.active, columns) * weight
    chosen = independent_rows([G.T])
    if len(chosen) < len(cluster.active) or any_rate:
        names = cluster.names(mechanism)
        reason = "coordinates that are not single numbers"
        if any_rate:
            reason = "non-holonomic constraints"
        raise LoopError(
            names[-1],
            f"the strategy {MINIMAL!r} does not apply to the loop of {', '.join(names)}: "
            f"{reason}.",
            f'Use "{PROJECTED}".',
        )
    return tuple(single[k][1] for k in chosen), tuple(single[k][0] for k in chosen)
