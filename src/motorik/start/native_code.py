"""StartCode: what native starts of a system compute with, compiled once, and its arrays."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from motorik.compiler import NativeFunction, compile_functions
from motorik.compiler.kernels.kernel import native_group
from motorik.loops.closing import Moment
from motorik.motion.view import MotionView
from motorik.start.kernels import close_pose, largest, nearest_sides, wind
from motorik.start.problem import StartProblem
from motorik.system.equations import elements, make_function
from motorik.system.system import System


class StartCode:
    """Native functions with their arguments in place: for one thread at a time.

    They read and write `t`, `live`, `z`, `states` (coordinates that are states), `q`, `u`,
    the state `x`, the motion `X` and the parameters `p`, of which `sides` are a part. `find_q`
    writes the coordinates that closed forms give to `values`, `find_rows` and `find_speeds`
    what must vanish of positions and speeds, of which `rows_left` and `speeds_left` tell the
    largest, without units.
    """

    def __init__(self, system: System) -> None:
        f, layout = system.formulation, system.layout
        assert f is not None and system.survey is not None
        self.system, self.layout, self.formulation = system, layout, f
        self.pose = StartProblem(system, Moment(system.subject.p)).pose
        self._kept: list[Any] = []  # what native code works with must stay in memory
        self._row_scale = self.pose.row_scales(Moment(system.subject.p), system.survey.q)
        n_live, n_sided = layout.n_live, len(f.sided)
        self.t, self.z = np.zeros(1), _room(len(layout.blocks))
        self.states = _room(len(f.state_q))
        self._p_room = _room(n_live + f.n_extra)
        self.p = self._p_room[: n_live + f.n_extra]
        self.live, self._extra = self.p[:n_live], self.p[n_live:]
        self.sides, self._references = self._extra[:n_sided], self._extra[n_sided:]
        self.q, self.u = np.zeros(layout.n_q), _room(layout.n_u)
        self.x, self.X = _room(layout.n_x), np.zeros(layout.n_motion)
        self._r, self._a = _room(self.pose.size), _room(len(f.rows.rows))
        self._left = _room(n_sided)
        self.margins = np.zeros(2 * len(system.guarded))
        self._newton: Callable[[float], float] | None = None
        self._bind(self._compiled())

    def _compiled(self) -> dict[str, NativeFunction]:
        """Return the functions that every start needs."""
        system, f = self.system, self.formulation
        equations = system.equations
        t, q, u, z = equations.symbols("t", "q", "u", "z")
        live = equations.live
        r = self.pose._function(q, t, z, live)[0] / self._row_scale
        y = f.rows.y_of(elements(q), t, elements(z))
        a = f.rows.velocity_function(y, u, live) / f.scales.rows
        motion = MotionView(system.mechanism, elements(q), [0.0] * system.n_u)
        cuts = [motion.coordinate(cut.part, cut.name) for cut in (*f.counted, *f.summed)]
        given = {"q": q, "u": u, "t": t, "z": z, "p": live}
        of_pose = {name: given[name] for name in ("q", "t", "z", "p")}
        functions = {
            "positions": equations.function("positions"),
            "rows": make_function("rows", of_pose, r),
            "speeds": make_function("speeds", given, a),
        }
        if cuts:
            functions["angles"] = make_function("angles", {"q": q, "p": live}, cuts)
        return compile_functions(functions)

    def _bind(self, made: dict[str, NativeFunction]) -> None:
        """Put functions and their arguments together."""
        system, f, n_q = self.system, self.formulation, self.layout.n_q
        whole, margins = system.full_state, system.margins
        unknown, p = np.zeros(1), self._p_room
        self._kept += [made, whole, margins, unknown]
        self.hinges = system.equations.hinge_numbers
        self.values = _room(n_q + len(self.hinges) + 1)
        places = self.t, self.states, self.z, p, self._extra, unknown
        found = *places, self.values, self.values[n_q:]
        self.find_q = _bound(made["positions"], *found)
        self.find_rows = _bound(made["rows"], self.q, self.t, self.z, p, self._r)
        speeds = self.q, self.u, self.t, self.z, p, self._a
        self.find_speeds = _bound(made["speeds"], *speeds)
        self.find_X = _bound(whole, self.t, self.x, p, self.X)
        self.find_margins: Callable[[], None] | None = None
        if margins is not None:
            self.find_margins = _bound(margins, self.t, self.x, p, self.margins)
        sides, size = (made.entry for made in native_group(nearest_sides, largest))
        first = made["positions"].address, *map(address, (*places, self.values))
        self._find_sides = partial(sides, *first, n_q, len(f.sided))
        self._left_at = address(self._left)
        self._sides_left = partial(size, len(f.sided), self._left_at)
        self.rows_left = partial(size, self.pose.size, address(self._r))
        self.speeds_left = partial(size, len(f.rows.rows), address(self._a))
        self._wind = self._make_wind(made.get("angles"))

    # --- closed forms ----------------------------------------------------------------------

    def nearest_sides(self, wanted: Wanted, *, farthest: bool) -> float:
        """Write the sides nearest to what is wanted; return the largest miss of a step.

        That of a step is the farthest of its values, or the sum of the squares.
        """
        self._find_sides(*wanted.addresses, int(farthest), self._left_at)
        return self._sides_left()

    def refer(self) -> None:
        """Write the references of turning angles at q."""
        self._wind(0, 0, 0)

    def wind(self, count: int, windable: int) -> None:
        """Write q with least turns of what is windable, and all references.

        `windable` is where the numbers of `count` coordinates lie.
        """
        self._wind(count, windable, self._n_cut)

    def _make_wind(self, angles: NativeFunction | None) -> Callable[..., None]:
        """Return what writes references, of windable coordinates and a count of cut joints."""
        f = self.formulation
        cuts = (*f.counted, *f.summed)
        sums = [f.winding.get(k, ()) for k in f.turning]
        sums += [() for _ in f.counted] + [cut.winding for cut in f.summed]
        terms = [term for own in sums for term in own]
        arrays = [
            np.array([*f.turning, 0], dtype=np.int64),
            _room(len(cuts)),
            np.array([*(cut.start for cut in cuts), 0.0]),
            np.array([*map(len, sums), 0], dtype=np.int64),
            np.array([*(k for k, _ in terms), 0], dtype=np.int64),
            np.array([*(sign for _, sign in terms), 0.0]),
        ]
        starts = np.array(self.layout.starts[0])
        self._kept += [arrays, starts]
        self._n_cut = len(cuts)
        (kernel,) = native_group(wind)
        return partial(
            kernel.entry,
            None if angles is None else angles.address,
            *map(address, (self._p_room, self.q, starts)),
            len(f.turning),
            *map(address, (*arrays, self._references)),
        )

    # --- Newton's method -------------------------------------------------------------------

    def close(self, tolerance: float) -> float:
        """Move the dependent coordinates of q until the loops are closed; return what is left.

        Infinite where it is not certain that this is the one pose near q.
        """
        if self._newton is None:
            self._newton = self._make_newton()
        return self._newton(1e-2 * tolerance)

    def _make_newton(self) -> Callable[[float], float]:
        """Return Newton's method for the dependent coordinates, by the rows that are solved."""
        import casadi

        f, equations = self.formulation, self.system.equations
        t, q, z = equations.symbols("t", "q", "z")
        unknowns, solved = list(f.dependent_q), list(f.solved)
        if len(unknowns) != len(solved):
            return lambda _: math.inf
        r, J = self.pose._function(q, t, z, equations.live)
        J = casadi.SX(J[solved, unknowns])
        rows, columns = (np.array(a, dtype=np.int64) for a in J.sparsity().get_triplet())
        scale = f.scales.coordinates[unknowns]
        entries = J.nz[:] * (scale[columns] / self._row_scale[solved][rows])
        outputs = [casadi.densify(r / self._row_scale), casadi.densify(entries)]
        function = casadi.Function("newton", [q, t, z, equations.live], outputs)
        made = compile_functions({"newton": function})["newton"]
        n = len(unknowns)
        tables = [np.array(own, dtype=np.int64) for own in (unknowns, solved)]
        places, J_room = columns * n + rows, np.zeros(rows.size)
        work = np.zeros(n * n + 2 * n)
        self._kept += [made, tables, scale, places, J_room, work]
        (kernel,) = native_group(close_pose)
        before = partial(
            kernel.entry,
            made.address,
            *map(address, (self.t, self.z, self._p_room, self.q, self._r, J_room)),
            self.pose.size,
            n,
            *map(address, (tables[0], scale, tables[1])),
            rows.size,
            address(places),
        )
        return lambda closed: before(closed, address(work))


