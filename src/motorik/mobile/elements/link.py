"""Rigid links: frames that keep their places seen from one another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from motorik.algebra.matrix import IDENTITY, Matrix
from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import is_number
from motorik.algebra.vector import ZERO, Vector
from motorik.errors import ParameterError
from motorik.mobile.states.frame import Frame
from motorik.mobile.states.mutable import Mutable, mutable_among
from motorik.mobile.states.transmission import Element, State, Subtask

_POSITION, _ROTATION = Subtask.POSITION.value, Subtask.ROTATION.value
_VELOCITY, _EXTERNAL = Subtask.VELOCITY.value, Subtask.EXTERNAL.value
_ACCELERATION = (Subtask.EULER | Subtask.USE_CORIOLIS).value


@dataclass(frozen=True)
class RigidLink(Element):
    """Holds frame b at r [m], resolved in a, turned by R (v_a = R v_b).

        X_0b = X_0a X_ab,  V_b = X_ba V_a,  A_b = X_ba A_a,  F_a += X_ab F_b

    Leave out R for a pure translation and r for a pure rotation. A displacement known in
    the axes of b is given as `r_b` instead: p_ab = r + R r_b. Mutable vectors and rotations
    are read anew in each traversal.
    """

    a: Frame
    b: Frame
    r: Vector = ZERO
    R: Matrix = IDENTITY
    r_b: Vector = ZERO

    def __post_init__(self) -> None:
        for name, r in (("r", self.r), ("r_b", self.r_b)):
            if is_number(r) or isinstance(r, str):
                raise ParameterError(
                    "RigidLink",
                    f"{name} = {r!r} is no vector.",
                    "Give e.g. Vector(0.5, 0.0, 0.0).",
                    parameter=name,
                    value=r,
                )

    @property
    def inputs(self) -> Sequence[State]:
        """Frame a."""
        return (self.a,)

    @property
    def outputs(self) -> Sequence[State]:
        """Frame b."""
        return (self.b,)

    @property
    def parameters(self) -> Sequence[Mutable]:
        """Those of r, R and r_b that may be changed."""
        return mutable_among(self.r, self.R, self.r_b)

    def pose(self) -> Pose:
        """Return X_ab."""
        if self.r_b is ZERO:
            return Pose(self.R, self.r)
        R = Matrix.of(self.R)
        return Pose(R, Vector.of(self.r) + R @ Vector.of(self.r_b))

    def motion(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Transmit the motion of a to b."""
        _carry(self.a, self.b, self.pose(), subtasks.value)

    def force(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Transmit the force on b to a."""
        _load(self.a, self.b, self.pose(), subtasks.value)


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
                parameter="poses",
                value=self.poses,
            )

    @property
    def inputs(self) -> Sequence[State]:
        """Frame a."""
        return (self.a,)

    @property
    def outputs(self) -> Sequence[State]:
        """The frames carried."""
        return tuple(self.ends)

    @property
    def parameters(self) -> Sequence[Mutable]:
        """The rotations and displacements of the poses that may be changed."""
        return mutable_among(*(part for X_ab in self.poses for part in (X_ab.R, X_ab.p)))

    def motion(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Transmit the motion of a to every end."""
        for b, X_ab in zip(self.ends, self.poses, strict=True):
            _carry(self.a, b, X_ab, subtasks.value)

    def force(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Transmit the forces on the ends to a."""
        for b, X_ab in zip(self.ends, self.poses, strict=True):
            _load(self.a, b, X_ab, subtasks.value)


def place(a: Frame, b: Frame, X_ab: Pose, bits: int) -> None:
    """Write X_0b = X_0a X_ab, or only its rotation or its displacement if told so."""
    if X_ab.R is IDENTITY and bits & _POSITION == _POSITION:
        b.X = Pose(a.X.R, a.X(X_ab.p))
    elif bits & _POSITION == _POSITION:
        b.X = a.X @ X_ab
    elif bits & _ROTATION:
        b.X = Pose(a.X.R @ X_ab.R, b.X.p)
    else:
        b.X = Pose(b.X.R, a.X(X_ab.p))


def _carry(a: Frame, b: Frame, X_ab: Pose, bits: int) -> None:
    if bits & _POSITION:
        place(a, b, X_ab, bits)
    if bits & _VELOCITY:
        b.V = _back(X_ab, a.V)
    if bits & _ACCELERATION:
        b.A = _back(X_ab, a.A)


def _back(X_ab: Pose, h: Motor) -> Motor:
    """Return the motor seen from b; in a pure translation only its moment changes."""
    if X_ab.R is IDENTITY:
        return Motor(h.resultant, h.moment_at(X_ab.p))
    return X_ab.back(h)


def _load(a: Frame, b: Frame, X_ab: Pose, bits: int) -> None:
    if not bits & _EXTERNAL:
        return
    if X_ab.R is IDENTITY:
        a.F = a.F + Motor(b.F.resultant, b.F.moment + X_ab.p.cross(b.F.resultant))
    else:
        a.F = a.F + X_ab(b.F)
