"""Forces that depend on accelerations and cut forces through signals, without any delay."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import root

from motorik import Model, Parameter, World, blocks, guess, sensors
from motorik import functions as fn
from motorik import rotational as rot
from motorik import translational as tr
from motorik.errors import AssemblyError, IncompleteRunWarning
from motorik.joints import Prismatic, Revolute
from motorik.parts import Body, BodyShape, FixedTranslation
from tests.assembly.fed_back_masses import feed_back
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


@pytest.mark.kinds(6)
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


class Cubic(Model):
    """A mass of 2 kg, pushed by 3 N and held back by k a + c a³ of its own acceleration a."""

    def build(self, k: float = 0.5, c: object = 0.3) -> None:
        self.mass, self.meter = tr.Mass(m=2.0, s=0.0, v=0.0), tr.AccSensor()
        self.law = blocks.Function(f=lambda a: -k * a - c * a**3)
        self.force, self.push = tr.Force(), tr.ConstantForce(f_constant=3.0)
        self.mass.flange_b >> self.meter.flange
        self.meter.a >> self.law.u
        self.law.y >> self.force.f
        self.force.flange >> self.mass.flange_b
        self.push.flange >> self.mass.flange_a


def cubic_root(k: float, c: float) -> float:
    """Return a of (2 + k) a + c a³ = 3."""
    roots = np.roots([c, 0.0, 2.0 + k, -3.0])
    real = roots.real[np.abs(roots.imag) < 1e-9]
    return float(real[np.argmin(np.abs(real))])


@pytest.mark.slow
@pytest.mark.kinds(2)
@pytest.mark.parametrize("method", ["dopri5", "dop853", "gbs", "adams", "bdf", "rk4"])
def test_every_method_solves_a_curved_law(method):
    given = {"step": 0.1} if method == "rk4" else {}
    result = Cubic().simulate(1.0, method=method, **given)
    a = cubic_root(0.5, 0.3)
    np.testing.assert_allclose(result["mass.v"], a * result.time, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(result["mass.a"], a, rtol=1e-13)
    np.testing.assert_allclose(result["force.f"], -0.5 * a - 0.3 * a**3, rtol=1e-13)


@pytest.mark.parametrize("c", [-0.01, 1e-3, 30.0, 3e4])
def test_a_curved_law_may_be_steep(c):
    assert Cubic(c=c).simulate(1.0)["mass.v"][-1] == pytest.approx(
        cubic_root(0.5, c), rel=1e-12
    )


def test_a_live_number_of_a_curved_law_needs_no_new_system():
    c = Parameter(0.3, name="c")
    model = Cubic(c=c)
    for value in (0.3, 2.0):
        result = model.simulate(1.0, parameters={"c": value})
        assert result["mass.v"][-1] == pytest.approx(cubic_root(0.5, value), rel=1e-12)


def test_a_curved_law_without_a_solution_is_named():
    # 2 a = 3 − 0.5 a + a² has no real solution
    model = VirtualMass()
    model.square = blocks.Product()
    model.other, model.more = tr.AccSensor(), tr.Force()
    model.mass.flange_b >> model.other.flange
    model.other.a >> model.square.u1
    model.other.a >> model.square.u2
    model.square.y >> model.more.f
    model.more.flange >> model.mass.flange_a
    with pytest.warns(IncompleteRunWarning, match=r"t = 0 s.*meter, other.*no value fits"):
        model.simulate(1.0)


class Square(Model):
    """2 a = f − 0.5 a + k a²: beyond k f = 1.5625 there is no real solution."""

    def build(self, f: float = 3.0, k: float = 1.0) -> None:
        self.mass, self.meter = tr.Mass(m=2.0, s=0.0, v=0.0), tr.AccSensor()
        self.law, self.force = blocks.Function(f=lambda a: -0.5 * a + k * a * a), tr.Force()
        self.push = tr.ConstantForce(f_constant=f)
        self.mass.flange_b >> self.meter.flange
        self.meter.a >> self.law.u
        self.law.y >> self.force.f
        self.force.flange >> self.mass.flange_b
        self.push.flange >> self.mass.flange_a


@pytest.mark.kinds(3)
@pytest.mark.parametrize("scale", [1e-18, 1e-6, 1.0, 1e18])
def test_a_curved_law_is_solved_and_refused_alike_in_any_unit(scale):
    """What is scaled has the same solutions; there is no force that is small by itself."""
    found = Square(f=1.2 * scale, k=1.0 / scale).simulate(1.0)["mass.a"][-1]
    assert found / scale == pytest.approx(0.5 * (2.5 - np.sqrt(2.5**2 - 4.8)), rel=1e-12)
    with pytest.warns(IncompleteRunWarning, match=r"meter.*no value fits"):
        Square(f=3.0 * scale, k=1.0 / scale).simulate(1.0)


def test_where_no_value_fits_the_nearest_one_is_told():
    """a = r(a) = 1.5 − 0.25 a + 0.5 a² is missed least at a = 1.25, where 1.96875 is read."""
    with pytest.warns(IncompleteRunWarning, match=r"meter\.a = 1\.25 .* 1\.969"):
        Square().simulate(1.0)


class Coupled(Model):
    """Masses by chance, each held back by curved functions of the accelerations of all."""

    def build(self, seed: int = 0) -> None:
        chance = np.random.default_rng(seed)
        n = int(chance.integers(2, 5))
        self.m = chance.uniform(0.5, 3.0, n)
        self.f = chance.uniform(-5.0, 5.0, n)
        self.K = chance.uniform(-0.4, 0.4, (n, n))
        self.mass = [tr.Mass(m=float(m), s=0.0, v=0.0) for m in self.m]
        feed_back(self)


@pytest.mark.kinds(3)
@pytest.mark.parametrize("seed", range(5))
def test_curved_laws_by_chance_agree_with_another_solver(seed):
    model = Coupled(seed=seed)
    result = model.simulate(1.0)
    m, f, K = model.m, model.f, model.K

    def missing(a):
        return m * a - f - K @ (a * a / np.sqrt(1.0 + a * a))

    found = np.array([result[f"mass[{i + 1}].a"][-1] for i in range(m.size)])
    np.testing.assert_allclose(missing(found), 0.0, atol=1e-12)
    other = root(missing, f / m, tol=1e-13)
    np.testing.assert_allclose(found, other.x, rtol=1e-10)


def test_a_motion_cannot_depend_on_an_acceleration():
    model = VirtualMass()
    model.drive, model.moved = tr.Position(exact=True), tr.Mass(m=1.0)
    model.scaled = blocks.Gain(k=1.0)
    model.meter.a >> model.scaled.u
    model.scaled.y >> model.drive.s_ref
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


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["auto", "projected", "absolute"])
def test_an_acceleration_in_a_loop_acts_as_a_rotor(strategy):
    ends = []
    for is_rotor in (False, True):
        model = Parallelogram(is_rotor=is_rotor)
        model.hinges[0].phi = 0.4
        model.compile(strategy=strategy)
        result = model.simulate(1.0, rtol=1e-10)
        ends.append((result["hinges[1].phi"][-1], result["hinges[1].w"][-1]))
    assert ends[0] == pytest.approx(ends[1], abs=1e-7)


class CutFourBar(Model):
    """A four-bar driven by a law of the force that its coupler takes at the crank."""

    def build(
        self, law: Callable[[object], object] = lambda f: -0.1 * f, component: int = 0
    ) -> None:
        self.world = World(g=9.81)
        self.hinge = [Revolute(useAxisFlange=k == 0) for k in range(4)]
        self.crank = BodyShape(r=(0.4, 0, 0), m=1.0)
        self.coupler = BodyShape(r=(1.0, 0, 0), m=1.0)
        self.rocker = BodyShape(r=(0.9, 0, 0), m=1.0)
        self.base = FixedTranslation(r=(1.1, 0, 0))
        self.meter, self.motor = sensors.CutForce(), rot.Torque()
        self.law = blocks.Function(f=law)
        ground, hinge = self.world.frame_b, self.hinge
        ground >> hinge[0].frame_a
        hinge[0].frame_b >> self.crank.frame_a
        self.crank.frame_b >> hinge[1].frame_a
        hinge[1].frame_b >> self.meter.frame_a
        self.meter.frame_b >> self.coupler.frame_a
        ground >> self.base.frame_a
        self.base.frame_b >> hinge[3].frame_a
        hinge[3].frame_b >> self.rocker.frame_a
        self.rocker.frame_b >> hinge[2].frame_a
        hinge[2].frame_b >> self.coupler.frame_b
        hinge[0].phi, hinge[0].w = 1.0, 3.0
        hinge[3].phi, hinge[1].phi = guess(1.5), guess(-0.8)
        self.meter.force[component] >> self.law.u
        self.law.y >> self.motor.tau
        self.motor.flange >> hinge[0].axis


LAWS = {
    "linear": lambda f: -0.1 * f,
    "curved": lambda f: -0.002 * f * fn.sqrt(1.0 + f * f) - 1e-4 * f**3,
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("law", "strategies"),
    [
        ("linear", ("explicit", "baumgarte")),
        ("curved", ("explicit", "projected")),
        pytest.param("curved", ("explicit", "absolute"), marks=pytest.mark.thorough),
    ],
)
def test_a_cut_force_in_a_loop_acts_back_in_every_strategy(law, strategies):
    ends = []
    for strategy in strategies:
        result = CutFourBar(law=LAWS[law]).simulate(0.6, rtol=1e-10, strategy=strategy)
        assert result.complete
        force = np.array(result["meter.force"])[:, 0]
        torque = np.array([float(LAWS[law](f)) for f in force])
        np.testing.assert_allclose(result["motor.tau"], torque, rtol=1e-9, atol=1e-9)
        ends.append(result["hinge[1].phi"][-1])
    np.testing.assert_allclose(ends, ends[0], rtol=1e-7)


@pytest.mark.slow
def test_a_cut_force_of_a_piston_acts_as_its_acceleration_does():
    """The force along the guide is that of the piston's mass: both ways give one motion."""
    ends = []
    for is_cut in (False, True):
        model = DrivenSlider(is_cut=is_cut)
        result = model.simulate(1.0, rtol=1e-10)
        ends.append((result["hinge.phi"][-1], result["slide.v"][-1]))
    assert ends[0] == pytest.approx(ends[1], rel=1e-7)


