"""Inverse kinematics: coordinates at which variables have given values and loops close."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from motorik.algebra.scalar import Scalar
from motorik.analysis.pose_equations import PoseEquations
from motorik.components.base.contributions import InitialCondition
from motorik.errors import (
    AssemblyError,
    InitialValueError,
    ParameterError,
    UnknownNameError,
    suggest,
)
from motorik.immutable import immutable
from motorik.initialisation.consistency import ConsistencyProblem
from motorik.initialisation.given import finite_numbers, is_number, named_values
from motorik.initialisation.initialise import initialise
from motorik.loops.diagnosis import listed
from motorik.loops.position_problem import Instant, PositionProblem
from motorik.motion.catalogue import position_of, ravel
from motorik.motion.view import MotionView
from motorik.numerics.newton import nearest
from motorik.numerics.tolerances import PENETRATION, ROUNDED_TURN

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel

# --- targets out of reach -----------------------------------------------------------------


HOLD = 1e3  # weight of closed loops against targets
ROUNDS = 3  # alternations of approaching the targets and closing the loops
DEPENDENT = 1e-4  # singular values below this part of the largest are zero at a dead centre
TAKES_PART = 0.1  # part of the largest motion from which on a joint is named
TURN = 9  # numbers of an orientation
SEEDS = 24  # starts of a search, besides the pose before


@immutable
class Target:
    """A variable and its target values."""

    name: str
    part: str
    wanted: np.ndarray
    unit: str
    demand: InitialCondition

    def distance(self, reached: np.ndarray) -> float:
        """Return the distance from the target; for orientations the angle [rad]."""
        if self.wanted.size != TURN:
            return float(np.linalg.norm(reached - self.wanted))
        a, b = reached.reshape(3, 3), self.wanted.reshape(3, 3)
        return float(2.0 * np.arcsin(min(1.0, np.linalg.norm(a - b) / np.sqrt(8.0))))

    @property
    def unit_of_distance(self) -> str:
        """The unit of the distance."""
        return "rad" if self.wanted.size == TURN else self.unit


def refuse_targets(
    start: ConsistencyProblem, q: np.ndarray, free: np.ndarray, targets: Sequence[Target]
) -> NoReturn:
    """Raise `InitialValueError` for targets that no pose near q meets."""
    pose = start.pose.with_conditions([target.demand for target in targets])
    found = _nearest_closed(start, pose, q, free)
    reached = _reached(start, pose, found, targets)
    misses = [target.distance(x) for target, x in zip(targets, reached, strict=True)]
    said = [
        f"{target.name} gets to {_shown(x)}{_unit(target.unit)}, and {miss:.4g}"
        f"{_unit(target.unit_of_distance)} remains"
        for target, x, miss in zip(targets, reached, misses, strict=True)
    ]
    worst = targets[int(np.argmax(misses))]
    obstacle = _obstacle(start, pose, q, found, free)
    raise InitialValueError(
        worst.part,
        f"{worst.name} = {_shown(worst.wanted)}{_unit(worst.unit)} cannot be reached: "
        f"{'; '.join(said)}. {obstacle}",
        "Give a target within reach, or another start. Nearest pose: "
        f"{listed(start.mechanism.coordinates, found)}.",
        parameter=worst.name.removeprefix(f"{worst.part}."),
        value=tuple(worst.wanted.tolist()),
    )


def _nearest_closed(
    start: ConsistencyProblem, pose: PositionProblem, q: np.ndarray, free: np.ndarray
) -> np.ndarray:
    """Return the pose with closed loops that misses the targets least."""
    loops = start.pose.with_conditions(())
    weight = np.full(pose.size, HOLD)
    weight[: pose.n_conditions] = 1.0
    begins = [q, pose.solve(q, free, start.moment)[0]]
    best, least = q, np.inf
    for begin in begins:
        plain = pose.residual(start.moment, q)

        def residual(x: np.ndarray, plain=plain) -> tuple[np.ndarray, np.ndarray]:
            r, J = plain(x)
            return weight * r, weight[:, None] * J  # type: ignore[operator]

        x = begin
        for _ in range(ROUNDS):
            x = nearest(residual, x, free, start.scales.coordinates)
            x, _ = loops.solve(x, free, start.moment)
        missed = float(
            np.linalg.norm(pose.residuals(start.moment, x, q)[: pose.n_conditions])
        )
        if missed < least:
            best, least = x, missed
    return best


def _reached(
    start: ConsistencyProblem,
    pose: PositionProblem,
    q: np.ndarray,
    targets: Sequence[Target],
) -> list[np.ndarray]:
    off = pose.residuals(start.moment, q, q) * pose.residual_scales(start.moment, q)
    sizes = np.cumsum([target.wanted.size for target in targets])
    parts = np.split(off[: pose.n_conditions], sizes[:-1])
    return [target.wanted + part for target, part in zip(targets, parts, strict=True)]


def _obstacle(
    start: ConsistencyProblem,
    pose: PositionProblem,
    q: np.ndarray,
    found: np.ndarray,
    free: np.ndarray,
) -> str:
    names = [state.name for state in start.mechanism.coordinates]
    kept = [f"{n} = {x:.6g}" for n, x, f in zip(names, found, free, strict=True) if not f]
    if kept:
        everything = np.ones(free.size, dtype=bool)
        other, gap = pose.solve(q, everything, start.moment)
        if gap < pose.tolerance(other):
            return f"Values that are kept prevent it: {', '.join(kept)}."
    motions, moved = _moved(start, pose, found, free)
    freedom = motions.shape[1]
    if not freedom:
        return "No joint is free to move."
    now = _rank(moved)
    usual = max(
        _rank(_moved(start, pose, x, free)[1]) for x in _nearby_poses(start, q, free)
    )
    if now < usual:
        motion = motions @ np.linalg.svd(moved)[2][now:].T
        size = np.abs(motion).max(axis=1)
        moving = [
            n for n, s in zip(names, size, strict=True) if s > TAKES_PART * size.max()
        ]
        at = [f"{n} = {found[names.index(n)]:.4g}" for n in moving]
        return f"A dead centre prevents it, where these have no effect: {', '.join(at)}."
    return (
        f"The mechanism has {freedom} freedom(s), which change {usual} of the "
        f"{pose.n_conditions} numbers independently."
    )


def _nearby_poses(
    start: ConsistencyProblem, q: np.ndarray, free: np.ndarray
) -> list[np.ndarray]:
    """Return a pose and some poses near it, at which the loops are closed."""
    rng, loops = np.random.default_rng(7), start.pose.with_conditions(())
    around = [q + 0.3 * rng.normal(size=q.size) * start.scales.coordinates for _ in "123"]
    around = [np.where(free, x, q) for x in around]
    return [q, *(loops.solve(x, free, start.moment)[0] for x in around)]


def _moved(
    start: ConsistencyProblem, pose: PositionProblem, q: np.ndarray, free: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return a basis of the motions that the loops allow, and the resulting target velocities."""
    _, J = pose.residual(start.moment, q)(q)
    J = np.asarray(J)
    held = J[pose.n_conditions :, free]
    allowed = np.eye(held.shape[1])
    if held.size:
        _, sizes, right = np.linalg.svd(held)
        allowed = right[np.sum(sizes > DEPENDENT * sizes[0]) :].T
    whole = np.zeros((q.size, allowed.shape[1]))
    whole[free] = allowed
    return whole, J[: pose.n_conditions] @ whole


