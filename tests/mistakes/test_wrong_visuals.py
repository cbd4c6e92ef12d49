"""Misspelt visuals: options of pictures, shapes and roles are refused with the nearest names."""

from __future__ import annotations

import pytest

import motorik as mk
from motorik import gallery
from motorik.errors import ParameterError, UnknownNameError
from motorik.view.scene.shapes import Beam, Sphere
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
    ("draw view", lambda r: r.draw(view="top"), "draw", "view", "camera"),
    (
        "film option",
        lambda r: r.to_movie("a.gif", pictures=3),
        "to_movie",
        "pictures",
        "fps",
    ),
    (
        "film speed",
        lambda r: r.to_movie("a.gif", speeed=3),
        "to_movie",
        "speeed",
        "'speed'",
    ),
]


@pytest.mark.parametrize("row", OPTIONS, ids=[row[0] for row in OPTIONS])
def test_a_misspelt_option_of_a_picture_is_refused_with_the_nearest_name(row, result):
    _, ask, caller, option, near = row
    with pytest.raises(UnknownNameError) as caught:
        ask(result)
    error = caught.value
    assert (error.path, error.parameter) == (caller, option)
    assert f"has no option {option!r}" in error.reason and near in error.remedy


@pytest.mark.slow
def test_a_picture_in_an_unknown_format_is_refused_with_the_nearest(result, tmp_path):
    for ask, caller in ((result.plot, "plot"), (result.draw, "draw")):
        with pytest.raises(ParameterError) as caught:
            ask(file=tmp_path / "a.jpgg")
        error = caught.value
        assert (error.path, error.parameter) == (caller, "file")
        assert "'jpgg'" in error.reason and "Did you mean 'jpg'?" in error.remedy
    result.plot(file=tmp_path / "a.svg")


@wrong(ParameterError, "Beam", "there is no role 'bdoy'", "Did you mean 'body'?")
def role_of_a_beam() -> None:
    Beam(width=0.1, height=0.1, role="bdoy")


@wrong(ParameterError, "Sphere", "diameter = -1.0 is not a size", "diameter ≥ 0")
def size_of_a_sphere() -> None:
    Sphere(diameter=-1.0)


@wrong(ParameterError, "FixedTranslation", "'torrus' is neither a shape", "'torus'?")
def shape_of_a_translation() -> None:
    mk.FixedTranslation(r=(1, 0, 0), shapeType="torrus")


@wrong(UnknownNameError, "SphericalSpherical", "no parameter 'lineShapeType'", "rodLength")
def option_of_another_part() -> None:
    mk.joints.SphericalSpherical(lineShapeType="box")


@wrong(
    ParameterError, "UniversalSpherical", "'torus' is no shape that stands", "There are: "
)
def rod_as_a_torus() -> None:
    mk.joints.UniversalSpherical(rodShapeType="torus")


@wrong(UnknownNameError, "Body", "no parameter 'spereDiameter'", "'sphereDiameter'?")
def misspelt_option() -> None:
    mk.Body(spereDiameter=0.1)


@wrong(ParameterError, "to_html", "there is no folder", "Make it first")
def folder_of_a_film() -> None:
    gallery.Pendulum().simulate(0.01).to_html("no/such/folder/x.html")


@wrong(ParameterError, "draw", "there is no folder", "Make it first")
def folder_of_a_picture() -> None:
    gallery.Pendulum().draw(file="no/such/folder/x.png", size=(40, 30))


@pytest.mark.parametrize("row", wrong, ids=ids(wrong))
def test_a_misspelt_look_is_refused_in_words(row):
    check(row)
