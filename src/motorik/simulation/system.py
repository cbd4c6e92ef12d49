"""System: a model assembled and compiled, its equations as native and as CasADi functions."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from motorik.algebra.dyad import kinetic_energy
from motorik.algebra.matrix import Matrix
from motorik.algebra.scalar import Scalar, add, is_structural
from motorik.assembly import traced
from motorik.assembly.assemble import assemble
from motorik.assembly.catalogue import Catalogue, flatten
from motorik.assembly.mechanism import Mechanism
from motorik.assembly.reframe import can_reframe
from motorik.assembly.view import MotionView
from motorik.compiler import NativeFunction, compile_function, count_instructions
from motorik.components.composite import Composite
from motorik.components.part import Part
from motorik.components.values import LiveScalar
from motorik.errors import AssemblyError, UnknownNameError, suggest
from motorik.simulation.methods.gbs_plan import LANES

if TYPE_CHECKING:
    import casadi

ROLL_FROM = 48  # freedoms from which equal links share their code
COMPARE_UP_TO = 12  # freedoms up to which factorisation is tried against articulated bodies


class System:
    """The compiled equations of a model.

    Every function is native and is compiled when first used; `function(name)` gives the same
    equations as a `casadi.Function`. Arguments are flat arrays: time t, state x = (q, u),
    coordinates q, speeds u and their rates ud, generalised forces tau, live parameters p.

    ====================  =======================  ==========================================
    name                  arguments                value
    ====================  =======================  ==========================================
    derivative            t, x, p                  dx/dt
    forward_dynamics      q, u, tau, p             du/dt under tau and the model's own forces
    inverse_dynamics      q, u, ud, p              forces needed beside the model's own ones
    mass_matrix           q, p                     M, by columns
    jacobian              t, x, p                  ∂(dx/dt)/∂x, by columns
    settle                t, x, p                  x with unit quaternions
    kinematics            q, u, p                  of each body: r_0, R by rows, w_a, v_0
    energy                t, x, p                  kinetic, potential (NaN if gravity is a
                                                   user's function) and stored energy [J]
    ====================  =======================  ==========================================
    """

    def __init__(self, model: Composite) -> None:
        import casadi

        live = [
            e for parameter in model.live_parameters().values() for e in parameter.elements
        ]
        self._p = casadi.SX.sym("p", len(live))
        symbols = dict(zip(live, _elements(self._p), strict=True))
        self.mechanism: Mechanism = assemble(model, lambda scalar: symbols[scalar])
        self.parameters: list[LiveScalar] = live
        self.catalogue = Catalogue(self.mechanism)
        self.algorithm = ""
        self._functions: dict[str, casadi.Function] = {}
        self._outputs: dict[tuple[str, ...], NativeFunction] = {}
        self.state_names = [state.name for state in self.mechanism.states]
        self.state_index = {name: i for i, name in enumerate(self.state_names)}
        self._shapes: dict[str, tuple[int, ...]] = {}
        self.is_checked = False
        self._parameter_index = {scalar: i for i, scalar in enumerate(live)}
        self._live_parts = [part for part in model.walk() if part.has_live_parameters]
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
        """The number of states."""
        return self.n_q + self.n_u

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
        starts = [state.start for state in self.mechanism.states]
        values = np.array([float(start.value) for start in starts])  # type: ignore[arg-type]
        return values, np.array([start.is_fixed for start in starts], dtype=bool)

    @property
    def symbols(self) -> Any:
        """The symbols of the live parameters."""
        return self._p

    def shape_of(self, name: str) -> tuple[int, ...]:
        """Return the shape of a variable at one instant."""
        if name not in self._shapes:
            entry, index = self.catalogue.find(name)
            if index is not None:
                self._shapes[name] = ()
            else:
                self._shapes[name] = flatten(entry.value(self._start_view))[1]
        return self._shapes[name]

    @cached_property
    def _start_view(self) -> MotionView:
        """The mechanism at its start: one view, so that what variables share is found once."""
        return MotionView(self.mechanism, *self.mechanism.start_values(), [0.0] * self.n_u)

    @property
    def is_rolled(self) -> bool:
        """Whether equal links share one piece of native code."""
        return self.n_u >= ROLL_FROM and not self.parameters

    # --- native functions ------------------------------------------------------------------

    @cached_property
    def derivative(self) -> NativeFunction:
        """Native dx/dt of (t, x, p)."""
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
        """Native state with unit quaternions, of (t, x, p); None where nothing drifts."""
        if not traced.needs_settling(self.mechanism):
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
        """Native kinetic, potential and stored energy of (t, x, p)."""
        return self._native("energy")

    def chosen_algorithm(self) -> str:
        """Return how forward dynamics is computed, and at what cost."""
        _ = self.derivative
        return self.algorithm

    def outputs(self, names: Sequence[str]) -> NativeFunction:
        """Return the native function of (t, q, u, ud, p) to the named variables, end to end."""
        key = tuple(names)
        if key not in self._outputs:
            self._outputs[key] = compile_function(self.output_function(key))
        return self._outputs[key]

    def _native(self, name: str) -> NativeFunction:
        return compile_function(self.function(name))

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
            }
            if name not in makers:
                raise UnknownNameError(
                    self.mechanism.name, f"has no function {name!r}.", suggest(name, makers)
                )
            self._functions[name] = makers[name]()
        return self._functions[name]

    def output_function(self, names: Sequence[str]) -> casadi.Function:
        """Return the `casadi.Function` of (t, q, u, ud, p) to the named variables."""
        t, q, u, ud = self._symbols("t", "q", "u", "ud")
        view = MotionView(self.mechanism, _elements(q), _elements(u), _elements(ud), t)
        values: list[Scalar] = []
        for name in names:
            entry, index = self.catalogue.find(name)
            flat, shape = flatten(entry.value(view))
            if index is not None:
                flat = [flat[position(name, index, shape)]]
            values += flat
        return _function(
            "outputs", {"t": t, "q": q, "u": u, "ud": ud, "p": self._p}, values
        )

    def _symbols(self, *names: str) -> list[Any]:
        import casadi

        sizes = {"t": 1, "x": self.n_x, "q": self.n_q, "u": self.n_u, "ud": self.n_u}
        return [casadi.SX.sym(name, sizes.get(name, self.n_u)) for name in names]

    def _make_derivative(self) -> casadi.Function:
        t, x = self._symbols("t", "x")
        return self._cheapest(
            "derivative",
            {"t": t, "x": x, "p": self._p},
            lambda by: traced.derivative(self.mechanism, t, _elements(x), algorithm=by),
        )

    def _make_forward_dynamics(self) -> casadi.Function:
        q, u, tau = self._symbols("q", "u", "tau")
        return self._cheapest(
            "forward_dynamics",
            {"q": q, "u": u, "tau": tau, "p": self._p},
            lambda by: traced.speed_rates(
                self.mechanism, _elements(q), _elements(u), _elements(tau), algorithm=by
            ),
        )

    def _cheapest(
        self, name: str, arguments: dict[str, Any], trace: Callable[[str], list[Scalar]]
    ) -> casadi.Function:
        """Return the function by the algorithm with the fewest operations."""
        candidates = [traced.ARTICULATED]
        if 1 < self.n_u <= COMPARE_UP_TO:
            candidates.append(traced.FACTORISED)
        if any(not is_sparse(link.X_pj.R) for link in self.mechanism.links):
            candidates.append(traced.ALIGNED)
            if can_reframe(self.mechanism.links):
                candidates.append(traced.REFRAMED)
        functions = {key: _function(name, arguments, trace(key)) for key in candidates}
        counts = {key: count_instructions(f) for key, f in functions.items()}
        chosen = min(counts, key=lambda key: counts[key])
        others = [f"{key} needs {n}" for key, n in counts.items() if key != chosen]
        self.algorithm = "; ".join([f"{chosen}, {counts[chosen]} operations", *others])
        return functions[chosen]

    def _make_inverse_dynamics(self) -> casadi.Function:
        q, u, ud = self._symbols("q", "u", "ud")
        values = traced.required_forces(
            self.mechanism, _elements(q), _elements(u), _elements(ud)
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
        values = traced.settled(self.mechanism, _elements(x))
        return _function("settle", {"t": t, "x": x, "p": self._p}, values)

    def _make_kinematics(self) -> casadi.Function:
        q, u = self._symbols("q", "u")
        view = MotionView(self.mechanism, _elements(q), _elements(u))
        values: list[Scalar] = []
        for mass in self.mechanism.masses:
            X, V = view.pose(mass.frame), view.velocity(mass.frame)
            values += [*X.p.xyz, *X.R.entries, *V.resultant.xyz, *(X.R @ V.moment).xyz]
        return _function("kinematics", {"q": q, "u": u, "p": self._p}, values)

    def _make_energy(self) -> casadi.Function:
        t, x = self._symbols("t", "x")
        parts = _elements(x)
        view = MotionView(self.mechanism, parts[: self.n_q], parts[self.n_q :], None, t)
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
        return _function(
            "energy", {"t": t, "x": x, "p": self._p}, [kinetic, potential, stored]
        )

    def check_inertia(self, q: np.ndarray, p: np.ndarray) -> None:
        """Raise `AssemblyError` if a freedom moves without inertia at the coordinates q."""
        self.is_checked = True
        if self.n_u >= ROLL_FROM or not self.n_u:
            return
        M = np.asarray(self.function("mass_matrix")(q, p)).reshape(self.n_u, self.n_u)
        scale = np.sqrt(np.maximum(np.diag(M), 0.0))
        for k, name in enumerate(self.state_names[self.n_q :]):
            if not scale[k] > 1e-12 * max(1.0, scale.max()):
                raise AssemblyError(
                    name.rsplit(".", 1)[0],
                    f"nothing resists the motion {name}: its inertia is {M[k, k]:.3g}.",
                    "Give the bodies behind this joint inertia about its axis.",
                )
        eigenvalues = np.linalg.eigvalsh(M / np.outer(scale, scale))
        if eigenvalues[0] < 1e-13:
            vector = np.linalg.eigh(M / np.outer(scale, scale))[1][:, 0]
            names = [
                self.state_names[self.n_q + k]
                for k in np.argsort(-np.abs(vector))
                if abs(vector[k]) > 0.3
            ]
            raise AssemblyError(
                names[0].rsplit(".", 1)[0],
                f"a motion of {', '.join(names)} moves no mass.",
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
