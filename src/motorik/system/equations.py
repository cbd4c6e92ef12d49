"""Equations: the functions of a system as CasADi functions, each traced when first asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Protocol, TypeVar

from motorik.algebra.matrix import Matrix
from motorik.algebra.scalar import Scalar, is_structural
from motorik.compiler import count_instructions
from motorik.dynamics.articulated import Caller
from motorik.dynamics.reframe import can_reframe
from motorik.errors import AssemblyError, UnknownNameError, suggest
from motorik.loops.formulation import ClosedForm, Formulation
from motorik.motion import traced
from motorik.motion.catalogue import Catalogue, position_of, ravel
from motorik.motion.energy import kinetic, potential, stored
from motorik.motion.view import MotionView, References, radians
from motorik.progress import working
from motorik.system.forms import LoopForm, TreeForm
from motorik.system.guards import (
    Guarded,
    guarded,
    margins_and_rates,
    solvability_and_rate,
)
from motorik.system.layout import Layout
from motorik.topology.mechanism import Mechanism

if TYPE_CHECKING:
    import casadi

COMPARE_UP_TO = 12  # freedoms up to which factorisation is tried against articulated bodies


class Recorder(Caller, Protocol):
    """A tape that records a function of named arrays."""

    def adopt(self, name: str, symbols: casadi.SX) -> None:
        """Make symbols an input."""
        ...

    def output(self, name: str, scalars: Sequence[Scalar]) -> None:
        """Make scalars an output."""
        ...


ITERATING = ("derivative", "full_state", "jacobian", "margins", "followed")


Recording = TypeVar("Recording", bound=Recorder)


class Equations:
    """The functions of a mechanism, by name; `System` lists them.

    `symbols` are those of the live parameters. Without loops there is no `formulation`.
    """

    def __init__(
        self,
        mechanism: Mechanism,
        form: TreeForm | LoopForm,
        layout: Layout,
        symbols: casadi.SX,
    ) -> None:
        import casadi

        self.mechanism, self.form, self.layout = mechanism, form, layout
        self.live = symbols
        self.extra = casadi.SX.sym("extra", layout.n_extra)
        n_unknown = 0 if self.formulation is None else len(self.formulation.unknowns)
        self.unknown = casadi.SX.sym("unknown", n_unknown)
        self.p = casadi.vertcat(self.live, self.extra)
        self.catalogue = Catalogue(mechanism)
        self.algorithm = ""
        self.response_places: tuple[list[int], list[int]] = ([], [])  # of `joint_forces`
        self._functions: dict[str, casadi.Function] = {}
        self._forms: dict[int, tuple[casadi.Function, list[int]]] = {}
        self._makers: dict[str, Callable[[], casadi.Function]] = {
            "derivative": self._derivative,
            "forward_dynamics": self._forward_dynamics,
            "inverse_dynamics": self._inverse_dynamics,
            "mass_matrix": self._mass_matrix,
            "jacobian": self._jacobian,
            "project": self._settle,
            "kinematics": self._kinematics,
            "energy": self._energy,
            "full_state": self._whole,
            "full_state_rates": self._whole_rates,
            "constraints": self._constraints,
            "constraint_matrix": self._constraint_matrix,
            "constraint_entries": self._constraint_entries,
            "gaps": self._gaps,
            "imbalance": self._imbalance,
            "joint_forces": self._joint_forces,
            "margins": self._margins,
            "followed": self._followed,
            "positions": self._positions,
        }

    @property
    def formulation(self) -> Formulation | None:
        """How loops are solved, None without any."""
        return self.form.formulation

    @cached_property
    def iterates(self) -> bool:
        """Whether loops are closed by Newton's method in each evaluation."""
        return self.unknown.numel() > 0

    def function(self, name: str) -> casadi.Function:
        """Return one of the functions as a `casadi.Function`."""
        if self.iterates and name in ITERATING:
            raise AssemblyError(
                self.mechanism.name,
                f"{name} iterates (strategy 'minimal') and is no CasADi function.",
                "Compile the model with another strategy.",
            )
        if name not in self._functions:
            if name not in self._makers:
                raise UnknownNameError(
                    self.mechanism.name,
                    f"has no function {name!r}.",
                    suggest(name, self._makers),
                    value=name,
                )
            with working(f"tracing {name}"):
                self._functions[name] = self._makers[name]()
        return self._functions[name]

    def symbols(self, *names: str) -> list[casadi.SX]:
        """Return symbols of the sizes that these names have."""
        import casadi

        layout = self.layout
        sizes = {"t": 1, "x": layout.n_x, "X": layout.n_motion, "q": layout.n_q}
        sizes |= {"z": len(layout.blocks), "lambda": self.n_rows}
        return [casadi.SX.sym(name, sizes.get(name, layout.n_u)) for name in names]

    @property
    def n_rows(self) -> int:
        """The number of constraint rows, redundant ones included."""
        return 0 if self.formulation is None else len(self.formulation.rows.rows)

    @cached_property
    def references(self) -> References:
        """About what the angles of joints that close loops are: counts their full turns."""
        f = self.formulation
        return {} if f is None else f.references(elements(self.extra))

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
    def _any_view(self) -> tuple[dict[str, casadi.SX], MotionView]:
        """One motion for all outputs, so that what they share is traced once."""
        return self.new_view()

    def output_function(self, names: Sequence[str]) -> casadi.Function:
        """Return the `casadi.Function` of the motion to the named variables."""
        named, motion = self._any_view
        values: list[Scalar] = []
        for name in names:
            entry, index = self.catalogue.find(name)
            flat, shape = ravel(entry.value(motion))
            if index is not None:
                flat = [flat[position_of(name, index, shape)]]
            values += flat
        return make_function("outputs", {**named, "p": self.p}, values)

    @property
    def all_extra(self) -> list[casadi.SX]:
        """The symbols that follow the live parameters, and those of the unknowns."""
        return [*elements(self.extra), *elements(self.unknown)]

    # --- dynamics --------------------------------------------------------------------------

    def _derivative(self) -> casadi.Function:
        t, x = self.symbols("t", "x")
        return self._cheapest(
            "derivative",
            {"t": t, "x": x, "p": self.p},
            lambda by: self.form.derivative(t, elements(x), self.all_extra, by),
        )

    def _forward_dynamics(self) -> casadi.Function:
        q, u, tau = self.symbols("q", "u", "tau")
        return self._cheapest(
            "forward_dynamics",
            {"q": q, "u": u, "tau": tau, "p": self.p},
            lambda by: self.form.speed_rates(
                0.0,
                [*elements(q), *elements(u), *self.block_starts()],
                elements(tau),
                self.all_extra,
                by,
            ),
        )

    def recorded(self, name: str, tape: Recording) -> Recording:
        """Return the tape with a function on it, as `ROLLED` of the natives."""
        names = ("q", "u", "tau") if name == "forward_dynamics" else ("t", "x")
        if name == "full_state_rates":
            names = ("t", "X")
        given = dict(zip(names, self.symbols(*names), strict=True))
        for key, symbols in {**given, "p": self.p}.items():
            tape.adopt(key, symbols)
        if name == "forward_dynamics":
            q, u, tau = map(elements, given.values())
            X = [*q, *u, *self.block_starts()]
            values = self.form.speed_rates(0.0, X, tau, self.all_extra, tape=tape)
        else:
            t, x = given["t"], elements(given[names[1]])
            if name == "margins":
                assert isinstance(self.form, LoopForm)
                values = margins_and_rates(self.form.instant(t, x, self.all_extra, tape))
            elif name == "followed":
                values = self.followed_values(t, x, tape)
            else:
                trace = {
                    "derivative": self.form.derivative,
                    "full_state": self.form.full_state,
                    "full_state_rates": self.form.full_state_rates,
                    "project": self.form.projected,
                }[name]
                values = trace(t, x, self.all_extra, tape=tape)
        tape.output("out", values)
        return tape

    def _cheapest(
        self,
        name: str,
        arguments: Mapping[str, casadi.SX],
        trace: Callable[[str], list[Scalar]],
    ) -> casadi.Function:
        """Return the function by the algorithm with the fewest operations."""
        if self.formulation is not None:
            function = make_function(name, arguments, trace(""))
            count = count_instructions(function)
            self.algorithm = f"loops closed within, {count} operations"
            return function
        candidates = [traced.ARTICULATED]
        if 1 < self.layout.n_u <= COMPARE_UP_TO:
            candidates.append(traced.FACTORISED)
        if any(not is_sparse(link.X_pj.R) for link in self.mechanism.links):
            candidates.append(traced.ALIGNED)
            if can_reframe(self.mechanism.links) and not self.mechanism.forces:
                candidates.append(traced.REFRAMED)
        functions = {key: make_function(name, arguments, trace(key)) for key in candidates}
        counts = {key: count_instructions(f) for key, f in functions.items()}
        chosen = min(counts, key=lambda key: counts[key])
        others = [f"{key} needs {n}" for key, n in counts.items() if key != chosen]
        self.algorithm = "; ".join([f"{chosen}, {counts[chosen]} operations", *others])
        return functions[chosen]

    def block_starts(self) -> list[float]:
        """Return the start values of the states of blocks."""
        return [float(s.start.value) for s in self.layout.blocks]  # type: ignore[arg-type]

    def _inverse_dynamics(self) -> casadi.Function:
        q, u, ud = self.symbols("q", "u", "ud")
        values = traced.required_forces(
            self.mechanism,
            elements(q),
            elements(u),
            elements(ud),
            0.0,
            self.block_starts(),
            self.references,
        )
        given = {"q": q, "u": u, "ud": ud, "p": self.p}
        return make_function("inverse_dynamics", given, values)

    def _imbalance(self) -> casadi.Function:
        t, X, ud = self.symbols("t", "X", "ud")
        q, u, z = self.layout.split(elements(X))
        values = traced.required_forces(
            self.mechanism, q, u, elements(ud), t, z, self.references
        )
        return make_function("imbalance", {"t": t, "X": X, "ud": ud, "p": self.p}, values)

    def _mass_matrix(self) -> casadi.Function:
        (q,) = self.symbols("q")
        values = traced.inertia_matrix(self.mechanism, elements(q))
        return make_function("mass_matrix", {"q": q, "p": self.p}, values)

    def _jacobian(self) -> casadi.Function:
        import casadi

        dynamics = self.function("derivative")
        t, x = self.symbols("t", "x")
        J = casadi.jacobian(dynamics(t, x, self.p), x)
        given = {"t": t, "x": x, "p": self.p}
        return make_function("jacobian", given, casadi.vec(casadi.densify(J)))

    # --- states and motions ----------------------------------------------------------------

    def _settle(self) -> casadi.Function:
        t, x = self.symbols("t", "x")
        values = self.form.projected(t, elements(x), self.all_extra)
        return make_function("project", {"t": t, "x": x, "p": self.p}, values)

    def _whole(self) -> casadi.Function:
        t, x = self.symbols("t", "x")
        values = self.form.full_state(t, elements(x), self.all_extra)
        return make_function("full_state", {"t": t, "x": x, "p": self.p}, values)

    def _whole_rates(self) -> casadi.Function:
        t, X = self.symbols("t", "X")
        values = self.form.full_state_rates(t, elements(X), self.all_extra)
        return make_function("full_state_rates", {"t": t, "X": X, "p": self.p}, values)

    def _followed(self) -> casadi.Function:
        t, x = self.symbols("t", "x")
        values = self.followed_values(t, elements(x))
        return make_function("followed", {"t": t, "x": x, "p": self.p}, values)

    def followed_values(
        self, t: Scalar, x: Sequence[Scalar], tape: Caller | None = None
    ) -> list[Scalar]:
        """Return what is followed in the run, and then its rates, of symbols of a state.

        Turning angles less what they wind with, counted angles of joints that close loops,
        unknowns in scales.
        """
        f = self.formulation
        assert isinstance(self.form, LoopForm) and f is not None
        instant = self.form.instant(t, x, self.all_extra, tape)
        q, u = instant.q, instant.u
        motion = self.motion(q, u, None, t, instant.z, tape=tape)
        speed = {k: self.mechanism.link_of_coordinate(k).u[0] for k in f.turning}
        values, rates = [], []
        for k in f.turning:
            values.append(radians(q[k]) - f.wound(k, q))
            winds = [
                (self.mechanism.link_of_coordinate(j).u[0], sign)
                for j, sign in f.winding.get(k, ())
            ]
            rates.append(u[speed[k]] - sum(sign * u[j] for j, sign in winds))
        for angle in f.counted:
            values.append(motion.coordinate(angle.part, angle.name))
            rates.append(motion.speed(angle.part, angle.speed))
        for k in f.unknowns:
            link, scale = self.mechanism.link_of_coordinate(k), f.scales.coordinates[k]
            values.append(radians(q[k]) / float(scale))
            rates.append(u[link.u[k - link.q[0]]] / float(scale))
        return [*values, *rates]

    def _positions(self) -> casadi.Function:
        """All coordinates, and those of all joints in closed forms, of states and extra."""
        import casadi

        f = self.formulation
        assert f is not None
        t, z = self.symbols("t", "z")
        q = casadi.SX.sym("q", len(f.state_q))
        hinges: dict[int, Scalar] = {}
        solve = partial(f.solved_form, hinges=hinges)
        found, _ = f.coordinates(elements(q), t, elements(z), self.all_extra, solve)
        single = {h: radians(v) for h, v in hinges.items() if not isinstance(v, Matrix)}
        self.hinge_numbers = list(single)
        columns = [list(map(radians, found)), list(single.values())]
        return casadi.Function(
            "positions",
            [t, q, z, self.live, self.extra, self.unknown],
            [casadi.densify(casadi.SX(casadi.vertcat(*column))) for column in columns],
        )

    def form_function(self, form: ClosedForm) -> tuple[casadi.Function, list[int]]:
        """Return one closed form as a function, and the hinges that it tells.

        Of known coordinates, sides, references of turning ones and live parameters to its
        other coordinates and those of its hinges.
        """
        import casadi

        if id(form) in self._forms:
            return self._forms[id(form)]
        f = self.formulation
        assert f is not None
        turning = set(f.turning)
        about = [k for k in form.outputs if k in turning]
        known, sides, near = (
            casadi.SX.sym(name, count)
            for name, count in (
                ("q", len(form.inputs)),
                ("sides", len(form.plan.steps)),
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

    # --- bodies ----------------------------------------------------------------------------

    def _kinematics(self) -> casadi.Function:
        q, u = self.symbols("q", "u")
        motion = MotionView(self.mechanism, elements(q), elements(u))
        values: list[Scalar] = []
        for mass in self.mechanism.masses:
            X, V = motion.pose(mass.frame), motion.velocity(mass.frame)
            values += [*X.p.xyz, *X.R.entries, *V.resultant.xyz, *(X.R @ V.moment).xyz]
        return make_function("kinematics", {"q": q, "u": u, "p": self.p}, values)

    def _energy(self) -> casadi.Function:
        t, X = self.symbols("t", "X")
        q, u, z = self.layout.split(elements(X))
        motion = self.motion(q, u, None, t, z)
        values = [kinetic(motion), potential(motion), stored(motion)]
        return make_function("energy", {"t": t, "X": X, "p": self.p}, values)

    # --- constraints -----------------------------------------------------------------------

    def _constraints(self) -> casadi.Function:
        import casadi

        t, X = self.symbols("t", "X")
        values = casadi.SX(0, 1)
        if self.formulation is not None:
            rows = self.formulation.rows
            q, u, z = self.layout.split(elements(X))
            y = rows.y_of(q, t, z)
            g = rows.position_function(y, self.live)
            a = rows.velocity_function(y, casadi.vertcat(*u), self.live)
            values = casadi.vertcat(g, a)
        return make_function("constraints", {"t": t, "X": X, "p": self.p}, values)

    def _constraint_matrix(self) -> casadi.Function:
        import casadi

        t, X = self.symbols("t", "X")
        values = casadi.SX(0, 1)
        if self.formulation is not None:
            rows = self.formulation.rows
            q, _, z = self.layout.split(elements(X))
            entries = rows.matrix_function(rows.y_of(q, t, z), self.live)
            G = casadi.SX(len(rows.rows), self.layout.n_u)
            for (i, j), value in zip(rows.pattern, elements(entries), strict=True):
                G[i, j] = value
            values = casadi.vec(casadi.densify(G))
        return make_function("constraint_matrix", {"t": t, "X": X, "p": self.p}, values)

    def _constraint_entries(self) -> casadi.Function:
        """Return the entries of G that are there, in the order of `rows.pattern`."""
        t, X = self.symbols("t", "X")
        f = self.formulation
        assert f is not None
        q, _, z = self.layout.split(elements(X))
        values = f.rows.matrix_function(f.rows.y_of(q, t, z), self.live)
        return make_function("constraint_entries", {"t": t, "X": X, "p": self.p}, values)

    def _gaps(self) -> casadi.Function:
        """How far each closure is open, in metres and radians, by other means than its rows."""
        import casadi

        t, X = self.symbols("t", "X")
        q, _, z = self.layout.split(elements(X))
        values = casadi.SX(0, 1)
        if self.formulation is not None:
            rows = self.formulation.rows
            values = casadi.vec(rows.gap_function(rows.y_of(q, t, z), self.live))
        return make_function("gaps", {"t": t, "X": X, "p": self.p}, values)

    def _joint_forces(self) -> casadi.Function:
        """Return the forces at all joints, and entries of their derivatives by multipliers."""
        import casadi

        named, motion = self._any_view
        values: list[Scalar] = []
        for edge in self.mechanism.inventory.joints:
            force = motion.reaction_at(edge.frame_b)
            values += [*force.resultant.xyz, *force.moment.xyz]
        W = casadi.densify(casadi.SX(casadi.vertcat(*values)))
        response = casadi.jacobian(W, named["multipliers"])
        self.response_places = response.sparsity().get_triplet()
        B = casadi.sparsity_cast(response, casadi.Sparsity.dense(response.nnz()))
        return casadi.Function("joint_forces", [*named.values(), self.p], [W, B])

    def _margins(self) -> casadi.Function:
        t, x = self.symbols("t", "x")
        values: list[Scalar] = []
        if isinstance(self.form, LoopForm):
            values = margins_and_rates(self.form.instant(t, elements(x), self.all_extra))
        return make_function("margins", {"t": t, "x": x, "p": self.p}, values)

    @cached_property
    def guarded(self) -> list[Guarded]:
        """What the margins are about."""
        if not isinstance(self.form, LoopForm):
            return []
        t, x = self.symbols("t", "x")
        return guarded(self.form.instant(t, elements(x), self.all_extra))

    def iterating_values(self, name: str, t: casadi.SX, x: casadi.SX) -> list[Scalar]:
        """Return the values of a function in which Newton's method closes loops."""
        assert isinstance(self.form, LoopForm)
        if name == "followed":
            return self.followed_values(t, elements(x))
        if name == "margins":
            instant = self.form.instant(t, elements(x), self.all_extra)
            scale, unknown = elements(self.extra)[-1], elements(self.unknown)
            return solvability_and_rate(instant, scale, unknown)
        trace = {"derivative": self.form.derivative, "full_state": self.form.full_state}[
            name
        ]
        return trace(t, elements(x), self.all_extra)


def elements(vector: casadi.SX) -> list[casadi.SX]:
    """Return the scalars of a column of symbols."""
    import casadi

    return casadi.vertsplit(vector) if vector.numel() else []


def make_function(
    name: str, arguments: Mapping[str, casadi.SX], values: Sequence[Scalar] | casadi.SX
) -> casadi.Function:
    """Return a function of named arguments to one dense column."""
    import casadi

    out = casadi.vertcat(*values) if isinstance(values, list) else values
    column = casadi.densify(casadi.SX(out))
    return casadi.Function(
        name, list(arguments.values()), [column], list(arguments), ["out"]
    )


def is_sparse(R: Matrix) -> bool:
    """Tell whether a constant rotation has at least four zeros: a turn about one axis."""
    return sum(is_structural(e, 0.0) for e in R.entries) >= 4
