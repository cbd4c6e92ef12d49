"""Sliding modes: laws whose branches both push onto the border of a case (Filippov)."""

from __future__ import annotations

import casadi
import numpy as np
import pytest

import motorik as mk
from motorik import blocks
from motorik import rotational as rot
from motorik import translational as tr
from motorik.algebra.scalar import sqrt, where
from motorik.authoring import (
    ForceBounds,
    LineForce,
    NonsmoothConstraint,
    RotationalTwoFlanges,
    TranslationalTwoFlanges,
    nonsmooth_force,
)
from motorik.components.lines.base import Compliant
from motorik.initialisation.initialise import initialise
from motorik.nonsmooth.application.sliding_modes import convex_combinations
from motorik.nonsmooth.laws.state_events import conditions_of
from motorik.results.run_info import IncompleteRunWarning

RELAY = 5.0  # N


class Relay(TranslationalTwoFlanges, Compliant):
    """Dry friction written as a law."""

    @staticmethod
    def law(p, x, v):
        """Return ±5 N."""
        return where(v > 0, RELAY, -RELAY)


class Rooted(TranslationalTwoFlanges, Compliant):
    """A law that is not linear in the share of its branches."""

    @staticmethod
    def law(p, x, v):
        """Return 1.5 N or −1 N."""
        return sqrt(where(v > 0, 4.0, 1.0)) * 2.5 - 3.5


class Pad(TranslationalTwoFlanges):
    """The same dry friction, as a force that sticks and slips."""

    friction = nonsmooth_force("friction force", "N")

    def contributions(self, p):
        """Contribute friction of 5 N."""
        a, b = self.flange_a, self.flange_b
        yield LineForce(a, b, p, lambda p, s, v: -p.friction.force)
        yield NonsmoothConstraint(
            self,
            "friction",
            speed=lambda motion: motion.flange(b)[1] - motion.flange(a)[1],
            bounds=lambda motion: ForceBounds(
                -RELAY, RELAY, forward=-RELAY, backward=RELAY
            ),
        )


class Shaken(mk.Model):
    """A mass of 2 kg on some elements, shaken by A sin(π t)."""

    def build(self, elements, A=8.0) -> None:
        self.ground = tr.Fixed()
        self.mass = tr.Mass(m=2.0, s=0.0, v=3.0)
        self.elements = elements
        self.force, self.wave = tr.Force(), blocks.Sine(amplitude=A, f=0.5)
        for element in elements:
            mk.connect(self.ground.flange, element.flange_a)
            mk.connect(element.flange_b, self.mass.flange_a)
        mk.connect(self.force.flange, self.mass.flange_b)
        mk.connect(self.wave.y, self.force.f)


@pytest.fixture(scope="module")
def shaken() -> mk.Model:
    return Shaken(elements=[Relay()])


@pytest.fixture(scope="module")
def rubbed() -> mk.Result:
    return Shaken(elements=[Pad()]).simulate(4.0, output=40, rtol=1e-8)


def leaving_times(level: float) -> np.ndarray:
    """Return when the force of the shaker is larger than the relay's, after it slid."""
    return np.array([2.0, 3.0]) + np.arcsin(level) / np.pi


@pytest.mark.parametrize("method", ["dopri5", "dop853", "bdf", "rk4"])
def test_a_relay_sticks_as_friction_does(shaken, rubbed, method):
    step = {"step": 1e-3} if method == "rk4" else {}
    result = shaken.simulate(
        4.0, output=40, solver=mk.SolverOptions(time_limit=5.0), method=method, **step
    )
    assert result.complete and result.info.steps < 6000
    tolerance = 2e-3 if step else 1e-4
    assert result["mass.v"] == pytest.approx(rubbed["mass.v"], abs=tolerance)
    leaves = [e.time for e in result.events if e.what.startswith("leaves")]
    assert leaves == pytest.approx(leaving_times(RELAY / 8.0), abs=1e-7)
    rests = [k for k, t in enumerate(result.time) if 2.01 < t < 2.21 or 3.11 < t < 3.21]
    assert len(rests) == 3 and np.abs(result["mass.v"][rests]).max() < 1e-12
    shown = result["elements[1].f"][rests]
    assert shown == pytest.approx(result["force.f"][rests], abs=1e-9)
    assert shown == pytest.approx(8.0 * np.sin(np.pi * result.time[rests]), abs=1e-9)


