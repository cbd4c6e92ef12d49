"""Rolled programs: the same results as running the steps one after another."""

from __future__ import annotations

from typing import Any

import casadi
import numpy as np
import pytest

from motorik.algebra.pose import Pose
from motorik.algebra.scalar import add, mul, neg, sin
from motorik.algebra.vector import Vector
from motorik.compiler import compile_function
from motorik.compiler.rolled.tape import Tape
from motorik.dynamics.articulated import AtOnce
from motorik.errors import CompileError
from tests.compiler.chain_steps import Link, run_chain

NAMES = ("q", "qd", "tau")


def make_links(n: int) -> list[Link]:
    rng = np.random.default_rng(n)
    return [
        Link(0.5, float(rng.uniform(1.0, 2.0)), "wheel" if i % 5 == 3 else "bar")
        for i in range(n)
    ]


def record(n: int) -> Tape:
    tape = Tape()
    inputs = [tape.input(name, n) for name in NAMES]
    tape.output("out", run_chain(tape, make_links(n), *inputs))
    return tape


def make_values(n: int, *lanes: int) -> list[np.ndarray]:
    rng = np.random.default_rng(7)
    return [rng.normal(size=(n, *lanes)) for _ in NAMES]


def by_numbers(n: int, values: list[np.ndarray]) -> np.ndarray:
    """Return the result of the steps run on floats."""
    return np.array(run_chain(AtOnce(), make_links(n), *(v.tolist() for v in values)))


def by_symbols(n: int) -> casadi.Function:
    """Return the steps as straight-line code."""
    symbols = [casadi.SX.sym(name, n) for name in NAMES]
    given = [casadi.vertsplit(symbol) for symbol in symbols]
    result = run_chain(AtOnce(), make_links(n), *given)
    return casadi.Function("chain", symbols, [casadi.vertcat(*result)])


@pytest.mark.kinds(3)
@pytest.mark.parametrize("n", [1, 2, 3, 10, 61])
def test_three_routes_to_one_result(n: int) -> None:
    values = make_values(n)
    expected = by_numbers(n, values)
    rolled = record(n).compile()(*values)
    straight = compile_function(by_symbols(n))(*values)
    scale = np.abs(expected).max()
    np.testing.assert_allclose(rolled, expected, rtol=0, atol=2e-15 * scale)
    np.testing.assert_allclose(straight, expected, rtol=0, atol=2e-15 * scale)


def test_lanes() -> None:
    n, width = 12, 4
    values = make_values(n, width)
    rolled = record(n).compile(width=width)(*values)
    for lane in range(width):
        expected = by_numbers(n, [value[:, lane] for value in values])
        np.testing.assert_allclose(
            rolled[:, lane], expected, rtol=0, atol=2e-15 * np.abs(expected).max()
        )


def test_map_and_repr() -> None:
    tape = record(10)
    program = tape.compile(name="chain")
    samples = [np.stack([value, 2 * value]) for value in make_values(10)]
    mapped = program.map(*samples)
    for k in range(2):
        np.testing.assert_array_equal(mapped[k], program(*(s[k] for s in samples)))
    assert repr(tape).startswith("Tape((q, qd, tau) -> (out), 31 calls of ")
    assert repr(program).startswith("NativeFunction(chain: (q[10], qd[10], tau[10]) -> ")


def test_code_does_not_grow_with_the_chain() -> None:
    shapes = [len({call.shape for call in record(n).calls}) for n in (20, 200)]
    assert shapes[0] == shapes[1] <= 16


def test_rolled_program_does_the_work_of_straight_code() -> None:
    straight = compile_function(by_symbols(50)).n_instructions
    assert record(50).compile().n_instructions <= 1.05 * straight


def double(x: Any, c: float) -> Any:
    return mul(c, x), 0.0, c, x, -x


def run_double(numbers: list[float]) -> tuple[Tape, list[Any]]:
    tape = Tape()
    (x,) = tape.input("x", 1)
    return tape, [tape.call(double, x, number) for number in numbers]


def test_results_that_need_no_work_are_passed_through() -> None:
    tape, ((slot, zero, number, same, opposite),) = run_double([2.5])
    assert (zero, number) == (0.0, 2.5)
    assert tape.calls[0].shape.n_fresh == 1
    tape.output("y", [slot, same, opposite])
    assert [out.number for out in tape.outputs["y"][:2]] == [1, 0]  # type: ignore[union-attr]
    np.testing.assert_array_equal(tape.compile()([2.0]), [5.0, 2.0, -2.0])


