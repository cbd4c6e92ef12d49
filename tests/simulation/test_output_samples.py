"""Output samples between steps are as accurate as the steps, whatever method and output grid."""

from collections.abc import Callable
from functools import cache

import casadi
import numpy as np
import pytest

import motorik as mk
from motorik import electrical
from motorik.simulation.methods import METHODS
from motorik.simulation.methods.runge_kutta import HERMITE, find_basis
from tests.simulation.lane_problems import FORCED, ORBIT, LaneProblem
from tests.simulation.ode_problems import FORCED as PLAIN_FORCED
from tests.simulation.ode_problems import kepler_solution
from tests.simulation.test_ensembles import COUNT, Pendulum, assert_same_motion

Solution = Callable[[np.ndarray], np.ndarray]

ALL = ("dop853", "dopri5", "bosh3", "gbs", "adams", "bdf", "radau")
MULTIPLE = 3.0  # of the error of steps and tolerance; 2.2 as measured


def decay(rate: float) -> tuple[LaneProblem, Solution, float]:
    """Return the problem of Prothero and Robinson: a decay to cos t."""
    problem = LaneProblem(
        lambda t, x, p: (-rate * (x[0] - casadi.cos(t)) - casadi.sin(t),), (2.0,)
    )
    return problem, lambda t: (np.cos(t) + np.exp(-rate * t))[:, None], 3.0


def vibration(w: float, damping: float) -> tuple[LaneProblem, Solution, float]:
    """Return an oscillator that hangs on a slow one, and its motion by eigenvectors."""
    c, d = w * w, 2.0 * w * damping
    problem = LaneProblem(
        lambda t, x, p: (x[1], -x[0], x[3], -c * (x[2] - x[0]) - d * (x[3] - x[1]) - x[0]),
        (1.0, 0.0, 1.01, 0.0),
    )
    A = np.zeros((4, 4))
    A[0, 1], A[1, 0], A[2, 3] = 1.0, -1.0, 1.0
    A[3] = c - 1.0, d, -c, -d
    values, vectors = np.linalg.eig(A)
    parts = vectors * np.linalg.solve(vectors, problem.start)

    def solution(t: np.ndarray) -> np.ndarray:
        return (np.exp(np.outer(t, values)) @ parts.T).real

    return problem, solution, 3.0


@cache
def problem_of(name: str) -> tuple[LaneProblem, Solution, float]:
    kind, *numbers = name.split()
    if kind == "decay":
        return decay(*map(float, numbers))
    if kind == "vibration":
        return vibration(*map(float, numbers))
    if kind == "orbit":
        return ORBIT, kepler_solution(0.6), 10.0
    return FORCED, PLAIN_FORCED.solution, 10.0


PROBLEMS = (
    *("orbit", "forced", "decay 10", "decay 100", "decay 1000"),
    *("vibration 300 2", "vibration 300 0.7", "vibration 300 0.3", "vibration 300 0.05"),
    *("vibration 30 0",),
)


def errors_of(
    name: str, method: str, rtol: float, samples: int
) -> tuple[float, float, int, int]:
    """Return the largest errors of steps and samples, the number of steps and of evaluations."""
    problem, solution, end = problem_of(name)
    run = problem.integrate(METHODS[method], rtol=rtol, atol=rtol, record=True)
    grid = np.sort(np.random.default_rng(0).uniform(0.0, end, samples))
    run.advance(end, grid=grid)
    steps = run.record
    of_steps = np.abs(steps[:, 1:] - solution(steps[:, 0])).max()
    of_samples = np.abs(run.samples - solution(grid)).max()
    counts = run.statistics
    return of_steps, of_samples, counts.steps, counts.evaluations


@pytest.mark.kinds(24)
@pytest.mark.parametrize("rtol", [1e-3, 1e-6, 1e-8])
@pytest.mark.parametrize("method", ALL)
@pytest.mark.parametrize("name", PROBLEMS)
def test_samples_are_as_accurate_as_steps(name, method, rtol):
    tolerance = np.sqrt(problem_of(name)[0].n) * rtol
    for samples in (30, 600):
        of_steps, of_samples, _, _ = errors_of(name, method, rtol, samples)
        assert of_samples < MULTIPLE * (of_steps + tolerance)


@pytest.mark.parametrize("method", ["dop853", "dopri5", "bosh3", "adams", "bdf"])
def test_steps_do_not_depend_on_the_output_grid(method):
    for name in ("decay 100", "vibration 300 0.3"):
        few, many = (errors_of(name, method, 1e-6, samples) for samples in (3, 600))
        assert few[0] == many[0] and few[2] == many[2]


