"""Small motions about an equilibrium: frequencies, damping and shapes known otherwise."""

import math

import casadi
import numpy as np
import pytest
from scipy.linalg import eigh

from motorik.algebra import Vector, X, Y, Z
from motorik.errors import SimulationError
from motorik.mobile import (
    AngularVariable,
    CombinedSystem,
    Drive,
    EigenvalueAnalysis,
    ElementaryJoint,
    Frame,
    LinearSpringDamper,
    LinearVariable,
    MapChain,
    MassElement,
    MechanicalSystem,
    StaticEquilibriumFinder,
)
from motorik.numerics.modes import find_modes, find_uncertainties
from tests.mobile.mechanisms import (
    G,
    Pendulum,
    TriplePendulum,
    point_mass_energies,
)
from tests.mobile.systems import Decay, Motor


@pytest.mark.parametrize("is_native", [False, True])
def test_damped_pendulum(is_native):
    p = Pendulum(damping=0.5)
    system = MechanicalSystem([p.phi], p.chain, p.K0, Y)
    (mode,) = EigenvalueAnalysis(system.compile() if is_native else system).modes()
    # φ̈ + 0.5 φ̇ + g φ = 0
    expected = complex(-0.25, math.sqrt(G - 0.25**2))
    assert mode.eigenvalue == pytest.approx(expected, abs=1e-11)
    assert mode.frequency == pytest.approx(expected.imag / math.tau, rel=1e-11)
    assert mode.natural_frequency == pytest.approx(math.sqrt(G) / math.tau, rel=1e-11)
    assert mode.damping == pytest.approx(0.25 / math.sqrt(G), rel=1e-10)
    assert mode.shape["phi"] == pytest.approx(1.0, rel=1e-15)
    assert mode.shape["der(phi)"] == pytest.approx(mode.eigenvalue, rel=1e-14)
    assert mode.is_stable


def test_upright_pendulum_falls():
    p = Pendulum()
    p.phi.q = math.pi
    system = MechanicalSystem([p.phi], p.chain, p.K0, Y)
    analysis = EigenvalueAnalysis(system)
    values = analysis.eigenvalues()
    assert sorted(values.real) == pytest.approx([-math.sqrt(G), math.sqrt(G)], rel=1e-10)
    assert [mode.is_stable for mode in analysis.modes()] == [True, False]


def test_triple_pendulum_against_the_stiffness_of_its_energy():
    p = TriplePendulum()
    system = MechanicalSystem(p.variables, p.chain, p.frames[0])
    for variable in p.variables:
        variable.q = 0.0
    modes = EigenvalueAnalysis(system).modes()
    q, v = casadi.SX.sym("q", 3), casadi.SX.sym("v", 3)
    T, V = point_mass_energies(TriplePendulum.masses)(q, v)
    M_K = casadi.Function("MK", [q], [casadi.hessian(T, v)[0], casadi.hessian(V, q)[0]])
    M, K = (np.array(m) for m in M_K([0, 0, 0]))
    squares, shapes = eigh(K, M)
    found = [mode.frequency * math.tau for mode in modes]
    np.testing.assert_allclose(found, np.sqrt(squares), rtol=3e-12)
    for mode, shape in zip(modes, shapes.T, strict=True):
        own = np.array([mode.shape[v.name].real for v in p.variables])
        np.testing.assert_allclose(
            own, shape / shape[np.argmax(abs(own))], rtol=0, atol=3e-12
        )
        assert abs(mode.damping) < 1e-9


def test_two_masses_on_three_springs():
    K = [Frame(f"K{i}") for i in range(3)]
    a, b = LinearVariable("a"), LinearVariable("b")
    parts = [
        ElementaryJoint(K[0], K[1], a, X),
        MassElement(K[1], 2.0),
        ElementaryJoint(K[1], K[2], b, X),
        MassElement(K[2], 2.0),
        LinearSpringDamper(a, c=300.0),
        LinearSpringDamper(b, c=300.0),
    ]
    system = MechanicalSystem([a, b], MapChain(parts))
    modes = EigenvalueAnalysis(system).modes()
    # the golden ratio: ω² = (3 ∓ √5)/2 · c/m; b is measured from a
    for mode, sign in zip(modes, (-1, 1), strict=True):
        square = (3 + sign * math.sqrt(5)) / 2 * 150.0
        assert (mode.frequency * math.tau) ** 2 == pytest.approx(square, rel=1e-10)
        ratio = mode.shape["b"] / mode.shape["a"]
        assert ratio == pytest.approx(1 - square / 150.0, rel=1e-9)


def test_a_free_wheel_has_a_motion_without_frequency():
    K0, K1, phi = Frame("K0"), Frame("K1"), AngularVariable("phi", qd=50.0)
    body = MassElement(K1, 1.0, Vector(), [[1, 0, 0], [0, 1, 0], [0, 0, 0.3]])
    system = MechanicalSystem([phi], MapChain((ElementaryJoint(K0, K1, phi), body)))
    assert abs(EigenvalueAnalysis(system).eigenvalues()).max() < 1e-12
    assert phi.qd == 50.0
    assert EigenvalueAnalysis(system).modes()[0].damping == 0.0


