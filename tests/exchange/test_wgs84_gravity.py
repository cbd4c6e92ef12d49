"""Normal gravity of the Earth: published figures of WGS 84."""

from __future__ import annotations

import pytest

from motorik.algebra.vector import Vector
from motorik.exchange.modelica.gravity import normal_gravity_wgs84


def at(latitude, height):
    x, y, z = normal_gravity_wgs84(latitude)(Vector(5.0, height, -7.0)).xyz
    assert x == z == 0.0
    return -y


def test_gravity_on_the_ellipsoid_has_the_published_values():
    assert at(0, 0) == pytest.approx(9.7803253359, rel=1e-15)
    assert at(90, 0) == pytest.approx(9.8321849378, rel=1e-10)
    assert at(45, 0) == pytest.approx(9.80619777, abs=1e-8)


def test_gravity_falls_with_height_by_the_free_air_gradient():
    gradient = (at(45, 1000) - at(45, -1000)) / 2000
    assert gradient == pytest.approx(-3.0854e-6, rel=3e-4)


def test_gravity_twenty_metres_over_the_equator_is_that_of_an_independent_tool():
    assert at(0, 20) == pytest.approx(9.780263581798753, rel=1e-15)
