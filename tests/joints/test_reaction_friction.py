"""Friction of joints from their own reaction, against closed forms and independent integration."""

from __future__ import annotations

from math import atan, cos, pi, sin
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from motorik import (
    Body,
    BodyShape,
    FixedTranslation,
    Model,
    Parameter,
    Revolute,
    World,
    guess,
)
from motorik.errors import AssemblyError, IncompleteRunWarning
from motorik.joints import Coulomb, Cylindrical, Prismatic, Screw, Spherical, Stribeck
from tests.joints.models import METHODS, STRATEGIES, FourBar, Pendulum, run
from tests.refusals import refused

G = 9.81


class Incline(Model):
    """A block of 2 kg on a slope of the angle alpha."""

    def build(self, alpha: float = 0.3, **options: Any) -> None:
        """Let it slide along the slope."""
        self.world = World(g=G)
        self.slide = Prismatic(n=(cos(alpha), sin(alpha), 0.0), **options)
        self.block = Body(m=2.0, I_11=1.0, I_22=1.0, I_33=1.0)
        self.world.frame_b >> self.slide.frame_a
        self.slide.frame_b >> self.block.frame_a


@pytest.mark.parametrize("method", METHODS)
def test_a_block_on_a_slope_stops_and_slides_back(method):
    # up with g (sin α + μ cos α) against it, then down with g (sin α − μ cos α)
    alpha, mu, v = 0.5, 0.3, 2.0
    model = Incline(alpha=alpha, v=v, friction=Coulomb(mu=mu))
    rtol = 1e-9 if method == "bdf" else 1e-10
    result, seen = run(model, 1.0, method=method, rtol=rtol)
    up, down = (G * (sin(alpha) + sign * mu * cos(alpha)) for sign in (1.0, -1.0))
    (turned,) = [event.time for event in seen]
    assert turned == pytest.approx(v / up, rel=1e-9)
    assert result["slide.v"][-1] == pytest.approx(-down * (1.0 - v / up), rel=1e-8)
    np.testing.assert_allclose(result["slide.load"], 2.0 * G * cos(alpha), rtol=1e-13)


@pytest.mark.parametrize("excess", [-1e-6, 1e-6])
def test_a_block_holds_up_to_the_angle_of_friction(excess):
    mu = 0.4
    model = Incline(alpha=atan(mu) + excess, friction=Coulomb(mu=mu))
    result, _ = run(model, 10.0)
    assert (abs(result["slide.s"][-1]) > 1e-9) == (excess > 0.0)
    if excess < 0.0:
        assert np.ptp(result["slide.s"]) == 0.0
        weight = 2.0 * G * sin(atan(mu) + excess)
        assert result["slide.f_friction"][-1] == pytest.approx(weight, rel=1e-13)


def pendulum_rate(x: np.ndarray, way: float, mu: float, r: float) -> list[float]:
    """Return φ̇, ω̇ of the pendulum of the models, the friction from the force at its hinge.

    (J + m L²) α = −m g L cos φ − way μ r |F|, with F = m (a − g): a quadratic equation for α.
    """
    m, L, J = 2.0, 0.5, 0.1 + 2.0 * 0.25
    phi, w = x
    s, c = sin(phi), cos(phi)
    # F / m = p + q α
    p, q = np.array([-L * w * w * c, G - L * w * w * s]), np.array([-L * s, L * c])
    k = way * mu * r * m
    drive = -m * G * L * c

    def missing(alpha: float) -> float:
        return J * alpha - drive + k * float(np.hypot(*(p + q * alpha)))

    found: Any = brentq(missing, -1e3, 1e3, xtol=1e-14)
    return [w, float(found)]


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_a_pendulum_rubs_by_the_force_at_its_hinge(method):
    mu, r = 0.3, 0.2
    model = Pendulum(friction=Coulomb(mu=mu, radius=r), phi=0.0, w=0.0)
    rtol = 1e-9 if method == "bdf" else 1e-11
    result, seen = run(model, 3.0, method=method, rtol=rtol)
    t, x, way, turned = 0.0, [0.0, 0.0], -1.0, []
    while t < 3.0:

        def rests(t, x):
            return x[1]

        rests.terminal, rests.direction = True, -way  # type: ignore[attr-defined]
        part = solve_ivp(
            lambda t, x, way=way: pendulum_rate(x, way, mu, r),
            (t, 3.0),
            x,
            rtol=1e-11,
            atol=1e-12,
            events=rests,
        )
        t, x = part.t[-1], [part.y[0, -1], 0.0 if part.status else part.y[1, -1]]
        if part.status:
            turned.append(t)
            way = -way
            if pendulum_rate(np.array(x), way, mu, r)[1] * way <= 0.0:
                break  # it sticks
    times = [event.time for event in seen][: len(turned)]
    assert times == pytest.approx(turned, abs=3e-7 if method == "bdf" else 1e-8)
    assert len(turned) >= 2
    moving = np.abs(result["joint.w"]) > 1e-9
    slip = np.abs(result["joint.tau_friction"][moving])
    np.testing.assert_allclose(slip, mu * result["joint.load"][moving], rtol=1e-12)


