"""Joints that are only constraints move as the joints with coordinates do."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from motorik import (
    Body,
    FixedTranslation,
    Model,
    Planar,
    Prismatic,
    Revolute,
    Spherical,
    Universal,
    World,
    connect,
)
from motorik.components.base.part import parameter
from motorik.components.base.values import as_axis
from motorik.components.joints.constraints import (
    PrismaticConstraint,
    RevoluteConstraint,
    RevolutePlanarLoopConstraint,
    SphericalConstraint,
    UniversalConstraint,
    VectorJoint,
)
from motorik.errors import ParameterError
from tests.refusals import refused

BODY = {"m": 1.0, "r_CM": (0.2, -0.1, 0.05), "I_11": 0.02, "I_22": 0.03, "I_33": 0.04}
AT_REST = {"r_0": (0, 0, 0), "v_0": (0, 0, 0), "angles_fixed": True, "w_0_fixed": True}
OBLIQUE = {"n": (1.0, -2.0, 0.5)}


class Hung(Model):
    """A body on a joint, in a gravity field that points obliquely."""

    def build(self, joint, **states):
        self.world = World(**OBLIQUE)
        self.joint = joint
        self.body = Body(**BODY, **states)
        connect(self.world.frame_b, self.joint.frame_a)
        connect(self.joint.frame_b, self.body.frame_a)


PAIRS = {
    "revolute": (Revolute(n="y"), RevoluteConstraint(n="y")),
    "oblique revolute": (Revolute(n=(1, 2, 2)), RevoluteConstraint(n=(1, 2, 2))),
    "spherical": (Spherical(), SphericalConstraint()),
    "universal": (Universal(n_a="z", n_b="x"), UniversalConstraint(n_a="z", n_b="x")),
    "prismatic": (Prismatic(n="x"), PrismaticConstraint(x_locked=False)),
    "planar": (
        Planar(n="z"),
        RevoluteConstraint(n="z", x_locked=False, y_locked=False),
    ),
}


@pytest.mark.kinds(3)
@pytest.mark.slow
@pytest.mark.parametrize("name", PAIRS)
def test_a_constraint_moves_as_the_joint_does(name):
    joint, constraint = PAIRS[name]
    one = Hung(joint=joint).simulate(1.0, rtol=1e-10, output=10)
    other = Hung(joint=constraint, enforceStates=True, **AT_REST).simulate(
        1.0, rtol=1e-10, output=10
    )
    for quantity, within in (("body.r_0", 1e-8), ("body.w_a", 3e-8), ("body.a_0", 1e-7)):
        difference = np.asarray(one[quantity]) - np.asarray(other[quantity])
        assert np.abs(difference).max() < within
    for load in ("f", "t"):
        on_world = f"world.frame_b.{load}"
        difference = np.asarray(one[on_world]) - np.asarray(other[on_world])
        assert np.abs(difference).max() < 1e-6


def test_nothing_locked_is_no_constraint():
    free = SphericalConstraint(x_locked=False, y_locked=False, z_locked=False)
    assert not list(free.contributions(free.resolved(lambda live: live.value)))


def test_axes_of_a_universal_constraint_are_at_right_angles():
    with refused(ParameterError, "n_a", "right angles"):
        UniversalConstraint(n_a="x", n_b=(1, 1, 0))


class OnRail(VectorJoint):
    """The origin of frame_b stays on the line along n through that of frame_a."""

    n = parameter("direction of the rail", "1", (1, 0, 0), as_axis)
    units = ("m", "m", "m")

    def residual(self, p, X_a, X_b):
        r = X_a.R.T @ (X_b.p - X_a.p)
        return (r - p.n.dot(r) * p.n).xyz


@pytest.mark.slow
def test_a_users_joint_is_a_residual():
    """A bead on an oblique rail falls with g cos of the angle between; one row is redundant."""
    n = np.array([2.0, -1.0, 2.0]) / 3.0
    bead = {"m": 0.5, "I_11": 0.01, "I_22": 0.01, "I_33": 0.01}

    class Bead(Model):
        def build(self):
            self.world = World(g=9.81)
            self.rail = OnRail(n=tuple(n))
            self.body = Body(**bead, enforceStates=True, **AT_REST)
            self.world.frame_b >> self.rail.frame_a
            self.rail.frame_b >> self.body.frame_a

    result = Bead().simulate(1.0, rtol=1e-10, output=5)
    along = np.outer(np.asarray(result.time) ** 2 / 2, 9.81 / 3 * n)
    assert np.abs(np.asarray(result["body.r_0"]) - along).max() < 1e-8
    force = np.asarray(result["rail.frame_b.f"])  # on the joint: what the bead presses
    across = 0.5 * 9.81 * np.array([0.0, -1.0, 0.0])
    across -= across @ n * n
    assert np.abs(force - across).max() < 1e-8
    assert 0.5 * 9.81 * sqrt(8) / 3 == pytest.approx(np.linalg.norm(across))


class FourBar(Model):
    """A planar four-bar whose last hinge is given."""

    def build(self, last):
        self.world = World(g=9.81)
        self.base = FixedTranslation(r=(0.7, 0.0, 0.0))
        self.left = Revolute(n="z", phi=1.2, w=3.0, stateSelect="always")
        self.crank = Body(m=1.0, r_CM=(0.15, 0, 0), I_33=0.01, I_22=0.01)
        self.tip = FixedTranslation(r=(0.3, 0.0, 0.0))
        self.hinge = Revolute(n="z", phi={"start": -1.0})
        self.rod = Body(m=1.0, r_CM=(0.3, 0, 0), I_33=0.03, I_22=0.03)
        self.end = FixedTranslation(r=(0.6, 0.0, 0.0))
        self.right = Revolute(n="z", phi={"start": 1.5})
        self.rocker = Body(m=1.0, r_CM=(0.25, 0, 0), I_33=0.02, I_22=0.02)
        self.top = FixedTranslation(r=(0.5, 0.0, 0.0))
        self.last = last
        connect(self.world.frame_b, self.left.frame_a, self.base.frame_a)
        connect(self.left.frame_b, self.crank.frame_a, self.tip.frame_a)
        connect(self.tip.frame_b, self.hinge.frame_a)
        connect(self.hinge.frame_b, self.rod.frame_a, self.end.frame_a)
        connect(self.base.frame_b, self.right.frame_a)
        connect(self.right.frame_b, self.rocker.frame_a, self.top.frame_a)
        connect(self.end.frame_b, self.last.frame_a)
        connect(self.last.frame_b, self.top.frame_b)


@pytest.mark.slow
def test_a_planar_loop_is_closed_by_two_rows():
    one = FourBar(last=Revolute(n="z")).simulate(1.0, rtol=1e-10, output=10)
    other = FourBar(last=RevolutePlanarLoopConstraint(n="z")).simulate(
        1.0, rtol=1e-10, output=10
    )
    for name in ("left.phi", "left.w", "last.frame_b.f"):
        difference = np.asarray(one[name]) - np.asarray(other[name])
        assert np.abs(difference).max() < 1e-6
    assert np.abs(np.asarray(other["last.frame_b.f"])[:, 2]).max() == 0.0
    assert np.abs(np.asarray(other["last.frame_b.t"])).max() < 1e-9
