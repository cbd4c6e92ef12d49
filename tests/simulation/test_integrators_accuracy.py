"""Integrators against known solutions: accuracy, order of convergence, dense output."""

import numpy as np
import pytest

from motorik.compiler.kernels.kernel import native
from motorik.simulation.integrate import make_integration
from motorik.simulation.outcome import Outcome
from tests.simulation.ode_problems import (
    DETEST,
    FORCED,
    ROTATION,
    Problem,
    free_body,
    oscillators,
)

ADAPTIVE = ("dopri5", "dop853", "adams", "bdf")
HUGE = 1e30  # a tolerance that every step meets, so that `max_step` is the step size

# largest error on a grid in units of tolerances from 1e-6 to 1e-10, as measured
MEASURED = {
    "A1 decay": (0.13, 0.16, 3.1, 7.8),
    "A3 cosine": (16, 19, 33, 260),
    "A4 logistic": (58, 14.5, 13, 97),
    "B5 free body": (14, 0.8, 18, 380),
    "D1 orbit": (320, 10, 330, 4500),
    "D3 orbit": (2200, 280, 4200, 15000),
    "D5 orbit": (41000, 5200, 220000, 580000),
}


def solve(problem: Problem, method: str, grid=None, **options):
    """Return the errors at the end and over the grid."""
    integration = make_integration(method, native(problem.rhs), problem.start, **options)
    outcome = integration.advance(problem.end, grid=grid)
    assert outcome is Outcome.REACHED and integration.time == problem.end
    end = np.abs(integration.state - problem.solution(np.array(problem.end))).max()
    rows = 0.0 if grid is None else np.abs(integration.rows - problem.solution(grid)).max()
    return end, rows


@pytest.mark.parametrize("method", ADAPTIVE)
@pytest.mark.parametrize("problem", DETEST, ids=str)
def test_the_error_follows_the_tolerance(problem, method):
    grid = np.linspace(0.0, problem.end, 101)
    far = 1.25 * MEASURED[problem.name][ADAPTIVE.index(method)]
    for rtol in (1e-6, 1e-8, 1e-10):
        assert solve(problem, method, grid, rtol=rtol, atol=rtol)[1] < far * rtol


@pytest.mark.parametrize(
    ("method", "order", "problem", "count"),
    [
        ("euler", 1, DETEST[3], 4096),
        ("rk4", 4, DETEST[3], 512),
        ("dopri5", 5, DETEST[3], 1024),
        ("dop853", 8, ROTATION, 40),
    ],
    ids=str,
)
def test_halving_the_step_divides_the_error_by_two_to_the_order(
    method, order, problem, count
):
    errors = []
    for n in (count, 2 * count):
        h = problem.end / n
        errors.append(solve(problem, method, rtol=0.0, atol=HUGE, step=h, max_step=h)[0])
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.15)


@pytest.mark.parametrize(
    ("method", "order", "h"),
    [("euler", 2, 0.01), ("rk4", 4, 0.005), ("dopri5", 5, 0.03), ("dop853", 8, 0.25)],
)
@pytest.mark.parametrize("theta", [0.2, 0.5, 0.85])
def test_the_error_within_one_step_falls_with_the_order_of_the_interpolation(
    method, order, h, theta
):
    errors = []
    for size in (h, h / 2):
        run = make_integration(
            method, native(FORCED.rhs), FORCED.start, atol=HUGE, step=size
        )
        run.advance(size, grid=[theta * size])
        assert run.statistics.steps == 1
        errors.append(np.abs(run.rows[0] - FORCED.solution(np.array(theta * size))).max())
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.15)


@pytest.mark.parametrize("method", ["euler", "rk4", "dopri5", "dop853", "adams", "bdf"])
def test_the_interpolation_is_continuous_over_steps(method):
    problem = DETEST[3]
    options = {"rtol": 1e-6, "atol": 1e-6, "step": 0.01}
    run = make_integration(method, native(free_body), problem.start, record=True, **options)
    run.advance(5.0)
    ends = run.record[1:-1, 0]
    near = np.sort(np.concatenate([np.nextafter(ends, 0.0), ends, np.nextafter(ends, 9.0)]))
    again = make_integration(method, native(free_body), problem.start, **options)
    again.advance(5.0, grid=near)
    left, middle, right = again.rows.reshape(-1, 3, 3).transpose(1, 0, 2)
    # the Adams polynomial follows the past rates, not the past states
    jump = 1e-6 if method == "adams" else 3e-15
    assert np.abs(left - middle).max() < 3e-15
    assert np.abs(right - middle).max() < jump


@pytest.mark.parametrize(
    ("method", "far"),
    [
        ("dopri5", (2.4, 20.0)),
        ("dop853", (0.13, 1.1)),
        ("adams", (10.0, 200.0)),
        ("bdf", (44.0, 350.0)),
    ],
)
def test_each_state_has_its_own_tolerance(method, far):
    # a slow and a fast oscillator; the one that is not watched must not slow down the other
    p = np.array([2.0, 1.0, 10.0])
    exact = np.array([np.sin(10), np.cos(10), np.sin(100), np.cos(100)])
    steps = []
    for watched, limit in zip(([0, 1], [2, 3]), far, strict=True):
        atol = np.full(4, HUGE)
        atol[watched] = 1e-6
        start = (0.0, 1.0, 0.0, 1.0)
        run = make_integration(method, native(oscillators), start, p=p, rtol=0.0, atol=atol)
        run.advance(10.0)
        steps.append(run.statistics.steps)
        assert np.abs(run.state - exact)[watched].max() < limit * 1e-6
    assert steps[1] > 5 * steps[0]