class Wanted:
    """Values that closed forms are compared with, step by step, as native code reads them.

    Of each: its place among coordinates and hinges, a value, its unit (0 for an angle), and
    the coordinate that gives the value, −1 for none. `sides` are the sides that steps have.
    """

    def __init__(
        self, steps: Sequence[Sequence[tuple[int, float, float, int]]], sides: Sequence[int]
    ) -> None:
        rows = [row for step in steps for row in step]
        place, value, unit, coordinate = zip(*rows, strict=True) if rows else ((),) * 4
        own = np.array(coordinate, dtype=np.intp)
        self._at = np.flatnonzero(own >= 0)
        self._from = own[self._at]
        self._values = np.array([*value, 0.0])
        self._arrays = [
            np.array([*sides, 0], dtype=np.int64),
            np.array([*map(len, steps), 0], dtype=np.int64),
            np.array([*place, 0], dtype=np.int64),
            self._values,
            np.array([*unit, 0.0]),
        ]
        self.addresses = [address(array) for array in self._arrays]

    def fill(self, q: np.ndarray) -> None:
        """Take the values that coordinates give."""
        self._values[self._at] = q[self._from]


def address(array: np.ndarray) -> int:
    """Return where an array lies, which must stay in memory."""
    return array.ctypes.data


def _room(size: int) -> np.ndarray:
    """Return zeros that have an address even if there are none."""
    return np.zeros(max(size, 1))


def _bound(function: NativeFunction, *arrays: np.ndarray) -> Callable[[], None]:
    """Return a native function with its arguments, which must stay where they are."""
    prototype = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * len(arrays))
    return partial(prototype(function.address), *map(address, arrays))
