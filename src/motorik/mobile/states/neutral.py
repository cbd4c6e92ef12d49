"""The neutral element: any mathematical object set back to zero, or to no motion."""

from __future__ import annotations

from functools import singledispatch

from motorik.algebra.angle import Angle
from motorik.algebra.matrix import Matrix
from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.vector import Vector
from motorik.errors import ParameterError
from motorik.mobile.states.frame import Frame
from motorik.mobile.states.mutable import Mutable
from motorik.mobile.states.variable import StateVariable

NEUTRAL: dict[type, str] = {
    Angle: "Angle()",
    Vector: "ZERO",
    Matrix: "IDENTITY",
    Motor: "ZERO_MOTOR",
    Pose: "IDENTITY_POSE",
    float: "0.0",
}
"""The neutral elements of values, by their names in `motorik.algebra`."""


def set_neutral(*objects: object) -> None:
    """Set objects of any kinds to the neutral element of each.

    Numbers, vectors and inertia tensors become zero, rotations the identity, variables and
    frames come to rest at zero without force. Values cannot be changed; what to assign in
    their place, ``beta = Angle()`` for an angle, tells the error.

    >>> from motorik.mobile import MutableVector
    >>> from motorik.mobile import ZRotationMatrix
    >>> r, rotation = MutableVector(1, 2, 3), ZRotationMatrix(0.5)
    >>> set_neutral(r, rotation)
    >>> r, rotation.angle.degrees
    (Vector(0.0, 0.0, 0.0), 0.0)
    """
    for one in objects:
        _neutralise(one)


@singledispatch
def _neutralise(one: object) -> None:
    if not isinstance(one, Mutable):
        raise ParameterError(
            repr(one),
            f"{_article(one)} {type(one).__name__} cannot be changed.",
            _remedy(one),
            parameter="one",
            value=one,
        )
    one.reset()


def _article(one: object) -> str:
    return "an" if type(one).__name__[0] in "AEIOU" else "a"


def _remedy(one: object) -> str:
    """Return what to write for a value that cannot be changed."""
    for kind, neutral in NEUTRAL.items():
        if isinstance(one, kind):
            return f"Assign the neutral element, name = {neutral}, or use a mutable kind."
    return "Give mutable scalars, vectors, rotations or tensors, variables and frames."


@_neutralise.register
def _(one: StateVariable) -> None:
    one.q = one.qd = one.qdd = 0.0
    one.clear_force()


@_neutralise.register
def _(one: Frame) -> None:
    one.rest()
    one.clear_force()
