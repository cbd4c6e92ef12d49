"""Balances of momentum and energy over a run, by quadrature on fine panels."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from motorik.results import Result
from validation.fuzz.case import FINE, Case, LawError, UnclearError
from validation.fuzz.drawing import BodyDrawn
from validation.fuzz.units import BY_NAME, FORCE, LENGTH, RATE, SPEED, TORQUE

PANELS, MOST, ORDER = 24, 400, 8  # least and largest number of panels, order of each
BALANCED = 1e-6
RESOLVED = 1e-7


def _nodes() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return Chebyshev points on [0, 1], weights of all, and of every other one."""
    x = 0.5 * (1 - np.cos(np.pi * np.arange(ORDER + 1) / ORDER))
    return x, _weights(x), _weights(x[::2])


def _weights(x: np.ndarray) -> np.ndarray:
    """Return weights w with Σ w f(x) = ∫ f on [0, 1] for polynomials."""
    powers = np.vander(2 * x - 1, increasing=True).T
    k = np.arange(len(x))
    exact = np.where(k % 2 == 0, 1.0 / (k + 1.0), 0.0)
    return np.linalg.solve(powers, exact)


X, W, W_HALF = _nodes()


def panel_edges(steps: np.ndarray) -> np.ndarray:
    """Return the ends of panels: two in each step of a run, within limits of their number."""
    last = len(steps) - 1
    count = min(max(2 * last, PANELS), MOST)
    return np.interp(np.linspace(0.0, last, count + 1), np.arange(last + 1), steps)


def panel_times(edges: np.ndarray) -> np.ndarray:
    """Return the times of all panels, their common ends once."""
    h = np.diff(edges)[:, None]
    return np.append((edges[:-1, None] + h * X[:-1]).ravel(), edges[-1])


def over_panels(rate: np.ndarray, t: np.ndarray) -> tuple[np.ndarray, float]:
    """Return the integral of a rate over each panel, and how much a coarser rule differs."""
    h = np.diff(t[::ORDER])
    rows = ORDER * np.arange(len(h))[:, None] + np.arange(ORDER + 1)
    values = rate[rows]
    fine = np.einsum("p,k,pk...->p...", h, W, values)
    coarse = np.einsum("p,k,pk...->p...", h, W_HALF, values[:, ::2])
    return fine, float(np.abs(fine - coarse).max())


def check_integral(what: str, state: np.ndarray, rate: np.ndarray, t: np.ndarray) -> None:
    """Fail if a quantity does not change by the integral of its rate."""
    fine, unresolved = over_panels(rate, t)
    change = np.diff(state[::ORDER], axis=0)
    size = max(1.0, float(np.abs(state).max()), float(np.abs(rate).max() * t[-1]))
    off = float(np.abs(change - fine).max()) / size
    if not off <= BALANCED:
        if unresolved / size > RESOLVED + 0.1 * off:
            raise UnclearError(f"{what}: panels resolve it to {unresolved / size:.1e} only")
        raise LawError(f"{what} is off by {off:.1e}")


def natural(case: Case, result: Result, name: str) -> np.ndarray:
    """Return a variable in natural units."""
    return result[name] / case.units.of(BY_NAME[result.unit(name)])


def on_panels(case: Case, names: list[str], rtol: float) -> Result:
    """Return a run with output on the panels, and some variables computed."""
    steps = case.run(output="steps", rtol=rtol).time / case.units.time
    result = case.run(output=panel_times(panel_edges(steps)), rtol=rtol)
    result.compute(names)
    return result


def newton(case: Case) -> None:
    """Newton's and Euler's laws hold for each body under its cut forces."""
    _converged(case, _newton)


def power(case: Case) -> None:
    """Energy changes by what drives bring and dampers take."""
    _converged(case, _power)


def _converged(case: Case, check: Callable[[Case, float], None]) -> None:
    """Check a balance; next to a dead centre, where rows of output lose digits, once more.

    With a hundredth of the tolerance it must hold there as well.
    """
    try:
        check(case, FINE)
    except LawError:
        check(case, FINE / 100)


def _newton(case: Case, rtol: float) -> None:
    names = []
    for body in case.drawing.bodies:
        names += [f"{body.frame}.r_0", f"{body.frame}.R.T"]
        names += [f"{body.name}.{what}" for what in _motion(body)]
        names += [f"{frame}.{what}" for frame, _ in body.frames for what in "ft"]
    result = on_panels(case, names, rtol)
    for body in case.drawing.bodies:
        _check_body(case, result, body)


