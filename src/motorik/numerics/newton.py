"""Newton's method, damped, with the shortest steps: one kernel for numbers and machine code.

Equations r(x) = 0 may be fewer or more than the unknowns, and some of them redundant. Each
step is the shortest solution of the linearised equations, found by least squares, in which
directions weaker than a part of the strongest are left alone; it is halved until the largest
residual decreases (Deuflhard, Newton Methods for Nonlinear Problems, §4.4).

`damped_newton` runs the kernel as plain Python, on a Python function, with linear solutions by
LAPACK or of sparse matrices. Where the function is machine code, so is the kernel, and
`least_squares` solves the linear equations.
"""

from __future__ import annotations

from collections.abc import Callable
from math import fabs, isfinite
from typing import Protocol

import numpy as np

from motorik.compiler.kernels import (
    Float,
    Floats,
    Function,
    Int,
    Ints,
    kernel,
    lanes,
    tail,
)
from motorik.immutable import immutable
from motorik.numerics.least_squares import least_squares_size, solve_least_squares
from motorik.numerics.linear_steps import (
    damped_step,
    regularised,
    rounding_at_samples,
    shortest_step,
    solve_at_samples,
)
from motorik.numerics.sparse_matrix import Jacobian, SparseMatrix, is_finite
from motorik.numerics.tolerances import (
    BLOCK_STEP,
    CLOSED,
    CLOSED_HAND,
    EPSILON,
    EQUILIBRIUM_LEFT,
    EQUILIBRIUM_RESIDUAL,
    LEAST_DAMPING,
    RANK,
    RESIDUAL_FLOOR,
    SAMPLE_STEP,
    SAMPLE_STEP_FLOOR,
    SMALLEST_SIZE,
    STALLED_STEP,
    STEP_ROUNDING,
)
from motorik.numerics.vectors import largest

Residual = Callable[[np.ndarray], tuple[np.ndarray, Jacobian]]
"""Residuals at x without units, and their Jacobian by x / scale."""

STEPS = 60
SHORTEST = 1e-4  # part of a step: none that is shorter is tried
WEAKEST_FAR = (
    1e-3  # of the strongest direction: weaker ones are left alone far from the solution
)
WEAK_PER_RESIDUAL = 0.03  # the same for each unit of the largest residual
CORRECTIONS = 8  # of a point that is nearly closed
INFINITE = float("inf")


# --- kernels ------------------------------------------------------------------------------


def work_size(equations: int, unknowns: int, entries: int) -> int:
    """Return the numbers of work space that `take_newton_steps` and `take_one_step` need."""
    matrices = equations * unknowns
    linear = max(
        least_squares_size(equations, n, unknowns - n) for n in range(unknowns + 1)
    )
    return 2 * (equations + entries) + 3 * unknowns + matrices + linear


@immutable
class NonlinearEquations:
    """Equations r(x) = 0, and which unknowns x are moved to solve them.

    `function(x, given, r, J)` writes residuals and the entries of the Jacobian. A `solver`, if
    there is one, writes the Newton step of all unknowns: `solver(r, J, report, step)`.
    """

    function: Function
    solver: Function | None
    x: Floats
    given: Floats
    sizes: Ints  # numbers of equations, unknowns, entries, unknowns that move, hidden ones
    rows: Ints  # of each entry of J …
    columns: Ints  # … the equation and the unknown
    at: Ints  # place among the unknowns that move; −1: it stays, −2 − k: the hidden one k
    per: Floats  # 1 / scale of each equation
    unit: Floats  # scale of each unknown
    weight: Floats  # scale of the columns of J times ease
    ease: Floats  # how easily unknowns move


class Report:
    """Places of the report of a kernel."""

    CONDITION = 0  # of the last step; infinite if it is not certain which directions count
    RANK = 1  # of the last step
    ROUNDING_BOUND = 2  # the largest change by rounding along the iterates, in scales
    WEAK = 3  # part of the strongest direction: weaker ones are left alone
    SIZE = 4


