"""What looks wrong and is right, and what is changed later."""

from __future__ import annotations

import math
import warnings

import casadi
import numpy as np
import pytest

import motorik as mk
from motorik import functions as fn
from motorik.algebra import scalar as s
from motorik.errors import (
    ParameterError,
)
from tests.mistakes.models import (
    driven,
    pendulum,
    run,
    with_torque,
)

RIGHT = [
    ("np.sin", np.sin, math.sin),
    ("np.exp", lambda t: np.exp(-t), lambda t: math.exp(-t)),
    ("np.maximum", lambda t: np.maximum(t, 0.05), lambda t: max(t, 0.05)),
    (
        "np.where",
        lambda t: np.where(t > 0.05, 1.0, 2.0),
        lambda t: 1.0 if t > 0.05 else 2.0,
    ),
    ("where", lambda t: s.where(t > 0.05, t, 0.0), lambda t: t if t > 0.05 else 0.0),
    ("remainder", lambda t: t % 0.03, lambda t: t % 0.03),
    ("condition", lambda t: t > 0.05, lambda t: float(t > 0.05)),
    ("np.clip", lambda t: np.clip(t, 0.03, 0.05), lambda t: min(max(t, 0.03), 0.05)),
    ("np.hypot", lambda t: np.hypot(t, 0.1), lambda t: math.hypot(t, 0.1)),
    ("np.dot", lambda t: np.dot(np.array([t, 1.0]), (2.0, t)), lambda t: 3.0 * t),
    ("np.linalg.norm", lambda t: np.linalg.norm([t, 0.1]), lambda t: math.hypot(t, 0.1)),
    (
        "array of symbols",
        lambda t: np.sin(np.array([t, 2 * t]))[1],
        lambda t: math.sin(2 * t),
    ),
    ("floor division", lambda t: t // 0.02, lambda t: t // 0.02),
    ("abs", lambda t: abs(t - 0.05), lambda t: abs(t - 0.05)),
    ("sum", lambda t: sum([t, t]), lambda t: 2 * t),
    (
        "np.interp",
        lambda t: np.interp(t, [0.0, 0.05, 0.1], [0.0, 1.0, 0.0]),
        lambda t: 1.0 - abs(t - 0.05) / 0.05,
    ),
    (
        "logical functions",
        lambda t: fn.where(
            fn.logical_and(t > 0.02, fn.logical_or(t < 0.05, fn.logical_not(t < 0.09))),
            1.0,
            0.0,
        ),
        lambda t: float(t > 0.02 and (t < 0.05 or not t < 0.09)),
    ),
    ("whole number", lambda t: 2, lambda t: 2.0),
]


@pytest.mark.parametrize("row", RIGHT, ids=[row[0] for row in RIGHT])
def test_a_law_that_can_be_traced_gives_what_python_gives(row):
    _, f, expected = row
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = driven(f).simulate(0.1, output=[0.0, 0.021, 0.043, 0.077, 0.1])
        found = result["law.y"]
    deviation = np.abs(found - [expected(t) for t in (0.0, 0.021, 0.043, 0.077, 0.1)]).max()
    assert deviation <= 1e-12


def test_symbols_are_left_as_they_were_after_a_law():
    before = casadi.SX.__float__
    for f in (lambda t: 2.0 * t, math.sin, lambda t: None):
        try:
            run(driven(f))
        except ParameterError:
            pass
        assert casadi.SX.__float__ is before


def test_a_number_that_is_connected_anew_compiles_the_model_anew():
    model = with_torque()
    1.0 >> model.torque.tau
    before = model.compile()
    5.0 >> model.torque.tau
    assert model.compile() is not before
    assert model.simulate(0.1)["torque.tau"][0] == 5.0


def test_a_connection_after_compiling_compiles_the_model_anew():
    outer = mk.Model()
    outer.inner = pendulum()
    before = outer.compile()
    outer.inner.more = mk.Body(m=3.0)
    outer.inner.more.frame_a >> outer.inner.bob.frame_a
    assert outer.compile() is not before


def test_a_law_that_is_exchanged_compiles_the_model_anew():
    model = driven(lambda t: t)
    before = model.compile()
    model.law.f = lambda t: 2.0 * t
    assert model.compile() is not before


def test_a_list_of_named_parts_is_no_mistake():
    model = pendulum()
    model.moving = [model.hinge, model.bob]
    assert model.compile().state_names == ["hinge.phi", "hinge.w"]
