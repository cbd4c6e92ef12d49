"""Hydraulics against closed forms."""

from __future__ import annotations

import numpy as np
import pytest

import motorik as mk
from motorik import blocks, hydraulic, rotational, translational
from motorik.errors import ParameterError, PortError

BETA = 1.5e9  # Pa, the default bulk modulus
ATMOSPHERE = 101325.0  # Pa


def drained(part: mk.Part, p: float = 1e7) -> mk.Model:
    """Return a volume of 1 litre that empties through a part into a tank."""
    model = mk.Model()
    model.line, model.part = hydraulic.LineVolume(V=1e-3, p=p), part
    model.tank = hydraulic.Tank()
    mk.connect(model.line.port, model.part.port_a)
    mk.connect(model.part.port_b, model.tank.port)
    return model


def test_a_volume_empties_through_an_orifice_as_a_parabola():
    result = drained(hydraulic.Orifice(A=1e-6, dp_transition=1.0)).simulate(0.05)
    k = BETA / 1e-3 * 0.7 * 1e-6 * np.sqrt(2.0 / 850.0)
    exact = (np.sqrt(1e7) - 0.5 * k * np.asarray(result.time)) ** 2
    assert result["line.p"] == pytest.approx(exact, rel=1e-5)
    lost = np.asarray(result["part.dp"]) * np.asarray(result["part.q"])
    assert result["part.lossPower"] == pytest.approx(lost)


def test_a_volume_empties_as_an_orifice_opens():
    """√p falls by the integral of the opening, which ends at 1."""
    model = drained(hydraulic.VariableOrifice(A=1e-6, A_leak=0.0, dp_transition=1.0))
    model.opens = blocks.Ramp(height=2.0, duration=0.08)
    model.opens.y >> model.part.opening
    result = model.simulate(0.06, rtol=1e-8)
    k = BETA / 1e-3 * 0.7 * 1e-6 * np.sqrt(2.0 / 850.0)
    t = np.asarray(result.time)
    opened = np.where(t < 0.04, 12.5 * t**2, 0.02 + (t - 0.04))
    exact = (np.sqrt(1e7) - 0.5 * k * opened) ** 2
    assert result["line.p"] == pytest.approx(exact, rel=1e-5)


def test_an_orifice_is_laminar_below_its_transition():
    orifice = hydraulic.Orifice(A=1e-6, dp_transition=1e9)
    result = drained(orifice).simulate(2.0, output=4)
    G = 0.7 * 1e-6 * np.sqrt(2.0 / 850.0) / np.sqrt(1e9)
    exact = 1e7 * np.exp(-G * BETA / 1e-3 * np.asarray(result.time))
    assert result["line.p"] == pytest.approx(exact, rel=1e-4)


def test_a_volume_empties_through_a_laminar_resistance_as_an_exponential():
    result = drained(hydraulic.LaminarResistance(R=1e13)).simulate(10.0)
    exact = 1e7 * np.exp(-np.asarray(result.time) * BETA / 1e-3 / 1e13)
    assert result["line.p"] == pytest.approx(exact, rel=1e-5)


@pytest.mark.parametrize("n", [1.0, 1.4])
def test_an_accumulator_follows_its_gas(n):
    model = mk.Model()
    model.pump = hydraulic.FlowSource(q=1e-5)
    model.accumulator = hydraulic.Accumulator(V_0=1e-3, p_0=5e6, n=n, p=6e6)
    mk.connect(model.pump.port, model.accumulator.port)
    result = model.simulate(10.0, output=20, rtol=1e-8)
    start = 1e-3 * ((5e6 + ATMOSPHERE) / (6e6 + ATMOSPHERE)) ** (1.0 / n)
    gas = start - 1e-5 * np.asarray(result.time)
    p = (6e6 + ATMOSPHERE) * (start / gas) ** n
    assert result["accumulator.p"] == pytest.approx(p - ATMOSPHERE, rel=1e-6)
    log = np.log(start / gas)
    work = np.expm1((n - 1.0) * log) / (n - 1.0) if n > 1.0 else log
    work = (6e6 + ATMOSPHERE) * start * work - ATMOSPHERE * (start - gas)
    stored = np.asarray(result["accumulator.stored_energy"])
    assert stored - stored[0] == pytest.approx(work, rel=1e-5, abs=1e-3)