def test_a_motor_brakes_its_wheel():
    K0, K1, phi = Frame("K0"), Frame("K1"), AngularVariable("phi")
    drive = Drive(phi)
    body = MassElement(K1, 1.0, Vector(), [[1, 0, 0], [0, 1, 0], [0, 0, 0.3]])
    chain = MapChain((ElementaryJoint(K0, K1, phi), body, drive))
    motor = Motor(phi, drive)
    system = CombinedSystem(MechanicalSystem([phi], chain), motor)
    A = EigenvalueAnalysis(system).state_matrix()
    k, L, R = motor.k, motor.L, motor.R
    np.testing.assert_allclose(
        A, [[0, 1, 0], [0, 0, k / 0.3], [0, -k / L, -R / L]], rtol=0, atol=1e-12
    )
    values = EigenvalueAnalysis(system).eigenvalues()
    assert values[0] == pytest.approx(0.0, abs=1e-11)
    expected = np.roots([1.0, R / L, k * k / (L * 0.3)])
    np.testing.assert_allclose(sorted(values[1:].real), sorted(expected), rtol=1e-13)


def test_at_an_equilibrium_found_before():
    p = Pendulum()
    p.chain << LinearSpringDamper(p.phi, c=20.0, q_rest=1.5)
    system = MechanicalSystem([p.phi], p.chain, p.K0, Y)
    StaticEquilibriumFinder(system).motion()
    (mode,) = EigenvalueAnalysis(system).modes()
    stiffness = 20.0 + G * math.cos(p.phi.q)
    assert (mode.frequency * math.tau) ** 2 == pytest.approx(stiffness, rel=1e-10)


def test_a_mode_without_coordinates_has_its_largest_state_one():
    system = Decay(-3.0, 2.0)
    system.y = [0.0, 0.0]
    slow, fast = EigenvalueAnalysis(system).modes()
    assert (slow.eigenvalue, fast.eigenvalue) == (pytest.approx(2.0), pytest.approx(-3.0))
    assert slow.shape == {"Decay.1": 0.0, "Decay.2": 1.0}
    assert not slow.is_stable


def test_printing(capsys):
    p = Pendulum(damping=0.5)
    EigenvalueAnalysis(MechanicalSystem([p.phi], p.chain, p.K0, Y)).print_modes()
    heading, row = capsys.readouterr().out.splitlines()
    assert heading.split() == ["f", "[Hz]", "damping", "eigenvalue", "[1/s]"]
    assert row.split() == ["0.496897", "0.0798189", "-0.25", "±", "3.1221i"]


def test_conditions_that_are_no_equilibrium():
    p = Pendulum()
    p.phi.q = 0.4
    system = MechanicalSystem([p.phi], p.chain, p.K0, Y)
    with pytest.raises(SimulationError, match=r"der\(phi\): changes at a rate of -3\.82"):
        EigenvalueAnalysis(system).modes()
    (mode,) = EigenvalueAnalysis(system, anywhere=True).modes()
    assert (mode.frequency * math.tau) ** 2 == pytest.approx(G * math.cos(0.4), rel=1e-10)


def test_free_fall_is_no_equilibrium():
    K0, K1, z = Frame("K0"), Frame("K1"), LinearVariable("z")
    chain = MapChain((ElementaryJoint(K0, K1, z, Z), MassElement(K1, 1.0)))
    with pytest.raises(SimulationError, match=r"der\(z\): changes at a rate of -9\.81"):
        EigenvalueAnalysis(MechanicalSystem([z], chain, K0)).modes()


@pytest.mark.parametrize("is_native", [False, True])
def test_undamped_modes_are_stable_and_slight_growth_is_not(is_native):
    """Rounding must not decide: hanging pendulums neither grow nor decay."""
    p = TriplePendulum()
    for variable in p.variables:
        variable.q = 0.0
    system = MechanicalSystem(p.variables, p.chain, p.frames[0])
    analysis = EigenvalueAnalysis(system.compile() if is_native else system)
    modes = analysis.modes()
    assert all(mode.is_stable and mode.uncertainty < 1e-8 for mode in modes)
    p.chain << LinearSpringDamper(p.variables[1], d=-1e-6)  # drives it a little
    assert not all(mode.is_stable for mode in analysis.modes())


def test_multiple_eigenvalues_of_free_motion_are_uncertain_by_their_root():
    for size in (0.0, 1.0):
        A = np.array([[size, 1.0], [0.0, size]])
        values = np.linalg.eigvals(A).astype(complex)
        (first, second) = find_uncertainties(A, values, 1e-16)
        assert first == pytest.approx(second, rel=1e-6) and 1e-9 < first < 1e-6


def test_slow_growth_beside_a_fast_mode_is_seen():
    """What is certain is relative to the mode: 1 1/s grows, though another has 1e8 1/s."""
    A = np.array([[0.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, -1e8]])
    modes = find_modes(A, "abc", range(3))
    assert [mode.is_stable for mode in modes] == [True, False, True]
    assert [mode.decays for mode in modes] == [False, False, True]
