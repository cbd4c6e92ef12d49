"""Joints given by their pose alone: against joints that are built in, in trees and in loops."""

from __future__ import annotations

import numpy as np
import pytest

import motorik as mk
from motorik.algebra import Pose, Vector, Z, rotation_about
from motorik.authoring import PoseJoint, kinds, parameter, start
from motorik.elements.joint import Coordinate
from motorik.elements.posed import PosedPair
from motorik.elements.universal import UniversalPair
from motorik.errors import ParameterError
from tests.refusals import refused


class Hinge(PoseJoint):
    """A revolute joint about z, at a distance."""

    speeds = {"phi": "w"}  # noqa: RUF012
    off: kinds.Distance = parameter("distance of frame_b from the axis", default=0.0)
    phi: kinds.StartAngle = start("angle")
    w: kinds.StartAngularVelocity = start("angular velocity")

    def pose(self, p, phi):
        """Return the pose."""
        R = rotation_about(Z, phi)
        return Pose(R, R @ Vector(p.off, 0.0, 0.0))


class Undeclared(PoseJoint):
    """A joint whose coordinate is not declared."""

    def pose(self, p, x):
        """Return the pose."""
        return Pose(p=Vector(x, 0.0, 0.0))


def universal(a, b):
    """Return the pose of a universal joint."""
    return UniversalPair(Vector(1, 0, 0), Vector(0, 1, 0)).pose(a, b)


PAIR = PosedPair(
    universal,
    (Coordinate("a", "rad"), Coordinate("b", "rad")),
    (Coordinate("w_a", "rad/s"), Coordinate("w_b", "rad/s")),
)


def test_screws_and_bias_are_those_of_a_built_in_pair():
    known = UniversalPair(Vector(1, 0, 0), Vector(0, 1, 0))
    q, u = (0.4, -0.7), (1.3, 0.6)
    for own, other in zip(PAIR.screws(*q), known.screws(*q), strict=True):
        np.testing.assert_allclose(own.numpy(), other.numpy(), atol=1e-14)
    np.testing.assert_allclose(
        PAIR.bias(q, u).numpy(), known.bias(q, u).numpy(), atol=1e-14
    )


def test_coordinates_are_fitted_to_a_pose():
    np.testing.assert_allclose(PAIR.fit(PAIR.pose(0.4, -0.7)), (0.4, -0.7), atol=1e-12)


def linkage(crank):
    """Return a four-bar linkage with this crank joint."""
    model = mk.Model()
    model.world, model.base = mk.World(n="-y"), mk.FixedTranslation(r=(1.0, 0, 0))
    for name, length in (("l1", 0.3), ("l2", 1.0), ("l3", 0.8)):
        setattr(model, name, mk.BodyCylinder(r=(length, 0, 0), diameter=0.05))
    model.crank = crank
    model.r2, model.r3, model.r4 = (mk.Revolute(n="z") for _ in range(3))
    model.r2.phi, model.r4.phi = mk.guess(0.4), mk.guess(1.6)
    chain = (model.crank, model.l1, model.r2, model.l2)
    for before, after in zip((model.world, *chain), (*chain, model.r3), strict=True):
        model.connect(before.frame_b, after.frame_a)
    model.connect(model.world.frame_b, model.base.frame_a)
    model.connect(model.base.frame_b, model.r4.frame_a)
    model.connect(model.r4.frame_b, model.l3.frame_a)
    model.connect(model.l3.frame_b, model.r3.frame_b)
    return model.simulate(1.0, rtol=1e-9)


@pytest.mark.slow
def test_a_joint_by_its_pose_moves_a_loop_as_a_hinge_does():
    made, known = (linkage(kind(phi=0.5, w=2.0)) for kind in (Hinge, mk.Revolute))
    np.testing.assert_allclose(made["crank.phi"], known["crank.phi"], atol=1e-7)
    np.testing.assert_allclose(made["crank.der_w"], known["crank.a"], atol=1e-5)
    assert made.unit("crank.der_w") == "rad/s2"


@pytest.mark.parametrize("off", [0.3, mk.Parameter(0.3)])
def test_its_parameters_may_be_live(off):
    """A pendulum of a point mass: φ̈ = −g cos φ / off."""
    model = mk.Model()
    model.world, model.hinge = mk.World(n="-y"), Hinge(off=off, phi=0.2, w=0.0)
    model.bob = mk.PointMass(m=2.0)
    model.connect(model.world.frame_b, model.hinge.frame_a)
    model.connect(model.hinge.frame_b, model.bob.frame_a)
    result = model.simulate(0.01)
    expected = -9.80665 * np.cos(0.2) / 0.3
    assert result["hinge.der_w"][0] == pytest.approx(expected)


def test_a_coordinate_that_is_not_declared_is_refused():
    model = mk.Model()
    model.world, model.joint, model.bob = mk.World(), Undeclared(), mk.PointMass(m=1.0)
    model.connect(model.world.frame_b, model.joint.frame_a)
    model.connect(model.joint.frame_b, model.bob.frame_a)
    with refused(ParameterError, "joint", "'x'", "not declared"):
        model.simulate(0.1)
