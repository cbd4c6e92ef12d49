"""Equations of static equilibrium: speeds and positions of massless points.

With w the massless speeds, h the forces that are held at positions and g those with dampers,

    F(w) = (ḣ, g) = A w + b = 0.

A contains the stiffness of h and the damping of g. Of a point with dampers in some directions,
onto which P projects, the equations are P g + (1 − P) ḣ, with h = (1 − P) g at rest. Positions
are corrected by as many equations, in which nothing moves along P.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.scalar import Scalar, add, neg
from motorik.compiler.symbols import elements
from motorik.dynamics.block_triangular import MatrixBlock, choose_blocks
from motorik.dynamics.scaling import SingularMatrixError
from motorik.dynamics.sparse import SquareFactors, square_fault
from motorik.elements.free_by_angles import FreePairByAngles
from motorik.errors import AssemblyError
from motorik.loops.constraint_blocks import entries_of
from motorik.loops.scales import Scales
from motorik.loops.static_equilibrium import StaticEquilibrium, column
from motorik.loops.surroundings import Surroundings
from motorik.motion.loads import unbalanced_forces
from motorik.numerics.tolerances import EQUILIBRIUM_PIVOT, RANK

if TYPE_CHECKING:
    import casadi


# --- square matrices with a fixed order of elimination -------------------------------------


class StaticMatrix:
    """A square matrix of symbols with a fixed order of elimination.

    `samples` are numbers for the arguments, the first at the start; `unit` are scales of the
    unknowns. `SingularMatrixError` is raised if the matrix is structurally singular.
    """

    def __init__(
        self,
        A: casadi.SX,
        arguments: Sequence[casadi.SX],
        samples: Sequence[Sequence[np.ndarray]],
        unit: np.ndarray,
    ) -> None:
        self.A, self.arguments, self.unit = A, list(arguments), unit
        self.places = list(zip(*A.sparsity().get_triplet(), strict=True))
        pattern = np.zeros(A.shape, dtype=bool)
        for place in self.places:
            pattern[place] = True
        numbers = [self.numbers(*given) for given in samples]
        self.blocks = choose_blocks(pattern, numbers)

    @cached_property
    def _function(self) -> casadi.Function:
        import casadi

        return casadi.Function("A", self.arguments, [casadi.densify(entries_of(self.A))])

    def numbers(self, *given: np.ndarray) -> np.ndarray:
        """Return the matrix at numbers, its columns in units."""
        values = np.asarray(self._function(*given), dtype=float).ravel().tolist()
        found = np.zeros(self.A.shape)
        for place, value in zip(self.places, values, strict=True):
            found[place] = value
        return found * self.unit

    def factors(self, *given: casadi.SX) -> SquareFactors:
        """Return the factors of the matrix at other symbols."""
        return SquareFactors(self.entries(*given), self.blocks)

    def entries(self, *given: casadi.SX) -> dict[tuple[int, int], Scalar]:
        """Return the entries of the matrix at other symbols."""
        entries: dict[tuple[int, int], Scalar] = {}
        values = elements(self._function(*given))
        for place, value in zip(self.places, values, strict=True):
            entries[place] = float(value) if value.is_constant() else value
        return entries

    # --- how near a block is to being singular ----------------------------------------------

    def least(self, A: np.ndarray, block: MatrixBlock) -> float:
        """Return the least singular value of a block at numbers, its rows normalised."""
        own = A[np.ix_(block.rows, block.columns)]
        lengths = np.sqrt((own * own).sum(axis=1, keepdims=True))
        if not (np.isfinite(own).all() and (lengths > 0.0).all()):
            return 0.0
        return float(np.linalg.svd(own / lengths, compute_uv=False)[-1])

    def is_changing(self, block: MatrixBlock, by: casadi.SX) -> bool:
        """Return whether a block depends on some of the arguments."""
        import casadi

        own = self.A[list(block.rows), list(block.columns)]
        return bool(casadi.depends_on(own, by))

    def pivots(self, block: MatrixBlock, columns: Mapping[int, int]) -> list[casadi.SX]:
        """Return the pivots of −A in a block, relative to the norms of its rows.

        `columns` maps rows to their columns. Of a definite matrix all pivots are between 0 and
        1, and one vanishes where it becomes singular.
        """
        import casadi

        inside = set(block.columns)
        table: dict[int, dict[int, casadi.SX]] = {columns[row]: {} for row in block.rows}
        for i, j in self.places:
            if i in block.rows and j in inside:
                table[columns[i]][j] = -self.A[i, j] * float(self.unit[j])
        lengths = {
            k: casadi.sqrt(sum(value * value for value in line.values()))
            for k, line in table.items()
        }
        found: list[casadi.SX] = []
        while table:
            k = min(table, key=lambda row: (len(table[row]), row))
            line = table.pop(k)
            pivot = line.pop(k, casadi.SX(0.0))
            found.append(pivot / lengths[k])
            for other in table.values():
                if k in other:
                    factor = other.pop(k) / pivot
                    for j, value in line.items():
                        other[j] = other.get(j, 0.0) - factor * value
        return found

    def determinant(self, block: MatrixBlock, columns: Mapping[int, int]) -> casadi.SX:
        """Return the determinant of −A in a block of up to three normalised rows."""
        import casadi

        rows = sorted(block.rows, key=columns.__getitem__)
        own = sorted(columns[row] for row in rows)
        M = -casadi.densify(self.A[rows, own]) @ casadi.diag(self.unit[own])
        size = casadi.det(M)
        for i in range(len(own)):
            size = size / casadi.norm_2(M[i, :].T)
        return size


# --- equations of equilibrium --------------------------------------------------------------


class EquilibriumEquations:
    """The equilibrium equations as functions of the arguments y, u of `Surroundings`.

    Orders of elimination are chosen at the poses `samples`, the first of which is the start,
    with live parameters p.
    """

    def __init__(
        self,
        equilibrium: StaticEquilibrium,
        around: Surroundings,
        scales: Scales,
        samples: Sequence[np.ndarray],
        p: np.ndarray,
    ) -> None:
        self.equilibrium, self.around = equilibrium, around
        self.arguments = [around.y, around.u, around.p]
        self._unit = scales.speeds[list(equilibrium.speeds)]
        still = np.zeros(around.u.numel())
        self._samples = [(around.y_numbers(p, q), still, p) for q in samples]
        self._trace()

    def _trace(self) -> None:
        """Trace the equations for speeds and for positions."""
        import casadi

        around, equilibrium = self.around, self.equilibrium
        u = elements(around.u)
        own = elements(around.constraints.u)
        self._w = casadi.vertcat(*(own[k] for k in equilibrium.speeds))
        h, partly = equilibrium.at_rest(around.view())
        g = casadi.SX(casadi.vertcat(*unbalanced_forces(around.view(u))))
        held = column(h)
        speeds = [self._rate(held, u), *(g[row] for row in equilibrium.damped)]
        positions = [self._rate(held, u)]
        for point, (P, D, k) in zip(equilibrium.partly, partly, strict=True):
            own = list(point.rows)
            across = casadi.SX.eye(len(own)) - P
            free = across @ self._rate(across @ k, u)
            scale = self._stiffness(k, own)
            speeds.append(P @ g[own] / casadi.fabs(casadi.trace(D)) + free / scale)
            positions.append(P @ self._w[own] + free / scale)
            held = casadi.vertcat(held, across @ k / scale)
        self._h, n = held, len(equilibrium.held_rows)
        F = casadi.SX(casadi.vertcat(*speeds))
        self._check_linear(F)
        self._b = casadi.substitute(F, self._w, casadi.SX.zeros(self._w.numel()))
        self.matrix = self._static(casadi.jacobian(F, self._w), range(F.numel()))
        K = casadi.jacobian(casadi.SX(casadi.vertcat(*positions)), self._w)
        self.corrected = self._corrected_columns(K[:n, :])
        self._positions = self.matrix
        if equilibrium.damped or equilibrium.partly:
            self._positions = self._static(K, self.corrected)

    def _rate(self, value: casadi.SX, u: Sequence[Scalar]) -> casadi.SX:
        """Return the rate of a function of y."""
        import casadi

        return casadi.jtimes(value, self.around.y, self._y_rate(value, u))

    def _y_rate(self, value: casadi.SX, u: Sequence[Scalar]) -> casadi.SX:
        """Return ẏ, with the rates of block states where a value depends on them."""
        import casadi

        return self.around.y_rate(u, bool(casadi.depends_on(value, self.around.z)))

    def _stiffness(self, k: casadi.SX, own: Sequence[int]) -> float:
        """Return the approximate stiffness that holds a point at the start."""
        import casadi

        rate = self._rate(k, elements(self.around.u))
        K = casadi.jacobian(rate, self._w[list(own)])
        numbers = casadi.Function("K", self.arguments, [casadi.densify(K)])
        size = float(np.linalg.norm(np.asarray(numbers(*self._samples[0]))))
        return size if np.isfinite(size) and size > 0.0 else 1.0

    @cached_property
    def columns(self) -> list[int]:
        """The freedoms that belong to the equations for speeds."""
        equilibrium = self.equilibrium
        rows = [*equilibrium.held_rows, *equilibrium.damped]
        return rows + [row for point in equilibrium.partly for row in point.rows]

    def _check_linear(self, F: casadi.SX) -> None:
        import casadi

        for row, is_nonlinear in enumerate(casadi.which_depends(F, self._w, 2, True)):
            if is_nonlinear:
                raise AssemblyError(
                    self.equilibrium.parts[self.columns[row]],
                    "has no mass, and the rate of a force on it is not linear in its speed.",
                    "Give it a mass.",
                )

    def _static(self, A: casadi.SX, columns: Sequence[int]) -> StaticMatrix:
        own = list(columns)
        try:
            return StaticMatrix(A[:, own], self.arguments, self._samples, self._unit[own])
        except SingularMatrixError as error:
            rows, mechanism = (
                [self.columns[k] for k in error.left],
                self.around.mechanism,
            )
            links = [mechanism.link_of_speed(self.equilibrium.speeds[k]) for k in rows]
            for link in links:
                if isinstance(link.joint, FreePairByAngles) and link.root is not None:
                    raise AssemblyError(
                        link.entry.path,
                        "has no mass, and a torque acts on it that does not depend on its "
                        "orientation, which is undetermined.",
                        "Connect a Body to it, or parts that resist its rotation.",
                    ) from None
            raise AssemblyError(
                self.equilibrium.parts[rows[0]],
                "has no mass, and no force on it depends on its position.",
                "Give it a mass, or let a spring or a damper act on it.",
            ) from None

    def _corrected_columns(self, K: casadi.SX) -> tuple[int, ...]:
        """Return the coordinates that are corrected so that h = 0.

        All of partly damped points; else those without dampers first, then the stiffest.
        """
        import casadi

        partly = [row for point in self.equilibrium.partly for row in point.rows]
        damped = set(self.equilibrium.damped)
        function = casadi.Function("K", self.arguments, [casadi.densify(K)])
        numbers = np.asarray(function(*self._samples[0]), dtype=float) * self._unit
        numbers = np.nan_to_num(numbers)
        largest = np.abs(numbers).max(axis=1, initial=0.0, keepdims=True)
        numbers /= np.where(largest > 0.0, largest, 1.0)
        weight = np.array([1e-3 if c in damped else 1.0 for c in range(K.size2())])
        found, left = list(partly), list(range(len(numbers)))
        while left:
            size = np.abs(numbers[left]) * weight
            size[:, found] = -1.0
            i, c = np.unravel_index(int(np.argmax(size)), size.shape)
            row = left.pop(int(i))
            found.append(int(c))
            if numbers[row, c]:
                change = numbers[left, c] / numbers[row, c]
                numbers[left] -= np.outer(change, numbers[row])
        return tuple(sorted(found))

    def determined(self, fixed: np.ndarray) -> list[int]:
        """Return the coordinates that equilibrium determines, if too many are fixed."""
        at, blocks = self.equilibrium.coordinates, self._positions.blocks
        partly = {row for point in self.equilibrium.partly for row in point.rows}
        if not self.equilibrium.damped and not partly:
            return [at[c] for c in self.corrected]
        found: list[int] = []
        for block in blocks:
            own = {self.corrected[c] for c in block.columns}
            needed = {j for i, j in self._held_places if i in block.rows}
            count = sum(bool(fixed[at[c]]) for c in needed)
            if own & partly or count > len(needed) - len(own):
                found += [at[c] for c in own]
        return found

    @cached_property
    def _held_places(self) -> list[tuple[int, int]]:
        """The places of the entries of ∂h/∂w."""
        import casadi

        K = casadi.jacobian(self._rate(self._h, elements(self.around.u)), self._w)
        return list(zip(*K.sparsity().get_triplet(), strict=True))

    # --- functions of y, u and p ------------------------------------------------------------

    def function(self, name: str, value: casadi.SX) -> casadi.Function:
        """Return a value as a function of y, u and p."""
        import casadi

        return casadi.Function(name, self.arguments, [casadi.densify(value)])

    @cached_property
    def _rest_function(self) -> casadi.Function:
        return self.function("b", self._b)

    @cached_property
    def _held_function(self) -> casadi.Function:
        return self.function("h", self._h)

    def speeds(self, y: casadi.SX, u: casadi.SX) -> list[Scalar]:
        """Return the massless speeds; those in u are ignored."""
        given = (y, u, self.around.p)
        b = elements(self._rest_function(*given))
        return self.matrix.factors(*given).solve([neg(value) for value in b])

    def fault(self, y: casadi.SX, u: casadi.SX) -> Scalar:
        """Return the relative residual of the massless speeds in u; 1 is the limit."""
        given = (y, u, self.around.p)
        right = [neg(value) for value in elements(self._rest_function(*given))]
        first = self.around.first_speed
        found = [u[first + k] for k in self.equilibrium.speeds]
        entries, unit = self.matrix.entries(*given), self.matrix.unit.tolist()
        return square_fault(entries, unit, found, right)

    def stiffness(self, y: casadi.SX) -> SquareFactors:
        """Return the factors of the equations for positions at y."""
        still = type(y).zeros(self.around.u.numel(), 1)
        return self._positions.factors(y, still, self.around.p)

    def moved(
        self, stiffness: SquareFactors, y: casadi.SX, q: Sequence[Scalar]
    ) -> list[Scalar]:
        """Return coordinates q, the arguments in y, after one Newton step to equilibrium."""
        still = type(y).zeros(self.around.u.numel(), 1)
        h = elements(self._held_function(y, still, self.around.p))
        found = list(q)
        changes = stiffness.solve([neg(value) for value in h])
        for c, change in zip(self.corrected, changes, strict=True):
            k = self.equilibrium.coordinates[c]
            found[k] = add(found[k], change)
        return found

    def accelerations(self, y: casadi.SX, u: casadi.SX, ud: casadi.SX) -> list[Scalar]:
        """Return the rates of the massless speeds, given those of all others."""
        return elements(self._acceleration_function(y, u, ud, self.around.p)[1])

    @cached_property
    def _acceleration_function(self) -> casadi.Function:
        w = self.speeds(self.around.y, self.around.u)
        return self.with_rates("speeds", column(w))

    def with_rates(self, name: str, value: casadi.SX) -> casadi.Function:
        """Return a function of (y, u, u̇, p) to a value of y and u, and its rate."""
        import casadi

        around = self.around
        ud = casadi.SX.sym("ud", around.u.numel())
        moved = casadi.vertcat(self._y_rate(value, elements(around.u)), ud)
        rate = casadi.jtimes(value, casadi.vertcat(around.y, around.u), moved)
        outputs = [casadi.densify(value), casadi.densify(rate)]
        return casadi.Function(name, [around.y, around.u, ud, around.p], outputs)


# --- margins of stability ------------------------------------------------------------------


class EquilibriumMargins:
    """The pivots of the stiffness of massless points, all positive while stable."""

    def __init__(self, equations: EquilibriumEquations) -> None:
        self.equations, self.matrix, self.around = (
            equations,
            equations.matrix,
            equations.around,
        )

    def _names(self, block: MatrixBlock) -> str:
        parts = self.equations.equilibrium.parts
        return ", ".join(dict.fromkeys(parts[c] for c in block.columns))

    def _steadiness(self, block: MatrixBlock) -> list[casadi.SX]:
        """Return margins of stability of a block of points, positive and at most 1.

        Of partly damped points it is a determinant, else pivots.
        """
        columns = dict(enumerate(self.equations.columns))
        points = self.equations.equilibrium.partly
        partly = {row for point in points for row in point.rows}
        if len(block.rows) == 3 and partly.issuperset(block.columns):
            return [self.matrix.determinant(block, columns)]
        return self.matrix.pivots(block, columns)

    # --- in the run -------------------------------------------------------------------------

    @cached_property
    def _guarded(self) -> list[tuple[str, casadi.SX]]:
        """The points that may become unstable, and margins that vanish there."""
        import casadi

        changing = casadi.vertcat(self.around.y, self.around.u)
        found = []
        for block in self.matrix.blocks:
            if self.matrix.is_changing(block, changing):
                for size in self._steadiness(block):
                    margin = (
                        (1.0 + EQUILIBRIUM_PIVOT)
                        * size
                        / (casadi.fabs(size) + EQUILIBRIUM_PIVOT)
                    )
                    found.append((self._names(block), margin))
        return found

    @property
    def subjects(self) -> list[str]:
        """The points that each margin is about."""
        return [names for names, _ in self._guarded]

    @cached_property
    def need_accelerations(self) -> bool:
        """Whether the rates of the margins depend on accelerations."""
        return self._function.jac_sparsity(0, 1).nnz() > 0

    def with_rates(
        self, y: casadi.SX, u: casadi.SX, ud: casadi.SX
    ) -> tuple[list[Scalar], list[Scalar]]:
        """Return the margins, 0 where a point becomes unstable, and their rates."""
        found = self._function(y, u, ud, self.around.p)
        return elements(found[0]), elements(found[1])

    @cached_property
    def _function(self) -> casadi.Function:
        margins = column([margin for _, margin in self._guarded])
        return self.equations.with_rates("margins", margins)

    # --- at the start -----------------------------------------------------------------------

    def check(self, q: np.ndarray, p: np.ndarray, t: float, z: Sequence[float]) -> None:
        """Raise `AssemblyError` if a point is not held, or not steadily, at the start."""
        given = self.around.y_numbers(p, q, t, z), np.zeros(self.around.u.numel()), p
        A = self.matrix.numbers(*given)
        for block, steadiness in zip(self.matrix.blocks, self._at_start, strict=True):
            if not self.matrix.least(A, block) > RANK:
                raise AssemblyError(
                    self._names(block),
                    "has no mass, and in some direction nothing holds it at the start: springs "
                    "are slack or in one line without force, or dampers act in a plane.",
                    "Start where the springs are stretched, guide it by a joint, or give it "
                    "a mass.",
                )
            if not np.asarray(steadiness(*given), dtype=float).min() > 0.0:
                raise AssemblyError(
                    self._names(block),
                    "has no mass, and its equilibrium at the start is unstable: it would snap "
                    "aside at once.",
                    "Start where the springs are stretched, or guide it by a joint.",
                )

    @cached_property
    def _at_start(self) -> list[casadi.Function]:
        make = self.equations.function
        blocks = self.matrix.blocks
        return [make("steady", column(self._steadiness(block))) for block in blocks]
