"""The loop mechanisms of the gallery once more, each from its geometry and energies alone."""

from __future__ import annotations

from math import pi

import casadi as ca
import numpy as np

from tests.gallery.lagrange import (
    Motion,
    across,
    kinetic_energy,
    make_motion,
    planar_energy,
    turn,
    unit,
)

STEEL, G_STANDARD, G = 7700.0, 9.80665, 9.81


def symbols(n: int) -> tuple[ca.SX, ca.SX]:
    """Return n coordinates and their speeds."""
    return ca.SX.sym("q", n), ca.SX.sym("v", n)


def bar(r, diameter: float) -> tuple[float, np.ndarray, np.ndarray]:
    """Return mass, centre and inertia of a steel bar from the origin to r [m]."""
    r = np.asarray(r, float)
    length = np.linalg.norm(r)
    e = r / length
    m = STEEL * pi * diameter**2 / 4 * length
    along, wide = m * diameter**2 / 8, m * (length**2 / 12 + diameter**2 / 16)
    return m, r / 2, wide * np.eye(3) + (along - wide) * np.outer(e, e)


def at(origin, angle, x: float, y: float):
    """Return a point of a body in the plane whose own axes are turned by an angle."""
    return origin + x * unit(angle) + y * across(angle)


# --- planar linkages -----------------------------------------------------------------------

ANDREWS_START = np.array(
    [
        -0.0617138900142764496,
        0.0,
        0.455279819163070380,
        0.222668390165885885,
        0.487364979543842550,
        -0.222668390165885885,
        1.23054744454982119,
    ]
)
# end values at t = 0.03 s in 80-bit arithmetic: β Θ γ Φ δ Ω ε
ANDREWS_END = np.array(
    [
        15.81077119515371,
        -15.75637105841184,
        0.04082224011964583,
        -0.53473011634208,
        0.52440996587995,
        0.53473011634208,
        1.04808074104194,
    ]
)


def andrews() -> Motion:
    """Return Andrews' mechanism in its seven angles β Θ γ Φ δ Ω ε (Schiehlen 1990)."""
    q, v = symbols(7)
    beta, theta, gamma, phi, delta, omega, epsilon = ca.vertsplit(q)
    O, A, B = ca.SX.zeros(2), ca.DM([-0.06934, -0.00227]), ca.DM([-0.03635, 0.03273])
    C = ca.DM([0.014, 0.072])
    F, G_, H = at(O, beta, 0.007, 0), at(A, delta, 0.04, 0), at(A, epsilon, 0, -0.04)
    E = at(F, beta + theta, -0.028, 0)
    ends = (
        at(B, gamma, 0, -0.035),
        at(G_, phi + delta, 0, -0.02),
        at(H, omega + epsilon, 0.02, 0),
    )
    bodies = (
        (0.04325, 2.194e-6, O, beta, 0.00092, 0.0),
        (0.00365, 4.410e-7, F, beta + theta, -0.0115, 0.0),
        (0.02373, 5.255e-6, B, gamma, 0.01043, -0.01874),
        (0.00706, 5.667e-7, G_, phi + delta, 0.0, 0.01421 - 0.02),
        (0.07050, 1.169e-5, A, delta, 0.02308, 0.00916),
        (0.00706, 5.667e-7, H, omega + epsilon, 0.02 - 0.01421, 0.0),
        (0.05498, 1.912e-5, A, epsilon, -0.00449, -0.01228),
    )
    T = sum(planar_energy(m, J, at(o, a, x, y), a, q, v) for m, J, o, a, x, y in bodies)
    stretch = ca.norm_2(at(B, gamma, 0.02, -0.018) - C) - 0.07785
    V = 4530.0 * stretch**2 / 2 - 0.033 * beta
    return make_motion(q, v, T, V, [E - end for end in ends])


