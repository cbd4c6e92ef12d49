"""Inverse dynamics: the forces at joints that cause a given motion, with loops."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from motorik.analysis.friction import GivenFriction, least_drives
from motorik.components.base.contributions import InitialCondition
from motorik.errors import (
    AssemblyError,
    InitialValueError,
    MotionWarning,
    ParameterError,
    UnknownNameError,
    calls_within_motorik,
    suggest,
)
from motorik.immutable import immutable
from motorik.initialisation.given import finite_numbers, named_values
from motorik.initialisation.initialise import InitialState, initialise
from motorik.loops.formulation import Formulation
from motorik.loops.position_problem import Instant, PositionProblem
from motorik.motion.view import MotionView
from motorik.numerics.newton import damped_newton
from motorik.numerics.tolerances import DRIVEN_SHORTEST, RANK, UNDONE_FORCE

if TYPE_CHECKING:
    import casadi

    from motorik.compiled_model import CompiledModel

LONGEST = 0.1  # largest step of the given coordinates between closed poses, in scales
AS_PREDICTED = 0.05  # largest deviation of a pose from its tangent prediction, in scales
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
    begin = initialise(system, initial or {}, system.parameter_values(), 0.0, branch)
    system = begin.system
    given = [_given(system, name, series, time.size) for name, series in motion.items()]
    for name, own in zip(motion, given, strict=True):
        _warn_of_rates(name, time, own.series)
    names = list(motion if drives is None else drives)
    columns = [work_of(system, name) for name in names]
    live = system.layout.live_of(begin.p)
    poses = _Poses(system, begin, given)
    forces = np.zeros((time.size, len(names)))
    imbalance = system.function("imbalance")
    friction = None if system.nonsmooth is None else GivenFriction(system)
    at = [poses.at(i, t) for i, t in enumerate(time.tolist())]
    motions = [(np.concatenate([q, u, poses.z]), ud) for q, u, ud, _ in at]
    fast = np.zeros(0)
    if friction is not None:
        given_to = zip(time.tolist(), motions, strict=True)
        speeds = [friction.speeds(t, *own, begin.p) for t, own in given_to]
        fast = np.abs(speeds).max(axis=0)
    for i, (t, (X, ud)) in enumerate(zip(time.tolist(), motions, strict=True)):
        q, _, _, G = at[i]
        needed = np.asarray(imbalance(t, X, ud, begin.p)).ravel() * poses.unit
        B = [np.asarray(column(q, live), dtype=float).reshape(-1) for column in columns]
        allowed = _allowed(G)
        A = allowed.T @ (np.array(B).T * poses.unit[:, None])
        right, C = allowed.T @ needed, np.zeros((A.shape[0], 0))
        low = high = np.zeros(0)
        if friction is not None:
            low, high, by_force = friction.rows(t, X, ud, begin.p, fast)
            C = allowed.T @ (by_force * poses.unit[:, None])
        found, held = least_drives(A, C, right, low, high)
        left = float(np.abs(A @ found + C @ held - right).max(initial=0.0))
        if left > UNDONE_FORCE * float(np.abs(needed).max(initial=0.0)):
            raise ParameterError(
                "drives",
                f"{', '.join(names)} cannot cause the motion at t = {t:g} s: "
                f"{left:.3g} N.m remains.",
                "Drive as many independent joints as there are degrees of freedom.",
                parameter="drives",
                value=tuple(names),
            )
        forces[i] = found
    return {name: forces[:, k] for k, name in enumerate(names)}


class _Poses:
    """Poses of the mechanism with given coordinates, continued from time to time."""

    def __init__(
        self, system: CompiledModel, begin: InitialState, given: Sequence[_Given]
    ) -> None:
        self.system, self.given = system, given
        self.q, _, self.z = (a.copy() for a in system.layout.split(begin.X))
        self.t = begin.t
        self.live = system.layout.live_of(begin.p)
        self.unit = system.scales.speeds
        self.f = system.formulation
        self.free_u = np.ones(system.n_u, dtype=bool)
        self.free_u[[g.speed for g in given]] = False
        self.free_q = np.ones(system.n_q, dtype=bool)
        self.free_q[[g.coordinate for g in given]] = False
        if self.f.is_empty and self.free_u.any():
            missing = [system.mechanism.speeds[k].name for k in np.flatnonzero(self.free_u)]
            raise ParameterError(
                "motion",
                f"does not give {', '.join(missing)}.",
                "Give all coordinates.",
                parameter="motion",
                value=tuple(missing),
            )
        self.problem = None
        if not self.f.is_empty:
            given_to = (system.mechanism, self.f.constraints, system.assembled.symbols)
            demands = _balances(self.f)
            self.problem = PositionProblem(*given_to, system.scales, demands)

    def at(self, i: int, t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Return coordinates, speeds, their rates, and G without units, at the i-th time."""
        u, ud = np.zeros(self.system.n_u), np.zeros(self.system.n_u)
        wanted = self.q.copy()
        for g in self.given:
            x, v, a = (series[i] for series in g.series)
            wanted[g.coordinate], u[g.speed], ud[g.speed] = x, v, a
        if self.f.is_empty:
            self.q = wanted
            return self.q, u, ud, np.zeros((0, self.system.n_u))
        self._follow(wanted, t)
        rows, scales = self.system.formulated.of_loops.constraints, self.system.scales
        y = rows.y_numbers(self.q, t, self.z)
        G = scales.matrix(rows.matrix(self.q, self.live, t, self.z))
        drift = np.asarray(rows.drift_function(y, self.live)).ravel() / scales.constraints
        u = self._completed(G, u, drift)
        bias = np.asarray(rows.bias_function(y, u, self.live)).ravel() / scales.constraints
        return self.q, u, self._completed(G, ud, bias), G

    def _completed(self, G: np.ndarray, x: np.ndarray, known: np.ndarray) -> np.ndarray:
        """Return x with its free entries such that G x + known = 0."""
        result, free = x.copy(), self.free_u
        right = -(G @ (x / self.unit) + known)
        step = np.linalg.lstsq(G[:, free], right, rcond=RANK)[0]
        result[free] = step * self.unit[free]
        return result

    def _follow(self, wanted: np.ndarray, t: float) -> None:
        """Move time and the given coordinates along a straight line, with loops closed."""
        assert self.problem is not None
        scale = self.system.scales.coordinates
        begin, end, since = self.q.copy(), wanted, self.t
        way = float(np.abs((end - begin) / scale)[~self.free_q].max(initial=0.0))
        done, step = 0.0, min(1.0, LONGEST / way) if way > 0.0 else 1.0
        z = tuple(self.z.tolist())
        before: tuple[float, np.ndarray] | None = None
        while done < 1.0:
            to = min(1.0, done + step)
            guess = self.q.copy()
            if before is not None and done > before[0]:
                slope = (self.q - before[1]) / (done - before[0])
                guess[self.free_q] += (slope * (to - done))[self.free_q]
            guess[~self.free_q] = (begin + to * (end - begin))[~self.free_q]
            instant = Instant(self.live, t if to == 1.0 else since + to * (t - since), z)
            residual = self.problem.residual(instant, begin)
            found, gap = damped_newton(residual, guess, self.free_q, scale)
            apart = float(np.abs((found - guess) / scale).max(initial=0.0))
            is_near = before is not None and apart < AS_PREDICTED
            is_near = is_near or float(np.abs((found - self.q) / scale).max()) < 3 * LONGEST
            if gap < self.problem.tolerance(found) and is_near:
                before, self.q, done = (done, self.q), found, to
                step = min(2.0 * step, LONGEST / way if way > 0.0 else 1.0)
                continue
            step /= 2.0
            if step * max(way, 1.0) < DRIVEN_SHORTEST:
                self._refuse(begin + done * (end - begin), gap, t)
        self.t = t

    def _refuse(self, q: np.ndarray, gap: float, t: float) -> None:
        states = self.system.mechanism.coordinates
        at = [f"{states[g.coordinate].name} = {q[g.coordinate]:.6g}" for g in self.given]
        raise InitialValueError(
            self.system.mechanism.name,
            f"the loops cannot be followed to the motion at t = {t:g} s: {', '.join(at)} is as "
            f"far as they go on this branch; beyond they would open ({gap:.3g} remains).",
            "Give a motion that the mechanism can follow, or coordinates that do not turn back "
            "here, or begin elsewhere by initial=… or loops=LoopOptions(branch=…)",
        )


