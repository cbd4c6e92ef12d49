"""Systems in state-space form: mechanical ones, those of users, and several as one."""

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm

from motorik.algebra import Quaternion, Vector, Y, Z
from motorik.elements import SphericalPair
from motorik.errors import AssemblyError, CompileError
from motorik.mobile import (
    AdamsIntegrator,
    AngularVariable,
    CombinedSystem,
    Drive,
    DynamicSystem,
    ElementaryJoint,
    EquationBuilder,
    Frame,
    JointElement,
    LinearVariable,
    MapChain,
    MassElement,
    MechanicalSystem,
    RungeKuttaIntegrator,
)
from motorik.mobile.states.mutable import MutableScalar
from tests.mobile.mechanisms import G, Pendulum, TriplePendulum
from tests.mobile.systems import Controller, Cylinder, Decay, Motor

THETA = 0.3


def wheel():
    """A wheel on a shaft with a drive: Θ q̈ = Q."""
    K0, K1, phi = Frame("K0"), Frame("K1"), AngularVariable("phi")
    drive = Drive(phi)
    body = MassElement(K1, 1.0, Vector(), [[1, 0, 0], [0, 1, 0], [0, 0, THETA]])
    return phi, drive, MapChain((ElementaryJoint(K0, K1, phi), body, drive))


def test_state_space_form_of_a_pendulum():
    p = Pendulum()
    by_parts = MechanicalSystem([p.phi], p.chain, p.K0, Y)
    by_builder = MechanicalSystem(EquationBuilder([p.phi], p.chain, p.K0, Y))
    for system in (by_parts, by_builder):
        assert system.order == 2
        assert system.names == ("phi", "der(phi)")
        rates = system.derivative(0.0, [0.4, 1.5])
        assert rates == pytest.approx([1.5, -G * math.sin(0.4)], rel=1e-14)
        assert list(system.conditions) == [0.4, 1.5]


def test_arriving_brings_frames_and_forces_up_to_date():
    p = Pendulum()
    system = MechanicalSystem([p.phi], p.chain, p.K0, Y)
    system.arrive(0.0, [math.pi / 2, 2.0])
    assert p.K2.X.p.xyz == pytest.approx((1.0, 0.0, 0.0), abs=1e-15)
    velocity, acceleration = p.K2.R @ p.K2.lin_v, p.K2.R @ p.K2.lin_a
    assert velocity.xyz == pytest.approx((0.0, 2.0, 0.0), abs=1e-15)
    assert acceleration.xyz == pytest.approx((-4.0, -G, 0.0), rel=1e-14, abs=1e-14)
    assert p.phi.qdd == pytest.approx(-G)


def test_motor_drives_a_wheel_as_the_matrix_exponential_says():
    phi, drive, chain = wheel()
    motor = Motor(phi, drive, voltage=12.0)
    system = CombinedSystem(MechanicalSystem([phi], chain), motor)
    assert system.names == ("phi", "der(phi)", "motor.i")
    AdamsIntegrator(system, 0.5, relative_tolerance=1e-9).motion()
    # ẏ = A y + b by one exponential of a matrix with b in its last column
    k, L, R = motor.k, motor.L, motor.R
    A = np.zeros((4, 4))
    A[0, 1] = 1.0
    A[1, 2] = k / THETA
    A[2, 1:] = -k / L, -R / L, 12.0 / L
    expected = expm(0.5 * A)[:3, 3]
    np.testing.assert_allclose(system.conditions, expected, rtol=4e-10, atol=0)
    assert drive.Q == pytest.approx(k * expected[2], abs=2e-9)


