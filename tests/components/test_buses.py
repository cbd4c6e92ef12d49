"""Buses: signals by name, nested and connected, as if their ports were connected directly."""

from __future__ import annotations

import numpy as np
import pytest

import motorik as mk
from motorik import blocks
from motorik.errors import PortError
from motorik.exchange.modelica import read
from tests.refusals import refused


class Axis(mk.Model):
    """A first-order plant with a controller, both on a bus of the axis."""

    def build(self) -> None:
        self.bus = blocks.Bus()
        self.error, self.gain = blocks.Feedback(), blocks.Gain(k=4.0)
        self.plant = blocks.FirstOrder()
        self.bus["reference"] >> self.error.u1
        self.bus["value"] >> self.error.u2
        self.error.y >> self.gain.u
        self.gain.y >> self.bus["input"]
        self.bus["input"] >> self.plant.u
        self.plant.y >> self.bus["value"]


class Plan(mk.Model):
    """References of two axes on a bus."""

    def build(self) -> None:
        self.bus = blocks.Bus()
        self.first, self.second = blocks.Sine(f=1.0), blocks.Ramp()
        self.moving = blocks.BooleanStep(startTime=0.5)
        self.first.y >> self.bus.nested("axis1")["reference"]
        self.second.y >> self.bus.nested("axis2")["reference"]
        self.moving.y >> self.bus.nested("axis1")["moving"]


def machine() -> mk.Model:
    """Return two axes and a plan that are connected by nested buses."""
    model = mk.Model()
    model.bus = blocks.Bus()
    model.plan, model.axis1, model.axis2 = Plan(), Axis(), Axis()
    model.axis1.bus >> model.bus.nested("axis1")
    model.connect(model.plan.bus, model.bus)
    model.bus.nested("axis2") >> model.axis2.bus
    model.inverse = blocks.Not()
    model.bus.nested("axis1")["moving"] >> model.inverse.u
    return model


def test_a_bus_is_what_direct_connections_are():
    result = machine().simulate(1.0, rtol=1e-9)
    direct = mk.Model()
    direct.first, direct.second = blocks.Sine(f=1.0), blocks.Ramp()
    for k, source in enumerate((direct.first, direct.second), 1):
        error, gain, plant = blocks.Feedback(), blocks.Gain(k=4.0), blocks.FirstOrder()
        for name, part in (("error", error), ("gain", gain), ("plant", plant)):
            setattr(direct, f"{name}{k}", part)
        source.y >> error.u1
        plant.y >> error.u2
        error.y >> gain.u
        gain.y >> plant.u
    wanted = direct.simulate(1.0, rtol=1e-9)
    for k in (1, 2):
        assert result[f"axis{k}.plant.y"] == pytest.approx(wanted[f"plant{k}.y"], abs=1e-10)
        assert np.array_equal(result[f"bus.axis{k}.value"], result[f"axis{k}.plant.y"])
    assert np.array_equal(result["inverse.y"], 1.0 * (result.time < 0.5))


def test_signals_of_several_elements_have_one_name():
    model = mk.Model()
    model.bus, model.outer = blocks.Bus(), blocks.Bus()
    model.plan = blocks.KinematicPTP2(q_end=(1.0, 2.0))
    model.gain = blocks.MatrixGain(K=((1.0, 1.0),))
    model.bus >> model.outer
    model.plan.q >> model.bus["q"]
    model.outer["q"] >> model.gain.u
    result = model.simulate(1.0)
    assert result["gain.y"] == pytest.approx(result["plan.q"].sum(axis=1))


def test_what_nobody_or_two_write_is_refused_by_name():
    model = machine()
    model.reader = blocks.Gain()
    model.bus.nested("axis1")["torque"] >> model.reader.u
    with refused(PortError, "bus.axis1.torque", "reader.u", "nobody writes it"):
        model.simulate(0.1)
    model.one, model.other = blocks.Constant(), blocks.Constant()
    model.one.y >> model.bus.nested("axis1")["torque"]
    model.simulate(0.1)
    model.other.y >> model.axis1.bus["torque"]
    with refused(PortError, "torque", "one.y", "other.y", "one part"):
        model.simulate(0.1)


def test_a_number_may_write_a_signal():
    model = mk.Model()
    model.bus, model.gain = blocks.Bus(), blocks.Gain(k=3.0)
    model.bus["level"] >> model.gain.u
    2.0 >> model.bus["level"]
    assert model.simulate(0.1)["gain.y"][-1] == 6.0


def test_names_and_types_of_a_bus_are_checked():
    model = machine()
    with refused(PortError, "bus.axis1", "is a bus", "another name"):
        model.bus["axis1"]
    with refused(PortError, "axis1.bus.value", "is a signal", "another name"):
        model.axis1.bus.nested("value")
    with refused(PortError, "bus", "'a b'", "letters"):
        model.bus["a b"]
    with refused(PortError, "bus", "cannot be connected", "another bus"):
        model.bus >> model.axis1.gain.u
    model.gain = blocks.Gain()
    with refused(PortError, "Boolean values", "BooleanToReal"):
        model.bus.nested("axis1")["moving"] >> model.gain.u


def test_buses_are_read_from_modelica():
    home = "Modelica.Mechanics.MultiBody.Examples.Systems.RobotR3.Utilities"

    def component(name, type_name, **modifiers):
        return {"name": name, "type": type_name, "modifiers": modifiers}

    plant = {
        "components": [
            component("axisControlBus", f"{home}.AxisControlBus"),
            component("gain", "Modelica.Blocks.Math.Gain", k="3"),
        ],
        "connections": [
            ("axisControlBus.angle_ref", "gain.u"),
            ("gain.y", "axisControlBus.angle"),
        ],
    }
    whole = {
        "components": [
            component("controlBus", f"{home}.ControlBus"),
            component("axis", "Own.Plant"),
            component("ramp", "Modelica.Blocks.Sources.Ramp", duration="1"),
            component("pass", "Modelica.Blocks.Routing.RealPassThrough"),
        ],
        "connections": [
            ("ramp.y", "pass.u"),
            ("pass.y", "controlBus.axisControlBus1.angle_ref"),
            ("controlBus.axisControlBus1", "axis.axisControlBus"),
        ],
    }
    data = {"Own.Plant": plant | {"extends": []}, "Own.M": whole | {"extends": []}}
    result = read("Own.M", data).model.simulate(1.0)
    assert result["controlBus.axisControlBus1.angle"] == pytest.approx(3.0 * result.time)


def test_a_component_with_the_name_of_a_method_is_read():
    """`path` is an attribute of every model: the part has an underscore, signals keep the name."""
    parts = [
        {
            "name": "path",
            "type": "Modelica.Blocks.Sources.Ramp",
            "modifiers": {"height": "2"},
        },
        {
            "name": "end",
            "type": "Modelica.Blocks.Logical.TerminateSimulation",
            "modifiers": {"condition": "path.y >= 1"},
        },
        {"name": "gain", "type": "Modelica.Blocks.Math.Gain", "modifiers": {"k": "3"}},
    ]
    data = {
        "Own.M": {"components": parts, "connections": [("path.y", "gain.u")], "extends": []}
    }
    reading = read("Own.M", data)
    result = reading.model.simulate(3.0)
    assert result.time[-1] == pytest.approx(1.0)
    assert reading.signal(result, "path.y") == pytest.approx(result.time)
