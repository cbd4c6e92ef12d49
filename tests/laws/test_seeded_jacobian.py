"""The Jacobian by seeds in lanes: as that of straight-line code, wherever it is chosen."""

from __future__ import annotations

import casadi
import numpy as np
import pytest

import motorik as mk
from motorik import forces, gallery, parts
from motorik.system.seeded_jacobian import SEEDS, find_tangent, write_by_seeds
from tests.laws.test_tree_jacobian import hinges, matrix, off


@pytest.mark.slow
def test_a_platform_on_legs_is_differentiated_by_seeds():
    model = gallery.StewartPlatform()
    system, result = model.compile(), model.simulate(0.02)
    assert system.n_x > SEEDS and system.equations.tree_jacobian is None
    tangent = find_tangent(system.equations)
    assert tangent is not None
    known = system.function("jacobian")
    assert known.n_instructions() > 5 * tangent.n_instructions()
    x, p = result.states[-1], result._parameters[-1] if len(result._parameters) else None
    p = np.zeros(system.equations.p.numel()) if p is None else p
    assert off(matrix(system.jacobian, x, p), matrix(known, x, p)) < 1e-10


@pytest.mark.slow
def test_friction_that_rests_is_held():
    """A chain with a hinge that sticks: its rates are those of the chain with this hinge locked."""
    model = hinges(11, friction=mk.joints.Coulomb(tau=50.0))
    system, result = model.compile(), model.simulate(0.02)
    assert find_tangent(system.equations) is not None
    x, p = result.states[-1], result._parameters[-1]
    J = matrix(system.jacobian, x, p)
    assert off(J, matrix(system.function("jacobian"), x, p)) < 1e-9
    assert np.abs(J[-1]).max() < 1e-9 * np.abs(J).max()


def test_sparse_rates_keep_straight_line_code():
    """Free bodies on springs in a row: their Jacobian has few entries."""
    model = mk.Model()
    model.world = mk.World()
    model.bodies = [parts.PointMass(m=1.0, r_0=(k + 1.0, 0.0, 0.0)) for k in range(6)]
    model.springs = [forces.Spring(c=10.0, s_unstretched=0.5) for _ in range(6)]
    at = model.world.frame_b
    for body, spring in zip(model.bodies, model.springs, strict=True):
        model.connect(at, spring.frame_a)
        model.connect(spring.frame_b, body.frame_a)
        at = body.frame_a
    system = model.compile()
    assert system.n_x >= SEEDS
    assert find_tangent(system.equations) is None


def test_its_kernel_takes_all_columns():
    """The kernel in plain Python, with fewer columns in the last turn than lanes."""
    n = SEEDS + 3
    x, dx = casadi.SX.sym("x", n), casadi.SX.sym("dx", n)
    A = np.random.default_rng(1).normal(size=(n, n))
    f = casadi.mtimes(casadi.DM(A), casadi.sin(x))
    along = casadi.Function("along", [x, dx], [casadi.jtimes(f, x, dx)])

    def tangent(t, states, p, seeds, made):
        both = states.reshape(n, SEEDS), seeds.reshape(n, SEEDS)
        for lane in range(SEEDS):
            one = np.array(along(both[0][:, lane], both[1][:, lane])).ravel()
            made.reshape(n, SEEDS)[:, lane] = one

    at, out = np.linspace(-1.0, 1.0, n), np.zeros(n * n)
    times, states, p, seeds, made = (np.zeros(SEEDS * size) for size in (1, n, 1, n, n))
    given = np.zeros(1), at, np.zeros(1)
    write_by_seeds(tangent, n, 1, *given, times, states, p, seeds, made, out)
    known = A * np.cos(at)
    np.testing.assert_allclose(out.reshape(n, n).T, known, rtol=1e-13, atol=1e-14)
