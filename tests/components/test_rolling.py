"""Wheels: alone as Newton and Euler say, in pairs straight on and round a corner."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from motorik import Body, Model, World, rotational
from motorik.components.joints.rolling import RollingWheel, RollingWheelSet

R, TRACK, M_WHEEL, AXIS, LONG, M, J = 0.1, 0.5, 0.5, 0.01, 0.02, 1.2, 0.08


class Cart(Model):
    """A body on a wheel set, with a torque on either wheel."""

    def build(self, left, right):
        self.world = World(n="-z")
        self.wheels = RollingWheelSet(
            R_wheel=R,
            track=TRACK,
            m_wheel=M_WHEEL,
            I_wheelAxis=AXIS,
            I_wheelLong=LONG,
            x=0.1,
            y=0.2,
            phi=0.3,
        )
        self.body = Body(m=M, I_11=J, I_22=J, I_33=J)
        self.wheels.frameMiddle >> self.body.frame_a
        for name, torque, axis in (("left", left, "axis1"), ("right", right, "axis2")):
            drive = rotational.ConstantTorque(tau_constant=torque)
            setattr(self, name, drive)
            drive.flange >> getattr(self.wheels, axis)


def test_it_moves_as_its_inertia_says_straight_on_and_round_the_corner():
    left, right = 0.5, 0.3
    result = Cart(left=left, right=right).simulate(2.0, rtol=1e-10, output=20)
    t = np.asarray(result.time)
    # forward: (M + 2 m + 2 I/R²) v̇ = (τ₁ + τ₂)/R; yaw: with half a track as the arm
    forward = (left + right) / R / (M + 2 * M_WHEEL + 2 * AXIS / R**2)
    arm = TRACK / 2
    inertia = J + 2 * LONG + 2 * arm**2 * (M_WHEEL + AXIS / R**2)
    yaw = (right - left) / R * arm / inertia
    phi = np.asarray(result["wheels.phi"])
    assert np.abs(phi - 0.3 - yaw * t**2 / 2).max() < 1e-9
    theta1, theta2 = (np.asarray(result[f"wheels.theta{k}"]) for k in (1, 2))
    assert np.abs(R * (theta1 + theta2) / 2 - forward * t**2 / 2).max() < 1e-9
    assert np.abs(R / TRACK * (theta2 - theta1) - phi + 0.3).max() < 1e-9
    # the middle moves along the heading only
    place = np.asarray(result["wheels.x"]) + 1j * np.asarray(result["wheels.y"])
    fine = np.linspace(0.0, 2.0, 20001)
    way = forward * fine * np.exp(1j * (0.3 + yaw * fine**2 / 2))
    path = np.concatenate([[0.0], np.cumsum((way[1:] + way[:-1]) / 2 * fine[1])])
    assert np.abs(place - 0.1 - 0.2j - np.interp(t, fine, path)).max() < 3e-8


def test_a_wheel_rolls_straight_on_through_every_angle():
    class Straight(Model):
        def build(self):
            self.world = World(n="-z")
            self.wheel = RollingWheel(radius=R, der_angles=(0.0, 0.0, 10.0))

    result = Straight().simulate(2.0, rtol=1e-10, output=8)
    assert np.asarray(result["wheel.x"]) == pytest.approx(
        R * 10.0 * np.asarray(result.time), abs=1e-12
    )
    assert np.abs(np.asarray(result["wheel.y"])).max() < 1e-15


# --- a disc that leans ------------------------------------------------------------------------

RADIUS, D_M, D_AXIS, D_LONG, G = 0.3, 2.0, 0.06, 0.12, 9.81


def newton_euler(t: float, state: np.ndarray) -> np.ndarray:
    """Return the rates of a rolling disc: R, ω and the centre, all in the world.

    The force f of the road follows from v̇ = ḋ × ω + d × ω̇, m (v̇ − g) = f and
    J ω̇ + ω × J ω = d × f.
    """
    R, w = state[:9].reshape(3, 3), state[9:12]
    z = np.array([0.0, 0.0, 1.0])
    n = R[:, 1]
    n_rate = np.cross(w, n)
    c2 = 1 - n[2] ** 2
    d = -RADIUS * (z - n * n[2]) / np.sqrt(c2)
    d_rate = -RADIUS * (
        -(n_rate * n[2] + n * n_rate[2]) / np.sqrt(c2)
        + (z - n * n[2]) * n[2] * n_rate[2] / c2**1.5
    )
    J = R @ np.diag([D_LONG, D_AXIS, D_LONG]) @ R.T
    D = np.cross(d, np.eye(3)).T  # D x = d × x
    left = np.block([[J, -D], [D_M * D, -np.eye(3)]])
    right = np.concatenate([-np.cross(w, J @ w), -D_M * np.cross(d_rate, w) - D_M * G * z])
    w_rate = np.linalg.solve(left, right)[:3]
    R_rate = np.cross(w, R.T).T
    return np.concatenate([R_rate.ravel(), w_rate, np.cross(d, w)])


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("sequence", [(3, 1, 2), (3, 2, 1)])
@pytest.mark.parametrize("strategy", ["auto", "absolute"])  # a joint, or a constraint
def test_a_wheel_obeys_newton_and_euler(sequence, strategy):
    class Disc(Model):
        def build(self):
            self.world = World(g=G, n="-z")
            self.wheel = RollingWheel(
                radius=RADIUS,
                m=D_M,
                I_axis=D_AXIS,
                I_long=D_LONG,
                x=0.2,
                y=0.2,
                der_angles=(0.0, 1.0, 5.0) if sequence == (3, 1, 2) else (0.0, 5.0, 1.0),
                sequence=sequence,
            )

    result = Disc().simulate(1.5, rtol=1e-11, output=15, strategy=strategy)
    start = np.concatenate([np.eye(3).ravel(), [1.0, 5.0, 0.0], [0.2, 0.2, RADIUS]])
    exact = solve_ivp(
        newton_euler,
        (0.0, 1.5),
        start,
        method="DOP853",
        rtol=1e-12,
        atol=1e-12,
        t_eval=np.asarray(result.time),
    ).y
    place = np.asarray(result["wheel.frame_a.r_0"]).T
    assert np.abs(place - exact[12:]).max() < 1e-8
    turned = np.asarray(result["wheel.frame_a.R.T"]).transpose(0, 2, 1)
    assert np.abs(turned.reshape(-1, 9).T - exact[:9]).max() < 3e-8
    force = np.asarray(result["wheel.rollingWheel.f_wheel_0"])
    a = np.asarray(result["wheel.body.a_0"])
    assert np.abs(force - D_M * (a + np.array([0.0, 0.0, G]))).max() < 1e-9
    on_road = np.asarray(result["wheel.rollingWheel.r_road_0"])
    assert np.abs(on_road[:, 2]).max() < 1e-12
