"""Bodies given by their shape: mass, centre and inertia by integration over the volume."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

import motorik as mk

GAUSS = np.polynomial.legendre.leggauss(3)  # exact for the squares below
RADIAL = np.polynomial.legendre.leggauss(4)


def inertia_of(body) -> tuple[float, np.ndarray, np.ndarray]:
    """Return mass, centre of mass and inertia tensor about it, as the body within has them."""
    p = body.body.resolved(lambda scalar: scalar.value)
    return float(p.m), p.r_CM.numpy(), p.I.numpy()


def moments(
    points: np.ndarray, weights: np.ndarray
) -> tuple[float, np.ndarray, np.ndarray]:
    """Return mass, centre and inertia about the centre of a cloud of masses."""
    m = weights.sum()
    c = weights @ points / m
    d = points - c
    second = np.einsum("k,ki,kj->ij", weights, d, d)
    return m, c, np.trace(second) * np.eye(3) - second


def box_cloud(size, density) -> tuple[np.ndarray, np.ndarray]:
    """Return points and masses that integrate squares over a box along x exactly."""
    points, weights = [], []
    for (x, wx), (y, wy), (z, wz) in product(*[list(zip(*GAUSS, strict=True))] * 3):
        points.append(np.array([(x + 1) / 2, y / 2, z / 2]) * size)
        weights.append(density * np.prod(size) * wx * wy * wz / 8)
    return np.array(points), np.array(weights)


def cylinder_cloud(length, radius, density) -> tuple[np.ndarray, np.ndarray]:
    """Return points and masses that integrate squares over a cylinder along x exactly."""
    points, weights = [], []
    angles = np.arange(4) * np.pi / 2 + 0.3
    for (x, wx), (s, ws), angle in product(
        zip(*GAUSS, strict=True), zip(*RADIAL, strict=True), angles
    ):
        r = radius * (s + 1) / 2
        points.append([length * (x + 1) / 2, r * np.cos(angle), r * np.sin(angle)])
        weights.append(density * (length * wx / 2) * (radius * ws / 2) * r * np.pi / 2)
    return np.array(points), np.array(weights)


def placed(points: np.ndarray, along, width) -> np.ndarray:
    """Turn a cloud along x so that it lies along `along` with its width towards `width`."""
    e_x = np.array(along) / np.linalg.norm(along)
    e_z = np.cross(e_x, width)
    e_z = e_z / np.linalg.norm(e_z)
    return points @ np.array([e_x, np.cross(e_z, e_x), e_z])


def agree(body, points, weights) -> None:
    for found, expected in zip(inertia_of(body), moments(points, weights), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("inner", [0.0, 0.06])
def test_a_box_has_the_inertia_of_its_volume(inner):
    r, begin, width = (0.6, 0.3, -0.2), np.array([0.1, -0.1, 0.05]), (0.2, 1, 0.4)
    body = mk.BodyBox(
        r=r, r_shape=tuple(begin), width=0.2, height=0.1, widthDirection=width,
        innerWidth=inner, innerHeight=inner / 2, density=1200.0,
    )  # fmt: skip
    along = np.array(r) - begin
    L = float(np.linalg.norm(along))
    points, weights = box_cloud((L, 0.2, 0.1), 1200.0)
    hole, less = box_cloud((L, inner, inner / 2), -1200.0)
    cloud = placed(np.vstack([points, hole]), along, width) + begin
    agree(body, cloud, np.concatenate([weights, less]))


@pytest.mark.parametrize("inner", [0.0, 0.12])
def test_a_cylinder_has_the_inertia_of_its_volume(inner):
    r = (-0.2, 0.5, 0.3)
    body = mk.BodyCylinder(r=r, diameter=0.2, innerDiameter=inner, density=900.0)
    L = float(np.linalg.norm(r))
    points, weights = cylinder_cloud(L, 0.1, 900.0)
    hole, less = cylinder_cloud(L, inner / 2, -900.0)
    cloud = placed(np.vstack([points, hole]), r, (1, 0, 0))
    agree(body, cloud, np.concatenate([weights, less]))


def test_only_a_length_gives_a_slender_body():
    box, rod = mk.BodyBox(r=(2, 0, 0)), mk.BodyCylinder(r=(2, 0, 0))
    assert inertia_of(box)[0] == pytest.approx(7700 * 2 * 0.1 * 0.1, rel=1e-14)
    assert inertia_of(rod)[0] == pytest.approx(7700 * 2 * np.pi * 0.05**2, rel=1e-14)


def test_the_world_says_how_slender():
    model = mk.Model()
    model.world = mk.World(defaultWidthFraction=10.0)
    model.box = mk.BodyBox(r=(2, 0, 0))
    assert inertia_of(model.box)[0] == pytest.approx(7700 * 2 * 0.2 * 0.2, rel=1e-14)


def test_length_and_direction_replace_r():
    box = mk.BodyBox(r=(9, 9, 9), length=0.5, lengthDirection=(0, 2, 0), width=0.1)
    m, c, _ = inertia_of(box)
    assert m == pytest.approx(7700 * 0.5 * 0.01, rel=1e-14)
    np.testing.assert_allclose(c, (0, 0.25, 0), atol=1e-15)


def test_a_width_along_the_length_is_taken_elsewhere():
    found = inertia_of(mk.BodyBox(r=(0, 1, 0), widthDirection=(0, 1, 0), width=0.1))[2]
    cube = 7700 * 0.01 * np.array([1.01 / 12, 0.02 / 12, 1.01 / 12])
    np.testing.assert_allclose(found, np.diag(cube), rtol=1e-13, atol=1e-14)


def test_a_live_size_gives_live_inertia():
    live = mk.Parameter(0.2)
    body = mk.BodyCylinder(r=(1, 0, 0), diameter=live)
    before = inertia_of(body)[0]
    live.value = 0.4
    assert inertia_of(body)[0] == pytest.approx(4 * before, rel=1e-14)