def test_controller_motor_and_pendulum_hold_an_angle_against_gravity():
    p = Pendulum()
    drive = Drive(p.phi)
    p.chain << drive
    motor = Motor(p.phi, drive)
    controller = Controller(p.phi, motor, target=0.7)
    mechanics = MechanicalSystem([p.phi], p.chain, p.K0, Y)
    system = CombinedSystem(mechanics, controller, motor)

    def equations(t, y):
        q, qd, integral, i = y
        error = 0.7 - q
        U = controller.K_p * error + controller.K_i * integral - controller.K_d * qd
        electric = (U - motor.R * i - motor.k * qd) / motor.L
        return [qd, -G * math.sin(q) + motor.k * i, error, electric]

    outside = solve_ivp(equations, (0, 2), [0, 0, 0, 0], rtol=1e-11, atol=1e-12)
    RungeKuttaIntegrator(system, 2.0, relative_tolerance=1e-10).motion()
    np.testing.assert_allclose(system.conditions, outside.y[:, -1], rtol=0, atol=2e-9)
    compiled = system.compile()
    np.testing.assert_allclose(
        compiled.derivative(0.0, [0.3, -0.2, 0.1, 0.5]),
        equations(0.0, [0.3, -0.2, 0.1, 0.5]),
        rtol=2e-15,
    )


def test_hydraulic_cylinder_moves_a_mass():
    K0, K1, s = Frame("K0"), Frame("K1"), LinearVariable("s")
    drive = Drive(s)
    chain = MapChain((ElementaryJoint(K0, K1, s, Z), MassElement(K1, 200.0), drive))
    cylinder = Cylinder(s, drive)
    system = CombinedSystem(MechanicalSystem([s], chain, K0), cylinder)
    c = cylinder

    def equations(t, y):
        q, qd, p_a, p_b = y
        through = c.leak * (p_a - p_b)
        return [
            qd,
            c.A * (p_a - p_b) / 200.0 - G,
            c.beta * (c.inflow - through - c.A * qd) / (c.V0 + c.A * q),
            c.beta * (through + c.A * qd) / (c.V0 - c.A * q),
        ]

    start = list(system.conditions)
    outside = solve_ivp(equations, (0, 0.1), start, method="DOP853", rtol=1e-11, atol=1e-9)
    compiled = system.compile()
    RungeKuttaIntegrator(compiled, 0.1, relative_tolerance=1e-10).motion()
    expected = outside.y[:, -1]
    np.testing.assert_allclose(system.conditions, expected, rtol=3e-9, atol=0)


def test_a_part_of_a_combined_system_measures_what_earlier_ones_have_moved():
    p = Pendulum()
    seen = []

    class Sensor(DynamicSystem):
        conditions = ()

        def set_conditions(self, y):
            assert len(y) == 0

        def act(self, t):
            seen.append(p.K2.X.p.x)

        def rates(self, t):
            return []

    system = CombinedSystem(MechanicalSystem([p.phi], p.chain, p.K0, Y), Sensor())
    system.derivative(0.0, [math.pi / 6, 0.0])
    assert seen == [pytest.approx(0.5)]


def test_a_system_named_twice():
    one = Decay(-1.0)
    with pytest.raises(AssemblyError, match="named twice"):
        CombinedSystem(one, one)


# --- joints whose coordinates are not the integrals of their speeds ------------------------


def gyro():
    """A body of three unlike inertias about a fixed point, without forces."""
    K0, K1 = Frame("K0"), Frame("K1")
    joint = JointElement(K0, K1, SphericalPair())
    body = MassElement(K1, 1.0, Vector(), [[1.0, 0, 0], [0, 2.0, 0], [0, 0, 2.5]])
    return joint, MapChain((joint, body))


def test_quaternions_join_the_states():
    joint, chain = gyro()
    system = MechanicalSystem(joint.speeds, chain)
    assert system.coordinates == joint.variables
    assert system.order == 7
    y = [0.1, -0.2, 0.3, 0.9, 1.0, 2.0, -1.0]
    rates = system.derivative(0.0, y)
    Q, w = Quaternion(*y[:4]), Vector(*y[4:])
    # Q̇ = ½ Q ∘ (ω, 0) and Euler's equations Θ ω̇ = −ω × Θ ω
    expected = [*Q.rate(w).xyzw, *(w.y * w.z * -0.5, w.z * w.x * 0.75, w.x * w.y * -0.4)]
    np.testing.assert_allclose(rates, expected, rtol=0, atol=1e-15)


