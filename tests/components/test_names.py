"""Names and ports: parts are named by assignment and connected by their ports."""

from __future__ import annotations

import pytest

import motorik as mk
from motorik import rotational
from motorik.components.base.part import Part, frame, parameter
from motorik.errors import ParameterError, PortError, UnknownNameError
from tests.refusals import refused


class Pendulum(mk.Model):
    """A body on a hinge."""

    def build(self, length=0.5, mass=1.0) -> None:
        self.world = mk.World()
        self.hinge = mk.Revolute(useAxisFlange=True)
        self.bob = mk.Body(m=mass, r_CM=(length, 0, 0))
        self.world.frame_b >> self.hinge.frame_a
        self.hinge.frame_b >> self.bob.frame_a


class Arm(mk.Model):
    """A sub-model with a port of its own."""

    frame_a = frame("where it is held")
    size = parameter("length", "m", 1.0)

    def build(self) -> None:
        self.elbow = mk.Revolute()
        self.rod = mk.Body()
        mk.connect(self.frame_a, self.elbow.frame_a)
        mk.connect(self.elbow.frame_b, self.rod.frame_a)


def test_assignment_gives_the_path():
    model = mk.Model()
    model.left = Arm()
    assert model.left.rod.path == "left.rod"
    assert model.left.rod.frame_a.path == "left.rod.frame_a"
    assert repr(model.left.rod.frame_a) == "<frame left.rod.frame_a>"
    assert [part.path for part in model.walk()] == ["", "left", "left.elbow", "left.rod"]


def test_a_model_prints_its_tree():
    model = mk.Model()
    model.left = Arm(size=2.0)
    assert repr(mk.Model()) == "Model()"
    text = repr(model)
    assert text.startswith("Model:\n  left: Arm")
    assert "\n    elbow: Revolute()\n    rod: Body()" in text


# --- names ----------------------------------------------------------------------------------


def test_misspelt_parts_and_ports_get_the_near_name():
    model = Pendulum()
    with refused(UnknownNameError, "Pendulum", "'hing'", "Did you mean 'hinge'?", "bob"):
        model.hing  # noqa: B018
    with refused(
        UnknownNameError, "hinge", "'frame_c'", "Did you mean 'frame_a' or 'frame_b'?"
    ):
        model.hinge.frame_c  # noqa: B018
    with refused(UnknownNameError, "world", "'frame_a'", "frame_b"):
        model.world.frame_a  # noqa: B018


def test_flanges_are_there_when_they_are_used():
    hinge = mk.Revolute()
    assert not any(port.name == "axis" for port in hinge.ports())
    before = dict(hinge.__dict__)
    assert hinge.axis.name == "axis" and hinge.support.owner is hinge
    assert hinge.axis is hinge.axis
    assert not hinge.useAxisFlange, "reading a port changes nothing"
    assert {name: hinge.__dict__[name] for name in before} == before

    model = mk.Model()
    model.hinge, model.shaft = hinge, rotational.Inertia()
    axis = hinge.axis
    hinge.axis >> model.shaft.flange_a
    assert hinge.useAxisFlange and hinge.axis is axis and hinge.support in hinge.ports()


def test_a_port_that_was_refused_says_how_to_get_it():
    with refused(UnknownNameError, "Revolute", "axis", "useAxisFlange=True"):
        _ = mk.Revolute(useAxisFlange=False).axis


def test_which_ports_a_part_has_is_settled_when_it_is_made():
    model = Pendulum()
    with refused(ParameterError, "hinge", "useAxisFlange", "useAxisFlange=False"):
        model.hinge.useAxisFlange = False
    assert model.hinge.useAxisFlange is True
    model.hinge.useAxisFlange = True


def test_two_parts_cannot_claim_one_name():
    model = Pendulum()
    with refused(ParameterError, "Pendulum.hinge", "two parts", "Revolute(", "Prismatic()"):
        model.hinge = mk.Prismatic()
    with refused(ParameterError, "Pendulum.hinge", "is a part", "5"):
        model.hinge = 5


@pytest.mark.parametrize("name", ["simulate", "compile", "parts", "connections", "label"])
def test_a_name_that_means_something_else_is_refused(name):
    model = Pendulum()
    with refused(ParameterError, f"Pendulum.{name}", " has", "another name"):
        setattr(model, name, mk.Body())
    with refused(ParameterError, f"Pendulum.{name}", " has", "another name"):
        setattr(model, name, 3)
    assert callable(model.simulate) and set(model.parts) == {"world", "hinge", "bob"}


def test_a_parameter_or_port_of_a_model_is_no_place_for_a_part():
    for name in ("size", "frame_a"):
        with refused(ParameterError, f"Arm.{name}", "every Arm has"):
            setattr(Arm(), name, mk.Body())
    with refused(ParameterError, "hinge", "frame_a is a port", "Connect"):
        Pendulum().hinge.frame_a = 1


