"""Inverse kinematics: coordinates at which variables have given values and loops close."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from motorik.algebra.scalar import Scalar
from motorik.analysis.out_of_reach import Target, refuse_targets
from motorik.components.base.contributions import InitialCondition
from motorik.errors import AssemblyError, ParameterError, UnknownNameError, suggest
from motorik.loops.closing import Moment
from motorik.motion.catalogue import position_of, ravel
from motorik.motion.view import MotionView
from motorik.start.checks import finite_numbers, is_number, named_values
from motorik.start.find import find_start
from motorik.start.problem import StartProblem
from motorik.system.system import System

Numbers = float | Sequence[float] | np.ndarray


def inverse_kinematics(
    system: System, targets: Mapping[str, Numbers], start: Mapping[str, float]
) -> dict[str, float]:
    """Return the coordinates at which variables have given values and all loops close.

    The search begins at the start of the model; start values that are fixed there are free
    here, those in `start` are kept.
    """
    named_values("targets", targets, '{"tool.frame_b.r_0": (0.4, 0.2, 0)}')
    named_values("start", start, '{"hinge.phi": 0.5}')
    begin = find_start(system, {}, system.parameter_values())
    system, layout = begin.system, begin.system.layout
    q, _, z = (values.copy() for values in layout.split(begin.X))
    names = [state.name for state in layout.coordinates]
    free = np.ones(q.size, dtype=bool)
    for name, value in start.items():
        if name not in names:
            raise UnknownNameError(
                "start",
                f"no coordinate {name!r}.",
                suggest(name, names),
                parameter=name,
                value=name,
            )
        k = layout.index[name]
        q[k], free[k] = _number(name, value), False
    moment = Moment(layout.live_of(begin.p), 0.0, tuple(z.tolist()))
    problem = StartProblem(system, moment)
    wanted = [_target(system, name, value) for name, value in targets.items()]
    try:
        found = problem.positions(q, free, [target.demand for target in wanted])
    except AssemblyError:
        if not problem.is_closed_near(q, free):
            raise
        refuse_targets(problem, q, free, wanted)
    return dict(zip(names, found.tolist(), strict=True))


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


def _target(system: System, name: str, value: Numbers) -> Target:
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
