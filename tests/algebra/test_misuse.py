"""Mistakes that beginners make with values, and what they are answered."""

from __future__ import annotations

import copy
import math
import pickle

import numpy as np
import pytest

from motorik import algebra
from motorik.algebra import (
    IDENTITY,
    IDENTITY_POSE,
    NO_INERTIA,
    ZERO,
    ZERO_MOTOR,
    Acceleration,
    Angle,
    Dual,
    Force,
    Inertia,
    Matrix,
    Momentum,
    Motor,
    Orientation,
    Pose,
    Quaternion,
    Symmetric,
    Vector,
    Velocity,
    X,
    Y,
    Z,
    body_force,
    check_rotation,
    derivative_in_fixed_frame,
    kinetic_energy,
    power,
    rotation_about,
    total_motor,
    unit_axis,
)
from motorik.errors import ImmutableError, MotorikError, OperatorError, ParameterError
from motorik.mobile import Frame

NUMBERS = [1, 2, 3]
BODY = Inertia.of_body(2.0, (0.1, 0.2, 0.3), Symmetric(0.4, 0.5, 0.6))
V, A = Velocity(X, Y), Acceleration(Y, Z)
F, P = Force(X, Z), Momentum(Z, X)


def test_a_component_of_a_frame_does_not_change_the_zero_of_all_models():
    K, other = Frame("K"), Frame("other")
    with pytest.raises(ImmutableError, match=r"K\.f = K\.f\.replace\(z=1\.0\)"):
        K.f.z = 1.0
    with pytest.raises(AttributeError, match=r"K\.f = Vector\("):
        K.ang_v.x += 2.0
    K.f = K.f.replace(z=1.0)
    assert K.f == Vector(0.0, 0.0, 1.0)
    assert other.f == ZERO == Vector() and ZERO_MOTOR == Motor()


