"""Sessions: what runs, what sliders and hands do to it, what pages are told."""

import math
import threading
import time

import numpy as np
import pytest

import motorik as mk
from motorik import gallery
from motorik.errors import (
    MotorikError,
    ParameterError,
    SimulationError,
    UnknownNameError,
)
from tests.assembly.four_bars import four_bar
from tests.view.live.models import Pendulum, page
from tests.view.live.pages import Page, wait_until

QUIET = {"open": False, "page": page}


@pytest.fixture
def session():
    with Pendulum().live(**QUIET) as session:
        yield session


def test_it_goes_on_till_it_is_paused(session):
    session.play()
    wait_until(lambda: session.time > 0.3, "0.3 s")
    session.pause()
    t = session.time
    time.sleep(0.1)
    assert session.time == t


def test_it_runs_as_the_simulator_does(session):
    for _ in range(20):
        session.step(0.05)
    simulator = Pendulum().simulator()
    simulator.step(1.0)
    assert session.time == pytest.approx(1.0)
    assert session["hinge.phi"] == pytest.approx(simulator["hinge.phi"], abs=1e-5)


@pytest.mark.parametrize("speed", [0.2, 1.0, 5.0])
def test_it_is_never_ahead_of_the_clock(session, speed):
    """How it keeps pace with a clock is tested with a clock of its own; here it may be late."""
    session.speed = speed
    session.play()
    wait_until(lambda: session.time > 0.0, "the first step")
    began, t = time.perf_counter(), session.time
    wait_until(lambda: session.time > t + 0.4 * speed, "0.4 s of the clock")
    gone = session.time - t
    passed = time.perf_counter() - began
    assert gone < speed * (passed + 4 * session.pace.period)


def test_it_runs_as_fast_as_it_can(session):
    session.speed = math.inf
    began = time.perf_counter()
    session.play()
    wait_until(
        lambda: session.time > 3 * (time.perf_counter() - began) + 1.0, "more than time"
    )


def test_it_stops_at_the_end():
    with Pendulum().live(stop_time=0.2, **QUIET) as session:
        session.play()
        wait_until(lambda: not session.is_running, "the end")
        assert session.time == pytest.approx(0.2)


def test_parameters_act_at_once_and_the_model_stays_as_it_is(session):
    session.step(0.5)
    session.set("damper.d", 3.0)
    assert session["damper.d"] == 3.0
    simulator = Pendulum().simulator()
    simulator.step(0.5)
    simulator["damper.d"] = 3.0
    session.step(0.5)
    simulator.step(0.5)
    assert session["hinge.phi"] == pytest.approx(simulator["hinge.phi"], abs=1e-5)
    assert session.model.damper.d.value == 0.1
    session.reset()
    assert session["damper.d"] == 3.0 and session.time == 0.0
    assert session["hinge.phi"] == pytest.approx(0.5)


def test_start_values_act_at_once_and_after_a_reset(session):
    session.set("hinge.phi", 1.2)
    session.set("hinge.w", -2.0)
    assert session["hinge.phi"] == pytest.approx(1.2)
    assert session["hinge.w"] == pytest.approx(-2.0)
    session.step(0.3)
    result = Pendulum().simulate(0.3, initial={"hinge.phi": 1.2, "hinge.w": -2.0})
    assert session["hinge.phi"] == pytest.approx(result["hinge.phi"][-1], abs=1e-5)
    session.reset()
    assert session["hinge.phi"] == pytest.approx(1.2)
    assert session["hinge.w"] == pytest.approx(-2.0)


def test_loops_stay_closed_where_a_start_value_is_moved():
    model = four_bar(drive={"w": 0.0})
    with model.live(**QUIET) as session:
        session.set("drive.phi", 2.0)
        session.reset()
        assert session["drive.phi"] == pytest.approx(2.0)
        elbow, wrist = session["crank.frame_b.r_0"], session["coupler.frame_b.r_0"]
        assert np.linalg.norm(elbow - wrist) == pytest.approx(1.1, abs=1e-9)
        session.set("drive.w", 1.0)
        assert session["drive.w"] == pytest.approx(1.0)
        session.step(0.1)
        assert session["drive.phi"] > 2.05


