"""Every method and operator that the user's guide names, by its name here."""

import matplotlib
import numpy as np
import pytest

matplotlib.use("Agg")

from motorik.algebra import Angle, Vector, X, Y, Z, outer, skew
from motorik.mobile import (
    AdamsIntegrator,
    AngularVariable,
    ChordBranch,
    ChordPointPlane,
    ConstantStepDriver,
    ElementaryJoint,
    EquationBuilder,
    ExplicitConstraintSolver,
    ExplicitEulerIntegrator,
    Frame,
    LinearVariable,
    MapChain,
    MassElement,
    MechanicalSystem,
    MutableVector,
    RigidLink,
    RotationMatrix,
    Scene,
    VariableList,
    Widget,
    ZRotationMatrix,
)


class Pendulum:
    def __init__(self):
        self.K0, self.K1, self.K2 = Frame("K0"), Frame("K1"), Frame("K2")
        self.phi = AngularVariable("phi", q=np.pi / 2)
        self.joint = ElementaryJoint(self.K0, self.K1, self.phi)
        self.rod = RigidLink(self.K1, self.K2, Vector(0, -1, 0))
        self.tip = MassElement(self.K2, 2.0)
        self.chain = MapChain() << self.joint << self.rod << self.tip
        self.builder = EquationBuilder([self.phi], self.chain, self.K0, Y)
        self.system = MechanicalSystem(self.builder)


def test_angles_know_degrees_sine_and_cosine():
    beta = Angle(0.0) - Angle(np.radians(30.0)) + np.radians(10.0)
    assert beta.degrees == pytest.approx(-20.0)
    assert beta.radians == pytest.approx(-np.pi / 9)
    assert (beta.sine, beta.cosine) == pytest.approx(
        (np.sin(beta.radians), np.cos(beta.radians))
    )


def test_vectors_multiply_as_in_the_guide():
    # the program of §3.3.1
    u, w = Vector(0, 0, 1), Vector(1, 1, 0)
    v = u + w
    b = v.cross(v.cross(w)) + (3.0 * v).cross(w) + u
    assert b.xyz == (-4.0, 2.0, 3.0)
    assert u.dot(w) == 0.0
    np.testing.assert_array_equal(outer(v, w).numpy(), np.outer(v.xyz, w.xyz))
    np.testing.assert_array_equal((skew(u) @ w).numpy(), u.cross(w).numpy())


def test_matrices_multiply_as_in_the_guide():
    R, v = RotationMatrix(ZRotationMatrix(0.5)), Vector(1, 2, 3)
    np.testing.assert_allclose((R.T @ (R @ v)).numpy(), v.numpy(), rtol=1e-15)
    np.testing.assert_array_equal(R(1).numpy(), R.e1.numpy())
    R @= RotationMatrix(R.T)
    R.normalize()
    np.testing.assert_allclose(R.numpy(), np.eye(3), atol=1e-15)


def test_lists_are_gone_through_both_ways():
    beta, s = AngularVariable("beta"), LinearVariable("s")
    states = VariableList() << beta << s
    assert [state.name for state in states] == ["beta", "s"]
    assert [state.name for state in reversed(states)] == ["s", "beta"]
    assert states[0] is states(1) is beta
    assert states[-1] is s


def test_the_kind_of_a_variable_is_its_class_and_its_unit():
    states = VariableList() << AngularVariable("beta") << LinearVariable("s")
    assert [isinstance(state, AngularVariable) for state in states] == [True, False]
    assert [state.unit for state in states] == ["rad", "m"]


def test_equations_are_built_solved_and_printed(capsys):
    p = Pendulum()
    p.builder.build()
    p.builder.solve()
    assert p.builder.mass_matrix[0, 0] == pytest.approx(2.0)
    assert p.builder.force_vector[0] == pytest.approx(-2.0 * 9.81)
    p.builder.print_mass()
    p.builder.print_force()
    p.builder.print_acceleration()
    numbers = [float(line) for line in capsys.readouterr().out.split()]
    assert numbers == pytest.approx([2.0, -19.62, -9.81])


