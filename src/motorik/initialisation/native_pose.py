"""Patterns: which values of a native start are fixed, and the consequences."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from motorik.initialisation.start_layout import PatternTable, Table
from motorik.loops.formulation import LoopFormulation

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.initialisation.native_code import StartCode
    from motorik.initialisation.signal_blocks import BlockStart

PATTERNS = 64  # ways to fix values that are remembered


class Pattern:
    """Which coordinates, speeds and block states are fixed, as kernels read it."""

    def __init__(self, table: Table, q: np.ndarray, u: np.ndarray) -> None:
        self.table, self.q, self.u = table, q, u

    @property
    def address(self) -> int:
        """Where its table lies."""
        return self.table.address

    def take_moves(self, code: StartCode) -> None:
        """Put what moves in blocks of equations into the table, as far as these are made."""
        if code.pose is not None:
            self.table.set(pose_moves=code.pose.moves(~self.q))
        if code.speeds is not None:
            self.table.set(speed_moves=code.speeds.moves(~self.u))


class Patterns:
    """Consequences of a set of fixed values, cached from one start to the next."""

    def __init__(self, system: CompiledModel, blocks: BlockStart | None) -> None:
        f, mechanism = system.formulation, system.mechanism
        assert isinstance(f, LoopFormulation)
        self._layout, self._formulation, self._blocks = system.layout, f, blocks
        links = ((k, mechanism.link_of_coordinate(k)) for k, _ in f.constraints.revolutes)
        edges = ((k, link.edge) for k, link in links)
        loose = [k for k, e in edges if e is not None and not e.keeps_coordinate]
        self._unwrappable = np.array(loose, dtype=np.int64)
        self._known: dict[bytes, Pattern] = {}

    def find(self, fixed: np.ndarray, code: StartCode) -> Pattern:
        """Return the consequences if these values of the motion are fixed."""
        key = fixed.tobytes()
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= PATTERNS:
                self._known.clear()
            found = self._known[key] = self._made(fixed)
            found.take_moves(code)
        return found

    def _made(self, fixed: np.ndarray) -> Pattern:
        """Return the consequences."""
        f = self._formulation
        q, u, z = (own.copy() for own in self._layout.split(fixed))
        free = self._unwrappable[~q[self._unwrappable]]
        table = Table(PatternTable, PatternTable.SIZE)
        table.set(
            fixes_states=int(q[list(f.state_q)].all()),
            fixes_dependent=int(q[list(f.dependent_q)].any()),
            leaves_speeds=int(not u[list(f.state_u)].all()),
            fixes_dependent_speeds=int(u[list(f.dependent_u)].any()),
            q=np.append(q, False).astype(np.int64),
            n_free_turns=free.size,
            free_turns=np.append(free, 0),
        )
        if self._blocks is not None:
            own, rows = self._blocks.found_with(z)
            table.set(
                n_blocks=len(own),
                block_states=np.array([*own, 0], dtype=np.int64),
                block_rows=np.array([*rows, 0], dtype=np.int64),
                all_blocks=int(self._blocks.finds_all(own)),
            )
        return Pattern(table, q, u)

    def take_moves(self, code: StartCode) -> None:
        """Put what moves in blocks that were made into all tables."""
        for own in self._known.values():
            own.take_moves(code)
