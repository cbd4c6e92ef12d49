"""Fields of errors: every place that raises one says what it knows."""

from __future__ import annotations

import ast
import copy
import pickle
from collections.abc import Iterator

import pytest

import motorik as mk
from motorik.errors import MotorikError, ParameterError
from tests.package_source import PACKAGE, nodes_of
from tests.refusals import check_fields

OWED = {  # fields that every place that makes such an error gives
    "ParameterError": {"parameter"},
    "UnknownNameError": {"value"},
    "PortError": {"port", "value"},
}


def calls_of_errors() -> Iterator[tuple[str, ast.Call]]:
    for file in sorted(PACKAGE.rglob("*.py")):
        if not any(name in file.read_text(encoding="utf-8") for name in OWED):
            continue
        for node in nodes_of(file):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in OWED:
                yield f"{file.relative_to(PACKAGE)}:{node.lineno}", node


@pytest.mark.slow
def test_every_place_that_raises_gives_the_fields_it_owes():
    found = list(calls_of_errors())
    silent = []
    for place, call in found:
        given = {keyword.arg for keyword in call.keywords}
        name = call.func.id  # type: ignore[attr-defined]
        if None not in given and not OWED[name] <= given:  # None stands for **fields
            silent.append(f"{place} {name}: {OWED[name] - given}")
    assert len(found) > 150
    assert not silent, silent


FIELDS = [
    (lambda: mk.Body(m=-1.0), "Body", "", "m", -1.0),
    (lambda: mk.Body(r_CM=(1, 2)), "Body", "", "r_CM", (1, 2)),
    (lambda: mk.Revolute(phi="30deg"), "Revolute", "", "phi", "30deg"),
    (lambda: mk.World().frame_b >> 3.0, "connect", "", "", 3.0),
    (lambda: 1.0 >> mk.World().frame_b, "World", "frame_b", "", 1.0),
    (lambda: setattr(placed().arm, "r_CM", "x"), "inner.arm", "", "r_CM", "x"),
    (lambda: placed().arm.frame_c, "inner.arm", "", "frame_c", "frame_c"),
]


def placed() -> mk.Model:
    """Return a model with an arm, within another."""
    outer = mk.Model()
    outer.inner = mk.Model()
    outer.inner.arm = mk.Body()
    return outer.inner


@pytest.mark.parametrize("row", FIELDS, ids=[f"{row[1]} {row[3]}" for row in FIELDS])
def test_fields_say_part_port_parameter_and_value(row):
    given, path, port, parameter, value = row
    with pytest.raises(MotorikError) as caught:
        given()
    error = caught.value
    found = (error.path, error.port, error.parameter, error.value)
    assert found == (path, port, parameter, value)


def test_the_path_is_that_of_the_part_and_the_place_that_of_the_port():
    error = MotorikError("arm.hinge.frame_a", "is loose.", "Connect it.", port="frame_a")
    assert (error.path, error.place) == ("arm.hinge", "arm.hinge.frame_a")
    assert str(error) == "arm.hinge.frame_a: is loose.\n  Connect it."


def test_errors_are_copied_and_pickled_with_what_cannot_be_pickled_in_words():
    error = ParameterError("a", "is odd.", "Do.", parameter="f", value=lambda t: t)
    check_fields(error)
    again = pickle.loads(pickle.dumps(error))
    assert again.value == repr(error.value)
    assert copy.copy(ParameterError("a", "b", parameter="m", value=3.0)).value == 3.0
