"""Loads by the speed, motions and starts by signals on drive lines, against closed forms."""

from __future__ import annotations

import numpy as np
import pytest

import motorik as mk
from motorik import blocks
from motorik import rotational as rot
from motorik import translational as tra
from motorik.components.base.ports import PortKind
from motorik.errors import ParameterError
from motorik.exchange.modelica.registry import PARTS
from tests.refusals import refused

BOTH = [(rot, "Torque", "tau", "w", "phi"), (tra, "Force", "f", "v", "s")]
TURN = 1.0 / (2.0 * np.pi)  # a sine of the time itself


def loaded(part, speed=None):
    """Return a model of an inertia of 2 kg·m² or kg, at a speed if one is given, with a load."""
    model = mk.Model()
    model.part = part
    turns = part.specs["flange"].kind is PortKind.ROTATIONAL
    given = {} if speed is None else {"w" if turns else "v": speed}
    model.inertia = rot.Inertia(J=2.0, **given) if turns else tra.Mass(m=2.0, **given)
    model.connect(model.part.flange, model.inertia.flange_a)
    return model


@pytest.mark.parametrize(("room", "kind", "f", "v", "x"), BOTH)
def test_a_load_of_constant_power_raises_the_energy_linearly(room, kind, f, v, x):
    given = {f"{f}_nominal": 3.0, f"{v}_nominal": 2.0, f"{v}0": 0.5}
    part = getattr(room, f"InverseSpeedDependent{kind}")(**given)
    result = loaded(part, 1.0).simulate(2.0, rtol=1e-9)
    np.testing.assert_allclose(
        result[f"inertia.{v}"], np.sqrt(1.0 + 6.0 * result.time), rtol=1e-7
    )


