"""Contact of points and balls with planes: friction in any direction, hits, rolling, tipping."""

from __future__ import annotations

import math

import numpy as np
import pytest

from motorik import Model, World, parts
from motorik.errors import IncompleteRunWarning
from motorik.forces import PointPlaneContact
from tests.covering import each_once

G = 9.81
METHODS = ["dopri5", "dop853", "gbs", "adams", "bdf"]


class Block(Model):
    """A point mass on an incline that falls along x by the angle alpha."""

    def build(self, alpha=0.0, mu=0.4, e=0.0, r=(0.0, 0.0, 0.0), v=(0.0, 0.0, 0.0)):
        self.world = World(g=G, n=(math.sin(alpha), -math.cos(alpha), 0.0))
        self.body = parts.PointMass(m=2.0, r_0=r, v_0=v)
        self.contact = PointPlaneContact(mu=mu, e=e)
        self.world.frame_b >> self.contact.frame_a
        self.contact.frame_b >> self.body.frame_a


class Ball(Model):
    """A ball of 1 kg and 0.1 m on the floor, moving along x."""

    def build(self, v=(2.0, 0.0, 0.0), w=(0.0, 0.0, 0.0), y=0.1, mu=0.2, e=0.0):
        self.world = World(g=G)
        J = 0.4 * 1.0 * 0.1**2
        inertia = {"I_11": J, "I_22": J, "I_33": J}
        start = {"r_0": (0.0, y, 0.0), "v_0": v, "w_0_start": w}
        self.body = parts.Body(m=1.0, **inertia, **start)
        self.contact = PointPlaneContact(mu=mu, e=e, radius=0.1)
        self.world.frame_b >> self.contact.frame_a
        self.contact.frame_b >> self.body.frame_a


@pytest.mark.kinds(3)
@pytest.mark.slow
@pytest.mark.parametrize(("above", "method"), each_once([-0.1, -1e-6, 1e-6, 0.2], METHODS))
def test_a_block_sticks_below_the_angle_of_friction_and_slides_above(above, method):
    alpha = math.atan(0.4) + above
    result = Block(alpha=alpha).simulate(1.0, method=method)
    a = max(0.0, G * (math.sin(alpha) - 0.4 * math.cos(alpha)))
    np.testing.assert_allclose(result["body.v_0"][-1], [a, 0.0, 0.0], atol=1e-10)
    assert result["contact.stuck"][-1] == (above < 0.0)
    np.testing.assert_allclose(result["contact.f_n"], 2.0 * G * math.cos(alpha), rtol=1e-12)
    if above < 0.0:
        assert result["body.v_0"][-1, 0] == 0.0


@pytest.mark.kinds(3)
@pytest.mark.parametrize("method", METHODS)
def test_a_block_that_slides_stops(method):
    """|v|² / (2 μ g) along its own direction, whatever that is."""
    result = Block(v=(3.0, 0.0, -4.0)).simulate(3.0, method=method, rtol=1e-9)
    way = 25.0 / (2.0 * 0.4 * G)
    np.testing.assert_allclose(
        result["body.r_0"][-1], [0.6 * way, 0.0, -0.8 * way], atol=1e-8
    )
    assert abs(result["body.v_0"][-1]).max() < 1e-15
    heat = np.trapezoid(result["contact.lossPower"], result.time)
    assert heat == pytest.approx(25.0, rel=1e-3)


@pytest.mark.kinds(3)
@pytest.mark.parametrize("method", METHODS)
def test_a_block_across_a_critical_incline_keeps_half_its_speed(method):
    """With tan α = μ, the speed and its part downhill have a constant sum: v₀ → v₀ / 2."""
    result = Block(alpha=math.atan(0.4), v=(0.0, 0.0, 3.0)).simulate(
        20.0, method=method, rtol=1e-9
    )
    v = result["body.v_0"]
    tight = 1e-6 if method == "bdf" else 1e-7
    np.testing.assert_allclose(np.linalg.norm(v, axis=1) + v[:, 0], 3.0, rtol=tight)
    np.testing.assert_allclose(v[-1], [1.5, 0.0, 0.0], atol=1e-3)


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_a_ball_that_slides_begins_to_roll(method):
    """It rolls with 5/7 of its speed after 2 v / (7 μ g)."""
    result = Ball().simulate(2.0, method=method, rtol=1e-9, output=2001)
    roll = 2.0 * 2.0 / (7.0 * 0.2 * G)
    v = np.where(result.time < roll, 2.0 - 0.2 * G * result.time, 10.0 / 7.0)
    np.testing.assert_allclose(result["body.v_0"][:, 0], v, atol=1e-6)
    np.testing.assert_allclose(result["contact.v_t"][-1], 0.0, atol=1e-12)
    assert result["contact.f_t"][-1] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.kinds(2)
