"""Sessions of chains: widgets, hands and animation objects on the live server."""

import math
import time

import numpy as np
import pytest

from motorik.errors import LoopError, ParameterError, SimulationError, UnknownNameError
from motorik.mobile import (
    AdamsIntegrator,
    ConstantStepDriver,
    RungeKuttaIntegrator,
    Widget,
)
from motorik.view.chains.scene import Scene
from tests.view.live.chains import FourBar, Pendulum
from tests.view.live.models import page
from tests.view.live.pages import Page, wait_until

QUIET = {"open": False, "page": page}


def scene_of(pendulum, interval=0.02):
    """Return a scene as that of the guide, §7.3."""
    scene = Scene(pendulum.chain, up=1, title="pendulum")
    scene.make_shape(pendulum.K0)
    scene.make_manipulator(pendulum.joint)
    scene.make_shape(pendulum.joint, pendulum.rod, pendulum.tip)
    motion = AdamsIntegrator(pendulum.system, interval, relative_tolerance=1e-9)
    scene.add_animation_object(motion)
    scene.set_animation_increment(interval)
    parameters = Widget(scene, pendulum.chain, "Parameters")
    parameters.add_slider(pendulum.m, 0.1, 10.0, "mass")
    parameters.add_slider(pendulum.d, 0.0, 10.0, "damping")
    initial = Widget(scene, pendulum.chain, "Initial conditions")
    initial.add_slider(pendulum.phi, -360.0, 360.0, "angle")
    initial.add_slider(pendulum.phi, -10.0, 10.0, "angular vel.", entry="qd")
    initial.add_button("back", pendulum.phi.reset)
    return scene


@pytest.fixture
def pendulum():
    return Pendulum()


@pytest.fixture
def session(pendulum):
    with scene_of(pendulum).live(**QUIET) as session:
        yield session


def follow(conditions, duration, d=0.0):
    """Return where an integrator of its own leads a pendulum."""
    other = Pendulum()
    other.phi.q, other.phi.qd = conditions
    other.d.value = d
    motion = RungeKuttaIntegrator(other.system, 0.02, relative_tolerance=1e-9)
    motion.run(duration)
    return other.phi.q, other.phi.qd


@pytest.mark.slow
def test_pages_get_scene_widgets_and_frames(session):
    with Page(session) as client:
        client.wait_for(lambda: "values" in client.told and client.frames)
        scene = client.told["scene"]["scene"]
        assert scene["title"] == "pendulum" and scene["groups"] == [
            "world",
            "K0",
            "K1",
            "K2",
        ]
        assert [c["name"] for c in scene["channels"]] == ["phi", "der(phi)"]
        groups = {g["title"]: g["widgets"] for g in client.told["panel"]["groups"]}
        assert list(groups) == ["Manipulator of K1", "Parameters", "Initial conditions"]
        angle, speed, back = groups["Initial conditions"]
        assert (angle["unit"], angle["low"]) == ("rad", pytest.approx(-2 * math.pi))
        assert (speed["unit"], speed["low"], back["kind"]) == ("1/s", -10.0, "button")
        tip = client.poses(3)[2, :3]
        assert tip == pytest.approx([math.sin(0.5), -math.cos(0.5), 0.0], abs=1e-6)


def test_sliders_and_buttons_of_pages_move_the_chain(session, pendulum):
    with Page(session) as client:
        client.wait_for(lambda: client.frames)
        client.say("set", id="Initial conditions/angle", value=-1.0)
        client.say("set", id="Initial conditions/angular vel.", value=2.0)
        client.say("set", id="Parameters/mass", value=3.0)
        client.wait_for(lambda: client.values.get("Parameters/mass") == 3.0)
        assert (pendulum.phi.q, pendulum.phi.qd, pendulum.m.value) == (-1.0, 2.0, 3.0)
        assert client.poses(3)[2, 0] == pytest.approx(math.sin(-1.0), abs=1e-6)
        assert client.values["Manipulator of K1/phi"] == -1.0  # the same variable
        client.say("press", id="Initial conditions/back")
        client.wait_for(lambda: client.values["Initial conditions/angle"] == 0.5)
        assert pendulum.K2.X.p.x == pytest.approx(math.sin(0.5))


