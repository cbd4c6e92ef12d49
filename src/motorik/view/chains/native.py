"""NativeLooks: where a chain of elements is and how it moves with its inputs, by machine code."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motorik.mobile import Element, Frame, StateVariable, Subtask, compile_chain

OF_FRAME = ("p", "R", "ang_a", "lin_a")
POSITION_AND_SLOPES = Subtask.POSITION | Subtask.EULER  # slopes are unit accelerations


class NativeLooks:
    """Positions of unknowns and frames of a chain, and their slopes, compiled once.

    Parameters that are references are read in each call; all other numbers, and the branches
    of explicit solvers, are those of the time when it was compiled.
    """

    def __init__(
        self,
        chain: Element,
        inputs: Sequence[StateVariable],
        unknowns: Sequence[StateVariable],
    ) -> None:
        self._inputs, self._unknowns = tuple(inputs), tuple(unknowns)
        frames = [state for state in chain.touched if isinstance(state, Frame)]
        self._frames = {id(frame): number for number, frame in enumerate(frames)}
        given = [(variable, name) for name in ("q", "qdd") for variable in inputs]
        wanted = [(unknown, name) for name in ("q", "qdd") for unknown in unknowns]
        wanted += [(frame, name) for frame in frames for name in OF_FRAME]
        self._chain = compile_chain(
            chain, given, wanted, motion=POSITION_AND_SLOPES, force=Subtask.NOTHING
        )
        places = {id(unknown): k for k, unknown in enumerate(unknowns)}
        self._guessed = [places[id(own.state)] for own in self._chain.unknowns]

    def look(
        self, moved: dict[int, float], guess: np.ndarray, frame: Frame | None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray] | None:
        """Return unknowns, slopes, place and rotation of a frame; None where nothing closes.

        `moved` are the positions of inputs by their identity, all others are where they are;
        `guess` is where iterations begin. Slopes have a column for each of `moved` in order:
        rows of the unknowns, then of the frame, angular and linear in its own axes.
        """
        q = [moved.get(id(variable), float(variable.q)) for variable in self._inputs]
        columns, found, p, R = [], np.zeros(0), np.zeros(3), np.eye(3)
        count = len(self._unknowns)
        for variable in self._inputs:
            if id(variable) not in moved:
                continue
            self._chain.guess[:] = guess[self._guessed]
            unit = [float(own is variable) for own in self._inputs]
            made = self._chain.attempt(q, unit)
            if made is None:
                return None
            found = np.array([float(x) for x in made[:count]])
            column = [float(x) for x in made[count : 2 * count]]
            if frame is not None:
                at = 2 * count + len(OF_FRAME) * self._frames[id(frame)]
                p, R, turns, moves = made[at : at + len(OF_FRAME)]
                column += [*turns.tolist(), *moves.tolist()]
            columns.append(column)
        slopes = np.array(columns).T.reshape(-1, len(columns))
        if not all(np.isfinite(numbers).all() for numbers in (found, slopes, p, R)):
            return None
        return found, slopes, p, R
