"""Methods with memory: exactness of their formulas, order, stiff problems."""

import functools

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from motorik.compiler.kernels import Floats, kernel, native
from motorik.numerics.lu import factorise, substitute
from motorik.simulation.integration import Integration, Outcome, make_integration
from motorik.simulation.methods import adams, bdf
from motorik.simulation.methods.adams import AdamsInteger, AdamsTable, AdamsVec
from motorik.simulation.methods.bdf import BdfInteger, BdfReal, BdfVec
from motorik.simulation.stepping.workspace import HEAD, Vec, Work
from tests.simulation.ode_problems import (
    FORCED,
    forced,
    robertson,
    robertson_jacobian,
    rotation,
    van_der_pol,
    van_der_pol_jacobian,
)

HUGE = 1e30


@kernel
def polynomial_rate(t: Floats, x: Floats, p: Floats, dx: Floats) -> None:
    """Compute Σ pⱼ tʲ, p₀ being the degree plus one and the coefficients behind it."""
    value = 0.0
    for j in range(int(p[0]), 0, -1):
        value = value * t[0] + p[j]
    dx[0] = value


def rate_of_degree(degree: int) -> tuple[np.ndarray, np.polynomial.Polynomial]:
    """Return the parameters of a rate and the solution, of a degree one higher."""
    coefficients = np.random.default_rng(degree).uniform(0.5, 1.0, degree + 1)
    solution = np.polynomial.Polynomial(coefficients).integ()
    return np.array([degree + 1.0, *coefficients]), solution


# --- backward differentiation -----------------------------------------------------------------


def with_past(run: Integration, order: int, h: float, past: np.ndarray) -> Integration:
    """Give a BDF integration its past: the states at T, T − h, … in rows."""
    w, m = run._w, run._m
    m.started = 1
    m[BdfInteger.ORDER] = m[BdfInteger.ORDER_NEXT] = order
    m[BdfInteger.EQUAL_STEPS] = -(10**9)  # so that order and size stay as they are
    w[BdfReal.H_D] = w.h = h
    for j in range(order + 1):
        run._vector(BdfVec.DIFFERENCES + j)[:] = past[0]
        past = past[:-1] - past[1:]
    return run


@pytest.mark.parametrize("order", range(1, bdf.HIGHEST + 1))
@pytest.mark.parametrize("excess", [0, 1])
def test_bdf_is_exact_for_solutions_of_its_order_and_no_higher(order, excess):
    h = 0.3
    p, solution = rate_of_degree(order - 1 + excess)
    run = make_integration(
        "bdf", native(polynomial_rate), [solution(1.0)], t0=1.0, p=p, atol=HUGE
    )
    with_past(run, order, h, solution(1.0 - h * np.arange(order + 1))[:, None])
    within = 1.0 + h * np.array([0.3, 0.8, 1.0])
    run.advance(1.0 + h, grid=within)
    assert run.statistics.steps == 1
    error = np.abs(run.samples[:, 0] - solution(within)).max()
    assert (error < 1e-14) if excess == 0 else (error > 1e-5)


@pytest.mark.parametrize("order", range(1, bdf.HIGHEST + 1))
def test_bdf_converges_with_its_order(order):
    count = (2000, 400, 200, 150, 120)[order - 1]
    errors = []
    for n in (count, 2 * count):
        h = 2.0 / n
        t = -h * np.arange(order + 1)
        run = make_integration("bdf", native(rotation), [0.0, 1.0], atol=HUGE, max_step=h)
        with_past(run, order, h, np.stack([np.sin(t), np.cos(t)], axis=-1))
        run.advance(2.0)
        assert run.statistics.steps == n
        errors.append(np.abs(run.state - [np.sin(2.0), np.cos(2.0)]).max())
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.15)


def test_bdf_rescales_its_differences_without_moving_the_polynomial():
    n, order = 2, 4
    w = np.zeros(HEAD + BdfVec.COUNT * n).view(Work)
    d = w[HEAD + BdfVec.DIFFERENCES * n :].reshape(-1, n)
    past = np.random.default_rng(0).normal(size=(order + 1, n))
    polynomials = [
        np.polynomial.Polynomial.fit(-np.arange(5), past[:, i], 4) for i in (0, 1)
    ]
    for factor in (0.37, 2.5):
        values = past.copy()
        for j in range(order + 1):
            d[j] = values[0]
            values = values[:-1] - values[1:]
        native(bdf.rescale)(n, w, order, factor)
        values = np.stack([p(-factor * np.arange(5)) for p in polynomials], axis=-1)
        for j in range(order + 1):
            np.testing.assert_allclose(d[j], values[0], atol=3e-12)
            values = values[:-1] - values[1:]