class DrivenSlider(Model):
    """A slider-crank held back by 0.3 m times the force, or the acceleration, of its piston."""

    def build(self, is_cut: bool = False) -> None:
        self.world = World(g=9.81)
        self.hinge = Revolute(phi=0.3, w=5.0, useAxisFlange=True)
        self.crank, self.rod = (
            BodyShape(r=(0.2, 0, 0), m=1.0),
            BodyShape(r=(0.5, 0, 0), m=1.0),
        )
        self.pin, self.wrist = Revolute(phi=guess(-0.5)), Revolute()
        self.slide, self.piston = (
            Prismatic(n="x", s=guess(0.6), useAxisFlange=True),
            Body(m=0.5),
        )
        self.gain, self.motor = blocks.Gain(k=-0.3 if is_cut else -0.3 * 0.5), rot.Torque()
        ground = self.world.frame_b
        ground >> self.hinge.frame_a
        self.hinge.frame_b >> self.crank.frame_a
        self.crank.frame_b >> self.pin.frame_a
        self.pin.frame_b >> self.rod.frame_a
        ground >> self.slide.frame_a
        self.slide.frame_b >> self.wrist.frame_a
        self.wrist.frame_b >> self.rod.frame_b
        if is_cut:
            self.meter = sensors.CutForce()
            self.slide.frame_b >> self.meter.frame_a
            self.meter.frame_b >> self.piston.frame_a
            self.meter.force[0] >> self.gain.u
        else:
            self.slide.frame_b >> self.piston.frame_a
            self.meter = tr.AccSensor()
            self.slide.axis >> self.meter.flange
            self.meter.a >> self.gain.u
        self.gain.y >> self.motor.tau
        self.motor.flange >> self.hinge.axis


def test_a_cut_force_that_is_not_unique_is_refused():
    with refused(AssemblyError, "meter", "not unique", "hinge[1]", "in the plane"):
        CutFourBar(component=2).simulate(1.0)
