"""Tables, steps, pulses and limits against numbers computed otherwise."""

from __future__ import annotations

import numpy as np
import pytest

import motorik as mk
from motorik import blocks, sensors
from motorik.components.base.interpolation import interpolate, interpolate_friction

ROWS = ((0.0, 1.0, 0.0), (1.0, 3.0, 2.0), (1.5, 2.0, 2.0), (4.0, 2.5, -1.0))


@pytest.mark.parametrize("column", [1, 2])
def test_a_table_is_straight_between_its_rows_and_leads_on(column):
    table = np.array(ROWS)
    inside = np.linspace(0.0, 4.0, 77)
    expected = np.interp(inside, table[:, 0], table[:, column])
    found = [interpolate(ROWS, x, column) for x in inside]
    np.testing.assert_allclose(found, expected, rtol=1e-14, atol=1e-15)
    for x, (i, j) in ((-1.0, (0, 1)), (6.0, (2, 3))):
        line = np.polyfit(table[[i, j], 0], table[[i, j], column], 1)
        np.testing.assert_allclose(interpolate(ROWS, x, column), np.polyval(line, x))


def test_friction_of_a_table_never_drives():
    falling, rising = ((0.0, 0.5), (10.0, 0.1)), ((0.0, 0.1), (10.0, 0.5))
    assert interpolate_friction(falling, 20.0) == 0.0
    assert interpolate_friction(falling, 5.0) == pytest.approx(0.3)
    assert interpolate_friction(falling, 11.0) == pytest.approx(0.06)
    assert interpolate_friction(rising, 20.0) == pytest.approx(0.9)
    assert interpolate_friction(((0.0, 0.5),), 1e6) == 0.5


@pytest.mark.slow
def test_a_live_table_of_friction_leads_on_as_its_last_rows_do():
    end = mk.Parameter(0.1)
    model = mk.Model()
    model.brake = mk.rotational.BearingFriction(tau_pos=((0.0, 0.5), (10.0, end)))
    model.wheel = mk.rotational.Inertia(J=1.0, phi=0.0, w=11.0)
    model.connect(model.brake.flange_b, model.wheel.flange_a)
    for value, decay in ((0.0, 0.0), (0.1, 0.06), (0.5, 0.5), (0.9, 0.94)):
        result = model.simulate(
            0.1, parameters={"brake.tau_pos": ((0.0, 0.5), (10.0, value))}
        )
        assert result["wheel.a"][0] == pytest.approx(-decay)


def integral(source, stop):
    """Return the integral of a source, which is exact if no step passes over a corner."""
    model = mk.Model()
    model.source, model.sum = source, blocks.Integrator()
    y = model.source.y
    (y[0] if y.size > 1 else y) >> model.sum.u
    return float(model.simulate(stop, rtol=1e-6, progress=False)["sum.y"][-1])


def test_sums_of_steps_and_pulses_are_exact():
    assert integral(
        blocks.Step(height=3.0, offset=1.0, startTime=1.7), 4.0
    ) == pytest.approx(4.0 + 3.0 * 2.3, rel=1e-13)
    pulse = blocks.Pulse(amplitude=2.0, width=30.0, period=0.7, nperiod=4, startTime=0.5)
    assert integral(pulse, 5.0) == pytest.approx(4 * 2.0 * 0.3 * 0.7, rel=1e-12)
    endless = blocks.Pulse(amplitude=2.0, width=30.0, period=0.7, startTime=0.5)
    assert integral(endless, 7.5) == pytest.approx(10 * 2.0 * 0.3 * 0.7, rel=1e-12)


STEPS = ((1.0, 1.0, 0.0), (2.0, 3.0, 0.0), (2.0, 5.0, 0.0), (4.0, 6.0, 0.0))


@pytest.mark.parametrize(
    ("extrapolation", "area"),
    [
        ("HoldLastPoint", 1.0 + 2.0 + 11.0 + 12.0),
        ("LastTwoPoints", 0.0 + 2.0 + 11.0 + 13.0),
        ("Periodic", 5.75 + 2.0 + 11.0 + 2.0 + 5.25),
    ],
)
def test_a_table_of_time_steps_holds_leads_on_or_repeats(extrapolation, area):
    """From 0 to 6 s: before the table, its two pieces, and 2 s behind it."""
    table = blocks.CombiTimeTable(table=STEPS, extrapolation=extrapolation, columns=(2, 3))
    assert integral(table, 6.0) == pytest.approx(area, rel=1e-12)


