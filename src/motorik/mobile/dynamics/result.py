"""SystemResult: what the integration of a dynamic system gives, every quantity over time."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from motorik.errors import IncompleteRunWarning, UnknownNameError, suggest
from motorik.mobile.compiled.quantities import Quantity
from motorik.mobile.dynamics.dynamic_system import DynamicSystem
from motorik.mobile.states.frame import Frame
from motorik.mobile.states.preserved import preserved
from motorik.mobile.states.transmission import Memory, State
from motorik.mobile.states.variable import AngularVariable, LinearVariable, StateVariable
from motorik.results import RunInfo, Series

OF_FRAME = {
    "p": "m",
    "r": "m",
    "R": "1",
    "lin_v": "m/s",
    "ang_v": "rad/s",
    "lin_a": "m/s2",
    "ang_a": "rad/s2",
    "f": "N",
    "t": "N.m",
}
"""The quantities of a frame and their units."""

OF_KIND = (
    (AngularVariable, {"q": "rad", "qd": "rad/s", "qdd": "rad/s2", "Q": "N.m"}),
    (LinearVariable, {"q": "m", "qd": "m/s", "qdd": "m/s2", "Q": "N"}),
    (StateVariable, {"q": "1", "qd": "1/s", "qdd": "1/s2", "Q": "1"}),
)
"""The quantities of variables and their units."""


def units_of(state: State) -> dict[str, str]:
    """Return the quantities of a state object with their units."""
    if isinstance(state, Frame):
        return OF_FRAME
    return next(units for kind, units in OF_KIND if isinstance(state, kind))


class SystemResult(Series):
    """The states of a dynamic system over time, and from them its frames and variables.

    ``result["phi"]`` is a state. All other quantities of the frames and variables that have
    names are computed when they are first asked for, by moving the system through the rows
    once more, with the parameters that it had: ``result["K2.p"]`` is the place of a frame
    in inertial axes, ``result["phi.Q"]`` the force along a variable. Plots, tables and
    files are those of any result.
    """

    def __init__(
        self,
        system: DynamicSystem,
        time: np.ndarray,
        states: np.ndarray,
        info: RunInfo,
        start: Start,
    ) -> None:
        super().__init__(time)
        self._system, self._start, self.info = system, start, info
        self.states = np.array(states, dtype=float)
        self.states.flags.writeable = False
        self.state_names = list(system.names)
        self._units = dict(zip(self.state_names, system.units, strict=True))
        self._quantities = _quantities(system)
        self._known: dict[str, np.ndarray] = {}

    @property
    def complete(self) -> bool:
        """Whether the run reached its end; `info.message` says why if it did not."""
        return self.info.complete

    @property
    def system(self) -> DynamicSystem:
        """The system that was integrated."""
        return self._system

    def names(self) -> list[str]:
        """Return the names of the states, and of all quantities of frames and variables."""
        return [*self.state_names, *self._quantities]

    def _default_names(self) -> Sequence[str]:
        return self.state_names

    def unit(self, name: str) -> str:
        """Return the unit of a quantity, e.g. "rad/s"."""
        if name == "time":
            return "s"
        if name in self._units:
            return self._units[name]
        quantity = self._find(name)
        return units_of(quantity.state)[quantity.name]

    def _find(self, name: str) -> Quantity:
        if name not in self._quantities:
            raise UnknownNameError(
                "result",
                f"has no variable {name!r}.",
                suggest(name, self.names()),
                value=name,
            )
        return self._quantities[name]

    def _values_of(self, name: str) -> np.ndarray:
        if name in self._units:
            return self.states[:, self.state_names.index(name)]
        if name not in self._known:
            self.compute([name])
        return self._known[name]

    def compute(self, names: Iterable[str]) -> dict[str, np.ndarray]:
        """Return several quantities at once; cheaper than one after another."""
        names = list(names)
        new = {n: self._find(n) for n in names if n not in self._units and n != "time"}
        new = {name: quantity for name, quantity in new.items() if name not in self._known}
        if new:
            rows = self._start.follow(
                self.time,
                self.states,
                lambda: [np.array(q.read(), dtype=float) for q in new.values()],
            )
            for i, (name, quantity) in enumerate(new.items()):
                values = np.array([row[i] for row in rows])
                self._known[name] = values.reshape(len(self), *quantity.shape)
                self._known[name].flags.writeable = False
        return {name: self[name] for name in names}

    def _notes(self) -> dict[str, str | int]:
        return {
            "made_by": "motorik",
            "system": type(self._system).__name__,
            "method": self.info.method,
            "complete": int(self.complete),
            "message": self.info.message,
        }

    def summary(self) -> str:
        """Return what was run and what it cost, as text."""
        info = self.info
        lines = [
            f"{type(self._system).__name__}: {self.time[0]:g} s to {self.time[-1]:g} s, "
            f"{len(self.state_names)} states, {len(self)} rows",
            f"  method      {info.method}, relative tolerance {info.tolerance:g}",
            f"  steps       {info.steps} accepted, {info.rejected} rejected",
            f"  evaluations {info.evaluations}, Jacobians {info.jacobians}",
            f"  computed in {1e3 * info.wall_time:.3f} ms",
        ]
        if not self.complete:
            lines.append(f"  incomplete  {info.message}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        ended = "" if self.complete else f", incomplete: {self.info.message}"
        kind = type(self._system).__name__
        return (
            f"<SystemResult of {kind}: {len(self)} rows to t = {self.time[-1]:g} s{ended}>"
        )


class Start:
    """What a system was like when a run began: its parameters and all state objects."""

    def __init__(self, system: DynamicSystem) -> None:
        self._system = system
        self._states: list[tuple[State, Memory]] = [(s, s.keep()) for s in system.touched]
        self._entries = [tuple(p.entries) for p in system.parameters]

    def follow(
        self, time: np.ndarray, states: np.ndarray, read: Callable[[], list[np.ndarray]]
    ) -> list[list[np.ndarray]]:
        """Return what is read at each row, the system moving through them as in the run."""
        system, rows = self._system, []
        parameters = system.parameters
        now = [tuple(parameter.entries) for parameter in parameters]
        conditions = list(system.conditions)
        with preserved(system.touched):
            try:
                for parameter, entries in zip(parameters, self._entries, strict=True):
                    parameter.assign(entries)
                for state, memory in self._states:
                    state.restore(memory)
                for t, y in zip(time.tolist(), states.tolist(), strict=True):
                    system.arrive(t, y)
                    rows.append(read())
            finally:
                for parameter, entries in zip(parameters, now, strict=True):
                    parameter.assign(entries)
                system.set_conditions(conditions)
        return rows


def _quantities(system: DynamicSystem) -> dict[str, Quantity]:
    """Return the quantities of all state objects whose names are their own."""
    named: dict[str, State | None] = {}
    for state in system.touched:
        if state.name:
            named[state.name] = None if state.name in named else state
    return {
        f"{name}.{entry}": Quantity(state, entry)
        for name, state in named.items()
        if state is not None
        for entry in units_of(state)
    }


def warn_incomplete(result: SystemResult) -> None:
    """Tell the user that a run did not reach its end."""
    if not result.complete:
        warnings.warn(IncompleteRunWarning(result.info.message), stacklevel=3)