@pytest.mark.slow
def test_energy_is_kept_but_for_what_friction_takes():
    law = Stribeck(mu=0.2, stribeck=0.1, fexp=2.0, viscous=0.05, radius=0.1)
    model = Pendulum(friction=law, phi=0.3, w=1.0)
    result, _ = run(model, 4.0, rtol=1e-10, output=4001)
    phi, w = result["joint.phi"], result["joint.w"]
    energy = 0.5 * 0.6 * w**2 + 2.0 * G * 0.5 * np.sin(phi)
    lost = np.trapezoid(result["joint.lossPower"], result.time)
    assert energy[0] - energy[-1] == pytest.approx(lost, rel=1e-5)
    assert np.all(result["joint.lossPower"] >= 0.0)
    moving = np.abs(w) > 1e-9
    dry = (0.2 + 0.1 * np.exp(-2.0 * np.abs(w))) * result["joint.load"]
    wanted = dry + 0.05 * np.abs(w)
    found = np.abs(result["joint.tau_friction"])
    np.testing.assert_allclose(found[moving], wanted[moving], rtol=1e-12)


def test_thrust_and_tilting_moment_rub_by_their_arms():
    # a rod along x that turns about y, at rest under its weight along −y: thrust m g, tilting
    # moment m g L, no radial force at low speed
    law = Coulomb(mu=0.1, radius=0.02, friction_arm=0.03, bending_arm=0.2)
    model = Pendulum(joint=Revolute, n="y", friction=law, w=1e-3)
    result, _ = run(model, 0.001)
    m, L, w = 2.0, 0.5, result["joint.w"]
    across = m * L * np.hypot(w**2, result["joint.a"])
    load = 0.02 * across + 0.03 * m * G + 0.02 * m * G * L / 0.2
    # the moment about the axis across the rod has a small part of the spin
    np.testing.assert_allclose(result["joint.load"], load, rtol=1e-6)


def test_a_guide_takes_moments_by_its_arms():
    # a rod along x on a slide along z: normal force m g, moment m g L about z, the axis
    law = Coulomb(mu=0.1, torsion_arm=0.05)
    result, _ = run(Pendulum(joint=Prismatic, n="z", v=1.0, friction=law), 0.01)
    np.testing.assert_allclose(result["joint.load"], 2.0 * G * (1.0 + 0.5 / 0.05))
    law = Coulomb(mu=0.1, bending_arm=0.05)
    result, _ = run(Pendulum(joint=Prismatic, n="x", v=1.0, friction=law), 0.01)
    np.testing.assert_allclose(result["joint.load"], 2.0 * G * (1.0 + 0.5 / 0.05))


@pytest.mark.parametrize("factor", [0.999, 1.001])
def test_a_screw_locks_itself_below_the_angle_of_friction(factor):
    # a nut of 2 kg on a vertical screw, free to turn: it stays for tan α < μ
    r, lead = 0.01, 0.02
    climb = lead / (2 * pi * r)
    law = Coulomb(mu=climb * factor, radius=r)
    model = Pendulum(joint=Screw, n="y", lead=lead, friction=law)
    result, _ = run(model, 1.0)
    assert (np.ptp(result["joint.phi"]) > 1e-9) == (factor < 1.0)