def slider_crank() -> Motion:
    """Return the planar slider-crank in its crank angle alone."""
    q, v = symbols(1)
    sine = 0.5 * ca.sin(q)
    tilt = -ca.asin(sine)
    pin, x = 0.15 * unit(q), 0.15 * ca.cos(q) + 0.3 * ca.sqrt(1 - sine**2)
    T = (
        planar_energy(0.36, 2.727e-3, pin / 2, q, q, v)
        + planar_energy(0.151104, 4.5339259e-3, pin + 0.15 * unit(tilt), tilt, q, v)
        + planar_energy(0.075552, 0.0, ca.vertcat(x, 0), ca.SX(0), q, v)
    )
    return make_motion(q, v, T)


def planar_fourbar(damping: float = 0.1) -> Motion:
    """Return Modelica's planar four-bar in crank, coupler and rocker angle (all absolute)."""
    q, v = symbols(3)
    r1, r2, r3 = np.array([0.4, 0.0]), np.array([0.1, 1.1]), np.array([-0.15, 1.0])
    r4 = r1 + r2 - r3
    T, V, ends = 0, 0, {}
    for k, (name, r) in enumerate((("crank", r1), ("coupler", r2), ("rocker", r4))):
        origin = {"crank": ca.SX.zeros(2), "rocker": ca.DM(r3)}.get(name)
        origin = ends["crank"] if origin is None else origin
        length, width = np.linalg.norm(r), 0.05
        m = STEEL * length * width**2
        middle = at(origin, q[k], *(r / 2))
        ends[name] = at(origin, q[k], *r)
        T += planar_energy(m, m * (length**2 + width**2) / 12, middle, q[k], q, v)
        V += m * G_STANDARD * middle[1]
    brake = ca.vertcat(-damping * v[0], 0, 0)
    return make_motion(q, v, T, V, [ends["coupler"] - ends["rocker"]], brake)


def fourfold_pendulum(
    lengths=(0.5, 0.4, 0.3, 0.4), friction=(0.5, 0.02)
) -> tuple[Motion, np.ndarray]:
    """Return the fourfold pendulum in s, φ₁ … φ₄, s′ (the right slider), and its start."""
    q, v = symbols(6)
    angles = np.radians([45.0, -15.0, 30.0, -37.5])
    start = np.concatenate([[0.0], angles, [0.0]])

    def down(angle):
        return ca.vertcat(ca.sin(angle), -ca.cos(angle))

    end = ca.vertcat(q[0], 0)
    right = sum(
        length * down(a) for length, a in zip(lengths, np.cumsum(angles), strict=True)
    )
    trolley = ca.vertcat(right[0] + q[5], right[1])
    T, V = v[0] ** 2 / 2 + v[5] ** 2 / 2, 0
    for k, length in enumerate(lengths):
        angle = ca.sum1(q[1 : k + 2])
        middle = end + length / 2 * down(angle)
        T += planar_energy(length, length**3 / 12, middle, angle, q, v)
        V += length * G * middle[1]
        end = end + length * down(angle)
    d = ca.vertcat(friction[0], *[friction[1]] * 4, friction[0])
    return make_motion(q, v, T, V, [end - trolley], -d * v), start


def n_four_bar(n: int) -> Motion:
    """Return the row of parallelograms as what it is in its regular branch: one pendulum."""
    q, v = symbols(1)
    J, mass = (n + 1) / 3 + n, (n + 1) / 2 + n  # kg·m²; kg·m, centre at 1 m for the bars
    return make_motion(q, v, J * v**2 / 2, mass * G * ca.cos(q))


def three_cranks() -> Motion:
    """Return the bar on three cranks: one pendulum, φ from horizontal."""
    q, v = symbols(1)
    J = 3 * 0.5**2 / 3 + 4 * 0.5**2
    return make_motion(q, v, J * v**2 / 2, G * (3 * 0.25 + 4 * 0.5) * ca.sin(q))


# --- spatial linkages ----------------------------------------------------------------------