def test_a_dot_in_a_name_is_refused():
    with refused(ParameterError, "a.b", "dot"):
        setattr(mk.Model(), "a.b", mk.Body())


def test_a_model_may_keep_values_of_its_own():
    model = Pendulum()
    model.note = "hello"
    model.note = [1, 2]
    assert model.note == [1, 2] and "note" not in model.parts


def test_a_part_has_one_place():
    model = Pendulum()
    with refused(ParameterError, "Model.again", "'bob'", "new part"):
        mk.Model().again = model.bob
    inner = mk.Model()
    inner.outer = Arm()
    with refused(ParameterError, "part of itself", "new part"):
        inner.outer.loop = inner
    with refused(ParameterError, "Model.me", "part of itself"):
        inner.me = inner


def test_arguments_of_build_are_those_of_the_constructor():
    assert Pendulum(length=0.3).bob.r_CM.xyz == (0.3, 0.0, 0.0)
    with refused(
        UnknownNameError, "Pendulum", "'lenght'", "Did you mean 'length'?", "mass"
    ):
        Pendulum(lenght=0.3)
    with refused(UnknownNameError, "Arm", "'sise'", "Did you mean 'size'?"):
        Arm(sise=0.3)
    with refused(UnknownNameError, "Model", "'size'"):
        mk.Model(size=0.3)

    class Needy(mk.Model):
        def build(self, count, *, depth=1, **rest) -> None:
            self.seen = (count, depth, rest)

    with refused(ParameterError, "Needy", "'count'", "Needy(count="):
        Needy()
    assert Needy(count=2, other=3).seen == (2, 1, {"other": 3})


# --- connections ----------------------------------------------------------------------------


def test_connections_go_to_the_smallest_model_that_holds_both():
    model = Pendulum()
    model.arm = Arm()
    model.arm.frame_a >> model.bob.frame_a
    assert model.connections[-1] == (model.arm.frame_a, model.bob.frame_a)
    assert len(model.arm.connections) == 2


def test_several_ports_are_connected_at_once_and_chained():
    model = mk.Model()
    model.a, model.b, model.c = mk.Body(), mk.Body(), mk.Body()
    model.connect(model.a.frame_a, model.b.frame_a, model.c.frame_a)
    assert len(model.connections) == 2
    assert (model.b.frame_a >> model.c.frame_a) is model.c.frame_a


def test_ports_of_different_kinds_do_not_fit():
    model = Pendulum()
    model.slider = mk.Prismatic(useAxisFlange=True)
    words = ["hinge.axis", "rotational flange", "bob.frame_a", "is a frame"]
    with refused(PortError, *words):
        model.hinge.axis >> model.bob.frame_a
    with refused(PortError, "hinge.axis", "slider.axis", "translational flange"):
        model.connect(model.hinge.axis, model.slider.axis)


def test_only_ports_can_be_connected():
    model = Pendulum()
    with refused(PortError, "bob", "is a part", "bob.frame_a"):
        model.connect(model.hinge.frame_a, model.bob)
    with refused(PortError, "5 is not a port"):
        model.hinge.frame_a >> 5
    with refused(PortError, "at least two ports"):
        model.connect(model.hinge.frame_a)
    with refused(PortError, "hinge.frame_a", "itself"):
        model.hinge.frame_a >> model.hinge.frame_a


def test_ports_of_parts_without_a_common_model_cannot_be_connected():
    model = Pendulum()
    with refused(PortError, "Revolute.frame_a", "model.name = Part(...)"):
        mk.Revolute().frame_a >> model.bob.frame_a
    with refused(PortError, "bob.frame_a", "not in the same model"):
        model.bob.frame_a >> Pendulum().bob.frame_a


# --- parts of parts -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "outer", "inner", "value"),
    [
        (mk.Cylindrical, "s", "prismatic.s", mk.Start(0.3, True)),
        (mk.Cylindrical, "w", "revolute.w", mk.Start(0.3, False)),
        (mk.Universal, "phi_b", "revolute_b.phi", mk.Start(0.3, True)),
        (mk.Planar, "v_y", "prismatic_y.v", mk.Start(0.3, True)),
        (mk.Planar, "stateSelect", "revolute.stateSelect", "never"),
        (mk.BodyShape, "r_0", "body.r_0", mk.Start((1.0, 2.0, 3.0), True)),
        (mk.BodyBox, "w_0_fixed", "body.w_0_fixed", True),
    ],
    ids=str,
)
def test_values_of_parts_within_follow_those_outside(kind, outer, inner, value):
    def within(part: Part) -> object:
        for name in inner.split("."):
            part = getattr(part, name)
        return part

    assert within(kind(**{outer: value})) == value
    later = kind()
    assert within(later) != value
    setattr(later, outer, value)
    assert within(later) == value
