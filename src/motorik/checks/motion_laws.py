"""Laws of the motion of a joint: pose, screws, bias, force, the reversed joint."""

from __future__ import annotations

import numpy as np

from motorik.algebra.dual import Dual, rate_of
from motorik.checks.law import Law, Sample, difference, each, plain, rate_of_pose
from motorik.elements.joint import Joint, combine
from motorik.mobile.elements.joint_element import JointElement
from motorik.mobile.states.frame import Frame


def _rotation(joint: Joint, at: Sample) -> float:
    R = joint.pose(*at.q).R.numpy()
    return max(difference(R @ R.T, np.eye(3)), difference(np.linalg.det(R), 1.0))


def _screws(joint: Joint, at: Sample) -> float:
    units = np.eye(joint.freedom)
    screws = [screw.numpy() for screw in joint.screws(*at.q)]
    rates = [rate_of_pose(joint, at.q, plain(unit)) for unit in units]
    return difference(screws, rates)


def _bias(joint: Joint, at: Sample) -> float:
    moving = [Dual(x, xd) for x, xd in zip(at.q, joint.rates(at.q, at.u), strict=True)]
    rate = combine([screw.map(rate_of) for screw in joint.screws(*moving)], at.u)
    return difference(joint.bias(at.q, at.u).numpy(), rate.numpy())


def _fit(joint: Joint, at: Sample) -> float:
    X_ab = joint.pose(*at.q)
    return difference(joint.pose(*joint.fit(X_ab)).numpy(), X_ab.numpy())


def _force(joint: Joint, at: Sample) -> float:
    element = JointElement(Frame("a", V=at.V_a), Frame("b"), joint)
    for variable, q in zip(element.variables, at.q, strict=True):
        variable.q = q
    for speed, u in zip(element.speeds, at.u, strict=True):
        speed.qd = u
    a, b = element.a, element.b
    element.motion()
    b.F = at.F_b
    element.force()
    power_in = a.F @ a.V + sum(speed.Q * speed.qd for speed in element.speeds)
    return difference(power_in, b.F @ b.V)


def _settling(joint: Joint, at: Sample) -> float:
    off = joint.projected([x + 1e-3 for x in at.q])
    R = joint.pose(*off).R.numpy()
    projected = joint.pose(*joint.projected(at.q))
    return max(
        difference(projected.numpy(), joint.pose(*at.q).numpy()),
        difference(joint.projected(off), off),
        difference(R @ R.T, np.eye(3)),
    )


def _reversal(joint: Joint, at: Sample) -> float:
    other = joint.reversed()
    X_ba, X_ab = other.pose(*at.q), joint.pose(*at.q)
    velocity = other.relative_velocity(at.q, at.u).numpy()
    return max(
        difference((X_ab @ X_ba).numpy(), np.eye(4)),
        difference(velocity, rate_of_pose(other, at.q, at.u)),
        difference(other.reversed().pose(*at.q).numpy(), X_ab.numpy()),
    )


MOTION_LAWS = (
    Law(
        "rotation",
        "that R_ab is a rotation",
        "Build R from `rotation_about`, and give axes as unit vectors.",
        each(_rotation),
    ),
    Law(
        "screws",
        "that the screws are the rate of the pose",
        "Let screws(*q) return, for each speed, the velocity motor of b seen from a, "
        "resolved in b about its origin; and let q̇ be rates(q, u).",
        each(_screws),
    ),
    Law(
        "bias",
        "that the bias is the rate of the screws",
        "Leave out `bias`, which is then derived, or return Σ Ṡ_i u_i.",
        each(_bias),
    ),
    Law(
        "fit",
        "that fit is the inverse of pose",
        "Let fit(X_ab) return coordinates q with pose(*q) = X_ab.",
        each(_fit),
    ),
    Law(
        "force",
        "that force is the transpose of velocity (power in = power out)",
        "Leave out `relative_velocity`, which is then Σ S_i u_i.",
        each(_force),
    ),
    Law(
        "projecting",
        "that projected coordinates are of the same pose and stay as they are",
        "Leave out `projected`, or let it only correct the drift of time steps.",
        each(_settling),
    ),
    Law(
        "reversal",
        "that the reversed joint is the same joint seen from b",
        "Leave out `reversed`, which is then derived, or return a joint of pose X_ba.",
        each(_reversal),
    ),
)