# --- Adams --------------------------------------------------------------------------------------


def with_rates(run: Integration, order: int, times: np.ndarray, rates: np.ndarray) -> None:
    """Give an Adams integration its past: the rates at T = times[0] and before, in rows."""
    w, m = run._w, run._m
    m.started = 1
    m[AdamsInteger.ORDER] = m[AdamsInteger.ORDER_OLD] = order
    psi = w[HEAD + AdamsVec.COUNT * run.n + AdamsTable.PSI :]
    adams.start_formulas.function(w[HEAD + AdamsVec.COUNT * run.n :])
    run._vector(Vec.F)[:] = rates[0]
    # φᵢ = ψ₁ … ψᵢ₋₁ f[t₀, …, tᵢ₋₁]
    divided, scale = rates.copy(), 1.0
    for i in range(1, order + 2):
        run._vector(AdamsVec.PHI + i)[:] = scale * divided[0]
        psi[i] = times[0] - times[i]
        scale *= psi[i]
        spans = (times[: len(divided) - 1] - times[i : i + len(divided) - 1])[:, None]
        divided = (divided[:-1] - divided[1:]) / spans


@pytest.mark.parametrize("order", range(1, adams.HIGHEST + 1))
@pytest.mark.parametrize("excess", [0, 1])
def test_adams_is_exact_for_rates_of_its_order_and_no_higher(order, excess):
    h = 0.2
    p, solution = rate_of_degree(order + excess)
    rng = np.random.default_rng(order)
    times = 1.0 - np.concatenate([[0.0], np.cumsum(rng.uniform(0.1, 0.3, order + 1))])
    run = make_integration(
        "adams", native(polynomial_rate), [solution(1.0)], t0=1.0, p=p, atol=HUGE, step=h
    )
    with_rates(run, order, times, solution.deriv()(times)[:, None])
    within = 1.0 + h * np.array([0.3, 0.8, 1.0])
    run.advance(1.0 + h, grid=within)
    assert run.statistics.steps == 1
    error = np.abs(run.samples[:, 0] / solution(within) - 1.0).max()
    assert (error < 1e-15) if excess == 0 else (error > 1e-5)


@pytest.mark.parametrize("order", range(1, 7))
def test_one_adams_step_errs_by_its_order(order):
    # prediction of order k, correction of order k + 1: an error of h^(k + 2)
    errors = []
    for h in (0.04, 0.02):
        times = 1.0 - h * np.arange(order + 2)
        states = FORCED.solution(times)
        rates = np.empty_like(states)
        for t, x, dx in zip(times, states, rates, strict=True):
            forced(np.array([t]), x, np.zeros(1), dx)
        run = make_integration(
            "adams", native(forced), states[0], t0=1.0, atol=HUGE, step=h
        )
        with_rates(run, order, times, rates)
        run.advance(1.0 + h)
        errors.append(np.abs(run.state - FORCED.solution(np.array(1.0 + h))).max())
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order + 2, abs=0.15)


def test_adams_raises_its_order_with_the_accuracy():
    orders = []
    for rtol in (1e-3, 1e-6, 1e-12):
        run = make_integration("adams", native(rotation), [0.0, 1.0], rtol=rtol, atol=rtol)
        run.advance(30.0)
        orders.append(int(run._m[AdamsInteger.ORDER]))
    assert orders == sorted(orders) and orders[0] < 8 and orders[2] > 9


# --- stiff problems -----------------------------------------------------------------------------

STIFF = {
    "van der Pol": (van_der_pol, van_der_pol_jacobian, [2.0, 0.0], 1000.0),
    "Robertson": (robertson, robertson_jacobian, [1.0, 0.0, 0.0], 1e5),
}
SIZES = {"van der Pol": np.array([2.0, 1e-3]), "Robertson": np.array([1.0, 3e-5, 1.0])}


def make_grid(name: str) -> np.ndarray:
    return np.concatenate(
        [np.linspace(0.0, 0.2, 201), np.linspace(0.3, STIFF[name][3], 14)]
    )