@pytest.mark.slow
@pytest.mark.parametrize("e", [0.0, 0.5, 0.9])
@pytest.mark.parametrize("v", [0.5, 3.0])
def test_a_hit_with_friction(e, v):
    """Friction gives at most μ (1 + e) v_n, and no more than makes it roll: 2/7 of its speed."""
    model = Ball(v=(0.8 * v, -4.0, 0.6 * v), y=0.1, mu=0.1, e=e)
    result = model.simulate(1e-4)
    change = min(0.1 * (1.0 + e) * 4.0, 2.0 / 7.0 * v)
    after = result["body.v_0"][-1]
    assert after[1] == pytest.approx(4.0 * e, abs=2e-3)
    np.testing.assert_allclose(
        after[[0, 2]], np.array([0.8, 0.6]) * (v - change), atol=2e-4
    )


def test_a_ball_bounces():
    """From 1 m with e = 0.5 all hits are over at t₀ (1 + e) / (1 − e), t₀ = √(2 h / g)."""
    result = Block(r=(0.0, 1.0, 0.0), v=(1.0, 0.0, 0.0), mu=0.0, e=0.5).simulate(2.0)
    over = math.sqrt(2.0 / G) * 3.0
    closed = result.time[result["contact.contact"] > 0.5]
    assert closed[0] == pytest.approx(over, abs=0.005)
    assert result["body.r_0"][-1] == pytest.approx([2.0, 0.0, 0.0], abs=1e-9)


class Table(Model):
    """A box of 0.2 × 2h × 0.2 m on four corners, on an incline."""

    def build(self, alpha=0.0, mu=0.5, h=0.1):
        self.world = World(g=G, n=(math.sin(alpha), -math.cos(alpha), 0.0))
        m = 3.0
        J = m / 12.0 * np.array([0.2**2 + 4 * h * h, 2 * 0.2**2, 0.2**2 + 4 * h * h])
        inertia = dict(zip(("I_11", "I_22", "I_33"), J.tolist(), strict=True))
        self.body = parts.Body(m=m, **inertia, r_0=(0.0, h, 0.0))
        corners = [(x, -h, z) for x in (-0.1, 0.1) for z in (-0.1, 0.1)]
        self.feet = [parts.FixedTranslation(r=corner) for corner in corners]
        self.contacts = [PointPlaneContact(mu=mu) for _ in corners]
        for foot, contact in zip(self.feet, self.contacts, strict=True):
            self.body.frame_a >> foot.frame_a
            self.world.frame_b >> contact.frame_a
            foot.frame_b >> contact.frame_b


@pytest.mark.slow
def test_a_box_rests_on_four_feet():
    alpha = math.atan(0.5) - 0.05
    result = Table(alpha=alpha, h=0.05).simulate(0.5)
    assert result.time[-1] == 0.5
    np.testing.assert_allclose(result["body.v_0"][-1], 0.0, atol=1e-15)
    total = sum(result[f"contacts[{k}].f_n"][-1] for k in (1, 2, 3, 4))
    assert total == pytest.approx(3.0 * G * math.cos(alpha), rel=1e-8)


def test_a_tall_box_tips_over_its_lower_edge():
    """It tips where tan α is more than half its width by half its height, by its own moment."""
    alpha, h = 0.5, 0.25
    result = Table(alpha=alpha, mu=2.0, h=h).simulate(0.05, output=51)
    J = 3.0 / 12.0 * (0.2**2 + 4 * h * h) + 3.0 * (0.1**2 + h * h)
    moment = 3.0 * G * (math.sin(alpha) * h - math.cos(alpha) * 0.1)
    assert result["body.z_a"][1][2] == pytest.approx(-moment / J, rel=1e-4)
    assert result["contacts[1].contact"][-1] == 0.0
    assert result["contacts[3].contact"][-1] == 1.0


