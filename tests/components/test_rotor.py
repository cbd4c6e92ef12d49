"""Rotor1D: against a rotor made as a body of its own, and against laws of gyroscopes."""

from __future__ import annotations

import numpy as np
import pytest

import motorik as mk
from motorik import parts, rotational
from motorik.components.parts.mounting import Mounting1D
from motorik.components.parts.rotor import Rotor1D
from motorik.errors import AssemblyError, ParameterError
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
    runs = [
        carried(kind, torque).simulate(1.0, output=20, rtol=1e-11) for kind in (False, True)
    ]
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


J_A, J_B, J_C, RATIO, TAU = 0.2, 0.5, 3.0, 4.0, 2.0


def bevelled(
    rotors: bool, in_space: bool = True, seen: bool = False, mixed: bool = False
) -> mk.Model:
    """Return a carrier that turns about z, with a motor about x and a wheel about z on it."""
    model = mk.Model()
    model.world = mk.World(gravityType="NoGravity", driveTrainMechanics3D=in_space)
    model.hinge = mk.Revolute(n="z", phi=0.0, w=0.0)
    model.carrier = mk.Body(m=1.0, I_11=J_C, I_22=J_C, I_33=J_C)
    model.gear = parts.BevelGear1D(ratio=RATIO, n_a="x", n_b="z")
    model.motor = rotational.ConstantTorque(tau_constant=TAU, useSupport=True)
    model.mounting = parts.Mounting1D(n="x")
    if rotors:
        model.a = parts.Rotor1D(J=J_A, n="x", phi=0.0, w=0.0)
        model.b = parts.Rotor1D(J=J_B, n="z")
        model.connect(model.hinge.frame_b, model.a.frame_a, model.b.frame_a)
    else:
        if mixed:
            model.a = parts.Rotor1D(J=J_A, n="x", phi=0.0, w=0.0)
            model.connect(model.hinge.frame_b, model.a.frame_a)
        else:
            model.a = rotational.Inertia(J=J_A, phi=0.0, w=0.0)
        model.b = rotational.Inertia(J=J_B)
    model.connect(model.world.frame_b, model.hinge.frame_a)
    model.connect(model.hinge.frame_b, model.carrier.frame_a, model.mounting.frame_a)
    if seen:
        model.sensor = mk.sensors.CutTorque()
        model.connect(model.hinge.frame_b, model.sensor.frame_a)
        model.connect(model.sensor.frame_b, model.gear.frame_a)
    else:
        model.connect(model.hinge.frame_b, model.gear.frame_a)
    model.connect(model.motor.support, model.mounting.flange_b)
    model.connect(model.motor.flange, model.a.flange_a)
    model.connect(model.a.flange_b, model.gear.flange_a)
    model.connect(model.gear.flange_b, model.b.flange_a)
    return model


@pytest.mark.parametrize("seen", [False, True])
def test_a_bevel_gear_between_rotors_turns_their_carrier(seen):
    """J_c θ̇ + J_b φ̇_b = 0, and (J_a i² + J_b − J_b²/J_c) φ̈_b = i τ."""
    result = bevelled(rotors=True, seen=seen).simulate(1.0, rtol=1e-9)
    a = RATIO * TAU / (J_A * RATIO**2 + J_B - J_B**2 / J_C)
    np.testing.assert_allclose(result["b.w"], a * result.time, atol=1e-8)
    np.testing.assert_allclose(result["hinge.w"], -J_B / J_C * result["b.w"], atol=1e-9)


@pytest.mark.parametrize("seen", [False, True])
def test_a_bevel_gear_between_inertias_acts_on_its_frame(seen):
    """The inertias turn as if alone; the gear turns its carrier by −J_b φ̈_b about z."""
    result = bevelled(rotors=False, seen=seen).simulate(1.0, rtol=1e-9)
    a = RATIO * TAU / (J_A * RATIO**2 + J_B)
    np.testing.assert_allclose(result["b.w"], a * result.time, atol=1e-8)
    np.testing.assert_allclose(result["hinge.a"], -J_B * a / J_C, atol=1e-9)
    torque = result["gear.torque"]
    np.testing.assert_allclose(torque[:, 2], -J_B * a, atol=1e-9)
    np.testing.assert_allclose(torque[:, 0], J_B * a / RATIO, atol=1e-9)
    np.testing.assert_allclose(result["mounting.torque"][:, 0], -TAU, atol=1e-9)
    if seen:  # on the gear, through the sensor
        np.testing.assert_allclose(result["sensor.torque"], -torque, atol=1e-9)


@pytest.mark.parametrize("rotors", [False, True])
def test_drive_lines_that_are_fixed_in_space_leave_their_carrier_alone(rotors):
    result = bevelled(rotors, in_space=False).simulate(1.0, rtol=1e-9)
    a = RATIO * TAU / (J_A * RATIO**2 + J_B)
    np.testing.assert_allclose(result["b.w"], a * result.time, atol=1e-8)
    np.testing.assert_allclose(result["a.phi"], 0.5 * RATIO * a * result.time**2, atol=1e-8)
    np.testing.assert_allclose(result["hinge.w"], 0.0, atol=1e-15)


def test_what_a_rotor_and_a_bevel_gear_cannot_do_is_refused():
    with refused(ParameterError, "ratio = 0"):
        parts.BevelGear1D(ratio=0.0)
    model = bevelled(rotors=False)
    model.stray = mk.Revolute(n="y", useAxisFlange=True)
    model.load = mk.Body(m=1.0)
    model.connect(model.world.frame_b, model.stray.frame_a)
    model.connect(model.stray.frame_b, model.load.frame_a)
    model.connect(model.b.flange_b, model.stray.axis)
    with refused(AssemblyError, "gear", "carry"):
        model.simulate(0.1)


