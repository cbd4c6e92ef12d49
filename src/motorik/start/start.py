"""The start of a run: given values, those of the parts, loops closed, all demands met."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from motorik.errors import (
    InitialValueError,
    LoopError,
    MotorikError,
    SimulationError,
    UnknownNameError,
    suggest,
)
from motorik.loops.assembled import Numbers, poses_as_coordinates
from motorik.loops.closing import CLOSED
from motorik.loops.formulation import ClosedForm
from motorik.loops.initial import StartProblem
from motorik.motion.view import MotionView
from motorik.start.initial_accelerations import AccelerationStart
from motorik.system.system import System

KEPT = 32  # starts remembered by each system
FITS = 1e-6  # how far a closed form may be from the assembled start [rad, m]


@dataclass(frozen=True)
class Start:
    """Where a run begins: the whole motion X, the state x that is integrated, parameters p."""

    X: np.ndarray
    x: np.ndarray
    p: np.ndarray


def start_motion(
    system: System,
    given: Mapping[str, float],
    p: np.ndarray,
    t: float = 0.0,
    branch: Mapping[str, str] | None = None,
) -> Start:
    """Return where a run of the system begins; p are the values of the live parameters."""
    if not isinstance(given, Mapping):
        raise SimulationError(
            "simulate", f"start = {given!r} names no states.", 'Give e.g. {"rev.phi": 0.5}.'
        )
    system.check_parameters(p)
    X, fixed = (values.copy() for values in system.start)
    for name, value in given.items():
        if name not in system.state_index:
            raise UnknownNameError(
                "start", f"there is no state {name!r}.", suggest(name, system.state_names)
            )
        if not is_number(value):
            raise InitialValueError(
                name, f"start value {value!r} is not a finite number.", "Give one number."
            )
        X[system.state_index[name]] = value
        fixed[system.state_index[name]] = True
    key = (X.tobytes(), fixed.tobytes(), p.tobytes(), t, tuple((branch or {}).items()))
    if key not in system.starts:
        while len(system.starts) >= KEPT:
            system.starts.pop(next(iter(system.starts)))
        system.starts[key] = _found(system, X, fixed, p, t, branch)
    found: Start = system.starts[key]
    system.remember(found.X)
    return Start(found.X.copy(), found.x.copy(), found.p.copy())


def _found(
    system: System,
    X: np.ndarray,
    fixed: np.ndarray,
    p: np.ndarray,
    t: float,
    branch: Mapping[str, str] | None,
) -> Start:
    """Return the start that meets everything, from values of which some are fixed."""
    closed = None if branch else _closed(system, X, fixed, p, t)
    if closed is None and system.closed_twin is not None:
        X, branch = _as_twin(system, system.closed_twin, X, fixed, p, t, branch), None
    X = _solved(system, X, fixed, p, t) if closed is None else closed
    wanted = {**named_branches(system), **(branch or {})}
    if wanted and system.closed_twin is None:
        X = _on_branch(system, X, fixed, p, t, wanted)
    if any(demand.level == 2 for demand in system.mechanism.demands):
        X, p = _accelerated(system, X, fixed, p, t)
    p = np.concatenate([p, sides_and_references(system, X, p, t)])
    X = _block_states(system, X, p, t)
    x = X[system.integrated]
    system.remember(X)
    if system.settle is not None:
        x = system.settle(np.array([t]), x, p)
        X = system.whole(np.array([t]), x, p)
    if not system.is_checked:
        system.check_inertia(X, p)
        system.check_machine_code(t, x, p)
    return Start(X, x, p)


def _solved(
    system: System, X: np.ndarray, fixed: np.ndarray, p: np.ndarray, t: float
) -> np.ndarray:
    n_q, n_u = system.n_q, system.n_u
    rows = system.formulation.rows if system.formulation is not None else None
    z = X[n_q + n_u :]
    problem = StartProblem(system.mechanism, rows, system.symbols, p, t, z.tolist())
    if problem.is_trivial:
        return X
    q, u = X[:n_q], X[n_q : n_q + n_u]
    if rows is not None:
        q = system.better_guess(q, fixed[:n_q])
    q, u = problem.solve(q, u, fixed[:n_q], fixed[n_q : n_q + n_u])
    return np.concatenate([q, u, z])


def _accelerated(
    system: System, X: np.ndarray, fixed: np.ndarray, p: np.ndarray, t: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return the motion and the live parameters at which accelerations are as demanded."""
    n_q, n = system.n_q, system.n_q + system.n_u
    rows = system.formulation.rows if system.formulation is not None else None
    z = X[n:].tolist()
    problem = StartProblem(system.mechanism, rows, system.symbols, p, t, z)
    still = [0.0] * system.n_u
    start = AccelerationStart(
        problem,
        lambda q, u: system.equations.speed_rates(t, [*q, *u, *z], still),
        system.parameters,
    )
    q, u, p = start.solve(X[:n_q], X[n_q:n], fixed[:n_q], fixed[n_q:n])
    system.check_parameters(p)
    return np.concatenate([q, u, X[n:]]), p


