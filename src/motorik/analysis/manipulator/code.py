"""Native functions for a manipulator: constraints of loops, stops, held quantities."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.compiler import NativeFunction, compile_functions
from motorik.compiler.symbols import elements
from motorik.components.base.contributions import NonsmoothConstraint
from motorik.errors import MissingAccelerationsError, ParameterError
from motorik.loops.position_problem import PositionProblem
from motorik.motion.traced import coordinate_rates
from motorik.motion.view import MotionView
from motorik.topology.mechanism import WORLD, NodePose

if TYPE_CHECKING:
    import casadi

    from motorik.compiled_model import CompiledModel


class HandCode:
    """Native functions of a pose for a manipulator; kept by the compiled model.

    All are functions of the coordinates q and of m = (t, z, live parameters), and all Jacobians are
    by speeds in their scales, so that steps of coordinates follow from steps of speeds and
    rolling constraints are included.
    """

    def __init__(self, system: CompiledModel) -> None:
        import casadi

        self.system, self.mechanism = system, system.mechanism
        self.scales = system.scales
        q, u, t, z = system.equations.symbols("q", "u", "t", "z")
        self._q, self._u = q, u
        self._m = casadi.vertcat(t, z, system.equations.live)
        self._t, self._z = t, z
        self._still = MotionView(
            self.mechanism, elements(q), [0.0] * system.n_u, None, t, elements(z)
        )
        rates = coordinate_rates(self.mechanism, elements(q), elements(u))
        self._rates = casadi.vertcat(*rates) if rates else casadi.SX(0, 1)
        self.limits = self._find_limits()
        self._grips: dict[object, NativeFunction] = {}
        made = compile_functions({"residuals": self._residuals(), "moved": self._moved()})
        self.residuals, self.step = made["residuals"], made["moved"]
        self.n_residuals = self.residuals.outputs[0].size

    @staticmethod
    def of(system: CompiledModel) -> HandCode:
        """Return the code of a system, made once."""
        with system.lock:
            return system.hand_code

    def moment(self, t: float, z: np.ndarray, live: np.ndarray) -> np.ndarray:
        """Return the arguments of poses besides coordinates, in one array."""
        return np.concatenate([[t], z, live])

    # --- traces ----------------------------------------------------------------------------

    def _by_speeds(self, column: casadi.SX) -> casadi.SX:
        """Return the dense Jacobian, by speeds in scales, of a function of coordinates."""
        import casadi

        moved = casadi.jtimes(column, self._q, self._rates)
        J = casadi.jacobian(moved, self._u)
        return casadi.densify(J @ casadi.diag(casadi.SX(self.scales.speeds)))

    def _function(self, name: str, column: casadi.SX, *given: casadi.SX) -> casadi.Function:
        import casadi

        outputs = [casadi.densify(column), self._by_speeds(column)]
        return casadi.Function(name, [self._q, self._m, *given], outputs)

    def _residuals(self) -> casadi.Function:
        """Return the constraints of loops and equilibria, rolling ones last, in their scales."""
        import casadi

        system, f = self.system, self.system.formulation
        demands = [] if f.equilibrium is None else f.equilibrium.conditions()
        problem = PositionProblem(
            self.mechanism, f.constraints, system.assembled.symbols, self.scales, demands
        )
        gaps = elements(
            problem._residuals(self._q, self._t, self._z, system.equations.live)
        )
        count = problem.n_conditions + len(problem.kept)  # without those of quaternions
        scale = [1.0] * problem.n_conditions + problem._residual_scale.tolist()
        pairs = zip(gaps[:count], scale[:count], strict=True)
        column = casadi.vertcat(casadi.SX(0, 1), *(g / unit for g, unit in pairs))
        J = self._by_speeds(column)
        self.n_balances, self.n_rolling = problem.n_conditions, 0
        if len(f.constraints.equations) > f.constraints.n_holonomic:
            y = f.constraints.y_of(elements(self._q), self._t, elements(self._z))
            rolls = f.constraints.velocity_function(y, self._u, system.equations.live)
            rolls = rolls[f.constraints.n_holonomic :] / casadi.SX(
                self.scales.constraints[f.constraints.n_holonomic :]
            )
            unit = casadi.diag(casadi.SX(self.scales.speeds))
            J = casadi.vertcat(J, casadi.jacobian(rolls, self._u) @ unit)
            column = casadi.vertcat(column, casadi.SX.zeros(rolls.numel()))
            self.n_rolling = rolls.numel()
        return casadi.Function(
            "residuals", [self._q, self._m], [casadi.densify(column), casadi.densify(J)]
        )

    def _moved(self) -> casadi.Function:
        """Return `step`: coordinates after a step of speeds, in scales, quaternions normalised."""
        import casadi

        step = casadi.SX.sym("s", self._u.numel())
        scaled = step * casadi.SX(self.scales.speeds)
        moved = elements(self._q + casadi.substitute(self._rates, self._u, scaled))
        found: list[Scalar] = []
        for link in self.mechanism.links:
            found += link.joint.projected([moved[k] for k in link.q])
        column = casadi.vertcat(*found) if found else casadi.SX(0, 1)
        return casadi.Function("moved", [self._q, step], [casadi.densify(column)])

    # --- stops -----------------------------------------------------------------------------

    def _find_limits(self) -> tuple[NonsmoothConstraint, ...]:
        """Return the stops and contacts whose gaps depend on the pose alone."""
        constraints = (
            () if self.system.nonsmooth is None else self.system.nonsmooth.constraints
        )
        return tuple(constraint for constraint in constraints if constraint.gap is not None)

    @cached_property
    def gaps(self) -> NativeFunction:
        """The gaps of all limits and their Jacobian, in scales."""
        import casadi

        values = [constraint.gap(self._still) for constraint in self.limits]  # type: ignore[misc]
        column = casadi.SX(casadi.vertcat(*values)) / casadi.SX(self._gap_scales())
        return compile_functions({"gaps": self._function("gaps", column)})["gaps"]

    def _gap_scales(self) -> np.ndarray:
        forces = [constraint.force_block().force.parameter for constraint in self.limits]
        turns = [force.unit == "N.m" for force in forces]
        return np.where(turns, 1.0, self.scales.length)

    # --- held quantities -------------------------------------------------------------------

    def point_of(self, link: int) -> NativeFunction:
        """Return the position of a point of a link, of (q, m, the point in the link's frame)."""
        if link not in self._grips:
            import casadi

            c = casadi.SX.sym("c", 3)
            place = NodePose(link, Pose())
            X = self.mechanism.pose_from(WORLD, place, self._still.q)
            r = X.p + X.R @ Vector(*elements(c))
            column = casadi.SX(casadi.vertcat(*r.xyz)) / self.scales.length
            function = self._function("point", column, c)
            self._grips[link] = compile_functions({"point": function})["point"]
        return self._grips[link]

    def variable(self, name: str) -> tuple[NativeFunction, str]:
        """Return a scalar variable that depends on the pose alone, and its unit."""
        import casadi

        entry, index = self.system.equations.catalogue.find(name)
        if name not in self._grips:
            from motorik.motion.catalogue import position_of, ravel

            try:
                flat, shape = ravel(entry.value(self._still))
            except MissingAccelerationsError:
                flat, shape = [0.0], ()
            if index is not None:
                flat = [flat[position_of(name, index, shape)]]
            if len(flat) != 1:
                raise ParameterError(
                    name,
                    f"is {len(flat)} numbers.",
                    "Name one of them, or drag the point of a frame.",
                    parameter="name",
                    value=name,
                )
            unit = self.scales.length if entry.unit == "m" else 1.0
            column = casadi.SX(casadi.vertcat(*flat)) / unit
            if not casadi.jacobian(column, self._q).nnz():
                raise ParameterError(
                    name,
                    "does not depend on the pose.",
                    "Turn a coordinate of a joint, such as "
                    f"{self.mechanism.coordinates[0].name!r}.",
                    parameter="name",
                    value=name,
                )
            function = self._function("variable", column)
            self._grips[name] = compile_functions({"variable": function})["variable"]
        return self._grips[name], entry.unit

    def numbers(self, values: Sequence[Scalar], moment: np.ndarray) -> np.ndarray:
        """Return the values of scalars that depend on live parameters alone."""
        import casadi

        column = casadi.SX(casadi.vertcat(*values))
        function = casadi.Function("numbers", [self._m], [casadi.densify(column)])
        return np.asarray(function(moment), dtype=float).ravel()

    def point_in_link(
        self, place: NodePose, point: Sequence[float], moment: np.ndarray
    ) -> np.ndarray:
        """Return a point that is given in a frame, in the frame of the link that carries it."""
        r = place.X.p + place.X.R @ Vector(*map(float, point))
        return self.numbers(list(r.xyz), moment)
