"""The coefficients of the Runge–Kutta methods satisfy Butcher's order conditions.

For each rooted tree τ of ρ nodes: Σᵢ bᵢ Φᵢ(τ) = 1/γ(τ), or θ^ρ/γ(τ) for a weight at θ.
"""

from collections.abc import Iterator
from itertools import combinations_with_replacement

import numpy as np
import pytest

from motorik.errors import SimulationError
from motorik.simulation.methods import TABLES
from motorik.simulation.methods.tableau import Tableau

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


def square(table: Tableau) -> np.ndarray:
    """Return the stages, the rate at the end and the stages of the dense output."""
    rows = [*table.stages, table.weights, *table.dense_stages]
    A = np.zeros((len(rows) + 1, len(rows) + 1))
    for i, row in enumerate(rows):
        A[i + 1, : len(row)] = row
    return A


def fill(row, A: np.ndarray) -> np.ndarray:
    return np.pad(row, (0, len(A) - len(row)))


def list_formulas() -> dict[str, tuple[Tableau, np.ndarray, int]]:
    """Return the weights of each table and of its embedded formulas, with their order."""
    formulas = {}
    for name, table in TABLES.items():
        b = fill(table.weights, square(table))
        formulas[name] = table, b, table.order
        for order, row in table.errors.items():
            formulas[f"{name}, embedded {order}"] = table, b - fill(row, b), order
    return formulas


FORMULAS = list_formulas()
tables = pytest.mark.parametrize("table", TABLES.values(), ids=str)


def test_there_are_as_many_trees_as_cayley_counted():
    assert [len(trees(k)) for k in range(1, 9)] == [1, 1, 2, 4, 9, 20, 48, 115]


@tables
def test_nodes_are_the_sums_of_their_stages(table):
    nodes = [*table.nodes, 1.0, *table.dense_nodes]
    np.testing.assert_allclose(square(table).sum(axis=1)[1:], nodes, rtol=2e-14)


@pytest.mark.parametrize("name", FORMULAS)
def test_weights_are_of_their_order_and_of_no_higher_one(name):
    table, b, order = FORMULAS[name]
    A = square(table)
    for k in range(1, order + 1):
        assert defect(k, A, b) < 2e-14
    assert defect(order + 1, A, b) > 1e-6


@tables
def test_stiffness_is_watched_only_where_the_last_stage_is_at_the_end(table):
    assert table.stable_within == 0.0 or table.nodes[-1] == 1.0


@tables
def test_stiffness_is_noticed_somewhat_before_the_stability_function_grows(table):
    # R(z) = 1 + z bᵀ (1 − z A)⁻¹ 1 on the negative real axis
    s = len(table.weights)
    A, b = square(table)[:s, :s], np.array(table.weights)
    grows = [
        z
        for z in np.arange(0.01, 12.0, 0.01)
        if abs(1 - z * b @ np.linalg.solve(np.eye(s) + z * A, np.ones(s))) > 1
    ]
    if table.stable_within:
        assert 0.7 * grows[0] < table.stable_within < grows[0]


def weights_at(theta: float, coefficients: list[np.ndarray]) -> np.ndarray:
    """Return b(θ) of θ (d₁ + (1 − θ) (d₂ + θ (d₃ + …)))."""
    result = np.zeros_like(coefficients[0])
    for i in reversed(range(len(coefficients))):
        result = (coefficients[i] + result) * (theta if i % 2 == 0 else 1 - theta)
    return result


def dense_coefficients(table: Tableau) -> list[np.ndarray]:
    A = square(table)
    b = fill(table.weights, A)
    first, last = np.eye(len(A))[[0, len(table.weights)]]
    return [b, first - b, 2 * b - first - last, *(fill(row, A) for row in table.dense)]


@pytest.mark.parametrize("theta", [0.1, 0.37, 0.5, 0.9, 1.0])
@tables
def test_interpolations_are_of_their_order(table, theta):
    A = square(table)
    at = weights_at(theta, dense_coefficients(table))
    for k in range(1, table.interpolation_order + 1):
        assert defect(k, A, at, theta) < 1e-13
    if theta < 1:
        assert defect(table.interpolation_order + 1, A, at, theta) > 1e-7


def test_rows_of_a_wrong_length_are_refused():
    good = {"order": 2, "nodes": (1.0,), "stages": ((1.0,),), "weights": (0.5, 0.5)}
    Tableau("heun", "Heun", **good, errors={1: (-0.5, 0.5)})
    for wrong in (
        {"nodes": (1.0, 1.0)},
        {"stages": ((1.0, 0.0),)},
        {"stages": ()},
        {"errors": {1: (0.5,)}},
        {"errors": {1: (0.5,) * 2, 2: (0.5,) * 2, 3: (0.5,) * 2}},
        {"dense": ((1.0, 0.0),)},
    ):
        with pytest.raises(SimulationError, match="tableau 'heun': has"):
            Tableau("heun", "Heun", **{**good, **wrong})
