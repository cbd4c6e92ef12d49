"""The reader: small models given as data become the parts, values and connections they name."""

from __future__ import annotations

import copy

import numpy as np
import pytest

from motorik import Model, Revolute, UnknownNameError, World, rotational
from motorik.algebra.vector import Vector
from motorik.components.base.part import number_resolver
from motorik.components.base.values import Start
from motorik.components.parts.bodies import Body
from motorik.components.parts.solids import BodyBox, BodyCylinder
from motorik.errors import MotorikError, ParameterError, PortError
from motorik.exchange.modelica import (
    ExpressionError,
    MissingFeatureError,
    ModelicaError,
    UnknownPartError,
    instance,
    read,
    read_model,
    register,
)
from motorik.exchange.modelica.gravity import normal_gravity_wgs84
from motorik.exchange.modelica.registry import PARTS

HOME = "Modelica.Mechanics.MultiBody.Examples"


def component(name, type_name, value=None, condition=None, **modifiers):
    raw = {"name": name, "type": type_name, "modifiers": modifiers}
    if value is not None:
        raw |= {"value": value, "parameter": True}
    if condition is not None:
        raw["condition"] = condition
    return raw


def model(*components, connections=(), extends=()):
    return {
        "components": list(components),
        "connections": [list(pair) for pair in connections],
        "extends": [{"base": base, "modifiers": given} for base, given in extends],
        "other_equations": 0,
    }


def build(*components, **rest):
    return read("M", {f"{HOME}.M": model(*components, **rest)})


WORLD = component("world", "World")
PENDULUM = model(
    component("length", "SI.Length", "0.5"),
    WORLD,
    component(
        "rev",
        "Joints.Revolute",
        useAxisFlange="true",
        phi={"start": "0.1", "fixed": "true"},
    ),
    component("damper", "Rotational.Components.Damper", d="0.1"),
    component("body", "Parts.Body", m="1.0", r_CM="{length,0,0}", sphereDiameter="0.2"),
    connections=[
        ("world.frame_b", "rev.frame_a"),
        ("damper.flange_b", "rev.axis"),
        ("rev.support", "damper.flange_a"),
        ("body.frame_a", "rev.frame_b"),
    ],
)


def numbers(part):
    return part.resolved(number_resolver)


def pairs(built):
    return [(a.path, b.path) for part in built.walk() for a, b in part.connections]


# --- structure --------------------------------------------------------------------------------


def test_a_model_has_the_parts_values_and_connections_of_the_file():
    built = read_model(f"{HOME}.M", {f"{HOME}.M": PENDULUM})
    assert isinstance(built, Model)
    assert type(built).__name__ == "M"
    assert set(built.parts) == {"world", "rev", "damper", "body"}
    assert built.rev.phi == Start(0.1, True)
    assert built.rev.w == Start(0.0, False)
    assert numbers(built.body).r_CM.xyz == (0.5, 0.0, 0.0)
    assert built.damper.d == 0.1
    assert pairs(built)[:2] == [
        ("world.frame_b", "rev.frame_a"),
        ("damper.flange_b", "rev.axis"),
    ]


def test_a_model_read_runs_like_the_same_model_written_by_hand():
    class ByHand(Model):
        def build(self):
            self.world = World()
            self.rev = Revolute(useAxisFlange=True, phi=0.1)
            self.damper = rotational.Damper(d=0.1)
            self.body = Body(m=1.0, r_CM=(0.5, 0, 0))
            self.world.frame_b >> self.rev.frame_a
            self.rev.frame_b >> self.body.frame_a
            self.rev.support >> self.damper.flange_a
            self.damper.flange_b >> self.rev.axis

    read_run = read_model("M", {f"{HOME}.M": PENDULUM}).simulate(1.0, rtol=1e-10)
    own_run = ByHand().simulate(1.0, rtol=1e-10)
    np.testing.assert_array_equal(read_run["rev.phi"], own_run["rev.phi"])


