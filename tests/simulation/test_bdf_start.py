"""The first step of backward differentiation: order, stability, what it leaves behind."""

import numpy as np
import pytest

from motorik.compiler.kernels import Floats, kernel, native
from motorik.simulation.integration import make_integration
from motorik.simulation.methods import bdf
from motorik.simulation.methods.bdf import BdfInteger, BdfReal, BdfVec
from tests.simulation.ode_problems import FORCED, forced
from validation.closed_forms import Ball, G, times

WEIGHTS = np.array(bdf.ROWS)
A = WEIGHTS[:5] + bdf.DIAGONAL * np.eye(5)
C = A.sum(axis=1)
HUGE = 1e30


def butcher(b: np.ndarray) -> list[np.ndarray]:
    """Return Butcher's sums for the orders 1 to 4, times the numbers they are to be 1 with."""
    first = np.array([b.sum()])
    second = np.array([2 * b @ C])
    third = np.array([3 * b @ C**2, 6 * b @ A @ C])
    fourth = [4 * b @ C**3, 8 * (b * C) @ A @ C, 12 * b @ A @ C**2, 24 * b @ A @ A @ C]
    return [first, second, third, np.array(fourth)]


def test_the_step_has_order_4_and_the_formula_beside_it_order_3():
    assert np.allclose(C, bdf.NODES, rtol=0, atol=1e-15)
    assert all(np.allclose(sums, 1.0, rtol=0, atol=1e-14) for sums in butcher(A[4]))
    *low, fourth = butcher(A[4] - WEIGHTS[bdf.EMBEDDED])
    assert all(np.allclose(sums, 1.0, rtol=0, atol=1e-14) for sums in low)
    assert np.abs(fourth - 1.0).min() > 0.05


@pytest.mark.parametrize("third", [1, 2])
def test_states_within_the_step_have_order_3(third):
    theta = third / bdf.THIRDS
    *low, _ = butcher(WEIGHTS[bdf.WITHIN + third - 1])
    for order, sums in enumerate(low, 1):
        assert np.allclose(sums, theta**order, rtol=0, atol=1e-14)


def first_error(h: float) -> tuple[float, float]:
    """Return the errors of a first step of size h, at its end and within it."""
    run = make_integration("bdf", native(forced), FORCED.start, step=h, atol=HUGE)
    within = h * np.array([0.25, 0.6, 1.0])
    run.advance(h, grid=within)
    assert run.statistics.steps == 1
    errors = np.abs(run.samples - FORCED.solution(within)).max(axis=1)
    return errors[-1], errors.max()


def test_errors_of_the_first_step_shrink_by_its_order():
    coarse, fine = first_error(0.1), first_error(0.05)
    assert np.log2(coarse[0] / fine[0]) > 4.5
    assert np.log2(coarse[1] / fine[1]) > 3.5


@kernel
def relax(t: Floats, x: Floats, p: Floats, dx: Floats) -> None:
    """Follow the ramp p₁ t at the rate p₀, however stiff that is."""
    dx[0] = p[0] * (p[1] * t[0] - x[0]) + p[1]


def test_stiffness_does_not_shorten_the_first_step():
    run = make_integration(
        "bdf", native(relax), [0.0], p=np.array([1e9, 2.0]), step=0.1, rtol=1e-6, atol=1e-9
    )
    run.advance(0.1)
    assert run.statistics.steps == 1 and run.statistics.rejected == 0
    assert abs(run.state[0] - 0.2) < 1e-12


def test_the_past_that_is_left_is_that_of_the_next_steps():
    h = 0.01
    run = make_integration("bdf", native(forced), FORCED.start, step=h, atol=HUGE)
    run.advance(h)
    assert run._m[BdfInteger.ORDER] == bdf.THIRDS
    assert run._w[BdfReal.H_D] == pytest.approx(h / bdf.THIRDS)
    past = FORCED.solution(h - h / 3 * np.arange(4))
    for j in range(4):
        assert np.abs(run._vector(BdfVec.DIFFERENCES + j) - past[0]).max() < 1e-8
        past = past[:-1] - past[1:]
    assert run._w.h_restart > h


@pytest.mark.parametrize("method", ["dopri5", "bosh3", "gbs", "adams", "bdf"])
@pytest.mark.parametrize("rtol", [1e-3, 1e-6])
def test_flights_lower_than_the_tolerance_last_as_long_as_they_should(method, rtol):
    result = Ball(e=0.9).simulate(10.0, method=method, rtol=rtol, output=10)
    exact = np.sqrt(2.0 / G) * 19.0
    assert abs(times(result, "bumper", "closes")[-1] - exact) < 1e-6
