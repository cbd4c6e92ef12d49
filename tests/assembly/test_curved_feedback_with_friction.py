"""Friction beside curved laws of the accelerations that it changes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp
from scipy.optimize import brentq

from motorik import Model, Parameter, World, blocks, sensors
from motorik import functions as fn
from motorik import rotational as rot
from motorik import translational as tr
from motorik.joints import Coulomb, Revolute
from motorik.parts import Body, BodyShape, FixedTranslation
from tests.assembly.fed_back_masses import feed_back

Law = Callable[[object], object]


def tanh(x):
    """Return the hyperbolic tangent of a symbol."""
    return 1.0 - 2.0 / (fn.exp(2.0 * x) + 1.0)


class Held(Model):
    """A mass of 2 kg with friction of 1 N, pushed by push(t), and by law(a) of its acceleration."""

    def build(
        self, law: Law = lambda a: -0.5 * a**3, push: Law = lambda t: t, **given: object
    ) -> None:
        none = dict(F_prop=0.0, F_Coulomb=1.0, F_Stribeck=0.0, peak=1.0)
        room = dict(L=0.0, smin=-100.0, smax=100.0, s=0.0, v=0.0)
        self.mass = tr.MassWithStopAndFriction(m=2.0, **{**none, **room, **given})
        self.meter, self.law = tr.AccSensor(), blocks.Function(f=law)
        self.push, self.force = tr.Force(), tr.Force()
        blocks.TimeFunction(f=push).y >> self.push.f
        self.push.flange >> self.mass.flange_a
        self.mass.flange_b >> self.meter.flange
        self.meter.a >> self.law.u
        self.law.y >> self.force.f
        self.force.flange >> self.mass.flange_b


@pytest.fixture(scope="module")
def cubic() -> Held:
    return Held()


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("method", ["dopri5", "dop853", "gbs", "adams", "bdf", "rk4"])
def test_what_sticks_breaks_loose_under_a_curved_law(cubic, method):
    given = {"step": 0.01} if method == "rk4" else {"rtol": 1e-9}
    result = cubic.simulate(3.0, method=method, **given)
    (event,) = result.events
    assert event.time == pytest.approx(1.0, abs=1e-9)
    t = np.asarray(result.time)
    np.testing.assert_array_equal(np.asarray(result["mass.v"])[t < 1.0], 0.0)

    def a(t: float) -> float:
        return brentq(lambda a: 2.0 * a + 0.5 * a**3 - (t - 1.0), 0.0, 10.0, xtol=1e-15)

    assert result["mass.v"][-1] == pytest.approx(quad(a, 1.0, 3.0)[0], rel=1e-7)
    assert result["mass.a"][-1] == pytest.approx(a(3.0), rel=1e-12)


def other_solution(law: Callable[[float], float], end: float) -> list[tuple[float, str]]:
    """Return the events of a mass of 2 kg with 1 N of friction under 3 sin t + law(a)."""

    def rate(t: float, way: float) -> float:
        force = 3.0 * np.sin(t) - way
        return brentq(lambda a: 2.0 * a - law(a) - force, -50.0, 50.0, xtol=1e-15)

    t, way, found = 0.0, 0.0, []
    while True:
        if way == 0.0:  # a = 0: the law gives nothing, and 3 sin t must stay within 1 N
            grid = np.linspace(t, end, 4001)[1:]
            out = np.flatnonzero(np.abs(3.0 * np.sin(grid)) > 1.0)
            if not out.size:
                return found
            k = out[0]
            way = float(np.sign(np.sin(grid[k])))
            before = grid[k - 1] if k else t
            t = brentq(lambda s: abs(3.0 * np.sin(s)) - 1.0, before, grid[k])
            found.append((t, "slips"))
            continue

        def stops(t: float, v: np.ndarray, way: float = way) -> float:
            return way * v[0] + (1e-9 if t - found[-1][0] < 1e-6 else 0.0)

        stops.terminal, stops.direction = True, -1.0
        run = solve_ivp(
            lambda s, v, way=way: [rate(s, way)], (t, end), [0.0], rtol=1e-11, atol=1e-13,
            events=stops, first_step=1e-5,
        )  # fmt: skip
        if not run.t_events[0].size:
            return found
        t = float(run.t_events[0][0])
        way = 0.0
        if abs(3.0 * np.sin(t)) > 1.0:
            way = float(np.sign(np.sin(t)))
            found.append((t, "turns"))
        else:
            found.append((t, "sticks"))


@pytest.mark.slow
def test_a_saturating_law_sticks_and_slips_as_another_solver_has_it():
    gain = 1.2
    other = other_solution(lambda a: gain * np.tanh(a), 12.0)
    model = Held(law=lambda a: gain * tanh(a), push=lambda t: 3.0 * fn.sin(t))
    result = model.simulate(12.0, rtol=1e-10)
    assert len(other) >= 4
    times = [event.time for event in result.events]
    np.testing.assert_allclose(times, [t for t, _ in other], atol=2e-8)
    a = np.asarray(result["mass.a"])
    np.testing.assert_allclose(result["force.f"], gain * np.tanh(a), atol=1e-13)
    stuck = np.asarray(result["mass.stuck"]) > 0
    np.testing.assert_allclose(a[stuck], 0.0, atol=1e-15)


@pytest.mark.slow
def test_a_live_gain_needs_no_new_system():
    gain = Parameter(0.5, name="gain")
    model = Held(law=lambda a: -gain * a**3)
    for value in (0.5, 3.0):
        end = model.simulate(2.0, parameters={"gain": value})["mass.a"][-1]
        assert 2.0 * end + value * end**3 == pytest.approx(1.0, rel=1e-12)


class Row(Model):
    """Masses by chance on rough ground, pushed by curved functions of all their accelerations."""

    def build(self, seed: int = 0) -> None:
        chance = np.random.default_rng(seed)
        n = 3
        self.m = chance.uniform(0.5, 3.0, n)
        self.f = chance.uniform(-4.0, 4.0, n)
        self.K = chance.uniform(-0.4, 0.4, (n, n))
        self.mass = [
            tr.MassWithStopAndFriction(
                m=float(m), L=0.0, smin=-100.0, smax=100.0, F_prop=0.0, F_Coulomb=2.0,
                F_Stribeck=0.0, peak=1.0, s=0.0, v=0.0,
            )
            for m in self.m
        ]  # fmt: skip
        feed_back(self)


@pytest.mark.thorough
@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2))
def test_friction_of_several_masses_solves_its_conditions(seed):
    """m a = f + K h(a) + λ; λ within 2 N, at its limit against what moves."""
    model = Row(seed=seed)
    result = model.simulate(0.5)
    a, v = (
        np.array([result[f"mass[{i + 1}].{name}"][-1] for i in range(3)]) for name in "av"
    )
    friction = model.m * a - model.f - model.K @ (a * a / np.sqrt(1.0 + a * a))
    assert np.all(np.abs(friction) <= 2.0 + 1e-12)
    moves = v != 0.0
    np.testing.assert_allclose(friction[moves], -2.0 * np.sign(v[moves]), rtol=1e-12)
    np.testing.assert_allclose(a[~moves], 0.0, atol=1e-14)
    assert moves.any()


@pytest.mark.slow
def test_an_impact_finds_a_saturating_law_as_it_is():
    """Its force is bounded, so it gives no impulse: speeds turn by the restitution alone."""
    model = Held(
        law=lambda a: 1.5 * tanh(a), push=lambda t: 4.0 + 0.0 * t, F_Coulomb=0.5,
        smax=1.0, restitution=0.5,
    )  # fmt: skip
    result = model.simulate(2.0, rtol=1e-10)
    hits = [k for k, event in enumerate(result.events) if "hit" in event.what]
    assert hits
    hit = result.at_event(hits[0])
    assert hit.after["mass.v"] == pytest.approx(-0.5 * hit.before["mass.v"], rel=1e-12)
    a = brentq(lambda a: 2.0 * a - 1.5 * np.tanh(a) - 3.5, 0.0, 10.0)
    assert hit.event.time == pytest.approx(np.sqrt(2.0 / a), rel=1e-8)


class Braked(Model):
    """A parallelogram with a brake at a hinge, driven by a curved law of a force or rate."""

    def build(self, braked: int = 2, is_cut: bool = False) -> None:
        self.world = World(g=9.81)
        self.hinge = [Revolute(useAxisFlange=j in (0, braked)) for j in range(4)]
        self.one = BodyShape(r=(0.5, 0.0, 0.0), m=1.0)
        self.two = BodyShape(r=(1.0, 0.0, 0.0), m=1.0)
        self.three = BodyShape(r=(0.5, 0.0, 0.0), m=1.0)
        self.base = FixedTranslation(r=(1.0, 0.0, 0.0))
        self.cut = sensors.CutForce()
        first, second, third, fourth = self.hinge
        self.world.frame_b >> first.frame_a
        first.frame_b >> self.one.frame_a
        self.one.frame_b >> second.frame_a
        second.frame_b >> self.cut.frame_a
        self.cut.frame_b >> self.two.frame_a
        self.world.frame_b >> self.base.frame_a
        self.base.frame_b >> fourth.frame_a
        fourth.frame_b >> self.three.frame_a
        self.three.frame_b >> third.frame_a
        third.frame_b >> self.two.frame_b
        self.brake = rot.Brake(fn_max=1.0, mu_pos=[[0.0, 6.0]], cgeo=1.0)
        blocks.Constant(k=1.0).y >> self.brake.f_normalized
        self.brake.flange_a >> self.hinge[braked].axis
        self.motor = rot.Torque()
        self.motor.flange >> first.axis
        if is_cut:
            self.law = blocks.Function(f=lambda f: -1.0 * tanh(0.05 * f))
            self.cut.force[0] >> self.law.u
        else:
            self.meter = rot.AccSensor()
            self.meter.flange >> first.axis
            self.law = blocks.Function(f=lambda a: -2.0 * tanh(0.5 * a))
            self.meter.a >> self.law.u
        self.law.y >> self.motor.tau
        first.phi, first.w = 0.2, 3.0


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("is_cut", [False, True])
def test_a_brake_within_a_loop_under_a_curved_law(is_cut):
    """Strategies give one motion, and so do brakes at hinges that turn as far.

    The forces within the loop depend on which of its hinges is braked.
    """
    found = []
    cases = [(2, "explicit"), (2, "projected"), *([] if is_cut else [(3, "explicit")])]
    for braked, strategy in cases:
        result = Braked(braked=braked, is_cut=is_cut).simulate(
            1.5, rtol=1e-9, strategy=strategy
        )
        assert result.complete
        found.append([event.time for event in result.events if event.time > 0.0])
        stuck = np.asarray(result["brake.stuck"]) > 0
        assert stuck.any()
        np.testing.assert_allclose(np.asarray(result["hinge[1].w"])[stuck], 0.0, atol=1e-14)
    for times in found[1:]:
        np.testing.assert_allclose(times, found[0], atol=1e-6)


class Rubbing(Model):
    """A pendulum rubbing on its pin by its own reaction, under a curved law of its rate."""

    def build(self) -> None:
        self.world = World(g=9.81)
        self.hinge = Revolute(
            useAxisFlange=True, phi=0.0, w=4.0, friction=Coulomb(mu=0.3, radius=0.2)
        )
        self.body = Body(m=1.5, r_CM=(0.8, 0.0, 0.0), I_11=0.1, I_22=0.1, I_33=0.1)
        self.meter, self.motor = rot.AccSensor(), rot.Torque()
        self.law = blocks.Function(f=lambda a: -3.0 * tanh(0.2 * a))
        self.world.frame_b >> self.hinge.frame_a
        self.hinge.frame_b >> self.body.frame_a
        self.meter.flange >> self.hinge.axis
        self.meter.a >> self.law.u
        self.law.y >> self.motor.tau
        self.motor.flange >> self.hinge.axis


@pytest.mark.slow
def test_friction_by_a_reaction_beside_a_curved_law():
    """J a = −m g l cos φ − 3 tanh(a / 5) − μ r |reaction|, the reaction following from a."""
    m, length, g, size = 1.5, 0.8, 9.81, 0.3 * 0.2

    def rate(phi: float, w: float) -> float:
        def left(a: float) -> float:
            radial = -m * length * w * w + m * g * np.sin(phi)
            across = m * length * a + m * g * np.cos(phi)
            rubbing = size * np.hypot(radial, across)
            torque = -m * g * length * np.cos(phi) - 3.0 * np.tanh(0.2 * a) - rubbing
            return (0.1 + m * length**2) * a - torque

        return brentq(left, -500.0, 500.0, xtol=1e-14)

    result = Rubbing().simulate(2.0, rtol=1e-10)
    stop = result.events[0].time  # there it turns back
    other = solve_ivp(
        lambda t, x: [x[1], rate(*x)], (0.0, stop), [0.0, 4.0], rtol=1e-11, atol=1e-13
    )
    assert other.y[1, -1] == pytest.approx(0.0, abs=1e-8)
    assert result.at_event(0).before["hinge.phi"] == pytest.approx(other.y[0, -1], abs=1e-8)
