"""The branch nearest to the guesses, for loops without a closed form.

Newton's method from the guesses converges to some branch, not always to the nearest. A nearer
branch lies within the distance of the one found: points within this distance are tried, each
block by itself, so that it starts as it would alone.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motorik.immutable import immutable
from motorik.loops.constraint_blocks import BlockSolutions, ConstraintBlock
from motorik.loops.guesses import guesses_of_links
from motorik.loops.position_problem import Guess, Instant, PositionProblem
from motorik.numerics.newton import Residual, damped_newton
from motorik.numerics.tolerances import (
    DISTANCE_GAIN,
    FIXED_VALUE,
    NEARER_BRANCH,
    NULL_SPACE_RANK,
)
from motorik.topology.mechanism import Mechanism

TURN = 2.0 * np.pi
UNGUESSED = 1e-4  # weight of a coordinate without a guess, against 1 of guessed ones
NEAR = 1e-3  # distances below this need no search, in scales
TRIES, FEWEST = 48, 4  # unsuccessful points after which a branch counts as the nearest
CLOSE = 0.2  # distance below which proportionally fewer points are tried
SEVERAL = 8  # number of coordinates beyond which fewer points are tried
WIDTHS = (
    0.25,
    0.5,
    1.0,
)  # widths of random points, relative to the distance of the best branch
ANYWHERE = 2.0  # width for each coordinate where no branch is known, in scales
SLIDES = 40  # Gauss–Newton steps along the free directions
FIRST_SLIDES = 3  # of these, after which it shows whether a branch may be nearer
SAME = 0.1  # poses nearer to one another lead to the same place, in scales
PROMISING = 1.3  # distance up to which it may, of that of the best


@immutable
class GuessDistance:
    """The deviation of the coordinates of a block from the guesses, without units.

    Guessed coordinates have weight 1, angles modulo 2π; preferred states have more, coordinates
    without a guess little, coordinates inside a finished part none. `further` are guesses of
    bodies and of cut joints.
    """

    target: np.ndarray
    weight: np.ndarray
    scale: np.ndarray
    turns: np.ndarray
    further: GuessedQuantities | None = None

    def at(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the deviations at own coordinates x, and their Jacobian by x / scale."""
        apart = (self.unwrapped(x) - self.target) / self.scale
        e, D = self.weight * apart, np.diag(self.weight)
        if self.further is None:
            return e, D
        more, slope = self.further.at(x)
        return np.concatenate([e, more]), np.vstack([D, slope * self.scale])

    def size(self, x: np.ndarray) -> float:
        """Return the distance at own coordinates x."""
        return float(np.linalg.norm(self.at(x)[0]))

    def unwrapped(self, x: np.ndarray) -> np.ndarray:
        """Return own coordinates with angles within half a turn of their start values."""
        turns = np.rint((x - self.target) / TURN) * TURN
        return np.where(self.turns, x - turns, x)


