"""Diagnosis of loops that cannot close or move: which, by how much, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from motorik.elements.prismatic import PrismaticPair
from motorik.elements.revolute import RevolutePair
from motorik.errors import LoopError
from motorik.loops.clusters import loop_links
from motorik.loops.formulate import NoConstraints
from motorik.loops.position_problem import Instant, PositionProblem
from motorik.numerics.newton import damped_newton
from motorik.numerics.sparse_matrix import SparseMatrix, steepest
from motorik.numerics.tolerances import CLOSED, FLAT_VIOLATION, PARALLEL
from motorik.topology.mechanism import (
    WORLD,
    Closure,
    Mechanism,
    NodePose,
    StateVariableSpec,
)

if TYPE_CHECKING:
    import casadi


# --- misaligned axes -----------------------------------------------------------------------


NEARLY = 0.2  # rad: axes within this were probably meant to be parallel


def axes_of(
    kind: type[RevolutePair] | type[PrismaticPair],
    mechanism: Mechanism,
    links: Sequence[int],
    closures: Sequence[Closure],
    q: np.ndarray,
    symbols: casadi.SX,
    p: np.ndarray,
) -> dict[str, np.ndarray]:
    """Return the unit axes in the world of the revolute or prismatic joints, by part."""
    import casadi

    found: dict[str, casadi.SX] = {}
    values = [float(value) for value in q]

    def note(part: str, place: NodePose, joint: RevolutePair | PrismaticPair) -> None:
        axis = mechanism.pose_from(WORLD, place, values).R @ joint.axis
        found[part] = casadi.vertcat(*axis.xyz)

    for k in links:
        link = mechanism.links[k]
        if isinstance(link.joint, kind) and link.edge is not None:
            note(link.part, NodePose(link.parent, link.X_pj), link.joint)
    for closure in closures:
        if closure.edge is not None and isinstance(closure.edge.joint, kind):
            note(closure.part, closure.ends[0], closure.edge.joint)
    if not found:
        return {}
    function = casadi.Function(
        "axes", [symbols], [casadi.SX(casadi.horzcat(*found.values()))]
    )
    columns = np.asarray(function(p), dtype=float)
    return {part: columns[:, k] for k, part in enumerate(found)}


def misaligned(
    axes: Mapping[str, np.ndarray], rails: Mapping[str, np.ndarray] | None = None
) -> str:
    """Return a message about axes almost parallel to the others of a loop, "" if there are none.

    The direction shared by most axes is taken as the intended one; `rails` are the directions of
    prismatic joints, intended to be perpendicular to it if they almost are.
    """
    names = list(axes)
    if len(names) < 2:
        return ""
    angles = np.array([[_between(axes[a], axes[b]) for b in names] for a in names])
    partners = (angles < PARALLEL).sum(axis=1)
    meant = int(np.argmax(partners))
    off = [k for k in range(len(names)) if PARALLEL <= angles[meant, k] <= NEARLY]
    tilts = {
        name: abs(np.pi / 2 - _between(rail, axes[names[meant]]))
        for name, rail in (rails or {}).items()
    }
    leaning = {name: tilt for name, tilt in tilts.items() if PARALLEL <= tilt <= NEARLY}
    if partners[meant] < 2 or not (off or leaning):
        return ""
    shared = [names[k] for k in range(len(names)) if angles[meant, k] < PARALLEL]
    parts = [f"that of {names[k]} is {np.degrees(angles[meant, k]):.3g}° off" for k in off]
    parts += [
        f"the rail of {name} is inclined by {np.degrees(tilt):.3g}° out of their plane"
        for name, tilt in leaning.items()
    ]
    return f"the axes of {', '.join(shared)} are parallel, {', '.join(parts)}"


def _between(a: np.ndarray, b: np.ndarray) -> float:
    """Return the angle between two lines."""
    return float(np.arctan2(np.linalg.norm(np.cross(a, b)), abs(a @ b)))


def why_locked(
    mechanism: Mechanism,
    links: Sequence[int],
    closures: Sequence[Closure],
    q: np.ndarray,
    symbols: casadi.SX,
    p: np.ndarray,
) -> str:
    """Return a message about slightly misaligned axes and rails, "" if there are none."""
    given = (mechanism, links, closures, q, symbols, p)
    return misaligned(axes_of(RevolutePair, *given), axes_of(PrismaticPair, *given))


FLAT = 1e-3  # gradient of a constraint, without units, that may vanish
AWAY = (
    0.1  # displacement from a closed pose at which such a constraint is checked, in scales
)
APART = 1e-2  # least distance of closed poses that are different, in scales


def refuse_vanishing_gradients(
    problem: PositionProblem,
    samples: Sequence[np.ndarray],
    matrices: Sequence[SparseMatrix],
    instant: Instant,
) -> None:
    """Raise `LoopError` for a constraint whose gradient vanishes at all closed poses.

    Such a constraint, for example a squared distance equal to zero, transmits no force.
    Constraints implied by others are accepted, and those of loops with a single closed pose,
    where a gradient may vanish by chance.
    """
    constraints, scales = problem.constraints, problem.scales
    if isinstance(constraints, NoConstraints) or len(samples) < 2:
        return
    steep = np.max([steepest(G) for G in matrices], axis=0)
    moved = np.ptp(samples, axis=0) / scales.coordinates > APART
    link_of = constraints.mechanism.link_of_speed
    seen = {i for i, j in constraints.pattern if moved[list(link_of(j).q)].any()}
    flat = [k for k in sorted(seen) if k < constraints.n_holonomic and steep[k] < FLAT]
    flat = [k for k in flat if constraints.equations[k].closure is not None]
    if not flat:
        return
    q = _closed_without(problem, samples[0], instant, flat)
    violation = (
        np.abs(constraints.violation(q, instant.p, instant.t, instant.z))
        / scales.constraints[: constraints.n_holonomic]
    )
    for k in flat:
        if violation[k] > FLAT_VIOLATION:
            equation = constraints.equations[k]
            raise LoopError(
                equation.part,
                f"its constraint number {equation.number + 1} has no effect: its gradient vanishes "
                "wherever it is met, as that of a square does.",
                "State it by a quantity that changes its sign there, a length or an angle "
                "instead of their square.",
            )


def _closed_without(
    problem: PositionProblem, q: np.ndarray, instant: Instant, without: Sequence[int]
) -> np.ndarray:
    """Return a pose near q that meets all constraints except some; q if none is found."""
    whole = problem.residual(instant, q)
    left = [problem.n_conditions + i for i, k in enumerate(problem.kept) if k in without]

    def residual(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        r, J = whole(x)
        assert isinstance(J, np.ndarray)
        return np.delete(r, left), np.delete(J, left, axis=0)

    scale = problem.scales.coordinates
    begin = q + np.random.default_rng(1).choice([-AWAY, AWAY], q.size) * scale
    found, violation = damped_newton(residual, begin, np.ones(q.size, dtype=bool), scale)
    return found if violation < problem.tolerance(found) else q


def refuse_open_loop(problem: PositionProblem, q: np.ndarray, instant: Instant) -> NoReturn:
    """Raise `LoopError` for the loop with the largest violation at the best pose q."""
    number, loop, violation = worst_loop(problem, q, instant)
    why = ""
    if number is not None:
        closure = problem.mechanism.closures[number]
        links = loop_links(problem.mechanism, closure)
        why = why_locked(problem.mechanism, links, [closure], q, problem.symbols, instant.p)
    raise LoopError(
        loop[-1],
        f"the loop of {', '.join(loop)} cannot be closed: at best a gap of {violation} remains"
        f"{f'; {why}' if why else ''}.",
        "Check lengths, axes and positions of these parts. Nearest found: "
        f"{listed(problem.mechanism.coordinates, q)}.",
        value=violation,
    )


def worst_loop(
    problem: PositionProblem, q: np.ndarray, instant: Instant
) -> tuple[int | None, list[str], str]:
    """Return the closure with the largest violation, the parts of its loop, and a message."""
    assert not isinstance(problem.constraints, NoConstraints)
    r = problem.residuals(instant, q, q)
    first = problem.n_conditions
    sizes = np.abs(np.nan_to_num(r[first : first + len(problem.kept)], nan=np.inf))
    worst = problem.constraints.equations[problem.kept[int(np.argmax(sizes))]]
    same = [
        k
        for k, number in enumerate(problem.kept)
        if problem.constraints.equations[number].closure == worst.closure
    ]
    units = [problem.constraints.equations[problem.kept[k]].unit for k in same]
    scale = problem.scales.constraints[[problem.kept[k] for k in same]]
    violation = violation_message(units, sizes[same], scale)
    if worst.closure is not None:  # measured in the world, independently of the equations
        metres, radians = problem.constraints.closure_violation(
            q, instant.p, instant.t, instant.z
        )[worst.closure]
        length = float(scale.max(initial=0.0))
        seen = np.array([metres / length, radians])
        violation = violation_message(["m", "rad"], seen, np.array([length, 1.0]))
    names = [worst.part]
    if worst.closure is not None:
        names = [*loop_names(problem.mechanism, worst.closure), worst.part]
    return worst.closure, list(dict.fromkeys(names)), violation


def loop_names(mechanism: Mechanism, closure: int) -> list[str]:
    """Return the parts whose joints are in a loop, without the cut joint."""
    links = loop_links(mechanism, mechanism.closures[closure])
    return [mechanism.links[k].part for k in sorted(links)]


def violation_message(
    units: Sequence[str], sizes: np.ndarray, scale: np.ndarray, per_second: bool = False
) -> str:
    """Return the largest violation in metres and in radians; sizes are in scales."""
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