def test_a_system_gives_order_conditions_and_rates():
    system = Pendulum().system
    assert system.order == 2
    assert list(system.conditions) == [np.pi / 2, 0.0]
    assert system.derivative(0.0, [np.pi / 2, 3.0]) == pytest.approx([3.0, -9.81])
    system.set_conditions([0.1, 0.2])
    assert list(system.conditions) == [0.1, 0.2]


@pytest.mark.slow
def test_an_integrator_is_set_and_counted():
    p = Pendulum()
    motion = AdamsIntegrator(p.system)
    motion.set_start_time(2.0)
    motion.set_time_interval(0.1)
    motion.set_relative_tolerance(1e-8)
    motion.motion()
    assert motion.time == pytest.approx(2.1)
    assert motion.number_of_steps > 0
    euler = ExplicitEulerIntegrator(p.system, 0.1)
    euler.step_size = 0.02
    p.phi.q = 0.3
    euler.reset()
    euler.motion()
    assert euler.number_of_steps == 5


def test_the_other_branch_is_selected():
    beta, A0, A1, A2 = AngularVariable("beta"), Frame("A0"), Frame("A1"), Frame("A2")
    arm = MapChain() << ElementaryJoint(A0, A1, beta) << RigidLink(A1, A2, X)
    solver = ExplicitConstraintSolver(ChordPointPlane(A2, 0.5, arm, X), beta)
    solver.motion()
    first = beta.q
    solver.select_branch()
    solver.motion()
    assert beta.q == pytest.approx(-first)
    assert abs(first) == pytest.approx(np.pi / 3)


def test_branches_of_a_chord_are_flags():
    both = ChordBranch.I | ChordBranch.II
    assert ChordBranch.III not in both
    assert both | ChordBranch.III == ChordBranch.ALL
    chord = ChordPointPlane(Frame("E"), Frame("B"), where_unknown=ChordBranch.I)
    assert (chord.where_unknown, chord.where_force) == (ChordBranch.I, ChordBranch.ALL)
    assert chord.where_input == ChordBranch.ALL
    assert chord.state is chord.states[0]


@pytest.mark.slow
def test_a_scene_is_operated_as_in_chapter_seven():
    p = Pendulum()
    scene = Scene(p.chain, up=1)
    scene.make_shape(p.K0)
    scene.make_manipulator(p.joint)
    scene.make_shape(p.joint, p.rod)
    scene.add_animation_object(ConstantStepDriver(p.phi, 0.1))
    scene.set_animation_increment(0.1)
    widget = Widget(scene, p.chain, "Initial conditions")
    angle = widget.add_slider(p.phi, -360, 360, "angle")
    back = widget.add_button("back", p.phi.reset)
    session = scene.show(open=False)
    assert widget.show() is session
    Scene.main_loop(timeout=0.05)
    scene.run_animation()
    assert scene.is_running
    scene.run_animation()
    assert not scene.is_running
    angle.set(-90.0)
    assert p.K2.X.p.x == pytest.approx(-1.0)
    back.press()
    assert p.K2.X.p.x == pytest.approx(1.0)
    session.close()
    Scene.main_loop()  # returns when all pages are closed


def test_frames_and_variables_show_their_entries():
    K, phi = Frame("K"), AngularVariable("phi", q=1.0, qd=2.0, qdd=3.0)
    K.R, K.r = ZRotationMatrix(0.3), X
    for name in ("ang_v", "lin_v", "ang_a", "lin_a", "f", "t"):
        setattr(K, name, Z)
        np.testing.assert_allclose(getattr(K, name).numpy(), [0, 0, 1], atol=1e-15)
    assert (phi.q, phi.qd, phi.qdd, phi.Q) == (1.0, 2.0, 3.0, 0.0)
    l = MutableVector()
    l.y = -1.0
    assert l.xyz == (0.0, -1.0, 0.0)
