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

NEUTRAL: dict[type, tuple[str, str]] = {
    Angle: ("Angle()", "MutableAngle"),
    Vector: ("ZERO", "MutableVector"),
    Matrix: ("IDENTITY", "MutableRotation"),
    Motor: ("ZERO_MOTOR", ""),
    Pose: ("IDENTITY_POSE", "Frame"),
    float: ("0.0", "MutableScalar"),
}
"""The neutral elements of values in `motorik.algebra`, and the kinds that can be set."""


def set_neutral(*objects: object) -> None:
    """Set objects of any kinds to the neutral element of each.

    Numbers, angles, vectors and inertia tensors become zero, rotations the identity,
    variables and frames come to rest at zero without force. Values (`Angle`, `Vector`,
    `Matrix`, …) cannot be changed: the error names the mutable kind to use, and what to
    assign instead.

    >>> from motorik.mobile import MutableAngle, ZRotationMatrix
    >>> beta, rotation = MutableAngle(0.5), ZRotationMatrix(0.5)
    >>> set_neutral(beta, rotation)
    >>> beta.degrees, rotation.angle.degrees
    (0.0, 0.0)
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
    """Return the constructor to write for a value that cannot be changed."""
    for kind, (neutral, mutable) in NEUTRAL.items():
        if isinstance(one, kind):
            other = f", or make it a {mutable}" if mutable else ""
            return f"Assign the neutral element, name = {neutral}{other}."
    return "Give mutable scalars, vectors, rotations or tensors, variables and frames."


@_neutralise.register
def _(one: StateVariable) -> None:
    one.q = one.qd = one.qdd = 0.0
    one.clear_force()


@_neutralise.register
def _(one: Frame) -> None:
    one.rest()
    one.clear_force()
