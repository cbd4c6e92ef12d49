"""Laws of units: what the unit of one signal of a block says of those of the others."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from motorik.components.base.ports import Port
from motorik.immutable import immutable


@immutable
class UnitLaw:
    """The units of signals, each to its power, multiply to `unit`.

    A block with a factor of the user's has no such law: the factor may have any unit.
    """

    terms: tuple[tuple[Port, int], ...]
    unit: str = "1"


def same_unit(*ports: Port) -> Iterator[UnitLaw]:
    """Yield that signals are in one unit, whatever it is; vectors element by element."""
    size = max(port.size for port in ports)
    each = [port.elements * (size if port.size == 1 else 1) for port in ports]
    for signals in zip(*each, strict=True):
        for one, other in combinations(signals, 2):
            yield UnitLaw(((one, 1), (other, -1)))


def all_same_unit(*ports: Port) -> Iterator[UnitLaw]:
    """Yield that all elements of signals are in one unit."""
    yield from same_unit(*(element for port in ports for element in port.elements))
