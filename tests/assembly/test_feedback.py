"""Forces that depend on accelerations and cut forces through signals, without any delay."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from motorik import Model, Parameter, World, blocks, sensors
from motorik import rotational as rot
from motorik import translational as tr
from motorik.errors import AssemblyError, IncompleteRunWarning
from motorik.joints import Revolute
from motorik.parts import Body, BodyShape, FixedTranslation
from tests.refusals import refused


class VirtualMass(Model):
    """A mass of 2 kg, pushed by 3 N and held back by k times its own acceleration."""

    def build(self, k: object = 0.5, way: str = "sensor") -> None:
        self.mass = tr.Mass(m=2.0, s=0.0, v=0.0)
        self.gain, self.force = blocks.Gain(k=k), tr.Force()
        self.push = tr.ConstantForce(f_constant=3.0)
        self.force.flange >> self.mass.flange_b
        self.push.flange >> self.mass.flange_a
        self.reversed = blocks.Gain(k=-1.0)
        if way == "sensor":
            self.meter = tr.AccSensor()
            self.mass.flange_b >> self.meter.flange
            self.meter.a >> self.reversed.u
        elif way == "rate":
            self.meter, self.rate = tr.SpeedSensor(), blocks.Der()
            self.mass.flange_b >> self.meter.flange
            self.meter.v >> self.rate.u
            self.rate.y >> self.reversed.u
        else:
            read = {
                "flange": lambda motion: motion.flange_acceleration(self.mass.flange_b),
                "name": lambda motion: motion["mass.a"],
            }[way]
            self.meter = blocks.Expression(f=read)
            self.meter.y >> self.reversed.u
        self.reversed.y >> self.gain.u
        self.gain.y >> self.force.f


@pytest.mark.parametrize("way", ["sensor", "rate", "flange", "name"])
@pytest.mark.parametrize("k", [0.5, -1.5, 40.0])
def test_a_measured_acceleration_acts_as_a_mass(way, k):
    result = VirtualMass(k=k, way=way).simulate(1.0)
    a = 3.0 / (2.0 + k)
    np.testing.assert_allclose(result["mass.v"], a * result.time, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(result["mass.a"], a, rtol=1e-13)
    np.testing.assert_allclose(result["force.f"], -k * a, rtol=1e-13)


def test_a_live_gain_needs_no_new_system():
    k = Parameter(0.5)
    model = VirtualMass(k=k)
    for value in (0.5, 2.0):
        k.value = value
        assert model.simulate(1.0)["mass.v"][-1] == pytest.approx(3.0 / (2.0 + value))


def test_nothing_determines_an_acceleration_that_cancels_out():
    with refused(AssemblyError, "meter", "cancels out", "FirstOrder"):
        VirtualMass(k=-2.0).simulate(1.0)
    with pytest.warns(IncompleteRunWarning, match="meter.*nothing determines"):
        VirtualMass(k=Parameter(-2.0)).simulate(1.0)


def test_a_force_that_is_not_linear_is_refused():
    model = VirtualMass()
    model.square = blocks.Product()
    model.other, model.more = tr.AccSensor(), tr.Force()
    model.mass.flange_b >> model.other.flange
    model.other.a >> model.square.u1
    model.other.a >> model.square.u2
    model.square.y >> model.more.f
    model.more.flange >> model.mass.flange_a
    with refused(AssemblyError, "meter", "other", "no linear function", "FirstOrder"):
        model.simulate(1.0)


def test_a_motion_cannot_depend_on_an_acceleration():
    model = VirtualMass()
    model.drive, model.moved = tr.Position(exact=True), tr.Mass(m=1.0)
    model.meter.a >> model.drive.s_ref
    model.drive.flange >> model.moved.flange_a
    with pytest.raises(AssemblyError, match="before each other"):
        model.simulate(1.0)


class CutForces(Model):
    """Two masses; 3 N act on the first, k times the force between them on the second."""

    def build(self, k: float = 0.5) -> None:
        self.one, self.two = tr.Mass(m=2.0, s=0.0, v=0.0), tr.Mass(m=1.0)
        self.meter, self.gain, self.force = tr.ForceSensor(), blocks.Gain(k=k), tr.Force()
        self.push = tr.ConstantForce(f_constant=3.0)
        self.push.flange >> self.one.flange_a
        self.one.flange_b >> self.meter.flange_a
        self.meter.flange_b >> self.two.flange_a
        self.meter.f >> self.gain.u
        self.gain.y >> self.force.f
        self.force.flange >> self.two.flange_b


@pytest.mark.parametrize("k", [0.5, -0.7, 3.0])
def test_a_cut_force_in_a_line_acts_back(k):
    """One: 2 a = 3 − f; two: a = (1 + k) f."""
    result = CutForces(k=k).simulate(1.0)
    f = 3.0 / (1.0 + 2.0 * (1.0 + k))
    np.testing.assert_allclose(result["meter.f"], f, rtol=1e-12)
    np.testing.assert_allclose(result["force.f"], k * f, rtol=1e-12)
    np.testing.assert_allclose(result["one.a"], (1.0 + k) * f, rtol=1e-12)


class PushedPendulum(Model):
    """A pendulum whose hinge is driven by k times the force across the rod."""

    def build(self, k: float = 0.2) -> None:
        self.world, self.hinge = World(), Revolute(useAxisFlange=True, phi=0.3, w=0.0)
        self.meter = sensors.CutForce()
        self.body = Body(m=1.5, r_CM=(0.8, 0.0, 0.0), I_11=0.1, I_22=0.1, I_33=0.1)
        self.gain, self.motor = blocks.Gain(k=k), rot.Torque()
        self.world.frame_b >> self.hinge.frame_a
        self.hinge.frame_b >> self.meter.frame_a
        self.meter.frame_b >> self.body.frame_a
        self.meter.force[1] >> self.gain.u
        self.gain.y >> self.motor.tau
        self.motor.flange >> self.hinge.axis


def test_a_cut_force_in_space_acts_back():
    """The force across the rod on the sensor is m (L φ̈ + g cos φ), the torque k times it."""
    m, L, J, g, k = 1.5, 0.8, 0.1, 9.80665, 0.2
    model = PushedPendulum(k=k)
    model.world.g = g
    result = model.simulate(2.0, rtol=1e-11)

    def rates(t, x):
        c = np.cos(x[0])
        a = (k * m * g * c - m * g * L * c) / (J + m * L * L - k * m * L)
        return [x[1], a]

    other = solve_ivp(rates, (0.0, 2.0), [0.3, 0.0], rtol=1e-12, atol=1e-12)
    assert result["hinge.phi"][-1] == pytest.approx(other.y[0, -1], abs=1e-8)
    a = np.array(result["hinge.a"])
    across = m * (L * a + g * np.cos(result["hinge.phi"]))
    np.testing.assert_allclose(result["meter.force"][:, 1], across, rtol=1e-9)


class Parallelogram(Model):
    """A parallelogram whose first hinge is driven by −k times its acceleration, or a rotor."""

    def build(self, k: float = 0.4, is_rotor: bool = False, cut: bool = False) -> None:
        self.world = World(g=9.81)
        self.hinges = [Revolute(useAxisFlange=j == 0) for j in range(4)]
        self.one = BodyShape(r=(0.5, 0.0, 0.0), m=1.0)
        self.two = BodyShape(r=(1.0, 0.0, 0.0), m=1.0)
        self.three = BodyShape(r=(0.5, 0.0, 0.0), m=1.0)
        self.base = FixedTranslation(r=(1.0, 0.0, 0.0))
        first, second, third, fourth = self.hinges
        self.world.frame_b >> first.frame_a
        first.frame_b >> self.one.frame_a
        self.one.frame_b >> second.frame_a
        self.world.frame_b >> self.base.frame_a
        self.base.frame_b >> fourth.frame_a
        fourth.frame_b >> self.three.frame_a
        self.three.frame_b >> third.frame_a
        third.frame_b >> self.two.frame_b
        if is_rotor:
            self.rotor = rot.Inertia(J=k)
            self.rotor.flange_a >> first.axis
        else:
            self.gain, self.motor = blocks.Gain(k=-k), rot.Torque()
            self.motor.flange >> first.axis
            self.gain.y >> self.motor.tau
        if cut:
            self.meter = sensors.CutForce()
            second.frame_b >> self.meter.frame_a
            self.meter.frame_b >> self.two.frame_a
            self.meter.force[0] >> self.gain.u
        else:
            second.frame_b >> self.two.frame_a
            if not is_rotor:
                self.meter = rot.AccSensor()
                self.meter.flange >> first.axis
                self.meter.a >> self.gain.u


@pytest.mark.parametrize("strategy", ["auto", "projected", "minimal", "absolute"])
def test_an_acceleration_in_a_loop_acts_as_a_rotor(strategy):
    ends = []
    for is_rotor in (False, True):
        model = Parallelogram(is_rotor=is_rotor)
        model.hinges[0].phi = 0.4
        model.compile(strategy=strategy)
        result = model.simulate(1.0, rtol=1e-10)
        ends.append((result["hinges[1].phi"][-1], result["hinges[1].w"][-1]))
    assert ends[0] == pytest.approx(ends[1], abs=1e-7)


def test_a_cut_force_in_a_loop_is_refused():
    with refused(AssemblyError, "cut force", "closes a loop", "FirstOrder"):
        Parallelogram(cut=True).simulate(1.0)
