"""Targets out of reach: what is reached, the distance and what stands in the way."""

from __future__ import annotations

import math

import numpy as np
import pytest

import motorik as mk
from motorik.errors import InitialValueError

UPPER, LOWER = 1.0, 0.7


def arm(**upper: object) -> mk.Model:
    """Return an arm of two links that moves in the plane z = 0."""
    model = mk.Model()
    model.world = mk.World()
    model.shoulder, model.elbow = mk.Revolute(phi=0.3), mk.Revolute(phi=0.5)
    model.upper = mk.BodyShape(r=(UPPER, 0, 0), r_CM=(0.5, 0, 0))
    model.lower = mk.BodyShape(r=(LOWER, 0, 0), r_CM=(0.3, 0, 0))
    model.world.frame_b >> model.shoulder.frame_a
    model.shoulder.frame_b >> model.upper.frame_a
    model.upper.frame_b >> model.elbow.frame_a
    model.elbow.frame_b >> model.lower.frame_a
    return model


def four_bar(crank: float, coupler: float, rocker: float, ground: float) -> mk.Model:
    """Return a four-bar in the plane z = 0, with pins at the ground `ground` apart."""
    model = mk.Model()
    model.world = mk.World()
    model.base = mk.FixedTranslation(r=(ground, 0, 0))
    model.a, model.b = mk.Revolute(phi=mk.guess(1.0)), mk.Revolute(phi=mk.guess(-0.5))
    model.c, model.d = mk.Revolute(), mk.Revolute(phi=mk.guess(1.8))
    model.crank = mk.BodyShape(r=(crank, 0, 0), r_CM=(crank / 2, 0, 0))
    model.coupler = mk.BodyShape(r=(coupler, 0, 0), r_CM=(coupler / 2, 0, 0))
    model.rocker = mk.BodyShape(r=(rocker, 0, 0), r_CM=(rocker / 2, 0, 0))
    for chain in (
        (model.world.frame_b, model.a.frame_a),
        (model.a.frame_b, model.crank.frame_a),
        (model.crank.frame_b, model.b.frame_a),
        (model.b.frame_b, model.coupler.frame_a),
        (model.coupler.frame_b, model.c.frame_a),
        (model.world.frame_b, model.base.frame_a),
        (model.base.frame_b, model.d.frame_a),
        (model.d.frame_b, model.rocker.frame_a),
        (model.rocker.frame_b, model.c.frame_b),
    ):
        mk.connect(*chain)
    return model


def refusal(model: mk.Model, targets: dict, **given: object) -> InitialValueError:
    with pytest.raises(InitialValueError) as caught:
        model.inverse_kinematics(targets, **given)
    return caught.value


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "missing", "elbow"),
    [
        ((3.0, 0.0, 0.0), 3.0 - UPPER - LOWER, 0.0),
        ((0.0, -2.0, 0.0), 2.0 - UPPER - LOWER, 0.0),
        ((0.1, 0.1, 0.0), UPPER - LOWER - math.hypot(0.1, 0.1), math.pi),
    ],
)
def test_an_arm_stretches_or_folds_towards_its_target(target, missing, elbow):
    error = refusal(arm(), {"lower.frame_b.r_0": target})
    assert (error.path, error.parameter, error.value) == ("lower", "frame_b.r_0", target)
    assert f"{missing:.4g} m remains" in error.reason
    assert "A dead centre prevents it" in error.reason
    assert "shoulder.phi" in error.reason and "elbow.phi" in error.reason
    found = dict(pair.split(" = ") for pair in error.remedy[:-1].split(": ")[1].split(", "))
    assert abs(abs(float(found["elbow.phi"])) - elbow) < 1e-5
    along = np.array(target) / np.linalg.norm(target)
    reach = UPPER + LOWER if elbow == 0.0 else UPPER - LOWER
    end = UPPER * np.exp(1j * float(found["shoulder.phi"]))
    end += LOWER * np.exp(1j * (float(found["shoulder.phi"]) + float(found["elbow.phi"])))
    assert abs(end - reach * (along[0] + 1j * along[1])) < 1e-5


def test_a_target_beside_the_plane_of_motion_names_the_freedoms():
    error = refusal(arm(), {"lower.frame_b.r_0": (1.0, 0.4, 0.5)})
    assert "0.5 m remains" in error.reason and "(1, 0.4, 0) m" in error.reason
    assert "has 2 freedom(s), which change 2 of the 3 numbers" in error.reason


def test_what_is_kept_is_named_if_it_stands_in_the_way():
    error = refusal(
        arm(), {"lower.frame_b.r_0": (1.2, 0.4, 0.0)}, initial={"shoulder.phi": 1.5}
    )
    elbow = UPPER * np.array([math.cos(1.5), math.sin(1.5), 0.0])
    missing = np.linalg.norm(elbow - (1.2, 0.4, 0.0)) - LOWER
    assert f"{missing:.4g} m remains" in error.reason
    assert "that are kept prevent it: shoulder.phi = 1.5" in error.reason


def test_an_orientation_that_is_missed_tells_the_angle():
    c, s = math.cos(0.4), math.sin(0.4)
    about_x = [[1.0, 0.0, 0.0], [0.0, c, s], [0.0, -s, c]]
    error = refusal(arm(), {"lower.frame_b.R.T": about_x})
    assert "0.4 rad remains" in error.reason
    assert "has 2 freedom(s), which change 1 of the 9 numbers" in error.reason


@pytest.mark.slow
def test_a_rocker_beyond_its_dead_centre_gets_as_far_as_crank_and_coupler_in_line():
    crank, coupler, rocker, ground = 0.3, 1.0, 0.8, 1.0
    error = refusal(four_bar(crank, coupler, rocker, ground), {"d.phi": 0.5})
    stretched = crank + coupler  # triangle of ground, rocker and both in line
    cosine = (ground**2 + rocker**2 - stretched**2) / (2.0 * ground * rocker)
    extreme = math.pi - math.acos(cosine)
    assert f"d.phi gets to {extreme:.4g} rad" in error.reason
    assert f"{extreme - 0.5:.4g} rad remains" in error.reason
    assert "A dead centre prevents it" in error.reason and "a.phi" in error.reason


def test_what_can_be_reached_is_reached():
    model = arm()
    found = model.inverse_kinematics({"lower.frame_b.r_0": (1.2, 0.4, 0.0)})
    end = UPPER * np.exp(1j * found["shoulder.phi"])
    end += LOWER * np.exp(1j * (found["shoulder.phi"] + found["elbow.phi"]))
    assert abs(end - (1.2 + 0.4j)) < 1e-9
