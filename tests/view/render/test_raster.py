"""The rasteriser: native code is plain Python, and pictures are where geometry says."""

import numpy as np
import pytest

from motorik.view.render.camera import Camera, Lens
from motorik.view.render.content import ColouredMesh, PictureContent, Stroke
from motorik.view.render.paint import BAND, PYTHON_KERNELS, Pencil, paint
from motorik.view.render.projection import cut, dashes
from motorik.view.scene import solids

UP = np.array([0.0, 1.0, 0.0])
FLAT = Lens(np.eye(3), np.zeros(3), 10.0, np.inf, (60, 40))  # 10 px/m, (0, 0) in the middle
PLAIN = Pencil(samples=4, line=0.0)


def moved(mesh, *r):
    return mesh.moved(np.array(r, dtype=float), np.eye(3))


def content():
    rng = np.random.default_rng(3)
    pieces = [
        ColouredMesh(moved(solids.box(1.0, 0.6, 0.4), -1.0, 0.2, 0.1), (0.7, 0.7, 0.8)),
        ColouredMesh(moved(solids.cylinder(1.4, 0.3), -0.7, 0.1, 0.0), (0.8, 0.3, 0.2)),
        ColouredMesh(moved(solids.torus(0.9, 0.3), 0.6, -0.3, 0.2), (0.2, 0.5, 0.3)),
        ColouredMesh(moved(solids.sphere(0.8), 0.2, 0.4, 0.9), (0.1, 0.3, 0.8), 0.4),
    ]
    line = Stroke(rng.uniform(-1.0, 1.0, (5, 3)), (0.9, 0.1, 0.1), 2.0, dashed=True)
    return PictureContent.of(pieces, [line])


@pytest.mark.slow
@pytest.mark.parametrize("shaded", [True, False])
def test_native_pictures_are_those_of_plain_python(shaded):
    own = content()
    lens = Camera("iso").lens(own.places(), (40, 30), UP)
    pencil = Pencil(samples=2, shaded=shaded)
    native, python = paint(own, lens, pencil), paint(own, lens, pencil, PYTHON_KERNELS)
    assert native[..., 3].mean() > 0.2
    np.testing.assert_allclose(native, python, atol=1e-9)


def test_bands_meet_without_a_seam():
    own = content()
    size = (50, BAND + 21)
    lens = Camera("iso").lens(own.places(), size, UP)
    whole = paint(own, lens, Pencil(samples=2))
    lower = Lens(lens.axes, lens.target, lens.scale, lens.distance, size, (0.0, -20.0))
    shifted = paint(own, lower, Pencil(samples=2))
    # the same picture, its bands elsewhere: rows 20 up to the last
    np.testing.assert_allclose(whole[20:], shifted[:-20], atol=1e-9)


