"""Pages where something is missing or hostile: a clear word, and nothing runs that should not."""

import time
from dataclasses import replace

import numpy as np
import pytest

from motorik.view.scene import ScenePose
from motorik.view.scene.annotations import TextAnnotation
from motorik.view.scene.shapes import BoxShape
from motorik.view.web.film import write_film
from tests.view.web.test_pages import NASTY


def forget(page):
    """Take the complaints that were expected."""
    end = time.monotonic() + 20.0
    while not page.wrong and time.monotonic() < end:
        page.wait_for_timeout(20)
    assert page.wrong
    page.wrong.clear()


def test_names_and_texts_are_only_ever_text(page, pendulum, tmp_path):
    scene = pendulum.scene()
    parts = tuple(
        replace(p, path=NASTY, type=NASTY, text=NASTY, note=NASTY) for p in scene.parts
    )
    channels = tuple(replace(c, unit=NASTY) for c in scene.channels)
    shapes = (
        *scene.shapes,
        TextAnnotation(at=ScenePose(), text=NASTY, height=0.1, layer="world"),
    )
    runs = tuple(replace(run, title=NASTY) for run in scene.runs)
    nasty = replace(
        scene,
        title=NASTY,
        parts=parts,
        channels=channels,
        shapes=shapes,
        runs=(*runs, *runs),
    )
    page.open(write_film(nasty, tmp_path / "nasty.html", plots=[channels[0].name]))
    page.evaluate("viewer.choice.choose(0)")
    page.drawn()
    assert page.locator(".title").text_content() == NASTY
    assert page.locator(".inspector .path").text_content() == NASTY
    assert page.evaluate("typeof hacked") == "undefined"
    assert page.locator("img").count() == 0


def test_the_policy_stops_what_is_not_ours(new_page, pendulum, tmp_path):
    page = new_page()
    page.open(pendulum.to_html(tmp_path / "p.html"))
    page.evaluate(
        """() => { const script = document.createElement("script");
        script.textContent = "window.hacked = 1"; document.body.append(script); }"""
    )
    assert page.evaluate("typeof hacked") == "undefined"
    assert any("Content Security Policy" in said for said in page.wrong)
    forget(page)


def test_without_webgl_the_page_says_so(new_page, pendulum, tmp_path):
    page = new_page(own=True)
    page.add_init_script("HTMLCanvasElement.prototype.getContext = () => null")
    page.goto(pendulum.to_html(tmp_path / "p.html").as_uri())
    page.until("document.body.innerText.includes('WebGL')")
    forget(page)


def test_an_old_browser_is_told(new_page, pendulum, tmp_path):
    page = new_page(own=True)
    page.add_init_script("delete window.DecompressionStream")
    page.goto(pendulum.to_html(tmp_path / "p.html").as_uri())
    page.until("document.body.innerText.includes('2023')")


@pytest.mark.kinds(2)
@pytest.mark.parametrize("harm", ["run", "mesh", "version"])
def test_a_broken_scene_is_named(new_page, pendulum, harm):
    import json

    from motorik.view.web.page import make_film

    said = pendulum.scene().to_json()
    if harm == "run":
        said["runs"][0]["poses"]["shape"][0] += 1
        word = "bytes"
    elif harm == "mesh":
        box = BoxShape(length=1.0, width=1.0, height=1.0).to_json()
        gone = {"mesh": "gone", "scale": [1.0, 1.0, 1.0]}
        said["shapes"].append({**box, "pieces": [gone]})
        word = "gone"
    else:
        said["version"], word = 99, "version 2"
    page = new_page()
    page.set_content(make_film(json.dumps(said), "broken"))
    page.until(f"document.body.innerText.includes('{word}')")
    forget(page)


def test_a_point_mass_without_extent_is_shown(page, pendulum, tmp_path):
    """A box without volume must not leave the camera at NaN."""
    scene = replace(pendulum.scene(), low=(0.0, 0.0, 0.0), high=(0.0, 0.0, 0.0))
    page.open(write_film(scene, tmp_path / "flat.html"))
    position = page.evaluate("viewer.cameraMan.camera.position.toArray()")
    assert np.isfinite(position).all()


def test_a_model_without_a_place_in_space_says_so(page, pendulum, tmp_path):
    page.open(write_film(pendulum.scene(), tmp_path / "seen.html"))
    assert page.locator(".nothing").is_hidden()
    unseen = replace(pendulum.scene(), shapes=())
    page.open(write_film(unseen, tmp_path / "unseen.html", plots=["rev.phi"]))
    assert "plotted" in page.locator(".nothing").text_content()
    assert page.locator(".nothing").is_visible() and page.locator(".plot").count() == 1
