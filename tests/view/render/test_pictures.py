"""Pictures of models and results: everything is where the motion puts it."""

import xml.etree.ElementTree as ET

import numpy as np
import pytest
from PIL import Image

import motorik as mk
from motorik import Model, gallery
from motorik.algebra.quaternion import Quaternion
from motorik.errors import MotorikError, ParameterError, UnknownNameError
from motorik.view.render import Camera, Picture, draw
from motorik.view.render.options import Options
from motorik.view.render.paint import Pencil
from motorik.view.render.scene_content import BodyPoses, SceneContent, way_of
from motorik.view.render.shot import Shot, between
from motorik.view.scene.annotations import ArrowAnnotation, VectorReading
from motorik.view.scene.forms import form_of
from motorik.view.scene.scene import Scene

SMALL = (240, 180)
MODELS = [
    name
    for name in gallery.__all__
    if isinstance(getattr(gallery, name), type)
    and issubclass(getattr(gallery, name), Model)
]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def pendulum():
    return gallery.Pendulum().simulate(2.0, output=40)


@pytest.fixture(scope="module")
def double_pendulum():
    return gallery.DoublePendulum().simulate(2.0, output=40)


@pytest.fixture(scope="module")
def wheel():
    return gallery.SpinningWheel().simulate(0.5, output=40)


def covered(picture: Picture) -> float:
    """Return the share of pixels that are not white."""
    return float((picture.pixels[..., :3] < 250).any(axis=2).mean())


@pytest.mark.kinds(3)
@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_every_gallery_model_has_a_picture(name):
    picture = getattr(gallery, name)().draw(size=SMALL)
    assert picture.pixels.shape == (180, 240, 4)
    assert 0.01 < covered(picture) < 0.8
    assert len(np.unique(picture.pixels.reshape(-1, 4), axis=0)) > 50


@pytest.mark.slow
def test_groups_are_seen_where_their_frames_are(double_pendulum, wheel):
    """The lens of a picture puts frames where results and the formula of projection do."""
    for result, frame in (
        (double_pendulum, "box2.frame_b"),
        (wheel, "wheel_bearing.frame_b"),
    ):
        scene = result.scene(trace=frame)
        shot = Shot(scene, Options(Camera(), SMALL))
        (trace,) = scene.runs[0].traces
        lens = shot.lens([float(result.time[0]), float(result.time[-1])])
        for row in (0, 13, 40):
            poses, _ = shot.poses(float(result.time[row]))
            own = poses.point(trace.group, trace.r)
            np.testing.assert_allclose(own, result[f"{frame}.r_0"][row], atol=1e-6)
            xy, _ = lens.project(own)
            p = result[f"{frame}.r_0"][row] - lens.target
            k = (
                1.0
                if np.isinf(lens.distance)
                else lens.distance / (lens.distance - p @ lens.axes[2])
            )
            middle = np.array(SMALL) / 2 + lens.shift
            expected = middle + lens.scale * k * np.array(
                [p @ lens.axes[0], -p @ lens.axes[1]]
            )
            np.testing.assert_allclose(xy, expected, atol=1e-4 * max(SMALL))


@pytest.mark.slow
def test_a_red_body_is_painted_at_its_place(pendulum):
    """The mass of the pendulum stands in the pixels where its position says."""
    for time in (0.0, 0.65, 2.0):
        picture = pendulum.draw(time, size=(400, 300), labels=False, shadow=False)
        tile = picture.tiles[0]
        row = int(np.argmin(np.abs(pendulum.time - time)))
        (x, y), _ = tile.lens.project(pendulum["body.r_CM_0"][row])
        near = picture.pixels[round(y) - 1 : round(y) + 2, round(x) - 1 : round(x) + 2, :3]
        assert (near < 200).any(axis=2).all()


def test_between_rows_poses_are_interpolated(double_pendulum):
    run = double_pendulum.scene().runs[0]
    t = 0.5 * float(run.time[7] + run.time[8])
    poses, values = between(run, t)
    np.testing.assert_allclose(
        poses[:, :3], (run.poses[7] + run.poses[8])[:, :3] / 2, atol=1e-6
    )
    np.testing.assert_allclose(np.linalg.norm(poses[:, 3:], axis=1), 1.0, atol=1e-6)
    half = run.poses[7] + run.poses[8]  # halfway on the sphere: the sum, made unit
    half = half[:, 3:] / np.linalg.norm(half[:, 3:], axis=1, keepdims=True)
    np.testing.assert_allclose(poses[:, 3:], half, atol=1e-6)
    np.testing.assert_allclose(
        values, (run.values[7] + run.values[8]) / 2, rtol=1e-5, atol=1e-9
    )
    at_end, _ = between(run, float(run.time[-1]))
    np.testing.assert_array_equal(at_end, run.poses[-1])


