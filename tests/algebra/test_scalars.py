"""Scalars: structural zeros, branches that can be traced, duals, a light import."""

from __future__ import annotations

import os
import subprocess
import sys

import casadi
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motorik.algebra import (
    AXES,
    Dual,
    Matrix,
    Motor,
    Symmetric,
    Vector,
    as_dual,
    outer,
    rate_of,
    scalar,
    skew,
    square,
    value_of,
)

x, y = casadi.SX.sym("x"), casadi.SX.sym("y")
numbers = st.floats(-5, 5)
KINDS = [x, np.array([1.0, 2.0]), Dual(2.0, 1.0)]


@pytest.mark.parametrize("a", KINDS, ids=["symbol", "array", "dual"])
def test_structural_zeros_and_ones_cost_nothing(a):
    assert scalar.add(a, 0.0) is scalar.add(0.0, a) is scalar.sub(a, 0.0) is a
    assert scalar.mul(a, 1.0) is scalar.mul(1.0, a) is scalar.div(a, 1.0) is a
    for zero in (scalar.mul(a, 0.0), scalar.mul(0.0, a), scalar.div(0.0, a)):
        assert scalar.is_structural(zero, 0.0)
    assert (
        str(scalar.mul(-1.0, a))
        == str(scalar.mul(a, -1.0))
        == str(scalar.sub(0.0, a))
        == str(-a)
    )


def test_a_structural_zero_has_no_sign():
    assert str(scalar.neg(0.0)) == "0.0"
    assert str(scalar.mul(0.0, -3.0)) == "0.0"


@given(numbers, numbers)
def test_on_numbers_the_operations_are_those_of_python(a, b):
    assert scalar.add(a, b) == a + b
    assert scalar.sub(a, b) == a - b
    assert scalar.mul(a, b) == a * b
    if b:
        assert scalar.div(a, b) == a / b


@given(numbers, numbers)
def test_functions_of_numbers_are_those_of_numpy(a, b):
    assert scalar.minimum(a, b) == min(a, b)
    assert scalar.maximum(a, b) == max(a, b)
    assert scalar.arctan2(a, b) == pytest.approx(np.arctan2(a, b), rel=1e-15)
    assert scalar.total(a, b, 1.0) == a + b + 1.0
    for name in ("sin", "cos", "tan", "arctan", "exp", "fabs"):
        expected = getattr(np, name)(a)
        assert getattr(scalar, name)(a) == pytest.approx(expected, rel=1e-15, abs=1e-300)
    for name in ("sqrt", "log"):
        expected = getattr(np, name)(a * a + 1.0)
        assert getattr(scalar, name)(a * a + 1.0) == pytest.approx(expected, rel=1e-15)
    for name in ("arcsin", "arccos"):
        assert getattr(scalar, name)(a / 5) == pytest.approx(
            getattr(np, name)(a / 5), rel=1e-15
        )


@pytest.mark.parametrize(
    ("recorded", "by_casadi"),
    [
        (scalar.add(x, y), x + y),
        (scalar.add(2.5, x), 2.5 + x),
        (scalar.sub(x, y), x - y),
        (scalar.sub(x, 2.5), x - 2.5),
        (scalar.sub(2.5, x), 2.5 - x),
        (scalar.mul(x, x), x * x),
        (scalar.mul(2.5, x), 2.5 * x),
        (scalar.mul(x, casadi.DM(2.5)), x * 2.5),
        (scalar.div(2.5, x), 2.5 / x),
        (scalar.div(x, y), x / y),
        (scalar.sin(x), casadi.sin(x)),
        (scalar.arctan(x), casadi.atan(x)),
        (scalar.sqrt(x), casadi.sqrt(x)),
        (scalar.fabs(x), casadi.fabs(x)),
    ],
)
def test_what_is_recorded_is_what_casadi_records(recorded, by_casadi):
    assert casadi.is_equal(recorded, by_casadi, 3)


def test_symbols_of_matrix_graphs_work_too():
    m = casadi.MX.sym("m")
    f = casadi.Function("f", [m], [scalar.mul(scalar.sin(m), scalar.add(m, 2.0))])
    assert float(f(0.7)) == np.sin(0.7) * 2.7
    assert scalar.is_symbol(m) and scalar.is_symbol(x) and not scalar.is_symbol(1.0)


def test_a_branch_not_taken_cannot_spoil_the_other():
    f = casadi.Function("f", [x], [scalar.where(x > 0.0, scalar.sqrt(x), 0.5 * x)])
    assert float(f(-2.0)) == -1.0
    assert float(f(4.0)) == 2.0
    assert scalar.where(x > 0.0, 3.0, 3.0) == 3.0
    chosen = scalar.where(np.array([True, False]), Dual(1.0, 2.0), 5.0)
    np.testing.assert_array_equal([chosen.value, chosen.rate], [[1, 5], [2, 0]])
    assert scalar.where(True, x, y) is x


def test_the_sign_is_never_zero():
    assert (scalar.sign(0.0), scalar.sign(-0.1), scalar.sign(3.0)) == (1.0, -1.0, 1.0)


