"""The engines of the gallery once more: the energies of slider-cranks in one angle."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi, radians

import casadi as ca

from tests.gallery.lagrange import Motion, make_motion
from tests.gallery.loop_references import G_STANDARD, STEEL, symbols

Turning = tuple[float, float, float]  # mass [kg], inertia and first moment about the shaft


@dataclass(frozen=True)
class Throw:
    """A crank with rod and piston, seen along the shaft; the cylinder stands upright.

    `crank`, `rod` [m]; of the rod its mass, inertia about its centre and the distance of the
    centre from the crank pin; `piston` mass and the height of its centre above its pin;
    `top` of the cylinder and `crown` of the piston above the shaft and above the pin.
    """

    crank: float
    rod: float
    rod_mass: float
    rod_inertia: float
    rod_centre: float
    piston_mass: float
    piston_centre: float
    top: float
    crown: float = 0.1
    gas_length: float | None = None

    def energies(self, phi, lean: float, q, v):
        """Return T, V and the torque of the gas at the angle φ from a cylinder leaning over."""
        c, s = ca.cos(phi), ca.sin(phi)
        sine = self.crank * s / self.rod  # of the rod's tilt, to the other side
        cosine = ca.sqrt(1 - sine**2)
        y = self.crank * c + self.rod * cosine
        share = self.rod_centre / self.rod
        centre = ca.vertcat(
            self.crank * c + self.rod_centre * cosine, self.crank * s * (1 - share)
        )
        speed, tilt = ca.jtimes(centre, q, v), ca.jtimes(ca.asin(sine), q, v)
        T = (
            self.rod_mass * ca.dot(speed, speed)
            + self.rod_inertia * tilt**2
            + self.piston_mass * ca.jtimes(y, q, v) ** 2
        ) / 2
        # the cylinder's own axes lean by a turn about x: height = cos · y − sin · z
        height = self.rod_mass * (
            ca.cos(lean) * centre[0] - ca.sin(lean) * centre[1]
        ) + self.piston_mass * ca.cos(lean) * (y + self.piston_centre)
        if self.gas_length is None:
            return T, G_STANDARD * height, 0
        distance = self.top - y - self.crown
        rate = ca.jacobian(distance, q)
        force = 1e5 * pressure(1 - distance / self.gas_length, rate * v) * pi * 0.1**2 / 4
        return T, G_STANDARD * height, force * rate


def pressure(x, v):
    """Return the pressure [bar] of Modelica's GasForce2: x is 1 at the top, v < 0 upward."""

    def polynomial(*c):
        return (((c[0] * x + c[1]) * x + c[2]) * x + c[3]) * x + c[4]

    compressed = ca.if_else(
        x < 0.986061,
        polynomial(177.4132, -287.2189, 151.8252, -24.9973, 2.4),
        polynomial(2836360, -10569296, 14761814, -9158505, 2129670),
    )
    burnt = ca.if_else(
        x > 0.933,
        polynomial(-3929704, 14748765, -20747000, 12964477, -3036495),
        polynomial(145.930, -131.707, 17.3438, 17.9272, 2.4),
    )
    return ca.if_else(v < 0, compressed, burnt)


def shaft_part(length: float, diameter: float, off: float) -> Turning:
    """Return a steel cylinder along the shaft, `off` [m] its axis."""
    m = STEEL * length * pi * diameter**2 / 4
    return m, m * (diameter**2 / 8 + off**2), m * off


def cheeks(throw: float) -> Turning:
    """Return the two steel cheeks of a crank, 20 mm thick and 50 mm wide."""
    m = 2 * STEEL * throw * 0.02 * 0.05
    return m, m * ((throw**2 + 0.05**2) / 12 + throw**2 / 4), m * throw / 2


def steel_rod(length: float) -> tuple[float, float]:
    """Return mass and inertia of a steel rod, 20 mm thick and 60 mm wide."""
    m = STEEL * length * 0.02 * 0.06
    return m, m * (length**2 + 0.06**2) / 12


PISTON = STEEL * 0.1 * pi * 0.1**2 / 4


def engine1(gas: bool) -> Motion:
    """Return the engine with one cylinder in its crank angle."""
    q, v = symbols(1)
    throw = Throw(
        0.1, 0.2, *steel_rod(0.2), 0.1, PISTON, 0.05, 0.45, gas_length=0.35 if gas else None
    )
    T, V, force = throw.energies(q, 0.0, q, v)
    for _, J, moment in (
        shaft_part(0.1, 0.05, 0.0),
        shaft_part(0.1, 0.03, 0.1),
        cheeks(0.1),
    ):
        T += J * v**2 / 2
        V += G_STANDARD * moment * ca.cos(q)
    return make_motion(q, v, T + v**2 / 2, V, force=ca.SX(force))


PLAIN = Throw(0.1, 0.2, *steel_rod(0.22), 0.09, PISTON, 0.05, 0.42, gas_length=0.22)
LUMPED = Throw(0.05, 0.175, 1.0, 0.006, 0.0875, 6.0, 0.05, 0.42, gas_length=0.195)
PLAIN_SHAFT = (shaft_part(0.12, 0.05, 0.0), shaft_part(0.12, 0.03, 0.1), cheeks(0.1))


def engine_v6(throw: Throw) -> Motion:
    """Return the engine with six cylinders in its crank angle, with drag and flywheel."""
    q, v = symbols(1)
    T, V, force = v**2 / 2, ca.SX(0), -100.0 * (v / 200.0) ** 2 * ca.sign(v)
    if throw is LUMPED:
        T += 0.1 * v**2 / 2
    for crank, lean in ((-30, -30), (90, 30), (210, -30), (210, 30), (90, -30), (-30, 30)):
        offset, tilt = radians(crank), radians(lean)
        parts = throw.energies(q + offset - tilt, tilt, q, v)
        T, V, force = T + parts[0], V + parts[1], force + parts[2]
        for _, J, moment in PLAIN_SHAFT if throw is PLAIN else ():
            T += J * v**2 / 2
            V += G_STANDARD * moment * ca.cos(q + offset)
    return make_motion(q, v, T, V, force=force)
