"""Equations of initialisation as native code: blocks that share unknowns, by Newton's method."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from motorik.compiler import compile_functions
from motorik.compiler.kernels import native_group
from motorik.immutable import immutable
from motorik.loops.constraint_blocks import ConstraintBlock
from motorik.loops.position_problem import PositionProblem, scales_by_part
from motorik.numerics.newton import NEWTON_KERNELS, Report, moving_places, work_size
from motorik.numerics.tolerances import CLEAR_DIFFERENCE, CLOSED, UNIQUE_STEP

if TYPE_CHECKING:
    from motorik.compiler import NativeFunction
    from motorik.loops.constraint_blocks import ConstraintBlock
    from motorik.loops.position_problem import PositionProblem

TRUSTED = (
    4e3  # condition of equations up to which rounding stays below all that is compared
)
SPREADS = 5
PARTS = 64  # parts of what must hold that are compiled each on its own


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

    Written are the unknowns `x` and `per`, one over the scales of the rows. `left` tells the
    largest of what must vanish at x, in scales.
    """

    def __init__(
        self,
        part: ConstraintBlock,
        function: NativeFunction,
        given: int,
        units: tuple[np.ndarray, np.ndarray, np.ndarray],
    ) -> None:
        self.rows, self.columns, self._function = part.rows, part.columns, function
        unit, ease, self._hidden = (values[part.columns] for values in units)
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
        close, solve, left, steep = (made.entry for made in native_group(*NEWTON_KERNELS))
        function = self._function.address
        first = _address(self.x), given
        tables = tuple(map(_address, self._places))
        per, *scaling = map(_address, (self.per, *self._scaling))
        work, shape = _address(self._work), _address(self._shape)
        last = _address(self._report), work
        self._close = lambda moves: close(
            function, None, *first, moves[0], *tables, moves[1], per, *scaling, *last
        )
        self._solve = lambda moves, weak: solve(
            function, None, *first, moves[0], *tables, moves[1], per, *scaling, weak, *last
        )
        self.left = partial(left, function, *first, shape, per, work)
        self._find_steep = partial(steep, function, *first, shape, *tables)
        self._unit_at, self._steep_at = scaling[0], (_address(self._steep), work)

    def moves(self, free: np.ndarray) -> Moves:
        """Return for native code that of all unknowns those `free` move."""
        own = free[self.columns]
        key = own.tobytes()
        found = self._moves.get(key)
        if found is None:
            at, seen, unseen = moving_places(own, self._hidden)
            sizes = np.append(self._shape[:3], [seen, unseen])
            found = Moves(sizes, at, (_address(sizes), _address(at)))
            self._moves[key] = found
        return found

    def hidden_only(self, free: np.ndarray) -> np.ndarray | None:
        """Return which unknowns move if only hidden ones do; None if all are hidden."""
        own = free[self.columns]
        hidden = own & self._hidden
        if not hidden.any() or (hidden == own).all():
            return None
        found = np.zeros_like(free)
        found[self.columns] = hidden
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

    def solve(self, moves: Moves, weak: float) -> bool:
        """Take the one Newton step of linear equations; return whether it is certain."""
        return (
            bool(self._solve(moves.addresses, weak))
            and self._report[Report.CONDITION] < TRUSTED
        )


def are_small(parts: Sequence[ConstraintBlock]) -> bool:
    """Return whether blocks are few and small enough to be compiled each on its own."""
    return len(parts) <= PARTS and all(part.is_small for part in parts)


def make_parts(
    parts: Sequence[ConstraintBlock],
    given: int,
    units: tuple[np.ndarray, np.ndarray, np.ndarray],
) -> list[PartCode]:
    """Return blocks as native code; `given` holds all numbers that they need beside unknowns.

    `units` are the scales of all unknowns, how easily they move, and which are hidden.
    """
    import casadi

    functions = {}
    for k, part in enumerate(parts):
        inputs, outputs = part._traced
        rest = casadi.vertcat(*inputs[1:])
        functions[f"part{k}"] = casadi.Function(f"part{k}", [inputs[0], rest], outputs)
    made = compile_functions(functions) if functions else {}
    return [PartCode(part, made[f"part{k}"], given, units) for k, part in enumerate(parts)]


