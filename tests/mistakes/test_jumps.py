"""Exact drives refuse references that jump within the run; what is smooth enough runs."""

from __future__ import annotations

import math

import numpy as np
import pytest

import motorik as mk
from motorik import blocks
from motorik import rotational as rot
from motorik import translational as tra
from motorik.errors import ParameterError
from motorik.functions import fabs, floor, sin, where

AT = 0.05


def driven_exactly(f, kind=rot.Position, exact=True) -> mk.Model:
    """Return an inertia that a drive moves as a function of time says."""
    model = mk.Model()
    model.load = tra.Mass(m=1.0) if kind is tra.Position else rot.Inertia(J=1.0)
    model.drive = kind(exact=exact)
    model.reference = blocks.TimeFunction(f=f)
    model.reference.y >> model.drive.reference()
    model.drive.flange >> model.load.flange_a
    return model


JUMPS = [
    ("step", lambda t: where(t > AT, 1.0, 0.0), rot.Position, "reference", AT, "1 rad"),
    ("step of a slide", lambda t: where(t > AT, 2.0, 0.0), tra.Position, "reference", AT, "2 m"),
    ("corner", lambda t: fabs(t - AT), rot.Position, "speed", AT, "2 rad/s"),
    ("stairs", lambda t: floor(t / AT), rot.Position, "reference", AT, "1 rad"),
    ("saw", lambda t: t % AT, rot.Position, "reference", AT, "-0.05 rad"),
    ("switched sine", lambda t: where(sin(20.0 * t) > 0.8414709848078965, 1.0, 0.0),
     rot.Position, "reference", AT, "1 rad"),
    ("step of speed", lambda t: where(t > AT, 1.0, 0.0), rot.Speed, "speed", AT, "1 rad/s"),
]  # fmt: skip


@pytest.mark.parametrize("row", JUMPS, ids=[row[0] for row in JUMPS])
def test_a_jump_within_the_run_is_refused_with_its_time_and_size(row):
    _, f, kind, what, at, size = row
    with pytest.raises(ParameterError) as caught:
        driven_exactly(f, kind).simulate(0.0999)
    error = caught.value
    assert (error.path, error.parameter, error.value) == ("drive", "exact", True)
    assert f"its {what} jumps by {size} at t = {at:g} s" in error.reason
    assert "exact=False" in error.remedy


@pytest.mark.parametrize("row", JUMPS, ids=[row[0] for row in JUMPS])
def test_a_jump_after_the_run_or_through_a_filter_is_no_mistake(row):
    _, f, kind, *_ = row
    assert driven_exactly(f, kind).simulate(0.9 * AT).complete
    assert driven_exactly(f, kind, exact=False).simulate(0.0999).complete


SMOOTH = [
    ("parabola", lambda t: where(t > AT, (t - AT) ** 2, 0.0), rot.Position),
    ("ramp of speed", lambda t: where(t > AT, t - AT, 0.0), rot.Speed),
    ("large offset", lambda t: 1e6 + where(t > AT, (t - AT) ** 3, 0.0), rot.Position),
]


@pytest.mark.parametrize("row", SMOOTH, ids=[row[0] for row in SMOOTH])
def test_what_has_a_continuous_speed_runs(row):
    _, f, kind = row
    assert driven_exactly(f, kind).simulate(0.1).complete


def test_a_live_time_of_switching_is_looked_at_in_every_run():
    model = driven_exactly(lambda t: 0.0 * t)
    model.ramp = blocks.Ramp(duration=1.0, startTime=mk.Parameter(0.2, name="begin"))
    model.second, model.wheel = rot.Position(exact=True), rot.Inertia(J=1.0)
    model.ramp.y >> model.second.phi_ref
    model.second.flange >> model.wheel.flange_a
    assert model.simulate(0.1).complete
    with pytest.raises(ParameterError, match=r"speed jumps by 1 rad/s at t = 0.06 s"):
        model.simulate(0.1, parameters={"ramp.startTime": 0.06})


