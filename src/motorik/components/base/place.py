"""Place: the name of a part and its position within models."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Protocol
from weakref import WeakSet

if TYPE_CHECKING:
    from motorik.components.base.part import Part


class Completed(Protocol):
    """An object that reads parts of a model later than it was made."""

    def complete(self) -> None:
        """Read now all that may be needed."""
        ...


class NamedObject:
    """An object with a name in a model, which may have named parts itself.

    `revision` counts the changes of a part and of all that is within it.
    """

    parent: Part | None
    name: str
    parts: dict[str, Part]
    revision: int

    @property
    def path(self) -> str:
        """The full name within the outermost model, e.g. `engine.cylinder2.rod`."""
        names: list[str] = []
        part: NamedObject | None = self
        while part is not None and part.parent is not None:
            names.append(part.name)
            part = part.parent
        return ".".join(reversed(names))

    @property
    def label(self) -> str:
        """The name for messages: the path, or the kind of part while it has none."""
        return self.path or type(self).__name__

    @property
    def _is_attached(self) -> bool:
        """Whether the part has been assigned to a model."""
        return self.parent is not None

    def lineage(self) -> list[Part]:
        """Return the part itself and the models around it, innermost first."""
        line: list[Part] = []
        part: Any = self
        while part is not None:
            line.append(part)
            part = part.parent
        return line

    def complete_before_change(self, system: Completed) -> None:
        """Remember a compiled model that has not taken everything from these parts yet."""
        self.__dict__.setdefault("_latest_loaded", WeakSet()).add(system)

    def prepare_change(self) -> None:
        """Let such models take now what they need later: parts or values are about to change."""
        for part in self.lineage():
            for system in part.__dict__.pop("_latest_loaded", ()):
                system.complete()

    def walk(self) -> Iterable[Part]:
        """Return the part and all parts within it, outer before inner."""
        own: Any = self
        yield own
        for part in self.parts.values():
            yield from part.walk()
