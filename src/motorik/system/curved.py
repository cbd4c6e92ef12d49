"""Limits that are curved: forces that slip by functions of forces, found by Newton's method.

Friction in a bearing is μ times the norm of its reaction, which depends on all forces that
switch. In given modes, each step solves the equations of `linked` with the tangents of the limits
at the forces before. The steps are written one after another, so that derivatives, lanes and
threads need nothing of their own, and what an evaluation gives depends on its arguments alone:
the first tangents are those without any force that switches. Forces that have not settled after
the last step are not a number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar, add, mul, sub, where
from motorik.motion.newton import seen_by
from motorik.system.linked import Entries, LinkedRows, Sharing, linked_forces

if TYPE_CHECKING:
    import casadi

STEPS = 12  # of Newton's method
SETTLED = 1e-6  # a last step shorter than this part of all terms leaves rounding


@dataclass(frozen=True)
class Tangents:
    """Accelerations b + D λ of all rows, and the forces s + E λ of rows that slip."""

    D: Entries
    b: list[Scalar]
    slipping: list[Scalar]
    slopes: Entries
    sharing: Sharing

    def forces(self, stick: Sequence[Scalar]) -> list[Scalar]:
        """Return the forces in given modes."""
        given = self.D, self.b, self.slipping, self.slopes, self.sharing
        return linked_forces(stick, *given)

    def step(self, stick: Sequence[Scalar], forces: Sequence[Scalar]) -> list[Scalar]:
        """Return the change of forces, at which these are tangents, that brings them in line."""
        rates, slipping = list(self.b), list(self.slipping)
        for (i, j), value in self.D.items():
            rates[i] = add(rates[i], mul(value, forces[j]))
        for (i, j), value in self.slopes.items():
            slipping[i] = add(slipping[i], mul(value, forces[j]))
        given = zip(stick, rates, slipping, forces, strict=True)
        left = [
            sub(mul(sub(1.0, k), sub(s, force)), mul(k, rate))
            for k, rate, s, force in given
        ]
        rows = LinkedRows(stick, self.D, self.slopes, self.sharing)
        return rows.factors.solve(left)

    @property
    def values(self) -> list[Scalar]:
        """All numbers, one after another."""
        return [*self.D.values(), *self.b, *self.slipping, *self.slopes.values()]

    def replaced(self, values: Sequence[Scalar]) -> Tangents:
        """Return tangents of the same pattern with other numbers."""
        rest = iter(values)
        D = {place: next(rest) for place in self.D}
        b = [next(rest) for _ in self.b]
        slipping = [next(rest) for _ in self.slipping]
        slopes = {place: next(rest) for place in self.slopes}
        return Tangents(D, b, slipping, slopes, self.sharing)


def curved_forces(
    stick: Sequence[Scalar], tangents: Tangents, y: casadi.SX
) -> list[Scalar]:
    """Return the forces in the present modes; `tangents` are those at forces y."""
    import casadi

    here = seen_by(casadi.SX(casadi.vertcat(*tangents.values)), y)
    forces: list[Scalar] = [0.0] * len(stick)
    step, touching = forces, tangents
    for _ in range(STEPS):
        touching = tangents.replaced(here(forces))
        step = touching.step(stick, forces)
        forces = [add(force, change) for force, change in zip(forces, step, strict=True)]
    is_settled = _settled(stick, touching, step, forces)
    return [where(is_settled, force, float("nan")) for force in forces]


def _settled(
    stick: Sequence[Scalar],
    tangents: Tangents,
    step: Sequence[Scalar],
    forces: Sequence[Scalar],
) -> Scalar:
    """Return whether the last step was short in each row, against the terms of its equation.

    What sticks has terms of accelerations, what slips terms of forces: these tell also where
    no force moves the row, as at a dead centre, and D is rounding of either sign.
    """
    terms = _terms(stick, tangents, forces)
    pairs = tangents.sharing.pairs
    is_settled: Scalar = 1.0
    for k, (sticks, change) in enumerate(zip(stick, step, strict=True)):
        own = mul(sticks, tangents.D.get((k, k), 0.0))
        moved = mul(add(sub(1.0, sticks), own), change)
        size = add(terms[k], terms[pairs[k]]) if k in pairs else terms[k]
        is_short = mul(moved, moved) <= mul(SETTLED * SETTLED, size)
        is_settled = mul(is_settled, where(is_short, 1.0, 0.0))
    return is_settled > 0.5


def _terms(
    stick: Sequence[Scalar], tangents: Tangents, forces: Sequence[Scalar]
) -> list[Scalar]:
    """Return the squares of all terms of each row: of b + D λ if it sticks, else of λ − s − E λ."""
    held = [mul(value, value) for value in tangents.b]
    given = zip(forces, tangents.slipping, strict=True)
    slips = [add(mul(force, force), mul(s, s)) for force, s in given]
    for sizes, entries in ((held, tangents.D), (slips, tangents.slopes)):
        for (i, j), value in entries.items():
            term = mul(value, forces[j])
            sizes[i] = add(sizes[i], mul(term, term))
    return [
        add(mul(k, a), mul(sub(1.0, k), s))
        for k, a, s in zip(stick, held, slips, strict=True)
    ]
