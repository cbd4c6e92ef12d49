"""A box on several feet with friction: normal and friction forces are redundant."""

from __future__ import annotations

import math

import numpy as np
import pytest

from motorik import Model, World, blocks, forces, parts

G, M, MU = 9.81, 3.0, 0.5
FEET = {
    3: ((0.1, 0.0), (-0.1, 0.1), (-0.1, -0.1)),
    4: ((-0.1, -0.1), (-0.1, 0.1), (0.1, -0.1), (0.1, 0.1)),
}


class Box(Model):
    """A box of 0.2 × 2h × 0.2 m, pushed at its centre along x."""

    def build(self, n=4, h=0.05, v=(0.0, 0.0, 0.0), w=(0.0, 0.0, 0.0), push=(0.0, 0.0)):
        self.world = World(g=G)
        J = M / 12.0 * np.array([0.2**2 + 4 * h * h, 2 * 0.2**2, 0.2**2 + 4 * h * h])
        inertia = dict(zip(("I_11", "I_22", "I_33"), J.tolist(), strict=True))
        self.body = parts.Body(m=M, **inertia, r_0=(0.0, h, 0.0), v_0=v, w_0_start=w)
        self.feet = [parts.FixedTranslation(r=(x, -h, z)) for x, z in FEET[n]]
        self.contacts = [forces.PointPlaneContact(mu=MU) for _ in FEET[n]]
        for foot, contact in zip(self.feet, self.contacts, strict=True):
            self.body.frame_a >> foot.frame_a
            self.world.frame_b >> contact.frame_a
            foot.frame_b >> contact.frame_b
        self.force = forces.WorldForce()
        self.force.frame_b >> self.body.frame_a
        self.push = blocks.Ramp(height=push[1] - push[0], offset=push[0], duration=2.0)
        self.none = blocks.Constant(k=0.0)
        for axis, source in enumerate((self.push, self.none, self.none)):
            self.connect(source.y, self.force.force[axis])


@pytest.mark.parametrize("n", [3, 4])
def test_a_box_that_slides_stops_and_rests(n):
    """|v|² / (2 μ g), whatever the share of the load; then an hour without drift."""
    result = Box(n=n, v=(0.6, 0.0, 0.8)).simulate(3600.0, method="dopri5", rtol=1e-9)
    way = 1.0 / (2.0 * MU * G)
    np.testing.assert_allclose(
        result["body.r_0"][-1], [0.6 * way, 0.05, 0.8 * way], atol=1e-9
    )
    assert abs(result["body.v_0"][-1]).max() < 1e-30
    assert result.events[0].time == pytest.approx(1.0 / (MU * G), abs=1e-9)
    assert len(result.events) == n and result.info.steps < 100


@pytest.mark.parametrize("method", ["dopri5", "dop853"])
def test_a_box_that_turns_and_slides_loses_what_friction_takes(method):
    """All feet slide in other directions, and stop at one instant."""
    start = 0.5 * M * 0.01 + 0.5 * M / 6.0 * 0.04 * 100.0
    model = Box(v=(0.1, 0.0, 0.0), w=(0.0, 10.0, 0.0))
    result = model.simulate(0.2, method=method, rtol=1e-8, output=4001)
    heat = sum(result[f"contacts[{k}].lossPower"] for k in (1, 2, 3, 4))
    assert np.trapezoid(heat, result.time) == pytest.approx(start, rel=1e-3)
    assert len(set(result.events.times)) == 1 and result.info.steps < 300
    assert abs(result["body.v_0"][-1]).max() < 1e-15
    assert abs(result["body.w_a"][-1]).max() < 1e-15


def test_a_box_begins_to_slide_at_the_limit():
    """With F = μ m g t it begins at 1 s, although rear feet alone would slip at 0.8 s."""
    result = Box(push=(0.0, 2.0 * MU * M * G)).simulate(2.0, method="dopri5", rtol=1e-8)
    np.testing.assert_allclose(result.events.times, 1.0, atol=1e-9)
    assert result["body.v_0"][-1][0] == pytest.approx(0.5 * MU * G, abs=1e-8)
    assert result.info.steps < 200


def test_a_box_that_rocks_loses_speed_as_housner_says():
    """Landing on the other edge leaves 1 − 3/2 sin² α of its speed, tan α = width / height."""
    h = 0.2
    model = Box(h=h, w=(0.0, 0.0, -0.3), v=(0.3 * h, 0.3 * 0.1, 0.0))
    result = model.simulate(2.0, method="dopri5", rtol=1e-9)
    assert result.complete
    hit = next(k for k, one in enumerate(result.events) if one.what == "hits")
    at = result.at_event(hit)
    ratio = 1.0 - 1.5 * math.sin(math.atan(0.1 / h)) ** 2
    assert np.ravel(at.after["body.w_a"])[2] / np.ravel(at.before["body.w_a"])[
        2
    ] == pytest.approx(ratio, rel=1e-7)
    assert abs(result["body.w_a"][-1]).max() < 1e-12
    lost = sum(one.energy_lost or 0.0 for one in result.events)
    E = 0.5 * (M * 0.09 * (h * h + 0.01) + M / 12.0 * (0.04 + 4 * h * h) * 0.09)
    assert lost == pytest.approx(E, rel=1e-6)


@pytest.mark.parametrize("height", [0.0, 0.01])
def test_no_foot_pulls_where_the_centre_of_mass_is_near_another(height):
    """Of springs, one would: three feet bear the weight and its moments."""
    model = Box(h=0.005, v=(1.0, 0.0, 0.0))
    model.body.r_CM, model.body.r_0 = (0.095, 0.0, 0.09), (0.0, 0.005 + height, 0.0)
    result = model.simulate(0.5, rtol=1e-8)
    assert result.complete
    f_n = np.array([result[f"contacts[{k}].f_n"] for k in (1, 2, 3, 4)]) / (M * G)
    assert f_n.min() > -1e-9
    at = np.array(FEET[4]).T @ f_n[:, -1]  # at rest again
    np.testing.assert_allclose([f_n[:, -1].sum(), *at], [1.0, 0.095, 0.09], atol=1e-6)
