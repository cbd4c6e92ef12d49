"""State objects: what they hold, and the vectors they show."""

from __future__ import annotations

import numpy as np
import pytest

from motorik.algebra.angle import Angle
from motorik.algebra.motor import ZERO_MOTOR, Motor
from motorik.algebra.pose import Pose
from motorik.algebra.rotation import rotation_about
from motorik.algebra.vector import Vector, X, Z
from motorik.elements import (
    CylindricalPair,
    PrismaticPair,
    RevolutePair,
    SphericalPair,
)
from motorik.errors import ParameterError
from motorik.mobile import (
    AngularVariable,
    Frame,
    LinearVariable,
    PlainVariable,
    set_neutral,
    variable_for,
)

MOTOR = Motor(Vector(1.0, 2.0, 3.0), Vector(-4.0, 5.0, 6.0))


def close(found, expected, atol: float) -> None:
    """Assert that nothing differs by more than `atol`."""
    np.testing.assert_allclose(found, expected, rtol=0, atol=atol)


def test_radius_is_resolved_in_the_frame_itself():
    K = Frame("K", X=Pose(rotation_about(Z, 0.5), Vector(1.0, 2.0, 3.0)))
    close((K.R @ K.r).numpy(), [1.0, 2.0, 3.0], 1e-15)


def test_acceleration_of_the_origin_on_a_turntable_points_to_the_centre():
    # at radius 2 and ω = 3 the components of V stand still, yet a = −ω² r
    K = Frame("K", V=Motor(3.0 * Z, Vector(0.0, 6.0, 0.0)))
    assert K.lin_a.xyz == (-18.0, 0.0, 0.0)


@pytest.mark.parametrize("name", ["r", "ang_v", "lin_v", "ang_a", "lin_a", "f", "t"])
def test_what_is_set_is_read_and_nothing_else_changes(name):
    names = ["r", "ang_v", "lin_v", "ang_a", "lin_a", "f", "t"]
    K = Frame(
        "K", Pose(rotation_about(X, 0.4), Vector(7.0, 8.0, 9.0)), MOTOR, -MOTOR, MOTOR
    )
    before = {other: getattr(K, other).numpy() for other in names}
    setattr(K, name, Vector(0.25, -0.5, 0.75))
    close(getattr(K, name).numpy(), [0.25, -0.5, 0.75], 1e-15)
    # the acceleration of the origin is A.moment + ω × v, so it follows ω and v
    follows = {"ang_v": {"lin_a"}, "lin_v": {"lin_a"}}.get(name, set())
    for other in set(names) - {name} - follows:
        np.testing.assert_array_equal(getattr(K, other).numpy(), before[other])


def test_turning_a_frame_keeps_its_origin():
    K = Frame("K", Pose(rotation_about(X, 0.4), Vector(7.0, 8.0, 9.0)))
    K.R = rotation_about(Z, 1.0)
    assert K.X.p.xyz == (7.0, 8.0, 9.0)
    np.testing.assert_array_equal(K.R.numpy(), rotation_about(Z, 1.0).numpy())


def test_clear_force_takes_the_load_and_leaves_the_motion():
    K = Frame("K", V=MOTOR, F=MOTOR)
    K.clear_force()
    assert K.F.components == ZERO_MOTOR.components
    assert K.V is MOTOR


def test_variable_returns_to_its_start():
    s = LinearVariable("s", q=1, qd=2, qdd=3)
    s.q, s.qd, s.qdd, s.Q = 9.0, 9.0, 9.0, 9.0
    s.reset()
    assert (s.q, s.qd, s.qdd, s.Q) == (1.0, 2.0, 3.0, 0.0)


@pytest.mark.parametrize(
    ("coordinate", "kind"),
    [
        (RevolutePair.coordinates[0], AngularVariable),
        (RevolutePair.speeds[0], AngularVariable),
        (PrismaticPair.coordinates[0], LinearVariable),
        (PrismaticPair.speeds[0], LinearVariable),
        (CylindricalPair.coordinates[1], AngularVariable),
        (SphericalPair.coordinates[3], PlainVariable),
        (SphericalPair.speeds[0], AngularVariable),
    ],
)
def test_a_variable_is_of_the_kind_of_its_coordinate(coordinate, kind):
    variable = variable_for(coordinate)
    assert type(variable) is kind
    assert (variable.name, variable.q) == (coordinate.name, coordinate.neutral)


def test_a_number_without_unit_drives_no_elementary_joint():
    with pytest.raises(ParameterError, match="Q1: a variable without unit"):
        PlainVariable("Q1").elementary_joint(Z)


def test_the_columns_of_a_frames_rotation_are_its_axes():
    K = Frame("K")
    K.R = rotation_about(Z, 0.5)
    for column, axis in zip((K.R.e1, K.R.e2, K.R.e3), np.eye(3), strict=True):
        np.testing.assert_array_equal(column.numpy(), K.R.numpy() @ axis)


def test_values_are_refused_with_their_neutral_element_and_mutable_kind():
    for value, neutral in (
        (Angle(0.5), "Angle(), or make it a MutableAngle"),
        (Vector(1, 2, 3), "ZERO, or make it a MutableVector"),
        (2.0, "0.0, or make it a MutableScalar"),
    ):
        with pytest.raises(ParameterError) as caught:
            set_neutral(value)
        assert f"name = {neutral}" in str(caught.value)
