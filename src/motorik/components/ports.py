"""Ports: where parts are connected, and what flows through them."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from motorik.errors import PortError

if TYPE_CHECKING:
    from motorik.components.part import Part


class PortKind(Enum):
    """What a port carries; only ports of one kind can be connected."""

    FRAME = "frame"
    ROTATIONAL = "rotational flange"
    TRANSLATIONAL = "translational flange"


class Port:
    """A port of a part: `owner.name`, of one kind.

    ``a >> b`` connects two ports, in any order and direction; several ports may be connected
    to one another.
    """

    __slots__ = ("kind", "name", "owner")

    def __init__(self, owner: Part, name: str, kind: PortKind) -> None:
        self.owner = owner
        self.name = name
        self.kind = kind

    @property
    def path(self) -> str:
        """The full name, e.g. `arm.hinge.frame_a`."""
        return f"{self.owner.path}.{self.name}" if self.owner.path else self.name

    @property
    def label(self) -> str:
        """The name for messages: the path, or the kind of part while it has none."""
        return f"{self.owner.label}.{self.name}"

    def __rshift__(self, other: Port) -> Port:
        connect(self, other)
        return other

    def __repr__(self) -> str:
        return f"<{self.kind.value} {self.label}>"


def connect(*ports: Port) -> None:
    """Connect ports of one kind to one another, in the smallest model that holds them all."""
    if len(ports) < 2:
        raise PortError(
            "connect", "needs at least two ports.", "connect(a.frame_b, b.frame_a)"
        )
    first = ports[0]
    for port in ports:
        if not isinstance(port, Port):
            raise PortError(
                "connect",
                f"{port!r} is not a port.",
                "Connect ports such as part.frame_a, not parts.",
            )
    for other in ports[1:]:
        if other.kind is not first.kind:
            raise PortError(
                first.label,
                f"is a {first.kind.value}, but {other.label} is a {other.kind.value}.",
                "Connect frames with frames and flanges with flanges of the same kind.",
            )
        if other is first:
            raise PortError(
                first.label, "is connected to itself.", "Connect it to another part's port."
            )
        model = _common_model(first, other)
        model.connections.append((first, other))
        for outer in model.lineage():
            outer.__dict__["revision"] += 1


def _common_model(a: Port, b: Port) -> Part:
    """Return the smallest model holding both owners (or a model that is itself an owner)."""
    above = a.owner.lineage()
    for candidate in b.owner.lineage():
        if any(candidate is part for part in above) and candidate.is_model:
            return candidate
    lost = a if not a.owner.is_attached else b
    raise PortError(
        f"{lost.owner.label}.{lost.name}",
        f"({type(lost.owner).__name__}) is not in the same model as the other port.",
        "Assign both parts to one model first: `model.name = Part(...)`, or for parts in a "
        "list `setattr(model, 'name1', Part(...))`.",
    )
