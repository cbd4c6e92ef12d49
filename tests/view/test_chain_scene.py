"""Chains of elements in pictures, films and under sliders."""

import numpy as np
import pytest
from PIL import Image

from motorik.algebra import Vector, X, Y, Z
from motorik.errors import (
    AssemblyError,
    IncompleteRunWarning,
    MotorikError,
    ParameterError,
)
from motorik.mobile import (
    AdamsIntegrator,
    AngularVariable,
    ConstantStepDriver,
    ElementaryJoint,
    ExplicitEulerIntegrator,
    Frame,
    LinearVariable,
    MapChain,
    MassElement,
    MechanicalSystem,
    MutableAngle,
    MutableScalar,
    MutableVector,
    OutputGenerator,
    RigidLink,
    RotationMatrix,
    Slider,
    Widget,
)
from motorik.view.chains.scene import Scene
from tests.view.live.chains import FourBar


class Pendulum:
    def __init__(self):
        self.K0, self.K1, self.K2 = Frame("K0"), Frame("K1"), Frame("K2")
        self.phi, self.m = AngularVariable("phi", q=0.3), MutableScalar(2.0, "m")
        self.R = ElementaryJoint(self.K0, self.K1, self.phi, X)
        self.rod = RigidLink(self.K1, self.K2, Vector(0, 0, -1.0))
        self.tip = MassElement(self.K2, self.m)
        self.chain = MapChain() << self.R << self.rod << self.tip
        self.chain.motion()


def seen_at(scene, place):
    """Return whether something is painted where a point [m] is."""
    picture = scene.draw(size=(200, 160))
    (x, y), _ = picture.tiles[0].lens.project(np.array(place))
    near = picture.pixels[round(y) - 2 : round(y) + 3, round(x) - 2 : round(x) + 3, :3]
    return bool((near < 200).any())


def test_everything_is_shown_where_it_is():
    pendulum = Pendulum()
    scene = Scene(pendulum.chain)
    tip = np.array([0.0, np.sin(0.3), -np.cos(0.3)])
    assert seen_at(scene, tip) and seen_at(scene, 0.5 * tip) and seen_at(scene, 0.0 * tip)
    assert not seen_at(scene, 0.5 * tip * [1.0, -1.0, 1.0])


def test_only_what_is_named_is_shown():
    pendulum = Pendulum()
    scene = Scene(pendulum.chain, everything=False)
    scene.make_shape(pendulum.rod)
    assert scene.parts == [pendulum.rod]
    (part,) = scene.scene().parts
    assert part.type == "RigidLink"


@pytest.mark.slow
def test_a_film_is_moved_by_its_animation_objects(tmp_path):
    pendulum = Pendulum()
    scene = Scene(pendulum.chain)
    scene.make_shape(pendulum.K0, pendulum.R, pendulum.rod, pendulum.tip)
    scene.add_animation_object(ConstantStepDriver(pendulum.phi, 0.1))
    scene.add_animation_object(pendulum.chain)
    file = scene.to_movie(tmp_path / "pendulum.gif", pictures=5, size=(160, 120))
    with Image.open(file) as film:
        assert film.n_frames == 6
    assert pendulum.phi.q == pytest.approx(0.8)


def test_a_film_that_nothing_moves_is_refused(tmp_path):
    with pytest.raises(ParameterError, match="nothing moves the chain"):
        Scene(Pendulum().chain).to_movie(tmp_path / "still.gif", 5)


def test_what_has_no_shape_is_named():
    pendulum = Pendulum()
    driver = ConstantStepDriver(pendulum.phi, 0.1)
    with pytest.raises(ParameterError, match="has no shape"):
        Scene(pendulum.chain).make_shape(driver)


def widget_of(pendulum, scene):
    widget = Widget(scene, pendulum.chain, "pendulum")
    angle = widget.add_slider(pendulum.phi, -360.0, 360.0, "angle")
    speed = widget.add_slider(pendulum.phi, -9.0, 9.0, "speed", entry="qd")
    mass = widget.add_slider(pendulum.m, 0.0, 10.0, "mass")
    return widget, angle, speed, mass


