"""Planar mechanisms whose motion can be derived by hand."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from motorik import (
    Body,
    FixedTranslation,
    Parameter,
    SolverOptions,
    Spherical,
    World,
    guess,
    planar,
    rotational,
)
from motorik import Model as SpatialModel
from motorik.algebra.vector import Vector, Z
from tests.planar import mechanisms as m
from tests.planar.absolute import close

g = 9.80665
TIMES = np.linspace(0.0, 1.0, 11)
FINE = {"rtol": 1e-11, "solver": SolverOptions(atol=1e-12)}


def by_hand(rate, start):
    run = solve_ivp(rate, (0.0, TIMES[-1]), start, "DOP853", TIMES, rtol=1e-12, atol=1e-13)
    return run.y


class Swing(planar.Model):
    """A body whose centre hangs on a massless rod."""

    def build(self, length=0.7):
        self.ground = planar.Ground()
        self.bob = planar.Body(m=1.3, x=guess(0.6), y=guess(-0.4))
        self.rod = planar.Rod(length=length)
        self.ground.frame_b >> self.rod.frame_a
        self.rod.frame_b >> self.bob.G


@pytest.mark.slow
def test_a_body_on_a_rod_is_a_pendulum():
    """φ̈ = −g/l sin φ; the rod pulls with m (g cos φ + l φ̇²)."""
    result = Swing().simulate(1.0, output=TIMES, **FINE)
    x, y = result["bob.x"], result["bob.y"]
    start = np.arctan2(x[0], -y[0])
    phi, w = by_hand(lambda t, s: (s[1], -g / 0.7 * np.sin(s[0])), (start, 0.0))
    close(x, 0.7 * np.sin(phi), 2e-11)
    close(y, -0.7 * np.cos(phi), 2e-11)
    pull = 1.3 * (g * np.cos(phi) + 0.7 * w**2)
    close(result["rod.Fx_b"], -pull * np.sin(phi), 1e-9)
    close(result["rod.Fy_b"], pull * np.cos(phi), 1e-9)
    close(result["rod.Fy_a"], -pull * np.cos(phi), 1e-9)


@pytest.mark.slow
def test_a_live_length_is_changed_without_compiling():
    model = Swing(length=Parameter(0.7))
    model.simulate(0.1)
    system = model.compile()
    long = model.simulate(1.0, output=TIMES, parameters={"rod.length": 0.8}, **FINE)
    assert model.compile() is system
    other = Swing(length=0.8).simulate(1.0, output=TIMES, **FINE)
    close(long["bob.x"], other["bob.x"], 5e-12)


@pytest.mark.slow
def test_a_wheel_rolls_down_as_its_inertia_lets_it():
    """s̈ = g sin α / (1 + I / m r²), and r θ̇ = −ṡ."""
    slope = -0.3
    model = m.RollingWheel(slope=slope, off=0.0)
    model.wheel.w = 0.0
    result = model.simulate(1.0, output=TIMES, **FINE)
    way = (result["wheel.x"] - result["wheel.x"][0]) / np.cos(slope)
    a = g * np.sin(-slope) / (1 + 0.01 / (2.0 * 0.1**2))
    close(way, 0.5 * a * TIMES**2, 1e-10)
    turned = result["wheel.theta"] - result["wheel.theta"][0]
    close(turned, -way / 0.1, 3e-9)  # between long steps
    normal = 2.0 * g * np.cos(slope)
    across = result["rolling.Fx_b"] * np.sin(-slope) + result["rolling.Fy_b"] * np.cos(
        slope
    )
    close(across, normal, 3e-9)


@pytest.mark.slow
def test_a_bead_on_a_parabola():
    """(1 + 4k²x²) ẍ + 4k² x ẋ² + 2 g k x = 0 on y = k x²."""
    k = 1.5

    class Wire(planar.Model):
        def build(self):
            self.ground = planar.Ground()
            self.bead = planar.Body(m=0.2, x=0.4, y=guess(0.2), vx=0.3)
            self.wire = planar.Curve(curve=lambda x, y: y - k * x * x)
            self.ground.frame_b >> self.wire.frame_a
            self.wire.frame_b >> self.bead.G

    def rate(t, s):
        x, v = s
        return v, -(4 * k * k * x * v * v + 2 * g * k * x) / (1 + 4 * k * k * x * x)

    x, v = by_hand(rate, (0.4, 0.3))
    for strategy in ("absolute", "projected"):
        result = Wire().simulate(1.0, output=TIMES, strategy=strategy, **FINE)
        close(result["bead.x"], x, 3e-11)
        close(result["bead.y"], k * x * x, 5e-11)
        close(result["bead.vy"], 2 * k * x * v, 2e-10)


@pytest.mark.kinds(2)
@pytest.mark.slow
@pytest.mark.parametrize("contact", [False, True])
def test_wheels_turn_in_their_ratio(contact):
    """ω_c = ω_s r_s / (r_s + r_ring); a contact that the carrier already keeps is redundant."""
    model = m.Planetary(contact=contact)
    result = model.simulate(0.5, output=5, **FINE)
    close(result["carrier.w"], 0.3 * result["sun.w"], 1e-9)
    close(result["planet.w"], -2.5 * result["carrier.w"], 3e-9)
    turned = result["carrier.theta"] - 0.4
    close(turned, 0.3 * result["sun.theta"], 1e-10)


@pytest.mark.parametrize("kind", [planar.GearPair, planar.RackAndPinion])
def test_bodies_that_move_as_one_do_not_slip(kind):
    """Slip is objective: a common rotation ω about any point, V = ω × MN, adds nothing to it."""
    joint = kind(r_i=0.3, r_j=0.2) if kind is planar.GearPair else kind(r=0.2)
    rng = np.random.default_rng(3)
    for angle, w, w_i, w_j in rng.normal(size=(5, 4)).tolist():
        x_i = Vector(np.cos(angle), np.sin(angle), 0.0)
        y_i = Z.cross(x_i)
        MN = 0.5 * y_i if kind is planar.GearPair else 0.2 * y_i + 0.7 * x_i
        assert joint.gap(MN, y_i) == pytest.approx(0.0, abs=1e-12)
        V = 0.4 * x_i + w_i * Z.cross(MN)
        slip = joint.slip(MN, V, x_i, w_i, w_j)
        turned = joint.slip(MN, V + w * Z.cross(MN), x_i, w_i + w, w_j + w)
        assert turned == pytest.approx(slip, abs=1e-12) and abs(slip) > 1e-3


@pytest.mark.slow
def test_a_pinion_rolls_on_a_rack_that_turns():
    """ṡ = −r (ω_j − ω_i), with s read from the places; the pinion stays above the line."""
    r = 0.2

    class Seesaw(planar.Model):
        def build(self):
            self.ground = planar.Ground(ports={"O": (0.0, 0.0)})
            self.hinge = planar.Revolute()
            self.rack = planar.Body(m=2.0, I=0.4, ports={"O": (0.0, 0.0)}, theta=0.1, w=2.0)
            self.teeth = planar.RackAndPinion(r=r)
            self.pinion = planar.Body(m=0.5, I=0.01, x=guess(0.3), y=guess(0.25), w=2.0)
            self.ground.O >> self.hinge.frame_a
            self.hinge.frame_b >> self.rack.O
            self.rack.O >> self.teeth.frame_a
            self.teeth.frame_b >> self.pinion.G

    result = Seesaw().simulate(0.4, output=[0.0, 0.2, 0.4], **FINE)
    theta, x, y = (result[name] for name in ("rack.theta", "pinion.x", "pinion.y"))
    s = x * np.cos(theta) + y * np.sin(theta)
    close(y * np.cos(theta) - x * np.sin(theta), r + 0.0 * s, 1e-9)
    rolled = -r * (result["pinion.theta"] - theta)
    assert np.ptp(theta) > 0.1 and np.ptp(rolled) > 0.1
    close(s - s[0], rolled - rolled[0], 1e-8)
    speed = -r * (result["pinion.w"] - result["rack.w"])
    rate = result["pinion.vx"] * np.cos(theta) + result["pinion.vy"] * np.sin(theta)
    close(rate + result["rack.w"] * r, speed, 1e-8)


@pytest.mark.slow
def test_a_slider_crank_closes():
    """x = r cos θ + √(l² − r² sin² θ)."""
    result = m.SliderCrank().simulate(1.0, output=TIMES, **FINE)
    theta = result["crank.theta"]
    x = 0.1 * np.cos(theta) + np.sqrt(0.25**2 - (0.1 * np.sin(theta)) ** 2)
    assert np.ptp(theta) > 1.0
    close(result["piston.x"], x, 1e-10)
    close(result["guide.s"], x, 1e-10)


@pytest.mark.slow
def test_energy_is_kept_without_friction():
    for kind in (m.Cam, m.HungByRods):
        energy = kind().simulate(1.0, **FINE).energy()["total"]
        close(energy, energy[0], 2e-8)


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["absolute", "projected"])
def test_a_drive_line_acts_like_a_drive(strategy):
    class Damped(planar.Model):
        def build(self, by_line):
            self.ground = planar.Ground(ports={"O": (0, 0)})
            self.rod = planar.Body(m=1.0, I=0.03, ports={"O": (0, 0.3)}, theta=1.0)
            drive = None if by_line else lambda t, phi, w: -0.2 * w
            self.hinge = planar.Revolute(drive=drive)
            self.ground.O >> self.hinge.frame_a
            self.hinge.frame_b >> self.rod.O
            if by_line:
                self.damper = rotational.Damper(d=0.2)
                self.hinge.support >> self.damper.flange_a
                self.damper.flange_b >> self.hinge.axis

    by_line, by_drive = (
        Damped(by_line=x).simulate(1.0, output=TIMES, strategy=strategy, **FINE)
        for x in (True, False)
    )
    close(by_line["rod.theta"], by_drive["rod.theta"], 3e-11)
    close(by_line["hinge.Cz_b"], by_drive["hinge.Cz_b"], 3e-11)
    close(by_line["hinge.Cz_b"], -0.2 * by_line["rod.w"], 2e-12)


class BallByVectors(planar.SpatialVectorJoint):
    """Origins meet, everything else is free."""

    def constraint(self, OM, ON, x_i, y_i, z_i, x_j, y_j, z_j):
        MN = ON - OM
        return MN.dot(x_i), MN.dot(y_i), MN.dot(z_i)


class SpatialPendulum(SpatialModel):
    """A top on a ball joint, which is a part of its own or a vector constraint."""

    def build(self, by_vectors):
        self.world = World()
        self.ball = BallByVectors() if by_vectors else Spherical()
        self.arm = FixedTranslation(r=(0.1, -0.3, 0.2))
        self.top = Body(
            m=1.0,
            I=[[0.02, 0, 0], [0, 0.03, 0], [0, 0, 0.015]],
            r_0=(0.1, -0.3, 0.2),
            angles_fixed=True,
            w_0_start=(1.0, 5.0, -2.0),
            w_0_fixed=True,
        )
        self.world.frame_b >> self.ball.frame_a
        self.ball.frame_b >> self.arm.frame_a
        self.arm.frame_b >> self.top.frame_a


@pytest.mark.slow
def test_a_vector_joint_in_space_moves_like_the_part():
    by_vectors, by_part = (
        SpatialPendulum(by_vectors=x).simulate(1.0, output=TIMES, **FINE)
        for x in (True, False)
    )
    close(by_vectors["top.r_0"], by_part["top.r_0"], 5e-11)
    close(by_vectors["top.w_a"], by_part["top.w_a"], 1e-9)
    for letters, axis in (("Fx", 0), ("Fy", 1)):
        force = by_vectors[f"ball.{letters}_a"]
        close(force, -by_part["ball.frame_a.f"][:, axis], 1e-8)
