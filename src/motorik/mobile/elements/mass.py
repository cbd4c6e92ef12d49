"""MassElement: the inertia of a body at a frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from motorik.algebra.dyad import Inertia
from motorik.algebra.matrix import Matrix, Symmetric
from motorik.algebra.motor import Motor
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import ZERO, Vector
from motorik.mobile.elements.leaf import Leaf
from motorik.mobile.states.frame import Frame
from motorik.mobile.states.mutable import Mutable, current, mutable_among
from motorik.mobile.states.transmission import State, Subtask

_EULER, _CORIOLIS = Subtask.EULER.value, Subtask.USE_CORIOLIS.value
_INERTIA = _EULER | _CORIOLIS


@dataclass(frozen=True)
class MassElement(Leaf):
    """A body of mass m [kg] on a frame, by d'Alembert's force: F −= 𝔐 ∘ v° + v × 𝔐 ∘ v.

    Its centre of mass is at `r_CM` [m], `I` [kg·m²] is the tensor about it, both resolved
    in the frame. Leave out `I` for a point mass, `r_CM` for a centre at the origin.
    """

    frame: Frame
    m: Scalar
    r_CM: Vector = ZERO  # noqa: N815 - Modelica's name
    I: Any = None

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
        return mutable_among(self.m, self.r_CM, self.I)

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


def _mass(inertia: Inertia) -> tuple[Scalar, Vector, Matrix]:
    """Return the mass m, its first moment h and its tensor J about the origin."""
    return inertia.mass(), inertia.first_moment(), inertia.J.full()


def _momentum(mass: tuple[Scalar, Vector, Matrix], V: Motor) -> Motor:
    """Return 𝔐 ∘ (ω, v) = (m v + ω × h, h × v + J ω)."""
    m, h, J = mass
    w, v = V.resultant, V.moment
    return Motor(m * v + w.cross(h), h.cross(v) + J @ w)
