"""Formulas of live parameters: what computes, what is refused, and how parameters are named."""

from __future__ import annotations

import copy
import math
import operator
import pickle

import numpy as np
import pytest

import motorik as mk
from motorik import Parameter
from motorik.components.base.part import parameter
from motorik.components.base.values import as_number, number_of
from motorik.errors import ParameterError, UnknownNameError
from tests.refusals import refused

VALUES = (0.3, 0.8, 1.7)
FORMULAS = {
    "sum": lambda a, b: a + 2 * b - 1,
    "other side": lambda a, b: 3.0 - a + 1 / b,
    "powers": lambda a, b: a**2 + 2**b + a**b - a**0.5,
    "negative": lambda a, b: -a * +b,
    "length": lambda a, b: mk.sqrt(a * a + b * b),
    "angle": lambda a, b: mk.arctan2(a, b) + mk.arctan2(1.0, a),
    "waves": lambda a, b: mk.sin(a) * mk.cos(b) + mk.tan(a) + mk.exp(-b) + mk.log(a),
    "arcs": lambda a, b: mk.arcsin(a / 2) + mk.arccos(b / 2) + mk.arctan(a),
    "size": lambda a, b: abs(a - b),
    "choice": lambda a, b: mk.where(a > 0.5, a * b, b - a),
    "bounds": lambda a, b: mk.minimum(a, b) + mk.maximum(a, 1.0),
    "folded": lambda a, b: 0 * a + 1 * b + a * 0 + 0 / a,
    "NumPy": lambda a, b: (
        np.sin(a) + np.sqrt(b) + np.float64(2.0) * a - np.float64(1.0) / b
    ),
}


def present(value: object) -> float:
    return number_of(value)


@pytest.mark.parametrize("name", FORMULAS)
@pytest.mark.parametrize("a", VALUES)
def test_a_formula_has_the_value_of_the_same_of_numbers(name, a):
    formula, b = FORMULAS[name], 1.1
    live_a, live_b = Parameter(9.0), Parameter(9.0)
    found = formula(live_a, live_b)
    live_a.value, live_b.value = a, b
    assert math.isclose(present(found), float(formula(a, b)), rel_tol=1e-15)


def test_vectors_compute_component_by_component():
    r, k = Parameter((1.0, 2.0, 3.0)), Parameter(2.0)
    for found, expected in (
        (k * r, (2, 4, 6)),
        (r / k, (0.5, 1, 1.5)),
        (r + mk.Parameter((1, 1, 1)), (2, 3, 4)),
        ([1, 1, 1] - r, (0, -1, -2)),
        (-r, (-1, -2, -3)),
        (r.cross((0, 0, 1)), (2, -1, 0)),
    ):
        assert tuple(map(present, found.xyz)) == expected
    assert present(r.norm()) == math.sqrt(14.0) and present(r.dot(r)) == 14.0
    assert [present(c) for c in r] == [1.0, 2.0, 3.0] and present(r[1]) == 2.0
    assert [present(c) for c in k * np.array([1.0, 2.0])] == [2.0, 4.0]
    with refused(ParameterError, "one number, not a vector"):
        k.norm()
    for wrong in (lambda: k + r, lambda: k / r, lambda: r**2, lambda: r * r):
        with pytest.raises(TypeError):
            wrong()


@pytest.mark.parametrize(
    "ask",
    [
        *(lambda a, op=op: bool(op(a, 1.0)) for op in (operator.lt, operator.ge)),
        lambda a: a == 1.0,
        lambda a: 1.0 != a,
        bool,
        lambda a: max(a, 2.0),
        lambda a: bool(2 * a > a),
    ],
)
def test_a_comparison_is_refused_and_where_is_named(ask):
    with refused(ParameterError, "L", "where(condition, yes, no)"):
        ask(Parameter(1.0, name="L"))


@pytest.mark.parametrize("function", [float, math.sin, int])
def test_functions_of_plain_numbers_are_refused(function):
    with refused(ParameterError, "L", "not a plain number", "functions of motorik"):
        function(Parameter(1.0, name="L"))


def test_equal_formulas_are_one_and_long_ones_are_no_trouble():
    a = Parameter(1.0, name="a")
    assert a / 2 is a / 2 and hash(a / 2) == hash(a / 2)
    assert repr(2 * a + mk.sin(a)) == "((2.0 * a) + sin(a))"
    long = a
    for _ in range(3000):
        long = long + a
    assert present(long) == 3001.0 and len(repr(long)) < 100
    twice = a
    for _ in range(200):
        twice = (twice + twice) / 2
    assert present(twice) == 1.0


