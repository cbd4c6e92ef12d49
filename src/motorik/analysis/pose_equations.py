"""PoseEquations: closed poses at which variables have given values, as native rows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from motorik.analysis.pose_kernels import follow_rows, solve_rows, solve_size
from motorik.compiler import compile_functions
from motorik.compiler.interpret import Interpreted
from motorik.compiler.kernels import native
from motorik.compiler.symbols import elements
from motorik.errors import MissingAccelerationsError, ParameterError
from motorik.immutable import immutable
from motorik.loops.constraint_blocks import independent_blocks
from motorik.loops.position_problem import PositionProblem
from motorik.motion.catalogue import position_of, ravel
from motorik.motion.view import MotionView
from motorik.numerics.newton import Report, moving_places, work_size

TAKES_PART = 0.1  # part of the largest motion from which on a coordinate is named

if TYPE_CHECKING:
    import casadi

    from motorik.algebra.scalar import Scalar
    from motorik.compiled_model import CompiledModel
    from motorik.compiler import NativeFunction
    from motorik.loops.constraint_blocks import ConstraintBlock


@immutable(eq=False)
class FollowedPoses:
    """Coordinates at rows of given values, and which rows are reached.

    Of rows that are not, `stopped` has the given values as far as the mechanism can follow.
    """

    q: np.ndarray
    reached: np.ndarray
    stopped: np.ndarray


class PoseEquations:
    """The poses of a mechanism at which its loops are closed and variables have given values.

    `names` are variables that depend on positions alone; a coordinate among them is no unknown
    of the equations. The equations are solved in blocks that share no unknown, each compiled,
    so that thousands of poses are found without returning to Python.
    """

    def __init__(self, system: CompiledModel, names: Sequence[str]) -> None:
        import casadi

        self.system, self.names = system, tuple(names)
        f, mechanism = system.formulation, system.mechanism
        conditions = [] if f.equilibrium is None else f.equilibrium.conditions()
        self.problem = PositionProblem(
            mechanism, f.constraints, system.assembled.symbols, system.scales, conditions
        )
        q, t, z = system.equations.symbols("q", "t", "z")
        still = [0.0] * system.n_u
        self._motion = MotionView(mechanism, elements(q), still, None, t, elements(z))
        flat = [self._scalars(name) for name in self.names]
        self.sizes = [len(own) for own in flat]
        wanted = casadi.SX.sym("wanted", sum(self.sizes))
        index = system.layout.index
        self.coordinates = [
            index[name] if index.get(name, system.n_q) < system.n_q else -1
            for name, own in zip(self.names, self.sizes, strict=True)
            for _ in range(own)
        ]
        wanted_of = [e for own in flat for e in own]
        pairs = zip(wanted_of, elements(wanted), strict=True)
        missed = [a - b for k, (a, b) in zip(self.coordinates, pairs, strict=True) if k < 0]
        live = system.assembled.symbols
        column = casadi.vertcat(*missed, self.problem.expression(q, t, z, live))
        known = {k: wanted[i] for i, k in enumerate(self.coordinates) if k >= 0}
        own = [k for k in range(system.n_q) if k not in known]
        if known:
            column = casadi.substitute(
                column,
                casadi.vertcat(*(q[k] for k in known)),
                casadi.vertcat(*known.values()),
            )
        self.unknown = np.array(own, dtype=np.intp)
        self.n_missed, self.n_given = (
            len(missed),
            1 + z.numel() + live.numel() + wanted.numel(),
        )
        self.scales = self._scales_of(flat)
        symbols = casadi.vertcat(casadi.SX(0, 1), *(q[k] for k in own))
        given = casadi.vertcat(t, z, live, wanted)
        found = independent_blocks(column, symbols, [given])
        self.blocks = [block for block in found if block.columns.size]
        self._fixed = [block for block in found if not block.columns.size]
        self._values = casadi.Function(
            "values",
            [q, t, z, live],
            [casadi.densify(casadi.vertcat(casadi.SX(0, 1), *wanted_of))],
        )
        functions = {f"block{k}": _function(block) for k, block in enumerate(self.blocks)}
        made = compile_functions(functions) if functions else {}
        self._code = [made[name] for name in functions]

    @staticmethod
    def of(system: CompiledModel, names: Sequence[str]) -> PoseEquations:
        """Return the equations of a system with these variables given, made once."""
        with system.lock:
            kept = system.pose_equations
            key = tuple(names)
            if key not in kept:
                kept[key] = PoseEquations(system, key)
            return kept[key]

    def _scalars(self, name: str) -> list[Scalar]:
        """Return the numbers of a variable of the pose."""
        import casadi

        entry, index = self.system.equations.catalogue.find(name)
        q = casadi.SX(casadi.vertcat(casadi.SX(0, 1), *self._motion.q))
        try:
            flat, shape = ravel(entry.value(self._motion))
        except MissingAccelerationsError:
            flat, shape = [0.0], ()
        if index is not None:
            flat = [flat[position_of(name, index, shape)]]
        column = casadi.SX(casadi.vertcat(*flat))
        if not casadi.jacobian(column, q).nnz():
            first = self.system.mechanism.coordinates[:1]
            raise ParameterError(
                name,
                "does not depend on the pose.",
                "Give a coordinate"
                + (f", such as {first[0].name!r}," if first else "")
                + " or a position of a frame.",
                parameter=name,
                value=name,
            )
        return flat

    def _scales_of(self, flat: Sequence[Sequence[Scalar]]) -> np.ndarray:
        """Return the scales of the given values: lengths of the mechanism, radians, ones."""
        found: list[float] = []
        scales = self.system.scales
        for name, own in zip(self.names, flat, strict=True):
            entry, _ = self.system.equations.catalogue.find(name)
            found += [scales.length if entry.unit == "m" else 1.0] * len(own)
        for i, k in enumerate(self.coordinates):
            if k >= 0:
                found[i] = float(scales.coordinates[k])
        return np.array(found)

    # --- following -------------------------------------------------------------------------

    def given_rows(
        self, time: np.ndarray, z: np.ndarray, live: np.ndarray, values: np.ndarray
    ) -> np.ndarray:
        """Return the arguments of the equations besides coordinates, a row for each pose."""
        count = len(values)
        parts = time.reshape(-1, 1), z, live, values
        return np.hstack([np.broadcast_to(a, (count, a.shape[-1])) for a in parts])

    def follow(self, q: np.ndarray, begin: np.ndarray, rows: np.ndarray) -> FollowedPoses:
        """Return the poses at rows of given values, continued from q, closed at `begin`."""
        rows = np.ascontiguousarray(rows)
        count = len(rows)
        found = np.tile(q, (count, 1))
        n_wanted = len(self.coordinates)
        reached = self._meets_fixed(q, rows)
        for i, k in enumerate(self.coordinates):
            if k >= 0:
                found[:, k] = rows[:, self.n_given - n_wanted + i]
        per = np.zeros(self.n_given)
        per[self.n_given - n_wanted :] = 1.0 / self.scales
        stopped = rows.copy()
        closed = self.problem.tolerance(q)
        for block, code in zip(self.blocks, self._code, strict=True):
            run = _BlockRun(self, block, code, q)
            own = run.follow(begin, rows, per, closed)
            found[:, self.unknown[block.columns]] = own.q
            first = reached & ~own.reached
            stopped[first] = own.stopped[first]
            reached &= own.reached
        return FollowedPoses(found, reached, stopped)

    def solve(
        self,
        q: np.ndarray,
        rows: np.ndarray,
        limits: tuple[np.ndarray, np.ndarray],
        seeds: np.ndarray,
    ) -> FollowedPoses:
        """Return poses near q at rows of given values, with all coordinates within limits.

        A search begins at the pose of the row before and, where it fails, at q and at the seeds.
        """
        rows = np.ascontiguousarray(rows)
        count, n_wanted = len(rows), len(self.coordinates)
        found, reached = np.tile(q, (count, 1)), self._meets_fixed(q, rows)
        for i, k in enumerate(self.coordinates):
            if k >= 0:
                found[:, k] = rows[:, self.n_given - n_wanted + i]
        closed = self.problem.tolerance(q)
        for block, code in zip(self.blocks, self._code, strict=True):
            own = self.unknown[block.columns]
            run = _BlockRun(self, block, code, q)
            bounds = tuple(np.ascontiguousarray(side[own]) for side in limits)
            part = run.solve(rows, bounds, np.ascontiguousarray(seeds[:, own]), closed)
            found[:, own] = part.q
            reached &= part.reached
        return FollowedPoses(found, reached, rows)

    def _meets_fixed(self, q: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Return for which rows those equations hold that no coordinate changes."""
        reached = np.ones(len(rows), dtype=bool)
        for block in self._fixed:
            code = Interpreted(_function(block))
            left = code.map(np.zeros(0), rows)[0] / self.scales_of_rows(block, q)
            reached &= np.abs(left).max(axis=1, initial=0.0) < self.problem.tolerance(q)
        return reached

    def prescribed(self, q: np.ndarray, rows: np.ndarray) -> dict[str, int]:
        """Return names that are functions of time alone, and a row in which each is missed."""
        found: dict[str, int] = {}
        first = self.n_given - len(self.coordinates)
        owners = [
            name for name, n in zip(self.names, self.sizes, strict=True) for _ in range(n)
        ]
        for block in self._fixed:
            function = _function(block)
            _, columns = function.jac_sparsity(0, 1).get_triplet()
            own = {owners[k - first] for k in columns if k >= first}
            left = Interpreted(function).map(np.zeros(0), rows)[0]
            left = np.abs(left / self.scales_of_rows(block, q)).max(axis=1, initial=0.0)
            if len(own) == 1 and left.max() >= self.problem.tolerance(q):
                found[own.pop()] = int(np.argmax(left))
        return found

    def stops(self, live: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the lowest and highest value of each coordinate that stops of its joint allow."""
        n_q = self.system.n_q
        lower, upper = np.full(n_q, -np.inf), np.full(n_q, np.inf)
        places, signs, function = self._stops
        gaps = np.array(function(live), dtype=float).reshape(-1) if places else ()
        for k, sign, gap in zip(places, signs, gaps, strict=True):
            if sign > 0.0:  # q + gap ≥ 0
                lower[k] = max(lower[k], -gap)
            else:
                upper[k] = min(upper[k], gap)
        return lower, upper

    @cached_property
    def _stops(self) -> tuple[list[int], list[float], casadi.Function]:
        """The coordinates with stops, the sign of each in its gap, and the rest of the gaps."""
        import casadi

        system = self.system
        places, signs, rest = [], [], casadi.SX(0, 1)
        q = casadi.SX(casadi.vertcat(casadi.SX(0, 1), *self._motion.q))
        constraints = () if system.nonsmooth is None else system.nonsmooth.constraints
        for own in constraints:
            if own.gap is None:
                continue
            gap = casadi.SX(own.gap(self._motion))
            slope = casadi.jacobian(gap, q)
            if slope.nnz() != 1 or not slope.is_constant():
                continue
            places.append(slope.sparsity().get_triplet()[1][0])
            signs.append(float(slope.nz[0]))
            rest = casadi.vertcat(rest, casadi.substitute(gap, q, 0.0 * q) / abs(signs[-1]))
        live = system.assembled.symbols
        return places, signs, casadi.Function("stops", [live], [casadi.densify(rest)])

    def values(
        self, time: np.ndarray, q: np.ndarray, z: np.ndarray, live: np.ndarray
    ) -> np.ndarray:
        """Return the values of the given variables at a pose."""
        return np.array(self._values(q, time, z, live), dtype=float).reshape(-1)

    def undetermined(self, q: np.ndarray, given: np.ndarray) -> tuple[str, ...]:
        """Return the coordinates that the given values determine least at a pose, first the least.

        They are those of the motion along which the equations change least.
        """
        weakest, names = np.inf, ()
        for block in self.blocks:
            own = self.unknown[block.columns]
            _, found = block.at(q[own], given)
            J = (
                found
                if isinstance(found, np.ndarray)
                else found.part(*map(range, found.shape))
            )
            J = J * self.system.scales.coordinates[own]
            J = J / self.scales_of_rows(block, q)[:, None]
            _, sizes, V = np.linalg.svd(J)
            least = 0.0 if sizes.size < own.size else float(sizes[-1])
            if least < weakest:
                motion = np.abs(V[-1])
                order = [
                    k for k in np.argsort(-motion) if motion[k] > TAKES_PART * motion.max()
                ]
                names = tuple(self.system.mechanism.coordinates[own[k]].name for k in order)
                weakest = least
        return names

    def matrix(self, q: np.ndarray, given: np.ndarray) -> np.ndarray:
        """Return the Jacobian of the equations by all unknown coordinates, without units."""
        found = np.zeros((sum(block.rows.size for block in self.blocks), self.unknown.size))
        first = 0
        for block in self.blocks:
            last = first + block.rows.size
            found[first:last, block.columns] = self._block_matrix(block, q, given)
            first = last
        return found

    def _block_matrix(
        self, block: ConstraintBlock, q: np.ndarray, given: np.ndarray
    ) -> np.ndarray:
        own = self.unknown[block.columns]
        _, found = block.at(q[own], given)
        J = found if isinstance(found, np.ndarray) else found.part(*map(range, found.shape))
        J = J * self.system.scales.coordinates[own]
        return J / self.scales_of_rows(block, q)[:, None]

    def scales_of_rows(self, block: ConstraintBlock, q: np.ndarray) -> np.ndarray:
        """Return the scales of the equations of a block."""
        z, live = np.zeros(len(self.system.layout.blocks)), self.system.assembled.p
        from motorik.loops.position_problem import Instant

        instant = Instant(live, 0.0, tuple(z.tolist()))
        plain = [s for s, k in zip(self.scales, self.coordinates, strict=True) if k < 0]
        own = self.problem.residual_scales(instant, q)
        return np.concatenate([np.array(plain), own])[block.rows]


class _BlockRun:
    """One block of equations with its arrays."""

    def __init__(
        self,
        equations: PoseEquations,
        block: ConstraintBlock,
        code: NativeFunction,
        q: np.ndarray,
    ) -> None:
        own = equations.unknown[block.columns]
        m, n, entries = block.rows.size, own.size, block.pattern.rows.size
        self.x = q[own].copy()
        unit = equations.system.scales.coordinates[own]
        at, seen, unseen = moving_places(np.ones(n, dtype=bool), None)
        self.shape = m, n, entries
        self.arguments = (
            np.array([m, n, entries, seen, unseen], dtype=np.int64),
            np.array(block.pattern.rows, dtype=np.int64),
            np.array(block.pattern.columns, dtype=np.int64),
            at,
            1.0 / equations.scales_of_rows(block, q),
            unit,
            unit,
            np.ones(n),
        )
        self.code = code

    def follow(
        self, begin: np.ndarray, rows: np.ndarray, per: np.ndarray, closed: float
    ) -> FollowedPoses:
        m, n, entries = self.shape
        count, width = rows.shape
        given, reached = begin.copy(), np.ones(count, dtype=np.int64)
        stopped, found = rows.copy(), np.zeros((count, n))
        work = np.zeros(work_size(m, n, entries) + width + 3 * n)
        native(follow_rows)(
            self.code.address, None, self.x, given, *self.arguments, count, width, rows, per,
            closed, reached, stopped, found, np.zeros(Report.SIZE), work,
        )  # fmt: skip
        return FollowedPoses(found, reached.astype(bool), stopped)

    def solve(
        self,
        rows: np.ndarray,
        limits: tuple[np.ndarray, ...],
        seeds: np.ndarray,
        closed: float,
    ) -> FollowedPoses:
        m, n, entries = self.shape
        count, width = rows.shape
        given, reached = np.zeros(width), np.ones(count, dtype=np.int64)
        near, found = self.x.copy(), np.zeros((count, n))
        held, work = np.zeros(n, dtype=np.int64), np.zeros(solve_size(m, n, entries))
        native(solve_rows)(
            self.code.address, None, self.x, given, *self.arguments, count, width, rows, near,
            *limits, len(seeds), seeds, closed, held, reached, found, np.zeros(Report.SIZE),
            work,
        )  # fmt: skip
        return FollowedPoses(found, reached.astype(bool), rows)


def _function(block: ConstraintBlock) -> casadi.Function:
    import casadi

    inputs, outputs = block._traced
    return casadi.Function("block", inputs, outputs)