def test_a_relay_at_rest_stays_at_rest(shaken):
    result = shaken.simulate(0.2, initial={"mass.v": 0.0}, method="dopri5", output=20)
    assert result.complete and result.info.steps < 60
    assert np.abs(result["mass.v"]).max() < 1e-5
    assert result["elements[1].f"][5:] == pytest.approx(result["force.f"][5:], abs=1e-6)


def test_a_simulator_slides_as_well(shaken):
    simulator = shaken.simulator(method="dopri5")
    simulator.step(2.1)
    assert abs(simulator["mass.v"]) < 1e-12
    assert simulator["elements[1].f"] == pytest.approx(8.0 * np.sin(2.1 * np.pi))
    assert "slides" in str(simulator.events) or "followed" in str(simulator.events)
    simulator["mass.v"] = 0.5
    simulator.step(0.05)
    assert simulator["elements[1].f"] == RELAY


def test_laws_with_one_border_have_one_share():
    result = Shaken(elements=[Relay(), Relay()], A=15.0).simulate(
        4.0, output=40, solver=mk.SolverOptions(time_limit=5.0), method="dopri5"
    )
    assert result.complete and result.info.steps < 500
    leaves = [e.time for e in result.events if e.what.startswith("leaves")]
    assert leaves == pytest.approx(leaving_times(2.0 * RELAY / 15.0), abs=1e-7)
    assert result["elements[1].f"] == pytest.approx(result["elements[2].f"], abs=1e-12)


@pytest.mark.parametrize("method", ["dopri5", "bdf"])
def test_a_relay_shares_its_border_with_friction(method):
    """Both act on one speed: what sticks there is held by both."""
    options = {"output": 40, "solver": mk.SolverOptions(time_limit=5.0), "method": method}
    result = Shaken(elements=[Relay(), Pad()], A=15.0).simulate(4.0, **options)
    assert result.complete and result.info.steps < 1000
    leaves = [e.time for e in result.events if e.what.startswith("leaves")]
    assert leaves == pytest.approx(leaving_times(2.0 * RELAY / 15.0), abs=1e-7)


class Piled(mk.Model):
    """A shaken mass with another one on it: one element below, one between them."""

    def build(self, below, between) -> None:
        self.ground = tr.Fixed()
        self.mass, self.top = tr.Mass(m=2.0, v=3.0), tr.Mass(m=1.0)
        self.below, self.between = below, between
        self.force, self.wave = tr.Force(), blocks.Sine(amplitude=15.0, f=0.5)
        mk.connect(self.ground.flange, below.flange_a)
        mk.connect(below.flange_b, self.mass.flange_a, between.flange_a)
        mk.connect(between.flange_b, self.top.flange_a)
        mk.connect(self.force.flange, self.mass.flange_b)
        mk.connect(self.wave.y, self.force.f)


@pytest.mark.slow
def test_two_relays_and_a_relay_with_friction_move_as_friction_does():
    friction = Piled(below=Pad(), between=Pad()).simulate(4.0, output=40, rtol=1e-8)
    for below, between in ((Relay(), Pad()), (Relay(), Relay())):
        model = Piled(below=below, between=between)
        result = model.simulate(
            4.0, output=40, rtol=1e-8, solver=mk.SolverOptions(time_limit=5.0)
        )
        assert result.complete and result.info.steps < 500
        assert result["mass.v"] == pytest.approx(friction["mass.v"], abs=1e-5)
        assert result["top.v"] == pytest.approx(friction["top.v"], abs=1e-5)