@pytest.mark.parametrize("keeps_sign", [True, False])
def test_a_load_of_constant_power_is_bounded_near_rest(keeps_sign):
    given = {"tau_nominal": 3.0, "w_nominal": 0.5, "w0": 0.5}
    part = rot.InverseSpeedDependentTorque(**given, TorqueDirection=keeps_sign)
    model = loaded(part, -0.1)
    result = model.simulate(0.1, rtol=1e-9)
    if keeps_sign:
        expected = -0.1 + 1.5 * result.time
    else:
        expected = -0.1 * np.exp(3.0 * result.time)
    np.testing.assert_allclose(result["inertia.w"], expected, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize(("room", "kind", "f", "v", "x"), BOTH)
def test_a_load_with_the_sign_of_the_speed_brakes_to_rest(room, kind, f, v, x):
    given = {f"{f}_nominal": -3.0, f"{v}0": 0.2, "reg": "Linear"}
    result = loaded(getattr(room, f"Sign{kind}")(**given), -1.0).simulate(2.0, rtol=1e-9)
    slow = 0.8 / 1.5  # when |v| is v0
    before = -1.0 + 1.5 * result.time
    after = -0.2 * np.exp(-7.5 * (result.time - slow))
    expected = np.where(result.time < slow, before, after)
    np.testing.assert_allclose(result[f"inertia.{v}"], expected, atol=1e-7)


@pytest.mark.parametrize("reg", ["Exp", "Sine", "Linear", "CoSine"])
def test_the_four_forms_of_the_sign_are_those_of_modelica(reg):
    forms = {
        "Exp": lambda r: 2.0 / (1.0 + np.exp(-r / 0.01)) - 1.0,
        "Sine": lambda r: np.where(abs(r) >= 1, np.sign(r), np.sin(np.pi / 2 * r)),
        "Linear": lambda r: np.clip(r, -1.0, 1.0),
        "CoSine": lambda r: np.where(
            abs(r) >= 1, np.sign(r), np.sign(r) * (1.0 - np.cos(np.pi / 2 * r))
        ),
    }
    part = rot.SignTorque(tau_nominal=2.0, w0=0.3, reg=reg)
    ratios = np.array([-2.0, -0.9, -0.01, 0.0, 0.004, 0.5, 1.5])
    values = [part.law(part.of_law(part), 0.0, 0.3 * r) for r in ratios]
    np.testing.assert_allclose(values, 2.0 * forms[reg](ratios), atol=1e-15)


@pytest.mark.parametrize(("room", "kind", "f", "v", "x"), BOTH)
def test_an_eddy_current_brake_follows_from_its_integral(room, kind, f, v, x):
    """J v̇ = −2 f r / (1 + r²) gives ln r + r²/2 = const. − 2 f t / (J v_nominal)."""
    given = {f"{f}_nominal": 3.0, f"{v}_nominal": 2.0, "T": 393.15, "alpha20": 0.004}
    given["TRef"] = 313.15
    result = loaded(getattr(room, f"EddyCurrent{kind}")(**given), 8.0).simulate(
        3.0, rtol=1e-9
    )
    nominal = 2.0 * (1.0 + 80.0 * 0.004 / (1.0 + 0.004 * 20.0))
    r = result[f"inertia.{v}"] / nominal
    integral = np.log(r) + 0.5 * r * r + 2.0 * 3.0 * result.time / (2.0 * nominal)
    np.testing.assert_allclose(integral, integral[0], rtol=1e-7)
    lost = np.trapezoid(result["part.lossPower"], result.time)
    kinetic = result[f"inertia.{v}"] ** 2  # ½ · 2 v²
    assert lost == pytest.approx(kinetic[0] - kinetic[-1], rel=1e-4)


def test_the_largest_torque_of_an_eddy_current_brake_may_be_a_signal():
    model = loaded(rot.EddyCurrentTorque(useTau_nominalInput=True, w_nominal=2.0), 2.0)
    1.5 >> model.part.tau_input
    result = model.simulate(0.01)
    assert result["part.tau"][0] == pytest.approx(-1.5)


@pytest.mark.parametrize(("room", "kind", "f", "v", "x"), BOTH)
def test_a_step_of_force_begins_at_its_time(room, kind, f, v, x):
    given = {f"step{kind}": 3.0, f"offset{kind}": -1.0, "startTime": 0.5}
    result = loaded(getattr(room, f"{kind}Step")(**given), 0.0).simulate(1.0)
    after = np.maximum(result.time - 0.5, 0.0)
    expected = -0.5 * result.time + 1.5 * after
    np.testing.assert_allclose(result[f"inertia.{v}"], expected, atol=1e-9)


def wave(model, name, port, amplitude, of=blocks.Sine):
    """Connect a port to a sine or cosine of the time itself."""
    setattr(model, name, of(amplitude=amplitude, f=TURN))
    model.connect(getattr(model, name).y, port)


@pytest.mark.parametrize(("room", "kind", "f", "v", "x"), BOTH)
def test_a_flange_moves_by_three_signals(room, kind, f, v, x):
    model = loaded(room.Move())
    wave(model, "position", model.part.u[0], 0.7)
    wave(model, "speed", model.part.u[1], 0.7, blocks.Cosine)
    wave(model, "acceleration", model.part.u[2], -0.7)
    result = model.simulate(3.0)
    t = result.time
    np.testing.assert_allclose(result[f"inertia.{x}"], 0.7 * np.sin(t), atol=1e-12)
    np.testing.assert_allclose(result[f"inertia.{v}"], 0.7 * np.cos(t), atol=1e-12)
    force = result[f"part.flange.{f}"]
    np.testing.assert_allclose(force, 1.4 * np.sin(t), atol=1e-12)


def test_rates_that_are_no_rates_of_the_position_are_taken_as_given():
    """The torque of position alone: of a spring, not of the inertia."""
    model = loaded(rot.Move())
    model.spring, model.wall = rot.Spring(c=10.0), rot.Fixed()
    model.connect(model.inertia.flange_b, model.spring.flange_b)
    model.connect(model.spring.flange_a, model.wall.flange)
    wave(model, "position", model.part.u[0], 0.7)
    for k in (1, 2):
        0.0 >> model.part.u[k]
    result = model.simulate(1.0)
    t = result.time
    np.testing.assert_allclose(result["part.flange.tau"], -7.0 * np.sin(t), atol=1e-12)
    np.testing.assert_allclose(result["inertia.w"], 0.0, atol=1e-15)


ADAPTORS = [
    (rot, rot.AngleToTorqueAdaptor, ("phi", "w", "a"), "tau", ("use_w", "use_a")),
    (
        rot,
        rot.GeneralAngleToTorqueAdaptor,
        ("p", "pder", "pder2"),
        "f",
        ("use_pder", "use_pder2"),
    ),
    (
        tra,
        tra.GeneralPositionToForceAdaptor,
        ("p", "pder", "pder2"),
        "f",
        ("use_pder", "use_pder2"),
    ),
]


@pytest.mark.parametrize("used", [0, 1, 2])
@pytest.mark.parametrize(("room", "kind", "names", "force", "switches"), ADAPTORS)
def test_signals_move_a_flange_and_show_the_force(room, kind, names, force, switches, used):
    given = {name: k < used for k, name in enumerate(switches)}
    model = loaded(kind(**given))
    shapes = ((0.7, blocks.Sine), (0.7, blocks.Cosine), (-0.7, blocks.Sine))
    for name, (amplitude, of) in list(zip(names, shapes, strict=True))[: used + 1]:
        wave(model, f"of_{name}", getattr(model.part, name), amplitude, of)
    result = model.simulate(2.0)
    expected = -1.4 * np.sin(result.time)
    np.testing.assert_allclose(result[f"part.{force}"], expected, atol=1e-12)


LOADED = [
    (rot, rot.TorqueToAngleAdaptor, ("phi", "w", "a"), "tau"),
    (rot, rot.GeneralTorqueToAngleAdaptor, ("p", "pder", "pder2"), "f"),
    (tra, tra.GeneralForceToPositionAdaptor, ("p", "pder", "pder2"), "f"),
]


@pytest.mark.parametrize(("room", "kind", "names", "force"), LOADED)
def test_a_signal_loads_a_flange_and_its_motion_is_shown(room, kind, names, force):
    model = loaded(kind(), 1.0)
    3.0 >> getattr(model.part, force)
    result = model.simulate(1.0)
    x, v, a = (result[f"part.{name}"] for name in names)
    np.testing.assert_allclose(x, result.time - 0.75 * result.time**2, atol=1e-9)
    np.testing.assert_allclose(v, 1.0 - 1.5 * result.time, atol=1e-9)
    np.testing.assert_allclose(a, -1.5, atol=1e-12)


def test_signals_that_are_not_used_have_no_ports():
    assert {port.name for port in rot.AngleToTorqueAdaptor(use_w=False).ports()} == {
        *("flange", "phi", "w", "a", "tau")
    }
    ports = rot.GeneralTorqueToAngleAdaptor(use_pder=False).ports()
    assert {port.name for port in ports} == {"flange", "p", "f"}


@pytest.mark.parametrize(("room", "kind", "f", "v", "x"), BOTH)
def test_a_flange_starts_by_signals(room, kind, f, v, x):
    model = loaded(room.InitializeFlange(use_a_start=False))
    setattr(model.inertia, v, mk.guess(5.0))  # a guess gives way
    0.3 >> getattr(model.part, f"{x}_start")
    0.7 >> getattr(model.part, f"{v}_start")
    result = model.simulate(1.0)
    np.testing.assert_allclose(result[f"inertia.{x}"], 0.3 + 0.7 * result.time, atol=1e-9)
    np.testing.assert_allclose(result[f"part.{v}_flange"], 0.7, atol=1e-12)


def test_a_flange_starts_with_an_acceleration():
    """2 a = −50 φ: the acceleration −5 is that of φ = 0.2."""
    model = loaded(rot.InitializeFlange(use_phi_start=False, use_w_start=False))
    model.inertia.w = 0.0
    model.spring, model.wall = rot.Spring(c=50.0), rot.Fixed()
    model.connect(model.inertia.flange_b, model.spring.flange_b)
    model.connect(model.spring.flange_a, model.wall.flange)
    -5.0 >> model.part.a_start
    result = model.simulate(0.01)
    assert result["inertia.phi"][0] == pytest.approx(0.2)


def test_the_flange_of_a_start_names_the_states_where_they_are_preferred():
    part = rot.InitializeFlange(
        use_phi_start=False, use_a_start=False, stateSelect="prefer"
    )
    model = loaded(part)
    0.7 >> part.w_start
    result = model.simulate(1.0)
    assert set(result.state_names) == {"part.phi_flange", "part.w_flange"}
    np.testing.assert_allclose(result["inertia.phi"], 0.7 * result.time, atol=1e-9)


@pytest.mark.parametrize(("room", "kind", "f", "v", "x"), BOTH)
def test_relative_start_values_are_met(room, kind, f, v, x):
    model = mk.Model()
    inertia = rot.Inertia if room is rot else tra.Mass
    model.first, model.second = inertia(**{x: 1.0, v: 2.0}), inertia()
    begin = {f"{x}_rel": 0.5, f"{v}_rel": -0.3}
    model.part = room.RelativeStates(**begin)
    model.connect(model.first.flange_b, model.part.flange_a)
    model.connect(model.part.flange_b, model.second.flange_a)
    result = model.simulate(1.0)
    relative = 0.5 - 0.3 * result.time
    np.testing.assert_allclose(result[f"part.{x}_rel"], relative, atol=1e-9)
    np.testing.assert_allclose(
        result[f"second.{x}"] - result[f"first.{x}"], relative, atol=1e-9
    )
    with refused(ParameterError, "stateSelect"):
        room.RelativeStates(stateSelect="always")


def test_a_coupling_joins_shafts_face_to_face():
    model = mk.Model()
    model.first, model.second = rot.Inertia(J=1.0, w=0.0), rot.Inertia(J=3.0)
    model.part, model.motor = rot.Coupling(), rot.ConstantTorque(tau_constant=2.0)
    model.connect(model.motor.flange, model.first.flange_a)
    model.connect(model.first.flange_b, model.part.flange_a)
    model.connect(model.part.flange_b, model.second.flange_a)
    result = model.simulate(1.0)
    np.testing.assert_allclose(result["second.phi"], -0.25 * result.time**2, atol=1e-9)
    np.testing.assert_allclose(result["part.tau"], 1.5, atol=1e-12)
    np.testing.assert_allclose(result["part.w"], 0.5 * result.time, atol=1e-9)


LIBRARIES = {
    "Rotational.Components": """
        Fixed Inertia Disc Coupling Spring Damper SpringDamper ElastoBacklash ElastoBacklash2
        BearingFriction Brake Clutch OneWayClutch IdealGear LossyGear IdealPlanetary Gearbox
        IdealGearR2T IdealRollingWheel InitializeFlange RelativeStates AngleToTorqueAdaptor
        TorqueToAngleAdaptor GeneralAngleToTorqueAdaptor GeneralTorqueToAngleAdaptor""",
    "Rotational.Sources": """
        Position Speed Accelerate Move Torque Torque2 InverseSpeedDependentTorque
        LinearSpeedDependentTorque QuadraticSpeedDependentTorque ConstantTorque SignTorque
        ConstantSpeed TorqueStep EddyCurrentTorque""",
    "Rotational.Sensors": """
        AngleSensor SpeedSensor AccSensor RelAngleSensor RelSpeedSensor RelAccSensor
        TorqueSensor PowerSensor MultiSensor""",
    "Translational.Components": """
        Fixed Mass Rod Spring Damper SpringDamper ElastoGap SupportFriction Brake IdealGear
        IdealLever IdealGearR2T IdealRollingWheel RollingResistance Vehicle InitializeFlange
        MassWithStopAndFriction RelativeStates GeneralForceToPositionAdaptor
        GeneralPositionToForceAdaptor""",
    "Translational.Sources": """
        Position Speed Accelerate Move Force Force2 InverseSpeedDependentForce
        LinearSpeedDependentForce QuadraticSpeedDependentForce ConstantForce SignForce
        ConstantSpeed ForceStep EddyCurrentForce""",
    "Translational.Sensors": """
        PositionSensor SpeedSensor AccSensor RelPositionSensor RelSpeedSensor RelAccSensor
        ForceSensor PowerSensor MultiSensor""",
}


@pytest.mark.parametrize("package", LIBRARIES)
def test_every_part_of_modelicas_drive_lines_is_read(package):
    names = {f"Modelica.Mechanics.{package}.{n}" for n in LIBRARIES[package].split()}
    assert names - PARTS.keys() == set()
