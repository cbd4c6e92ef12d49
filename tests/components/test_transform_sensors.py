"""Vectors of signals in other axes."""

from __future__ import annotations

import numpy as np
import pytest

import motorik as mk
from motorik import sensors
from motorik.exchange.modelica.registry import PARTS


def swing(sensor, *far):
    """Return a hinge about z with a sensor on its body, and the frames it needs besides."""
    model = mk.Model()
    model.world = mk.World(gravityType="NoGravity")
    model.hinge, model.body = mk.Revolute(n="z", phi=0.2, w=1.5), mk.Body(m=1.0)
    model.tilt = mk.FixedRotation(rotationType="RotationAxis", n="x", angle=0.7)
    model.sensor = sensor
    model.world.frame_b >> model.hinge.frame_a
    model.hinge.frame_b >> model.body.frame_a
    model.hinge.frame_b >> model.tilt.frame_a
    model.hinge.frame_b >> sensor.frame_a
    for name in far:
        model.tilt.frame_b >> getattr(sensor, name)
    for k, value in enumerate((1.0, 2.0, 3.0)):
        value >> sensor.r_in[k]
    return model


GIVEN = np.array([1.0, 2.0, 3.0])


def turn_z(phi):
    """Return rotation matrices about z."""
    c, s, o, l = np.cos(phi), np.sin(phi), 0 * phi, 1 + 0 * phi
    return np.moveaxis(np.array([[c, -s, o], [s, c, o], [o, o, l]]), 2, 0)


TILT = np.array(
    [
        [1, 0, 0],
        [0, np.cos(0.7), -np.sin(0.7)],
        [0, np.sin(0.7), np.cos(0.7)],
    ]
)


@pytest.mark.parametrize(
    ("axes", "far", "matrix"),
    [
        (("frame_a", "world"), (), lambda R: R),
        (("world", "frame_a"), (), lambda R: np.swapaxes(R, 1, 2)),
        (("frame_a", "frame_resolve"), ("frame_resolve",), lambda R: 0 * R + TILT.T),
        (("frame_resolve", "world"), ("frame_resolve",), lambda R: R @ TILT),
    ],
)
def test_an_absolute_vector_is_resolved_in_other_axes(axes, far, matrix):
    r_in, r_out = axes
    sensor = sensors.TransformAbsoluteVector(frame_r_in=r_in, frame_r_out=r_out)
    result = swing(sensor, *far).simulate(1.0)
    expected = matrix(turn_z(result["hinge.phi"])) @ GIVEN
    np.testing.assert_allclose(result["sensor.r_out"], expected, atol=1e-12)


def test_a_relative_vector_is_resolved_in_frame_b():
    sensor = sensors.TransformRelativeVector(frame_r_in="world", frame_r_out="frame_b")
    result = swing(sensor, "frame_b").simulate(1.0)
    turned = turn_z(result["hinge.phi"]) @ TILT
    expected = np.swapaxes(turned, 1, 2) @ GIVEN
    np.testing.assert_allclose(result["sensor.r_out"], expected, atol=1e-12)


def test_axes_that_are_not_given_are_those_of_the_input():
    result = swing(sensors.TransformAbsoluteVector(frame_r_in="world")).simulate(0.1)
    np.testing.assert_array_equal(result["sensor.r_out"][-1], GIVEN)


def test_a_cut_force_is_resolved_in_the_world():
    """The reaction of a pendulum, which depends on accelerations, as a signal in the world."""
    model = mk.Model()
    model.world, model.cut = mk.World(n="-y"), sensors.CutForce()
    model.hinge = mk.Revolute(n="z", phi=0.3, w=2.0)
    model.body = mk.Body(m=2.0, r_CM=(1.0, 0.0, 0.0))
    model.turned = sensors.TransformAbsoluteVector(frame_r_out="world")
    model.world.frame_b >> model.hinge.frame_a
    model.hinge.frame_b >> model.cut.frame_a
    model.cut.frame_b >> model.body.frame_a
    model.cut.frame_a >> model.turned.frame_a
    model.cut.force >> model.turned.r_in
    result = model.simulate(1.0)
    centre = result["body.r_CM_0"]
    assert centre.shape[1] == 3
    phi, w, a = (result[f"hinge.{name}"] for name in ("phi", "w", "a"))
    accelerated = np.stack(
        [
            -a * np.sin(phi) - w**2 * np.cos(phi),
            a * np.cos(phi) - w**2 * np.sin(phi),
            0 * phi,
        ],
        axis=1,
    )
    weight = np.array([0.0, -2.0 * 9.80665, 0.0])
    expected = 2.0 * accelerated - weight
    np.testing.assert_allclose(result["turned.r_out"], expected, atol=1e-9)


def test_files_of_modelica_may_use_them():
    sensors_of = "Modelica.Mechanics.MultiBody.Sensors"
    for name in ("TransformAbsoluteVector", "TransformRelativeVector"):
        assert f"{sensors_of}.{name}" in PARTS
