"""What a model stores is what its sources supplied less what it lost, in all domains.

Stored energy, supplied power and lost power are declared by different lines of each part, and the
flow between the parts by none, so that the imbalance of a run shows a part that declares one of
them wrongly.
"""

from __future__ import annotations

from functools import cache
from typing import ClassVar

import numpy as np
import pytest

import motorik as mk
from examples.bouncing_ball import Ball
from examples.modelica.multibody.full_robot import FullRobot
from motorik import blocks, electrical, heat, rotational, translational
from motorik.authoring import (
    LineForce,
    Part,
    parameter,
    translational_flange,
)
from motorik.errors import SimulationError, UnknownNameError
from motorik.results.energy import EnergyBalance
from scripts.make_catalogue import WINDOWS, examples_of, public_parts
from tests.laws.gallery_models import ALL, model_of

RTOL = 1e-9
SEEN = 1e4  # imbalance by tolerance: the steps of a stiff method are the least exact


def exchanged(energy: EnergyBalance) -> float:
    """Return how much energy a run has exchanged [J]."""
    forms = [
        np.abs(own - own[0]).max() for name, own in energy.items() if name != "imbalance"
    ]
    return max([0.0, *(value for value in forms if np.isfinite(value))])


def assert_balanced(result: mk.Result, rtol: float = RTOL) -> None:
    """Assert that the imbalance is that of the tolerance, or rounding of what is stored."""
    energy = result.energy()
    rounding = 1e-11 * np.nanmax(np.abs(energy["kinetic"]) + np.abs(energy["stored"]))
    worst = np.abs(energy["imbalance"]).max()
    scale = exchanged(energy)
    assert worst <= SEEN * rtol * scale + rounding + 1e-30, (worst, scale, energy)


PARTS = [(window, name) for window in WINDOWS for name in public_parts(window)]


@pytest.mark.slow
@pytest.mark.kinds(12)
@pytest.mark.parametrize(("window", "name"), PARTS, ids=[".".join(own) for own in PARTS])
def test_every_part_of_the_catalogue_declares_what_it_stores_supplies_and_loses(
    window, name
):
    model = getattr(examples_of(window), name)()
    result = model.simulate(1.0, rtol=RTOL, output=20)
    assert not result.energy().undeclared_by
    assert_balanced(result)


@pytest.mark.slow
@pytest.mark.kinds(4)
@pytest.mark.parametrize("name", ALL)
def test_mechanisms_of_the_gallery_balance(name):
    assert_balanced(model_of(name).simulate(ALL[name].stop, rtol=RTOL, output=20))


@cache
def motor() -> mk.Model:
    """Return a motor that drives a fan, with heat in its winding, and a brake with a spring."""
    model = mk.Model()
    model.battery, model.ground = electrical.ConstantVoltage(V=12.0), electrical.Ground()
    model.motor = electrical.DCMotor(R=0.5, L=1e-3, k=0.05)
    model.fan = rotational.Inertia(J=1e-3)
    model.air = rotational.QuadraticSpeedDependentTorque(tau_nominal=-0.2, w_nominal=100.0)
    model.spring = rotational.SpringDamper(c=20.0, d=0.01)
    model.load = rotational.Inertia(J=2e-3)
    model.brake = rotational.BearingFriction(tau_pos=((0.0, 0.1), (1.0, 0.1)))
    model.connect(model.battery.p, model.motor.p)
    model.connect(model.battery.n, model.motor.n, model.ground.p)
    model.connect(model.motor.flange, model.fan.flange_a)
    model.connect(model.fan.flange_b, model.air.flange, model.spring.flange_a)
    model.connect(model.spring.flange_b, model.load.flange_a)
    model.connect(model.load.flange_b, model.brake.flange_a)
    return model


def test_the_imbalance_falls_with_the_tolerance():
    worst = []
    for rtol in (1e-5, 1e-9):
        energy = motor().simulate(1.0, rtol=rtol, output=7).energy()
        worst.append(np.abs(energy["imbalance"]).max() / energy["supplied"][-1])
    assert worst[1] < 1e-7 and worst[1] < 1e-2 * worst[0]


def test_the_balance_does_not_depend_on_the_output_times():
    few, many = (motor().simulate(1.0, rtol=1e-8, output=n).energy() for n in (1, 400))
    for name in ("supplied", "lost", "total"):
        np.testing.assert_allclose(few[name][-1], many[name][-1], rtol=1e-6)


def test_works_by_part_are_the_integrals_of_their_powers():
    model = motor()
    result = model.simulate(1.0, rtol=1e-9, output=4000)
    energy = result.energy()
    by_hand = np.trapezoid(result["battery.suppliedPower"], result.time)
    np.testing.assert_allclose(energy.supplied_by["battery"][-1], by_hand, rtol=1e-5)
    np.testing.assert_allclose(result["battery.suppliedPower"], 12.0 * -result["battery.i"])
    assert set(energy.supplied_by) == {"battery", "air"}
    assert "brake" in energy.lost_by and energy["electrical"].max() > 0.0
    total = sum(own[-1] for own in energy.lost_by.values())
    np.testing.assert_allclose(energy["lost"][-1], total, rtol=1e-14)
    assert "supplied" in repr(energy) and len(energy) == len(list(energy))


