"""A flange with its bearing, connected as one: the reaction of a rotor acts on its housing."""

from __future__ import annotations

import pytest

import motorik as mk
from motorik import parts, rotational
from motorik.errors import PortError
from motorik.exchange.modelica import read
from tests.refusals import refused


class Motor(mk.Model):
    """A rotor that a torque from outside turns, behind one connector."""

    def build(self) -> None:
        self.fwb = parts.FlangeWithBearing(includeBearingConnector=True)
        self.torque = rotational.ConstantTorque(tau_constant=2.0)
        self.rotor = parts.Rotor1D(J=0.1, n="z")
        mk.connect(self.torque.flange, self.rotor.flange_a)
        mk.connect(self.rotor.flange_b, self.fwb.flange)
        mk.connect(self.fwb.bearingFrame, self.rotor.frame_a)


def carried(by_connector: bool) -> mk.Model:
    """Return a motor on a body that turns freely, with a load, by one connector or two ports."""
    model = mk.Model()
    model.world, model.motor = mk.World(g=0.0), Motor()
    model.load = rotational.Inertia(J=0.3, phi=0.0, w=0.0)
    model.hinge, model.body = (
        mk.Revolute(n="z"),
        mk.Body(m=1.0, I_11=1.0, I_22=1.0, I_33=1.0),
    )
    mk.connect(model.world.frame_b, model.hinge.frame_a)
    mk.connect(model.hinge.frame_b, model.body.frame_a)
    if by_connector:
        model.adaptor = parts.FlangeWithBearingAdaptor(includeBearingConnector=True)
        model.motor.fwb >> model.adaptor.fwb
        mk.connect(model.adaptor.flange, model.load.flange_a)
        mk.connect(model.hinge.frame_b, model.adaptor.frame)
    else:
        mk.connect(model.motor.fwb.flange, model.load.flange_a)
        mk.connect(model.hinge.frame_b, model.motor.fwb.bearingFrame)
    return model


def test_one_connector_is_its_flange_and_its_frame():
    one, two = (carried(by_connector).simulate(1.0) for by_connector in (True, False))
    for name in ("load.w", "hinge.w"):
        assert one[name][-1] == two[name][-1] != 0.0


def test_connectors_that_do_not_fit_are_refused():
    model = mk.Model()
    model.a, model.b = (
        parts.FlangeWithBearing(),
        parts.FlangeWithBearing(includeBearingConnector=True),
    )
    with refused(PortError, "includeBearingConnector is False here and True of b", "same"):
        model.a >> model.b
    model.wheel = rotational.Inertia()
    with refused(PortError, "cannot be connected with wheel.flange_a", "bearingFrame"):
        model.a >> model.wheel.flange_a


def test_connectors_of_files_are_connected_as_a_whole():
    def part(name: str, kind: str, **given: str) -> dict[str, object]:
        return {"name": name, "type": f"Modelica.Mechanics.{kind}", "modifiers": given}

    components = [
        part("fwb", "MultiBody.Interfaces.FlangeWithBearing"),
        part("adaptor", "MultiBody.Interfaces.FlangeWithBearingAdaptor"),
        part("wheel", "Rotational.Components.Inertia", J="2"),
        part("torque", "Rotational.Sources.ConstantTorque", tau_constant="3"),
    ]
    connections = [
        ["fwb", "adaptor.fwb"],
        ["torque.flange", "fwb.flange"],
        ["adaptor.flange", "wheel.flange_a"],
    ]
    data = {"M": {"components": components, "connections": connections}}
    result = read("M", data).model.simulate(1.0)
    assert result["wheel.w"][-1] == pytest.approx(1.5)
