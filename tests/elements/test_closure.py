"""The closure of every kind of joint: what it lets move, and what it holds."""

from __future__ import annotations

import casadi
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from motorik.algebra.dual import Dual, rate_of
from motorik.algebra.matrix import IDENTITY, Matrix, skew
from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.rotation import rotation_about
from motorik.algebra.vector import AXES, Vector, X, Y, Z
from motorik.elements import (
    Ball,
    BallAngles,
    Cross,
    Cylinder,
    Free,
    FreeAngles,
    FreeCardan,
    Helix,
    Joint,
    Plane,
    Slide,
    Translation,
    Turn,
)
from motorik.elements.closure import perpendicular
from motorik.elements.weld import Weld

E = Vector(1.0, 2.0, -2.0) / 3.0
F = Vector(0.6, 0.0, 0.8)
JOINTS = [
    *(Turn(), Turn(E, 0.3), Turn(F), Slide(), Slide(E), Cylinder(X), Cylinder(E)),
    *(Helix(Y, 0.02), Helix(E, -0.4), Helix(Z, 0.0), Cross(), Cross(E, F), Plane()),
    *(Plane(E, Z), Ball(), BallAngles(), Translation(), Free(), FreeAngles()),
    *(FreeCardan(), Weld()),
]
JOINTS += [
    joint.reversed() for joint in JOINTS if type(joint.reversed()) is not type(joint)
]


class Plainly(Turn):
    """A turn that leaves its closure to the joint that every joint is."""

    closure = Joint.closure
    closure_units = Joint.closure_units


def random_pose(rng) -> Pose:
    R = Matrix.of(Rotation.random(random_state=rng).as_matrix())
    return Pose(R, Vector.of(rng.normal(size=3)))


def coordinates(joint: Joint, rng) -> tuple[float, ...]:
    """Return random coordinates that mean a pose."""
    q = tuple(rng.uniform(-1.2, 1.2, len(joint.coordinates)).tolist())
    return joint.fit(joint.pose(*joint.settled(q)))


def moved(X_b: Pose, V_b: Motor) -> Pose:
    """Return the pose that moves with the velocity V_b, resolved in b, as duals."""
    R_rate = X_b.R @ skew(V_b.resultant)
    p_rate = X_b.R @ V_b.moment
    R = Matrix(*map(Dual, X_b.R.entries, R_rate.entries))
    return Pose(R, Vector(*map(Dual, X_b.p.xyz, p_rate.xyz)))


def rate_of_closure(joint: Joint, X_a: Pose, X_b: Pose, V_b: Motor) -> np.ndarray:
    rows = joint.closure(X_a, moved(X_b, V_b))
    return np.array([rate_of(row) for row in rows], dtype=float)


def jacobian(joint: Joint, X_a: Pose, X_b: Pose) -> np.ndarray:
    units = [Motor.of(unit) for unit in np.eye(6)]
    columns = [rate_of_closure(joint, X_a, X_b, unit) for unit in units]
    return np.array(columns).T


@pytest.mark.parametrize("joint", JOINTS, ids=repr)
def test_what_the_joint_reaches_closes_and_what_it_cannot_do_does_not(joint):
    rng = np.random.default_rng(1)
    for _ in range(5):
        q = coordinates(joint, rng)
        X_a = random_pose(rng)
        X_b = X_a @ joint.pose(*q)
        closure = joint.closure(X_a, X_b)
        assert len(closure) == len(joint.closure_units) == 6 - joint.freedom
        assert np.max(np.abs(closure), initial=0.0) < 2e-15
        J = jacobian(joint, X_a, X_b)
        sizes = np.linalg.svd(J, compute_uv=False)
        assert np.all(sizes > 0.3) and np.all(sizes < 1.8)
        for screw in joint.screws(*q):
            assert np.max(np.abs(J @ screw.numpy()), initial=0.0) < 2e-15


def test_the_closure_of_all_joints_holds_as_much_in_six_rows():
    rng = np.random.default_rng(2)
    joint, X_a = Plainly(E), random_pose(rng)
    X_b = X_a @ joint.pose(0.7)
    assert np.max(np.abs(joint.closure(X_a, X_b))) < 1e-15
    J = jacobian(joint, X_a, X_b)
    assert np.linalg.matrix_rank(J, 1e-12) == 5
    assert np.max(np.abs(J @ joint.screws(0.7)[0].numpy())) < 1e-15


def test_gaps_are_in_metres_and_tilts_in_radians():
    small = 1e-7
    X_b = Pose(rotation_about(X, small), 0.02 * Y)
    assert Turn(Z).closure(Pose(), X_b) == pytest.approx((0, 0.02, 0, 0, -small), abs=1e-21)
    assert Weld().closure(Pose(), X_b)[3:] == pytest.approx((-small, 0, 0), abs=1e-21)
    assert Slide(Z).closure(Pose(), X_b)[:2] == pytest.approx((0, 0.02), abs=1e-18)


@pytest.mark.parametrize("turns", [-3.2, 0.0, 0.4, 7.9])
def test_a_helix_closes_in_every_turn_and_tells_how_far_it_is_ahead(turns):
    joint = Helix(E, 0.05)
    X_b = joint.pose(2 * np.pi * turns)
    ahead = joint.closure(Pose(), X_b @ Pose(IDENTITY, 1e-6 * E))[2]
    assert ahead == pytest.approx(-1e-6, abs=5e-15)


def test_planar_loops_keep_their_zeros():
    phi, psi, x = casadi.SX.sym("phi"), casadi.SX.sym("psi"), casadi.SX.sym("x")
    X_a = Pose(rotation_about(Z, phi), Vector(x, 0.0, 0.0))
    X_b = Pose(rotation_about(Z, psi), Vector(0.0, x, 0.0))
    left = {
        Turn(Z): [0, 1],
        Slide(X): [0, 4],
        Weld(): [0, 1, 5],
        Plane(Z, X): [],
        Cylinder(Z): [0, 1],
    }
    for joint, rows in left.items():
        closure = joint.closure(X_a, X_b)
        found = [i for i, row in enumerate(closure) if not isinstance(row, float)]
        assert found == rows
        assert all(closure[i] == 0.0 for i in range(len(closure)) if i not in found)


@pytest.mark.parametrize("axis", [*AXES, -Z, F, E, -E, Vector(0.48, 0.6, -0.64)])
def test_perpendicular_completes_a_right_handed_orthonormal_triad(axis):
    e1, e2 = perpendicular(axis)
    frame = np.array([e1.numpy(), e2.numpy(), axis.numpy()])
    assert np.abs(frame @ frame.T - np.eye(3)).max() < 4e-16
    assert np.linalg.det(frame) == pytest.approx(1.0, abs=1e-15)
