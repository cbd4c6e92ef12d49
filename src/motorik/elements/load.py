"""Loads: given wrenches, and springs with dampers along a variable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from motorik.algebra.motor import Motor
from motorik.algebra.scalar import Scalar, add, mul, plain, sub
from motorik.algebra.vector import ZERO, Vector
from motorik.elements.frame import Frame
from motorik.elements.leaf import Leaf
from motorik.elements.transmission import State, Subtask
from motorik.elements.variable import StateVariable


@dataclass(frozen=True)
class ConstantWrench(Leaf):
    """A force f [N] at the origin of a frame and a moment t [N·m]: F += (f, t).

    Resolved in the frame, which they follow; with ``is_global=True`` in the inertial frame.
    """

    frame: Frame
    f: Vector = ZERO
    t: Vector = ZERO
    is_global: bool = False

    @property
    def inputs(self) -> Sequence[State]:
        """The frame loaded."""
        return (self.frame,)

    def force(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Load the frame."""
        if Subtask.INTERNAL not in subtasks:
            return
        K, wrench = self.frame, Motor(self.f, self.t)
        if self.is_global:
            wrench = Motor(K.R.T @ wrench.resultant, K.R.T @ wrench.moment)
        K.F = K.F + wrench


@dataclass(frozen=True)
class SpringDamper(Leaf):
    """A linear spring and damper along a variable: Q −= c (q − q_rest) + d q̇.

    c [N/m or N·m/rad], d [N·s/m or N·m·s/rad]; the variable may be a joint's or a
    measurement's.
    """

    variable: StateVariable
    c: Scalar = 0.0
    d: Scalar = 0.0
    q_rest: Scalar = 0.0

    @property
    def inputs(self) -> Sequence[State]:
        """The variable loaded."""
        return (self.variable,)

    def force(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Load the variable."""
        if Subtask.INTERNAL not in subtasks:
            return
        variable = self.variable
        spring = mul(plain(self.c), sub(variable.q, plain(self.q_rest)))
        damper = mul(plain(self.d), variable.qd)
        variable.Q = sub(variable.Q, add(spring, damper))
