"""Modelica expressions: their values against Python's and NumPy's, and what is refused."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motorik.exchange.modelica import ExpressionError, evaluate
from motorik.exchange.modelica.arrays import pick
from motorik.exchange.modelica.functions import CONSTANTS


class Names:
    """A scope of given values."""

    def __init__(self, **values):
        self.values = values

    def value_of(self, steps):
        (name, subscripts), *rest = steps
        return (
            pick(self.values[name], subscripts)
            if name in self.values and not rest
            else None
        )

    def known_names(self):
        return list(self.values)


VALUES = {
    "1": 1,
    "1.e-5": 1e-5,
    "20E3": 20e3,
    ".5": 0.5,
    "-2^2": -4.0,
    "2^3": 8.0,
    "(0.13/160)": 0.13 / 160,
    "7/2": 3.5,
    "1 - 2 - 3": -4,
    "8/4/2": 1.0,
    "2 + 3*4": 14,
    "(2 + 3)*4": 20,
    "+1": 1,
    "true": True,
    "not false": True,
    "1 < 2 and 2 <= 2 or false": True,
    "1 <> 1": False,
    "true == false": False,
    '"a" == "a"': True,
    "StateSelect.always == StateSelect.always": True,
    "if 1 > 2 then 3 elseif 2 > 1 then 4 else 5": 4,
    "{1,2,3}": (1, 2, 3),
    "-{0,1,0}": (0, -1, 0),
    "{{1,2},{3,4}}": ((1, 2), (3, 4)),
    "[1,2;3,4]": ((1, 2), (3, 4)),
    "{1,2} + {3,4}": (4, 6),
    "{1,2} .+ 1": (2, 3),
    "{4,6} ./ {2,3}": (2.0, 2.0),
    "{1,2} .* {3,4}": (3, 8),
    "{1,2} .^ 2": (1.0, 4.0),
    "2*{1,2}": (2, 4),
    "{2,4}/2": (1.0, 2.0),
    "{1,2,3}*{4,5,6}": 32,
    "[1,2;3,4]*{1,1}": (3, 7),
    "{1,1}*[1,2;3,4]": (4, 6),
    "[1,2;3,4]*[0,1;1,0]": ((2, 1), (4, 3)),
    "1:3": (1, 2, 3),
    "0:0.25:1": (0.0, 0.25, 0.5, 0.75, 1.0),
    "3:-1:1": (3, 2, 1),
    "zeros(3)": (0, 0, 0),
    "ones(2)": (1, 1),
    "fill(2.5, 2, 3)": ((2.5,) * 3,) * 2,
    "identity(2)": ((1, 0), (0, 1)),
    "diagonal({1,2})": ((1, 0), (0, 2)),
    "linspace(0, 1, 3)": (0.0, 0.5, 1.0),
    "size({{1,2,3},{4,5,6}}, 2)": 3,
    "sum({1,2,3})": 6,
    "product({2,3})": 6,
    "max({1,5,2})": 5,
    "min(3, 2)": 2,
    "cross({1,0,0}, {0,1,0})": (0, 0, 1),
    "transpose([1,2;3,4])": ((1, 3), (2, 4)),
    "abs(-3)": 3,
    "sign(-2.5)": -1,
    "integer(-1.5)": -2,
    "div(-7, 2)": -3,
    "mod(-3, 2)": 1,
    "rem(-7, 2)": -1,
    "to_unit1({1,2})": (1, 2),
    "StateSelect.always": "StateSelect.always",
    "MultiBody.Types.GravityTypes.NoGravity": "MultiBody.Types.GravityTypes.NoGravity",
    '"a text with \\"quotes\\""': 'a text with "quotes"',
}
NEAR = {
    "Modelica.Constants.pi/2": math.pi / 2,
    "pi": math.pi,
    "g_n": 9.80665,
    "Modelica.Math.sin(0.3)": math.sin(0.3),
    "cos(0.3)^2 + sin(0.3)^2": 1.0,
    "atan2(1, -1)": 3 * math.pi / 4,
    "2*Modelica.Math.asin(1)/180": math.pi / 180,
    "sqrt({-1,0.3,0.1}*{-1,0.3,0.1})": math.sqrt(1.1),
    "Modelica.Math.Vectors.length({3,4,0})": 5.0,
    "Cv.from_deg(-30)": -math.pi / 6,
    "Modelica.Units.Conversions.to_rpm(10)": 300 / math.pi,
    "from_degC(20)": 293.15,
    "from_rpm(60)": 2 * math.pi,
    "from_kmh(36)": 10.0,
    "from_Hz(1)": 2 * math.pi,
    "from_bar(2)": 2e5,
    "from_hour(1) - from_minute(59)": 60.0,
}
UNITS = ("deg", "rpm", "kmh", "degC", "bar", "Hz")


@pytest.mark.parametrize("text", VALUES)
def test_an_expression_has_exactly_its_value(text):
    value = evaluate(text)
    assert value == VALUES[text]
    assert type(value) is type(VALUES[text])


@pytest.mark.parametrize("text", NEAR)
def test_an_expression_has_its_value_to_rounding(text):
    assert evaluate(text) == pytest.approx(NEAR[text], rel=4e-16)


@pytest.mark.parametrize("unit", UNITS)
def test_conversion_to_a_unit_undoes_that_from_it(unit):
    assert evaluate(f"to_{unit}(from_{unit}(7))") == pytest.approx(7.0, rel=1e-13)


def test_names_and_subscripts_are_looked_up_in_the_scope():
    scope = Names(r=(1.0, 2.0, 3.0), I=((1, 2), (3, 4)), crankLength=0.14, n=2)
    assert evaluate("{0, crankLength/2, 0}", scope) == (0, 0.07, 0)
    assert evaluate("r[n] + I[2,1]", scope) == 5.0
    assert evaluate("r[2:3]", scope) == (2.0, 3.0)
    assert evaluate("I[:,1]", scope) == (1, 3)


REFUSED = {
    "": "a value expected",
    "1 +": "a value expected",
    "2*-1": "a value expected",
    "1 2": "end of the expression expected",
    "{1,2": "'}' expected",
    "a[1": "']' expected",
    "2^3^2": "end of the expression expected",
    "1 < 2 < 3": "end of the expression expected",
    "if 1 > 2 then 3": "'else' expected",
    "1 $ 2": "'$' is not understood",
    "x.": "a name expected",
    "crank": "'crank' is not known",
    "c": "'c' is not known",
    "time": "'time' is not known",
    "open(1)": "function 'open' is not known",
    "os.system(1)": "function 'os.system' is not known",
    "__import__(1)": "function '__import__' is not known",
    "r.__class__": "'r.__class__' is not known",
    "1/0": "division by zero",
    "10.0^400": "too large",
    "1e999": "too large",
    "sqrt(-1)": "invalid value",
    "(-8)^0.5": "not a real number",
    "{1,2} + {1,2,3}": "do not go together",
    "{1,2} + 1": "do not go together",
    "{{1,2},{3}}": "different sizes",
    "{1,2}*{1,2,3}": "have no product",
    "{1,2}^2": "needs '.^'",
    "true + 1": "not a number",
    '"a" + 1': "not a number",
    "if 1 then 2 else 3": "neither true nor false",
    "1 == true": "cannot be compared",
    "r[4]": "no element 4",
    "r[0]": "no element 0",
    "r[1.5]": "no element 1.5",
    "zeros(1000000)": "too large",
    "fill(0, -1)": "not a size",
    "1:1e9": "too long",
    "1:0:2": "step that is not zero",
    "sin(1, 2, 3)": "is not defined",
    "sin(x = 1)": "no named arguments",
    "normalize({0,0,0})": "no direction",
    "(" * 60 + "1" + ")" * 60: "nested deeper",
    "1" + "+1" * 20000: "nested too deeply",
}


@pytest.mark.slow
@pytest.mark.parametrize("text", REFUSED, ids=lambda text: text[:20])
def test_what_makes_no_sense_is_refused_and_the_reason_told(text):
    with pytest.raises(ExpressionError, match=re.escape(REFUSED[text])):
        evaluate(text, Names(r=(1, 2, 3)))


def test_an_error_points_at_its_place():
    with pytest.raises(ExpressionError) as caught:
        evaluate("{0, 2*crank, 0}", Names(crankLength=1))
    assert caught.value.position == 6
    _, excerpt, caret = str(caught.value).splitlines()[:3]
    assert excerpt[caret.index("^")] == "c"
    assert "crankLength" in str(caught.value)


numbers = st.one_of(
    st.integers(0, 10**6),
    st.floats(0, 1e6, allow_nan=False).map(lambda x: float(f"{x:.6e}")),
)
chains = st.lists(st.tuples(st.sampled_from("+-*/"), numbers), min_size=1, max_size=12)


@pytest.mark.slow
@given(numbers, chains)
def test_chains_of_operators_bind_as_in_python(first, rest):
    text = repr(first) + "".join(f"{operator}{number!r}" for operator, number in rest)
    try:
        expected = eval(text)
    except ZeroDivisionError:
        with pytest.raises(ExpressionError, match="division by zero"):
            evaluate(text)
        return
    assert evaluate(text) == pytest.approx(expected, rel=1e-15, nan_ok=True)


trees = st.recursive(
    numbers.map(lambda x: (repr(x), float(x))),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(
            lambda p: (f"({p[0][0]}+{p[1][0]})", p[0][1] + p[1][1])
        ),
        st.tuples(inner, inner).map(
            lambda p: (f"({p[0][0]}*{p[1][0]})", p[0][1] * p[1][1])
        ),
        inner.map(lambda p: (f"(-{p[0]})", -p[1])),
        inner.map(lambda p: (f"cos({p[0]})", float(np.cos(p[1])))),
        st.tuples(inner, inner).map(
            lambda p: (f"max({p[0][0]},{p[1][0]})", max(p[0][1], p[1][1]))
        ),
        st.tuples(inner, inner, inner).map(
            lambda p: (
                f"(if {p[0][0]} < {p[1][0]} then {p[2][0]} else 0)",
                p[2][1] if p[0][1] < p[1][1] else 0.0,
            )
        ),
    ),
    max_leaves=12,
)


@pytest.mark.slow
@given(trees)
def test_nested_expressions_have_the_value_computed_alongside(pair):
    text, expected = pair
    assert evaluate(text) == pytest.approx(expected, rel=1e-12, abs=1e-300)


vectors = st.lists(st.integers(-99, 99), min_size=3, max_size=3)


@pytest.mark.slow
@given(vectors, vectors, st.integers(-9, 9))
def test_vector_arithmetic_agrees_with_numpy(a, b, k):
    def text(vector):
        return "{" + ",".join(map(str, vector)) + "}"

    assert evaluate(f"{text(a)}*{text(b)}") == np.dot(a, b)
    assert evaluate(f"({k})*{text(a)} - {text(b)}") == tuple(k * np.array(a) - np.array(b))
    assert evaluate(f"cross({text(a)}, {text(b)})") == tuple(np.cross(a, b))


@pytest.mark.slow
@given(st.text(max_size=40))
def test_any_text_has_a_value_or_an_expression_error(text):
    try:
        evaluate(text)
    except ExpressionError as error:
        assert str(error)


@pytest.mark.slow
@given(st.text(alphabet="{}[]();:,.+-*/^<>=! 12ab\"'", max_size=40))
def test_any_rubble_of_symbols_has_a_value_or_an_expression_error(text):
    try:
        evaluate(text)
    except ExpressionError as error:
        assert str(error)


def test_one_arithmetic_serves_whole_trajectories():
    t = np.linspace(0, 1, 5)
    scope = Names(w=t, f=(t, 2 * t, 0 * t), g=(t, t, t))
    assert evaluate("to_rpm(w)", scope) == pytest.approx(t * 30 / np.pi)
    difference = evaluate("f - g", scope)
    np.testing.assert_array_equal(difference, [0 * t, t, -t])
    assert evaluate("max(w, 0.5)", scope) == pytest.approx(np.maximum(t, 0.5))


def test_single_letters_are_never_taken_for_constants_of_nature():
    letters = [name for name in CONSTANTS if len(name) == 1]
    assert "c" in letters
    for name in letters:
        with pytest.raises(ExpressionError):
            evaluate(name)
    assert evaluate("Modelica.Constants.c") == 299792458.0
