"""BranchParameters: the numbers that closed loops need besides live parameters."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any, Generic, TypeVar

from motorik.immutable import immutable

Block = TypeVar("Block")


@immutable
class BranchParameters(Generic[Block]):
    """The blocks of numbers that closed loops need besides live parameters.

    A block is a sequence of scalars, or in the layout of p a slice.
    """

    branches: Block  # sign of each Assur group: its branch (assembly mode)
    unwrapped: Block  # reference of each revolute coordinate that a closed form gives
    unwrapped_cuts: Block  # reference of each angle of a cut joint
    summed_cuts: Block  # offset of each angle of a cut joint that is a sum of coordinates

    def mapped(self, change: Callable[[Block], Any]) -> Any:
        """Return the same blocks as values of another kind."""
        return BranchParameters(*map(change, self.blocks()))

    def blocks(self) -> list[Block]:
        """Return the blocks in the order in which they stand in p."""
        return [getattr(self, own.name) for own in fields(self)]
