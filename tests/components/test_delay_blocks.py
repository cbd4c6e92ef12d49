"""Delays: closed forms by the method of steps, jumps at exact times, loops, bad input."""

from __future__ import annotations

import copy
import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import motorik as mk
from motorik import blocks, rotational
from motorik.errors import ParameterError, SimulationError
from motorik.exchange.modelica import read
from tests.refusals import refused


def chain(*parts: Any) -> mk.Model:
    """Return a model of blocks in series: part1, part2, …"""
    model = mk.Model()
    for k, part in enumerate(parts, 1):
        setattr(model, f"part{k}", part)
    for before, after in pairwise(parts):
        mk.connect(before.y, after.u)
    return model


def by_steps(t: float) -> float:
    """Return x of ẋ(t) = −x(t − 1), x = 1 before 0: a polynomial in each unit of time."""
    terms = range(int(max(t, 0.0)) + 2)
    return sum((-1) ** k * (t - k + 1) ** k / math.factorial(k) for k in terms)


@pytest.fixture(scope="module")
def equation() -> mk.Model:
    model = chain(blocks.Integrator(k=-1.0, y_start=1.0), blocks.FixedDelay(delayTime=1.0))
    mk.connect(model.part2.y, model.part1.u)
    return model


@pytest.mark.parametrize(
    ("method", "rtol", "most"),
    [
        ("auto", 1e-4, 3e-4),
        ("auto", 1e-9, 1e-9),
        ("dopri5", 1e-8, 1e-7),
        ("bdf", 1e-7, 1e-5),
        ("adams", 1e-7, 1e-6),
        ("gbs", 1e-10, 1e-9),
    ],
)
def test_a_delay_differential_equation_is_solved_as_the_method_of_steps_does(
    equation: mk.Model, method: str, rtol: float, most: float
):
    result = equation.simulate(8.0, method=method, rtol=rtol)
    expected = [by_steps(t) for t in result.time]
    assert np.abs(result["part1.y"] - expected).max() < most
    before = [by_steps(max(t - 1.0, 0.0)) for t in result.time]
    assert np.abs(result["part2.y"] - before).max() < most


def test_steps_of_a_given_size_may_be_as_long_as_the_delay_and_no_longer(
    equation: mk.Model,
):
    result = equation.simulate(4.0, method="rk4", step=1.0 / 16.0)
    assert np.abs(result["part1.y"] - [by_steps(t) for t in result.time]).max() < 1e-6
    with refused(SimulationError, "part2: delays its signal by 1 s", "step"):
        equation.simulate(4.0, method="rk4", step=1.5)


def test_a_result_keeps_its_own_past(equation: mk.Model):
    first = equation.simulate(3.0, rtol=1e-8)
    for _ in range(3):
        equation.simulate(2.0)
    many = equation.simulate(3.0, output=np.linspace(0.0, 3.0, 10_001), rtol=1e-8)
    for result in (first, many):
        before = [by_steps(max(t - 1.0, 0.0)) for t in result.time]
        assert np.abs(result["part2.y"] - before).max() < 1e-7


def test_simulators_that_part_have_pasts_of_their_own(equation: mk.Model):
    one = equation.simulator(rtol=1e-9)
    one.step(2.5)
    other = copy.copy(one)
    one.step(1.5)
    other.step(0.7)
    other.step(0.8)
    for simulator in (one, other):
        assert simulator["part1.y"] == pytest.approx(by_steps(4.0), abs=1e-8)


def test_a_sine_is_the_same_sine_later():
    delay = mk.Parameter(0.7)
    model = chain(
        blocks.Sine(f=3.0), blocks.FixedDelay(delayTime=delay), blocks.Integrator()
    )
    for T in (0.7, 0.15):
        result = model.simulate(3.0, parameters={"part2.delayTime": T}, rtol=1e-8)
        s, w = np.maximum(result.time - T, 0.0), 6.0 * math.pi
        assert np.abs(result["part2.y"] - np.sin(w * s)).max() < 1e-7
        assert np.abs(result["part3.y"] - (1.0 - np.cos(w * s)) / w).max() < 1e-7