def test_sliders_set_numbers_and_move_the_chain():
    pendulum = Pendulum()
    scene = Scene(pendulum.chain)
    _, angle, speed, mass = widget_of(pendulum, scene)
    assert (angle.value, speed.value, mass.value) == (np.degrees(0.3), 0.0, 2.0)
    angle.set(60.0)
    speed.set(-4.0)
    mass.set(5.0)
    assert pendulum.phi.q == pytest.approx(np.pi / 3, rel=1e-15)
    assert (pendulum.phi.qd, pendulum.m.value) == (-4.0, 5.0)
    assert seen_at(scene, [0.0, np.sin(np.pi / 3), -np.cos(np.pi / 3)])


def test_a_slider_of_a_position_keeps_the_speed():
    pendulum = Pendulum()
    _, angle, speed, _ = widget_of(pendulum, Scene(pendulum.chain))
    speed.set(3.0)
    angle.set(-90.0)
    assert pendulum.phi.qd == 3.0
    assert pendulum.K2.lin_v.norm() == pytest.approx(3.0)


def test_a_button_calls_its_function_and_moves_the_chain():
    pendulum = Pendulum()
    widget, angle, *_ = widget_of(pendulum, Scene(pendulum.chain))
    button = widget.add_button("back", pendulum.phi.reset)
    angle.set(-90.0)
    button.press()
    assert pendulum.phi.q == 0.3
    assert pendulum.K1.X.R.zy == pytest.approx(np.sin(0.3))  # the chain has followed


def test_an_angle_has_a_slider_in_degrees():
    beta = MutableAngle(0.5, "beta")
    slider = Slider(beta, -180.0, 180.0, "angle")
    assert slider.value == pytest.approx(np.degrees(0.5)) and slider.si_unit == "rad"
    slider.set(90.0)
    assert beta.radians == np.pi / 2 and beta.cosine == pytest.approx(0.0, abs=1e-15)


def test_a_slider_keeps_to_its_range_and_to_what_can_be_set():
    pendulum = Pendulum()
    widget, angle, *_ = widget_of(pendulum, Scene(pendulum.chain))
    with pytest.raises(
        ParameterError, match=r"400 is outside of its range.\n.*-360 to 360 deg"
    ):
        angle.set(400.0)
    with pytest.raises(ParameterError, match="not its q, which is a plain number"):
        widget.add_slider(pendulum.phi.q, 0.0, 1.0, "number")
    with pytest.raises(MotorikError, match="no entry 'speed'"):
        widget.add_slider(pendulum.phi, 0.0, 1.0, "speed", entry="speed")
    with pytest.raises(ParameterError, match="add_slider\\(target, low, high, title\\)"):
        widget.add_slider(pendulum.m, 1.0, 0.0, "mass")


def test_a_component_of_a_vector_has_a_slider():
    length = MutableVector(name="l")
    slider = Slider(length, -2.0, 2.0, "length", entry="z")
    slider.set(-1.5)
    assert length.xyz == (0.0, 0.0, -1.5)


def test_a_manipulator_moves_its_joint():
    pendulum = Pendulum()
    scene = Scene(pendulum.chain)
    (slider,) = scene.make_manipulator(pendulum.R).controls
    assert (slider.low, slider.high) == (-180.0, 180.0)
    slider.set(90.0)
    assert pendulum.K2.X.p.y == pytest.approx(1.0)
    with pytest.raises(ParameterError, match="is not a joint"):
        scene.make_manipulator(pendulum.rod)


@pytest.mark.slow
def test_a_film_may_be_a_page(tmp_path):
    pendulum = Pendulum()
    scene = Scene(pendulum.chain)
    scene.add_animation_object(ConstantStepDriver(pendulum.phi, 0.1))
    scene.add_animation_object(pendulum.chain)
    file = scene.to_html(tmp_path / "pendulum.html", pictures=5, camera="front")
    assert file.read_text().startswith("<!doctype html>")
    shown = (
        scene._repr_html_()
    )  # a picture stands behind the page where scripts are not trusted
    assert shown.index('<img src="data:image/png') < shown.index("<iframe")


def test_an_animation_of_nothing_is_refused():
    pendulum = Pendulum()
    scene = Scene(pendulum.chain)
    with pytest.raises(ParameterError, match="nothing moves the chain"):
        scene.run_animation()
    with pytest.raises(ParameterError, match="nothing moves the chain"):
        scene.step()
    with pytest.raises(ParameterError, match=r"seconds = -1\.0 cannot be taken"):
        scene.set_animation_increment(-1.0)


