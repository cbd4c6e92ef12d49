"""The constraint of every kind of joint: what it lets move, what it holds, and where."""

from __future__ import annotations

import casadi
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from motorik.algebra.matrix import IDENTITY, Matrix
from motorik.algebra.motor import ZERO_MOTOR, Motor
from motorik.algebra.pose import Pose
from motorik.algebra.rotation import rotation_about
from motorik.algebra.vector import AXES, Vector, X, Y, Z
from motorik.checks import check_joint
from motorik.elements import (
    CylindricalPair,
    FreePair,
    FreePairByAngles,
    FreePairByCardanAngles,
    Joint,
    PlanarPair,
    PrismaticPair,
    RevolutePair,
    ScrewPair,
    SphericalPair,
    SphericalPairByAngles,
    TranslationalPair,
    UniversalPair,
)
from motorik.elements.closure import perpendicular, rotation_tangents
from motorik.elements.constraint import Constraint
from motorik.elements.rigid import RigidPair
from motorik.elements.rolling import RollingPair

E = Vector(1.0, 2.0, -2.0) / 3.0
F = Vector(0.6, 0.0, 0.8)
JOINTS = [
    *(
        RevolutePair(),
        RevolutePair(E, 0.3),
        RevolutePair(F),
        PrismaticPair(),
        PrismaticPair(E),
        CylindricalPair(X),
        CylindricalPair(E),
    ),
    *(
        ScrewPair(Y, 0.02),
        ScrewPair(E, -0.4),
        ScrewPair(Z, 0.0),
        UniversalPair(),
        UniversalPair(E, F),
        PlanarPair(),
    ),
    *(
        PlanarPair(E, Z),
        SphericalPair(),
        SphericalPairByAngles(),
        TranslationalPair(),
        FreePair(),
        FreePairByAngles(),
    ),
    *(FreePairByCardanAngles(), RigidPair(), RollingPair(0.3)),
]
JOINTS += [
    joint.reversed() for joint in JOINTS if type(joint.reversed()) is not type(joint)
]


class Plainly(RevolutePair):
    """A turn that leaves its constraint to the joint that every joint is."""

    constraint = Joint.constraint


def random_pose(rng) -> Pose:
    R = Matrix.of(Rotation.random(random_state=rng).as_matrix())
    return Pose(R, Vector.of(rng.normal(size=3)))


def coordinates(joint: Joint, rng) -> tuple[float, ...]:
    """Return random coordinates that mean a pose."""
    q = tuple(rng.uniform(-1.2, 1.2, len(joint.coordinates)).tolist())
    return joint.fit(joint.pose(*joint.projected(q)))


def jacobian(held: Constraint, X_a: Pose, X_b: Pose) -> np.ndarray:
    """Return the rates of all rows by the velocity of b, resolved in b."""
    units = [Motor.of(unit.tolist()) for unit in np.eye(6)]
    rates = [held.rates((X_a, X_b), (ZERO_MOTOR, unit)) for unit in units]
    return np.array(rates, dtype=float).T


def rows(values) -> np.ndarray:
    return np.array(values, dtype=float)


every_joint = pytest.mark.parametrize("joint", JOINTS, ids=repr)


@every_joint
def test_what_the_joint_reaches_closes_and_what_it_cannot_do_does_not(joint):
    rng = np.random.default_rng(1)
    for _ in range(5):
        q = coordinates(joint, rng)
        X_a = random_pose(rng)
        X_b = X_a @ joint.pose(*q)
        held = joint.constraint
        count = len(held.units) + len(held.rate_units)
        assert count == 6 - joint.freedom
        found = held.residual(X_a, X_b) if held.units else ()
        assert len(found) == len(held.units)
        assert np.max(np.abs(found), initial=0.0) < 2e-15
        J = jacobian(held, X_a, X_b)
        sizes = np.linalg.svd(J, compute_uv=False)
        assert np.all(sizes > 0.3) and np.all(sizes < 1.8)
        for screw in joint.screws(*q):
            assert np.max(np.abs(J @ screw.numpy()), initial=0.0) < 2e-15


@pytest.mark.kinds(17)
@pytest.mark.slow
@every_joint
def test_it_is_the_constraint_of_the_joint_seen_from_either_side(joint):
    figures = check_joint(joint, samples=1, tolerance=4e-14)
    laws = ("constraint", "letting", "holding", "assembly_residual", "elsewhere", "gap")
    assert max(figures[law] for law in laws) < 2e-14
    rng = np.random.default_rng(3)
    X_a, X_b = random_pose(rng), random_pose(rng)
    held, other = joint.constraint, joint.constraint.reversed()
    assert other.measured(X_b, X_a) == held.measured(X_a, X_b)
    if held.units:
        assert other.residual(X_b, X_a) == held.residual(X_a, X_b)
        assert other.to_solve(X_b, X_a) == held.to_solve(X_a, X_b)
    if held.rate_units:
        velocities = [Motor.of(rng.normal(size=6)) for _ in range(2)]
        assert other.rate((X_b, X_a), velocities[::-1]) == held.rate((X_a, X_b), velocities)