def test_a_jump_returns_at_the_exact_time_in_each_delay():
    model = chain(
        blocks.Step(startTime=1.0, height=2.0),
        blocks.FixedDelay(delayTime=0.3),
        blocks.FixedDelay(delayTime=0.45),
        blocks.Integrator(),
    )
    times = [0.0, 1.3 - 1e-9, 1.3, 1.75 - 1e-9, 1.75, 3.0]
    result = model.simulate(3.0, output=times)
    assert result["part2.y"].tolist() == pytest.approx([0.0, 0.0, 2.0, 2.0, 2.0, 2.0])
    assert result["part3.y"].tolist() == pytest.approx([0.0, 0.0, 0.0, 0.0, 2.0, 2.0])
    assert result["part4.y"][-1] == pytest.approx(2.0 * (3.0 - 1.75), abs=1e-12)


def test_a_state_event_returns_after_the_delay():
    """x = t; u = 1 from x = 0.4 on; its integral begins at 0.4 + 0.25."""
    model = chain(
        blocks.Constant(k=1.0),
        blocks.Integrator(),
        blocks.GreaterThreshold(threshold=0.4),
        blocks.BooleanToReal(),
        blocks.FixedDelay(delayTime=0.25),
        blocks.Integrator(),
    )
    result = model.simulate(1.0)
    assert result["part6.y"][-1] == pytest.approx(1.0 - 0.65, abs=1e-8)


def test_a_limiter_behind_a_delay_is_met():
    model = chain(
        blocks.ContinuousClock(),
        blocks.FixedDelay(delayTime=0.2),
        blocks.Limiter(uMax=0.5),
        blocks.Integrator(),
    )
    result = model.simulate(1.0, rtol=1e-9)
    assert result["part4.y"][-1] == pytest.approx(0.5**2 / 2.0 + 0.5 * 0.3, abs=1e-9)


def test_at_the_start_a_loop_is_solved_without_its_delays():
    """y = k (1 − y) at the start, and at all times after it: the delayed loop rests there."""
    model = mk.Model()
    model.one, model.difference = blocks.Constant(k=1.0), blocks.Feedback()
    model.gain, model.delay = blocks.Gain(k=0.5), blocks.FixedDelay(delayTime=0.2)
    mk.connect(model.one.y, model.difference.u1)
    mk.connect(model.difference.y, model.gain.u)
    mk.connect(model.gain.y, model.delay.u)
    mk.connect(model.delay.y, model.difference.u2)
    result = model.simulate(1.0)
    assert np.abs(result["delay.y"] - 1.0 / 3.0).max() < 1e-9


def test_a_smith_predictor_controls_a_dead_time_as_if_it_were_behind_the_loop():
    """With an exact model the output is that of the loop without the dead time, later."""
    model = mk.Model()
    model.target = blocks.Step(startTime=0.1)
    model.error, model.mismatch = blocks.Feedback(), blocks.Feedback()
    model.inner, model.PI = blocks.Feedback(), blocks.PI(k=4.0, T=0.5)
    model.plant, model.dead = blocks.FirstOrder(T=0.5), blocks.FixedDelay(delayTime=0.4)
    model.model, model.model_dead = (
        blocks.FirstOrder(T=0.5),
        blocks.FixedDelay(delayTime=0.4),
    )
    mk.connect(model.target.y, model.error.u1)
    mk.connect(model.mismatch.y, model.error.u2)
    mk.connect(model.error.y, model.inner.u1)
    mk.connect(model.model.y, model.inner.u2)
    mk.connect(model.inner.y, model.PI.u)
    mk.connect(model.PI.y, model.plant.u)
    mk.connect(model.PI.y, model.model.u)
    mk.connect(model.plant.y, model.dead.u)
    mk.connect(model.model.y, model.model_dead.u)
    mk.connect(model.dead.y, model.mismatch.u1)
    mk.connect(model.model_dead.y, model.mismatch.u2)
    result = model.simulate(2.0, rtol=1e-8)
    # the PI cancels the pole: y = 1 − exp(−8 (t − 0.1 − 0.4))
    later = np.maximum(result.time - 0.5, 0.0)
    assert np.abs(result["dead.y"] - (1.0 - np.exp(-8.0 * later))).max() < 1e-6


