"""Every constructor call of the user's guide, as it is written in Python.

A row is the call of the guide, its section, and the same in Python; a row with a `remedy` is
a call that the guide writes in two meanings: it is refused, and the error tells what to write.
"""

import matplotlib
import numpy as np
import pytest

matplotlib.use("Agg")

import motorik.algebra
import motorik.mobile
from motorik.algebra import Vector, X, Y
from motorik.errors import MotorikError, ParameterError
from motorik.mobile import (
    AngularVariable,
    Chord3DPosition,
    ChordBranch,
    ChordPointPlane,
    ChordPointPointLinear,
    ChordPointPointQuadratic,
    ConstantWrench,
    ElementaryJoint,
    EquationBuilder,
    Frame,
    FrameList,
    InertiaTensor,
    LinearVariable,
    MapChain,
    MassElement,
    MechanicalSystem,
    MutableScalar,
    MutableVector,
    RigidLink,
    RotationMatrix,
    Scene,
    VariableList,
    ZRotationMatrix,
)

I, II, III = ChordBranch.I, ChordBranch.II, ChordBranch.III
WORKS = [
    ("MoVector v, u(0,0,1)", "3.3.1", "Vector(), Vector(0, 0, 1)"),
    ("MoAngle beta1=0", "3.2", "Angle(0)"),
    ("MoAngle beta", "3.1", "MutableAngle()"),
    ("MoZRotation(45.0*DEG_TO_RAD)", "4.3.1", "ZRotationMatrix(np.radians(45.0))"),
    ("MoXRotation X = alpha", "5.1.1", "XRotationMatrix(0.1)"),
    ("MoRotationMatrix A", "4.3.1", "RotationMatrix()"),
    ("MoInertiaTensor(0.021, 0.004, 0.020)", "4.5", "InertiaTensor((0.021, 0.004, 0.02))"),
    ("MoReal m", "2.2.1", "MutableScalar()"),
    ("MoFrame K0", "2.2.1", "Frame()"),
    ("MoAngularVariable phi", "2.2.1", "AngularVariable()"),
    ("MoLinearVariable s", "3.4.1", "LinearVariable()"),
    ("MoVariableList vars; vars << beta << s", "3.4.1", "VariableList() << beta << s"),
    ("dependents << theta_2 << CardanAngles", "5.4.1", "VariableList() << beta << angles"),
    ("MoFrameList frameList; frameList << K1 << K2", "3.4.2", "FrameList() << K1 << K2"),
    ("MoFrame K[10]", "3.4.2", "[Frame(f'K[{i}]') for i in range(10)]"),
    ("MoElementaryJoint R(K0, K1, phi)", "2.2.1", "ElementaryJoint(K0, K1, phi)"),
    (
        "MoElementaryJoint R(K1, K2, Theta, yAxis)",
        "4.3.2",
        "ElementaryJoint(K0, K1, phi, Y)",
    ),
    ("MoElementaryJoint P(K2, K3, s, xAxis)", "4.3.2", "ElementaryJoint(K2, K3, s, X)"),
    (
        "MoSphericalJoint S1(K8, K9, CardanAngles, BRYANT_ANGLES)",
        "5.4.1",
        "SphericalJoint(K2, K3, angles, BRYANT_ANGLES)",
    ),
    ("MoRigidLink rod(K1, K2, l)", "2.2.1", "RigidLink(K1, K2, l)"),
    ("MoRigidLink Link(Kin, Kout, Delta_R, Delta_r)", "4.3.1", "RigidLink(K1, K2, R, l)"),
    ("MoRigidLink Link(Kin, Kout, Delta_r, Delta_R)", "4.3.1", "RigidLink(K1, K2, l, R)"),
    ("MoRigidLink PureRotation(Kin, Kout, Delta_R)", "4.3.1", "RigidLink(K1, K2, R)"),
    (
        "MoRigidLink binary(Kin, K_Outs, Delta_r, Delta_R)",
        "4.3.1",
        "RigidLink(K1, FrameList() << K2 << K3, [l, l], [R, R])",
    ),
    ("MoMapChain Pendulum; Pendulum << R << rod", "2.2.1", "MapChain() << joint << rod"),
    ("MoMassElement Tip(K2, m)", "2.2.1", "MassElement(K2, m)"),
    ("MoMassElement PointExcentric(K2, m, s)", "4.4.2", "MassElement(K2, m, l)"),
    ("MoMassElement BodyCentered(K3, m, J)", "4.4.2", "MassElement(K2, m, J)"),
    ("MoMassElement BodyExcentric(K4, m, J, s)", "4.4.2", "MassElement(K2, m, J, l)"),
    (
        "MoConstantWrench moving(K1, f, n, LOCAL)",
        "4.4.1",
        "ConstantWrench(K1, X, Y, LOCAL)",
    ),
    (
        "MoConstantWrench fixed(K2, f, n, GLOBAL)",
        "4.4.1",
        "ConstantWrench(K2, X, Y, GLOBAL)",
    ),
    ("MoChordPointPointLinear g(K1, K2)", "4.4.1", "ChordPointPointLinear(K1, K2)"),
    ("MoLinearSpringDamper spring1(g, k, c)", "4.4.1", "LinearSpringDamper(g, m, m)"),
    ("MoLinearSpringDamper spring2(R, k, c)", "4.4.1", "LinearSpringDamper(joint, m, m)"),
    ("MoChord3DPosition(endEffector, camera)", "5.2.2", "Chord3DPosition(K2, K3)"),
    ("MoChord3DPosition(EE, camera, cameraChain)", "5.2.2", "Chord3DPosition(K3, K2, rod)"),
    ("MoChord3DPose pose(Kto2, Kfrom2)", "5.2.4", "Chord3DPose(K2, K3)"),
    (
        "MoChord3DPose core(K10, K7, DO_ALL_BRANCHES, DO_BRANCH_I)",
        "5.4.1",
        "Chord3DPose(K2, K3, ChordBranch.ALL, I)",
    ),
    ("MoChordList chords; chords << chord1 << chord2", "5.2.3", "ChordList() << g << g2"),
    ("MoChordPointPointLinear Ia(KE, y)", "5.2.6", "ChordPointPointLinear(K2, s)"),
    (
        "MoChordPointPointLinear Ib(KE, y, phi)",
        "5.2.6",
        "ChordPointPointLinear(K2, s, rod)",
    ),
    ("MoChordPointPointLinear IIa(KE, KB, y)", "5.2.6", "ChordPointPointLinear(K2, K3, s)"),
    (
        "MoChordPointPointLinear IIb(KE, KB, y, phi)",
        "5.2.6",
        "ChordPointPointLinear(K2, K3, s, rod)",
    ),
    (
        "MoChordPointPointLinear IIIa(KEprime, KE)",
        "5.2.6",
        "ChordPointPointLinear.absolute_difference(K2, K3)",
    ),
    (
        "MoChordPointPointLinear IVa(KEprime, phiPrime, KE, KB)",
        "5.2.6",
        "ChordPointPointLinear(K2, rod, K3, K0)",
    ),
    (
        "MoChordPointPointLinear IVb(KEprime, phiPrime, KE, KB, phi)",
        "5.2.6",
        "ChordPointPointLinear(K2, rod, K3, K0, slide)",
    ),
    (
        "MoChordPointPointLinear(KEp, coupler, KE, KB, II, I | II, I)",
        "5.2.7",
        "ChordPointPointLinear(K2, rod, K3, K0, II, I | II, I)",
    ),
    (
        "MoChordPointPlane compl_1(K4, core, R2, xAxis, I, II | III, III)",
        "5.4.3",
        "ChordPointPlane(K1, core, joint, X, I, II | III, III)",
    ),
    ("MoChordPointPlane compl_2b(compl_2a, zAxis)", "5.4.3", "ChordPointPlane(core, Z)"),
    (
        "MoImplicitConstraintSolver(MoChord&, MoVariableList&)",
        "5.3.1",
        "ImplicitConstraintSolver(closed, VariableList() << beta)",
    ),
    (
        "MoImplicitConstraintSolver(MoChord&, MoVariableList&, MoMap&)",
        "5.3.1",
        "ImplicitConstraintSolver(far, VariableList() << beta, arm)",
    ),
    (
        "MoImplicitConstraintSolver(MoChordList&, MoVariableList&, MoMap&)",
        "5.3.1",
        "ImplicitConstraintSolver(ChordList() << far, VariableList() << beta, arm)",
    ),
    (
        "MoExplicitConstraintSolver(chord, theta_4)",
        "5.3.2",
        "ExplicitConstraintSolver(closed, beta)",
    ),
    (
        "MoExplicitConstraintSolver(compl_2a, compl_2b, theta_3)",
        "5.3.2",
        "ExplicitConstraintSolver(closed, closed_too, beta)",
    ),
    ("MoEqmBuilder(q, phi)", "6.1", "EquationBuilder(q, pendulum)"),
    ("MoEqmBuilder(q, phiM, phi)", "6.1", "EquationBuilder(q, [pendulum], pendulum)"),
    ("MoEqmBuilder(q, phi, K, yAxis)", "6.1", "EquationBuilder(q, pendulum, K0, Y)"),
    (
        "MoEqmBuilder(q, phiM, phi, K, zAxis)",
        "6.1",
        "EquationBuilder(q, [pendulum], pendulum, K0, Z)",
    ),
    ("MoEqmBuilder(q, phi, K, gravity)", "6.1", "EquationBuilder(q, pendulum, K0, l)"),
    ("MoMechanicalSystem(sys)", "6.2.1", "MechanicalSystem(builder)"),
    ("MoMechanicalSystem(q, phi)", "6.2.1", "MechanicalSystem(q, pendulum)"),
    (
        "MoMechanicalSystem(q, phiM, phi)",
        "6.2.1",
        "MechanicalSystem(q, [pendulum], pendulum)",
    ),
    ("MoMechanicalSystem(q, phi, K, zAxis)", "6.2.1", "MechanicalSystem(q, pendulum, K0)"),
    (
        "MoMechanicalSystem(q, phiM, phi, K, gravity)",
        "6.2.1",
        "MechanicalSystem(q, [pendulum], pendulum, K0, l)",
    ),
    ("MoAdamsIntegrator(Dynamics)", "2.2.3", "AdamsIntegrator(dynamics)"),
    ("MoExplicitEulerIntegrator(sys)", "6.3", "ExplicitEulerIntegrator(dynamics)"),
    ("MoRungeKuttaIntegrator(sys)", "6.3", "RungeKuttaIntegrator(dynamics)"),
    ("MoBDFIntegrator(sys)", "1.4", "BDFIntegrator(dynamics)"),
    ("MoStaticEquilibriumFinder(sys)", "1.4", "StaticEquilibriumFinder(dynamics)"),
    ("MoScene Scene(Pendulum)", "7.1", "Scene(pendulum)"),
    (
        'MoWidget(Scene, Pendulum, "Parameters")',
        "7.3",
        'Widget(scene, pendulum, "Parameters")',
    ),
]
REFUSED = [
    (
        "MoChordPointPointLinear IIIb(KEprime, KE, phi)",
        "5.2.6",
        "ChordPointPointLinear(K2, K3, rod)",
        "absolute_difference(E′, E, chain)",
    ),
    (
        "phiM << first << second",
        "6.1",
        "MapChain() << pendulum << pendulum",
        "sub-chains of an EquationBuilder are a list, [first, second]",
    ),
    (
        'makeShape(K2, "MoSphere.so")',
        "7.2",
        'scene.make_shape(K2, "MoSphere.so")',
        "Give a file that ends in .stl",
    ),
    (
        "initCond.addSlider(phi.q, -360, 360, 'angle')",
        "7.3",
        "Widget(scene, pendulum, 'w').add_slider(phi.q, -360, 360, 'angle')",
        "Give a variable (not its q",
    ),
    (
        "MoElementaryJoint(K1, K2, yAxis, Theta)",
        "4.3.2",
        "ElementaryJoint(K1, K2, Y, phi)",
        "ElementaryJoint(a, b, variable, axis)",
    ),
    (
        "MoMassElement(K, m, (1, 2, 3))",
        "4.4.2",
        "MassElement(K1, m, (1, 2, 3))",
        "MassElement(K, m, r_CM=(x, y, z), I=(xx, yy, zz))",
    ),
    (
        "MoRigidLink(a, b, r, r)",
        "4.3.1",
        "RigidLink(K1, K2, l, l)",
        "RigidLink(a, b, R, r)",
    ),
    ("MoEqmBuilder(q, K, phi)", "6.1", "EquationBuilder(q, K0, pendulum, K1)", "subchain"),
]


