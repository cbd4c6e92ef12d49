"""Every scalar operation: native code and CasADi's own interpreter give the same."""

from __future__ import annotations

import casadi
import numpy as np
import pytest

from motorik.compiler import compile_function
from motorik.errors import CompileError

X = casadi.SX.sym("x")
Y = casadi.SX.sym("y")

SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, np.inf, -np.inf, np.nan, 5e-324, 1e300]

UNARY = {
    "neg": -X,
    "sq": X * X,
    "twice": 2 * X,
    "inv": 1 / X,
    "sqrt": casadi.sqrt(X),
    "sin": casadi.sin(X),
    "cos": casadi.cos(X),
    "tan": casadi.tan(X),
    "asin": casadi.asin(X),
    "acos": casadi.acos(X),
    "atan": casadi.atan(X),
    "sinh": casadi.sinh(X),
    "cosh": casadi.cosh(X),
    "tanh": casadi.tanh(X),
    "asinh": casadi.asinh(X),
    "acosh": casadi.acosh(X),
    "atanh": casadi.atanh(X),
    "exp": casadi.exp(X),
    "log": casadi.log(X),
    "log1p": casadi.log1p(X),
    "expm1": casadi.expm1(X),
    "erf": casadi.erf(X),
    "fabs": casadi.fabs(X),
    "floor": casadi.floor(X),
    "ceil": casadi.ceil(X),
    "sign": casadi.sign(X),
    "not": casadi.logic_not(X),
    "cube": X**3,
    "inverse fifth power": X**-5,
    "large power": X**40,
    "broken power": X**2.5,
}

BINARY = {
    "add": X + Y,
    "sub": X - Y,
    "mul": X * Y,
    "div": X / Y,
    "pow": X**Y,
    "atan2": casadi.atan2(X, Y),
    "hypot": casadi.hypot(X, Y),
    "fmod": casadi.fmod(X, Y),
    "remainder": casadi.remainder(X, Y),
    "fmin": casadi.fmin(X, Y),
    "fmax": casadi.fmax(X, Y),
    "copysign": casadi.copysign(X, Y),
    "lt": X < Y,
    "le": X <= Y,
    "eq": X == Y,
    "ne": X != Y,
    "and": casadi.logic_and(X, Y),
    "or": casadi.logic_or(X, Y),
    "where": casadi.if_else(X < Y, X * X, Y - X),
    "where not": casadi.if_else(casadi.logic_not(X < Y), X, 3 * Y),
    "where of a number": casadi.if_else(X, X + 1, Y),
    "one side": casadi.if_else(casadi.logic_and(X < Y, X > 0), casadi.sqrt(X), 0),
    "infinite constant": X + np.inf * Y,
    "undefined constant": casadi.fmax(X, np.nan) + Y,
}


def same(native: np.ndarray, reference: np.ndarray) -> None:
    """Equal to 3 ulp, with NaN and infinities in the same places."""
    np.testing.assert_allclose(native, reference, rtol=6e-16, atol=0.0, equal_nan=True)


def samples() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(5)
    ordinary = rng.uniform(-3.0, 3.0, size=(2, 40))
    special = np.array([(a, b) for a in SPECIAL for b in SPECIAL]).T
    x, y = np.concatenate([ordinary, special], axis=1)
    return x, y


@pytest.mark.parametrize("width", [1, 4])
def test_every_operation_is_that_of_casadi(width: int) -> None:
    names = [*UNARY, *BINARY]
    terms = [*UNARY.values(), *BINARY.values()]
    function = casadi.Function("operations", [X, Y], [casadi.vertcat(*terms)])
    native = compile_function(function, width=width)
    x, y = samples()
    reference = np.array(function(x[None, :], y[None, :]))
    if width == 1:
        computed = np.array([native(a, b) for a, b in zip(x, y, strict=True)]).T
    else:
        blocks = [
            native(x[k : k + width][None, :], y[k : k + width][None, :])
            for k in range(0, len(x), width)
        ]
        computed = np.concatenate(blocks, axis=1)
    for name, row, expected in zip(names, computed, reference, strict=True):
        try:
            same(row, expected)
        except AssertionError as error:
            raise AssertionError(f"{name} at x = {x}, y = {y}: {error}") from error


def test_operation_without_native_code_is_named() -> None:
    function = casadi.Function("quantile", [X], [casadi.erfinv(X)])
    with pytest.raises(CompileError, match="quantile: uses the operation 'erfinv'"):
        compile_function(function)


def test_symbol_that_is_no_input_is_named() -> None:
    function = casadi.Function("open", [X], [X * Y], {"allow_free": True})
    with pytest.raises(CompileError, match="not its inputs: y"):
        compile_function(function)
