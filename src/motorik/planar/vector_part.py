"""Vector parts: what acts between two ports, said by functions of their vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, ClassVar

from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.components.base.contributions import FrameForce
from motorik.components.base.part import Part, Variable, frame
from motorik.errors import ParameterError
from motorik.planar import vectors
from motorik.planar.vectors import PLANE, PortMotion


class VectorPart(Part):
    """Acts between a port M of body i (frame_a) and a port N of body j (frame_b).

    What it does is said by functions of the vectors OM, ON and of the axes x_i, y_i, x_j, y_j
    of both ports, all seen from one common frame. In these functions `self` holds the
    parameters of the part as scalars to compute with.
    """

    axes: ClassVar[int] = PLANE

    frame_a = frame("port M, on body i")
    frame_b = frame("port N, on body j")

    def freedom(self, *vectors: Any, **named: Any) -> Scalar:
        """Return the freedom [m or rad] along which a drive acts."""
        raise ParameterError(
            self.label,
            "has no freedom that could be driven.",
            "Define `freedom(self, OM, ON, x_i, y_i, x_j, y_j)`, or give no drive.",
            parameter="drive",
            value=getattr(self, "drive", None),
        )

    def variables(self, p: Any) -> Mapping[str, Variable]:
        """Return the forces Fx, Fy [N] and the torque Cz [N·m] on the bodies at both ports."""
        return reactions(self)


def values(kind: type[Any], p: Mapping[str, Any]) -> Any:
    """Return a part of this kind that knows nothing but its parameters, resolved as p."""
    twin = object.__new__(kind)
    twin.__dict__.update(parent=None, name="", parts={}, **p)
    return twin


def motion_of(X: Pose, V: Motor) -> PortMotion:
    """Return the motion of a port whose velocity motor is resolved in its own frame."""
    return PortMotion(X, Motor(X.R @ V.resultant, X.R @ V.moment))


def reactions(part: Any) -> dict[str, Variable]:
    """Return the forces and torques that a joint passes to the bodies, in the ground's axes."""

    def force(motion: Any, port: Any) -> Vector:
        return -(motion.pose(port).R @ motion.reaction_at(port).resultant)

    def torque(motion: Any, port: Any) -> Vector:
        return -(motion.pose(port).R @ motion.reaction_at(port).moment)

    shown: dict[str, Variable] = {}
    for end, body in (("a", "i"), ("b", "j")):
        port = getattr(part, f"frame_{end}")
        words = f"on body {body}"
        shown[f"Fx_{end}"] = Variable(
            lambda motion, port=port: force(motion, port).x, "N", f"force {words}"
        )
        shown[f"Fy_{end}"] = Variable(
            lambda motion, port=port: force(motion, port).y, "N", f"force {words}"
        )
        shown[f"Cz_{end}"] = Variable(
            lambda motion, port=port: torque(motion, port).z, "N.m", f"torque {words}"
        )
    return shown


# --- forces along a freedom -----------------------------------------------------------------


@dataclass(frozen=True)
class AlongFreedom:
    """The law of a force F(t, s, ṡ) along the freedom s of a part: F ∂s at both ports."""

    kind: type[Any]
    others: tuple[tuple[str, Any], ...]  # parameters that are no numbers

    def __call__(
        self, p: Any, t: Scalar, motions: Sequence[tuple[Pose, Motor]]
    ) -> tuple[Motor, ...]:
        """Return the force motors on both bodies, each resolved in its port."""
        part = values(self.kind, {**vars(p), **dict(self.others)})
        M, N = (motion_of(X, V) for X, V in motions)
        args = (part.freedom, part.axes, M, N)
        s, sd = vectors.evaluate(*args)[0], vectors.rates(*args)[0]
        ports = vectors.port_forces(*args, (part.push(t, s, sd),))
        return tuple(
            Motor(X.R.T @ F.resultant, X.R.T @ F.moment)
            for F, (X, _) in zip(ports, motions, strict=True)
        )

    def stored(self, p: Any, poses: Sequence[Pose]) -> Scalar:
        """Return the energy [J] stored at these poses."""
        part = values(self.kind, {**vars(p), **dict(self.others)})
        M, N = map(PortMotion, poses)
        return part.stored(vectors.evaluate(part.freedom, part.axes, M, N)[0])


def along_freedom(part: Any, p: Any, energy: bool) -> FrameForce:
    """Return the contribution of a force along the freedom of a part."""
    numbers, others = {}, {}
    for name, value in vars(p).items():
        (others if _is_other(value) else numbers)[name] = value
    law = AlongFreedom(type(part), tuple(others.items()))
    return FrameForce(
        part,
        (part.frame_a, part.frame_b),
        SimpleNamespace(**numbers),
        law,
        law.stored if energy else None,
    )


def _is_other(value: Any) -> bool:
    return value is None or callable(value) or isinstance(value, (str, bool, tuple))
