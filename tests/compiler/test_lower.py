"""Lowering: a native function computes what its CasADi function computes."""

from __future__ import annotations

import ctypes
import threading

import casadi
import numpy as np
import pytest

from motorik.compiler import compile_function, compile_functions
from motorik.compiler.straight import partition, routine
from motorik.compiler.straight.code import read_function
from motorik.compiler.straight.partition import plan_code
from motorik.errors import CompileError, ParameterError

X = casadi.SX.sym("x", 3)
Y = casadi.SX.sym("y", 2, 2)


def tangled(n: int, rounds: int) -> casadi.Function:
    """Return a function of n inputs in which each round mixes values of many before."""
    x = casadi.SX.sym("x", n)
    values = [casadi.sin(e) for e in casadi.vertsplit(x)]
    values += [casadi.cos(e) for e in casadi.vertsplit(x)]
    rng = np.random.default_rng(n)
    for _ in range(rounds):
        i, j = rng.integers(len(values), size=2)
        values.append(casadi.sin(values[i] * values[j]) + 0.5 * values[-1])
    return casadi.Function("tangled", [x], [casadi.vertcat(*values[-2 * n :])])


@pytest.mark.kinds(3)
@pytest.mark.slow
@pytest.mark.parametrize("width", [1, 3, 4])
@pytest.mark.parametrize("rounds", [20, 2000])
def test_code_in_one_piece_or_in_many_is_that_of_casadi(
    rounds: int, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(partition, "WHOLE_LENGTH", 500)
    monkeypatch.setattr(partition, "BLOCK_LENGTH", 300)
    function = tangled(7, rounds)
    n_blocks = len(plan_code(read_function(function), width).blocks)
    assert n_blocks == 1 if rounds == 20 else n_blocks > 15
    x = np.random.default_rng(0).normal(size=(7, width))
    computed = compile_function(function, width=width)(x if width > 1 else x[:, 0])
    for lane in range(width):
        reference = np.array(function(x[:, lane]))[:, 0]
        np.testing.assert_allclose(
            computed.reshape(14, width)[:, lane], reference, rtol=0, atol=4e-15
        )


@pytest.mark.slow
def test_large_work_array_comes_from_the_heap(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partition, "WHOLE_LENGTH", 500)
    monkeypatch.setattr(partition, "BLOCK_LENGTH", 300)
    function = tangled(7, 800)
    x = np.linspace(-1.0, 1.0, 7)
    on_stack = compile_function(function, cache=False)(x)
    monkeypatch.setattr(routine, "STACK_LIMIT", 8)
    np.testing.assert_array_equal(compile_function(function, cache=False)(x), on_stack)


def test_cut_code_reuses_its_work_array(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partition, "WHOLE_LENGTH", 100)
    monkeypatch.setattr(partition, "BLOCK_LENGTH", 100)
    x = casadi.SX.sym("x")
    value = x
    for _ in range(1000):
        value = value * value + casadi.exp(value - 1)
    plan = plan_code(read_function(casadi.Function("chain", [x], [value])), 1)
    assert len(plan.blocks) > 20
    assert plan.n_slots <= 3


def test_threads_do_not_disturb_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partition, "WHOLE_LENGTH", 200)
    monkeypatch.setattr(partition, "BLOCK_LENGTH", 100)
    native = compile_function(tangled(5, 300))
    samples = np.random.default_rng(1).normal(size=(4, 2000, 5))
    alone = [native.map(block) for block in samples]
    together: dict[int, np.ndarray] = {}
    threads = [
        threading.Thread(target=lambda k=k: together.update({k: native.map(samples[k])}))
        for k in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for k in range(4):
        np.testing.assert_array_equal(together[k], alone[k])


def test_matrices_are_stored_by_columns() -> None:
    function = casadi.Function("matrix", [Y, X], [2 * Y, casadi.mtimes(X, X.T), X[0]])
    native = compile_function(function)
    y = np.array([[1.0, 2.0], [3.0, 4.0]])
    twice, square, first = native(y, [1.0, 2.0, 3.0])
    np.testing.assert_array_equal(twice, 2 * y)
    np.testing.assert_array_equal(square, np.outer([1, 2, 3], [1, 2, 3]))
    np.testing.assert_array_equal(first, [1.0])
    flat = np.empty(4), np.empty(9), np.empty(1)
    given = np.ascontiguousarray(y.T.ravel()), np.array([1.0, 2.0, 3.0])
    prototype = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 5)
    prototype(native.address)(*[array.ctypes.data for array in (*given, *flat)])
    np.testing.assert_array_equal(flat[0], [2.0, 6.0, 4.0, 8.0])


def test_sparse_arguments_are_dense_in_memory() -> None:
    lower = casadi.SX.sym("L", casadi.Sparsity.lower(3))
    native = compile_function(casadi.Function("sparse", [lower], [lower.T]))
    given = np.arange(1.0, 10.0).reshape(3, 3)
    np.testing.assert_array_equal(native(given), np.tril(given).T)


def test_function_of_matrices_is_expanded() -> None:
    x = casadi.MX.sym("x", 3)
    function = casadi.Function("norm", [x], [casadi.norm_2(x) * x])
    np.testing.assert_allclose(
        compile_function(function)([3.0, 0.0, 4.0]), [15.0, 0.0, 20.0], rtol=2e-16
    )


