"""Order of elimination for symmetric systems [[M, Gᵀ], [G, 0]], chosen on numbers.

A matrix is known at many poses that the mechanism can reach. The order is fixed once and must
hold at all poses, so no pivot may vanish unless the system itself is singular there. Rows and
columns are scaled first, so that the choice does not depend on units.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import field, replace

import numpy as np

from motorik.dynamics.elimination import Elimination, Pivot
from motorik.dynamics.scaling import REGULAR, SingularMatrixError, regular_poses, row_scales
from motorik.immutable import immutable
from motorik.numerics.tolerances import COMPLIANCE, MASSLESS, ROUNDING, SHARED_COMPLIANCE

SHARED_REFINEMENTS = 3  # so that (compliance / that of the masses)⁴ is left
CHEAPER = 0.9  # operations of an order with compliance, refinement included, against others


@immutable
class SymmetricOrder:
    """The order in which [[M, Gᵀ], [G, 0]] is eliminated.

    `weights` w of rows g of G, by number: w gᵀ g is added to M, which makes M definite and changes
    no solution, as w gᵀ times the right-hand side is added, too. `compliance` of rows of G, by
    number: it is subtracted from the diagonal, and removed from solutions by iterative refinement.
    Unless pivots of rows of G are softened, solutions are not finite where they vanish. `scale` are
    scale factors of rows and columns.
    """

    pivots: tuple[Pivot, ...]
    weights: dict[int, float] = field(default_factory=dict)
    compliance: dict[int, float] = field(default_factory=dict)
    softens: bool = True
    is_redundant: bool = False
    scale: tuple[float, ...] = ()

    @property
    def refinements(self) -> int:
        """The number of steps of iterative refinement."""
        return SHARED_REFINEMENTS if self.is_redundant else int(bool(self.compliance))

    def quick(self) -> SymmetricOrder:
        """Return the same pivots without compliance: exact unless one of them vanishes.

        For audited solutions; linearly dependent rows keep their compliance.
        """
        if self.is_redundant or not self.compliance:
            return self
        return replace(self, compliance={}, softens=False)


def by_degree(entries: Iterable[tuple[int, int]]) -> list[int]:
    """Return a minimum-degree order for a definite matrix with these entries."""
    near: dict[int, set[int]] = {}
    for i, j in entries:
        near.setdefault(i, set())
        if i != j:
            near[i].add(j)
            near.setdefault(j, set()).add(i)
    order: list[int] = []
    while near:
        k = min(near, key=lambda row: (len(near[row]), row))
        others = near.pop(k)
        for row in others:
            near[row] |= others
            near[row] -= {row, k}
        order.append(k)
    return order


def choose_symmetric_order(
    pattern: np.ndarray,
    samples: Sequence[np.ndarray],
    n: int,
    units: np.ndarray | None = None,
    constant: np.ndarray | None = None,
    may_refine: bool = False,
) -> SymmetricOrder:
    """Return the order in which [[M, Gᵀ], [G, 0]] with n rows in M is eliminated.

    `pattern` marks the structural entries, `constant` those that change neither with the pose nor
    with live parameters; `samples` are the matrix at several poses. M is positive semidefinite.
    `units` are relative scales of the n unknowns of M. An order is sound at every pose where G has
    full rank, see `Elimination`. The sound order with the fewest operations is taken; if solutions
    `may_refine`, also one with compliant constraints.
    """
    numbers = np.array(samples, dtype=float)
    usual = np.median(np.abs(numbers), axis=0)
    scale = row_scales(usual[:n, :n], usual[n:, :n], units)
    numbers = numbers * scale * scale[:, None]
    try:
        numbers = numbers[regular_poses(numbers[:, n:, :n])]
    except SingularMatrixError as error:
        raise SingularMatrixError([n + k for k in error.left]) from None
    sizes = np.linalg.eigvalsh(_augmented(pattern, numbers, n)[1][:, :n, :n])
    least = sizes[:, :1].min(axis=1, initial=np.inf)
    if np.median(least) <= ROUNDING * sizes.max(
        initial=0.0
    ):  # M is singular on the null space of G
        raise SingularMatrixError(list(range(n, len(pattern))))
    best = _cheapest(pattern, numbers, n, constant)
    weights: dict[int, float] = {}
    inertia = np.diagonal(numbers, axis1=1, axis2=2)[:, :n]
    if best is None or (inertia < MASSLESS).any():
        limit = np.inf if best is None else best.n_operations
        added, more = _augmented(pattern, numbers[least >= REGULAR * np.median(least)], n)
        own = None if constant is None else constant & ~(added & ~pattern)
        other = _cheapest(added, more, n, own, limit - count_added(pattern[n:, :n]))
        if other is None and best is None:
            other = _safest(added, more, n)
        if other is not None:
            best = other
            weights = {k: float(scale[k]) ** 2 for k in range(n, len(pattern))}
    if best is None:
        raise SingularMatrixError(list(range(n, len(pattern))))
    compliance: dict[int, float] = {}
    is_definite = Elimination(pattern, numbers, n).has_definite_rest()
    if may_refine and is_definite and not weights and n < len(pattern):
        small = COMPLIANCE * _usual_compliance(numbers, n)
        early = _with_compliance(pattern, numbers, n, small, CHEAPER * best.n_operations)
        if early is not None:
            best = early
            compliance = {k: small / float(scale[k]) ** 2 for k in range(n, len(pattern))}
    made = tuple(
        Pivot(p.rows, p.size / float(np.prod(scale[list(p.rows)])) ** 2)
        for p in best.pivots
    )
    return SymmetricOrder(made, weights, compliance, scale=tuple(scale.tolist()))


def choose_redundant_order(
    pattern: np.ndarray,
    samples: Sequence[np.ndarray],
    n: int,
    units: np.ndarray | None = None,
    independent: Sequence[int] = (),
) -> SymmetricOrder:
    """Return the order for a matrix [[M, Gᵀ], [G, 0]] with linearly dependent rows of G.

    All of them have a compliance: redundant constraints share their load like equal springs, and
    iterative refinement makes the others exact. Raise `SingularMatrixError` if the rows that should
    be `independent` are dependent at every pose.
    """
    numbers = np.array(samples, dtype=float)
    usual = np.median(np.abs(numbers), axis=0)
    scale = row_scales(usual[:n, :n], usual[n:, :n], units)
    numbers = numbers * scale * scale[:, None]
    try:
        regular_poses(numbers[:, list(independent), :n])
    except SingularMatrixError as error:
        raise SingularMatrixError([independent[k] for k in error.left]) from None
    rows = np.arange(n, len(pattern))
    weights: dict[int, float] = {}
    own, shown = numbers, pattern
    if not Elimination(pattern, numbers, n).has_definite_rest():
        shown, own = _augmented(pattern, numbers, n)
        weights = {k: float(scale[k]) ** 2 for k in rows.tolist()}
    shown, own = shown.copy(), own.copy()
    small = SHARED_COMPLIANCE * _usual_compliance(own, n)
    shown[rows, rows] = True
    own[:, rows, rows] -= small
    best = _cheapest(shown, own, n, None) or _safest(shown, own, n)
    if best is None:
        raise SingularMatrixError(rows.tolist())
    made = tuple(Pivot(p.rows, p.size / float(scale[p.rows[0]]) ** 2) for p in best.pivots)
    compliance = {k: small / float(scale[k]) ** 2 for k in rows.tolist()}
    given = (made, weights, compliance)
    return SymmetricOrder(*given, is_redundant=True, scale=tuple(scale.tolist()))


def _usual_compliance(numbers: np.ndarray, n: int) -> float:
    """Return the median of the diagonal of G M⁻¹ Gᵀ."""
    M, G = numbers[:, :n, :n], numbers[:, n:, :n]
    found = np.linalg.solve(M, np.swapaxes(G, 1, 2))
    return float(np.median(np.einsum("kij,kji->ki", G, found)))


def _with_compliance(
    pattern: np.ndarray, numbers: np.ndarray, n: int, small: float, limit: float
) -> Elimination | None:
    """Return an order with compliant constraints; None if it costs `limit` or more."""
    pattern, numbers = pattern.copy(), numbers.copy()
    rows = np.arange(n, len(pattern))
    limit -= 2 * int(pattern.sum())  # the residual
    pattern[rows, rows] = True
    numbers[:, rows, rows] -= small
    made = Elimination(pattern, numbers, n, complies=True)
    while made.left.any() and made.n_operations + made.n_substituted < limit:
        block = made.singles()
        if not block:
            return None
        made.remove(block)
    return made if made.n_operations + made.n_substituted < limit else None


def _augmented(
    pattern: np.ndarray, numbers: np.ndarray, n: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the matrix with GᵀG added to M."""
    pattern, numbers = pattern.copy(), numbers.copy()
    G = numbers[:, n:, :n]
    numbers[:, :n, :n] += np.swapaxes(G, 1, 2) @ G
    exists = pattern[n:, :n].astype(int)
    pattern[:n, :n] |= (exists.T @ exists) > 0
    return pattern, numbers


def count_added(pattern: np.ndarray) -> int:
    """Return the approximate number of operations to add GᵀWG to M."""
    lengths = pattern.sum(axis=1)
    return int((lengths * (lengths + 4)).sum())


def _cheapest(
    pattern: np.ndarray,
    numbers: np.ndarray,
    n: int,
    constant: np.ndarray | None,
    limit: float = np.inf,
) -> Elimination | None:
    """Return the sound order with the fewest operations; None if all cost `limit` or more."""
    best: Elimination | None = None
    for choose in (Elimination.by_cost, Elimination.pairs_first, Elimination.singles):
        made = Elimination(pattern, numbers, n, constant)
        while made.left.any() and made.n_operations < limit:
            block = choose(made)
            if not block:
                break
            made.remove(block)
        if not made.left.any() and made.n_operations < limit:
            best, limit = made, made.n_operations
    return best


def _safest(pattern: np.ndarray, numbers: np.ndarray, n: int) -> Elimination | None:
    """Return the order in which definite pivots stay largest; None if one is zero."""
    made = Elimination(pattern, numbers, n)
    while made.left.any():
        block = made.largest()
        if not block:
            return None
        made.remove(block)
    return made