@pytest.fixture
def objects():
    """Return the objects that the calls are made with."""
    K0, K1, K2, K3 = (Frame(f"K{i}") for i in range(4))
    phi, beta, s = AngularVariable("phi"), AngularVariable("beta"), LinearVariable("s")
    l, m, R = MutableVector(0, -1, 0), MutableScalar(1.0), RotationMatrix()
    A0, A1, A2 = (Frame(f"A{i}") for i in range(3))
    arm = MapChain() << ElementaryJoint(A0, A1, beta) << RigidLink(A1, A2, X)
    joint, rod = ElementaryJoint(K0, K1, phi), RigidLink(K1, K2, l)
    pendulum = MapChain() << joint << rod << MassElement(K2, m)
    builder = EquationBuilder([phi], pendulum)
    made = {
        "closed": ChordPointPlane.relative(A2, K0, 0.5, arm, normal=X),
        "closed_too": ChordPointPlane.relative(A2, K0, 0.5, arm, normal=Y),
        "far": ChordPointPlane.relative(A2, K0, 0.5, normal=X),
        "core": ChordPointPointQuadratic.relative_difference(K2, rod, K3, K0),
        "g": ChordPointPointLinear.relative(K1, K2),
        "g2": ChordPointPointQuadratic.relative(K1, K3),
        "angles": VariableList([AngularVariable(n) for n in "abc"]),
        "slide": ElementaryJoint(K0, K3, s),
        "q": VariableList() << phi,
        "J": InertiaTensor((1, 2, 3)),
        "dynamics": MechanicalSystem(builder),
        "scene": Scene(pendulum),
    }
    names = {**vars(motorik.algebra), **vars(motorik.mobile), **globals()}
    return {**names, **locals(), **made}