def _rank(J: np.ndarray) -> int:
    sizes = np.linalg.svd(J, compute_uv=False) if J.size else np.zeros(0)
    return int(np.sum(sizes > DEPENDENT))  # rows and columns are in scales


def _shown(numbers: np.ndarray) -> str:
    words = [f"{x:.4g}" for x in np.atleast_1d(numbers)]
    return words[0] if len(words) == 1 else f"({', '.join(words)})"


def _unit(unit: str) -> str:
    return f" {unit}" if unit not in ("", "1") else ""


Numbers = float | Sequence[float] | np.ndarray


def inverse_kinematics(
    system: CompiledModel,
    targets: Mapping[str, Numbers],
    initial: Mapping[str, float],
    near: Mapping[str, float] | None = None,
    limits: Mapping[str, Sequence[float]] | None = None,
) -> dict[str, float] | dict[str, np.ndarray]:
    """Return the coordinates at which variables have given values and all loops close.

    Targets of several rows give rows of coordinates. The search begins at the start pose of the
    model, or at the state `near`, and stays near it where the targets leave a choice. Start values
    fixed there are free here, those in `initial` are kept. Stops of joints and `limits`
    (lowest and highest value) hold.
    """
    named_values("targets", targets, '{"tool.frame_b.r_0": (0.4, 0.2, 0)}')
    named_values("initial", initial, '{"hinge.phi": 0.5}')
    begin = initialise(system, near or {}, system.parameter_values())
    system, layout = begin.system, begin.system.layout
    q, _, z = (values.copy() for values in layout.split(begin.X))
    names = [state.name for state in layout.coordinates]
    kept = {name: _number(name, value) for name, value in initial.items()}
    for name, value in kept.items():
        q[_coordinate(system, "initial", name)] = value
    kept = {name: value for name, value in kept.items() if name not in targets}
    rows, count = _rows(system, targets)
    equations = PoseEquations.of(system, [*kept, *targets])
    values = [np.full((max(count, 1), 1), value) for value in kept.values()]
    live = layout.live_of(begin.p)
    given = equations.given_rows(
        np.zeros(1), z, live, np.hstack([np.zeros((max(count, 1), 0)), *values, *rows])
    )
    bounds = _limits(system, equations, live, limits or {})
    seeds = _seeds(system, q, bounds)
    found = equations.solve(q, given, bounds, seeds)
    off = _beyond(found.q, bounds, system.scales.coordinates)
    solved, poses = found.reached & ~off.any(axis=1), found.q
    for row in np.flatnonzero(~solved).tolist():
        free = np.array([name not in kept for name in names])
        own = [part[row] for part in rows]
        wanted = [_target(system, n, v) for n, v in zip(targets, own, strict=True)]
        instant = Instant(live, 0.0, tuple(z.tolist()))
        poses[row] = _searched(system, instant, poses[row], q, free, wanted)
        _refuse_limits(system, poses[row], bounds, row if count else None)
    if count:
        return {name: poses[:, k].copy() for k, name in enumerate(names)}
    return dict(zip(names, poses[0].tolist(), strict=True))


