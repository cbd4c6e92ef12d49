"""Static equilibrium: a state at which a model stays at rest, held there or not, stable or not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from motorik.analysis.configurations import Configurations, null_space
from motorik.analysis.directional import DirectionalCode
from motorik.analysis.evaluate import named
from motorik.analysis.linearization import InputEntries, linearize
from motorik.analysis.operating_point import OperatingPoint
from motorik.analysis.pose_equations import PoseEquations
from motorik.analysis.tangent import independent_rows
from motorik.compiler.interpret import Interpreted
from motorik.compiler.symbols import elements
from motorik.errors import ParameterError, SimulationError, UnknownNameError, suggest
from motorik.immutable import immutable
from motorik.initialisation.given import is_number, named_values
from motorik.initialisation.start import InitialState
from motorik.motion.view import MotionView
from motorik.numerics.newton import Stationary, find_stationary
from motorik.numerics.tolerances import PENETRATION, RANK, ROUNDING, UNDONE_FORCE
from motorik.results.model_result import ModelResult
from motorik.results.run_info import RunInfo
from motorik.results.sample import Sample

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel

TOLERANCE = 1e-9  # of the unknowns, in scales: then one more step ends the search
ITERATIONS = 200
DIFFERENCE = 1e-6  # of the unknowns, in scales: of difference quotients by both sides
ROUNDS = 4  # for each friction and contact constraint, and some more
FALLS = 60  # doublings of a way along the forces, until a contact closes
SHORTEST_FALL = 1e-9  # of such a way at first, in scales
MOST_NAMED = 4  # forces that are named where there is no equilibrium
FORCE_UNITS = {"m/s": "N", "rad/s": "N.m"}


class Equilibrium(Sample):
    """A state in which a model stays at rest: a sample that `at=` and `start=` accept.

    `stability` is "stable", "unstable" or "indifferent" to small motions: undamped oscillations
    are stable, motions without any force back are indifferent. `held` names the parts whose
    freedoms friction or contact holds: "stuck" or "closed". `parameters` are those that were
    free, with their values.
    """

    stability: str
    held: dict[str, str]
    parameters: dict[str, float]

    @staticmethod
    def of(point: OperatingPoint, parameters: Mapping[str, float]) -> Equilibrium:
        """Return the equilibrium at a point."""
        found = Equilibrium.__new__(Equilibrium)
        found.__dict__.update(_sample(point).__dict__)
        found.stability, found.held = _stability(point), dict(point.held)
        found.parameters = dict(parameters)
        return found

    def __repr__(self) -> str:
        lines = [super().__repr__(), f"  {self.stability}"]
        if self.held:
            own = (f"{part} ({mode})" for part, mode in self.held.items())
            lines.append(f"  held: {', '.join(own)}")
        lines += [f"  {name} = {value:.9g}" for name, value in self.parameters.items()]
        return "\n".join(lines)


def _sample(point: OperatingPoint) -> Sample:
    info = RunInfo("equilibrium", 0, 0, 0, 0, 0.0, True, "a state at rest")
    own = point.time, point.X[None], point.p
    return ModelResult(point.system, *own, info).sample(0)


def _stability(point: OperatingPoint) -> str:
    modes = linearize(point, anywhere=True).modes()
    if any(not mode.is_stable for mode in modes):
        return "unstable"
    largest = max((abs(mode.eigenvalue) for mode in modes), default=0.0)
    rests = (abs(m.eigenvalue) <= max(m.uncertainty, RANK * largest) for m in modes)
    return "indifferent" if any(rests) else "stable"


def equilibrium(
    point: OperatingPoint,
    free: Sequence[str] = (),
    where: Mapping[str, float] | None = None,
) -> Equilibrium:
    """Return the equilibrium near a point, with as many free parameters as conditions."""
    wanted = _conditions(point.system, where)
    places = _free_places(point, free)
    free = tuple(places)
    if len(places) != len(wanted):
        raise ParameterError(
            "free",
            f"{len(places)} parameters are free for {len(wanted)} values that are wanted.",
            'Give as many, e.g. free=["spring.s_rel0"], where={"body.s": 0.1}.',
            parameter="free",
            value=free,
        )
    search = _Search(point, places, wanted)
    return search.run()


def _conditions(
    system: CompiledModel, where: Mapping[str, float] | None
) -> dict[str, float]:
    given = named_values("where", {} if where is None else where, '{"body.s": 0.1}')
    for name, value in given.items():
        system.equations.catalogue.find(name)
        if not is_number(value) or system.shape_of(name):
            raise ParameterError(
                name,
                f"cannot become {value!r}.",
                "Give one finite number for a variable that is one.",
                parameter="where",
                value=value,
            )
    return dict(given)


def _free_places(point: OperatingPoint, free: Sequence[str]) -> dict[str, int]:
    layout = point.system.layout
    free = named(free, "free")
    for name in free:
        if name not in layout.live_names:
            raise UnknownNameError(
                "free",
                f"no live parameter {name!r}.",
                suggest(str(name), list(layout.live_names)),
                parameter="free",
                value=name,
            )
    _ = InputEntries.of(point, list(free))  # refuses those that change the design pose
    return {name: layout.live_names[name] for name in free}


@immutable
class _Chart:
    """Independent coordinates by which poses near one are told, and the speeds that move them."""

    equations: PoseEquations
    names: list[str]
    places: np.ndarray
    speeds: np.ndarray
    motions: np.ndarray  # all speeds by independent ones

    @staticmethod
    def at(system: CompiledModel, time: np.ndarray, X: np.ndarray, p: np.ndarray) -> _Chart:
        """Return the chart at a pose."""
        layout = system.layout
        q, _, z = layout.split(X)
        every = PoseEquations.of(system, ())
        live = layout.live_of(p)
        given = every.given_rows(time, z, live, np.zeros((1, 0)))[0]
        B = null_space(every.matrix(q, given))
        states = list(layout.state_q)
        rest = [k for k in range(system.n_q) if k not in set(states)]
        places = np.array(independent_rows(B, [states, rest]), dtype=np.intp)
        names = [layout.coordinates[k].name for k in places]
        rows = Configurations(system, time, X[None], p)
        equations = PoseEquations.of(system, names)
        return _Chart(equations, names, places, rows.independent, rows.motions[0])


class _Search:
    """The search for an equilibrium: coordinates, states of blocks and free parameters move."""

    def __init__(
        self, point: OperatingPoint, free: dict[str, int], wanted: dict[str, float]
    ) -> None:
        self.point, self.free, self.wanted = point, free, wanted
        self.system, self.layout = point.system, point.system.layout
        self.time = point.time
        self.X, self.p = self._at_rest(point.X), point.p.copy()
        self.nonsmooth = point.system.nonsmooth
        self.held: list[int] = point.sticking
        self.cyclic: list[int] = []  # states of blocks that may move on
        if self.nonsmooth is not None:
            self.p[self.layout.nonsmooth.columns.direction] = 0.0
            self._geometry = _nonsmooth_geometry(self.system)
        self._change_chart()

    def _at_rest(self, X: np.ndarray) -> np.ndarray:
        X = X.copy()
        X[self.layout.n_q : self.layout.n_q + self.layout.n_u] = 0.0
        return X

    def _change_chart(self) -> None:
        """Measure poses from the present one."""
        system, layout = self.system, self.layout
        self.chart = _Chart.at(system, self.time, self.X, self.p)
        q, _, z = layout.split(self.X)
        self.q, self.c = q.copy(), q[self.chart.places]
        numbers = np.concatenate([z, self.p[list(self.free.values())]])
        self.unit = np.concatenate(
            [system.scales.coordinates[self.chart.places], np.maximum(1.0, np.abs(numbers))]
        )
        self.y = np.concatenate([self.c, numbers]) / self.unit
        live = layout.live_of(self.p)
        self.begin = self.chart.equations.given_rows(self.time, z, live, self.c[None])[0]
        self._find_held_rows()

    def _find_held_rows(self) -> None:
        """Find along which changes of coordinates what sticks keeps its place."""
        self.rows_of_stuck = np.zeros((0, self.c.size))
        self.free_motions = np.eye(
            self.chart.speeds.size
        )  # of independent speeds, in scales
        self.closed: list[int] = []
        if self.nonsmooth is None:
            return
        self.p[self.layout.nonsmooth.columns.stick] = 0.0
        self.p[self.layout.nonsmooth.columns.stick[self.held]] = 1.0
        constraints = self.nonsmooth.constraints
        self.closed = [k for k in self.held if constraints[k].gap is not None]
        T = self.chart.motions
        if not self.held or not T.shape[1]:
            return
        X = np.tile(self.X, (T.shape[1] + 1, 1))
        X[1:, self.layout.n_q : self.layout.n_q + self.layout.n_u] = T.T
        speeds = self._geometry.map(np.broadcast_to(self.time, (len(X), 1)), X, self.p)[1]
        W = (speeds[1:] - speeds[0])[:, self.held].T
        self.free_motions = null_space(W * self.system.scales.speeds[self.chart.speeds])
        rates = DirectionalCode.of(self.system).along(
            "coordinate_rates",
            (self.q, np.zeros(self.layout.n_u)),
            {1: np.ascontiguousarray(T.T)},
        )
        stuck = [i for i, k in enumerate(self.held) if k not in self.closed]
        C = rates[:, self.chart.places].T
        self.rows_of_stuck = W[stuck] @ np.linalg.pinv(C, rcond=RANK)

    # --- equations -------------------------------------------------------------------------

    def motions(self, Y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return motions at rest and parameters of rows of unknowns, and whether they exist."""
        layout, n_c = self.layout, self.c.size
        values = Y * self.unit
        n_z = len(layout.blocks)
        z, own = values[:, n_c : n_c + n_z], values[:, n_c + n_z :]
        p = np.tile(self.p, (len(Y), 1))
        p[:, list(self.free.values())] = own
        live = np.array([layout.live_of(row) for row in p])
        equations = self.chart.equations
        given = equations.given_rows(self.time, z, live, values[:, :n_c])
        found = equations.follow(self.q, self.begin, given)
        X = np.tile(self.X, (len(Y), 1))
        X[:, : layout.n_q], X[:, layout.n_q + layout.n_u :] = found.q, z
        return X, p, found.reached

    def residuals(self, Y: np.ndarray) -> np.ndarray:
        """Return accelerations, rates of blocks and what is missed, infinite where nothing is."""
        system, layout = self.system, self.layout
        X, p, exists = self.motions(Y)
        time = np.broadcast_to(self.time, (len(Y), 1))
        if self.nonsmooth is not None:
            p = system.with_forces(time[:, 0].copy(), X, p)
        rates = system.natives.for_samples("full_state_rates", len(Y)).map(time, X, p)
        speeds = layout.n_q + self.chart.speeds
        ud = rates[:, speeds] / system.scales.speeds[self.chart.speeds]
        blocks = rates[:, layout.n_q + layout.n_u :]
        blocks[:, self.cyclic] = 0.0
        parts = [ud @ self.free_motions, blocks]
        if self.wanted:
            rows = system.output_samples(time[:, 0].copy(), X, p).values(list(self.wanted))
            parts += [(rows[name] - v)[:, None] for name, v in self.wanted.items()]
        if self.closed:
            parts.append(self._geometry.map(time, X, p)[0][:, self.closed])
        if len(self.rows_of_stuck):
            n = self.c.size
            away = Y[:, :n] * self.unit[:n] - self.c
            parts.append(away @ self.rows_of_stuck.T)
        found = np.hstack(parts)
        found[~exists] = np.inf
        return np.where(np.isfinite(found), found, np.inf)

    def find_cyclic(self) -> None:
        """Let states of blocks move on of which nothing depends, such as the angle of a motor."""
        J, n_c = self.slopes(self.y), self.c.size
        z = range(len(self.layout.blocks))
        self.cyclic = [k for k in z if not J[:, n_c + k].any()]

    def slopes(self, y: np.ndarray) -> np.ndarray:
        """Return the derivatives of the residuals."""
        steps = DIFFERENCE * np.eye(y.size)
        both = self.residuals(np.vstack([y + steps, y - steps]))
        ahead, behind = both[: y.size], both[y.size :]
        with np.errstate(invalid="ignore"):
            found = ((ahead - behind) / (2.0 * DIFFERENCE)).T
        return np.nan_to_num(found, nan=0.0, posinf=0.0, neginf=0.0)

    def rounding(self, y: np.ndarray) -> np.ndarray:
        """Return how large residuals are by rounding of the forces and of weight, at unknowns."""
        system, layout = self.system, self.layout
        X, p, exists = self.motions(y[None])
        found = np.zeros(self.residuals(y[None]).shape[1])
        if not exists[0] or not self.chart.speeds.size:
            return found
        code, unit = DirectionalCode.of(system), system.scales.speeds
        at, still = X[0], np.zeros(layout.n_u)
        given = self.time, at, still, p[0]
        M = code.along("imbalance", given, {2: np.diag(unit)}) * unit
        weight = system.gravity_at(layout.live_of(p[0])) / system.scales.length
        forces = np.abs(code.value("imbalance", *given)) * unit + weight * np.diag(M)
        driven = self.time, layout.state_of(at), still, p[0]
        moved = code.along("driven", driven, {2: np.diag(1.0 / unit)})
        ud = (moved[:, system.n_x :][:, : layout.n_u] / unit)[:, self.chart.speeds]
        own = forces @ np.abs(ud) @ np.abs(self.free_motions)
        found[: own.size] = ROUNDING * np.nan_to_num(own, nan=0.0, posinf=0.0)
        return found

    # --- search ----------------------------------------------------------------------------

    def run(self) -> Equilibrium:
        """Return the equilibrium, with what sticks and touches there held."""
        count = 0 if self.nonsmooth is None else self.nonsmooth.size
        self.find_cyclic()
        reached, seen = False, set[tuple[int, ...]]()
        for _ in range(ROUNDS * count + ROUNDS):
            found = self._solve()
            reached = found.is_reached
            self._take(found.x)
            if self.nonsmooth is None:
                break
            if self._closes_passed() or (not reached and self._falls()):
                continue
            if not reached:
                break
            held = self._held_here()
            if sorted(held) == sorted(self.held) or tuple(sorted(held)) in seen:
                break
            seen.add(tuple(sorted(self.held)))
            self.held = held
            self._change_chart()
        point = self._point()
        if not reached or not self._rests(point):
            self._refuse(point)
        values = {name: float(point.p[k]) for name, k in self.free.items()}
        return Equilibrium.of(point, values)

    def _solve(self) -> Stationary:
        return find_stationary(
            lambda y: self.residuals(y[None])[0],
            self.slopes,
            self.y,
            TOLERANCE,
            ITERATIONS,
            self.rounding,
            DIFFERENCE,
        )

    def _take(self, y: np.ndarray) -> None:
        """Go on from these unknowns."""
        X, p, exists = self.motions(y[None])
        if exists[0]:
            self._before = self.X.copy()
            self.X, self.p = X[0], p[0]
            self._change_chart()

    def _gaps(self, X: np.ndarray) -> np.ndarray:
        return self._geometry.map(self.time, X[None], self.p)[0][0]

    def _open(self) -> list[int]:
        assert self.nonsmooth is not None
        own = enumerate(self.nonsmooth.constraints)
        return [k for k, c in own if c.gap is not None and k not in self.held]

    def _closes_passed(self) -> bool:
        """Hold the contact that was passed farthest; return whether there is one."""
        size = PENETRATION * self.system.scales.length
        gaps = self._gaps(self.X)
        passed = [k for k in self._open() if gaps[k] < -size]
        if not passed:
            return False
        self.held = [*self.held, min(passed, key=lambda k: gaps[k])]
        self._change_chart()
        return True

    def _falls(self) -> bool:
        """Move along the accelerations until a contact closes; return whether one does."""
        n, open_ones = self.c.size, self._open()
        if not open_ones:
            return False
        start, way = self.y.copy(), np.zeros(self.y.size)
        found = self.residuals(start[None])[0][: self.free_motions.shape[1]]
        if self.chart.speeds.size != n or not np.isfinite(found).all():
            return False
        rates = self.free_motions @ found
        size = float(np.abs(rates).max(initial=0.0))
        if not size > 0.0:
            return False
        way[:n] = rates / size
        length = SHORTEST_FALL
        for _ in range(FALLS):
            X, _, exists = self.motions((start + length * way)[None])
            if not exists[0]:
                return False
            gaps = self._gaps(X[0])
            closing = [k for k in open_ones if gaps[k] < 0.0]
            if closing:
                self.held = [*self.held, min(closing, key=lambda k: gaps[k])]
                self._change_chart()
                return True
            length *= 2.0
        return False

    def _held_here(self) -> list[int]:
        """Return the constraints that stick or are closed at the present pose, by their laws."""
        return self._point().sticking

    def _point(self) -> OperatingPoint:
        """Return the present pose at rest, with its modes."""
        state = InitialState(
            self.system,
            self.point.t,
            self.X,
            np.asarray(self.layout.state_of(self.X)),
            self.p,
        )
        return OperatingPoint.of(state, self.point.choose)

    def _rests(self, point: OperatingPoint) -> bool:
        """Return whether nothing begins to move at a point."""
        X, p = point.X[None], point.with_forces()
        rates = self.system.full_state_rates.map(point.time, X, p)[0]
        ud = rates[self.layout.n_q :][: self.layout.n_u]
        code = DirectionalCode.of(self.system)
        given = point.time, point.X, np.zeros(self.layout.n_u), p
        needed = np.abs(code.value("imbalance", *given)) * self.system.scales.speeds
        inertia = (
            code.along("imbalance", given, {2: ud[None]})[0] * self.system.scales.speeds
        )
        size = max(float(needed.max(initial=0.0)), _weight(self.system, point))
        return bool(np.abs(inertia).max(initial=0.0) <= UNDONE_FORCE * size)

    def _missed(self, point: OperatingPoint, p: np.ndarray) -> list[str]:
        """Return which variables do not have the values that are wanted, in words."""
        samples = self.system.output_samples(np.array([point.t]), point.X[None], p)
        found = samples.values(list(self.wanted)) if self.wanted else {}
        return [
            f"{name} = {found[name][0]:.6g}, not {wanted:.6g},"
            for name, wanted in self.wanted.items()
            if abs(found[name][0] - wanted) > UNDONE_FORCE * (1.0 + abs(wanted))
        ]

    def _changing_blocks(self, point: OperatingPoint, p: np.ndarray) -> list[str]:
        """Return which states of blocks still change in words, the fastest first."""
        rates = self.system.full_state_rates.map(point.time, point.X[None], p)[0]
        blocks = rates[self.layout.n_q + self.layout.n_u :]
        blocks[self.cyclic] = 0.0
        z = self.layout.split(self.X)[2]
        relative = np.abs(blocks) / np.maximum(1.0, np.abs(z))
        order = np.argsort(-relative)[:MOST_NAMED].tolist()
        return [
            f"a change of {self.layout.blocks[k].name} at {blocks[k]:.4g} "
            f"{self.layout.blocks[k].unit or '1'}/s"
            for k in order
            if relative[k] > UNDONE_FORCE * max(1.0, float(relative.max()))
        ]

    def _refuse(self, point: OperatingPoint) -> NoReturn:
        """Raise the error of a model without an equilibrium, with the forces that are left."""
        rows = Configurations(self.system, point.time, point.X[None], point.p)
        code = DirectionalCode.of(self.system)
        given = point.time, point.X, np.zeros(self.layout.n_u), point.with_forces()
        left = -(code.value("imbalance", *given) @ rows.motions[0])
        speeds = [self.system.mechanism.speeds[k] for k in rows.independent]
        left *= np.abs(left) > UNDONE_FORCE * np.abs(left).max(initial=0.0)
        order = np.argsort(-np.abs(left))[:MOST_NAMED]
        forces = [
            f"{left[k]:.4g} {FORCE_UNITS.get(speeds[k].unit, '')} along {speeds[k].name}"
            for k in order.tolist()
            if left[k] and not self._rests(point)
        ]
        forces += self._changing_blocks(point, given[3]) + self._missed(point, given[3])
        held = point.held
        also = f" Held are {', '.join(held)}." if held else ""
        near = ", ".join(
            f"{s.name} = {v:.6g}"
            for s, v in zip(self.layout.coordinates[:6], point.X, strict=False)
        )
        raise SimulationError(
            self.system.facts.name,
            f"has no equilibrium near the start: {'; '.join(forces[:MOST_NAMED]) or 'forces'} "
            f"left at the nearest state found, {near}.{also}",
            "Begin elsewhere by at={…}, free parameters by free=[…], or hold the motion.",
            parameter="at",
            value=_sample(point),
        )


def _weight(system: CompiledModel, point: OperatingPoint) -> float:
    """Return the size of the forces of gravity, as forces along speeds in scales."""
    code = DirectionalCode.of(system)
    given = point.time, point.X, np.zeros(system.n_u), point.p
    M = code.along("imbalance", given, {2: np.diag(system.scales.speeds)})
    return (
        system.gravity_at(point.live)
        * float(np.abs(M).max(initial=0.0))
        / system.scales.length
    )


def _nonsmooth_geometry(system: CompiledModel) -> Interpreted:
    """Return the gaps (infinite where there is none) and speeds of constraints, of (t, X, p)."""
    import casadi

    nonsmooth = system.nonsmooth
    assert nonsmooth is not None
    t, X = system.equations.symbols("t", "X")
    q, u, z = system.layout.split(elements(X))
    motion = MotionView(system.mechanism, q, u, None, t, z)
    gaps = [np.inf if c.gap is None else c.gap(motion) for c in nonsmooth.constraints]
    columns = [gaps, nonsmooth.speeds(motion)]
    outputs = [casadi.densify(casadi.SX(casadi.vertcat(*own))) for own in columns]
    return Interpreted(casadi.Function("geometry", [t, X, system.equations.p], outputs))
