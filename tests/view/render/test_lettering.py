"""Words of pictures can be read: notes in the picture, letters beside bodies, names apart."""

import itertools

import numpy as np
import pytest

import motorik as mk
from motorik import gallery
from motorik.view.render import Camera, draw
from motorik.view.render.lettering import Silhouette, wrapped
from motorik.view.render.options import Options
from motorik.view.render.paint import Pencil
from motorik.view.render.shot import Shot
from motorik.view.render.text import font
from tests.covering import each_once


class Open(mk.Model):
    """A loop that cannot be closed."""

    def build(self):
        self.world = mk.World()
        self.j1 = mk.Revolute(n="z", phi=0.5)
        self.crank = mk.BodyBox(r=(0.3, 0.0, 0.0), width=0.03)
        self.j2 = mk.Revolute(n="z")
        self.rod = mk.BodyBox(r=(0.2, 0.0, 0.0), width=0.03)
        self.j3 = mk.Revolute(n="z")
        self.base = mk.FixedTranslation(r=(1.0, 0.0, 0.0))
        self.world.frame_b >> self.j1.frame_a
        self.j1.frame_b >> self.crank.frame_a
        self.crank.frame_b >> self.j2.frame_a
        self.j2.frame_b >> self.rod.frame_a
        self.rod.frame_b >> self.j3.frame_a
        self.world.frame_b >> self.base.frame_a
        self.base.frame_b >> self.j3.frame_b


class Loose(mk.Model):
    """A joint that holds nothing."""

    def build(self):
        self.world = mk.World()
        self.joint = mk.Revolute(n="z")
        self.world.frame_b >> self.joint.frame_a


def lettered(subject, camera=None, size=(480, 360), **options):
    """Return words and notes of a picture, and its tile."""
    shot = Shot(subject.scene(), Options(Camera.of(camera), size, **options))
    tile = shot.tile(None, shot.lens([None]))
    return *tile._lettered(Pencil(), 13.0), tile


@pytest.mark.kinds(3)
@pytest.mark.slow
@pytest.mark.parametrize(("kind", "at"), [(Open, "j3"), (Loose, "joint")])
@pytest.mark.parametrize(
    ("camera", "size"), each_once([None, "iso"], [(300, 200), (480, 360), (900, 675)])
)
def test_what_is_wrong_is_read_within_the_picture(kind, at, camera, size):
    model = kind()
    _, (note,), tile = lettered(model, camera, size)
    scene = model.scene()
    said = scene.parts[scene.number_of(at)].note
    assert " ".join(note.lines).split() == said.split()
    left, top, right, bottom = note.box
    assert left >= 0 and top >= 0 and right <= size[0] and bottom <= size[1]
    for text, x, y in note.words:
        assert x >= left and x + font(note.size).getlength(text) <= right
        assert top < y < bottom
    place = next(s.at.r for s in scene.shapes if s.role == "error")
    np.testing.assert_allclose(note.leader[1], tile.lens.project(np.array(place))[0])
    begin, end = map(np.array, note.leader)
    assert np.linalg.norm(begin - end) < np.hypot(*size)


@pytest.mark.slow
def test_notes_are_in_pixels_and_in_svg():
    picture = draw(Open(), size=(480, 360))
    red = (picture.pixels[..., :3].astype(int) @ (1, -1, -1)) > 60
    assert red.sum() > 200
    svg = picture.svg()
    assert svg.count("<line ") == 1 and svg.count("<circle") == 1
    assert "cannot be closed" in svg.replace("</text>", " ").replace("\n", " ")


def test_lines_of_a_note_are_not_too_wide():
    text = "a word and another, and averyveryverylongwordthatfitsintonoline at the end"
    lines = wrapped(text, 80.0, 13.0)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(font(13.0).getlength(line) <= 80.0 for line in lines)


