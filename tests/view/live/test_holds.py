"""Holds belong to pages and end with them; loops of a session end when their time is over."""

import math

import numpy as np
import pytest

from motorik import gallery
from motorik.errors import SimulationError
from motorik.view.live.comm import SILENT, CommTransport
from motorik.view.live.jobs import MOST_WAITING, Job, Jobs
from motorik.view.live.session import Pace
from tests.view.live.models import Pendulum, page
from tests.view.live.pages import Page, wait_until
from tests.view.live.test_pace import Clock

QUIET = {"open": False, "page": page}


def drag(phase, group=1, point=(1.0, 0.0, 0.0), target=(0.6, 0.8, 0.0), mode="kinematics"):
    return {"phase": phase, "group": group, "point": list(point)} | {
        "target": list(target),
        "mode": mode,
    }


@pytest.mark.parametrize("mode", ["kinematics", "statics", "dynamics"])
@pytest.mark.parametrize("was_running", [False, True])
def test_what_a_page_holds_is_let_go_when_it_vanishes(mode, was_running):
    with Pendulum().live(**QUIET) as session:
        if was_running:
            session.play()
        client = Page(session)
        client.wait_for(lambda: client.frames)
        client.say("drag", **drag("begin", mode=mode))
        client.say("drag", **drag("move", mode=mode))
        wait_until(lambda: session.acting.holds, "the hold")
        client.socket.socket.close()  # as if the machine was switched off
        wait_until(lambda: not session.acting.holds, "letting go")
        wait_until(lambda: not session.player.is_pulled, "taking the spring away")
        assert session.player.stiffness == 0.0
        wait_until(lambda: session.is_running == was_running, "going on as before")


def test_two_hands_are_not_mixed_up():
    with gallery.DoublePendulum().live(**QUIET) as session:
        with Page(session) as first, Page(session) as second:
            for client in (first, second):
                client.wait_for(lambda c=client: c.frames)
            reach = {"point": (0.5, 0.0, 0.0)}
            first.say("drag", **drag("begin", 1, target=(0.4, -0.3, 0.0), **reach))
            wait_until(lambda: session.acting.holds, "the first hold")
            for phase in ("begin", "move", "end"):
                second.say("drag", **drag(phase, 2, target=(0.0, 0.9, 0.0), **reach))
            second.wait_for(lambda: second.notices)
            assert "held in another page" in second.notices[0]["text"]
            assert session.acting.holds  # the second one lets nothing go
            first.say("drag", **drag("move", 1, target=(0.3, -0.4, 0.0), **reach))
            end = np.array([0.3, -0.4, 0.0])
            wait_until(
                lambda: np.allclose(session["box1.frame_b.r_0"], end, atol=1e-9), "the move"
            )
            first.say("drag", **drag("end", 1, target=(0.3, -0.4, 0.0), **reach))
            wait_until(lambda: not session.acting.holds, "letting go")
            second.say("drag", **drag("begin", 2, target=(0.3, -0.9, 0.0), **reach))
            wait_until(lambda: session.acting.holds, "the second hold")


def test_time_stands_still_under_a_hand_and_a_reset_ends_it():
    with Pendulum().live(**QUIET) as session:
        act, own = session.acting.act, ("a",)
        message = {"type": "drag", "part": None, "keep_speed": False}
        session.do(lambda: act({**message, **drag("begin")}, own))
        session.play()
        assert not session.is_running  # it goes on when the hand lets go
        session.do(lambda: act({**message, **drag("end")}, own))
        assert session.is_running
        session.pause()
        session.do(lambda: act({**message, **drag("begin", mode="dynamics")}, own))
        wait_until(lambda: session.player.is_pulled, "the spring")
        session.reset()
        assert not session.acting.holds and not session.player.is_pulled
        session.do(lambda: act({**message, **drag("move", mode="dynamics")}, own))
        assert not session.acting.holds  # until that hand takes hold again
        session.do(lambda: act({**message, **drag("begin")}, own))
        assert session.acting.holds


