"""Laws of contacts with friction: units, stacks, hits that would gain energy, wedges."""

from __future__ import annotations

import math

import numpy as np
import pytest

from motorik import Model, World, blocks, forces, joints, parts

G = 9.81


class Guided(Model):
    """Two bodies that move along x and y only: one on the ground, the other on top of it.

    A force pulls the lower one.
    """

    def build(self, pull: float, masses=(2.0, 1.0), frictions=(0.2, 0.4)) -> None:
        self.world = World(g=G)
        axes = ((1, 0, 0), (0, 1, 0))
        self.lower_x, self.lower_y = (joints.Prismatic(n=n) for n in axes)
        self.upper_x, self.upper_y = (joints.Prismatic(n=n) for n in axes)
        self.lower, self.upper = (parts.Body(m=m) for m in masses)
        self.ground = forces.PointPlaneContact(mu=frictions[0])
        self.between = forces.PointPlaneContact(mu=frictions[1])
        self.force, self.none = forces.WorldForce(), blocks.Constant(k=0.0)
        self.pull = blocks.Constant(k=pull)
        for x, y, body in (
            (self.lower_x, self.lower_y, self.lower),
            (self.upper_x, self.upper_y, self.upper),
        ):
            self.world.frame_b >> x.frame_a
            x.frame_b >> y.frame_a
            y.frame_b >> body.frame_a
        self.world.frame_b >> self.ground.frame_a
        self.ground.frame_b >> self.lower.frame_a
        self.lower.frame_a >> self.between.frame_a
        self.between.frame_b >> self.upper.frame_a
        self.force.frame_b >> self.lower.frame_a
        for axis, source in enumerate((self.pull, self.none, self.none)):
            self.connect(source.y, self.force.force[axis])


@pytest.mark.kinds(3)
@pytest.mark.slow
@pytest.mark.parametrize("pull", [4.0, 12.0, 40.0])
def test_of_two_bodies_on_each_other_both_rest_or_move_together_or_slip(pull):
    result = Guided(pull=pull).simulate(1.0, rtol=1e-9)
    ground, between = 0.2 * 3.0 * G, 0.4 * G
    together = max(pull - ground, 0.0) / 3.0
    lower, upper = together, together
    if together > between:
        lower, upper = (pull - ground - between) / 2.0, between
    assert result["lower_x.v"][-1] == pytest.approx(lower, abs=1e-9)
    assert result["upper_x.v"][-1] == pytest.approx(upper, abs=1e-9)
    assert result["ground.f_n"] == pytest.approx(3.0 * G, rel=1e-12)
    assert result["between.f_n"] == pytest.approx(G, rel=1e-12)


class Thrown(Model):
    """A box on three feet that is thrown over a table, in units of so many m, kg and s."""

    def build(self, length: float = 1.0, mass: float = 1.0, time: float = 1.0) -> None:
        self.world = World(g=G * time**2 / length)
        J = 0.02 / (mass * length**2)
        self.body = parts.Body(
            m=3.0 / mass, I_11=J, I_22=J, I_33=J, r_0=(0.0, 0.05 / length, 0.0),
            v_0=(0.8 * time / length, 0.0, 0.3 * time / length), w_0_start=(0.0, 2.0 * time, 0.0),
        )  # fmt: skip
        places = [(0.1 * math.cos(a), -0.05, 0.1 * math.sin(a)) for a in (0.3, 2.4, 4.5)]
        self.feet = [
            parts.FixedTranslation(r=tuple(x / length for x in place)) for place in places
        ]
        self.contacts = [forces.PointPlaneContact(mu=0.3) for _ in places]
        for foot, contact in zip(self.feet, self.contacts, strict=True):
            self.body.frame_a >> foot.frame_a
            self.world.frame_b >> contact.frame_a
            foot.frame_b >> contact.frame_b


@pytest.mark.slow
def test_units_do_not_matter():
    """The same motion in m, kg, s and in mm, g, ms."""
    one = Thrown().simulate(0.6, rtol=1e-9, output=30)
    other = Thrown(length=1e-3, mass=1e-3, time=1e-3).simulate(600.0, rtol=1e-9, output=30)
    assert one.complete and other.complete
    assert 1e-3 * other["body.r_0"] == pytest.approx(one["body.r_0"], abs=1e-8)
    assert len(one.events) == len(other.events)
    assert 1e-3 * np.array(other.events.times) == pytest.approx(one.events.times, abs=1e-7)
    assert np.abs(one["body.v_0"][-1]).max() < 1e-12