@pytest.mark.parametrize(
    "value",
    [
        *(ZERO, IDENTITY, Symmetric(1, 2, 3), Quaternion(), Angle(0.3), Dual(1.0, 2.0)),
        *(
            ZERO_MOTOR,
            V,
            F,
            P,
            A,
            IDENTITY_POSE,
            BODY,
            BODY.dyad(),
            NO_INERTIA,
            Orientation(),
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_no_attribute_of_a_value_can_be_set_or_deleted(value):
    names = getattr(value, "_leaves", ("value", "rate"))
    before = repr(value)
    for name in (*names, "colour"):
        with pytest.raises(ImmutableError, match=f"'{name}' cannot be set"):
            setattr(value, name, 7.0)
        with pytest.raises(ImmutableError, match="cannot be deleted"):
            delattr(value, name)
    assert repr(value) == before
    for twin in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
        assert type(twin) is type(value) and repr(twin) == before


def test_replacing_parts_gives_another_value_of_the_kind():
    v = Vector(1, 2, 3)
    assert v.replace(y=5).xyz == (1.0, 5.0, 3.0) and v.xyz == (1.0, 2.0, 3.0)
    assert F.replace(moment=Y) == Force(X, Y) and type(F.replace(moment=Y)) is Force
    assert Pose(rotation_about(Z, 0.3), X).replace(R=IDENTITY) == Pose(IDENTITY, X)
    with pytest.raises(ImmutableError, match="has no part 'w' to replace"):
        v.replace(w=1.0)
    with pytest.raises(ImmutableError, match="'sine' cannot be set"):
        Angle(0.3).replace(sine=1.0)


MISTAKES = {
    "R * v": (lambda: IDENTITY * X, "R @ v"),
    "v * R": (lambda: X * IDENTITY, r"R\.T @ v"),
    "v @ R": (lambda: X @ IDENTITY, r"R\.T @ v"),
    "v * w": (lambda: X * Y, r"v\.dot\(w\).*v\.cross\(w\)"),
    "v ^ w": (lambda: X ^ Y, r"v\.cross\(w\)"),
    "v**2": (lambda: X**2, r"v\.dot\(v\)"),
    "v + 1": (lambda: X + 1.0, "v \\+ w"),
    "sum of vectors": (lambda: sum([X, Y]), r"sum\(vectors, ZERO\)"),
    "sum of motors": (lambda: sum([F, F]), r"total_motor"),
    "v + list": (lambda: X + NUMBERS, r"Vector\.of"),
    "list + v": (lambda: NUMBERS + X, r"Vector\.of"),
    "array + v": (lambda: np.ones(3) + X, r"Vector\.of"),
    "R @ array": (lambda: IDENTITY @ np.ones(3), r"Vector\.of"),
    "v + Q": (lambda: X + Quaternion(), "Vector has"),
    "v.dot(R)": (lambda: X.dot(IDENTITY), "Vector has"),
    "v.cross(list)": (lambda: X.cross([1, 2, 3]), r"Vector\.of"),
    "R * S": (lambda: IDENTITY * IDENTITY, "A @ B"),
    "S @ S": (lambda: Symmetric(1, 2, 3) @ Symmetric(1, 2, 3), r"S\.full\(\)"),
    "motor * motor": (lambda: F * V, "F @ V"),
    "R @ motor": (lambda: IDENTITY @ F, r"Pose\(R\)\(h\)"),
    "X @ v": (lambda: IDENTITY_POSE @ X, r"X\(h\)"),
    "X @ motor": (lambda: IDENTITY_POSE @ F, r"X\.back\(h\)"),
    "X * X": (lambda: IDENTITY_POSE * IDENTITY_POSE, "X_ab @ X_bc"),
    "X(matrix)": (lambda: IDENTITY_POSE(IDENTITY), "Pose has"),
    "M * M": (lambda: BODY * BODY, r"M \+ N"),
    "M @ V": (lambda: BODY @ V, r"T\(h\)"),
    "M * V": (lambda: BODY * V, r"T\(h\)"),
    "M(vector)": (lambda: BODY(X), "Inertia has"),
    "T @ motor": (lambda: BODY.dyad() @ V, r"T\(h\)"),
    "T @ v": (lambda: BODY.dyad() @ X, r"Motor\(g, h\)"),
    "Q * Q": (lambda: Quaternion() * Quaternion(), "Q_ab @ Q_bc"),
    "Q @ v": (lambda: Quaternion() @ X, r"Q\.rotation\(\) @ v"),
    "text * v": (lambda: "2" * X, "Vector has"),
    "v / w": (lambda: X / Y, r"v\.dot\(w\)"),
    "velocity + force": (lambda: V + F, r"a \+ Velocity\.of\(b\)"),
    "velocity + rate": (lambda: V + 0.01 * A, "a rate times a time"),
    "momentum - force": (lambda: P - F, r"Momentum\.of"),
    "total of kinds": (lambda: total_motor(F, V), "two kinds of motors have no sum"),
    "v @ v": (lambda: V @ V, "F @ V"),
    "f @ p": (lambda: F @ P, "both are loads"),
    "power(v, v)": (lambda: power(V, V), "needs a Force, not a Velocity"),
    "power(v, f)": (lambda: power(V, F), "Mind the order"),
    "power(p, v)": (lambda: power(P, V), "needs a Force, not a Momentum"),
    "M(force)": (lambda: BODY(F), r"M\.solve\(force\)"),
    "M.solve(v)": (lambda: BODY.solve(V), r"M\(velocity\)"),
    "energy of a force": (lambda: kinetic_energy(BODY, F), "maps motions to loads"),
    "body_force swapped": (lambda: body_force(BODY, A, V), "needs a Velocity, not a Acc"),
    "derivative": (lambda: derivative_in_fixed_frame(P, F, F), "needs a Velocity"),
    "v[0]": (lambda: X[0], r"\.x, \.y, \.z, \.xyz"),
    "x, y, z = v": (lambda: [*X], r"\.xyz"),
    "R[0, 0]": (lambda: IDENTITY[0, 0], r"\.xx.*\.rows"),
    "if v": (lambda: X or Y, r"v\.norm\(\) > 0"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_wrong_product_names_the_right_one(mistake):
    act, remedy = MISTAKES[mistake]
    with pytest.raises(OperatorError, match=f"(?s){remedy}") as caught:
        act()
    assert isinstance(caught.value, TypeError) and isinstance(caught.value, MotorikError)


def test_kinds_that_fit_stay_usable():
    h = Motor(Y, Z)
    assert type(V + h) is type(h + V) is Velocity
    assert power(h, V) == power(F, h) + h @ V - F @ h
    assert type(BODY(V)) is Momentum and type(BODY(A)) is Force and type(BODY(h)) is Motor
    assert type(BODY.solve(P)) is Velocity and type(BODY.solve(F)) is Acceleration
    assert type(V ^ BODY(V)) is Force and type(V ^ V) is Acceleration
    assert V + Velocity.of(0.5 * A) == Velocity(X + 0.5 * Y, Y + 0.5 * Z)
    assert type(derivative_in_fixed_frame(P, F, V)) is Force
    assert Motor(*F.parts) == F and type(Motor(*F.parts)) is Motor
    assert Force.of(F) is F and Motor.of(F) is F and Force.of(range(6)).torque.x == 3.0


def test_axes_are_normalised_or_refused():
    for axis in ((0, 0, 5), "z", Vector(0, 0, 1e-3), np.array([0.0, 0.0, 2.0])):
        assert rotation_about(axis, 0.3) == rotation_about(Z, 0.3)
        assert Quaternion.about(axis, 0.3) == Quaternion.about(Z, 0.3)
        assert Angle(0.3).rotation(axis) == Angle(0.3).rotation(Z)
        assert algebra.frames.planar_rotation(axis, 0.3, 2.0).w == Vector(0, 0, 2)
    for axis in (ZERO, (0, 0, math.nan), (math.inf, 0, 0)):
        for use in (
            unit_axis,
            lambda e: rotation_about(e, 1.0),
            lambda e: Vector.of(e).normalized(),
        ):
            with pytest.raises(ParameterError, match="has no direction"):
                use(axis)
    with pytest.raises(ParameterError, match="is not three components"):
        rotation_about((0, 1), 0.3)
    with pytest.raises(ParameterError, match="is not an axis"):
        rotation_about("w", 0.3)


def test_numbers_that_are_no_rotation_are_refused():
    turned = rotation_about((1, 2, 3), 0.7).numpy()
    assert Pose(turned).R.numpy() == pytest.approx(turned, abs=0)
    for bad in (1.001 * turned, turned + 1e-6, np.full((3, 3), math.nan)):
        for make in (Pose, Orientation, lambda R: check_rotation(Matrix.of(R))):
            with pytest.raises(
                ParameterError, match="is not a rotation: R Rᵀ differs from 1"
            ):
                make(bad)
    mirror = np.diag([1.0, 1.0, -1.0])
    with pytest.raises(ParameterError, match="is a reflection"):
        Pose(mirror)
    with pytest.raises(ParameterError, match="is a reflection"):
        Quaternion.from_rotation(Matrix.of(mirror))
    with pytest.raises(ParameterError, match=r"tip: .* is not a rotation"):
        Frame("tip").R = 2.0 * turned
    for bad in (np.eye(2), [[1, 2], [3, 4]], 3.0, ((1, 2, 3), (4, 5, 6))):
        with pytest.raises(ParameterError, match="is not three rows of three"):
            Matrix.of(bad)
    with pytest.raises(ParameterError, match="nine entries"):
        Matrix(1.0, 2.0)


def test_bodies_that_cannot_be_are_refused():
    for m in (-1.0, math.nan, math.inf):
        with pytest.raises(ParameterError, match="is not a mass"):
            Inertia.of_body(m)
    for tensor in (
        np.diag([1.0, 1.0, 2.1]),
        np.diag([-0.1, 1.0, 1.0]),
        np.diag([0.0, 0.0, 1.0]),
    ):
        with pytest.raises(ParameterError, match="no body has the principal moments"):
            Inertia.of_body(1.0, ZERO, tensor)
    with pytest.raises(ParameterError, match="are not symmetric"):
        Inertia.of_body(1.0, ZERO, [[1.0, 0.1, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    rod = np.diag([0.0, 1.0, 1.0])
    assert Inertia.of_body(1.0, ZERO, rod).J.zz == 1.0
    assert Inertia.of_body(1.0, ZERO, Symmetric(0, 0, 1)).J.zz == 1.0


def test_only_public_names_are_listed():
    assert dir(algebra) == sorted(algebra.__all__)
    for name in algebra.__all__:
        assert hasattr(algebra, name)
