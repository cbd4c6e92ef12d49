"""The inertia dyad against clouds of points and against Newton and Euler's equations."""

from __future__ import annotations

import casadi
import numpy as np
import pytest

from motorik.algebra import (
    NO_INERTIA,
    Dual,
    Dyad,
    Force,
    Inertia,
    Matrix,
    Momentum,
    Motor,
    Symmetric,
    Vector,
    Velocity,
    body_force,
    kinetic_energy,
    rotation_about,
    scalar,
)


@pytest.fixture
def cloud(chance):
    """Masses and places of points that make up a rigid body."""
    return chance.rng.uniform(0.1, 1, 9), chance.rng.uniform(-1, 1, (9, 3))


@pytest.fixture
def body(cloud):
    """The same body as mass, centre and inertia tensor about the centre."""
    masses, places = cloud
    m = masses.sum()
    c = masses @ places / m
    arms = places - c
    I = sum(
        w * (r @ r * np.eye(3) - np.outer(r, r)) for w, r in zip(masses, arms, strict=True)
    )
    return m, c, I


def test_the_momentum_is_the_sum_over_the_points(cloud, body, chance):
    masses, places = cloud
    v = chance.motor(Velocity)
    speeds = v.linear.numpy() + np.cross(v.angular.numpy(), places)
    momentum = masses @ speeds
    spin = masses @ np.cross(places, speeds)
    p = Inertia.of_body(*body)(v)
    assert type(p) is Momentum
    np.testing.assert_allclose(p.numpy(), [*momentum, *spin], rtol=0, atol=1.5e-14)


def test_the_kinetic_energy_is_the_sum_over_the_points(cloud, body, chance):
    masses, places = cloud
    v = chance.motor(Velocity)
    speeds = v.linear.numpy() + np.cross(v.angular.numpy(), places)
    energy = 0.5 * masses @ (speeds**2).sum(axis=1)
    assert kinetic_energy(Inertia.of_body(*body), v) == pytest.approx(energy, rel=4e-15)


def test_the_energy_is_the_same_in_every_frame(body, chance):
    M, v, X_ab = Inertia.of_body(*body), chance.motor(Velocity), chance.pose()
    moved = kinetic_energy(M.seen_from(X_ab), X_ab(v))
    assert moved == pytest.approx(kinetic_energy(M, v), rel=1e-14)


def test_a_change_of_frame_of_the_dyad_is_that_of_its_motors(body, chance):
    M, v, X_ab = Inertia.of_body(*body), chance.motor(Velocity), chance.pose()
    np.testing.assert_allclose(
        M.seen_from(X_ab)(X_ab(v)).numpy(), X_ab(M(v)).numpy(), rtol=0, atol=3e-14
    )


def test_a_change_of_frame_moves_the_points(cloud, body, chance):
    masses, places = cloud
    X_ab = chance.pose()
    moved = np.array([X_ab(Vector.of(r)).numpy() for r in places])
    m, c, I = Inertia.of_body(*body).seen_from(X_ab).about_centre()
    arms = moved - masses @ moved / masses.sum()
    tensor = np.einsum("i,ij,ij,kl->kl", masses, arms, arms, np.eye(3))
    tensor = tensor - np.einsum("i,ij,ik->jk", masses, arms, arms)
    assert m == pytest.approx(masses.sum(), rel=4e-15)
    np.testing.assert_allclose(c.numpy(), masses @ moved / masses.sum(), rtol=0, atol=4e-15)
    np.testing.assert_allclose(I.numpy(), tensor, rtol=0, atol=6e-14)


@pytest.mark.parametrize("number", [0, 1, 2])
def test_the_short_way_about_a_coordinate_axis_is_the_long_way(body, chance, number):
    axis = Vector(*(1.0 if i == number else 0.0 for i in range(3)))
    R = rotation_about(axis, 0.7)
    S = Symmetric.of(body[2])
    by_numpy = R.numpy() @ S.numpy() @ R.numpy().T
    np.testing.assert_allclose(S.rotated(R).numpy(), by_numpy, rtol=0, atol=3e-15)


def test_inertias_of_parts_add_up(cloud, chance):
    masses, places = cloud
    v = chance.motor(Velocity)
    parts = [Inertia.of_body(w, r) for w, r in zip(masses, places, strict=True)]
    together = NO_INERTIA
    for part in parts:
        together = together + part
    one_by_one = sum(part(v).numpy() for part in parts)
    np.testing.assert_allclose(together(v).numpy(), one_by_one, rtol=0, atol=7e-15)


