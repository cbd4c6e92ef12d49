"""Follower: continuous motion of a mechanism to a target on its constraint manifold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import numpy as np

from motorik.analysis.manipulator.grip import Grip
from motorik.analysis.manipulator.linear import Directions
from motorik.immutable import immutable
from motorik.numerics.tolerances import (
    DEAD_CENTRE_MOTION,
    MOBILE_MOTION,
    RANK,
    TARGET_DIFFERENCE,
    TARGET_FLAT,
    TARGET_GAIN,
    TARGET_QUADRATIC,
    TARGET_REACHED,
    TARGET_SHORTEST,
    TARGET_STEP,
)

LONGEST = 0.25  # of a step, in scales and rad
ROLLS = 0.05  # the same with rolling constraints, which depend on the path
BENT = 0.5  # largest correction by closing, against the step: farther is another branch
PREDICTED = 0.5  # least decrease of the distance, against the tangent prediction
SHORT_STEPS = 60  # steps that are not the longest: more do not help
STEPS = 2000
KEEPS = 0.05  # path length over which the last direction of motion is averaged, in scales
DAMPINGS = 8
ACROSS = 1e-3  # relative gradient of the distance at the nearest point of a path


class ConstraintManifold(Protocol):
    """The constraints of a mechanism at one instant, in scales: by equations, or by its inputs.

    `PoseConstraints` implements it for models.
    """

    moment: np.ndarray
    n_u: int

    @property
    def rolls(self) -> bool:
        """Whether there are rolling constraints, which depend on the path."""
        ...

    def at(self, q: np.ndarray, active: frozenset[int]) -> tuple[np.ndarray, np.ndarray]:
        """Return the residual of all constraints, and its Jacobian by speeds."""
        ...

    def moved(self, q: np.ndarray, step: np.ndarray) -> np.ndarray:
        """Return coordinates after a small step of speeds."""
        ...

    def rolled(self, q: np.ndarray, step: np.ndarray) -> np.ndarray:
        """Return a step that satisfies the rolling constraints."""
        ...

    def close(
        self, q: np.ndarray, active: frozenset[int] = ..., most: float = ...
    ) -> np.ndarray | None:
        """Return the nearest closed pose; None if it is farther than `most`."""
        ...

    def reach(
        self, q: np.ndarray, step: np.ndarray, active: frozenset[int]
    ) -> tuple[float, int | None]:
        """Return the fraction of a step up to the first limit, and that limit."""
        ...

    def allow(self, q: np.ndarray) -> bool:
        """Return whether no limit is exceeded."""
        ...


@immutable
class Linearised:
    """The equations at a closed pose: constraint Jacobian A, null space, J and r − target."""

    A: np.ndarray
    directions: Directions
    J: np.ndarray
    e: np.ndarray


@immutable
class MovementEnd:
    """The end of a movement: remaining distance, active limits, stopped motion.

    `singular` is the only free direction of speeds at a dead centre; `is_off_path`: the held
    quantity cannot go everywhere, and is at the nearest point of its path or surface.
    """

    left: np.ndarray
    limits: tuple[int, ...]
    singular: np.ndarray | None = None
    is_held: bool = False
    is_off_path: bool = False

    @property
    def is_reached(self) -> bool:
        """Whether the target is met."""
        return float(np.abs(self.left).max(initial=0.0)) < TARGET_REACHED


def _is_as_predicted(before: Linearised, step: np.ndarray, e: np.ndarray) -> bool:
    """Return whether the distance decreased about as the tangent predicted."""
    promised = before.e + before.J @ step
    size = float(before.e @ before.e)
    return size - float(e @ e) > PREDICTED * (size - float(promised @ promised))


def _damped(slope: np.ndarray, sizes: np.ndarray, longest: float) -> np.ndarray:
    """Return −slope / (sizes + μ), with the least damping μ ≥ 0 that limits its length."""
    damping, d = 0.0, -slope / sizes
    for _ in range(DAMPINGS):
        length = float(np.linalg.norm(d))
        if length <= 1.1 * longest:
            break
        rate = float((d * d / (sizes + damping)).sum()) / length**2
        damping += (length - longest) / (longest * rate)
        d = -slope / (sizes + damping)
    length = float(np.linalg.norm(d))
    return d if length <= longest else d * (longest / length)


class Follower:
    """Moves a pose so that a grip comes nearest to its target, with loops and stops kept.

    Each step is one of Newton's method for the least distance in the null space of the
    constraints, with their curvature where the target is out of reach; it is kept only if the
    distance decreases and if closing the loops leads not far from it. So a pose moves
    continuously, up to limits and dead centres, never to another branch.
    """

    def __init__(self, constraints: ConstraintManifold, q: np.ndarray) -> None:
        self.constraints = constraints
        self.q = q.copy()
        self.longest = ROLLS if constraints.rolls else LONGEST
        self.active: frozenset[int] = frozenset()  # active limits
        self.came = np.zeros(constraints.n_u)  # the last motion, as a sum of steps

    def follow(
        self, grip: Grip, target: np.ndarray, is_over: Callable[[], bool] | None = None
    ) -> MovementEnd:
        """Move towards a target, in scales; return the end, at once if `is_over`."""
        is_curved, longest, short = grip.is_beyond, self.longest, 0
        here = self._here(grip, target)
        if not grip.usual.size and here.directions.free.size:
            grip.usual = np.linalg.svd(here.J @ here.directions.free, compute_uv=False)
        for _ in range(STEPS):
            size = float(np.abs(here.e).max())
            if size < TARGET_REACHED or short > SHORT_STEPS:
                break
            if is_over is not None and is_over():
                break
            if self._releases_limit(here):
                here = self._here(grip, target)
                continue
            step = self._step(here, grip, is_curved, longest)
            length, taken = float(np.linalg.norm(step)), 0.0
            if length >= TARGET_STEP:
                if self._meets_limit(step, length):
                    here = self._here(grip, target)
                    continue
                taken = self._taken(here, grip, target, step, length)
            if taken == 0.0 and is_curved:
                break
            if taken > 0.0:
                before, here = here, self._here(grip, target)
                is_curved |= taken < length or not _is_as_predicted(before, step, here.e)
                is_still = float(np.abs(here.e).max()) > (1.0 - TARGET_GAIN) * size
                if is_curved and is_still and taken == length < TARGET_QUADRATIC:
                    break  # the next step of Newton's method would be settled
                longest = min(self.longest, 4.0 * taken)
                short += taken < 0.5 * self.longest
            is_curved |= taken == 0.0
        return self._stopped(grip, here)

    def _here(self, grip: Grip, target: np.ndarray) -> Linearised:
        _, A = self.constraints.at(self.q, self.active)
        r, J = grip.at(self.q, self.constraints.moment)
        return Linearised(A, Directions.of(A), J, r - target)

    # --- one step ----------------------------------------------------------------------------

    def _step(
        self, here: Linearised, grip: Grip, is_curved: bool, longest: float
    ) -> np.ndarray:
        """Return the Newton step of speeds, in scales, of limited length."""
        Z = here.directions.free
        if not Z.shape[1]:
            return np.zeros(Z.shape[0])
        B = here.J @ Z
        slope, H = B.T @ here.e, B.T @ B
        if is_curved:
            H = H + self._curvature(here, grip)
        sizes, W = np.linalg.eigh(H)
        largest = max(abs(float(sizes[0])), abs(float(sizes[-1])))
        if not largest > 0.0:
            return np.zeros(Z.shape[0])
        along = W.T @ slope
        if not is_curved:  # minimum-norm step: directions without effect on the grip stay
            along[sizes < RANK * largest] = 0.0
        d = _damped(along, np.maximum(np.abs(sizes), RANK * largest), longest)
        for k in np.flatnonzero(sizes < -TARGET_FLAT * largest):
            if abs(along[k]) < TARGET_FLAT * abs(sizes[k]):
                d[k] = self._step_back(Z @ W[:, k])
        return Z @ (W @ d)

    def _step_back(self, direction: np.ndarray) -> float:
        """Return a step that leaves a dead centre: back along the last motion."""
        return -0.1 * LONGEST if self.came @ direction > 0.0 else 0.1 * LONGEST

    def _curvature(self, here: Linearised, grip: Grip) -> np.ndarray:
        """Return the second-order part of the reduced Hessian: of the grip and the constraints."""
        Z, moment = here.directions.free, self.constraints.moment
        own = here.directions.multipliers(here.J.T @ here.e)
        found = np.empty((Z.shape[1], Z.shape[1]))
        for k in range(Z.shape[1]):
            beyond = self.constraints.moved(self.q, TARGET_DIFFERENCE * Z[:, k])
            _, A = self.constraints.at(beyond, self.active)
            _, J = grip.at(beyond, moment)
            bent = (J - here.J).T @ here.e + (A - here.A).T @ own
            found[:, k] = Z.T @ bent / TARGET_DIFFERENCE
        return 0.5 * (found + found.T)

    def _taken(
        self,
        here: Linearised,
        grip: Grip,
        target: np.ndarray,
        step: np.ndarray,
        length: float,
    ) -> float:
        """Take a step, shortened until the distance decreases; return its length, 0 if none."""
        before = float(here.e @ here.e)
        while True:
            reach, meets = self.constraints.reach(self.q, step, self.active)
            active = self.active if meets is None else self.active | {meets}
            q = self.constraints.moved(
                self.q, self.constraints.rolled(self.q, reach * step)
            )
            q = self.constraints.close(q, active, BENT * max(reach * length, 1e-6))
            if q is not None and self.constraints.allow(q):
                r, _ = grip.at(q, self.constraints.moment)
                e = r - target
                if float(e @ e) < before:
                    grip.take(r)
                    self.came = self.came * np.exp(-length / KEEPS) + reach * step
                    self.q, self.active = q, active
                    return length
            step, length = 0.5 * step, 0.5 * length
            if length < TARGET_SHORTEST:
                return 0.0

    def _meets_limit(self, step: np.ndarray, length: float) -> bool:
        """Activate a limit that a step would exceed."""
        reach, meets = self.constraints.reach(self.q, step, self.active)
        if meets is None or reach * length > TARGET_SHORTEST:
            return False
        self.active = self.active | {meets}
        return True

    def _releases_limit(self, here: Linearised) -> bool:
        """Deactivate the limit with the most negative multiplier, if there is one."""
        if not self.active:
            return False
        own = sorted(self.active)
        pull = here.directions.multipliers(here.J.T @ here.e)[-len(own) :]
        k = int(np.argmax(pull))
        if not pull[k] > 1e-12:
            return False
        self.active = self.active - {own[k]}
        return True

    # --- the end -----------------------------------------------------------------------------

    def _stopped(self, grip: Grip, here: Linearised) -> MovementEnd:
        """Return the remaining distance, and whether this is a dead centre."""
        Z, singular, is_off_path = here.directions.free, None, False
        if Z.shape[1]:
            B = here.J @ Z
            _, sizes, W = np.linalg.svd(B)
            was = grip.usual if grip.usual.size == sizes.size else np.zeros(sizes.size)
            grip.usual = np.maximum(was, sizes)
            weak = np.flatnonzero(sizes < DEAD_CENTRE_MOTION * was)
            if weak.size and not self.active:
                singular = Z @ W[weak[0]]
            largest = float(grip.usual.max(initial=0.0))
            steepest = largest * float(np.linalg.norm(here.e))
            is_across = float(np.linalg.norm(B.T @ here.e)) <= ACROSS * steepest
            mobility = int(np.sum(grip.usual > MOBILE_MOTION * largest))
            is_off_path = is_across and 0 < mobility < here.e.size
        limits = tuple(sorted(self.active))
        found = MovementEnd(here.e, limits, singular, not Z.shape[1], is_off_path)
        grip.is_beyond = not found.is_reached
        return found
