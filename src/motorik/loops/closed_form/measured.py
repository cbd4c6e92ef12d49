"""The hinge between two known bodies: its coordinate is simply measured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.loops.closed_form.chain import snapped
from motorik.loops.closed_form.layout import Layout
from motorik.loops.closed_form.plane import basis
from motorik.loops.closed_form.step import (
    Hinge,
    PoseOf,
    Solution,
    Step,
    ValueOf,
    nothing_known,
)

if TYPE_CHECKING:
    from typing_extensions import Self


@dataclass(frozen=True)
class Measured(Step):
    """A turn or a slide read off the poses of its two bodies.

    tan(q + offset) = (e₂ · R_ab e₁) / (e₁ · R_ab e₁) with e₁ × e₂ the axis; q = axis · p_ab.
    """

    hinge: Hinge
    across: tuple[Vector, Vector]

    label = "closing joint"

    @property
    def hinges(self) -> tuple[int, ...]:
        """The hinge."""
        return (self.hinge.index,)

    @property
    def bodies(self) -> tuple[int, ...]:
        """Its two bodies."""
        return (self.hinge.a, self.hinge.b)

    def solve(
        self, pose: PoseOf, side: Scalar, coordinate: ValueOf = nothing_known
    ) -> Solution:
        """Return its coordinate."""
        h = self.hinge
        X_ra, X_rb = pose(h.a) @ h.X_a, pose(h.b) @ h.X_b
        if h.kind == "P":
            return Solution({h.index: (X_ra.R @ h.axis).dot(X_rb.p - X_ra.p)})
        e1, e2 = self.across
        turned = X_ra.R.T @ (X_rb.R @ e1)
        return Solution({h.index: h.coordinate(e2.dot(turned), e1.dot(turned))})

    def with_hinges(self, table: Mapping[int, Hinge]) -> Self:
        """Return the same step on another hinge, by the index of its own."""
        return replace(self, hinge=table[self.hinge.index])


def measured_steps(layout: Layout) -> Iterator[Step]:
    """Yield a step for each unknown turn or slide between two known bodies."""
    for hinge in layout.unknown:
        if layout.is_placed(hinge.a) and layout.is_placed(hinge.b):
            yield Measured(hinge, basis(snapped(hinge.axis)))
