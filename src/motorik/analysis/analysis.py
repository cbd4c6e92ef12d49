"""Analysis without time: ways to assemble loops, inverse kinematics and inverse dynamics."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from motorik.components.contributions import Demand
from motorik.errors import InitialValueError, ParameterError, UnknownNameError, suggest
from motorik.loops.closing import CLOSED, damped_newton, loop_residual
from motorik.loops.formulation import ClosedForm
from motorik.loops.initial import StartProblem
from motorik.motion.catalogue import flatten
from motorik.motion.view import MotionView
from motorik.start.start import start_motion
from motorik.system.system import System

AT_MOST = 64


@dataclass(frozen=True)
class Branch:
    """A way to assemble the loops: for each closed form its side, and all coordinates.

    `sides` names the side by a joint of the closed form, as `simulate(branch=…)` takes it;
    `is_start` tells that the model starts so.
    """

    sides: dict[str, str]
    coordinates: dict[str, float]
    is_start: bool

    def __str__(self) -> str:
        sides = ", ".join(f"{joint}: {side}" for joint, side in self.sides.items())
        return f"{sides}{' (start)' if self.is_start else ''}"


def branches(system: System, start: Mapping[str, float], t: float = 0.0) -> list[Branch]:
    """Return the ways to assemble the loops of a model at its independent coordinates.

    Loops without a closed form stay as they are at the start. At most 64 ways are listed.
    """
    f = system.formulation
    if f is None:
        return []
    begin = start_motion(system, start, system.parameter_values(), t)
    states, z = begin.X[f.state_q], begin.X[system.n_q + system.n_u :]
    given = begin.p[len(system.parameters) :]
    forms = [form for form in f.steps if isinstance(form, ClosedForm)]
    steps = [(form, step) for form in forms for step in form.plan.steps]
    choices = [(1.0, -1.0) if step.sides > 1 else (1.0,) for _, step in steps]
    names = [state.name for state in system.mechanism.coordinates]
    found: list[Branch] = []
    for sides in product(*choices):
        extra = np.concatenate([sides, given[f.n_sides :]])
        q, _ = system.positions(t, states, z, begin.p, extra)
        if not np.isfinite(q).all():
            continue
        labels = {
            form.hinges[step.hinges[0]].name: step.side_names[(1.0, -1.0).index(side)]
            for (form, step), side in zip(steps, sides, strict=True)
            if step.sides > 1
        }
        is_start = bool((np.asarray(sides) == given[: f.n_sides]).all())
        values = dict(zip(names, q.tolist(), strict=True))
        found.append(Branch(labels, values, is_start))
        if len(found) == AT_MOST:
            break
    return found


def inverse_kinematics(
    system: System, targets: Mapping[str, Any], start: Mapping[str, float]
) -> dict[str, float]:
    """Return the coordinates at which variables have given values and all loops close.

    The search begins at the start of the model; start values that are fixed there are free
    here, those in `start` are kept.
    """
    begin = start_motion(system, {}, system.parameter_values())
    q = begin.X[: system.n_q].copy()
    free = np.ones(q.size, dtype=bool)
    for name, value in start.items():
        k = system.state_index.get(name, system.n_q)
        if k >= system.n_q:
            known = system.state_names[: system.n_q]
            raise UnknownNameError(
                "start", f"no coordinate {name!r}.", suggest(name, known)
            )
        q[k], free[k] = float(value), False
    rows = system.formulation.rows if system.formulation is not None else None
    live = begin.p[: len(system.parameters)]
    z = begin.X[system.n_q + system.n_u :]
    problem = StartProblem(system.mechanism, rows, system.symbols, live, 0.0, z.tolist())
    problem.positions = [_target(system, name, value) for name, value in targets.items()]
    q = problem.positions_from(q, free)
    names = [state.name for state in system.mechanism.coordinates]
    return dict(zip(names, q.tolist(), strict=True))


def _target(system: System, name: str, value: Any) -> Demand:
    entry, index = system.catalogue.find(name)
    wanted = np.asarray(value, dtype=float).ravel()
    shape = system.shape_of(name)
    size = int(np.prod(shape, dtype=int))
    if wanted.size != size or not np.isfinite(wanted).all():
        raise ParameterError(
            name, f"cannot become {value!r}.", f"Give {size} finite number(s) in SI units."
        )

    def residual(view: Any) -> tuple[Any, ...]:
        flat, whole = flatten(entry.value(view))
        if index is not None:
            flat = [flat[int(np.ravel_multi_index(index, whole))]]
        return tuple(a - float(b) for a, b in zip(flat, wanted, strict=True))

    part, _, rest = name.rpartition(".")
    return Demand(part, rest, 0, residual)


def inverse_dynamics(
    system: System,
    time: np.ndarray,
    motion: Mapping[str, Sequence[Any]],
    drives: Sequence[str] | None = None,
) -> dict[str, np.ndarray]:
    """Return the forces and torques at joints that bring about a motion.

    `motion` gives for coordinates by name their values, rates and second rates over `time`;
    the others follow from the loops. `drives` are the coordinates with an actuator, by
    default those in `motion`; where there are more than needed, the smallest forces are
    given. They come beside the model's own forces.
    """
    given = {
        _speed_of(system, name): _series(name, s, time.size) for name, s in motion.items()
    }
    names = list(motion if drives is None else drives)
    columns = [_work_of(system, name) for name in names]
    mechanism, f = system.mechanism, system.formulation
    begin = start_motion(system, {}, system.parameter_values())
    q, z = begin.X[: system.n_q], begin.X[system.n_q + system.n_u :]
    live = begin.p[: len(system.parameters)]
    free = np.array([k not in given for k in range(mechanism.n_u)])
    free_q = np.ones(mechanism.n_q, dtype=bool)
    free_q[[mechanism.coordinate_of_speed(k) for k in given]] = False
    forces = np.zeros((time.size, len(names)))
    imbalance = system.function("imbalance")
    for i, t in enumerate(time.tolist()):
        u, ud = np.zeros(mechanism.n_u), np.zeros(mechanism.n_u)
        for k, (x, v, a) in given.items():
            q[mechanism.coordinate_of_speed(k)] = x[i]
            u[k], ud[k] = v[i], a[i]
        G = np.zeros((0, mechanism.n_u))
        if f is not None:
            q = _closed(system, q, free_q, live, t)
            y = f.rows.y_numbers(q, t, z)
            G = f.rows.matrix(q, live, t, z)
            drift = np.asarray(f.rows.drift_function(y, live)).ravel()
            u = _completed(G, u, drift, free)
            bias = np.asarray(f.rows.bias_function(y, u, live)).ravel()
            ud = _completed(G, ud, bias, free)
        elif free.any():
            missing = [mechanism.speeds[k].name for k in np.flatnonzero(free)]
            raise ParameterError(
                "motion", f"does not tell {', '.join(missing)}.", "Give all coordinates."
            )
        X = np.concatenate([q, u, z])
        needed = np.asarray(imbalance(t, X, ud, begin.p)).ravel()
        B = [np.asarray(column(q, live), dtype=float).reshape(-1, 1) for column in columns]
        allowed = _allowed(G)
        A, right = allowed.T @ np.hstack(B), allowed.T @ needed
        found = np.linalg.lstsq(A, right, rcond=1e-10)[0]
        left = float(np.abs(A @ found - right).max(initial=0.0))
        if left > 1e-6 * max(1.0, float(np.abs(needed).max(initial=0.0))):
            raise ParameterError(
                "drives",
                f"{', '.join(names)} cannot bring about the motion at t = {t:g} s: "
                f"{left:.3g} remains.",
                "Drive as many independent joints as there are degrees of freedom.",
            )
        forces[i] = found
    return {name: forces[:, k] for k, name in enumerate(names)}


def _closed(
    system: System, q: np.ndarray, free: np.ndarray, p: np.ndarray, t: float
) -> np.ndarray:
    assert system.formulation is not None
    whole = loop_residual(system.formulation.rows, p, t)

    def residual(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        r, J = whole(values)
        return r, J[:, free]

    q, size = damped_newton(residual, q, free)
    if not size < CLOSED:
        raise InitialValueError(
            system.mechanism.name,
            f"the loops cannot be closed at t = {t:g} s: {size:.3g} remains.",
            "Give a motion that the mechanism can follow, in smaller steps of time.",
        )
    return q


def _completed(
    G: np.ndarray, x: np.ndarray, known: np.ndarray, free: np.ndarray
) -> np.ndarray:
    """Return x with its free entries such that G x + known = 0."""
    result = x.copy()
    right = -(G @ x + known)
    result[free] = np.linalg.lstsq(G[:, free], right, rcond=1e-9)[0]
    return result


def _allowed(G: np.ndarray) -> np.ndarray:
    """Return the motions that the rows of G allow, one column each."""
    if not G.size:
        return np.eye(G.shape[1])
    _, sizes, V = np.linalg.svd(G)
    rank = int(np.sum(sizes > 1e-9 * max(float(sizes.max()), 1e-300)))
    return V[rank:].T


def _work_of(system: System, name: str) -> Any:
    """Return how fast the joint of a coordinate moves with each speed, as function of (q, p).

    A joint that closes a loop is no coordinate of the tree, but can be driven all the same.
    """
    import casadi

    mechanism = system.mechanism
    q, u = casadi.SX.sym("q", system.n_q), casadi.SX.sym("u", system.n_u)
    speed = None
    for closure in mechanism.closures:
        edge = closure.edge
        if edge is None or len(edge.names) != len(edge.speed_names):
            continue
        for own, rate in zip(edge.names, edge.speed_names, strict=True):
            if f"{closure.part}.{own}" == name:
                view = MotionView(mechanism, casadi.vertsplit(q), casadi.vertsplit(u))
                speed = view.speed(edge.frame_a.owner, rate)
    if speed is None:
        speed = u[_speed_of(system, name)]
    gradient = casadi.densify(casadi.jacobian(casadi.SX(speed), u))
    return casadi.Function("work", [q, system.symbols], [gradient])


def _speed_of(system: System, name: str) -> int:
    for link in system.mechanism.links:
        for k, speed in zip(link.q, link.u, strict=False):
            if system.mechanism.coordinates[k].name == name and len(link.q) == len(link.u):
                return speed
    known = [state.name for state in system.mechanism.coordinates]
    raise UnknownNameError("motion", f"no coordinate {name!r}.", suggest(name, known))


def _series(name: str, series: Sequence[Any], count: int) -> tuple[np.ndarray, ...]:
    if len(series) != 3:
        raise ParameterError(
            name, f"has {len(series)} series.", "Give values, rates and second rates."
        )
    arrays = tuple(np.broadcast_to(np.asarray(s, dtype=float), (count,)) for s in series)
    if not all(np.isfinite(a).all() for a in arrays):
        raise ParameterError(name, "has values that are not finite.", "Give numbers.")
    return arrays
