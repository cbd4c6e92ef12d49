"""Motions known in closed form: pendulum, orbit, top, and the free rigid body."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ellipj, ellipk, ellipkinc

import motorik as mk

FINE = {"rtol": 1e-11, "method": "dop853"}


def close(found, expected, atol: float) -> None:
    """Assert that nothing differs by more than `atol`."""
    np.testing.assert_allclose(found, expected, rtol=0, atol=atol)


def pendulum(kind: str, length: float = 0.7) -> mk.Model:
    """Return a pendulum that hangs down along −y at phi = −π/2, in one of three makes."""
    model = mk.Model()
    model.world = mk.World(g=9.81)
    model.hinge = mk.Revolute(n="z")
    model.world.frame_b >> model.hinge.frame_a
    if kind == "point":
        model.rod = mk.FixedTranslation(r=(length, 0, 0))
        model.bob = mk.PointMass(m=1.3)
        model.hinge.frame_b >> model.rod.frame_a
        model.rod.frame_b >> model.bob.frame_a
    else:
        model.bob = mk.Body(m=1.3, r_CM=(length, 0, 0), I_11=0.02, I_22=0.03, I_33=0.04)
        model.hinge.frame_b >> model.bob.frame_a
    return model


@pytest.mark.parametrize("kind", ["point", "body"])
@pytest.mark.parametrize("amplitude", [1e-3, 1.0, 3.0])
def test_a_pendulum_is_back_after_its_period(kind, amplitude):
    # T = 4 √(J / m g l) K(k), k = sin(amplitude / 2)
    m, l, g = 1.3, 0.7, 9.81
    J = m * l**2 + (0.04 if kind == "body" else 0.0)
    period = 4 * np.sqrt(J / (m * g * l)) * ellipk(np.sin(amplitude / 2) ** 2)
    top = amplitude - np.pi / 2
    result = pendulum(kind).simulate(period, initial={"hinge.phi": top}, output=4, **FINE)
    quarters = result["hinge.phi"] + np.pi / 2
    expected = amplitude * np.array([1, 0, -1, 0, 1])
    close(quarters, expected, 1e-9 if amplitude > 2 else 1e-10)
    assert abs(result["hinge.w"][-1]) < 1e-8


def test_a_small_pendulum_swings_as_a_cosine():
    result = pendulum("point").simulate(
        5.0, initial={"hinge.phi": 1e-5 - np.pi / 2}, **FINE
    )
    expected = 1e-5 * np.cos(np.sqrt(9.81 / 0.7) * result.time)
    close(result["hinge.phi"] + np.pi / 2, expected, 5e-11)


@pytest.mark.parametrize("kind", [mk.PointMass, mk.Body])
@pytest.mark.parametrize("e", [0.0, 0.6])
def test_an_orbit_closes_after_keplers_period(kind, e):
    # from the pericentre at a (1 − e) with v² = μ / a · (1 + e) / (1 − e)
    mu, a, m = 2.5, 1.2, 0.3
    r, v = a * (1 - e), np.sqrt(mu / a * (1 + e) / (1 - e))
    model = mk.Model()
    model.world = mk.World(gravityType="point", mu=mu)
    model.moon = kind(m=m, r_0=(0, r, 0), v_0=(0, 0, v))
    period = 2 * np.pi * np.sqrt(a**3 / mu)
    result = model.simulate(period, output=[0.0, period / 2, period], **FINE)
    there = np.array([[0, r, 0], [0, -a * (1 + e), 0], [0, r, 0]])
    close(result["moon.r_0"], there, 5e-10)
    close(result.energy()["total"], -mu * m / (2 * a), 2e-11)
    close(result["moon.angular_momentum"], [[m * r * v, 0, 0]] * 3, 2e-11)


def test_free_fall_of_a_thrown_and_spinning_body_is_a_parabola_of_its_centre():
    model = mk.Model()
    model.world = mk.World(n=(0, 0, -1), g=9.0)
    model.body = mk.Body(
        m=2.0, r_CM=(0.3, -0.1, 0.2), I_11=0.02, I_22=0.03, I_33=0.04,
        v_0=(1, 2, 3), w_0_start=(4, -5, 6),
    )  # fmt: skip
    result = model.simulate(1.0, **FINE)
    t = result.time[:, None]
    c = np.array([0.3, -0.1, 0.2])
    v = np.array([1, 2, 3]) + np.cross([4, -5, 6], c)
    expected = c + v * t + 0.5 * np.array([0, 0, -9.0]) * t**2
    close(result["body.r_CM_0"], expected, 5e-11)


def top(I1: float, I3: float, l: float, m: float, theta: float) -> mk.Model:
    """Return a symmetric top on a ball joint, its axis z tilted by theta about x."""
    model = mk.Model()
    model.world = mk.World(n=(0, 0, -1), g=9.81)
    model.ball = mk.Spherical(angles_start=(theta, 0, 0))
    model.body = mk.Body(m=m, r_CM=(0, 0, l), I_11=I1, I_22=I1, I_33=I3)
    model.world.frame_b >> model.ball.frame_a
    model.ball.frame_b >> model.body.frame_a
    return model


@pytest.mark.parametrize("rate", [1.7, 9.0], ids=["slow", "fast"])
def test_a_heavy_top_precesses_steadily_at_the_right_spin(rate):
    # m g l = Ω (I₃ ω₃ − I₁' Ω cos θ), I₁' = I₁ + m l², ω₃ the spin about the body's axis
    m, l, I1, I3, theta = 0.5, 0.3, 0.004, 0.006, 0.6
    about = I1 + m * l**2
    spin = (m * 9.81 * l / rate + about * rate * np.cos(theta)) / I3
    axis = np.array([0.0, -np.sin(theta), np.cos(theta)])
    w = np.array([0, 0, rate]) + (spin - rate * np.cos(theta)) * axis
    model = top(I1, I3, l, m, theta)
    model.ball.w_rel_a_start = tuple(w)
    result = model.simulate(2.0, **FINE)
    angle = rate * result.time
    circle = l * np.sin(theta) * np.column_stack([np.sin(angle), -np.cos(angle)])
    expected = np.column_stack([circle, np.full(len(result), l * np.cos(theta))])
    close(result["body.r_CM_0"], expected, 2e-11)


@pytest.mark.parametrize("output", ["steps", 300])
@pytest.mark.parametrize("quaternions", [True, False], ids=["quaternion", "angles"])
def test_a_free_body_turns_over_as_jacobis_functions_say(quaternions, output):
    # Landau & Lifshitz, Mechanics, §37: I₁ < I₂ < I₃, started near the middle axis.
    I = np.array([0.02, 0.03, 0.045])
    w0 = np.array([0.02, 4.0, 0.02])
    model = mk.Model()
    model.world = mk.World(gravityType="none")
    model.racket = mk.Body(
        m=1.0, I_11=I[0], I_22=I[1], I_33=I[2], w_0_start=w0, useQuaternions=quaternions
    )
    result = model.simulate(12.0, output=output, **FINE)
    w = result["racket.w_a"]
    assert w[:, 1].min() < -3.9 and w[:, 1].max() > 3.9
    close(w, middle_axis_motion(I, w0, result.time), 2e-9)
    L = result["racket.angular_momentum"]
    close(L, np.tile(I * w0, (len(result), 1)), 1e-11)
    energy = result.energy()["kinetic"]
    close(energy, 0.5 * I @ w0**2, 2e-12)


def middle_axis_motion(I: np.ndarray, w0: np.ndarray, t: np.ndarray) -> np.ndarray:
    """Return ω(t) in body axes by Jacobi's elliptic functions, the phase from ω(0)."""
    I1, I2, I3 = I
    E2, M2 = float(I @ w0**2), float(I**2 @ w0**2)  # 2 E and L²
    low, high = M2 - E2 * I1, E2 * I3 - M2
    assert M2 > E2 * I2  # ω turns about the third axis
    rate = np.sqrt((I3 - I2) * low / (I1 * I2 * I3))
    k2 = (I2 - I1) * high / ((I3 - I2) * low)
    amplitude = np.sqrt(
        np.array([high / (I1 * (I3 - I1)), high / (I2 * (I3 - I2)), low / (I3 * (I3 - I1))])
    )
    phase = ellipkinc(np.arctan2(w0[1] / amplitude[1], w0[0] / amplitude[0]), k2)
    sn, cn, dn, _ = ellipj(rate * t + phase, k2)
    return np.column_stack([cn, sn, dn]) * amplitude