def _balances(formulation: Formulation) -> list[InitialCondition]:
    """Return the equilibrium conditions of massless points; refuse points with dampers."""
    balance = formulation.equilibrium
    if balance is None:
        return []
    damped = [*balance.damped, *(row for own in balance.partly for row in own.rows)]
    if damped:
        raise AssemblyError(
            balance.parts[damped[0]],
            "has no mass and is a state of its own, by a damper: a given motion does not "
            "determine it.",
            "Remove the damper, or simulate with the motion prescribed.",
        )
    return balance.conditions()


def _allowed(G: np.ndarray) -> np.ndarray:
    """Return a basis of the null space of G, one column each."""
    if not G.size:
        return np.eye(G.shape[1])
    _, sizes, V = np.linalg.svd(G)
    rank = int(np.sum(sizes > RANK * max(float(sizes.max()), 1e-300)))
    return V[rank:].T


def work_of(system: CompiledModel, name: str) -> casadi.Function:
    """Return the speed of the joint of a coordinate per unit of each speed, as function of (q, p).

    A cut joint has no coordinate in the tree, but can be driven, too.
    """
    import casadi

    q, u = system.equations.symbols("q", "u")
    for closure in system.mechanism.closures:
        edge = closure.edge
        if edge is None or len(edge.names) != len(edge.speed_names):
            continue
        for own, rate in zip(edge.names, edge.speed_names, strict=True):
            if f"{closure.part}.{own}" == name:
                motion = MotionView(
                    system.mechanism, casadi.vertsplit(q), casadi.vertsplit(u)
                )
                speed = motion.speed(edge.frame_a.owner, rate)
                break
        else:
            continue
        break
    else:
        speed = u[_places(system, name)[1]]
    gradient = casadi.densify(casadi.jacobian(casadi.SX(speed), u))
    return casadi.Function("work", [q, system.assembled.symbols], [gradient])


