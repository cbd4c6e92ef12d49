"""The coefficients of the Runge–Kutta methods satisfy Butcher's order conditions.

For each rooted tree τ of ρ nodes: Σᵢ bᵢ Φᵢ(τ) = 1/γ(τ), or θ^ρ/γ(τ) for a weight at θ.
"""

from collections.abc import Iterator
from itertools import combinations_with_replacement

import numpy as np
import pytest

from motorik.simulation.methods import dop853_tables as eighth
from motorik.simulation.methods import dopri5 as fifth

Tree = tuple  # the sub-trees of the root


def size(tree: Tree) -> int:
    return 1 + sum(size(branch) for branch in tree)


def density(tree: Tree) -> int:
    result = size(tree)
    for branch in tree:
        result *= density(branch)
    return result


def forests(nodes: int, largest: int) -> Iterator[Tree]:
    """Yield the sets of trees with so many nodes in all, none larger than `largest`."""
    if nodes == 0:
        yield ()
        return
    for k in range(min(nodes, largest), 0, -1):
        for count in range(1, nodes // k + 1):
            for some in combinations_with_replacement(trees(k), count):
                for rest in forests(nodes - count * k, k - 1):
                    yield (*some, *rest)


def trees(order: int) -> list[Tree]:
    return list(forests(order - 1, order - 1)) if order > 1 else [()]


def weights(tree: Tree, A: np.ndarray) -> np.ndarray:
    """Return Φᵢ(τ) of each stage."""
    result = np.ones(len(A))
    for branch in tree:
        result = result * (A @ weights(branch, A))
    return result


def defect(order: int, A: np.ndarray, b: np.ndarray, theta: float = 1.0) -> float:
    """Return how far the conditions of one order are from being satisfied."""
    return max(
        abs(b @ weights(tree, A) - theta**order / density(tree)) for tree in trees(order)
    )


def square(rows, size: int) -> np.ndarray:
    A = np.zeros((size, size))
    for i, row in enumerate(rows):
        A[i + 1, : len(row)] = row
    return A


A5 = square([*fifth.A, fifth.B], 7)
A8 = square([*eighth.A, eighth.B, *eighth.A_DENSE], 16)
ZEROS8 = np.zeros(4)
METHODS = {
    # name: (A, weights, order)
    "fifth": (A5, np.array([*fifth.B, 0.0]), 5),
    "fifth, embedded": (A5, np.array([*fifth.B, 0.0]) - fifth.E, 4),
    "eighth": (A8, np.array([*eighth.B, *ZEROS8]), 8),
    "eighth, embedded 5": (A8, np.array([*np.subtract(eighth.B, eighth.E5), *ZEROS8]), 5),
    "eighth, embedded 3": (A8, np.array([*np.subtract(eighth.B, eighth.E3), *ZEROS8]), 3),
}


def test_there_are_as_many_trees_as_cayley_counted():
    assert [len(trees(k)) for k in range(1, 9)] == [1, 1, 2, 4, 9, 20, 48, 115]


def test_nodes_are_the_sums_of_their_stages():
    np.testing.assert_allclose(A5.sum(axis=1)[1:6], fifth.C, rtol=1e-15)
    nodes = [*eighth.C, 1.0, *eighth.C_DENSE]
    np.testing.assert_allclose(A8.sum(axis=1)[1:], nodes, rtol=2e-14)


@pytest.mark.parametrize("name", METHODS)
def test_weights_are_of_their_order_and_of_no_higher_one(name):
    A, b, order = METHODS[name]
    for k in range(1, order + 1):
        assert defect(k, A, b) < 2e-14
    assert defect(order + 1, A, b) > 1e-6


def weights_at(theta: float, coefficients: list[np.ndarray]) -> np.ndarray:
    """Return b(θ) of θ (d₁ + (1 − θ) (d₂ + θ (d₃ + …)))."""
    result = np.zeros_like(coefficients[0])
    for i in reversed(range(len(coefficients))):
        result = (coefficients[i] + result) * (theta if i % 2 == 0 else 1 - theta)
    return result


def dense_coefficients(b, end: int, rows) -> list[np.ndarray]:
    first, last = np.eye(len(b))[[0, end]]
    return [b, first - b, 2 * b - first - last, *map(np.asarray, rows)]


@pytest.mark.parametrize("theta", [0.1, 0.37, 0.5, 0.9, 1.0])
def test_interpolations_are_of_their_order(theta):
    for b, A, end, rows, order in (
        (METHODS["fifth"][1], A5, 6, [fifth.D], 4),
        (METHODS["eighth"][1], A8, 12, eighth.D, 7),
    ):
        at = weights_at(theta, dense_coefficients(b, end, rows))
        for k in range(1, order + 1):
            assert defect(k, A, at, theta) < 1e-13
        if theta < 1:
            assert defect(order + 1, A, at, theta) > 1e-7
