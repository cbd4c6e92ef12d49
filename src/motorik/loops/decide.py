"""The choice of the formulation: mobility analysis, Assur groups, spanning tree, strategies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from motorik.algebra.vector import Vector
from motorik.components.base.contributions import ALWAYS
from motorik.errors import LoopError
from motorik.immutable import immutable
from motorik.loops.decomposition import (
    DecomposedCluster,
    decompose_clusters,
    is_same_tree,
    spanning_tree_order,
)
from motorik.loops.diagnosis import why_locked
from motorik.loops.formulate import FormulatedModel
from motorik.loops.formulation import ClosedForm, LinearStep, LoopDecision, LoopFormulation
from motorik.loops.mobility import MobilityAnalysis, analyse_mobility
from motorik.loops.options import (
    AUTO,
    EARTHLY,
    EXPLICIT,
    PROJECTED,
    STRATEGIES,
    LoopStrategy,
)
from motorik.loops.pose_sampling import PoseSampler
from motorik.loops.rank_analysis import RowSelection
from motorik.loops.unwrapping import axes_of_turns, cut_angles, unwrapping_sums
from motorik.numerics.tolerances import ABSOLUTE_SOFTNESS, SOFTNESS
from motorik.topology.assembled_model import AssembledModel
from motorik.topology.graph import ConnectedSets
from motorik.topology.mechanism import Mechanism, Relation

POSES = 64  # reachable poses at which a choice of constraints is checked
AS_WELL = 0.1  # least singular value of constraints that suffice, against that of all

# --- the strategy of each cluster ----------------------------------------------------------


@immutable
class ClusterSolution:
    """The solution of one cluster: decision, closed form, dependent speeds."""

    decision: LoopDecision
    form: ClosedForm | None = None
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


# --- linear relations between coordinates -------------------------------------------------


def relate(
    mechanism: Mechanism,
    seen: MobilityAnalysis,
    solutions: Sequence[ClusterSolution],
    forms: Sequence[ClosedForm],
) -> tuple[list[LinearStep], list[int]]:
    """Choose a dependent coordinate for each relation, if one is free; return steps, equations."""
    taken = {u for s in solutions for u in s.dependent_u}
    giver: dict[int, ClosedForm | LinearStep] = {k: f for f in forms for k in f.outputs}
    steps: list[LinearStep] = []
    used: list[int] = []
    for number, equation in enumerate(seen.constraints.equations):
        if equation.relation is None:
            continue
        relation = mechanism.relations[equation.relation]
        free = [
            (speed, factor)
            for speed, factor in relation.terms
            if speed not in taken
            and len(mechanism.link_of_speed(speed).u) == 1
            and _can_follow(mechanism, giver, relation, speed)
        ]
        if not free:
            continue
        speed, factor = min(free, key=lambda term: _priority(mechanism, term[0]))
        k = mechanism.coordinate_of_speed(speed)
        others = (s for s, _ in relation.terms if s != speed)
        inputs = tuple(mechanism.coordinate_of_speed(s) for s in others)
        steps.append(LinearStep(relation, k, speed, factor, inputs))
        giver[k] = steps[-1]
        taken.add(speed)
        used.append(number)
    return steps, used


def _can_follow(
    mechanism: Mechanism,
    giver: Mapping[int, ClosedForm | LinearStep],
    relation: Relation,
    speed: int,
) -> bool:
    """Return whether a relation can give a coordinate without circular dependence.

    `giver` is the step that gives a coordinate.
    """
    wanted = mechanism.coordinate_of_speed(speed)
    needed = [mechanism.coordinate_of_speed(s) for s, _ in relation.terms if s != speed]
    seen = set(needed)
    while needed:
        k = needed.pop()
        if k == wanted:
            return False
        more = [i for i in giver[k].inputs if i not in seen] if k in giver else []
        seen.update(more)
        needed += more
    return True


def _priority(mechanism: Mechanism, speed: int) -> tuple[bool, int, int, int]:
    """Return the priority of a speed as a state; the lowest becomes dependent first."""
    link = mechanism.link_of_speed(speed)
    priority = mechanism.state_priority(link)
    places = (link.q[0], mechanism.n_q + speed)
    fixed = sum(mechanism.states[k].start.is_fixed for k in places)
    return priority >= ALWAYS, fixed, priority, speed


def scheduled(
    mechanism: Mechanism, steps: Sequence[ClosedForm | LinearStep]
) -> tuple[ClosedForm | LinearStep, ...]:
    """Return the steps in an order in which the inputs of each are known."""
    given = {k for step in steps for k in step.outputs}
    missing = [given.intersection(step.inputs) for step in steps]
    users: dict[int, list[int]] = {}
    for at, needed in enumerate(missing):
        for k in needed:
            users.setdefault(k, []).append(at)
    ready = [at for at, needed in enumerate(missing) if not needed]
    for at in ready:
        for k in steps[at].outputs:
            for user in users.get(k, ()):
                missing[user].discard(k)
                if not missing[user]:
                    ready.append(user)
    if len(ready) < len(steps):
        waiting = set(range(len(steps))) - set(ready)
        numbers = {k for at in waiting for k in steps[at].inputs}
        names = sorted({mechanism.coordinates[k].name for k in numbers})
        raise LoopError(
            mechanism.name,
            f"coordinates depend on one another in a circle: {', '.join(names)}.",
            f'Take strategy="{PROJECTED}".',
        )
    return tuple(steps[at] for at in ready)


def formulate_loops(
    assembled: AssembledModel, options: LoopStrategy, mechanism: Mechanism
) -> FormulatedModel:
    """Return how the loops of a mechanism are solved.

    Where Assur groups close loops in closed form, the tree is grown again, so that each group
    closes one loop. If this gives another tree, its analysis starts from the assembled poses of
    the first one. Redundant constraints are found again, since other joints are cut and their
    equations are others; the rank comes with this choice, so that mobility carried over from
    the first tree would save nothing.
    """
    seen = analyse_mobility(assembled, mechanism, absolute=options.is_absolute)
    planned = decompose_clusters(seen, options)
    decompositions = [
        found.decomposition for found in planned if found.decomposition is not None
    ]
    order = spanning_tree_order(mechanism, decompositions)
    regrown = assembled.grown(order, False) if decompositions else mechanism
    if not is_same_tree(regrown, mechanism):
        mechanism = regrown
        seen = analyse_mobility(assembled, mechanism, order, known=seen.named_values())
        favoured = frozenset(
            hinge for decomposition in decompositions for hinge in decomposition.independent
        )
        planned = decompose_clusters(seen, options, favoured)
    if options.is_auto:  # the other strategies begin where this one starts
        searched = [found.cluster for found in planned if not _is_closed_form(seen, found)]
        seen = seen.nearest_to_guesses(searched)
        planned = [
            replace(p, cluster=c) for p, c in zip(planned, seen.clusters, strict=True)
        ]
    found = decide(seen, planned, options)
    return FormulatedModel(assembled, options, mechanism, found, seen)


def _is_closed_form(seen: MobilityAnalysis, planned: DecomposedCluster) -> bool:
    """Return whether a start follows from closed forms: no angle that they give is fixed."""
    decomposition, mechanism = planned.decomposition, seen.mechanism
    if decomposition is None:
        return False
    links = [mechanism.links[k] for k in planned.cluster.links]
    given = [
        link
        for link in links
        if any(mechanism.coordinates[k].start.is_fixed for k in link.q)
    ]
    numbers = (seen.joint_numbers.get(id(link.edge)) for link in given)
    return set(numbers) <= set(decomposition.independent)


def decide(
    seen: MobilityAnalysis, planned: Sequence[DecomposedCluster], options: LoopStrategy
) -> LoopFormulation:
    """Return the formulation of a mechanism whose plans are known."""
    mechanism = seen.mechanism
    _refuse_locked(seen)
    options.check_parts([n for c in seen.clusters for n in c.names(mechanism)])
    solutions = [solve_cluster(seen, found, options) for found in planned]
    forms = [s.form for s in solutions if s.form is not None]
    linear, related = relate(mechanism, seen, solutions, forms)
    dependent = [u for s in solutions for u in s.dependent_u]
    dependent += [step.speed for step in linear]
    solved = [*(k for s in solutions for k in s.solved), *related]
    with_multiplier, redundant = choose_with_multiplier(seen, solutions, solved, dependent)
    summed_cuts, unwrapped_cuts = cut_angles(seen)
    found = LoopFormulation(
        mechanism,
        seen.constraints,
        seen.scales,
        seen.samples,
        tuple(s.decision for s in solutions),
        scheduled(mechanism, [*forms, *linear]),
        tuple(dependent),
        tuple(solved),
        with_multiplier,
        redundant,
        summed_cuts,
        unwrapped_cuts,
        options.used_gains(own_rate(seen)),
        seen.equilibrium,
        ABSOLUTE_SOFTNESS if options.is_absolute else SOFTNESS,
    )
    may_keep_all = options.is_absolute and found.gains is None and found.redundant
    if may_keep_all and not are_enough(found, seen.p):
        return found.with_redundant()
    return found


def own_rate(seen: MobilityAnalysis) -> float:
    """Return the natural rate of a mechanism [1/s].

    That of a pendulum of its length under its gravity; without gravity, from its speeds at the
    start; at rest, that of a pendulum of 1 m on earth.
    """
    length = seen.scales.length
    field = seen.numeric.gravity.uniform
    if field is None:
        field = seen.numeric.gravity.acceleration(Vector(length, 0.0, 0.0))
    g = float(field.norm())
    if np.isfinite(g) and g > 0.0:
        return float(np.sqrt(g / length))
    speeds = np.array(seen.mechanism.start_values()[1]) / seen.scales.speeds
    fastest = float(np.abs(speeds).max(initial=0.0))
    return fastest if fastest > 0.0 else EARTHLY


def _refuse_locked(seen: MobilityAnalysis) -> None:
    """Refuse loops that cannot move because axes miss one another by a little."""
    for cluster in seen.clusters:
        if cluster.freedom > 0 or not cluster.speeds:
            continue
        closures = [seen.mechanism.closures[k] for k in cluster.closures]
        why = why_locked(
            seen.mechanism, cluster.links, closures, seen.q, seen.assembled.symbols, seen.p
        )
        if why:
            names = ", ".join(cluster.names(seen.mechanism))
            raise LoopError(
                closures[-1].part,
                f"the loop of {names} is locked (0 degrees of freedom): {why}.",
                "Make these axes parallel, or use a Universal or Spherical joint for one.",
            )


# --- constraints with multipliers ---------------------------------------------------------


def choose_with_multiplier(
    seen: MobilityAnalysis,
    solutions: Sequence[ClusterSolution],
    solved: Sequence[int],
    dependent: Sequence[int],
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the independent constraints among those not solved, and the redundant ones."""
    taken = set(solved)
    redundant = [k for s in solutions for k in s.decision.cluster.redundant]
    active = [k for s in solutions if not s.dependent_u for k in s.decision.cluster.active]
    relations = [
        k
        for k, equation in enumerate(seen.constraints.equations)
        if equation.relation is not None
    ]
    remaining = [*active, *(k for k in relations if k not in taken)]
    if not remaining:
        return (), tuple(redundant)
    chosen: set[int] = set()
    choice = RowSelection(seen.matrices)
    for own, speeds in _sharing_speeds(seen, (*solved, *remaining)):
        chosen |= set(choice.among(own, speeds, solved, dependent))
    with_multiplier = tuple(k for k in remaining if k in chosen)
    redundant += [k for k in remaining if k not in chosen]
    return with_multiplier, tuple(redundant)


