"""Inverse kinematics: coordinates at which variables have given values and loops close."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from motorik.algebra.scalar import Scalar
from motorik.components.contributions import Demand
from motorik.errors import ParameterError, UnknownNameError, suggest
from motorik.loops.closing import Moment
from motorik.motion.catalogue import flatten, position_of
from motorik.motion.view import MotionView
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
    begin = find_start(system, {}, system.parameter_values())
    system, layout = begin.system, begin.system.layout
    q, _, z = (values.copy() for values in layout.split(begin.X))
    names = [state.name for state in layout.coordinates]
    free = np.ones(q.size, dtype=bool)
    for name, value in start.items():
        if name not in names:
            raise UnknownNameError(
                "start", f"no coordinate {name!r}.", suggest(name, names)
            )
        k = layout.index[name]
        q[k], free[k] = float(value), False
    moment = Moment(layout.live_of(begin.p), 0.0, tuple(z.tolist()))
    problem = StartProblem(system, moment)
    demands = [_target(system, name, value) for name, value in targets.items()]
    q = problem.positions(q, free, demands)
    return dict(zip(names, q.tolist(), strict=True))


def _target(system: System, name: str, value: Target) -> Demand:
    entry, index = system.equations.catalogue.find(name)
    wanted = np.asarray(value, dtype=float).ravel()
    shape = system.shape_of(name)
    size = int(np.prod(shape, dtype=int))
    if wanted.size != size or not np.isfinite(wanted).all():
        raise ParameterError(
            name, f"cannot become {value!r}.", f"Give {size} finite number(s) in SI units."
        )

    def residual(view: MotionView) -> tuple[Scalar, ...]:
        flat, whole = flatten(entry.value(view))
        if index is not None:
            flat = [flat[position_of(name, index, whole)]]
        return tuple(a - float(b) for a, b in zip(flat, wanted, strict=True))

    part, _, rest = name.rpartition(".")
    return Demand(part, rest, 0, residual)  # type: ignore[arg-type]
