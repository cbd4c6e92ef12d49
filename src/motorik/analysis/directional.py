"""Exact directional derivatives of traced functions, as rows of seeds.

A derivative in one direction costs about twice the function, and its code as much, however many
states there are; a Jacobian is one row for each direction. Few rows are interpreted, many
compiled, as in `OutputSamples`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.scalar import Scalar
from motorik.compiler.interpret import RowFunction
from motorik.compiler.symbols import elements
from motorik.errors import ParameterError, UnknownNameError, suggest
from motorik.motion.traced import coordinate_rates
from motorik.motion.view import MotionView

if TYPE_CHECKING:
    import casadi

    from motorik.analysis.friction import GivenFriction
    from motorik.compiled_model import CompiledModel
    from motorik.compiler import NativeFunction
    from motorik.compiler.interpret import Interpreted
    from motorik.components.base.ports import Port


class DirectionalCode:
    """Traced functions of a system and their derivatives in directions, each made once."""

    def __init__(self, system: CompiledModel) -> None:
        self.system = system
        self._functions: dict[object, casadi.Function] = {}
        self._made: dict[object, RowFunction] = {}
        self._works: dict[object, DriveSpeed] = {}
        self.friction: GivenFriction | None = None  # in given motions

    @staticmethod
    def of(system: CompiledModel) -> DirectionalCode:
        """Return the code of a system, made once."""
        with system.lock:
            return system.directional_code

    # --- functions -------------------------------------------------------------------------

    def function(self, name: str) -> casadi.Function:
        """Return a function of the system, or one of those below, by its name."""
        own = {
            "driven": self._driven,
            "nonsmooth_speeds": self._nonsmooth_speeds,
            "coordinate_rates": self._coordinate_rates,
            "position_equations": self._position_equations,
        }
        if name not in own:
            return self.system.equations.function(name)
        if name not in self._functions:
            self._functions[name] = own[name]()
        return self._functions[name]

    def _driven(self) -> casadi.Function:
        """Return dx/dt, u̇ of all speeds and forces that switch, of (t, x, tau, p)."""
        equations = self.system.equations
        t, x, tau = equations.symbols("t", "x", "tau")
        given = t, elements(x), elements(tau), equations.branch_parameters
        values, ud, forces = equations.form.driven(*given)
        return _function("driven", [t, x, tau, equations.p], [*values, *ud, *forces])

    def _nonsmooth_speeds(self) -> casadi.Function:
        """Return the speeds of the nonsmooth constraints, of (t, x, p)."""
        equations = self.system.equations
        t, x = equations.symbols("t", "x")
        motion = equations.form.motion(t, elements(x), equations.branch_parameters)
        speeds = equations.nonsmooth.speeds(motion)
        return _function("speeds", [t, x, equations.p], speeds)

    def _coordinate_rates(self) -> casadi.Function:
        """Return the rates of all coordinates, of (q, u)."""
        equations = self.system.equations
        q, u = equations.symbols("q", "u")
        rates = coordinate_rates(equations.mechanism, elements(q), elements(u))
        return _function("coordinate_rates", [q, u], rates)

    def _position_equations(self) -> casadi.Function:
        """Return all holonomic constraints g, of (t, q, z, p)."""
        equations = self.system.equations
        t, q, z = equations.symbols("t", "q", "z")
        held = equations.formulation.constraints
        g = held.position_function(held.y_of(elements(q), t, elements(z)), equations.live)
        return _function("position_equations", [t, q, z, equations.p], elements(g))

    # --- values and derivatives ------------------------------------------------------------

    def value(self, name: str, *given: np.ndarray) -> np.ndarray:
        """Return a function at one point."""
        return np.array(self.function(name)(*given), dtype=float).reshape(-1)

    def along(
        self, name: str, given: Sequence[np.ndarray], seeds: Mapping[int, np.ndarray]
    ) -> np.ndarray:
        """Return the derivatives of a function at one point, one row for each seed.

        `seeds` are rows of changes of the arguments by their numbers; others do not change.
        """
        return self._rows(name, self.function(name), given, seeds)

    def outputs_along(
        self,
        names: Sequence[str],
        given: Sequence[np.ndarray],
        seeds: Mapping[int, np.ndarray],
    ) -> np.ndarray:
        """Return the derivatives of variables as `along`; see `CompiledModel.outputs`."""
        key = tuple(names)
        if key not in self._functions:
            self._functions[key] = self.system.output_function(names)
        return self._rows(key, self._functions[key], given, seeds)

    def work(self, name: str) -> DriveSpeed:
        """Return how a drive along a coordinate acts on the speeds, made once."""
        key = ("work", name)
        if key not in self._works:
            self._works[key] = DriveSpeed(self, key, work_of(self.system, name))
        return self._works[key]

    def velocities_of(
        self, frames: tuple[Port, ...], given: Sequence[np.ndarray]
    ) -> np.ndarray:
        """Return ω and v of frames, resolved in the world, per unit of speeds, a row each.

        `given` are rows of t, q, z, speeds and p.
        """
        key = ("velocities", frames)
        code = self.mapped(key, lambda: self._velocities(frames), len(given[3]))
        return code.map(*given)

    def mapped(
        self, key: object, make: Callable[[], casadi.Function], count: int
    ) -> Interpreted | NativeFunction:
        """Return a function to be mapped over so many rows: machine code where they justify it."""
        if key not in self._made:
            self._made[key] = RowFunction(make)
        return self._made[key].for_rows(count)

    def _velocities(self, frames: tuple[Port, ...]) -> casadi.Function:
        """Return the part of ω and v of frames that is linear in the speeds."""
        import casadi

        equations = self.system.equations
        t, q, z, u = equations.symbols("t", "q", "z", "u")
        motion = equations.motion(elements(q), elements(u), None, t, elements(z))
        values: list[Scalar] = []
        for port in frames:
            R, V = motion.pose(port).R, motion.velocity(port)
            values += [*(R @ V.resultant).xyz, *(R @ V.moment).xyz]
        column = casadi.densify(casadi.SX(casadi.vertcat(*values)))
        moved = casadi.jtimes(column, u, u)  # linear in u but for prescribed motions
        function = casadi.Function("velocities", [t, q, z, u, equations.p], [moved])
        return function

    def _rows(
        self,
        key: object,
        function: casadi.Function,
        given: Sequence[np.ndarray],
        seeds: Mapping[int, np.ndarray],
    ) -> np.ndarray:
        counts = {len(rows) for rows in seeds.values()}
        (count,) = counts
        if not count or not function.numel_out(0):
            return np.zeros((count, function.numel_out(0)))
        moved = sorted(seeds)
        code = self.mapped(
            (key, tuple(moved)), lambda: _directional(function, moved), count
        )
        rows = [np.ascontiguousarray(seeds[k], dtype=float) for k in moved]
        return code.map(*given, *rows)


def _function(
    name: str, given: list[casadi.SX], values: Sequence[Scalar]
) -> casadi.Function:
    import casadi

    column = casadi.densify(casadi.SX(casadi.vertcat(casadi.SX(0, 1), *values)))
    return casadi.Function(name, given, [column])


def _directional(function: casadi.Function, moved: Sequence[int]) -> casadi.Function:
    """Return the derivative of a function of (arguments, changes of the moved ones)."""
    import casadi

    given = [casadi.SX.sym(f"a{k}", function.numel_in(k)) for k in range(function.n_in())]
    changes = [casadi.SX.sym(f"d{k}", function.numel_in(k)) for k in moved]
    value = function(*given)
    by = casadi.vertcat(*(given[k] for k in moved))
    change = casadi.jtimes(value, by, casadi.vertcat(*changes))
    return casadi.Function("along", [*given, *changes], [casadi.densify(change)])


class DriveSpeed:
    """The speed of a driven coordinate per unit of each speed, at rows of coordinates."""

    def __init__(
        self, code: DirectionalCode, key: object, function: casadi.Function
    ) -> None:
        self._code, self._key, self.function = code, key, function
        self.is_constant = not any(function.jac_sparsity(0, k).nnz() for k in range(2))
        zeros = [np.zeros(function.numel_in(k)) for k in range(2)]
        self._row = np.array(function(*zeros), dtype=float).reshape(-1)

    def rows(self, q: np.ndarray, live: np.ndarray) -> np.ndarray:
        """Return them for rows of coordinates; one row where they are constant."""
        if self.is_constant:
            return self._row
        return self._code.mapped(self._key, lambda: self.function, len(q)).map(q, live)


def work_of(system: CompiledModel, name: str) -> casadi.Function:
    """Return the speed of the joint of a coordinate per unit of each speed, as function of (q, p).

    A cut joint has no coordinate in the tree, but can be driven, too.
    """
    import casadi

    q, u = system.equations.symbols("q", "u")
    for closure in system.mechanism.closures:
        edge = closure.edge
        if edge is None or len(edge.names) != len(edge.speed_names):
            continue
        for own, rate in zip(edge.names, edge.speed_names, strict=True):
            if f"{closure.part}.{own}" == name:
                motion = MotionView(
                    system.mechanism, casadi.vertsplit(q), casadi.vertsplit(u)
                )
                speed = motion.speed(edge.frame_a.owner, rate)
                break
        else:
            continue
        break
    else:
        speed = _rate_of(system, name, q, u)
    gradient = casadi.densify(casadi.jacobian(casadi.SX(speed), u))
    return casadi.Function("work", [q, system.assembled.symbols], [gradient])


def _rate_of(system: CompiledModel, name: str, q: casadi.SX, u: casadi.SX) -> casadi.SX:
    """Return the rate of a coordinate of the tree: its force does the work of this rate."""
    import casadi

    k = system.layout.index.get(name, system.n_q)
    if k >= system.n_q:
        return u[driven_places(system, name)[1]]
    if system.layout.motion[k].unit not in ("m", "rad"):
        raise ParameterError(
            name,
            "is part of a quaternion, along which no torque acts.",
            "Give a live parameter as an input, such as the torque of a `WorldTorque`.",
            parameter="inputs",
            value=name,
        )
    return coordinate_rates(system.mechanism, casadi.vertsplit(q), casadi.vertsplit(u))[k]


def driven_places(system: CompiledModel, name: str) -> tuple[int, int]:
    """Return the numbers of a coordinate and of its speed."""
    k = system.layout.index.get(name, system.n_q)
    if k < system.n_q:
        link = system.mechanism.link_of_coordinate(k)
        if len(link.q) == len(link.u):
            return k, link.u[k - link.q[0]]
    known = [state.name for state in system.layout.coordinates]
    raise UnknownNameError(
        "motion",
        f"no coordinate {name!r}.",
        suggest(name, known),
        parameter=name,
        value=name,
    )
