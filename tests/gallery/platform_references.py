"""Stewart platform and MacPherson suspension once more, from their geometry and energies."""

from __future__ import annotations

from math import pi

import casadi as ca
import numpy as np

from tests.gallery.lagrange import Motion, kinetic_energy, make_motion, turn
from tests.gallery.loop_references import STEEL, G, symbols


def cardan(angles: ca.SX) -> ca.SX:
    """Return a turn about x, then y, then z."""
    R = ca.mtimes(turn("x", angles[0]), turn("y", angles[1]))
    return ca.mtimes(R, turn("z", angles[2]))


# --- Stewart platform ----------------------------------------------------------------------


def circle(radius: float, degrees) -> np.ndarray:
    """Return points on a level circle."""
    a = np.radians(degrees)
    return radius * np.stack([np.cos(a), np.sin(a), 0 * a], axis=1)


FEET = circle(1.0, [-10.0, 10.0, 110.0, 130.0, 230.0, 250.0])
SEATS = circle(0.6, [-50.0, 50.0, 70.0, 170.0, 190.0, 290.0])
HOME = np.array([0.0, 0.0, 1.0]) + SEATS - FEET


def tube(outer: float, inner: float) -> tuple[float, np.ndarray]:
    """Return mass and inertia of a steel tube of 0.6 m along x."""
    m = STEEL * 0.6 * pi * (outer**2 - inner**2) / 4
    along, round_ = m * (outer**2 + inner**2) / 8, m * (outer**2 + inner**2) / 16
    return m, np.diag([along, *[m * 0.6**2 / 12 + round_] * 2])


def stewart(stiffness: float, damping: float, mass: float) -> tuple[Motion, ca.Function]:
    """Return the platform in its pose (x, y, z, three angles), and its legs' lengths."""
    q, v = symbols(6)
    r, R = q[:3], cardan(q[3:])
    disc = mass * 0.6**2 / 4
    T = kinetic_energy(mass, np.diag([disc, disc, 2 * disc]), r, R, q, v)
    V, force, lengths = mass * G * r[2], ca.SX.zeros(6), []
    for foot, seat, home in zip(FEET, SEATS, HOME, strict=True):
        x = home / np.linalg.norm(home)
        y = np.cross([0, 0, 1], home)
        y /= np.linalg.norm(y)
        axes = np.column_stack([x, y, np.cross(x, y)])
        leg = r + ca.mtimes(R, ca.DM(seat)) - foot
        length = ca.norm_2(leg)
        e = ca.mtimes(ca.DM(axes.T), leg) / length
        # a turn about y by a, then about z by b: x axis (cos a cos b, sin b, −sin a cos b)
        cross = ca.mtimes(turn("y", ca.atan2(-e[2], e[0])), turn("z", ca.asin(e[1])))
        A = ca.mtimes(ca.DM(axes), cross)
        for place, (m, I) in ((0.3, tube(0.06, 0.05)), (length - 0.3, tube(0.045, 0.03))):
            centre = foot + place * leg / length
            T += kinetic_energy(m, I, centre, A, q, v)
            V += m * G * centre[2]
        V += stiffness * (length - np.linalg.norm(home)) ** 2 / 2
        force -= damping * ca.jtimes(length, q, v) * ca.gradient(length, q)
        lengths.append(length)
    return make_motion(q, v, T, V, force=force), ca.Function(
        "l", [q], [ca.vertcat(*lengths)]
    )


# --- MacPherson suspension -----------------------------------------------------------------

PIVOT, LOWER = np.array([0.0, 0.35, 0.20]), np.array([0.0, 0.70, 0.18])
TOP, HUB = np.array([-0.02, 0.58, 0.80]), np.array([0.0, 0.75, 0.28])
RACK, STEER = np.array([-0.12, 0.36, 0.26]), np.array([-0.14, 0.70, 0.25])


def macpherson(rack: float = 0.0) -> Motion:
    """Return the suspension in arm angle and the carrier's three angles; the rack stands."""
    q, v = symbols(4)
    R1, R = turn("x", q[0]), cardan(q[1:])
    centre = PIVOT + ca.mtimes(R1, ca.DM((LOWER - PIVOT) / 2))
    ball = PIVOT + ca.mtimes(R1, ca.DM(LOWER - PIVOT))
    hub = ball + ca.mtimes(R, ca.DM(HUB - LOWER))
    strut = TOP - ball
    T = kinetic_energy(3.0, np.diag([0.03, 0.01, 0.03]), centre, R1, q, v)
    T += kinetic_energy(22.0, np.diag([0.6, 1.0, 0.6]), hub, R, q, v)
    tyre = ca.norm_2(hub - ca.DM([HUB[0], HUB[1], 0]))
    spring = ca.norm_2(strut) - np.linalg.norm(TOP - LOWER) - 3000 / 25e3
    V = 3.0 * G * centre[2] + 22.0 * G * hub[2] + 25e3 * spring**2 / 2
    V += 200e3 * (tyre - HUB[2] - 3000 / 200e3) ** 2 / 2
    length = ca.norm_2(strut)
    force = -1500.0 * ca.jtimes(length, q, v) * ca.gradient(length, q)
    # the strut's axis, fixed in the carrier, points at its mount
    axis = TOP - LOWER
    e1 = np.cross(axis, [1, 0, 0])
    e2 = np.cross(axis, e1)
    seen = ca.mtimes(R.T, strut)
    rod = ball + ca.mtimes(R, ca.DM(STEER - LOWER)) - RACK - np.array([0.0, rack, 0.0])
    rows = [
        ca.dot(ca.DM(e1), seen),
        ca.dot(ca.DM(e2), seen),
        ca.dot(rod, rod) - (STEER - RACK) @ (STEER - RACK),
    ]
    return make_motion(q, v, T, V, rows, force)


def hub_at(q: np.ndarray) -> np.ndarray:
    """Return the middle of the wheel at an arm angle and three angles of the carrier."""
    ball = PIVOT + np.asarray(ca.DM(ca.evalf(turn("x", q[0])))) @ (LOWER - PIVOT)
    return ball + np.asarray(ca.DM(ca.evalf(cardan(ca.SX(q[1:]))))) @ (HUB - LOWER)