def kinds_shown(scene):
    return [part.type for part in scene.scene().parts]


@pytest.mark.slow
def test_manipulators_shapes_and_meshes_hide_nothing(tmp_path):
    trimesh = pytest.importorskip("trimesh")
    pendulum = Pendulum()
    scene = Scene(pendulum.chain)
    everything = ["ElementaryJoint", "RigidLink", "MassElement"]
    assert kinds_shown(scene) == everything
    scene.make_manipulator(pendulum.R)
    assert kinds_shown(scene) == everything
    scene.make_shape(pendulum.rod)
    ball = tmp_path / "ball.stl"
    trimesh.creation.icosphere(radius=0.1).export(ball)
    scene.make_shape(pendulum.K2, str(ball))
    assert kinds_shown(scene) == [*everything, "Frame"]
    assert "mesh" in {shape.kind for shape in scene.scene().shapes}


def test_only_what_is_named_is_shown_of_nothing_at_first():
    pendulum = Pendulum()
    scene = Scene(pendulum.chain, everything=False)
    assert kinds_shown(scene) == [] and scene.draw(size=(80, 60)).pixels.any()
    scene.make_manipulator(pendulum.R)
    assert kinds_shown(scene) == ["ElementaryJoint"]


def fresh_pendulum():
    """Return a pendulum that has not been moved yet, at other angles than its frames."""
    pendulum = Pendulum()
    pendulum.chain = MapChain() << pendulum.R << pendulum.rod << pendulum.tip
    pendulum.K1.R = pendulum.K2.R = RotationMatrix()
    pendulum.K2.r = Vector(0, 0, 0)
    return pendulum


@pytest.mark.slow
def test_a_chain_that_was_not_moved_is_drawn_where_its_variables_have_it():
    pendulum = fresh_pendulum()
    scene = Scene(pendulum.chain)
    pendulum.phi.q, pendulum.phi.qd, pendulum.K2.f = 1.2, 3.0, X
    tip = np.array([0.0, np.sin(1.2), -np.cos(1.2)])
    assert seen_at(scene, tip) and seen_at(scene, 0.5 * tip)
    np.testing.assert_allclose(scene.scene().start[-1, :3], tip, atol=1e-15)
    # and it is as it was
    assert pendulum.K2.X.p.norm() == 0.0 and pendulum.K2.lin_v.norm() == 0.0
    assert pendulum.phi.qd == 3.0 and pendulum.K2.f == X
    assert "iframe" in scene._repr_html_() and pendulum.K2.X.p.norm() == 0.0


def test_a_film_begins_where_the_variables_have_the_chain():
    pendulum = fresh_pendulum()
    scene = Scene(pendulum.chain)
    scene.add_animation_object(ConstantStepDriver(pendulum.phi, 0.1))
    scene.add_animation_object(pendulum.chain)
    drawn, _ = scene._moved_scene(5, 0.1)
    first, last = drawn.runs[0].poses[[0, -1], -1, :3]
    np.testing.assert_allclose(first, [0.0, np.sin(0.3), -np.cos(0.3)], atol=1e-15)
    np.testing.assert_allclose(last, [0.0, np.sin(0.8), -np.cos(0.8)], atol=1e-15)


def test_drawing_steps_no_driver_and_writes_nothing_out():
    pendulum = Pendulum()
    chain = MapChain() << ConstantStepDriver(pendulum.phi, 0.1) << pendulum.chain
    output = OutputGenerator({"phi": (pendulum.phi, "q")})
    chain << output
    scene = Scene(chain)
    pendulum.phi.q = 0.7
    tip = [0.0, np.sin(0.7), -np.cos(0.7)]
    np.testing.assert_allclose(scene.scene().start[-1, :3], tip, atol=1e-15)
    assert pendulum.phi.q == 0.7 and output.records == []