def turned(X_b: Pose, axis: Vector, angle: float) -> Pose:
    return X_b @ Pose(rotation_about(axis, angle))


HOLDS = {  # joint: (axes about which it cannot turn, directions in which it cannot move)
    RevolutePair(E, 0.3): (perpendicular(E), AXES),
    PrismaticPair(E): (AXES, perpendicular(E)),
    CylindricalPair(E): (perpendicular(E), perpendicular(E)),
    PlanarPair(E, Z): (perpendicular(E), (E,)),
    TranslationalPair(): (AXES, ()),
    SphericalPair(): ((), AXES),
    RigidPair(): (AXES, AXES),
    ScrewPair(E, 0.3): (perpendicular(E), perpendicular(E)),
}


@pytest.mark.parametrize("angle", [1e-7, 0.3, 1.58, 2.9, np.pi])
@pytest.mark.parametrize("joint", HOLDS, ids=repr)
def test_what_a_joint_forbids_is_told_by_approach_and_gap(joint, angle):
    """Sines forget half a turn: what assembling solves, and the gap, do not."""
    rng = np.random.default_rng(4)
    X_a = random_pose(rng)
    X_b = X_a @ joint.pose(*coordinates(joint, rng))
    held = joint.constraint
    turns, shifts = HOLDS[joint]
    for axis in turns:
        ends = X_a, turned(X_b, axis, angle)
        metres, radians = held.measured(*ends)
        if angle < np.pi:  # there every turn about the axis of a helix is as near
            assert metres == pytest.approx(0.0, abs=1e-15)
        assert radians == pytest.approx(angle, abs=2e-15)
        size = np.linalg.norm([r for r in held.to_solve(*ends) if np.isfinite(r)])
        if angle == np.pi:
            assert size > 1e12 or not np.isfinite(held.to_solve(*ends)).all()
            assert np.abs(held.residual(*ends)).max() < 4e-16
        else:
            assert size == pytest.approx(2 * np.tan(angle / 2), rel=1e-8)
    for direction in shifts:
        ends = X_a, X_b @ Pose(p=angle * direction)
        assert held.measured(*ends) == pytest.approx((angle, 0.0), abs=2e-15)
        assert np.linalg.norm(held.to_solve(*ends)) == pytest.approx(angle, rel=1e-8)


@pytest.mark.parametrize("off", [0.1, 1.5, 3.0, np.pi])
def test_half_a_turn_off_the_thread_is_as_far_as_can_be(off):
    h = 0.3 / (2 * np.pi)
    held = ScrewPair(E, 0.3).constraint
    X_b = turned(ScrewPair(E, 0.3).pose(7.0), E, off)
    assert held.measured(Pose(), X_b) == pytest.approx((h * off, 0.0), abs=2e-15)
    if off < np.pi:
        assembly_residual = held.to_solve(Pose(), X_b)[2]
        assert assembly_residual == pytest.approx(2 * h * np.tan(off / 2), rel=1e-12)
    else:
        assert abs(held.residual(Pose(), X_b)[2]) < 1e-15
        assert abs(held.to_solve(Pose(), X_b)[2]) > 1e12


def test_a_half_turn_that_a_joint_can_do_is_closed():
    held = UniversalPair().constraint
    X_b = turned(Pose(), Z, np.pi)  # both axes reversed, as by a half turn about each
    assert held.measured(Pose(), X_b) == pytest.approx((0.0, 0.0), abs=3e-16)
    assert held.to_solve(Pose(), X_b) == pytest.approx((0, 0, 0, 0), abs=3e-16)


@pytest.mark.parametrize("away", [0.0, 1e-30, 1e-17, 1e-12, 1e-8])
def test_rounding_feigns_no_zero_near_half_a_turn(away):
    """1 + cos α is rounding alone there: divided by it, a sine of 1e-17 would look small."""
    rng = np.random.default_rng(5)
    for _ in range(200):
        n = Vector.of(rng.normal(size=3)).normalized()
        axis, _ = perpendicular(n)
        for found in (
            rotation_tangents(rotation_about(n, np.pi - away)),
            RevolutePair(n).constraint.to_solve(Pose(), turned(Pose(), axis, np.pi - away))[
                3:
            ],
        ):
            assert not np.isfinite(found).all() or np.abs(found).max() > 1e7


