"""Both sides of events: states and modes before and after, in rows, grids and by number."""

from __future__ import annotations

import numpy as np
import pytest

from motorik import Model
from motorik.results import Result
from tests.events.parts import FAST, HIT, Ball, Collision, Pushed, braked

METHODS = ("dopri5", "dop853", "gbs", "adams", "bdf")


@pytest.mark.slow
def test_both_sides_are_exact_whatever_the_output():
    runs = [Collision().simulate(3.0, rtol=1e-10, output=n) for n in (1, 7, "steps")]
    for result in runs:
        at = result.at_event(0)
        assert at.before["a.v"] == pytest.approx(FAST, rel=1e-11) and at.after["a.v"] == 0.0
        assert at.before["b.v"] == 0.0
        assert at.after["b.v"] == pytest.approx(FAST / 2, rel=1e-11)
        assert at.before["a.s"] == at.after["a.s"] == pytest.approx(1.0, abs=1e-11)
        # before, a is slowed by 2 N and b is held by none; after, a is held and b is slowed
        assert at.before["pad_a.flange_b.f"] == 2.0 and at.after["pad_a.flange_b.f"] == 0.0
        assert at.before["pad_b.flange_b.f"] == 0.0 and at.after["pad_b.flange_b.f"] == 2.0
        assert (at.before["a.a"], at.after["b.a"]) == (-2.0, -1.0)
        assert at.before.time == at.after["time"] == at.event.time


def test_sides_are_described():
    at = Collision().simulate(1.0).at_event(0)
    lines = repr(at).splitlines()
    assert lines[0].startswith("0.381966011 s: stop hits")
    assert lines[1] == "before: Collision at t = 0.381966011 s"
    assert "after: Collision at t = 0.381966011 s" in lines
    assert "  b.v   1.11803399 m/s" in repr(at.after).splitlines()


@pytest.mark.kinds(3)
@pytest.mark.parametrize("method", METHODS)
def test_rows_at_an_event_are_written_twice(method):
    result = Collision().simulate(3.0, method=method, rtol=1e-9, output="steps")
    twice = np.flatnonzero(np.diff(result.time) == 0.0)
    np.testing.assert_allclose(result.time[twice], [HIT, 1.5], atol=1e-8)
    k = twice[0]
    np.testing.assert_allclose(result["a.v"][[k, k + 1]], [FAST, 0.0], atol=1e-7)
    np.testing.assert_array_equal(result["pad_a.flange_b.f"][[k, k + 1]], [2.0, 0.0])
    np.testing.assert_array_equal(result["pad_b.flange_b.f"][[k, k + 1]], [0.0, 2.0])
    at = result.at_event(0)
    assert at.before["a.v"] == result["a.v"][k] and at.after["b.v"] == result["b.v"][k + 1]


def test_rows_at_a_time_of_change_show_both_sides():
    result = Pushed().simulate(2.0, output="steps", rtol=1e-9)
    (k,) = np.flatnonzero(np.diff(result.time) == 0.0)
    assert result.time[k] == 1.0
    for name, sides in (("law.y", [0.0, 6.0]), ("mass.a", [0.0, 1.0])):
        np.testing.assert_array_equal(result[name][[k, k + 1]], sides)
    (event,) = result.events
    assert (event.time, event.what) == (1.0, "slips forward")
    at = result.at_event(0)
    assert (at.before["law.y"], at.after["law.y"]) == (0.0, 6.0)
    assert (at.before["mass.a"], at.after["mass.a"]) == (0.0, 1.0)


@pytest.mark.parametrize("method", METHODS)
def test_rows_of_grids_have_the_modes_after_an_event(method):
    result = Pushed().simulate(2.0, output=[0.0, 0.5, 1.0, 1.5, 2.0], method=method)
    np.testing.assert_allclose(result["mass.a"], [0, 0, 1, 1, 1], atol=1e-12)
    np.testing.assert_allclose(result["pad.flange_b.f"], [0, 0, 4, 4, 4], atol=1e-12)
    np.testing.assert_allclose(result["mass.v"], [0, 0, 0, 0.5, 1.0], atol=1e-9)


def test_a_hit_at_the_start_is_in_the_first_row_of_any_output():
    start = {"ball.s": 0.0, "ball.v": -2.0}
    for output in (10, "steps"):
        result = Ball().simulate(0.1, initial=start, output=output)
        assert result["ball.v"][0] == pytest.approx(1.0, rel=1e-12)
        assert result.events[0].time == 0.0 and result.at_event(0).before["ball.v"] == -2.0


def turns(strategy: str, output: str | int) -> Result:
    """Return a four-bar that turns once and is stopped by its brake."""
    model: Model = braked(10.0, 0.8, 30.0)
    return model.simulate(1.0, strategy=strategy, rtol=1e-10, output=output)


@pytest.mark.slow
def test_followed_angles_are_right_on_both_sides():
    found, other = turns("explicit", "steps"), turns("projected", 20)
    (event,) = found.events
    assert (event.part, event.what) == ("brake", "sticks")
    assert event.time == pytest.approx(other.events[0].time, abs=1e-8)
    (k,) = np.flatnonzero(np.diff(found.time) == 0.0)
    for name in ("elbow.phi", "wrist.phi", "pivot.phi"):
        sides = [found.at_event(0).before[name], found.at_event(0).after[name]]
        np.testing.assert_array_equal(found[name][[k, k + 1]], sides)
        np.testing.assert_allclose(sides, other.at_event(0).after[name], atol=1e-8)
    assert found["elbow.phi"][k] < -np.pi  # counted beyond half a turn


def test_states_between_rows_pass_events_exactly():
    result = Ball().simulate(1.0, output=4, rtol=1e-10)
    fall = np.sqrt(2 / 9.81)
    t = np.linspace(0.0, 1.0, 41)
    first, second = t < fall, (t >= fall) & (t < 2 * fall)
    s, v = result.at(t).states.T
    np.testing.assert_allclose(s[first], 1 - 4.905 * t[first] ** 2, atol=1e-12)
    np.testing.assert_allclose(v[first], -9.81 * t[first], atol=1e-12)
    after = t[second] - fall
    np.testing.assert_allclose(v[second], 4.905 * fall - 9.81 * after, atol=1e-11)
    hit = result.events[0].time
    assert result.at(hit)["ball.v"] == result.at_event(0).after["ball.v"]
    before = result.at(np.nextafter(hit, 0.0))
    assert before["ball.v"] == pytest.approx(-9.81 * fall, rel=1e-9)
