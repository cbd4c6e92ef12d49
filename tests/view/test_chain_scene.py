"""Chains of elements in pictures, films and under sliders."""

import matplotlib
import numpy as np
import pytest

matplotlib.use("Agg")

from motorik.algebra import Vector, X
from motorik.errors import MotorikError, ParameterError
from motorik.mobile import (
    AngularVariable,
    ConstantStepDriver,
    ElementaryJoint,
    Frame,
    MapChain,
    MassElement,
    MutableScalar,
    MutableVector,
    RigidLink,
    Slider,
    Widget,
)
from motorik.view.chain_scene import ChainScene


class Pendulum:
    def __init__(self):
        self.K0, self.K1, self.K2 = Frame("K0"), Frame("K1"), Frame("K2")
        self.phi, self.m = AngularVariable("phi", q=0.3), MutableScalar(2.0, "m")
        self.R = ElementaryJoint(self.K0, self.K1, self.phi, X)
        self.rod = RigidLink(self.K1, self.K2, Vector(0, 0, -1.0))
        self.tip = MassElement(self.K2, self.m)
        self.chain = MapChain() << self.R << self.rod << self.tip
        self.chain.motion()


def drawn_points(figure):
    """Return the corners of all lines of the first axes."""
    lines = figure.axes[0].get_lines()
    return np.concatenate([np.column_stack(line.get_data()) for line in lines])


def test_everything_is_shown_where_it_is():
    pendulum = Pendulum()
    points = drawn_points(ChainScene(pendulum.chain).draw())
    tip = np.array([np.sin(0.3), -np.cos(0.3)])  # y and z of a planar picture
    assert np.abs(points - tip).max(axis=1).min() < 1e-15
    assert np.abs(points).max(axis=1).min() == 0.0


def test_only_what_is_named_is_shown():
    pendulum = Pendulum()
    scene = ChainScene(pendulum.chain)
    scene.make_shape(pendulum.rod)
    assert scene.parts == [pendulum.rod]
    assert len(scene.draw().axes[0].get_lines()) == 1


def test_a_film_is_moved_by_its_animation_objects(tmp_path):
    pendulum = Pendulum()
    scene = ChainScene(pendulum.chain)
    scene.make_shape(pendulum.K0, pendulum.R, pendulum.rod, pendulum.tip)
    scene.add_animation_object(ConstantStepDriver(pendulum.phi, 0.1))
    scene.add_animation_object(pendulum.chain)
    file = scene.film(tmp_path / "pendulum.gif", pictures=5)
    assert file.stat().st_size > 1000
    assert pendulum.phi.q == pytest.approx(0.8)


def test_a_film_that_nothing_moves_is_refused(tmp_path):
    with pytest.raises(ParameterError, match="nothing moves the chain"):
        ChainScene(Pendulum().chain).film(tmp_path / "still.gif", 5)


def test_what_has_no_shape_is_named():
    pendulum = Pendulum()
    driver = ConstantStepDriver(pendulum.phi, 0.1)
    with pytest.raises(ParameterError, match="has no shape"):
        ChainScene(pendulum.chain).make_shape(driver)


def widget_of(pendulum, scene):
    widget = Widget(scene, pendulum.chain, "pendulum")
    angle = widget.add_slider(pendulum.phi, -360.0, 360.0, "angle")
    speed = widget.add_slider(pendulum.phi, -9.0, 9.0, "speed", entry="qd")
    mass = widget.add_slider(pendulum.m, 0.0, 10.0, "mass")
    return widget, angle, speed, mass


def test_sliders_set_numbers_and_move_the_picture():
    pendulum = Pendulum()
    scene = ChainScene(pendulum.chain)
    _, angle, speed, mass = widget_of(pendulum, scene)
    figure = scene.show()
    assert (angle.value, speed.value, mass.value) == (np.degrees(0.3), 0.0, 2.0)
    angle.set(60.0)
    speed.set(-4.0)
    mass.set(5.0)
    assert pendulum.phi.q == pytest.approx(np.pi / 3, rel=1e-15)
    assert (pendulum.phi.qd, pendulum.m.value) == (-4.0, 5.0)
    tip = np.array([np.sin(np.pi / 3), -np.cos(np.pi / 3)])
    assert np.abs(drawn_points(figure) - tip).max(axis=1).min() < 1e-15


def test_the_hand_in_a_window_does_what_a_program_does():
    pendulum = Pendulum()
    scene = ChainScene(pendulum.chain)
    widget, angle, *_ = widget_of(pendulum, scene)
    widget.add_button("back", pendulum.phi.reset)
    window = widget.show()
    (_, by_hand), *_ = window._handles
    assert by_hand.label.get_text() == "angle [deg]"
    by_hand.set_val(-90.0)
    assert pendulum.phi.q == pytest.approx(-np.pi / 2)
    angle.set(30.0)
    assert by_hand.val == pytest.approx(30.0)
    (button,) = window._kept
    button._observers.process("clicked", None)  # what a click sends
    assert pendulum.phi.q == 0.3
    assert pendulum.K1.X.R.zy == pytest.approx(np.sin(0.3))  # the chain has followed
    assert by_hand.val == pytest.approx(np.degrees(0.3))


def test_a_slider_keeps_to_its_range_and_to_what_can_be_set():
    pendulum = Pendulum()
    widget, angle, *_ = widget_of(pendulum, ChainScene(pendulum.chain))
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
    scene = ChainScene(pendulum.chain)
    (slider,) = scene.make_manipulator(pendulum.R).controls
    slider.set(90.0)
    assert pendulum.K2.X.p.y == pytest.approx(1.0)
    with pytest.raises(ParameterError, match="is not a joint"):
        scene.make_manipulator(pendulum.rod)


def test_an_animation_runs_and_stops_by_its_button():
    pendulum = Pendulum()
    scene = ChainScene(pendulum.chain)
    with pytest.raises(ParameterError, match="nothing moves the chain"):
        scene.run_animation()
    scene.add_animation_object(ConstantStepDriver(pendulum.phi, 0.1))
    scene.add_animation_object(pendulum.chain)
    scene.set_animation_increment(0.01)
    scene.show()
    (window,) = scene._windows
    (button,) = window.widget.controls
    button.press()
    assert scene.is_running
    before = pendulum.phi.q
    scene._timer._on_timer()
    assert pendulum.phi.q == pytest.approx(before + 0.1)
    button.press()
    assert not scene.is_running
