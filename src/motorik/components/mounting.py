"""Mounting1D: where the housing of a drive line is bolted to a frame that stands still."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from motorik.components.contributions import Clamp, Contribution
from motorik.components.part import Part, frame, parameter, rotational_flange
from motorik.components.ports import Port
from motorik.components.rigid import Fixed, FixedRotation, FixedTranslation
from motorik.components.values import as_axis, as_number
from motorik.components.world import World
from motorik.errors import AssemblyError


class Mounting1D(Part):
    """A flange that stands at the angle phi0, bolted to a frame of the standing world.

    What moves is driven against its own housing instead: connect the drive with the `support`
    of the joint, whose torque acts on both bodies.
    """

    frame_a = frame("frame of the standing world")
    flange_b = rotational_flange("the housing")

    phi0 = parameter("angle of the housing", "rad", 0.0, as_number())
    n = parameter("axis of the drive line, in frame_a", "1", (1, 0, 0), as_axis)

    def contributions(self, p: Any) -> Iterable[Contribution]:
        """Say: the flange stands still."""
        if not stands_still(self.frame_a):
            raise AssemblyError(
                self.label,
                "its frame moves: the torque of the drive would act on a moving body.",
                "Connect the drive with the `support` of the joint that it drives.",
            )
        yield Clamp(self.flange_b, p.phi0)


def stands_still(port: Port) -> bool:
    """Tell whether a frame is rigidly connected with the world."""
    links: dict[Port, list[Port]] = {}
    for part in port.owner.lineage()[-1].walk():
        pairs = list(part.connections)
        if isinstance(part, (FixedTranslation, FixedRotation)):
            pairs.append((part.frame_a, part.frame_b))
        for a, b in pairs:
            links.setdefault(a, []).append(b)
            links.setdefault(b, []).append(a)
    reached = [port]
    for at in reached:
        if isinstance(at.owner, (World, Fixed)):
            return True
        reached += [other for other in links.get(at, ()) if other not in reached]
    return False