@pytest.mark.slow
def test_a_run_goes_on_from_where_a_hand_left_it():
    with four_bar(drive={"w": 0.0}).live(**QUIET) as session:
        session.step(0.2)
        outcome = session.turn("drive.phi", 1.9)
        assert outcome.reached and session["drive.phi"] == pytest.approx(1.9)
        assert session.time == pytest.approx(0.2)
        session.step(0.3)
        hand = four_bar(drive={"w": 0.0}).manipulator()
        hand.turn("drive.phi", 1.9)
        result = four_bar().simulate(0.3, initial=hand.start)
        assert session["drive.phi"] == pytest.approx(result["drive.phi"][-1], abs=1e-5)
        outcome = session.drag("coupler.frame_b", (5.0, 0.0, 0.0))
        assert not outcome and outcome.kind in ("out of reach", "dead centre")


def test_pages_see_scene_panel_state_frame_and_values(session):
    with Page(session) as client:
        client.wait_for(lambda: "values" in client.told and client.frames)
        assert client.told["scene"]["scene"]["format"] == "motorik-scene"
        names = [w["label"] for g in client.told["panel"]["groups"] for w in g["widgets"]]
        assert {"length", "body.m", "damper.d", "hinge.phi", "hinge.w"} <= set(names)
        assert client.told["state"]["running"] is False
        count = len(client.told["scene"]["scene"]["groups"]) - 1
        values = len(client.told["scene"]["scene"]["channels"])
        assert len(client.frames[-1]) == 8 + 4 * (7 * count + values)


def test_frames_show_the_pose_that_the_simulation_has(session):
    with Page(session) as client:
        client.say("step", dt=0.4)
        client.wait_for(lambda: client.frames and client.time > 0.39)
        scene = client.told["scene"]["scene"]
        link = scene["groups"].index("body") - 1
        x, y, z, *q = client.poses(len(scene["groups"]) - 1)[link]
        phi = session["hinge.phi"]
        assert 2 * math.atan2(q[2], q[3]) == pytest.approx(phi, abs=1e-6)
        assert (x, y, z) == pytest.approx((0.0, 0.0, 0.0), abs=1e-6)


def test_sliders_of_pages_move_the_model(session):
    with Page(session) as client:
        client.say("set", id="Parameters/body.m", value=2.5)
        client.wait_for(
            lambda: (
                "values" in client.told and client.values.get("Parameters/body.m") == 2.5
            )
        )
        assert session["body.m"] == 2.5
        client.say("set", id="Start values/hinge.phi", value=-0.7)
        client.wait_for(
            lambda: client.values.get("Start values/hinge.phi") == pytest.approx(-0.7)
        )
        assert session["hinge.phi"] == pytest.approx(-0.7)
        client.say("play")
        client.wait_for(lambda: client.told["state"]["running"])
        client.say("set", id="Parameters/damper.d", value=0.2)  # also during the run
        client.wait_for(lambda: client.values.get("Parameters/damper.d") == 0.2)
        client.say("pause")
        client.wait_for(lambda: not client.told["state"]["running"])


def test_a_slider_that_is_moved_too_far_stays_at_its_end(session):
    with Page(session) as client:
        client.say("set", id="Parameters/body.m", value=-5.0)
        client.wait_for(
            lambda: (
                "values" in client.told and client.values.get("Parameters/body.m") == 0.05
            )
        )


def test_many_movements_at_once_count_as_the_last(session):
    """The session is kept busy; of a hundred movements that wait only the last is done."""
    done = []
    own = session.player.set
    session.player.set = lambda name, value: (done.append(value), own(name, value))[1]
    with Page(session) as client:
        client.wait_for(lambda: client.frames)
        begun, gate = threading.Event(), threading.Event()
        busy = mk.view.live.jobs.Job(lambda: (begun.set(), gate.wait(20.0))[1])
        session._jobs.put(busy)
        assert begun.wait(20.0)  # what it takes together is taken before
        for k in range(100):
            client.say("set", id="Parameters/body.m", value=1.0 + 0.01 * k)
        try:
            wait_until(lambda: session._jobs._waiting.qsize() >= 100, "all movements")
        finally:
            gate.set()
        client.wait_for(
            lambda: client.values.get("Parameters/body.m") == pytest.approx(1.99)
        )
    assert done == pytest.approx([1.99])


