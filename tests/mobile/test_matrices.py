"""The kinds of matrices and the neutral element, by NumPy and by their own laws."""

import math

import casadi
import numpy as np
import pytest

from motorik.algebra import (
    IDENTITY,
    Angle,
    Matrix,
    Symmetric,
    Vector,
    X,
    Y,
    Z,
    outer,
    rotation_about,
    skew,
)
from motorik.errors import ParameterError
from motorik.mobile import (
    NULL_MATRIX,
    AngularVariable,
    Frame,
    InertiaTensor,
    MassElement,
    RigidLink,
    RotationMatrix,
    XRotationMatrix,
    YRotationMatrix,
    ZRotationMatrix,
    set_neutral,
)
from motorik.mobile.states.mutable import MutableAngle, MutableScalar, MutableVector

KINDS = {XRotationMatrix: X, YRotationMatrix: Y, ZRotationMatrix: Z}


@pytest.mark.parametrize(("kind", "axis"), KINDS.items())
def test_elementary_rotations_are_those_about_the_axes(kind, axis):
    R = kind(0.7)
    np.testing.assert_array_equal(R.numpy(), rotation_about(axis, 0.7).numpy())
    assert R.angle.radians == pytest.approx(0.7, rel=1e-15)
    R.set(Angle.from_degrees(30))
    assert R.angle.degrees == pytest.approx(30.0, rel=1e-14)
    R @= kind(math.radians(15))
    assert R.angle.degrees == pytest.approx(45.0, rel=1e-14)
    other = kind()
    other.set(R)
    np.testing.assert_array_equal(other.numpy(), R.numpy())
    np.testing.assert_allclose((R.T @ Matrix.of(R)).numpy(), np.eye(3), rtol=0, atol=2e-16)


@pytest.mark.parametrize("kind", KINDS)
def test_elementary_rotations_keep_their_structure_on_symbols(kind):
    R = kind(0.7)
    symbols = casadi.SX.sym("R", 9)
    R.assign([symbols[i] for i in range(9)])
    numbers = [e for e in R.entries if isinstance(e, float)]
    assert sorted(numbers) == [0.0, 0.0, 0.0, 0.0, 1.0]
    entries = casadi.Function("R", [symbols], [casadi.vertcat(*R.entries)])
    expected = kind(0.7).entries
    np.testing.assert_array_equal(np.array(entries(expected)).ravel(), expected)


def test_an_elementary_rotation_cannot_become_one_about_another_axis():
    R = XRotationMatrix(0.3)
    with pytest.raises(ParameterError, match="R: cannot become a YRotationM"):
        R.set(YRotationMatrix(0.3))
    with pytest.raises(ParameterError, match="cannot become a ZRotationMatrix"):
        R @= ZRotationMatrix(0.3)
    with pytest.raises(ParameterError, match="cannot become a RotationMatrix"):
        R.set(RotationMatrix())


def test_products_of_rotations_are_rotations():
    A, B = RotationMatrix(XRotationMatrix(0.4)), RotationMatrix(ZRotationMatrix(-1.1))
    product = A @ B
    assert isinstance(product, RotationMatrix)
    np.testing.assert_allclose(product.numpy(), A.numpy() @ B.numpy(), rtol=0, atol=1e-16)
    np.testing.assert_array_equal((XRotationMatrix(0.4) @ B).numpy(), product.numpy())
    A @= B
    np.testing.assert_array_equal(A.numpy(), product.numpy())
    v = Vector(1, -2, 3)
    np.testing.assert_allclose((A @ v).numpy(), A.numpy() @ v.numpy(), rtol=0, atol=5e-16)
    back = A.T @ (A @ v)
    np.testing.assert_allclose(back.numpy(), v.numpy(), rtol=0, atol=1e-15)


def test_columns_are_the_axes():
    R = RotationMatrix(rotation_about(Vector(0.6, 0.0, 0.8), 1.2))
    columns = [c.xyz for c in (R.e1, R.e2, R.e3)]
    np.testing.assert_array_equal(np.array(columns).T, R.numpy())
    assert [R(i).xyz for i in (1, 2, 3)] == columns
    I = InertiaTensor(Symmetric(1, 2, 3, 4, 5, 6))
    assert (I.e1.xyz, I(2).xyz, I.e3.xyz) == ((1, 4, 5), (4, 2, 6), (5, 6, 3))
    assert I.e2.xyz == I(2).xyz
    for matrix in (R, I):
        with pytest.raises(ParameterError, match="there is no column 4"):
            matrix(4)


def test_sums_of_rotations_are_refused():
    R = RotationMatrix(name="A")
    with pytest.raises(ParameterError, match="A: a sum of rotations is not a rotation"):
        R + R
    with pytest.raises(ParameterError, match="a difference of rotations"):
        R - IDENTITY
    np.testing.assert_array_equal((-R).numpy(), -np.eye(3))
    np.testing.assert_array_equal((2.0 * R).numpy(), 2.0 * np.eye(3))


