"""Differential equations with known solutions, as kernels: DETEST (Hull et al. 1972) and more.

The right-hand sides take arrays only, so one kernel is the native function and, called as
plain Python, the second route.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import cos, exp, sin, sqrt
from typing import Any

import numpy as np
from scipy.special import ellipj

from motorik.compiler.kernels import Floats, Kernel, kernel


@dataclass(frozen=True)
class Problem:
    """ẋ = rhs(t, x), x(0) = start, with its solution."""

    name: str
    rhs: Kernel[..., Any]
    start: tuple[float, ...]
    end: float
    solution: Callable[[np.ndarray], np.ndarray]  # one row per time

    def __str__(self) -> str:
        return self.name


@kernel
def decay(t: Floats, x: Floats, p: Floats, dx: Floats) -> None:
    dx[0] = -x[0]


@kernel
def cosine_growth(t: Floats, x: Floats, p: Floats, dx: Floats) -> None:
    dx[0] = x[0] * cos(t[0])


@kernel
def logistic(t: Floats, x: Floats, p: Floats, dx: Floats) -> None:
    dx[0] = 0.25 * x[0] * (1.0 - x[0] / 20.0)


@kernel
def free_body(t: Floats, x: Floats, p: Floats, dx: Floats) -> None:
    dx[0] = x[1] * x[2]
    dx[1] = -x[0] * x[2]
    dx[2] = -0.51 * x[0] * x[1]


@kernel
def kepler(t: Floats, x: Floats, p: Floats, dx: Floats) -> None:
    square = x[0] * x[0] + x[1] * x[1]
    cube = square * sqrt(square)
    dx[0] = x[2]
    dx[1] = x[3]
    dx[2] = -x[0] / cube
    dx[3] = -x[1] / cube


@kernel
def forced(t: Floats, x: Floats, p: Floats, dx: Floats) -> None:
    # x(t) = (sin t + e⁻ᵗ, cos t − e⁻ᵗ): every node of a method must have its time right
    dx[0] = cos(t[0]) - exp(-t[0]) + (x[0] - sin(t[0]) - exp(-t[0])) * x[1]
    dx[1] = exp(-t[0]) - sin(t[0]) - (x[1] - cos(t[0]) + exp(-t[0]))


@kernel
def rotation(t: Floats, x: Floats, p: Floats, dx: Floats) -> None:
    dx[0] = x[1]
    dx[1] = -x[0]


@kernel
def oscillators(t: Floats, x: Floats, p: Floats, dx: Floats) -> None:
    # p: how many, then the frequency of each
    for i in range(int(p[0])):
        dx[2 * i] = p[1 + i] * x[2 * i + 1]
        dx[2 * i + 1] = -p[1 + i] * x[2 * i]


def _free_body_solution(t: np.ndarray) -> np.ndarray:
    sn, cn, dn, _ = ellipj(t, 0.51)
    return np.stack([sn, cn, dn], axis=-1)


def kepler_start(eccentricity: float) -> tuple[float, ...]:
    """Return position and velocity at the nearest point."""
    speed = np.sqrt((1 + eccentricity) / (1 - eccentricity))
    return (1 - eccentricity, 0.0, 0.0, float(speed))


def kepler_solution(eccentricity: float) -> Callable[[np.ndarray], np.ndarray]:
    """Return the motion by Kepler's equation E − e sin E = t."""

    def solution(t: np.ndarray) -> np.ndarray:
        E = np.array(t, dtype=float)
        for _ in range(50):
            E -= (E - eccentricity * np.sin(E) - t) / (1 - eccentricity * np.cos(E))
        rate = 1 / (1 - eccentricity * np.cos(E))
        side = np.sqrt(1 - eccentricity**2)
        columns = np.cos(E) - eccentricity, side * np.sin(E), -np.sin(E), side * np.cos(E)
        columns = *columns[:2], columns[2] * rate, columns[3] * rate
        return np.stack(columns, axis=-1)

    return solution