def spatial_fourbar(rod_has_mass: bool) -> Motion:
    """Return Modelica's spatial four-bar in its crank angle alone.

    The rod's end is at 1.2 m + s along x and 0.2 m along y; its distance from the crank's end
    is the length of the rod, a quadratic equation in s of which the one with the slider
    behind the crank holds.
    """
    q, v = symbols(1)
    rod = np.array([-1.0, 0.3, 0.1])
    R = turn("x", q)
    pin = ca.mtimes(R, ca.DM([0, 0.5, 0.1]))
    offset = pin - ca.DM([0, 0.2, 0])
    x = pin[0] + ca.sqrt(rod @ rod - offset[1] ** 2 - offset[2] ** 2)
    m, c, I = bar((0, 0.5, 0.1), 0.05)
    centre = ca.mtimes(R, ca.DM(c))
    T, V = kinetic_energy(m, I, centre, R, q, v), m * G_STANDARD * centre[1]
    m, c, I = bar((0, 0.2, 0), 0.05)
    T += kinetic_energy(m, I, ca.vertcat(x, c[1], c[2]), ca.SX.eye(3), q, v)
    if rod_has_mass:
        # the rod's own vector, turned by a about y and b about z, must reach the pin
        reach = pin - ca.vertcat(x, 0.2, 0)
        b = pi - ca.asin(reach[1] / np.hypot(*rod[:2])) - np.arctan2(rod[1], rod[0])
        level = ca.cos(b) * rod[0] - ca.sin(b) * rod[1]
        a = ca.atan2(
            reach[0] * rod[2] - reach[2] * level, reach[0] * level + reach[2] * rod[2]
        )
        R3 = ca.mtimes(turn("y", a), turn("z", b))
        m, c, I = bar(rod, 0.05)
        centre = ca.vertcat(x, 0.2, 0) + ca.mtimes(R3, ca.DM(c))
        T += kinetic_energy(m, I, centre, R3, q, v)
        V += m * G_STANDARD * centre[1]
    return make_motion(q, v, T, V)


def spatial_slider_crank() -> tuple[Motion, ca.Function]:
    """Return the spatial slider-crank in its crank angle, and the slider as its function."""
    q, v = symbols(1)
    R = turn("x", q)
    pin = ca.DM([0, 0.1, 0.12]) + ca.mtimes(R, ca.DM([0, 0, 0.08]))
    x = ca.sqrt(0.3**2 - pin[1] ** 2 - pin[2] ** 2)
    e = (ca.vertcat(x, 0, 0) - pin) / 0.3
    # rod = turn about z by a, then y by b: x axis (cos a cos b, sin a cos b, −sin b)
    R3 = ca.mtimes(turn("z", ca.atan2(e[1], e[0])), turn("y", -ca.asin(e[2])))
    centre = pin + 0.15 * e
    T = (
        1e-4 * v**2 / 2
        + kinetic_energy(0.5, np.diag([4e-4, 4e-3, 4e-3]), centre, R3, q, v)
        + ca.jtimes(x, q, v) ** 2
    )
    return make_motion(q, v, T, 0.5 * G * centre[2]), ca.Function("x", [q], [x])


def bricard() -> tuple[Motion, ca.Function]:
    """Return Bricard's mechanism in its angles θ, φ, and the pose of its last rod's end.

    By its threefold symmetry every second hinge turns alike, by θ or by φ, and of the loop
    only cos θ + cos φ + cos θ cos φ = 0 is left (Chen, You and Tarnai 2005); here θ and φ are
    counted from the cube, where both are right angles.
    """
    q, v = symbols(2)
    edges = ((1, 0, 0), (0, -1, 0), (0, 0, 1), (-1, 0, 0), (0, 1, 0))
    R, end, T, V = ca.SX.eye(3), ca.SX.zeros(3), 0, 0
    for k, (axis, edge) in enumerate(zip("yzxyz", edges, strict=True)):
        R = ca.mtimes(R, turn(axis, q[k % 2]))
        e = np.abs(np.array(edge, float))
        I = (1 + 0.01) / 12 * np.eye(3) + (0.01 / 6 - 1.01 / 12) * np.outer(e, e)
        centre = end + ca.mtimes(R, ca.DM(edge)) / 2
        T += kinetic_energy(1.0, I, centre, R, q, v)
        V += G * centre[1]
        end = end + ca.mtimes(R, ca.DM(edge))
    s, t = ca.sin(q[0]), ca.sin(q[1])
    return make_motion(q, v, T, V, [s + t + s * t]), ca.Function("end", [q], [end, R])