@every_joint
def test_symbols_and_arrays_approach_as_numbers_do(joint):
    held = joint.constraint
    if not held.units:
        pytest.skip("it holds nothing")
    rng = np.random.default_rng(8)
    ends = [(random_pose(rng), random_pose(rng)) for _ in range(6)]
    flat = np.array([[*X.R.entries, *X.p.xyz, *Y.R.entries, *Y.p.xyz] for X, Y in ends])

    def poses(v):
        X, Y = (
            Pose(Matrix(*(v[k + i] for i in range(9))), Vector(*v[k + 9 : k + 12]))
            for k in (0, 12)
        )
        return X, Y

    x = casadi.SX.sym("x", 24)
    symbols = poses(casadi.vertsplit(x))
    out = casadi.vertcat(*held.to_solve(*symbols), *held.measured(*symbols))
    function = casadi.Function("f", [x], [out])
    arrays = [*held.to_solve(*poses(list(flat.T))), *held.measured(*poses(list(flat.T)))]
    for k, pair in enumerate(ends):
        numbers = rows([*held.to_solve(*pair), *held.measured(*pair)])
        traced = function(flat[k]).full().ravel()
        np.testing.assert_allclose(traced, numbers, rtol=1e-13, atol=1e-15)
        some = [np.broadcast_to(value, 6)[k] for value in arrays]
        np.testing.assert_allclose(some, numbers, rtol=1e-13, atol=1e-15)  # some are zero


def test_the_constraint_of_all_joints_holds_as_much_in_six_rows():
    rng = np.random.default_rng(2)
    joint, X_a = Plainly(E), random_pose(rng)
    held = joint.constraint
    X_b = X_a @ joint.pose(0.7)
    assert np.max(np.abs(held.residual(X_a, X_b))) < 1e-15
    J = jacobian(held, X_a, X_b)
    assert np.linalg.matrix_rank(J, 1e-12) == 5
    assert np.max(np.abs(J @ joint.screws(0.7)[0].numpy())) < 1e-15
    X_b = turned(X_b, perpendicular(E)[0], 3.0)
    assert held.measured(X_a, X_b) == pytest.approx((0.0, 3.0), abs=1e-15)
    assert np.linalg.norm(held.to_solve(X_a, X_b)) == pytest.approx(2 * np.tan(1.5))
    check_joint(joint)


def test_gaps_are_in_metres_and_tilts_in_radians():
    small = 1e-7
    ends = Pose(), Pose(rotation_about(X, small), 0.02 * Y)
    of_turn, of_weld, of_slide = (
        joint.constraint.residual(*ends)
        for joint in (RevolutePair(Z), RigidPair(), PrismaticPair(Z))
    )
    assert of_turn == pytest.approx((0, 0.02, 0, 0, -small), abs=1e-21)
    assert of_weld[3:] == pytest.approx((-small, 0, 0), abs=1e-21)
    assert of_slide[:2] == pytest.approx((0, 0.02), abs=1e-18)


def test_a_wheel_that_is_held_may_roll_but_not_slip():
    held = RollingPair(0.3).constraint
    assert (held.units, held.rate_units) == (("m",), ("m/s", "m/s"))
    X_b = Pose(IDENTITY, 0.3 * Z)
    along, across, turning = (
        held.rate((Pose(), X_b), (ZERO_MOTOR, Motor.of(V)))
        for V in ((0, 0, 0, 1, 0, 0), (0, 0, 0, 0, 1, 0), (0, 2, 0, 0.6, 0, 0))
    )
    assert along == pytest.approx((-1.0, 0.0)) and across == pytest.approx((0.0, 1.0))
    assert turning == pytest.approx((0.0, 0.0), abs=1e-16)


@pytest.mark.parametrize("turns", [-3.2, 0.0, 0.4, 7.9])
def test_a_helix_closes_in_every_turn_and_tells_how_far_it_is_ahead(turns):
    joint = ScrewPair(E, 0.05)
    X_b = joint.pose(2 * np.pi * turns)
    ahead = joint.constraint.residual(Pose(), X_b @ Pose(IDENTITY, 1e-6 * E))[2]
    assert ahead == pytest.approx(-1e-6, abs=5e-15)


def test_planar_loops_keep_their_zeros():
    phi, psi, x = casadi.SX.sym("phi"), casadi.SX.sym("psi"), casadi.SX.sym("x")
    X_a = Pose(rotation_about(Z, phi), Vector(x, 0.0, 0.0))
    X_b = Pose(rotation_about(Z, psi), Vector(0.0, x, 0.0))
    left = {
        RevolutePair(Z): [0, 1],
        PrismaticPair(X): [0, 4],
        RigidPair(): [0, 1, 5],
        PlanarPair(Z, X): [],
        CylindricalPair(Z): [0, 1],
    }
    for joint, kept in left.items():
        held = joint.constraint
        for closure in (held.residual(X_a, X_b), held.to_solve(X_a, X_b)):
            found = [i for i, row in enumerate(closure) if not isinstance(row, float)]
            assert found == kept
            assert all(closure[i] == 0.0 for i in range(len(closure)) if i not in found)


@pytest.mark.parametrize("axis", [*AXES, -Z, F, E, -E, Vector(0.48, 0.6, -0.64)])
def test_perpendicular_completes_a_right_handed_orthonormal_triad(axis):
    e1, e2 = perpendicular(axis)
    frame = np.array([e1.numpy(), e2.numpy(), axis.numpy()])
    assert np.abs(frame @ frame.T - np.eye(3)).max() < 4e-16
    assert np.linalg.det(frame) == pytest.approx(1.0, abs=1e-15)
