"""Visuals of Modelica's files: colours, sizes, shapes and switches are drawn, never in the way."""

import warnings

import numpy as np
import pytest

from motorik import visualizers
from motorik.errors import ParameterError
from motorik.exchange.modelica import read
from motorik.exchange.modelica.visuals import ModelicaVisualWarning
from tests.refusals import refused

LIBRARY = "Modelica.Mechanics.MultiBody"


def model(**modifiers):
    """Return a pendulum with these modifiers, by the names of its parts."""
    types = {
        "world": "World",
        "joint": "Joints.Revolute",
        "body": "Parts.BodyShape",
        "shape": "Visualizers.FixedShape",
        "pipe": "Visualizers.PipeWithScalarField",
    }
    given = {
        "body": {"m": "1", "r": "{1,0,0}", "r_CM": "{0.5,0,0}"},
        "pipe": {"T": "{0,sin(time)}", "xsi": "{0,1}"},
    }
    components = [
        {
            "name": name,
            "type": f"{LIBRARY}.{kind}",
            "modifiers": {**given.get(name, {}), **modifiers.get(name, {})},
        }
        for name, kind in types.items()
    ]
    chain = [["world.frame_b", "joint.frame_a"], ["joint.frame_b", "body.frame_a"]]
    chain += [["body.frame_b", "shape.frame_a"], ["body.frame_a", "pipe.frame_a"]]
    made = {"components": components, "connections": chain, "extends": []}
    return read("Model", {"Model": {**made, "other_equations": 0}}).model


def shape(scene, path, kind):
    return next(one for one in scene.shapes_of(path) if one.kind == kind)


def test_colours_sizes_and_shapes_reach_the_scene():
    found = model(
        joint={
            "cylinderDiameter": "world.defaultBodyDiameter",
            "cylinderColor": "{255,0,51}",
        },
        body={"shapeType": '"box"', "width": "0.2", "animateSphere": "false"},
        shape={"shapeType": '"cone"', "length": "0.3", "extra": "0.5", "color": "{0,0,1}"},
    )
    scene = found.scene()
    assert shape(scene, "joint", "cylinder").diameter == pytest.approx(1 / 9)
    assert shape(scene, "joint", "cylinder").color == pytest.approx((1.0, 0.0, 0.2))
    assert [one.kind for one in scene.shapes_of("body")] == ["box"]
    assert shape(scene, "body", "box").width == 0.2
    assert shape(scene, "shape", "cone").length == 0.3
    assert shape(scene, "shape", "cone").top == 0.5
    assert shape(scene, "shape", "cone").color == pytest.approx((0.0, 0.0, 1 / 255))


def test_switches_are_obeyed():
    scene = model(body={"animation": "false"}, world={"animateGravity": "false"}).scene()
    assert not scene.shapes_of("body")
    assert not any(one.kind == "arrow" for one in scene.shapes_of("world"))


def test_what_cannot_be_drawn_is_told_and_left_out():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = model(shape={"shapeType": ""}, body={"sphereDiameter": "-1"})
    told = [str(one.message) for one in caught if one.category is ModelicaVisualWarning]
    assert any("shape.shapeType is not drawn" in one for one in told)
    assert any("body.sphereDiameter is not drawn" in one for one in told)
    assert found.simulate(0.1)["joint.phi"][-1] < 0


def test_a_field_follows_its_expression():
    found = model()
    assert type(found.pipe) is visualizers.PipeWithScalarField
    result = found.simulate(0.5)
    assert np.allclose(result["pipe.T"][:, 1], np.sin(result.time))
    assert shape(result.scene(), "pipe", "field").shares == (0.0, 1.0)


def test_physics_is_not_a_look():
    for value in (True, False):
        found = model(world={"driveTrainMechanics3D": str(value).lower()})
        assert found.world.driveTrainMechanics3D is value


ADVANCED = f"{LIBRARY}.Visualizers.Advanced"


def with_advanced(kind, **modifiers):
    """Return a pendulum with a visualizer that has no frame, and what was warned of."""
    types = {"world": "World", "joint": "Joints.Revolute", "body": "Parts.Body"}
    parts = [
        {"name": n, "type": f"{LIBRARY}.{t}", "modifiers": {}} for n, t in types.items()
    ]
    parts[2]["modifiers"] = {"m": "1", "r_CM": "{0.5,0,0}"}
    drawn = {"name": "drawn", "type": f"{ADVANCED}.{kind}", "modifiers": modifiers}
    pairs = [["world.frame_b", "joint.frame_a"], ["joint.frame_b", "body.frame_a"]]
    made = {"components": [*parts, drawn], "connections": pairs, "extends": []}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = read("Model", {"Model": {**made, "other_equations": 0}}).model
    return found, [
        str(one.message) for one in caught if one.category is ModelicaVisualWarning
    ]


