"""The whole algebra of motors, dyads and inertias, by matrices of NumPy and by definition."""

from __future__ import annotations

import casadi
import numpy as np
import pytest

from motorik.algebra import (
    IDENTITY,
    ZERO,
    Dyad,
    Force,
    Inertia,
    Matrix,
    Momentum,
    Motor,
    Pose,
    Symmetric,
    Vector,
    Velocity,
    X,
    Y,
    Z,
    check_tensor,
    principal_axes,
    rotation_about,
)
from motorik.algebra.linear_system import SingularError
from motorik.errors import ParameterError

SWAP = np.block([[np.zeros((3, 3)), np.eye(3)], [np.eye(3), np.zeros((3, 3))]])


def near(a, b, within=1e-13):
    for one, other in zip(np.ravel(a), np.ravel(b), strict=True):
        assert one == pytest.approx(other, rel=0, abs=within)


def linear(T: Dyad | Inertia) -> np.ndarray:
    """Return the 6×6 matrix that acts on (g, h), found column by column from T itself."""
    return np.array([T(Motor.of(unit)).numpy() for unit in np.eye(6)]).T


def dyad(chance) -> Dyad:
    return Dyad.of(chance.rng.uniform(-1, 1, (6, 6)))


def body(chance) -> Inertia:
    points = chance.rng.uniform(-1, 1, (5, 3))
    tensor = sum(np.dot(p, p) * np.eye(3) - np.outer(p, p) for p in points - points.mean(0))
    return Inertia.of_body(chance.rng.uniform(1, 3), chance.vector(), tensor)


def test_dyads_are_linear_maps(chance):
    S, T, h = dyad(chance), dyad(chance), chance.motor()
    near(linear(T), T.numpy() @ SWAP, 0)
    near((S + T)(h).numpy(), S(h).numpy() + T(h).numpy())
    near((S - T)(h).numpy(), S(h).numpy() - T(h).numpy())
    near((-T)(h).numpy(), -T(h).numpy(), 0)
    near((T / 4.0)(h).numpy(), T(h).numpy() / 4.0)
    near((S @ T)(h).numpy(), S(T(h)).numpy())
    near(linear(S @ T), linear(S) @ linear(T))
    near(T.trace(), np.trace(linear(T)))
    near(Dyad.identity()(h).numpy(), h.numpy(), 0)
    near((T @ Dyad.identity()).numpy(), T.numpy(), 0)


def test_the_transpose_moves_to_the_other_side_of_an_inner_product(chance):
    T, a, b = dyad(chance), chance.motor(), chance.motor()
    near(a @ T(b), T.T(a) @ b)
    near(T.T.numpy(), T.numpy().T, 0)
    M = body(chance)
    near(M.dyad().T.numpy(), M.dyad().numpy(), 0)
    assert M.T is M


def test_inverses_and_solutions_undo_the_map(chance):
    T, h = dyad(chance), chance.motor()
    near(linear(T.inverse()), np.linalg.inv(linear(T)), 1e-10)
    near(T.solve(T(h)).numpy(), h.numpy(), 1e-11)
    near(T.solve(h).numpy(), np.linalg.solve(linear(T), h.numpy()), 1e-11)
    with pytest.raises(SingularError):
        Dyad.of_motors(h, h).solve(h)
    symbols = casadi.SX.sym("T", 6, 6)
    traced = Dyad.of(symbols).solve(Motor.of(h.components))
    solve = casadi.Function("x", [symbols], [casadi.vertcat(*traced.components)])
    near(np.array(solve(T.numpy())), T.solve(h).numpy(), 1e-10)


def test_dyadic_products_and_changes_of_frame(chance):
    a, b, h, X_ab = chance.motor(), chance.motor(), chance.motor(), chance.pose()
    T = dyad(chance)
    near(Dyad.of_motors(a, b)(h).numpy(), (a * (b @ h)).numpy())
    near(Dyad.of_pose(X_ab)(h).numpy(), X_ab(h).numpy())
    near(T.seen_from(X_ab)(X_ab(h)).numpy(), X_ab(T(h)).numpy(), 1e-12)
    near(T.seen_from(X_ab).trace(), T.trace(), 1e-12)
    M = body(chance)
    near(M.dyad().seen_from(X_ab).numpy(), M.seen_from(X_ab).dyad().numpy(), 1e-12)


