"""A model assembled on numbers: poses to decide by, axes, turns of angles."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from motorik.components.composite import Composite
from motorik.elements.slide import Slide
from motorik.elements.turn import Turn
from motorik.loops.closed_form import Hinge
from motorik.loops.clusters import (
    Cluster,
)
from motorik.loops.formulation import (
    ABSOLUTE,
)
from motorik.loops.initial import assembled_start
from motorik.loops.rows import ConstraintRows
from motorik.loops.wanted import Wanted
from motorik.motion.view import MotionView
from motorik.topology.assemble import assemble
from motorik.topology.mechanism import Closure, Mechanism, Placed


class Assembled:
    """A mechanism, its constraint rows, and an assembled pose q of it near the start."""

    def __init__(
        self,
        model: Composite,
        symbols: Any,
        resolve: Callable[[Any], Any],
        p: np.ndarray,
        wanted: Wanted,
        mechanism: Mechanism,
    ) -> None:
        self.model, self.symbols, self.resolve = model, symbols, resolve
        self.p, self.wanted = p, wanted
        self.order: Mapping[int, float] | None = None
        self.favoured: set[int] = set()  # joints to be kept independent
        self.absolute = wanted.strategy == ABSOLUTE
        self._take(mechanism)
        self.q = self._start()

    def _take(self, mechanism: Mechanism) -> None:
        self.mechanism = mechanism
        self.rows = ConstraintRows(mechanism, self.symbols)
        self.numeric = mechanism
        if self.symbols.numel():
            self.numeric = assemble(self.model, None, self.order, self.absolute)

    def _start(self) -> np.ndarray:
        guess = None
        if self.absolute:
            guess = self._start_of_tree()
        return assembled_start(self.mechanism, self.rows, self.p, guess)

    def _start_of_tree(self) -> np.ndarray:
        """Return absolute coordinates at the start of the same model solved as a tree."""
        tree = assemble(self.model, self.resolve)
        numeric = assemble(self.model) if self.symbols.numel() else tree
        if tree.has_loops:
            q = assembled_start(tree, ConstraintRows(tree, self.symbols), self.p, None)
        else:
            q = np.array(tree.start_values()[0])
        view = MotionView(numeric, q.tolist(), [0.0] * tree.n_u)
        return poses_as_coordinates(self.numeric, view)

    def _axes(self, cluster: Cluster, hinges: Sequence[Hinge]) -> dict[int, np.ndarray]:
        """Return the axes of the turns of a cluster at the start, seen from its root."""
        axes = {}
        number = Numbers(self.symbols, self.p)
        for hinge in hinges:
            if hinge.kind == "R":
                edge = self.numeric.stock.joints[hinge.index]
                at = self.numeric.nodes[self.numeric.stock.node(edge.frame_a)]
                X = self.numeric.pose_from(cluster.root, at, self.q.tolist())
                axis = X.R @ edge.joint.axis  # type: ignore[attr-defined]
                axes[hinge.index] = np.array([number(e) for e in axis.xyz])
        return axes

    def _count_turns(self, samples: Sequence[np.ndarray]) -> None:
        """Let the angles of cut turns in planar loops be continuous over full turns."""
        for k, closure in enumerate(self.mechanism.closures):
            edge = self.numeric.closures[k].edge
            if edge is None or not isinstance(edge.joint, Turn):
                continue
            signs = self._signs(closure, edge.joint)
            if signs is None:
                continue
            offsets = []
            for q in samples:
                view = MotionView(self.numeric, q.tolist(), [0.0] * self.mechanism.n_u)
                X_ab = view.relative(*self.numeric.closures[k].ports)[0]
                phi = float(edge.joint.fit(X_ab)[0])
                offsets.append(phi - sum(sign * q[i] for i, sign in signs))
            apart = np.exp(1j * np.array(offsets)) / np.exp(1j * offsets[0])
            if np.abs(apart - 1.0).max() < 1e-7:
                self.mechanism.closures[k] = replace(
                    closure, winding=tuple(signs), turned=offsets[0]
                )

    def _signs(self, closure: Closure, joint: Turn) -> list[tuple[int, float]] | None:
        """Return which coordinates turn frame b forward (+1) or back (−1) against frame a."""
        q = self.q.tolist()
        number = Numbers(self.symbols, self.p)
        base = closure.base
        X = self.numeric.pose_from(base, self._end(closure, 0), q)
        n = np.array([number(e) for e in (X.R @ joint.axis).xyz])
        found: dict[int, float] = {}
        for end, sign in ((0, -1.0), (1, 1.0)):
            at = closure.ends[end].link
            while at != base:
                link = self.numeric.links[at]
                if isinstance(link.joint, Turn):
                    place = Placed(link.parent, link.X_pj)
                    R = self.numeric.pose_from(base, place, q).R
                    axis = np.array([number(e) for e in (R @ link.joint.axis).xyz])
                    along = float(axis @ n)
                    if abs(along) < 1.0 - 1e-9:
                        return None
                    i = link.q[0]
                    found[i] = found.get(i, 0.0) + sign * float(np.sign(along))
                elif not isinstance(link.joint, Slide):
                    return None
                at = link.parent
        return [(i, sign) for i, sign in found.items() if sign]

    def _end(self, closure: Closure, end: int) -> Placed:
        """Return where an end of a closure is, in numbers."""
        k = self.mechanism.closures.index(closure)
        return self.numeric.closures[k].ends[end]


class Numbers:
    """Present values of symbols of live parameters in constants."""

    def __init__(self, symbols: Any, p: np.ndarray) -> None:
        self.symbols, self.p = symbols, p

    def __call__(self, value: Any) -> float:
        """Return the number that a scalar stands for."""
        if not hasattr(value, "is_constant"):
            return float(value)
        import casadi

        return float(casadi.Function("value", [self.symbols], [value])(self.p))


def poses_as_coordinates(
    mechanism: Mechanism, view: MotionView, number: Callable[[Any], float] = float
) -> np.ndarray:
    """Return the coordinates of a mechanism of the same model that has another tree.

    `number` gives the present values of symbols of live parameters.
    """
    q = np.array(mechanism.start_values()[0])
    for link in mechanism.links:
        if link.edge is None and link.root is None:
            continue
        if link.root is not None:
            X = view.pose(link.root.frame)
        else:
            assert link.edge is not None
            X = view.relative(link.edge.frame_a, link.edge.frame_b)[0]
        joint = link.edge.joint if link.edge is not None else link.joint
        q[list(link.q)] = [number(value) for value in joint.fit(X)]
    return q
