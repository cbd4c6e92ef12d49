"""How a simulation keeps pace with a clock, on a clock of its own: no machine is too busy."""

import math

import pytest

from motorik.errors import ParameterError
from motorik.view.live.session import Pace


class Clock:
    """A clock that goes on only where it is told to."""

    def __init__(self):
        self.time = 100.0

    def __call__(self) -> float:
        return self.time


def run(pace: Pace, clock: Clock, seconds: float, cost: float = 0.0) -> float:
    """Return how far a simulation comes that takes `cost` s for a second of its own."""
    t, end = 0.0, clock.time + seconds
    pace.start(t)
    while clock.time < end:
        clock.time += max(pace.wait(), 1e-4)
        dt = pace.due(t)
        if pace.beat:
            dt = pace.beat * int(dt / pace.beat + 1e-9)
        t += dt
        clock.time += cost * dt
        pace.done(t, dt, cost * dt)
    return t


@pytest.mark.parametrize("speed", [0.2, 1.0, 5.0])
@pytest.mark.parametrize("cost", [0.0, 0.05])
def test_it_is_as_fast_as_asked_where_computing_is(speed, cost):
    clock = Clock()
    gone = run(Pace(speed, 30.0, now=clock), clock, 10.0, cost)
    assert gone == pytest.approx(10.0 * speed, rel=0.01)


def test_what_cannot_keep_up_falls_behind_and_is_not_hurried():
    clock = Clock()
    gone = run(Pace(1.0, 30.0, now=clock), clock, 10.0, cost=2.0)
    assert 4.0 < gone < 5.1  # it computes nearly all the time


def test_a_stop_of_the_machine_is_not_made_up_for():
    clock = Clock()
    pace = Pace(1.0, 30.0, now=clock)
    pace.start(0.0)
    clock.time += 5.0
    assert pace.due(0.0) == pytest.approx(pace.period)


def test_steps_are_due_at_their_beat():
    """A beat longer than a frame is waited for, and never counts as being late."""
    clock = Clock()
    gone = run(Pace(1.0, 1000.0, beat=0.02, now=clock), clock, 3.0)
    assert gone == pytest.approx(3.0, abs=0.03)


def test_as_fast_as_it_can_leaves_some_time_to_others():
    clock = Clock()
    gone = run(Pace(math.inf, 30.0, now=clock), clock, 10.0, cost=1e-3)
    assert 0.5 * 10.0 / 1e-3 < gone < 10.0 / 1e-3


@pytest.mark.parametrize("speed", [0.0, -1.0, math.nan, "fast", None, True])
def test_speeds_are_positive_numbers(speed):
    with pytest.raises(ParameterError):
        Pace(speed, 30.0)
