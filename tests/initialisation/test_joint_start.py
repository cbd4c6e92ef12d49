"""One search for the start: mechanism, blocks and networks meet their conditions together."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from motorik import Model, blocks, electrical, guess, rotational, steady
from motorik.authoring import (
    Equation,
    EquationPart,
    equal,
    kinds,
    parameter,
    rotational_flange,
)
from motorik.errors import InitialValueError
from motorik.gallery.robot_r3 import FullRobot, R3Mechanics


class Held(Model):
    """An inertia on a spring, turned by a controller that measures its angle."""

    def build(self, initType: str = "NoInit", phi: object = 0.3, c: float = 4.0) -> None:
        self.fixed = rotational.Fixed()
        self.spring = rotational.Spring(c=c)
        self.inertia = rotational.Inertia(J=2.0, phi=phi, w=0.0, a=0.0)
        self.sensor, self.torque = rotational.AngleSensor(), rotational.Torque()
        self.PI = blocks.PI(k=-0.5, T=0.2, initType=initType, x_start=0.125)
        self.fixed.flange >> self.spring.flange_a
        self.spring.flange_b >> self.inertia.flange_a
        self.connect(self.inertia.flange_b, self.sensor.flange, self.torque.flange)
        self.sensor.phi >> self.PI.u
        self.PI.y >> self.torque.tau


def test_a_block_without_a_start_condition_follows_from_a_fixed_acceleration() -> None:
    result = Held().simulate(0.01, output=2)
    # c phi = k (x + phi)
    assert result["PI.x"][0] == pytest.approx(4.0 * 0.3 / -0.5 - 0.3, rel=1e-9)
    assert result["inertia.phi"][0] == 0.3
    assert abs(result["inertia.a"][0]) < 1e-9


def test_a_block_keeps_its_start_value_where_a_coordinate_can_follow() -> None:
    result = Held(phi=guess(0.3)).simulate(0.01, output=2)
    assert result["PI.x"][0] == 0.125
    assert result["inertia.phi"][0] == pytest.approx(-0.5 * 0.125 / (4.0 + 0.5), rel=1e-9)


def test_a_fixed_state_of_a_block_is_kept_and_the_acceleration_refused() -> None:
    with pytest.raises(InitialValueError, match=r"inertia.*acceleration a cannot be met"):
        Held(initType="InitialState").simulate(0.01)


def test_values_given_to_all_states_replace_conditions() -> None:
    given = {"inertia.phi": 0.2, "inertia.w": 1.0, "PI.x": 0.4}
    result = Held().simulate(0.01, output=2, initial=given)
    assert [result[name][0] for name in given] == list(given.values())
    expected = (-4.0 * 0.2 - 0.5 * (0.4 + 0.2)) / 2.0
    assert result["inertia.a"][0] == pytest.approx(expected, rel=1e-12)


def test_values_given_to_all_states_replace_conditions_of_a_circuit() -> None:
    given = {"rotor.phi": 0.2, "rotor.w": 1.0, "control.y": 0.4}
    model = Lift()
    names = [name for name in model.simulate(1e-4).state_names if name not in given]
    result = model.simulate(0.01, output=2, initial={**given, **dict.fromkeys(names, 0.7)})
    assert [result[name][0] for name in given] == list(given.values())
    assert [result[name][0] for name in names] == [0.7]
    assert abs(result["L.v"][0]) > 0.1


class Preload(EquationPart):
    """Measures a torque as a spring, and has a given torque at the start."""

    flange = rotational_flange("the shaft")
    c: kinds.TorsionalStiffness = parameter("stiffness", default=5.0)
    tau0: kinds.Torque = parameter("torque at the start", default=2.0)

    def equations(self) -> Iterator[Equation]:
        yield equal(self.flange.tau, self.c * self.flange.phi)

    def start_equations(self) -> Iterator[Equation]:
        yield equal(self.flange.tau, self.tau0)


class Preloaded(Model):
    """An inertia that starts where the spring has its torque."""

    def build(self, phi: object = guess(0.0)) -> None:
        self.inertia = rotational.Inertia(J=2.0, phi=phi, w=0.0)
        self.preload = Preload()
        self.inertia.flange_b >> self.preload.flange


def test_a_start_equation_of_a_part_moves_the_mechanism() -> None:
    result = Preloaded().simulate(0.01, output=2)
    assert result["inertia.phi"][0] == pytest.approx(2.0 / 5.0, rel=1e-9)


def test_a_start_equation_that_nothing_can_meet_is_refused_by_name() -> None:
    with pytest.raises(InitialValueError, match="preload"):
        Preloaded(phi=0.1).simulate(0.01)


class Lift(Model):
    """A motor that holds a load in gravity by current; its circuit rests at the start."""

    def build(self) -> None:
        self.source = electrical.SignalVoltage()
        self.R, self.L = electrical.Resistor(R=2.0), electrical.Inductor(L=0.1, i=steady())
        self.emf, self.ground = electrical.RotationalEMF(k=0.5), electrical.Ground()
        self.rotor = rotational.Inertia(J=0.1, phi=0.0, w=0.0, a=0.0)
        self.load = rotational.ConstantTorque(tau_constant=-3.0)
        self.control = blocks.Integrator(k=1.0)
        self.error = blocks.Constant(k=0.0)
        self.error.y >> self.control.u
        self.control.y >> self.source.v
        self.source.p >> self.R.p
        self.R.n >> self.L.p
        self.L.n >> self.emf.p
        self.connect(self.emf.n, self.source.n, self.ground.p)
        self.connect(self.emf.flange, self.rotor.flange_a, self.load.flange)


def test_circuit_block_and_shaft_start_in_equilibrium() -> None:
    result = Lift().simulate(0.5, output=3)
    assert result["L.i"] == pytest.approx(6.0, rel=1e-9)  # k i = 3
    assert result["control.y"] == pytest.approx(12.0, rel=1e-9)  # R i
    assert result["rotor.phi"] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.slow
def test_the_robot_starts_in_equilibrium() -> None:
    result = FullRobot().simulate(1e-3, output=2)
    gravity = gravity_torques(
        [float(result[f"mechanics.r{k}.phi"][0]) for k in range(1, 7)]
    )
    for k in range(1, 7):
        assert abs(result[f"mechanics.r{k}.a"][0]) < 1e-8
        assert result[f"mechanics.r{k}.tau"][0] == pytest.approx(gravity[k - 1], abs=1e-6)
    assert abs(gravity[1]) > 100.0


def gravity_torques(angles: list[float]) -> np.ndarray:
    """Return the torques that hold the arm: the gradient of its potential energy."""

    class Arm(Model):
        def build(self) -> None:
            self.mechanics = R3Mechanics(phi=angles)

    arm, h = Arm(), 1e-5
    at_rest = {f"mechanics.r{k}.{name}": 0.0 for k in range(1, 7) for name in ("phi", "w")}

    def potential(k: int, change: float) -> float:
        own = {f"mechanics.r{i + 1}.phi": angles[i] + change * (i == k) for i in range(6)}
        result = arm.simulate(1e-6, output=2, initial={**at_rest, **own})
        return float(result.energy()["potential"][0])

    return np.array([(potential(k, h) - potential(k, -h)) / (2 * h) for k in range(6)])


class Shaky(Model):
    """A controller at rest by initType in front of friction that holds everything."""

    def build(self, phi: object = guess(0.4)) -> None:
        self.fixed, self.spring = rotational.Fixed(), rotational.Spring(c=3.0)
        self.inertia = rotational.Inertia(J=1.5, phi=phi, w=0.0, a=0.0)
        self.friction = rotational.BearingFriction(tau_pos=((0.0, 0.05), (1.0, 0.06)))
        self.sensor, self.source = rotational.AngleSensor(), electrical.SignalVoltage()
        self.PI = blocks.PI(k=-1.0, T=0.5, initType="SteadyState")
        self.R, self.L = electrical.Resistor(R=1.0), electrical.Inductor(L=0.1, i=steady())
        self.emf, self.ground = electrical.RotationalEMF(k=0.5), electrical.Ground()
        self.fixed.flange >> self.spring.flange_a
        self.connect(
            self.spring.flange_b, self.inertia.flange_a, self.friction.flange_a,
            self.sensor.flange, self.emf.flange,
        )  # fmt: skip
        self.sensor.phi >> self.PI.u
        self.PI.y >> self.source.v
        self.source.p >> self.R.p
        self.R.n >> self.L.p
        self.L.n >> self.emf.p
        self.connect(self.emf.n, self.source.n, self.ground.p)


def test_a_current_that_friction_leaves_open_is_one_that_it_holds() -> None:
    result = Shaky().simulate(1e-3, output=2)
    for name in ("inertia.phi", "inertia.a", "L.v"):
        assert result[name][0] == pytest.approx(0.0, abs=1e-9)
    assert abs(0.5 * result["L.i"][0]) <= 0.05 * (1.0 + 1e-9)
    assert result["PI.y"][0] == pytest.approx(1.0 * result["L.i"][0], abs=1e-9)


def test_a_block_whose_rest_contradicts_a_fixed_angle_is_refused_by_name() -> None:
    with pytest.raises(InitialValueError, match="PI"):
        Shaky(phi=0.4).simulate(1e-3)