def _places(system: CompiledModel, name: str) -> tuple[int, int]:
    """Return the numbers of a coordinate and of its speed."""
    k = system.layout.index.get(name, system.n_q)
    if k < system.n_q:
        link = system.mechanism.link_of_coordinate(k)
        if len(link.q) == len(link.u):
            return k, link.u[k - link.q[0]]
    known = [state.name for state in system.layout.coordinates]
    raise UnknownNameError(
        "motion",
        f"no coordinate {name!r}.",
        suggest(name, known),
        parameter=name,
        value=name,
    )


def _warn_of_rates(name: str, time: np.ndarray, series: tuple[np.ndarray, ...]) -> None:
    """Warn of derivatives that disagree with differences of the values over time.

    Derivatives of zero throughout stand for rest at each pose. Differences have a truncation
    error, estimated by the next derivative; where times are too far apart for that, some
    intervals may differ, but not most of them.
    """
    x, v, a = series
    if not (v.any() or a.any()):
        return
    h = np.diff(time)
    rises = h > 0.0
    if rises.sum() < FEWEST:
        return
    h = h[rises]
    for lower, upper, error, words in (
        (x, v, (np.abs(a[:-1]) + np.abs(a[1:]))[rises] * h * h, ("rates", "values")),
        (v, a, np.abs(np.diff(a))[rises] * h, ("second rates", "rates")),
    ):
        change = np.diff(lower)[rises]
        mean = 0.5 * (upper[:-1] + upper[1:])[rises] * h
        allowed = error + APART * np.abs(mean) + 1e-9 * float(np.ptp(lower))
        wrong = np.abs(change - mean) > allowed
        if wrong.sum() > 0.5 * wrong.size:
            k = int(np.argmax(np.abs(change - mean)))
            warnings.warn(
                f"{name}: the {words[0]} given are not the derivatives of the {words[1]}: near "
                f"t = {time[:-1][rises][k]:g} s the {words[1]} change by "
                f"{change[k] / h[k]:.4g} per second, the {words[0]} are "
                f"{mean[k] / h[k]:.4g}. The forces are those of no motion.",
                MotionWarning,
                stacklevel=calls_within_motorik(),
            )


def _given(
    system: CompiledModel, name: str, series: Sequence[ArrayLike], count: int
) -> _Given:
    if not isinstance(series, (Sequence, np.ndarray)) or len(series) != 3:
        raise ParameterError(
            name,
            f"{series!r} is not three series.",
            "Give values, rates and second rates.",
            parameter=name,
            value=series,
        )
    found = [finite_numbers(name, own) for own in series]
    for own in found:
        if own.shape not in ((), (1,), (count,)):
            raise ParameterError(
                name,
                f"has a series of shape {own.shape} for {count} times.",
                "Give one number for each time, or one for all.",
                parameter=name,
                value=own,
            )
    x, v, a = (np.broadcast_to(own, (count,)) for own in found)
    return _Given(*_places(system, name), (x, v, a))
