"""Forces of bodies on several feet: normal forces, and friction within discs."""

from __future__ import annotations

import numpy as np
import pytest

from motorik.compiler.kernels import native
from motorik.nonsmooth.complementarity.friction_cones import cones_size, solve_cone_problem


def make_feet(rng, feet: int) -> tuple[np.ndarray, ...]:
    """Return D, b, low, high, slopes, pairs and μ of a body on a plane that is pushed."""
    mu = float(rng.choice([0.0, 0.1, 0.3, 0.6]))
    m, g = 10.0 ** rng.uniform(-3.0, 3.0), 9.81
    at = rng.normal(size=(feet, 3)) * [0.3, 0.0, 0.3] + [0.0, -0.1, 0.0]
    if rng.random() < 0.5:
        at[:, ::2] = np.round(5.0 * at[:, ::2]) / 5.0
    inverse = np.diag([*(1.0 / (m * rng.uniform(0.02, 0.1, 3))), *[1.0 / m] * 3])
    rows = [
        [*np.cross(point, axis), *axis]
        for point in at
        for axis in ((0.0, 1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    ]
    G = np.array(rows)
    push = m * g * mu * rng.uniform(-1.5, 1.5, 2)
    load = np.array([*(m * g * 0.02 * rng.normal(size=3)), push[0], -m * g, push[1]])
    n = 3 * feet
    low, high, slopes = np.zeros(n), np.zeros(n), np.zeros((2, n, n))
    high[::3] = np.inf
    pair = np.full(n, -1, dtype=np.int64)
    for k in range(0, n, 3):
        slopes[:, k + 1, k] = slopes[:, k + 2, k] = -mu, mu
        pair[k + 1], pair[k + 2] = k + 2, -3 - k
    return G @ inverse @ G.T, G @ inverse @ load, low, high, slopes, pair, np.array(mu)


def solve(
    problem: tuple[np.ndarray, ...], function, noise: float = 0.0, hint: int = 0
) -> tuple[int, np.ndarray, np.ndarray]:
    """Return the status, the modes and the forces."""
    D, b, low, high, slopes, pair, _ = problem
    n = len(b)
    mode, lam = np.full(n, hint, dtype=np.int64), np.zeros(n)
    work, counts = np.zeros(cones_size(n)), np.zeros(4, dtype=np.int64)
    given = (D.ravel(), b, low, high, slopes.ravel(), np.full(n, noise), pair)
    return function(n, *given, mode, lam, work, counts), mode, lam


@pytest.mark.kinds(2)
@pytest.mark.slow
@pytest.mark.parametrize("feet", [1, 2, 3, 4, 8])
def test_feet_press_stick_and_slip(feet):
    """Complementarity, cone and greatest loss, to rounding, wherever it is pushed."""
    rng = np.random.default_rng(feet)
    run = native(solve_cone_problem)
    for _ in range(200):
        problem = make_feet(rng, feet)
        D, b, mu = problem[0], problem[1], float(problem[6])
        status, mode, lam = solve(problem, run)
        assert status == 0
        a = D @ lam + b
        size, force = abs(b) + abs(D) @ abs(lam), abs(lam).max() + 1e-300
        N, f, rate = lam[::3], lam.reshape(-1, 3)[:, 1:], a.reshape(-1, 3)[:, 1:]
        tall = size.max()
        assert N.min() >= -1e-10 * force and (a[::3] >= -1e-10 * tall).all()
        assert (abs(N * a[::3]) <= 1e-10 * force * tall).all()
        assert (np.hypot(*f.T) <= mu * N + 1e-10 * force).all()
        power = (f * rate).sum(axis=1) + mu * N * np.hypot(*rate.T)
        assert abs(power).max() <= 1e-10 * force * tall
        assert (np.hypot(*rate.T)[mode[1::3] == 0] <= 1e-9 * tall).all()


def test_kernels_and_plain_python_agree():
    rng = np.random.default_rng(7)
    for _ in range(5):
        problem = make_feet(rng, 3)
        (one, modes, lam), (two, others, forces) = (
            solve(problem, function)
            for function in (native(solve_cone_problem), solve_cone_problem)
        )
        assert one == two == 0
        np.testing.assert_array_equal(modes, others)
        np.testing.assert_allclose(lam, forces, atol=1e-9 * abs(lam).max())


def test_what_is_at_its_limit_takes_the_mode_that_was_expected():
    """A point of 1 kg pushed by exactly μ N: compliance would leave it 1e-6 within the limit."""
    D, low = np.eye(3), np.zeros(3)
    high = np.array([np.inf, 0.0, 0.0])
    slopes = np.zeros((2, 3, 3))
    slopes[:, 1:, 0] = [[-0.5, -0.5], [0.5, 0.5]]
    D[0, 1] = D[1, 0] = -0.3
    lam = np.array([4.0, 1.2, 1.6])  # at the limit: 1.2² + 1.6² = (0.5 · 4)²
    problem = (D, -D @ lam, low, high, slopes, np.array([-1, 2, -3]), np.array(0.5))
    for hint in (0, 1):
        status, mode, found = solve(problem, native(solve_cone_problem), hint=hint)
        assert status == 0
        np.testing.assert_allclose(found, lam, rtol=1e-12)
        assert mode.tolist() == [0, hint, hint]


def test_redundant_feet_agree_no_better_than_speeds_are_known():
    """Two feet on a line cannot both rest along it if rounding tells them different speeds."""
    rng = np.random.default_rng(3)
    run, failed = native(solve_cone_problem), 0
    for _ in range(50):
        problem = make_feet(rng, 4)
        noise = 1e-9 * abs(problem[1]).max()
        b = problem[1] + 0.25 * noise * rng.uniform(-1.0, 1.0, len(problem[1]))
        told = (problem[0], b, *problem[2:])
        failed += solve(told, run)[0]
        status, mode, lam = solve(told, run, noise)
        assert status == 0
        rate = problem[0] @ lam + b
        N, f = lam[::3], lam.reshape(-1, 3)[:, 1:]
        assert abs(rate[mode == 0]).max(initial=0.0) <= 4.0 * noise
        assert (np.hypot(*f.T) <= float(problem[6]) * N + 1e-8 * abs(lam).max()).all()
    assert failed > 0


def turned_inertia(rng) -> np.ndarray:
    """Return the inverse of the inertia of 1 kg with oblique axes, rotation first."""
    axes = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    inverse = np.eye(6)
    inverse[:3, :3] = axes @ np.diag(1.0 / rng.uniform(0.005, 0.1, 3)) @ axes.T
    return inverse


@pytest.mark.slow
def test_feet_at_the_borders_of_their_discs_are_found():
    """Newton's steps along a border lead away from it before they come nearer."""
    rng, run, mu = np.random.default_rng(4), native(solve_cone_problem), 1.2
    for _ in range(800):
        plain = make_feet(rng, 4)
        at = rng.normal(size=(4, 3)) * [0.3, 0.0, 0.3] + [0.0, -0.1, 0.0]
        axes = ((0.0, 1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0))
        G = np.array([[*np.cross(point, axis), *axis] for point in at for axis in axes])
        inverse = turned_inertia(rng)
        push = 9.81 * mu * rng.uniform(-1.2, 1.2, 2)
        load = np.array([*(1.962 * rng.normal(size=3)), push[0], -9.81, push[1]])
        slopes = np.zeros((2, 12, 12))
        for k in range(0, 12, 3):
            slopes[:, k + 1, k] = slopes[:, k + 2, k] = -mu, mu
        D, b = G @ inverse @ G.T, G @ inverse @ load
        problem = (D, b, *plain[2:4], slopes, plain[5], np.array(mu))
        status, _, lam = solve(problem, run, hint=int(rng.integers(0, 2)))
        assert status == 0
        N, f = lam[::3], lam.reshape(-1, 3)[:, 1:]
        assert (np.hypot(*f.T) <= mu * N + 1e-10 * abs(lam).max()).all()
