"""Accelerations obey the second derivatives of all constraints, solved or with multipliers.

Where constraints with multipliers touch dependent speeds, both kinds meet in one compound
joint: loops whose crank time drives, loops whose dependent joints a gear couples.
"""

from __future__ import annotations

import numpy as np
import pytest

import motorik as mk
from motorik import blocks, rotational
from tests.laws.four_bars import ROCKING, bar, four_bar

AMPLITUDE, FREQUENCY, OFFSET, PHASE = 0.7, 0.8, 0.5, 1.0
RATIO = -1.7
HARDLY_LATER = 1e-6  # s


def crank_angle(t: float) -> float:
    """Return the angle of the driven crank [rad] at time t [s]."""
    return OFFSET + AMPLITUDE * np.sin(2 * np.pi * FREQUENCY * t + PHASE)


def driven_four_bar() -> mk.Model:
    """Return a four-bar whose crank follows a sine of time."""
    model = four_bar(ROCKING, phi=mk.guess(OFFSET), w=mk.guess(0.0), g=0.0)
    model.source = blocks.Sine(amplitude=AMPLITUDE, f=FREQUENCY, offset=OFFSET, phase=PHASE)
    model.drive = rotational.Position(exact=True)
    mk.connect(model.source.y, model.drive.phi_ref)
    mk.connect(model.drive.flange, model.bearing.axis)
    return model


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["projected", "baumgarte"])
def test_a_driven_crank_accelerates_its_rocker(strategy):
    model, h = driven_four_bar(), 1e-3
    for t in (0.0, 0.1, 0.4):
        psi = [ROCKING.rocker_angle(crank_angle(t + k * h)) for k in (-2, -1, 0, 1, 2)]
        wanted = np.dot([-1, 16, -30, 16, -1], psi) / (12 * h * h)
        assert abs(wanted) > 1.0
        start = model.simulate(
            t + HARDLY_LATER, start_time=t, strategy=strategy, output=[t]
        )
        assert start["pivot.a"][0] == pytest.approx(wanted, abs=1e-6)


def geared_five_bar() -> mk.Model:
    """Return a five-bar with hinges a to e from left to right; a gear couples b and d."""
    model = mk.Model()
    model.world = mk.World(n="-y")
    model.base = mk.Fixed(r=(0.8, 0, 0))
    model.a = mk.Revolute(phi=1.9, w=2.0, stateSelect="always")
    model.b = mk.Revolute(phi=mk.guess(-1.2), useAxisFlange=True)
    model.c = mk.Revolute()
    model.d = mk.Revolute(phi=mk.guess(1.2), useAxisFlange=True)
    model.e = mk.Revolute(phi=mk.guess(1.0), w=mk.guess(-1.0), stateSelect="always")
    model.gear = rotational.IdealGear(ratio=RATIO)
    model.crank, model.left = bar(0.4), bar(0.9)
    model.right, model.rocker = bar(0.8), bar(0.5)
    model.world.frame_b >> model.a.frame_a
    model.a.frame_b >> model.crank.frame_a
    model.crank.frame_b >> model.b.frame_a
    model.b.frame_b >> model.left.frame_a
    model.left.frame_b >> model.c.frame_a
    model.c.frame_b >> model.right.frame_b
    model.right.frame_a >> model.d.frame_b
    model.d.frame_a >> model.rocker.frame_b
    model.rocker.frame_a >> model.e.frame_b
    model.e.frame_a >> model.base.frame_b
    model.b.axis >> model.gear.flange_a
    model.gear.flange_b >> model.d.axis
    return model


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["explicit", "projected"])
def test_a_gear_between_dependent_joints_couples_their_accelerations(strategy):
    start = geared_five_bar().simulate(HARDLY_LATER, strategy=strategy, output=[0.0])
    phi, w, a = (
        {name: float(start[f"{name}.{kind}"][0]) for name in "abcde"}
        for kind in ("phi", "w", "a")
    )
    assert min(map(abs, w.values())) > 0.1 and min(map(abs, a.values())) > 1.0
    assert w["b"] == pytest.approx(RATIO * w["d"], rel=1e-9)
    assert a["b"] == pytest.approx(RATIO * a["d"], rel=1e-9)
    # bars as complex numbers, l exp(iθ): from the left they end where they do from the right
    bars = ((0.4, "a"), (0.9, "ab"), (-0.8, "ed"), (-0.5, "e"))
    place, second = -0.8 + 0.0j, 0.0j
    for length, hinges in bars:
        theta, omega, alpha = (sum(x[k] for k in hinges) for x in (phi, w, a))
        along = length * np.exp(1j * theta)
        place += along
        second += (1j * alpha - omega**2) * along
    assert abs(place) < 1e-9
    assert abs(second) < 1e-9 * max(map(abs, a.values()))
