"""What is written over pictures: readable, apart from each other, at what it is about."""

import itertools

import numpy as np
import pytest

from motorik import gallery
from motorik.components.base.ports import PortKind
from motorik.view.web.film import write_film
from tests.view.live.models import Pendulum
from tests.view.web.live_pages import wait_until
from tests.view.web.test_film import OUTLINE, PLACE_OF_PART, SEEN_AT

DRAWN = "viewer.annotations.labels.drawn"
FILLED = f"""() => {{ const points = ({OUTLINE})(), {{ width, height }} = viewer.stage;
  const reach = (k) => Math.max(...points.map(p => p[k])) - Math.min(...points.map(p => p[k]));
  const inside = points.every(([x, y]) => x >= 0 && y >= 0 && x <= width && y <= height);
  return [Math.max(reach(0) / width, reach(1) / (height - 48)), inside]; }}"""


def check_apart(labels) -> None:
    for a, b in itertools.combinations(labels, 2):
        across = abs(a["x"] - b["x"]) - a["width"] - b["width"]
        along = abs(a["y"] - b["y"]) - a["height"] - b["height"]
        assert across > 0 or along > 0, (a["text"], b["text"])


def turn_wheel(page, by: float) -> None:
    """Turn the wheel over the picture, and wait until the page, which hears of it later, moves."""
    place = "viewer.cameraMan.camera.position.length()"
    before = page.evaluate(place)
    page.mouse.move(500, 300)
    page.mouse.wheel(0, by)
    page.until(f"{place} !== {before!r}")
    page.drawn()


def test_names_are_readable_and_apart(page, tmp_path):
    """Of an engine with six cylinders, near and far."""
    page.open(write_film(gallery.EngineV6().scene(), tmp_path / "v6.html", labels=True))
    page.drawn()
    labels = page.evaluate(DRAWN)
    assert len(labels) > 10 and min(label["height"] for label in labels) > 5.5
    check_apart(labels)
    turn_wheel(page, 3000)
    page.until(f"{DRAWN}.length < {len(labels)}")  # those without room are left out
    far = page.evaluate(DRAWN)
    assert 0 < len(far) < len(labels)
    assert far[0]["height"] == labels[0]["height"]
    check_apart(far)


def frame_paths(model):
    """Return the names of all frames of a model."""
    ports = (port for part in model.walk() for port in part.ports())
    return [port.path for port in ports if port.kind is PortKind.FRAME]


def test_frames_are_named_and_lie_on_top(page, fourbar, tmp_path):
    page.open(fourbar.to_html(tmp_path / "f.html", frames=True))
    page.drawn()
    labels = page.evaluate(DRAWN)
    assert len(labels) >= 3 and {label["kind"] for label in labels} == {"frame"}
    assert {label["text"] for label in labels} <= set(frame_paths(fourbar.model))
    check_apart(labels)
    hidden = page.evaluate(
        """(({ layers, crowds }) => [...layers.get("frames"),
             ...crowds.filter((c) => c.layer === "frames").map((c) => c.mesh)].flatMap(
             (o) => [o, ...o.children]).filter((o) => o.material.visible).map(
             (o) => o.material.depthTest))(viewer.cast.figures[0])"""
    )
    assert hidden and not any(hidden)


def test_letters_at_axes_are_of_a_readable_size(page, fourbar, tmp_path):
    page.open(fourbar.to_html(tmp_path / "f.html"))
    sizes = """viewer.cast.figures[0].words.all.map(({ sprite }) => {
      const { camera } = viewer.cameraMan, p = sprite.position.clone();
      sprite.getWorldPosition(p);
      const away = -p.applyMatrix4(camera.matrixWorldInverse).z;
      const seen = 2 * away * Math.tan(camera.fov * Math.PI / 360);
      return sprite.scale.y * 0.7 / seen * viewer.stage.height; })"""
    for wheel in (0, 2500, -4000):
        if wheel:
            turn_wheel(page, wheel)
        page.drawn()
        assert page.evaluate(sizes)
        page.until(f"{sizes}.every((size) => size > 11.5 && size < 20.5)")


@pytest.mark.kinds(1)
@pytest.mark.parametrize("name", ["Pendulum", "EngineV6", "StewartPlatform"])
def test_the_picture_is_filled(page, tmp_path, name):
    page.open(write_film(getattr(gallery, name)().scene(), tmp_path / "f.html"))
    page.drawn()
    filled, inside = page.evaluate(FILLED)
    assert filled > 0.6 and inside
    turn_wheel(page, 3000)
    page.keyboard.press("f")
    page.drawn()
    assert page.evaluate(FILLED) == [pytest.approx(filled, rel=1e-3), True]
    page.set_viewport_size({"width": 700, "height": 900})
    page.until("viewer.stage.width < 701")
    page.drawn()
    again, inside = page.evaluate(FILLED)
    assert again > 0.6 and inside


