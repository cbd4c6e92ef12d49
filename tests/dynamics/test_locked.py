"""Locked freedoms: the recursion against the mass matrix."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.models import Tree, make_chain, make_humanoid, make_manipulator
from benchmarks.ours import make_model
from motorik.dynamics.articulated import AtOnce, hybrid_dynamics
from motorik.dynamics.compliances import compliances
from motorik.dynamics.composite_body import inverse_dynamics, mass_matrix
from motorik.motion.traced import projected

TREES = [make_manipulator(), make_chain(5), make_humanoid()]


@pytest.mark.parametrize("tree", TREES, ids=lambda tree: tree.name)
def test_locked_freedoms_have_their_rates_and_the_others_their_forces(tree: Tree) -> None:
    mechanism = make_model(tree).compile().mechanism
    links, n = mechanism.links, mechanism.n_u
    rng = np.random.default_rng(n)
    u, tau = rng.normal(size=n).tolist(), rng.normal(size=n).tolist()
    X = projected(mechanism, [*rng.normal(size=mechanism.n_q).tolist(), *u])
    q = [float(value) for value in X[: mechanism.n_q]]
    # a third of the freedoms has no lock at all, of the others about a half is locked
    sticks, given = rng.integers(0, 2, n).astype(float), rng.normal(size=n)
    locks = {k: (float(sticks[k]), float(given[k])) for k in range(n) if k % 3}
    locked = [k for k in locks if sticks[k]]

    found = hybrid_dynamics(links, mechanism.gravity, q, u, tau, locks, AtOnce())
    rates, forces = (np.array(values, dtype=float) for values in found)

    np.testing.assert_array_equal(rates[locked], given[locked])
    np.testing.assert_array_equal(np.delete(forces, locked), 0.0)
    needed = inverse_dynamics(links, mechanism.gravity, q, u, rates.tolist())
    own = np.array(tau) + forces
    np.testing.assert_allclose(np.array(needed, dtype=float), own, rtol=0, atol=1e-10)


@pytest.mark.parametrize("tree", TREES, ids=lambda tree: tree.name)
def test_compliances_are_the_diagonal_of_the_inverse_mass_matrix(tree: Tree) -> None:
    mechanism = make_model(tree).compile().mechanism
    rng = np.random.default_rng(mechanism.n_u)
    X = projected(mechanism, rng.normal(size=mechanism.n_q + mechanism.n_u).tolist())
    q = [float(value) for value in X[: mechanism.n_q]]
    M = np.array(mass_matrix(mechanism.links, q), dtype=float)
    found = np.array(compliances(mechanism.links, q, AtOnce()), dtype=float)
    np.testing.assert_allclose(found, np.diag(np.linalg.inv(M)), rtol=1e-10)