def sheared(run: mk.Result, name: str, inertia: float, axis: np.ndarray, of: str) -> None:
    """Check that the bearings of a rotor take all of its rate of spin but n τ of its drive.

    t = ω × n J w − n J (n·ω̇), as in Modelica; ω is that of a body at the same frame.
    """
    w_a, z_a, w = run[f"{of}.w_a"], run[f"{of}.z_a"], run[f"{name}.w"]
    expected = np.cross(w_a, inertia * w[:, None] * axis)
    expected -= inertia * (z_a @ axis)[:, None] * axis
    np.testing.assert_allclose(run[f"{name}.frame_a.t"], expected, atol=1e-9)


@pytest.mark.parametrize("second", [False, True])
def test_the_torque_of_a_drive_acts_where_its_housing_is_bolted(second):
    model = carried(False, torque=0.7)
    if second:  # a rotor behind a spring on the same shaft
        model.other = Rotor1D(J=0.5 * J, n=AXIS, phi=0.0, w=0.0)
        model.spring = rotational.Spring(c=3.0)
        model.at.frame_b >> model.other.frame_a
        model.spin.flange_a >> model.spring.flange_a
        model.spring.flange_b >> model.other.flange_a
    run = model.simulate(1.0, output=10, rtol=1e-9)
    torque = np.tile(-0.7 * np.array(AXIS), (11, 1))
    np.testing.assert_allclose(run["mount.torque"], torque, atol=1e-12)
    np.testing.assert_allclose(run["mount.frame_a.t"], -torque, atol=1e-12)
    sheared(run, "spin", J, np.array(AXIS), "locked")
    if second:
        sheared(run, "other", 0.5 * J, np.array(AXIS), "locked")
    taken = sum(
        run[f"{part}.frame_a.t"]
        for part in ("locked", "mount", "spin", *(("other",) if second else ()))
    )
    np.testing.assert_allclose(run["at.frame_b.t"], -taken, atol=1e-9)


def test_a_bevel_gear_between_rotors_needs_no_power():
    """The torque on its frame times ω, and those at its flanges times the speeds of the shafts."""
    run = bevelled(rotors=True, seen=True).simulate(1.0, output=10, rtol=1e-9)
    power = np.sum(run["sensor.torque"] * run["carrier.w_a"], axis=1)
    for end, axis in (("a", 0), ("b", 2)):
        spin = run[f"{end}.w"] + run["carrier.w_a"][:, axis]
        power += run[f"gear.flange_{end}.tau"] * spin
    assert np.ptp(run["gear.flange_a.tau"] * run["a.w"]) > 1.0
    np.testing.assert_allclose(power, 0.0, atol=1e-9)
    np.testing.assert_allclose(run["gear.torque"], -run["sensor.torque"], atol=1e-12)
    np.testing.assert_allclose(run["mounting.torque"][:, 0], -TAU, atol=1e-12)


def test_one_shaft_of_a_bevel_gear_may_be_an_inertia():
    """Only the line without joints turns the carrier by the gear: J_c θ̈ = −J_b φ̈_b."""
    run = bevelled(rotors=False, mixed=True).simulate(1.0, output=4, rtol=1e-9)
    a = RATIO * TAU / (J_A * RATIO**2 + J_B)
    np.testing.assert_allclose(run["b.w"], a * run.time, atol=1e-8)
    np.testing.assert_allclose(run["hinge.a"], -J_B * a / J_C, atol=1e-9)
    np.testing.assert_allclose(run["gear.torque"][:, 0], J_B * a / RATIO, atol=1e-9)
    np.testing.assert_allclose(run["gear.torque"][:, 2], -J_B * a, atol=1e-9)


def test_a_housing_on_the_ground_shows_its_torque():
    model = mk.Model()
    model.world, model.mount = mk.World(), Mounting1D(n="z")
    model.wheel = rotational.Inertia(J=2.0, phi=0.0, w=0.0)
    model.motor = rotational.ConstantTorque(tau_constant=TAU, useSupport=True)
    model.connect(model.world.frame_b, model.mount.frame_a)
    model.connect(model.motor.support, model.mount.flange_b)
    model.connect(model.motor.flange, model.wheel.flange_a)
    run = model.simulate(1.0, output=4)
    np.testing.assert_allclose(run["mount.torque"][:, 2], -TAU, atol=1e-12)
    np.testing.assert_allclose(run["world.frame_b.t"][:, 2], -TAU, atol=1e-12)


def test_an_inexact_rotor_does_not_feel_how_its_body_turns():
    """J ẇ = τ, and the body takes −τ e + J e (e·ω̇) − J w ω × e, as Modelica writes it."""
    model = carried(False, torque=0.7)
    model.spin.exact = False
    run = model.simulate(1.0, output=20, rtol=1e-10)
    t, e = np.asarray(run.time), np.array(AXIS)
    np.testing.assert_allclose(run["spin.w"], 30.0 + 0.7 / J * t, rtol=1e-9)
    w_a, z_a, w = run["locked.w_a"], run["locked.z_a"], run["spin.w"]
    assert np.ptp(w_a @ e) > 0.1
    on_rotor = J * (np.cross(w_a, w[:, None] * e) - (z_a @ e)[:, None] * e)
    np.testing.assert_allclose(run["spin.frame_a.t"], on_rotor, atol=1e-9)
    total = run["locked.frame_a.t"] + 0.7 * e + on_rotor
    np.testing.assert_allclose(run["at.frame_b.t"], -total, atol=1e-9)
    model.spin.exact = True
    again = model.simulate(1.0, output=20, rtol=1e-10)
    exact = carried(False, torque=0.7).simulate(1.0, output=20, rtol=1e-10)
    np.testing.assert_array_equal(again["spin.w"], exact["spin.w"])
