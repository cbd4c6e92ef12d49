"""Closing loops on numbers: poses at which all constraints hold, near a given one.

Loops that share no coordinate are closed separately: the cost grows with the number of loops,
and a loop is closed as it would be alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.scalar import Scalar
from motorik.components.base.contributions import InitialCondition
from motorik.loops.constraint_blocks import (
    BlockSolutions,
    ConstraintBlock,
    independent_blocks,
)
from motorik.loops.constraint_equations import ConstraintEquations, split_symbols
from motorik.loops.scales import Scales
from motorik.motion.view import MotionView
from motorik.numerics.newton import Residual, damped_newton, nearest
from motorik.numerics.sparse_matrix import scaled, steepest
from motorik.numerics.tolerances import CLOSED
from motorik.topology.mechanism import Link, Mechanism

if TYPE_CHECKING:
    import casadi

__all__ = [
    "Guess",
    "Instant",
    "PositionProblem",
    "Residual",
    "damped_newton",
    "is_hidden",
    "nearest",
    "scales_by_part",
]

Guess = Callable[[MotionView], Sequence[Scalar]]
TRIES = 20
HELD = 0.03  # how easily a coordinate moves that is preferred as state, against the others
SOFT = 0.1  # how much a guess weighs against a loop


@dataclass(frozen=True)
class Instant:
    """What positions depend on besides coordinates: live parameters, time, states of blocks."""

    p: np.ndarray
    t: float = 0.0
    z: tuple[float, ...] = ()

    @cached_property
    def given(self) -> tuple[float, np.ndarray, np.ndarray]:
        """Time, states of blocks and live parameters, as functions of positions take them."""
        return self.t, np.array(self.z), self.p


class PositionProblem:
    """The conditions on positions: loops closed, initial conditions met, unit quaternions.

    `without` are closures (by number) that are left open. Everything is measured in the
    scales of the mechanism.
    """

    def __init__(
        self,
        mechanism: Mechanism,
        constraints: ConstraintEquations | None,
        symbols: casadi.SX,
        scales: Scales,
        demands: Sequence[InitialCondition] = (),
        without: frozenset[int] = frozenset(),
    ) -> None:
        import casadi

        self.mechanism, self.constraints, self.symbols = mechanism, constraints, symbols
        self.scales, self.initial_conditions = scales, tuple(demands)
        self.kept = self._kept_rows(without)
        q, t = casadi.SX.sym("q", mechanism.n_q), casadi.SX.sym("t")
        z = casadi.SX.sym("z", len(mechanism.signals.states))
        self._symbols = [q, t, z, symbols]
        motion = self._view()
        wanted = [demand.residual(motion) for demand in self.initial_conditions]
        self.counts = [len(rows_of) for rows_of in wanted]
        r = [e for rows_of in wanted for e in rows_of]
        self.n_demanded = len(r)
        if constraints is not None:
            y = constraints.y_of(motion.q, t, motion.z)
            found = split_symbols(constraints.assembly_function(y, symbols))
            r += [found[k] for k in self.kept]
        for link in mechanism.links:
            r += link.joint.redundancy([motion.q[k] for k in link.q])
        self._column = casadi.SX(casadi.vertcat(*r))
        self.size = self._column.numel()
        row_scale = (
            scales.constraints[list(self.kept)] if constraints is not None else np.zeros(0)
        )
        left = self.size - self.n_demanded - row_scale.size
        self._row_scale = np.concatenate([row_scale, np.ones(left)])

    def _view(self) -> MotionView:
        """Return the mechanism at rest at the symbols."""
        q, t, z, _ = self._symbols
        still = [0.0] * self.mechanism.n_u
        return MotionView(
            self.mechanism, split_symbols(q), still, None, t, split_symbols(z)
        )

    def with_demands(self, demands: Sequence[InitialCondition]) -> PositionProblem:
        """Return the problem with other demands."""
        return PositionProblem(
            self.mechanism, self.constraints, self.symbols, self.scales, demands
        )

    @cached_property
    def parts(self) -> tuple[ConstraintBlock, ...]:
        """What must hold, in parts that share no coordinate."""
        return independent_blocks(self._column, self._symbols[0], self._symbols[1:])

    @cached_property
    def _gaps(self) -> casadi.Function:
        import casadi

        return casadi.Function("gaps", self._symbols, [casadi.densify(self._column)])

    @cached_property
    def _function(self) -> casadi.Function:
        import casadi

        J = casadi.jacobian(self._column, self._symbols[0])
        return casadi.Function("pose", self._symbols, [self._column, J])

    def _kept_rows(self, without: frozenset[int]) -> tuple[int, ...]:
        if self.constraints is None:
            return ()
        table = enumerate(self.constraints.equations[: self.constraints.n_holonomic])
        return tuple(k for k, row in table if row.closure not in without)

    @property
    def is_trivial(self) -> bool:
        """Whether nothing but given values must hold."""
        return not (self.n_demanded or self.kept)

    def gaps(self, instant: Instant, q: np.ndarray, near: np.ndarray) -> np.ndarray:
        """Return what must vanish, in scales; demands are scaled at `near`."""
        with np.errstate(all="ignore"):
            r = np.asarray(
                self._gaps(q, instant.t, list(instant.z), instant.p), dtype=float
            )
            return r.ravel() / self.row_scales(instant, near)

    def residual(self, instant: Instant, near: np.ndarray) -> Residual:
        """Return what must vanish and its Jacobian by q / scale; demands are scaled at `near`."""
        scale, unit = self.row_scales(instant, near), self.scales.coordinates

        def residual(q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            with np.errstate(all="ignore"):
                r, J = self._function(q, instant.t, list(instant.z), instant.p)
                J = np.asarray(J, dtype=float) * unit
                return np.asarray(r, dtype=float).ravel() / scale, J / scale[:, None]

        return residual

    def residual_of(
        self, part: ConstraintBlock, instant: Instant, scale: np.ndarray
    ) -> Residual:
        """Return what must vanish in a part and its Jacobian, of its own coordinates."""
        per, unit = 1.0 / scale[part.rows], self.scales.coordinates[part.columns]

        def residual(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            with np.errstate(all="ignore"):
                r, J = part.at(x, *instant.given)
                return r * per, scaled(J, per, unit)  # type: ignore[return-value]

        return residual

    def row_scales(self, instant: Instant, q: np.ndarray) -> np.ndarray:
        """Return the scales of all that must vanish, in its order."""
        return np.concatenate([self._demand_scale(instant, q), self._row_scale])

    def _demand_scale(self, instant: Instant, q: np.ndarray) -> np.ndarray:
        """Return how much each demanded quantity usually changes with the coordinates."""
        usual = np.zeros(self.n_demanded)
        for part in self.parts if self.n_demanded else ():
            count = int(np.searchsorted(part.rows, self.n_demanded))
            if not count or not part.columns.size:
                continue
            rng = np.random.default_rng(3)
            ones = np.ones(self.size)
            plain = self.residual_of(part, instant, ones)
            around = [q[part.columns] + self.spread(rng, 0.3, part) for _ in range(5)]
            steep = [steepest(plain(x)[1])[:count] for x in around]
            usual[part.rows[:count]] = np.median(np.nan_to_num(steep, posinf=0.0), axis=0)
        return scales_by_part(self.initial_conditions, self.counts, usual)

    def spread(
        self, rng: np.random.Generator, width: float, part: ConstraintBlock
    ) -> np.ndarray:
        """Return random displacements of the own coordinates of a part."""
        own = self.scales.coordinates[part.columns]
        return rng.normal(scale=width, size=own.size) * own

    # --- searching --------------------------------------------------------------------------

    def solve(
        self,
        q: np.ndarray,
        free: np.ndarray,
        instant: Instant,
        guessed: Sequence[Guess] = (),
    ) -> tuple[np.ndarray, float]:
        """Return the pose nearest to q at which everything holds, and the gap that is left.

        Coordinates that are not free stay, and hidden ones move before those that users see.
        `guessed` are guesses of quantities that are not coordinates: the search begins near
        them.
        """
        found, failed = self.solve_parts(q, free, instant, guessed)
        return found, max(failed.values(), default=0.0)

    def solve_parts(
        self,
        q: np.ndarray,
        free: np.ndarray,
        instant: Instant,
        guessed: Sequence[Guess] = (),
        only: np.ndarray | None = None,
    ) -> tuple[np.ndarray, dict[ConstraintBlock, float]]:
        """Return the pose nearest to q, and the gap of each part that was not closed at q.

        With `only`, a mask of coordinates, parts without any of these stay as they are.
        """
        scale = self.row_scales(instant, q)
        begin, is_pulled = q, np.zeros(q.size, dtype=bool)
        if guessed:
            begin, is_pulled = self._pulled(scale, q, free, instant, guessed)
        elif self._is_closed(self.gaps(instant, q, q), q):
            return q, {}
        found, gaps, alike = begin.copy(), {}, BlockSolutions()
        for part in self.parts:
            own = part.columns
            if only is not None and not only[own].any():
                found[own] = q[own]
                continue
            residual = self.residual_of(part, instant, scale)
            pulled = bool(is_pulled[own].any())
            if not pulled and self._is_closed(residual(q[own])[0], q, own):
                continue
            weights = (self._ease[own], self._hidden[own], free[own], np.array(pulled))
            key = alike.key(residual, begin[own], self.scales.coordinates[own], *weights)
            known = alike.closed(residual, key, self.tolerance(begin[own], own))
            if not known:
                known = [self._close(part, residual, begin, free, pulled)]
                alike.note(key, known)
            found[own], gaps[part] = known[0]
        return found, gaps

    def _close(
        self,
        part: ConstraintBlock,
        residual: Residual,
        q: np.ndarray,
        free: np.ndarray,
        pulled: bool,
    ) -> tuple[np.ndarray, float]:
        """Return the own coordinates of a part near q at which it is closed, and its gap."""
        own = part.columns
        hidden = free[own] & self._hidden[own]
        if hidden.any() and not pulled:
            found, gap = self._search(part, residual, q, hidden)
            if gap < self.tolerance(found, own):
                return found, gap
        return self._search(part, residual, q, free[own])

    def tolerance(self, q: np.ndarray, own: np.ndarray | None = None) -> float:
        """Return the gap below which everything is closed; q may be only its `own` part."""
        return max(CLOSED, self.scales.rounding(q, own))

    def _is_closed(
        self, r: np.ndarray, q: np.ndarray, own: np.ndarray | None = None
    ) -> bool:
        size = float(np.abs(r).max(initial=0.0))
        return size < 1e-2 * self.tolerance(q if own is None else q[own], own)

    def _search(
        self, part: ConstraintBlock, residual: Residual, q: np.ndarray, free: np.ndarray
    ) -> tuple[np.ndarray, float]:
        """Return the best pose of a part found from q and from places around it."""
        own = part.columns
        scale, ease = self.scales.coordinates[own], self._ease[own]
        rng = np.random.default_rng(1)
        best, least = q[own], np.inf
        for attempt in range(TRIES if free.any() else 1):
            begin = q[own].copy()
            if attempt:
                begin[free] += self.spread(rng, 0.3 * attempt**0.5, part)[free]
            found, gap = damped_newton(
                residual, begin, free, scale, ease, self._hidden[own]
            )
            if gap < self.tolerance(found, own):
                return found, gap
            if gap < least:
                best, least = found, gap
        best = nearest(residual, best, free, scale)
        return best, float(np.abs(residual(best)[0]).max(initial=0.0))

    def _pulled(
        self,
        scale: np.ndarray,
        q: np.ndarray,
        free: np.ndarray,
        instant: Instant,
        guessed: Sequence[Guess],
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return a pose that is a compromise of loops and guesses, to begin from.

        Second is which coordinates the guesses concern.
        """
        import casadi

        motion = self._view()
        wanted = [e for one in guessed for e in one(motion)]
        column = casadi.SX(casadi.vertcat(self._column, *wanted))
        begin, concerned = q.copy(), np.zeros(q.size, dtype=bool)
        scale = np.concatenate([scale, np.ones(len(wanted))])
        for part in independent_blocks(column, self._symbols[0], self._symbols[1:]):
            own, soft = part.columns, part.rows[part.rows >= self.size]
            if not soft.size or not own.size:
                continue
            _, J = self.residual_of(part, instant, scale)(q[own])
            steep = steepest(J)[part.rows >= self.size]
            scale[soft] = np.where(steep > 0.0, steep, 1.0) / SOFT
            together = self.residual_of(part, instant, scale)
            begin[own] = nearest(together, q[own], free[own], self.scales.coordinates[own])
            concerned[own] = True
        return begin, concerned

    @cached_property
    def _hidden(self) -> np.ndarray:
        """Which coordinates no user sees."""
        links = self.mechanism.links
        return np.array([is_hidden(k) for k in links for _ in k.q], dtype=bool)

    @cached_property
    def _ease(self) -> np.ndarray:
        """How easily each coordinate moves."""
        links = self.mechanism.links
        return np.array([_ease_of(k) for k in links for _ in k.q], dtype=float)


def scales_by_part(
    demands: Sequence[InitialCondition], counts: Sequence[int], steep: np.ndarray
) -> np.ndarray:
    """Return scales of demanded quantities: how steep the steepest of the same part is."""
    owners = [
        d.part for d, count in zip(demands, counts, strict=True) for _ in range(count)
    ]
    of_part: dict[str, float] = {}
    for part, size in zip(owners, steep.tolist(), strict=True):
        of_part[part] = max(of_part.get(part, 0.0), size)
    return np.array([of_part[part] or 1.0 for part in owners])


def _ease_of(link: Link) -> float:
    return HELD if link.edge is not None and link.edge.state_priority > 1 else 1.0


def is_hidden(link: Link) -> bool:
    """Return whether the joint of a link is hidden: without mass, or within a finished part."""
    if link.is_massless:
        return True
    part = link.entry.owner if link.own is None else link.own.part
    if link.edge is not None:
        part = link.edge.frame_a.owner
    return any(outer.is_model and not outer.is_open for outer in part.lineage()[1:])
