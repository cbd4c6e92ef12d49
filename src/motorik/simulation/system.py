"""System: a model assembled and compiled, its equations as native and as CasADi functions."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from motorik.algebra.dyad import kinetic_energy
from motorik.algebra.matrix import Matrix
from motorik.algebra.scalar import Scalar, add, is_structural
from motorik.assembly import traced
from motorik.assembly.catalogue import Catalogue, flatten
from motorik.assembly.constrained import LoopEquations
from motorik.assembly.decide import Wanted, formulate, released
from motorik.assembly.equations import LoopedEquations, TreeEquations, radians, split
from motorik.assembly.formulation import AUTO, ClosedForm
from motorik.assembly.reframe import can_reframe
from motorik.assembly.view import MotionView
from motorik.compiler import (
    NativeFunction,
    compile_function,
    count_instructions,
    has_cases,
)
from motorik.components.composite import Composite
from motorik.components.part import Part
from motorik.components.values import LiveScalar
from motorik.errors import AssemblyError, MotorikError, UnknownNameError, suggest
from motorik.simulation.methods.gbs_plan import LANES
from motorik.simulation.programs import Loop, Program, column, program_with_loops

if TYPE_CHECKING:
    import casadi

ROLL_FROM = 48  # freedoms from which equal links share their code
COMPARE_UP_TO = 12  # freedoms up to which factorisation is tried against articulated bodies


MOST_REDUNDANT = 80  # constraint rows up to which reactions of least sum are sought
UNIQUE = 1e-9  # singular values of G below this part of the largest count as zero


@dataclass(frozen=True)
class Outputs:
    """A native function to variables, and whether it needs the multipliers of loops."""

    function: NativeFunction
    needs_multipliers: bool


class System:
    """The compiled equations of a model.

    Every function is native and is compiled when first used; `function(name)` gives the same
    equations as a `casadi.Function`. Arguments are flat arrays: time t, state x = (q, u),
    coordinates q, speeds u and their rates ud, generalised forces tau, live parameters p.
    Where loops are closed in closed form only some coordinates and speeds are states;
    X = (q, u, z) holds all of them and the states z of signal blocks. After the live
    parameters p holds the sides of closed forms and reference angles (`Run` sets them).

    ====================  =======================  ==========================================
    name                  arguments                value
    ====================  =======================  ==========================================
    derivative            t, x, p                  dx/dt
    whole                 t, x, p                  X
    whole_rates           t, X, p                  dX/dt
    forward_dynamics      q, u, tau, p             du/dt under tau and the model's own forces
    inverse_dynamics      q, u, ud, p              forces needed beside the model's own ones
                                                   in the tree (loops: without multipliers)
    mass_matrix           q, p                     M of the tree, by columns
    jacobian              t, x, p                  ∂(dx/dt)/∂x, by columns
    settle                t, x, p                  x with unit quaternions and loops closed
    kinematics            q, u, p                  of each body: r_0, R by rows, w_a, v_0
    energy                t, X, p                  kinetic, potential (NaN if gravity is a
                                                   user's function) and stored energy [J]
    constraints           t, X, p                  g and then a of all constraint rows
    constraint_matrix     t, X, p                  G of all constraint rows, by columns
    margins               t, x, p                  of each closed form: 0 at its dead centre,
                                                   and then their rates
    ====================  =======================  ==========================================
    """

    def __init__(self, model: Composite, wanted: Wanted | None = None) -> None:
        import casadi

        live = [
            e for parameter in model.live_parameters().values() for e in parameter.elements
        ]
        self._live = casadi.SX.sym("p", len(live))
        symbols = dict(zip(live, _elements(self._live), strict=True))
        self.parameters: list[LiveScalar] = live
        self.wanted = wanted or Wanted()
        self.mechanism, self.formulation = formulate(
            model,
            self._live,
            lambda scalar: symbols[scalar],
            self.parameter_values(),
            self.wanted,
        )
        self._set_up()
        self._live_parts = [part for part in model.walk() if part.has_live_parameters]

    def projected(self) -> System:
        """Return the same mechanism with every loop held by multipliers and projection."""
        return self._projected

    @cached_property
    def _projected(self) -> System:
        assert self.formulation is not None
        twin = object.__new__(System)
        twin._live, twin.parameters, twin.wanted = self._live, self.parameters, self.wanted
        twin.mechanism, twin._live_parts = self.mechanism, self._live_parts
        twin.__dict__["closed_twin"] = None
        twin.formulation = released(self.formulation)
        twin._set_up()
        return twin

    def _set_up(self) -> None:
        import casadi

        self.equations: TreeEquations | LoopedEquations = TreeEquations(self.mechanism)
        n_extra = 0
        if self.formulation is not None:
            loops = LoopEquations(self.formulation, self.parameter_values())
            self.equations = LoopedEquations(loops)
            n_extra = self.formulation.n_extra
        self._extra = casadi.SX.sym("extra", n_extra)
        n_unknown = 0 if self.formulation is None else len(self.formulation.unknowns)
        self._unknown = casadi.SX.sym("unknown", n_unknown)
        self.programs: dict[str, Program] = {}
        self.starts: dict[Any, Any] = {}  # starts of runs found before, by what was given
        self._p = casadi.vertcat(self._live, self._extra)
        self.catalogue = Catalogue(self.mechanism)
        self.algorithm = ""
        self._functions: dict[str, casadi.Function] = {}
        self._natives: dict[str, NativeFunction] = {}
        self._outputs: dict[tuple[str, ...], Outputs] = {}
        whole = [*self.mechanism.states, *self.mechanism.signals.states]
        self.whole_states = whole
        self.state_names = [state.name for state in whole]
        self.state_index = {name: i for i, name in enumerate(self.state_names)}
        self.integrated = [self.state_index[s.name] for s in self.equations.states]
        self._shapes: dict[str, tuple[int, ...]] = {}
        self.is_checked = False
        self._parameter_index = {s: i for i, s in enumerate(self.parameters)}
        self._checked: dict[Part, dict[int, float]] = {}  # values that parts have accepted

    # --- sizes and values ------------------------------------------------------------------

    @property
    def n_q(self) -> int:
        """The number of coordinates."""
        return self.mechanism.n_q

    @property
    def n_u(self) -> int:
        """The number of speeds."""
        return self.mechanism.n_u

    @property
    def n_x(self) -> int:
        """The number of states that are integrated."""
        return len(self.integrated)

    @property
    def n_whole(self) -> int:
        """The number of all coordinates, speeds and states of blocks."""
        return len(self.state_names)

    @property
    def freedom(self) -> int:
        """The degree of freedom."""
        return self.n_u if self.formulation is None else self.formulation.freedom

    def parameter_values(self) -> np.ndarray:
        """Return the present values of the live parameters."""
        return np.array([scalar.value for scalar in self.parameters], dtype=float)

    def check_parameters(self, p: np.ndarray) -> None:
        """Raise `ParameterError` if live parameters have values that no real part has."""
        now = p.tolist()
        for part in self._live_parts:
            accepted = self._checked.get(part)
            if accepted is None or any(now[i] != value for i, value in accepted.items()):
                self._checked[part] = self._check_part(part, now)

    def _check_part(self, part: Part, now: Sequence[float]) -> dict[int, float]:
        """Return the live values that a part reads and finds right."""
        read: dict[int, float] = {}

        def resolve(scalar: LiveScalar) -> float:
            i = self._parameter_index[scalar]
            read[i] = now[i]
            return now[i]

        part.check_live(resolve)
        return read

    @cached_property
    def start(self) -> tuple[np.ndarray, np.ndarray]:
        """The start values of the states as the parts give them, and which are fixed."""
        starts = [state.start for state in self.whole_states]
        values = np.array([float(start.value) for start in starts])  # type: ignore[arg-type]
        return values, np.array([start.is_fixed for start in starts], dtype=bool)

    @property
    def symbols(self) -> Any:
        """The symbols of the live parameters."""
        return self._live

    def shape_of(self, name: str) -> tuple[int, ...]:
        """Return the shape of a variable at one instant."""
        if name not in self._shapes:
            entry, index = self.catalogue.find(name)
            if index is not None:
                self._shapes[name] = ()
            else:
                self._shapes[name] = flatten(entry.value(self._any_view))[1]
        return self._shapes[name]

    @cached_property
    def _any_view(self) -> MotionView:
        """The mechanism in any motion: one view, so that what variables share is found once."""
        q, u, ud, z, multipliers = (
            _elements(symbols) for symbols in self._symbols("q", "u", "ud", "z", "lambda")
        )
        return MotionView(self.mechanism, q, u, ud, 0.0, z, multipliers)

    @cached_property
    def _lambda_names(self) -> list[str]:
        """The parts whose multipliers there are, one for each constraint row."""
        if self.formulation is None:
            return []
        return [row.part for row in self.formulation.rows.rows]

    @cached_property
    def has_kinks(self) -> bool:
        """Whether forces are given by cases, so that methods of high order step over corners."""
        if self.is_rolled or self.iterates:
            return False
        return has_cases(self.function("derivative"))

    @property
    def is_rolled(self) -> bool:
        """Whether equal links share one piece of native code."""
        m = self.mechanism
        simple = not (m.has_loops or m.forces or m.signals.states or self.parameters)
        simple = simple and not any(line.signals for line in m.lines)
        return self.n_u >= ROLL_FROM and simple

    # --- native functions ------------------------------------------------------------------

    @cached_property
    def derivative(self) -> NativeFunction:
        """Native dx/dt of (t, x, p)."""
        if self.iterates:
            self.algorithm = "loops closed by Newton's method in each evaluation"
            return self._program("derivative").function
        if self.is_rolled:
            return self._rolled("derivative", (("t", 1), ("x", self.n_x), ("p", 0)), "dx")
        return self._native("derivative")

    @cached_property
    def derivative_lanes(self) -> NativeFunction:
        """Native dx/dt of four times and states at once, for the method "gbs"."""
        if self.is_rolled:
            sizes = (("t", 1), ("x", self.n_x), ("p", 0))
            return self._rolled("derivative", sizes, "dx", width=LANES)
        return compile_function(self.function("derivative"), width=LANES)

    @cached_property
    def forward_dynamics(self) -> NativeFunction:
        """Native du/dt of (q, u, tau, p)."""
        if self.is_rolled:
            sizes = (("q", self.n_q), ("u", self.n_u), ("tau", self.n_u), ("p", 0))
            return self._rolled("forward_dynamics", sizes, "ud")
        return self._native("forward_dynamics")

    @cached_property
    def inverse_dynamics(self) -> NativeFunction:
        """Native generalised forces of (q, u, ud, p)."""
        return self._native("inverse_dynamics")

    @cached_property
    def mass_matrix(self) -> NativeFunction:
        """Native mass matrix of (q, p), by columns."""
        return self._native("mass_matrix")

    @cached_property
    def jacobian(self) -> NativeFunction:
        """Native Jacobian of dx/dt by x, of (t, x, p), by columns."""
        return self._native("jacobian")

    @cached_property
    def settle(self) -> NativeFunction | None:
        """Native state with unit quaternions and loops closed; None where nothing drifts."""
        if not self.equations.settles:
            return None
        return compile_function(self.function("settle"), replaces=True)

    @property
    def body_names(self) -> list[str]:
        """The parts with mass, in the order of `kinematics`."""
        return [mass.frame.owner.path for mass in self.mechanism.masses]

    @cached_property
    def kinematics(self) -> NativeFunction:
        """Native motion of all bodies, of (q, u, p): 18 numbers for each of `body_names`.

        Position r_0 [m] in the world, orientation R by rows (v_world = R v_body), angular
        velocity w_a [rad/s] in the body's frame_a and velocity v_0 [m/s] in the world.
        """
        return self._native("kinematics")

    @cached_property
    def energy(self) -> NativeFunction:
        """Native kinetic, potential and stored energy of (t, X, p)."""
        return self._native("energy")

    @cached_property
    def whole(self) -> NativeFunction:
        """Native X of (t, x, p)."""
        return self._program("whole").function if self.iterates else self._native("whole")

    @cached_property
    def whole_rates(self) -> NativeFunction:
        """Native dX/dt of (t, X, p)."""
        return self.derivative if self.formulation is None else self._native("whole_rates")

    @cached_property
    def constraints(self) -> NativeFunction:
        """Native g and a of all constraint rows, of (t, X, p)."""
        return self._native("constraints")

    @cached_property
    def margins(self) -> NativeFunction | None:
        """Native margins to dead centres and their rates, of (t, x, p); None without any."""
        if self.iterates:
            return self._program("margins").function
        function = self.function("margins")
        return None if not function.size1_out(0) else compile_function(function)

    @property
    def n_rows(self) -> int:
        """The number of constraint rows, redundant ones included."""
        return len(self._lambda_names)

    def largest_gap(
        self, t: np.ndarray, X: np.ndarray, p: np.ndarray
    ) -> tuple[float, float]:
        """Return the largest gap of the loops at rows of motion, in metres and radians."""
        if self.formulation is None:
            return 0.0, 0.0
        rows = self.formulation.rows
        g = np.abs(self.constraints.map(t.reshape(-1, 1), X, p))[:, : rows.n_holonomic]
        units = np.array([row.unit for row in rows.rows[: rows.n_holonomic]])
        in_metres = g[:, units == "m"].max(initial=0.0)
        return float(in_metres), float(g[:, units != "m"].max(initial=0.0))

    def multipliers(
        self, t: np.ndarray, X: np.ndarray, ud: np.ndarray, p: np.ndarray
    ) -> np.ndarray:
        """Return the multipliers of all constraint rows at rows of motion, of least norm.

        Gᵀ λ = M u̇ + h − τ. Where constraints are redundant many λ do; those are taken with
        which the forces and moments at all joints [N, N·m] are smallest in the sum of their
        squares (with more than `MOST_REDUNDANT` rows, those with the smallest λ).
        """
        n_rows, times = self.n_rows, t.reshape(-1, 1)
        needed = self._native("imbalance").map(times, X, ud, p)
        G = self._native("constraint_matrix").map(times, X, p)
        transposed = G.reshape(len(t), self.n_u, n_rows)
        found = (np.linalg.pinv(transposed, rcond=UNIQUE) @ needed[:, :, None])[:, :, 0]
        assert self.formulation is not None
        is_unique = not any(d.cluster.redundant for d in self.formulation.decisions)
        if is_unique or n_rows > MOST_REDUNDANT:
            return found
        q, u, z = split(self.mechanism, X.T)
        W, B = self._native("joint_forces").map(
            times,
            q.T,
            u.T,
            ud,
            z.T,
            found,
            p,  # type: ignore[attr-defined]
        )
        for i in range(len(t)):
            _, sizes, V = np.linalg.svd(transposed[i])
            rank = int(np.sum(sizes > UNIQUE * max(float(sizes.max(initial=0.0)), 1e-300)))
            freely = V[rank:].T
            if freely.size:
                response = B[i].reshape(n_rows, -1).T @ freely
                found[i] -= freely @ np.linalg.lstsq(response, W[i], rcond=UNIQUE)[0]
        return found

    def _make_joint_forces(self) -> casadi.Function:
        import casadi

        t, q, u, ud, z, multipliers = self._symbols("t", "q", "u", "ud", "z", "lambda")
        view = MotionView(
            self.mechanism,
            _elements(q),
            _elements(u),
            _elements(ud),
            t,
            _elements(z),
            _elements(multipliers),
        )
        values: list[Scalar] = []
        for edge in self.mechanism.stock.joints:
            force = view.cut(edge.frame_b)
            values += [*force.resultant.xyz, *force.moment.xyz]
        W = casadi.densify(casadi.SX(casadi.vertcat(*values)))
        B = casadi.vec(casadi.densify(casadi.jacobian(W, multipliers)))
        return casadi.Function(
            "joint_forces", [t, q, u, ud, z, multipliers, self._p], [W, B]
        )

    def closed_form_names(self) -> list[str]:
        """Return each closed form that has a dead centre, in words."""
        if self.formulation is None:
            return []
        if self.iterates:
            kept = [self.mechanism.coordinates[k].name for k in self.formulation.state_q]
            return [f"the loops' position, told by {', '.join(kept)},"]
        return [
            f"the {step.title} of {', '.join(form.hinges[h].name for h in step.hinges)}"
            for form in self.formulation.steps
            if isinstance(form, ClosedForm)
            for step in form.plan.steps
            if step.sides > 1
        ]

    def chosen_algorithm(self) -> str:
        """Return how forward dynamics is computed, and at what cost."""
        _ = self.derivative
        return self.algorithm

    def outputs(self, names: Sequence[str]) -> Outputs:
        """Return the native function of the motion to the named variables, end to end.

        Its arguments are t, q, u, ud, z, multipliers and p.
        """
        key = tuple(names)
        if key not in self._outputs:
            function = self.output_function(key)
            needs = bool(function.jac_sparsity(0, 5).nnz()) if self._lambda_names else False
            self._outputs[key] = Outputs(compile_function(function), needs)
        return self._outputs[key]

    def _native(self, name: str) -> NativeFunction:
        if name not in self._natives:
            self._natives[name] = compile_function(self.function(name))
        return self._natives[name]

    @cached_property
    def wrapped_angles(self) -> dict[str, str]:
        """The angles of joints that close loops, known but for full turns, with their speeds."""
        found = {}
        for closure in self.mechanism.closures:
            edge = closure.edge
            if edge is None or closure.winding or len(edge.names) != len(edge.speed_names):
                continue
            pairs = zip(edge.names, edge.speed_names, edge.joint.coordinates, strict=True)
            for name, speed, coordinate in pairs:
                if coordinate.unit == "rad":
                    found[f"{closure.part}.{name}"] = f"{closure.part}.{speed}"
        return found

    def _rolled(
        self, name: str, sizes: Sequence[tuple[str, int]], out: str, width: int = 1
    ) -> NativeFunction:
        from motorik.compiler import Tape

        tape = Tape()
        given = {key: tape.input(key, size) for key, size in sizes}
        if name == "derivative":
            result = traced.derivative(self.mechanism, given["t"][0], given["x"], tape)
        else:
            result = traced.speed_rates(
                self.mechanism, given["q"], given["u"], given["tau"], tape
            )
        tape.output(out, result)
        self.algorithm = "articulated body, equal links sharing their code"
        return tape.compile(name=name, width=width)

    # --- CasADi functions ------------------------------------------------------------------

    def function(self, name: str) -> casadi.Function:
        """Return one of the functions in the table above as a `casadi.Function`."""
        if self.iterates and name in ("derivative", "whole", "jacobian"):
            raise AssemblyError(
                self.mechanism.name,
                f"{name} iterates (strategy 'minimal') and is no CasADi function.",
                "Compile the model with another strategy.",
            )
        if name not in self._functions:
            makers: dict[str, Callable[[], Any]] = {
                "derivative": self._make_derivative,
                "forward_dynamics": self._make_forward_dynamics,
                "inverse_dynamics": self._make_inverse_dynamics,
                "mass_matrix": self._make_mass_matrix,
                "jacobian": self._make_jacobian,
                "settle": self._make_settle,
                "kinematics": self._make_kinematics,
                "energy": self._make_energy,
                "whole": self._make_whole,
                "whole_rates": self._make_whole_rates,
                "constraints": self._make_constraints,
                "constraint_matrix": self._make_constraint_matrix,
                "imbalance": self._make_imbalance,
                "joint_forces": self._make_joint_forces,
                "margins": self._make_margins,
            }
            if name not in makers:
                raise UnknownNameError(
                    self.mechanism.name, f"has no function {name!r}.", suggest(name, makers)
                )
            self._functions[name] = makers[name]()
        return self._functions[name]

    def output_function(self, names: Sequence[str]) -> casadi.Function:
        """Return the `casadi.Function` of the motion to the named variables."""
        t, q, u, ud, z, multipliers = self._symbols("t", "q", "u", "ud", "z", "lambda")
        view = MotionView(
            self.mechanism,
            _elements(q),
            _elements(u),
            _elements(ud),
            t,
            _elements(z),
            _elements(multipliers),
        )
        values: list[Scalar] = []
        for name in names:
            entry, index = self.catalogue.find(name)
            flat, shape = flatten(entry.value(view))
            if index is not None:
                flat = [flat[position(name, index, shape)]]
            values += flat
        given = {"t": t, "q": q, "u": u, "ud": ud, "z": z, "multipliers": multipliers}
        return _function("outputs", {**given, "p": self._p}, values)

    def _all_extra(self) -> list[Any]:
        return [*_elements(self._extra), *_elements(self._unknown)]

    @property
    def iterates(self) -> bool:
        """Whether loops are closed by Newton's method in each evaluation."""
        return self._unknown.numel() > 0

    def remember(self, X: np.ndarray) -> None:
        """Let the iterations of loops begin at a motion."""
        if self.iterates:
            assert self.formulation is not None
            for name in ("derivative", "whole", "margins"):
                self._program(name).memory[:] = X[self.formulation.unknowns]

    def _program(self, name: str) -> Program:
        """Return a function of (t, x, p) with Newton's method in it."""
        if name not in self.programs:
            import casadi

            assert isinstance(self.equations, LoopedEquations) and self.formulation
            f = self.formulation
            t, x = self._symbols("t", "x")
            q, u, z = self.equations._split(_elements(x))
            instant = self.equations.loops.at(t, q, u, z, self._all_extra())
            at = {row: k for k, row in enumerate(f.solved)}
            rows = [r for r in f.solved if f.rows.rows[r].relation is None and r in at]
            loop = Loop(
                ", ".join(d.cluster.names(self.mechanism)[-1] for d in f.decisions),
                symbols=_elements(self._unknown),
                guess=[0.0] * len(f.unknowns),
                residuals=[instant.gaps[r] for r in rows],
            )
            if name == "margins":
                made = self._solvability(instant)
            else:
                made = getattr(self.equations, name)(t, _elements(x), self._all_extra())
            outputs = {"out": column(made)}
            p = casadi.vertcat(self._live, self._extra)
            given = {"t": t, "x": x, "p": p}
            self.programs[name] = program_with_loops(name, given, outputs, [loop])
        return self.programs[name]

    def _solvability(self, instant: Any) -> list[Any]:
        """Return how well speeds follow from those of the states, 1 at the start, and its rate."""
        import casadi

        f = self.formulation
        assert f is not None
        scale = _elements(self._extra)[-1]
        value = instant.solvability()
        margin = value * casadi.fabs(value) / (scale * casadi.fabs(scale))
        given = [*instant.q_states, *_elements(self._unknown)]
        rates = traced.coordinate_rates(self.mechanism, instant.q, instant.u)
        moved = casadi.vertcat(*(rates[k] for k in (*f.state_q, *f.unknowns)))
        return [margin, casadi.jtimes(margin, casadi.vertcat(*given), moved)]

    def solvability(self, t: float, X: np.ndarray, p: np.ndarray) -> float:
        """Return how well speeds follow from those of the states in a motion."""
        assert isinstance(self.equations, LoopedEquations)
        time, motion = self._symbols("t", "X")
        q, u, z = split(self.mechanism, _elements(motion))
        value = self.equations.loops.from_all(time, q, u, z).solvability()
        given = {"t": time, "X": motion, "p": self._live}
        return float(
            _function("solvability", given, [value])(t, X, p[: self._live.numel()])
        )

    def _symbols(self, *names: str) -> list[Any]:
        import casadi

        sizes = {"t": 1, "x": self.n_x, "X": self.n_whole, "q": self.n_q}
        sizes |= {
            "z": self.n_whole - self.n_q - self.n_u,
            "lambda": len(self._lambda_names),
        }
        return [casadi.SX.sym(name, sizes.get(name, self.n_u)) for name in names]

    def _make_derivative(self) -> casadi.Function:
        t, x = self._symbols("t", "x")
        return self._cheapest(
            "derivative",
            {"t": t, "x": x, "p": self._p},
            lambda by: self.equations.derivative(t, _elements(x), self._all_extra(), by),
        )

    def _make_forward_dynamics(self) -> casadi.Function:
        q, u, tau = self._symbols("q", "u", "tau")
        return self._cheapest(
            "forward_dynamics",
            {"q": q, "u": u, "tau": tau, "p": self._p},
            lambda by: self.equations.speed_rates(
                0.0,
                [*_elements(q), *_elements(u), *self._block_starts()],
                _elements(tau),
                by,
            ),
        )

    def _cheapest(
        self, name: str, arguments: dict[str, Any], trace: Callable[[str], list[Scalar]]
    ) -> casadi.Function:
        """Return the function by the algorithm with the fewest operations."""
        if self.formulation is not None:
            function = _function(name, arguments, trace(""))
            count = count_instructions(function)
            self.algorithm = f"loops closed within, {count} operations"
            return function
        candidates = [traced.ARTICULATED]
        if 1 < self.n_u <= COMPARE_UP_TO:
            candidates.append(traced.FACTORISED)
        if any(not is_sparse(link.X_pj.R) for link in self.mechanism.links):
            candidates.append(traced.ALIGNED)
            if can_reframe(self.mechanism.links) and not self.mechanism.forces:
                candidates.append(traced.REFRAMED)
        functions = {key: _function(name, arguments, trace(key)) for key in candidates}
        counts = {key: count_instructions(f) for key, f in functions.items()}
        chosen = min(counts, key=lambda key: counts[key])
        others = [f"{key} needs {n}" for key, n in counts.items() if key != chosen]
        self.algorithm = "; ".join([f"{chosen}, {counts[chosen]} operations", *others])
        return functions[chosen]

    def _block_starts(self) -> list[float]:
        return [float(s.start.value) for s in self.mechanism.signals.states]  # type: ignore[arg-type]

    def _make_inverse_dynamics(self) -> casadi.Function:
        q, u, ud = self._symbols("q", "u", "ud")
        values = traced.required_forces(
            self.mechanism,
            _elements(q),
            _elements(u),
            _elements(ud),
            0.0,
            self._block_starts(),
        )
        return _function(
            "inverse_dynamics", {"q": q, "u": u, "ud": ud, "p": self._p}, values
        )

    def _make_mass_matrix(self) -> casadi.Function:
        (q,) = self._symbols("q")
        values = traced.inertia_matrix(self.mechanism, _elements(q))
        return _function("mass_matrix", {"q": q, "p": self._p}, values)

    def _make_jacobian(self) -> casadi.Function:
        import casadi

        dynamics = self.function("derivative")
        t, x = self._symbols("t", "x")
        J = casadi.jacobian(dynamics(t, x, self._p), x)
        return _function(
            "jacobian", {"t": t, "x": x, "p": self._p}, casadi.vec(casadi.densify(J))
        )

    def _make_settle(self) -> casadi.Function:
        t, x = self._symbols("t", "x")
        values = self.equations.settled(t, _elements(x), self._all_extra())
        return _function("settle", {"t": t, "x": x, "p": self._p}, values)

    def _make_whole(self) -> casadi.Function:
        t, x = self._symbols("t", "x")
        values = self.equations.whole(t, _elements(x), self._all_extra())
        return _function("whole", {"t": t, "x": x, "p": self._p}, values)

    def _make_whole_rates(self) -> casadi.Function:
        t, X = self._symbols("t", "X")
        values = self.equations.whole_rates(t, _elements(X), self._all_extra())
        return _function("whole_rates", {"t": t, "X": X, "p": self._p}, values)

    def _make_imbalance(self) -> casadi.Function:
        t, X, ud = self._symbols("t", "X", "ud")
        q, u, z = split(self.mechanism, _elements(X))
        values = traced.required_forces(self.mechanism, q, u, _elements(ud), t, z)
        arguments = {"t": t, "X": X, "ud": ud, "p": self._p}
        return _function("imbalance", arguments, values)

    def _make_constraints(self) -> casadi.Function:
        import casadi

        t, X = self._symbols("t", "X")
        values = casadi.SX(0, 1)
        if self.formulation is not None:
            rows = self.formulation.rows
            q, u, z = split(self.mechanism, _elements(X))
            y = rows.y_of(q, t, z)
            g = rows.position_function(y, self._live)
            a = rows.velocity_function(y, casadi.vertcat(*u), self._live)
            values = casadi.vertcat(g, a)
        return _function("constraints", {"t": t, "X": X, "p": self._p}, values)

    def _make_constraint_matrix(self) -> casadi.Function:
        import casadi

        t, X = self._symbols("t", "X")
        values = casadi.SX(0, 1)
        if self.formulation is not None:
            rows = self.formulation.rows
            q, _, z = split(self.mechanism, _elements(X))
            entries = rows.matrix_function(rows.y_of(q, t, z), self._live)
            G = casadi.SX(len(rows.rows), self.n_u)
            for (i, j), value in zip(rows.pattern, _elements(entries), strict=True):
                G[i, j] = value
            values = casadi.vec(casadi.densify(G))
        return _function("constraint_matrix", {"t": t, "X": X, "p": self._p}, values)

    def _make_margins(self) -> casadi.Function:
        import casadi

        t, x = self._symbols("t", "x")
        values: list[Any] = []
        if isinstance(self.equations, LoopedEquations):
            f = self.formulation
            assert f is not None
            q, u, z = self.equations._split(_elements(x))
            instant = self.equations.loops.at(t, q, u, z, self._all_extra())
            found = [m for m in instant.margins if not isinstance(m, float)]
            if found:
                margins = casadi.vertcat(*found)
                moved = casadi.vertcat(*q) if q else casadi.SX(0, 1)
                rates = traced.coordinate_rates(self.mechanism, instant.q, instant.u)
                by = casadi.vertcat(*(rates[k] for k in f.state_q))
                values = [margins, casadi.jtimes(margins, moved, by)]
        out = casadi.vertcat(*values) if values else casadi.SX(0, 1)
        return _function("margins", {"t": t, "x": x, "p": self._p}, out)

    def _make_kinematics(self) -> casadi.Function:
        q, u = self._symbols("q", "u")
        view = MotionView(self.mechanism, _elements(q), _elements(u))
        values: list[Scalar] = []
        for mass in self.mechanism.masses:
            X, V = view.pose(mass.frame), view.velocity(mass.frame)
            values += [*X.p.xyz, *X.R.entries, *V.resultant.xyz, *(X.R @ V.moment).xyz]
        return _function("kinematics", {"q": q, "u": u, "p": self._p}, values)

    def _make_energy(self) -> casadi.Function:
        t, X = self._symbols("t", "X")
        q, u, z = split(self.mechanism, _elements(X))
        view = MotionView(self.mechanism, q, u, None, t, z)
        kinetic: Scalar = 0.0
        has_potential = self.mechanism.gravity.potential is not None
        potential: Scalar = 0.0 if has_potential else math.nan
        for mass in self.mechanism.masses:
            kinetic = add(kinetic, kinetic_energy(mass.inertia, view.velocity(mass.frame)))
            if has_potential:
                m = mass.inertia.mass()
                centre = view.pose(mass.frame)(mass.inertia.first_moment() / m)
                potential = add(potential, m * view.gravity_potential(centre))
        stored: Scalar = 0.0
        for line in self.mechanism.lines:
            if line.energy is not None:
                x_a = 0.0 if line.flange_a is None else view.flange(line.flange_a)[0]
                stored = add(
                    stored, line.energy(line.p, view.flange(line.flange_b)[0] - x_a)
                )
        for force in self.mechanism.forces:
            if force.energy is not None:
                poses = [view.pose(port) for port in force.frames]
                stored = add(stored, force.energy(force.p, poses))
        for link in self.mechanism.links:
            for k in link.u if not is_structural(link.armature, 0.0) else ():
                kinetic = add(kinetic, 0.5 * link.armature * u[k] * u[k])
        return _function(
            "energy", {"t": t, "X": X, "p": self._p}, [kinetic, potential, stored]
        )

    def positions(
        self, t: float, q: np.ndarray, z: np.ndarray, p: np.ndarray, extra: np.ndarray
    ) -> tuple[np.ndarray, dict[int, float]]:
        """Return all coordinates from those that are states, and those of closed forms.

        The latter are of all joints in closed forms, also of those that close a loop, by
        their number.
        """
        live, unknown = p[: len(self.parameters)], np.zeros(self._unknown.numel())
        function, numbers = self._positions
        q_all, at_hinges = function(t, q, z, live, extra, unknown)
        values = np.asarray(at_hinges).ravel()
        return np.asarray(q_all).ravel(), dict(zip(numbers, values.tolist(), strict=True))

    @cached_property
    def _positions(self) -> tuple[casadi.Function, list[int]]:
        import casadi

        f = self.formulation
        assert f is not None
        t, z = self._symbols("t", "z")
        q = casadi.SX.sym("q", len(f.state_q))
        hinges: dict[int, Any] = {}
        found, _ = f.coordinates(_elements(q), t, _elements(z), self._all_extra(), hinges)
        values = casadi.vertcat(*map(radians, found))
        single = {h: radians(v) for h, v in hinges.items() if not isinstance(v, Matrix)}
        function = casadi.Function(
            "positions",
            [t, q, z, self._live, self._extra, self._unknown],
            [
                casadi.densify(casadi.SX(values)),
                casadi.densify(casadi.SX(casadi.vertcat(*single.values()))),
            ],
        )
        return function, list(single)

    @cached_property
    def closed_twin(self) -> System | None:
        """The same model with closed forms where this system has none: they tell branches."""
        if self.formulation is None or self.wanted.strategy == AUTO:
            return None
        try:
            twin = System(self.mechanism.stock.model)
        except MotorikError:
            return None
        if twin.formulation is None:
            return twin
        has_forms = any(isinstance(step, ClosedForm) for step in twin.formulation.steps)
        return twin if has_forms else None

    def better_guess(self, q: np.ndarray, fixed: np.ndarray) -> np.ndarray:
        """Return start coordinates to search from: assembled ones where none is fixed.

        What the user fixed stays; the others begin at the assembled start found before, as
        far as the parts' own start values led there.
        """
        f = self.formulation
        if f is None or not f.samples:
            return q
        given = self.start[0][: self.n_q]
        same = (q == given) & ~fixed
        guess = q.copy()
        guess[same] = f.samples[0][same]
        return guess

    @property
    def has_block_starts(self) -> bool:
        """Whether states of signal blocks start as their inputs tell."""
        return any(law.initial is not None for law in self.mechanism.signals.laws)

    def block_starts(self, t: np.ndarray, X: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Return the states of signal blocks at the start of a motion."""
        import casadi

        n_q, n = self.n_q, self.n_q + self.n_u
        ud = self.whole_rates(t, X, p)[n_q:n]
        multipliers = np.zeros(self.n_rows)
        if self.n_rows:
            multipliers = self.multipliers(t, X[None], ud[None], p)[0]
        view = MotionView(
            self.mechanism,
            X[:n_q].tolist(),
            X[n_q:n].tolist(),
            ud.tolist(),
            float(t[0]),
            X[n:].tolist(),
            multipliers.tolist(),
        )
        live = p[: len(self.parameters)]
        values = casadi.vertcat(*self.mechanism.signals.start_values(view, float(t[0])))
        found = casadi.Function("blocks", [self._live], [casadi.SX(values)])(live)
        return np.asarray(found, dtype=float).ravel()

    def check_inertia(self, X: np.ndarray, p: np.ndarray) -> None:
        """Raise `AssemblyError` if a freedom moves without inertia in the motion X."""
        self.is_checked = True
        if self.n_u >= ROLL_FROM or not self.n_u or not self.n_x:
            return
        q, p = X[: self.n_q], p
        M = np.asarray(self.function("mass_matrix")(q, p)).reshape(self.n_u, self.n_u)
        names = self.state_names[self.n_q : self.n_q + self.n_u]
        if self.formulation is not None:
            self._check_reduced(M, X, p, names)
            return
        scale = np.sqrt(np.maximum(np.diag(M), 0.0))
        for k, name in enumerate(names):
            if not scale[k] > 1e-12 * max(1.0, scale.max()):
                raise AssemblyError(
                    name.rsplit(".", 1)[0],
                    f"nothing resists the motion {name}: its inertia is {M[k, k]:.3g}.",
                    "Give the bodies behind this joint inertia about its axis.",
                )
        eigenvalues = np.linalg.eigvalsh(M / np.outer(scale, scale))
        if eigenvalues[0] < 1e-13:
            vector = np.linalg.eigh(M / np.outer(scale, scale))[1][:, 0]
            _refuse_massless(vector, names)

    def _check_reduced(
        self, M: np.ndarray, X: np.ndarray, p: np.ndarray, names: Sequence[str]
    ) -> None:
        """Raise `AssemblyError` if a motion that the loops allow moves no mass."""
        assert self.formulation is not None
        G = self.formulation.rows.matrix(X[: self.n_q], p[: len(self.parameters)])
        rank = np.linalg.matrix_rank(G, tol=1e-9) if G.size else 0
        allowed = np.linalg.svd(G)[2][rank:].T if G.size else np.eye(self.n_u)
        if not allowed.size:
            return
        values, vectors = np.linalg.eigh(allowed.T @ M @ allowed)
        if values[0] < 1e-14 * max(float(values[-1]), 1e-300):
            _refuse_massless(allowed @ vectors[:, 0], names)


def _refuse_massless(vector: np.ndarray, names: Sequence[str]) -> None:
    order = np.argsort(-np.abs(vector)).tolist()
    moved: list[str] = [names[k] for k in order if abs(vector[k]) > 0.3]
    moved = moved or [names[int(np.argmax(np.abs(vector)))]]
    raise AssemblyError(
        moved[0].rsplit(".", 1)[0],
        f"a motion of {', '.join(moved)} moves no mass.",
        "Remove a freedom, or give the bodies between these joints mass and inertia.",
    )


def is_sparse(R: Matrix) -> bool:
    """Tell whether a constant rotation has at least four zeros: a turn about one axis."""
    return sum(is_structural(e, 0.0) for e in R.entries) >= 4


def position(name: str, index: tuple[int, ...], shape: tuple[int, ...]) -> int:
    """Return where an indexed element is among the flattened values."""
    fits = len(index) == len(shape) and all(
        0 <= i < n for i, n in zip(index, shape, strict=False)
    )
    if not fits:
        sizes = " × ".join(map(str, shape)) or "one number"
        raise UnknownNameError(
            name, f"has no such element: it is {sizes}.", "Count from 1."
        )
    return int(np.ravel_multi_index(index, shape))


def _elements(vector: Any) -> list[Any]:
    """Return the scalars of a column of symbols."""
    import casadi

    return casadi.vertsplit(vector) if vector.numel() else []


def _function(name: str, arguments: dict[str, Any], values: Any) -> casadi.Function:
    import casadi

    out = casadi.vertcat(*values) if isinstance(values, list) else values
    return casadi.Function(
        name,
        list(arguments.values()),
        [casadi.densify(casadi.SX(out))],
        list(arguments),
        ["out"],
    )