def test_constants_and_inputs_may_be_outputs() -> None:
    function = casadi.Function("plain", [X], [casadi.vertcat(X[1], 2.5, X[1], 0.0)])
    np.testing.assert_array_equal(compile_function(function)([7, 8, 9]), [8, 2.5, 8, 0])


def test_map_is_the_function_of_each_sample() -> None:
    function = casadi.Function("f", [X, Y], [casadi.mtimes(Y, X[:2]), Y * X[2]])
    native = compile_function(function)
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=(5, 3)), rng.normal(size=(5, 2, 2))
    for given, of in (
        ((x, y), (x, y)),
        ((x[0], y), ([x[0]] * 5, y)),
        ((x, y[0]), (x, [y[0]] * 5)),
    ):
        mapped = native.map(*given)
        for k in range(5):
            for output, single in zip(mapped, native(of[0][k], of[1][k]), strict=True):
                np.testing.assert_array_equal(output[k], single)
    assert native.map(x[:0], y[0])[0].shape == (0, 2)


def test_lanes_are_the_last_axis() -> None:
    function = casadi.Function("f", [X, Y], [casadi.mtimes(Y, X[:2]) / X[2], Y * X[2]])
    scalar, lanes = compile_function(function), compile_function(function, width=4)
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=(6, 3, 4)), rng.normal(size=(2, 2, 4))
    mapped = lanes.map(x, y)
    for k in range(6):
        for output, single in zip(mapped, lanes(x[k], y), strict=True):
            np.testing.assert_array_equal(output[k], single)
        for lane in range(4):
            reference = scalar(x[k, :, lane], y[..., lane])
            for output, single in zip(mapped, reference, strict=True):
                np.testing.assert_allclose(output[k, ..., lane], single, rtol=4e-16)


def test_a_function_may_replace_its_state() -> None:
    t, x, p = casadi.SX.sym("t"), casadi.SX.sym("x", 2), casadi.SX.sym("p")
    turned = casadi.Function("turned", [t, x, p], [casadi.vertcat(t * x[1], -p * x[0])])
    native = compile_function(turned, replaces=True)
    t_, x_, p_ = np.array([2.0]), np.array([3.0, 5.0]), np.array([7.0])
    prototype = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 3)
    prototype(native.replace_address)(*[array.ctypes.data for array in (t_, x_, p_)])
    np.testing.assert_array_equal(x_, [10.0, -21.0])


def test_several_functions_share_a_library() -> None:
    made = compile_functions(
        {
            "sin": casadi.Function("a", [X], [casadi.sin(X)]),
            "a strange name, indeed": casadi.Function("b", [X], [casadi.sinh(X)]),
        }
    )
    assert len({native.library.key for native in made.values()}) == 1
    assert made["sin"].address != made["a strange name, indeed"].address
    np.testing.assert_allclose(made["sin"]([0, 1, 2]), np.sin([0, 1, 2]), rtol=3e-16)
    np.testing.assert_allclose(
        made["a strange name, indeed"]([0, 1, 2]), np.sinh([0, 1, 2]), rtol=3e-16
    )


def test_equal_terms_are_computed_once() -> None:
    x, y = casadi.SX.sym("x"), casadi.SX.sym("y")
    function = casadi.Function("f", [x, y], [casadi.exp(x * y) + casadi.exp(y * x)])
    assert compile_function(function).n_instructions == 3


def test_nan_and_infinity_keep_their_meaning() -> None:
    x, y = casadi.SX.sym("x"), casadi.SX.sym("y")
    terms = casadi.vertcat(
        x + y, x - y, x * y, x / y, casadi.sin(x) + y, casadi.sqrt(x) * y
    )
    native = compile_function(casadi.Function("f", [x, y], [terms]))
    assert np.isnan(native(np.nan, 2.0)).all()
    assert np.isnan(native(2.0, np.nan)).all()
    expected = [np.nan, np.inf, -np.inf, np.nan, np.nan, -np.inf]
    np.testing.assert_array_equal(native(np.inf, -np.inf), expected)
    np.testing.assert_array_equal(native(1.0, 0.0)[3], np.inf)


def test_repr_counts() -> None:
    native = compile_function(casadi.Function("f", [X], [X * 2], ["x"], ["y"]), width=2)
    assert repr(native) == "NativeFunction(f: (x[3]) -> (y[3]), 3 instructions, 2 lanes)"


def test_function_is_kept() -> None:
    function = casadi.Function("f", [X], [X * 2])
    assert compile_function(function).function is function


def test_wrong_arrays_are_refused() -> None:
    native = compile_function(casadi.Function("f", [X, Y], [X[0] * Y], ["x", "y"], ["z"]))
    with pytest.raises(ParameterError, match="has 2 inputs and was given 1"):
        native([1.0, 2.0, 3.0])
    with pytest.raises(ParameterError, match=r"input 'x': has the shape \(2,\)"):
        native([1.0, 2.0], np.eye(2))
    with pytest.raises(ParameterError, match=r"Give an array of shape \(2, 2\)"):
        native([1.0, 2.0, 3.0], np.eye(3))
    with pytest.raises(ParameterError, match=r"counts of samples: \[2, 3\]"):
        native.map(np.ones((2, 3)), np.ones((3, 2, 2)))
    with pytest.raises(ParameterError, match="input 'x'"):
        native.map(np.ones((4, 2)), np.eye(2))


def test_width_below_one_is_refused() -> None:
    with pytest.raises(CompileError, match="0 lanes"):
        compile_function(casadi.Function("f", [X], [X]), width=0)
