"""Random box problems, solved natively and checked with NumPy.

`python -m validation.lcp_problems` solves 10 000 of them and prints how many fail. A problem is
taken from mechanics: rows of a mechanism of any rank, chains of shafts with clutches, trees, rows
that repeat others, small whole numbers that make forces meet bounds exactly; rows and inertias of
scales between 1e-6 and 1e6; bounds that are zero, finite, infinite on one side or on both.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from motorik.compiler.kernels import native
from motorik.nonsmooth.complementarity.box_lcp import box_lcp_size, solve_box_lcp

Array = np.ndarray
INFINITE = float("inf")
TOLERANCE = 1e-10  # of the sum of sizes of the terms of a row
LARGEST = 100
ENUMERATED = 5  # rows up to which all sets of modes are tried


@dataclass
class BoxProblem:
    """A box problem.

    `reads[k]` is −1 for plain bounds; j ≥ 0 for bounds low − μ λⱼ and high + μ λⱼ; −2 − j for a
    given force low − μ λⱼ, as of sliding friction.
    """

    D: Array
    b: Array
    low: Array
    high: Array
    reads: Array = field(default_factory=lambda: np.empty(0, dtype=np.int64))
    mu: Array = field(default_factory=lambda: np.empty(0))

    def __post_init__(self) -> None:
        """Fill up what is plain."""
        m = len(self.b)
        if not len(self.reads):
            self.reads, self.mu = np.full(m, -1, dtype=np.int64), np.zeros(m)

    def slopes(self) -> Array:
        """Return how low and high bounds depend on the forces, as `solve_box_lcp` takes it."""
        m = len(self.b)
        found = np.zeros((2, m, m))
        for k in np.flatnonzero(self.reads != -1):
            given = self.reads[k] < -1
            j = -2 - self.reads[k] if given else self.reads[k]
            found[:, k, j] = -self.mu[k], -self.mu[k] if given else self.mu[k]
        return found

    def bounds(self, lam: Array) -> tuple[Array, Array]:
        """Return the bounds that belong to forces."""
        j = np.where(self.reads < -1, -2 - self.reads, self.reads)
        part = np.where(j >= 0, self.mu * lam[np.maximum(j, 0)], 0.0)
        low = self.low - part
        return low, np.where(self.reads < -1, low, self.high + part)


@dataclass
class BoxAnswer:
    """Status, forces, modes, and what `solve_box_lcp` counts."""

    status: int
    lam: Array
    mode: Array
    counts: Array


def solve(
    problem: BoxProblem,
    hint: Array | None = None,
    function: Callable[..., int] | None = None,
) -> BoxAnswer:
    """Return the answer of the kernel, natively unless another function is given."""
    m = len(problem.b)
    doubles, integers = box_lcp_size(m)
    work, counts = np.full(doubles + 8, np.nan), np.zeros(integers + 8, dtype=np.int64)
    counts[integers:] = 77
    mode = np.zeros(m, dtype=np.int64) if hint is None else np.array(hint, dtype=np.int64)
    lam = np.zeros(m)
    run = native(solve_box_lcp) if function is None else function
    high = np.where(problem.reads < -1, problem.low, problem.high)
    arrays = (problem.D.ravel(), problem.b, problem.low, high)
    linked, slopes = int((problem.reads != -1).any()), problem.slopes().ravel()
    status = run(m, *arrays, linked, slopes, mode, lam, work, counts)
    if not np.isnan(work[doubles:]).all() or (counts[integers:] != 77).any():
        raise RuntimeError("solve_box wrote behind its work space")
    return BoxAnswer(status, lam, mode, counts[:3])


def find_violation(
    problem: BoxProblem, lam: Array, mode: Array, tolerance: float = TOLERANCE
) -> str:
    """Return what is wrong with forces and modes, nothing if they solve the problem."""
    low, high = problem.bounds(lam)
    a = problem.D @ lam + problem.b
    diagonal = np.diag(problem.D)

    def in_forces(rates: Array) -> Array:
        return np.divide(rates, diagonal, out=np.zeros_like(rates), where=diagonal > 0)

    size = tolerance * (abs(problem.b) + abs(problem.D) @ abs(lam))
    for _ in range(len(size)):  # rounding of others, and of others beside these
        size, before = np.maximum(size, 1e-3 * abs(problem.D) @ in_forces(size)), size
        if (size == before).all():
            break
    force = in_forces(size) + tolerance * abs(lam)
    if (
        not np.isfinite(lam).all()
        or (lam < low - force).any()
        or (lam > high + force).any()
    ):
        return "a force is out of its bounds"
    if (abs(a) > size)[mode == 0].any():
        return "a row that sticks moves"
    if (abs(lam - low) > force)[mode == 1].any() or (a < -size)[mode == 1].any():
        return "a row is not forward"
    if (abs(lam - high) > force)[mode == -1].any() or (a > size)[mode == -1].any():
        return "a row is not backward"
    if set(np.unique(mode)) - {-1, 0, 1}:
        return "a mode is none"
    return ""


def forces_of_modes(problem: BoxProblem, mode: Array) -> Array | None:
    """Return the shortest forces, in scaled rows, that given modes allow; none if infinite."""
    m = len(mode)
    base = np.where(mode == 1, problem.low, np.where(mode == -1, problem.high, 0.0))
    E = np.diag((mode == 0).astype(float))
    for k in np.flatnonzero((problem.reads != -1) & (mode != 0)):
        given = problem.reads[k] < -1
        j = -2 - problem.reads[k] if given else problem.reads[k]
        slope = -problem.mu[k] if given or mode[k] == 1 else problem.mu[k]
        base[k] = problem.low[k] if given or mode[k] == 1 else problem.high[k]
        base[k] += slope * (base[j] if mode[j] else 0.0)
        E[k] = slope * E[j]
    if not np.isfinite(base).all():
        return None
    stuck = np.flatnonzero(mode == 0)
    diagonal = np.diag(problem.D)[stuck]
    scale = 1 / np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
    A = scale[:, None] * (problem.D @ E)[np.ix_(stuck, stuck)] * scale
    right = -scale * (problem.D @ base + problem.b)[stuck]
    y = np.linalg.pinv(A, rcond=1e-11) @ right
    y[abs(y) < 1e-14 * abs(y).max(initial=0.0)] = 0.0  # the singular values mix all rows
    x = np.zeros(m)
    x[stuck] = scale * y
    return E @ x + base


def enumerate_solutions(problem: BoxProblem) -> Iterator[Array]:
    """Yield the forces of all sets of modes that solve the problem."""
    for modes in itertools.product((0, 1, -1), repeat=len(problem.b)):
        mode = np.array(modes)
        if (mode[(problem.reads < -1)] == 0).any():
            continue
        lam = forces_of_modes(problem, mode)
        if lam is not None:
            low, high = problem.bounds(lam)
            if (low <= high).all() and not find_violation(problem, lam, mode, 1e-9):
                yield lam


def make_matrix(rng: np.random.Generator, m: int) -> Array:
    """Return a matrix G M⁻¹ Gᵀ of some mechanism."""
    kind = rng.choice(["rows", "chain", "tree", "repeated", "whole"])
    spread = rng.choice([0.0, 1.0, 3.0])
    if kind == "whole":
        rank = rng.integers((m + 1) // 2, m + 1)
        G = rng.integers(-1, 2, (m, rank)).astype(float)
        return G @ G.T
    if kind in ("chain", "tree"):
        masses = 10.0 ** rng.uniform(-spread, spread, m + 1)
        G = np.zeros((m, m + 1))
        for k in range(m):
            G[k, k + 1] = 1.0
            G[k, k if kind == "chain" else rng.integers(k + 1)] -= 1.0
    else:
        rank = rng.integers((m + 1) // 2, m + 3)
        masses = 10.0 ** rng.uniform(-spread, spread, rank)
        G = rng.normal(size=(m, rank))
        if kind == "repeated":
            G = G[rng.integers(m, size=m)] * rng.choice([-1.0, 1.0, 2.0], size=(m, 1))
    unit = 10.0 ** rng.uniform(-6, 6, m) if rng.random() < 0.3 else np.ones(m)
    G = unit[:, None] * G
    D = (G / masses) @ G.T
    return (D + D.T) / 2


def make_problem(rng: np.random.Generator, m: int) -> BoxProblem:
    """Return a problem that has a solution: bounds and rates are put around chosen forces."""
    D = make_matrix(rng, m)
    diagonal = np.diag(D)
    scale = 1 / np.sqrt(np.where(diagonal > 0, diagonal, 1.0))
    whole = bool((D == np.round(D)).all())
    draw = (
        (lambda: rng.integers(-2, 3, m).astype(float))
        if whole
        else (lambda: rng.normal(size=m) * 10.0 ** rng.uniform(-2, 2))
    )
    if rng.random() < 0.5:  # bounded, with any b
        low, high = -abs(draw()), abs(draw())
        none = rng.random(m) < 0.2
        low[none], high[none] = 0.0, 0.0
        return _unscaled(D, draw(), low, high, scale, whole)
    lam, rate = draw(), abs(draw())
    mode = rng.integers(-1, 2, m)
    low, high = lam - abs(draw()), lam + abs(draw())
    low[mode == 1], high[mode == -1] = lam[mode == 1], lam[mode == -1]
    low[(mode != 1) & (rng.random(m) < 0.4)] = -INFINITE
    high[(mode != -1) & (rng.random(m) < 0.4)] = INFINITE
    unit = np.ones(m) if whole else scale
    rate *= np.where(diagonal > 0, 1.0, 0.0)
    b = rate * mode - (unit[:, None] * D * unit) @ lam
    return _unscaled(D, b, low, high, scale, whole)


def _unscaled(
    D: Array, b: Array, low: Array, high: Array, scale: Array, whole: bool
) -> BoxProblem:
    if whole:
        return BoxProblem(D, b, low, high)
    return BoxProblem(D, b / scale, scale * low, scale * high)


def check_problem(problem: BoxProblem, rng: np.random.Generator) -> str:
    """Solve a problem from two hints; return what is wrong, nothing if it is right."""
    m = len(problem.b)
    answer = solve(problem)
    other = solve(problem, rng.integers(-1, 2, m))
    for one in (answer, other):
        if one.status != 0:
            return f"status {one.status}"
        fault = find_violation(problem, one.lam, one.mode)
        if fault:
            return fault
    weight = np.sqrt(np.diag(problem.D))
    x, y = weight * answer.lam, weight * other.lam
    bounds = np.stack((problem.low, problem.high))
    size = max(abs(x).max(), abs(weight * np.where(np.isfinite(bounds), bounds, 0.0)).max())
    if is_sure(problem, answer.mode == 0) and abs(x - y).max() > 1e-8 * size:
        return "the forces depend on the hint"
    if m <= ENUMERATED and is_sure(problem, weight > 0):
        return check_all_modes(problem, answer)
    return ""


def is_sure(problem: BoxProblem, rows: Array) -> bool:
    """Return whether it is certain which of some rows follow from others."""
    weight = np.sqrt(np.diag(problem.D))
    rows = np.flatnonzero(rows & (weight > 0))
    A = problem.D[np.ix_(rows, rows)] / np.outer(weight[rows], weight[rows])
    values = np.linalg.eigvalsh(A) if len(rows) else np.ones(1)
    return not ((values > 1e-12) & (values < 1e-5)).any()


def check_all_modes(problem: BoxProblem, answer: BoxAnswer) -> str:
    """Return what is wrong beside the shortest of the solutions of all sets of modes."""
    weight = np.sqrt(np.diag(problem.D))
    found = list(enumerate_solutions(problem))
    if not found:
        return "no set of modes is right"
    best = min(found, key=lambda lam: sum((weight * lam) ** 2))
    size = max(abs(weight * best).max(), 1e-300)
    if abs(weight * (answer.lam - best)).max() > 1e-6 * size:
        return "the forces are not those of the modes that are right"
    return ""


def count_failures(count: int, seed: int = 1, most: int = LARGEST) -> list[str]:
    """Return what is wrong with the problems that fail, of a number of random ones."""
    rng = np.random.default_rng(seed)
    found = []
    for number in range(count):
        small = rng.random() < 0.4
        m = int(rng.integers(1, ENUMERATED + 1) if small else rng.integers(1, most + 1))
        fault = check_problem(make_problem(rng, m), rng)
        if fault:
            found.append(f"problem {number} of {m} rows: {fault}")
    return found


def main(count: int = 10_000) -> None:
    """Print the number of problems and of failures."""
    failures = count_failures(count)
    print(*failures, sep="\n", end="\n" if failures else "")
    print(f"RESULT events.box.problems {count} cases")
    print(f"RESULT events.box.failures {len(failures)} cases")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