@pytest.mark.parametrize(("guide", "section", "python"), WORKS, ids=[r[0] for r in WORKS])
def test_a_call_of_the_guide_works(guide, section, python, objects):
    made = eval(python, objects)
    assert type(made).__name__ in python or isinstance(made, list | tuple)


@pytest.mark.parametrize("row", REFUSED, ids=[r[0] for r in REFUSED])
def test_a_call_with_two_meanings_is_refused_with_what_to_write(row, objects):
    *_, python, remedy = row
    with pytest.raises(MotorikError) as caught:
        eval(python, objects)
    assert remedy in str(caught.value)


# that they mean what the guide says


def test_the_order_of_a_link_tells_the_axes_of_its_displacement():
    R, r = ZRotationMatrix(0.5), Vector(1.0, 2.0, 3.0)
    a, b, c = Frame("a"), Frame("b"), Frame("c")
    RigidLink(a, b, R, r).motion()
    RigidLink(a, c, r, R).motion()
    np.testing.assert_allclose(
        b.r.numpy(), r.numpy(), rtol=1e-15
    )  # decomposed in the output
    np.testing.assert_array_equal(c.X.p.numpy(), r.numpy())  # in the input
    np.testing.assert_array_equal(b.R.numpy(), c.R.numpy())


def test_a_binary_link_stands_at_the_tips_of_two_arms():
    # the example of §4.3.1: unit links swivelled by ±45°
    K, left, right = Frame("K"), Frame("left"), Frame("right")
    turns = [ZRotationMatrix(), ZRotationMatrix()]
    ways = [MutableVector(), MutableVector()]
    link = RigidLink(K, FrameList() << left << right, ways, turns)
    for turn, way, sign in zip(turns, ways, (1, -1), strict=True):
        turn.set(np.radians(45.0 * sign))
        way.set(Vector(1, sign, 0) / np.sqrt(2.0))
    link.motion()
    for end, sign in ((left, 1), (right, -1)):
        np.testing.assert_allclose(end.r.numpy(), [1, 0, 0], atol=1e-15)
        assert np.degrees(np.arctan2(end.R.yx, end.R.xx)) == pytest.approx(45.0 * sign)


