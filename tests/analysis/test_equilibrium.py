"""Static equilibrium: closed forms, damped runs that come to rest, and what is left without one."""

from __future__ import annotations

import math

import numpy as np
import pytest

from motorik import (
    Body,
    Model,
    Prismatic,
    Revolute,
    World,
    blocks,
    electrical,
    gallery,
    rotational,
)
from motorik import translational as line
from motorik.errors import ParameterError, SimulationError, UnknownNameError
from motorik.forces import PointPlaneContact
from tests.analysis.models import (
    G,
    Pendulum,
    ball_pendulum,
    pendulum,
    quarter_car,
    suspension,
)


class Stopped(Model):
    """A pendulum whose hinge has stops."""

    def build(self, phi: float = 0.4, low: float = 0.2, high: float = 2.0) -> None:
        """Connect hinge and bob; phi is 0 where it hangs."""
        self.world = World(g=G, n="-y")
        self.hinge = Revolute(n="z", phi=phi, stops=(low, high))
        self.bob = Body(m=2.0, r_CM=(0.0, -0.5, 0.0))
        self.world.frame_b >> self.hinge.frame_a
        self.hinge.frame_b >> self.bob.frame_a


class Dropped(Model):
    """A body above a plane, guided along the vertical."""

    def build(self, height: float = 0.5, scale: float = 1.0) -> None:
        """Connect guide, body and plane."""
        self.world = World(g=G, n="-z")
        self.guide = Prismatic(n="z", s=height * scale)
        self.body = Body(m=1.5)
        self.floor = PointPlaneContact(n="z")
        self.world.frame_b >> self.guide.frame_a
        self.guide.frame_b >> self.body.frame_a
        self.world.frame_b >> self.floor.frame_a
        self.body.frame_a >> self.floor.frame_b


class Divider(Model):
    """A source that charges a capacitor through a resistor and a coil."""

    def build(self) -> None:
        """Connect all in a row, with a load beside the capacitor."""
        self.source, self.ground = electrical.ConstantVoltage(V=12.0), electrical.Ground()
        self.resistor, self.load = electrical.Resistor(R=2.0), electrical.Resistor(R=4.0)
        self.coil, self.capacitor = electrical.Inductor(L=0.1), electrical.Capacitor(C=1e-3)
        self.source.p >> self.resistor.p
        self.resistor.n >> self.coil.p
        self.coil.n >> self.capacitor.p
        self.coil.n >> self.load.p
        self.capacitor.n >> self.source.n
        self.load.n >> self.source.n
        self.source.n >> self.ground.p


def test_a_pendulum_hangs_or_stands():
    model = pendulum()
    hanging = model.equilibrium(at={"hinge.phi": 0.4})
    assert hanging["hinge.phi"] == pytest.approx(0.0, abs=1e-12)
    assert hanging.stability == "stable" and not hanging.held
    standing = model.equilibrium(at={"hinge.phi": 2.6, "hinge.w": 3.0})
    assert standing["hinge.phi"] == pytest.approx(math.pi) and standing["hinge.w"] == 0.0
    assert standing.stability == "unstable" and "unstable" in repr(standing)


def test_the_answer_is_accepted_as_a_state():
    model = pendulum()
    found = model.equilibrium(
        at={"hinge.phi": 0.4}, parameters={"torque.tau_constant": 3.0}
    )
    at = math.asin(3.0 / (2.0 * G * 0.5))
    assert found["hinge.phi"] == pytest.approx(at)
    values = {"torque.tau_constant": 3.0}
    assert not np.isnan(model.linearize(at=found, parameters=values).A).any()
    assert model.evaluate("hinge.a", at=found, parameters=values)[
        "hinge.a"
    ] == pytest.approx(0.0)
    result = model.simulate(1.0, initial=found, parameters=values)
    assert np.allclose(result["hinge.phi"], at)
    prepared = model.prepare(1.0)(start=found, parameters=values)
    assert np.allclose(prepared["hinge.phi"], at)


