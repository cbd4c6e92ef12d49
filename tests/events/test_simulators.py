"""Stepping by hand, continued runs and explanations know what sticks."""

from __future__ import annotations

import copy

import numpy as np
import pytest

from motorik.errors import UnknownNameError
from tests.events.parts import Ball, Collision, Pushed, Slide


def test_modes_are_kept_between_steps():
    sim = Slide().simulator(rtol=1e-9)
    assert sim.modes == {"pad": "slipping forward"} and sim["mass.a"] == -2.0
    for _ in range(20):
        sim.step(0.1)
    assert sim.modes == {"pad": "stuck"}
    assert sim["mass.v"] == 0.0 and sim["mass.s"] == pytest.approx(2.25, abs=1e-9)
    (event,) = sim.events
    assert event.what == "sticks" and event.time == pytest.approx(1.5, abs=1e-12)
    whole = Slide().simulate(2.0, rtol=1e-9)
    assert sim["mass.s"] == pytest.approx(whole["mass.s"][-1], abs=1e-9)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy])
def test_a_copy_goes_on_alone_and_sticks_as_well(copied):
    sim = Slide().simulator(rtol=1e-9)
    other = copied(sim.step(2.0))
    assert other.modes == sim.modes == {"pad": "stuck"} and other.events == sim.events
    other["push.f_constant"] = 5.0
    other.step(1.0)
    assert (sim.time, other.time) == (2.0, 3.0) and sim.modes == {"pad": "stuck"}
    assert other["mass.v"] == pytest.approx(0.5, rel=1e-9) and sim["mass.v"] == 0.0
    assert [e.what for e in other.events] == ["sticks", "slips forward"]


def test_parameters_change_what_sticks_at_once():
    sim = Slide().simulator()
    sim.step(2.0)
    sim["push.f_constant"] = 3.0
    assert sim.modes == {"pad": "stuck"} and sim["mass.a"] == 0.0
    assert sim["pad.flange_b.f"] == pytest.approx(3.0, rel=1e-12)
    sim["push.f_constant"] = 5.0
    assert sim.modes == {"pad": "slipping forward"} and sim["mass.a"] == 0.5
    sim.step(1.0)
    assert sim["mass.v"] == pytest.approx(0.5, rel=1e-9)
    assert [e.what for e in sim.events] == ["sticks", "slips forward"]
    assert sim.events[1].time == 2.0


def test_speeds_that_are_set_are_not_held():
    sim = Slide().simulator()
    sim.step(2.0)
    sim["mass.v"] = -2.0
    assert sim.modes == {"pad": "slipping backward"} and sim["mass.a"] == 2.0
    sim.step(0.5)
    assert sim["mass.v"] == pytest.approx(-1.0, rel=1e-9)
    sim["mass.s"] = 7.0  # a place changes nothing
    assert sim.modes == {"pad": "slipping backward"}
    sim["mass.v"] = 0.0
    assert sim.modes == {"pad": "stuck"}
    assert [e.what for e in sim.events] == ["sticks", "slips backward", "sticks"]


def test_simulators_pass_times_of_change_and_hits():
    sim = Pushed().simulator(rtol=1e-9)
    sim.step(0.75).step(0.75)
    assert sim["mass.v"] == pytest.approx(0.5, abs=1e-9) and sim.events[0].time == 1.0
    ball, whole = Ball().simulator(rtol=1e-9), Ball().simulate(1.5, rtol=1e-9)
    for _ in range(15):
        ball.step(0.1)
    assert ball.modes == {"stop": "closed"} and ball["ball.v"] == 0.0
    np.testing.assert_allclose(ball.events.times, whole.events.times, atol=1e-7)


def test_simulators_do_not_disturb_other_runs():
    model = Slide()
    sim = model.simulator()
    sim.step(2.0)
    assert sim.modes == {"pad": "stuck"}
    assert model.simulator().modes == {"pad": "slipping forward"}
    assert model.simulate(1.0)["mass.v"][-1] == pytest.approx(1.0, rel=1e-6)


def test_internal_numbers_cannot_be_set():
    sim = Slide().simulator()
    for name in ("pad.friction", "pad.friction.force", "pad.friction.stick"):
        with pytest.raises(UnknownNameError, match="neither a live parameter nor a state"):
            sim[name] = 1.0


@pytest.mark.slow
def test_a_run_goes_on_from_the_end_of_another():
    first = Collision().simulate(0.5, rtol=1e-10)
    start = {name: float(first[name][-1]) for name in first.state_names}
    second = Collision().simulate(3.0, start_time=0.5, initial=start, rtol=1e-10)
    whole = Collision().simulate(3.0, rtol=1e-10)
    for name in whole.state_names:
        assert second[name][-1] == pytest.approx(whole[name][-1], abs=1e-9)
    (event,) = second.events
    assert (event.part, event.what) == ("pad_b", "sticks")
    assert event.time == pytest.approx(1.5, abs=1e-9)


def test_explanations_name_what_switches_and_its_modes():
    text = Collision().explain()
    head = text.index("parts that stick, slip or hit")
    assert "  pad_a: slipping forward" in text[head:]
    assert "  pad_b: stuck" in text[head:] and "  stop: open" in text[head:]
    assert "live parameters" not in text
    assert "live parameters: push.f_constant\n" in Slide().explain() + "\n"