class PoseCode:
    """Positions that meet all equations, nearest to given ones: Newton's method natively.

    It is that of `PositionProblem.solve`, whose first attempt it repeats: where that does not
    lead to a pose for certain, there is no answer.
    """

    def __init__(self, problem: PositionProblem, given: int) -> None:
        self.problem = problem
        unit = problem.scales.coordinates
        units = unit, problem._ease, problem._hidden
        self._parts = make_parts(problem.blocks, given, units)
        self._scale = problem._residual_scale
        self._n_conditions = problem.n_conditions
        self._spreads = [self._spread(part) for part in problem.blocks]
        if not self._n_conditions:
            self._set_scales(self._scale)

    def _spread(self, part: ConstraintBlock) -> list[np.ndarray]:
        """Return perturbed coordinates at which gradients of initial conditions are sampled."""
        rng = np.random.default_rng(3)
        return [self.problem.spread(rng, 0.3, part) for _ in range(SPREADS)]

    def _set_scales(self, scale: np.ndarray) -> None:
        for code in self._parts:
            code.per[: code.rows.size] = 1.0 / scale[code.rows]

    def scale_at(self, q: np.ndarray) -> None:
        """Scale initial conditions by their usual gradients around q."""
        count = self._n_conditions
        if not count:
            return
        usual = np.zeros(count)
        for code, spreads in zip(self._parts, self._spreads, strict=True):
            own = int(np.searchsorted(code.rows, count))
            if not own or not code.columns.size:
                continue
            steep = []
            for spread in spreads:
                code.x[:] = q[code.columns] + spread
                steep.append(code.steepest()[:own].copy())
            usual[code.rows[:own]] = np.sort(np.nan_to_num(steep, posinf=0.0), axis=0)[
                SPREADS // 2
            ]
        problem = self.problem
        of_conditions = scales_by_part(problem.initial_conditions, problem.counts, usual)
        self._set_scales(np.concatenate([of_conditions, self._scale]))

    def left(self, q: np.ndarray) -> float:
        """Return the largest residual at q, in scales."""
        size = 0.0
        for code in self._parts:
            code.x[: code.columns.size] = q[code.columns]
            size = max(size, code.left())
        return size

    def solve(self, q: np.ndarray, free: np.ndarray) -> bool:
        """Move q to the nearest pose that meets all equations; return whether it is certain."""
        if self.problem.scales.rounding(q) > CLOSED:
            return False
        self.scale_at(q)
        closed = 1e-2 * CLOSED
        return all(self._is_closed(code, q, free, closed) for code in self._parts)

    def _is_closed(
        self, code: PartCode, q: np.ndarray, free: np.ndarray, closed: float
    ) -> bool:
        """Solve one block; return whether that is certain."""
        own = code.columns
        begin = q[own]
        code.x[: own.size] = begin
        if code.left() < closed:
            return True
        if not own.size:
            return False
        inner = code.hidden_only(free)
        if inner is not None:
            solved = code.close(code.moves(inner))
            if solved.left < 0.1 * CLOSED:
                q[own] = code.x[: own.size]
                return is_certain(solved, code.moves(inner))
            if not solved.left > CLEAR_DIFFERENCE:
                return False
            code.x[: own.size] = begin
        moves = code.moves(free)
        solved = code.close(moves)
        found = code.x[: own.size]
        if not (solved.left < 0.1 * CLOSED and is_certain(solved, moves)):
            return False
        if inner is not None:  # that what is hidden cannot do it alone must be plain
            seen = free[own] & ~self.problem._hidden[own]
            apart = np.abs(found - begin)[seen] / code.unit[seen]
            if not apart.max(initial=0.0) > CLEAR_DIFFERENCE:
                return False
        q[own] = found
        return True


def is_certain(solved: Solved, moves: Moves) -> bool:
    """Return whether rounding can change neither the solution nor the iterates that lead to it."""
    if not solved.condition < TRUSTED or np.isinf(solved.rounding):
        return False
    return solved.rank == moves.count or solved.rounding < UNIQUE_STEP


def _address(array: np.ndarray) -> int:
    return array.ctypes.data
