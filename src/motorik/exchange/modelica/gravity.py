"""Gravity fields that published models name as functions."""

from __future__ import annotations

from collections.abc import Callable
from math import radians, sin, sqrt

from motorik.algebra.vector import Vector

# WGS 84 (NIMA TR8350.2, 2000): ellipsoid, rotation and normal gravity of the Earth
SEMI_MAJOR = 6378137.0  # a, m
SEMI_MINOR = 6356752.3142  # b, m
FLATTENING = 1 / 298.257223563  # f
ECCENTRICITY = 8.1819190842622e-2  # e, the first one
RATE = 7292115e-11  # ω, rad/s
FIELD_CONSTANT = 3986004.418e8  # GM, m³/s²
AT_EQUATOR = 9.7803253359  # γ_e, m/s²
AT_POLES = 9.8321849378  # γ_p, m/s²


def normal_gravity_wgs84(phi: float) -> Callable[[Vector], Vector]:
    """Return the WGS 84 normal gravity along −y at the geodetic latitude phi [°].

    γ(φ) = γ_e (1 + k sin²φ) / √(1 − e² sin²φ),  k = b γ_p / (a γ_e) − 1  (Somigliana), and at
    the height h = r_y over the ellipsoid
    γ(φ, h) = γ(φ) (1 − 2 (1 + f + m − 2 f sin²φ) h/a + 3 h²/a²),  m = ω² a² b / GM.

    The quadratic term is taken with the sign the Modelica library uses, −3 h²/a², so that its
    published results can be compared; at a height of 20 m it changes γ by 6e-11 of itself.
    """
    s = sin(radians(phi)) ** 2
    k = SEMI_MINOR * AT_POLES / (SEMI_MAJOR * AT_EQUATOR) - 1
    m = RATE**2 * SEMI_MAJOR**2 * SEMI_MINOR / FIELD_CONSTANT
    on_ellipsoid = AT_EQUATOR * (1 + k * s) / sqrt(1 - ECCENTRICITY**2 * s)
    slope = 2 * (1 + FLATTENING + m - 2 * FLATTENING * s)

    def acceleration(r: Vector) -> Vector:
        h_a = r.y / SEMI_MAJOR
        return Vector(0.0, -on_ellipsoid * (1 - h_a * (slope + 3 * h_a)), 0.0)

    return acceleration
