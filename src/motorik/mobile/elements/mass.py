"""MassElement: the inertia of a body at a frame."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NoReturn, cast

import numpy as np
from numpy.typing import ArrayLike

from motorik.algebra.dyad import Inertia
from motorik.algebra.matrix import Matrix, Symmetric
from motorik.algebra.motor import Motor
from motorik.algebra.scalar import Scalar, add, mul, neg
from motorik.algebra.vector import ZERO, Vector, VectorLike
from motorik.errors import ParameterError
from motorik.mobile.elements.leaf import Leaf
from motorik.mobile.states.energy import Energy, Field
from motorik.mobile.states.frame import Frame
from motorik.mobile.states.mutable import (
    Mutable,
    MutableInertia,
    MutableScalar,
    current,
    mutable_among,
)
from motorik.mobile.states.transmission import State, Subtask

_EULER, _CORIOLIS = Subtask.EULER.value, Subtask.USE_CORIOLIS.value
_INERTIA = _EULER | _CORIOLIS


Tensor = Symmetric | Matrix | Vector | ArrayLike
"""An inertia tensor: symmetric, nested rows, a diagonal, or one number for all axes."""


class MassElement(Leaf):
    """A body of mass m [kg] on a frame, by d'Alembert's force: F −= 𝔐 ∘ v° + v × 𝔐 ∘ v.

    Its centre of mass is at `r_CM` [m], `I` [kg·m²] is the tensor about it, both resolved
    in the frame. Leave out `I` for a point mass, `r_CM` for a centre at the origin. As positional
    arguments both may come in either order, as ``MassElement(K, m, I, r_CM)`` of MOBILE: a
    `Vector` is the centre, an `InertiaTensor` or matrix the tensor. Three plain numbers
    could be either; name them.
    """

    def __init__(
        self,
        frame: Frame,
        m: Scalar | MutableScalar,
        *parts: Tensor | None,
        r_CM: Vector | ArrayLike | None = None,
        I: Tensor | None = None,
    ) -> None:
        self.frame, self.m = frame, m
        if isinstance(m, (int, float)) and not m >= 0.0:
            raise ParameterError(
                "MassElement",
                f"m = {m!r} kg is negative.",
                "Give a mass of 0 kg or more.",
                parameter="m",
                value=m,
            )
        given: dict[str, Tensor | None] = {"r_CM": r_CM, "I": I}
        for word, part in zip(self._words(parts), parts, strict=True):
            if given[word] is not None:
                self._refuse(f"{word} is given twice")
            given[word] = part
        centre, tensor = given.values()
        self.r_CM: Vector = (
            ZERO if centre is None else Vector.of(cast("VectorLike", centre))
        )
        self.I: Symmetric | None = None if tensor is None else tensor_of(tensor)
        self._parameters = mutable_among(self.m, self.r_CM, self.I)

    def _words(self, parts: Sequence[Tensor | None]) -> Sequence[str]:
        """Return which of the parts given by position is the centre, which the tensor."""
        words = [_word(part) for part in parts]
        if sorted(words) in (["", "I"], ["", "r_CM"]):
            other = "r_CM" if "I" in words else "I"
            words = [word or other for word in words]
        if "" in words or len(words) > 2:
            self._refuse(f"{parts!r} may be centre of mass or tensor")
        return words

    def _refuse(self, why: str) -> NoReturn:
        raise ParameterError(
            f"MassElement on {self.frame!r}",
            f"{why}.",
            "Write MassElement(K, m, r_CM=(x, y, z), I=(xx, yy, zz)), or pass a Vector and an "
            "InertiaTensor in any order.",
            parameter="parts",
            value=why,
        )

    @property
    def inertia(self) -> Inertia:
        """The inertia dyad 𝔐 about the origin of the frame."""
        tensor = None if self.I is None else Symmetric.of(self.I)
        return Inertia.of_body(current(self.m), self.r_CM, tensor)

    @cached_property
    def _constant_mass(self) -> tuple[Scalar, Vector, Matrix]:
        return _mass(self.inertia)

    @property
    def inputs(self) -> Sequence[State]:
        """The frame that carries the body."""
        return (self.frame,)

    @property
    def parameters(self) -> Sequence[Mutable]:
        """Those of mass, centre and tensor that may be changed."""
        return self._parameters

    def force(self, subtasks: Subtask = Subtask.ALL) -> None:
        """Load the frame by the inertia of the body."""
        bits = subtasks.value
        if not bits & _INERTIA:
            return
        K = self.frame
        mass = _mass(self.inertia) if self.parameters else self._constant_mass
        if bits & _EULER:
            K.F = K.F - _momentum(mass, K.A)
        if bits & _CORIOLIS:
            K.F = K.F - K.V.cross(_momentum(mass, K.V))

    def energy(self, field: Field) -> Energy:
        """Return ½ (v, 𝔐 ∘ v) and −m g · r, r from the inertial origin to the centre of mass."""
        K, m = self.frame, current(self.m)
        P = _momentum(_mass(self.inertia), K.V)
        twice = add(P.resultant.dot(K.V.moment), P.moment.dot(K.V.resultant))
        height = field(K).dot(K.X(Vector.of(self.r_CM)))
        return Energy(kinetic=mul(0.5, twice), potential=neg(mul(m, height)))

    def __repr__(self) -> str:
        return f"MassElement({self.frame!r}, m={self.m})"


def _word(part: Tensor | None) -> str:
    """Return whether a part is centre or tensor; nothing where its kind leaves it open."""
    if isinstance(part, Vector):
        return "r_CM"
    if part is None or isinstance(part, Symmetric | Matrix):
        return "I"
    return "I" if np.shape(part) == (3, 3) else ""


def tensor_of(tensor: Tensor) -> Symmetric:
    """Return a symmetric tensor itself, which may be mutable, or one made of numbers."""
    if isinstance(tensor, Symmetric | Matrix):
        return Symmetric.of(tensor)
    return Symmetric(*MutableInertia(tensor).entries)


def _mass(inertia: Inertia) -> tuple[Scalar, Vector, Matrix]:
    """Return the mass m, its first moment h and its tensor J about the origin."""
    return inertia.mass(), inertia.first_moment(), inertia.J.full()


def _momentum(mass: tuple[Scalar, Vector, Matrix], V: Motor) -> Motor:
    """Return 𝔐 ∘ (ω, v) = (m v + ω × h, h × v + J ω)."""
    m, h, J = mass
    w, v = V.resultant, V.moment
    return Motor(m * v + w.cross(h), h.cross(v) + J @ w)
