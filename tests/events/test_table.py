"""The table of events: what happened, when, to whom, how hard, and how it is passed on."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest

from motorik import Model, blocks, load_result, rotational, translational
from motorik.errors import UnknownNameError
from motorik.results import Event, Events, Result
from tests.events.parts import FAST, HIT, SLIPS, STICKS, Ball, Belt, Collision, Row, Slide

METHODS = ("dopri5", "dop853", "gbs", "adams", "bdf")


@cache
def collision(method: str = "dopri5") -> Result:
    """Return the run of two masses that meet."""
    return Collision().simulate(3.0, method=method, rtol=1e-9)


@pytest.mark.parametrize("method", METHODS)
def test_every_event_has_time_part_and_words(method):
    events = collision(method).events
    seen = [(event.part, event.what, event.before, event.after) for event in events]
    assert seen == [
        ("stop", "hits", "open", "open"),
        ("pad_a", "sticks", "slipping forward", "stuck"),
        ("pad_b", "slips forward", "stuck", "slipping forward"),
        ("pad_b", "sticks", "slipping forward", "stuck"),
    ]
    np.testing.assert_allclose(events.times, [HIT, HIT, HIT, 1.5], rtol=0, atol=1e-8)


def test_a_hit_tells_impulse_and_energy_lost():
    (hit,) = collision().events.of("stop")
    # a stops, b leaves with half the speed: P = m_a √5; ½ m_a v² − ½ m_b (v/2)² = v²/4
    assert hit.impulse == pytest.approx(FAST, rel=1e-12) and hit.unit == "N.s"
    assert hit.energy_lost == pytest.approx(FAST**2 / 4, rel=1e-12)
    at = collision().at_event(0)
    lost = at.before.energy()["kinetic"] - at.after.energy()["kinetic"]
    assert hit.energy_lost == pytest.approx(lost, rel=1e-12)


@pytest.mark.parametrize("restitution", [0.0, 0.3, 1.0])
def test_energies_of_simultaneous_impulses_add_up(restitution):
    result = Row(restitution=restitution).simulate(0.6)
    events = [event for event in result.events if event.impulse]
    assert [event.part for event in events] == ["front", "back"]
    assert events[1].what == "carries an impulse"
    at = result.at_event(0)
    lost = at.before.energy()["kinetic"] - at.after.energy()["kinetic"]
    assert sum(e.energy_lost for e in events) == pytest.approx(lost, abs=1e-15)
    # the second and third move as one of 2 kg: ½ (1 − e²) · 2/3 kg · (1 m/s)²
    assert lost == pytest.approx((1 - restitution**2) / 3, abs=1e-14)


def test_a_ball_loses_all_its_energy_by_hits():
    result = Ball().simulate(3.0, rtol=1e-9)
    events = result.events
    assert {event.what for event in events[:-1]} == {"hits"}
    assert (events[-1].what, events[-1].after) == ("closes", "closed")
    assert sum(e.energy_lost for e in events) == pytest.approx(9.81, rel=1e-12)
    fall = math.sqrt(2 / 9.81)
    assert events[0].time == pytest.approx(fall, rel=1e-12)
    assert events[-1].time == pytest.approx(3 * fall, abs=1e-8)
    assert events[1].impulse == pytest.approx(0.5 * events[0].impulse, rel=1e-9)


def test_start_modes_are_not_events():
    assert not Slide().simulate(1.0).events
    (event,) = Slide().simulate(2.0).events
    assert event == Event(event.time, "pad", "sticks", "slipping forward", "stuck")
    assert event.time == pytest.approx(1.5, abs=1e-12)


@cache
def belt(output: str | int) -> Result:
    """Return a run with many more events than the log has lines."""
    return Belt().simulate(200.0, rtol=1e-10, method="dop853", output=output)


def test_a_long_log_is_kept_whole():
    events = belt(1000).events
    assert len(events) == 595 and belt("steps").events.times == pytest.approx(events.times)
    apart = np.diff(events.times)
    assert events[0].what == "slips backward" and events[1].what == "sticks"
    np.testing.assert_allclose(apart[::2], SLIPS, rtol=0, atol=1e-8)
    np.testing.assert_allclose(apart[1::2], STICKS, rtol=0, atol=1e-8)
    for k in (0, 255, 256, 257, 511, 512, 594):  # log and instants are taken away in pieces
        at = belt(1000).at_event(k)
        assert at.before.time == events[k].time
        force = at.before["spring.flange_b.f"]
        assert force == pytest.approx(5.0 if k % 2 == 0 else 3.0, abs=1e-7)


def test_events_are_a_sequence_by_number_and_part():
    events = collision().events
    assert len(events) == 4 and next(iter(events)) is events[0] and events[-1].time > 1.4
    assert isinstance(events[1:], Events) and len(events[1:]) == 3
    assert [e.what for e in events.of("pad_b")] == ["slips forward", "sticks"]
    assert len(events.of("pad_a", "stop")) == 2 and not events.of("pad")
    assert events.parts == ["stop", "pad_a", "pad_b"]
    assert events == collision().events and events != events[1:]
    inner = Events([Event(0.0, "car.front.brake", "sticks")])
    assert len(inner.of("car.front")) == len(inner.of("car")) == 1 and not inner.of("ca")
    for wrong in (4, -5, "pad_a"):
        with pytest.raises(UnknownNameError, match="the run has 4"):
            events[wrong]  # type: ignore[call-overload]
    with pytest.raises(UnknownNameError, match="not the name of a part"):
        events.of(3)  # type: ignore[arg-type]


def test_the_table_is_printed_for_terminals_and_notebooks():
    events = collision().events
    head, first, *_, last = repr(events).splitlines()
    assert head.split() == "time [s] part what before after impulse energy lost".split()
    assert first.split() == "0.381966011 stop hits open open 2.23607 N·s 1.25 J".split()
    assert last.split() == "1.5 pad_b sticks slipping forward stuck".split()
    assert "<td>stop</td><td>hits</td>" in events._repr_html_()
    assert "impulse" not in repr(events.of("pad_a"))
    assert repr(Events()) == "no events" and "no events" in Events()._repr_html_()
    many = repr(belt(1000).events).splitlines()
    assert len(many) == 42 and "555 more" in many[21]
    strange = Events([Event(0.0, "<b>", "sticks")])
    assert "<b>" not in strange._repr_html_()
    assert str(events[0]) == "0.381966011 s: stop hits, 2.23607 N·s, 1.25 J lost"
    assert "pad_b sticks (before: slipping forward)" in str(events[-1])


def test_summaries_list_few_events_and_count_many():
    assert "at 1.5 s   pad_b sticks" in collision().summary()
    assert "events      595, see result.events" in belt(1000).summary()


@pytest.mark.slow
def test_events_are_written_to_files_and_to_pandas(tmp_path):
    result = collision()
    table = result.events.to_pandas()
    assert list(table["part"]) == ["stop", "pad_a", "pad_b", "pad_b"]
    assert table["energy_lost"].sum() == pytest.approx(1.25, rel=1e-9)
    again = load_result(result.to_netcdf(tmp_path / "run.nc"))
    assert again.events == result.events
    assert again.names() == result.state_names  # events are not variables of the run
    many = load_result(belt(1000).to_netcdf(tmp_path / "long.nc"))
    assert many.events == belt(1000).events
    quiet = Slide().simulate(1.0).to_netcdf(tmp_path / "quiet.nc")
    assert not load_result(quiet).events
    assert not load_result(result.to_csv(tmp_path / "run.csv")).events


@pytest.mark.slow
def test_both_sides_of_events_are_written_to_files(tmp_path):
    result = collision()
    names = [*result.state_names, "pad_a.flange_b.f"]
    saved = load_result(result.to_netcdf(tmp_path / "run.nc", *names))
    again = load_result(saved.to_netcdf(tmp_path / "again.nc"))
    for k in range(len(result.events)):
        for read in (saved, again):
            for side in ("before", "after"):
                own = getattr(result.at_event(k), side)
                found = getattr(read.at_event(k), side)
                assert found.time == own.time
                assert [found[name] for name in names] == [own[name] for name in names]
    with pytest.raises(UnknownNameError, match="not saved"):
        saved.at_event(0).before["pad_a.friction"]
    with pytest.raises(UnknownNameError, match="no event 0"):
        load_result(result.to_csv(tmp_path / "run.csv")).at_event(0)


def test_internal_numbers_are_not_parameters():
    result = Slide().simulate(2.0)
    assert list(result.parameters) == ["push.f_constant"]
    assert list(Slide().compile().layout.live_names) == ["push.f_constant"]
    assert not any("friction" in name for name in result.names())
    for name in ("pad.friction", "pad.friction.force", "pad.friction.stick"):
        with pytest.raises(UnknownNameError):
            Slide().simulate(1.0, parameters={name: 1.0})


RUBBING = [
    rotational.Clutch,
    rotational.Brake,
    rotational.BearingFriction,
    translational.Brake,
]


def test_an_impulse_of_friction_has_the_unit_of_its_line():
    model = Model()
    model.first, model.second = rotational.Inertia(w=0.0), rotational.Inertia(w=0.0)
    model.part, model.pressing = rotational.OneWayClutch(), blocks.Constant(k=10.0)
    model.first.flange_b >> model.part.flange_a
    model.part.flange_b >> model.second.flange_a
    model.pressing.y >> model.part.f_normalized
    model.when(lambda m: m.t - 0.5, impulse={model.second.flange_b: -2.0}, name="push")
    (carried,) = (event for event in model.simulate(1.0).events if event.impulse)
    assert (carried.part, carried.what) == ("part", "carries an impulse")
    assert carried.impulse == pytest.approx(1.0, rel=1e-12) and carried.unit == "N.m.s"
    assert "1 N·m·s" in str(Events([carried]))


@pytest.mark.parametrize("kind", RUBBING)
def test_friction_has_the_unit_of_its_line(kind):
    own = kind().internal()["friction"].force.parameter
    assert own.unit == ("N.m" if kind.__module__.endswith("rotational.friction") else "N")
