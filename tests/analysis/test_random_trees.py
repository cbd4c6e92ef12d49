"""Every analysis of random trees against Pinocchio, which is built from the same numbers."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from tests.laws.physical_trees import FREEDOM, Shape, make_tree

pin = pytest.importorskip("pinocchio", reason="Pinocchio is the second route")

from tests.laws.pinocchio_twin import Twin  # noqa: E402

TURNING = ("revolute", "universal", "spherical angles")
PLAIN = (*TURNING, "prismatic", "screw", "cylindrical", "planar")  # speeds are rates
SEEDS = range(3)


class Pair:
    """A random tree as a model and as one of Pinocchio, with the order of their numbers."""

    def __init__(self, seed, kinds, count=4):
        rng = np.random.default_rng(seed)
        shapes = [
            Shape(
                int(rng.integers(-1, i)) if i else -1,
                str(rng.choice(kinds)),
                bool(rng.random() < 0.5),
                *(int(rng.integers(2)) for _ in range(3)),
            )
            for i in range(count)
        ]
        tree = make_tree(shapes, seed)
        self.model, self.twin = tree.model(seed, seed), Twin(tree)
        names = self.model.compile().state_names
        n = sum(FREEDOM[shape.kind] for shape in shapes)
        self.coordinates, self.speeds = names[:n], names[n : 2 * n]
        theirs = [name for step in self.twin.steps for name in step.coordinates]
        self.P = np.array([[a == b for b in self.coordinates] for a in theirs], dtype=float)
        pairs = dict(
            zip(theirs, [u for s in self.twin.steps for u in s.speeds], strict=True)
        )
        assert [pairs[name] for name in self.coordinates] == list(self.speeds)
        self.q, self.u, self.ud = rng.uniform(-1.0, 1.0, (3, n))

    @property
    def at(self):
        """The state by name."""
        q = dict(zip(self.coordinates, self.q.tolist(), strict=True))
        return q | dict(zip(self.speeds, self.u.tolist(), strict=True))

    def rates(self, q=None, u=None):
        """Return accelerations without force in our order."""
        q, u = self.q if q is None else q, self.u if u is None else u
        ud = pin.aba(*self.own, self.P @ q, self.P @ u, np.zeros(q.size))
        return self.P.T @ ud

    @property
    def own(self):
        """Model and data of Pinocchio."""
        return self.twin.model, self.twin.data


pair = cache(Pair)


def near(found, expected, part=1e-9):
    return np.abs(found - expected).max() <= part * max(1.0, np.abs(expected).max())


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_positions_velocities_and_accelerations(seed):
    it = pair(seed, PLAIN)
    expected = it.twin.motion(it.P @ it.q, it.P @ it.u, it.P @ it.rates())
    found = it.model.evaluate([*expected, *it.speeds], at=it.at)
    for name, value in expected.items():
        assert near(np.asarray(found[name]).ravel(), value), name


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_linear_equations_are_derivatives_of_the_articulated_body_algorithm(seed):
    it, n = pair(seed, PLAIN), len(pair(seed, PLAIN).q)
    linear = it.model.linearize(it.coordinates, at=it.at, anywhere=True)
    assert linear.states == (*it.coordinates, *it.speeds)
    pin.computeABADerivatives(*it.own, it.P @ it.q, it.P @ it.u, np.zeros(n))
    data, P = it.twin.data, it.P
    assert near(linear.A[n:, :n], P.T @ data.ddq_dq @ P)
    assert near(linear.A[n:, n:], P.T @ data.ddq_dv @ P)
    upper = np.triu(data.Minv)
    assert near(linear.B[n:], P.T @ (upper + np.triu(upper, 1).T) @ P)
    assert np.array_equal(linear.A[:n], np.hstack([np.zeros((n, n)), np.eye(n)]))


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_energy_and_forces_of_a_motion(seed):
    it = pair(seed, PLAIN)
    M = it.model.mass_matrix(at=it.at).values
    kinetic = pin.computeKineticEnergy(*it.own, it.P @ it.q, it.P @ it.u)
    assert 0.5 * it.u @ M @ it.u == pytest.approx(kinetic, rel=1e-11)
    series = zip(it.coordinates, it.q, it.u, it.ud, strict=True)
    found = it.model.inverse_dynamics([0.0], {name: own for name, *own in series})
    expected = pin.rnea(*it.own, *(it.P @ x for x in (it.q, it.u, it.ud)))
    assert near([found[name][0] for name in it.coordinates], it.P.T @ expected)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_poses_of_inverse_kinematics_reach_their_target(seed):
    it = pair(seed, PLAIN)
    body = list(it.twin.frames)[-1]
    names = [f"{body}.frame_a.r_0", f"{body}.frame_a.R.T"]
    still = np.zeros(it.q.size)
    there = it.twin.motion(it.P @ it.q, still, still)
    near_by = {name: q + 0.1 for name, q in zip(it.coordinates, it.q.tolist(), strict=True)}
    wanted = {name: there[name] for name in names}
    pose = it.model.inverse_kinematics(wanted, near=near_by)
    q = np.array([pose[name] for name in it.coordinates])
    reached = it.twin.motion(it.P @ q, still, still)
    assert all(near(reached[name], there[name], 1e-8) for name in names)


@pytest.mark.slow
@pytest.mark.parametrize("seed", SEEDS)
def test_equilibrium_and_modes_are_those_of_gravity(seed):
    it = pair(seed, TURNING, 2)
    begin = dict(zip(it.coordinates, it.q.tolist(), strict=True))
    rest = it.model.equilibrium(at=begin)
    q = it.P @ np.array([rest[name] for name in it.coordinates])
    weight = np.abs(pin.computeGeneralizedGravity(*it.own, it.P @ it.q)).max()
    assert np.abs(pin.computeGeneralizedGravity(*it.own, q)).max() < 1e-7 * weight
    K = pin.computeGeneralizedGravityDerivatives(*it.own, q)
    upper = np.triu(pin.crba(*it.own, q))
    squares = np.linalg.eigvals(np.linalg.solve(upper + np.triu(upper, 1).T, K)).real
    modes, small = it.model.modes(at=rest, anywhere=True), 1e-6 * np.abs(squares).max()
    kinds = {"unstable": (squares < -small).any(), "stable": (squares > small).all()}
    expected = next((kind for kind, holds in kinds.items() if holds), "indifferent")
    assert rest.stability == expected
    found = np.array([mode.eigenvalue**2 for mode in modes])
    apart = np.abs(found[:, None] + squares)  # λ² = −ω²
    assert max(apart.min(axis=0).max(), apart.min(axis=1).max()) <= small
