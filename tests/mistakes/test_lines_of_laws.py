"""Faults in laws name the line of the user's code and what to write instead."""

from __future__ import annotations

import inspect
import math
from pathlib import Path

import numpy as np
import pytest

import motorik as mk
from motorik import functions
from motorik.errors import ParameterError
from tests.mistakes.models import driven, run


def asks_at_length(t):
    y = 2.0 * t
    if y > 0.5 and y < 1.0:
        return 1.0
    return y


def calls_another(t):
    return 1.0 + hides_deeper(t)


def hides_deeper(t):
    return math.atan(t)


# a law, what of it is shown, and what the remedy names
FAULTS = [
    (lambda t: 1.0 if t > 0.5 else 0.0, "`t > 0.5`", "where(condition, yes, no)"),
    (lambda t: max(t, 0.5), "`max(t, 0.5)`", "maximum of motorik.functions for max"),
    (lambda t: min(t, 0.5), "`min(t, 0.5)`", "minimum of motorik.functions for min"),
    (lambda t: math.sin(t), "`math.sin(t)`", "sin of motorik.functions for sin"),
    (lambda t: math.acos(t), "`math.acos(t)`", "arccos of motorik.functions for acos"),
    (lambda t: math.pow(t, 2), "`math.pow(t, 2)`", "x ** y instead of pow"),
    (lambda t: float(t), "`float(t)`", "without float(…)"),
    (lambda t: int(t), "`int(t)`", "floor of motorik.functions for int"),
    (lambda t: 1.0 * (not t > 0.5), "`not t > 0.5`", "logical_not of motorik.functions"),
    (lambda t: (t > 0.1) & (t < 0.2), "`(t > 0.1) & (t < 0.2)`", "logical_and"),
    (lambda t: sum(t for _ in range(t)), "`range(t)`", "count with plain numbers"),
    (lambda t: [1.0, 2.0][t], "`[1.0, 2.0][t]`", "where(condition, yes, no)"),
    (lambda t: np.array([1.0, 2.0])[t], "[t]`", "where(condition, yes, no)"),
    (lambda t: np.piecewise(t, [t < 1], [1, 2]), "`np.piecewise", "where(condition,"),
    (asks_at_length, "`y > 0.5`", "logical_and of motorik.functions for and"),
    (calls_another, "`math.atan(t)`", "arctan of motorik.functions for atan"),
]


@pytest.mark.parametrize("row", FAULTS, ids=[row[1] for row in FAULTS])
def test_a_fault_names_the_part_the_line_and_the_right_function(row):
    law, shown, remedy = row
    with pytest.raises(ParameterError) as caught:
        run(driven(law))
    error = caught.value
    assert (error.path, error.parameter) == ("law", "f")
    assert shown in error.reason and remedy in error.remedy, str(error)
    assert "CasADi" not in str(error) and "SX" not in str(error)
    number = int(error.reason.partition("line ")[2].split()[0])
    line = Path(__file__).read_text().splitlines()[number - 1]
    assert f"of {Path(__file__).name}" in error.reason and shown.strip("`") in line


def test_a_wrong_result_names_where_the_law_stands():
    with pytest.raises(ParameterError) as caught:
        run(driven(returns_nothing))
    _, first = inspect.getsourcelines(returns_nothing)
    assert f"(line {first} of {Path(__file__).name})" in caught.value.reason


def returns_nothing(t):
    pass


def test_every_named_function_is_there_for_users():
    for name in functions.__all__:
        assert callable(getattr(mk.functions, name))
    assert functions.maximum(2.0, 3.0) == 3.0 and functions.floor(2.7) == 2.0


def test_logical_functions_agree_with_those_of_python():
    for a in (False, True):
        assert functions.logical_not(a) is (not a)
        for b in (False, True):
            assert functions.logical_and(a, b) is (a and b)
            assert functions.logical_or(a, b) is (a or b)


def test_what_fails_in_build_is_told_with_its_line():
    class Arm(mk.Model):
        def build(self, length=0.0):
            self.bob = mk.Body(m=1.0 / length)

    with pytest.raises(ParameterError) as caught:
        Arm()
    error = caught.value
    assert (error.path, error.parameter) == ("Arm", "build")
    assert "ZeroDivisionError" in error.reason and "`1.0 / length`" in error.reason
    assert isinstance(error.__cause__, ZeroDivisionError)
