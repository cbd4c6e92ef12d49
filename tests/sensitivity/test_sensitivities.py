"""Derivatives of runs against differences of runs, on trees, in loops and through events."""

from __future__ import annotations

import numpy as np
import pytest

import motorik as mk
from motorik import Parameter, blocks
from motorik import functions as fn
from motorik import rotational as rt
from motorik import translational as tr
from motorik.errors import SimulationError, UnknownNameError
from motorik.gallery import PlanarFourbar
from tests.events.parts import Friction, Stop
from tests.refusals import refused
from tests.simulation.test_control_loop import TORQUES, arm
from tests.simulation.test_simulator import Servo


class Line(mk.Model):
    """A mass on a line between a wall and a force."""

    def build(self) -> None:
        self.wall = tr.Fixed()
        self.mass = tr.Mass(m=Parameter(2.0), s=0.0, v=3.0)


class Rubbing(Line):
    """Dry friction: the mass slides, sticks and is pulled loose by a force that grows and falls."""

    def build(self) -> None:
        super().build()
        self.pad = Friction(static=5.0, kinetic=4.0)
        self.push = tr.Force()
        self.sine = blocks.Sine(amplitude=Parameter(7.0), f=Parameter(0.7))
        self.wall.flange >> self.pad.flange_a
        self.pad.flange_b >> self.mass.flange_a
        self.push.flange >> self.mass.flange_b
        self.sine.y >> self.push.f


class Bouncing(mk.Model):
    """A mass that falls on a stop and rebounds, several times."""

    def build(self) -> None:
        self.floor = tr.Fixed()
        self.stop = Stop(restitution=Parameter(0.8))
        self.mass = tr.Mass(m=Parameter(1.0), s=1.0, v=0.2)
        self.weight = tr.ConstantForce(f_constant=Parameter(-9.81))
        self.floor.flange >> self.stop.flange_a
        self.stop.flange_b >> self.mass.flange_a
        self.weight.flange >> self.mass.flange_b


class Swinging(mk.Model):
    """A mass on a spring."""

    def build(self) -> None:
        self.floor = tr.Fixed()
        self.spring = tr.SpringDamper(c=Parameter(20.0), d=Parameter(0.3))
        self.mass = tr.Mass(m=Parameter(1.0), s=1.0, v=0.2)
        self.floor.flange >> self.spring.flange_a
        self.spring.flange_b >> self.mass.flange_a


class Pushed(Swinging):
    """A mass on a spring with a force."""

    def build(self) -> None:
        super().build()
        self.force = tr.Force()
        self.force.flange >> self.mass.flange_b


class Stepped(Pushed):
    """Its force steps at a time that is a parameter."""

    def build(self) -> None:
        super().build()
        self.step = blocks.Step(height=Parameter(3.0), startTime=Parameter(0.6))
        self.step.y >> self.force.f


class Kicked(Pushed):
    """At a place its speed is turned round, and a force set."""

    def build(self) -> None:
        super().build()
        self.held = blocks.Discrete(start=0.0)
        self.held.y >> self.force.f
        self.when(
            lambda m: 0.3 - m["mass.s"],
            reset={"mass.v": lambda m: -0.7 * m["mass.v"]},
            set={self.held: lambda m: 4.0 * m["mass.v"]},
            name="kick",
        )


class Jumping(Pushed):
    """Its force is another one on both sides of a place."""

    def build(self) -> None:
        super().build()
        self.place = tr.PositionSensor()
        self.law = blocks.Function(f=lambda s: fn.where(s > 0.3, -3.0 * s, 5.0))
        self.place.flange >> self.mass.flange_b
        self.place.s >> self.law.u
        self.law.y >> self.force.f


class Gap(Swinging):
    """It comes to an elastic stop: the force has a kink."""

    def build(self) -> None:
        super().build()
        self.stop = tr.ElastoGap(c=Parameter(200.0), d=1.0, s_rel0=0.2)
        self.floor.flange >> self.stop.flange_a
        self.stop.flange_b >> self.mass.flange_b


class Geared(mk.Model):
    """A gear with losses that turns forward while its load is reversed again and again."""

    def build(self) -> None:
        self.torque, self.sine = rt.Torque(), blocks.Sine(amplitude=Parameter(5.0), f=1.5)
        self.motor = rt.Inertia(J=Parameter(0.2), phi=0.0, w=30.0)
        self.gear = rt.LossyGear(ratio=2.0, lossTable=[[0.0, 0.7, 0.6, 0.1, 0.2]])
        self.load = rt.Inertia(J=1.0)
        self.sine.y >> self.torque.tau
        self.torque.flange >> self.motor.flange_a
        self.motor.flange_b >> self.gear.flange_a
        self.gear.flange_b >> self.load.flange_a