@kernel(inline=False)
def fill_jacobian(e: NonlinearEquations, J: Floats, outer: Floats, inner: Floats) -> None:
    """Write the matrices of unknowns that move, row by row: those seen and those hidden."""
    m, n, hidden = e.sizes[0], e.sizes[3], e.sizes[4]
    for i in lanes(m * n):
        outer[i] = 0.0
    for i in lanes(m * hidden):
        inner[i] = 0.0
    for k in range(e.sizes[2]):
        i, place = e.rows[k], e.at[e.columns[k]]
        value = e.per[i] * J[k] * e.weight[e.columns[k]]
        if place >= 0:
            outer[i * n + place] = value
        elif place < -1:
            inner[i * hidden - 2 - place] = value


@kernel(inline=False)
def find_step(
    e: NonlinearEquations, r: Floats, J: Floats, step: Floats, report: Floats, work: Floats
) -> None:
    """Write the shortest Newton step of all unknowns, in scales."""
    if e.solver is not None:
        e.solver(r, J, report, step)
        return
    m, n, hidden = e.sizes[0], e.sizes[3], e.sizes[4]
    outer, inner = tail(work, 0), tail(work, m * n)
    x, y = tail(work, m * (n + hidden)), tail(work, m * (n + hidden) + n)
    rest = tail(work, m * (n + hidden) + n + hidden)
    fill_jacobian(e, J, outer, inner)
    weak = report[Report.WEAK]
    solve_least_squares(m, n, hidden, outer, inner, r, weak, x, y, report, rest)
    for k in range(e.sizes[1]):
        place = e.at[k]
        step[k] = 0.0
        if place >= 0:
            step[k] = -e.ease[k] * x[place]
        elif place < -1:
            step[k] = -e.ease[k] * y[-2 - place]


@kernel
def scaled_size(m: Int, r: Floats, per: Floats) -> Float:
    """Divide residuals by their scales; return the largest, infinite if one is not finite."""
    for i in lanes(m):
        r[i] *= per[i]
    return largest(m, r)


@kernel(inline=False)
def residual_size(
    function: Function, x: Floats, given: Floats, sizes: Ints, per: Floats, work: Floats
) -> Float:
    """Return the largest residual at x, infinite if one is not finite."""
    m = sizes[0]
    r = tail(work, 0)
    function(x, given, r, tail(work, 2 * m))
    return scaled_size(m, r, per)


@kernel(inline=False)
def steepest_entries(
    function: Function,
    x: Floats,
    given: Floats,
    sizes: Ints,
    rows: Ints,
    columns: Ints,
    unit: Floats,
    found: Floats,
    work: Floats,
) -> None:
    """Write the largest entry of each row of the Jacobian at x, unknowns in `unit`.

    No number and infinity stay what they are.
    """
    m = sizes[0]
    J = tail(work, 2 * m)
    function(x, given, tail(work, 0), J)
    for i in lanes(m):
        found[i] = 0.0
    for e in range(sizes[2]):
        size = fabs(J[e] * unit[columns[e]])
        if size > found[rows[e]] or not isfinite(size):
            found[rows[e]] = size


@kernel(inline=False)
def search_line(
    e: NonlinearEquations,
    step: Floats,
    part: Float,
    size: Float,
    trial: Floats,
    r: Floats,
    J: Floats,
) -> Float:
    """Write x moved by a part of the step, halved until residuals are below `size`.

    Returns the largest residual there, which is not below `size` if no part helps.
    """
    after = size
    while part > SHORTEST:
        for i in lanes(e.sizes[1]):
            trial[i] = e.x[i] + part * step[i] * e.unit[i]
        e.function(trial, e.given, r, J)
        after = scaled_size(e.sizes[0], r, e.per)
        if after < size:
            return after
        part /= 2.0
    return after


