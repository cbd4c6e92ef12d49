"""Force bounds that depend on forces.

Contact friction is bounded by ∓μ of the normal force, the loss of a gear by a part of the force of
its mesh; nonlinear bounds, as those by the norm of a reaction, are linearised. With the slopes E of
the sliding constraints, σ = 1 for sticking ones, else 0,

    σ (D λ + b) + (1 − σ) (λ − E λ − s) = 0,

which is unsymmetric. Constraints that are not coupled are solved in block-triangular order; within
a block, those with constant bounds come first.

Friction in a bearing is μ times the norm of its reaction, a nonlinear function of all forces. In
given modes these equations are solved by Newton's method, each step with the tangents of the bounds
at the last forces. The steps are unrolled, so that derivatives, lanes and threads need nothing
special and an evaluation depends on its arguments alone: the first tangents are those at zero
force. Where the bounds have not converged, the forces are not a number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.scalar import Scalar, add, is_structural, mul, sub, where
from motorik.compiler.symbols import elements, table
from motorik.components.base.contributions import ForceBounds
from motorik.dynamics.block_triangular import MatrixBlock, triangular_blocks
from motorik.dynamics.sparse import SquareFactors
from motorik.immutable import immutable
from motorik.numerics.tolerances import FRICTION_COMPLIANCE, TANGENT_STEP
from motorik.numerics.traced_newton import flattened, seen_by

if TYPE_CHECKING:
    import casadi


Entries = dict[tuple[int, int], Scalar]

CORRECTIONS = 2  # iterative-refinement steps
KINDS = ("low", "high", "forward", "backward")  # bounds that may depend on forces


@immutable
class CoupledBounds:
    """Bounds at zero forces, and the slopes by which they depend on forces, by name.

    Those of `nonlinear` constraints are tangents at the forces y: bound ≈ plain + slope λ near
    λ = y.
    """

    plain: list[ForceBounds]
    slopes: dict[str, Entries]
    nonlinear: frozenset[int] = frozenset()

    @staticmethod
    def of(bounds: Sequence[ForceBounds], y: casadi.SX) -> CoupledBounds | None:
        """Return how bounds depend on the forces y, None if they do not."""
        import casadi

        m = len(bounds)
        given = [getattr(one, kind) for kind in KINDS for one in bounds]
        column = casadi.SX(casadi.vertcat(*given))
        if not casadi.depends_on(column, y):
            return None
        nonlinear = casadi.which_depends(column, y, 2, True)
        column = flattened(column, y)[0] if any(nonlinear) else column
        at_zero = elements(casadi.substitute(column, y, casadi.SX.zeros(*y.shape)))
        by_force = table(casadi.jacobian(column, y))
        here, forces = elements(column), elements(y)
        for i, is_nonlinear in enumerate(nonlinear):
            if is_nonlinear:
                at_zero[i] = here[i]
                for (bounded, j), slope in by_force.items():
                    if bounded == i:
                        at_zero[i] = sub(at_zero[i], mul(slope, forces[j]))
        plain = [
            ForceBounds(
                at_zero[k], at_zero[m + k], at_zero[2 * m + k], at_zero[3 * m + k], one.on
            )
            for k, one in enumerate(bounds)
        ]
        slopes = {
            kind: {
                (i - c * m, j): value
                for (i, j), value in by_force.items()
                if c * m <= i < (c + 1) * m
            }
            for c, kind in enumerate(KINDS)
        }
        bent = frozenset(i % m for i, is_nonlinear in enumerate(nonlinear) if is_nonlinear)
        return CoupledBounds(plain, slopes, bent)


@immutable
class LoadSharing:
    """How redundant sticking constraints share their load.

    `pairs` are the two constraints of each disk, both ways; they have a softness, a factor on
    the regularising compliance, which is a part `FRICTION_COMPLIANCE` of their own.
    """

    pairs: Mapping[int, int] = field(default_factory=dict[int, int])
    softness: Mapping[int, Scalar] = field(default_factory=dict[int, Scalar])

    def give(self, k: int, D: Entries) -> Scalar:
        """Return the regularising compliance of a sticking constraint.

        In a disk it must not depend on the axes.
        """
        own = D.get((k, k), 0.0)
        if k not in self.pairs:
            return mul(FRICTION_COMPLIANCE, own)
        other = self.pairs[k]
        both = mul(0.5, add(own, D.get((other, other), 0.0)))
        return mul(FRICTION_COMPLIANCE, mul(both, self.softness[k]))

    def softened(self, k: int, D: Entries) -> Scalar:
        """Return the compliance of a sticking constraint, the regularising one included."""
        if k not in self.pairs:
            return mul(1.0 + FRICTION_COMPLIANCE, D[k, k])
        return add(D[k, k], self.give(k, D))


class CoupledEquations:
    """The equations of constraints that stick, or slide with forces that depend on others."""

    def __init__(
        self,
        stick: Sequence[Scalar],
        D: Entries,
        slopes: Entries,
        sharing: LoadSharing,
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
        """Return the forces, with iterative refinement of the regularisation."""
        y = self.factors.solve(right)
        for _ in range(CORRECTIONS):
            left = list(right)
            for (i, j), value in self.entries.items():
                left[i] = sub(left[i], mul(value, y[j]))
            y = [add(a, b) for a, b in zip(y, self.factors.solve(left), strict=True)]
        return y


def _blocks(m: int, entries: Entries, reading: set[int]) -> list[MatrixBlock]:
    """Return the blocks of coupled constraints, those with coupled bounds last."""
    pattern = np.zeros((m, m), dtype=bool)
    for (i, j), value in entries.items():
        pattern[i, j] = not is_structural(value, 0.0)
    blocks = []
    for block, _ in triangular_blocks(pattern):
        order = tuple(sorted(block, key=lambda k: (k in reading, k)))
        blocks.append(MatrixBlock(order, order, tuple((k, k) for k in order)))
    return blocks


def coupled_forces(
    stick: Sequence[Scalar],
    D: Entries,
    b: Sequence[Scalar],
    sliding: Sequence[Scalar],
    slopes: Entries,
    sharing: LoadSharing,
) -> list[Scalar]:
    """Return the forces in the present modes; sliding ones are s + E λ."""
    right = [
        sub(mul(sub(1.0, k), s), mul(k, bias))
        for k, s, bias in zip(stick, sliding, b, strict=True)
    ]
    return CoupledEquations(stick, D, slopes, sharing).solve(right)


# --- linearisation at an event -------------------------------------------------------------


@immutable
class Linearisation:
    """Bounds plain + slope λ and accelerations b + D λ, tangents where they are nonlinear.

    `held` are D and the slopes with the tearing variables of algebraic loops frozen, as impulses
    see them, if there are such loops.
    """

    bounds: list[ForceBounds]
    slopes: dict[str, Entries] | None
    b: list[Scalar]
    D: Entries
    is_nonlinear: bool
    frozen: tuple[Entries, ...] = ()


# --- nonlinear bounds ----------------------------------------------------------------------


STEPS = 12  # of Newton's method


@immutable
class Tangents:
    """Accelerations b + D λ of all constraints, and the forces s + E λ of sliding ones."""

    D: Entries
    b: list[Scalar]
    sliding: list[Scalar]
    slopes: Entries
    sharing: LoadSharing

    def forces(self, stick: Sequence[Scalar]) -> list[Scalar]:
        """Return the forces in given modes."""
        given = self.D, self.b, self.sliding, self.slopes, self.sharing
        return coupled_forces(stick, *given)

    def step(self, stick: Sequence[Scalar], forces: Sequence[Scalar]) -> list[Scalar]:
        """Return the Newton step of the forces at which these are tangents."""
        rates, sliding = list(self.b), list(self.sliding)
        for (i, j), value in self.D.items():
            rates[i] = add(rates[i], mul(value, forces[j]))
        for (i, j), value in self.slopes.items():
            sliding[i] = add(sliding[i], mul(value, forces[j]))
        given = zip(stick, rates, sliding, forces, strict=True)
        left = [
            sub(mul(sub(1.0, k), sub(s, force)), mul(k, rate))
            for k, rate, s, force in given
        ]
        equations = CoupledEquations(stick, self.D, self.slopes, self.sharing)
        return equations.factors.solve(left)

    def sliding_sizes(self, forces: Sequence[Scalar]) -> list[tuple[Scalar, Scalar]]:
        """Return s + E λ of each constraint, and the sum of the squares of its terms."""
        found: list[tuple[Scalar, Scalar]] = [(s, mul(s, s)) for s in self.sliding]
        for (i, j), value in self.slopes.items():
            term, (total, size) = mul(value, forces[j]), found[i]
            found[i] = add(total, term), add(size, mul(term, term))
        return found

    @property
    def values(self) -> list[Scalar]:
        """All numbers, one after another."""
        return [*self.D.values(), *self.b, *self.sliding, *self.slopes.values()]

    def replaced(self, values: Sequence[Scalar]) -> Tangents:
        """Return tangents of the same pattern with other numbers."""
        rest = iter(values)
        D = {place: next(rest) for place in self.D}
        b = [next(rest) for _ in self.b]
        sliding = [next(rest) for _ in self.sliding]
        slopes = {place: next(rest) for place in self.slopes}
        return Tangents(D, b, sliding, slopes, self.sharing)


def newton_forces(
    stick: Sequence[Scalar], tangents: Tangents, nonlinear: Iterable[int], y: casadi.SX
) -> list[Scalar]:
    """Return the forces in the present modes; `tangents` are those at forces y.

    `nonlinear` are the constraints with nonlinear bounds.
    """
    import casadi

    here = seen_by(casadi.SX(casadi.vertcat(*tangents.values)), y)
    forces: list[Scalar] = [0.0] * len(stick)
    last, before, linearisation = forces, tangents, tangents
    for _ in range(STEPS):
        last, before, linearisation = forces, linearisation, tangents.replaced(here(forces))
        step = linearisation.step(stick, forces)
        forces = [add(force, change) for force, change in zip(forces, step, strict=True)]
    is_settled = _settled(stick, before, linearisation, nonlinear, last)
    return [where(is_settled, force, float("nan")) for force in forces]


def _settled(
    stick: Sequence[Scalar],
    before: Tangents,
    linearisation: Tangents,
    nonlinear: Iterable[int],
    forces: Sequence[Scalar],
) -> Scalar:
    """Return whether the nonlinear bounds of sliding constraints agree with the tangents before.

    `linearisation` are the tangents at these forces, which follow from those `before`. Sticking
    constraints are linear: their forces need no test. Where redundant ones share a load that
    passes through zero, each step changes these forces by rounding, however small they are.
    """
    seen, expected = (own.sliding_sizes(forces) for own in (linearisation, before))
    is_settled: Scalar = 1.0
    for k in sorted(nonlinear):
        (here, size), (there, _) = seen[k], expected[k]
        far = mul(sub(1.0, stick[k]), sub(here, there))
        is_near = mul(far, far) <= mul(
            TANGENT_STEP * TANGENT_STEP, add(size, mul(here, here))
        )
        is_settled = mul(is_settled, where(is_near, 1.0, 0.0))
    return is_settled > 0.5