def test_programs_name_variables_parameters_and_frames(session, pendulum):
    session.set("phi", 0.3)
    session["m"] = 4.0
    assert session["phi"] == pendulum.phi.q == pytest.approx(0.3)
    assert session["m"] == pendulum.m.value == 4.0
    assert session["K2.p"] == pytest.approx([math.sin(0.3), -math.cos(0.3), 0.0])
    for wrong in ("phj", "K2.x", "K9.p"):
        with pytest.raises(UnknownNameError):
            session[wrong]
    with pytest.raises(UnknownNameError, match="neither a variable"):
        session.set("K2", 1.0)


def test_an_animation_goes_on_in_real_time_and_stops():
    pendulum = Pendulum()
    scene = Scene(pendulum.chain, up=1)
    scene.add_animation_object(AdamsIntegrator(pendulum.system.compile(), 0.02))
    scene.set_animation_increment(0.02)
    with scene.live(**QUIET) as session:
        session.play()
        wait_until(lambda: session.time > 0.0, "the first step")
        began, t = time.perf_counter(), session.time
        wait_until(lambda: session.time > t + 0.5, "0.5 s")
        gone, passed = session.time - t, time.perf_counter() - began
        assert gone < passed + 0.15  # never ahead of the clock; late on a busy machine
        session.pause()
        stood = session.time
        time.sleep(0.1)
        assert session.time == stood


def test_a_run_stops_is_reconfigured_by_hand_and_goes_on(session):
    for _ in range(10):
        session.step()
    assert session.time == pytest.approx(0.2)
    phi, speed = follow((0.5, 0.0), 0.2)
    assert session["phi"] == pytest.approx(phi, abs=1e-6)
    assert session["der(phi)"] == pytest.approx(speed, abs=1e-6)
    assert session.drag("K2", (1.0, 0.0, 0.0))
    session.set("d", 0.3)
    assert session.time == pytest.approx(0.2)
    for _ in range(20):
        session.step()
    phi, _ = follow((math.pi / 2, 0.0), 0.4, d=0.3)
    assert session["phi"] == pytest.approx(phi, abs=1e-6)
    assert session.time == pytest.approx(0.6)


def test_a_reset_returns_to_the_start_with_the_present_parameters(session, pendulum):
    session.set("phi", 1.0)
    session.step()
    session.set("d", 2.0)
    session.step()
    session.reset()
    assert (session.time, session["phi"], session["d"]) == (0.0, 1.0, 2.0)
    session.step()
    phi, _ = follow((1.0, 0.0), 0.02, d=2.0)
    assert session["phi"] == pytest.approx(phi, abs=1e-7)


def test_an_animation_of_steps_has_the_time_of_its_increments():
    pendulum = Pendulum()
    scene = Scene(pendulum.chain, up=1)
    scene.add_animation_object(ConstantStepDriver(pendulum.phi, 0.1))
    scene.add_animation_object(pendulum.chain)
    scene.set_animation_increment(0.25)
    with scene.live(**QUIET) as session:
        scene.step()
        scene.step()
        assert session.time == 0.5 and pendulum.phi.q == pytest.approx(0.7)
        assert pendulum.K2.X.p.x == pytest.approx(math.sin(0.7))
        scene.set_animation_increment(0.0)  # as fast as it can
        scene.run_animation()
        wait_until(lambda: pendulum.phi.q > 10.0, "a hundred steps")
        scene.run_animation()
        assert not scene.is_running