class Halted(mk.Model):
    """A slide with friction that a stop halts, and a pendulum that swings on."""

    def build(self) -> None:
        self.world = mk.World(n="-y")
        own = {"friction": mk.joints.Coulomb(f=40.0), "stops": (None, 0.1)}
        self.slide = mk.Prismatic(n="x", s=0.0, v=3.0, restitution=0.0, **own)
        self.hinge = mk.Revolute(n="z", phi=0.4, w=1.0)
        self.block = mk.Body(m=Parameter(1.0))
        self.bob = mk.Body(m=Parameter(0.2), r_CM=(0.0, -0.5, 0.0))
        self.connect(self.world.frame_b, self.slide.frame_a)
        self.connect(self.slide.frame_b, self.block.frame_a, self.hinge.frame_a)
        self.connect(self.hinge.frame_b, self.bob.frame_a)


class Resting(Pushed):
    """Its force comes from a filter that begins in its steady state."""

    def build(self) -> None:
        super().build()
        self.constant = blocks.Constant(k=Parameter(2.0))
        self.filter = blocks.FirstOrder(k=Parameter(1.5), T=0.3, initType="SteadyState")
        self.constant.y >> self.filter.u
        self.filter.y >> self.force.f


class Fourbar(mk.Model):
    """A loop whose lengths and masses are live."""

    crank_x, coupler_r = 0.4, (0.1, 1.1)
    frame_r, rocker_r = (0.65, 0.1, 0.0), (-0.15, 1.0, 0.0)
    first, guesses = (0.0, 0.5), (None, None)

    def build(self) -> None:
        self.world = mk.World()
        self.crank = mk.FixedTranslation(r=(Parameter(self.crank_x), 0.0, 0.0))
        x, y = self.coupler_r
        self.coupler = mk.FixedTranslation(r=(x, Parameter(y), 0.0))
        self.frame = mk.FixedTranslation(r=self.frame_r)
        self.rocker = mk.FixedTranslation(r=self.rocker_r)
        phi, w = self.first
        self.pins = [mk.Revolute(phi=phi, w=w, stateSelect="always")]
        self.pins += [mk.Revolute(phi=own) for own in self.guesses]
        self.pins += [mk.Revolute()]
        self.bodies = [
            mk.Body(m=Parameter(1.0), r_CM=(0.1, 0.2, 0.0), I_11=0.1, I_22=0.1, I_33=0.1)
            for _ in range(2)
        ]
        first, second, third, fourth = self.pins
        self.connect(self.world.frame_b, first.frame_a)
        self.connect(first.frame_b, self.crank.frame_a)
        self.connect(self.crank.frame_b, second.frame_a)
        self.connect(second.frame_b, self.coupler.frame_a)
        self.connect(self.world.frame_b, self.frame.frame_a)
        self.connect(self.frame.frame_b, third.frame_a)
        self.connect(third.frame_b, self.rocker.frame_a)
        self.connect(self.rocker.frame_b, fourth.frame_a)
        self.connect(fourth.frame_b, self.coupler.frame_b)
        for pin, body in zip(self.pins, self.bodies, strict=False):
            self.connect(pin.frame_b, body.frame_a)


class DragLink(Fourbar):
    """A loop whose shortest bar is the frame: both arms go all the way round."""

    crank_x, coupler_r = 0.5, (0.6, 0.0)
    frame_r, rocker_r = (0.2, 0.0, 0.0), (0.55, 0.0, 0.0)
    first, guesses = (0.5, 10.0), (mk.guess(0.5), mk.guess(1.0))


LINE = ("mass.s", "mass.v")
CASES = {
    "tree": (
        arm,
        ("link3.m", TORQUES[1], "hinge1.phi"),
        ("hinge3.w", "link3.frame_b.r_0"),
        0.5,
    ),
    "quaternion": (Servo, ("arm.m", "hinge.w"), ("hand.r_0[2]", "hinge.a"), 0.4),
    "loop": (PlanarFourbar, ("revolute1.phi", "revolute1.w"), ("revolute2.phi",), 0.5),
    "lengths of a loop": (
        Fourbar,
        ("crank.r[1]", "coupler.r[2]", "bodies[2].m"),
        ("pins[1].phi", "pins[2].w"),
        0.5,
    ),
    "steady start": (Resting, ("constant.k", "filter.k"), LINE, 0.5),
    "friction": (Rubbing, ("mass.m", "sine.amplitude", "sine.f"), (*LINE, "mass.a"), 3.0),
    "impacts": (Bouncing, ("stop.restitution", "mass.m", "mass.s"), LINE, 1.7),
    "time of a step": (Stepped, ("spring.c", "step.height", "step.startTime"), LINE, 1.0),
    "reset": (Kicked, ("spring.c", "mass.s", "mass.m"), LINE, 1.5),
    "jump of a law": (Jumping, ("spring.c", "mass.s"), LINE, 1.5),
    "side of a gear that drives": (
        Geared,
        ("motor.J", "sine.amplitude", "motor.w"),
        ("load.w", "motor.a"),
        0.9,
    ),
    "halt at a stop with friction": (
        Halted,
        ("block.m", "bob.m", "slide.v"),
        ("hinge.phi", "hinge.w"),
        0.5,
    ),
    "kink of a law": (Gap, ("stop.c", "spring.d"), LINE, 1.0),
}