def test_quaternions_turn_as_the_motion_does(wheel):
    poses = wheel.poses()
    T = wheel["wheel_bearing.frame_b.R.T"]
    found = [BodyPoses.of(rows).rotations for rows in poses.values]
    fits = [
        max(np.abs(found[row][k].T - T[row]).max() for row in (0, 17, 40))
        for k in range(1, len(poses.names) + 1)
    ]
    assert min(fits) < 1e-9


def test_a_planar_mechanism_is_seen_along_its_normal_with_a_ruler(pendulum, wheel):
    picture = pendulum.draw(1.0)
    (tile,) = picture.tiles
    np.testing.assert_allclose(tile.lens.axes, np.eye(3), atol=1e-12)
    assert tile.ruler is not None and tile.ruler.label(0) == "x [m]"
    assert wheel.draw(0.1).tiles[0].ruler is None
    ticks = tile.ruler.ticks(0)
    for at, text in ticks:
        (x, _), _ = tile.lens.project(np.array([float(text.replace("−", "-")), 0.0, 0.0]))
        assert x == pytest.approx(at, abs=1e-6)


@pytest.mark.slow
def test_axes_take_the_unit_that_fits():
    result = gallery.Andrews().simulate(0.01)
    ruler = result.draw().tiles[0].ruler
    assert ruler is not None and ruler.unit == "mm"


@pytest.mark.slow
def test_traces_and_ghosts_are_drawn(pendulum):
    traced = pendulum.draw(1.5, size=SMALL, trace="body.r_CM_0")
    way = traced.tiles[0].content.strokes[-1].points
    rows = pendulum.time <= 1.5
    np.testing.assert_allclose(way[: rows.sum()], pendulum["body.r_CM_0"][rows], atol=1e-6)
    xy, _ = traced.tiles[0].lens.project(way)  # all of it is in the picture
    left, top, right, bottom = traced.tiles[0].ruler.box
    assert (xy > (left, top)).all() and (xy < (right, bottom)).all()
    ghosts = pendulum.draw(1.5, size=SMALL, ghosts=3)
    assert len(ghosts.tiles[0].ghosts) == 3
    assert ghosts.svg().count("<g opacity=") == 3
    assert pendulum.draw(1.5, ghosts=[0.0, 0.5]).tiles[0].lens is not None


@pytest.mark.slow
def test_results_stand_side_by_side(pendulum, double_pendulum):
    both = pendulum.draw(1.0, size=SMALL, beside=double_pendulum)
    assert both.size == (480, 180) and len(both.tiles) == 2
    alike = pendulum.draw(1.0, size=SMALL, beside=pendulum)
    left = pendulum.draw(1.0, size=SMALL)
    np.testing.assert_array_equal(alike.pixels[:, :240], left.pixels)
    np.testing.assert_array_equal(alike.pixels[:, 240:], left.pixels)


@pytest.mark.parametrize("camera", [None, "iso"])
def test_all_that_stand_side_by_side_have_one_camera(
    pendulum, double_pendulum, wheel, camera
):
    for one, other in ((pendulum, double_pendulum), (double_pendulum, wheel)):
        both = one.draw(0.4, size=SMALL, camera=camera, beside=[other])
        first, second = (tile.lens for tile in both.tiles)
        assert first is second
        for tile in both.tiles:  # and it holds what each of them shows
            xy, _ = first.project(tile.content.places())
            assert (xy > 0.0).all() and (xy < SMALL).all()
        assert len({tile.ruler is None for tile in both.tiles}) == 1


