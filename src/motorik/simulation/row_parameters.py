"""Row parameters: the numbers p of each row of output, computed when they are read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.nonsmooth.application.run_events import RunEvents


@dataclass
class RowParameters:
    """The parameters p of rows of output that were written in one form of a mechanism.

    `p` are those at the end, `turns` the followed angles [rad] of each row, `run_events` what
    events changed; of the rows that these count, the last are kept. Rows that nobody reads
    cost nothing.
    """

    system: CompiledModel
    p: np.ndarray
    turns: np.ndarray
    run_events: RunEvents | None
    written: int  # rows
    converted: list[Callable[[np.ndarray], np.ndarray]] = field(default_factory=list)

    def read(self) -> np.ndarray:
        """Return the parameters, a row for each, in the form that they were handed over to."""
        count, layout = len(self.angles), self.system.layout
        if layout.n_followed:
            p = layout.with_followed(self.p, self.angles)
        else:
            p = np.tile(self.p, (count, 1))
        if self.run_events is not None:
            for place, values in self.run_events.parameters_of_samples(
                self.written
            ).items():
                p[:, place] = values[self.written - count :]
        for convert in self.converted:
            p = convert(p)
        return p


def evaluable_rows(
    system: CompiledModel,
    p: np.ndarray,
    run_events: RunEvents | None,
    times: np.ndarray,
    rows: np.ndarray,
    turns: np.ndarray,
) -> int:
    """Return how many rows of output are left without the last ones that have no rates.

    `p` are the parameters at the end.
    """
    count = times.size
    if run_events is not None and not run_events.has_events:
        run_events = None
    of_rows = RowParameters(system, p, turns, run_events, count).read()
    while count and not is_evaluable(
        system, times[count - 1], rows[count - 1], of_rows[count - 1]
    ):
        count -= 1
    return count


def is_evaluable(system: CompiledModel, t: float, x: np.ndarray, p: np.ndarray) -> bool:
    """Return whether a state is one, and has rates."""
    if not np.isfinite(x).all():
        return False
    return bool(np.isfinite(system.derivative(np.array([t]), x, p)).all())


def same_for_rows(system: CompiledModel, p: np.ndarray, count: int) -> RowParameters:
    """Return parameters that are the same for some rows."""
    return RowParameters(system, p.copy(), np.empty((count, 0)), None, count)


def read_rows(pieces: list[RowParameters]) -> np.ndarray:
    """Return the parameters of the rows of several pieces, one after the other."""
    return np.vstack([piece.read() for piece in pieces])


def handed_over(before: CompiledModel, other: CompiledModel, p: np.ndarray) -> np.ndarray:
    """Return parameters, or rows of them, of one form of a mechanism as those of another.

    The other form has neither closed forms nor unknowns; angles go on being counted.
    """
    f = before.formulation
    assert (
        f is not None
        and other.formulation is not None
        and not other.formulation.branched_groups
    )
    n = before.layout.n_live
    ends = np.cumsum(
        [
            n,
            len(f.branched_groups),
            len(f.unwrapped),
            len(f.unwrapped_cuts),
            len(f.unknowns),
        ]
    )
    counted = p[..., ends[2] : ends[3]]
    summed = p[..., ends[4] : ends[4] + len(f.summed_cuts)]
    return np.concatenate([p[..., :n], counted, summed], axis=-1)
