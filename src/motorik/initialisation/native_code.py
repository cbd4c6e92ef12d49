"""StartCode: native functions of initialisation, compiled once, and their arrays."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from motorik.compiler import compile_functions
from motorik.compiler.kernels import native_group
from motorik.compiler.symbols import elements, make_function
from motorik.initialisation.kernels import nearest_signs, unwrap
from motorik.loops.formulation import LoopFormulation
from motorik.motion.view import MotionView
from motorik.numerics.continuation import contract_selected
from motorik.numerics.vectors import largest

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.compiler import NativeFunction
    from motorik.initialisation.native_branches import Wanted


class StartCode:
    """Native functions with their arguments in place: for one thread at a time.

    They read and write `t`, `live`, `z`, `states` (coordinates that are states), `q`, `u`,
    the state `x`, the motion `X` and the parameters `p`, of which `signs` are a part. `find_q`
    writes the coordinates that closed forms give to `values`, `find_residuals` and `find_speeds`
    the residuals of positions and speeds, of which `position_residual` and `speed_residual` return
    the largest, without units; conditions are not among them.
    """

    def __init__(self, system: CompiledModel) -> None:
        f, layout = system.formulation, system.layout
        assert isinstance(f, LoopFormulation) and system.mobility is not None
        self.system, self.layout, self.formulation = system, layout, f
        self.pose = system.pose_problem
        self._kept: list[Any] = []  # arrays of native code, which must stay in memory
        self._make_room()
        self._newton: Callable[[float], float] | None = None
        self._bind(self._compiled())

    def _make_room(self) -> None:
        """Lay out the arrays: q, t, z and live parameters, one behind the other, the rest."""
        f, layout = self.formulation, self.layout
        n_q, n_z, n_live = layout.n_q, len(layout.blocks), layout.n_live
        given = np.zeros(n_q + 1 + n_z + n_live + 1)
        self.given, self.moment = given, given[n_q:]
        self.q, self.t, self.z = given[:n_q], given[n_q : n_q + 1], given[n_q + 1 :]
        self._live = self.z[n_z : n_z + n_live]
        self.states = _room(len(f.state_q))
        self._p_room = _room(n_live + f.n_branch_parameters)
        self.p = self._p_room[: n_live + f.n_branch_parameters]
        self.live, self._branch_parameters = self.p[:n_live], self.p[n_live:]
        self.signs = self.p[layout.branch.branches]
        self._references = self.p[layout.branch.unwrapped.start :]  # and offsets
        self.u = _room(layout.n_u)
        self.x, self.X = _room(layout.n_x), np.zeros(layout.n_motion)
        self._r, self._a = _room(self._n_equations), _room(len(f.constraints.equations))
        self._left = _room(len(f.branched_groups))
        self.margins = np.zeros(2 * len(self.system.guarded))

    @property
    def _n_equations(self) -> int:
        """The number of constraint equations on positions."""
        return self.pose.size - self.pose.n_conditions

    def set_moment(self, t: float, z: np.ndarray, live: np.ndarray) -> None:
        """Take time, states of blocks and live parameters."""
        self.t[0], self.z[: z.size] = t, z
        self._live[:] = self.live[:] = live

    def _compiled(self) -> dict[str, NativeFunction]:
        """Return the functions that every start needs."""
        system, f = self.system, self.formulation
        equations = system.equations
        t, q, u, z = equations.symbols("t", "q", "u", "z")
        live = equations.live
        gaps = self.pose._residuals(q, t, z, live)
        r = gaps[self.pose.n_conditions :, :] / self.pose._residual_scale
        y = f.constraints.y_of(elements(q), t, elements(z))
        a = f.constraints.velocity_function(y, u, live) / f.scales.constraints
        motion = MotionView(system.mechanism, elements(q), [0.0] * system.n_u)
        cuts = [
            motion.coordinate(cut.part, cut.name)
            for cut in (*f.unwrapped_cuts, *f.summed_cuts)
        ]
        given = {"q": q, "u": u, "t": t, "z": z, "p": live}
        of_pose = {name: given[name] for name in ("q", "t", "z", "p")}
        functions = {
            "residuals": make_function("residuals", of_pose, r),
            "speeds": make_function("speeds", given, a),
        }
        if f.branched_groups or not f.with_multiplier:
            functions["positions"] = equations.function("positions")
        if cuts:
            functions["angles"] = make_function("angles", {"q": q, "p": live}, cuts)
        return compile_functions(functions)

    def _bind(self, made: dict[str, NativeFunction]) -> None:
        """Put functions and their arguments together."""
        system, f = self.system, self.formulation
        whole, margins, p = system.full_state, system.margins, self._p_room
        self._kept += [made, whole, margins]
        self.find_residuals = _bound(made["residuals"], self.q, self.t, self.z, p, self._r)
        speeds = self.q, self.u, self.t, self.z, p, self._a
        self.find_speeds = _bound(made["speeds"], *speeds)
        self.find_X = _bound(whole, self.t, self.x, p, self.X)
        self.project: Callable[[], None] | None = None
        if system.project is not None:
            self.projected = _room(self.layout.n_x)
            self.project = _bound(system.project, self.t, self.x, p, self.projected)
        self.find_margins: Callable[[], None] | None = None
        if margins is not None and (f.branched_groups or f.equilibrium is not None):
            self.find_margins = _bound(margins, self.t, self.x, p, self.margins)
        (size,) = (made.entry for made in native_group(largest))
        self._left_at = address(self._left)
        self._branch_distance = partial(size, len(f.branched_groups), self._left_at)
        self.position_residual = partial(size, self._n_equations, address(self._r))
        self.motion_size = partial(size, self.X.size, address(self.X))
        self.speed_residual = partial(size, len(f.constraints.equations), address(self._a))
        self._unwrap = self._make_unwrap(made.get("angles"))
        if "positions" in made:
            self._bind_forms(made["positions"])

    def _bind_forms(self, positions: NativeFunction) -> None:
        """Put closed forms and their arguments together."""
        n_q, f = self.layout.n_q, self.formulation
        self.hinges = self.system.equations.hinge_numbers
        self.values = _room(n_q + len(self.hinges) + 1)
        places = self.t, self.states, self.z, self._p_room, self._branch_parameters
        self.find_q = _bound(positions, *places, self.values, self.values[n_q:])
        (signs,) = (made.entry for made in native_group(nearest_signs))
        first = positions.address, *map(address, (*places, self.values))
        self._find_signs = partial(signs, *first, n_q, len(f.branched_groups))

    # --- closed forms ----------------------------------------------------------------------

    def nearest_signs(self, wanted: Wanted, *, farthest: bool) -> float:
        """Write the signs that lead nearest to the wanted values; return the largest deviation.

        That of a step is the farthest of its values, or the sum of the squares.
        """
        self._find_signs(*wanted.addresses, int(farthest), self._left_at)
        return self._branch_distance()

    def refer(self) -> None:
        """Write the references of unwrapped angles at q."""
        self._unwrap(0, 0, 0)

    def unwrap(self, count: int, unwrappable: int) -> None:
        """Write q with the least turns of some coordinates, and all references of unwrapped angles.

        `unwrappable` is the address of the numbers of these `count` coordinates.
        """
        self._unwrap(count, unwrappable, self._n_cut)

    def _make_unwrap(self, angles: NativeFunction | None) -> Callable[..., None]:
        """Return the function that writes q and references of unwrapped angles."""
        f = self.formulation
        cuts = (*f.unwrapped_cuts, *f.summed_cuts)
        sums = [f.angle_sums.get(k, ()) for k in f.unwrapped]
        sums += [() for _ in f.unwrapped_cuts] + [cut.terms for cut in f.summed_cuts]
        terms = [term for own in sums for term in own]
        arrays = [
            np.array([*f.unwrapped, 0], dtype=np.int64),
            _room(len(cuts)),
            np.array([*(cut.start for cut in cuts), 0.0]),
            np.array([*map(len, sums), 0], dtype=np.int64),
            np.array([*(k for k, _ in terms), 0], dtype=np.int64),
            np.array([*(sign for _, sign in terms), 0.0]),
        ]
        starts = np.array(self.layout.starts[0])
        self._kept += [arrays, starts]
        self._n_cut = len(cuts)
        (kernel,) = native_group(unwrap)
        return partial(
            kernel.entry,
            None if angles is None else angles.address,
            *map(address, (self._p_room, self.q, starts)),
            len(f.unwrapped),
            *map(address, (*arrays, self._references)),
        )

    # --- Newton's method -------------------------------------------------------------------

    def close(self, tolerance: float) -> float:
        """Close the loops by the dependent coordinates of q; return the largest residual.

        Infinite where it is not certain that this is the one pose near q.
        """
        if self._newton is None:
            self._newton = self._make_newton()
        return self._newton(1e-2 * tolerance)

    def _make_newton(self) -> Callable[[float], float]:
        """Return Newton's method for the dependent coordinates, by as many constraint equations."""
        import casadi

        f, equations = self.formulation, self.system.equations
        t, q, z = equations.symbols("t", "q", "z")
        unknowns, solved = list(f.dependent_q), list(f.solved)
        if len(unknowns) != len(solved):
            return lambda _: math.inf
        n_conditions, residual_scale = self.pose.n_conditions, self.pose._residual_scale
        r, J = (a[n_conditions:, :] for a in self.pose._function(q, t, z, equations.live))
        J = casadi.SX(J[solved, unknowns])
        rows, columns = (np.array(a, dtype=np.int64) for a in J.sparsity().get_triplet())
        scale = f.scales.coordinates[unknowns]
        entries = J.nz[:] * (scale[columns] / residual_scale[solved][rows])
        outputs = [casadi.densify(r / residual_scale), casadi.densify(entries)]
        function = casadi.Function("newton", [q, t, z, equations.live], outputs)
        made = compile_functions({"newton": function})["newton"]
        n = len(unknowns)
        tables = [np.array(own, dtype=np.int64) for own in (unknowns, solved)]
        places, J_room = columns * n + rows, np.zeros(rows.size)
        work = np.zeros(n * n + 2 * n)
        self._kept += [made, tables, scale, places, J_room, work]
        (kernel,) = native_group(contract_selected)
        before = partial(
            kernel.entry,
            made.address,
            *map(address, (self.t, self.z, self._p_room, self.q, self._r, J_room)),
            self._n_equations,
            n,
            *map(address, (tables[0], scale, tables[1])),
            rows.size,
            address(places),
        )
        return lambda closed: before(closed, address(work))


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
