"""Sessions by the channel of a notebook's kernel, without a kernel: what is said and sent."""

import gzip
import json

import numpy as np
import pytest

from motorik.mobile import Scene
from motorik.view.live import notebook
from motorik.view.live.comm import FLIGHT, CommTransport
from motorik.view.live.messages import LARGEST
from tests.view.live.chains import Pendulum as ChainPendulum
from tests.view.live.models import Pendulum
from tests.view.live.notebooks import FakeWidget, NotebookPage
from tests.view.live.pages import Page, wait_until

SET = {"type": "set", "value": 1.0}


@pytest.fixture
def session(monkeypatch):
    monkeypatch.setattr(notebook, "widget_class", lambda: FakeWidget)
    with Pendulum().live(open=False) as session:
        yield session


@pytest.fixture
def page(session):
    page = NotebookPage(session.widget(), "a")
    page.say("hello")
    page.wait_for(lambda: page.told, "a greeting")
    return page


def slider_of(session, name):
    return next(w.id for w in session.panels.widgets.values() if w.name == name)


def test_a_page_is_greeted_with_all_but_the_scene_that_it_has(session, page):
    assert json.loads(gzip.decompress(page.widget.scene))["type"] == "scene"
    assert page.scenes == 0 and page.heard == 1
    assert page.told["panel"]["groups"] and page.told["state"]["running"] is False
    assert len(page.frames) == 1
    assert session.clients == 1


def test_a_slider_a_button_and_a_hand_act_and_frames_come_back(session, page):
    page.say("message", id=slider_of(session, "hinge.phi"), **SET)
    page.wait_for(lambda: session["hinge.phi"] == pytest.approx(1.0), "the slider")
    seen = len(page.frames)
    page.say("message", type="play")
    page.wait_for(lambda: session.is_running and len(page.frames) > seen + 3, "frames")
    times = [np.frombuffer(frame[:8], "<f8")[0] for frame in page.frames]
    assert times == sorted(times) and times[-1] > 0.0
    page.say("message", type="pause")
    page.wait_for(lambda: page.told["state"]["running"] is False, "the pause")
    turn = {"type": "turn", "name": "hinge.phi", "value": 0.25}
    page.say("message", **turn, phase="begin")
    page.say("message", **turn, phase="end")
    page.wait_for(lambda: session["hinge.phi"] == pytest.approx(0.25), "the hand")
    page.wait_for(lambda: page.heard == page.said, "the last word to be heard")


def test_a_page_gets_its_file_and_is_told_where_it_is_too_large(session, page):
    page.say("message", type="save", form="py")
    page.wait_for(lambda: "file" in page.told, "the file")
    assert page.told["file"]["name"] == "Pendulum.py"
    page.told.clear()
    (transport,) = session._pages._transports[1:]
    transport.answer((transport, "a"), "file", "x" * 1_000_001)
    page.wait_for(lambda: page.notices, "a notice")
    assert "session.save" in page.notices[0] and "file" not in page.told


def test_pages_of_a_notebook_and_of_the_socket_see_the_same(session, page):
    with Page(session) as other:
        other.wait_for(lambda: other.values)
        page.say("message", id=slider_of(session, "hinge.phi"), **SET)
        id_ = slider_of(session, "hinge.phi")
        other.wait_for(lambda: other.values[id_] == pytest.approx(1.0))
        other.say("set", id=id_, value=0.3)
        page.wait_for(
            lambda: page.told["values"]["widgets"][id_] == pytest.approx(0.3), "the other"
        )
        assert session.clients == 2


def test_another_view_gets_its_own_greeting_and_leaves_the_first_alone(session, page):
    told = dict(page.told)
    second = NotebookPage(page.widget, "b")
    second.say("hello")
    parcels = page.widget.take()
    page.listen(parcels)
    second.listen(parcels)
    assert second.told.keys() == told.keys() and page.told == told
    assert session.clients == 2
    second.widget.hear({"page": "b", "say": "bye"})
    assert session.clients == 1


@pytest.mark.parametrize(
    "message",
    [
        '{"type": "eval", "code": "1"}',
        "not JSON",
        '{"type": "step", "dt": 1e9}',
        '{"type": "set", "id": 3, "value": 1}',
        '{"type": "play", "more": "' + LARGEST * "x" + '"}',
        None,
        {"type": "play"},
    ],
)
def test_what_a_socket_would_refuse_is_refused(session, page, message):
    page.widget.hear({"page": "a", "say": "message", "n": 2, "message": message})
    page.wait_for(lambda: page.notices, "a refusal")
    assert "live page" in page.notices[0] and len(page.notices[0]) < 500
    assert not session.is_running


