"""A document builds the model it was taken from; faults are located, and the rest is built."""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np
import pytest

import motorik
from motorik import Model, gallery, load_document
from motorik.documents import Document
from motorik.documents.classes import WINDOWS, part_classes
from motorik.errors import FileFormatError, MotorikError
from tests.documents.models import FOUR_BAR, Walker, walker

MODELS = {
    name: kind
    for name in gallery.__all__
    if isinstance(kind := getattr(gallery, name), type) and issubclass(kind, Model)
}
MODELS |= {"chain": lambda: gallery.chain(5), "manipulator6": gallery.manipulator6}
MODELS |= {"Walker": Walker}


@pytest.mark.parametrize("name", MODELS)
def test_every_model_is_its_document(name: str):
    document = MODELS[name]().to_document()
    again = Document.read(document.text())
    assert not again.losses and again.text() == document.text()
    assert not again.built().faults
    rebuilt = again.build().to_document()
    for key in ("parts", "connections", "parameters", "models"):
        assert rebuilt.data.get(key) == document.data.get(key), key


@pytest.mark.slow
@pytest.mark.kinds(4)
@pytest.mark.parametrize("name", MODELS)
def test_it_moves_as_the_model_does(name: str):
    model = MODELS[name]()
    own = model.simulate(0.2, output=10)
    other = model.to_document().build().simulate(0.2, output=10)
    first, second = own.sample(-1), other.sample(-1)
    assert [*first] == [*second]
    values, others = (np.array([*one.values()], dtype=float) for one in (first, second))
    assert np.abs(values - others).max() <= 1e-12 * (1.0 + np.abs(values).max())


def test_live_parameters_and_formulas_stay_live():
    built = walker().build()
    names = {"length", "trunk.m", "right.length"}
    assert {*built.live_parameters()} == names
    assert built.offset.r.y.value == 1.0
    built.length.value = 2.0
    assert built.offset.r.y.value == 4.0
    assert built.left.shank.r.z.value == -2.0


def test_what_is_equal_is_one_sub_model():
    data = walker().data
    assert [*data["models"]] == ["Leg"]
    uses = {
        one["id"]: one.get("arguments") for one in data["parts"] if one["class"] == "#Leg"
    }
    assert uses["left"] == {"length": {"formula": "length"}}


def test_a_file_is_saved_and_loaded(tmp_path: Any):
    file = walker().save(tmp_path / "walker.json")
    assert load_document(file) == walker()
    with pytest.raises(FileFormatError, match=r"nothing\.json"):
        load_document(tmp_path / "nothing.json")
    with pytest.raises(FileFormatError, match="cannot be written"):
        walker().save(tmp_path / "no folder" / "walker.json")


def built(*parts: dict[str, Any], **more: Any) -> Any:
    return Document.read(json.dumps({"motorik": 1, "parts": parts, **more})).built()


@pytest.mark.parametrize(
    ("part", "field", "text"),
    [
        ({"class": "Body", "arguments": {"m": -1}}, "m", "too small"),
        ({"class": "Body", "arguments": {"m": "heavy"}}, "m", "not a number"),
        ({"class": "Body", "arguments": {"mass": 1}}, "mass", "no parameter"),
        ({"class": "Body", "arguments": {"m": {"formula": "9**9**9"}}}, "m", "no value"),
        ({"class": "Body", "arguments": {"m": {"formula": "x"}}}, "m", "not known"),
        ({"class": "Body", "arguments": {"m": {"unreadable": "f"}}}, "m", "kept in a file"),
        (
            {"class": "Body", "arguments": {"m": {"make": "os.system"}}},
            "m",
            "public module",
        ),
        ({"class": "Revolute", "arguments": {"n": [0, 0, 0]}}, "n", "no direction"),
        ({"class": "Bdy"}, "class", "not known"),
        ({"class": "#Leg"}, "class", "no sub-model"),
        ({"class": "os:system"}, "class", "not trusted"),
        ({"class": "Model"}, "class", "not a class of parts"),
    ],
)
def test_faults_are_located_and_the_rest_is_built(part: Any, field: str, text: str):
    found = built({"id": "one", **part}, {"id": "rest", "class": "World"})
    assert "rest" in found.model.parts
    (fault,) = found.errors
    assert (fault.part, fault.field) == ("one", field)
    assert text in fault.text
    assert fault.remedy


