"""Sampling of reachable poses: a path along the manifold of closed poses.

Blocks that share no coordinate are sampled separately, equal blocks once.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from motorik.loops.constraint_blocks import (
    BlockSolutions,
    ConstraintBlock,
    independent_blocks,
)
from motorik.loops.constraint_equations import ConstraintEquations
from motorik.loops.scales import Scales
from motorik.numerics.linear_steps import regularised
from motorik.numerics.newton import Residual, close_near
from motorik.numerics.sparse_matrix import Jacobian, scaled, times
from motorik.numerics.tolerances import CLOSED_SAMPLE

STRIDE = 0.35  # of the coordinate that moves most: in radians, or parts of a usual length
SHORTEST = STRIDE / 20
CHANCE = 0.3  # part of a random direction that is added at each step


class PoseSampler:
    """A path over assembled poses, from a given one.

    Coordinates and violations are measured in `scales`. Constraints that depend on time or
    signals are ignored.
    """

    def __init__(
        self, constraints: ConstraintEquations, q: np.ndarray, p: np.ndarray, scales: Scales
    ) -> None:
        self._constraints, self._q, self._p = constraints, q, p
        self._scale = scales.coordinates
        self._sizes = scales.constraints

    @cached_property
    def _blocks(self) -> list[tuple[ConstraintBlock, np.ndarray]]:
        """The blocks of constraints on the path, with the scales of their equations."""
        import casadi

        constraints = self._constraints
        links = constraints.mechanism.links
        symbols = casadi.SX.sym("q", constraints.mechanism.n_q)
        parts = casadi.vertsplit(symbols) if symbols.numel() else []
        g = constraints.position_function(
            constraints.y_of(parts, 0.0, [0.0] * constraints.z.numel()), constraints.p
        )
        driven = casadi.vertcat(constraints.t, constraints.z)
        moves = casadi.which_depends(constraints.g, driven, 1, True) if g.numel() else []
        left_out = {
            *constraints.without_speeds,
            *(k for k, moved in enumerate(moves) if moved),
        }
        kept = [k for k in range(g.numel()) if k not in left_out]
        values = casadi.vertsplit(g) if g.numel() else []
        units = (e for k in links for e in k.joint.redundancy([parts[i] for i in k.q]))
        r = casadi.SX(casadi.vertcat(*(values[k] for k in kept), *units))
        sizes = np.append(self._sizes[kept], np.ones(r.numel() - len(kept)))
        found = independent_blocks(r, symbols, [constraints.p])
        return [(block, sizes[block.rows]) for block in found if block.columns.size]

    def poses(self, count: int) -> list[np.ndarray]:
        """Return up to `count` poses on the path, which is as straight as the loops allow.

        Joints that can rotate therefore make full turns. A block with fewer poses repeats them.
        """
        paths, alike = [], BlockSolutions()
        loose = np.ones(self._q.size, dtype=bool)
        for block, sizes in self._blocks:
            own = block.columns
            loose[own] = False
            x, residual = self._q[own] / self._scale[own], self._residual(block, sizes)
            key = alike.key(residual, x, self._scale[own])
            known = alike.closed(residual, key, 100.0 * CLOSED_SAMPLE)
            if not known:
                known = [(pose, 0.0) for pose in path_along(residual, x, count)]
                alike.note(key, known)
            paths.append((own, [pose for pose, _ in known]))
        if loose.any():
            x = self._q[loose] / self._scale[loose]
            paths.append((np.flatnonzero(loose), path_along(_nothing, x, count)))
        found = []
        for k in range(max((len(direction) for _, direction in paths), default=0)):
            pose = self._q.copy()
            for own, direction in paths:
                if direction:
                    pose[own] = direction[k % len(direction)] * self._scale[own]
            found.append(pose)
        return found

    def _residual(self, block: ConstraintBlock, sizes: np.ndarray) -> Residual:
        """Return the residual of a block and its Jacobian, of its own coordinates in scales."""
        scale = self._scale[block.columns]

        def residual(x: np.ndarray) -> tuple[np.ndarray, Jacobian]:
            r, J = block.at(x * scale, self._p)
            return r / sizes, scaled(J, 1.0 / sizes, scale)

        return residual


def _nothing(x: np.ndarray) -> tuple[np.ndarray, Jacobian]:
    """Return an empty residual, of coordinates without constraints."""
    return np.zeros(0), np.zeros((0, x.size))


def path_along(residual: Residual, x: np.ndarray, count: int) -> list[np.ndarray]:
    """Return up to `count` points on a path along which a residual vanishes."""
    randomness = np.random.default_rng(11)
    x, _, J = close_near(residual, x, np.inf, CLOSED_SAMPLE)
    direction = randomness.normal(size=x.size)
    stride = STRIDE
    found: list[np.ndarray] = []
    for _ in range(3 * count):
        if len(found) == count:
            break
        direction = direction + CHANCE * randomness.normal(size=x.size)
        direction = direction - regularised(J, times(J, direction))
        longest = float(np.abs(direction).max(initial=0.0))
        if not longest > 1e-6:
            break  # nothing moves
        direction = direction / longest
        there, violation, J_there = close_near(
            residual, x + stride * direction, stride, CLOSED_SAMPLE
        )
        moved = float(np.abs(there - x).max(initial=0.0))
        if violation < CLOSED_SAMPLE and moved > stride / 2:
            x, J, stride = there, J_there, STRIDE
            found.append(x)
        elif stride > SHORTEST:
            stride /= 2
        else:
            stride, direction = STRIDE, -direction
    return found
