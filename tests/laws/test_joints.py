"""What is true of every joint."""

from __future__ import annotations

from itertools import product

import casadi
import numpy as np
import pytest

import motorik.elements as elements
from motorik.algebra.dual import Dual, rate_of, value_of
from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.rotation import angular_velocity_from, rotation_about
from motorik.algebra.vector import Vector
from motorik.checks import check_joint
from motorik.elements import (
    CylindricalPair,
    FreePair,
    FreePairByAngles,
    FreePairByCardanAngles,
    Joint,
    PlanarPair,
    PrismaticPair,
    Reversed,
    RevolutePair,
    ScrewPair,
    SphericalPair,
    SphericalPairByAngles,
    TranslationalPair,
    UniversalPair,
)
from motorik.mobile import Frame, JointElement, Subtask

E = Vector(1.0, 2.0, -2.0) / 3.0
F = Vector(2.0, -2.0, -1.0) / 3.0
OBLIQUE = Vector(0.6, 0.0, 0.8)
SEQUENCES = [s for s in product((1, 2, 3), repeat=3) if s[0] != s[1] != s[2]]

JOINTS: list[Joint] = [
    RevolutePair(),
    RevolutePair(E),
    PrismaticPair(),
    PrismaticPair(E),
    ScrewPair(E, 0.3),
    ScrewPair(E, -0.3),
    ScrewPair(E, 0.0),
    CylindricalPair(E),
    TranslationalPair(),
    SphericalPair(),
    *(SphericalPairByAngles(sequence) for sequence in SEQUENCES),
    UniversalPair(),
    UniversalPair(E, F),
    UniversalPair(E, OBLIQUE),
    PlanarPair(),
    PlanarPair(Vector(1.0, 2.0, 3.0), Vector(1.0, 0.0, 0.0)),
    FreePair(),
    FreePairByAngles((1, 2, 3)),
    FreePairByAngles((3, 1, 3)),
    FreePairByCardanAngles(),
    Reversed(UniversalPair(E, F)),
    Reversed(FreePair()),
]

every_joint = pytest.mark.parametrize("joint", JOINTS, ids=str)


def close(found, expected, atol: float) -> None:
    """Assert that nothing differs by more than `atol`."""
    np.testing.assert_allclose(found, expected, rtol=0, atol=atol)


def random_state(joint: Joint, seed: int) -> tuple[list[float], list[float], list[float]]:
    """Return coordinates (a unit quaternion where there is one), speeds and their rates."""
    rng = np.random.default_rng(seed)
    q = rng.uniform(-1.4, 1.4, len(joint.coordinates))
    is_quaternion = [c.name.startswith("Q") for c in joint.coordinates]
    if any(is_quaternion):
        q[is_quaternion] /= np.linalg.norm(q[is_quaternion])
    u, ud = rng.normal(size=(2, joint.freedom))
    return q.tolist(), u.tolist(), ud.tolist()


def test_the_list_has_every_kind_of_joint():
    public = (getattr(elements, name) for name in elements.__all__)
    kinds = {k for k in public if isinstance(k, type) and issubclass(k, Joint)} - {Joint}
    assert kinds == {type(joint) for joint in JOINTS}


@pytest.mark.kinds(17)
@every_joint
def test_every_joint_passes_its_check(joint):
    check_joint(joint, samples=2, tolerance=3e-14)


@pytest.mark.kinds(16)
@pytest.mark.slow
@every_joint
def test_every_reversed_joint_passes_the_check(joint):
    check_joint(joint.reversed(), samples=1, tolerance=3e-14)


@every_joint
def test_velocity_is_the_rate_of_the_pose_on_a_moving_frame(joint):
    # Dual numbers through the poses of two joints in series, against the traversal.
    q, u, _ = random_state(joint, 1)
    qa, ua, _ = random_state(FreePair(), 2)
    base, element = in_series(joint)
    give(base, qa, ua)
    give(element, q, u)
    base.motion()
    element.motion()
    moving = [Dual(x, xd) for x, xd in zip(q, joint.rates(q, u), strict=True)]
    moving_a = [Dual(x, xd) for x, xd in zip(qa, FreePair().rates(qa, ua), strict=True)]
    X = FreePair().pose(*moving_a) @ joint.pose(*moving)
    R = X.R.map(value_of)
    rate = Motor(angular_velocity_from(R, X.R.map(rate_of)), R.T @ X.p.map(rate_of))
    close(element.b.X.p.numpy(), X.p.map(value_of).numpy(), 1e-15)
    close(element.b.V.numpy(), rate.numpy(), 3e-15)


