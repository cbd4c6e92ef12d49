"""Equations of motion of closed loops: a slider-crank, by energies in its one coordinate."""

import math

import casadi
import numpy as np
import pytest

from motorik.algebra import Vector, X, Y
from motorik.errors import AssemblyError, LoopError, SimulationError
from motorik.mobile import (
    AdamsIntegrator,
    AngularVariable,
    ChordPointPlane,
    EigenvalueAnalysis,
    ElementaryJoint,
    EquationBuilder,
    ExplicitConstraintSolver,
    Frame,
    Gravity,
    ImplicitConstraintSolver,
    LinearSpringDamper,
    MapChain,
    MassElement,
    MechanicalSystem,
    RigidLink,
    RungeKuttaIntegrator,
    StaticEquilibriumFinder,
    find_subchains,
)
from tests.mobile.mechanisms import G, lagrange

CRANK, ROD = 0.3, 0.8
ROD_INERTIA = 0.05


class SliderCrank:
    """A crank about z, a rod on it, and a mass at its end that stays on the x axis."""

    def __init__(self, is_explicit=False, is_absolute=False, crank=CRANK):
        K = self.K = [Frame(f"K{i}") for i in range(6)]
        self.phi, self.psi = AngularVariable("phi", q=0.6), AngularVariable("psi", q=-0.8)
        self.input = MapChain(
            (ElementaryJoint(K[0], K[1], self.phi), RigidLink(K[1], K[2], crank * X))
        )
        rod = MapChain(
            (
                ElementaryJoint(K[2], K[3], self.psi),
                RigidLink(K[3], K[4], 0.5 * ROD * X),
                RigidLink(K[4], K[5], 0.5 * ROD * X),
            )
        )
        if is_absolute:
            chord = ChordPointPlane.absolute(K[5], 0.0, rod, normal=Y)
        else:
            chord = ChordPointPlane.relative(K[5], K[0], 0.0, rod, normal=Y)
        if is_explicit:
            self.solver = ExplicitConstraintSolver(chord, self.psi, near=-0.8)
        else:
            self.solver = ImplicitConstraintSolver(chord, self.psi)
        self.masses = (
            MassElement(K[2], 1.5),
            MassElement(K[4], 2.0, Vector(), np.diag([0.0, 0.0, ROD_INERTIA]).tolist()),
            MassElement(K[5], 3.0),
        )
        self.chain = MapChain((self.input, self.solver, *self.masses))

    @property
    def system(self):
        return MechanicalSystem([self.phi], self.chain, self.K[0], Y)


def points(phi):
    """Mass and place of the three bodies, and the angle of the rod."""
    theta = -casadi.asin(CRANK / ROD * casadi.sin(phi))
    pin = casadi.vertcat(CRANK * casadi.cos(phi), CRANK * casadi.sin(phi))
    along = casadi.vertcat(casadi.cos(theta), casadi.sin(theta))
    places = ((1.5, pin), (2.0, pin + 0.5 * ROD * along), (3.0, pin + ROD * along))
    return places, theta


def energies(q, v):
    places, theta = points(q)
    T = 0.5 * ROD_INERTIA * (casadi.jacobian(theta, q) @ v) ** 2
    V = 0.0
    for m, place in places:
        speed = casadi.jacobian(place, q) @ v
        T += 0.5 * m * casadi.dot(speed, speed)
        V += m * G * place[1]
    return T, V


def energy(phi, w):
    q, v = casadi.SX.sym("q"), casadi.SX.sym("v")
    return float(casadi.Function("E", [q, v], [sum(energies(q, v))])(phi, w))


KINDS = [(False, False), (False, True), (True, False), (True, True)]


@pytest.mark.kinds(2)
@pytest.mark.parametrize(("is_explicit", "is_absolute"), KINDS)
def test_one_coordinate_by_the_energy_method(is_explicit, is_absolute):
    m = SliderCrank(is_explicit, is_absolute)
    dynamics = EquationBuilder([m.phi], m.chain, m.K[0], Y)
    for phi in np.arange(0.6, 0.6 + math.tau, 0.5):
        m.phi.q, m.phi.qd = float(phi), 1.7
        dynamics.build()
        M, F = lagrange(energies, [phi], [1.7])
        np.testing.assert_allclose(dynamics.mass_matrix, M, rtol=5e-15)
        np.testing.assert_allclose(dynamics.force_vector, F, rtol=0, atol=5e-14)


def test_a_dependent_variable_is_no_coordinate():
    m = SliderCrank()
    with pytest.raises(AssemblyError, match="psi: is moved by the chain"):
        EquationBuilder([m.phi, m.psi], m.chain).build()


