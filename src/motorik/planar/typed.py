"""Types of planar parts for editors: names of ports, and vectors that functions take.

``Body(ports={"A": (0, 1)})`` is a ``Body[Literal["A"]]`` for an editor, which therefore knows
the port A and no other. At run time none of this exists.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any, Generic

    from typing_extensions import LiteralString, TypeVar, TypeVarTuple, Unpack

    Name = TypeVar("Name", bound=LiteralString, default=Any)
    Turning = TypeVar("Turning")
    Vectors = TypeVarTuple("Vectors")
else:

    class Generic:
        """Replaces the generic class of editors: with types it is the class itself."""

        def __class_getitem__(cls, types: object) -> type:
            return cls

    Unpack = Generic
    Name = Turning = Vectors = object

__all__ = ["Generic", "Name", "Turning", "Unpack", "Vectors"]
