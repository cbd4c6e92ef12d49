"""Derivatives of any variable from those of the states."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from motorik.analysis.directional import DirectionalCode
from motorik.components.base.user_law import UserLaw, check_arguments, one_scalar
from motorik.errors import SimulationError

if TYPE_CHECKING:
    import casadi

    from motorik.algebra.scalar import Scalar
    from motorik.compiled_model import CompiledModel
    from motorik.components.base.motion import Motion
    from motorik.sensitivity.forward import Motions


# --- as functions of the state ------------------------------------------------------------------


def variables_of_state(system: CompiledModel, names: Sequence[str]) -> casadi.Function:
    """Return the function of (t, x, p) to all numbers of named variables, end to end."""
    import casadi

    layout = system.layout
    t, x, p = _symbols_of_state(system)
    places = {**layout.live_names, **layout.kept_signals}
    rest = [name for name in names if name not in places and name != "time"]
    found = {name: p[place] for name, place in places.items() if name in names}
    found |= {"time": t}
    if rest:
        flat = motion_of_state(system, system.output_function(rest), rest, t, x, p)
        first = 0
        for name in rest:
            size = int(np.prod(system.shape_of(name), dtype=int))
            found[name] = flat[first : first + size]
            first += size
    y = casadi.vertcat(casadi.SX(0, 1), *(found[name] for name in names))
    return casadi.Function("variables", [t, x, p], [casadi.densify(y)])


def value_of_state(
    system: CompiledModel, function: Callable[[Motion], Scalar], argument: str
) -> casadi.Function:
    """Return a function of the motion, which gives one number, as function of (t, x, p)."""
    import casadi

    t, x, p = _symbols_of_state(system)
    named, motion = system.equations.any_view
    check_arguments("gradient", argument, function, ("motion",))
    value = UserLaw("gradient", argument, function, ("motion",), one_scalar)(motion)
    of_motion = casadi.Function(
        "value", [*named.values(), system.equations.p], [casadi.densify(casadi.SX(value))]
    )
    y = motion_of_state(system, of_motion, [argument], t, x, p)
    return casadi.Function("value", [t, x, p], [casadi.densify(y)])


def _symbols_of_state(system: CompiledModel) -> tuple[casadi.SX, casadi.SX, casadi.SX]:
    import casadi

    t, x = casadi.SX.sym("t"), casadi.SX.sym("x", system.n_x)
    return t, x, casadi.SX.sym("p", system.equations.p.numel())


def motion_of_state(
    system: CompiledModel,
    function: casadi.Function,
    names: Sequence[str],
    t: casadi.SX,
    x: casadi.SX,
    p: casadi.SX,
) -> casadi.SX:
    """Return a function of the motion, as `output_function` gives, at a state x and p."""
    import casadi

    layout = system.layout
    X = system.function("full_state")(t, x, p) if layout.has_dependent else x
    n, m = layout.n_q, layout.n_q + layout.n_u
    q, v, z, ud = X[:n], X[n:m], X[m:], casadi.SX.zeros(layout.n_u)
    if function.jac_sparsity(0, 3).nnz():
        ud = system.function("full_state_rates")(t, X, p)[n:m]
    multipliers = casadi.SX.sym("multipliers", function.numel_in(5))
    if system.nonsmooth is not None and function.jac_sparsity(0, 6).nnz():
        forces, p = system.function("forces")(t, X, p), casadi.SX(p)
        for k, place in enumerate(layout.nonsmooth.columns.force.tolist()):
            p[place] = forces[k]
    y = function(t, q, v, ud, z, multipliers, p)
    if casadi.depends_on(y, multipliers):
        raise SimulationError(
            ", ".join(names),
            "depends on reactions of loops, which are no functions of the state here.",
            "Ask for positions, speeds and accelerations.",
            parameter="outputs",
            value=list(names),
        )
    return y


def entries_of(
    system: CompiledModel, outputs: Sequence[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of all numbers of variables, and their units."""
    names, units = [], []
    for name in outputs:
        unit = system.equations.catalogue.find(name)[0].unit
        for index in np.ndindex(*system.shape_of(name)):
            at = ",".join(str(k + 1) for k in index)
            names.append(f"{name}[{at}]" if at else name)
            units.append(unit)
    return tuple(names), tuple(units)


