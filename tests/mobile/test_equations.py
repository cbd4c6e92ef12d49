"""Equations of motion of chains, by a second route each: energies, closed forms, Pinocchio."""

import math

import casadi
import numpy as np
import pytest

from motorik.algebra import Matrix, Vector, X, Y, Z, rotation_about
from motorik.algebra.pose import Pose
from motorik.errors import AssemblyError, ParameterError
from motorik.mobile import (
    AngularVariable,
    ConstantWrench,
    Drive,
    ElementaryJoint,
    EquationBuilder,
    Frame,
    Gravity,
    MapChain,
    MassElement,
    RigidLink,
    find_subchains,
)
from motorik.mobile.elements.leaf import Leaf
from motorik.mobile.states.mutable import MutableScalar, MutableVector
from motorik.mobile.states.transmission import Subtask
from tests.mobile.mechanisms import (
    G,
    Pendulum,
    TriplePendulum,
    Trolley,
    lagrange,
    point_mass_energies,
)

RANDOM = np.random.default_rng(20240607)


def give(variables, q, qd):
    for variable, x, v in zip(variables, q, qd, strict=True):
        variable.q, variable.qd = float(x), float(v)


def test_pendulum_over_eighteen_angles():
    p = Pendulum(m=2.0, length=0.8)
    dynamics = EquationBuilder([p.phi], p.chain, p.K0, Y)
    for i in range(18):
        p.phi.q = i * math.pi / 18
        p.phi.qd = 0.3 * i  # a pendulum has no Coriolis force
        dynamics.build()
        assert dynamics.mass_matrix[0, 0] == pytest.approx(2.0 * 0.8**2, rel=1e-15)
        weight = -2.0 * G * 0.8 * math.sin(p.phi.q)
        assert dynamics.force_vector[0] == pytest.approx(weight, rel=1e-14, abs=1e-15)
        dynamics.solve()
        assert p.phi.qdd == pytest.approx(
            -G / 0.8 * math.sin(p.phi.q), rel=1e-14, abs=1e-15
        )


def test_printing(capsys):
    p = Pendulum()
    p.phi.q = math.pi / 2
    dynamics = EquationBuilder([p.phi], p.chain, p.K0, Y)
    dynamics.build()
    dynamics.solve()
    dynamics.print_mass()
    dynamics.print_force()
    dynamics.print_acceleration()
    assert [float(line) for line in capsys.readouterr().out.split()] == [1.0, -9.81, -9.81]


@pytest.mark.parametrize("seed", range(3))
def test_triple_pendulum_by_the_energy_method(seed):
    random = np.random.default_rng(seed)
    q, qd = random.uniform(-2, 2, 3), random.uniform(-3, 3, 3)
    p = TriplePendulum()
    give(p.variables, q, qd)
    dynamics = EquationBuilder(p.variables, p.chain, p.frames[0], Z)
    dynamics.build()
    M, F = lagrange(point_mass_energies(TriplePendulum.masses), q, qd)
    np.testing.assert_allclose(dynamics.mass_matrix, M, rtol=0, atol=2e-14)
    np.testing.assert_allclose(dynamics.force_vector, F, rtol=0, atol=5e-14)
    dynamics.solve()
    np.testing.assert_allclose(M @ dynamics.accelerations, F, rtol=0, atol=2e-13)


def test_unlike_variables_with_spring_and_damper_by_the_energy_method():
    def energies(q, v):
        s, phi = q[0], q[1]
        x, z = s - 0.7 * casadi.sin(phi), -0.7 * casadi.cos(phi)
        speed = casadi.jacobian(casadi.vertcat(x, z), q) @ v
        T = v[0] ** 2 + 0.75 * casadi.dot(speed, speed) + 0.1 * v[1] ** 2
        return T, 1.5 * G * z + 20.0 * (s - 0.1) ** 2

    t = Trolley()
    q, qd = [0.35, 0.8], [1.1, -2.3]
    give(t.variables, q, qd)
    dynamics = EquationBuilder(t.variables, t.chain, t.K0)
    dynamics.build()
    M, F = lagrange(energies, q, qd)
    F[0] -= 0.6 * qd[0]
    np.testing.assert_allclose(dynamics.mass_matrix, M, rtol=0, atol=1e-15)
    np.testing.assert_allclose(dynamics.force_vector, F, rtol=0, atol=1e-14)


