"""Rotor1D: against a rotor made as a body of its own, and against laws of gyroscopes."""

from __future__ import annotations

import numpy as np
import pytest

import motorik as mk
from motorik.components.parts.mounting import Mounting1D
from motorik.components.parts.rotor import Rotor1D
from motorik.errors import AssemblyError
from tests.refusals import refused

J, ACROSS, MASS = 0.02, 0.05, 1.5
AXIS = (2 / 3, 1 / 3, -2 / 3)


def carried(as_body: bool, torque: float = 0.0, w: float = 30.0) -> mk.Model:
    """Return a heavy top on a ball joint with a rotor in it, of one kind or the other."""
    model = mk.Model()
    model.world, model.ball = mk.World(), mk.Spherical(angles_start=(0.3, -0.2, 0.1))
    model.arm = mk.Body(m=MASS, r_CM=(0.2, 0, 0), I_11=0.03, I_22=0.04, I_33=0.05)
    model.at = mk.FixedTranslation(r=(0.3, 0, 0))
    model.world.frame_b >> model.ball.frame_a
    model.ball.frame_b >> model.arm.frame_a
    model.arm.frame_a >> model.at.frame_a
    e = np.array(AXIS)
    if as_body:
        still = ACROSS * (np.eye(3) - np.outer(e, e))
        model.spin = mk.Revolute(n=AXIS, phi=0.0, w=w, useAxisFlange=True)
        model.rotor = mk.Body(m=0.4, I=J * np.outer(e, e) + still, physical=False)
        model.at.frame_b >> model.spin.frame_a
        model.spin.frame_b >> model.rotor.frame_a
        flange, support = model.spin.axis, model.spin.support
    else:
        tensor = J * np.outer(e, e) + ACROSS * (np.eye(3) - np.outer(e, e))
        model.locked = mk.Body(m=0.4, I=tensor, physical=False)
        model.spin = Rotor1D(J=J, n=AXIS, phi=0.0, w=w)
        model.at.frame_b >> model.locked.frame_a
        model.at.frame_b >> model.spin.frame_a
        model.mount = Mounting1D(n=AXIS)
        model.at.frame_b >> model.mount.frame_a
        flange, support = model.spin.flange_b, model.mount.flange_b
    model.motor = mk.rotational.ConstantTorque(tau_constant=torque, useSupport=True)
    model.motor.flange >> flange
    model.motor.support >> support
    return model


@pytest.mark.parametrize("torque", [0.0, 0.7])
def test_a_rotor_moves_its_body_as_a_turning_body_does(torque):
    runs = [carried(kind, torque).simulate(1.0, output=20, rtol=1e-11) for kind in (0, 1)]
    rotor, body = runs
    for name in ("arm.w_a", "arm.r_0", "spin.phi", "spin.w", "spin.a"):
        np.testing.assert_allclose(rotor[name], body[name], atol=5e-10)
    assert np.ptp(rotor["spin.w"]) > 0.05  # the body's turning is felt by the rotor


def test_a_rotor_on_the_world_is_an_inertia():
    model = mk.Model()
    model.world, model.rotor = mk.World(), Rotor1D(J=2.0, phi=0.0, w=1.0)
    model.world.frame_b >> model.rotor.frame_a
    model.motor = mk.rotational.ConstantTorque(tau_constant=3.0)
    model.motor.flange >> model.rotor.flange_a
    result = model.simulate(2.0, output=4)
    np.testing.assert_allclose(result["rotor.w"], 1.0 + 1.5 * result.time, rtol=1e-12)


def test_energy_is_kept():
    run = carried(False).simulate(1.0, output=20, rtol=1e-11)
    assert np.ptp(run.energy()["kinetic"]) > 1.0
    assert np.ptp(run.energy()["total"]) < 1e-10


def test_a_housing_elsewhere_on_a_moving_body_is_refused():
    model = carried(False)
    model.second = mk.Revolute()
    model.far, model.mount2 = mk.Body(), Mounting1D()
    model.at.frame_b >> model.second.frame_a
    model.second.frame_b >> model.far.frame_a
    model.far.frame_a >> model.mount2.frame_a
    model.spring = mk.rotational.Spring(c=1.0)
    model.spring.flange_a >> model.mount2.flange_b
    model.spring.flange_b >> model.spin.flange_a
    with refused(AssemblyError, "mount2", "its frame moves", "support"):
        model.simulate(1.0)
