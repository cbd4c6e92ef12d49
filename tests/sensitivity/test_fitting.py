"""Parameters fitted to noisy data: known values, scipy's least squares, intervals, refusals."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from motorik.errors import ParameterError, UnknownNameError
from motorik.sensitivity.fitting import student_quantile
from tests.refusals import refused
from tests.sensitivity.test_sensitivities import Bouncing, Swinging
from tests.simulation.test_control_loop import arm

TRUE = {"spring.c": 31.0, "spring.d": 0.8}
NOISE = {"mass.s": 0.01, "mass.v": 0.1}


@cache
def swinging() -> Swinging:
    """Return the oscillator, compiled once."""
    return Swinging()


def measured(seed: int = 1, count: int = 100) -> dict[str, np.ndarray]:
    """Return noisy data of the oscillator with the true values, some of them missing."""
    rng = np.random.default_rng(seed)
    result = swinging().simulate(4.0, rtol=1e-9, output=count, parameters=TRUE)
    data = {n: result[n] + s * rng.standard_normal(count + 1) for n, s in NOISE.items()}
    data["mass.v"][::7] = np.nan
    return {"time": result.time, **data}


@pytest.mark.slow
def test_intervals_contain_the_truth_as_often_as_they_say():
    inside = 0
    for seed in range(40):
        found = swinging().fit(measured(seed), list(TRUE), noise=NOISE)
        for name, value in TRUE.items():
            low, high = found.intervals[name]
            inside += low < value < high
    assert 70 <= inside <= 80  # of 80; 76 are expected


def test_a_fit_is_that_of_scipy():
    optimize = pytest.importorskip("scipy.optimize", reason="scipy is not installed")
    data = measured()
    found = swinging().fit(data, list(TRUE), noise=NOISE)

    def residuals(numbers: np.ndarray) -> np.ndarray:
        given = dict(zip(TRUE, numbers, strict=True))
        result = swinging().simulate(4.0, rtol=1e-9, output=data["time"], parameters=given)
        rows = [(result[n] - data[n]) / s for n, s in NOISE.items()]
        flat = np.concatenate(rows)
        return flat[np.isfinite(flat)]

    expected = optimize.least_squares(residuals, [20.0, 0.3], x_scale=[20.0, 0.3])
    values = np.array(list(found.values.values()))
    np.testing.assert_allclose(values, expected.x, rtol=1e-5)
    covariance = np.linalg.inv(expected.jac.T @ expected.jac)
    np.testing.assert_allclose(found.covariance, covariance, rtol=1e-3)
    assert found.converged and found.freedom == 202 - 15 - 2
    assert found.units == {"spring.c": "N/m", "spring.d": "N.s/m"}
    assert "spring.c = 3" in repr(found) and "N/m" in repr(found)
    result = found.result()
    left = result["mass.s"] - data["mass.s"]
    np.testing.assert_allclose(found.residuals["mass.s"], left, atol=1e-7)


def test_noise_is_estimated_and_starts_are_fitted():
    found = swinging().fit(measured(), [*TRUE, "mass.s"])
    assert found.noise["mass.s"] == pytest.approx(0.01, rel=0.2)
    assert found.noise["mass.v"] == pytest.approx(0.1, rel=0.2)
    assert found["mass.s"] == pytest.approx(1.0, abs=5 * found.errors["mass.s"])
    assert np.abs(found.correlation).max() == pytest.approx(1.0)


def test_exact_data_give_exact_values():
    result = arm().simulate(
        0.5, rtol=1e-11, method="dop853", output=25, parameters={"link3.m": 2.2}
    )
    data = {"time": result.time, "hinge2.phi": result["hinge2.phi"]}
    found = arm().fit(data, ["link3.m", "hinge1.w"], rtol=1e-10)
    assert found["link3.m"] == pytest.approx(2.2, abs=1e-6)
    assert found["hinge1.w"] == pytest.approx(0.0, abs=1e-5)


def test_parameters_are_fitted_through_impacts():
    result = Bouncing().simulate(
        1.7, rtol=1e-10, output=60, parameters={"stop.restitution": 0.73}
    )
    data = {"time": result.time, "mass.s": result["mass.s"]}
    found = Bouncing().fit(
        data, {"stop.restitution": (0.1, 1.0)}, values={"stop.restitution": 0.74}
    )
    assert found["stop.restitution"] == pytest.approx(0.73, abs=1e-6)


def test_bounds_hold():
    found = swinging().fit(measured(), {"spring.c": (1.0, 30.0), "spring.d": None})
    assert found["spring.c"] == 30.0 and found.at_bound == ("spring.c",)
    assert found.errors["spring.c"] == 0.0 < found.errors["spring.d"]
    assert "at its bound" in repr(found)


def test_what_cannot_be_fitted_is_refused():
    data = measured()
    with refused(ParameterError, "spring.c, spring.d, mass.m", "told apart"):
        swinging().fit(data, [*TRUE, "mass.m"])
    short = {"time": data["time"], "mass.s": data["mass.s"]}
    with refused(ParameterError, "link3.m", "no influence", "hinge1.phi"):
        arm().fit(
            {"time": [0.0, 0.1, 0.2], "hinge1.phi": [0.2, 0.2, 0.2]},
            ["link3.m", "hinge1.w"],
        )
    with refused(ParameterError, "spring.c", "(40.0, 50.0)"):
        swinging().fit(short, {"spring.c": (40.0, 50.0)})
    with refused(ParameterError, "'time'"):
        swinging().fit({"mass.s": [1.0]}, ["spring.c"])
    with refused(ParameterError, "mass.s", "shape (1,)"):
        swinging().fit({"time": [0.0, 1.0], "mass.s": [1.0]}, ["spring.c"])
    with refused(ParameterError, "two equal"):
        swinging().fit({"time": [0.0, 0.0], "mass.s": [1.0, 1.0]}, ["spring.c"])
    with refused(UnknownNameError, "mass.s", "standard deviation"):
        swinging().fit(short, ["spring.c"], noise={"mass.v": 1.0})
    with refused(UnknownNameError, "parameters: ", "spring.k", "spring.c"):
        swinging().fit(short, ["spring.k"])
    with refused(UnknownNameError, "parameters", "names nothing"):
        swinging().fit(short, [])


@pytest.mark.parametrize("freedom", [1, 2, 3, 4, 7, 40, 1000])
def test_quantiles_are_students(freedom):
    stats = pytest.importorskip("scipy.stats", reason="scipy is not installed")
    expected = stats.t.ppf(0.975, freedom)
    assert student_quantile(0.975, freedom) == pytest.approx(expected, rel=1e-9)
