"""Vector parts: parts between two ports, given by functions of their vectors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, ClassVar, TypeVar

from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar
from motorik.components.base.contributions import FrameForce, Stretch
from motorik.components.base.part import DeclaredPart, Values, Variable, frame
from motorik.components.base.ports import Port
from motorik.components.base.user_law import UserLaw, one_scalar
from motorik.errors import ParameterError
from motorik.immutable import immutable
from motorik.planar import vectors
from motorik.planar.typed import Generic, Unpack, Vectors
from motorik.planar.variables import port_variables, reactions
from motorik.planar.vectors import ARGUMENTS, PLANE, PortMotion

if TYPE_CHECKING:
    from motorik.components.base.motion import Motion

Kind = TypeVar("Kind", bound="VectorPart")


class VectorPart(DeclaredPart, Generic[Unpack[Vectors]]):
    """A part that acts between a port M of body i (frame_a) and a port N of body j (frame_b).

    It is given by functions of the vectors OM, ON [m] and of the unit axes x_i, y_i, x_j, y_j of
    both ports, all resolved in one common frame. In these functions `self` holds the parameters of
    the part as scalars.
    """

    axes: ClassVar[int] = PLANE
    unwrapped_coordinate: ClassVar[str] = (
        ""  # name of the joint's angle, if this is its freedom
    )

    frame_a = frame("port M, on body i")
    frame_b = frame("port N, on body j")

    def freedom(self, *vectors: Unpack[Vectors]) -> Scalar:
        """Return the freedom s [m or rad] along which a drive acts."""
        raise ParameterError(
            self.label,
            "has no freedom that could be driven.",
            f"Define `freedom(self, {ARGUMENTS[self.axes]})`, or give no drive.",
            parameter="drive",
            value=getattr(self, "drive", None),
        )

    def push(self, t: Scalar, s: Scalar, v: Scalar) -> Scalar:
        """Return the force [N] or torque [N·m] along s, positive if it increases s."""
        raise NotImplementedError

    def stored(self, s: Scalar) -> Scalar:
        """Return the stored energy [J]."""
        return 0.0

    def variables(self, p: Values) -> Mapping[str, Variable]:
        """Return the motion of both ports, and force and torque on the bodies there."""
        ports = (self.frame_a, self.frame_b)
        shown = port_variables(*ports) if self.axes == PLANE else {}
        return {**shown, **reactions(*ports)}

    def moving_ports(self, motion: Motion) -> tuple[PortMotion, PortMotion]:
        """Return the motion of both ports in the ground's axes, without accelerations."""
        a, b = (
            motion_of(motion.pose(port), motion.velocity(port))
            for port in (self.frame_a, self.frame_b)
        )
        return a, b

    def freedom_in(self, motion: Motion, part: VectorPart) -> tuple[Scalar, Scalar]:
        """Return the freedom s and its rate; `part` holds the parameters as scalars."""
        args = (part.freedom, part.axes, *self.moving_ports(motion))
        s, sd = vectors.evaluate(*args)[0], vectors.rates(*args)[0]
        return motion.coordinate(
            self, self.unwrapped_coordinate
        ) if self.unwrapped_coordinate else s, sd


def values(kind: type[Kind], p: Mapping[str, object]) -> Kind:
    """Return a part of this kind that holds its parameters alone, with the values p."""
    twin = object.__new__(kind)
    twin.__dict__.update(parent=None, name="", parts={}, **p)
    return twin


def motion_of(X: Pose, V: Motor) -> PortMotion:
    """Return the motion of a port whose velocity motor is resolved in its own frame."""
    return PortMotion(X, Motor(X.R @ V.resultant, X.R @ V.moment))


# --- forces along a freedom -----------------------------------------------------------------


@immutable
class AlongFreedom:
    """The law of a force F(t, s, ṡ) along the freedom s of a part: F ∂s at both ports."""

    kind: type[VectorPart]
    others: tuple[tuple[str, object], ...]  # parameters that are not numbers

    def __call__(
        self,
        p: Values,
        t: Scalar,
        motions: Sequence[tuple[Pose, Motor]],
        *turned: Scalar,
    ) -> tuple[Motor, ...]:
        """Return the force motors on both bodies, each resolved in its port.

        `turned` is the unwrapped angle of a revolute joint.
        """
        part = values(self.kind, {**vars(p), **dict(self.others)})
        M, N = (motion_of(X, V) for X, V in motions)
        args = (part.freedom, part.axes, M, N)
        s, sd = (turned or vectors.evaluate(*args))[0], vectors.rates(*args)[0]
        ports = vectors.port_forces(*args, (part.push(t, s, sd),))
        return tuple(
            Motor(X.R.T @ F.resultant, X.R.T @ F.moment)
            for F, (X, _) in zip(ports, motions, strict=True)
        )

    def stretch(
        self, p: Values, motions: Sequence[tuple[Pose, Motor]], *turned: Scalar
    ) -> tuple[Stretch]:
        """Return the freedom and its rate."""
        part = values(self.kind, {**vars(p), **dict(self.others)})
        M, N = (motion_of(X, V) for X, V in motions)
        args = (part.freedom, part.axes, M, N)
        s, sd = (turned or vectors.evaluate(*args))[0], vectors.rates(*args)[0]
        return ((s, sd, "rad" if turned else "m"),)

    def stored(self, p: Values, poses: Sequence[Pose]) -> Scalar:
        """Return the energy [J] stored at these poses."""
        part = values(self.kind, {**vars(p), **dict(self.others)})
        M, N = map(PortMotion, poses)
        return part.stored(vectors.evaluate(part.freedom, part.axes, M, N)[0])


def along_freedom(part: VectorPart, p: Values, energy: bool) -> FrameForce:
    """Return the contribution of a force along the freedom of a part."""
    numbers, others = {}, {}
    for name, value in vars(p).items():
        (others if _is_other(value) else numbers)[name] = value
    if callable(others.get("drive")):
        names = (
            ("t", part.unwrapped_coordinate, "w")
            if part.unwrapped_coordinate
            else ("t", "s", "v")
        )
        others["drive"] = UserLaw(part.label, "drive", others["drive"], names, one_scalar)
    law = AlongFreedom(type(part), tuple(others.items()))
    ports: tuple[Port, Port] = (part.frame_a, part.frame_b)
    return FrameForce(
        part,
        ports,
        SimpleNamespace(**numbers),
        law,
        law.stored if energy else None,
        coordinates=(part.unwrapped_coordinate,) if part.unwrapped_coordinate else (),
        stretch=law.stretch,
    )


def _is_other(value: object) -> bool:
    return value is None or callable(value) or isinstance(value, (str, bool, tuple))