def _as_twin(
    system: System,
    twin: System,
    X: np.ndarray,
    fixed: np.ndarray,
    p: np.ndarray,
    t: float,
    branch: Mapping[str, str] | None,
) -> np.ndarray:
    """Return values to begin with where closed forms of the same model start."""
    import casadi

    own = {
        name: float(X[k])
        for name, k in system.state_index.items()
        if fixed[k] and name in twin.state_index
    }
    try:
        start = start_motion(twin, own, p, t, branch)
    except MotorikError:
        if branch:
            raise
        return X
    n_q = system.n_q
    view = MotionView(twin.mechanism, start.X[: twin.n_q].tolist(), [0.0] * twin.n_u)
    number = Numbers(casadi.vertcat(system.symbols, twin.symbols), np.concatenate([p, p]))
    found = X.copy()
    free = ~fixed[:n_q]
    found[:n_q][free] = poses_as_coordinates(system.mechanism, view, number)[free]
    for name, k in system.state_index.items():
        if name in twin.state_index and not fixed[k]:
            found[k] = start.X[twin.state_index[name]]
    return found


def _closed(
    system: System, X: np.ndarray, fixed: np.ndarray, p: np.ndarray, t: float
) -> np.ndarray | None:
    """Return the start by closed forms on the sides nearest to the guesses, if that does.

    It does where somebody gave a guess for each cluster of loops, and where what is fixed
    among the dependent coordinates comes out.
    """
    f = system.formulation
    if f is None or f.enforced or f.iterates or not _forms(system):
        return None
    n_q, n = system.n_q, system.n_q + system.n_u
    z, states = X[n:], X[f.state_q]
    sides, at = np.ones(f.n_sides), 0
    references = f.references(X[:n_q])
    for form in _forms(system):
        wanted = {
            h: _guess(system, form, h, X) for step in form.plan.steps for h in step.hinges
        }
        if not any(is_given for _, is_given in wanted.values()):
            return None
        for step in form.plan.steps:
            own = {h: wanted[h] for h in step.hinges}
            if any(is_given for _, is_given in own.values()):
                own = {h: pair for h, pair in own.items() if pair[1]}
            apart = []
            for side in (1.0, -1.0) if step.sides > 1 else ():
                sides[at] = side
                extra = np.concatenate([sides, references])
                _, found = system.positions(t, states, z, p, extra)
                gaps = [_apart(form, h, found[h], guess) for h, (guess, _) in own.items()]
                gap = sum(g * g for g in gaps)
                apart.append(gap if math.isfinite(gap) else math.inf)
            if apart and not min(apart) < math.inf:
                return None
            sides[at] = 1.0 if not apart or apart[0] <= apart[1] else -1.0
            at += 1
    q, _ = system.positions(t, states, z, p, np.concatenate([sides, references]))
    given, kept = X[:n_q], fixed[:n_q]
    if not np.isfinite(q).all() or (np.abs(q - given)[kept] > FITS).any():
        return None
    problem = StartProblem(system.mechanism, f.rows, system.symbols, p, t, z.tolist())
    if np.abs(problem.residual()(q)[0]).max(initial=0.0) > CLOSED:
        return None
    u = problem.speeds_from(q, X[n_q:n], ~fixed[n_q:n])
    return np.concatenate([q, u, z])


def _guess(
    system: System, form: ClosedForm, hinge: int, X: np.ndarray
) -> tuple[float, bool]:
    """Return the start value of a joint in a closed form, and whether somebody gave it."""
    start = system.mechanism.stock.joints[hinge].starts[0]
    value = float(start.value)  # type: ignore[arg-type]
    if hinge in form.coordinate:
        value = float(X[form.coordinate[hinge]])
    return value, value != 0.0 or start.is_fixed


def _apart(form: ClosedForm, hinge: int, value: float, guess: float) -> float:
    """Return how far a coordinate is from its guess; angles on the shortest way."""
    gap = value - guess
    return _wrapped(gap) if form.hinges[hinge].kind == "R" and math.isfinite(gap) else gap


