"""Problems whose rates are compiled for one state and for four at once."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import casadi
import numpy as np

from motorik.compiler import NativeFunction, compile_function
from motorik.simulation.integration import Integration
from motorik.simulation.methods import METHODS
from tests.simulation.ode_problems import kepler_start

GBS = METHODS["gbs"]


@dataclass(frozen=True)
class LaneProblem:
    """ẋ = f(t, x, p), written with CasADi's scalars, from `start` on."""

    rates: Callable[[Any, Any, Any], tuple[Any, ...]]
    start: tuple[float, ...]
    n_p: int = 1

    @property
    def n(self) -> int:
        return len(self.start)

    @cached_property
    def function(self) -> casadi.Function:
        t, x, p = (casadi.SX.sym(*s) for s in (("t",), ("x", self.n), ("p", self.n_p)))
        return casadi.Function("rates", [t, x, p], [casadi.vertcat(*self.rates(t, x, p))])

    @cached_property
    def rhs(self) -> NativeFunction:
        return compile_function(self.function)

    @cached_property
    def rhs_lanes(self) -> NativeFunction:
        return compile_function(self.function, width=GBS.lanes)

    @cached_property
    def jacobian(self) -> NativeFunction:
        t, x, p = self.function.sx_in()
        J = casadi.densify(casadi.jacobian(self.function(t, x, p), x))
        return compile_function(casadi.Function("jacobian", [t, x, p], [J]))

    def integrate(self, method=GBS, **options: Any) -> Integration:
        """Return an integration from the start on."""
        return Integration(
            method,
            lambda: self.rhs,
            self.start,
            rhs_lanes=lambda: self.rhs_lanes,
            jacobian=lambda: self.jacobian,
            **options,
        )

    def rate(self, t, x, p) -> np.ndarray:
        """Return f(t, x, p) as CasADi evaluates it."""
        return self.function(t, x, p).full().ravel()

    def plain_lanes(self, t, x, p, dx) -> None:
        """Compute the rates of four states, one after the other, in Python."""
        L = GBS.lanes
        for lane in range(L):
            state, parameters = x[lane : L * self.n : L], p[lane : L * self.n_p : L]
            dx[lane : L * self.n : L] = self.rate(t[lane], state, parameters)


def _forced(t, x, p):
    # x = (sin t + e⁻ᵗ, cos t − e⁻ᵗ): every substep must have its time right
    s, c, e = casadi.sin(t), casadi.cos(t), casadi.exp(-t)
    return c - e + (x[0] - s - e) * x[1], e - s - (x[1] - c + e)


def _orbit(t, x, p):
    cube = (x[0] ** 2 + x[1] ** 2) ** 1.5
    return x[2], x[3], -x[0] / cube, -x[1] / cube


def _satellite(t, x, p):
    # between earth and moon, in the frame that turns with them
    moon = 0.012277471
    earth = 1 - moon
    to_earth = earth / ((x[0] + moon) ** 2 + x[1] ** 2) ** 1.5
    to_moon = moon / ((x[0] - earth) ** 2 + x[1] ** 2) ** 1.5
    ax = x[0] + 2 * x[3] - to_earth * (x[0] + moon) - to_moon * (x[0] - earth)
    ay = x[1] - 2 * x[2] - (to_earth + to_moon) * x[1]
    return x[2], x[3], ax, ay


def _turning(t, x, p):
    # quaternion (w, x, y, z) under the angular velocity p in the body: q̇ = ½ q ω
    return (
        0.5 * (-x[1] * p[0] - x[2] * p[1] - x[3] * p[2]),
        0.5 * (x[0] * p[0] + x[2] * p[2] - x[3] * p[1]),
        0.5 * (x[0] * p[1] + x[3] * p[0] - x[1] * p[2]),
        0.5 * (x[0] * p[2] + x[1] * p[1] - x[2] * p[0]),
    )


OSCILLATOR = LaneProblem(lambda t, x, p: (p[0] * x[1], -p[0] * x[0]), (0.0, 1.0))
FORCED = LaneProblem(_forced, (1.0, 0.0))
ORBIT = LaneProblem(_orbit, kepler_start(0.6))
# Arenstorf's closed orbit; Hairer, Nørsett, Wanner 1993, §II.0
SATELLITE = LaneProblem(_satellite, (0.994, 0.0, 0.0, -2.00158510637908252240537862224))
SATELLITE_PERIOD = 17.0652165601579625588917206249
TURNING = LaneProblem(_turning, (1.0, 0.0, 0.0, 0.0), n_p=3)
RELAXING = LaneProblem(lambda t, x, p: (p[0] - p[1] * x[0],), (0.0,), n_p=2)
VAN_DER_POL = LaneProblem(
    lambda t, x, p: (x[1], p[0] * (1 - x[0] ** 2) * x[1] - x[0]), (2.0, 0.0)
)
EXPLOSION = LaneProblem(lambda t, x, p: (x[0] ** 2,), (1.0,))
END_OF_THE_REAL_LINE = LaneProblem(lambda t, x, p: (casadi.sqrt(0.5 - t),), (0.0,))
NEVER_FINITE = LaneProblem(lambda t, x, p: (casadi.sqrt(-1 - x[0] ** 2),), (1.0,))
