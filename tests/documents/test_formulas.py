"""Formulas are arithmetic over named values: parsed, never executed, and live on parameters."""

import math

import pytest

from motorik import Parameter
from motorik.documents.formulas import Formula, renamed
from motorik.errors import FileFormatError


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2*length + 0.1", 0.9),
        ("-length**2", -0.16),
        ("pi/2", math.pi / 2),
        ("sin(pi/2) + sqrt(length*10)", 3.0),
        ("where(length > 1, 5, 6)", 6.0),
        ("deg(90)", math.pi / 2),
        ("max(length, 2)", 2.0),
        ("r[1]", 2.0),
        ("(length, 0, 1)", (0.4, 0.0, 1.0)),
        ("1e-3", 0.001),
    ],
)
def test_values(text: str, value: object):
    found = Formula(text).value({"length": 0.4, "r": (1.0, 2.0, 3.0)})
    assert found == pytest.approx(value)
    live = Formula(text).value({"length": Parameter(0.4), "r": Parameter((1.0, 2.0, 3.0))})
    now = getattr(live, "value", live)
    if hasattr(live, "xyz"):
        now = tuple(getattr(one, "value", one) for one in live.xyz)
    assert now == pytest.approx(value)


@pytest.mark.parametrize(
    "text",
    [
        *("9**9**9", "9.0**9**9**9", "1/0", "0**-1", "(-1)**0.5", "1e308*10", "log(0)*0"),
        *(
            "__import__('os')",
            "length.value",
            "().__class__",
            "length[0][0]",
            "length['a']",
        ),
        *("lambda: 1", "[x for x in r]", "'text'*9999999", "open('x')", "f(1)", "sin(x=1)"),
        *(
            "length := 3",
            "a if b else c",
            "sin(*r)",
            "1 and 2",
            "not 1",
            "{}",
            "r[0:2]",
            "1j",
        ),
        *(
            "",
            " ",
            "1 +",
            "(" * 300,
            "-" * 1900 + "1",
            "1+" * 900 + "1",
            "9" * 5000,
            "é" * 3000,
        ),
        *("unknown + 1", "sin()", "sin(1, 2, 3)", "length\nimport os", "\x00"),
    ],
)
def test_everything_else_is_refused(text: str):
    with pytest.raises(FileFormatError):
        Formula(text).value({"length": 0.4, "r": (1.0, 2.0, 3.0)})


def test_a_formula_on_parameters_stays_live():
    length = Parameter(0.4)
    found = Formula("2*length + 0.1").value({"length": length})
    length.value = 1.0
    assert found.value == pytest.approx(2.1)


def test_names_are_renamed_and_nothing_else():
    assert renamed("2*a + sin(ab) - a[0]", {"a": "b"}) == "2*b + sin(ab) - b[0]"
    assert renamed("a + (", {"a": "b"}) == "b + ("
    assert renamed("k*u", {"k": "(c + d)"}) == "(c + d)*u"
