"""Points on a line and what holds their distance: places, their rates, residuals in metres."""

from __future__ import annotations

import numpy as np
import pytest

from motorik.algebra.pose import Pose
from motorik.algebra.rotation import rotation_about
from motorik.algebra.vector import Vector, X
from motorik.elements.distance import Between, DistanceConstraint, SameLength, Towards

A = Pose(rotation_about(X, 0.4), Vector(0.1, -0.2, 0.3))
B = Pose(rotation_about(X, -1.1), Vector(1.3, 0.7, -0.4))
APART = float((B.p - A.p).norm())


def at(p: Vector) -> Pose:
    return Pose(p=p)


def test_a_distance_tells_its_error_in_metres():
    assert DistanceConstraint(APART)(A, B) == pytest.approx((0.0,), abs=2e-16)
    assert DistanceConstraint(APART - 1e-6)(A, B) == pytest.approx((1e-6,), rel=1e-6)
    assert DistanceConstraint(1.0)(at(Vector(0, 0, 0)), at(Vector(0, 0, 0))) == (-0.5,)


PLACES = [Between(0.0), Between(0.25), Between(1.0), Towards(0.3), Towards(-0.2)]


@pytest.mark.parametrize("h", [0.0, 0.25, 0.5, 1.0])
def test_a_point_between_divides_the_line(h):
    assert Between(h).offset(B.p - A.p).xyz == pytest.approx((h * (B.p - A.p)).xyz)


def test_a_point_towards_another_is_so_far_from_the_first():
    e = (B.p - A.p) / APART
    assert Towards(0.3).offset(B.p - A.p).xyz == pytest.approx((0.3 * e).xyz, abs=1e-16)
    assert Towards(0.3).offset(A.p - B.p).xyz == pytest.approx((-0.3 * e).xyz, abs=1e-16)


@pytest.mark.parametrize("place", PLACES)
def test_velocity_and_acceleration_are_the_rates_of_the_place(place):
    r, v, a = Vector(0.4, -0.7, 0.5), Vector(1.1, 0.3, -0.6), Vector(-0.8, 1.7, 0.9)
    h = 1e-4

    def at_time(t: float) -> np.ndarray:
        return place.offset(r + t * v + (0.5 * t * t) * a).numpy()

    rate = (at_time(h) - at_time(-h)) / (2 * h)
    assert place.moved(r, v).numpy() == pytest.approx(rate, abs=1e-7)
    second = (at_time(h) - 2 * at_time(0.0) + at_time(-h)) / h**2
    found = place.moved(r, a) + place.bias(r, v)
    assert found.numpy() == pytest.approx(second, abs=1e-6)


@pytest.mark.parametrize("place", PLACES)
def test_forces_are_passed_on_by_a_symmetric_dyad(place):
    r, v, f = Vector(0.4, -0.7, 0.5), Vector(1.1, 0.3, -0.6), Vector(-0.8, 1.7, 0.9)
    assert place.moved(r, v).dot(f) == pytest.approx(v.dot(place.moved(r, f)))


def test_a_length_is_the_distance():
    assert SameLength()(A, B, APART - 0.01) == pytest.approx((0.01,), abs=1e-15)
