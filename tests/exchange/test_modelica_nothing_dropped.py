"""No modifier is dropped: it is mapped, without effect for a stated reason, or refused."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pytest

from motorik.components.base.visual import visual_names
from motorik.errors import FileFormatError, MotorikError, UnknownNameError
from motorik.exchange.modelica import (
    EquationsLeftOut,
    MissingFeatureError,
    ModelicaError,
    read,
    visuals,
)
from motorik.exchange.modelica.catalogue_loops import ARROWS, LINES, RODS, WHEELS
from motorik.exchange.modelica.parts import VARIABLES
from motorik.exchange.modelica.registry import PARTS
from tests.refusals import check_fields, refused

LIBRARY = "Modelica.Mechanics.MultiBody"
DRAWING = (
    visuals.CYLINDER | visuals.BOX | visuals.SPHERE | visuals.ARROW | visuals.SHAPE
    | visuals.SURFACE | visuals.WORLD | RODS | LINES | ARROWS | WHEELS
    | {"r_center", "twoHeadedArrow"}
)  # fmt: skip
REASONS = {
    "checkTotalPower": "computes a variable",
    "phi_nominal": "tolerances of the solver",
    "s_nominal": "tolerances of the solver",
    "w_small": "how Modelica's events find the modes",
    "v_small": "how Modelica's events find the modes",
    "fixedRotationAtFrame_a": "frames that carry forces alone are parallel to the world",
    "fixedRotationAtFrame_b": "frames that carry forces alone are parallel to the world",
    "verboseRead": "messages",
    "verboseExtrapolation": "messages",
    "timeEvents": "where steps end",
    "limitsAtInit": "without effect since Modelica 4",
    "deadZoneAtInit": "without effect since Modelica 4",
    "strict": "where steps end",
    "generateEvent": "where steps end",
    "balance": "the scale of states; here they are scaled by delayTime",
    "useExp": "how a power is computed",
    "precision": "digits of a diagram",
    "resultFileName": "a file of the spectrum; here `spectrum(result).write(path)`",
    "homotopyType": "how the solver finds the start",
}


def part_of(type_name: str, **modifiers: Any) -> Any:
    """Return a part read from data."""
    component = {"name": "x", "type": type_name, "modifiers": modifiers}
    data = {"Own.M": {"components": [component], "connections": [], "extends": []}}
    return read("Own.M", data).model.x


def test_every_ignored_modifier_has_a_reason():
    for entry in PARTS.values():
        assert entry.ignore is not None, entry.name
        own = entry.ignore - DRAWING - visual_names(entry.part).keys()
        assert own <= REASONS.keys() | VARIABLES, (entry.name, own)


def test_every_part_refuses_a_modifier_that_it_does_not_know():
    for entry in PARTS.values():
        if entry.placed or entry.lists:  # drawn only, or in need of a value
            continue
        with pytest.raises(UnknownNameError, match="nonsense") as caught:
            part_of(entry.name, nonsense="1")
        check_fields(caught.value)


FIXED = {"start": "1", "fixed": "true"}
DROPPED = [
    (f"{LIBRARY}.Joints.SphericalSpherical", {"kinematicConstraint": "false"},
     "kinematicConstraint"),
    (f"{LIBRARY}.Joints.UniversalSpherical", {"kinematicConstraint": "false"},
     "kinematicConstraint"),
    (f"{LIBRARY}.Joints.UniversalSpherical", {"constraintResidue": "0"}, "constraintResidue"),
    (f"{LIBRARY}.Joints.SphericalSpherical", {"rRod_0": FIXED}, "rRod_0"),
    (f"{LIBRARY}.Forces.Spring", {"lineForce": {"r_rel_0": FIXED}}, "r_rel_0"),
    (f"{LIBRARY}.Forces.Spring", {"lineForce": {"m": "2"}}, "m"),
    (f"{LIBRARY}.Parts.Body", {"a_0": {"=": "{0, 0, 0}"}}, "a_0"),
    ("Rotational.Components.Brake", {"locked": {"start": "true", "fixed": "true"}}, "locked"),
    ("Rotational.Components.Brake", {"mode": "1"}, "mode"),
    ("Rotational.Components.SpringDamper", {"stateSelect": "StateSelect.always"},
     "stateSelect"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "given", "word"), DROPPED)
def test_what_would_change_the_motion_is_refused_by_name(kind: str, given: Any, word: str):
    full = kind if kind.startswith("Modelica") else f"Modelica.{kind}"
    full = full.replace("Modelica.Rotational", "Modelica.Mechanics.Rotational")
    with pytest.raises(MissingFeatureError, match=word):
        part_of(full, **given)


def test_tables_of_files_are_read(tmp_path: Path):
    file = tmp_path / "table.txt"
    file.write_text("#1\ndouble own(2,2)\n0 1\n2 5\n", encoding="utf-8")
    given = {"tableOnFile": "true", "tableName": '"own"', "fileName": f'"{file}"'}
    for kind in ("Sources.CombiTimeTable", "Tables.CombiTable1Ds"):
        part = part_of(f"Modelica.Blocks.{kind}", **given)
        assert part.table == ((0.0, 1.0), (2.0, 5.0))
        with refused(ModelicaError, "tableOnFile with fileName = None", "path"):
            part_of(f"Modelica.Blocks.{kind}", tableOnFile="true")
        with refused(FileFormatError, "x: ", "cannot be read"):
            part_of(f"Modelica.Blocks.{kind}", **{**given, "fileName": '"/nowhere.txt"'})


def test_values_without_effect_are_taken():
    integrator = "Modelica.Blocks.Continuous.Integrator"
    for name in ("NoInit", "InitialState", "InitialOutput", "SteadyState"):
        given = {"initType": f"Modelica.Blocks.Types.Init.{name}", "y_start": "2"}
        assert part_of(integrator, **given).initType == name
    part_of(f"{LIBRARY}.Joints.SphericalSpherical", kinematicConstraint="true")
    part_of("Modelica.Mechanics.Rotational.Components.Brake", stuck={"fixed": "true"})
    assert part_of("Modelica.Blocks.Continuous.TransferFunction").a == (1.0,)


def test_a_sum_has_as_many_inputs_as_it_says():
    kind = "Modelica.Blocks.Math.Sum"
    assert len(part_of(kind).k) == 1
    assert len(part_of(kind, nin="3").k) == 3
    assert part_of(kind, nin="2", k="{1, -1}").k == (1.0, -1.0)
    for given in ({"nin": "3", "k": "{1, -1}"}, {"nin": "0"}):
        with pytest.raises(ModelicaError, match="nin"):
            part_of(kind, **given)


def test_values_and_fixed_starts_of_variables_of_a_model_are_refused():
    def model(**variable: Any) -> dict[str, Any]:
        return {"M": {"components": [{"name": "v", "modifiers": {}, **variable}]}}

    read("M", model(type="Real", modifiers={"start": "1"}))
    fixed = {"start": "1", "fixed": "true"}
    for one in (
        {"type": "Real", "modifiers": fixed},
        {"type": "Modelica.Blocks.Interfaces.RealOutput", "value": "2"},
    ):
        with pytest.raises(MissingFeatureError, match=r"^v"):
            read("M", model(**one))


def test_equations_that_the_file_does_not_contain_are_told():
    inner = {"components": [], "other_equations": 2}
    data = {"A": {"components": [{"name": "b", "type": "B"}]}, "B": inner}
    with pytest.warns(EquationsLeftOut, match="b 2"):
        read("A", data)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            read("A", {**data, "B": {"components": []}})
        except MotorikError:
            raise AssertionError from None


def test_curves_of_tables_are_read():
    types = "Modelica.Blocks.Types"
    table = part_of(
        "Modelica.Blocks.Sources.CombiTimeTable",
        table="[0, 1, 5; 1, 3, 6; 2, 4, 7]",
        columns="{3}",
        smoothness=f"{types}.Smoothness.MonotoneContinuousDerivative1",
        extrapolation=f"{types}.Extrapolation.NoExtrapolation",
        timeScale="60",
        startTime="2",
        shiftTime="1",
    )
    assert table.table == ((0.0, 1.0, 5.0), (1.0, 3.0, 6.0), (2.0, 4.0, 7.0))
    assert (table.smoothness, table.extrapolation) == (
        "MonotoneContinuousDerivative1",
        "NoExtrapolation",
    )
    assert (table.timeScale, table.startTime, table.shiftTime) == (60.0, 2.0, 1.0)
    assert table.y.size == 1
    surface = part_of(
        "Modelica.Blocks.Tables.CombiTable2Ds",
        table="[0, 1, 2; 3, 4, 5; 6, 7, 8]",
        smoothness=f"{types}.Smoothness.ContinuousDerivative",
    )
    assert surface.table[1] == (3.0, 4.0, 5.0)
    assert surface.smoothness == "ContinuousDerivative"
