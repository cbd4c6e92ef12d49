"""Mounting1D: the housing of a drive line, bolted to a frame."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from motorik.components.base import kinds
from motorik.components.base.contributions import Clamp, Contribution
from motorik.components.base.part import (
    DeclaredPart,
    Part,
    frame,
    parameter,
    rotational_flange,
)
from motorik.components.base.ports import Port, PortKind
from motorik.components.joints.simple import Revolute
from motorik.components.parts.rigid import Fixed, FixedRotation, FixedTranslation
from motorik.components.parts.world import World
from motorik.errors import AssemblyError
from motorik.immutable import immutable

if TYPE_CHECKING:
    from typing_extensions import Self


class Mounting1D(DeclaredPart):
    """A flange fixed at the angle phi0 [rad] relative to the frame it is bolted to.

    The frame is fixed in the world, or belongs to the body that carries the joints and rotors
    that the drive line turns: their torque acts on both sides. Drives of other joints are
    connected with the `support` of these joints instead.
    """

    frame_a = frame("frame of the world, or of the carrier of the driven joints")
    flange_b = rotational_flange("the housing")

    phi0: kinds.Angle = parameter("angle of the housing", default=0.0)
    n: kinds.Axis = parameter("axis of the drive line, in frame_a", default=(1, 0, 0))

    def contributions(self, p: Self) -> Iterable[Contribution]:
        """Contribute a clamp at the flange."""
        mounts = Mounts.around(self)
        bolted, driven = mounts.bolted[self.frame_a], mounts.driven[self.flange_b]
        on_it = bool(driven) and all(joint.frame_a in bolted.frames for joint in driven)
        if not on_it and not bolted.stands:
            raise AssemblyError(
                self.label,
                "its frame moves, and does not carry all that the drive line turns: the "
                "torque of the drive would act on another body.",
                "Connect the drive with the `support` of the joint that it drives.",
            )
        yield Clamp(self.flange_b, p.phi0)


@immutable
class Bolted:
    """Frames that are rigidly connected, and whether one of them is fixed."""

    frames: set[Port]
    stands: bool


class Mounts:
    """Where the housings of drive lines of a model may be bolted to: found once.

    `bolted` gives for a frame all that is rigidly connected with it, itself included, `driven`
    for a flange the joints that the drive line turns.
    """

    def __init__(self, model: Part) -> None:
        self.bolted: dict[Port, Bolted] = {}
        self.driven: dict[Port, list[Revolute]] = {}
        for frames in _connected(model, _rigid_ends):
            stands = any(isinstance(at.owner, (World, Fixed)) for at in frames)
            self.bolted |= dict.fromkeys(frames, Bolted(frames, stands))
        for flanges in _connected(model, _line_ends):
            joints = [p.owner for p in flanges if isinstance(p.owner, Revolute)]
            self.driven |= dict.fromkeys(flanges, joints)

    @staticmethod
    def around(part: Part) -> Mounts:
        """Return the mounts of the outermost model, kept until it is changed."""
        state = part.lineage()[-1].__dict__
        kept = state.get("_latest_mounts")
        if kept is None or kept[0] != state["revision"]:
            kept = state["_latest_mounts"] = (state["revision"], Mounts(part.lineage()[-1]))
        return kept[1]


def _rigid_ends(part: Part) -> Iterable[Port]:
    if isinstance(part, (FixedTranslation, FixedRotation)):
        return part.frame_a, part.frame_b
    return ()


def _line_ends(part: Part) -> Iterable[Port]:
    if part.is_model or isinstance(part, (Revolute, Mounting1D)):
        return ()
    return [p for p in part.ports() if p.kind is PortKind.ROTATIONAL]


def _connected(model: Part, ends: Callable[[Part], Iterable[Port]]) -> Iterable[set[Port]]:
    """Yield the sets of ports that connections, and the `ends` of parts, tie together."""
    joined: dict[Port, list[Port]] = {}
    for part in model.walk():
        for port in part.ports():
            joined.setdefault(port, [])
        tied = [*ends(part)]
        ties = [(tied[0], other) for other in tied[1:]]
        for a, b in (*part.connections, *ties):
            joined.setdefault(a, []).append(b)
            joined.setdefault(b, []).append(a)
    seen: set[Port] = set()
    for start in joined:
        if start in seen:
            continue
        found, rest = {start}, [start]
        while rest:
            new = [b for b in joined[rest.pop()] if b not in found]
            found.update(new)
            rest += new
        seen |= found
        yield found