class Rod(Model):
    """Painlevé's rod: 1 kg, 2 m, on its lower end, which slides towards the side it leans to."""

    def build(self, mu=0.5, angle=1.0):
        self.world = World(g=G)
        c, s = math.cos(angle), math.sin(angle)
        inertia = {"I_11": 1 / 3, "I_22": 1 / 3, "I_33": 1 / 3}
        start = {"r_0": (0.0, s, 0.0), "v_0": (1.0, 0.0, 0.0)}
        self.rod = parts.Body(m=1.0, **inertia, **start)
        self.end = parts.FixedTranslation(r=(c, -s, 0.0))
        self.contact = PointPlaneContact(mu=mu)
        self.rod.frame_a >> self.end.frame_a
        self.end.frame_b >> self.contact.frame_b
        self.world.frame_b >> self.contact.frame_a


@pytest.mark.slow
@pytest.mark.parametrize("mu", [0.3, 1.2])
def test_the_normal_force_grows_with_friction(mu):
    """λ_n = g / (D_nn − μ |D_nt|), D_nn = 1 + 3 cos², D_nt = 3 sin cos of the angle."""
    c, s = math.cos(1.0), math.sin(1.0)
    result = Rod(mu=mu).simulate(1e-6)
    assert result["contact.f_n"][-1] == pytest.approx(
        G / (1 + 3 * c * c - mu * 3 * s * c), rel=1e-5
    )
    np.testing.assert_allclose(result["contact.f_t"], mu * result["contact.f_n"], rtol=1e-9)


@pytest.mark.slow
def test_without_any_solution_the_contact_is_named():
    with pytest.warns(IncompleteRunWarning, match=r"contact\..*Painlevé"):
        Rod(mu=1.6).simulate(1e-3)


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("method", ["bosh3", *METHODS])
def test_a_ball_that_turns_while_it_slides_rolls_at_last(method):
    """Down a slope on which rolling needs 97 % of the friction there is: (2/7) m g sin α."""
    alpha = 0.1
    model = Ball(v=(0.0, 0.0, 0.05), mu=2.0 / 7.0 * math.tan(alpha) / 0.97)
    model.world.n = (math.sin(alpha), -math.cos(alpha), 0.0)
    result = model.simulate(3.0, method=method, rtol=1e-7, output=[0.0, 3.0])
    assert result.complete and result.info.steps < 4000
    assert result["contact.stuck"][-1] == 1.0
    needed = 2.0 / 7.0 * G * math.sin(alpha)
    assert result["contact.f_t"][-1] == pytest.approx(needed, rel=1e-9)
    # friction has no moment about the point of contact: 7/5 of the speed, and all of it before
    v = np.asarray(result["body.v_0"])[-1, [0, 2]] * 7.0 / 5.0
    np.testing.assert_allclose(v, [3.0 * G * math.sin(alpha), 0.05], rtol=1e-4)


def test_friction_of_an_open_contact_is_told_as_open():
    """A block flies, lands, slides to rest; friction is one line, not one for each axis."""
    model = Block(mu=0.4, r=(0.0, 1.0, 0.0), v=(3.0, 0.0, 0.0))
    assert "  contact.friction: open\n" in model.explain()
    assert "friction_across" not in model.explain()
    events = [e for e in model.simulate(2.0).events if e.part == "contact.friction"]
    hit, *turns = [(e.what, e.before, e.after) for e in events]
    assert hit == ("carries an impulse", "open", "open")
    assert turns == [("slips", "open", "slipping"), ("sticks", "slipping", "stuck")]
    # the hit takes μ times its impulse from the speed, as sliding from the beginning would
    assert events[-1].time == pytest.approx(3.0 / (0.4 * G), rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["dopri5", "gbs"])
def test_events_are_in_order_where_bounces_end(method):
    """What closes at the end of endless bounces, and the friction that it presses, is one."""
    events = Ball(y=1.0, e=0.5).simulate(4.0, method=method).events
    assert np.all(np.diff(events.times) >= 0.0)
    closes, sticks = events[-2:]
    assert (closes.part, closes.what) == ("contact.normal", "closes")
    assert (sticks.part, sticks.before) == ("contact.friction", "open")
    assert closes.time == sticks.time
    impulses = [abs(event.impulse) for event in events if event.impulse]
    assert min(impulses) > 1e-14 * max(impulses)
