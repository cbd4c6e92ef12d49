"""Batches: components of a program that are alike run side by side, and give what they should."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from motorik.algebra.scalar import add, cos, div, mul, sin, sqrt
from motorik.compiler.rolled.batches import FEWEST
from motorik.compiler.rolled.layout import lay_out
from motorik.compiler.rolled.tape import Tape


def swing(x: Any, v: Any, length: float) -> Any:
    return mul(-9.81 / 1.0, div(sin(x), length)), mul(v, cos(x))


def finish(a: Any, b: Any, v: Any) -> Any:
    return add(a, mul(b, v)), sqrt(add(1.0, mul(a, a)))


def record(count: int, lengths: list[float]) -> Tape:
    """Return a program of independent components of two calls each."""
    tape = Tape()
    x, v = tape.input("x", count), tape.input("v", count)
    results = []
    for i in range(count):
        a, b = tape.call(swing, x[i], v[i], lengths[i])
        results += tape.call(finish, a, b, v[i])
    tape.output("out", results)
    return tape


def expected(x: np.ndarray, v: np.ndarray, lengths: np.ndarray) -> np.ndarray:
    """Return the same by NumPy."""
    a, b = -9.81 * np.sin(x) / lengths, v * np.cos(x)
    return np.stack([a + b * v, np.sqrt(1 + a * a)], axis=1).ravel()


@pytest.mark.kinds(6)
@pytest.mark.parametrize("count", [1, FEWEST - 1, FEWEST, FEWEST + 1, 3 * FEWEST - 1, 100])
@pytest.mark.parametrize("is_same", [True, False])
def test_components_are_computed_in_lanes_as_one_by_one(count, is_same):
    rng = np.random.default_rng(count)
    lengths = np.full(count, 0.7) if is_same else rng.uniform(0.5, 2.0, count)
    x, v = rng.normal(size=(2, count))
    tape = record(count, lengths.tolist())
    values = expected(x, v, lengths)
    atol = 4e-15 * np.abs(values).max()
    np.testing.assert_allclose(tape.compile()(x, v), values, rtol=0, atol=atol)


def test_only_enough_components_make_a_batch():
    few, many = (lay_out(record(n, [0.7] * n)) for n in (FEWEST - 1, FEWEST))
    assert not few.batches and few.records
    assert len(many.batches) == 1 and not many.records


def test_components_of_two_kinds_and_what_is_left_over():
    """Two batches, and a call that joins two components, which therefore are in none."""
    tape = Tape()
    n = 4 * FEWEST
    x, v = tape.input("x", n), tape.input("v", n)
    results = []
    for i in range(n):
        if i % 2:
            results += tape.call(swing, x[i], v[i], 0.5)
        else:
            results.append(tape.call(finish, x[i], v[i], v[i])[1])
    joined = add(results[0], results[1])
    tape.output("out", [*results, tape.call(swing, joined, x[0], 0.25)[0]])
    layout = lay_out(tape)
    assert sorted(len(batch.inputs) for batch in layout.batches) == [n // 2 - 1] * 2
    rng = np.random.default_rng(1)
    a, b = rng.normal(size=(2, n))
    found = tape.compile()(a, b)
    values: list[float] = []
    for i in range(n):
        if i % 2:
            values += [-9.81 * np.sin(a[i]) / 0.5, b[i] * np.cos(a[i])]
        else:
            values.append(np.sqrt(1 + a[i] ** 2))
    values.append(-9.81 * np.sin(values[0] + values[1]) / 0.25)
    np.testing.assert_allclose(found, values, rtol=1e-13)


def test_programs_of_several_lanes_have_no_batches():
    count, width = 3 * FEWEST, 4
    rng = np.random.default_rng(5)
    x, v = rng.normal(size=(2, count, width))
    found = record(count, [0.7] * count).compile(width=width)(x, v)
    for lane in range(width):
        one = expected(x[:, lane], v[:, lane], np.full(count, 0.7))
        atol = 4e-15 * np.abs(one).max()
        np.testing.assert_allclose(found[:, lane], one, rtol=0, atol=atol)
