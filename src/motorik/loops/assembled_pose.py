"""The pose in which a model stands at its start, found by numbers alone: nothing is compiled.

Trees stand at their start values. Loops are closed by Newton's method from there, or from the
pose of a similar model; which assembly mode is nearest to the guesses, which constraints are
redundant along the motion and how loops are solved in a run is decided by `formulate`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

import numpy as np

from motorik.components.base.composite import Composite
from motorik.components.base.live_numbers import LiveScalar
from motorik.errors import MotorikError
from motorik.immutable import immutable
from motorik.loops.clusters import find_clusters
from motorik.loops.constraint_equations import ConstraintEquations
from motorik.loops.formulate import with_design_values
from motorik.loops.guesses import guessed_pose
from motorik.loops.mobility import block_starts, near_assembled
from motorik.loops.position_problem import Instant, PositionProblem
from motorik.loops.scales import find_scales
from motorik.motion.view import MotionView
from motorik.topology.assembled_model import AssembledModel, assemble_model
from motorik.topology.mechanism import Mechanism

RANK = 1e-9  # least singular value of independent constraints, of the largest one


Near = Mapping[str, tuple[object, float]]
"""Start value and value of coordinates in a pose, by name."""


@immutable
class AssembledPose:
    """An assembled model at one pose, in numbers; `fault` says why its loops stay open."""

    assembled: AssembledModel
    mechanism: Mechanism
    q: np.ndarray
    freedom: int
    loops: PositionProblem | None = None
    fault: MotorikError | None = None

    @cached_property
    def named(self) -> dict[str, float]:
        """The coordinates by name."""
        pairs = zip(self.mechanism.coordinates, self.q.tolist(), strict=True)
        return {state.name: value for state, value in pairs}

    @property
    def near(self) -> Near:
        """The start values and values of the coordinates, to begin the next search from."""
        pairs = zip(self.mechanism.coordinates, self.q.tolist(), strict=True)
        return {state.name: (state.start.value, value) for state, value in pairs}

    @cached_property
    def motion(self) -> MotionView:
        """The mechanism at rest in this pose."""
        still = [0.0] * self.mechanism.n_u
        return MotionView(self.mechanism, self.q.tolist(), still)

    @property
    def instant(self) -> Instant:
        """The values besides coordinates that constraint equations depend on."""
        starts = block_starts(self.mechanism)
        return Instant(self.assembled.p, 0.0, starts)

    def constraint_matrix(self) -> np.ndarray:
        """Return the derivatives of all constraint equations by the speeds, without units."""
        if self.loops is None:
            return np.zeros((0, self.mechanism.n_u))
        loops = self.loops
        assert isinstance(loops.constraints, ConstraintEquations)
        found = loops.constraints.sparse_matrix(self.q, self.assembled.p)
        G = loops.scales.sparse_matrix(found)
        return G.part(range(G.shape[0]), range(G.shape[1]))

    @property
    def live(self) -> dict[LiveScalar, float]:
        """The values of the live parameters."""
        return dict(zip(self.assembled.live, self.assembled.p.tolist(), strict=True))


def assembled_pose(model: Composite, near: Near | None = None) -> AssembledPose:
    """Return the pose of a model at its start; `near` is that of a similar model to begin from.

    Coordinates with fixed start values keep them, and guesses that were changed count.
    Connections that make no mechanism raise an error; loops that do not close stay open, where
    Newton's method has left them.
    """
    assembled = with_design_values(assemble_model(model))
    tree = assembled.grown(None, False)
    if tree.massless:
        from motorik.loops.static_equilibrium import points_with_torques

        turning = points_with_torques(tree)
        if turning:
            assembled.let_turn(turning)
            tree = assembled.grown(None, False)
    numeric = assembled.numeric(tree)
    q = guessed_pose(numeric, np.array(tree.start_values()[0]))
    for k, state in enumerate(tree.coordinates):
        start, value = (near or {}).get(state.name, (None, 0.0))
        if start == state.start.value and not state.start.is_fixed:
            q[k] = value
    if not tree.has_loops:
        return AssembledPose(assembled, numeric, q, tree.n_u)
    constraints = ConstraintEquations(tree, assembled.symbols)
    clusters = find_clusters(tree)
    scales = find_scales(numeric, constraints, clusters)
    loops = PositionProblem(tree, constraints, assembled.symbols, scales)
    instant = Instant(assembled.p, 0.0, block_starts(tree))
    fault = None
    try:
        q = near_assembled(loops, q, instant)
    except MotorikError as error:
        fault = error
    G = scales.sparse_matrix(constraints.sparse_matrix(q, assembled.p))
    dense = G.part(range(G.shape[0]), range(G.shape[1]))
    values = np.linalg.svd(dense, compute_uv=False) if dense.size else np.zeros(0)
    rank = int((values > RANK * max(values.max(initial=0.0), 1e-300)).sum())
    return AssembledPose(assembled, numeric, q, tree.n_u - rank, loops, fault)