@kernel(inline=False)
def take_newton_steps(e: NonlinearEquations, report: Floats, work: Floats) -> Float:
    """Move x until all residuals vanish, or no step reduces them; return the largest."""
    m, count, entries = e.sizes[0], e.sizes[1], e.sizes[2]
    r, r_new = tail(work, 0), tail(work, m)
    J, J_new = tail(work, 2 * m), tail(work, 2 * m + entries)
    rest = tail(work, 2 * (m + entries))
    step, trial, rest = tail(rest, 0), tail(rest, count), tail(rest, 2 * count)
    e.function(e.x, e.given, r, J)
    size = scaled_size(m, r, e.per)
    report[Report.ROUNDING_BOUND] = 0.0
    for _ in range(STEPS):
        if size < RESIDUAL_FLOOR or not isfinite(size):
            return size
        if not isfinite(largest(entries, J)):
            report[Report.ROUNDING_BOUND] = INFINITE
            return size
        report[Report.CONDITION] = 1.0
        report[Report.WEAK] = min(WEAKEST_FAR, max(RANK, WEAK_PER_RESIDUAL * size))
        find_step(e, r, J, step, report, rest)
        longest = largest(count, step)
        if longest <= STEP_ROUNDING:
            return size
        part = min(1.0, 1.0 / longest)
        report[Report.ROUNDING_BOUND] += EPSILON * report[Report.CONDITION] * part * longest
        after = search_line(e, step, part, size, trial, r_new, J_new)
        if not after < size:
            return size
        size = after
        for i in lanes(count):
            e.x[i] = trial[i]
        r, r_new = r_new, r
        J, J_new = J_new, J
    return size


@kernel(inline=False)
def take_one_step(e: NonlinearEquations, weak: Float, report: Floats, work: Floats) -> Int:
    """Take one step of x, which solves linear equations; return 0 if it is not finite."""
    m, count, entries = e.sizes[0], e.sizes[1], e.sizes[2]
    r, J = tail(work, 0), tail(work, 2 * m)
    rest = tail(work, 2 * (m + entries))
    step, rest = tail(rest, 0), tail(rest, 2 * count)
    e.function(e.x, e.given, r, J)
    scaled_size(m, r, e.per)
    report[Report.CONDITION] = 1.0
    report[Report.WEAK] = weak
    find_step(e, r, J, step, report, rest)
    if not isfinite(largest(count, step)):
        return 0
    for i in lanes(count):
        e.x[i] += step[i] * e.unit[i]
    return 1


NEWTON_KERNELS = (
    take_newton_steps,
    take_one_step,
    residual_size,
    steepest_entries,
)
"""Kernels that are compiled together, so that all users share one library."""


def moving_places(
    free: np.ndarray, hidden: np.ndarray | None
) -> tuple[np.ndarray, int, int]:
    """Return the place of each unknown among those that move, and the numbers of both kinds.

    The places are those of `NonlinearEquations.at`; if all that is free is hidden, nothing is.
    """
    inner = np.zeros_like(free) if hidden is None else free & hidden
    if not (free & ~inner).any():
        inner = np.zeros_like(free)
    seen, unseen = np.flatnonzero(free & ~inner), np.flatnonzero(inner)
    at = np.full(free.size + 1, -1, dtype=np.int64)
    at[seen], at[unseen] = np.arange(seen.size), -2 - np.arange(unseen.size)
    return at, seen.size, unseen.size


