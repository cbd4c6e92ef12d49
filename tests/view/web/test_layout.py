"""The layout of pages: nothing black, cut off or out of reach, and meshes without their net."""

from dataclasses import replace

import numpy as np
import pytest

from motorik import Model, World, gallery
from motorik.view.web.film import write_film
from motorik.visualizers import FixedShape
from tests.view.live.models import Pendulum
from tests.view.web.test_live_core import LISTEN

CORNERS = """(() => { viewer.draw(performance.now(), STILL);
  const { canvas } = viewer.stage, flat = document.createElement("canvas");
  flat.width = canvas.width; flat.height = canvas.height;
  const pen = flat.getContext("2d", { willReadFrequently: true });
  pen.drawImage(canvas, 0, 0);
  return [0.03, 0.47, 0.53, 0.97].flatMap((x) => [0.2, 0.97].map((y) =>
    [...pen.getImageData(x * flat.width, y * flat.height, 1, 1).data].slice(0, 3))); })()"""


@pytest.mark.kinds(1)
@pytest.mark.parametrize("still", [False, True])
def test_side_by_side_has_paper_everywhere(page, tmp_path, still):
    model = gallery.DoublePendulum()
    runs = [model.simulate(0.5, initial={"hinge1.phi": phi}) for phi in (0.0, 0.5)]
    page.open(runs[0].to_html(tmp_path / "two.html", runs[1], runs="side"))
    code = CORNERS.replace("STILL", str(still).lower())
    page.evaluate(code)
    seen = np.array(
        page.evaluate(code)
    )  # the second picture, after one that ended in a view
    paper = page.evaluate("viewer.paper.background")
    wanted = [int(paper[k : k + 2], 16) for k in (1, 3, 5)]
    assert np.abs(seen - wanted).max() < 12


def write_box(path) -> None:
    """Write a box as STL: every triangle has corners of its own."""
    corners = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
    sides = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4)]
    sides.append((1, 5, 7, 3))
    text = ["solid box"]
    for a, b, c, d in sides:
        for face in ((a, b, c), (a, c, d)):
            text += ["facet normal 0 0 0", "outer loop"]
            text += ["vertex " + " ".join(map(str, 0.2 * corners[i])) for i in face]
            text += ["endloop", "endfacet"]
    path.write_text("\n".join([*text, "endsolid box"]))


class Boxed(Model):
    """A box from a file on the world."""

    def build(self, file):
        self.world = World()
        self.box = FixedShape(shapeType=str(file))
        self.world.frame_b >> self.box.frame_a


def test_meshes_show_their_edges_and_no_triangles(page, tmp_path):
    write_box(tmp_path / "box.stl")
    page.open(write_film(Boxed(file=tmp_path / "box.stl").scene(), tmp_path / "b.html"))
    edges = """(() => { const part = viewer.choice.find("box");
      const batch = viewer.cast.blueprint.batches.find(
        ({ ranges }) => ranges.some((range) => range.part === part));
      return [batch.ranges.length, batch.edges.attributes.position.count / 2]; })()"""
    assert page.evaluate(edges) == [1, 12]


def test_panels_show_units_and_numbers_whole(page, fourbar, tmp_path):
    page.open(write_film(fourbar.scene(), tmp_path / "f.html"))
    page.evaluate(LISTEN)
    slider = {"kind": "slider", "low": -1.0, "high": 1.0, "value": -5.1453e-5}
    widgets = [
        {**slider, "id": "a", "label": "damper.d", "unit": "N.m.s/rad"},
        {**slider, "id": "b", "label": "a.very.long.path.of.a.damper.d", "unit": "N.m"},
    ]
    groups = [{"title": "Parameters", "widgets": widgets}]
    page.evaluate("groups => viewer.setPanel(groups)", groups)
    side = page.locator(".side").bounding_box()
    for row in page.locator(".panel label").all():
        unit, field = row.locator("i"), row.locator("input[type=number]")
        box = unit.bounding_box()
        assert box["x"] + box["width"] <= side["x"] + side["width"]
        assert field.evaluate("f => f.scrollWidth <= f.clientWidth")
        label, value = row.locator("span").bounding_box(), field.bounding_box()
        assert label["x"] + label["width"] <= value["x"]
    assert page.locator(".panel i").first.text_content() == "N·m·s/rad"


def test_a_narrow_page_has_all_tools_within_reach(new_page, pendulum, tmp_path):
    phone = new_page(viewport={"width": 390, "height": 760}, has_touch=True, is_mobile=True)
    title = "A pendulum with a very long title that would not fit"
    scene = replace(pendulum.scene(), title=title)
    phone.open(write_film(scene, tmp_path / "p.html"))
    title = phone.locator(".title").bounding_box()
    more = phone.locator("button.more").bounding_box()
    assert title["x"] + title["width"] <= more["x"]
    phone.locator("button.more").tap()
    tools = phone.locator(".tools .set:not([hidden]) > button:not([hidden])")
    bar = phone.locator(".bar button:not([hidden]):not(.event)")
    shown = [*tools.all(), *bar.all()]
    assert len(shown) > 14
    for tool in shown:
        box = tool.bounding_box()
        assert box is not None and box["width"] >= 30 and box["height"] >= 30
        assert box["x"] >= 0 and box["x"] + box["width"] <= 390
    phone.locator('.tools button[title^="From above"]').tap()
    phone.drawn()
    up = phone.evaluate("viewer.cameraMan.camera.position.y")
    assert up > abs(phone.evaluate("viewer.cameraMan.camera.position.z"))
    phone.locator("button.more").tap()
    assert phone.locator('.tools button[title^="From above"]').is_hidden()


def test_a_notice_is_there_once(page, fourbar, tmp_path):
    page.open(write_film(fourbar.scene(), tmp_path / "f.html"))
    told = {"type": "notice", "level": "error", "part": "b1", "text": "b1: is stuck."}
    for _ in range(3):
        page.evaluate("m => viewer.receive(m)", told)
    assert page.locator(".notice.error").all_text_contents() == ["b1is stuck."]
    page.drawn()
    assert page.evaluate("viewer.annotations.labels.drawn[0].text") == "b1: is stuck."
    several = "b1, j1: are stuck.\nFree them."
    page.evaluate("m => viewer.receive(m)", {**told, "part": "b1, j1", "text": several})
    assert page.locator(".notice.error").last.text_content() == several.replace(": ", "")
    page.drawn()
    assert page.evaluate("viewer.annotations.labels.drawn[0].text") == "b1, j1: are stuck."
    for _ in range(2):
        page.locator(".notice.error button").last.click()
    page.drawn()
    assert page.evaluate("viewer.annotations.labels.drawn.length") == 0
    assert page.evaluate("viewer.choice.faulty.length") == 0


def test_a_live_page_on_a_phone_shows_the_mechanism(open_live):
    phone = {
        "viewport": {"width": 390, "height": 760},
        "has_touch": True,
        "is_mobile": True,
    }
    with Pendulum().live(open=False) as session:
        page = open_live(session, **phone).page
        page.locator("button.more").tap()
        assert page.locator(".grip select").is_visible()
        stage = page.locator(".stage").bounding_box()
        assert stage["height"] > 200
