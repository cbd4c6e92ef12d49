"""Symmetric systems of scalars, against NumPy, on symbols, and as MOBILE uses them."""

import casadi
import numpy as np
import pytest

from motorik.algebra.linear_system import IndefiniteError, solve_symmetric
from motorik.errors import AssemblyError
from motorik.mobile import (
    AngularVariable,
    ElementaryJoint,
    EquationBuilder,
    Frame,
    MapChain,
    MassElement,
)


def system(n):
    random = np.random.default_rng(n)
    root = random.normal(size=(n, n))
    return root @ root.T + 0.1 * np.eye(n), random.normal(size=n)


@pytest.mark.parametrize("n", [0, 1, 2, 5])
def test_numbers_as_numpy_solves_them(n):
    M, F = system(n)
    x = solve_symmetric(M.tolist(), F.tolist())
    expected = np.linalg.solve(M, F) if n else []
    np.testing.assert_allclose(x, expected, rtol=5e-14)


def test_symbols_give_the_same():
    M, F = system(4)
    m, f = casadi.SX.sym("M", 4, 4), casadi.SX.sym("F", 4)
    rows = [[m[i, j] for j in range(4)] for i in range(4)]
    x = solve_symmetric(rows, [f[i] for i in range(4)])
    solve = casadi.Function("solve", [m, f], [casadi.vertcat(*x)])
    np.testing.assert_allclose(
        np.array(solve(M, F)).ravel(), np.linalg.solve(M, F), rtol=5e-14
    )


def test_branches_stay_apart():
    a, b, c = casadi.SX.sym("a"), casadi.SX.sym("b"), casadi.SX.sym("c")
    M = [[a, b, c], [b, 2.0, 0.0], [c, 0.0, 2.0]]
    x = solve_symmetric(M, [1.0, 0.0, 0.0])
    # b and c meet only in what is left of a: 1 / (a − b²/2 − c²/2)
    count = casadi.Function("count", [a, b, c], [casadi.vertcat(*x)]).n_nodes()
    full = [[a, b, c], [b, 2.0, casadi.SX.sym("d")], [c, 0.0, 2.0]]
    full[2][1] = full[1][2]
    y = solve_symmetric(full, [1.0, 0.0, 0.0])
    more = casadi.Function("more", [a, b, c, full[1][2]], [casadi.vertcat(*y)]).n_nodes()
    assert count < more


def test_what_is_not_positive_is_refused_with_its_place():
    with pytest.raises(IndefiniteError) as caught:
        solve_symmetric([[1.0, 0.0], [0.0, 0.0]], [1.0, 1.0])
    assert (caught.value.index, caught.value.given) == (1, 0.0)
    with pytest.raises(IndefiniteError) as caught:
        solve_symmetric([[1.0, 1.0], [1.0, 1.0]], [1.0, 1.0])
    assert (caught.value.index, caught.value.given) == (0, 1.0)


def test_variables_without_inertia_are_named():
    K0, K1, K2 = Frame("K0"), Frame("K1"), Frame("K2")
    a, b = AngularVariable("a"), AngularVariable("b")
    joints = ElementaryJoint(K0, K1, a), ElementaryJoint(K1, K2, b)
    for body, why in (
        (MassElement(K2, 1.0), "b: nothing resists its motion: its inertia is 0"),
        (MassElement(K2, 1.0, I=2.0), "a: moves no mass together with others"),
    ):
        builder = EquationBuilder([a, b], MapChain((*joints, body)))
        builder.build()
        with pytest.raises(AssemblyError, match=why):
            builder.solve()