def sprung(reference, part, load=None) -> mk.Model:
    """Return an exact drive on a spring or damper to a mass of 2 kg, or to the ground."""
    model = mk.Model()
    model.drive, model.reference, model.link = tra.Position(exact=True), reference, part
    model.ground = tra.Fixed() if load is None else load
    model.reference.y >> model.drive.s_ref
    model.drive.flange >> model.link.flange_b
    other = model.ground.flange if load is None else load.flange_a
    model.link.flange_a >> other
    return model


def ramp() -> blocks.Ramp:
    return blocks.Ramp(height=1.0, duration=1.0, startTime=0.5)


def test_a_speed_may_jump_where_only_springs_and_dampers_feel_it():
    model = sprung(ramp(), tra.SpringDamper(c=10.0, d=2.0))
    result = model.simulate(3.0, output=np.array([0.25, 1.0, 2.0]))
    assert result["link.flange_b.f"] == pytest.approx([0.0, 7.0, 10.0], abs=1e-9)


@pytest.mark.slow
@pytest.mark.kinds(2)
@pytest.mark.parametrize("method", ["auto", "dopri5", "gbs", "adams", "bdf", "rk4"])
def test_a_mass_behind_a_damper_follows_a_speed_that_jumps(method):
    """2 a = 2 (1 − v): the speed comes to that of the drive, which is 1 m/s for 1 s."""
    model = sprung(ramp(), tra.Damper(d=2.0), tra.Mass(m=2.0, s=0.0, v=0.0))
    step = 0.0031 if method == "rk4" else None
    result = model.simulate(2.5, method=method, rtol=1e-9, step=step)
    exact = (1.0 - math.exp(-1.0)) * math.exp(-1.0)
    assert result["ground.v"][-1] == pytest.approx(exact, abs=1e-7)


def test_a_position_may_jump_where_only_a_spring_feels_it():
    model = sprung(
        blocks.Step(startTime=0.5), tra.Spring(c=10.0), tra.Mass(m=2.0, s=0.0, v=0.0)
    )
    result = model.simulate(3.0, rtol=1e-9)
    assert result["ground.s"][-1] == pytest.approx(
        1.0 - math.cos(2.5 * math.sqrt(5.0)), abs=1e-7
    )
    model = sprung(blocks.Step(startTime=0.5), tra.SpringDamper(c=10.0, d=2.0))
    with pytest.raises(ParameterError, match=r"reference jumps by 1 m at t = 0.5 s"):
        model.simulate(3.0)


def test_the_first_jump_is_told():
    model = sprung(ramp(), tra.SpringDamper(c=10.0, d=2.0))
    model.mass = tra.Mass(m=1e-3)
    model.drive.flange >> model.mass.flange_a
    with pytest.raises(ParameterError, match=r"speed jumps by 1 m/s at t = 0.5 s"):
        model.simulate(3.0)


def test_a_pulse_between_two_looks_is_refused():
    """A speed that jumps for 1e-4 of the run."""
    at = 0.05
    f = lambda t: where(fabs(t - at) < 5e-6, 1.0, 0.0)  # noqa: E731
    with pytest.raises(ParameterError, match=r"speed jumps by 1 rad/s at t = 0.049995 s"):
        driven_exactly(f, rot.Speed).simulate(0.1)


def test_what_sticks_to_a_drive_does_not_jump_with_it():
    model = mk.Model()
    model.drive, model.reference = rot.Position(exact=True), ramp()
    model.clutch, model.press = rot.Clutch(fn_max=4.0), blocks.Constant(k=1.0)
    model.wheel = rot.Inertia(J=1.0, phi=0.0, w=0.0)
    model.reference.y >> model.drive.phi_ref
    model.press.y >> model.clutch.f_normalized
    model.drive.flange >> model.clutch.flange_a
    model.clutch.flange_b >> model.wheel.flange_a
    with pytest.raises(ParameterError, match=r"at t = 0.5 s, which friction and contacts"):
        model.simulate(3.0)
