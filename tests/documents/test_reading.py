"""Broken and malicious files open as far as they can, and say what was lost."""

import json

import pytest

from motorik.documents import Document, load_document
from motorik.errors import FileFormatError

BOX = {"id": "box", "class": "BodyBox", "arguments": {"r": [0.5, 0, 0]}}


def read(**data: object) -> Document:
    return Document.read(json.dumps({"motorik": 1, **data}))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "null",
        '"text"',
        "{",
        '{"parts": [',
        "\x00",
        "[" * 100_000,
        '{"a":' * 50_000,
    ],
)
def test_a_text_that_is_no_document_is_refused(text: str):
    with pytest.raises(FileFormatError):
        Document.read(text)


@pytest.mark.parametrize(
    ("parts", "kept", "lost"),
    [
        ([BOX, BOX], 1, "two parts"),
        ([BOX, {"id": "a b", "class": "Body"}], 1, "a part with a name"),
        ([BOX, {"id": "<script>alert(1)</script>", "class": "Body"}], 1, "with a name"),
        ([BOX, {"id": "__class__", "class": "Body"}], 1, "with a name"),
        ([BOX, {"id": "import", "class": "Body"}], 1, "with a name"),
        ([BOX, {"id": "b"}], 1, "the name of a class"),
        ([BOX, 7, None, []], 1, "a part with a name"),
        ([{**BOX, "arguments": 7}], 1, "not an object"),
        ([{**BOX, "arguments": {"no name": 1}}], 1, "name of a parameter"),
        ({"id": "box"}, 0, "not a list"),
    ],
)
def test_parts_that_cannot_be_read_are_left_out(parts: object, kept: int, lost: str):
    document = read(parts=parts)
    assert len(document.data["parts"]) == kept
    assert any(lost in one.text for one in document.losses)


def test_values_nested_too_deeply_are_left_out():
    deep: object = 1.0
    for _ in range(200):
        deep = [deep]
    document = read(parts=[{**BOX, "arguments": {"r": deep}}], future=deep)
    assert document.data["parts"][0]["arguments"] == {}
    assert "future" not in document.data
    assert len(document.losses) == 2


@pytest.mark.parametrize("digits", ["NaN", "9" * 5000, "-1e999"])
def test_numbers_that_are_none_are_kept_as_text_at_their_place(digits):
    text = (
        '{"motorik": 1, "parts": [{"id": "b", "class": "Body", "arguments": {"m": NaN}}]}'
    )
    document = Document.read(text.replace("NaN", digits))
    assert document.losses
    assert document.data["parts"][0]["arguments"]["m"] == {"unreadable": digits[:40]}
    (fault,) = document.built().faults
    assert (fault.part, fault.field) == ("b", "m")
    assert Document.read(document.text()).data == document.data


def test_infinity_is_a_number_of_documents():
    text = '{"motorik": 1, "parts": [{"id": "b", "class": "Body", "arguments": {"m": -Infinity}}]}'
    document = Document.read(text)
    assert document.data["parts"][0]["arguments"]["m"] == {"number": "-inf"}
    assert not document.losses


def test_errors_of_files_name_the_file(tmp_path):
    file = tmp_path / "crane.json"
    file.write_text("{", encoding="utf-8")
    with pytest.raises(FileFormatError, match=r"crane\.json"):
        load_document(file)


def test_unknown_keys_are_kept_and_written_again():
    document = read(future={"x": [1, 2]}, parts=[{**BOX, "colour of the day": "blue"}])
    again = Document.read(document.text())
    assert again.data["future"] == {"x": [1, 2]}
    assert again.data["parts"][0]["colour of the day"] == "blue"
    assert again == document


def test_losses_are_counted_beyond_some():
    document = read(parts=[7] * 1000)
    assert len(document.losses) < 60
    assert "further places" in document.losses[-1].text


def test_too_many_parts_are_cut_off():
    document = read(parts=[{"id": f"b{k}", "class": "Body"} for k in range(20_010)])
    assert len(document.data["parts"]) == 20_000
    assert any("10 are missing" in one.text for one in document.losses)


def test_a_newer_version_is_opened_and_keeps_its_number():
    document = Document.read('{"motorik": 7, "parts": []}')
    assert document.losses and json.loads(document.text())["motorik"] == 7