def _motion(body: BodyDrawn) -> tuple[str, ...]:
    if body.frame.endswith(".G"):
        return ("vx", "vy", "w", "ax", "ay", "alpha")
    return ("v_0", "w_a", "a_0", "z_a")


def _check_body(case: Case, result: Result, body: BodyDrawn) -> None:
    units, times = case.units, result.time / case.units.time
    r = result[f"{body.frame}.r_0"] / units.of(LENGTH)
    R = result[f"{body.frame}.R.T"].transpose(0, 2, 1)
    v, w, a, z = _velocities(case, result, body, R)
    c = np.einsum("tij,j->ti", R, body.c)
    I = np.einsum("tij,jk,tlk->til", R, body.I, R)
    v_c = v + np.cross(w, c)
    a_c = a + np.cross(z, c) + np.cross(w, np.cross(w, c))
    L = np.einsum("tij,tj->ti", I, w)
    L_rate = np.einsum("tij,tj->ti", I, z) + np.cross(w, L)
    f, t = np.zeros_like(r), np.zeros_like(r)
    for frame, place in body.frames:
        T = result[f"{frame}.R.T"] if frame != body.frame else result[f"{body.frame}.R.T"]
        f_0 = np.einsum("tji,tj->ti", T, result[f"{frame}.f"]) / units.of(FORCE)
        t_0 = np.einsum("tji,tj->ti", T, result[f"{frame}.t"]) / units.of(TORQUE)
        arm = np.einsum("tij,j->ti", R, place) - c
        f, t = f + f_0, t + t_0 + np.cross(arm, f_0)
    f = f + body.m * case.drawing.gravity
    size = max(1.0, float(np.abs(f).max()), float(np.abs(t).max()))
    off = float(np.abs(body.m * a_c - f).max()) / size
    turned = float(np.abs((L_rate - t)[:, _axes(body)]).max()) / size
    if not max(off, turned) <= BALANCED:
        raise LawError(f"{body.name}: m a − f is {off:.1e}, the torques {turned:.1e} off")
    check_integral(f"{body.name}: place by velocity", r + c, v_c, times)
    check_integral(f"{body.name}: momentum", body.m * v_c, f, times)
    axes = _axes(body)
    check_integral(f"{body.name}: angular momentum", L[:, axes], t[:, axes], times)


def _axes(body: BodyDrawn) -> slice:
    return slice(2, 3) if body.frame.endswith(".G") else slice(0, 3)


def _velocities(
    case: Case, result: Result, body: BodyDrawn, R: np.ndarray
) -> tuple[np.ndarray, ...]:
    """Return velocity, angular velocity and their rates of the body's frame, in the world."""
    units = case.units
    if not body.frame.endswith(".G"):
        v, w, a, z = (natural(case, result, f"{body.name}.{k}") for k in _motion(body))
        return v, np.einsum("tij,tj->ti", R, w), a, np.einsum("tij,tj->ti", R, z)
    columns = [result[f"{body.name}.{k}"] for k in _motion(body)]
    none = np.zeros(len(result))
    scales = (units.of(SPEED), units.of(SPEED), units.of(RATE))
    v_x, v_y, w = (x / s for x, s in zip(columns[:3], scales, strict=True))
    a_x, a_y, z = (x / s * units.time for x, s in zip(columns[3:], scales, strict=True))
    flat = [(v_x, v_y, none), (none, none, w), (a_x, a_y, none), (none, none, z)]
    return tuple(np.stack(rows, axis=1) for rows in flat)


def _power(case: Case, rtol: float) -> None:
    terms = case.drawing.powers
    names = [name for term in terms for name in term.variables]
    result = on_panels(case, names, rtol)
    energy = result.energy()
    E = energy["total"] / case.units.of(TORQUE)
    rate = np.zeros(len(result))
    for term in terms:
        product = float(np.asarray(term.factor.number)) * np.ones(len(result))
        for name in term.variables:
            product = product * natural(case, result, name)
        rate = rate + product
    check_integral("energy", E, rate, result.time / case.units.time)
    forms = [
        energy[name] for name in ("kinetic", "potential", "stored", "supplied", "lost")
    ]
    moved = max(*map(np.ptp, forms), np.abs(energy["kinetic"]).max())
    off = float(np.abs(energy["imbalance"]).max())
    if not off <= BALANCED * moved:
        raise LawError(
            f"energy: {off:.1e} J are not balanced, {moved:.1e} J were exchanged"
        )