def test_what_has_no_frame_is_drawn_at_the_frame_that_it_names():
    given = {
        "shapeType": '"cylinder"',
        "length": "0.5",
        "width": "0.1",
        "color": "{255,0,0}",
    }
    given |= {"R": "body.frame_a.R", "r": "body.frame_a.r_0", "r_shape": "{0.1,0,0}"}
    found, told = with_advanced("Shape", **given)
    scene = found.simulate(0.5).scene()
    cylinder = shape(scene, "drawn", "cylinder")
    assert not told and scene.groups[cylinder.at.group] == "body"
    assert cylinder.length == 0.5 and cylinder.color == (1.0, 0.0, 0.0)
    assert cylinder.at.r == pytest.approx((0.1, 0.0, 0.0))


@pytest.mark.parametrize("R", [{}, {"R": "MultiBody.Frames.nullRotation()"}])
def test_what_has_no_frame_is_drawn_at_its_place_in_the_world(R):
    arrow, told = with_advanced("Arrow", r="{1,2,3}", r_head="{0,0.5,0}", **R)
    drawn = shape(arrow.scene(), "drawn", "arrow")
    assert not told and drawn.at.group == 0 and drawn.length == 0.5
    assert drawn.at.r == pytest.approx((1.0, 2.0, 3.0))
    assert arrow.simulate(0.1)["joint.phi"][-1] < 0
    double, told = with_advanced("DoubleArrow", r_head="{0,0.5,0}", **R)
    assert not told and shape(double.scene(), "drawn", "arrow").double


def test_surfaces_are_drawn_by_their_characteristic():
    """A torus about y: its points are r = 0.1 from a circle of R = 0.5."""
    path = "Modelica.Mechanics.MultiBody.Visualizers.Advanced.SurfaceCharacteristics"
    own = {"redeclare function surfaceCharacteristic": f"{path}.torus(R=0.5, r=0.1)"}
    model, told = with_advanced("Surface", nu="13", nv="9", **own)
    drawn = shape(model.scene(), "drawn", "surface")
    x, y, z = np.moveaxis(np.asarray(drawn.points), -1, 0)
    assert not told and x.shape == (13, 9)
    assert np.hypot(np.hypot(x, z) - 0.5, y) == pytest.approx(0.1)


def test_a_surface_by_an_unknown_function_is_told_and_left_out():
    own = {"redeclare function surfaceCharacteristic": "sine(a=1)"}
    found, told = with_advanced("Surface", **own)
    assert len(told) == 2 and "sine" in told[0] and "drawn is not drawn" in told[1]
    assert found.simulate(0.1)["joint.phi"][-1] < 0


def test_a_surface_may_be_any_function_of_two_parameters():
    for make, corner in (
        (visualizers.rectangle(2.0, 4.0), (1.0, 2.0, 0.0)),
        (visualizers.pipe(0.1, 3.0), (3.0, 0.0, 0.1)),
    ):
        assert make(1.0, 1.0) == pytest.approx(corner)
    with refused(ParameterError, "returned 3.0, not three numbers", "Return (x, y, z)"):
        visualizers.Surface(surfaceCharacteristic=lambda u, v: 3.0)


@pytest.mark.parametrize(
    ("kind", "given", "why"),
    [
        ("Shape", {"r": "body.frame_a.r_0"}, "drawn"),
        (
            "Shape",
            {"R": "body.frame_a.R", "r": "joint.frame_a.r_0"},
            "those of one frame",
        ),
        ("Shape", {"R": "body.frame_a.R"}, "those of one frame"),
        ("Shape", {"r": "{1,2}"}, "not a position"),
        ("Shape", {"length": "sin(time)"}, "drawn"),
        ("Arrow", {"r_head": "{sin(time),0,0}"}, "drawn"),
        ("Arrow", {}, "r_head is not given"),
        (
            "Vector",
            {"coordinates": "{1,0,0}", "quantity": "VectorQuantity.Force"},
            "no length",
        ),
    ],
)
def test_what_moves_by_itself_is_told_and_left_out(kind, given, why):
    found, told = with_advanced(kind, **given)
    assert len(told) == 1 and told[0].startswith("drawn") and why in told[0]
    assert found.simulate(0.1)["joint.phi"][-1] < 0