def test_masses_take_tensor_and_centre_in_either_order():
    J, s = InertiaTensor((0.1, 0.2, 0.3)), Vector(0.1, -0.2, 0.3)
    made = [MassElement(Frame(), 2.0, J, s), MassElement(Frame(), 2.0, s, J)]
    made += [MassElement(Frame(), 2.0, r_CM=(0.1, -0.2, 0.3), I=(0.1, 0.2, 0.3))]
    made += [
        MassElement(Frame(), 2.0, np.array([0.1, -0.2, 0.3]), np.diag([0.1, 0.2, 0.3]))
    ]
    dyads = [element.inertia.J.full().numpy() for element in made]
    for dyad in dyads[1:]:
        np.testing.assert_array_equal(dyad, dyads[0])
    assert made[0].parameters == (J,)


def test_a_wrench_is_global_where_it_is_told_so():
    K = Frame("K")
    K.R = ZRotationMatrix(np.pi / 2)
    ConstantWrench(K, Vector(2, 0, 0), Vector(), True).force()
    np.testing.assert_allclose(K.f.numpy(), [0, -2, 0], atol=1e-15)


@pytest.mark.parametrize("kind", [ChordPointPointLinear, ChordPointPointQuadratic])
def test_two_frames_alone_are_the_distance_between_them(kind):
    E, B = Frame("E"), Frame("B")
    E.r, B.r = Vector(1, 2, 3), Vector(0, 1, -1)
    by_position, by_name = kind(E, B), kind.relative(E, B)
    for chord in (by_position, by_name):
        chord.motion()
    assert by_position.state.q == by_name.state.q > 1.0