def closed_cylinder(cylinder: mk.Part, v: float) -> mk.Model:
    """Return a cylinder with closed ports on a mass of 100 kg that moves at v."""
    model = mk.Model()
    model.cylinder, model.wall = cylinder, translational.Fixed()
    model.mass = translational.Mass(m=100.0, s=0.45, v=v)
    mk.connect(model.wall.flange, model.cylinder.flange_a)
    mk.connect(model.cylinder.flange_b, model.mass.flange_a)
    return model


SIZES = {"A_a": 1e-3, "V_a": 2e-4, "stroke": 0.5, "L_0": 0.2}


def test_a_closed_cylinder_is_a_spring_of_oil():
    cylinder = hydraulic.Cylinder(**SIZES, A_b=6e-4, V_b=1e-4)
    result = closed_cylinder(cylinder, 0.01).simulate(0.05, rtol=1e-8)
    stiffness = BETA * (1e-3**2 / 4.5e-4 + 6e-4**2 / 2.5e-4)
    w = np.sqrt(stiffness / 100.0)
    exact = 0.45 + 0.01 / w * np.sin(w * np.asarray(result.time))
    assert result["mass.s"] == pytest.approx(exact, abs=1e-8)


def test_a_cylinder_keeps_the_energy():
    cylinder = hydraulic.SingleActingCylinder(**SIZES, p_a=2e7)
    result = closed_cylinder(cylinder, 0.0).simulate(1.0, rtol=1e-8)
    kinetic = 50.0 * np.asarray(result["mass.v"]) ** 2
    energy = kinetic + np.asarray(result["cylinder.stored_energy"])
    assert np.ptp(kinetic) > 10.0
    assert energy == pytest.approx(energy[0], abs=1e-4)


def test_a_driven_cylinder_moves_at_the_speed_of_its_flow_up_to_its_stop():
    model = closed_cylinder(hydraulic.SingleActingCylinder(**SIZES, d=1e4), 0.1)
    model.pump = hydraulic.FlowSource(q=1e-4)
    model.relief, model.tank = hydraulic.ReliefValve(A=1e-4), hydraulic.Tank()
    mk.connect(model.pump.port, model.relief.port_a, model.cylinder.port_a)
    mk.connect(model.relief.port_b, model.tank.port)
    result = model.simulate(4.0, interval=0.5)
    v, p = np.asarray(result["mass.v"]), np.asarray(result["cylinder.p_a"])
    assert v[2] == pytest.approx(0.1, rel=1e-3)  # q / A_a
    assert p[2] == pytest.approx(1e4 * 0.1 / 1e-3, rel=1e-2)  # d v / A_a
    assert v[-1] == pytest.approx(0.0, abs=1e-6)
    assert 1e7 < p[-1] < 1.1e7  # of the relief valve
    depth = p[-1] * 1e-3 / 1e8
    assert result["cylinder.x"][-1] == pytest.approx(0.5 + depth, abs=1e-8)


