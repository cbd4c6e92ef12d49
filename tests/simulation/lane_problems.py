"""Problems whose rates are known for one state and for four at once."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import casadi
import numpy as np

from motorik.compiler import NativeFunction, compile_function
from motorik.simulation.integrate import Integration
from motorik.simulation.methods import METHODS

GBS = METHODS["gbs"]


@dataclass(frozen=True)
class LaneProblem:
    """ẋ = f(t, x, p) in CasADi's scalars, from `start` on; p has as many numbers as needed."""

    rates: Callable[[Any, Any, Any], tuple[Any, ...]]
    start: tuple[float, ...]
    n_p: int = 1

    @property
    def n(self) -> int:
        return len(self.start)

    @cache  # noqa: B019
    def function(self) -> casadi.Function:
        t, x, p = (casadi.SX.sym(*s) for s in (("t",), ("x", self.n), ("p", self.n_p)))
        return casadi.Function("rates", [t, x, p], [casadi.vertcat(*self.rates(t, x, p))])

    @cache  # noqa: B019
    def rhs(self) -> NativeFunction:
        return compile_function(self.function())

    @cache  # noqa: B019
    def rhs_lanes(self) -> NativeFunction:
        return compile_function(self.function(), width=GBS.lanes)

    @cache  # noqa: B019
    def jacobian(self) -> NativeFunction:
        t, x, p = self.function().sx_in()
        J = casadi.densify(casadi.jacobian(self.function()(t, x, p), x))
        return compile_function(casadi.Function("jacobian", [t, x, p], [J]))

    def integrate(self, method=GBS, **options: Any) -> Integration:
        """Return an integration from the start by a method, without its Jacobian."""
        return Integration(
            method,
            self.rhs,
            options.pop("start", self.start),
            rhs_lanes=self.rhs_lanes,
            **options,
        )

    def plain_lanes(self, t, x, p, dx) -> None:
        """Compute the rates of four states in Python: the second route."""
        L = GBS.lanes
        columns = [
            self.function()(t[lane], x[lane : L * self.n : L], p[lane : L * self.n_p : L])
            for lane in range(L)
        ]
        dx[: L * self.n] = np.hstack([np.asarray(c) for c in columns]).reshape(-1)


def _orbit(t, x, p):
    cube = (x[0] ** 2 + x[1] ** 2) ** 1.5
    return x[2], x[3], -x[0] / cube, -x[1] / cube


def _three_bodies(t, x, p):
    # a satellite of the turning earth and moon, in their frame; Arenstorf 1963
    moon = 0.012277471
    to_earth = ((x[0] + moon) ** 2 + x[1] ** 2) ** 1.5
    to_moon = ((x[0] - 1 + moon) ** 2 + x[1] ** 2) ** 1.5
    pull = (1 - moon) / to_earth, moon / to_moon
    ax = x[0] + 2 * x[3] - pull[0] * (x[0] + moon) - pull[1] * (x[0] - 1 + moon)
    ay = x[1] - 2 * x[2] - (pull[0] + pull[1]) * x[1]
    return x[2], x[3], ax, ay


def _turning(t, x, p):
    # quaternion (w, x, y, z) under the angular velocity p in the body: q̇ = ½ q ω
    return (
        0.5 * (-x[1] * p[0] - x[2] * p[1] - x[3] * p[2]),
        0.5 * (x[0] * p[0] + x[2] * p[2] - x[3] * p[1]),
        0.5 * (x[0] * p[1] + x[3] * p[0] - x[1] * p[2]),
        0.5 * (x[0] * p[2] + x[1] * p[1] - x[2] * p[0]),
    )


OSCILLATOR = LaneProblem(lambda t, x, p: (x[1], -x[0]), (0.0, 1.0))
FAST = LaneProblem(lambda t, x, p: (x[1], -1e6 * x[0]), (0.0, 1e3))
# x = sin t + e⁻ᵗ, which depends on t explicitly and on the product of its states
FORCED = LaneProblem(
    lambda t, x, p: (x[1] * x[0] / x[0], casadi.exp(-t) - casadi.sin(t) + 0 * x[0]),
    (1.0, 0.0),
)
ORBIT = LaneProblem(_orbit, (0.4, 0.0, 0.0, 2.0))  # eccentricity 0.6
THREE_BODIES = LaneProblem(_three_bodies, (0.994, 0.0, 0.0, -2.00158510637908252240537862224))
THREE_BODIES_PERIOD = 17.0652165601579625588917206249
TURNING = LaneProblem(_turning, (1.0, 0.0, 0.0, 0.0), n_p=3)
DRIVEN = LaneProblem(lambda t, x, p: (p[0] - x[0] * p[1],), (0.0,), n_p=2)
RELAXATION = LaneProblem(
    lambda t, x, p: (x[1], p[0] * (1 - x[0] ** 2) * x[1] - x[0]), (2.0, 0.0)
)
EXPLOSION = LaneProblem(lambda t, x, p: (x[0] ** 2,), (1.0,))
END_OF_THE_REAL_LINE = LaneProblem(lambda t, x, p: (casadi.sqrt(0.5 - t),), (0.0,))
NEVER_FINITE = LaneProblem(lambda t, x, p: (casadi.sqrt(-1 - x[0] ** 2),), (1.0,))


def orbit_solution(t: np.ndarray) -> np.ndarray:
    """Return the motion on `ORBIT` by Kepler's equation E − e sin E = t."""
    e = 0.6
    E = np.array(t, dtype=float)
    for _ in range(50):
        E -= (E - e * np.sin(E) - t) / (1 - e * np.cos(E))
    rate, side = 1 / (1 - e * np.cos(E)), np.sqrt(1 - e**2)
    columns = np.cos(E) - e, side * np.sin(E), -np.sin(E) * rate, side * np.cos(E) * rate
    return np.stack(columns, axis=-1)
