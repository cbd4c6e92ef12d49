"""Cases in laws of any part that depend on the state: no step leads over them unseen."""

from __future__ import annotations

import math

import numpy as np
import pytest

from motorik import (
    Body,
    Model,
    Parameter,
    Prismatic,
    SolverOptions,
    World,
    blocks,
    gallery,
    rotational,
    translational,
)
from motorik.algebra.motor import Motor
from motorik.algebra.vector import ZERO, Vector
from motorik.authoring import (
    DeclaredPart,
    FrameForce,
    LineForce,
    OneToOne,
    frame,
    kinds,
    parameter,
    translational_flange,
)
from motorik.functions import cos, logical_and, where
from motorik.nonsmooth.laws import state_events
from motorik.numerics.roots import bisect_cubic, cubic
from motorik.simulation import methods

METHODS = ["auto", *(name for name, own in methods.METHODS.items() if own.adaptive)]
WORK = 10.0  # J, what a spike does to what passes it


def spike(s, at, width):
    """Return a force [N] on the way from `at` on, `width` [m] long."""
    return where(logical_and(s > at, s < at + width), WORK / width, 0.0)


class Spike(DeclaredPart):
    """A force along a line that acts on a short way."""

    flange_a = translational_flange("left flange")
    flange_b = translational_flange("right flange")
    at: kinds.Number = parameter("where it begins", unit="m", default=50.0)
    width: kinds.Number = parameter("how long it is", unit="m", default=0.01)

    @staticmethod
    def law(p, s, v):
        """Return the force on flange_b, against s."""
        return -spike(s, p.at, p.width)

    def contributions(self, p):
        """Contribute the law."""
        yield LineForce(self.flange_a, self.flange_b, p, type(self).law)


class Kick(DeclaredPart):
    """A force on a frame along x of the world that acts on a short way."""

    frame_a = frame("where it acts")
    at: kinds.Number = parameter("where it begins", unit="m", default=50.0)
    width: kinds.Number = parameter("how long it is", unit="m", default=0.01)

    @staticmethod
    def law(p, t, motions):
        """Return the force on the frame."""
        ((X, _),) = motions
        return (Motor(X.R.T @ Vector(spike(X.p.x, p.at, p.width), 0.0, 0.0), ZERO),)

    def contributions(self, p):
        """Contribute the law."""
        yield FrameForce(self, (self.frame_a,), p, type(self).law)


class Bump(OneToOne):
    """A block that is not zero for a short interval of its input."""

    @staticmethod
    def law(p, t, inputs, states):
        """Return the force."""
        return (spike(inputs[0], 50.0, 0.01),)


def make_line(v: float = 10.0, pull: float = 0.0, **values) -> Model:
    """Return a mass of 1 kg at v [m/s] before a spike, and what pulls it [N]."""
    model = Model()
    model.ground, model.spike = translational.Fixed(), Spike(**values)
    model.mass = translational.Mass(m=1.0, s=0.0, v=v)
    model.connect(model.ground.flange, model.spike.flange_a)
    model.connect(model.spike.flange_b, model.mass.flange_a)
    if pull:
        model.pull = translational.ConstantForce(f_constant=pull)
        model.connect(model.pull.flange, model.mass.flange_b)
    return model


def make_slide() -> Model:
    """Return a body of 1 kg that slides along x and is kicked."""
    model = Model()
    model.world = World(g=0.0)
    model.slide, model.body = Prismatic(n="x", s=0.0, v=10.0), Body(m=1.0)
    model.kick = Kick()
    model.connect(model.world.frame_b, model.slide.frame_a)
    model.connect(model.slide.frame_b, model.body.frame_a, model.kick.frame_a)
    return model


def make_signal() -> Model:
    """Return a mass of 1 kg on which a block of its position acts."""
    model = Model()
    model.mass, model.bump = translational.Mass(m=1.0, s=0.0, v=10.0), Bump()
    model.sensor, model.force = translational.PositionSensor(), translational.Force()
    model.connect(model.mass.flange_b, model.sensor.flange, model.force.flange)
    model.connect(model.sensor.s, model.bump.u)
    model.connect(model.bump.y, model.force.f)
    return model


