"""What is said of loops that cannot be closed: which, by how much, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

import numpy as np

from motorik.errors import LoopError
from motorik.loops.closing import CLOSED, Moment, PoseProblem
from motorik.loops.clusters import loop_links
from motorik.loops.locked import why_locked
from motorik.topology.mechanism import Mechanism, State


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


def listed(states: Sequence[State], values: np.ndarray) -> str:
    """Return names and values for a message."""
    return ", ".join(f"{s.name} = {v:.6g}" for s, v in zip(states, values, strict=True))