# --- functions in Python ------------------------------------------------------------------


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
    move does not count. A residual that is not finite counts as no progress.
    """
    first: tuple[np.ndarray, Jacobian] | None = residual(x)
    (r, J), n = first, x.size
    pattern = J.pattern if isinstance(J, SparseMatrix) else None
    size = J.values.size if isinstance(J, SparseMatrix) else J.size
    w = np.ones(n) if ease is None else ease

    def evaluate(at: np.ndarray, _: np.ndarray, r: np.ndarray, J: np.ndarray) -> None:
        nonlocal first
        found, slopes = first or residual(at[:n].copy())
        first = None
        r[: found.size] = found
        J[:size] = slopes.values if isinstance(slopes, SparseMatrix) else slopes.ravel()

    def solve(r: np.ndarray, J: np.ndarray, report: np.ndarray, step: np.ndarray) -> None:
        found, values = r[:m], J[:size]
        slopes = values.reshape(m, n) if pattern is None else SparseMatrix(pattern, values)
        step[:n] = shortest_step(slopes, found, free, w, float(report[Report.WEAK]), hidden)

    m, none = r.size, np.zeros(0, dtype=np.int64)
    equations = NonlinearEquations(
        function=evaluate,
        solver=solve,
        x=np.array(x, dtype=float),
        given=np.zeros(0),
        sizes=np.array([m, n, size, 0, 0], dtype=np.int64),
        rows=none,
        columns=none,
        at=none,
        per=np.ones(m),
        unit=scale,
        weight=w,
        ease=w,
    )
    work = np.zeros(2 * (m + size) + 2 * n)
    left = take_newton_steps(equations, np.zeros(Report.SIZE), work)
    return equations.x, left


def nearest(
    residual: Residual, x: np.ndarray, free: np.ndarray, scale: np.ndarray
) -> np.ndarray:
    """Return a point near x where the sum of squares of the residual is smallest.

    Levenberg and Marquardt: (JᵀJ + λ 1) Δx = −Jᵀr, λ lowered when a step helps.
    """
    r, J = residual(x)
    damping = 1e-3
    if not (free.any() and np.isfinite(r).all() and is_finite(J)):
        return x
    for _ in range(10 * STEPS):
        trial = x - damped_step(J, r, free, damping) * scale
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


def close_near(
    residual: Residual, x: np.ndarray, reach: float, closed: float
) -> tuple[np.ndarray, float, Jacobian]:
    """Return the closed pose near x, its largest gap, which is ∞ if none is within reach.

    Plain Newton's method from a point that is nearly closed; gaps below `closed` are none.
    Last comes the Jacobian there.
    """
    begin = x
    r, J = residual(x)
    for _ in range(CORRECTIONS):
        if np.abs(r).max(initial=0.0) < 1e-3 * closed:
            break
        x = x - regularised(J, r)
        if not np.abs(x - begin).max(initial=0.0) <= reach:
            return x, np.inf, J
        r, J = residual(x)
    return x, float(np.abs(r).max(initial=0.0)), J


# --- whole steps --------------------------------------------------------------------------


UNDAMPED_STEPS = 50  # linear equations need two


def undamped_newton(
    residual: Callable[[np.ndarray], np.ndarray],
    inverse: Callable[[np.ndarray, np.ndarray], np.ndarray],
    x: np.ndarray,
    least_size: float = 0.0,
) -> np.ndarray | None:
    """Return x with r(x) = 0 by whole Newton steps, None if they do not converge.

    `inverse` returns the inverse of the Jacobian at x, where the residual is r, or its
    pseudoinverse: then x is where the sum of squares is smallest (Gauss and Newton). Residuals
    need no scale: a step that changes the unknowns by no more than `BLOCK_STEP` ends the
    iteration, or a short one that is not half as long as the one before. Unknowns smaller
    than `least_size` count as this large.
    """
    before = np.inf
    for _ in range(UNDAMPED_STEPS):
        r = residual(x)
        if not np.isfinite(r).all():
            return None
        step = inverse(x, r) @ r
        x = x - step
        size, change = max(np.abs(x).max(), least_size), np.abs(step).max()
        is_stalled = change <= STALLED_STEP * size and change >= 0.5 * before
        if change <= BLOCK_STEP * size or is_stalled:
            return x
        before = change
    return None


# --- many samples at once -----------------------------------------------------------------


SAMPLE_STEPS = 200
SAMPLE_HALVINGS = 40  # of a step
NEARBY = 1e-3, 0.03, 1.0  # distances, in sizes, of other places to begin at
AGREE = 1e-4  # relative: solutions that differ by less are one


def newton_at_samples(
    evaluate: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]],
    x: np.ndarray,
    size: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Return unknowns at which square equations vanish, a column for each sample.

    It is no number where the iteration has not converged. `evaluate` returns the Jacobians and
    the negative residuals of all samples, whose number comes first; the Jacobians of the last
    step are returned, too. Where the equations have no slope at x, or an infinite one, it begins
    at places around x, some `size` away, and demands that all that is found from there is one.
    """
    with np.errstate(all="ignore"):
        return _found_at_samples(evaluate, x, size)


