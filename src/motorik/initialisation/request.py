"""Requests for initial states, one or a block of them, and the initial states of a block."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

import numpy as np


class InitialStateRequest(NamedTuple):
    """Values X to begin with, which of them are fixed, live parameters, time and branches."""

    X: np.ndarray
    fixed: np.ndarray
    live: np.ndarray
    t: float
    branch: Mapping[str, str]


Found = tuple[np.ndarray, np.ndarray, np.ndarray]
"""Motion, state and parameters where a run begins."""


class FindsStarts(Protocol):
    """Finds motion, state and parameters where a run begins; None where it is not certain."""

    def find(self, request: InitialStateRequest) -> Found | None:
        """Return X, x and p."""
        ...


class StartBlock(NamedTuple):
    """Starts of a block of variants, a line for each: motions, states, parameters.

    `found` is 1 where they are certain; the other lines have no meaning.
    """

    motion: np.ndarray
    states: np.ndarray
    parameters: np.ndarray
    found: np.ndarray

    @classmethod
    def empty(cls, count: int, sizes: tuple[int, int, int]) -> StartBlock:
        """Return room for so many starts, with these sizes of X, x and p."""
        motion, states, parameters = (np.zeros((count, size)) for size in sizes)
        return cls(motion, states, parameters, np.zeros(count, dtype=np.int64))


def find_one_by_one(
    native: FindsStarts,
    t: float,
    X: np.ndarray,
    fixed: np.ndarray,
    live: np.ndarray,
    to: StartBlock,
) -> None:
    """Write the starts from rows of values, each found alone."""
    rows = np.broadcast_to(live, (len(X), live.shape[-1]))
    for k in range(len(X)):
        found = native.find(InitialStateRequest(X[k], fixed, rows[k], t, {}))
        to.found[k] = found is not None
        if found is not None:
            to.motion[k], to.states[k], to.parameters[k] = found
