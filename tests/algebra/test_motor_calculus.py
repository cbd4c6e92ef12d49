"""The laws of motor calculus (2009 paper, section 2), with 4×4 matrices as second route."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import expm

from motorik.algebra import (
    ZERO_MOTOR,
    Acceleration,
    Dual,
    Force,
    Momentum,
    Motor,
    Pose,
    Vector,
    Velocity,
    derivative_in_fixed_frame,
    inner,
    power,
    rate_of,
    rotation_by_sequence,
    total_motor,
)


def near(a, b, tolerance=3e-15):
    np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=0, atol=tolerance)


def test_a_motor_is_the_velocity_field_of_its_matrix(chance, twist):
    h, r = chance.motor(), chance.vector()
    by_matrix = twist(h) @ [*r.numpy(), 1.0]
    np.testing.assert_allclose(h.moment_at(r).numpy(), by_matrix[:3], rtol=0, atol=3e-15)


def test_the_outer_product_is_the_commutator_of_the_matrices(chance, twist):
    a, b = chance.motor(), chance.motor()
    A, B = twist(a), twist(b)
    np.testing.assert_allclose(twist(a ^ b), A @ B - B @ A, rtol=0, atol=4e-15)


def test_motors_form_a_lie_algebra(chance):
    a, b, c = (chance.motor() for _ in range(3))
    alpha = float(chance.rng.uniform(-2, 2))
    near(a ^ b, -(b ^ a), 0)
    near(a ^ a, ZERO_MOTOR, 0)
    near((alpha * a + b) ^ c, alpha * (a ^ c) + (b ^ c), 7e-15)
    jacobi = (a ^ (b ^ c)) + (b ^ (c ^ a)) + (c ^ (a ^ b))
    near(jacobi, ZERO_MOTOR, 1.5e-14)


def test_the_inner_product_is_symmetric_bilinear_and_invariant(chance):
    a, b, c = (chance.motor() for _ in range(3))
    alpha = float(chance.rng.uniform(-2, 2))
    assert a @ b == pytest.approx(b @ a, rel=0, abs=3e-15)
    assert (alpha * a + b) @ c == pytest.approx(alpha * (a @ c) + b @ c, rel=0, abs=7e-15)
    assert (a ^ b) @ c == pytest.approx(a @ (b ^ c), rel=0, abs=1.5e-14)
    assert inner(a, b) == a @ b == power(a, b)


def test_the_inner_product_of_force_and_velocity_is_the_power_of_point_forces(chance):
    v = chance.motor(Velocity)
    points = [chance.vector() for _ in range(4)]
    forces = [chance.vector() for _ in range(4)]
    total = total_motor(
        *(Force(f, r.cross(f)) for f, r in zip(forces, points, strict=True))
    )
    speeds = [v.linear + v.angular.cross(r) for r in points]
    by_points = sum(f.dot(u) for f, u in zip(forces, speeds, strict=True))
    assert power(total, v) == pytest.approx(by_points, rel=0, abs=3e-14)


def test_on_the_central_axis_the_moment_is_parallel_to_the_resultant(chance):
    h = chance.motor()
    g = h.resultant
    pitch = g.dot(h.moment) / g.dot(g)
    for distance in (0.0, 1.7):
        r = h.axis_point() + distance * g
        near(h.moment_at(r), pitch * g, 7e-15)
    assert h.axis_point().dot(g) == pytest.approx(0, abs=3e-15)


def test_a_change_of_frame_is_the_conjugation_of_the_matrix(chance, twist):
    X, h = chance.pose(), chance.motor()
    by_matrix = X.numpy() @ twist(h) @ np.linalg.inv(X.numpy())
    np.testing.assert_allclose(twist(X(h)), by_matrix, rtol=0, atol=4e-15)


def test_a_change_of_frame_goes_both_ways(chance):
    X_ab, X_bc, h, r = chance.pose(), chance.pose(), chance.motor(), chance.vector()
    near(X_ab.back(X_ab(h)), h, 4e-15)
    near(X_ab.inverse()(h), X_ab.back(h), 4e-15)
    near(X_ab.back(X_ab(r)), r, 4e-15)
    near(X_ab.inverse()(r), X_ab.back(r), 4e-15)
    near((X_ab @ X_bc)(h), X_ab(X_bc(h)), 7e-15)
    near((X_ab @ X_bc)(r), X_ab(X_bc(r)), 7e-15)
    near(X_ab @ X_ab.inverse(), Pose(), 2e-15)


def test_a_change_of_frame_keeps_both_products(chance):
    X, a, b = chance.pose(), chance.motor(), chance.motor()
    assert X(a) @ X(b) == pytest.approx(a @ b, rel=0, abs=1e-14)
    near(X(a) ^ X(b), X(a ^ b), 1.5e-14)


def moving_frame(t):
    """X_01(t) of a frame whose angles and origin all change."""
    R = rotation_by_sequence((3, 1, 2), (0.3 + 2 * t, -0.7 + t * t, 1.1 - 3 * t))
    return Pose(R, Vector(1 + t, t * t - 2, 0.5 - 3 * t))


def motor_in_it(t):
    """A motor as it is seen in that frame, at the time t."""
    return Motor(Vector(1 + t * t, 2 - t, t), Vector(3 * t, 1 + t, 2 - t * t))


def velocity_of_frame(t):
    """The velocity motor of the moving frame, resolved in it: X⁻¹ dX/dt."""
    X = moving_frame(Dual(t, 1.0))
    rate = np.zeros((4, 4))
    rate[:3, :3] = X.R.map(rate_of).numpy()
    rate[:3, 3] = X.p.map(rate_of).numpy()
    V = np.linalg.inv(moving_frame(t).numpy()) @ rate
    return Velocity(Vector(V[2, 1], V[0, 2], V[1, 0]), Vector.of(V[:3, 3]))


@pytest.mark.parametrize("t", [0.0, 0.4, -1.3])
def test_differentiation_in_a_moving_frame_agrees_with_duals(t):
    fixed = moving_frame(Dual(t, 1.0))(motor_in_it(Dual(t, 1.0)))
    seen_in_frame = motor_in_it(Dual(t, 1.0)).map(rate_of)
    rate = derivative_in_fixed_frame(motor_in_it(t), seen_in_frame, velocity_of_frame(t))
    near(moving_frame(t)(rate), fixed.map(rate_of), 3e-14)


def test_differentiation_in_a_moving_frame_agrees_with_finite_motion(chance, twist):
    v, h, rate = chance.motor(Velocity), chance.motor(), chance.motor()
    step = 1e-4

    def seen_from_start(t):
        E = expm(t * twist(v))
        return Pose(E[:3, :3], E[:3, 3])(h + t * rate)

    # fourth-order central difference: truncation of order step⁴
    d1 = seen_from_start(step) - seen_from_start(-step)
    d2 = seen_from_start(2 * step) - seen_from_start(-2 * step)
    by_motion = (8.0 * d1 - d2) / (12 * step)
    near(derivative_in_fixed_frame(h, rate, v), by_motion, 5e-11)


@pytest.mark.parametrize("kind", [Velocity, Acceleration, Force, Momentum])
def test_a_kind_of_motor_stays_what_it_is(chance, kind):
    a, b, X = chance.motor(kind), chance.motor(kind), chance.pose()
    for same in (a + b, a - b, -a, 2.0 * a, a / 2.0, X(a), X.back(a), a.map(float)):
        assert type(same) is kind
    assert type(total_motor(a, b, a)) is kind
    assert type(a + chance.motor()) is type(a - ZERO_MOTOR) is type(ZERO_MOTOR + a) is kind
    assert type(a ^ b) is (Acceleration if kind is Velocity else Motor)
    near(a - b, a + -1.0 * b, 0)


def test_kinds_name_their_vectors(chance):
    g, h = chance.vector(), chance.vector()
    v, f, p = Velocity(g, h), Force(g, h), Momentum(g, h)
    assert (v.angular, v.linear) == (f.force, f.torque) == (p.linear, p.angular) == (g, h)


def test_motors_and_their_six_components_are_the_same(chance):
    numbers = chance.rng.uniform(-1, 1, 6)
    h = Motor.of(numbers)
    np.testing.assert_array_equal(h.components, numbers)
    np.testing.assert_array_equal(h.numpy(), numbers)
    assert Motor.of(h) is h
    assert total_motor() is ZERO_MOTOR