def test_a_face_covers_its_area():
    square = ColouredMesh(moved(solids.box(2.0, 1.5, 0.2), -1.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    pixels = paint(PictureContent.of([square]), FLAT, PLAIN)
    assert pixels[..., 3].sum() == pytest.approx(20 * 15, rel=1e-12)
    disc = ColouredMesh(solids.sphere(2.0), (1.0, 1.0, 1.0))
    covered = paint(PictureContent.of([disc]), FLAT, PLAIN)[..., 3].sum()
    assert covered == pytest.approx(np.pi * 100.0, rel=0.01)


def test_what_is_nearer_is_seen():
    red = ColouredMesh(moved(solids.box(2.0, 2.0, 0.2), -1.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    blue = ColouredMesh(moved(solids.box(1.0, 1.0, 0.2), -0.5, 0.0, 1.0), (0.0, 0.0, 1.0))
    for order in ([red, blue], [blue, red]):
        pixels = paint(PictureContent.of(order), FLAT, PLAIN)
        assert pixels[20, 30, 2] > 0.5 and pixels[20, 30, 0] < 0.01  # but for gloss
        assert pixels[20, 22, 0] > 0.5 and pixels[20, 22, 2] < 0.01


def test_glass_lets_what_is_behind_it_through():
    red = ColouredMesh(moved(solids.box(2.0, 2.0, 0.2), -1.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    glass = ColouredMesh(
        moved(solids.box(1.0, 1.0, 0.2), -0.5, 0.0, 1.0), (0.0, 0.0, 1.0), 0.25
    )
    alone = paint(PictureContent.of([red]), FLAT, PLAIN)
    through = paint(PictureContent.of([red, glass]), FLAT, PLAIN)
    assert through[20, 30, 0] == pytest.approx(0.75 * alone[20, 30, 0], abs=1e-3)
    assert through[20, 30, 3] == 1.0
    hidden = ColouredMesh(
        moved(solids.box(1.0, 1.0, 0.2), -0.5, 0.0, -1.0), (0.0, 0.0, 1.0), 0.25
    )
    np.testing.assert_array_equal(
        paint(PictureContent.of([red, hidden]), FLAT, PLAIN), alone
    )


def test_outlines_run_along_edges_and_nowhere_else():
    cube = ColouredMesh(moved(solids.box(2.0, 2.0, 0.2), -1.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    dark = paint(PictureContent.of([cube]), FLAT, Pencil(samples=4, line=1.0))[..., :3].sum(
        axis=2
    )
    plain = paint(PictureContent.of([cube]), FLAT, PLAIN)[..., :3].sum(axis=2)
    changed = np.argwhere(dark < plain - 1e-9)
    inside = (changed > [12, 22]) & (changed < [27, 37])
    assert len(changed) > 60 and not inside.all(axis=1).any()


def test_a_round_side_has_no_lines_within():
    """The side of a cylinder, seen across its axis, falls steeply at its rims: no edges."""
    side = ColouredMesh(moved(solids.cylinder(2.0, 2.0), -1.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    lined = paint(PictureContent.of([side]), FLAT, Pencil(samples=4, line=1.0))
    plain = paint(PictureContent.of([side]), FLAT, PLAIN)
    inner = (slice(12, 28), slice(24, 36))
    np.testing.assert_array_equal(lined[inner], plain[inner])


def test_a_ring_in_front_of_itself_has_an_outline():
    ring = solids.torus(2.0, 0.5)  # about x, seen across: the near side hides the far one
    turned = ring.moved(np.zeros(3), np.array([[0.8, 0, -0.6], [0, 1, 0], [0.6, 0, 0.8]]))
    lined = paint(
        PictureContent.of([ColouredMesh(turned, (1.0,) * 3)]), FLAT, Pencil(4, line=1.0)
    )
    plain = paint(PictureContent.of([ColouredMesh(turned, (1.0,) * 3)]), FLAT, PLAIN)
    within = plain[..., 3] == 1.0
    assert (lined[within] < plain[within] - 0.1).any(axis=1).sum() > 10


def test_strokes_are_as_wide_as_they_say():
    line = Stroke(np.array([[-1.0, 0.0, 0.0], [1.0, 0.0, 0.0]]), (0.0, 0.0, 0.0), 4.0)
    pixels = paint(PictureContent.of([], [line]), FLAT, PLAIN)
    assert pixels[:, 30, 3].sum() == pytest.approx(4.0)


def test_dashes_are_pieces_of_the_line():
    xy = np.array([[0.0, 0.0], [30.0, 0.0], [30.0, 40.0]])
    found = dashes(xy, np.array([0.0, 3.0, 7.0]), 1.5)
    assert len(found) == 6
    total = sum(np.linalg.norm(np.diff(p, axis=0), axis=1).sum() for p, _ in found)
    assert total == pytest.approx(5 * 7.0 + min(7.0, 70.0 - 60.0))
    for points, near in found:
        np.testing.assert_allclose(near, (points.sum(axis=1)) / 10.0)


def test_triangles_are_cut_at_the_eye():
    rng = np.random.default_rng(5)
    corners = rng.uniform(-1.0, 1.0, (200, 3, 3))
    pieces, _, own = cut(corners, corners, corners[..., 2])
    assert (pieces[..., 2] >= -1e-12).all()

    def area(triangles):
        u, v = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
        return np.linalg.norm(np.cross(u, v), axis=1) / 2

    ahead = np.bincount(own, area(pieces), minlength=200)
    behind, _, other = cut(corners, corners, -corners[..., 2])
    below = np.bincount(other, area(behind), minlength=200)
    np.testing.assert_allclose(ahead + below, area(corners), rtol=1e-9)


def test_things_behind_the_eye_are_not_seen():
    wall = ColouredMesh(moved(solids.box(2.0, 2.0, 0.2), -1.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    line = Stroke(np.array([[0.0, 0.0, 1.0], [0.0, 0.0, 20.0]]), (0.0, 0.0, 0.0), 3.0)
    ahead = Camera(eye=(0.0, 0.0, 5.0), target=(0.0, 0.0, 0.0), angle=40.0)
    away = Camera(eye=(0.0, 0.0, 5.0), target=(0.0, 0.0, 10.0), angle=40.0)
    seen = paint(
        PictureContent.of([wall], [line]), ahead.lens(np.zeros((1, 3)), (40, 30), UP), PLAIN
    )
    assert seen[..., 3].max() == 1.0
    nothing = PictureContent.of([wall])
    assert paint(nothing, away.lens(np.zeros((1, 3)), (40, 30), UP), PLAIN).max() == 0.0
