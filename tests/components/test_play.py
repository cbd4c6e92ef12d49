"""Play, gaps, vehicles and rolling against closed forms; energy against what they lose."""

from __future__ import annotations

import math

import numpy as np
import pytest

import motorik as mk
from motorik import blocks
from motorik import rotational as rot
from motorik import translational as tra


def run(model, times, rtol=1e-11):
    """Return a run at these times."""
    return model.simulate(
        times[-1], method="dop853", rtol=rtol, output=times, progress=False
    )


class Hung(mk.Model):
    """An inertia on a wall by a part of play, with what it loses."""

    def build(self, part, phi=0.0, w=0.0) -> None:
        self.wall, self.mass, self.part = (
            rot.Fixed(),
            rot.Inertia(J=2.0, phi=phi, w=w),
            part,
        )
        self.wall.flange >> self.part.flange_a
        self.part.flange_b >> self.mass.flange_a
        self.loss = blocks.Expression(f=lambda m: m.variable(self.part, "lossPower"))
        self.lost = blocks.Integrator()
        self.loss.y >> self.lost.u


@pytest.mark.parametrize("kind", [rot.ElastoBacklash, rot.ElastoBacklash2])
def test_without_damping_it_swings_through_the_play_for_ever(kind):
    """The period is 2π/ω in contact and 2 b / (ω A) in flight, ω² = c / J."""
    c, b, A = 50.0, 0.4, 0.3
    omega = math.sqrt(c / 2.0)
    period = 2.0 * math.pi / omega + 2.0 * b / (omega * A)
    model = Hung(part=kind(c=c, b=b, phi_rel0=0.1), phi=0.1 + 0.5 * b + A)
    result = run(model, [0.0, 0.5 * period, period, 5.0 * period], rtol=1e-12)
    ends = [1.0, -1.0, 1.0, 1.0] * np.array(0.5 * b + A) + 0.1
    np.testing.assert_allclose(result["mass.phi"], ends, atol=2e-8)


@pytest.mark.parametrize("kind", [rot.ElastoBacklash, rot.ElastoBacklash2])
def test_it_never_pulls_and_loses_what_it_says(kind):
    model = Hung(part=kind(c=2e3, d=40.0, b=0.2), w=3.0)
    result = run(model, np.linspace(0.0, 1.0, 2001), rtol=1e-10)
    beyond = np.clip(result["mass.phi"], -0.1, 0.1) - result["mass.phi"]
    assert (result["part.tau"] * beyond <= 1e-12).all()
    assert (result["part.tau"][np.abs(result["mass.phi"]) < 0.1] == 0.0).all()
    assert (result["part.lossPower"] >= -1e-12).all()
    assert np.ptp(result["lost.y"]) > 1.0
    energy = result.energy()["total"] + result["lost.y"]
    np.testing.assert_allclose(energy, 9.0, rtol=3e-8)


def test_the_torque_of_one_is_continuous_and_of_the_other_jumps():
    jumps = []
    for kind in (rot.ElastoBacklash, rot.ElastoBacklash2):
        result = run(Hung(part=kind(c=2e3, d=40.0, b=0.2), w=3.0), [0.0, 0.1 / 3.0 + 1e-7])
        jumps.append(float(result["part.tau"][-1]))
    assert 0.0 < jumps[0] < 0.01
    np.testing.assert_allclose(jumps[1], 120.0, rtol=1e-3)


@pytest.mark.parametrize("kind", [rot.ElastoBacklash, rot.ElastoBacklash2])
def test_without_play_it_is_a_spring_and_a_damper(kind):
    times = np.linspace(0.0, 2.0, 41)
    play = run(Hung(part=kind(c=50.0, d=1.0), phi=0.3), times)
    plain = run(Hung(part=rot.SpringDamper(c=50.0, d=1.0), phi=0.3), times)
    np.testing.assert_allclose(play["mass.phi"], plain["mass.phi"], atol=1e-12)


class Thrown(mk.Model):
    """A mass that flies against a gap."""

    def build(self, d=0.0, n=1.0) -> None:
        self.wall, self.mass = tra.Fixed(), tra.Mass(m=2.0, s=1.0, v=-2.0)
        self.part = tra.ElastoGap(c=200.0, d=d, n=n, s_rel0=0.5)
        self.wall.flange >> self.part.flange_a
        self.part.flange_b >> self.mass.flange_a
        self.loss = blocks.Expression(f=lambda m: m.variable(self.part, "lossPower"))
        self.lost = blocks.Integrator()
        self.loss.y >> self.lost.u


