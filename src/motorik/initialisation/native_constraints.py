"""Equations of initialisation as native code: blocks that share unknowns, by Newton's method."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from motorik.compiler import compile_functions
from motorik.compiler.kernels import native_group
from motorik.immutable import immutable
from motorik.initialisation.start_kernels import PART_KERNELS, TRUSTED
from motorik.initialisation.start_layout import MovesTable, PartsTable, PartTable, Table
from motorik.numerics.newton import NEWTON_KERNELS, Report, moving_places, work_size
from motorik.numerics.tolerances import UNIQUE_STEP

if TYPE_CHECKING:
    from motorik.compiler import NativeFunction
    from motorik.components.base.contributions import InitialCondition
    from motorik.loops.constraint_blocks import ConstraintBlock
    from motorik.loops.position_problem import PositionProblem

SPREADS = 5
PARTS = 64  # parts of what must hold that are compiled each on its own
Functions = dict[str, "NativeFunction"]


class Solved(NamedTuple):
    """How a block was solved: largest residual, condition, rank, bound of rounding."""

    left: float
    condition: float
    rank: int
    rounding: float


@immutable
class Moves:
    """Which unknowns of a part move: as native code reads it, and how many."""

    sizes: np.ndarray
    at: np.ndarray
    addresses: tuple[int, int]

    @property
    def count(self) -> int:
        """How many move."""
        return int(self.sizes[3] + self.sizes[4])


class PartCode:
    """A block of equations as native code, with its arrays: for one thread at a time.

    Written are the unknowns `x` and `per`, one over the scales of the rows.
    """

    def __init__(
        self,
        part: ConstraintBlock,
        function: NativeFunction,
        given: int,
        units: tuple[np.ndarray, np.ndarray, np.ndarray],
    ) -> None:
        self.rows, self.columns, self._function = part.rows, part.columns, function
        unit, ease, self.hidden = (values[part.columns] for values in units)
        m, n, entries = part.rows.size, part.columns.size, part.pattern.rows.size
        self.x, self.per, self.unit = np.zeros(max(n, 1)), np.ones(max(m, 1)), unit
        self._report, self._steep = np.zeros(Report.SIZE), np.zeros(max(m, 1))
        self._work = np.zeros(work_size(m, n, entries) + 1)
        self._shape = np.array([m, n, entries, 0, 0], dtype=np.int64)
        self._places = [
            np.array(own, dtype=np.int64)
            for own in (part.pattern.rows, part.pattern.columns)
        ]
        self._scaling = [np.append(a, 0.0) for a in (unit, unit * ease, ease)]
        self._moves: dict[bytes, Moves] = {}
        self._bind(given)

    def _bind(self, given: int) -> None:
        """Put kernels and their arguments together."""
        close, _, _, steep = (made.entry for made in native_group(*NEWTON_KERNELS))
        function = self._function.address
        first = _address(self.x), given
        tables = tuple(map(_address, self._places))
        per, *scaling = map(_address, (self.per, *self._scaling))
        work, shape = _address(self._work), _address(self._shape)
        last = _address(self._report), work
        self._close = lambda moves: close(
            function, None, *first, moves[0], *tables, moves[1], per, *scaling, *last
        )
        self._find_steep = lambda *rest: steep(function, *first, shape, *tables, *rest)
        self._unit_at, self._steep_at = scaling[0], (_address(self._steep), work)

    def table(self, conditions: int, spreads: np.ndarray) -> Table:
        """Return the block as kernels read it, so many of its equations being conditions."""
        m, n, *_ = self._shape.tolist()
        found = Table(PartTable, PartTable.SIZE)
        found.set(m=m, n=n, conditions=conditions, function=self._function)
        found.set(dimensions=self._shape, rows=self.rows, columns=self.columns, x=self.x)
        found.set(entry_rows=self._places[0], entry_columns=self._places[1])
        unit, weight, ease = self._scaling
        found.set(per=self.per, unit=unit, weight=weight, ease=ease, work=self._work)
        found.set(report=self._report, steep=self._steep, spreads=spreads)
        return found

    def moves(self, free: np.ndarray) -> Moves:
        """Return for native code that of all unknowns those `free` move."""
        own = free[self.columns]
        key = own.tobytes()
        found = self._moves.get(key)
        if found is None:
            at, seen, unseen = moving_places(own, self.hidden)
            sizes = np.append(self._shape[:3], [seen, unseen])
            found = Moves(sizes, at, (_address(sizes), _address(at)))
            self._moves[key] = found
        return found

    def steepest(self, free: np.ndarray | None = None) -> np.ndarray:
        """Return the largest entry of each row of the Jacobian at x, unknowns in scales.

        With `free`, of all unknowns, only of these.
        """
        at = self._unit_at
        if free is not None:
            unit = self.unit * free[self.columns]
            at = _address(unit)
        self._find_steep(at, *self._steep_at)
        return self._steep[: self.rows.size]

    def set_units(self, unit: np.ndarray) -> None:
        """Take other scales of the unknowns."""
        self.unit = unit
        self._scaling[0][:-1], self._scaling[1][:-1] = unit, unit * self._scaling[2][:-1]

    def close(self, moves: Moves) -> Solved:
        """Move x by Newton's method."""
        left = self._close(moves.addresses)
        report = self._report
        return Solved(
            left,
            report[Report.CONDITION],
            int(report[Report.RANK]),
            report[Report.ROUNDING_BOUND],
        )


def are_small(parts: Sequence[ConstraintBlock]) -> bool:
    """Return whether blocks are few and small enough to be compiled each on its own."""
    return len(parts) <= PARTS and all(part.is_small for part in parts)


