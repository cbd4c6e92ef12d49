"""Friction in the plane of a `Planar` joint: within a disc, against the velocity."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from motorik import Model, World, blocks
from motorik.errors import ParameterError
from motorik.forces import WorldForce
from motorik.joints import Coulomb, Planar
from motorik.parts import Body
from tests.refusals import refused

MASS = 1.5


class Puck(Model):
    """A body of 1.5 kg on a plane whose axis n_x is turned by an angle from the world's x."""

    def build(
        self,
        angle: float = 0.0,
        friction: object = Coulomb(f=2.0),
        v: tuple[float, float] = (3.0, 1.0),
        g: float = 0.0,
        push: bool = False,
    ) -> None:
        self.world = World(g=g, n=(0.6, 0.8, 0.0))
        c, s = np.cos(angle), np.sin(angle)
        self.joint = Planar(
            n="z", n_x=(c, s, 0), friction=friction, w=0.0, s_x=0.0, s_y=0.0,
            v_x=c * v[0] + s * v[1], v_y=-s * v[0] + c * v[1],
        )  # fmt: skip
        self.body = Body(m=MASS)
        self.world.frame_b >> self.joint.frame_a
        self.joint.frame_b >> self.body.frame_a
        if push:  # 2 t N along (0.6, 0.8)
            self.force = WorldForce()
            for k, part in enumerate((0.6, 0.8, 0.0)):
                source = blocks.TimeFunction(f=lambda t, part=part: 2.0 * part * t)
                source.y >> self.force.force[k]
            self.force.frame_b >> self.body.frame_a


@pytest.mark.parametrize("angle", [0.0, 0.7])
def test_it_stops_on_a_straight_line_whatever_the_axes(angle):
    """At m v / f, after m v² / 2 f along the velocity; all kinetic energy is lost."""
    result = Puck(angle=angle).simulate(4.0, rtol=1e-10)
    speed = np.hypot(3.0, 1.0)
    assert result.events[0].time == pytest.approx(MASS * speed / 2.0, rel=1e-9)
    way = MASS * speed**2 / 4.0
    end = np.asarray(result["body.frame_a.r_0"])[-1]
    np.testing.assert_allclose(end[:2], np.array([3.0, 1.0]) / speed * way, rtol=1e-9)
    lost = np.asarray(result["joint.lossPower"])
    moves = np.asarray(result.time) < result.events[0].time
    v = np.hypot(result["joint.v_x"], result["joint.v_y"])
    np.testing.assert_allclose(lost[moves], 2.0 * v[moves], rtol=1e-10)
    np.testing.assert_array_less(v[~moves], 1e-15)


def test_viscous_friction_acts_along_the_velocity():
    """m v̇ = −(f + d v): at rest after m/d · ln(1 + d v/f)."""
    result = Puck(friction=Coulomb(f=2.0, viscous=0.5)).simulate(4.0, rtol=1e-10)
    expected = MASS / 0.5 * np.log1p(0.5 * np.hypot(3.0, 1.0) / 2.0)
    assert result.events[0].time == pytest.approx(expected, rel=1e-9)
    v_x, v_y = np.asarray(result["joint.v_x"]), np.asarray(result["joint.v_y"])
    np.testing.assert_allclose(v_x, 3.0 * v_y, atol=1e-9)


@pytest.mark.slow
def test_a_puck_on_a_slope_agrees_with_another_solver_whatever_the_axes():
    g, f = 2.0, 2.0

    def rates(t, x):
        v = x[2:]
        return [*v, *(g * np.array([0.6, 0.8]) - f / MASS * v / np.hypot(*v))]

    start = [0.0, 0.0, -2.0, 3.0]
    other = solve_ivp(rates, (0.0, 3.0), start, rtol=1e-11, atol=1e-12)
    for angle in (0.0, 1.1):
        result = Puck(angle=angle, v=(-2.0, 3.0), g=g).simulate(3.0, rtol=1e-10)
        end = np.asarray(result["body.frame_a.r_0"])[-1]
        np.testing.assert_allclose(end[:2], other.y[:2, -1], atol=1e-7)


@pytest.mark.parametrize("peak", [1.0, 1.5])
def test_it_holds_obliquely_up_to_its_largest_force(peak):
    """A push of 2 t breaks it loose at peak · f / 2, in its own direction."""
    model = Puck(angle=0.4, friction=Coulomb(f=2.0, peak=peak), v=(0.0, 0.0), push=True)
    result = model.simulate(3.0, rtol=1e-10)
    assert result.events[0].time == pytest.approx(peak, rel=1e-9)
    v = (9.0 - peak**2 - 2.0 * (3.0 - peak)) / MASS  # ∫ (2 t − f) dt / m
    seen = np.asarray(result["body.frame_a.r_0"])[-1]
    assert seen[1] / seen[0] == pytest.approx(0.8 / 0.6, rel=1e-7)
    assert np.hypot(result["joint.v_x"][-1], result["joint.v_y"][-1]) == pytest.approx(
        v, rel=1e-7
    )


def test_axes_may_have_laws_of_their_own():
    one = Planar(friction={"s_x": Coulomb(f=1.0)})
    assert (one.prismatic_x.friction, one.rubbing.friction) == (Coulomb(f=1.0), None)
    both = Planar(friction=Coulomb(f=1.0))
    assert (both.prismatic_x.friction, both.rubbing.friction) == (None, Coulomb(f=1.0))
    with refused(ParameterError, "Planar", "all directions", "s_x"):
        Planar(friction={"s": Coulomb(f=1.0), "s_x": Coulomb(f=1.0)})


class Slot(Model):
    """A body in a plane, pressed against a stop of s_x by 40 N and pushed along y by t N."""

    def build(self) -> None:
        self.world = World(g=0.0)
        self.joint = Planar(friction=Coulomb(f=2.0), stops={"s_x": (None, 0.0)})
        self.body = Body(m=MASS)
        self.world.frame_b >> self.joint.frame_a
        self.joint.frame_b >> self.body.frame_a
        self.force = WorldForce()
        for k, law in enumerate((lambda t: 40.0 + 0.0 * t, lambda t: t, lambda t: 0.0 * t)):
            blocks.TimeFunction(f=law).y >> self.force.force[k]
        self.force.frame_b >> self.body.frame_a


@pytest.mark.parametrize("method", ["dopri5", "dop853", "bdf"])
def test_a_stop_leaves_all_friction_to_what_it_does_not_hold(method):
    """The body slips at t = 2, y = (t − 2)³ / 6 m; friction bears a hundredth of the 40 N or more.

    So it begins a little before: at 2² − (40 / 100)² or, as that is shared in steps, at 2² − 0.5².
    """
    result = Slot().simulate(3.0, method=method, rtol=1e-9, output=[0.0, 1.9, 2.5, 3.0])
    assert result.complete and result.info.steps < 2000
    begins = np.array([event.time for event in result.events if event.time > 0.0])
    assert (begins > np.sqrt(3.7)).all() and (begins < 2.0).all()
    y = np.maximum(result.time - 2.0, 0.0) ** 3 / (6.0 * MASS)
    np.testing.assert_allclose(result["joint.s_y"], y, atol=4e-5)
    np.testing.assert_allclose(result["joint.s_y"][1], 0.0, atol=1e-15)
    np.testing.assert_allclose(result["joint.s_x"], 0.0, atol=1e-15)
    pressed = result["joint.prismatic_x.f_stop"][-2:]
    np.testing.assert_allclose(pressed, -40.0, rtol=1e-6)