def final_speed(v: float) -> float:
    return math.sqrt(v * v + 2.0 * WORK)


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_a_spike_in_a_force_law_crossed_at_speed_acts(method):
    model = make_line()
    for rtol, far in ((1e-6, 0.01), (1e-9, 6e-6)):
        result = model.simulate(10.0, method=method, rtol=rtol)
        assert result["mass.v"][-1] == pytest.approx(final_speed(10.0), abs=far)
        assert not result.events  # steps end there, and nothing happens


@pytest.mark.parametrize("make", [make_slide, make_signal])
@pytest.mark.parametrize("method", ["auto", "gbs", "adams", "bdf"])
def test_a_spike_in_a_law_of_frames_or_signals_acts(make, method):
    model = make()
    name = "slide.v" if "slide" in model.parts else "mass.v"
    result = model.simulate(10.0, method=method, rtol=1e-9)
    assert result[name][-1] == pytest.approx(final_speed(10.0), abs=6e-6)


@pytest.mark.parametrize("v", [0.0, -20.0])
@pytest.mark.parametrize("method", METHODS)
def test_a_spike_that_motion_turns_towards_acts(method, v):
    # at the start nothing goes there: steps that end behind both sides are taken again
    g, at, width, end = 9.81, 5.0, 1e-3, 8.0
    before = math.sqrt(v * v + 2.0 * g * at)
    after = math.sqrt(before**2 + 2.0 * (g * width + WORK))
    left = end - (before - v) / g - 2.0 * width / (before + after)
    model = make_line(v=v, pull=g, at=at, width=width)
    result = model.simulate(end, method=method, rtol=1e-9)
    assert result["mass.v"][-1] == pytest.approx(after + g * left, abs=5e-6)


@pytest.mark.parametrize("method", METHODS)
def test_a_cam_on_a_shaft_that_runs_evenly_is_never_passed(method):
    # it counts the time in which the shaft is within 0.08 rad of a whole turn, 15 times
    edge, w, end = math.cos(0.08), 50.0, 1.95
    model = Model()
    model.shaft = rotational.Inertia(J=1.0, phi=0.5, w=w)
    model.sensor, model.sum = rotational.AngleSensor(), blocks.Integrator()
    model.cam = blocks.Function(f=lambda phi: where(cos(phi) > edge, 1.0, 0.0))
    model.connect(model.shaft.flange_b, model.sensor.flange)
    model.connect(model.sensor.phi, model.cam.u)
    model.connect(model.cam.y, model.sum.u)
    result = model.simulate(end, method=method, rtol=1e-8)
    turns = math.floor((0.5 + w * end) / math.tau)
    assert result["sum.y"][-1] == pytest.approx(2.0 * 0.08 * turns / w, rel=5e-5)


def test_a_run_of_many_short_steps_sees_the_same():
    model = make_line(v=-20.0, pull=9.81, at=5.0)
    fine = model.simulate(
        8.0, method="dopri5", rtol=1e-10, solver=SolverOptions(max_step=1e-4), output=80
    )
    for method in ("dop853", "gbs", "adams"):
        run = model.simulate(8.0, method=method, rtol=1e-10, output=80)
        assert run.info.steps < 0.01 * fine.info.steps
        np.testing.assert_allclose(run["mass.v"], fine["mass.v"], rtol=0, atol=1e-8)


def test_a_spike_at_a_live_place_acts_where_it_is():
    model = make_line(at=Parameter(50.0))
    for at in (50.0, 73.0):
        result = model.simulate(10.0, method="dop853", parameters={"spike.at": at})
        before = result.time < at / 10.0
        np.testing.assert_allclose(result["mass.v"][before], 10.0, rtol=0, atol=1e-9)
        assert result["mass.v"][-1] == pytest.approx(final_speed(10.0), abs=1e-4)


