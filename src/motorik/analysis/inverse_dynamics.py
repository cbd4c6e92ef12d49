"""Inverse dynamics: the forces at joints that cause a given motion, with loops."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeGuard

import numpy as np
from numpy.typing import ArrayLike

from motorik.analysis.configurations import Configurations, said
from motorik.analysis.directional import DirectionalCode, DriveSpeed, driven_places
from motorik.analysis.friction import GivenFriction, least_drives
from motorik.analysis.pose_equations import PoseEquations
from motorik.errors import (
    AssemblyError,
    InitialValueError,
    MotionWarning,
    ParameterError,
    UnknownNameError,
    calls_within_motorik,
)
from motorik.immutable import immutable
from motorik.initialisation.given import finite_numbers, named_values
from motorik.initialisation.initialise import InitialState, initialise
from motorik.loops.formulation import Formulation
from motorik.numerics.tolerances import FRICTION_RANK, RANK, UNDONE_FORCE

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel

FEWEST = 4  # least number of intervals for comparing rates with differences
APART = 0.05  # admissible relative difference besides the truncation error


@immutable
class _Given:
    """A given coordinate: its number, that of its speed, values, first and second derivatives."""

    coordinate: int
    speed: int
    series: tuple[np.ndarray, np.ndarray, np.ndarray]


def inverse_dynamics(
    system: CompiledModel,
    time: np.ndarray,
    motion: Mapping[str, Sequence[ArrayLike]],
    drives: Sequence[str] | None = None,
    initial: Mapping[str, float] | None = None,
    branch: Mapping[str, str] | None = None,
    parameters: np.ndarray | None = None,
) -> dict[str, np.ndarray]:
    """Return the forces [N] and torques [N·m] at joints that cause a given motion.

    `motion` gives for coordinates by name their values, rates and second rates over `time`;
    the others follow from the loops, continuously from the start of the model (`initial`,
    `branch`), so that the result at one time does not depend on the other times. `drives`
    are the coordinates with an actuator, by default those in `motion`; where there are more
    than needed, the smallest forces are given. They act in addition to the model's own
    forces, friction and closed stops among them, see `GivenFriction`.
    """
    named_values("motion", motion, '{"hinge.phi": (values, rates, second rates)}')
    live = system.parameter_values() if parameters is None else parameters
    if not motion:
        raise ParameterError(
            "motion",
            "gives no coordinate.",
            'Give as many as there are free motions: {"hinge.phi": (q, v, a)}.',
            parameter="motion",
            value=motion,
        )
    begin = initialise(system, initial or {}, live, 0.0, branch)
    system = begin.system
    given = [_given(system, name, series, time.size) for name, series in motion.items()]
    series = (
        np.array([own.series for own in given]).reshape(-1, 3, time.size).swapaxes(0, 1)
    )
    if not math.isfinite(float(series.sum())):
        for name, own in motion.items():
            for values in own:
                finite_numbers(name, values)
    _warn_of_rates(list(motion), time, series)
    names = list(motion if drives is None else drives)
    rows, ud = _given_motion(begin, time, given, list(motion))
    unit = system.scales.speeds
    needed = system.natives.for_samples("imbalance", time.size).map(
        time.reshape(-1, 1), rows.X, ud, rows.p
    )
    works = [_work(system, name) for name in names]
    q, live = rows.X[:, : system.n_q], system.layout.live_of(begin.p)
    if (
        all(work.is_constant for work in works)
        and system.nonsmooth is None
        and not (rows.constraint_rows.shape[1])
    ):
        B = np.array([work.rows(q, live) * unit for work in works]).reshape(-1, unit.size).T
        if np.array_equal(B, np.diag(unit)):
            forces, left = needed, np.zeros(time.size)
        else:
            needed = needed * unit
            forces = needed @ np.linalg.pinv(B, rcond=FRICTION_RANK).T
            left = _part_left(forces @ B.T - needed, needed)
    else:
        needed = needed * unit
        B = np.zeros((time.size, system.n_u, len(names)))
        for k, work in enumerate(works):
            B[:, :, k] = work.rows(q, live) * unit
        low = high = np.zeros((time.size, 0))
        C = np.zeros((time.size, system.n_u, 0))
        if system.nonsmooth is not None:
            low, high, C = GivenFriction.of(system).rows(time, rows.X, ud, rows.p)
            C = C * unit[:, None]
        forces, missed = _least_forces(rows.constraint_rows, B, C, needed, low, high)
        left = _part_left(missed[:, None], needed)
    if left.size and left.max() > UNDONE_FORCE:
        i = int(np.argmax(left))
        size = left[i] * np.abs(needed[i]).max()
        raise ParameterError(
            "drives",
            f"{', '.join(names)} cannot cause the motion at t = {time[i]:g} s: "
            f"{size:.3g} N.m remains.",
            "Drive as many independent joints as there are degrees of freedom.",
            parameter="drives",
            value=tuple(names),
        )
    return {name: forces[:, k].copy() for k, name in enumerate(names)}


def _given_motion(
    begin: InitialState, time: np.ndarray, given: Sequence[_Given], names: Sequence[str]
) -> tuple[Configurations, np.ndarray]:
    """Return the motion at all times, with loops closed, and the rates of its speeds."""
    system, layout = begin.system, begin.system.layout
    q, _, z = layout.split(begin.X)
    u_at = layout.n_q
    X, ud = np.zeros((time.size, begin.X.size)), np.zeros((time.size, system.n_u))
    X[:, :u_at], X[:, u_at + system.n_u :] = q, z
    for g in given:
        X[:, g.coordinate], X[:, u_at + g.speed], ud[:, g.speed] = g.series
    rows = Configurations(system, time, X, begin.p)
    fixed = [g.speed for g in given]
    if system.formulation.is_empty:
        own = [g.coordinate for g in given]
        names_of = system.mechanism.coordinates
        missing = [s.name for k, s in enumerate(names_of) if k not in own]
        if missing:
            raise ParameterError(
                "motion",
                f"does not give {', '.join(missing)}.",
                "Give all coordinates.",
                parameter="motion",
                value=tuple(missing),
            )
        return rows, ud
    _refuse_damped(system.formulation)
    equations, live = PoseEquations.of(system, names), layout.live_of(begin.p)
    now = np.array([[q[g.coordinate] for g in given]])
    values = np.column_stack([X[:, g.coordinate] for g in given])
    at_start = equations.given_rows(np.array([begin.t]), z, live, now)[0]
    found = equations.follow(q, at_start, equations.given_rows(time, z, live, values))
    if not found.reached.all():
        i = int(np.argmin(found.reached))
        end = said(system, names, found.stopped[i][-len(names) :])
        raise InitialValueError(
            system.mechanism.name,
            f"the loops cannot be followed to the motion at t = {time[i]:g} s: {end} is as "
            "far as they go on this branch; beyond they would open.",
            "Give a motion that the mechanism can follow, or coordinates that do not turn back "
            "here, or begin elsewhere by initial=… or loops=LoopOptions(branch=…)",
        )
    X[:, :u_at] = found.q
    X[:, u_at : u_at + system.n_u] = rows.with_speeds(
        X[:, u_at : u_at + system.n_u].copy(), fixed
    )
    G = rows.constraint_rows
    if G.shape[1]:
        bias = rows.map("constraint_bias") / system.scales.constraints
        missed = bias + (G @ (ud / system.scales.speeds)[:, :, None])[:, :, 0]
        ud += rows.completed(missed, fixed)
    return rows, ud


def _least_forces(
    G: np.ndarray,
    B: np.ndarray,
    C: np.ndarray,
    needed: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the least drives of all rows, and how much they leave of the needed forces.

    They act along B, forces of friction and contact, between `low` and `high`, along C; along
    the constraints G anything is carried.
    """
    count, n_u, n = B.shape
    forces, left = np.zeros((count, n)), np.zeros(count)
    is_free = np.any(low < high, axis=1)
    for own, allowed in _motions_by_rank(G, count, n_u):
        A = allowed @ B[own]
        right = _product(allowed, needed[own])
        held = allowed @ C[own]
        known = np.where(low[own] < high[own], 0.0, low[own])
        right_known = right - _product(held, known)
        if len(A) > 1 and np.all(A == A[0]):
            forces[own] = right_known @ np.linalg.pinv(A[0], rcond=FRICTION_RANK).T
        else:
            forces[own] = _product(np.linalg.pinv(A, rcond=FRICTION_RANK), right_known)
        missed = _product(A, forces[own]) - right_known
        rests = is_free[own]
        if rests.any():  # at rest, friction shares the load
            at = own[rests]
            given = A[rests], held[rests], right[rests], low[at], high[at]
            forces[at], shared = least_drives(*given)
            missed[rests] = _product(A[rests], forces[at]) - right[rests]
            missed[rests] += _product(held[rests], shared)
        left[own] = np.abs(missed).max(axis=1, initial=0.0)
    return forces, left


