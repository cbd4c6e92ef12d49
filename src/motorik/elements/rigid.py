"""RigidPair: no motion; the pose is fixed."""

from __future__ import annotations

from motorik.algebra.motor import Motor
from motorik.algebra.pose import IDENTITY_POSE, Pose
from motorik.elements.constraint import PARALLEL, TOGETHER, Constraint
from motorik.elements.joint import Joint
from motorik.immutable import immutable


@immutable
class RigidPair(Joint):
    """Fixes b to a: X_ab = 1, no screws."""

    coordinates = ()
    speeds = ()

    def pose(self) -> Pose:
        """Return the identity."""
        return IDENTITY_POSE

    def screws(self) -> tuple[Motor, ...]:
        """Return no screws: there is no freedom."""
        return ()

    def fit(self, X_ab: Pose) -> tuple[()]:
        """Return no coordinates."""
        return ()

    @property
    def constraint(self) -> Constraint:
        """The origins meet, and b does not turn."""
        return self.holding(TOGETHER, PARALLEL)
