"""Parameters as references, and lists of state objects."""

from __future__ import annotations

import copy

import casadi
import numpy as np
import pytest

from motorik.algebra.angle import Angle
from motorik.algebra.matrix import IDENTITY, Symmetric
from motorik.algebra.motor import Motor
from motorik.algebra.rotation import rotation_about
from motorik.algebra.vector import ZERO, Vector, X, Y, Z
from motorik.errors import OperatorError, ParameterError
from motorik.mobile import (
    AngularVariable,
    AngularVariableList,
    ConstantWrench,
    ElementaryJoint,
    Frame,
    FrameList,
    Gravity,
    LinearSpringDamper,
    LinearVariable,
    LinearVariableList,
    MapChain,
    MassElement,
    MechanicalSystem,
    Mutable,
    MutableAngle,
    MutableInertia,
    MutableRotation,
    MutableScalar,
    MutableVector,
    RigidLink,
    VariableList,
    ZRotationMatrix,
    set_neutral,
)


def test_a_link_follows_its_vector_and_rotation():
    K1, K2, r, R = Frame("K1"), Frame("K2"), MutableVector(name="r"), MutableRotation()
    link = RigidLink(K1, K2, r, R)
    link.motion()
    assert K2.X.p.xyz == (0.0, 0.0, 0.0)
    r.z = 1
    R.set(rotation_about(X, 0.5))
    link.motion()
    assert K2.X.p.xyz == (0.0, 0.0, 1.0)
    np.testing.assert_array_equal(K2.R.numpy(), rotation_about(X, 0.5).numpy())
    assert link.parameters == (r, R)


def test_a_displacement_may_be_given_in_the_axes_of_the_output():
    # the order (rotation, displacement) of the user's guide, §4.3.1
    K1, K2, K3 = Frame("K1"), Frame("K2"), Frame("K3")
    R, r_b = MutableRotation(rotation_about(Z, 0.5)), MutableVector(1.0, 2.0, 3.0)
    RigidLink(K1, K2, R=R, r_b=r_b).motion()
    RigidLink(K1, K3, R @ r_b, R).motion()
    np.testing.assert_array_equal(K2.X.numpy(), K3.X.numpy())


def test_several_ends_follow_their_poses():
    K, ends = Frame("K"), FrameList([Frame("left"), Frame("right")])
    ways = [MutableVector(), MutableVector()]
    link = RigidLink(K, ends, ways)
    ways[0].set((1, 2, 3))
    ways[1].x = 4.0
    link.motion()
    assert ends[0].X.p.xyz == (1.0, 2.0, 3.0)
    assert ends(2).X.p.xyz == (4.0, 0.0, 0.0)
    assert link.parameters == tuple(ways)


def test_a_mass_follows_its_numbers():
    K, L = Frame("K"), Frame("L")
    for frame in (K, L):
        frame.ang_a, frame.lin_a, frame.ang_v = X, Y, Z
    m, s, theta = MutableScalar(name="m"), MutableVector(), MutableInertia()
    element = MassElement(K, m, s, theta)
    element.force()
    assert K.F.components == (0.0,) * 6
    m.value = 2
    s.y = 0.5
    theta.set((0.1, 0.2, 0.3))
    element.force()
    MassElement(L, 2.0, Vector(0.0, 0.5, 0.0), np.diag([0.1, 0.2, 0.3])).force()
    assert K.F.components == L.F.components
    assert element.parameters == (m, s, theta)


def test_loads_and_gravity_follow_theirs():
    K, phi = Frame("K"), AngularVariable("phi", q=2.0)
    f, g, c = MutableVector(), MutableVector(), MutableScalar()
    chain = (
        MapChain() << Gravity(K, g) << ConstantWrench(K, f) << LinearSpringDamper(phi, c)
    )
    f.x, g.y, c.value = 3.0, -9.0, 5.0
    chain.motion()
    chain.force()
    assert K.f.xyz == (3.0, 0.0, 0.0)
    assert K.lin_a.xyz == (0.0, 9.0, 0.0)
    assert phi.Q == -10.0
    assert set(map(id, chain.parameters)) == {id(f), id(g), id(c)}