@functools.cache
def reference(name: str) -> np.ndarray:
    """Return the solution by SciPy's Radau method, from functions in plain Python."""

    def van_der_pol_rate(t, x):
        return [x[1], 1000.0 * (1 - x[0] ** 2) * x[1] - x[0]]

    def van_der_pol_matrix(t, x):
        return [[0.0, 1.0], [-2000.0 * x[0] * x[1] - 1, 1000.0 * (1 - x[0] ** 2)]]

    def robertson_rate(t, x):
        slow, fast = -0.04 * x[0] + 1e4 * x[1] * x[2], 3e7 * x[1] ** 2
        return [slow, -slow - fast, fast]

    def robertson_matrix(t, x):
        a, b, c = 1e4 * x[2], 1e4 * x[1], 6e7 * x[1]
        return [[-0.04, a, b], [0.04, -a - c, -b], [0.0, c, 0.0]]

    rate, matrix = {
        "van der Pol": (van_der_pol_rate, van_der_pol_matrix),
        "Robertson": (robertson_rate, robertson_matrix),
    }[name]
    start, end = STIFF[name][2:]
    grid = make_grid(name)
    options = {
        "method": "Radau",
        "jac": matrix,
        "rtol": 1e-8,
        "atol": 1e-12,
        "t_eval": grid,
    }
    return solve_ivp(rate, (0.0, end), start, **options).y.T


@pytest.mark.slow
@pytest.mark.parametrize(("name", "far"), [("van der Pol", 120), ("Robertson", 3)])
def test_bdf_solves_stiff_problems(name, far):
    rhs, jacobian, start, end = STIFF[name]
    for rtol in (1e-4, 1e-6):
        for given in (native(jacobian), None):
            run = make_integration(
                "bdf",
                native(rhs),
                start,
                p=np.array([1000.0]),
                jacobian=given,
                rtol=rtol,
                atol=rtol * 1e-2 * SIZES[name],
            )
            assert run.advance(end, grid=make_grid(name)) is Outcome.REACHED
            cost = run.statistics
            error = (np.abs(run.samples - reference(name)) / SIZES[name]).max()
            assert error < far * rtol
            assert cost.factorisations < 0.35 * cost.steps
            assert cost.jacobians < 0.1 * cost.steps


@pytest.mark.slow
@pytest.mark.parametrize(("name", "far"), [("van der Pol", 140), ("Robertson", 7)])
def test_auto_goes_over_to_backward_differentiation(name, far):
    rhs, jacobian, start, end = STIFF[name]
    for rtol in (1e-4, 1e-6):
        run = make_integration(
            "auto",
            native(rhs),
            start,
            p=np.array([1000.0]),
            jacobian=native(jacobian),
            rtol=rtol,
            atol=rtol * 1e-2 * SIZES[name],
        )
        assert run.advance(end, grid=make_grid(name)) is Outcome.REACHED
        cost = run.statistics
        names = [name for _, name in cost.switches]  # in fast phases it may return
        assert cost.method == "bdf" and names[0] == names[-1] == "bdf"
        assert 0.0 < cost.switches[0][0] < 0.2
        error = (np.abs(run.samples - reference(name)) / SIZES[name]).max()
        assert error < far * rtol


@pytest.mark.parametrize("rtol", [1e-3, 1e-8])
def test_auto_stays_explicit_where_nothing_is_stiff(rtol):
    run = make_integration("auto", native(rotation), [0.0, 1.0], rtol=rtol, atol=rtol)
    run.advance(100.0)
    assert run.statistics.method == "dop853" and run.statistics.switches == ()


# --- linear systems ---------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 5, 40])
@pytest.mark.parametrize("route", ["plain", "native", "wide"])
def test_elimination_solves_linear_systems(n, route):
    if route == "plain":
        eliminate, insert = factorise, substitute
    else:
        eliminate = native(factorise, wide=route == "wide")
        insert = native(substitute, wide=route == "wide")
    rng = np.random.default_rng(n)
    A, b = rng.normal(size=(n, n)), rng.normal(size=n)
    columns, pivots, x = A.T.ravel().copy(), np.zeros(n), b.copy()
    assert eliminate(n, columns, pivots) == 1
    insert(n, columns, pivots, x)
    np.testing.assert_allclose(x, np.linalg.solve(A, b), rtol=1e-10)


def test_elimination_notices_a_singular_matrix():
    columns = np.array([1.0, 2.0, 2.0, 4.0])
    assert native(factorise)(2, columns.copy(), np.zeros(2)) == 0
    assert factorise(2, columns, np.zeros(2)) == 0