@pytest.mark.parametrize(
    "said",
    [None, 3, [], {}, {"page": 3}, {"page": 100 * "x", "say": "hello"}]
    + [{"page": "a", "say": "seen", "n": n} for n in ("x", None, 1e300, -5, 10**9)],
)
def test_what_no_page_would_say_is_passed_over(session, page, said):
    page.widget.hear(said)
    assert session.clients == 1
    page.say("message", type="step", dt=0.01)
    page.wait_for(lambda: session.time == pytest.approx(0.01), "a step")


def test_a_closed_session_says_so_also_to_a_page_that_comes_later(session, page):
    session.close()
    page.wait_for(lambda: page.is_closed, "the end")
    late = NotebookPage(page.widget, "late")
    late.say("hello")
    late.listen(page.widget.take())
    assert late.is_closed and late.frames
    late.say("message", type="play")
    assert not session.is_running


def test_a_widget_of_a_closed_session(monkeypatch):
    monkeypatch.setattr(notebook, "widget_class", lambda: FakeWidget)
    session = Pendulum().live(open=False)
    session.close()
    page = NotebookPage(session.widget(), "a")
    page.say("hello")
    page.wait_for(lambda: page.is_closed, "the end")


def test_a_chain_by_the_same_channel(monkeypatch):
    monkeypatch.setattr(notebook, "widget_class", lambda: FakeWidget)
    pendulum = ChainPendulum()
    scene = Scene(pendulum.chain, up=1)
    scene.make_manipulator(pendulum.joint)
    with scene.live(open=False) as session:
        page = NotebookPage(session.widget(height=300), "a")
        assert page.widget.height == 300
        page.say("hello")
        page.wait_for(lambda: page.told, "a greeting")
        (id_,) = session.panels.widgets
        page.say("message", type="set", id=id_, value=0.7)
        page.wait_for(lambda: page.told["values"]["widgets"][id_] == 0.7, "the slider")
        assert pendulum.phi.q == pytest.approx(0.7)
        scene.make_shape(pendulum.K2)  # other shapes: the scene is sent
        page.wait_for(lambda: page.scenes == 1, "the other scene")


def test_a_scene_that_looks_different_comes_with_its_frame(session, page):
    session.step(0.05)
    session.set("length", 1.5)
    page.wait_for(lambda: page.scenes and page.frames, "another scene and a frame")
    assert np.frombuffer(page.frames[-1][:8], "<f8")[0] == pytest.approx(0.05)


class Wires:
    """A transport whose parcels are kept, and pages that answer when they are told to."""

    def __init__(self, is_busy=False):
        self.parcels, self.is_busy = [], is_busy
        self.transport = CommTransport(
            dict,
            lambda message, page: None,
            lambda parcel, buffers: self.parcels.append((parcel, buffers)),
            lambda: self.is_busy,
            "",
        )

    def fill(self, count):
        """Send one after the other, each when the one before is gone."""
        for _ in range(count):
            before = len(self.parcels)
            self.transport.send({"frame": b"x"})
            wait_until(lambda: len(self.parcels) > before, "a parcel")  # noqa: B023


def test_no_more_is_on_its_way_than_pages_have_seen():
    wires = Wires()
    wires.fill(FLIGHT)
    for number in range(50):
        wires.transport.send({"frame": b"%d" % number})
    assert len(wires.parcels) == FLIGHT
    wires.transport.receive_message({"page": "a", "say": "seen", "n": FLIGHT})
    wait_until(lambda: len(wires.parcels) > FLIGHT, "the next one")
    assert wires.parcels[FLIGHT][1] == [b"49"]  # the newest alone
    wires.transport.stop()


def test_while_a_cell_runs_and_no_page_can_answer_frames_come_all_the_same():
    wires = Wires(is_busy=True)
    wires.fill(FLIGHT + 3)
    wires.transport.stop()


def test_a_page_that_comes_back_is_not_kept_waiting_for_what_others_missed():
    wires = Wires()
    wires.fill(FLIGHT)
    wires.transport.send({"frame": b"new"})
    wires.transport.receive_message({"page": "b", "say": "hello", "n": 1})
    wait_until(lambda: any([b"new"] == b for _, b in wires.parcels), "the newest frame")
    wires.transport.stop()


def test_large_texts_are_packed():
    wires = Wires()
    text = json.dumps({"type": "run", "run": 10_000 * "x"})
    wires.transport.send({"run": text})
    wait_until(lambda: wires.parcels, "a parcel")
    parcel, (buffer,) = wires.parcels[0]
    assert parcel["parts"] == [{"packed": 0}] and len(buffer) < 1000
    assert gzip.decompress(buffer).decode() == text
    wires.transport.stop()