@pytest.mark.parametrize("is_native", [False, True])
def test_a_free_gyro_keeps_momentum_and_unit_quaternion(is_native):
    joint, chain = gyro()
    system = MechanicalSystem(joint.speeds, chain)
    system.set_conditions([0.0, 0.0, 0.0, 1.0, 0.3, 2.0, 0.1])
    K1 = joint.b

    def momentum():
        I, w = (1.0, 2.0, 2.5), K1.ang_v
        return (K1.R @ Vector(I[0] * w.x, I[1] * w.y, I[2] * w.z)).numpy()

    system.arrive(0.0, system.conditions)
    before = momentum()
    integrator = RungeKuttaIntegrator(
        system.compile() if is_native else system, 0.5, relative_tolerance=1e-7
    )
    for _ in range(4):
        integrator.motion()
    assert abs(joint.variables[0].q) + abs(joint.variables[2].q) > 0.05  # it tumbles
    np.testing.assert_allclose(momentum(), before, rtol=0, atol=4e-7)
    assert sum(v.q**2 for v in joint.variables) == pytest.approx(1.0, abs=4e-16)


# --- compiled ------------------------------------------------------------------------------


def test_machine_code_gives_the_same_rates_and_their_exact_derivatives():
    p = TriplePendulum()
    system = MechanicalSystem(p.variables, p.chain, p.frames[0])
    p.frames[2].F = 7.0 * p.frames[2].F
    kept = [(v.q, v.qd, v.qdd, v.Q) for v in p.variables], [f.A for f in p.frames]
    compiled = system.compile()
    assert kept == ([(v.q, v.qd, v.qdd, v.Q) for v in p.variables], [f.A for f in p.frames])
    y = [0.5, -0.3, 1.2, 1.0, -2.0, 0.5]
    np.testing.assert_allclose(
        compiled.derivative(0.0, y), system.derivative(0.0, y), rtol=0, atol=2e-14
    )
    exact, differences = compiled.jacobian(0.0, y), system.jacobian(0.0, y)
    np.testing.assert_allclose(differences, exact, rtol=0, atol=1e-10)
    assert list(system.conditions) == y


def test_mutable_parameters_stay_live_in_machine_code():
    m, g = MutableScalar(1.0, "m"), MutableScalar(G, "g")
    K0, K1, phi = Frame("K0"), Frame("K1"), AngularVariable("phi")
    body = MassElement(K1, m, Vector(0, -0.5, 0), [[0, 0, 0], [0, 0, 0], [0, 0, 0.25]])
    chain = MapChain((ElementaryJoint(K0, K1, phi), body))
    system = MechanicalSystem([phi], chain, K0, Y, g=g)
    compiled = system.compile()
    assert (m.value, g.value) == (1.0, G)
    for mass, field in ((1.0, G), (3.0, G), (3.0, 1.62)):
        m.value, g.value = mass, field
        expected = -mass * field * 0.5 / (0.25 + 0.25 * mass)
        assert compiled.derivative(0.0, [math.pi / 2, 0.0])[1] == pytest.approx(
            expected, rel=1e-14
        )
        assert system.derivative(0.0, [math.pi / 2, 0.0])[1] == pytest.approx(
            expected, rel=1e-14
        )


def test_equations_that_ask_for_a_value_cannot_be_traced():
    class Stop(Decay):
        def rates(self, t):
            return [-1.0 if self.y[0] > 0.0 else 0.0]

    system = Stop(1.0)
    with pytest.raises(CompileError, match=r"(?s)Stop: cannot be traced.*use `where`"):
        system.compile()
    assert system.y == [1.0]


def test_variables_without_a_chain():
    with pytest.raises(AssemblyError, match="no chain that the variables move"):
        MechanicalSystem([AngularVariable("phi")])
