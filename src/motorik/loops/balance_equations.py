"""The equations of a balance: speeds and positions of what has no mass.

With w the speeds without mass and h the forces that are held at positions, g those that dampers
act on,

    F(w) = (ḣ, g) = A w + b = 0.

A is the stiffness of what is held and the damping of the rest. It is factored once: it gives
the speeds, and what it holds at positions gives the changes by which h is put back to zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.scalar import Scalar, add, neg
from motorik.dynamics.blocks import Block, choose_blocks
from motorik.dynamics.scaling import SingularMatrixError
from motorik.dynamics.sparse import SquareFactors
from motorik.errors import AssemblyError
from motorik.loops.balance import Balance
from motorik.loops.parts import entries_of, split_symbols
from motorik.loops.rows import ConstraintRows
from motorik.loops.scales import Scales
from motorik.motion.view import MotionView
from motorik.topology.graph import ConnectedSets

if TYPE_CHECKING:
    import casadi

SINGULAR = 1e-9  # least singular value, against the largest, of what holds a point
NEAR = 0.01  # determinant, against that at the start, from which on a margin falls


class BalanceEquations:
    """The equations of a balance, of the arguments y and u of constraint rows.

    Orders of elimination are chosen at the poses `samples`, the first of which is the start,
    with live parameters p.
    """

    def __init__(
        self,
        balance: Balance,
        rows: ConstraintRows,
        scales: Scales,
        samples: Sequence[np.ndarray],
        p: np.ndarray,
    ) -> None:
        import casadi

        self.balance, self.rows, self.scales = balance, rows, scales
        own = set(balance.speeds)
        u = split_symbols(rows.u)
        self._w = casadi.vertcat(*(u[k] for k in balance.speeds))
        still = [0.0 if k in own else value for k, value in enumerate(u)]
        self._h = _column(balance.held_forces(self._view(still)))
        g = _column(balance.damped_forces(self._view(u)))
        F = casadi.vertcat(casadi.jtimes(self._h, rows.y, self._y_rate(self._h, u)), g)
        self._check_linear(F)
        self._A = casadi.jacobian(F, self._w)
        self._b = casadi.substitute(F, self._w, casadi.SX.zeros(len(own)))
        self.places = list(zip(*self._A.sparsity().get_triplet(), strict=True))
        numbers = [self.matrix(q, p) for q in samples]
        self._blocks = self._chosen(numbers, range(len(own)), range(len(own)))
        n = len(balance.held)
        self.corrected = self._corrected_columns(numbers[0][:n])
        self._position_blocks = self._blocks
        if n < len(own):
            self._position_blocks = self._chosen(numbers, range(n), self.corrected)
        self._first_sizes = self._sizes(numbers[0])

    def _view(self, u: Sequence[Scalar]) -> MotionView:
        rows = self.rows
        q = rows.with_sines(*map(split_symbols, (rows.q, rows.sine, rows.cosine)))
        return MotionView(rows.mechanism, q, u, None, rows.t, split_symbols(rows.z))

    def _y_rate(self, value: casadi.SX, u: Sequence[Scalar]) -> casadi.SX:
        """Return ẏ, with the rates of the states of blocks where a value depends on them."""
        import casadi

        rows = self.rows
        n = rows.z.numel()
        if not n or not casadi.depends_on(value, rows.z):
            return rows.y_rate
        rates = rows.mechanism.signals.rates(self._view(u), split_symbols(rows.z), rows.t)
        return casadi.vertcat(rows.y_rate[: rows.y.numel() - n], *rates)

    def _check_linear(self, F: casadi.SX) -> None:
        import casadi

        for row, is_curved in enumerate(casadi.which_depends(F, self._w, 2, True)):
            if is_curved:
                raise AssemblyError(
                    self._owner(row),
                    "has no mass, and the rate of a force on it is not linear in its speed.",
                    "Give it a mass.",
                )

    def _owner(self, row: int) -> str:
        balance, n = self.balance, len(self.balance.held)
        first = balance.held[row][0][0] if row < n else balance.damped[row - n]
        return balance.parts[first]

    # --- orders of elimination --------------------------------------------------------------

    def matrix(
        self, q: np.ndarray, p: np.ndarray, t: float = 0.0, z: Sequence[float] = ()
    ) -> np.ndarray:
        """Return A at numbers, at rest, without units."""
        y = self.rows.y_numbers(q, t, z)
        still = np.zeros(self.rows.u.numel())
        values = np.asarray(self._matrix_function(y, still, p), dtype=float).ravel()
        A = np.zeros((len(self.balance.speeds),) * 2)
        for place, value in zip(self.places, values.tolist(), strict=True):
            A[place] = value
        return A * self.scales.speeds[list(self.balance.speeds)]

    def _chosen(
        self, numbers: Sequence[np.ndarray], rows: Sequence[int], columns: Sequence[int]
    ) -> list[Block]:
        pattern = np.zeros((len(self.balance.speeds),) * 2, dtype=bool)
        for place in self.places:
            pattern[place] = True
        where = np.ix_(rows, columns)
        try:
            return choose_blocks(pattern[where], [A[where] for A in numbers])
        except SingularMatrixError as error:
            raise AssemblyError(
                self._owner(rows[error.left[0]]),
                "has no mass, and no force on it depends on where it is.",
                "Give it a mass, or let a spring or a damper act on it.",
            ) from None

    def _corrected_columns(self, K: np.ndarray) -> tuple[int, ...]:
        """Return which coordinates follow from what is held at positions.

        Those that dampers do not act on come first, then the best held.
        """
        damped = set(self.balance.damped)
        K, found = K / np.abs(K).max(axis=1, initial=1e-300, keepdims=True), []
        left = list(range(len(K)))
        weight = np.array([1e-3 if c in damped else 1.0 for c in range(K.shape[1])])
        while left:
            size = np.abs(K[left]) * weight
            i, c = np.unravel_index(int(np.argmax(size)), size.shape)
            row = left.pop(int(i))
            found.append(int(c))
            pivot = K[row, c] or 1e-300
            K[left] -= np.outer(K[left, c] / pivot, K[row])
            weight[c] = 0.0
        return tuple(sorted(found))

    def told(self, fixed: np.ndarray) -> list[int]:
        """Return the coordinates that the balance tells, where too many are fixed."""
        n, at = len(self.balance.held), self.balance.coordinates
        sets: ConnectedSets[int] = ConnectedSets()
        held = [(i, j) for i, j in self.places if i < n]
        for i, j in held:
            sets.unite(j, next(c for r, c in held if r == i))
        found: list[int] = []
        for columns in sets.sets().values():
            rows = {i for i, j in held if j in columns}
            count = sum(bool(fixed[at[c]]) for c in columns)
            if count > len(columns) - len(rows):
                found += [at[c] for c in columns if c in self.corrected]
        return found

    # --- functions of y, u and p ------------------------------------------------------------

    def _function(self, name: str, value: casadi.SX) -> casadi.Function:
        import casadi

        return casadi.Function(
            name, [self.rows.y, self.rows.u, self.rows.p], [casadi.densify(value)]
        )

    @cached_property
    def _matrix_function(self) -> casadi.Function:
        return self._function("A", entries_of(self._A))

    @cached_property
    def _rest_function(self) -> casadi.Function:
        return self._function("b", self._b)

    @cached_property
    def _held_function(self) -> casadi.Function:
        return self._function("h", self._h)

    def _entries(self, y: casadi.SX, u: casadi.SX) -> dict[tuple[int, int], Scalar]:
        values = split_symbols(self._matrix_function(y, u, self.rows.p))
        return {
            place: float(value) if value.is_constant() else value
            for place, value in zip(self.places, values, strict=True)
        }

    def speeds(self, y: casadi.SX, u: casadi.SX) -> list[Scalar]:
        """Return the speeds without mass; u need not tell them."""
        b = split_symbols(self._rest_function(y, u, self.rows.p))
        solver = SquareFactors(self._entries(y, u), self._blocks)
        return solver.solve([neg(value) for value in b])

    def changes(self, y: casadi.SX, u: casadi.SX) -> Changes:
        """Return what puts positions back, with the stiffness at y."""
        return Changes(self, y, u)

    def accelerations(
        self, y: casadi.SX, u: Sequence[Scalar], ud: Sequence[Scalar]
    ) -> list[Scalar]:
        """Return the rates of the speeds without mass, of those of all others."""
        import casadi

        found = self._acceleration_function(
            y, casadi.vertcat(*u), casadi.vertcat(*ud), self.rows.p
        )
        return split_symbols(found)

    @cached_property
    def _acceleration_function(self) -> casadi.Function:
        import casadi

        rows = self.rows
        w = casadi.SX(casadi.vertcat(*self.speeds(rows.y, rows.u)))
        ud = casadi.SX.sym("ud", rows.u.numel())
        own = casadi.vertcat(rows.y, rows.u)
        moved = casadi.vertcat(self._y_rate(w, split_symbols(rows.u)), ud)
        rate = casadi.jtimes(w, own, moved)
        return casadi.Function(
            "rates", [rows.y, rows.u, ud, rows.p], [casadi.densify(rate)]
        )

    # --- what is guarded --------------------------------------------------------------------

    def _sizes(self, A: np.ndarray) -> list[float]:
        """Return the determinant of each block against the lengths of its rows."""
        found = []
        for block in self._blocks:
            own = A[np.ix_(block.rows, block.columns)]
            lengths = np.sqrt((own * own).sum(axis=1)).prod()
            found.append(float(np.linalg.det(own) / lengths) if lengths else 0.0)
        return found

    @cached_property
    def _guarded_blocks(self) -> list[Block]:
        """The blocks whose directions change, and which may become singular."""
        import casadi

        changing = casadi.vertcat(self.rows.y, self.rows.u)
        found = []
        for block in self._blocks:
            own = self._A[list(block.rows), list(block.columns)]
            if len(block.rows) > 1 and casadi.depends_on(own, changing):
                found.append(block)
        return found

    def guarded(self) -> list[str]:
        """Return the points that may come where nothing holds them, in words, by margins."""
        return [self._words(block) for block in self._guarded_blocks]

    @cached_property
    def guard_needs_accelerations(self) -> bool:
        """Whether the margins depend on speeds."""
        return self._margin_function.jac_sparsity(0, 1).nnz() > 0

    def _words(self, block: Block) -> str:
        return ", ".join(dict.fromkeys(self.balance.parts[c] for c in block.columns))

    def margins_and_rates(
        self, y: casadi.SX, u: casadi.SX, ud: Sequence[Scalar]
    ) -> tuple[list[Scalar], list[Scalar]]:
        """Return a margin of each guarded block, 0 where nothing holds its points, and rates."""
        import casadi

        found = self._margin_function(y, u, casadi.vertcat(*ud), self.rows.p)
        return split_symbols(found[0]), split_symbols(found[1])

    @cached_property
    def _margin_function(self) -> casadi.Function:
        import casadi

        rows, unit = self.rows, self.scales.speeds[list(self.balance.speeds)]
        values = []
        for block in self._guarded_blocks:
            A = casadi.SX(self._A[list(block.rows), list(block.columns)])
            A = casadi.densify(A) @ casadi.diag(unit[list(block.columns)])
            first = self._first_sizes[self._blocks.index(block)] or 1.0
            size = 1.0 / first
            for i in range(A.size1()):
                A[i, :] = A[i, :] / casadi.norm_2(A[i, :].T)
            size = size * casadi.det(A)
            values.append((1.0 + NEAR) * size / (casadi.fabs(size) + NEAR))
        m = casadi.SX(casadi.vertcat(*values))
        ud = casadi.SX.sym("ud", rows.u.numel())
        own = casadi.vertcat(rows.y, rows.u)
        moved = casadi.vertcat(self._y_rate(m, split_symbols(rows.u)), ud)
        return casadi.Function(
            "margins",
            [rows.y, rows.u, ud, rows.p],
            [casadi.densify(m), casadi.densify(casadi.jtimes(m, own, moved))],
        )

    def check_held(self, A: np.ndarray) -> None:
        """Raise `AssemblyError` if nothing holds a point in some direction.

        A is the matrix at the start.
        """
        for block in self._blocks:
            own = A[np.ix_(block.rows, block.columns)]
            usual = np.abs(own).max(axis=1, initial=0.0, keepdims=True)
            own = own / np.where(usual > 0.0, usual, 1.0)
            sizes = np.linalg.svd(own, compute_uv=False) if np.isfinite(own).all() else [0.0]
            if not sizes[-1] > SINGULAR:
                raise AssemblyError(
                    self._words(block),
                    "has no mass, and in some direction nothing holds it at the start: the "
                    "springs are slack, or in one line and without force.",
                    "Start where the springs are stretched, add a spring across, or give it "
                    "a mass.",
                )


class Changes:
    """What puts positions back to where forces balance: K δ = −h, K as it was at first."""

    def __init__(self, equations: BalanceEquations, y: casadi.SX, u: casadi.SX) -> None:
        self._of, self._u = equations, u
        n, at = len(equations.balance.held), equations.corrected
        column = {c: k for k, c in enumerate(at)}
        entries = {
            (i, column[j]): value
            for (i, j), value in equations._entries(y, u).items()
            if i < n and j in column
        }
        self._solver = SquareFactors(entries, equations._position_blocks)
        self._coordinates = [equations.balance.coordinates[c] for c in at]

    def moved(self, y: casadi.SX, q: Sequence[Scalar]) -> list[Scalar]:
        """Return coordinates q, of which y is made, moved towards the balance."""
        h = split_symbols(self._of._held_function(y, self._u, self._of.rows.p))
        found = list(q)
        for k, change in zip(
            self._coordinates, self._solver.solve([neg(v) for v in h]), strict=True
        ):
            found[k] = add(found[k], change)
        return found


def _column(values: Sequence[Scalar]) -> casadi.SX:
    import casadi

    return casadi.SX(casadi.vertcat(casadi.SX(0, 1), *values))
