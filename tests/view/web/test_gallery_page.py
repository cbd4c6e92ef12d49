"""A page of many films: pictures to choose from, a film that plays, and the way back."""

import html
import json
import re
from pathlib import Path

import pytest

from motorik import Model, gallery
from motorik.errors import FileFormatError
from motorik.view.web.gallery import FilmCard, write_gallery

EVIL = "</template><script>alert(1)</script>"
PAGE = Path(__file__).parents[3] / "docs" / "gallery.html"


@pytest.fixture(scope="module")
def cards(pendulum, fourbar):
    picture = pendulum.draw(1.0, size=(160, 120))
    return [
        FilmCard("Pendulum", EVIL, picture, pendulum.scene()),
        FilmCard("Four bars & more", "a loop", picture, fourbar.scene()),
    ]


def test_films_are_chosen_and_play(page, cards, tmp_path):
    page.goto(write_gallery(tmp_path / "films.html", cards, "Two").as_uri())
    page.until("window.gallery")
    assert page.locator("a.card").count() == 2
    assert page.locator("a.card p").first.text_content() == EVIL
    page.locator("a.card").nth(1).click()
    page.until("gallery.viewer?.drawn.count > 0")
    begin = page.evaluate("gallery.viewer.player.time")
    page.until(f"gallery.viewer.player.time > {begin}")
    assert page.evaluate("location.hash") == "#Four%20bars%20%26%20more"
    page.keyboard.press("Escape")
    page.until("gallery.viewer === null")
    assert page.locator("a.card").first.is_visible()


def test_a_film_has_an_address(page, cards, tmp_path):
    file = write_gallery(tmp_path / "films.html", cards)
    page.goto(f"{file.as_uri()}#Pendulum")
    page.until("window.gallery?.viewer?.drawn.count > 0")


def test_a_gallery_is_a_page(cards, tmp_path):
    with pytest.raises(FileFormatError, match=r"End the name with \.html"):
        write_gallery(tmp_path / "films.mp4", cards)


def test_the_page_of_the_documentation_shows_every_model():
    (said,) = re.findall(r'data-films="([^"]*)"', PAGE.read_text(encoding="utf-8"))
    shown = [film["title"] for film in json.loads(html.unescape(said))["films"]]
    kinds = {name: getattr(gallery, name) for name in gallery.__all__}
    models = [n for n, k in kinds.items() if isinstance(k, type) and issubclass(k, Model)]
    assert shown == models
    assert PAGE.stat().st_size < 3_000_000
