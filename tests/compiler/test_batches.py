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


@pytest.mark.parametrize("count", [FEWEST, 3 * FEWEST - 1])
def test_programs_of_several_lanes_have_batches_of_single_components(count):
    width = 4
    rng = np.random.default_rng(5)
    lengths = rng.uniform(0.5, 2.0, count)
    x, v = rng.normal(size=(2, count, width))
    found = record(count, lengths.tolist()).compile(width=width)(x, v)
    for lane in range(width):
        one = expected(x[:, lane], v[:, lane], lengths)
        atol = 4e-15 * np.abs(one).max()
        np.testing.assert_allclose(found[:, lane], one, rtol=0, atol=atol)


# --- parts that depend on each other ----------------------------------------------------------


def pull(c: float, a: Any, b: Any) -> Any:
    """Return the force of a spring with a kink between two points."""
    return mul(c, add(sin(add(b, mul(-1.0, a))), mul(a, b)))


def rise(total: Any, force: Any) -> Any:
    return add(total, force)


def lower(total: Any, force: Any) -> Any:
    return add(total, mul(-1.0, force))


def net(n: int) -> tuple[Tape, list[tuple[int, int]]]:
    """Return the program of n × n points with a spring between neighbours."""
    tape = Tape()
    x = tape.input("x", n * n)
    pairs = [(k, k + 1) for k in range(n * n) if (k + 1) % n]
    pairs += [(k, k + n) for k in range(n * n - n)]
    totals: list[Any] = [0.0] * (n * n)
    for number, (a, b) in enumerate(pairs):
        force = tape.call(pull, 1.5 + number % 3, x[a], x[b])
        totals[a] = tape.call(rise, totals[a], force)
        totals[b] = tape.call(lower, totals[b], force)
    tape.output("out", [tape.call(swing, totals[k], x[k], 0.7)[0] for k in range(n * n)])
    return tape, pairs


def forces(n: int, pairs: list[tuple[int, int]], x: np.ndarray) -> np.ndarray:
    """Return the same by NumPy."""
    a, b = np.array(pairs).T
    c = 1.5 + np.arange(len(pairs)) % 3
    force = c * (np.sin(x[b] - x[a]) + x[a] * x[b])
    total = np.zeros(n * n)
    np.add.at(total, a, force)
    np.subtract.at(total, b, force)
    return -9.81 * np.sin(total) / 0.7


@pytest.mark.parametrize("width", [1, 4])
def test_springs_of_a_net_and_its_points_are_computed_in_lanes(width):
    n = 12
    tape, pairs = net(n)
    x = np.random.default_rng(2).normal(size=(n * n, width))
    found = tape.compile(width=width)(x if width > 1 else x[:, 0]).reshape(n * n, width)
    for lane in range(width):
        known = forces(n, pairs, x[:, lane])
        np.testing.assert_allclose(found[:, lane], known, rtol=0, atol=1e-11)


def test_the_code_of_a_net_does_not_grow_with_it():
    small, large = (lay_out(net(n)[0]) for n in (12, 24))
    sizes = [sum(len(own.code) for own in laid.batches) for laid in (small, large)]
    assert sizes[0] == sizes[1] and len(small.batches) == len(large.batches)
    assert len(small.records) == len(large.records) < 40
    computed = sum(len(own.code) * len(own.inputs) for own in large.batches)
    assert computed > 10 * sizes[1]


def test_what_batches_leave_to_a_sequence_reads_their_results():
    """Laws in lanes, then a recursion along a chain that no lanes can take."""
    tape, n = Tape(), 3 * FEWEST
    x, v = tape.input("x", n), tape.input("v", n)
    total: Any = 0.0
    results = []
    for k in range(n):
        law = tape.call(swing, x[k], v[k], 0.5)
        total = tape.call(finish, add(total, law[0]), law[1], 0.25)[0]
        results.append(total)
    tape.output("out", results)
    layout = lay_out(tape)
    assert layout.batches and layout.records
    a, b = np.random.default_rng(4).normal(size=(2, n))
    known, values = 0.0, []
    for k in range(n):
        known += -9.81 * np.sin(a[k]) / 0.5 + b[k] * np.cos(a[k]) * 0.25
        values.append(known)
    np.testing.assert_allclose(tape.compile()(a, b), values, rtol=0, atol=1e-12)
