"""CompiledModel: the equations of a model as machine code, and all that its runs share."""

from __future__ import annotations

import math
import threading
import time as clock
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Generic, TypeVar

import numpy as np

from motorik.errors import MotorikError, refuse_pickle
from motorik.initialisation.memory import InitialisationMemory
from motorik.loops.options import LoopStrategy
from motorik.stored.facts import RunFacts
from motorik.system.layout import Layout
from motorik.system.native_functions import SHARING, NativeFunctions
from motorik.topology.live_values import ParameterCheck

if TYPE_CHECKING:
    import casadi

    from motorik.analysis.directional import DirectionalCode
    from motorik.analysis.manipulator.code import HandCode
    from motorik.analysis.manipulator.manipulator import Holding
    from motorik.analysis.pose_equations import PoseEquations
    from motorik.compiler import NativeFunction
    from motorik.components.base.values import LiveScalar
    from motorik.loops.formulate import FormulatedModel, Formulation
    from motorik.loops.mobility import MobilityAnalysis
    from motorik.loops.position_problem import PositionProblem
    from motorik.loops.scales import Scales
    from motorik.nonsmooth.application.run_events import ConstraintTable
    from motorik.nonsmooth.application.sliding_modes import SlidingSurface
    from motorik.nonsmooth.laws.forces import NonsmoothConstraints
    from motorik.nonsmooth.laws.time_events import TimeEvents
    from motorik.sensitivity.code import SensitivityCode
    from motorik.simulation.model_integration import Stretches
    from motorik.stored.store import StoredModel, StorePlace
    from motorik.system.equations import Equations
    from motorik.system.guards import Guarded
    from motorik.system.kept_code import KeptCode
    from motorik.system.native_functions import Outputs
    from motorik.system.output_samples import OutputSamples
    from motorik.system.stages import Stages
    from motorik.system.state_space import StateSpaceForm
    from motorik.topology.assembled_model import AssembledModel
    from motorik.topology.mechanism import Mechanism
    from motorik.view.live.model_player import Pulled


T = TypeVar("T")
REPEATED = 3  # times that orders of elimination are chosen again in a run
GRADIENTS = 16  # codes by which objectives of runs are differentiated that are kept


class late(Generic[T]):  # noqa: N801 - it is read as a decorator
    """A property that one thread finds when it is first read, under the lock of its owner."""

    def __init__(self, find: Callable[[CompiledModel], T]) -> None:
        self._find, self._name, self.__doc__ = find, f"_{find.__name__}", find.__doc__

    def __get__(self, owner: CompiledModel, kind: type) -> T:
        """Return the value."""
        state = owner.__dict__
        if self._name not in state:
            with owner.lock:
                if self._name not in state:
                    state[self._name] = self._find(owner)
        return state[self._name]


def _native(name: str, text: str) -> NativeFunction:
    """Return a property: the native function of this name."""
    return property(lambda self: self.natives.get(name), doc=text)  # type: ignore[return-value]