def _searched(
    system: CompiledModel,
    instant: Instant,
    reached: np.ndarray,
    q: np.ndarray,
    free: np.ndarray,
    wanted: Sequence[Target],
) -> np.ndarray:
    """Return a pose that native code has not found, or refuse targets out of reach."""
    problem = ConsistencyProblem(system, instant)
    demands = [target.demand for target in wanted]
    try:
        return problem.positions(np.where(free, reached, q), free, demands)
    except AssemblyError:
        if not problem.is_closed_near(q, free):
            raise
    try:
        return problem.positions(q, free, demands)
    except AssemblyError:
        refuse_targets(problem, q, free, wanted)


def _rows(
    system: CompiledModel, targets: Mapping[str, Numbers]
) -> tuple[list[np.ndarray], int]:
    """Return the targets as rows, and how many rows were given: 0 for a single pose."""
    found, counts = [], {}
    for name, value in targets.items():
        system.equations.catalogue.find(name)
        size = int(np.prod(system.shape_of(name), dtype=int))
        remedy = f"Give {size} finite number(s) in SI units, or rows of them."
        numbers = finite_numbers(name, value, remedy)
        is_row = numbers.size == size and numbers.ndim <= max(len(system.shape_of(name)), 1)
        if not is_row and (not numbers.ndim or numbers.size != len(numbers) * size):
            raise ParameterError(
                name, f"cannot become {value!r}.", remedy, parameter=name, value=value
            )
        if not is_row:
            counts[name] = len(numbers)
        rows = numbers.reshape(1 if is_row else -1, size)
        found.append(_rotations(name, rows) if name.endswith(".R.T") else rows)
    if len(set(counts.values())) > 1:
        first, *_ = counts
        name = next(n for n, count in counts.items() if count != counts[first])
        raise ParameterError(
            name,
            f"has {counts[name]} rows where {first} has {counts[first]}.",
            "Give as many rows, or one for all.",
            parameter="targets",
            value=counts[name],
        )
    count = next(iter(counts.values()), 0)
    if counts and not count:
        raise ParameterError(
            next(iter(counts)),
            "has no rows.",
            "Give at least one.",
            parameter="targets",
            value=0,
        )
    return [np.broadcast_to(own, (max(count, 1), own.shape[1])) for own in found], count


def _coordinate(system: CompiledModel, argument: str, name: object) -> int:
    names = [state.name for state in system.layout.coordinates]
    if name not in names:
        raise UnknownNameError(
            argument,
            f"no coordinate {name!r}.",
            suggest(str(name), names),
            parameter=str(name),
            value=name,
        )
    return system.layout.index[str(name)]


# --- limits ---------------------------------------------------------------------------------