def test_a_screw_turns_down_as_the_thread_says():
    # N cos α + T sin α carries the weight less m a, r (T cos α − N sin α) turns the nut, T = μ N
    r, lead, mu, m, J = 0.05, 0.2, 0.1, 2.0, 0.1 + 2.0 * 0.25
    h = lead / (2 * pi)
    alpha = atan(h / r)
    model = Pendulum(joint=Screw, n="y", lead=lead, friction=Coulomb(mu=mu, radius=r))
    result, _ = run(model, 1.0, rtol=1e-10)
    s, c = sin(alpha), cos(alpha)
    # unknowns: angular acceleration φ̈ < 0, normal force N
    A = np.array([[m * h, -(c + mu * s)], [J, -r * (mu * c - s)]])
    turning, normal = np.linalg.solve(A, [-m * G, 0.0])
    assert turning < 0.0
    assert result["joint.w"][-1] == pytest.approx(turning, rel=1e-9)
    load = normal * r / c  # what mu times makes a torque of, at the speed of turning
    np.testing.assert_allclose(result["joint.load"], load, rtol=1e-10)


@pytest.mark.slow
def test_a_ball_joint_rubs_by_its_force():
    law = Coulomb(mu=0.2, radius=0.1)
    model = Pendulum(joint=Spherical, friction=law, w_rel_a_start=(0.0, 0.0, 1.0))
    result, _ = run(model, 0.2, rtol=1e-10)
    twin = Pendulum(friction=law, phi=0.0, w=1.0)
    other, _ = run(twin, 0.2, rtol=1e-10)
    np.testing.assert_allclose(
        result["joint.t_friction"][:, 2], other["joint.tau_friction"], rtol=1e-7
    )


def test_a_cylindrical_joint_rubs_both_ways_by_its_lateral_force():
    laws = {"s": Coulomb(mu=0.1), "phi": Coulomb(mu=0.2, radius=0.03)}
    model = Pendulum(joint=Cylindrical, n="x", v=1.0, w=2.0, friction=laws)
    result, _ = run(model, 0.05, rtol=1e-10)
    load = 2.0 * G
    np.testing.assert_allclose(result["joint.prismatic.f_friction"], -0.1 * load)
    np.testing.assert_allclose(result["joint.revolute.tau_friction"], -0.2 * 0.03 * load)


# --- closed loops -----------------------------------------------------------------------------


class SliderCrank(Model):
    """Crank, rod and piston in the xy-plane, the piston on a guide with friction."""

    r, L = 0.2, 0.5

    def build(self, friction: Any = None, w: float = 10.0) -> None:
        """Build it from the crank to the guide."""
        r, L = self.r, self.L
        self.world = World(g=G)
        self.hinge = Revolute(phi=0.3, w=w)
        self.crank = BodyShape(
            r=(r, 0, 0), r_CM=(r / 2, 0, 0), m=1.0, I_11=0.01, I_22=0.01, I_33=0.01
        )
        self.pin = Revolute(phi=guess(-0.5))
        self.rod = BodyShape(
            r=(L, 0, 0), r_CM=(L / 2, 0, 0), m=0.8, I_11=0.02, I_22=0.02, I_33=0.02
        )
        self.wrist = Revolute()
        self.slide = Prismatic(n="x", s=guess(0.6), friction=friction)
        self.piston = Body(m=0.5)
        ground = self.world.frame_b
        ground >> self.hinge.frame_a
        self.hinge.frame_b >> self.crank.frame_a
        self.crank.frame_b >> self.pin.frame_a
        self.pin.frame_b >> self.rod.frame_a
        ground >> self.slide.frame_a
        self.slide.frame_b >> self.piston.frame_a
        self.slide.frame_b >> self.wrist.frame_a
        self.wrist.frame_b >> self.rod.frame_b


