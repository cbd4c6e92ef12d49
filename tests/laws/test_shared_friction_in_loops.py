"""Friction by reactions in several joints of a loop: they share what holds it at rest.

A slider-crank has one freedom, so friction in its joints is redundant at rest, and each limit
depends on all forces. Whatever solves the loop, friction stays within its limits, the run comes to
its end, and the motion and its events are the same.
"""

from __future__ import annotations

import numpy as np
import pytest

import motorik as mk
from motorik import blocks
from motorik import rotational as rot
from motorik.joints import Coulomb

STRATEGIES = ("explicit", "projected", "baumgarte")
DURATION = 2.0  # s


class RubbingCrank(mk.Model):
    """A slider-crank that is driven to and fro, with friction in three joints and a stop."""

    def build(self) -> None:
        self.mu, self.mu_rod = mk.Parameter(0.2), mk.Parameter(0.1)
        self.drive, self.rate = mk.Parameter(20.0), mk.Parameter(1.0)
        first, second = (Coulomb(mu=mu, radius=0.05) for mu in (self.mu, self.mu_rod))
        self.world = mk.World()
        self.crank_joint = mk.Revolute(
            n="z", phi=1.2, w=2.0, friction=first, useAxisFlange=True
        )
        self.rod_joint = mk.Revolute(n="z", friction=second)
        self.pin = mk.Revolute(n="z")
        self.guide = mk.Prismatic(
            n="x", friction=Coulomb(mu=0.2), stops=(0.75, None), restitution=0.4
        )
        self.crank = mk.BodyBox(r=(0.4, 0.0, 0.0), width=0.05)
        self.rod = mk.BodyBox(r=(1.0, 0.0, 0.0), width=0.05)
        self.piston = mk.Body(m=0.7)
        self.torque = rot.Torque()
        self.sine = blocks.Sine(amplitude=self.drive, f=self.rate)
        self.world.frame_b >> self.crank_joint.frame_a
        self.crank_joint.frame_b >> self.crank.frame_a
        self.crank.frame_b >> self.rod_joint.frame_a
        self.rod_joint.frame_b >> self.rod.frame_a
        self.world.frame_b >> self.guide.frame_a
        self.guide.frame_b >> self.piston.frame_a
        self.guide.frame_b >> self.pin.frame_a
        self.pin.frame_b >> self.rod.frame_b
        self.sine.y >> self.torque.tau
        self.torque.flange >> self.crank_joint.axis


def drawn(seed: int) -> dict[str, float]:
    """Return friction and drive by chance; the first rests twice and hits its stop."""
    if seed == 0:
        return {"mu": 0.202, "mu_rod": 0.124, "drive": 36.66, "rate": 1.0326}
    rng = np.random.default_rng(seed)
    mu, mu_rod = rng.uniform(0.05, 0.4, 2)
    return {
        "mu": mu,
        "mu_rod": mu_rod,
        "drive": rng.uniform(2.0, 40.0),
        "rate": rng.uniform(0.3, 1.5),
    }


def breaking_loose(result: mk.Result) -> list[float]:
    """Return when the crank breaks loose, but for slips as short as the error of gains."""
    turns = [e for e in result.events.of("crank_joint") if e.what.startswith("s")]
    later = [e.time for e in turns[1:]] + [DURATION]
    return [
        e.time
        for e, end in zip(turns, later, strict=True)
        if e.before == "stuck" and end - e.time > 1e-4
    ]


@pytest.fixture(scope="module")
def model() -> mk.Model:
    return RubbingCrank()


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("strategy", STRATEGIES[1:])
@pytest.mark.parametrize("seed", range(2))
def test_all_strategies_hold_and_slip_alike(model, seed, strategy):
    given, runs = drawn(seed), []
    for one, rtol in ((STRATEGIES[0], 1e-9), (strategy, 1e-8)):
        result = model.simulate(
            DURATION, parameters=given, strategy=one, rtol=rtol, output=200
        )
        assert result.complete, result.info.message
        for joint, mu in (("crank_joint", given["mu"]), ("rod_joint", given["mu_rod"])):
            limit = mu * result[f"{joint}.load"]
            friction = np.abs(result[f"{joint}.tau_friction"])
            assert (friction <= limit * (1.0 + 1e-6) + 1e-9).all(), (one, joint)
        limit = 0.2 * result["guide.load"]
        assert (np.abs(result["guide.f_friction"]) <= limit * (1.0 + 1e-6) + 1e-9).all()
        runs.append((result["crank_joint.phi"], breaking_loose(result)))
    (angles, known), (found, turns) = runs
    np.testing.assert_allclose(found, angles, atol=2e-6)
    assert turns == pytest.approx(known, abs=1e-5)


@pytest.mark.slow
def test_loads_that_pass_through_zero_at_rest_leave_friction_a_number(model):
    """All joints stick, the stop is closed: rounding is shared where their load vanishes."""
    result = model.simulate(
        1.6, parameters=drawn(0), strategy="projected", rtol=1e-8, output=1600
    )
    late = result.time > 1.5
    load = result["crank_joint.tau_friction"][late]
    assert result.complete and load.min() < 0.0 < load.max()
    assert np.abs(result["crank_joint.w"][late]).max() < 1e-15
