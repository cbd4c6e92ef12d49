"""Integrators against known solutions: accuracy, order of convergence, dense output."""

from collections.abc import Callable

import numpy as np
import pytest

from motorik.compiler.kernels import native
from motorik.simulation.integration import Outcome, make_integration
from motorik.simulation.methods import TABLES, Method
from motorik.simulation.methods.runge_kutta import make_runge_kutta
from motorik.simulation.methods.tableau import Tableau
from tests.simulation.ode_problems import (
    DETEST,
    FORCED,
    ROTATION,
    Problem,
    free_body,
    oscillators,
)

ADAPTIVE = ("dopri5", "dop853", "adams", "bdf", "bosh3")
tables = pytest.mark.parametrize("table", TABLES.values(), ids=str)
HUGE = 1e30  # a tolerance that every step meets, so that `max_step` is the step size

# largest error on a grid in units of tolerances from 1e-6 to 1e-10, as measured
MEASURED = {
    "A1 decay": (0.13, 0.16, 3.1, 7.8, 2.5),
    "A3 cosine": (16, 19, 33, 260, 85),
    "A4 logistic": (58, 14.5, 13, 163, 36),
    "B5 free body": (14, 0.8, 18, 380, 34),
    "D1 orbit": (320, 10, 330, 4500, 335),
    "D3 orbit": (2200, 280, 4200, 15000, 850),
    "D5 orbit": (41000, 5200, 220000, 580000, 22000),
}


def solve(problem: Problem, method: str | Method, grid=None, **options):
    """Return the errors at the end and over the grid."""
    integration = make_integration(method, native(problem.rhs), problem.start, **options)
    outcome = integration.advance(problem.end, grid=grid)
    assert outcome is Outcome.REACHED and integration.time == problem.end
    end = np.abs(integration.state - problem.solution(np.array(problem.end))).max()
    rows = (
        0.0 if grid is None else np.abs(integration.samples - problem.solution(grid)).max()
    )
    return end, rows


@pytest.mark.parametrize("method", ADAPTIVE)
@pytest.mark.parametrize("problem", DETEST, ids=str)
def test_the_error_follows_the_tolerance(problem, method):
    grid = np.linspace(0.0, problem.end, 101)
    far = 1.25 * MEASURED[problem.name][ADAPTIVE.index(method)]
    for rtol in (1e-6, 1e-8, 1e-10):
        assert solve(problem, method, grid, rtol=rtol, atol=rtol)[1] < far * rtol


def measured_order(error: Callable[[float], float], h: float) -> float:
    """Return the order at which an error falls with h, where it is small but not rounded."""
    errors = [error(h / 2**k) for k in range(12)]
    while errors[-1] < 1e-12:
        errors.pop()
    return float(np.log2(errors[-2] / errors[-1]))


@pytest.mark.parametrize("adaptive", [True, False])
@tables
def test_halving_the_step_divides_the_error_by_two_to_the_order(table, adaptive):
    if adaptive and not table.errors:
        pytest.skip("has no error estimate")
    method = make_runge_kutta(table, adaptive=adaptive)

    def error(h: float) -> float:
        return solve(ROTATION, method, rtol=0.0, atol=HUGE, step=h, max_step=h)[0]

    assert measured_order(error, 1.0) == pytest.approx(table.order, abs=0.25)


@tables
@pytest.mark.parametrize("theta", [0.2, 0.5, 0.85])
def test_the_error_within_one_step_falls_with_the_order_of_the_interpolation(table, theta):
    method = make_runge_kutta(table)

    def error(h: float) -> float:
        run = make_integration(method, native(FORCED.rhs), FORCED.start, atol=HUGE, step=h)
        run.advance(h, grid=[theta * h])
        assert run.statistics.steps == 1
        return np.abs(run.samples[0] - FORCED.solution(np.array(theta * h))).max()

    assert measured_order(error, 0.5) == pytest.approx(
        table.interpolation_order + 1, abs=0.25
    )


def step_in_plain_numbers(table: Tableau, h: float) -> tuple[np.ndarray, list[np.ndarray]]:
    """Return the end of one step of the forced problem and each of its error estimates."""

    def rate(t: float, x: np.ndarray) -> np.ndarray:
        dx = np.empty(2)
        FORCED.rhs(np.array([t]), x, np.zeros(1), dx)
        return dx

    x = np.array(FORCED.start)
    k = [rate(0.0, x)]
    for c, row in zip(table.nodes, table.stages, strict=True):
        k.append(rate(c * h, x + h * np.dot(row, k)))
    end = x + h * np.dot(table.weights, k)
    k.append(rate(h, end))
    return end, [h * np.dot(row, k[: len(row)]) for row in table.errors.values()]


@tables
def test_an_error_estimate_falls_with_the_order_of_its_formula(table):
    for number, order in enumerate(table.errors):

        def error(h: float, number: int = number) -> float:
            return np.abs(step_in_plain_numbers(table, h)[1][number]).max()

        assert measured_order(error, 0.5) == pytest.approx(order + 1, abs=0.25)


@tables
def test_native_steps_and_their_error_are_those_of_the_table(table):
    h = 0.05
    end, errors = step_in_plain_numbers(table, h)
    run = make_integration(
        make_runge_kutta(table), native(FORCED.rhs), FORCED.start, atol=HUGE, step=h
    )
    run.advance(h)
    np.testing.assert_allclose(run.state, end, rtol=0, atol=1e-15)
    if not errors:
        return
    # the error as the method sees it: a step is accepted at this tolerance, and at no less
    norms = [np.sqrt(np.mean(error**2)) for error in errors]
    seen = (
        norms[0] if len(norms) == 1 else norms[0] ** 2 / np.hypot(norms[0], 0.1 * norms[1])
    )
    for factor, rejected in ((1.0001, 0), (0.9999, 1)):
        run = make_integration(
            make_runge_kutta(table),
            native(FORCED.rhs),
            FORCED.start,
            rtol=0.0,
            atol=factor * seen,
            step=h,
        )
        run.advance(h)
        assert min(run.statistics.rejected, 1) == rejected


@pytest.mark.parametrize("method", [*TABLES, "adams", "bdf"])
def test_the_interpolation_is_continuous_over_steps(method):
    problem = DETEST[3]
    options = {"rtol": 1e-6, "atol": 1e-6, "step": 0.01}
    run = make_integration(method, native(free_body), problem.start, record=True, **options)
    run.advance(5.0)
    ends = run.record[1:-1, 0]
    near = np.sort(np.concatenate([np.nextafter(ends, 0.0), ends, np.nextafter(ends, 9.0)]))
    again = make_integration(method, native(free_body), problem.start, **options)
    again.advance(5.0, grid=near)
    left, middle, right = again.samples.reshape(-1, 3, 3).transpose(1, 0, 2)
    assert np.abs(left - middle).max() < 3e-15
    assert np.abs(right - middle).max() < 3e-15


@pytest.mark.parametrize(
    ("method", "far"),
    [
        ("dopri5", (2.4, 20.0)),
        ("dop853", (0.13, 1.1)),
        ("adams", (10.0, 200.0)),
        ("bdf", (44.0, 350.0)),
        ("bosh3", (18.0, 220.0)),
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
