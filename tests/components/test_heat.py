"""Heat transfer against closed forms."""

from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.linalg import expm

import motorik as mk
from motorik import blocks, heat
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
