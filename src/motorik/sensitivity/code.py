"""Native rates and projections of a state together with its derivatives in several directions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from motorik.compiler import Argument, NativeFunction, compile_library

if TYPE_CHECKING:
    import casadi

    from motorik.compiled_model import CompiledModel

TOGETHER = 4  # directions that one call computes


class SensitivityCode:
    """The motion x of a system with its changes S in K directions, as one state (x, S).

    Parameters are (p, D), D being the changes of p. RunDirections are filled up to a multiple of
    `TOGETHER`; matrices lie column by column.
    """

    def __init__(self, system: CompiledModel, count: int) -> None:
        self.system, self.n, self.n_p = system, system.n_x, system.equations.p.numel()
        self.groups = -(-count // TOGETHER)
        self.count = self.groups * TOGETHER

    def state(self, x: np.ndarray, S: np.ndarray) -> np.ndarray:
        """Return (x, S) as one array."""
        return self._joined(x, S, self.n)

    def parameters(self, p: np.ndarray, D: np.ndarray) -> np.ndarray:
        """Return (p, D) as one array."""
        return self._joined(p, D, self.n_p)

    def _joined(self, first: np.ndarray, changes: np.ndarray, rows: int) -> np.ndarray:
        full = np.zeros((self.count, rows))
        full[: changes.shape[1]] = changes.T
        return np.concatenate([first, full.ravel()])

    def split(self, states: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Return x and S of rows of states, S with an axis for the first `count` directions."""
        S = states[..., self.n :].reshape(*states.shape[:-1], self.count, self.n)
        return states[..., : self.n], S[..., :count, :].swapaxes(-1, -2)

    @cached_property
    def _natives(self) -> dict[str, NativeFunction]:
        names = {"rates": "derivative"}
        if self.system.project is not None:
            names["closing"] = "project"
        functions = {k: along(self.system.function(v), (1, 2)) for k, v in names.items()}
        drivers = {"with_rates": "rates", "with_closing": "closing"}
        drivers = {name: own for name, own in drivers.items() if own in functions}
        size, size_p = self.n * (1 + self.count), self.n_p * (1 + self.count)
        inputs = Argument("t", 1), Argument("x", size), Argument("p", size_p)
        given = {name: (inputs, (Argument("out", size),)) for name in drivers}
        texts = [self._driver(name, own) for name, own in drivers.items()]
        replacing = [name for name in drivers if name == "with_closing"]
        return compile_library(functions, texts, given, {}, replacing)

    def _driver(self, name: str, own: str) -> str:
        """Return the definition of a function of all directions by calls of one of a few."""
        lines = [f"define void @{name}(ptr %t, ptr %x, ptr %p, ptr %out) nounwind {{{{"]
        for g in range(self.groups):
            for what, of, size in (
                ("s", "x", self.n),
                ("d", "p", self.n_p),
                ("o", "out", self.n),
            ):
                place = size * (1 + g * TOGETHER)
                lines.append(f"%{what}{g} = getelementptr double, ptr %{of}, i64 {place}")
            passed = f"ptr %t, ptr %x, ptr %p, ptr %s{g}, ptr %d{g}, ptr %out, ptr %o{g}"
            lines.append(f"call void @{{{own}}}({passed})")
        return "\n".join([*lines, "ret void", "}}"])

    @property
    def rates(self) -> NativeFunction:
        """Native d(x, S)/dt of (t, (x, S), (p, D))."""
        return self._natives["with_rates"]

    @property
    def closing(self) -> NativeFunction | None:
        """Native projection of (x, S), None where nothing drifts."""
        return self._natives.get("with_closing")


def along(function: casadi.Function, moved: Sequence[int]) -> casadi.Function:
    """Return a function with its derivatives in `TOGETHER` directions of the moved arguments."""
    import casadi

    given = [casadi.SX.sym(f"a{k}", function.numel_in(k)) for k in range(function.n_in())]
    changes = [casadi.SX.sym(f"d{k}", function.numel_in(k), TOGETHER) for k in moved]
    value = function(*given)
    by = casadi.vertcat(*(given[k] for k in moved))
    change = casadi.jtimes(value, by, casadi.vertcat(*changes))
    made = [casadi.densify(value), casadi.densify(change)]
    return casadi.Function("along", [*given, *changes], made)