@pytest.mark.slow
@pytest.mark.parametrize("is_explicit", [True, False])
def test_a_page_drags_a_four_bar_and_it_stays_closed(is_explicit):
    bars = FourBar(is_explicit)
    scene = Scene(bars.chain, up=1)
    with scene.live(**QUIET) as session, Page(session) as client:
        client.wait_for(lambda: client.frames)
        assert client.told["scene"]["scene"]["plane"] == [0.0, 0.0, 1.0]
        groups = client.told["scene"]["scene"]["groups"]
        held = {"group": groups.index("K6"), "point": [0.5, 0.0, 0.0]}
        held |= {"mode": "statics"}
        before = session["K5.p"]
        middle = before - np.array([0.3, 0.0, 0.0])
        client.say("drag", phase="begin", target=middle.tolist(), **held)
        for step in np.linspace(0.0, 0.3, 5):
            target = (middle + np.array([-step, step, 0.0])).tolist()
            client.say("drag", phase="move", target=target, **held)
        client.wait_for(lambda: client.told["state"]["torques"])
        assert client.told["state"]["drag"]["kind"] == "off its path"
        assert client.told["state"]["message"] == ""  # it keeps to its path: no news
        client.say("drag", phase="end", target=target, **held)
        client.wait_for(lambda: client.told["state"]["drag"] is None)
        assert session.do(bars.gap) < 1e-9
        assert np.linalg.norm(session["K5.p"] - before) > 0.02
        client.say("turn", phase="begin", name="gamma", value=float(bars.gamma.q))
        client.say("turn", phase="move", name="gamma", value=4.0)
        client.wait_for(lambda: "dead centre" in client.told["state"]["message"])
        client.say("turn", phase="cancel", name="gamma")
        client.wait_for(lambda: client.told["state"]["drag"] is None)
        assert session.do(bars.gap) < 1e-9


def test_a_hand_is_compiled_while_the_page_is_open():
    bars = FourBar()
    with Scene(bars.chain, up=1).live(**QUIET) as session:
        hand = session.player.program.hand

        def is_compiled() -> bool:
            session.set("alpha", 0.5 + 0.1 * math.sin(time.monotonic()))  # meanwhile
            return hand._native is not None

        wait_until(is_compiled, "the compilation of the hand")
        session.drag("K6", (0.2, 0.3, 0.0))
        assert session.player.grip_of("alpha").constraints._native is not None
        assert session.do(bars.gap) < 1e-9


def test_torques_hold_a_chain_against_gravity_and_springs(session, pendulum):
    session.set("phi", 0.7)
    expected = 9.81 * math.sin(0.7)
    assert session.player.torques()["phi"] == pytest.approx(expected)
    session.step()  # speeds do not matter
    expected = 9.81 * math.sin(session["phi"])
    assert session.player.torques()["phi"] == pytest.approx(expected)


def test_a_manipulator_is_taken_at_either_frame_of_its_joint(session):
    parts = [part.type for part in session.player.scene.parts]
    joint = parts.index("ElementaryJoint")
    for group in (1, 2):  # K0, which stands still, and K1
        session.set("phi", 0.5)
        grip = session.player.grip(group, (0.1, 0.0, 0.0), joint)
        session.player.move(grip, np.array([0.0, 0.1, 0.0]))
        assert abs(session["phi"] - 0.5) > 0.5


def test_a_drag_that_is_taken_back_leaves_pose_and_speed(session, pendulum):
    session.set("der(phi)", 2.0)
    with Page(session) as client:
        client.wait_for(lambda: client.frames)
        client.say("turn", phase="begin", name="phi", value=0.5, keep_speed=True)
        client.say("turn", phase="move", name="phi", value=1.5, keep_speed=True)
        client.wait_for(lambda: session["phi"] == pytest.approx(1.5))
        client.say("turn", phase="cancel", name="phi")
        client.wait_for(lambda: session["phi"] == pytest.approx(0.5))
    assert session["der(phi)"] == 2.0
    assert float(pendulum.K2.lin_v.norm()) == pytest.approx(2.0)


def test_what_cannot_be_is_told_and_nothing_is_lost(session, pendulum):
    with Page(session) as client:
        client.wait_for(lambda: client.frames)
        client.say("drag", phase="begin", group=3, mode="dynamics", target=[1, 0, 0])
        for _ in range(5):
            client.say("drag", phase="move", group=3, mode="dynamics", target=[1, 0, 0])
        client.say("drag", phase="end", group=3, mode="dynamics")
        client.say("drag", phase="begin", group=77, target=[1, 0, 0])
        client.say("drag", phase="end", group=77)
        client.wait_for(lambda: len(client.notices) > 1)
        client.listen(within=0.3)
        first, second = client.notices  # once for each attempt, not for each movement
        assert "spring" in first["text"] and "cannot be dragged" in second["text"]
        client.say("set", id="Initial conditions/angle", value=1.0)
        client.wait_for(lambda: pendulum.phi.q == 1.0)