def _product(matrices: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Return matrix times vector, row by row."""
    return (matrices @ vectors[:, :, None])[:, :, 0]


def _part_left(missed: np.ndarray, needed: np.ndarray) -> np.ndarray:
    """Return the largest force that is missed in each row, of the largest that is needed."""
    if not missed.any():
        return np.zeros(len(needed))
    size = np.abs(needed).max(axis=1, initial=0.0)
    return np.abs(missed).max(axis=1, initial=0.0) / np.maximum(size, 1e-300)


def _motions_by_rank(
    G: np.ndarray, count: int, n_u: int
) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield the rows with as many free motions, and these: an orthonormal basis, a row each."""
    if not G.shape[1]:
        yield np.arange(count), np.eye(n_u)
        return
    _, sizes, V = np.linalg.svd(G)
    ranks = (sizes > RANK * np.maximum(sizes[:, :1], 1e-300)).sum(axis=1)
    for rank in np.unique(ranks):
        own = np.flatnonzero(ranks == rank)
        yield own, V[own][:, rank:]


def _refuse_damped(formulation: Formulation) -> None:
    """Refuse points without mass with dampers: a given motion does not determine them."""
    balance = formulation.equilibrium
    if balance is None:
        return
    damped = [*balance.damped, *(row for own in balance.partly for row in own.rows)]
    if damped:
        raise AssemblyError(
            balance.parts[damped[0]],
            "has no mass and is a state of its own, by a damper: a given motion does not "
            "determine it.",
            "Remove the damper, or simulate with the motion prescribed.",
        )


def _warn_of_rates(names: Sequence[str], time: np.ndarray, series: np.ndarray) -> None:
    """Warn of derivatives that disagree with differences of the values over time.

    `series` are values, rates and second rates, a row for each name. Derivatives of zero
    throughout stand for rest at each pose. Differences have a truncation error, estimated by the
    next derivative; where times are too far apart for that, some intervals may differ, but
    not most of them.
    """
    h = np.diff(time)
    rises = h > 0.0
    if rises.sum() < FEWEST or not names:
        return
    if not rises.all():
        keep = np.append(rises, True)  # of equal times the last
        time, series, h = time[keep], series[:, :, keep], h[rises]
    x, v, a = series
    pairs = (x, v, "rates", "values"), (v, a, "second rates", "rates")
    for lower, upper, rates, values in pairs:
        change = lower[:, 1:] - lower[:, :-1]
        mean = upper[:, :-1] + upper[:, 1:]
        mean *= 0.5 * h
        apart, error = np.abs(change - mean), np.abs(mean)
        error *= APART
        if not np.count_nonzero(apart > error) > 0.5 * h.size:
            continue  # whatever the truncation errors are
        error += _truncation_error(a, h) if upper is v else np.abs(np.diff(a)) * h
        if not np.count_nonzero(apart > error) > 0.5 * h.size:
            continue
        moves = (v.any(axis=1) | a.any(axis=1))[:, None]
        span = lower.max(axis=1) - lower.min(axis=1)
        wrong = (apart > error + 1e-9 * span[:, None]) & moves
        for i in np.flatnonzero(wrong.sum(axis=1) > 0.5 * h.size).tolist():
            k = int(np.argmax(apart[i]))
            warnings.warn(
                f"{names[i]}: the {rates} given are not the derivatives of the {values}: near "
                f"t = {time[k]:g} s the {values} change by "
                f"{change[i, k] / h[k]:.4g} per second, the {rates} are "
                f"{mean[i, k] / h[k]:.4g}. The forces are those of no motion.",
                MotionWarning,
                stacklevel=calls_within_motorik(),
            )


def _truncation_error(a: np.ndarray, h: np.ndarray) -> np.ndarray:
    """Return the error of the trapezoidal rule for rates whose own rates are `a`."""
    sizes = np.abs(a)
    return (sizes[:, :-1] + sizes[:, 1:]) * (h * h)


def _work(system: CompiledModel, name: str) -> DriveSpeed:
    """Return the work of a drive, or refuse a name of none."""
    try:
        return DirectionalCode.of(system).work(name)
    except UnknownNameError as error:
        assert error.remedy is not None
        raise UnknownNameError(
            "drives",
            f"no coordinate {name!r}.",
            error.remedy,
            parameter="drives",
            value=name,
        ) from None


def _given(
    system: CompiledModel, name: str, series: Sequence[ArrayLike], count: int
) -> _Given:
    if not isinstance(series, (Sequence, np.ndarray)) or len(series) != 3:
        raise ParameterError(
            name,
            f"{series!r} is not three series.",
            "Give values, rates and second rates over the times: (q, v, a).",
            parameter=name,
            value=series,
        )
    found = [own if _is_plain(own) else finite_numbers(name, own) for own in series]
    for own in found:
        if own.shape not in ((), (1,), (count,)):
            raise ParameterError(
                name,
                f"has a series of shape {own.shape} for {count} times.",
                "Give one number for each time, or one for all.",
                parameter=name,
                value=own,
            )
    full = (count,)
    x, v, a = (own if own.shape == full else np.broadcast_to(own, full) for own in found)
    return _Given(*driven_places(system, name), (x, v, a))


def _is_plain(series: ArrayLike) -> TypeGuard[np.ndarray]:
    """Return whether a series is an array of numbers, whose values are checked with all others."""
    return type(series) is np.ndarray and series.dtype == np.float64