def test_gravity_as_an_element_of_the_chain_is_the_same():
    m = SliderCrank()
    m.phi.qd = 2.0
    by_frame = EquationBuilder([m.phi], m.chain, m.K[0], Y)
    by_element = EquationBuilder(
        [m.phi], MapChain((Gravity(m.K[0], -G * Y), *m.chain.elements))
    )
    by_frame.build()
    by_element.build()
    assert by_element.force_vector == pytest.approx(by_frame.force_vector, rel=1e-13)
    assert by_element.mass_matrix == pytest.approx(by_frame.mass_matrix, rel=1e-14)


def test_a_subchain_takes_the_solver_along():
    m = SliderCrank()
    (subchain,) = find_subchains(m.chain, [m.phi])
    assert m.solver in subchain.elements
    dynamics = EquationBuilder([m.phi], m.chain, subchains=[subchain])
    whole = EquationBuilder([m.phi], m.chain)
    dynamics.build()
    whole.build()
    assert dynamics.mass_matrix == whole.mass_matrix


@pytest.mark.kinds(2)
@pytest.mark.parametrize("is_explicit", [False, True])
@pytest.mark.parametrize("is_native", [False, True])
def test_it_keeps_its_energy_while_it_turns_over(is_native, is_explicit):
    m = SliderCrank(is_explicit)
    system = m.system
    m.phi.qd = 9.0
    before = energy(m.phi.q, m.phi.qd)
    integrator = RungeKuttaIntegrator(
        system.compile() if is_native else system, 0.25, relative_tolerance=1e-8
    )
    for _ in range(4 if is_native else 1):
        integrator.motion()
        assert energy(m.phi.q, m.phi.qd) == pytest.approx(before, abs=1e-6)
    assert m.phi.q > (7.0 if is_native else 2.0)
    slider = m.K[5].X.p
    assert slider.y == pytest.approx(0.0, abs=1e-12)


def test_machine_code_and_python_agree_on_loops():
    m = SliderCrank()
    system, compiled = m.system, m.system.compile()
    for phi in (0.6, 1.1, 1.9, 2.6):
        y = [phi, 3.0]
        np.testing.assert_allclose(
            compiled.derivative(0.0, y), system.derivative(0.0, y), rtol=5e-15
        )
    A, B = compiled.jacobian(0.0, [2.6, 3.0]), system.jacobian(0.0, [2.6, 3.0])
    np.testing.assert_allclose(A, B, rtol=0, atol=1e-10)


def test_adams_in_machine_code_goes_on_from_another_branch():
    m = SliderCrank()
    system = m.system
    integrator = AdamsIntegrator(system.compile(), 0.1, relative_tolerance=1e-8)
    integrator.motion()
    # the rod on the other side of the crank: the slider at the left
    m.phi.q, m.phi.qd, m.psi.q = 0.6, 0.0, math.pi
    integrator.motion()
    assert m.K[5].X.p.x < 0.0
    x = m.phi.q
    assert m.K[5].X.p.x == pytest.approx(
        CRANK * math.cos(x) - math.sqrt(ROD**2 - (CRANK * math.sin(x)) ** 2), rel=1e-12
    )


@pytest.mark.parametrize("is_native", [False, True])
def test_a_loop_that_opens_stops_the_integration(is_native):
    m = SliderCrank(is_explicit=not is_native, crank=1.0)
    m.phi.q, m.phi.qd, m.psi.q = 0.3, 5.0, -0.7
    # the crank is longer than the rod and cannot pass arcsin 0.8; only it has mass, and
    # nothing but a soft spring slows it down before
    spring = LinearSpringDamper(m.psi, c=1e-6)
    system = MechanicalSystem([m.phi], MapChain((m.input, m.solver, m.masses[0], spring)))
    integrator = RungeKuttaIntegrator(system.compile() if is_native else system, 1.0)
    with pytest.raises(
        SimulationError, match=r"RungeKuttaIntegrator: t = 0\.1254"
    ) as raised:
        integrator.motion()
    assert isinstance(raised.value.__cause__, LoopError)
    assert m.phi.q == pytest.approx(math.asin(0.8), abs=1e-6)
    assert m.phi.q <= math.asin(0.8) + 1e-14  # rounding of cosines


def test_equilibrium_and_small_motions_of_a_loop():
    m = SliderCrank()
    m.chain << LinearSpringDamper(m.phi, c=30.0, q_rest=1.0)
    system = m.system
    StaticEquilibriumFinder(system).motion()
    q, v = casadi.SX.sym("q"), casadi.SX.sym("v")
    T, V = energies(q, v)
    V += 15.0 * (q - 1.0) ** 2
    slope = casadi.gradient(V, q)
    stiffness_mass = casadi.Function(
        "K", [q], [slope, casadi.jacobian(slope, q), casadi.hessian(T, v)[0]]
    )
    force, K, M = map(float, stiffness_mass(m.phi.q))
    assert force == pytest.approx(0.0, abs=1e-10)
    (mode,) = EigenvalueAnalysis(system).modes()
    assert (mode.frequency * math.tau) ** 2 == pytest.approx(K / M, rel=1e-8)