def test_a_parameter_that_changes_under_a_hand_counts_for_its_next_move():
    with Pendulum().live(**QUIET) as session:
        message = {"type": "drag", "part": None, "keep_speed": False}
        begin = {**message, **drag("begin", target=(1.0, 0.0, 0.0))}
        session.do(lambda: session.acting.act(begin, ("a",)))
        session.set("length", 2.0)
        move = {**message, **drag("move", target=(0.0, 1.0, 0.0))}
        session.do(lambda: session.acting.act(move, ("a",)))
        session.do(lambda: session.acting.leave(("a",)))
        assert session["hinge.phi"] == pytest.approx(math.pi / 2, abs=1e-9)
        assert session["body.frame_a.r_0"] == pytest.approx((0.0, 2.0, 0.0), abs=1e-9)


class Wires:
    """A channel of a notebook, on a clock of its own."""

    def __init__(self):
        self.clock, self.gone, self.is_busy = Clock(), [], False
        self.transport = CommTransport(
            dict,
            lambda message, page: None,
            lambda parcel, buffers: None,
            lambda: self.is_busy,
            "",
            lambda page: self.gone.append(page[1]),
            self.clock,
        )

    def pass_time(self, seconds):
        self.clock.time += seconds
        self.transport.forget_silent()


def test_a_page_of_a_notebook_that_says_nothing_is_gone():
    wires = Wires()
    transport = wires.transport
    for name in ("a", "b", "c"):
        transport.receive_message({"page": name, "say": "hello", "n": 1})
    transport.receive_message({"page": "c", "say": "bye"})
    assert wires.gone == ["c"]
    wires.pass_time(0.6 * SILENT)
    transport.receive_message({"page": "b", "say": "here"})
    wires.pass_time(0.6 * SILENT)
    assert wires.gone == ["c", "a"] and transport.count == 1
    wires.is_busy = True  # whatever is said now waits in the kernel
    wires.pass_time(10.0 * SILENT)
    wires.is_busy = False
    wires.pass_time(0.5 * SILENT)
    assert transport.count == 1
    wires.pass_time(SILENT)
    assert wires.gone == ["c", "a", "b"] and transport.count == 0
    transport.stop()


# --- budgets ---------------------------------------------------------------------------------


def test_no_speed_hangs_a_session():
    with gallery.DoublePendulum().live(**QUIET) as session:
        for speed in (1e9, 1e308, math.inf):
            session.speed, before = speed, session.time
            session.play()
            wait_until(lambda t=before: session.time > t + 1.0, "some time of the run")
            session.pause()
            assert not session.is_running


def test_a_step_ends_where_its_time_is_over_and_the_next_goes_on():
    player = gallery.DoublePendulum().live(**QUIET)
    player.close()
    player = player.player
    calls = []

    def is_over():
        calls.append(player.time)
        return len(calls) == 3

    player.step(1e9, is_over)
    reached = player.time
    assert len(calls) == 3 and 0.0 < reached < 1e6
    player.step(0.5)
    assert player.time == pytest.approx(reached + 0.5, rel=1e-12)


def test_frames_keep_coming_at_any_speed():
    for cost in (1e-3, 0.1):  # s of computing for a second of simulation
        clock, t, longest = Clock(), 0.0, 0.0
        pace = Pace(1e9, 30.0, now=clock)
        pace.start(t)
        for _ in range(100):
            clock.time += max(pace.wait(), 1e-4)
            dt = pace.due(t)
            t, clock.time = t + dt, clock.time + cost * dt
            pace.done(t, dt, cost * dt)
            longest = max(longest, cost * dt)
        assert longest < 5.0 * pace.period
        assert t > 0.5 * 100 * pace.period / cost * 0.5  # and it is as fast as it can


def test_jobs_that_take_long_leave_time_to_others():
    done, jobs = [], Jobs(lambda: None, "test")
    for k in range(5):
        jobs.put(Job(lambda k=k: done.append(k)))
    jobs.do(0.0, print, lambda: len(done) >= 2)
    assert done == [0, 1]
    jobs.put(Job(lambda: done.append("last")))
    jobs.do(0.0, print)
    assert done == [0, 1, 2, 3, 4, "last"]


def test_not_too_much_waits():
    jobs = Jobs(lambda: None, "test")
    for _ in range(MOST_WAITING):
        jobs.offer(Job(lambda: None))
    with pytest.raises(SimulationError, match="wait already"):
        jobs.offer(Job(lambda: None))
    jobs.put(Job(lambda: None))  # what the program itself asks for
    jobs.do(0.0, print)
    jobs.offer(Job(lambda: None))
