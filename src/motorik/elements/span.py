"""Span: how one frame is placed and moves seen from another, the object of a chord."""

from __future__ import annotations

from motorik.algebra.motor import NO_MOTOR, Motor
from motorik.algebra.pose import HERE, Pose
from motorik.algebra.scalar import Scalar
from motorik.elements.frame import Frame
from motorik.elements.transmission import Subtask


class Span:
    """The pair of a base frame B and an end frame E, and E seen from B.

        X = X_0B⁻¹ X_0E
        V = V_E − X⁻¹ V_B                            relative velocity, resolved in E
        V̇ = A_E − X⁻¹ A_B + V × V_E                  Euler term and Coriolis term

    What was seen in a position or velocity traversal is kept for the next levels and for
    the force traversal.
    """

    __slots__ = ("V", "X", "base", "end")

    def __init__(self, base: Frame, end: Frame) -> None:
        self.base, self.end = base, end
        self.X: Pose = HERE
        self.V: Motor = NO_MOTOR

    def see(self, subtasks: Subtask) -> None:
        """Take notice of the relative position and velocity."""
        if subtasks & Subtask.POSITION:
            self.X = self.base.X.inverse() @ self.end.X
        if Subtask.VELOCITY in subtasks:
            self.V = self.end.V - self.X.back(self.base.V)

    @property
    def euler(self) -> Motor:
        """What the accelerations of the frames contribute to V̇."""
        return self.end.A - self.X.back(self.base.A)

    @property
    def coriolis(self) -> Motor:
        """What the velocities of the frames contribute to V̇."""
        return self.V.cross(self.end.V)

    def load(self, wrench: Motor, factor: Scalar, on_base: bool, on_end: bool) -> None:
        """Apply a wrench, resolved in E, times a factor to E and its opposite to B."""
        F = factor * wrench
        if on_end:
            self.end.F = self.end.F + F
        if on_base:
            self.base.F = self.base.F - self.X(F)
