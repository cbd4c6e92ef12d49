"""Time stepping beside conditions and clocks, curved bounds and readings that are fed back.

Each interval is compared with the run that locates its events, and with closed forms.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import motorik as mk
from motorik import blocks
from motorik import functions as fn
from motorik import translational as tr
from motorik.errors import IncompleteRunWarning
from motorik.initialisation.initialise import initialise
from motorik.joints import Coulomb
from motorik.nonsmooth.application.event_log import EventLog
from motorik.nonsmooth.application.time_stepping import SteppedMotion, step_interval
from motorik.simulation.initial_state import select_initial_modes
from tests.events.test_failures import Undecided
from tests.events.test_time_stepping import Ball, G, bounced


def stepped(model: mk.Model, until: float, finest: float) -> SteppedMotion:
    """Return a whole run by time stepping with steps of about `finest` where something hits."""
    system = model.compile()
    system.prepare()
    start = initialise(system, {}, system.parameter_values(), choose=select_initial_modes)
    at, atol = (0.0, start.x, start.p), np.full(start.x.size, 1e-6)
    found = step_interval(system, at, (1e-6, atol), until, until, None, finest)
    assert found is not None
    return found


class Watched(Ball):
    """A ball that bounces; clocks and conditions count, sample, kick it and end the run."""

    def build(self, kick=0.0, stop=math.inf) -> None:
        super().build()
        self.passed, self.ticks = blocks.Discrete(start=0.0), blocks.Discrete(start=0.0)
        self.height, self.called = blocks.Discrete(start=-1.0), blocks.Discrete(start=0.0)
        self.below_half = self.when(
            lambda motion: 0.5 - motion["ball.s"],
            set={self.passed: lambda motion: motion["passed.y"] + 1.0},
        )
        self.sample(
            0.1,
            lambda t, s, n: (s, n + 1.0),
            inputs=["ball.s", "ticks.y"],
            outputs=[self.height, self.ticks],
            traced=True,
        )
        self.sample(0.25, lambda t, n: n + t, inputs=["called.y"], outputs=[self.called])
        if kick:
            self.kick = self.when(
                lambda motion: motion.t - 0.3, impulse={self.ball.flange_a: kick}
            )
        if stop < math.inf:
            self.end = self.when(lambda motion: motion["ball.v"] - stop, stop=True)


def numbers(model: mk.Model, run: SteppedMotion) -> dict[str, float]:
    """Return the discrete signals at the end of a run."""
    parameters = model.compile().parameters
    names = ("passed", "ticks", "height", "called")
    own = {n: model.parts[n].internal()["value"] for n in names}
    return {n: run.p[parameters.index(value)] for n, value in own.items()}


def test_clocks_tick_and_conditions_act_in_steps():
    """Dropped from 1 m, e = 0.5: it passes 0.5 m once, and is at 0.25 m at most afterwards."""
    model = Watched()
    run = stepped(model, 1.21, 1e-5)
    by_events = model.simulate(1.21, output=1)
    found = numbers(model, run)
    assert found["passed"] == 1.0 == by_events["passed.y"][-1]
    assert found["ticks"] == 13.0 == by_events["ticks.y"][-1]
    assert found["called"] == pytest.approx(0.25 + 0.5 + 0.75 + 1.0)
    assert found["height"] == pytest.approx(bounced(0.5, 1.2), abs=1e-3)
    assert run.x[0] == pytest.approx(bounced(0.5, 1.21), abs=1e-3)
    log = EventLog()
    assert run.triggered is not None
    log.take(model.compile(), run.triggered, run.p)
    (event,) = log.read()[0]
    (exact,) = (e for e in by_events.events if e.part == "below_half")
    assert event.part == "below_half" and event.time == pytest.approx(exact.time, abs=2e-5)


@pytest.mark.slow
def test_impulses_of_conditions_act_and_their_time_is_close():
    """A kick of 4 N·s at 0.3 s takes the ball from −3 m/s to 1 m/s."""
    run = stepped(Watched(kick=4.0), 0.5, 1e-5)
    height = 1.0 - 0.5 * G * 0.3**2 + 1.0 * 0.2 - 0.5 * G * 0.2**2
    assert run.x == pytest.approx([height, -1.0], abs=1e-4)
    before, after = (run.at(time)[0][1] for time in (0.2999, 0.3001))
    assert (before, after) == pytest.approx((-2.999, 0.999), abs=1e-3)


def test_a_condition_ends_the_run():
    """The first rebound has 0.5 sqrt(20) m/s: more than 1 m/s at once behind the hit."""
    run = stepped(Watched(stop=1.0), 3.0, 1e-6)
    assert run.ended_by == "end" and run.t == pytest.approx(math.sqrt(0.2), abs=1e-5)
    assert not stepped(Watched(stop=9.0), 0.6, 1e-4).ended_by


class Chattering(mk.Model):
    """A mass on a pad whose friction lets go where it slips, with clock and conditions."""

    def build(self, stop=math.inf) -> None:
        self.wall, self.pad = tr.Fixed(), Undecided()
        self.mass = tr.Mass(m=2.0, s=0.0, v=3.0)
        self.ticks, self.passed = blocks.Discrete(start=0.0), blocks.Discrete(start=0.0)
        self.wall.flange >> self.pad.flange_a
        self.pad.flange_b >> self.mass.flange_a
        self.sample(
            0.125,
            lambda t, n: n + 1.0,
            inputs=["ticks.y"],
            outputs=[self.ticks],
        )
        self.half = self.when(lambda motion: motion["mass.s"] - 1.5, set={self.passed: 1.0})
        if stop < math.inf:
            self.end = self.when(lambda motion: motion["mass.s"] - stop, stop=True)


@pytest.mark.slow
def test_a_run_with_clocks_passes_events_without_end():
    result = Chattering().simulate(3.0, output=24, rtol=1e-8)
    assert result.complete and result.info.stepped
    np.testing.assert_array_equal(result["ticks.y"], np.arange(25) + 1.0)
    event = next(e for e in result.events if e.part == "half")
    k = int(np.searchsorted(result.time, event.time))
    np.testing.assert_array_equal(result["passed.y"], np.arange(25) >= k)
    s = result["mass.s"]
    assert s[k - 1] < 1.5 <= s[k] and (np.diff(s) >= 0.0).all()
    ended = Chattering(stop=1.5).simulate(3.0, output=24, rtol=1e-8)
    assert ended.complete and ended.events[-1].part == "end"
    assert ended.time[-1] == pytest.approx(event.time, abs=1e-3)
    assert ended["mass.s"][-1] == pytest.approx(1.5, abs=1e-3)


@pytest.mark.slow
def test_a_simulator_ticks_no_clock_twice():
    sim = Chattering().simulator()
    for k in range(1, 7):
        sim.step(0.125)
        assert sim["ticks.y"] == k + 1.0
    assert any("time stepping" in event.what for event in sim.events)


class Swing(mk.Model):
    """A pendulum that rubs by its own reaction, with a stop."""

    def build(self) -> None:
        self.world = mk.World(g=G)
        self.joint = mk.Revolute(
            n="z", phi=0.5, friction=Coulomb(mu=0.2, radius=0.1), stops=(-1.8, None)
        )
        self.arm = mk.BodyShape(
            m=1.0, r=(1.0, 0.0, 0.0), r_CM=(1.0, 0.0, 0.0), I_11=0.1, I_22=0.1, I_33=0.1
        )
        self.world.frame_b >> self.joint.frame_a
        self.joint.frame_b >> self.arm.frame_a


@pytest.mark.slow
def test_curved_bounds_are_followed_in_steps():
    """Friction by the norm of a reaction, through a hit: as the run that locates events."""
    model = Swing()
    by_events = model.simulate(2.5, rtol=1e-10, output=25)
    assert {"hits", "slips forward"} <= {e.what for e in by_events.events}
    errors = []
    for finest in (1e-3, 1e-4):
        run = stepped(model, 2.5, finest)
        at = np.array([run.at(t)[0] for t in by_events.time[1:]])
        apart = np.abs(at[:, 0] - by_events["joint.phi"][1:])
        errors.append(apart.max())
        assert apart[-1] <= 10.0 * run.interval.error + 1e-5
    assert errors[1] < 2e-3 and errors[1] < errors[0]


class Fed(mk.Model):
    """A mass of 2 kg with friction of 1 N between stops, pushed by a law of its acceleration."""

    def build(self, law=lambda a: -2.0 * (1.0 - 2.0 / (fn.exp(a) + 1.0))) -> None:
        self.mass = tr.MassWithStopAndFriction(
            m=2.0, L=0.0, smin=-0.3, smax=0.3, s=0.0, v=0.0, F_prop=0.0, F_Coulomb=1.0,
            F_Stribeck=0.0, peak=1.0,
        )  # fmt: skip
        self.meter, self.law = tr.AccSensor(), blocks.Function(f=law)
        self.push, self.force = tr.Force(), tr.Force()
        blocks.TimeFunction(f=lambda t: 4.0 * fn.sin(3.0 * t)).y >> self.push.f
        self.push.flange >> self.mass.flange_a
        self.mass.flange_b >> self.meter.flange
        self.meter.a >> self.law.u
        self.law.y >> self.force.f
        self.force.flange >> self.mass.flange_b


@pytest.mark.slow
def test_readings_that_are_fed_back_are_followed_in_steps():
    model = Fed()
    by_events = model.simulate(4.0, rtol=1e-10, output=40)
    assert len(by_events.events) > 4
    run = stepped(model, 4.0, 1e-4)
    at = np.array([run.at(t)[0] for t in by_events.time[1:]])
    np.testing.assert_allclose(at[:, 0], by_events["mass.s"][1:], atol=2e-3)


class Undoing(mk.Model):
    """A mass on a pad; two conditions undo each other at 1 m."""

    def build(self) -> None:
        self.ball = Ball(weight=0.0, v=1.0)
        self.on = blocks.Discrete(start=0.0)
        self.rise = self.when(
            lambda motion: motion["ball.ball.s"] - 1.5 - motion["on.y"], set={self.on: 1.0}
        )
        self.fall = self.when(lambda motion: motion["on.y"] - 0.5, set={self.on: 0.0})


def test_conditions_that_undo_each_other_end_the_run_by_name():
    with pytest.warns(IncompleteRunWarning, match="without end"):
        result = Undoing().simulate(2.0, output=2)
    assert not result.complete and result.time[-1] == pytest.approx(0.5, abs=1e-6)


class Rattle(Ball):
    """A ball without weight between two elastic walls, counted where it passes the middle."""

    def build(self) -> None:
        super().build(weight=0.0, v=3.0, room=1.5)
        self.e = 1.0
        self.passed, self.ticks = blocks.Discrete(start=0.0), blocks.Discrete(start=0.0)
        self.falls = self.when(
            lambda motion: 0.75 - motion["ball.s"],
            set={self.passed: lambda motion: motion["passed.y"] + 1.0},
        )
        self.sample(
            0.5,
            lambda t, n: n + 1.0,
            inputs=["ticks.y"],
            outputs=[self.ticks],
            traced=True,
        )


def test_a_rattle_without_loss_keeps_its_energy_and_its_counts():
    """It takes 1 s to and fro: the middle is passed downwards ten times in 10 s."""
    model = Rattle()
    run = stepped(model, 10.25, 1e-5)
    parameters = model.compile().parameters
    counts = [
        run.p[parameters.index(model.parts[name].internal()["value"])]
        for name in ("passed", "ticks")
    ]
    assert counts == [10.0, 21.0]
    assert abs(run.x[1]) == pytest.approx(3.0, rel=1e-9)
    way = (1.0 + 3.0 * 10.25) % 3.0
    assert run.x[0] == pytest.approx(min(way, 3.0 - way), abs=2e-3)