def test_a_pump_drives_a_motor():
    model = mk.Model()
    model.engine, model.tank = rotational.ConstantSpeed(w_fixed=100.0), hydraulic.Tank()
    model.pump = hydraulic.Pump(D=2e-6, G_leak=1e-12)
    model.flow, model.line = hydraulic.FlowSensor(), hydraulic.LineVolume()
    model.gauge = hydraulic.RelPressureSensor()
    model.motor = hydraulic.Motor(D=4e-6, d=0.1)
    model.load = rotational.Inertia(J=1e-3, w=0.0)
    mk.connect(model.engine.flange, model.pump.flange)
    mk.connect(model.pump.port_b, model.flow.port_a)
    mk.connect(model.flow.port_b, model.line.port, model.motor.port_a, model.gauge.port_a)
    mk.connect(model.tank.port, model.pump.port_a, model.motor.port_b, model.gauge.port_b)
    mk.connect(model.motor.flange, model.load.flange_a)
    end = model.simulate(2.0, interval=0.5).sample(-1)
    w = 2e-4 * 4e-6 / (4e-6**2 + 1e-12 * 0.1)  # D_m p = d w, D_m w = D_p w_p − G p
    assert end["load.w"] == pytest.approx(w, rel=1e-4)
    assert end["flow.q"] == pytest.approx(4e-6 * w, rel=1e-4)
    assert end["gauge.p_rel"] == pytest.approx(0.1 * w / 4e-6, rel=1e-4)
    assert end["pump.flange.tau"] == pytest.approx(2e-6 * 0.1 * w / 4e-6, rel=1e-4)


@pytest.mark.parametrize("spool", [0.6, -0.6])
def test_a_directional_valve_opens_one_way_or_the_other(spool):
    model = mk.Model()
    model.pump, model.tank = hydraulic.PressureSource(p=1e7), hydraulic.Tank()
    model.valve = hydraulic.DirectionalValve(A=1e-6, overlap=0.2, dp_transition=1.0)
    model.load = hydraulic.Orifice(A=1e-6, dp_transition=1.0)
    model.a, model.b = hydraulic.LineVolume(V=1e-6), hydraulic.LineVolume(V=1e-6)
    mk.connect(model.pump.port, model.valve.port_p)
    mk.connect(model.tank.port, model.valve.port_t)
    mk.connect(model.valve.port_a, model.a.port, model.load.port_a)
    mk.connect(model.valve.port_b, model.b.port, model.load.port_b)
    spool >> model.valve.spool
    end = model.simulate(0.05, output=2).sample(-1)
    # three orifices in a row, of half, whole and half the area: dp in the ratio 4 : 1 : 4
    dp = np.sign(spool) * 1e7 / 9.0
    assert end["load.dp"] == pytest.approx(dp, rel=1e-4)
    assert end["load.q"] == pytest.approx(
        np.sign(spool) * 0.7e-6 * np.sqrt(2.0 * abs(dp) / 850.0), rel=1e-4
    )
    assert end["valve.lossPower"] == pytest.approx(8.0 * dp * end["load.q"], rel=1e-3)


def test_valves_open_at_their_pressure():
    model = mk.Model()
    model.source, model.ramp = hydraulic.PrescribedPressure(), blocks.Ramp()
    model.ramp.height, model.ramp.duration, model.ramp.offset = 3e7, 1.0, -1e7
    model.forward, model.relief = hydraulic.CheckValve(), hydraulic.ReliefValve()
    model.tank = hydraulic.Tank()
    model.ramp.y >> model.source.p
    mk.connect(model.source.port, model.forward.port_a, model.relief.port_a)
    mk.connect(model.tank.port, model.forward.port_b, model.relief.port_b)
    result = model.simulate(1.0, interval=0.01)
    p = np.asarray(result["source.p"])
    for name, begins, ends in (("forward", 1e4, 1e5), ("relief", 1e7, 1.1e7)):
        q = np.asarray(result[f"{name}.q"])
        full = 0.7e-5 * np.sqrt(2.0 / 850.0) * p / (p * p + 1e8) ** 0.25
        assert np.abs(q[p < begins]).max() < 1e-6 * full.max()
        assert q[p > ends] == pytest.approx(full[p > ends], rel=1e-6)