def test_numbers_are_data_but_zero_and_one_are_structure() -> None:
    tape, results = run_double([2.5, -3.5, 0.0, 1.0, -1.0])
    assert tape.calls[0].shape is tape.calls[1].shape
    assert [result[2] for result in results] == [2.5, -3.5, 0.0, 1.0, -1.0]
    assert [type(result[0]).__name__ for result in results[2:]] == ["float", "SX", "SX"]
    tape.output("y", [result[0] for result in results])
    np.testing.assert_array_equal(tape.compile()([2.0]), [5.0, -7.0, 0.0, 2.0, -2.0])


def square(a: Any, b: Any) -> Any:
    return mul(a, b)


def test_equal_slots_make_a_shape_of_their_own() -> None:
    tape = Tape()
    x, y, z = tape.input("x", 3)
    pairs = [(x, x), (y, y), (x, y), (y, z)]
    tape.output("out", [tape.call(square, *pair) for pair in pairs])
    first, second, third, fourth = (call.shape for call in tape.calls)
    assert first is second and third is fourth and first is not third
    np.testing.assert_array_equal(tape.compile()([2.0, 3.0, 5.0]), [4.0, 9.0, 6.0, 15.0])


def weigh(m: float, i: tuple[float, float, float], x: Any, y: Any) -> Any:
    return add(mul(i[0], x), mul(i[1], y)), add(mul(i[1], x), mul(i[2], y)), mul(m, x)


def test_equal_and_opposite_numbers_are_known_as_such() -> None:
    tape = Tape()
    x, y = tape.input("x", 2)
    for i in ((2.0, -3.0, 2.0), (-5.0, 7.0, -5.0), (2.0, 3.0, 4.0)):
        tape.call(weigh, 9.0, i, x, y)
    first, second, third = tape.calls
    assert first.shape is second.shape is not third.shape
    assert (first.numbers, second.numbers) == ((9.0, 2.0, -3.0), (9.0, -5.0, 7.0))


def turn(v: Vector, w: Vector) -> Vector:
    return v.cross(w)


def test_vectors_pass_through_a_tape() -> None:
    tape = Tape()
    x = tape.input("x", 6)
    out = tape.call(turn, Vector(*x[:3]), Vector(*x[3:]))
    tape.output("cross", list(out.xyz))
    a, b = np.array([1.0, 2.0, 3.0]), np.array([-4.0, 5.0, 0.5])
    np.testing.assert_array_equal(tape.compile()(np.concatenate([a, b])), np.cross(a, b))


def test_outputs_may_be_numbers_inputs_opposites_and_repeated() -> None:
    tape = Tape()
    x, y = tape.input("x", 2)
    z = tape.call(square, x, y)
    minus = tape.call(neg, z)
    tape.output("first", [z, 1.5, y, z])
    tape.output("second", [minus, x, z, tape.call(neg, x)])
    first, second = tape.compile()([2.0, 3.0])
    np.testing.assert_array_equal(first, [6.0, 1.5, 3.0, 6.0])
    np.testing.assert_array_equal(second, [-6.0, 2.0, 6.0, -2.0])


def test_an_output_may_be_read_by_later_calls() -> None:
    tape = Tape()
    (x,) = tape.input("x", 1)
    values = [x]
    for _ in range(40):
        values.append(tape.call(sin, tape.call(add, values[-1], 1.0)))
    tape.output("all", values)
    expected = [0.3]
    for _ in range(40):
        expected.append(float(np.sin(expected[-1] + 1.0)))
    np.testing.assert_allclose(tape.compile()([0.3]), expected, rtol=0, atol=5e-16)


def test_parameters_far_apart_share_the_code() -> None:
    tape = Tape()
    p = tape.input("p", 100)
    total: Any = p[0]
    for k in range(1, 90):
        total = tape.call(weigh_in, p[0], p[k + 9], total)
    tape.output("total", [total])
    values = np.random.default_rng(0).normal(size=100)
    expected = values[0]
    for k in range(1, 90):
        expected = expected + values[0] * values[k + 9]
    np.testing.assert_allclose(tape.compile()(values), [expected], rtol=1e-14)


def weigh_in(g: Any, m: Any, total: Any) -> Any:
    return add(total, mul(g, m))


def test_calls_without_slots_run_at_once() -> None:
    tape = Tape()
    assert tape.call(square, 3.0, 4.0) == 12.0
    assert not tape.calls


def test_program_without_calls() -> None:
    tape = Tape()
    x = tape.input("x", 2)
    tape.output("y", [x[1], 3.0])
    np.testing.assert_array_equal(tape.compile()([1.0, 2.0]), [2.0, 3.0])


def test_arithmetic_between_calls() -> None:
    """Expressions of results, of one another and of inputs, before, between and after calls."""
    tape = Tape()
    x, y = tape.input("x", 2)
    first = tape.call(square, x + y, casadi.sin(y))
    between = first * x - 2.0 * y
    second = tape.call(square, between, between + 1.0)
    third = tape.call(square, second, x + y)
    tape.output("out", [first, second, third - between, x + y, -third, casadi.SX(4.0), -x])
    a, b = 0.3, -1.7
    f = (a + b) * np.sin(b)
    g = f * a - 2 * b
    h = g * (g + 1) * (a + b)
    expected = [f, g * (g + 1), h - g, a + b, -h, 4.0, -a]
    np.testing.assert_allclose(tape.compile()([a, b]), expected, rtol=1e-14)


