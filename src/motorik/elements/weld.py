"""Weld: no motion at all (the joint of a fixed pose)."""

from __future__ import annotations

from dataclasses import dataclass

from motorik.algebra.motor import Motor
from motorik.algebra.pose import HERE, Pose
from motorik.algebra.scalar import Scalar
from motorik.elements.closure import gap, turn_apart
from motorik.elements.joint import Joint


@dataclass(frozen=True)
class Weld(Joint):
    """Holds b fast on a: X_ab = 1, no screws."""

    coordinates = ()
    speeds = ()
    closure_units = ("m", "m", "m", "rad", "rad", "rad")

    def pose(self) -> Pose:
        """Return the identity."""
        return HERE

    def screws(self) -> tuple[Motor, ...]:
        """Return nothing: there is no freedom."""
        return ()

    def fit(self, X_ab: Pose) -> tuple[()]:
        """Return no coordinates."""
        return ()

    def closure(self, X_a: Pose, X_b: Pose) -> tuple[Scalar, ...]:
        """Return the gap of the origins and the turn of b against a."""
        return (*gap(X_a, X_b), *turn_apart(X_a, X_b))
