"""Times at which laws change: found in what they compute, and met exactly by every method."""

import casadi
import numpy as np
import pytest

from motorik import Model, blocks, rotational
from motorik.functions import cos, floor, maximum, sin, where

ADAPTIVE = ("bosh3", "dopri5", "dop853", "gbs", "adams", "bdf", "auto")
FIXED = ("euler", "rk4")


class Driven(Model):
    """An inertia of 1 kg·m² driven by a function of time."""

    def build(self, f=None, source=None):
        self.shaft = rotational.Inertia(J=1.0, phi=0.0, w=0.0)
        self.motor = rotational.Torque()
        self.source = source or blocks.TimeFunction(f=f)
        self.source.y >> self.motor.tau
        self.motor.flange >> self.shaft.flange_a


def corners_of(model, begin, end):
    system = model.compile()
    return system.time_events.times(begin, end, system.parameter_values()).tolist()


def make_pulse():
    return Driven(
        source=blocks.Trapezoid(
            amplitude=5.0,
            rising=0.01,
            width=1.0,
            falling=0.01,
            period=100.0,
            nperiod=1,
            startTime=5.0,
        )
    )


@pytest.mark.slow
@pytest.mark.parametrize("method", [*ADAPTIVE, *FIXED])
def test_no_method_steps_over_a_pulse(method):
    step = 0.013 if method in FIXED else None
    result = make_pulse().simulate(10.0, method=method, step=step)
    off = abs(result["shaft.w"][-1] - 5.05)
    print(f"{method}: off by {off:.1e}")
    assert off < (1e-5 if method == "bdf" else 1e-12)


@pytest.mark.parametrize("method", ADAPTIVE)
def test_a_step_late_in_a_run_is_met(method):
    class Late(Model):
        def build(self):
            self.shaft = rotational.Inertia(J=1.0, phi=0.0, w=0.0)
            self.step = rotational.TorqueStep(stepTorque=2.0, startTime=9.0)
            self.step.flange >> self.shaft.flange_a

    result = Late().simulate(10.0, method=method)
    assert result["shaft.w"][-1] == pytest.approx(2.0, rel=1e-5)
    assert result["shaft.phi"][-1] == pytest.approx(1.0, rel=1e-5)


@pytest.mark.parametrize(
    ("f", "exact"),
    [
        (lambda t: where(t < 0.5, 1.0, 0.0), [0.5]),
        (lambda t: where(2.0 * t - 3.0 > 0.0, t, 0.0), [1.5]),
        (lambda t: abs(t - 0.7), [0.7]),
        (lambda t: maximum(t, 1.25), [1.25]),
        (lambda t: t % 0.9, [0.9, 1.8]),
        (lambda t: casadi.remainder(t, 0.8), [0.4, 1.2, 2.0]),
        (lambda t: floor(t / 0.4), [0.4, 0.8, 1.2, 1.6, 2.0]),
        (lambda t: where(t - floor(t) < 0.3, 1.0, 0.0), [0.3, 1.0, 1.3, 2.0]),
        (lambda t: where(t < 0.5, 1.0, where(t < 1.5, 2.0, 3.0)), [0.5, 1.5]),
        (lambda t: where(sin(3.0 * t) > 0.5, 1.0, 0.0), None),
        (lambda t: sin(t) * t, []),
    ],
)
def test_corners_of_functions_of_time(f, exact):
    found = corners_of(Driven(f=f), 0.0, 2.2)
    if exact is None:  # sin 3t = ½
        turn = 2.0 * np.pi
        angles = [np.pi / 6, 5 * np.pi / 6, np.pi / 6 + turn]
        exact = [a / 3.0 for a in angles if a / 3.0 < 2.2]
    assert found == pytest.approx(exact, abs=1e-14)


def test_periodic_corners_are_counted_not_added_up():
    source = blocks.Trapezoid(amplitude=1.0, width=0.05, period=0.1)
    found = np.array(corners_of(Driven(source=source), 0.0, 100.0))
    exact = np.sort(
        np.concatenate([np.arange(1, 1000) * 0.1, np.arange(1000) * 0.1 + 0.05])
    )
    assert found.size == exact.size
    assert np.abs(found - exact).max() < 1e-12


def test_a_change_by_the_state_is_no_corner_of_time():
    class Sprung(Model):
        def build(self):
            self.shaft = rotational.Inertia(J=1.0, phi=1.0, w=0.0)
            self.motor = rotational.Torque()
            self.angle = rotational.AngleSensor()
            self.law = blocks.Function(f=lambda u: where(u > 0.0, -u, -2.0 * u))
            self.shaft.flange_b >> self.angle.flange
            self.angle.phi >> self.law.u
            self.law.y >> self.motor.tau
            self.motor.flange >> self.shaft.flange_a

    assert corners_of(Sprung(), 0.0, 10.0) == []


def test_both_sides_of_a_corner_are_seen_by_the_stages_of_their_side():
    """A jump of a force at 0.5 s changes the error of a run by rounding only."""
    model = Driven(f=lambda t: where(t < 0.5, cos(t), -3.0))
    for method in ("dopri5", "dop853", "gbs", "rk4"):
        step = 0.05 if method == "rk4" else None
        result = model.simulate(1.0, method=method, rtol=1e-10, step=step)
        exact = np.sin(0.5) - 1.5
        limit = 1e-8 if method == "rk4" else 1e-11
        assert result["shaft.w"][-1] == pytest.approx(exact, abs=limit)


def test_a_live_start_time_moves_the_corner():
    from motorik import Parameter

    model = Driven(source=blocks.Step(startTime=Parameter(1.0, name="when")))
    for when in (0.25, 1.0, 1.75):
        result = model.simulate(2.0, parameters={"when": when})
        assert result["shaft.w"][-1] == pytest.approx(2.0 - when, abs=1e-12)
