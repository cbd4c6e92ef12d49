"""Transmission elements one by one, against the formulas they stand for."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, nan, pi, sin

import numpy as np
import pytest

from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.rotation import rotation_about
from motorik.algebra.scalar import add, mul
from motorik.algebra.vector import Vector, X, Y, Z
from motorik.elements import (
    CylindricalPair,
    FreePair,
    PrismaticPair,
    RevolutePair,
    SphericalPair,
)
from motorik.errors import AssemblyError, ParameterError
from motorik.mobile import (
    AngularVariable,
    ConstantWrench,
    Element,
    ElementaryJoint,
    Frame,
    Gravity,
    JointElement,
    LinearSpringDamper,
    LinearVariable,
    MapChain,
    MassElement,
    RigidLink,
    Subtask,
)

NAN = Motor(Vector(nan, nan, nan), Vector(nan, nan, nan))
INERTIA = [[0.4, 0.02, -0.01], [0.02, 0.5, 0.03], [-0.01, 0.03, 0.6]]


def close(found, expected, atol: float) -> None:
    """Assert that nothing differs by more than `atol`."""
    np.testing.assert_allclose(found, expected, rtol=0, atol=atol)


def moving_frame(seed: int, name: str = "a") -> Frame:
    rng = np.random.default_rng(seed)
    axis = Vector(*rng.normal(size=3)).normalized()
    pose = Pose(rotation_about(axis, rng.uniform(-3, 3)), Vector(*rng.normal(size=3)))
    V, A = (Motor.of(rng.normal(size=6)) for _ in range(2))
    return Frame(name, pose, V, A)


def vectors(K: Frame) -> list[np.ndarray]:
    return [v.numpy() for v in (K.r, K.ang_v, K.lin_v, K.ang_a, K.lin_a, K.t, K.f)]


def test_rigid_link_transmits_as_in_the_users_guide():
    # Kecskeméthy 1999, eqs. (4.5) to (4.8); the displacement resolved in the output frame
    a, b = moving_frame(1), Frame("b")
    R, r_b = rotation_about(Vector(0.6, 0.0, 0.8), 0.7), Vector(0.3, -0.2, 0.5)
    link = RigidLink(a, b, R @ r_b, R)
    b.F = Motor(Vector(1.0, -2.0, 0.5), Vector(0.1, 0.2, -0.3))
    link.motion()
    link.force()
    r, w, v, z, acc, t, f = vectors(a)
    r_, w_, v_, z_, acc_, t_, f_ = vectors(b)
    dR, dr = R.numpy(), r_b.numpy()
    close(b.R.numpy(), a.R.numpy() @ dR, 1e-15)
    close(r_, dR.T @ r + dr, 1e-15)
    close(w_, dR.T @ w, 1e-15)
    close(v_, dR.T @ v - np.cross(dr, dR.T @ w), 1e-15)
    close(z_, dR.T @ z, 1e-15)
    coriolis = np.cross(w_, np.cross(w_, dr))
    close(acc_, dR.T @ acc - np.cross(dr, dR.T @ z) + coriolis, 2e-15)
    close(f, dR @ f_, 1e-15)
    close(t, dR @ (t_ + np.cross(dr, f_)), 1e-15)


def test_cylindrical_joint_transmits_as_in_the_users_guide():
    # Kecskeméthy 1999, eqs. (4.9) to (4.12), about the y axis
    a, b = moving_frame(2), Frame("b")
    s = LinearVariable("s", q=0.4, qd=-0.7, qdd=0.9)
    theta = AngularVariable("theta", q=1.1, qd=0.8, qdd=-0.3)
    joint = JointElement(a, b, CylindricalPair(Y), (s, theta))
    joint.motion()
    b.F = Motor(Vector(1.0, -2.0, 0.5), Vector(0.1, 0.2, -0.3))
    joint.force()
    r, w, v, z, acc, t, f = vectors(a)
    r_, w_, v_, z_, acc_, t_, f_ = vectors(b)
    u = np.array([0.0, 1.0, 0.0])
    dR, dr = rotation_about(Y, 1.1).numpy(), 0.4 * u
    close(r_, dR.T @ r + dr, 1e-15)
    close(w_, dR.T @ w + 0.8 * u, 1e-15)
    close(v_, dR.T @ v - np.cross(dr, dR.T @ w) - 0.7 * u, 1e-15)
    close(z_, dR.T @ z - 0.3 * u + np.cross(w_, 0.8 * u), 1e-15)
    relative = 0.4 * np.cross(w_, u) + 2 * -0.7 * u
    expected = dR.T @ acc - np.cross(dr, dR.T @ z) + 0.9 * u
    close(acc_, expected + np.cross(dR.T @ w, relative), 2e-15)
    close(f, dR @ f_, 1e-15)
    close(t, dR @ (t_ + np.cross(dr, f_)), 1e-15)
    assert (s.Q, theta.Q) == (-2.0, 0.2)


@pytest.mark.parametrize(
    "variable", [AngularVariable("q", q=0.6), LinearVariable("q", q=0.6)]
)
def test_elementary_joint_turns_or_slides_as_its_variable_says(variable):
    K0, K1 = Frame("K0"), Frame("K1")
    kind = {"AngularVariable": RevolutePair, "LinearVariable": PrismaticPair}[
        type(variable).__name__
    ]
    ElementaryJoint(K0, K1, variable, X).motion()
    np.testing.assert_array_equal(K1.X.numpy(), kind(X).pose(0.6).numpy())


def test_quaternion_joint_keeps_speeds_apart_from_coordinates():
    ball = JointElement(Frame("a"), Frame("b"), SphericalPair())
    assert [v.name for v in ball.variables] == ["Q1", "Q2", "Q3", "Q4"]
    assert [v.name for v in ball.speeds] == ["w1", "w2", "w3"]
    ball.speeds[2].qd = 3.0
    ball.motion()
    assert ball.b.V.components == (0.0, 0.0, 3.0, 0.0, 0.0, 0.0)
    assert [v.qd for v in ball.variables] == [0.0, 0.0, 1.5, 0.0]


class Geared(PrismaticPair):
    """A slide whose coordinate is in half metres, its speed in metres per second."""

    def pose(self, s):
        return super().pose(0.5 * s)

    def rates(self, q, u):
        return (2.0 * u[0],)


def test_a_speed_that_is_no_rate_gets_a_variable_of_its_own():
    element = JointElement(Frame("a"), Frame("b"), Geared())
    (s,), (v,) = element.variables, element.speeds
    v.qd = 3.0
    element.motion()
    assert s.qd == 6.0
    assert element.b.lin_v.z == 3.0
    assert JointElement(Frame("a"), Frame("b"), PrismaticPair()).speeds[0].name == "s"


def test_a_wrong_number_of_variables_is_refused():
    with pytest.raises(ParameterError, match="1 variables given, 2 needed: s, phi"):
        JointElement(Frame("a"), Frame("b"), CylindricalPair(), [LinearVariable("s")])


def test_multiple_link_is_several_links():
    poses = [Pose(rotation_about(Z, i * pi / 4), Vector(i, 1.0, 0.0)) for i in (-1, 1)]
    a, a_ = moving_frame(3), moving_frame(3)
    ends, ends_ = [[Frame("b"), Frame("c")] for _ in range(2)]
    link = RigidLink(a, ends, [X.p for X in poses], [X.R for X in poses])
    links = MapChain(RigidLink(a_, b, X.p, X.R) for b, X in zip(ends_, poses, strict=True))
    for one, load_on in ((link, ends), (links, ends_)):
        one.motion()
        load_on[0].f, load_on[1].t = X, Y
        one.force()
    for K, K_ in zip([a, *ends], [a_, *ends_], strict=True):
        for v, v_ in zip(vectors(K), vectors(K_), strict=True):
            np.testing.assert_array_equal(v, v_)


def test_multiple_link_wants_a_displacement_for_each_frame():
    with pytest.raises(ParameterError, match="2 frames but 1 of r given"):
        RigidLink(Frame("a"), [Frame("b"), Frame("c")], [X])


@pytest.mark.parametrize("tensor", [None, INERTIA], ids=["point", "body"])
@pytest.mark.parametrize("s", [Vector(), Vector(0.3, -0.2, 0.1)], ids=["centred", "offset"])
def test_mass_element_exerts_dalemberts_force(tensor, s):
    # Kecskeméthy 1999, §4.4.2, in its four cases
    K, m = moving_frame(4), 2.5
    MassElement(K, m, s, tensor).force()
    _, w, _, z, a, t, f = vectors(K)
    ds, theta = s.numpy(), np.zeros((3, 3)) if tensor is None else np.array(tensor)
    f_ = -m * (a + np.cross(z, ds) + np.cross(w, np.cross(w, ds)))
    t_ = -(theta @ z + np.cross(w, theta @ w)) + np.cross(ds, f_)
    close(f, f_, 4e-15)
    close(t, t_, 3e-15)


def test_local_wrench_follows_the_frame_and_global_does_not():
    def loaded(is_global: bool) -> Frame:
        K = Frame("K", X=Pose(rotation_about(X, -pi / 2), Vector(1.0, 2.0, 3.0)))
        ConstantWrench(K, f=Z, t=2.0 * Z, is_global=is_global).force()
        return K

    assert loaded(False).F.components == (0.0, 0.0, 1.0, 0.0, 0.0, 2.0)
    # the frame's y axis points to −z of the inertial frame
    expected = [0.0, -1.0, 0.0, 0.0, -2.0, 0.0]
    close(loaded(True).F.numpy(), expected, 1e-15)


def test_spring_and_damper_pull_back():
    s = LinearVariable("s", q=0.3, qd=2.0)
    s.Q = 1.0
    LinearSpringDamper(s, c=10.0, d=0.25, q_rest=0.1).force()
    assert s.Q == pytest.approx(1.0 - 10.0 * 0.2 - 0.25 * 2.0, rel=4e-15)


def pendulum(q: float = 0.7, qd: float = 1.3, qdd: float = -0.4):
    K0, K1, K2 = Frame("K0"), Frame("K1"), Frame("K2")
    phi = AngularVariable("phi", q, qd, qdd)
    chain = MapChain([Gravity(K0, -9.81 * Y), ElementaryJoint(K0, K1, phi)])
    chain << RigidLink(K1, K2, Vector(0.0, -0.5, 0.0)) << MassElement(K2, 2.0)
    return chain, phi, (K0, K1, K2)


def test_pendulum_under_gravity():
    chain, phi, (K0, _, K2) = pendulum()
    chain.motion()
    chain.force()
    # m l² φ̈ + m g l sin φ = τ, and the drive is −Q
    torque = 2.0 * 0.25 * -0.4 + 2.0 * 9.81 * 0.5 * sin(0.7)
    assert -phi.Q == pytest.approx(torque, rel=4e-15)
    # the bearing carries m (g − a)
    up = np.array([0.0, 9.81, 0.0])
    a = 0.5 * np.array(
        [-0.4 * cos(0.7) - 1.69 * sin(0.7), -0.4 * sin(0.7) + 1.69 * cos(0.7), 0]
    )
    close(K0.f.numpy(), -2.0 * (a + up), 4e-15)
    close((K2.R @ K2.lin_a).numpy(), a + up, 2e-15)


def test_forces_add_up_until_they_are_cleared():
    chain, phi, frames = pendulum()
    chain.motion()
    chain.force()
    once = phi.Q
    chain.clear_forces()
    assert phi.Q == 0.0
    assert all(K.F.components == (0.0,) * 6 for K in frames)
    chain.force()
    assert phi.Q == once


def test_branches_add_up_on_their_frame_and_on_their_variable():
    # one variable turns two levers on one frame, each loaded at its end
    K0, ends, phi = Frame("K0"), [Frame("left"), Frame("right")], AngularVariable("phi")
    tips = [Frame("left tip"), Frame("right tip")]
    tree = MapChain(ElementaryJoint(K0, end, phi) for end in ends)
    for end, tip, length in zip(ends, tips, (2.0, 3.0), strict=True):
        tree << RigidLink(end, tip, length * X)
    tree.motion()
    for tip in tips:
        tip.f = Y
    tree.force()
    assert phi.Q == 5.0
    assert K0.F.components == (0.0, 2.0, 0.0, 0.0, 0.0, 5.0)


def test_gravity_is_the_weight_of_every_mass():
    chain, phi, _ = pendulum()
    chain.motion()
    chain.force()
    weighed, psi, (_, _, K2) = pendulum()
    by_hand = MapChain(weighed.elements[1:])
    by_hand << ConstantWrench(K2, f=Vector(0.0, -2.0 * 9.81, 0.0), is_global=True)
    by_hand.motion()
    by_hand.force()
    assert psi.Q == pytest.approx(phi.Q, rel=4e-15)


def test_subtasks_split_the_equation_of_motion():
    chain, phi, _ = pendulum()
    chain.motion(Subtask.POSITION | Subtask.VELOCITY)
    chain.motion(Subtask.EULER)
    chain.force(Subtask.EXTERNAL | Subtask.EULER)
    assert phi.Q == pytest.approx(-2.0 * 0.25 * -0.4, rel=4e-15)
    chain.clear_forces()
    chain.motion(Subtask.CORIOLIS)
    chain.force(Subtask.EXTERNAL | Subtask.INERTIA)
    assert phi.Q == pytest.approx(-2.0 * 9.81 * 0.5 * sin(0.7), rel=4e-15)


def test_external_alone_leaves_sources_out():
    chain, phi, (_, _, K2) = pendulum()
    chain << LinearSpringDamper(phi, c=5.0)
    chain.motion()
    K2.f = X
    chain.force(Subtask.EXTERNAL)
    assert phi.Q == pytest.approx(0.5, rel=4e-15)  # x force on the lever below the hinge
    chain.clear_forces()
    chain.force(Subtask.INTERNAL)
    assert phi.Q == -5.0 * 0.7


@pytest.mark.parametrize(
    "joint", [RevolutePair(), CylindricalPair(), SphericalPair(), FreePair()], ids=str
)
def test_a_level_does_not_depend_on_what_it_does_not_need(joint):
    a, b = moving_frame(5), Frame("b")
    element = JointElement(a, b, joint)
    element.motion()
    X_0b, V_b, A_b = b.X.numpy(), b.V.numpy(), b.A.numpy()
    a.A, a.F, b.F = NAN, NAN, NAN
    element.motion(Subtask.POSITION | Subtask.VELOCITY)
    np.testing.assert_array_equal(b.X.numpy(), X_0b)
    np.testing.assert_array_equal(b.V.numpy(), V_b)
    np.testing.assert_array_equal(b.A.numpy(), A_b)
    a.V = b.V = NAN
    element.motion(Subtask.POSITION)
    np.testing.assert_array_equal(b.X.numpy(), X_0b)
    a.A = Motor(X, Y)
    element.motion(Subtask.EULER)
    assert np.isfinite(b.A.numpy()).all()
    b.F = Motor(X, Y)
    a.clear_force()
    element.force()
    assert np.isfinite(a.F.numpy()).all()


def test_simple_manipulator_of_the_users_guide():
    # Kecskeméthy 1999, §4.3.4: a vertical unit force at the tip of two unit links
    K0, K1, K2, K3, K4 = (Frame(f"K{i}") for i in range(5))
    beta1, beta2 = AngularVariable("beta1", pi / 2), AngularVariable("beta2", -pi / 4)
    arm = MapChain()
    arm << ElementaryJoint(K0, K1, beta1, Z) << RigidLink(K1, K2, Z)
    arm << ElementaryJoint(K2, K3, beta2, X) << RigidLink(K3, K4, Y)
    for _ in range(10):
        arm.motion(Subtask.POSITION)
        arm.clear_forces()
        K4.f = K4.R.T @ Z
        arm.force()
        # height of the tip: 1 + sin β₂
        assert beta1.Q == pytest.approx(0.0, abs=1e-15)
        assert beta2.Q == pytest.approx(cos(beta2.q), abs=1e-15)
        beta1.q += pi / 20
        beta2.q += pi / 10


@dataclass(frozen=True)
class SquaredDistance(Element):
    """A user's measurement: g = |p_b − p_a|², output to a variable."""

    a: Frame
    b: Frame
    g: LinearVariable

    @property
    def inputs(self):
        return (self.a, self.b)

    @property
    def outputs(self):
        return (self.g,)

    def motion(self, subtasks: Subtask = Subtask.ALL) -> None:
        a, b = self.a, self.b
        d = b.X.p - a.X.p
        v = b.R @ b.lin_v - a.R @ a.lin_v
        if Subtask.POSITION in subtasks:
            self.g.q = d.dot(d)
        if Subtask.VELOCITY in subtasks:
            self.g.qd = 2.0 * d.dot(v)
        if Subtask.ACCELERATION in subtasks:
            z = b.R @ b.lin_a - a.R @ a.lin_a
            self.g.qdd = 2.0 * (d.dot(z) + v.dot(v))

    def force(self, subtasks: Subtask = Subtask.ALL) -> None:
        pull = mul(2.0, self.g.Q) * (self.b.X.p - self.a.X.p)
        self.a.f = self.a.f - self.a.R.T @ pull
        self.b.f = self.b.f + self.b.R.T @ pull


