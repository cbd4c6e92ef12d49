"""Quaternions against SciPy's rotations, above all at half a turn and near it."""

from __future__ import annotations

import itertools

import casadi
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from motorik.algebra import (
    NO_TURN,
    Dual,
    Matrix,
    Quaternion,
    Vector,
    quaternions,
    rate_of,
    value_of,
)

components = st.floats(-1, 1)
DIRECTIONS = [np.array(n, float) for n in itertools.product((-1, 0, 1), repeat=3) if any(n)]
DIRECTIONS += [np.array(n) for n in ([1, 1e-9, 0], [1e-9, 1, -1e-9], [0.48, -0.64, 0.6])]
NEAR_HALF_A_TURN = [np.pi - d for d in (0.0, 1e-16, 1e-12, 1e-8, 1e-4, -1e-8, 0.1)]
SMALL = [0.0, 1e-300, 1e-16, 1e-12, 1e-8, 1e-4]


def unit(numbers) -> Quaternion:
    length = np.linalg.norm(numbers)
    assume(length > 1e-3)
    return Quaternion.of(np.asarray(numbers) / length)


def apart(a: Quaternion, b) -> float:
    """The distance of two orientations: of a to the nearer of b and −b."""
    a, b = a.numpy(), np.asarray(b)
    return min(np.abs(a - b).max(), np.abs(a + b).max())


@given(st.tuples(*[components] * 4))
def test_the_rotation_is_that_of_scipy(numbers):
    Q = unit(numbers)
    expected = Rotation.from_quat(Q.xyzw).as_matrix()
    np.testing.assert_allclose(Q.rotation().numpy(), expected, rtol=0, atol=3e-15)


@given(st.tuples(*[components] * 4), st.floats(0.1, 10.0))
def test_a_direction_has_the_rotation_of_its_unit_quaternion(numbers, length):
    Q = unit(numbers)
    expected = Rotation.from_quat(Q.xyzw).as_matrix()
    np.testing.assert_allclose(
        (length * Q).direction().numpy(), expected, rtol=0, atol=3e-15
    )


@pytest.mark.slow
@given(st.tuples(*[components] * 4), st.tuples(*[components] * 4))
def test_the_product_is_that_of_scipy(first, second):
    P, Q = unit(first), unit(second)
    expected = (Rotation.from_quat(P.xyzw) * Rotation.from_quat(Q.xyzw)).as_quat()
    assert apart(P @ Q, expected) < 3e-15
    assert apart(P.conjugate() @ (P @ Q), Q.xyzw) < 3e-15


@given(st.tuples(*[components] * 4))
def test_a_rotation_gives_its_quaternion_back(numbers):
    Q = unit(numbers)
    found = Quaternion.from_rotation(Q.rotation())
    assert apart(found, Q.xyzw) < 3e-15
    assert found.w >= 0


@pytest.mark.parametrize("angle", NEAR_HALF_A_TURN + SMALL)
def test_every_angle_and_axis_gives_its_quaternion_back(angle):
    for n in DIRECTIONS:
        n = n / np.linalg.norm(n)
        R = Matrix.of(Rotation.from_rotvec(angle * n).as_matrix())
        expected = [*np.sin(angle / 2) * n, np.cos(angle / 2)]
        assert apart(Quaternion.from_rotation(R), expected) < 3e-15
        assert apart(Quaternion.about(Vector.of(n), angle), expected) < 3e-15


@pytest.mark.slow
def test_at_half_a_turn_value_and_derivative_can_be_traced():
    entries = casadi.SX.sym("R", 9)
    Q = casadi.vertcat(*Quaternion.from_rotation(Matrix(*casadi.vertsplit(entries))).xyzw)
    traced = casadi.Function("traced", [entries], [Q, casadi.jacobian(Q, entries)])
    w = np.array([0.3, -0.5, 0.7])
    for n in DIRECTIONS:
        n = n / np.linalg.norm(n)
        for angle in NEAR_HALF_A_TURN + SMALL:
            R = Matrix.of(Rotation.from_rotvec(angle * n).as_matrix())
            values, slopes = (np.array(o) for o in traced(list(R.entries)))
            np.testing.assert_array_equal(
                values.ravel(), Quaternion.from_rotation(R).numpy()
            )
            # the rate of R is R ω̃; that of Q must be ½ Q ∘ (ω, 0)
            x, y, z = w
            R_rate = R.numpy() @ [[0, -z, y], [z, 0, -x], [-y, x, 0]]
            rate = Quaternion.of(values.ravel()).rate(Vector.of(w)).numpy()
            np.testing.assert_allclose(slopes @ R_rate.ravel(), rate, rtol=0, atol=3e-15)