def test_extends_brings_parts_and_its_modifiers_win_over_the_base():
    models = {
        f"{HOME}.Base": PENDULUM,
        f"{HOME}.M": model(
            component("marker", "Visualizers.FixedFrame", length="1"),
            connections=[("marker.frame_a", "body.frame_a")],
            extends=[
                ("Modelica.Icons.Example", {}),
                (
                    "Base",
                    {"length": "2*0.35", "damper": {"d": "0.3"}, "rev": {"n": "{1,0,0}"}},
                ),
            ],
        ),
    }
    built = read_model("M", models)
    assert set(built.parts) == {"world", "rev", "damper", "body", "marker"}
    assert numbers(built.body).r_CM.xyz == (0.7, 0.0, 0.0)
    assert built.damper.d == 0.3
    assert built.rev.phi == Start(0.1, True)
    assert numbers(built.rev).n.xyz == (1.0, 0.0, 0.0)


LINK = model(
    component("length", "SI.Length", "1"),
    component("mass", "SI.Mass", "2*length"),
    component("frame_a", "Interfaces.Frame_a"),
    component("frame_b", "Interfaces.Frame_b"),
    component(
        "box", "Parts.BodyBox", r="{length,0,0}", width="0.5*world.defaultJointLength"
    ),
    component("hinge", "Joints.Revolute", n="{0,0,1}"),
    component("tip", "Parts.PointMass", m="mass"),
    connections=[
        ("frame_a", "hinge.frame_a"),
        ("hinge.frame_b", "box.frame_a"),
        ("box.frame_b", "frame_b"),
        ("box.frame_b", "tip.frame_a"),
    ],
)


def two_links(**modifiers):
    return {
        f"{HOME}.Link": LINK,
        f"{HOME}.M": model(
            component("world", "World", nominalLength="2"),
            component("L", "SI.Length", "0.4"),
            component("link1", "Link", length="L", hinge={"phi": {"start": "L/2"}}),
            component("link2", "Link", **modifiers),
            connections=[
                ("world.frame_b", "link1.frame_a"),
                ("link1.frame_b", "link2.frame_a"),
            ],
        ),
    }


def test_a_type_that_is_a_model_of_the_file_becomes_a_model_within():
    built = read_model("M", two_links())
    assert isinstance(built.link1, Model)
    assert numbers(built.link1.box).r.xyz == (0.4, 0.0, 0.0)
    assert built.link1.tip.m == 0.8
    assert built.link1.hinge.phi == Start(0.2, False)
    assert built.link2.tip.m == 2.0
    assert built.link2.hinge.phi == Start(0.0, False)
    assert ("link1.frame_b", "link2.frame_a") in pairs(built)
    result = built.simulate(0.5)
    assert np.isfinite(result["link2.hinge.phi"]).all()


def test_the_world_outside_gives_its_sizes_to_models_within():
    built = read_model("M", two_links())
    assert built.link1.box.width == 0.5 * 2 / 10


def test_redeclared_components_keep_the_modifiers_of_the_original():
    models = two_links() | {
        f"{HOME}.N": model(
            extends=[("M", {"redeclare LinkWithPin link2": {"length": "3"}})],
        ),
        f"{HOME}.LinkWithPin": model(
            component("pin", "Visualizers.FixedShape", animation="false"),
            connections=[("pin.frame_a", "frame_a")],
            extends=[("Link", {})],
        ),
    }
    models[f"{HOME}.M"]["components"][3]["modifiers"] = {"mass": "5"}
    built = read_model("N", models)
    assert "pin" in built.link2.parts
    assert built.link2.tip.m == 5.0
    assert numbers(built.link2.box).r.xyz == (3.0, 0.0, 0.0)
    assert "pin" not in built.link1.parts


def test_a_redeclared_model_replaces_a_type_everywhere():
    models = {
        f"{HOME}.Link": LINK,
        f"{HOME}.Short": model(extends=[("Link", {"length": "0.1"})]),
        f"{HOME}.Pair": model(
            component("frame_a", "Interfaces.Frame_a"),
            component("one", "Link"),
            component("two", "Link"),
            connections=[("frame_a", "one.frame_a"), ("one.frame_b", "two.frame_a")],
        ),
        f"{HOME}.M": model(
            WORLD,
            component("pair", "Pair", **{"redeclare model Link": f"{HOME}.Short"}),
            connections=[("world.frame_b", "pair.frame_a")],
        ),
    }
    built = read_model("M", models)
    assert [numbers(link.box).r.x for link in (built.pair.one, built.pair.two)] == [
        0.1,
        0.1,
    ]


