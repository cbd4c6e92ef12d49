"""Two geared shafts in one housing, and where housings stand."""

from __future__ import annotations

import numpy as np
import pytest

from motorik import Body, Model, Revolute, World, rotational
from motorik.components.joints.gear_constraint import GearConstraint
from motorik.components.parts.mounting import Mounting1D
from motorik.errors import AssemblyError
from tests.refusals import refused

RATIO, J_A, J_B = 4.0, 0.02, 0.5


class Geared(Model):
    """Shaft a about x, shaft b about y, in a housing that stands or may turn about x."""

    def build(self, loose):
        self.world = World(gravityType="none")
        self.gear = GearConstraint(ratio=RATIO, n_b="y", phi_b=0.0, w_b=0.0)
        self.a = Body(I_11=J_A, I_22=J_A, I_33=J_A)
        self.b = Body(I_11=J_B, I_22=J_B, I_33=J_B)
        self.gear.frame_a >> self.a.frame_a
        self.gear.frame_b >> self.b.frame_a
        self.push = rotational.ConstantTorque(tau_constant=3.0)
        self.push.flange >> self.gear.actuatedRevolute_a.axis
        if loose:
            self.hinge = Revolute(n="x", phi=0.0, w=0.0)
            self.box = Body(I_11=1.0, I_22=1.0, I_33=1.0)
            self.world.frame_b >> self.hinge.frame_a
            self.hinge.frame_b >> self.gear.bearing
            self.box.frame_a >> self.gear.bearing
        else:
            self.world.frame_b >> self.gear.bearing


def test_the_shafts_turn_in_their_ratio_and_share_their_inertia():
    result = Geared(loose=False).simulate(1.0, rtol=1e-10, output=5)
    t = np.asarray(result.time)
    a = 3.0 / (J_A + J_B / RATIO**2)
    phi_a = np.asarray(result["gear.actuatedRevolute_a.phi"])
    assert np.abs(phi_a - a * t**2 / 2).max() < 1e-8
    assert np.abs(np.asarray(result["gear.phi_b"]) * RATIO - phi_a).max() < 1e-8
    power = np.asarray(result["gear.totalPower"]) + 3.0 * a * t  # and what drives it
    assert np.abs(power).max() < 1e-6


def test_a_loose_housing_takes_the_reaction():
    result = Geared(loose=True).simulate(0.5, rtol=1e-10, output=5)
    momentum = sum(
        np.asarray(result[f"{name}.angular_momentum"])[:, 0] for name in ("a", "b", "box")
    )
    assert np.abs(momentum).max() < 1e-9
    assert np.asarray(result["hinge.phi"])[-1] < -0.01


class Mounted(Model):
    """A spring between a hinge and a housing that is bolted to the world or to a body."""

    def build(self, moving):
        self.world = World()
        self.hinge = Revolute(n="z", phi=0.2, w=0.0)
        self.arm = Body(m=1.0, r_CM=(0.5, 0.0, 0.0))
        self.mount = Mounting1D(phi0=0.1)
        self.spring = rotational.Spring(c=20.0)
        self.world.frame_b >> self.hinge.frame_a
        self.hinge.frame_b >> self.arm.frame_a
        self.mount.flange_b >> self.spring.flange_a
        self.spring.flange_b >> self.hinge.axis
        at = self.hinge.frame_b if moving else self.world.frame_b
        self.mount.frame_a >> at


def test_a_mounting_stands_with_the_world_only():
    result = Mounted(moving=False).simulate(0.1, output=1)
    assert result["spring.tau"][0] == pytest.approx(20.0 * (0.2 - 0.1), rel=1e-12)
    with refused(AssemblyError, "mount", "moves", "support"):
        Mounted(moving=True).compile()