# --- from the derivatives of states -------------------------------------------------------------


def derivatives_of(motions: Motions, names: Sequence[str]) -> dict[str, np.ndarray]:
    """Return the derivatives of variables: samples, the variable's own axes, directions."""
    system, layout = motions.system, motions.system.layout
    count, K = motions.time.size, len(motions.directions)
    index = {name: k for k, name in enumerate(system.state_names)}
    found = {name: motions.S[:, index[name]] for name in names if name in index}
    places = {**layout.live_names, **layout.kept_signals}
    found |= {name: motions.D[:, places[name]] for name in names if name in places}
    found |= {"time": np.zeros((count, K))} if "time" in names else {}
    rest = [name for name in names if name not in found]
    if rest:
        flat = _computed(motions, rest)
        shapes = [system.shape_of(name) for name in rest]
        ends = np.cumsum([np.prod(shape, dtype=int) for shape in shapes])
        for name, shape, part in zip(
            rest, shapes, np.split(flat, ends[:-1], axis=1), strict=True
        ):
            found[name] = part.reshape(count, *shape, K)
    return {name: found[name] for name in names}


def _computed(motions: Motions, names: list[str]) -> np.ndarray:
    """Return the derivatives of variables that are no states: sample, number, direction."""
    system, layout = motions.system, motions.system.layout
    code, K = DirectionalCode.of(system), len(motions.directions)
    count = motions.time.size * K
    t = np.repeat(motions.time.reshape(-1, 1), K, axis=0)
    x, p = (np.repeat(own, K, axis=0) for own in (motions.x, motions.p))
    dx, dp = (own.swapaxes(1, 2).reshape(count, -1) for own in (motions.S, motions.D))
    X, dX = x, dx
    if layout.has_dependent:
        X = system.full_state.map(t, x, p)
        dX = code.along("full_state", (t, x, p), {1: dx, 2: dp})
    q, u, z = layout.split(X)
    dq, du, dz = layout.split(dX)
    function, rates = system.output_function(names), None
    none = np.zeros((count, 0))
    ud, dud = np.zeros((count, layout.n_u)), np.zeros((count, layout.n_u))
    multipliers = np.zeros((count, system.equations.n_multipliers))
    _refuse_reactions(motions, function, names)
    if function.jac_sparsity(0, 3).nnz():
        rates = system.full_state_rates.map(t, X, p)
        _, ud, _ = layout.split(rates)
        moved = code.along("full_state_rates", (t, X, p), {1: dX, 2: dp})
        _, dud, _ = layout.split(moved)
    given = t, q, u, ud, z, multipliers if multipliers.size else none, p
    changes = {1: dq, 2: du, 3: dud, 4: dz, 6: dp}
    flat = code.outputs_along(names, given, changes)
    return flat.reshape(motions.time.size, K, -1).swapaxes(1, 2)


def _refuse_reactions(motions: Motions, function: object, names: list[str]) -> None:
    """Refuse variables that need reactions of loops, or forces that switch."""
    system = motions.system
    needs = bool(function.jac_sparsity(0, 5).nnz())  # type: ignore[attr-defined]
    if system.nonsmooth is not None:
        pattern = function.jac_sparsity(0, 6)  # type: ignore[attr-defined]
        columns = set(pattern.get_triplet()[1])
        needs |= bool(columns & set(system.layout.nonsmooth.columns.force.tolist()))
    if needs:
        raise SimulationError(
            ", ".join(names),
            "depends on reactions of loops, friction or contacts, whose derivatives are not "
            "computed.",
            "Ask for positions, speeds and accelerations.",
            parameter="outputs",
            value=names,
        )
