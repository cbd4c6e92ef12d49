"""Components that a model replaces in what it inherits."""

from __future__ import annotations

from typing import Any

import pytest

from motorik import rotational
from motorik.exchange.modelica import ModelicaError, read

LINES = "Modelica.Mechanics.Rotational.Components"


def drive(kind: str, **modifiers: Any) -> Any:
    """Return the model of a file that declares a load again, inheriting the rest."""
    base = {
        "components": [
            {"name": "rotor", "type": f"{LINES}.Inertia", "modifiers": {"J": "2"}},
            {"name": "load", "type": f"{LINES}.Inertia", "modifiers": {"J": "1"}},
            {"name": "shaft", "type": f"{LINES}.Spring", "modifiers": {"c": "10"}},
        ],
        "connections": [
            ["rotor.flange_b", "shaft.flange_a"],
            ["shaft.flange_b", "load.flange_a"],
        ],
    }
    own = {
        "components": [{"name": "load", "type": kind, "modifiers": modifiers}],
        "extends": [{"base": "Own.Base", "modifiers": {"shaft": {"c": "30"}}}],
    }
    return read("Own.M", {"Own.Base": base, "Own.M": own}).model


def test_a_component_of_a_base_is_replaced_and_keeps_its_connections():
    model = drive(f"redeclare {LINES}.IdealGear", ratio="3")
    assert isinstance(model.load, rotational.IdealGear) and model.load.ratio == 3.0
    assert model.shaft.c == 30.0
    assert model.rotor.J == 2.0
    assert any(model.load.flange_a in pair for pair in model.connections)


def test_the_same_name_without_a_redeclaration_is_refused():
    with pytest.raises(ModelicaError, match="is declared in"):
        drive(f"{LINES}.IdealGear")


def test_a_redeclaration_of_nothing_is_refused():
    component = {"name": "load", "type": f"redeclare {LINES}.Inertia"}
    with pytest.raises(ModelicaError, match="no base has it"):
        read("Own.M", {"Own.M": {"components": [component]}})
