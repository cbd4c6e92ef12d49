"""OperatingPoint: the state about which a model is analysed, consistent and with its modes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from motorik.errors import (
    DeadCentreError,
    ParameterError,
    SimulationError,
    UnknownNameError,
    suggest,
)
from motorik.immutable import immutable
from motorik.initialisation.given import is_number
from motorik.initialisation.initialise import InitialState, initialise

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel

ChooseModes = Callable[[InitialState], np.ndarray]
"""Returns the live numbers of a state with the modes of all nonsmooth constraints."""


@immutable
class OperatingPoint:
    """A system at a time t [s], with the motion X, the state x and the parameters p.

    The loops are closed, and what can stick or close has its mode. The system is the one
    given, or another formulation of the same mechanism: without Baumgarte's gains, whose
    eigenvalues are none of the mechanism, and by projection at a dead centre.
    """

    system: CompiledModel
    t: float
    X: np.ndarray
    x: np.ndarray
    p: np.ndarray
    choose: ChooseModes

    @staticmethod
    def find(
        system: CompiledModel,
        at: Mapping[str, float] | None,
        live: np.ndarray,
        time: float | None,
        branch: Mapping[str, str] | None,
        choose: ChooseModes,
    ) -> OperatingPoint:
        """Return the consistent point near the values `at`, by default the start of the model.

        The time is that of `at` if this is a sample of a result and no other is given.
        """
        given = _state(system, at)
        t = _time(getattr(at, "time", 0.0) if time is None else time)
        if not system.facts.is_tree and system.formulation.gains is not None:
            system = system.projected
        try:
            found = initialise(system, given, live, t, branch, choose)
        except DeadCentreError:
            found = initialise(system.projected, given, live, t, None, choose)
        return OperatingPoint.of(found, choose)

    @staticmethod
    def of(state: InitialState, choose: ChooseModes) -> OperatingPoint:
        """Return the point of a consistent state, with its modes found."""
        p = state.p.copy()
        if state.system.nonsmooth is not None:
            p[: state.system.layout.n_live] = choose(state)
        return OperatingPoint(state.system, state.t, state.X, state.x, p, choose)

    @property
    def live(self) -> np.ndarray:
        """The values of the live parameters."""
        return self.system.layout.live_of(self.p)

    @property
    def time(self) -> np.ndarray:
        """The time as native functions take it."""
        return np.array([self.t])

    @property
    def sticking(self) -> list[int]:
        """The numbers of the nonsmooth constraints that stick or are closed."""
        if self.system.nonsmooth is None:
            return []
        return np.flatnonzero(self.p[self.system.layout.nonsmooth.columns.stick]).tolist()

    @property
    def held(self) -> dict[str, str]:
        """The parts that hold a freedom by friction or contact: "stuck" or "closed"."""
        if self.system.nonsmooth is None:
            return {}
        own = [self.system.nonsmooth.constraints[k] for k in self.sticking]
        return {c.part.path: "stuck" if c.gap is None else "closed" for c in own}

    def with_forces(self) -> np.ndarray:
        """Return p with the forces of the nonsmooth constraints at this point."""
        rows = self.system.with_forces(self.time, self.X[None], self.p)
        return np.array(rows).reshape(-1)[-self.p.size :]


def _state(system: CompiledModel, at: object) -> Mapping[str, float]:
    """Return the values of one state by name, or refuse what is none."""
    if at is None:
        return {}
    index, first = system.layout.index, next(iter(system.layout.index), "hinge.phi")
    if not isinstance(at, Mapping):
        raise ParameterError(
            "at",
            f"a {type(at).__name__} is not one state.",
            f"Give values by name, {{{first!r}: 0.1}}, a sample of a result, result.sample(-1), "
            "or an equilibrium.",
            parameter="at",
            value=at,
        )
    for name, value in at.items():
        if name not in index and name not in system.layout.kept_signals:
            raise UnknownNameError(
                "at",
                f"there is no state {name!r}.",
                suggest(str(name), [*index, *system.layout.kept_signals]),
                parameter="at",
                value=name,
            )
        if np.ndim(value):  # type: ignore[arg-type]
            raise ParameterError(
                str(name),
                f"has {np.size(value)} values, where one state is needed.",  # type: ignore[arg-type]
                "Give one number. Rows are taken by model.jacobian and model.mass_matrix.",
                parameter="at",
                value=value,
            )
    return at


def _time(t: object) -> float:
    """Return a time [s], or refuse a value that is none."""
    if not is_number(t):
        raise SimulationError(
            "time",
            f"{t!r} is not a time.",
            "Give a finite number of seconds.",
            parameter="time",
            value=t,
        )
    return float(t)  # type: ignore[arg-type]