@pytest.mark.parametrize("case", CASES)
def test_they_are_differences_of_runs(case):
    make, by, names, stop = CASES[case]
    model = make()
    found = model.sensitivities(stop, by, output=3, rtol=1e-10)
    assert found.by == by and found[names[0]].shape == (4, 2 + (len(by) == 3))
    live = model.compile().layout.live_names
    for k, name in enumerate(by):
        h = 1e-5 * max(1.0, abs(found.values[k]))
        total = dict.fromkeys(names, 0.0)
        for far, weight in ((1, 8.0), (-1, -8.0), (2, -1.0), (-2, 1.0)):
            place = "parameters" if name in live else "initial"
            given = {place: {name: float(found.values[k]) + far * h}}
            beside = model.simulate(stop, method="dop853", rtol=1e-12, output=3, **given)
            for variable in names:
                total[variable] = total[variable] + weight * beside[variable] / (12.0 * h)
        for variable in names:
            expected = total[variable]
            near = 1e-6 * max(1.0, np.abs(expected).max())
            np.testing.assert_allclose(found[variable][..., k], expected, rtol=0, atol=near)


def test_variables_and_table_have_names():
    found = arm().sensitivities(0.2, by=["link3.m", "hinge1.w"], output=2)
    result = arm().simulate(0.2, method="dop853", rtol=1e-8, output=2)
    np.testing.assert_allclose(found.value("hinge3.a"), result["hinge3.a"], atol=1e-8)
    assert found.units == ("kg", "rad/s") and list(found.values) == [1.5, 0.0]
    table = found.to_xarray(["hinge1.phi", "hinge2.w"])
    assert table["hinge1.phi"].sel(by="hinge1.w").values[0] == 0.0
    assert table["by_unit"].values.tolist() == ["kg", "rad/s"]


def test_they_are_the_same_whatever_closes_the_loops():
    """The projected start has dependent angles as states, which move with the lengths."""
    by, names = ["crank.r[1]", "coupler.r[2]", "bodies[2].m"], ["pins[2].phi", "pins[3].w"]
    closed, projected = (
        Fourbar().sensitivities(0.4, by, strategy=own, output=2, rtol=1e-10)
        for own in (None, "projected")
    )
    assert np.abs(closed["pins[2].phi"][0, :2]).min() > 0.01
    for name in names:
        np.testing.assert_allclose(projected[name], closed[name], rtol=0, atol=1e-7)


def test_angles_of_loops_have_their_full_turns():
    model, names = DragLink(), [f"pins[{k}].phi" for k in (1, 2, 3, 4)]
    by = ["crank.r[1]", "pins[1].w"]
    result = model.simulate(2.0, method="dop853", rtol=1e-9, output=10)
    assert np.ptp(result["pins[3].phi"]) > 6.0 * np.pi
    found = model.sensitivities(2.0, by, output=10, rtol=1e-9)
    run = model.differentiable_run(2.0, by, names, output=10, rtol=1e-9)
    y, back = run.pull_back(run.start)
    for k, name in enumerate(names):
        np.testing.assert_allclose(found.value(name), result[name], rtol=0, atol=1e-6)
        np.testing.assert_allclose(y[:, k], result[name], rtol=0, atol=1e-6)
    forward = sum(found[name].sum(axis=0) for name in names)
    np.testing.assert_allclose(back(np.ones_like(y)), forward, rtol=1e-6)


def test_what_has_no_derivative_is_refused():
    with refused(UnknownNameError, "link3.n", "link3.m"):
        arm().sensitivities(0.1, by="link3.n")

    class Sampled(Pushed):
        def build(self) -> None:
            super().build()
            self.held = blocks.Discrete(start=0.0)
            self.held.y >> self.force.f
            self.sample(
                0.1, lambda t, s: -s, inputs=["mass.s"], outputs=[self.held], name="law"
            )

    with refused(SimulationError, "law", "function of the user"):
        Sampled().sensitivities(1.0, by="spring.c")

    class Delayed(Pushed):
        def build(self) -> None:
            super().build()
            self.place = tr.PositionSensor()
            self.gain = blocks.Gain(k=3.0)
            self.delay = blocks.FixedDelay(delayTime=0.1)
            self.place.flange >> self.mass.flange_b
            self.place.s >> self.delay.u
            self.delay.y >> self.gain.u
            self.gain.y >> self.force.f

    with refused(SimulationError, "delay", "past"):
        Delayed().sensitivities(1.0, by="spring.c")
    with refused(SimulationError, "revolute1.frame_b.f", "reactions"):
        _ = PlanarFourbar().sensitivities(0.1, by="revolute1.w")["revolute1.frame_b.f"]