def test_a_gap_throws_back_after_half_a_period():
    touches, omega = 0.25, 10.0
    leaves = touches + math.pi / omega
    result = run(
        Thrown(), [0.0, touches - 1e-6, touches + 1e-6, leaves - 1e-6, leaves + 0.5]
    )
    assert result["part.contact"].tolist() == [0, 0, 1, 1, 0]
    np.testing.assert_allclose(result["mass.s"][-1], 0.5 + 2.0 * 0.5, rtol=1e-8)


@pytest.mark.parametrize("n", [1.0, 1.5])
def test_a_gap_pushes_only_and_loses_what_it_says(n):
    result = run(Thrown(d=30.0, n=n), np.linspace(0.0, 2.0, 801), rtol=1e-10)
    assert (result["part.f"] <= 0.0).all()
    assert np.ptp(result["lost.y"]) > 0.1
    energy = result.energy()["total"] + result["lost.y"]
    np.testing.assert_allclose(energy, 4.0, rtol=3e-8)


def test_the_deepest_point_of_a_hertzian_gap_follows_from_energy():
    result = run(Thrown(n=1.5), np.linspace(0.0, 1.0, 4001), rtol=1e-11)
    depth = (2.5 * 0.5 * 2.0 * 2.0**2 / 200.0) ** (1 / 2.5)
    np.testing.assert_allclose(0.5 - result["mass.s"].min(), depth, rtol=1e-5)


def test_a_vehicle_rolls_out_evenly():
    """Without air it slows down by Cr g m / (m + J / R²), and stands."""
    model = mk.Model()
    model.car = tra.Vehicle(m=800.0, J=8.0, R=0.25, Cd=0.0, CrConstant=0.02, s=0.0, v=10.0)
    slows = 0.02 * 9.80665 * 800.0 / (800.0 + 8.0 / 0.25**2)
    result = run(model, [0.0, 10.0, 10.0 / slows + 5.0])
    np.testing.assert_allclose(result["car.v"][1], 10.0 - 10.0 * slows, rtol=1e-10)
    np.testing.assert_allclose(result["car.s"][2], 50.0 / slows, rtol=1e-3)
    assert abs(result["car.v"][2]) < 1e-6


@pytest.mark.parametrize("told", [False, True])
def test_a_vehicle_climbs_at_the_speed_where_all_forces_balance(told):
    """By signals or by constants: inclination 0.05, wind −3 m/s, Cr 0.01."""
    m, R, k, speed, slope = 100.0, 0.25, 0.5 * 0.5 * 1.0 * 1.2, 6.0, 0.05
    model = mk.Model()
    given = {"inclinationConstant": slope, "vWindConstant": -3.0, "CrConstant": 0.01}
    model.car = tra.Vehicle(m=m, R=R, A=1.0, Cd=0.5, v=2.0, **({} if told else given))
    if told:
        ports = ("inclination", "vWind", "cr")
        for port, value in zip(ports, given.values(), strict=True):
            setattr(model, f"of_{port}", blocks.Constant(k=value))
            getattr(model, f"of_{port}").y >> getattr(model.car, port)
    angle = math.atan(slope)
    weight = m * 9.80665
    force = (
        k * (speed + 3.0) ** 2 + 0.01 * weight * math.cos(angle) + weight * math.sin(angle)
    )
    model.motor = rot.ConstantTorque(tau_constant=force * R)
    model.motor.flange >> model.car.flangeR
    result = run(model, [0.0, 1000.0])
    np.testing.assert_allclose(result["car.v"][-1], speed, rtol=1e-9)


@pytest.mark.kinds(4)
@pytest.mark.parametrize(
    ("reg", "share"),
    [
        ("Exp", math.tanh(0.5 * 0.05 / 0.01)),
        ("Sine", math.sin(0.5 * math.pi * 0.05)),
        ("Linear", 0.05),
        ("CoSine", 1.0 - math.cos(0.5 * math.pi * 0.05)),
    ],
)
@pytest.mark.parametrize("way", [1.0, -1.0])
def test_rolling_resistance_passes_through_zero(reg, share, way):
    model = mk.Model()
    model.mass = tra.Mass(m=1.0, v=way * 0.05)
    model.part = tra.RollingResistance(fWeight=100.0, CrConstant=0.02, v0=1.0, reg=reg)
    model.mass.flange_a >> model.part.flange
    result = run(model, [0.0, 1e-3])
    np.testing.assert_allclose(result["part.f"][0], -2.0 * share * way, rtol=1e-12)
    model.mass.v = way * 3.0
    result = run(model, [0.0, 1e-3])
    np.testing.assert_allclose(result["part.f"][0], -2.0 * way, rtol=1e-12)
