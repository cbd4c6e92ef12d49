"""Time stepping of unilateral and friction constraints: Moreau–Jean against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest

import motorik as mk
from motorik import translational as tr
from motorik.authoring import (
    ForceBounds,
    LineForce,
    NonsmoothConstraint,
    TranslationalTwoFlanges,
    kinds,
    nonsmooth_force,
    parameter,
)
from motorik.forces import PointPlaneContact
from motorik.initialisation.initialise import initialise
from motorik.nonsmooth.application.time_stepping import (
    SteppedMotion,
    step_interval,
    with_modes,
)
from motorik.simulation.initial_state import select_initial_modes

G = 10.0


class Stop(TranslationalTwoFlanges):
    """flange_b cannot come nearer to flange_a than s = 0."""

    e: kinds.Number = parameter("coefficient of restitution", unit="1", default=0.0)
    contact = nonsmooth_force("contact force", "N")

    def contributions(self, p):
        """Contribute a unilateral constraint."""
        a, b = self.flange_a, self.flange_b
        yield LineForce(a, b, p, lambda p, s, v: -p.contact.force)
        yield NonsmoothConstraint(
            self,
            "contact",
            speed=lambda motion: motion.flange(b)[1] - motion.flange(a)[1],
            bounds=lambda motion: ForceBounds(0.0, math.inf, 0.0, 0.0),
            gap=lambda motion: motion.flange(b)[0] - motion.flange(a)[0],
            restitution=p.e,
        )


class Ball(mk.Model):
    """A ball above a floor, by default 1 m, and below a ceiling, if there is one."""

    def build(self, weight=G, v=0.0, room=math.inf) -> None:
        self.e = mk.Parameter(0.5)
        self.floor, self.below = tr.Fixed(), Stop(e=self.e)
        self.ball = tr.Mass(m=1.0, s=1.0, v=v)
        self.weight = tr.ConstantForce(f_constant=-weight)
        mk.connect(self.floor.flange, self.below.flange_a)
        mk.connect(self.below.flange_b, self.ball.flange_a)
        mk.connect(self.weight.flange, self.ball.flange_b)
        if room < math.inf:
            self.ceiling, self.above = tr.Fixed(s0=room), Stop(e=self.e)
            mk.connect(self.ceiling.flange, self.above.flange_b)
            mk.connect(self.above.flange_a, self.ball.flange_a)


def stepped(model: mk.Model, until: float, finest: float, **live: float) -> SteppedMotion:
    """Return a whole run by time stepping with steps of about `finest` where something hits."""
    system = model.compile()
    system.prepare()
    values = system.parameter_values()
    for name, value in live.items():
        values[system.layout.live_names[name]] = value
    start = initialise(system, {}, values, choose=select_initial_modes)
    at, atol = (0.0, start.x, start.p), np.full(start.x.size, 1e-6)
    found = step_interval(system, at, (1e-6, atol), until, until, None, finest)
    assert found is not None and found.t == until
    return found


def bounced(e: float, t: float) -> float:
    """Return the height of a ball dropped from 1 m after its bounces."""
    hit, speed = math.sqrt(2.0 / G), math.sqrt(2.0 * G)
    if t < hit:
        return 1.0 - 0.5 * G * t * t
    left = t - hit
    while speed > 1e-9:
        speed *= e
        if left < 2.0 * speed / G:
            return speed * left - 0.5 * G * left * left
        left -= 2.0 * speed / G
    return 0.0


@pytest.fixture(scope="module")
def ball() -> mk.Model:
    return Ball()


@pytest.mark.parametrize("e", [0.0, 0.5, 0.9])
def test_a_ball_bounces_as_closely_as_its_steps_are_fine(ball, e):
    """At 1.2 s all bounce still; at 3 s those of e = 0.5 have accumulated."""
    for until in (1.2, 3.0) if e < 0.9 else (1.2,):
        errors = []
        for finest in (1e-3, 1e-5):
            run = stepped(ball, until, finest, e=e)
            errors.append(abs(run.x[0] - bounced(e, until)))
            assert (
                errors[-1] <= 2.0 * run.interval.error + 1e-6 and run.interval.unit == "m"
            )
            assert errors[-1] < 20.0 * finest
        if until == 3.0:
            assert abs(run.x[1]) < 1e-3
    by_events = ball.simulate(1.2, output=1, parameters={"e": e})["ball.s"][-1]
    assert by_events == pytest.approx(bounced(e, 1.2), abs=1e-5)


def test_a_ball_at_rest_stays_and_presses_with_its_weight(ball):
    run = stepped(ball, 3.0, 1e-3, e=0.0)
    system = ball.compile()
    p = with_modes(system, run.p, run.modes[-1])
    X = system.full_state(np.array([run.t]), run.x, p)
    places = system.layout.nonsmooth.columns.force
    force = system.with_forces(np.array([run.t]), X[None], p)[0][places]
    assert force == pytest.approx([G]) and run.x[1] == pytest.approx(0.0, abs=1e-12)


def test_a_ball_rattles_between_two_walls_without_loss():
    """e = 1, no weight: a triangle wave between the walls."""
    run = stepped(Ball(weight=0.0, v=3.0, room=1.5), 10.0, 1e-5, e=1.0)
    way = (1.0 + 3.0 * 10.0) % 3.0
    assert run.x[0] == pytest.approx(min(way, 3.0 - way), abs=2e-3)
    assert abs(run.x[1]) == pytest.approx(3.0, rel=1e-9)


class Pad(TranslationalTwoFlanges):
    """Dry friction."""

    limit: kinds.Force = parameter("largest force", default=1.0)
    friction = nonsmooth_force("friction force", "N")

    def contributions(self, p):
        """Contribute friction."""
        a, b, f = self.flange_a, self.flange_b, p.limit
        yield LineForce(a, b, p, lambda p, s, v: -p.friction.force)
        yield NonsmoothConstraint(
            self,
            "friction",
            speed=lambda motion: motion.flange(b)[1] - motion.flange(a)[1],
            bounds=lambda motion: ForceBounds(-f, f, -f, f),
        )


class Held(mk.Model):
    """A mass on two pads, pushed by a force."""

    def build(self) -> None:
        self.push = mk.Parameter(2.5)
        self.ground, self.mass = tr.Fixed(), tr.Mass(m=2.0, s=0.0, v=1.0)
        self.pads = [Pad(limit=1.0), Pad(limit=2.0)]
        self.force = tr.ConstantForce(f_constant=self.push)
        for pad in self.pads:
            mk.connect(self.ground.flange, pad.flange_a)
            mk.connect(pad.flange_b, self.mass.flange_a)
        mk.connect(self.force.flange, self.mass.flange_b)


def test_brakes_that_share_a_load_stop_and_hold():
    """2 kg at 1 m/s under 2.5 N − 3 N stops after 4 s and 2 m; 4 N pull it on."""
    model = Held()
    run = stepped(model, 6.0, 1e-4)
    assert run.x == pytest.approx([2.0, 0.0], abs=1e-3) and abs(run.x[1]) < 1e-12
    run = stepped(model, 6.0, 1e-4, push=4.0)
    assert run.x == pytest.approx([6.0 + 0.25 * 36.0, 1.0 + 3.0], rel=1e-6)
    by_events = model.simulate(6.0, output=1)
    assert by_events["mass.s"][-1] == pytest.approx(2.0, abs=1e-5)


class Thrown(mk.Model):
    """A point mass thrown onto a plane with friction."""

    def build(self) -> None:
        self.world = mk.World(g=G)
        self.mass = mk.PointMass(m=2.0, r_0=(0.0, 0.45, 0.0), v_0=(3.0, 0.0, 1.0))
        self.contact = PointPlaneContact(mu=0.3)
        self.mass.frame_a >> self.contact.frame_b
        self.world.frame_b >> self.contact.frame_a


@pytest.mark.slow
def test_friction_in_a_plane_takes_speed_at_the_hit_and_then_stops():
    """It falls for 0.3 s, loses μ times its speed downwards at the hit, and slides by μ g."""
    before = math.hypot(3.0, 1.0)
    after = before - 0.3 * 3.0
    far = before * 0.3 + after**2 / (2.0 * 0.3 * G)
    place = np.array([3.0, 0.0, 1.0]) * far / before
    for finest in (1e-3, 1e-5):
        run = stepped(Thrown(), 2.0, finest)
        assert run.x[:3] == pytest.approx(place, abs=2.0 * finest + 2e-6)
        assert run.x[3:] == pytest.approx(np.zeros(3), abs=1e-12)
