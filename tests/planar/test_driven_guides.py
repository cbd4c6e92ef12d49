"""Slots, racks and curves of the plane that drive lines act on, against closed forms."""

from __future__ import annotations

import numpy as np
import pytest

from motorik import blocks, cos, planar, sin
from motorik import translational as tra


def plane(joint, **body):
    """Return a ground without gravity, a body and a joint between them."""
    model = planar.Model()
    model.ground = planar.Ground(ports={"O": (0.0, 0.0)}, gravityType="NoGravity")
    model.body = planar.Body(m=2.0, I=0.3, ports={"A": (0.0, 0.0)}, **body)
    model.joint = joint
    model.connect(model.ground.O, model.joint.frame_a)
    model.connect(model.joint.frame_b, model.body.A)
    return model


STRATEGIES = ["auto", "absolute"]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_spring_and_a_mass_on_the_flange_of_a_slot(strategy):
    """(2 + 1) ẍ = −12 x."""
    model = plane(planar.Slot(), x=0.5, vx=0.0, w=1.0)
    model.mass, model.spring = tra.Mass(m=1.0), tra.Spring(c=12.0)
    model.connect(model.joint.axis, model.mass.flange_a)
    model.connect(model.mass.flange_b, model.spring.flange_b)
    model.connect(model.spring.flange_a, model.joint.support)
    result = model.simulate(2.0, rtol=1e-9, strategy=strategy)
    np.testing.assert_allclose(result["body.x"], 0.5 * np.cos(2.0 * result.time), atol=1e-6)
    np.testing.assert_allclose(result["mass.s"], result["body.x"], atol=1e-8)
    np.testing.assert_allclose(result["body.theta"], result.time, atol=1e-7)


def test_a_slot_drives_a_line_without_mass():
    """2 ẍ = −8 x: the spring hangs on the flange alone."""
    model = plane(planar.Slot(), x=0.5, vx=0.0)
    model.spring = tra.Spring(c=8.0)
    model.connect(model.spring.flange_b, model.joint.axis)
    model.connect(model.spring.flange_a, model.joint.support)
    result = model.simulate(1.0, rtol=1e-9)
    np.testing.assert_allclose(result["body.x"], 0.5 * np.cos(2.0 * result.time), atol=1e-6)


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_force_along_the_rack_rolls_its_pinion(strategy):
    """(m + I / r²) s̈ = f."""
    model = plane(planar.RackAndPinion(r=0.5), x=0.0, y=0.5, vx=0.0)
    model.push = tra.ConstantForce(f_constant=4.0)
    model.connect(model.push.flange, model.joint.axis)
    result = model.simulate(1.0, rtol=1e-9, strategy=strategy)
    s = 0.5 * 4.0 / (2.0 + 0.3 / 0.25) * result.time**2
    np.testing.assert_allclose(result["joint.axis.s"], s, atol=1e-7)
    np.testing.assert_allclose(result["body.theta"], -s / 0.5, atol=1e-7)


def test_a_drive_moves_a_follower_along_a_curve():
    """x = 0.3 sin t on y = 0.1 cos 2x."""

    def wave(x, y):
        return y - 0.1 * cos(2.0 * x)

    model = plane(planar.Curve(curve=wave))
    model.drive = tra.Position(exact=True)
    model.time = blocks.TimeFunction(f=lambda t: 0.3 * sin(t))
    model.connect(model.time.y, model.drive.s_ref)
    model.connect(model.drive.flange, model.joint.axis)
    result = model.simulate(2.0, rtol=1e-9)
    x = 0.3 * np.sin(result.time)
    np.testing.assert_allclose(result["body.x"], x, atol=1e-8)
    np.testing.assert_allclose(result["body.y"], 0.1 * np.cos(2.0 * x), atol=1e-8)
