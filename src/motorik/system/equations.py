"""Equations: the functions of a system as CasADi functions, each traced on first use."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Protocol, TypeVar

from motorik.algebra.matrix import Matrix
from motorik.compiler.symbols import elements, make_function
from motorik.dynamics.articulated import Caller
from motorik.errors import UnknownNameError, suggest
from motorik.motion.catalogue import Catalogue, position_of, ravel
from motorik.motion.steps import radians
from motorik.motion.view import MotionView
from motorik.nonsmooth.laws.state_events import (
    branching_laws,
    law_conditions,
)
from motorik.progress import working
from motorik.system.relative_coordinates import stretch_values, stretches
from motorik.system.rigid_groups import RigidGroups, poses
from motorik.system.traced_functions import (
    TRACED,
    armature_response_values,
    armature_symbols,
    unwrapped_angle_values,
)

if TYPE_CHECKING:
    import casadi

    from motorik.algebra.scalar import Scalar
    from motorik.loops.branch_blocks import BranchParameters
    from motorik.loops.formulate import Formulation
    from motorik.loops.formulation import ClosedForm
    from motorik.motion.tree_equations import TreeState
    from motorik.motion.view import References
    from motorik.nonsmooth.laws.forces import NonsmoothConstraints
    from motorik.nonsmooth.laws.joint_constraints import JointConstraints
    from motorik.nonsmooth.laws.response import ForceResponse
    from motorik.nonsmooth.laws.state_events import TracedLaw
    from motorik.system.guards import Guarded
    from motorik.system.layout import Layout
    from motorik.system.state_space import StateSpaceForm
    from motorik.system.tree_jacobian import TreeJacobian
    from motorik.topology.mechanism import Mechanism


class TapeRecorder(Caller, Protocol):
    """A tape that records a function of named arrays."""

    def adopt(self, name: str, symbols: casadi.SX) -> None:
        """Make symbols an input."""
        ...

    def output(self, name: str, scalars: Sequence[Scalar]) -> None:
        """Make scalars an output."""
        ...


SMOOTH = {
    **TRACED,
    "poses": poses,
    "relative_coordinates": stretches,
    "law_conditions": law_conditions,
}


#: Functions of nonsmooth constraints along speeds, in which equal links share their code.
OF_JOINTS: dict[str, Callable[[JointConstraints, TreeState], list[Scalar]]] = {
    "contact_state": lambda joints, instant: joints.contact_state(instant),
    "contact_lcp": lambda joints, instant: joints.contact_lcp(instant),
    "impulse_response": lambda joints, instant: joints.impulse_response(instant),
    "stopping": lambda joints, instant: joints.stopping(instant),
    "forces": lambda joints, instant: joints.solved(instant).forces,
}


READ = ("trigger_conditions", "assignments", "sampled_inputs", "delayed_signals")
"""Functions of events that may read accelerations and the forces of constraints."""


def makers() -> Mapping[str, Callable[[Equations], casadi.Function]]:
    """Return the tracers of all functions, those of events included, by name."""
    from motorik.nonsmooth.laws.event_functions import SWITCHING

    return {**SMOOTH, **SWITCHING}


Recording = TypeVar("Recording", bound=TapeRecorder)


class Equations:
    """The functions of a mechanism, by name; `CompiledModel` lists them.

    `symbols` are those of the live parameters.
    """

    def __init__(
        self,
        mechanism: Mechanism,
        form: StateSpaceForm,
        layout: Layout,
        symbols: casadi.SX,
    ) -> None:
        import casadi

        self.mechanism, self.form, self.layout = mechanism, form, layout
        self.live = symbols
        self.branch = casadi.SX.sym("branch", layout.n_branch_parameters)
        self.p = casadi.vertcat(self.live, self.branch)
        self.catalogue = Catalogue(mechanism)
        self.algorithm = ""
        self.fault_names: list[str] = []  # the parts of `faults`, in their order
        self.stretch_units: list[str] = []  # of `stretches`, in their order
        self.response_places: tuple[list[int], list[int]] = ([], [])  # of `joint_forces`
        self.hinge_numbers: list[int] = []  # of joints in closed forms, see `positions`
        self._functions: dict[str, casadi.Function] = {}
        self._forms: dict[int, tuple[casadi.Function, list[int]]] = {}

    @property
    def formulation(self) -> Formulation:
        """The choice of states, and how loops are solved."""
        return self.form.formulation

    @property
    def nonsmooth(self) -> NonsmoothConstraints:
        """The nonsmooth constraints; there must be some."""
        assert self.form.nonsmooth is not None
        return self.form.nonsmooth

    @cached_property
    def response(self) -> ForceResponse | None:
        """How kernels find the forces of many constraints, None if straight-line code does."""
        if self.form.nonsmooth is None or self.form.joint_constraints is not None:
            return None
        from motorik.nonsmooth.laws.response import find_response

        with working("tracing constraints"):
            return find_response(self)

    @cached_property
    def response_of_motion(self) -> ForceResponse | None:
        """As `response`, of a motion X: what results ask; without loops, that is the state."""
        if self.response is None or self.formulation.is_empty:
            return self.response
        from motorik.nonsmooth.laws.response import find_response

        return find_response(self, of_motion=True)

    @cached_property
    def tree_jacobian(self) -> TreeJacobian | None:
        """The Jacobian by recursion, None where straight-line code computes it."""
        from motorik.system.tree_jacobian import find_tree_jacobian

        return find_tree_jacobian(self)

    def function(self, name: str) -> casadi.Function:
        """Return one of the functions as a `casadi.Function`."""
        if name not in self._functions:
            known = SMOOTH if name in SMOOTH else makers()
            if name not in known:
                raise UnknownNameError(
                    self.mechanism.name,
                    f"has no function {name!r}.",
                    suggest(name, known),
                    value=name,
                )
            with working(f"tracing {name}"):
                self._functions[name] = known[name](self)
        return self._functions[name]

    def symbols(self, *names: str) -> list[casadi.SX]:
        """Return symbols of the sizes that these names have."""
        import casadi

        layout = self.layout
        sizes = {"t": 1, "x": layout.n_x, "X": layout.n_motion, "q": layout.n_q}
        sizes |= {"z": len(layout.blocks), "lambda": self.n_multipliers}
        return [casadi.SX.sym(name, sizes.get(name, layout.n_u)) for name in names]

    @cached_property
    def branching_laws(self) -> tuple[casadi.SX, list[TracedLaw]]:
        """The laws that compare what they are given, and the symbol of time in them."""
        (t,) = self.symbols("t")
        return t, list(branching_laws(self, t))

    @cached_property
    def rigid_groups(self) -> RigidGroups:
        """The rigid groups, in the order of `poses`."""
        return RigidGroups.of(self.mechanism)

    @property
    def n_multipliers(self) -> int:
        """The number of constraint equations, redundant ones included."""
        return len(self.formulation.constraints.equations)

    @cached_property
    def references(self) -> References:
        """The references of the angles of joints that close loops: they count full turns."""
        return self.formulation.references(self.branch_parameters)

    def motion(
        self, *given: Sequence[Scalar] | Scalar, tape: Caller | None = None
    ) -> MotionView:
        """Return the motion of (q, u, ud, t, z, multipliers), with full turns counted."""
        counted = {"references": self.references, "tape": tape}
        return MotionView(self.mechanism, *given, **counted)  # type: ignore[arg-type]

    def new_view(self) -> tuple[dict[str, casadi.SX], MotionView]:
        """Return symbols for any motion, by name, and the motion of it."""
        t, q, u, ud, z, lambdas = self.symbols("t", "q", "u", "ud", "z", "lambda")
        named = {"t": t, "q": q, "u": u, "ud": ud, "z": z, "multipliers": lambdas}
        motion = self.motion(*map(elements, (q, u, ud)), t, elements(z), elements(lambdas))
        return named, motion

    @cached_property
    def any_view(self) -> tuple[dict[str, casadi.SX], MotionView]:
        """One motion for all outputs, so that what they share is traced once."""
        return self.new_view()

    def output_function(self, names: Sequence[str]) -> casadi.Function:
        """Return the `casadi.Function` of the motion to the named variables."""
        named, motion = self.any_view
        values: list[Scalar] = []
        for name in names:
            entry, index = self.catalogue.find(name)
            flat, shape = ravel(entry.value(motion))
            if index is not None:
                flat = [flat[position_of(name, index, shape)]]
            values += flat
        return make_function("outputs", {**named, "p": self.p}, values)

    @cached_property
    def branch_parameters(self) -> BranchParameters[Sequence[Scalar]]:
        """The symbols of the branch parameters, in their blocks."""
        return self.formulation.split_branch_parameters(elements(self.branch))

    def recorded(self, name: str, tape: Recording) -> Recording:
        """Return the tape with a function on it, as `ROLLED` of the natives."""
        from motorik.system.rigid_groups import pose_values

        if name == "armature_response":
            a, x = armature_symbols(self)
            for key, symbols in {"a": a, "x": x, "p": self.p}.items():
                tape.adopt(key, symbols)
            values = armature_response_values(self, elements(a), elements(x), tape)
            tape.output("out", values)
            return tape
        names = ("q", "u", "tau") if name == "forward_dynamics" else ("t", "x")
        if name in ("full_state_rates", "poses", "forces"):
            names = ("t", "X")
        given = dict(zip(names, self.symbols(*names), strict=True))
        for key, symbols in {**given, "p": self.p}.items():
            tape.adopt(key, symbols)
        if name == "forward_dynamics":
            q, u, tau = map(elements, given.values())
            X = [*q, *u, *self.block_starts()]
            values = self.form.speed_rates(0.0, X, tau, self.branch_parameters, tape=tape)
        else:
            t, x = given["t"], elements(given[names[1]])
            if name == "margins":
                from motorik.system.guards import margins_and_rates

                instant = self.form.constrained(t, x, self.branch_parameters, tape)
                values = margins_and_rates(instant)
            elif name == "unwrapped_angles":
                values = unwrapped_angle_values(self, t, x, tape)
            elif name == "relative_coordinates":
                values = stretch_values(self, t, x, tape)
            elif name == "poses":
                values = pose_values(self, t, x, tape)
            elif name == "audited":
                values = self.form.audited(t, x, self.branch_parameters, tape)
            elif name in OF_JOINTS:
                instant = self.form.instant(t, x, self.branch_parameters, tape)
                values = OF_JOINTS[name](self.form.along_joints, instant)
            elif name in READ:
                from motorik.nonsmooth.laws.event_functions import OF_STATE

                instant = self.form.instant(t, x, self.branch_parameters, tape)
                trace = partial(OF_STATE[name], self, t, x)
                values = self.form.along_joints.read(instant, trace)
            else:
                trace = {
                    "derivative": self.form.derivative,
                    "full_state": self.form.full_state,
                    "full_state_rates": self.form.full_state_rates,
                    "project": self.form.projected,
                }[name]
                values = trace(t, x, self.branch_parameters, tape=tape)
        tape.output("out", values)
        return tape

    def block_starts(self) -> list[float]:
        """Return the start values of the states of blocks."""
        return [float(s.start.value) for s in self.layout.blocks]  # type: ignore[arg-type]

    def form_function(self, form: ClosedForm) -> tuple[casadi.Function, list[int]]:
        """Return one closed form as a function, and the hinges that it determines.

        Of known coordinates, sides, references of turning ones and live parameters to its
        other coordinates and those of its hinges.
        """
        import casadi

        if id(form) in self._forms:
            return self._forms[id(form)]
        f = self.form.loops.formulation
        turning = set(f.unwrapped)
        about = [k for k in form.outputs if k in turning]
        known, sides, near = (
            casadi.SX.sym(name, count)
            for name, count in (
                ("q", len(form.inputs)),
                ("sides", len(form.decomposition.groups)),
                ("near", len(about)),
            )
        )
        q: list[Scalar] = [None] * self.mechanism.n_q
        for k, symbol in zip(form.inputs, elements(known), strict=True):
            q[k] = symbol
        references = dict(zip(about, elements(near), strict=True))
        hinges: dict[int, Scalar] = {}
        found, _ = f.solved_form(form, q, elements(sides), references, hinges)
        single = {h: radians(v) for h, v in hinges.items() if not isinstance(v, Matrix)}
        columns = [list(map(radians, found.values())), list(single.values())]
        function = casadi.Function(
            "form",
            [known, sides, near, self.live],
            [casadi.densify(casadi.SX(casadi.vertcat(*column))) for column in columns],
        )
        self._forms[id(form)] = function, list(single)
        return self._forms[id(form)]

    @cached_property
    def guarded(self) -> list[Guarded]:
        """The subjects of the margins."""
        if self.formulation.is_empty:
            return []
        from motorik.system.guards import guarded

        t, x = self.symbols("t", "x")
        return guarded(self.form.constrained(t, elements(x), self.branch_parameters))

    def fault_values(self, t: casadi.SX, x: casadi.SX) -> list[Scalar]:
        """Return how far the rates miss the equations of each of `fault_names`."""
        found = self.form.faults(t, elements(x), self.branch_parameters)
        self.fault_names = list(found)
        return list(found.values())