@pytest.mark.parametrize("method", METHODS)
def test_a_light_mass_that_hits_an_elastic_wall_at_1000_metres_a_second_comes_back(method):
    m, c = 1e-6, 1e6
    model = Model()
    model.wall, model.gap = translational.Fixed(), translational.ElastoGap(c=c, d=0.0)
    model.mass = translational.Mass(m=m, s=100.0, v=-1000.0)
    model.connect(model.wall.flange, model.gap.flange_a)
    model.connect(model.gap.flange_b, model.mass.flange_a)
    touching = math.pi * math.sqrt(m / c)
    errors = []  # those of single runs cancel by chance: neighbours are judged together
    for part in np.linspace(0.8, 1.2, 8):
        result = model.simulate(0.3, method=method, rtol=part * 1e-8)
        errors.append(result["mass.v"][-1] - 1000.0)
        place = 1000.0 * (0.2 - touching)
        assert result["mass.s"][-1] == pytest.approx(place, abs=2e-3)
    assert math.sqrt(np.mean(np.square(errors))) < 4e-3  # 400 tolerances: adams has 150


@pytest.mark.slow
def test_laws_without_cases_cost_nothing():
    spring = Model()
    spring.ground, spring.mass = translational.Fixed(), translational.Mass(m=1.0, s=0.1)
    spring.spring = translational.Spring(c=10.0)
    spring.connect(spring.ground.flange, spring.spring.flange_a)
    spring.connect(spring.spring.flange_b, spring.mass.flange_a)
    braked = Model()
    braked.mass = translational.Mass(m=1.0, v=1.0)
    braked.pad = translational.SupportFriction(f_pos=((0.0, 0.1), (1.0, 0.2)))
    braked.connect(braked.pad.flange_a, braked.mass.flange_a)
    # lines between frames guard against a length of zero, which is no case
    for model in (spring, braked, gallery.Andrews(), gallery.MacPherson()):
        assert model.compile().function("law_conditions").numel_out(0) == 0


def test_tables_of_a_force_are_conditions_of_the_state():
    model = make_line()
    function = model.compile().function("law_conditions")
    assert (
        function.numel_out(0) == 6
    )  # two sides of the spike, their rates; both are places
    # states and rates are s, v and their rates
    found = np.array(function(0.0, [60.0, 2.0, 2.0, 0.0], [])).ravel()
    np.testing.assert_allclose(np.sort(np.abs(found)), [1.0, 1.0, 2.0, 2.0, 9.99, 10.0])


def test_zeros_of_cubics_and_of_their_slopes_are_found():
    own = np.poly([0.3, -1.0, 2.0])
    a, b = np.polyval(own, [0.0, 1.0])
    da, db = np.polyval(np.polyder(own), [0.0, 1.0])
    assert bisect_cubic(a, da, b, db, 0) == pytest.approx(0.3, abs=1e-13)
    assert cubic(a, da, b, db, 0.3) == pytest.approx(0.0, abs=1e-15)
    # (x − 0.4)² + 0.1
    assert bisect_cubic(0.26, -0.8, 0.46, 1.2, 1) == pytest.approx(0.4, abs=1e-13)


@pytest.mark.parametrize("method", ["dop853", "gbs", "adams"])
def test_cases_of_a_block_with_memory_are_seen(method):
    # what is compared is the state of an integrator: y = t, and the spike is one second later
    model = Model()
    model.one, model.clock = blocks.Constant(k=10.0), blocks.Integrator()
    model.bump, model.sum = Bump(), blocks.Integrator()
    model.connect(model.one.y, model.clock.u)
    model.connect(model.clock.y, model.bump.u)
    model.connect(model.bump.y, model.sum.u)
    result = model.simulate(10.0, method=method, rtol=1e-8)
    assert result["sum.y"][-1] == pytest.approx(WORK / 10.0, abs=1e-5)


@pytest.mark.slow
def test_a_run_that_does_not_look_for_cases_says_so(monkeypatch):
    """Of very many conditions none is looked at; here one is very many."""
    model = make_slide()
    assert model.simulate(1.0).info.assumed == ""
    engine = gallery.Engine1b()
    assert engine.simulate(0.01).info.assumed == ""
    monkeypatch.setattr(state_events, "MOST", 0)
    engine = gallery.Engine1b()
    blind = engine.simulate(0.01)
    assert "state events" in blind.info.assumed and "max_step" in blind.info.assumed
    fine = engine.simulate(0.01, solver=SolverOptions(max_step=1e-3))
    assert fine.info.assumed == ""
