"""Limits that are curved: forces that slip by functions of forces, found by Newton's method.

Friction in a bearing is μ times the norm of its reaction, which depends on all forces that
switch. In given modes, each step solves the equations of `linked` with the tangents of the limits
at the forces before. The steps are written one after another, so that derivatives, lanes and
threads need nothing of their own, and what an evaluation gives depends on its arguments alone:
the first tangents are those without any force that switches. Where limits are not where the last
tangents but one saw them, the forces are not a number.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from motorik.algebra.scalar import Scalar, add, mul, sub, where
from motorik.numerics.traced_newton import seen_by
from motorik.system.linked import Entries, LinkedRows, Sharing, linked_forces

if TYPE_CHECKING:
    import casadi

STEPS = 12  # of Newton's method
SETTLED = 1e-8  # of all terms of a limit: tangents as near lead to it but for rounding


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

    def slipping_sizes(self, forces: Sequence[Scalar]) -> list[tuple[Scalar, Scalar]]:
        """Return s + E λ of each constraint, and the sum of the squares of its terms."""
        found: list[tuple[Scalar, Scalar]] = [(s, mul(s, s)) for s in self.slipping]
        for (i, j), value in self.slopes.items():
            term, (total, size) = mul(value, forces[j]), found[i]
            found[i] = add(total, term), add(size, mul(term, term))
        return found

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
    stick: Sequence[Scalar], tangents: Tangents, curved: Iterable[int], y: casadi.SX
) -> list[Scalar]:
    """Return the forces in the present modes; `tangents` are those at forces y.

    `curved` are the constraints whose limits are.
    """
    import casadi

    here = seen_by(casadi.SX(casadi.vertcat(*tangents.values)), y)
    forces: list[Scalar] = [0.0] * len(stick)
    last, before, touching = forces, tangents, tangents
    for _ in range(STEPS):
        last, before, touching = forces, touching, tangents.replaced(here(forces))
        step = touching.step(stick, forces)
        forces = [add(force, change) for force, change in zip(forces, step, strict=True)]
    is_settled = _settled(stick, before, touching, curved, last)
    return [where(is_settled, force, float("nan")) for force in forces]


def _settled(
    stick: Sequence[Scalar],
    before: Tangents,
    touching: Tangents,
    curved: Iterable[int],
    forces: Sequence[Scalar],
) -> Scalar:
    """Return whether the curved limits of what slips are where the tangents before saw them.

    `touching` are the tangents at these forces, which follow from those `before`. Constraints
    that stick are linear: their forces need no test. Where redundant ones share a load that
    passes through zero, each step changes these forces by rounding, however small they are.
    """
    seen, expected = (own.slipping_sizes(forces) for own in (touching, before))
    is_settled: Scalar = 1.0
    for k in sorted(curved):
        (here, size), (there, _) = seen[k], expected[k]
        far = mul(sub(1.0, stick[k]), sub(here, there))
        is_near = mul(far, far) <= mul(SETTLED * SETTLED, add(size, mul(here, here)))
        is_settled = mul(is_settled, where(is_near, 1.0, 0.0))
    return is_settled > 0.5
