"""Pages of recorded sessions: the run is played, scrubbed and plotted, also after a slider."""

import numpy as np
import pytest

from tests.view.live.models import Pendulum
from tests.view.web.live_pages import number_of, wait_until

SEEK = "(s, t) => { s.value = t; s.dispatchEvent(new Event('input')); }"
ANGLE = "viewer.cast.values[0][viewer.plots.find('hinge.phi')]"


def shown_at(page, time: float) -> float:
    """Return the angle that the page shows at a time."""
    page.locator("input.time").evaluate(SEEK, time)
    wait_until(
        lambda: page.evaluate(
            "t => Math.abs(parseFloat(viewer.bar.slider.value) - t) < 1e-9", time
        ),
        "the time",
    )
    page.evaluate("new Promise(r => requestAnimationFrame(() => requestAnimationFrame(r)))")
    return page.evaluate(ANGLE)


def check_run(page, result) -> None:
    for time in (0.0, 0.4, 1.0):
        wanted = float(np.interp(time, result.time, result["hinge.phi"]))
        assert shown_at(page, time) == pytest.approx(wanted, abs=2e-3)


def test_a_recorded_run_is_played_scrubbed_and_plotted(open_live):
    with Pendulum().live(mode="recorded", stop_time=1.0, open=False) as session:
        live = open_live(session)
        page = live.page
        wait_until(lambda: page.evaluate("viewer.player.last") == 1.0, "the run")
        assert page.locator(".bar").is_visible()
        check_run(page, session.result)
        page.locator(".picker").fill("hinge.phi")
        page.locator(".picker").press("Enter")
        drawn = "viewer.plots.plots[0].tracks[0].rows"
        assert page.evaluate(drawn) == len(session.result.time)
        page.locator("canvas").first.focus()
        page.keyboard.press("Space")
        wait_until(lambda: page.evaluate("viewer.player.time") > 0.1, "playing")
        page.keyboard.press("Space")
        assert not page.evaluate("viewer.player.playing")
        before = session.result
        field = page.locator('[data-id="Parameters/damper.d"] input[type=number]')
        field.fill("0.3")
        field.press("Enter")
        wait_until(lambda: session.result is not before, "the run anew")
        wait_until(
            lambda: page.evaluate(drawn) == len(session.result.time), "the plot of it"
        )
        check_run(page, session.result)
        page.reload()
        live.ready()
        wait_until(lambda: page.evaluate("viewer.player.last") == 1.0, "the run again")
        check_run(page, session.result)


def test_a_slider_that_changes_lengths_keeps_run_camera_and_plots(open_live):
    with Pendulum().live(mode="recorded", stop_time=1.0, open=False) as session:
        page = open_live(session).page
        wait_until(lambda: page.evaluate("viewer.player.last") == 1.0, "the run")
        page.evaluate("viewer.plots.add([viewer.plots.find('hinge.phi')]); null")
        page.mouse.move(60, 400)
        page.mouse.down()
        page.mouse.move(160, 360, steps=3)
        page.mouse.up()
        camera = """(({ camera, controls, chosen }) => [chosen.width, chosen.height,
            ...camera.position.clone().sub(controls.target).normalize().toArray()])(
            viewer.cameraMan)"""
        before, first = page.evaluate(camera), page.evaluate_handle("viewer.cast")
        session.set("length", 1.5)
        wait_until(lambda: page.evaluate("c => viewer.cast !== c", first), "other looks")
        assert page.evaluate("[viewer.player.last, viewer.plots.count]") == [1.0, 1]
        np.testing.assert_allclose(page.evaluate(camera), before)
        check_run(page, session.result)


def test_a_reload_keeps_the_run_so_far(open_live):
    with Pendulum().live(open=False) as session:
        live = open_live(session)
        for _ in range(6):
            session.step(0.1)
        live.page.reload()
        live.ready()
        rows = "viewer.shown.live?.rows"
        wait_until(lambda: live.page.evaluate(rows) == 7, "the run so far")
        assert live.page.evaluate("[viewer.player.first, viewer.player.last]") == [
            0.0,
            pytest.approx(0.6),
        ]


def test_a_step_in_the_page_moves_its_sliders(open_live):
    with Pendulum().live(open=False) as session:
        page = open_live(session)
        page.page.locator('.bar button[title^="One row on"]').click()
        wait_until(lambda: session.time > 0.0, "the step")
        wanted = np.degrees(session["hinge.phi"])
        wait_until(
            lambda: (
                number_of(page, "Start values/hinge.phi") == pytest.approx(wanted, abs=1e-3)
            ),
            "the slider",
        )


def test_the_models_own_start_is_a_button_away(open_live):
    with Pendulum().live(open=False) as session:
        page = open_live(session)
        session.turn("hinge.phi", 1.4)
        session.step(0.05)
        page.page.locator('.bar button[title^="To the model\'s own start"]').click()
        wait_until(lambda: session["hinge.phi"] == pytest.approx(0.5), "the start")
        assert session.time == 0.0