@pytest.mark.slow
def test_a_model_is_drawn_in_a_state():
    def apart(one, other):
        return float(np.abs(one.pixels.astype(float) - other.pixels).mean())

    size = (120, 90)
    rest = pendulum().equilibrium(at={"hinge.phi": 0.3})
    for at, phi in (({"hinge.phi": 0.7}, 0.7), (rest, rest["hinge.phi"])):
        picture = pendulum().draw(at=at, size=size)
        far = apart(picture, Pendulum(phi=phi + 0.5).draw(size=size))
        assert apart(picture, Pendulum(phi=phi).draw(size=size)) < 0.05 * far
    arm = gallery.manipulator6()
    reached = arm.inverse_kinematics(
        {"limb6.frame_b.r_0": [(0.0, 0.0, 2.0), (0.3, 0.1, 2.0)]}
    )
    path = arm.draw(at=reached, size=size)
    assert apart(path, arm.draw(at=reached, ghosts=1, size=size)) > 0.0
    with pytest.raises(UnknownNameError, match=r"Did you mean 'hinge\.phi'"):
        pendulum().draw(at={"hinge.fi": 0.7})


def test_free_parameters_take_what_holds_a_pose():
    found = pendulum().equilibrium(free="torque.tau_constant", where={"hinge.phi": 0.5})
    assert found["hinge.phi"] == pytest.approx(0.5)
    expected = 2.0 * G * 0.5 * math.sin(0.5)
    assert found.parameters == {"torque.tau_constant": pytest.approx(expected)}


def test_springs_carry_their_load():
    found = quarter_car().equilibrium(parameters={"push.f_constant": 100.0})
    assert found["wheel.s"] == pytest.approx(100.0 / 160e3)
    assert found["body.s"] == pytest.approx(100.0 / 160e3 + 100.0 / 16e3)


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["auto", "projected"])
def test_a_loop_rests_where_a_damped_run_ends(strategy):
    model = suspension()
    found = model.equilibrium(strategy=strategy)
    end = model.simulate(40.0, output=1, rtol=1e-9, method="dopri5").sample(-1)
    assert found["inner_joint.phi"] == pytest.approx(end["inner_joint.phi"], abs=1e-6)
    assert found["strut.s"] == pytest.approx(end["strut.s"], abs=1e-6)
    assert found.stability == "stable"
    rates = model.evaluate("inner_joint.a", at=found, strategy=strategy)
    assert rates["inner_joint.a"] == pytest.approx(0.0, abs=1e-7)


def test_a_quaternion_and_a_free_turn_are_indifferent():
    found = ball_pendulum().equilibrium(at={"ball.Q[1]": 0.1, "ball.Q[2]": 0.2})
    assert found.stability == "indifferent"
    assert found["ball.Q[1]"] == pytest.approx(0.0, abs=1e-7)


def test_friction_that_sticks_is_held():
    found = pendulum(friction=20.0, phi=0.3).equilibrium()
    assert found["hinge.phi"] == 0.3 and found.held == {"bearing": "stuck"}
    slips = pendulum(friction=1.0, phi=0.7).equilibrium()
    assert slips["hinge.phi"] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(
    ("phi", "low", "end"), [(0.4, 0.2, 0.2), (0.2, 0.2, 0.2), (0.4, -0.3, 0.0)]
)
def test_stops_carry_or_are_left(phi, low, end):
    found = Stopped(phi=phi, low=low).equilibrium()
    assert found["hinge.phi"] == pytest.approx(end, abs=1e-9)
    assert found.held == ({"hinge": "closed"} if low > 0.0 else {})
    assert found.stability == "stable"


@pytest.mark.parametrize("scale", [1e-3, 1.0, 1e3])
def test_what_falls_comes_to_rest_on_the_ground(scale):
    found = Dropped(scale=scale).equilibrium()
    assert found["guide.s"] == pytest.approx(0.0, abs=1e-9 * scale)
    assert found.held == {"floor": "closed"}


def test_circuits_are_in_a_steady_state():
    model = Divider()
    found = model.equilibrium()
    values = model.evaluate(["capacitor.p.v", "coil.p.i"], at=found)
    assert values["capacitor.p.v"] == pytest.approx(8.0)
    assert values["coil.p.i"] == pytest.approx(2.0)
    assert found.stability == "stable"


