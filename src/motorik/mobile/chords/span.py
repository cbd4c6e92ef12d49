"""Span: how one frame is placed and moves seen from another, the object of a chord."""

from __future__ import annotations

from motorik.algebra.motor import ZERO_MOTOR, Motor
from motorik.algebra.pose import IDENTITY_POSE, Pose
from motorik.mobile.states.frame import Frame
from motorik.mobile.states.transmission import Memory, Subtask


class FramePair:
    """The pair of a base frame B and an end frame E, and E seen from B.

        X = X_0B⁻¹ X_0E
        V = V_E − X⁻¹ V_B                    relative velocity, resolved in E
        V̇ = (A_E − X⁻¹ A_B) + (V × V_E)      Euler term and Coriolis term

    Values of one level are kept for the next ones and for the force traversal.
    """

    __slots__ = ("A", "V", "X", "base", "coriolis", "end")

    def __init__(self, base: Frame, end: Frame) -> None:
        self.base, self.end = base, end
        self.X: Pose = IDENTITY_POSE
        self.V: Motor = ZERO_MOTOR
        self.A: Motor = ZERO_MOTOR
        self.coriolis: Motor = ZERO_MOTOR

    def see(self, subtasks: Subtask) -> None:
        """Compute the relative position, velocity and acceleration."""
        B, E = self.base, self.end
        if subtasks & Subtask.POSITION:
            self.X = B.X.inverse() @ E.X
        if Subtask.VELOCITY in subtasks:
            self.V = E.V - self.X.back(B.V)
        if Subtask.COMPUTE_CORIOLIS in subtasks:
            self.coriolis = self.V.cross(E.V)
        if subtasks & (Subtask.EULER | Subtask.USE_CORIOLIS):
            self.A = E.A - self.X.back(B.A)

    def keep(self) -> Memory:
        """Return the last values, for `restore`."""
        return (self.X, self.V, self.A, self.coriolis)

    def restore(self, kept: Memory) -> None:
        """Restore the values that `keep` returned."""
        self.X, self.V, self.A, self.coriolis = kept

    def load(self, F: Motor, on_base: bool = True, on_end: bool = True) -> None:
        """Apply a wrench, resolved in E, to E and its opposite to B."""
        if on_end:
            self.end.add_force(F)
        if on_base:
            self.base.add_force(-self.X(F))