def test_equal_calls_are_made_once() -> None:
    tape = Tape()
    x, y = tape.input("x", 2)
    assert tape.call(square, x, y) is tape.call(square, x, y)
    assert len(tape.calls) == 1


def test_unknown_symbols_are_refused() -> None:
    tape = Tape()
    tape.input("x", 1)
    with pytest.raises(CompileError, match="does not know"):
        tape.call(square, casadi.SX.sym("other"), 2.5)


def test_laws_that_are_no_steps_become_arithmetic() -> None:
    """A law with a symbol beside its arguments, or with what has no hash, is applied anyway."""
    tape = Tape()
    x, y = tape.input("x", 2)
    found = tape.apply(lambda a: a * y, x)
    other = tape.apply(Unhashable(), x * y)
    tape.output("out", [found, other])
    np.testing.assert_allclose(tape.compile()([3.0, 5.0]), [15.0, 15.0])


class Unhashable:
    __hash__ = None  # type: ignore[assignment]

    def __call__(self, x: Any) -> Any:
        return x


def matrix(x: Any) -> Any:
    return casadi.vertcat(x, x)


def test_misuse_is_named() -> None:
    tape = Tape()
    (x,) = tape.input("x", 1)
    with pytest.raises(CompileError, match="is declared twice"):
        tape.output("x", [x])
    with pytest.raises(CompileError, match="has no hash"):
        tape.call(Unhashable(), x)
    with pytest.raises(CompileError, match="matrix: returns a matrix of 2 × 1 symbols"):
        tape.call(matrix, x)
    with pytest.raises(CompileError, match="has no output"):
        tape.compile()


def lift(X: Pose, h: float) -> tuple[Pose, Vector]:
    """Return a pose that is partly known, and minus its height."""
    return Pose(p=X.p + Vector(0.0, 0.0, h)), Vector(0.0, 1.0, -X.p.z)


def height(X: Pose, scale: Vector) -> Any:
    return mul(scale.z, X.p.z)


@pytest.mark.parametrize("width", [1, 4])
def test_values_that_steps_return_are_arguments_as_any_others(width: int) -> None:
    """Results of the first call, of later ones, and equal values made by the caller."""
    n = 5
    tape = Tape()
    z = tape.input("z", n)
    made = [tape.call(lift, Pose(p=Vector(0.0, 0.0, z[k])), 1.5 + k) for k in range(n)]
    taken = [tape.call(height, X, v) for X, v in made]
    again = [tape.call(height, Pose(X.R, Vector(*X.p.xyz)), v) for X, v in made]
    assert [a.element_hash() for a in taken] == [a.element_hash() for a in again]
    assert len({id(call.shape) for call in tape.calls}) == 2
    tape.output("out", taken)
    given = np.random.default_rng(8).normal(size=(n, width))
    expected = -given * (given + 1.5 + np.arange(n)[:, None])
    found = tape.compile(width=width)(given if width > 1 else given[:, 0])
    np.testing.assert_allclose(found.reshape(n, width), expected, rtol=1e-14)


def test_a_symbol_that_gets_another_meaning_has_it_in_values_used_before() -> None:
    tape = Tape()
    x, y = tape.input("x", 2)
    X, ones = Pose(p=Vector(0.0, 0.0, y)), Vector(1.0, 1.0, 2.0)
    before = tape.call(height, X, ones)
    tape.define(y, tape.call(sin, x))
    tape.output("out", [before, tape.call(height, X, ones), tape.call(neg, y)])
    found = tape.compile()([0.4, 3.0])
    np.testing.assert_allclose(found, [6.0, 2 * np.sin(0.4), -np.sin(0.4)], rtol=1e-14)


@pytest.mark.parametrize("width", [1, 4])
def test_outputs_that_are_inputs_are_copied_in_runs(width: int) -> None:
    tape = Tape()
    x = tape.input("x", 40)
    tape.output("first", [*x[20:], 0.5, *x[3:9], *x[30:40], x[39]])
    tape.output("second", x)
    given = np.random.default_rng(9).normal(size=(40, width))
    first, second = tape.compile(width=width)(given if width > 1 else given[:, 0])
    half = np.full((1, width), 0.5)
    known = [given[20:], half, given[3:9], given[30:40], given[39:]]
    np.testing.assert_array_equal(first.reshape(-1, width), np.concatenate(known))
    np.testing.assert_array_equal(second.reshape(-1, width), given)