def test_parameters_may_be_symbols_for_a_while():
    K1, K2, r = Frame("K1"), Frame("K2"), MutableVector(1.0, 2.0, 3.0)
    symbols = casadi.SX.sym("r", 3)
    kept = r.entries
    r.assign(casadi.vertsplit(symbols))
    RigidLink(K1, K2, r).motion()
    place = casadi.Function("place", [symbols], [casadi.vertcat(*K2.X.p.xyz)])
    r.assign(kept)
    assert place([4.0, 5.0, 6.0]).full().ravel().tolist() == [4.0, 5.0, 6.0]
    assert r.xyz == (1.0, 2.0, 3.0)


@pytest.mark.parametrize(
    ("parameter", "neutral"),
    [
        (MutableScalar(3.0), (0.0,)),
        (MutableAngle(3.0), (0.0,)),
        (MutableVector(1.0, 2.0, 3.0), (0.0, 0.0, 0.0)),
        (MutableRotation(rotation_about(X, 1.0)), IDENTITY.entries),
        (MutableInertia(2.0), (0.0,) * 6),
    ],
)
def test_every_parameter_has_a_neutral_element(parameter, neutral):
    assert isinstance(parameter, Mutable)
    assert parameter.entries != neutral
    parameter.reset()
    assert parameter.entries == neutral


@pytest.mark.parametrize(
    ("tensor", "entries"),
    [
        (2.0, (2.0, 2.0, 2.0, 0.0, 0.0, 0.0)),
        ((1, 2, 3), (1.0, 2.0, 3.0, 0.0, 0.0, 0.0)),
        (Vector(1, 2, 3), (1.0, 2.0, 3.0, 0.0, 0.0, 0.0)),
        ([[1, 4, 5], [4, 2, 6], [5, 6, 3]], (1.0, 2.0, 3.0, 4.0, 5.0, 6.0)),
        (np.diag([1.0, 2.0, 3.0]), (1.0, 2.0, 3.0, 0.0, 0.0, 0.0)),
        (MutableInertia((1, 2, 3)), (1.0, 2.0, 3.0, 0.0, 0.0, 0.0)),
    ],
)
def test_a_tensor_is_given_in_any_form(tensor, entries):
    assert MutableInertia(tensor).entries == entries


def test_lists_count_from_zero_and_from_one():
    # Kecskeméthy 1999, §3.4.1
    beta, s = AngularVariable("beta"), LinearVariable("s")
    variables = VariableList() << beta << s
    assert variables(2) is variables[1] is s
    assert [v.name for v in variables] == ["beta", "s"]
    longer = VariableList([AngularVariable("gamma")]) << variables
    assert [v.name for v in reversed(longer)] == ["s", "beta", "gamma"]
    with pytest.raises(ParameterError, match=r"there is no entry \(3\)"):
        variables(3)


@pytest.mark.parametrize(
    ("kind", "stranger"),
    [
        (AngularVariableList, LinearVariable("s")),
        (LinearVariableList, AngularVariable("phi")),
        (VariableList, Frame("K")),
        (FrameList, LinearVariable("s")),
    ],
)
def test_lists_keep_to_their_kind(kind, stranger):
    with pytest.raises(ParameterError, match="Put it into a list of its own kind"):
        kind() << stranger


def test_nothing_is_in_a_list_twice():
    phi = AngularVariable("phi")
    with pytest.raises(ParameterError, match="is already in the list"):
        VariableList() << phi << phi


def test_assignments_in_place_keep_the_identity_that_elements_refer_to():
    K0, K1 = Frame("K0"), Frame("K1")
    r, R = MutableVector(1.0, 0.0, 0.0, "r"), MutableRotation(name="R")
    m, theta = MutableScalar(2.0, "m"), MutableInertia((0.1, 0.2, 0.25), "theta")
    link, mass = RigidLink(K0, K1, r, R), MassElement(K1, m, I=theta)
    before = (r, R, m, theta)
    r += Vector(0.0, 3.0, 0.0)
    r *= 2.0
    r -= X
    r /= 0.5
    R @= rotation_about(Z, 0.3)
    R @= rotation_about(Z, 0.4)
    m += 1.0
    m *= 4.0
    m -= 2.0
    m /= 2.0
    theta += Symmetric(0.1, 0.1, 0.1)
    theta *= 2.0
    assert all(a is b for a, b in zip(before, (r, R, m, theta), strict=True))
    link.motion()
    assert K1.X.p.xyz == (2.0, 12.0, 0.0)
    np.testing.assert_allclose(K1.R.numpy(), rotation_about(Z, 0.7).numpy(), atol=2e-16)
    assert mass.inertia.mass() == m.value == 5.0
    assert mass.inertia.J.entries[:3] == pytest.approx((0.4, 0.6, 0.7), rel=1e-15)
    assert (r.name, R.name, m.name, theta.name) == ("r", "R", "m", "theta")


