"""check_element passes what is right, and catches each kind of wrong by its law."""

import pytest

from motorik.algebra import IDENTITY, Motor, Pose, Vector, X, Y, cos, sin
from motorik.elements import FreePair, SphericalPair, UniversalPair
from motorik.errors import MotorikError
from motorik.mobile import (
    GLOBAL,
    AngularVariable,
    Chord3DPosition,
    ChordPlanePlane,
    ChordPlanePoint,
    ChordPointPlane,
    ChordPointPointLinear,
    ChordPointPointQuadratic,
    ConstantStepDriver,
    ConstantWrench,
    CylindricalJoint,
    Drive,
    Element,
    ElementaryJoint,
    ElementaryScrewJoint,
    ExplicitConstraintSolver,
    FloatingBodyJoint,
    Frame,
    ImplicitConstraintSolver,
    InertiaTensor,
    JointElement,
    LinearSpringDamper,
    LinearVariable,
    MapChain,
    MassElement,
    MutableScalar,
    MutableVector,
    RigidLink,
    SphericalJoint,
    Subtask,
    TranslationalJoint,
    XRotationMatrix,
    ZRotationMatrix,
    check_element,
)
from motorik.mobile.checks.element import LAWS


def angles(*values):
    return [AngularVariable(f"phi{i}", q=q) for i, q in enumerate(values)]


def ways(*values):
    return [LinearVariable(f"s{i}", q=q) for i, q in enumerate(values)]


def joints():
    a, b = Frame("a"), Frame("b")
    (phi,), (s,) = angles(0.3), ways(0.7)
    return [
        ElementaryJoint(a, b, phi, Y),
        ElementaryJoint(a, b, s, X),
        ElementaryScrewJoint(a, b, phi, X, lead=0.3),
        CylindricalJoint(a, b, phi, s),
        SphericalJoint(a, b, angles(0.2, 0.5, -0.2)),
        TranslationalJoint(a, b, ways(0.1, 0.2, 0.3)),
        FloatingBodyJoint(a, b, ways(0.1, 0.2, 0.3), angles(0.2, 0.5, -0.2)),
        *(
            JointElement(a, b, kind)
            for kind in (SphericalPair(), FreePair(), UniversalPair())
        ),
    ]


def chords():
    E, B = Frame("E", Pose(IDENTITY, Vector(0.5, 0.6, 0.7))), Frame("B")
    kinds = (
        *(ChordPointPointLinear, ChordPointPointQuadratic),
        *(ChordPointPlane, ChordPlanePoint, ChordPlanePlane),
    )
    made = [kind(E, B, 0.1) for kind in kinds]
    (s,) = ways(0.2)
    return [*made, ChordPointPointLinear(E, s), Chord3DPosition(E, B)]


def loads():
    K, (s,) = Frame("K"), ways(0.7)
    chord = ChordPointPointLinear(Frame("E", Pose(IDENTITY, X)), Frame("B"))
    k, r = MutableScalar(3.0), MutableVector(0.1, 0.2, 0.3)
    return [
        MassElement(K, 2.0, InertiaTensor((0.1, 0.2, 0.3)), r),
        ConstantWrench(K, X, Y, GLOBAL),
        LinearSpringDamper(s, k, 0.2, 0.1),
        LinearSpringDamper(chord, k, 0.2, 0.1),
        Drive(s, k),
    ]


def composites():
    K, (phi,), R = [Frame(f"K{i}") for i in range(4)], angles(0.3), ZRotationMatrix(0.4)
    link = RigidLink(K[1], [K[2], K[3]], [X, Y], [R, XRotationMatrix(0.2)])
    chain = MapChain() << ElementaryJoint(K[0], K[1], phi) << link
    return [link, chain << MassElement(K[3], 2.0) << LinearSpringDamper(phi, 3.0, 0.1)]


def slider_crank(solver):
    """A crank of length 1 that a rod of length 2 joins to a slider along x."""
    K = [Frame(f"K{i}") for i in range(6)]
    phi, (theta,), (s,) = AngularVariable("phi", q=0.7), angles(-0.3), ways(2.6)
    crank = MapChain() << ElementaryJoint(K[0], K[1], phi) << RigidLink(K[1], K[2], X)
    if solver == "explicit":
        rod = (
            MapChain() << ElementaryJoint(K[2], K[3], theta) << RigidLink(K[3], K[4], 2 * X)
        )
        chord = ChordPointPlane(K[4], K[0], 0.0, rod, Y)
        loop = ExplicitConstraintSolver(chord, theta, near=-0.3)
    else:
        slide = ElementaryJoint(K[0], K[5], s, X)
        chord = ChordPointPointQuadratic(K[5], K[2], 4.0)
        loop = ImplicitConstraintSolver(chord, s, slide)
    return crank << loop