class Controlled(mk.Model):
    """A mass with a disturbance, led to s = 0 by a sliding mode of 2 e + ė."""

    def build(self) -> None:
        self.mass = tr.Mass(m=2.0, s=1.0, v=0.0)
        self.load, self.wave = tr.Force(), blocks.Sine(amplitude=3.0, f=0.5)
        self.force, self.place, self.speed = (
            tr.Force(),
            tr.PositionSensor(),
            tr.SpeedSensor(),
        )
        self.law = blocks.Function(
            f=lambda e, de: where(2.0 * e + de > 0, -10.0, 10.0), n=2
        )
        mk.connect(self.force.flange, self.mass.flange_b, self.load.flange)
        mk.connect(self.place.flange, self.mass.flange_a, self.speed.flange)
        mk.connect(self.place.s, self.law.u[0])
        mk.connect(self.speed.v, self.law.u[1])
        mk.connect(self.law.y, self.force.f)
        mk.connect(self.wave.y, self.load.f)


def test_a_sliding_mode_controller_gives_the_equivalent_control():
    result = Controlled().simulate(4.0, output=40, rtol=1e-7)
    assert result.complete and result.info.steps < 200
    (begins,) = (e.time for e in result.events if e.what.startswith("slides"))
    after = result.time > begins
    s, v = result["mass.s"][after], result["mass.v"][after]
    assert np.abs(2.0 * s + v).max() < 1e-12
    left = np.exp(-2.0 * (result.time[after] - result.time[after][0]))
    assert s == pytest.approx(s[0] * left, rel=1e-5)
    needed = -result["wave.y"][after] - 2.0 * 2.0 * v
    assert result["force.f"][after] == pytest.approx(needed, abs=1e-9)


class Loop(mk.Model):
    """ẏ = relay(y) + 1.5 sin(π t / 2), of blocks alone."""

    def build(self) -> None:
        self.relay = blocks.Function(f=lambda y: where(y > 0.0, -1.0, 1.0))
        self.plant, self.sum = blocks.Integrator(y_start=0.5), blocks.Add()
        self.wave, self.mass = blocks.Sine(amplitude=1.5, f=0.25), tr.Mass(m=1.0)
        mk.connect(self.plant.y, self.relay.u)
        mk.connect(self.relay.y, self.sum.u1)
        mk.connect(self.wave.y, self.sum.u2)
        mk.connect(self.sum.y, self.plant.u)


def test_relay_feedback_of_blocks_slides():
    result = Loop().simulate(8.0, output=80, method="dopri5")
    assert result.complete and result.info.steps < 300
    leaves = [e.time for e in result.events if e.what.startswith("leaves")]
    closed = np.array([2.0, 4.0, 6.0]) + 2.0 / np.pi * np.arcsin(1.0 / 1.5)
    assert leaves == pytest.approx(closed, abs=1e-7)
    rests = (result.time > 4.15) & (result.time < 4.45)
    assert np.abs(result["plant.y"][rests]).max() < 1e-12
    assert result["relay.y"][rests] == pytest.approx(-result["wave.y"][rests])


def test_a_law_that_is_curved_in_its_shares_is_named():
    with pytest.warns(IncompleteRunWarning, match="sliding mode"):
        result = Shaken(elements=[Rooted()], A=0.1).simulate(
            40.0, method="dopri5", solver=mk.SolverOptions(time_limit=5.0)
        )
    assert "elements[1]" in result.info.message and result.info.steps < 500


def test_kinks_cannot_slide():
    class Kinked(Relay):
        @staticmethod
        def law(p, x, v):
            return 2.0 * abs(v) + v

    class Placed(Relay):
        @staticmethod
        def law(p, x, v):
            return where(x > 0.0, 1.0, -1.0)

    for law, count in ((Kinked, 0), (Placed, 0), (Relay, 1)):
        assert len(Shaken(elements=[law()]).compile().sliding_conditions) == count


def test_shares_lead_from_one_branch_to_the_other():
    x, v, share = (casadi.SX.sym(name) for name in ("x", "v", "share"))
    inner = where(x > 1.0, 3.0, where(v >= 0.0, 7.0 * x, -v))
    law = where(v > 0.0, inner, 2.0) + casadi.sign(v) * x + where(v == 0.0, 100.0, 0.0)
    gap = next(g for g in conditions_of([law]) if str(g) == "(-v)")
    chosen = {str(gap): (1.0, share, 1.0), str(-gap): (-1.0, share, 1.0)}
    (written,) = convex_combinations([law], chosen)
    plain = casadi.Function("plain", [x, v], [law])
    shared = casadi.Function("shared", [x, v, share], [written])
    for place in (-0.4, 0.7, 1.6):
        for way in (-1.0, 1.0):  # the indicator of −v < 0 is (1 + share) / 2
            there = float(shared(place, 1e-12 * way, way))
            assert there == pytest.approx(float(plain(place, 1e-12 * way)), abs=1e-9)
        ends = [float(shared(place, 0.0, way)) for way in (-1.0, 1.0)]
        if place > 1.0:
            assert float(shared(place, 0.0, 0.2)) == pytest.approx(np.dot(ends, (0.4, 0.6)))


