"""Limits that read forces: what a force may be depends on forces that switch.

Contact friction is bounded by ∓μ of the normal force, the loss of a gear by a part of the force
of its mesh; where limits are curved, as those by the norm of a reaction, these are their tangents
(`curved`). With the slopes E of the rows that slip, σ = 1 on rows that stick, else 0,

    σ (D λ + b) + (1 − σ) (λ − E λ − s) = 0,

which is not symmetric. Rows that do not depend on each other are solved one after another; within
a block, rows that read nothing come first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.scalar import Scalar, add, is_structural, mul, sub
from motorik.components.base.contributions import Limits
from motorik.dynamics.block_triangular import triangular_blocks
from motorik.dynamics.blocks import MatrixBlock
from motorik.dynamics.sparse import SquareFactors
from motorik.numerics.traced_newton import flattened
from motorik.system.functions import elements, table

if TYPE_CHECKING:
    import casadi

Entries = dict[tuple[int, int], Scalar]

SHARED = (
    1e-6  # compliance of rows that stick, against their own: redundant ones share the load
)
CORRECTIONS = 2  # of what that compliance leaves
KINDS = ("low", "high", "forward", "backward")  # limits that may read forces


@dataclass(frozen=True)
class LinkedLimits:
    """Limits without what they read, and the slopes by which they read forces, by name.

    Those of `curved` rows are tangents at the forces y: limit ≈ plain + slope λ near λ = y.
    """

    plain: list[Limits]
    slopes: dict[str, Entries]
    curved: frozenset[int] = frozenset()

    @staticmethod
    def of(limits: Sequence[Limits], y: casadi.SX) -> LinkedLimits | None:
        """Return how limits depend on the forces y, None if they do not."""
        import casadi

        m = len(limits)
        given = [getattr(one, kind) for kind in KINDS for one in limits]
        column = casadi.SX(casadi.vertcat(*given))
        if not casadi.depends_on(column, y):
            return None
        curved = casadi.which_depends(column, y, 2, True)
        column = flattened(column, y)[0] if any(curved) else column
        at_zero = elements(casadi.substitute(column, y, casadi.SX.zeros(*y.shape)))
        by_force = table(casadi.jacobian(column, y))
        here, forces = elements(column), elements(y)
        for i, is_curved in enumerate(curved):
            if is_curved:
                at_zero[i] = here[i]
                for (row, j), slope in by_force.items():
                    if row == i:
                        at_zero[i] = sub(at_zero[i], mul(slope, forces[j]))
        plain = [
            Limits(
                at_zero[k], at_zero[m + k], at_zero[2 * m + k], at_zero[3 * m + k], one.on
            )
            for k, one in enumerate(limits)
        ]
        slopes = {
            kind: {
                (i - c * m, j): value
                for (i, j), value in by_force.items()
                if c * m <= i < (c + 1) * m
            }
            for c, kind in enumerate(KINDS)
        }
        bent = frozenset(i % m for i, is_curved in enumerate(curved) if is_curved)
        return LinkedLimits(plain, slopes, bent)


@dataclass(frozen=True)
class Sharing:
    """How rows that stick and are redundant share their load.

    `pairs` are rows that stand across each other in a plane, both ways; they have a softness,
    by which they give way more than a part `SHARED` of their own compliance.
    """

    pairs: Mapping[int, int] = field(default_factory=dict[int, int])
    softness: Mapping[int, Scalar] = field(default_factory=dict[int, Scalar])

    def give(self, k: int, D: Entries) -> Scalar:
        """Return by how much a row that sticks gives way.

        What two rows in a plane share must not depend on their axes.
        """
        own = D.get((k, k), 0.0)
        if k not in self.pairs:
            return mul(SHARED, own)
        other = self.pairs[k]
        both = mul(0.5, add(own, D.get((other, other), 0.0)))
        return mul(SHARED, mul(both, self.softness[k]))

    def softened(self, k: int, D: Entries) -> Scalar:
        """Return the compliance of a row that sticks, with what it gives way."""
        if k not in self.pairs:
            return mul(1.0 + SHARED, D[k, k])
        return add(D[k, k], self.give(k, D))


class LinkedRows:
    """The equations of rows that stick, or slip by forces that read other forces."""

    def __init__(
        self,
        stick: Sequence[Scalar],
        D: Entries,
        slopes: Entries,
        sharing: Sharing,
    ) -> None:
        m = len(stick)
        self.entries: Entries = {}
        soft: Entries = {}
        for (i, j), value in D.items():
            self.entries[i, j] = mul(stick[i], value)
        for (i, j), value in slopes.items():
            own = mul(sub(1.0, stick[i]), value)
            self.entries[i, j] = sub(self.entries.get((i, j), 0.0), own)
        for k in range(m):
            free = sub(1.0, stick[k])
            self.entries[k, k] = add(self.entries.get((k, k), 0.0), free)
            soft[k, k] = add(self.entries[k, k], mul(stick[k], sharing.give(k, D)))
        reading = {i for i, _ in slopes}
        self.factors = SquareFactors(
            {**self.entries, **soft}, _blocks(m, self.entries, reading)
        )

    def solve(self, right: Sequence[Scalar]) -> list[Scalar]:
        """Return the forces; what redundant rows give way by is corrected."""
        y = self.factors.solve(right)
        for _ in range(CORRECTIONS):
            left = list(right)
            for (i, j), value in self.entries.items():
                left[i] = sub(left[i], mul(value, y[j]))
            y = [add(a, b) for a, b in zip(y, self.factors.solve(left), strict=True)]
        return y


def _blocks(m: int, entries: Entries, reading: set[int]) -> list[MatrixBlock]:
    """Return rows that are solved together, rows that read forces last."""
    pattern = np.zeros((m, m), dtype=bool)
    for (i, j), value in entries.items():
        pattern[i, j] = not is_structural(value, 0.0)
    blocks = []
    for rows, _ in triangular_blocks(pattern):
        order = tuple(sorted(rows, key=lambda k: (k in reading, k)))
        blocks.append(MatrixBlock(order, order, tuple((k, k) for k in order)))
    return blocks


def linked_forces(
    stick: Sequence[Scalar],
    D: Entries,
    b: Sequence[Scalar],
    slipping: Sequence[Scalar],
    slopes: Entries,
    sharing: Sharing,
) -> list[Scalar]:
    """Return the forces in the present modes, which slip by s + E λ."""
    right = [
        sub(mul(sub(1.0, k), s), mul(k, bias))
        for k, s, bias in zip(stick, slipping, b, strict=True)
    ]
    return LinkedRows(stick, D, slopes, sharing).solve(right)
