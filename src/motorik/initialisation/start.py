"""InitialState: where a run begins."""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING

import numpy as np

from motorik.immutable import immutable

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel


@immutable
class InitialState:
    """Where a run begins: the system, the time t, the motion X, the state x, the parameters p.

    The system differs from the one given where live parameters have values that need other
    decisions about loops. `known` is what follows from the start, by
    name, found once for all its copies.
    """

    system: CompiledModel
    t: float
    X: np.ndarray
    x: np.ndarray
    p: np.ndarray
    known: dict[str, np.ndarray] = field(default_factory=dict, compare=False, repr=False)
    remark: tuple[str, str] | None = None  # parts treated otherwise than usual, and how
    seconds: float = 0.0  # of the search for it

    def copy(self) -> InitialState:
        """Return the same start with arrays of its own."""
        return replace(self, X=self.X.copy(), x=self.x.copy(), p=self.p.copy())