class CompiledModel:
    """A model assembled, formulated and compiled; it owns everything that its runs share.

    `mechanism` is the tree of links, `formulation` the choice of states and the solution of loops,
    `layout` the order of all numbers, `equations` the traced functions and `natives`
    their machine code; `initialisation` holds what searches for initial states keep, and the
    properties below what integration, sliding modes and manipulators do.

    A `stored` model was compiled by an earlier process. Layout, machine code, starts and what runs
    ask besides are read then, and it is formulated when anything else is asked for, at the latest
    before its parts change.

    Every function is native and is compiled when first used; `function(name)` gives the same
    equations as a `casadi.Function`. Arguments are flat arrays: time t, state x, motion
    X = (q, u, z) of all coordinates, speeds and states of signal blocks, rates ud of the
    speeds, generalised forces tau, parameters p. `layout` describes their order.

    ====================  =======================  ==========================================
    name                  arguments                value
    ====================  =======================  ==========================================
    derivative            t, x, p                  dx/dt
    audited               t, x, p                  dx/dt, and how far it misses the equations
                                                   before elimination (1: too far)
    full_state            t, x, p                  X
    full_state_rates      t, X, p                  dX/dt
    forward_dynamics      q, u, tau, p             du/dt under tau and the model's own forces
    inverse_dynamics      q, u, ud, p              forces needed besides the model's own
                                                   in the tree (loops: without multipliers)
    mass_matrix           q, p                     M of the tree, by columns
    jacobian              t, x, p                  ∂(dx/dt)/∂x, by columns
    project               t, x, p                  x with unit quaternions and loops closed
    kinematics            q, u, p                  of each body: r_0, R by rows, w_a, v_0
    poses                 t, X, p                  of each rigid group: x y z, qx qy qz qw
    energy                t, X, p                  kinetic, potential (NaN if gravity is a
                                                   user's function) and stored energy [J]
    constraints           t, X, p                  g and then a of all constraint equations
    constraint_matrix     t, X, p                  G of all constraint equations, by columns
    violations            t, X, p                  constraint violation of each closure [m], [rad]
    margins               t, x, p                  distance of closed forms from dead centres,
                                                   0 there, and then their rates
    unwrapped_angles      t, x, p                  angles that are unwrapped in the run, and
                                                   then their rates
    ====================  =======================  ==========================================
    """

    def __reduce__(self) -> tuple[object, ...]:
        refuse_pickle(
            "compiled model", "Pickle the model; it is compiled where it is read."
        )

    def __init__(self, source: FormulatedSource | StoredModel) -> None:
        self._source, self.options, self.model = source, source.options, source.model
        self.layout: Layout = source.layout
        self.lock = threading.RLock()  # of formulations that are kept
        self.facts: RunFacts = source.facts_of(self)
        self.natives = NativeFunctions(lambda: self.equations, self.layout, source.codes)
        self.initialisation: InitialisationMemory = source.initialisation_of(self)
        self.parameter_check = ParameterCheck(self.model, self.layout.live)
        self.place: StorePlace | None = None  # where later processes look for it
        self._n_prepared = self._n_stored = -1  # functions when runs were prepared, stored
        self.surfaces: tuple[
            SlidingSurface, ...
        ] = ()  # of discontinuities that are constraints …
        self.without_sliding: CompiledModel = self  # … and the form in which none is
        self.sliding_forms: dict[tuple[SlidingSurface, ...], CompiledModel] = {}
        self.pulled: dict[int, Pulled] = {}  # with a spring at a link, by its number
        self.reformulated_because = ""  # why decisions for other live values do not hold
        self._sensitivities: dict[int, SensitivityCode] = {}  # by groups of directions
        self._gradients: dict[Hashable, object] = {}  # the last used comes last
        self._eliminated: CompiledModel | None = None  # with orders that were chosen again

    # --- stages before ---------------------------------------------------------------------

    @late
    def formulated(self) -> FormulatedModel:
        """Return the stage before: tree, states, solution of loops."""
        return self._source.formulated()

    @property
    def assembled(self) -> AssembledModel:
        """The parts, taken once."""
        return self.formulated.assembled

    @property
    def mechanism(self) -> Mechanism:
        """The tree of links."""
        return self.formulated.mechanism

    @property
    def formulation(self) -> Formulation:
        """The choice of states and the solution of loops."""
        return self.formulated.formulation

    @property
    def mobility(self) -> MobilityAnalysis | None:
        """The analysis of loops, None for a tree."""
        return self.formulated.mobility

    @late
    def form(self) -> StateSpaceForm:
        """Return the equations of motion of a state."""
        from motorik.system.state_space import StateSpaceForm

        return StateSpaceForm(self.formulation, self.layout, self.assembled.p)

    @late
    def equations(self) -> Equations:
        """Return the traced functions."""
        from motorik.system.equations import Equations

        own = self.mechanism, self.form, self.layout, self.assembled.symbols
        return Equations(*own)

    @late
    def stages(self) -> Stages:
        """Return the interpreted computation of variables."""
        from motorik.system.stages import Stages

        return Stages(self.equations)

    def complete(self) -> None:
        """Take from the parts what may be asked for later: they are about to change."""
        _ = self.stages

    # --- functions -------------------------------------------------------------------------

    derivative = _native("derivative", "Native dx/dt of (t, x, p).")
    derivative_lanes = _native("derivative_lanes", "Native dx/dt of four states at once.")
    derivative_batch = _native(
        "derivative_batch", "Native dx/dt of 8 or 16 states at once."
    )
    unwrapped_angles_batch = _native(
        "unwrapped_angles_batch", "Native unwrapped angles of as many states at once."
    )
    relative_coordinates_batch = _native(
        "relative_coordinates_batch",
        "Native relative coordinates of as many states at once.",
    )
    audited_batch = _native(
        "audited_batch", "Native audited dx/dt of as many states at once."
    )
    project_batch = _native(
        "project_batch", "Native projection of as many states at once, in place."
    )
    contact_state_batch = _native(
        "contact_state_batch", "Native contact states of as many states at once."
    )
    trigger_conditions_batch = _native(
        "trigger_conditions_batch", "Native conditions of triggers of as many at once."
    )
    forward_dynamics = _native("forward_dynamics", "Native du/dt of (q, u, tau, p).")
    inverse_dynamics = _native("inverse_dynamics", "Native forces of (q, u, ud, p).")
    mass_matrix = _native("mass_matrix", "Native mass matrix of (q, p), by columns.")
    jacobian = _native(
        "jacobian", "Native Jacobian of dx/dt by x, of (t, x, p), by columns."
    )
    stiffness = _native("stiffness", "Native −∂τ/∂q, −∂τ/∂u along freedoms, of (t, x, p).")
    armature_response = _native(
        "armature_response", "Native (M + σ)⁻¹ τ of ((σ, τ), x, p)."
    )
    energy = _native("energy", "Native kinetic, potential, stored energy of (t, X, p).")
    poses = _native(
        "poses", "Native poses of all rigid groups, 7 numbers each, of (t, X, p)."
    )
    full_state = _native("full_state", "Native X of (t, x, p).")
    full_state_rates = _native("full_state_rates", "Native dX/dt of (t, X, p).")
    constraints = _native("constraints", "Native g and a of all rows, of (t, X, p).")
    constraint_matrix = _native("constraint_matrix", "Native G by columns, of (t, X, p).")
    contact_state = _native(
        "contact_state", "Native `ContactState` of each nonsmooth constraint, of (t, x, p)."
    )
    contact_lcp = _native(
        "contact_lcp",
        "Native `LcpData` of each nonsmooth constraint, D and slopes; or the diagonal of D.",
    )
    impulse_response = _native(
        "impulse_response", "Native change of x by the impulses in p, of (t, x, p)."
    )
    stopping = _native(
        "stopping", "Native change of x that stops locked joints, of (t, x, p)."
    )
    velocity_closure = _native(
        "velocity_closure", "Native change of x that closes speeds, of (t, x, p)."
    )
    trigger_conditions = _native(
        "trigger_conditions", "Native conditions of triggers, of (t, x, p)."
    )
    assignments = _native(
        "assignments", "Native values that triggers assign, of (t, x, p)."
    )
    relative_coordinates = _native(
        "relative_coordinates", "Native relative coordinates of laws, of (t, x, p)."
    )
    law_conditions = _native(
        "law_conditions", "Native conditions of laws, of (t, (x, dx/dt), p)."
    )
    sampled_inputs = _native(
        "sampled_inputs", "Native inputs of the user's functions, of (t, x, p)."
    )
    delayed_signals = _native(
        "delayed_signals",
        "Native signals whose past is kept, then their delays, of (t, x, p).",
    )
    forces = _native("forces", "Native forces that switch, of (t, X, p).")
    violations = _native(
        "violations", "Native violations of all closures [m, rad], of (t, X, p)."
    )
    kinematics = _native(
        "kinematics",
        """Native motion of all bodies, of (q, u, p): 18 numbers for each of `body_names`.

        Position r_0 [m] in the world, orientation R by rows (v_world = R v_body), angular
        velocity w_a [rad/s] in the body's frame_a and velocity v_0 [m/s] in the world.
        """,
    )

    @property
    def project(self) -> NativeFunction | None:
        """Native state with unit quaternions and loops closed; None where nothing drifts."""
        return self.natives.get("project") if self.facts.needs_projection else None

    @property
    def run_jacobian(self) -> NativeFunction | None:
        """Native Jacobian for implicit methods; None where its code would grow out of bounds.

        That is where equal links share their code, and no recursion gives the Jacobian.
        """
        if self.is_rolled and not self.natives.has_recursive_jacobian:
            return None
        return self.jacobian

    @property
    def audited(self) -> NativeFunction | None:
        """Native dx/dt of (t, x, p), and last how far it misses the equations: 1 is too far.

        The equations are those before elimination. Where kernels find the forces of
        constraints, only the last. None where nothing is eliminated in a fixed order.
        """
        return self.natives.get("audited") if self.facts.is_audited else None

    def missed_at(self, t: float, x: np.ndarray, p: np.ndarray) -> str:
        """Return the parts whose equations of motion or of loops are not solved at a state."""
        if not self.facts.is_audited:
            return ""
        found = np.asarray(self.function("faults")(np.array([t]), x, p)).ravel()
        names = zip(self.equations.fault_names, found, strict=True)
        return "; ".join(name for name, fault in names if not fault <= 1.0)

    @property
    def margins(self) -> NativeFunction | None:
        """Native margins of what is guarded and their rates; None where nothing is."""
        return self.natives.get("margins") if self.facts.n_guarded else None

    @property
    def unwrapped_angles(self) -> NativeFunction | None:
        """Native angles that are unwrapped in a run, and their rates; None without any."""
        return self.natives.get("unwrapped_angles") if self.layout.n_unwrapped else None

    @property
    def nonsmooth(self) -> NonsmoothConstraints | None:
        """The forces that stick or slip; None where nothing does."""
        return self.form.nonsmooth if self.facts.is_nonsmooth else None

    @property
    def has_events(self) -> bool:
        """Whether events change anything: forces that switch, or triggers."""
        return self.facts.has_events

    def function(self, name: str) -> casadi.Function:
        """Return one of the functions in the table above as a `casadi.Function`."""
        return self.equations.function(name)

    def output_function(self, names: Sequence[str]) -> casadi.Function:
        """Return the `casadi.Function` of the motion to the named variables."""
        return self.equations.output_function(names)

    def outputs(self, names: Sequence[str]) -> Outputs:
        """Return the native function of the motion to the named variables, end to end.

        Its arguments are t, q, u, ud, z, multipliers and p.
        """
        return self.natives.outputs(names)

    def multipliers(
        self, t: np.ndarray, X: np.ndarray, ud: np.ndarray, p: np.ndarray
    ) -> np.ndarray:
        """Return the multipliers of all constraint rows at rows of motion, of least norm."""
        from motorik.system.multipliers import least_multipliers

        return least_multipliers(self.natives, t, X, ud, p)

    # --- what it is ------------------------------------------------------------------------

    @property
    def n_q(self) -> int:
        """The number of coordinates."""
        return self.layout.n_q

    @property
    def n_u(self) -> int:
        """The number of speeds."""
        return self.layout.n_u

    @property
    def n_x(self) -> int:
        """The number of states that are integrated."""
        return self.layout.n_x

    @property
    def state_names(self) -> list[str]:
        """The names of the states that are integrated."""
        return list(self.layout.state_names)

    @property
    def order(self) -> Mapping[int, float] | None:
        """The order in which joints entered the tree, if plans for loops gave one."""
        return None if self.mobility is None else self.mobility.order

    @property
    def body_names(self) -> list[str]:
        """The parts with mass, in the order of `kinematics`."""
        return [mass.frame.owner.path for mass in self.mechanism.masses]

    @property
    def parameters(self) -> tuple[LiveScalar, ...]:
        """The live parameters, in the order of p."""
        return self.layout.live

    @property
    def freedom(self) -> int:
        """The degree of freedom."""
        return self.facts.freedom

    @property
    def is_rolled(self) -> bool:
        """Whether equal links share one piece of native code."""
        return self.facts.is_rolled

    @property
    def guarded(self) -> list[Guarded]:
        """The guards of runs, in the order of their margins."""
        return self.equations.guarded if self.facts.n_guarded else []

    @cached_property
    def time_events(self) -> TimeEvents:
        """The times at which laws change."""
        from motorik.nonsmooth.laws.time_events import TimeEvents

        return TimeEvents(self.equations)

    @property
    def scales(self) -> Scales:
        """The lengths of the mechanism."""
        return self.facts.scales

    @cached_property
    def pose_problem(self) -> PositionProblem:
        """The equations of initial positions: closed loops and conditions."""
        from motorik.loops.position_problem import PositionProblem

        constraints = self.formulation.constraints
        conditions = [d for d in self.mechanism.initial_conditions if d.level == 0]
        return PositionProblem(
            self.mechanism, constraints, self.assembled.symbols, self.scales, conditions
        )

    def guessed(self, fixed: np.ndarray) -> list[int]:
        """Return the places in X of guesses: what is fixed and the balance determines."""
        equilibrium = self.form.equilibrium if self.facts.has_equilibrium else None
        if equilibrium is None:
            return []
        speeds = [self.n_q + k for k in equilibrium.equilibrium.speeds]
        return [*equilibrium.determined(fixed), *speeds]

    def gravity_at(self, live: np.ndarray) -> float:
        """Return the strength of uniform gravity [m/s²] with these values of live parameters."""
        assembled, g = self.assembled.with_values(live), self.mechanism.gravity.uniform
        return 0.0 if g is None else math.sqrt(sum(assembled.number(e) ** 2 for e in g.xyz))

    def numeric_at(self, live: np.ndarray) -> Mechanism:
        """Return the mechanism with these values of the live parameters."""
        assembled = self.assembled.with_values(live)
        return assembled.numeric(self.mechanism, self.order, self.options.is_absolute)

    def parameter_values(self) -> np.ndarray:
        """Return the present values of the live parameters."""
        return self.completed(self.layout.present_live())

    def completed(self, live: np.ndarray) -> np.ndarray:
        """Return values of the live parameters with those that follow from the design pose."""
        n = live.size - self.n_designed
        if n == live.size:
            return live
        from motorik.loops.formulate import with_design_values

        if not np.array_equal(live[:n], self.assembled.p[:n]):
            return with_design_values(self.assembled.with_values(live)).p
        return self.assembled.p.copy()

    @cached_property
    def n_designed(self) -> int:
        """How many of the live parameters, the last, follow from the design pose."""
        return sum(scalar.parameter.is_designed for scalar in self.parameters)

    def chosen_algorithm(self) -> str:
        """Return the algorithm of forward dynamics and its cost."""
        _ = self.derivative
        if self.is_rolled:
            return SHARING
        if self.natives.response is not None:
            _ = self.natives.response.natives
        else:
            self.equations.function("derivative")
        return self.equations.algorithm

    def shape_of(self, name: str) -> tuple[int, ...]:
        """Return the shape of a variable at one instant."""
        return self.stages.shape_of(name)

    def output_samples(
        self, time: np.ndarray, motion: np.ndarray, parameters: np.ndarray
    ) -> OutputSamples:
        """Return rows of motion X, from which any variable is computed.

        `parameters` are p, the same for all rows or a row for each.
        """
        from motorik.system.output_samples import OutputSamples

        if self.nonsmooth is not None and time.size:
            parameters = self.with_forces(time, motion, parameters)
        return OutputSamples(self.natives, self.stages, time, motion, parameters)

    def with_forces(
        self, time: np.ndarray, motion: np.ndarray, parameters: np.ndarray
    ) -> np.ndarray:
        """Return rows of p with the forces that switch at rows of motion."""
        rows = np.broadcast_to(parameters, (time.size, parameters.shape[-1]))
        if self.nonsmooth is None:
            return rows
        rows = rows.copy()
        found = self.forces.map(time.reshape(-1, 1), motion, rows)
        rows[:, self.layout.nonsmooth.columns.force] = found.reshape(time.size, -1)
        return rows

    # --- for integration -------------------------------------------------------------------

    @property
    def needed_for_runs(self) -> list[str]:
        """The names of the native functions that every run calls."""
        facts = self.facts
        names = {
            "project": facts.needs_projection,
            "full_state": True,
            "derivative": True,
            "audited": facts.is_audited,
            "margins": facts.n_guarded > 0,
            "unwrapped_angles": bool(self.layout.n_unwrapped),
            "relative_coordinates": facts.has_laws,
        }
        return [name for name, is_needed in names.items() if is_needed]

    def prepare_run(self) -> float:
        """Compile all functions that runs call; return the seconds that this has taken."""
        if len(self.natives.made) == self._n_prepared:
            return 0.0
        began = clock.perf_counter()
        with suppress(ZeroDivisionError):  # named at the initial state
            if self.has_events:
                self._link_kernels()
            self.prepare()
        self._n_prepared = len(self.natives.made)
        return clock.perf_counter() - began

    def _link_kernels(self) -> None:
        """Begin to make the machine code of event handling, while the equations are compiled."""
        from motorik.nonsmooth.application.driver_kernels import link_needed

        own, facts = self.layout.nonsmooth, self.facts
        link_needed(
            len(own.forces),
            sum(disk is not None for disk in own.disks),
            has_triggers=True,
            has_conditions=facts.n_state_events > 0,
        )

    def store(self) -> None:
        """Store it for later processes, if it has functions that were not there before."""
        made = len(self.natives.made)
        if self.place is not None and made != self._n_stored:
            self.place.write(self)
        self._n_stored = made

    def prepare(self) -> None:
        """Compile all functions that every run calls."""
        names = self.needed_for_runs
        self.natives.prepare(names)
        for name in names:
            self.natives.get(name)
        _ = self.state_events

    @cached_property
    def state_events(self) -> tuple[NativeFunction, int] | None:
        """The conditions on the state in laws, and their number; None without any."""
        count = self.facts.n_state_events
        return (self.law_conditions, count) if count else None

    @cached_property
    def sliding_conditions(self) -> list[int]:
        """The conditions on the state along which the motion may slide."""
        if self.state_events is None:
            return []
        function = self.function(
            "law_conditions"
        )  # whose kinds of conditions are constants
        zeros = [np.zeros(function.numel_in(k)) for k in range(function.n_in())]
        kinds = np.split(np.array(function(*zeros)), 3)[2]
        return [k for k, kind in enumerate(kinds.ravel()) if kind not in (0.0, 1.0)]

    @cached_property
    def constraint_table(self) -> ConstraintTable:
        """The friction and contact constraints as native code reads them."""
        from motorik.nonsmooth.application.run_events import make_constraint_table

        return make_constraint_table(self)

    @cached_property
    def stretch_scales(self) -> Stretches:
        """The kinds of the states, and the stretches of force laws for the error norm."""
        from motorik.simulation.model_integration import find_stretches

        return find_stretches(self)

    # --- memory of analyses and manipulators -----------------------------------------------

    @cached_property
    def hand_code(self) -> HandCode:
        """The code by which manipulators move the model."""
        from motorik.analysis.manipulator.code import HandCode

        return HandCode(self)

    @cached_property
    def directional_code(self) -> DirectionalCode:
        """The exact derivatives by which the model is analysed."""
        from motorik.analysis.directional import DirectionalCode

        return DirectionalCode(self)

    @cached_property
    def pose_equations(self) -> dict[tuple[str, ...], PoseEquations]:
        """The equations of poses at which variables have given values, by their names."""
        return {}

    def sensitivity_code(self, count: int) -> SensitivityCode:
        """Return the code by which runs are differentiated in so many directions, made once."""
        from motorik.sensitivity.code import TOGETHER, SensitivityCode

        groups = -(-count // TOGETHER)
        with self.lock:
            if groups not in self._sensitivities:
                self._sensitivities[groups] = SensitivityCode(self, count)
            return self._sensitivities[groups]

    def kept_for_gradients(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return code by which objectives of runs are differentiated; the last ones are kept."""
        with self.lock:
            found = self._gradients.pop(key, None)
            found = make() if found is None else found
            self._gradients[key] = found
            while len(self._gradients) > GRADIENTS:
                del self._gradients[next(iter(self._gradients))]
            return found  # type: ignore[return-value]

    @cached_property
    def holding(self) -> Holding:
        """The forces that hold a pose at rest."""
        from motorik.analysis.manipulator.manipulator import Holding

        return Holding(self)

    # --- other forms of the same model -----------------------------------------------------

    def recompiled(self, options: LoopStrategy, live: np.ndarray) -> CompiledModel:
        """Return the same model formulated with other options, at other live values."""
        from motorik.loops.formulate import formulate
        from motorik.topology.assembled_model import assemble_model

        assembled = assemble_model(self.model, live)
        return compile_model(formulate(assembled, options))

    @cached_property
    def projected(self) -> CompiledModel:
        """The same mechanism with every loop enforced by multipliers and projection."""
        return compile_model(self.formulated.projected())

    def opened_at(self, q: np.ndarray) -> CompiledModel:
        """Return the projected form with constraints that are independent at the pose q, too."""
        return compile_model(self.formulated.with_constraints_at(q))

    @cached_property
    def with_redundant(self) -> CompiledModel | None:
        """The same system in absolute coordinates with all constraints; None if it has them."""
        f = self.formulation
        if f.is_empty or f.gains is not None or not self.options.is_absolute:
            return None
        made = self.formulated.with_redundant()
        return None if made is None else compile_model(made)

    def eliminated_at(self, q: np.ndarray) -> CompiledModel | None:
        """Return the same system with orders of elimination that hold at the pose q, too.

        It is kept: where pivots vanish in one run, they are likely to do so in the next.
        None if there is no choice, or if orders were chosen again before, `REPEATED` times.
        """
        f = self.formulation
        if len(f.elimination_poses) >= REPEATED or not self.form.solution.can_reorder:
            return None
        with self.lock:
            if self._eliminated is None:
                made = replace(
                    f, early_constraints=False, elimination_poses=(*f.elimination_poses, q)
                )
                self._eliminated = compile_model(replace(self.formulated, formulation=made))
            return self._eliminated

    @cached_property
    def guide(self) -> CompiledModel | None:
        """The same model with closed forms where this system has none: they determine branches.

        None if this system is its own guide.
        """
        if self.facts.is_tree or self.options.is_auto:
            return None
        try:
            return self.recompiled(LoopStrategy(), self.assembled.p)
        except MotorikError:
            return None


class FormulatedSource:
    """The source of a compiled model that was formulated in this process."""

    codes: Mapping[str, KeptCode] = MappingProxyType({})

    def __init__(self, formulated: FormulatedModel) -> None:
        self._formulated = formulated
        self.options, self.model = formulated.options, formulated.assembled.model
        self.layout = Layout.of(formulated.formulation, formulated.assembled.live)

    def formulated(self) -> FormulatedModel:
        """Return the formulated model."""
        return self._formulated

    def facts_of(self, system: CompiledModel) -> RunFacts:
        """Return the facts that runs ask for, found when they are asked for."""
        return RunFacts(system)

    def initialisation_of(self, system: CompiledModel) -> InitialisationMemory:
        """Return the memory of its starts."""
        return InitialisationMemory()


def compile_model(formulated: FormulatedModel) -> CompiledModel:
    """Return the equations of a formulated model, traced and compiled as they are needed."""
    system = CompiledModel(FormulatedSource(formulated))
    system.complete()
    return system
