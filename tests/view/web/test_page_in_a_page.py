"""A view within a larger page: keys of sliders, the wheel, outputs that may run nothing."""

from __future__ import annotations

import pytest

from motorik.view.web.film import write_film
from motorik.view.web.show import notebook_html
from tests.view.web.test_live_core import LISTEN, PANEL

LONG = "<div style='height: 3000px'>more cells</div>"


def test_arrow_keys_on_a_slider_move_the_slider_alone(page, fourbar, tmp_path):
    page.open(write_film(fourbar.scene(), tmp_path / "f.html"))
    page.evaluate(LISTEN)
    page.evaluate("groups => viewer.setPanel(groups)", PANEL)
    before = page.evaluate("viewer.player.time")
    slider = page.locator("[data-id=a] input[type=range]")
    slider.focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft", "ArrowUp"):
        page.keyboard.press(key)
    page.drawn()
    assert {(m["type"], m["id"]) for m in page.evaluate("sent")} == {("set", "a")}
    assert page.evaluate("viewer.player.time") == before
    slider.blur()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("sent.at(-1).type") == "step"  # as keys do elsewhere


def test_the_wheel_scrolls_the_notebook_until_the_view_is_clicked(page, pendulum):
    page.set_content(f"{notebook_html(pendulum.scene())}{LONG}")
    frame = page.frames[1]
    page.until("window.viewer?.drawn?.count > 0", frame)
    box = page.locator("iframe").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    camera = "viewer.cameraMan.camera"
    size = f"{camera}.zoom + {camera}.position.distanceTo(viewer.cameraMan.controls.target)"
    before = frame.evaluate(size)
    page.mouse.move(x, y)
    page.mouse.wheel(0, 120)
    page.until("window.scrollY > 0")
    assert frame.evaluate(size) == before
    page.evaluate("window.scrollTo(0, 0)")
    page.mouse.click(x, y)
    page.mouse.wheel(0, 120)
    page.until(f"({size}) !== {before!r}", frame)
    assert page.evaluate("window.scrollY") == 0


@pytest.mark.kinds(2)
@pytest.mark.parametrize("trusted", [True, False])
def test_an_output_that_is_not_trusted_shows_a_picture(page, pendulum, trusted):
    """Notebooks remove frames and scripts from outputs that they do not trust."""
    page.set_content(f"<section>{pendulum._repr_html_()}</section>")
    if not trusted:
        page.evaluate(
            "document.querySelectorAll('iframe, script').forEach(e => e.remove())"
        )
    picture = page.locator("section img")
    page.until("document.querySelector('section img').naturalWidth > 100")
    box = picture.bounding_box()
    at = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
    seen = page.evaluate("at => document.elementFromPoint(...at).tagName", at)
    assert seen == ("IFRAME" if trusted else "IMG")
    if trusted:
        page.until("window.viewer?.drawn?.count > 0", page.frames[1])
