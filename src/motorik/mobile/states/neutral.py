"""The neutral element: any mathematical object set back to zero, or to no motion."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from motorik.algebra.motor import ZERO_MOTOR
from motorik.algebra.pose import IDENTITY_POSE
from motorik.errors import ParameterError
from motorik.mobile.states.frame import Frame
from motorik.mobile.states.mutable import Mutable
from motorik.mobile.states.variable import StateVariable


def set_neutral(*objects: Any) -> None:
    """Set objects of any kinds to the neutral element of each.

    Numbers, vectors and inertia tensors become zero, rotations the identity, variables and
    frames come to rest at zero without force. What cannot be changed, such as a `Vector`,
    is refused: there the neutral element is ``ZERO``, ``IDENTITY``, ``Angle()``.

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
def _neutralise(one: Any) -> None:
    if not isinstance(one, Mutable):
        raise ParameterError(
            repr(one),
            f"a {type(one).__name__} cannot be changed.",
            "Use a mutable kind, such as MutableVector, or assign the neutral element.",
        )
    one.reset()


@_neutralise.register
def _(one: StateVariable) -> None:
    one.q = one.qd = one.qdd = 0.0
    one.clear_force()


@_neutralise.register
def _(one: Frame) -> None:
    one.X, one.V, one.A = IDENTITY_POSE, ZERO_MOTOR, ZERO_MOTOR
    one.clear_force()
