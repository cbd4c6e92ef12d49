"""Random masses in a row that hit each other and walls, with friction, springs and loads."""

from __future__ import annotations

import numpy as np
import pytest

from motorik import Model, SolverOptions, blocks, translational
from motorik.functions import sin
from tests.events.parts import Friction, Stop


class Row(Model):
    """Masses in a row between two walls, with stops between all neighbours."""

    def build(self, seed: int) -> None:
        rng = np.random.default_rng([5000, seed])
        n = int(rng.integers(2, 5))
        places = np.cumsum(rng.uniform(0.2, 1.0, n))
        speeds = rng.uniform(-3.0, 3.0, n) * (rng.random(n) < 0.7)
        self.masses = [
            translational.Mass(m=float(m), s=float(s), v=float(v))
            for m, s, v in zip(rng.uniform(0.3, 3.0, n), places, speeds, strict=True)
        ]
        self.wall = translational.Fixed()
        self.end = translational.Fixed(s0=float(places[-1] + rng.uniform(0.3, 1.5)))
        self.stops = [
            Stop(restitution=float(e)) for e in rng.choice([0.0, 0.3, 0.7, 1.0], n + 1)
        ]
        flanges = [self.wall.flange, *(m.flange_a for m in self.masses), self.end.flange]
        for stop, a, b in zip(self.stops, flanges[:-1], flanges[1:], strict=True):
            a >> stop.flange_a
            stop.flange_b >> b
        self.pads = [
            Friction(static=float(peak * f), kinetic=float(f))
            for f, peak in zip(
                rng.uniform(0.5, 4.0, n), rng.choice([1.0, 1.3], n), strict=True
            )
        ]
        self.loads = [translational.Force() for _ in range(n)]
        sizes, rates = rng.uniform(0.0, 10.0, n).tolist(), rng.uniform(0.5, 6.0, n).tolist()
        self.courses = [
            blocks.TimeFunction(f=lambda t, a=a, w=w: a * sin(w * t))
            for a, w in zip(sizes, rates, strict=True)
        ]
        for mass, pad, load, course in zip(
            self.masses, self.pads, self.loads, self.courses, strict=True
        ):
            self.wall.flange >> pad.flange_a
            pad.flange_b >> mass.flange_a
            course.y >> load.f
            load.flange >> mass.flange_b
        self.spring = translational.SpringDamper(c=20.0, d=0.2, s_rel0=0.5)
        self.masses[0].flange_b >> self.spring.flange_a
        self.spring.flange_b >> self.masses[1].flange_a


@pytest.mark.kinds(2)
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
def test_nothing_passes_its_neighbour_nor_gains_energy_and_two_methods_agree(seed):
    model = Row(seed=seed)
    runs = [
        model.simulate(
            2.0, method=method, rtol=1e-10, solver=SolverOptions(atol=1e-10), output=40
        )
        for method in ("dop853", "bdf")
    ]
    assert all(run.complete for run in runs)
    n = len(model.masses)
    names = ["wall.flange.s", *(f"masses[{k + 1}].s" for k in range(n)), "end.flange.s"]
    one, other = (np.array([run[name] for name in names]) for run in runs)
    print(f"{len(runs[0].events)} events, apart by {np.abs(one - other).max():.1e} m")
    assert np.abs(one - other).max() < 1e-6
    assert np.diff(one, axis=0).min() > -1e-9
    lost: dict[float, float] = {}
    for event in runs[0].events:
        lost[event.time] = lost.get(event.time, 0.0) + (event.energy_lost or 0.0)
    assert min(lost.values(), default=0.0) > -1e-9


def test_a_wall_is_not_passed_by_what_comes_to_rest_beyond_it():
    model = Model()
    model.wall = translational.Fixed(s0=0.1)
    model.ground = translational.Fixed()
    model.mass = translational.Mass(m=1.0, s=0.0, v=1.0)
    model.stop, model.pad = Stop(restitution=0.5), Friction(static=1.0, kinetic=1.0)
    model.mass.flange_b >> model.stop.flange_a
    model.stop.flange_b >> model.wall.flange
    model.ground.flange >> model.pad.flange_a
    model.pad.flange_b >> model.mass.flange_a
    result = model.simulate(3.0, method="dop853")
    hit = 1.0 - np.sqrt(0.8)  # s: t − t²/2 = 0.1
    assert result.events[0].what == "hits"
    assert result.events[0].time == pytest.approx(hit, abs=1e-12)
    back = 0.5 * np.sqrt(0.8)
    assert result["mass.s"][-1] == pytest.approx(0.1 - 0.5 * back**2, abs=1e-9)
