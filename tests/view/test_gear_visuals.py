"""Wheels that mesh have teeth in one pitch: as many as their radii say."""

import doctest

import pytest

import motorik as mk
from motorik import joints, planar, rotational
from motorik.view.scene.shapes import Gearwheel
from motorik.view.visuals import gears
from motorik.view.visuals.gears import teeth_of
from tests.covering import each_once

RATIOS = [1.0, 2.0, 1.5, 0.37, 3.14159, 7.0]


def test_doctests():
    assert doctest.testmod(gears).failed == 0


@pytest.mark.parametrize("ratio", [1.0, 1.01, 2.0, 1.4142, 3.7, 9.99, 25.0])
def test_teeth_are_whole_and_as_the_radii(ratio):
    small, large = teeth_of(1.0, ratio)
    assert small >= 12
    assert large / small == pytest.approx(ratio, rel=0.01)


def planar_pair(ratio):
    model = planar.Model()
    model.ground = planar.Ground(ports={"O": (0, 0), "P": (0.1 + 0.1 * ratio, 0)})
    model.one = planar.Body(m=1.0, I=0.01, ports={"O": (0, 0)})
    model.two = planar.Body(m=1.0, I=0.01, x=0.1 + 0.1 * ratio, ports={"O": (0, 0)})
    model.hinge, model.other = planar.Revolute(), planar.Revolute()
    model.gear = planar.GearPair(r_i=0.1, r_j=0.1 * ratio)
    model.connect(model.ground.O, model.hinge.frame_a)
    model.connect(model.hinge.frame_b, model.one.O)
    model.connect(model.ground.P, model.other.frame_a)
    model.connect(model.other.frame_b, model.two.O)
    model.connect(model.one.O, model.gear.frame_a)
    model.connect(model.gear.frame_b, model.two.O)
    return model


def constraint(ratio):
    model = mk.Model()
    model.world, model.gear = mk.World(), joints.GearConstraint(ratio=ratio)
    model.body = mk.Body(m=1.0, I_11=1.0, I_22=1.0, I_33=1.0)
    model.connect(model.world.frame_b, model.gear.bearing)
    model.connect(model.gear.frame_b, model.body.frame_a)
    return model


def line(ratio):
    model = mk.Model()
    model.one, model.two = rotational.Inertia(J=1.0), rotational.Inertia(J=1.0)
    model.gear = rotational.IdealGear(ratio=ratio)
    model.connect(model.one.flange_b, model.gear.flange_a)
    model.connect(model.gear.flange_b, model.two.flange_a)
    return model


def planetary(ratio):
    model = mk.Model()
    model.gear = rotational.IdealPlanetary(ratio=max(ratio, 1.5))
    for name in ("sun", "ring", "carrier"):
        inertia = rotational.Inertia(J=1.0)
        setattr(model, name, inertia)
        model.connect(getattr(model.gear, name), inertia.flange_a)
    return model


@pytest.mark.kinds(4)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "ratio"), each_once([planar_pair, constraint, line, planetary], RATIOS)
)
def test_all_wheels_of_a_gear_have_one_pitch(make, ratio):
    wheels = [s for s in make(ratio).scene().shapes_of("gear") if isinstance(s, Gearwheel)]
    assert len(wheels) >= 2
    solid = [wheel for wheel in wheels if wheel.inner < 0.5 * wheel.diameter]
    modules = [wheel.diameter / (wheel.teeth + 2) for wheel in solid]
    assert max(modules) == pytest.approx(min(modules), rel=0.03)
    if make is planar_pair:
        for wheel, radius in zip(wheels, (0.1, 0.1 * ratio), strict=True):
            pitch = wheel.diameter * wheel.teeth / (wheel.teeth + 2)
            assert pitch == pytest.approx(2 * radius)
        assert wheels[1].teeth / wheels[0].teeth == pytest.approx(ratio, rel=0.02)
