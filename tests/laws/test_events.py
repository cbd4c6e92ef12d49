"""Laws of events: none is missed, none is made up, and none keeps a run from going on.

Friction takes energy away and never gives any. How many events there are depends on the motion,
not on the method that finds it. No row of a result contradicts its events. A contact that opens
smoothly opens. States that a constraint does not read change nothing of it.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from motorik import (
    Body,
    Model,
    Parameter,
    Prismatic,
    Result,
    SolverOptions,
    World,
    blocks,
    forces,
    rotational,
    translational,
)
from motorik.functions import sin
from tests.covering import each_once

METHODS = ("auto", "dopri5", "gbs", "adams", "bdf", "radau")


class CamBrake(Model):
    """A shaft at a constant speed presses, by a cam, the brake of another one."""

    def build(self) -> None:
        self.cam = rotational.Inertia(J=1.0, phi=0.0, w=10.0)
        self.angle = rotational.AngleSensor()
        self.pressing = blocks.Function(f=lambda phi: 0.3 * sin(phi))
        self.shaft = rotational.Inertia(J=1.0, phi=0.0, w=40.0)
        self.brake = rotational.Brake(fn_max=2.0)
        self.connect(self.angle.flange, self.cam.flange_a)
        self.connect(self.angle.phi, self.pressing.u)
        self.connect(self.pressing.y, self.brake.f_normalized)
        self.connect(self.shaft.flange_b, self.brake.flange_a)


class TimedBrake(Model):
    """A shaft with a brake whose pressing force is a sine of time that dips below zero."""

    def build(self) -> None:
        self.shaft = rotational.Inertia(J=1.0, phi=0.0, w=30.0)
        self.brake = rotational.Brake(fn_max=10.0)
        self.pressing = blocks.Sine(offset=0.31, amplitude=0.32, f=1.7)
        self.connect(self.pressing.y, self.brake.f_normalized)
        self.connect(self.shaft.flange_b, self.brake.flange_a)


@pytest.fixture(scope="module")
def braked() -> tuple[CamBrake, TimedBrake]:
    """Both brakes: one of each for all runs."""
    return CamBrake(), TimedBrake()


@pytest.mark.kinds(3)
@pytest.mark.slow
@pytest.mark.parametrize(("rtol", "method"), each_once([1e-4, 1e-6, 1e-8, 1e-10], METHODS))
def test_pulses_of_a_brake_are_all_seen(braked, method, rtol):
    cam, timed = braked
    turned = cam.simulate(10.0, rtol=rtol, method=method, output=500)
    # ẇ = −0.3 max(0, sin 10 t): each of 16 pulses takes 0.06 rad/s
    assert len(turned.events) == 32
    near = 2e-2 if method == "bdf" else 3e-3
    assert turned["shaft.w"][-1] == pytest.approx(40.0 - 16 * 0.06, abs=near)
    run = timed.simulate(10.0, rtol=rtol, method=method, output=500)
    assert len(run.events) == 34
    for result in (turned, run):
        assert result["brake.lossPower"].min() >= -1e-9
        let_go = result["brake.mode"] == 2.0
        assert np.abs(result["brake.tau"][let_go]).max() < 1e-9


class Oscillator(Model):
    """A mass on a spring, amplitude 1, that nearly reaches a stop or a condition."""

    def build(self) -> None:
        self.world, self.near = World(gravityType="none"), Parameter(0.0)
        self.slide = Prismatic(
            n="x", s=1.0, v=0.0, stops=(self.near - 1.0, None), restitution=1.0,
            useAxisFlange=True,
        )  # fmt: skip
        self.body, self.spring = Body(m=1.0), translational.Spring(c=1.0)
        self.connect(self.slide.support, self.spring.flange_a)
        self.connect(self.spring.flange_b, self.slide.axis)
        self.connect(self.world.frame_b, self.slide.frame_a)
        self.connect(self.slide.frame_b, self.body.frame_a)


class Counted(Model):
    """A mass on a spring, amplitude 1, and a count of how often it passes a place."""

    def build(self) -> None:
        self.count, self.near = blocks.Discrete(), Parameter(0.0)
        self.mass = translational.Mass(m=1.0, s=1.0, v=0.0)
        self.spring, self.wall = translational.Spring(c=1.0), translational.Fixed()
        self.connect(self.wall.flange, self.spring.flange_a)
        self.connect(self.spring.flange_b, self.mass.flange_a)
        self.when(
            lambda motion: self.near - 1.0 - motion["mass.s"],
            set={self.count: lambda motion: motion["count.y"] + 1.0},
        )


class Held(Model):
    """A shaft held by friction of 1 N·m against a torque of a little more."""

    def build(self) -> None:
        self.more = Parameter(0.0)
        self.shaft = rotational.Inertia(J=1.0, phi=0.0, w=0.0)
        self.friction = rotational.BearingFriction(tau_pos=((0.0, 1.0),))
        self.torque = rotational.Torque()
        self.load = blocks.TimeFunction(f=lambda t: (1.0 + self.more) * sin(t))
        self.connect(self.load.y, self.torque.tau)
        self.connect(self.torque.flange, self.shaft.flange_a)
        self.connect(self.shaft.flange_b, self.friction.flange_a)


@pytest.fixture(scope="module")
def grazing() -> tuple[Oscillator, Counted, Held]:
    """What comes near to a stop, to a condition, to a limit: one of each."""
    return Oscillator(), Counted(), Held()


@pytest.mark.slow
@pytest.mark.parametrize("method", ["auto", "dopri5", "bdf"])
def test_rows_do_not_contradict_events(grazing, method):
    oscillator, counted, held = grazing
    for near in (1e-6, 1e-5, 1e-4, 1e-3):
        given = {"near": near}
        stopped = oscillator.simulate(60.0, parameters=given, output=9000, method=method)
        assert stopped["slide.s"].min() > near - 1.0 - 1e-9
        run = counted.simulate(60.0, parameters=given, output=9000, method=method)
        holds = near - 1.0 - run["mass.s"] > 0.0
        rises = int((holds[1:] & ~holds[:-1]).sum())
        assert run["count.y"][-1] >= rises
        loaded = held.simulate(60.0, parameters={"more": near}, output=9000, method=method)
        assert np.abs(loaded["friction.tau"]).max() <= 1.0 + 1e-12
        assert sum("slips" in event.what for event in loaded.events) == 19


@pytest.mark.parametrize("method", METHODS)
def test_what_hardly_breaks_away_goes_on(grazing, method):
    for rtol in (1e-4, 1e-8, 1e-12):
        for more in (1e-8, 3.2e-8, 1e-6, 1e-4, 3.2e-4):
            run = grazing[2].simulate(
                20.0,
                rtol=rtol,
                method=method,
                parameters={"more": more},
                solver=SolverOptions(max_steps=20_000),
            )
            assert run.complete, run.info.message
            assert sum("slips" in event.what for event in run.events) == 6


def make_ball(size: float = 1.0, mass: float = 1.0, time: float = 1.0) -> Model:
    """Return a ball that falls, bounces and rubs, in any units."""
    model = Model()
    model.world = World(g=9.81 * size / time**2)
    inertia = 0.004 * mass * size**2
    model.ball = Body(
        m=mass, I_11=inertia, I_22=inertia, I_33=inertia,
        r_0=(0.0, size, 0.0), v_0=(size / time, 0.0, 0.3 * size / time),
        w_0_start=(2.0 / time, 0.0, 1.0 / time), w_0_fixed=True,
    )  # fmt: skip
    model.contact = forces.PointPlaneContact(mu=0.3, e=0.6, radius=0.1 * size)
    model.connect(model.world.frame_b, model.contact.frame_a)
    model.connect(model.contact.frame_b, model.ball.frame_a)
    return model


@pytest.mark.slow
def test_a_large_state_elsewhere_changes_nothing():
    model = make_ball()
    model.far, model.one = blocks.Integrator(), blocks.Constant(k=1.0)
    model.connect(model.one.y, model.far.u)

    def run(value: float) -> tuple[Result, int]:
        result = model.simulate(3.0, output=30, initial={"far.y": value})
        return result, sum(event.what == "hits" for event in result.events)

    alone, hits = run(0.0)
    for value in (1e6, 1e9, 1e12, 1e15):
        beside, seen = run(value)
        assert abs(seen - hits) <= 1  # of the last low rebounds
        np.testing.assert_allclose(beside["ball.r_0"], alone["ball.r_0"], atol=1e-5)


@pytest.mark.slow
def test_units_change_nothing():
    size, mass, time = 1e-9, 1e-20, 1e-6
    model, usual = make_ball(size, mass, time), make_ball()
    result = model.simulate(3.0 * time, output=30)
    expected = usual.simulate(3.0, output=30)
    np.testing.assert_allclose(result["ball.r_0"] / size, expected["ball.r_0"], atol=1e-5)
    assert abs(len(result.events) - len(expected.events)) <= 4  # of the last low rebounds


def make_lifted(kind: str) -> Model:
    """Return a mass at a stop that a spring to another, swinging one lifts off smoothly."""
    model = Model()
    model.c, model.load, model.e = Parameter(40.0), Parameter(5.0), Parameter(0.0)
    model.m1, model.m2 = Parameter(1.0), Parameter(3.0)
    model.spring = translational.Spring(c=model.c, s_rel0=1.0)
    model.swinging = translational.Mass(m=model.m2, s=1.0, v=0.0)
    model.pressing = translational.ConstantForce(f_constant=-model.load)
    if kind == "mass":
        model.slide = translational.MassWithStopAndFriction(
            m=model.m1, L=0.0, smin=0.0, smax=100.0, s=0.0, v=0.0,
            F_prop=0.0, F_Coulomb=0.0, F_Stribeck=0.0, restitution=model.e,
        )  # fmt: skip
        model.connect(model.slide.flange_b, model.spring.flange_a)
    else:
        model.world = World(gravityType="none")
        stops = (0.0, None) if kind == "stop" else None
        model.slide = Prismatic(
            n="y", s=0.0, v=0.0, useAxisFlange=True, stops=stops, restitution=model.e
        )
        model.body = Body(m=model.m1)
        model.connect(model.world.frame_b, model.slide.frame_a)
        model.connect(model.slide.frame_b, model.body.frame_a)
        model.connect(model.slide.axis, model.spring.flange_a)
        if kind == "contact":
            model.floor = forces.PointPlaneContact(mu=0.3, e=model.e)
            model.connect(model.world.frame_b, model.floor.frame_a)
            model.connect(model.floor.frame_b, model.body.frame_a)
    model.connect(model.spring.flange_b, model.swinging.flange_a)
    model.connect(model.pressing.flange, model.swinging.flange_b)
    return model


@pytest.mark.parametrize("kind", ["stop", "contact", "mass"])
def test_smooth_lift_offs_do_not_end_a_run(kind):
    model, draw = make_lifted(kind), np.random.default_rng(5)
    for k in range(21):
        method = ("auto", "dop853", "dopri5", "gbs", "adams", "bdf", "rk4")[k % 7]
        c, load = 10.0 ** draw.uniform(0.0, 3.0), 10.0 ** draw.uniform(-1.0, 1.0)
        m1, m2 = 10.0 ** draw.uniform(-2.0, 1.0), 10.0 ** draw.uniform(-1.0, 1.0)
        given = {"c": c, "load": load, "m1": m1, "m2": m2, "e": draw.choice([0.0, 0.5])}
        swing, omega = load / c * draw.uniform(1.1, 3.0), math.sqrt(c / m2)
        end = 12.0 / omega
        step = end / 4000.0 if method == "rk4" else None
        result = model.simulate(
            end, parameters=given, initial={"swinging.s": 1.0 - load / c - swing},
            method=method, rtol=10.0 ** draw.uniform(-9.0, -5.0), output=100, step=step,
        )  # fmt: skip
        assert result.complete, (method, given, result.info.message)
        # until then the other mass swings alone
        opened = next(event.time for event in result.events if event.what == "opens")
        assert opened == pytest.approx(math.acos(-load / c / swing) / omega, rel=1e-2)
        assert min(event.energy_lost for event in result.events) >= 0.0


def make_shared_load(seed: int) -> Model:
    """Return three shafts at rest, two clutches and two bearings that share a rising load."""
    draw = np.random.default_rng(seed)

    def about(value: float) -> float:
        return value * (1.0 + 0.1 * draw.uniform(-1.0, 1.0))

    model = Model()
    for k, inertia in enumerate((8.986368033908704, 1.0263787869517982, 2.035141054961117)):
        shaft = rotational.Inertia(J=about(inertia), phi=0.0, w=0.0)
        setattr(model, f"shaft{k}", shaft)
    model.first = rotational.Clutch(
        fn_max=about(15.076959923826031),
        mu_pos=((0.0, about(0.7894213201142182)), (2.661, about(0.2924284010546853))),
    )
    model.press = blocks.Sine(
        offset=about(0.5638610539335449),
        amplitude=about(0.23491412755182264),
        f=about(0.763921838509118),
    )
    model.second = rotational.Clutch(
        fn_max=about(15.61579955050036),
        mu_pos=(
            (0.0, about(0.3140209053751602)),
            (4.438934215790535, about(0.5097920103267809)),
        ),
    )
    model.press_less = blocks.Sine(
        offset=about(0.10190729828054601),
        amplitude=about(0.2814685229478947),
        f=about(0.4968837027840013),
    )
    model.bearing = rotational.BearingFriction(tau_pos=((0.0, about(0.515973)),))
    model.other = rotational.BearingFriction(
        tau_pos=((0.0, about(0.7189540940979917)), (5.0, about(0.7209329106070828)))
    )
    model.torque = rotational.Torque()
    model.load = blocks.Sine(
        amplitude=about(3.215), offset=about(0.02357), f=about(1.0448024574437433)
    )
    model.connect(model.press.y, model.first.f_normalized)
    model.connect(model.press_less.y, model.second.f_normalized)
    model.connect(model.shaft2.flange_b, model.first.flange_a)
    model.connect(model.first.flange_b, model.shaft1.flange_a)
    model.connect(model.shaft1.flange_b, model.second.flange_a)
    model.connect(model.second.flange_b, model.shaft0.flange_a)
    model.connect(model.shaft0.flange_b, model.bearing.flange_a)
    model.connect(model.shaft1.flange_b, model.other.flange_a)
    model.connect(model.load.y, model.torque.tau)
    model.connect(model.torque.flange, model.shaft2.flange_a)
    return model


@pytest.mark.kinds(2)
@pytest.mark.parametrize("seed", [1, 11, 18])
def test_brakes_that_share_a_load_at_rest_go_on(seed):
    model, ends = make_shared_load(seed), []
    for method in ("auto", "dopri5"):
        result = model.simulate(4.0, method=method, solver=SolverOptions(max_steps=100_000))
        assert result.complete, (method, result.info.message)
        ends.append(result["shaft2.phi"][-1])
    assert ends[0] == pytest.approx(ends[1], abs=1e-3)


def test_friction_beside_a_stop_goes_on():
    model = Model()
    model.spring = translational.Spring(c=96.0, s_rel0=0.9)
    model.pulling = translational.Mass(m=1.0, s=0.85, v=2.0)
    model.mass = translational.MassWithStopAndFriction(
        m=0.3, L=0.0, smin=0.0, smax=50.0, F_prop=0.5, F_Coulomb=2.0, F_Stribeck=0.0,
        peak=1.0, s=0.0, v=0.0,
    )  # fmt: skip
    model.connect(model.mass.flange_b, model.spring.flange_a)
    model.connect(model.spring.flange_b, model.pulling.flange_a)
    ends = []
    for method in METHODS:
        for rtol in (1e-6, 1e-8):
            result = model.simulate(2.0, method=method, rtol=rtol)
            assert result.complete, (method, rtol, result.info.message)
            ends.append(result["mass.s"][-1])
    assert np.ptp(ends) < 1e-3


@pytest.mark.parametrize(
    ("condition", "speed", "force", "fires"),
    [
        (lambda motion: motion["mass.s"] > 0.0, 1.0, 0.0, True),
        (lambda motion: motion["mass.s"], 1.0, 0.0, True),
        (lambda motion: motion["mass.s"] >= 0.0, 1.0, 0.0, False),
        (lambda motion: motion["mass.s"] < 0.0, -1.0, 0.0, True),
        (lambda motion: motion["mass.v"] > 0.0, 0.0, 1.0, True),
        (lambda motion: motion.t > 0.0, 1.0, 0.0, True),
        (lambda motion: motion.t >= 0.0, 1.0, 0.0, False),
        (lambda motion: motion["mass.s"] > 0.0, -1.0, 0.0, False),
        (lambda motion: motion["mass.s"] > 0.0, -1.0, 4.0, True),  # later, from below
    ],
)
def test_what_is_zero_at_the_start_fires_if_it_holds_at_once_after(
    condition, speed, force, fires
):
    model = Model()
    model.count = blocks.Discrete()
    model.mass = translational.Mass(m=1.0, s=0.0, v=speed)
    model.force = translational.ConstantForce(f_constant=force)
    model.connect(model.force.flange, model.mass.flange_a)
    model.when(condition, set={model.count: lambda motion: motion["count.y"] + 1.0})
    assert model.simulate(1.0)["count.y"][-1] == float(fires)