class Rod(Model):
    """A body in free flight that hits the ground beside its centre."""

    def build(self, e: float = 0.9, mu: float = 2.0) -> None:
        self.world = World(gravityType="none")
        self.body = parts.Body(
            m=1.0, I_11=0.05, I_22=0.05, I_33=INERTIA,
            r_0=(0.0, 0.01 - ARM[1], 0.0), v_0=(FAST, -1.0, 0.0), w_0_start=(0.0, 0.0, 0.0),
        )  # fmt: skip
        self.tip = parts.FixedTranslation(r=(*ARM, 0.0))
        self.contact = forces.PointPlaneContact(mu=mu, e=e)
        self.body.frame_a >> self.tip.frame_a
        self.world.frame_b >> self.contact.frame_a
        self.tip.frame_b >> self.contact.frame_b


INERTIA, ARM, FAST = 0.0056, (-0.19, -0.49), 2.05


def test_friction_does_not_turn_sliding_into_rebounds_that_gain_energy():
    """With the whole rebound the tip would stick and the body leave with more energy."""
    x, y = ARM
    D = np.eye(2) + np.array([[x * x, -x * y], [-x * y, y * y]]) / INERTIA
    before = np.array([-1.0, FAST])
    P = np.linalg.solve(D, np.array([0.9, 0.0]) - before)
    assert 0.0 < abs(P[1]) < 2.0 * P[0] and P @ (2.0 * before + D @ P) > 0.1
    result = Rod().simulate(0.02, rtol=1e-10)
    hits = [event for event in result.events if event.impulse]
    assert hits and hits[0].time == pytest.approx(0.01, abs=1e-12)
    energy = result.energy()["total"]
    start = 0.5 * (1.0 + FAST**2)
    assert energy[0] == pytest.approx(start) and energy[-1] <= start * (1.0 + 1e-12)
    assert energy[-1] == pytest.approx(start, rel=1e-9)  # the largest part that gains none
    gap = result["contact.gap"]
    assert gap.min() > -1e-12 and 0.0 < (gap[-1] - gap[-2]) / np.diff(result.time)[-1] < 0.9


@pytest.mark.slow
@pytest.mark.parametrize("angle", [5.0, 20.0])
def test_a_wedge_locks_below_its_angle_of_friction(angle):
    """A body presses on the slope of a wedge that slides on the ground.

    It drives the wedge out where tan(α − ρ) > tan ρ, both surfaces rubbing with ρ: α > 2 ρ.
    """
    mu, slope = math.tan(math.radians(6.0)), math.radians(angle)
    model = Model()
    model.world = World(g=G)
    model.slide, model.guide = joints.Prismatic(n=(1, 0, 0)), joints.Prismatic(n=(0, 1, 0))
    model.rise = joints.Prismatic(n=(0, 1, 0))
    model.wedge, model.weight = parts.Body(m=1e-3), parts.Body(m=2.0)
    model.ground = forces.PointPlaneContact(mu=mu)
    n = (math.sin(slope), math.cos(slope), 0.0)
    model.slope = forces.PointPlaneContact(mu=mu, n=n)
    model.world.frame_b >> model.slide.frame_a
    model.slide.frame_b >> model.rise.frame_a
    model.rise.frame_b >> model.wedge.frame_a
    model.world.frame_b >> model.guide.frame_a
    model.guide.frame_b >> model.weight.frame_a
    model.world.frame_b >> model.ground.frame_a
    model.ground.frame_b >> model.wedge.frame_a
    model.wedge.frame_a >> model.slope.frame_a
    model.slope.frame_b >> model.weight.frame_a
    result = model.simulate(0.01, rtol=1e-9)
    moved = abs(result["slide.s"][-1])
    assert (moved > 1e-6) == (angle > 12.0), moved
    if angle < 12.0:
        assert np.abs(result["slide.v"]).max() < 1e-15