def random_arm(n=4):
    """A spatial chain of turning joints about any axes, with bodies of any inertia."""
    random = np.random.default_rng(7)
    frames, variables, chain, links = [Frame("base")], [], MapChain(), []
    for i in range(n):
        axis, offset, centre = random.normal(size=(3, 3))
        axis /= np.linalg.norm(axis)
        turn = rotation_about(
            Vector(*random.permutation([1.0, 0.0, 0.0])), random.uniform(-3, 3)
        )
        root = random.normal(size=(3, 3))
        tensor = root @ root.T + np.eye(3)
        mass = random.uniform(0.5, 3)
        a, b, phi = Frame(f"a{i}"), Frame(f"b{i}"), AngularVariable(f"phi{i}")
        chain << RigidLink(frames[-1], a, Vector.of(offset), turn)
        chain << ElementaryJoint(a, b, phi, Vector.of(axis))
        chain << MassElement(b, mass, Vector.of(centre), tensor.tolist())
        frames.append(b)
        variables.append(phi)
        links.append((axis, offset, turn.numpy(), mass, centre, tensor))
    return frames, variables, chain, links


def test_spatial_chain_by_pinocchio():
    pin = pytest.importorskip("pinocchio")
    frames, variables, chain, links = random_arm()
    model = pin.Model()
    parent = 0
    for i, (axis, offset, turn, mass, centre, tensor) in enumerate(links):
        joint = pin.JointModelRevoluteUnaligned(axis)
        parent = model.addJoint(parent, joint, pin.SE3(turn, offset), f"j{i}")
        model.appendBodyToJoint(
            parent, pin.Inertia(mass, centre, tensor), pin.SE3.Identity()
        )
    up = np.array([0.3, -0.5, 0.8])
    model.gravity.linear = -G * up / np.linalg.norm(up)
    data = model.createData()
    q, qd = RANDOM.uniform(-2, 2, 4), RANDOM.uniform(-2, 2, 4)
    give(variables, q, qd)
    dynamics = EquationBuilder(variables, chain, frames[0], up.tolist())
    dynamics.build()
    pin.computeAllTerms(model, data, q, qd)
    M = np.triu(data.M) + np.triu(data.M, 1).T
    np.testing.assert_allclose(dynamics.mass_matrix, M, rtol=2e-14)
    np.testing.assert_allclose(dynamics.force_vector, -data.nle, rtol=1e-14)


def test_inverse_dynamics_is_what_the_equations_leave_over():
    frames, variables, chain, _ = random_arm()
    q, qd, qdd = RANDOM.uniform(-2, 2, (3, 4))
    give(variables, q, qd)
    dynamics = EquationBuilder(variables, chain, frames[0])
    dynamics.build()
    for variable, a in zip(variables, qdd, strict=True):
        variable.qdd = float(a)
    dynamics.traverse()
    left = [variable.Q for variable in variables]
    expected = dynamics.force_vector - dynamics.mass_matrix @ qdd
    np.testing.assert_allclose(left, expected, rtol=0, atol=2e-13)


def test_what_is_no_coordinate_moves_as_it_is_told():
    frames, variables, chain, _ = random_arm()
    q, qd = RANDOM.uniform(-2, 2, (2, 4))
    give(variables, q, qd)
    whole = EquationBuilder(variables, chain, frames[0])
    whole.build()
    driven, free = variables[1], [variables[0], variables[2], variables[3]]
    driven.qdd = 0.7
    part = EquationBuilder(free, chain, frames[0])
    part.build()
    keep = [0, 2, 3]
    M, F = whole.mass_matrix, whole.force_vector
    np.testing.assert_allclose(part.mass_matrix, M[np.ix_(keep, keep)], rtol=0, atol=1e-13)
    np.testing.assert_allclose(
        part.force_vector, F[keep] - 0.7 * M[keep, 1], rtol=0, atol=2e-13
    )
    assert driven.qdd == 0.7


def test_an_accelerated_base_pulls_at_the_masses_but_not_at_the_mass_matrix():
    p = Pendulum()
    p.phi.q = 0.4
    dynamics = EquationBuilder([p.phi], p.chain)
    dynamics.build()
    M = dynamics.mass_matrix
    p.K0.lin_a = Vector(3.0, 0.0, 0.0)
    dynamics.build()
    np.testing.assert_array_equal(dynamics.mass_matrix, M)
    assert dynamics.force_vector[0] == pytest.approx(-3.0 * math.cos(0.4), rel=1e-14)
    assert p.K0.lin_a.x == 3.0