def slider_crank_rate(phi: float, w: float, mu: float) -> tuple[float, float, float]:
    """Return φ̈, the normal force and the speed of the piston, by Newton's and Euler's laws.

    Unknowns: φ̈, θ̈ of the rod, s̈, forces at both ends of the rod, normal force N, all linear
    but for the friction −sgn(v) μ |N|, so that both signs of N are tried.
    """
    r, L = SliderCrank.r, SliderCrank.L
    m, J = (1.0, 0.8, 0.5), (0.01, 0.02)
    theta = -np.arcsin(r * sin(phi) / L)
    sp, cp, st, ct = sin(phi), cos(phi), sin(theta), cos(theta)
    rod = -r * cp * w / (L * ct)
    v = -r * sp * w - L * st * rod
    found = []
    for side in (1.0, -1.0):
        # x = (φ̈, θ̈, s̈, A_x, A_y, B_x, B_y, N); A on the rod from the crank, B from the piston
        rows, right = np.zeros((8, 8)), np.zeros(8)
        rows[0, [0, 1]], right[0] = (r * cp, L * ct), r * sp * w**2 + L * st * rod**2
        rows[1, [0, 1, 2]] = -r * sp, -L * st, -1.0
        right[1] = r * cp * w**2 + L * ct * rod**2
        # crank about its hinge
        rows[2, [0, 3, 4]] = J[0] + m[0] * r * r / 4, -r * sp, r * cp
        right[2] = -m[0] * G * r / 2 * cp
        # rod: its centre, and about it
        rows[3, [0, 1, 3, 5]] = -m[1] * r * sp, -m[1] * L / 2 * st, -1.0, -1.0
        right[3] = m[1] * (r * cp * w**2 + L / 2 * ct * rod**2)
        rows[4, [0, 1, 4, 6]] = m[1] * r * cp, m[1] * L / 2 * ct, -1.0, -1.0
        right[4] = m[1] * (r * sp * w**2 + L / 2 * st * rod**2) - m[1] * G
        rows[5, [1, 3, 4, 5, 6]] = (
            *(J[1], -L / 2 * st, L / 2 * ct),
            *(L / 2 * st, -L / 2 * ct),
        )
        # piston
        rows[6, [2, 5, 7]] = m[2], 1.0, np.sign(v) * mu * side
        rows[7, [6, 7]], right[7] = (-1.0, 1.0), m[2] * G
        x = np.linalg.solve(rows, right)
        if x[7] * side >= 0.0:
            found.append((float(x[0]), float(x[7]), float(v)))
    (one,) = found
    return one


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_slider_crank_rubs_by_the_normal_force_of_its_guide(strategy):
    mu = 0.3
    model = SliderCrank(friction=Coulomb(mu=mu))
    result, _ = run(model, 1.0, rtol=1e-9, strategy=strategy, output=301)
    compared = 0
    for k in range(0, 301, 7):
        phi, w = float(result["hinge.phi"][k]), float(result["hinge.w"][k])
        alpha, normal, v = slider_crank_rate(phi, w, mu)
        if abs(v) < 1e-3:
            continue
        compared += 1
        assert result["hinge.a"][k] == pytest.approx(alpha, rel=1e-6, abs=1e-6)
        assert result["slide.load"][k] == pytest.approx(abs(normal), rel=1e-6, abs=1e-6)
        friction = -np.sign(v) * mu * abs(normal)
        assert result["slide.f_friction"][k] == pytest.approx(friction, rel=1e-6, abs=1e-6)
    assert compared > 30


@pytest.mark.slow
def test_a_slider_crank_moves_as_its_equations_say():
    mu, stop = 0.3, 0.15
    result, _ = run(SliderCrank(friction=Coulomb(mu=mu)), stop, rtol=1e-11)
    part = solve_ivp(
        lambda t, x: [x[1], slider_crank_rate(x[0], x[1], mu)[0]],
        (0.0, stop),
        [0.3, 10.0],
        rtol=1e-11,
        atol=1e-12,
    )
    assert result["hinge.phi"][-1] == pytest.approx(part.y[0, -1], abs=1e-8)


@pytest.mark.thorough
@pytest.mark.kinds(1)
# the others are tried with the slider-crank: four hinges take long to compile
@pytest.mark.slow
@pytest.mark.parametrize("strategy", STRATEGIES[:2])
def test_every_hinge_of_a_four_bar_rubs_by_its_own_force(strategy):
    # reactions of the result come by another route than those of the run
    law = Coulomb(mu=0.2, radius=0.05)
    options = {k: {"friction": law} for k in range(4)}
    model = FourBar(lengths=(0.5, 1.0, 0.7, 1.1), options=options, g=G, w=3.0)
    result, _ = run(model, 1.0, rtol=1e-10, strategy=strategy)
    for k in range(1, 5):
        moving = np.abs(result[f"hinge[{k}].w"]) > 1e-6
        found = np.abs(result[f"hinge[{k}].tau_friction"])[moving]
        load = result[f"hinge[{k}].load"][moving]
        np.testing.assert_allclose(found, 0.2 * load, rtol=1e-9, atol=1e-12)
    assert result["hinge[1].phi"][-1] == pytest.approx(3.53578057, abs=1e-7)


@pytest.mark.slow
def test_a_four_bar_sticks_by_its_reactions_without_any_creep():
    law = Coulomb(mu=0.9, radius=0.3)
    options = {k: {"friction": law} for k in range(4)}
    model = FourBar(lengths=(0.5, 1.0, 0.7, 1.1), options=options, g=G)
    result, seen = run(model, 3600.0, output=11)
    assert not seen
    assert np.ptp(result["hinge[1].phi"]) < 1e-15


