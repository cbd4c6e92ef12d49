"""Misspelt looks: options of pictures, shapes and roles are refused with the nearest names."""

from __future__ import annotations

import pytest

import motorik as mk
from motorik.errors import ParameterError, UnknownNameError
from motorik.view.looks import ROLES, Dot, Strut, look, shapes_of
from motorik.view.stage import STYLES
from tests.mistakes.models import Mistakes, check, ids, pendulum

wrong = Mistakes()


@pytest.fixture(scope="module")
def result() -> mk.Result:
    return pendulum().simulate(0.1)


OPTIONS = [
    (
        "plot option",
        lambda r: r.plot("hinge.phi", titel="Swing"),
        "plot",
        "titel",
        "'title'",
    ),
    ("plot colour", lambda r: r.plot(colour="red"), "plot", "colour", "title"),
    ("draw option", lambda r: r.draw(tracing="bob.r_0"), "draw", "tracing", "'trace'"),
    ("draw view", lambda r: r.draw(view="top"), "draw", "view", "trace"),
    ("film option", lambda r: r.animate("a.gif", frames=3), "animate", "frames", "fps"),
    ("film speed", lambda r: r.animate("a.gif", speeed=3), "animate", "speeed", "'speed'"),
]


@pytest.mark.parametrize("row", OPTIONS, ids=[row[0] for row in OPTIONS])
def test_a_misspelt_option_of_a_picture_is_refused_with_the_nearest_name(row, result):
    _, ask, caller, option, near = row
    with pytest.raises(UnknownNameError) as caught:
        ask(result)
    error = caught.value
    assert (error.path, error.parameter) == (caller, option)
    assert f"has no option {option!r}" in error.reason and near in error.remedy


def test_a_picture_in_an_unknown_format_is_refused_with_the_nearest(result, tmp_path):
    for ask, caller in ((result.plot, "plot"), (result.draw, "draw")):
        with pytest.raises(ParameterError) as caught:
            ask(file=tmp_path / "a.jpgg")
        error = caught.value
        assert (error.path, error.parameter) == (caller, "file")
        assert "'jpgg'" in error.reason and "Did you mean 'jpg'?" in error.remedy
    result.plot(file=tmp_path / "a.svg")


@wrong(ParameterError, "Strut", "there is no role 'lnik'", "Did you mean 'link'?")
def role_of_a_strut() -> None:
    Strut("a.r_0", "b.r_0", role="lnik")


@wrong(ParameterError, "Dot", "there is no role 'masss'", "Did you mean 'mass'?")
def role_of_a_dot() -> None:
    Dot("a.r_0", role="masss")


@wrong(ParameterError, "Marker", "shape = 'Torrus' is not known", "Did you mean 'Torus'?")
def shape_of_a_marker() -> None:
    mk.Marker(shape="Torrus")


@wrong(ParameterError, "sign", "its look returned 'arrow', which is not a shape")
def look_without_shapes() -> None:
    class Sign(mk.Part):
        pass

    look.register(Sign, lambda part: ["arrow"])

    model = mk.Model()
    model.sign = Sign()
    shapes_of(model)


@pytest.mark.parametrize("row", wrong, ids=ids(wrong))
def test_a_misspelt_look_is_refused_in_words(row):
    check(row)


def test_every_role_has_a_style():
    assert set(ROLES) == set(STYLES)