def boom(phi: float = 0.3) -> mk.Model:
    """Return a boom that a cylinder of two frames holds."""
    model = mk.Model()
    model.world, model.hinge = mk.World(), mk.Revolute(phi=phi)
    model.bar = mk.BodyBox(r=(2, 0, 0), width=0.2, density=2000.0)
    model.head = mk.FixedTranslation(r=(0.5, -1.0, 0))
    model.eye = mk.FixedTranslation(r=(1.2, -0.1, 0))
    model.cylinder = hydraulic.CylinderBetweenFrames(
        A_a=5e-3, A_b=3e-3, V_a=1e-3, V_b=1e-3, stroke=0.8, L_0=0.9, p_a=4e6
    )
    mk.connect(model.world.frame_b, model.hinge.frame_a, model.head.frame_a)
    mk.connect(model.hinge.frame_b, model.bar.frame_a, model.eye.frame_a)
    mk.connect(model.head.frame_b, model.cylinder.frame_a)
    mk.connect(model.eye.frame_b, model.cylinder.frame_b)
    return model


def test_a_cylinder_between_frames_has_the_lever_of_its_line():
    result = boom().simulate(0.5, rtol=1e-8)
    e = result.energy()
    energy = e["kinetic"] + e["potential"] + np.asarray(result["cylinder.stored_energy"])
    stored = np.ptp(np.asarray(result["cylinder.stored_energy"]))
    assert stored > 5.0
    assert energy == pytest.approx(energy[0], abs=1e-4)
    phi, x = np.asarray(result["hinge.phi"]), np.asarray(result["cylinder.x"])
    turned = np.array([[np.cos(phi), -np.sin(phi)], [np.sin(phi), np.cos(phi)]])
    eye = np.einsum("ijk,j->ik", turned, (1.2, -0.1))
    length = np.hypot(eye[0] - 0.5, eye[1] + 1.0)
    assert x == pytest.approx(length - 0.9, abs=1e-9)


def test_wrong_values_and_connections_are_refused():
    with pytest.raises(ParameterError, match="p_full"):
        model = drained(hydraulic.ReliefValve(p_open=2e7, p_full=1e7))
        model.compile()
    with pytest.raises(ParameterError, match="overlap"):
        model = mk.Model()
        model.valve = hydraulic.DirectionalValve(overlap=1.0)
        model.compile()
    with pytest.raises(ParameterError, match=r"V = 0"):
        hydraulic.LineVolume(V=0.0)
    model = mk.Model()
    model.tank, model.room = hydraulic.Tank(), mk.heat.FixedTemperature()
    with pytest.raises(PortError, match="hydraulic port"):
        mk.connect(model.tank.port, model.room.port)


def test_a_line_that_is_drained_cavitates():
    """V p / β − α V p_atm / (p + p_atm) falls by what is drawn; the pressure stays absolute."""
    model = mk.Model()
    model.line = hydraulic.LineVolume(V=1e-3, alpha=0.01, p=2e5)
    model.pull = hydraulic.FlowSource(q=-1e-4)
    mk.connect(model.line.port, model.pull.port)
    result = model.simulate(2.0)
    p = np.asarray(result["line.p"])
    gas = 0.01 * 1e-3 * ATMOSPHERE / (p + ATMOSPHERE)
    drawn = gas - gas[0] - 1e-3 * (p - p[0]) / BETA
    assert drawn == pytest.approx(1e-4 * np.asarray(result.time), abs=2e-4 * 1e-4)
    assert -ATMOSPHERE < p[-1] < -0.9 * ATMOSPHERE
    # the energy that it gives is ∫ p q dt
    energy = np.asarray(result.energy()["stored"])
    t = np.asarray(result.time)
    power = -1e-4 * p
    work = np.sum(0.5 * (power[1:] + power[:-1]) * np.diff(t))
    assert energy[-1] - energy[0] == pytest.approx(work, rel=1e-3)


def test_without_gas_a_pull_lowers_the_pressure_of_a_line_without_limit():
    model = mk.Model()
    model.line, model.pull = (
        hydraulic.LineVolume(V=1e-3, p=0.0),
        hydraulic.FlowSource(q=-1e-6),
    )
    mk.connect(model.line.port, model.pull.port)
    result = model.simulate(1.0)
    assert result["line.p"][-1] == pytest.approx(-BETA * 1e-6 / 1e-3)
