"""Mobility analysis: poses, rank and mobility of a mechanism with loops, on numbers.

An assembled pose is found near the start values and others around it; the rank of the
constraint Jacobian at these poses tells independent from redundant constraints and gives
the degree of freedom. The formulation is chosen by these results.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar
from motorik.immutable import immutable
from motorik.loops.clusters import Cluster, find_clusters, with_constraints
from motorik.loops.constraint_blocks import BlockSolutions, ConstraintBlock
from motorik.loops.constraint_equations import ConstraintEquations
from motorik.loops.diagnosis import refuse_open_loop, refuse_vanishing_gradients
from motorik.loops.guesses import guessed_pose, guesses, is_guessed
from motorik.loops.nearest_branch import nearest_branches
from motorik.loops.pose_sampling import path_along
from motorik.loops.position_problem import Instant, PositionProblem
from motorik.loops.scales import Scales, find_scales
from motorik.loops.static_equilibrium import (
    StaticEquilibrium,
    find_equilibrium,
    settle_massless_points,
)
from motorik.motion.view import MotionView
from motorik.numerics.newton import Residual, damped_newton
from motorik.numerics.sparse_matrix import SparseMatrix
from motorik.progress import working
from motorik.topology.assembled_model import AssembledModel
from motorik.topology.mechanism import WORLD, Closure, Mechanism, NodePose

if TYPE_CHECKING:
    pass


# --- assembled poses near a known one -----------------------------------------------------


SPREAD = 0.25  # width of the random displacements of sampled poses, in scales


def sample_poses(
    problem: PositionProblem, q: np.ndarray, instant: Instant, count: int = 3
) -> tuple[np.ndarray, ...]:
    """Return assembled poses: q, which is closed, and others found near it.

    Each block is sampled by itself; a block with fewer poses repeats them. Coordinates without
    constraints are varied at random.
    """
    scale = problem.residual_scales(instant, q)
    unit = problem.scales.coordinates
    found: list[tuple[np.ndarray, list[np.ndarray]]] = []
    alike = BlockSolutions()
    for block in problem.blocks:
        own = block.columns
        if own.size:
            residual = problem.residual_of(block, instant, scale)
            key = alike.key(residual, q[own], unit[own])
            poses = alike.closed(residual, key, problem.tolerance(q[own], own))
            if not poses:
                poses = _sampled(problem, block, residual, q[own], count)
                alike.note(key, poses)
            found.append((own, [x for x, _ in poses]))
    loose = np.ones(q.size, dtype=bool)
    for own, _ in found:
        loose[own] = False
    rng = np.random.default_rng(7)
    n = max((len(poses) for _, poses in found), default=count)
    samples = [q]
    for k in range(n):
        pose = q.copy()
        width = SPREAD * 0.7**k
        pose[loose] += rng.normal(scale=width, size=int(loose.sum())) * unit[loose]
        for own, poses in found:
            if poses:
                pose[own] = poses[k % len(poses)]
        samples.append(pose)
    return tuple(samples)


def _sampled(
    problem: PositionProblem,
    block: ConstraintBlock,
    residual: Residual,
    x: np.ndarray,
    count: int,
) -> list[tuple[np.ndarray, float]]:
    """Return up to `count` closed poses of a block near x, with their violations.

    From a random point in many dimensions Newton's method mostly ends at singular poses, where
    loops change their branch. Large blocks are therefore sampled along a path from x.
    """
    own = block.columns
    scale, free = problem.scales.coordinates[own], np.ones(own.size, dtype=bool)
    if not block.is_small:
        way = path_along(lambda y: residual(y * scale), x / scale, count)
        return [(y * scale, float(np.abs(residual(y * scale)[0]).max())) for y in way]
    rng = np.random.default_rng(7)
    found: list[tuple[np.ndarray, float]] = []
    for attempt in range(4 * count):
        if len(found) == count:
            break
        begin = x + problem.spread(rng, SPREAD * 0.7**attempt, block)
        closed, violation = damped_newton(residual, begin, free, scale)
        if violation < problem.tolerance(closed, own):
            found.append((closed, violation))
    return found


TURN = 2.0 * np.pi


@immutable
class MobilityAnalysis:
    """The numerical analysis of a mechanism with loops.

    `numeric` is the mechanism with the parameter values `assembled.p`; `samples` are assembled
    poses, the first at the start, and `matrices` G without units at these poses. `clusters`
    contain their constraints. `order` is the order in which joints entered the tree, and
    `equilibrium` describes massless bodies.
    """

    assembled: AssembledModel
    order: Mapping[int, float] | None
    mechanism: Mechanism
    numeric: Mechanism
    constraints: ConstraintEquations
    scales: Scales
    samples: tuple[np.ndarray, ...]
    matrices: tuple[SparseMatrix, ...]
    clusters: tuple[Cluster, ...]
    equilibrium: StaticEquilibrium | None = None

    @property
    def q(self) -> np.ndarray:
        """The assembled pose at the start."""
        return self.samples[0]

    @property
    def p(self) -> np.ndarray:
        """The values of the live parameters."""
        return self.assembled.p

    @cached_property
    def views(self) -> list[MotionView]:
        """The mechanism at rest at each sample."""
        still = [0.0] * self.mechanism.n_u
        return [MotionView(self.numeric, q.tolist(), still) for q in self.samples]

    @cached_property
    def joint_numbers(self) -> dict[int, int]:
        """The number of each joint of the model, by the id of its edge."""
        joints = self.mechanism.inventory.joints
        return {id(edge): k for k, edge in enumerate(joints)}

    @cached_property
    def poses(self) -> list[list[Pose]]:
        """The pose of each link in the world at each sample."""
        found = []
        for q in self.samples:
            values, placed = q.tolist(), []
            for link in self.numeric.links:
                X = link.X_pj @ link.joint.pose(*(values[k] for k in link.q))
                placed.append(X if link.parent == WORLD else placed[link.parent] @ X)
            found.append(placed)
        return found

    def across(self, closure: Closure, sample: int) -> Pose:
        """Return the relative pose of the ends of a closure, first to last, at a sample."""
        a, b = (self.place(end, sample) for end in (closure.ends[0], closure.ends[-1]))
        return a.inverse() @ b

    def place(self, end: NodePose, sample: int = 0) -> Pose:
        """Return the pose in the world of a frame on a link at a sample."""
        return end.X if end.link == WORLD else self.poses[sample][end.link] @ end.X

    def named_values(self) -> list[dict[str, float]]:
        """Return the coordinates of all joints, cut ones included, by name at each sample."""
        return [self._named(k) for k in range(len(self.samples))]

    def _named(self, sample: int) -> dict[str, float]:
        q = self.samples[sample]
        pairs = zip(self.mechanism.coordinates, q.tolist(), strict=True)
        values = {state.name: x for state, x in pairs}
        for closure in self.numeric.closures:
            if closure.edge is not None:
                found = closure.edge.joint.fit(self.across(closure, sample))
                for name, value in zip(closure.edge.names, found, strict=True):
                    values[f"{closure.part}.{name}"] = float(value)
        return values

    def with_pose(self, q: np.ndarray) -> MobilityAnalysis:
        """Return the analysis with one more assembled pose, as the first sample."""
        samples = (q, *self.samples)
        G = self.scales.sparse_matrix(self.constraints.sparse_matrix(q, self.p))
        matrices = (G, *self.matrices)
        clusters = with_constraints(self.clusters, self.constraints, matrices)
        return replace(self, samples=samples, matrices=matrices, clusters=clusters)

    def nearest_to_guesses(self, clusters: Sequence[Cluster]) -> MobilityAnalysis:
        """Return the analysis with these clusters on the branch nearest to their guesses."""
        mechanism, symbols = self.mechanism, self.assembled.symbols
        if not is_guessed(mechanism):
            return self
        conditions = [d for d in mechanism.initial_conditions if d.level == 0]
        instant = Instant(self.p, 0.0, block_starts(mechanism))
        problem = PositionProblem(
            mechanism, self.constraints, symbols, self.scales, conditions
        )
        start = guessed_pose(self.numeric, np.array(mechanism.start_values()[0]))
        links = frozenset(k for cluster in clusters for k in cluster.links)
        q = nearest_branches(problem, self.q, start, instant, links)
        if np.array_equal(q, self.q):
            return self
        loops = problem.with_conditions(()) if conditions else problem
        samples = sample_poses(loops, q, instant)
        given = self.p
        matrices = tuple(
            self.scales.sparse_matrix(self.constraints.sparse_matrix(x, given))
            for x in samples
        )
        found = with_constraints(self.clusters, self.constraints, matrices)
        return replace(self, samples=samples, matrices=matrices, clusters=found)


@working("closing loops")
def analyse_mobility(
    assembled: AssembledModel,
    mechanism: Mechanism,
    order: Mapping[int, float] | None = None,
    absolute: bool = False,
    known: Sequence[Mapping[str, float]] = (),
) -> MobilityAnalysis:
    """Return scales, an assembled pose, samples and clusters of a mechanism with loops.

    `known` are coordinates by name of poses that were assembled before on another tree.
    """
    numeric = assembled.numeric(mechanism, order, absolute)
    constraints = ConstraintEquations(mechanism, assembled.symbols)
    clusters = find_clusters(mechanism)
    scales = find_scales(numeric, constraints, clusters)
    equilibrium = find_equilibrium(mechanism, assembled.symbols, assembled.p, scales.length)
    if equilibrium is not None:
        mechanism.initial_conditions += equilibrium.conditions()
    instant = Instant(assembled.p, 0.0, block_starts(mechanism))
    loops = PositionProblem(mechanism, constraints, assembled.symbols, scales)
    if known:
        samples = _carried_over(loops, known, instant)
    else:
        if absolute:
            q = _pose_of_tree(assembled, numeric)
        else:
            q = guessed_pose(numeric, np.array(mechanism.start_values()[0]))
            q = settle_massless_points(mechanism, numeric, assembled.symbols, instant, q)
        samples = sample_poses(loops, _assembled(loops, q, instant, absolute), instant)
    matrices = tuple(
        scales.sparse_matrix(constraints.sparse_matrix(x, assembled.p)) for x in samples
    )
    refuse_vanishing_gradients(loops, samples, matrices, instant)
    clusters = with_constraints(clusters, constraints, matrices)
    return MobilityAnalysis(
        assembled,
        order,
        mechanism,
        numeric,
        constraints,
        scales,
        samples,
        matrices,
        clusters,
        equilibrium,
    )


def near_assembled(loops: PositionProblem, q: np.ndarray, instant: Instant) -> np.ndarray:
    """Return an assembled pose near q that keeps fixed values where possible, or raise an error."""
    return _assembled(loops, q, instant, False)


def _assembled(
    loops: PositionProblem, q: np.ndarray, instant: Instant, is_known: bool
) -> np.ndarray:
    """Return an assembled pose near q; fixed values and conditions are kept where possible."""
    mechanism = loops.mechanism
    conditions = [d for d in mechanism.initial_conditions if d.level == 0]
    fixed = np.array([s.start.is_fixed for s in mechanism.coordinates], dtype=bool)
    guessed = [] if is_known else guesses(mechanism)
    begin, only = q, np.ones(q.size, dtype=bool)
    if not is_known:
        problem = loops.with_conditions(conditions) if conditions else loops
        found, violations = problem.solve_blocks(q, ~fixed, instant, guessed)
        failed = [
            block
            for block, violation in violations.items()
            if not violation < problem.tolerance(found)
        ]
        if not failed:
            return found
        begin, only = found.copy(), np.zeros(q.size, dtype=bool)
        for block in failed:
            begin[block.columns], only[block.columns] = q[block.columns], True
    free = np.ones(q.size, dtype=bool)
    found, violations = loops.solve_blocks(begin, free, instant, guessed, only)
    if not max(violations.values(), default=0.0) < loops.tolerance(found):
        refuse_open_loop(loops, found, instant)
    return found


def _carried_over(
    loops: PositionProblem, known: Sequence[Mapping[str, float]], instant: Instant
) -> tuple[np.ndarray, ...]:
    """Return poses assembled on another tree; they are closed except for rounding."""
    names = [state.name for state in loops.mechanism.coordinates]
    start = loops.mechanism.start_values()[0]
    samples: list[np.ndarray] = []
    for values in known:
        q = np.array([values.get(n, x) for n, x in zip(names, start, strict=True)])
        if not samples:
            samples.append(_assembled(loops, q, instant, True))
            continue
        found, violation = loops.solve(q, np.ones(q.size, dtype=bool), instant)
        if violation < loops.tolerance(found):
            samples.append(found)
    return tuple(samples)


def _pose_of_tree(assembled: AssembledModel, numeric: Mechanism) -> np.ndarray:
    """Return absolute coordinates at the start pose of the same model solved as a tree."""
    tree = assembled.mechanism
    plain = assembled.numeric(tree)
    if tree.has_loops or tree.massless:
        q = analyse_mobility(assembled, tree).q
    else:
        constraints = ConstraintEquations(tree, assembled.symbols)
        scales = find_scales(plain, constraints, ())
        conditions = [d for d in tree.initial_conditions if d.level == 0]
        problem = PositionProblem(tree, constraints, assembled.symbols, scales, conditions)
        fixed = np.array([s.start.is_fixed for s in tree.coordinates], dtype=bool)
        start = np.array(tree.start_values()[0])
        instant = Instant(assembled.p, 0.0, block_starts(tree))
        q, _ = problem.solve(start, ~fixed, instant, guesses(tree))
    motion = MotionView(plain, q.tolist(), [0.0] * tree.n_u)
    return poses_as_coordinates(numeric, motion)


def poses_as_coordinates(mechanism: Mechanism, motion: MotionView) -> np.ndarray:
    """Return the coordinates on another tree of the same model.

    Angles are within half a turn of their start values.
    """
    q = np.array(mechanism.start_values()[0])
    for k, value in coordinates_of_poses(mechanism, motion).items():
        q[k] = near_start(mechanism, k, float(value), q[k])
    return q


def coordinates_of_poses(mechanism: Mechanism, motion: MotionView) -> dict[int, Scalar]:
    """Return the coordinates of joints and bodies at the pose of another tree."""
    found: dict[int, Scalar] = {}
    for link in mechanism.links:
        if link.root is not None:
            X = motion.pose(link.root.frame)
        elif link.edge is not None:
            X = motion.relative(link.edge.frame_a, link.edge.frame_b)[0]
        else:
            continue
        joint = link.edge.joint if link.edge is not None else link.joint
        found.update(zip(link.q, joint.fit(X), strict=True))
    return found


def near_start(mechanism: Mechanism, k: int, value: float, start: float) -> float:
    """Return a coordinate; an angle is shifted to within half a turn of its start value."""
    if mechanism.coordinates[k].unit == "rad":
        value += TURN * round((start - value) / TURN)
    return value


def block_starts(mechanism: Mechanism) -> tuple[float, ...]:
    """Return the start values of the states of signal blocks."""
    starts = (state.start.value for state in mechanism.signals.states)
    return tuple(float(value) for value in starts)  # type: ignore[arg-type]
