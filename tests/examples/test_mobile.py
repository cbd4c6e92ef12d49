"""The programs of the MOBILE guide: their printed results, and each by a second route."""

import importlib.util
import re
from math import cos, pi, sin, tau
from pathlib import Path

import casadi
import matplotlib
import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import fsolve
from scipy.spatial.transform import Rotation

from motorik.algebra import kinetic_energy
from motorik.view.render import animate

matplotlib.use("Agg")
EXAMPLES = Path(__file__).parents[2] / "examples" / "mobile"
NAMES = sorted(path.stem for path in EXAMPLES.glob("*.py"))
G = 9.81


def load(name):
    spec = importlib.util.spec_from_file_location(f"mobile_{name}", EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def close(found, expected, within):
    assert np.abs(np.asarray(found) - np.asarray(expected)).max() <= within


def turned(axis, angle):
    return Rotation.from_rotvec(angle * np.eye(3)["xyz".index(axis)]).as_matrix()


def lagrange(T, V, q, qd):
    """Return the CasADi function of (q, q̇) to mass matrix and force of M q̈ = F."""
    M = casadi.hessian(T, qd)[0]
    rest = casadi.jtimes(casadi.gradient(T, qd), q, qd) - casadi.gradient(T - V, q)
    return casadi.Function("lagrange", [q, qd], [M, -rest])


def energy(K, body, g=G):
    """Return kinetic and potential energy of a body on a frame, z being up."""
    centre = K.X(body.r_CM)
    return kinetic_energy(body.inertia, K.V) + body.m.value * g * centre.z


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_programs_run_and_write_what_they_say(name, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    moments = animate.moments  # of movies every tenth picture is drawn
    monkeypatch.setattr(animate, "moments", lambda *given: moments(*given)[::10])
    load(name).main()
    assert capsys.readouterr().out
    said = set(
        re.findall(r"\w+\.(?:png|gif)", (EXAMPLES / f"{name}.py").read_text("utf-8"))
    )
    assert {file.name for file in tmp_path.iterdir() if file.stat().st_size > 1000} == said


# basic objects


def test_angles_print_what_the_guide_says(capsys):
    load("angles").main()
    assert capsys.readouterr().out.split() == ["-20", "-0.34202", "0.939693", "[0,0,1]"]
    _, beta = load("angles").compute()
    assert (beta.sine, beta.cosine) == pytest.approx(
        (sin(-pi / 9), cos(-pi / 9)), abs=3e-16
    )


def test_vectors_print_what_the_guide_says(capsys):
    load("vectors").main()
    assert capsys.readouterr().out.strip() == "(-4,2,3), 3, 0"
    u, w = np.array([0, 0, 1]), np.array([1, 1, 0])
    v = u + w
    b = np.cross(v, np.cross(v, w)) + np.cross(3 * v, w) + u
    assert load("vectors").compute()[0].xyz == tuple(b)


def test_variables_are_told_apart_by_their_kind(capsys):
    load("variables").main()
    assert capsys.readouterr().out.splitlines() == ["beta = 1.5708 rad", "s = 1 m"]


# pendulum


def test_pendulum_stands_where_the_guide_says(capsys):
    load("pendulum").main()
    assert "Position = ( 0.0 , 1.0 , 1.0 )" in capsys.readouterr().out
    for angle in (pi / 2, 0.3, -2.0):
        expected = turned("z", angle) @ [1, 0, 1]
        assert load("pendulum").place_at(angle).xyz == pytest.approx(expected, abs=4e-16)


def test_pendulum_has_the_textbook_equation_at_18_angles():
    phi, mass, force = load("pendulum").equations().T
    np.testing.assert_allclose(phi, np.radians(np.arange(18) * 10.0), rtol=2e-15)
    np.testing.assert_allclose(mass, 1.0, rtol=4e-16)
    close(force, -G * np.sin(phi), within=2e-15)


@pytest.mark.parametrize(("k", "c"), [(0.0, 0.0), (30.0, 2.0)])
def test_pendulum_swings_as_its_equation_says(k, c):
    rows = load("pendulum").swing(1.0, k, c, tolerance=1e-10)

    def rate(t, y):
        return [y[1], -G * sin(y[0]) - k * y[0] - c * y[1]]

    t = 0.1 * np.arange(1, 21)
    exact = solve_ivp(rate, (0, 2), [1.0, 0.0], "DOP853", t, rtol=1e-13, atol=1e-13)
    np.testing.assert_allclose(rows[:, 0], t, rtol=1e-14)
    close(rows[:, 1:], exact.y.T, within=2e-9)


# trees


def test_manipulator_torques_are_derivatives_of_the_height_of_its_tip():
    beta1, beta2, first, second = load("manipulator").torques().T
    close(first, 0.0, within=1e-16)
    close(second, np.cos(beta2), within=3e-16)  # z = 1 + sin β₂
    np.testing.assert_allclose(np.degrees(beta1), 90.0 + 9.0 * np.arange(10), rtol=2e-15)


def test_scara_torques_are_those_of_the_energy_method():
    example = load("scara")
    q, qd = casadi.SX.sym("q", 3), casadi.SX.sym("qd", 3)
    T, hinge, angle = 0.0, casadi.SX.zeros(2), 0.0
    for i in range(3):
        angle = angle + q[i]
        along = casadi.vertcat(-casadi.sin(angle), casadi.cos(angle))
        v = casadi.jtimes(hinge + 0.5 * along, q, qd)
        w = casadi.sum1(qd[: i + 1])
        T = T + 0.5 * 2.4 * casadi.dot(v, v) + 0.5 * 0.020 * w**2
        hinge = hinge + along
    M, F = lagrange(T, 0.0, q, qd)([0.0, 0.2, 0.3], [0.01, 1.0, 0.11])
    needed = np.array(M) @ [0.2, 0.0, 0.25] - np.array(F).ravel()
    np.testing.assert_allclose(example.torques(), -needed, rtol=4e-15)
    np.testing.assert_allclose(example.native_torques(), -needed, rtol=4e-15)
    assert example.torques() == pytest.approx([-3.273758, -2.461471, -1.080710], abs=5e-7)


def triple_pendulum_rates():
    q, qd = casadi.SX.sym("q", 3), casadi.SX.sym("qd", 3)

    def place(angle, y, z):
        return casadi.vertcat(
            casadi.cos(angle) * y - casadi.sin(angle) * z,
            casadi.sin(angle) * y + casadi.cos(angle) * z,
        )

    places = [
        (1.0, place(q[0], 0, -1.5)),
        (2.0, place(q[0], -0.5, -0.5) + place(q[0] + q[1], 0, -1.0)),
        (2.0, place(q[0], 0.5, -0.5) + place(q[0] + q[2], 0, -1.0)),
    ]
    T, V = 0.0, 0.0
    for m, p in places:
        v = casadi.jtimes(p, q, qd)
        T, V = T + 0.5 * m * casadi.dot(v, v), V + m * G * p[1]
    equations = lagrange(T, V, q, qd)

    def rate(t, y):
        M, F = equations(y[:3], y[3:])
        return [*y[3:], *np.linalg.solve(np.array(M), np.array(F).ravel())]

    return rate, casadi.Function("energy", [q, qd], [T + V])


def test_triple_pendulum_swings_as_the_energy_method_says():
    rows = load("triple_pendulum").swing(10, tolerance=1e-11)
    rate, _ = triple_pendulum_rates()
    start = [*np.radians([30.0, 10.0, 10.0]), 0, 0, 0]
    t = 0.1 * np.arange(1, 11)
    exact = solve_ivp(rate, (0, 1), start, "DOP853", t, rtol=1e-12, atol=1e-12)
    close(rows[:, 1:], exact.y.T, within=3e-11)


def test_triple_pendulum_keeps_its_energy_for_ten_seconds():
    rows = load("triple_pendulum").swing(100, tolerance=1e-10)
    _, energy_of = triple_pendulum_rates()
    energies = [float(energy_of(row[1:4], row[4:])) for row in rows]
    assert np.ptp(rows[:, 1]) > 1.0
    close(energies, energies[0], within=3e-9)


def test_triple_pendulum_is_the_same_compiled_and_in_immediate_mode():
    example = load("triple_pendulum")
    both = [example.swing(5, tolerance=1e-10, compiled=way) for way in (True, False)]
    close(*both, within=2e-10)


# loops


@pytest.fixture(scope="module")
def shaker():
    return load("shaker")


def shaker_gap(theta):
    """Return the way from K8 to K3, written out in matrices."""
    t1, t2, t3, t4 = theta
    crank = np.array([0, -0.8, 0]) + turned("x", pi / 18) @ turned("y", t1) @ [0, 0, 0.2]
    rocker = turned("z", t2) @ turned("x", t3)
    return rocker @ ([0, 0, 0.2] + turned("x", t4) @ [0, -0.7, 0]) - crank


@pytest.mark.slow
def test_shaker_by_segments_is_the_shaker_by_joints(shaker):
    implicit = shaker.turn(shaker.ShakerByJoints())
    explicit = shaker.turn(shaker.ShakerBySegments())
    close(explicit[:, :4], implicit[:, :4], within=1e-14)
    close(explicit[:, :12], implicit[:, :12], within=3e-13)
    close(explicit[:, 12], implicit[:, 12], within=1e-14)


def test_shaker_closes_where_matrices_written_out_say(shaker):
    for q in shaker.turn(shaker.ShakerByJoints(), count=8)[:, :4]:
        close(shaker_gap(q), 0.0, within=1e-15)
        found = fsolve(lambda x, t=q[0]: shaker_gap([t, *x]), [0, 0.7, -0.6], xtol=1e-13)
        close(q[1:], found, within=2e-14)


@pytest.mark.parametrize("kind", ["ShakerByJoints", "ShakerBySegments"])
def test_shaker_torque_is_the_rate_of_its_energy(shaker, kind):
    loop = getattr(shaker, kind)()
    body, speed, h = loop.chain.elements[-1], 10.0, 1e-3
    theta = loop.theta[0]

    def kinetic(q):
        theta.q, theta.qd = q, speed
        loop.chain.motion()
        return kinetic_energy(body.inertia, body.frame.V)

    for q, *_, torque in shaker.turn(loop, count=6, speed=speed):
        near, far = (kinetic(q + k * h) - kinetic(q - k * h) for k in (1, 2))
        slope = (8 * near - far) / (12 * h)
        close(torque, slope, within=4e-12)  # τ θ̇ = Ṫ at constant speed


@pytest.mark.slow
@pytest.mark.kinds(1)
@pytest.mark.parametrize("kind", ["ShakerByJoints", "ShakerBySegments"])
def test_shaker_compiled_is_the_shaker(shaker, kind):
    loop = getattr(shaker, kind)()
    rows = shaker.turn(loop, count=24)
    expected = np.column_stack([rows[:, 1:4], rows[:, 5:8], rows[:, 9:12], -rows[:, 12]])
    for live in (True, False):
        native = loop.compile(live)
        found = native.map(rows[:, :1], rows[:, 4:5], rows[:, 8:9])
        close(np.column_stack(found), expected, within=3e-13)


@pytest.mark.slow
@pytest.mark.kinds(1)
@pytest.mark.parametrize("kind", ["ShakerByJoints", "ShakerBySegments"])
def test_shaker_keeps_its_energy_under_gravity(shaker, kind):
    loop = getattr(shaker, kind)()
    rows = shaker.swing(loop, 20, tolerance=1e-10)
    body, energies = loop.chain.elements[-1], []
    for row in rows:
        loop.theta[0].q, loop.theta[0].qd = row[1], row[5]
        loop.chain.motion()
        energies.append(energy(body.frame, body))
    assert rows[-1, 1] > 5.0
    close(energies, energies[0], within=1e-9)


def test_four_bar_turns_as_circles_that_cross_say():
    example = load("four_bar")
    four_bar = example.FourBar()
    for degrees in (1.0, 20.0, -40.0):
        theta = four_bar.theta
        theta[0].q = np.radians(degrees)
        four_bar.chain.motion()
        y, z = -sin(theta[0].q), cos(theta[0].q)  # end of the crank, x = 0
        # rocker of 2 m about (2, 0), its end √5 m from the crank's end
        dy, dz = y - 2.0, z
        distance = np.hypot(dy, dz)
        lift = np.arccos((distance**2 + 4.0 - 5.0) / (4.0 * distance))
        angle = np.arctan2(dz, dy) - lift
        close(theta[1].q, angle - pi / 2, within=4e-15)
        close([theta[i].q for i in (2, 5, 6)], 0.0, within=1e-20)
        K7, K10 = four_bar.K[7].X, four_bar.K[10].X
        close(K7.p.numpy(), K10.p.numpy(), within=4e-15)
        close(K7.R.numpy(), K10.R.numpy(), within=4e-15)


@pytest.mark.slow
def test_four_bar_keeps_its_energy_under_gravity():
    example = load("four_bar")
    rows = example.swing(40, tolerance=1e-9)
    four_bar, energies = example.FourBar(), []
    body = four_bar.chain.elements[-1]
    for row in rows[::10]:
        for variable, q in zip(four_bar.theta, row[1:8], strict=True):
            variable.q = q
        four_bar.theta[0].qd = row[8]
        four_bar.chain.motion()
        energies.append(energy(body.frame, body))
    close(energies, energies[0], within=1e-11)


@pytest.mark.slow
def test_four_bar_is_the_same_compiled_and_in_immediate_mode():
    both = [load("four_bar").swing(3, compiled=way) for way in (True, False)]
    close(*both, within=2e-13)


# measurement


def gripper_seen_from_camera(t):
    """Return the way from the camera to the gripper at time t, written out in matrices."""
    b1, b2, b3 = 0.3 + t, -0.4 + 0.5 * t, 0.9 - 2.0 * t
    arm = [0.4, 0, 0] + turned("y", b3) @ [0.3, 0, 0]
    gripper = turned("z", b1) @ ([0, 0, 0.5] + turned("y", b2) @ arm)
    return gripper - [0.2 + 0.1 * t, 1.5, 1.0]


def test_camera_sees_the_gripper_where_matrices_written_out_say():
    example = load("camera")
    h = 1e-3
    near, far = (
        gripper_seen_from_camera(k * h) - gripper_seen_from_camera(-k * h) for k in (1, 2)
    )
    way, rate = example.measured_in_two_steps()
    close(way, gripper_seen_from_camera(0.0), within=3e-16)
    close(rate, (8 * near - far) / (12 * h), within=2e-12)
    np.testing.assert_array_equal(example.measured_in_one_step(), [way, rate])


def test_a_turn_of_the_shaker_is_a_whole_turn(shaker):
    crank = shaker.turn(shaker.ShakerBySegments(), count=4)[:, 0]
    np.testing.assert_allclose(crank, tau * np.arange(4) / 4)
