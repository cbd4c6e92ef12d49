"""Two-link manipulator: the joint torques of a load on its tip (guide, §4.3.4)."""

from math import radians

import numpy as np

from motorik.algebra import Vector, X, Z
from motorik.mobile import (
    AngularVariable,
    ElementaryJoint,
    Frame,
    MapChain,
    MutableVector,
    RigidLink,
    Subtask,
)

FORCE = 1.0  # N, upwards
STEPS = 10


class Manipulator:
    """A turn about the vertical, a link of 1 m, a turn about x, and a second link of 1 m."""

    def __init__(self) -> None:
        self.K0, self.K1, self.K2, self.K3, self.K4 = (Frame(f"K{i}") for i in range(5))
        self.beta1, self.beta2 = AngularVariable("beta1"), AngularVariable("beta2")
        l1, l2 = MutableVector(name="l1"), MutableVector(name="l2")
        R1 = ElementaryJoint(self.K0, self.K1, self.beta1, Z)
        L1 = RigidLink(self.K1, self.K2, l1)
        R2 = ElementaryJoint(self.K2, self.K3, self.beta2, X)
        L2 = RigidLink(self.K3, self.K4, l2)
        self.chain = MapChain() << R1 << L1 << R2 << L2
        l1.set((0, 0, 1))
        l2.set((0, 1, 0))


def torques() -> np.ndarray:
    """Return a row (β₁, β₂, Q₁, Q₂) for each step of the motion."""
    arm = Manipulator()
    arm.beta1.q, arm.beta2.q = radians(90.0), radians(-45.0)
    rows = []
    for _ in range(STEPS):
        arm.chain.motion(Subtask.POSITION)
        arm.chain.clear_forces()
        arm.K4.f = arm.K4.R.T @ (FORCE * Vector(0, 0, 1))
        arm.chain.force()
        rows.append([arm.beta1.q, arm.beta2.q, arm.beta1.Q, arm.beta2.Q])
        arm.beta1.q += radians(90.0) / STEPS
        arm.beta2.q += radians(180.0) / STEPS
    return np.array(rows)


def main() -> None:
    """Print both torques at each step."""
    for _, _, first, second in torques():
        print(f"Torque joint 1 = {first:.6f}\nTorque joint 2 = {second:.6f}")


if __name__ == "__main__":
    main()
