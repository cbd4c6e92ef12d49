"""Rods: a conical pendulum on them, whatever they are made of, turns as the textbook says."""

from __future__ import annotations

from math import cos, sin, sqrt

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from motorik import (
    Body,
    BodyShape,
    FixedTranslation,
    Model,
    Revolute,
    World,
    guess,
)
from motorik.components.joints.rods import SphericalSpherical, UniversalSpherical
from motorik.elements.distance import DistanceConstraint
from motorik.errors import ParameterError
from tests.covering import each_once
from tests.refusals import refused

G, L, M, TILT = 9.81, 0.8, 2.0, 0.5
PLACE = (L * sin(TILT), 0.0, -L * cos(TILT))


def turning(m: float = 0.0) -> float:
    """Return ω of a conical pendulum with M at the end of the rod and m halfway."""
    return sqrt(G * (M * L + m * L / 2) / ((M * L**2 + m * L**2 / 4) * cos(TILT)))


class Conical(Model):
    """A mass that goes round in a circle without turning, on a rod from the world."""

    def build(self, rod, m=0.0):
        self.world = World(g=G, n="-z")
        self.rod = rod
        start = {"r_0": PLACE, "v_0": (0.0, turning(m) * L * sin(TILT), 0.0)}
        self.bob = Body(m=M, enforceStates=True, **start)
        self.world.frame_b >> self.rod.frame_a
        self.rod.frame_b >> self.bob.frame_a


RODS = {
    "massless": (SphericalSpherical(rodLength=L), 0.0),
    "with a mass halfway": (SphericalSpherical(rodLength=L, m=1.5), 1.5),
    "as long as it is": (SphericalSpherical(computeRodLength=True), 0.0),
    "both": (SphericalSpherical(computeRodLength=True, m=1.5), 1.5),
    "universal": (UniversalSpherical(n1_a="y", rRod_ia=(0.0, 0.0, -L)), 0.0),
    "universal, as long as it is": (
        UniversalSpherical(n1_a="y", rRod_ia=(0.0, 0.0, -1.0), computeRodLength=True),
        0.0,
    ),
}


@pytest.mark.kinds(4)
@pytest.mark.parametrize("name", RODS)
def test_a_conical_pendulum_goes_round_at_its_own_speed(name):
    rod, m = RODS[name]
    model = Conical(rod=rod, m=m)
    result = model.simulate(1.2, rtol=1e-9, output=12)
    angle = turning(m) * np.asarray(result.time)
    circle = L * sin(TILT) * np.array([np.cos(angle), np.sin(angle)]).T
    place = np.asarray(result["bob.r_0"])
    assert np.abs(place[:, :2] - circle).max() < 3e-8
    assert np.abs(place[:, 2] - PLACE[2]).max() < 3e-8
    assert np.abs(np.asarray(result["rod.rodLength"]) - L).max() < 1e-9
    if "rod.v_CM_0" in result:  # the middle goes round in half the circle
        x, y = 0.5 * circle.T
        assert np.abs(result["rod.r_CM_0"][:, :2] - 0.5 * circle).max() < 3e-8
        speed = turning(m) * np.stack([-y, x, 0.0 * x], axis=1)
        assert np.abs(result["rod.v_CM_0"] - speed).max() < 3e-7
    # along the rod the world bears the weight and turns both masses in their circles
    turned = (M + m / 2) * L * sin(TILT) * turning(m) ** 2
    pull = (M + m) * G * cos(TILT) + turned * sin(TILT)
    along = np.asarray(result["rod.f_rod"])
    assert np.abs(along + pull).max() < 1e-6
    assert np.abs(np.asarray(result["rod.totalPower"])).max() < 1e-6


@pytest.mark.slow
def test_the_frame_of_the_rod_looks_along_it():
    rod = UniversalSpherical(n1_a="y", rRod_ia=(0.0, 0.0, -L))
    result = Conical(rod=rod).simulate(0.6, rtol=1e-9, output=6)
    R = np.asarray(result["rod.frame_ia.R.T"])  # from world to frame axes
    along = np.asarray(result["rod.rRod_0"])
    seen = np.einsum("tij,tj->ti", R, along)
    assert np.abs(seen - [0.0, 0.0, -L]).max() < 1e-9
    second = np.einsum("tij,tj->ti", R, np.cross([0.0, 1.0, 0.0], along))
    assert np.abs(second[:, 1:]).max() < 1e-9  # n₁ × rod is the second axis, x of the rod