def test_a_formula_out_of_bounds_names_part_and_parameter():
    a = Parameter(1.0, name="a")
    with refused(ParameterError, "Body", "m = -1.0 kg", "at least 0"):
        mk.Body(m=a - 2)
    with refused(ParameterError, "Body", "not a number"):
        mk.Body(m=Parameter((1, 2, 3)) * 2)
    with refused(ParameterError, "Revolute", "useAxisFlange", "cannot be live", "decides"):
        mk.Revolute(useAxisFlange=a)
    with refused(ParameterError, "CriticalDamping", "n = ", "cannot be live", "count"):
        mk.blocks.CriticalDamping(n=a)


# --- models ----------------------------------------------------------------------------------


class Leg(mk.Model):
    """A swinging rod of length L, driven by a torque that depends on L."""

    def build(self, L=1.0, density=3.0, amplitude=0.2):
        self.world = mk.World()
        self.hinge = mk.Revolute(n="z", phi=0.3, useAxisFlange=True)
        self.rod = mk.FixedTranslation(r=(0, -L, 0))
        across = density * L**3 / 12
        inertia = [[across, 0, 0], [0, 0.01 * L, 0], [0, 0, across]]
        self.body = mk.Body(m=density * L, r_CM=(0, -L / 2, 0), I=inertia)
        self.foot = mk.Body(m=mk.where(L > 1.5, 0.5, 0.1))
        self.torque = mk.rotational.Torque()
        self.wave = mk.blocks.TimeFunction(f=lambda t: amplitude * mk.sin(3 * L * t))
        self.wave.y >> self.torque.tau
        self.torque.flange >> self.hinge.axis
        self.world.frame_b >> self.hinge.frame_a
        self.hinge.frame_b >> self.rod.frame_a
        self.hinge.frame_b >> self.body.frame_a
        self.rod.frame_b >> self.foot.frame_a


class Robot(mk.Model):
    """Two legs of one length, which is an attribute, on one world."""

    def build(self):
        self.L = Parameter(1.0, unit="m", description="length of both legs")
        self.leg = Leg(L=self.L)
        self.tail = mk.Body(m=self.L + 1, r_CM=(0.1, 0, 0))
        self.push = mk.blocks.TimeFunction(f=lambda t: self.L * t)
        self.sum = mk.blocks.Integrator()
        self.push.y >> self.sum.u
        self.tail.frame_a >> self.leg.foot.frame_a


def phi(model: mk.Model, name: str = "hinge.phi", **options) -> np.ndarray:
    return model.simulate(0.5, method="rk4", step=5e-3, output=5, **options)[name]


@pytest.mark.parametrize("L", [0.6, 1.2, 2.0])
def test_an_argument_of_build_is_live_at_every_run(L):
    model = Leg(L=Parameter(1.0, unit="m"))
    system = model.compile()
    found = phi(model, parameters={"L": L})
    assert model.compile() is system
    np.testing.assert_allclose(found, phi(Leg(L=L)), rtol=0, atol=1e-12)
    np.testing.assert_allclose(phi(model), phi(Leg(L=1.0)), rtol=0, atol=1e-12)


def test_several_parameters_of_one_formula():
    model = Leg(L=Parameter(1.0), density=Parameter(2.0), amplitude=Parameter(0.1))
    assert [*model.live_parameters()] == ["L", "density", "amplitude"]
    values = {"L": 1.3, "density": 4.0, "amplitude": 0.4}
    np.testing.assert_allclose(
        phi(model, parameters=values), phi(Leg(**values)), rtol=0, atol=1e-12
    )


def test_an_attribute_names_a_parameter_wherever_it_is_used():
    model = Robot()
    (name,) = model.live_parameters()
    live = model.live_parameters()[name]
    assert (name, live.unit, live.description) == ("L", "m", "length of both legs")
    once = phi(model, "leg.hinge.phi", parameters={"L": 1.4})
    assert (phi(model, "leg.hinge.phi", parameters={"leg.L": 1.4}) == once).all()
    total = model.simulate(0.5, parameters={"L": 1.4})["sum.y"][-1]
    assert math.isclose(total, 1.4 * 0.125, rel_tol=1e-6)
    model.L = 1.4
    assert live.value == 1.4 and (phi(model, "leg.hinge.phi") == once).all()
    with refused(ParameterError, "L", "given twice"):
        model.simulate(0.1, parameters={"L": 1.0, "leg.L": 2.0})
    with refused(ParameterError, "L", "already is"):
        model.L = Parameter(3.0)