def _sharing_speeds(
    seen: MobilityAnalysis, constraints: Sequence[int]
) -> list[tuple[list[int], list[int]]]:
    """Return the constraints in sets that share speeds, with these speeds."""
    places, sets = seen.constraints.sparsity, ConnectedSets[int]()
    speeds = {k: places.columns[places.of_row(k)].tolist() for k in constraints}
    for own in speeds.values():
        for u in own:
            sets.unite(own[0], u)
    found = {first: ([], sorted(own)) for first, own in sets.sets().items()}
    for k, own in speeds.items():
        if own:
            found[sets.find(own[0])][0].append(k)
    return list(found.values())


def are_enough(f: LoopFormulation, p: np.ndarray) -> bool:
    """Return whether the chosen constraints determine the motion as well as all of them.

    At all reachable poses their least singular value must be comparable.
    """
    walk = PoseSampler(f.constraints, f.samples[0], p, f.scales)
    kept = list(f.with_multiplier)
    for pose in (*f.samples, *walk.poses(POSES)):
        G = f.constraints.matrix(pose, p) * f.scales.speeds / f.scales.constraints[:, None]
        every = np.linalg.svd(G, compute_uv=False)
        own = np.linalg.svd(G[kept], compute_uv=False)
        if own[-1] < AS_WELL * every[len(kept) - 1]:
            return False
    return True


def with_constraints_at(formulated: FormulatedModel, q: np.ndarray) -> FormulatedModel:
    """Return the projected model with the constraints that are independent at the pose q, too."""
    assert formulated.mobility is not None
    seen, form = formulated.mobility.with_pose(q), formulated.of_loops.released()
    by_links = {cluster.links: cluster for cluster in seen.clusters}
    decisions = [replace(d, cluster=by_links[d.cluster.links]) for d in form.decisions]
    solutions = [ClusterSolution(decision) for decision in decisions]
    with_multiplier, redundant = choose_with_multiplier(
        seen, solutions, form.solved, form.dependent_u
    )
    found = replace(
        form,
        samples=seen.samples,
        decisions=tuple(decisions),
        with_multiplier=with_multiplier,
        redundant=redundant,
        redundant_kept=(),
    )
    return replace(formulated, mobility=seen, formulation=found)
