"""Forces and torques given by signals: from the world on a frame, or between two frames."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from types import SimpleNamespace
from typing import TYPE_CHECKING, ClassVar

from motorik.algebra.matrix import IDENTITY, Matrix
from motorik.algebra.motor import ZERO_MOTOR, Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import ZERO, Vector
from motorik.components.base import kinds
from motorik.components.base.contributions import Contribution, FrameForce
from motorik.components.base.part import (
    DeclaredPart,
    PortSpec,
    Values,
    frame,
    parameter,
    signal_input,
)
from motorik.components.base.ports import FramePort, Port
from motorik.components.base.visual_options import (
    ConnectionVisual,
    DiameterVisual,
    ForceArrowVisual,
    TorqueArrowVisual,
)

if TYPE_CHECKING:
    pass


Motions = Sequence[tuple[Pose, Motor]]
Law = Callable[..., tuple[Motor, ...]]


class GivenLoad(DeclaredPart, DiameterVisual):
    """A load on frame_b given by signals, resolved in the frame named by resolveInFrame."""

    frame_b: ClassVar[PortSpec[FramePort]]
    frame_resolve = frame("frame of the signals' components", when="useFrameResolve")

    useFrameResolve: kinds.Boolean = parameter(
        "whether frame_resolve is used", default=False
    )

    def __init__(self, *unnamed: object, **given: object) -> None:
        super().__init__(*unnamed, **with_frame_resolve(given))

    def on_frames(self) -> tuple[Port, ...]:
        """Return the frames that the force acts on."""
        return (self.frame_b,)

    def given(self) -> tuple[Port, ...]:
        """Return the elements of the signals."""
        ports = (getattr(self, name, None) for name in ("force", "torque"))
        return tuple(e for port in ports if port is not None for e in port.elements)

    def contributions(self, p: Values) -> Iterable[Contribution]:
        """Contribute the force and torque that the signals give."""
        frames = self.on_frames()
        if p.resolveInFrame == "frame_resolve":
            frames = (*frames, self.frame_resolve)
        kind = "".join(name[0] for name in ("force", "torque") if name in self.specs)
        law = LAWS[kind, len(self.on_frames()), p.resolveInFrame]
        yield FrameForce(self, frames, NOTHING, law, signals=self.given(), stretch=None)


class OnFrame(GivenLoad):
    """Acts from the world on frame_b, with signals resolved in the world by default."""

    frame_b: ClassVar[PortSpec[FramePort]] = frame("frame it acts on")
    resolveInFrame: kinds.ResolveInFrameB = parameter(
        "axes of the signals", default="world"
    )


class BetweenFrames(GivenLoad, ConnectionVisual):
    """Acts on frame_b and, opposite, on frame_a, with signals resolved in frame_b by default.

    The forces on frame_a and frame_b balance.
    """

    frame_a = frame("frame on which the opposite acts")
    frame_b: ClassVar[PortSpec[FramePort]] = frame("frame it acts on")
    resolveInFrame: kinds.ResolveInFrameAB = parameter(
        "axes of the signals", default="frame_b"
    )

    def on_frames(self) -> tuple[Port, ...]:
        """Return both frames."""
        return (self.frame_a, self.frame_b)


class WorldForce(OnFrame, ForceArrowVisual):
    """A force [N] from the world on the origin of frame_b."""

    force = signal_input("force", "N", 3)


class WorldTorque(OnFrame, TorqueArrowVisual):
    """A torque [N·m] from the world on frame_b."""

    torque = signal_input("torque", "N.m", 3)


class WorldForceAndTorque(OnFrame, ForceArrowVisual, TorqueArrowVisual):
    """A force [N] and a torque [N·m] from the world on frame_b."""

    force = signal_input("force", "N", 3)
    torque = signal_input("torque", "N.m", 3)


class Force(BetweenFrames, ForceArrowVisual):
    """A force [N] on the origin of frame_b, its opposite on frame_a in the same line."""

    force = signal_input("force", "N", 3)


class Torque(BetweenFrames, TorqueArrowVisual):
    """A torque [N·m] on frame_b, its opposite on frame_a."""

    torque = signal_input("torque", "N.m", 3)


class ForceAndTorque(BetweenFrames, ForceArrowVisual, TorqueArrowVisual):
    """A force [N] and a torque [N·m] on frame_b, the opposite on frame_a."""

    force = signal_input("force", "N", 3)
    torque = signal_input("torque", "N.m", 3)


def with_frame_resolve(given: dict[str, object]) -> dict[str, object]:
    """Return the values given to a part, with useFrameResolve where they require it."""
    named = (value for name, value in given.items() if name.startswith("resolveInFrame"))
    uses = any(str(value).rsplit(".", 1)[-1] == "frame_resolve" for value in named)
    return {"useFrameResolve": True, **given} if uses else given


def _make_law(kind: str, count: int, axes: str) -> Law:
    """Return the law for signals of this kind on so many frames, resolved in these axes."""

    def law(p: Values, t: Scalar, motions: Motions, *signals: Scalar) -> tuple[Motor, ...]:
        poses = [X for X, _ in motions]
        R = _axes(axes, poses, count)
        first, rest = Vector(*signals[:3]), signals[3:]
        f = R @ first if "f" in kind else ZERO
        d = ZERO if kind == "f" else R @ (Vector(*rest) if rest else first)
        loads = [_seen(poses[count - 1], f, d)]
        if count == 2:
            r = poses[1].p - poses[0].p
            loads.insert(0, _seen(poses[0], -f, -(d + r.cross(f))))
        return (*loads, *(ZERO_MOTOR for _ in poses[count:]))

    return law


def _axes(axes: str, poses: Sequence[Pose], count: int) -> Matrix:
    """Return the orientation of the frame in which the signals are resolved."""
    if axes == "world":
        return IDENTITY
    place = {"frame_a": 0, "frame_b": count - 1, "frame_resolve": count}
    return poses[place[axes]].R


def _seen(X: Pose, f: Vector, d: Vector) -> Motor:
    return Motor(X.R.T @ f, X.R.T @ d)


NOTHING = SimpleNamespace()
LAWS: dict[tuple[str, int, str], Law] = {
    (kind, count, axes): _make_law(kind, count, axes)
    for kind in ("f", "t", "ft")
    for count in (1, 2)
    for axes in ("world", "frame_a", "frame_b", "frame_resolve")
}
