"""Steps on a chain of hinges between two known bodies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from motorik.loops.closed_form.chain import Chain
from motorik.loops.closed_form.step import ClosedFormStep, Hinge

if TYPE_CHECKING:
    from typing_extensions import Self


@dataclass(frozen=True)
class ChainStep(ClosedFormStep):
    """A closed form of a chain of hinges between two known bodies."""

    chain: Chain

    @property
    def hinges(self) -> tuple[int, ...]:
        """All hinges of the chain."""
        return self.chain.hinges

    @property
    def bodies(self) -> tuple[int, ...]:
        """The known bodies at its ends."""
        return (self.chain.first_body, self.chain.last_body)

    @property
    def inner(self) -> tuple[int, ...]:
        """The hinges inside its rigid groups."""
        return self.chain.inner

    def with_hinges(self, table: Mapping[int, Hinge]) -> Self:
        """Return the same step on other hinges, by the indices of its own."""
        return replace(self, chain=self.chain.with_hinges(table))
