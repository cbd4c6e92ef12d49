"""Bodies on several feet near the limit of friction: what rests, when it begins, how it moves."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import minimize

from motorik import Model, Parameter, World, blocks, cos, forces, parts, sin
from tests.covering import each_once

G, M, MU, H = 9.81, 3.0, 0.5, 0.05
FEET = [(-0.1, -0.1), (-0.1, 0.1), (0.1, -0.1), (0.1, 0.1)]
RING = [
    (0.1 * math.cos(0.25 * math.pi * k), 0.1 * math.sin(0.25 * math.pi * k))
    for k in range(8)
]
WEIGHT = MU * M * G
EXPLICIT = ["dopri5", "dop853", "adams", "gbs"]
FIXED = {"rk4": 1e-3, "euler": 1e-3}
FACTORS = [-1e-6, 0.0, 1e-9, 1e-6, 1e-3]


class Pushed(Model):
    """A box of 0.2 × 0.1 × 0.2 m on feet, pushed along x at a point of it by a ramp of 2 s."""

    def build(self, feet=FEET):
        self.beside, self.high = Parameter(0.0, unit="m"), Parameter(0.0, unit="m")
        self.offset, self.height = Parameter(0.0, unit="N"), Parameter(0.0, unit="N")
        self.alpha = Parameter(0.0, unit="rad")
        self.world = World(g=G, n=(sin(self.alpha), -cos(self.alpha), 0.0))
        J = M / 12.0 * np.array([0.04 + 4 * H * H, 0.08, 0.04 + 4 * H * H])
        self.body = parts.Body(m=M, I_11=J[0], I_22=J[1], I_33=J[2], r_0=(0.0, H, 0.0))
        self.feet = [parts.FixedTranslation(r=(x, -H, z)) for x, z in feet]
        self.contacts = [forces.PointPlaneContact(mu=MU) for _ in feet]
        for foot, contact in zip(self.feet, self.contacts, strict=True):
            self.body.frame_a >> foot.frame_a
            self.world.frame_b >> contact.frame_a
            foot.frame_b >> contact.frame_b
        self.handle, self.force = (
            parts.FixedTranslation(r=(0.0, self.high, self.beside)),
            forces.WorldForce(),
        )
        self.body.frame_a >> self.handle.frame_a
        self.force.frame_b >> self.handle.frame_b
        self.push = blocks.Ramp(height=self.height, offset=self.offset, duration=2.0)
        self.none = blocks.Constant(k=0.0)
        for axis, source in enumerate((self.push, self.none, self.none)):
            self.connect(source.y, self.force.force[axis])


@pytest.fixture(scope="module")
def box():
    """The box on four feet: one for all tests."""
    return Pushed()


class Point(Model):
    """A point mass on the floor, pushed along x."""

    def build(self):
        self.offset = Parameter(0.0, unit="N")
        self.world = World(g=G)
        self.body, self.contact = parts.PointMass(m=M), forces.PointPlaneContact(mu=MU)
        self.world.frame_b >> self.contact.frame_a
        self.contact.frame_b >> self.body.frame_a
        self.force, self.none = forces.WorldForce(), blocks.Constant(k=0.0)
        self.push = blocks.Ramp(height=0.0, offset=self.offset, duration=2.0)
        self.force.frame_b >> self.body.frame_a
        for axis, source in enumerate((self.push, self.none, self.none)):
            self.connect(source.y, self.force.force[axis])


def pushed_by(model, factor, method):
    """Push by 1 + factor of the limit for 1 s; return the result."""
    steps = {"step": FIXED[method]} if method in FIXED else {"rtol": 1e-8}
    given = {"offset": (1.0 + factor) * WEIGHT}
    return model.simulate(1.0, method=method, parameters=given, **steps)


@pytest.mark.kinds(2)
@pytest.mark.slow
@pytest.mark.parametrize(("factor", "method"), each_once(FACTORS, [*EXPLICIT, *FIXED]))
def test_four_feet_at_the_limit(box, factor, method):
    """x = ½ (F − μ m g) / m t², or nothing moves; in no more than some hundred steps."""
    result = pushed_by(box, factor, method)
    way = 0.5 * max(factor, 0.0) * MU * G
    first_order = 2e-3 * way if method == "euler" else 0.0
    np.testing.assert_allclose(
        result["body.r_0"][-1], [way, H, 0.0], atol=1e-14 + first_order
    )
    assert result.complete and result.info.steps < (1100 if method in FIXED else 700)
    if factor <= 0.0:
        assert abs(result["body.v_0"]).max() < 1e-30
        assert not result.events


@pytest.fixture(scope="module")
def point():
    """The point mass."""
    return Point()


@pytest.mark.parametrize("factor", FACTORS)
def test_one_foot_at_the_limit(point, factor):
    for method in (*EXPLICIT, "bdf"):
        result = pushed_by(point, factor, method)
        way = 0.5 * max(factor, 0.0) * MU * G
        close = 1e-9 if method == "bdf" else 1e-14
        assert result["body.r_0"][-1, 0] == pytest.approx(way, abs=close)
        assert result.complete and result.info.steps < 700


def limit_load(beside: float) -> float:
    """Return the force along x, at a point at the height of the feet, that moves the box.

    It is the least of all ratios of what friction takes to what the force gives, of all motions.
    """

    def ratio(u: np.ndarray) -> float:
        vx, vz, w = u
        lost = sum(MU * M * G / 4 * math.hypot(vx + w * z, vz - w * x) for x, z in FEET)
        given = vx + w * beside
        return lost / given if given > 1e-9 else 1e9

    starts = [(1.0, 0.0, w) for w in (-20.0, -5.0, 0.1, 5.0, 20.0)]
    options = {"xatol": 1e-13, "fatol": 1e-13, "maxiter": 10000, "maxfev": 10000}
    found = [minimize(ratio, u, method="Nelder-Mead", options=options).fun for u in starts]
    return float(min(found))


@pytest.mark.slow
@pytest.mark.parametrize("beside", [0.03, -0.07])
def test_a_box_pushed_beside_its_centre_begins_to_move_at_the_limit_load(box, beside):
    """Feet rest together as long as any friction holds them, whichever is at its limit before."""
    given = {"beside": beside, "high": -H, "height": 2.0 * WEIGHT}
    one, two = (
        box.simulate(2.0, method=method, rtol=1e-8, output=2001, parameters=given)
        for method in ("dopri5", "dop853")
    )
    begins = limit_load(beside) / WEIGHT
    for result in (one, two):
        assert result.complete and result.info.steps < 800
        assert result.events[0].time == pytest.approx(begins, abs=1e-8)
        assert abs(result["body.v_0"][result.time < begins]).max() < 1e-30
        for k in range(1, 5):
            normal, friction = result[f"contacts[{k}].f_n"], result[f"contacts[{k}].f_t"]
            assert (friction <= MU * normal * (1.0 + 1e-9)).all()
    for name in ("body.v_0", "body.w_a", "body.r_0"):
        np.testing.assert_allclose(one[name][-1], two[name][-1], atol=1e-6)
    # work of the push less what friction takes is the energy
    w = two["body.w_a"][:, 1]
    turned = np.concatenate([[0.0], np.cumsum(0.5 * (w[1:] + w[:-1]) * np.diff(two.time))])
    power = two["push.y"] * (two["body.v_0"][:, 0] + beside * np.cos(turned) * w)
    lost = sum(two[f"contacts[{k}].lossPower"] for k in range(1, 5))
    v, w = two["body.v_0"][-1], two["body.w_a"][-1, 1]
    energy = 0.5 * M * (v @ v) + 0.5 * M / 12.0 * 0.08 * w * w
    assert np.trapezoid(power - lost, two.time) == pytest.approx(energy, rel=1e-5)


@pytest.mark.kinds(1)
@pytest.mark.parametrize("method", FIXED)
def test_steps_of_fixed_size_follow_what_begins_to_turn(box, method):
    given = {"beside": 0.03, "high": -H, "height": 2.0 * WEIGHT}
    exact = box.simulate(2.0, method="dopri5", rtol=1e-8, parameters=given)
    result = box.simulate(2.0, method=method, step=FIXED[method], parameters=given)
    near = 1e-4 if method == "rk4" else 2e-2
    for name in ("body.v_0", "body.w_a"):
        np.testing.assert_allclose(result[name][-1], exact[name][-1], atol=near)


@pytest.mark.slow
def test_eight_feet_begin_at_the_limit():
    given = {"height": 2.0 * WEIGHT}
    result = Pushed(feet=RING).simulate(2.0, method="dopri5", rtol=1e-8, parameters=given)
    assert result.events[0].time == pytest.approx(1.0, abs=2e-9)
    assert len(result.events) == 8 and result.info.steps < 1000
    np.testing.assert_allclose(result["body.v_0"][-1], [0.5 * MU * G, 0.0, 0.0], atol=1e-12)


@pytest.mark.parametrize("above", [-1e-3, -1e-6, 1e-6, 1e-2])
def test_a_box_on_an_incline(box, above):
    """It rests below the angle of friction, and slides above by g (sin α − μ cos α)."""
    alpha = math.atan(MU) + above
    result = box.simulate(1.0, method="dopri5", rtol=1e-8, parameters={"alpha": alpha})
    a = max(0.0, G * (math.sin(alpha) - MU * math.cos(alpha)))
    np.testing.assert_allclose(result["body.r_0"][-1], [0.5 * a, H, 0.0], atol=1e-12)
    assert result.info.steps < 300
    if above < 0.0:
        assert abs(result["body.v_0"]).max() < 1e-30
