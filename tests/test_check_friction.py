"""check_friction passes what is right and refuses each kind of wrong."""

from __future__ import annotations

import math

import pytest

from motorik import rotational as rot
from motorik import translational as tra
from motorik.algebra.scalar import where
from motorik.authoring import (
    ForceBounds,
    FrictionOnShaft,
    RotationalShaft,
    Variable,
    kinds,
    parameter,
    signal_input,
)
from motorik.checks import check_friction, friction
from motorik.errors import MotorikError

LAWS = {"breaks", "dissipates", "energy", "holds", "power", "resists"}


class DiscBrake(RotationalShaft, FrictionOnShaft):
    """A brake that fades with speed: τ = μ · force / (1 + w / w_fade)."""

    force = signal_input("pressing force", "N")
    mu: kinds.PositiveFactor = parameter("coefficient", default=0.4)
    w_fade: kinds.PositiveAngularVelocity = parameter(
        "speed where half is left", default=100.0
    )

    @staticmethod
    def resist(p, w, force):
        return p.mu * force / (1.0 + w / p.w_fade)


PARTS = [
    (
        rot.Clutch,
        {"fn_max": 10.0, "peak": 1.2, "mu_pos": ((0, 0.5), (1, 0.3), (3, 0.4))},
        5.0,
    ),
    (rot.OneWayClutch, {"fn_max": 2.0, "peak": 1.1}, 1.0),
    (rot.Brake, {"fn_max": 3.0, "useSupport": True}, 1.0),
    (rot.BearingFriction, {"tau_pos": ((0, 2.0), (1, 3.0)), "peak": 1.5}, 1.0),
    (tra.Brake, {"fn_max": 3.0, "cgeo": 2.0}, 1e-3),
    (tra.SupportFriction, {"f_pos": ((0, 2.0), (1, 3.0))}, 1e3),
    (tra.MassWithStopAndFriction, {"m": 3.0, "smin": -1e3, "smax": 1e3}, 1.0),
    (DiscBrake, {"mu": 0.3}, 50.0),
]


@pytest.mark.kinds(4)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "given", "speed"), PARTS, ids=[kind.__name__ for kind, _, _ in PARTS]
)
def test_every_friction_holds_breaks_loose_and_loses_what_it_says(kind, given, speed):
    figures = check_friction(kind, speed=speed, tolerance=3e-10, **given)
    assert figures.keys() == LAWS
    assert figures["holds"] < 1e-15


def test_friction_without_any_at_rest_never_sticks():
    figures = check_friction(rot.BearingFriction, tau_pos=((0.0, 0.0), (1.0, 3.0)))
    assert figures.keys() == LAWS - {"holds", "breaks"}


class Driving(DiscBrake):
    """A force that drives where it is fast."""

    @staticmethod
    def resist(p, w, force):
        return p.mu * force * (1.0 - 2.0 * w)


class Weak(DiscBrake):
    """At rest it holds less than it resists sliding."""

    def bounds(self, p, w, *signals):
        own = super().bounds(p, w, *signals)
        return ForceBounds(0.5 * own.low, 0.5 * own.high, own.forward, own.backward, own.on)


class Forward(DiscBrake):
    """Its force has the same sign in both directions."""

    def bounds(self, p, w, *signals):
        own = super().bounds(p, w, *signals)
        return ForceBounds(own.low, own.high, own.forward, own.low, own.on)


class Boasting(DiscBrake):
    """It says it loses twice as much as it takes."""

    def friction_variables(self, p):
        shown = super().friction_variables(p)
        lost = shown["lossPower"].value
        return shown | {"lossPower": Variable(lambda motion: 2.0 * lost(motion), "W")}


class Infinite(DiscBrake):
    """Its force is without bounds."""

    @staticmethod
    def resist(p, w, force):
        return p.mu * force + where(w > 0.5, math.inf, 0.0)


def test_a_run_to_rest_without_numbers_is_told_to_be_so(monkeypatch):
    # whether a root of w fails there depends on how a run is rounded
    monkeypatch.setattr(friction, "_balances", lambda *_: {"dissipates": math.nan})
    with pytest.raises(MotorikError, match="evaluated a little below w = 0"):
        check_friction(DiscBrake)


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (Driving, "'resists' fails by"),
        (Weak, "'resists' fails by"),
        (Forward, "'resists' fails by"),
        (Boasting, "'power' fails by"),
        (Infinite, "resist(p, w = 1, force = 1) returned inf"),
    ],
)
def test_what_is_wrong_is_refused(kind, words):
    with pytest.raises(MotorikError) as refusal:
        check_friction(kind)
    assert words in str(refusal.value)
