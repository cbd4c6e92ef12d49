"""Samples: other assembled poses of a mechanism near one that is known."""

from __future__ import annotations

import numpy as np

from motorik.loops.alike import Alike
from motorik.loops.closing import Moment, PoseProblem
from motorik.loops.iterations import Residual, damped_newton
from motorik.loops.parts import Part
from motorik.loops.wander import way_of

SPREAD = 0.25  # how far from the start other poses are looked for, in scales


def sample_poses(
    problem: PoseProblem, q: np.ndarray, moment: Moment, count: int = 3
) -> tuple[np.ndarray, ...]:
    """Return assembled poses: q, which is closed, and others found near it.

    Parts that share no coordinate are sampled each on its own; one that has fewer poses
    repeats them. Coordinates that nothing holds are spread.
    """
    scale = problem.row_scales(moment, q)
    unit = problem.scales.coordinates
    found: list[tuple[np.ndarray, list[np.ndarray]]] = []
    alike = Alike()
    for part in problem.parts:
        own = part.columns
        if own.size:
            residual = problem.residual_of(part, moment, scale)
            key = alike.key(residual, q[own], unit[own])
            poses = alike.closed(residual, key, problem.tolerance(q[own], own))
            if not poses:
                poses = _sampled(problem, part, residual, q[own], count)
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
    problem: PoseProblem, part: Part, residual: Residual, x: np.ndarray, count: int
) -> list[tuple[np.ndarray, float]]:
    """Return up to `count` closed poses of a part near x, with their gaps.

    A random place of many coordinates is far from all closed poses: it closes, if at all, in
    singular ones, where loops change their branch. So large parts walk from x.
    """
    own = part.columns
    scale, free = problem.scales.coordinates[own], np.ones(own.size, dtype=bool)
    if not part.is_small:
        way = way_of(lambda y: residual(y * scale), x / scale, count)
        return [(y * scale, float(np.abs(residual(y * scale)[0]).max())) for y in way]
    rng = np.random.default_rng(7)
    found: list[tuple[np.ndarray, float]] = []
    for attempt in range(4 * count):
        if len(found) == count:
            break
        begin = x + problem.spread(rng, SPREAD * 0.7**attempt, part)
        closed, gap = damped_newton(residual, begin, free, scale)
        if gap < problem.tolerance(closed, own):
            found.append((closed, gap))
    return found
