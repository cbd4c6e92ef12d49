"""Jacobians by the two methods of the user's guide, §4.2.3, by hand and against differences."""

import numpy as np
import pytest

from motorik.algebra import Vector, X, Y, Z
from motorik.algebra.rotation import angular_velocity_from
from motorik.mobile import (
    AngularVariable,
    ElementaryJoint,
    Frame,
    Gravity,
    LinearVariable,
    MapChain,
    RigidLink,
    Subtask,
    jacobian_by_columns,
    jacobian_by_rows,
)

PLACE = Subtask.POSITION | Subtask.VELOCITY


class Arm:
    """A turn, a slide and a turn, in motion: velocities must not enter a Jacobian."""

    def __init__(self):
        K = [Frame(f"K{i}") for i in range(6)]
        self.tip = K[5]
        self.variables = (
            AngularVariable("phi", q=0.4, qd=1.3),
            LinearVariable("s", q=0.6, qd=-0.7),
            AngularVariable("theta", q=-1.1, qd=2.1),
        )
        joints = [
            ElementaryJoint(K[i], K[i + 1], v, axis)
            for i, v, axis in zip((0, 2, 3), self.variables, (Z, X, Y), strict=True)
        ]
        self.chain = MapChain() << Gravity(K[0]) << joints[0]
        self.chain << RigidLink(K[1], K[2], Vector(0.2, -0.3, 0.5))
        self.chain << joints[1] << joints[2] << RigidLink(K[4], K[5], Vector(0.4, 0.1, 0.0))
        self.chain.motion(PLACE)

    def motion(self, entry):
        """Return angular and linear motion of the tip: "v" or "a"."""
        parts = getattr(self.tip, f"ang_{entry}"), getattr(self.tip, f"lin_{entry}")
        return np.concatenate([part.numpy() for part in parts])


def by_velocities(arm):
    """Column by column, eq. 4.3."""
    columns = []
    for one in arm.variables:
        for variable in arm.variables:
            variable.qd = 1.0 if variable is one else 0.0
        arm.chain.motion(Subtask.VELOCITY)
        columns.append(arm.motion("v"))
    return np.array(columns).T


def by_accelerations(arm):
    """Column by column with DO_EULER, the equivalent assembly residual below eq. 4.3."""
    columns = []
    for one in arm.variables:
        for variable in arm.variables:
            variable.qdd = 1.0 if variable is one else 0.0
        arm.chain.motion(Subtask.EULER)
        columns.append(arm.motion("a"))
    return np.array(columns).T


def by_forces(arm):
    """Row by row with DO_EXTERNAL, eq. 4.4."""
    rows = []
    for name in ("t", "f"):
        for axis in (X, Y, Z):
            arm.chain.clear_forces()
            setattr(arm.tip, name, axis)
            arm.chain.force(Subtask.EXTERNAL)
            rows.append([variable.Q for variable in arm.variables])
    return np.array(rows)


def by_differences(arm, h=1e-5):
    columns = []
    R = arm.tip.R
    for variable in arm.variables:
        q, places = variable.q, []
        for step in (h, -h):
            variable.q = q + step
            arm.chain.motion(Subtask.POSITION)
            places.append(arm.tip.X)
        variable.q = q
        turned = angular_velocity_from(R, (places[0].R - places[1].R) * (0.5 / h))
        moved = R.T @ ((places[0].p - places[1].p) * (0.5 / h))
        columns.append(np.concatenate([turned.numpy(), moved.numpy()]))
    return np.array(columns).T


def test_all_methods_of_the_guide_give_one_jacobian():
    J = by_velocities(Arm())
    assert np.linalg.matrix_rank(J) == 3
    np.testing.assert_allclose(by_accelerations(Arm()), J, atol=4e-16)
    np.testing.assert_allclose(by_forces(Arm()), J, atol=4e-16)
    np.testing.assert_allclose(by_differences(Arm()), J, atol=1e-10)
    arm = Arm()
    for found in (jacobian_by_columns, jacobian_by_rows):
        rows = found(arm.chain, arm.variables, [arm.tip])
        np.testing.assert_allclose(rows, J, atol=4e-16)


def test_euler_and_coriolis_are_the_two_parts_of_the_acceleration():
    arm = Arm()
    for variable, qdd in zip(arm.variables, (0.3, -1.2, 0.8), strict=True):
        variable.qdd = qdd
    parts = []
    for subtask in (Subtask.EULER, Subtask.CORIOLIS, Subtask.ACCELERATION):
        arm.chain.motion(subtask)
        parts.append(arm.motion("a"))
    euler, coriolis, both = parts
    np.testing.assert_allclose(euler, by_velocities(Arm()) @ [0.3, -1.2, 0.8], atol=2e-15)
    np.testing.assert_allclose(euler + coriolis, both, atol=4e-15)


def test_coriolis_alone_is_the_rate_of_the_jacobian():
    # with q̈ = 0 and without gravity: the change of the tip's velocity in inertial axes
    arm, h = Arm(), 1e-4
    arm.chain = MapChain(arm.chain.elements[1:])
    arm.chain.motion(Subtask.CORIOLIS)
    acceleration = (arm.tip.R @ arm.tip.lin_a).numpy()
    speeds = []
    for step in (h, -h):
        for variable in arm.variables:
            variable.q += step * variable.qd
        arm.chain.motion(PLACE)
        speeds.append((arm.tip.R @ arm.tip.lin_v).numpy())
        for variable in arm.variables:
            variable.q -= step * variable.qd
    rate = (speeds[0] - speeds[1]) / (2.0 * h)
    np.testing.assert_allclose(acceleration, rate, atol=5e-7)


def test_a_frame_that_is_told_its_acceleration_holds_all_of_it():
    K = Frame("K")
    K.ang_v, K.lin_v = Vector(1, 2, 3), Vector(-1, 0.5, 2)
    K.accelerate(K.A, Subtask.EULER)
    assert K.lin_a.xyz == (0.0, 0.0, 0.0)
    kept = K.keep()
    K.lin_a = Vector(1, 1, 1)
    assert K.lin_a.xyz == pytest.approx((1, 1, 1), abs=1e-15)
    K.restore(kept)
    assert K.lin_a.xyz == (0.0, 0.0, 0.0)
