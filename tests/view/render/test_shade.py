"""Shades of drawings: round surfaces have gradients that go on from face to face."""

import re

import numpy as np
import pytest

from motorik.view.render.camera import Camera
from motorik.view.render.content import ColouredMesh, PictureContent
from motorik.view.render.paint import Pencil, paint
from motorik.view.render.shade import Gradient, paint_of
from motorik.view.render.svg import draw_svg
from motorik.view.scene import solids

UP = np.array([0.0, 1.0, 0.0])
PLAIN = Pencil(samples=1, line=0.0)
CORNERS = np.array([[0.0, 0.0], [10.0, 0.0], [10.0, 40.0], [0.0, 40.0]])


def test_a_face_of_one_brightness_has_one_colour():
    assert paint_of(CORNERS, np.full((4, 3), 0.5)) == "#808080"
    assert paint_of(CORNERS, np.full((4, 3), 0.5) + 1e-3 * CORNERS[:, :1] / 10) == "#808080"


def test_a_gradient_goes_along_the_change_of_brightness():
    colours = np.full((4, 3), 0.2) + 0.5 * CORNERS[:, :1] / 10
    found = paint_of(CORNERS, colours)
    assert isinstance(found, Gradient)
    assert found.begin[0] == 0.0 and found.end[0] == 10.0
    assert found.begin[1] == found.end[1]
    assert found.colours == ("#333333", "#b2b2b2")


def test_what_is_hardly_seen_needs_no_gradient():
    colours = np.full((4, 3), 0.5) + 0.03 * CORNERS[:, :1] / 10
    assert isinstance(paint_of(CORNERS, colours), Gradient)
    assert isinstance(paint_of(CORNERS, colours, opacity=0.2), str)


def test_a_point_and_a_line_have_a_colour():
    colours = np.array([[0.1] * 3, [0.9] * 3, [0.5] * 3])
    assert isinstance(paint_of(np.zeros((3, 2)), colours), str)
    assert paint_of(np.array([[0.0, 0], [5, 0], [2, 0]]), colours)


def drawing(mesh):
    content = PictureContent.of([ColouredMesh(mesh, (0.3, 0.5, 0.8))])
    lens = Camera("iso", angle=0.0).lens(content.places(), (300, 200), UP)
    return draw_svg(content, lens, PLAIN), paint(content, lens, PLAIN)


def test_neighbours_on_a_cylinder_meet_in_one_colour():
    elements, _ = drawing(solids.cylinder(1.0, 0.5))
    text = "\n".join(elements)
    ends = re.findall(
        r'stop-color="#(..)(..)(..)"/><stop offset="1" stop-color="#(..)(..)(..)"', text
    )
    assert len(ends) > 8
    blues = sorted(tuple(sorted((int(e[2], 16), int(e[5], 16)))) for e in ends)
    starts, stops = np.array(blues).T
    gaps = [
        min(abs(stops[:k] - start).min(initial=255), 255) for k, start in enumerate(starts)
    ]
    assert max(gaps[1:]) <= 6  # of 255; flat faces would differ by whole steps


@pytest.mark.slow
def test_every_gradient_that_is_used_is_defined_and_named_by_what_it_is():
    text = "\n".join(drawing(solids.torus(1.0, 0.3))[0])
    used, defined = set(re.findall(r"url\(#(\w+)\)", text)), re.findall(r'id="(\w+)"', text)
    assert used == set(defined) and len(defined) == len(set(defined))
    assert "\n".join(drawing(solids.torus(1.0, 0.3))[0]) == text


@pytest.mark.parametrize("mesh", [solids.box(1.0, 0.4, 0.3)])
def test_flat_faces_have_no_gradients(mesh):
    assert "linearGradient" not in "\n".join(drawing(mesh)[0])
