"""What holds points on a line: residuals that vanish where they should, in metres."""

from __future__ import annotations

import pytest

from motorik.algebra.pose import Pose
from motorik.algebra.rotation import rotation_about
from motorik.algebra.vector import Vector, X
from motorik.elements.distance import (
    Between,
    Distance,
    SameLength,
    Towards,
)

A = Pose(rotation_about(X, 0.4), Vector(0.1, -0.2, 0.3))
B = Pose(rotation_about(X, -1.1), Vector(1.3, 0.7, -0.4))
APART = float((B.p - A.p).norm())


def at(p: Vector) -> Pose:
    return Pose(p=p)


def test_a_distance_tells_its_error_in_metres():
    assert Distance(APART)(A, B) == pytest.approx((0.0,), abs=2e-16)
    assert Distance(APART - 1e-6)(A, B) == pytest.approx((1e-6,), rel=1e-6)
    assert Distance(1.0)(at(Vector(0, 0, 0)), at(Vector(0, 0, 0))) == (-0.5,)


@pytest.mark.parametrize("h", [0.0, 0.25, 0.5, 1.0])
def test_a_point_between_divides_the_line(h):
    p = A.p + h * (B.p - A.p)
    assert Between(h)(A, B, at(p)) == pytest.approx((0, 0, 0), abs=1e-16)
    away = Vector(1e-3, 2e-3, -3e-3)
    assert Between(h)(A, B, at(p + away)) == pytest.approx(away.xyz, abs=1e-15)


def test_a_point_towards_another_is_so_far_from_the_first():
    e = (B.p - A.p) / APART
    assert Towards(0.3)(A, B, at(A.p + 0.3 * e)) == pytest.approx((0, 0, 0), abs=1e-16)
    assert Towards(0.3)(B, A, at(B.p - 0.3 * e)) == pytest.approx((0, 0, 0), abs=1e-16)


def test_a_length_is_the_distance():
    assert SameLength()(A, B, APART - 0.01) == pytest.approx((0.01,), abs=1e-15)
