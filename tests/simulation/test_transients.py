"""Stiff systems with events by method auto: explicit steps until fast modes have decayed."""

from __future__ import annotations

from math import exp

import numpy as np
import pytest

from motorik.gallery.robot_r3 import OneAxis
from motorik.simulation import stiffness
from motorik.simulation.stiffness import settling_time

END, RTOL = 1.498, 1e-6
NEAR = 1e-5  # of the range of each state


@pytest.fixture(scope="module")
def axis() -> OneAxis:
    """Return a motor with current control, whose gear has friction."""
    return OneAxis()


@pytest.fixture(scope="module")
def exact(axis):
    return axis.simulate(END, rtol=1e-10, method="dop853")


@pytest.mark.parametrize("method", ["auto", "bdf"])
def test_states_are_those_of_a_tight_run(axis, exact, method):
    result = axis.simulate(END, rtol=RTOL, method=method)
    assert len(result.events) == len(exact.events) > 4
    for name in axis.compile().layout.state_names:
        far = np.ptp(exact[name])
        np.testing.assert_allclose(result[name], exact[name], rtol=0, atol=NEAR * far)


def test_explicit_steps_after_events_are_fewer(axis):
    auto = axis.simulate(END, rtol=RTOL).info
    ((_, taken),) = auto.switches
    assert taken in {"bdf", "radau"}
    implicit = axis.simulate(END, rtol=RTOL, method=taken).info
    assert auto.steps < implicit.steps and auto.jacobians < implicit.jacobians


def test_a_mode_that_was_estimated_too_slow_costs_few_explicit_steps(axis, monkeypatch):
    implicit = axis.simulate(END, rtol=RTOL, method="bdf").info
    monkeypatch.setattr(stiffness, "settling_time", lambda value, rtol: END)
    result = axis.simulate(END, rtol=RTOL)
    assert result.complete and result.info.steps < implicit.steps
    assert result.info.jacobians > len(result.events)


def test_a_mode_decays_to_its_tolerance():
    time = settling_time(-200.0 + 500.0j, RTOL)
    assert exp(-200.0 * time) == pytest.approx(RTOL)


@pytest.mark.parametrize("value", [0j, 3.0 + 0j, 100.0j])
def test_a_mode_without_damping_does_not_settle(value):
    assert settling_time(value, RTOL) == 0.0