def test_what_leaves_by_a_heat_port_is_stored_or_taken_not_lost():
    model = mk.Model()
    model.wheel, model.brake = rotational.Inertia(J=2.0, w=50.0), rotational.Damper(d=1.0)
    model.wall, model.iron = rotational.Fixed(), heat.HeatCapacitor(C=40.0, T=300.0)
    model.cooling, model.room = heat.ThermalConductor(G=5.0), heat.FixedTemperature(T=290.0)
    model.connect(model.wheel.flange_b, model.brake.flange_a)
    model.connect(model.brake.flange_b, model.wall.flange)
    model.connect(model.brake.heatPort, model.iron.port, model.cooling.port_a)
    model.connect(model.cooling.port_b, model.room.port)
    energy = model.simulate(4.0, rtol=1e-9).energy()
    assert not energy.lost_by and energy["lost"].max() == 0.0
    assert energy["supplied"][-1] < -300.0  # the room takes heat
    assert np.abs(energy["imbalance"]).max() < 1e-5


def test_hits_and_closing_clutches_are_jumps_of_what_is_lost():
    model = mk.Model()
    model.a, model.b = (translational.Mass(m=m, v=v) for m, v in ((1.0, 2.0), (2.0, 0.0)))
    model.gap = translational.ElastoGap(c=1e5, d=100.0, s_rel0=-0.1)
    model.connect(model.a.flange_b, model.gap.flange_a)
    model.connect(model.gap.flange_b, model.b.flange_a)
    assert_balanced(model.simulate(0.2, rtol=1e-8, output=50), 1e-8)
    ball = Ball().simulate(3.0, rtol=1e-9)
    energy = ball.energy()
    hits = sum(event.energy_lost for event in ball.events)
    assert hits > 0.0
    np.testing.assert_allclose(energy.lost_by["floor"][-1], hits, rtol=1e-9)
    assert np.abs(energy["imbalance"]).max() < 1e-9


class Puller(Part):
    """A spring of the user that declares nothing."""

    flange = translational_flange("the end that is pulled")
    c = parameter("stiffness", "N/m", default=10.0)

    def contributions(self, p):
        """Contribute the pull."""
        yield LineForce(None, self.flange, p, lambda p, x, v: p.c * x)


def test_laws_that_declare_nothing_are_named():
    model = mk.Model()
    model.mass, model.puller = translational.Mass(m=1.0, s=1.0), Puller()
    model.connect(model.mass.flange_a, model.puller.flange)
    result = model.simulate(1.0, rtol=1e-9)
    energy = result.energy()
    assert list(energy.undeclared_by) == ["puller"] and not energy.supplied_by
    np.testing.assert_allclose(
        energy["undeclared"], 5.0 * (1.0 - result["mass.s"] ** 2), atol=1e-8
    )
    assert np.abs(energy["imbalance"]).max() < 1e-8


def test_a_wrong_declaration_is_seen():
    class Wrong(rotational.Damper):
        lost: ClassVar = staticmethod(lambda p, x, v: 0.9 * p.d * v * v)

    model = mk.Model()
    model.wheel, model.brake, model.wall = (
        rotational.Inertia(J=1.0, w=5.0),
        Wrong(d=1.0),
        rotational.Fixed(),
    )
    model.connect(model.wheel.flange_b, model.brake.flange_a)
    model.connect(model.brake.flange_b, model.wall.flange)
    energy = model.simulate(1.0).energy()
    assert np.abs(energy["imbalance"]).max() > 0.05 * np.ptp(energy["kinetic"])


def test_gravity_without_a_potential_supplies_power():
    model = mk.Model()
    model.world = mk.World(gravityAcceleration=lambda r: (0.0, -9.81 - r.y, 0.0))
    model.hinge, model.body = mk.Revolute(n="z", phi=0.4), mk.Body(m=2.0, r_CM=(0.7, 0, 0))
    model.connect(model.world.frame_b, model.hinge.frame_a)
    model.connect(model.hinge.frame_b, model.body.frame_a)
    energy = model.simulate(1.0, rtol=1e-9).energy()
    assert np.isnan(energy["potential"]).all() and list(energy.supplied_by) == ["world"]
    assert np.abs(energy["imbalance"]).max() < 1e-6 * np.ptp(energy["kinetic"])


def test_a_run_that_cannot_be_repeated_is_refused():
    calls = []

    def read(t: float) -> float:
        calls.append(t)
        return 1.0 if len(calls) < 12 else -5.0

    model = mk.Model()
    model.mass, model.force = translational.Mass(m=1.0), translational.Force()
    model.push = blocks.Discrete()
    model.connect(model.mass.flange_b, model.force.flange)
    model.connect(model.push.y, model.force.f)
    model.sample(0.1, read, outputs=[model.push])
    result = model.simulate(1.0)
    energy = result.energy()
    assert energy["kinetic"][-1] > 0.0  # needs no repetition
    with pytest.raises(SimulationError, match="came to another end"):
        energy["supplied"]


def test_names_that_are_not_known_are_refused_with_those_that_are():
    with pytest.raises(UnknownNameError, match="supplied"):
        motor().simulate(0.1).energy()["suplied"]
    with pytest.raises(UnknownNameError, match="interpolated"):
        _ = motor().simulate(0.1).at([0.05]).energy().supplied_by


@pytest.mark.slow
def test_the_robot_with_motors_and_controllers_balances():
    result = FullRobot().simulate(2.0, rtol=1e-8, output=20)
    energy = result.energy()
    assert not energy.undeclared_by and len(energy.supplied_by) > 0
    assert np.abs(energy["imbalance"]).max() < 1e-5 * energy["lost"][-1]
