"""Static equilibrium, found where closed forms know it, and refused where there is none."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize

from motorik.algebra import Vector, Y, Z
from motorik.elements import SphericalPair
from motorik.errors import LoopError, SimulationError
from motorik.mobile import (
    AngularVariable,
    CombinedSystem,
    Drive,
    ElementaryJoint,
    Frame,
    JointElement,
    LinearSpringDamper,
    LinearVariable,
    MapChain,
    MassElement,
    MechanicalSystem,
    RigidLink,
    StaticEquilibriumFinder,
    Subtask,
)
from tests.mobile.mechanisms import G, Pendulum, TriplePendulum
from tests.mobile.systems import Cylinder, Decay, Motor


def test_a_mass_on_a_spring_hangs_down_by_its_weight():
    K0, K1, z = Frame("K0"), Frame("K1"), LinearVariable("z", q=2.0, qd=3.0)
    spring = LinearSpringDamper(z, c=50.0, d=4.0, q_rest=0.2)
    chain = MapChain((ElementaryJoint(K0, K1, z, Z), MassElement(K1, 3.0), spring))
    StaticEquilibriumFinder(MechanicalSystem([z], chain, K0)).motion()
    assert z.q == pytest.approx(0.2 - 3.0 * G / 50.0, abs=1e-12)
    assert z.qd == 0.0
    assert z.Q == pytest.approx(0.0, abs=1e-10)
    assert K1.X.p.z == z.q


@pytest.mark.parametrize("start", [2.5, -1.2, 0.001])
def test_a_pendulum_with_a_torsion_spring(start):
    p = Pendulum()
    p.phi.q = start
    p.chain << LinearSpringDamper(p.phi, c=20.0, q_rest=1.5)
    StaticEquilibriumFinder(MechanicalSystem([p.phi], p.chain, p.K0, Y)).motion()
    # c > m g l leaves one equilibrium only: c (φ − φ₀) = −m g l sin φ
    assert 20.0 * (p.phi.q - 1.5) == pytest.approx(-G * math.sin(p.phi.q), abs=1e-9)


def test_the_nearest_one_is_found_even_if_it_is_unstable():
    for start, end in ((0.7, 0.0), (2.8, math.pi), (-2.8, -math.pi)):
        p = Pendulum()
        p.phi.q = start
        StaticEquilibriumFinder(MechanicalSystem([p.phi], p.chain, p.K0, Y)).motion()
        assert p.phi.q == pytest.approx(end, abs=1e-9)


def test_triple_pendulum_with_springs_is_where_its_energy_is_least():
    p = TriplePendulum()
    for variable, c, rest in zip(
        p.variables, (30.0, 8.0, 5.0), (0.5, -1.0, 2.0), strict=True
    ):
        p.chain << LinearSpringDamper(variable, c=c, q_rest=rest)
    system = MechanicalSystem(p.variables, p.chain, p.frames[0])
    StaticEquilibriumFinder(system).motion()

    def energy(q):
        weights = sum(m * G * float(z) for m, _, z in TriplePendulum.masses(q))
        springs = zip((30.0, 8.0, 5.0), q, (0.5, -1.0, 2.0), strict=True)
        return weights + sum(0.5 * c * (x - rest) ** 2 for c, x, rest in springs)

    found = [variable.q for variable in p.variables]
    outside = minimize(energy, [0.0, 0.0, 0.0], method="BFGS", options={"gtol": 1e-7})
    np.testing.assert_allclose(found, outside.x, rtol=0, atol=3e-7)


def test_a_ball_joint_hangs_its_body_below_the_support():
    K0, K1 = Frame("K0"), Frame("K1")
    joint = JointElement(K0, K1, SphericalPair())
    centre = Vector(0.3, -0.2, 0.4)
    body = MassElement(K1, 2.0, centre, [[0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]])
    chain = MapChain((joint, body))
    for variable, q in zip(joint.variables, (0.9, 0.1, 0.2, 0.4), strict=True):
        variable.q = q
    StaticEquilibriumFinder(MechanicalSystem(joint.speeds, chain, K0)).motion()
    assert sum(v.q**2 for v in joint.variables) == pytest.approx(1.0, abs=1e-12)
    across = (K1.R @ centre).cross(Z)
    np.testing.assert_allclose(across.numpy(), 0.0, rtol=0, atol=1e-12)


def test_a_motor_at_a_standstill_holds_a_pendulum():
    p = Pendulum()
    drive = Drive(p.phi)
    p.chain << drive
    motor = Motor(p.phi, drive, voltage=20.0)
    mechanics = MechanicalSystem([p.phi], p.chain, p.K0, Y)
    StaticEquilibriumFinder(CombinedSystem(mechanics, motor)).motion()
    current = 20.0 / motor.R
    assert motor.current == pytest.approx(current, rel=1e-9)
    assert math.sin(p.phi.q) == pytest.approx(motor.k * current / G, rel=1e-9)


def press():
    """A heavy mass on a spring, and oil on both sides of its piston."""
    K0, K1, s = Frame("K0"), Frame("K1"), LinearVariable("s", q=0.1)
    drive = Drive(s)
    parts = ElementaryJoint(K0, K1, s, Z), MassElement(K1, 200.0), drive
    chain = MapChain((*parts, LinearSpringDamper(s, c=2e4)))
    cylinder = Cylinder(s, drive)
    return s, cylinder, CombinedSystem(MechanicalSystem([s], chain, K0), cylinder)


def test_numbers_of_very_unlike_size():
    s, cylinder, system = press()
    cylinder.inflow, cylinder.p_a = 0.0, 3e6
    StaticEquilibriumFinder(system).motion()
    # only the difference of the pressures is determined: one of all solutions is taken
    assert cylinder.p_a == pytest.approx(cylinder.p_b, rel=1e-12)
    assert 1e6 < cylinder.p_a < 4e6
    assert s.q == pytest.approx(-200.0 * G / 2e4, rel=1e-9)


def test_it_leaves_velocity_traversals_alone():
    p = Pendulum()
    p.phi.q = 0.5
    finder = StaticEquilibriumFinder(MechanicalSystem([p.phi], p.chain, p.K0, Y))
    finder.motion(Subtask.VELOCITY)
    finder.force()
    assert p.phi.q == 0.5
    assert list(finder.inputs) == [] and list(finder.outputs) == [p.phi]


# --- where there is none ---------------------------------------------------------------------


def test_what_nothing_holds():
    K0, K1, z = Frame("K0"), Frame("K1"), LinearVariable("z")
    chain = MapChain((ElementaryJoint(K0, K1, z, Z), MassElement(K1, 1.0)))
    with pytest.raises(
        SimulationError, match=r"z: no equilibrium was found: -9\.81 is left"
    ):
        StaticEquilibriumFinder(MechanicalSystem([z], chain, K0)).motion()


def test_oil_that_flows_in_and_not_out():
    *_, system = press()
    with pytest.raises(SimulationError, match=r"Cylinder\.\d: no equilibrium was found"):
        StaticEquilibriumFinder(system, max_iterations=20).motion()


def test_a_torque_too_large_for_the_weight():
    p = Pendulum()
    p.chain << Drive(p.phi, Q=12.0)
    finder = StaticEquilibriumFinder(MechanicalSystem([p.phi], p.chain, p.K0, Y))
    with pytest.raises(
        SimulationError, match=r"phi: no equilibrium was found: 2\.19 is left"
    ):
        finder.motion()


def test_places_that_a_system_cannot_take_are_avoided():
    class Short(Decay):
        """Cannot be beyond 1; is at rest at 0.9."""

        def rates(self, t):
            if self.y[0] > 1.0:
                raise LoopError("rod", "cannot reach.")
            return [(0.9 - self.y[0]) ** 3 + 0.01 * (0.9 - self.y[0])]

    system = Short(0.0)
    system.y = [0.2]
    StaticEquilibriumFinder(system).motion()
    assert system.y == pytest.approx([0.9], abs=1e-9)


def test_any_place_is_one_where_no_force_acts():
    K0, K1, K2, phi = Frame("K0"), Frame("K1"), Frame("K2"), AngularVariable("phi", q=0.4)
    parts = ElementaryJoint(K0, K1, phi), RigidLink(K1, K2, Y), MassElement(K2, 1.0)
    StaticEquilibriumFinder(MechanicalSystem([phi], MapChain(parts))).motion()
    assert phi.q == 0.4
