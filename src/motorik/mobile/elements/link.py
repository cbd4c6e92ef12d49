"""RigidLink: frames at constant poses relative to one another."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn, cast

from numpy.typing import ArrayLike

from motorik.algebra.matrix import IDENTITY, Matrix, MatrixLike
from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.vector import ZERO, Vector, VectorLike
from motorik.errors import ParameterError
from motorik.immutable import immutable
from motorik.mobile.states.frame import Frame
from motorik.mobile.states.mutable import Mutable, mutable_among
from motorik.mobile.states.transmission import Element, State, Subtask

_POSITION, _ROTATION = Subtask.POSITION.value, Subtask.ROTATION.value
_VELOCITY, _EXTERNAL = Subtask.VELOCITY.value, Subtask.EXTERNAL.value
_ACCELERATION = (Subtask.EULER | Subtask.USE_CORIOLIS).value

Part = Vector | Matrix | ArrayLike | Sequence[Vector] | Sequence[Matrix]
"""A displacement or a rotation, or a list with one of them for each of several frames."""

_ORDERS = {"": (), "r": ("r",), "R": ("R",), "rR": ("r", "R"), "Rr": ("R", "r_b")}
_NEUTRAL = {"r": ZERO, "R": IDENTITY, "r_b": ZERO}


@immutable
class Held:
    """One frame b, held at r + R r_b and turned by R."""

    b: Frame
    r: Vector
    R: Matrix
    r_b: Vector

    def pose(self) -> Pose:
        """Return X_ab."""
        if self.r_b is ZERO:
            return Pose(self.R, self.r)
        return Pose(self.R, self.r + self.R @ self.r_b)


class RigidLink(Element):
    """Holds frame b, or each of several frames, at a constant pose relative to frame a.

        X_0b = X_0a X_ab,  V_b = X_ba V_a,  A_b = X_ba A_a,  F_a += X_ab F_b

    The displacement r [m] leads from a to b, the rotation R has v_a = R v_b. Their order
    defines in which axes r is resolved:

    =========================  =============================
    ``RigidLink(a, b, r, R)``  r resolved in a: p_ab = r
    ``RigidLink(a, b, R, r)``  r resolved in b: p_ab = R r
    ``RigidLink(a, b, r)``     pure translation
    ``RigidLink(a, b, R)``     pure rotation
    =========================  =============================

    By name they are `r` and `R`, and `r_b` for a displacement in the axes of b. For a list
    of frames b give lists of as many displacements and rotations. Mutable vectors and
    rotations are read in each traversal.
    """

    def __init__(
        self, a: Frame, b: Frame | Sequence[Frame], *parts: Part, **named: Part
    ) -> None:
        self.a = a
        self.ends: tuple[Frame, ...] = (b,) if isinstance(b, Frame) else tuple(b)
        if any(end is a for end in self.ends):
            refuse_same_frame(type(self).__name__, a)
        lists = [_as_list(part, isinstance(b, Frame)) for part in parts]
        given = {word: _as_list(named[word], isinstance(b, Frame)) for word in named}
        for word, entries in zip(self._order(lists), lists, strict=True):
            if word in given:
                self._refuse(f"{word} is given twice")
            given[word] = entries
        for word, entries in given.items():
            if word not in _NEUTRAL:
                self._refuse(f"{word} is given")
            if len(entries) != len(self.ends):
                self._refuse(f"{len(self.ends)} frames but {len(entries)} of {word} given")
        r, R, r_b = (given.get(w, (n,) * len(self.ends)) for w, n in _NEUTRAL.items())
        self.held = tuple(
            Held(end, _vector(r[i]), _matrix(R[i]), _vector(r_b[i]))
            for i, end in enumerate(self.ends)
        )
        entries = (x for held in self.held for x in (held.r, held.R, held.r_b))
        self._parameters = mutable_among(*entries)

    def _order(self, lists: Sequence[Sequence[Part]]) -> tuple[str, ...]:
        """Return the meaning of the positional arguments."""
        kinds = "".join("R" if _is_rotation(entries[0]) else "r" for entries in lists)
        if kinds not in _ORDERS:
            self._refuse(f"{len(lists)} displacements or rotations are given ({kinds})")
        return _ORDERS[kinds]

    def _refuse(self, why: str) -> NoReturn:
        raise ParameterError(
            f"RigidLink on {self.a!r}",
            f"{why}.",
            "Write RigidLink(a, b, r, R) with r in the axes of a, RigidLink(a, b, R, r) with "
            "r in the axes of b, or only one of them; with a list of frames b, lists of as "
            "many.",
            parameter="parts",
            value=why,
        )

    @property
    def b(self) -> Frame:
        """The frame held; of several the first."""
        return self.ends[0]

    @property
    def inputs(self) -> Sequence[State]:
        """Frame a."""
        return (self.a,)

    @property
    def outputs(self) -> Sequence[State]:
        """The frames held."""
        return self.ends

    @property
    def parameters(self) -> Sequence[Mutable]:
        """Those of displacements and rotations that may be changed."""
        return self._parameters

    def pose(self, number: int = 0) -> Pose:
        """Return X_ab of the frame held; of several that of this number."""
        return self.held[number].pose()

    def motion(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Transmit the motion of a to the frames held."""
        for held in self.held:
            _carry(self.a, held.b, held.pose(), subtasks)

    def force(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Transmit the forces on the frames held to a."""
        for held in self.held:
            _load(self.a, held.b, held.pose(), subtasks.value)

    def __repr__(self) -> str:
        ends = ", ".join(map(repr, self.ends))
        return f"RigidLink({self.a!r}, {ends})"


def _as_list(part: Part, is_one: bool) -> Sequence[Part]:
    """Return a part of one frame, or the parts of several, as a list."""
    return (part,) if is_one else tuple(cast("Sequence[Part]", part))


def _vector(part: Part) -> Vector:
    return Vector.of(cast("VectorLike", part))


def _matrix(part: Part) -> Matrix:
    return Matrix.of(cast("MatrixLike", part))


def _is_rotation(part: Part) -> bool:
    """Tell a rotation from a displacement: a matrix, or nested rows."""
    if isinstance(part, Vector | Matrix):
        return isinstance(part, Matrix)
    entries = cast("Sequence[ArrayLike]", part)
    return hasattr(entries, "__len__") and hasattr(entries[0], "__len__")


def place(a: Frame, b: Frame, X_ab: Pose, bits: int) -> None:
    """Write X_0b = X_0a X_ab, or only its rotation or displacement, as the sub-tasks require."""
    if X_ab.R is IDENTITY and bits & _POSITION == _POSITION:
        b.X = Pose(a.X.R, a.X(X_ab.p))
    elif bits & _POSITION == _POSITION:
        b.X = a.X @ X_ab
    elif bits & _ROTATION:
        b.X = Pose(a.X.R @ X_ab.R, b.X.p)
    else:
        b.X = Pose(b.X.R, a.X(X_ab.p))


def _carry(a: Frame, b: Frame, X_ab: Pose, subtasks: Subtask) -> None:
    bits = subtasks.value
    if bits & _POSITION:
        place(a, b, X_ab, bits)
    if bits & _VELOCITY:
        b.V = _back(X_ab, a.V)
    if bits & _ACCELERATION:
        b.accelerate(_back(X_ab, a.A), subtasks)


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


def refuse_same_frame(kind: str, frame: Frame) -> NoReturn:
    """Raise for an element from a frame to itself."""
    raise ParameterError(
        kind,
        f"moves {frame!r} relative to itself.",
        "Give two frames: the one it begins at, and another one that it moves.",
        parameter="b",
        value=frame,
    )