def test_the_guess_keeps_the_sign_along_a_path():
    """Two full turns: Q goes continuously to −Q and back."""
    guess = NO_TURN
    for angle in np.linspace(0, 4 * np.pi, 201):
        R = Matrix.of(Rotation.from_rotvec([0, 0.6 * angle, 0.8 * angle]).as_matrix())
        Q = quaternions.from_T(R.T, guess)
        expected = np.sin(angle / 2) * np.array([0, 0.6, 0.8])
        np.testing.assert_allclose(
            Q.xyzw, [*expected, np.cos(angle / 2)], rtol=0, atol=2e-15
        )
        guess = Q


def test_a_matrix_that_has_drifted_still_gives_a_unit_quaternion(chance):
    R = chance.rotation().numpy() + chance.rng.uniform(-1e-8, 1e-8, (3, 3))
    Q = Quaternion.from_rotation(Matrix.of(R))
    assert Q.norm() == pytest.approx(1, rel=0, abs=4e-16)
    assert apart(Q, Rotation.from_matrix(R).as_quat()) < 2e-8


def test_the_rate_is_that_of_the_rotation(chance):
    Q = Quaternion.of(chance.rng.normal(size=4)).normalized()
    w = chance.vector()
    moving = Quaternion(*map(Dual, Q.xyzw, Q.rate(w).xyzw))
    R = moving.rotation()
    skew = R.map(value_of).numpy().T @ R.map(rate_of).numpy()
    np.testing.assert_allclose(
        [skew[2, 1], skew[0, 2], skew[1, 0]], w.numpy(), rtol=0, atol=3e-15
    )
    np.testing.assert_allclose(Q.angular_velocity(Q.rate(w)).numpy(), w.numpy(), atol=3e-15)
    assert Q.dot(Q.rate(w)) == pytest.approx(0, abs=3e-15)


def test_the_rate_is_that_of_a_finite_turn(chance):
    start = Rotation.random(random_state=chance.rng)
    w, step = chance.vector(), 1e-4

    def after(t):
        turned = start * Rotation.from_rotvec(t * w.numpy())
        return quaternions.from_T_inv(turned.as_matrix(), start.as_quat()).numpy()

    by_motion = (8 * (after(step) - after(-step)) - after(2 * step) + after(-2 * step)) / (
        12 * step
    )
    rate = Quaternion.of(start.as_quat()).rate(w).numpy()
    np.testing.assert_allclose(rate, by_motion, rtol=0, atol=1e-11)


def test_functions_of_modelica_agree_with_scipy(chance):
    P, Q = (Quaternion.of(chance.rng.normal(size=4)).normalized() for _ in range(2))
    p, q = (Rotation.from_quat(a.xyzw) for a in (P, Q))
    v, w = chance.vector(), chance.vector()
    near = {"rtol": 0, "atol": 3e-15}
    np.testing.assert_allclose(
        quaternions.resolve1(Q, v).numpy(), q.apply(v.numpy()), **near
    )
    np.testing.assert_allclose(
        quaternions.resolve2(Q, v).numpy(), q.inv().apply(v.numpy()), **near
    )
    both = quaternions.multiple_resolve1(Q, [v, w])
    np.testing.assert_allclose(both[1].numpy(), q.apply(w.numpy()), **near)
    both = quaternions.multiple_resolve2(Q, [v, w])
    np.testing.assert_allclose(both[1].numpy(), q.inv().apply(w.numpy()), **near)
    assert apart(quaternions.relative_rotation(P, Q), (p.inv() * q).as_quat()) < 3e-15
    assert apart(quaternions.absolute_rotation(P, Q), (p * q).as_quat()) < 3e-15
    assert apart(quaternions.inverse_rotation(Q), q.inv().as_quat()) < 3e-15
    np.testing.assert_allclose(quaternions.to_T(Q).numpy(), q.as_matrix().T, **near)
    np.testing.assert_allclose(quaternions.to_T_inv(Q).numpy(), q.as_matrix(), **near)
    assert apart(quaternions.from_T(q.as_matrix().T), Q.xyzw) < 3e-15
    n = v.normalized()
    by_scipy = Rotation.from_rotvec(0.9 * n.numpy())
    assert apart(quaternions.planar_rotation(n, 0.9), by_scipy.as_quat()) < 3e-15
    rate = Q.rate(w)
    np.testing.assert_allclose(
        quaternions.angular_velocity2(Q, rate).numpy(), w.numpy(), **near
    )
    np.testing.assert_allclose(
        quaternions.angular_velocity1(Q, rate).numpy(), q.apply(w.numpy()), **near
    )
    assert quaternions.orientation_constraint(2.0 * Q)[0] == pytest.approx(3, abs=2e-15)
    assert quaternions.null_rotation().xyzw == (0.0, 0.0, 0.0, 1.0)


def test_a_small_turn_is_its_rotation_vector():
    phi = np.array([1e-5, -2e-5, 3e-5])
    Q = Quaternion.of(Rotation.from_rotvec(phi).as_quat())
    np.testing.assert_allclose(quaternions.small_rotation(Q).numpy(), phi, rtol=1e-9)
