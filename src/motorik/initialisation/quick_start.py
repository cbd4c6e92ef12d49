"""Initial states of one compiled model for further values, in microseconds where that is sure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from motorik.initialisation.initialise import make_native
from motorik.initialisation.start import InitialState

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.initialisation.request import InitialStateRequest

Found = tuple[np.ndarray, np.ndarray, np.ndarray]


class FindsStarts(Protocol):
    """Finds motion, state and parameters where a run begins; None where it is not certain."""

    def find(self, request: InitialStateRequest) -> Found | None:
        """Return X, x and p."""
        ...


class GivenStart:
    """Starts of a mechanism in which nothing is to be searched for: the values that are given."""

    def __init__(self, system: CompiledModel) -> None:
        self._layout, self._project = system.layout, system.project
        self.is_whole = not self._layout.has_dependent and self._project is None
        self._full_state = system.full_state

    def find(self, request: InitialStateRequest) -> Found | None:
        """Return the start at these values, with quaternions of length one."""
        X, _, live, t, branch = request
        if branch:
            return None
        if self.is_whole:
            return X, X, live
        time = np.array([t])
        x = np.asarray(self._layout.state_of(X))
        if self._project is not None:
            x = self._project(time, x, live)
            if not np.isfinite(x).all():
                return None
        return self._full_state(time, x, live), x, live


class QuickStart:
    """Initial states of a model that has been started before; several threads may ask.

    Only what is certain to equal the start that `initialise` finds is found here.
    """

    def __init__(self, system: CompiledModel) -> None:
        self._system = system
        self._given = GivenStart(system) if system.facts.starts_as_given else None
        self._has_native = self._given is None and not self._must_be_searched()

    @property
    def is_given(self) -> bool:
        """Whether the start is the motion that is given, whatever the values are."""
        return self._given is not None and self._given.is_whole

    def find(self, request: InitialStateRequest) -> InitialState | None:
        """Return the initial state, None where the search has to decide."""
        system = self._system
        if self._given is not None:
            found = self._given.find(request)
        elif self._has_native:
            memory = system.initialisation
            with system.lock:  # native starts have one memory
                if memory.native is None and memory.has_native:
                    memory.native = make_native(system)
                    memory.has_native = memory.native is not None
                self._has_native = memory.has_native
                found = None if memory.native is None else memory.native.find(request)
        else:
            return None
        return None if found is None else InitialState(system, request.t, *found, {})

    def _must_be_searched(self) -> bool:
        """Whether starts have modes, jumps or pasts, which native starts do not look at."""
        system = self._system
        if system.facts.is_nonsmooth or system.facts.has_delays:
            return True
        memory = system.initialisation
        return not memory.is_checked or memory.jumps != ((), ())
