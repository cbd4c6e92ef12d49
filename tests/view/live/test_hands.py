"""Hands in sessions of models: what is put off to the end of a drag, what is told and what not."""

import threading
import time

import numpy as np
import pytest

from motorik.view.live.model_player import Pulled
from tests.assembly.four_bars import four_bar
from tests.view.live.models import Pendulum, page
from tests.view.live.pages import Page, wait_until

QUIET = {"open": False, "page": page}


@pytest.fixture
def session():
    with four_bar(drive={"w": 0.0}).live(**QUIET) as session:
        yield session


def held(client, group, point, **others):
    groups = client.told["scene"]["scene"]["groups"]
    return {"group": groups.index(group), "point": list(point), **others}


@pytest.mark.slow
def test_the_simulation_takes_the_motion_of_a_hand_when_it_lets_go(session, monkeypatch):
    simulator, taken = session.player.simulator, []
    own = simulator.take
    monkeypatch.setattr(simulator, "take", lambda *given: (taken.append(1), own(*given)))
    with Page(session) as client:
        client.wait_for(lambda: client.frames)
        drag = held(client, "coupler.body", (1.1, 0.0, 0.0))
        wrist = session["coupler.frame_b.r_0"]
        count = len(client.told["scene"]["scene"]["groups"]) - 1
        for k in range(6):
            target = (wrist - 0.02 * k).tolist()
            client.say("drag", phase="move" if k else "begin", target=target, **drag)
        client.wait_for(lambda: client.told["state"]["drag"] is not None)
        client.listen(within=0.3)
        assert taken == []
        seen = client.poses(count).copy()
        client.say("drag", phase="end", target=target, **drag)
        client.wait_for(lambda: client.told["state"]["drag"] is None)
        assert taken == [1]
        simulator = session.player.simulator
        given = simulator.time, simulator.motion, simulator.parameters
        own_poses = simulator.system.poses(*given).reshape(-1, 7)
        assert seen == pytest.approx(session.player.scene.placed(own_poses), abs=1e-6)
        assert np.linalg.norm(session["coupler.frame_b.r_0"] - wrist) > 0.02
        session.step(0.01)  # it goes on from there
        assert session.time == pytest.approx(0.01)


def test_what_is_read_during_a_drag_is_where_the_hand_is(session):
    with Page(session) as client:
        client.wait_for(lambda: client.frames)
        client.say("turn", phase="begin", name="drive.phi", value=1.0)
        client.say("turn", phase="move", name="drive.phi", value=2.0)
        client.wait_for(
            lambda: client.values.get("Start values/drive.phi") == pytest.approx(2.0)
        )
        assert session["drive.phi"] == pytest.approx(2.0)
        client.say("turn", phase="end", name="drive.phi", value=2.0)


def test_keeping_to_a_path_is_no_news_but_a_dead_centre_is(session):
    with Page(session) as client:
        client.wait_for(lambda: client.frames)
        drag = held(client, "coupler.body", (0.5, 0.0, 0.0))
        middle = session["coupler.body.frame_a.r_0"] + np.array([0.4, 0.1, 0.0])
        client.say("drag", phase="begin", target=middle.tolist(), **drag)
        client.wait_for(lambda: client.told["state"]["drag"] is not None)
        assert client.told["state"]["drag"]["kind"] == "off its path"
        assert client.told["state"]["message"] == ""
        client.say("drag", phase="end", **drag)
        client.wait_for(lambda: client.told["state"]["drag"] is None)
        client.say("turn", phase="begin", name="pivot.phi", value=6.0)
        client.wait_for(lambda: "dead centre" in client.told["state"]["message"])
        client.say("turn", phase="end", name="pivot.phi")


