"""Parameters and start values: what is taken, how it is kept, and what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest

import motorik as mk
from motorik.components.base.part import parameter
from motorik.components.base.values import as_number
from motorik.errors import ParameterError, UnknownNameError
from tests.refusals import refused

NAN, INF = math.nan, math.inf
SKEW = [[1, 0, 0], [0.1, 1, 0], [0, 0, 1]]

WRONG = [
    (mk.Body, {"m": -1.0}, ["m = -1.0 kg", "at least 0"]),
    (mk.Body, {"m": 0.0}, ["m = 0 kg", "not positive"]),
    (mk.Body, {"m": "1"}, ["m = '1' kg", "not a number"]),
    (mk.Body, {"m": True}, ["m = True", "not a number"]),
    (mk.Body, {"m": NAN}, ["m = nan kg", "not finite"]),
    (mk.PointMass, {"m": 0.0}, ["m = 0.0 kg", "above 0 kg"]),
    (mk.Body, {"I_11": 0.0}, ["inertias 0, 0.001, 0.001 kg.m2", "PointMass"]),
    (mk.Body, {"I_22": -1.0}, ["inertias -1,", "not positive"]),
    (mk.Body, {"I_21": 5.0}, ["inertias -4.999,", "not positive"]),
    (
        mk.Body,
        {"I_33": 1.0},
        ["0.001, 0.001, 1 kg.m2", "sum of the others", "physical=False"],
    ),
    (mk.BodyShape, {"I_33": 1.0}, ["sum of the others"]),
    (mk.Body, {"I": [[1, 2], [3, 4]]}, ["I = [[1, 2], [3, 4]]", "3×3"]),
    (mk.Body, {"I": SKEW}, ["not symmetric", "0.1"]),
    (mk.Body, {"I": [[NAN] * 3] * 3}, ["nan", "finite"]),
    (mk.Body, {"r_CM": (1, 2)}, ["r_CM = (1, 2)", "2 components instead of 3"]),
    (mk.Body, {"r_CM": 5}, ["r_CM = 5", "not a vector", "three numbers in m"]),
    (mk.Body, {"r_CM": (1, 2, INF)}, ["r_CM[3] = inf m", "not finite"]),
    (mk.Body, {"r_0": (1, 2)}, ["r_0 = (1, 2)", "3 finite number(s) in m"]),
    (mk.Body, {"r_0": {"strat": (0, 0, 0)}}, ["r_0", "'strat' is neither start nor fixed"]),
    (mk.Body, {"sequence_start": (1, 1, 2)}, ["sequence_start = (1, 1, 2)", "(1, 2, 3)"]),
    (mk.Body, {"sequence_start": 5}, ["sequence_start = 5", "(1, 2, 3)"]),
    (mk.Body, {"physical": 1}, ["physical = 1", "True or False"]),
    (mk.Revolute, {"n": (0, 0, 0)}, ["n = (0.0, 0.0, 0.0)", "length zero"]),
    (mk.Revolute, {"n": "q"}, ["n = 'q'", '"x"']),
    (mk.Revolute, {"n": (1, 0)}, ["n = (1, 0)", "instead of 3"]),
    (mk.Revolute, {"phi": NAN}, ["phi = nan", "1 finite number(s) in rad"]),
    (mk.Revolute, {"phi": "a"}, ["phi = 'a'"]),
    (mk.Revolute, {"phi": mk.Parameter(1.0)}, ["phi = Parameter(1.0)"]),
    (mk.Body, {"w_0_start": mk.Parameter((0, 0, 1))}, ["w_0_start", "cannot be live"]),
    (mk.Body, {"w_0_start": (0, 0, mk.Parameter(1.0))}, ["w_0_start", "cannot be live"]),
    (mk.Spherical, {"angles_start": mk.Parameter((0, 0, 1))}, ["cannot be live"]),
    (mk.FreeMotion, {"w_rel_a_start": mk.Parameter((0, 0, 1))}, ["cannot be live"]),
    (mk.World, {"defaultWidthFraction": mk.Parameter(9.0)}, ["cannot be live"]),
    (mk.Revolute, {"stateSelect": "maybe"}, ["stateSelect = 'maybe'", "prefer"]),
    (mk.Screw, {"lead": INF}, ["lead = inf m"]),
    (mk.Planar, {"n_x": (0, 0, 2)}, ["n_x = (0.0, 0.0, 1.0)", "parallel"]),
    (mk.FixedRotation, {"rotationType": "Any"}, ["rotationType = 'Any'", "RotationAxis"]),
    (
        mk.FixedRotation,
        {"rotationType": "TwoAxesVectors", "n_y": (-1, 0, 0)},
        ["n_x = (1.0, 0.0, 0.0)", "n_y = (-1.0, 0.0, 0.0)", "parallel"],
    ),
    (mk.BodyBox, {"r": (0, 0, 0)}, ["no length", "r = (0.0, 0.0, 0.0)"]),
    (mk.BodyBox, {"width": 0.1, "innerWidth": 0.2}, ["has mass -", "inner dimensions"]),
    (mk.BodyCylinder, {"diameter": 0.1, "innerDiameter": 0.1}, ["has mass 0 kg"]),
    (mk.BodyCylinder, {"diameter": -0.1}, ["diameter = -0.1 m"]),
    (mk.BodyBox, {"density": 0}, ["density = 0 kg/m3", "above 0"]),
    (mk.World, {"gravityType": "weird"}, ["gravityType = 'weird'", "PointGravity"]),
    (mk.World, {"gravityAcceleration": 5}, ["gravityAcceleration = 5", "function"]),
    (mk.World, {"mu": -5}, ["mu = -5 m3/s2"]),
    (mk.World, {"n": (0, 0, 0)}, ["length zero"]),
    (mk.rotational.Damper, {"d": -1}, ["d = -1 N.m.s/rad", "at least 0"]),
    (mk.translational.Spring, {"c": NAN}, ["c = nan N/m"]),
]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "given", "words"), WRONG, ids=str)
def test_what_no_real_part_has_is_refused(kind, given, words):
    with refused(ParameterError, kind.__name__, *words):
        kind(**given)


@pytest.mark.parametrize(("kind", "given", "words"), WRONG[:24], ids=str)
def test_a_refused_change_names_the_part_and_leaves_it_as_it_was(kind, given, words):
    model = mk.Model()
    model.arm = mk.Model()
    model.arm.piece = kind()
    before = dict(vars(model.arm.piece))
    ((name, value),) = given.items()
    with refused(ParameterError, "arm.piece", *words):
        setattr(model.arm.piece, name, value)
    assert vars(model.arm.piece)[name] == before[name]


def test_what_published_models_use_is_admitted_on_demand():
    body = mk.Body(I_33=1.0, physical=False)
    assert body.I_33 == 1.0
    body.m = 0.0


@pytest.mark.parametrize("name", ["n", "lead", "phi", "w", "stateSelect"])
def test_a_misspelt_parameter_gets_the_near_name(name):
    wrong = f"{name}x"
    with refused(UnknownNameError, "Screw", repr(wrong), f"Did you mean {name!r}?"):
        mk.Screw(**{wrong: 1.0})
    screw = mk.Screw()
    with refused(UnknownNameError, "Screw", repr(wrong), f"Did you mean {name!r}?"):
        setattr(screw, wrong, 1.0)
    with refused(UnknownNameError, "Screw", repr(wrong), f"Did you mean {name!r}?"):
        getattr(screw, wrong)


def test_axes_are_made_unit_vectors_and_have_names():
    assert mk.Revolute(n=(0, 3, 4)).n.xyz == (0.0, 0.6, 0.8)
    assert mk.Revolute(n="-y").n.xyz == (0.0, -1.0, 0.0)
    assert mk.Revolute(n=np.array([0, 0, 2])).n.xyz == (0.0, 0.0, 1.0)


def test_a_number_as_start_is_meant_and_a_guess_is_not():
    given = mk.Revolute(phi=0.5, w=mk.guess(0.2))
    assert given.phi == mk.Start(0.5, True) and given.w == mk.Start(0.2, False)
    assert mk.Revolute().phi == mk.Start(0.0, False)
    assert mk.Revolute(phi={"start": 1, "fixed": True}).phi == mk.Start(1.0, True)
    assert mk.Revolute(phi={"start": 1}).phi == mk.Start(1.0, False)


# --- live parameters ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value", ["a", (1, 2), NAN, (1, 2, INF), None, [[1, 2, 3]]], ids=str
)
def test_a_live_parameter_is_a_finite_number_or_three(value):
    with refused(ParameterError, "Parameter", repr(value)):
        mk.Parameter(value)


@pytest.mark.parametrize("value", ["a", (1, 2, 3), INF], ids=str)
def test_a_live_parameter_keeps_its_kind(value):
    live = mk.Parameter(2.0, name="stiffness")
    with refused(ParameterError, "stiffness", repr(value), "1 finite"):
        live.value = value
    assert live.value == 2.0


def test_live_numbers_and_vectors_go_where_they_fit():
    with refused(ParameterError, "Body", "m", "one number"):
        mk.Body(m=mk.Parameter((1, 2, 3)))
    with refused(ParameterError, "Body", "r_CM", "instead of 3"):
        mk.Body(r_CM=mk.Parameter(1.0))
    with refused(ParameterError, "Body", "m = -1.0 kg"):
        mk.Body(m=mk.Parameter(-1.0))
    body = mk.Body(m=mk.Parameter(2.0), r_CM=(mk.Parameter(1.0, name="a"), 0, 0))
    assert body._has_live_parameters and not mk.Body()._has_live_parameters


def test_two_live_parameters_cannot_have_one_name():
    model = mk.Model()
    model.one = mk.Body(m=mk.Parameter(1.0, name="load.mass"))
    model.two = mk.Body(m=mk.Parameter(2.0, name="load.mass"))
    with refused(ParameterError, "load.mass", "two different"):
        model.live_parameters()


def test_one_live_parameter_may_be_used_in_many_places():
    live = mk.Parameter(1.0)
    model = mk.Model()
    model.one, model.two = mk.Body(m=live), mk.PointMass(m=live)
    assert model.live_parameters() == {"one.m": live}
    live.value = 3.0
    assert model.one.resolved(lambda s: s.value).m == 3.0
    assert model.two.resolved(lambda s: s.value).m == 3.0


def test_one_declaration_under_two_names_is_two_parameters():
    class Twins(mk.Part):
        one = two = parameter("a number", "1", 1.0, as_number())

    part = Twins(one=2.0, two=3.0)
    part.two = 4.0
    assert (part.one, part.two) == (2.0, 4.0)


def test_a_default_that_can_change_belongs_to_one_part():
    class Lists(mk.Part):
        entries = parameter("a list", "", None, lambda *given: [])

    one, two = Lists(), Lists()
    one.entries.append(1.0)
    assert two.entries == []


def test_values_shared_with_a_part_within_follow():
    box = mk.BodyBox(r=(1, 0, 0), r_0=(1, 2, 3), angles_fixed=True)
    assert box.body.r_0 == box.r_0 and box.body.angles_fixed
    box.v_0 = (1, 0, 0)
    assert box.body.v_0 == box.v_0
    with refused(ParameterError, "angles_fixed = 1"):
        box.angles_fixed = 1
    assert box.angles_fixed is True and box.body.angles_fixed is True


@pytest.mark.parametrize("first", ["world", "inner"])
def test_a_solid_in_a_model_within_follows_the_world_around_it(first):
    model, inner = mk.Model(), mk.Model()
    inner.box = mk.BodyBox(r=(1, 0, 0))
    parts = {"world": mk.World(defaultWidthFraction=10.0), "inner": inner}
    for name in (first, *(n for n in parts if n != first)):
        setattr(model, name, parts[name])
    assert inner.box.width_fraction() == 10.0
    model.world.defaultWidthFraction = 5.0
    assert inner.box.width_fraction() == 5.0
