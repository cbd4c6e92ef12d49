"""Rows: the motion of a run row by row, and every variable computed from it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from motorik.system.multipliers import least_multipliers

if TYPE_CHECKING:
    from motorik.system.kept import Tables
    from motorik.system.natives import Natives
    from motorik.system.stages import Group, Lookup, Stages

MOST_KEPT = 64e6  # bytes that stages have computed and a system keeps for further variables


class OutputSamples:
    """Rows of motion X at times t with parameters p, and what was computed from them.

    A variable is interpreted, stage by stage, while few rows of it were requested in the
    system, else computed in machine code of its own; the values are the same. What stages
    compute is kept up to `MOST_KEPT`, for the results used last; beyond, they run on blocks
    of rows and only the variables are kept.
    """

    def __init__(
        self,
        natives: Natives,
        stages: Stages,
        time: np.ndarray,
        motion: np.ndarray,
        parameters: np.ndarray,
    ) -> None:
        self.natives, self.stages = natives, stages
        self.time, self.motion, self.parameters = time, motion, parameters

    def __len__(self) -> int:
        return self.time.size

    @cached_property
    def rates(self) -> np.ndarray:
        """The rates of the motion."""
        return self.map("full_state_rates")

    @cached_property
    def multipliers(self) -> np.ndarray:
        """The multipliers of all constraint rows."""
        _, ud, _ = self.natives.layout.split(self.rates)
        return least_multipliers(self.natives, self.time, self.motion, ud, self.parameters)

    def map(self, name: str) -> np.ndarray:
        """Return one of the system's functions of (t, X, p) for all rows."""
        function = self.natives.for_rows(name, len(self))
        return function.map(self.time.reshape(-1, 1), self.motion, self.parameters)

    def values(self, names: Sequence[str]) -> dict[str, np.ndarray]:
        """Return variables by name, with a leading axis for the rows."""
        compiled = self.natives.has_outputs(names)
        if compiled or self.natives.pays(tuple(names), len(self)):
            flat = self._by_machine_code(names)
        else:
            with self.stages.lock:
                flat = self._by_stages(names)
        shapes = [self.stages.shape_of(name) for name in names]
        return {
            name: values.reshape(len(self), *shape)
            for name, values, shape in zip(names, flat, shapes, strict=True)
        }

    # --- in machine code -------------------------------------------------------------------

    def _by_machine_code(self, names: Sequence[str]) -> list[np.ndarray]:
        outputs = self.natives.outputs(names)
        needed = {"multipliers": outputs.needs_multipliers}
        n_rows = self.natives.equations.n_rows
        given = [
            self._argument(group)
            if needed.get(group, True)
            else np.zeros((len(self), n_rows))
            for group in ("t", "q", "u", "ud", "z", "multipliers")
        ]
        flat = outputs.function.map(*given, self.parameters)
        shapes = [self.stages.shape_of(name) for name in names]
        ends = np.cumsum([np.prod(shape, dtype=int) for shape in shapes])
        return np.split(flat, ends[:-1], axis=1)

    # --- stage by stage --------------------------------------------------------------------

    def _by_stages(self, names: Sequence[str]) -> list[np.ndarray]:
        variables = [self.stages.variable(name) for name in names]
        kept = self.stages.kept.of(self)
        needed = self.stages.needed_for(variables, kept)
        width = 8 * sum(self.stages.stages[number].size for number in needed)
        if self.stages.kept.make_room(self, width * len(self), MOST_KEPT):
            lookup = self._run(needed, slice(None), kept)
            return [one.scalars.rows(len(self), lookup) for one in variables]
        size = max(1, int(MOST_KEPT / width))
        found: list[list[np.ndarray]] = [[] for _ in variables]
        for first in range(0, len(self), size):
            block = slice(first, min(first + size, len(self)))
            table = {number: array[block] for number, array in kept.items()}
            lookup = self._run(needed, block, table)
            for own, variable in zip(found, variables, strict=True):
                own.append(variable.scalars.rows(block.stop - block.start, lookup))
        return [np.concatenate(own) for own in found]

    def _run(self, numbers: Sequence[int], block: slice, tables: Tables) -> Lookup:
        """Let stages compute a block of rows into the tables; return what finds numbers."""

        def find(group: Group) -> np.ndarray:
            if isinstance(group, int):
                return tables[group]
            return self._argument(group)[block]

        count = len(self.time[block])
        for number in numbers:
            tables[number] = self.stages.stages[number].rows(count, find)
        return find

    def _argument(self, group: str) -> np.ndarray:
        """Return an argument of variables for all rows; what must be solved for is kept."""
        if group == "t":
            return self.time.reshape(-1, 1)
        if group == "multipliers":
            return self.multipliers
        if group == "p":
            return np.broadcast_to(self.parameters, (len(self), self.parameters.shape[-1]))
        split = self.natives.layout.split(self.rates if group == "ud" else self.motion)
        return split[{"q": 0, "u": 1, "ud": 1, "z": 2}[group]]
