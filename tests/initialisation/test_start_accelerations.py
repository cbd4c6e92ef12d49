"""Accelerations of bodies and free joints that are fixed at the start: positions give way."""

from __future__ import annotations

import numpy as np
import pytest

import motorik as mk
from motorik import rotational as rot
from motorik import translational as tra

G = 9.80665


def on_spring(part, **start):
    """Return a part on a vertical spring of 50 N/m, at rest where its acceleration says."""
    model = mk.Model()
    model.world = mk.World(n="-y")
    model.slide = mk.Prismatic(n="y", useAxisFlange=True, s=mk.guess(0.1), v=0.0)
    model.spring = tra.Spring(c=50.0)
    model.load = part(m=2.0, **start)
    model.world.frame_b >> model.slide.frame_a
    model.slide.frame_b >> model.load.frame_a
    model.spring.flange_a >> model.slide.support
    model.spring.flange_b >> model.slide.axis
    return model


@pytest.mark.parametrize("part", [mk.Body, mk.PointMass])
def test_a_body_starts_with_its_acceleration(part):
    """2 a = −50 s − 2 g."""
    fixed = {"start": (0.0, 3.0, 0.0), "fixed": (False, True, False)}
    result = on_spring(part, a_0=fixed).simulate(0.01)
    assert result["slide.s"][0] == pytest.approx(-2.0 * (3.0 + G) / 50.0, abs=1e-9)
    np.testing.assert_allclose(result["load.a_0"][0], (0.0, 3.0, 0.0), atol=1e-8)


def test_a_solid_passes_its_acceleration_on():
    model = mk.Model()
    model.world = mk.World(n="-y")
    model.slide = mk.Prismatic(n="y", useAxisFlange=True, s=mk.guess(0.1), v=0.0)
    model.spring = tra.Spring(c=50.0)
    fixed = {"start": (0.0, -1.0, 0.0), "fixed": (False, True, False)}
    model.load = mk.BodyShape(m=2.0, r=(1.0, 0.0, 0.0), a_0=fixed)
    model.world.frame_b >> model.slide.frame_a
    model.slide.frame_b >> model.load.frame_a
    model.spring.flange_a >> model.slide.support
    model.spring.flange_b >> model.slide.axis
    result = model.simulate(0.01)
    assert result["slide.s"][0] == pytest.approx(-2.0 * (G - 1.0) / 50.0, abs=1e-9)


def turned(joint, **body):
    """Return a disk of 0.5 kg·m² on a torsional spring of 10 N·m/rad."""
    model = mk.Model()
    model.world = mk.World(gravityType="NoGravity")
    model.hinge = mk.Revolute(n="z", useAxisFlange=True, phi=mk.guess(0.1), w=0.0)
    model.spring = rot.Spring(c=10.0)
    model.disk = mk.Body(m=1.0, I_11=0.5, I_22=0.5, I_33=0.5, **body)
    model.world.frame_b >> model.hinge.frame_a
    model.hinge.frame_b >> model.disk.frame_a
    model.spring.flange_a >> model.hinge.support
    model.spring.flange_b >> model.hinge.axis
    return model


def test_a_body_starts_with_its_angular_acceleration():
    """0.5 z = −10 φ."""
    model = turned(None, z_0_fixed=True, z_0_start=(0.0, 0.0, -6.0))
    result = model.simulate(0.01)
    assert result["hinge.phi"][0] == pytest.approx(0.3, abs=1e-9)


def test_a_free_joint_that_measures_starts_with_its_accelerations():
    model = turned(None)
    model.seen = mk.FreeMotion(z_rel_a_fixed=True, z_rel_a_start=(0.0, 0.0, 4.0))
    model.world.frame_b >> model.seen.frame_a
    model.seen.frame_b >> model.disk.frame_a
    assert model.simulate(0.01)["hinge.phi"][0] == pytest.approx(-0.2, abs=1e-9)


def test_the_relative_acceleration_of_a_free_joint_is_that_of_its_components():
    model = on_spring(mk.PointMass)
    fixed = {"start": (0.0, 1.0, 0.0), "fixed": (False, True, False)}
    model.seen = mk.FreeMotion(a_rel_a=fixed)
    model.world.frame_b >> model.seen.frame_a
    model.seen.frame_b >> model.load.frame_a
    result = model.simulate(0.01)
    assert result["slide.s"][0] == pytest.approx(-2.0 * (1.0 + G) / 50.0, abs=1e-9)


def test_a_ball_joint_starts_with_its_angular_acceleration():
    """A sphere on a ball joint with a torque of 1 N·m/rad about each axis of the world."""
    model = mk.Model()
    model.world = mk.World(gravityType="NoGravity")
    model.ball = mk.Spherical(z_rel_a_fixed=True, z_rel_a_start=(0.0, 0.0, 2.0))
    model.disk = mk.Body(m=1.0, I_11=0.5, I_22=0.5, I_33=0.5)
    model.torque = mk.forces.WorldTorque()
    strength = mk.Parameter(0.5, name="strength", fixed=False)
    model.push = mk.blocks.Constant(k=strength)
    model.world.frame_b >> model.ball.frame_a
    model.ball.frame_b >> model.disk.frame_a
    model.torque.frame_b >> model.disk.frame_a
    model.push.y >> model.torque.torque[2]
    for k in (0, 1):
        0.0 >> model.torque.torque[k]
    result = model.simulate(0.01)
    np.testing.assert_allclose(result["disk.z_a"][0], (0.0, 0.0, 2.0), atol=1e-9)