def test_without_an_equilibrium_the_forces_left_are_named():
    model = pendulum()
    with pytest.raises(
        SimulationError, match=r"20\.19 N\.m along hinge\.w left at the nearest"
    ) as caught:
        model.equilibrium(parameters={"torque.tau_constant": 30.0})
    nearest = caught.value.value
    assert nearest["hinge.phi"] == pytest.approx(math.pi / 2, abs=1e-3)  # type: ignore[index]


class Wound(Model):
    """A mass that a rope holds; a motor winds nothing, and its angle is read by nobody."""

    def build(self):
        self.wall, self.spring = line.Fixed(), line.Spring(c=100.0, s_rel0=0.2)
        self.mass, self.weight = line.Mass(m=2.0), line.ConstantForce(f_constant=5.0)
        self.wall.flange >> self.spring.flange_a
        self.spring.flange_b >> self.mass.flange_a
        self.weight.flange >> self.mass.flange_b
        self.speed, self.angle = blocks.Constant(k=3.0), blocks.Integrator()
        self.speed.y >> self.angle.u


def test_what_nothing_depends_on_may_move_on():
    rest = Wound().equilibrium()
    assert rest["mass.s"] == pytest.approx(0.2 + 5.0 / 100.0, rel=1e-9)

    class Filling(Wound):
        def build(self):
            super().build()
            self.pull, self.force = line.Force(), blocks.Gain(k=-0.01)
            self.angle.y >> self.force.u
            self.force.y >> self.pull.f
            self.pull.flange >> self.mass.flange_b

    with pytest.raises(SimulationError, match=r"a change of angle\.y at 3 1/s left"):
        Filling().equilibrium()


class Sampled(Model):
    """A hanging pendulum with a controller that samples."""

    def build(self):
        self.world, self.hinge = World(g=G, n="-y"), Revolute(n="z", useAxisFlange=True)
        self.bob = Body(m=2.0, r_CM=(0.0, -0.5, 0.0))
        self.motor, self.torque = rotational.Torque(), blocks.Discrete(start=0.0)
        self.world.frame_b >> self.hinge.frame_a
        self.hinge.frame_b >> self.bob.frame_a
        self.torque.y >> self.motor.tau
        self.motor.flange >> self.hinge.axis
        self.sample(0.01, lambda t, w: -w, inputs=["hinge.w"], outputs=[self.torque])


def test_an_equilibrium_with_sampled_signals_is_a_state():
    model = Sampled()
    rest = model.equilibrium()
    assert model.linearize("torque.y", "hinge.phi", at=rest).A.shape == (2, 2)
    assert model.evaluate("torque.y", at=model.simulate(0.1, initial=rest).sample(-1))


def test_what_is_wrong_is_named():
    model = pendulum()
    with pytest.raises(ParameterError, match="1 parameters are free for 0 values"):
        model.equilibrium(free="torque.tau_constant")
    with pytest.raises(UnknownNameError, match=r"Did you mean 'torque\.tau_constant'"):
        model.equilibrium(free="torque.tau", where={"hinge.phi": 0.1})
    with pytest.raises(UnknownNameError, match="Did you mean 'phi'"):
        model.equilibrium(free="torque.tau_constant", where={"hinge.phy": 0.1})
    with pytest.raises(ParameterError, match="one finite number"):
        model.equilibrium(free="torque.tau_constant", where={"bob.frame_a.r_0": 0.1})


def test_a_mass_without_a_spring_stays_anywhere():
    class Slide(Model):
        def build(self) -> None:
            self.wall, self.mass = line.Fixed(), line.Mass(m=1.0)
            self.damper = line.Damper(d=3.0)
            self.wall.flange >> self.damper.flange_a
            self.damper.flange_b >> self.mass.flange_a

    found = Slide().equilibrium(at={"mass.s": 0.3})
    assert found["mass.s"] == pytest.approx(0.3) and found.stability == "indifferent"
