"""System: a model assembled and compiled, its equations as native and as CasADi functions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from motorik.compiler import (
    NativeFunction,
)
from motorik.compiler.programs import Program
from motorik.components.composite import Composite
from motorik.components.part import Part
from motorik.components.values import LiveScalar
from motorik.dynamics.massless import check_allowed, refuse_massless
from motorik.errors import AssemblyError, CompileError, MotorikError
from motorik.loops.constrained import LoopEquations
from motorik.loops.decide import formulate, released
from motorik.loops.formulation import AUTO, ClosedForm
from motorik.loops.wanted import Wanted
from motorik.motion.catalogue import Catalogue, flatten
from motorik.motion.view import MotionView
from motorik.system.equations import LoopedEquations, TreeEquations
from motorik.system.loop_functions import LoopFunctions
from motorik.system.system_base import ROLL_FROM, elements

if TYPE_CHECKING:
    import casadi


SAME_CODE = 1e-5  # relative difference of rates up to which rounding may explain it


class System(LoopFunctions):
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
        symbols = dict(zip(live, elements(self._live), strict=True))
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
        self._outputs = {}
        whole = [*self.mechanism.states, *self.mechanism.signals.states]
        self.whole_states = whole
        self.state_names = [state.name for state in whole]
        self.state_index = {name: i for i, name in enumerate(self.state_names)}
        self.integrated = [self.state_index[s.name] for s in self.equations.states]
        self._shapes: dict[str, tuple[int, ...]] = {}
        self.is_checked = False
        self._parameter_index = {s: i for i, s in enumerate(self.parameters)}
        self._checked: dict[Part, dict[int, float]] = {}  # values that parts have accepted

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
            elements(symbols) for symbols in self._symbols("q", "u", "ud", "z", "lambda")
        )
        return MotionView(self.mechanism, q, u, ud, 0.0, z, multipliers)

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
            G = self.formulation.rows.matrix(q, p[: len(self.parameters)])
            check_allowed(M, G, names)
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
            refuse_massless(vector, names)

    def check_machine_code(self, t: float, x: np.ndarray, p: np.ndarray) -> None:
        """Raise `CompileError` if the machine code gives other rates than the equations."""
        if self.is_rolled or self.iterates or not x.size:
            return
        made = self.derivative(np.array([t]), x, p)
        wanted = np.asarray(self.function("derivative")(t, x, p), dtype=float).ravel()
        apart = np.abs(made - wanted) / (1.0 + np.abs(wanted).max(initial=0.0))
        if not np.nan_to_num(apart, nan=0.0).max(initial=0.0) < SAME_CODE:
            raise CompileError(
                self.mechanism.name,
                f"its machine code differs from its equations by {apart.max():.3g}.",
                "This is a fault of the code generator of LLVM: please report the model.",
            )
