"""The two mechanisms of the motor paper: parts and motors give the same trajectories."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from motorik.algebra import Inertia, Motor, Pose, Vector, Z, rotation_about
from motorik.gallery.motor_chain import MotorBody, joint_forces, solve_positive, state_rates

EXAMPLES = Path(__file__).parents[2] / "examples"


def load(name):
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_trolley_pendulum_by_parts_is_that_by_motors():
    example = load("trolley_pendulum")
    result = example.by_parts()
    angles = np.column_stack([result[name] for name in example.NAMES])
    assert np.ptp(angles, axis=0).min() > 0.3
    assert np.abs(angles - example.by_motors(result.time)).max() < 5e-12


@pytest.mark.parametrize("spin", [50.0, 10.0])
def test_spinning_wheel_by_parts_is_that_by_motors(spin):
    example = load("spinning_wheel")
    result = example.by_parts(spin)
    angles = np.column_stack([result[name] for name in example.NAMES])
    assert np.abs(angles - example.by_motors(spin, result.time)).max() < 6e-12


def test_the_fast_wheel_precesses_as_the_gyroscope_formula_says():
    example = load("spinning_wheel")
    result = example.by_parts(50.0)
    wheel, axle = 2.0, example.STEEL * np.pi * 0.01**2 * 0.25
    torque = 9.81 * (wheel * 0.25 + axle * 0.125)
    momentum = 0.5 * wheel * 0.3**2 * 50.0
    mean_rate = np.polyfit(result.time, result["rack_bearing.phi"], 1)[0]
    assert abs(mean_rate) == pytest.approx(torque / momentum, rel=0.01)


def pendulum(friction=0.0):
    body = Inertia.of_body(2.0, (0.0, -0.5, 0.0), [[0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]])
    return MotorBody(lambda phi: Pose(rotation_about(Z, phi)), Motor(Z), body, friction)


def test_one_body_of_a_motor_chain_is_the_textbook_pendulum():
    g, J = Vector(0, -9.81, 0), 0.1 + 2.0 * 0.25
    for phi, w, a in ((0.3, 0.0, 0.0), (-1.2, 2.0, 3.0)):
        (tau,) = joint_forces([pendulum(0.7)], [phi], [w], [a], g)
        assert tau == pytest.approx(
            J * a + 2.0 * 9.81 * 0.5 * np.sin(phi) + 0.7 * w, rel=1e-13
        )
        rate, acceleration = state_rates([pendulum(0.7)], [phi, w], g)
        expected = -(2.0 * 9.81 * 0.5 * np.sin(phi) + 0.7 * w) / J
        assert (rate, acceleration) == (w, pytest.approx(expected, rel=1e-13))


def test_elimination_solves_positive_definite_systems():
    rng = np.random.default_rng(4)
    A = rng.normal(size=(5, 5))
    M, b = A @ A.T + np.eye(5), rng.normal(size=5)
    solved = solve_positive(M.tolist(), b.tolist())
    np.testing.assert_allclose(solved, np.linalg.solve(M, b), rtol=1e-11)
