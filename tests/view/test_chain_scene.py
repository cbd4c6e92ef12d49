"""Chains of elements in pictures, films and under sliders."""

import matplotlib
import numpy as np
import pytest

matplotlib.use("Agg")

from motorik.algebra import Vector, X
from motorik.errors import ParameterError
from motorik.mobile import (
    AngularVariable,
    ConstantStepDriver,
    ElementaryJoint,
    Frame,
    MapChain,
    MassElement,
    MutableScalar,
    RigidLink,
)
from motorik.view.chain_scene import ChainScene, Sliders


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


def test_sliders_set_numbers_and_move_the_picture():
    pendulum = Pendulum()
    sliders = Sliders(ChainScene(pendulum.chain), pendulum.chain, "pendulum")
    angle = sliders.add_slider(pendulum.phi, -3.0, 3.0, "angle")
    speed = sliders.add_slider(pendulum.phi, -9.0, 9.0, "speed", name="qd")
    mass = sliders.add_slider(pendulum.m, 0.0, 10.0, "mass")
    assert (angle.val, speed.val, mass.val) == (0.3, 0.0, 2.0)
    angle.set_val(1.2)
    speed.set_val(-4.0)
    mass.set_val(5.0)
    assert (pendulum.phi.q, pendulum.phi.qd, pendulum.m.value) == (1.2, -4.0, 5.0)
    tip = np.array([np.sin(1.2), -np.cos(1.2)])
    assert np.abs(drawn_points(sliders.picture) - tip).max(axis=1).min() < 1e-15
