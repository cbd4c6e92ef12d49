"""Gravity: the inertial frame accelerated upwards, which acts on every mass."""

from __future__ import annotations

from collections.abc import Sequence

from motorik.algebra.motor import ZERO_MOTOR, Motor
from motorik.algebra.vector import ZERO, Vector
from motorik.immutable import immutable
from motorik.mobile.states.frame import Frame
from motorik.mobile.states.mutable import Mutable, mutable_among
from motorik.mobile.states.transmission import Element, State, Subtask

STANDARD_GRAVITY = Vector(0.0, 0.0, -9.81)
"""The field where the z axis points up [m/s²]."""


@immutable
class Gravity(Element):
    """A uniform field g [m/s²], resolved in the inertial frame, on all `frame` carries.

    By the principle of equivalence the resting frame is given the acceleration −g, which
    the elements transmit, so that every mass element exerts its weight m g; nothing is
    computed for each body. Put it first in a chain. The accelerations `A` and `lin_a` of all
    frames carried then contain −g (what an accelerometer there would show).

    It has no part in EULER, so that a traversal of EULER alone is the mass matrix times q̈.
    """

    frame: Frame
    g: Vector = STANDARD_GRAVITY

    @property
    def inputs(self) -> Sequence[State]:
        """None: a field needs nothing."""
        return ()

    @property
    def outputs(self) -> Sequence[State]:
        """The resting frame."""
        return (self.frame,)

    @property
    def parameters(self) -> Sequence[Mutable]:
        """The field, if it may be changed."""
        return mutable_among(self.g)

    def motion(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Give the frame the acceleration −g, or none where only EULER is asked for."""
        K = self.frame
        if Subtask.USE_CORIOLIS in subtasks:
            K.accelerate(Motor(ZERO, K.R.T @ -Vector.of(self.g)), subtasks)
        elif Subtask.EULER in subtasks:
            K.accelerate(ZERO_MOTOR, subtasks)

    def force(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Do nothing: the weights come back through the masses."""
