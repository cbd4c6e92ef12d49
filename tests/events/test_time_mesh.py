"""Functions of time without corners: pulses narrower than any step are not passed over."""

import math

import numpy as np
import pytest

from motorik import Model, Parameter, SolverOptions, blocks, rotational
from motorik.functions import cos, exp, sin
from motorik.nonsmooth.laws.time_events import (
    INTERVALS,
    find_breakpoints,
    resolving_lengths,
)

ADAPTIVE = ("bosh3", "dopri5", "dop853", "gbs", "adams", "bdf", "auto")
WORST = {"adams": 1e-4, "bdf": 2e-4}  # of the impulse; of others 2e-5


class Driven(Model):
    """An inertia of 1 kg·m² at rest, driven by a function of time."""

    def build(self, f):
        self.shaft = rotational.Inertia(J=1.0, phi=0.0, w=0.0)
        self.motor = rotational.Torque()
        self.source = blocks.TimeFunction(f=f)
        self.source.y >> self.motor.tau
        self.motor.flange >> self.shaft.flange_a


def train(count):
    """Return a model driven by bell-shaped pulses, and what its speed ends with at 10 s."""
    at, width = Parameter(1.0, name="at"), Parameter(1.0, name="width")
    apart = Parameter(1.0, name="apart")

    def f(t):
        bells = (exp(-(((t - at - k * apart) / width) ** 2)) for k in range(count))
        return sum(bells) / width

    def exact(at, width, apart):
        def part(middle):
            return math.erf((10.0 - middle) / width) + math.erf(middle / width)

        return 0.5 * math.sqrt(math.pi) * sum(part(at + k * apart) for k in range(count))

    return Driven(f=f), exact


@pytest.mark.kinds(4)
@pytest.mark.slow
@pytest.mark.parametrize("method", ADAPTIVE)
@pytest.mark.parametrize("count", [1, 3, 8])
def test_no_method_passes_over_smooth_pulses(method, count):
    model, exact = train(count)
    rng = np.random.default_rng(count)
    worst = 0.0
    for _ in range(12):
        width = 10.0 ** rng.uniform(-2.4, -0.6)
        apart = width * 10.0 ** rng.uniform(0.6, 1.2)
        at = rng.uniform(0.0, max(0.1, 10.0 - count * apart))
        given = {"at": at, "width": width, "apart": apart}
        result = model.simulate(10.0, method=method, parameters=given)
        off = result["shaft.w"][-1] / exact(**given) - 1.0
        worst = max(worst, abs(off))
    print(f"{method}, {count} pulses: off by {worst:.1e} of the impulse")
    assert worst < WORST.get(method, 2e-5)


def test_a_small_pulse_on_a_large_slow_force_is_seen():
    model = Driven(f=lambda t: 1000.0 * sin(t) + 10.0 * exp(-(((t - 7.0) / 0.01) ** 2)))
    result = model.simulate(10.0, rtol=1e-8)
    exact = 1000.0 * (1.0 - math.cos(10.0)) + 0.1 * math.sqrt(math.pi)
    assert result["shaft.w"][-1] == pytest.approx(exact, abs=1e-4)


def test_a_burst_after_a_long_rest_is_seen():
    envelope = 1e-3  # s, of the switch
    model = Driven(f=lambda t: (1.0 + cos(200.0 * t)) / (1.0 + exp((8.0 - t) / envelope)))
    for method in ("dopri5", "gbs", "bdf"):
        result = model.simulate(10.0, method=method, rtol=1e-8)
        fine = model.simulate(
            10.0, method="dopri5", rtol=1e-10, solver=SolverOptions(max_step=1e-4)
        )
        assert result["shaft.w"][-1] == pytest.approx(fine["shaft.w"][-1], rel=2e-4)


@pytest.mark.parametrize(
    ("f", "few"),
    [
        (lambda t: sin(10.0 * t), 0),
        (lambda t: exp(0.3 * t), 0),
        (lambda t: sin(t) * cos(33.0 * t), 10),  # in 105 half waves
    ],
)
def test_what_no_step_can_miss_is_not_visited(f, few):
    """A sustained oscillation wakes step control by itself: such runs cost what they did."""
    system = Driven(f=f).compile()
    assert system.time_events.mesh.count == 1
    assert system.time_events.mesh.times(0.0, 10.0, np.empty(0)).size <= few


