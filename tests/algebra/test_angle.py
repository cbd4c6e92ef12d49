"""MOBILE's angle: value, sine and cosine stay together through sums and multiples."""

from __future__ import annotations

import math

import casadi
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motorik.algebra import Angle, Vector, rotation_about, scalar

angles = st.floats(-10, 10)


def agrees(angle: Angle, radians: float, tolerance: float = 2e-15) -> None:
    """Check the value and that sine and cosine are those of the value."""
    assert angle.radians == pytest.approx(radians, rel=1e-15, abs=tolerance)
    assert angle.sine == pytest.approx(math.sin(radians), rel=0, abs=tolerance)
    assert angle.cosine == pytest.approx(math.cos(radians), rel=0, abs=tolerance)


@given(angles, angles)
def test_sums_and_differences_keep_sine_and_cosine(a, b):
    agrees(Angle(a) + Angle(b), a + b, 4e-15)
    agrees(Angle(a) - Angle(b), a - b, 4e-15)
    agrees(Angle(a) + b, a + b, 4e-15)
    agrees(b - Angle(a), b - a, 4e-15)
    agrees(-Angle(a), -a, 0)


@given(angles, st.integers(-9, 9))
def test_whole_multiples_keep_sine_and_cosine(a, n):
    agrees(n * Angle(a), n * a, 3e-14)
    agrees(Angle(a) * n, n * a, 3e-14)


@given(angles, st.floats(-3, 3))
def test_other_multiples_and_fractions_are_computed_anew(a, factor):
    agrees(factor * Angle(a), factor * a)
    agrees(Angle(a) / 3, a / 3)


@given(angles)
def test_an_angle_is_found_from_its_sine_and_cosine(a):
    found = Angle.from_sine_cosine(math.sin(a), math.cos(a))
    agrees(found, math.remainder(a, math.tau), 4e-15)
    agrees(Angle(a).wrapped(), math.remainder(a, math.tau), 4e-15)


def test_degrees_and_radians():
    assert Angle.from_degrees(30).radians == pytest.approx(math.pi / 6, rel=1e-15)
    assert Angle(math.pi / 6).degrees == pytest.approx(30, rel=1e-15)
    assert Angle.from_degrees(30).sine == pytest.approx(0.5, rel=2e-16)
    assert (Angle() - Angle.from_degrees(30) + math.radians(10)).degrees == pytest.approx(
        -20
    )
    assert float(Angle(0.25)) == 0.25
    assert Angle.of(Angle.of(1.5)).radians == 1.5


def test_comparisons_are_those_of_the_values():
    a, b = Angle(1.0), Angle(2.0)
    assert a < b and a <= b and b > a and b >= a and a != b
    assert a == Angle(1.0) == 1.0 and a < 1.5 and not a > 1.5
    assert 0.5 < a <= 1.0


def test_a_sum_of_symbols_calls_no_new_sine():
    q = casadi.SX.sym("q", 2)
    total = Angle(q[0]) + Angle(q[1]) - math.pi / 2
    f = casadi.Function("f", [q], [total.radians, total.sine, total.cosine])
    calls = [f.instruction_id(k) for k in range(f.n_instructions())]
    assert calls.count(casadi.OP_SIN) == calls.count(casadi.OP_COS) == 2
    radians, sine, cosine = (float(e) for e in f([0.4, 0.9]))
    agrees(Angle(radians, sine, cosine), 1.3 - math.pi / 2)


def test_any_formula_takes_an_angle_with_its_sine():
    """Sine and cosine are what was given, not computed from the value."""
    made_up = Angle(0.0, 0.6, 0.8)
    assert scalar.sin(made_up) == 0.6
    assert scalar.cos(made_up) == 0.8
    assert scalar.tan(made_up) == pytest.approx(0.75)
    R = rotation_about(Vector(0, 0, 1), made_up)
    np.testing.assert_array_equal(R.numpy(), [[0.8, -0.6, 0], [0.6, 0.8, 0], [0, 0, 1]])
    np.testing.assert_array_equal(made_up.rotation(Vector(0, 0, 1)).numpy(), R.numpy())