def test_two_pages_see_the_same_and_a_reload_keeps_the_state(session):
    with Page(session) as first, Page(session) as second:
        first.say("set", id="Parameters/body.m", value=1.7)
        first.say("step", dt=0.25)
        for client in (first, second):
            client.wait_for(
                lambda c=client: (
                    c.frames and c.time > 0.2 and c.values.get("Parameters/body.m") == 1.7
                )
            )
        assert first.frames[-1] == second.frames[-1]
    with Page(session) as again:
        again.wait_for(lambda: again.frames and "values" in again.told)
        assert again.time == pytest.approx(0.25)
        assert again.values.get("Parameters/body.m") == 1.7


def test_the_scene_is_sent_anew_where_a_slider_changes_lengths(session):
    with Page(session) as client:
        client.wait_for(lambda: client.frames)
        before = client.told["scene"]["scene"]["shapes"]
        client.say("set", id="Parameters/length", value=2.0)
        client.wait_for(lambda: client.told["scene"]["scene"]["shapes"] != before)
        client.told.pop("scene")
        client.say("set", id="Parameters/body.m", value=1.1)
        client.listen(within=1.0)
        assert "scene" not in client.told


def test_recorded_mode_sends_the_whole_run_anew():
    with (
        Pendulum().live(mode="recorded", stop_time=2.0, **QUIET) as session,
        Page(session) as client,
    ):
        client.wait_for(lambda: "run" in client.told)
        first = client.told["run"]["run"]
        assert first["time"]["shape"] == [len(session.result.time)]
        client.told.pop("run")
        client.say("set", id="Parameters/damper.d", value=0.3)
        client.wait_for(lambda: "run" in client.told)
        assert client.told["run"]["run"]["poses"] != first["poses"]
        expected = Pendulum().simulate(2.0, parameters={"damper.d": 0.3})
        assert session.result["hinge.phi"] == pytest.approx(expected["hinge.phi"])
        client.say("set", id="Start values/hinge.phi", value=1.0)
        client.wait_for(lambda: session.result["hinge.phi"][0] == pytest.approx(1.0))


def test_a_page_drags_a_body_and_the_loop_stays_closed():
    with four_bar(drive={"w": 0.0}).live(**QUIET) as session, Page(session) as client:
        client.wait_for(lambda: client.frames)
        groups = client.told["scene"]["scene"]["groups"]
        k = groups.index("coupler.body")
        drag = {"group": k, "point": [1.1, 0.0, 0.0], "mode": "statics"}
        wrist = session["coupler.frame_b.r_0"]
        client.say("drag", phase="begin", target=wrist.tolist(), **drag)
        for step in np.linspace(0.0, 0.3, 10):
            target = (wrist + np.array([step, -step, 0.0])).tolist()
            client.say("drag", phase="move", target=target, **drag)
        client.wait_for(lambda: client.told["state"]["torques"])
        holds = client.told["state"]["holds"]
        assert all(words.endswith("N·m") for words in holds.values()) and holds
        client.say("drag", phase="end", target=target, **drag)
        client.wait_for(lambda: client.told["state"]["drag"] is None)
        simulator = session.player.simulator
        violations = simulator.system.violations(
            [0.0], simulator.motion, simulator.parameters
        )
        assert np.abs(violations).max() < 1e-9
        assert np.linalg.norm(session["coupler.frame_b.r_0"] - wrist) > 0.05
        rocker = session["coupler.frame_b.r_0"] - [1.2, 0.0, 0.0]
        assert np.linalg.norm(rocker) == pytest.approx(0.9, abs=1e-9)


def test_a_drag_is_taken_back():
    with four_bar(drive={"w": 0.0}).live(**QUIET) as session, Page(session) as client:
        client.wait_for(lambda: client.frames)
        before = session["drive.phi"]
        client.say("turn", phase="begin", name="drive.phi", value=1.5)
        client.say("turn", phase="move", name="drive.phi", value=2.5)
        client.wait_for(
            lambda: client.values.get("Start values/drive.phi") == pytest.approx(2.5)
        )
        client.say("turn", phase="cancel", name="drive.phi")
        client.wait_for(
            lambda: client.values.get("Start values/drive.phi") == pytest.approx(before)
        )


