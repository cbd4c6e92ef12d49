"""Saved states of a simulator, to go back to, and the history of its steps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field, replace
from typing import TYPE_CHECKING

import numpy as np

from motorik.errors import MotorikError
from motorik.immutable import immutable, mutable
from motorik.results import Event, Events
from motorik.results.trajectory import Trajectory

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.nonsmooth.application.pasts import Pasts
    from motorik.results import Result
    from motorik.results.event_states import EventStates
    from motorik.simulation.simulator import Simulator

Convert = Callable[[np.ndarray], np.ndarray]


@immutable(eq=False)
class SavedState:
    """The state of a simulator at `time` [s]: `save` returns it, `restore` goes on from it.

    `x` are the states in the order of `state_names`, `p` the parameters, modes among them.
    `clocks` are the ticks of clocks, `counted` the count of intervals that were passed by time
    stepping and the time to which steps have led; `tolerances` are the absolute ones of the
    motion; `pasts` keeps what delayed signals were.
    """

    system: CompiledModel
    time: float
    x: np.ndarray
    p: np.ndarray
    events: tuple[Event, ...]
    clocks: np.ndarray | None
    counted: tuple[int, float, float]
    tolerances: np.ndarray
    history: StepHistory | None = None
    pasts: Pasts | None = None

    def __repr__(self) -> str:
        return f"<SavedState of {self.system.facts.name} at t = {self.time:g} s>"

    def portable(self, first: CompiledModel) -> PortableState:
        """Return the same as plain data, for a simulator that began in the formulation `first`."""
        layout, here = self.system.layout, self.system is first
        X = self.system.full_state(np.array([self.time]), self.x, self.p)
        history = None if self.history is None else self.history.portable(first)
        p = self.p if here else layout.live_of(self.p)
        rest = self.events, self.clocks, self.counted, self.tolerances, history
        return PortableState(self.time, X, p, here, *rest)


@immutable(eq=False)
class PortableState:
    """A saved state as plain data: the motion X, and p, or its live part if it `is_first` not.

    A simulator that had changed to another formulation begins in the first, and changes again.
    """

    time: float
    X: np.ndarray
    p: np.ndarray
    is_first: bool
    events: tuple[Event, ...]
    clocks: np.ndarray | None
    counted: tuple[int, float, float]
    tolerances: np.ndarray
    history: PortableHistory | None

    @property
    def has_history(self) -> bool:
        """Whether ends of steps are kept."""
        return self.history is not None

    def saved(self, simulator: Simulator) -> SavedState:
        """Return the state for a simulator of the same model that is at its start."""
        system, p = simulator.system, self.p
        if not self.is_first:
            simulator.write_live(p)
            p = simulator.parameters_of(self.X, self.time)
        history = (
            None
            if self.history is None
            else StepHistory([RecordedSteps(system, *self.history)])
        )
        x = system.layout.state_of(self.X)
        rest = self.events, self.clocks, self.counted, self.tolerances, history
        return SavedState(system, self.time, np.asarray(x), p, *rest)


PortableHistory = tuple[list[float], list[np.ndarray], list[np.ndarray]]


@mutable
class RecordedSteps:
    """Ends of steps in one formulation of a mechanism; `converted` are the later ones."""

    system: CompiledModel
    times: list[float] = field(default_factory=list)
    states: list[np.ndarray] = field(default_factory=list)
    parameters: list[np.ndarray] = field(default_factory=list)
    converted: list[Convert] = field(default_factory=list)

    def copy(self) -> RecordedSteps:
        """Return the same samples; more can be added to each."""
        own = self.times, self.states, self.parameters, self.converted
        return RecordedSteps(self.system, *map(list, own))  # type: ignore[arg-type]

    def motion(self) -> np.ndarray:
        """Return all coordinates, speeds and other states of each sample."""
        t, x = np.array(self.times).reshape(-1, 1), np.array(self.states)
        if not self.system.layout.has_dependent:
            return x
        return self.system.full_state.map(t, x, np.array(self.parameters))

    def last_parameters(self) -> np.ndarray:
        """Return the parameters of each sample in the last formulation."""
        p = np.array(self.parameters)
        for convert in self.converted:
            p = convert(p)
        return p


class StepHistory:
    """The ends of the steps of a simulator, and its start."""

    def __init__(self, pieces: list[RecordedSteps] | None = None) -> None:
        self._pieces = [] if pieces is None else pieces

    def copy(self) -> StepHistory:
        """Return the same history, to be continued on its own."""
        return StepHistory([piece.copy() for piece in self._pieces])

    def portable(self, first: CompiledModel) -> PortableHistory:
        """Return the samples as plain data, if all of them are of the formulation `first`."""
        if len(self._pieces) > 1 or self._pieces[0].system is not first:
            raise MotorikError(
                first.facts.name,
                "has changed its formulation, so that its history cannot be pickled.",
                "Pickle simulator.result(), or a simulator without history.",
            )
        own = self._pieces[0]
        return own.times, own.states, own.parameters

    def begin(self, system: CompiledModel) -> None:
        """Continue in a formulation."""
        if not self._pieces or self._pieces[-1].system is not system:
            self._pieces.append(RecordedSteps(system))

    def convert(self, convert: Convert) -> None:
        """Convert the parameters so far to another formulation."""
        for piece in self._pieces:
            piece.converted.append(convert)

    def note(self, t: float, x: np.ndarray, p: np.ndarray) -> None:
        """Add a sample."""
        piece = self._pieces[-1]
        piece.times.append(t)
        piece.states.append(x.copy())
        piece.parameters.append(p.copy())

    def result(self, simulator: Simulator) -> Result:
        """Return the samples as a result, with the events so far."""
        from motorik.results.model_result import make_result

        system, pieces = simulator.system, [own for own in self._pieces if own.times]
        events = Events([replace(event, instant=-1) for event in simulator.events])

        def read() -> tuple[Events, EventStates | None]:
            return events, None

        made = Trajectory(
            system,
            np.concatenate([own.times for own in pieces]),
            np.vstack([own.motion() for own in pieces]),
            np.vstack([own.last_parameters() for own in pieces]),
            simulator.info(),
            system.layout.integrated,
            read,
        )
        return make_result(made)