def test_a_live_picture_is_filled_and_stays_so(open_live):
    with gallery.DoublePendulum().live(open=False) as session:
        page = open_live(session).page
        wait_until(lambda: page.evaluate("viewer.shown.live !== null"), "a frame")
        wait_until(lambda: page.evaluate(FILLED)[0] > 0.6, "a full picture")
        for _ in range(12):
            session.step(0.1)
        wait_until(
            lambda: page.evaluate("viewer.player.last") == pytest.approx(1.2), "the steps"
        )
        wait_until(lambda: page.evaluate(FILLED)[1], "all of it in view")
        page.keyboard.press("f")
        assert page.evaluate("viewer.cameraMan.hull.length") < 60


def test_opening_the_side_keeps_everything_in_view(page, fourbar, tmp_path):
    page.open(fourbar.to_html(tmp_path / "f.html"))
    page.drawn()
    for moved in (False, True):  # also where someone has turned the camera
        if moved:
            page.mouse.move(40, 400)
            page.mouse.down()
            page.mouse.move(90, 400, steps=3)
            page.mouse.up()
            page.drawn()
        width = page.evaluate("viewer.stage.width")
        x, y = page.evaluate(PLACE_OF_PART, "b1")
        page.mouse.click(x, y)
        page.until(f"viewer.stage.width < {width - 100}")
        page.drawn()
        assert page.evaluate(FILLED)[1]
        assert page.locator(".tip").is_hidden()
        page.keyboard.press("Escape")
        page.until(f"viewer.stage.width === {width}")


def test_hovering_shows_values_and_pressing_ends_it(page, pendulum, tmp_path):
    page.open(pendulum.to_html(tmp_path / "p.html"))
    page.evaluate("viewer.player.seek(1.0)")
    page.drawn()
    x, y = page.evaluate(PLACE_OF_PART, "rev")
    page.mouse.move(x, y)
    tip = page.locator(".tip")
    tip.wait_for(state="visible")
    text = tip.text_content()
    assert text.startswith("revRevolutephi") and "rad" in text
    page.evaluate("viewer.player.seek(0.2)")
    page.drawn()
    assert tip.text_content() != text
    page.mouse.down()
    assert tip.is_hidden()
    page.mouse.up()


def test_runs_are_told_apart_by_the_colours_of_their_legend(new_page, tmp_path):
    model = gallery.Pendulum()
    runs = [model.simulate(0.5, initial={"rev.phi": phi}) for phi in (0.0, 0.5)]
    film = runs[0].to_html(tmp_path / "two.html", runs[1], plots=["rev.phi"])
    colours = """viewer.cast.figures.map((figure) => "#" + figure.crowds
      .filter(({ layer }) => layer === "parts").map(({ mesh }) => mesh)
      .find((o) => o.geometry.attributes.rigidGroup.array[0] > 0)
      .material.color.getHexString())"""
    for scheme in ("light", "dark"):
        page = new_page(color_scheme=scheme).open(film)
        dots = page.locator(".runs i").evaluate_all(
            "(all) => all.map((i) => i.style.getPropertyValue('--c'))"
        )
        lines = page.locator(".legend i").evaluate_all(
            "(all) => all.map((i) => i.style.getPropertyValue('--c'))"
        )
        assert page.evaluate(colours) == dots == lines and dots[0] != dots[1]
        back = page.evaluate("viewer.paper.background")
        for dot in dots:  # seen well before the paper
            assert np.abs(brightness(dot) - brightness(back)) > 0.2


def brightness(colour: str) -> float:
    rgb = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    return float(np.dot([0.2126, 0.7152, 0.0722], rgb))


def test_what_holds_a_joint_is_written_at_it(open_live):
    with Pendulum().live(open=False) as session:
        page = open_live(session).page
        page.locator(".grip select").select_option("statics")
        seen = "the body, where a pointer finds it"
        wait_until(lambda: page.evaluate(PLACE_OF_PART, "body") is not None, seen)
        x, y = page.evaluate(PLACE_OF_PART, "body")
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x - 20, y + 10, steps=4)
        wait_until(lambda: page.evaluate(f"{DRAWN}.length") == 1, "a label")
        (label,) = page.evaluate(DRAWN)
        assert label["kind"] == "hold" and label["text"].endswith("N·m")
        at = page.evaluate(SEEN_AT, "hinge")
        assert np.hypot(label["x"] - at[0], label["y"] - at[1]) < 120
        page.mouse.up()


def test_the_spring_of_a_hand_is_seen_with_its_force(open_live):
    with Pendulum().live(open=False) as session:
        page = open_live(session).page
        page.evaluate(
            """{ const { sheet } = viewer.annotations, write = sheet.write;
                 sheet.write = function (text, ...rest) { window.written = text;
                   return write.call(this, text, ...rest); }; null; }"""
        )
        page.locator(".grip select").select_option("dynamics")
        x, y = page.evaluate(PLACE_OF_PART, "body")
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x - 60, y - 40, steps=4)
        status = page.locator(".notices .notice").nth(1)
        wait_until(lambda: session.player.is_pulled, "the spring")
        wait_until(
            lambda: page.evaluate("window.written ?? ''").endswith(" N"), "its force"
        )
        wait_until(status.is_hidden, "the end of the preparation")
        page.mouse.up()