def test_straight_functions_of_time_are_not_looked_at():
    result = Driven(f=lambda t: 2.0 * t - 1.0).simulate(1.0)
    assert result.info.assumed == ""


def test_the_run_says_how_closely_it_looked():
    model = Driven(f=lambda t: sin(t))
    assert f"every {8.0 / INTERVALS:.3g} s" in model.simulate(8.0).info.assumed
    assert "nonlinear functions of time: 1" in model.explain()
    assert model.simulate(8.0, method="rk4", step=0.1).info.assumed == ""
    assert model.simulate(8.0, solver=SolverOptions(max_step=1e-3)).info.assumed == ""


def test_a_simulator_sees_pulses_too():
    model, exact = train(1)
    for dt in (10.0, 1.0, 0.03):
        simulator = model.simulator()
        simulator["at"], simulator["width"] = 7.013, 0.02
        while simulator.time < 9.99:
            simulator.step(dt)
        assert simulator["shaft.w"] == pytest.approx(exact(7.013, 0.02, 1.0), rel=1e-4)


def test_a_pulse_that_an_event_switches_on_is_seen():
    class Gated(Model):
        def build(self):
            self.shaft = rotational.Inertia(J=1.0, phi=0.0, w=0.0)
            self.motor = rotational.Torque()
            self.gate = blocks.Discrete(start=0.0)
            self.bell = blocks.TimeFunction(
                f=lambda t: 100.0 * exp(-(((t - 7.0) / 0.01) ** 2))
            )
            self.both = blocks.Product()
            self.connect(self.gate.y, self.both.u1)
            self.connect(self.bell.y, self.both.u2)
            self.connect(self.both.y, self.motor.tau)
            self.connect(self.motor.flange, self.shaft.flange_a)
            self.when(lambda motion: motion.t - 2.0, set={self.gate: 1.0}, name="open")

    result = Gated().simulate(10.0, method="dopri5")
    assert result["shaft.w"][-1] == pytest.approx(math.sqrt(math.pi), rel=1e-5)


def test_lengths_resolve_a_bell_by_about_its_width():
    grid = np.linspace(0.0, 1.0, INTERVALS + 1)
    for width in (0.01, 0.03, 0.1):
        lengths = resolving_lengths(np.exp(-(((grid - 0.3141) / width) ** 2))) / INTERVALS
        assert 0.1 * width < lengths.min() < 1.5 * width
    places = find_breakpoints(resolving_lengths(np.exp(-(((grid - 0.3141) / 0.01) ** 2))))
    assert np.abs(grid[places] - 0.3141).min() < 0.01


SOURCES = (
    blocks.Step(startTime=0.3),
    blocks.Ramp(duration=0.5, startTime=0.2),
    blocks.Pulse(period=0.3),
    blocks.Trapezoid(rising=0.1, width=0.1, falling=0.1, period=0.5),
    blocks.CombiTimeTable(table=((0, 0), (0.2, 1), (0.2, 3), (0.9, 0))),
    blocks.CombiTimeTable(table=((0, 0), (0.2, 1), (0.3, 0)), extrapolation="Periodic"),
)


@pytest.mark.parametrize("source", SOURCES, ids=lambda one: type(one).__name__)
def test_what_is_straight_between_its_corners_hides_nothing(source):
    """Steps end at the corners: nothing has to be looked at, and nothing is assumed."""
    model = Model()
    model.shaft = rotational.Inertia(J=1.0, phi=0.0, w=0.0)
    model.motor = rotational.Torque()
    model.source = source
    model.connect(source.y[0] if source.y.size > 1 else source.y, model.motor.tau)
    model.motor.flange >> model.shaft.flange_a
    assert model.compile().time_events.mesh.count == 0
    assert not model.simulate(1.0).info.assumed
    assert "nonlinear functions" not in model.explain()