def _found_at_samples(
    evaluate: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]],
    x: np.ndarray,
    size: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    found, A = _damped_at_samples(evaluate, x)
    lost = np.isnan(found).any(axis=0)
    if not lost.any():
        return found, A
    ways = np.random.default_rng(3).uniform(-1.0, 1.0, x.shape)
    for distance in NEARBY:
        away = distance * size[:, None] * ways
        other, A_other = _damped_at_samples(evaluate, x + away)
        opposite, _ = _damped_at_samples(evaluate, x - away)
        own = np.abs(other).max(axis=0, initial=0.0) + SAMPLE_STEP_FLOOR
        differ = (np.abs(opposite - other) > AGREE * own).any(axis=0)
        taken = lost & ~np.isnan(other).any(axis=0) & ~np.isnan(opposite).any(axis=0)
        taken &= ~differ
        found[:, taken], A[taken] = other[:, taken], A_other[taken]
        lost &= ~taken
        if not lost.any():
            break
    return found, A


def _damped_at_samples(
    evaluate: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]], x: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the solution by Newton's method from x, and the last Jacobians; NaN without one.

    A step is shortened until the next one with the same Jacobian is shorter (Deuflhard's natural
    monotonicity, which does not depend on how equations are scaled): exponential functions are
    then climbed in steps in which they are nearly linear, however far the first step would go.
    """
    A, b = evaluate(x)
    part = np.ones(len(b))
    going = np.ones(len(b), dtype=bool)
    for _ in range(SAMPLE_STEPS):
        step, noise = solve_at_samples(A, b), rounding_at_samples(A, x)
        size = np.maximum(np.abs(x), np.abs(step)) + SMALLEST_SIZE
        going &= np.isfinite(step).all(axis=0)
        short = np.abs(step) <= EPSILON * np.abs(x) + SMALLEST_SIZE
        going &= ~short.all(axis=0)
        if not going.any():
            break
        before = _length(step, noise, size)
        part = np.minimum(1.0, 4.0 * part)
        left = going.copy()
        for _ in range(SAMPLE_HALVINGS):
            trial = np.where(left, x + part * step, x)
            A_new, b_new = evaluate(trial)
            after = _length(solve_at_samples(A, b_new), noise, size)
            is_nearer = left & (after <= (1.0 - 0.25 * part) * before)
            x = np.where(is_nearer, trial, x)
            A = np.where(is_nearer[:, None, None], A_new, A)
            b = np.where(is_nearer[:, None], b_new, b)
            left &= ~is_nearer
            if not left.any():
                break
            part = np.where(left, 0.5 * part, part)
        going &= ~left  # rounding is reached, or there is no way down
    step = solve_at_samples(A, b)
    longest = SAMPLE_STEP * (np.abs(x) + SMALLEST_SIZE) + SAMPLE_STEP_FLOOR
    longest += rounding_at_samples(A, x)
    bad = ~(np.abs(step) <= longest).all(axis=0)
    A[~np.isfinite(step).all(axis=0)] = np.nan  # no direction there
    return np.where(bad, np.nan, x), A


def _length(step: np.ndarray, noise: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Return the lengths of steps, in sizes; what may be rounding does not count."""
    longer = np.maximum(np.abs(step) - noise, 0.0)
    return np.sqrt(((longer / size) ** 2).sum(axis=0))


# --- corrections on a manifold ------------------------------------------------------------


MOST_CORRECTIONS = 12
SIMPLIFIED = (
    1e-4  # residual, in scales, below which the decomposition of the step before serves
)


class LeastSolution(Protocol):
    """A decomposed Jacobian."""

    def shortest(self, r: np.ndarray) -> np.ndarray:
        """Return the shortest step s with J s = r."""
        ...


