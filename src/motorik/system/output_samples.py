"""Output samples of a run: its motion at some times, and every variable computed from it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from motorik.system.multipliers import least_multipliers

if TYPE_CHECKING:
    from motorik.system.native_functions import NativeFunctions
    from motorik.system.stages import Group, Lookup, Stages, Tables

SHARED_BY = 4.0  # variables, about, that need a quantity which stages compute once
MOST_KEPT = 64e6  # bytes that the values of stages may take in the cache of a system


class OutputSamples:
    """Motions X at times t with parameters p, and the variables computed from them.

    A variable is interpreted, stage by stage, while few samples of it were requested in the
    system, else computed in machine code of its own; the values are the same. Values of stages
    are cached up to `MOST_KEPT`, for the results used last; beyond, stages run on blocks
    of samples and only the variables are kept.
    """

    def __init__(
        self,
        natives: NativeFunctions,
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
        """The multipliers of all constraint equations."""
        _, ud, _ = self.natives.layout.split(self.rates)
        return least_multipliers(self.natives, self.time, self.motion, ud, self.parameters)

    def map(self, name: str) -> np.ndarray:
        """Return one of the system's functions of (t, X, p) at all samples."""
        function = self.natives.for_samples(name, len(self))
        return function.map(self.time.reshape(-1, 1), self.motion, self.parameters)

    def values(self, names: Sequence[str]) -> dict[str, np.ndarray]:
        """Return variables by name, with a leading axis for the samples."""
        compiled = self.natives.has_outputs(names)
        if compiled or self.natives.pays(tuple(names), len(self), SHARED_BY):
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
        count = self.natives.equations.n_multipliers
        given = [
            self._argument(group)
            if needed.get(group, True)
            else np.zeros((len(self), count))
            for group in ("t", "q", "u", "ud", "z", "multipliers")
        ]
        flat = outputs.function.map(*given, self.parameters)
        shapes = [self.stages.shape_of(name) for name in names]
        ends = np.cumsum([np.prod(shape, dtype=int) for shape in shapes])
        return np.split(flat, ends[:-1], axis=1)

    # --- stage by stage --------------------------------------------------------------------

    def _by_stages(self, names: Sequence[str]) -> list[np.ndarray]:
        variables = self.stages.variables(names)
        kept = self.stages.kept.of(self)
        needed = self.stages.needed_for(variables, kept)
        width = 8 * sum(self.stages.stages[number].size for number in needed)
        if self.stages.kept.make_room(self, width * len(self), MOST_KEPT):
            lookup = self._run(needed, slice(None), kept)
            return [one.scalars.at_samples(len(self), lookup) for one in variables]
        size = max(1, int(MOST_KEPT / width))
        found: list[list[np.ndarray]] = [[] for _ in variables]
        for first in range(0, len(self), size):
            block = slice(first, min(first + size, len(self)))
            table = {number: array[block] for number, array in kept.items()}
            lookup = self._run(needed, block, table)
            for own, variable in zip(found, variables, strict=True):
                own.append(variable.scalars.at_samples(block.stop - block.start, lookup))
        return [np.concatenate(own) for own in found]

    def _run(self, numbers: Sequence[int], block: slice, tables: Tables) -> Lookup:
        """Let stages compute a block of samples into the tables; return the lookup of numbers."""

        def find(group: Group) -> np.ndarray:
            if isinstance(group, int):
                return tables[group]
            return self._argument(group)[block]

        count = len(self.time[block])
        for number in numbers:
            tables[number] = self.stages.stages[number].at_samples(count, find)
        return find

    def _argument(self, group: str) -> np.ndarray:
        """Return an argument of variables at all samples; rates and multipliers are cached."""
        if group == "t":
            return self.time.reshape(-1, 1)
        if group == "multipliers":
            return self.multipliers
        if group == "p":
            return np.broadcast_to(self.parameters, (len(self), self.parameters.shape[-1]))
        split = self.natives.layout.split(self.rates if group == "ud" else self.motion)
        return split[{"q": 0, "u": 1, "ud": 1, "z": 2}[group]]
