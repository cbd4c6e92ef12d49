"""What all parts of a compiled system share: its mechanism, symbols and sizes."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from motorik.components.values import LiveScalar
from motorik.loops.formulation import Formulation
from motorik.loops.wanted import Wanted
from motorik.motion.catalogue import Catalogue
from motorik.system.equations import LoopedEquations, TreeEquations
from motorik.topology.mechanism import Mechanism, State

if TYPE_CHECKING:
    import casadi


ROLL_FROM = 48  # freedoms from which equal links share their code


class SystemBase:
    """The mechanism of a system, how its loops are solved, and the symbols it is traced with."""

    mechanism: Mechanism
    formulation: Formulation | None
    equations: TreeEquations | LoopedEquations
    catalogue: Catalogue
    wanted: Wanted
    parameters: list[LiveScalar]
    whole_states: list[State]
    state_names: list[str]
    state_index: dict[str, int]
    integrated: list[int]
    algorithm: str
    _live: Any
    _extra: Any
    _unknown: Any
    _p: Any

    @property
    def n_q(self) -> int:
        """The number of coordinates."""
        return self.mechanism.n_q

    @property
    def n_u(self) -> int:
        """The number of speeds."""
        return self.mechanism.n_u

    @property
    def n_x(self) -> int:
        """The number of states that are integrated."""
        return len(self.integrated)

    @property
    def n_whole(self) -> int:
        """The number of all coordinates, speeds and states of blocks."""
        return len(self.state_names)

    @property
    def n_rows(self) -> int:
        """The number of constraint rows, redundant ones included."""
        return len(self._lambda_names)

    @property
    def freedom(self) -> int:
        """The degree of freedom."""
        return self.n_u if self.formulation is None else self.formulation.freedom

    def parameter_values(self) -> np.ndarray:
        """Return the present values of the live parameters."""
        return np.array([scalar.value for scalar in self.parameters], dtype=float)

    @cached_property
    def start(self) -> tuple[np.ndarray, np.ndarray]:
        """The start values of the states as the parts give them, and which are fixed."""
        starts = [state.start for state in self.whole_states]
        values = np.array([float(start.value) for start in starts])  # type: ignore[arg-type]
        return values, np.array([start.is_fixed for start in starts], dtype=bool)

    @property
    def symbols(self) -> Any:
        """The symbols of the live parameters."""
        return self._live

    @cached_property
    def iterates(self) -> bool:
        """Whether loops are closed by Newton's method in each evaluation."""
        return self._unknown.numel() > 0

    @property
    def is_rolled(self) -> bool:
        """Whether equal links share one piece of native code."""
        m = self.mechanism
        simple = not (m.has_loops or m.forces or m.signals.states or self.parameters)
        simple = simple and not any(line.signals for line in m.lines)
        return self.n_u >= ROLL_FROM and simple

    @cached_property
    def _lambda_names(self) -> list[str]:
        """The parts whose multipliers there are, one for each constraint row."""
        if self.formulation is None:
            return []
        return [row.part for row in self.formulation.rows.rows]

    def _symbols(self, *names: str) -> list[Any]:
        import casadi

        sizes = {"t": 1, "x": self.n_x, "X": self.n_whole, "q": self.n_q}
        sizes |= {
            "z": self.n_whole - self.n_q - self.n_u,
            "lambda": len(self._lambda_names),
        }
        return [casadi.SX.sym(name, sizes.get(name, self.n_u)) for name in names]

    def _all_extra(self) -> list[Any]:
        return [*elements(self._extra), *elements(self._unknown)]

    def _block_starts(self) -> list[float]:
        return [float(s.start.value) for s in self.mechanism.signals.states]  # type: ignore[arg-type]


def elements(vector: Any) -> list[Any]:
    """Return the scalars of a column of symbols."""
    import casadi

    return casadi.vertsplit(vector) if vector.numel() else []


def make_function(name: str, arguments: dict[str, Any], values: Any) -> casadi.Function:
    """Return a function of named arguments to one dense column."""
    import casadi

    out = casadi.vertcat(*values) if isinstance(values, list) else values
    return casadi.Function(
        name,
        list(arguments.values()),
        [casadi.densify(casadi.SX(out))],
        list(arguments),
        ["out"],
    )
