"""Cameras: what is fitted is seen, and points are where the formula of projection puts them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motorik.errors import ParameterError
from motorik.view.render.camera import MARGIN, PRESETS, Camera, Lens, front_of

UP = np.array([0.0, 1.0, 0.0])
SIZE = (400, 300)
POINT = st.tuples(*[st.floats(-5.0, 5.0)] * 3)


@pytest.mark.slow
@settings(max_examples=60)
@given(
    st.lists(POINT, min_size=2, max_size=20, unique=True),
    st.sampled_from(sorted(PRESETS)),
    st.sampled_from([0.0, 28.0, 70.0]),
)
def test_everything_fits_and_touches_the_margin(points, view, angle):
    cloud = np.array(points)
    lens = Camera(view, angle=angle).lens(cloud, SIZE, UP)
    xy, _ = lens.project(cloud)
    room = MARGIN * np.array(SIZE)
    assert (xy > room - 1e-6 * max(SIZE)).all()
    assert (xy < np.array(SIZE) - room + 1e-6 * max(SIZE)).all()
    seen = cloud @ lens.axes.T
    if angle == 0.0 and np.ptp(seen[:, :2], axis=0).max() > 1e-3:
        filled = np.ptp(xy, axis=0) / (np.array(SIZE) - 2 * room)
        assert filled.max() == pytest.approx(1.0, rel=1e-6)


def test_perspective_is_similar_triangles():
    lens = Camera(eye=(0.0, 0.0, 10.0), target=(0.0, 0.0, 0.0), angle=60.0).lens(
        np.zeros((1, 3)), SIZE, UP
    )
    focal = SIZE[1] / 2 / np.tan(np.radians(30.0))  # px
    for p in ([1.0, 2.0, 0.0], [1.0, -1.0, 5.0], [-2.0, 0.5, -30.0]):
        (x, y), _ = lens.project(np.array(p))
        depth = 10.0 - p[2]
        assert x == pytest.approx(200.0 + focal * p[0] / depth, rel=1e-12)
        assert y == pytest.approx(150.0 - focal * p[1] / depth, rel=1e-12)


def test_nearness_grows_towards_the_eye_and_is_linear_in_the_picture():
    for angle in (0.0, 50.0):
        lens = Camera(eye=(3.0, 4.0, 10.0), target=(0.0, 0.0, 0.0), angle=angle).lens(
            np.zeros((1, 3)), SIZE, UP
        )
        a, b = np.array([-1.0, 0.3, 2.0]), np.array([2.0, 1.0, -4.0])
        way = a + np.linspace(0.0, 1.0, 7)[:, None] * (b - a)
        xy, near = lens.project(way)
        share = (xy[:, 0] - xy[0, 0]) / (xy[-1, 0] - xy[0, 0])
        np.testing.assert_allclose(near, near[0] + share * (near[-1] - near[0]), atol=1e-12)
        closer, _ = lens.project(a + 0.1 * lens.axes[2])
        assert lens.project(a + 0.1 * lens.axes[2])[1] > near[0]
        assert closer.shape == (2,)


@pytest.mark.parametrize("up", [(0, 1, 0), (0, 0, 1), (1, 0, 0), (0.6, 0.0, 0.8)])
def test_presets_stand_where_their_names_say(up):
    up = np.array(up, dtype=float)
    cloud = np.array([[-1.0, -1.0, -1.0], [1.0, 1.0, 1.0]])
    axes = {view: Camera(view).lens(cloud, SIZE, up).axes for view in PRESETS}
    front = front_of(up)
    np.testing.assert_allclose(axes["front"][2], front, atol=1e-12)
    np.testing.assert_allclose(axes["back"][2], -front, atol=1e-12)
    np.testing.assert_allclose(axes["right"][2], axes["front"][0], atol=1e-12)
    np.testing.assert_allclose(axes["top"][2], up, atol=1e-3)
    np.testing.assert_allclose(axes["top"][1], -front, atol=1e-3)
    assert axes["iso"][2] @ up > 0.0 and axes["iso"][1] @ up > 0.0
    for own in axes.values():
        np.testing.assert_allclose(own @ own.T, np.eye(3), atol=1e-12)
        assert np.linalg.det(own) == pytest.approx(1.0)


def test_zoom_enlarges_about_the_middle():
    cloud = np.array([[-1.0, -1.0, 0.0], [1.0, 1.0, 0.0]])
    one, two = (Camera("front", zoom=z).lens(cloud, SIZE, UP) for z in (1.0, 2.0))
    a, b = one.project(cloud)[0] - 150.0, two.project(cloud)[0] - 150.0
    np.testing.assert_allclose(b[:, 1], 2.0 * a[:, 1])


def test_what_is_behind_the_eye_has_no_depth():
    lens = Lens(np.eye(3), np.zeros(3), 100.0, 5.0, SIZE)
    assert lens.depth(np.array([0.0, 0.0, 4.0])) > 0.0
    assert lens.depth(np.array([0.0, 0.0, 5.0])) < 0.0


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"view": "fornt"}, "'front'"),
        ({"zoom": 0.0}, "zoom > 0"),
        ({"angle": 200.0}, "0 .* to 150"),
        ({"up": (0.0, 1.0)}, "three numbers"),
        ({"eye": (1.0, 0.0, 0.0), "target": (1.0, 0.0, 0.0)}, "differ"),
    ],
)
def test_strange_cameras_are_refused(given, said):
    with pytest.raises(ParameterError, match=said):
        Camera(**given)
