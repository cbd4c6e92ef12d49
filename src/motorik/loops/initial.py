"""Start values: positions first, then velocities, so that loops close and all fixed is met."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from motorik.components.contributions import Demand
from motorik.errors import InitialValueError, LoopError
from motorik.loops.closing import CLOSED, Residual, damped_newton, nearest
from motorik.loops.clusters import loop_links
from motorik.loops.locked import why_locked
from motorik.loops.rows import ConstraintRows
from motorik.motion.view import MotionView
from motorik.topology.mechanism import Mechanism, State

SINGULAR = 1e-6  # below this, relative to the strongest, a velocity counts as impossible
TRIES = 20
HELD_BACK = 0.03  # how much a coordinate wished for as state moves against the others


class StartProblem:
    """The start of a mechanism: what is given, what must hold, and how it is met.

    `symbols` are those of the live parameters, p their values, t and z the time and the
    states of signal blocks at the start.
    """

    def __init__(
        self,
        mechanism: Mechanism,
        rows: ConstraintRows | None,
        symbols: Any,
        p: np.ndarray,
        t: float = 0.0,
        z: Sequence[float] = (),
    ) -> None:
        self.mechanism, self.rows = mechanism, rows
        self.symbols, self.p, self.t = symbols, p, t
        self.z = [float(value) for value in z]
        self.positions = [d for d in mechanism.demands if d.level == 0]
        self.velocities = [d for d in mechanism.demands if d.level == 1]
        self._residual: Residual | None = None

    @property
    def is_trivial(self) -> bool:
        """Whether nothing but the values given must hold."""
        return self.rows is None and not self.positions and not self.velocities

    def solve(
        self, q: np.ndarray, u: np.ndarray, q_fixed: np.ndarray, u_fixed: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return coordinates and speeds that meet everything, nearest to the given ones.

        Fixed values are kept; the others move as little as possible.
        """
        q = self.positions_from(q, ~q_fixed)
        return q, self.speeds_from(q, u, ~u_fixed)

    # --- positions --------------------------------------------------------------------------

    def residual(self) -> Residual:
        """Return what must vanish at positions, with its Jacobian by q."""
        if self._residual is None:
            import casadi

            x = casadi.SX.sym("q", self.mechanism.n_q)
            parts = casadi.vertsplit(x)
            view = MotionView(
                self.mechanism, parts, [0.0] * self.mechanism.n_u, None, self.t, self.z
            )
            r = casadi.vertcat(*self.position_gaps(view, parts))
            function = casadi.Function(
                "start", [x, self.symbols], [r, casadi.jacobian(r, x)]
            )

            def residual(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
                r, J = function(values, self.p)
                return np.asarray(r, dtype=float).ravel(), np.asarray(J, dtype=float)

            self._residual = residual
        return self._residual

    def position_gaps(self, view: MotionView, q: Sequence[Any]) -> list[Any]:
        """Return what must vanish at positions, of symbols q."""
        wanted: list[Any] = [e for d in self.positions for e in d.residual(view)]
        if self.rows is not None:
            y = self.rows.y_of(q, self.t, self.z)
            wanted.append(self.rows.position_function(y, self.symbols))
        for link in self.mechanism.links:
            wanted += link.joint.redundancy([q[k] for k in link.q])
        return wanted

    def speed_gaps(self, view: MotionView, q: Sequence[Any], u: Any) -> list[Any]:
        """Return what must vanish of speeds, of coordinates q and symbols u."""
        wanted: list[Any] = [e for d in self.velocities for e in d.residual(view)]
        if self.rows is not None:
            y = self.rows.y_of(q, self.t, self.z)
            wanted.append(self.rows.velocity_function(y, u, self.symbols))
        return wanted

    def _try(self, q: np.ndarray, free: np.ndarray) -> tuple[np.ndarray, float]:
        """Return the best start found from q and from places around it."""
        whole = self.residual()

        def residual(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            r, J = whole(values)
            return r, J[:, free]

        weights = self._weights()[free]
        best, best_size = q, np.inf
        randomness = np.random.default_rng(1)
        for attempt in range(TRIES):
            begin = q.copy()
            if attempt:
                scale = 0.3 * attempt**0.5
                begin[free] += randomness.normal(scale=scale, size=int(free.sum()))
            found, size = damped_newton(residual, begin, free, weights)
            if size < CLOSED:
                return found, size
            if size < best_size:
                best, best_size = found, size
        best = nearest(residual, best, free)
        return best, float(np.abs(whole(best)[0]).max(initial=0.0))

    def _weights(self) -> np.ndarray:
        weights = np.ones(self.mechanism.n_q)
        for link in self.mechanism.links:
            if link.edge is not None and link.edge.wish > 1:
                weights[list(link.q)] = HELD_BACK
        return weights

    def positions_from(self, q: np.ndarray, free: np.ndarray) -> np.ndarray:
        """Return coordinates that meet all demands and close all loops, nearest to q."""
        if not self.positions and self.rows is None:
            return q
        found, size = self._try(q, free)
        if size < CLOSED:
            return found
        self._refuse(found, None, self.residual()(found)[0], free)
        raise AssertionError

    # --- speeds -----------------------------------------------------------------------------

    def speeds_from(self, q: np.ndarray, u: np.ndarray, free: np.ndarray) -> np.ndarray:
        """Return speeds that meet all demands and keep the loops closed, nearest to u."""
        import casadi

        if not self.velocities and self.rows is None:
            return u
        x = casadi.SX.sym("u", u.size)
        values = [float(v) for v in q]
        view = MotionView(self.mechanism, values, casadi.vertsplit(x), None, self.t, self.z)
        r = casadi.vertcat(*self.speed_gaps(view, values, x))
        function = casadi.Function("start", [x, self.symbols], [r, casadi.jacobian(r, x)])
        r0, J = (np.asarray(v, dtype=float) for v in function(u, self.p))
        result = u.copy()
        if free.any() and r0.size:
            result[free] -= np.linalg.lstsq(J[:, free], r0.ravel(), rcond=SINGULAR)[0]
        left = np.asarray(function(result, self.p)[0], dtype=float).ravel()
        largest = float(np.abs(u).max(initial=0.0))
        if np.abs(left).max(initial=0.0) > CLOSED * max(1.0, largest):
            self._refuse(q, result, left, free)
        return result

    # --- refusal ----------------------------------------------------------------------------

    def _refuse(
        self, q: np.ndarray, u: np.ndarray | None, left: np.ndarray, free: np.ndarray
    ) -> None:
        """Raise for what cannot be met, naming the worst."""
        demands = self.positions if u is None else self.velocities
        states = self.mechanism.coordinates if u is None else self.mechanism.speeds
        sizes: list[tuple[float, Demand]] = []
        at = 0
        for demand in demands:
            count = count_of(demand, self.mechanism)
            sizes.append((float(np.abs(left[at : at + count]).max()), demand))
            at += count
        kept = [s.name for s, f in zip(states, free, strict=True) if not f]
        asked = [*kept, *(f"{d.part}.{d.name}" for d in demands)]
        if self.rows is not None:
            rows = left[at : at + len(self.rows.rows)]
            if not sizes or float(np.abs(rows).max(initial=0.0)) > max(sizes)[0] / 10:
                self._refuse_loop(q, u, rows, asked)
        gap, worst = max(sizes, key=lambda pair: pair[0])
        reached = listed(states, q if u is None else u)
        raise InitialValueError(
            worst.part,
            f"the fixed start value {worst.name} cannot be met: {gap:.3g} remains "
            f"(fixed besides: {', '.join(kept) or 'nothing'}).",
            f"Free one of them, or change the value. Nearest reachable: {reached}.",
        )

    def _refuse_loop(
        self, q: np.ndarray, u: np.ndarray | None, left: np.ndarray, kept: Sequence[str]
    ) -> None:
        assert self.rows is not None
        k = int(np.argmax(np.abs(left)))
        row = self.rows.rows[k]
        names = loop_names(self.mechanism, row.closure) if row.closure is not None else []
        loop = ", ".join([*names, row.part])
        same = [
            i for i, r in enumerate(self.rows.rows[: left.size]) if r.closure == row.closure
        ]
        gaps = _gaps([self.rows.rows[i].unit for i in same], left[same], u is not None)
        if u is not None:
            raise InitialValueError(
                row.part,
                f"the loop of {loop} cannot move with the speeds fixed at the start "
                f"({', '.join(kept) or 'none'}): {gaps} remains.",
                "Free one of these speeds, or give speeds that fit together.",
            )
        alone = StartProblem(
            self.mechanism, self.rows, self.symbols, self.p, self.t, self.z
        )
        alone.positions = []
        relaxed, size = alone._try(q, np.ones(q.size, dtype=bool))
        if size < CLOSED:
            changed = _changed(self.mechanism.coordinates, kept, relaxed)
            raise InitialValueError(
                row.part,
                f"the loop of {loop} cannot be closed with the start values that are fixed "
                f"({', '.join(kept) or 'none'}): a gap of {gaps} remains.",
                f"Free one of them. Nearest start that closes: {changed}.",
            )
        raise LoopError(
            row.part,
            f"the loop of {loop} cannot be closed: at best a gap of {gaps} remains"
            f"{self._misaligned(row.closure, relaxed)}.",
            "Check lengths, axes and positions of these parts. Nearest found: "
            f"{listed(self.mechanism.coordinates, relaxed)}.",
        )

    def _misaligned(self, number: int | None, q: np.ndarray) -> str:
        """Return which axes of a loop are almost parallel to the others, in words."""
        if number is None:
            return ""
        closure = self.mechanism.closures[number]
        links = loop_links(self.mechanism, closure)
        why = why_locked(self.mechanism, links, [closure], q, self.symbols, self.p)
        return f"; {why}" if why else ""


def assembled_start(
    mechanism: Mechanism, rows: ConstraintRows, p: np.ndarray, guess: np.ndarray | None
) -> np.ndarray:
    """Return assembled coordinates near the start, fixed values kept if that is possible."""
    z = [float(start.value) for start in _signal_starts(mechanism)]
    problem = StartProblem(mechanism, rows, rows.p, p, 0.0, z)
    q = np.array(mechanism.start_values()[0]) if guess is None else guess
    fixed = np.array([s.start.is_fixed for s in mechanism.coordinates], dtype=bool)
    if guess is not None:
        fixed[:] = False
    found, size = problem._try(q, ~fixed)
    if size < CLOSED:
        return found
    problem.positions = []
    problem._residual = None
    return problem.positions_from(q, np.ones(q.size, dtype=bool))


def _signal_starts(mechanism: Mechanism) -> list[Any]:
    if mechanism.signals is None:
        return []
    return [state.start for state in mechanism.signals.states]


def loop_names(mechanism: Mechanism, closure: int) -> list[str]:
    """Return the parts whose joints are in a loop, without the one that closes it."""
    links = loop_links(mechanism, mechanism.closures[closure])
    return [mechanism.links[k].part for k in sorted(links)]


def _gaps(units: Sequence[str], values: np.ndarray, of_speed: bool) -> str:
    parts = []
    for unit in ("m", "rad"):
        found = [abs(v) for u, v in zip(units, values, strict=True) if u.startswith(unit)]
        if found and max(found) > CLOSED:
            parts.append(f"{max(found):.3g} {unit}{'/s' if of_speed else ''}")
    return " and ".join(parts) or f"{float(np.abs(values).max(initial=0.0)):.3g}"


def _changed(states: Sequence[State], kept: Sequence[str], q: np.ndarray) -> str:
    pairs = [(s, v) for s, v in zip(states, q, strict=True) if s.name in kept]
    return ", ".join(f"{s.name} = {v:.6g}" for s, v in pairs) or listed(states, q)


def listed(states: Sequence[State], values: np.ndarray) -> str:
    """Return names and values for a message."""
    return ", ".join(f"{s.name} = {v:.6g}" for s, v in zip(states, values, strict=True))


def count_of(demand: Demand, mechanism: Mechanism) -> int:
    """Return how many quantities a demand is about."""
    q, u = mechanism.start_values()
    return len(demand.residual(MotionView(mechanism, q, u, [0.0] * mechanism.n_u)))
