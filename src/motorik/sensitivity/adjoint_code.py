"""Native rates and projections of an adjoint state, on the way back along a motion that is kept."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from motorik.compiler import Argument, NativeFunction, compile_library
from motorik.compiler.driver_text import add_array, write_declaration, write_driver
from motorik.sensitivity.kept_motion import chebyshev_points, read_motion

if TYPE_CHECKING:
    import casadi

    from motorik.compiled_model import CompiledModel

KEPT = 256  # steps of a motion that are kept at a time


class AdjointCode:
    """The adjoint y = (λ, μ, ν) of an objective: λ = ∂/∂x, μ = ∂/∂p at some places, ν its integral.

    Going back in time, s = −t, with the rates f and an integrand L of the objective,

        dλ/ds = (∂f/∂x)ᵀ λ + ∂L/∂x,   dμ/ds = (∂f/∂p)ᵀ λ + ∂L/∂p,   dν/ds = L,

    so the cost is that of one motion, however many parameters there are. x(t) and p are read from
    the motion that is kept, see `kept_motion`.
    """

    def __init__(
        self,
        system: CompiledModel,
        places: tuple[int, ...],
        points: int,
        integrand: casadi.Function | None,
    ) -> None:
        self.system, self.places, self.points = system, places, points
        self.integrand = integrand
        self.nodes, self._weights = chebyshev_points(points)
        self.n, self.n_p = system.n_x, system.equations.p.numel()
        self.size = self.n + len(places) + 1

    @cached_property
    def _natives(self) -> dict[str, NativeFunction]:
        functions = {"back": self._rates_back()}
        drivers = {"rates": "back"}
        if self.system.project is not None:
            functions["closed_back"] = self._closing_back()
            drivers["closing"] = "closed_back"
        inputs = tuple(
            Argument(name, size)
            for name, size in (("s", 1), ("y", self.size), ("kept", self.kept_size))
        )
        return compile_library(
            functions,
            [
                write_declaration(read_motion),
                *(self._driver(*pair) for pair in drivers.items()),
            ],
            {name: (inputs, (Argument("out", self.size),)) for name in drivers},
            replacing=[name for name in drivers if name == "closing"],
            kernels=[(read_motion,)],
        )

    @property
    def rates(self) -> NativeFunction:
        """Native dy/ds of (s, y, motion that is kept)."""
        return self._natives["rates"]

    @property
    def closing(self) -> NativeFunction | None:
        """Native transposed projection of y, of (s, y, motion that is kept); None without one."""
        return self._natives.get("closing")

    @property
    def closing_at(self) -> NativeFunction | None:
        """Native transposed projection of (t, x, p, y)."""
        return self._natives.get("closed_back")

    # --- what is traced ---------------------------------------------------------------------

    def _rates_back(self) -> casadi.Function:
        import casadi

        t, x, p, y = self._symbols()
        change = casadi.dot(y[: self.n], self.system.function("derivative")(t, x, p))
        value = casadi.SX(0.0) if self.integrand is None else self.integrand(t, x, p)
        found = self._gradient(change + value, x, p)
        return casadi.Function("back", [t, x, p, y], [casadi.vertcat(*found, value)])

    def _closing_back(self) -> casadi.Function:
        import casadi

        t, x, p, y = self._symbols()
        product = casadi.dot(y[: self.n], self.system.function("project")(t, x, p))
        by_x, by_p = self._gradient(product, x, p)
        found = casadi.vertcat(by_x, y[self.n : -1] + by_p, y[-1])
        return casadi.Function("closed_back", [t, x, p, y], [casadi.densify(found)])

    def _symbols(self) -> tuple[casadi.SX, ...]:
        import casadi

        sizes = {"t": 1, "x": self.n, "p": self.n_p, "y": self.size}
        return tuple(casadi.SX.sym(name, size) for name, size in sizes.items())

    def _gradient(
        self, value: casadi.SX, x: casadi.SX, p: casadi.SX
    ) -> tuple[casadi.SX, casadi.SX]:
        """Return the derivatives of a number by x and by p at the places."""
        import casadi

        by = casadi.vertcat(x, *(p[place] for place in self.places))
        found = casadi.densify(casadi.gradient(value, by))
        return found[: self.n], found[self.n :]

    def _driver(self, name: str, own: str) -> str:
        """Return the definition of a function of s and y that reads x and p from what is kept."""
        layout = self.system.layout
        sizes = (self.n, self.n_p, layout.n_unwrapped, layout.unwrapping.start)
        given = ", ".join(f"i64 {size}" for size in (*sizes, self.points, KEPT))
        lines: list[str] = []
        freed: list[str] = []
        for array, size in {"at": 1, "x": self.n, "p": self.n_p}.items():
            add_array(array, size, lines, freed)
        lines += [
            "%now = load double, ptr %s",
            "%t = fneg double %now",
            "store double %t, ptr %at",
            f"call void @read_motion({given}, double %t, ptr %kept, ptr %x, ptr %p)",
            f"call void @{{{own}}}(ptr %at, ptr %x, ptr %p, ptr %y, ptr %out)",
        ]
        return write_driver(name, [*lines, *freed], inputs=("s", "y", "kept"))

    # --- the motion that is kept ------------------------------------------------------------

    @property
    def row(self) -> int:
        """The count of numbers of a step."""
        return self.points * self.n + self.system.layout.n_unwrapped

    @property
    def kept_size(self) -> int:
        """The count of all numbers."""
        return self.n_p + 2 + 2 * self.points + KEPT + KEPT * self.row

    def new_memory(self, p: np.ndarray) -> np.ndarray:
        """Return memory for steps with the parameters p."""
        kept = np.zeros(self.kept_size)
        kept[: self.n_p] = p
        head = np.concatenate([self.nodes, self._weights])
        kept[self.n_p + 1 : self.n_p + 1 + head.size] = head
        return kept

    def keep(
        self, kept: np.ndarray, times: np.ndarray, x: np.ndarray, references: np.ndarray
    ) -> None:
        """Write steps: the times of their ends, states at their points, their references."""
        count, first = len(times) - 1, self.n_p + 1 + 2 * self.points
        kept[self.n_p] = count
        kept[first : first + count + 1] = times
        rows = kept[first + KEPT + 1 :].reshape(KEPT, self.row)
        rows[:count, : self.points * self.n] = x.reshape(count, -1)
        rows[:count, self.points * self.n :] = references
