"""Limits that read forces: what a force may be depends linearly on forces that switch.

Contact friction is bounded by ∓μ of the normal force, the loss of a gear by a part of the force
of its mesh. With the slopes E of the rows that slip, σ = 1 on rows that stick, else 0,

    σ (D λ + b) + (1 − σ) (λ − E λ − s) = 0,

which is not symmetric. Rows that do not depend on each other are solved one after another; within
a block, rows that read nothing come first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.scalar import Scalar, add, is_structural, mul, sub
from motorik.components.base.contributions import Limits, Slip
from motorik.dynamics.block_triangular import triangular_blocks
from motorik.dynamics.blocks import Block
from motorik.dynamics.sparse import SquareFactors
from motorik.errors import AssemblyError
from motorik.system.functions import elements, table

if TYPE_CHECKING:
    import casadi

Entries = dict[tuple[int, int], Scalar]

SHARED = (
    1e-9  # compliance of rows that stick, against their own: redundant ones share the load
)
KINDS = ("low", "high", "forward", "backward")  # limits that may read forces


@dataclass(frozen=True)
class LinkedLimits:
    """Limits without what they read, and the slopes by which they read forces, by name."""

    plain: list[Limits]
    slopes: dict[str, Entries]

    @staticmethod
    def of(
        slips: Sequence[Slip], limits: Sequence[Limits], y: casadi.SX
    ) -> LinkedLimits | None:
        """Return how limits depend on the forces y, None if they do not."""
        import casadi

        m = len(limits)
        given = [getattr(one, kind) for kind in KINDS for one in limits]
        column = casadi.SX(casadi.vertcat(*given))
        if not casadi.depends_on(column, y):
            return None
        for place, is_curved in enumerate(casadi.which_depends(column, y, 2, True)):
            if is_curved:
                refuse_curved(slips[place % m], KINDS[place // m])
        at_zero = elements(casadi.substitute(column, y, casadi.SX.zeros(*y.shape)))
        by_force = table(casadi.jacobian(column, y))
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
        return LinkedLimits(plain, slopes)


def refuse_curved(slip: Slip, kind: str) -> None:
    """Refuse limits that are no linear functions of forces."""
    raise AssemblyError(
        slip.part.path,
        f"the limit {kind!r} of its force is no linear function of the forces it reads.",
        "Let a limit be a number times a force, e.g. mu * normal; for a law with pieces, choose "
        "the piece by the flag of a Trigger.",
        parameter=slip.force,
    )


class LinkedRows:
    """The equations of rows that stick, or slip by forces that read other forces."""

    def __init__(self, stick: Sequence[Scalar], D: Entries, slopes: Entries) -> None:
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
            give = mul(mul(SHARED, stick[k]), D.get((k, k), 0.0))
            soft[k, k] = add(self.entries[k, k], give)
        reading = {i for i, _ in slopes}
        self.factors = SquareFactors(
            {**self.entries, **soft}, _blocks(m, self.entries, reading)
        )

    def solve(self, right: Sequence[Scalar]) -> list[Scalar]:
        """Return the forces; what redundant rows give way by is corrected once."""
        y = self.factors.solve(right)
        left = list(right)
        for (i, j), value in self.entries.items():
            left[i] = sub(left[i], mul(value, y[j]))
        return [add(a, b) for a, b in zip(y, self.factors.solve(left), strict=True)]


def _blocks(m: int, entries: Entries, reading: set[int]) -> list[Block]:
    """Return rows that are solved together, rows that read forces last."""
    pattern = np.zeros((m, m), dtype=bool)
    for (i, j), value in entries.items():
        pattern[i, j] = not is_structural(value, 0.0)
    blocks = []
    for rows, _ in triangular_blocks(pattern):
        order = tuple(sorted(rows, key=lambda k: (k in reading, k)))
        blocks.append(Block(order, order, tuple((k, k) for k in order)))
    return blocks


def linked_forces(
    stick: Sequence[Scalar],
    D: Entries,
    b: Sequence[Scalar],
    slipping: Sequence[Scalar],
    slopes: Entries,
) -> list[Scalar]:
    """Return the forces in the present modes, which slip by s + E λ."""
    right = [
        sub(mul(sub(1.0, k), s), mul(k, bias))
        for k, s, bias in zip(stick, slipping, b, strict=True)
    ]
    return LinkedRows(stick, D, slopes).solve(right)
