"""Heat transfer against closed forms."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.linalg import expm

import motorik as mk
from motorik import blocks, heat, joints, rotational
from motorik.errors import EquationError, ParameterError, PortError
from motorik.exchange.modelica import read_model
from tests.refusals import refused

C = np.array([100.0, 50.0, 200.0])
START = np.array([400.0, 300.0, 280.0])


class Chain(mk.Model):
    """Three bodies in a row, heated at one end and cooled by air at the other."""

    def build(self) -> None:
        self.a, self.b, self.c = (heat.HeatCapacitor(C=C[k], T=START[k]) for k in range(3))
        self.ab, self.bc = heat.ThermalConductor(G=2.0), heat.ThermalResistor(R=0.2)
        self.air, self.h = heat.Convection(), blocks.Constant(k=1.5)
        self.room = heat.FixedTemperature(T=290.0)
        self.heater = heat.FixedHeatFlow(Q_flow=30.0, alpha=1e-3)
        self.sensor, self.above = heat.TemperatureSensor(), heat.RelTemperatureSensor()
        self.flow = heat.HeatFlowSensor()
        mk.connect(self.heater.port, self.a.port, self.ab.port_a, self.above.port_a)
        mk.connect(self.ab.port_b, self.b.port, self.bc.port_a, self.sensor.port)
        mk.connect(self.bc.port_b, self.c.port, self.flow.port_a)
        mk.connect(self.flow.port_b, self.air.solid)
        mk.connect(self.air.fluid, self.room.port, self.above.port_b)
        self.h.y >> self.air.Gc


def test_a_chain_of_bodies_follows_the_matrix_exponential():
    result = Chain().simulate(100.0, interval=5.0)
    A = np.array([[-2.0 + 0.03, 2.0, 0.0], [2.0, -7.0, 5.0], [0.0, 5.0, -6.5]]) / C[:, None]
    b = np.array([30.0 * (1.0 - 0.29315), 0.0, 1.5 * 290.0]) / C
    rest = np.linalg.solve(A, -b)
    exact = [rest + expm(A * t) @ (START - rest) for t in np.asarray(result.time)]
    a, _, c = np.transpose(exact)
    for name, T in zip("abc", np.transpose(exact), strict=True):
        assert result[f"{name}.T"] == pytest.approx(T, abs=1e-3)
    assert result["sensor.T"] == pytest.approx(np.asarray(result["b.T"]))
    assert result["above.T_rel"] == pytest.approx(a - 290.0, abs=1e-3)
    assert result["flow.Q_flow"] == pytest.approx(1.5 * (c - 290.0), abs=1e-3)


def test_a_radiating_body_cools_as_the_cube_root_of_time():
    model = mk.Model()
    model.body = heat.HeatCapacitor(C=10.0, T=1000.0)
    model.radiation = heat.BodyRadiation(Gr=0.01)
    model.space = heat.FixedTemperature(T=0.0)
    mk.connect(model.body.port, model.radiation.port_a)
    mk.connect(model.radiation.port_b, model.space.port)
    result = model.simulate(100.0, rtol=1e-8)
    k = 0.01 * 5.670374419e-8 / 10.0
    exact = (1000.0**-3 + 3.0 * k * np.asarray(result.time)) ** (-1.0 / 3.0)
    assert result["body.T"] == pytest.approx(exact, rel=1e-6)


def test_given_temperatures_and_flows_are_signals():
    model = mk.Model()
    model.bath, model.warm = heat.PrescribedTemperature(), blocks.Constant(k=320.0)
    model.wall, model.r = heat.ConvectiveResistor(), blocks.Constant(k=0.5)
    model.body = heat.HeatCapacitor(C=4.0, der_T=0.0)  # in equilibrium
    model.lamp, model.power = heat.PrescribedHeatFlow(), blocks.Constant(k=10.0)
    model.collector = heat.ThermalCollector()
    model.warm.y >> model.bath.T
    model.r.y >> model.wall.Rc
    model.power.y >> model.lamp.Q_flow
    mk.connect(model.wall.solid, model.bath.port)
    mk.connect(model.wall.fluid, model.collector.port_a, model.lamp.port)
    mk.connect(model.collector.port_b, model.body.port)
    result = model.simulate(1.0, output=2)
    assert np.asarray(result["body.T"]) == pytest.approx(325.0)
    assert np.asarray(result["wall.Q_flow"]) == pytest.approx(-10.0)


def test_a_heated_body_is_read_from_modelica(tmp_path):
    library = "Modelica.Thermal.HeatTransfer"
    parts = {
        "body": ("Components.HeatCapacitor", {"C": "15", "T": {"start": "300", "fixed": "true"}}),
        "wall": ("Components.ThermalConductor", {"G": "3"}),
        "room": ("Sources.FixedTemperature", {"T": "290"}),
    }  # fmt: skip
    components = [
        {"name": name, "type": f"{library}.{kind}", "modifiers": given}
        for name, (kind, given) in parts.items()
    ]
    wires = [["body.port", "wall.port_a"], ["wall.port_b", "room.port"]]
    described = {"components": components, "connections": wires}
    file = tmp_path / "models.json"
    file.write_text(json.dumps({"Cooling": described}))
    result = read_model("Cooling", file).simulate(5.0, output=2)
    assert result["body.T"][-1] == pytest.approx(290.0 + 10.0 / np.e, abs=1e-4)


def test_two_temperatures_at_one_place_are_refused():
    model = mk.Model()
    model.hot, model.cold = heat.FixedTemperature(T=400.0), heat.FixedTemperature(T=300.0)
    mk.connect(model.hot.port, model.cold.port)
    with refused(EquationError, "cold, hot", "one equation too many", "Remove"):
        model.compile()


def test_wrong_values_and_connections_are_refused():
    with pytest.raises(ParameterError, match=r"G = -1.*W/K"):
        heat.ThermalConductor(G=-1.0)
    model = mk.Model()
    model.body, model.shaft = heat.HeatCapacitor(), mk.rotational.Inertia()
    with pytest.raises(PortError, match="heat port"):
        mk.connect(model.body.port, model.shaft.flange_a)  # type: ignore[type-var]


# --- losses of drive lines ---------------------------------------------------------------------


def lossy_line(part: mk.Part, **given: float) -> mk.Result:
    """Run a part between two inertias, its losses warming a body of 10 J/K."""
    model = mk.Model()
    model.part, model.body = part, heat.HeatCapacitor(C=10.0, T=300.0)
    model.a, model.b = rotational.Inertia(J=1.0, w=5.0), rotational.Inertia(J=2.0, **given)
    mk.connect(model.a.flange_b, model.part.flange_a)
    mk.connect(model.part.flange_b, model.b.flange_a)
    mk.connect(model.part.heatPort, model.body.port)
    if "f_normalized" in {port.name for port in part.ports()}:
        0.5 >> model.part.f_normalized
    return model.simulate(2.0, interval=0.1)


@pytest.mark.parametrize(
    "part",
    [
        rotational.SpringDamper(c=5.0, d=0.5),
        rotational.ElastoBacklash(c=50.0, d=0.5, b=0.1),
        rotational.Clutch(fn_max=4.0),
        rotational.Brake(fn_max=4.0),
        rotational.LossyGear(ratio=2.0, lossTable=((0.0, 0.9, 0.9, 0.1, 0.1),)),
    ],
    ids=lambda part: type(part).__name__,
)
def test_lost_energy_warms_a_body(part):
    apart = not isinstance(part, (rotational.Brake, rotational.LossyGear))
    result = lossy_line(part, **({"w": 0.0} if apart else {}))
    warmth = 10.0 * (np.asarray(result["body.T"]) - 300.0)
    stores = isinstance(part, (rotational.SpringDamper, rotational.ElastoBacklash))
    stored = np.asarray(result["part.stored_energy"]) if stores else 0.0
    energy = result.energy()["kinetic"] + stored + warmth
    assert energy == pytest.approx(energy[0], abs=2e-4)
    assert warmth[-1] > 0.5
    assert result["part.heatPort.Q_flow"] == pytest.approx(-result["part.lossPower"])


def test_an_eddy_current_brake_has_the_temperature_of_its_heat_port():
    model = mk.Model()
    model.wheel = rotational.Inertia(J=1.0, w=5.0)
    model.brake = rotational.EddyCurrentTorque(tau_nominal=1.0, w_nominal=3.0, alpha20=4e-3)
    model.disk = heat.HeatCapacitor(C=0.5, T=300.0)
    mk.connect(model.wheel.flange_b, model.brake.flange)
    mk.connect(model.brake.heatPort, model.disk.port)
    result = model.simulate(3.0, interval=0.1)
    T, w = np.asarray(result["disk.T"]), np.asarray(result["wheel.w"])
    assert 0.5 * w**2 + 0.5 * (T - 300.0) == pytest.approx(12.5, abs=1e-4)
    r = w / (3.0 * (1.0 + 4e-3 * (T - 293.15)))
    assert result["brake.tau"] == pytest.approx(-2.0 * r / (1.0 + r * r), rel=1e-6)


def test_a_heat_port_that_is_not_connected_is_refused():
    model = mk.Model()
    model.wheel, model.damper = rotational.Inertia(), rotational.Damper(useHeatPort=True)
    model.wall = rotational.Fixed()
    mk.connect(model.wheel.flange_b, model.damper.flange_a)
    mk.connect(model.damper.flange_b, model.wall.flange)
    with refused(EquationError, "damper", "damper.heatPort", ""):
        model.compile()


def test_friction_of_a_joint_heats_what_its_heat_port_is_connected_to():
    """All of ½ I w² becomes heat, and the temperature rises by it through C."""
    model = mk.Model()
    model.world = mk.World()
    model.hinge = mk.Revolute(
        n="z", friction=joints.Coulomb(tau=0.5), useHeatPort=True, phi=0.0, w=10.0
    )
    model.disk = mk.Body(m=1.0, I_11=0.1, I_22=0.1, I_33=0.1)
    model.housing = heat.HeatCapacitor(C=5.0, T=300.0)
    mk.connect(model.world.frame_b, model.hinge.frame_a)
    mk.connect(model.hinge.frame_b, model.disk.frame_a)
    mk.connect(model.hinge.heatPort, model.housing.port)
    result = model.simulate(3.0)
    assert result["housing.T"][-1] == pytest.approx(300.0 + 0.5 * 0.1 * 100.0 / 5.0)
    model.hinge.friction = None
    with refused(ParameterError, "hinge: has a heat port, and no friction", "useHeatPort"):
        model.simulate(1.0)


def test_the_heat_port_of_a_part_of_several_parts_shows_their_sum():
    model = mk.Model()
    model.gear = rotational.Gearbox(ratio=2.0, b=0.01, c=1e4, d=5.0, useHeatPort=True)
    model.motor, model.load = rotational.Inertia(J=1.0, w=3.0), rotational.Inertia(J=1.0)
    model.iron = heat.HeatCapacitor(C=10.0)
    model.connect(model.motor.flange_b, model.gear.flange_a)
    model.connect(model.gear.flange_b, model.load.flange_a)
    model.connect(model.gear.heatPort, model.iron.port)
    result = model.simulate(0.1, output=5)
    flow = result["gear.heatPort.Q_flow"]
    assert flow.min() < -1.0 and result.unit("gear.heatPort.Q_flow") == "W"
    np.testing.assert_allclose(flow, -result["iron.port.Q_flow"], rtol=1e-12)
    np.testing.assert_array_equal(result["gear.heatPort.T"], result["iron.T"])