@pytest.mark.slow
def test_what_a_slider_feels_is_told_at_once():
    bars = four_bar(
        crank=0.9, coupler=0.5, rocker=0.9, base=1.6, drive={"phi": 0.8, "w": 0.0}
    )
    with bars.live(**QUIET) as session, Page(session) as client:
        client.wait_for(lambda: client.frames)
        client.say("set", id="Start values/drive.phi", value=2.5)
        client.wait_for(lambda: client.told["state"]["message"])
        client.say("set", id="Start values/drive.phi", value=0.5)
        client.wait_for(lambda: not client.told["state"]["message"])


def test_what_cannot_be_held_is_told_once(session):
    with Page(session) as client:
        client.wait_for(lambda: client.frames)
        for phase in ("begin", "move", "move", "move", "end"):
            client.say("drag", phase=phase, group=0, target=[1.0, 0.0, 0.0])
        client.say("drag", phase="begin", group=99, target=[1.0, 0.0, 0.0])
        client.wait_for(lambda: len(client.notices) > 1)
        client.listen(within=0.3)
        assert len(client.notices) == 2


def test_what_held_a_pose_is_forgotten_where_a_hand_pulls():
    with Pendulum().live(**QUIET) as session, Page(session) as client:
        client.wait_for(lambda: client.frames)
        for mode, holds in (("statics", True), ("dynamics", False)):
            drag = held(client, "body", (1.0, 0.0, 0.0), mode=mode)
            client.say("drag", phase="begin", target=[0.9, 0.4, 0.0], **drag)
            client.say("drag", phase="move", target=[0.9, 0.3, 0.0], **drag)
            client.wait_for(
                lambda holds=holds: bool(client.told["state"]["holds"]) == holds
            )
            client.say("drag", phase="end", target=[0.9, 0.3, 0.0], **drag)


def test_a_spring_is_prepared_while_the_session_goes_on(monkeypatch):
    gate, own = threading.Event(), Pulled.of

    def slow(*given):
        gate.wait(20.0)
        return own(*given)

    with Pendulum().live(**QUIET) as session, Page(session) as client:
        client.wait_for(lambda: client.frames)
        monkeypatch.setattr(Pulled, "of", staticmethod(slow))
        drag = held(client, "body", (1.0, 0.0, 0.0), mode="dynamics")
        client.say("drag", phase="begin", target=[0.9, 0.4, 0.0], **drag)
        client.wait_for(lambda: "prepared" in client.told["state"]["message"])
        session.step(0.1)  # nothing waits for the compiler
        assert session.time == pytest.approx(0.1) and not session.player.is_pulled
        client.say("drag", phase="move", target=[0.0, 1.0, 0.0], **drag)
        gate.set()
        client.wait_for(lambda: session.player.is_pulled and session.is_running)
        client.wait_for(lambda: not client.told["state"]["message"])
        assert client.told["state"]["stiffness"] > 0.0
        wait_until(lambda: session["hinge.phi"] > 1.0, "the pull to the newest target")
        client.say("drag", phase="end", **drag)
        client.wait_for(lambda: not client.told["state"]["running"])
        assert not client.notices and client.told["state"]["stiffness"] == 0.0


def test_a_spring_that_is_let_go_before_it_is_ready_pulls_nothing(monkeypatch):
    gate, done, own = threading.Event(), threading.Event(), Pulled.of

    def slow(*given):
        gate.wait(20.0)
        found = own(*given)
        done.set()
        return found

    monkeypatch.setattr(Pulled, "of", staticmethod(slow))
    with Pendulum().live(**QUIET) as session, Page(session) as client:
        client.wait_for(lambda: client.frames)
        drag = held(client, "body", (1.0, 0.0, 0.0), mode="dynamics")
        client.say("drag", phase="begin", target=[0.9, 0.4, 0.0], **drag)
        client.wait_for(lambda: "prepared" in client.told["state"]["message"])
        client.say("drag", phase="end", **drag)
        wait_until(lambda: session.acting._held is None, "letting go")
        client.wait_for(lambda: not client.told["state"]["message"])
        gate.set()
        assert done.wait(20.0)
        time.sleep(0.1)
        assert not session.player.is_pulled and not session.is_running
        assert session["hinge.phi"] == pytest.approx(0.5)
