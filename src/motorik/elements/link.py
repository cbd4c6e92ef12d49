"""Rigid links: frames that keep their places seen from one another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from motorik.algebra.matrix import IDENTITY, Matrix
from motorik.algebra.pose import Pose
from motorik.algebra.vector import ZERO, Vector
from motorik.elements.frame import Frame
from motorik.elements.transmission import Element, State, Subtask
from motorik.errors import ParameterError


@dataclass(frozen=True)
class RigidLink(Element):
    """Holds frame b at r [m], resolved in a, turned by R (v_a = R v_b).

        X_0b = X_0a X_ab,  V_b = X_ba V_a,  A_b = X_ba A_a,  F_a += X_ab F_b

    Leave out R for a pure translation and r for a pure rotation. A displacement known in
    the axes of b is ``R @ r_b``.
    """

    a: Frame
    b: Frame
    r: Vector = ZERO
    R: Matrix = IDENTITY

    @property
    def inputs(self) -> Sequence[State]:
        """Frame a."""
        return (self.a,)

    @property
    def outputs(self) -> Sequence[State]:
        """Frame b."""
        return (self.b,)

    def motion(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Transmit the motion of a to b."""
        _carry(self.a, self.b, Pose(self.R, self.r), subtasks)

    def force(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Transmit the force on b to a."""
        _load(self.a, self.b, Pose(self.R, self.r), subtasks)


@dataclass(frozen=True)
class MultipleLink(Element):
    """Holds several frames `ends` at the poses X_ab, each seen from frame a."""

    a: Frame
    ends: Sequence[Frame]
    poses: Sequence[Pose]

    def __post_init__(self) -> None:
        if len(self.ends) != len(self.poses):
            raise ParameterError(
                f"MultipleLink on {self.a!r}",
                f"{len(self.ends)} frames but {len(self.poses)} poses given.",
                "Give one pose for each frame.",
            )

    @property
    def inputs(self) -> Sequence[State]:
        """Frame a."""
        return (self.a,)

    @property
    def outputs(self) -> Sequence[State]:
        """The frames carried."""
        return tuple(self.ends)

    def motion(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Transmit the motion of a to every end."""
        for b, X_ab in zip(self.ends, self.poses, strict=True):
            _carry(self.a, b, X_ab, subtasks)

    def force(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Transmit the forces on the ends to a."""
        for b, X_ab in zip(self.ends, self.poses, strict=True):
            _load(self.a, b, X_ab, subtasks)


def _carry(a: Frame, b: Frame, X_ab: Pose, subtasks: Subtask) -> None:
    if Subtask.POSITION in subtasks:
        b.X = a.X @ X_ab
    if Subtask.VELOCITY in subtasks:
        b.V = X_ab.back(a.V)
    if subtasks & Subtask.ACCELERATION:
        b.A = X_ab.back(a.A)


def _load(a: Frame, b: Frame, X_ab: Pose, subtasks: Subtask) -> None:
    if Subtask.EXTERNAL in subtasks:
        a.F = a.F + X_ab(b.F)