def test_a_manipulator_of_a_slide_knows_the_size_before_anything_has_moved():
    K0, K1, K2, s = Frame("K0"), Frame("K1"), Frame("K2"), LinearVariable("s")
    slide = ElementaryJoint(K0, K1, s, X)
    scene = Scene(MapChain() << slide << RigidLink(K1, K2, Vector(0, 0, 0.05)))
    (slider,) = scene.make_manipulator(slide).controls
    assert (slider.low, slider.high) == (-0.05, 0.05)


@pytest.mark.slow
def test_a_loop_that_does_not_close_is_drawn_open_with_the_reason():
    bars = FourBar(is_explicit=False)
    bars.b.x = 3.0  # too long
    scene = Scene(bars.chain, up=1)
    (note,) = [part.note for part in scene.scene().parts if part.note]
    assert "cannot close" in note and bars.gamma.q != 0.0
    assert scene.draw(size=(200, 160)).pixels.any()
    bars.b.x = 1.1
    assert not any(part.note for part in scene.scene().parts)


def massless():
    """Return a pendulum whose mass is zero, and what would integrate it."""
    pendulum = Pendulum()
    pendulum.m.set(0.0)
    system = MechanicalSystem([pendulum.phi], pendulum.chain, pendulum.K0, Z)
    return pendulum, system


@pytest.mark.slow
@pytest.mark.parametrize("is_compiled", [False, True])
def test_a_run_that_could_not_begin_is_drawn_and_filmed(tmp_path, is_compiled):
    _, system = massless()
    motion = AdamsIntegrator(system.compile() if is_compiled else system, 0.05)
    with pytest.warns(IncompleteRunWarning, match="nothing resists its motion"):
        result = motion.run(1.0)
    assert not result.complete and len(result) == 1
    place = [0.0, np.sin(0.3), -np.cos(0.3)]
    np.testing.assert_allclose(result.scene().runs[0].poses[0, -1, :3], place, atol=1e-12)
    assert result.draw(size=(120, 90)).pixels.any()
    for name in ("run.html", "run.gif"):
        write = result.to_html if name.endswith("html") else result.to_movie
        assert write(tmp_path / name).exists()
    np.testing.assert_allclose(result["K2.p"][0], place, atol=1e-12)
    assert result.energy()["total"].shape == (1,) and result.constraint_violation() == (
        0.0,
        0.0,
    )
    assert "iframe" in result._repr_html_()
    with pytest.raises(AssemblyError, match="nothing resists its motion"):
        result["K2.lin_a"]


def test_a_film_of_steps_ends_where_they_end(tmp_path):
    pendulum, system = massless()
    scene = Scene(pendulum.chain)
    scene.add_animation_object(AdamsIntegrator(system, 0.05))
    with pytest.warns(IncompleteRunWarning, match="after 0 of 3 steps"):
        assert scene.to_html(tmp_path / "none.html", 3).exists()


@pytest.mark.slow
def test_a_run_that_ended_early_is_filmed_to_its_end(tmp_path):
    """A four-bar whose crank is driven until its loop cannot close."""
    bars = FourBar(is_explicit=False, crank=1.0)
    bars.alpha.qd = -3.0
    with pytest.warns(IncompleteRunWarning):
        result = ExplicitEulerIntegrator(bars.system, 0.02).run(1.0)
    assert 0.0 < result.time[-1] < 1.0
    scene = result.scene()
    assert len(scene.runs[0].time) == len(result) and np.isfinite(scene.runs[0].poses).all()
    assert result.to_html(tmp_path / "end.html").exists()


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda s, p: Scene(p.chain, up=3), "up = 3 is not a direction"),
        (lambda s, p: Scene(p.chain, up=(0, 0, 0)), "is not a direction"),
        (lambda s, p: Scene(p.chain, title=3), "title = 3 cannot be taken"),
        (lambda s, p: s.set_animation_increment("x"), "seconds = 'x' cannot be taken"),
        (lambda s, p: s.set_animation_increment(np.nan), "seconds = nan cannot be taken"),
        (lambda s, p: s.add_animation_object(p.K0), "element = .* is no element"),
        (lambda s, p: s.drag("K2", (0, 1, 0)), "frame = 'K2' is no frame"),
        (lambda s, p: s.turn("phi", 1.0), "variable = 'phi' is no variable"),
        (lambda s, p: Widget(p.chain, s, "w"), r"Write Widget\(scene, chain, title\)"),
        (lambda s, p: Widget(s, p.K0, "w"), r"Write Widget\(scene, chain, title\)"),
        (lambda s, p: Widget(s, p.chain, 3), "the title 3 is no text"),
        (
            lambda s, p: Widget(s, p.chain, "w").add_slider(p.phi, "angle", -9, 9),
            r"Write add_slider\(target, low, high, title\)",
        ),
        (
            lambda s, p: Widget(s, p.chain, "w").add_slider(p.phi, -np.inf, 9, "angle"),
            "-inf is no end of a range",
        ),
        (
            lambda s, p: Widget(s, p.chain, "w").add_button("back", p.phi.reset()),
            "None cannot be called",
        ),
    ],
)
def test_what_a_scene_cannot_take_is_named(act, words):
    pendulum = Pendulum()
    with pytest.raises(ParameterError, match=words):
        act(Scene(pendulum.chain), pendulum)


