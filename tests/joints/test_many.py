"""Chains with friction and stops in every joint, at random: energy is lost and never gained."""

from __future__ import annotations

import numpy as np
import pytest

from motorik import BodyShape, Model, Revolute, World
from motorik.joints import Coulomb
from tests.joints.models import FourBar, run


class Chain(Model):
    """Rods one behind another in a plane; friction, stops and motion are random."""

    def build(self, seed: int, count: int = 4) -> None:
        """Hang the chain on the world."""
        random = np.random.default_rng(seed).uniform
        self.world = World(g=9.81)
        self.hinge = [
            Revolute(
                friction=Coulomb(tau=random(0.0, 1.5), peak=random(1.0, 1.5)),
                stops=(-random(0.2, 1.5), random(0.2, 1.5)),
                restitution=random(0.0, 0.9),
                phi=random(-0.15, 0.15),
                w=random(-5.0, 5.0),
            )
            for _ in range(count)
        ]
        self.rod = [
            BodyShape(
                r=(0.4, 0, 0), r_CM=(0.2, 0.02, 0), m=1.0, I_11=0.01, I_22=0.01, I_33=0.01
            )
            for _ in range(count)
        ]
        end = self.world.frame_b
        for hinge, rod in zip(self.hinge, self.rod, strict=True):
            end >> hinge.frame_a
            hinge.frame_b >> rod.frame_a
            end = rod.frame_b


@pytest.mark.parametrize("seed", range(2))
def test_a_chain_of_stops_and_brakes_only_loses_energy(seed):
    model = Chain(seed=seed)
    result, seen = run(model, 5.0, rtol=1e-8, method="dopri5")
    energy = result.energy()["total"]
    assert len(seen) > 50
    assert energy[0] - energy[-1] > 5.0
    assert np.diff(energy).max() < 1e-7 * energy.max()
    assert sum(event.energy_lost for event in seen if event.impulse) > 0.0
    for k, hinge in enumerate(model.hinge, start=1):
        low, high = hinge.stops
        angle = result[f"hinge[{k}].phi"]
        assert angle.min() > low - 1e-9
        assert angle.max() < high + 1e-9


@pytest.mark.slow
def test_energy_is_what_heat_and_hits_leave():
    hinges = {k: {"friction": Coulomb(tau=0.3)} for k in range(4)}
    hinges[0] |= {"stops": (-1.0, None), "restitution": 0.5}
    model = FourBar(lengths=(0.5, 0.9, 0.6, 1.0), options=hinges, g=9.81)
    result, seen = run(model, 1.5, rtol=1e-10, method="dop853", output=30_000)
    energy = result.energy()["total"]
    heat = sum(
        np.trapezoid(result[f"hinge[{k}].lossPower"], result.time) for k in range(1, 5)
    )
    hits = sum(event.energy_lost for event in seen)
    assert hits > 0.1 < heat
    assert energy[0] - energy[-1] == pytest.approx(heat + hits, rel=1e-4)