def test_the_speed_of_a_hand_is_kept_if_wanted():
    with Pendulum().live(**QUIET) as session, Page(session) as client:
        client.wait_for(lambda: client.frames)
        for keep in (True, False):
            given = {"name": "hinge.phi", "keep_speed": keep}
            client.say("turn", phase="begin", value=0.0, **given)
            for k in range(8):
                client.say("turn", phase="move", value=0.05 * k, **given)
                time.sleep(0.02)
            client.wait_for(lambda: client.told["state"]["drag"] is not None)
            client.say("turn", phase="end", value=0.4, **given)
            client.wait_for(lambda: client.told["state"]["drag"] is None)
            assert (session["hinge.w"] != 0.0) is keep  # how fast depends on the machine


def test_a_spring_pulls_while_the_simulation_runs():
    with Pendulum().live(**QUIET) as session, Page(session) as client:
        client.wait_for(lambda: client.frames)
        k = client.told["scene"]["scene"]["groups"].index("body")
        drag = {"group": k, "point": [1.0, 0.0, 0.0], "mode": "dynamics"}
        client.say("drag", phase="begin", target=[0.9, 0.4, 0.0], **drag)
        client.say("drag", phase="move", target=[0.0, 1.0, 0.0], **drag)
        client.wait_for(lambda: client.told["state"]["running"], within=60)
        wait_until(lambda: session["hinge.phi"] > 1.2, "the pull")
        assert session["hinge.phi"] == pytest.approx(
            math.pi / 2, abs=0.4
        )  # gravity sags it
        client.say("drag", phase="end", **drag)
        client.wait_for(lambda: not client.told["state"]["running"])
        assert not session.player.is_pulled
        turned = session["hinge.phi"]
        session.step(1.0)  # it is free again
        assert abs(session["hinge.phi"] - turned) > 0.5


WRONG_OPTIONS = {
    "port": ("x", -1, 99999, 1.5, True),
    "host": (3, "no.such.host.invalid"),
    "speed": ("x", 0.0),
    "fps": ("x", math.inf, 0.0),
    "stop_time": (-1.0, "x"),
    "mode": ("x", 3),
    "initial": (3, {"nix": 1.0}),
    "parameters": (3, {"nix": 1.0}),
}


@pytest.mark.parametrize("option", WRONG_OPTIONS)
def test_options_of_a_session_are_checked_before_it_opens(option):
    for value in WRONG_OPTIONS[option]:
        with pytest.raises(MotorikError):
            Pendulum().live(**{**QUIET, option: value})


def test_what_a_program_asks_is_checked_and_changes_nothing(session):
    nan, panel = math.nan, session.panel("Mine")
    before = session["hinge.phi"]
    wrong = [
        lambda: session.drag("body.frame_a", (0.0, 0.0, nan)),
        lambda: session.drag("body.frame_a", (0.0, 0.0)),
        lambda: session.drag("body.frame_a", "abc"),
        lambda: session.turn("hinge.phi", math.inf),
        lambda: session.turn("hinge.phi", "x"),
        lambda: session.set("hinge.phi", nan),
        lambda: session.wait("x"),
        lambda: panel.slider("hinge.phi", "a", 1.0),
        lambda: panel.slider("hinge.phi", 1.0, nan),
        lambda: panel.slider("hinge.phi", 0.0, 1.0, label=3),
        lambda: panel.button(3, print),
        lambda: panel.button("x", None),
        lambda: panel.choice("x", 3, "hinge.w"),
        lambda: panel.choice("x", {}, "hinge.w"),
    ]
    for act in wrong:
        with pytest.raises(MotorikError):
            act()
    assert session["hinge.phi"] == before and not panel.widgets
    session.step(0.1)


