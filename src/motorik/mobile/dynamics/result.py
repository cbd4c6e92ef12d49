"""SystemResult: the result of an integration, every quantity over time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, NoReturn, TypeVar

import numpy as np

from motorik.errors import MotorikError, SimulationError, UnknownNameError, suggest
from motorik.mobile.compiled.quantities import StateQuantity
from motorik.mobile.compiled.system import CompiledSystem
from motorik.mobile.compiled.traced_system import LiveInputs, unknowns_of
from motorik.mobile.dynamics.dynamic_system import DynamicSystem
from motorik.mobile.elements.output_generator import quiet
from motorik.mobile.solvers.constraint_solver import ConstraintSolver
from motorik.mobile.states.frame import Frame
from motorik.mobile.states.preserved import preserved
from motorik.mobile.states.transmission import Memory, State
from motorik.mobile.states.variable import AngularVariable, LinearVariable, StateVariable
from motorik.results import ParameterValues, Result, RunInfo
from motorik.results.result import Interpolation
from motorik.results.series import frozen, split_index
from motorik.results.shown import HasScene
from motorik.results.values import ParameterValue

if TYPE_CHECKING:
    from motorik.view.scene import Scene

S = TypeVar("S")
T = TypeVar("T")

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


OF_RATES = ("lin_a", "ang_a", "f", "t", "qdd", "Q")
"""The quantities that follow from the rates of the states."""


def units_of(state: State) -> dict[str, str]:
    """Return the quantities of a state object with their units."""
    if isinstance(state, Frame):
        return OF_FRAME
    return next(units for kind, units in OF_KIND if isinstance(state, kind))


class SystemResult(HasScene, Result):
    """The states of a dynamic system over time, and from them its frames and variables.

    ``result["phi"]`` is a state. All other quantities of the frames and variables that have
    names are computed when they are first requested for, by moving the system through the rows
    once more, with the parameters that it had: ``result["K2.p"]`` is the place of a frame
    in inertial axes, ``result["phi.Q"]`` the force along a variable. Plots, tables, files,
    energies, pictures and movies are those of any result.
    """

    def __init__(
        self,
        system: DynamicSystem,
        time: np.ndarray,
        states: np.ndarray,
        info: RunInfo,
        start: RunStart,
    ) -> None:
        super().__init__(time, info)
        self._system, self._start = system, start
        self._states = frozen(states)
        self._names = list(system.names)
        self._units = dict(zip(self._names, system.units, strict=True))
        self._quantities = _quantities(system)

    @property
    def system(self) -> DynamicSystem:
        """The system that was integrated."""
        return self._system

    @property
    def model(self) -> NoReturn:
        """Refuse: a MOBILE program has no model."""
        raise SimulationError(
            "result.model",
            "the result is that of a MOBILE program, which has no model.",
            "Use `result.system`, the system that was integrated.",
        )

    @property
    def parameters(self) -> ParameterValues:
        """The values of the live parameters that have names, as they were in this run."""
        return ParameterValues(
            {name: ParameterValue(value) for name, value in self._start.parameters.items()}
        )

    @property
    def states(self) -> np.ndarray:
        """The states over time, one column each, in the order of `state_names`."""
        return self._states

    @property
    def state_names(self) -> list[str]:
        """The names of the states."""
        return list(self._names)

    @property
    def rates(self) -> np.ndarray:
        """The rates of the states over time."""
        return self._rates

    @cached_property
    def _rates(self) -> np.ndarray:
        return frozen(np.array(self.follow(list)))

    @property
    def motion_names(self) -> list[str]:
        """The names of the states, then positions and speeds of dependent variables of loops."""
        return [*self._names, *self._dependent]

    @property
    def motion(self) -> np.ndarray:
        """The states and the dependent variables over time, as `motion_names` lists them."""
        found = self.compute(self._dependent).values()
        return frozen(np.column_stack([self._states, *found]))

    @property
    def _dependent(self) -> list[str]:
        return [
            name
            for name, quantity in self._quantities.items()
            if getattr(quantity.state, "is_dependent", False)
            and quantity.name in ("q", "qd")
        ]

    def names(self) -> list[str]:
        """Return the names of the states, and of all quantities of frames and variables."""
        return [*self._names, *self._quantities]

    def unit(self, name: str) -> str:
        """Return the unit of a quantity, e.g. "rad/s"."""
        if name == "time":
            return "s"
        if name in self._units:
            return self._units[name]
        quantity, _ = self._find(name)
        return units_of(quantity.state)[quantity.name]

    def _interpolated(self, t: np.ndarray) -> SystemResult:
        at = Interpolation.between(self._time, t)
        states = at.of(self._states, self._rates)
        start = self._start.near(at.nearest)
        return SystemResult(self._system, t, states, self.info, start)

    def _find(self, name: str) -> tuple[StateQuantity, tuple[int, ...]]:
        """Return a quantity, and the index of the element of it that a name asks for."""
        whole, index = (name, ()) if name in self._quantities else split_index(name)
        quantity = self._quantities.get(whole)
        if quantity is None:
            known = suggest(name, self.names())
            raise UnknownNameError(
                "result", f"has no variable {name!r}.", known, value=name
            )
        sizes = quantity.shape
        fits = len(index) == len(sizes) and all(
            0 <= i < n for i, n in zip(index, sizes, strict=True)
        )
        if index and not fits:
            raise UnknownNameError(
                "result",
                f"{whole} has no element {name.removeprefix(whole)}.",
                f"Its shape is {sizes}; indices begin with 1.",
                value=name,
            )
        return quantity, index

    def _is_at_hand(self, name: str) -> bool:
        return name in self._units or super()._is_at_hand(name)

    def _values_of(self, name: str) -> np.ndarray:
        if name in self._units:
            return self._states[:, self._names.index(name)]
        return super()._values_of(name)

    def _compute(self, names: Sequence[str]) -> dict[str, np.ndarray]:
        requested = {name: self._find(name) for name in names}
        read = [quantity for quantity, _ in requested.values()]
        follow = self.follow_motion
        if any(quantity.name in OF_RATES for quantity in read):
            follow = self.follow
        rows = follow(lambda _: [np.array(q.read(), dtype=float) for q in read])
        found = {}
        for k, (name, (quantity, index)) in enumerate(requested.items()):
            values = np.array([row[k] for row in rows]).reshape(len(self), *quantity.shape)
            found[name] = values[(slice(None), *index)]
        return found

    def follow(self, read: Callable[[Sequence[float]], T]) -> list[T]:
        """Move the system through the rows as in the run, and return what is read at each.

        `read` is given the rates of the states; afterwards the system is as it was before.
        """
        return self._start.follow(self._time, self._states, read, self._start.arrive)

    def follow_motion(self, read: Callable[[object], T]) -> list[T]:
        """Do the same for what positions and velocities give: `read` is given nothing of rates.

        So a run that ended where there are no rates is followed to its end.
        """
        return self._start.follow(self._time, self._states, read, self._take)

    def _take(self, t: float, y: Sequence[float]) -> None:
        """Take the conditions of a row, with rates where there are any."""
        try:
            self._start.arrive(t, y)
        except (MotorikError, ArithmeticError):
            self._system.set_conditions(y)
            self._system.act(t)

    def constraint_violation(self) -> tuple[float, float]:
        """Return the largest constraint violation of all loops in the run, [m] and [rad].

        It is measured by the chords, after the solvers have moved their frames.
        """
        parts = self._system.elements
        solvers = [part for part in parts if isinstance(part, ConstraintSolver)]
        chords = [chord for solver in solvers for chord in solver.chords]
        if not chords:
            return 0.0, 0.0
        found = self.follow_motion(lambda _: [chord.violation() for chord in chords])
        metres, radians = np.array(found, dtype=float).max(axis=(0, 1))
        return float(metres), float(radians)

    def scene(  # type: ignore[override]  # other runs are of the same kind
        self,
        *others: SystemResult,
        trace: str | Sequence[str] = (),
        values: Sequence[str] = (),
        reactions: bool | str | Sequence[str] = False,
    ) -> Scene:
        """Return the scene of this run, and of others of the same system, for any viewer.

        `trace` names frames whose path is drawn, `values` variables to plot besides states;
        `reactions` are those of models alone.
        """
        from motorik.view.scene import scene_of

        given = {"trace": trace, "values": values, "reactions": reactions}
        return scene_of(self, *others, **given)

    def _energies(self) -> np.ndarray:
        if self._system.energy() is None:
            raise SimulationError(
                "result.energy",
                f"{self._subject} does not define its energy.",
                "Define `energy()` in the system, returning Energy(kinetic, potential, "
                "stored) in J; a MechanicalSystem has it.",
            )
        return np.array(self.follow_motion(lambda _: self._system.energy()), dtype=float)

    def _energy_change(self) -> str:
        if self._system.energy() is None:
            return f"not known: {self._subject} does not define it"
        return super()._energy_change()

    @property
    def _subject(self) -> str:
        return self._system.label

    @property
    def _size(self) -> str:
        return f"{len(self._names)} state{'' if len(self._names) == 1 else 's'}"


class RunStart:
    """The system at the start of a run: its parameters and all state objects."""

    def __init__(self, system: DynamicSystem) -> None:
        self._system = system
        self._states: list[tuple[State, Memory]] = [(s, s.keep()) for s in system.touched]
        self._entries = [tuple(p.entries) for p in system.parameters]
        self._native = system.native if isinstance(system, CompiledSystem) else None
        self._p = system.live_inputs()[0]
        self._unknowns = unknowns_of(system)
        self._solutions: list[list[float]] = []

    def near(self, rows: np.ndarray) -> RunStart:
        """Return the same for other times, at which loops are near those of these rows."""
        other = copy(self)
        other._solutions = [self._solutions[k] for k in rows.tolist()]
        return other

    def add_row(self) -> None:
        """Note where the loops are at the present row of the result."""
        self._solutions.append([float(unknown.q) for unknown in self._unknowns])

    @property
    def parameters(self) -> dict[str, float | tuple[float, ...]]:
        """The values of the parameters whose names are their own."""
        pairs = zip(self._system.parameters, self._entries, strict=True)
        named = own_names((parameter.name, entries) for parameter, entries in pairs)
        return {
            name: float(entries[0]) if len(entries) == 1 else tuple(map(float, entries))
            for name, entries in named.items()
        }

    def follow(
        self,
        time: np.ndarray,
        states: np.ndarray,
        read: Callable[[S], T],
        take: Callable[[float, Sequence[float]], S],
    ) -> list[T]:
        """Return the value of `read` at each sample, the system moving through them as in the run.

        `take` lets the system take the conditions of a row, and returns what `read` is given.
        """
        system, rows, native = self._system, [], self._native
        conditions = list(system.conditions)
        inputs = LiveInputs(system) if native is None else native.inputs
        written = [] if native is None else native.written
        touched = system.touched if native is None else native.touched
        held = [(slot, slot.read()) for slot in written]
        with preserved(touched), quiet():
            try:
                for state, memory in self._states:
                    state.restore(memory)
                with inputs.given(self._p.tolist()):
                    for k, (t, y) in enumerate(
                        zip(time.tolist(), states.tolist(), strict=True)
                    ):
                        for unknown, q in zip(
                            self._unknowns, self._solutions[k], strict=True
                        ):
                            unknown.q = q
                        rows.append(read(take(t, y)))
            finally:
                system.set_conditions(conditions)
                for slot, value in held:
                    slot.write(value)
        return rows

    def arrive(self, t: float, y: Sequence[float]) -> Sequence[float]:
        """Bring the system to a row with the machine code and the inputs of the run."""
        if self._native is None:
            return self._system.arrive(t, y)
        return self._native.move(t, y, self._p).tolist()


def _quantities(system: DynamicSystem) -> dict[str, StateQuantity]:
    """Return the quantities of all state objects whose names are their own."""
    named = own_names((state.name, state) for state in system.touched)
    return {
        f"{name}.{entry}": StateQuantity(state, entry)
        for name, state in named.items()
        for entry in units_of(state)
    }


def own_names(pairs: Iterable[tuple[str, T]]) -> dict[str, T]:
    """Return objects by name, without those that have none or share it with another."""
    pairs = list(pairs)
    count = Counter(name for name, _ in pairs)
    return {name: one for name, one in pairs if name and count[name] == 1}
