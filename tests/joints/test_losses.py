"""What joints lose is shown once: all `lossPower` together is the energy that is gone."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from motorik import (
    Body,
    Cylindrical,
    Model,
    Planar,
    Prismatic,
    Revolute,
    Spherical,
    Universal,
    World,
    blocks,
    heat,
)
from motorik.components.base.part import Part
from motorik.errors import ParameterError
from motorik.joints import Coulomb, Screw, Stribeck
from tests.refusals import refused

TURNING, SLIDING = Coulomb(tau=0.4), Stribeck(f=3.0, stribeck=1.0, viscous=0.2)
BY_LOAD = Coulomb(mu=0.1, radius=0.02)
JOINTS: dict[str, Callable[[], Part]] = {
    "revolute": lambda: Revolute(friction=TURNING, w=4.0),
    "revolute by its load": lambda: Revolute(friction=BY_LOAD, w=4.0),
    "prismatic": lambda: Prismatic(n="y", friction=SLIDING, v=4.0),
    "screw": lambda: Screw(lead=0.1, friction=TURNING, phi=0.0, w=9.0),
    "cylindrical": lambda: Cylindrical(
        friction={"s": SLIDING, "phi": TURNING}, v=2.0, w=5.0
    ),
    "cylindrical, turning": lambda: Cylindrical(friction={"phi": TURNING}, v=2.0, w=5.0),
    "universal": lambda: Universal(friction=TURNING, w_a=3.0, w_b=-4.0),
    "universal, one axis": lambda: Universal(
        friction={"phi_b": TURNING}, w_a=3.0, w_b=-4.0
    ),
    "universal by its load": lambda: Universal(friction=BY_LOAD, w_a=3.0, w_b=-4.0),
    "planar": lambda: Planar(friction=SLIDING, v_x=1.0, v_y=2.0, w=5.0),
    "planar, and turning": lambda: Planar(
        friction={"s": SLIDING, "phi": TURNING}, v_x=1.0, v_y=2.0, w=5.0
    ),
    "planar, two guides": lambda: Planar(
        friction={"s_x": SLIDING, "s_y": Coulomb(f=1.0), "phi": TURNING}, v_x=1.0, v_y=2.0
    ),
    "planar, turning": lambda: Planar(friction=TURNING, v_x=1.0, w=5.0),
    "spherical": lambda: Spherical(
        friction=TURNING, w_rel_a_fixed=True, w_rel_a_start=(1, 2, 3)
    ),
    "spherical, two axes": lambda: Spherical(
        friction={"x": TURNING, "z": Coulomb(tau=0.1)},
        w_rel_a_fixed=True,
        w_rel_a_start=(1, 2, 3),
    ),
}


class Loser(Model):
    """A body on a joint; an integrator adds up all that parts show as lost."""

    def build(self, joint: Any) -> None:
        """Hang the body on the joint."""
        self.world = World()
        self.joint = joint
        self.body = Body(m=1.0, r_CM=(0.3, -0.1, 0.1), I_11=0.2, I_22=0.3, I_33=0.4)
        self.world.frame_b >> self.joint.frame_a
        self.joint.frame_b >> self.body.frame_a
        self.heat, self.power = blocks.Integrator(), blocks.Expression(f=self.lost)
        self.power.y >> self.heat.u

    def lost(self, motion):
        """Return what the joint shows."""
        return motion.variable(self.joint, "lossPower")


@pytest.mark.kinds(8)
@pytest.mark.slow
@pytest.mark.parametrize("name", JOINTS)
def test_what_a_joint_shows_as_lost_is_the_energy_that_is_gone(name):
    result = Loser(joint=JOINTS[name]()).simulate(0.5, rtol=1e-10)
    assert result.complete
    energy, heat = result.energy()["total"], result["heat.y"]
    assert heat[-1] > 0.01 * np.ptp(energy)
    np.testing.assert_allclose(energy + heat, energy[0], atol=1e-7 * np.ptp(energy))


@pytest.mark.kinds(6)
@pytest.mark.slow
@pytest.mark.parametrize("name", JOINTS)
def test_what_is_lost_in_all_freedoms_leaves_by_the_heat_port(name):
    model = Loser(joint=JOINTS[name]())
    model.iron = heat.HeatCapacitor(C=20.0, T=300.0)
    model.connect(model.joint.heatPort, model.iron.port)
    result = model.simulate(0.5, rtol=1e-10)
    energy = result.energy()
    assert not energy.lost_by and not energy.supplied_by
    warmed = np.ptp(energy["heat"])
    np.testing.assert_allclose(np.ptp(result["heat.y"]), warmed, rtol=1e-7)
    assert np.abs(energy["imbalance"]).max() < 1e-6 * warmed
    np.testing.assert_array_equal(
        result["joint.heatPort.Q_flow"], -result["joint.lossPower"]
    )


@pytest.mark.kinds(6)
@pytest.mark.slow
@pytest.mark.parametrize("name", JOINTS)
def test_the_balance_counts_what_is_lost_in_all_freedoms_once(name):
    energy = Loser(joint=JOINTS[name]()).simulate(0.5, rtol=1e-10).energy()
    assert list(energy.lost_by) == ["joint"] and not energy.supplied_by
    assert np.abs(energy["imbalance"]).max() < 1e-6 * energy["lost"][-1]


@pytest.mark.parametrize("joint", [Cylindrical, Universal, Planar, Spherical])
def test_a_heat_port_of_a_joint_without_friction_is_refused(joint):
    model = Loser(joint=joint(useHeatPort=True))
    model.iron = heat.HeatCapacitor(C=20.0)
    model.connect(model.joint.heatPort, model.iron.port)
    with refused(ParameterError, "joint: has a heat port, and no friction"):
        model.compile()


@pytest.mark.kinds(8)
@pytest.mark.slow
@pytest.mark.parametrize("name", JOINTS)
def test_no_loss_is_shown_twice(name):
    result = Loser(joint=JOINTS[name]()).simulate(0.1)
    shown = [own for own in result.names() if own.endswith("lossPower")]
    assert shown == ["joint.lossPower"]


@pytest.mark.parametrize("joint", [Cylindrical, Universal, Planar])
def test_joints_without_friction_show_no_loss(joint):
    model = Model()
    model.world, model.joint, model.body = World(), joint(), Body(m=1.0)
    model.world.frame_b >> model.joint.frame_a
    model.joint.frame_b >> model.body.frame_a
    assert not [own for own in model.simulate(0.1).names() if own.endswith("lossPower")]
