"""Circuits of Modelica.Electrical.Analog, read from descriptions, move as those written here."""

from __future__ import annotations

import numpy as np
import pytest

from motorik import electrical
from motorik.errors import MotorikError
from motorik.exchange.modelica import read
from motorik.exchange.modelica.registry import PARTS

ANALOG = "Modelica.Electrical.Analog"


def described(parts: dict[str, tuple[str, dict[str, str]]], *wires: str) -> dict:
    """Return the description of a model of parts (type and modifiers) and wires "a.p b.n"."""
    components = [
        {"name": name, "type": kind, "modifiers": given}
        for name, (kind, given) in parts.items()
    ]
    connections = [wire.split() for wire in wires]
    return {"Own.M": {"components": components, "connections": connections, "extends": []}}


def test_a_circuit_is_read_with_its_start_value():
    data = described(
        {
            "u": (f"{ANALOG}.Sources.ConstantVoltage", {"V": "10"}),
            "r": (f"{ANALOG}.Basic.Resistor", {"R": "2", "alpha": "0.01", "T": "350.15"}),
            "c": (
                f"{ANALOG}.Basic.Capacitor",
                {"C": "0.01", "v": {"start": "4", "fixed": "true"}},
            ),
            "g": (f"{ANALOG}.Basic.Ground", {}),
        },
        *("u.p r.p", "r.n c.p", "c.n u.n", "g.p u.n"),
    )
    result = read("Own.M", data).model.simulate(0.1)
    t, v = np.asarray(result.time), np.asarray(result["c.v"])
    assert v == pytest.approx(10.0 - 6.0 * np.exp(-t / 0.03), abs=1e-5)


def test_a_heated_part_is_read_with_its_heat_port():
    data = described(
        {
            "i": (f"{ANALOG}.Sources.ConstantCurrent", {"I": "2"}),
            "r": (f"{ANALOG}.Basic.Resistor", {"R": "3", "useHeatPort": "true"}),
            "g": (f"{ANALOG}.Basic.Ground", {}),
            "c": ("Modelica.Thermal.HeatTransfer.Components.HeatCapacitor",
                  {"C": "4", "T": {"start": "300", "fixed": "true"}}),
        },
        *("i.p r.p", "r.n i.n", "g.p i.n", "r.heatPort c.port"),
    )  # fmt: skip
    result = read("Own.M", data).model.simulate(2.0)
    assert result["c.T"][-1] == pytest.approx(300.0 + 12.0 * 2.0 / 4.0)


def test_a_motor_is_read_with_its_shaft():
    data = described(
        {
            "u": (f"{ANALOG}.Sources.ConstantVoltage", {"V": "10"}),
            "r": (f"{ANALOG}.Basic.Resistor", {"R": "2"}),
            "emf": (f"{ANALOG}.Basic.RotationalEMF", {"k": "0.5"}),
            "g": (f"{ANALOG}.Basic.Ground", {}),
            "j": ("Modelica.Mechanics.Rotational.Components.Inertia",
                  {"J": "0.1", "w": {"start": "0", "fixed": "true"}}),
        },
        *("u.p r.p", "r.n emf.p", "emf.n u.n", "g.p u.n", "emf.flange j.flange_a"),
    )  # fmt: skip
    result = read("Own.M", data).model.simulate(1.0)
    t, w = np.asarray(result.time), np.asarray(result["j.w"])
    assert w == pytest.approx(20.0 * (1.0 - np.exp(-1.25 * t)), abs=1e-4)


def test_every_electrical_part_of_the_window_has_its_name_in_modelica():
    read_kinds = {entry.part for name, entry in PARTS.items() if name.startswith(ANALOG)}
    own = {getattr(electrical, name) for name in electrical.__all__}
    others = {electrical.OnePort, electrical.TwoPort, electrical.DCMotor}
    assert own - read_kinds == others


def test_an_unknown_modifier_is_refused_by_name():
    data = described({"r": (f"{ANALOG}.Basic.Resistor", {"Rx": "2"})})
    with pytest.raises(MotorikError, match="Rx"):
        read("Own.M", data)
