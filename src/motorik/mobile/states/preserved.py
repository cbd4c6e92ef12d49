"""Preserved states: traversals that leave the mechanism as it was."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from motorik.mobile.states.transmission import State


@contextmanager
def preserved(states: Iterable[State]) -> Iterator[None]:
    """Restore motion and force of the state objects at the end."""
    kept = [(state, state.keep()) for state in states]
    try:
        yield
    finally:
        for state, memory in kept:
            state.restore(memory)


@contextmanager
def loads_set_aside(states: Iterable[State]) -> Iterator[None]:
    """Take the forces off the state objects, and add them to what is there at the end."""
    kept = [(state, state.take_force()) for state in states]
    yield
    for state, load in kept:
        state.add_force(load)