def corrected(
    evaluate: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]],
    moved: Callable[[np.ndarray, np.ndarray], np.ndarray],
    decomposed: Callable[[np.ndarray], LeastSolution],
    q: np.ndarray,
    most: float,
) -> np.ndarray | None:
    """Return the nearest pose without residual; None if it is farther than `most`, or none.

    Whole Newton steps, simplified near the end. `evaluate` returns residuals and Jacobian in
    scales; `moved` returns coordinates after a step, which need not be their sum.
    """
    g, A = evaluate(q)
    size, way = float(np.abs(g).max(initial=0.0)), 0.0
    solution: LeastSolution | None = None
    for _ in range(MOST_CORRECTIONS):
        if size < CLOSED_HAND:
            return q
        if solution is None or size > SIMPLIFIED:
            solution = decomposed(A)
        step = solution.shortest(-g)
        way += float(np.abs(step).max(initial=0.0))
        if not way <= most:
            return None
        trial = moved(q, step)
        g, A = evaluate(trial)
        before, size = size, float(np.abs(g).max(initial=0.0))
        if not size < before:
            return q if before < CLOSED else None
        q = trial
    return q if size < CLOSED else None


# --- stationary points --------------------------------------------------------------------


LONGEST = 0.5  # step, in units of 1 + |x|
FIRST_DAMPING, MOST_DAMPING = 1e-3, 1e12


@immutable
class Stationary:
    """The result of a search: x, the residual r, and whether x is a solution."""

    x: np.ndarray
    r: np.ndarray
    iterations: int
    is_reached: bool


def find_stationary(
    residual: Callable[[np.ndarray], np.ndarray],
    jacobian: Callable[[np.ndarray], np.ndarray],
    x: np.ndarray,
    tolerance: float,
    max_iterations: int,
    rounding: Callable[[np.ndarray], np.ndarray] | None = None,
    difference: float = 1.0,
) -> Stationary:
    """Return the point with r(x) = 0 near x, or the nearest to one that was found.

    Levenberg and Marquardt's step, in unknowns scaled by 1 + |x| and equations by the rows
    of the Jacobian J,

        (JᵀJ + μ|r| 1) Δx = −Jᵀ r,

    which becomes Newton's as |r| vanishes, also where J is singular at the solution. Equations
    and rows of J that are `rounding`, as a function of x, are zero; `difference` is the step of the
    quotients of which J is made, one where its entries are exact.
    """
    r = residual(x)
    mu, free = FIRST_DAMPING, np.ones(x.size, dtype=bool)
    for iteration in range(max_iterations):
        J = jacobian(x)
        scale = 1.0 + np.abs(x)
        size = np.abs(J) @ scale
        least = np.zeros(r.size) if rounding is None else rounding(x)
        is_influenced = size > least / difference
        rows = np.where(is_influenced, size, 1.0)
        J_ = np.where(is_influenced[:, None], J * scale / rows[:, None], 0.0)
        r_ = np.where(np.abs(r) > least, r, 0.0) / rows
        last = _last_step(J_, r_, is_influenced, tolerance)
        if last is not None:
            return Stationary(x + scale * last, r, iteration, True)
        while True:
            step = -damped_step(J_, r_, free, mu * float(np.linalg.norm(r_)))
            step *= min(1.0, LONGEST / max(np.abs(step).max(), 1e-300))
            new = x + scale * step
            r_new = residual(new)
            if np.linalg.norm(r_new / rows) < np.linalg.norm(r_):
                break
            mu *= 10.0
            if mu > MOST_DAMPING:
                return Stationary(x, r, iteration, False)
        x, r, mu = new, r_new, max(0.1 * mu, LEAST_DAMPING)
    return Stationary(x, r, max_iterations, False)


def _last_step(
    J: np.ndarray, r: np.ndarray, is_influenced: np.ndarray, tolerance: float
) -> np.ndarray | None:
    """Return the Newton step if it is short and leaves nothing of the residual."""
    floor = np.where(is_influenced, EQUILIBRIUM_RESIDUAL, 0.0)
    if (np.abs(r) <= floor).all():
        return np.zeros(J.shape[1])
    step = np.linalg.lstsq(J, -r, rcond=1e-12)[0]
    is_met = np.abs(r + J @ step) <= floor + EQUILIBRIUM_LEFT * np.linalg.norm(r)
    return step if is_met.all() and (np.abs(step) <= tolerance).all() else None
