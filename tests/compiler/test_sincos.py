"""Inline sine and cosine against π to 1300 bits and the exact series."""

from __future__ import annotations

import math
from fractions import Fraction

import casadi
import numpy as np
import pytest

from motorik.compiler import compile_function
from motorik.compiler.straight.sincos import HALF_PI, LIMIT

BITS = 1300
ONE = 1 << BITS

#: Measured: 1.54 for both, over a million numbers.
LARGEST_ERROR = 1.6  # ulp


def arctan_inverse(n: int) -> int:
    """Return arctan(1/n) in units of 2^-BITS, by its series."""
    term, total, k = ONE // n, 0, 1
    while term:
        total += term // k if k % 4 == 1 else -(term // k)
        term //= n * n
        k += 2
    return total


PI = 4 * (4 * arctan_inverse(5) - arctan_inverse(239))  # Machin 1706


def exact(x: float) -> tuple[Fraction, Fraction]:
    """Return sine and cosine to some 200 digits."""
    if abs(x) < 1e-60:
        return Fraction(x), Fraction(1)
    numerator, denominator = x.as_integer_ratio()
    angle = (numerator * ONE // denominator) % (2 * PI)
    if angle > PI:
        angle -= 2 * PI
    halves = 16
    angle >>= halves  # sin and cos of a small angle, then doubled
    cosine = sine = term = 0
    term, k = ONE, 0
    while term:
        if k % 2 == 0:
            cosine += term if k % 4 == 0 else -term
        else:
            sine += term if k % 4 == 1 else -term
        k += 1
        term = term * angle // (k << BITS)
    for _ in range(halves):
        sine, cosine = 2 * sine * cosine >> BITS, (cosine * cosine - sine * sine) >> BITS
    return Fraction(sine, ONE), Fraction(cosine, ONE)


def errors(values: np.ndarray, references: list[Fraction]) -> np.ndarray:
    """Return the errors in units of the last place."""
    return np.array(
        [
            float(abs(Fraction(float(value)) - reference))
            / float(np.spacing(abs(float(reference))))
            for value, reference in zip(values, references, strict=True)
        ]
    )


X = casadi.SX.sym("x")
BOTH = casadi.Function("both", [X], [casadi.sin(X), casadi.cos(X)])
SINE = casadi.Function("sine", [X], [casadi.sin(X)])
COSINE = casadi.Function("cosine", [X], [casadi.cos(X)])


def arguments() -> np.ndarray:
    rng = np.random.default_rng(3)
    near = np.arange(-40, 41) * (math.pi / 2)
    return np.concatenate(
        [
            rng.uniform(-10.0, 10.0, 300),
            rng.uniform(-1e5, 1e5, 100),
            rng.uniform(-LIMIT, LIMIT, 100),
            near,
            np.nextafter(near, np.inf),
            np.round(rng.uniform(0, 6e8, 100)) * (math.pi / 2),  # where r is smallest
            [LIMIT, -LIMIT, 1e-3, 1e-8, 1e-160, 1e-308, 5e-324, -5e-324],
        ]
    )


def test_half_pi_is_the_sum_of_its_parts() -> None:
    exact_half = Fraction(PI, 2 * ONE)
    assert abs(exact_half - sum(map(Fraction, HALF_PI))) < Fraction(1, 2**159)


@pytest.mark.slow
@pytest.mark.parametrize("width", [1, 4])
def test_accuracy(width: int) -> None:
    x = arguments()
    x = x[: len(x) // width * width]
    lanes = x[:, None] if width == 1 else x.reshape(-1, 1, width)
    sine, cosine = compile_function(BOTH, width=width).map(lanes)
    references = [exact(value) for value in x.tolist()]
    assert errors(sine.ravel(), [s for s, _ in references]).max() < LARGEST_ERROR
    assert errors(cosine.ravel(), [c for _, c in references]).max() < LARGEST_ERROR


@pytest.mark.parametrize("x", [1.0000001e9, -3e9, 1e22, -1e300, 2.0**1023])
def test_large_angles_are_left_to_the_c_library(x: float) -> None:
    sine, cosine = compile_function(BOTH)(x)
    assert (sine[0], cosine[0]) == (math.sin(x), math.cos(x))


def test_one_alone_is_the_same_as_both_together() -> None:
    x = arguments()[:, None]
    sine, cosine = compile_function(BOTH).map(x)
    np.testing.assert_array_equal(compile_function(SINE).map(x), sine)
    np.testing.assert_array_equal(compile_function(COSINE).map(x), cosine)


def test_sign_of_zero_and_undefined_values() -> None:
    native = compile_function(BOTH)
    sine, cosine = native.map(np.array([[0.0], [-0.0], [np.inf], [-np.inf], [np.nan]]))
    assert [math.copysign(1.0, s) for s in sine[:2, 0]] == [1.0, -1.0]
    assert cosine[:2, 0].tolist() == [1.0, 1.0]
    assert np.isnan(sine[2:]).all() and np.isnan(cosine[2:]).all()


@pytest.mark.parametrize("width", [2, 3, 8])
def test_a_lane_does_not_feel_its_neighbours(width: int) -> None:
    mixed = np.array([0.3, 1e22, np.nan, -2.5, 4e9, 1.0, np.inf, -7.0])
    alone = compile_function(BOTH).map(mixed[:, None])
    native = compile_function(BOTH, width=width)
    for shift in range(len(mixed)):
        lanes = np.roll(mixed, shift)[:width]
        for computed, single in zip(native(lanes[None, :]), alone, strict=True):
            np.testing.assert_array_equal(computed[0], np.roll(single[:, 0], shift)[:width])


@pytest.mark.parametrize("count", [2, 3, 4, 5, 9])
def test_grouped_angles_are_those_of_single_ones(count: int) -> None:
    angles = casadi.SX.sym("angles", 2 * count)
    some = angles[::2]  # not next to each other
    function = casadi.Function("many", [angles], [casadi.sin(some), casadi.cos(some)])
    x = np.random.default_rng(count).uniform(-9.0, 9.0, 2 * count)
    x[2] = 1e22
    sine, cosine = compile_function(function)(x)
    for k in range(count):
        s, c = compile_function(BOTH)(x[2 * k])
        assert (sine[k], cosine[k]) == (s[0], c[0])
