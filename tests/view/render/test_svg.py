"""SVG: it parses, hides what the rasteriser hides, and nothing can be smuggled into it."""

import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from PIL import Image, ImageDraw

from motorik import gallery
from motorik.view.render.camera import Camera
from motorik.view.render.content import ColouredMesh, Label, PictureContent, Stroke
from motorik.view.render.lettering import letter
from motorik.view.render.paint import Pencil, paint
from motorik.view.render.projection import see
from motorik.view.render.svg import draw_svg, joined_lines, letter_svg, whole_svg
from motorik.view.render.visibility import painting_order
from motorik.view.scene import solids

UP = np.array([0.0, 1.0, 0.0])
SIZE = (200, 150)
PLAIN = Pencil(samples=1, line=0.0)
COLOURS = np.random.default_rng(1).uniform(0.2, 0.9, (12, 3))


def turned(mesh, rng):
    R = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    R *= np.linalg.det(R)
    return mesh.moved(rng.uniform(-0.7, 0.7, 3), R)


def crowd(seed):
    """Return solids that stand in one another."""
    rng = np.random.default_rng(seed)
    meshes = [solids.box(1.0, 0.3, 0.2), solids.cylinder(1.2, 0.2), solids.torus(0.8, 0.2)]
    surfaces = [
        ColouredMesh(turned(meshes[k % 3], rng), tuple(COLOURS[k].tolist()))
        for k in range(7)
    ]
    return PictureContent.of(surfaces)


def painted(triangles, units, order, size):
    """Paint flat units one over another: which surface is on top in each pixel."""
    image = Image.new("I", size, -1)
    brush = ImageDraw.Draw(image)
    by_unit: dict[int, list[int]] = {}
    for k, unit in enumerate(units.tolist()):
        by_unit.setdefault(unit, []).append(k)
    for unit in order:
        for k in by_unit[unit]:
            corners = [tuple(p) for p in triangles.xy[k].tolist()]
            brush.polygon(corners, fill=int(1000 * triangles.materials[k, 0]))
    return np.asarray(image)


@pytest.mark.kinds(6)
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("angle", [0.0, 40.0])
def test_faces_painted_in_order_hide_what_the_depth_buffer_hides(seed, angle):
    own = crowd(seed)
    lens = Camera("iso", angle=angle).lens(own.places(), SIZE, UP)
    triangles, span = see(own, lens)
    painting = painting_order(triangles, SIZE, span)
    top = painted(painting.triangles, painting.units, painting.order, SIZE)
    # the same picture by the rasteriser, in the flat colours of the surfaces
    flat = PictureContent(
        own.facets.__class__(
            **{**own.facets.__dict__, "patches": np.full(len(own.facets.patches), -1)}
        )
    )
    pixels = paint(flat, lens, PLAIN)
    expected = np.where(pixels[..., 3] > 0, np.floor(1000 * pixels[..., 0] + 1e-6), -1)
    inner = edges_of(expected)
    differing = np.abs(top - expected) > 1.5
    assert (expected >= 0).mean() > 0.15
    assert (differing & ~inner).sum() <= 0.004 * (expected >= 0).sum()


def edges_of(picture):
    """Return the pixels near a change of colour, where rounding decides."""
    near = np.zeros(picture.shape, dtype=bool)
    for axis in (0, 1):
        change = np.diff(picture, axis=axis) != 0
        for shift in (0, 1):
            index = [slice(None), slice(None)]
            index[axis] = slice(shift, shift + change.shape[axis])
            near[tuple(index)] |= change
    grown = near.copy()
    grown[1:] |= near[:-1]
    grown[:-1] |= near[1:]
    grown[:, 1:] |= near[:, :-1]
    grown[:, :-1] |= near[:, 1:]
    return grown


@pytest.mark.kinds(2)
@pytest.mark.slow
@pytest.mark.parametrize("name", ["Pendulum", "SpinningWheel", "Fourbar1", "EngineV6"])
def test_drawings_of_models_parse_and_stay_in_their_frame(name):
    text = getattr(gallery, name)().draw(size=(300, 220)).svg()
    root = ET.fromstring(text)
    assert root.get("viewBox") == "0 0 300 220"
    paths = [node for node in root.iter() if node.tag.endswith("path")]
    assert len(paths) > 20 and len(text) < 600_000
    numbers = [float(n) for n in re.findall(r"[ML](-?[\d.]+)", paths[1].get("d", ""))]
    assert numbers


def test_hidden_lines_are_left_out():
    front = ColouredMesh(
        solids.box(0.2, 2.0, 2.0).moved(np.zeros(3), np.eye(3)), (0.5, 0.5, 0.5)
    )
    hidden = Stroke(np.array([[-1.0, -0.5, 0.0], [-1.0, 0.5, 0.0]]), (1.0, 0.0, 0.0))
    shown = Stroke(np.array([[1.0, -0.5, 0.0], [1.0, 0.5, 0.0]]), (0.0, 0.0, 1.0))
    own = PictureContent.of([front], [hidden, shown])
    lens = Camera("right", angle=0.0).lens(own.places(), SIZE, UP)
    text = whole_svg(SIZE, draw_svg(own, lens, Pencil()))
    assert "#0000ff" in text and "#ff0000" not in text


def test_names_cannot_become_elements():
    evil = '</text><script>alert("x")</script>'
    own = PictureContent.of([], [], [Label(np.zeros(3), evil, (0.0, 0.0, 0.0), 0.1)])
    lens = Camera("front").lens(own.places(), SIZE, UP)
    words = letter(own, lens, 12.0, (0.0, 0.0, *SIZE))
    text = whole_svg(SIZE, letter_svg(*words, Pencil()))
    assert "<script" not in text
    words = [node.text for node in ET.fromstring(text).iter() if node.tag.endswith("text")]
    assert words == [evil]


def test_pieces_of_a_line_are_joined():
    ring = np.array([[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0], [0.0, 0.0]])
    pieces = [ring[[k, k + 1]] for k in (2, 0, 3, 1)] + [
        np.array([[50.0, 0.0], [60.0, 0.0]])
    ]
    found = joined_lines(pieces)
    assert sorted(len(line) for line in found) == [2, 5]