@pytest.mark.kinds(12)
@pytest.mark.slow
@pytest.mark.parametrize(
    "element",
    [*joints(), *chords(), *loads(), *composites()],
    ids=lambda e: f"{type(e).__name__}",
)
def test_the_elements_of_motorik_pass(element):
    assert check_element(element, samples=2).keys() == {law.name for law in LAWS}


@pytest.mark.kinds(2)
@pytest.mark.slow
@pytest.mark.parametrize("solver", ["explicit", "implicit"])
def test_closed_loops_pass(solver):
    chain = slider_crank(solver)
    figures = check_element(chain, samples=2)
    assert max(figures.values()) < 1e-8


def test_state_objects_are_left_as_they_were():
    (phi,) = angles(0.3)
    joint = ElementaryJoint(Frame("a"), Frame("b"), phi)
    phi.Q = 7.0
    check_element(joint, samples=1)
    assert (phi.q, phi.qd, phi.Q) == (0.3, 0.0, 7.0)
    assert joint.b.X.p.xyz == (0.0, 0.0, 0.0)


class Yoke(Element):
    """A user's element: s = r sin φ."""

    r = 0.2

    def __init__(self):
        self.phi, self.s = AngularVariable("phi", q=0.4), LinearVariable("s")

    inputs = property(lambda self: (self.phi,))
    outputs = property(lambda self: (self.s,))

    def slope(self):
        return self.r * cos(self.phi.q)

    def motion(self, subtasks=Subtask.ALL):
        phi, s, r = self.phi, self.s, self.r
        if subtasks & Subtask.POSITION:
            s.q = r * sin(phi.q)
        if Subtask.VELOCITY in subtasks:
            s.qd = self.slope() * phi.qd
        if Subtask.COMPUTE_CORIOLIS in subtasks:
            self.squares = -r * sin(phi.q) * phi.qd * phi.qd
        if subtasks & (Subtask.EULER | Subtask.USE_CORIOLIS):
            s.qdd = 0.0
            if Subtask.EULER in subtasks:
                s.qdd = s.qdd + self.slope() * phi.qdd
            if Subtask.USE_CORIOLIS in subtasks:
                s.qdd = s.qdd + self.squares

    def force(self, subtasks=Subtask.ALL):
        if Subtask.EXTERNAL in subtasks:
            self.phi.add_force(self.slope() * self.s.Q)


def test_a_users_element_passes():
    assert max(check_element(Yoke()).values()) < 1e-9


class WrongVelocity(Yoke):
    def motion(self, subtasks=Subtask.ALL):
        super().motion(subtasks)
        if Subtask.VELOCITY in subtasks:
            self.s.qd = self.s.qd * 2.0


class WrongSquares(Yoke):
    def motion(self, subtasks=Subtask.ALL):
        super().motion(subtasks & ~Subtask.USE_CORIOLIS | subtasks & Subtask.EULER)
        if Subtask.USE_CORIOLIS in subtasks and Subtask.EULER not in subtasks:
            self.s.qdd = 0.0


class SquaresWithEuler(Yoke):
    def motion(self, subtasks=Subtask.ALL):
        if Subtask.EULER in subtasks:
            subtasks |= Subtask.CORIOLIS
        super().motion(subtasks)


class EulerWithSquares(Yoke):
    def motion(self, subtasks=Subtask.ALL):
        if Subtask.USE_CORIOLIS in subtasks:
            subtasks |= Subtask.EULER
        super().motion(subtasks)


class AllOrNothing(Yoke):
    """Finds a velocity only together with a position."""

    def motion(self, subtasks=Subtask.ALL):
        super().motion(subtasks)
        if subtasks == Subtask.VELOCITY:
            self.s.qd = 0.0


class NeverAtRest(Yoke):
    def motion(self, subtasks=Subtask.ALL):
        super().motion(subtasks or Subtask.ALL)
        if not subtasks:
            self.s.q = 0.0


class MovesOn(Yoke):
    steps = 0

    def motion(self, subtasks=Subtask.ALL):
        super().motion(subtasks)
        self.steps += 1
        self.s.q = self.s.q + 0.1 * self.steps