def test_the_force_is_that_of_newton_and_euler(body, chance):
    m, c, I = body
    v, a = chance.motor(Velocity), chance.motor()
    w, wd = v.angular.numpy(), a.resultant.numpy()
    # acceleration of the origin = rate of the components of v + ω × v
    a_c = a.moment.numpy() + np.cross(w, v.linear.numpy())
    a_c = a_c + np.cross(wd, c) + np.cross(w, np.cross(w, c))
    torque = I @ wd + np.cross(w, I @ w) + np.cross(c, m * a_c)
    f = body_force(Inertia.of_body(m, c, I), v, a)
    assert type(f) is Force
    np.testing.assert_allclose(f.numpy(), [*(m * a_c), *torque], rtol=0, atol=1e-13)


def test_the_power_of_the_force_is_the_rate_of_the_energy(body, chance):
    M, v, a = Inertia.of_body(*body), chance.motor(Velocity), chance.motor()
    moving = Motor.of(list(map(Dual, v.components, a.components)))
    assert body_force(M, v, a) @ v == pytest.approx(
        kinetic_energy(M, moving).rate, rel=3e-13
    )


def test_the_dyad_of_blocks_does_what_the_inertia_does(body, chance):
    M, v = Inertia.of_body(*body), chance.motor()
    np.testing.assert_array_equal(M.dyad()(v).numpy(), M(v).numpy())
    # as a 6×6 array it works on (h, g), the moment first: eq. (2) of the paper
    g, h = v.resultant.numpy(), v.moment.numpy()
    by_array = M.dyad().numpy() @ [*h, *g]
    np.testing.assert_allclose(M(v).numpy(), by_array, rtol=0, atol=7e-15)
    assert np.all(np.linalg.eigvalsh(M.dyad().numpy()) > 0)


def test_dyads_are_linear(chance):
    rows, other = chance.rng.uniform(-1, 1, (2, 6, 6))
    h = chance.motor()
    np.testing.assert_array_equal(Dyad.of(rows).numpy(), rows)
    np.testing.assert_array_equal(Dyad.of(rows.tolist()).numpy(), rows)
    both = (2.0 * Dyad.of(rows) + Dyad.of(other))(h)
    apart = 2.0 * Dyad.of(rows)(h) + Dyad.of(other)(h)
    np.testing.assert_allclose(both.numpy(), apart.numpy(), rtol=0, atol=7e-15)
    symbols = Dyad.of(casadi.SX(rows))
    assert [float(e) for e in symbols.T12.entries] == Matrix.of(
        rows[:3, 3:]
    ).numpy().ravel().tolist()


def test_without_a_direction_nothing_resists_motion_along_it(body, chance):
    M, S, v = Inertia.of_body(*body), chance.motor(), chance.motor()
    U = M(S)
    D = 1.0 / (S @ U)
    left = M.without(U, D)
    np.testing.assert_allclose(left(S).numpy(), np.zeros(6), rtol=0, atol=1e-13)
    expected = M(v) - (D * (U @ v)) * U
    np.testing.assert_allclose(left(v).numpy(), expected.numpy(), rtol=0, atol=1e-13)


@pytest.mark.parametrize("along", range(6))
def test_a_unit_direction_vanishes_exactly(body, chance, along):
    """The row and column of the direction are structural zeros, the rest is unchanged."""
    M, v = Inertia.of_body(*body).seen_from(chance.pose()), chance.motor()
    S = Motor.of([float(i == along) for i in range(6)])
    U = M(S)
    plain, exact = M.without(U, 1.0 / (S @ U)), M.without(U, 1.0 / (S @ U), along)
    np.testing.assert_allclose(exact(v).numpy(), plain(v).numpy(), rtol=0, atol=3e-14)
    assert all(e.__class__ is float and e == 0.0 for e in exact(S).components)
    symbols = Symmetric(*casadi.vertsplit(casadi.SX.sym("S", 6)))
    traced = Inertia(symbols, Matrix(*casadi.vertsplit(casadi.SX.sym("H", 9))), symbols)
    left = traced.without(traced(S), 1.0 / (S @ traced(S)), along)
    assert sum(scalar.is_structural(e, 0.0) for e in left(S).components) == 6
    assert scalar.is_structural(S @ left(v), 0.0)


def test_a_body_gives_back_what_it_was_made_of(body):
    m, c, I = body
    mass, centre, tensor = Inertia.of_body(m, c, I).about_centre()
    assert mass == m
    np.testing.assert_allclose(centre.numpy(), c, rtol=4e-15, atol=1e-15)
    np.testing.assert_allclose(tensor.numpy(), I, rtol=0, atol=4e-15)
