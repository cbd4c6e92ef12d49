"""MOBILE programs in a real browser: sliders, manipulators and animation objects of a four-bar."""

import os
import time
from pathlib import Path

import numpy as np
import pytest

from motorik.mobile import AdamsIntegrator, Widget
from motorik.view.chains.scene import Scene
from tests.view.live.chains import FourBar
from tests.view.web.live_pages import number_of, wait_until
from tests.view.web.test_film import PLACE_OF_PART


def make_scene(bars):
    scene = Scene(bars.chain, up=1, title="four-bar", everything=False)
    scene.make_manipulator(bars.bearing)
    scene.make_shape(bars.pivot, bars.crank, bars.rocker, bars.coupler, bars.K[0])
    widget = Widget(scene, bars.chain, "Start")
    widget.add_slider(bars.alpha, -180.0, 180.0, "crank")
    widget.add_slider(bars.alpha, -10.0, 10.0, "speed", entry="qd")
    widget.add_button("back", bars.alpha.reset)
    scene.add_animation_object(AdamsIntegrator(bars.system.compile(), 0.02))
    scene.set_animation_increment(0.02)
    return scene


@pytest.fixture
def bars():
    return FourBar()


@pytest.fixture
def session(bars):
    with make_scene(bars).live(open=False) as session:
        yield session


def press(live, widget):
    live.page.locator(f'[data-id="{widget}"]').click()


@pytest.mark.slow
@pytest.mark.thorough
def test_a_slider_moves_the_mechanism_and_two_pages_see_the_same(session, bars, open_live):
    first, second = open_live(session), open_live(session)
    field = first.page.locator('[data-id="Start/crank"] input[type=number]')
    field.fill("120")
    field.press("Enter")
    wait_until(lambda: abs(session["alpha"] - np.radians(120)) < 1e-9, "the movement")
    assert session.do(bars.gap) < 1e-9
    wait_until(
        lambda: number_of(second, "Start/crank") == pytest.approx(120, abs=0.1),
        "the same in the other page",
    )
    number = session.player.scene.groups.index("K6")
    pose = f"viewer.cast.figures[0].groups[{number}].position.toArray()"
    wait_until(
        lambda: (
            first.page.evaluate(pose) == second.page.evaluate(pose)
            and np.abs(first.page.evaluate(pose) - session["K6.p"]).max() < 1e-5
        ),
        "the same picture",
    )
    press(second, "Start/back")
    wait_until(
        lambda: number_of(first, "Start/crank") == pytest.approx(45.837, abs=0.01),
        "the button of the other page",
    )
    folder = os.environ.get("MOTORIK_PICTURES")
    if folder:
        first.page.screenshot(path=str(Path(folder) / "live_chain.png"))


def path_of(session, part):
    """Return by what name the scene knows a part of the chain."""
    parts = session.player.viewer.parts
    number = next(k for k, own in enumerate(parts) if own is part)
    return session.player.scene.parts[number].path


def drag(live, part, dx, dy):
    seen = "the part, where a pointer finds it"
    wait_until(lambda: live.page.evaluate(PLACE_OF_PART, part) is not None, seen)
    x, y = live.page.evaluate(PLACE_OF_PART, part)
    mouse = live.page.mouse
    mouse.move(x, y)
    mouse.down()
    for step in range(1, 7):
        mouse.move(x + dx * step, y + dy * step)
        time.sleep(0.05)
    mouse.up()


@pytest.fixture
def live(session, open_live):
    return open_live(session)


@pytest.mark.slow
@pytest.mark.thorough
def test_links_and_manipulators_are_dragged_and_the_loop_stays_closed(session, bars, live):
    before = session["K5.p"]
    drag(live, path_of(session, bars.coupler), -8, 4)
    wait_until(lambda: np.abs(session["K5.p"] - before).max() > 1e-2, "the drag")
    wait_until(lambda: not live.page.evaluate("viewer.grip.holds"), "letting go")
    assert session.do(bars.gap) < 1e-9
    assert live.page.evaluate("viewer.transport.state.message") == ""

    live.page.locator("select[title='What dragging a part does']").select_option("statics")
    before = session["alpha"]
    drag(live, path_of(session, bars.bearing), 3, -5)
    wait_until(lambda: abs(session["alpha"] - before) > 0.05, "the turn")
    assert session.do(bars.gap) < 1e-9
    held = live.page.locator(".holding")
    wait_until(lambda: "held by alpha" in held.inner_text(), "the torque of the bearing")
    torque = session.player.torques()["alpha"]
    assert f"{torque:.4g} N·m" in held.inner_text()


def test_an_animation_runs_stops_is_reconfigured_and_goes_on(session, bars, live):
    live.page.keyboard.press("Space")
    wait_until(lambda: session.is_running and session.time > 0.3, "running")
    live.page.keyboard.press("Space")
    wait_until(lambda: not session.is_running, "stopping")
    stood, pose = session.time, session["alpha"]
    time.sleep(0.2)
    assert session.time == stood and session["alpha"] == pose
    field = live.page.locator('[data-id="Start/crank"] input[type=number]')
    field.fill("90")
    field.press("Enter")
    wait_until(lambda: session["alpha"] == pytest.approx(np.pi / 2), "a hand")
    live.page.keyboard.press("Escape")
    field.evaluate("field => field.blur()")
    live.page.keyboard.press("Space")
    wait_until(lambda: session.time > stood + 0.2, "going on")
    session.pause()
    assert session.do(bars.gap) < 1e-6 and session.time > stood


def test_a_run_of_a_program_is_a_film_as_that_of_a_model(bars, page, tmp_path):
    result = AdamsIntegrator(bars.system.compile(), 0.05).run(0.5)
    page.open(result.to_html(tmp_path / "run.html", trace="K6.p", plots="alpha"))
    page.evaluate("viewer.player.seek(0.5)")
    page.drawn()
    number = result.scene().groups.index("K6")
    shown = page.evaluate(f"viewer.cast.figures[0].groups[{number}].position.toArray()")
    assert shown == pytest.approx(result["K6.p"][-1].tolist(), abs=1e-6)
    shown = (
        result._repr_html_()
    )  # a picture stands behind the page where scripts are not trusted
    assert shown.index('<img src="data:image/png') < shown.index("<iframe")
    assert result.plot("alpha", "K6.p").axes and result.draw(0.2).pixels.any()