@pytest.mark.slow
def test_a_parameter_under_which_no_loop_closes_is_taken_back():
    bars = FourBar(is_explicit=False)
    scene = Scene(bars.chain, up=1)
    slider = Widget(scene, bars.chain, "Lengths").add_slider(bars.b, 0.1, 2.0, "b", "x")
    with scene.live(**QUIET) as session, Page(session) as client:
        client.wait_for(lambda: client.frames)
        client.say("set", id="Lengths/b", value=1.0)
        client.wait_for(lambda: client.values.get("Lengths/b") == 1.0)
        assert session.do(bars.gap) < 1e-9 and bars.b.x == 1.0
        pose = session["K5.p"]
        client.say("set", id="Lengths/b", value=1.95)
        client.wait_for(lambda: client.notices)
        assert "cannot close" in client.notices[0]["text"]
        with pytest.raises(LoopError):
            slider.set(1.95)
        assert bars.b.x == 1.0 and session.do(bars.gap) < 1e-9
        assert session["K5.p"] == pytest.approx(pose)


def test_widgets_that_come_later_are_on_the_page(session, pendulum):
    scene = session.player.viewer
    with Page(session) as client:
        client.wait_for(lambda: client.frames)
        late = Widget(scene, pendulum.chain, "Late")
        late.add_slider(pendulum.phi, -90.0, 90.0, "angle")
        late.add_slider(pendulum.m, 0.0, 1.0, "mass")
        assert late.show() is session
        client.wait_for(lambda: len(client.told["panel"]["groups"]) == 4)
        client.wait_for(lambda: len(client.told["panel"]["groups"][3]["widgets"]) == 2)


def test_shapes_and_animation_objects_that_come_later_are_shown(session, pendulum):
    scene, other = session.player.viewer, Pendulum()
    other.phi.name, other.K2.name = "psi", "K9"
    with Page(session) as client:
        client.wait_for(lambda: client.frames)
        scene.make_shape(other.rod)
        scene.add_animation_object(AdamsIntegrator(other.system, 0.02))
        client.wait_for(lambda: "K9" in client.told["scene"]["scene"]["groups"])
        client.wait_for(lambda: len(client.told["scene"]["scene"]["channels"]) == 4)
        client.frames.clear()
        scene.step()
        client.wait_for(lambda: client.frames)
        count = len(client.told["scene"]["scene"]["groups"]) - 1
        assert len(client.frames[-1]) == 8 + 4 * (7 * count + 4)
        assert session["psi"] == pytest.approx(session["phi"])


def test_a_scene_has_one_page_and_opens_another_after_it_was_closed(pendulum):
    scene = scene_of(pendulum)
    first = scene.show(**QUIET)
    assert scene.show() is first
    second = scene.live(**QUIET)
    assert first.is_closed and not second.is_closed
    second.close()
    third = scene.show(**QUIET)
    assert third is not second
    third.close()
    with pytest.raises(SimulationError, match="closed"):
        third.play()
    pendulum.phi.q = 0.1
    scene.refresh()  # nobody looks: nothing happens


def test_nothing_to_play_is_told():
    pendulum = Pendulum()
    with Scene(pendulum.chain).live(**QUIET) as session:
        with pytest.raises(ParameterError, match="nothing moves the chain"):
            session.play()
        assert not session.is_running


def test_signs_keep_their_sizes_wherever_the_mechanism_is():
    bars = FourBar()
    with Scene(bars.chain, up=1).live(**QUIET) as session:
        size = session.player.scene.size
        for angle in (0.2, 1.5, 2.5):
            session.set("alpha", angle)
            assert session.do(session.player.look_again) is False
            assert session.player.scene.size == size


def test_the_main_loop_ends_when_the_browser_is_closed(pendulum):
    session = scene_of(pendulum).live(**QUIET)
    Scene.main_loop(timeout=0.0)  # no page has come yet: the loop waits
    assert not session.is_closed
    with Page(session):
        wait_until(lambda: session.clients == 1, "the page is there")
        assert not session.is_left(0.0)
    wait_until(lambda: session.is_left(0.0), "the page is gone")
    assert not session.is_left(1e9)  # it may come back
    session.wait_for_all(patience=0.0)
    assert session.is_closed
