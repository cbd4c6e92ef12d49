"""Mounting1D: where the housing of a drive line is bolted to a frame."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from motorik.components.contributions import Clamp, Contribution
from motorik.components.joints import Revolute
from motorik.components.part import Part, frame, parameter, rotational_flange
from motorik.components.ports import Port, PortKind
from motorik.components.rigid import Fixed, FixedRotation, FixedTranslation
from motorik.components.values import as_axis, as_number
from motorik.components.world import World
from motorik.errors import AssemblyError


class Mounting1D(Part):
    """A flange that stands at the angle phi0 against the frame it is bolted to.

    The frame is one of the standing world, or of the body that carries the joints and rotors
    that the drive line turns: their torque acts on both sides. What turns joints elsewhere is
    connected with their `support` instead.
    """

    frame_a = frame("frame of the world, or of what carries the driven joints")
    flange_b = rotational_flange("the housing")

    phi0 = parameter("angle of the housing", "rad", 0.0, as_number())
    n = parameter("axis of the drive line, in frame_a", "1", (1, 0, 0), as_axis)

    def contributions(self, p: Any) -> Iterable[Contribution]:
        """Say: the flange stands still."""
        bolted = rigidly_connected(self.frame_a)
        driven = driven_joints(self.flange_b)
        on_it = bool(driven) and all(joint.frame_a in bolted for joint in driven)
        if not on_it and not any(isinstance(at.owner, (World, Fixed)) for at in bolted):
            raise AssemblyError(
                self.label,
                "its frame moves, and does not carry all that the drive line turns: the "
                "torque of the drive would act on another body.",
                "Connect the drive with the `support` of the joint that it drives.",
            )
        yield Clamp(self.flange_b, p.phi0)


def rigidly_connected(port: Port) -> set[Port]:
    """Return the frames that are rigidly connected with one, itself included."""

    def pairs(part: Part) -> Iterable[tuple[Port, ...]]:
        yield from part.connections
        if isinstance(part, (FixedTranslation, FixedRotation)):
            yield part.frame_a, part.frame_b

    return _reached(port, pairs)


def driven_joints(port: Port) -> list[Revolute]:
    """Return the joints whose axes a drive line turns, by one of its flanges."""

    def pairs(part: Part) -> Iterable[tuple[Port, ...]]:
        yield from part.connections
        if not part.is_model and not isinstance(part, (Revolute, Mounting1D)):
            yield tuple(p for p in part.ports() if p.kind is PortKind.ROTATIONAL)

    reached = _reached(port, pairs)
    return [p.owner for p in reached if isinstance(p.owner, Revolute)]


def _reached(port: Port, pairs: Callable[[Part], Iterable[tuple[Port, ...]]]) -> set[Port]:
    """Return what is connected with a port, directly or through others."""
    joined: dict[Port, list[Port]] = {}
    for part in port.owner.lineage()[-1].walk():
        for together in pairs(part):
            for a in together:
                joined.setdefault(a, []).extend(together)
    found, rest = {port}, [port]
    while rest:
        new = [b for b in joined.get(rest.pop(), ()) if b not in found]
        found.update(new)
        rest += new
    return found