@pytest.mark.parametrize("extrapolation", ["HoldLastPoint", "LastTwoPoints"])
def test_a_table_that_ends_with_a_step_ends_behind_it(extrapolation):
    """At the instant of a step, and of one at the end, the later row holds."""
    rows = ((0.0, 1.0), (1.0, 2.0), (1.0, 5.0), (2.0, 6.0), (2.0, 9.0))
    model = mk.Model()
    model.source = blocks.CombiTimeTable(table=rows, extrapolation=extrapolation)
    model.sum = blocks.Integrator()
    model.source.y[0] >> model.sum.u
    times = np.array([0.0, 0.5, 1.0, 1.5, 2.0, 3.0])
    result = model.simulate(3.0, output=times)
    np.testing.assert_allclose(
        result["source.y"].ravel(), (1.0, 1.5, 5.0, 5.5, 9.0, 9.0), rtol=1e-12
    )
    assert result["sum.y"][-1] == pytest.approx(1.5 + 5.5 + 9.0, rel=1e-12)


def test_a_table_of_time_begins_at_its_start():
    table = blocks.CombiTimeTable(table=ROWS, startTime=2.0, offset=0.5)
    rows = np.array(ROWS)
    area = 2.0 * 0.5 + 4.0 * 0.5 + np.trapezoid(rows[:, 1], rows[:, 0])
    assert integral(table, 6.0) == pytest.approx(area, rel=1e-12)


@pytest.mark.parametrize("low", [None, -0.25])
def test_a_limiter_and_a_dead_zone_share_their_input(low):
    """What one lets through, the other holds back: together they are the input."""
    model = mk.Model()
    model.sine = blocks.Sine(amplitude=2.0)
    model.limit, model.zone = (
        blocks.Limiter(uMax=0.5, uMin=low),
        blocks.DeadZone(uMax=0.5, uMin=low),
    )
    model.sine.y >> model.limit.u
    model.sine.y >> model.zone.u
    result = model.simulate(1.0, output=101, progress=False)
    u = np.asarray(result["sine.y"])
    np.testing.assert_allclose(
        result["limit.y"], np.clip(u, -0.5 if low is None else low, 0.5)
    )
    np.testing.assert_allclose(result["limit.y"] + result["zone.y"], u, atol=1e-15)


@pytest.mark.slow
def test_steps_are_found_beside_signals_of_accelerations_in_a_loop():
    """The times of change are looked for in signals, some of which follow from accelerations."""
    model = four_bar()
    model.step = blocks.Step(startTime=0.3)
    model.sensor, model.gain = sensors.AbsoluteSensor(get_a=True), blocks.Gain(k=2.0)
    model.connect(model.sensor.frame_a, model.coupler.frame_b)
    model.connect(model.sensor.a[0], model.gain.u)
    model.sum = blocks.Integrator()
    model.step.y >> model.sum.u
    result = model.simulate(1.0, rtol=1e-6, progress=False)
    assert result["sum.y"][-1] == pytest.approx(0.7, rel=1e-13)


def four_bar():
    """Return a model with a loop."""
    model = mk.Model()
    model.world = mk.World()
    names = ("crank", "coupler", "rocker")
    for name, length in zip(names, (0.3, 1.0, 0.6), strict=True):
        setattr(model, name, mk.BodyShape(r=(length, 0.0, 0.0), m=1.0))
    model.base = mk.FixedTranslation(r=(0.8, 0.0, 0.0))
    starts = (1.0, None, None, None)
    for k, phi in enumerate(starts):
        setattr(model, f"hinge{k}", mk.Revolute(**({} if phi is None else {"phi": phi})))
    model.connect(model.world.frame_b, model.hinge0.frame_a, model.base.frame_a)
    model.connect(model.hinge0.frame_b, model.crank.frame_a)
    model.connect(model.crank.frame_b, model.hinge1.frame_a)
    model.connect(model.hinge1.frame_b, model.coupler.frame_a)
    model.connect(model.coupler.frame_b, model.hinge2.frame_b)
    model.connect(model.hinge2.frame_a, model.rocker.frame_b)
    model.connect(model.base.frame_b, model.hinge3.frame_a)
    model.connect(model.hinge3.frame_b, model.rocker.frame_a)
    return model