def _limits(
    system: CompiledModel,
    equations: PoseEquations,
    live: np.ndarray,
    limits: Mapping[str, Sequence[float]],
) -> tuple[np.ndarray, np.ndarray]:
    """Return the lowest and highest values of all coordinates: stops of joints, given limits."""
    lower, upper = equations.stops(live)
    for name, own in named_values("limits", limits, '{"elbow.phi": (0.0, 2.5)}').items():
        k = _coordinate(system, "limits", name)
        pair = np.asarray(own, dtype=float) if np.shape(own) == (2,) else np.full(2, np.nan)
        if not pair[0] <= pair[1]:
            raise ParameterError(
                name,
                f"{own!r} are no limits.",
                "Give the lowest and the highest value, e.g. (-1.5, 1.5).",
                parameter="limits",
                value=own,
            )
        lower[k], upper[k] = max(lower[k], pair[0]), min(upper[k], pair[1])
    return lower, upper


def _beyond(
    q: np.ndarray, bounds: tuple[np.ndarray, np.ndarray], unit: np.ndarray
) -> np.ndarray:
    """Return which coordinates are beyond their limits by more than rounding."""
    far = np.maximum(bounds[0] - q, q - bounds[1])
    return far > 2.0 * PENETRATION * np.maximum(unit, np.abs(q))


def _refuse_limits(
    system: CompiledModel,
    q: np.ndarray,
    bounds: tuple[np.ndarray, np.ndarray],
    row: int | None,
) -> None:
    """Refuse a pose beyond limits: none within was found."""
    off = np.flatnonzero(_beyond(q, bounds, system.scales.coordinates))
    if not off.size:
        return
    names = [state.name for state in system.layout.coordinates]
    own = [
        f"{names[k]} = {q[k]:.6g}, beyond {bounds[0][k] if q[k] < bounds[0][k] else bounds[1][k]:g}"
        for k in off.tolist()
    ]
    where = "" if row is None else f"in row {row} "
    raise InitialValueError(
        names[int(off[0])],
        f"{where}limits prevent it: the targets are met only with {'; '.join(own)}.",
        "Give wider limits, another target, or a start nearer to the pose: near={…}.",
        parameter="limits",
        value=float(q[off[0]]),
    )


def _seeds(
    system: CompiledModel, q: np.ndarray, bounds: tuple[np.ndarray, np.ndarray]
) -> np.ndarray:
    """Return poses at which searches begin again: ever farther around q, within the limits."""
    rng = np.random.default_rng(1)
    far = 0.3 * np.sqrt(np.arange(1, SEEDS + 1))[:, None] * system.scales.coordinates
    lower, upper = bounds
    q = np.clip(q, lower, upper)
    around = q + far * rng.normal(size=(SEEDS, q.size))
    inside = rng.uniform(np.maximum(lower, q - far), np.minimum(upper, q + far))
    return np.where((around < lower) | (around > upper), inside, around)


def _number(name: str, value: object) -> float:
    """Return a start value that is one finite number, or refuse it."""
    if not is_number(value):
        raise ParameterError(
            name,
            f"{value!r} is not a start value.",
            "Give a finite number.",
            parameter=name,
            value=value,
        )
    return float(value)  # type: ignore[arg-type]


def _rotations(name: str, rows: np.ndarray) -> np.ndarray:
    """Return the rotation matrices next to those given with rounding, or refuse them."""
    given = rows.reshape(-1, 3, 3)
    U, _, V = np.linalg.svd(given)
    turned = U @ V
    off = np.abs(turned - given).max(axis=(1, 2), initial=0.0)
    off[np.linalg.det(turned) < 0.0] = np.inf
    if off.max(initial=0.0) > ROUNDED_TURN:
        row = int(np.argmax(off))
        raise ParameterError(
            name,
            f"is given no rotation matrix in row {row}: its rows are not of length one, at right "
            "angles and right-handed.",
            "Give the axes of the frame in the world as rows.",
            parameter="targets",
            value=given[row],
        )
    return turned.reshape(rows.shape)


def _target(system: CompiledModel, name: str, value: Numbers) -> Target:
    entry, index = system.equations.catalogue.find(name)
    size = int(np.prod(system.shape_of(name), dtype=int))
    remedy = f"Give {size} finite number(s) in SI units."
    wanted = finite_numbers(name, value, remedy).ravel()
    if wanted.size != size:
        raise ParameterError(
            name, f"cannot become {value!r}.", remedy, parameter=name, value=value
        )

    def residual(motion: MotionView) -> tuple[Scalar, ...]:
        flat, whole = ravel(entry.value(motion))
        if index is not None:
            flat = [flat[position_of(name, index, whole)]]
        return tuple(a - float(b) for a, b in zip(flat, wanted, strict=True))

    part, _, rest = name.rpartition(".")
    demand = InitialCondition(part, rest, 0, residual)  # type: ignore[arg-type]
    owner, _ = system.equations.catalogue.find_part(name)
    return Target(name, owner.path or owner.label, wanted, entry.unit, demand)