def test_a_followed_part_keeps_its_place(double_pendulum):
    camera = Camera(follow="box2.body")
    shot = Shot(double_pendulum.scene(), Options(camera, SMALL))
    lens = shot.lens([0.0, 2.0])
    group = shot._followed
    places = []
    for time in (0.0, 0.7, 2.0):
        own = shot.tile(time, lens).lens
        places.append(own.project(shot.poses(time)[0].positions[group])[0])
    np.testing.assert_allclose(places[1:], [places[0]] * 2, atol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("suffix", ["png", "jpg", "webp", "svg", "pdf"])
def test_pictures_are_saved_in_the_format_of_their_suffix(wheel, tmp_path, suffix):
    file = tmp_path / f"wheel.{suffix}"
    wheel.draw(0.2, size=SMALL, file=file)
    if suffix == "svg":
        assert ET.parse(file).getroot().tag == f"{SVG}svg"
    elif suffix == "pdf":
        assert file.read_bytes().startswith(b"%PDF")
    else:
        with Image.open(file) as picture:
            assert picture.size == SMALL


@pytest.mark.slow
def test_the_background_may_be_transparent(wheel):
    picture = wheel.draw(size=SMALL, background=None, shadow=False)
    assert picture.pixels[0, 0, 3] == 0 and picture.pixels[..., 3].max() == 255
    grey = wheel.draw(size=SMALL, background="#808080", shadow=False)
    assert tuple(grey.pixels[0, 0]) == (128, 128, 128, 255)


def test_the_ground_is_a_backdrop(wheel):
    plain, ground = wheel.draw(0.1, size=SMALL), wheel.draw(0.1, size=SMALL, ground=True)
    assert plain.tiles[0].lens.scale == ground.tiles[0].lens.scale  # fitted alike
    assert len(ground.tiles[0].content.strokes) > len(plain.tiles[0].content.strokes)


def test_a_line_drawing_is_grey(wheel):
    pixels = wheel.draw(size=SMALL, style="lines", labels=False, forces=False).pixels
    colourful = np.ptp(pixels[..., :3].astype(int), axis=2)
    assert np.quantile(colourful, 0.98) < 20
    assert (pixels[..., :3] < 120).any()


def test_a_picture_is_a_figure_too(pendulum):
    import matplotlib.pyplot as plt

    before = plt.get_fignums()
    picture = pendulum.draw(size=SMALL)
    figure = picture.figure()
    figure.canvas.draw()
    drawn = np.asarray(figure.canvas.buffer_rgba())
    np.testing.assert_array_equal(drawn[..., :3], picture.pixels[..., :3])
    assert plt.get_fignums() == before
    assert picture._repr_png_().startswith(b"\x89PNG") and "240 × 180" in repr(picture)


@pytest.mark.slow
def test_a_model_that_does_not_assemble_is_drawn_with_its_error():
    from motorik import BodyBox, FixedTranslation, Revolute, World

    class Open(Model):
        def build(self):
            self.world, self.far = World(), FixedTranslation(r=(5, 0, 0))
            self.left, self.middle, self.right = (Revolute(n="z") for _ in range(3))
            self.arm, self.rod = BodyBox(r=(1, 0, 0)), BodyBox(r=(1, 0, 0))
            self.connect(self.world.frame_b, self.left.frame_a, self.far.frame_a)
            self.left.frame_b >> self.arm.frame_a
            self.arm.frame_b >> self.middle.frame_a
            self.middle.frame_b >> self.rod.frame_a
            self.rod.frame_b >> self.right.frame_a
            self.right.frame_b >> self.far.frame_b

    with pytest.raises(MotorikError):
        Open().simulate(1.0)
    assert covered(Open().draw(size=SMALL)) > 0.01


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"camera": "fornt"}, "'front'"),
        ({"style": "shadde"}, "'shaded'"),
        ({"size": (3, 4)}, "pixels"),
        ({"size": (300.5, 200)}, "pixels"),
        ({"ghosts": -1}, "how many"),
        ({"background": "wite"}, "no colour"),
        ({"file": "a.pgn"}, "'png'"),
        ({"time": 3.0}, "outside the run, 0 to 2 s"),
        ({"time": float("nan")}, "outside the run"),
        ({"beside": 3.0}, "nothing to be seen"),
    ],
)
def test_wrong_input_is_refused_with_a_remedy(pendulum, options, said):
    with pytest.raises(ParameterError, match=said):
        pendulum.draw(**options)


def test_names_that_do_not_exist_are_told(pendulum):
    with pytest.raises(UnknownNameError, match="'body'"):
        pendulum.draw(camera=Camera(follow="boddy"))
    with pytest.raises(UnknownNameError):
        pendulum.draw(trace="rev.phi")
    with pytest.raises(UnknownNameError, match="'camera'"):
        pendulum.draw(camra="top")
    with pytest.raises(ParameterError, match="was not simulated"):
        draw(gallery.Pendulum(), 1.0)


def test_arrows_point_as_their_axes_say():
    """Components of a vector are in axes q of a rigid group: direction = Q · q · components."""
    quarter = (0.0, 0.0, 0.5**0.5, 0.5**0.5)  # about z
    reading = VectorReading((0, 1, 2), resolve=1, q=quarter, scale=0.5, double=True)
    shape = ArrowAnnotation(diameter=0.01, vector=reading)
    scene = Scene(groups=("world", "body"), shapes=(shape,), start=np.zeros((1, 7)))
    turned = BodyPoses.of(np.array([[0.0, 0.0, 0.0, *quarter]]))
    form, _, R = SceneContent(scene, ["parts"])._placed(
        shape, turned, np.array([2.0, 0.0, 0.0])
    )
    assert R[:, 0] == pytest.approx([-1.0, 0.0, 0.0], abs=1e-12)  # x, turned by 180°
    (mesh, _), *_ = form.meshes
    assert np.ptp(mesh.points[:, 0]) == pytest.approx(1.0)
    single = form_of(ArrowAnnotation(diameter=0.01), 1.0).meshes[0][0]
    assert len(mesh.points) > len(single.points)  # two heads