def test_gravity_by_axis_by_vector_by_element_and_by_weights():
    def force(make):
        p = TriplePendulum()
        give(p.variables, (0.5, -0.3, 1.2), (1.0, -2.0, 0.5))
        dynamics = make(p)
        dynamics.build()
        return np.array([*dynamics.force_vector, *dynamics.mass_matrix.ravel()])

    by_axis = force(lambda p: EquationBuilder(p.variables, p.chain, p.frames[0], Z))
    by_vector = force(
        lambda p: EquationBuilder(p.variables, p.chain, p.frames[0], (0, 0, 5))
    )

    def with_element(p):
        chain = MapChain((Gravity(p.frames[0]), *p.chain.elements))
        return EquationBuilder(p.variables, chain)

    def with_weights(p):
        for carrier, m, z in ((1, 1.0, -1.5), (4, 2.0, -1.0), (5, 2.0, -1.0)):
            centre = Frame()
            p.chain << RigidLink(p.frames[carrier], centre, Vector(0, 0, z))
            p.chain << ConstantWrench(centre, f=Vector(0, 0, -m * G), is_global=True)
        return EquationBuilder(p.variables, p.chain)

    np.testing.assert_array_equal(by_axis, by_vector)
    np.testing.assert_allclose(force(with_element), by_axis, rtol=0, atol=1e-14)
    np.testing.assert_allclose(force(with_weights), by_axis, rtol=0, atol=1e-14)


def test_up_is_meant_in_the_axes_of_the_frame():
    upright, tilted = Pendulum(), Pendulum()
    tilted.K0.X = Pose(rotation_about(Z, math.pi / 2) @ rotation_about(X, 0.3), 2.0 * X)
    forces = []
    for p in (upright, tilted):
        p.phi.q = 0.6
        dynamics = EquationBuilder([p.phi], p.chain, p.K0, Y)
        dynamics.build()
        forces.append(dynamics.force_vector[0])
    assert forces[1] == pytest.approx(forces[0], rel=1e-14)


def test_frames_keep_their_true_accelerations():
    p = Pendulum()
    p.phi.q, p.phi.qd = 0.5, 2.0
    dynamics = EquationBuilder([p.phi], p.chain, p.K0, Y)
    dynamics.build()
    dynamics.solve()
    dynamics.traverse()
    inertial = p.K2.R @ p.K2.lin_a
    e = Vector(math.sin(0.5), -math.cos(0.5), 0.0)  # along the rod
    across = Vector(math.cos(0.5), math.sin(0.5), 0.0)
    expected = -G * math.sin(0.5) * across - 4.0 * e
    np.testing.assert_allclose(inertial.numpy(), expected.numpy(), rtol=0, atol=1e-14)
    assert p.phi.Q == pytest.approx(0.0, abs=1e-14)
    # the rod is pulled by weight and centrifugal force
    pull = p.K2.R @ p.K2.f
    assert pull.dot(e) == pytest.approx(G * math.cos(0.5) + 4.0, rel=1e-14)


def test_subchains_give_the_same_equations():
    p = TriplePendulum()
    subchains = find_subchains(p.chain, p.variables)
    assert [len(s.elements) for s in subchains] == [8, 4, 4]
    give(p.variables, (0.5, -0.3, 1.2), (1.0, -2.0, 0.5))
    whole = EquationBuilder(p.variables, p.chain, p.frames[0])
    branches = EquationBuilder(p.variables, p.chain, p.frames[0], subchains=subchains)
    whole.build()
    branches.build()
    np.testing.assert_array_equal(branches.mass_matrix, whole.mass_matrix)
    np.testing.assert_array_equal(branches.force_vector, whole.force_vector)
    assert branches.mass_matrix[1, 2] == 0.0


def test_parameters_and_gravity_are_read_anew():
    r, m, g = MutableVector(name="r"), MutableScalar(name="m"), MutableScalar(G, "g")
    K = [Frame(f"K{i}") for i in range(3)]
    phi = AngularVariable("phi", q=math.pi / 2)
    chain = MapChain(
        (ElementaryJoint(K[0], K[1], phi), RigidLink(K[1], K[2], r), MassElement(K[2], m))
    )
    dynamics = EquationBuilder([phi], chain, K[0], Y, g=g)
    r.y = -2.0
    m.value = 3.0
    dynamics.build()
    assert dynamics.force_vector[0] == pytest.approx(-6.0 * G)
    g.value = 1.62
    r.y = -1.0
    dynamics.build()
    assert dynamics.force_vector[0] == pytest.approx(-3.0 * 1.62)
    assert dynamics.mass_matrix[0, 0] == pytest.approx(3.0)
    assert dynamics.parameters == (r, m, g)


def test_a_drive_acts_along_its_variable():
    p = Pendulum()
    drive = Drive(p.phi, Q=2.5)
    p.chain << drive
    dynamics = EquationBuilder([p.phi], p.chain)
    dynamics.build()
    assert dynamics.force_vector[0] == 2.5
    drive.Q = MutableScalar(-1.0)
    dynamics.build()
    assert dynamics.force_vector[0] == -1.0
    assert drive.parameters == (drive.Q,)