class GuessedQuantities:
    """Guesses of quantities that are not coordinates, as functions of own coordinates."""

    def __init__(
        self,
        problem: PositionProblem,
        guessed: Sequence[Guess],
        q: np.ndarray,
        own: np.ndarray,
        instant: Instant,
        unit: Sequence[float],
    ) -> None:
        import casadi

        symbols, t, z, p = problem._symbols
        motion = problem._view()
        wanted = casadi.SX(casadi.vertcat(*(e for one in guessed for e in one(motion))))
        J = casadi.jacobian(wanted, symbols[own.tolist()])
        outputs = [casadi.densify(wanted), casadi.densify(J)]
        self._function = casadi.Function("further", [symbols, t, z, p], outputs)
        self._q, self._own, self._instant = q.copy(), own, instant
        self._unit = np.array(unit)

    def at(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the deviations in scales, and their Jacobian by x."""
        self._q[self._own] = x
        instant = self._instant
        e, J = self._function(self._q, instant.t, list(instant.z), instant.p)
        e = np.asarray(e, dtype=float).ravel() / self._unit
        return e, np.asarray(J, dtype=float) / self._unit[:, None]


def nearest_branches(
    problem: PositionProblem,
    q: np.ndarray,
    start: np.ndarray,
    instant: Instant,
    links: frozenset[int],
) -> np.ndarray:
    """Return the closed pose q with some loops moved to the branch nearest to the guesses.

    These are the loops that move `links`, and those with initial conditions. `start` are the start
    values of all coordinates. Fixed values and conditions that q meets are kept; loops without a
    guess do not move.
    """
    mechanism = problem.mechanism
    states = mechanism.coordinates
    fixed = np.array([s.start.is_fixed for s in states], dtype=bool)
    moving = np.zeros(q.size, dtype=bool)
    for k in links:
        moving[list(mechanism.links[k].q)] = True
    scale = problem.residual_scales(instant, q)
    alike, q = BlockSolutions(), q.copy()
    for block in problem.blocks:
        own = block.columns
        is_meant = moving[own].any() or (block.rows < problem.n_conditions).any()
        if not (own.size and block.is_small and is_meant):
            continue
        residual = problem.residual_of(block, instant, scale)
        unit = problem.scales.coordinates[own]
        held = (np.abs(q[own] - start[own]) / unit)[fixed[own]]
        is_closed = np.abs(residual(q[own])[0]).max() < problem.tolerance(q[own], own)
        is_known = bool(is_closed and (held < FIXED_VALUE).all())
        lengths = scale[block.rows[block.rows >= problem.n_conditions]]
        length = max(lengths[lengths != 1.0], default=problem.scales.length)
        distance = _distance(problem, q, start, own, instant, float(length))
        if distance is None:
            continue
        free = ~fixed[own]
        weights = (
            distance.target,
            distance.weight,
            distance.at(q[own])[0],
            free,
            np.array(is_known),
        )
        key = alike.key(residual, q[own], distance.scale, *weights)
        known = alike.closed(residual, key, problem.tolerance(q[own], own))
        if not known:
            search = _NearestPose(problem, block, residual, free, distance)
            found = search.nearest(q[own] if is_known else None)
            known = [(q[own] if found is None else found, 0.0)]
            alike.note(key, known)
        q[own] = known[0][0]
    return q


def _distance(
    problem: PositionProblem,
    q: np.ndarray,
    start: np.ndarray,
    own: np.ndarray,
    instant: Instant,
    length: float,
) -> GuessDistance | None:
    """Return the distance of a block of this length from its guesses, None without guesses."""
    mechanism = problem.mechanism
    states = [mechanism.coordinates[k] for k in own.tolist()]
    guessed = np.array([s.start.is_given and not s.start.is_fixed for s in states])
    links = {mechanism.link_of_coordinate(k).index for k in own.tolist()}
    more, units = guesses_of_links(mechanism, links)
    if not (guessed.any() or more):
        return None
    weight = np.where(problem._hidden[own], 0.0, np.where(guessed, 1.0, UNGUESSED))
    further = None
    if more:
        per = [1.0 if unit == "rad" else length for unit in units]
        further = GuessedQuantities(problem, more, q, own, instant, per)
    return GuessDistance(
        start[own],
        weight / problem._ease[own],
        problem.scales.coordinates[own],
        np.array([_turns(mechanism, k) for k in own.tolist()], dtype=bool),
        further,
    )


def _turns(mechanism: Mechanism, k: int) -> bool:
    """Return whether a coordinate is an angle that matters only modulo 2π."""
    edge = mechanism.link_of_coordinate(k).edge
    is_angle = mechanism.coordinates[k].unit == "rad"
    return is_angle and edge is not None and not edge.keeps_coordinate


class _NearestPose:
    """The search for the closed pose of one block that is nearest to its guesses."""

    def __init__(
        self,
        problem: PositionProblem,
        block: ConstraintBlock,
        residual: Residual,
        free: np.ndarray,
        distance: GuessDistance,
    ) -> None:
        self.residual, self.free, self.distance = residual, free, distance
        self._ease = problem._ease[block.columns]
        self._hidden = problem._hidden[block.columns]
        self._tolerance = problem.tolerance(distance.target, block.columns)

    def nearest(self, x: np.ndarray | None) -> np.ndarray | None:
        """Return the nearest closed pose found; x, a closed pose, if none is nearer."""
        distance, free = self.distance, self.free
        best, least = None, np.inf
        if x is not None:
            best = x = distance.unwrapped(x)
            least = distance.size(x)
            if least < NEAR:
                return x
            slid = self._slid(x)
            if distance.size(slid) < (1.0 - NEARER_BRANCH) * least:
                best, least = slid, distance.size(slid)
        rng, n = np.random.default_rng(5), int(free.sum())
        failed = attempt = 0
        while n and failed < self._tries(least):
            begin = distance.target.copy()
            if attempt:
                width = WIDTHS[attempt % len(WIDTHS)] * distance.scale
                width *= np.where(
                    distance.weight < 1.0, ANYWHERE, min(least / n**0.5, ANYWHERE)
                )
                begin[free] += (rng.normal(size=free.size) * width)[free]
            attempt += 1
            failed += 1
            found = self._closed(begin, best, PROMISING * least)
            if found is not None and distance.size(found) < (1.0 - NEARER_BRANCH) * least:
                best, least, failed = found, distance.size(found), 0
        return best

    def _tries(self, least: float) -> int:
        """Return the number of unsuccessful points after which the search ends."""
        if least < NEAR:
            return 0
        share = min(1.0, SEVERAL / self.free.sum())
        if (self.distance.weight >= 1.0)[self.free].all():
            share *= min(
                1.0, least / CLOSE
            )  # otherwise branches near the guesses may be many
        return max(FEWEST, round(TRIES * share))

    def _closed(
        self, begin: np.ndarray, best: np.ndarray | None, promising: float
    ) -> np.ndarray | None:
        """Return a closed pose by Newton's method, moved towards the guesses.

        None if there is none, if its first steps do not bring it within a promising distance, or if
        they bring it back to the best one.
        """
        found, violation = damped_newton(
            self.residual, begin, self.free, self.distance.scale, self._ease, self._hidden
        )
        if not violation < self._tolerance:
            return None
        found = self.distance.unwrapped(found)
        moved = self._slid(found, FIRST_SLIDES)
        if moved is found:
            return found
        is_known = (
            best is not None and np.abs((moved - best) / self.distance.scale).max() < SAME
        )
        return (
            None if is_known or self.distance.size(moved) > promising else self._slid(moved)
        )

    def _slid(self, x: np.ndarray, steps: int = SLIDES) -> np.ndarray:
        """Return a closed pose moved along the free directions to the least distance.

        Gauss–Newton: the linearised distance is minimised over the linearised constraint manifold.
        """
        free, distance, scale = self.free, self.distance, self.distance.scale
        least = distance.size(x)
        for _ in range(steps):
            J = np.asarray(self.residual(x)[1])[:, free]
            _, values, V = np.linalg.svd(J)
            rank = int((values > NULL_SPACE_RANK * values.max(initial=0.0)).sum())
            N = V[rank:].T
            if not N.size:
                return x
            e, D = distance.at(x)
            step = np.zeros(x.size)
            step[free] = -N @ np.linalg.lstsq(D[:, free] @ N, e, rcond=None)[0]
            longest = float(np.abs(step).max())
            if longest < 1e-9:
                return x
            factor = min(1.0, 1.0 / longest)
            while factor > 1e-3:
                trial, violation = damped_newton(
                    self.residual, x + factor * step * scale, free, scale
                )
                size = distance.size(trial)
                if violation < self._tolerance and size < least:
                    break
                factor /= 2.0
            else:
                return x
            gained = least - size
            x, least = trial, size
            if gained < DISTANCE_GAIN * least:
                return x
        return x