def test_whole_and_numpy_numbers_become_floats():
    for value in (3, np.float64(3), np.int32(3), np.float32(3)):
        assert scalar.plain(value).__class__ is float
        assert scalar.is_number(value)
    assert scalar.plain(x) is x and not scalar.is_number(x)


@pytest.mark.parametrize(
    "left", [x, np.array([1.0, 2.0]), np.float64(3), 2, Dual(2.0, 1.0)]
)
def test_a_scalar_of_any_kind_may_stand_on_the_left(left):
    assert isinstance(left * Vector(1, 2, 3), Vector)
    assert isinstance(left * Matrix(*range(9)), Matrix)
    assert isinstance(left * Symmetric(1, 2, 3), Symmetric)
    assert isinstance(left * Motor(AXES[0], AXES[1]), Motor)
    for result in (left + Dual(1.0), left - Dual(1.0), left * Dual(1.0), left / Dual(1.0)):
        assert isinstance(result, Dual)


def test_a_product_of_two_vectors_needs_a_name():
    with pytest.raises(TypeError):
        AXES[0] * AXES[1]
    with pytest.raises(TypeError):
        Motor() * Motor()
    with pytest.raises(TypeError):
        list(AXES[0])


@given(numbers, numbers, numbers, numbers)
def test_a_dual_knows_the_rules_of_differentiation(a, da, b, db):
    p, q = Dual(a, da), Dual(b, db)
    assert (p + q).rate == da + db
    assert (p - q).rate == da - db
    assert (p * q).rate == pytest.approx(a * db + da * b, abs=1e-14)
    if abs(b) > 0.1:
        assert (p / q).rate == pytest.approx((da * b - a * db) / b**2, rel=1e-12, abs=1e-11)
        assert (1.0 / q).rate == pytest.approx(-db / b**2, rel=1e-14)
    assert (p**3).rate == pytest.approx(3 * a**2 * da, rel=1e-14, abs=1e-14)
    assert (-p).rate == -da
    assert (p < q, p <= q, p > q, p >= q) == (a < b, a <= b, a > b, a >= b)


def test_a_dual_of_duals_has_second_derivatives():
    t = Dual(Dual(0.7, 1.0), Dual(1.0, 0.0))
    result = scalar.sin(t) * scalar.exp(t)
    assert result.rate.rate == pytest.approx(2 * np.cos(0.7) * np.exp(0.7), rel=1e-15)


def test_values_and_rates_of_plain_scalars():
    assert value_of(3.0) == 3.0 and rate_of(3.0) == 0.0 and as_dual(3.0).rate == 0.0
    assert (Dual(0.0, 5.0) ** 0).rate == 0.0
    assert repr(Dual(1.0, 2.0)) == "Dual(1.0, 2.0)"


def test_vectors_and_matrices_are_those_of_numpy(chance):
    a, b = chance.vector(), chance.vector()
    M, N = chance.rng.uniform(-1, 1, (2, 3, 3))
    near = {"rtol": 0, "atol": 3e-15}
    np.testing.assert_allclose(a.cross(b).numpy(), np.cross(a.numpy(), b.numpy()), **near)
    assert a.dot(b) == pytest.approx(a.numpy() @ b.numpy(), abs=3e-15)
    assert a.norm() == pytest.approx(np.linalg.norm(a.numpy()), rel=1e-15)
    np.testing.assert_allclose((Matrix.of(M) @ Matrix.of(N)).numpy(), M @ N, **near)
    np.testing.assert_allclose((Matrix.of(M) @ a).numpy(), M @ a.numpy(), **near)
    np.testing.assert_allclose(skew(a).numpy() @ b.numpy(), a.cross(b).numpy(), **near)
    np.testing.assert_array_equal(outer(a, b).numpy(), np.outer(a.numpy(), b.numpy()))
    np.testing.assert_array_equal(square(a).numpy(), np.outer(a.numpy(), a.numpy()))
    by_symbols = Matrix.of(casadi.SX(M)).map(float)
    np.testing.assert_array_equal(by_symbols.numpy(), M)
    np.testing.assert_array_equal(Matrix.from_rows(*Matrix.of(M).rows).numpy(), M)
    np.testing.assert_array_equal(Matrix.from_columns(*Matrix.of(M).rows).numpy(), M.T)
    assert Matrix.of(M).trace() == pytest.approx(np.trace(M), abs=1e-15)
    assert Symmetric.of(M + M.T).trace() == Matrix.of(M + M.T).trace()


SCRIPT = """
import sys
import motorik.algebra as algebra
assert "casadi" not in sys.modules, "importing the algebra loaded casadi"
R = algebra.rotation_about(algebra.Z, 0.5)
import casadi
q = casadi.SX.sym("q")
R = algebra.rotation_about(algebra.Z, q) @ R
assert R.xz.__class__ is float and R.xx.__class__ is casadi.SX
"""


@pytest.mark.slow
def test_the_algebra_is_light_and_meets_casadi_when_it_comes():
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", SCRIPT]
    run = subprocess.run(command, capture_output=True, text=True, env=env)
    assert run.returncode == 0, run.stderr
