"""Equations between flanges alone: cams and non-circular gears, against closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad

import motorik as mk
from motorik import rotational as rot
from motorik import translational as tra
from motorik.authoring import (
    FlangeConstraint,
    RotationalTwoFlanges,
    kinds,
    parameter,
    rotational_flange,
    translational_flange,
)
from motorik.errors import LoopError
from tests.refusals import refused

E, J_A, J_B, W = 0.3, 1.0, 2.0, 2.0


class Oval(FlangeConstraint, RotationalTwoFlanges):
    """φ_b = φ_a + e sin φ_a."""

    e: kinds.Factor = parameter("variation of the ratio", default=E)

    def residual(self, p, phi_a, phi_b):
        """Return the equation."""
        return (phi_b - phi_a - p.e * mk.sin(phi_a),)


class Cam(FlangeConstraint):
    """s = lift (1 − cos φ)."""

    units = ("m",)
    shaft = rotational_flange("camshaft")
    follower = translational_flange("follower")
    lift: kinds.Length = parameter("half the stroke", default=0.1)

    def residual(self, p, phi, s):
        """Return the equation."""
        return (s - p.lift * (1.0 - mk.cos(phi)),)


def on_line():
    """Return two flywheels with an oval gear."""
    model = mk.Model()
    model.first, model.second = rot.Inertia(J=J_A, phi=0.2, w=W), rot.Inertia(J=J_B)
    model.gear = Oval()
    model.first.flange_b >> model.gear.flange_a
    model.gear.flange_b >> model.second.flange_a
    return model, "first.phi", "second.phi"


def on_joints():
    """Return two bodies on revolute joints with an oval gear."""
    model = mk.Model()
    model.world = mk.World(gravityType="NoGravity")
    model.first = mk.Revolute(n="z", useAxisFlange=True, phi=0.2, w=W)
    model.second = mk.Revolute(n="z", useAxisFlange=True)
    model.gear = Oval()
    for joint, name, J in ((model.first, "wheel", J_A), (model.second, "rim", J_B)):
        setattr(model, name, mk.Body(m=1.0, I_11=J, I_22=J, I_33=J))
        model.world.frame_b >> joint.frame_a
        joint.frame_b >> getattr(model, name).frame_a
    model.first.axis >> model.gear.flange_a
    model.gear.flange_b >> model.second.axis
    return model, "first.phi", "second.phi"


def time_of(phi):
    """Return when the first flywheel is at phi: the energy ½ (J_a + J_b f′²) ω² stays."""

    def inertia(x):
        return J_A + J_B * (1.0 + E * np.cos(x)) ** 2

    pace = W * np.sqrt(inertia(0.2))
    return quad(lambda x: np.sqrt(inertia(x)) / pace, 0.2, phi, epsabs=1e-12)[0]


@pytest.mark.kinds(3)
@pytest.mark.parametrize("strategy", ["auto", "baumgarte", "absolute"])
@pytest.mark.parametrize("make", [on_line, on_joints])
def test_an_oval_gear_turns_as_its_energy_says(make, strategy):
    model, first, second = make()
    result = model.simulate(4.0, rtol=1e-9, strategy=strategy)
    a, b = result[first], result[second]
    np.testing.assert_allclose(b, a + E * np.sin(a), atol=1e-7)
    assert a[-1] > 2.0 * np.pi
    assert time_of(a[-1]) == pytest.approx(4.0, abs=1e-6)


def test_torques_on_an_oval_gear_balance_by_its_ratio():
    model, first, _ = on_line()
    result = model.simulate(1.0, rtol=1e-9)
    ratio = 1.0 + E * np.cos(result[first])
    np.testing.assert_allclose(
        result["gear.flange_a.tau"], -ratio * result["gear.flange_b.tau"], atol=1e-12
    )
    np.testing.assert_allclose(
        result["gear.flange_b.tau"], -J_B * result["second.a"], atol=1e-12
    )


def test_a_cam_without_follower_mass_works_against_a_spring():
    """The shaft of the spring has no mass: the cam alone moves it."""
    model = mk.Model()
    model.wheel, model.cam = rot.Inertia(J=1.0, phi=0.2, w=0.5), Cam(lift=0.1)
    model.spring, model.wall = tra.Spring(c=100.0), tra.Fixed()
    model.wheel.flange_b >> model.cam.shaft
    model.cam.follower >> model.spring.flange_b
    model.spring.flange_a >> model.wall.flange
    result = model.simulate(3.0, rtol=1e-10)
    s = 0.1 * (1.0 - np.cos(result["wheel.phi"]))
    np.testing.assert_allclose(result["spring.s_rel"], s, atol=1e-12)
    energy = 0.5 * result["wheel.w"] ** 2 + 50.0 * s**2
    np.testing.assert_allclose(energy, energy[0], rtol=1e-8)


def rocker_angle(crank):
    """Return the angle of the rocker of a four-bar of lengths 0.3, 1, 0.8 and 1 m."""
    x, y = 0.3 * np.cos(crank) - 1.0, 0.3 * np.sin(crank)
    far = np.hypot(x, y)
    return np.arctan2(y, x) - np.arccos((far**2 + 0.8**2 - 1.0) / (2.0 * far * 0.8))


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["auto", "absolute"])
def test_a_cam_on_the_rocker_of_a_four_bar(strategy):
    """The crank turns evenly; the follower is where rocker and cam put it."""
    model = mk.Model()
    model.world, model.base = mk.World(n="-y"), mk.FixedTranslation(r=(1.0, 0.0, 0.0))
    model.r1 = mk.Revolute(n="z", useAxisFlange=True, phi=0.5)
    model.r2, model.r3 = mk.Revolute(n="z", phi=mk.guess(0.5)), mk.Revolute(n="z")
    model.r4 = mk.Revolute(n="z", useAxisFlange=True, phi=mk.guess(1.5))
    rods = ((0.3, "l1"), (1.0, "l2"), (0.8, "l3"))
    for length, name in rods:
        setattr(model, name, mk.BodyCylinder(r=(length, 0.0, 0.0), diameter=0.05))
    chain = (model.r1, model.l1, model.r2, model.l2)
    model.world.frame_b >> model.base.frame_a
    for before, after in zip((model.world, *chain), (*chain, model.r3), strict=True):
        before.frame_b >> after.frame_a
    model.base.frame_b >> model.r4.frame_a
    model.r4.frame_b >> model.l3.frame_a
    model.l3.frame_b >> model.r3.frame_b
    model.drive = rot.ConstantSpeed(w_fixed=3.0, phi=0.5)
    model.drive.flange >> model.r1.axis
    model.cam, model.follower = Cam(lift=0.1), tra.Mass(m=0.5)
    model.r4.axis >> model.cam.shaft
    model.cam.follower >> model.follower.flange_a
    result = model.simulate(2.0, rtol=1e-9, strategy=strategy)
    rocker = rocker_angle(0.5 + 3.0 * result.time)
    turned = np.angle(np.exp(1j * (result["r4.phi"] - rocker)))
    branch = np.abs(turned).max() < 1e-6
    assert branch
    expected = 0.1 * (1.0 - np.cos(rocker))
    np.testing.assert_allclose(result["follower.s"], expected, atol=1e-7)


def test_live_numbers_of_a_constraint():
    model, first, second = on_line()
    model.gear.e = mk.Parameter(0.1)
    result = model.simulate(1.0, parameters={"gear.e": 0.2})
    a = result[first]
    np.testing.assert_allclose(result[second], a + 0.2 * np.sin(a), atol=1e-9)


def test_constraints_in_which_nothing_moves_are_refused():
    model = mk.Model()
    model.a, model.b, model.gear = rot.Fixed(), rot.Fixed(), Oval()
    model.wheel = rot.Inertia()
    model.a.flange >> model.gear.flange_a
    model.b.flange >> model.gear.flange_b
    with refused(LoopError, "gear.flange_a and gear.flange_b are fixed"):
        model.simulate(1.0)


def test_a_flange_that_is_connected_to_nothing_moves_freely():
    model = mk.Model()
    model.wheel, model.gear = rot.Inertia(phi=0.0, w=1.0), Oval()
    model.wheel.flange_a >> model.gear.flange_a
    result = model.simulate(1.0)
    np.testing.assert_allclose(result["wheel.phi"], result.time, atol=1e-9)
    expected = result.time + E * np.sin(result.time)
    np.testing.assert_allclose(result["gear.flange_b.phi"], expected, atol=1e-9)