DETEST = (
    Problem("A1 decay", decay, (1.0,), 20.0, lambda t: np.exp(-t)[..., None]),
    Problem(
        "A3 cosine", cosine_growth, (1.0,), 20.0, lambda t: np.exp(np.sin(t))[..., None]
    ),
    Problem(
        "A4 logistic",
        logistic,
        (1.0,),
        20.0,
        lambda t: (20 / (1 + 19 * np.exp(-t / 4)))[..., None],
    ),
    Problem("B5 free body", free_body, (0.0, 1.0, 1.0), 20.0, _free_body_solution),
    Problem("D1 orbit", kepler, kepler_start(0.1), 20.0, kepler_solution(0.1)),
    Problem("D3 orbit", kepler, kepler_start(0.5), 20.0, kepler_solution(0.5)),
    Problem("D5 orbit", kepler, kepler_start(0.9), 20.0, kepler_solution(0.9)),
)
FORCED = Problem(
    "forced",
    forced,
    (1.0, 0.0),
    2.0,
    lambda t: np.stack([np.sin(t) + np.exp(-t), np.cos(t) - np.exp(-t)], axis=-1),
)
ROTATION = Problem(
    "rotation",
    rotation,
    (0.0, 1.0),
    20.0,
    lambda t: np.stack([np.sin(t), np.cos(t)], axis=-1),
)


# --- stiff ----------------------------------------------------------------------------------


@kernel
def van_der_pol(t: Floats, x: Floats, p: Floats, dx: Floats) -> None:
    dx[0] = x[1]
    dx[1] = p[0] * (1.0 - x[0] * x[0]) * x[1] - x[0]


@kernel
def van_der_pol_jacobian(t: Floats, x: Floats, p: Floats, j: Floats) -> None:
    j[0] = 0.0
    j[1] = -2.0 * p[0] * x[0] * x[1] - 1.0
    j[2] = 1.0
    j[3] = p[0] * (1.0 - x[0] * x[0])


@kernel
def robertson(t: Floats, x: Floats, p: Floats, dx: Floats) -> None:
    dx[0] = -0.04 * x[0] + 1e4 * x[1] * x[2]
    dx[2] = 3e7 * x[1] * x[1]
    dx[1] = -dx[0] - dx[2]


@kernel
def robertson_jacobian(t: Floats, x: Floats, p: Floats, j: Floats) -> None:
    j[0] = -0.04
    j[1] = 0.04
    j[2] = 0.0
    j[3] = 1e4 * x[2]
    j[4] = -1e4 * x[2] - 6e7 * x[1]
    j[5] = 6e7 * x[1]
    j[6] = 1e4 * x[1]
    j[7] = -1e4 * x[1]
    j[8] = 0.0


# --- trouble --------------------------------------------------------------------------------


@kernel
def explosion(t: Floats, x: Floats, p: Floats, dx: Floats) -> None:
    dx[0] = x[0] * x[0]


@kernel
def end_of_the_real_line(t: Floats, x: Floats, p: Floats, dx: Floats) -> None:
    dx[0] = sqrt(0.5 - t[0])


@kernel
def never_finite(t: Floats, x: Floats, p: Floats, dx: Floats) -> None:
    dx[0] = sqrt(-1.0 - x[0] * x[0])


# --- a turning body -------------------------------------------------------------------------


@kernel
def turning(t: Floats, x: Floats, p: Floats, dx: Floats) -> None:
    # quaternion (w, x, y, z) under the angular velocity p in the body: q̇ = ½ q ω
    dx[0] = 0.5 * (-x[1] * p[0] - x[2] * p[1] - x[3] * p[2])
    dx[1] = 0.5 * (x[0] * p[0] + x[2] * p[2] - x[3] * p[1])
    dx[2] = 0.5 * (x[0] * p[1] + x[3] * p[0] - x[1] * p[2])
    dx[3] = 0.5 * (x[0] * p[2] + x[1] * p[1] - x[2] * p[0])


@kernel
def normalise(t: Floats, x: Floats, p: Floats) -> None:
    inverse = 1.0 / sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3])
    for i in range(4):
        x[i] *= inverse