def test_inner_models_have_their_own_by_path():
    class Pair(mk.Model):
        def build(self):
            self.world = mk.World()
            for side in ("left", "right"):
                setattr(self, side, Swing(L=Parameter(1.0)))
                self.world.frame_b >> getattr(self, side).hinge.frame_a

    class Swing(mk.Model):
        def build(self, L):
            self.hinge = mk.Revolute(n="z", phi=0.3)
            self.body = mk.Body(r_CM=(L, 0, 0))
            self.hinge.frame_b >> self.body.frame_a

    model = Pair()
    assert [*model.live_parameters()] == ["left.L", "right.L"]
    result = model.simulate(0.3, parameters={"left.L": 2.0})
    assert dict(result.parameters) == {"left.L": 2.0, "right.L": 1.0}
    assert abs(result["left.hinge.phi"][-1] - result["right.hinge.phi"][-1]) > 1e-3


def test_a_live_default_is_each_models_own():
    class Swing(mk.Model):
        def build(self, L=Parameter(1.0, unit="m")):  # noqa: B008
            self.body = mk.Body(r_CM=(L, 0, 0))

    class Declared(mk.Model):
        L = parameter("length", "m", Parameter(1.0), as_number(above=0.0))

        def build(self):
            self.body = mk.Body(r_CM=(self.L, 0, 0))

    for kind in (Swing, Declared):
        one, two = kind(), kind()
        one.live_parameters()["L"].value = 3.0
        assert two.live_parameters()["L"].value == 1.0
        assert one.live_parameters()["L"].unit == "m"
        assert kind(L=2.0).live_parameters() == {}


def test_copies_have_parameters_of_their_own():
    model = Leg(L=Parameter(1.0))
    twin = copy.deepcopy(model)
    twin.live_parameters()["L"].value = 2.0
    assert model.live_parameters()["L"].value == 1.0
    np.testing.assert_allclose(phi(twin), phi(Leg(L=2.0)), rtol=0, atol=1e-12)
    plain = mk.Model()
    plain.body = mk.Body(m=mk.where(Parameter(1.0, name="a") > 0.5, 1.0, 2.0))
    again = pickle.loads(pickle.dumps(plain))
    assert number_of(again.body.m) == 1.0


def test_plain_values_beside_live_ones_are_compiled_once():
    model = Leg(L=Parameter(1.0))
    for L in (0.7, 0.9):
        found = phi(model, parameters={"L": L, "foot.m": 0.4})
        other = Leg(L=L)
        other.foot.m = 0.4
        np.testing.assert_allclose(found, phi(other), rtol=0, atol=1e-12)
    assert len(model.__dict__["_compiled"]) == 1


@pytest.mark.parametrize(
    ("values", "error", "words"),
    [
        ({"LL": 1.0}, UnknownNameError, ["'LL'", "Did you mean 'L'?"]),
        ({"leg.LL": 1.0}, UnknownNameError, ["leg", "'LL'", "Did you mean 'L'?"]),
        ({"lek.L": 1.0}, UnknownNameError, ["'lek'", "Did you mean 'leg'?"]),
        ({"L": (1, 2, 3)}, ParameterError, ["L", "(1, 2, 3)", "1 finite number"]),
        ({"L": "long"}, ParameterError, ["L", "'long'", "1 finite number"]),
        ({"L": math.nan}, ParameterError, ["L", "nan"]),
        ({"L": -1.0}, ParameterError, ["leg.body", "m = -3.0 kg"]),
        (
            {"leg.density": 2.0},
            ParameterError,
            ["leg.density", "Leg(density=Parameter(…))"],
        ),
        ({"leg.hinge.phi": 2.0}, UnknownNameError, ["start value"]),
    ],
    ids=str,
)
def test_wrong_names_and_values_are_refused(values, error, words):
    with refused(error, *words):
        Robot().simulate(0.1, parameters=values)


def test_what_follows_from_a_parameter_is_not_set_itself():
    model = mk.Model()
    model.L = Parameter(1.0)
    model.leg = Leg(L=model.L / 2)
    with refused(ParameterError, "leg.L", "follows from L", "Give L another value"):
        model.simulate(0.1, parameters={"leg.L": 2.0})


def test_a_parameter_without_a_name_is_refused_with_a_remedy():
    model = mk.Model()
    model.body = mk.Body(m=2 * Parameter(1.0))
    with refused(ParameterError, "body.m", "no name", "self.L = Parameter"):
        model.compile()