@pytest.mark.kinds(2)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "camera"),
    each_once(
        ["Fourbar1", "Pendulum", "DoublePendulum", "Engine1a"],
        ["iso", "front", "top", "left"],
    ),
)
def test_letters_of_the_world_stand_beside_bodies(name, camera):
    words, _, tile = lettered(getattr(gallery, name)(), camera)
    facets = tile.content.facets
    triangles = tile.lens.project(facets.points[facets.triangles])[0]
    assert {word.text for word in words} <= {"x", "y", "z"}
    for word in words:
        half = font(word.size).getlength(word.text) / 2, word.size / 2
        box = (word.x - half[0], word.y - half[1], word.x + half[0], word.y + half[1])
        assert not Silhouette(triangles).meets(box)


@pytest.mark.slow
def test_labels_are_the_names_of_parts_as_in_films():
    model = gallery.DoublePendulum()
    scene = model.scene()
    seen = {s.part for s in scene.shapes if s.part is not None and s.layer == "parts"}
    words, _, _ = lettered(model, labels=True)
    assert {word.text for word in words} == {scene.parts[part].path for part in seen}
    assert lettered(model)[0] == []
    boxes = []
    for word in words:
        half = font(word.size).getlength(word.text) / 2, word.size / 2
        boxes.append(
            (word.x - half[0], word.y - half[1], word.x + half[0], word.y + half[1])
        )
    for (a, b, c, d), (e, f, g, h) in itertools.combinations(boxes, 2):
        assert a >= g or e >= c or b >= h or f >= d


class Hidden(mk.Model):
    """A small body within a large one."""

    def build(self):
        self.world = mk.World()
        self.joint = mk.Revolute(n="z")
        self.case = mk.BodyBox(r=(0.4, 0.0, 0.0), width=0.3, height=0.3)
        self.core = mk.BodyBox(r=(0.3, 0.0, 0.0), width=0.1, height=0.1)
        self.world.frame_b >> self.joint.frame_a
        self.joint.frame_b >> self.case.frame_a
        self.joint.frame_b >> self.core.frame_a


@pytest.mark.slow
def test_parts_that_are_hidden_have_no_names():
    words, _, _ = lettered(Hidden(), "iso", labels=True)
    names = {word.text for word in words}
    assert "case" in names and "core" not in names


@pytest.mark.slow
def test_names_stand_apart_however_many_there_are():
    words, _, _ = lettered(gallery.EngineV6(), "iso", labels=True)
    boxes = []
    for word in words:
        half = font(word.size).getlength(word.text) / 2, word.size / 2
        boxes.append(
            (word.x - half[0], word.y - half[1], word.x + half[0], word.y + half[1])
        )
    assert len(boxes) > 20
    for a, b in itertools.combinations(boxes, 2):
        assert a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


@pytest.mark.parametrize("paper", ["black", "#111418", "#303030"])
def test_letters_and_axes_stand_out_from_dark_paper(paper):
    """They are as light there as they are dark on white."""
    result = gallery.PlanarFourbar().simulate(0.1)
    given = {"size": (320, 240), "labels": True}
    dark, light = (result.draw(0.1, background=b, **given) for b in (paper, "white"))
    ground = dark.pixels[2, 2, :3].astype(int)
    room = dark.tiles[0].ruler.box
    below = slice(room[3] + 6, None)  # the numbers below the axis
    assert (dark.pixels[below, :, :3].max(axis=(0, 1)) > ground + 120).all()
    assert (light.pixels[below, :, :3].min(axis=(0, 1)) < 100).all()
    assert 'fill="#333333"' in light.svg() and 'fill="#333333"' not in dark.svg()


def test_inks_keep_their_order_on_dark_paper():
    inks = [(g, g, g) for g in (0.0, 0.2, 0.45, 0.92, 1.0)]
    paper = Pencil(paper=(0.1, 0.1, 0.1))
    seen = [paper.legible(ink)[0] for ink in inks]
    assert seen == sorted(seen, reverse=True)
    assert seen[0] == 1.0 and abs(seen[-1] - 0.1) < 1e-12
    assert all(Pencil().legible(ink) == ink for ink in inks)
