"""Memory of sessions: recorded runs, the run so far, the start of the model itself."""

import struct

import pytest

import motorik as mk
from motorik.view.live.broadcast import History
from tests.view.live.models import Pendulum, page
from tests.view.live.pages import Page

QUIET = {"open": False, "page": page}


class Lifted(mk.Model):
    """A pendulum whose start angle is given, and whose start speed is not."""

    def build(self):
        self.world = mk.World()
        self.hinge = mk.Revolute(n="z", phi=0.5)
        self.body = mk.Body(m=1.0, r_CM=(0.5, 0, 0))
        self.world.frame_b >> self.hinge.frame_a
        self.hinge.frame_b >> self.body.frame_a


@pytest.fixture
def session():
    with Pendulum().live(**QUIET) as session:
        yield session


def test_a_recorded_run_is_what_a_page_that_comes_later_sees():
    """No frame hides it, except while a hand moves the start; then it is simulated anew."""
    with Pendulum().live(mode="recorded", stop_time=0.5, **QUIET) as session:
        session.set("damper.d", 0.3)
        session.turn("hinge.phi", 0.9)
        assert session.result["hinge.phi"][0] == pytest.approx(0.9)
        with Page(session) as client:
            client.wait_for(lambda: "run" in client.told and client.values)
            assert not client.frames
            hand = {"name": "hinge.phi", "value": 1.2}
            client.say("turn", phase="begin", **hand)
            client.wait_for(lambda: client.frames)
            client.told.pop("run")
            client.say("turn", phase="end", **hand)
            client.wait_for(lambda: "run" in client.told)
        assert session.result["hinge.phi"][0] == pytest.approx(1.2)
        with Page(session) as client:
            client.wait_for(lambda: "run" in client.told and client.values)
            assert not client.frames


def test_a_step_is_told_to_controls(session):
    with Page(session) as client:
        client.wait_for(lambda: client.frames and client.values)
        session.step(0.1)
        now = session["hinge.phi"]
        client.wait_for(
            lambda: client.values["Start values/hinge.phi"] == pytest.approx(now)
        )


def test_a_page_that_is_loaded_again_gets_the_run_so_far(session):
    for _ in range(5):
        session.step(0.1)
    with Page(session) as client:
        client.wait_for(lambda: len(client.frames) > 1)
        past, now = client.frames[:2]
        assert len(past) == 5 * len(now)
        times = [struct.unpack_from("<d", past, k * len(now))[0] for k in range(5)]
        assert times == pytest.approx([0.0, 0.1, 0.2, 0.3, 0.4])
        assert client.time == pytest.approx(0.5)
    session.reset()
    with Page(session) as client:
        client.wait_for(lambda: client.frames and client.values)
        assert len(client.frames) == 1 and client.time == 0.0


def test_the_history_of_a_run_is_bounded():
    history = History(most=100)
    frames = [struct.pack("<d", 0.1 * k) + bytes(28) for k in range(1000)]
    for frame in frames:
        history.add(frame)
    past = history.past
    assert 20 * 36 < len(past) <= 100 * 36 and past.startswith(frames[0])
    history.add(struct.pack("<d", 99.9) + bytes(36))  # of another mechanism
    assert history.past == b""


def test_the_start_of_the_model_itself_comes_back(session):
    session.set("hinge.phi", 1.1)
    session.turn("hinge.phi", 1.3)
    session.step(0.1)
    session.reset()
    assert session["hinge.phi"] == pytest.approx(1.3)
    with Page(session) as client:
        client.say("reset", own=True)
        client.wait_for(
            lambda: client.values.get("Start values/hinge.phi") == pytest.approx(0.5)
        )
    assert session["hinge.phi"] == pytest.approx(0.5)


def test_speeds_have_sliders_where_only_coordinates_are_given():
    with Lifted().live(**QUIET) as session:
        shown = set(session.panels.widgets)
        assert {"Start values/hinge.phi", "Start values/hinge.w"} <= shown
