"""The equations of a system as CasADi functions, each traced when first asked for."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from motorik.algebra.dyad import kinetic_energy
from motorik.algebra.matrix import Matrix
from motorik.algebra.scalar import Scalar, add, is_structural
from motorik.compiler import (
    count_instructions,
)
from motorik.dynamics.reframe import can_reframe
from motorik.errors import AssemblyError, UnknownNameError, suggest
from motorik.motion import traced
from motorik.motion.catalogue import flatten
from motorik.motion.view import MotionView
from motorik.system.equations import LoopedEquations, radians, split
from motorik.system.system_base import SystemBase, elements, make_function

if TYPE_CHECKING:
    import casadi


COMPARE_UP_TO = 12  # freedoms up to which factorisation is tried against articulated bodies


class EquationFunctions(SystemBase):
    """The traced functions of a system, by name; `System` lists them."""

    _functions: dict[str, casadi.Function]

    def _make_joint_forces(self) -> casadi.Function:
        import casadi

        t, q, u, ud, z, multipliers = self._symbols("t", "q", "u", "ud", "z", "lambda")
        view = MotionView(
            self.mechanism,
            elements(q),
            elements(u),
            elements(ud),
            t,
            elements(z),
            elements(multipliers),
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
            elements(q),
            elements(u),
            elements(ud),
            t,
            elements(z),
            elements(multipliers),
        )
        values: list[Scalar] = []
        for name in names:
            entry, index = self.catalogue.find(name)
            flat, shape = flatten(entry.value(view))
            if index is not None:
                flat = [flat[position(name, index, shape)]]
            values += flat
        given = {"t": t, "q": q, "u": u, "ud": ud, "z": z, "multipliers": multipliers}
        return make_function("outputs", {**given, "p": self._p}, values)

    def _solvability(self, instant: Any) -> list[Any]:
        """Return how well speeds follow from those of the states, 1 at the start, and its rate."""
        import casadi

        f = self.formulation
        assert f is not None
        scale = elements(self._extra)[-1]
        value = instant.solvability()
        margin = value * casadi.fabs(value) / (scale * casadi.fabs(scale))
        given = [*instant.q_states, *elements(self._unknown)]
        rates = traced.coordinate_rates(self.mechanism, instant.q, instant.u)
        moved = casadi.vertcat(*(rates[k] for k in (*f.state_q, *f.unknowns)))
        return [margin, casadi.jtimes(margin, casadi.vertcat(*given), moved)]

    def _make_derivative(self) -> casadi.Function:
        t, x = self._symbols("t", "x")
        return self._cheapest(
            "derivative",
            {"t": t, "x": x, "p": self._p},
            lambda by: self.equations.derivative(t, elements(x), self._all_extra(), by),
        )

    def _make_forward_dynamics(self) -> casadi.Function:
        q, u, tau = self._symbols("q", "u", "tau")
        return self._cheapest(
            "forward_dynamics",
            {"q": q, "u": u, "tau": tau, "p": self._p},
            lambda by: self.equations.speed_rates(
                0.0,
                [*elements(q), *elements(u), *self._block_starts()],
                elements(tau),
                by,
            ),
        )

    def _cheapest(
        self, name: str, arguments: dict[str, Any], trace: Callable[[str], list[Scalar]]
    ) -> casadi.Function:
        """Return the function by the algorithm with the fewest operations."""
        if self.formulation is not None:
            function = make_function(name, arguments, trace(""))
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
        functions = {key: make_function(name, arguments, trace(key)) for key in candidates}
        counts = {key: count_instructions(f) for key, f in functions.items()}
        chosen = min(counts, key=lambda key: counts[key])
        others = [f"{key} needs {n}" for key, n in counts.items() if key != chosen]
        self.algorithm = "; ".join([f"{chosen}, {counts[chosen]} operations", *others])
        return functions[chosen]

    def _make_inverse_dynamics(self) -> casadi.Function:
        q, u, ud = self._symbols("q", "u", "ud")
        values = traced.required_forces(
            self.mechanism,
            elements(q),
            elements(u),
            elements(ud),
            0.0,
            self._block_starts(),
        )
        return make_function(
            "inverse_dynamics", {"q": q, "u": u, "ud": ud, "p": self._p}, values
        )

    def _make_mass_matrix(self) -> casadi.Function:
        (q,) = self._symbols("q")
        values = traced.inertia_matrix(self.mechanism, elements(q))
        return make_function("mass_matrix", {"q": q, "p": self._p}, values)

    def _make_jacobian(self) -> casadi.Function:
        import casadi

        dynamics = self.function("derivative")
        t, x = self._symbols("t", "x")
        J = casadi.jacobian(dynamics(t, x, self._p), x)
        return make_function(
            "jacobian", {"t": t, "x": x, "p": self._p}, casadi.vec(casadi.densify(J))
        )

    def _make_settle(self) -> casadi.Function:
        t, x = self._symbols("t", "x")
        values = self.equations.settled(t, elements(x), self._all_extra())
        return make_function("settle", {"t": t, "x": x, "p": self._p}, values)

    def _make_whole(self) -> casadi.Function:
        t, x = self._symbols("t", "x")
        values = self.equations.whole(t, elements(x), self._all_extra())
        return make_function("whole", {"t": t, "x": x, "p": self._p}, values)

    def _make_whole_rates(self) -> casadi.Function:
        t, X = self._symbols("t", "X")
        values = self.equations.whole_rates(t, elements(X), self._all_extra())
        return make_function("whole_rates", {"t": t, "X": X, "p": self._p}, values)

    def _make_imbalance(self) -> casadi.Function:
        t, X, ud = self._symbols("t", "X", "ud")
        q, u, z = split(self.mechanism, elements(X))
        values = traced.required_forces(self.mechanism, q, u, elements(ud), t, z)
        arguments = {"t": t, "X": X, "ud": ud, "p": self._p}
        return make_function("imbalance", arguments, values)

    def _make_constraints(self) -> casadi.Function:
        import casadi

        t, X = self._symbols("t", "X")
        values = casadi.SX(0, 1)
        if self.formulation is not None:
            rows = self.formulation.rows
            q, u, z = split(self.mechanism, elements(X))
            y = rows.y_of(q, t, z)
            g = rows.position_function(y, self._live)
            a = rows.velocity_function(y, casadi.vertcat(*u), self._live)
            values = casadi.vertcat(g, a)
        return make_function("constraints", {"t": t, "X": X, "p": self._p}, values)

    def _make_constraint_matrix(self) -> casadi.Function:
        import casadi

        t, X = self._symbols("t", "X")
        values = casadi.SX(0, 1)
        if self.formulation is not None:
            rows = self.formulation.rows
            q, _, z = split(self.mechanism, elements(X))
            entries = rows.matrix_function(rows.y_of(q, t, z), self._live)
            G = casadi.SX(len(rows.rows), self.n_u)
            for (i, j), value in zip(rows.pattern, elements(entries), strict=True):
                G[i, j] = value
            values = casadi.vec(casadi.densify(G))
        return make_function("constraint_matrix", {"t": t, "X": X, "p": self._p}, values)

    def _make_margins(self) -> casadi.Function:
        import casadi

        t, x = self._symbols("t", "x")
        values: list[Any] = []
        if isinstance(self.equations, LoopedEquations):
            f = self.formulation
            assert f is not None
            q, u, z = self.equations._split(elements(x))
            instant = self.equations.loops.at(t, q, u, z, self._all_extra())
            found = [m for m in instant.margins if not isinstance(m, float)]
            if found:
                margins = casadi.vertcat(*found)
                moved = casadi.vertcat(*q) if q else casadi.SX(0, 1)
                rates = traced.coordinate_rates(self.mechanism, instant.q, instant.u)
                by = casadi.vertcat(*(rates[k] for k in f.state_q))
                values = [margins, casadi.jtimes(margins, moved, by)]
        out = casadi.vertcat(*values) if values else casadi.SX(0, 1)
        return make_function("margins", {"t": t, "x": x, "p": self._p}, out)

    def _make_kinematics(self) -> casadi.Function:
        q, u = self._symbols("q", "u")
        view = MotionView(self.mechanism, elements(q), elements(u))
        values: list[Scalar] = []
        for mass in self.mechanism.masses:
            X, V = view.pose(mass.frame), view.velocity(mass.frame)
            values += [*X.p.xyz, *X.R.entries, *V.resultant.xyz, *(X.R @ V.moment).xyz]
        return make_function("kinematics", {"q": q, "u": u, "p": self._p}, values)

    def _make_energy(self) -> casadi.Function:
        t, X = self._symbols("t", "X")
        q, u, z = split(self.mechanism, elements(X))
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
        return make_function(
            "energy", {"t": t, "X": X, "p": self._p}, [kinetic, potential, stored]
        )

    @cached_property
    def _positions(self) -> tuple[casadi.Function, list[int]]:
        import casadi

        f = self.formulation
        assert f is not None
        t, z = self._symbols("t", "z")
        q = casadi.SX.sym("q", len(f.state_q))
        hinges: dict[int, Any] = {}
        found, _ = f.coordinates(elements(q), t, elements(z), self._all_extra(), hinges)
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