def test_conditional_parts_and_their_connections_may_vanish():
    def some(condition):
        return build(
            WORLD,
            component("extra", "Boolean", condition),
            component("tip", "Visualizers.FixedFrame", condition="extra and 1 < 2"),
            connections=[("world.frame_b", "tip.frame_a")],
        ).model

    assert "tip" in some("true").parts
    assert len(pairs(some("true"))) == 1
    assert "tip" not in some("false").parts
    assert pairs(some("false")) == []


def test_an_absent_part_may_even_be_of_an_unknown_type():
    assert build(WORLD, component("x", "Unknown.Thing", condition="false")).model.parts


def test_connections_to_ports_that_are_switched_off_vanish():
    built = build(
        WORLD,
        component("rev", "Joints.Revolute", useAxisFlange="false"),
        component("damper", "Rotational.Components.Damper", d="1"),
        connections=[("rev.axis", "damper.flange_a"), ("world.frame_b", "rev.frame_a")],
    ).model
    assert pairs(built) == [("world.frame_b", "rev.frame_a")]


def test_arrays_of_parts_share_out_arrays_and_repeat_scalars():
    built = build(
        WORLD,
        component("n", "Integer", "3"),
        component("point", "Parts.PointMass[n]", m="{1,2,4}", v_0={"fixed": "true"}),
        component("arm", "Parts.FixedTranslation[3]", r="{{1,0,0},{0,1,0},{0,0,1}}"),
        component("total", "SI.Mass", "sum(point.m)"),
        component("second", "SI.Mass", "point[2].m"),
        connections=[
            ("point[1:3].frame_a", "arm.frame_b"),
            ("world.frame_b", "arm[1].frame_a"),
            ("arm[2:3].frame_a", "arm[1:2].frame_a"),
        ],
    )
    parts = built.model.parts
    assert [parts[f"point[{i}]"].m for i in (1, 2, 3)] == [1.0, 2.0, 4.0]
    assert all(parts[f"point[{i}]"].v_0.fixed for i in (1, 2, 3))
    assert numbers(parts["arm[3]"]).r.xyz == (0.0, 0.0, 1.0)
    assert ("point[2].frame_a", "arm[2].frame_b") in pairs(built.model)
    assert len(pairs(built.model)) == 6
    assert built.parameter("total") == 7
    assert built.parameter("second") == 2


