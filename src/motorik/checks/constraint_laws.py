"""Laws of the constraint of a joint that closes a loop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from motorik.algebra.motor import ZERO_MOTOR, Motor
from motorik.algebra.pose import Pose
from motorik.algebra.rotation import rotation_about
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.checks.law import Law, Sample, difference, each
from motorik.elements.constraint import Constraint
from motorik.elements.joint import Joint

FROM = Pose(rotation_about(Vector(2.0, -1.0, 2.0) / 3.0, 0.8), Vector(0.3, -0.7, 0.5))
"""Pose of frame a in the common frame."""

VANISHES, DIFFERS = 1e-9, 1e-6


def _ends(joint: Joint, at: Sample) -> tuple[Pose, Pose]:
    return FROM, FROM @ joint.pose(*at.q)


def _rows(rows: Callable[..., Sequence[Scalar]] | None, *poses: Pose) -> np.ndarray:
    """Return the rows at numbers; infinite where they are not finite."""
    values = np.array(rows(*poses) if rows is not None else (), dtype=float)
    return np.where(np.isfinite(values), values, np.inf)


def _jacobian(constraint: Constraint, ends: tuple[Pose, Pose]) -> np.ndarray:
    """Return the rates of all rows by the velocity of b, resolved in b."""
    motions = [Motor.of(unit.tolist()) for unit in np.eye(6)]
    rates = [constraint.rates(ends, (ZERO_MOTOR, motion)) for motion in motions]
    return np.array(rates, dtype=float).T


def _solved(constraint: Constraint) -> Constraint:
    """Return the constraint with the rows of assembling in place of those of motion."""
    return replace(constraint, residual=constraint.to_solve)


def _displaced(joint: Joint, at: Sample) -> list[tuple[Pose, Pose]]:
    """Return poses where b is put along and about what the rows forbid, and anywhere."""
    X_a, X_b = _ends(joint, at)
    found: list[Pose] = []
    J = _jacobian(joint.constraint, (X_a, X_b))[: len(joint.constraint.units)]
    for axis in _forbidden(J[:, :3]):
        found += [X_b @ Pose(rotation_about(axis, turn)) for turn in (np.pi, 2.0, -0.3)]
    for direction in _forbidden(J[:, 3:]):
        found += [X_b @ Pose(p=shift * direction) for shift in (0.8, -0.02)]
    axis, away = at.V_a.resultant.normalized(), Vector.of(at.V_a.moment)
    found += [X_b @ Pose(rotation_about(axis, turn), away) for turn in (0.4, np.pi)]
    return [(X_a, X) for X in found]


def _forbidden(J: np.ndarray) -> list[Vector]:
    """Return orthogonal directions that change the rows, and span all that do."""
    if not J.size:
        return []
    _, strengths, directions = np.linalg.svd(J)
    return [
        Vector.of(e) for s, e in zip(strengths, directions, strict=False) if s > DIFFERS
    ]


def _vanishing(joint: Joint, at: Sample) -> float:
    held, ends = joint.constraint, _ends(joint, at)
    residual, approach = (_rows(rows, *ends) for rows in (held.residual, held.to_solve))
    if not len(residual) == len(approach) == len(held.units):
        return np.inf
    return float(max(np.abs(rows).max(initial=0.0) for rows in (residual, approach)))


def _letting(joint: Joint, at: Sample) -> float:
    held, ends = joint.constraint, _ends(joint, at)
    velocities = [(ZERO_MOTOR, screw) for screw in joint.screws(*at.q)]
    rates = np.array([held.rates(ends, V) for V in velocities], dtype=float)
    return float(np.abs(rates).max(initial=0.0))


def _holding(joint: Joint, at: Sample) -> float:
    J = _jacobian(joint.constraint, _ends(joint, at))
    rank = np.linalg.matrix_rank(J, DIFFERS) if J.size else 0
    return float(abs(rank - (6 - joint.freedom)))


def _approach(joint: Joint, at: Sample) -> float:
    held, ends = joint.constraint, _ends(joint, at)
    return difference(_jacobian(_solved(held), ends), _jacobian(held, ends))


def _elsewhere(joint: Joint, at: Sample) -> float:
    held = joint.constraint
    for ends in _displaced(joint, at):
        size = float(np.abs(_rows(held.to_solve, *ends)).max(initial=0.0))
        gap = max(float(part) for part in held.measured(*ends))
        if (size < VANISHES) != (gap < VANISHES):
            return np.inf
    return 0.0


def _gap(joint: Joint, at: Sample) -> float:
    held, other = joint.constraint, joint.reversed()
    deviations = [max(abs(float(part)) for part in held.measured(*_ends(joint, at)))]
    for X_a, X_b in _displaced(joint, at):
        seen = np.array(held.measured(X_a, X_b), dtype=float)
        sides = _misfit(joint, X_a, X_b), _misfit(other, X_b, X_a)
        deviations.append(min(_off(seen, side) for side in sides))
    return float(max(deviations))


def _misfit(joint: Joint, X_a: Pose, X_b: Pose) -> np.ndarray:
    """Return how far b is from where the joint would put it: [m], and sine and cosine of ½θ."""
    X_ab = X_a.inverse() @ X_b
    best, here = joint.pose(*joint.fit(X_ab)).numpy(), X_ab.numpy()
    sine = np.linalg.norm(here[:3, :3] - best[:3, :3]) / np.sqrt(8.0)
    cosine = np.sqrt(max(0.0, 1.0 + np.trace(best[:3, :3].T @ here[:3, :3]))) / 2.0
    return np.array([np.linalg.norm(here[:3, 3] - best[:3, 3]), sine, cosine])


def _off(seen: np.ndarray, side: np.ndarray) -> float:
    """Return how far a gap is from a misfit; its angle by the chord, which has no blunt end."""
    metres, angle = seen
    return max(
        abs(metres - side[0]),
        abs(np.sin(angle / 2) - side[1]),
        abs(np.cos(angle / 2) ** 2 - side[2] ** 2),
    )


CONSTRAINT_LAWS = (
    Law(
        "constraint",
        "that the rows of the constraint vanish at the poses of the joint",
        "Leave out `constraint`, which is then derived, or let its rows, one for each of its "
        "units, vanish at X_b = X_a X_ab(q).",
        each(_vanishing),
    ),
    Law(
        "letting",
        "that the constraint allows motion along the screws",
        "Let neither the rows of the constraint nor those of its rates change along the "
        "screws.",
        each(_letting),
    ),
    Law(
        "holding",
        "that the constraint prevents 6 − f of six motions",
        "Let rows and rates of the constraint prevent every motion but the screws.",
        each(_holding),
    ),
    Law(
        "approach",
        "that the approach is the residual to first order",
        "Let both have the same derivatives where they vanish: 2 tan ½α stands for sin α.",
        each(_approach),
    ),
    Law(
        "elsewhere",
        "that the approach vanishes where the gap does, and nowhere else",
        "Give the constraint an `approach` whose rows are far from zero half a turn off.",
        each(_elsewhere),
    ),
    Law(
        "gap",
        "that the gap is the distance of b from the nearest pose of the joint",
        "Let `gap` be the joint's `misfit`, and let fit(X_ab) be near at every pose.",
        each(_gap),
    ),
)