def test_a_users_measurement_joins_a_chain_and_carries_a_spring():
    chain, phi, (K0, _, K2) = pendulum()
    anchor = Frame("anchor")
    g = LinearVariable("g")
    rest = MapChain([RigidLink(K0, anchor, Vector(1.0, 0.0, 0.0))])
    rest << SquaredDistance(anchor, K2, g) << LinearSpringDamper(g, c=3.0)
    chain << rest
    chain.motion()
    without = MapChain(chain.elements[:-1])
    without.force()
    alone = phi.Q
    chain.clear_forces()
    chain.force()
    # |p₂ − p_anchor|² = 1 + l² − 2 l sin φ, so the spring adds −c g ∂g/∂φ
    square = 1.25 - sin(0.7)
    assert g.q == pytest.approx(square, rel=4e-15)
    assert g.qd == pytest.approx(-cos(0.7) * 1.3, rel=4e-15)
    assert phi.Q - alone == pytest.approx(-3.0 * square * -cos(0.7), rel=4e-15)


def power_transmitters() -> list[Element]:
    a, b, c = moving_frame(6), Frame("b"), Frame("c")
    joint = JointElement(a, b, CylindricalPair(Vector(0.6, 0.0, 0.8)))
    for speed in joint.speeds:
        speed.q, speed.qd = 0.4, 1.7
    pose = Pose(rotation_about(X, 0.3), Vector(0.1, 0.2, 0.3))
    link = RigidLink(a, b, pose.p, pose.R)
    return [
        joint,
        link,
        RigidLink(a, (b, c), [pose.p, X], [pose.R, pose.R.T]),
        SquaredDistance(a, moving_frame(7, "b"), LinearVariable("g")),
        MapChain([link, RigidLink(b, c, Y)]),
    ]