def test_a_delayed_torque_acts_on_a_shaft():
    model = mk.Model()
    model.sine, model.delay = blocks.Sine(f=0.5), blocks.FixedDelay(delayTime=0.3)
    model.torque, model.wheel = (
        rotational.Torque(),
        rotational.Inertia(J=1.0, phi=0.0, w=0.0),
    )
    mk.connect(model.sine.y, model.delay.u)
    mk.connect(model.delay.y, model.torque.tau)
    mk.connect(model.torque.flange, model.wheel.flange_a)
    result = model.simulate(2.0, rtol=1e-8)
    later = np.maximum(result.time - 0.3, 0.0)
    assert (
        np.abs(result["wheel.w"] - (1.0 - np.cos(math.pi * later)) / math.pi).max() < 1e-7
    )


def with_delay(source: Any, delay: Any, most: float = 1.0) -> mk.Model:
    """Return a model of a signal that a variable delay passes on to an integrator."""
    model = chain(source, blocks.VariableDelay(delayMax=most), blocks.Integrator())
    model.delay = delay
    mk.connect(model.delay.y, model.part2.delayTime)
    return model


def test_a_variable_delay_follows_its_signal():
    varying = blocks.Sine(amplitude=0.2, f=0.5 / math.pi, offset=0.5)
    model = with_delay(blocks.Sine(f=1.0), varying)
    result = model.simulate(5.0, rtol=1e-8)
    s = np.maximum(result.time - 0.5 - 0.2 * np.sin(result.time), 0.0)
    assert np.abs(result["part2.y"] - np.sin(2.0 * math.pi * s)).max() < 1e-7


def test_a_jump_passes_a_variable_delay_where_its_time_has_come():
    """The delay 0.5 + 0.2 t: the jump at 1 comes where t − 0.5 − 0.2 t = 1."""
    varying = blocks.Ramp(height=1.0, duration=5.0, offset=0.5)
    model = with_delay(blocks.Step(startTime=1.0), varying, 2.0)
    result = model.simulate(3.0)
    assert result["part3.y"][-1] == pytest.approx(3.0 - 1.5 / 0.8, abs=1e-9)


def test_delays_that_are_none_are_refused():
    for T in (0.0, -1.0):
        with refused(ParameterError, f"delayTime = {T} s is too small", "above 0 s"):
            blocks.FixedDelay(delayTime=T)
    with refused(ParameterError, "delayMax = 0.0 s is too small", "above 0 s"):
        blocks.VariableDelay(delayMax=0.0)
    for T in (-0.1, 2.0):
        model = with_delay(blocks.Sine(f=1.0), blocks.Constant(k=T))
        with refused(ParameterError, f"part2: delayTime = {T:g} s", "delayMax = 1 s"):
            model.simulate(1.0)


@pytest.mark.parametrize(("height", "end"), [(-1.0, 0.5), (1.0, 0.5)])
def test_a_run_ends_where_a_delay_comes_to_its_limits(height: float, end: float):
    varying = blocks.Ramp(height=height, duration=1.0, offset=0.5)
    model = with_delay(blocks.Sine(f=1.0), varying)
    with pytest.warns(mk.errors.IncompleteRunWarning, match=r"part2: delayTime comes to"):
        result = model.simulate(1.0)
    assert result.time[-1] == pytest.approx(end, abs=1e-3)


def test_delays_are_read_from_modelica():
    def made(name: str, value: str) -> dict[str, Any]:
        kind = f"Modelica.Blocks.Nonlinear.{name}"
        return {"name": "d", "type": kind, "modifiers": {"delay" + value: "0.25"}}

    for name, value in (("FixedDelay", "Time"), ("VariableDelay", "Max")):
        model = read("M", {"M": {"components": [made(name, value)]}}).model
        assert getattr(model.d, "delay" + value) == 0.25


def test_a_simulation_that_is_taken_elsewhere_forgets_its_past(equation: mk.Model):
    simulator = equation.simulator(rtol=1e-9)
    simulator.step(2.5)
    X = simulator.motion
    X[:] = 1.0
    simulator.take(X, 7.0)
    simulator.step(1.5)
    assert simulator["part1.y"] == pytest.approx(by_steps(1.5), abs=1e-8)