def test_matrices_of_parts_share_out_matrices():
    built = build(
        WORLD,
        component("m", "Integer", "2"),
        component("grid", "Parts.PointMass[m,3]", m="{{1,2,3},{4,5,6}}"),
        component("arm", "Parts.FixedTranslation[2,3]", r="{0.5,0,0}"),
        component("row", "SI.Mass", "sum(grid[2,:].m)"),
        component("corner", "SI.Mass", "grid[2,3].m"),
        component("all", "SI.Mass", "sum(grid.m)"),
        connections=[
            ("grid.frame_a", "arm.frame_b"),
            ("world.frame_b", "arm[1,1].frame_a"),
            ("arm[1,2:3].frame_a", "arm[1,1:2].frame_b"),
            ("arm[2,:].frame_a", "arm[1,:].frame_b"),
        ],
    )
    parts = built.model.parts
    at = [(i, j) for i in (1, 2) for j in (1, 2, 3)]
    assert [parts[f"grid[{i},{j}]"].m for i, j in at] == [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    assert all(numbers(parts[f"arm[{i},{j}]"]).r.xyz == (0.5, 0.0, 0.0) for i, j in at)
    assert ("grid[2,1].frame_a", "arm[2,1].frame_b") in pairs(built.model)
    assert ("arm[2,3].frame_a", "arm[1,3].frame_b") in pairs(built.model)
    assert len(pairs(built.model)) == 6 + 1 + 2 + 3
    assert [built.parameter(name) for name in ("row", "corner", "all")] == [15, 6, 21]
    result = built.model.simulate(0.1)
    assert result["grid[2,3].frame_a.r_0"][-1] == pytest.approx((2.0, 0.0, 0.0))


def test_arrays_within_arrays_have_the_shares_of_both():
    home, boxes = f"{HOME}.Box", component("box", "Box[2]", m="{{1,2,3},{4,5,6}}")
    inside = model(
        component("m", "SI.Mass[3]", "{9,9,9}"), component("p", "PointMass[3]", m="m")
    )
    inside["components"][1]["type"] = "Parts.PointMass[3]"
    outer = model(WORLD, boxes, component("twice", "Parts.PointMass[2,2,2]", m="7"))
    built = read("M", {f"{HOME}.M": outer, home: inside}).model
    masses = [
        built.parts[f"box[{i}]"].parts[f"p[{j}]"].m for i in (1, 2) for j in (1, 2, 3)
    ]
    assert masses == [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    assert built.parts["twice[2,1,2]"].m == 7.0


# --- values -----------------------------------------------------------------------------------


def test_parameters_of_other_parts_count_as_modified_defaulted_or_derived():
    built = build(
        component("world", "World", defaultWidthFraction="10"),
        component("one", "Parts.BodyCylinder", r="{1,0,0}", innerDiameter="one.diameter/2"),
        component("two", "Parts.BodyBox", r="one.r - {0.5,0,0}", width="two.length/4"),
        component("three", "Parts.Body", m="one.m", I_11="one.I[1,1]", r_CM="two.r_CM"),
        component("joint", "Joints.Revolute", n="{0,2,0}"),
        component("other", "Joints.Revolute", n="joint.n"),
    )
    one, two, three = (built.model.parts[name] for name in ("one", "two", "three"))
    assert one.innerDiameter == 0.05
    assert numbers(two).r.xyz == (0.5, 0.0, 0.0)
    assert two.width == 0.125
    mass = 7700 * np.pi * (0.05**2 - 0.025**2)
    assert three.m == pytest.approx(mass, rel=1e-14)
    assert three.I_11 == pytest.approx(mass * (0.05**2 + 0.025**2) / 2, rel=1e-14)
    assert numbers(three).r_CM.xyz == (0.25, 0.0, 0.0)
    assert numbers(built.model.other).n.xyz == (0.0, 1.0, 0.0)


def test_what_modelica_has_in_degrees_is_read_in_radians():
    built = build(
        WORLD,
        component("tilt", "Parts.FixedRotation", angle="30"),
        component("far", "Parts.FixedRotation", angle="tilt.angle + 720"),
        component("bent", "Parts.FixedRotation", angles="{tilt.angle,0,-2*tilt.angle}"),
        component("bars", "Joints.Assemblies.JointRRR", phi_offset="-90", phi_guess="400"),
    ).model
    assert built.tilt.angle == pytest.approx(np.pi / 6, rel=1e-15)
    assert built.far.angle == pytest.approx(np.pi / 6, rel=1e-15)
    assert built.bent.angles.xyz == pytest.approx((np.pi / 6, 0.0, -np.pi / 3), rel=1e-15)
    assert built.bars.phi_offset == pytest.approx(-np.pi / 2, rel=1e-15)
    assert built.bars.phi_guess == pytest.approx(400 * np.pi / 180, rel=1e-15)


def test_an_angle_in_degrees_that_is_none_or_free_is_refused():
    text = refusal(component("tilt", "Parts.FixedRotation", angle='"steep"'))
    assert "tilt.angle" in text
    assert "'steep'" in text
    free = {"start": "30", "fixed": "false"}
    text = refusal(
        component("bars", "Joints.Assemblies.JointRRR", phi_offset=free),
        error=MissingFeatureError,
    )
    assert "bars.phi_offset" in text
    assert "degrees" in text


def test_bodies_of_published_models_may_be_unphysical():
    built = build(
        WORLD, component("body", "Parts.Body", I_11="1", I_22="0", I_33="0")
    ).model
    assert built.body.physical is False


def test_values_with_attributes_and_enumerations_are_understood():
    built = build(
        component("world", "World", gravityType="MultiBody.Types.GravityTypes.NoGravity"),
        component(
            "body",
            "Parts.Body",
            w_0_start={"=": "{0,0,0.5}", "displayUnit": ""},
            r_0={"start": "{1,2,3}", "fixed": "{true,true,true}"},
            a_0={"fixed": "false", "start": "{1,1,1}"},
            z_0_fixed="false",
        ),
        component(
            "rev", "Joints.Revolute", stateSelect="StateSelect.always", a={"start": "1"}
        ),
    ).model
    assert built.world.gravityType == "NoGravity"
    assert numbers(built.body).w_0_start.xyz == (0.0, 0.0, 0.5)
    assert built.body.r_0 == Start((1.0, 2.0, 3.0), True)
    assert built.rev.stateSelect == "always"


def test_modifiers_reach_parts_within_a_part():
    built = build(
        WORLD,
        component("body", "Parts.BodyBox", r="{1,0,0}", body={"v_0": {"fixed": "true"}}),
    )
    assert built.model.body.body.v_0 == Start((0.0, 0.0, 0.0), True)


def test_a_gravity_function_is_found_by_its_name_and_given_its_arguments():
    name = f"{HOME}.Elementary.Utilities.theoreticalNormalGravityWGS84"
    built = build(
        component("latitude", "Modelica.Units.NonSI.Angle_deg", "45"),
        component(
            "world",
            "World",
            **{"redeclare function gravityAcceleration": f"{name}(phi=latitude)"},
        ),
    ).model
    r = Vector(0.0, 100.0, 0.0)
    seen = built.world.gravityAcceleration(r)
    assert seen.xyz == normal_gravity_wgs84(45.0)(r).xyz


def test_declared_quantities_are_signals_of_the_result():
    models = {f"{HOME}.M": copy.deepcopy(PENDULUM)}
    models[f"{HOME}.M"]["components"] += [
        {"name": "height", "type": "SI.Position[3]", "value": "body.r_CM_0"},
        {
            "name": "speed",
            "type": "Real",
            "value": "Modelica.Units.Conversions.to_rpm(rev.w)",
        },
        {"name": "drop", "type": "SI.Position[3]", "value": "height - {length, 0, 0}"},
        {"name": "open", "type": "Real"},
    ]
    reading = read("M", models)
    result = reading.model.simulate(1.0)
    centre = result["body.r_CM_0"]
    np.testing.assert_array_equal(reading.signal(result, "height"), centre)
    np.testing.assert_array_equal(reading.signal(result, "height[2]"), centre[:, 1])
    np.testing.assert_allclose(
        reading.signal(result, "speed"), result["rev.w"] * 30 / np.pi
    )
    np.testing.assert_array_equal(reading.signal(result, "drop")[:, 0], centre[:, 0] - 0.5)
    np.testing.assert_array_equal(
        reading.signal(result, "length"), np.full(len(result), 0.5)
    )
    for unknown in ("open", "nothing", "rev.nothing", "1 +"):
        with pytest.raises(UnknownNameError):
            reading.signal(result, unknown)


# --- what is refused --------------------------------------------------------------------------


def refusal(*components, error=MotorikError, **rest):
    with pytest.raises(error) as caught:
        build(*components, **rest)
    return str(caught.value)


def test_an_unknown_type_is_named_in_full():
    text = refusal(
        component("magnet", "MultiBody.Forces.Magnet", c="1"), error=UnknownPartError
    )
    assert "magnet" in text
    assert "Modelica.Mechanics.MultiBody.Forces.Magnet" in text
    text = refusal(component("damper", "Joints.Hinge"), error=UnknownPartError)
    assert "Modelica.Mechanics.MultiBody.Joints.Hinge" in text


def test_an_unknown_modifier_is_named_with_the_nearest_known_one():
    text = refusal(component("body", "Parts.Body", r_MC="{1,0,0}"), error=UnknownNameError)
    assert "body" in text
    assert "r_MC" in text
    assert "Did you mean 'r_CM'" in text


def test_looks_of_one_part_are_unknown_to_another():
    assert "axisLength" in refusal(component("body", "Parts.Body", axisLength="1"))
    assert "boxWidth" in refusal(component("rev", "Joints.Revolute", boxWidth="1"))
    assert (
        "boxWidth"
        not in build(component("s", "Joints.Prismatic", boxWidth="1")).model.s.specs
    )


def test_features_that_are_not_there_are_named():
    text = refusal(
        component("s", "Forces.Spring", useHeatPort="true"), error=MissingFeatureError
    )
    assert "Forces.Spring with useHeatPort" in text
    for extra in (
        component("rev", "Joints.Revolute", phi="sin(1)"),
        component("p", "Parts.PointMass[2,3,2,2,2]"),
    ):
        refusal(extra, error=MissingFeatureError)


def test_components_of_a_start_value_are_fixed_one_by_one():
    mass = build(component("m", "Parts.PointMass", r_0={"fixed": "{true,false,true}"}))
    assert mass.model.m.r_0.fixed_components() == (True, False, True)


def test_a_wrong_expression_is_shown_with_its_part_and_place():
    text = refusal(
        component("body", "Parts.Body", r_CM="{lenght,0,0}"), error=ExpressionError
    )
    assert text.startswith("body.r_CM: 'lenght' is not known")
    text = refusal(
        component("p", "Real", "1 +"),
        component("b", "Parts.Body", m="p"),
        error=ExpressionError,
    )
    assert text.startswith("p: a value expected")


def test_a_value_that_needs_itself_is_refused():
    text = refusal(
        component("a", "Real", "b + 1"),
        component("b", "Real", "a - 1"),
        component("body", "Parts.Body", m="a"),
    )
    assert "a → b → a" in text


@pytest.mark.parametrize(
    ("connection", "message"),
    [
        (("world.frame_b", "rev.frame_c"), "has no port 'frame_c'"),
        (("world.frame_b", "hinge.frame_a"), "has no port 'hinge'"),
        (("world.frame_b", "damper.flange_a"), "rotational flange"),
        (("world.frame_b", "rev"), "not a port"),
        (("world.frame_b", "rev.frame_a[1]"), "not an array"),
        (("world.frame_b", "2*rev"), "name of a port expected"),
        (("world.frame_b.r_0", "rev.frame_a"), "a port has no 'r_0'"),
        (("world.frame_b", "world.frame_b"), "connected to itself"),
    ],
)
def test_a_wrong_connection_is_refused_and_named(connection, message):
    text = refusal(
        WORLD,
        component("rev", "Joints.Revolute"),
        component("damper", "Rotational.Components.Damper", d="1"),
        connections=[connection],
    )
    assert message in text
    assert connection[1] in text


def test_a_connection_of_different_numbers_of_ports_is_refused():
    text = refusal(
        component("p", "Parts.PointMass[3]"),
        component("q", "Parts.PointMass[2]"),
        connections=[("p.frame_a", "q.frame_a")],
        error=PortError,
    )
    assert "joins 3 port(s) with 2" in text


def test_impossible_values_of_parts_are_refused_under_the_parts_name():
    text = refusal(component("ball", "Parts.PointMass", m="-1"), error=ParameterError)
    assert text.startswith("ball: m = -1")


def test_an_unknown_modifier_of_a_model_is_refused():
    with pytest.raises(UnknownNameError, match="'lenght'"):
        read_model("M", two_links(lenght="1"))


def test_models_that_hold_or_extend_themselves_are_refused():
    endless = {
        f"{HOME}.A": model(component("b", "B"), component("c", "B")),
        f"{HOME}.B": model(component("a", "A")),
    }
    with pytest.raises(ModelicaError, match="nested deeper"):
        read_model("A", endless)
    circle = {
        f"{HOME}.A": model(extends=[("B", {})]),
        f"{HOME}.B": model(extends=[("A", {})]),
    }
    with pytest.raises(ModelicaError, match="extends itself"):
        read_model("A", circle)


def test_a_model_cannot_grow_beyond_bounds(monkeypatch):
    monkeypatch.setattr(instance, "MOST_PARTS", 50)
    names = [f"L{i}" for i in range(8)]
    models = {f"{HOME}.L8": model(component("m", "Parts.PointMass"))}
    for name, inner in zip(names, [*names[1:], "L8"], strict=True):
        models[f"{HOME}.{name}"] = model(component("x", f"{inner}[9999]"))
    with pytest.raises(ModelicaError, match="more than 50 parts"):
        read_model("L0", models)


def test_a_registered_part_stands_for_a_model_of_the_file():
    full = f"{HOME}.Link"
    try:
        register(full, Body, ignore={"length"})
        built = read_model(
            "M", {full: LINK, f"{HOME}.M": model(component("b", "Link", length="2"))}
        )
        assert type(built.b) is Body
    finally:
        PARTS.pop(full, None)


def test_derived_masses_agree_with_the_parts_own():
    built = build(
        WORLD,
        component("box", "Parts.BodyBox", r="{0.4,0,-0.3}", width="0.06"),
        component("rod", "Parts.BodyCylinder", r="{0.3,-0.4,0}"),
    )
    for name, kind in (("box", BodyBox), ("rod", BodyCylinder)):
        part = built.model.parts[name]
        assert isinstance(part, kind)
        tensor = numbers(part.body).I.numpy()
        np.testing.assert_array_equal(np.array(built.parameter(f"{name}.I")), tensor)
