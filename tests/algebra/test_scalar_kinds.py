"""Every function of the algebra gives the same on floats, arrays, symbols and duals."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import casadi
import numpy as np
import pytest

from motorik.algebra import dyad, frames, motor, quaternions, rotation, scalar
from motorik.algebra.angle import Angle
from motorik.algebra.dual import Dual, rate_of, value_of
from motorik.algebra.dyad import Dyad, Inertia
from motorik.algebra.frames import Orientation
from motorik.algebra.matrix import Matrix, Symmetric, outer, skew, square
from motorik.algebra.motor import Force, Motor, Velocity
from motorik.algebra.pose import Pose
from motorik.algebra.quaternion import Quaternion
from motorik.algebra.vector import Vector, X, Y, Z

SAMPLES = 12


def leaves(value: Any) -> list[Any]:
    """Return the scalars of a structured value, in order."""
    if isinstance(value, (tuple, list)):
        return [leaf for part in value for leaf in leaves(part)]
    if hasattr(value, "_leaves"):
        return [leaf for name in value._leaves for leaf in leaves(getattr(value, name))]
    return [value]


def vector(a, b, c):
    return Vector(a, b, c)


def turned(a, b, c):
    return rotation.rotation_by_sequence((1, 2, 3), (a, b, c))


def orientation(a, b, c, d, e, f):
    return Orientation(turned(a, b, c), (d, e, f))


def quaternion(a, b, c):
    return Quaternion.about(X, a) @ Quaternion.about(Y, b) @ Quaternion.about(Z, c)


def motor_of(*q):
    return Motor.of(q)


def pose(a, b, c, d, e, f):
    return Pose(turned(a, b, c), Vector(d, e, f))


def inertia(m, a, b, c):
    return Inertia.of_body(
        2.0 + m * m, (a, b, c), [[3, 0.1, 0.2], [0.1, 4, 0.3], [0.2, 0.3, 5]]
    )


def within(x):
    return 0.9 * scalar.sin(x)


def matrix(*q):
    return Matrix(*q)


SCALAR_CASES = {
    "add": (2, scalar.add),
    "sub": (2, scalar.sub),
    "mul": (2, scalar.mul),
    "div": (2, lambda a, b: scalar.div(a, 3.0 + b)),
    "neg": (1, scalar.neg),
    "total": (3, scalar.total),
    "sin": (1, scalar.sin),
    "cos": (1, scalar.cos),
    "tan": (1, lambda a: scalar.tan(0.5 * a)),
    "arcsin": (1, lambda a: scalar.arcsin(within(a))),
    "arccos": (1, lambda a: scalar.arccos(within(a))),
    "arctan": (1, scalar.arctan),
    "sqrt": (1, lambda a: scalar.sqrt(3.0 + a)),
    "exp": (1, scalar.exp),
    "log": (1, lambda a: scalar.log(3.0 + a)),
    "fabs": (1, scalar.fabs),
    "arctan2": (2, scalar.arctan2),
    "where": (3, lambda a, b, c: scalar.where(a > 0.0, b * b, c)),
    "minimum": (2, scalar.minimum),
    "maximum": (2, scalar.maximum),
    "sign": (2, lambda a, b: scalar.sign(a) * b),
    "power": (1, lambda a: (3.0 + a) ** 1.5),
    "divided": (1, lambda a: 2.0 / (3.0 + a)),
}
ROTATION_CASES = {
    "coordinate_axis": (1, lambda a: a * rotation.coordinate_axis(2)),
    "rotation_about": (1, lambda a: rotation.rotation_about(Vector(0.48, 0.64, 0.6), a)),
    "rotation_from_sine": (2, lambda a, b: rotation.rotation_from_sine(Y, a, b)),
    "rotation_by_sequence": (3, turned),
    "angle_of_turn": (
        6,
        lambda *q: rotation.angle_of_turn(Y, vector(*q[:3]), vector(*q[3:])),
    ),
    "angles_of_sequence": (
        4,
        lambda *q: rotation.angles_of_sequence(turned(*q[:3]), (3, 1, 3), q[3]),
    ),
    "rotation_with_xy": (
        6,
        lambda *q: rotation.rotation_with_xy(vector(*q[:3]), vector(*q[3:])),
    ),
    "rotation_with_xz": (
        6,
        lambda *q: rotation.rotation_with_xz(vector(*q[:3]), vector(*q[3:])),
    ),
    "snapped": (3, lambda *q: rotation.snapped(turned(*q))),
    "is_identity": (1, lambda a: a * rotation.is_identity(rotation.rotation_about(X, a))),
    "vee": (3, lambda *q: rotation.vee(turned(*q))),
    "angular_velocity_from": (
        12,
        lambda *q: rotation.angular_velocity_from(turned(*q[:3]), matrix(*q[3:])),
    ),
}
FRAMES_CASES = {
    "axis": (1, lambda a: a * frames.axis(3)),
    "length": (3, lambda *q: frames.length(q)),
    "normalize": (3, lambda *q: frames.normalize(q)),
    "null_rotation": (1, lambda a: a * frames.null_rotation().T),
    "orientation_constraint": (
        9,
        lambda *q: frames.orientation_constraint(frames.from_T(matrix(*q))),
    ),
    "equality_constraint": (
        6,
        lambda *q: frames.equality_constraint(
            frames.from_T(turned(*q[:3])), frames.from_T(turned(*q[3:]))
        ),
    ),
    "angular_velocity1": (6, lambda *q: frames.angular_velocity1(orientation(*q))),
    "angular_velocity2": (6, lambda *q: frames.angular_velocity2(orientation(*q))),
    "resolve1": (9, lambda *q: frames.resolve1(orientation(*q[:6]), q[6:])),
    "resolve2": (9, lambda *q: frames.resolve2(orientation(*q[:6]), q[6:])),
    "multiple_resolve1": (
        9,
        lambda *q: frames.multiple_resolve1(orientation(*q[:6]), [q[6:], X]),
    ),
    "multiple_resolve2": (
        9,
        lambda *q: frames.multiple_resolve2(orientation(*q[:6]), [q[6:], X]),
    ),
    "resolve_relative": (
        9,
        lambda *q: frames.resolve_relative(
            q[:3], frames.from_T(turned(*q[3:6])), frames.from_T(turned(*q[6:]))
        ),
    ),
    "resolve1_der": (
        12,
        lambda *q: frames.resolve1_der(orientation(*q[:6]), q[6:9], q[9:]),
    ),
    "resolve2_der": (
        12,
        lambda *q: frames.resolve2_der(orientation(*q[:6]), q[6:9], q[9:]),
    ),
    "resolve_relative_der": (
        18,
        lambda *q: frames.resolve_relative_der(
            q[:3], orientation(*q[3:9]), orientation(*q[9:15]), q[15:]
        ),
    ),
    "resolve_dyade1": (
        15,
        lambda *q: frames.resolve_dyade1(orientation(*q[:6]), matrix(*q[6:])),
    ),
    "resolve_dyade2": (
        15,
        lambda *q: frames.resolve_dyade2(orientation(*q[:6]), matrix(*q[6:])),
    ),
    "inverse_rotation": (6, lambda *q: frames.inverse_rotation(orientation(*q))),
    "relative_rotation": (
        12,
        lambda *q: frames.relative_rotation(orientation(*q[:6]), orientation(*q[6:])),
    ),
    "absolute_rotation": (
        12,
        lambda *q: frames.absolute_rotation(orientation(*q[:6]), orientation(*q[6:])),
    ),
    "planar_rotation": (2, lambda a, b: frames.planar_rotation((0.6, 0, 0.8), a, b)),
    "planar_rotation_angle": (6, lambda *q: frames.planar_rotation_angle(Z, q[:3], q[3:])),
    "axis_rotation": (2, lambda a, b: frames.axis_rotation(2, a, b)),
    "axes_rotations": (6, lambda *q: frames.axes_rotations((3, 1, 3), q[:3], q[3:])),
    "axes_rotations_angles": (
        4,
        lambda *q: frames.axes_rotations_angles(
            frames.from_T(turned(*q[:3])), (2, 1, 3), q[3]
        ),
    ),
    "small_rotation": (
        3,
        lambda *q: frames.small_rotation(frames.from_T(turned(*q)), True),
    ),
    "from_nxy": (6, lambda *q: frames.from_nxy(q[:3], q[3:])),
    "from_nxz": (6, lambda *q: frames.from_nxz(q[:3], q[3:])),
    "from_T": (6, orientation),
    "from_T2": (12, lambda *q: frames.from_T2(turned(*q[:3]), matrix(*q[3:]))),
    "from_T_inv": (6, lambda *q: frames.from_T_inv(turned(*q[:3]), q[3:])),
    "from_Q": (6, lambda *q: frames.from_Q(quaternion(*q[:3]), q[3:])),
    "to_T": (6, lambda *q: frames.to_T(orientation(*q))),
    "to_T_inv": (6, lambda *q: frames.to_T_inv(orientation(*q))),
    "to_Q": (7, lambda *q: frames.to_Q(frames.from_T(turned(*q[:3])), q[3:])),
    "to_vector": (6, lambda *q: frames.to_vector(orientation(*q))),
    "to_exy": (6, lambda *q: frames.to_exy(orientation(*q))),
}
QUATERNION_CASES = {
    "null_rotation": (1, lambda a: a * quaternions.null_rotation()),
    "orientation_constraint": (
        4,
        lambda *q: quaternions.orientation_constraint(Quaternion(*q)),
    ),
    "angular_velocity1": (
        7,
        lambda *q: quaternions.angular_velocity1(quaternion(*q[:3]), Quaternion(*q[3:])),
    ),
    "angular_velocity2": (
        7,
        lambda *q: quaternions.angular_velocity2(quaternion(*q[:3]), Quaternion(*q[3:])),
    ),
    "resolve1": (6, lambda *q: quaternions.resolve1(quaternion(*q[:3]), q[3:])),
    "resolve2": (6, lambda *q: quaternions.resolve2(quaternion(*q[:3]), q[3:])),
    "multiple_resolve1": (
        6,
        lambda *q: quaternions.multiple_resolve1(quaternion(*q[:3]), [q[3:], X]),
    ),
    "multiple_resolve2": (
        6,
        lambda *q: quaternions.multiple_resolve2(quaternion(*q[:3]), [q[3:], X]),
    ),
    "inverse_rotation": (3, lambda *q: quaternions.inverse_rotation(quaternion(*q))),
    "relative_rotation": (
        6,
        lambda *q: quaternions.relative_rotation(quaternion(*q[:3]), quaternion(*q[3:])),
    ),
    "absolute_rotation": (
        6,
        lambda *q: quaternions.absolute_rotation(quaternion(*q[:3]), quaternion(*q[3:])),
    ),
    "planar_rotation": (1, lambda a: quaternions.planar_rotation(Y, a)),
    "small_rotation": (3, lambda *q: quaternions.small_rotation(quaternion(*q))),
    "from_T": (3, lambda *q: quaternions.from_T(turned(*q))),
    "from_T_inv": (3, lambda *q: quaternions.from_T_inv(turned(*q))),
    "to_T": (3, lambda *q: quaternions.to_T(quaternion(*q))),
    "to_T_inv": (3, lambda *q: quaternions.to_T_inv(quaternion(*q))),
}
MOTOR_CASES = {
    "inner": (12, lambda *q: motor.inner(motor_of(*q[:6]), motor_of(*q[6:]))),
    "power": (12, lambda *q: motor.power(Force.of(q[:6]), Velocity.of(q[6:]))),
    "total_motor": (12, lambda *q: motor.total_motor(motor_of(*q[:6]), motor_of(*q[6:]))),
    "derivative_in_fixed_frame": (
        18,
        lambda *q: motor.derivative_in_fixed_frame(
            motor_of(*q[:6]), motor_of(*q[6:12]), motor_of(*q[12:])
        ),
    ),
}
DYAD_CASES = {
    "kinetic_energy": (
        10,
        lambda *q: dyad.kinetic_energy(inertia(*q[:4]), motor_of(*q[4:])),
    ),
    "swirl": (
        10,
        lambda *q: dyad.swirl(inertia(*q[:4]), motor_of(*q[4:10])),
    ),
    "body_force": (
        16,
        lambda *q: dyad.body_force(inertia(*q[:4]), motor_of(*q[4:10]), motor_of(*q[10:])),
    ),
}
METHOD_CASES = {
    "vector operators": (
        7,
        lambda *q: q[6] * (vector(*q[:3]) - vector(*q[3:6])) / (5.0 + q[0]),
    ),
    "vector products": (
        6,
        lambda *q: [
            vector(*q[:3]).dot(vector(*q[3:])),
            vector(*q[:3]).cross(vector(*q[3:])),
        ],
    ),
    "vector normalized": (3, lambda *q: vector(*q).normalized()),
    "matrix operators": (
        10,
        lambda *q: (
            q[9] * (matrix(*q[:9]) @ matrix(*q[:9]) - matrix(*q[:9]).T) + -matrix(*q[:9])
        ),
    ),
    "matrix trace": (9, lambda *q: matrix(*q).trace()),
    "symmetric rotated": (9, lambda *q: Symmetric(*q[:6]).rotated(turned(*q[6:]))),
    "symmetric operators": (
        9,
        lambda *q: (2.0 * Symmetric(*q[:6]) - square(vector(*q[6:]))) @ vector(*q[6:]),
    ),
    "skew and outer": (
        6,
        lambda *q: skew(vector(*q[:3])) + outer(vector(*q[:3]), vector(*q[3:])),
    ),
    "motor operators": (
        13,
        lambda *q: (
            q[12] * (motor_of(*q[:6]) ^ motor_of(*q[6:12])) / (5.0 + q[0])
            - -motor_of(*q[:6])
        ),
    ),
    "motor moment_at": (9, lambda *q: motor_of(*q[:6]).moment_at(vector(*q[6:]))),
    "motor axis_point": (6, lambda *q: motor_of(*q).axis_point()),
    "pose motor": (12, lambda *q: pose(*q[:6])(motor_of(*q[6:]))),
    "pose point": (9, lambda *q: pose(*q[:6])(vector(*q[6:]))),
    "pose back motor": (12, lambda *q: pose(*q[:6]).back(motor_of(*q[6:]))),
    "pose back point": (9, lambda *q: pose(*q[:6]).back(vector(*q[6:]))),
    "pose product": (12, lambda *q: pose(*q[:6]) @ pose(*q[6:])),
    "pose inverse": (6, lambda *q: pose(*q).inverse()),
    "inertia": (10, lambda *q: inertia(*q[:4])(motor_of(*q[4:]))),
    "inertia sum": (8, lambda *q: 2.0 * (inertia(*q[:4]) + inertia(*q[4:]))),
    "inertia seen_from": (10, lambda *q: inertia(*q[:4]).seen_from(pose(*q[4:]))),
    "inertia without": (11, lambda *q: inertia(*q[:4]).without(motor_of(*q[4:10]), q[10])),
    "inertia about_centre": (4, lambda *q: inertia(*q).about_centre()),
    "dyad": (
        10,
        lambda *q: (2.0 * inertia(*q[:4]).dyad() + Dyad.of(np.eye(6)))(motor_of(*q[4:])),
    ),
    "quaternion rotation": (4, lambda *q: Quaternion(*q).rotation()),
    "quaternion rate": (7, lambda *q: Quaternion(*q[:4]).rate(vector(*q[4:]))),
    "quaternion normalized": (4, lambda *q: Quaternion(*q).normalized()),
    "quaternion operators": (
        9,
        lambda *q: q[8] * (Quaternion(*q[:4]) - Quaternion(*q[4:8])) + -Quaternion(*q[:4]),
    ),
    "quaternion from_rotation": (3, lambda *q: Quaternion.from_rotation(turned(*q))),
    "angle sum": (3, lambda a, b, c: Angle(a) + Angle(b) - c),
    "angle multiple": (1, lambda a: -5 * Angle(a)),
    "angle fraction": (2, lambda a, b: Angle(a) / 3 + b * Angle(a)),
    "angle from sine": (2, lambda a, b: Angle.from_sine_cosine(a, b)),
    "angle wrapped": (1, lambda a: Angle(3.0 * a).wrapped()),
    "angle degrees": (1, lambda a: Angle.from_degrees(Angle(a).degrees)),
    "angle rotation": (
        1,
        lambda a: [Angle(a).rotation(Y), rotation.rotation_about(Y, Angle(a))],
    ),
    "angle tangent": (1, lambda a: scalar.tan(Angle(0.5 * a))),
}
CASES = {
    f"{room}: {name}": case
    for room, cases in {
        "scalar": SCALAR_CASES,
        "rotation": ROTATION_CASES,
        "frames": FRAMES_CASES,
        "quaternions": QUATERNION_CASES,
        "motor": MOTOR_CASES,
        "dyad": DYAD_CASES,
        "method": METHOD_CASES,
    }.items()
    for name, case in cases.items()
}


def draw(name: str, count: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(sum(map(ord, name)))
    return rng.uniform(-2, 2, (SAMPLES, count)), rng.uniform(-1, 1, (SAMPLES, count))


def on_floats(function: Callable, points: np.ndarray) -> np.ndarray:
    return np.array([leaves(function(*map(float, p))) for p in points], dtype=float)


@pytest.mark.parametrize("name", CASES)
def test_arrays_give_what_floats_give(name):
    count, function = CASES[name]
    points, _ = draw(name, count)
    together = np.broadcast_arrays(*leaves(function(*points.T)), points[:, 0])[:-1]
    expected = on_floats(function, points)
    np.testing.assert_allclose(np.array(together).T, expected, rtol=1e-14, atol=1e-14)


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_symbols_give_what_floats_give_and_duals_the_derivative_of_the_symbols(name):
    count, function = CASES[name]
    points, directions = draw(name, count)
    q, v = casadi.SX.sym("q", count), casadi.SX.sym("v", count)
    result = casadi.vertcat(*leaves(function(*casadi.vertsplit(q))))
    rate = casadi.jtimes(casadi.SX(result), q, v)
    traced = casadi.Function("traced", [q, v], [result, rate])
    expected = on_floats(function, points)
    for point, direction, values in zip(points, directions, expected, strict=True):
        by_symbols, rate_by_symbols = (
            np.array(o).ravel() for o in traced(point, direction)
        )
        np.testing.assert_allclose(by_symbols, values, rtol=1e-14, atol=1e-14)
        duals = leaves(function(*map(Dual, point.tolist(), direction.tolist())))
        np.testing.assert_array_equal([value_of(d) for d in duals], values)
        np.testing.assert_allclose(
            [rate_of(d) for d in duals], rate_by_symbols, rtol=1e-13, atol=1e-13
        )


@pytest.mark.parametrize(
    ("module", "cases"),
    [
        (rotation, ROTATION_CASES),
        (frames, FRAMES_CASES),
        (quaternions, QUATERNION_CASES),
        (motor, MOTOR_CASES),
        (dyad, DYAD_CASES),
    ],
)
def test_no_public_function_is_left_out(module, cases):
    public = {
        name
        for name, member in inspect.getmembers(module, inspect.isfunction)
        if member.__module__ == module.__name__ and not name.startswith("_")
    }
    assert public == set(cases)
