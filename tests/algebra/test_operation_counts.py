"""What a formula costs once traced: structural zeros are gone before CasADi sees them."""

from __future__ import annotations

from typing import Any

import casadi
import pytest

from motorik.algebra import (
    Inertia,
    Matrix,
    Motor,
    Pose,
    Quaternion,
    Symmetric,
    Vector,
    X,
    Y,
    Z,
    body_force,
    rotation_about,
    rotation_by_sequence,
    scalar,
)

GENERAL = Vector(0.48, 0.64, 0.6)
NO_WORK = {casadi.OP_INPUT, casadi.OP_OUTPUT, casadi.OP_CONST}


def entries(value: Any) -> list[Any]:
    if hasattr(value, "_leaves"):
        return [e for name in value._leaves for e in entries(getattr(value, name))]
    return [value]


def cost(*results: Any) -> int:
    """Count the operations of the traced results, shared terms once."""
    outputs = [e for result in results for e in entries(result)]
    symbols = casadi.symvar(casadi.vertcat(*outputs))
    f = casadi.Function("f", symbols, casadi.cse([casadi.SX(e) for e in outputs]))
    return sum(f.instruction_id(k) not in NO_WORK for k in range(f.n_instructions()))


def zeros(value: Any) -> int:
    return sum(scalar.is_structural(e, 0.0) for e in entries(value))


def symbols(count: int) -> list[Any]:
    return casadi.vertsplit(casadi.SX.sym("q", count))


@pytest.mark.parametrize("axis", [X, Y, Z])
def test_a_turn_about_a_coordinate_axis_is_a_sine_a_cosine_and_a_sign(axis):
    R = rotation_about(axis, casadi.SX.sym("q"))
    assert cost(R) == 3
    assert zeros(R) == 4
    assert sum(scalar.is_structural(e, 1.0) for e in R.entries) == 1


def test_two_turns_in_the_plane_cost_what_plane_ones_do():
    a, b = symbols(2)
    R = rotation_about(Z, a) @ rotation_about(Z, b)
    assert zeros(R) == 4
    # two sines, two cosines, four products, one difference, the sum both ways round, a sign
    assert cost(R) == 4 + 4 + 1 + 2 + 1


def test_motion_in_the_plane_stays_in_the_plane():
    q, w, vx, vy, px = symbols(5)
    X_ab = Pose(rotation_about(Z, q), Vector(px, 0, 0))
    moved = X_ab.back(Motor(Vector(0, 0, w), Vector(vx, vy, 0)))
    assert zeros(moved) == 3
    # sine and cosine; v + ω × p (2); the turn of two components (4 products, 2 sums)
    assert cost(moved) == 2 + 2 + 6
    inertia = Inertia.of_body(2.0, (0.3, 0.1, 0), Symmetric(1, 2, 3))
    force = body_force(inertia, moved, Motor(Vector(0, 0, q), Vector(vx, vy, 0)))
    assert zeros(force) == 3


def test_a_point_mass_has_no_more_than_its_first_and_second_moments():
    m, a = symbols(2)
    inertia = Inertia.of_body(m, (a, 0, 0))
    assert zeros(inertia.J) == 4
    assert zeros(inertia.H) == 7
    # m a, −m a, a² and m a²
    assert cost(inertia) == 4


@pytest.mark.parametrize("axis", [X, Y, Z, GENERAL])
def test_turning_a_tensor_about_a_coordinate_axis_is_cheap(axis):
    *tensor, q = symbols(7)
    R = rotation_about(axis, q)
    # in general eleven inner products of 5 and the trace; about a coordinate axis a 2×2
    # block with its trace, and a vector of two components
    expected = 11 * 5 + 4 if axis is GENERAL else 14 + 6
    assert cost(Symmetric(*tensor).rotated(R), R) - cost(R) == expected


def test_a_general_turn_costs_no_more_than_its_formula():
    q = casadi.SX.sym("q")
    # sine, cosine, 1 − cosine; 3 products on the diagonal and their sums; 3 + 3 products
    # off it; 6 sums
    assert cost(rotation_about(GENERAL, q)) == 3 + 6 + 6 + 6


def test_a_sequence_of_turns_costs_its_products():
    # sines and cosines; products of two, of three; signs; sums
    assert cost(rotation_by_sequence((1, 2, 3), symbols(3))) == 6 + 10 + 4 + 2 + 4


def test_a_quaternion_about_one_axis_stays_about_it():
    z, w = symbols(2)
    Q = Quaternion(0, 0, z, w)
    R = Q.rotation()
    assert zeros(R) == 4
    assert scalar.is_structural(R.zz, 1.0)
    assert cost(R) == 5
    assert zeros(Q @ Quaternion(0, 0, w, z)) == 2
    assert zeros(Q.rate(Vector(0, 0, w))) == 2


def test_a_general_quaternion_costs_its_formula():
    R = Quaternion(*symbols(4)).rotation()
    # 3 doublings, 9 products, 6 sums off the diagonal, 2 × 3 on it
    assert cost(R) == 3 + 9 + 6 + 6


def test_an_identity_costs_nothing():
    v = Vector(*symbols(3))
    same = Pose()(Motor(v, v))
    assert all(a is b for a, b in zip(same.components, (*v.xyz, *v.xyz), strict=True))
    assert (Matrix.of(Symmetric(1, 1, 1)) @ v).x is v.x