class TurningRelay(RotationalTwoFlanges, Compliant):
    """Dry friction of 25 N·m written as a law."""

    @staticmethod
    def law(p, phi, w):
        """Return ±25 N·m."""
        return where(w > 0, 25.0, -25.0)


class Bump(TranslationalTwoFlanges, Compliant):
    """A force beyond a place that the piston passes."""

    @staticmethod
    def law(p, x, v):
        """Return 30 N beyond 0.9 m."""
        return where(x > 0.9, 30.0, 0.0)


class Crank(mk.Model):
    """A slider-crank: the piston is found from the crank, which a relay brings to rest."""

    def build(self) -> None:
        self.world = mk.World()
        self.turn = mk.Revolute(n="z", phi=1.2, w=2.0, useAxisFlange=True)
        self.pin, self.eye = mk.Revolute(n="z"), mk.Revolute(n="z")
        self.guide = mk.Prismatic(n="x", useAxisFlange=True)
        self.crank = mk.BodyBox(r=(0.4, 0.0, 0.0), width=0.05)
        self.rod = mk.BodyBox(r=(1.0, 0.0, 0.0), width=0.05)
        self.piston = mk.Body(m=0.7)
        self.world.frame_b >> self.turn.frame_a
        self.turn.frame_b >> self.crank.frame_a
        self.crank.frame_b >> self.pin.frame_a
        self.pin.frame_b >> self.rod.frame_a
        self.world.frame_b >> self.guide.frame_a
        self.guide.frame_b >> self.piston.frame_a
        self.guide.frame_b >> self.eye.frame_a
        self.eye.frame_b >> self.rod.frame_b
        self.ground, self.wall = rot.Fixed(), tr.Fixed()
        self.relay, self.bump, self.pad = TurningRelay(), Bump(), Relay()
        self.ground.flange >> self.relay.flange_a
        self.turn.axis >> self.relay.flange_b
        for pair in (self.bump, self.pad):
            self.wall.flange >> pair.flange_a
            pair.flange_b >> self.guide.axis


@pytest.fixture(scope="module")
def crank() -> mk.Model:
    return Crank()


@pytest.mark.slow
def test_loops_slide_along_borders_in_every_strategy(crank):
    """The relay holds the crank, in closed form and by projection."""
    runs = [
        crank.simulate(1.0, strategy=name, rtol=1e-9, output=20)
        for name in ("explicit", "projected")
    ]
    for run in runs:
        assert run.complete and run.info.steps < 500
        assert any(e.what.startswith("slides along") for e in run.events)
    np.testing.assert_allclose(runs[1]["turn.phi"], runs[0]["turn.phi"], atol=1e-7)
    assert abs(runs[1]["turn.w"][-1]) < 1e-12


@pytest.mark.slow
def test_conditions_on_dependent_coordinates_have_their_rates(crank):
    """Values and rates of conditions by projection, and by closed forms and differences."""
    found = []
    for name in ("explicit", "projected"):
        system = crank.compile(strategy=name)
        start = initialise(system, {}, system.parameter_values())
        x, p = start.x, start.p
        rates = system.derivative(np.zeros(1), x, p)
        h = 1e-6
        values = [
            system.law_conditions(
                np.zeros(1), np.concatenate([x + s * h * rates, rates]), p
            )
            for s in (0.0, -1.0, 1.0)
        ]
        count = values[0].size // 3
        slope = (values[2][:count] - values[1][:count]) / (2.0 * h)
        np.testing.assert_allclose(values[0][count : 2 * count], slope, rtol=1e-6)
        found.append(values[0])
    np.testing.assert_allclose(found[1], found[0], rtol=1e-9)
