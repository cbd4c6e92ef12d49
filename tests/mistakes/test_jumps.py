"""Exact drives refuse references that jump within the run; what is smooth enough runs."""

from __future__ import annotations

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
