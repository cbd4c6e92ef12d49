"""Checks at the first start of a system: inertia of every motion, correct machine code."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

import numpy as np

from motorik.compiler.symbols import elements
from motorik.errors import (
    AssemblyError,
    CompileError,
    InitialValueError,
    LockWarning,
    UnknownNameError,
    calls_within_motorik,
)
from motorik.motion.view import MotionView
from motorik.numerics.tolerances import (
    DEPENDENT_SCREWS,
    INERTIA_ROOT,
    SAME_CODE,
    UNRESISTED_MOTION,
)
from motorik.system.native_functions import ROLL_FROM

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel

ASIDE = 1e-2  # how far from the start the code is compared, in scales


def check_directions(system: CompiledModel, X: np.ndarray, live: np.ndarray) -> None:
    """Raise `InitialValueError` if a force along a line has no direction at the start."""
    if not system.mechanism.forces:
        return
    from motorik.motion.nonfinite_laws import find_undirected_force

    q, u, _ = (values.tolist() for values in system.layout.split(X))
    words = find_undirected_force(system.numeric_at(live), q, u)
    if words:
        part, _, why = words.partition(": ")
        raise InitialValueError(part, why, "Start where its ends are apart.")


def warn_of_locks(system: CompiledModel) -> None:
    """Warn of gears that contradict one another."""
    for lock in system.mechanism.locks:
        warnings.warn(
            f"{lock} Make the ratios equal, remove one of them, or put a spring or a clutch "
            "between two of the flanges.",
            LockWarning,
            stacklevel=calls_within_motorik(),
        )


def check_expressions(system: CompiledModel) -> None:
    """Raise an error of an `Expression` of the user now, also where nothing reads its signal."""
    measurements = system.mechanism.signals.inventory.measurements
    if not measurements:
        return
    from motorik.components.blocks.sources import Expression

    own = [m for m in measurements if isinstance(m.part, Expression)]
    if not own:
        return
    equations = system.equations
    t, q, u, ud, z, forces = equations.symbols("t", "q", "u", "ud", "z", "lambda")
    motion = elements(q), elements(u), elements(ud)
    view = MotionView(system.mechanism, *motion, t, elements(z), elements(forces))
    for measurement in own:
        try:
            measurement.reading(view)
        except UnknownNameError as error:
            raise UnknownNameError(
                measurement.part.path,
                f"reads {error.value!r} of {error.path}, which {error.reason}",
                error.remedy,
                parameter="f",
                value=error.value,
            ) from error


def check_inertia(system: CompiledModel, X: np.ndarray, p: np.ndarray) -> None:
    """Raise `AssemblyError` if a freedom moves without inertia in the motion X."""
    layout, n = system.layout, system.n_u
    if n >= ROLL_FROM or not n or not layout.n_x:
        return
    q, _, z = layout.split(X)
    unit = system.scales.speeds
    M = np.asarray(system.function("mass_matrix")(q, p)).reshape(n, n) * np.outer(
        unit, unit
    )
    names = [state.name for state in layout.speeds]
    if not system.formulation.is_empty:
        from motorik.dynamics.massless import check_allowed

        constraints = system.formulated.of_loops.constraints
        G = system.scales.matrix(constraints.matrix(q, layout.live_of(p), 0.0, z))
        heavy = [k for k in range(n) if k not in system.mechanism.massless]
        try:
            check_allowed(M[np.ix_(heavy, heavy)], G[:, heavy], [names[k] for k in heavy])
        except AssemblyError:
            refuse_gimbal_lock(system, q, p)
            raise
        return
    scale = np.sqrt(np.maximum(np.diag(M), 0.0))
    for k, name in enumerate(names):
        if not scale[k] > INERTIA_ROOT * scale.max():
            raise AssemblyError(
                name.rsplit(".", 1)[0],
                f"nothing resists the motion {name}: its inertia is {M[k, k]:.3g}.",
                "Give the bodies behind this joint inertia about its axis.",
            )
    values, vectors = np.linalg.eigh(M / np.outer(scale, scale))
    if values[0] < UNRESISTED_MOTION:
        from motorik.dynamics.massless import refuse_massless

        refuse_gimbal_lock(system, q, p)
        refuse_massless(vectors[:, 0], names)


def refuse_gimbal_lock(system: CompiledModel, q: np.ndarray, p: np.ndarray) -> None:
    """Raise `AssemblyError` if the screws of a joint depend on one another in a pose.

    Of three angles the first and the last axis are parallel there: their rates are
    undetermined, though bodies have mass.
    """
    for link in system.mechanism.links:
        if len(link.u) < 2:
            continue
        screws = link.joint.screws(*q[link.q.start : link.q.stop].tolist())
        parts = [(*screw.resultant.xyz, *screw.moment.xyz) for screw in screws]
        if not all(isinstance(x, (int, float)) for row in parts for x in row):
            continue  # a live axis
        S = np.array(parts, dtype=float)
        sizes = np.linalg.norm(S, axis=1, keepdims=True)
        _, values, directions = np.linalg.svd((S / np.where(sizes > 0.0, sizes, 1.0)).T)
        if values[-1] > DEPENDENT_SCREWS * values[0]:
            continue
        names = [system.layout.speeds[k].name for k in link.u]
        moved = [n for n, x in zip(names, directions[-1], strict=True) if abs(x) > 0.1]
        at = system.layout.coordinates[link.q.start : link.q.stop]
        pose = ", ".join(
            f"{own.name} = {value:.6g}"
            for own, value in zip(at, q[link.q.start : link.q.stop], strict=True)
        )
        raise AssemblyError(
            link.part,
            f"is in gimbal lock at {pose}: the axes of its angles are parallel or in one "
            f"plane, so that {', '.join(moved)} are undetermined.",
            "Start at other angles, give another sequence of axes, or take quaternions "
            "(useQuaternions=True).",
        )


def check_balance(system: CompiledModel, t: float, X: np.ndarray, p: np.ndarray) -> None:
    """Raise `AssemblyError` if nothing holds a point without mass in some direction."""
    margins = system.form.solution.equilibrium_margins
    if margins is not None:
        q, _, z = system.layout.split(X)
        margins.check(q, system.layout.live_of(p), t, z.tolist())


def check_machine_code(
    system: CompiledModel, t: float, x: np.ndarray, p: np.ndarray
) -> None:
    """Raise `CompileError` if the machine code gives other rates than the equations."""
    if system.is_rolled or not x.size:
        return
    # near the start, where hardly anything is zero by chance
    scale = np.concatenate([system.scales.coordinates, system.scales.speeds])
    scale = np.append(scale, np.ones(len(system.layout.blocks)))
    aside = ASIDE * np.sin(np.arange(1.0, x.size + 1.0))
    x = x + aside * system.layout.state_of(scale)
    response = system.equations.response
    if response is None:
        own, function = system.derivative, system.function("derivative")
    else:  # the kernels that use the response are the same for all models
        own, function = response.natives["response"], response.function
    made = own(np.array([t]), x, p)
    wanted = np.asarray(function(t, x, p), dtype=float).ravel()
    largest = np.abs(wanted).max(initial=0.0)
    apart = np.nan_to_num(np.abs(made - wanted), nan=0.0).max(initial=0.0)
    if np.isfinite(largest) and apart > SAME_CODE * largest:
        raise CompileError(
            system.mechanism.name,
            f"its machine code differs from its equations by {apart:.3g}.",
            "This is a fault of the code generator of LLVM: please report the model.",
        )
