"""What an event asks of the rows of a mechanism."""

from __future__ import annotations

from dataclasses import dataclass

from motorik.algebra.scalar import Scalar
from motorik.components.base.contributions import Limits
from motorik.system.linked import Entries


@dataclass(frozen=True)
class Touching:
    """Limits plain + slope λ and accelerations b + D λ of rows, tangents where they are curved.

    `held` are D and the slopes with all readings of curved laws held as they are, as impulses
    find them, if forces depend on such readings.
    """

    limits: list[Limits]
    slopes: dict[str, Entries] | None
    b: list[Scalar]
    D: Entries
    is_curved: bool
    held: tuple[Entries, ...] = ()
