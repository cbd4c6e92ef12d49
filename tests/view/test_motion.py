"""Pictures and films: every shape is where the motion puts it."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from scipy.spatial import ConvexHull

from motorik import Body, FixedTranslation, Marker, Model, PointMass, World
from motorik.errors import ParameterError
from motorik.gallery import DoublePendulum, Pendulum, SpinningWheel
from motorik.view.looks import Dot, Solid, Strut, Triad, shapes_of
from motorik.view.motion import animate, draw
from motorik.view.scene import make_scene
from motorik.view.stage import FlatStage, SpaceStage, convex_hull


@pytest.fixture(scope="module")
def pendulum():
    return Pendulum().simulate(2.0, output=40)


@pytest.fixture(scope="module")
def double_pendulum():
    return DoublePendulum().simulate(2.0, output=40)


@pytest.fixture(scope="module")
def wheel():
    return SpinningWheel().simulate(0.5, output=40)


def lines_of(figure):
    (axes,) = figure.axes
    return [np.column_stack(line.get_data()) for line in axes.get_lines()]


def test_the_link_of_a_pendulum_follows_its_angle(pendulum):
    for row in (0, 13, 40):
        phi = pendulum["rev.phi"][row]
        centre = 0.5 * np.array([np.cos(phi), np.sin(phi)])
        figure = draw(pendulum, pendulum.time[row])
        drawn = [line for line in lines_of(figure) if len(line) == 2]
        assert any(np.allclose(line, [(0, 0), centre], atol=1e-12) for line in drawn)


def test_a_box_is_drawn_in_its_size_and_place(double_pendulum):
    figure = draw(double_pendulum, 1.0)
    row = int(np.argmin(np.abs(double_pendulum.time - 1.0)))
    _, second = figure.axes[0].patches
    corners = second.get_xy()[:-1]
    x, y = corners.T
    area = 0.5 * np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)
    assert area == pytest.approx(0.5 * 0.06, rel=1e-12)
    centre = double_pendulum["box2.body.r_CM_0"][row, :2]
    np.testing.assert_allclose(corners.mean(axis=0), centre, atol=1e-12)
    a, b = (double_pendulum[f"box2.frame_{end}.r_0"][row, :2] for end in "ab")
    edges = np.roll(corners, -1, axis=0) - corners
    long = edges[np.linalg.norm(edges, axis=1) > 0.1]
    np.testing.assert_allclose(np.abs(long @ (b - a)), [0.25, 0.25], rtol=1e-12)


def test_a_planar_mechanism_is_shown_in_its_plane(pendulum, double_pendulum, wheel):
    assert make_scene(pendulum).plane == (0, 1)
    assert make_scene(double_pendulum).plane == (0, 1)
    assert make_scene(wheel).plane is None
    assert (make_scene(pendulum).up, make_scene(wheel).up) == (1, 2)


def test_everything_stays_within_the_limits_at_all_times(double_pendulum, wheel):
    for result in (double_pendulum, wheel):
        scene = make_scene(result)
        cloud = np.concatenate([points.reshape(-1, 3) for _, points in scene.shapes])
        assert (cloud > scene.low).all()
        assert (cloud < scene.high).all()
        margin = np.minimum(cloud.min(axis=0) - scene.low, scene.high - cloud.max(axis=0))
        np.testing.assert_allclose(margin, margin[0], rtol=1e-9)


def test_solids_turn_with_their_frame(wheel):
    scene = make_scene(wheel)
    disc = [points for shape, points in scene.shapes if isinstance(shape, Solid)][-1]
    hub = wheel["wheel_bearing.frame_b.r_0"]
    np.testing.assert_allclose(disc.mean(axis=1), hub, atol=1e-12)
    axle = hub - wheel["axle_bearing.frame_b.r_0"]
    axis = axle / np.linalg.norm(axle, axis=1)[:, None]
    depth = np.einsum("nki,ni->nk", disc - hub[:, None], axis)
    np.testing.assert_allclose(np.abs(depth), 0.01, atol=1e-12)
    radius = np.linalg.norm(disc - hub[:, None] - depth[..., None] * axis[:, None], axis=2)
    np.testing.assert_allclose(radius, 0.3, atol=1e-12)


def test_looks_of_parts_without_a_size():
    model = Model()
    model.world = World()
    model.arm = FixedTranslation(r=(1, 0, 0))
    model.body = Body()
    model.mass = PointMass()
    model.sign = Marker()
    model.world.frame_b >> model.arm.frame_a
    kinds = [type(shape) for shape in shapes_of(model)]
    assert kinds == [Triad, Strut, Strut, Dot, Dot]


def test_a_trace_shows_the_way_up_to_now(pendulum):
    row = 25
    figure = draw(pendulum, pendulum.time[row], trace="body.r_CM_0")
    way = lines_of(figure)[-1]
    np.testing.assert_array_equal(way, pendulum["body.r_CM_0"][: row + 1, :2])


@pytest.mark.parametrize("suffix", [".gif", ".webp"])
def test_a_film_has_its_frames_and_moves(double_pendulum, tmp_path, suffix):
    file = animate(double_pendulum, tmp_path / f"film{suffix}", fps=5, dpi=40)
    with Image.open(file) as film:
        assert film.n_frames == 11
        pictures = []
        for number in range(film.n_frames):
            film.seek(number)
            pictures.append(np.asarray(film.convert("RGB"), dtype=float))
    for before, after in pairwise(pictures):
        assert np.abs(after - before).max() > 100


def test_a_fast_film_is_shorter(pendulum, tmp_path):
    slow = animate(pendulum, tmp_path / "slow.gif", fps=5, dpi=30)
    fast = animate(pendulum, tmp_path / "fast.gif", fps=5, speed=4.0, dpi=30)
    with Image.open(slow) as a, Image.open(fast) as b:
        assert (a.n_frames, b.n_frames) == (11, 3)
        assert a.info["duration"] == 200


@pytest.mark.parametrize(
    ("name", "stage"), [("wheel", SpaceStage), ("pendulum", FlatStage)]
)
def test_a_film_frame_is_the_picture(name, stage, request):
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    scene = make_scene(request.getfixturevalue(name))

    def figure():
        figure = Figure(figsize=(3, 3), dpi=50)
        FigureCanvasAgg(figure)
        return figure, stage(figure, scene)

    still, shown = figure()
    shown.show(20)
    still.canvas.draw()
    picture = np.asarray(still.canvas.buffer_rgba())
    film, played = figure()
    played.prepare_film(film)
    other = played.film_frame(3)
    frame = played.film_frame(20)
    assert differing(frame, picture) < 0.05 * differing(other, picture)


def differing(a, b):
    """Return the share of pixels in which two pictures differ visibly."""
    return (np.abs(a.astype(float) - b.astype(float)).max(axis=2) > 60).mean()


def test_a_picture_is_saved(wheel, tmp_path):
    draw(wheel, file=tmp_path / "wheel.png")
    with Image.open(tmp_path / "wheel.png") as picture:
        assert min(picture.size) > 500
        assert len(picture.convert("RGB").getcolors(1_000_000)) > 100


def test_wrong_input_is_refused_with_a_remedy(pendulum, tmp_path):
    with pytest.raises(ParameterError, match=r"cannot write a film as '\.mp4'(.|\n)*\.gif"):
        animate(pendulum, tmp_path / "film.mp4")
    with pytest.raises(ParameterError, match="fps = 0 is not positive"):
        animate(pendulum, tmp_path / "film.gif", fps=0)
    with pytest.raises(ParameterError, match=r"time = 3 s is outside the run, 0 to 2 s"):
        draw(pendulum, 3.0)
    with pytest.raises(ParameterError, match="is not a position"):
        draw(pendulum, trace="rev.phi")


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(*[st.floats(-10, 10)] * 2), min_size=4, max_size=30))
def test_convex_hull_is_that_of_scipy(points):
    points = np.round(np.array(points), 3)
    if np.linalg.matrix_rank(points - points[0], tol=1e-2) < 2:
        return
    reference = ConvexHull(points)
    ours = ConvexHull(convex_hull(points))
    assert ours.volume == pytest.approx(reference.volume, rel=1e-9)
    assert len(convex_hull(points)) <= len(np.unique(points, axis=0))
