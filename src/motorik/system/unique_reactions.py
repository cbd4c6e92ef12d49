"""Reactions that must be unique: those which friction or forces of the model depend on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from motorik.errors import AssemblyError
from motorik.motion.feedback import algebraic_loop_in

if TYPE_CHECKING:
    from motorik.algebra.scalar import Scalar
    from motorik.loops.equations_of_motion import LoopEquations
    from motorik.motion.view import MotionView
    from motorik.nonsmooth.laws.forces import NonsmoothConstraints


def check_bounds(loops: LoopEquations, nonsmooth: NonsmoothConstraints) -> None:
    """Refuse friction that follows from a reaction which redundant rows leave open."""
    unique = loops.are_unique(
        lambda motion: [bounds.high for bounds in nonsmooth.bounds(motion)]
    )
    for constraint, is_unique in zip(nonsmooth.constraints, unique, strict=True):
        if not is_unique:
            _refuse(
                loops, constraint.part.path, "its friction follows from its own reaction"
            )


def check_readings(
    loops: LoopEquations, motion: MotionView, values: Sequence[Scalar]
) -> None:
    """Refuse forces that follow from readings which redundant rows leave open."""
    import casadi

    found = algebraic_loop_in(motion, casadi.SX(casadi.vertcat(*values)))
    wanted = [symbol.element_hash() for symbol in found.y]
    unknowns = motion.mechanism.signals.unknowns.values()

    def readings(motion: MotionView) -> list[Scalar]:
        read = {
            symbol.element_hash(): value
            for sensor, symbols in unknowns
            if any(sensor is own for own in found.sensors)
            for symbol, value in zip(symbols, sensor.reading(motion), strict=True)
        }
        return [read[own] for own in wanted]

    unique = loops.are_unique(readings)
    for sensor, is_unique in zip(found.sensors, unique, strict=True):
        if not is_unique:
            _refuse(
                loops, sensor.part.path, "a force depends on the reaction that it reads"
            )


def _refuse(loops: LoopEquations, part: str, what: str) -> None:
    decisions = loops.formulation.decisions
    redundant = [d.cluster for d in decisions if d.cluster.redundant]
    names = ", ".join(sorted(n for c in redundant for n in c.names(loops.mechanism)))
    raise AssemblyError(
        part,
        f"{what}, which is not unique: it stands in a loop with redundant constraints "
        f"({names}), and nothing tells how they share the load.",
        "Replace a joint of the loop by one with more freedom, e.g. a hinge by a cylindrical or "
        "spherical joint, until nothing is redundant, or use components that are unique, "
        "such as the forces in the plane of a planar loop.",
    )
