"""Errors of loops that cannot be closed: which, by how much, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

import numpy as np

from motorik.errors import LoopError
from motorik.loops.closing import CLOSED, Moment, PoseProblem, damped_newton
from motorik.loops.clusters import loop_links
from motorik.loops.locked import why_locked
from motorik.numerics.sparse_matrix import SparseMatrix, steepest
from motorik.topology.mechanism import Mechanism, StateVariableSpec

FLAT = 1e-3  # gradient of a row, without units, that may be one that vanishes
AWAY = 0.1  # way from a closed pose to one where such rows may be open, in scales
APART = 1e-2  # least way between closed poses that are not one and the same
OPENED = 1e-6  # gap of a row there that the others do not hold


def refuse_vanishing_gradients(
    problem: PoseProblem,
    samples: Sequence[np.ndarray],
    matrices: Sequence[SparseMatrix],
    moment: Moment,
) -> None:
    """Raise `LoopError` for a row whose gradient vanishes at all closed poses, as of a square.

    Such a row transmits no force. Rows implied by others are accepted, and those of loops with
    a single closed pose, where gradients vanish by chance.
    """
    rows, scales = problem.rows, problem.scales
    if rows is None or len(samples) < 2:
        return
    steep = np.max([steepest(G) for G in matrices], axis=0)
    moved = np.ptp(samples, axis=0) / scales.coordinates > APART
    link_of = rows.mechanism.link_of_speed
    seen = {i for i, j in rows.pattern if moved[list(link_of(j).q)].any()}
    flat = [k for k in sorted(seen) if k < rows.n_holonomic and steep[k] < FLAT]
    flat = [k for k in flat if rows.rows[k].closure is not None]
    if not flat:
        return
    q = _closed_without(problem, samples[0], moment, flat)
    gaps = (
        np.abs(rows.gaps(q, moment.p, moment.t, moment.z)) / scales.rows[: rows.n_holonomic]
    )
    for k in flat:
        if gaps[k] > OPENED:
            row = rows.rows[k]
            raise LoopError(
                row.part,
                f"its constraint number {row.number + 1} has no effect: its gradient vanishes "
                "wherever it is met, as that of a square does.",
                "State it by a quantity that changes its sign there, a length or an angle "
                "instead of their square.",
            )


def _closed_without(
    problem: PoseProblem, q: np.ndarray, moment: Moment, without: Sequence[int]
) -> np.ndarray:
    """Return a pose beside q at which all rows but some are closed; q if none is found."""
    whole = problem.residual(moment, q)
    left = [problem.n_demanded + i for i, k in enumerate(problem.kept) if k in without]

    def residual(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        r, J = whole(x)
        assert isinstance(J, np.ndarray)
        return np.delete(r, left), np.delete(J, left, axis=0)

    scale = problem.scales.coordinates
    begin = q + np.random.default_rng(1).choice([-AWAY, AWAY], q.size) * scale
    found, gap = damped_newton(residual, begin, np.ones(q.size, dtype=bool), scale)
    return found if gap < problem.tolerance(found) else q


def refuse_open_loop(problem: PoseProblem, q: np.ndarray, moment: Moment) -> NoReturn:
    """Raise `LoopError` for the loop with the largest gap at a pose q that is the best found."""
    number, loop, gaps = worst_loop(problem, q, moment)
    why = ""
    if number is not None:
        closure = problem.mechanism.closures[number]
        links = loop_links(problem.mechanism, closure)
        why = why_locked(problem.mechanism, links, [closure], q, problem.symbols, moment.p)
    raise LoopError(
        loop[-1],
        f"the loop of {', '.join(loop)} cannot be closed: at best a gap of {gaps} remains"
        f"{f'; {why}' if why else ''}.",
        "Check lengths, axes and positions of these parts. Nearest found: "
        f"{listed(problem.mechanism.coordinates, q)}.",
        value=gaps,
    )


def worst_loop(
    problem: PoseProblem, q: np.ndarray, moment: Moment
) -> tuple[int | None, list[str], str]:
    """Return the closure with the largest gap, the parts of its loop, and its gaps in words."""
    assert problem.rows is not None
    r = problem.gaps(moment, q, q)
    first = problem.n_demanded
    sizes = np.abs(np.nan_to_num(r[first : first + len(problem.kept)], nan=np.inf))
    worst = problem.rows.rows[problem.kept[int(np.argmax(sizes))]]
    same = [
        k
        for k, row in enumerate(problem.kept)
        if problem.rows.rows[row].closure == worst.closure
    ]
    units = [problem.rows.rows[problem.kept[k]].unit for k in same]
    scale = problem.scales.rows[[problem.kept[k] for k in same]]
    gaps = in_words(units, sizes[same], scale)
    if worst.closure is not None:  # what is seen, not what was solved
        metres, radians = problem.rows.open_by(q, moment.p, moment.t, moment.z)[
            worst.closure
        ]
        length = float(scale.max(initial=0.0))
        seen = np.array([metres / length, radians])
        gaps = in_words(["m", "rad"], seen, np.array([length, 1.0]))
    names = [worst.part]
    if worst.closure is not None:
        names = [*loop_names(problem.mechanism, worst.closure), worst.part]
    return worst.closure, list(dict.fromkeys(names)), gaps


def loop_names(mechanism: Mechanism, closure: int) -> list[str]:
    """Return the parts whose joints are in a loop, without the one that closes it."""
    links = loop_links(mechanism, mechanism.closures[closure])
    return [mechanism.links[k].part for k in sorted(links)]


def in_words(
    units: Sequence[str], sizes: np.ndarray, scale: np.ndarray, per_second: bool = False
) -> str:
    """Return the largest gap in metres and in radians; sizes are in units of the scales."""
    parts = []
    for unit in ("m", "rad"):
        found = [
            (size, size * s)
            for u, size, s in zip(units, sizes.tolist(), scale.tolist(), strict=True)
            if u.startswith(unit)
        ]
        if found and max(found)[0] > CLOSED:
            parts.append(f"{max(found)[1]:.3g} {unit}{'/s' if per_second else ''}")
    return " and ".join(parts) or f"{float(sizes.max(initial=0.0)):.3g}"


def listed(states: Sequence[StateVariableSpec], values: np.ndarray) -> str:
    """Return names and values for a message."""
    shown = [f"{s.name} = {v:.6g}" for s, v in zip(states, values, strict=True)]
    return ", ".join(shown) or "none, as nothing can move"
