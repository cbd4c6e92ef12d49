"""Preserved states: traversals made only to look, which leave the mechanism as it was."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from motorik.elements.transmission import State

_NOT_STATE = {"name", "start", "is_dependent"}


@contextmanager
def preserved(states: Iterable[State]) -> Iterator[None]:
    """Give the state objects back their motion and force at the end."""
    kept = [
        (state, slot, getattr(state, slot))
        for state in states
        for kind in type(state).__mro__
        for slot in getattr(kind, "__slots__", ())
        if slot not in _NOT_STATE
    ]
    try:
        yield
    finally:
        for state, slot, value in kept:
            setattr(state, slot, value)


@contextmanager
def loads_set_aside(states: Iterable[State]) -> Iterator[None]:
    """Take the forces off the state objects, and add them to what is there at the end."""
    states = tuple(states)
    kept = [state.set_force_aside() for state in states]
    yield
    for state, load in zip(states, kept, strict=True):
        state.add_force(load)
