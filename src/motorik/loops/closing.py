"""Closing loops on numbers: poses at which everything fits together, near a given one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from motorik.algebra.scalar import Scalar
from motorik.components.contributions import Demand
from motorik.loops.rows import ConstraintRows, split_symbols
from motorik.loops.scales import Scales
from motorik.motion.view import MotionView
from motorik.topology.mechanism import Link, Mechanism

if TYPE_CHECKING:
    import casadi

Residual = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]
Wish = Callable[[MotionView], Sequence[Scalar]]
CLOSED = 1e-10  # gaps below this part of a loop's length are none
STEPS = 60
TRIES = 20
WEAK = 1e-9  # directions weaker than this part of the strongest are left alone
HELD = 0.03  # how easily a coordinate moves that is wished for as state, against the others
SOFT = 0.1  # how much a guess weighs against a loop
SPREAD = 0.25  # how far from the start other poses are looked for, in scales


@dataclass(frozen=True)
class Moment:
    """What positions depend on beside coordinates: live parameters, time, states of blocks."""

    p: np.ndarray
    t: float = 0.0
    z: tuple[float, ...] = ()


class PoseProblem:
    """What must hold at positions: loops closed, all demands met, quaternions of length one.

    `without` are closures (by number) that are left open. Everything is measured in the
    scales of the mechanism.
    """

    def __init__(
        self,
        mechanism: Mechanism,
        rows: ConstraintRows | None,
        symbols: casadi.SX,
        scales: Scales,
        demands: Sequence[Demand] = (),
        without: frozenset[int] = frozenset(),
    ) -> None:
        import casadi

        self.mechanism, self.rows, self.symbols = mechanism, rows, symbols
        self.scales, self.demands = scales, tuple(demands)
        self.kept = self._kept_rows(without)
        q, t = casadi.SX.sym("q", mechanism.n_q), casadi.SX.sym("t")
        z = casadi.SX.sym("z", len(mechanism.signals.states))
        coordinates, blocks = split_symbols(q), split_symbols(z)
        still = [0.0] * mechanism.n_u
        view = MotionView(mechanism, coordinates, still, None, t, blocks)
        wanted = [demand.residual(view) for demand in self.demands]
        self.counts = [len(rows_of) for rows_of in wanted]
        r = [e for rows_of in wanted for e in rows_of]
        self.n_demanded = len(r)
        if rows is not None:
            found = split_symbols(
                rows.approach_function(rows.y_of(coordinates, t, blocks), symbols)
            )
            r += [found[k] for k in self.kept]
        for link in mechanism.links:
            r += link.joint.redundancy([coordinates[k] for k in link.q])
        column = casadi.SX(casadi.vertcat(*r))
        inputs = [q, t, z, symbols]
        self._symbols = inputs
        self._function = casadi.Function(
            "pose", inputs, [column, casadi.jacobian(column, q)]
        )
        self.size = column.numel()
        row_scale = scales.rows[list(self.kept)] if rows is not None else np.zeros(0)
        left = self.size - self.n_demanded - row_scale.size
        self._row_scale = np.concatenate([row_scale, np.ones(left)])

    def with_demands(self, demands: Sequence[Demand]) -> PoseProblem:
        """Return the problem with other demands."""
        return PoseProblem(self.mechanism, self.rows, self.symbols, self.scales, demands)

    def expression(self, q: casadi.SX, moment: Moment, symbols: casadi.SX) -> casadi.SX:
        """Return what must vanish, of symbols q and of live parameters."""
        return self._function(q, moment.t, list(moment.z), symbols)[0]

    def _kept_rows(self, without: frozenset[int]) -> tuple[int, ...]:
        if self.rows is None:
            return ()
        table = enumerate(self.rows.rows[: self.rows.n_holonomic])
        return tuple(k for k, row in table if row.closure not in without)

    @property
    def is_trivial(self) -> bool:
        """Whether nothing but given values must hold."""
        return not (self.n_demanded or self.kept)

    def residual(self, moment: Moment, near: np.ndarray) -> Residual:
        """Return what must vanish and its Jacobian by q / scale; demands are scaled at `near`."""
        plain = self._plain(moment)
        scale = self.row_scales(moment, near)

        def residual(q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            with np.errstate(all="ignore"):
                r, J = plain(q)
                return r / scale, J / scale[:, None]

        return residual

    def _plain(self, moment: Moment) -> Residual:
        unit = self.scales.coordinates

        def plain(q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            r, J = self._function(q, moment.t, list(moment.z), moment.p)
            return np.asarray(r, dtype=float).ravel(), np.asarray(J, dtype=float) * unit

        return plain

    def row_scales(self, moment: Moment, q: np.ndarray) -> np.ndarray:
        """Return the scales of all that must vanish, in its order."""
        return np.concatenate([self._demand_scale(moment, q), self._row_scale])

    def _demand_scale(self, moment: Moment, q: np.ndarray) -> np.ndarray:
        """Return how much each demanded quantity usually changes with the coordinates."""
        if not self.n_demanded:
            return np.zeros(0)
        plain = self._plain(moment)
        rng = np.random.default_rng(3)
        around = [q + self._spread(rng, 0.3) for _ in range(5)]
        with np.errstate(all="ignore"):
            steep = [np.abs(plain(x)[1][: self.n_demanded]).max(axis=1) for x in around]
        usual = np.median(np.nan_to_num(steep, posinf=0.0), axis=0)
        return scales_by_part(self.demands, self.counts, usual)

    def _spread(self, rng: np.random.Generator, width: float) -> np.ndarray:
        return rng.normal(scale=width, size=self.mechanism.n_q) * self.scales.coordinates

    # --- searching --------------------------------------------------------------------------

    def solve(
        self, q: np.ndarray, free: np.ndarray, moment: Moment, wishes: Sequence[Wish] = ()
    ) -> tuple[np.ndarray, float]:
        """Return the pose nearest to q at which everything holds, and the gap that is left.

        Coordinates that are not free stay, and what no user sees moves before what users do
        see. `wishes` are guesses of quantities that are no coordinates: the search begins
        near them.
        """
        residual = self.residual(moment, q)
        if self._is_closed(residual, q):
            if not wishes:
                return q, 0.0
        hidden = free & self._hidden()
        if hidden.any() and not wishes:
            found, gap = self._search(residual, q, hidden, moment, ())
            if gap < self.tolerance(found):
                return found, gap
        return self._search(residual, q, free, moment, wishes)

    def tolerance(self, q: np.ndarray) -> float:
        """Return the gap below which everything is closed."""
        return max(CLOSED, self.scales.rounding(q))

    def _is_closed(self, residual: Residual, q: np.ndarray) -> bool:
        size = float(np.abs(residual(q)[0]).max(initial=0.0))
        return size < 1e-2 * self.tolerance(q)

    def _search(
        self,
        residual: Residual,
        q: np.ndarray,
        free: np.ndarray,
        moment: Moment,
        wishes: Sequence[Wish],
    ) -> tuple[np.ndarray, float]:
        """Return the best pose found from q and from places around it."""
        scale, ease = self.scales.coordinates, self._ease()
        rng = np.random.default_rng(1)
        first = self._pulled(residual, q, free, moment, wishes) if wishes else q
        best, least = first, np.inf
        for attempt in range(TRIES if free.any() else 1):
            begin = first.copy()
            if attempt:
                begin[free] += self._spread(rng, 0.3 * attempt**0.5)[free]
            found, gap = damped_newton(residual, begin, free, scale, ease, self._hidden())
            if gap < self.tolerance(found):
                return found, gap
            if gap < least:
                best, least = found, gap
        best = nearest(residual, best, free, scale)
        return best, float(np.abs(residual(best)[0]).max(initial=0.0))

    def _pulled(
        self,
        residual: Residual,
        q: np.ndarray,
        free: np.ndarray,
        moment: Moment,
        wishes: Sequence[Wish],
    ) -> np.ndarray:
        """Return a pose that is a compromise of loops and guesses, to begin from."""
        import casadi

        x, t, z, symbols = self._symbols
        view = MotionView(
            self.mechanism,
            split_symbols(x),
            [0.0] * self.mechanism.n_u,
            None,
            t,
            split_symbols(z),
        )
        wanted = casadi.SX(casadi.vertcat(*(e for wish in wishes for e in wish(view))))
        function = casadi.Function(
            "wishes", [x, t, z, symbols], [wanted, casadi.jacobian(wanted, x)]
        )
        unit = self.scales.coordinates

        def soft(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            r, J = function(values, moment.t, list(moment.z), moment.p)
            return np.asarray(r, dtype=float).ravel(), np.asarray(J, dtype=float) * unit

        steep = np.abs(soft(q)[1]).max(axis=1, initial=0.0)
        scale = np.where(steep > 0.0, steep, 1.0) / SOFT

        def together(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
            hard, guessed = residual(values), soft(values)
            r = np.concatenate([hard[0], guessed[0] / scale])
            return r, np.vstack([hard[1], guessed[1] / scale[:, None]])

        return nearest(together, q, free, unit)

    def _hidden(self) -> np.ndarray:
        """Return which coordinates no user sees."""
        return np.array(
            [is_hidden(self._link(k)) for k in range(self.mechanism.n_q)], dtype=bool
        )

    def _ease(self) -> np.ndarray:
        """Return how easily each coordinate moves."""
        return np.array([_ease_of(self._link(k)) for k in range(self.mechanism.n_q)])

    def _link(self, coordinate: int) -> Link:
        return self.mechanism.link_of_coordinate(coordinate)


def scales_by_part(
    demands: Sequence[Demand], counts: Sequence[int], steep: np.ndarray
) -> np.ndarray:
    """Return scales of demanded quantities: how steep the steepest of the same part is."""
    owners = [
        d.part for d, count in zip(demands, counts, strict=True) for _ in range(count)
    ]
    of_part: dict[str, float] = {}
    for part, size in zip(owners, steep.tolist(), strict=True):
        of_part[part] = max(of_part.get(part, 0.0), size)
    return np.array([of_part[part] or 1.0 for part in owners])


def _ease_of(link: Link) -> float:
    return HELD if link.edge is not None and link.edge.wish > 1 else 1.0


def is_hidden(link: Link) -> bool:
    """Tell whether no user sees the joint of a link: it is within a finished part."""
    part = link.entry.owner if link.own is None else link.own.part
    if link.edge is not None:
        part = link.edge.frame_a.owner
    return any(outer.is_model and not outer.is_open for outer in part.lineage()[1:])


# --- iterations ---------------------------------------------------------------------------


def damped_newton(
    residual: Residual,
    x: np.ndarray,
    free: np.ndarray,
    scale: np.ndarray,
    ease: np.ndarray | None = None,
    hidden: np.ndarray | None = None,
) -> tuple[np.ndarray, float]:
    """Return a point where the residual vanishes (or is smallest nearby), and its size.

    Each step is the shortest that solves the linearised equations, measured in `scale` and
    weighted by `ease` (small: moves little), halved until it helps; how far `hidden` unknowns
    move does not count. A residual that is not finite is no progress.
    """
    r, J = residual(x)
    size = float(np.abs(r).max(initial=0.0))
    w = np.ones(int(free.sum())) if ease is None else ease[free]
    for _ in range(STEPS):
        if size < 1e-15 or not np.isfinite(size) or not np.isfinite(J).all():
            break
        weak = min(1e-3, max(WEAK, 0.03 * size))
        own = None if hidden is None else hidden[free]
        step = -w * shortest(J[:, free] * w, r, weak, own)
        longest = float(np.abs(step).max(initial=0.0))
        factor = min(1.0, 1.0 / longest) if longest > 0.0 else 1.0
        while factor > 1e-4:
            trial = x.copy()
            trial[free] += factor * step * scale[free]
            r_trial, J_trial = residual(trial)
            trial_size = float(np.abs(r_trial).max(initial=0.0))
            if trial_size < size:
                break
            factor /= 2
        else:
            break
        x, r, J, size = trial, r_trial, J_trial, trial_size
    return x, size if np.isfinite(size) else np.inf


def shortest(
    A: np.ndarray, r: np.ndarray, weak: float, hidden: np.ndarray | None = None
) -> np.ndarray:
    """Return the shortest x with A x = r, weak directions left alone.

    The size of `hidden` unknowns does not count: they follow as the others need them.
    """
    if not A.size:
        return np.zeros(A.shape[1])
    if hidden is None or not hidden.any():
        return np.linalg.lstsq(A, r, rcond=weak)[0]
    inner, outer = A[:, hidden], A[:, ~hidden]
    onto = inner @ np.linalg.pinv(inner, rcond=weak)
    x = np.zeros(A.shape[1])
    if outer.size:
        left = outer - onto @ outer
        # what hidden unknowns can do alone leaves rounding, which is no direction
        left[np.abs(left) < 1e-12 * np.abs(A).max()] = 0.0
        x[~hidden] = np.linalg.lstsq(left, r - onto @ r, rcond=weak)[0]
    x[hidden] = np.linalg.lstsq(inner, r - outer @ x[~hidden], rcond=weak)[0]
    return x


def nearest(
    residual: Residual, x: np.ndarray, free: np.ndarray, scale: np.ndarray
) -> np.ndarray:
    """Return a point near x where the sum of squares of the residual is smallest.

    Levenberg and Marquardt: (JᵀJ + λ 1) Δx = −Jᵀr, λ lowered when a step helps.
    """
    r, J = residual(x)
    damping = 1e-3
    n = int(free.sum())
    if not (n and np.isfinite(r).all() and np.isfinite(J).all()):
        return x
    for _ in range(10 * STEPS):
        trial = x.copy()
        padded = np.vstack([J[:, free], np.sqrt(damping) * np.eye(n)])
        right = np.concatenate([r, np.zeros(n)])
        step = np.linalg.lstsq(padded, right, rcond=None)[0]
        trial[free] -= step * scale[free]
        r_trial, J_trial = residual(trial)
        gained = r @ r - r_trial @ r_trial
        if gained > 0.0:
            x, r, J, damping = trial, r_trial, J_trial, damping / 10
            if gained < 1e-13 * (r @ r):
                break
        elif damping < 1e12:
            damping *= 10
        else:
            break
    return x


def sample_poses(
    problem: PoseProblem, q: np.ndarray, moment: Moment, count: int = 3
) -> tuple[np.ndarray, ...]:
    """Return assembled poses: q, which is closed, and others found near it."""
    residual = problem.residual(moment, q)
    scale = problem.scales.coordinates
    free = np.ones(q.size, dtype=bool)
    found = [q]
    rng = np.random.default_rng(7)
    for attempt in range(4 * count):
        if len(found) > count:
            break
        begin = q + problem._spread(rng, SPREAD * 0.7**attempt)
        closed, gap = damped_newton(residual, begin, free, scale)
        if gap < problem.tolerance(closed):
            found.append(closed)
    return tuple(found)