def test_smooth_motions_are_interpolated_at_no_further_cost():
    for name in ("forced", "vibration 30 0"):
        few, many = (errors_of(name, "dop853", 1e-6, samples) for samples in (1, 600))
        assert many[3] - few[3] <= 3 * few[2]  # the three stages of the interpolation


@pytest.mark.parametrize("rate", [1e2, 1e4, 1e8])
@pytest.mark.parametrize("rtol", [1e-4, 1e-7])
def test_radau_shows_decays_that_it_steps_over(rate, rtol):
    problem, _, _ = decay(rate)
    run = problem.integrate(METHODS["radau"], rtol=rtol, atol=rtol)
    run.advance(2.0)
    run.restart(np.array([np.cos(2.0) + 0.5]))  # an event
    grid = np.sort(np.random.default_rng(0).uniform(2.0, 6.0, 300))
    run.advance(6.0, grid=grid)
    exact = np.cos(grid) + 0.5 * np.exp(-rate * (grid - 2.0))
    assert np.abs(run.samples[:, 0] - exact).max() < 10.0 * rtol


def test_the_basis_of_the_interpolation_has_the_slopes_that_are_told():
    count, h = HERMITE + 4, 1e-6
    for place in (0.2, 1.0 / 3.0, 0.9):
        (_, slopes), before, after = (
            find_basis(count, place + shift) for shift in (0.0, -h, h)
        )
        differences = (np.array(after[0]) - before[0]) / (2.0 * h)
        np.testing.assert_allclose(slopes, differences, atol=1e-9)


# --- circuits: a fast decay to a slow current --------------------------------------------------


def coil(L: float) -> mk.Model:
    """Return a coil of L [H] and 10 Ω at 25 V, 3 rad/s, and after 1 s at 25 V more."""
    model = mk.Model()
    model.source = electrical.SineVoltage(V=25.0, f=3.0 / (2.0 * np.pi))
    model.more = electrical.StepVoltage(V=25.0, startTime=1.0)
    model.resistor = electrical.Resistor(R=10.0)
    model.coil = electrical.Inductor(L=mk.Parameter(L), i=1.0)
    model.ground = electrical.Ground()
    model.source.p >> model.more.n
    model.more.p >> model.resistor.p
    model.resistor.n >> model.coil.p
    model.coil.n >> model.source.n
    model.source.n >> model.ground.p
    return model


def current(t: np.ndarray, L: float) -> np.ndarray:
    """Return the current in the coil, by its closed form."""
    slow = 25.0 / (10.0 + 3.0j * L) * np.exp(3.0j * t)
    first = 1.0 - (25.0 / (10.0 + 3.0j * L)).imag
    stepped = np.where(
        t < 1.0, 0.0, 2.5 * (1.0 - np.exp(-10.0 / L * np.maximum(t - 1.0, 0)))
    )
    return slow.imag + first * np.exp(-10.0 / L * t) + stepped


@pytest.mark.kinds(8)
@pytest.mark.parametrize("rtol", [1e-4, 1e-6, 1e-9])
@pytest.mark.parametrize("L", [0.1, 0.01, 1e-3])
@pytest.mark.parametrize("method", ["auto", "dop853", "radau", "bdf"])
def test_the_current_in_a_coil_is_right_between_steps(method, L, rtol):
    result = coil(L).simulate(3.0, rtol=rtol, method=method, output=777)
    t = np.asarray(result.time)
    error = np.abs(result["coil.i"] - current(t, L))[np.abs(t - 1.0) > 1e-9]
    assert error.max() < 2.5 * 8.0 * rtol


def test_lanes_show_the_same_samples_at_the_border_of_stability():
    # a pendulum in syrup: −h λ of its fast mode grows to the border
    run = Pendulum().prepare(3.0, method="dop853", rtol=1e-4, output=300)
    parameters = {"damper.d": np.linspace(20.0, 60.0, COUNT)}
    runs = run.map(parameters=parameters, threads=1)
    assert runs.info.in_lanes == COUNT
    for k, d in enumerate(parameters["damper.d"]):
        assert_same_motion(runs.result(k), run(parameters={"damper.d": d}))
    fine = Pendulum().prepare(3.0, rtol=1e-11, output=300)(parameters={"damper.d": 20.0})
    error = np.abs(runs.result(0)["rev.w"] - fine["rev.w"]).max()
    assert error < 1e-3 * np.ptp(fine["rev.w"])