@pytest.mark.parametrize("element", power_transmitters(), ids=lambda e: type(e).__name__)
def test_power_in_is_power_out(element):
    def power(states):
        total = 0.0
        for state in states:
            is_frame = isinstance(state, Frame)
            total = add(total, state.F @ state.V if is_frame else state.Q * state.qd)
        return total

    element.motion()
    element.clear_forces()
    ends = [s for s in element.outputs if s.name in ("g", "c")] or list(element.outputs)
    for i, state in enumerate(ends):
        if isinstance(state, Frame):
            state.F = Motor.of(np.arange(6) - 2.5 * i)
        else:
            state.Q = 1.5
    given = power(ends)
    element.force()
    assert given != 0.0
    assert power(element.inputs) == pytest.approx(given, rel=1e-14)


def test_a_chain_out_of_order_is_refused():
    K0, K1, K2 = Frame("K0"), Frame("K1"), Frame("K2")
    hinge = ElementaryJoint(K0, K1, AngularVariable("phi"))
    with pytest.raises(
        AssemblyError, match=r"Frame\('K1'\), which it moves, is already read"
    ):
        MapChain() << RigidLink(K1, K2, X) << hinge
    with pytest.raises(
        AssemblyError, match=r"Frame\('K1'\), which it moves, is already moved"
    ):
        MapChain() << hinge << RigidLink(K0, K1, X)


def test_a_chain_is_an_element_with_inputs_and_outputs():
    chain, phi, (K0, K1, K2) = pendulum()
    tip = Frame("tip")
    longer = MapChain() << chain << RigidLink(K2, tip, X)
    assert set(longer.inputs) == {phi}
    assert set(longer.outputs) == {K0, K1, K2, tip}
    longer.motion()
    assert tip.X.p.x == pytest.approx(0.5 * sin(0.7) + cos(0.7), rel=4e-15)