def named_branches(system: System) -> dict[str, str]:
    """Return the branches that parts of the model ask for by name."""
    found = {}
    for part in system.mechanism.stock.resolved:
        name = getattr(system.mechanism.stock.parameters_of(part), "branch", "")
        if isinstance(name, str) and name:
            found[part.path] = name
    return found


def _block_states(system: System, X: np.ndarray, p: np.ndarray, t: float) -> np.ndarray:
    """Return X with the states of signal blocks as they follow from their inputs."""
    n = system.n_q + system.n_u
    if X.size == n or not system.has_block_starts:
        return X
    values = system.block_starts(np.array([t]), X, p)
    return np.concatenate([X[:n], values])


# --- branches -------------------------------------------------------------------------------


def _forms(system: System) -> list[ClosedForm]:
    if system.formulation is None:
        return []
    return [step for step in system.formulation.steps if isinstance(step, ClosedForm)]


def sides_and_references(
    system: System, X: np.ndarray, p: np.ndarray, t: float
) -> np.ndarray:
    """Return the side of each closed form at an assembled motion, and reference angles."""
    formulation = system.formulation
    if formulation is None or not formulation.n_extra:
        return np.zeros(0)
    q, z = X[: system.n_q], X[system.n_q + system.n_u :]
    references = formulation.references(q)
    if formulation.iterates:
        scale = system.solvability(t, X, p)
        references = np.append(references, scale if scale else 1.0)
    sides = np.ones(formulation.n_sides)
    angles = {k for k, _ in formulation.rows.turns}
    at = 0
    for form in _forms(system):
        for step in form.plan.steps:
            own = [form.coordinate[h] for h in step.hinges if h in form.coordinate]
            gaps = []
            for side in (1.0, -1.0):
                sides[at] = side
                extra = np.concatenate([sides, references])
                found, _ = system.positions(t, q[formulation.state_q], z, p, extra)
                apart = [
                    abs(_wrapped(found[k] - q[k])) if k in angles else abs(found[k] - q[k])
                    for k in own
                ]
                gaps.append(max(apart, default=0.0))
            gaps = [gap if math.isfinite(gap) else math.inf for gap in gaps]
            sides[at] = 1.0 if gaps[0] <= gaps[1] else -1.0
            if step.sides > 1 and not min(gaps) < FITS:
                names = [form.hinges[h].name for h in step.hinges]
                raise DeadCentreError(
                    names[0],
                    f"the {step.title} of {', '.join(names)} starts at its dead centre, or "
                    f"cannot be closed there: {min(gaps):.3g} remains.",
                    'Start elsewhere, or take strategy="projected".',
                )
            at += 1
    return np.concatenate([sides, references])


class DeadCentreError(LoopError):
    """A closed form cannot begin where its two sides meet."""


def _wrapped(angle: float) -> float:
    return math.remainder(angle, 2.0 * math.pi)


def _on_branch(
    system: System,
    X: np.ndarray,
    fixed: np.ndarray,
    p: np.ndarray,
    t: float,
    branch: Mapping[str, str],
) -> np.ndarray:
    """Return the start on the named branches of closed forms."""
    formulation = system.formulation
    extra = sides_and_references(system, X, p, t)
    steps = [(form, step) for form in _forms(system) for step in form.plan.steps]
    for part, name in branch.items():
        found = [
            (k, step)
            for k, (form, step) in enumerate(steps)
            if step.sides > 1
            and any(
                form.hinges[h].name == part or form.hinges[h].name.startswith(f"{part}.")
                for h in step.hinges
            )
        ]
        if not found:
            known = [form.hinges[h].name for form, step in steps for h in step.hinges]
            raise UnknownNameError(
                "branch",
                f"{part!r} is no joint of a loop with branches.",
                suggest(part, known),
            )
        k, step = found[0]
        if name not in step.side_names:
            raise UnknownNameError(
                part,
                f"the {step.title} has no branch {name!r}.",
                suggest(name, step.side_names),
            )
        extra[k] = (1.0, -1.0)[step.side_names.index(name)]
    assert formulation is not None
    z = X[system.n_q + system.n_u :]
    q, _ = system.positions(t, X[formulation.state_q], z, p, extra)
    moved = X.copy()
    moved[: system.n_q] = q
    if not np.isfinite(moved).all():
        raise InitialValueError(
            ", ".join(branch),
            "this branch does not exist at the start.",
            "Start elsewhere.",
        )
    return _solved(system, moved, fixed, p, t)


def is_number(value: Any) -> bool:
    """Tell whether a value is one finite number."""
    is_real = isinstance(value, (int, float, np.integer, np.floating))
    return is_real and not isinstance(value, bool) and math.isfinite(value)
