"""Events of what changes faster than states make steps short: every one of them is found."""

from __future__ import annotations

import math

import numpy as np
import pytest

from motorik import (
    BodyBox,
    Fixed,
    Model,
    Prismatic,
    Revolute,
    World,
    blocks,
    forces,
    guess,
    joints,
    rotational,
    sin,
    translational,
)
from tests.covering import each_once

METHODS = ("auto", "bosh3", "dopri5", "dop853", "gbs", "adams", "bdf")
RUN = pytest.mark.parametrize("method", METHODS)


class Driven(Model):
    """A bearing with friction on a flange that turns to and fro by sin ωt, whatever acts on it."""

    def build(self, omega: float) -> None:
        self.source = blocks.Sine(amplitude=1.0, f=omega / (2 * math.pi))
        self.drive = rotational.Position(exact=True)
        self.bearing = rotational.BearingFriction(tau_pos=((0.0, 1.0),))
        self.connect(self.source.y, self.drive.phi_ref)
        self.connect(self.drive.flange, self.bearing.flange_a)


@pytest.mark.kinds(6)
@pytest.mark.slow
@RUN
@pytest.mark.parametrize("omega", [1.0, 10.0, 20.0, 50.0, 300.0])
def test_friction_of_what_is_driven_turns_round_with_the_motion(omega, method):
    result = Driven(omega=omega).simulate(2.0, method=method)
    wanted = [t for k in range(1000) if (t := (k + 0.5) * math.pi / omega) < 2.0]
    assert [event.time for event in result.events] == pytest.approx(wanted, abs=1e-12)
    assert result["bearing.lossPower"].min() >= 0.0


@pytest.mark.kinds(10)
@pytest.mark.slow
@RUN
@pytest.mark.parametrize(
    ("w", "phase"), each_once([10.0, 2 * math.pi, 977.0], [0.1, 0.0, math.pi / 2, 3.0])
)
def test_a_shaft_at_constant_speed_fires_once_a_turn(w, phase, method):
    model = Model()
    model.shaft = rotational.Inertia(J=1.0, phi=phase, w=w)
    model.turns = blocks.Discrete()
    model.when(
        lambda m: sin(m["shaft.phi"] - 0.5),
        set={model.turns: lambda m: m["turns.y"] + 1.0},
    )
    result = model.simulate(10.0, method=method)
    first = math.ceil((phase - 0.5) / (2 * math.pi))
    last = math.floor((phase + 10.0 * w - 0.5) / (2 * math.pi))
    assert len(result.events) == last - first + 1 == result["turns.y"][-1]


class Swung(Model):
    """An arm that turns freely until its tip meets a wall."""

    def build(self) -> None:
        self.world, self.hinge = World(g=0.0), Revolute(n="z", phi=0.0, w=10.0)
        self.arm, self.wall = BodyBox(r=(1, 0, 0), width=0.05), Fixed(r=(-0.5, 0, 0))
        self.contact = forces.PointPlaneContact(n=(1, 0, 0), mu=0.0, e=0.5)
        self.connect(self.world.frame_b, self.hinge.frame_a)
        self.connect(self.hinge.frame_b, self.arm.frame_a)
        self.connect(self.wall.frame_b, self.contact.frame_a)
        self.connect(self.arm.frame_b, self.contact.frame_b)


@pytest.mark.kinds(4)
@RUN
def test_nothing_passes_through_a_wall(method):
    result = Swung().simulate(10.0, method=method, output=1000)
    assert result.events[0].time == pytest.approx(math.acos(-0.5) / 10.0, abs=1e-12)
    assert result["contact.gap"].min() > -1e-9


class Shaker(Model):
    """A slider-crank whose crank turns at a constant speed; its slider rubs."""

    def build(self) -> None:
        self.world, self.crank = World(g=0.0), Revolute(n="z", phi=0.3)
        self.arm, self.rod = BodyBox(r=(0.2, 0, 0)), BodyBox(r=(0.7, 0, 0))
        self.pin = Revolute(n="z", phi=guess(-0.4))
        self.wrist = Revolute(n="z")
        self.slider = Prismatic(n="x", friction=joints.Coulomb(f=5.0))
        self.drive = rotational.ConstantSpeed(w_fixed=20.0)
        self.connect(self.world.frame_b, self.crank.frame_a, self.slider.frame_a)
        self.connect(self.crank.frame_b, self.arm.frame_a)
        self.connect(self.arm.frame_b, self.pin.frame_a)
        self.connect(self.pin.frame_b, self.rod.frame_a)
        self.connect(self.rod.frame_b, self.wrist.frame_a)
        self.connect(self.wrist.frame_b, self.slider.frame_b)
        self.connect(self.drive.flange, self.crank.axis)


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["auto", "projected"])
def test_friction_of_a_slider_that_a_crank_drives_never_helps_it(strategy):
    result = Shaker().simulate(5.0, strategy=strategy, output=5000)
    assert result["slider.lossPower"].min() > -1e-9
    turned = np.flatnonzero(np.diff(np.sign(result["slider.v"])))
    assert len(result.events) == len(turned) == 31


# --- scales ---------------------------------------------------------------------------------------


class Dropped(Model):
    """A mass that falls on a stop and rubs a little."""

    def build(self) -> None:
        self.mass = translational.MassWithStopAndFriction(
            m=2.0, s=1.0, v=0.0, L=0.0, smin=0.0, smax=5.0, restitution=0.8,
            F_prop=0.0, F_Coulomb=1.0, F_Stribeck=0.0,
        )  # fmt: skip
        self.weight = translational.ConstantForce(f_constant=-2.0 * 9.81)
        self.connect(self.weight.flange, self.mass.flange_a)


@pytest.mark.kinds(3)
@pytest.mark.parametrize("duration", [10.0, 1e3, 1e5, 1e7])
def test_where_a_mass_rests_does_not_depend_on_how_long_the_run_is(duration):
    """What lies behind an event is never reached, and no scale of anything."""
    result = Dropped().simulate(duration)
    assert result.complete
    assert abs(result["mass.s"][-1]) < 1e-10
    hits = [event.time for event in result.events if event.what == "hits"]
    wanted = [
        event.time for event in Dropped().simulate(6.0).events if event.what == "hits"
    ]
    assert hits[:20] == pytest.approx(wanted[:20], abs=1e-7)


class Bouncing(Model):
    """A mass that a condition turns round."""

    def build(self) -> None:
        self.mass = translational.Mass(m=1.0, s=1.0, v=0.0)
        self.weight = translational.ConstantForce(f_constant=-9.81)
        self.connect(self.weight.flange, self.mass.flange_a)
        self.when(
            lambda m: -m["mass.s"],
            reset={"mass.v": lambda m: -0.8 * m["mass.v"]},
            name="hit",
        )


@pytest.mark.parametrize("method", ["dopri5", "dop853", "gbs", "adams", "bdf"])
@pytest.mark.parametrize("duration", [3.0, 1e4])
@pytest.mark.filterwarnings("ignore::motorik.IncompleteRunWarning")
def test_when_a_condition_fires_does_not_depend_on_how_long_the_run_is(method, duration):
    result = Bouncing().simulate(duration, method=method, rtol=1e-9)
    fall = math.sqrt(2.0 / 9.81)
    wanted = [fall * (1.0 + 2.0 * sum(0.8**k for k in range(1, n))) for n in range(1, 6)]
    assert [event.time for event in result.events[:5]] == pytest.approx(wanted, abs=1e-8)
