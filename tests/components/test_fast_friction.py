"""Laws of friction at high speeds, where the law of the other direction is no number."""

from __future__ import annotations

from math import exp, log

import numpy as np
import pytest

import motorik as mk
from motorik import rotational as rot
from motorik import translational as tra
from motorik.authoring import FrictionOnShaft, RotationalShaft
from motorik.checks import check_friction
from motorik.joints import FrictionLaw, Stribeck


class Root(RotationalShaft, FrictionOnShaft):
    """A torque √(1 + w), which is no number below w = −1."""

    @staticmethod
    def resist(p, w):
        """Return √(1 + w)."""
        return mk.sqrt(1.0 + w)


class RootLaw(FrictionLaw):
    """The same law for a joint."""

    def sliding(self, w):
        """Return tau √(1 + w)."""
        return self.level * mk.sqrt(1.0 + w)

    def holding(self):
        """Return tau."""
        return self.level


def hinged(law, w):
    """Return a body of 2 kg·m² that turns about a hinge."""
    model = mk.Model()
    model.world = mk.World(gravityType="NoGravity")
    model.part = mk.Revolute(w=w, friction=law)
    model.body = mk.Body(m=1.0, I_11=1.0, I_22=1.0, I_33=2.0)
    model.world.frame_b >> model.part.frame_a
    model.part.frame_b >> model.body.frame_a
    return model


def on_shaft(w):
    """Return a shaft of 2 kg·m² with the law of a user."""
    model = mk.Model()
    model.shaft, model.part = rot.Inertia(J=2.0, phi=0.0, w=w), Root()
    model.shaft.flange_b >> model.part.flange_a
    return model


def sliding_mass(v):
    """Return a mass of 2 kg whose friction falls as exp(−10 v)."""
    model = mk.Model()
    model.part = tra.MassWithStopAndFriction(
        **{"m": 2.0, "F_Coulomb": 1.0, "F_Stribeck": 0.5, "F_prop": 0.0, "fexp": 10.0},
        **{"smax": 1e6, "smin": -1e6, "s": 0.0, "v": v},
    )
    return model


def stribeck_stops(w):
    """Return 2 ∫ dw / (1 + ½ exp(−10 w)) from 0 to w."""
    return 2.0 * (w + 0.1 * (log(1.0 + 0.5 * exp(-10.0 * w)) - log(1.5)))


@pytest.mark.kinds(2)
@pytest.mark.slow
@pytest.mark.parametrize("way", [1.0, -1.0])
@pytest.mark.parametrize("method", ["dop853", "bdf"])
def test_what_slides_fast_stops_when_its_law_says(way, method):
    stribeck = Stribeck(tau=1.0, stribeck=0.5, fexp=10.0)
    of_roots = 2.0 * 2.0 * (np.sqrt(1.0 + 100.0) - 1.0)
    cases = (
        (hinged(stribeck, way * 100.0), stribeck_stops(100.0)),
        (sliding_mass(way * 100.0), stribeck_stops(100.0)),
        (hinged(RootLaw(tau=1.0), way * 100.0), of_roots),
        (on_shaft(way * 100.0), of_roots),
    )
    for model, expected in cases:
        result = model.simulate(1.1 * expected, method=method, rtol=1e-10, progress=False)
        assert result.complete, result.info.message
        assert [event.what for event in result.events] == ["sticks"]
        tolerance = 1e-7 if method == "bdf" else 1e-9
        assert result.events[0].time == pytest.approx(expected, rel=tolerance)


@pytest.mark.slow
def test_the_test_stand_takes_laws_of_positive_speeds_only():
    assert max(check_friction(Root, speed=5.0).values()) < 1e-8
