"""The start of a run: given values, those of the parts, loops closed, all demands met."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from motorik.errors import (
    InitialValueError,
    MotorikError,
    SimulationError,
    UnknownNameError,
    suggest,
)
from motorik.loops.closing import Moment
from motorik.loops.survey import coordinates_of_poses, near_start
from motorik.loops.turns import CutAngle
from motorik.motion.view import MotionView
from motorik.start.accelerations import AccelerationStart
from motorik.start.anew import OTHER, decided_anew, find_misfit
from motorik.start.checks import (
    check_directions,
    check_inertia,
    check_machine_code,
    is_number,
)
from motorik.start.native import NativeStart
from motorik.start.problem import StartProblem
from motorik.start.same_motion import speeds_of_bodies
from motorik.start.sides import SideSearch, coarse, named_branches, turning_references
from motorik.system.equations import elements, make_function
from motorik.system.forms import LoopForm
from motorik.system.system import System

SEARCHES = 8  # starts of a system from which on native code for them pays
NATIVE = "native start"
KEPT = 32  # starts remembered by each system
TURN = 2.0 * np.pi


@dataclass(frozen=True)
class FoundStart:
    """Where a run begins: the system, the time t, the motion X, the state x, the parameters p.

    The system is another one than asked for where live parameters have values at which
    other decisions about loops must be taken. `known` is what follows from the start, by
    name, found once for all its copies.
    """

    system: System
    t: float
    X: np.ndarray
    x: np.ndarray
    p: np.ndarray
    known: dict[str, np.ndarray] = field(default_factory=dict, compare=False, repr=False)

    def copy(self) -> FoundStart:
        """Return the same start with arrays of its own."""
        X, x, p = self.X.copy(), self.x.copy(), self.p.copy()
        return FoundStart(self.system, self.t, X, x, p, self.known)


def find_start(
    system: System,
    given: Mapping[str, float],
    live: np.ndarray,
    t: float = 0.0,
    branch: Mapping[str, str] | None = None,
) -> FoundStart:
    """Return where a run of the system begins; `live` are the values of live parameters."""
    system.parameter_check(live)
    X, fixed = _given_values(system, given)
    key = (X.tobytes(), fixed.tobytes(), live.tobytes(), t, tuple((branch or {}).items()))
    found = system.starts.get(key)
    if found is None:
        with system.lock:
            found = system.starts.get(key)
            if found is None:
                while len(system.starts) >= KEPT:
                    system.starts.pop(next(iter(system.starts)))
                found = _natively(system, X, fixed, live, t, branch or {})
                if found is None:
                    search = _Search(system, fixed, live, t)
                    found = search.run(X, branch or {}, given)
                system.starts[key] = found
    assert isinstance(found, FoundStart)
    return found.copy()


def _natively(
    system: System,
    X: np.ndarray,
    fixed: np.ndarray,
    live: np.ndarray,
    t: float,
    branch: Mapping[str, str],
) -> FoundStart | None:
    """Return the start by native code, made once many are asked for, if it is certain."""
    native = system.prepared.get(NATIVE)
    if native is None:
        system.searches += 1
        if system.searches <= SEARCHES or not NativeStart.suits(system):
            return None
        native = system.prepared[NATIVE] = NativeStart(system)
    assert isinstance(native, NativeStart)
    found = native.find(X, fixed, live, t, branch)
    return None if found is None else FoundStart(system, t, *found)


def _given_values(
    system: System, given: Mapping[str, float]
) -> tuple[np.ndarray, np.ndarray]:
    """Return the motion as the parts and the user give it, and what of it is fixed."""
    if not isinstance(given, Mapping):
        raise SimulationError(
            "simulate", f"start = {given!r} names no states.", 'Give e.g. {"rev.phi": 0.5}.'
        )
    X, fixed = system.layout.starts
    if not given:
        return X, fixed
    X, fixed = X.copy(), fixed.copy()
    index = system.layout.index
    for name, value in given.items():
        if name not in index:
            raise UnknownNameError(
                "start", f"there is no state {name!r}.", suggest(str(name), index)
            )
        if not is_number(value):
            raise InitialValueError(
                name, f"start value {value!r} is not a finite number.", "Give one number."
            )
        X[index[name]] = value
        fixed[index[name]] = True
    return X, fixed


class _Search:
    """The search for a start: positions, then speeds, accelerations, sides, block states."""

    def __init__(
        self, system: System, fixed: np.ndarray, live: np.ndarray, t: float
    ) -> None:
        self.system, self.layout = system, system.layout
        self.fixed, self.live, self.t = fixed, live, t

    def run(
        self, X: np.ndarray, branch: Mapping[str, str], given: Mapping[str, float]
    ) -> FoundStart:
        """Return the start that meets everything, from values of which some are fixed."""
        system = self.system
        wanted = {**named_branches(system), **branch}
        closed = None if wanted else self._by_closed_forms(X)
        if closed is None and system.guide is not None:
            X, wanted = self._guided(X, wanted, bool(branch)), {}
        elif closed is None:
            X = self._better_guess(X)
        X = self._solved(X) if closed is None else closed
        why = self._misfit(X)
        if why:
            return self._anew(why, given, branch)
        if wanted:
            X = self._on_branch(X, wanted)
        if any(demand.level == 2 for demand in system.mechanism.initial_conditions):
            X = self._accelerated(X)
        X = self._with_least_turns(X)
        p = np.concatenate([self.live, extra_at(system, X, self.live, self.t)])
        X = self._with_blocks(X, p)
        x = self.layout.state_of(X)
        if not system.is_checked:  # before anything divides by inertias that are none
            check_directions(system, X, self.live)
            check_inertia(system, X, p)
        projecting = ["project"] if system.form.needs_projection else []
        system.natives.prepare([*projecting, "full_state", "derivative"])
        if system.project is not None:
            x = system.project(np.array([self.t]), x, p)
        X = system.full_state(np.array([self.t]), x, p)
        if not system.is_checked:
            check_machine_code(system, self.t, x, p)
            system.is_checked = True
        return FoundStart(system, self.t, X, x, p)

    # --- positions and speeds --------------------------------------------------------------

    def _problem(self, X: np.ndarray) -> StartProblem:
        _, _, z = self.layout.split(X)
        moment = Moment(self.live, self.t, tuple(z.tolist()))
        return StartProblem(self.system, moment)

    def _solved(self, X: np.ndarray) -> np.ndarray:
        """Return the motion nearest to X that meets everything that is fixed or demanded."""
        problem = self._problem(X)
        if problem.is_trivial:
            return X
        q, u, z = self.layout.split(X)
        q_fixed, u_fixed, _ = self.layout.split(self.fixed)
        q = problem.positions(q, ~q_fixed)
        return np.concatenate([q, problem.speeds(q, u, ~u_fixed), z])

    def _better_guess(self, X: np.ndarray) -> np.ndarray:
        """Return a motion to search from: assembled where the run does not say otherwise."""
        survey = self.system.survey
        if survey is None:
            return X
        q, u, z = self.layout.split(X)
        same = q == self.layout.split(self.layout.starts[0])[0]
        same &= ~self.layout.split(self.fixed)[0]
        return np.concatenate([np.where(same, survey.q, q), u, z])

    def _by_closed_forms(self, X: np.ndarray) -> np.ndarray | None:
        """Return the start by closed forms on the sides nearest to the guesses, if that does.

        It does where what is fixed among the dependent coordinates comes out.
        """
        f = self.system.formulation
        if f is None or f.enforced or f.iterates or not f.forms:
            return None
        q, u, z = self.layout.split(X)
        search = SideSearch(self.system, q, z, self.live, self.t)
        sides = search.by_guesses(X)
        if sides is None:
            return None
        found = search.coordinates(sides)
        problem = self._problem(X)
        q_fixed, u_fixed, _ = self.layout.split(self.fixed)
        apart = np.abs(found - q) / f.scales.coordinates
        if not np.isfinite(found).all() or (apart[q_fixed] > 1e-9).any():
            return None
        if not problem.is_closed(found):
            return None
        return np.concatenate([found, problem.speeds(found, u, ~u_fixed), z])

    def _guided(self, X: np.ndarray, branch: Mapping[str, str], must: bool) -> np.ndarray:
        """Return values to begin with where closed forms of the same model start."""
        guide, index = self.system.guide, self.layout.index
        assert guide is not None
        own = {
            name: float(X[k])
            for name, k in index.items()
            if self.fixed[k] and name in guide.layout.index
        }
        try:
            start = find_start(guide, own, self.live, self.t, branch if must else None)
        except MotorikError:
            if must:
                raise
            return X
        at = start.system.numeric_at(self.live)
        q, u, _ = start.system.layout.split(start.X)
        motion = MotionView(at, q.tolist(), u.tolist())
        numeric = self.system.numeric_at(self.live)
        found = X.copy()
        q_fixed, u_fixed, _ = self.layout.split(self.fixed)
        poses = self._poses_in(start.system, q)
        found[: self.layout.n_q] = np.where(q_fixed, found[: self.layout.n_q], poses)
        q, u, z = self.layout.split(found)
        moved = speeds_of_bodies(numeric, q, u, motion)
        found = np.concatenate([q, np.where(u_fixed, u, moved), z])
        for name, k in index.items():
            if name in start.system.layout.index and not self.fixed[k]:
                found[k] = start.X[start.system.layout.index[name]]
        return found

    def _on_branch(self, X: np.ndarray, branch: Mapping[str, str]) -> np.ndarray:
        """Return the start on the named branches of closed forms."""
        q, u, z = self.layout.split(X)
        if self.system.formulation is None:
            raise UnknownNameError(
                "branch", f"{', '.join(branch)}: the model has no loops.", ""
            )
        search = SideSearch(self.system, q, z, self.live, self.t)
        sides = search.by_names(search.of_pose(q), branch)
        moved = search.coordinates(sides)
        if not np.isfinite(moved).all():
            raise InitialValueError(
                ", ".join(branch),
                "this branch does not exist at the start.",
                "Start elsewhere.",
            )
        problem = self._problem(X)
        q_fixed, u_fixed, _ = self.layout.split(self.fixed)
        moved = problem.positions(moved, ~q_fixed)
        return np.concatenate([moved, problem.speeds(moved, u, ~u_fixed), z])

    def _misfit(self, X: np.ndarray) -> str:
        """Return why decisions about loops do not hold for the live values, "" if they do."""
        q, _, z = self.layout.split(X)
        return find_misfit(self.system, q, z, self.live, self.t, self._problem(X).is_closed)

    def _anew(
        self, why: str, given: Mapping[str, float], branch: Mapping[str, str]
    ) -> FoundStart:
        """Return the start of the same model decided at the live values of this run."""
        kept = self.system.prepared.get(OTHER)
        if not isinstance(kept, System):
            kept = decided_anew(self.system, self.live, why)
        found = find_start(kept, given, self.live, self.t, branch)
        self.system.prepared[OTHER] = found.system
        return found

    # --- what follows ----------------------------------------------------------------------

    def _accelerated(self, X: np.ndarray) -> np.ndarray:
        """Return the motion at which accelerations are as demanded; live values may follow."""
        q, u, z = self.layout.split(X)
        still = [0.0] * self.layout.n_u
        blocks = z.tolist()
        start = AccelerationStart(
            self._problem(X),
            lambda q, u: self.system.form.speed_rates(self.t, [*q, *u, *blocks], still),
        )
        q_fixed, u_fixed, _ = self.layout.split(self.fixed)
        q, u, self.live = start.solve(q, u, q_fixed, u_fixed)
        self.system.parameter_check(self.live)
        return np.concatenate([q, u, z])

    def _poses_in(self, other: System, q: np.ndarray) -> np.ndarray:
        """Return the coordinates at the pose q of another system of the same model."""
        kept = self.system.prepared.get("poses")
        if not isinstance(kept, tuple) or kept[0] is not other:
            (symbols,) = other.equations.symbols("q")
            motion = MotionView(other.mechanism, elements(symbols), [0.0] * other.n_u)
            found = coordinates_of_poses(self.system.mechanism, motion)
            given = {
                "q": symbols,
                "other": other.equations.live,
                "p": self.system.equations.live,
            }
            function = make_function("poses", given, list(found.values()))
            kept = self.system.prepared["poses"] = (other, function, list(found))
        _, function, places = kept
        values = np.array(self.layout.split(self.layout.starts[0])[0])
        found = np.asarray(function(q, self.live, self.live), dtype=float).ravel()
        for k, value in zip(places, found.tolist(), strict=True):
            values[k] = near_start(self.system.mechanism, k, value, values[k])
        return values

    def _with_least_turns(self, X: np.ndarray) -> np.ndarray:
        """Return the motion with free angles within half a turn of their start values.

        Angles that drive lines take hold of stay as they are.
        """
        if self.system.formulation is None:
            return X
        X = X.copy()
        starts = self.layout.starts[0]
        for k, _ in self.system.formulation.rows.turns:
            link = self.system.mechanism.link_of_coordinate(k)
            driven = link.edge is None or link.edge.flanges is not None
            if not (driven or self.fixed[k]):
                X[k] += TURN * round((starts[k] - X[k]) / TURN)
        return X

    def _with_blocks(self, X: np.ndarray, p: np.ndarray) -> np.ndarray:
        """Return X with the states of signal blocks as they follow from their inputs."""
        import casadi

        system, layout = self.system, self.layout
        signals = system.mechanism.signals
        if not layout.blocks or all(law.initial is None for law in signals.laws):
            return X
        t = np.array([self.t])
        q, u, z = layout.split(X)
        _, ud, _ = layout.split(system.full_state_rates(t, X, p))
        forces = OnDemand(
            system.equations.n_rows,
            lambda: system.multipliers(t, X[None], ud[None], p)[0].tolist(),
        )
        q_list, u_list, ud_list, z_list = (values.tolist() for values in (q, u, ud, z))
        motion = MotionView(
            system.mechanism, q_list, u_list, ud_list, self.t, z_list, forces
        )
        values = casadi.vertcat(*signals.start_values(motion, self.t))
        function = casadi.Function("blocks", [system.equations.live], [casadi.SX(values)])
        found = np.asarray(function(self.live), dtype=float).ravel()
        return np.concatenate([q, u, found])


class OnDemand(Sequence[float]):
    """Numbers that are found when the first of them is asked for."""

    def __init__(self, count: int, find: Callable[[], list[float]]) -> None:
        self._count, self._find = count, find

    @cached_property
    def _values(self) -> list[float]:
        return self._find()

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, k):  # type: ignore[no-untyped-def]
        return self._values[k]


def extra_at(system: System, X: np.ndarray, live: np.ndarray, t: float) -> np.ndarray:
    """Return what the equations need besides live parameters, at a motion that fits together.

    Sides of closed forms, references of what is followed, offsets of summed angles, and with
    unknowns the solvability of speeds.
    """
    f, layout = system.formulation, system.layout
    if f is None or not f.n_extra:
        return np.zeros(0)
    q, _, z = layout.split(X)
    sides = SideSearch(system, q, z, live, t).of_pose(q) if f.sided else np.zeros(0)
    angle = _cut_angles(system, q, live)
    unknown = q[list(f.unknowns)] / f.scales.coordinates[list(f.unknowns)]
    counted = [angle(cut) for cut in f.counted]
    summed = [angle(cut) - float(cut.sum_of(q.tolist())) for cut in f.summed]
    turning, counted, summed = map(coarse, (turning_references(f, q), counted, summed))
    rest = [_solvability(system, X, live, t)] if f.iterates else []
    return np.concatenate([sides, turning, counted, unknown, summed, rest])


def _cut_angles(
    system: System, q: np.ndarray, live: np.ndarray
) -> Callable[[CutAngle], float]:
    """Return a function to the angles of cut joints, within half a turn of their start values."""
    f = system.formulation
    assert f is not None
    cuts = (*f.counted, *f.summed)
    function = system.prepared.get("cut angles")
    if function is None:
        (symbols,) = system.equations.symbols("q")
        motion = MotionView(system.mechanism, elements(symbols), [0.0] * system.n_u)
        values = [motion.coordinate(cut.part, cut.name) for cut in cuts]
        given = {"q": symbols, "p": system.equations.live}
        function = system.prepared["cut angles"] = make_function("cuts", given, values)
    found = np.asarray(function(q, live), dtype=float).ravel()  # type: ignore[operator]
    value_of = {id(cut): float(value) for cut, value in zip(cuts, found, strict=True)}

    def angle(cut: CutAngle) -> float:
        value = value_of[id(cut)]
        return value + TURN * round((cut.start - value) / TURN)

    return angle


def _solvability(system: System, X: np.ndarray, live: np.ndarray, t: float) -> float:
    """Return how well speeds follow from those of the states: as usual, with the sign of X."""
    equations, form = system.equations, system.form
    assert isinstance(form, LoopForm)
    time, motion = equations.symbols("t", "X")
    value = form.from_motion(time, elements(motion)).solvability()
    given = {"t": time, "X": motion, "p": equations.live}
    function = make_function("solvability", given, [value])
    here = float(function(t, X, live))
    rest = X[system.n_q :]
    others = [
        abs(float(function(t, np.concatenate([q, rest]), live)))
        for q in form.formulation.samples
    ]
    usual = max(abs(here), float(np.median(others)))
    return float(np.copysign(usual, here)) or 1.0