class Door(Model):
    """A door on two hinges, one above the other: how they share its weight is open."""

    def build(self, which: int = 0) -> None:
        """Give one of the hinges friction."""
        law = Coulomb(mu=0.1, radius=0.02)
        self.world = World(g=G)
        self.hinge = [Revolute(n="y", friction=law if k == which else None) for k in (0, 1)]
        self.above = FixedTranslation(r=(0, 1, 0))
        self.door = BodyShape(r=(0, 1, 0), r_CM=(0.5, 0.5, 0), m=10.0)
        low, high = self.hinge
        self.world.frame_b >> low.frame_a
        low.frame_b >> self.door.frame_a
        self.world.frame_b >> self.above.frame_a
        self.above.frame_b >> high.frame_a
        high.frame_b >> self.door.frame_b


@pytest.mark.parametrize("which", [0, 1])
def test_a_reaction_that_is_not_unique_is_refused(which):
    with refused(AssemblyError, f"hinge[{which + 1}]", "not unique", "hinge[1], hinge[2]"):
        Door(which=which).simulate(1.0)


@pytest.mark.parametrize("arm", ["friction_arm", "bending_arm"])
def test_thrust_in_a_planar_loop_is_refused_and_its_forces_are_not(arm):
    law = Coulomb(mu=0.2, radius=0.05, **{arm: 0.03})
    model = FourBar(lengths=(0.5, 1.0, 0.7, 1.1), options={1: {"friction": law}}, g=G)
    with refused(AssemblyError, "hinge[2]", "redundant", "spherical"):
        model.simulate(1.0)


# --- hits, jamming, live numbers --------------------------------------------------------------


def test_a_hit_gives_friction_impulses_by_the_impulse_of_the_reaction():
    # a rod that rebounds from a stop in its hinge: that of the hinge is m L Δω, Δω = (1 + e) |w|,
    # and its friction μ r m L Δω acts against the motion after the hit
    mu, r, e, m, L, J = 0.2, 0.3, 0.5, 2.0, 0.5, 0.6
    law = Coulomb(mu=mu, radius=r)
    model = Pendulum(g=0.0, friction=law, w=-2.0, stops=(-0.1, None), restitution=e)
    result, _ = run(model, 0.2, rtol=1e-11)
    stop, friction = sorted(
        (event for event in result.events if event.impulse),
        key=lambda event: -event.impulse,
    )
    at = result.at_event(0)
    before, after = float(at.before["joint.w"]), float(at.after["joint.w"])
    assert after == pytest.approx(-e * before, rel=1e-12)
    change = after - before
    assert friction.impulse == pytest.approx(-mu * r * m * L * change, rel=1e-10)
    assert stop.impulse == pytest.approx((J + mu * r * m * L) * change, rel=1e-10)


def test_friction_that_no_force_fits_is_named_at_the_start():
    # μ r m L > J: friction grows faster than what it slows down, and no deceleration fits
    mu, r, w = 2.0, 1.0, 2.0
    alphas = np.linspace(-1e4, 1e4, 200001)
    p = np.array([-0.5 * w * w, G])[:, None] + np.array([0.0, 0.5])[:, None] * alphas
    missing = 0.6 * alphas + 2.0 * G * 0.5 + mu * r * 2.0 * np.hypot(*p)
    assert missing.min() > 0.0
    model = Pendulum(friction=Coulomb(mu=mu, radius=r), phi=0.0, w=w)
    with pytest.warns(IncompleteRunWarning, match=r"t = 0 s.*no combination.*joint"):
        result = model.simulate(2.0)
    assert not result.complete


@pytest.mark.slow
def test_live_coefficients_and_radii_need_no_new_system():
    mu, r = Parameter(0.1, name="mu"), Parameter(0.05, name="r")
    model = Pendulum(friction=Coulomb(mu=mu, radius=r), phi=0.0, w=0.0)
    for values in ({"mu": 0.3, "r": 0.2}, {"mu": 0.1, "r": 0.2}):
        result = model.simulate(0.5, parameters=values, rtol=1e-10)
        law = Coulomb(mu=values["mu"], radius=values["r"])
        plain = Pendulum(friction=law, phi=0.0, w=0.0).simulate(0.5, rtol=1e-10)
        assert result["joint.phi"][-1] == pytest.approx(plain["joint.phi"][-1], rel=1e-12)
