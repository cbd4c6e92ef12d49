"""Parts with friction, play and stops, read from structure data: they run and show their modes."""

from __future__ import annotations

import numpy as np
import pytest

from motorik import Model
from motorik.exchange.modelica import read_model

ROTATIONAL = "Modelica.Mechanics.Rotational"
TRANSLATIONAL = "Modelica.Mechanics.Translational"
FRICTION = ("mode", "locked", "stuck", "startForward", "startBackward", "lossPower")
BODIES = {
    ROTATIONAL: ("Inertia", "w", {"J": "2"}),
    TRANSLATIONAL: ("Mass", "v", {"m": "2"}),
}


def component(name: str, kind: str, **modifiers: object) -> dict[str, object]:
    """Return a component as the structure data has it."""
    return {"name": name, "type": kind, "modifiers": modifiers}


def line(library: str, kind: str, signals: tuple[str, ...] = (), **modifiers) -> dict:
    """Return the structure of a `part` behind a moving body and, if it may, before another."""
    body, speed, inertia = BODIES[library]
    fast = {"start": "3", "fixed": "true"}
    parts = [
        component("first", f"{library}.Components.{body}", **inertia, **{speed: fast}),
        component("part", f"{library}.Components.{kind}", **modifiers),
    ]
    pairs = []
    if kind in ONE_SIDED:
        pairs.append(["first.flange_b", f"part.{ONE_SIDED[kind]}"])
    else:
        parts.append(component("last", f"{library}.Components.{body}", **inertia))
        pairs += [["first.flange_b", "part.flange_a"], ["part.flange_b", "last.flange_a"]]
    for signal in signals:
        parts.append(
            component(f"set_{signal}", "Modelica.Blocks.Sources.Constant", k="0.8")
        )
        pairs.append([f"set_{signal}.y", f"part.{signal}"])
    base = {"base": "Modelica.Icons.Example", "modifiers": {}}
    return {
        "components": parts,
        "connections": pairs,
        "extends": [base],
        "other_equations": 0,
    }


ONE_SIDED = {"RollingResistance": "flange", "Vehicle": "flangeT"}
MU = {"mu_pos": "[0,0.5;10,0.3]", "fn_max": "4", "peak": "1.1", "w_small": "1e8"}
LOSSES = {"ratio": "2", "lossTable": "[0,0.9,0.8,0.1,0.2]"}
SOFT = {"c": "200", "d": "2"}
FN = ("f_normalized",)
# library, kind, signals, modifiers, variables of Modelica that are shown
CASES = [
    (ROTATIONAL, "Clutch", FN, MU, (*FRICTION, "phi_rel", "w_rel", "tau", "fn")),
    (ROTATIONAL, "Brake", FN, MU, (*FRICTION, "phi", "w", "tau", "fn")),
    (ROTATIONAL, "OneWayClutch", FN, MU, (*FRICTION, "w_rel", "tau", "fn")),
    (ROTATIONAL, "BearingFriction", (), {"tau_pos": "{{0,1},{5,2}}"}, (*FRICTION, "tau")),
    (ROTATIONAL, "LossyGear", (), LOSSES, ("mode", "locked", "stuck", "startForward", "lossPower")),
    (ROTATIONAL, "ElastoBacklash", (), SOFT | {"b": "0.1"}, ("phi_rel", "tau", "lossPower")),
    (ROTATIONAL, "ElastoBacklash2", (), SOFT | {"b": "0.1"}, ("phi_rel", "tau", "lossPower")),
    (ROTATIONAL, "Gearbox", (), LOSSES | SOFT, ("phi_rel", "w_rel", "lossyGear.mode")),
    (TRANSLATIONAL, "Brake", FN, {"fn_max": "4", "v_small": "1e-3"}, (*FRICTION, "s", "f")),
    (TRANSLATIONAL, "SupportFriction", (), {"f_pos": "[0,1;5,2]"}, (*FRICTION, "f")),
    (TRANSLATIONAL, "MassWithStopAndFriction", (),
     {"m": "1", "L": "0.1", "smax": "1", "smin": "-1", "F_prop": "1", "F_Coulomb": "2",
      "F_Stribeck": "1", "fexp": "2"}, (*FRICTION, "s", "v", "a", "f")),
    (TRANSLATIONAL, "ElastoGap", (), SOFT | {"s_rel0": "0.1"}, ("contact", "f", "lossPower")),
    (TRANSLATIONAL, "RollingResistance", ("inclination", "cr"),
     {"fWeight": "10", "useCrInput": "true", "useInclinationInput": "true"}, ("f", "s", "v")),
    (TRANSLATIONAL, "Vehicle", (),
     {"m": "1", "J": "0.1", "R": "0.3", "A": "1", "Cd": "0.5", "CrConstant": "0.01"},
     ("s", "v", "a")),
]  # fmt: skip
NAMES = [f"{case[0].rsplit('.', 1)[1]} {case[1]}" for case in CASES]


def built(library: str, kind: str, signals: tuple[str, ...], modifiers: dict) -> Model:
    """Return the model of the structure data."""
    name = f"{library}.Examples.M"
    return read_model(name, {name: line(library, kind, signals, **modifiers)})


@pytest.mark.kinds(7)
@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_a_part_is_built_from_structure_data_and_shows_modelicas_variables(case):
    library, kind, signals, modifiers, shown = case
    model = built(library, kind, signals, modifiers)
    assert type(model.parts["part"]).__name__ == kind
    result = model.simulate(2.0, rtol=1e-8)
    assert result.complete
    for name in shown:
        assert np.isfinite(result[f"part.{name}"]).all(), name
    if "mode" in shown:  # it slides at first; a free wheel holds what overtakes it
        assert abs(result["part.mode"][0]) == (0.0 if kind == "OneWayClutch" else 1.0)
        np.testing.assert_array_equal(
            result["part.mode"] == 0.0, result["part.locked"] == 1.0
        )
    if "lossPower" in shown:
        assert result["part.lossPower"].min() >= -1e-9


HEATED = [case for case in CASES if case[1] not in ONE_SIDED]


@pytest.mark.parametrize(
    "case", HEATED, ids=[f"{case[0][-8:]} {case[1]}" for case in HEATED]
)
def test_a_heat_port_is_there_where_it_is_demanded(case):
    library, kind, signals, modifiers, _ = case
    for given, is_there in (("true", True), ("false", False)):
        model = built(library, kind, signals, modifiers | {"useHeatPort": given})
        names = {port.name for port in model.parts["part"].ports()}
        assert ("heatPort" in names) is is_there
