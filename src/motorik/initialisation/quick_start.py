"""Initial states of one compiled model for further values, in microseconds where that is sure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from motorik.initialisation.initialise import make_native, needs_modes
from motorik.initialisation.request import StartBlock
from motorik.initialisation.start import InitialState

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.initialisation.native import NativeStart
    from motorik.initialisation.native_tree import TreeStart
    from motorik.initialisation.request import Found, InitialStateRequest


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

    def find_block(self, t: float, X: np.ndarray, live: np.ndarray) -> StartBlock:
        """Return the starts at rows of values, with quaternions of length one."""
        count, time = len(X), np.array([t])
        p = np.broadcast_to(live, (count, live.shape[-1]))
        if self.is_whole:
            return StartBlock(X, X, p, np.ones(count, dtype=np.int64))
        x = np.asarray(self._layout.state_of(X))
        found = np.ones(count, dtype=np.int64)
        if self._project is not None:
            x = self._project.map(time, x, p)
            found = np.isfinite(x).all(axis=1).astype(np.int64)
        return StartBlock(self._full_state.map(time, x, p), x, p, found)


class QuickStart:
    """Initial states of a model that has been started before; several threads may ask.

    Only what is certain to equal the start that `initialise` finds is found here.
    """

    def __init__(self, system: CompiledModel) -> None:
        self._system = system
        is_searched, is_given = self._must_be_searched(), system.facts.starts_as_given
        self._given = None if is_searched or not is_given else GivenStart(system)
        self._has_native = system.initialisation.is_checked and not (
            is_searched or is_given
        )
        self._is_nonsmooth = system.facts.is_nonsmooth
        self._idle: list[NativeStart | TreeStart] = []  # each with a memory of its own

    def find(self, request: InitialStateRequest) -> InitialState | None:
        """Return the initial state, None where the search has to decide."""
        system = self._system
        if self._given is not None:
            found = self._given.find(request)
        else:
            with system.lock:  # native starts have one memory
                native = self._native()
                found = None if native is None else native.find(request)
        if found is None:
            return None
        if self._is_nonsmooth and not self._allowed(request.t, found[1], found[2]).all():
            return None
        return InitialState(system, request.t, *found, {})

    def _allowed(self, t: float, x: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Return of rows of states, or of one, whether nothing begins beyond a stop."""
        from motorik.initialisation.penetration import are_allowed

        return are_allowed(self._system, t, np.atleast_2d(x), np.atleast_2d(p))

    def find_block(
        self, t: float, X: np.ndarray, fixed: np.ndarray, live: np.ndarray
    ) -> StartBlock:
        """Return starts from rows of values, with one vector of live values or a row for each.

        Several threads may ask at the same time: no lock is held while native code searches.
        """
        block = self._found_block(t, X, fixed, live)
        if self._is_nonsmooth:
            found = np.flatnonzero(block.found)
            own = block.states[found], block.parameters[found]
            block.found[found] = self._allowed(t, *own)
        return block

    def _found_block(
        self, t: float, X: np.ndarray, fixed: np.ndarray, live: np.ndarray
    ) -> StartBlock:
        """Return the starts, some of which may be beyond stops."""
        if self._given is not None:
            return self._given.find_block(t, X, live)
        layout = self._system.layout
        n_p = layout.n_live + layout.n_branch_parameters
        block = StartBlock.empty(len(X), (layout.n_motion, layout.n_x, n_p))
        own = self._take_idle()
        if own is not None:
            own.find_block(t, X, fixed, live, block)
            self._idle.append(own)
        return block

    def _take_idle(self) -> NativeStart | TreeStart | None:
        """Return native code whose memory no other thread uses; None where there is none."""
        try:
            return self._idle.pop()
        except IndexError:
            with self._system.lock:
                native = self._native()
                return None if native is None else native.another()

    def _native(self) -> NativeStart | TreeStart | None:
        """Return native code of the system, which is made when it is first asked for."""
        if not self._has_native:
            return None
        memory = self._system.initialisation
        if memory.native is None and memory.has_native:
            memory.native = make_native(self._system)
            memory.has_native = memory.native is not None
        self._has_native = memory.has_native
        return memory.native

    def _must_be_searched(self) -> bool:
        """Whether starts have modes that are sought, jumps or pasts, which are not looked at."""
        system = self._system
        if system.facts.has_delays or needs_modes(system):
            return True
        return system.initialisation.jumps != ((), ())
