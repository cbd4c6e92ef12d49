"""Corners at the start, at the end, one in another, touched, and all at one time."""

import math

import numpy as np
import pytest

from motorik import Model, SolverOptions, blocks, translational
from motorik.functions import (
    cos,
    exp,
    fabs,
    floor,
    maximum,
    minimum,
    sign,
    sin,
    sqrt,
    where,
)
from motorik.simulation.integration import MOST_STANDING, Outcome
from tests.events.parts import Friction

ADAPTIVE = ("bosh3", "dopri5", "dop853", "gbs", "adams", "bdf", "auto")
FIXED = ("euler", "rk4")


class Pushed(Model):
    """A mass of 1 kg that a function of time pushes."""

    def build(self, f):
        self.mass = translational.Mass(m=1.0, s=0.0, v=0.0)
        self.force = translational.Force()
        self.source = blocks.TimeFunction(f=f)
        self.source.y >> self.force.f
        self.force.flange >> self.mass.flange_a


def corners_of(f, begin, end):
    system = Pushed(f=f).compile()
    return system.time_events.times(begin, end, system.parameter_values()).tolist()


# by name: the force, the duration, the momentum at its end
PUSHES = {
    "zero at the start": (
        lambda t: where(sin(5.0 * t) > 0.0, 1.0, 0.0),
        10.0,
        1.6 * math.pi,
    ),
    "zero but for rounding": (
        lambda t: where(cos(5.0 * t + 0.5 * math.pi) < 0.0, 1.0, 0.0),
        10.0,
        1.6 * math.pi,
    ),
    "after the start": (lambda t: where(t > 0.0, 1.0, 0.0), 1.0, 1.0),
    "only at the start": (lambda t: where(t <= 0.0, 1e3, 1.0), 1.0, 1.0),
    "before the end": (lambda t: where(t < 1.0, 1.0, 0.0), 1.0, 1.0),
    "only at the end": (lambda t: where(t >= 1.0, -1e3, 1.0), 1.0, 1.0),
    "touched once": (lambda t: where((t - 5.0) ** 2 > 0.0, 1.0, 99.0), 10.0, 10.0),
    "touched often": (lambda t: where(sin(math.pi * t) ** 2 > 0.0, 1.0, 99.0), 10.0, 10.0),
    "one in another": (lambda t: maximum(0.0, 1.0 - fabs(t - 7.0) * 1000.0), 10.0, 1e-3),
    "steep": (lambda t: 1e6 * maximum(0.0, 1.0 - fabs(t - 7.0) * 1e6), 10.0, 1.0),
    "passed and back": (lambda t: 1e4 * where((t - 5.0) ** 2 < 1e-8, 1.0, 0.0), 10.0, 2.0),
    "of whole numbers": (lambda t: where(floor(t) % 2.0 < 1.0, 1.0, 0.0), 10.0, 5.0),
    "of a rest": (lambda t: where((4.0 * t) % 1.0 < 0.5, 1.0, 0.0), 10.0, 5.0),
    "three at once": (
        lambda t: (
            where(t < 0.5, 1.0, 0.0)
            + where(2.0 * t > 1.0, 2.0, 0.0)
            + where(4.0 * t * t > 1.0, 3.0, 0.0)
        ),
        1.0,
        3.0,
    ),
    "nearly at once": (
        lambda t: (
            where(t < 0.3, 1.0, 0.0)
            + where(t > 0.1 + 0.2, 2.0, 0.0)
            + where(sin(t) > math.sin(0.3), 3.0, 0.0)
        ),
        1.0,
        3.8,
    ),
}


@pytest.mark.kinds(4)
@pytest.mark.slow
@pytest.mark.parametrize("method", [*ADAPTIVE, *FIXED])
def test_every_method_meets_every_corner(method):
    worst = {}
    for name, (f, duration, exact) in PUSHES.items():
        step = duration / 997 if method in FIXED else None
        if step and name in ("one in another", "steep"):
            continue
        result = Pushed(f=f).simulate(duration, method=method, rtol=1e-9, step=step)
        assert result.complete, name
        worst[name] = abs(result["mass.v"][-1] - exact)
    print(
        f"{method}: off by {max(worst.values()):.1e}, {max(worst, key=worst.__getitem__)}"
    )
    assert max(worst.values()) < 2e-8


@pytest.mark.parametrize(("method", "limit"), [("euler", 1e-12), ("rk4", 1e-12)])
def test_steps_of_fixed_size_end_at_corners_within_corners(method, limit):
    """One step of Euler from zero sees nothing of a rise, and twice what falls."""
    result = Pushed(f=PUSHES["one in another"][0]).simulate(10.0, method=method, step=0.01)
    assert result["mass.v"][-1] == pytest.approx(1e-3, abs=limit)