def test_normals_and_branches_follow_the_frames():
    E, B = Frame("E"), Frame("B")
    chord = ChordPointPlane(E, B, 0.2, Y, I, II, III)
    assert chord.normal is Y
    assert (chord.where_unknown, chord.where_force, chord.where_input) == (I, II, III)
    with pytest.raises(ParameterError, match="not normals of its planes"):
        ChordPointPointLinear(E, B, 0.2, Y)
    with pytest.raises(ParameterError, match="where_unknown=ChordBranch"):
        ChordPointPlane(E, I, B)
    with pytest.raises(ParameterError, match="then branches"):
        Chord3DPosition(E, I)


def test_sub_chains_by_position_are_those_by_name():
    K0, K1, phi = Frame("K0"), Frame("K1"), AngularVariable("phi", q=0.3)
    chain = MapChain() << ElementaryJoint(K0, K1, phi) << MassElement(K1, 2.0, X)
    builders = (
        EquationBuilder([phi], [chain], chain, K0, Y),
        EquationBuilder([phi], chain, K0, Y, subchains=[chain]),
    )
    for builder in builders:
        builder.build()
        assert builder.mass_matrix[0, 0] == 2.0
        assert builder.force_vector[0] == pytest.approx(-2.0 * 9.81 * np.cos(0.3))