def test_a_result_is_laid_over_another():
    slow = gallery.Pendulum().simulate(1.0, output=30)
    fast = gallery.Pendulum().simulate(1.0, output=30)
    alone = slow.draw(0.2, size=(200, 150))
    both = slow.draw(0.2, over=fast, size=(200, 150))
    (tile,), (one,) = both.tiles, alone.tiles
    assert len(both.tiles) == 1
    world = len(one.content.facets.triangles)
    assert world < len(tile.content.facets.triangles) < 2 * world  # the other has no world
    assert (tile.content.facets.materials[world:, 3] < 1.0).all()


def test_the_way_of_a_point_is_where_its_group_takes_it():
    rng = np.random.default_rng(1)
    rows = rng.normal(size=(6, 3, 7))
    for group in range(4):
        way = way_of(rows, group, (0.1, -0.2, 0.3))
        single = [BodyPoses.of(row).point(group, (0.1, -0.2, 0.3)) for row in rows]
        np.testing.assert_allclose(way, single, atol=1e-15)


@pytest.mark.slow
def test_ghosts_lie_behind_the_present_pose(pendulum):
    """They change the paper around it, and no pixel of a body."""
    given = {"size": SMALL, "camera": "front", "axes": False, "background": None}
    shot = Shot(pendulum.scene(), Options.of("draw", {**given, "ghosts": [0.0, 0.4]}))
    lens = shot.lens([1.5, 0.0, 0.4])
    pencil = Pencil(samples=2, shadow=False, paper=None)
    plain = shot.tile(1.5, lens).paint(pencil, 13.0)
    pale = shot.tile(1.5, lens, [0.0, 0.4]).paint(pencil, 13.0)
    body = plain[..., 3] >= 1.0
    assert body.any()
    np.testing.assert_allclose(pale[body], plain[body], atol=1e-12)
    assert (pale[..., 3] > plain[..., 3] + 0.05).sum() > 50


class Thrown(mk.Model):
    """A ball that hops across a table."""

    def build(self):
        self.world = mk.World()
        self.ball = mk.Body(m=1.0, I_11=0.01, I_22=0.01, I_33=0.01, r_0=(0, 0.5, 0))
        self.ball.v_0 = (2.0, 0.0, -0.5)
        self.table = mk.forces.PointPlaneContact(radius=0.1, e=0.7, mu=0.0)
        self.world.frame_b >> self.table.frame_a
        self.ball.frame_a >> self.table.frame_b


@pytest.mark.slow
def test_a_floor_reaches_below_all_that_may_touch_it():
    result = Thrown().simulate(1.0)
    (floor,) = [shape for shape in result.scene().shapes if shape.role == "floor"]
    R = Quaternion(*floor.at.q).rotation().numpy()
    r = (result["ball.r_0"] - np.array(floor.at.r)) @ R
    sides = np.array([floor.width, floor.height]) / 2
    assert (np.abs(r[:, 1:]) < sides).all()
    assert (np.abs(r[:, 1:]).max(axis=0) > 0.2 * sides).any()  # and not much farther


@pytest.mark.slow
def test_arrows_of_reactions_are_what_moves_the_bodies_behind():
    """The force at the first hinge changes the momentum of both bodies, besides gravity."""
    result = gallery.DoublePendulum().simulate(0.5, output=500, rtol=1e-9)
    scene = result.scene(reactions="hinge1")
    (arrow,) = [s for s in scene.shapes if getattr(s, "vector", None) is not None]
    f = scene.runs[0].values[:, list(arrow.vector.channels)]
    assert arrow.vector.resolve == 0  # in the world
    momentum = sum(result[f"{name}.body.momentum"] for name in ("box1", "box2"))
    parameters = result.model.compile().mechanism.inventory.parameters_of
    masses = sum(parameters(getattr(result.model, n).body).m for n in ("box1", "box2"))
    rate = np.gradient(momentum, result.time, axis=0, edge_order=2)
    np.testing.assert_allclose(
        f[1:-1],
        (rate + masses * np.array([0.0, 9.80665, 0.0]))[1:-1],
        atol=2e-4 * np.abs(f).max(),  # of the differences
    )
    with pytest.raises(UnknownNameError, match="no joint"):
        result.draw(reactions="box1")