def test_inertias_add_subtract_and_scale(chance):
    M, N, V = body(chance), body(chance), chance.motor(Velocity)
    near((M - N)(V).numpy(), M(V).numpy() - N(V).numpy())
    near((M + N - N).dyad().numpy(), M.dyad().numpy())
    near((-M).dyad().numpy(), -M.dyad().numpy(), 0)
    near((M / 4.0).dyad().numpy(), M.dyad().numpy() / 4.0)
    for rigid in (M - N, 2.0 * M, M / 2.0, -M):
        assert rigid.is_rigid


def test_inertias_are_solved(chance):
    M, p = body(chance), chance.motor(Momentum)
    near(M(M.solve(p)).numpy(), p.numpy(), 1e-12)
    near(M.solve(p).numpy(), np.linalg.solve(linear(M), p.numpy()), 1e-12)
    near(linear(M.inverse()), np.linalg.inv(linear(M)), 1e-11)


def test_principal_moments_are_those_of_the_turned_diagonal(chance):
    moments, R = Vector(1.0, 1.7, 2.5), chance.rotation()
    tensor = Symmetric(*moments.xyz).rotated(R)
    found, axes = principal_axes(tensor)
    near(found.numpy(), moments.numpy(), 1e-14)
    near(np.linalg.det(axes.numpy()), 1.0, 1e-14)
    near((axes @ Matrix.of(np.diag(found.xyz)) @ axes.T).numpy(), tensor.numpy(), 1e-14)
    M = Inertia.of_body(2.0, chance.vector(), tensor)
    near(M.principal()[0].numpy(), moments.numpy(), 1e-13)
    near(M.trace(), np.trace(M.J.numpy()), 1e-14)
    assert check_tensor(tensor) is tensor
    q = casadi.SX.sym("q")
    assert check_tensor(Symmetric(q, 1.0, 9.0)).xx is q
    with pytest.raises(ParameterError, match="are not numbers"):
        principal_axes(Symmetric(q, 1.0, 1.0))


def test_the_axis_of_a_motor_is_where_its_moment_is_along_its_resultant(chance):
    h, X_ab = chance.motor(), chance.pose()
    point, direction = h.axis()
    near(direction.norm(), 1.0, 1e-15)
    near(h.moment_at(point).numpy(), (h.pitch() * h.resultant).numpy())
    near(point.dot(direction), 0.0)
    moved = X_ab(h)
    near((moved.pitch(), moved.magnitude()), (h.pitch(), h.magnitude()))
    near(moved.about(X_ab(point)).moment.cross(moved.resultant).numpy(), np.zeros(3), 1e-12)
    # |g + ε h|² = |g|² + 2 ε g · h
    real, dual = h.dual_magnitude()
    near((real * real, 2 * real * dual), (h.resultant.dot(h.resultant), h @ h))
    assert h.parts == (h.resultant, h.moment)


def test_screws_in_numbers():
    # a force of 2 N along z through (3, 0, 0), with a torque of 10 N·m along it; the moment
    # at the origin is r × f
    f = Force((0, 0, 2), Vector(3, 0, 0).cross(Vector(0, 0, 2)) + Vector(0, 0, 10))
    point, direction = f.axis()
    assert point == Vector(3, 0, 0) and direction == Z
    assert (f.pitch(), f.magnitude(), f.dual_magnitude()) == (5.0, 2.0, (2.0, 10.0))
    assert f.about((3, 0, 0)) == Force((0, 0, 2), (0, 0, 10))
    with pytest.raises(ParameterError, match="has no direction"):
        Force(ZERO, X).axis()


def test_matrices_have_inverse_determinant_and_quotient(chance):
    A = chance.rng.uniform(-1, 1, (3, 3))
    near(Matrix.of(A).inverse().numpy(), np.linalg.inv(A), 1e-11)
    near(Matrix.of(A).determinant(), np.linalg.det(A), 1e-15)
    near((Matrix.of(A) / 4.0).numpy(), A / 4.0, 0)
    S = Symmetric.of(A + A.T)
    near((-S / 4.0).numpy(), -(A + A.T) / 4.0, 0)
    assert Pose(rotation_about(Y, 0.0), ZERO).R == IDENTITY
