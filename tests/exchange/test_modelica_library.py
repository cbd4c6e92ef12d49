"""Files of models: corrupt or strange ones are refused, naming file and place."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from motorik.errors import FileFormatError, MotorikError, UnknownNameError
from motorik.exchange.modelica import library_of, load_library, read_model

GOOD = {
    "A.B.Swing": {
        "components": [
            {"name": "world", "type": "Modelica.Mechanics.MultiBody.World"},
            {"name": "body", "type": "Modelica.Mechanics.MultiBody.Parts.Body"},
        ],
        "connections": [["world.frame_b", "body.frame_a"]],
        "extends": [{"base": "Modelica.Icons.Example", "modifiers": {}}],
        "other_equations": 0,
    },
    "A.C.Swing": {"components": [], "connections": [], "extends": [], "other_equations": 2},
    "ModelicaTest.Only": {},
}


def test_models_are_read_from_a_file_and_found_by_their_last_parts(tmp_path):
    file = tmp_path / "models.json"
    file.write_text(json.dumps(GOOD))
    library = load_library(file)
    assert library.find("B.Swing").name == "A.B.Swing"
    assert library.find("Test.Only").name == "ModelicaTest.Only"
    assert set(read_model("A.B.Swing", file).parts) == {"world", "body"}
    with pytest.raises(UnknownNameError, match="2 models called 'Swing'"):
        library.find("Swing")
    with pytest.raises(UnknownNameError, match="Did you mean 'Swing'"):
        library.find("Swin")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"A": {"components": [}}', "line 1, column 23"),
        (b"", "line 1, column 1"),
        (b"\xff\xfe{}", "not UTF-8"),
        (b"[" * 200_000, "nested too deeply"),
        (b"[1, 2]", "an object of models"),
    ],
)
def test_a_corrupt_file_is_refused_with_its_name_and_place(tmp_path, content, message):
    file = tmp_path / "models.json"
    file.write_bytes(content)
    with pytest.raises(FileFormatError, match=message) as caught:
        load_library(file)
    assert str(file) in str(caught.value)


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(FileFormatError, match="nowhere"):
        load_library(tmp_path / "nowhere.json")


BROKEN = [
    ({"components": {}}, "components is not a list"),
    ({"components": [3]}, r"components\[0\] is not an object"),
    ({"components": [{"type": "Real"}]}, "name is not a string"),
    ({"components": [{"name": "a b", "type": "Real"}]}, "not an identifier"),
    ({"components": [{"name": "__class__", "type": "Real"}]}, "not an identifier"),
    ({"components": [{"name": "a", "type": 1}]}, "type is not a string"),
    ({"components": [{"name": "a", "type": "Real[3"}]}, "closed by ']'"),
    ({"components": [{"name": "a", "type": "Real", "value": 1}]}, "value is not a string"),
    (
        {"components": [{"name": "a", "type": "T", "modifiers": {"m": 1}}]},
        "m is not an object",
    ),
    ({"components": [{"name": "a", "type": "T"}] * 2}, "declared only once"),
    ({"connections": [["a"]]}, "pair of ports"),
    ({"connections": [["a", 1]]}, "not a string"),
    ({"extends": [{"modifiers": {}}]}, "base is not a string"),
    ({"other_equations": -1}, "not a count"),
    (None, "not an object"),
]


@pytest.mark.parametrize(("model", "message"), BROKEN)
def test_data_that_is_no_model_is_refused_with_its_place(model, message):
    with pytest.raises(FileFormatError, match=message) as caught:
        library_of({"A.M": model}, "somewhere.json")
    assert "somewhere.json" in str(caught.value)
    assert "A.M" in str(caught.value)


def test_modifiers_cannot_be_nested_without_end():
    modifiers: dict = {}
    for _ in range(40):
        modifiers = {"x": modifiers}
    with pytest.raises(FileFormatError, match="nested less than"):
        library_of(
            {"M": {"components": [{"name": "a", "type": "T", "modifiers": modifiers}]}}
        )


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text("ab.[]{}=1", max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["components", "connections", "extends", "name", "type", "modifiers"]
            ),
            inner,
            max_size=3,
        )
    ),
    max_leaves=10,
)


@pytest.mark.slow
@given(json_values)
def test_any_data_is_a_model_or_an_error_of_motorik(data):
    try:
        read_model("M", {"M": data})
    except MotorikError as error:
        assert str(error)