class WrongForce(Yoke):
    def force(self, subtasks=Subtask.ALL):
        if Subtask.EXTERNAL in subtasks:
            self.phi.add_force(self.s.Q)


class Overwrites(Yoke):
    def force(self, subtasks=Subtask.ALL):
        if Subtask.EXTERNAL in subtasks:
            self.phi.Q = self.slope() * self.s.Q


class Remembers(Yoke):
    before = 0.0

    def force(self, subtasks=Subtask.ALL):
        super().force(subtasks)
        if Subtask.USE_INTERNAL in subtasks:
            self.before += 1.0
            self.phi.add_force(self.before)


class SpringOutsideInternal(Yoke):
    def force(self, subtasks=Subtask.ALL):
        super().force(subtasks)
        if Subtask.USE_INTERNAL in subtasks and Subtask.EULER in subtasks:
            self.phi.add_force(-3.0 * self.phi.q)


class Branches(Yoke):
    def slope(self):
        return 0.2 * cos(self.phi.q) if self.phi.q > -9.0 else 0.0


@pytest.mark.parametrize(
    ("kind", "law"),
    [
        (WrongVelocity, "velocities are the rates of positions"),
        (WrongSquares, "accelerations are the rates of velocities"),
        (SquaresWithEuler, "EULER transmits accelerations as VELOCITY"),
        (EulerWithSquares, "EULER and CORIOLIS are the two parts"),
        (AllOrNothing, "position, velocity and acceleration in turn"),
        (NeverAtRest, "NOTHING does nothing"),
        (MovesOn, "the same motion twice"),
        (WrongForce, "force is the transpose of velocity"),
        (Overwrites, "forces add to what the inputs carry"),
        (Remembers, "forces add to what|the same load gives the same"),
        (SpringOutsideInternal, "EXTERNAL, INTERNAL and INERTIA are all forces"),
        (Branches, "machine code gives what numbers give"),
    ],
)
def test_each_kind_of_wrong_is_caught_by_its_law(kind, law):
    with pytest.raises(MotorikError, match=law):
        check_element(kind())


class CarriesWrong(Element):
    """Hands an acceleration on without a word of its sub-tasks."""

    def __init__(self):
        self.a, self.b = Frame("a"), Frame("b")

    inputs = property(lambda self: (self.a,))
    outputs = property(lambda self: (self.b,))

    def motion(self, subtasks=Subtask.ALL):
        if subtasks & Subtask.POSITION:
            self.b.X = self.a.X
        if Subtask.VELOCITY in subtasks:
            self.b.V = self.a.V
        if subtasks & (Subtask.EULER | Subtask.USE_CORIOLIS):
            self.b.A = self.a.A

    def force(self, subtasks=Subtask.ALL):
        if Subtask.EXTERNAL in subtasks:
            self.a.add_force(self.b.F)


class InWrongAxes(CarriesWrong):
    """Turns the frame but not its velocity."""

    def motion(self, subtasks=Subtask.ALL):
        super().motion(subtasks)
        if subtasks & Subtask.POSITION:
            self.b.X = self.a.X @ Pose(ZRotationMatrix(0.5))


class NoState(CarriesWrong):
    outputs = property(lambda self: (Motor(),))


class InPlace(CarriesWrong):
    outputs = property(lambda self: (self.a,))


@pytest.mark.parametrize(
    ("kind", "why"),
    [
        (CarriesWrong, r"frame.accelerate\(A, subtasks\)"),
        (InWrongAxes, "velocities are the rates of positions"),
        (NoState, "neither a frame nor a variable"),
        (InPlace, "both input and output"),
    ],
)
def test_frames_in_wrong_hands_are_caught(kind, why):
    with pytest.raises(MotorikError, match=why):
        check_element(kind())


def test_a_driver_is_no_transmission():
    with pytest.raises(MotorikError, match="what moves on by itself is a Driver"):
        check_element(ConstantStepDriver(AngularVariable("phi"), 0.1))


def test_a_spring_on_a_chord_hands_on_what_else_loads_the_chord():
    E, B = Frame("E", Pose(IDENTITY, 2.0 * X)), Frame("B")
    chord = ChordPointPointLinear(E, B)
    chain = MapChain() << LinearSpringDamper(chord, 3.0) << Drive(chord.state, 5.0)
    chain.motion()
    chain.force()
    assert E.f.x == pytest.approx(5.0 - 6.0)
    assert B.f.x == pytest.approx(6.0 - 5.0)