def test_symbols_give_the_same_equations():
    p = TriplePendulum()
    q, qd = casadi.SX.sym("q", 3), casadi.SX.sym("qd", 3)
    dynamics = EquationBuilder(p.variables, p.chain, p.frames[0])
    for i, variable in enumerate(p.variables):
        variable.q, variable.qd = q[i], qd[i]
    dynamics.build()
    entries = [entry for row in dynamics.M for entry in row]
    assert dynamics.M[1][2] == 0.0  # the branches know nothing of each other
    dynamics.solve()
    accelerations = [variable.qdd for variable in p.variables]
    traced = casadi.Function(
        "f",
        [q, qd],
        [casadi.vertcat(*entries), casadi.vertcat(*dynamics.F, *accelerations)],
    )
    numbers = RANDOM.uniform(-2, 2, (2, 3))
    give(p.variables, *numbers)
    dynamics.build()
    dynamics.solve()
    M, F = traced(*numbers)
    np.testing.assert_allclose(
        np.array(M).reshape(3, 3), dynamics.mass_matrix, rtol=0, atol=1e-14
    )
    expected = [*dynamics.force_vector, *dynamics.accelerations]
    np.testing.assert_allclose(np.array(F).ravel(), expected, rtol=0, atol=1e-13)


# --- bad input -----------------------------------------------------------------------------


def test_a_variable_that_moves_nothing():
    p = Pendulum()
    with pytest.raises(AssemblyError, match="psi: moves nothing in the chain"):
        EquationBuilder([AngularVariable("psi")], p.chain).build()


def test_a_variable_named_twice():
    p = Pendulum()
    with pytest.raises(AssemblyError, match="named twice: phi, phi"):
        EquationBuilder([p.phi, p.phi], p.chain).build()


def test_gravity_in_a_frame_that_moves():
    p = Pendulum()
    with pytest.raises(AssemblyError, match=r"Frame\('K1'\): is moved by the chain"):
        EquationBuilder([p.phi], p.chain, p.K1).build()


def test_up_without_direction():
    p = Pendulum()
    with pytest.raises(ParameterError, match="is not a direction"):
        EquationBuilder([p.phi], p.chain, p.K0, Vector(0, 0, 0)).build()


def test_equations_asked_for_before_they_are_built():
    p = Pendulum()
    dynamics = EquationBuilder([p.phi], p.chain)
    for ask in (dynamics.solve, dynamics.print_mass, lambda: dynamics.force_vector):
        with pytest.raises(AssemblyError, match="Call `build`"):
            ask()


def test_a_variable_without_inertia():
    p = Pendulum(m=0.0)
    dynamics = EquationBuilder([p.phi], p.chain, p.K0)
    dynamics.build()
    with pytest.raises(AssemblyError, match="phi: nothing resists its motion"):
        dynamics.solve()


def test_two_variables_that_move_only_one_mass_together():
    K = [Frame(f"K{i}") for i in range(3)]
    one, two = AngularVariable("one"), AngularVariable("two")
    chain = MapChain(
        (
            ElementaryJoint(K[0], K[1], one),
            ElementaryJoint(K[1], K[2], two),
            MassElement(K[2], 1.0, X),
        )
    )
    dynamics = EquationBuilder([one, two], chain)
    dynamics.build()
    with pytest.raises(AssemblyError, match="one: moves no mass together with others"):
        dynamics.solve()


def test_subchains_too_few_or_incomplete():
    p = TriplePendulum()
    with pytest.raises(AssemblyError, match="2 sub-chains are given for 3 variables"):
        EquationBuilder(p.variables, p.chain, subchains=[p.chain, p.chain]).build()
    without_mass = MapChain((p.R1, p.arm_a, p.R2))
    with pytest.raises(
        AssemblyError, match=r"sub-chain of beta_2: MassElement.*is missing"
    ):
        EquationBuilder(
            p.variables, p.chain, subchains=[p.chain, without_mass, p.chain]
        ).build()


class Crooked(Leaf):
    """A load that depends on accelerations as no inertia does."""

    def __init__(self, one, two):
        self.one, self.two = one, two

    @property
    def inputs(self):
        return (self.one, self.two)

    def force(self, subtasks=Subtask.ALL):
        if Subtask.EULER in subtasks:
            self.one.Q = self.one.Q - 0.1 * self.two.qdd


def test_an_element_whose_force_does_not_belong_to_its_motion():
    p = TriplePendulum()
    p.chain << Crooked(p.variables[1], p.variables[2])
    with pytest.raises(
        AssemblyError, match="beta_2, beta_3: the mass matrix is not symmetric: 0"
    ):
        EquationBuilder(p.variables, p.chain).build()


def test_accelerations_are_given_back_after_a_failure():
    p = TriplePendulum()
    p.chain << Crooked(p.variables[1], p.variables[2])
    p.frames[0].lin_a = Vector(1.0, 0.0, 0.0)
    with pytest.raises(AssemblyError):
        EquationBuilder(p.variables, p.chain).build()
    assert p.frames[0].lin_a.x == 1.0
    assert isinstance(p.frames[0].R, Matrix)
