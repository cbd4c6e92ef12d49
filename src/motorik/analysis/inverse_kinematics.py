"""Inverse kinematics: coordinates at which variables have given values and loops close."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from motorik.algebra.scalar import Scalar
from motorik.components.base.contributions import InitialCondition
from motorik.errors import ParameterError, UnknownNameError, suggest
from motorik.loops.closing import Moment
from motorik.motion.catalogue import position_of, ravel
from motorik.motion.view import MotionView
from motorik.start.checks import finite_numbers, is_number, named_values
from motorik.start.find import find_start
from motorik.start.problem import StartProblem
from motorik.system.system import System

Target = float | Sequence[float] | np.ndarray


def inverse_kinematics(
    system: System, targets: Mapping[str, Target], start: Mapping[str, float]
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
    demands = [_target(system, name, value) for name, value in targets.items()]
    q = problem.positions(q, free, demands)
    return dict(zip(names, q.tolist(), strict=True))


def _number(name: str, value: object) -> float:
    """Return a start value that is one finite number, or refuse it."""
    if not is_number(value):
        raise ParameterError(
            name,
            f"{value!r} is no start value.",
            "Give a finite number.",
            parameter=name,
            value=value,
        )
    return float(value)  # type: ignore[arg-type]


def _target(system: System, name: str, value: Target) -> InitialCondition:
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
    return InitialCondition(part, rest, 0, residual)  # type: ignore[arg-type]
