"""Friction and stops in a given motion: sliding forces are known, static ones share the load."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from motorik.analysis.directional import DirectionalCode
from motorik.analysis.friction_kernels import drives_size, least_drive_rows
from motorik.compiler.kernels import native
from motorik.compiler.symbols import elements
from motorik.errors import AssemblyError
from motorik.motion.view import MotionView
from motorik.numerics.tolerances import AT_REST_IN_MOTION

if TYPE_CHECKING:
    import casadi

    from motorik.compiled_model import CompiledModel
    from motorik.nonsmooth.laws.forces import NonsmoothConstraints

KINDS = ("low", "high", "forward", "backward", "on", "gap")


class GivenFriction:
    """The forces of the nonsmooth constraints in a given motion.

    A sliding constraint has its sliding force; one that starts to move that in the direction of
    its acceleration. At rest any force within the bounds is possible: those are taken that
    leave the smallest drive forces.
    """

    def __init__(self, system: CompiledModel) -> None:
        import casadi

        assert system.nonsmooth is not None
        nonsmooth = system.nonsmooth
        self.size = nonsmooth.size
        t, X, ud = system.equations.symbols("t", "X", "ud")
        q, u, z = system.layout.split(elements(X))
        motion = MotionView(system.mechanism, q, u, elements(ud), t, z)
        bounds, speeds = nonsmooth.bounds(motion), nonsmooth.speeds(motion)
        gaps = [np.inf if s.gap is None else s.gap(motion) for s in nonsmooth.constraints]
        columns = [[getattr(one, kind) for one in bounds] for kind in KINDS[:-1]]
        values = casadi.vertcat(*(casadi.SX(e) for own in (*columns, gaps) for e in own))
        p = system.equations.p
        ways = casadi.vertcat(
            *(p[int(k)] for k in system.layout.nonsmooth.columns.direction)
        )
        values = casadi.substitute(values, ways, casadi.sign(casadi.vertcat(*speeds)))
        inner = [p[k] for k in system.layout.internal]
        _refuse_linked(nonsmooth, values, casadi.vertcat(ud, *inner))
        motions = [*speeds, *nonsmooth.accelerations(motion)]
        needed = system.function("imbalance")(t, X, ud, p)
        by_force = casadi.jacobian(needed, nonsmooth.symbols)
        self._sizes = [values.numel(), len(motions), by_force.numel()]
        column = casadi.vertcat(values, *motions, casadi.vec(casadi.densify(by_force)))
        self.function = casadi.Function(
            "given_friction", [t, X, ud, p], [casadi.densify(column)]
        )
        self._code = DirectionalCode.of(system)

    @staticmethod
    def of(system: CompiledModel) -> GivenFriction:
        """Return those of a system, traced once."""
        code = DirectionalCode.of(system)
        if code.friction is None:
            code.friction = GivenFriction(system)
        return code.friction

    def rows(
        self, time: np.ndarray, X: np.ndarray, ud: np.ndarray, p: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return lower and upper force of each constraint, and −∂(needed forces)/∂force, in rows.

        They are equal where the constraint moves, which is judged by its largest speed.
        """
        count = time.size
        code = self._code.mapped("given friction", lambda: self.function, count)
        found = code.map(time.reshape(-1, 1), X, ud, p)
        values, motions, by_force = np.split(found, np.cumsum(self._sizes)[:2], axis=1)
        kinds = values.reshape(count, len(KINDS), -1)
        low, high, forward, backward, on, gap = kinds.transpose(1, 0, 2)
        w, a = motions.reshape(count, 2, -1).transpose(1, 0, 2)
        fast = np.abs(w).max(axis=0, initial=0.0)
        moves = np.where(np.abs(w) > AT_REST_IN_MOTION * fast, np.sign(w), 0.0)
        moves = np.where(
            (moves == 0.0) & (np.abs(a) > AT_REST_IN_MOTION * fast), np.sign(a), moves
        )
        slides = np.where(moves > 0.0, forward, backward)
        is_off = (on <= 0.0) | ((gap > 0.0) & np.isfinite(gap))
        least = np.where(is_off, 0.0, np.where(moves != 0.0, slides, low))
        most = np.where(is_off, 0.0, np.where(moves != 0.0, slides, high))
        C = by_force.reshape(count, self.size, -1).transpose(0, 2, 1)
        return least, most, -C


def _refuse_linked(
    nonsmooth: NonsmoothConstraints, bounds: casadi.SX, inner: casadi.SX
) -> None:
    """Refuse force bounds that depend on forces: in a given motion these depend on the drives.

    Such a dependence is seen by accelerations and by `inner` numbers that events set.
    """
    import casadi

    for k, constraint in enumerate(nonsmooth.constraints):
        own = bounds[k :: nonsmooth.size]
        if casadi.depends_on(own, inner):
            raise AssemblyError(
                constraint.part.path,
                "has friction that depends on the force it carries, which a given motion "
                "does not determine.",
                "Simulate with the motion prescribed (`Position`, `Move`), and read the force "
                "of the drive.",
                parameter=constraint.force,
            )


def least_drives(
    A: np.ndarray, C: np.ndarray, right: np.ndarray, low: np.ndarray, high: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return drives f and constraint forces λ with A f + C λ = right and the smallest f, in rows.

    λ is between `low` and `high`; where no drives do it, least is missed.
    """
    count, m, n = A.shape
    size = C.shape[2]
    drives, forces = np.zeros((count, n)), np.clip(np.zeros((count, size)), low, high)
    given = [np.ascontiguousarray(own) for own in (A, C, right, low, high)]
    native(least_drive_rows)(
        count, m, n, size, *given, drives, forces, np.zeros(size, dtype=np.int64),
        np.zeros(drives_size(m, n, size)),
    )  # fmt: skip
    return drives, forces