@every_joint
def test_acceleration_is_the_rate_of_velocity(joint):
    # CasADi's derivative of the traced velocity, against the acceleration traversal.
    q, u, ud = random_state(joint, 3)
    base, element = in_series(joint)
    traced: list = []
    for one in (base, element):
        x = casadi.SX.sym("q", len(one.variables))
        w = casadi.SX.sym("u", len(one.speeds))
        give(one, casadi.vertsplit(x), casadi.vertsplit(w))
        one.motion(Subtask.POSITION | Subtask.VELOCITY)
        rates = casadi.vertcat(*one.joint.rates(one.q, one.u))
        traced += [(x, rates), (w, casadi.SX.sym("ud", len(one.speeds)))]
    V = casadi.vertcat(*element.b.V.components)
    state = casadi.vertcat(*(x for x, _ in traced))
    rate = casadi.vertcat(*(xd for _, xd in traced))
    A = casadi.jtimes(V, state, rate)
    accelerations = [traced[1][1], traced[3][1]]
    function = casadi.Function("A", [state, *accelerations], [A])

    qa, ua, uda = random_state(FreePair(), 4)
    expected = function([*qa, *ua, *q, *u], uda, ud).full().ravel()
    give(base, qa, ua, uda)
    give(element, q, u, ud)
    base.motion()
    element.motion()
    close(element.b.A.numpy(), expected, 8e-15)


@every_joint
def test_bias_is_the_velocity_rate_at_constant_speeds_by_jacobian(joint):
    q, u, _ = random_state(joint, 5)
    x = casadi.SX.sym("q", len(q))
    V = casadi.vertcat(*joint.relative_velocity(casadi.vertsplit(x), u).components)
    J = casadi.Function("J", [x], [casadi.jacobian(V, x)])(q).full()
    expected = J @ np.array(joint.rates(q, u))
    close(joint.bias(q, u).numpy(), expected, 2e-15)


@every_joint
def test_force_is_the_transpose_of_velocity(joint):
    # Jacobian column by column from velocity, row by row from force.
    q, _, _ = random_state(joint, 6)
    base, element = in_series(joint)
    give(base, random_state(FreePair(), 7)[0], [0.0] * 6)
    give(element, q, [0.0] * joint.freedom)
    speeds = [*base.speeds, *element.speeds]
    columns = []
    for speed in speeds:
        speed.qd = 1.0
        base.motion()
        element.motion()
        columns.append(element.b.V.numpy())
        speed.qd = 0.0
    rows = []
    for unit in np.eye(6):
        base.clear_forces()
        element.clear_forces()
        element.b.F = Motor.of(unit)
        element.force()
        base.force()
        rows.append([speed.Q for speed in speeds])
    # the unit forces come first, the unit moments last; velocities the other way round
    J = np.roll(np.array(columns).T, 3, axis=0)
    close(np.array(rows), J, 1e-15)


@every_joint
def test_fit_finds_the_coordinates_of_poses_reached(joint):
    for seed in range(5):
        q, _, _ = random_state(joint, seed)
        X_ab = joint.pose(*q)
        again = joint.pose(*joint.fit(X_ab))
        close(again.numpy(), X_ab.numpy(), 1e-15)


@every_joint
def test_fit_forgives_a_pose_a_little_off(joint):
    q, _, _ = random_state(joint, 8)
    off = Pose(rotation_about(OBLIQUE, 1e-7), Vector(1e-7, -2e-7, 1e-7))
    near = joint.pose(*joint.fit(joint.pose(*q) @ off))
    close(near.numpy(), joint.pose(*q).numpy(), 5e-7)


def in_series(joint: Joint) -> tuple[JointElement, JointElement]:
    """Return a free joint on the ground and the joint on it."""
    ground, a, b = Frame("ground"), Frame("a"), Frame("b")
    return JointElement(ground, a, FreePair()), JointElement(a, b, joint)


def give(element: JointElement, q, u, ud=None) -> None:
    """Set coordinates, speeds and their rates of an element."""
    for variable, value in zip(element.variables, q, strict=True):
        variable.q = value
    for i, (speed, value) in enumerate(zip(element.speeds, u, strict=True)):
        speed.qd = value
        speed.qdd = ud[i] if ud is not None else 0.0
