"""Bodies with named points: the same motion as with rigid connections, live places, bad input."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import motorik as mk
from motorik import forces, parts
from motorik.errors import ParameterError
from tests.refusals import refused


def hung(body: Any, *between: Any) -> mk.Model:
    """Return a pendulum whose tip a spring pulls; `between` are parts from frame_a to the tip."""
    model = mk.Model()
    model.world, model.hinge, model.body = mk.World(), mk.Revolute(n="z", phi=0.2), body
    model.wall, model.spring = parts.Fixed(r=(1.0, 1.0, 0.0)), forces.Spring(c=50.0)
    mk.connect(model.world.frame_b, model.hinge.frame_a)
    mk.connect(model.hinge.frame_b, body.frame_a)
    mk.connect(model.wall.frame_b, model.spring.frame_b)
    if not between:
        mk.connect(body.tip, model.spring.frame_a)
    for part in between:
        model.arm = part
        mk.connect(body.frame_a, part.frame_a)
        mk.connect(part.frame_b, model.spring.frame_a)
    return model


@pytest.fixture(scope="module")
def model() -> mk.Model:
    depth = mk.Parameter(0.1)
    points = {"tip": (1.0, 0.0, 0.0), "side": (0.3, 0.1, depth)}
    return hung(parts.BodyWithPoints(m=2.0, r_CM=(0.5, 0.0, 0.0), points=points))


def test_a_point_is_a_frame_fixed_in_the_body(model: mk.Model):
    other = hung(
        mk.Body(m=2.0, r_CM=(0.5, 0.0, 0.0)), parts.FixedTranslation(r=(1.0, 0.0, 0.0))
    )
    result, expected = model.simulate(0.5), other.simulate(0.5)
    assert result["hinge.phi"] == pytest.approx(expected["hinge.phi"], abs=1e-12)
    phi = result["hinge.phi"][-1]
    assert result["body.tip_r_0"][-1] == pytest.approx([np.cos(phi), np.sin(phi), 0.0])
    assert result["body.side_r_0"][-1][2] == pytest.approx(0.1)
    twin = copy.deepcopy(model).simulate(0.5)
    assert (twin["hinge.phi"] == result["hinge.phi"]).all()


def test_a_place_can_be_changed_for_a_run(model: mk.Model):
    given = {"body.r_tip": (0.8, 0.0, 0.0), "body.r_side": (0.0, 0.0, 0.7)}
    result = model.simulate(0.1, parameters=given)
    assert np.linalg.norm(result["body.tip_r_0"][-1]) == pytest.approx(0.8)
    assert result["body.side_r_0"][-1] == pytest.approx([0.0, 0.0, 0.7])


@pytest.mark.parametrize(
    ("points", "words"),
    [
        ({"1x": (0, 0, 0)}, "'1x' is not a valid port name"),
        ({"m": (0, 0, 0)}, "'m' already means something else"),
        ({"A": (0, 0)}, "which is not (x, y, z)"),
        (5, "is not a dict of places"),
        ({"A": (0, 0, "x")}, "r_A[3] = 'x' m is not a number"),
    ],
)
def test_points_that_are_none_are_refused(points: Any, words: str):
    with refused(ParameterError, "BodyWithPoints", words):
        parts.BodyWithPoints(points=points)