def make_functions(parts: Sequence[ConstraintBlock]) -> Functions:
    """Return native functions of blocks: residuals and entries of the Jacobian."""
    import casadi

    functions = {}
    for k, part in enumerate(parts):
        inputs, outputs = part._traced
        rest = casadi.vertcat(*inputs[1:])
        functions[f"part{k}"] = casadi.Function(f"part{k}", [inputs[0], rest], outputs)
    return compile_functions(functions) if functions else {}


def make_parts(
    parts: Sequence[ConstraintBlock],
    given: int,
    units: tuple[np.ndarray, np.ndarray, np.ndarray],
    made: Functions | None = None,
) -> list[PartCode]:
    """Return blocks as native code; `given` holds all numbers that they need beside unknowns.

    `units` are the scales of all unknowns, how easily they move, and which are hidden.
    """
    made = make_functions(parts) if made is None else made
    return [PartCode(part, made[f"part{k}"], given, units) for k, part in enumerate(parts)]


class PartsCode:
    """Blocks of equations for some unknowns as kernels read them; for one thread at a time.

    `scales` are those of the equations that are no conditions, `spreads` displacements at which
    gradients of conditions are sampled, a matrix for each block.
    """

    def __init__(
        self,
        blocks: Sequence[ConstraintBlock],
        given: int,
        units: tuple[np.ndarray, np.ndarray, np.ndarray],
        scales: np.ndarray,
        conditions: Sequence[InitialCondition],
        counts: Sequence[int],
        spreads: Sequence[np.ndarray],
        made: Functions,
    ) -> None:
        self._parts = make_parts(blocks, given, units, made)
        self._moves: dict[bytes, np.ndarray] = {}
        count = sum(counts)
        lines = [
            code.table(int(np.searchsorted(code.rows, count)), np.append(own, 0.0))
            for code, own in zip(self._parts, spreads, strict=True)
        ]
        owners = {own.part: k for k, own in enumerate(conditions)}
        owner = [
            owners[own.part]
            for own, size in zip(conditions, counts, strict=True)
            for _ in range(size)
        ]
        samples = len(spreads[0]) if len(spreads) else 0
        self.table = Table(PartsTable, PartsTable.SIZE)
        self._kept = lines
        self.table.set(
            count=len(lines),
            n=units[0].size,
            conditions=count,
            spreads=samples,
            parts=joined(lines),
            unit=np.array(units[0], dtype=float),
            rest=np.append(scales, 1.0),
            owner=np.array([*owner, 0], dtype=np.int64),
            steep=np.zeros(count + 1),
            of_owner=np.zeros(len(conditions) + 1),
            sample=np.zeros(samples * count + 1),
        )
        for code in self._parts:
            own = code.rows >= count
            code.per[: own.size][own] = 1.0 / scales[code.rows[own] - count]

    def moves(self, free: np.ndarray) -> np.ndarray:
        """Return for kernels that these unknowns move."""
        key = free.tobytes()
        found = self._moves.get(key)
        if found is None:
            lines = [self._moves_of(code, free) for code in self._parts]
            self._kept += lines
            found = self._moves[key] = joined(lines)
        return found

    @staticmethod
    def _moves_of(code: PartCode, free: np.ndarray) -> Table:
        """Return which unknowns of a block move."""
        own = free[code.columns]
        hidden = own & code.hidden
        found = Table(MovesTable, MovesTable.SIZE)
        every = code.moves(free)
        found.set(
            has_free=int(own.any()), count=every.count, sizes=every.sizes, places=every.at
        )
        found.set(seen=np.append(own & ~code.hidden, False).astype(np.int64))
        if hidden.any() and not (hidden == own).all():
            inner = np.zeros_like(free)
            inner[code.columns] = hidden
            only = code.moves(inner)
            found.set(inner_count=only.count, inner_sizes=only.sizes, inner_places=only.at)
        return found


def joined(lines: Sequence[Table]) -> np.ndarray:
    """Return the numbers of tables end to end, and one more."""
    return np.concatenate([*(own.numbers for own in lines), np.zeros(1, dtype=np.int64)])


class PoseCode(PartsCode):
    """Positions that meet all equations, nearest to given ones: Newton's method natively.

    It is that of `PositionProblem.solve`, whose first attempt it repeats: where that does not
    lead to a pose for certain, there is no answer.
    """

    def __init__(self, problem: PositionProblem, given: int, made: Functions) -> None:
        unit = problem.scales.coordinates
        self._given = given
        super().__init__(
            problem.blocks,
            given,
            (unit, problem._ease, problem._hidden),
            problem._residual_scale,
            problem.initial_conditions,
            problem.counts,
            [self._spread(problem, part) for part in problem.blocks],
            made,
        )

    @staticmethod
    def _spread(problem: PositionProblem, part: ConstraintBlock) -> np.ndarray:
        """Return perturbed coordinates at which gradients of initial conditions are sampled."""
        rng = np.random.default_rng(3)
        own = [problem.spread(rng, 0.3, part) for _ in range(SPREADS)]
        return np.array(own)

    def solve(self, q: np.ndarray, free: np.ndarray) -> bool:
        """Move q to the nearest pose that meets all equations; return whether it is certain."""
        pose, _ = native_group(*PART_KERNELS)
        table, moves = self.table.address, _address(self.moves(free))
        return bool(pose.entry(table, moves, self._given, _address(q)))


def is_certain(solved: Solved, moves: Moves) -> bool:
    """Return whether rounding can change neither the solution nor the iterates that lead to it."""
    if not solved.condition < TRUSTED or np.isinf(solved.rounding):
        return False
    return solved.rank == moves.count or solved.rounding < UNIQUE_STEP


def _address(array: np.ndarray) -> int:
    return array.ctypes.data