@pytest.mark.parametrize("film", [{"pictures": 0}, {"pictures": 2, "increment": -1.0}])
def test_a_film_of_nothing_moves_nothing(tmp_path, film):
    pendulum = Pendulum()
    scene = Scene(pendulum.chain)
    scene.add_animation_object(ConstantStepDriver(pendulum.phi, 0.1))
    with pytest.raises(ParameterError):
        scene.to_html(tmp_path / "no.html", **film)
    assert pendulum.phi.q == 0.3


def test_up_is_what_was_given_or_against_gravity():
    pendulum = Pendulum()
    for up in (1, Y, "y", (0, 2, 0)):
        assert Scene(pendulum.chain, up=up).scene().up == (0.0, 1.0, 0.0)
    scene = Scene(pendulum.chain)
    assert scene.scene().up == (0.0, 0.0, 1.0)
    system = MechanicalSystem([pendulum.phi], pendulum.chain, pendulum.K0, Y)
    scene.add_animation_object(AdamsIntegrator(system, 0.1))
    assert scene.scene().up == (0.0, 1.0, 0.0)


def test_a_joint_is_a_manipulator_once():
    pendulum = Pendulum()
    scene = Scene(pendulum.chain)
    scene.make_manipulator(pendulum.R)
    again = scene.make_manipulator(pendulum.R, low=-20.0, high=20.0)
    assert scene.widgets == [again] and again.controls[0].high == 20.0


def test_primitives_stand_where_they_are_given():
    pendulum = Pendulum()
    scene = Scene(pendulum.chain, everything=False)
    scene.make_shape(pendulum.K2, "sphere", 0.2, color="red")
    scene.make_shape(pendulum.K2, "box", 0.4, 0.1, 0.05, at=(0, 0, 0.3), axis="y")
    scene.make_shape(pendulum.rod, color=(0, 128, 0))
    ball, box, rod = scene.scene().shapes
    assert (ball.kind, ball.diameter, ball.part) == ("sphere", 0.2, 0)
    assert ball.color == pytest.approx((0xD6 / 255, 0x27 / 255, 0x28 / 255))
    along = box.at.pose.R @ X
    assert along.numpy() == pytest.approx([0.0, 1.0, 0.0])
    assert box.at.r == (0.0, 0.0, 0.3)
    assert rod.kind == "cylinder" and rod.color == pytest.approx((0.0, 128 / 255, 0.0))
    tip = np.array([0.0, np.sin(0.3), -np.cos(0.3)])
    picture = scene.draw(size=(200, 160))
    (x, y), _ = picture.tiles[0].lens.project(tip)
    red, green, blue = map(int, picture.pixels[round(y), round(x), :3])
    assert red > 2 * green and red > 2 * blue


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (("spere", 0.1), "Did you mean 'sphere'"),
        (("sphere",), "1 sizes, and 0 are given"),
        (("box", 1.0, 1.0), "length, width, height"),
        (("sphere", -1.0), "not a positive length"),
        (("ball.txt",), "ball.txt"),
    ],
)
def test_shapes_that_are_none_are_refused(given, why):
    pendulum = Pendulum()
    with pytest.raises(MotorikError, match=why):
        Scene(pendulum.chain).make_shape(pendulum.K2, *given)
    with pytest.raises(ParameterError, match="not a colour"):
        Scene(pendulum.chain).make_shape(pendulum.K2, color="reddish")