@pytest.mark.parametrize(
    ("f", "exact"),
    [
        (lambda t: maximum(0.0, 1.0 - fabs(t - 1.0) * 1e3), [0.999, 1.0, 1.001]),
        (lambda t: fabs(fabs(fabs(t - 1.0) - 0.5) - 0.25), [0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75]),
        (lambda t: minimum(0.1, fabs(t - 1.0)) * sign(t - 0.5), [0.5, 0.9, 1.0, 1.1]),
        (lambda t: floor(10.0 * fabs(t - 1.0)), [k / 10 for k in range(1, 20)]),
        (lambda t: where(where(t < 0.5, t, 1.0 - t) > 0.3, 1.0, 0.0), [0.3, 0.5, 0.7]),
        (lambda t: where(where(sin(9.0 * t) > 0.0, t, -1.0) > 0.1, 1.0, 0.0),
         [0.1, *(k * math.pi / 9.0 for k in range(1, 6))]),
        (lambda t: maximum(0.0, 1.0 - 1e3 * fabs(sin(3.0 * t))),
         [math.asin(1e-3) / 3.0, *((math.pi + k * math.asin(1e-3)) / 3.0 for k in (-1, 0, 1))]),
        (lambda t: sqrt((t - 1.0) ** 2), [1.0]),
        (lambda t: where((t - 1.0) ** 2 > 1e-12, 1.0, 0.0), [1.0 - 1e-6, 1.0 + 1e-6]),
        (lambda t: where(t > 0.0, 1.0, 0.0), []),
        (lambda t: where(exp(-((t - 1.0) / 1e-4) ** 2) > -1.0, 1.0, 0.0), []),
    ],
)  # fmt: skip
def test_corners_within_corners(f, exact):
    found = corners_of(f, 0.0, 2.0)
    assert found == pytest.approx(sorted(exact), abs=1e-10)


@pytest.mark.kinds(8)
@pytest.mark.parametrize("method", ["dopri5", "gbs", "adams", "bdf", "rk4"])
@pytest.mark.parametrize("dt", [0.01, math.pi / 5.0, math.pi / 20.0])
def test_a_simulator_stops_at_corners_and_goes_on(method, dt):
    f, _, _ = PUSHES["zero at the start"]
    step = 0.007 if method == "rk4" else None
    simulator = Pushed(f=f).simulator(method=method, rtol=1e-9, step=step)
    while simulator.time + dt < 2.7 * math.pi / 5.0:
        simulator.step(dt)
    simulator.step(2.8 * math.pi / 5.0 - simulator.time)
    assert simulator["mass.v"] == pytest.approx(1.8 * math.pi / 5.0, abs=1e-8)


@pytest.mark.parametrize("begin", [-1.0, 0.25, 0.5, 1e6])
def test_a_run_that_begins_at_a_corner(begin):
    model = Pushed(
        f=lambda t: where(t > begin, 2.0, -1e3) + where(t < begin + 1.0, 0.0, 1e3)
    )
    for method in ("dopri5", "gbs", "adams", "bdf", "rk4"):
        step = 0.01 if method == "rk4" else None
        result = model.simulate(begin + 1.0, start_time=begin, method=method, step=step)
        assert result["mass.v"][-1] == pytest.approx(2.0, abs=1e-7)


def test_a_run_whose_corner_is_at_time_zero_within_it():
    model = Pushed(f=lambda t: where(t > 0.0, 2.0, 1.0))
    for method in ("dopri5", "adams", "rk4"):
        step = 0.01 if method == "rk4" else None
        result = model.simulate(1.0, start_time=-1.0, method=method, rtol=1e-9, step=step)
        assert result["mass.v"][-1] == pytest.approx(3.0, abs=1e-8)


class Rubbing(Pushed):
    """The same, with friction of 2 N on the ground."""

    def build(self, f):
        super().build(f)
        self.ground, self.pad = translational.Fixed(), Friction(static=2.0, kinetic=2.0)
        self.connect(self.ground.flange, self.pad.flange_a)
        self.connect(self.pad.flange_b, self.mass.flange_b)


@pytest.mark.parametrize("method", ["dopri5", "gbs", "adams", "bdf", "rk4"])
def test_friction_sees_the_side_of_the_start_to_which_it_belongs(method):
    """3 N push only after the time 0: without them friction would hold the mass."""
    step = 0.01 if method == "rk4" else None
    model = Rubbing(f=lambda t: where(t > 0.0, 3.0, 0.0))
    result = model.simulate(1.0, method=method, rtol=1e-9, step=step)
    assert result["mass.v"][-1] == pytest.approx(1.0, abs=1e-8)


@pytest.mark.slow
@pytest.mark.parametrize("method", [*ADAPTIVE, *FIXED])
def test_steps_that_do_not_advance_the_time_end_the_run(method):
    model = Pushed(f=lambda t: 1.0 + 0.0 * t)
    given = (
        {"step": 1e-22} if method in FIXED else {"solver": SolverOptions(max_step=1e-22)}
    )
    with pytest.warns(UserWarning, match="thousands of steps have not advanced the time"):
        result = model.simulate(10.0, method=method, **given)
    assert not result.complete
    assert MOST_STANDING < result.info.steps < 100 * MOST_STANDING
    assert Outcome.STANDS_STILL.is_failure


@pytest.mark.parametrize("method", ADAPTIVE)
def test_a_force_that_is_no_number_at_the_start_ends_the_run(method):
    model = Pushed(f=lambda t: sqrt(-1.0 - t))
    with pytest.warns(UserWarning, match="finite"):
        result = model.simulate(1.0, method=method)
    assert not result.complete and result.time[-1] == 0.0


def test_times_of_output_at_corners_see_the_side_after():
    f, _, _ = PUSHES["zero at the start"]
    corners = np.arange(4) * math.pi / 5.0
    result = Pushed(f=f).simulate(2.0, output=np.array([*corners, 2.0]), rtol=1e-9)
    exact = [0.0, math.pi / 5.0, math.pi / 5.0, 2.0 * math.pi / 5.0]
    assert result["mass.v"][:4] == pytest.approx(exact, abs=1e-9)
