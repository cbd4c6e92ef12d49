"""Live pages in a real browser: sliders move models, bodies are dragged, all pages see the same."""

import time

import numpy as np
import pytest
from PIL import Image

from tests.assembly.four_bars import four_bar
from tests.view.live.models import Pendulum
from tests.view.web.live_pages import number_of, wait_until
from tests.view.web.test_film import PLACE_OF_PART, number_in

PLACE_OF_MOVING = PLACE_OF_PART.replace("hit.part === part", "hit.group > 0")


def test_a_slider_moves_the_model_and_all_pages_see_it(open_live):
    with Pendulum().live(open=False) as session:
        first, second = open_live(session), open_live(session)
        field = first.page.locator('[data-id="Start values/hinge.phi"] input[type=number]')
        field.fill("40")
        field.press("Enter")
        wait_until(
            lambda: abs(session["hinge.phi"] - np.radians(40)) < 1e-9, "the movement"
        )
        wait_until(
            lambda: (
                number_of(second, "Start values/hinge.phi") == pytest.approx(40, abs=0.1)
            ),
            "the same in the other page",
        )
        second.page.reload()
        second.ready()
        wait_until(
            lambda: (
                number_of(second, "Start values/hinge.phi") == pytest.approx(40, abs=0.1)
            ),
            "the same after a reload",
        )


def test_a_four_bar_is_dragged_in_the_page_and_stays_closed(open_live):
    with four_bar(drive={"w": 0.0}).live(open=False) as session:
        live = open_live(session)
        before = session["coupler.frame_b.r_0"]
        x, y = live.page.evaluate(PLACE_OF_MOVING, "coupler")
        mouse = live.page.mouse
        mouse.move(x, y)
        mouse.down()
        for step in range(1, 8):
            mouse.move(x - 8 * step, y + 4 * step)
            time.sleep(0.05)
        mouse.up()
        wait_until(
            lambda: np.abs(session["coupler.frame_b.r_0"] - before).max() > 1e-3, "the drag"
        )
        simulator = session.player.simulator
        violations = simulator.system.violations(
            [0.0], simulator.motion, simulator.parameters
        )
        assert np.abs(violations).max() < 1e-9


def test_what_was_shown_is_saved_from_its_menu(open_live, tmp_path):
    with Pendulum().live(open=False) as session:
        live = open_live(session)
        for _ in range(3):
            session.step(0.04)
        page, menu = live.page, live.page.locator(".menu")

        def saved(press):
            page.keyboard.press("d")
            menu.wait_for(state="visible")
            with page.expect_download() as found:
                press()
            menu.wait_for(state="hidden")
            file = tmp_path / found.value.suggested_filename
            found.value.save_as(file)
            return file

        picture = saved(lambda: page.keyboard.press("Enter"))  # the first has the focus
        with Image.open(picture) as image:
            colours = image.convert("RGB").getcolors(1 << 24)
            size = page.evaluate("[viewer.stage.canvas.width, viewer.stage.canvas.height]")
            assert list(image.size) == size and len(colours) > 100
        table = saved(lambda: menu.locator("[data-form=csv]").click())
        assert table.name == "Pendulum.csv" and len(table.read_text().splitlines()) == 5
        film = saved(lambda: menu.locator("[data-form=film]").click())
        assert film.suffix in (".mp4", ".gif") and film.stat().st_size > 1000
        page.keyboard.press("d")
        for key in ("ArrowUp", "ArrowUp"):
            page.keyboard.press(key)
        focused = "viewer.saving.root.getRootNode().activeElement.dataset.form"
        assert page.evaluate(focused) == "py"
        page.keyboard.press("Escape")
        assert not menu.is_visible() and not live.wrong
    wait_until(lambda: session.is_closed, "the end")


def test_it_plays_and_pauses_from_the_page(open_live):
    with Pendulum().live(open=False) as session:
        live = open_live(session)
        live.page.keyboard.press("Space")
        wait_until(lambda: session.is_running and session.time > 0.3, "playing")
        wait_until(
            lambda: live.page.evaluate("viewer.transport.playing"), "the page's play"
        )
        live.page.keyboard.press("Space")
        wait_until(lambda: not session.is_running, "pausing")


def test_values_of_a_body_are_shown_and_follow_the_run(open_live):
    with Pendulum().live(open=False) as session:
        live = open_live(session)
        x, y = live.page.evaluate(PLACE_OF_PART, "body")
        live.page.mouse.move(x, y)
        tip = live.page.locator(".tip")
        wait_until(
            lambda: "r_CM_0[2]" in (tip.text_content() or ""), "values at the pointer"
        )
        live.page.mouse.click(x, y)
        inspector = live.page.locator(".inspector")
        names = inspector.locator("dt").all_text_contents()
        cell = inspector.locator("dd").nth(names.index("r_CM_0[2]"))
        wait_until(lambda: any(map(str.isdigit, cell.text_content() or "")), "its value")
        assert number_in(cell.text_content()) == pytest.approx(
            session["body.r_CM_0"][1], rel=1e-3
        )
        session.step(0.7)

        def follows():
            return number_in(cell.text_content()) == pytest.approx(
                session["body.r_CM_0"][1], rel=1e-3
            )

        wait_until(follows, "the values after the step")


HOVER = """viewer.choice.hover(
    {part: viewer.choice.find("body"), figure: viewer.cast.figures[0]}, 290, 300, 300)"""
EMPTY = "viewer.choice.tip.querySelectorAll('dd').length === 0"
RIGHT = """() => {
    const { tip } = viewer.choice;
    const values = tip.querySelectorAll("dd");
    const filled = values.length > 0 && [...values].every((one) => one.textContent);
    const left = tip.parentElement.getBoundingClientRect().left;
    return filled ? tip.getBoundingClientRect().right - left : null;
}"""


def test_values_at_the_pointer_stay_within_the_picture(open_live):
    """They come after the name, and make what stands beside the pointer wider."""
    with Pendulum().live(open=False) as session:
        live = open_live(session)

        def is_filled() -> bool:
            if live.page.evaluate(EMPTY):  # a scene came after the pointer
                live.page.evaluate(HOVER)
            return live.page.evaluate(RIGHT) is not None

        wait_until(is_filled, "values")
        assert live.page.evaluate(RIGHT) <= 300.0


def test_a_click_on_a_narrow_page_chooses_what_it_took_hold_of(open_live):
    """The page makes room for the values, so that something else is under the pointer then."""
    with Pendulum().live(open=False) as session:
        live = open_live(session)
        live.page.set_viewport_size({"width": 390, "height": 780})
        wait_until(lambda: live.page.evaluate("viewer.stage.width < 400"), "a narrow page")
        x, y = live.page.evaluate(PLACE_OF_MOVING, "rod")
        live.page.mouse.move(x, y)
        live.page.mouse.down()
        path = live.page.locator(".inspector .path")
        wait_until(path.is_visible, "the part that is held")
        held = path.text_content()
        live.page.mouse.up()
        wait_until(lambda: live.page.evaluate("viewer.choice.chosen !== null"), "a choice")
        assert path.is_visible() and path.text_content() == held
