"""Powers of errors: the functions of kernels against those of the C library, alone and in lanes."""

from __future__ import annotations

import numpy as np
import pytest

from motorik.compiler.kernels import Float, Floats, Int, kernel, lanes, native
from motorik.simulation.stepping.powers import exponential, natural_log


@kernel
def logarithms(n: Int, x: Floats, y: Floats) -> None:
    for i in lanes(n):
        y[i] = natural_log(x[i])


@kernel
def exponentials(n: Int, x: Floats, y: Floats) -> None:
    for i in lanes(n):
        y[i] = exponential(x[i])


@kernel
def power(x: Float, a: Float) -> Float:
    return exponential(a * natural_log(x))


@pytest.mark.parametrize(
    "own, exact, given",
    [
        (logarithms, np.log, np.exp(np.linspace(-690.0, 700.0, 1001))),
        (logarithms, np.log, np.linspace(0.4, 2.1, 1001)),
        (exponentials, np.exp, np.linspace(-700.0, 700.0, 1001)),
        (exponentials, np.exp, np.linspace(-1.0, 1.0, 1001)),
    ],
)
def test_logarithm_and_exponential_are_those_of_the_c_library(own, exact, given):
    found, plain = np.zeros_like(given), np.zeros_like(given)
    native(own)(given.size, given, found)
    own(given.size, given, plain)
    np.testing.assert_allclose(found, exact(given), rtol=1e-13, atol=1e-15)
    np.testing.assert_allclose(plain, exact(given), rtol=1e-13, atol=1e-15)


def test_a_power_beyond_the_range_is_held():
    assert power(1e300, -100.0) == pytest.approx(np.exp(-700.0))
    assert power(1e-12, -0.125) == pytest.approx(1e-12**-0.125, rel=1e-13)