def test_mutables_stand_for_their_present_value_in_formulas():
    m = MutableScalar(3.0)
    assert (m + 1.0, 1.0 + m, m - 1.0, 1.0 - m) == (4.0, 4.0, 2.0, -2.0)
    assert (m * 2.0, 2.0 * m, m / 2.0, 6.0 / m, -m, float(m)) == (
        6.0,
        6.0,
        1.5,
        2.0,
        -3.0,
        3.0,
    )
    assert m * m == 9.0 and m + m == 6.0
    r = MutableVector(1, 2, 3)
    kept = Motor(r, ZERO)
    doubled = 2.0 * r
    r.x = 7.0
    assert type(doubled) is Vector and doubled.xyz == (2.0, 4.0, 6.0)
    assert kept.resultant.xyz == (1.0, 2.0, 3.0)


def test_mutables_are_equal_only_to_themselves_and_can_be_copied():
    for one in (
        MutableAngle(1.0, "a"),
        MutableVector(1, 2, 3, "a"),
        MutableRotation(name="a"),
        MutableInertia(2.0, "a"),
    ):
        twin = copy.deepcopy(one)
        assert one == one and one != twin and len({one, twin}) == 2
        assert tuple(twin.entries) == tuple(one.entries) and twin.name == "a"


def test_an_angle_is_set_with_its_sine_and_cosine():
    beta, same = (MutableAngle(0.5, "beta"),) * 2
    beta += np.pi / 2
    beta -= Angle(0.5)
    assert beta is same
    assert (beta.degrees, beta.sine) == (90.0, pytest.approx(1.0, rel=1e-15))
    beta.radians = 0.25
    beta *= 2.0
    assert (beta.sine, beta.cosine) == pytest.approx((np.sin(0.5), np.cos(0.5)), rel=1e-15)
    doubled, Rot_z = beta + beta, ZRotationMatrix(0.3)
    set_neutral(beta, Rot_z)  # beta = Rot_z = MoNullState of the guide, §3.1
    assert Rot_z.entries == IDENTITY.entries
    assert (beta.radians, beta.sine, beta.cosine) == (0.0, 0.0, 1.0)
    assert type(doubled) is Angle and doubled.radians == 1.0
    with pytest.raises(ParameterError, match="beta: 'sine' alone cannot be set"):
        beta.sine = 0.5


@pytest.mark.parametrize("compiled", [False, True], ids=["python", "machine code"])
def test_a_spring_follows_the_angle_at_which_it_rests(compiled):
    K0, K1, phi = Frame("K0"), Frame("K1"), AngularVariable("phi", q=0.5)
    hinge, rest = ElementaryJoint(K0, K1, phi), MutableAngle(0.5, "rest")
    chain = MapChain() << hinge << LinearSpringDamper(hinge, 3.0, 0.0, rest)
    chain << MassElement(K1, 1.0, I=(0.1, 0.1, 0.5))
    system = MechanicalSystem([phi], chain)
    system = system.compile() if compiled else system
    assert system.derivative(0.0, [0.5, 0.0])[1] == 0.0
    set_neutral(rest)
    assert system.derivative(0.0, [0.5, 0.0])[1] == pytest.approx(-3.0, rel=1e-14)


def test_what_would_leave_the_kind_is_refused():
    R, r, theta = MutableRotation(name="R"), MutableVector(name="r"), MutableInertia(1.0)
    with pytest.raises(ParameterError, match=r"R: .* is not a rotation"):
        R *= 2.0
    with pytest.raises(ParameterError, match=r"R: .* is not a rotation"):
        R @= 2.0 * IDENTITY
    with pytest.raises(ParameterError, match="R: the entry 'xx' alone cannot be set"):
        R.xx = 0.5
    with pytest.raises(OperatorError, match="Vector @= Matrix"):
        r @= IDENTITY
    with pytest.raises(OperatorError, match="Symmetric @= Vector"):
        theta @= X
    with pytest.raises(OperatorError, match=r"Vector \+ number"):
        r += 1.0
    assert R.entries == IDENTITY.entries and r.xyz == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("said", ["LOCAL", "GLOBAL", 1, None])
def test_a_text_is_not_taken_for_the_inertial_frame(said):
    with pytest.raises(ParameterError, match="is neither true nor false"):
        ConstantWrench(Frame("K"), X, ZERO, said)