def test_a_refused_connection_is_at_its_port():
    found = built(
        {"id": "a", "class": "Body"},
        {"id": "b", "class": "rotational.Inertia"},
        connections=[
            ["a.frame_a", "b.flange_a"],
            ["a.frame_x", "b.flange_a"],
            ["c.x", "a.y"],
        ],
    )
    assert [(one.part, one.port) for one in found.errors[:2]] == [
        ("a", "frame_a"),
        ("a", "frame_x"),
    ]


def test_sub_models_within_themselves_end():
    leg = {"parts": [{"id": "inner", "class": "#Leg"}], "connections": []}
    found = built({"id": "leg", "class": "#Leg"}, models={"Leg": leg})
    assert any("within itself" in one.text for one in found.errors)
    many = {
        f"M{k}": {"parts": [{"id": f"p{i}", "class": f"#M{k + 1}"} for i in range(10)]}
        for k in range(12)
    }
    found = built({"id": "bomb", "class": "#M0"}, models=many)
    assert any("times in all" in one.text for one in found.errors)


def test_nothing_of_a_user_is_imported_without_trust(tmp_path: Any, monkeypatch: Any):
    source = "from motorik import Body\nclass Brick(Body):\n    '''A brick.'''\n"
    (tmp_path / "mine_of_a_user.py").write_text(source, "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    part = {"id": "one", "class": "mine_of_a_user:Brick"}
    document = Document.read(json.dumps({"motorik": 1, "parts": [part]}))
    assert document.modules == ["mine_of_a_user"]
    with pytest.raises(FileFormatError, match="not trusted"):
        document.build()
    assert "mine_of_a_user" not in sys.modules
    model = document.build(trust=["mine_of_a_user"])
    assert model.to_document().data["modules"] == ["mine_of_a_user"]
    assert model.to_document().data["parts"] == [part]


def test_a_function_that_branches_is_kept_as_text():
    from motorik import blocks

    model = Model()
    model.block = blocks.TimeFunction(f=lambda t: 1.0 if t > 0.5 else 0.0)
    document = model.to_document()
    assert "unreadable" in document.data["parts"][0]["arguments"]["f"]
    with pytest.raises(MotorikError, match="kept in a file"):
        document.build()
    assert document.built().errors[0].part == "block"


def test_the_four_bar_reads_as_one_would_write_it():
    crank = FOUR_BAR["parts"][1]
    assert crank["class"] == "Revolute" and crank["arguments"]["phi"] == 0.0
    assert FOUR_BAR["connections"][0] == ["world.frame_b", "revolute1.frame_a"]


@pytest.mark.slow
def test_every_class_of_the_catalogue_is_printed_and_kept_as_it_is():
    """`repr` of a part is the text that makes it, and its document makes it as well."""
    names = {}
    for module in reversed(WINDOWS[:-1]):
        names |= {name: getattr(getattr(motorik, module), name)
                  for name in getattr(motorik, module).__all__}  # fmt: skip
    names |= {"guess": motorik.guess, "Parameter": motorik.Parameter}
    count = 0
    for name, _, kind in part_classes():
        try:
            part = kind()
        except MotorikError:  # a function must be given
            continue
        twin = eval(repr(part), {**names, kind.__name__: kind})
        assert repr(twin) == repr(part), name
        model = Model()
        model.one = part
        document = model.to_document()
        found = document.built()
        assert not found.faults, (name, found.faults)
        assert found.model.to_document().data["parts"] == document.data["parts"], name
        count += 1
    assert count > 450