def test_a_rod_says_a_distance_and_only_that():
    rod = SphericalSpherical(rodLength=L).rod
    (held,) = rod.contributions(rod.resolved(lambda live: live.value))
    constraint = held.constraint
    assert isinstance(constraint.residual, DistanceConstraint) and constraint.rate is None
    loose = SphericalSpherical(computeRodLength=True).rod
    (held,) = loose.contributions(loose.resolved(lambda live: live.value))
    assert held.design is not None and isinstance(
        held.constraint.residual, DistanceConstraint
    )


class Tied(Model):
    """Two arms, tied by a rod that is as long as their start values make it."""

    def build(self, computed=True, long=1.0):
        self.world = World()
        self.post = FixedTranslation(r=(1.0, 0, 0))
        self.left, self.right = Revolute(n="z", phi=-1.2), Revolute(n="z", phi=guess(-1.9))
        self.bar_l, self.bar_r = BodyShape(r=(0.5, 0, 0)), BodyShape(r=(0.6, 0, 0))
        self.rod = SphericalSpherical(computeRodLength=computed, rodLength=long)
        self.world.frame_b >> self.left.frame_a
        self.world.frame_b >> self.post.frame_a
        self.post.frame_b >> self.right.frame_a
        self.left.frame_b >> self.bar_l.frame_a
        self.right.frame_b >> self.bar_r.frame_a
        self.bar_l.frame_b >> self.rod.frame_a
        self.bar_r.frame_b >> self.rod.frame_b


@pytest.mark.kinds(2)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("phi", "strategy"), each_once([None, -0.7, -1.5], ["auto", "projected", "absolute"])
)
def test_the_length_that_is_computed_is_that_of_the_design_pose(strategy, phi):
    ends = np.array([1.0, 0.0]) + 0.6 * np.array([np.cos(-1.9), np.sin(-1.9)])
    long = np.hypot(*(ends - 0.5 * np.array([np.cos(-1.2), np.sin(-1.2)])))
    model = Tied()
    assert f"rod.rod.rodLength = {long:.6g}"[:24] in model.explain()
    options = {"strategy": strategy, "rtol": 1e-9, "output": 5}
    if phi is not None:
        if strategy == "absolute":
            pytest.skip("its start values are those of bodies")
        options["initial"] = {"left.phi": phi}
    result = model.simulate(0.3, **options)
    np.testing.assert_allclose(result["rod.rodLength"], long, rtol=1e-9)
    same = Tied(computed=False, long=long).simulate(0.3, **options)
    np.testing.assert_allclose(result["right.phi"], same["right.phi"], atol=1e-8)


def test_parameters_of_a_rod_reach_what_it_is_made_of():
    rod = SphericalSpherical(rodLength=1.0, m=1.0)
    rod.rodLength, rod.m = 2.0, 3.0
    assert (rod.rod.rodLength, rod.mass.m) == (2.0, 3.0)
    with refused(ParameterError, "m", "cannot be changed"):
        SphericalSpherical(rodLength=1.0).m = 1.0


def test_rods_that_cannot_be_are_refused():
    with refused(ParameterError, "rodLength = 0", "above"):
        SphericalSpherical(rodLength=0.0)
    with refused(ParameterError, "no length"):
        UniversalSpherical(rRod_ia=(0, 0, 0))
    with refused(ParameterError, "second axis", "right angles"):
        UniversalSpherical(n1_a="x", rRod_ia=(2, 0, 0))


@pytest.mark.slow
def test_a_rod_carries_a_body_by_its_frame():
    """A body on frame_ia of a rod that swings in a plane is a physical pendulum."""

    class Swing(Model):
        def build(self):
            self.world = World(g=G)
            self.rod = UniversalSpherical(n1_a="z", rRod_ia=(0.0, -L, 0.0))
            self.bar = Body(m=1.0, r_CM=(0.0, -L / 2, 0.0), I_11=0.08, I_33=0.08)
            place = (L * sin(0.3), -L * cos(0.3), 0.0)
            self.bob = Body(m=M, r_0=place, v_0=(0, 0, 0), enforceStates=True)
            self.world.frame_b >> self.rod.frame_a
            self.rod.frame_ia >> self.bar.frame_a
            self.rod.frame_b >> self.bob.frame_a

    result = Swing().simulate(0.7, rtol=1e-10, output=7)
    J, static = M * L**2 + L**2 / 4 + 0.08, M * L + L / 2
    exact = solve_ivp(
        lambda t, x: [x[1], -G * static / J * np.sin(x[0])],
        (0.0, 0.7),
        [0.3, 0.0],
        method="DOP853",
        rtol=1e-12,
        atol=1e-12,
        t_eval=np.asarray(result.time),
    )
    place = np.asarray(result["bob.r_0"])
    assert np.abs(np.arctan2(place[:, 0], -place[:, 1]) - exact.y[0]).max() < 1e-8
