"""The inline arc tangent against the C library's, in extended precision and at every edge."""

import itertools
import math

import casadi
import numpy as np
import pytest

from motorik.compiler import compile_function

Y, X = casadi.SX.sym("y"), casadi.SX.sym("x")
EDGES = (0.0, -0.0, 1.0, -1.0, math.inf, -math.inf, math.nan)
EXTREMES = (5e-324, -5e-324, 2.2e-308, 1e308, 1.5e308, -1.7e308)


@pytest.fixture(scope="module")
def arctan2():
    return compile_function(casadi.Function("angle", [Y, X], [casadi.atan2(Y, X)]))


def scattered(seed, count=100_000):
    random = np.random.default_rng(seed)
    return random.normal(size=count) * 10.0 ** random.uniform(-8, 8, count)


def in_ulps(found, exact):
    return float(np.abs((found - exact) / np.spacing(np.abs(exact.astype(float)))).max())


def test_angles_of_points_are_right_to_two_units_of_the_last_place(arctan2):
    y, x = scattered(1), scattered(2)
    exact = np.arctan2(y.astype(np.longdouble), x.astype(np.longdouble))
    assert in_ulps(arctan2.map(y[:, None], x[:, None]).ravel(), exact) < 1.9


def test_arc_tangents_are_right_to_two_units_of_the_last_place():
    arctan = compile_function(casadi.Function("arctan", [Y], [casadi.atan(Y)]))
    y = scattered(3)
    exact = np.arctan(y.astype(np.longdouble))
    assert in_ulps(arctan.map(y[:, None]).ravel(), exact) < 2.0


@pytest.mark.parametrize(("y", "x"), list(itertools.product(EDGES + EXTREMES, repeat=2)))
def test_zeros_infinities_and_extremes_are_those_of_c(arctan2, y, x):
    found, known = float(arctan2([y], [x])[0]), math.atan2(y, x)
    assert found == pytest.approx(known, rel=4.5e-16, abs=0.0, nan_ok=True)
    if not math.isnan(known):
        assert math.copysign(1.0, found) == math.copysign(1.0, known)


@pytest.mark.parametrize("width", [2, 4, 8])
def test_every_lane_has_its_own_angle(width):
    function = casadi.Function("angle", [Y, X], [casadi.atan2(Y, X)])
    y, x = (scattered(seed, 64 * width).reshape(64, 1, width) for seed in (4, 5))
    found = compile_function(function, width=width).map(y, x)
    np.testing.assert_allclose(found, np.arctan2(y, x), rtol=4.5e-16)
