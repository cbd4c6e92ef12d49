"""Friction and stops of planar joints: against those of joints in space, and closed forms."""

from __future__ import annotations

import numpy as np
import pytest

import motorik as mk
from motorik import planar
from motorik.joints import Coulomb

G = 9.80665


def slider(strategy="auto", **joint):
    """Return a run of a block of 2 kg on a guide that rises by 0.3 rad."""
    model = planar.Model()
    model.ground = planar.Ground(ports={"O": (0.0, 0.0, 0.3)}, g=G)
    model.block = planar.Body(m=2.0, I=0.1, ports={"A": (0.0, 0.0)})
    model.guide = planar.Translational(**joint)
    model.connect(model.ground.O, model.guide.frame_a)
    model.connect(model.guide.frame_b, model.block.A)
    return model.simulate(2.0, rtol=1e-9, strategy=strategy)


@pytest.mark.parametrize("strategy", ["auto", "absolute"])
def test_a_block_on_a_slope_comes_to_rest_and_stays(strategy):
    """Uphill at 1 m/s it slows down by g sin α + f / m, and rests as f > m g sin α."""
    result = slider(strategy, s=0.0, v=1.0, friction=Coulomb(f=8.0))
    slowed = G * np.sin(0.3) + 4.0
    assert result["guide.s"][-1] == pytest.approx(0.5 / slowed, abs=1e-7)
    assert result["guide.v"][-1] == pytest.approx(0.0, abs=1e-9)
    assert [event.what for event in result.events] == ["sticks"]


def test_friction_by_the_normal_force_is_that_of_the_weight():
    """f = μ m g cos α."""
    result = slider(s=0.0, v=-1.0, friction=Coulomb(mu=0.1))
    acceleration = -G * np.sin(0.3) + 0.1 * G * np.cos(0.3)
    expected = -result.time + 0.5 * acceleration * result.time**2
    np.testing.assert_allclose(result["guide.s"], expected, atol=1e-7)


def test_a_stop_ends_the_slide_and_throws_it_back():
    result = slider(s=0.0, v=0.0, stops=(-1.0, 1.0), restitution=0.5)
    hit = np.sqrt(2.0 / (G * np.sin(0.3)))
    first = next(event for event in result.events)
    assert first.time == pytest.approx(hit, abs=1e-7)
    assert result["guide.s"].min() > -1.0 - 1e-7


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["auto", "absolute"])
def test_a_hinge_in_the_plane_rubs_and_stops_as_one_in_space(strategy):
    given = {"friction": Coulomb(tau=0.5), "stops": (-1.0, 0.4), "phi": 0.2, "w": 2.0}
    flat = planar.Model()
    flat.ground = planar.Ground(ports={"O": (0.0, 0.0)}, g=G)
    flat.arm = planar.Body(m=1.0, I=0.05, ports={"A": (-0.4, 0.0)})
    flat.hinge = planar.Revolute(**given)
    flat.connect(flat.ground.O, flat.hinge.frame_a)
    flat.connect(flat.hinge.frame_b, flat.arm.A)
    space = mk.Model()
    space.world, space.hinge = mk.World(n="-y", g=G), mk.Revolute(n="z", **given)
    space.arm = mk.Body(m=1.0, r_CM=(0.4, 0, 0), I_11=0.05, I_22=0.05, I_33=0.05)
    space.connect(space.world.frame_b, space.hinge.frame_a)
    space.connect(space.hinge.frame_b, space.arm.frame_a)
    runs = [
        flat.simulate(1.5, rtol=1e-9, strategy=strategy),
        space.simulate(1.5, rtol=1e-9),
    ]
    np.testing.assert_allclose(runs[0]["hinge.phi"], runs[1]["hinge.phi"], atol=1e-6)
    kinds_of = [[event.what for event in run.events] for run in runs]
    assert kinds_of[0] == kinds_of[1] and len(kinds_of[0]) >= 2
