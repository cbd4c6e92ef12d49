"""What a user sees of parts in an editor, in print and on a wrong way."""

import inspect

import pytest

import motorik as mk
from motorik.errors import ParameterError, PortError
from tests.refusals import refused


class Link(mk.Model):
    """A rod on a hinge."""

    def build(self, length=0.5, *, load):
        self.hinge = mk.Revolute(phi=0.2, w=mk.guess(1.0))
        self.rod = mk.BodyBox(r=(length, 0, 0))
        self.load = mk.Body(m=load, r_0=mk.Start((1.0, 2.0, 3.0), (True, False, False)))


def test_the_signature_names_every_value():
    names = set(inspect.signature(mk.Revolute).parameters)
    assert names == set(mk.Revolute.parameter_names())
    assert inspect.signature(mk.Revolute).parameters["n"].default == (0, 0, 1)


def test_the_signature_of_a_model_is_that_of_its_build():
    assert str(inspect.signature(Link)) == "(*, length=0.5, load)"


def test_the_docstring_lists_ports_parameters_and_start_values():
    text = inspect.getdoc(mk.Revolute) or ""
    for line in (
        "Frame b turns about the axis n",
        "  axis: driven flange, at angle phi, if useAxisFlange",
        "  n = (0, 0, 1): axis of rotation",
        "  phi [rad]: angle of rotation",
    ):
        assert line in text, line
    assert Link.__doc__ == "A rod on a hinge."


def test_parts_print_as_they_are_written():
    link = Link(load=1.0)
    assert repr(link.hinge) == "Revolute(phi=0.2, w=guess(1.0))"
    partly = "Start(value=(1.0, 2.0, 3.0), fixed=(True, False, False))"
    assert repr(link.load) == f"Body(r_0={partly})"


def test_models_within_models_print_once_and_indented():
    model = mk.Model()
    model.arm = Link(load=2.0)
    assert repr(model).splitlines()[:5] == [
        "Model:",
        "  arm: Link()",
        "    hinge: Revolute(phi=0.2, w=guess(1.0))",
        "    rod: BodyBox(r=(0.5, 0.0, 0.0))",
        "    load: " + repr(model.arm.load),
    ]


def test_a_port_of_a_part_without_a_model_tells_the_kind_of_part():
    assert repr(mk.Body().frame_a) == "<frame Body.frame_a>"


@pytest.mark.parametrize("kind", [mk.Revolute, Link])
def test_values_without_names_are_refused(kind):
    with refused(ParameterError, kind.__name__, "0.25", "by name"):
        kind(0.25)


def test_parts_are_not_connected_but_their_ports():
    link = Link(load=1.0)
    with refused(PortError, "hinge", "frame_a, frame_b", "hinge.frame_b >> rod.frame_a"):
        link.hinge >> link.rod


def test_a_kind_of_part_is_not_a_part():
    model = mk.Model()
    with refused(ParameterError, "Model.hinge", "Revolute", "Revolute(…)"):
        model.hinge = mk.Revolute


def test_a_model_that_replaces_its_constructor_is_told_of_build():
    class Replaced(mk.Model):
        def __init__(self):
            self.world = mk.World()

    with refused(ParameterError, "Replaced", "__init__", "build"):
        Replaced()


@pytest.mark.parametrize("value", ["x", float("nan"), ((1.0,),)])
def test_a_guess_is_a_number_or_a_vector(value):
    with refused(ParameterError, "guess", repr(value)):
        mk.guess(value)