def test_normalizing_mends_rounding_and_changes_no_rotation():
    R = RotationMatrix(rotation_about(Vector(0.6, 0.0, 0.8), 1.2))
    right = R.numpy()
    R.normalize()
    np.testing.assert_allclose(R.numpy(), right, rtol=0, atol=3e-16)
    bent = right + 1e-4 * np.arange(9).reshape(3, 3)
    with pytest.raises(
        ParameterError, match=r"is not a rotation: R Rᵀ differs from 1 by 0\.00"
    ):
        R.set(bent)
    R.assign(bent.ravel())
    R.normalize()
    n = R.numpy()
    np.testing.assert_allclose(n.T @ n, np.eye(3), rtol=0, atol=5e-16)
    assert np.linalg.det(n) == pytest.approx(1.0)
    np.testing.assert_allclose(n, right, rtol=0, atol=1e-3)
    short = YRotationMatrix(0.3)
    short.assign((1.01 * short.numpy()).ravel())
    short.normalize()
    np.testing.assert_allclose(short.numpy(), YRotationMatrix(0.3).numpy(), atol=2e-16)


def test_inertia_tensors_add_and_subtract():
    a, b = InertiaTensor((1.0, 2.0, 3.0)), InertiaTensor(0.5)
    total = a + b
    assert isinstance(total, InertiaTensor)
    np.testing.assert_array_equal(total.numpy(), np.diag([1.5, 2.5, 3.5]))
    assert isinstance(total - b, InertiaTensor)
    np.testing.assert_array_equal((total - b).numpy(), a.numpy())
    a += b
    a += b
    a -= b
    np.testing.assert_array_equal(a.numpy(), total.numpy())
    assert (a @ Vector(1, 1, 2)).xyz == (1.5, 2.5, 7.0)
    with pytest.raises(ParameterError, match="cannot be multiplied by a InertiaTensor"):
        a @ b


def test_matrices_from_vectors():
    a, b = Vector(1, 2, 3), Vector(-4, 5, 6)
    np.testing.assert_array_equal((skew(a) @ b).numpy(), np.cross(a.numpy(), b.numpy()))
    np.testing.assert_array_equal(outer(a, b).numpy(), np.outer(a.numpy(), b.numpy()))
    np.testing.assert_array_equal(NULL_MATRIX.numpy(), np.zeros((3, 3)))


def test_elements_read_them_anew():
    K0, K1 = Frame("K0"), Frame("K1")
    R, r, tensor = ZRotationMatrix(name="R"), MutableVector(), InertiaTensor()
    link, mass = RigidLink(K0, K1, r, R), MassElement(K1, 1.0, I=tensor)
    R.set(math.pi / 2)
    r.x = 2.0
    tensor.set((0.0, 0.0, 4.0))
    link.motion()
    assert K1.X.p.xyz == (2.0, 0.0, 0.0)
    assert (K1.R @ X).xyz == pytest.approx((0.0, 1.0, 0.0), abs=1e-16)
    assert mass.inertia.J.zz == 4.0
    R.set(0.0)
    assert (K1.R @ X).xyz == pytest.approx((0.0, 1.0, 0.0), abs=1e-16)  # not yet
    link.motion()
    assert (K1.R @ X).xyz == (1.0, 0.0, 0.0)
    assert list(link.parameters) == [r, R]


def test_everything_at_its_neutral_element():
    objects = {
        MutableScalar(3.0): (0.0,),
        MutableAngle(3.0): (0.0,),
        MutableVector(1, 2, 3): (0.0, 0.0, 0.0),
        RotationMatrix(rotation_about(X, 1.0)): IDENTITY.entries,
        YRotationMatrix(0.5): IDENTITY.entries,
        InertiaTensor(2.0): (0.0,) * 6,
    }
    phi, K = AngularVariable("phi", q=1.0, qd=2.0, qdd=3.0), Frame("K")
    phi.Q = 4.0
    K.r, K.lin_v, K.lin_a, K.f = X, Y, Z, X
    set_neutral(*objects, phi, K)
    for one, entries in objects.items():
        assert tuple(one.entries) == entries
    assert (phi.q, phi.qd, phi.qdd, phi.Q) == (0.0, 0.0, 0.0, 0.0)
    for vector in (K.r, K.lin_v, K.lin_a, K.f):
        assert vector.xyz == (0.0, 0.0, 0.0)
    assert Angle().radians == 0.0 and Angle().cosine == 1.0


def test_what_cannot_be_changed_is_refused():
    with pytest.raises(ParameterError, match="a Vector cannot be changed"):
        set_neutral(Vector(1, 2, 3))
