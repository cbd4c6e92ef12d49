"""StartCode: native functions of initialisation, compiled once, and the memory that they need."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from motorik.compiler import compile_functions
from motorik.compiler.symbols import elements, make_function
from motorik.initialisation.native_branches import by_guesses, by_pose
from motorik.initialisation.native_constraints import PoseCode, are_small, make_functions
from motorik.initialisation.native_speeds import SpeedCode, speed_functions
from motorik.initialisation.start_layout import Answer, StartTable, Table
from motorik.loops.formulation import LoopFormulation
from motorik.loops.guesses import speed_guesses
from motorik.loops.position_problem import is_hidden
from motorik.motion.view import MotionView

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.compiler import NativeFunction
    from motorik.initialisation.native_constraints import Functions


class StartFunctions:
    """The native functions of starts of a system, made when they are needed; threads share them."""

    def __init__(self, system: CompiledModel) -> None:
        f = system.formulation
        assert isinstance(f, LoopFormulation) and system.mobility is not None
        self.system, self.formulation, self.pose = system, f, system.pose_problem
        self.made = self._compiled()

    def _compiled(self) -> Functions:
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

    @cached_property
    def of_pose(self) -> Functions | None:
        """Those of all positions in blocks; None for large mechanisms."""
        return make_functions(self.pose.blocks) if are_small(self.pose.blocks) else None

    @cached_property
    def of_speeds(self) -> Functions | None:
        """Those of all speeds in blocks; None for large mechanisms."""
        return speed_functions(self.system) if SpeedCode.suits(self.system) else None

    @property
    def is_square(self) -> bool:
        """Whether there are as many equations as dependent coordinates."""
        return len(self.formulation.dependent_q) == len(self.formulation.solved)

    @cached_property
    def dependent(self) -> tuple[NativeFunction, np.ndarray, np.ndarray]:
        """Residuals and Jacobian by dependent coordinates; rows and columns of its entries."""
        import casadi

        f, equations = self.formulation, self.system.equations
        t, q, z = equations.symbols("t", "q", "z")
        unknowns, solved = list(f.dependent_q), list(f.solved)
        n_conditions, residual_scale = self.pose.n_conditions, self.pose._residual_scale
        r, J = (a[n_conditions:, :] for a in self.pose._function(q, t, z, equations.live))
        J = casadi.SX(J[solved, unknowns])
        rows, columns = (np.array(a, dtype=np.int64) for a in J.sparsity().get_triplet())
        scale = f.scales.coordinates[unknowns]
        entries = J.nz[:] * (scale[columns] / residual_scale[solved][rows])
        outputs = [casadi.densify(r / residual_scale), casadi.densify(entries)]
        function = casadi.Function("newton", [q, t, z, equations.live], outputs)
        return compile_functions({"newton": function})["newton"], rows, columns


class StartCode:
    """The memory of starts and its table, as kernels read it: for one thread at a time.

    They read and write `t`, `live`, `z`, `q`, `u`, the state `x`, the motion `X` and the
    parameters `p`, of which `signs` are a part, and `values`, the coordinates that closed forms
    give. `guess` is the pose from which is searched.
    """

    def __init__(self, functions: StartFunctions) -> None:
        system = functions.system
        self.functions, self.system, self.layout = functions, system, system.layout
        self.formulation = functions.formulation
        self.table = Table(StartTable, StartTable.SIZE)
        self._kept: list[object] = []  # what the table has addresses of
        self.pose: PoseCode | None = None
        self.speeds: SpeedCode | None = None
        self.is_guessed = bool(speed_guesses(system.mechanism))  # speeds of bodies
        self._make_room()
        self._set_functions()
        self._set_unwrapping()
        self._set_forms()
        if self._has_conditions:
            self.make(Answer.NEEDS_POSE)

    # --- memory ----------------------------------------------------------------------------

    def _make_room(self) -> None:
        """Lay out the arrays: q, t, z and live parameters, one behind the other, the rest."""
        f, layout, system = self.formulation, self.layout, self.system
        n_q, n_z, n_live = layout.n_q, len(layout.blocks), layout.n_live
        given = np.zeros(n_q + 1 + n_z + n_live + 1)
        self.given = given
        self.q, self.t, self.z = given[:n_q], given[n_q : n_q + 1], given[n_q + 1 :][:n_z]
        n_p = n_live + f.n_branch_parameters
        room = _room(n_p)
        self.p = room[:n_p]
        self.live = self.p[:n_live]
        self.signs = self.p[layout.branch.branches]
        self.u, self.x, self.X = (
            _room(layout.n_u),
            _room(layout.n_x),
            _room(layout.n_motion),
        )
        has_forms = "positions" in self.functions.made
        hinges = system.equations.hinge_numbers if has_forms else ()
        self.values = _room(n_q + len(hinges) + 1)
        assert system.mobility is not None
        self.guess = np.array(system.mobility.q, dtype=float)
        n_equations = functions_size(self.functions)
        n_guarded = len(system.guarded)
        self.table.set(
            n_q=n_q,
            n_u=layout.n_u,
            n_z=n_z,
            n_live=n_live,
            n_x=layout.n_x,
            n_motion=layout.n_motion,
            n_p=n_p,
            n_state_q=len(f.state_q),
            n_state_u=len(f.state_u),
            n_steps=len(f.branched_groups),
            n_equations=n_equations,
            n_velocity=len(f.constraints.equations),
            n_margins=n_guarded,
            given=given,
            p=room,
            states=_room(len(f.state_q)),
            u=self.u,
            x=self.x,
            X=self.X,
            values=self.values,
            r=_room(n_equations),
            a=_room(len(f.constraints.equations)),
            left=_room(len(f.branched_groups)),
            margin=_room(2 * n_guarded),
            projected=_room(layout.n_x),
            guess=self.guess,
            starts=np.array(layout.starts[0]),
            state_q=_places(f.state_q),
            state_u=_places(f.state_u),
            coordinates=np.array(f.scales.coordinates, dtype=float),
            unit_u=np.array(f.scales.speeds, dtype=float),
            last_signs=np.ones(len(f.branched_groups) + 1),
            branches=layout.branch.branches.start - n_live,
            references=layout.branch.unwrapped.start,
        )

    @property
    def _has_conditions(self) -> bool:
        """Whether there are conditions on positions."""
        return any(own.level == 0 for own in self.system.mechanism.initial_conditions)

    def _set_functions(self) -> None:
        """Put functions into the table, and what kind of starts these are."""
        system, f, made = self.system, self.formulation, self.functions.made
        is_guarded = bool(f.branched_groups) or f.equilibrium is not None
        conditions = system.mechanism.initial_conditions
        is_plain = not (any(map(is_hidden, system.mechanism.links)) or conditions)
        is_plain = is_plain and not f.with_multiplier
        self.table.set(
            residuals=made["residuals"],
            speeds=made["speeds"],
            positions=made.get("positions"),
            angles=made.get("angles"),
            full_state=system.full_state,
            project=system.project,
            margins=system.margins if is_guarded else None,
            contracts=int(is_plain and self.functions.is_square),
            conditions=int(self._has_conditions),
            guessed=int(self.is_guessed),
        )

    def _set_unwrapping(self) -> None:
        """Put unwrapped angles into the table, and the sums that are taken off."""
        f = self.formulation
        cuts = (*f.unwrapped_cuts, *f.summed_cuts)
        sums = [f.angle_sums.get(k, ()) for k in f.unwrapped]
        sums += [() for _ in f.unwrapped_cuts] + [cut.terms for cut in f.summed_cuts]
        terms = [term for own in sums for term in own]
        self.table.set(
            n_unwrapped=len(f.unwrapped),
            n_cut=len(cuts),
            turning=_places(f.unwrapped),
            cut=_room(len(cuts)),
            cut_starts=np.array([*(cut.start for cut in cuts), 0.0]),
            counts=_places([*map(len, sums)]),
            others=_places([k for k, _ in terms]),
            signs=np.array([*(sign for _, sign in terms), 0.0]),
        )

    def _set_forms(self) -> None:
        """Put closed forms into the table, and the values that they are compared with."""
        system, f = self.system, self.formulation
        formed = [k for form in f.forms for k in form.outputs]
        turns = {k for k, _ in f.constraints.revolutes}
        of_guesses = None
        if f.forms and not f.with_multiplier:
            of_guesses = by_guesses(system, system.equations.hinge_numbers)
        of_pose = by_pose(system)
        self.has_guesses = of_guesses is not None  # that closed forms are compared with
        self._kept += [of_guesses, of_pose]
        self.table.set(
            n_formed=len(formed),
            formed=_places(formed),
            turns=_places([int(k in turns) for k in formed]),
            guesses=int(of_guesses is not None),
            guess_wanted=None if of_guesses is None else of_guesses.table,
            pose_wanted=of_pose.table,
        )

    # --- what is made when it is needed ------------------------------------------------------

    def make(self, needed: int) -> None:
        """Make the code that an `Answer` asks for."""
        if needed == Answer.NEEDS_NEWTON:
            self._make_newton()
        elif needed == Answer.NEEDS_POSE:
            made = self.functions.of_pose
            if made is not None:
                moment = self.given[self.layout.n_q :].ctypes.data
                self.pose = PoseCode(self.functions.pose, moment, made)
            self._set_parts("pose_parts", self.pose)
        else:
            made = self.functions.of_speeds
            if made is not None:
                self.speeds = SpeedCode(self.system, self.given, made)
            self._set_parts("speed_parts", self.speeds)

    def _set_parts(self, name: str, parts: PoseCode | SpeedCode | None) -> None:
        """Put blocks into the table; −1 says that they are too large."""
        self.table.set(**{name: -1 if parts is None else parts.table})

    def _make_newton(self) -> None:
        """Put Newton's method for the dependent coordinates into the table."""
        f = self.formulation
        function, rows, columns = self.functions.dependent
        unknowns, n = list(f.dependent_q), len(f.dependent_q)
        self.table.set(
            newton=function,
            n_unknowns=n,
            unknowns=_places(unknowns),
            unknown_scale=np.append(f.scales.coordinates[unknowns], 1.0),
            solved=_places(f.solved),
            n_entries=rows.size,
            places=_places(columns * n + rows),
            J=_room(rows.size),
            newton_work=np.zeros(n * n + 2 * n + 1),
        )


def functions_size(functions: StartFunctions) -> int:
    """Return the number of constraint equations on positions."""
    return functions.pose.size - functions.pose.n_conditions


def _places(values: Iterable[int]) -> np.ndarray:
    """Return integers as kernels read them, and one more."""
    return np.array([*values, 0], dtype=np.int64)


def _room(size: int) -> np.ndarray:
    """Return zeros that have an address even if there are none."""
    return np.zeros(max(size, 1))
