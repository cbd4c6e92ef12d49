"""The position problem: poses at which all constraints hold, near a given pose.

Blocks of equations that share no coordinate are solved separately, so that the cost grows
linearly with the number of loops and a loop closes as it would alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.scalar import Scalar
from motorik.compiler.symbols import elements
from motorik.components.base.contributions import InitialCondition
from motorik.immutable import immutable
from motorik.loops.constraint_blocks import (
    BlockSolutions,
    ConstraintBlock,
    independent_blocks,
)
from motorik.loops.constraint_equations import ConstraintEquations
from motorik.loops.formulate import NoConstraints
from motorik.loops.scales import Scales
from motorik.motion.view import MotionView
from motorik.numerics.newton import Residual, damped_newton, nearest
from motorik.numerics.sparse_matrix import scaled, steepest
from motorik.numerics.tolerances import CLOSED
from motorik.topology.mechanism import Link, Mechanism

if TYPE_CHECKING:
    import casadi

Guess = Callable[[MotionView], Sequence[Scalar]]
TRIES = 20
HELD = 0.03  # weight of the displacement of a preferred state, against 1 of the others
SOFT = 0.1  # weight of a guess, against 1 of a loop


@immutable
class Instant:
    """The arguments of position constraints besides q: parameters p, time t, block states z."""

    p: np.ndarray
    t: float = 0.0
    z: tuple[float, ...] = ()

    @cached_property
    def given(self) -> tuple[float, np.ndarray, np.ndarray]:
        """Time, block states and live parameters, in the order of compiled functions."""
        return self.t, np.array(self.z), self.p


class PositionProblem:
    """Equations for positions: loop closure, initial conditions, unit quaternions.

    The closures `without` (by number) are left open. All residuals are divided by the scales of
    the mechanism.
    """

    def __init__(
        self,
        mechanism: Mechanism,
        constraints: ConstraintEquations | NoConstraints,
        symbols: casadi.SX,
        scales: Scales,
        conditions: Sequence[InitialCondition] = (),
        without: frozenset[int] = frozenset(),
    ) -> None:
        import casadi

        self.mechanism, self.constraints, self.symbols = mechanism, constraints, symbols
        self.scales, self.initial_conditions = scales, tuple(conditions)
        self.kept = self._kept_constraints(without)
        q, t = casadi.SX.sym("q", mechanism.n_q), casadi.SX.sym("t")
        z = casadi.SX.sym("z", len(mechanism.signals.states))
        self._symbols = [q, t, z, symbols]
        motion = self._view()
        wanted = [condition.residual(motion) for condition in self.initial_conditions]
        self.counts = [len(own) for own in wanted]
        r = [e for own in wanted for e in own]
        self.n_conditions = len(r)
        y = constraints.y_of(motion.q, t, motion.z)
        found = elements(constraints.assembly_function(y, symbols))
        r += [found[k] for k in self.kept]
        for link in mechanism.links:
            r += link.joint.redundancy([motion.q[k] for k in link.q])
        self._column = casadi.SX(casadi.vertcat(*r))
        self.size = self._column.numel()
        constraint_scale = scales.constraints[list(self.kept)]
        left = self.size - self.n_conditions - constraint_scale.size
        self._residual_scale = np.concatenate([constraint_scale, np.ones(left)])

    def _view(self) -> MotionView:
        """Return the mechanism at rest at the symbols."""
        q, t, z, _ = self._symbols
        still = [0.0] * self.mechanism.n_u
        return MotionView(self.mechanism, elements(q), still, None, t, elements(z))

    def with_conditions(self, conditions: Sequence[InitialCondition]) -> PositionProblem:
        """Return the problem with other initial conditions."""
        return PositionProblem(
            self.mechanism, self.constraints, self.symbols, self.scales, conditions
        )

    @cached_property
    def blocks(self) -> tuple[ConstraintBlock, ...]:
        """The equations, in blocks that share no coordinate."""
        return independent_blocks(self._column, self._symbols[0], self._symbols[1:])

    @cached_property
    def _residuals(self) -> casadi.Function:
        import casadi

        return casadi.Function("residuals", self._symbols, [casadi.densify(self._column)])

    @cached_property
    def _function(self) -> casadi.Function:
        import casadi

        J = casadi.jacobian(self._column, self._symbols[0])
        return casadi.Function("pose", self._symbols, [self._column, J])

    def _kept_constraints(self, without: frozenset[int]) -> tuple[int, ...]:
        table = enumerate(self.constraints.equations[: self.constraints.n_holonomic])
        return tuple(k for k, equation in table if equation.closure not in without)

    @property
    def is_trivial(self) -> bool:
        """Whether there is no equation besides given values."""
        return not (self.n_conditions or self.kept)

    def residuals(self, instant: Instant, q: np.ndarray, near: np.ndarray) -> np.ndarray:
        """Return all residuals in scales; conditions are scaled at `near`."""
        with np.errstate(all="ignore"):
            r = np.asarray(
                self._residuals(q, instant.t, list(instant.z), instant.p), dtype=float
            )
            return r.ravel() / self.residual_scales(instant, near)

    def expression(self, *given: casadi.SX) -> casadi.SX:
        """Return all residuals, in their units, of other symbols q, t, z and live parameters."""
        return self._residuals(*given)

    def residual(self, instant: Instant, near: np.ndarray) -> Residual:
        """Return the residual and its Jacobian by q / scale; conditions are scaled at `near`."""
        scale, unit = self.residual_scales(instant, near), self.scales.coordinates

        def residual(q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            with np.errstate(all="ignore"):
                r, J = self._function(q, instant.t, list(instant.z), instant.p)
                J = np.asarray(J, dtype=float) * unit
                return np.asarray(r, dtype=float).ravel() / scale, J / scale[:, None]

        return residual

    def residual_of(
        self, block: ConstraintBlock, instant: Instant, scale: np.ndarray
    ) -> Residual:
        """Return the residual of a block and its Jacobian, of its own coordinates."""
        per, unit = 1.0 / scale[block.rows], self.scales.coordinates[block.columns]

        def residual(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            with np.errstate(all="ignore"):
                r, J = block.at(x, *instant.given)
                return r * per, scaled(J, per, unit)  # type: ignore[return-value]

        return residual

    def residual_scales(self, instant: Instant, q: np.ndarray) -> np.ndarray:
        """Return the scales of all residuals, in their order."""
        return np.concatenate([self._condition_scale(instant, q), self._residual_scale])

    def _condition_scale(self, instant: Instant, q: np.ndarray) -> np.ndarray:
        """Return the usual gradient of each prescribed quantity."""
        usual = np.zeros(self.n_conditions)
        for block in self.blocks if self.n_conditions else ():
            count = int(np.searchsorted(block.rows, self.n_conditions))
            if not count or not block.columns.size:
                continue
            rng = np.random.default_rng(3)
            ones = np.ones(self.size)
            plain = self.residual_of(block, instant, ones)
            around = [q[block.columns] + self.spread(rng, 0.3, block) for _ in range(5)]
            steep = [steepest(plain(x)[1])[:count] for x in around]
            usual[block.rows[:count]] = np.median(np.nan_to_num(steep, posinf=0.0), axis=0)
        return scales_by_part(self.initial_conditions, self.counts, usual)

    def spread(
        self, rng: np.random.Generator, width: float, block: ConstraintBlock
    ) -> np.ndarray:
        """Return random displacements of the own coordinates of a block."""
        own = self.scales.coordinates[block.columns]
        return rng.normal(scale=width, size=own.size) * own

    # --- searching --------------------------------------------------------------------------

    def solve(
        self,
        q: np.ndarray,
        free: np.ndarray,
        instant: Instant,
        guessed: Sequence[Guess] = (),
    ) -> tuple[np.ndarray, float]:
        """Return the solution nearest to q, and its largest residual.

        Coordinates that are not free are kept; hidden ones move before those that users see.
        `guessed` are guesses of quantities that are not coordinates: the search starts near them.
        """
        found, failed = self.solve_blocks(q, free, instant, guessed)
        return found, max(failed.values(), default=0.0)

    def solve_blocks(
        self,
        q: np.ndarray,
        free: np.ndarray,
        instant: Instant,
        guessed: Sequence[Guess] = (),
        only: np.ndarray | None = None,
    ) -> tuple[np.ndarray, dict[ConstraintBlock, float]]:
        """Return the solution nearest to q, and the residual of each block not closed at q.

        With `only`, a mask of coordinates, blocks without any of these are left as they are.
        """
        scale = self.residual_scales(instant, q)
        begin, is_pulled = q, np.zeros(q.size, dtype=bool)
        if guessed:
            begin, is_pulled = self._pulled(scale, q, free, instant, guessed)
        elif self._is_closed(self.residuals(instant, q, q), q):
            return q, {}
        found, residuals, alike = begin.copy(), {}, BlockSolutions()
        for block in self.blocks:
            own = block.columns
            if only is not None and not only[own].any():
                found[own] = q[own]
                continue
            residual = self.residual_of(block, instant, scale)
            pulled = bool(is_pulled[own].any())
            if not pulled and self._is_closed(residual(q[own])[0], q, own):
                continue
            weights = (self._ease[own], self._hidden[own], free[own], np.array(pulled))
            key = alike.key(residual, begin[own], self.scales.coordinates[own], *weights)
            known = alike.closed(residual, key, self.tolerance(begin[own], own))
            if not known:
                known = [self._close(block, residual, begin, free, pulled)]
                alike.note(key, known)
            found[own], residuals[block] = known[0]
        return found, residuals

    def _close(
        self,
        block: ConstraintBlock,
        residual: Residual,
        q: np.ndarray,
        free: np.ndarray,
        pulled: bool,
    ) -> tuple[np.ndarray, float]:
        """Return own coordinates near q that close a block, and the residual."""
        own = block.columns
        hidden = free[own] & self._hidden[own]
        if hidden.any() and not pulled:
            found, size = self._search(block, residual, q, hidden)
            if size < self.tolerance(found, own):
                return found, size
        return self._search(block, residual, q, free[own])

    def tolerance(self, q: np.ndarray, own: np.ndarray | None = None) -> float:
        """Return the residual below which loops count as closed; q may be the `own` part."""
        return max(CLOSED, self.scales.rounding(q, own))

    def _is_closed(
        self, r: np.ndarray, q: np.ndarray, own: np.ndarray | None = None
    ) -> bool:
        size = float(np.abs(r).max(initial=0.0))
        return size < 1e-2 * self.tolerance(q if own is None else q[own], own)

    def _search(
        self, block: ConstraintBlock, residual: Residual, q: np.ndarray, free: np.ndarray
    ) -> tuple[np.ndarray, float]:
        """Return the best solution of a block, searched from q and from points around it."""
        own = block.columns
        scale, ease = self.scales.coordinates[own], self._ease[own]
        rng = np.random.default_rng(1)
        best, least = q[own], np.inf
        for attempt in range(TRIES if free.any() else 1):
            begin = q[own].copy()
            if attempt:
                begin[free] += self.spread(rng, 0.3 * attempt**0.5, block)[free]
            found, size = damped_newton(
                residual, begin, free, scale, ease, self._hidden[own]
            )
            if size < self.tolerance(found, own):
                return found, size
            if size < least:
                best, least = found, size
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
        """Return a pose between loop closure and guesses, as a starting point of the search.

        Second is the mask of coordinates that depend on the guesses.
        """
        import casadi

        motion = self._view()
        wanted = [e for one in guessed for e in one(motion)]
        column = casadi.SX(casadi.vertcat(self._column, *wanted))
        begin, concerned = q.copy(), np.zeros(q.size, dtype=bool)
        scale = np.concatenate([scale, np.ones(len(wanted))])
        for block in independent_blocks(column, self._symbols[0], self._symbols[1:]):
            own, soft = block.columns, block.rows[block.rows >= self.size]
            if not soft.size or not own.size:
                continue
            _, J = self.residual_of(block, instant, scale)(q[own])
            steep = steepest(J)[block.rows >= self.size]
            scale[soft] = np.where(steep > 0.0, steep, 1.0) / SOFT
            together = self.residual_of(block, instant, scale)
            begin[own] = nearest(together, q[own], free[own], self.scales.coordinates[own])
            concerned[own] = True
        return begin, concerned

    @cached_property
    def _hidden(self) -> np.ndarray:
        """The mask of coordinates that no user sees."""
        links = self.mechanism.links
        return np.array([is_hidden(k) for k in links for _ in k.q], dtype=bool)

    @cached_property
    def _ease(self) -> np.ndarray:
        """The weight of each coordinate's displacement: small for preferred states."""
        links = self.mechanism.links
        return np.array([_ease_of(k) for k in links for _ in k.q], dtype=float)


def scales_by_part(
    conditions: Sequence[InitialCondition], counts: Sequence[int], steep: np.ndarray
) -> np.ndarray:
    """Return scales of prescribed quantities: the steepest gradient within the same part."""
    owners = [
        d.part for d, count in zip(conditions, counts, strict=True) for _ in range(count)
    ]
    of_part: dict[str, float] = {}
    for part, size in zip(owners, steep.tolist(), strict=True):
        of_part[part] = max(of_part.get(part, 0.0), size)
    return np.array([of_part[part] or 1.0 for part in owners])


def _ease_of(link: Link) -> float:
    return HELD if link.edge is not None and link.edge.state_priority > 1 else 1.0


def is_hidden(link: Link) -> bool:
    """Return whether a joint is hidden: massless, or inside a finished part."""
    if link.is_massless:
        return True
    part = link.entry.owner if link.own is None else link.own.part
    if link.edge is not None:
        part = link.edge.frame_a.owner
    return any(outer.is_model and not outer.is_open for outer in part.lineage()[1:])