def test_user_panels_do_what_they_say(session):
    pressed, chosen = [], []
    panel = session.panel("Mine")
    panel.slider("hinge.phi", -90, 90, label="angle")
    panel.button("kick", lambda: pressed.append(session.set("hinge.w", 3.0)))
    panel.toggle("heavy", "body.m", off=1.0, on=5.0)
    panel.choice("air", {"none": 0.0, "thick": 2.0}, "damper.d")
    panel.choice("colour", ["red", "blue"], act=chosen.append)
    with Page(session) as client:
        client.wait_for(lambda: client.frames)
        own = next(g for g in client.told["panel"]["groups"] if g["title"] == "Mine")
        kinds = [w["kind"] for w in own["widgets"]]
        assert kinds == ["slider", "button", "toggle", "choice", "choice"]
        angle = own["widgets"][0]
        assert (angle["low"], angle["high"]) == pytest.approx((-math.pi / 2, math.pi / 2))
        client.say("press", id="Mine/kick")
        client.say("set", id="Mine/heavy", value=True)
        client.say("set", id="Mine/air", value="thick")
        client.say("set", id="Mine/colour", value="blue")
        client.wait_for(lambda: client.values.get("Mine/colour") == "blue")
        assert (
            client.values.get("Mine/heavy") is True
            and client.values.get("Mine/air") == "thick"
        )
    assert session["hinge.w"] == pytest.approx(3.0) and len(pressed) == 1
    assert session["body.m"] == 5.0 and session["damper.d"] == 2.0 and chosen == ["blue"]


def test_mistakes_of_a_user_are_named(session):
    with pytest.raises(UnknownNameError, match=r"hinge\.phi"):
        session.panel("Mine").slider("hinge.phj", -1, 1)
    with pytest.raises(ParameterError, match="below"):
        session.panel("Mine").slider("hinge.phi", 1, -1)
    with pytest.raises(ParameterError, match="log"):
        session.panel("Mine").slider("hinge.phi", -1, 1, scale="log")
    with pytest.raises(ParameterError, match="neither"):
        session.panel("Mine").toggle("nothing")
    with pytest.raises(UnknownNameError, match="live parameter"):
        session.set("nonsense", 1.0)
    with pytest.raises(ParameterError, match="mode"):
        Pendulum().live(mode="dead", **QUIET)
    with pytest.raises(ParameterError, match="fps"):
        Pendulum().live(fps=0, **QUIET)
    with pytest.raises(ParameterError, match="speed"):
        session.speed = 0.0


def test_what_fails_in_a_run_is_told_and_the_session_goes_on(session, monkeypatch):
    def fails(dt, is_over):
        raise SimulationError("hinge", "turns too fast.", "Turn it slower.")

    with Page(session) as client:
        client.wait_for(lambda: client.frames)
        with monkeypatch.context() as patch:
            patch.setattr(session.player, "advance", fails)
            client.say("play")
            client.wait_for(lambda: client.notices)
        assert "turns too fast" in client.notices[0]["text"]
        assert client.notices[0]["part"] == "hinge" and not session.is_running
        session.reset()
        session.step(0.1)
        assert math.isfinite(session["hinge.phi"])


def test_ctrl_c_ends_it_cleanly():
    session = Pendulum().live(**QUIET)

    def interrupted(timeout=None):
        raise KeyboardInterrupt

    session._jobs.is_over.wait = interrupted
    session.wait()
    del session._jobs.is_over.wait
    assert session._jobs.is_over.is_set()
    assert not session._pages.server._thread.is_alive()
    with pytest.raises(SimulationError, match="closed"):
        session.play()
    with Pendulum().live(**QUIET) as other:
        raise KeyboardInterrupt
    assert not other._pages.server._thread.is_alive()


@pytest.mark.slow
def test_it_passes_dead_centres():
    model = four_bar(
        crank=0.9, coupler=1.1, rocker=0.4, base=1.2, drive={"phi": 0.9, "w": 0.0}
    )
    with model.live(**QUIET) as session:
        for _ in range(30):
            session.step(0.1)
        assert any("dead centre" in event.what for event in session.player.simulator.events)
        session.turn("drive.phi", 0.8)
        assert session["drive.phi"] == pytest.approx(0.8, abs=1e-9)


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize(
    "make", [gallery.EngineV6, gallery.StewartPlatform, gallery.Bricard, gallery.MacPherson]
)
def test_gallery_models_run_live(make):
    with make().live(**QUIET) as session:
        session.step(0.05)
        session.reset()
        session.step(0.05)
        assert session.time == pytest.approx(0.05)