def test_a_function_that_cannot_see_its_parameter_says_so():
    class Law:
        def __init__(self, live):
            self.live = live

        def __call__(self, u):
            return self.live * u

    live = Parameter(1.0, name="k")
    model = mk.Model()
    model.wave, model.law = mk.blocks.Sine(), mk.blocks.Function(f=Law(live))
    model.sum = mk.blocks.Integrator()
    model.wave.y >> model.law.u
    model.law.y >> model.sum.u
    with refused(ParameterError, "k", "local name"):
        model.simulate(0.1)


# --- results ---------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_result_tells_its_parameters_and_a_file_keeps_them(tmp_path):
    model = Robot()
    model.tail.r_CM = Parameter((0.1, 0.2, 0.0))
    result = model.simulate(0.1, output=5, parameters={"L": 1.25})
    assert dict(result.parameters) == {"L": 1.25, "tail.r_CM": (0.1, 0.2, 0.0)}
    assert result.parameters.unit("L") == "m" and result.parameters.unit("tail.r_CM") == "m"
    assert "L = 1.25 m" in repr(result.parameters)
    with refused(UnknownNameError, "'M'", "There are: L"):
        result.parameters["M"]
    read = mk.load_result(result.to_netcdf(tmp_path / "run.nc"))
    assert dict(read.parameters) == dict(result.parameters)
    assert read.parameters.unit("L") == "m"
    again = mk.load_result(read.to_netcdf(tmp_path / "again.nc"))
    assert dict(again.parameters) == dict(result.parameters)
    assert not mk.load_result(result.to_csv(tmp_path / "run.csv")).parameters


@pytest.mark.slow
def test_a_result_lists_what_was_set_for_its_run_without_being_live(tmp_path):
    model = Robot()
    given = {"tail.r_CM": (0.1, -0.3, 0.0), "tail.m": 2.5, "L": 1.25}
    result = model.simulate(0.1, output=5, parameters=given)
    assert dict(result.parameters) == given
    assert result.parameters.unit("tail.m") == "kg"
    assert not result.parameters.is_found("tail.m")
    read = mk.load_result(result.to_netcdf(tmp_path / "run.nc"))
    assert dict(read.parameters) == given
    assert dict(model.simulate(0.1, output=5).parameters) == {"L": model.L.value}


def test_a_value_set_over_a_live_formula_is_listed():
    class Foot(mk.Model):
        def build(self, L=1.0):
            self.world, self.hip = mk.World(), mk.Revolute(phi=0.4)
            self.rod = mk.FixedTranslation(r=(0, -L, 0))
            self.foot = mk.Body(m=0.3)
            self.world.frame_b >> self.hip.frame_a
            self.hip.frame_b >> self.rod.frame_a
            self.rod.frame_b >> self.foot.frame_a

    over = Foot(L=Parameter(1.0)).simulate(0.5, parameters={"rod.r": (0.0, -3.0, 0.0)})
    assert dict(over.parameters) == {"L": 1.0, "rod.r": (0.0, -3.0, 0.0)}
    long = Foot(L=3.0).simulate(0.5)
    assert np.allclose(over["hip.phi"], long["hip.phi"], rtol=0.0, atol=1e-12)
    assert dict(long.parameters) == {}


@pytest.mark.parametrize(
    "text", ["[1]", '{"L": 1}', '{"L": [1, "m"]}', '{"L": ["1", "m", false]}', "{", "L=1"]
)
def test_parameters_of_a_file_are_read_safely(tmp_path, text):
    data = Robot().simulate(0.1, output=2).to_xarray()
    data.attrs["parameters"] = text
    data.to_netcdf(tmp_path / "run.nc", engine="h5netcdf")
    with refused(mk.FileFormatError, "run.nc", "cannot be read"):
        mk.load_result(tmp_path / "run.nc")


def test_parameters_found_at_the_start_are_told():
    """A spring whose rest length is such that a mass rests: c (s − s₀) = m g."""
    model = mk.Model()
    model.world = mk.World(g=10.0)
    model.slide = mk.Prismatic(n="-y", useAxisFlange=True, s=0.5, v=0.0, a=0.0)
    model.mass = mk.PointMass(m=2.0)
    model.spring = mk.translational.Spring(c=100.0, s_rel0=Parameter(0.1, fixed=False))
    model.world.frame_b >> model.slide.frame_a
    model.slide.frame_b >> model.mass.frame_a
    model.slide.support >> model.spring.flange_a
    model.spring.flange_b >> model.slide.axis
    result = model.simulate(0.1)
    assert math.isclose(result.parameters["spring.s_rel0"], 0.3, rel_tol=1e-9)
    assert result.parameters.is_found("spring.s_rel0")
    assert "computed at the start" in repr(result.parameters)
