"""Starts that demand accelerations where something sticks or slides."""

import numpy as np
import pytest

from motorik import (
    InitialValueError,
    Model,
    Parameter,
    Revolute,
    World,
    blocks,
    parts,
    rotational,
    translational,
)


class Sprung(Model):
    """A mass of 2 kg at 1 m on rough ground (5 N), on a spring whose length is to be found."""

    def build(self, guess=0.0, v=0.0, a=0.0, fixed=False, peak=1.0):
        self.wall = translational.Fixed(s0=0.0)
        length = Parameter(guess, fixed=fixed, name="length", unit="m")
        self.spring = translational.Spring(c=100.0, s_rel0=length)
        self.rod = translational.SupportFriction(f_pos=((0.0, 5.0),), peak=peak)
        self.mass = translational.Mass(m=2.0, s=1.0, v=v, a=a)
        self.wall.flange >> self.spring.flange_a
        self.spring.flange_b >> self.rod.flange_a
        self.rod.flange_b >> self.mass.flange_a


def found(result):
    return result.parameters["length"], float(result["mass.a"][0])


@pytest.mark.slow
@pytest.mark.parametrize("guess", [0.97, 1.0, 1.04])
def test_what_friction_holds_at_the_guess_stays_there(guess):
    length, a = found(Sprung(guess=guess).simulate(0.5))
    assert length == guess
    assert a == 0.0


@pytest.mark.parametrize(("guess", "exact"), [(0.5, 0.95), (1.5, 1.05)])
def test_the_preload_nearest_to_the_guess_that_friction_holds(guess, exact):
    """Spring force 100 (1 − length) N against at most 5 N."""
    result = Sprung(guess=guess).simulate(0.5)
    assert result.complete
    length, a = found(result)
    assert length == pytest.approx(exact, abs=1e-9)
    assert a == pytest.approx(0.0, abs=1e-14)
    assert np.abs(result["mass.v"]).max() < 1e-12


@pytest.mark.parametrize("method", ["dopri5", "dop853", "gbs", "adams", "bdf"])
def test_what_is_at_its_limit_but_for_rounding_comes_to_rest(method):
    """It slides by less than tolerances tell, and stays."""
    model = Sprung(guess=1.05, fixed=True, a=None)
    for above in (0.0, 2.3e-16, 5e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-10):
        result = model.simulate(
            0.5, method=method, parameters={"length": 1.05 + above}, rtol=1e-8
        )
        assert result.complete and result.info.steps < 100
        assert np.abs(result["mass.s"] - 1.0).max() <= 2.0 * above + 1e-10
        assert np.abs(result["mass.v"]).max() <= 8.0 * above + 1e-10


@pytest.mark.parametrize("a", [3.0, -4.0])
@pytest.mark.parametrize("guess", [0.4, 1.0, 1.8])
def test_an_acceleration_from_rest_overcomes_friction(guess, a):
    """2 a = −100 (1 − length) ∓ 5."""
    result = Sprung(guess=guess, a=a).simulate(0.01)
    length, seen = found(result)
    way = 1.0 if a > 0.0 else -1.0
    assert length == pytest.approx(1.0 + (2.0 * a + 5.0 * way) / 100.0, abs=1e-9)
    assert seen == pytest.approx(a, abs=1e-9)
    assert result["rod.mode"][0] == way


@pytest.mark.parametrize("v", [0.5, -0.5])
def test_sliding_friction_counts_in_the_demand(v):
    length, a = found(Sprung(v=v, a=0.0).simulate(0.01))
    assert length == pytest.approx(1.0 + (5.0 if v > 0.0 else -5.0) / 100.0, abs=1e-9)
    assert a == pytest.approx(0.0, abs=1e-9)


def test_a_brake_that_holds_a_load_meets_zero_acceleration():
    """Nothing is free: without its brake the arm would fall."""

    class Arm(Model):
        def build(self, press=1.0, a=0.0):
            self.world = World()
            self.hinge = Revolute(phi=0.0, w=0.0, a=a)
            self.rod = parts.BodyBox(r=(1, 0, 0), width=0.1)
            self.brake = rotational.Brake(fn_max=1000.0)
            self.press = blocks.Constant(k=press)
            self.world.frame_b >> self.hinge.frame_a
            self.hinge.frame_b >> self.rod.frame_a
            self.hinge.axis >> self.brake.flange_a
            self.press.y >> self.brake.f_normalized

    result = Arm().simulate(1.0)
    assert result["brake.locked"].all()
    assert np.abs(result["hinge.w"]).max() < 1e-40
    with pytest.raises(InitialValueError, match=r"hinge.*cannot be met"):
        Arm(a=1.0).simulate(1.0)
    with pytest.raises(InitialValueError, match=r"hinge.*cannot be met"):
        Arm(press=0.1).simulate(1.0)


def test_a_locked_clutch_starts_with_both_shafts_accelerated_alike():
    class Line(Model):
        def build(self):
            self.left = rotational.Inertia(J=2.0, phi=0.0, w=10.0, a=3.0)
            self.right = rotational.Inertia(J=1.0, phi=0.0, w=10.0)
            self.clutch = rotational.Clutch(fn_max=100.0)
            self.motor = rotational.ConstantTorque(
                tau_constant=Parameter(1.0, fixed=False, name="torque", unit="N.m")
            )
            self.press = blocks.Constant(k=1.0)
            self.press.y >> self.clutch.f_normalized
            self.motor.flange >> self.left.flange_a
            self.left.flange_b >> self.clutch.flange_a
            self.clutch.flange_b >> self.right.flange_a

    result = Line().simulate(0.5)
    assert result.parameters["torque"] == pytest.approx(9.0)
    assert result["right.a"][0] == pytest.approx(3.0)
    assert result["clutch.locked"].all()
    simulator = Line().simulator()
    assert simulator["torque"] == pytest.approx(9.0)
    assert "clutch: stuck" in Line().explain()


def test_a_demand_between_sticking_and_sliding_is_named():
    """Rest holds up to 10 N, sliding resists by 5 N: |a| below 2.5 m/s² does not exist."""
    with pytest.raises(InitialValueError, match=r"mass\.a.*rod sticks"):
        Sprung(a=1.0, peak=2.0).simulate(0.1)
