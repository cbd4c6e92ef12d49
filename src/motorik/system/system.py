"""System: a model assembled and compiled, its equations as native and as CasADi functions."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from motorik.compiler import NativeFunction
from motorik.components.base.composite import Composite
from motorik.components.base.values import LiveScalar
from motorik.errors import MotorikError
from motorik.loops.decide import AssembledModel, formulate
from motorik.loops.equations_of_motion import LoopEquations
from motorik.loops.formulation import Formulation
from motorik.loops.mobility import ParametrisedModel
from motorik.loops.multiplier_constraints import released, with_all_rows, with_redundant
from motorik.loops.options import LoopOptions
from motorik.loops.position_problem import PositionProblem
from motorik.loops.scales import Scales, find_scales
from motorik.nonsmooth.laws.forces import NonsmoothConstraints
from motorik.nonsmooth.laws.time_events import Corners
from motorik.nonsmooth.memory import NO_DISK
from motorik.system.equations import Equations
from motorik.system.forms import LoopForm, TreeForm
from motorik.system.guards import Guarded
from motorik.system.layout import Layout
from motorik.system.multipliers import least_multipliers
from motorik.system.natives import Natives, Outputs
from motorik.system.parameters import ParameterCheck, design_values, live_scalars
from motorik.system.rows import OutputSamples
from motorik.system.stages import Stages
from motorik.topology.mechanism import Mechanism

if TYPE_CHECKING:
    import casadi

    from motorik.nonsmooth.application.sliding_modes import Surface


REPEATED = 3  # times that orders of elimination are chosen again in a run


def _native(name: str, text: str) -> NativeFunction:
    """Return a property: the native function of this name."""
    return property(lambda self: self.natives.get(name), doc=text)  # type: ignore[return-value]


class System:
    """The compiled equations of a model.

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
    poses                 t, X, p                  of each carrier: x y z, qx qy qz qw
    energy                t, X, p                  kinetic, potential (NaN if gravity is a
                                                   user's function) and stored energy [J]
    constraints           t, X, p                  g and then a of all constraint rows
    constraint_matrix     t, X, p                  G of all constraint rows, by columns
    gaps                  t, X, p                  of each closure: how far open [m], [rad]
    margins               t, x, p                  of what is guarded: 0 at a dead centre,
                                                   and then their rates
    followed              t, x, p                  angles whose full turns are counted in the
                                                   run, and then their rates
    ====================  =======================  ==========================================
    """

    def __init__(
        self, subject: ParametrisedModel, assembled: AssembledModel, options: LoopOptions
    ) -> None:
        self.subject, self.options = subject, options
        self.mechanism: Mechanism = assembled.mechanism
        self.survey = assembled.survey
        self.formulation: Formulation | None = assembled.formulation
        self.layout = Layout.of(self.mechanism, self.formulation, subject.live)
        if self.formulation is None:
            form: TreeForm | LoopForm = TreeForm(self.mechanism, self.layout)
        else:
            loops = LoopEquations(self.formulation, subject.p)
            form = LoopForm(loops, self.layout)
        self.form = form
        self.equations = Equations(self.mechanism, form, self.layout, subject.symbols)
        self.natives = Natives(self.equations)
        self.stages = Stages(self.equations)
        self.parameter_check = ParameterCheck(subject.model, subject.live)
        self.lock = threading.RLock()  # of runs whose code has memory, and of what is kept
        self.starts: dict[object, object] = {}  # starts found before, by what was given
        self.prepared: dict[str, object] = {}  # what starts need, made when first used
        self.searches = 0  # starts that were requested and not kept
        self.surfaces: tuple[Surface, ...] = ()  # of cases of laws that are constraints …
        self.without_sliding: System = self  # … and the system in which none is
        self.decided_anew = ""  # why, if another system did not suit the live values
        self._eliminated: System | None = None  # with orders that were chosen again
        self.is_checked = False  # whether its code was compared with its equations

    @staticmethod
    def of(
        model: Composite,
        options: LoopOptions | None = None,
        values: np.ndarray | None = None,
    ) -> System:
        """Return the system of a model as it is now, decided at these live values."""
        import casadi

        live = live_scalars(model)
        symbols = casadi.SX.sym("p", len(live))
        p = np.array([scalar.value for scalar in live], dtype=float)
        if values is not None:
            p[: values.size] = values
        ParameterCheck(model, live)(p)
        subject = design_values(ParametrisedModel(model, live, symbols, p))
        options = options or LoopOptions()
        return System(subject, formulate(subject, options), options)

    # --- functions -------------------------------------------------------------------------

    derivative = _native("derivative", "Native dx/dt of (t, x, p).")
    derivative_lanes = _native("derivative_lanes", "Native dx/dt of four states at once.")
    forward_dynamics = _native("forward_dynamics", "Native du/dt of (q, u, tau, p).")
    inverse_dynamics = _native("inverse_dynamics", "Native forces of (q, u, ud, p).")
    mass_matrix = _native("mass_matrix", "Native mass matrix of (q, p), by columns.")
    jacobian = _native(
        "jacobian", "Native Jacobian of dx/dt by x, of (t, x, p), by columns."
    )
    energy = _native("energy", "Native kinetic, potential, stored energy of (t, X, p).")
    poses = _native("poses", "Native poses of all carriers, 7 numbers each, of (t, X, p).")
    full_state = _native("full_state", "Native X of (t, x, p).")
    full_state_rates = _native("full_state_rates", "Native dX/dt of (t, X, p).")
    constraints = _native("constraints", "Native g and a of all rows, of (t, X, p).")
    constraint_matrix = _native("constraint_matrix", "Native G by columns, of (t, X, p).")
    contact_state = _native(
        "contact_state", "Native numbers of the nonsmooth constraints, of (t, x, p)."
    )
    contact_lcp = _native(
        "contact_lcp", "Native limits, b and D of the nonsmooth constraints."
    )
    impulse_response = _native(
        "impulse_response", "Native change of x by the impulses in p, of (t, x, p)."
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
    forces = _native("forces", "Native forces that switch, of (t, X, p).")
    gaps = _native("gaps", "Native gaps of all closures [m, rad], of (t, X, p).")
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
        return self.natives.get("project") if self.form.needs_projection else None

    @property
    def audited(self) -> NativeFunction | None:
        """Native dx/dt of (t, x, p), and last how far it misses the equations: 1 is too far.

        The equations are those before elimination. Where kernels find the forces of
        constraints, only the last. None where nothing is eliminated in a fixed order.
        """
        return self.natives.get("audited") if self.form.is_audited else None

    def missed_at(self, t: float, x: np.ndarray, p: np.ndarray) -> str:
        """Return the parts whose equations of motion or of loops are not solved at a state."""
        if not self.form.is_audited:
            return ""
        faults = self.natives.get("faults") if self.iterates else self.function("faults")
        found = np.asarray(faults(np.array([t]), x, p)).ravel()
        names = zip(self.equations.fault_names, found, strict=True)
        return "; ".join(name for name, fault in names if not fault <= 1.0)

    @property
    def margins(self) -> NativeFunction | None:
        """Native margins of what is guarded and their rates; None where nothing is."""
        return self.natives.get("margins") if self.guarded else None

    @property
    def followed(self) -> NativeFunction | None:
        """Native values that are followed in a run, and their rates; None without any."""
        return self.natives.get("followed") if self.layout.n_followed else None

    @property
    def nonsmooth(self) -> NonsmoothConstraints | None:
        """The forces that stick or slip; None where nothing does."""
        return self.form.nonsmooth

    @cached_property
    def has_events(self) -> bool:
        """Whether events change anything: forces that switch, or triggers."""
        return self.nonsmooth is not None or bool(self.mechanism.inventory.triggers)

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
        return None if self.survey is None else self.survey.order

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
        return self.n_u if self.formulation is None else self.formulation.freedom

    @property
    def iterates(self) -> bool:
        """Whether loops are closed by Newton's method in each evaluation."""
        return self.equations.iterates

    @property
    def is_rolled(self) -> bool:
        """Whether equal links share one piece of native code."""
        return self.natives.is_rolled

    @property
    def guarded(self) -> list[Guarded]:
        """What the margins are about."""
        return self.equations.guarded

    @cached_property
    def corners(self) -> Corners:
        """The times at which laws change."""
        return Corners(self.equations)

    @cached_property
    def scales(self) -> Scales:
        """The lengths of the mechanism."""
        if self.formulation is not None:
            return self.formulation.scales
        return find_scales(self.subject.numeric(self.mechanism))

    @cached_property
    def pose_problem(self) -> PositionProblem:
        """What must hold at the positions of a start: closed loops and demands."""
        rows = None if self.formulation is None else self.formulation.rows
        demands = [d for d in self.mechanism.initial_conditions if d.level == 0]
        return PositionProblem(
            self.mechanism, rows, self.subject.symbols, self.scales, demands
        )

    def guessed(self, fixed: np.ndarray) -> list[int]:
        """Return the places in X of guesses: what is fixed and the balance determines."""
        balance = self.form.balance
        if balance is None:
            return []
        speeds = [self.n_q + k for k in balance.balance.speeds]
        return [*balance.determined(fixed), *speeds]

    @cached_property
    def force_places(self) -> np.ndarray:
        """The places in p of the forces that switch, in the order of the rows."""
        return self._places("")

    def mode_places(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the places in p that tell which rows stick, their directions, which are held."""
        return (
            self._places("_stick"),
            self._places("_direction"),
            self._places("_saturated"),
        )

    def pairs(self) -> list[tuple[int, tuple[int, ...]]]:
        """Return the row across each row (−1: none, −2 − k: across k), and places in p of discs."""
        constraints = () if self.nonsmooth is None else self.nonsmooth.constraints
        at = {scalar: k for k, scalar in enumerate(self.parameters)}
        found: list[tuple[int, tuple[int, ...]]] = [(-1, NO_DISK)] * len(constraints)
        for k, constraint in enumerate(constraints):
            if constraint.disk is not None and self.nonsmooth is not None:
                own, other = constraint.part.internal(), self.nonsmooth.sharing.pairs[k]
                places = tuple(at[own[name]] for name in constraint.disk.numbers)
                found[k], found[other] = (other, places), (-2 - k, NO_DISK)
        return found

    def _places(self, ending: str) -> np.ndarray:
        constraints = () if self.nonsmooth is None else self.nonsmooth.constraints
        at = {scalar: k for k, scalar in enumerate(self.parameters)}
        own = (
            at[constraint.part.internal()[f"{constraint.force}{ending}"]]
            for constraint in constraints
        )
        return np.array(list(own), dtype=np.intp)

    def numeric_at(self, live: np.ndarray) -> Mechanism:
        """Return the mechanism with these values of the live parameters."""
        subject = self.subject.with_values(live)
        return subject.numeric(self.mechanism, self.order, self.options.is_absolute)

    def parameter_values(self) -> np.ndarray:
        """Return the present values of the live parameters."""
        return self.completed(self.layout.present_live())

    def completed(self, live: np.ndarray) -> np.ndarray:
        """Return values of the live parameters with those that follow from the design pose."""
        n = live.size - self.n_designed
        if n == live.size:
            return live
        if not np.array_equal(live[:n], self.subject.p[:n]):
            return design_values(self.subject.with_values(live)).p
        return self.subject.p.copy()

    @cached_property
    def n_designed(self) -> int:
        """How many of the live parameters, the last, follow from the design pose."""
        return sum(scalar.parameter.is_designed for scalar in self.parameters)

    def chosen_algorithm(self) -> str:
        """Return the algorithm of forward dynamics and its cost."""
        _ = self.derivative
        if self.iterates:
            return "loops closed by Newton's method in each evaluation"
        return self.equations.algorithm

    def shape_of(self, name: str) -> tuple[int, ...]:
        """Return the shape of a variable at one instant."""
        return self.stages.shape_of(name)

    def rows(
        self, time: np.ndarray, motion: np.ndarray, parameters: np.ndarray
    ) -> OutputSamples:
        """Return rows of motion X, from which any variable is computed.

        `parameters` are p, the same for all rows or a row for each.
        """
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
        rows[:, self.force_places] = found.reshape(time.size, -1)
        return rows

    # --- other forms of the same model -----------------------------------------------------

    @cached_property
    def projected(self) -> System:
        """The same mechanism with every loop enforced by multipliers and projection."""
        assert self.formulation is not None
        form = AssembledModel(self.mechanism, self.survey, released(self.formulation))
        return System(self.subject, form, self.options)

    def opened_at(self, q: np.ndarray) -> System:
        """Return the projected form with the rows that are independent at the pose q, too."""
        assert self.formulation is not None and self.survey is not None
        seen = self.survey.with_pose(q)
        form = AssembledModel(self.mechanism, seen, with_all_rows(seen, self.formulation))
        return System(self.subject, form, self.options)

    @cached_property
    def with_every_row(self) -> System | None:
        """The same system in absolute coordinates with all rows; None if it has them."""
        f = self.formulation
        if f is None or f.gains is not None or not self.options.is_absolute:
            return None
        made = with_redundant(f)
        if made is f:
            return None
        return System(
            self.subject, AssembledModel(self.mechanism, self.survey, made), self.options
        )

    def eliminated_at(self, q: np.ndarray) -> System | None:
        """Return the same system with orders of elimination that hold at the pose q, too.

        It is kept: where pivots vanish in one run, they are likely to do so in the next.
        None if there is no choice, or if orders were chosen again before, `REPEATED` times.
        """
        f = self.formulation
        if f is None or len(f.judged_at) >= REPEATED or not self._has_choice:
            return None
        with self.lock:
            if self._eliminated is None:
                made = replace(f, early_rows=False, judged_at=(*f.judged_at, q))
                form = AssembledModel(self.mechanism, self.survey, made)
                self._eliminated = System(self.subject, form, self.options)
            return self._eliminated

    @property
    def _has_choice(self) -> bool:
        """Whether equations of loops could be eliminated in another order."""
        if not isinstance(self.form, LoopForm):
            return False
        judged = self.form.loops.judged.items()
        return any(
            unit.enforced or any(b.pivots for b in own.blocks) for unit, own in judged
        )

    @cached_property
    def guide(self) -> System | None:
        """The same model with closed forms where this system has none: they determine branches.

        None if this system is its own guide.
        """
        if self.formulation is None or self.options.is_auto:
            return None
        try:
            return System.of(self.subject.model, LoopOptions(), self.subject.p)
        except MotorikError:
            return None
