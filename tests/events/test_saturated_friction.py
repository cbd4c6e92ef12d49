"""Rows that share a load and come to their limits one by one while others hold them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from motorik import Model, SolverOptions, blocks, rotational
from motorik.functions import sin

METHODS = ("dopri5", "dop853", "bdf", "adams", "gbs", "rk4")


class TwoBrakes(Model):
    """A shaft of 2 kg·m² at rest with two brakes, under a torque over time."""

    def build(self, torque, limits: tuple[float, float] = (10.0, 3.0), peak: float = 1.0):
        self.shaft = rotational.Inertia(J=2.0, phi=0.0, w=0.0)
        tables = [[[0.0, limit], [1.0, limit]] for limit in limits]
        self.one, self.other = (
            rotational.BearingFriction(tau_pos=table, peak=peak) for table in tables
        )
        self.motor = rotational.Torque()
        self.course = blocks.TimeFunction(f=torque)
        self.course.y >> self.motor.tau
        self.motor.flange >> self.shaft.flange_a
        self.shaft.flange_b >> self.one.flange_a
        self.shaft.flange_b >> self.other.flange_a


def options(method: str) -> dict[str, object]:
    """Return tolerances, or a step for the method that has none."""
    return (
        {"step": 1e-3}
        if method == "rk4"
        else {"rtol": 1e-9, "solver": SolverOptions(atol=1e-9)}
    )


@pytest.mark.kinds(6)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("peak", [1.0, 1.2])
def test_the_stronger_brake_takes_what_the_weaker_one_cannot(method, peak):
    model = TwoBrakes(torque=lambda t: 2.0 * t, peak=peak)
    result = model.simulate(8.0, method=method, output=80, **options(method))
    loose = 13.0 * peak / 2.0  # s: 2 N·m/s · t = (10 + 3) N·m · peak
    assert [event.part for event in result.events] == ["one", "other"]
    assert result.events.times == pytest.approx([loose, loose], abs=1e-9)
    rests = result.time < loose
    assert np.abs(result["shaft.w"][rests]).max() <= 1e-15
    load = 2.0 * result.time[rests]
    weak = np.minimum(0.5 * load, 3.0 * peak)
    assert result["other.tau"][rests] == pytest.approx(weak, abs=1e-9)
    assert result["one.tau"][rests] == pytest.approx(load - weak, abs=1e-9)
    assert result["other.locked"][rests].min() == 1.0
    left = 8.0 - loose  # J ẇ = 2 t − 13, from 2 loose
    speed = (left**2 + (2.0 * loose - 13.0) * left) / 2.0
    assert result["shaft.w"][-1] == pytest.approx(speed, rel=1e-7)


def test_brakes_share_again_what_is_taken_off_and_turned_back():
    result = TwoBrakes(torque=lambda t: 12.0 * sin(t)).simulate(12.0, output=200, rtol=1e-9)
    assert not result.events and np.abs(result["shaft.w"]).max() <= 1e-15
    load = 12.0 * np.sin(result.time)
    assert result["one.tau"] + result["other.tau"] == pytest.approx(load, abs=1e-9)
    weak = np.clip(0.5 * load, -3.0, 3.0)
    assert result["other.tau"] == pytest.approx(weak, abs=2e-3 * 3.0)


@pytest.mark.parametrize("method", ["dop853", "bdf", "adams"])
def test_a_torque_that_passes_a_limit_for_a_moment_is_seen_at_rest(method):
    model = TwoBrakes(torque=lambda t: 13.1 * sin(4.0 * t), limits=(10.0, 3.0))
    result = model.simulate(3.0, method=method, output=10, rtol=1e-6)
    first = math.asin(13.0 / 13.1) / 4.0
    times = np.unique(np.round(result.events.times, 9))
    forward = [
        t for t in times if any(abs(t - first - k * math.pi / 2.0) < 1e-6 for k in (0, 1))
    ]
    assert len(forward) == 2, times


def test_explain_tells_who_shares_a_load():
    told = TwoBrakes(torque=lambda t: 2.0 * t).explain()
    assert "one: stuck, sharing its load with other" in told
    assert "other: stuck, sharing its load with one" in told


class Random(Model):
    """Inertias in a row on springs, clutches and free wheels, some also across, some braked."""

    def build(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        n = int(rng.integers(2, 5))
        self.shafts = [
            rotational.Inertia(J=float(j), phi=0.0, w=float(w))
            for j, w in zip(rng.uniform(0.3, 3.0, n), self._speeds(rng, n), strict=True)
        ]
        ends = [(k, k + 1) for k in range(n - 1)]
        ends += [tuple(sorted(rng.choice(n, 2, replace=False).tolist())) for _ in range(2)]
        links = [self._link(rng) for _ in ends]
        self.links = links
        self.bearings = [
            rotational.BearingFriction(
                tau_pos=self._table(rng), peak=float(rng.choice([1.0, 1.3]))
            )
            for _ in range(n)
        ]
        self.pressed = blocks.Constant(k=1.0)
        for (a, b), link in zip(ends, links, strict=True):
            self.shafts[a].flange_b >> link.flange_a
            link.flange_b >> self.shafts[b].flange_a
            if not isinstance(link, rotational.SpringDamper):
                self.pressed.y >> link.f_normalized
        loads = rng.uniform(5.0, 25.0, n).tolist(), rng.uniform(0.5, 8.0, n).tolist()
        self.motors = [rotational.Torque() for _ in range(n)]
        self.courses = [
            blocks.TimeFunction(f=lambda t, a=a, w=w: a * sin(w * t))
            for a, w in zip(*loads, strict=True)
        ]
        for k, shaft in enumerate(self.shafts):
            self.courses[k].y >> self.motors[k].tau
            self.motors[k].flange >> shaft.flange_a
            shaft.flange_b >> self.bearings[k].flange_a

    @staticmethod
    def _speeds(rng: np.random.Generator, n: int) -> np.ndarray:
        return rng.uniform(-20.0, 20.0, n) * (rng.random(n) < 0.6)

    @staticmethod
    def _table(rng: np.random.Generator) -> list[list[float]]:
        torque = float(rng.uniform(2.0, 15.0))
        return [[0.0, torque], [100.0, 1.2 * torque]]

    def _link(self, rng: np.random.Generator):
        kind = rng.choice(["spring", "clutch", "clutch", "free wheel"])
        if kind == "spring":
            c, d = rng.uniform(20.0, 200.0), rng.uniform(0.0, 1.0)
            return rotational.SpringDamper(c=float(c), d=float(d))
        own = rotational.Clutch if kind == "clutch" else rotational.OneWayClutch
        return own(fn_max=1.0, mu_pos=self._table(rng), peak=float(rng.choice([1.0, 1.3])))


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_random_lines_with_redundant_friction_run_and_two_methods_agree(seed):
    model = Random(seed=seed)
    runs = [
        model.simulate(
            2.0, method=method, rtol=1e-9, solver=SolverOptions(atol=1e-9), output=20
        )
        for method in ("dop853", "bdf")
    ]
    assert all(run.complete for run in runs)
    speeds = [f"shafts[{k + 1}].w" for k in range(len(model.shafts))]
    one, other = (np.array([run[name] for name in speeds]) for run in runs)
    print(f"{len(runs[0].events)} events, apart by {np.abs(one - other).max():.1e} rad/s")
    assert np.abs(one - other).max() < 1e-5
    for k, speed in enumerate(one):
        locked = runs[0][f"bearings[{k + 1}].locked"] > 0.5
        assert np.abs(speed[locked]).max(initial=0.0) <= 1e-13
