"""Blocks made of Python functions: ports, parameters and states from the signature."""

from __future__ import annotations

import numpy as np
import pytest

import motorik as mk
from motorik import blocks
from motorik.errors import ParameterError
from motorik.functions import fabs, sin
from tests.refusals import refused


def test_a_function_is_a_block():
    model = mk.Model()
    model.drag = blocks.from_function(lambda v, rho, c=0.5: c * rho * v * fabs(v))
    model.wave = blocks.from_function(lambda t: sin(3.0 * t))
    model.wave.y >> model.drag.v
    1.2 >> model.drag.rho
    result = model.simulate(1.0)
    v = np.sin(3.0 * result.time)
    assert result["drag.y"] == pytest.approx(0.6 * v * abs(v), abs=1e-14)


def test_a_function_with_states_is_a_filter():
    model = mk.Model()
    T = mk.Parameter(0.2)
    model.lag = blocks.from_function(lambda u, x, T=0.2: (x, (u - x) / T), x=0.5)
    model.lag.T = T
    1.0 >> model.lag.u
    for value in (0.2, 0.5):
        result = model.simulate(1.0, parameters={"lag.T": value}, rtol=1e-9)
        wanted = 1.0 - 0.5 * np.exp(-result.time / value)
        assert result["lag.y"] == pytest.approx(wanted, abs=1e-7)
        assert np.array_equal(result["lag.x"], result["lag.y"])


def test_a_loop_closes_through_a_state():
    """The outputs of an oscillator do not depend on its input at once."""

    def oscillator(force, s, v, m=2.0, c=8.0):
        """A mass on a spring."""
        return s, v, v, (force - c * s) / m

    model = mk.Model()
    model.mass = blocks.from_function(
        oscillator, outputs=("position", "speed"), s=1.0, v=0.0
    )
    model.damping = blocks.Gain(k=-0.8)
    model.mass.speed >> model.damping.u
    model.damping.y >> model.mass.force
    result = model.simulate(2.0, rtol=1e-9)
    t, w = result.time, np.sqrt(4.0 - 0.04)
    wanted = np.exp(-0.2 * t) * (np.cos(w * t) + 0.2 / w * np.sin(w * t))
    assert result["mass.position"] == pytest.approx(wanted, abs=1e-7)
    assert "A mass on a spring" in type(model.mass).__doc__


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: blocks.from_function(3.0), ("3.0", "function of scalars")),
        (lambda: blocks.from_function(lambda u: u, x=0.0), ("'x'", "state")),
        (lambda: blocks.from_function(lambda *u: u[0]), ("*u", "place of its own")),
        (lambda: blocks.from_function(lambda y: y), ("argument y", "in use")),
        (lambda: blocks.from_function(lambda u: u, outputs=()), ("no outputs",)),
        (lambda: blocks.from_function(lambda u: u, rates=lambda u: u), ("no states",)),
    ],
)
def test_functions_that_are_no_blocks_are_refused(make, words):
    with refused(ParameterError, *words):
        make()


def test_a_wrong_number_of_values_is_named():
    model = mk.Model()
    model.lag = blocks.from_function(lambda u, x: x, x=0.0)
    1.0 >> model.lag.u
    with refused(ParameterError, "lag", "function"):
        model.simulate(0.1)
